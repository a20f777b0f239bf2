"""Gateways with their devices, and connections that no message takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import LinkShown
from topograph.side_inputs import SideInputs
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import FactSource
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager

ROLE = "connection"
"""The role of links that are connections (E-20)."""


def groups(
    source: FactSource,
    side_inputs: SideInputs,  # noqa: ARG001
    graph: ForwardingGraph,
) -> Sequence[ServerGroup]:
    """Each gateway with its devices, by its name: a device is a queue manager whose list of
    listeners is empty, so that it is always the one that connects (E-20); its gateways are those
    that it connects to directly, or collects messages from (E-15). Linear in the objects."""
    configuration = MqeConfiguration(source)
    known = {server.name for server in graph.servers}
    devices: dict[str, set[str]] = {}
    for here in configuration.all():
        if all(one.listens is False for one in here.stated):
            for gateway in _gateways(here):
                if gateway in known and gateway != here.name:
                    devices.setdefault(gateway, set()).add(here.name)
    return [
        ServerGroup(gateway, "gateway", tuple(sorted({gateway, *names})))
        for gateway, names in sorted(devices.items())
    ]


def _gateways(here: MqeManager) -> Iterator[str]:
    for connection in here.connections.values():
        if connection.type == "direct":
            yield connection.name
    for homes in here.homes.values():
        for queue in homes:
            yield queue.home_server


def idle_links(
    source: FactSource,
    side_inputs: SideInputs,  # noqa: ARG001
    graph: ForwardingGraph,
) -> Sequence[LinkShown]:
    """Each direct connection (E-20) that leads to a queue manager of the graph and that no link
    from one to the other uses, by its ends. Linear in connections and links."""
    configuration = MqeConfiguration(source)
    system = {server.name: server.system for server in graph.servers}
    names = [server.name for server in graph.servers]
    used = {(names[link.a], names[link.b]) for link in graph.links}
    used |= {(names[link.b], names[link.a]) for link in graph.links if not link.one_way}
    found = []
    for here in configuration.all():
        for connection in here.connections.values():
            ends = (here.name, connection.name)
            idle = connection.type == "direct" and ends not in used and here.name != ends[1]
            if idle and ends[1] in system and here.name in system:
                found.append(
                    LinkShown(
                        ends,
                        "",
                        "",
                        here.name,
                        None,
                        connection.source,
                        one_way=True,
                        system="mqe",
                        name=connection.name,
                        role=ROLE,
                        systems=(system[ends[0]], system[ends[1]]),
                        because=f"no message that the loaded files name takes this {ROLE}",
                        idle=True,
                    )
                )
    return sorted(found, key=lambda link: (link.ends, link.source))
