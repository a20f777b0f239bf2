"""The points of a graph while it is made of step functions (``closure``), column by column: most of
them are asked for one by one never again.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from topograph.findings import Source
from topograph.forwarding.points import Ints, Labels, PointColumns
from topograph.outcomes import Confidence
from topograph.tracing.states import Way

_NONE = -1
_SEVERAL = -2


class ClosedPoints:
    """Points so far: ``keys`` and ``states`` by number."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.states: list[str] = []
        self._kinds: list[str] = []
        self._servers: list[int] = []
        self._sources: list[Source] = []
        self._links: list[int] = []
        self._previous: list[int] = []
        self._guards: list[tuple[int, ...]] = []
        self._ways: list[Way | None] = []

    def __len__(self) -> int:
        return len(self.keys)

    def begin(self, key: str, kind: str, server: int, source: Source, state: str = "") -> int:
        """Adds a point where messages begin, and gives its number."""
        self.keys.append(key)
        self.states.append(state)
        self._kinds.append(kind)
        self._servers.append(server)
        self._sources.append(source)
        self._links.append(_NONE)
        self._previous.append(_NONE)
        self._guards.append(())
        self._ways.append(None)
        return len(self.keys) - 1

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
        number = self.begin(key, "arrival", server, way.source, state)
        self._links[number], self._previous[number] = came
        self._guards[number], self._ways[number] = guards, way
        return number

    def enter(self, number: int, link: int, previous: int) -> None:
        """Notes that messages get to a point over a link: one that they get to over several is
        that of none of them."""
        if (self._links[number], self._previous[number]) != (link, previous):
            self._links[number] = self._previous[number] = _SEVERAL

    def columns(self) -> PointColumns:
        """All of them. Linear."""
        count = len(self.keys)

        def numbers(values: Iterable[int]) -> Ints:
            return np.fromiter(values, np.int32, count)

        def labels(values: Iterable[str]) -> Labels:
            return Labels.of(values, count)

        guard_starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.fromiter(map(len, self._guards), np.int64, count), out=guard_starts[1:])
        nothing = Labels(np.zeros(count, np.int32), ("",) if count else ())
        ways = self._ways
        return PointColumns(
            key=self.keys,
            kind=labels(self._kinds),
            server=numbers(self._servers),
            previous=np.maximum(numbers(self._previous), _NONE),
            target=np.full(count, _NONE, np.int32),
            link=np.maximum(numbers(self._links), _NONE),
            zone=labels(one.zone if one else "" for one in ways),
            zone_type=nothing,
            cost=numbers((one.cost or 0) if one else 0 for one in ways),
            guard_starts=guard_starts,
            guard_values=np.fromiter((one for own in self._guards for one in own), np.int32),
            rule=labels(one.rule if one else "" for one in ways),
            confidence=labels((one.confidence if one else Confidence.H).value for one in ways),
            configured_by=nothing,
            file=labels(one.file for one in self._sources),
            line=numbers(one.line for one in self._sources),
            column=numbers(one.column for one in self._sources),
            state=labels(self.states),
        )
