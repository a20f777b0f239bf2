"""Progress on a terminal and elsewhere."""

from __future__ import annotations

import io
import time

import pytest

from topograph.cli.live_line import LiveLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(text: str) -> list[str]:
    """What is to be read at the end, if each erased line is gone."""
    return [line.rpartition("\x1b[2K")[2] for line in text.split("\n")]


def test_without_a_terminal_each_stage_is_one_line() -> None:
    stream = io.StringIO()
    with LiveLine(stream) as line:
        line.begin("Reading")
        time.sleep(0.3)
        line.end("Reading: 3 files, 0.3 s")
        line.end("Warning: something")
    assert stream.getvalue() == "Reading: 3 files, 0.3 s\nWarning: something\n"


def test_a_terminal_shows_the_stage_under_way_and_keeps_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with LiveLine(stream) as line:
        line.begin("Reading")
        time.sleep(0.4)
        assert stream.getvalue().endswith("\r\x1b[2KReading ... 0 s")
        line.end("Reading: 3 files, 0.4 s")
        line.begin("Writing")
        line.end("Writing: 0.0 s")
    assert screen(stream.getvalue()) == ["Reading: 3 files, 0.4 s", "Writing: 0.0 s", ""]


def test_an_error_begins_on_an_empty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    line = LiveLine(stream)
    with line:
        line.begin("Reading")
    stream.write("Error: broken\n")
    assert screen(stream.getvalue()) == ["Error: broken", ""]


def test_a_terminal_that_cannot_erase_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    with LiveLine(stream) as line:
        line.begin("Reading")
        line.end("Reading: \x1b[31m")
    assert stream.getvalue().count("\n") == 1
    assert "\x1b" not in stream.getvalue()
