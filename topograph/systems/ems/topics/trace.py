"""What happens to one message, as a trace: to a topic the walk of ``publication``, told step by
step; to a queue the steps of ``queues.steps``.

The trace is a tree of arrivals. Each server that gets the message is a branch that begins with the
hop there; each subscriber that takes it, and each link (or subscriber's selector) that stops it, is
a branch of that with an ending. A copy that a bridge makes is one more message, which begins there:
copies are followed in waves, each once for every way it comes about, so that those of two bridges
(or of a bridge and a route) are counted, and one that comes to where it was before goes round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Decided, Needed
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.header_fields import DEFAULTS
from topograph.inexact import Cause, Inexact, budget_ended, not_loaded
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.records import record
from topograph.side_inputs import Client, SideInputs
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import FactSource, Failure, Sending
from topograph.systems.ems.destinations.guard_index import judge
from topograph.systems.ems.destinations.guards import SUSPENDED
from topograph.systems.ems.destinations.subscribers import (
    PublishRefusal,
    Subscriber,
    bridges_not_shown,
    durables_not_shown,
    local_without_links,
    missing_at,
    not_configured,
    not_in_network,
    refusal,
    subscribers,
)
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.destinations.texts import text as said
from topograph.systems.ems.destinations.topics import is_temporary, is_wildcard, owner_of
from topograph.systems.ems.network.doubt import LEGAL
from topograph.systems.ems.network.observations import Observations, at_one_moment, observations
from topograph.systems.ems.queues.steps import (
    ARRIVES_BRIDGED,
    BRIDGED,
    SENT,
    QueueSteps,
    queue_state,
)
from topograph.systems.ems.topics.copies import Copy
from topograph.systems.ems.topics.evidence import Evidence
from topograph.systems.ems.topics.positions import (
    assumed,
    left_open_by,
    nobody_else,
    notes_of,
    passed_on_in_part,
    sent_with,
    why_unreliable,
)
from topograph.systems.ems.topics.publication import (
    PublicationResult,
    arrived,
    other_readings,
    publish,
)
from topograph.systems.ems.topics.replies import check_destination, reply_destination
from topograph.systems.ems.topics.telling import Judged, PublicationTelling, described, target_of
from topograph.tracing.assumptions import assumptions_of
from topograph.tracing.exploration import explore
from topograph.tracing.trace import (
    Ending,
    Kind,
    Note,
    Open,
    Station,
    Trace,
    TraceBuilder,
    TracedStep,
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
    waiting = deque([Copy(start, sending.message, builder.branch(-1, Kind.ROOT))])
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


@record(slots=False)
class _Publication:
    """One publication: who gets it, who wants it, and why its server refuses it, if it does."""

    found: PublicationResult
    wanting: Sequence[Subscriber]
    refused: PublishRefusal | None = None
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
        self.found: list[PublicationResult] = []
        self.suspended = suspensions(graph)
        self.exact = True
        self.inexact: dict[Inexact, None] = {}
        self.visited: set[str] = set()
        """Where the message, or a copy that a bridge made of it, gets to."""
        self.received: dict[Subscriber, list[int]] = {}
        self._published: dict[tuple[tuple[int, str], bool], _Publication] = {}

    def queued(self, copy: Copy) -> list[Copy]:
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
            self._leave_open(
                self.graph.server_number[one.server], one.because, one.source, about=copy.about
            )
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

    def _queue_ending(self, copy: Copy, branch: int, ending: Ending, step: TracedStep) -> None:
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
                    self.graph.server_number[ending.text("to")],
                    ending.text("guard"),
                    step.source,
                    about=copy.about,
                )
        elif ending.outcome is Outcome.UNDETERMINED:
            self._leave_open(
                self.graph.server_number[ending.text("server")],
                ending.text("condition"),
                step.source,
                about=copy.about,
            )
        elif ending.outcome is not Outcome.LOOP:
            self.notes[Note(step.rule, f"{ending}: {step.text}", step.source)] = None
        self.builder.end(branch, replace(ending, arguments=arguments))

    def publication(self, copy: Copy) -> list[Copy]:
        """Tell one publication; the copies that bridges make of it."""
        known = self._published.get((copy.place, copy.bridged))
        if known is None:
            known = self._published[copy.place, copy.bridged] = self._publish(copy)
        found, wanting = known.found, known.wanting
        gets_to = found.paths.keys() - self._waiting(found)
        self.visited.update(self.graph.servers[number].name for number in gets_to)
        telling = PublicationTelling(self.graph, copy, found, self.builder, self.suspended)
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
        self.notes.update(dict.fromkeys(notes_of(self.graph, found, wanting)))
        for number, (because, source) in left_open_by(self.graph, found, undecided).items():
            # The copy of a bridge begins elsewhere than the message.
            path = () if copy.bridged else found.towards.get(number, found.paths.get(number, ()))
            deciding = found.decided.get(number), found.needed(number), copy.start
            self._leave_open(number, told + because, source, path, *deciding, copy.about)
        anywhere = any(one.known == "assumed" for one in wanting) and not is_temporary(
            copy.message.destination.name
        )
        # What lies beyond a server with routes that are not shown has no name to be listed by.
        servers = self.graph.servers
        named = [n for n in found.undetermined if not (servers[n].loaded and servers[n].open_ended)]
        if found.beyond is not None and anywhere and not named:
            found.exact = False
            self.inexact[not_loaded(found.beyond[:1])] = None
            self.notes[Note("not-loaded", *found.beyond)] = None
        for one, verdict in left_open:
            self._leave_open(
                self.graph.server_number[one.server],
                f"{told}{one.note}: {verdict.note}",
                one.source,
                about=target_of(one),
            )
        for one, times in telling.taken:
            self.received.setdefault(one, []).append(times)
        return copies

    def _publish(self, copy: Copy) -> _Publication:
        """The walks of one publication, and what they rest on."""
        graph, message, sent = self.graph, copy.message, self.sending
        topic = message.destination.name
        wanting = subscribers(self.source.facts, self.loaded, topic, self.clients, sent.assume)
        refused = refusal(self.source.facts, graph.servers[copy.start].name, message)
        seen = (
            Observations() if is_temporary(topic) else observations(self.source.facts, self.loaded)
        )
        self.positions.update(dict.fromkeys([*assumed(wanting, seen), *at_one_moment(seen)]))
        if sent.assume and not is_temporary(topic):
            self.positions.update(dict.fromkeys(nobody_else(self.clients, seen, graph)))
        if refused is not None:
            return _Publication(PublicationResult(copy.start, {}, {}, []), wanting, refused)
        verdicts = judge(graph, topic, message.properties)
        interested = {graph.server_number[one.server] for one in wanting if one.reliable}
        unreliable = {
            graph.server_number[one.server]: why_unreliable(one)
            for one in wanting
            if not one.reliable
        }
        if not is_temporary(topic):
            self._rests_on_topics(copy)
        unseen: Mapping[int, tuple[str, Source]] = {}
        if not is_temporary(topic):
            unseen = self._unseen_takers(wanting)
            unreliable |= {n: why for n, why in unseen.items() if n not in interested}
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
        lost = {**bridges_not_shown(self.source.facts, graph), **unseen}
        for number in lost.keys() & {copy.start, *found.paths}:
            # Others take it there too, beside those who are known, or it is copied on.
            if number in interested or number not in unseen:
                path = found.paths.get(number, ())
                path = () if copy.bridged else path
                self._leave_open(number, *lost[number], path, about=copy.about)
        for number in unseen.keys() & {copy.start, *found.paths} - interested:
            # It has the message; whether a subscriber there takes it is not shown.
            found.undetermined.setdefault(number, unseen[number])
        later: Mapping[int, int] = {}
        if found.doubled and self._waiting(found):
            # A server may get it over another path too, where it does not wait.
            waiting = self.suspended.keys()
            now = arrived(
                graph, self.walker, copy.start, verdicts, waiting, interested, sent.budget
            )
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
        for position in passed_on_in_part(graph, found, wanting):
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

    def _unseen_takers(self, wanting: Sequence[Subscriber]) -> dict[int, tuple[str, Source]]:
        """The servers at which subscribers may be missing that no file shows, with why and where;
        not those at which one is assumed, where they make no difference."""
        counted = {
            self.graph.server_number[one.server] for one in wanting if one.known == "assumed"
        }
        takers = durables_not_shown(self.source.facts, self.graph)
        return {number: why for number, why in takers.items() if number not in counted}

    def _waiting(self, found: PublicationResult) -> set[int]:
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
        needed: tuple[Needed, ...] = (),
        sent_at: int = -1,
        about: str = "",
    ) -> None:
        name = self.graph.servers[number].name
        deciding = decided, needed, sent_at
        open_ = Open(self.graph.system, name, because, source, path, *deciding, about)
        self.open.setdefault((number, because), open_)

    def _rests_on_topics(self, copy: Copy) -> None:
        """What the answer rests on where the topics.conf of the server that a message is sent at
        was not found: that it has the topic (R45)."""
        server = self.graph.servers[copy.start]
        if copy.bridged or "topics" not in missing_at(self.source.facts, server.name):
            return
        told = {"server": server.name, "topic": copy.message.destination.name}
        text, otherwise = (
            said("topics_not_found", **told),
            said("topics_not_found_otherwise", **told),
        )
        self.positions[Assumption("R45", "L", text, otherwise)] = None
        self.exact = False
        self.inexact[not_loaded([said("topics_not_shown", **told)])] = None

    def _bridges(
        self, copy: Copy, telling: PublicationTelling, wanting: Sequence[Subscriber]
    ) -> tuple[list[Copy], list[Judged]]:
        """What bridges make of the message at the servers that it gets to: the copies on topics,
        and the bridges whose selector is not decided. A copy that a bridge made is not bridged
        again at that server (R111)."""
        copies, left_open = [], []
        number = self.graph.server_number
        self.queues.expect(
            {
                (one.server, one.queue)
                for one in wanting
                if one.queue and telling.has(number[one.server])
            }
        )
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

    def goes_round(self, copy: Copy) -> None:
        """A copy comes to where the same topic was bridged before: bridges feed each other
        (R114).
        """
        at = self.graph.servers[copy.start].name
        text = said("goes_round", destination=copy.message.destination)
        self.builder.step(
            copy.branch,
            at,
            text,
            rule="R114",
            confidence=str(Confidence.M),
            station=Station(copy.message.destination.type, copy.message.destination.name),
        )
        self.builder.end(
            copy.branch, Ending(Outcome.LOOP, {"state": f"{copy.message.destination} at {at}"})
        )

    def too_many(self, copy: Copy) -> None:
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
                    subscriber=described(one),
                    destination=f"topic:{one.topic}",
                    server=one.server,
                    copies=sum(times),
                )
                yield Note("R114", text, one.source)

    def trace(self) -> Trace:
        """All that was told."""
        graph = self.graph
        self.notes.update(dict.fromkeys(self._duplicates()))
        sent = [sent_with(name, DEFAULTS[name]) for name in sorted(self.defaults)]
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
