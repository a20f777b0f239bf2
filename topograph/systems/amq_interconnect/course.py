"""One course of events: messages forwarded router by router (M-3 to M-7, W-3, F-1 to F-5, E-2 to E-4, X-1).

What a router can choose from is in ``destinations``; what no file decides is asked of ``Choices``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from topograph.address_patterns import PatternTree, plain_address
from topograph.findings import Source
from topograph.systems.amq_interconnect.addresses import Distribution
from topograph.systems.amq_interconnect.attaching import Attached, LinkRouting
from topograph.systems.amq_interconnect.choices import Choices
from topograph.systems.amq_interconnect.destinations import AddressState, Destination, Kind
from topograph.systems.amq_interconnect.messaging import FALLBACK, AutoLink, Broker, MessageNetwork
from topograph.systems.amq_interconnect.sent import Decision, Delivery, MessageSent, Path, Sending, Sent

TakesOut = Callable[[], list[tuple[Delivery, str]]]
"""Takes one message out of a container and says what becomes of it."""

OUTCOME = {
    "accept": "accepted",
    "reject": "rejected",
    "release": "released",
    "modify": "modified",
    "hold": "unsettled",
}
"""What a receiver's way of settling comes to at the sender (M-7)."""

LEGS = 16
"""Times a message may enter the network anew (from a container, or by an exchange) before it counts as going round."""


def may_route(network: MessageNetwork) -> bool:
    """Whether any router has link routes."""
    return any(router.link_routes for router in network.routers.values())


def without_routed(network: MessageNetwork) -> MessageNetwork:
    """The network without the receivers that a link route takes to a container (L-1)."""
    if not may_route(network):
        return network
    routing = LinkRouting(network, "out")
    kept = tuple(one for one in network.receivers if routing.attach(one.router, one.address) is None)
    return replace(network, receivers=kept)


@dataclass
class _Message:
    """A message on its way: address and phase, the interior routers it has passed (the trace, M-4) and all routers it has passed."""

    address: str
    phase: str
    trace: Path = ()
    path: Path = ()
    decisions: tuple[Decision, ...] = ()
    waited: bool = False
    legs: int = 0

    def at(self, router: str, *, interior: bool) -> _Message:
        """The message after it has left ``router``."""
        return replace(self, trace=(*self.trace, router) if interior else self.trace, path=(*self.path, router))


