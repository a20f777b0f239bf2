"""Where a message is within MQe, as a state of the trace: on which queue manager, for which
destination, and who still keeps it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import asdict
from enum import StrEnum
from functools import lru_cache

from topograph.records import record
from topograph.tracing.states import State


class MqePhase(StrEnum):
    """How far the queue manager has got with the message."""

    PUT = "put"
    """It is presented with its destination: E-01 and all that follows apply."""
    REMOTE = "remote"
    """It is on a remote queue definition."""
    DISCOVERED = "discovered"
    """It is on the remote queue definition that discovery made."""
    STORED = "stored"
    """It is on a store-and-forward queue, ``toward`` names it."""
    SEND = "send"
    """It is sent over the connection ``toward``."""
    COLLECTED = "collected"
    """A home-server queue has collected it."""


@record
class Keeper:
    """The queue that keeps the message until the next queue manager, ``peer``, has taken it;
    ``name`` and ``manager`` are the destination stored there.
    """

    queue: str
    server: str
    peer: str
    name: str
    manager: str


@record
class MqePosition:
    """A message for ``queue@manager`` at ``server``. ``arrived`` is True if it came from another
    queue manager; without a ``keeper`` the application that put it waits for the end of the
    call. ``reply`` is the reply-to queue and queue manager, empty where no reply is asked for."""

    server: str
    queue: str
    manager: str
    phase: MqePhase = MqePhase.PUT
    toward: str = ""
    arrived: bool = False
    keeper: Keeper | None = None
    reply: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The destination."""
        return f"{self.queue}@{self.manager}"

    def state(self) -> State:
        """As a state of the trace."""
        data: dict[str, object] = {"queue_manager": self.manager, "phase": str(self.phase)}
        if self.toward:
            data["toward"] = self.toward
        if self.arrived:
            data["arrived"] = True
        if self.keeper is not None:
            data["keeper"] = asdict(self.keeper)
        if self.reply:
            data["reply"] = list(self.reply)
        return State(self.server, self.queue, json.dumps(data, ensure_ascii=False))


@lru_cache(maxsize=1 << 12)
def position_of(state: State) -> MqePosition:
    """The position that ``MqePosition.state`` made a state of."""
    data = json.loads(state.data)
    keeper = Keeper(**data["keeper"]) if "keeper" in data else None
    phase, toward = MqePhase(data["phase"]), data.get("toward", "")
    arrived, reply = data.get("arrived", False), tuple(data.get("reply", ()))
    return MqePosition(
        state.server, state.object, data["queue_manager"], phase, toward, arrived, keeper, reply
    )


def loop_key(state: State) -> Hashable:
    """What comes again in a loop: the queue manager that holds the message and its destination
    (E-40); who keeps it does not matter.
    """
    at = position_of(state)
    return at.server, at.manager, at.queue, at.phase, at.toward
