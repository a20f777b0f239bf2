"""Work in a process of its own beside this one, on what this one holds in memory."""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Forked(Generic[T]):
    """What a function gives that a child of this process runs: it begins with the memory of this
    one, so that nothing is read or sent to it, and its result is sent back.

    The function must neither start threads nor wait for those of this process, which the child does
    not have."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._reading, writing = os.pipe()
        self._child = os.fork()
        if not self._child:
            os.close(self._reading)  # so that writing fails once nobody reads
            _run(work, writing)
        os.close(writing)

    def result(self) -> T:
        """The result, waited for. A child that failed, or was ended, is done without: this process
        runs the function then, and raises what it raises."""
        with os.fdopen(self._reading, "rb") as results:
            sent = results.read()
        self._reading = -1
        _, status = os.waitpid(self._child, 0)
        if status:
            return self._work()
        found: T = pickle.loads(sent)  # noqa: S301  (what the child of this process wrote)
        return found

    def end(self) -> None:
        """Do without a result that nobody has waited for."""
        if self._reading >= 0:
            os.close(self._reading)  # the child fails to write, and ends
            self._reading = -1
            os.waitpid(self._child, 0)


def _run(work: Callable[[], object], writing: int) -> None:
    """Run the function in the child, send its result, and end the child; never returns."""
    status = 1
    try:
        data = memoryview(pickle.dumps(work(), pickle.HIGHEST_PROTOCOL))
        while data:
            data = data[os.write(writing, data) :]
        status = 0
    finally:
        os._exit(status)  # nothing of the process that it was forked from is tidied up twice


@contextlib.contextmanager
def forked(work: Callable[[], T]) -> Iterator[Forked[T]]:
    """Run a function beside the block; its result is there to be waited for in it."""
    running = Forked(work)
    try:
        yield running
    finally:
        running.end()
