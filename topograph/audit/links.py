"""The servers and links that a change brings, takes away or alters: two graphs of one network
compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from topograph.audit.differences import LISTED
from topograph.findings import Source
from topograph.forwarding.graph import POSITIONS, ForwardingGraph, Server
from topograph.forwarding.reached import LinkShown, shown_links
from topograph.questions.answers.audit import LinkMoved, LinksChanged, ServerMoved, ServersChanged
from topograph.records import record

Pair = tuple[str, str]
Row = tuple[Any, ...]
"""A link as ``_counted`` gives it, names first."""

Conditions = Mapping[Pair, tuple[str, ...]]
"""What messages have to be like, by the two servers of a direction: texts of guards in order."""

WAITS = "nothing passes at the moment"
"""The condition of a direction that lets nothing pass, though it is configured."""


def servers_changed(before: ForwardingGraph, after: ForwardingGraph) -> ServersChanged:
    """The servers that only one of two graphs has, and those whose configuration only the first
    has. Linear in the servers."""
    added, removed = _only_in(after, before), _only_in(before, after)
    there = {one.name for one in after.servers if one.loaded}
    named = {one.name for one in after.servers} - there
    removed = [
        replace(row, still_named=True) if row.loaded and row.server in named else row
        for row in removed
    ]
    removed = sorted((*removed, *_unloaded(before, after)), key=lambda row: row.server)
    return ServersChanged(tuple(added[:LISTED]), tuple(removed[:LISTED]), len(added), len(removed))


def _numbers(graph: ForwardingGraph) -> dict[tuple[str, str], int]:
    """The servers of a graph by system and name."""
    return {(one.system, one.name): number for number, one in enumerate(graph.servers)}


def _only_in(one: ForwardingGraph, other: ForwardingGraph) -> list[ServerMoved]:
    there = _numbers(other)

    def moved(server: Server) -> ServerMoved:
        return ServerMoved(server.name, server.system, server.loaded, server.source)

    return sorted(
        (moved(server) for server in one.servers if (server.system, server.name) not in there),
        key=lambda row: row.server,
    )


def _unloaded(before: ForwardingGraph, after: ForwardingGraph) -> Iterator[ServerMoved]:
    """The servers that both graphs have and whose configuration only the first has."""
    there = _numbers(after)
    for server in before.servers:
        number = there.get((server.system, server.name), -1) if server.loaded else -1
        if number >= 0 and not after.servers[number].loaded:
            yield ServerMoved(server.name, server.system, True, server.source, still_named=True)


def links_changed(
    before: ForwardingGraph,
    after: ForwardingGraph,
    was_passing: ForwardingGraph,
    is_passing: ForwardingGraph,
) -> LinksChanged:
    """The links of two graphs by their ends, name, role and properties. Two links of the same
    two servers of which both differ in properties (zone, cost, who configures them) are one that
    is altered; so is a link on which other messages pass than before. ``was_passing`` and
    ``is_passing`` are the graphs without what lets nothing pass at the moment
    (``systems.contract.changes``); may be the graphs themselves. Linear in links and points."""
    if before is after and was_passing is is_passing:
        return LinksChanged()
    was, now = _counted(before), _counted(after)
    conditions = link_conditions(before, was_passing), link_conditions(after, is_passing)
    others = {
        direction
        for direction in {*conditions[0], *conditions[1]}
        if conditions[0].get(direction) != conditions[1].get(direction)
    }
    touched = {_ends(one) for one in (was - now) + (now - was)} | set(map(_ends, others))
    found = compared_links(_of_ends(before, touched), _of_ends(after, touched), *conditions)
    added = list(map(_moved, found.added))
    removed = list(map(_moved, found.removed))
    changed = [
        replace(_moved(one.after), before=one.was, after=one.is_now) for one in found.altered
    ]
    return LinksChanged(
        tuple(added[:LISTED]),
        tuple(removed[:LISTED]),
        tuple(changed[:LISTED]),
        len(added),
        len(removed),
        len(changed),
    )


@record
class LinkAltered:
    """A link before and after, and in words what is different: what ``was``, what ``is_now``."""

    before: LinkShown
    after: LinkShown
    was: tuple[str, ...]
    is_now: tuple[str, ...]


@record
class LinksCompared:
    """The links of two states by the names of their ends. ``kept`` are those that both have, each
    as it is in either, the ``altered`` ones of which only the messages differ among them."""

    kept: tuple[tuple[LinkShown, LinkShown], ...]
    altered: tuple[LinkAltered, ...]
    removed: tuple[LinkShown, ...]
    added: tuple[LinkShown, ...]


def compared_links(
    before: Iterable[LinkShown],
    after: Iterable[LinkShown],
    was_passing: Conditions,
    is_passing: Conditions,
) -> LinksCompared:
    """Which links of two states are the same, wherever they are in their files; which of the same
    two servers are altered, which go and which come. The conditions (``link_conditions``) say what
    messages pass: where that is all that differs, the first link of the two servers is altered.
    Linear in the links, sorting aside.
    """
    old, new = _by_ends(before), _by_ends(after)
    kept: list[tuple[LinkShown, LinkShown]] = []
    altered: list[LinkAltered] = []
    removed: list[LinkShown] = []
    added: list[LinkShown] = []
    for ends in sorted(old.keys() | new.keys()):
        was, now = old.get(ends, []), new.get(ends, [])
        gone, come = Counter(map(_identity, was)), Counter(map(_identity, now))
        same = gone & come
        stay = _in_order(_of(was, same)), _in_order(_of(now, same))
        kept += zip(*stay, strict=True)
        differing = _of(was, gone - come), _of(now, come - gone)
        both = min(map(len, differing))
        for one, other in zip(differing[0][:both], differing[1][:both], strict=True):
            altered.append(
                LinkAltered(one, other, _properties(one, other), _properties(other, one))
            )
        removed += differing[0][both:]
        added += differing[1][both:]
        stays = next((one for one in now if same[_identity(one)]), None)
        if stays is not None and not both:
            first = next(one for one, other in zip(*stay, strict=True) if other == stays)
            only_before = _told(stays, was_passing, is_passing)
            only_after = _told(stays, is_passing, was_passing)
            if only_before or only_after:
                altered.append(LinkAltered(first, stays, only_before, only_after))
    return LinksCompared(tuple(kept), tuple(altered), tuple(removed), tuple(added))


def _counted(graph: ForwardingGraph) -> Counter[Row]:
    """The links as rows of names and properties, without what is slow to make."""
    names = [server.name for server in graph.servers]
    return Counter(
        (
            names[one.a],
            names[one.b],
            one.zone,
            one.zone_type,
            one.configured_by,
            one.cost,
            one.one_way,
            one.name,
            one.role,
        )
        for one in graph.links
        if one.carries
    )


def _ends(row: Row) -> Pair:
    """The two names that a row or a direction begins with, in order."""
    return min(row[:2]), max(row[:2])


def _of_ends(graph: ForwardingGraph, wanted: Collection[Pair]) -> list[LinkShown]:
    names = [server.name for server in graph.servers]
    links = [one for one in graph.links if _ends((names[one.a], names[one.b])) in wanted]
    return shown_links(replace(graph, links=links))


def _by_ends(links: Iterable[LinkShown]) -> dict[Pair, list[LinkShown]]:
    found: dict[Pair, list[LinkShown]] = {}
    for link in links:
        found.setdefault(_ends(link.ends), []).append(link)
    return found


def _identity(link: LinkShown) -> LinkShown:
    """A link wherever it stands in its file."""
    return replace(link, source=Source(""))


def _in_order(links: list[LinkShown]) -> list[LinkShown]:
    """Links of two servers in an order that does not depend on where they are in their files."""
    return sorted(links, key=lambda one: repr(_identity(one))) if len(links) > 1 else links


def _of(links: Iterable[LinkShown], counts: Counter[LinkShown]) -> list[LinkShown]:
    """So many of the links of each kind, in order."""
    left = counts.copy()
    found = []
    for link in links:
        if left[_identity(link)] > 0:
            left[_identity(link)] -= 1
            found.append(link)
    return found


def _moved(link: LinkShown) -> LinkMoved:
    return LinkMoved(
        *link.ends,
        link.zone,
        link.zone_type,
        link.configured_by,
        link.cost,
        link.one_way,
        link.name,
        link.role,
        link.source,
        *link.systems,
    )


def _properties(link: LinkShown, other: LinkShown) -> tuple[str, ...]:
    """What is different of a link, in words."""
    both_ends = link.configured_by == "active-active"
    told = [
        (
            link.zone != other.zone or link.zone_type != other.zone_type,
            f"zone {link.zone} ({link.zone_type})",
        ),
        (link.cost != other.cost, f"cost {link.cost}"),
        (
            link.configured_by != other.configured_by,
            "configured by both ends" if both_ends else f"configured by {link.configured_by}",
        ),
        (link.name != other.name, f"name {link.name}"),
        (link.role != other.role, link.role),
        (link.one_way != other.one_way, "one way" if link.one_way else "both ways"),
    ]
    return tuple(words for differs, words in told if differs)


def link_conditions(
    graph: ForwardingGraph, passing: ForwardingGraph, names: Sequence[str] = ()
) -> Conditions:
    """What the steps from one server to another ask of messages. A direction that is configured
    and lets nothing pass has that as its condition. ``names`` are what the servers are called
    instead of by their names, in the order of the graph. Linear in the points and their guards.
    """
    names = names or [server.name for server in graph.servers]
    entered, passes = (
        np.bincount(one.ends, minlength=one.node_count) > 0 for one in (graph, passing)
    )
    set_of, sets = graph.guard_sets
    texts = [
        tuple(sorted({one.text for one in own if one.kind not in POSITIONS}))
        for own in ([graph.guards[at] for at in guards] for guards in sets)
    ]
    columns = graph.columns
    steps = np.flatnonzero(
        (columns.previous >= 0)
        & (columns.previous != columns.server)
        & entered[: len(graph.points)]
    )
    rows = zip(
        columns.previous[steps].tolist(),
        columns.server[steps].tolist(),
        set_of[steps].tolist(),
        passes[steps].tolist(),
        strict=True,
    )
    return {
        (names[previous], names[server]): texts[number] if goes else (*texts[number], WAITS)
        for previous, server, number, goes in rows
    }


def _told(link: LinkShown, own: Conditions, other: Conditions) -> tuple[str, ...]:
    """The conditions that only the first of two graphs has on a link, by direction."""
    directions: Sequence[Pair] = [link.ends] if link.one_way else [link.ends, link.ends[::-1]]
    return tuple(
        f"{start} to {end}: {text}"
        for start, end in directions
        for text in own.get((start, end), ())
        if text not in other.get((start, end), ())
    )
