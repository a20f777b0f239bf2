"""One course of events: messages forwarded router by router (M-2 to M-7, W-3, F-1 to F-5, E-2 to
E-4, X-1).

What a router can choose from is in ``destinations``, what it chooses in ``distributing``, what
waits in ``containers``; what no file decides is asked of ``Choices``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from topograph.facts.amqp_addresses import plain_address
from topograph.systems.amq_interconnect.messages.attachment import AttachResult, LinkRouting
from topograph.systems.amq_interconnect.messages.containers import Containers
from topograph.systems.amq_interconnect.messages.destinations import (
    AddressState,
    DestinationKind,
    LocalDestination,
)
from topograph.systems.amq_interconnect.messages.distribution import Distributing, Situation
from topograph.systems.amq_interconnect.messages.exchanges import next_hops
from topograph.systems.amq_interconnect.messages.model import FALLBACK, AutoLink, MessageNetwork
from topograph.systems.amq_interconnect.messages.records import (
    OUTCOME,
    Copy,
    MessageSent,
    Path,
    RouterDecision,
    RouterDelivery,
    RouterSending,
    SentCourse,
)
from topograph.systems.amq_interconnect.messages.rotation import Key, Turns
from topograph.tracing.choices import Choices

SENT_ON = 1_000
"""Times exchanges may send messages on in one course of events before it is cut: those that lead
to each other can multiply copies without end.
"""

BY_WEIGHT = ("unsettled", "rejected", "accepted", "modified", "released")
"""Outcomes of copies, the first decides (M-7). While one copy is not settled, the sender is told
nothing.
"""


def without_routed(network: MessageNetwork, address: str = "") -> MessageNetwork:
    """The network without the receivers (of one address, or all) that a link route takes to a
    container (L-1); the same where there are none.
    """
    if not network.has_link_routes:
        return network
    routing = LinkRouting(network, "out")
    asked = (
        network.by_address.get(plain_address(address), ())
        if address
        else enumerate(network.receivers)
    )
    gone = {place for place, one in asked if routing.attach(one.router, one.address) is not None}
    if not gone:
        return network
    return replace(
        network,
        receivers=tuple(one for place, one in enumerate(network.receivers) if place not in gone),
    )


@dataclass
class _Message:
    """A message on its way: address and phase, its subject (None where it is not known), the
    interior routers it has passed (the trace, M-4), all routers it has passed, and the exchanges
    that have sent it on."""

    address: str
    phase: str
    subject: str | None = None
    trace: Path = ()
    path: Path = ()
    decisions: tuple[RouterDecision, ...] = ()
    waited: bool = False
    exchanges: tuple[LocalDestination, ...] = ()

    def decided(self, decision: RouterDecision) -> _Message:
        return replace(self, decisions=(*self.decisions, decision))

    def left(self, router: str, *, interior: bool) -> _Message:
        """The message after it has left ``router``; an edge is not in its trace."""
        return replace(
            self, trace=(*self.trace, router) if interior else self.trace, path=(*self.path, router)
        )


@dataclass
class Course:
    """One course of events: the picks made so far, what the routers remember, what waits in
    containers.
    """

    network: MessageNetwork
    choices: Choices
    sending: RouterSending
    states: dict[str, AddressState] = field(default_factory=dict)
    sent_on: int = 0
    cut: dict[RouterDecision, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.turns = Turns(self.choices, self.network.fresh)
        self.distributing = Distributing(self.network, self.turns)
        self.containers = Containers(
            self.network, self.choices, self.turns, self._bring_in, self._brings_in
        )

    def run(self) -> SentCourse:
        """Send the messages one after the other. One that is not settled keeps a sender waiting
        that sends them one by one.
        """
        messages = []
        blocked = False
        for number in range(self.sending.count):
            if blocked:
                messages.append(MessageSent("not_sent", ()))
                continue
            message = self._one(number)
            messages.append(message)
            blocked = message.outcome == "unsettled" and not self.sending.burst
        return self._sent(messages)

    def linked(self, attached: AttachResult) -> SentCourse:
        """All messages of a link-routed sender go to the container at which its attach ended
        (L-11), and on to who receives there.
        """
        targets = attached.targets
        target = targets[self.choices.pick(("attach", "sender"), len(targets))]
        way = attached.path if attached.path and attached.path[-1] == target.router else ()
        decision = RouterDecision(
            self.sending.router,
            f"link-routed to {target.broker}",
            "L-3",
            target.link_route.source,
            "link route",
            target.link_route.text,
        )
        outcome = "presettled" if self.sending.presettled else "accepted"
        messages = []
        for _ in range(self.sending.count):
            self.containers.put(target.broker, target.address)
            deposit = RouterDelivery(
                "", target.broker, target.address, way, (decision,), target.link_route.source
            )
            messages.append(MessageSent(outcome, (deposit, *self.containers.drain())))
        return self._sent(messages)

    def drained(self) -> SentCourse:
        """Deliver what waits in containers."""
        drained = tuple(self.containers.drain())
        return self._sent([MessageSent("", drained)])

    def _sent(self, messages: Sequence[MessageSent]) -> SentCourse:
        return SentCourse(
            tuple(messages), self.containers.waiting(), (*self.cut, *self.containers.cut)
        )

    def state(self, address: str) -> AddressState:
        """The destinations of an address, made once a course."""
        plain = plain_address(address)
        if plain not in self.states:
            self.states[plain] = AddressState.of(without_routed(self.network, plain), plain)
        return self.states[plain]

    def _one(self, number: int) -> MessageSent:
        """Send one message. What waits in containers moves before it (the receivers were there),
        and after it where it was stored.
        """
        sending = self.sending
        state = self.state(sending.address)
        entry = state.entry(sending.router)
        if sending.anonymous and state.refusal(sending.router) is not None:
            return MessageSent("presettled" if sending.presettled else "rejected", ())
        # an anonymous sender has no phase of its own (M-2)
        phase = str(entry.ingress_phase) if entry and not sending.anonymous else "0"
        first = _Message(state.address, phase, sending.subject(number))
        copies = self.forward(sending.router, first)
        if not copies and entry is not None and entry.fallback:
            copies = self.forward(sending.router, replace(first, phase=FALLBACK))
        deliveries = [delivery for delivery, _ in copies]
        if any(delivery.broker for delivery in deliveries) or number == 0:
            deliveries += self.containers.drain()
        return MessageSent(self._outcome(copies), tuple(deliveries))

    def _outcome(self, copies: Sequence[Copy]) -> str:
        """M-7; without any copy the message is released (M-2)."""
        if self.sending.presettled:
            return "presettled"
        outcomes = {outcome for _, outcome in copies}
        return next((outcome for outcome in BY_WEIGHT if outcome in outcomes), "released")

    def forward(self, router: str, message: _Message, came: str = "") -> list[Copy]:
        """Every copy that leaves a router for a message, followed to its end. ``came`` is the
        edge or interior router at the other end of an uplink that the message came over (E-4).
        One that has passed more routers than any way needs is discarded (M-4)."""
        interior = self.network.routers[router].mode != "edge"
        if interior and len(message.trace) > self.network.routes.radius(router) + 1:
            return []
        state = self.state(message.address)
        local = state.local(router, message.phase)
        exchanges = [one for one in local if one.kind is DestinationKind.EXCHANGE]
        # an edge binds its uplink for its own senders: to a message that came over it, it is no
        # destination that waits its turn (E-9)
        others = tuple(
            one
            for one in local
            if one not in exchanges and not (one.kind is DestinationKind.UPLINK and one.id == came)
        )
        remote = state.remote(router, message.phase)
        here = Situation(router, state.address, message.phase, others, remote, message.trace, came)
        chosen = self.distributing.choose(
            state.treatment(router, message.phase, self.choices), here
        )
        onward = message.decided(self._decision(state, router, chosen.text, chosen.rule)).left(
            router, interior=interior
        )
        counted = chosen.outstanding if not self.sending.presettled else ()
        copies = self._counted(counted, router, onward, chosen.local, chosen.hops)
        for exchange in exchanges:  # nothing keeps two from having one address
            copies = self._exchanged(router, message, came, exchange, copies)
        return copies

    def _counted(
        self,
        outstanding: Key,
        router: str,
        onward: _Message,
        local: Sequence[LocalDestination],
        hops: Path,
    ) -> list[Copy]:
        """The copies to local destinations and next hops; they count as outstanding until they
        are settled (M-5).
        """
        if outstanding:
            self.turns.outstanding[outstanding] += 1
        copies = [copy for one in local for copy in self._hand_over(router, onward, one)]
        copies += [copy for hop in hops for copy in self.forward(hop, onward)]
        if outstanding and not any(outcome == "unsettled" for _, outcome in copies):
            self.turns.outstanding[outstanding] -= 1
        return copies

    def _decision(self, state: AddressState, router: str, text: str, rule: str) -> RouterDecision:
        entry = state.entry(router)
        return RouterDecision(
            router,
            text,
            rule,
            entry.source if entry else self.network.routers[router].source,
            "address",
            state.address,
        )

    def _hand_over(self, router: str, message: _Message, one: LocalDestination) -> list[Copy]:
        """A copy for a local destination, followed to its end."""
        if one.receiver is not None:
            taken = one.receiver.source
            delivery = RouterDelivery(
                one.id, "", message.address, message.path, message.decisions, taken, message.waited
            )
            return [(delivery, OUTCOME[one.receiver.settle])]
        if one.kind is DestinationKind.ROUTER:
            return self._over_bridge(router, message, one)
        if one.auto_link is not None:
            there = one.auto_link.at_container
            self.containers.put(one.id, there)
            stored = one.auto_link.source
            return [
                (
                    RouterDelivery(
                        "", one.id, there, message.path, message.decisions, stored, message.waited
                    ),
                    "accepted",
                )
            ]
        return self.forward(one.id, message, router)

    def _over_bridge(self, router: str, message: _Message, one: LocalDestination) -> list[Copy]:
        """A copy for another loaded router, at which an autolink attached: it is routed there as
        what a client sends, on a way of its own. One that comes back goes round."""
        assert one.auto_link is not None
        if one in message.exchanges:
            text = f"autolink {one.auto_link.name} gets back what it passed on"
            return self._cut(
                RouterDecision(router, text, "W-16", one.source, "autolink", one.auto_link.name), []
            )
        text = f"autolink {one.auto_link.name} passes it on to {one.id}, as {one.address}"
        decision = RouterDecision(router, text, "W-16", one.source, "autolink", one.auto_link.name)
        onward = _Message(
            one.address,
            one.phase,
            message.subject,
            decisions=message.decisions,
            waited=message.waited,
            exchanges=(*message.exchanges, one),
        )
        return self.forward(one.id, onward.decided(decision))

    def _exchanged(
        self, router: str, message: _Message, came: str, one: LocalDestination, direct: list[Copy]
    ) -> list[Copy]:
        """X-1: beside the receivers of the exchange's own address, once to each next hop with a
        matching binding; if nothing of it was forwarded, to the alternate address. The exchange
        accepts what was forwarded, and starts a new trace.

        A message that comes back to an exchange goes round: it is not sent on again."""
        exchange = one.exchange
        assert exchange is not None
        if one in message.exchanges:
            return self._cut(
                RouterDecision(
                    router,
                    f"exchange {exchange.name} gets back what it sent on",
                    "X-1",
                    one.source,
                    "exchange",
                    exchange.name,
                ),
                direct,
            )

        def sent_on(address: str, phase: str, text: str) -> list[Copy]:
            if self.sent_on == SENT_ON:
                text = (
                    f"exchange {exchange.name} is one of several that have sent copies on "
                    f"{SENT_ON} times"
                )
                return self._cut(
                    RouterDecision(router, text, "X-1", one.source, "exchange", exchange.name), []
                )
            self.sent_on += 1
            decision = RouterDecision(
                router,
                f"exchange {exchange.name}: {text} {address}",
                "X-1",
                one.source,
                "exchange",
                exchange.name,
            )
            onward = _Message(
                plain_address(address), phase, message.subject, (), message.path, message.decisions
            )
            exchanges = (*message.exchanges, one)
            onward = replace(onward.decided(decision), waited=message.waited, exchanges=exchanges)
            return self.forward(router, onward, came)

        copies = list(direct)
        for binding in next_hops(exchange, message.subject, self.choices):
            copies += sent_on(binding.next_hop, binding.phase, "to")
        if not copies and exchange.alternate:
            copies = sent_on(
                exchange.alternate, exchange.alternate_phase, "to the alternate address"
            )
        return [(delivery, "accepted") for delivery, _ in copies]

    def _cut(self, why: RouterDecision, copies: list[Copy]) -> list[Copy]:
        """The copies there are; the course is not followed beyond them."""
        self.cut[why] = None
        return copies

    def _brings_in(self, router: str, auto_link: AutoLink) -> bool:
        """Whether an in autolink gets credit (M-1)."""
        return self.state(auto_link.address).has_destination(router, auto_link.phase)

    def _bring_in(self, router: str, auto_link: AutoLink, broker: str) -> list[Copy]:
        decision = RouterDecision(
            router,
            f"autolink {auto_link.name} brings it in from {broker}",
            "W-2",
            auto_link.source,
            "autolink",
            auto_link.name,
        )
        subjects = set(self.sending.subjects)
        subject = (
            subjects.pop() if len(subjects) == 1 else None
        )  # which message it is that waited is not kept
        address = plain_address(auto_link.address)
        message = _Message(address, auto_link.phase, subject, decisions=(decision,), waited=True)
        return self.forward(router, message)
