"""What the dumps of a network say of its links (D-3, D-4): which connector leads to which
router, who lists whom as a neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.systems.amq_interconnect.network.connectors import NotReached, ReachedListener
from topograph.systems.amq_interconnect.network.observed import Observed, observed_of
from topograph.systems.amq_interconnect.network.routers import Router, RouterEndpoint


@record
class Pair:
    """Two routers by name of which one or both say that they are neighbours, and where."""

    a: str
    b: str
    source: Source


class Running:
    """The dumps of a network, by router. Built once: linear in the dumps."""

    def __init__(self, routers: Sequence[Router]) -> None:
        self.routers = {router.name: router for router in routers}
        self.observed: dict[str, Observed] = {
            router.name: observed_of(router) for router in routers if router.observed
        }
        ids: dict[str, list[Router]] = {}
        for router in routers:
            ids.setdefault(router.id, []).append(router)
        self.by_id = {id_: own[0] for id_, own in ids.items() if len(own) == 1}
        self.loaded = frozenset(ids)

    def said(self, connector: RouterEndpoint) -> ReachedListener | NotReached | None:
        """What the dump of a connector's router says that it is connected to; None where it says
        nothing.

        The container at the other end of a connection between routers is the router's id.
        """
        observed = self.observed.get(connector.router)
        connected = observed.connected.get(connector.name) if observed else None
        if connected is None or not connected.container:
            return None
        peer = self.by_id.get(connected.container)
        if peer is None:
            because = (
                f"its dump ({connected.source}) says that it is connected to "
                f"{connected.container}, of which "
            )
            because += (
                "several files are loaded"
                if connected.container in self.loaded
                else "nothing is loaded"
            )
            return NotReached(connected.container, because, observed=True)
        return ReachedListener(_listener(connector, peer), Confidence.A, "its dump", observed=True)

    def not_connected(self, connector: RouterEndpoint) -> bool:
        """Whether a connector of a router that is known from its dump alone is said not to be
        connected.
        """
        observed = self.observed.get(connector.router)
        connected = observed.connected.get(connector.name) if observed else None
        if connected is None or not self.routers[connector.router].from_dump:
            return False
        return not connected.container and connected.status not in ("", "SUCCESS")

    def lists(self, a: str, b: str) -> bool | None:
        """Whether router ``a`` lists ``b`` as its neighbour; what other routers last heard of it
        where it has no dump; None if nobody says.
        """
        observed = self.observed.get(a)
        there = self.routers[b].id
        if observed is not None and observed.neighbours is not None:
            return there in observed.neighbours
        heard = [
            one.known[self.routers[a].id][0]
            for one in self.observed.values()
            if self.routers[a].id in one.known
        ]
        said = [neighbours for neighbours in heard if neighbours is not None]
        return any(there in neighbours for neighbours in said) if said else None

    def pairs(self) -> Iterator[Pair]:
        """The loaded routers of which one lists the other, each pair once, by name."""
        found: dict[tuple[str, str], Source] = {}
        for name, observed in sorted(self.observed.items()):
            for id_, source in (observed.neighbours or {}).items():
                peer = self.by_id.get(id_)
                if peer is not None and peer.name != name:
                    found.setdefault((min(name, peer.name), max(name, peer.name)), source)
        for (a, b), source in sorted(found.items()):
            yield Pair(a, b, source)

    def strangers(self) -> Iterator[tuple[str, str, Source]]:
        """(router, id of a neighbour that is not loaded, where it is listed), by names."""
        for name, observed in sorted(self.observed.items()):
            for id_, source in sorted((observed.neighbours or {}).items()):
                if id_ not in self.loaded:
                    yield name, id_, source

    def link_cost(self, a: str, b: str) -> int | None:
        """The cost of the link between two neighbours where either reaches the other over it: it
        is then the cost of the path (D-4).
        """
        costs = [
            self.observed[here].direct_cost.get(self.routers[there].id)
            for here, there in ((a, b), (b, a))
            if here in self.observed
        ]
        return next((cost for cost in costs if cost is not None), None)

    def detour(self, a: str, b: str) -> str:
        """The router by which a message between two neighbours goes, so that the link between
        them costs more; empty if it may go directly.
        """
        found = ""
        for here, there in ((a, b), (b, a)):
            observed = self.observed.get(here)
            hop = observed.next_hops.get(self.routers[there].id) if observed else None
            if hop == self.routers[there].id:
                return ""
            found = found or hop or ""
        return found


def endpoint(router: Router, peer: str, role: str, cost: int, source: Source) -> RouterEndpoint:
    """An end of a connection of which the dump shows neither listener nor connector."""
    return RouterEndpoint(router.name, f"connection to {peer}", peer, "", role, cost, False, source)


def _listener(connector: RouterEndpoint, peer: Router) -> RouterEndpoint:
    """The listener at the other end: the one at the connector's port, else the only one of its
    role, else one made up of what is known.
    """
    at_port = sorted(
        (one for one in peer.listeners if one.port == connector.port),
        key=lambda one: one.role != connector.role,
    )
    of_role = [one for one in peer.listeners if one.role == connector.role]
    if at_port:
        return at_port[0]
    if of_role and len({one.cost for one in of_role}) == 1:
        return of_role[0]
    return endpoint(
        peer,
        connector.router,
        connector.role,
        max((one.cost for one in of_role), default=1),
        peer.source,
    )
