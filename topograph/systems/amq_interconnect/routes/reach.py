"""Which routers a router reaches, and over which path, on the walk that either engine supplied.

A walk for router R starts at the points ``R=>D`` of all its destinations D; each follows one chain
of next hops, so that a destination is reached exactly if ``D=>D`` is. Paths are point numbers, as
everywhere in ``questions``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.components import biconnected, neighbours_of
from topograph.forwarding.graph import STANDBY, Closed, ForwardingGraph, Guard, Link
from topograph.forwarding.points import Ints
from topograph.forwarding.reached import PathList, Reached, Stop
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.systems.amq_interconnect.network.routers import CONNECTIONS_NOT_SHOWN
from topograph.systems.amq_interconnect.routes.chains import Chains, chains_from, starts_of
from topograph.systems.amq_interconnect.routes.tables import (
    OUTSIDE,
    UNDECIDED,
    UPLINK,
    kind_mask,
    links_of,
    uplinks_of,
)
from topograph.systems.amq_interconnect.routes.trees import adjacency, equal_paths

GAPS = (
    "not all of its dump could be read",
    "not all of its configuration is shown",
    CONNECTIONS_NOT_SHOWN,
)
"""How a router's record says that a part of its dump, or of its configuration, is lost, or that no
output shows what it is connected to."""


def reach_from(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    budget: Budget,  # noqa: ARG001
    closed: Closed | None = None,
) -> Reached:
    """The one path to every router that ``start`` reaches (T-4), and what the loaded files leave
    open. Linear in the paths.

    ``closed`` breaks the paths that pass it; it does not make the routers compute other ones.
    """
    paths = chains_from(graph, walker, start, closed)
    open_ended = undetermined(graph, start, set(paths))
    return Reached(start, paths, open_ended, towards=_towards(graph, start, paths, open_ended))


def _towards(
    graph: ForwardingGraph, start: int, paths: Mapping[int, Path], open_ended: Collection[int]
) -> dict[int, Path]:
    """The path to the router of which a connection leads to what is not known: to the server
    itself, else to somewhere. Linear in servers and links.
    """
    ways = {start: (start,), **paths}
    if not open_ended or not graph.servers[start].loaded:
        return dict.fromkeys(open_ended, (start,))
    leading: dict[int, int] = {}
    for link in (
        *links_of(graph, UNDECIDED),
        *links_of(graph, OUTSIDE),
        *links_of(graph, STANDBY),
    ):
        for here, there in ((link.a, link.b), (link.b, link.a)):
            if here in ways and there in open_ended:
                leading.setdefault(there, here)
    gaps = [number for number in _with_gaps(graph) if number in ways]
    near = next(iter((*leading.values(), *gaps)), None)
    towards = {number: leading.get(number, near) for number in open_ended}
    return {number: ways[here] for number, here in towards.items() if here is not None}


def all_paths(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    end: int,
    maximum: int,
    budget: Budget,
) -> PathList:
    """The path from one router to another: at most one, as every router has one next hop for a
    destination (T-4). Others of the same cost stay unused (section 5, position 14); at most
    ``maximum`` of them are listed."""
    path = reach_from(graph, walker, start, budget).paths.get(end)
    if path is None:
        return PathList([])
    names = [server.name for server in graph.servers]
    used = [names[graph.columns.server[point]] for point in path]
    edges = uplinks_of(graph)
    first, last = used[:1] if used[0] in edges else [], used[-1:] if used[-1] in edges else []
    core = tuple(used[len(first) : len(used) - len(last)])
    links = ((names[link.a], names[link.b], link.cost or 0) for link in links_of(graph))
    count, found = equal_paths(adjacency(links), core[0], core[-1], maximum + 1)
    listed = [one for one in found if one != core][:maximum]
    number = graph.server_number
    unused = [tuple(number[name] for name in (*first, *one, *last)) for one in listed]
    return PathList([path], unused=unused, unused_count=count - 1)


def hop_rows(graph: ForwardingGraph, walker: Walker, budget: Budget) -> Iterator[Ints]:
    """Per server the hops to every server, -1 where not reached, 0 to itself. O(points) in all;
    a walk a router where the engine walks ahead. Raises BudgetSpent."""
    if walker.ahead((), Closed()) is not None:
        for start in range(len(graph.servers)):
            budget.check()
            row = np.full(len(graph.servers), -1, np.int32)
            for end, path in chains_from(graph, walker, start, None).items():
                row[end] = len(path) - 1
            row[start] = 0
            yield row
        return
    columns = graph.columns
    hops = np.full((len(graph.servers), len(graph.servers)), -1, np.int32)
    np.fill_diagonal(hops, 0)
    toward = np.flatnonzero(kind_mask(columns, "toward") & (columns.link >= 0))
    for point in toward.tolist():
        budget.check()
        chain = [point]
        while hops[columns.server[chain[-1]], columns.target[chain[-1]]] < 0:
            chain.append(next(graph.successors(chain[-1])))
        far = int(hops[columns.server[chain[-1]], columns.target[chain[-1]]])
        for away, passed in enumerate(reversed(chain[:-1]), start=1):
            hops[columns.server[passed], columns.target[passed]] = far + away
    yield from hops


def turned(graph: ForwardingGraph, path: Path) -> Path:
    """The way back: from the last router of a path to its first, over that router's own next
    hops (T-6).
    """
    here, there = graph.points[path[-1]].server, graph.points[path[0]].server
    point = starts_of(graph, here)[there]
    return Chains(graph).chain(point, set(range(len(graph.points))))


def redundant(graph: ForwardingGraph) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The parts of the network in which every two routers have more than one path: (routers, links
    as ``A-B``), by router names.

    A part is a biconnected component of at least three routers; parallel links between two routers
    (T-11) are no redundancy. Linear in links.
    """
    neighbours = neighbours_of((link.a, link.b) for link in links_of(graph))
    names = [server.name for server in graph.servers]
    found = []
    for block in biconnected(neighbours, neighbours):
        if len(block) > 2:
            routers = sorted(names[router] for router in block)
            links = sorted(
                (names[a], names[b])
                for a in block
                for b in neighbours[a]
                if b in block and names[a] < names[b]
            )
            found.append((tuple(routers), tuple(f"{a}-{b}" for a, b in links)))
    return tuple(sorted(found))


