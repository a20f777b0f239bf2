"""Where a message is on its way (``State``), as IBM MQ needs it: the phase, and the names that
resolution has come to.

``State.data`` is the JSON text of what is not blank, with sorted keys, so that equal positions are
equal states.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from dataclasses import field, fields
from functools import lru_cache
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any, Literal

from topograph.records import record
from topograph.tracing.states import Ended, State

PUT = "put"
"""An application is about to put it: reply-to fields are looked at first (M-10)."""
OPEN = "open"
"""A queue name is resolved: by the queue manager of the application, or by the receiving end of
a channel.
"""
XMIT = "transmission queue"
"""It is on a transmission queue, with a header."""
ARRIVE = "arrive"
"""It came in over a channel."""
PUBLISH = "publish"
"""It is published on a topic."""
TAKEN = "taken"
"""On the managed queue of the subscription ``queue``."""
OUTSIDE = "outside"
"""It left the loaded files; ``queue`` is the address it went to, ``arrival`` over which channel."""

SUBSCRIBED = "for subscription "
"""How ``MqPosition.copy`` begins of a copy for a subscription; that of a streaming queue begins
otherwise.
"""

ANY_QUEUE = "*"
"""Stands for whatever queue: entries of the graph ask where a queue manager's name leads."""
NO_QUEUE = "*none"
"""Stands for the name of any queue that the queue manager does not have."""
ANY_MEMBER = "*cluster"
"""Stands for the name of any other member of a cluster."""
ANY_OTHER = "*other"
"""Stands for the name of any queue manager that the local one knows nothing of."""


_ANY = {
    ANY_MEMBER: "any queue of a cluster member",
    ANY_OTHER: "any queue of another queue manager",
}


@record
class ChannelArrival:
    """How a message came in: over which channel, from which queue manager (blank: not known) and
    transmission queue, with which header. A blank ``queue_manager`` is what the header has where a
    member of a cluster left open which one takes the message (M-24).
    """

    channel: str = ""
    sender: str = ""
    queue: str = ""
    name: str = ""
    queue_manager: str = ""

    @property
    def header(self) -> str:
        """What the header names, ``QUEUE@QMGR``; the queue alone where it names no queue
        manager.
        """
        return f"{self.name}@{self.queue_manager}" if self.queue_manager else self.name


@record
class MqPosition:
    """A message at queue manager ``server``.

    ``name`` is ObjectName (also the name of a topic), ``queue_manager`` ObjectQMgrName with blank
    read as the local name; ``blank`` says that it was blank where that makes a difference. In
    ``XMIT`` and ``ARRIVE`` they are those of the header, where blank is read as the queue manager
    that it is for, and ``queue`` is the transmission queue; ``member`` and ``channel`` are the
    cluster queue manager it was chosen for. In ``OPEN`` a ``member`` says that the object here was
    chosen among those of a cluster. ``bind`` is DEFBIND of the object opened. ``reply`` is the
    reply-to queue and queue manager. ``copy`` says what it is a copy of, ``text`` being that in
    words. ``published`` says that it is a publication on topic ``name`` which a cluster carries.
    ``excluded`` are names that ``ANY_OTHER`` does not stand for.
    """

    server: str
    phase: str
    name: str
    queue_manager: str = ""
    blank: bool = False
    bind: str = ""
    queue: str = ""
    member: str = ""
    channel: str = ""
    reply: tuple[str, ...] = ()
    copy: str = ""
    published: bool = False
    arrival: ChannelArrival | None = None
    excluded: tuple[str, ...] = field(default=())

    def __hash__(self) -> int:
        """Of what tells most positions apart: nearly every step looks one up."""
        came = self.arrival.sender if self.arrival is not None else ""
        names = self.server, self.phase, self.name, self.queue_manager, self.queue, self.member
        return hash((names, came, len(self.excluded)))

    @property
    def header(self) -> str:
        """What the header of a message on a transmission queue names (M-07)."""
        return self.name if self.blank else f"{self.name}@{self.queue_manager}"

    @property
    def key(self) -> Hashable:
        """What comes again in a loop, and decides what comes next: (queue manager,
        ObjectQMgrName with blank read as the local one, name) where a name is resolved (M-15)."""
        if self.phase == ARRIVE and self.arrival:
            came = self.server, self.arrival.channel
            said = self.blank, self.published, self.excluded
            return arrival_key(*came, self.queue_manager, self.name, said)
        there = (self.queue, self.member, self.channel)
        return (
            self.phase,
            self.server,
            self.queue_manager,
            self.name,
            self.blank,
            self.published,
            *there,
            self.excluded,
        )

    def state(self) -> State:
        """As a state."""
        shown = self.queue if self.phase == XMIT else self.name
        if shown == ANY_QUEUE:
            shown = _ANY.get(self.queue_manager, f"any queue of {self.queue_manager}")
        elif shown == NO_QUEUE:
            shown = f"a queue that {self.queue_manager} does not have"
        return State(self.server, shown, _written(self), self)

    def goes(self, **changed: Any) -> State:
        """The state with other fields."""
        values = [*_fields(self)]
        for name, value in changed.items():
            values[_PLACES[name]] = value
        return MqPosition(*values).state()


