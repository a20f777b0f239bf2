"""The routing keys and headers of messages that stand for those which clients send: where two
states of a network are compared (``begins``), and where something is told of each (``sent``).

Those matter that are compared at an exchange or behind it, whether a message gets there by
bindings, as a dead letter, or over a shovel or a link: both where they are compared together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from topograph.facts import Pairs
from topograph.systems.rabbitmq.exchanges import key_matches
from topograph.systems.rabbitmq.headers import asked, tried_value
from topograph.systems.rabbitmq.loops.keys import headers_tried, keys_tried
from topograph.systems.rabbitmq.loops.reach import Reach
from topograph.systems.rabbitmq.network import Network
from topograph.systems.rabbitmq.places import EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.topics import MANY, ONE, words_of
from topograph.systems.rabbitmq.travel import Travel
from topograph.tracing.states import State

NO_BINDING = "(any other key)"
"""A routing key that no binding asks for."""

MOST_TOGETHER = 200
"""Patterns of keys, or headers, of which it is tried too what several of them match."""

_DIRECT, _TOPIC, _HEADERS = "direct", "topic", "headers"
_BY_KEY = (_DIRECT, _TOPIC)


def begins(network: Network) -> Iterator[State]:
    """The states of messages that senders publish: to each queue; to an exchange with each routing
    key that matters there or behind it, and with one that no binding asks for; with such a key and
    headers where these are compared behind it; to a headers exchange with the headers of each
    binding; by each user. Linear in such pairs, and in the users times exchanges."""
    own, tried = network.configuration, Tried(network)
    for place in own.senders():
        if place.type == QUEUE:
            yield Travel(place.name).at(place)
            continue
        keys = tried.keys(place)
        yield from (Travel(key, exchange=place.name).at(place) for key in keys)
        yield from (
            Travel(key, exchange=place.name, headers=headers).at(place)
            for key, headers in tried.together(place, keys)
        )
    yield from tried.by_headers()
    for server, vhost, user in sorted(own.permissions):
        for place in own.senders():
            if place[:2] == (server, vhost) and place.type == EXCHANGE:
                topic = (server, vhost, user, place.name) in own.topic_permissions
                keys = tried.keys(place) if topic else [NO_BINDING]
                yield from (Travel(key, user=user).at(place) for key in keys)


def sent(network: Network) -> Iterator[State]:
    """To each queue one message; to each exchange one for each set of patterns of routing keys that
    is matched there or behind it; to a headers exchange one for each binding. Linear in the
    bindings behind each exchange, and quadratic in few patterns."""
    tried = Tried(network)
    for place in network.configuration.senders():
        if place.type == QUEUE:
            yield Travel(place.name).at(place)
        else:
            for key in tried.keys_of(tried.behind(place)):
                yield Travel(key, exchange=place.name).at(place)
    yield from tried.by_headers()


def examples(pattern: str) -> list[str]:
    """Routing keys that a pattern matches: with no, one and two words for each ``#``.

    >>> examples("orders.*.new"), examples("a.#")
    (['orders.any.new'], ['a', 'a.any', 'a.any.any'])
    """
    words = words_of(pattern)
    counts = (0, 1, 2) if MANY in words else (1,)
    found = []
    for count in counts:
        parts = [["any"] * (count if word == MANY else 1) if word in (ONE, MANY) else [word]
                 for word in words]  # fmt: skip
        found.append(".".join(word for part in parts for word in part))
    return found


class Tried:
    """What is tried of one network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.configuration = network.configuration

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.network)

    def behind(self, place: Place) -> list[Place]:
        """An exchange, and the exchanges that it leads to, whatever the message. Linear in what is
        behind it."""
        return [one for one in self._reach.behind([place]) if one.type == EXCHANGE]

    def keys(self, place: Place) -> list[str]:
        """A routing key that no binding of an exchange asks for, some of each pattern of it, in the
        order of the bindings, and where exchanges behind it compare keys one for each set of
        patterns that is matched together. See ``keys_of``."""
        keys = {NO_BINDING: None}
        if self._routes(place) in _BY_KEY:
            for one in self.configuration.out_of(place).facts:
                keys |= dict.fromkeys(examples(one.key))
        behind = self.behind(place)
        if any(one != place and self._routes(one) in _BY_KEY for one in behind):
            other, *asked_for = self.keys_of(behind)
            if self._is_asked_for(other, behind):
                keys[other] = None
            keys |= dict.fromkeys(asked_for)
        return list(keys)

    def _is_asked_for(self, key: str, places: Collection[Place]) -> bool:
        """Whether a binding of some exchanges asks for a routing key."""
        return any(
            key_matches(type_, [one.key], key)
            for place in places
            if (type_ := self._routes(place)) in _BY_KEY
            for one in self.configuration.out_of(place).facts
        )

    def keys_of(self, places: Collection[Place]) -> Collection[str]:
        """The routing keys that matter to some exchanges, first one that no binding asks for but
        with ``#``. Linear in their bindings, quadratic in at most ``MOST_TOGETHER`` patterns."""
        patterns: dict[str, None] = {}
        single: dict[str, None] = {}
        for place in places:
            type_ = self._routes(place)
            if type_ in _BY_KEY:
                stated = [one.key for one in self.configuration.out_of(place).facts]
                if type_ == _TOPIC:
                    patterns |= dict.fromkeys(stated)
                else:
                    single |= dict.fromkeys(stated)
        few = [*patterns][:MOST_TOGETHER]
        found = dict.fromkeys(map(str, keys_tried(few, single).values))
        for pattern in [*patterns][MOST_TOGETHER:]:
            found |= dict.fromkeys(examples(pattern))
        return found

    def together(self, place: Place, keys: Iterable[str]) -> Iterator[tuple[str, Pairs]]:
        """Keys of an exchange with headers: each key with those that headers exchanges compare that
        it gets to, of several of these what their bindings match together. None where keys do not
        count, for only the exchange itself compares anything. O(keys times what is behind)."""
        behind = self.behind(place)
        compare = {one for one in behind if self._routes(one) == _HEADERS}
        if not compare or (len(behind) == 1 and compare == {place}):
            return
        for key in keys:
            reached = [one for one in self._reached(place, key) if one in compare]
            stated = dict.fromkeys(one for at in reached for one in self.headers(at))
            if len(reached) > 1 and len(stated) <= MOST_TOGETHER:
                several = headers_tried(map(_in_order, stated)).values
                stated = dict.fromkeys(one for one in several if one)
            yield from ((key, headers) for headers in stated)

    def _reached(self, place: Place, key: str) -> Iterable[Place]:
        """The exchanges that a message with a routing key may get to from one, and itself: behind
        a queue, or over a link, it may have any key."""
        own = self.configuration
        seen, waiting, any_key = {place: None}, [place], []
        while waiting:
            at = waiting.pop()
            type_ = self._routes(at)
            chosen = [
                one
                for one in own.out_of(at).facts
                if type_ not in _BY_KEY or key_matches(type_, [one.key], key)
            ]
            ends = [Place(at.server, at.vhost, one.to_type, one.to) for one in chosen]
            other = own.setting(at, "alternate-exchange", "alternate-exchange")
            if other is not None:
                ends.append(at.exchange(str(other.value)))
            any_key += [one for one in ends if one.type == QUEUE]
            any_key += [one.downstream for one in self.network.federation.out_of.get(at, ())]
            new = [one for one in ends if one.type == EXCHANGE and one not in seen]
            seen |= dict.fromkeys(new)
            waiting += new
        seen |= dict.fromkeys(one for one in self._reach.behind(any_key) if one.type == EXCHANGE)
        return seen

    def headers(self, place: Place) -> list[Pairs]:
        """The headers of each binding of a headers exchange. Linear in these."""
        if self._routes(place) != _HEADERS:
            return []
        facts = self.configuration.out_of(place).facts
        return list(dict.fromkeys(_asked(one.arguments) for one in facts))

    def by_headers(self) -> Iterator[State]:
        """The states of messages to headers exchanges, with the headers of each binding."""
        for place in sorted(self.configuration.bound):
            yield from (Travel(headers=one).at(place) for one in self.headers(place))

    def _routes(self, place: Place) -> str:
        return self.network.exchanges.routes_as(place)


def _asked(arguments: Pairs) -> Pairs:
    """Headers that the binding of a headers exchange asks for."""
    return tuple((name, tried_value(value)) for name, value in asked(arguments).items())


def _in_order(pairs: Pairs) -> Pairs:
    return tuple(sorted(pairs))
