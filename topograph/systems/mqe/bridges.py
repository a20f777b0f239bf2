"""Where messages go over to IBM MQ and come from there: bridge queues (E-30) and
transmission-queue listeners (E-31).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from topograph.assumptions import Assumption
from topograph.facts.mqe import MqeXmitqListener
from topograph.findings import Finding
from topograph.outcomes import Confidence
from topograph.systems.mqe.configuration import MqeConfiguration
from topograph.systems.mqe.entry import ANY, put
from topograph.tracing.states import Handover, How, Seam, State, Way
from topograph.tracing.trace import Ending, Kind

if TYPE_CHECKING:
    from topograph.systems.ibm_mq.routing.entry import QueuedMessage

IBM_MQ = "ibm_mq"


def _as_put(state: State) -> State:
    """A message that a bridge queue hands over is put on the queue of that name at the queue
    manager (E-30).
    """
    from topograph.systems.ibm_mq.routing.entry import put_state

    reply = tuple(json.loads(state.data)["reply"]) if state.data else ()
    return put_state(state.server, "" if state.object == ANY else state.object, reply=reply)


TO_IBM_MQ = Seam("mqe", IBM_MQ, _as_put)


def taken(
    configuration: MqeConfiguration, system: str, state: State, held: Ending
) -> Sequence[Way]:
    """E-31: the transmission-queue listeners that read the queue on which IBM MQ holds a
    message, because no channel reads it. Of several one takes it; nothing reads a queue with
    GET(DISABLED).
    """
    if system != IBM_MQ or held.text("reason") != "no channel" or held.text("inhibited"):
        return ()
    if not (configuration.listeners or configuration.lost_listeners):
        return ()
    from topograph.systems.ibm_mq.routing.entry import transmission

    found = transmission(state)
    if found is None:
        return ()
    listeners = configuration.listeners.get((found.queue_manager, found.queue), ())
    running = [one for one in listeners if configuration.runs(one.server)]
    if listeners and not running:
        return [_waits(listeners, held)]
    if not listeners:
        return list(_perhaps(configuration, found, held))
    ways = []
    several = len(running) > 1
    alone = None if several else _reads_alone(running[0])
    for one in running:
        to = put(one.server, found.to_queue or ANY, found.to_queue_manager, found.reply)
        text = (
            f"the transmission-queue listener of {one.server} reads {one.label} and puts the "
            f"message on {one.server} (stated)"
        )
        ways.append(
            Way(
                Handover("mqe", to, How.STATED, one.source, refused=_stays(one, held)),
                text,
                "E-31",
                source=one.source,
                kind=Kind.ONE_OF if several else Kind.COPY,
                choice=f"listener that reads {one.label}" if several else "",
                position=alone,
                link=one.label,
                role="listener",
            )
        )
    return ways


def _reads_alone(listener: MqeXmitqListener) -> Assumption:
    """What it rests on that the only listener which a loaded file shows takes every message."""
    return Assumption(
        "E-31",
        "M",
        f"no queue manager that is not loaded reads {listener.label}",
        "one of several takes each message",
    )


def _perhaps(configuration: MqeConfiguration, found: QueuedMessage, held: Ending) -> Iterator[Way]:
    """The listeners that are not understood may read the transmission queue, or none does."""
    label = f"{found.queue} of {found.queue_manager}"
    choice = f"whether something reads {label}"
    for stated in configuration.lost_listeners:
        to = put(stated.server, found.to_queue or ANY, found.to_queue_manager, found.reply)
        text = (
            f"a transmission-queue listener of {stated.server} that is not understood reads {label}"
        )
        handover = Handover("mqe", to, How.ASSUMED, stated.source)
        yield Way(
            handover,
            text,
            "E-31",
            Confidence.L,
            stated.source,
            Kind.OPAQUE,
            choice=choice,
            condition=text,
            link=label,
            role="listener",
        )
    if configuration.lost_listeners:
        text = f"held on {label}: nothing reads it"
        yield Way(held, text, "E-31", Confidence.L, kind=Kind.OPAQUE, choice=choice, condition=text)


def _waits(listeners: Sequence[MqeXmitqListener], held: Ending) -> Way:
    """The transmission queue is read, by queue managers none of which runs."""
    names = " and ".join(sorted({one.server for one in listeners}))
    verb = "do" if " and " in names else "does"
    text = (
        f"held on {listeners[0].label}: its transmission-queue listener is that of {names}, "
        f"which {verb} not run"
    )
    ending = Ending(held.outcome, {**held.arguments, "reason": "network"})
    return Way(ending, text, "E-31", source=listeners[0].source)


_STAYS = Assumption(
    "E-31",
    "L",
    "a message that MQe refuses stays on the transmission queue that the listener reads (E-12)",
    "a rule of the listener discards it or puts it on a dead-letter queue",
)


def _stays(listener: MqeXmitqListener, held: Ending) -> Way:
    """What follows if MQe refuses the message of a listener: the program that put it on IBM MQ
    does not wait for that.
    """
    ending = Ending(held.outcome, {**held.arguments, "reason": f"rejected by {listener.server}"})
    text = f"{listener.server} refuses it: the message stays on {listener.label} (E-12)"
    return Way(ending, text, "E-31", Confidence.L, listener.source, position=_STAYS)


def explains(configuration: MqeConfiguration, finding: Finding) -> bool:
    """Whether a finding says that no channel reads a transmission queue which a listener reads
    (E-31).
    """
    if finding.kind != "transmission-queue-without-channel":
        return False
    named = (queue for manager, queue in configuration.listeners if manager == finding.server)
    return any(f"transmission queue {queue}:" in finding.message for queue in named)
