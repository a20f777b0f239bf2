"""The ``propagate`` command: one message, and who gets it."""

from __future__ import annotations

import click

from topograph.cli.options import Asking, question_options


@click.command()
@click.argument("from_", metavar="FROM")
@click.option("--destination", metavar="DEST", help="Where the message is published: topic:NAME, address:NAME.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A property of the message; 7, 7.0, '7' and true have the type they have in a selector. Repeatable.",
)
@click.option(
    "--message",
    "message_file",
    metavar="FILE",
    help="The message as JSON (schema: topograph/cli/message.schema.json); options add to it and win over it.",
)
@click.option(
    "--subscriber",
    "subscribers",
    metavar="SERVER:DEST",
    multiple=True,
    help="A subscriber, for this question only, such as B:topic:orders. Repeatable.",
)
@click.option("--clients", "clients_file", metavar="FILE", help="Clients, for this question only, as CSV.")
@click.option("--user", metavar="NAME", help="Who publishes.")
@question_options
def propagate(
    asking: Asking,
    *,
    from_: str,
    destination: str | None,
    settings: tuple[str, ...],
    message_file: str | None,
    subscribers: tuple[str, ...],
    clients_file: str | None,
    user: str | None,
) -> None:
    """Who gets a message published at FROM, who does not, and why?

    \b
    Examples:
      topograph propagate A --destination topic:orders --set country=Canada
      topograph propagate A --message order.json --subscriber B:topic:orders
    """
    from topograph.cli.question_files import MessageFile, read_clients, read_message
    from topograph.message import parse_property

    message = read_message(message_file) if message_file else MessageFile()
    where = destination or message.destination
    if not where:
        raise click.UsageError(
            "Say where the message is published: --destination topic:NAME, or in the --message file."
        )
    properties = {**message.properties, **dict(parse_property(setting) for setting in settings)}
    clients = read_clients(clients_file) if clients_file else ()
    answer = asking.open().propagate(
        from_,
        where,
        properties,
        subscribers=subscribers,
        clients=clients,
        user=message.user if user is None else user,
    )
    asking.tell(answer)
