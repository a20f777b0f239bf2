"""Errors of the command line: what is wrong, with the value, and what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from topograph.cli.main import exit_code
from topograph.systems import registry

ESTATE = str(Path(__file__).parents[2] / "examples" / "estate")


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = exit_code(words)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["audit", "--before", ESTATE], "--before needs --after"),
        (["audit", "--after", ESTATE], "--after needs --before"),
        (["impact", "--fail", "route:HQ"], "Write route:A-B, as "),
        (["impact", "--fail", "route:HQ"], "Did you mean server:HQ?"),
        (["trace", "HQ", "--destination", "queue:"], "has no name after the colon. For example: "),
        (["cypher", "reach"], "cypher takes no -s"),
        (["check", "--rule", "TL-999"], "Did you mean TL-19, TL-09 or TL-26?"),
        (["reach", "NOSUCH"], "`topograph show servers -s ESTATE` lists them."),
        (["impact", "--fail", "route:X-Y"], "`topograph show routes -s ESTATE` lists them."),
    ],
)
def test_an_error_says_what_to_do(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, out, err = asked(capsys, *words, "-s", ESTATE)
    assert (code, out) == (2, "")
    assert said.replace("ESTATE", ESTATE) in err


@pytest.mark.parametrize("master", ["nonsense", "local[x]", "spark:", ""])
def test_a_master_that_spark_does_not_know_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, master: str
) -> None:
    target = tmp_path / "made"
    code, _, err = asked(capsys, "import", ESTATE, "-o", str(target), "--master", master)
    assert code == 2
    assert f"Invalid value for '--master': {master!r} is not the URL of a Spark master" in err
    assert not target.exists()


def test_an_import_writes_nothing_into_a_folder_of_configuration(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_about = tmp_path / "conf"
    shutil.copytree(ESTATE, asked_about)
    before = sorted(asked_about.rglob("*"))
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(asked_about))
    code, out, err = asked(capsys, "import", ESTATE, "--quiet")
    assert (code, out) == (3, "")
    assert "conf is not a snapshot: it holds other files" in err
    assert "Nothing was written. Name a new folder with -o" in err
    assert sorted(asked_about.rglob("*")) == before


@pytest.mark.parametrize("words", [["--help"], ["import", "--help"]])
def test_help_names_every_product_whose_files_are_read(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    code, out, _ = asked(capsys, *words)
    assert code == 0
    said = " ".join(out.split())
    for name in ("ems", "amq_interconnect", "ibm_mq", "mqe", "sibus"):
        assert registry.title(name) in said
