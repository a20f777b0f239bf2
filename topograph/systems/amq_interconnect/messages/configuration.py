"""From facts to the ``MessageNetwork``: what each router is configured to do with addresses, and
which containers it connects to.

A container is whatever a connector of role route-container leads to, and whoever connects to a
listener of that role (W-12). A loopback host is another container on each machine: routers are on
one machine if connectors to such a host join them (T-13). Its container id stands in no
configuration: a dump names it, and without one an autolink or link route by ``containerId`` may
attach to any of the router's containers, which is an assumption of every answer that rests on it
(W-7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import rustworkx as rx

from topograph.facts.amq_interconnect import Entity, Shown
from topograph.facts.amqp_addresses import plain_address
from topograph.findings import Source
from topograph.forwarding.graph import STANDBY, ForwardingGraph
from topograph.side_inputs import MachineEntry, SideInputs
from topograph.systems.amq_interconnect.messages.addresses import (
    Addresses,
    AddressTable,
    Distribution,
    address_entry,
    kept_tokens,
    truth,
)
from topograph.systems.amq_interconnect.messages.model import (
    FALLBACK,
    AutoLink,
    Binding,
    Bridge,
    Broker,
    Connection,
    Exchange,
    LinkRoute,
    MessageNetwork,
    Receiver,
    RouterConfigured,
)
from topograph.systems.amq_interconnect.messages.policies import PolicySaid, said_of
from topograph.systems.amq_interconnect.messages.services import service_ends
from topograph.systems.amq_interconnect.network.connectors import (
    Matcher,
    ReachedListener,
    is_own_machine,
)
from topograph.systems.amq_interconnect.network.observed import Observed, observed_of
from topograph.systems.amq_interconnect.network.routers import Router, RouterEndpoint, routers_of
from topograph.systems.amq_interconnect.network.security import refusal
from topograph.systems.amq_interconnect.network.versions import is_skupper
from topograph.systems.amq_interconnect.routes.tables import links_of, uplinks_of

CONTAINER_ROLES = frozenset({"route-container", "normal"})
"""Roles of connectors that lead to containers."""

ON_ONE_MACHINE = "if these routers run on one machine, it is one container"
"""The other reading of ``local_containers``."""


def local_containers(address: str, routers: Iterable[str]) -> str:
    """That the routers which name a loopback host and port do not share a container, in words."""
    return (
        f"{address} is taken for a separate container on the machine of each of "
        f"{', '.join(sorted(routers))}"
    )


def message_network(
    graph: ForwardingGraph,
    facts: Iterable[Entity],
    side_inputs: SideInputs,
    table_of: Callable[[Router], Addresses | None] = lambda _: None,
    shown: Iterable[Shown] = (),
) -> MessageNetwork:
    """The network as its configuration and dumps have it, with the receivers that dumps show
    (D-5). Links, costs and uplinks are those of the graph. ``table_of`` gives the address tables
    of routers whose entries are not among the facts, ``shown`` how much dumps show. Linear in the
    facts, apart from the routes: O(routers * links log links)."""
    routers, _ = routers_of(facts, side_inputs, shown)
    running = [router for router in routers if not router.stopped]
    versions = dict(side_inputs.versions)
    matcher = Matcher(routers, side_inputs)
    local = _local_containers(running, matcher)
    configured: dict[str, RouterConfigured] = {}
    connected: list[tuple[Connection, bool]] = []
    bridges: list[Bridge] = []
    ids = {router.id: router.name for router in running}
    brokers: dict[str, Broker] = {}
    receivers: list[Receiver] = []
    for router in running:
        observed = observed_of(router)
        version = versions.get(router.id) or observed.version or versions.get("*", "")
        own = router_configured(router.name, router.configuration, version, table_of(router))
        # what is loaded of a router need not hold its section: its mode then follows from its
        # connections
        source = own.source if own.source.file else router.source
        configured[router.name] = replace(own, mode=router.mode, source=source)
        for broker, connection in _containers(
            router, configured[router.name], matcher, observed, local, ids
        ):
            known = brokers.setdefault(broker.name, broker)
            brokers[broker.name] = replace(known, up=known.up or broker.up)
            connected.append((connection, broker.up))
        bridges += _bridges_of(router, matcher, observed, ids)
        receivers += _observed_receivers(router, observed, {one.id for one in running})
        receivers += _bridges(router, observed)
    # What a dump says of one router's connection says nothing of those of others.
    connections = [one for one, up in connected if up or not brokers[one.broker].up]
    names = [server.name for server in graph.servers]
    links = tuple((names[link.a], names[link.b], link.cost or 0) for link in links_of(graph))
    return MessageNetwork(
        configured,
        links,
        uplinks_of(graph),
        _standby(graph),
        tuple(connections),
        brokers,
        tuple(receivers),
        bridges=tuple(bridges),
        policies=_policies_of(bridges, configured, {router.name: router for router in running}),
    )


def _policies_of(
    bridges: Iterable[Bridge],
    configured: Mapping[str, RouterConfigured],
    routers: Mapping[str, Router],
) -> dict[tuple[str, AutoLink], PolicySaid]:
    """What policies say of the autolinks that attach at other loaded routers, where they do as
    clients (W-16)."""
    return {
        (bridge.there, one): said
        for bridge in bridges
        for one in configured[bridge.here].auto_links
        if bridge.is_used_by(one)
        and (
            said := said_of(
                routers[bridge.there],
                plain_address(one.at_container),
                "sender" if one.direction == "out" else "receiver",
            )
        )
    }


def _standby(graph: ForwardingGraph) -> dict[str, tuple[str, ...]]:
    """Per edge router the interior routers of its uplinks that are not active (E-1)."""
    found: dict[str, tuple[str, ...]] = {}
    for uplink in links_of(graph, STANDBY):
        edge = graph.servers[uplink.a].name
        found[edge] = (*found.get(edge, ()), graph.servers[uplink.b].name)
    return found


class _OwnContainer(NamedTuple):
    """The container on a router's own machine. ``stated``: topograph.yaml says of all routers
    that name its host and port which machine they are on.
    """

    name: str
    stated: bool


def _local_containers(
    routers: Sequence[Router], matcher: Matcher
) -> Mapping[tuple[str, str], _OwnContainer]:
    """Per (router, host and port) the name of the container on the router's own machine, where
    routers of other machines name the same host and port; a machine goes by the first of its
    routers. Routers are on one machine if topograph.yaml or a connector to such a host says so.
    Linear in the connectors, apart from matching those of loopback hosts."""
    number = {router.name: place for place, router in enumerate(routers)}
    joined: rx.PyGraph[str, None] = rx.PyGraph(multigraph=False)
    joined.add_nodes_from(list(number))
    named: dict[str, list[str]] = {}
    beside: dict[MachineEntry, int] = {}
    for router in routers:
        if (entry := matcher.machines.get(router.name)) is not None:
            joined.add_edge(
                beside.setdefault(entry, number[router.name]), number[router.name], None
            )
        for connector in router.connectors:
            if not is_own_machine(connector.host):
                continue
            found = matcher.find(connector)
            if isinstance(found, ReachedListener):
                if found.listener.router in number:
                    joined.add_edge(number[router.name], number[found.listener.router], None)
            elif connector.role in CONTAINER_ROLES:
                named.setdefault(connector.address, []).append(router.name)
    machine: dict[str, str] = {}
    for part in rx.connected_components(joined):
        names = sorted(routers[place].name for place in part)
        machine.update(dict.fromkeys(names, names[0]))
    return {
        (name, address): _OwnContainer(
            f"{address} at {machine[name]}", all(one in matcher.machines for one in names)
        )
        for address, names in named.items()
        if len({machine[name] for name in names}) > 1
        for name in names
    }


def _containers(
    router: Router,
    configured: RouterConfigured,
    matcher: Matcher,
    observed: Observed,
    local: Mapping[tuple[str, str], _OwnContainer],
    loaded: Mapping[str, str],
) -> Iterable[tuple[Broker, Connection]]:
    """The containers at the other ends of a router's connections that are no routers, each with
    the connection.
    """
    for connector in router.connectors:
        if connector.role not in CONTAINER_ROLES or isinstance(
            matcher.find(connector), ReachedListener
        ):
            continue
        seen = observed.connected.get(connector.name)
        if seen and loaded.get(seen.container, router.name) != router.name:
            continue
        container = seen.container if seen else ""
        up = not (seen and seen.status in ("FAILED", "CONNECTING"))
        own = local.get((router.name, connector.address), _OwnContainer(connector.address, True))
        broker = Broker(own.name, container, up, local="" if own.stated else connector.address)
        yield broker, _connection(connector, broker.name)
    users: list[AutoLink | LinkRoute] = [*configured.auto_links, *configured.link_routes]
    named = {one.connection for one in users if one.connection}
    ids = {one.container for one in users if one.container}
    for listener in router.listeners:
        if listener.role == "route-container" and (listener.name in named or ids):
            name = f"container at {router.name} {listener.address}"
            yield Broker(name), _connection(listener, name)


def _bridges_of(
    router: Router, matcher: Matcher, observed: Observed, ids: Mapping[str, str]
) -> Iterable[Bridge]:
    """The connections of role route-container that lead to other loaded routers, by ``hosts``, a
    listener's own host and port, or what a dump says that they are connected to."""
    for connector in router.connectors:
        if connector.role != "route-container":
            continue
        found = matcher.find(connector)
        seen = observed.connected.get(connector.name)
        there = doubt = ""
        if isinstance(found, ReachedListener) and found.listener.role in CONTAINER_ROLES:
            why = refusal(connector.security, found.listener.security)
            there = "" if why is not None and why.stops else found.listener.router
            doubt = why.because if why is not None else ""
        if seen and seen.container:
            there, doubt = ids.get(seen.container, ""), ""
        if there in ids.values() and there != router.name:
            id_ = next(id_ for id_, name in ids.items() if name == there)
            yield Bridge(router.name, there, _connection(connector, there), id_, doubt)


