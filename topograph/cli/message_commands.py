"""The commands about one message: ``propagate`` and ``trace``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.questions.records import PROPAGATE, TRACE

if TYPE_CHECKING:
    from topograph.message import Message
    from topograph.network import Network
    from topograph.questions.answers import Answer
    from topograph.side_inputs import Client


@question_command(PROPAGATE)
def propagate(asking: Asking, **options: Any) -> None:
    """Ask ``propagate`` of the message that the options and the message file make together."""
    _tell(asking, lambda network: network.propagate, **options)


@question_command(TRACE)
def trace(asking: Asking, **options: Any) -> None:
    """Ask ``trace`` of the message that the options and the message file make together."""
    _tell(asking, lambda network: network.trace, **options)


def _tell(
    asking: Asking,
    question: Callable[[Network], Callable[..., Answer]],
    *,
    from_: str,
    destination: str | None,
    properties: tuple[str, ...],
    message: str | None,
    subscribers: tuple[str, ...],
    clients: str | None,
    user: str | None,
    anonymous: bool,
) -> None:
    given = _message(destination, properties, message, user, anonymous)
    known = _clients(clients)
    asking.tell(question(asking.open())(from_, given, subscribers=subscribers, clients=known))


def _message(
    destination: str | None, properties: tuple[str, ...], message: str | None, user: str | None, anonymous: bool
) -> Message:
    """The message file with the options added, which win over it. Raises UsageError without a destination."""
    from topograph.cli.question_files import MessageFile, read_message
    from topograph.message import Message, parse_property

    given = read_message(message) if message else MessageFile()
    where = destination or given.destination
    if not where:
        raise click.UsageError(
            "Say where the message goes: --destination topic:NAME or address:NAME, or in the --message file."
        )
    typed = {**given.properties, **dict(map(parse_property, properties))}
    return Message.to(where, typed, user=given.user if user is None else user, anonymous=anonymous or given.anonymous)


def _clients(path: str | None) -> Sequence[Client]:
    from topograph.cli.question_files import read_clients

    return read_clients(path) if path else ()
