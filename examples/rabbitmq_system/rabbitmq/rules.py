"""What brokers do with a message, one step at a time. Graph, walks, traces and pictures are made
from this.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from rabbitmq import facts as f
from rabbitmq.brokers import Brokers, Place
from rabbitmq.matching import RULES as TYPES
from rabbitmq.matching import evaluate, guard_of
from topograph.assumptions import Assumption
from topograph.errors import UsageError
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import Guard, Server
from topograph.message import Message, MessageOption
from topograph.outcomes import Outcome
from topograph.rules import FindingKind, Remedy, Rule
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, System
from topograph.systems.contract.wording import Wording
from topograph.tracing.states import ONCE, State, Stepping, Transition, Way
from topograph.tracing.trace import Ending, Kind, Note


def _finding(kind: str, do: str, means: str) -> FindingKind:
    return FindingKind(kind, Severity.WARNING, Remedy(do, means))


RB_1 = Rule(
    "RB-1",
    "Exchange, binding, queue",
    "An exchange puts a copy of a message into every queue bound to it by a binding that matches.",
    (_finding("unknown-end", "Declare what it leads to.", "Nothing gets over this binding."),),
)
RB_8 = Rule(
    "RB-8",
    "Alternate exchange",
    "What an exchange cannot route goes to its alternate exchange.",
    (_finding("no-alternate", "Declare the exchange.", "What cannot be routed is dropped."),),
)
RB_10 = Rule(
    "RB-10",
    "Dead letters",
    "What is rejected, expires or exceeds a limit goes to the dead letter exchange of its queue.",
    (_finding("no-dead-letter-exchange", "Declare the exchange.", "Dead letters are dropped."),),
)
RB_12 = Rule(
    "RB-12",
    "One policy",
    "Of the policies that match a name, the one of highest priority holds; arguments go first.",
    (_finding("equal-policies", "Give them different priorities.", "Any of them may hold."),),
)
UNKNOWN_BROKER = _finding(
    "unknown-broker", "Load its definitions.", "What lies behind it is not known."
)
NO_SUCH_TARGET = _finding("no-such-target", "Declare the exchange.", "The shovel does not start.")
RB_13 = Rule(
    "RB-13",
    "Shovels",
    "A shovel takes messages out of a queue and publishes them elsewhere.",
    (UNKNOWN_BROKER, NO_SUCH_TARGET),
)
RB_14 = Rule(
    "RB-14",
    "Federated exchanges",
    "A federated exchange gets a copy of what its upstream exchange gets and its bindings match.",
    (
        _finding(
            "mixed-types", "Use exchanges of one type.", "They match the same keys differently."
        ),
    ),
)
RULES = (
    RB_1,
    Rule("RB-2", "Default exchange", "Every queue is bound to it by the name of the queue."),
    Rule("RB-3", "Direct", "The routing key equals the key of the binding."),
    Rule("RB-4", "Fanout", "Every message matches."),
    Rule("RB-5", "Topic", "`*` is one word of the routing key, `#` any number of words."),
    Rule("RB-6", "Headers", "All headers of the binding match, or any as `x-match` says."),
    Rule("RB-7", "Exchange to exchange", "However bindings lead to a queue, it gets one copy."),
    RB_8,
    Rule("RB-9", "Unroutable", "It is dropped, or returned if it is `mandatory`."),
    RB_10,
    Rule("RB-11", "Circles of dead letters", "They end, unless consumers reject the message."),
    RB_12,
    RB_13,
    RB_14,
    Rule("RB-15", "`max-hops`", "It limits federation links, and no broker is met twice."),
    Rule("RB-16", "Federated queues", "Each message goes to one of the two queues."),
    Rule("RB-17", "Other exchanges", "How the exchanges of plugins route is not known."),
)

NOT_EVALUATED = Note(
    "RB-1", "Consumers, permissions, time to live and length limits are not evaluated."
)


class Travel(NamedTuple):
    """What has happened to a message: the routing key that replaced the sender's, the brokers
    whose federation links it took, the queues and shovels that republished it, and whether a
    binding between exchanges brought it here.
    """

    key: str | None = None
    links: tuple[str, ...] = ()
    republished: tuple[str, ...] = ()
    bound: bool = False

    def at(self, place: Place) -> State:
        """The state of such a message at a place."""
        return State(place.server, place.label, json.dumps([place[1:], self]))


def _decoded(state: State) -> tuple[Place, Travel]:
    (vhost, type_, name), (key, links, republished, bound) = json.loads(state.data)
    place = Place(state.server, vhost, type_, name)
    return place, Travel(key, tuple(links), tuple(republished), bound)


def _end(outcome: Outcome, text: str, rule: str, source: Source, **said: str) -> Way:
    return Way(Ending(outcome, said), text, rule, source=source)


def _begin(place: Place) -> State:
    """A message to a queue is one to the default exchange, with the queue's name as key (RB-2)."""
    return Travel(place.name if place.type == "queue" else None).at(place)


