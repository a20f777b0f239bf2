"""The routers and containers of a recorded case from step to step: who runs, who is attached, and
what routers remember of those out of reach.

Configuration is read with ``topograph.read``'s own functions; the scenario says which container is
behind a port, and which routers live.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden.router_inputs import started

from topograph.facts.amq_interconnect import Entity
from topograph.opening.folders import read_snapshot
from topograph.systems import assemble
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.messages.destinations import AddressState
from topograph.systems.amq_interconnect.messages.model import Broker, MessageNetwork, Receiver
from topograph.systems.amq_interconnect.messages.simulation import without_routed
from topograph.systems.amq_interconnect.routes.tables import UNDECIDED, links_of


class Running:
    """The network of a case as its steps leave it. Routers are called by their names in
    topograph's network; a scenario calls them by the names of their files (``name``), and a
    router calls them by their ids (``id``)."""

    def __init__(self, folder: Path, scenario: Mapping[str, Any], version: str) -> None:
        snapshot = read_snapshot(folder / "configs")
        (network,) = snapshot.networks
        self.entities = [fact for fact in snapshot.facts(network) if isinstance(fact, Entity)]
        self.findings = list(snapshot.findings(network))
        (tables,) = snapshot.graph_tables(network)
        graph = assemble(tables)
        made = message_network(graph, self.entities, snapshot.side_inputs(network))
        names = [server.name for server in graph.servers]
        undecided = [link for link in links_of(graph, UNDECIDED) if link.rule == "T-10"]
        self.contested = [(names[link.a], names[link.b], link.cost or 0) for link in undecided]
        """Links of routers that share an id with another one of their network: they carry what
        others do while that one is down (T-10).
        """
        self.brokers: Sequence[Mapping[str, Any]] = scenario.get("brokers", ())
        self.base = self._with_brokers(made, version)
        self._bundles = {
            key: Path(router["config"]).relative_to("configs").as_posix()
            for key, router in scenario.get("routers", {}).items()
        }
        ids = {entity.bundle: entity.server for entity in self.entities}
        self._names: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        for key, bundle in self._bundles.items():
            own = ids.get(bundle, key)
            shared = sum(one == own for one in ids.values()) > 1
            self._names[key] = f"{own} ({bundle})" if shared else own
            self._ids[self._names[key]] = own
        waiting = _down_from_the_start(scenario["steps"])
        self.down = {name for key, name in self._names.items() if key in waiting}
        self.stopped: set[str] = set()
        """Containers that were stopped."""
        self.attached: list[Receiver] = []
        self.gone: dict[str, Receiver] = {}
        """Receivers that were refused or detached, or were lost with a router or a link."""
        self.lost_with: dict[str, list[Receiver]] = {}
        """Per dead router the receivers that were attached to it."""
        self.stored: dict[str, dict[str, int]] = {}
        """Per container and address there the number of messages that wait."""
        self._before: list[MessageNetwork] = []
        """The network before each death that nobody has waited for since (T-9)."""
        self._born: dict[str, int] = {}
        """Per router that was started again the number of deaths it does not remember."""
        self._uplinks: dict[str, str] = {}
        self._keep_uplinks()

    def _with_brokers(self, network: MessageNetwork, version: str) -> MessageNetwork:
        routers = {
            name: replace(router, version=version) for name, router in network.routers.items()
        }
        ports = {str(one["port"]): one for one in self.brokers}
        brokers, connections = {}, []
        for connection in network.connections:
            given = ports.get(connection.broker.rpartition(":")[2])
            if given:
                refuse = frozenset(given.get("refuse", ()))
                brokers[given["name"]] = Broker(given["name"], given["container"], True, refuse)
                connections.append(replace(connection, broker=given["name"]))
            else:  # nobody listens there
                brokers[connection.broker] = Broker(connection.broker, up=False)
                connections.append(connection)
        return replace(
            network, routers=routers, brokers=brokers, connections=tuple(connections), ordered=True
        )

    def name(self, key: str) -> str:
        """The router of a file."""
        return self._names[key]

    def id(self, name: str) -> str:
        """The id that routers show for one of them."""
        return self._ids.get(name, name)

    def entities_of(self, key: str) -> list[Entity]:
        """What the file of a router configures."""
        return [entity for entity in self.entities if entity.bundle == self._bundles[key]]

    @property
    def now(self) -> MessageNetwork:
        """The network as it stands at this step."""
        brokers = {
            name: replace(
                one, up=one.up and name not in self.stopped, stored=self.stored.get(name, {})
            )
            for name, one in self.base.brokers.items()
        }
        uplinks = {edge: to for edge, to in self._uplinks.items() if to}
        links = (*self.base.links, *(one for one in self.contested if not self._shared(one[0])))
        network = replace(self.base, links=links, brokers=brokers, uplinks=uplinks, standby={})
        return replace(network, receivers=tuple(self.attached)).without_routers(self.down)

    def _keep_uplinks(self) -> None:
        """The active uplink of an edge stays while it is up; else the first of the others takes
        over (E-1).
        """
        for edge, first in self.base.uplinks.items():
            ways = (first, *self.base.standby.get(edge, ()))
            alive = [to for to in ways if edge not in self.down and to not in self.down]
            if self._uplinks.get(edge) not in alive:
                self._uplinks[edge] = alive[0] if alive else ""

    def open_ports(self) -> set[str]:
        """The ports at which a living router or container listens."""
        ports = {str(one["port"]) for one in self.brokers if one["name"] not in self.stopped}
        dead = {bundle for key, bundle in self._bundles.items() if self.name(key) in self.down}
        return ports | {
            one.get("port")
            for one in self.entities
            if one.type == "listener" and one.bundle not in dead
        }

    def kill(self, keys: Iterable[str]) -> None:
        """Routers die, with the clients that are attached to them."""
        dying = {self.name(key) for key in keys} - self.down
        if dying:
            self._before.append(self.now)
        self.down |= dying
        for name in sorted(dying):
            self.lost_with[name] = [one for one in self.attached if one.router == name]
        self.gone |= {one.id: one for one in self.attached if one.router in dying}
        self.attached = [one for one in self.attached if one.router not in dying]
        self._keep_uplinks()

    def wait(self, expected: Mapping[str, int]) -> None:
        """Somebody waits until routers have so many rows in ``router.node``. If that is no more
        than they reach, they have forgotten those out of reach (T-9)."""
        network = self.now
        living = {
            self.name(key): rows
            for key, rows in expected.items()
            if self.name(key) in network.routers
        }
        reached = {
            name: sum(network.routes.reaches(name, other) for other in network.routers)
            for name in living
        }
        if living and all(rows <= reached[name] + 1 for name, rows in living.items()):
            self._before.clear()
            self._born.clear()

    def start(self, key: str) -> list[Receiver]:
        """A router starts. Gives the receivers that were attached to it when it died."""
        name = self.name(key)
        self.down.discard(name)
        self._born[name] = len(self._before)
        self._keep_uplinks()
        return self.lost_with.pop(name, [])

    def stop(self, brokers: Iterable[str]) -> None:
        """Containers end."""
        self.stopped |= set(brokers)

    def remembered(self, router: str) -> Iterator[MessageNetwork]:
        """The network as a router saw it before each death that nobody has waited for."""
        for number, before in enumerate(self._before):
            if number >= self._born.get(router, 0) and router in before.routers:
                yield before

    def stale_hosts(self, router: str, address: str, phase: str) -> set[str]:
        """The routers out of reach that an interior router still takes for hosts of an address."""
        routes = self.now.routes
        found: set[str] = set()
        for before in self.remembered(router):
            hosts = AddressState.of(without_routed(before, address), address).remote(router, phase)
            found |= {host for host in hosts if not routes.reaches(router, host)}
        return found

    def out_of_reach(self, router: str) -> set[str]:
        """The ids of routers that a router had routes to and has none to now."""
        routes = self.now.routes
        known = {
            name
            for before in self.remembered(router)
            for name in before.routers
            if before.routes.reaches(router, name)
        }
        return {self.id(name) for name in known if not routes.reaches(router, name)}

    def sharing(self, router: str) -> list[str]:
        """The living routers that share an id with another one in the network of a router."""
        return self._shared(router) if router not in self.down else []

    def _shared(self, router: str) -> list[str]:
        beside: dict[str, set[str]] = {}
        for a, b, *_ in (*self.base.links, *self.contested, *self._uplinks.items()):
            if b and self.down.isdisjoint((a, b)):
                beside.setdefault(a, set()).add(b)
                beside.setdefault(b, set()).add(a)
        found, waiting = {router}, [router]
        while waiting:
            new = beside.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        ids = Counter(self.id(name) for name in found)
        return sorted(name for name in found if ids[self.id(name)] > 1)


def _down_from_the_start(steps: Sequence[Mapping[str, Any]]) -> set[str]:
    """The routers that a step starts before any has killed them."""
    killed: set[str] = set()
    found: set[str] = set()
    for step in steps:
        if step["op"] == "kill":
            killed |= set(step.get("routers", ()))
        elif step["op"] == "start_router":
            found |= set(started(step)) - killed
            killed -= set(started(step))
    return found
