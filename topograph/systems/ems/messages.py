"""What happens to one message, as a trace: to a topic the walk of ``publication``, told step by
step; to a queue the steps of ``queue_steps``.

The trace is a tree of arrivals. Each server that gets the message is a branch that begins with the
hop there; each subscriber that takes it, and each link (or subscriber's selector) that stops it, is
a branch of that with an ending. A copy that a bridge makes is one more message, which begins there:
copies are followed in waves, each once for every way it comes about, so that those of two bridges
(or of a bridge and a route) are counted, and one that comes to where it was before goes round.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Decided, Stop
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.header_fields import DEFAULTS
from topograph.inexact import Cause, Inexact, budget_ended, not_loaded
from topograph.message import DestinationName, Message
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.side_inputs import Client, SideInputs
from topograph.systems.ambiguities import Readings
from topograph.systems.ems.conditions import met_by
from topograph.systems.ems.doubt import LEGAL
from topograph.systems.ems.evidence import Evidence
from topograph.systems.ems.guard_index import judge
from topograph.systems.ems.guards import SUSPENDED, Verdict, suspensions
from topograph.systems.ems.links_closed import passes_replies
from topograph.systems.ems.message_texts import TEXTS
from topograph.systems.ems.message_texts import text as said
from topograph.systems.ems.observations import Observations, at_one_moment, observations
from topograph.systems.ems.publication import Published, other_readings, publish
from topograph.systems.ems.queue_steps import (
    ARRIVES_BRIDGED,
    BRIDGED,
    SENT,
    QueueSteps,
    queue_state,
)
from topograph.systems.ems.replies import check_destination, reply_destination
from topograph.systems.ems.subscribers import (
    Refusal,
    Subscriber,
    local_without_links,
    not_configured,
    not_in_network,
    refusal,
    subscribers,
)
from topograph.systems.ems.topics import contained, is_temporary, is_wildcard, owner_of
from topograph.systems.protocol import FactSource, Failure, Sending
from topograph.tracing.assumptions import assumptions_of
from topograph.tracing.exploration import explore
from topograph.tracing.trace import Ending, Kind, Note, Open, Step, Taker, Trace, TraceBuilder

_STRONGEST = {"declared": 0, "observed": 1, "configured": 2, "assumed": 3}
"""Of several subscribers at one server the delivery names the one best known."""

ASSUMED = Assumption(
    "R40",
    "L",
    "nothing is known about clients, so every server counts as having a subscriber",
    "a server without a subscriber at it or behind it does not get the message",
)

ASSUMED_BESIDE = replace(
    ASSUMED,
    text=(
        "of clients only the {known} subscribers are known, so every other server counts as "
        "having a subscriber too"
    ),
)

ASSUMED_ELSEWHERE = replace(
    ASSUMED, text="every server that did not list its subscribers counts as having one"
)


def _assumed(wanting: Sequence[Subscriber], seen: Observations) -> list[Assumption]:
    """What is assumed about clients, of which some may have been ``seen``."""
    if not any(one.known == "assumed" for one in wanting):
        return []
    if is_temporary(wanting[0].topic):
        text = f"the client that created {wanting[0].topic} is attached to {wanting[0].server}"
        return [Assumption("R90", "H", text, "without it nobody gets the message")]
    if seen.whole or seen.cut:
        return [ASSUMED_ELSEWHERE]
    beside = {one.known for one in wanting if one.delivers and one.known != "assumed"}
    if not beside:
        return [ASSUMED]
    return [
        replace(ASSUMED_BESIDE, text=ASSUMED_BESIDE.text.format(known=" and ".join(sorted(beside))))
    ]


_Judged = tuple[Subscriber, Verdict]
"""A subscriber and what its own selector says of the message."""


def _sent_with(name: str, value: str | int) -> Assumption:
    return Assumption(
        "R69",
        "M",
        said("default", name=name, value=value),
        said("default_otherwise", name=name, value=value),
    )


MOST_COPIES = 200
"""Copies of bridges that are followed over routes; each takes walks of its own."""


def follow(
    source: FactSource,
    side_inputs: SideInputs,
    graph: ForwardingGraph,
    walker: Walker,
    sending: Sending,
    failed: Failure | None = None,
) -> Trace:
    """Follow one message, and the copies that bridges make of it (R110-R114). Of a topic two walks,
    one more a reading that differs, and as many for each server and topic that copies begin with;
    of a queue none. ``failed`` is what has failed, as far as queues are concerned (R105).

    Raises UsageError for a wildcard (R85) and for a name that cannot be a topic or queue,
    UnknownServer for a temporary destination of a server that is not in the network; BudgetSpent if
    the budget ends before anything is known.
    """
    named = sending.message.destination
    check_destination(named)
    if sending.message.reply_to:
        reply_destination(sending.message.reply_to)
    builder = TraceBuilder(graph.system)
    start = graph.server_number[sending.start]
    clients, readings = [*side_inputs.clients, *sending.clients], Readings.of(side_inputs, "ems")
    told = _Following(source, clients, graph, walker, sending, builder, failed, readings)
    told.notes.update(
        (Note("R45", *said), None) for said in not_configured(source.facts, sending.clients)
    )
    waiting = deque([_Copy(start, sending.message, builder.branch(-1, Kind.ROOT))])
    followed = 0
    while waiting:
        copy = waiting.popleft()
        for made in (
            told.queued(copy)
            if copy.message.destination.type == "queue"
            else told.publication(copy)
        ):
            if made.place in made.before:
                told.goes_round(made)
            elif followed == MOST_COPIES:
                told.too_many(made)
            else:
                followed += 1
                waiting.append(made)
    return told.trace()


@dataclass(frozen=True)
class _Copy:
    """What is sent at a server (number), and the branch that begins with it; the message itself,
    or the copy that a bridge makes there. ``before`` are the places of the copies that it comes
    from, ``times`` how often the server has what it is a copy of."""

    start: int
    message: Message
    branch: int
    bridged: bool = False
    before: frozenset[tuple[int, str]] = frozenset()
    times: int = 1

    @property
    def place(self) -> tuple[int, str]:
        """Where it begins: server and destination."""
        return self.start, str(self.message.destination)

    def bridged_to(self, at: int, target: str, branch: int, times: int = 1) -> _Copy:
        """The copy that a bridge at a server makes of it on ``TYPE:NAME``, where the server has
        it ``times``.
        """
        type_, _, name = target.partition(":")
        before = self.before | {self.place} if self.bridged else self.before
        message = replace(self.message, destination=DestinationName(type_, name), user="")
        return _Copy(at, message, branch, True, before, self.times * times)

    @property
    def about(self) -> str:
        """What an answer calls it beside the message itself."""
        return str(self.message.destination) if self.bridged else ""


@dataclass(frozen=True)
class _Publication:
    """One publication: who gets it, who wants it, and why its server refuses it, if it does."""

    found: Published
    wanting: Sequence[Subscriber]
    refused: Refusal | None = None
    later: Mapping[int, int] = field(default_factory=dict)
    """By server that gets it now, how many more copies of it wait before suspended routes."""


class _Following:
    """Follows a message and its copies one after another, and gathers what the trace says of
    them.
    """

    def __init__(
        self,
        source: FactSource,
        clients: Sequence[Client],
        graph: ForwardingGraph,
        walker: Walker,
        sending: Sending,
        builder: TraceBuilder,
        failed: Failure | None,
        readings: Readings,
    ) -> None:
        self.source, self.clients, self.graph, self.walker, self.sending = (
            source,
            clients,
            graph,
            walker,
            sending,
        )
        self.builder = builder
        self.queues = QueueSteps(source.facts, graph, clients, failed, readings)
        self.loaded = {server.name: server.loaded for server in graph.servers}
        self.positions: dict[Assumption, None] = {}
        self.defaults: set[str] = set()
        self.notes: dict[Note, None] = {}
        self.open: dict[tuple[int, str], Open] = {}
        self.found: list[Published] = []
        self.suspended = suspensions(graph)
        self.exact = True
        self.inexact: dict[Inexact, None] = {}
        self.visited: set[str] = set()
        """Where the message, or a copy that a bridge made of it, gets to."""
        self.received: dict[Subscriber, list[int]] = {}
        self._published: dict[tuple[tuple[int, str], bool], _Publication] = {}

    def queued(self, copy: _Copy) -> list[_Copy]:
        """Tell what becomes of a message to a queue; the copies that bridges make of it."""
        server, queue = self.graph.servers[copy.start].name, copy.message.destination.name
        if is_temporary(queue) and owner_of(queue) not in self.graph.server_number:
            raise not_in_network(queue, self.graph.server_number)
        state = queue_state(server, queue, BRIDGED if copy.bridged else SENT)
        stepping = self.queues.stepping()
        told = explore(
            {self.graph.system: stepping},
            self.graph.system,
            state,
            copy.message,
            budget=self.sending.budget,
        )
        self.visited.update(told.visited)
        self.exact = self.exact and told.exact
        self.inexact.update(dict.fromkeys(told.inexact))
        self.positions.update(dict.fromkeys(told.assumptions))
        self.defaults.update(self.queues.defaults)
        for one in told.open:
            self._leave_open(self.graph.server_number[one.server], one.because, one.source)
        copies = []
        numbers = self.builder.graft(copy.branch, told)
        for branch, number in zip(told.branches, numbers, strict=True):
            ending = branch.ending
            if ending is None:
                continue
            at = (
                self.graph.server_number[ending.text("server")]
                if ending.text("server")
                else copy.start
            )
            if ending.outcome is Outcome.PUBLISHED:
                copies.append(copy.bridged_to(at, ending.text("destination"), number))
                self.builder.reopen(number)
            else:
                self._queue_ending(copy, number, ending, told.steps[branch.last])
        return copies

    def _queue_ending(self, copy: _Copy, branch: int, ending: Ending, step: Step) -> None:
        """What an answer says of the ending of a message to a queue, beside the ending itself."""
        arguments = dict(ending.arguments)
        if ending.outcome is Outcome.DELIVERED:
            arguments["copies"] = copy.times
        elif ending.outcome is Outcome.NOT_FORWARDED:
            arguments["destination"] = copy.about
            if (
                ending.text("value") == Truth.UNKNOWN
                and ending.text("condition") != NotForwarded.SELECTOR
            ):
                self._leave_open(
                    self.graph.server_number[ending.text("to")], ending.text("guard"), step.source
                )
        elif ending.outcome is Outcome.UNDETERMINED:
            self._leave_open(
                self.graph.server_number[ending.text("server")],
                ending.text("condition"),
                step.source,
            )
        elif ending.outcome is not Outcome.LOOP:
            self.notes[Note(step.rule, f"{ending}: {step.text}", step.source)] = None
        self.builder.end(branch, Ending(ending.outcome, arguments))

    def publication(self, copy: _Copy) -> list[_Copy]:
        """Tell one publication; the copies that bridges make of it."""
        known = self._published.get((copy.place, copy.bridged))
        if known is None:
            known = self._published[copy.place, copy.bridged] = self._publish(copy)
        found, wanting = known.found, known.wanting
        gets_to = found.paths.keys() - self._waiting(found)
        self.visited.update(self.graph.servers[number].name for number in gets_to)
        telling = _Telling(self.graph, copy, found, self.builder, self.suspended)
        if known.refused is not None:
            telling.refused(known.refused)
            return []
        told = f"{copy.about}: " if copy.bridged else ""
        narrowed, undecided = telling.deliveries(wanting)
        telling.stops()
        self.notes.update(dict.fromkeys(telling.held))
        self.notes.update(dict.fromkeys(self._more_later(known.later)))
        telling.narrowed([(one, verdict.truth) for one, verdict in narrowed])
        copies, left_open = self._bridges(copy, telling, wanting)
        judged = [*narrowed, *undecided, *left_open]
        self.defaults.update(name for _, verdict in judged for name in verdict.defaults)
        self.notes.update(dict.fromkeys(_notes(self.graph, found, wanting)))
        for number, (because, source) in _left_open(self.graph, found, undecided).items():
            # The copy of a bridge begins elsewhere than the message.
            path = () if copy.bridged else found.towards.get(number, found.paths.get(number, ()))
            self._leave_open(number, told + because, source, path, found.decided.get(number))
        anywhere = any(one.known == "assumed" for one in wanting) and not is_temporary(
            copy.message.destination.name
        )
        if found.beyond is not None and anywhere and not found.undetermined:
            found.exact = False
            self.inexact[not_loaded(found.beyond[:1])] = None
            self.notes[Note("not-loaded", *found.beyond)] = None
        for one, verdict in left_open:
            self._leave_open(
                self.graph.server_number[one.server],
                f"{told}{one.note}: {verdict.note}",
                one.source,
            )
        for one, times in telling.taken:
            self.received.setdefault(one, []).append(times)
        return copies

    def _publish(self, copy: _Copy) -> _Publication:
        """The walks of one publication, and what they rest on."""
        graph, message, sent = self.graph, copy.message, self.sending
        topic = message.destination.name
        wanting = subscribers(self.source.facts, self.loaded, topic, self.clients, sent.assume)
        refused = refusal(self.source.facts, graph.servers[copy.start].name, message)
        seen = (
            Observations() if is_temporary(topic) else observations(self.source.facts, self.loaded)
        )
        self.positions.update(dict.fromkeys([*_assumed(wanting, seen), *at_one_moment(seen)]))
        if refused is not None:
            return _Publication(Published(copy.start, {}, {}, []), wanting, refused)
        verdicts = judge(graph, topic, message.properties)
        interested = {graph.server_number[one.server] for one in wanting if one.reliable}
        unreliable = {
            graph.server_number[one.server]: _unreliable(one) for one in wanting if not one.reliable
        }
        found = publish(
            graph,
            self.walker,
            copy.start,
            verdicts,
            interested,
            sent.budget,
            unreliable=unreliable,
            cite=Evidence(self.source.facts, graph, topic),
            local=local_without_links(self.source.facts, graph, topic),
            topic=topic,
        )
        later: Mapping[int, int] = {}
        if found.doubled and self._waiting(found):
            # A server may get it over another path too, where it does not wait.
            closed = replace(verdicts, failing=verdicts.failing | self.suspended.keys())
            now = publish(graph, self.walker, copy.start, closed, interested, sent.budget)
            more = {number: found.copies[number] - times for number, times in now.copies.items()}
            later = {number: times for number, times in more.items() if times > 0}
            found.paths, found.copies = {**found.paths, **now.paths}, {**found.copies, **now.copies}
            found.exact = found.exact and now.exact
        self.found.append(found)
        try:
            readings = other_readings(graph, self.walker, found, verdicts, interested, sent.budget)
        except BudgetSpent:
            found.exact = False
            readings = []
        told = f"{copy.about}: " if copy.bridged else ""
        if found.one_path or found.decided:
            self.positions[LEGAL] = None
        for position in _passed_on_in_part(graph, found, wanting):
            self.positions[replace(position, text=told + position.text)] = None
        for reading in readings:
            would = said(
                "more_reading", alternative=reading.alternative, servers=", ".join(reading.more)
            )
            self.positions[Assumption(reading.rule, "M", told + reading.text, would)] = None
        self.defaults.update(
            name for number in verdicts.applying for name in verdicts.of[number].defaults
        )
        return _Publication(found, wanting, later=later)

    def _waiting(self, found: Published) -> set[int]:
        """The servers (numbers) that get it only once a route is resumed (R53)."""
        if not self.suspended:
            return set()
        points = self.graph.points
        crossed = {
            number
            for number in set().union(*found.paths.values())
            if not self.suspended.keys().isdisjoint(points[number].guards)
        }
        return {server for server, path in found.paths.items() if not crossed.isdisjoint(path)}

    def _more_later(self, later: Mapping[int, int]) -> Iterator[Note]:
        for number, times in sorted(later.items()):
            name = self.graph.servers[number].name
            copies = "another copy" if times == 1 else f"{times} more copies"
            yield Note(
                SUSPENDED, f"{name} gets {copies} of it once the suspended routes are resumed"
            )

    def _leave_open(
        self,
        number: int,
        because: str,
        source: Source,
        path: Path = (),
        decided: Decided | None = None,
    ) -> None:
        name = self.graph.servers[number].name
        self.open.setdefault(
            (number, because), Open(self.graph.system, name, because, source, path, decided)
        )

    def _bridges(
        self, copy: _Copy, telling: _Telling, wanting: Sequence[Subscriber]
    ) -> tuple[list[_Copy], list[_Judged]]:
        """What bridges make of the message at the servers that it gets to: the copies on topics,
        and the bridges whose selector is not decided. A copy that a bridge made is not bridged
        again at that server (R111)."""
        copies, left_open = [], []
        number = self.graph.server_number
        to_queues = (
            one for one in wanting if one.bridge is not None and one.bridge.target_type == "queue"
        )
        self.queues.expect({one.server for one in to_queues if telling.has(number[one.server])})
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
                self.positions[ARRIVES_BRIDGED] = None
            name, _, owner = bridge.target_name.partition("@")
            times = telling.times(at)
            if is_wildcard(bridge.target_name):
                text = said("copy_not_followed", note=one.note, server=one.server)
                self.notes[Note("A12", text, one.source)] = None
            elif (
                bridge.target_type == "queue"
                and owner in ("", one.server)
                and self.queues.just_stores(one.server, name)
            ):
                telling.stored(one, f"queue:{name}")
            else:
                target = f"{bridge.target_type}:{bridge.target_name}"
                copies.append(copy.bridged_to(at, target, telling.bridged(one), times))
        return copies, left_open

    def goes_round(self, copy: _Copy) -> None:
        """A copy comes to where the same topic was bridged before: bridges feed each other
        (R114).
        """
        at = self.graph.servers[copy.start].name
        text = (
            f"a copy was put on {copy.message.destination} here before: bridges feed each "
            "other, and the message goes round"
        )
        self.builder.step(copy.branch, at, text, rule="R114", confidence=str(Confidence.M))
        self.builder.end(
            copy.branch, Ending(Outcome.LOOP, {"state": f"{copy.message.destination} at {at}"})
        )

    def too_many(self, copy: _Copy) -> None:
        """A copy that is not followed any more."""
        self.exact = False
        self.inexact[Inexact(Cause.LIMIT, said("copies_limit", most=MOST_COPIES))] = None
        at = self.graph.servers[copy.start].name
        text = said(
            "copies_too_many", most=MOST_COPIES, destination=copy.message.destination, server=at
        )
        self.notes[Note("R110", text)] = None

    def _duplicates(self) -> Iterator[Note]:
        """The subscribers that get several copies, by bridges and routes or by several bridges
        (R114).
        """
        for one, times in self.received.items():
            if len(times) > 1:
                text = said(
                    "copies_received",
                    subscriber=_described(one),
                    destination=f"topic:{one.topic}",
                    server=one.server,
                    copies=sum(times),
                )
                yield Note("R114", text, one.source)

    def trace(self) -> Trace:
        """All that was told."""
        graph = self.graph
        self.notes.update(dict.fromkeys(self._duplicates()))
        sent = [_sent_with(name, DEFAULTS[name]) for name in sorted(self.defaults)]
        paths = [path for found in self.found for path in found.paths.values()]
        return Trace(
            start=self.sending.start,
            system=graph.system,
            steps=self.builder.steps,
            branches=self.builder.branches,
            exact=self.exact and all(found.exact for found in self.found),
            inexact=self._inexact(),
            assumptions=(*self.positions, *sent, *assumptions_of(graph, paths)),
            notes=tuple(self.notes),
            open=tuple(self.open[key] for key in sorted(self.open)),
            doubled=any(found.doubled for found in self.found),
            visited=(self.sending.start, *sorted(self.visited - {self.sending.start})),
        )

    def _inexact(self) -> tuple[Inexact, ...]:
        """Why the trace is not exact, the budget first."""
        if not self.sending.budget.spent:
            return tuple(self.inexact)
        ended = budget_ended(
            self.sending.budget.ended, doubled=any(found.doubled for found in self.found)
        )
        return tuple(dict.fromkeys((*ended, *self.inexact)))


class _Telling:
    """Puts the trace of one publication together. Linear in the servers that get it and the
    links that stop it.
    """

    def __init__(
        self,
        graph: ForwardingGraph,
        copy: _Copy,
        found: Published,
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
        )
        return branch

    def stopped_by_bridge(self, one: Subscriber, truth: Truth) -> None:
        """A branch for a bridge whose selector does not take the message."""
        guard = said("bridge_selector", note=one.note, selector=one.selector)
        self._stopped(
            one.server, one.server, NotForwarded.SELECTOR, guard, truth, one.source, "R110"
        )

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
            branch = self.builder.branch(
                of, Kind.LATER, condition=f"the route to {to} is resumed at {at}"
            )
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
        )
        return branch

    def _held(self, of: int, at: str, to: str, place: Source) -> None:
        """A branch for the copy that waits before a suspended route (R53). What waits keeps what
        selectors said when it came (R68).
        """
        branch = self.builder.branch(of, Kind.COPY)
        text = said("held", at=at, to=to)
        self.builder.step(
            branch, at, text, rule=SUSPENDED, confidence=_confidence(SUSPENDED), source=place
        )
        ending = Ending(Outcome.HELD, {"server": at, "reason": "route suspended"})
        self.builder.end(branch, ending)
        self.held.append(Note(SUSPENDED, f"{ending}: {text}", place))

    def deliveries(self, wanting: Sequence[Subscriber]) -> tuple[list[_Judged], list[_Judged]]:
        """A branch for the best known subscriber of each server that the message gets to. Those
        whose own selector stops it, and, where nobody else takes it, those whose selector the
        question does not decide."""
        served: dict[str, list[Subscriber]] = {}
        number = self.graph.server_number
        stopped: list[_Judged] = []
        undecided: list[_Judged] = []
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
            self._stopped(
                one.server, one.server, NotForwarded.SELECTOR, guard, truth, one.source, "R47"
            )

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
            f"delivered to {_described(one)}{also}",
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

    def refused(self, why: Refusal) -> None:
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
    ) -> None:
        of = self._branch_at[self.graph.server_number[at]]
        branch = self.builder.branch(of, Kind.COPY)
        text = f"not taken here: {guard}" if at == to else f"not sent to {to}: {guard}"
        if reason is NotForwarded.SELECTOR:
            text += f" is {truth}"
        self.builder.step(branch, at, text, rule=rule, confidence=_confidence(rule), source=source)
        arguments = {
            "at": at,
            "to": to,
            "condition": reason,
            "guard": guard,
            "value": truth,
            "destination": self.about,
        }
        self.builder.end(branch, Ending(Outcome.NOT_FORWARDED, arguments))


def _confidence(rule: str) -> str:
    """How sure the rules of stops and deliveries are (ems.md 1.2, 2.4)."""
    return str(Confidence.M if rule == "R6" else Confidence.H)


def _described(one: Subscriber) -> str:
    if one.known == "configured" and one.called:
        return one.called
    return (
        f"{one.called}, {TEXTS[f'subscriber_{one.known}']}"
        if one.called
        else TEXTS[f"subscriber_{one.known}"]
    )


def _notes(
    graph: ForwardingGraph, found: Published, wanting: Sequence[Subscriber]
) -> tuple[Note, ...]:
    """What the trace does not follow (A13)."""
    here = {graph.servers[number].name for number in (found.start, *found.paths)}
    return tuple(
        Note(
            "A13",
            said("not_followed", note=one.note, server=one.server),
            one.source,
        )
        for one in wanting
        if not one.delivers and one.bridge is None and one.server in here
    )


def _passed_on_in_part(
    graph: ForwardingGraph, found: Published, wanting: Sequence[Subscriber]
) -> Iterator[Assumption]:
    """Wildcard subscriptions that get the message through a server where they are no subset of a
    global topic (R46): that server has an internal subscriber for them, as their own has a
    client. Linear in their paths."""
    by_server: dict[int, list[Subscriber]] = {}
    for one in wanting:
        if one.reliable:
            by_server.setdefault(graph.server_number[one.server], []).append(one)
    for number, all_ in by_server.items():
        if not all(is_wildcard(one.topic) for one in all_):
            continue
        doubts = [_in_part(graph, found.paths.get(number, ()), one) for one in all_]
        if doubts and None not in doubts:
            yield from (doubt for doubt in doubts[:1] if doubt is not None)


def _in_part(graph: ForwardingGraph, path: Path, one: Subscriber) -> Assumption | None:
    """That a wildcard subscription is routed over a path, where servers on it have only a part
    of it global.
    """
    for point in (graph.points[number] for number in path[1:]):
        ends = point.previous, point.server
        for end, guard in zip(
            ends, [n for n in point.guards if graph.guards[n].kind == "global"], strict=False
        ):
            patterns = json.loads(graph.guards[guard].payload)["patterns"]
            at = graph.servers[end].name
            if at != one.server and not any(contained(one.topic, pattern) for pattern in patterns):
                text = said("in_part", subscription=one.topic, server=one.server, through=at)
                return Assumption("R46", "M", text, said("in_part_otherwise", server=one.server))
    return None


def _unreliable(one: Subscriber) -> tuple[str, Source]:
    """Why a subscription is never called delivered at a server that the message has no other
    reason to go to: a wildcard (R46, A14), or one that may not be there."""
    if one.unsure and not is_wildcard(one.topic):
        return one.unsure, one.source
    return said("unreliable", subscription=one.topic), one.source


def _left_open(
    graph: ForwardingGraph, found: Published, undecided: Sequence[_Judged]
) -> dict[int, tuple[str, Source]]:
    """By server, why it is not certain whether it gets the message."""
    entries = dict(found.undetermined)
    for one, verdict in undecided:
        because = verdict.note if one.unsure else said("own_selector", selector=verdict.note)
        entries.setdefault(graph.server_number[one.server], (because, one.source))
    return entries
