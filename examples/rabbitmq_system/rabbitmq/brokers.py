"""Where the facts of a network put exchanges, queues, shovels and federation links."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rabbitmq import facts as f
from topograph.facts import Fact
from topograph.findings import Source
from topograph.side_inputs import SideInputs

PREDECLARED = {
    "": "default",
    "amq.direct": "direct",
    "amq.fanout": "fanout",
    "amq.topic": "topic",
    "amq.headers": "headers",
    "amq.match": "headers",
}
"""The exchanges that every virtual host has, with their types; definitions leave them out."""


class Place(NamedTuple):
    """An exchange or a queue of one broker."""

    server: str
    vhost: str
    type: str
    name: str

    @property
    def label(self) -> str:
        """As questions name it: ``exchange:NAME``, or ``exchange:VHOST/NAME``."""
        name = self.name or "amq.default"
        return f"{self.type}:{name if self.vhost == '/' else f'{self.vhost}/{name}'}"

    def exchange(self, name: str) -> Place:
        """An exchange beside it."""
        return self._replace(type="exchange", name=name)


class Setting(NamedTuple):
    """What an argument or a policy says, and where."""

    value: object
    source: Source


@dataclass
class Brokers:
    """The facts of one network by where they are."""

    brokers: dict[str, f.Broker] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    named: dict[str, Source] = field(default_factory=dict)
    """Hosts that are no loaded broker, each with the first place that names it."""
    exchanges: dict[Place, f.Exchange] = field(default_factory=dict)
    queues: dict[Place, f.Queue] = field(default_factory=dict)
    bindings: dict[Place, list[f.Binding]] = field(default_factory=lambda: defaultdict(list))
    policies: dict[tuple[str, str], list[f.Policy]] = field(
        default_factory=lambda: defaultdict(list)
    )
    shovels: dict[Place, list[f.Shovel]] = field(default_factory=lambda: defaultdict(list))
    links: dict[Place, list[tuple[Place, f.Upstream]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Federation links out of an upstream exchange or queue, to what is federated."""

    @classmethod
    def of(cls, facts: Iterable[Fact], side_inputs: SideInputs) -> Brokers:
        """The brokers that facts configure; in whatever order facts come, the result is equal."""
        own = cls()
        own.hosts = {one.host: one.server for one in side_inputs.hosts}
        ordered = sorted(facts, key=lambda one: (one.source, one.kind))
        for fact in ordered:
            if isinstance(fact, f.Broker):
                own.brokers[fact.server] = fact
                own.hosts |= {name: fact.server for name in (fact.server, fact.host) if name}
            elif isinstance(fact, f.Exchange):
                own.exchanges[Place(fact.server, fact.vhost, "exchange", fact.name)] = fact
            elif isinstance(fact, f.Queue):
                own.queues[Place(fact.server, fact.vhost, "queue", fact.name)] = fact
            elif isinstance(fact, f.Binding):
                own.bindings[Place(fact.server, fact.vhost, "exchange", fact.name)].append(fact)
            elif isinstance(fact, f.Policy):
                own.policies[fact.server, fact.vhost].append(fact)
        for fact in ordered:
            if isinstance(fact, f.Shovel):
                own._add_shovel(fact)
        sets = {
            (one.server, one.vhost, one.name): one.upstreams
            for one in ordered
            if isinstance(one, f.UpstreamSet)
        }
        upstreams = [one for one in ordered if isinstance(one, f.Upstream)]
        for place in sorted({*own.exchanges, *own.queues}):
            for one in upstreams:
                if (one.server, one.vhost) == place[:2] and own._joins(place, one, sets):
                    there = (one.exchange if place.type == "exchange" else one.queue) or place.name
                    start = Place(own.at(one.at, one), one.at.vhost, place.type, there)
                    own.links[start].append((place, one))
        return own

    def _add_shovel(self, one: f.Shovel) -> None:
        """One that takes from an exchange does so by a queue of its own, bound with a key."""
        self.target(one)  # named, if it is not loaded
        start = Place(self.at(one.taken_at, one), one.taken_at.vhost, one.from_type, one.from_)
        if one.from_type == "exchange":
            own = start._replace(type="queue", name=f"shovel {one.name}")
            self.bindings[start].append(
                f.Binding(
                    bundle=one.bundle,
                    server=start.server,
                    source=one.source,
                    vhost=start.vhost,
                    name=start.name,
                    to_type="queue",
                    to=own.name,
                    key=one.from_key,
                )
            )
            start = own
        self.shovels[start].append(one)

    def target(self, one: f.Shovel) -> Place:
        """Where a shovel publishes."""
        return Place(self.at(one.put_at, one), one.put_at.vhost, one.to_type, one.to)

    def _joins(
        self, place: Place, one: f.Upstream, sets: Mapping[tuple[str, str, str], Sequence[str]]
    ) -> bool:
        """Whether the policy of a place names an upstream, alone or in a set."""
        alone, group = (
            self.policy(place, "federation-upstream"),
            self.policy(place, "federation-upstream-set"),
        )
        if alone is not None and alone.value == one.name:
            return True
        return group is not None and (
            group.value == "all" or one.name in sets.get((*place[:2], str(group.value)), ())
        )

    def at(self, address: f.Address, fact: Fact) -> str:
        """The broker that an address leads to; the first of its hosts if that is none."""
        known = (self.hosts[host] for host in address.hosts if host in self.hosts)
        if not address.hosts:
            return fact.server
        found = next(known, address.hosts[0])
        if found not in self.brokers:
            self.named.setdefault(found, fact.source)
        return found

    def type_of(self, place: Place) -> str:
        """The type of an exchange; empty if there is none of its name."""
        if place in self.exchanges:
            return self.exchanges[place].type
        return PREDECLARED.get(place.name, "") if place.type == "exchange" else ""

    def has(self, place: Place) -> bool:
        """Whether there is such an exchange or queue, as far as its broker is loaded."""
        known = bool(self.type_of(place)) or place in self.queues or place in self.shovels
        return known or place.server not in self.brokers

    def source(self, place: Place) -> Source:
        """Where an exchange or queue stands; the broker's file for one that is predeclared."""
        fact = self.exchanges.get(place) or self.queues.get(place) or self.brokers[place.server]
        return fact.source

    def bindings_of(self, place: Place) -> Sequence[f.Binding]:
        """The bindings out of an exchange (RB-2: those of the default exchange are implied)."""
        if place.name:
            return self.bindings.get(place, ())
        return [
            f.Binding(
                bundle=one.bundle,
                server=one.server,
                source=one.source,
                vhost=one.vhost,
                name="",
                to_type="queue",
                to=one.name,
                key=one.name,
            )
            for at, one in self.queues.items()
            if at[:2] == place[:2]
        ]

    def matching(self, place: Place) -> list[f.Policy]:
        """The policies of the highest priority that match the name of a place (RB-12)."""
        kinds = {"all", f"{place.type}s"}
        if place.type == "queue":
            type_ = dict(self.queues[place].arguments).get("x-queue-type", '"classic"')
            kinds.add("streams" if type_ == '"stream"' else f"{json.loads(type_)}_queues")
        found = [
            one
            for one in self.policies.get(place[:2], ())
            if one.apply_to in kinds and re.search(one.pattern, place.name)
        ]
        highest = max((one.priority for one in found), default=0)
        return sorted((one for one in found if one.priority == highest), key=lambda one: one.name)

    def policy(self, place: Place, key: str) -> Setting | None:
        """What the policy of a place says."""
        for one in self.matching(place)[:1]:
            for name, value in one.definition:
                if name == key:
                    return Setting(json.loads(value), one.source)
        return None

    def setting(self, place: Place, argument: str, key: str) -> Setting | None:
        """What an argument, or else the policy of a place says (RB-12)."""
        fact = self.exchanges.get(place) or self.queues.get(place)
        given = dict(fact.arguments).get(argument) if fact else None
        if fact is None or given is None:
            return self.policy(place, key) if fact else None
        return Setting(json.loads(given), fact.source)
