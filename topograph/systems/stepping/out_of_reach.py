"""Messages that get to no server which a change touches: what becomes of them is as before. The
graph of the network before knows them, in one walk back from these servers.
"""

from __future__ import annotations

from collections.abc import Callable

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.systems.stepping.messages import Begin, FollowedEstate
from topograph.tracing.endings_compared import Touched

Walked = tuple[ForwardingGraph, Walker]
"""A graph, and what walks over it."""


def out_of_reach(
    walked: Walked, estate: FollowedEstate, touched: Touched
) -> Callable[[Begin], bool]:
    """Whether a message that begins in a state is known to get to none of the servers that are
    ``touched``; of a system whose graph leaves out no way (``Stepping.touched_by``). False of all
    where a graph does not have all ways of some server. Linear in the graph."""
    graph, walker = walked
    if len(estate.systems) != 1 or _is_cut(graph, estate):
        return _never
    number_of = {(one.system, one.name): number for number, one in enumerate(graph.servers)}
    targets = [
        point
        for system, servers in touched.items()
        for server in servers
        for point in graph.points_of_server.get(number_of.get((system, server), -1), ())
    ]
    reaching = set(walker.walk_back(targets, Closed()).points.tolist())
    leads: dict[tuple[int, str], bool] = {}
    for point, at in enumerate(
        zip(graph.servers_of_points, graph.columns.state.texts(), strict=True)
    ):
        leads[at] = leads.get(at, False) or point in reaching

    def is_out_of_reach(begin: Begin) -> bool:
        system, state = begin
        if state.server in touched[system]:
            return False
        return not leads.get((number_of.get((system, state.server), -1), state.data), True)

    return is_out_of_reach


def _never(_begin: Begin) -> bool:
    return False


def _is_cut(graph: ForwardingGraph, estate: FollowedEstate) -> bool:
    """Whether the graph says of a server that not all its ways are known, which its system does
    not."""
    open_ended = {
        (system, one.name)
        for system, own in estate.systems.items()
        for one in own.servers
        if one.open_ended or not one.loaded
    }
    return any(
        one.open_ended and one.loaded and (one.system, one.name) not in open_ended
        for one in graph.servers
    )
