"""What buses have beside destinations, for a database: mediations, the channels of MQ links, and
where aliases, foreign destinations, routing paths and exception destinations lead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from topograph.facts import Fact
from topograph.facts.sibus import Mediation, SibusLink
from topograph.forwarding.configured import (
    End,
    Thing,
    Tie,
    Value,
    declared,
    destination,
    leads_to,
)
from topograph.message import Address
from topograph.side_inputs import SideInputs
from topograph.systems.sibus.buses.configuration import FOREIGN, Bus, BusDestination, buses_of
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.buses.terms import SYSTEM_DEFAULT

_OWN_TYPES = {"TopicSpace": "topic"}
"""Types of destinations that a database calls otherwise than in small letters."""

_LINK_ENDS = (("sender", "senderChannelName"), ("receiver", "receiverChannelName"))


def configured(
    facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str]
) -> Iterator[Thing | Tie]:
    """See ``forwarding.configured.Configured``."""
    estate = BusEstate(buses_of(facts), side_inputs)
    yield from declared(side_inputs, servers)
    defined = {(one.server, one.name): one for one in facts if isinstance(one, Mediation)}
    for bus in estate.buses.values():
        for elsewhere, one in bus.all_by_bus:
            start = destination(bus.server, one.name, type_of(one), one.source)
            yield from _onward(estate, bus, elsewhere, one, start)
            if one.mediation:
                yield from _mediation(estate, bus, one, start, defined)
    for fact in facts:
        if isinstance(fact, SibusLink) and fact.type == "mq":
            yield from _channels(fact)


def type_of(one: BusDestination) -> str:
    """The type of a destination as the database has it."""
    return _OWN_TYPES.get(one.type, one.type.lower())


def _onward(
    estate: BusEstate, bus: Bus, elsewhere: str, one: BusDestination, start: End
) -> Iterator[Tie]:
    if one.target is not None:
        yield leads_to(start, _end(estate, bus, one.target), "alias")
    elif one.type == FOREIGN and elsewhere:
        end = destination(estate.server_of(elsewhere), one.name)
        yield leads_to(start, end, "foreign destination")
    for position, address in enumerate(one.path, 1):
        end = _end(estate, bus, address)
        yield leads_to(start, end, "forward routing path", position)
    if one.exception and one.exception != SYSTEM_DEFAULT:
        yield Tie("DEAD_LETTERS_TO", start, destination(bus.server, one.exception))


def _end(estate: BusEstate, bus: Bus, address: Address) -> End:
    at = bus.server if bus.is_own(address.bus) else estate.server_of(address.bus)
    return destination(at, address.destination)


def _mediation(
    estate: BusEstate,
    bus: Bus,
    one: BusDestination,
    start: End,
    defined: dict[tuple[str, str], Mediation],
) -> Iterator[Thing | Tie]:
    fact = defined.get((bus.server, one.mediation))
    handler = fact.attribute("handlerListName") if fact is not None else None
    made = Thing(
        "Mediation",
        bus.server,
        one.mediation,
        fact.source if fact is not None else one.mediation_source,
        values=(
            ("handler", handler.value if handler else ""),
            ("selector", one.selector),
            ("described", estate.description(bus, one) is not None),
        ),
    )
    yield made
    yield Tie("MEDIATED_BY", start, made.end)


def _channels(link: SibusLink) -> Iterator[Thing | Tie]:
    """The channels by which an MQ link sends and receives."""
    stated = {one.name: one.value for one in link.attributes}
    host, port = stated.get("hostName", ""), stated.get("port", "")
    for end, attribute in _LINK_ENDS:
        if not stated.get(attribute):
            continue
        chain = stated.get(f"{end}ChannelTransportChain") or stated.get("protocolName")
        sends = end == "sender"
        values: dict[str, Value] = {
            "type": f"MQ link {end}",
            "connection_name": (f"{host}({port})" if port else host) if sends else "",
            "tls": None if chain is None else chain if "Secure" in chain else "",
        }
        name = stated[attribute]
        yield Thing(
            "Channel", link.server, name, link.source, f"{end}/{name}", tuple(values.items())
        )
