"""What a running router said of itself: its neighbours, its peers, its receivers, the state of its
links (D-rules).

``observed_of`` gives all of it for one router, as far as its dump has it. What the query tool
leaves in a dump, and the addresses that exist on every router, are left out (D-7, A-12).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from topograph.digits import digits
from topograph.facts.amq_interconnect import Entity
from topograph.findings import Source
from topograph.records import record
from topograph.systems.amq_interconnect.network.routers import Router

INTERNAL = re.compile(
    r"\A(?:\$management\Z|_\$qd\.|_local/|_topo/|_edge/|\$_management_internal\Z|temp\.|"
    r"qdrouter|qdhello|_edge\Z)"
)
"""Addresses that routers use among themselves and for their tools (A-12, D-7)."""

_CONTAINER = re.compile(r"\bcontainer_id=(.*)\Z")
_CONNECTION_NUMBER = re.compile(r"\A\[C(\d+)\]")
_UUID = re.compile(r"\A[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


@record
class ObservedReceiver:
    """Links of one connection that receive from an address (D-5). ``phase`` is a digit, or ``F``
    for the fallback of the address. ``role`` is that of the connection: ``normal`` for a client,
    ``edge`` for the receivers of an edge router (``container`` is its id), ``route-container``
    for an autolink. ``count`` is the number of links."""

    address: str
    phase: str
    role: str
    container: str
    count: int
    source: Source


@record
class Status:
    """The state of an autolink or link route (D-6): ``type`` ``autoLink`` or ``linkRoute``,
    ``address`` its address, prefix or pattern, ``target`` the connection or container it names
    (empty where the dump does not say), ``active`` whether operStatus is active."""

    type: str
    name: str
    address: str
    direction: str
    phase: str
    target: str
    status: str
    last_error: str
    source: Source

    @property
    def active(self) -> bool:
        return self.status == "active"


@record
class Connected:
    """A connector and what it is connected to: ``container`` is the id of the other end, empty
    while it is not connected.
    """

    connector: str
    container: str
    role: str
    status: str
    message: str
    source: Source


@record
class Observed:
    """What one router's dump says.

    ``neighbours`` are the routers it has links to, None where the dump has neither its routers nor
    its connections. ``known`` are all routers in its ``router.node`` table with the neighbours each
    of them last announced (None where the table does not show them), and ``direct_cost`` the cost
    of the link to each neighbour that is its own next hop (D-4). ``hosting`` are the other routers
    with destinations for (address, phase).
    """

    version: str
    receivers: tuple[ObservedReceiver, ...]
    hosting: Mapping[tuple[str, str], tuple[str, ...]]
    statuses: tuple[Status, ...]
    connected: Mapping[str, Connected]
    neighbours: Mapping[str, Source] | None
    known: Mapping[str, tuple[tuple[str, ...] | None, Source]]
    direct_cost: Mapping[str, int]
    next_hops: Mapping[str, str]
    """Per router of the table the neighbour that messages to it are handed to, itself for a
    neighbour reached directly.
    """
    costs: Mapping[str, int]
    """Per router of the table the cost of the path to it, where the dump shows it."""
    parallel: Mapping[str, int]
    """Routers to which more than one inter-router connection is open (T-11), with how many."""
    edges: Mapping[str, Source]
    """The other ends of its edge connections: at an interior router its edge routers, at an edge
    router its interior routers.
    """
    active_uplink: str
    """Of an edge router, the interior router that its one active connection leads to (E-1);
    empty where the dump does not say.
    """


def observed_of(router: Router) -> Observed:
    """What the dump of a router says; everything empty (``neighbours`` None) for a router
    without one. Linear in the dump.
    """
    entities: dict[str, list[Entity]] = {}
    for entity in router.observed:
        entities.setdefault(entity.type, []).append(entity)
    connections = entities.get("connection", [])
    nodes = entities.get("router.node", [])
    section = next(iter(entities.get("router", [])), None)
    edges = [one for one in connections if one.get("role") == "edge" and one.get("container")]
    return Observed(
        version=section.get("version") if section else "",
        receivers=_receivers(router, entities.get("router.link", []), connections),
        hosting=_hosting(entities.get("router.address", [])),
        statuses=tuple(
            _status(entity)
            for type_ in ("autoLink", "linkRoute")
            for entity in entities.get(type_, [])
        ),
        connected=_connected(entities.get("connector", []), connections),
        neighbours=_neighbours(router, nodes, connections) if nodes or connections else None,
        known={
            node.get("id"): (
                texts(node.get("linkState")) if node.get("linkState") else None,
                node.source,
            )
            for node in nodes
            if node.get("id") != router.id
        },
        direct_cost=_direct_costs(nodes),
        next_hops={
            node.get("id"): node.get("nextHop") or node.get("id")
            for node in nodes
            if node.get("nextHop") != "(self)" and (node.get("nextHop") or node.get("routerLink"))
        },
        costs={
            node.get("id"): cost for node in nodes if (cost := digits(node.get("cost"))) is not None
        },
        parallel=_parallel(connections),
        edges=_edges(edges),
        active_uplink=_active(edges) if router.mode == "edge" else "",
    )


def texts(value: str) -> tuple[str, ...]:
    """The texts of a JSON list as a dump's attribute holds it; empty for anything else."""
    try:
        items = json.loads(value) if value else ()
    except ValueError:
        return ()
    return tuple(str(item) for item in items) if isinstance(items, list) else ()


