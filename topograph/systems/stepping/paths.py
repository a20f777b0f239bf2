"""What reach, hops and paths ask of the graph that all stepping systems of a network share
(``contract.system.Paths``).

Guards are left aside, as everywhere in reach; those that stand for a choice at run time are not: a
server behind one is reached, but not for certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.errors import NotApplicable
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.components import connected
from topograph.forwarding.forward_only import hops_of_all
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph, Guard
from topograph.forwarding.paths import all_simple_paths, anywhere, hop_row, shortest_per_server
from topograph.forwarding.points import Ints
from topograph.forwarding.reached import Decided, PathList, Reached, Stop, leads_beyond
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.simple import Links, Path
from topograph.forwarding.walker import Walker
from topograph.systems.contract.portable import PerhapsTaken
from topograph.systems.registry import not_connected, system, title
from topograph.tracing.assembly import AT_RUN_TIME, PERHAPS_JOINED, PERHAPS_TAKEN
from topograph.tracing.assumptions import positions_of


def reach_from(graph: ForwardingGraph, walker: Walker, start: int, budget: Budget) -> Reached:  # noqa: ARG001
    """The shortest path to every server that messages from any destination of ``start`` get to,
    of equally long ones one without a condition; those behind a choice are ``uncertain``, also
    those that messages get to later, of which a path on which they only wait is told first. Three
    walks: where nothing is chosen at run time, where every guard is closed, and where none is; one
    more where messages wait."""
    closed = at_run_time(graph)
    paths = shortest_per_server(graph, walker, start, closed)
    if len(closed.guards) < len(graph.guards):
        always = shortest_per_server(
            graph, walker, start, Closed(frozenset(range(len(graph.guards))))
        )
        paths |= {
            server: path for server, path in always.items() if len(path) == len(paths[server])
        }
    uncertain: dict[int, Path] = {}
    if closed.guards:
        possible = shortest_per_server(graph, walker, start, Closed())
        possible |= _over_what_waits(graph, walker, start, closed)
        uncertain = {server: path for server, path in possible.items() if server not in paths}
    known = {start, *paths, *uncertain}
    undetermined = anywhere(graph, known, known)
    for server, why in unconnected(graph, start).items():
        if server not in known:
            undetermined.setdefault(server, why)
    decided = {}
    for one in perhaps_taken(graph):
        if one.server in known:
            for server in range(len(graph.servers)):
                if server not in known and server not in undetermined:
                    undetermined[server] = one.because, one.source
                    decided[server] = Decided(one.assumption, reached=False)
    beyond = leads_beyond(graph, known)
    found = paths | uncertain
    silent = next((server for server in sorted(known) if graph.servers[server].open_ended), None)
    towards = {}
    if silent is not None and undetermined:
        towards = dict.fromkeys(anywhere(graph, known, known), found.get(silent, (start,)))
    return Reached(
        start,
        found,
        undetermined,
        uncertain=frozenset(uncertain),
        beyond=beyond,
        towards=towards,
        decided=decided,
        closed_by=tuple(
            assumption for servers, assumption in perhaps_joined(graph) if known & servers
        ),
    )


def _over_what_waits(
    graph: ForwardingGraph, walker: Walker, start: int, closed: Closed
) -> dict[int, Path]:
    """The shortest path to every server on which messages at most wait, by server number; none
    where they wait nowhere. One walk."""
    waiting = graph.holding
    if not waiting:
        return {}
    return shortest_per_server(graph, walker, start, Closed(closed.guards - waiting))


def perhaps_joined(graph: ForwardingGraph) -> list[tuple[frozenset[int], Assumption]]:
    """The groups of servers, by number, that others may join which are not loaded, each with the
    assumption that none does. Linear in the guards and the members."""
    found = []
    for place, guard in enumerate(graph.guards):
        if guard.id.startswith(PERHAPS_JOINED):
            numbers, _, _ = guard.id.removeprefix(PERHAPS_JOINED).partition("/")
            (assumption,) = positions_of(graph, [place])
            found.append((frozenset(map(int, numbers.split(","))), assumption))
    return found


def perhaps_taken(graph: ForwardingGraph) -> list[PerhapsTaken]:
    """The servers from which something that is not loaded may take messages on to anywhere, by
    number. Linear in the guards."""
    found = []
    for place, guard in enumerate(graph.guards):
        if guard.id.startswith(PERHAPS_TAKEN):
            number, _, _ = guard.id.removeprefix(PERHAPS_TAKEN).partition("/")
            (assumption,) = positions_of(graph, [place])
            found.append(PerhapsTaken(digits(number, 0), guard.text, guard.source, assumption))
    return sorted(found, key=lambda one: (one.server, one.because))


OF_A_WAIT, OF_A_CHOICE = 1_000, 1_000_000
"""What guards before which messages wait, and those of a choice at run time, weigh beside others:
more than all of them that a path has.
"""


def all_paths(
    graph: ForwardingGraph, walker: Walker, start: int, end: int, maximum: int, budget: Budget
) -> PathList:
    """Every path a message may take, also by choices at run time; none passes a server twice.
    Messages that go over the same links take one path, whatever queues they are put to; of their
    conditions the fewest are told: those under which nothing is chosen at run time before others,
    then those under which messages do not wait.
    """
    waiting = graph.holding
    chosen = at_run_time(graph).guards - waiting

    def weight(point: int) -> int:
        guards = graph.points[point].guards
        waits, perhaps = (len(one.intersection(guards)) for one in (waiting, chosen))
        return len(guards) + OF_A_WAIT * waits + OF_A_CHOICE * perhaps

    links = Links(cache(lambda here, there: graph.permission(here, there).source), cache(weight))
    ends = graph.points_of_server[end]
    return all_simple_paths(graph, walker, start, ends, Closed(), maximum, budget, links=links)


def hop_rows(graph: ForwardingGraph, walker: Walker, budget: Budget) -> Iterator[Ints]:
    """Hops from every server to every server that is certainly reached: one walk each, or all
    together where no walk comes back (``forward_only``). Raises BudgetSpent.
    """
    closed = at_run_time(graph)
    together = hops_of_all(graph, closed, budget.check) if isinstance(walker, RowWalks) else None
    if together is not None:
        yield from together.astype(np.int32)
        return
    for start in range(len(graph.servers)):
        budget.check()
        yield hop_row(len(graph.servers), start, shortest_per_server(graph, walker, start, closed))


def rows_with_later(
    graph: ForwardingGraph, walker: Walker, budget: Budget
) -> Iterator[tuple[Ints, Bools]]:
    """See ``Holding``: two walks a server."""
    closed = at_run_time(graph)
    for start, now in enumerate(hop_rows(graph, walker, budget)):
        waiting = _over_what_waits(graph, walker, start, closed)
        row = hop_row(len(graph.servers), start, waiting)
        later = (row >= 0) & (now < 0)
        yield np.where(later, row, now), later


def turned(graph: ForwardingGraph, path: Path) -> Path:
    """There is no way back along a path: a message from its end has a way of its own."""
    name = graph.servers[int(graph.point_server[path[0]])].system
    raise NotApplicable(
        system(name).no_reply
        or f"Messages of {title(name)} have no way back along a path: ask reach from the other end."
    )


def stops(*_: object) -> Sequence[Stop]:
    """Nothing stops every message."""
    return []


def condition(guard: Guard) -> str:
    """What the guard says."""
    return guard.text


def passes_replies(guard: Guard) -> bool:  # noqa: ARG001
    """A reply is a message like any other."""
    return False


def cut_off(graph: ForwardingGraph) -> Mapping[int, tuple[str, Source]]:  # noqa: ARG001
    """No server is cut off by a setting of its own."""
    return {}


def at_run_time(graph: ForwardingGraph) -> Closed:
    """What is closed for a walk that passes only what is certain."""
    return Closed(
        frozenset(number for number, guard in enumerate(graph.guards) if guard.kind in AT_RUN_TIME)
    )


def unconnected(graph: ForwardingGraph, start: int) -> dict[int, tuple[str, Source]]:
    """The servers of systems that no link joins with the system of ``start``: nothing configured
    leads there, and that is all that is known.
    """
    present = sorted({server.system for server in graph.servers})
    if len(present) == 1:
        return {}
    number = {name: place for place, name in enumerate(present)}
    joined: dict[int, set[int]] = {place: set() for place in number.values()}
    for link in graph.links:
        a, b = (number[graph.servers[end].system] for end in (link.a, link.b))
        if a != b:
            joined[a].add(b)
            joined[b].add(a)
    here = graph.servers[start].system
    own = next(set(part) for part in connected(joined, joined) if number[here] in part)
    return {
        place: (not_connected(here, server.system), server.source)
        for place, server in enumerate(graph.servers)
        if number[server.system] not in own
    }
