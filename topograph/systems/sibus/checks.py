"""What is wrong or risky in the configuration of buses (outcomes.md 4.1): the rules of ``lint``,
and those about paths and exception destinations. Linear in the destinations and the elements of
their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topograph.digits import digits
from topograph.findings import Finding, Severity
from topograph.message import Address
from topograph.rules.sibus_findings import (
    EXCEPTION_DESTINATION_NO_QUEUE,
    EXCEPTION_DESTINATION_NOT_FOUND,
    SL_01,
    SL_02,
    SL_04,
    SL_05,
    SL_07,
    SL_11,
    SL_14,
)
from topograph.rules.unnumbered import DESTINATION_DEFINED_TWICE, SEVERAL_BUSES_OF_ONE_NAME
from topograph.systems.contract.lint import lints
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    TOPIC_SPACE,
    Bus,
    BusDestination,
)
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.lookup import lookup, target_of
from topograph.systems.sibus.buses.terms import SYSTEM_DEFAULT


def findings(estate: BusEstate) -> Iterator[Finding]:
    """Every finding of every bus."""
    for bus in estate.buses.values():
        for one in bus.all_destinations:
            yield from _of_destination(bus, one)
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
    for rule in lints("topograph.systems.sibus.lint"):
        yield from rule.find(estate)


def _of_destination(bus: Bus, one: BusDestination) -> Iterator[Finding]:
    yield from _path(bus, one)
    if one.type != ALIAS:
        yield from _exception(bus, one)


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
    numbers = [digits(part, 0) for part in re.findall(r"[0-9]+", version)[:2]]
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
