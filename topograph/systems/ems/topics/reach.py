"""Zone reach of EMS servers (queries 1 and 4 of ems.md 2.11) and all permitted paths of a pair
(R25, A1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import OPEN, Bools, Closed, ForwardingGraph
from topograph.forwarding.paths import all_simple_paths
from topograph.forwarding.reached import (
    LEFT_OPEN,
    NOT_DECIDED,
    PathList,
    Reached,
    Stop,
    leads_beyond,
)
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.servers import not_loaded
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.network.doubt import Deciding, Doubt, cut_off
from topograph.systems.ems.network.links_closed import (
    links_down,
    not_certainly_up,
    passes_replies,
)
from topograph.systems.ems.network.walks import points_at, shortest_from
from topograph.systems.ems.topics.conditions import of_any as condition

if TYPE_CHECKING:
    from topograph.forwarding.row_differences import Difference

__all__ = [
    "all_paths",
    "condition",
    "cut_off",
    "differing_rows",
    "hop_rows",
    "passes_replies",
    "reach_from",
    "rows_with_later",
    "stops",
    "turned",
]


def reach_from(
    graph: ForwardingGraph,
    walker: Walker,
    server: int,
    budget: Budget,
    closed: Closed | None = None,
) -> Reached:
    """Every server that topic messages from ``server`` can reach by zones (R13, R16), links that
    are down left out.

    A path is certain if all its servers are loaded, and no finding says that one of its links may
    not come up. ``closed`` adds guards and servers that are closed for a question.
    """
    shut = _with_links_down(graph, closed)
    certain = Closed(
        shut.guards | graph.guards_of(OPEN), shut.servers | _not_loaded(graph), shut.points
    )
    walks = shortest_from(graph, walker, server, certain, budget)
    loaded = graph.servers[server].loaded
    result = Reached(
        server,
        walks.found if loaded else {},
        doubled=not walks.unique,
        longer=frozenset(walks.longer) if loaded else frozenset(),
    )
    cut = walks.undecided
    doubt = Doubt(graph, walker, shut)
    if doubt.open_ended or doubt.open_links:
        cut = cut | _add_doubt(graph, walker, result, doubt, shut, budget)
    result.cut = frozenset(cut - result.paths.keys() - result.undetermined.keys())
    for number in result.cut:
        result.undetermined[number] = (
            f"{budget.ended}, before a path was found or excluded",
            graph.servers[number].source,
        )
    _take_what_does_not_wait(graph, walker, result, certain, budget)
    result.exact = not (cut or result.longer)
    if not doubt.cut_off & {server}:
        result.beyond = leads_beyond(graph, chain((server,), result.paths))
    return result


def _take_what_does_not_wait(
    graph: ForwardingGraph, walker: Walker, result: Reached, certain: Closed, budget: Budget
) -> None:
    """Give each server the shortest path on which no route is suspended (R53), where there is one
    beside a shorter path that waits: only a network that is not legal has such. Where the budget
    ended before that was known, the path may not be the right one. A walk more where a route is
    suspended."""
    waiting = frozenset(suspensions(graph))
    if not (waiting and result.doubled and result.paths):
        return
    around = shortest_from(graph, walker, result.start, _and_guards(certain, waiting), budget)
    at_once = {server: path for server, path in around.found.items() if server in result.paths}
    result.passed_over = {
        server: result.paths[server]
        for server, path in at_once.items()
        if len(path) > len(result.paths[server])
    }
    result.paths = {**result.paths, **at_once}
    unsure = around.undecided | around.longer
    result.longer |= frozenset(unsure) & result.paths.keys()


def _and_guards(closed: Closed, guards: frozenset[int]) -> Closed:
    """The same, with some guards closed too."""
    return Closed(closed.guards | guards, closed.servers, closed.points)


def _add_doubt(
    graph: ForwardingGraph,
    walker: Walker,
    result: Reached,
    doubt: Doubt,
    shut: Closed,
    budget: Budget,
) -> set[int]:
    """Note the servers that the loaded files leave open; returns those that the budget leaves
    open.
    """
    start = result.start
    walks = shortest_from(graph, walker, start, shut, budget)
    possible = dict(walks.found.items())
    shown = set()
    for number in range(len(graph.servers)):
        if number == start or number in result.paths or doubt.cut_off & {start, number}:
            continue
        crossed = doubt.crosses(possible.get(number, ()))
        blocking = start if not graph.servers[start].loaded else None
        if blocking is None and number in possible:
            blocking = doubt.passes(possible[number])
        if crossed is not None and (blocking is None or blocking == number):
            place, guard = crossed
            result.undetermined[number] = guard.text, guard.source
            result.towards[number] = possible[number][: place + 1]
            continue
        if blocking is None and not graph.servers[number].loaded:
            blocking = number
        because = (
            doubt.not_loaded(blocking) if blocking is not None else doubt.unreached(start, number)
        )
        if because is not None:
            shown |= {number} if crossed is None else set()
            result.undetermined[number] = because
            way = doubt.up_to(start, blocking, possible, possible.get(number, ()))
            if way:
                result.towards[number] = way
    open_ = result.undetermined.keys() - walks.undecided
    deciding = Deciding(graph, start, open_ & possible.keys() & shown, open_ - possible.keys())
    result.decided, result.needed = deciding, deciding.needed
    return walks.undecided


def all_paths(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    end: int,
    maximum: int,
    budget: Budget,
    closed: Closed | None = None,
) -> PathList:
    """The permitted paths from ``start`` to ``end``, shortest first, then by server names; at most
    ``maximum``.

    On a legal network there is one at most and a single walk finds it. Paths over servers that are
    not loaded are included: the caller marks them. Links that are down are left out unless
    ``closed`` says otherwise.
    """
    shut = links_down(graph) if closed is None else closed
    return all_simple_paths(graph, walker, start, points_at(graph, [end]), shut, maximum, budget)


def hop_rows(graph: ForwardingGraph, walker: Walker, budget: Budget) -> Iterator[NDArray[np.int16]]:
    """For every server in turn, the route hops to each server (-1: not certainly reached;
    NOT_DECIDED; LEFT_OPEN). Memory of one row.

    Where no server is reached twice this is one breadth-first walk a server; else as
    ``reach_from``. Two where a route is suspended. Raises BudgetSpent.
    """
    return hop_rows_of(graph, walker, budget, range(len(graph.servers)))


def rows_with_later(
    graph: ForwardingGraph, walker: Walker, budget: Budget
) -> Iterator[tuple[NDArray[np.int16], Bools]]:
    """See ``Holding``: later come the servers to which every path leads over a suspended route
    (R53)."""
    return _rows_with_later_of(graph, walker, budget, range(len(graph.servers)))


def differing_rows(
    before: ForwardingGraph, after: ForwardingGraph, budget: Budget
) -> Iterator[Difference]:
    """See ``Altering.differing_rows``. On legal networks without big hubs a step for each point
    from which a change is reached; else two rows for each server of which a walk gets to
    something that is different. Raises BudgetSpent."""
    from topograph.forwarding.row_differences import RowDifferences
    from topograph.systems.ems.network.legality import is_legal

    graphs = before, after
    beside, closed = RowDifferences(graphs), (_certain(before), _certain(after))
    possible = [
        _if_open_links_come_up(graph) or shut for graph, shut in zip(graphs, closed, strict=True)
    ]
    settled = possible == list(closed)
    if settled and beside.comparable and all(is_legal(graph) for graph in graphs):
        loaded = [np.array([server.loaded for server in graph.servers]) for graph in graphs]
        yield from beside.unique(closed, budget, (loaded[0], loaded[1]))
        return
    names = [{server.name for server in graph.servers if server.loaded} for graph in graphs]
    loaded_once = np.array([(name in names[0]) is not (name in names[1]) for name in beside.names])
    rows = [partial(hop_rows_of, graph, RowWalks(graph, budget), budget) for graph in graphs]
    at_once = [
        _and_guards(shut, frozenset(suspensions(graph)))
        for graph, shut in zip(graphs, closed, strict=True)
    ]
    walked = closed, (possible[0], possible[1]), (at_once[0], at_once[1])
    wanted = np.logical_or.reduce([loaded_once, *map(beside.altered, walked)])
    yield from beside.of_rows(wanted, (rows[0], rows[1]))


def hop_rows_of(
    graph: ForwardingGraph, walker: Walker, budget: Budget, wanted: Sequence[int]
) -> Iterator[NDArray[np.int16]]:
    """The rows of ``hop_rows`` of some servers, in the order in which they are asked for."""
    if not suspensions(graph):
        yield from _rows_of(graph, walker, budget, wanted, _certain(graph))
        return
    for row, _ in _rows_with_later_of(graph, walker, budget, wanted):
        yield row


def _rows_with_later_of(
    graph: ForwardingGraph, walker: Walker, budget: Budget, wanted: Sequence[int]
) -> Iterator[tuple[NDArray[np.int16], Bools]]:
    """The rows of ``rows_with_later`` of some servers: a path on which nothing waits counts before
    a shorter one on which messages do, as in ``reach_from``."""
    shut = _certain(graph)
    around = _and_guards(shut, frozenset(suspensions(graph)))
    whole = _rows_of(graph, walker, budget, wanted, shut)
    for row, now in zip(whole, _rows_of(graph, walker, budget, wanted, around), strict=True):
        later = (row >= 0) & (now < 0) & (now != NOT_DECIDED)
        yield np.where((row >= 0) & ~later, now, row), later


def _rows_of(
    graph: ForwardingGraph, walker: Walker, budget: Budget, wanted: Sequence[int], shut: Closed
) -> Iterator[NDArray[np.int16]]:
    """The hops from some servers over what is not ``shut``."""
    from topograph.forwarding.all_pairs import hop_row

    possible = _if_open_links_come_up(graph)
    ahead = walker.ahead(wanted, shut)
    rows = (
        hop_row(graph, shut)
        if ahead is None
        else lambda server: _walked_row(graph, ahead, server, shut)
    )
    for server in wanted:
        budget.check()
        row = rows(server)
        if row is None:
            row = np.full(len(graph.servers), -1, np.int16)
            walks = shortest_from(graph, ahead or walker, server, shut, budget)
            for end, path in walks.found.items():
                row[end] = len(path) - 1
            row[list(walks.undecided | walks.longer)] = NOT_DECIDED
            row[server] = 0
        if not graph.servers[server].loaded:
            row[:] = -1
            row[server] = 0
        elif possible is not None:
            got = graph.point_server[walker.walk([server], possible).points]
            row[got[row[got] == -1]] = LEFT_OPEN
        yield row


def _walked_row(
    graph: ForwardingGraph, walker: Walker, server: int, closed: Closed
) -> NDArray[np.int16] | None:
    """The hops from a server to each, None where a server is reached twice: then only
    server-simple walks count.
    """
    walk = walker.walk([server], closed)
    servers = graph.point_server[walk.points]
    if int(np.bincount(servers).max()) > 1:
        return None
    row = np.full(len(graph.servers), -1, np.int16)
    row[servers] = walk.hops
    return row


def _with_links_down(graph: ForwardingGraph, closed: Closed | None) -> Closed:
    down = links_down(graph)
    return (
        down
        if closed is None
        else Closed(down.guards | closed.guards, closed.servers, closed.points)
    )


def _certain(graph: ForwardingGraph) -> Closed:
    """What is closed for a row of hops: links that are down, and servers whose configuration is
    not loaded; and links that may not come up.
    """
    return Closed(not_certainly_up(graph).guards, _not_loaded(graph))


def _if_open_links_come_up(graph: ForwardingGraph) -> Closed | None:
    """What is closed for a row of hops where all links come up of which a finding leaves that open;
    None where there are no such links.
    """
    if not graph.guards_of(OPEN):
        return None
    return Closed(links_down(graph).guards, _not_loaded(graph))


def _not_loaded(graph: ForwardingGraph) -> frozenset[int]:
    return frozenset(not_loaded(graph.servers))


def turned(graph: ForwardingGraph, path: Path) -> Path:
    """The same way back: permitted too, because the zone rule is symmetric (R14). Linear in the
    path and the links at its servers.
    """
    points = graph.points
    servers = [points[point].server for point in reversed(path)]
    links = [points[point].link for point in reversed(path[1:])]
    back = [servers[0]]
    for server, link in zip(servers[1:], links, strict=True):
        back.append(
            next(
                n
                for n in graph.points_of_server[server]
                if points[n].kind == "arrival" and points[n].link == link
            )
        )
    return tuple(back)


def stops(
    graph: ForwardingGraph,
    _walker: Walker,
    reached: Reached,
    ends: Collection[int],
) -> Sequence[Stop]:
    """The links at which messages towards ``ends`` stop by zone rules, whatever they are; see
    ``publication.stops``.
    """
    from topograph.systems.ems.topics import publication  # which loads selectors

    return publication.stops(graph, reached, ends)
