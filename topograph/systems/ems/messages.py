"""What happens to one message published to a topic, as a trace: the walk of ``publication``, told step by step.

The trace is a tree of arrivals. Each server that gets the message is a branch that begins with the hop there; each subscriber that takes it, and
each link (or subscriber's selector) that stops it, is a branch of that with an ending. A copy that a bridge puts on a topic is one more publication,
which begins there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Stop
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.header_fields import DEFAULTS
from topograph.message import DestinationName, Message
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.side_inputs import Client, SideInputs
from topograph.systems.ems.evidence import Evidence
from topograph.systems.ems.guards import Verdict
from topograph.systems.ems.names import passes_replies
from topograph.systems.ems.publication import Published, judge, other_readings, publish
from topograph.systems.ems.subscribers import (
    Refusal,
    Subscriber,
    check_topic,
    local_without_links,
    not_configured,
    refusal,
    subscribers,
)
from topograph.systems.ems.topics import is_temporary, is_wildcard
from topograph.systems.protocol import FactSource, Sending
from topograph.tracing.assumptions import assumptions_of
from topograph.tracing.trace import Ending, Kind, Note, Open, Trace, TraceBuilder

_STRONGEST = {"declared": 0, "observed": 1, "configured": 2, "assumed": 3}
"""Of several subscribers at one server the delivery names the one best known."""

_ASSUMED = Assumption(
    "R40",
    "L",
    "nothing is known about clients, so every server counts as having a subscriber",
    "a server without a subscriber at it or behind it does not get the message",
)

_ASSUMED_BESIDE = replace(
    _ASSUMED,
    text="of clients only the configured subscribers are known, so every other server counts as having a subscriber too",
)


def _assumed(wanting: Sequence[Subscriber]) -> list[Assumption]:
    """What is assumed about clients."""
    if not any(one.known == "assumed" for one in wanting):
        return []
    if is_temporary(wanting[0].topic):
        text = f"the client that created {wanting[0].topic} is attached to {wanting[0].server}"
        return [Assumption("R90", "H", text, "without it nobody gets the message")]
    return [_ASSUMED_BESIDE if any(one.delivers and one.known != "assumed" for one in wanting) else _ASSUMED]


_Judged = tuple[Subscriber, Verdict]
"""A subscriber and what its own selector says of the message."""


def _sent_with(name: str, value: str | int) -> Assumption:
    text = f"the message has {name} {value}, the default of senders"
    return Assumption("R69", "M", text, f"--set {name}=VALUE asks about a message that is sent with another")


MOST_COPIES = 200
"""Copies of bridges that are followed over routes; each takes walks of its own."""

_BRIDGED = Assumption(
    "A12",
    "M",
    "a bridge counts as a subscriber, and copies messages that come over a route (R113)",
    "without that only the bridges of the server that a message is published at copy it",
)


def follow(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph, walker: Walker, sending: Sending
) -> Trace:
    """Follow one message, and the copies that bridges make of it (R110-R113). Two walks, one more a reading that differs, and as many for each copy
    on a topic.

    Raises UsageError for a wildcard (R85) and for a name that cannot be a topic; BudgetSpent if the budget ends before anything is known.
    """
    check_topic(sending.message.destination.name)
    builder = TraceBuilder(graph.system)
    start = graph.server_number[sending.start]
    told = _Following(source, [*side_inputs.clients, *sending.clients], graph, walker, sending, builder)
    told.notes.update((Note("R45", *said), None) for said in not_configured(source.facts, sending.clients))
    waiting = deque([_Copy(start, sending.message, builder.branch(-1, Kind.ROOT))])
    seen: set[tuple[int, str]] = set()
    while waiting:
        for copy in told.publication(waiting.popleft()):
            place = copy.start, copy.message.destination.name
            if place in seen:
                told.goes_round(copy)
            elif len(seen) == MOST_COPIES:
                told.too_many(copy)
            else:
                seen.add(place)
                waiting.append(copy)
    return told.trace()


@dataclass(frozen=True)
class _Copy:
    """What is published at a server (number), and the branch that begins with it; the message itself, or the copy that a bridge makes there."""

    start: int
    message: Message
    branch: int
    bridged: bool = False

    @property
    def about(self) -> str:
        """What an answer calls it beside the message itself."""
        return str(self.message.destination) if self.bridged else ""


class _Following:
    """Follows a message and its copies one after another, and gathers what the trace says of them."""

    def __init__(
        self,
        source: FactSource,
        clients: Sequence[Client],
        graph: ForwardingGraph,
        walker: Walker,
        sending: Sending,
        builder: TraceBuilder,
    ) -> None:
        self.source, self.clients, self.graph, self.walker, self.sending = source, clients, graph, walker, sending
        self.builder = builder
        self.loaded = {server.name: server.loaded for server in graph.servers}
        self.positions: dict[Assumption, None] = {}
        self.defaults: set[str] = set()
        self.notes: dict[Note, None] = {}
        self.open: dict[tuple[int, str], Open] = {}
        self.found: list[Published] = []

    def publication(self, copy: _Copy) -> list[_Copy]:
        """Tell one publication; the copies on topics that bridges make of it."""
        graph, message, sent = self.graph, copy.message, self.sending
        topic = message.destination.name
        wanting = subscribers(self.source.facts, self.loaded, topic, self.clients, sent.assume)
        refused = refusal(self.source.facts, graph.servers[copy.start].name, message)
        self.positions.update(dict.fromkeys(_assumed(wanting)))
        if refused is not None:
            self.found.append(Published(copy.start, {}, {}, []))
            _Telling(graph, copy, self.found[-1], self.builder).refused(refused)
            return []
        verdicts = judge(graph, topic, message.properties)
        interested = {graph.server_number[one.server] for one in wanting if one.reliable}
        unreliable = {graph.server_number[one.server]: _unreliable(one) for one in wanting if not one.reliable}
        cite = Evidence(self.source.facts, graph, topic)
        found = publish(
            graph,
            self.walker,
            copy.start,
            verdicts,
            interested,
            sent.budget,
            unreliable=unreliable,
            cite=cite,
            local=local_without_links(self.source.facts, graph, topic),
        )
        self.found.append(found)
        told = f"{copy.about}: " if copy.bridged else ""
        try:
            readings = other_readings(graph, self.walker, found, verdicts, interested, sent.budget)
        except BudgetSpent:
            found.exact = False
            readings = []
        for reading in readings:
            text = f"if {reading.alternative}, {', '.join(reading.more)} would get it too"
            self.positions[Assumption(reading.rule, "M", told + reading.text, text)] = None
        telling = _Telling(graph, copy, found, self.builder)
        self.defaults.update(name for number in verdicts.applying for name in verdicts.of[number].defaults)
        narrowed, undecided = telling.deliveries(wanting)
        telling.stops()
        telling.narrowed([(one, verdict.truth) for one, verdict in narrowed])
        copies, left_open = self._bridges(copy, telling, wanting)
        judged = [*narrowed, *undecided, *left_open]
        self.defaults.update(name for _, verdict in judged for name in verdict.defaults)
        self.notes.update(dict.fromkeys(_notes(graph, found, wanting)))
        for number, (because, source) in _left_open(graph, found, undecided).items():
            self._leave_open(number, told + because, source)
        anywhere = any(one.known == "assumed" for one in wanting) and not is_temporary(topic)
        if found.beyond is not None and anywhere and not found.undetermined:
            found.exact = False
            self.notes[Note("not-loaded", *found.beyond)] = None
        for one, verdict in left_open:
            self._leave_open(graph.server_number[one.server], f"{told}{one.note}: {verdict.note}", one.source)
        return copies

    def _leave_open(self, number: int, because: str, source: Source) -> None:
        name = self.graph.servers[number].name
        self.open.setdefault((number, because), Open(self.graph.system, name, because, source))

    def _bridges(
        self, copy: _Copy, telling: _Telling, wanting: Sequence[Subscriber]
    ) -> tuple[list[_Copy], list[_Judged]]:
        """What bridges make of the message at the servers that it gets to: the copies on topics, and the bridges whose selector is not decided. A
        copy that a bridge made is not bridged again at that server (R111)."""
        copies, left_open = [], []
        for one in wanting:
            at = self.graph.server_number[one.server]
            bridge = one.bridge
            if bridge is None or not telling.has(at) or (copy.bridged and at == copy.start):
                continue
            verdict = one.accepts(copy.message.properties)
            if not verdict.known:
                left_open.append((one, verdict))
                continue
            if not verdict.passes:
                telling.stopped_by_bridge(one, verdict.truth)
                continue
            if at != copy.start:
                self.positions[_BRIDGED] = None
            name, _, owner = bridge.target_name.partition("@")
            if bridge.target_type == "topic" and not is_wildcard(bridge.target_name):
                message = replace(copy.message, destination=DestinationName("topic", bridge.target_name), user="")
                copies.append(_Copy(at, message, telling.bridged(one), bridged=True))
            elif bridge.target_type == "queue" and owner in ("", one.server):
                telling.stored(one, f"queue:{name}")
            else:
                text = f"{one.note} at {one.server} copies the message; what becomes of the copy is not followed (R112)"
                self.notes[Note("A12", text, one.source)] = None
        return copies, left_open

    def goes_round(self, copy: _Copy) -> None:
        """A copy comes to where the same topic was bridged before: bridges feed each other (R114)."""
        at = self.graph.servers[copy.start].name
        text = f"a copy was put on {copy.message.destination} here before: bridges feed each other, and the message goes round"
        self.builder.step(copy.branch, at, text, rule="R114", confidence=str(Confidence.M))
        self.builder.end(copy.branch, Ending(Outcome.LOOP, {"state": f"{copy.message.destination} at {at}"}))

    def too_many(self, copy: _Copy) -> None:
        """A copy that is not followed any more."""
        self.found[0].exact = False
        at = self.graph.servers[copy.start].name
        text = (
            f"more than {MOST_COPIES} copies of bridges; the one on {copy.message.destination} at {at} is not followed"
        )
        self.notes[Note("R110", text)] = None

    def trace(self) -> Trace:
        """All that was told."""
        graph, first = self.graph, self.found[0]
        sent = [_sent_with(name, DEFAULTS[name]) for name in sorted(self.defaults)]
        paths = [path for found in self.found for path in found.paths.values()]
        return Trace(
            start=self.sending.start,
            system=graph.system,
            steps=self.builder.steps,
            branches=self.builder.branches,
            exact=all(found.exact for found in self.found),
            assumptions=(*self.positions, *sent, *assumptions_of(graph, paths)),
            notes=tuple(self.notes),
            open=tuple(self.open[key] for key in sorted(self.open)),
            doubled=any(found.doubled for found in self.found),
            visited=(self.sending.start, *sorted(graph.servers[number].name for number in first.paths)),
        )


class _Telling:
    """Puts the trace of one publication together. Linear in the servers that get it and the links that stop it."""

    def __init__(self, graph: ForwardingGraph, copy: _Copy, found: Published, builder: TraceBuilder) -> None:
        self.graph, self.message, self.found, self.about = graph, copy.message, found, copy.about
        self.builder = builder
        self.names = [server.name for server in graph.servers]
        temporary = is_temporary(copy.message.destination.name)
        self._guards = [
            (guard.text, guard.kind != "position" and not (temporary and passes_replies(guard)))
            for guard in graph.guards
        ]
        self._branch_at: dict[int, int] = {found.start: copy.branch}
        made: dict[tuple[int, int], int] = {}
        for server, path in sorted(found.paths.items(), key=lambda entry: (len(entry[1]), self.names[entry[0]])):
            self._branch_at[server] = self._arrived(path, made)

    def has(self, server: int) -> bool:
        """Whether a server (number) gets it."""
        return server in self._branch_at

    def bridged(self, one: Subscriber) -> int:
        """The branch of the copy that a bridge puts on a topic."""
        return self._copied(one, f"{one.note} copies it")

    def stored(self, one: Subscriber, queue: str) -> None:
        """A branch for the copy that a bridge puts on a queue of its server."""
        branch = self._copied(one, f"{one.note} copies it: stored in {queue}", queue)
        copies = self.found.copies.get(self.graph.server_number[one.server], 1)
        arguments: dict[str, str | int] = {
            "server": one.server,
            "destination": queue,
            "subscriber": one.known,
            "copies": copies,
        }
        self.builder.end(branch, Ending(Outcome.DELIVERED, arguments))

    def _copied(self, one: Subscriber, text: str, target: str = "") -> int:
        branch = self.builder.branch(self._branch_at[self.graph.server_number[one.server]], Kind.COPY)
        self.builder.step(
            branch, one.server, text, rule="R110", confidence=_confidence("R110"), source=one.source, object=target
        )
        return branch

    def stopped_by_bridge(self, one: Subscriber, truth: Truth) -> None:
        """A branch for a bridge whose selector does not take the message."""
        guard = f"the selector of {one.note}: {one.selector}"
        self._stopped(one.server, one.server, NotForwarded.SELECTOR, guard, truth, one.source, "R110")

    def _arrived(self, path: Path, made: dict[tuple[int, int], int]) -> int:
        """The branch of an arrival: one step on from the server before it, where the path there is this one's beginning (always on a legal
        network), else from the first step that no branch has been made for. ``made`` are branches by (branch before, point)."""
        servers = self.graph.point_server
        before = int(servers[path[-2]])
        if before in self._branch_at and self.found.paths.get(before, (self.found.start,)) == path[:-1]:
            branch, rest = self._branch_at[before], path[-2:]
        else:
            branch, rest = self._branch_at[self.found.start], path
        for start, end in pairwise(rest):
            if (branch, end) not in made:
                made[branch, end] = self._hop(branch, start, end)
            branch = made[branch, end]
        return branch

    def _hop(self, of: int, start: int, end: int) -> int:
        branch = self.builder.branch(of, Kind.COPY)
        permission = self.graph.permission(start, end)
        at, to = (self.names[int(self.graph.point_server[point])] for point in (start, end))
        zone = self.graph.points[end].zone
        texts = (self._guards[number] for number in permission.guards)
        self.builder.step(
            branch,
            at,
            f"over the link to {to} in zone {zone}",
            rule=permission.rule,
            confidence=str(permission.confidence),
            source=permission.source,
            to=to,
            zone=zone,
            guards=tuple(dict.fromkeys(text for text, asks in texts if asks)),
        )
        return branch

    def deliveries(self, wanting: Sequence[Subscriber]) -> tuple[list[_Judged], list[_Judged]]:
        """A branch for the best known subscriber of each server that the message gets to. Those whose own selector stops it, and, where nobody
        else takes it, those whose selector the question does not decide."""
        served: set[str] = set()
        number = self.graph.server_number
        stopped: list[_Judged] = []
        undecided: list[_Judged] = []
        for one in sorted(wanting, key=lambda each: (each.server, _STRONGEST[each.known], each.topic)):
            branch = self._branch_at.get(number[one.server])
            if not one.delivers or branch is None:
                continue
            verdict = one.accepts(self.message.properties)
            if not verdict.passes:
                (stopped if verdict.known else undecided).append((one, verdict))
            elif one.server not in served:
                served.add(one.server)
                self._delivered(branch, one, self.found.copies.get(number[one.server], 1))
        return stopped, [(one, verdict) for one, verdict in undecided if one.server not in served]

    def narrowed(self, stopped: Sequence[tuple[Subscriber, Truth]]) -> None:
        """A branch for each subscriber whose own selector does not take the message (R47)."""
        for one, truth in stopped:
            guard = f"the subscriber's own selector: {one.selector}"
            self._stopped(one.server, one.server, NotForwarded.SELECTOR, guard, truth, one.source, "R47")

    def _delivered(self, of: int, one: Subscriber, copies: int) -> None:
        branch = self.builder.branch(of, Kind.COPY)
        destination = str(self.message.destination)
        self.builder.step(
            branch,
            one.server,
            f"delivered to {_described(one)}",
            rule="R40",
            confidence=_confidence("R40"),
            source=one.source,
            object=destination,
        )
        arguments: dict[str, str | int] = {
            "server": one.server,
            "destination": destination,
            "subscriber": one.known,
            "copies": copies,
        }
        self.builder.end(branch, Ending(Outcome.DELIVERED, arguments))

    def stops(self) -> None:
        """A branch for each link that the message does not take."""
        for stop in self.found.stops:
            self._link_stops(stop)

    def _link_stops(self, stop: Stop) -> None:
        at, to = self.names[stop.at], self.names[stop.to]
        self._stopped(at, to, stop.reason, stop.guard, stop.truth, stop.source, stop.rule)

    def refused(self, why: Refusal) -> None:
        """The one branch of a message that its own server does not take."""
        at = self.names[self.found.start]
        self._stopped(at, at, why.reason, why.text, Truth.FALSE, why.source, why.rule)

    def _stopped(
        self, at: str, to: str, reason: NotForwarded, guard: str, truth: Truth, source: Source, rule: str
    ) -> None:
        of = self._branch_at[self.graph.server_number[at]]
        branch = self.builder.branch(of, Kind.COPY)
        text = f"not taken here: {guard}" if at == to else f"not sent to {to}: {guard}"
        if reason is NotForwarded.SELECTOR:
            text += f" is {truth}"
        self.builder.step(branch, at, text, rule=rule, confidence=_confidence(rule), source=source)
        arguments = {"at": at, "to": to, "condition": reason, "guard": guard, "value": truth, "destination": self.about}
        self.builder.end(branch, Ending(Outcome.NOT_FORWARDED, arguments))


def _confidence(rule: str) -> str:
    """How sure the rules of stops and deliveries are (ems.md 1.2, 2.4)."""
    return str(Confidence.M if rule == "R6" else Confidence.H)


def _described(one: Subscriber) -> str:
    if one.known == "assumed":
        return "a subscriber that is assumed here"
    return "a durable subscriber" if one.known == "configured" else f"a {one.known} subscriber"


def _notes(graph: ForwardingGraph, found: Published, wanting: Sequence[Subscriber]) -> tuple[Note, ...]:
    """What the trace does not follow (A13)."""
    here = {graph.servers[number].name for number in (found.start, *found.paths)}
    return tuple(
        Note(
            "A13",
            f"{one.note} at {one.server} takes the message there; what it does with it is not followed",
            one.source,
        )
        for one in wanting
        if not one.delivers and one.bridge is None and one.server in here
    )


def _unreliable(one: Subscriber) -> tuple[str, Source]:
    """Why a wildcard subscription is never called delivered at a server that the message has no other reason to go to (R46, A14)."""
    text = (
        f"the subscription {one.topic} is not a subset of a global topic of its server; it is not routed reliably (R46)"
    )
    return text, one.source


def _left_open(graph: ForwardingGraph, found: Published, undecided: Sequence[_Judged]) -> dict[int, tuple[str, Source]]:
    """By server, why it is not certain whether it gets the message."""
    entries = dict(found.undetermined)
    for one, verdict in undecided:
        entries.setdefault(
            graph.server_number[one.server], (f"the subscriber's own selector: {verdict.note}", one.source)
        )
    return entries
