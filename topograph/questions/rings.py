"""The rings of a network as ``cycles`` lists them: an entry a ring, with its routes, in place of
one for each name that arrives twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from topograph.forwarding.graph import ForwardingGraph, Link
from topograph.forwarding.rings import Pair, around, count_rings, pair
from topograph.questions.answers.names import Ring, RingRoute
from topograph.systems.contract.cycles import CyclicPart, DoubledName, Duplicates


def refusable(paths: Sequence[Sequence[int]]) -> set[Pair]:
    """The links, as pairs of servers, that are not common to all paths: without any one of them
    one of the paths is gone.
    """
    sets = [{pair(a, b) for a, b in itertools.pairwise(path)} for path in paths]
    return sets[0].union(*sets) - sets[0].intersection(*sets)


def judged_rings(
    graph: ForwardingGraph, parts: Sequence[CyclicPart], found: Duplicates, *, strict: bool = False
) -> Iterator[Ring]:
    """A ring for each cyclic part, with how many of the names ``found`` arrive twice because of it.

    The last links of two paths to one server lie on one cycle, so that each name belongs to
    exactly one part. Linear in the links of the parts and the steps of the paths."""
    links = [[graph.links[number] for number in sorted(part.links)] for part in parts]
    part_of = {pair(link.a, link.b): number for number, own in enumerate(links) for link in own}
    names: dict[int, list[DoubledName]] = {}
    for name in found.found:
        names.setdefault(part_of[pair(name.server, name.via[0])], []).append(name)
    for number, part in enumerate(parts):
        own = names.get(number, [])
        legal = "unknown" if part.legal is None else part.legal and not strict
        ring = around({pair(link.a, link.b) for link in links[number]})
        if part.legal is True:
            at_risk: Mapping[Pair, bool | None] = {}
            other: bool | None = False
        elif part.legal is False and ring is not None:  # two paths to one server enclose all of it
            at_risk, other = {}, True
        else:
            at_risk = dict.fromkeys(_refusable_of(graph, own), True)
            other = False if found.complete and part.legal is False else None
        routes = [
            _route(graph, link, at_risk.get(pair(link.a, link.b), other)) for link in links[number]
        ]
        yield _ring(graph, links[number], routes, legal, len(own))


def wanted_rings(
    graph: ForwardingGraph, parts: Iterable[tuple[Sequence[str], Collection[str]]]
) -> Iterator[Ring]:
    """A ring for each part with redundant paths, (servers, links as ``A-B``): nothing is wrong
    with it. Linear in the links.
    """
    by_name: dict[str, list[Link]] = {}
    for link in graph.links:
        if link.carries:
            ends = sorted((graph.servers[link.a].name, graph.servers[link.b].name))
            by_name.setdefault("-".join(ends), []).append(link)
    for _, names in parts:
        links = [link for name in names for link in by_name[name]]
        yield _ring(graph, links, [_route(graph, link, False) for link in links], True, 0)


def in_order(rings: Iterable[Ring]) -> tuple[Ring, ...]:
    """Those that are not legal first, then by their servers."""
    return tuple(sorted(rings, key=lambda ring: (_ORDER[ring.legal], ring.servers, ring.system)))


_ORDER: Mapping[bool | str, int] = {False: 0, "unknown": 1, True: 2}


def _refusable_of(graph: ForwardingGraph, names: Iterable[DoubledName]) -> set[Pair]:
    at = graph.servers_of_points
    return {
        one
        for name in names
        for one in refusable([[at[point] for point in path] for path in name.paths])
    }


def _ring(
    graph: ForwardingGraph,
    links: Sequence[Link],
    routes: Sequence[RingRoute],
    legal: bool | str,
    pairs: int,
) -> Ring:
    ends = {pair(link.a, link.b) for link in links}
    ring = around(ends)
    if ring is None:
        servers = sorted({graph.servers[end].name for one in ends for end in one})
        ordered = sorted(
            routes,
            key=lambda route: (route.refusable is not True, route.from_, route.to, route.source),
        )
    else:
        servers = [graph.servers[number].name for number in ring]
        place = {pair(a, b): at for at, (a, b) in enumerate(itertools.pairwise((*ring, ring[0])))}
        by_place = sorted(
            zip(links, routes, strict=True),
            key=lambda one: (place[pair(one[0].a, one[0].b)], one[1].source),
        )
        ordered = [route for _, route in by_place]
    return Ring(
        tuple(servers),
        tuple(ordered),
        count_rings(ends),
        legal,
        pairs,
        graph.servers[links[0].a].system,
    )


def _route(graph: ForwardingGraph, link: Link, at_risk: bool | None) -> RingRoute:
    first, second = sorted((graph.servers[link.a].name, graph.servers[link.b].name))
    return RingRoute(
        first,
        second,
        link.zone,
        link.zone_type,
        link.configured_by,
        link.cost,
        at_risk,
        link.source,
    )
