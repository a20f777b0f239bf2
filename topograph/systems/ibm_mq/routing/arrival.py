"""What becomes of a message that comes in over a channel, and of one that cannot be put (M-12 to
M-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import Channel, Queue
from topograph.outcomes import Outcome
from topograph.systems.coverage import NotShown
from topograph.systems.ibm_mq.objects.attributes import keyword, labels, number, value
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.routing import publication
from topograph.systems.ibm_mq.routing.lookup import Lookup, needs_blank
from topograph.systems.ibm_mq.routing.positions import (
    OPEN,
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


def arrived(estate: Lookup, at: MqPosition) -> Transition:
    """M-12: the receiving end of the channel opens the queue of the header."""
    assert at.arrival is not None
    receiver = receiving(estate, at.server, at.arrival.channel)
    source = receiver.source if receiver else estate.network.managers[at.server].source
    if at.published:
        return publication.brought(at, source)
    blank = at.blank and needs_blank(estate, at.server, at.name)
    to = at.goes(phase=OPEN, queue_manager=at.queue_manager or at.server, blank=blank)
    opens = at.name if at.blank else f"{at.name}@{at.queue_manager or at.server}"
    text = f"channel {at.arrival.channel}".rstrip() + f" opens {opens}"
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
    original = came.header
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
        no_queue = f"DEADQ {dead} is not a local queue of {at.server}"
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
