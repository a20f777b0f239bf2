"""Random networks of EMS servers as files: legal ones, ones with routes too many, and ones of which
files are missing or wrong.

Nothing here uses topograph's own code: whether a network is legal follows from how it is made (a
tree of links and of meshes, each mesh a 1hop zone of its own: two paths would enclose a cycle over
several zones or in an mhop zone).
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from brute_force.ems_estate import PATTERNS, SELECTORS, Estate, Link
from draws import draws

MANY = draws(36)
"""Random networks on which the slow tests compare the engine of pages with the commands."""

NAMES = (
    "A",
    "B",
    "C",
    "a",
    "b",
    "É",
    "Ｚ",
    "𝔸",
    "D-1",
    "D_2",
    "D.3",
    "HQ",
    "LONDON",
    "x1",
    "x10",
    "x2",
)
"""Fullwidth Z is before 𝔸 by code points and behind it by UTF-16 units: Python and scripts
compare texts differently.
"""


@dataclass(frozen=True)
class Made:
    """A network: ``whole`` where every server's files are there and say what they should,
    ``legal`` where no two paths join two servers.
    """

    name: str
    estate: Estate
    legal: bool
    whole: bool
    seed: int

    def write(self, folder: Path) -> None:
        """Write its files, those that are missing left out."""
        self.estate.write(folder)
        if not self.whole:
            _spoil(folder, self.estate, random.Random(self.seed))


def made(seed: int) -> Made:
    """The network of a number: every third has a route too many or more, every other one files
    that are missing.
    """
    chance = random.Random(seed)
    legal, whole = seed % 3 != 0, seed % 2 == 0
    servers = chance.sample(NAMES, chance.randint(2, len(NAMES) if legal else 8))
    links = list(_tree(servers, chance))
    zones = {
        link.zone: "1hop" if link.zone.startswith("M") else chance.choice(("1hop", "1hop", "mhop"))
        for link in links
    }
    if not legal:
        links += _too_many(servers, links, chance)
        zones |= {link.zone: zones.get(link.zone, "mhop") for link in links}
    globals_ = {
        name: tuple(chance.sample(sorted(PATTERNS), chance.randint(0, 3))) for name in servers
    }
    name = f"{seed}-{'legal' if legal else 'illegal'}-{'whole' if whole else 'missing'}"
    return Made(name, Estate(zones, tuple(servers), tuple(links), globals_), legal, whole, seed)


def _tree(servers: list[str], chance: random.Random) -> list[Link]:
    """Each server joins those before it by one link, or with others by a mesh; now and then none
    does.
    """
    links: list[Link] = []
    waiting, placed = servers[1:], servers[:1]
    while waiting:
        if chance.random() < 0.1:
            placed.append(waiting.pop())
        elif chance.random() < 0.3 and len(waiting) > 1:
            zone = f"M{len(links)}"
            mesh = [
                chance.choice(placed),
                *(waiting.pop() for _ in range(min(len(waiting), chance.randint(2, 4)))),
            ]
            links += [
                _link(a, b, zone, chance) for at, a in enumerate(mesh) for b in mesh[at + 1 :]
            ]
            placed += mesh[1:]
        else:
            near, new = chance.choice(placed), waiting.pop()
            links.append(_link(near, new, f"Z{chance.randint(1, 2)}", chance))
            placed.append(new)
    return links


def _too_many(servers: list[str], links: list[Link], chance: random.Random) -> list[Link]:
    joined = {frozenset(link.ends) for link in links}
    pairs = [
        (a, b)
        for at, a in enumerate(servers)
        for b in servers[at + 1 :]
        if frozenset((a, b)) not in joined
    ]
    chosen = chance.sample(pairs, min(len(pairs), chance.randint(1, 3)))
    zones = [link.zone for link in links] or ["Z1"]
    return [_link(a, b, chance.choice(zones), chance) for a, b in chosen]


def _link(a: str, b: str, zone: str, chance: random.Random) -> Link:
    ends = (a, b) if a < b else (b, a)
    configured = chance.choice([(a,), (b,), (a, b)])
    selectors = tuple(
        (owner, chance.choice(("incoming", "outgoing")), pattern, chance.choice(sorted(SELECTORS)))
        for owner in configured
        for pattern in chance.sample(sorted(PATTERNS), chance.randint(0, 2))
    )
    return Link(ends, zone, configured, selectors)


def _spoil(folder: Path, estate: Estate, chance: random.Random) -> None:
    """Take files away, disable routing, give a server two configurations."""
    for name in estate.servers:
        fate = chance.random()
        home = folder / name
        main = home / "tibemsd.conf"
        if fate < 0.12 and name != estate.servers[0]:
            shutil.rmtree(home)
        elif fate < 0.2:
            (home / "routes.conf").unlink()
        elif fate < 0.26:
            (home / "topics.conf").unlink()
        elif fate < 0.34:
            main.write_text(
                main.read_text(encoding="utf-8").replace("enabled", "disabled"), encoding="utf-8"
            )
        elif fate < 0.38:
            shutil.copytree(home, folder / f"{name}-other")
            with (folder / f"{name}-other" / "routes.conf").open("a", encoding="utf-8") as routes:
                routes.write("[ELSEWHERE]\n  url = tcp://elsewhere:7222\n")
        elif fate < 0.42:
            with (home / "routes.conf").open("a", encoding="utf-8") as routes:
                routes.write("[FAR]\n  url = tcp://far:7222\n  zone_name = F\n  zone_type = 9hop\n")


def write_random_routers(folder: Path, seed: int) -> None:
    """Interior routers joined at random at few different costs, so that many ways cost the same,
    some of them edges; of some the file is missing.
    """
    chance = random.Random(seed)
    names = chance.sample(
        ("A", "B", "C", "a", "É", "Ｚ", "R1", "R10", "R2", "𝔸"), chance.randint(3, 10)
    )
    edges = names[: chance.randint(0, 2)] if len(names) > 4 else []
    interior = names[len(edges) :]
    lost = {name for name in names[1:] if chance.random() < 0.1} if seed % 2 else set()
    for at, name in enumerate(names):
        mode = "edge" if name in edges else "interior"
        text = f"router {{\n  mode: {mode}\n  id: {name}\n}}\n"
        if name in edges:
            text += _end("connector", names.index(chance.choice(interior)), 2, "edge", 1)
        else:
            text += _end("listener", at, 1, "inter-router", 1) + _end("listener", at, 2, "edge", 1)
            for other in interior[: interior.index(name)]:
                if chance.random() < 0.5:
                    text += _end(
                        "connector", names.index(other), 1, "inter-router", chance.randint(1, 3)
                    )
        if name not in lost:
            (folder / f"{at}.conf").write_text(text, encoding="utf-8")


def _end(kind: str, at: int, port: int, role: str, cost: int) -> str:
    return f"{kind} {{\n  host: h{at}\n  port: {port}\n  role: {role}\n  cost: {cost}\n}}\n"
