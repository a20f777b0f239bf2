"""All that following a message to a topic can show of a change, where the rows of both graphs
decide that alone.

A subscriber gets a message where the message gets to its server (R40, R41): with everything loaded,
the same subscribers on both sides and no bridge in the way, deliveries differ at servers whose
entries in the rows differ, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property

from topograph.facts.ems import EmsRoute
from topograph.findings import Source
from topograph.forwarding.graph import WAITS, ForwardingGraph
from topograph.forwarding.row_differences import numbers_of
from topograph.systems.contract.changes import AtMost, AtMostOf, Known, nothing_known
from topograph.systems.contract.system import Change
from topograph.systems.ems.changes.publishers import Pairs
from topograph.systems.ems.destinations.guard_index import Verdicts
from topograph.systems.ems.destinations.subscribers import Facts, Subscriber, subscribers
from topograph.systems.ems.destinations.topics import is_temporary


class Effects:
    """What messages can show of one change. Linear in the servers, and for each topic as
    ``subscribers``."""

    def __init__(
        self,
        graphs: tuple[ForwardingGraph, ForwardingGraph],
        change: Change,
        known: Known,
    ) -> None:
        self._graphs, self._change, self._known = graphs, change, known
        self._takers: dict[str, frozenset[str] | None] = {}

    @cached_property
    def _routes_alone(self) -> bool:
        """Whether routes are all that changes, and nothing of the network is left open."""
        facts = (*self._change.added, *self._change.removed)
        return all(isinstance(fact, EmsRoute) for fact in facts) and all(
            not graph.guards_of(WAITS)
            and all(one.loaded and not (one.open_ended or one.incomplete) for one in graph.servers)
            for graph in self._graphs
        )

    def at_most(
        self,
        topic: str,
        verdicts: Sequence[Verdicts],
        rows: tuple[Pairs, Sequence[str]],
        lines: frozenset[Source],
    ) -> AtMostOf:
        """What a message can show, by the server that it is published at: ``rows`` are the pairs
        that differ and the names of their numbers, on a legal network; ``lines`` all that may
        decide about it. Nothing is known where more than rows decides."""
        if is_temporary(topic) or not self._routes_alone or any(one.unknown for one in verdicts):
            return nothing_known
        takers = self._takers_of(topic)
        return nothing_known if takers is None else _OfRows(topic, rows, takers, lines)

    def _takers_of(self, topic: str) -> frozenset[str] | None:
        """The servers with subscribers of a topic; None where these are not the same before and
        after, may be missed by routes (R46), or are bridges."""
        if topic not in self._takers:
            before, after = (
                self._subscribers(facts.facts, graph, topic)
                for facts, graph in zip(
                    (self._known.before, self._known.after), self._graphs, strict=True
                )
            )
            plain = before == after and all(one.reliable and one.bridge is None for one in before)
            self._takers[topic] = frozenset(one.server for one in before) if plain else None
        return self._takers[topic]

    def _subscribers(self, facts: Facts, graph: ForwardingGraph, topic: str) -> list[Subscriber]:
        loaded = {server.name: server.loaded for server in graph.servers}
        return subscribers(facts, loaded, topic, self._known.clients, assume=True)


class _OfRows:
    """See ``Effects.at_most``."""

    def __init__(
        self,
        topic: str,
        rows: tuple[Pairs, Sequence[str]],
        takers: frozenset[str],
        lines: frozenset[Source],
    ) -> None:
        self._destination, self._takers, self._lines = f"topic:{topic}", takers, lines
        self._pairs, self._names = rows

    @cached_property
    def _group_of(self) -> Mapping[str, tuple[bytes, bytes]]:
        return {
            self._names[start]: (differs, opened)
            for differs, opened, starts in self._pairs
            for start in starts
        }

    def __call__(self, start: str, /) -> AtMost | None:
        group = self._group_of.get(start)
        if group is None:
            return None
        differs, opened = ({self._names[one] for one in numbers_of(bits)} for bits in group)
        gained, lost = opened & self._takers, (differs - opened) & self._takers
        return AtMost(self._deliveries(lost), self._deliveries(gained), self._lines)

    def _deliveries(self, servers: Set[str]) -> frozenset[tuple[str, str, str]]:
        return frozenset((server, self._destination, "") for server in servers)
