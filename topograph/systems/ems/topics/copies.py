"""A message, or the copy that a bridge makes of it, at the place where it begins (R110)."""

from __future__ import annotations

from dataclasses import replace

from topograph.message import DestinationName, Message
from topograph.records import record


@record(slots=False)
class Copy:
    """What is sent at a server (number), and the branch that begins with it; the message itself,
    or the copy that a bridge makes there. ``before`` are the places of the copies that it comes
    from, ``times`` how often the server has what it is a copy of."""

    start: int
    message: Message
    branch: int
    bridged: bool = False
    before: frozenset[tuple[int, str]] = frozenset()
    times: int = 1

    @property
    def place(self) -> tuple[int, str]:
        """Where it begins: server and destination."""
        return self.start, str(self.message.destination)

    def bridged_to(self, at: int, target: str, branch: int, times: int = 1) -> Copy:
        """The copy that a bridge at a server makes of it on ``TYPE:NAME``, where the server has
        it ``times``.
        """
        type_, _, name = target.partition(":")
        before = self.before | {self.place} if self.bridged else self.before
        message = replace(self.message, destination=DestinationName(type_, name), user="")
        return Copy(at, message, branch, True, before, self.times * times)

    @property
    def about(self) -> str:
        """What an answer calls it beside the message itself."""
        return str(self.message.destination) if self.bridged else ""