def is_query_tool(connection: Entity) -> bool:
    """Whether a connection is that of a query tool: role normal, and a UUID as container (D-7)."""
    return (
        connection.get("role") == "normal" and _UUID.match(connection.get("container")) is not None
    )


def mobile(owner: str) -> tuple[str, str] | None:
    """(address, phase) of a key or ``owningAddr``, None for what is no address of users. Skupper
    has no phases (S-2), and keys without one.

    >>> (mobile("M1queue.one"), mobile("MFq"), mobile("M0$management"), mobile("Lqdhello"),
    ...  mobile("Mweb"))
    (('queue.one', '1'), ('q', 'F'), None, None, ('web', '0'))
    """
    if not owner.startswith("M") or len(owner) < 3:
        return None
    phase, address = (owner[1], owner[2:]) if owner[1] in "0123456789F" else ("0", owner[1:])
    return None if INTERNAL.match(address) else (address, phase)


def _receivers(
    router: Router, links: Iterable[Entity], connections: Iterable[Entity]
) -> tuple[ObservedReceiver, ...]:
    by_id = {connection.get("identity"): connection for connection in connections}
    counts: dict[tuple[str, str, str], list[Entity]] = {}
    for link in links:
        address = mobile(link.get("owningAddr"))
        if (
            link.get("linkType") == "endpoint"
            and link.get("linkDir") == "out"
            and address is not None
        ):
            counts.setdefault((*address, link.get("connectionId")), []).append(link)
    found = []
    for (address_, phase, id_), own in counts.items():
        connection = by_id.get(id_)
        role = connection.get("role") if connection else ""
        if role == "edge" and router.mode == "edge":
            continue  # the uplink of an edge router receives for the interior (E-3)
        container = connection.get("container") if connection else ""
        found.append(ObservedReceiver(address_, phase, role, container, len(own), own[0].source))
    return tuple(
        sorted(found, key=lambda one: (one.address, one.phase, one.role, one.container, one.source))
    )


def _hosting(addresses: Iterable[Entity]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in addresses:
        address = mobile(row.get("key") or row.name)
        if address is not None and (routers := texts(row.get("remoteHostRouters"))):
            found[address] = tuple(sorted(routers))
    return found


def _status(entity: Entity) -> Status:
    return Status(
        type=entity.type,
        name=entity.name,
        address=entity.get("address") or entity.get("prefix") or entity.get("pattern"),
        direction=entity.get("direction"),
        phase=entity.get("phase"),
        target=entity.get("connection") or entity.get("containerId"),
        status=entity.get("operStatus"),
        last_error=entity.get("lastError"),
        source=entity.source,
    )


def _connected(connectors: Iterable[Entity], connections: Sequence[Entity]) -> dict[str, Connected]:
    """Per connector its peer. The connection's own words name it (connectionMsg ends with the
    container); else host and port do.
    """
    outgoing: dict[tuple[str, str], list[Entity]] = {}
    by_id: dict[str, Entity] = {}
    for connection in connections:
        by_id[connection.get("identity")] = connection
        if connection.get("dir") == "out":
            outgoing.setdefault((connection.get("host"), connection.get("role")), []).append(
                connection
            )
    found = {}
    for connector in connectors:
        message, role, status = (
            connector.get("connectionMsg"),
            connector.get("role"),
            connector.get("connectionStatus"),
        )
        container = ""
        number = _CONNECTION_NUMBER.match(message)
        if number and number[1] in by_id and status == "SUCCESS":
            container = by_id[number[1]].get("container")
        elif status == "SUCCESS" and (named := _CONTAINER.search(message)):
            container = named[1]
        elif status in ("SUCCESS", ""):
            at = f"{connector.get('host')}:{connector.get('port')}"
            containers = {
                connection.get("container") for connection in outgoing.get((at, role), ())
            }
            container = next(iter(containers)) if len(containers) == 1 else ""
        found[connector.name] = Connected(
            connector.name, container, role, status, message, connector.source
        )
    return found


def _neighbours(
    router: Router, nodes: Iterable[Entity], connections: Iterable[Entity]
) -> dict[str, Source]:
    """The router's own neighbours (D-3): its own row's linkState. A qdstat table without it
    shows only those that are their own next hop; the inter-router connections to routers of the
    table add the others."""
    nodes = list(nodes)
    own = next((node for node in nodes if node.get("id") == router.id), None)
    if own is not None and own.get("linkState"):
        return dict.fromkeys(texts(own.get("linkState")), own.source)
    found = {node.get("id"): node.source for node in nodes if node.get("routerLink")}
    ids = {node.get("id") for node in nodes}
    for connection in connections:
        container = connection.get("container")
        if connection.get("role") == "inter-router" and container and (container in ids or not ids):
            found.setdefault(container, connection.source)
    return found


def _direct_costs(nodes: Iterable[Entity]) -> dict[str, int]:
    return {
        node.get("id"): cost
        for node in nodes
        if node.get("routerLink")
        and not node.get("nextHop")
        and (cost := digits(node.get("cost"))) is not None
    }


def _parallel(connections: Iterable[Entity]) -> dict[str, int]:
    counts = Counter(
        one.get("container") for one in connections if one.get("role") == "inter-router"
    )
    return {container: count for container, count in counts.items() if container and count > 1}


def _edges(connections: Iterable[Entity]) -> dict[str, Source]:
    return {connection.get("container"): connection.source for connection in connections}


def _active(edges: Sequence[Entity]) -> str:
    active = [connection for connection in edges if connection.get("active") == "true"] or edges
    return active[0].get("container") if len(active) == 1 else ""
