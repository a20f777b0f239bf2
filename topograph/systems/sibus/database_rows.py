"""What a published network shows of buses: their destinations and forward routing paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.facts import Fact
from topograph.forwarding.descriptions import DestinationShown
from topograph.systems.stepping_rows import (
    STATEMENTS,
    bridges,
    cut_off,
    destinations_of,
    doubts,
    guard_words,
    message_guards,
    names_by_server,
    point_words,
    route_urls,
)

__all__ = [
    "STATEMENTS",
    "bridges",
    "cut_off",
    "destinations",
    "doubts",
    "guard_words",
    "message_guards",
    "names_by_server",
    "point_words",
    "route_urls",
]


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """See ``DatabaseRows``."""
    return destinations_of("sibus", facts)
