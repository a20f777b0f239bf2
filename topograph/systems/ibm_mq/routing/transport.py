"""What becomes of a message on a transmission queue, and where channels take it (M-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Channel, Queue
from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE, MQTT_TRANSMIT_QUEUE
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.systems.ibm_mq.objects.attributes import as_shown, keyword, value
from topograph.systems.ibm_mq.objects.channels import CANNOT_START, NO_PARTNER, SENDING, Leads
from topograph.systems.ibm_mq.objects.cluster_instances import Instance
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ARRIVE,
    OUTSIDE,
    ChannelArrival,
    MqPosition,
)
from topograph.systems.ibm_mq.routing.ways import (
    H,
    L,
    M,
    one_way,
    undecided,
)
from topograph.tracing.states import Transition, Way
from topograph.tracing.trace import Ending, Kind


def sent(estate: Lookup, at: MqPosition) -> Transition:
    """M-11: the channels that read a transmission queue take the message on, or it is held
    there.
    """
    queue = estate.network.queue(at.server, at.queue)
    source = queue.source if queue else estate.network.managers[at.server].source
    if queue is not None and keyword(queue, "GET") == "DISABLED":
        text = f"{at.queue} has GET(DISABLED): no channel can read it"
        position = Assumption("C-13", "M", text, "GET is enabled again")
        return held(at, "no channel", text, source, (position,), inhibited=True)
    if at.member:
        return _over_cluster(estate, at, source)
    if is_cluster_queue(queue, at.queue):
        instances = estate.clusters.queue_managers(at.server, at.queue_manager)
        if not instances:
            text = f"no cluster channel of {at.server} leads to {at.queue_manager}"
            unsure = (
                *estate.clusters.missing(at.server, at.queue_manager),
                *estate.clusters.closed(at.server),
            )
            return held(at, "no channel", text, source, unsure)
        choice = estate.clusters.reduce(at.server, None, instances)
        unsure = tuple(estate.network.readings.said(of) for of in choice.open)
        return replace(_cluster_choice(at, choice.instances), assumptions=unsure)
    readers = estate.channels.readers(at.server, at.queue)
    if not readers and at.queue == MQTT_TRANSMIT_QUEUE:
        return _to_client(estate, at, source)
    if not readers:
        unsure = (
            *estate.network.no_channels(at.server, SENDING, at.queue),
            *estate.network.absent(at.server, SENDING, "", "channels"),
        )
        text = f"no channel of {at.server} reads {at.queue}"
        found = held(at, "no channel", text, source, unsure)
        return found if at.queue_manager in estate.network.managers else _unless_read(at, found)
    return _over(estate, at, readers)


def _to_client(estate: Lookup, at: MqPosition, source: Source) -> Transition:
    """M-19: the telemetry service sends it to the MQTT client that has the name of the queue
    manager in the header."""
    channels = [one for one in estate.network.channels.of(at.server) if one.channel_type == "MQTT"]
    client = f"MQTT client {_called(at.queue_manager)}"
    text = f"the telemetry service of {at.server} sends it to {client}"
    stays = f"it stays on {at.queue}"
    position = Assumption("M-19", "M", f"{client} connects to {at.server}", stays)
    if not channels:
        text = f"{text}, if it runs: no loaded file shows an MQTT channel"
        said = f"the telemetry service of {at.server} runs, although no file shows an MQTT channel"
        position = Assumption("M-19", "L", said, stays)
    ending = Ending(Outcome.EXTERNAL, {"server": client})
    where = channels[0].source if channels else source
    return one_way(ending, text, "M-19", where, confidence=M, assumptions=(position,))


def _called(queue_manager: str) -> str:
    """The client in words; of a name that stands for many none."""
    return "of that name" if queue_manager.startswith("*") else queue_manager


def _unless_read(at: MqPosition, found: Transition) -> Transition:
    """What becomes of a message for a queue manager that is not loaded, on a transmission queue
    that no channel reads: a program which is not loaded may read it, as a gateway of MQe does.
    """
    queue = f"the transmission queue {at.queue} of {at.server}"
    nothing = Assumption(
        "M-11",
        "M",
        f"nothing that is not loaded reads {queue}",
        (
            "messages go on from there, as over the transmission-queue listener of an MQe queue "
            "manager (E-31)"
        ),
    )
    because = f"a program that is not loaded may read {queue}"
    ways = (replace(way, position=nothing, perhaps_taken=because) for way in found.ways)
    return replace(found, ways=tuple(ways))


def is_cluster_queue(queue: Queue | None, name: str) -> bool:
    """Whether the channels that clusters make read a transmission queue."""
    own = value(queue, "CLCHNAME") if queue else ""
    return bool(own) or name.startswith(CLUSTER_TRANSMIT_QUEUE.removesuffix("QUEUE"))


def held(
    at: MqPosition,
    reason: str,
    text: str,
    source: Source,
    assumptions: tuple[Assumption, ...] = (),
    channel: Channel | None = None,
    *,
    inhibited: bool = False,
) -> Transition:
    """It stays on its transmission queue; ``channel`` would take it if it had another end.
    ``inhibited``: no program gets anything from there."""
    said: dict[str, str | int] = {"queue": at.queue, "server": at.server, "reason": reason}
    said["header"] = at.header
    if channel is not None:
        said |= {"channel": channel.name, "address": as_shown(channel, "CONNAME")}
    if inhibited:
        said["inhibited"] = "GET(DISABLED)"
    ending = Ending(Outcome.HELD, said)
    return one_way(ending, f"held on {at.queue}: {text}", "M-11", source, assumptions=assumptions)


def _cluster_choice(at: MqPosition, instances: list[Instance]) -> Transition:
    several = len(instances) > 1
    ways = tuple(
        Way(
            at.goes(member=one.server, channel=one.channel_name),
            f"cluster channel {one.channel_name} leads to {one.server}",
            "NR12",
            M,
            one.source,
            Kind.ONE_OF if several else Kind.COPY,
            choice=f"{at.queue_manager} at {at.server}" if several else "",
            choice_of=at.queue_manager if several else "",
        )
        for one in instances
    )
    return Transition(ways)


def _over_cluster(estate: Lookup, at: MqPosition, source: Source) -> Transition:
    """Over the channel that the cluster defines by itself, out of the receiver's definition."""
    network = estate.network
    status = network.stopped(at.server, at.channel) or network.stopped(at.member, at.channel)
    if status is not None:
        return held(
            at,
            "channel stopped",
            f"channel {at.channel} is stopped",
            status.source,
            status.assumptions,
        )
    if network.cut_off(at.server, at.member):
        return held(
            at, "no connection", f"{at.member} is out of reach over channel {at.channel}", source
        )
    receiver = (
        network.channel(at.member, at.channel, ("CLUSRCVR",))
        if at.member in network.managers
        else None
    )
    manual = network.channel(at.server, at.channel, ("CLUSSDR",))
    found = estate.channels.cluster_hindrances(at.server, receiver, manual) if receiver else []
    if found and found[0].effect == "stops":
        return held(at, CANNOT_START, found[0].text, found[0].source)
    if receiver is not None and not estate.channels.answers(receiver, receiver, at.server):
        text = f"no listener of {at.member} answers for channel {at.channel}"
        return held(at, "no connection", text, receiver.source)
    known = receiver or manual
    address = as_shown(known, "CONNAME") if known else ""
    if at.member not in network.managers:
        text = f"over channel {at.channel or 'of the cluster'} to {at.member}" + (
            f" at {address}" if address else ""
        )
        return _over_channel(
            MqPosition(at.member, OUTSIDE, at.name, queue=address), text, source, at.channel
        )
    where = receiver.source if receiver else source
    named = "" if at.blank else at.queue_manager
    arrived = ChannelArrival(at.channel, at.server, at.queue, at.name, named)
    to = MqPosition(
        at.member,
        ARRIVE,
        at.name,
        at.queue_manager,
        blank=at.blank,
        published=at.published,
        reply=at.reply,
        arrival=arrived,
        excluded=at.excluded,
    )
    unsure = network.waiting(at.server, at.channel)
    text = f"over cluster channel {at.channel} to {at.member}"
    transition = _over_channel(to, text, where, at.channel, unsure)
    if not found:
        return transition
    guard = undecided(f"{at.server}/{at.channel}/{at.member}", found[0].text, found[0].source)
    ways = tuple(replace(way, guard=guard) for way in transition.ways)
    return replace(transition, ways=ways)


