"""Estates to measure on, written as configuration folders; the same seed gives the same files.

``company``: a random tree of hubs in one mhop zone (hub i is linked to a random earlier hub), and
around each hub a full 1hop mesh with nine more servers. 100 hubs give 1,000 servers and 4,599
links, 1,000 hubs 10,000 servers and 45,999 links. Every second link carries one of 5,000 route
selectors, and the servers' topic files have one of 200 contents.

``star``: one hub with any number of spokes in one mhop zone.

::

    python benchmarks/estates.py company 100 /tmp/estate
    python benchmarks/estates.py star 2000 /tmp/star
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

MESH_SIZE = 10
"""Servers of one 1hop mesh, its hub included."""
TOPIC_FILES = 200
SELECTORS = 5_000
SHARDS = 10
"""A message of one shard fails a tenth of the selectors."""


@dataclass(frozen=True, slots=True)
class Link:
    """A route: ``a`` opens it, and its selector (if any) stands on what ``a`` sends to ``b``."""

    a: str
    b: str
    zone: str
    zone_type: str
    selector: str = ""

    def passes(self, sender: str, shard: int) -> bool:
        """Whether a message of that shard may go over the link from ``sender``: what the
        selector's text says.
        """
        return not (self.selector and sender == self.a) or f"shard <> {shard} " not in self.selector


@dataclass(frozen=True, slots=True)
class Estate:
    """Servers and the links between them, before they are written."""

    servers: tuple[str, ...]
    links: tuple[Link, ...]


def selector(number: int) -> str:
    """One of the distinct selectors. True for a message with ``amount`` below 10,000 unless it
    is of the shard named.
    """
    return f"shard <> {number % SHARDS} AND amount < {10_000 + number}"


def company(hubs: int, seed: int = 1) -> Estate:
    """A tree of hubs, each in a full mesh with nine more servers."""
    chance = random.Random(seed)
    meshes = [[f"HUB{i:04d}", *(f"S{i:04d}{j}" for j in range(1, MESH_SIZE))] for i in range(hubs)]
    pairs = [(meshes[i][0], meshes[chance.randrange(i)][0], "WAN", "mhop") for i in range(1, hubs)]
    for i, members in enumerate(meshes):
        pairs += [(a, b, f"C{i}", "1hop") for n, a in enumerate(members) for b in members[n + 1 :]]
    return _estate([server for members in meshes for server in members], pairs, chance)


def star(spokes: int, seed: int = 1) -> Estate:
    """One hub and its spokes. The hub has ``spokes * (spokes - 1)`` ways to pass a message on."""
    chance = random.Random(seed)
    servers = ["HUB", *(f"SPOKE{i:04d}" for i in range(spokes))]
    return _estate(servers, [(spoke, "HUB", "WAN", "mhop") for spoke in servers[1:]], chance)


def _estate(
    servers: list[str], pairs: list[tuple[str, str, str, str]], chance: random.Random
) -> Estate:
    """Turns some links round, so that both ends open routes, and puts a selector on every second
    one.
    """
    links = []
    for n, (a, b, zone, zone_type) in enumerate(pairs):
        opener, other = (a, b) if chance.random() < 0.5 else (b, a)
        links.append(
            Link(opener, other, zone, zone_type, selector(n // 2 % SELECTORS) if n % 2 == 0 else "")
        )
    return Estate(tuple(servers), tuple(links))


def write(estate: Estate, folder: Path) -> None:
    """One folder a server: tibemsd.conf, routes.conf, topics.conf, queues.conf. About 15,000
    files a second.
    """
    routes: dict[str, list[str]] = {server: [] for server in estate.servers}
    for link in estate.links:
        routes[link.a].append(section(link))
    for number, server in enumerate(estate.servers):
        home = folder / server
        home.mkdir(parents=True)
        (home / "tibemsd.conf").write_text(_MAIN.format(server=server))
        (home / "routes.conf").write_text("".join(routes[server]))
        (home / "topics.conf").write_text(_topics(number % TOPIC_FILES))
        (home / "queues.conf").write_text(">\n")


def section(link: Link) -> str:
    """The route as it stands in routes.conf of the server that opens it."""
    lines = [
        f"[{link.b}]",
        f"  url=tcp://{link.b.lower()}.example.net:7222",
        f"  zone_name={link.zone}",
        f"  zone_type={link.zone_type}",
    ]
    if link.selector:
        lines.append(f'  outgoing_topic=orders selector="{link.selector}"')
    return "\n".join(lines) + "\n\n"


_MAIN = """server     = {server}
listen     = tcp://7222
routing    = enabled
topics     = topics.conf
queues     = queues.conf
routes     = routes.conf
"""


def _topics(number: int) -> str:
    """``orders`` is global everywhere; ``part.N`` on the servers of that file only."""
    return (
        f">\norders global,maxbytes=64MB\npart.{number} "
        f"global,maxbytes={number + 1}MB\nlocal.{number}\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Write an estate as configuration folders.")
    parser.add_argument("shape", choices=["company", "star"])
    parser.add_argument("size", type=int, help="hubs of a company, spokes of a star")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    estate = {"company": company, "star": star}[given.shape](given.size, given.seed)
    write(estate, given.folder)
    print(f"{len(estate.servers):,} servers, {len(estate.links):,} links in {given.folder}")


if __name__ == "__main__":
    main()