def ended_here(server: str, name: str) -> Ended:
    """The state of a message to a queue of a queue manager where it begins, as one that ends there:
    what ``MqPosition(server, OPEN, name, server).state()`` is."""
    return Ended(server, name, _with_names(OPEN, name, server))


def arrival_key(
    server: str,
    channel: str,
    queue_manager: str,
    name: str,
    said: tuple[bool, bool, tuple[str, ...]] = (False, False, ()),
) -> Hashable:
    """``MqPosition.key`` of a message that came in over a channel; ``said`` is what else it says:
    ``blank``, ``published``, ``excluded``."""
    return (ARRIVE, server, channel, queue_manager, name, *said)


_FIELDS = [one.name for one in fields(MqPosition)]
_PLACES = {name: place for place, name in enumerate(_FIELDS)}
_fields = attrgetter(*_FIELDS)
_WRITTEN = sorted(one.name for one in fields(MqPosition) if one.name not in ("server", "arrival"))
_OF_ARRIVAL = sorted(one.name for one in fields(ChannelArrival))
_values, _values_of_arrival = attrgetter(*_WRITTEN), attrgetter(*_OF_ARRIVAL)
_keys, _keys_of_arrival = ([f'"{one}": ' for one in names] for names in (_WRITTEN, _OF_ARRIVAL))


def _written(at: MqPosition) -> str:
    """A position as JSON text, as ``json`` writes it: by hand, since each of very many states is
    written, most of them with three names."""
    came = at.arrival
    if at.name and at.queue_manager and not _says_more(at) and (came is None or _is_whole(came)):
        queue = f'"queue": {encode_basestring(at.queue)}, ' if at.queue else ""
        return _with_names(at.phase, at.name, at.queue_manager, queue, came)
    parts = [
        key + (encode_basestring(value) if isinstance(value, str) else _in_json(value))
        for key, value in zip(_keys, _values(at), strict=True)
        if value
    ]
    if at.arrival is not None:
        values = zip(_keys_of_arrival, _values_of_arrival(at.arrival), strict=True)
        inside = ", ".join([key + encode_basestring(text) for key, text in values if text])
        parts.insert(0, f'"arrival": {{{inside}}}')
    return f"{{{', '.join(parts)}}}"


def _with_names(
    phase: str, name: str, queue_manager: str, queue: str = "", came: ChannelArrival | None = None
) -> str:
    """The text of a position of which no more is said; ``queue`` as it stands there."""
    first = "" if came is None else f'"arrival": {_arrival_written(came)}, '
    name, queue_manager = encode_basestring(name), encode_basestring(queue_manager)
    return f'{{{first}"name": {name}, "phase": "{phase}", {queue}"queue_manager": {queue_manager}}}'


def _is_whole(came: ChannelArrival) -> bool:
    return bool(came.channel and came.name and came.queue and came.queue_manager and came.sender)


def _arrival_written(came: ChannelArrival) -> str:
    """An arrival that is whole."""
    channel, sender = encode_basestring(came.channel), encode_basestring(came.sender)
    name, queue = encode_basestring(came.name), encode_basestring(came.queue)
    manager = encode_basestring(came.queue_manager)
    return (
        f'{{"channel": {channel}, "name": {name}, "queue": {queue}, "queue_manager": {manager}, '
        f'"sender": {sender}}}'
    )


def _says_more(at: MqPosition) -> bool:
    """Whether anything but server, phase, names and queue is said of a position."""
    return bool(
        at.blank
        or at.bind
        or at.member
        or at.channel
        or at.reply
        or at.copy
        or at.published
        or at.excluded
    )


def _in_json(value: Iterable[str] | Literal[True]) -> str:
    return "true" if value is True else f"[{', '.join(map(encode_basestring, value))}]"


def position(state: State) -> MqPosition:
    """The position of a state that ``MqPosition.state`` made, here or before it came out of a
    snapshot.
    """
    if isinstance(state.decoded, MqPosition):
        return state.decoded
    return _decoded(state.server, state.data)


@lru_cache(maxsize=1 << 14)
def _decoded(server: str, data: str) -> MqPosition:
    said = {"name": ""} | json.loads(data)
    arrival = ChannelArrival(**said.pop("arrival")) if "arrival" in said else None
    lists: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in said.items()
    }
    return MqPosition(server, arrival=arrival, **lists)
