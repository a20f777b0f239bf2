"""The trace of one publication, told branch by branch: arrivals, deliveries, links that stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from topograph.findings import Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Stop
from topograph.forwarding.simple import Path
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.systems.ems.destinations.guards import SUSPENDED, GuardVerdict
from topograph.systems.ems.destinations.subscribers import PublishRefusal, Subscriber
from topograph.systems.ems.destinations.texts import TEXTS
from topograph.systems.ems.destinations.texts import text as said
from topograph.systems.ems.destinations.topics import is_temporary
from topograph.systems.ems.network.links_closed import passes_replies
from topograph.systems.ems.queues.ways import stopped_text
from topograph.systems.ems.topics.conditions import met_by
from topograph.systems.ems.topics.copies import Copy
from topograph.systems.ems.topics.publication import PublicationResult
from topograph.tracing.trace import Ending, Kind, Note, Station, Taker, TraceBuilder

_STRONGEST = {"declared": 0, "observed": 1, "configured": 2, "assumed": 3}
"""Of several subscribers at one server the delivery names the one best known."""


Judged = tuple[Subscriber, GuardVerdict]
"""A subscriber and what its own selector says of the message."""


class PublicationTelling:
    """Puts the trace of one publication together. Linear in the servers that get it and the
    links that stop it.
    """

    def __init__(
        self,
        graph: ForwardingGraph,
        copy: Copy,
        found: PublicationResult,
        builder: TraceBuilder,
        suspended: Mapping[int, Source],
    ) -> None:
        self.suspended = suspended
        self.held: list[Note] = []
        """Where it waits for a route that is suspended."""
        self.graph, self.copy, self.message, self.found, self.about = (
            graph,
            copy,
            copy.message,
            found,
            copy.about,
        )
        self.builder = builder
        self.taken: list[tuple[Subscriber, int]] = []
        """Who takes it, and how often."""
        self.names = [server.name for server in graph.servers]
        topic, guards = copy.message.destination.name, graph.guards
        self._topic = Station("topic", topic)
        temporary = is_temporary(topic)
        self._met = cache(
            lambda number: (
                ""
                if temporary and passes_replies(guards[number])
                else met_by(guards[number], topic)
            )
        )
        self._branch_at: dict[int, int] = {found.start: copy.branch}
        made: dict[tuple[int, int], int] = {}
        for server, path in sorted(
            found.paths.items(), key=lambda entry: (len(entry[1]), self.names[entry[0]])
        ):
            self._branch_at[server] = self._arrived(path, made)

    def has(self, server: int) -> bool:
        """Whether a server (number) gets it."""
        return server in self._branch_at

    def times(self, server: int) -> int:
        """How often a server (number) that gets it has it."""
        return self.found.copies.get(server, 1)

    def copies(self, server: int) -> int:
        """How often a server has what was sent first, counted with the copies that this is one
        of.
        """
        return self.times(server) * self.copy.times

    def bridged(self, one: Subscriber) -> int:
        """The branch of the copy that a bridge puts on a topic."""
        return self._copied(one, said("copies", note=one.note))

    def stored(self, one: Subscriber, queue: str) -> None:
        """A branch for the copy that a bridge puts on a queue of its server."""
        branch = self._copied(one, f"{one.note} copies it: stored in {queue}", queue)
        arguments: dict[str, str | int] = {
            "server": one.server,
            "destination": queue,
            "subscriber": one.known,
            "copies": self.copies(self.graph.server_number[one.server]),
        }
        self.builder.end(branch, Ending(Outcome.DELIVERED, arguments))

    def _copied(self, one: Subscriber, text: str, target: str = "") -> int:
        branch = self.builder.branch(
            self._branch_at[self.graph.server_number[one.server]], Kind.COPY
        )
        self.builder.step(
            branch,
            one.server,
            text,
            rule="R110",
            confidence=_confidence("R110"),
            source=one.source,
            object=target,
            station=Station("bridge", target_of(one) or target),
        )
        return branch

    def stopped_by_bridge(self, one: Subscriber, truth: Truth) -> None:
        """A branch for a bridge whose selector does not take the message."""
        guard = said("bridge_selector", note=one.note, selector=one.selector)
        where = one.server, one.server, NotForwarded.SELECTOR
        self._stopped(*where, guard, truth, one.source, "R110", one.selector)

    def _arrived(self, path: Path, made: dict[tuple[int, int], int]) -> int:
        """The branch of an arrival: one step on from the server before it, where the path there
        is this one's beginning (always on a legal network), else from the first step that no
        branch has been made for. ``made`` are branches by (branch before, point)."""
        servers = self.graph.point_server
        before = int(servers[path[-2]])
        if (
            before in self._branch_at
            and self.found.paths.get(before, (self.found.start,)) == path[:-1]
        ):
            branch, rest = self._branch_at[before], path[-2:]
        else:
            branch, rest = self._branch_at[self.found.start], path
        for start, end in pairwise(rest):
            if (branch, end) not in made:
                made[branch, end] = self._hop(branch, start, end)
            branch = made[branch, end]
        return branch

    def _hop(self, of: int, start: int, end: int) -> int:
        permission = self.graph.permission(start, end)
        at, to = (self.names[int(self.graph.point_server[point])] for point in (start, end))
        zone = self.graph.points[end].zone
        met = dict.fromkeys(map(self._met, permission.guards))
        place = next(
            (self.suspended[guard] for guard in permission.guards if guard in self.suspended), None
        )
        if place is None:
            branch = self.builder.branch(of, Kind.COPY)
        else:
            self._held(of, at, to, place)
            branch = self.builder.branch(of, Kind.LATER, condition=said("resumed", to=to, at=at))
        self.builder.step(
            branch,
            at,
            f"over the link to {to} in zone {zone}",
            rule=permission.rule if place is None else SUSPENDED,
            confidence=str(permission.confidence),
            source=permission.source,
            to=to,
            zone=zone,
            guards=tuple(filter(None, met)),
            station=self._topic,
            role="route",
        )
        return branch

    def _held(self, of: int, at: str, to: str, place: Source) -> None:
        """A branch for the copy that waits before a suspended route (R53). What waits keeps what
        selectors said when it came (R68).
        """
        branch = self.builder.branch(of, Kind.COPY)
        text = said("held", at=at, to=to)
        self.builder.step(
            branch,
            at,
            text,
            rule=SUSPENDED,
            confidence=_confidence(SUSPENDED),
            source=place,
            station=self._topic,
        )
        ending = Ending(Outcome.HELD, {"server": at, "reason": "route suspended"})
        self.builder.end(branch, ending)
        self.held.append(Note(SUSPENDED, f"{ending}: {text}", place))

    def deliveries(self, wanting: Sequence[Subscriber]) -> tuple[list[Judged], list[Judged]]:
        """A branch for the best known subscriber of each server that the message gets to. Those
        whose own selector stops it, and, where nobody else takes it, those whose selector the
        question does not decide."""
        served: dict[str, list[Subscriber]] = {}
        number = self.graph.server_number
        stopped: list[Judged] = []
        undecided: list[Judged] = []
        for one in sorted(
            wanting, key=lambda each: (each.server, _STRONGEST[each.known], each.topic)
        ):
            branch = self._branch_at.get(number[one.server])
            if not one.delivers or branch is None:
                continue
            verdict = one.accepts(self.message.properties)
            if not verdict.passes:
                (stopped if verdict.known else undecided).append((one, verdict))
                continue
            self.taken.append((one, self.copies(number[one.server])))
            served.setdefault(one.server, []).append(one)
        for server, takers in served.items():
            self._delivered(self._branch_at[number[server]], takers, self.copies(number[server]))
        return stopped, [(one, verdict) for one, verdict in undecided if one.server not in served]

    def narrowed(self, stopped: Sequence[tuple[Subscriber, Truth]]) -> None:
        """A branch for each subscriber whose own selector does not take the message (R47)."""
        for one, truth in stopped:
            guard = said("own_selector", selector=one.selector)
            where = one.server, one.server, NotForwarded.SELECTOR
            self._stopped(*where, guard, truth, one.source, "R47", one.selector)

    def _delivered(self, of: int, takers: Sequence[Subscriber], copies: int) -> None:
        """A branch for the subscribers at one server, the best known first."""
        one, *others = takers
        also = (
            f" and {len(others)} other subscriber{'s' if len(others) > 1 else ''}" if others else ""
        )
        branch = self.builder.branch(of, Kind.COPY)
        destination = str(self.message.destination)
        self.builder.step(
            branch,
            one.server,
            f"delivered to {described(one)}{also}",
            rule="R40",
            confidence=_confidence("R40"),
            source=one.source,
            object=destination,
            station=self._topic,
        )
        arguments: dict[str, str | int] = {
            "server": one.server,
            "destination": destination,
            "subscriber": one.known,
            "copies": copies,
            "subscription": one.topic,
        }
        given_to = tuple(Taker(each.called, each.known, each.source) for each in takers)
        self.builder.end(branch, Ending(Outcome.DELIVERED, arguments, given_to))

    def stops(self) -> None:
        """A branch for each link that the message does not take."""
        for stop in self.found.stops:
            self._link_stops(stop)

    def _link_stops(self, stop: Stop) -> None:
        at, to = self.names[stop.at], self.names[stop.to]
        self._stopped(at, to, stop.reason, stop.guard, stop.truth, stop.source, stop.rule)

    def refused(self, why: PublishRefusal) -> None:
        """The one branch of a message that its own server does not take."""
        at = self.names[self.found.start]
        self._stopped(at, at, why.reason, why.text, Truth.FALSE, why.source, why.rule)

    def _stopped(
        self,
        at: str,
        to: str,
        reason: NotForwarded,
        guard: str,
        truth: Truth,
        source: Source,
        rule: str,
        selector: str = "",
    ) -> None:
        of = self._branch_at[self.graph.server_number[at]]
        branch = self.builder.branch(of, Kind.COPY)
        text = stopped_text(at, to, reason, guard, truth)
        self.builder.step(
            branch,
            at,
            text,
            rule=rule,
            confidence=_confidence(rule),
            source=source,
            station=self._topic,
        )
        arguments = {
            "at": at,
            "to": to,
            "condition": reason,
            "guard": guard,
            "value": truth,
            "destination": self.about,
        }
        if selector:
            arguments["selector"] = selector
        self.builder.end(branch, Ending(Outcome.NOT_FORWARDED, arguments))


def target_of(one: Subscriber) -> str:
    """What a bridge puts its copies on."""
    return f"{one.bridge.target_type}:{one.bridge.target_name}" if one.bridge else ""


def _confidence(rule: str) -> str:
    """How sure the rules of stops and deliveries are (ems.md 1.2, 2.4)."""
    return str(Confidence.M if rule == "R6" else Confidence.H)


def described(one: Subscriber) -> str:
    """What an answer calls a subscriber: its name, and how it is known."""
    if one.known == "configured" and one.called:
        return one.called
    return (
        f"{one.called}, {TEXTS[f'subscriber_{one.known}']}"
        if one.called
        else TEXTS[f"subscriber_{one.known}"]
    )
