"""What lint rules of buses look for: cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from topograph.message import Address
from topograph.systems.sibus.buses.configuration import TOPIC_SPACE, Bus, BusDestination
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.lookup import lookup

Place = tuple[str, str]
"""A destination: server and name."""

Filled = tuple[Bus, BusDestination]
"""A destination from whose default a path is filled, and the bus it is configured on."""

Node = TypeVar("Node")


def cycles(successor: Mapping[Node, Node]) -> Iterator[list[Node]]:
    """The cycles of a graph in which each node leads to at most one other, each from the first
    of its nodes in order. Linear.
    """
    state: dict[Node, int] = {}
    for number, start in enumerate(successor):
        way: list[Node] = []
        node = start
        while node in successor and node not in state:
            state[node] = number
            way.append(node)
            node = successor[node]
        if state.get(node) == number and node in way:
            cycle = way[way.index(node) :]
            first = min(range(len(cycle)), key=lambda place: str(cycle[place]))
            yield cycle[first:] + cycle[:first]


def default_cycles(estate: BusEstate) -> list[list[Filled]]:
    """The cycles of default paths: destinations each of whose default path ends at the next one
    (S-05, S-09).
    """
    to: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    filled: dict[tuple[str, str, str], Filled] = {}
    for bus in estate.buses.values():
        for other, one in bus.all_by_bus:
            end = _end(estate, bus, one) if one.path else None
            if end is not None:
                to[bus.server, other, one.name] = end
                filled[bus.server, other, one.name] = bus, one
    filling = {place: end for place, end in to.items() if end in to}
    return [[filled[place] for place in cycle] for cycle in cycles(filling)]


def _end(estate: BusEstate, bus: Bus, one: BusDestination) -> tuple[str, str, str] | None:
    """Where a message is whose path was filled from a default, when the path is empty: the server,
    the other bus that an address there names, and the destination. None where it does not get to
    the end.
    """
    at, other = bus, ""
    for number, element in enumerate(one.path):
        other = "" if at.is_own(element.bus) else element.bus
        found = lookup(at, Address(other, element.destination))
        last = number == len(one.path) - 1
        if found.route is not None and found.destination is None:
            following = estate.buses.get(estate.server_of(found.route.bus))
            if following is None or found.route.kind == "mq":
                return None
            at, other = following, ""
            found = lookup(at, Address(other, element.destination))
        if found.destination is None or (found.destination.type == TOPIC_SPACE and not last):
            return None
    return at.server, other, one.path[-1].destination
