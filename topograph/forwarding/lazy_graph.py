"""A graph of which points and forwards are read when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.graph import Forward, ForwardingGraph, Guard, Link, Server
from topograph.forwarding.points import Ints, PointColumns
from topograph.records import record


@record(slots=False)
class Rows:
    """Points, the forwards in compressed rows, and what describes each."""

    points: PointColumns
    starts: NDArray[np.int64]
    ends: Ints
    forward_of: Callable[[int, int], Forward]


class LazyGraph(ForwardingGraph):
    """A graph whose rows are read late: a message that goes step by step needs none of them,
    only servers.
    """

    _read: Callable[[], Rows]

    @classmethod
    def of(
        cls,
        system: str,
        servers: Sequence[Server],
        guards: Sequence[Guard],
        links: Sequence[Link],
        read: Callable[[], Rows],
    ) -> LazyGraph:
        """The graph whose points and forwards ``read`` gives."""
        graph = cls.__new__(cls)
        graph.system, graph.servers, graph.guards, graph.links = system, servers, guards, links
        graph.kept = {}
        graph.forward_of = graph._described
        graph._read = read
        return graph

    @cached_property
    def _rows(self) -> Rows:
        return self._read()

    def __getattr__(self, name: str) -> object:
        """What is not there yet."""
        if name not in _LATER:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        self.points, self.starts, self.ends = self._rows.points, self._rows.starts, self._rows.ends
        self.forward_count = len(self.ends)
        return self.__dict__[name]

    def _described(self, start: int, end: int) -> Forward:
        return self._rows.forward_of(start, end)


_LATER = ("points", "starts", "ends", "forward_count")
