"""What is wrong or risky in the configuration of buses (outcomes.md 4.1). Linear in the
destinations and the elements of their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from topograph.findings import Finding, Severity
from topograph.message import Address
from topograph.rules.sibus_findings import (
    EXCEPTION_DESTINATION_NO_QUEUE,
    EXCEPTION_DESTINATION_NOT_FOUND,
    SL_01,
    SL_02,
    SL_03,
    SL_04,
    SL_05,
    SL_06,
    SL_07,
    SL_08,
    SL_09,
    SL_10,
    SL_11,
    SL_12,
    SL_13,
    SL_14,
    SL_15,
)
from topograph.rules.unnumbered import DESTINATION_DEFINED_TWICE, SEVERAL_BUSES_OF_ONE_NAME
from topograph.systems.sibus.ambiguities import A4, S9
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    SERVICE,
    TOPIC_SPACE,
    Bus,
    BusDestination,
)
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.lookup import lookup, named, target_of
from topograph.systems.sibus.buses.terms import SYSTEM_DEFAULT

Place = tuple[str, str]
"""A destination: server and name."""

Filled = tuple[Bus, BusDestination]
"""A destination from whose default a path is filled, and the bus it is configured on."""

Node = TypeVar("Node")


def findings(estate: BusEstate) -> Iterator[Finding]:
    """Every finding of every bus."""
    visited = _visited(estate)
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            yield from _of_destination(bus, one, visited)
        if bus.ambiguous:
            message = (
                f"S{bus.ambiguous[1:]}. Answers about {bus.server} are undetermined: import "
                "them apart."
            )
            yield SEVERAL_BUSES_OF_ONE_NAME.at(bus.source, message, server=bus.server)
        for first, second in bus.doubled:
            text = (
                f"{second.name} is also defined at {first.source}, in other words: that "
                "definition counts."
            )
            yield DESTINATION_DEFINED_TWICE.at(second.source, text, server=bus.server)
        yield from _exception_cycles(bus)
        yield from _alias_cycles(bus)
    yield from _default_cycles(estate)
    for entry in estate.side_inputs.mediations:
        forward = entry.forward_path is not None or bool(entry.forward_path_before)
        reverse = entry.reverse_path is not None or bool(entry.reverse_path_before)
        if forward and not reverse and entry.result == "pass":
            what = entry.mediation or f"at {entry.destination}"
            text = (
                f"Mediation {what} changes the forward path and not the reverse path: "
                "replies do not come back the matching way."
            )
            yield SL_15.at(entry.source, text, server=entry.bus)


def _visited(estate: BusEstate) -> set[Place]:
    """The destinations that some default path names, or that have one."""
    found: set[Place] = set()
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            if one.path:
                found.add((bus.server, one.name))
            for element in one.path:
                server = bus.server if bus.is_own(element.bus) else estate.server_of(element.bus)
                found.add((server, element.destination))
    return found


def _of_destination(bus: Bus, one: BusDestination, visited: set[Place]) -> Iterator[Finding]:
    yield from _path(bus, one)
    if one.type == ALIAS:
        yield from _alias(bus, one)
    else:
        yield from _exception(bus, one)
    if one.type == SERVICE and not one.path and not one.doubt:
        text = (
            f"Service destination {one.name} has no default forward routing path: messages "
            "without a path of their own go to its exception destination."
        )
        yield SL_08.at(one.source, text, server=bus.server)
    if one.reply is not None and (bus.server, one.name) not in visited:
        text = f"{one.name} has a reply destination, and no default forward routing path visits it."
        yield SL_12.at(one.source, text, server=bus.server)


def _path(bus: Bus, one: BusDestination) -> Iterator[Finding]:
    """SL-01, SL-02, SL-11."""
    at = bus
    newer = _is_new(bus.version)
    away = ""
    for number, element in enumerate(one.path):
        last = number == len(one.path) - 1
        if element.bus:
            away = "" if bus.is_own(element.bus) else element.bus
        elif away:
            text = (
                f"Element {element.destination} of the path of {one.name} names no bus and "
                f"follows one on {away}: it is looked up there."
            )
            yield SL_11.at(one.source, text, server=bus.server)
            continue
        address = Address("" if not away else element.bus, element.destination)
        found = lookup(at, address)
        if not found.leads_on and not found.unsure:
            text = (
                f"The default path of {one.name} names {element.destination}, which cannot "
                f"be found: {found.text.rstrip('.')}."
            )
            yield SL_01.at(one.source, text, server=bus.server)
        elif (
            found.destination is not None
            and target_type(at, address) == TOPIC_SPACE
            and (newer or not last)
        ):
            where = "as its last element" if last else "in the middle"
            text = (
                f"The default path of {one.name} names the topic space {element.destination} "
                f"{where}."
            )
            severity = Severity.ERROR if newer else Severity.WARNING
            yield SL_02.at(one.source, text, severity=severity, server=bus.server)


def target_type(bus: Bus, address: Address) -> str:
    """The type of what handles messages for an address; empty where nothing does."""
    found = target_of(bus, address).found.destination
    return found.type if found else ""


def _is_new(version: str) -> bool:
    """Whether a product version is 8.5 or later."""
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    return numbers >= [8, 5]


def _exception(bus: Bus, one: BusDestination) -> Iterator[Finding]:
    """SL-04, SL-05, SL-07, SL-14."""
    source = one.exception_source or one.source
    if one.exception == one.name:
        text = (
            f"The exception destination of {one.name} is {one.name} itself: a message that "
            "cannot be delivered comes back again and again."
        )
        yield SL_05.at(source, text, server=bus.server)
        if bus.liberty:
            yield SL_14.at(source, text, server=bus.server)
    elif one.exception not in ("", SYSTEM_DEFAULT):
        target = target_of(bus, Address("", one.exception)).found
        if target.destination is None and not target.unsure:
            text = (
                f"The exception destination {one.exception} of {one.name} does not exist: "
                "the system exception destination is used."
            )
            yield SL_04.at(source, text, kind=EXCEPTION_DESTINATION_NOT_FOUND, server=bus.server)
        elif (
            target.destination is not None
            and not target.destination.is_queue
            and not target.destination.doubt
        ):
            text = (
                f"The exception destination {one.exception} of {one.name} is not a queue: "
                "the system exception destination is used."
            )
            yield SL_04.at(source, text, kind=EXCEPTION_DESTINATION_NO_QUEUE, server=bus.server)
    elif not one.exception and one.limit_stated and not bus.liberty:
        text = (
            f"{one.name} has no exception destination: its maxFailedDeliveries of "
            f"{one.limit} moves no message away."
        )
        yield SL_07.at(source, text, server=bus.server)


def _alias(bus: Bus, one: BusDestination) -> Iterator[Finding]:
    """SL-10, SL-13."""
    if bus.liberty and one.no_target and one.target is not None:
        text = (
            f"Alias {one.name} targets {one.target.destination}, which is an alias or not "
            "configured: nobody can send to it."
        )
        yield SL_13.at(one.source, text, server=bus.server)
        return
    if one.target is None:
        return
    found = named(
        bus, Address("" if bus.is_own(one.target.bus) else one.target.bus, one.target.destination)
    )
    if found.destination is not None and found.destination.type == SERVICE:
        text = (
            f"Alias {one.name} targets the service destination {one.target.destination}, "
            "which is not allowed."
        )
        yield SL_10.at(one.source, text, server=bus.server)


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


def _exception_cycles(bus: Bus) -> Iterator[Finding]:
    """SL-06."""
    to = {
        name: one.exception
        for name, one in sorted(bus.destinations.items())
        if one.exception not in ("", SYSTEM_DEFAULT, name) and one.exception in bus.destinations
    }
    for cycle in cycles(to):
        one = bus.destinations[cycle[0]]
        text = f"Exception destinations form a cycle: {' -> '.join((*cycle, cycle[0]))}."
        yield SL_06.at(one.exception_source or one.source, text, server=bus.server)


def _alias_cycles(bus: Bus) -> Iterator[Finding]:
    """SL-09."""
    to: dict[tuple[str, str], tuple[str, str]] = {}
    aliases: dict[tuple[str, str], BusDestination] = {}
    for (other, name), one in (
        *((("", name), one) for name, one in sorted(bus.destinations.items())),
        *sorted(bus.elsewhere.items()),
    ):
        if one.type == ALIAS and one.target is not None:
            to[other, name] = (
                "" if bus.is_own(one.target.bus) else one.target.bus,
                one.target.destination,
            )
            aliases[other, name] = one
    for cycle in cycles(to):
        text = (
            "Aliases lead back to themselves: "
            f"{' -> '.join(name for _, name in (*cycle, cycle[0]))}."
        )
        yield SL_09.at(aliases[cycle[0]].source, text, server=bus.server)


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


def _default_cycles(estate: BusEstate) -> Iterator[Finding]:
    """SL-03."""
    limit = estate.readings.number(S9)
    for cycle in () if estate.readings.takes(A4, "stay") else default_cycles(estate):
        bus, one = cycle[0]
        first = cycle[limit % len(cycle)][1].path[0]
        way = " -> ".join(f"{each.name}@{at.name}" for at, each in (*cycle, cycle[0]))
        text = (
            f"Default forward routing paths form a cycle: {way}. A message sent to "
            f"{one.name} without a path is cut after "
            f"{limit} redirects and ends in the exception destination of {first.destination}."
        )
        yield SL_03.at(one.source, text, server=bus.server)