def _over_channel(
    to: MqPosition,
    text: str,
    source: Source,
    channel: str,
    assumptions: tuple[Assumption, ...] = (),
) -> Transition:
    way = Way(to.state(), text, "M-11", H, source, link=channel, role="cluster channel")
    return Transition((way,), assumptions)


def _over(estate: Lookup, at: MqPosition, readers: list[Channel]) -> Transition:
    """Over one of the channels that read the queue."""
    running = [one for one in readers if estate.network.stopped(at.server, one.name) is None]
    if not running:
        status = estate.network.stopped(at.server, readers[0].name)
        assert status is not None
        text = f"channel {readers[0].name} is stopped"
        return held(at, "channel stopped", text, status.source, status.assumptions)
    leads = [estate.channels.leads(one, at.queue_manager) for one in running]
    usable = [one for one in leads if not one.reason]
    uncalled = next((one for one in leads if one.uncalled), None)
    if not usable:
        first = leads[0]
        channel = first.channel if first.reason == NO_PARTNER else None
        found = held(at, first.reason, first.text, first.channel.source, first.assumptions, channel)
        return _unless_taken(found, leads)
    left_out = "; ".join(f"{one.channel.name}: {one.reason}" for one in leads if one.reason)
    ways: list[Way] = []
    for one in usable:
        own = _ways_of(estate, at, one)
        if len(usable) > 1:
            own = [_one_of(way, one, at) for way in own]
        ways += own
    if left_out:
        ways = [replace(way, eliminated=left_out) for way in ways]
    assumptions = [assumption for one in usable for assumption in one.assumptions]
    if uncalled is not None:
        assumptions.append(uncalled.nobody_calls)
        ways = [replace(way, position=_both(way.position, uncalled.nobody_calls)) for way in ways]
    for one in usable:
        assumptions += estate.network.doubts(one.channel, *one.partners)
        assumptions += estate.network.waiting(at.server, one.channel.name)
    return Transition(tuple(ways), tuple(assumptions))


