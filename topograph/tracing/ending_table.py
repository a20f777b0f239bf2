"""Endings as bits of sets, and how two sets of them compare: one table for all configurations whose
messages are compared (``endings.SharedEndings``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np

from topograph.records import record
from topograph.tracing.comparison import EndingAt, OutcomeComparison, waiting

FEW = 64
"""Bits that are taken from a set one by one; of more, all at once."""

MOST_SORTED = 1_024
"""Sets of endings that are kept in their order: many messages come to the same ones."""


@record
class Ends:
    """What a state comes to, as sets of bits: the endings that are possible, those of them that
    are certain, and the servers that take the message, now or later. ``held``: the message is
    held before it leaves the branch it is on."""

    possible: int = 0
    certain: int = 0
    taking: int = 0
    held: bool = False

    def same(self, other: Ends) -> bool:
        """Whether messages end alike: the same endings, and the same ones for certain."""
        return self.possible == other.possible and self.certain == other.certain


@dataclass
class EndingTable:
    """The bit of each ending, and of each server that takes messages."""

    endings: list[EndingAt] = field(default_factory=list)
    servers: list[str] = field(default_factory=list)
    _numbers: dict[EndingAt, int] = field(default_factory=dict)
    _of_outcome: dict[str, list[int]] = field(default_factory=dict)
    _alike: dict[EndingAt, list[int]] = field(default_factory=dict)
    _alike_until: int = 0
    _server_bits: dict[str, int] = field(default_factory=dict)
    _ranks: Sequence[int] = ()
    _sorted: dict[int, tuple[EndingAt, ...]] = field(default_factory=dict)

    def bit(self, ending: EndingAt) -> int:
        """The bit of an ending, which is noted if it is new."""
        number = self._numbers.get(ending)
        if number is None:
            number = self._numbers[ending] = len(self.endings)
            self._of_outcome.setdefault(ending.outcome, []).append(number)
            self.endings.append(ending)
        return 1 << number

    def take(self, server: str) -> int:
        """The bit of a server that takes messages, which is noted if it is new."""
        if server not in self._server_bits:
            self._server_bits[server] = 1 << len(self.servers)
            self.servers.append(server)
        return self._server_bits[server]

    def of_outcomes(self, outcomes: Collection[str]) -> int:
        """The endings with one of some outcomes (``EndingAt.outcome``)."""
        found = 0
        for outcome in outcomes:
            for number in self._of_outcome.get(outcome, ()):
                found |= 1 << number
        return found

    def holds(self, ending: EndingAt, bits: int) -> bool:
        """Whether an ending is in a set of bits."""
        number = self._numbers.get(ending)
        return number is not None and bool(bits >> number & 1)

    def named(self, bits: int) -> Iterator[EndingAt]:
        """The endings of a set of bits."""
        return map(self.endings.__getitem__, numbers(bits))

    def sorted(self, bits: int) -> tuple[EndingAt, ...]:
        """The same in their order; of equal sets the very same ones. O(n log n)."""
        if bits not in self._sorted:
            if len(self._ranks) != len(self.endings):
                every = sorted(range(len(self.endings)), key=lambda one: _order(self.endings[one]))
                self._ranks = np.argsort(np.array(every, np.int64)).tolist()
            if len(self._sorted) >= MOST_SORTED:
                self._sorted.clear()
            own = sorted(numbers(bits), key=self._ranks.__getitem__)
            self._sorted[bits] = tuple(map(self.endings.__getitem__, own))
        return self._sorted[bits]

    def taken_by(self, bits: int) -> Iterator[str]:
        """The servers of a set of bits (``Ends.taking``)."""
        return map(self.servers.__getitem__, numbers(bits))

    def server_bit(self, server: str) -> int:
        """The bit of a server that takes messages."""
        return self._server_bits[server]

    def compared(self, before: Ends, after: Ends) -> OutcomeComparison:
        """The endings that two results do not share (``comparison.compare``). Linear in these."""
        both = before.possible & after.possible

        gained = after.possible & ~before.possible
        stronger = both & after.certain & ~before.certain
        return OutcomeComparison(
            gained=self.sorted(gained),
            lost=self.sorted(before.possible & ~after.possible),
            weaker=self.sorted(both & before.certain & ~after.certain),
            stronger=self.sorted(stronger),
            exact=True,
            waits_at=waiting(self.named((gained | stronger) & after.certain)),
        )

    def compared_as_told(self, before: Ends, after: Ends) -> OutcomeComparison:
        """The same where two endings are one that people are told of in the same words."""
        gained = self._only(after.possible, before.possible)
        lost = self._only(before.possible, after.possible)
        stronger = self._only(after.certain, before.certain).keys() - gained.keys()
        weaker = self._only(before.certain, after.certain).keys() - lost.keys()
        certain = [one for one in (*gained, *stronger) if self._is_in(one, after.certain)]
        return OutcomeComparison(
            gained=tuple(sorted(gained)),
            lost=tuple(sorted(lost)),
            weaker=tuple(sorted(weaker)),
            stronger=tuple(sorted(stronger)),
            exact=True,
            waits_at=waiting(certain),
        )

    def _only(self, bits: int, others: int) -> dict[EndingAt, None]:
        """The endings of a set, as they are told, of which none told alike is in the other."""
        told = dict.fromkeys(_as_told(one) for one in self.named(bits & ~others))
        return {one: None for one in told if not self._is_in(one, others)}

    def _is_in(self, told: EndingAt, bits: int) -> bool:
        """Whether an ending that is told so is in a set."""
        for number in range(self._alike_until, len(self.endings)):
            self._alike.setdefault(_as_told(self.endings[number]), []).append(number)
        self._alike_until = len(self.endings)
        return any(bits >> number & 1 for number in self._alike[told])


_order = attrgetter("system", "server", "destination", "outcome")


def numbers(bits: int) -> Sequence[int]:
    """The numbers of the bits of a set, from the lowest on. Linear in its length."""
    if bits.bit_count() > FEW:
        octets = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def _as_told(ending: EndingAt) -> EndingAt:
    return EndingAt(ending.system, ending.server, "", ending.outcome)
