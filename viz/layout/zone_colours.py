"""Which colour a zone has: by its name, so that it is the same on all pages of a snapshot, and
another than that of its neighbours.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping

COLOURS = 8
"""Colours that zones are drawn in (``--zone-0`` and on in the style sheets)."""

PATTERNS = 5
"""Patterns that zones are filled with."""


def zone_colours(
    zones: Iterable[tuple[str, Collection[str]]],
    links: Iterable[tuple[str, str]],
    known: Mapping[str, int],
) -> dict[str, int]:
    """A number for each zone: modulo COLOURS that of its colour, modulo PATTERNS that of its
    pattern. ``zones`` are names with servers, ``links`` the ends of all links; ``known`` are
    numbers that stay.

    A name stands for a colour. Where a zone that shares a server has it, the next one is taken that
    no such zone has and the fewest zones at the other ends of links do: in the order of most
    neighbours, then by name. O(zones * neighbours + links).
    """
    servers: dict[str, set[str]] = {}
    for name, members in zones:
        servers.setdefault(name, set()).update(members)
    zones_of: dict[str, list[str]] = {}
    for name in sorted(servers):
        for server in servers[name]:
            zones_of.setdefault(server, []).append(name)
    beside = _joined(servers, ((a, a) for a in zones_of), zones_of)
    near = _joined(servers, links, zones_of)
    found = dict(known)
    for name in sorted(servers.keys() - known.keys(), key=lambda name: (-len(beside[name]), name)):
        taken = [found[other] % COLOURS for other in beside[name] if other in found]
        farther = [found[other] % COLOURS for other in near[name] if other in found]
        first = zlib.crc32(name.encode("utf-8", "surrogatepass"))
        colour = min(
            ((first + step) % COLOURS for step in range(COLOURS)),
            key=lambda colour: (taken.count(colour), farther.count(colour)),
        )
        # The number below 40 that leaves ``colour`` over 8 and a pattern of the name over 5.
        found[name] = (colour * 25 + first // COLOURS % PATTERNS * 16) % (COLOURS * PATTERNS)
    return found


def _joined(
    names: Iterable[str], pairs: Iterable[tuple[str, str]], zones_of: Mapping[str, Collection[str]]
) -> dict[str, set[str]]:
    """By zone the others that a pair of servers joins it to."""
    joined: dict[str, set[str]] = {name: set() for name in names}
    for a, b in pairs:
        for one in zones_of.get(a, ()):
            for other in zones_of.get(b, ()):
                if one != other:
                    joined[one].add(other)
                    joined[other].add(one)
    return joined
