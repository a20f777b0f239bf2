"""Commands that end with 1 unless something is so: never where nobody can say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from topograph.cli.main import exit_code

EXAMPLES = Path(__file__).parents[2] / "examples"
ESTATE = str(EXAMPLES / "estate")


@pytest.mark.parametrize("expected", ["reachable", "unreachable"])
def test_what_rests_on_a_server_without_files_is_not_as_expected(
    expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["reach", "HQ", "TOKYO", "--expect", expected, "-s", ESTATE]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"Cannot be decided: whether TOKYO is {expected} from HQ: ")


def test_another_answer_is_not_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reach", "HQ", "CANADA", "--expect"]
    assert exit_code([*words, "reachable", "-s", ESTATE]) == 0
    assert exit_code([*words, "unreachable", "-s", ESTATE]) == 1
    assert "Not as expected: CANADA was expected to be unreachable" in capsys.readouterr().err


def test_check_fails_on_what_it_is_told(tmp_path: Path) -> None:
    words = ["check", "-s", ESTATE]
    assert exit_code(words) == 1
    assert exit_code([*words, "--fail-on", "warning"]) == 1
    assert exit_code([*words, "--fail-on", "error"]) == 0


def test_a_file_that_cannot_be_read_never_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "conf"
    shutil.copytree(EXAMPLES / "mhop-star" / "legal", folder)
    words = ["-s", str(folder)]
    assert exit_code(["check", "--fail-on", "error", *words]) == 0
    assert exit_code(["reach", "A", "B", "--expect", "reachable", *words]) == 0
    routes = next(folder.rglob("b/routes.conf"))
    routes.write_bytes(b"\x00\xff\xfe\x81" * 40)
    capsys.readouterr()
    assert exit_code(["check", "--fail-on", "error", *words]) == 1
    for expected in ("reachable", "unreachable"):
        assert exit_code(["reach", "A", "B", "--expect", expected, *words]) == 1
    assert "could not be read" in capsys.readouterr().err
