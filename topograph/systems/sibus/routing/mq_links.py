"""Links between a bus and a network of WebSphere MQ, in both directions (S-63).

A bus is a queue manager to such a network: a destination and its bus become a queue and its queue
manager, and the reverse. Routing paths do not cross; what does is where the reply goes, the first
element of the reverse path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topograph.assumptions import Assumption
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.message import Address
from topograph.outcomes import Confidence, Outcome
from topograph.systems.sibus.ambiguities import A1
from topograph.systems.sibus.buses.carried import ANY, GRAPH, By, Carried
from topograph.systems.sibus.buses.configuration import Bus, ForeignRoute
from topograph.systems.sibus.buses.estate import BusEstate, Here
from topograph.tracing.states import Handover, How, State, Way
from topograph.tracing.trace import Ending

if TYPE_CHECKING:
    from topograph.systems.ibm_mq.routing.entry import Leaving

MQ = "ibm_mq"
"""The system at the other end of such links."""


def to_queue_manager(
    here: Here, link: ForeignRoute, name: str, bus: str, text: str, how: Mapping[str, Any]
) -> Way:
    """S-63: the bus becomes a queue manager name. Which queue manager takes it is found among
    the loaded ones.
    """
    from topograph.systems.ibm_mq.routing.entry import linked_state
    from topograph.systems.ibm_mq.routing.positions import ChannelArrival

    server, known = _known(here.estate, link)
    came = ChannelArrival(
        link.sends_over,
        here.bus.server,
        link.link or f"to {link.bus}",
        "" if name == ANY else name,
        bus,
    )
    state = linked_state(server, came, link.host, _reply_to(here, link))
    handover = Handover(MQ, state, How.STATED if known else How.ASSUMED, link.source)
    return Way(
        handover, text, "S-63", Confidence.M, link.source, link=link.link, role="MQ link", **how
    )


def _known(estate: BusEstate, link: ForeignRoute) -> tuple[str, bool]:
    """The queue manager that topograph.yaml has at the address of a link, else the name of the
    foreign bus; and whether it is the former.
    """
    hosts = {one.host: one.server for one in estate.side_inputs.hosts}
    server = hosts.get(link.host) or hosts.get(link.host.partition(":")[0])
    return server or link.bus, server is not None


def _reply_to(here: Here, link: ForeignRoute) -> tuple[str, ...]:
    """The first element of the reverse path, as reply-to queue and queue manager; empty where no
    reply is asked for.
    """
    path = here.carried.reverse
    if path is None:
        return ()
    own = here.bus.is_own(path.head.bus)
    return path.head.destination, (link.queue_manager or here.bus.name) if own else path.head.bus


def entered(estate: BusEstate, system: str, state: State, ending: Ending) -> Sequence[Way]:
    """The ways of a message that leaves a network of IBM MQ over a channel that a link of a bus
    receives on. Empty where there is no such link.
    """
    if system != MQ or not estate.mq_links:
        return ()
    from topograph.systems.ibm_mq.routing.entry import leaving

    found = leaving(state, ending)
    if found is None:
        return ()
    links, how, why = _receiving(estate, found)
    ways = [way for bus, route in links for way in _ways(estate, bus, route, found, how, why)]
    if len(links) > 1:
        names = " or ".join(dict.fromkeys(bus.name for bus, _ in links))
        because = (
            f"channel {found.channel} of {found.sender} leads to {names}: name the host in "
            "topograph.yaml"
        )
        guard = Guard(f"{found.sender}/{found.channel}", UNDECIDED, because)
        either = Assumption(
            "S-63",
            "M",
            f"channel {found.channel} of {found.sender} leads to {names}, whose links receive on "
            "channels of that name",
            "it leads to a server that is not loaded",
        )
        return [replace(way, guard=guard, position=either) for way in ways]
    return ways


def _receiving(
    estate: BusEstate, found: Leaving
) -> tuple[list[tuple[Bus, ForeignRoute]], How, str]:
    """The links that may receive on a channel, and why: of the bus that topograph.yaml has at
    its address, else those that name the channel, narrowed by the queue manager that they stand
    for and then by the one that they lead to."""
    own = [one for one in estate.mq_links if one[1].receives_over == found.channel]
    if found.server in estate.buses and found.server != found.transmission.to_queue_manager:
        there = [one for one in own or estate.mq_links if one[0].server == found.server]
        return there, How.STATED, f"topograph.yaml has bus {found.server} at {found.address}"
    for narrower in (
        [one for one in own if one[1].queue_manager == found.transmission.to_queue_manager],
        [one for one in own if one[1].bus == found.sender],
    ):
        if len(own) > 1 and narrower:
            own = narrower
    return own, How.ASSUMED, ""


def _ways(
    estate: BusEstate, bus: Bus, route: ForeignRoute, found: Leaving, how: How, why: str
) -> Sequence[Way]:
    said = found.transmission
    names = [said.to_queue_manager]
    if found.any_manager:
        names = [route.queue_manager or bus.name, *bus.routes]
    assumed = Assumption(
        "S-63",
        "M",
        (
            f"channel {found.channel} of {found.sender} leads to bus {bus.name}, whose link "
            f"{route.link} receives on a channel of that name"
        )
        if how is How.ASSUMED
        else (
            "what comes from IBM MQ has the default reliability of the destination on bus "
            f"{bus.name}"
        ),
        "it leads to a server that is not loaded"
        if how is How.ASSUMED
        else "the link sets it from the persistence",
    )
    held: dict[str, str | int] = {
        "queue": said.queue,
        "server": found.sender,
        "reason": "no connection",
    }
    down = Ending(Outcome.HELD, held)
    ways = []
    for name in names:
        own = bus.is_own(name) or not route.queue_manager or name == route.queue_manager
        reverse = []
        if said.reply:
            queue, manager = said.reply
            reverse = [Address(bus.name if manager == route.queue_manager else manager, queue)]
        carried = Carried(
            by=By.LINK,
            mode=estate.readings.chosen(A1) if said.to_queue else GRAPH,
            reverse=estate.paths.of(reverse),
            path_bus=bus.name,
            target_bus="" if own else name,
            from_bus=route.bus,
            sender_waits=False,
        )
        to = carried.at(bus.server, said.to_queue or ANY, estate.paths)
        text = (
            f"link {route.link} of bus {bus.name} receives on that channel "
            f"({how}{f': {why}' if why else ''})"
        )
        ways.append(
            Way(
                Handover("sibus", to, How.STATED, route.source, down),
                text,
                "S-63",
                Confidence.M,
                route.source,
                position=assumed,
            )
        )
    return ways
