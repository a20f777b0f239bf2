"""The destinations of an address at every router: what a router can hand a message to, and what it knows of other routers.

One ``AddressState`` is about one plain address in all its phases. Key of an address in a phase: ``M0name``, ``MFname`` (W-1, 3.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from topograph.address_patterns import plain_address
from topograph.findings import Source
from topograph.systems.amq_interconnect.addresses import AddressEntry, Distribution
from topograph.systems.amq_interconnect.choices import Choices
from topograph.systems.amq_interconnect.messaging import (
    FALLBACK,
    AutoLink,
    Connection,
    Exchange,
    MessageNetwork,
    Receiver,
)


class Kind(StrEnum):
    """What a local destination is."""

    RECEIVER = "receiver"
    AUTOLINK = "autolink"
    EDGE = "edge"
    """On an interior router: the connection of an edge router that has destinations (E-2)."""
    UPLINK = "uplink"
    """On an edge router: the way to everything else (E-3)."""
    EXCHANGE = "exchange"


@dataclass(frozen=True, slots=True)
class Destination:
    """A local destination of one router. ``id`` is the receiver's id, the broker's name, the edge's or interior router's name, or the
    exchange's name. ``order`` is its place in the order of attaching; -1 for what is there from the start."""

    kind: Kind
    id: str
    router: str
    order: int = -1
    receiver: Receiver | None = None
    auto_link: AutoLink | None = None
    connection: Connection | None = None
    exchange: Exchange | None = None

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


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of an attach (M-6, L-4)."""

    condition: str
    description: str
    rule: str
    source: Source = Source("")


NOT_FOUND = "amqp:not-found"


@dataclass
class AddressState:
    """One address, all phases: the local destinations of every router, and refused receivers by id.

    Built in the order in which receivers attach. Linear in the receivers, autolinks and routers of the address.
    """

    network: MessageNetwork
    address: str
    own: dict[tuple[str, str], list[Destination]] = field(default_factory=dict)
    """Per (router, phase) what is attached to the router itself; edges and uplinks follow from it."""
    refused: dict[str, Refusal] = field(default_factory=dict)

    @classmethod
    def of(cls, network: MessageNetwork, address: str) -> AddressState:
        """The state of an address once everything that ``network`` holds is attached. Receivers that a link route takes away (L-1) have to
        be left out by the caller."""
        state = cls(network, plain_address(address))
        state._add_configured()
        for place, receiver in network.by_address.get(state.address, ()):
            state._attach(receiver, place)
        return state

    def _add_configured(self) -> None:
        for router, auto_link in self.network.auto_links_by_address.get(self.address, ()):
            if auto_link.direction != "out" or router not in self.network.routers:
                continue
            for connection in self.network.open_connections(router, auto_link.connection, auto_link.container):
                broker = self.network.brokers[connection.broker]
                if auto_link.at_container not in broker.refuse:
                    self._add(
                        auto_link.phase,
                        Destination(Kind.AUTOLINK, broker.name, router, auto_link=auto_link, connection=connection),
                    )
        for router, exchange in self.network.exchanges_by_address.get(self.address, ()):
            self._add(exchange.phase, Destination(Kind.EXCHANGE, exchange.name, router, exchange=exchange))

    def _add(self, phase: str, destination: Destination) -> None:
        self.own.setdefault((destination.router, phase), []).append(destination)

    def _attach(self, receiver: Receiver, place: int) -> None:
        refusal = self.refusal(receiver.router)
        if refusal is not None:
            self.refused[receiver.id] = refusal
            return
        entry = self.entry(receiver.router)
        order = place if self.network.ordered else 0
        phase = str(entry.egress_phase) if entry else "0"
        self._add(phase, Destination(Kind.RECEIVER, receiver.id, receiver.router, order, receiver=receiver))

    # --- what is known where ---

    def entry(self, router: str) -> AddressEntry | None:
        """The address entry that applies at a router (A-9)."""
        return self.network.routers[router].table.entry(self.address)

    def refusal(self, router: str) -> Refusal | None:
        """Why a router refuses to attach to this address (M-6); None if it does not."""
        entry = self.entry(router)
        if entry is not None:
            if entry.distribution is not Distribution.UNAVAILABLE:
                return None
            return Refusal(NOT_FOUND, "Node not found", "M-6", entry.source)
        configured = self.network.routers[router]
        if configured.default is not Distribution.UNAVAILABLE or self.known_at(router):
            return None
        return Refusal(NOT_FOUND, "Node not found", "M-6", configured.source)

    def known_at(self, router: str) -> bool:
        """Whether the address exists at a router in any phase, announced or attached."""
        return any(self.local(router, phase) or self.remote(router, phase) for phase in self.phases())

    def phases(self) -> tuple[str, ...]:
        """The phases in which the address has destinations anywhere."""
        return tuple(sorted({phase for _, phase in self.own}))

    def local(self, router: str, phase: str) -> tuple[Destination, ...]:
        """The local destinations of a router: what is attached, then its edges or its uplink (E-2, E-3)."""
        own = tuple(self.own.get((router, phase), ()))
        if self.network.routers[router].mode == "edge":
            interior = self.network.uplinks.get(router)
            if interior and self._beyond(interior, router, phase):
                return (*own, Destination(Kind.UPLINK, interior, router))
            return own
        return (*own, *self._edges(router, phase))

    def _edges(self, router: str, phase: str) -> tuple[Destination, ...]:
        edges = self.network.edges_of.get(router, ())
        if not edges or self._unavailable_here(router):
            return ()
        found = []
        for edge in edges:
            held = self.own.get((edge, phase))
            if held:
                found.append(Destination(Kind.EDGE, edge, router, min(one.order for one in held)))
        return tuple(found)

    def _unavailable_here(self, router: str) -> bool:
        entry = self.entry(router)
        distribution = entry.distribution if entry else self.network.routers[router].default
        return distribution is Distribution.UNAVAILABLE

    def _beyond(self, interior: str, edge: str, phase: str) -> bool:
        """Whether the interior router has a destination that is not behind this edge (E-3)."""
        others = any(one.id != edge or one.kind is not Kind.EDGE for one in self.local(interior, phase))
        return others or bool(self.remote(interior, phase))

    def remote(self, router: str, phase: str) -> tuple[str, ...]:
        """The other hosting routers that a router knows of, by name; an own entry ``unavailable`` keeps them out (A-10)."""
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

    # --- how a router treats it ---

    def treatments(self, router: str, phase: str) -> tuple[Distribution, ...]:
        """The distribution a router uses (A-9, A-10, W-10, F-5): several if it depends on an order that nothing states."""
        if phase == FALLBACK:
            return (Distribution.BALANCED,)
        entry = self.entry(router)
        if entry is not None:
            return (entry.distribution,)
        claims = [(one.order, self._created(router, one)) for one in self.local(router, phase)]
        for host in self.remote(router, phase):
            own = [(one.order, self._announced(host, one)) for one in self.local(host, phase)]
            claims += [claim for claim in own if claim[1] is not Distribution.UNAVAILABLE]
        if not claims:
            return (self.network.routers[router].default,)
        first = min(order for order, _ in claims)
        return tuple(sorted({distribution for order, distribution in claims if order == first}))

    def _created(self, router: str, destination: Destination) -> Distribution:
        """The treatment of an address without an entry that a destination created at its own router."""
        if destination.kind is Kind.AUTOLINK:
            return Distribution.BALANCED
        default = self.network.routers[router].default
        # it attached, so something else had announced the address before
        return Distribution.BALANCED if default is Distribution.UNAVAILABLE else default

    def _announced(self, host: str, destination: Destination) -> Distribution:
        entry = self.entry(host)
        return entry.distribution if entry else self._created(host, destination)

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
