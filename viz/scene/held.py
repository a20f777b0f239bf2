"""What servers hold: their destinations, and what else their systems say (``Capabilities.holds``),
each kind counted, with the first names.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.systems import system, systems_in
from topograph.systems.contract.groups import Held
from topograph.words.visible import clean

if TYPE_CHECKING:
    from topograph.questions.model import Part

MOST_SERVERS = 300
"""Servers up to which a picture lists what each holds."""

NAMES = 8
"""Names of a kind that a picture has of a server."""


def held(
    parts: Sequence[Part], label: Callable[[str, str], str], servers: int
) -> Mapping[str, Sequence[tuple[str, int, tuple[str, ...]]]]:
    """By label what each server holds, kinds by name; nothing in networks of more than MOST_SERVERS
    ``servers``. Linear in what is held."""
    if servers > MOST_SERVERS:
        return {}
    names: dict[tuple[str, str], set[str]] = {}
    for part in parts:
        for one in _held(part, label):
            if one.name:
                names.setdefault((one.server, one.kind), set()).add(clean(one.name))
    found: dict[str, list[tuple[str, int, tuple[str, ...]]]] = {}
    for (server, kind), own in sorted(names.items()):
        first = tuple(heapq.nsmallest(NAMES, own))
        found.setdefault(server, []).append((kind, len(own), first))
    return found


def _held(part: Part, label: Callable[[str, str], str]) -> Iterator[Held]:
    """What the servers of a part hold, under their labels."""
    systems = systems_in(part.graph)
    bare = Counter(server.name for server in part.graph.servers)
    of = {server.name: server.system for server in part.graph.servers if bare[server.name] == 1}
    for name in systems:
        holds = system(name).capabilities.holds
        if holds is not None:
            for one in holds(part.facts_of(name), part.side_inputs):
                yield Held(label(name, one.server), one.kind, one.name)
    for row in part.estate.show("destinations") or ():
        server = str(row["server"])
        # Rows do not say the system: of a server whose name several have, none are listed.
        if server in of:
            kind = str(row.get("type") or "destination").lower()
            yield Held(label(of[server], server), kind, str(row.get("name", "")))
