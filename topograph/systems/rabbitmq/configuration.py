"""The facts of one network by where they are: clusters, virtual hosts, exchanges, queues, and the
bindings out of each exchange, indexed by what they ask of a routing key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from topograph.facts import Fact
from topograph.facts import rabbitmq as f
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource
from topograph.systems.rabbitmq.brokers import Brokers
from topograph.systems.rabbitmq.late_facts import Bindings, BindingsOut, Queues
from topograph.systems.rabbitmq.places import (
    DEFAULT_EXCHANGE,
    EXCHANGE,
    PREDECLARED,
    QUEUE,
    Place,
)
from topograph.systems.rabbitmq.policies import (
    CLASSIC,
    NO_POLICY,
    Applied,
    Setting,
    applied,
    by_vhost,
    effective,
    stated,
)
from topograph.systems.rabbitmq.versions import Version

FEDERATION_EXCHANGE = "x-federation-upstream"
"""The type of the exchanges that federation links declare at their upstream."""

_MADE_BY_LINKS = "federation: "
"""What the names of the queues and exchanges begin with that federation links declare."""


_READ_AT_ONCE = tuple(one.kind for one in f.FACTS if one not in (f.RabbitQueue, f.RabbitBinding))
"""The kinds of facts of which there are few."""


class Configuration:
    """One network of RabbitMQ. Linear in its facts to make, but for queues and bindings, which are
    read when they are asked for."""

    def __init__(self, source: FactSource, side_inputs: SideInputs) -> None:
        self.side_inputs = side_inputs
        self.files: dict[str, list[f.RabbitBroker]] = {}
        self.vhosts: dict[tuple[str, str], f.RabbitVhost | None] = {}
        self.exchanges: dict[Place, f.RabbitExchange] = {}
        self.queues = Queues(source)
        self.bound = Bindings(source)
        self.upstreams: dict[tuple[str, str], dict[str, f.RabbitUpstream]] = {}
        self.sets: dict[tuple[str, str, str], f.RabbitUpstreamSet] = {}
        self.users: dict[tuple[str, str], f.RabbitUser] = {}
        self.permissions: dict[tuple[str, str, str], f.RabbitPermission] = {}
        self.topic_permissions: dict[tuple[str, str, str, str], f.RabbitTopicPermission] = {}
        self.settings: dict[tuple[str, str], str] = {}
        self._shovels: dict[tuple[str, str | None, str], f.RabbitShovel] = {}
        self._policies: dict[tuple[str, str, bool, str], f.RabbitPolicy] = {}
        self._applied: dict[Place, Applied] = {}
        self._versions: dict[str, Version] = {}
        facts = source.facts(_READ_AT_ONCE)
        for fact in sorted(facts, key=lambda one: (one.source, one.kind)):
            self._add(fact)
        self.shovels = list(self._shovels.values())
        self.all_policies = list(self._policies.values())
        self._declare_what_links_declare()

    def _add(self, fact: Fact) -> None:
        """Put a fact where it belongs. Policies and parameters of one name replace each other, as
        a broker sets them; of nodes with a shovel of one name one runs it."""
        server = fact.server
        match fact:
            case f.RabbitBroker():
                self.files.setdefault(server, []).append(fact)
                for name in fact.unlisted:
                    self.vhosts.setdefault((server, name))
            case f.RabbitVhost():
                self.vhosts[server, fact.name] = fact
            case f.RabbitExchange():
                self.exchanges[Place(server, fact.vhost, EXCHANGE, fact.name)] = fact
            case f.RabbitPolicy():
                self._policies[server, fact.vhost, fact.operator, fact.name] = fact
            case f.RabbitStaticShovel():
                self._shovels.setdefault((server, None, fact.name), fact)
                return
            case f.RabbitShovel():
                self._shovels[server, fact.vhost, fact.name] = fact
            case _:
                self._add_other(fact)
        vhost = getattr(fact, "vhost", None)
        if vhost is not None:
            self.vhosts.setdefault((server, vhost))

    def _add_other(self, fact: Fact) -> None:
        """The same of upstreams and permissions."""
        server = fact.server
        match fact:
            case f.RabbitUpstream():
                self.upstreams.setdefault((server, fact.vhost), {})[fact.name] = fact
            case f.RabbitUpstreamSet():
                self.sets[server, fact.vhost, fact.name] = fact
            case f.RabbitSetting():
                self.settings.setdefault((server, fact.name), fact.value)
            case f.RabbitUser():
                self.users[server, fact.name] = fact
            case f.RabbitPermission():
                self.permissions[server, fact.vhost, fact.user] = fact
            case f.RabbitTopicPermission():
                key = (server, fact.vhost, fact.user, fact.exchange)
                self.topic_permissions[key] = fact
            case _:
                pass

    def _declare_what_links_declare(self) -> None:
        """The queues that shovels declare where there are none (RQ-19), and the brokers whose
        federation links declared exchanges here. Those that links of loaded brokers declare are
        found by ``federation``."""
        for exchange in self.exchanges.values():
            if exchange.type == FEDERATION_EXCHANGE:
                name = downstream_of(exchange)
                if name not in self.files:
                    self.brokers.named.setdefault(name, exchange.source)
        for one in self.shovels:
            waits_for = self.waits_for(one)
            for end, type_, name, at in (
                ("src", one.from_type, one.from_, one.taken_at),
                ("dest", one.to_type, one.to or "", one.put_at),
            ):
                if end in waits_for:
                    continue
                place = self.brokers.place(at, one, type_, name, None)
                known = place.server in self.files and self.has_vhost(place.server, place.vhost)
                if type_ == QUEUE and name and known and place not in self.queues:
                    fact = f.RabbitQueue(
                        bundle=one.bundle,
                        server=place.server,
                        source=one.source,
                        vhost=place.vhost,
                        name=name,
                    )
                    self.queues.declare(place, fact)

    def waits_for(self, one: f.RabbitShovel) -> Collection[str]:
        """The ends of a shovel whose queue it does not declare: those that it states, else both
        where its cluster says so of all."""
        if self.settings.get((one.server, "shovel.topology.predeclared")) != "true":
            return one.waits_for
        return [end for end in ("src", "dest") if f"declares {end}" not in one.waits_for]

    @cached_property
    def brokers(self) -> Brokers:
        """Which cluster an address leads to."""
        return Brokers(self.files, self.side_inputs)

    @cached_property
    def policies(self) -> Mapping[tuple[str, str], list[f.RabbitPolicy]]:
        """The policies by cluster and virtual host."""
        return by_vhost(self.all_policies)

    def federates(self, keys: Collection[str]) -> bool:
        """Whether any policy has one of some keys."""
        return any(key in keys for one in self.all_policies for key, _ in one.definition)

    def version(self, server: str) -> Version:
        """The version of a cluster."""
        found = self._versions.get(server)
        if found is None:
            files = self.files.get(server, ())
            found = Version.of(next((one.version for one in files if one.version), ""))
            self._versions[server] = found
        return found

    def not_understood(self, server: str, *sections: str) -> Guard | None:
        """That entries of some lists of a cluster are not understood: a guard that no file
        decides."""
        for one in self.files.get(server, ()):
            missing = {"", *sections}.intersection(one.left_out_of)
            if missing:
                what = "the rest of its definitions" if "" in missing else min(missing)
                text = f"something of {what} of {server} is not understood"
                return Guard(f"{UNDECIDED}:{server}:{what}", UNDECIDED, text, text, one.source)
        return None

    def has_vhost(self, server: str, vhost: str) -> bool:
        """Whether a loaded cluster has a virtual host, or may have it: not all of its files need
        to be loaded."""
        return (server, vhost) in self.vhosts or not self.lists_vhosts(server)

    def lists_vhosts(self, server: str) -> bool:
        """Whether the files of a cluster hold all of its virtual hosts."""
        return any(one.vhost is None for one in self.files.get(server, ()))

    def type_of(self, place: Place) -> str:
        """The type of an exchange, by the exchange that a delayed one delays; empty if there is
        none of its name."""
        fact = self.exchanges.get(place)
        if fact is not None:
            return fact.type
        known = (place.server, place.vhost) in self.vhosts
        return PREDECLARED.get(place.name, "") if known else ""

    def queue_type(self, place: Place) -> str:
        """The type of a queue."""
        fact = self.queues.get(place)
        assert fact is not None
        vhost = self.vhosts.get((place.server, place.vhost))
        by_node = self.settings.get((place.server, "default_queue_type"), "")
        return fact.type or (vhost.default_queue_type if vhost else "") or by_node or CLASSIC

    def has(self, place: Place) -> bool:
        """Whether there is such an exchange or queue."""
        return place in self.queues if place.type == QUEUE else bool(self.type_of(place))

    def made_by_link(self, place: Place) -> bool:
        """Whether an exchange was declared by a link of a loaded downstream, whose bindings are
        found by ``Federation``."""
        fact = self.exchanges.get(place)
        if fact is None or fact.type != FEDERATION_EXCHANGE:
            return False
        return downstream_of(fact) in self.files

    def source(self, place: Place) -> Source:
        """Where an exchange or queue stands; the broker's file for one that is predeclared."""
        fact: Fact | None = self.exchanges.get(place) or self.queues.get(place)
        if fact is None:
            files = self.files.get(place.server)
            return files[0].source if files else Source("")
        return fact.source

    def out_of(self, place: Place) -> BindingsOut:
        """The bindings out of an exchange; the default one has none that definitions state."""
        return self.bound.out_of(place)

    def leading_to(self, bindings: Iterable[f.RabbitBinding]) -> list[f.RabbitBinding]:
        """Bindings, the queues that they lead to read together."""
        found = list(bindings)
        self.queues.look_for(one.to for one in found if one.to_type == QUEUE)
        return found

    def holds(self, place: Place) -> Applied:
        """The policies that hold for an exchange or a queue."""
        found = self._applied.get(place)
        if found is None:
            fact = self.exchanges.get(place) or self.queues.get(place)
            if fact is None and place.name != DEFAULT_EXCHANGE and self.type_of(place):
                fact = _predeclared(place, self.source(place))
            policies: Sequence[f.RabbitPolicy] = self.policies.get(place[:2], ())
            if fact is None or not policies:
                found = NO_POLICY
            else:
                type_ = self.queue_type(place) if place.type == QUEUE else ""
                found = applied(policies, fact, type_, self.version(place.server))
            self._applied[place] = found
        return found

    def setting(self, place: Place, key: str, argument: str = "") -> Setting | None:
        """What holds of a key of policies at an exchange or queue, or of its argument."""
        fact = self.exchanges.get(place) or self.queues.get(place)
        holds = self.holds(place)
        if holds is NO_POLICY and (fact is None or not fact.arguments):
            return None
        if fact is None:
            fact = _predeclared(place, self.source(place))
        return effective(fact, holds, key, argument)

    def doubt(self, place: Place) -> tuple[str, Source] | None:
        """Why it is not known what holds at an exchange or queue."""
        holds = self.holds(place)
        return (holds.doubt, self.source(place)) if holds.doubt else None

    def of_vhost(self, server: str, vhost: str) -> Iterator[f.RabbitExchange | f.RabbitQueue]:
        """The exchanges and queues that a virtual host states."""
        yield from self._by_vhost.get((server, vhost), ())

    @cached_property
    def _by_vhost(self) -> Mapping[tuple[str, str], list[f.RabbitExchange | f.RabbitQueue]]:
        found: dict[tuple[str, str], list[f.RabbitExchange | f.RabbitQueue]] = {}
        for exchange in self.exchanges.values():
            found.setdefault((exchange.server, exchange.vhost), []).append(exchange)
        for queue in self.queues.facts():
            found.setdefault((queue.server, queue.vhost), []).append(queue)
        return found

    def senders(self) -> Iterator[Place]:
        """Where clients publish: exchanges that are not internal, and queues by the default
        exchange, in the order of their names."""
        begins = {
            place
            for place, one in self.exchanges.items()
            if not one.internal and one.type != FEDERATION_EXCHANGE
        }
        begins.update(
            place for place in self.bound if place not in self.exchanges and self.type_of(place)
        )
        yield from sorted(begins)
        yield from sorted(
            place for place in self.queues if not place.name.startswith(_MADE_BY_LINKS)
        )


def downstream_of(exchange: f.RabbitExchange) -> str:
    """The cluster whose federation link declared an exchange at its upstream."""
    name = stated(exchange.arguments, "x-downstream-name")
    return str(name or f"the downstream of {exchange.name}")


def _predeclared(place: Place, source: Source) -> f.RabbitExchange:
    """The exchange that every virtual host has under a name."""
    return f.RabbitExchange(
        bundle="",
        server=place.server,
        source=source,
        vhost=place.vhost,
        name=place.name,
        type=PREDECLARED[place.name],
    )
