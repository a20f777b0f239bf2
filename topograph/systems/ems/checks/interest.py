"""The interest in topics that running servers listed, beside what files and listed subscribers
imply (R40-R42).

A forwarder holds interest for a neighbour (``$sys.route.NEIGHBOUR:TOPIC``, or a subscriber whose
user has the neighbour's name, R50) where somebody there or behind it wants the topic and it is
global at both ends of each route between (R42).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from topograph.facts.ems import EmsDurable, EmsObservedRoute
from topograph.facts.ems_observed import EmsListing, EmsObservedSubscription
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.walker import Walker
from topograph.records import record
from topograph.systems.contract.names import ListedInterest, MissedInterest, SeenInterest
from topograph.systems.contract.system import FactSource
from topograph.systems.ems.destinations.subscribers import in_use
from topograph.systems.ems.destinations.topics import contained, is_temporary, overlap
from topograph.systems.ems.failures.wanted import TopicGuards, TopicSubscription, Wanted
from topograph.systems.ems.network.names import names_are_unique
from topograph.systems.ems.network.observations import Observations, at_servers, observations
from topograph.systems.fact_sources import of_class

_ILLEGAL = (
    "the network is illegal (R20), so that it is not certain for which neighbours it holds "
    "interest; `topograph cycles` lists the routes"
)
_ROUTES_NOT_LISTED = (
    "which interest it holds for other servers is not known: `show durables` and `show "
    "consumers`, both whole, list that"
)


def listed_interest(
    source: FactSource,
    graph: ForwardingGraph,
    walker: Walker,
    servers: Collection[str],
    budget: Budget,
) -> ListedInterest:
    """What ``servers`` listed, in the order of servers and lines. Two walks a topic and
    neighbour that is listed or expected.
    """
    return _Interest(source, graph, walker, budget).of(sorted(servers))


@record(slots=False)
class _Behind:
    """The servers to which messages on a topic go over one route: at a neighbour and behind it,
    certainly or perhaps. ``closed`` says why nothing goes over the route itself."""

    certain: frozenset[str]
    possible: frozenset[str]
    closed: str = ""


class _Interest:
    def __init__(
        self, source: FactSource, graph: ForwardingGraph, walker: Walker, budget: Budget
    ) -> None:
        self.source, self.graph, self.walker, self.budget = source, graph, walker, budget
        self.seen: Observations = observations(source.facts, graph.server_number)
        self.wanted: Sequence[TopicSubscription] = [
            one
            for one in Wanted.of(source.facts, (), graph.server_number).subscriptions
            if one.server in graph.server_number
        ]
        self.guards = TopicGuards(graph)
        self._known: dict[tuple[int, str], _Behind] = {}

    def of(self, servers: Sequence[str]) -> ListedInterest:
        """All of it."""
        wanted = frozenset(servers)
        seen = [*self._clients(wanted), *self._routes(wanted)]
        legal = names_are_unique(self.graph)
        missed = [*self._durables(wanted)]
        for server in servers if legal else ():
            if server in self.seen.routes_whole:
                missed += self._missed(server)
        return ListedInterest(
            tuple(sorted(seen, key=lambda one: (one.server, one.source, one.topic))),
            tuple(sorted(missed, key=lambda one: (one.server, one.for_, one.topic, one.source))),
            tuple(self._open(servers, legal)),
            {server: self._names(server) for server in servers if self._names(server)},
            tuple(sorted(wanted & {one.server for one in self._listings})),
        )

    def _clients(self, servers: Collection[str]) -> Iterator[SeenInterest]:
        configured = {
            (fact.server, fact.topic, fact.name): fact for fact in self._static_durables(servers)
        }
        for row in self.seen.subscriptions:
            if row.server in servers and not is_temporary(row.name):
                own = configured.get((row.server, row.name, row.durable)) if row.durable else None
                state, because = (
                    ("expected", f"durables.conf defines it ({own.source})")
                    if own
                    else ("client", "")
                )
                kind = "durable" if row.durable else "subscriber"
                yield SeenInterest(row.server, row.name, kind, "", state, because, row.source)

    def _routes(self, servers: Collection[str]) -> Iterator[SeenInterest]:
        for row, other in self.seen.for_routes:
            if row.server in servers and not is_temporary(row.name):
                state, because = self._judged(row, other)
                yield SeenInterest(row.server, row.name, "route", other, state, because, row.source)

    def _judged(self, row: EmsObservedSubscription, other: str) -> tuple[str, str]:
        """Whether the interest that a server holds for a neighbour is implied, and why."""
        static = next(
            (
                w
                for w in self.wanted
                if w.server == row.server and w.held_for == other and overlap(w.topic, row.name)
            ),
            None,
        )
        if static is not None:
            return "expected", f"durables.conf defines it ({static.source})"
        numbers = self.graph.server_number
        if other not in numbers:
            return "unknown", f"{other} is not among the imported servers"
        point = self._arrival(row.server, other)
        if point is None:
            unseen = [
                name for name in (row.server, other) if self.graph.servers[numbers[name]].open_ended
            ]
            if unseen:
                return "unknown", f"{unseen[0]} may have routes that the loaded files do not show"
            return "unexpected", f"no file has a route between {row.server} and {other}"
        behind = self._behind(point, row.name)
        if behind.closed:
            return "unexpected", behind.closed
        takers = [
            w
            for w in self.wanted
            if w.server in behind.possible and not w.held_for and overlap(w.topic, row.name)
        ]
        if takers:
            first = min(
                takers,
                key=lambda w: (
                    w.server not in behind.certain,
                    w.server != other,
                    w.server,
                    str(w.source),
                ),
            )
            return "expected", f"{first.what} at {first.server}, for {first.topic} ({first.source})"
        unseen = sorted(
            name for name in behind.possible if self.graph.servers[numbers[name]].open_ended
        )
        if unseen:
            return (
                "unknown",
                (
                    f"{at_servers(unseen)} may have routes that the loaded files do not "
                    "show, to somebody who wants it"
                ),
            )
        unlisted = sorted(name for name in behind.possible if name not in self.seen.whole)
        if unlisted:
            return "unknown", f"who wants it at {at_servers(unlisted)} was not listed"
        return "unexpected", f"nobody at {other} or behind it was listed to want it"

    def _names(self, server: str) -> list[tuple[str, str]]:
        """The names of temporary topics that a server holds for neighbours; none where it may
        hold more than it listed.
        """
        if server not in self.seen.routes_whole:
            return []
        return [
            (row.name, other)
            for row, other in self.seen.for_routes
            if row.server == server and is_temporary(row.name)
        ]

    def _durables(self, servers: Collection[str]) -> Iterator[MissedInterest]:
        """Static durables that a whole list of durables does not show."""
        whole = {
            one.server: one.source
            for one in self._listings
            if one.name == "durables" and not one.cut
        }
        shown = {(row.server, row.name, row.durable) for row in self.seen.subscriptions}
        shown |= {(row.server, row.name, other) for row, other in self.seen.for_routes}
        for fact in self._static_durables(servers):
            if fact.server in whole and (fact.server, fact.topic, fact.name) not in shown:
                held_for = fact.name if fact.route else ""
                because = f"the durable {fact.name} that durables.conf defines"
                yield MissedInterest(
                    fact.server, fact.topic, held_for, because, fact.source, whole[fact.server]
                )

    def _missed(self, server: str) -> Iterator[MissedInterest]:
        """What a server should hold for its neighbours (R40), each topic once."""
        rows = [(row.name, other) for row, other in self.seen.for_routes if row.server == server]
        told: set[tuple[str, str]] = set()
        down = self._not_connected
        for point in self._arrivals_from(server):
            other = self.graph.servers[self.graph.points[point].server].name
            if frozenset((server, other)) in down:
                continue
            for want in self.wanted:
                if want.held_for or want.server == server or (other, want.topic) in told:
                    continue
                if any(name == other and contained(want.topic, topic) for topic, name in rows):
                    continue
                if want.server in self._behind(point, want.topic).certain:
                    told.add((other, want.topic))
                    because = f"{want.what} at {want.server}"
                    listing = self.seen.routes_whole[server]
                    yield MissedInterest(server, want.topic, other, because, want.source, listing)

    def _behind(self, point: int, topic: str) -> _Behind:
        """Who gets messages on a topic that enter an arrival. Two walks, each made once."""
        key = point, topic
        if key not in self._known:
            self.budget.check()
            failing, unsure = self.guards.failing(topic)
            own = set(self.graph.points[point].guards)
            shut = sorted(own & (failing - unsure))
            if shut:
                text = self.graph.guards[shut[0]].text
                self._known[key] = _Behind(frozenset(), frozenset(), f"not true of it: {text}")
            else:
                certain = frozenset() if own & failing else self._walked(point, failing)
                self._known[key] = _Behind(certain, self._walked(point, failing - unsure))
        return self._known[key]

    def _walked(self, point: int, closed: Collection[int]) -> frozenset[str]:
        walk = self.walker.walk([point], Closed(guards=frozenset(closed)))
        return frozenset(
            self.graph.servers[number].name
            for number in self.graph.point_server[walk.points].tolist()
        )

    def _arrivals_from(self, server: str) -> Iterator[int]:
        number = self.graph.server_number[server]
        yield from (n for n, point in enumerate(self.graph.points) if point.previous == number)

    def _arrival(self, start: str, end: str) -> int | None:
        numbers = self.graph.server_number
        at = self.graph.points_of_server[numbers[end]]
        return next((n for n in at if self.graph.points[n].previous == numbers[start]), None)

    @cached_property
    def _not_connected(self) -> dict[frozenset[str], Source]:
        """The pairs of servers whose route one of them showed as not connected, and where: a
        forwarder may have removed what it held for the other (F4).
        """
        return {
            frozenset((fact.server, fact.name)): fact.source
            for fact in of_class(self.source, EmsObservedRoute)
            if not fact.connected
        }

    def _static_durables(self, servers: Collection[str]) -> Iterator[EmsDurable]:
        for server in sorted(servers):
            for fact in in_use(self.source.facts(("server", "durable"), server)):
                if isinstance(fact, EmsDurable):
                    yield fact

    @cached_property
    def _listings(self) -> Sequence[EmsListing]:
        kinds = {"durables", "subscriptions", "consumers", "stat consumers"}
        return [one for one in of_class(self.source, EmsListing) if one.name in kinds]

    def _open(self, servers: Sequence[str], legal: bool) -> Iterator[tuple[str, str, Source]]:
        """The servers of which not all interest was listed, and why."""
        listed = {one.server: one.source for one in reversed(self._listings)}
        for server in servers:
            place = self.graph.servers[self.graph.server_number[server]].source
            if server not in listed:
                yield (
                    server,
                    "none of its lists of subscribers, consumers or durables was imported",
                    place,
                )
                continue
            if server in self.seen.cut:
                why, where = self.seen.cut[server]
                yield server, why, where
            elif server not in self.seen.whole:
                yield (
                    server,
                    (
                        "who subscribes there was not listed: `show subscriptions`, or `show "
                        "consumers` and `show durables`, list that"
                    ),
                    listed[server],
                )
            if server not in self.seen.routes_whole:
                yield server, _ROUTES_NOT_LISTED, listed[server]
                continue
            if not legal:
                yield server, _ILLEGAL, place
            for other in sorted(
                {
                    self.graph.servers[self.graph.points[n].server].name
                    for n in self._arrivals_from(server)
                }
            ):
                if (shown := self._not_connected.get(frozenset((server, other)))) is not None:
                    yield (
                        server,
                        (
                            f"the route to {other} was not connected: what it should hold "
                            f"for {other} is not compared"
                        ),
                        shown,
                    )
