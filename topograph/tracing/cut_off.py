"""Who no longer takes messages, and which messages end otherwise, by every one of many failures at
once.

A failure breaks states: messages that get to one of them stay there. So it cuts a sender off from
a server if it breaks a state on each way there, and another failure may break the same states. Sets
of failures are bits. What cuts states off from servers is worked out from the last states to the
first: over a way all that breaks it, or breaks it behind; where ways part, what breaks each of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topograph.records import record
from topograph.tracing.ending_nodes import Ways
from topograph.tracing.ending_table import numbers

Words = NDArray[np.uint64]
"""Rows of bits, 64 a word."""

MOST_REACHED = 4_096
"""Beginnings whose failures are counted together."""


@record
class Sender:
    """Messages of one server, by the numbers of the states in which they begin, each once.
    ``place`` is its own number among the servers that take messages (-1: none), ``gone`` are the
    failures in which it fails itself."""

    begins: Sequence[int]
    place: int
    gone: int


@record(eq=False)
class _Cut:
    """Servers that take messages, in their order, each with the failures that cut it off."""

    servers: NDArray[np.intp]
    failures: Words


_Beyond = tuple[_Cut, int]
"""What a state leads to, and the failures that break a way that many states share."""


@dataclass
class CutOff:
    """Counts of ``failures`` failures: the ordered pairs of a sender and a server that each cuts
    off (``pairs``), and the messages that get to a state which it breaks (``messages``).

    ``broken`` has by state the failures that break it, ``gone`` by server that takes messages those
    in which it fails itself: such pairs are not counted. Linear in the ways, and in the servers
    behind the states at which ways part, by 64 failures."""

    ways: Ways
    failures: int
    broken: Mapping[int, int]
    gone: Sequence[int]
    _of_takers: dict[int, _Cut | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._words = -(-self.failures // 64)
        self._gone = np.stack([self._row(one) for one in self.gone] or [self._row(0)])
        self._waiting: list[int] = []
        self._pairs = np.zeros(64 * self._words, np.int64)
        self._messages = np.zeros(64 * self._words, np.int64)

    def count(self, senders: Iterable[Sender], check: Callable[[], None]) -> None:
        """Count those of some senders, of which no two begin in one state; ``check`` is called now
        and then, and may raise."""
        of_begin: dict[int, Sender] = {}
        left: dict[int, int] = {}
        for sender in senders:
            of_begin |= dict.fromkeys(sender.begins, sender)
            left[id(sender)] = len(sender.begins)
        following = [0] * len(self.ways.onward)
        for onward in self.ways.onward:
            for to in onward:
                following[to] += 1
        beyond: dict[int, _Beyond] = {}
        reaching: dict[int, int] = {}
        for done, number in enumerate(self.ways.last_first):
            if not done % MOST_REACHED:
                check()
            onward = self.ways.onward[number]
            self._go_on(number, beyond, reaching)
            for to in onward:
                following[to] -= 1
                if not following[to] and to not in of_begin:
                    # Each of very many states is needed only by those before it.
                    beyond.pop(to, None)
                    reaching.pop(to, None)
            if (begun := of_begin.get(number)) is not None:
                left[id(begun)] -= 1
                if not left[id(begun)]:
                    self._add(begun, beyond, reaching)
                    for begin in begun.begins:
                        if not following[begin]:
                            beyond.pop(begin, None)
        self._add_messages()

    @property
    def pairs(self) -> Sequence[int]:
        """By failure, the pairs that it cuts off."""
        return list(map(int, self._pairs[: self.failures]))

    @property
    def messages(self) -> Sequence[int]:
        """By failure, the messages that get to a state which it breaks."""
        return list(map(int, self._messages[: self.failures]))

    def _go_on(self, number: int, beyond: dict[int, _Beyond], reaching: dict[int, int]) -> None:
        """What a state leads to, and the failures that messages in it may meet."""
        onward, taking = self.ways.onward[number], self.ways.taking[number]
        broken = self.broken.get(number, 0)
        meets = broken
        for to in onward:
            meets |= reaching.get(to, 0)
        if meets:
            reaching[number] = meets
        parts = {(id(one[0]), one[1]): one for to in onward if (one := beyond.get(to))}
        if (own := self._takers(taking)) is not None:
            parts[id(own), 0] = own, 0
        if len(parts) == 1:
            ((there, bits),) = parts.values()
            beyond[number] = there, bits | broken
        elif parts:
            beyond[number] = self._together(list(parts.values())), broken

    def _takers(self, taking: int) -> _Cut | None:
        if taking not in self._of_takers:
            found = np.array(numbers(taking), np.intp)
            none = np.zeros((len(found), self._words), np.uint64)
            self._of_takers[taking] = _Cut(found, none) if taking else None
        return self._of_takers[taking]

    def _together(self, parts: Sequence[_Beyond]) -> _Cut:
        """What several ways lead to: a server is cut off by what cuts it off on each of them."""
        servers = np.concatenate([one.servers for one, _ in parts])
        failures = np.concatenate(
            [one.failures | self._row(bits) if bits else one.failures for one, bits in parts]
        )
        order = np.argsort(servers, kind="stable")
        servers = servers[order]
        starts = np.flatnonzero(np.diff(servers, prepend=-1))
        return _Cut(servers[starts], np.bitwise_and.reduceat(failures[order], starts, axis=0))

    def _add(
        self, sender: Sender, beyond: Mapping[int, _Beyond], reaching: Mapping[int, int]
    ) -> None:
        """Count the pairs and messages of a sender."""
        self._waiting += [
            bits for one in sender.begins if (bits := reaching.get(one, 0) & ~sender.gone)
        ]
        if len(self._waiting) >= MOST_REACHED:
            self._add_messages()
        parts = {(id(one[0]), one[1]): one for at in sender.begins if (one := beyond.get(at))}
        if parts:
            found = self._together(list(parts.values()))
            others = found.servers != sender.place
            cut = found.failures[others] & ~self._gone[found.servers[others]]
            self._pairs += _counts(cut & ~self._row(sender.gone))

    def _add_messages(self) -> None:
        if self._waiting:
            self._messages += _counts(np.stack([self._row(one) for one in self._waiting]))
        self._waiting = []

    def _row(self, bits: int) -> Words:
        return np.frombuffer(bits.to_bytes(8 * self._words, "little"), np.uint64)


def _counts(rows: Words) -> NDArray[np.int64]:
    """How many rows have each bit: rows are added two by two as numbers of more and more bits, of
    which each array holds one for all 64 places of a word. Linear in the words."""
    found = np.zeros(64 * rows.shape[1], np.int64)
    digits = [rows]
    while digits[0].shape[0] > 1:
        half, odd = divmod(digits[0].shape[0], 2)
        if odd:
            found += _values([one[-1:] for one in digits])
        digits = _sum([one[:half] for one in digits], [one[half : 2 * half] for one in digits])
    return found + _values(digits) if len(rows) else found


def _sum(some: Sequence[Words], others: Sequence[Words]) -> list[Words]:
    """The sums of numbers, the lowest bit first."""
    found, carry = [some[0] ^ others[0]], some[0] & others[0]
    for one, other in zip(some[1:], others[1:], strict=True):
        differs = one ^ other
        found.append(differs ^ carry)
        carry = (one & other) | (differs & carry)
    return [*found, carry]


def _values(digits: Sequence[Words]) -> NDArray[np.int64]:
    """The numbers of one row, by place."""
    found = np.zeros(64 * digits[0].shape[1], np.int64)
    for place, one in enumerate(digits):
        octets = np.ascontiguousarray(one[0]).view(np.uint8)
        found += np.unpackbits(octets, bitorder="little").astype(np.int64) << place
    return found
