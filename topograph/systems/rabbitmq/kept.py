"""Exchanges and queues from which nothing leads to another broker: a graph of brokers needs no step
for messages there (``tracing.states.Passage``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from topograph.records import record
from topograph.tracing.states import State, Way


@record
class Kept:
    """A message that stays at its broker: no step inside it that matters, and nothing behind it."""

    inside: Sequence[Way] = ()
    named: Sequence[tuple[str, str]] = ()
    out: Way | None = None
    server: str = ""

    def between(self) -> Sequence[Hashable]:
        """No other state of the server."""
        return ()

    def key(self) -> Hashable:
        """There is no state behind it."""
        raise ValueError("nothing lies behind a message that stays")

    def state(self) -> State:
        """There is no state behind it."""
        raise ValueError("nothing lies behind a message that stays")
