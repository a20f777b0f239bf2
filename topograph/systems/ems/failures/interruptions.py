"""Where messages wait or are missed while a failure lasts, one topic after another: the rows of
the failure table for one network (F1-F9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.points import Point
from topograph.forwarding.simple import Path, reverse, simple_paths
from topograph.forwarding.walker import Walker
from topograph.records import record
from topograph.systems.contract.failures import Interrupted
from topograph.systems.ems.destinations.guards import SUSPENDED
from topograph.systems.ems.destinations.topics import contained
from topograph.systems.ems.failures.copies import Copies
from topograph.systems.ems.failures.counting import Traffic
from topograph.systems.ems.failures.cuts import Broken, broken_points, cuts
from topograph.systems.ems.failures.outcomes import (
    RouteInterruption,
    after_return,
    dropped,
    interruption,
    suspended,
)
from topograph.systems.ems.failures.storage import Storage
from topograph.systems.ems.failures.wanted import TopicGuards, TopicSubscription, Wanted
from topograph.systems.ems.network.walks import points_at

ANY = ""
"""In place of a topic: whatever is published, where nobody is known to subscribe."""

Hop = tuple[str, str]
"""A server, and the neighbour that it has an internal subscriber for (R40)."""


@record(slots=False)
class Interruptions:
    """The publishers and subscribers of one network, and what failures do between them. ``shut``
    is closed whatever the topic is, ``unique`` says whether no message has two paths to a
    server."""

    graph: ForwardingGraph
    walker: Walker
    wanted: Wanted
    guards: TopicGuards
    storage: Storage
    shut: Closed
    unique: bool
    copies: Copies

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that are looked at one by one; ``ANY`` first where clients are not known."""
        return (ANY, *self.wanted.topics) if self.wanted.assume else self.wanted.topics

    def traffic(self) -> Iterator[Traffic]:
        """The same for counting."""
        for topic in self.topics:
            publishers, subscribers = self._ends(topic)
            yield Traffic(
                self._shut(topic),
                sorted(publishers),
                sorted(subscribers),
                frozenset(self._static(topic)),
            )

    def of(self, topic: str, broken: Broken, budget: Budget) -> list[Interrupted]:
        """What a failure interrupts of one topic. Raises BudgetSpent."""
        shut, ends = self._shut(topic), self._ends(topic)
        static = self._static(topic)
        found = []
        served = set()
        for cut in cuts(self.graph, self.walker, shut, broken, ends, budget, unique=self.unique):
            served.add(cut.point)
            point = self.graph.points[cut.point]
            said = self.said(cut.point, broken, static=cut.point in static)
            row = self._row(said, topic, point.source)
            names = self._named(cut.publishers), self._named(cut.subscribers)
            copies = self.copies.behind(topic, names[1]) if topic != ANY else ()
            found.append(
                replace(
                    row, publishers=names[0], subscribers=names[1], pairs=cut.count, copies=copies
                )
            )
        for number in broken_points(self.graph, shut, broken) if static else ():
            if (
                number in static and number not in served
            ):  # stored for a neighbour behind whom nobody is known (A13)
                point = self.graph.points[number]
                found.append(self._row(self.said(number, broken, static=True), topic, point.source))
        return found

    def after_return(self, topic: str, broken: Broken, budget: Budget) -> Iterator[Interrupted]:
        """What living servers see of one topic once forwarders that failed are back (F5, R122).
        One walk a link of what fails; where a message may have two paths, a search for each
        subscriber behind it. Raises BudgetSpent."""
        shut = self._shut(topic)
        is_open = self.graph.open_points(shut)
        _, subscribers = self._ends(topic)
        if not broken.servers:
            return
        columns, failed = self.graph.columns, list(broken.servers)
        leaving = np.isin(columns.previous, failed) & ~np.isin(columns.server, failed)
        for number in np.flatnonzero(leaving).tolist():
            point = self.graph.points[number]
            said = after_return(*self._hop(point), point.configured_by)
            if said is None or not (is_open is None or is_open[number]):
                continue
            behind = self.graph.point_server[self.walker.walk([number], shut).points].tolist()
            concerned = subscribers.intersection(behind)
            if not self.unique:
                concerned = frozenset(
                    end
                    for end in concerned
                    if self._goes_on((point.previous, number), end, shut, budget)
                )
            if concerned:
                names = self._named(concerned)
                copies = self.copies.behind(topic, names) if topic != ANY else ()
                row = self._row(said, topic, point.source)
                yield replace(row, publishers=(), subscribers=names, copies=copies)

    def client_exits(self, server: str, topic: str, budget: Budget) -> list[Interrupted]:
        """What becomes of the messages of each client of ``topic`` at ``server`` that exits (F1,
        F2). The chain of internal subscribers goes as far as nobody else wants it (R40): no
        bridge (A12), no client of another topic that takes it too, and no static durable (F8).
        Three walks; where a message may have two paths, the paths of each pair. Raises
        BudgetSpent."""
        budget.spend()
        number = self.graph.server_number[server]
        publishers, subscribers = self._ends(topic)
        shut = self._shut(topic)
        back = self.walker.walk_back(points_at(self.graph, [number]), shut).points
        coming = publishers.intersection(back[back < len(self.graph.servers)].tolist())
        if not self.unique:
            coming = frozenset(
                start
                for start in coming
                if start == number or any(self._first_hops(start, number, shut, budget))
            )
        coming = coming | (publishers & {number})
        exiting = [
            one
            for one in self.wanted.to(topic)
            if (one.server, one.topic, one.by_client) == (server, topic, True)
        ]
        others = [one for one in self.wanted.to(topic) if one not in exiting or one.durable]
        kept = {
            self.graph.server_number[one.server]
            for one in others
            if one.server in self.graph.server_number
        }
        removed = (
            ()
            if number in kept
            else tuple(
                sorted(
                    self._chain(subscribers, shut, budget)
                    - self._chain(kept, shut, budget)
                    - self._standing(topic)
                )
            )
        )
        found = []
        for one in exiting:
            said = _exit(one)
            row = replace(
                self._row(said, topic, one.source),
                publishers=self._named(coming),
                subscribers=(server,),
                pairs=len(coming),
                removed=() if one.durable else removed,
            )
            found.append(row)
        return found

    def said(self, number: int, broken: Broken, *, static: bool = False) -> RouteInterruption:
        """What R120 makes of messages that cannot enter an arrival, or R53 where nothing but a
        suspended route stops them.
        """
        point = self.graph.points[number]
        away = point.server in broken.servers
        if number in broken.arrivals and not away and point.link not in broken.links:
            return suspended(*self._hop(point))
        if point.link in broken.dropped and not away:
            return dropped(*self._hop(point), point.configured_by)
        return interruption(*self._hop(point), point.configured_by, server=away, static=static)

    def _hop(self, point: Point) -> Hop:
        return self.graph.servers[point.previous].name, self.graph.servers[point.server].name

    def _row(self, said: RouteInterruption, topic: str, source: Source) -> Interrupted:
        bound = self.storage.bound(said.forwarder, topic) if said.kept and topic != ANY else None
        return Interrupted(
            at=said.forwarder,
            neighbour=said.receiver,
            destination=topic and f"topic:{topic}",
            kept=said.kept,
            duplicates=said.duplicates,
            rule=said.rule,
            confidence=said.confidence,
            reason=said.reason,
            source=source,
            assumed=self._assumed(topic),
            bound=bound,
            waits_for="route suspended" if said.rule == SUSPENDED else "",
        )

    def _assumed(self, topic: str) -> str:
        publishers = "publishers" if not self.wanted.publishers else ""
        subscribers = "subscribers" if topic == ANY else ""
        return " and ".join(text for text in (publishers, subscribers) if text)

    def _named(self, numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(sorted(self.graph.servers[number].name for number in numbers))

    @cached_property
    def _loaded(self) -> frozenset[int]:
        return frozenset(
            number for number, server in enumerate(self.graph.servers) if server.loaded
        )

    def _ends(self, topic: str) -> tuple[frozenset[int], frozenset[int]]:
        """The servers that a topic is published at, and those with a subscriber."""
        here = self.graph.server_number
        names = self.wanted.publishers_of(topic)
        publishers = self._loaded
        if names is not None:
            bridged = self.copies.publishing(topic) if topic != ANY else frozenset()
            publishers = self._loaded.intersection({here.get(name, -1) for name in names} | bridged)
        if topic == ANY:
            return publishers, self._loaded.difference(here[name] for name in self.wanted.listed)
        wanting = (here.get(one.server, -1) for one in self.wanted.to(topic))
        return publishers, self._loaded.intersection(wanting)

    def _shut(self, topic: str) -> Closed:
        """What is closed for the interest in a topic: selectors do not stop it (ems.md 6.3)."""
        if topic == ANY:
            return self.shut
        failing, _ = self.guards.failing(topic)
        return Closed(self.shut.guards | failing, self.shut.servers, self.shut.points)

    def _static(self, topic: str) -> frozenset[int]:
        """The arrivals before which a static durable stores a topic for the server there (F8)."""
        held = {
            (one.server, one.held_for)
            for one in self._held
            if topic != ANY and contained(topic, one.topic)
        }
        here = self.graph.server_number
        ends = {(here.get(at, -1), here.get(to, -1)) for at, to in held}
        points = (number for _, to in ends for number in self.graph.points_of_server.get(to, ()))
        return frozenset(
            number
            for number in points
            if (self.graph.points[number].previous, self.graph.points[number].server) in ends
        )

    def _standing(self, topic: str) -> frozenset[Hop]:
        """The internal subscribers that are static durables (F8)."""
        return frozenset(self._hop(self.graph.points[number]) for number in self._static(topic))

    @cached_property
    def _held(self) -> Sequence[TopicSubscription]:
        return [one for one in self.wanted.subscriptions if one.held_for]

    def _chain(self, subscribers: Collection[int], shut: Closed, budget: Budget) -> frozenset[Hop]:
        """The internal subscribers there are on behalf of some subscribers (R40)."""
        if not self.unique:
            return frozenset(
                hop
                for end in subscribers
                for start in self._loaded - {end}
                for hop in self._first_hops(start, end, shut, budget)
            )
        targets = points_at(self.graph, subscribers)
        if not targets:
            return frozenset()
        is_open = self.graph.open_points(shut)
        points = self.walker.walk_back(targets, shut).points.tolist()
        first = len(self.graph.servers)
        return frozenset(
            self._hop(self.graph.points[n])
            for n in points
            if n >= first and (is_open is None or is_open[n])
        )

    def _first_hops(self, start: int, end: int, shut: Closed, budget: Budget) -> Iterator[Hop]:
        """The links by which messages from one server leave for another one and pass no server
        twice.
        """
        onward = self.walker.onward([start], shut)[start]
        hops = {self._hop(self.graph.points[number]) for number in onward}
        for number in onward:
            hop = self._hop(self.graph.points[number])
            if hop in hops and self._goes_on((start, number), end, shut, budget):
                hops.discard(hop)
                yield hop

    def _goes_on(self, path: Path, end: int, shut: Closed, budget: Budget) -> bool:
        """Whether a message that came along a path of points goes on to a server and passes none
        twice.
        """
        if self.graph.points[path[-1]].server == end:
            return True
        onward = self.walker.walk([path[-1]], shut)
        backward = self.walker.walk_back(points_at(self.graph, [end]), shut)
        between = np.intersect1d(onward.points, backward.points).tolist()
        adjacency = self.walker.adjacency(between, shut)
        targets = set(points_at(self.graph, [end])).intersection(between)
        found = simple_paths(
            path, targets, adjacency, reverse(adjacency), self.graph.servers_of_points, budget
        )
        return next(found, None) is not None if targets else False


def _exit(one: TopicSubscription) -> RouteInterruption:
    """What a client's exit does to its own messages."""
    if one.durable:
        reason = (
            f"the {one.what} is durable: the chain of internal subscribers stays, and "
            f"{one.server} stores its messages"
        )
        return RouteInterruption(
            one.server, "", kept=True, duplicates=False, rule="F2", confidence="H", reason=reason
        )
    reason = (
        f"the {one.what} is not durable: the internal subscribers that only it needs are deleted"
    )
    return RouteInterruption(
        one.server, "", kept=False, duplicates=False, rule="F1", confidence="H", reason=reason
    )