def passes_replies(guard: Guard) -> bool:  # noqa: ARG001
    """A reply is a message like any other."""
    return False


def cut_off(graph: ForwardingGraph) -> Mapping[int, tuple[str, Source]]:  # noqa: ARG001
    """Routers that have no part in the network have no points: nothing more has to be said of
    them.
    """
    return {}


def undetermined(
    graph: ForwardingGraph, start: int, reached: set[int]
) -> dict[int, tuple[str, Source]]:
    """The servers of which it is not known whether ``start`` reaches them, with why and where.

    Those are the routers that only undecided links join with ``start`` (T-10, E-8, S-6); the
    routers outside that a reached router connects to; and, since such a router may have connections
    to any other, the loaded routers not reached, wherever in the network one is named. A router of
    whose dump a part is lost may lead anywhere too.

    A router that does not start or is standalone has no place in the network and is never
    undetermined.
    """
    placed = in_network(graph)
    name = graph.servers[start].name
    if not graph.servers[start].loaded:
        source = graph.servers[start].source
        unloaded = {number for number, server in enumerate(graph.servers) if not server.loaded}
        return dict.fromkeys(
            sorted((placed | unloaded) - {start}), (f"no file of {name} is loaded", source)
        )
    if start not in placed:
        return {}
    found = _over_undecided(graph, start, reached)
    for server, why in _over_other_uplinks(graph, start, reached).items():
        found.setdefault(server, why)
    outside = links_of(graph, OUTSIDE)
    ours = [link for link in outside if link.a == start or link.a in reached or link.a in found]
    for link in ours:
        found.setdefault(link.b, (_leads_out(graph, link), link.source))
    part = _parts(graph, _joining(graph))
    for server in sorted(placed - reached - {start}):
        theirs = [link for link in outside if part[link.a] == part[server]]
        # A router that connects to neither part may listen or connect to both.
        for link in [*ours, *theirs, *outside][:1]:
            because = (
                f"{_leads_out(graph, link)}: that may join {graph.servers[server].name} with {name}"
            )
            found.setdefault(server, (because, link.source))
    for gap in _with_gaps(graph):
        text, source = _gap(graph, gap)
        for server in sorted(placed - reached - {start}):
            because = f"{text}: that may join {graph.servers[server].name} with {name}"
            found.setdefault(server, (because, source))
    for link in outside:
        if link.a in found:
            because = (
                f"{_leads_out(graph, link)}; whether {name} reaches "
                f"{graph.servers[link.a].name} is not known"
            )
            found.setdefault(link.b, (because, link.source))
    return found


