"""From paths (point numbers) to what answers show: server names, zone hops, steps with rule and
source.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np

from topograph.findings import Source
from topograph.forwarding.graph import POSITIONS, STEPPING, ForwardingGraph, Guard
from topograph.forwarding.points import Entered
from topograph.forwarding.reached import Stop
from topograph.forwarding.simple import Path
from topograph.questions.answers import PathFound, ReachedServer, Step, Stopped, ZoneHops
from topograph.questions.model import Part


class PathBook:
    """Describes the paths of one answer. Paths from one server share their beginnings, so each
    step is described once, and a path whose beginning was described goes on from there: an
    answer is linear in the servers reached, plus the steps it lists."""

    def __init__(self, part: Part, *, reply: bool = False) -> None:
        """``reply``: the paths are those of replies, so that steps name only what is asked of
        those.
        """
        self._asks: Callable[[Guard], bool] = lambda guard: guard.kind not in POSITIONS
        if reply:
            self._asks = lambda guard: (
                guard.kind not in POSITIONS and not part.paths.passes_replies(guard)
            )
        self._graph = part.graph
        self._condition = cache(lambda number: part.paths.condition(part.graph.guards[number]))
        self._costs = part.system.capabilities.has_costs
        self._link = link_names(part.graph)
        self._entered: dict[int, Entered] = {}
        self._steps: dict[tuple[int, int], Step] = {}
        self._names: dict[int, str] = {}
        self._told: dict[int, _Told] = {}

    def look_up(self, paths: Iterable[Sequence[int]]) -> None:
        """Look up all points of some paths at once: that takes a fraction of what it takes one by
        one where they are many. Linear in the lengths of the paths."""
        if self._graph.forward_of is None:
            points = np.fromiter(set().union(*paths), np.int64)
            entered = self._graph.columns.entered(points)
            self._entered.update(zip(points.tolist(), entered, strict=True))

    def servers(self, path: Path) -> tuple[str, ...]:
        """The servers along a path, first to last."""
        return tuple(self._name(point) for point in path)

    def steps(self, path: Path) -> tuple[Step, ...]:
        """One step a link, each with the rule that permits it and the configuration line it
        comes from.
        """
        return self._tell(path)[2]

    def zone_hops(self, path: Path) -> tuple[ZoneHops, ...]:
        """Hops inside each zone; the count starts anew where the zone changes (R12, R15). Empty
        where there are no zones.
        """
        return self._tell(path)[3]

    def cost(self, path: Path) -> int | None:
        """The sum of the costs along a path; None where the system has none."""
        return sum(step.cost or 0 for step in self.steps(path)) if self._costs else None

    def reached(self, path: Path) -> ReachedServer:
        """The entry of the last server of a path."""
        _, names, steps, zone_hops = self._tell(path)
        return ReachedServer(
            names[-1],
            len(path) - 1,
            zone_hops,
            names,
            steps,
            self.cost(path),
            self._system_at(path[-1]),
        )

    def found(self, path: Path, *, certain: bool, later: bool) -> PathFound:
        """The entry of a path in the ``paths`` question."""
        _, names, steps, zone_hops = self._tell(path)
        cost = self.cost(path)
        return PathFound(names, len(path) - 1, zone_hops, steps, cost, certain, later)

    def _tell(self, path: Path) -> _Told:
        told = self._told.get(path[-1])
        if told is not None and told[0] == path:
            return told
        before = self._told.get(path[-2]) if len(path) > 1 else None
        if before is not None and before[0] == path[:-1]:
            _, names, steps, zone_hops = before
            step = self.step(path[-2], path[-1])
            told = (path, (*names, step.to), (*steps, step), _one_more(zone_hops, steps, step))
        else:
            steps = tuple(map(self.step, path, path[1:]))
            runs = itertools.groupby(step.zone for step in steps)
            zone_hops = tuple(ZoneHops(zone, len(list(run))) for zone, run in runs if zone)
            told = (path, self.servers(path), steps, zone_hops)
        self._told[path[-1]] = told
        return told

    def _name(self, point: int) -> str:
        name = self._names.get(point)
        if name is None:
            name = self._names[point] = self._graph.servers[
                int(self._graph.point_server[point])
            ].name
        return name

    def step(self, start: int, end: int) -> Step:
        """The step from one point to the next."""
        known = self._steps.get((start, end))
        if known is not None:
            return known
        guards = self._graph.guards
        said = self._entered.get(end) or _said_of(self._graph, start, end)
        step = self._steps[start, end] = Step(
            self._name(start),
            self._name(end),
            "" if self._costs else said.zone,
            said.rule,
            str(said.confidence),
            tuple(dict.fromkeys(self._condition(n) for n in said.guards if self._asks(guards[n]))),
            said.source,
            said.cost if self._costs else None,
            self._system_at(start),
            self._link(start, end),
        )
        return step

    def _system_at(self, point: int) -> str:
        """The system of the server at a point; a graph of several systems has to be asked."""
        graph = self._graph
        return (
            graph.servers[int(graph.point_server[point])].system
            if graph.system == STEPPING
            else graph.system
        )


def _said_of(graph: ForwardingGraph, start: int, end: int) -> Entered:
    """What is said of the step from point ``start`` to point ``end``."""
    said = graph.permission(start, end)
    zone = graph.points[end].zone
    return Entered(zone, said.rule, said.confidence, said.guards, said.source, said.cost)


def link_names(graph: ForwardingGraph) -> Callable[[int, int], str]:
    """What the links of forwards, from point to point, are called in the configuration; empty
    where they have no names. Linear in the links once, when it is first asked of a graph whose
    links have some.
    """
    if graph.system != STEPPING:
        return lambda *_: ""
    names: dict[tuple[int, int, Source], str] = {}

    def named(start: int, end: int) -> str:
        if not names:
            names.update({(one.a, one.b, one.source): one.name for one in graph.links})
        ends = int(graph.point_server[start]), int(graph.point_server[end])
        return names.get((*ends, graph.permission(start, end).source), "")

    return named


_Told = tuple[Path, tuple[str, ...], tuple[Step, ...], tuple[ZoneHops, ...]]
"""A path, its servers, steps, and hops by zone."""


def _one_more(
    zone_hops: tuple[ZoneHops, ...], before: tuple[Step, ...], step: Step
) -> tuple[ZoneHops, ...]:
    """The hops by zone of a path that goes one step further."""
    if not step.zone:
        return zone_hops
    if before and before[-1].zone == step.zone:
        return (*zone_hops[:-1], ZoneHops(step.zone, zone_hops[-1].hops + 1))
    return (*zone_hops, ZoneHops(step.zone, 1))


def stopped(book: PathBook, graph: ForwardingGraph, stop: Stop, path: Path) -> Stopped:
    """A link that a message does not take, by server names; ``path`` leads to the server where
    it ends.
    """
    at, to = graph.servers[stop.at], graph.servers[stop.to]
    told = Stopped(
        at.name, to.name, stop.reason, stop.guard, stop.truth, stop.source, stop.rule, at.system
    )
    return dataclasses.replace(told, path=book.servers(path), steps=book.steps(path))
