"""Networks of known shapes for tests of pictures: rings, stars, trees and so on, of all systems,
written as configuration files.

``SHAPES`` has them by name; ``Shape.write`` writes the files, ``Shape.network`` reads them once.
``names`` gives other names in another order to a shape that is made of links: what a shape looks
like must not depend on them.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import topograph
from drawn.networks import ROOT, estates

Link = tuple[str, str, str, str]
"""Both ends, zone, type of the zone."""

_CITIES = (
    "AMMAN ATHENS BAKU BERLIN BERN BOGOTA BRNO CAIRO CORK DAKAR DELHI DOHA DUBLIN GENEVA GENOA "
    "GHENT GRAZ HANOI HAVANA ISTANBUL KABUL KRAKOW KYIV LAGOS LAHORE LEEDS LILLE LIMA LINZ LISBON "
    "LODZ LOME LYON MALAGA MALMO MANILA MILAN MINSK MOSUL MUMBAI MUNICH NANTES NAPLES NICE ODESSA "
    "OPORTO OSAKA OSLO PADUA PERTH PRAGUE QUITO RABAT RIGA ROME SEOUL SOFIA SPLIT TUNIS TURIN "
    "VIENNA VILNIUS WARSAW YEREVAN ZAGREB ZURICH"
)
CITIES = tuple(_CITIES.split())


def city(number: int) -> str:
    """A name for each number, all different."""
    again = number // len(CITIES)
    return CITIES[number % len(CITIES)] + (f"-{again}" if again else "")


@dataclass(frozen=True, slots=True)
class Shape:
    """A network of a known shape. ``links`` are those of an EMS network, empty for the others;
    ``connected`` says that every server is linked to every other over some path; ``chain`` that it
    is a chain.
    """

    name: str
    servers: int
    files: Callable[[Path], None]
    links: tuple[Link, ...] = ()
    connected: bool = True
    chain: bool = False

    def write(self, folder: Path) -> None:
        """Writes its configuration files into a folder that does not exist yet."""
        self.files(folder)

    @property
    def network(self) -> topograph.Network:
        """It as it is read. Read once."""
        return _network(self.name)


@cache
def _network(name: str) -> topograph.Network:
    with tempfile.TemporaryDirectory() as folder:
        estate = Path(folder) / "estate"
        SHAPES[name].write(estate)
        return topograph.read(estate)


def of_links(
    name: str, links: Sequence[Link], *, connected: bool = True, chain: bool = False
) -> Shape:
    """A shape of EMS servers with these routes."""
    servers = tuple(sorted({end for link in links for end in link[:2]}))
    module = estates()

    def files(folder: Path) -> None:
        _write_ems(module, servers, links, folder)

    return Shape(name, len(servers), files, tuple(links), connected, chain)


def renamed(links: Iterable[Link], number: int) -> list[Link]:
    """The same links between servers of other names, in another order, some the other way round."""
    chance = random.Random(number)
    made = list(links)
    servers = sorted({end for link in made for end in link[:2]})
    names = [city(n) for n in range(len(servers))]
    chance.shuffle(names)
    to = dict(zip(servers, names, strict=True))
    chance.shuffle(made)
    return [
        (to[b], to[a], zone, kind) if chance.random() < 0.5 else (to[a], to[b], zone, kind)
        for a, b, zone, kind in made
    ]


def _write_ems(
    module: ModuleType, servers: Sequence[str], links: Sequence[Link], folder: Path
) -> None:
    made = tuple(module.Link(*link) for link in links)
    module.write(module.Estate(tuple(servers), made), folder)


def chain(number: int) -> list[Link]:
    return [(city(n), city(n + 1), "LINE", "mhop") for n in range(number - 1)]


def ring(number: int, zone: str = "RING") -> list[Link]:
    return [(city(n), city((n + 1) % number), zone, "mhop") for n in range(number)]


def star(leaves: int) -> list[Link]:
    return [("HUB", city(n), "WAN", "mhop") for n in range(leaves)]


def tree(number: int, children: int = 3) -> list[Link]:
    return [(city((n - 1) // children), city(n), "TREE", "mhop") for n in range(1, number)]


def ring_of_rings(rings: int, each: int) -> list[Link]:
    inner = [
        (f"R{i}N{n}", f"R{i}N{(n + 1) % each}", f"RING{i}", "mhop")
        for i in range(rings)
        for n in range(each)
    ]
    return inner + [(f"R{i}N0", f"R{(i + 1) % rings}N0", "OUTER", "mhop") for i in range(rings)]


def mesh_zones(regions: Sequence[str], each: int) -> list[Link]:
    """A full mesh a region, the first servers of the others joined to the first region's."""
    names = {region: [f"{region}-{n:02d}" for n in range(each)] for region in regions}
    inner = [
        (a, b, region, "1hop")
        for region, members in names.items()
        for n, a in enumerate(members)
        for b in members[n + 1 :]
    ]
    first = names[regions[0]][0]
    return inner + [(names[region][0], first, "CORE", "mhop") for region in regions[1:]]