def _over_undecided(
    graph: ForwardingGraph, start: int, reached: set[int]
) -> dict[int, tuple[str, Source]]:
    """The servers that a start is joined with over undecided links, none of which is certain to
    carry anything.
    """
    undecided_links = _joining(graph)
    if not undecided_links:
        return {}
    part = _parts(graph, undecided_links)
    ours = [link for link in undecided_links if part[link.a] == part[start]]
    because = {}
    for server in np.flatnonzero(part == part[start]).tolist():
        if server != start and server not in reached:
            near = next((link for link in ours if server in (link.a, link.b)), ours[0])
            because[server] = (_said(graph, near), near.source)
    return because


def _joining(graph: ForwardingGraph) -> list[Link]:
    """The undecided links that may join the parts at their ends: not the uplinks of edge routers,
    which pass nothing on between two of them."""
    return [link for link in links_of(graph, UNDECIDED) if link.rule != "E-1"]


def _other_homes(graph: ForwardingGraph) -> dict[int, list[tuple[int, str, Source]]]:
    """Per edge router the interior routers at which it may be attached instead of the one that is
    taken (E-1), with why and where: those of its other uplinks where nothing shows which is
    active, and those of uplinks that may not open. Linear in the links."""
    homes: dict[int, list[tuple[int, str, Source]]] = {}
    chosen = {
        link.a: text
        for link in links_of(graph, UPLINK)
        for guard in link.guards
        if (text := graph.guards[guard].text) and graph.guards[guard].id.startswith("position:E-1:")
    }
    for link in links_of(graph, STANDBY):
        if link.a in chosen:
            homes.setdefault(link.a, []).append((link.b, chosen[link.a], link.source))
    for link in links_of(graph, UNDECIDED):
        if link.rule == "E-1":
            edge, home = link.a, link.b
            if graph.servers[edge].name != link.configured_by:
                edge, home = home, edge
            homes.setdefault(edge, []).append((home, _said(graph, link), link.source))
    return homes


def _over_other_uplinks(
    graph: ForwardingGraph, start: int, reached: set[int]
) -> dict[int, tuple[str, Source]]:
    """The servers that a start reaches if another uplink of one of the two is active than the one
    that is taken (E-1). Linear in servers and links."""
    others = _other_homes(graph)
    if not others:
        return {}
    part = _parts(graph, _joining(graph))
    own: dict[int, tuple[str, Source]] = {}
    for home, text, source in others.get(start, ()):
        own.setdefault(int(part[home]), (text, source))
    found: dict[int, tuple[str, Source]] = {}
    for server in sorted(in_network(graph) - reached - {start}):
        theirs = {int(part[home]): (text, source) for home, text, source in others.get(server, ())}
        here = int(part[server])
        if here in own:
            found[server] = own[here]
        elif int(part[start]) in theirs:
            found[server] = theirs[int(part[start])]
        else:
            both = next((one for one in theirs if one in own), None)
            if both is not None:
                found[server] = theirs[both]
    return found


def undecided(graph: ForwardingGraph) -> list[tuple[str, Source]]:
    """Everything because of which the loaded files do not show the whole network: why, and
    where. Connectors that lead to no loaded router (T-13), each, and reasons why a link may
    carry nothing (T-10, E-8, S-6), each once."""
    outside = [(_leads_out(graph, link), link.source) for link in links_of(graph, OUTSIDE)]
    others = {_said(graph, link): link.source for link in reversed(links_of(graph, UNDECIDED))}
    return [
        *dict.fromkeys(outside),
        *others.items(),
        *(_gap(graph, server) for server in _with_gaps(graph)),
    ]


