"""From paths (point numbers) to what answers show: server names, zone hops, steps with rule and source, assumptions, cautions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.simple import Path
from topograph.questions.answers import Assumption, Caution, PathFound, ReachedServer, Step, ZoneHops


def server_names(graph: ForwardingGraph, path: Path) -> tuple[str, ...]:
    """The servers along a path, first to last."""
    return tuple(graph.servers[graph.points[point].server].name for point in path)


def zone_hops(graph: ForwardingGraph, path: Path) -> tuple[ZoneHops, ...]:
    """Hops inside each zone along a path; the count starts anew where the zone changes (R12, R15). Empty where there are no zones."""
    result: list[ZoneHops] = []
    for point in path[1:]:
        zone = graph.points[point].zone
        if result and result[-1].zone == zone:
            result[-1] = ZoneHops(zone, result[-1].hops + 1)
        elif zone:
            result.append(ZoneHops(zone, 1))
    return tuple(result)


def has_costs(graph: ForwardingGraph) -> bool:
    """Whether the system's links have costs."""
    return graph.system == "amq_interconnect"


def steps(graph: ForwardingGraph, path: Path) -> tuple[Step, ...]:
    """One step a link, each with the rule that permits it and the configuration line it comes from."""
    found = []
    for start, end in itertools.pairwise(path):
        forward = graph.forward(start, end)
        into = graph.points[end]
        found.append(
            Step(
                graph.servers[graph.points[start].server].name,
                graph.servers[into.server].name,
                into.zone,
                forward.rule,
                str(forward.confidence),
                _texts(graph, forward.guards),
                forward.source,
                forward.cost if has_costs(graph) else None,
            )
        )
    return tuple(found)


def _texts(graph: ForwardingGraph, guards: Iterable[int]) -> tuple[str, ...]:
    """What the guards ask of a message, each text once; positions ask nothing."""
    return tuple(dict.fromkeys(graph.guards[n].text for n in guards if graph.guards[n].kind != "position"))


def path_cost(graph: ForwardingGraph, path: Path) -> int | None:
    """The sum of the costs along a path; None where the system has none."""
    if not has_costs(graph):
        return None
    return sum(graph.forward(start, end).cost for start, end in itertools.pairwise(path))


def reached_server(graph: ForwardingGraph, path: Path, *, with_steps: bool = True) -> ReachedServer:
    """The entry of the last server of a path."""
    names = server_names(graph, path)
    return ReachedServer(
        names[-1],
        len(path) - 1,
        zone_hops(graph, path),
        names,
        steps(graph, path) if with_steps else (),
        path_cost(graph, path),
    )


def path_found(graph: ForwardingGraph, path: Path) -> PathFound:
    """A path of the ``paths`` question."""
    return PathFound(
        server_names(graph, path), len(path) - 1, zone_hops(graph, path), steps(graph, path), path_cost(graph, path)
    )


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


DOUBLED = Caution(
    "R20",
    "the routes are illegal as they stand: a server is reached over more than one path, and one of the routes will be refused. "
    "`topograph cycles` lists them.",
)
"""What an answer on an illegal part of a network says."""
