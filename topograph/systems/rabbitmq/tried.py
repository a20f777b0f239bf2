"""The routing keys and headers that are tried where two states of a network are compared: messages
that differ in them may end otherwise.

Keys are examples of the patterns of bindings, headers those of the bindings of headers exchanges.
Both are those of an exchange and of all that it leads to by bindings to exchanges; headers are
tried with each key that gets to where they are compared, for only both together tell one message
from another there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from topograph.facts import Pairs
from topograph.facts import rabbitmq as f
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.exchanges import key_matches
from topograph.systems.rabbitmq.headers import asked
from topograph.systems.rabbitmq.places import EXCHANGE, Place
from topograph.systems.rabbitmq.topics import MANY, ONE, words_of

NO_BINDING = "(any other key)"
"""A routing key that no binding asks for."""

_BY_KEY = ("direct", "topic")

Headers = Pairs | None
"""The headers of a message; None where they are left open."""


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

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration

    def keys(self, place: Place) -> list[str]:
        """A routing key that no binding of an exchange asks for, and some of each pattern of it, in
        the order of the bindings. Linear in these."""
        keys = {NO_BINDING: None}
        if self.configuration.type_of(place) in _BY_KEY:
            for one in self.configuration.out_of(place).facts:
                keys |= dict.fromkeys(examples(one.key))
        return list(keys)

    def headers(self, place: Place) -> list[Pairs]:
        """The headers of each binding of a headers exchange. Linear in these."""
        if self.configuration.type_of(place) != "headers":
            return []
        facts = self.configuration.out_of(place).facts
        return list(dict.fromkeys(_tried(one.arguments) for one in facts))

    def together(self, place: Place) -> Iterator[tuple[str, Pairs]]:
        """Keys and headers of an exchange that leads to others of which one compares headers: each
        key with the headers that are compared where it gets to. O(keys times exchanges behind)."""
        if place not in self._to_headers:
            return
        behind = [place, *self._behind(place)]
        keys = dict.fromkeys(key for one in behind for key in self.keys(one))
        for key in keys:
            reached = self._reached(place, key)
            for headers in dict.fromkeys(one for at in reached for one in self.headers(at)):
                yield key, headers

    @cached_property
    def _onward(self) -> dict[Place, list[f.RabbitBinding]]:
        """The bindings to exchanges, by the exchange that they lead out of."""
        found: dict[Place, list[f.RabbitBinding]] = {}
        for place in self.configuration.bound:
            facts = [
                one for one in self.configuration.out_of(place).facts if one.to_type == EXCHANGE
            ]
            if facts:
                found[place] = facts
        return found

    @cached_property
    def _to_headers(self) -> frozenset[Place]:
        """The exchanges with bindings to exchanges, of which the exchange or one behind it compares
        headers, and another one keys. Linear in the bindings, once for each of these exchanges."""
        found = set()
        for place in self._onward:
            types = {self.configuration.type_of(one) for one in (place, *self._behind(place))}
            if "headers" in types and types & {*_BY_KEY}:
                found.add(place)
        return frozenset(found)

    def _behind(self, place: Place) -> list[Place]:
        """The exchanges that one leads to, whatever the key."""
        return self._walk(place, None)

    def _reached(self, place: Place, key: str) -> list[Place]:
        """The same with a routing key, and the exchange itself."""
        return [place, *self._walk(place, key)]

    def _walk(self, place: Place, key: str | None) -> list[Place]:
        seen, waiting = {place: None}, [place]
        while waiting:
            at = waiting.pop()
            type_ = self.configuration.type_of(at)
            for one in self._onward.get(at, ()):
                to = at.exchange(one.to)
                chosen = key is not None and type_ in _BY_KEY
                if to in seen or (chosen and not key_matches(type_, [one.key], str(key))):
                    continue
                seen[to] = None
                waiting.append(to)
        return [one for one in seen if one != place]


def _tried(arguments: Pairs) -> Pairs:
    """Headers that the binding of a headers exchange asks for."""
    return tuple((name, tried_value(value)) for name, value in asked(arguments).items())


def tried_value(value: object) -> str:
    """A value of a header that a binding asks for, as JSON text; one that only has to be there has
    any.

    >>> tried_value(None), tried_value("eu")
    ('true', '"eu"')
    """
    return "true" if value is None else json.dumps(value, ensure_ascii=False)
