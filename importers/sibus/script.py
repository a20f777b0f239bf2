"""What a script comes to: the calls of administrative objects in it, in order, as far as they
can be read without running it.
"""

from __future__ import annotations

from dataclasses import dataclass

from topograph.importers.sibus.admin_words import HOLE, Value
from topograph.records import record

MAX_STEPS = 50_000
"""Statements that are followed in one script: loops over literals repeat theirs."""

TOO_MUCH = "it has too many steps, or blocks in blocks"
"""Why a script is not followed to its end."""

MAX_WORK = 4_000_000
"""Characters and items that all values of a script may have together."""

_LARGEST = 50_000
"""Items that one value may have, its lists' lists included."""


class Work:
    """Counts what the values of a script are made of: a few lines can make a list of lists that
    takes for ever to look through.
    """

    def __init__(self) -> None:
        self.done = 0

    @property
    def spent(self) -> bool:
        """Whether there is more than is followed."""
        return self.done > MAX_WORK

    def bounded(self, value: Value) -> Value:
        """The value; a hole if it is too large."""
        left, stack = _LARGEST, [value]
        while stack:
            each = stack.pop()
            left -= 1
            if isinstance(each, str):
                self.done += 1 + len(each)
            else:
                self.done += 1 + len(each)
                stack.extend(each)
            if left < 0 or len(stack) > _LARGEST:
                return HOLE
        return value


@record
class Call:
    """A call of ``AdminTask`` or ``AdminConfig``. ``arguments`` may have holes. ``certain`` is
    False where the script may or may not come here, or comes here with values that are not
    known; ``why`` says so. ``about`` is what else the call may be about: the text of its
    arguments, for calls that name no bus."""

    object: str
    name: str
    arguments: tuple[Value, ...]
    line: int
    column: int
    certain: bool
    why: str = ""
    about: str = ""


@dataclass(slots=True)
class CallScript:
    """The calls of a script; ``cut`` says why it is not followed to its end, empty if it is.
    ``takes_in`` says that it runs other files, which may make more."""

    calls: list[Call]
    cut: str = ""
    takes_in: bool = False