def leaves_open(graph: ForwardingGraph) -> bool:
    """Whether anything may be undetermined from any router. Linear in the links."""
    return (
        bool(undecided(graph))
        or bool(_other_homes(graph))
        or not all(server.loaded for server in graph.servers)
    )


def _with_gaps(graph: ForwardingGraph) -> list[int]:
    """The routers with a place in the network that may have connections which were lost with a
    part of their dump, or behind the end of their configuration.
    """
    placed = in_network(graph) if any(server.open_ended for server in graph.servers) else set()
    return [
        number
        for number in sorted(placed)
        if any(gap in graph.servers[number].incomplete for gap in GAPS)
    ]


def _gap(graph: ForwardingGraph, server: int) -> tuple[str, Source]:
    record = graph.servers[server]
    return (
        (
            f"{record.name} may have connections that the loaded files do not show "
            f"({record.incomplete})"
        ),
        record.source,
    )


def _said(graph: ForwardingGraph, link: Link) -> str:
    """The positions of a link, as one text."""
    return "; ".join(graph.guards[guard].text for guard in link.guards)


def _leads_out(graph: ForwardingGraph, link: Link) -> str:
    return (
        f"{graph.servers[link.a].name} connects to {graph.servers[link.b].name}, and "
        f"{_said(graph, link)}"
    )


def _parts(graph: ForwardingGraph, joined: Sequence[Link] = ()) -> Ints:
    """The connected part of every server, by the least server number in it; from the routes, so
    that edges count, and the links ``joined``.
    """
    columns = graph.columns
    part = np.arange(len(graph.servers), dtype=np.int32)
    toward = kind_mask(columns, "toward")
    np.minimum.at(part, columns.server[toward], columns.target[toward])
    for link in joined:
        low, high = sorted((int(part[link.a]), int(part[link.b])))
        part[part == high] = low
    return part


def in_network(graph: ForwardingGraph) -> set[int]:
    """The servers that have a place in the network: interior and edge routers that start."""
    columns = graph.columns
    return set(
        columns.server[kind_mask(columns, "toward") & (columns.server == columns.target)].tolist()
    )


def doubts(graph: ForwardingGraph) -> list[str]:
    """For every server in order, why "not reached" is not certain there: the network connects to
    a router that is not loaded, its own part if it does, or it is that router, or an undecided link
    belongs to its part; empty where it is certain, and for a router that has no place in the
    network.
    """
    undecided_links = _joining(graph)
    part = _parts(graph, undecided_links)
    leads_out: dict[int, str] = {}
    found = [""] * len(graph.servers)
    for link in undecided_links:
        leads_out.setdefault(int(part[link.a]), _said(graph, link))
    for link in links_of(graph, OUTSIDE):
        leads_out.setdefault(int(part[link.a]), _leads_out(graph, link))
        found[link.b] = found[link.b] or _leads_out(graph, link)
    for gap in _with_gaps(graph):
        leads_out.setdefault(int(part[gap]), _gap(graph, gap)[0])
    anywhere = [
        *(_leads_out(graph, link) for link in links_of(graph, OUTSIDE)),
        *(_gap(graph, gap)[0] for gap in _with_gaps(graph)),
    ]
    elsewhere = anywhere[0] if anywhere else ""
    for server in in_network(graph):
        found[server] = leads_out.get(int(part[server]), elsewhere)
    for edge, homes in _other_homes(graph).items():
        if any(part[home] != part[edge] for home, _, _ in homes):
            found[edge] = found[edge] or homes[0][1]
    return found


def condition(guard: Guard) -> str:
    """What the guard says."""
    return guard.text


def stops(*_: object) -> Sequence[Stop]:
    """Links that routing does not let a message take: none, every link between reached routers
    can carry it.
    """
    return ()


def does_not_run(graph: ForwardingGraph, server: int) -> bool:
    """Whether a loaded router does not start (C-2), so that nothing can attach to it. A
    standalone router runs without a place in the network.
    """
    return "does not start" in graph.servers[server].incomplete and server in _apart(graph)


def _apart(graph: ForwardingGraph) -> frozenset[int]:
    """The routers without a place in the network."""
    own = graph.columns
    return frozenset(own.server[kind_mask(own, "apart")].tolist())
