"""The points of a graph while it is made of step functions (``closure``), column by column: most of
them are asked for one by one never again.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from topograph.findings import Source
from topograph.forwarding.points import Ints, Labels, PointColumns
from topograph.outcomes import Confidence
from topograph.tracing.states import Way

_NONE = -1
_SEVERAL = -2


class ClosedPoints:
    """Points so far: ``keys`` and ``states`` by number. What a way says of the points that it leads
    to, and a server of those where messages begin, is kept once for all of them."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.states: list[str] = []
        self._kinds: dict[str, int] = {}
        self._kind, self._server = array("i"), array("i")
        self._link, self._previous = array("i"), array("i")
        self._guards = array("i")
        self._guard_values = array("i")
        self._said: list[tuple[Source, Way | None]] = []
        self._numbers: dict[tuple[int, int], int] = {}
        self._says = array("i")

    def __len__(self) -> int:
        return len(self.keys)

    def begin(self, key: str, kind: str, server: int, source: Source, state: str = "") -> None:
        """Adds a point where messages begin."""
        self.begin_all((key,), kind, server, source, (state,))

    def begin_all(
        self,
        keys: Sequence[str],
        kind: str,
        server: int,
        source: Source,
        states: Iterable[str],
    ) -> None:
        """Adds points where messages begin at one server. Linear."""
        count = len(keys)
        self.keys.extend(keys)
        self.states.extend(states)
        self._kind.extend([self._kinds.setdefault(kind, len(self._kinds))] * count)
        self._server.extend([server] * count)
        self._link.extend([_NONE] * count)
        self._previous.extend([_NONE] * count)
        self._guards.extend([0] * count)
        self._says.extend([self._number(source, None)] * count)

    def arrival(
        self,
        key: str,
        server: int,
        came: tuple[int, int],
        way: Way,
        guards: tuple[int, ...],
        state: str,
    ) -> int:
        """Adds one that messages get to, by link and from server ``came``, and gives its
        number."""
        self.keys.append(key)
        self.states.append(state)
        self._kind.append(self._kinds.setdefault("arrival", len(self._kinds)))
        self._server.append(server)
        self._link.append(came[0])
        self._previous.append(came[1])
        self._guards.append(len(guards))
        self._guard_values.extend(guards)
        self._says.append(self._number(way.source, way))
        return len(self.keys) - 1

    def _number(self, source: Source, way: Way | None) -> int:
        """The number of what is said of a point. ``_said`` keeps both, so that no other object gets
        the place in memory of either."""
        key = id(source), id(way)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._said)
            self._said.append((source, way))
        return number

    def enter(self, number: int, link: int, previous: int) -> None:
        """Notes that messages get to a point over a link: one that they get to over several is
        that of none of them."""
        if (self._link[number], self._previous[number]) != (link, previous):
            self._link[number] = self._previous[number] = _SEVERAL

    def columns(self) -> PointColumns:
        """All of them. Linear."""
        count = len(self.keys)
        says = np.array(self._says, np.int32)
        sources = [source for source, _ in self._said]
        ways = [way for _, way in self._said]

        def numbers(values: Iterable[int]) -> Ints:
            return np.fromiter(values, np.int32, len(sources))[says]

        def labels(values: Iterable[str]) -> Labels:
            """In the order in which the points have them, which is that of what is said."""
            known = Labels.of(values, len(sources))
            return Labels(known.codes[says], known.values)

        def of_way(get: Callable[[Way], str], otherwise: str = "") -> Labels:
            return labels(get(one) if one else otherwise for one in ways)

        guard_starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.array(self._guards, np.int64), out=guard_starts[1:])
        nothing = Labels(np.zeros(count, np.int32), ("",) if count else ())
        return PointColumns(
            key=self.keys,
            kind=Labels(np.array(self._kind, np.int32), tuple(self._kinds)),
            server=np.array(self._server, np.int32),
            previous=np.maximum(np.array(self._previous, np.int32), _NONE),
            target=np.full(count, _NONE, np.int32),
            link=np.maximum(np.array(self._link, np.int32), _NONE),
            zone=of_way(lambda way: way.zone),
            zone_type=nothing,
            cost=numbers((one.cost or 0) if one else 0 for one in ways),
            guard_starts=guard_starts,
            guard_values=np.array(self._guard_values, np.int32),
            rule=of_way(lambda way: way.rule),
            confidence=of_way(lambda way: way.confidence.value, Confidence.H.value),
            configured_by=nothing,
            file=labels(one.file for one in sources),
            line=numbers(one.line for one in sources),
            column=numbers(one.column for one in sources),
            state=Labels.of(self.states, count),
        )
