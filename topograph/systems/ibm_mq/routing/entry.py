"""What other systems need to hand messages over, in either direction: the state of a put, and
what a message on a transmission queue says.
"""

from __future__ import annotations

from topograph.records import record
from topograph.systems.ibm_mq.routing.positions import (
    ANY_OTHER,
    ANY_QUEUE,
    ARRIVE,
    OPEN,
    OUTSIDE,
    PUT,
    XMIT,
    ChannelArrival,
    MqPosition,
    position,
)
from topograph.tracing.states import State
from topograph.tracing.trace import Ending

Reply = tuple[str, ...]
"""Reply-to queue and queue manager; empty where no reply is asked for."""


@record
class QueuedMessage:
    """A message on the transmission queue ``queue`` of a queue manager, with the destination in
    its header (M-07).
    """

    queue_manager: str
    queue: str
    to_queue: str
    to_queue_manager: str
    reply: Reply = ()


@record
class Leaving:
    """A message that a channel takes to where no loaded queue manager has the channel's other
    end. Without ``to_queue`` it is any; ``any_manager`` says that it is for whatever queue
    manager has no transmission queue of its own. ``server`` is where the channel is said to
    lead; empty where it is held."""

    channel: str
    address: str
    sender: str
    transmission: QueuedMessage
    any_manager: bool
    server: str = ""


def put_state(
    queue_manager: str, queue: str, to_queue_manager: str = "", reply: Reply = ()
) -> State:
    """The state of a message that a program puts on ``queue`` of ``to_queue_manager`` (empty: of
    the one it is connected to, by its name) at ``queue_manager``; without a name of a queue, on
    any."""
    to = to_queue_manager or queue_manager
    return MqPosition(
        queue_manager, PUT if reply else OPEN, queue or ANY_QUEUE, to, reply=reply
    ).state()


def linked_state(server: str, link: ChannelArrival, address: str, reply: Reply = ()) -> State:
    """The state of a message that another system sends over ``link``, with the channel's name if
    it is stated, to the queue manager that it calls ``server``, at ``address`` (``HOST:PORT``)."""
    name = link.name or ANY_QUEUE
    return MqPosition(
        server, ARRIVE, name, link.queue_manager, queue=address, reply=reply, arrival=link
    ).state()


def transmission(state: State) -> QueuedMessage | None:
    """What a message on a transmission queue says; None for one that is on none, or whose
    destination is not that of a single queue manager. Its ``to_queue`` is empty where it stands
    for any queue."""
    at = position(state)
    if at.phase != XMIT or at.queue_manager.startswith("*"):
        return None
    return QueuedMessage(at.server, at.queue, _queue(at.name), at.queue_manager, at.reply)


def leaving(state: State, ending: Ending) -> Leaving | None:
    """How a message leaves the loaded queue managers over a channel; None for one that does not.
    ``state`` is the one in which it is held, or to which it goes."""
    at = position(state)
    if at.phase == XMIT and (channel := ending.text("channel")):
        came = ChannelArrival(channel, at.server, at.queue, at.name, at.queue_manager)
        address, server = ending.text("address"), ""
    elif at.phase == OUTSIDE and at.arrival is not None:
        came, address, server = at.arrival, at.queue, at.server
    else:
        return None
    said = QueuedMessage(came.sender, came.queue, _queue(came.name), came.queue_manager, at.reply)
    return Leaving(
        came.channel, address, came.sender, said, came.queue_manager == ANY_OTHER, server
    )


def _queue(name: str) -> str:
    return "" if name == ANY_QUEUE else name