def _connection(endpoint: RouterEndpoint, broker: str) -> Connection:
    generated = endpoint.name.startswith(("connector/", "listener/"))
    name = "" if generated else endpoint.name
    return Connection(endpoint.router, broker, name, endpoint.role, source=endpoint.source)


def _observed_receivers(router: Router, observed: Observed, loaded: set[str]) -> Iterable[Receiver]:
    """The clients that a dump shows attached, one a link; those of an edge router whose own
    files are loaded stand in its own dump.
    """
    for seen in observed.receivers:
        if seen.role == "route-container" or (seen.role == "edge" and seen.container in loaded):
            continue
        for number in range(seen.count):
            id_ = f"{seen.container or 'client'} at {router.name}" + (
                f" ({number + 1})" if seen.count > 1 else ""
            )
            yield Receiver(id_, router.name, seen.address, known="observed", source=seen.source)


def _bridges(router: Router, observed: Observed) -> Iterable[Receiver]:
    """The connectors of TCP and HTTP bridges: each is a destination of its address (S-3). Those
    whose links a dump shows are receivers there.
    """
    seen = {
        receiver.address
        for receiver in observed.receivers
        if receiver.role not in ("edge", "route-container")
    }
    for one in service_ends(router.name, router.configuration):
        if not one.listens and one.destination.removeprefix("address:") not in seen:
            address = one.destination.removeprefix("address:")
            yield Receiver(
                one.receiver, router.name, address, known="configured", source=one.source
            )


