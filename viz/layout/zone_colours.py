"""Which colour and pattern a zone, or another named set of servers, has: the same on all pages of a
snapshot, and no two alike as long as there are enough.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

COLOURS = 8
"""Colours that zones are drawn in (``--zone-0`` and on in the style sheets)."""

PATTERNS = 9
"""Patterns that zones are filled with: has no divisor in common with COLOURS, so that each
number below their product is another pair of the two."""

Name = TypeVar("Name", bound=Hashable)


def zone_colours(
    zones: Iterable[tuple[Name, Collection[str]]],
    links: Iterable[tuple[str, str]],
    known: Mapping[Name, int],
) -> dict[Name, int]:
    """A number for each zone: modulo COLOURS that of its colour, modulo PATTERNS that of its
    pattern. ``zones`` are names with servers, ``links`` the ends of all links; ``known`` are
    numbers that stay.

    The largest zones choose first. Each takes a number whose colour no zone has that shares a
    server with it, then one that no other zone has, of the patterns and colours that fewest zones
    have: up to COLOURS zones differ in colour, up to PATTERNS in pattern, and COLOURS * PATTERNS in
    either. Of equal choices the colour is that which the fewest zones at the other ends of links
    have, then that of the name. O(zones * (neighbours + COLOURS * PATTERNS) + links).
    """
    servers: dict[Name, set[str]] = {}
    for name, members in zones:
        servers.setdefault(name, set()).update(members)
    zones_of: dict[str, list[Name]] = {}
    for name in sorted(servers, key=str):
        for server in servers[name]:
            zones_of.setdefault(server, []).append(name)
    beside = _joined(servers, ((a, a) for a in zones_of), zones_of)
    near = _joined(servers, links, zones_of)
    found = dict(known)
    used = Counter(found.values())
    colours = Counter(number % COLOURS for number in found.values())
    patterns = Counter(number % PATTERNS for number in found.values())
    for name in sorted(
        servers.keys() - known.keys(),
        key=lambda name: (-len(servers[name]), -len(beside[name]), str(name)),
    ):
        taken = Counter(found[other] % COLOURS for other in beside[name] if other in found)
        farther = Counter(found[other] % COLOURS for other in near[name] if other in found)
        first = zlib.crc32(str(name).encode("utf-8", "surrogatepass"))
        number = min(
            range(COLOURS * PATTERNS),
            key=lambda number: (
                taken[number % COLOURS],
                used[number],
                patterns[number % PATTERNS],
                colours[number % COLOURS],
                farther[number % COLOURS],
                (number - first) % (COLOURS * PATTERNS),
            ),
        )
        found[name] = number
        used[number] += 1
        colours[number % COLOURS] += 1
        patterns[number % PATTERNS] += 1
    return found


def _joined(
    names: Iterable[Name],
    pairs: Iterable[tuple[str, str]],
    zones_of: Mapping[str, Collection[Name]],
) -> dict[Name, set[Name]]:
    """By zone the others that a pair of servers joins it to."""
    joined: dict[Name, set[Name]] = {name: set() for name in names}
    for a, b in pairs:
        for one in zones_of.get(a, ()):
            for other in zones_of.get(b, ()):
                if one != other:
                    joined[one].add(other)
                    joined[other].add(one)
    return joined
