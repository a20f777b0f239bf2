"""A text where a file could be named: too long for a path, or with a character that none has."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.errors import InputError
from topograph.files import names_file

LONG = "x" * 5_000


@pytest.mark.parametrize("text", [LONG, "a\0b", "no-such-file"])
def test_what_can_be_no_path_names_no_file(text: str) -> None:
    assert not names_file(text)


def test_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("", encoding="utf-8")
    assert names_file(str(tmp_path / "a"))
    assert not names_file(str(tmp_path))


def ems(tmp_path: Path) -> Path:
    (tmp_path / "tibemsd.conf").write_text("server = A\ntopics = topics.conf\n", encoding="utf-8")
    (tmp_path / "topics.conf").write_text("t\n", encoding="utf-8")
    return tmp_path


def test_a_script_of_one_long_line_is_a_script(tmp_path: Path) -> None:
    answer = topograph.read(ems(tmp_path)).within(None).audit(f"create topic {LONG}", at="A")
    assert len(answer.steps) == 1


@pytest.mark.parametrize(
    "words",
    [("audit", "--change", f"A={LONG}"), ("interests", "--observed", LONG)],
    ids=["audit", "interests"],
)
def test_a_long_text_for_a_file_is_an_input_that_cannot_be_read(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code([*words, "-s", str(ems(tmp_path))]) == 3
    assert "Internal" not in capsys.readouterr().err


def test_a_change_that_is_no_file_is_not_read(tmp_path: Path) -> None:
    with pytest.raises((InputError, OSError)):
        topograph.read(ems(tmp_path)).within(None).audit(tmp_path / "none", at="A")
