"""The commands about one message: ``propagate`` and ``trace``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import click

from topograph.cli.further_options import MessageCommand, taken_apart
from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.errors import UnknownDestination
from topograph.questions.records.messages import PROPAGATE, TRACE

if TYPE_CHECKING:
    from topograph.message import Message, MessageOptions
    from topograph.network import Network
    from topograph.questions.answers import Answer
    from topograph.side_inputs import Client


@question_command(PROPAGATE, MessageCommand)
def propagate(asking: Asking, **options: Any) -> None:
    """Ask ``propagate`` of the message that the options and the message file make together."""
    _tell(asking, lambda network: network.propagate, **options)


@question_command(TRACE, MessageCommand)
def trace(asking: Asking, reply: bool, **options: Any) -> None:
    """Ask ``trace`` of the message that the options and the message file make together."""
    _tell(asking, lambda network: partial(network.trace, reply=reply), **options)


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
    **said: Any,
) -> None:
    own, further = taken_apart(said)
    try:
        given = _message(destination, properties, message, user, _options(**own), further)
    except UnknownDestination as unknown:
        if unknown.name:
            question(asking.open())(from_, unknown.name)  # raises: what that server has
        raise
    known = _clients(clients)
    asking.tell(question(asking.open())(from_, given, subscribers=subscribers, clients=known))


def _message(
    destination: str | None,
    properties: tuple[str, ...],
    message: str | None,
    user: str | None,
    options: MessageOptions,
    further: Mapping[str, str],
) -> Message:
    """The message file with the options added, which win over it. Raises UsageError without a
    destination.
    """
    from topograph.cli.question_files import MessageFile, read_message
    from topograph.message import Message, parse_properties

    given = read_message(message) if message else MessageFile()
    where = destination or given.destination
    if not where and options.get("arrives_over"):
        where = options.get("header", "")
    if not where:
        raise click.UsageError(
            "Say where the message goes: --destination topic:NAME, queue:NAME, "
            "exchange:NAME or address:NAME, or in the --message file."
        )
    typed = {**given.properties, **parse_properties(properties)}
    said: MessageOptions = {**given.options, **options}
    if further:
        said["further"] = {**given.options.get("further", {}), **further}
    return Message.to(where, typed, user=given.user if user is None else user, **said)


def _options(
    *,
    anonymous: bool,
    persistent: bool,
    nonpersistent: bool,
    forward_path: str | None,
    reverse_path: str | None,
    rollbacks: str | None,
    count: str | None,
    **texts: str | None,
) -> MessageOptions:
    """What the command line says beside destination, properties and user; what it does not say
    is left out. Raises UsageError.
    """
    from topograph.message import parse_count, parse_path, parse_rollbacks

    if persistent and nonpersistent:
        raise click.UsageError("--persistent and --nonpersistent exclude each other.")
    said: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if anonymous:
        said["anonymous"] = True
    if persistent or nonpersistent:
        said["persistent"] = persistent
    if forward_path is not None:
        said["forward_path"] = parse_path(forward_path)
    if reverse_path is not None:
        said["reverse_path"] = parse_path(reverse_path, "--rrp")
    if rollbacks is not None:
        said["rollbacks"] = parse_rollbacks(rollbacks)
    if count is not None:
        said["count"] = parse_count(count)
    return cast("MessageOptions", said)


def _clients(path: str | None) -> Sequence[Client]:
    from topograph.cli.question_files import read_clients

    return read_clients(path) if path else ()