@dataclass(frozen=True)
class Routing:
    """What the brokers of a network do."""

    net: Brokers

    def places(self) -> Iterator[Place]:
        """Where clients publish."""
        yield from (place for place, one in self.net.exchanges.items() if not one.internal)
        predeclared = self.net.bindings.keys() - self.net.exchanges.keys()
        yield from sorted(place for place in predeclared if self.net.has(place))
        yield from self.net.queues

    def enter(self, server: str, message: Message) -> State:
        """The exchange, or the queue, of a message."""
        wanted = str(message.destination)
        if message.further.get("mandatory", "no") not in ("yes", "no"):
            raise UsageError("mandatory is yes or no.")
        for place in self.places():
            if place.server == server and place.label == wanted:
                return _begin(place)
        raise UsageError(f"No client of {server} publishes to {wanted}.")

    def step(self, state: State) -> Transition:
        """An exchange routes, a queue keeps (RB-1)."""
        place, travel = _decoded(state)
        if place.type == "queue":
            return Transition(tuple(self.from_queue(place, travel)))
        ways = [*self.routed(place, travel), *self.federated(place, travel)]
        certain = any(way.guard is None for way in ways)
        return Transition((*ways, *(() if certain else self.unroutable(place, travel))))

    def routed(self, place: Place, travel: Travel) -> Iterator[Way]:
        """The bindings out of an exchange, those to one queue or exchange as one way (RB-7)."""
        type_ = self.net.type_of(place)
        ends: dict[Place, list[f.Binding]] = {}
        for one in self.net.bindings_of(place):
            ends.setdefault(place._replace(type=one.to_type, name=one.to), []).append(one)
        for end, bindings in ends.items():
            guard = guard_of(type_, bindings, travel.key)
            if guard is not False and self.net.has(end):
                rule = TYPES.get(type_, "RB-17")
                text = f"routed to {end.label}"
                to = travel._replace(bound=end.type == "exchange").at(end)
                source = bindings[0].source
                yield Way(to, text, rule, source=source, guard=_or_none(guard))

    def federated(self, place: Place, travel: Travel) -> Iterator[Way]:
        """The exchanges whose upstream this one is: each gets what its bindings match (RB-14), over
        no more links than ``max-hops`` and at no broker twice (RB-15).
        """
        links = (*travel.links, place.server)
        for end, upstream in self.net.links.get(place, ()):
            if end.server not in links and len(links) <= upstream.max_hops:
                wanted = self.wanted(end, links)
                guard = wanted and guard_of(self.net.type_of(place), wanted, travel.key)
                if guard:
                    text = f"copied to the federated {end.label} of {end.server}"
                    to = Travel(travel.key, links, travel.republished).at(end)
                    yield _hop(to, text, "RB-14", upstream, "federation", _or_none(guard))

    def wanted(self, place: Place, links: tuple[str, ...]) -> list[f.Binding]:
        """The bindings that a federated exchange passes upstream: its own, and those of the
        exchanges that it is upstream of.
        """
        found = list(self.net.bindings_of(place))
        onward = (*links, place.server)
        for end, upstream in self.net.links.get(place, ()):
            if end.server not in onward and len(onward) <= upstream.max_hops:
                found += self.wanted(end, onward)
        return found

    def unroutable(self, place: Place, travel: Travel) -> Iterator[Way]:
        """What happens if no binding matches (RB-8, RB-9)."""
        text = f"no binding of {place.label} matches"
        setting = self.net.setting(place, "alternate-exchange", "alternate-exchange")
        other = None if setting is None else place.exchange(str(setting.value))
        if setting is not None and other is not None and self.net.has(other):
            said = f"{text}: on to its alternate exchange"
            yield Way(travel.at(other), said, "RB-8", source=setting.source, kind=Kind.ELSE)
            return
        source = self.net.source(place)
        if not travel.republished and not travel.links:
            asked = Guard("mandatory", "mandatory", "the message is mandatory")
            back = _end(Outcome.REJECTED, f"{text}: returned", "RB-9", source, reason="NO_ROUTE")
            if travel.bound:
                why = "returned, unless another binding led to a queue"
                said = f"{text}: {why}"
                back = _end(Outcome.UNDETERMINED, said, "RB-9", source, condition=why)
            yield replace(back, kind=Kind.ELSE, guard=asked)
        end = _end(Outcome.DISCARDED, f"{text}: dropped", "RB-9", source, reason="unroutable")
        yield replace(end, kind=Kind.ELSE)

    def from_queue(self, place: Place, travel: Travel) -> Iterator[Way]:
        """Where a message in a queue goes: to consumers, of which a shovel is one (RB-13), to a
        queue that is federated with it (RB-16), or to the dead letter exchange (RB-10).
        """
        mark, source = f"{place.label} at {place.server}", self.net.source(place)
        if mark in travel.republished:
            text = f"it comes back to {mark}: dropped, unless it was rejected on the way"
            yield _end(Outcome.LOOP, text, "RB-11", source, state=mark)
            return
        takers = [*self.shovelled(place, travel)]
        if not takers:
            text = f"kept in {place.label} for its consumers"
            takers = [_end(Outcome.DELIVERED, text, "RB-1", source, destination=place.label)]
        for end, upstream in self.net.links.get(place, ()):
            if end.server not in travel.links:
                text = f"taken by the federated {end.label} of {end.server}"
                to = travel._replace(links=(*travel.links, place.server)).at(end)
                takers.append(_hop(to, text, "RB-16", upstream, "federation"))
        several = Kind.ONE_OF if len(takers) > 1 else Kind.COPY
        yield from (replace(one, kind=several, choice=f"who takes from {mark}") for one in takers)
        yield from self.dead(place, travel, mark)

    def shovelled(self, place: Place, travel: Travel) -> Iterator[Way]:
        """The shovels that take from a queue."""
        for one in self.net.shovels.get(place, ()):
            mark = f"shovel {one.name} of {one.server}"
            text = f"moved by the {mark}"
            if mark in travel.republished:
                yield _end(Outcome.LOOP, f"{text} again", "RB-13", one.source, state=place.label)
                continue
            to = self.net.target(one)
            if to.type == "exchange" and not self.net.has(to):
                continue  # it does not start: see check
            key = one.to if one.to_type == "queue" else next(iter(one.key), travel.key)
            state = Travel(key, travel.links, (*travel.republished, mark)).at(to)
            alone = f"only shovels take from {place.label} of {place.server}"
            others = Assumption("RB-13", "M", alone, "what others take is not moved")
            yield replace(_hop(state, text, "RB-13", one, "shovel"), position=others)

    def dead(self, place: Place, travel: Travel, mark: str) -> Iterator[Way]:
        """The dead letters of a queue (RB-10)."""
        setting = self.net.setting(place, "x-dead-letter-exchange", "dead-letter-exchange")
        if setting is None:
            return
        key = self.net.setting(place, "x-dead-letter-routing-key", "dead-letter-routing-key")
        to = place.exchange(str(setting.value))
        when = f"it is rejected in {place.label}, expires there, or exceeds a limit"
        travel = Travel(
            travel.key if key is None else str(key.value),
            travel.links,
            (*travel.republished, mark),
        )
        if self.net.has(to):
            end: State | Ending = travel.at(to)
            text = f"dead letter to {to.label}"
        else:
            end = Ending(Outcome.DISCARDED, {"reason": "no dead letter exchange"})
            text = f"dropped: there is no {to.label}"
        yield Way(end, text, "RB-10", source=setting.source, kind=Kind.LATER, condition=when)

    def servers(self) -> list[Server]:
        """The brokers by name. One without a file, or whose file is not understood as a whole, may
        send messages anywhere.
        """
        loaded = [
            Server(name, "rabbitmq", True, one.source, why, open_ended=bool(why))
            for name, one in self.net.brokers.items()
            for why in (
                f"{one.left_out} of its entries are not understood" if one.left_out else "",
            )
        ]
        named = [
            Server(name, "rabbitmq", False, source, "its definitions are not loaded", True)
            for name, source in self.net.named.items()
        ]
        return sorted([*loaded, *named], key=lambda server: server.name)


