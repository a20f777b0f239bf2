"""Everything that decides what routers do with a message: their configuration, routes, containers,
and who is attached.

Made from facts by ``estate``, or by hand in tests; ``destinations``, ``attaching`` and ``sending``
work on it and never change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Protocol

from topograph.facts.amqp_addresses import PatternTree, address_tokens, plain_address
from topograph.findings import Source
from topograph.judgement import Polarity
from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import (
    Addresses,
    AddressTable,
    Distribution,
)
from topograph.systems.amq_interconnect.messages.policies import PolicySaid
from topograph.systems.amq_interconnect.routes.trees import LeastCostTree, all_trees, valid_origins

FALLBACK = "F"
"""The phase of an address's fallback destination (F-1)."""


@record
class LinkRoute:
    """A ``linkRoute`` entity (1.4). ``direction`` is ``in`` for client senders and ``out`` for
    client receivers.
    """

    name: str
    text: str
    tokens: tuple[str, ...]
    direction: str
    connection: str = ""
    container: str = ""
    add_prefix: str = ""
    del_prefix: str = ""
    source: Source = Source("")

    def outward(self, address: str) -> str:
        """The address at the container (L-7)."""
        if self.del_prefix and address.startswith(self.del_prefix):
            address = address[len(self.del_prefix) :]
        return self.add_prefix + address


@record
class AutoLink:
    """An ``autoLink`` entity (1.5). ``phase`` is a digit, or ``F`` for a fallback; ``external``
    the address at the container.
    """

    name: str
    address: str
    direction: str
    phase: str
    connection: str = ""
    container: str = ""
    external: str = ""
    source: Source = Source("")

    @property
    def at_container(self) -> str:
        """The address at the container (W-6)."""
        return self.external or self.address


@record
class Binding:
    """A binding of an exchange: ``key`` is empty where it matches every subject (1.6)."""

    key: str
    next_hop: str
    phase: str = "0"
    source: Source = Source("")


@record
class Exchange:
    """An exchange and its bindings. ``method`` is ``amqp`` or ``mqtt``; ``alternate`` takes what
    no binding takes.
    """

    name: str
    address: str
    phase: str
    method: str
    alternate: str
    alternate_phase: str
    bindings: tuple[Binding, ...]
    source: Source = Source("")


