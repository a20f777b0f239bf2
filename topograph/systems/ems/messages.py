"""What happens to one message published to a topic, as a trace: the walk of ``publication``, told step by step.

The trace is a tree of arrivals. Each server that gets the message is a branch that begins with the hop there; each subscriber that takes it, and
each link (or subscriber's selector) that stops it, is a branch of that with an ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from topograph.assumptions import Assumption
from topograph.errors import UsageError
from topograph.findings import Source
from topograph.forwarding.budget import BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Stop
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.header_fields import DEFAULTS
from topograph.message import Message
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.side_inputs import SideInputs
from topograph.systems.ems.evidence import Evidence
from topograph.systems.ems.guards import Verdict
from topograph.systems.ems.names import passes_replies
from topograph.systems.ems.publication import Published, judge, other_readings, publish
from topograph.systems.ems.subscribers import Refusal, Subscriber, check_topic, refusal, subscribers
from topograph.systems.ems.topics import is_temporary
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


def follow(
    source: FactSource, side_inputs: SideInputs, graph: ForwardingGraph, walker: Walker, sending: Sending
) -> Trace:
    """Follow one message. Two walks, and one more a reading that differs.

    Raises UsageError for a wildcard (R85), for a name that cannot be a topic and for an anonymous sender, which is something of other systems;
    BudgetSpent if the budget ends before anything is known.
    """
    message, topic = sending.message, sending.message.destination.name
    if message.anonymous:
        raise UsageError("--anonymous is about senders of messages to address:NAME.")
    check_topic(topic)
    start = graph.server_number[sending.start]
    loaded = {server.name: server.loaded for server in graph.servers}
    known = [*side_inputs.clients, *sending.clients]
    wanting = subscribers(source.facts, loaded, topic, known, sending.assume)
    refused = refusal(source.facts, sending.start, message)
    positions = _assumed(wanting)
    if refused is not None:
        found = Published(start, {}, {}, [])
    else:
        verdicts = judge(graph, topic, message.properties)
        interested = {graph.server_number[one.server] for one in wanting if one.reliable}
        unreliable = {graph.server_number[one.server]: _unreliable(one) for one in wanting if not one.reliable}
        cite = Evidence(source.facts, graph, topic).of
        found = publish(graph, walker, start, verdicts, interested, sending.budget, unreliable=unreliable, cite=cite)
        try:
            positions += [
                Assumption(one.rule, "M", one.text, f"if {one.alternative}, {', '.join(one.more)} would get it too")
                for one in other_readings(graph, walker, found, verdicts, interested, sending.budget)
            ]
        except BudgetSpent:
            found.exact = False
    told = _Telling(graph, message, found)
    undecided: list[_Judged] = []
    if refused is None:
        defaults = {name for number in verdicts.applying for name in verdicts.of[number].defaults}
        narrowed, undecided = told.deliveries(wanting)
        told.stops()
        told.narrowed([(one, verdict.truth) for one, verdict in narrowed])
        defaults.update(name for _, verdict in (*narrowed, *undecided) for name in verdict.defaults)
        positions += [_sent_with(name, DEFAULTS[name]) for name in sorted(defaults)]
    else:
        told.refused(refused)
    return Trace(
        start=sending.start,
        system=graph.system,
        steps=told.builder.steps,
        branches=told.builder.branches,
        exact=found.exact,
        assumptions=(*positions, *assumptions_of(graph, found.paths.values())),
        notes=_notes(graph, found, wanting),
        open=_open(graph, found, undecided),
        doubled=found.doubled,
        visited=(sending.start, *sorted(graph.servers[number].name for number in found.paths)),
    )


class _Telling:
    """Puts the trace of one publication together. Linear in the servers that get it and the links that stop it."""

    def __init__(self, graph: ForwardingGraph, message: Message, found: Published) -> None:
        self.graph, self.message, self.found = graph, message, found
        self.builder = TraceBuilder(graph.system)
        self.names = [server.name for server in graph.servers]
        temporary = is_temporary(message.destination.name)
        self._guards = [
            (guard.text, guard.kind != "position" and not (temporary and passes_replies(guard)))
            for guard in graph.guards
        ]
        root = self.builder.branch(-1, Kind.ROOT)
        self._branch_at: dict[int, int] = {found.start: root}
        made: dict[tuple[int, int], int] = {}
        for server, path in sorted(found.paths.items(), key=lambda entry: (len(entry[1]), self.names[entry[0]])):
            self._branch_at[server] = self._arrived(path, made)

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
        arguments = {"at": at, "to": to, "condition": reason, "guard": guard, "value": truth}
        self.builder.end(branch, Ending(Outcome.NOT_FORWARDED, arguments))


def _confidence(rule: str) -> str:
    """How sure the rules of stops and deliveries are (ems.md 1.2, 2.4)."""
    return str(Confidence.M if rule == "R6" else Confidence.H)


def _described(one: Subscriber) -> str:
    if one.known == "assumed":
        return "a subscriber that is assumed here"
    return "a durable subscriber" if one.known == "configured" else f"a {one.known} subscriber"


def _notes(graph: ForwardingGraph, found: Published, wanting: Sequence[Subscriber]) -> tuple[Note, ...]:
    """What the trace does not follow (A12, A13)."""
    here = {graph.servers[number].name for number in (found.start, *found.paths)}
    return tuple(
        Note(
            "A12",
            f"{one.note} at {one.server} takes the message there; what it does with it is not followed",
            one.source,
        )
        for one in wanting
        if not one.delivers and one.server in here
    )


def _unreliable(one: Subscriber) -> tuple[str, Source]:
    """Why a wildcard subscription is never called delivered at a server that the message has no other reason to go to (R46, A14)."""
    text = (
        f"the subscription {one.topic} is not a subset of a global topic of its server; it is not routed reliably (R46)"
    )
    return text, one.source


def _open(graph: ForwardingGraph, found: Published, undecided: Sequence[_Judged]) -> tuple[Open, ...]:
    """By server."""
    entries = dict(found.undetermined)
    for one, verdict in undecided:
        entries.setdefault(
            graph.server_number[one.server], (f"the subscriber's own selector: {verdict.note}", one.source)
        )
    return tuple(Open(graph.system, graph.servers[number].name, *entries[number]) for number in sorted(entries))
