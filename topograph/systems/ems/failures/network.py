"""What failures do to one network of EMS servers (``contract.system.Failures``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.flow import Flow
from topograph.forwarding.graph import OPEN, Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.forwarding.walker import Walker
from topograph.inexact import Doubt
from topograph.outcomes import NotForwarded, Outcome
from topograph.side_inputs import Client
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.failures import (
    Before,
    ContainerUse,
    FailureCount,
    FailureEffect,
    Interrupted,
    Sweep,
    Transient,
)
from topograph.systems.contract.separated import Group, SeparatedPairs
from topograph.systems.contract.system import FactSource, Failure
from topograph.systems.ems.destinations.subscribers import not_configured
from topograph.systems.ems.failures.copies import Copies
from topograph.systems.ems.failures.counting import Separated, Sweeping
from topograph.systems.ems.failures.cuts import Broken, cuts, points_of
from topograph.systems.ems.failures.interruptions import Interruptions
from topograph.systems.ems.failures.members import (
    MEMBER,
    Pairs,
    members,
    not_known,
    pairs_of,
    swapped_by,
    whole,
)
from topograph.systems.ems.failures.queues import RoutedQueues, ServerQueues, Waits
from topograph.systems.ems.failures.storage import Storage
from topograph.systems.ems.failures.suspended import arrivals, suspended_routes
from topograph.systems.ems.failures.wanted import TopicGuards, Wanted
from topograph.systems.ems.network.links_closed import not_certainly_up
from topograph.systems.ems.network.names import names_are_unique
from topograph.systems.ems.network.walks import shortest_from
from topograph.systems.ems.queues.model import split_owner
from topograph.tracing.states import Component

CLIENT = "client"
"""The kind of component that a client is. Its name is its destination."""

OTHERWISE = (
    f"{Outcome.NOT_FORWARDED}({NotForwarded.ZONE}: the other member of the pair configures "
    "its routes otherwise)"
)
"""What becomes of messages whose path only the configuration of the failed member of a pair
permits (R7).
"""


@dataclass
class EmsFailures:
    """Failures of one network. ``swapped`` makes the graph of the network once members of pairs
    have failed.
    """

    source: FactSource
    clients: Sequence[Client]
    graph: ForwardingGraph
    walker: Walker
    swapped: Callable[[Failure], ForwardingGraph]
    readings: Readings = Readings()
    containers: Mapping[str, ContainerUse] = field(default_factory=dict)
    given: Sequence[Client] = ()
    """Clients of the question, beside those that are known."""
    read: dict[str, ServerQueues] = field(default_factory=dict)
    """What was read of queues already, by server; what is read is added."""
    _reached: dict[tuple[int, str], frozenset[int]] = field(default_factory=dict)
    _reaches: dict[int, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def components(self) -> Mapping[str, Sequence[Component]]:
        """The members of fault-tolerant pairs, the routes that can be suspended, and the clients
        that are known.
        """
        known = {**members(self._pairs, self.graph.system), **suspended_routes(self.graph)}
        found = {name: list(each) for name, each in known.items()}
        for one in self._wanted.subscriptions:
            if not one.by_client:
                continue
            name = f"topic:{one.topic}"
            same = found.setdefault(f"{CLIENT}:{name}", [])
            if one.server in self.graph.server_number and not any(
                other.server == one.server for other in same
            ):
                same.append(Component(CLIENT, name, one.server, self.graph.system, one.source))
        return found

    @cached_property
    def undecided(self) -> Sequence[Doubt]:
        """The servers that nothing certain is said of, the links that may not come up, and the
        subscriptions that are not routed reliably (R46).
        """
        servers = [
            Doubt(f"{one.name}: {one.incomplete or 'its configuration is not loaded'}", one.source)
            for one in self.graph.servers
            if one.incomplete or not one.loaded
        ]
        unreliable = [
            Doubt(
                f"{one.server}: the subscription {one.topic} is not a subset of a global topic "
                "everywhere (R46)",
                one.source,
                "R46",
            )
            for one in self._wanted.subscriptions
            if self._guards.partly(one.topic)
        ]
        open_ = (one for one in self.graph.guards if one.kind == OPEN)
        links = [Doubt(one.text, one.source) for one in open_]
        return [
            *servers,
            *links,
            *unreliable,
            *(Doubt(*each) for each in self._wanted.unsure),
            *(Doubt(*each, "R45") for each in not_configured(self.source.facts, self.given)),
        ]

    def runs(self, server: str) -> bool:
        """Whether the configuration of a server is loaded."""
        number = self.graph.server_number.get(server)
        return number is not None and self.graph.servers[number].loaded

    def transient(self, failure: Failure, effect: FailureEffect) -> Transient | None:  # noqa: ARG002
        """None: what is stored or missed is so until the failure is over (R121)."""
        return None

    def effect(self, failure: Failure, budget: Budget) -> FailureEffect:
        """Pairs that lose each other, and where messages wait or are missed, topic by topic
        where subscribers are known. Two walks for each link that breaks and topic; on an illegal
        network two for each publisher and topic."""
        broken = self._broken(failure)
        swaps = swapped_by(failure.components)
        lost: list[Group] = []
        interrupted: list[Interrupted] = []
        left_out: tuple[str, ...] = ()
        try:
            if swaps:
                broken = self._compare(failure, broken, budget, lost)
            else:
                self._separate(broken, budget, lost)
            for topic in self._between.topics:
                interrupted += self._between.of(topic, broken, budget)
                interrupted += self._between.after_return(topic, broken, budget)
            interrupted += map(self._with_copies, self._queues.waiting(broken))
            for one in failure.components:
                if one.kind == CLIENT:
                    interrupted += self._between.client_exits(
                        one.server, one.name.partition(":")[2], budget
                    )
        except BudgetSpent:
            left_out = tuple(
                one.name
                for one in self.graph.servers
                if one.loaded and one.name not in failure.servers
            )
        return FailureEffect(
            SeparatedPairs(lost),
            taken_over=tuple(self._taken_over(failure)),
            not_compared=left_out,
            interrupted=tuple(sorted(interrupted, key=_in_order)),
            before=self._before(broken.servers, budget),
            undecided=not_known(self.source, self._pairs, failure.components),
        )

    def sweep(self, budget: Budget) -> Sweep:
        """Every single failure of a server, a route or a member of a pair, worst first. Linear
        in the forwards times the topics; on an illegal network, and for members that differ, one
        failure after another."""
        sweeping = self._sweeping if budget.goes_on() else None
        rows: list[FailureCount] = []
        waiting = dict(self._single())
        if sweeping is not None:
            topics = sweeping.counted(self._between.traffic())
            queues = self._queues.counted()
            for label, (failure, source) in list(waiting.items()):
                column, number = self._place(failure)
                if column is not None:
                    rows.append(_row(label, source, topics[column], queues[column], number))
                    del waiting[label]
        left_out: list[str] = []
        for label, (failure, source) in waiting.items():
            found = self.effect(failure, budget) if budget.goes_on() else None
            if found is None or found.not_compared or found.before is None:
                left_out.append(label)
            else:
                rows.append(_summed(label, source, found))
        return Sweep(sorted(rows, key=lambda row: row.worst_first), tuple(left_out))

    def _before(self, gone: frozenset[int], budget: Budget) -> Before | None:
        """The loaded servers that live, their pairs that reach each other as things are, and
        those with a server that is ``gone``. Linear in the forwards; on an illegal network a
        search for each server.
        """
        gone &= self._loaded
        living = len(self._loaded - gone)
        sweeping = self._sweeping
        try:
            if sweeping is not None:
                own = sum(int(sweeping.own[one]) for one in gone)
                if len(gone) > 1:  # pairs of two that fail count at each
                    own -= sum(len(self._reached_by(one, budget) & gone) for one in gone)
                return Before(living, sweeping.reached - own, own)
            pairs = [
                one in gone or other in gone
                for one in sorted(self._loaded)
                for other in self._reached_by(one, budget)
            ]
        except BudgetSpent:
            return None
        return Before(living, len(pairs) - sum(pairs), sum(pairs))

    def _reached_by(self, start: int, budget: Budget) -> frozenset[int]:
        """The servers that one reaches as things are, whatever the topic is. Raises
        BudgetSpent.
        """
        if start not in self._reaches:
            budget.spend()
            found = shortest_from(self.graph, self.walker, start, self._shut, budget)
            self._reaches[start] = frozenset(found.paths) - {start}
        return self._reaches[start]

    @cached_property
    def _sweeping(self) -> Sweeping | None:
        """Counts on a legal network; None where its forwards run in a circle."""
        flow = Flow.of(self.graph) if self._unique else None
        return None if flow is None else Sweeping(self.graph, flow, self._shut)

    @cached_property
    def _pairs(self) -> Pairs:
        return pairs_of(self.source)

    @cached_property
    def _wanted(self) -> Wanted:
        return Wanted.of(self.source.facts, self._all_clients, frozenset(self.graph.server_number))

    @cached_property
    def _guards(self) -> TopicGuards:
        return TopicGuards(self.graph)

    @cached_property
    def _unique(self) -> bool:
        """Whether no message has two paths to a server (R20)."""
        return names_are_unique(self.graph)

    @cached_property
    def _shut(self) -> Closed:
        return _shut(self.graph)

    @cached_property
    def _between(self) -> Interruptions:
        storage = Storage(self.source.facts)
        return Interruptions(
            self.graph,
            self.walker,
            self._wanted,
            self._guards,
            storage,
            self._shut,
            unique=self._unique,
            copies=self._copies,
        )

    @cached_property
    def _copies(self) -> Copies:
        return Copies(self.source.facts, self.graph, self._wanted, self)

    def _with_copies(self, one: Interrupted) -> Interrupted:
        """What waits before its home, with the copies that bridges make of it there."""
        name, owner = split_owner(one.destination.partition(":")[2])
        return replace(one, copies=self._copies.of_home(owner, name)) if owner else one

    def reached(self, start: int, topic: str) -> frozenset[int]:
        """See ``copies.Onward``."""
        if (start, topic) not in self._reached:
            failing, _ = self._guards.failing(topic)
            shut = Closed(self._shut.guards | failing, self._shut.servers, self._shut.points)
            walk = self.walker.walk([start], shut)
            self._reached[start, topic] = frozenset(self.graph.point_server[walk.points].tolist())
        return self._reached[start, topic]

    def home(self, start: int, queue: str) -> int | None:
        """See ``copies.Onward``."""
        return self._queues.home_of(start, queue)

    @cached_property
    def _queues(self) -> RoutedQueues:
        return RoutedQueues(
            self.source.facts,
            self.graph,
            self._all_clients,
            self._copies.sending,
            self.readings,
            self.read,
        )

    @property
    def _all_clients(self) -> Sequence[Client]:
        return (*self.clients, *self.given)

    @cached_property
    def _loaded(self) -> frozenset[int]:
        return frozenset(
            number for number, server in enumerate(self.graph.servers) if server.loaded
        )

    def _broken(self, failure: Failure) -> Broken:
        """Both members of a pair are the server."""
        names = failure.servers | whole(failure.components)
        return _broken(self.graph, names, failure)

    def _separate(self, broken: Broken, budget: Budget, lost: list[Group]) -> None:
        """The ordered pairs of living servers that lose each other by zones, whatever the topic
        is (R121).
        """
        ends = self._loaded, self._loaded - broken.servers
        names = [server.name for server in self.graph.servers]
        for cut in cuts(
            self.graph, self.walker, self._shut, broken, ends, budget, unique=self._unique
        ):
            budget.check()
            outcome = self._between.said(cut.point, broken).outcome
            lost += [
                Group(
                    tuple(sorted(names[one] for one in starts)),
                    tuple(sorted(names[one] for one in ends)),
                    outcome,
                )
                for starts, ends in cut.groups()
            ]

    def _compare(
        self, failure: Failure, broken: Broken, budget: Budget, lost: list[Group]
    ) -> Broken:
        """The same where configuration is swapped: the paths of each pair before and in the
        network afterwards. What is broken, with the routes that the other members do not have."""
        after = self.swapped(failure)
        gone = _broken(after, failure.servers | whole(failure.components), failure)
        closed = _shut(after)
        closed = Closed(closed.guards, closed.servers, closed.points | points_of(after, gone))
        walker = RowWalks(after)
        names = [server.name for server in self.graph.servers]
        there = {
            frozenset((after.servers[link.a].name, after.servers[link.b].name))
            for link in after.links
        }
        swapped = swapped_by(failure.components)
        missing = {number for ends, number in self._link_of.items() if ends not in there}
        dropped = {n for n in missing if self.graph.links[n].configured_by in swapped}
        broken = replace(
            broken, links=broken.links | missing, dropped=frozenset(dropped - broken.links)
        )
        failed = points_of(self.graph, broken)
        found: dict[tuple[str, str], str] = {}
        for start in sorted(self._loaded - broken.servers):
            budget.spend()
            was = shortest_from(self.graph, self.walker, start, self._shut, budget).paths
            first = after.server_number[names[start]]
            now = {
                after.servers[n].name
                for n in shortest_from(after, walker, first, closed, budget).paths
            }
            for end, path in was.items():
                if names[end] in now or end in broken.servers:
                    continue
                point = next((point for point in path if point in failed), None)
                said = OTHERWISE if point is None else self._between.said(point, broken).outcome
                found[names[start], names[end]] = said
        lost += SeparatedPairs.of(found).groups
        return broken

    def _taken_over(self, failure: Failure) -> Iterator[tuple[str, str, str]]:
        """The servers of which the other member takes over: by the files of the two."""
        both = whole(failure.components)
        for one in sorted(failure.components, key=lambda each: each.server):
            if one.kind == MEMBER and one.server not in both | failure.servers and one.name == "1":
                first, second = self._pairs[one.server]
                yield one.server, first.label, second.label

    def _single(self) -> Iterator[tuple[str, tuple[Failure, Source]]]:
        """What may fail alone, by name."""
        names = [server.name for server in self.graph.servers]
        for server in self.graph.servers:
            if server.loaded:
                yield (
                    f"server:{server.name}",
                    (Failure(servers=frozenset([server.name])), server.source),
                )
        for link in self.graph.links:
            ends = sorted((names[link.a], names[link.b]))
            yield (
                f"route:{'-'.join(ends)}",
                (Failure(links=frozenset([frozenset(ends)])), link.source),
            )
        for found in members(self._pairs, self.graph.system).values():
            for one in found:
                yield (
                    f"{MEMBER}:{one.server}:{one.name}",
                    (Failure(components=frozenset([one])), one.source),
                )

    def _place(self, failure: Failure) -> tuple[int | None, int]:
        """Whether a single failure was counted among the servers (0) or the links (1), and the
        number there; None for one that was not.
        """
        for name in failure.servers:
            return 0, self.graph.server_number[name]
        for ends in failure.links:
            return 1, self._link_of[ends]
        return None, -1

    @cached_property
    def _link_of(self) -> Mapping[frozenset[str], int]:
        names = [server.name for server in self.graph.servers]
        return {
            frozenset((names[link.a], names[link.b])): number
            for number, link in enumerate(self.graph.links)
        }


def _broken(graph: ForwardingGraph, servers: frozenset[str], failure: Failure) -> Broken:
    names = [server.name for server in graph.servers]
    links = (
        n
        for n, link in enumerate(graph.links)
        if failure.links and {names[link.a], names[link.b]} in failure.links
    )
    numbers = frozenset(graph.server_number[name] for name in servers)
    return Broken(numbers, frozenset(links), arrivals(graph, failure.components))


def _shut(graph: ForwardingGraph) -> Closed:
    """Links that are down (R6) or may not come up, and servers that nothing certain is known of."""
    unloaded = frozenset(number for number, server in enumerate(graph.servers) if not server.loaded)
    return Closed(not_certainly_up(graph).guards, unloaded)


def _row(label: str, source: Source, topics: Separated, queues: Waits, number: int) -> FailureCount:
    lost, gaps, kept, twice, own, pairs, places = (
        int(column[number])
        for column in (
            topics.lost,
            topics.gaps,
            topics.kept,
            topics.duplicates,
            topics.own,
            queues.pairs,
            queues.places,
        )
    )
    return FailureCount(
        label,
        lost,
        0,
        source,
        gaps=gaps,
        retained=kept + pairs,
        duplicates=twice,
        queues=places,
        own=own,
    )


def _summed(label: str, source: Source, found: FailureEffect) -> FailureCount:
    """A row of the sweep out of all that a failure does."""
    gaps = sum(one.pairs for one in found.interrupted if not one.kept)
    kept = sum(one.pairs for one in found.interrupted if one.kept)
    twice = sum(one.pairs for one in found.interrupted if one.duplicates)
    queues = sum(one.destination.startswith("queue:") for one in found.interrupted)
    return FailureCount(
        label,
        len(found.lost),
        0,
        source,
        gaps=gaps,
        retained=kept,
        duplicates=twice,
        queues=queues,
        own=0 if found.before is None else found.before.own,
    )


def _in_order(one: Interrupted) -> tuple[str, str, str, str, str]:
    return one.destination, one.at, one.neighbour, one.rule, str(one.source)
