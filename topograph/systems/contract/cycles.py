"""What a system answers ``cycles`` with (``System.cycles``). Loaded by that question alone, as
are ``names`` and ``failures`` by theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.simple import Path
from topograph.records import record

if TYPE_CHECKING:
    from topograph.forwarding.graph import Closed, ForwardingGraph
    from topograph.forwarding.walker import Walker
    from topograph.tracing.circling import Circling


@record
class CyclicPart:
    """A part of the network that holds a cycle which the system's rule looks at; ``legal`` if
    the rule accepts it, None if the budget ended before that was known. ``links`` are rows of
    the links table."""

    servers: tuple[int, ...]
    links: frozenset[int]
    legal: bool | None


@record
class DoubledName:
    """``server`` holds the name of ``owner`` over the neighbours ``via``; one shortest path
    (points) a neighbour, from owner to server.
    """

    server: int
    owner: int
    via: tuple[int, ...]
    paths: tuple[Path, ...]


@dataclass
class Duplicates:
    """What was ``found``, by (server, owner); ``complete`` is False where the budget or the limit
    on entries ended the search, so that there may be others.
    """

    found: list[DoubledName]
    complete: bool


class Cycles(Protocol):
    """The rule against more than one path, and what breaks it."""

    def cyclic_parts(self, graph: ForwardingGraph, walker: Walker, /) -> list[CyclicPart]:
        """The parts that need a look, by their first server. Linear in the links, plus one walk
        a server of each such part. A walker that walks ahead is asked for a walk from every
        server."""
        ...

    def duplicates(
        self, graph: ForwardingGraph, walker: Walker, closed: Closed, budget: Budget, limit: int, /
    ) -> Duplicates:
        """Every (server, name) that arrives over two or more neighbours, up to ``limit``
        entries.
        """
        ...


@runtime_checkable
class Circulating(Protocol):
    """An estate that tells which messages come back to where they were
    (``Capabilities.judges_circles``)."""

    def circling(self, budget: Budget, /) -> Iterable[tuple[str, Circling]]:
        """What comes back and what arrives twice, by system, as far as the budget goes."""
        ...


class Redundancy(Protocol):
    """More than one path where the system has nothing against it."""

    def redundant(
        self, graph: ForwardingGraph, /
    ) -> Sequence[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The parts of the network in which every two servers have more than one path: (servers,
        links as ``A-B``), by name.
        """
        ...

    def undecided(self, graph: ForwardingGraph, /) -> Sequence[tuple[str, Source]]:
        """Why the loaded files do not show the whole network, and where: there may then be more
        redundant paths.
        """
        ...
