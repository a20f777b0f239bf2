"""Queues and bindings of a network, read by their names when they are asked for: a message gets to
few of the hundred thousands that a file of definitions may have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from topograph.facts import rabbitmq as f
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import of_class
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.topics import Trie

MOST_READS = 16
"""Times that names are looked for one after the other, each a pass over all names: then all facts
are read at once."""


class Queues:
    """The queues of a network by their places, with those that shovels declare (``declare``)."""

    def __init__(self, source: FactSource) -> None:
        self._source, self._reads = source, 0
        self._of_files: dict[Place, f.RabbitQueue] = {}
        self._declared: dict[Place, f.RabbitQueue] = {}
        self._looked_for: set[str] | None = set()

    def get(self, place: Place) -> f.RabbitQueue | None:
        """The queue at a place; None where there is none."""
        if place.type != QUEUE:
            return None
        if self._looked_for is not None and place.name not in self._looked_for:
            self.look_for([place.name])
        return self._of_files.get(place) or self._declared.get(place)

    def __contains__(self, place: Place) -> bool:
        return self.get(place) is not None

    def __iter__(self) -> Iterator[Place]:
        """All places, in the order of the files, then those declared."""
        self._read_all()
        yield from self._of_files
        yield from (one for one in self._declared if one not in self._of_files)

    def facts(self) -> Iterator[f.RabbitQueue]:
        """All queues, in the same order."""
        return (fact for place in self if (fact := self.get(place)) is not None)

    def look_for(self, names: Iterable[str]) -> None:
        """Read the queues of some names, if they are not read."""
        if self._looked_for is None:
            return
        wanted = set(names) - self._looked_for
        if not wanted:
            return
        self._reads += 1
        if self._reads > MOST_READS:
            self._read_all()
            return
        self._looked_for |= wanted
        self._put(of_class(self._source, f.RabbitQueue, names=wanted))

    def declare(self, place: Place, fact: f.RabbitQueue) -> None:
        """Add a queue that no file states."""
        self._declared[place] = fact

    def _read_all(self) -> None:
        if self._looked_for is not None:
            self._looked_for = None
            self._of_files = {}
            self._put(of_class(self._source, f.RabbitQueue))

    def _put(self, facts: Iterable[f.RabbitQueue]) -> None:
        for one in sorted(facts, key=lambda one: one.source):
            self._of_files[Place(one.server, one.vhost, QUEUE, one.name)] = one


@dataclass
class BindingsOut:
    """The bindings out of one exchange."""

    facts: list[f.RabbitBinding] = field(default_factory=list)

    @cached_property
    def by_key(self) -> dict[str, list[f.RabbitBinding]]:
        """By their keys, as a direct exchange looks for them."""
        found: dict[str, list[f.RabbitBinding]] = {}
        for one in self.facts:
            found.setdefault(one.key, []).append(one)
        return found

    @cached_property
    def trie(self) -> Trie[f.RabbitBinding]:
        """By their patterns, as a topic exchange looks for them."""
        return Trie((one.key, one) for one in self.facts)


class Bindings:
    """The bindings of a network by the exchange they lead out of, with those that shovels make
    (``add``). The default exchange has none that a file states."""

    def __init__(self, source: FactSource) -> None:
        self._source, self._reads = source, 0
        self._out_of: dict[Place, BindingsOut] = {}
        self._added: dict[Place, list[f.RabbitBinding]] = {}
        self._looked_for: set[str] | None = {DEFAULT_EXCHANGE}

    def out_of(self, place: Place) -> BindingsOut:
        """Those out of an exchange."""
        known = self._looked_for
        if known is not None and place.name not in known and place.type == EXCHANGE:
            self._reads += 1
            if self._reads > MOST_READS:
                self._read_all()
            else:
                known.add(place.name)
                self._put(of_class(self._source, f.RabbitBinding, names={place.name}))
        return self._out_of.get(place) or _NONE

    def __iter__(self) -> Iterator[Place]:
        """All exchanges with bindings."""
        self._read_all()
        return iter(self._out_of)

    def add(self, place: Place, fact: f.RabbitBinding) -> None:
        """Add a binding that no file states, behind the others of its exchange."""
        own = self.out_of(place)
        if own is _NONE:
            own = self._out_of[place] = BindingsOut()
        own.facts.append(fact)
        self._added.setdefault(place, []).append(fact)

    def _read_all(self) -> None:
        if self._looked_for is not None:
            self._looked_for, self._out_of = None, {}
            self._put(of_class(self._source, f.RabbitBinding))

    def _put(self, facts: Iterable[f.RabbitBinding]) -> None:
        """Put bindings to their exchanges, of which nothing was read before."""
        found: dict[Place, BindingsOut] = {}
        for one in sorted(facts, key=lambda one: one.source):
            if one.name != DEFAULT_EXCHANGE:
                place = Place(one.server, one.vhost, EXCHANGE, one.name)
                found.setdefault(place, BindingsOut()).facts.append(one)
        for place, more in self._added.items():
            if self._looked_for is None or place in found:
                found.setdefault(place, BindingsOut()).facts.extend(more)
        self._out_of |= found


_NONE = BindingsOut()
