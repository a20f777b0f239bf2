"""Where brokers and containers stand that servers connect to: beside the first of them, on its
free side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from topograph.systems.contract.system import Attached
from topograph.viz.layout.blocks import Spot
from topograph.viz.layout.free_sides import free_side
from topograph.viz.scene.records import AttachedDrawn, LinkDrawn, Mark
from topograph.words.visible import clean

AWAY = 62.0
"""From the middle of a server."""

APART = 44.0
"""Between what is attached and any server, where there is room."""

TURNS = (0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8, 2.4, -2.4, math.pi)


def attached_drawn(
    attached: Iterable[Attached],
    spots: Mapping[str, Spot],
    links: Sequence[LinkDrawn],
    said: Mapping[str, tuple[Mark, str]],
) -> tuple[AttachedDrawn, ...]:
    """What is attached to servers that have a place, by name, with what is ``said`` of it. Linear
    in links, and for each in the servers.
    """
    near: dict[str, list[Spot]] = {}
    for link in links:
        for end, other in (link.ends, link.ends[::-1]):
            near.setdefault(end, []).append(spots[other])
    taken = list(spots.values())
    found = []
    for one in sorted(attached, key=lambda one: (one.name, one.servers)):
        servers = tuple(name for name in one.servers if name in spots)
        if not servers:
            continue
        here = spots[servers[0]]
        angle = free_side(here, [at for at in near.get(servers[0], ()) if at != here])
        places = [
            (here[0] + AWAY * math.cos(angle + turn), here[1] + AWAY * math.sin(angle + turn))
            for turn in TURNS
        ]
        x, y = next(
            (at for at in places if all(math.dist(at, server) >= APART for server in taken)),
            places[0],
        )
        taken.append((x, y))
        near.setdefault(servers[0], []).append((x, y))
        offset = round(x - here[0], 1), round(y - here[1], 1)
        what = said.get(one.name, (Mark.NONE, ""))
        found.append(AttachedDrawn(clean(one.name), one.kind, servers, one.source, *offset, *what))
    return tuple(found)