def _both(one: Assumption | None, other: Assumption) -> Assumption:
    """Two assumptions that a way rests on, as one."""
    if one is None:
        return other
    return Assumption(
        ", ".join(dict.fromkeys((one.rule, other.rule))),
        min(one.confidence, other.confidence, key="LMH".index),
        f"{one.text}, and {other.text}",
        f"{one.alternative}; or {other.alternative}",
    )


def _unless_taken(found: Transition, leads: Sequence[Leads]) -> Transition:
    """What becomes of a message that waits on a transmission queue, unless a queue manager that is
    not loaded has the other end of a channel that reads it.
    """
    for one in leads:
        name = f"channel {one.channel.name} of {one.channel.server}"
        if one.uncalled:
            nothing = one.nobody_calls
            because = f"a queue manager that is not loaded may call {name}, which has no CONNAME"
        elif one.reason == NO_PARTNER:
            nothing = one.assumptions[0]
            because = f"{name} may lead to a queue manager that is not loaded (C-14)"
        else:
            continue
        ways = (replace(way, position=nothing, perhaps_taken=because) for way in found.ways)
        return replace(found, ways=tuple(ways))
    return found


def _one_of(way: Way, lead: Leads, at: MqPosition) -> Way:
    text = f"channel {lead.channel.name} has the queue open"
    key = f"channel that reads {at.queue} of {at.server}"
    return replace(way, confidence=M, kind=Kind.ONE_OF, choice=key, condition=text)