@dataclass
class Course:
    """One course of events: the picks made so far, the rotation of every list, what is not settled, what waits in containers."""

    network: MessageNetwork
    choices: Choices
    sending: Sending
    states: dict[str, AddressState] = field(default_factory=dict)
    rotations: dict[tuple[str, str, str], deque[str]] = field(default_factory=dict)
    unsettled: Counter[tuple[str, ...]] = field(default_factory=Counter)
    stored: dict[str, dict[str, int]] = field(default_factory=dict)
    routed: MessageNetwork | None = None

    def run(self) -> Sent:
        """Send the messages one after the other."""
        self._load_containers()
        messages = []
        sending = self.sending
        blocked = False
        for number in range(sending.count):
            if blocked:
                messages.append(MessageSent("not_sent", ()))
                continue
            message = self._one(number)
            messages.append(message)
            blocked = message.outcome == "unsettled" and not sending.burst
        return Sent(tuple(messages), self._waiting())

    def linked(self, attached: Attached) -> Sent:
        """All messages of a link-routed sender go to the container at which its attach ended (L-11), and on to who receives there."""
        self._load_containers()
        sending, targets = self.sending, attached.targets
        target = targets[self.choices.pick(("attach", "sender"), len(targets))]
        way = attached.path if attached.path and attached.path[-1] == target.router else ()
        decision = Decision(sending.router, f"link-routed to {target.broker}", "L-3", target.link_route.source)
        held = self.stored.setdefault(target.broker, {})
        messages = []
        for _ in range(sending.count):
            held[target.address] = held.get(target.address, 0) + 1
            deposit = Delivery("", target.broker, target.address, way, (decision,))
            outcome = "presettled" if sending.presettled else "accepted"
            messages.append(MessageSent(outcome, (deposit, *self._drain())))
        return Sent(tuple(messages), self._waiting())

    def drained(self) -> Sent:
        """Deliver what waits in containers."""
        self._load_containers()
        drained = tuple(self._drain())
        return Sent((MessageSent("", drained),), self._waiting())

    def _waiting(self) -> tuple[tuple[str, str, int], ...]:
        return tuple(
            (broker, address, number)
            for broker, addresses in sorted(self.stored.items())
            for address, number in sorted(addresses.items())
            if number
        )

    def _load_containers(self) -> None:
        for broker in self.network.brokers.values():
            self.stored[broker.name] = dict(broker.stored)

    def state(self, address: str) -> AddressState:
        plain = plain_address(address)
        if plain not in self.states:
            if self.routed is None:
                self.routed = without_routed(self.network)
            self.states[plain] = AddressState.of(self.routed, plain)
        return self.states[plain]

    def _one(self, number: int) -> MessageSent:
        sending = self.sending
        state = self.state(sending.address)
        entry = state.entry(sending.router)
        if sending.anonymous and state.refusal(sending.router) is not None:
            return MessageSent("presettled" if sending.presettled else "rejected", ())
        phase = str(entry.ingress_phase) if entry and not sending.anonymous else "0"
        first = _Message(state.address, phase)
        copies = self.forward(sending.router, first, "")
        if not copies and entry is not None and entry.fallback:
            copies = self.forward(sending.router, replace(first, phase=FALLBACK), "")
        outcome = self._outcome(copies)
        deliveries = [delivery for delivery, _ in copies]
        if any(delivery.broker for delivery in deliveries) or number == 0:
            deliveries += self._drain()
        return MessageSent(outcome, tuple(deliveries))

    def _outcome(self, copies: Sequence[tuple[Delivery, str]]) -> str:
        """M-7: of several outcomes rejected wins, then accepted, modified, released; none at all is released (M-2)."""
        if self.sending.presettled:
            return "presettled"
        outcomes = {outcome for _, outcome in copies}
        for outcome in ("rejected", "accepted", "unsettled", "modified"):
            if outcome in outcomes:
                return outcome
        return "released"

    # --- one message at one router ---

    def forward(self, router: str, message: _Message, came: str) -> list[tuple[Delivery, str]]:
        """Every copy that leaves a router for a message, followed to its end: (delivery, outcome). ``came`` is the edge or interior router
        at the other end of an uplink that the message came over: it is not sent back there (E-4)."""
        network = self.network
        interior = network.routers[router].mode != "edge"
        if interior and (router in message.trace or len(message.trace) > network.routes.radius(router) + 1):
            return []
        state = self.state(message.address)
        distribution = state.treatment(router, message.phase, self.choices)
        local = [one for one in state.local(router, message.phase) if one.id != came or one.receiver is not None]
        remote = state.remote(router, message.phase)
        if distribution is Distribution.MULTICAST:
            return self._multicast(router, message, local, remote, interior=interior)
        choose = self._closest if distribution is Distribution.CLOSEST else self._balanced
        return choose(router, message, local, remote, interior=interior)

    def _decided(self, router: str, message: _Message, text: str, rule: str) -> _Message:
        entry = self.state(message.address).entry(router)
        source = entry.source if entry else self.network.routers[router].source
        return replace(message, decisions=(*message.decisions, Decision(router, text, rule, source)))

    def _multicast(
        self, router: str, message: _Message, local: list[Destination], remote: Path, *, interior: bool
    ) -> list[tuple[Delivery, str]]:
        """M-4: a copy to every local destination and to every next hop towards another host, loops left to the trace."""
        hops: dict[str, None] = {}
        for host in remote:
            if self._checks_origins(router) and message.trace:
                origin = message.trace[0]
                if not self.network.routes.is_valid_origin(origin, router, host):
                    continue
            hop = self.network.routes.next_hop(router, host)
            if hop not in message.trace:
                hops[hop] = None
        copies_to = [*(_named(one) for one in local), *(f"router {hop}" for hop in sorted(hops))]
        text = f"multicast: a copy to each of {', '.join(copies_to)}" if copies_to else "multicast: nobody is left"
        decided = self._decided(router, message, text, "M-4").at(router, interior=interior)
        copies = [copy for one in local for copy in self.hand_over(router, decided, one)]
        for hop in sorted(hops):
            copies += self.forward(hop, decided, "")
        return copies

    def _checks_origins(self, router: str) -> bool:
        """Whether this router's version sends a multicast copy only where its origin is valid (M-4)."""
        return has_one_copy(self.network.routers[router].version)

    def _closest(
        self, router: str, message: _Message, local: list[Destination], remote: Path, *, interior: bool
    ) -> list[tuple[Delivery, str]]:
        """M-3: the own destinations in turn, else the hosts at the lowest cost in turn."""
        exchanges = [one for one in local if one.kind is Kind.EXCHANGE]
        if local:
            one = exchanges[0] if exchanges else self._in_turn(router, message, local)
            text = (
                f"closest: {_named(one)}, one of {len(local)} local destinations"
                if len(local) > 1
                else f"closest: {_named(one)}"
            )
            return self.hand_over(
                router, self._decided(router, message, text, "M-3").at(router, interior=interior), one
            )
        if not remote:
            return []
        costs = {host: self.network.routes.cost(router, host) for host in remote}
        nearest = [host for host in remote if costs[host] == min(costs.values())]
        host = self._rotated((router, message.phase, "remote " + message.address), nearest, None)
        text = f"closest: {host} at cost {costs[host]}" + (
            f", in turn with {len(nearest) - 1} more" if len(nearest) > 1 else ""
        )
        return self._on(router, self._decided(router, message, text, "M-3"), host, interior=interior)

    def _balanced(
        self, router: str, message: _Message, local: list[Destination], remote: Path, *, interior: bool
    ) -> list[tuple[Delivery, str]]:
        """M-5: the smallest number of deliveries outstanding, plus the cost for other hosts; own destinations win ties."""
        key = (router, message.phase, message.address)
        best: Destination | None = None
        ordered = [one for name in self._order(key, local) for one in local if _identity(one) == name]
        smallest = (True, 0)
        for one in ordered:
            held = self.unsettled[(*key, "local", _identity(one))]
            value = (held >= one.capacity, held)
            if best is None or value < smallest:
                best, smallest = one, value
            if held == 0:
                break
        if best is not None and smallest == (False, 0):
            self._in_turn(router, message, local, _identity(best))
        else:
            found = self._best_remote(router, message, remote)
            if found and (best is None or found[0] < smallest):
                text = f"balanced: towards {found[1]}, cost {self.network.routes.cost(router, found[1])}"
                return self._on(router, self._decided(router, message, text, "M-5"), found[1], interior=interior)
        if best is None:
            return []
        self._hold((*key, "local", _identity(best)), message)
        decided = self._decided(router, message, f"balanced: {_named(best)}", "M-5")
        copies = self.hand_over(router, decided.at(router, interior=interior), best)
        self._let_go((*key, "local", _identity(best)), copies)
        return copies

    def _best_remote(self, router: str, message: _Message, remote: Path) -> tuple[tuple[bool, int], str] | None:
        routes = self.network.routes
        values: dict[str, tuple[bool, int]] = {}
        for host in remote:
            if message.trace and not routes.is_valid_origin(message.trace[0], router, host):
                continue
            held = self.unsettled[router, message.phase, message.address, "hop", routes.next_hop(router, host)]
            values[host] = (held >= 250, held + routes.cost(router, host))
        if not values:
            return None
        smallest = min(values.values())
        tied = tuple(host for host in values if values[host] == smallest)
        return smallest, tied[self.choices.pick(("tie", router, tied), len(tied))]

    def _on(self, router: str, message: _Message, host: str, *, interior: bool) -> list[tuple[Delivery, str]]:
        """The message goes on to the next hop towards a host."""
        hop = self.network.routes.next_hop(router, host)
        key = (router, message.phase, message.address, "hop", hop)
        self._hold(key, message)
        copies = self.forward(hop, message.at(router, interior=interior), "")
        self._let_go(key, copies)
        return copies

    def _hold(self, key: tuple[str, ...], message: _Message) -> None:  # noqa: ARG002
        if not self.sending.presettled:
            self.unsettled[key] += 1

    def _let_go(self, key: tuple[str, ...], copies: Sequence[tuple[Delivery, str]]) -> None:
        """What is settled is no longer outstanding."""
        if not self.sending.presettled and not any(outcome == "unsettled" for _, outcome in copies):
            self.unsettled[key] -= 1

    # --- lists in turn ---

    def _in_turn(
        self, router: str, message: _Message, local: Sequence[Destination], chosen: str | None = None
    ) -> Destination:
        name = self._rotated((router, message.phase, message.address), [_identity(one) for one in local], chosen)
        return next(one for one in local if _identity(one) == name)

    def _order(self, key: tuple[str, str, str], local: Sequence[Destination]) -> list[str]:
        """The local destinations in the list's order now: whose turn it is first is not known at the start."""
        names = [_identity(one) for one in local]
        if key not in self.rotations:
            start = self.choices.pick(("turn", *key), len(names))
            self.rotations[key] = deque([*names[start:], *names[:start]])
        order = self.rotations[key]
        order.extend(name for name in names if name not in order)
        return [name for name in order if name in names]

    def _rotated(self, key: tuple[str, str, str], names: Sequence[str], chosen: str | None) -> str:
        """The next in turn (or the chosen one), which then is the last."""
        if key not in self.rotations:
            start = self.choices.pick(("turn", *key), len(names))
            self.rotations[key] = deque([*names[start:], *names[:start]])
        order = self.rotations[key]
        order.extend(name for name in names if name not in order)
        name = chosen or next(name for name in order if name in names)
        order.remove(name)
        order.append(name)
        return name

    # --- local destinations ---

    def hand_over(self, router: str, message: _Message, one: Destination) -> list[tuple[Delivery, str]]:
        """A copy for a local destination, followed to its end."""
        if one.kind is Kind.RECEIVER:
            assert one.receiver is not None
            delivery = Delivery(one.id, "", message.address, message.path, message.decisions, message.waited)
            return [(delivery, OUTCOME[one.receiver.settle])]
        if one.kind is Kind.AUTOLINK:
            assert one.auto_link is not None
            there = one.auto_link.at_container
            held = self.stored.setdefault(one.id, {})
            held[there] = held.get(there, 0) + 1
            return [(Delivery("", one.id, there, message.path, message.decisions, message.waited), "accepted")]
        if one.kind is Kind.EXCHANGE:
            return self._exchanged(router, message, one)
        return self.forward(one.id, message, router)

    def _exchanged(self, router: str, message: _Message, one: Destination) -> list[tuple[Delivery, str]]:
        """X-1: once to each next hop with a matching binding, else to the alternate address. The exchange itself accepts."""
        exchange = one.exchange
        assert exchange is not None
        if message.legs >= LEGS:
            return []
        subject = self.sending.subject
        hops: dict[tuple[str, str], Source] = {}
        for place, binding in enumerate(exchange.bindings):
            if binding.key and subject is None:
                taken = bool(self.choices.pick(("subject", exchange.name, place), 2))
            else:
                taken = not binding.key or subject_matches(binding.key, subject or "", exchange.method)
            if taken:
                hops.setdefault((binding.phase, binding.next_hop), binding.source)
        if not hops and exchange.alternate:
            hops[exchange.alternate_phase, exchange.alternate] = exchange.source
        copies: list[tuple[Delivery, str]] = []
        for (phase, address), source in hops.items():
            decision = Decision(router, f"exchange {exchange.name}: to {address}", "X-1", source)
            onward = _Message(plain_address(address), phase, (), message.path[:-1], (*message.decisions, decision))
            copies += self.forward(router, replace(onward, legs=message.legs + 1), "")
        return [(delivery, "accepted") for delivery, _ in copies]

    # --- containers ---

    def _drain(self) -> list[Delivery]:
        """What in autolinks bring into the network, as long as there is credit (W-3, W-4, F-4)."""
        found: list[Delivery] = []
        for _ in range(LEGS):
            moved = False
            for broker in self.network.brokers.values():
                for address in sorted(self.stored.get(broker.name, {})):
                    moved |= self._drain_one(broker, address, found)
            if not moved:
                return found
        return found

    def _drain_one(self, broker: Broker, address: str, found: list[Delivery]) -> bool:
        if not broker.up or not self.stored[broker.name][address]:
            return False
        sources = [*self._auto_links_from(broker, address), *self._consumers_at(broker, address)]
        if not sources:
            return False
        moved = False
        waiting = self.stored[broker.name][address]
        self.stored[broker.name][address] = 0
        for _ in range(waiting):
            names = [f"{place}" for place in range(len(sources))]
            copies = sources[int(self._rotated(("container", broker.name, address), names, None))]()
            found += [delivery for delivery, _ in copies]
            if copies and all(outcome == "released" for _, outcome in copies):
                # a container puts it back in front and would offer it again
                self.stored[broker.name][address] += 1
            else:
                moved |= bool(copies)
            if not copies:
                self.stored[broker.name][address] += 1
        return moved

    def _auto_links_from(self, broker: Broker, address: str) -> Iterator[TakesOut]:
        """The in autolinks that bring what is stored under an address into the network, if they get credit there (W-2, W-4)."""
        for router, configured in self.network.routers.items():
            for auto_link in configured.auto_links:
                if auto_link.direction != "in" or auto_link.at_container != address:
                    continue
                if not self.state(auto_link.address).has_destination(router, auto_link.phase):
                    continue
                for one in self.network.open_connections(router, auto_link.connection, auto_link.container):
                    if one.broker == broker.name:
                        yield partial(self._bring_in, router, auto_link, broker.name)

    def _bring_in(self, router: str, auto_link: AutoLink, broker: str) -> list[tuple[Delivery, str]]:
        decision = Decision(router, f"autolink {auto_link.name} brings it in from {broker}", "W-2", auto_link.source)
        address = plain_address(auto_link.address)
        return self.forward(router, _Message(address, auto_link.phase, decisions=(decision,), waited=True), "")

    def _consumers_at(self, broker: Broker, address: str) -> Iterator[TakesOut]:
        """The receivers that a link route has attached to a container (L-1, L-11)."""
        routing = LinkRouting(self.network, "out")
        for receiver in self.network.receivers:
            attached = routing.attach(receiver.router, receiver.address) if may_route(self.network) else None
            if attached is None or not attached.targets:
                continue
            target = attached.targets[self.choices.pick(("attach", receiver.id), len(attached.targets))]
            if target.broker == broker.name and target.address == address:
                way = tuple(reversed(attached.path))
                decision = Decision(
                    target.router, f"linked to {broker.name} by a link route", "L-11", target.link_route.source
                )
                delivery = Delivery(receiver.id, "", plain_address(receiver.address), way, (decision,), waited=True)
                yield partial(list, [(delivery, OUTCOME[receiver.settle])])


