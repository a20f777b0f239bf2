"""What a system offers: the contract between the systems and everything that uses them, for topograph's own and for those from outside.

``Rules`` makes the graph: the package ``topograph.systems.NAME`` itself, or the module ``rules`` of a package from outside. ``Answering``
is what questions ask of the graph: the module ``answering``. mypy holds topograph's own systems to both, at the end of this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from topograph.facts import Fact
from topograph.findings import Finding
from topograph.forwarding.graph import ForwardingGraph, GraphTables
from topograph.forwarding.reached import LinkShown, PathList, Reached, Stop
from topograph.forwarding.simple import Budget, Path
from topograph.forwarding.walker import Walker
from topograph.side_inputs import SideInputs


class Rules(Protocol):
    """From facts to the graph. Both functions are pure.

    A system in which a rule implies which names each server holds (EMS, R22) also has ``known_names(graph, servers)``, which yields
    (server, name, via, hops), and ``names_are_unique(graph)``; an import then writes the names down."""

    def compile(self, facts: Sequence[Fact], side_inputs: SideInputs, /) -> tuple[GraphTables, tuple[Finding, ...]]:
        """The servers, points and guards of one network, and what was noticed. ``facts`` are those of this system, in any order; equal
        facts give equal tables in whatever order they come. Servers come in name order."""
        ...

    def assemble(self, tables: GraphTables, /) -> ForwardingGraph:
        """The forwarding graph of compiled tables, after a round trip through a snapshot too: ``points`` are then columns."""
        ...


class Answering(Protocol):
    """What ``reach``, ``hops``, ``paths`` and ``show routes`` ask of every system.

    A system may offer more, and a question says so where it does not: ``HAS_COSTS`` (True: steps and paths show their cost), ``DOUBLED`` (rule
    and text of what is said where a server is reached over more than one path), ``cyclic_parts`` and ``duplicates`` or, where more than one
    path is wanted, ``redundant`` (``cycles``), ``names_held`` with ``links_down`` and ``Doubt`` (``interests``), and ``PROPAGATES``
    or ``FOLLOWS``, the types of destination of ``propagate``, with what ``topograph.questions.propagate`` or ``following`` asks for.

    ``start``, ``end`` are server numbers; paths are point numbers, start included. The walker is either engine: a function that only
    walks, and decides on what the walk gives, answers alike on both."""

    def reach_from(self, graph: ForwardingGraph, walker: Walker, start: int, budget: Budget, /) -> Reached:
        """One path to every server that is certainly reached from ``start``, and what the loaded files leave open."""
        ...

    def all_paths(
        self, graph: ForwardingGraph, walker: Walker, start: int, end: int, maximum: int, budget: Budget, /
    ) -> PathList:
        """The permitted paths from one server to another, shortest first, then by server names; at most ``maximum``."""
        ...

    def hop_rows(self, graph: ForwardingGraph, walker: Walker, budget: Budget, /) -> Iterator[Any]:
        """For every server in order an integer array: hops to each server, -1 where not certainly reached, 0 to itself."""
        ...

    def turned(self, graph: ForwardingGraph, path: Path, /) -> Path:
        """The way back along a path. Raises NotApplicable where the system has none."""
        ...

    def stops(self, graph: ForwardingGraph, walker: Walker, reached: Reached, /) -> Sequence[Stop]:
        """The links at which messages from the server asked about end, by rule, and why."""
        ...

    def links(self, graph: ForwardingGraph, /) -> Sequence[LinkShown]:
        """Every link, by the names of its ends."""
        ...


if TYPE_CHECKING:
    from topograph.systems import amq_interconnect, ems
    from topograph.systems.amq_interconnect import answering as amq_interconnect_answering
    from topograph.systems.ems import answering as ems_answering

    _RULES: tuple[Rules, ...] = (amq_interconnect, ems)
    _ANSWERING: tuple[Answering, ...] = (amq_interconnect_answering, ems_answering)
