"""What EMS servers do with a message to a queue, one step at a time (R100-R107, R110-R113, R92;
A23, A27-A29).

A message goes at most one hop to the home of its queue and one from it, over direct routes; zones
say nothing about queues (R18). A step does not look at the message: selectors and the permission of
its sender are guards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, ForwardingGraph, Guard
from topograph.message import Message
from topograph.outcomes import Confidence, NotForwarded, Outcome, Truth
from topograph.side_inputs import Client
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import Failure
from topograph.systems.ems.ambiguities import A23, A27, A28, A29
from topograph.systems.ems.destinations import guards
from topograph.systems.ems.destinations.subscribers import Facts
from topograph.systems.ems.destinations.topics import is_temporary, matches, owner_of
from topograph.systems.ems.network.observations import Observations, observations
from topograph.systems.ems.queues.consumers import Consumer, at_that_moment, consumers_of
from topograph.systems.ems.queues.model import (
    EmsQueue,
    Permission,
    Standing,
    permission,
    split_owner,
)
from topograph.systems.ems.queues.own_facts import QueueFacts
from topograph.systems.ems.queues.routes import QueueRoute, QueueRoutes
from topograph.systems.ems.queues.ways import (
    beyond_its_limit,
    blocked,
    ends,
    may_take,
    named,
    selector_guard,
    stops,
    stored_text,
    undetermined,
)
from topograph.tracing.states import State, Stepping, Transition, Verdict, Way
from topograph.tracing.trace import Ending, Kind, Station

ARRIVES_BRIDGED = Assumption(
    "A12",
    "M",
    "a bridge counts as a subscriber, and copies messages that come over a route (R113)",
    "only bridges on the server where the message is published copy it",
)

_PROXY_BRIDGED = Assumption(
    "R110",
    "L",
    "a bridge of a routed queue copies what is sent to the queue at its own server",
    "only bridges of the home queue copy the message",
)

SENT, BRIDGED, ACCEPTED, ARRIVED, OFFERED, TAKEN = (
    "sent",
    "bridged",
    "accepted",
    "arrived",
    "offered",
    "taken",
)
"""Where a message stands: sent by an application or put by a bridge at this server; accepted
from its sender; arrived over a route at the home; offered to consumers there; taken for a
consumer of a server with a routed queue."""


def queue_state(server: str, queue: str, stage: str = SENT) -> State:
    """The state of a message on ``queue`` (``Q``, or ``Q@OWNER`` where that is said) at a
    server.
    """
    name, owner = split_owner(queue)
    return State(
        server, f"queue:{name}", json.dumps({"stage": stage, **({"owner": owner} if owner else {})})
    )


class QueueSteps:
    """The step function of one network, with the consumers that are known; ``out`` is what has
    failed (R105).
    """

    def __init__(
        self,
        facts: Facts,
        graph: ForwardingGraph,
        clients: Sequence[Client],
        out: Failure | None = None,
        readings: Readings = Readings(),  # noqa: B008
    ) -> None:
        self._readings = readings
        self._facts, self._graph, self._clients, self._out = facts, graph, clients, out or Failure()
        self._routes = QueueRoutes(graph, self._out)
        self._own = QueueFacts(facts)
        self._queue = self._own.queue
        self.expect = self._own.expect
        self.defaults: set[str] = set()
        """Header fields that a selector took at their default."""

    def stepping(self) -> Stepping:
        """The record that ``tracing.explore`` follows a message with. A server that is not
        loaded is told of by the step that would lead there.
        """
        servers = [replace(one, loaded=True, open_ended=False) for one in self._graph.servers]
        return Stepping(
            servers,
            tuple,
            lambda server, message: queue_state(server, message.destination.name),
            self.step,
            self.evaluate,
            station=self.station,
        )

    def station(self, state: State, way: Way) -> Station:
        """What of a server has a message: a queue, or a bridge that copies it."""
        if way.rule.startswith("R110") and isinstance(way.to, Ending):
            target = way.to.text("destination")
            return Station("bridge", target or state.object)
        name = state.object.removeprefix("queue:")
        if is_temporary(name):
            return Station("temporary queue", name)
        routed = self._queue(state.server, name).standing is Standing.ROUTED
        return Station("routed queue" if routed else "queue", name)

    def just_stores(self, server: str, name: str) -> bool:
        """Whether a server keeps what a bridge puts on one of its own queues, as far as is
        known: no consumer of it is.
        """
        kept = (Standing.HOME, Standing.DYNAMIC)
        return self._queue(server, name).standing in kept and not self._consumers(name)

    def step(self, state: State) -> Transition:
        """The ways out of a state."""
        said = json.loads(state.data)
        name, stage = state.object.removeprefix("queue:"), said["stage"]
        if state.server in self._out.servers:
            return ends(
                Outcome.REFUSED,
                f"{state.server} is down",
                "R105",
                condition=f"{state.server} is down",
            )
        if is_temporary(name):
            return self._temporary(state.server, name)
        if stage == TAKEN:
            consumer = self._all[said["consumer"]]
            text = f"taken by a consumer of the routed queue{consumer.described}"
            way = Way(consumer.gets_it(), text, "R102", source=consumer.source)
            return Transition((way,))
        queue = self._queue(state.server, name)
        if stage == OFFERED:
            return self._offered(state.server, queue)
        if stage == ARRIVED:
            return self._at_home(state.server, queue, stage)
        owner = said.get("owner", "")
        if owner and owner != queue.owner and queue.standing is not Standing.UNCLEAR:
            if stage != BRIDGED:
                text = f"{state.server} has no queue {name}@{owner}"
                return ends(
                    Outcome.REFUSED,
                    text,
                    "R100",
                    queue.source,
                    condition=f"no queue {name}@{owner}",
                )
            queue = replace(queue, standing=Standing.ROUTED, owner=owner)
        if stage == SENT and (asked := self._sender_is_asked(state.server, name)):
            onward = queue_state(state.server, f"{name}@{owner}" if owner else name, ACCEPTED)
            guard = Guard(
                f"send {state.server} {name}",
                "acl",
                asked.text.replace(" of user ", ""),
                json.dumps([state.server, name]),
                asked.source,
            )
            text = f"{state.server} takes it: its sender may send to {name}"
            refused = Ending(Outcome.REFUSED, {"condition": str(NotForwarded.ACL)})
            return Transition(
                (
                    Way(onward, text, "R107", source=asked.source, guard=guard),
                    Way(
                        refused,
                        f"its sender may not send to {name}",
                        "R107",
                        source=asked.source,
                        kind=Kind.ELSE,
                    ),
                )
            )
        return self._put(state.server, queue, stage)

    def evaluate(self, guard: Guard, message: Message) -> Verdict:
        """Whether a selector takes the message (R47, R69), or its user may send it; a sender
        that is not said may.
        """
        if guard.kind == "acl":
            server, name = json.loads(guard.payload)
            if not message.user:
                return Verdict(Truth.TRUE)
            allowed = self._may(server, message.user, name, "send")
            return Verdict(allowed.truth, allowed.truth is not Truth.UNKNOWN, allowed.text)
        text, fault, wanted = json.loads(guard.payload)
        judged = guards.evaluate_selector(text, message.properties, fault)
        self.defaults.update(judged.defaults)
        if wanted == Truth.TRUE:
            return Verdict(judged.truth, judged.known, judged.note)
        return Verdict(Truth.TRUE if judged.known and judged.truth == wanted else Truth.FALSE)

    def _put(self, server: str, queue: EmsQueue, stage: str) -> Transition:
        if queue.standing is Standing.UNCLEAR:
            return undetermined(server, queue.because, queue.source)
        if queue.standing is Standing.ABSENT:
            return ends(
                Outcome.REFUSED,
                queue.because,
                "R45",
                queue.source,
                condition=f"no queue {queue.name}",
            )
        if queue.standing is not Standing.ROUTED:
            return self._at_home(server, queue, stage)
        onward = self._to_home(server, queue)
        copies = self._bridges(server, queue) if stage != BRIDGED else ()
        assumptions = (*onward.assumptions, *([_PROXY_BRIDGED] if copies else []))
        if queue.because:
            left = Assumption(
                "1.5", "L", queue.because, "the entry does not count, and the queue is not routed"
            )
            assumptions = (*assumptions, left)
        return Transition((*copies, *onward.ways), assumptions)

    def _to_home(self, server: str, queue: EmsQueue) -> Transition:
        """From a server with a routed queue to the owner (R101, R103, R105)."""
        home, name, place = queue.owner, queue.name, queue.source
        route = self._routes.between(server, home) if home in self._graph.server_number else None
        if route is None or (route.point is None and not self._loaded(home)):
            # As it owns a queue here, it may have a route to here: a passive one stands in its
            # file only (R4).
            return undetermined(
                server, f"{name} is routed to {home}, which is not among the loaded files", place
            )
        if route.unknown:
            return undetermined(server, route.unknown, route.source)
        if route.point is None:
            if lost := next((one for one in (server, home) if self._routes_lost(one)), ""):
                return undetermined(
                    server, f"routes.conf of {lost} was not found: it may have one to {home}", place
                )
            reason = f"no direct route to the home {home}"
            text = (
                f"stored at {server}, and no route connects it with {home}: a queue is "
                "routed one hop only"
            )
            return ends(Outcome.STUCK, text, "R103", place, at=server, reason=reason)
        there = self._queue(home, name)
        onward = self._not_taken(server, home, there, place) or self._let_in(
            server, there, route, place
        )
        if not route.down:
            # What stays here because of its home would wait here if the route were suspended.
            known = dict.fromkeys((*self._routes.rests_on(route), *onward.assumptions))
            return replace(onward, assumptions=tuple(known))
        held = Ending(
            Outcome.HELD, {"queue": f"queue:{name}", "server": server, "reason": route.held}
        )
        text = f"stored at {server}: {route.down}; its sender sees no error"
        stored = Way(held, text, route.rule, source=route.source)
        later = (
            replace(
                way,
                rule=way.rule if isinstance(way.to, Ending) else route.rule,
                kind=Kind.LATER,
                condition=route.until,
            )
            for way in onward.ways
        )
        beyond = (beyond_its_limit(queue),) if queue.rejects else ()
        return Transition((stored, *later), (*onward.assumptions, *beyond))

    def _let_in(self, server: str, there: EmsQueue, route: QueueRoute, place: Source) -> Transition:
        """What becomes of a message for a queue that its home has, by permissions and global
        (R106, R107).
        """
        home, name = there.server, there.name
        lets_in = self._may(home, server, name, "send")
        if lets_in.truth is Truth.UNKNOWN:
            return undetermined(server, lets_in.text, lets_in.source)
        if lets_in.truth is Truth.FALSE:
            reason = f"{home} does not grant user {server} send"
            text = f"stored at {server}: {lets_in.text}"
            return ends(Outcome.STUCK, text, "R107", lets_in.source, at=server, reason=reason)
        not_global, receive = self._not_global(there), self._receive(server, home, name)
        if not_global and self._readings.takes(A27, "stays"):
            reason = f"{name} is not global at its home {home}"
            text = f"stored at {server}: {reason}"
            return ends(
                Outcome.STUCK, text, "R106", there.source, not_global, at=server, reason=reason
            )
        if receive and self._readings.takes(A23, "needed"):
            reason = f"{server} does not grant user {home} receive"
            text = f"stored at {server}: {reason}"
            return ends(Outcome.STUCK, text, "R107", place, receive, at=server, reason=reason)
        text = (
            f"stored, and sent over the route to {home}, the home of the queue; consumers at "
            f"{server} take it from there only"
        )
        way = Way(queue_state(home, name, ARRIVED), text, "R103", source=route.source)
        return Transition(
            (way,), (*self._routes.rests_on(route), *not_global, *receive, *self._patterned(there))
        )

    def _not_taken(
        self, server: str, home: str, there: EmsQueue, place: Source
    ) -> Transition | None:
        """What becomes of a message whose home does not certainly have the queue; None where it
        has.
        """
        match there.standing:
            case Standing.UNCLEAR:
                return undetermined(home, there.because, there.source)
            case Standing.ROUTED:
                if not self._readings.takes(A29, "undetermined"):
                    at = server if self._readings.takes(A29, "at_sender") else home
                    reason = f"{home} has {there.name} only as a routed queue of {there.owner}"
                    said = (self._readings.said(A29),)
                    return ends(
                        Outcome.STUCK,
                        f"stored at {at}: {reason}",
                        "R101",
                        there.source,
                        said,
                        at=at,
                        reason=reason,
                    )
                because = (
                    f"{home} has {there.name} as a routed queue of {there.owner} itself: "
                    f"whether a message waits at {server} or at {home} is not documented (A29)"
                )
                return undetermined(home, because, there.source)
            case Standing.DYNAMIC:
                if self._readings.takes(A28, "created"):
                    return None
                if self._readings.takes(A28, "not_created"):
                    reason = f"{home} has {there.name} only by a pattern"
                    said = (self._readings.said(A28),)
                    text = f"stored at {server}: {reason}"
                    return ends(
                        Outcome.STUCK, text, "R105", there.source, said, at=server, reason=reason
                    )
                because = (
                    f"{home} has {there.name} only by a pattern: "
                    "whether a message that is routed there creates the queue is not "
                    "documented (A28)"
                )
                return undetermined(home, because, there.source)
            case Standing.ABSENT:
                position = Assumption(
                    "R105",
                    "L",
                    (
                        f"{server} keeps a message for {there.name}, which its home {home} "
                        "does not have"
                    ),
                    "the message is lost",
                )
                way = Way(
                    Ending(
                        Outcome.STUCK, {"at": server, "reason": f"{home} has no queue {there.name}"}
                    ),
                    f"stored at {server}: {there.because}",
                    "R105",
                    Confidence.L,
                    place,
                )
                return Transition((way,), (position,))
        return None

    def _at_home(self, server: str, queue: EmsQueue, stage: str) -> Transition:
        """The message is in its queue: bridges copy it, and consumers take it."""
        copies = self._bridges(server, queue) if stage != BRIDGED else ()
        if not copies:
            return self._offered(server, queue)
        text = f"the message itself stays in {named(queue)}"
        stored = Way(queue_state(server, queue.name, OFFERED), text, "R111", source=queue.source)
        return Transition((*copies, stored), (ARRIVES_BRIDGED,) if stage == ARRIVED else ())

    def _bridges(self, server: str, queue: EmsQueue) -> Sequence[Way]:
        """The copies that bridges make of what is put on a queue (R110); a copy begins where
        they end. What bridges do that no loaded file shows is left open.
        """
        ways: list[Way] = []
        main = self._own.main(server)
        if main is not None and "bridges" in main.missing:
            lost = "could not be read whole" if "bridges" in main.unread else "was not found"
            because = (
                f"{server}: its bridges.conf {lost}, which may copy what is put on {queue.name}"
            )
            place = main.place("bridges")
            ways += undetermined(server, because, place).ways
        for fact in self._own.bridges(server):
            if fact.source_type == "queue" and matches(fact.source_name, queue.name):
                target = f"{fact.target_type}:{fact.target_name}"
                note = f"the bridge to {target}"
                selector = fact.unread if fact.fault else fact.selector
                guard = (
                    selector_guard(note, selector, fact.fault, fact.source)
                    if selector or fact.fault
                    else None
                )
                ending = Ending(Outcome.PUBLISHED, {"destination": target})
                ways.append(
                    Way(ending, f"{note} copies it", "R110", source=fact.source, guard=guard)
                )
        return ways

    def _offered(self, server: str, queue: EmsQueue) -> Transition:
        """Exactly one consumer takes it (R104); while there is none it stays in the queue."""
        ways: list[Way] = []
        stopped: list[Way] = []
        assumptions: dict[Assumption, None] = {}
        consumers = self._consumers(queue.name)
        self.expect({(consumer.server, queue.name) for _, consumer in consumers})
        assumptions.update(dict.fromkeys(at_that_moment(queue.name, self._seen)))
        for number, consumer in consumers:
            if consumer.server == server or self._may_take(consumer, queue):
                for way in self._offer(server, queue, number, assumptions):
                    (stopped if stops(way) else ways).append(way)
        choice = f"the consumer of queue:{queue.name} of {server}"
        perhaps = [way for way in stopped if may_take(way)]
        if all(way.guard is not None for way in ways):
            ending = Ending(
                Outcome.DELIVERED,
                {"destination": f"queue:{queue.name}", "subscriber": "configured"},
            )
            stored = Way(ending, stored_text(queue), "R101", source=queue.source)
            if ways:
                stored = replace(stored, kind=Kind.ELSE)
            elif perhaps:
                told = "it stays in the queue if no consumer takes it"
                stored = replace(stored, kind=Kind.ONE_OF, choice=choice, condition=told)
            ways.append(stored)
        # A consumer of which it is not known whether it takes the message is one of the choice.
        stopped = [
            replace(way, kind=Kind.ONE_OF, choice=choice) if way in perhaps else way
            for way in stopped
        ]
        return Transition((*ways, *stopped), tuple(assumptions))

    def _may_take(self, consumer: Consumer, queue: EmsQueue) -> bool:
        """Whether a consumer at another server may be one of a queue at its own. One that was
        listed may take from a queue of the same name that is not; a queue that only a pattern
        allows (A28) is meant by a routed queue alone."""
        here = self._queue(consumer.server, consumer.queue)
        routed = (here.standing, here.owner) == (Standing.ROUTED, queue.server)
        if queue.standing is Standing.HOME:
            return routed or consumer.known == "declared" or here.standing is Standing.UNCLEAR
        return routed and queue.standing is Standing.DYNAMIC

    def _offer(
        self, server: str, queue: EmsQueue, number: int, assumptions: dict[Assumption, None]
    ) -> Iterator[Way]:
        """The way to one consumer, and what may be between."""
        consumer = self._all[number]
        name, at = queue.name, consumer.server
        choice = f"the consumer of queue:{name} of {server}"
        whose = f"the consumer at {at}"
        guard = (
            selector_guard(whose, consumer.selector, "", consumer.source)
            if consumer.selector
            else None
        )
        if consumer.user:
            receives = self._may(at, consumer.user, name, "receive")
            if receives.truth is not Truth.TRUE:
                yield blocked(
                    at, at, NotForwarded.ACL, receives.text, receives.truth, receives.source, "R107"
                )
                return
        if at == server:
            text = f"taken from {named(queue)} by a consumer there{consumer.described}"
            way = Way(consumer.gets_it(), text, "R104", source=consumer.source)
        else:
            route, between = self._from_home(queue, at)
            if between is not None:
                yield between
                return
            not_global, receive = self._not_global(queue), self._receive(server, at, name)
            assumptions.update(
                dict.fromkeys(
                    (*self._routes.rests_on(route), *not_global, *receive, *self._patterned(queue))
                )
            )
            if not_global and self._readings.takes(A27, "stays"):
                text = f"{name} is not global at its home {server}"
                yield blocked(
                    server, at, NotForwarded.NOT_GLOBAL, text, Truth.FALSE, queue.source, "R106"
                )
                return
            if receive and self._readings.takes(A23, "needed"):
                text = f"{server} does not grant user {at} receive on {name}"
                yield blocked(server, at, NotForwarded.ACL, text, Truth.FALSE, queue.source, "R107")
                return
            text = (
                f"taken from {named(queue)} over the route to {at}, which receives it for a "
                "consumer there"
            )
            to = State(at, f"queue:{name}", json.dumps({"stage": TAKEN, "consumer": number}))
            way = Way(to, text, "R102", source=route.source)
        if consumer.unsure:
            guard = Guard(f"{UNDECIDED} {number}", UNDECIDED, consumer.unsure, "", consumer.source)
            way = replace(way, source=consumer.source)
        condition = f"a consumer at {at} takes it"
        yield replace(way, kind=Kind.ONE_OF, choice=choice, guard=guard, condition=condition)
        if guard is not None and not consumer.unsure:
            for truth in (Truth.FALSE, Truth.UNKNOWN):
                rejects = selector_guard(whose, consumer.selector, "", consumer.source, truth)
                stop = blocked(
                    server, at, NotForwarded.SELECTOR, guard.text, truth, consumer.source, "R47"
                )
                # One of one: taken where its guard holds, and no stop of its own where it does not.
                yield replace(stop, guard=rejects, kind=Kind.ONE_OF, choice=rejects.id)

    def _from_home(self, queue: EmsQueue, at: str) -> tuple[QueueRoute, Way | None]:
        """The route from the home to a server with consumers, and why it does not serve them;
        None where it does (R102, R103, R107).
        """
        home, name = queue.server, queue.name
        here = self._queue(at, name)
        route = self._routes.between(home, at)

        def because(
            condition: NotForwarded,
            text: str,
            source: Source,
            rule: str,
            truth: Truth = Truth.FALSE,
        ) -> tuple[QueueRoute, Way]:
            return route, blocked(home, at, condition, text, truth, source, rule)

        if here.standing is Standing.UNCLEAR:
            return because(
                NotForwarded.NO_INTEREST, here.because, here.source, "R102", Truth.UNKNOWN
            )
        if (here.standing, here.owner) != (Standing.ROUTED, home):
            text = (
                f"{at} has no routed queue {name}@{home}, so that its consumers take nothing "
                f"from {home}"
            )
            return because(NotForwarded.NO_INTEREST, text, here.source, "R102")
        if route.unknown:
            return because(
                NotForwarded.NO_ROUTE, route.unknown, route.source, "R103", Truth.UNKNOWN
            )
        if route.point is None:
            text = f"no route connects {home} with {at}, and a queue is routed one hop only"
            return because(NotForwarded.NO_ROUTE, text, here.source, "R103")
        if route.down:
            return because(NotForwarded.ROUTE_DOWN, route.down, route.source, route.rule)
        if queue.standing is Standing.DYNAMIC and not self._readings.takes(A28, "created"):
            text = (
                f"{home} has {name} only by a pattern: "
                f"whether {at} takes from it what clients put there is not documented (A28)"
            )
            return because(NotForwarded.NO_INTEREST, text, queue.source, "A28", Truth.UNKNOWN)
        lets_in = self._may(at, home, name, "send")
        if lets_in.truth is not Truth.TRUE:
            return because(NotForwarded.ACL, lets_in.text, lets_in.source, "R107", lets_in.truth)
        return route, None

    def _temporary(self, server: str, name: str) -> Transition:
        """A reply to a temporary queue goes one hop (R92)."""
        owner = owner_of(name)
        if server == owner:
            ending = Ending(
                Outcome.DELIVERED, {"destination": f"queue:{name}", "subscriber": "assumed"}
            )
            text = f"the client that created {name} is attached to {owner}"
            assumed = Assumption("R90", "H", text, "without it nobody gets the message")
            return Transition(
                (Way(ending, "delivered to the client that created it", "R92"),), (assumed,)
            )
        route = self._routes.between(server, owner)
        if route.unknown:
            return undetermined(owner, route.unknown, route.source)
        if route.point is None:
            text = (
                f"no route connects {server} with {owner}, and a reply to a temporary queue "
                "is routed over a single hop"
            )
            return Transition(
                (
                    blocked(
                        server, owner, NotForwarded.NO_ROUTE, text, Truth.FALSE, route.source, "R92"
                    ),
                )
            )
        if route.down and not route.waits:
            return Transition(
                (
                    blocked(
                        server,
                        owner,
                        NotForwarded.ROUTE_DOWN,
                        route.down,
                        Truth.FALSE,
                        route.source,
                        "R6",
                    ),
                )
            )
        if not self._loaded(owner):
            return undetermined(owner, f"{owner}: its configuration is not loaded", route.source)
        way = Way(
            queue_state(owner, name, ARRIVED),
            f"over the route to {owner}",
            "R92",
            source=route.source,
        )
        assumptions = tuple(self._routes.rests_on(route))
        if not route.waits:
            return Transition((way,), assumptions)
        held = Ending(
            Outcome.HELD, {"queue": f"queue:{name}", "server": server, "reason": route.held}
        )
        stored = Way(held, f"stored at {server}: {route.down}", route.rule, source=route.source)
        return Transition(
            (stored, replace(way, kind=Kind.LATER, condition=route.until)), assumptions
        )

    def _loaded(self, server: str) -> bool:
        return self._graph.servers[self._graph.server_number[server]].loaded

    def _routes_lost(self, server: str) -> bool:
        """Whether a server may have routes that no loaded file shows, even if its routing is
        disabled: what waits then waits for one of them."""
        main = self._own.main(server)
        return main is not None and "routes" in main.missing

    def _sender_is_asked(self, server: str, name: str) -> Permission | None:
        asked = self._may(server, "", name, "send")
        return asked if asked.asked else None

    def _may(self, server: str, user: str, name: str, wanted: str) -> Permission:
        return permission(server, self._own.about(server, name), user, name, wanted)

    @cached_property
    def _seen(self) -> Observations:
        return observations(self._facts, self._graph.server_number)

    @cached_property
    def _all(self) -> list[Consumer]:
        """The consumers of all queues that are known, by number."""
        return consumers_of(self._clients, self._seen)

    @cached_property
    def _by_queue(self) -> dict[str, list[tuple[int, Consumer]]]:
        """The consumers of each queue with their numbers, by server, each once."""
        found: dict[str, dict[tuple[str, str, str], int]] = {}
        for number, one in enumerate(self._all):
            if one.server in self._graph.server_number:
                found.setdefault(one.queue, {}).setdefault(
                    (one.server, one.unsure or one.selector, one.user), number
                )
        return {
            queue: [(number, self._all[number]) for _, number in sorted(numbers.items())]
            for queue, numbers in found.items()
        }

    def _consumers(self, name: str) -> list[tuple[int, Consumer]]:
        return self._by_queue.get(name, [])

    def _patterned(self, home: EmsQueue) -> Sequence[Assumption]:
        """A28: the home has the queue only by a pattern."""
        return [self._readings.said(A28)] if home.standing is Standing.DYNAMIC else []

    def _not_global(self, home: EmsQueue) -> Sequence[Assumption]:
        """R106, A27: a home queue that is not global."""
        if home.is_global:
            return ()
        text = (
            f"messages to {home.name} are routed although it is not global at its home "
            f"{home.server} ({home.source})"
        )
        stays = (
            f"a message to {home.name}, which is not global at its home {home.server}, stays "
            "at the server that it is sent at"
        )
        if not self._readings.is_stated(A27):
            stays = "a message stays at the server that it is sent at"
        return (self._readings.said(A27, {"routed": text, "stays": stays}),)

    def _receive(self, server: str, other: str, name: str) -> Sequence[Assumption]:
        """R107, A23: what one of the guides also asks of the sending server."""
        asked = self._may(server, other, name, "receive")
        if asked.truth is not Truth.FALSE:
            return ()
        text = f"{server} need not grant user {other} receive on {name}, which is secure there"
        needed = f"without the grant {server} does not send it to {other}"
        return (self._readings.said(A23, {"not_needed": text, "needed": needed}),)
