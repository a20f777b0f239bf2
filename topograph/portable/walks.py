"""One forwarding graph as columns: servers, points, forwards, guards, and what is said of them
in answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import POSITIONS, ForwardingGraph
from topograph.forwarding.points import Labels, PointColumns
from topograph.portable.arrays import Texts, packed
from topograph.questions.answers.base import Caution
from topograph.questions.cautions import CUT_OFF_LISTED
from topograph.questions.model import Model, Part
from topograph.questions.steps import link_names
from topograph.systems.contract.portable import (
    Halt,
    LeastCost,
    LeftOpen,
    PerhapsTaken,
    PortableWalks,
    Unseen,
)
from topograph.systems.registry import system
from topograph.tracing.assumptions import positions_of


def walks_of(model: Model, part: Part, texts: Texts) -> dict[str, Any]:
    """The section of one part. ``form`` is None where its system lets nobody walk without it:
    then only its servers are there.
    """
    graph = part.graph
    offered = part.system.capabilities.portable
    walks = None if offered is None else offered().walks(graph)
    section: dict[str, Any] = {
        "form": None if walks is None else walks.form,
        "system": graph.system,
        "servers": _servers(graph, texts),
    }
    if walks is None:
        return section
    if walks.perhaps_taken:
        section["perhapsTaken"] = _perhaps_taken(walks.perhaps_taken, texts)
    if walks.perhaps_joined:
        section["perhapsJoined"] = [
            [packed(sorted(servers)), _position(assumption, texts)]
            for servers, assumption in walks.perhaps_joined
        ]
    if walks.undecided:
        section["undecided"] = [[guard, texts(why)] for guard, why in walks.undecided.items()]
    return section | {
        "described": walks.described,
        "points": _points(graph, walks, texts),
        "rows": {"sizes": packed(np.diff(graph.starts)), "ends": packed(graph.ends)},
        "forwards": _forwards(graph, texts) if walks.described == "forward" else None,
        "guards": _guards(part, walks, texts),
        "guardSets": _guard_sets(graph.guard_sets[1]),
        "chosen": packed(sorted(walks.chosen)),
        "leftOpen": None if walks.left_open is None else _left_open(walks.left_open, texts),
        "apart": [list(pair) for pair in walks.apart],
        "notJoined": [list(pair) for pair in _not_joined(part)],
        "leastCost": None if walks.least_cost is None else _least_cost(walks.least_cost),
        "links": _links(graph),
        "halts": [_halt(texts, walks.halts[key]) for key in walks.halts],
        "visited": None if walks.visited is None else _halt(texts, walks.visited),
        "possibly": None
        if walks.possibly is None
        else [texts(walks.possibly[0]), *_source(texts, walks.possibly[1])],
        "unseen": None if walks.unseen is None else _unseen(walks.unseen, texts),
        "cutOff": [
            [number, texts(why), *_source(texts, source)]
            for number, (why, source) in sorted(part.paths.cut_off(graph).items())
        ],
        "observed": _observed(model, part, texts),
        "listed": CUT_OFF_LISTED,
        "longReplies": _pair(texts, part.system.citing.long_replies),
        "costs": part.system.capabilities.has_costs,
    }


def caution(texts: Texts, one: Caution) -> list[int]:
    """A caution as rule, message and place; without the last where it has none."""
    return [
        texts(one.rule),
        texts(one.message),
        *(_source(texts, one.source) if one.source is not None else ()),
    ]


def _source(texts: Texts, source: Source) -> list[int]:
    return [texts(source.file), source.line, source.column]


def _sources(texts: Texts, sources: Iterable[Source]) -> dict[str, str]:
    listed = list(sources)
    return {
        "file": texts.column(one.file for one in listed),
        "line": packed([one.line for one in listed]),
        "column": packed([one.column for one in listed]),
    }


def _pair(texts: Texts, pair: tuple[str, str] | None) -> list[int] | None:
    return None if pair is None else [texts(pair[0]), texts(pair[1])]


def _halt(texts: Texts, halt: Halt) -> list[int]:
    return [
        texts(halt.reason),
        texts(halt.text),
        texts(halt.rule),
        *(_source(texts, halt.source) if halt.source is not None else ()),
    ]


def _servers(graph: ForwardingGraph, texts: Texts) -> dict[str, Any]:
    """The servers, and ``rank``: the place of each by name, which is not the order in which
    scripts compare texts.
    """
    servers = graph.servers
    rank = np.empty(len(servers), np.int32)
    rank[sorted(range(len(servers)), key=lambda number: (servers[number].name, number))] = (
        np.arange(len(servers))
    )
    return {
        "name": texts.column(one.name for one in servers),
        "system": texts.column(one.system for one in servers),
        "loaded": packed([one.loaded for one in servers]),
        "openEnded": packed([one.open_ended for one in servers]),
        "incomplete": texts.column(one.incomplete for one in servers),
        "incompleteRule": texts.column(
            system(one.system).citing.incomplete_rule for one in servers
        ),
        "rank": packed(rank),
        **_sources(texts, (one.source for one in servers)),
    }


def _links(graph: ForwardingGraph) -> dict[str, Any]:
    """The ends of the links, and whether messages pass from the first to the second only."""
    links = graph.links
    return {
        "a": packed([link.a for link in links]),
        "b": packed([link.b for link in links]),
        "oneWay": packed([link.one_way for link in links]),
    }


def _points(graph: ForwardingGraph, walks: PortableWalks, texts: Texts) -> dict[str, Any]:
    """The points; ``halt`` is the number of the halt of its zone, one more, or 0."""
    columns = graph.columns
    kinds = columns.kind.texts()
    numbers = {key: place for place, key in enumerate(walks.halts, 1)}
    pairs = zip(columns.zone.texts(), columns.zone_type.texts(), strict=True)
    return {
        "server": packed(columns.server),
        "previous": None if _previous_is_opposite(columns) else packed(columns.previous),
        "link": packed(columns.link),
        "target": packed(
            np.where(np.array([kind == "toward" for kind in kinds], bool), columns.target, -1)
        ),
        "arrival": packed([kind == "arrival" for kind in kinds]),
        "zone": _labels(texts, columns.zone),
        "rule": _labels(texts, columns.rule),
        "confidence": _labels(texts, columns.confidence),
        "cost": packed(columns.cost),
        "guards": packed(graph.guard_sets[0]),
        "halt": packed([numbers.get(pair, 0) for pair in pairs]),
        "file": _labels(texts, columns.file),
        "line": packed(columns.line),
        "column": packed(columns.column),
    }


def _previous_is_opposite(columns: PointColumns) -> bool:
    """Whether the server before each arrival is that of the other arrival over its link, so that
    it need not be said. Linear but for one sort.
    """
    arrivals = np.flatnonzero(columns.link >= 0)
    order = arrivals[np.argsort(columns.link[arrivals], kind="stable")]
    if len(order) % 2:
        return False
    one, two = order.reshape(-1, 2).T
    links, server, previous = columns.link, columns.server, columns.previous
    rest = np.ones(len(columns), np.bool_)
    rest[arrivals] = False
    paired = (
        (links[one] == links[two]) & (previous[one] == server[two]) & (previous[two] == server[one])
    )
    return bool(paired.all() and (previous[rest] == -1).all() and (np.diff(links[one]) > 0).all())


def _labels(texts: Texts, labels: Labels) -> str:
    numbers = np.array([texts(value) for value in labels.values], np.int64)
    return packed(numbers[labels.codes] if len(labels.codes) else labels.codes)


def _guard_sets(sets: Sequence[Sequence[int]]) -> dict[str, str]:
    return {
        "sizes": packed([len(one) for one in sets]),
        "guards": packed([guard for one in sets for guard in one]),
    }


def _forwards(graph: ForwardingGraph, texts: Texts) -> dict[str, Any]:
    """Every forward, in the order of the rows: what permits it, where points do not say that."""
    starts = np.repeat(np.arange(len(graph.points)), np.diff(graph.starts)).tolist()
    permissions = [
        graph.permission(start, end) for start, end in zip(starts, graph.ends.tolist(), strict=True)
    ]
    sets: dict[tuple[int, ...], int] = {}
    named = link_names(graph)
    pairs = zip(starts, graph.ends.tolist(), strict=True)
    return {
        "rule": texts.column(one.rule for one in permissions),
        "confidence": texts.column(str(one.confidence) for one in permissions),
        "cost": packed([one.cost for one in permissions]),
        "guards": packed([sets.setdefault(one.guards, len(sets)) for one in permissions]),
        "guardSets": _guard_sets(list(sets)),
        "link": texts.column(named(start, end) for start, end in pairs),
        **_sources(texts, (one.source for one in permissions)),
    }


def _left_open(left_open: Mapping[int, Sequence[LeftOpen]], texts: Texts) -> dict[str, Any]:
    """What is left open from each server, one after another; ``near`` is one more than the
    server, or 0.
    """
    rows = [(start, one) for start, entries in sorted(left_open.items()) for one in entries]
    return {
        "start": packed([start for start, _ in rows]),
        "server": packed([one.server for _, one in rows]),
        "because": texts.column(one.because for _, one in rows),
        "near": packed([0 if one.near is None else one.near + 1 for _, one in rows]),
        **_sources(texts, (one.source for _, one in rows)),
    }


def _perhaps_taken(listed: Sequence[PerhapsTaken], texts: Texts) -> list[list[int]]:
    """The servers from which something that is not loaded may take messages on: why, with its
    place, and the assumption that nothing does.
    """
    return [
        [
            *(one.server, texts(one.because)),
            *_source(texts, one.source),
            *_position(one.assumption, texts),
        ]
        for one in listed
    ]


def _unseen(unseen: Unseen, texts: Texts) -> dict[str, Any]:
    """The links that no file shows, each with where it begins and what it leads to; None where
    they are too many.
    """
    links = unseen.links
    rows = (
        None
        if links is None
        else [
            [one.server, one.zone, packed(one.here), packed(one.beyond), texts(one.name)]
            for one in links
        ]
    )
    return {
        "assumption": _position(unseen.assumption, texts),
        "asShown": _position(unseen.as_shown, texts),
        "judged": unseen.judged,
        "links": rows,
    }


def _position(one: Assumption, texts: Texts) -> list[int]:
    return [texts(one.rule), texts(one.confidence), texts(one.text), texts(one.alternative)]


def _not_joined(part: Part) -> Iterator[tuple[str, str]]:
    """The pairs of systems of a part of which messages of the first get nowhere in the second,
    whatever their servers say.
    """
    joined = part.joined
    for here in sorted(joined):
        for there in sorted(joined.keys() - joined[here]):
            yield here, there


def _least_cost(least: LeastCost) -> dict[str, Any]:
    return {
        "a": packed([a for a, _, _ in least.links]),
        "b": packed([b for _, b, _ in least.links]),
        "cost": packed([cost for _, _, cost in least.links]),
        "beside": packed(sorted(least.beside)),
    }


def _guards(part: Part, walks: PortableWalks, texts: Texts) -> dict[str, Any]:
    """The guards: ``condition`` what a step says of one, ``asks`` whether a step names it,
    ``asksReply`` whether that of a reply does; ``position`` the number of the position that it
    stands for, one more, or 0; ``shut`` what is said where it lets nothing pass, ``open`` where
    that is not known; ``waits`` are those before which messages wait."""
    guards, graph = part.graph.guards, part.graph
    asks = [guard.kind not in POSITIONS for guard in guards]
    positions = positions_of(graph, range(len(guards)))
    place = {one: number for number, one in enumerate(positions, 1)}
    of_guard = [
        0 if ask else place[positions_of(graph, [number])[0]] for number, ask in enumerate(asks)
    ]
    passes = part.paths.passes_replies
    return {
        "text": texts.column(guard.text for guard in guards),
        "condition": texts.column(map(part.paths.condition, guards)),
        "asks": packed(asks),
        "asksReply": packed(
            [ask and not passes(guard) for ask, guard in zip(asks, guards, strict=True)]
        ),
        "position": packed(of_guard),
        "positions": [_position(one, texts) for one in positions],
        "shut": [[number, *_halt(texts, halt)] for number, halt in sorted(walks.shut.items())],
        "open": [[number, *_halt(texts, halt)] for number, halt in sorted(walks.open.items())],
        "waits": packed(sorted(graph.holding)),
    }


def _observed(model: Model, part: Part, texts: Texts) -> Sequence[list[int]]:
    """The links over which nothing went when they were observed: server, rule, text, place.
    Reads findings only for systems that have such.
    """
    servers = part.graph.servers
    kinds = frozenset().union(
        *(system(name).citing.observed_stops for name in {one.system for one in servers})
    )
    if not kinds:
        return []
    names = {server.name for server in servers}
    return [
        [texts(one.server), *caution(texts, Caution(one.rule, one.message, one.source))]
        for one in model.records.findings
        if one.kind in kinds and one.server in names
    ]
