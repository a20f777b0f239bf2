"""What other systems need to hand messages over, in either direction: the state of a put, and what a message on a transmission queue says."""

from __future__ import annotations

from dataclasses import dataclass

from topograph.systems.ibm_mq.positions import ANY_QUEUE, OPEN, XMIT, Position, position
from topograph.tracing.states import State


@dataclass(frozen=True, slots=True)
class Transmission:
    """A message on the transmission queue ``queue`` of a queue manager, with the destination in its header (M-07)."""

    queue_manager: str
    queue: str
    to_queue: str
    to_queue_manager: str


def put_state(queue_manager: str, queue: str, to_queue_manager: str = "") -> State:
    """The state of a message that a program puts on ``queue`` of ``to_queue_manager`` (empty: of the one it is connected to, by its name) at
    ``queue_manager``; without a name of a queue, on any."""
    return Position(queue_manager, OPEN, queue or ANY_QUEUE, to_queue_manager or queue_manager).state()


def transmission(state: State) -> Transmission | None:
    """What a message on a transmission queue says; None for one that is on none, or whose destination is not that of a single queue manager. Its
    ``to_queue`` is empty where it stands for any queue."""
    at = position(state)
    if at.phase != XMIT or at.queue_manager.startswith("*"):
        return None
    return Transmission(at.server, at.queue, "" if at.name == ANY_QUEUE else at.name, at.queue_manager)
