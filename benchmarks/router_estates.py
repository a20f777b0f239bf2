"""A network of routers to measure on, written as configuration files; the same seed gives the same
files.

Nine of ten routers are interior: a random tree (each is linked to a random earlier one) and a third
as many links again, so that nearly every pair has more than one path; costs 1 to 10. The others are
edge routers, with an uplink to a random interior one. Every router has an entry for each of the
addresses, as deployments roll one list out to all: multicast, closest, balanced, and one of ten a
waypoint. Each waypoint is served by a container at one router; the first router has ten link routes
to another. ``topograph.yaml`` names the receivers and the hosts.

::

    python benchmarks/router_estates.py 100 1000 /tmp/routers
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

WAYPOINTS = 10
"""One address of this many is a waypoint."""
LINK_ROUTES = 10
RECEIVERS = 3
"""Receivers of an address that is no waypoint; a waypoint has one."""
DISTRIBUTIONS = ("multicast", "closest", "balanced")


@dataclass(frozen=True, slots=True)
class RouterEstate:
    """Routers and the (router, router, cost) links between interior ones, and who receives:
    (router, address).
    """

    interior: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str, int], ...]
    addresses: tuple[str, ...]
    waypoints: tuple[tuple[str, str], ...]
    receivers: tuple[tuple[str, str], ...]

    @property
    def routers(self) -> tuple[str, ...]:
        return (*self.interior, *(edge for edge, _ in self.edges))


def router_estate(routers: int, addresses: int, seed: int = 1) -> RouterEstate:
    """A random redundant network. O(routers + addresses)."""
    chance = random.Random(seed)
    edges = max(1, routers // 10)
    interior = [f"R{i:03d}" for i in range(routers - edges)]
    pairs = {(interior[chance.randrange(i)], interior[i]) for i in range(1, len(interior))}
    while len(pairs) < len(interior) * 4 // 3:
        a, b = sorted(chance.sample(interior, 2))
        pairs.add((a, b))
    names = [f"area{i % 20}.topic{i}" for i in range(addresses)]
    waypoints = [(name, chance.choice(interior)) for name in names[::WAYPOINTS]]
    served = {name for name, _ in waypoints}
    return RouterEstate(
        interior=tuple(interior),
        edges=tuple((f"E{i:03d}", chance.choice(interior)) for i in range(edges)),
        links=tuple((a, b, chance.randint(1, 10)) for a, b in sorted(pairs)),
        addresses=tuple(names),
        waypoints=tuple(waypoints),
        receivers=tuple(
            (router, name)
            for name in names
            for router in chance.sample(
                interior, 1 if name in served else min(RECEIVERS, len(interior))
            )
        ),
    )


def write_routers(estate: RouterEstate, folder: Path) -> None:
    """One file a router, and ``topograph.yaml``."""
    folder.mkdir(parents=True)
    connectors: dict[str, list[str]] = {name: [] for name in estate.routers}
    for a, b, cost in estate.links:
        connectors[b].append(_connector(f"to-{a}", a, 55672, "inter-router", cost))
    for edge, home in estate.edges:
        connectors[edge].append(_connector("uplink", home, 45672, "edge"))
    listed = "".join(_address(estate, number) for number in range(len(estate.addresses)))
    for name in estate.routers:
        parts = [
            _MAIN.format(name=name, mode="edge" if name in dict(estate.edges) else "interior"),
            *connectors[name],
        ]
        if name in estate.interior:
            parts.append(_LISTENERS)
        (folder / f"{name}.conf").write_text("".join([*parts, listed, *_containers(estate, name)]))
    (folder / "topograph.yaml").write_text(_side_inputs(estate))


def _connector(name: str, to: str, port: int, role: str, cost: int = 1) -> str:
    return (
        f"connector {{\n    name: {name}\n    host: {to.lower()}.example.net\n    port: {port}\n"
        f"    role: {role}\n    cost: {cost}\n}}\n\n"
    )


def _address(estate: RouterEstate, number: int) -> str:
    kind = (
        "waypoint: yes"
        if number % WAYPOINTS == 0
        else f"distribution: {DISTRIBUTIONS[number % len(DISTRIBUTIONS)]}"
    )
    return f"address {{\n    prefix: {estate.addresses[number]}\n    {kind}\n}}\n\n"


def _containers(estate: RouterEstate, router: str) -> list[str]:
    """The container of a router that serves waypoints, with its autolinks; and the link routes."""
    parts = []
    served = [address for address, at in estate.waypoints if at == router]
    if served:
        parts.append(_connector("broker", f"broker-{router}", 5672, "route-container"))
    for address in served:
        for direction in ("in", "out"):
            parts.append(
                f"autoLink {{\n    address: {address}\n    direction: {direction}\n    "
                f"connection: broker\n}}\n\n"
            )
    if router == estate.interior[0]:
        parts.append(_connector("archive", "archive", 5672, "route-container"))
        for number in range(LINK_ROUTES):
            for direction in ("in", "out"):
                parts.append(
                    f"linkRoute {{\n    prefix: archive{number}\n    direction: "
                    f"{direction}\n    connection: archive\n}}\n\n"
                )
    return parts


def _side_inputs(estate: RouterEstate) -> str:
    lines = ["hosts:", *(f"  {name.lower()}.example.net: {name}" for name in estate.interior)]
    lines += ["versions:", '  "*": 1.19.0', "clients:"]
    lines += [
        f"  - {{server: {router}, destination: 'address:{name}', role: receiver}}"
        for router, name in estate.receivers
    ]
    return "\n".join(lines) + "\n"


_MAIN = """router {{
    mode: {mode}
    id: {name}
}}

listener {{
    host: 0.0.0.0
    port: amqp
    role: normal
}}

"""

_LISTENERS = """listener {
    host: 0.0.0.0
    port: 55672
    role: inter-router
}

listener {
    host: 0.0.0.0
    port: 45672
    role: edge
}

"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Write a network of routers as configuration files."
    )
    parser.add_argument("routers", type=int)
    parser.add_argument("addresses", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    estate = router_estate(given.routers, given.addresses, given.seed)
    write_routers(estate, given.folder)
    print(
        f"{len(estate.routers)} routers, {len(estate.links)} links, "
        f"{len(estate.receivers):,} receivers in {given.folder}"
    )


if __name__ == "__main__":
    main()
