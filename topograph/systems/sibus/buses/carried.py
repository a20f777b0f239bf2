"""What a message carries from state to state (sibus.md A1.4), as ``State.data``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

from topograph.records import record
from topograph.systems.sibus.buses.paths import Path, PathTable
from topograph.tracing.states import State


class SibusPhase(StrEnum):
    """How far a destination is with a message (S-01)."""

    ARRIVED = "arrived"
    REPLIED = "reply destination added"
    DEFAULTED = "default path applied"
    """What comes next is the mediation."""
    SELECTED = "selected"
    """The selector of the mediation takes the message."""
    MEDIATED = "mediated"
    """What comes next is the next element of the path, or the destination itself."""
    MOVED = "moved"
    """At its exception destination, which has not looked at it yet."""
    UNRESOLVED = "unresolved"
    """The next element of the path does not lead anywhere."""
    EXCEPTION = "exception"
    """The message is to go to an exception destination."""
    STORED = "stored"
    """At a queue point, where a consumer gives it back."""
    ASKED = "reply asked for"
    """A reply that is to take the reverse path."""
    REPLY = "reply"
    """A reply that is to be sent."""
    ANYWHERE = "anywhere"
    """Code that no file shows may have sent it to any destination of the bus."""


class By(StrEnum):
    """What brought a message to a destination."""

    SENDER = "sender"
    PATH = "path"
    LINK = "link"
    ALIAS = "alias"
    EXCEPTION = "exception"


KEPT = 20_000
"""States whose text is kept, so that it is not read back."""

ANY = "*"
"""Stands for every destination of the bus that is entered."""
NONE = "*none"
"""Stands for the name of any destination that the bus does not have."""

GRAPH = "graph"
"""The mode of messages that stand for all that begin at a destination: followed like ``doc``,
bypassing as ``engine`` does, which visits the same buses in fewer steps."""


@record
class Carried:
    """``forward`` and ``reverse`` are the routing paths; ``path_bus`` is the bus on which the
    forward path was set, ``filled`` whether the destination filled it from its default,
    ``defaulted`` whether some default filled it, ``on_path`` whether a path brought the message
    here. ``target_bus`` is set while a message passes a bus on its way to another. ``redirects``
    is the count of S-09. ``exception`` is the exception destination that a message was moved to,
    with ``reason`` and the ``problem`` destination; ``consumer`` is the address whose consumer
    gives the message back ``rollbacks`` times, ``point`` the messaging engine of its queue
    point, ``points`` the queue points that aliases leave, ``engine`` where it is worked on,
    ``from_bus`` where it came over a link from. ``sender_waits`` is True until the message
    leaves the sender's bus or is moved to an exception destination: errors go to the sender.
    ``asked`` is the kind of destination that the sender asks for, ``queue`` or ``topic``, where it
    is not the kind of what is there (S-28).
    ``path_start`` is the destination of this bus at which the forward path began, where
    topograph.yaml makes that count (A-5)."""

    phase: SibusPhase = SibusPhase.ARRIVED
    by: By = By.SENDER
    forward: Path | None = None
    reverse: Path | None = None
    path_bus: str = ""
    filled: bool = False
    defaulted: bool = False
    on_path: bool = False
    target_bus: str = ""
    reliability: str = ""
    redirects: int = 0
    mode: str = "doc"
    topic: str = ""
    rollbacks: int = 0
    consumer: str = ""
    point: str = ""
    points: tuple[str, ...] | None = None
    engine: str = ""
    exception: str = ""
    reason: int = 0
    problem: str = ""
    from_bus: str = ""
    sender_waits: bool = True
    path_start: str = ""
    asked: str = ""

    def at(self, server: str, name: str, paths: PathTable) -> State:
        """The state of a message that carries this to a destination."""
        known = paths.written.get(self)
        if known is not None:
            return State(server, name, known)
        data: dict[str, object] = {}
        for one in _FIELDS:
            value = getattr(self, one)
            if value != _DEFAULTS[one]:
                data[one] = paths.write(value) if one in ("forward", "reverse") else value
        text = json.dumps(data, ensure_ascii=False)
        if len(paths.read_back) >= KEPT:
            paths.written.clear()
            paths.read_back.clear()
        paths.written[self] = text
        paths.read_back[text] = self
        return State(server, name, text)

    @classmethod
    def of(cls, state: State, paths: PathTable) -> Carried:
        """What a state carries."""
        known = paths.read_back.get(state.data)
        if isinstance(known, Carried):
            return known
        data: Mapping[str, object] = json.loads(state.data) if state.data else {}
        values: dict[str, Any] = dict(data)
        for one in ("forward", "reverse"):
            if one in values:
                values[one] = paths.read(values[one])
        values["phase"] = SibusPhase(str(values.get("phase", SibusPhase.ARRIVED)))
        values["by"] = By(str(values.get("by", By.SENDER)))
        points = values.get("points")
        if isinstance(points, list):
            values["points"] = tuple(points)
        return replace(_EMPTY, **values)

    @property
    def unstamped(self) -> bool:
        """Whether a reverse path as the sender gave it has elements without a bus name (S-11):
        what is added later is named.
        """
        return (
            self.by is By.SENDER
            and self.reverse is not None
            and not all(one.bus for one in self.reverse)
        )

    @property
    def walks(self) -> bool:
        """Whether destinations that do nothing to the message are passed without a stop (S-16)."""
        return self.mode in ("engine", GRAPH)


_EMPTY = Carried()
_FIELDS = tuple(one.name for one in fields(Carried))
_DEFAULTS = {one: getattr(_EMPTY, one) for one in _FIELDS}
