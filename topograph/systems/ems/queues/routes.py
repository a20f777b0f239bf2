"""The direct routes that messages to queues take (R1, R18, R53, R105)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import OPEN, ForwardingGraph
from topograph.forwarding.points import Point
from topograph.records import record
from topograph.systems.contract.system import Failure
from topograph.systems.ems.destinations import guards
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.network.doubt import cut_off
from topograph.tracing.assumptions import positions_of

_OF_TOPICS = ("A9", "A16")
"""Positions on a link that say nothing of queues: on its zone (R18), and on its selectors."""


@record(slots=False)
class QueueRoute:
    """Whether messages to queues go from one server straight to another. ``down`` says why they
    do not now and ``rule`` by which rule, ``unknown`` why that is not known; ``until`` says when
    they do again."""

    source: Source
    point: Point | None = None
    down: str = ""
    held: str = ""
    unknown: str = ""
    rule: str = "R105"
    until: str = ""

    @property
    def waits(self) -> bool:
        """Whether what goes this way is stored, whatever it is: the route is suspended (R53)."""
        return self.rule == guards.SUSPENDED


class QueueRoutes:
    """The routes of one network as queues use them; ``out`` is what has failed (R105)."""

    def __init__(self, graph: ForwardingGraph, out: Failure) -> None:
        self._graph, self._out = graph, out

    @cached_property
    def _cut_off(self) -> dict[int, tuple[str, Source]]:
        return cut_off(self._graph)

    def between(self, start: str, end: str) -> QueueRoute:
        """The route between two servers, whichever side configured it (R1)."""
        graph = self._graph
        numbers = graph.server_number[start], graph.server_number[end]
        own = [
            graph.points[n]
            for n in graph.points_of_server[numbers[1]]
            if graph.points[n].previous == numbers[0]
        ]
        if not own:
            unseen = next(
                (graph.servers[number] for number in numbers if graph.servers[number].open_ended),
                None,
            )
            where = graph.servers[numbers[0]].source
            if unseen is None or any(number in self._cut_off for number in numbers):
                return QueueRoute(where)
            return QueueRoute(
                unseen.source,
                unknown=(
                    f"{unseen.name} may have a route to the other server that the loaded "
                    "files do not show"
                ),
            )
        point = own[0]
        said = [graph.guards[number] for number in point.guards]
        unsure = next((guard for guard in said if guard.kind == OPEN), None)
        if unsure is not None:
            return QueueRoute(unsure.source, unknown=unsure.text)
        down, held, source, rule, until = "", "", point.source, "R105", f"the route to {end} is up"
        place = self._suspended(point)
        if place is not None:
            down, held, source, rule = (
                f"the route to {end} is suspended",
                "route suspended",
                place,
                guards.SUSPENDED,
            )
            until = f"the route to {end} is resumed at {start}"
        stopped = next((guard for guard in said if guard.kind == "link"), None)
        if stopped is not None:
            down, held, source, rule = stopped.text, "route to home down", stopped.source, "R105"
        for server in (start, end):
            disabled = self._cut_off.get(graph.server_number[server])
            if server in self._out.servers:
                down, held, rule = (
                    f"{server} is down",
                    "home down" if server == end else "route to home down",
                    "R105",
                )
            elif disabled is not None:
                (down, source), held, rule = disabled, "route to home down", "R105"
        if frozenset((start, end)) in self._out.links:
            down, held, rule = (
                f"the route between {start} and {end} is down",
                "route to home down",
                "R105",
            )
        return QueueRoute(source, point, down, held, rule=rule, until=until)

    def _suspended(self, point: Point) -> Source | None:
        """Where it stands that the route into a point is suspended; None where it is not."""
        return next(
            (self._suspensions[guard] for guard in point.guards if guard in self._suspensions), None
        )

    @cached_property
    def _suspensions(self) -> Mapping[int, Source]:
        return suspensions(self._graph)

    def rests_on(self, route: QueueRoute) -> Sequence[Assumption]:
        """The positions on a link that say something of queues: not those on its zone (R18) and
        its selectors.
        """
        assert route.point is not None
        return [
            one
            for one in positions_of(self._graph, route.point.guards)
            if one.rule not in _OF_TOPICS
        ]
