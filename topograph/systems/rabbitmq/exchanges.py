"""What an exchange does with a message (RQ-2 to RQ-11, RQ-21, RQ-22): the ways out of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from topograph.facts import rabbitmq as f
from topograph.facts.fact import Pairs
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.outcomes import Confidence, Outcome
from topograph.records import record
from topograph.systems.rabbitmq import headers
from topograph.systems.rabbitmq.configuration import (
    FEDERATION_EXCHANGE,
    Configuration,
    downstream_of,
)
from topograph.systems.rabbitmq.federation import Federation, FederationLink
from topograph.systems.rabbitmq.late_facts import BindingsOut
from topograph.systems.rabbitmq.onward import CYCLE, DISORDERED, Onward
from topograph.systems.rabbitmq.out_of_order import Part, of_link
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, Place
from topograph.systems.rabbitmq.policies import stated
from topograph.systems.rabbitmq.topics import has_wildcards, matches_all, topic_matches
from topograph.systems.rabbitmq.travel import Travel
from topograph.tracing.states import OpenEnd, State, Transition, Way
from topograph.tracing.trace import Ending, Kind

RULES = {
    "direct": "RQ-3",
    "fanout": "RQ-4",
    "topic": "RQ-5",
    "headers": "RQ-6",
    "x-consistent-hash": "RQ-10",
    "x-random": "RQ-10",
    "x-local-random": "RQ-10",
    "x-modulus-hash": "RQ-10",
    "x-recent-history": "RQ-11",
}
"""The types of exchanges whose routing is known, each with its rule."""

CHOOSING = frozenset({"x-consistent-hash", "x-random", "x-local-random", "x-modulus-hash"})
"""Those that pass a message to one of what is bound to them."""

_TO_ALL = frozenset({"fanout", "x-recent-history"})
DELAYED = "x-delayed-message"
_WHY = {
    CYCLE: "dropped, since it comes back without a rejection",
    DISORDERED: "whether it is dropped is left to chance, since a consumer rejected it before",
}
"""Why a message gets into no queue that it is routed to."""

MOST_TOLD = 40
"""Of an exchange with no more bindings than these, a trace tells which do not match."""


@record
class Bound:
    """One thing that bindings lead to: a place, or a federation link that asked for them."""

    to: Place | FederationLink
    bindings: tuple[f.RabbitBinding, ...]
    key: str | None = None
    """The routing key of all messages that come this way, where that is known."""


class Exchanges:
    """The exchanges of a network. A step out of one looks at the bindings that match its routing
    key where that is known, and at all of them otherwise."""

    def __init__(
        self,
        configuration: Configuration,
        federation: Federation,
        failed: Collection[Part] = frozenset(),
    ) -> None:
        self.configuration, self.federation = configuration, federation
        self.onward = Onward(configuration, federation, failed)

    def step(self, place: Place, travel: Travel) -> Transition:
        """The ways out of an exchange."""
        if place.name == DEFAULT_EXCHANGE:
            return Transition(tuple(self._default(place, travel)))
        type_ = self.routes_as(place)
        if not type_:
            return Transition((self._missing(place),))
        if type_ not in RULES:
            return Transition(tuple(self._unknown(place, travel, type_)))
        if type_ in CHOOSING:
            return Transition(tuple(self._choosing(place, travel, type_)))
        return self._matching(place, travel, type_)

    def routes_as(self, place: Place) -> str:
        """The type by which an exchange routes."""
        type_ = self.configuration.type_of(place) or self.federation.declared(place)
        if type_ == DELAYED:
            given = stated(self.configuration.exchanges[place].arguments, "x-delayed-type")
            return str(given or "")
        return type_

    def _missing(self, place: Place) -> Way:
        """An exchange that there is not: as an alternate, a dead letter or an end of a binding it
        is passed over."""
        text = f"there is no {place.label}: nothing gets further"
        return Way(
            Ending(Outcome.DISCARDED, {"reason": f"no {place.label}"}),
            text,
            "RQ-7",
            source=self.configuration.source(place),
        )

    def _default(self, place: Place, travel: Travel) -> Iterator[Way]:
        """RQ-2: the queue that is called like the routing key."""
        source = self.configuration.source(place)
        if travel.key is None:
            text = "the queue that is called like the routing key, which the question does not set"
            guard = Guard("default exchange", UNDECIDED, text, "no --key is given", source)
            ending = Ending(Outcome.DISCARDED, {"reason": "unroutable"})
            yield Way(ending, text, "RQ-2", source=source, guard=guard)
            return
        queue = place.queue(travel.key)
        if self.configuration.has(queue):
            text = f"routed to {queue.label}, which is called like the routing key"
            at = self.configuration.source(queue)
            to, rule = self.onward.arrived(queue, travel), "RQ-2"
            if isinstance(to, Ending):
                text, rule = f"{text}: {_WHY[to]}", "RQ-2, RQ-14"
            yield Way(to, text, rule, self._confidence(place), at)
        else:
            yield from self._unroutable(place, travel, ())

    def _matching(self, place: Place, travel: Travel, type_: str) -> Transition:
        """The bindings that match, then what happens if none does."""
        ways: list[Way] = []
        certain = False
        for one in self._bound(place, travel, type_):
            guard = self._guard(type_, one, travel)
            if guard is False:
                continue
            certain |= guard is True
            ways += self._passed(place, travel, type_, one, guard if guard is not True else None)
        if travel.traced and travel.key is not None and type_ in ("direct", "topic"):
            ways += self._not_matching(place, travel, type_, ways)
        if not certain:
            open_ways = [way for way in ways if way.guard is not None and way.guard.kind != NO]
            ways += self._unroutable(place, travel, open_ways)
        doubt = self.configuration.doubt(place)
        end = OpenEnd(f"{place.label}: {doubt[0]}", doubt[1]) if doubt and not certain else None
        return Transition(tuple(ways), open_end=end)

    def _bound(self, place: Place, travel: Travel, type_: str) -> Iterator[Bound]:
        """What bindings out of an exchange lead to, and the links that asked it for some."""
        own = self.configuration.out_of(place)
        to: dict[tuple[Place, str | None], list[f.RabbitBinding]] = {}
        for binding in self.configuration.leading_to(_candidates(own, type_, travel.key)):
            end = Place(place.server, place.vhost, binding.to_type, binding.to)
            if not self.configuration.has(end) or self.configuration.made_by_link(end):
                continue
            known = travel.key
            if known is None and _states_key(type_, binding) and self.onward.goes_on(end):
                known = binding.key
            to.setdefault((end, known), []).append(binding)
        for (end, known), bindings in to.items():
            yield Bound(end, tuple(bindings), known)
        for link in self.federation.out_of.get(place, ()):
            asked = tuple(_candidates(self.federation.bindings(link), type_, travel.key))
            if asked:
                yield Bound(link, asked, travel.key)

    def _guard(self, type_: str, one: Bound, travel: Travel) -> Guard | bool:
        """What bindings ask of a message, any of which is enough; True or False where that is
        decided whatever the message."""
        source = one.bindings[0].source
        if type_ in _TO_ALL:
            return True
        if type_ == "headers":
            return self._headers_guard(one, source, travel)
        keys = list(dict.fromkeys(binding.key for binding in one.bindings))
        if travel.key is not None:
            return True  # only what matches was looked up
        if type_ == "topic" and any(map(matches_all, keys)):
            return True
        return key_guard(type_, keys, source)

    def _headers_guard(self, one: Bound, source: Source, travel: Travel) -> Guard | bool:
        asked = list(dict.fromkeys(_compared(binding, one.to) for binding in one.bindings))
        if any(not headers.asked(pairs) and headers.how(pairs)[:3] == "all" for pairs in asked):
            return True
        version = self.configuration.version(one.bindings[0].server)
        exact = version.has_exact_headers
        if travel.headers is not None:
            given = {name: f.value_of(value) for name, value in travel.headers}
            return any(headers.headers_match(pairs, given, exact=exact) for pairs in asked)
        payload = json.dumps([exact, asked], ensure_ascii=False)
        text = f"headers have {' or '.join(map(headers.in_words, asked))}"
        return Guard(f"headers:{payload}", HEADERS, text, payload, source)

    def _passed(
        self, place: Place, travel: Travel, type_: str, one: Bound, guard: Guard | None
    ) -> Iterator[Way]:
        """The way to one thing that is bound."""
        rule = RULES[type_]
        if isinstance(one.to, FederationLink):
            yield from self._federated(place, travel, one.to, guard)
            return
        to = self.onward.arrived(one.to, travel._replace(key=one.key))
        text = f"routed to {one.to.label}{_by(type_, one.bindings)}"
        if one.to.type == EXCHANGE:
            rule = f"{rule}, RQ-7"
        confidence = self._confidence(place)
        source = one.bindings[0].source
        if isinstance(to, Ending):
            text, rule = f"{text}: {_WHY[to]}", f"{rule}, RQ-14"
        yield Way(to, text, rule, confidence, source, guard=guard)

    def _confidence(self, place: Place) -> Confidence:
        return self.configuration.version(place.server).confidence

    def _federated(
        self, place: Place, travel: Travel, link: FederationLink, guard: Guard | None
    ) -> Iterator[Way]:
        """RQ-22: a link takes a message if it came over fewer links than ``max-hops``, and never to
        where it has been. A message that the link asked for and does not take counts as routed."""
        end, rule = link.downstream, "RQ-21, RQ-22"
        confidence = self._confidence(place)
        text = f"copied over the upstream {link.name} to the federated {end.label} of {end.server}"
        reason = ""
        if len(travel.visits) >= link.max_hops:
            reason = f"it came over {len(travel.visits)} links, max-hops is {link.max_hops}"
        elif end[:2] in travel.visits:
            reason = f"it has been in {end.vhost} of {end.server}"
        elif self._has_been_in(end.server, travel):
            reason = f"it has been in {end.server}, of a version before 3.8.9"
        if reason:
            ending = Ending(Outcome.DISCARDED, {"reason": "max-hops"})
            text = f"not {text}: {reason}"
            yield Way(ending, text, "RQ-22", confidence, link.source, guard=guard)
            return
        if of_link(link) in self.onward.failed:
            waits = f"not {text}: the link is down, and it waits in the queue of the link"
            held = Ending(Outcome.HELD, {"queue": place.label, "server": place.server})
            yield Way(held, waits, rule, confidence, link.source, guard=guard)
            return
        visits = (*travel.visits, (place.server, place.vhost))
        act = f"upstream {link.name} from {place.label} at {place.server}"
        gone_on = travel._replace(visits=visits, dying=False)  # a link publishes as clients do
        state = self.onward.published(end, gone_on, act, travel.mark(act), place, by_client=True)
        yield Way(
            state,
            text,
            rule,
            confidence,
            link.source,
            guard=guard,
            link=link.name,
            role="federation",
        )

    def _has_been_in(self, server: str, travel: Travel) -> bool:
        """Whether the cluster counts as one place, in which the message has been."""
        if self.configuration.version(server).federates_own_vhosts:
            return False
        return any(visited == server for visited, _ in travel.visits)

    def _not_matching(
        self, place: Place, travel: Travel, type_: str, taken: Sequence[Way]
    ) -> Iterator[Way]:
        """Of an exchange with few bindings, those that do not match: a trace tells them."""
        facts = self.configuration.out_of(place).facts
        if len(facts) > MOST_TOLD:
            return
        there = {way.to.object for way in taken if isinstance(way.to, State)}
        left: dict[Place, list[f.RabbitBinding]] = {}
        for one in self.configuration.leading_to(facts):
            end = Place(place.server, place.vhost, one.to_type, one.to)
            if end.label not in there and self.configuration.has(end):
                left.setdefault(end, []).append(one)
        for end, bindings in left.items():
            keys = list(dict.fromkeys(one.key for one in bindings))
            source = bindings[0].source
            found = key_guard(type_, keys, source)
            payload = json.dumps([travel.key, keys], ensure_ascii=False)
            guard = replace(found, id=f"{NO}:{payload}:{type_}", kind=NO, payload=payload)
            state = self.onward.arrived(end, travel)
            text = f"routed to {end.label}{_by(type_, bindings)}"
            yield Way(state, text, RULES[type_], source=source, guard=guard)

    def _choosing(self, place: Place, travel: Travel, type_: str) -> Iterator[Way]:
        """RQ-10: one of what is bound, chosen while the broker runs. A federation link that asks
        for any binding is bound too."""
        bindings = self.configuration.leading_to(self.configuration.out_of(place).facts)
        ends = dict.fromkeys(
            Place(place.server, place.vhost, one.to_type, one.to) for one in bindings
        )
        own = self.configuration
        known = [end for end in ends if own.has(end) and not own.made_by_link(end)]
        first: dict[tuple[str, str], f.RabbitBinding] = {}
        for one in bindings:
            first.setdefault((one.to_type, one.to), one)
        ways = [
            Way(
                self.onward.arrived(end, travel),
                f"routed to {end.label}",
                "RQ-10",
                self._confidence(place),
                first[end.type, end.name].source,
            )
            for end in known
        ]
        ways += self._over_links(place, travel, None)
        if len(ways) < 2:
            yield from ways or self._unroutable(place, travel, ())
            return
        choice = f"{place.label} at {place.server}"
        for way in ways:
            text = f"{way.text}, one of {len(ways)}: {_CHOICE[type_]}"
            rule = way.rule if way.rule == "RQ-10" else f"RQ-10, {way.rule}"
            yield replace(way, text=text, rule=rule, kind=Kind.ONE_OF, choice=choice)

    def _over_links(self, place: Place, travel: Travel, guard: Guard | None) -> Iterator[Way]:
        """The ways over the federation links that ask for any binding."""
        for link in self.federation.out_of.get(place, ()):
            if self.federation.bindings(link).facts:
                yield from self._federated(place, travel, link, guard)

    def _unknown(self, place: Place, travel: Travel, type_: str) -> Iterator[Way]:
        """RQ-11: how an exchange of another type routes is not known."""
        source = self.configuration.source(place)
        if type_ == FEDERATION_EXCHANGE:
            fact = self.configuration.exchanges[place]
            name = downstream_of(fact)
            vhost = str(stated(fact.arguments, "x-downstream-vhost") or "/")
            to = travel.at(Place(name, vhost, EXCHANGE, ""))
            text = f"copied to the federated exchange of {name}"
            yield Way(to, text, "RQ-21", source=source, link=place.name, role="federation")
            return
        text = f"how an exchange of type {type_} routes is not known"
        bindings = self.configuration.leading_to(self.configuration.out_of(place).facts)
        ends = dict.fromkeys(
            Place(place.server, place.vhost, one.to_type, one.to) for one in bindings
        )
        guard = Guard(f"{UNDECIDED}:{type_}", UNDECIDED, text, text, source)
        for end in ends:
            if self.configuration.has(end):
                arrived = self.onward.arrived(end, travel)
                yield Way(arrived, f"routed to {end.label}", "RQ-11", source=source, guard=guard)
        yield from self._over_links(place, travel, guard)
        ending = Ending(Outcome.DISCARDED, {"reason": "unroutable"})
        yield Way(ending, "dropped: nothing matches", "RQ-11", source=source, guard=guard)

    def _unroutable(self, place: Place, travel: Travel, guarded: Sequence[Way]) -> Iterator[Way]:
        """What happens if no binding matches (RQ-8, RQ-9): after ``guarded`` ways, as what is left;
        at once where there are none."""
        kind = Kind.ELSE if guarded else Kind.COPY
        text = f"no binding of {place.label} matches"
        if place.name == DEFAULT_EXCHANGE:
            text = f"there is no queue {travel.key}"
        confidence = self._confidence(place)
        guard = self.configuration.not_understood(
            place.server,
            "bindings",
            "exchanges",
            "queues",
            "policies",
            "parameters",
            "static shovels",
        )
        setting = None
        if place.name != DEFAULT_EXCHANGE:
            setting = self.configuration.setting(place, "alternate-exchange", "alternate-exchange")
        if setting is not None:
            other = place.exchange(str(setting.value))
            if self.configuration.has(other):
                said = f"{text}: on to its alternate {other.label} ({setting.by})"
                yield Way(
                    travel.at(other),
                    said,
                    "RQ-8",
                    confidence,
                    setting.source,
                    kind=kind,
                    guard=guard,
                )
                return
            text = f"{text}, and there is no alternate {other.label}"
        source = setting.source if setting else self.configuration.source(place)
        end = Ending(Outcome.DISCARDED, {"reason": "unroutable"})
        said = f"{text}: nothing gets further from here"
        yield Way(end, said, "RQ-9", confidence, source, kind=kind, guard=guard)


HEADERS, KEY, NO = "headers", "routing key", "another routing key"
"""Kinds of guards: on the headers, on a routing key that the sender states, and one that is known
not to hold."""

_CHOICE = {
    "x-consistent-hash": "by a hash of the routing key, a header or a property",
    "x-modulus-hash": "by a hash of the routing key",
    "x-random": "at random",
    "x-local-random": "at random among those on the node of the publisher",
}


def key_guard(type_: str, keys: Sequence[str], source: Source) -> Guard:
    """That the routing key is one of some, or matches one of some patterns."""
    matches = "matches" if type_ == "topic" else "is"
    shown = [key or '""' for key in keys]
    few = " or ".join(shown[:4]) + (f" or one of {len(shown) - 4} others" if len(keys) > 4 else "")
    payload = json.dumps([type_, list(keys)], ensure_ascii=False)
    text = f"the routing key {matches} {few}"
    return Guard(f"key:{payload}", KEY, text, payload, source)


def _candidates(out: BindingsOut, type_: str, key: str | None) -> Iterable[f.RabbitBinding]:
    """The bindings that a routing key matches, as far as it is known."""
    if key is None or type_ not in ("direct", "topic"):
        return out.facts
    if type_ == "direct":
        return out.by_key.get(key, ())
    return out.trie.matching(key)


def _states_key(type_: str, binding: f.RabbitBinding) -> bool:
    """Whether all messages that a binding passes have its key."""
    return type_ == "direct" or (type_ == "topic" and not has_wildcards(binding.key))


def _by(type_: str, bindings: Sequence[f.RabbitBinding]) -> str:
    """By which keys something is bound, in words."""
    if type_ not in ("direct", "topic"):
        return ""
    keys = list(dict.fromkeys(one.key for one in bindings))
    shown = ", ".join(key or '""' for key in keys[:3])
    return f" by {shown}{f' and {len(keys) - 3} more' if len(keys) > 3 else ''}"


def _compared(binding: f.RabbitBinding, to: Place | FederationLink) -> Pairs:
    """The arguments of a binding of a headers exchange. A federation link adds a header of its own
    to what it asks for, which only ``-with-x`` compares: no message has it."""
    if isinstance(to, FederationLink):
        return (*binding.arguments, ("x-bound-from", '"(the federation link)"'))
    return binding.arguments


def key_matches(type_: str, keys: Iterable[str], key: str) -> bool:
    """Whether a routing key is one of some, or matches one of some patterns."""
    if type_ == "topic":
        return any(topic_matches(one, key) for one in keys)
    return key in keys
