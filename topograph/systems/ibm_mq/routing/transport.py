"""What becomes of a message on a transmission queue, and of one that comes in over a channel
(M-11 to M-13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Channel, Queue
from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE
from topograph.findings import Source
from topograph.outcomes import Outcome
from topograph.systems.coverage import NotShown
from topograph.systems.ibm_mq.objects.attributes import as_shown, keyword, labels, number, value
from topograph.systems.ibm_mq.objects.channels import CANNOT_START, NO_PARTNER, SENDING, Leads
from topograph.systems.ibm_mq.objects.clusters import Instance
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ARRIVE,
    OPEN,
    OUTSIDE,
    SUBSCRIBED,
    XMIT,
    ChannelArrival,
    MqPosition,
)
from topograph.systems.ibm_mq.routing.transmission import (
    cluster_transmission_queue,
    is_transmission_queue,
    refuse_full,
    refuse_inhibited,
)
from topograph.systems.ibm_mq.routing.ways import (
    NONPERSISTENT,
    REASONS,
    H,
    L,
    M,
    PutRefused,
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
    if _is_cluster_queue(queue, at.queue):
        instances = estate.clusters.queue_managers(at.server, at.queue_manager)
        if not instances:
            text = f"no cluster channel of {at.server} leads to {at.queue_manager}"
            unsure = (
                *estate.clusters.missing(at.server, at.queue_manager),
                *estate.clusters.closed(at.server),
            )
            return held(at, "no channel", text, source, unsure)
        choice = estate.clusters.reduce(at.server, None, instances)
        return _cluster_choice(at, choice.instances)
    readers = estate.channels.readers(at.server, at.queue)
    if not readers:
        unsure = (
            *estate.network.no_channels(at.server, SENDING, at.queue),
            *estate.network.absent(at.server, SENDING, "", "channels"),
        )
        text = f"no channel of {at.server} reads {at.queue}"
        found = held(at, "no channel", text, source, unsure)
        return found if at.queue_manager in estate.network.managers else _unless_read(at, found)
    return _over(estate, at, readers)


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


def _is_cluster_queue(queue: Queue | None, name: str) -> bool:
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
    said["header"] = f"{at.name}@{at.queue_manager}"
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
    if receiver is not None and not estate.channels.answers(
        replace(receiver, server=at.server), receiver
    ):
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
    arrived = ChannelArrival(at.channel, at.server, at.queue, at.name, at.queue_manager)
    to = MqPosition(
        at.member,
        ARRIVE,
        at.name,
        at.queue_manager,
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


def arrived(estate: Lookup, at: MqPosition) -> Transition:
    """M-12: the receiving end of the channel opens the queue of the header."""
    assert at.arrival is not None
    receiver = receiving(estate, at.server, at.arrival.channel)
    source = receiver.source if receiver else estate.network.managers[at.server].source
    to = at.goes(phase=OPEN, queue_manager=at.queue_manager or at.server, blank=False)
    text = (
        f"channel {at.arrival.channel}".rstrip()
        + f" opens {at.name}@{at.queue_manager or at.server}"
    )
    return one_way(to, text, "M-12", source, assumptions=estate.network.doubts(receiver))


def receiving(estate: Lookup, server: str, channel: str) -> Channel | None:
    """The receiving end of a channel."""
    return estate.network.channel(server, channel, ("RCVR", "RQSTR", "CLUSRCVR"))


def sender_of(estate: Lookup, server: str, channel: str) -> tuple[str, str]:
    """The queue manager that sends over a channel and its transmission queue; blank where no
    loaded file or several say so.
    """
    receiver = receiving(estate, server, channel)
    found = [
        one
        for one in estate.network.channels.named(labels(channel, SENDING))
        if one.server != server and receiver in estate.channels.partners(one)
    ]
    if len(found) == 1:
        return found[0].server, value(found[0], "XMITQ")
    if receiver is not None and receiver.channel_type == "CLUSRCVR":
        members = estate.clusters.members(server)
        if len(members) == 1:
            return members[0], cluster_transmission_queue(estate.network, members[0], channel)[0]
    return "", ""


def refused(estate: Lookup, at: MqPosition, why: PutRefused) -> Transition:
    """What a refused put comes to: the application gets the reason code (M-14); the receiving
    end of a channel tries again, and then uses the dead-letter queue (M-13)."""
    code = f"{why.code} {REASONS.get(why.code, '')}".strip()
    if why.not_known:
        return _not_decided(
            at, why, why.not_known, Ending(Outcome.REJECTED, {"reason": why.code}), why.assumptions
        )
    if at.arrival is not None:
        return _not_taken(estate, at, why, code)
    if at.copy.startswith(SUBSCRIBED):
        because = (
            f"no rule says what becomes of the copy {at.copy}, which cannot be put: "
            f"{why.why} ({code})"
        )
        position = Assumption(
            "M-31",
            "L",
            f"what becomes of the copy {at.copy} of {at.server} is left open",
            (
                "it goes to the dead-letter queue, it is gone, or the publication is "
                "refused: as the topic object has it"
            ),
        )
        guard = undecided(f"copy/{at.server}/{at.copy}", because, why.source)
        ending = Ending(Outcome.DISCARDED, {"reason": str(why.code), "queue": at.name})
        way = Way(ending, because, f"M-31, {why.rule}", M, why.source, guard=guard)
        return Transition((way,), (position, *why.assumptions))
    if at.copy:
        text = f"the copy {at.copy} is not put: {why.why} ({code})"
        ending = Ending(Outcome.DISCARDED, {"reason": str(why.code), "queue": at.name})
        return one_way(
            ending, text, f"M-18, {why.rule}", why.source, confidence=M, assumptions=why.assumptions
        )
    ending = Ending(Outcome.REJECTED, {"reason": why.code, "queue": at.name})
    text = f"{why.why}: the application gets reason {code}"
    rule = f"{why.rule}, M-14"
    return one_way(
        ending, text, rule, why.source, confidence=why.confidence, assumptions=why.assumptions
    )


def _not_decided(
    at: MqPosition,
    why: PutRefused,
    not_known: str,
    ending: Ending,
    assumptions: Iterable[Assumption],
) -> Transition:
    """C-11: what no loaded file shows decides what becomes of a message."""
    text = f"{why.why}, and {not_known}"
    guard = undecided(f"{at.server}/{text}", text, why.source)
    return Transition(
        (Way(ending, text, f"{why.rule}, C-11", L, why.source, guard=guard),), tuple(assumptions)
    )


def not_shown(at: MqPosition, unknown: NotShown) -> Transition:
    """What no loaded file shows decides what becomes of a message (C-11)."""
    where = at.queue if at.phase == XMIT else at.name
    text = f"what becomes of it at {at.server} is not known: {unknown.text}"
    said: dict[str, str | int] = {"queue": where, "server": at.server}
    guard = undecided(f"{at.server}/{at.phase}/{where}/{text}", text, unknown.source)
    way = Way(Ending(Outcome.REJECTED, said), text, "C-11", L, unknown.source, guard=guard)
    return Transition((way,))


def _not_taken(estate: Lookup, at: MqPosition, why: PutRefused, code: str) -> Transition:
    """M-13."""
    came = at.arrival
    assert came is not None
    receiver = receiving(estate, at.server, came.channel)
    retries, interval = (
        (number(receiver, "MRRTY"), number(receiver, "MRTMR")) if receiver else (10, 1000)
    )
    original = f"{came.name}@{came.queue_manager}"
    manager = estate.network.managers[at.server]
    dead = manager.get("DEADQ")
    first = (
        f"{why.why} ({code}); channel {came.channel} tries {retries} times more, every "
        f"{interval} ms"
    )
    rule = f"M-13, {why.rule}"
    counted: dict[str, str | int] = {
        "reason": why.code,
        "original": original,
        "retries": retries,
        "interval": interval,
    }
    queue = estate.network.queue(at.server, dead) if dead else None
    if receiver is not None and keyword(receiver, "USEDLQ") == "NO":
        no_queue = f"{came.channel} has USEDLQ(NO)"
    elif not dead:
        no_queue = f"{at.server} has no DEADQ"
    elif queue is None or queue.noun != "QLOCAL" or is_transmission_queue(queue):
        no_queue = f"DEADQ {dead} is no local queue of {at.server}"
    elif (refused := _refuses(estate, queue)) is not None:
        no_queue = f"DEADQ {refused.why}"
    else:
        ending = Ending(Outcome.DLQ, {"queue": dead, "server": at.server, **counted})
        text = f"{first}; then it goes to dead-letter queue {dead}"
        unsure = (*why.assumptions, *manager.unsure("DEADQ"), *estate.network.doubts(queue))
        return one_way(ending, text, rule, manager.place("DEADQ"), assumptions=unsure)
    unsure = (
        *why.assumptions,
        *manager.unsure("DEADQ"),
        *estate.network.doubts(queue),
        *(estate.network.not_defined(at.server, dead) if queue is None else ()),
        *manager.blank(
            "DEADQ", "messages that cannot be put are not kept", "they go to that queue"
        ),
    )
    if (
        not dead
        and receiver is not None
        and keyword(receiver, "USEDLQ") != "NO"
        and (open_ := manager.not_known("DEADQ"))
    ):
        return _not_decided(
            at, why, open_, Ending(Outcome.DLQ, {"server": at.server, **counted}), unsure
        )
    text = f"{first}; {no_queue}: the channel stops"
    stays: dict[str, str | int] = {
        "queue": came.queue,
        "server": came.sender or "the sending queue manager",
    }
    stopped = Way(
        Ending(Outcome.HELD, {**stays, **counted, "reason": "channel stopped", "code": why.code}),
        f"{text}, and the message stays on {came.queue or 'the transmission queue'}",
        f"{rule}, M-11",
        H,
        receiver.source if receiver else why.source,
        Kind.ELSE,
    )
    if not _fast(estate, at, receiver):
        return Transition((Way(stopped.to, stopped.text, stopped.rule, H, stopped.source),), unsure)
    dropped = Way(
        Ending(
            Outcome.DISCARDED, {"reason": "nonpersistent", "code": why.code, "original": original}
        ),
        f"{first}; {no_queue}, and NPMSPEED(FAST) drops a nonpersistent message",
        rule,
        H,
        stopped.source,
        guard=NONPERSISTENT,
    )
    return Transition((dropped, stopped), (*unsure, *_assumed_fast(estate, came)))


def _refuses(estate: Lookup, queue: Queue) -> PutRefused | None:
    """Why a local queue takes nothing; None for one that does."""
    try:
        refuse_inhibited(queue)
        refuse_full(estate.network, queue)
    except PutRefused as refused:
        return refused
    return None


def _assumed_fast(estate: Lookup, came: ChannelArrival) -> Iterator[Assumption]:
    """That a sending end which no loaded file shows has NPMSPEED(FAST), as channels are made."""
    if _sending_end(estate, came) is None:
        yield Assumption(
            "M-13",
            "M",
            f"the sending end of channel {came.channel} has NPMSPEED(FAST)",
            "it has NPMSPEED(NORMAL), and the message stays on its transmission queue",
        )


def _sending_end(estate: Lookup, came: ChannelArrival) -> Channel | None:
    """The sending end of the channel that a message came over, if it is loaded."""
    if not came.sender:
        return None
    return estate.network.channel(came.sender, came.channel, (*SENDING, "CLUSSDR"))


def _fast(estate: Lookup, at: MqPosition, receiver: Channel | None) -> bool:
    """Whether nonpersistent messages go over the channel outside of units of work:
    NPMSPEED(FAST) at both ends, as far as they are loaded.
    """
    came = at.arrival
    assert came is not None
    ends = receiver, _sending_end(estate, came)
    return all(one is None or keyword(one, "NPMSPEED") == "FAST" for one in ends)
