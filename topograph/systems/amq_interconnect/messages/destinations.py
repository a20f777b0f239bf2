"""The destinations of an address at every router: what a router can hand a message to, and what it
knows of other routers.

One ``AddressState`` is about one plain address in all its phases. Key of an address in a phase:
``M0name``, ``MFname`` (W-1, 3.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import AddressEntry, Distribution
from topograph.systems.amq_interconnect.messages.model import (
    FALLBACK,
    AutoLink,
    Connection,
    Exchange,
    MessageNetwork,
    Receiver,
)
from topograph.systems.amq_interconnect.network.versions import has_link_routes
from topograph.tracing.choices import Choices


class DestinationKind(StrEnum):
    """What a local destination is."""

    RECEIVER = "receiver"
    AUTOLINK = "autolink"
    EDGE = "edge"
    """On an interior router: the connection of an edge router that has destinations (E-2)."""
    UPLINK = "uplink"
    """On an edge router: the way to everything else (E-3)."""
    EXCHANGE = "exchange"
    ROUTER = "router"
    """Another loaded router, at which an autolink attaches as a client does."""


@record
class LocalDestination:
    """A local destination of one router. ``id`` is the receiver's id, the broker's name, the
    edge's or interior router's name, or the exchange's name. ``order`` is its place in the order
    of attaching; -1 for what is there from the start."""

    kind: DestinationKind
    id: str
    router: str
    order: int = -1
    receiver: Receiver | None = None
    auto_link: AutoLink | None = None
    connection: Connection | None = None
    exchange: Exchange | None = None
    address: str = ""
    """Of another router the address there."""
    phase: str = ""

    @property
    def capacity(self) -> int:
        """Deliveries it holds before others are preferred (M-5)."""
        return self.connection.capacity if self.connection else 250

    @property
    def source(self) -> Source:
        """Where it is configured; empty for a client."""
        if self.auto_link:
            return self.auto_link.source
        return self.exchange.source if self.exchange else Source("")


@record
class AttachRefusal:
    """The refusal of an attach (M-6, L-4). ``lifted_by`` are the rules by which something that
    another router announces would end it: the address (M-6), or a link route that takes the
    attach (L-2)."""

    condition: str
    description: str
    rule: str
    source: Source = Source("")
    lifted_by: tuple[str, ...] = ()


NOT_FOUND = "amqp:not-found"
LAST = 1 << 30
"""The place in the order of attaching of what comes after all receivers."""


@dataclass
class AddressState:
    """One address, all phases: the local destinations of every router, and refused receivers by id.

    Built in the order in which receivers attach. Linear in the receivers, autolinks and routers of
    the address.
    """

    network: MessageNetwork
    address: str
    own: dict[tuple[str, str], list[LocalDestination]] = field(default_factory=dict)
    """Per (router, phase) what is attached to the router itself; edges and uplinks follow from
    it.
    """
    configured: set[tuple[str, str]] = field(default_factory=set)
    """The (router, phase) where an autolink, connected or not, has created the address (W-10)."""
    refused: dict[str, AttachRefusal] = field(default_factory=dict)
    late: list[Receiver] = field(default_factory=list)
    """Those whose attach would have been refused before another router announced the address
    (M-6), where nothing states who attached first."""
    _entries: dict[str, AddressEntry | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Entries looked up so far: each router is asked about its own many times."""

    @classmethod
    def of(cls, network: MessageNetwork, address: str) -> AddressState:
        """The state of an address once everything that ``network`` holds is attached. Receivers
        that a link route takes away (L-1) have to be left out by the caller."""
        state = cls._attached(network, address)
        if network.bridges:
            state._add_routers()
        return state

    @classmethod
    def _attached(cls, network: MessageNetwork, address: str) -> AddressState:
        """The state of an address without the autolinks that attach at other loaded routers."""
        state = cls(network, plain_address(address))
        state._add_configured()
        left = list(network.by_address.get(state.address, ()))
        while left:
            refused = [(place, one) for place, one in left if not state._attach(one, place)]
            if network.ordered or len(refused) == len(left):
                break
            left = refused  # those who attached may have made the address known to others (M-6)
        return state

    def _add_configured(self) -> None:
        for router, auto_link in self.network.auto_links_by_address.get(self.address, ()):
            if router not in self.network.routers:
                continue
            self.configured.add((router, auto_link.phase))
            if auto_link.direction != "out":
                continue
            for connection in self.network.open_connections(
                router, auto_link.connection, auto_link.container
            ):
                broker = self.network.brokers[connection.broker]
                if auto_link.at_container not in broker.refuse:
                    self._add(
                        auto_link.phase,
                        LocalDestination(
                            DestinationKind.AUTOLINK,
                            broker.name,
                            router,
                            auto_link=auto_link,
                            connection=connection,
                        ),
                    )
        for router, exchange in self.network.exchanges_by_address.get(self.address, ()):
            self._add(
                exchange.phase,
                LocalDestination(
                    DestinationKind.EXCHANGE, exchange.name, router, exchange=exchange
                ),
            )

    def _add_routers(self) -> None:
        """The other routers at which an autolink takes or brings messages of the address, where it
        gets credit there (M-1). Autolinks lead on from address to address, and back: those of all
        addresses that they lead to are added together, until none is added any more."""
        states = {self.address: self}
        left: list[tuple[AddressState, str, LocalDestination]] = []
        waiting = [self]
        while waiting:
            state = waiting.pop()
            for phase, one in state._to_routers():
                if one.id in self.network.routers and one.router in self.network.routers:
                    left.append((state, phase, one))
                    if one.address not in states:
                        states[one.address] = AddressState._attached(self.network, one.address)
                        waiting.append(states[one.address])
        added = True
        while added:
            added = False
            for entry in list(left):
                state, phase, one = entry
                there = states[one.address]
                at = there.phase_at(one)
                if there.has_destination(one.id, at):
                    state._add(phase, replace(one, phase=at))
                    left.remove(entry)
                    added = True

    def _to_routers(self) -> Iterator[tuple[str, LocalDestination]]:
        """The autolinks of the address between loaded routers, each with the phase at the router
        that hands over to the other."""
        for router, one in self.network.auto_links_by_address.get(self.address, ()):
            for bridge in self.network.bridges_of(router, one) if one.direction == "out" else ():
                yield (
                    one.phase,
                    LocalDestination(
                        DestinationKind.ROUTER,
                        bridge.there,
                        router,
                        auto_link=one,
                        connection=bridge.connection,
                        address=plain_address(one.at_container),
                    ),
                )
        for bridge, one in self.network.bridged_from.get(self.address, ()):
            entry = self.entry(bridge.there) if bridge.there in self.network.routers else None
            yield (
                str(entry.egress_phase) if entry else "0",
                LocalDestination(
                    DestinationKind.ROUTER,
                    bridge.here,
                    bridge.there,
                    auto_link=one,
                    connection=bridge.connection,
                    address=plain_address(one.address),
                    phase=one.phase,
                ),
            )

    def phase_at(self, one: LocalDestination) -> str:
        """The phase in which another router gets a message of this address."""
        entry = self.entry(one.id)
        return one.phase or (str(entry.ingress_phase) if entry else "0")

    def _add(self, phase: str, destination: LocalDestination) -> None:
        self.own.setdefault((destination.router, phase), []).append(destination)

    def _attach(self, receiver: Receiver, place: int) -> bool:
        refusal = self.refusal(receiver.router)
        if refusal is not None:
            self.refused[receiver.id] = refusal
            return False
        self.refused.pop(receiver.id, None)
        entry = self.entry(receiver.router)
        if not self.network.ordered and self._is_known_later(receiver.router):
            self.late.append(receiver)
        order = place if self.network.ordered else 0
        phase = str(entry.egress_phase) if entry else "0"
        self._add(
            phase,
            LocalDestination(
                DestinationKind.RECEIVER, receiver.id, receiver.router, order, receiver=receiver
            ),
        )
        return True

    def _is_known_later(self, router: str) -> bool:
        """Whether a router refuses the address until it hears of it (M-6)."""
        configured = (router, "0") in self.configured
        default = self.network.routers[router].default
        return not configured and default is Distribution.UNAVAILABLE and not self.entry(router)

    def entry(self, router: str) -> AddressEntry | None:
        """The address entry that applies at a router (A-9)."""
        if router not in self._entries:
            self._entries[router] = self.network.routers[router].table.entry(self.address)
        return self._entries[router]

    def refusal(self, router: str) -> AttachRefusal | None:
        """Why a router refuses to attach to this address (M-6); None if it does not."""
        entry = self.entry(router)
        if entry is not None:
            if entry.distribution is not Distribution.UNAVAILABLE:
                return None
            return AttachRefusal(
                NOT_FOUND, "Node not found", "M-6", entry.source, self.by_link_route(router)
            )
        configured = self.network.routers[router]
        if configured.default is not Distribution.UNAVAILABLE or self.known_at(router):
            return None
        lifted_by = ("M-6", *self.by_link_route(router))
        return AttachRefusal(NOT_FOUND, "Node not found", "M-6", configured.source, lifted_by)

    def by_link_route(self, router: str) -> tuple[str, ...]:
        """L-2 where the router knows link routes at all (S-2)."""
        return ("L-2",) if has_link_routes(self.network.routers[router].version) else ()

    def known_at(self, router: str) -> bool:
        """Whether the address exists at a router without an entry before anybody attaches there:
        created by an autolink (W-10), with a local destination, or announced by another router
        (M-6). An edge router learns nothing before it has an attach (E-9)."""
        if (router, "0") in self.configured or self.own.get((router, "0")):
            return True
        return bool(self._edges(router, "0") or self.remote(router, "0"))

    def phases(self) -> tuple[str, ...]:
        """The phases in which the address has destinations anywhere."""
        return tuple(sorted({phase for _, phase in self.own}))

    def local(self, router: str, phase: str) -> tuple[LocalDestination, ...]:
        """The local destinations of a router in the order in which they attached: its own, with
        its edges (E-2) or with its uplink, which is last because a sender brings it (E-3, E-9)."""
        own = tuple(self.own.get((router, phase), ()))
        if self.network.routers[router].mode == "edge":
            interior = self.network.uplinks.get(router)
            if interior and self._beyond(interior, router, phase):
                return (*own, LocalDestination(DestinationKind.UPLINK, interior, router, LAST))
            return own
        edges = self._edges(router, phase)
        return tuple(sorted((*own, *edges), key=lambda one: one.order)) if edges else own

    def _edges(self, router: str, phase: str) -> tuple[LocalDestination, ...]:
        edges = self.network.edges_of.get(router, ())
        if not edges or self._unavailable_to_edges(router, phase):
            return ()
        found = []
        for edge in edges:
            held = self.own.get((edge, phase))
            if held:
                found.append(
                    LocalDestination(
                        DestinationKind.EDGE, edge, router, min(one.order for one in held)
                    )
                )
        return tuple(found)

    def _unavailable_to_edges(self, router: str, phase: str) -> bool:
        """Whether a router refuses the links of its edges as it refuses those of clients (M-6)."""
        entry = self.entry(router)
        if entry is not None:
            return entry.distribution is Distribution.UNAVAILABLE
        if self.network.routers[router].default is not Distribution.UNAVAILABLE:
            return False
        if (router, phase) in self.configured or self.own.get((router, phase)):
            return False
        routes = self.network.routes
        announced = (
            name
            for name, at in self.own
            if at == phase and self.network.routers[name].mode == "interior"
        )
        return not any(routes.reaches(router, name) for name in announced)

    def _beyond(self, interior: str, edge: str, phase: str) -> bool:
        """Whether the interior router has a destination that is not behind this edge (E-3)."""
        others = any(
            one.id != edge or one.kind is not DestinationKind.EDGE
            for one in self.local(interior, phase)
        )
        return others or bool(self.remote(interior, phase))

    def remote(self, router: str, phase: str) -> tuple[str, ...]:
        """The other hosting routers that a router knows of, by name; an own entry
        ``unavailable`` keeps them out (A-10).
        """
        if self.network.routers[router].mode != "interior":
            return ()
        entry = self.entry(router)
        if entry is not None and entry.distribution is Distribution.UNAVAILABLE:
            return ()
        hosts = {self.network.interior(name) for name, at in self.own if at == phase}
        return tuple(
            sorted(
                host
                for host in hosts
                if host and self.network.routes.reaches(router, host) and self._hosts(host, phase)
            )
        )

    def _hosts(self, router: str, phase: str) -> bool:
        return bool(self.own.get((router, phase))) or bool(self._edges(router, phase))

    def has_destination(self, router: str, phase: str) -> bool:
        """Whether a sender at a router gets credit for this phase (M-1)."""
        return bool(self.local(router, phase)) or bool(self.remote(router, phase))

    def treatments(self, router: str, phase: str) -> tuple[Distribution, ...]:
        """The distribution a router uses (A-9, A-10, W-10, F-5): several if it depends on an
        order that nothing states.
        """
        if phase == FALLBACK:
            return (Distribution.BALANCED,)
        entry = self.entry(router)
        if entry is not None:
            return (entry.distribution,)
        if (router, phase) in self.configured:
            return (Distribution.BALANCED,)
        local = self.local(router, phase)
        default = self.network.routers[router].default
        if any(
            one.kind is DestinationKind.EXCHANGE for one in local
        ):  # it is there before anything is announced
            return (Distribution.BALANCED if default is Distribution.UNAVAILABLE else default,)
        claims = [(one.order, default) for one in local]
        for host in self.remote(router, phase):
            claims += [(one.order, self._hint(host, phase)) for one in self.local(host, phase)]
        # what attached where the default is unavailable did so after others had announced the
        # address, and is treated as these say
        claims = [claim for claim in claims if claim[1] is not Distribution.UNAVAILABLE]
        if not claims:
            return (default,)
        first = min(order for order, _ in claims)
        return tuple(sorted({distribution for order, distribution in claims if order == first}))

    def _hint(self, host: str, phase: str) -> Distribution:
        """The treatment in a host's announcement (A-10)."""
        entry = self.entry(host)
        if entry is not None:
            return entry.distribution
        default = self.network.routers[host].default
        return Distribution.BALANCED if (host, phase) in self.configured else default

    def would_change(self, router: str, phase: str, other: str) -> bool:
        """Whether the treatment at a router may be another one if one more router has a
        destination and is the first to announce the address (A-10)."""
        if self.network.routers[router].mode == "edge" or self.entry(router) is not None:
            return False
        hint = self._hint(other, phase)
        if hint is Distribution.UNAVAILABLE or (router, phase) in self.configured:
            return False
        return self.treatments(router, phase) != (hint,)

    def multicast_everywhere(self, hosts: Iterable[str]) -> bool:
        """Whether no router treats the address otherwise than as multicast: by an entry, or as
        these hosts announce it (A-10, A-11)."""
        entries = (self.entry(name) for name in self.network.routers)
        found = {one.distribution for one in entries if one is not None}
        return found | {self._hint(host, "0") for host in hosts} <= {Distribution.MULTICAST}

    def treatment(self, router: str, phase: str, choices: Choices) -> Distribution:
        """One of ``treatments``."""
        possible = self.treatments(router, phase)
        return possible[choices.pick(("treatment", router, phase, self.address), len(possible))]

    def table(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Per key (``M0name``) and router the ids of the local destinations."""
        return {
            f"M{phase}{self.address}": {
                router: tuple(one.id for one in self.local(router, phase))
                for router in sorted(self.network.routers)
                if self.own.get((router, phase)) or self._edges(router, phase)
            }
            for phase in self.phases()
        }
