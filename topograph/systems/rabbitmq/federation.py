"""Federation links of a network (RQ-21 to RQ-24): which exchanges and queues are federated with
which, and which bindings a link asks its upstream for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from topograph.facts import rabbitmq as f
from topograph.findings import Source
from topograph.records import record
from topograph.systems.rabbitmq.configuration import FEDERATION_EXCHANGE, Configuration
from topograph.systems.rabbitmq.late_facts import BindingsOut
from topograph.systems.rabbitmq.patterns import matches
from topograph.systems.rabbitmq.places import DEFAULT_EXCHANGE, EXCHANGE, PREDECLARED, Place

DEFAULT_HOPS = 1
ALL = "all"


@record
class FederationLink:
    """A link that brings messages from ``upstream`` to ``downstream``, both exchanges or both
    queues. ``fact`` is the upstream that the definitions of the downstream state, under
    ``name``."""

    downstream: Place
    upstream: Place
    max_hops: int
    name: str
    fact: f.RabbitUpstream | f.RabbitUpstreamSet

    @property
    def source(self) -> Source:
        """The line that states the upstream."""
        return self.fact.source


@record
class UnknownUpstream:
    """A federated exchange or queue whose policy names an upstream, or a set, that there is not."""

    place: Place
    named: str
    source: Source


class Federation:
    """The links of a network. Linear in what is federated, times its upstreams."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self.unknown: list[UnknownUpstream] = []

    @cached_property
    def links(self) -> Sequence[FederationLink]:
        """All of them, in the order of what is federated."""
        return tuple(self._all())

    @cached_property
    def out_of(self) -> Mapping[Place, Sequence[FederationLink]]:
        """The links by their upstream."""
        found: dict[Place, list[FederationLink]] = {}
        for one in self.links:
            found.setdefault(one.upstream, []).append(one)
        return found

    def declared(self, place: Place) -> str:
        """The type of an exchange that a link declares at its upstream where there is none; empty
        where none does."""
        for one in self.out_of.get(place, ()):
            return self.configuration.type_of(one.downstream)
        return ""

    def _all(self) -> Iterator[FederationLink]:
        own = self.configuration
        if not own.federates(_KEYS):
            return
        if not own.upstreams:
            federated = [place for place in own.exchanges if self._says(place)]
            federated += [place for place in own.queues if self._says(place)]
        else:
            federated = [*own.exchanges, *own.queues]
            federated += [
                Place(server, vhost, EXCHANGE, name)
                for server, vhost in own.vhosts
                for name in PREDECLARED
                if name != DEFAULT_EXCHANGE
            ]
        for place in sorted(set(federated)):
            fact = own.exchanges.get(place)
            if fact is not None and (fact.internal or fact.type == FEDERATION_EXCHANGE):
                continue
            said = self._says(place)
            if said:
                yield from self._of(place, said)

    def _says(self, place: Place) -> str:
        """The key of a policy that federates a place, if one does."""
        if not self.configuration.policies.get(place[:2]):
            return ""
        for key in _KEYS:
            if self.configuration.setting(place, key, " ") is not None:
                return key
        return ""

    def _of(self, place: Place, key: str) -> Iterator[FederationLink]:
        """The links of one federated exchange or queue."""
        setting = self.configuration.setting(place, key, " ")
        assert setting is not None
        stated = str(setting.value)
        known = self.configuration.upstreams.get(place[:2], {})
        members: list[tuple[str, f.RabbitSetMember | None, f.RabbitUpstreamSet | None]] = []
        if key == "federation-upstream":
            members = [(stated, None, None)]
        elif key == "federation-upstream-pattern":
            members = [(name, None, None) for name in sorted(known) if matches(stated, name)]
        elif stated == ALL:
            members = [(name, None, None) for name in sorted(known)]
        else:
            group = self.configuration.sets.get((*place[:2], stated))
            if group is None:
                self.unknown.append(UnknownUpstream(place, f"set {stated}", setting.source))
                return
            members = [(one.upstream, one, group) for one in group.members]
        for name, member, group in members:
            upstream = known.get(name)
            if upstream is None:
                source = group.source if group else setting.source
                self.unknown.append(UnknownUpstream(place, name, source))
            else:
                yield self._link(place, upstream, member)

    def _link(
        self, place: Place, upstream: f.RabbitUpstream, member: f.RabbitSetMember | None
    ) -> FederationLink:
        """One link; what a set says goes before what the upstream says."""
        said: Sequence[f.RabbitSetMember | f.RabbitUpstream]
        said = (upstream,) if member is None else (member, upstream)
        at = next((one.at for one in said if one.at), ())
        names = [one.exchange if place.type == EXCHANGE else one.queue for one in said]
        name = next((one for one in names if one is not None), place.name)
        hops = [one.max_hops for one in said if one.max_hops is not None]
        there = self.configuration.brokers.place(at, upstream, place.type, name, place.vhost)
        return FederationLink(
            place, there, hops[0] if hops else DEFAULT_HOPS, upstream.name, upstream
        )

    def asked(self, link: FederationLink) -> Sequence[Place]:
        """The exchanges whose bindings a link asks its upstream for: the downstream, and those that
        are federated with it in turn. A binding that goes over several links to get there is still
        asked for if ``max-hops`` of each is at least the number of links up to and with it, and
        never where it comes from. Linear in the links."""
        found = {link.downstream: None}
        level, depth = [link.downstream], 1
        while level:
            depth += 1
            onward = [
                one.downstream
                for place in level
                for one in self.out_of.get(place, ())
                if one.max_hops >= depth and one.downstream[:2] != link.upstream[:2]
            ]
            level = [place for place in dict.fromkeys(onward) if place not in found]
            found.update(dict.fromkeys(level))
        return list(found)

    def bindings(self, link: FederationLink) -> BindingsOut:
        """The bindings that a link asks its upstream for: without those of exports for other
        links, which ``asked`` follows."""
        cached = self._bindings.get(id(link))
        if cached is None:
            own = self.configuration
            facts = [
                one
                for place in self.asked(link)
                for one in own.out_of(place).facts
                if one.to_type != EXCHANGE or not own.made_by_link(place.exchange(one.to))
            ]
            cached = self._bindings[id(link)] = BindingsOut(facts)
        return cached

    @cached_property
    def _bindings(self) -> dict[int, BindingsOut]:
        return {}


_KEYS = ("federation-upstream", "federation-upstream-set", "federation-upstream-pattern")
