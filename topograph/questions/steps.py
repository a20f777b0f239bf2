"""From paths (point numbers) to what answers show: server names, zone hops, steps with rule and source, assumptions, cautions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Stop
from topograph.forwarding.simple import Path
from topograph.questions.answers import Assumption, Caution, PathFound, ReachedServer, Step, Stopped, ZoneHops
from topograph.systems import answering


class PathBook:
    """Describes the paths of one answer. Paths from one server share their beginnings, so each step is described once: an answer is linear in
    the servers reached, plus the steps it lists."""

    def __init__(self, graph: ForwardingGraph) -> None:
        self._graph = graph
        self._costs: bool = getattr(answering(graph.system), "HAS_COSTS", False)
        self._steps: dict[tuple[int, int], Step] = {}
        self._names: dict[int, str] = {}

    def servers(self, path: Path) -> tuple[str, ...]:
        """The servers along a path, first to last."""
        return tuple(self._name(point) for point in path)

    def steps(self, path: Path) -> tuple[Step, ...]:
        """One step a link, each with the rule that permits it and the configuration line it comes from."""
        return tuple(self._step(start, end) for start, end in itertools.pairwise(path))

    def zone_hops(self, path: Path) -> tuple[ZoneHops, ...]:
        """Hops inside each zone; the count starts anew where the zone changes (R12, R15). Empty where there are no zones."""
        runs = itertools.groupby(step.zone for step in self.steps(path))
        return tuple(ZoneHops(zone, len(list(run))) for zone, run in runs if zone)

    def cost(self, path: Path) -> int | None:
        """The sum of the costs along a path; None where the system has none."""
        return sum(step.cost or 0 for step in self.steps(path)) if self._costs else None

    def reached(self, path: Path) -> ReachedServer:
        """The entry of the last server of a path."""
        names = self.servers(path)
        return ReachedServer(names[-1], len(path) - 1, self.zone_hops(path), names, self.steps(path), self.cost(path))

    def found(self, path: Path) -> PathFound:
        """The entry of a path in the ``paths`` question."""
        return PathFound(self.servers(path), len(path) - 1, self.zone_hops(path), self.steps(path), self.cost(path))

    def _name(self, point: int) -> str:
        name = self._names.get(point)
        if name is None:
            name = self._names[point] = self._graph.servers[int(self._graph.point_server[point])].name
        return name

    def _step(self, start: int, end: int) -> Step:
        known = self._steps.get((start, end))
        if known is not None:
            return known
        graph = self._graph
        forward = graph.forward(start, end)
        step = self._steps[start, end] = Step(
            self._name(start),
            self._name(end),
            "" if self._costs else graph.points[end].zone,
            forward.rule,
            str(forward.confidence),
            tuple(dict.fromkeys(graph.guards[n].text for n in forward.guards if graph.guards[n].kind != "position")),
            forward.source,
            forward.cost if self._costs else None,
        )
        return step


def assumptions(graph: ForwardingGraph, paths: Iterable[Path]) -> tuple[Assumption, ...]:
    """The positions that the links of these paths rest on, each once, by rule and text."""
    numbers = {number for point in {p for path in paths for p in path} for number in graph.points[point].guards}
    found = []
    for number in numbers:
        guard = graph.guards[number]
        if guard.kind == "position":
            found.append(Assumption(**json.loads(guard.payload)))
    return tuple(sorted(found, key=lambda assumption: (assumption.rule, assumption.text)))


def incomplete_servers(graph: ForwardingGraph, servers: Iterable[int]) -> tuple[Caution, ...]:
    """A caution for every loaded server whose configuration is incomplete (TL-20, TL-15)."""
    return tuple(
        Caution("TL-20", f"{graph.servers[n].name}: {graph.servers[n].incomplete}", graph.servers[n].source)
        for n in sorted(set(servers))
        if graph.servers[n].loaded and graph.servers[n].incomplete
    )


def doubled(graph: ForwardingGraph) -> tuple[Caution, ...]:
    """What an answer says where a server is reached over more than one path: nothing in a system that has nothing against it."""
    said = getattr(answering(graph.system), "DOUBLED", None)
    return (Caution(*said),) if said else ()


def stopped(graph: ForwardingGraph, stop: Stop) -> Stopped:
    """A link that a message does not take, by server names."""
    return Stopped(
        graph.servers[stop.at].name, graph.servers[stop.to].name, stop.reason, stop.guard, stop.truth, stop.source
    )
