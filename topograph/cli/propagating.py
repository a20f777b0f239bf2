"""The ``propagate`` command: one message, and who gets it."""

from __future__ import annotations

import click

from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.questions.records import PROPAGATE


@question_command(PROPAGATE)
def propagate(
    asking: Asking,
    *,
    from_: str,
    destination: str | None,
    properties: tuple[str, ...],
    message: str | None,
    subscribers: tuple[str, ...],
    clients: str | None,
    user: str | None,
) -> None:
    """Ask ``propagate`` of the message that the options and the message file make together."""
    from topograph.cli.question_files import MessageFile, read_clients, read_message
    from topograph.message import parse_property

    given = read_message(message) if message else MessageFile()
    where = destination or given.destination
    if not where:
        raise click.UsageError(
            "Say where the message is published: --destination topic:NAME, or in the --message file."
        )
    typed = {**given.properties, **dict(map(parse_property, properties))}
    answer = asking.open().propagate(
        from_,
        where,
        typed,
        subscribers=subscribers,
        clients=read_clients(clients) if clients else (),
        user=given.user if user is None else user,
    )
    asking.tell(answer)
