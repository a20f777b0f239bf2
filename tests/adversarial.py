"""EMS and router estates that have more paths than anybody can list: a few links, a whole grid,
everything with everything.

``written`` makes configuration folders of them, all links in one mhop zone, so that each of these
is an illegal EMS network.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from pathlib import Path

Links = list[tuple[int, int]]


def complete(servers: int) -> Links:
    """Every two servers are linked."""
    return list(combinations(range(servers), 2))


def dense(servers: int, links: int) -> Links:
    """So many links, each between two servers at random."""
    return sorted(random.Random(1).sample(complete(servers), links))


def grid(side: int) -> Links:
    """``side`` rows of ``side`` servers, each linked with those beside, above and below it."""
    across = [
        (row * side + at, row * side + at + 1) for row in range(side) for at in range(side - 1)
    ]
    down = [
        (row * side + at, (row + 1) * side + at) for row in range(side - 1) for at in range(side)
    ]
    return across + down


def ladder(rungs: int) -> Links:
    """Two chains of servers, each linked with the one opposite: 2 ** (rungs - 1) shortest ways
    and more from end to end.
    """
    sides = [(2 * at + side, 2 * at + 2 + side) for at in range(rungs - 1) for side in (0, 1)]
    return (
        sides
        + [(2 * at, 2 * at + 1) for at in range(rungs)]
        + [(2 * at, 2 * at + 3) for at in range(rungs - 1)]
    )


GRAPHS: Mapping[str, Callable[[], Links]] = {
    "complete-60": lambda: complete(60),
    "dense-200": lambda: dense(200, 4_000),
    "grid-12": lambda: grid(12),
    "ladder-30": lambda: ladder(30),
    "dense-30": lambda: dense(30, 300),
}


def name(server: int) -> str:
    return f"S{server:03d}"


def written(
    links: Links,
    root: Path,
    zone: Callable[[int, int], tuple[str, str]] = lambda a, b: ("M", "mhop"),
) -> Path:
    """The links as EMS servers, a folder each; a link stands in the file of its first server.
    ``zone`` gives its zone and type.
    """
    for server in sorted({end for link in links for end in link}):
        folder = root / name(server)
        folder.mkdir(parents=True)
        main = (
            f"server = {name(server)}\nrouting = enabled\nroutes = routes.conf\ntopics = "
            "topics.conf\n"
        )
        (folder / "tibemsd.conf").write_text(main, "utf-8")
        (folder / "topics.conf").write_text("orders global\n>\n", "utf-8")
        (folder / "routes.conf").write_text("".join(_routes(links, server, zone)), "utf-8")
    return root


def _routes(
    links: Links, server: int, zone: Callable[[int, int], tuple[str, str]]
) -> Iterator[str]:
    for a, b in links:
        if a == server:
            where, kind = zone(a, b)
            yield (
                f"[{name(b)}]\n  url = tcp://{name(b)}.example:7222\n  zone_name = {where}\n "
                f" zone_type = {kind}\n"
            )
