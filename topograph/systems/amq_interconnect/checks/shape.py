"""What is risky in the shape of a network of routers: partitions, single points of failure,
redundant paths (amq_interconnect.md 5.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import rustworkx as rx

from topograph.findings import Severity, Source
from topograph.rules.amq_interconnect_findings import (
    CONTAINER_ON_EACH_MACHINE,
    E_7,
    EDGE_WITH_ONE_UPLINK,
    LISTENERS_AT_ONE_PORT,
    M_4,
    MULTICAST_COPIES,
    ONLY_PATH_TO_CONTAINER,
    PARTITION,
    POLICY_NOT_EVALUATED,
    POSITION_12,
    S_3,
    SINGLE_POINT_OF_FAILURE,
    T_1,
    T_9,
    T_13,
    TCP_CONNECTOR_ALONE,
    TCP_LISTENER_ALONE,
    W_14,
)
from topograph.systems.amq_interconnect.checks.findings import (
    Noticed,
    entry_text,
    names_of,
    noticed,
)
from topograph.systems.amq_interconnect.messages.addresses import Distribution, truth
from topograph.systems.amq_interconnect.messages.configuration import (
    ON_ONE_MACHINE,
    local_containers,
)
from topograph.systems.amq_interconnect.messages.model import (
    AutoLink,
    Connection,
    LinkRoute,
    MessageNetwork,
)
from topograph.systems.amq_interconnect.messages.services import service_ends
from topograph.systems.amq_interconnect.network.routers import Router, RouterEndpoint
from topograph.systems.amq_interconnect.network.versions import has_one_copy
from topograph.systems.contract.services import ServiceEnd
from topograph.words.did_you_mean import did_you_mean


class ShapeRules:
    """The rules about routers and connections. ``outside`` is the number of connectors that lead
    to no loaded router.
    """

    def __init__(self, network: MessageNetwork, loaded: dict[str, Router], outside: int) -> None:
        self.network, self.loaded, self.outside = network, loaded, outside
        self.configured = [network.routers[name] for name in sorted(network.routers)]

    def shape(self) -> Iterator[Noticed]:
        """Partitions, routers and connections that everything depends on, edges with one uplink."""
        interior = [router.name for router in self.configured if router.mode == "interior"]
        number = {name: place for place, name in enumerate(interior)}
        graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(interior)))
        graph.add_edges_from([(number[a], number[b], None) for a, b, _ in self.network.links])
        parts = sorted(
            (sorted(interior[place] for place in part) for part in rx.connected_components(graph)),
            key=_size,
        )
        if (
            len(parts) > 1 and not self.outside
        ):  # a connector to a router that is not loaded may join them
            text = "; ".join(names_of(part) for part in parts[:4]) + (
                f"; and {len(parts) - 4} more" if len(parts) > 4 else ""
            )
            message = (
                f"The loaded files join the interior routers to {len(parts)} separate "
                f"networks: {text}"
            )
            yield noticed(T_1, PARTITION, message, self._source(parts[-1][0]), *interior)
        for place in sorted(rx.articulation_points(graph)):
            name = interior[place]
            message = (
                f"Without {name} the network falls apart: every path between some routers passes it"
            )
            yield noticed(T_9, SINGLE_POINT_OF_FAILURE, message, self._source(name), name)
        yield from self._only_ways()
        yield from self._local_containers()
        yield from self._same_places()
        for edge, home in sorted(self.network.uplinks.items()):
            if self._uplinks(edge) == 1:
                message = (
                    f"The edge router {edge} has one uplink, to {home}: without it only its "
                    "own clients reach each other"
                )
                yield noticed(E_7, EDGE_WITH_ONE_UPLINK, message, self._source(edge), edge)

    def _uplinks(self, edge: str) -> int:
        return sum(connector.role == "edge" for connector in self.loaded[edge].connectors)

    def _same_places(self) -> Iterator[Noticed]:
        """T-13: listeners of one router that have one host and port."""
        for name, router in sorted(self.loaded.items()):
            at: dict[str, list[RouterEndpoint]] = defaultdict(list)
            for listener in router.listeners:
                if listener.port not in ("", "0"):
                    at[listener.address].append(listener)
            for address, listeners in at.items():
                if len(listeners) > 1:
                    which = names_of(
                        [f"{one.name} ({one.role}, {one.source})" for one in listeners]
                    )
                    message = (
                        f"{len(listeners)} listeners of {name} have one host and port, "
                        f"{address}: {which}. Only one of them can listen there; "
                        "answers take each of them as if it did"
                    )
                    yield noticed(T_13, LISTENERS_AT_ONE_PORT, message, listeners[1].source, name)

    def _local_containers(self) -> Iterator[Noticed]:
        """T-13: a loopback host that routers of several machines, as far as the files show, name
        for a container.
        """
        named: dict[str, dict[str, str]] = defaultdict(dict)
        for connection in self.network.connections:
            address = self.network.brokers[connection.broker].local
            if address and connection.role == "route-container":
                named[address][connection.broker] = connection.router
        for address, routers in sorted(named.items()):
            if len(routers) > 1:
                message = (
                    f"{local_containers(address, routers.values())}; {ON_ONE_MACHINE}. "
                    "`machines` in topograph.yaml says which share one"
                )
                source = next(
                    one.source for one in self.network.connections if one.broker in routers
                )
                yield noticed(T_13, CONTAINER_ON_EACH_MACHINE, message, source, *routers.values())

    def _only_ways(self) -> Iterator[Noticed]:
        """Containers that one connection leads to, where autolinks or link routes use it: those
        of one router together. A router without others beside it is the only way to everything,
        which says nothing."""
        ways: dict[str, list[Connection]] = defaultdict(list)
        for connection in self.network.connections:
            if connection.role == "route-container":
                ways[connection.broker].append(connection)
        alone: dict[str, list[Connection]] = defaultdict(list)
        for _, found in sorted(ways.items()):
            router = self.network.routers[found[0].router]
            used: list[AutoLink | LinkRoute] = [*router.auto_links, *router.link_routes]
            if len(found) == 1 and any(
                one.connection == found[0].name or one.container for one in used
            ):
                alone[router.name].append(found[0])
        for name, found in sorted(alone.items()) if len(self.configured) > 1 else ():
            reached = names_of([one.broker for one in found])
            is_ = "is" if len(found) == 1 else "are each"
            message = f"{reached} {is_} reached over one connection only, of {name}"
            yield noticed(W_14, ONLY_PATH_TO_CONTAINER, message, found[0].source, name)

    def multicast_copies(self) -> Iterator[Noticed]:
        """M-4: with redundant paths receivers of a multicast address get more than one copy,
        from 1.13 to 1.19.
        """
        interior = [router.name for router in self.configured if router.mode == "interior"]
        number = {name: place for place, name in enumerate(interior)}
        graph: rx.PyGraph[int, None] = rx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(interior)))
        graph.add_edges_from([(number[a], number[b], None) for a, b, _ in self.network.links])
        redundant = graph.num_edges() >= graph.num_nodes() or any(
            graph.subgraph(sorted(part)).num_edges() >= len(part)
            for part in rx.connected_components(graph)
        )
        if not redundant:
            return
        seen: set[tuple[str, ...]] = set()
        for router in self.configured:
            if has_one_copy(router.version) or router.mode != "interior":
                continue
            for entry in router.table.entries:
                if entry.distribution is Distribution.MULTICAST and entry.tokens not in seen:
                    seen.add(entry.tokens)
                    known = (
                        f"version {router.version}"
                        if router.version
                        else "versions 1.13 to 1.19; its version is not known"
                    )
                    message = (
                        f"{entry_text(entry)} is multicast, and routers are joined by "
                        "more than one path: receivers can get a message "
                        f"more than once ({known})"
                    )
                    yield noticed(M_4, MULTICAST_COPIES, message, entry.source, router.name)
            if router.default is Distribution.MULTICAST and ("",) not in seen:
                seen.add(("",))
                message = (
                    "defaultDistribution is multicast, and routers are joined by more than "
                    "one path: receivers can get copies"
                )
                yield noticed(M_4, MULTICAST_COPIES, message, router.source, router.name)

    def not_evaluated(self) -> Iterator[Noticed]:
        """Position 12: what policies can forbid beyond the addresses of an attach."""
        for name, router in sorted(self.loaded.items()):
            for entity in router.configuration:
                if entity.type == "policy" and truth(entity.get("enableVhostPolicy")):
                    message = (
                        f"{name} has enableVhostPolicy: sources and targets of its vhosts are "
                        "evaluated; limits of connections, and files of a policyDir, can refuse "
                        "an attach that answers here allow"
                    )
                    found = POLICY_NOT_EVALUATED.at(
                        entity.source, message, rule=POSITION_12, server=name
                    )
                    yield Noticed(found, (name,))

    def services(self) -> Iterator[Noticed]:
        """S-3: listeners and connectors of TCP and HTTP whose address has no other half in the
        network. A dump shows other connectors as receivers; sites that are not loaded may have
        them."""
        halves: dict[str, dict[str, list[ServiceEnd]]] = {"listener": {}, "connector": {}}
        for name, router in sorted(self.loaded.items()):
            for one in service_ends(name, router.configuration):
                alike = halves["listener" if one.listens else "connector"]
                alike.setdefault(one.destination.removeprefix("address:"), []).append(one)
        received = {*self.network.by_address, *self.network.auto_links_by_address}
        for half, other, kind in (
            ("listener", "connector", TCP_LISTENER_ALONE),
            ("connector", "listener", TCP_CONNECTOR_ALONE),
        ):
            for address, own in sorted(halves[half].items()):
                if address in halves[other] or (half == "listener" and address in received):
                    continue
                severity = Severity.INFO if self.outside else kind.severity
                hint = did_you_mean(address, halves[other])
                message = (
                    f"{own[0].kind} {own[0].name} has the address {address}, and no loaded router "
                    f"has a {other} of it: {_means(own[0])}.{hint}"
                )
                source, server = own[0].source, own[0].server
                found = S_3.at(source, message, kind=kind, severity=severity, server=server)
                yield Noticed(found, (server,))

    def _source(self, name: str) -> Source:
        return self.network.routers[name].source


def _means(end: ServiceEnd) -> str:
    """What it means that half of a service is alone. The port of a TCP listener is then closed
    (S-5)."""
    if not end.listens:
        return "no client gets there by " + ("HTTP" if end.kind.startswith("http") else "TCP")
    if end.kind.startswith("http"):
        return "nobody serves its clients"
    if end.shared is not None:
        return f"no client of {end.shared.name} gets a connection by it"
    return "its port is closed, clients are refused"


def _size(part: Sequence[str]) -> tuple[int, Sequence[str]]:
    return (-len(part), part)
