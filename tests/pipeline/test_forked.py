"""Work in a process of its own beside this one."""

from __future__ import annotations

import os
import signal

import pytest

from topograph.process.forked import Forked, forked

HERE = os.getpid()


def test_the_result_of_a_child_comes_back_whatever_its_size() -> None:
    held = {"n": 3}
    with forked(lambda: (os.getpid(), held, "x" * 2**20)) as running:
        held["n"] = 4  # which the child does not see
        child, found, text = running.result()
    assert child != HERE
    assert (found, len(text)) == ({"n": 3}, 2**20)


def test_what_fails_in_the_child_is_done_here() -> None:
    def work() -> int:
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return HERE

    with forked(work) as running:
        assert running.result() == HERE


def test_an_error_is_raised_where_the_result_is_waited_for() -> None:
    def work() -> int:
        raise KeyError("gone")

    with forked(work) as running, pytest.raises(KeyError, match="gone"):
        running.result()


def test_a_child_whose_result_nobody_wants_is_no_more() -> None:
    running = Forked(lambda: "x" * 2**20)
    child = running._child
    running.end()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