def parts() -> list[Link]:
    """Four parts without links to each other: a ring, a star, a chain, a pair."""
    return [
        *(("RING-" + a, "RING-" + b, "A", kind) for a, b, _, kind in ring(6)),
        *(("STAR-" + a, "STAR-" + b, "B", kind) for a, b, _, kind in star(7)),
        *(("LINE-" + a, "LINE-" + b, "C", kind) for a, b, _, kind in chain(5)),
        ("PAIR-A", "PAIR-B", "D", "mhop"),
    ]


def company(hubs: int) -> list[Link]:
    return [(link.a, link.b, link.zone, link.zone_type) for link in estates().company(hubs).links]


def write_clusters(folder: Path, queue_managers: int) -> None:
    """Two clusters of IBM MQ, NORTHERN and SOUTHERN, that share the queue manager BRIDGE. Each has
    a full repository that everybody names, and a queue on each member.
    """
    folder.mkdir(parents=True, exist_ok=True)
    half = (queue_managers - 1) // 2
    gateway = ["* Queue manager name: BRIDGE", _LISTENER]
    for cluster, prefix, count in (
        ("NORTHERN", "N", half),
        ("SOUTHERN", "S", queue_managers - 1 - half),
    ):
        members = [f"{prefix}{n:03d}" for n in range(count)]
        repository, second = members[0], members[1]
        for member in members:
            other = second if member == repository else repository
            lines = [f"* Queue manager name: {member}", _LISTENER]
            if member in (repository, second):
                lines.append(f"ALTER QMGR REPOS('{cluster}')")
            lines += _membership(member, other, cluster)
            lines.append(f"DEFINE QLOCAL('{member}.IN') CLUSTER('{cluster}')")
            (folder / f"{member}.mqsc").write_text("\n".join(lines) + "\n")
        gateway += _membership("BRIDGE", repository, cluster)
    (folder / "BRIDGE.mqsc").write_text("\n".join(gateway) + "\n")


_LISTENER = "DEFINE LISTENER('TCP') TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)"


def _membership(member: str, repository: str, cluster: str) -> list[str]:
    """The cluster channels of a member: its own, and one to a full repository."""
    to = f"{cluster[:1]}.TO"
    return [
        f"DEFINE CHANNEL('{to}.{name}') CHLTYPE({kind}) TRPTYPE(TCP) "
        f"CONNAME('{name.lower()}.example(1414)') CLUSTER('{cluster}')"
        for name, kind in ((member, "CLUSRCVR"), (repository, "CLUSSDR"))
    ]


def write_example(name: str) -> Callable[[Path], None]:
    """The files of one of ``examples/``."""

    def files(folder: Path) -> None:
        for path in sorted((ROOT / "examples" / name).rglob("*")):
            if path.is_file():
                copy = folder / path.relative_to(ROOT / "examples" / name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())

    return files


def write_routers(folder: Path, routers: int) -> None:
    """Routers with a few addresses (``benchmarks/router_estates.py``)."""
    path = ROOT / "benchmarks" / "router_estates.py"
    spec = importlib.util.spec_from_file_location("benchmark_routers_for_pictures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.write_routers(module.router_estate(routers, 10), folder)


REGIONS = ("EMEA", "AMER", "APAC", "LATAM")

_MADE = (
    of_links("chain13", chain(13), chain=True),
    of_links("chain30", chain(30), chain=True),
    of_links("ring12", ring(12)),
    of_links("ring24", ring(24)),
    of_links("star13", star(12)),
    of_links("star30", star(29)),
    of_links("hub50", star(50)),
    of_links("hub300", star(300)),
    of_links("tree13", tree(13)),
    of_links("tree60", tree(60)),
    of_links("ring-of-rings60", ring_of_rings(6, 10)),
    of_links("mesh60", mesh_zones(REGIONS, 15)),
    of_links("parts4", parts(), connected=False),
    of_links("company200", company(20)),
    of_links("company1000", company(100)),
    of_links("company1010", company(101)),
    Shape("company3000", 3_000, lambda folder: estates().write(estates().company(300), folder)),
    Shape("company10000", 10_000, lambda folder: estates().write(estates().company(1000), folder)),
    Shape("star3000", 3_001, lambda folder: estates().write(estates().star(3000), folder)),
    Shape("clusters20", 20, lambda folder: write_clusters(folder, 20)),
    Shape("clusters200", 200, lambda folder: write_clusters(folder, 200)),
    Shape("routers128", 128, lambda folder: write_routers(folder, 128)),
    Shape("sibus", 2, write_example("sibus_orders"), connected=False),
    Shape("mqe", 4, write_example("mqe_devices"), connected=False),
    Shape("mixed", 4, write_example("mixed"), connected=False),
    Shape("queue-managers", 6, write_example("queue_managers"), connected=False),
)

SHAPES = {shape.name: shape for shape in _MADE}
SMALL = tuple(name for name, shape in SHAPES.items() if shape.servers <= 60)
"""Those that every test can afford."""
