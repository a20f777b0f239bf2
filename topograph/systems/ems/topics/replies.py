"""Replies: a message to the destination that the first one asks to be answered at (R90-R93).

A temporary topic is answered from every server that knows the name of its server, over any number
of routes; a temporary queue over one route; any other destination like any message.
"""

from __future__ import annotations

from topograph.assumptions import Assumption
from topograph.errors import UnknownDestination, UsageError
from topograph.message import DestinationName, Message, parse_destination
from topograph.systems.ems.destinations.subscribers import check_topic
from topograph.systems.ems.destinations.topics import is_temporary
from topograph.systems.ems.queues.model import check_queue

NO_PROPERTIES = Assumption(
    "R69",
    "M",
    "a reply has no properties that a selector asks for",
    "a reply that has them may get to more servers, or to fewer",
)


def check_destination(named: DestinationName) -> None:
    """Raises UsageError for a topic or queue that no message can be sent to."""
    (check_queue if named.type == "queue" else check_topic)(named.name)


def reply_destination(text: str) -> DestinationName:
    """The destination of ``--reply-to``. Raises UsageError for one that is no topic or queue."""
    try:
        named = parse_destination(text)
    except UnknownDestination:
        named = DestinationName("", text)
    if named.type not in ("topic", "queue"):
        raise UsageError(
            f"--reply-to {text}: write topic:NAME or queue:NAME. For example: topic:$TMP$.SERVER.1."
        )
    check_destination(named)
    return named


def reply_to(message: Message) -> Message | None:
    """The reply to a message, as its destination goes; None where it asks for none."""
    return Message(reply_destination(message.reply_to)) if message.reply_to else None


def rests_on(reply: Message) -> tuple[Assumption, ...]:
    """What following a reply rests on: selectors say nothing of temporary destinations (A24)."""
    return () if is_temporary(reply.destination.name) else (NO_PROPERTIES,)
