"""No command makes a terminal do what a name in somebody's files says, nor what an argument
says.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from plain_questions import plain_lines

from topograph.cli.group import COMMANDS
from topograph.cli.main import exit_code
from topograph.cli.terminal import say, say_text
from topograph.findings import Finding, Severity, Source
from topograph.opening.folders import read_snapshot
from topograph.pipeline.import_report import ImportReport, NetworkReport
from topograph.pipeline.snapshot_writer import keep
from topograph.questions.records import QUESTIONS
from topograph.words.visible import clean

ACTS = "\x1b]0;pwned\x07\x1b[31m\nfaked line\r\u202e\u061c\u2066\x9b31m\x7f"
NAME = f"H{ACTS}Q"
SHOWN = clean(NAME)


def estate(folder: Path) -> Path:
    """Two servers, of which one has the name; so have a topic, a zone, a selector, files and
    folders.
    """
    root = folder / NAME.replace("/", "")
    root.mkdir(parents=True)
    for name, other in ((NAME, "LON"), ("LON", NAME)):
        tibemsd: dict[str, Any] = {
            "tibemsd": {"server": name, "routing": True},
            "topics": [
                {"name": f"orders.{ACTS}", "global": True},
                {"name": "orders", "global": True},
            ],
            "routes": [{"name": other, "url": "tcp://b:7222", "zone_name": f"Z{ACTS}"}],
            "durables": [
                {"topic": "orders", "durable_name": f"d{ACTS}", "selector": f"a = '{ACTS}'"}
            ],
            "factories": [{"odd": ACTS}],
        }
        (root / f"{other}.json").write_text(json.dumps(tibemsd))
    (root / f"odd{ACTS}.conf").write_text(f"server = {ACTS}\n")
    return root


class Rows:
    """A database whose every text is hostile."""

    address = SimpleNamespace(uri="bolt://127.0.0.1:7687")

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def read(self, *_: object, **__: object) -> list[dict[str, Any]]:
        return [
            dict.fromkeys(("id", "state", "networks", "current", "name", "time", "publish"), ACTS)
        ]

    def query(self, *_: object) -> tuple[list[str], list[dict[str, Any]]]:
        return ["a", "b", ACTS], [{"a": ACTS, "b": [ACTS], ACTS: {ACTS: 1}}]


def published(*_: object, **__: object) -> SimpleNamespace:
    finding = Finding("k", Severity.WARNING, ACTS, Source(ACTS))
    return SimpleNamespace(findings=[finding], reused=False, snapshot="id", networks=[ACTS])


def imported(
    paths: Any, output: Any, *, progress: Callable[[str], None], **_: object
) -> ImportReport:
    progress(f"Listing files: {ACTS}")
    counts = {"error": 1, "warning": 0, "info": 0}
    network = NetworkReport(
        NAME, ACTS, ("ems",), 1, 1, 1, 1, 1, {"read": 1}, counts, unreadable=(ACTS,)
    )
    return ImportReport("id", str(output), (network,), warnings=(ACTS,))


def status(*_: object, **__: object) -> Any:
    about = dict.fromkeys(("version", "user", "password_file", "pid", "heap", "logs"), ACTS)
    server = SimpleNamespace(uri=ACTS, browser=ACTS)
    return SimpleNamespace(state="running", server=server, to_dict=lambda: about)


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    from topograph.pipeline import import_run
    from topograph.store import database, neo4j_server, publication

    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    monkeypatch.setattr(database, "connect", Rows)
    monkeypatch.setattr(publication, "publish_snapshot", published)
    monkeypatch.setattr(publication, "delete_snapshot", lambda *_: [ACTS])
    monkeypatch.setattr(import_run, "run_import", imported)
    for name in ("start", "stop", "status"):
        monkeypatch.setattr(neo4j_server, name, status)
    keep(read_snapshot(estate(tmp_path)), tmp_path / "s")
    script = f"create route X url={ACTS} zone_name={ACTS}\ndelete route LON\n{ACTS}\n"
    (tmp_path / "change.txt").write_text(script, encoding="utf-8")
    return str(tmp_path / "s")


LINES: dict[str, list[list[str]]] = {
    "import": [
        [NAME],
        [NAME, "-o", NAME, "--fail-on", "error"],
        [NAME, "--spark-conf", ACTS],
        [NAME, "--previous", ACTS],
        [NAME, "--nonsense=" + ACTS],
    ],
    "reach": [
        [NAME],
        [ACTS],
        [NAME, ACTS],
        ["LON", NAME, "--expect", "unreachable"],
        ["-s", ACTS, NAME],
    ],
    "hops": [["LON", NAME], ["--matrix"], ["LON", ACTS]],
    "paths": [["LON", NAME], ["LON", NAME, "--max", ACTS]],
    "cycles": [[], ["--network", ACTS]],
    "interests": [[], [NAME], [ACTS], ["--observed", ACTS]],
    "propagate": [
        [NAME, "--destination", "topic:orders"],
        [NAME, "--destination", f"topic:{ACTS}"],
        [NAME, "--destination", ACTS],
        [NAME, "--destination", "topic:orders", "--set", ACTS],
        [NAME, "--destination", "topic:orders", "--clients", ACTS],
        [NAME, "--destination", "topic:orders", "--subscriber", f"{NAME}:topic:orders"],
    ],
    "trace": [[NAME, "--destination", "topic:orders", "--user", ACTS], [NAME, "--message", ACTS]],
    "services": [[], [NAME], [ACTS], ["--server", NAME], ["--server", ACTS]],
    "impact": [["--fail", f"server:{NAME}"], ["--fail", ACTS]],
    "audit": [
        ["--change", f"{NAME}=change.txt"],
        ["--change", f"{NAME}=change.txt", "--down", ACTS],
        ["--change", f"{ACTS}=change.txt"],
        ["--change", ACTS],
        ["--before", ACTS, "--after", ACTS],
    ],
    "show": [
        *(
            [what]
            for what in (
                "servers",
                "routes",
                "zones",
                "destinations",
                "interests",
                "selectors",
                "access",
            )
        ),
        ["findings"],
        ["files"],
        [ACTS],
    ],
    "view": [["-o", "-", "--format", "mermaid"], ["-o", f"{ACTS}/x.html"], ["-o", "x.html", ACTS]],
    "report": [["-o", f"{ACTS}/x.html"], ["-o", "x.html", ACTS], ["-o", "x.html", "--with", ACTS]],
    "db": [["status"], ["start"], ["stop"], [ACTS], ["start", "--port", ACTS]],
    "cypher": [
        [],
        ["MATCH (n) RETURN n"],
        ["MATCH (n) RETURN n", "--param", f"a={ACTS}", "--print"],
        ["MATCH (n) RETURN '" + ACTS.replace("\n", "") + "'", "--print"],
        ["reach", "--param", ACTS],
    ],
    "schema": [["answer", ACTS], [ACTS]],
    "mcp": [["-s", NAME], ["--root", NAME]],
    "survey": [["."], [ACTS], [".", "--exclude", ACTS]],
    "init": [[".", "--stdout"], [ACTS]],
    "history": [["."], [ACTS], [".", "--since", ACTS], [".", "-o", f"{ACTS}/x.html"]],
    "bisect": [
        [".", "--good", ACTS, "--expect", "A reaches B"],
        [".", "--good", "HEAD", "--expect", ACTS],
        [ACTS, "--good", "HEAD", "--policy", ACTS],
    ],
    "snapshots": [["list"], ["publish"], ["publish", ACTS], ["delete", ACTS], [ACTS]],
}

LINES |= {
    question.name: plain_lines(question.name, NAME, ACTS)
    for question in QUESTIONS
    if question.name not in LINES
}


def test_every_command_is_walked() -> None:
    assert set(LINES) == {entry.name for entry in COMMANDS}


@pytest.mark.parametrize(
    ("command", "arguments"),
    [(command, arguments) for command, own in LINES.items() for arguments in own],
    ids=lambda value: value if isinstance(value, str) else " ".join(map(clean, value))[:60],
)
def test_a_command_shows_what_a_terminal_would_act_on(
    command: str,
    arguments: list[str],
    snapshot: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", snapshot)
    exit_code([command, *arguments])
    out, err = capfd.readouterr()
    assert out or err
    for line in [*out.split("\n"), *err.split("\n")]:
        assert clean(line) == line
        assert not line.startswith("faked line")


def test_completion_offers_no_name_that_would_act_on_the_terminal(
    snapshot: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_TOPOGRAPH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_LINE", f"topograph reach -s {snapshot} ")
    assert exit_code([]) == 0
    out, _ = capfd.readouterr()
    assert "LON" in out
    assert all(clean(line.replace("\t", "")) == line.replace("\t", "") for line in out.splitlines())


def test_a_line_stays_one_line_and_a_text_keeps_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\nb\x1b", "c")
    say_text("d\ne\x1b", err=True)
    assert capsys.readouterr() == ("a\\nb\\x1b\nc\n", "d\ne\\x1b\n")