def _identity(one: Destination) -> str:
    """Tells the destinations of one list apart: a container may stand there over several connections."""
    connection = f"@{one.connection.name}" if one.connection else ""
    link = f"#{one.auto_link.name}" if one.auto_link else ""
    return f"{one.kind}:{one.id}{connection}{link}"


def _named(one: Destination) -> str:
    if one.kind is Kind.RECEIVER:
        return one.id
    words = {
        Kind.AUTOLINK: "the container",
        Kind.EDGE: "the edge router",
        Kind.UPLINK: "the uplink to",
        Kind.EXCHANGE: "the exchange",
    }
    return f"{words[one.kind]} {one.id}"


def has_one_copy(version: str) -> bool:
    """Whether a router of this version sends one multicast copy whatever the topology (M-4): dispatch before 1.13.

    An unknown version counts as 1.19 (section 5, position 1); the caller asks for both where it matters."""
    parts = version.split(".")
    if not version or not all(part.isdigit() for part in parts[:2]):
        return False
    return (int(parts[0]), int(parts[1]) if len(parts) > 1 else 0) < (1, 13)


def subject_matches(key: str, subject: str, method: str) -> bool:
    """Whether a subject matches a binding key: tokens of ``.`` (amqp) or ``/`` (mqtt); ``*`` or ``+`` is one token, ``#`` any number (1.6)."""
    separator, one = (".", "*") if method == "amqp" else ("/", "+")
    tree: PatternTree[bool] = PatternTree()
    tree.add(["*" if token == one else token for token in key.split(separator)], True)
    return any(tree.matches(subject.split(separator) if subject else ()))
