"""What a publication to a topic does in an EMS network: which servers get it, where it stops and
why (ems.md 2.4, 2.5, 6.3).

Interest comes from subscribers backwards over open ``global`` and grant guards; the message goes
forwards over all guards; it is sent on exactly where the two walks meet (R40, R41).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import DOWN, OPEN, Closed, ForwardingGraph
from topograph.forwarding.points import Point
from topograph.forwarding.reached import (
    Decided,
    Needed,
    Reached,
    Stop,
    leads_beyond,
    none_needed,
)
from topograph.forwarding.simple import Path, SimpleWalks
from topograph.forwarding.walker import Walker
from topograph.outcomes import NotForwarded, Truth
from topograph.records import record
from topograph.systems.ems.destinations.guard_index import Verdicts
from topograph.systems.ems.destinations.guards import REASONS, GuardVerdict
from topograph.systems.ems.destinations.texts import TEXTS, text
from topograph.systems.ems.destinations.topics import matches
from topograph.systems.ems.network.doubt import Doubt, cut_off, needed, ruled_out
from topograph.systems.ems.network.links_closed import links_down
from topograph.systems.ems.network.walks import (
    best_per_server,
    is_arrival,
    points_at,
    undecided_servers,
    walks_from,
)
from topograph.systems.ems.topics.conditions import lacking_for

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
class PublicationResult:
    """The result: ``paths`` to every other server that gets the message (transit included),
    ``copies`` of each, ``stops``, ``undetermined`` servers with the reason. ``interest`` are the
    arrivals with interest behind them: the server before has an internal subscriber for the one
    they are at (R40). ``beyond`` says why the message may get to servers that no loaded file
    names, and where that stands. ``towards``: of ``undetermined`` servers the path up to the
    server whose files leave it open, where one leads there. ``decided``: of those servers the
    assumption under which they certainly do not get it, where there is one. ``needed`` gives of
    such a server what servers would need for it to get there over links that no file shows.
    ``one_path`` is True if others do not get it only because a second path beside a shown one is
    not legal."""

    start: int
    paths: dict[int, Path]
    copies: dict[int, int]
    stops: list[Stop]
    undetermined: dict[int, tuple[str, Source]] = field(default_factory=dict)
    interest: frozenset[int] = frozenset()
    doubled: bool = False
    exact: bool = True
    beyond: tuple[str, Source] | None = None
    towards: dict[int, Path] = field(default_factory=dict)
    decided: dict[int, Decided] = field(default_factory=dict)
    needed: Callable[[int], tuple[Needed, ...]] = none_needed
    one_path: bool = False


BEEN_HERE = "it has been to this server"
"""Why a message does not take a link that it might take (R16)."""


def one_hop_only(zone: str) -> str:
    """Why a message that came over a link of a 1hop zone takes no other link of it (R13)."""
    return f"it came over 1hop zone {zone}, which takes it one hop only"


class Cite(Protocol):
    """Where the lines behind guards come from (``evidence``)."""

    def expect(self, servers: Collection[str]) -> None:
        """The servers whose lines will be asked for."""
        ...

    def of(self, point: Point, number: int, at: str = "") -> Source:
        """The line behind guard ``number`` at the link into a point; ``at`` is the server it is
        about.
        """
        ...


class _OfTheRoute:
    """The line of the route, where nobody gives the lines of guards (``Cite``)."""

    def expect(self, servers: Collection[str]) -> None:
        """See ``Cite``."""

    def of(self, point: Point, number: int, at: str = "") -> Source:  # noqa: ARG002
        """See ``Cite``."""
        return point.source


@record(slots=False)
class _OfTheGuard:
    """The line that a guard has of its own (``Cite``): links that are down stand at one place."""

    graph: ForwardingGraph

    def expect(self, servers: Collection[str]) -> None:
        """See ``Cite``."""

    def of(self, point: Point, number: int, at: str = "") -> Source:  # noqa: ARG002
        """See ``Cite``."""
        return self.graph.guards[number].source


NO_UNRELIABLE: Mapping[int, tuple[str, Source]] = MappingProxyType({})


def publish(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    verdicts: Verdicts,
    interested: Collection[int],
    budget: Budget,
    *,
    unreliable: Mapping[int, tuple[str, Source]] = NO_UNRELIABLE,
    cite: Cite | None = None,
    local: Collection[int] = (),
    topic: str = "the topic",
) -> PublicationResult:
    """Follow one message from server ``start`` to the servers ``interested`` (numbers of servers
    with a subscriber). ``unreliable`` are servers whose subscriptions may or may not be routed,
    with the reason (R46); ``local`` those without a link at which the topic is not global;
    ``topic`` is what reasons call the topic.

    Two walks over the graph, and the bounded search of ``walks_from`` on illegal networks; two more
    where something is undecided, and three where servers may have routes that no file shows. Raises
    BudgetSpent if the budget ends before anything is known.
    """
    certain = _meet(graph, walker, start, verdicts.failing, verdicts.interest, interested, budget)
    possible = certain
    unseen = [
        number
        for number, server in enumerate(graph.servers)
        if server.open_ended or not server.loaded
    ]
    if verdicts.unknown or unreliable or unseen:
        possible = _meet(
            graph,
            walker,
            start,
            verdicts.failing - verdicts.unknown,
            verdicts.interest - verdicts.unknown,
            {*interested, *unreliable, *unseen},
            budget,
        )
    telling = _Telling(graph, certain, possible, verdicts, unreliable, cite or _OfTheRoute(), topic)
    result = PublicationResult(
        start, certain.paths, certain.copies, telling.stops(), doubled=certain.doubled
    )
    left_open = certain.undecided | (
        possible.undecided - possible.paths.keys() - certain.paths.keys()
    )
    result.exact = not (certain.cut or possible.cut)
    for number in left_open:
        because = f"{budget.ended}, before a path was found or excluded"
        result.undetermined[number] = (because, graph.servers[number].source)
    # Nothing is said of a link to a server that the message may still get to over another one.
    result.stops = [stop for stop in result.stops if stop.to not in left_open]
    for number, (because, place, path) in telling.undecided().items():
        if number not in result.undetermined:
            result.undetermined[number] = because, place
            result.towards[number] = path
    if unseen:
        not_loaded = (number for number in unseen if not graph.servers[number].loaded)
        wanted = {*interested, *unreliable, *not_loaded} - {start, *result.paths}
        wanted -= result.undetermined.keys()
        doubt = Doubt(graph, walker, Closed())
        kept = confined(graph, verdicts, local)
        over_unseen = wanted & _over_unseen_routes(graph, start, kept, doubt)
        shown = _shown_from(graph, walker, start) if over_unseen else set()
        result.one_path = not over_unseen.isdisjoint(shown)
        hidden = over_unseen - shown
        for number in hidden:
            result.undetermined[number] = doubt.may_lead_on()
            result.towards[number] = doubt.up_to(start, None, possible.paths, ())
        result.decided = ruled_out(graph, start, hidden, kept)
        result.needed = lambda end: needed(graph, start, end, kept) if end in hidden else ()
        if start not in kept:
            result.beyond = leads_beyond(graph, {start, *possible.reached} - kept)
    result.interest = certain.interest
    return result


def _over_unseen_routes(
    graph: ForwardingGraph, start: int, kept: Collection[int], doubt: Doubt
) -> set[int]:
    """The servers that the message may get to over routes that no loaded file shows (A17). ``kept``
    are the servers that no route takes it from or to.

    Such a route has an end at an open-ended server, and carries the message only if the topic may
    be global at both ends (R42).
    """
    if start in kept or all(number in kept for number in doubt.open_ended):
        return set()
    return set(range(len(graph.servers))).difference(kept)


def _shown_from(graph: ForwardingGraph, walker: Walker, start: int) -> set[int]:
    """The servers that shown links lead to, whatever the message is: where the files show a path
    there is no other, because a second one is not legal (R20)."""
    return set(graph.point_server[walker.walk([start], links_down(graph)).points].tolist())


def confined(graph: ForwardingGraph, verdicts: Verdicts, local: Collection[int]) -> set[int]:
    """The servers that no route takes the message from or to, shown or not: the topic is not
    global there, or their routing is disabled. ``local`` are those of them without a link, which
    no guard is about. Linear in the guard sets and the points."""
    numbers, sets = graph.guard_sets
    closed = {n for n in verdicts.failing - verdicts.unknown if graph.guards[n].kind == "global"}
    pairs = [
        [number in closed for number in guards if graph.guards[number].kind == "global"]
        for guards in sets
    ]
    first = np.array([bool(pair) and pair[0] for pair in pairs], bool)[numbers]
    second = np.array([len(pair) > 1 and pair[1] for pair in pairs], bool)[numbers]
    columns = graph.columns
    found = {*columns.previous[first].tolist(), *columns.server[second].tolist()}
    return found.union(cut_off(graph), local)


@dataclass
class _Meeting:
    start: int
    paths: dict[int, Path]
    copies: dict[int, int]
    interest: frozenset[int]
    undecided: set[int]
    doubled: bool
    reached: frozenset[int]
    cut: bool = False


def arrived(
    graph: ForwardingGraph,
    walker: Walker,
    start: int,
    verdicts: Verdicts,
    waiting: Collection[int],
    interested: Collection[int],
    budget: Budget,
) -> PublicationResult:
    """What ``publish`` finds of paths and copies alone, while ``waiting``, guards of suspended
    routes, let nothing pass: what waits before them is no stop. As much work as a part of
    ``publish``.
    """
    failing = verdicts.failing.union(waiting)
    found = _meet(graph, walker, start, failing, verdicts.interest, interested, budget)
    return PublicationResult(
        start, found.paths, found.copies, [], doubled=found.doubled, exact=not found.cut
    )


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
    wanted = (
        leading.points[is_arrival(graph)[leading.points]] if leading else np.array([], np.int32)
    )
    interest = frozenset((wanted if is_open is None else wanted[is_open[wanted]]).tolist())
    # Interest runs back along every forward that is open for it, so a path that ends at a point
    # with interest has it all the way.
    reached = walks_from(graph, walker, start, Closed(guards=failing), budget)
    walks = SimpleWalks(
        {
            point: path
            for point, path in reached.found.items()
            if point == start or point in interest
        },
        reached.undecided & interest,
    )
    arrivals = np.array([point for point, path in walks.found.items() if len(path) > 1], np.int32)
    copies = dict(
        zip(
            *(
                column.tolist()
                for column in np.unique(graph.point_server[arrivals], return_counts=True)
            ),
            strict=True,
        )
    )
    paths = best_per_server(graph, walks)
    doubled = any(count > 1 for count in copies.values())
    undecided = undecided_servers(graph, walks, paths)
    entered = [*reached.found, *reached.undecided]
    at = frozenset(graph.point_server[np.array(entered, np.int32)].tolist())
    return _Meeting(start, paths, copies, interest, undecided, doubled, at, bool(walks.undecided))


def stops(graph: ForwardingGraph, reached: Reached, ends: Collection[int]) -> list[Stop]:
    """Why zones do not let a message reach the servers ``ends``: the links that lead on towards
    one of them and where it ends, by ends (R6, R13). To servers that are not loaded only those
    that are certainly down: whether such servers route is not known."""
    down = dict.fromkeys(sorted(graph.guards_of(DOWN)), GuardVerdict(Truth.FALSE))
    open_ = graph.guards_of(OPEN)
    of_open = {
        n: GuardVerdict(Truth.UNKNOWN, known=False, note=graph.guards[n].text) for n in open_
    }
    everywhere = frozenset(range(len(graph.points)))
    failing = frozenset(down) | open_
    verdicts = Verdicts(down | of_open, failing, open_, failing, frozenset(), frozenset())
    meeting = _Meeting(
        reached.start,
        dict(reached.paths.items()),
        {},
        everywhere,
        set(),
        reached.doubled,
        frozenset(),
    )
    telling = _Telling(graph, meeting, meeting, verdicts, NO_UNRELIABLE, _OfTheGuard(graph))
    leading = _leading_to(graph, ends, reached)
    found = [
        stop
        for stop in telling.stops()
        if stop.to in leading and (graph.servers[stop.to].loaded or _certainly_down(stop))
    ]
    if graph.servers[reached.start].loaded:
        return found
    # Of an open link of a server that is not loaded nothing is known: not that a message does not
    # take it.
    return [stop for stop in found if stop.reason is not NotForwarded.ALREADY_VISITED]


def _certainly_down(stop: Stop) -> bool:
    return stop.reason is NotForwarded.ROUTE_DOWN and stop.truth is Truth.FALSE


def _leading_to(graph: ForwardingGraph, ends: Collection[int], reached: Reached) -> set[int]:
    """The servers from which links lead on to one of ``ends``, whatever may cross them, past no
    server that a message gets to: these included. Linear in the links."""
    columns = graph.columns
    arrivals = np.flatnonzero(is_arrival(graph))
    into = arrivals[np.argsort(columns.server[arrivals], kind="stable")]
    first = np.searchsorted(columns.server[into], np.arange(len(graph.servers) + 1))
    before = columns.previous[into]
    found, waiting = set(ends), list(ends)
    while waiting:
        server = waiting.pop()
        for other in before[first[server] : first[server + 1]].tolist():
            if other not in found and other != reached.start and other not in reached.paths:
                found.add(other)
                waiting.append(other)
    return found


@dataclass
class _Telling:
    """Says where a message ends and what is left open. ``possible`` is how far it gets if what
    is not known turns out so.
    """

    graph: ForwardingGraph
    certain: _Meeting
    possible: _Meeting
    verdicts: Verdicts
    unreliable: Mapping[int, tuple[str, Source]]
    cite: Cite
    topic: str = "the topic"

    def undecided(self) -> dict[int, tuple[str, Source, Path]]:
        """The servers that the message gets to if what is not known turns out so, what that is,
        and the path up to where it is.
        """
        graph, found = self.graph, {}
        for number, path in self.possible.paths.items():
            if number in self.certain.paths:
                continue
            steps = (
                (place, g)
                for place, p in enumerate(path[1:], 1)
                for g in graph.points[p].guards
                if g in self.verdicts.unknown
            )
            place, guard = next(steps, (-1, -1))
            if guard >= 0:
                point = graph.points[path[place]]
                found[number] = self._note(guard), self._place(point, guard), path[: place + 1]
            elif number in self.unreliable:
                found[number] = *self.unreliable[number], path
        return found

    def stops(self) -> list[Stop]:
        """Every link out of a server that has the message which it does not take to a server that
        does not get the message either.

        A link whose selectors leave it undecided is none of them: what lies behind it is
        undetermined.
        """
        graph, meeting = self.graph, self.certain
        arrived = {
            meeting.start: meeting.start,
            **{server: path[-1] for server, path in meeting.paths.items()},
        }
        has_it = np.zeros(len(graph.servers), bool)
        has_it[list(arrived)] = True
        columns = graph.columns
        ends_it = is_arrival(graph) & has_it[columns.previous] & ~has_it[columns.server]
        is_open = graph.open_points(Closed(guards=self.verdicts.failing))
        guarded = ends_it & ~is_open if is_open is not None else np.zeros_like(ends_it)
        ends = np.unique(np.concatenate([columns.previous[guarded], columns.server[guarded]]))
        self.cite.expect([graph.servers[number].name for number in ends.tolist()])
        found = []
        for number in np.flatnonzero(ends_it).tolist():
            stop = self._stop(graph.points[arrived[int(columns.previous[number])]], number)
            if stop is not None:
                found.append(stop)
        return sorted(
            found, key=lambda stop: (graph.servers[stop.at].name, graph.servers[stop.to].name)
        )

    def _stop(self, here: Point, number: int) -> Stop | None:
        """Why a message that is at ``here`` does not enter point ``number``: what is certain
        before what is not.
        """
        graph, verdicts = self.graph, self.verdicts
        point = graph.points[number]
        name = graph.servers[point.server].name

        def because(
            reason: NotForwarded,
            guard: str,
            truth: Truth = Truth.FALSE,
            source: Source = point.source,
        ) -> Stop:
            return Stop(point.previous, point.server, reason, guard, truth, source, RULES[reason])

        failing = [guard for guard in point.guards if guard in verdicts.failing]
        certain = [guard for guard in failing if guard not in verdicts.unknown]
        undecided = [guard for guard in failing if guard in verdicts.unknown]
        zone = here.kind == "arrival" and here.zone == point.zone and here.zone_type == "1hop"
        if zone and not any(graph.guards[guard].kind == "link" for guard in certain):
            return because(NotForwarded.ZONE, one_hop_only(here.zone))
        if certain:
            return self._guard_stops(point, certain[0], because)
        interested = number in self.certain.interest
        if not interested and number not in self.possible.interest:
            return because(NotForwarded.NO_INTEREST, text("no_interest", server=name))
        unsure = next(
            (guard for guard in undecided if graph.guards[guard].kind != "selector"), None
        )
        if unsure is not None:
            return self._guard_stops(point, unsure, because)
        if undecided:
            return None
        if interested:
            return because(NotForwarded.ALREADY_VISITED, BEEN_HERE)
        said, source = text("no_interest_known", server=name), point.source
        if point.server in self.unreliable:
            said, source = self.unreliable[point.server]
        return because(NotForwarded.NO_INTEREST, said, Truth.UNKNOWN, source)

    def _guard_stops(self, point: Point, guard: int, because: Callable[..., Stop]) -> Stop:
        kind = self.graph.guards[guard].kind
        truth = self.verdicts.of[guard].truth
        return because(REASONS[kind], self._text(point, guard), truth, self._place(point, guard))

    def _note(self, guard: int) -> str:
        return self.verdicts.of[guard].note or self.graph.guards[guard].text

    def _text(self, point: Point, guard: int) -> str:
        if guard in self.verdicts.unknown:
            return self._note(guard)
        if self.graph.guards[guard].kind == "global":
            first, *others = self._not_global(point)
            # The place of the first is cited beside the reason.
            told = (f"{name} ({self.cite.of(point, guard, name)})" for name in others)
            return text(
                "not_at_end", topic=self.topic, ends=TEXTS["not_at_end_joined"].join((first, *told))
            )
        return lacking_for(self.graph.guards[guard], self.topic)

    def _place(self, point: Point, guard: int) -> Source:
        lacking = self._not_global(point) if guard not in self.verdicts.unknown else ()
        if guard in self.verdicts.unknown and self.graph.guards[guard].kind != "selector":
            return self.graph.guards[guard].source
        return self.cite.of(point, guard, lacking[0] if lacking else "")

    def _not_global(self, point: Point) -> list[str]:
        """The ends at which the topic is certainly not global. The first ``global`` guard of a
        point is the sending end's, the second the receiving end's."""
        graph, verdicts = self.graph, self.verdicts
        pair = [number for number in point.guards if graph.guards[number].kind == "global"]
        ends = (graph.servers[point.previous].name, graph.servers[point.server].name)
        lacking = verdicts.failing - verdicts.unknown
        return [name for name, number in zip(ends, pair, strict=False) if number in lacking]


@record
class SelectorInForce:
    """A route selector that applies to a topic on one direction of a link."""

    topic: str
    selector: str
    source: Source
    replaced: bool


def effective_selectors(
    graph: ForwardingGraph, start: int, end: int, topic: str
) -> list[SelectorInForce]:
    """The selectors that are combined with AND for ``topic`` from server ``start`` to ``end``
    (R65); empty if unrestricted (R64).
    """
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
                        SelectorInForce(
                            payload["topic"], payload["selector"], guard.source, payload["replaced"]
                        )
                    )
    return found


@record
class OtherReading:
    """A position that matters for one message: with the alternative the servers ``more`` would
    get it too.
    """

    rule: str
    text: str
    alternative: str
    more: tuple[str, ...]


READINGS = (
    (
        "replaced",
        "A16",
        "two selector lines for one topic and direction must both hold",
        "the later line replaces the earlier one",
    ),
    (
        "beside",
        "A6",
        "all selectors that match the topic must hold",
        "one matching selector suffices",
    ),
)
"""Positions on how several selectors combine: which of them the other reading sets aside, rule,
text, and that reading. ``replaced`` are lines that a later one would replace, ``beside`` those
that fail beside one that holds."""


def other_readings(
    graph: ForwardingGraph,
    walker: Walker,
    found: PublicationResult,
    verdicts: Verdicts,
    interested: Collection[int],
    budget: Budget,
) -> list[OtherReading]:
    """Where the outcome hangs on how several selectors combine: duplicate lines (A16), several
    that match (A6). One more publication each. Raises BudgetSpent if the budget ends before all
    is known."""
    result = []
    set_aside = {"replaced": verdicts.replaced, "beside": _beside_one_that_holds(graph, verdicts)}
    for which, rule, position, alternative in READINGS:
        relaxed = set_aside[which]
        if not relaxed:
            continue
        other = replace(
            verdicts, failing=verdicts.failing - relaxed, unknown=verdicts.unknown - relaxed
        )
        relaxed_found = publish(graph, walker, found.start, other, interested, budget)
        if not relaxed_found.exact:
            raise BudgetSpent
        more = tuple(
            sorted(graph.servers[n].name for n in relaxed_found.paths.keys() - found.paths.keys())
        )
        if more:
            result.append(OtherReading(rule, position, alternative, more))
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
