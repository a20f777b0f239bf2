"""Ctrl-C, and being asked to end (SIGTERM), while something runs that must not be left half done.

Python raises at any instruction, so that an interrupt can be lost: in a callback whose errors are
ignored, or behind another error that its cleaning up brings about. ``remembered`` keeps it. Signals
arrive in the main thread; elsewhere nothing here does anything.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """The process was asked to end: it cleans up as after Ctrl-C."""


_RAISED: dict[int, type[KeyboardInterrupt]] = {
    signal.SIGINT: KeyboardInterrupt,
    signal.SIGTERM: Terminated,
}


_CHAIN = 20
"""Errors of a chain that are looked at."""


def chain(error: BaseException) -> list[BaseException]:
    """An error and those that led to it, the latest first."""
    found: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and len(found) < _CHAIN:
        found.append(at)
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return found


class Interrupts:
    """What arrived while they were remembered."""

    def __init__(self) -> None:
        self._arrived: type[KeyboardInterrupt] | None = None

    def arrive(self, number: int) -> None:
        """Keep the first one."""
        self._arrived = self._arrived or _RAISED[number]

    def check(self) -> None:
        """Raise what arrived, if anything did."""
        if self._arrived is not None:
            raise self._arrived


def clean_up_when_terminated() -> None:
    """From now on SIGTERM raises ``Terminated`` in this process."""
    signal.signal(signal.SIGTERM, _raise)


@contextlib.contextmanager
def remembered() -> Iterator[Interrupts]:
    """Within the block interrupts are raised at once, and can be asked for later on."""
    found = Interrupts()

    def raise_at_once(number: int, _: FrameType | None) -> NoReturn:
        found.arrive(number)
        raise _RAISED[number]

    with _handled(raise_at_once):
        yield found


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Interrupts that arrive within the block are raised at its end."""
    found = Interrupts()
    with _handled(lambda number, _: found.arrive(number)):
        yield
    found.check()


@contextlib.contextmanager
def restored() -> Iterator[None]:
    """Put the handlers back at the end that are in force now: libraries set their own."""
    with _handled(None):
        yield


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], object] | None) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # SIGTERM ends a process at once unless it was told otherwise; that is for the program to
    # decide, not for a library.
    own = [signal.SIGINT, *([signal.SIGTERM] if _is_ours(signal.SIGTERM) else [])]
    before = {number: signal.getsignal(number) for number in own}
    try:
        if handler is not None:
            for number in own:
                signal.signal(number, handler)
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _is_ours(number: int) -> bool:
    return getattr(signal.getsignal(number), "__module__", "") == __name__


def _raise(number: int, _: FrameType | None) -> NoReturn:
    raise _RAISED[number]