def _or_none(guard: Guard | bool | Sequence[object]) -> Guard | None:
    return guard if isinstance(guard, Guard) else None


def _hop(
    to: State,
    text: str,
    rule: str,
    fact: f.Shovel | f.Upstream,
    role: str,
    guard: Guard | None = None,
) -> Way:
    """A way that a shovel or a federation link makes."""
    return Way(to, text, rule, source=fact.source, guard=guard, link=fact.name, role=role)


def check(net: Brokers) -> Iterator[Finding]:
    """What is wrong in the definitions of a network."""
    for place, bindings in net.bindings.items():
        for one in bindings:
            end = place._replace(type=one.to_type, name=one.to)
            missing = [at for at in (place, end) if not net.has(at)]
            if missing:
                message = (
                    f"A binding of {place.label} to {end.label}: there is no {missing[0].label}."
                )
                yield RB_1.at(one.source, message, server=one.server)
    settings = (
        (RB_8, net.exchanges, "alternate-exchange", "alternate-exchange"),
        (RB_10, net.queues, "x-dead-letter-exchange", "dead-letter-exchange"),
    )
    for rule, places, argument, key in settings:
        for place in places:
            setting = net.setting(place, argument, key)
            if setting is not None and not net.has(place.exchange(str(setting.value))):
                message = f"{place.label}: there is no exchange {setting.value}."
                yield rule.at(setting.source, message, server=place.server)
    for place in (*net.exchanges, *net.queues):
        equal = net.matching(place)
        if len(equal) > 1:
            names = " and ".join(one.name for one in equal)
            message = f"{place.label}: {names} match it with the same priority."
            yield RB_12.at(equal[0].source, message, server=place.server)
    for name, source in net.named.items():
        message = f"The definitions of {name} are not loaded."
        yield RB_13.at(source, message, kind=UNKNOWN_BROKER)
    for shovel in (one for own in net.shovels.values() for one in own):
        to = net.target(shovel)
        if to.type == "exchange" and not net.has(to):
            message = f"The shovel {shovel.name} leads to {to.label}, which does not exist."
            yield RB_13.at(shovel.source, message, kind=NO_SUCH_TARGET, server=shovel.server)
    for start, ends in net.links.items():
        for end, upstream in ends:
            types = {net.type_of(start), net.type_of(end)} - {""}
            if len(types) > 1:
                message = f"{end.label} is {net.type_of(end)}, its upstream {net.type_of(start)}."
                yield RB_14.at(upstream.source, message, server=upstream.server)


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    """The brokers that the facts of one network configure."""
    net = Brokers.of(source.facts(), side_inputs)
    routing = Routing(net)
    return Stepping(
        servers=routing.servers(),
        entries=lambda: map(_begin, routing.places()),
        enter=routing.enter,
        step=routing.step,
        evaluate=evaluate,
        on_loop=ONCE,
        notes=(NOT_EVALUATED,),
        checks=(partial(check, net),),
    )


SYSTEM = System(
    name="rabbitmq",
    title="RabbitMQ",
    stepping=load,
    destinations={"exchange": "stepping", "queue": "stepping"},
    no_reply="Replies go where reply-to says: ask reach from the other end.",
    rules=lambda: RULES,
    further_options=(
        MessageOption("routing_key", "The routing key of the message.", "KEY"),
        MessageOption("mandatory", "yes: the publisher wants back what no queue takes.", "yes"),
    ),
    wording=Wording(
        server_noun="broker",
        shape="box",
        link_roles={"shovel": "dashes", "federation": "solid"},
    ),
    main_files="definitions of RabbitMQ",
)
"""What topograph is told of RabbitMQ."""