@record
class RouterConfigured:
    """One router as its configuration has it. ``version`` is empty and ``default`` None where
    they are not known.
    """

    name: str
    mode: str = "interior"
    version: str = ""
    default: Distribution = Distribution.BALANCED
    table: Addresses = field(default_factory=lambda: AddressTable(()))
    link_routes: tuple[LinkRoute, ...] = ()
    auto_links: tuple[AutoLink, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    source: Source = Source("")


@record
class Connection:
    """A connection between a router and a container. ``name`` is empty where it is generated:
    nothing can then name it (1.2).

    ``capacity`` is the linkCapacity: how many deliveries a destination over it holds before
    others are preferred (M-5)."""

    router: str
    broker: str
    name: str = ""
    role: str = "route-container"
    capacity: int = 250
    source: Source = Source("")


@record
class Bridge:
    """A connection of role route-container from one router to another that is loaded: no container
    that stores. ``there`` is the other router; autolinks attach there as clients do."""

    here: str
    there: str
    connection: Connection
    container: str = ""
    """The id of the router there, by which autolinks may name it."""
    doubt: str = ""
    """Why it may not open (T-14); empty where it does."""

    def is_used_by(self, one: AutoLink | LinkRoute) -> bool:
        """Whether an autolink or link route of this side is about the connection (W-7)."""
        named = one.connection and one.connection == self.connection.name
        return bool(named or (one.container and one.container == self.container))


@record
class Broker:
    """A container that routers connect to. ``container`` is its AMQP container id, "" where it is
    not known; ``stored`` messages wait.

    ``local`` is its host and port where these mean a machine's own, and routers that nothing
    places on that machine name the same."""

    name: str
    container: str = ""
    up: bool = True
    refuse: frozenset[str] = frozenset()
    stored: Mapping[str, int] = field(default_factory=dict)
    local: str = ""


@record
class Receiver:
    """A client that receives. ``settle`` is what it does with a message: accept, reject, release,
    modify or hold.

    ``known`` says how it is known: declared, observed or assumed; ``source`` where it is said."""

    id: str
    router: str
    address: str
    settle: str = "accept"
    known: str = "declared"
    source: Source = Source("")


class Routes(Protocol):
    """The least-cost routes between interior routers (T-4 to T-8), whoever computed them."""

    def reaches(self, here: str, there: str) -> bool:
        """Whether there is a route to another router."""

    def cost(self, here: str, there: str) -> int:
        """The cost of the route to a router that is reached (T-7)."""

    def next_hop(self, here: str, there: str) -> str:
        """The neighbour that messages for a reached router go to (T-5)."""

    def path(self, here: str, there: str) -> tuple[str, ...]:
        """The routers from first to last, both included."""

    def radius(self, here: str) -> int:
        """The largest number of hops to any router (M-4)."""

    def is_valid_origin(self, origin: str, here: str, there: str) -> bool:
        """Whether ``here`` lies on the path of ``origin`` to ``there`` (T-8)."""


@record(slots=False)
class ComputedRoutes:
    """Routes computed from links in memory."""

    trees: Mapping[str, LeastCostTree]
    _origins: dict[str, dict[str, tuple[str, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @classmethod
    def of(cls, links: Iterable[tuple[str, str, int]]) -> ComputedRoutes:
        """From links (router, router, cost in effect). O(routers * links log links)."""
        return cls(all_trees(links))

    def reaches(self, here: str, there: str) -> bool:
        return here != there and here in self.trees and there in self.trees[here].cost

    def cost(self, here: str, there: str) -> int:
        return self.trees[here].cost[there]

    def next_hop(self, here: str, there: str) -> str:
        return self.trees[here].next_hop[there]

    def path(self, here: str, there: str) -> tuple[str, ...]:
        return self.trees[here].path(there)

    def radius(self, here: str) -> int:
        return max(self.trees[here].hops.values(), default=0) if here in self.trees else 0

    def is_valid_origin(self, origin: str, here: str, there: str) -> bool:
        if here not in self._origins:
            self._origins[here] = valid_origins(self.trees, here)
        return origin in self._origins[here].get(there, ())


@record
class ContainerUsed:
    """How a container is used: the routers with autolinks or link routes over a connection to
    it, the addresses and link route patterns of those, and where the first connection stands."""

    routers: tuple[str, ...]
    addresses: tuple[str, ...]
    source: Source


def less(
    links: Iterable[tuple[str, str, int]], gone: Iterable[tuple[str, str, int]]
) -> tuple[tuple[str, str, int], ...]:
    """The links without those that are gone, each of which takes one away.

    >>> less([("A", "B", 1), ("A", "B", 1), ("A", "C", 2)], [("A", "B", 1)])
    (('A', 'B', 1), ('A', 'C', 2))
    """
    left = Counter(gone)
    kept = []
    for link in links:
        if left[link]:
            left[link] -= 1
        else:
            kept.append(link)
    return tuple(kept)


@record(slots=False)
class MessageNetwork:
    """The network at one moment. ``links`` are (router, router, cost in effect); ``uplinks`` maps
    an edge router to the interior one of its active uplink, ``standby`` to those of its others in
    the order in which they take over (E-1).

    ``ordered`` is True if ``receivers`` attached in the order of the list, which decides
    treatments (A-10), and ``fresh`` if in addition nothing has been sent since, so that whoever
    attached first is the first whose turn it is."""

    routers: Mapping[str, RouterConfigured]
    links: tuple[tuple[str, str, int], ...] = ()
    uplinks: Mapping[str, str] = field(default_factory=dict)
    standby: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    connections: tuple[Connection, ...] = ()
    brokers: Mapping[str, Broker] = field(default_factory=dict)
    receivers: tuple[Receiver, ...] = ()
    ordered: bool = False
    fresh: bool = False
    supplied: Routes | None = None
    bridges: tuple[Bridge, ...] = ()
    policies: Mapping[tuple[str, AutoLink], PolicySaid] = field(default_factory=dict)
    """What the policies of other loaded routers say of the attaches of autolinks there (W-16)."""
    _once: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def once(self, key: object, make: Callable[[MessageNetwork], Any]) -> Any:
        """What somebody works out of this network, under a key of theirs: made once."""
        if key not in self._once:
            self._once[key] = make(self)
        return self._once[key]

    def with_receivers(self, receivers: Iterable[Receiver]) -> MessageNetwork:
        """The same network with these receivers attached after the others, those of its routers;
        itself if there are none, with all that was worked out of it."""
        more = tuple(one for one in receivers if one.router in self.routers)
        return replace(self, receivers=(*self.receivers, *more)) if more else self

    def without_brokers(self, names: Iterable[str]) -> MessageNetwork:
        """The same network with these containers down."""
        gone = set(names)
        brokers = {
            name: replace(one, up=False) if name in gone else one
            for name, one in self.brokers.items()
        }
        return replace(self, brokers=brokers)

    def without_routers(self, names: Iterable[str]) -> MessageNetwork:
        """The network once these routers are dead and forgotten, with all that was attached to
        them (T-9).
        """
        gone = set(names)
        return replace(
            self,
            routers={name: router for name, router in self.routers.items() if name not in gone},
            links=tuple(link for link in self.links if gone.isdisjoint(link[:2])),
            uplinks=self._uplinks(lambda edge, to: gone.isdisjoint((edge, to))),
            connections=tuple(one for one in self.connections if one.router not in gone),
            bridges=tuple(one for one in self.bridges if gone.isdisjoint((one.here, one.there))),
            receivers=tuple(one for one in self.receivers if one.router not in gone),
            supplied=None,
        )

    def without_links(self, ends: Iterable[frozenset[str]]) -> MessageNetwork:
        """The network once the links and uplinks between these pairs of routers are gone."""
        gone = set(ends)
        return replace(
            self,
            links=tuple(link for link in self.links if frozenset(link[:2]) not in gone),
            uplinks=self._uplinks(lambda edge, to: frozenset((edge, to)) not in gone),
            supplied=None,
        )

    def without_each(self, links: Iterable[tuple[str, str, int]]) -> MessageNetwork:
        """The network once single links are gone; those parallel to them stay (T-11)."""
        return replace(self, links=less(self.links, links), supplied=None)

    def _uplinks(self, alive: Callable[[str, str], bool]) -> dict[str, str]:
        """The active uplink of each edge router that has one left (E-1)."""
        found = {}
        for edge, active in self.uplinks.items():
            left = [to for to in (active, *self.standby.get(edge, ())) if alive(edge, to)]
            if left:
                found[edge] = left[0]
        return found

    @cached_property
    def routes(self) -> Routes:
        """The least-cost routes over the links."""
        return self.supplied or ComputedRoutes.of(self.links)

    @cached_property
    def edges_of(self) -> Mapping[str, tuple[str, ...]]:
        """Per interior router the edge routers whose active uplink it holds, by name."""
        found: dict[str, list[str]] = {}
        for edge, interior in sorted(self.uplinks.items()):
            found.setdefault(interior, []).append(edge)
        return {interior: tuple(edges) for interior, edges in found.items()}

    @cached_property
    def by_address(self) -> Mapping[str, tuple[tuple[int, Receiver], ...]]:
        """Per plain address its receivers, with their place in the order of attaching."""
        found: dict[str, list[tuple[int, Receiver]]] = {}
        for place, receiver in enumerate(self.receivers):
            found.setdefault(plain_address(receiver.address), []).append((place, receiver))
        return {address: tuple(receivers) for address, receivers in found.items()}

    def receiving(self, address: str) -> frozenset[str]:
        """The routers at which somebody, or a container, is known to take what is sent to an
        address."""
        plain = plain_address(address)
        return frozenset(
            {one.router for _, one in self.by_address.get(plain, ())}
            | {
                name
                for name, one in self.auto_links_by_address.get(plain, ())
                if one.direction == "out"
            }
        )

    @cached_property
    def auto_links_by_address(self) -> Mapping[str, tuple[tuple[str, AutoLink], ...]]:
        """Per address the autolinks of all routers: (router, autolink)."""
        found: dict[str, list[tuple[str, AutoLink]]] = {}
        for router in self.routers.values():
            for auto_link in router.auto_links:
                found.setdefault(plain_address(auto_link.address), []).append(
                    (router.name, auto_link)
                )
        return {address: tuple(links) for address, links in found.items()}

    @cached_property
    def exchanges_by_address(self) -> Mapping[str, tuple[tuple[str, Exchange], ...]]:
        """Per address the exchanges of all routers: (router, exchange)."""
        found: dict[str, list[tuple[str, Exchange]]] = {}
        for router in self.routers.values():
            for exchange in router.exchanges:
                found.setdefault(plain_address(exchange.address), []).append(
                    (router.name, exchange)
                )
        return {address: tuple(exchanges) for address, exchanges in found.items()}

    def open_connections(
        self, router: str, connection: str, container: str
    ) -> tuple[Connection, ...]:
        """The route-container connections of a router that a linkRoute or autoLink names, and
        that are open (C-7, W-7).
        """
        return tuple(
            one
            for one in self._to_containers.get(router, ())
            if self.brokers[one.broker].up
            and (
                (connection and one.name == connection)
                or (container and self._is(one.broker, container))
            )
        )

    @cached_property
    def containers(self) -> Mapping[str, ContainerUsed]:
        """The containers that autolinks and link routes use over open connections. Linear in
        those, times their connections.
        """
        routers: dict[str, dict[str, None]] = {}
        addresses: dict[str, set[str]] = {}
        source: dict[str, Source] = {}
        for name, router in self.routers.items():
            used: list[AutoLink | LinkRoute] = [*router.auto_links, *router.link_routes]
            for one in used:
                served = one.address if isinstance(one, AutoLink) else one.text
                for connection in self.open_connections(name, one.connection, one.container):
                    routers.setdefault(connection.broker, {})[name] = None
                    addresses.setdefault(connection.broker, set()).add(served)
                    source.setdefault(connection.broker, connection.source)
        return {
            name: ContainerUsed(tuple(own), tuple(sorted(addresses[name])), source[name])
            for name, own in routers.items()
        }

    @cached_property
    def _to_containers(self) -> Mapping[str, tuple[Connection, ...]]:
        """Per router its connections of role route-container, in their order."""
        found: dict[str, list[Connection]] = {}
        for one in self.connections:
            if one.role == "route-container":
                found.setdefault(one.router, []).append(one)
        return {router: tuple(connections) for router, connections in found.items()}

    @cached_property
    def _link_routed(self) -> Mapping[str, PatternTree[bool]]:
        """Per direction the patterns of all link routes of all routers."""
        found: dict[str, PatternTree[bool]] = {}
        for router in self.routers.values():
            for one in router.link_routes:
                found.setdefault(one.direction, PatternTree()).add(one.tokens, True)
        return found

    def bridges_of(self, router: str, one: AutoLink | LinkRoute) -> tuple[Bridge, ...]:
        """The connections into other loaded routers that an autolink or link route uses."""
        return tuple(
            bridge
            for bridge in self.bridges
            if bridge.here == router and bridge.is_used_by(one) and not self._refuses(bridge, one)
        )

    def _refuses(self, bridge: Bridge, one: AutoLink | LinkRoute) -> bool:
        said = self.policies.get((bridge.there, one)) if isinstance(one, AutoLink) else None
        return said is not None and said.allowed is Polarity.NO

    @cached_property
    def bridged_from(self) -> Mapping[str, tuple[tuple[Bridge, AutoLink], ...]]:
        """Per plain address at the other router the in autolinks that receive it there."""
        found: dict[str, list[tuple[Bridge, AutoLink]]] = {}
        for name in dict.fromkeys(bridge.here for bridge in self.bridges):
            for one in self.routers[name].auto_links if name in self.routers else ():
                if one.direction == "in":
                    for bridge in self.bridges_of(name, one):
                        found.setdefault(plain_address(one.at_container), []).append((bridge, one))
        return {address: tuple(links) for address, links in found.items()}

    @property
    def has_link_routes(self) -> bool:
        """Whether any router has link routes."""
        return bool(self._link_routed)

    def may_be_routed(self, direction: str, address: str) -> bool:
        """Whether the pattern of any router's link route matches the address: without one, no
        router can link-route it (L-1).
        """
        tree = self._link_routed.get(direction)
        return tree is not None and next(tree.matches(address_tokens(address)), False)

    def _is(self, broker: str, container: str) -> bool:
        """Whether the broker may be the container; one whose id is not known may be any (an
        assumption of the caller).
        """
        return self.brokers[broker].container in (container, "")

    def interior(self, router: str) -> str:
        """The router itself, or for an edge the interior router of its uplink; "" for an edge
        without one.
        """
        if self.routers[router].mode == "edge":
            return self.uplinks.get(router, "")
        return router
