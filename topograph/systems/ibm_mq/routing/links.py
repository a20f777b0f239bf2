"""Which queue manager is at the other end of a link that another system has to a network of IBM
MQ (S-63).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.facts.ibm_mq import Channel
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.coverage import NotShown
from topograph.systems.ibm_mq.ambiguities import C14
from topograph.systems.ibm_mq.objects.attributes import labels
from topograph.systems.ibm_mq.objects.channels import NO_PARTNER, ConnectionAddress, addresses
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import ARRIVE, ChannelArrival, MqPosition, position
from topograph.systems.ibm_mq.routing.ways import M, undecided
from topograph.tracing.states import Handover, How, State, Way
from topograph.tracing.trace import Ending

RECEIVING = ("RCVR", "RQSTR")

LINKING = ("sibus",)
"""The systems with links to queue managers, which hand over what ``entry.linked_state`` makes."""


@record(slots=False)
class _Other:
    """A queue manager that may be at the other end: its end of the channel, if it has one, and
    why it is the one.
    """

    server: str
    channel: Channel | None
    how: How
    why: str


def entered(estate: Lookup, system: str, state: State, ending: Ending) -> Sequence[Way]:
    """The ways of a message that a link of another system sends (``entry.linked_state``). Empty
    where no loaded queue manager is at its other end.
    """
    if system not in LINKING or not ending.text("handed_over_to"):
        return ()
    at = position(state)
    if at.phase != ARRIVE or at.arrival is None:
        return ()
    found = _others(estate, at, at.arrival)
    ways = [_way(estate, at, at.arrival, one) for one in found]
    if len(ways) > 1:
        names = " or ".join(one.server for one in found)
        because = (
            f"link {at.arrival.queue} of {at.arrival.sender} leads to {names}, and "
            "neither its address nor a listener says which: name the host in "
            "topograph.yaml"
        )
        return [
            replace(
                way,
                guard=undecided(
                    f"{at.arrival.sender}/{at.arrival.queue}/{one.server}", because, way.source
                ),
            )
            for way, one in zip(ways, found, strict=True)
        ]
    return ways


def _others(estate: Lookup, at: MqPosition, link: ChannelArrival) -> list[_Other]:
    """The queue managers that the other end may be: the one that topograph.yaml has at the
    address, else those with a receiving channel of the link's name, narrowed by listeners and
    then by name; else the one of the name that the link gives it."""
    network, channels = estate.network, estate.channels
    there = _addresses(at.queue)
    told = next((name for one in there if (name := channels.server_at(one))), "")
    ends = (
        {
            one.server: one
            for one in reversed(network.channels.named(labels(link.channel, RECEIVING)))
        }
        if link.channel
        else {}
    )
    if told:
        if told not in network.managers:
            return []
        return [_Other(told, ends.get(told), How.STATED, f"topograph.yaml has it at {at.queue}")]
    if not ends:
        if at.server not in network.managers:
            return []
        return [_Other(at.server, None, How.ASSUMED, "its name is that of the foreign bus")]
    names = sorted(ends)
    why = f"it has the other end of channel {link.channel}"
    if len(names) > 1:
        ports = {one.port for one in there}
        listening = [one for one in names if not channels.ports(one) or channels.ports(one) & ports]
        names = listening if listening and ports else names
        names = [one for one in names if one in (at.server, link.queue_manager)] or names
        why += f", as {len(ends) - 1} more have" if len(names) == 1 else ""
    return [_Other(one, ends[one], How.ASSUMED, why) for one in names]


def _way(estate: Lookup, at: MqPosition, link: ChannelArrival, other: _Other) -> Way:
    network, channels = estate.network, estate.channels
    ports = {one.port for one in _addresses(at.queue)}
    source = other.channel.source if other.channel else network.managers[other.server].source
    held: dict[str, str | int] = {"queue": link.queue, "server": link.sender}
    stopped = network.stopped(other.server, link.channel) if link.channel else None
    if stopped is not None or not channels.listens(other.server, ports):
        reason = "channel stopped" if stopped else "no connection"
        text = f"waits on the link: {other.server} does not take it ({reason})"
        observed = next(iter(stopped.assumptions), None) if stopped else None
        return Way(
            Ending(Outcome.HELD, {**held, "reason": reason}),
            text,
            "M-11",
            M,
            source,
            position=observed,
        )
    hidden = _hidden(estate, link, other)
    if link.channel and other.channel is None and hidden is None:
        text = f"waits on the link: {other.server} has no receiving channel {link.channel}"
        texts = {
            "held": (
                f"link {link.queue} of {link.sender} is meant to lead to {other.server}, "
                f"which has no other end of its channel {link.channel}"
            ),
            "external": (
                f"link {link.queue} of {link.sender} leads to a queue manager that is not loaded"
            ),
        }
        meant = network.readings.said(C14, texts)
        if network.readings.takes(C14, "external"):
            text = (
                f"over the link to a queue manager that is not loaded: {other.server} has no "
                f"receiving channel {link.channel}"
            )
            left = Ending(
                Outcome.EXTERNAL, {"server": at.queue or f"the other end of channel {link.channel}"}
            )
            return Way(left, text, "M-11", M, source, position=meant)
        return Way(
            Ending(Outcome.HELD, {**held, "reason": NO_PARTNER}),
            text,
            "M-11",
            M,
            source,
            position=meant,
        )
    to = MqPosition(other.server, ARRIVE, at.name, at.queue_manager, reply=at.reply, arrival=link)
    text = f"queue manager {other.server} takes it ({other.how}: {other.why})"
    position = None
    if other.how is How.ASSUMED:
        said = f"link {link.queue} of {link.sender} leads to {other.server}: {other.why}"
        listening = channels.ports(other.server)
        otherwise = "it leads to a queue manager that is not loaded"
        if ports and listening and not ports & listening:
            otherwise += f"; no listener of {other.server} has the port of {at.queue}"
        position = Assumption("S-63", "M", said, otherwise)
    down = Ending(Outcome.HELD, {**held, "reason": "no connection"})
    return Way(
        Handover("ibm_mq", to.state(), How.STATED, source, down),
        text,
        "S-63",
        M,
        source,
        position=position,
        guard=undecided(f"{link.sender}/{link.queue}/{other.server}", hidden.text, hidden.source)
        if hidden
        else None,
    )


def _hidden(estate: Lookup, link: ChannelArrival, other: _Other) -> NotShown | None:
    """Why it is not known whether a queue manager has the other end of a link's channel."""
    if not link.channel or other.channel is not None:
        return None
    what = f"channel {link.channel}"
    found = estate.network.missing(other.server, RECEIVING, link.channel, what)
    return found if isinstance(found, NotShown) else None


def _addresses(text: str) -> list[ConnectionAddress]:
    """The address of a link, ``HOST:PORT``, or a list of them as CONNAME has it."""
    host, _, port = text.rpartition(":")
    number = digits(port)
    return [ConnectionAddress(host, number)] if host and number is not None else addresses(text)
