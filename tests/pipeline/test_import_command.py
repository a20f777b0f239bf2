"""What ``topograph import`` says and how it ends; none of this starts Spark."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from topograph.cli.import_command import exit_code, import_command, summary
from topograph.cli.main import exit_code as run
from topograph.findings import Severity
from topograph.pipeline.import_report import ImportReport, NetworkReport


def report(errors: int = 0, warnings: int = 0, unreadable: tuple[str, ...] = ()) -> ImportReport:
    network = NetworkReport(
        name="estate",
        root="/in/estate",
        systems=("ems",),
        servers=1_000,
        links=4_599,
        points=10_198,
        forwards=13_138,
        facts=10_599,
        files={"read": 3_999, "skipped": 1},
        findings={"error": errors, "warning": warnings, "info": 0},
        unreadable=unreadable,
    )
    return ImportReport("0123abcd", "/out/s", (network,), neo4j="bolt://127.0.0.1:7687")


def test_the_summary_says_what_was_made_and_where_to_look_next() -> None:
    assert list(summary(report(warnings=3), "my estate.snapshot")) == [
        "Snapshot 0123abcd in my estate.snapshot",
        "Published to bolt://127.0.0.1:7687",
        "",
        "estate (TIBCO EMS)",
        "  1,000 servers, 4,599 links, 13,138 forwards, 10,599 facts",
        "  4,000 files: 3,999 read, 1 skipped",
        "  findings: 3 warning",
        "",
        (
            "Look next: topograph show findings -s 'my estate.snapshot', topograph check -s "
            "'my estate.snapshot'"
        ),
    ]
    redacted = replace(report(), redaction="0f0f")
    assert "Hosts, users and client ids are redacted with the key 0f0f" in summary(redacted, "s")
    assert list(summary(report(), "./topograph.snapshot"))[-3:] == [
        "  findings: none",
        "",
        "Look next: topograph check",
    ]


def test_findings_fail_an_import_only_where_that_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code(report(errors=1, warnings=1), None) == 0
    assert exit_code(report(warnings=1), Severity.ERROR) == 0
    assert exit_code(report(warnings=1), Severity.WARNING) == 1
    assert exit_code(report(errors=1), Severity.WARNING) == 1
    assert capsys.readouterr().err == ""
    assert exit_code(report(errors=1, unreadable=("c/tibemsd.json",)), Severity.WARNING) == 3
    assert capsys.readouterr().err == (
        "Error: c/tibemsd.json: this main file cannot be read (topograph show findings).\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["absent"], 3, "absent cannot be read"),
        (["net", "--spark-conf", "memory=1"], 2, "is not spark"),
        (["net", "--neo4j", "bolt://127.0.0.1:1"], 4, "does not answer"),
        (["net", "-o", "net"], 3, "holds other files"),
        ([], 2, "Missing argument"),
    ],
)
def test_an_import_that_cannot_begin_ends_with_one_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "tibemsd.conf").write_text("server = A\n")
    assert run(["import", *arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert "Traceback" not in said.err
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == ["net"]


def test_the_help_names_every_option() -> None:
    text = CliRunner().invoke(import_command, ["--help"]).output
    for option in (
        "--output",
        "--network",
        "--config",
        "--strict",
        "--redact",
        "--master",
        "--neo4j",
        "--fail-on",
    ):
        assert option in text


def test_a_folder_without_a_main_file_is_refused_without_waiting_for_spark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from topograph.pipeline import import_run

    @contextlib.contextmanager
    def starting(*_: object, **__: object) -> Iterator[Callable[[], None]]:
        def started() -> None:
            raise AssertionError("Spark was waited for")

        yield started

    monkeypatch.setattr(import_run, "spark_starting", starting)
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "topics.conf").write_text("orders global\n")
    (tmp_path / "net" / "notes.txt").write_text("nothing\n")
    assert run(["import", str(tmp_path / "net"), "-o", str(tmp_path / "s"), "--neo4j", "none"]) == 3
    said = capsys.readouterr().err
    assert "holds 2 files, and none is the main file of a server or router" in said
    assert "What is there: looks like topics.conf" in said
    assert not (tmp_path / "s").exists()
