"""Which servers take messages, by how these end: worked out once for the endings that many messages
share.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.systems.contract.system import Failure
from topograph.tracing.comparison import EndingAt
from topograph.tracing.ending_table import EndingTable
from topograph.tracing.outcomes import TAKEN
from topograph.tracing.states import State


@dataclass
class Taking:
    """What endings say, and of who takes messages; kept for those that many messages come to."""

    _places: dict[int, tuple[Sequence[EndingAt], dict[tuple[str, str], None]]] = field(
        default_factory=dict
    )
    _told: dict[int, tuple[Sequence[EndingAt], tuple[str, ...]]] = field(default_factory=dict)

    def of(self, endings: Sequence[EndingAt]) -> Collection[tuple[str, str]]:
        """The servers, each after its system, that take messages, in the order of the endings."""
        found = self._places.get(id(endings))
        if found is None:
            own = dict.fromkeys((one.system, one.server) for one in endings if _taken(one))
            found = self._places[id(endings)] = endings, own
        return found[1]

    def told(self, endings: Sequence[EndingAt], others: Sequence[EndingAt]) -> tuple[str, ...]:
        """Endings in words, each once."""
        first = self._told_of(endings)
        return tuple(dict.fromkeys((*first, *self._told_of(others)))) if others else first

    def _told_of(self, endings: Sequence[EndingAt]) -> tuple[str, ...]:
        found = self._told.get(id(endings))
        if found is None:
            own = tuple(dict.fromkeys(map(in_words, endings)))
            found = self._told[id(endings)] = endings, own
        return found[1]

    def others(self, endings: Sequence[EndingAt]) -> str:
        """How else messages end, in words."""
        return " or ".join(sorted({_word(one) for one in endings if not _taken(one)}))


@dataclass
class Separated:
    """Which servers a failure separates from others, by the endings that messages lose; many lose
    the same ones."""

    table: EndingTable
    failure: Failure
    _takers: dict[int, Mapping[tuple[str, str], int]] = field(default_factory=dict)

    def bits(self, lost: int, gained: int, begin: tuple[str, State]) -> int:
        """The other living servers that took a message before and do not take it afterwards."""
        there = self._of(gained)
        start = begin[0], begin[1].server
        found = 0
        for place, bit in self._of(lost).items():
            if place != start and place not in there:
                found |= bit
        return found

    def _of(self, endings: int) -> Mapping[tuple[str, str], int]:
        """The living servers that take messages in some endings, each with its bit."""
        if endings not in self._takers:
            own = {
                (one.system, one.server): self.table.server_bit(one.server)
                for one in self.table.named(endings)
                if _taken(one) and self._lives(one)
            }
            self._takers[endings] = own
        return self._takers[endings]

    def _lives(self, one: EndingAt) -> bool:
        return not (one.server in self.failure.servers and self.failure.system in ("", one.system))


def in_words(one: EndingAt) -> str:
    """An ending, and where it is."""
    return f"{one.outcome} at {one.server}" if one.server else one.outcome


def _word(one: EndingAt) -> str:
    return one.outcome.partition("(")[0]


def _taken(one: EndingAt) -> bool:
    return _word(one) in _TAKEN


_TAKEN = frozenset(map(str, TAKEN))
