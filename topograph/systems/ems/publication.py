"""What a publication to a topic does in an EMS network: which servers get it, where it stops and why (ems.md 2.4, 2.5, 6.3).

Interest comes from subscribers backwards over open ``global`` and grant guards; the message goes forwards over all guards; it is sent on
exactly where the two walks meet (R40, R41).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Bools, Closed, ForwardingGraph
from topograph.forwarding.points import Point
from topograph.forwarding.reached import Reached, Stop
from topograph.forwarding.simple import Path, SimpleWalks
from topograph.forwarding.walker import Walker
from topograph.message import Properties
from topograph.outcomes import NotForwarded, Truth
from topograph.systems.ems.doubt import Doubt
from topograph.systems.ems.guards import INTEREST_KINDS, REASONS, Verdict, evaluate
from topograph.systems.ems.topics import matches
from topograph.systems.ems.walks import best_per_server, points_at, undecided_servers, walks_from

RULES: Mapping[NotForwarded, str] = {
    NotForwarded.ZONE: "R13",
    NotForwarded.SELECTOR: "R65",
    NotForwarded.NOT_GLOBAL: "R42",
    NotForwarded.NO_INTEREST: "R41",
    NotForwarded.ACL: "R49",
    NotForwarded.ROUTE_DOWN: "R6",
    NotForwarded.ALREADY_VISITED: "R16",
}
"""The rule that stops a message at a link, by condition (outcomes.md section 1)."""


@dataclass
class Published:
    """The result: ``paths`` to every other server that gets the message (transit included), ``copies`` of each, ``stops``,
    ``undetermined`` servers with the reason. ``interest`` are the arrivals with interest behind them: the server before has an internal
    subscriber for the one they are at (R40)."""

    start: int
    paths: dict[int, Path]
    copies: dict[int, int]
    stops: list[Stop]
    undetermined: dict[int, tuple[str, Source]] = field(default_factory=dict)
    interest: frozenset[int] = frozenset()
    doubled: bool = False
    exact: bool = True


@dataclass(frozen=True)
class Verdicts:
    """What every guard of the network says about one message. ``failing`` do not let it pass; ``unknown`` of those are not decided by the
    loaded files or the question; ``interest`` of those also stop interest; ``replaced`` of those are selector lines that a later line for the same topic
    would replace (A16). ``applying`` are the selectors whose topic matches."""

    of: Mapping[int, Verdict]
    failing: frozenset[int]
    unknown: frozenset[int]
    interest: frozenset[int]
    replaced: frozenset[int]
    applying: frozenset[int]


def judge(graph: ForwardingGraph, topic: str, properties: Properties) -> Verdicts:
    """Evaluate each distinct guard once. Linear in the guards."""
    of = {number: evaluate(guard, topic, properties) for number, guard in enumerate(graph.guards)}
    failing = frozenset(number for number, verdict in of.items() if not verdict.passes)
    applying = frozenset(
        number
        for number, guard in enumerate(graph.guards)
        if guard.kind == "selector" and matches(json.loads(guard.payload)["topic"], topic)
    )
    return Verdicts(
        of,
        failing,
        frozenset(number for number in failing if not of[number].known),
        frozenset(number for number in failing if graph.guards[number].kind in INTEREST_KINDS),
        frozenset(number for number in failing & applying if json.loads(graph.guards[number].payload)["replaced"]),
        applying,
    )


def publish(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    verdicts: Verdicts,
    interested: Collection[int],
    budget: Budget,
) -> Published:
    """Follow one message from server ``start`` to the servers ``interested`` (numbers of servers with a subscriber).

    Two walks over the graph, and the bounded search of ``walks_from`` on illegal networks; one more walk where guards are undecided. Raises BudgetSpent if
    the budget ends before anything is known.
    """
    certain = _meet(graph, walker, start, verdicts.failing, verdicts.interest, interested, budget)
    possible = certain
    if verdicts.unknown:
        possible = _meet(
            graph,
            walker,
            start,
            verdicts.failing - verdicts.unknown,
            verdicts.interest - verdicts.unknown,
            {*interested, *(n for n, server in enumerate(graph.servers) if not server.loaded)},
            budget,
        )
    result = Published(
        start,
        certain.paths,
        certain.copies,
        _stops(graph, certain, verdicts, possible.interest),
        doubled=certain.doubled,
    )
    left_open = certain.undecided | (possible.undecided - possible.paths.keys() - certain.paths.keys())
    result.exact = not (certain.cut or possible.cut)
    for number in left_open:
        because = f"{budget.ended}, before a path was found or excluded"
        result.undetermined[number] = (because, graph.servers[number].source)
    # Nothing is said of a link to a server that the message may still get to over another one.
    result.stops = [stop for stop in result.stops if stop.to not in left_open]
    _add_undetermined(graph, walker, result, possible, verdicts, interested)
    result.interest = certain.interest
    return result


@dataclass
class _Meeting:
    start: int
    paths: dict[int, Path]
    copies: dict[int, int]
    interest: frozenset[int]
    undecided: set[int]
    doubled: bool
    cut: bool = False


def _meet(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    failing: frozenset[int],
    failing_interest: frozenset[int],
    interested: Collection[int],
    budget: Budget,
) -> _Meeting:
    targets = points_at(graph, interested)
    leading = walker.walk_back(targets, Closed(guards=failing_interest)) if targets else None
    is_open = graph.open_points(Closed(guards=failing_interest))
    wanted = leading.points[is_arrival(graph)[leading.points]] if leading else np.array([], np.int32)
    interest = frozenset((wanted if is_open is None else wanted[is_open[wanted]]).tolist())
    # Interest runs back along every forward that is open for it, so a path that ends at a point with interest has it all the way.
    reached = walks_from(graph, walker, start, Closed(guards=failing), budget)
    walks = SimpleWalks(
        {point: path for point, path in reached.paths.items() if point == start or point in interest},
        reached.undecided & interest,
    )
    arrivals = np.array([point for point, path in walks.paths.items() if len(path) > 1], np.int32)
    copies = dict(
        zip(*(column.tolist() for column in np.unique(graph.point_server[arrivals], return_counts=True)), strict=True)
    )
    paths = best_per_server(graph, walks)
    doubled = any(count > 1 for count in copies.values())
    undecided = undecided_servers(graph, walks, paths)
    return _Meeting(start, paths, copies, interest, undecided, doubled, bool(walks.undecided))


def is_arrival(graph: ForwardingGraph) -> Bools:
    """Which points are arrivals."""
    kinds = graph.columns.kind
    return np.array([kind == "arrival" for kind in kinds.values], bool)[kinds.codes]


def _add_undetermined(
    graph: ForwardingGraph,
    walker: Walker,
    result: Published,
    possible: _Meeting,
    verdicts: Verdicts,
    interested: Collection[int],
) -> None:
    """Servers that undecided guards or open-ended servers could let the message reach."""
    start = result.start
    for number, path in possible.paths.items():
        if number in result.paths:
            continue
        blocked = next(
            (g for p in path[1:] for g in graph.points[p].guards if g in verdicts.unknown),
            None,
        )
        if blocked is not None:
            guard = graph.guards[blocked]
            result.undetermined.setdefault(number, (verdicts.of[blocked].note or guard.text, guard.source))
    doubt = Doubt(graph, walker, Closed(guards=verdicts.interest - verdicts.unknown))
    if not doubt.open_ended:
        return
    for number in interested:
        if number != start and number not in result.paths and number not in result.undetermined:
            because = doubt.unreached(start, number)
            if because is not None:
                result.undetermined[number] = because


def stops(graph: ForwardingGraph, walker: Walker, reached: Reached) -> list[Stop]:  # noqa: ARG001  (one signature for all systems)
    """Why the servers that zones do not let a message reach are not reached: the links where it ends, by ends (R6, R13). Not those to servers
    that are not loaded: whether they route is not known."""
    down = {n: Verdict(Truth.FALSE) for n, guard in enumerate(graph.guards) if guard.kind == "link"}
    everywhere = frozenset(range(len(graph.points)))
    verdicts = Verdicts(down, frozenset(down), frozenset(), frozenset(down), frozenset(), frozenset())
    meeting = _Meeting(reached.start, reached.paths, {}, everywhere, set(), reached.doubled)
    found = _stops(graph, meeting, verdicts, everywhere)
    return [stop for stop in found if graph.servers[stop.to].loaded]


def _stops(
    graph: ForwardingGraph, meeting: _Meeting, verdicts: Verdicts, possible_interest: frozenset[int]
) -> list[Stop]:
    """Every link out of a server that has the message which it does not take to a server that does not get the message either.

    A link whose selectors the question leaves undecided is none of them: what lies behind it is undetermined. ``possible_interest`` are the points
    that have interest if what is not known turns out so.
    """
    arrived = {meeting.start: meeting.start, **{server: path[-1] for server, path in meeting.paths.items()}}
    leaving: dict[int, list[int]] = {}
    has_it = np.zeros(len(graph.servers), bool)
    has_it[list(arrived)] = True
    columns = graph.columns
    ends_it = is_arrival(graph) & has_it[columns.previous] & ~has_it[columns.server]
    for number in np.flatnonzero(ends_it).tolist():
        leaving.setdefault(int(columns.previous[number]), []).append(number)
    found = []
    for server, links in leaving.items():
        here = graph.points[arrived[server]]
        found += [_stop(graph, meeting, verdicts, here, number, number in possible_interest) for number in links]
    certain = [stop for stop in found if stop is not None]
    return sorted(certain, key=lambda stop: (graph.servers[stop.at].name, graph.servers[stop.to].name))


def _stop(
    graph: ForwardingGraph, meeting: _Meeting, verdicts: Verdicts, here: Point, number: int, possible: bool
) -> Stop | None:
    point = graph.points[number]

    def because(reason: NotForwarded, guard: str, truth: Truth, source: Source) -> Stop:
        return Stop(point.previous, point.server, reason, guard, truth, source, RULES[reason])

    failing = _decisive(graph, point, verdicts)
    if failing is not None:
        guard = graph.guards[failing]
        text = _global_text(graph, point, verdicts) if guard.kind == "global" else guard.text
        source = guard.source if guard.kind in ("selector", "link") else point.source
        return because(REASONS[guard.kind], text, verdicts.of[failing].truth, source)
    if here.kind == "arrival" and here.zone == point.zone and here.zone_type == "1hop":
        text = f"it came over 1hop zone {here.zone}, which takes it one hop only"
        return because(NotForwarded.ZONE, text, Truth.FALSE, point.source)
    if number not in meeting.interest:
        name = graph.servers[point.server].name
        if possible:
            text = f"no subscriber at {name} or behind it is known; the loaded files do not decide it"
            return because(NotForwarded.NO_INTEREST, text, Truth.UNKNOWN, point.source)
        text = f"no subscriber at {name} or behind it"
        return because(NotForwarded.NO_INTEREST, text, Truth.FALSE, point.source)
    if not verdicts.unknown.isdisjoint(point.guards):
        return None
    return because(NotForwarded.ALREADY_VISITED, "it has been to this server", Truth.FALSE, point.source)


def _decisive(graph: ForwardingGraph, point: Point, verdicts: Verdicts) -> int | None:
    """The guard of a point that stops the message for certain, else one that the loaded files do not decide; None if only selectors are left
    open."""
    failing = [number for number in point.guards if number in verdicts.failing]
    certain = [number for number in failing if number not in verdicts.unknown]
    undecided = [number for number in failing if graph.guards[number].kind != "selector"]
    return next(iter(certain + undecided), None)


def _global_text(graph: ForwardingGraph, point: Point, verdicts: Verdicts) -> str:
    """At which end the topic is not global. The first ``global`` guard of a point is the sending end's, the second the receiving end's."""
    ends = (graph.servers[point.previous].name, graph.servers[point.server].name)
    pair = [number for number in point.guards if graph.guards[number].kind == "global"]
    at = [(name, verdicts.of[number]) for name, number in zip(ends, pair, strict=True) if number in verdicts.failing]
    lacking = [name for name, verdict in at if verdict.known]
    if not lacking:
        return at[0][1].note
    return f"the topic is not global at {' nor at '.join(lacking)}"


@dataclass(frozen=True, slots=True)
class SelectorInForce:
    """A route selector that applies to a topic on one direction of a link."""

    topic: str
    selector: str
    source: Source
    replaced: bool


def effective_selectors(graph: ForwardingGraph, start: int, end: int, topic: str) -> list[SelectorInForce]:
    """The selectors that are combined with AND for ``topic`` from server ``start`` to ``end`` (R65); empty if unrestricted (R64)."""
    found = []
    for number in graph.points_of_server[end]:
        point = graph.points[number]
        if point.kind != "arrival" or point.previous != start:
            continue
        for guard in (graph.guards[g] for g in point.guards):
            if guard.kind == "selector":
                payload = json.loads(guard.payload)
                if matches(payload["topic"], topic):
                    found.append(
                        SelectorInForce(payload["topic"], payload["selector"], guard.source, payload["replaced"])
                    )
    return found


@dataclass(frozen=True, slots=True)
class OtherReading:
    """A position that matters for one message: with the alternative the servers ``more`` would get it too."""

    rule: str
    text: str
    alternative: str
    more: tuple[str, ...]


def other_readings(
    graph: ForwardingGraph,
    walker: Walker,
    found: Published,
    verdicts: Verdicts,
    interested: Collection[int],
    budget: Budget,
) -> list[OtherReading]:
    """Where the outcome hangs on how several selectors combine: duplicate lines (A16), several that match (A6). One more publication each.
    Raises BudgetSpent if the budget ends before all is known."""
    result = []
    for rule, relaxed, text, alternative in (
        (
            "A16",
            verdicts.replaced,
            "two selector lines for one topic and direction both apply (AND)",
            "the later line replaces the earlier one",
        ),
        (
            "A6",
            _beside_one_that_holds(graph, verdicts),
            "all selectors that match the topic must hold (AND)",
            "one matching selector suffices",
        ),
    ):
        if not relaxed:
            continue
        other = replace(verdicts, failing=verdicts.failing - relaxed)
        relaxed_found = publish(graph, walker, found.start, other, interested, budget)
        if not relaxed_found.exact:
            raise BudgetSpent
        more = tuple(sorted(graph.servers[n].name for n in relaxed_found.paths.keys() - found.paths.keys()))
        if more:
            result.append(OtherReading(rule, text, alternative, more))
    return result


def _beside_one_that_holds(graph: ForwardingGraph, verdicts: Verdicts) -> frozenset[int]:
    """Failing selectors that everywhere stand beside one that applies to the topic and holds."""
    relaxed: set[int] = set()
    kept: set[int] = set()
    for guards in graph.guard_sets[1]:
        applying = verdicts.applying.intersection(guards)
        failing = applying & verdicts.failing
        (relaxed if applying - failing else kept).update(failing)
    return frozenset(relaxed - kept)