def _ways_of(estate: Lookup, at: MqPosition, lead: Leads) -> list[Way]:
    """The ways over one channel."""
    channel = lead.channel
    name = channel.name
    if lead.outside:
        text = f"over channel {name} to {lead.text or lead.outside}, towards {lead.outside}"
        left = ChannelArrival(name, at.server, at.queue, at.name, at.queue_manager)
        to = MqPosition(
            lead.outside, OUTSIDE, at.name, queue=lead.text, reply=at.reply, arrival=left
        )
        meant = next(iter(lead.assumptions), None)
        confidence = H if meant is None else M
        way = Way(to.state(), text, "M-11", confidence, channel.source, link=name, role="channel")
        return [replace(way, position=meant)]
    ways: list[Way] = [_hidden_way(at, lead, server) for server in lead.hidden]
    for partner in lead.partners:
        arrived = ChannelArrival(name, at.server, at.queue, at.name, at.queue_manager)
        at_partner = MqPosition(
            partner.server,
            ARRIVE,
            at.name,
            at.queue_manager,
            reply=at.reply,
            arrival=arrived,
            copy=at.copy,
            excluded=at.excluded,
        )
        guard = None
        text = f"over channel {name} to {partner.server}"
        text += f", {by}" if (by := _triggered(estate, at, name)) else ""
        down = estate.network.stopped(partner.server, name)
        if down is not None or not estate.channels.answers(channel, partner):
            reason = "channel stopped" if down else "no connection"
            ways += held(
                at,
                reason,
                f"over channel {name} to {partner.server}: {reason}",
                down.source if down else partner.source,
            ).ways
            continue
        if len(lead.partners) > 1:
            others = " or ".join(one.server for one in lead.partners)
            because = (
                f"channel {name} of {at.server} leads to {others}, and neither its "
                "CONNAME nor a listener says which: name the "
                "host in topograph.yaml"
            )
            guard = undecided(f"{at.server}/{name}/{partner.server}", because, channel.source)
        if lead.open is not None:
            guard = undecided(
                f"{at.server}/{name}/{partner.server}", lead.open.text, channel.source
            )
        rule = "M-11, M-17" if by else "M-11"
        ways.append(
            Way(
                at_partner.state(),
                text,
                rule,
                H,
                channel.source,
                guard=guard,
                link=name,
                role="channel",
            )
        )
    return ways


def _hidden_way(at: MqPosition, lead: Leads, server: str) -> Way:
    """The way over a channel to a queue manager of which no loaded file shows the other end."""
    assert lead.open is not None
    channel = lead.channel
    arrived = ChannelArrival(channel.name, at.server, at.queue, at.name, at.queue_manager)
    to = MqPosition(
        server,
        ARRIVE,
        at.name,
        at.queue_manager,
        reply=at.reply,
        arrival=arrived,
        copy=at.copy,
        excluded=at.excluded,
    )
    text = f"over channel {channel.name} to {server}, if it has the other end: {lead.open.text}"
    guard = undecided(f"{at.server}/{channel.name}/{server}", lead.open.text, lead.open.source)
    return Way(
        to.state(),
        text,
        "M-11, C-11",
        L,
        channel.source,
        guard=guard,
        link=channel.name,
        role="channel",
    )


def _triggered(estate: Lookup, at: MqPosition, channel: str) -> str:
    """M-17: what trigger attributes of the transmission queue do for a channel that reads it;
    empty where it has none.
    """
    queue = estate.network.queue(at.server, at.queue)
    if queue is None or not queue.states("TRIGGER"):
        return ""
    named = value(queue, "TRIGDATA")
    if named not in ("", channel):
        return f"which no trigger starts: TRIGDATA of {at.queue} names {named}"
    if not value(queue, "INITQ"):
        return f"which no trigger starts: {at.queue} has TRIGGER and no INITQ"
    return f"which a trigger on {at.queue} starts"