def router_configured(
    name: str, entities: Sequence[Entity], version: str = "", table: Addresses | None = None
) -> RouterConfigured:
    """What the configuration entities of one router say of addresses, in their order (C-1).
    ``table`` is its address table where its entries are not among the entities. Linear in the
    entities."""
    section = next((entity for entity in entities if entity.type == "router"), None)
    phased = not is_skupper(version) and not any(
        entity.get("starts") == "from-2.0" for entity in entities
    )
    return RouterConfigured(
        name=name,
        mode=section.get("mode") or "standalone" if section else "standalone",
        version=version,
        default=Distribution((section.get("defaultDistribution") if section else "") or "balanced"),
        table=table
        or AddressTable(address_entry(entity) for entity in entities if entity.type == "address"),
        link_routes=tuple(_link_route(entity) for entity in entities if entity.type == "linkRoute"),
        auto_links=tuple(
            _auto_link(entity, phased=phased) for entity in entities if entity.type == "autoLink"
        ),
        exchanges=tuple(_exchanges(entities)),
        source=section.source if section else (entities[0].source if entities else Source("")),
    )


def _link_route(entity: Entity) -> LinkRoute:
    return LinkRoute(
        name=entity.name,
        text=entity.get("prefix") or entity.get("pattern"),
        tokens=tuple(kept_tokens(entity)),
        direction=entity.get("direction"),
        connection=entity.get("connection"),
        container=entity.get("containerId"),
        add_prefix=entity.get("addExternalPrefix"),
        del_prefix=entity.get("delExternalPrefix"),
        source=entity.source,
    )


def _auto_link(entity: Entity, *, phased: bool) -> AutoLink:
    """Without ``phased`` the router has one phase only, as Skupper (S-2)."""
    direction, fallback = entity.get("direction"), truth(entity.get("fallback"))
    stated = entity.get("phase") if phased or "phase" in entity.stated else ""
    phase = stated or ("1" if phased and direction == "in" else "0")
    if fallback:
        # towards the container it serves the fallback; from there it feeds the primary address
        # (F-1, F-4)
        phase = FALLBACK if direction == "out" else "0"
    return AutoLink(
        name=entity.name,
        address=entity.get("address"),
        direction=direction,
        phase=phase,
        connection=entity.get("connection"),
        container=entity.get("containerId"),
        external=entity.get("externalAddress"),
        source=entity.source,
    )


def _exchanges(entities: Iterable[Entity]) -> Iterable[Exchange]:
    bindings: dict[str, list[Binding]] = {}
    entities = list(entities)
    for entity in entities:
        if entity.type == "binding":
            binding = Binding(
                entity.get("bindingKey"),
                entity.get("nextHopAddress"),
                entity.get("nextHopPhase") or "0",
                entity.source,
            )
            bindings.setdefault(entity.get("exchangeName"), []).append(binding)
    for entity in entities:
        if entity.type == "exchange":
            yield Exchange(
                name=entity.name,
                address=entity.get("address"),
                phase=entity.get("phase") or "0",
                method=entity.get("matchMethod") or "amqp",
                alternate=entity.get("alternateAddress"),
                alternate_phase=entity.get("alternatePhase") or "0",
                bindings=tuple(bindings.get(entity.name, ())),
                source=entity.source,
            )
