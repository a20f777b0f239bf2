"""``topograph db``, ``topograph cypher`` and ``topograph snapshots``: the local Neo4j server,
Cypher, and what the database holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from topograph.cli.choices import LocalPath, Seconds
from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.cli.options import completing
from topograph.cli.terminal import say, say_text
from topograph.errors import BackendError, UsageError
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.records import record
from topograph.words.did_you_mean import did_you_mean
from topograph.words.visible import clean

if TYPE_CHECKING:
    from topograph.store.database import Database
    from topograph.store.neo4j_server import ServerStatus
    from topograph.store.snapshot import Snapshot

STATEMENT_SECONDS = 60.0
"""How long a statement may take by default: what somebody typed may run through the whole
database."""

_FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@click.group()
def db() -> None:
    """Start, stop or look at the local Neo4j server.

    It listens on this machine only, with a generated password. The first start downloads Neo4j
    (about 125 MB).

    \b
    Examples:
      # start it, then publish what was imported, and ask in it
      topograph db start
      topograph snapshots publish
      topograph reach HQ --engine neo4j
    """


@db.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="The port to listen on. Default: the port used last, otherwise 7687 or a free one.",
)
@click.option(
    "--heap",
    metavar="SIZE",
    envvar="TOPOGRAPH_NEO4J_HEAP",
    help="Memory for Java, such as 512m or 2g.  [default: 1g]",
)
@click.option("--browser", is_flag=True, help="Also serve Neo4j Browser (15 MB, downloaded once).")
@click.option(
    "--calendar",
    is_flag=True,
    help="Neo4j with a calendar version (2026.08, 155 MB) instead of 5.26. Needs Java 21 or newer; "
    "keeps its data apart.",
)
@_FORMAT
def start(port: int | None, heap: str | None, browser: bool, calendar: bool, form: str) -> None:
    """Start the local Neo4j server and wait until it responds. Does nothing if it is running.

    \b
    Examples:
      # on a small machine
      topograph db start --heap 512m
      # to look at published snapshots in a browser (docs/cypher.md)
      topograph db start --browser
    """
    from topograph.store import neo4j_server

    _show_status(
        _asked(
            neo4j_server.start(
                port=port, heap=heap, browser=browser, calendar=calendar, progress=_progress
            )
        ),
        form,
    )


@db.command()
def stop() -> None:
    """Stop the local Neo4j server cleanly.

    \b
    Example:
      # does nothing if it is not running
      topograph db stop
    """
    from topograph.store import neo4j_server

    say("The local Neo4j is stopped." if neo4j_server.stop() else "The local Neo4j does not run.")


@db.command()
@_FORMAT
def status(form: str) -> None:
    """Show whether the local Neo4j server is running, and how to connect to it.

    \b
    Example:
      # for a script
      topograph db status --format json
    """
    from topograph.store import neo4j_server

    _show_status(_asked(neo4j_server.status()), form)


def _asked(now: ServerStatus) -> ServerStatus:
    """The state of the server once its database has been asked something: a server can run over
    data that it cannot read.
    """
    if now.state != "running" or now.server is None:
        return now
    from topograph.store import neo4j_server
    from topograph.store.database import connect
    from topograph.store.where import DatabaseAddress

    try:
        with connect(
            DatabaseAddress(now.server.uri, neo4j_server.USER, neo4j_server.password())
        ) as database:
            database.ask()
    except BackendError as error:
        return replace(now, state="unresponsive", error=str(error))
    return now


def _show_status(now: ServerStatus, form: str) -> None:
    about = now.to_dict()
    if form == "json":
        click.echo(json.dumps(about, indent=2))
        return
    said = {
        "running": "runs",
        "stopped": "does not run",
        "unresponsive": "has a process that does not answer",
    }
    say(
        f"The local Neo4j {about['version']} "
        f"{said[now.state]}{' at ' + now.server.uri if now.server else ''}."
    )
    if now.error:
        say(now.error)
    if now.server and now.server.browser:
        say(f"Neo4j Browser: {now.server.browser}")
    if now.server:
        say(
            f"user {about['user']}, password in {about['password_file']}, process "
            f"{about['pid']}, heap {about['heap']}"
        )
        say(f"logs in {about['logs']}")


def _no_folder(value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "cypher takes no -s: it runs on a published snapshot in Neo4j (TOPOGRAPH_NEO4J_URI, or "
            f"topograph db start). Publish it with topograph snapshots publish {value}, and name "
            "its network with --param network=NAME."
        )


@click.command()
@click.argument(
    "statement", metavar="[NAME|QUERY]", required=False, shell_complete=completing("statements")
)
@click.option(
    "--param",
    "parameters",
    metavar="K=V",
    multiple=True,
    help="A parameter. V is read as JSON, or as text if it is not JSON. Repeatable.",
)
@click.option(
    "--destination", metavar="DEST", help="For propagate: where the message goes, as topic:NAME."
)
@click.option(
    "--set",
    "properties",
    metavar="NAME=VALUE",
    multiple=True,
    help="For propagate: a property of the message. Repeatable.",
)
@click.option(
    "--subscriber",
    "subscribers",
    metavar="SERVER:DEST",
    multiple=True,
    help="For propagate: one more subscriber. Repeatable.",
)
@click.option("--user", metavar="NAME", default="", help="For propagate: the user who publishes.")
@click.option(
    "--print",
    "printed",
    is_flag=True,
    help="Write the statement and its :param lines, to paste into Neo4j Browser.",
)
@click.option(
    "-s",
    "--snapshot",
    hidden=True,
    expose_value=False,
    callback=lambda _context, _parameter, value: _no_folder(value),
)
@click.option(
    "--budget",
    type=Seconds(),
    default=STATEMENT_SECONDS,
    show_default=True,
    help="Seconds after which the database ends the statement.",
)
@_FORMAT
def cypher(
    statement: str | None,
    parameters: Sequence[str],
    destination: str | None,
    properties: Sequence[str],
    subscribers: Sequence[str],
    user: str,
    printed: bool,
    budget: float,
    form: str,
) -> None:
    """Run a Cypher statement: a NAME that comes with topograph, or any QUERY that only reads.

    A QUERY that would write is refused. Without NAME or QUERY, list the statements that come with
    topograph. Networks and servers given to these are looked up first: an unknown name is an
    error, and an empty table means that there are none.

    The statement runs on a published snapshot in Neo4j (TOPOGRAPH_NEO4J_URI, or topograph db
    start), not on a folder: there is no -s. Name the network with --param network=NAME.

    \b
    Examples:
      # what can be asked by name
      topograph cypher
      # which servers HQ reaches
      topograph cypher reach --param network=estate --param from=HQ
      # who receives a message, as a statement to paste into Neo4j Browser
      topograph cypher propagate --param network=estate --param from=HQ --destination topic:orders --set country=Canada --print
      # your own query
      topograph cypher 'MATCH (s:Server) RETURN s.name LIMIT 5'
    """  # noqa: E501
    from topograph import cypher as statements
    from topograph.cli.parameter_values import check_text
    from topograph.store.database import connect
    from topograph.store.statements import as_pasted

    if statement is None:
        _write_table(["what", "ask", "systems"], _listed(), form)
        return
    for text in (statement, *parameters, *properties, *subscribers, destination or "", user):
        check_text(text)
    given = _parameters(parameters)
    message = _Message(destination, properties, subscribers, user)
    if statement != "propagate" and message != _Message():
        raise UsageError(
            "--destination, --set, --subscriber and --user are about the statement propagate."
        )
    if not re.fullmatch(r"[A-Za-z_-]+", statement):
        if printed:
            say_text(as_pasted(statement, given))
            return
        with connect() as database:
            _write_table(*_within(database, statement, given, budget), form)
        return
    if statement not in statements.names():
        near = did_you_mean(statement, statements.names("questions"))
        raise UsageError(
            f"There is no statement {statement!r}; `topograph cypher` lists those there are.{near}"
        )
    with connect() as database:
        if statement in statements.names("questions"):
            given = _checked(database, statement, given, message)
        if printed:
            say_text(as_pasted(statements.text(statement), given))
        else:
            _write_table(*_within(database, statements.load(statement), given, budget), form)


def _within(
    database: Database, statement: str, given: Mapping[str, Any], seconds: float
) -> tuple[list[str], list[dict[str, Any]]]:
    """Columns and rows of a statement. Raises BackendError where it takes longer."""
    try:
        return database.query(statement, given, Budget.of_seconds(seconds))
    except BudgetSpent:
        raise BackendError(
            f"The database ended the statement after {seconds:g} s. Ask for less, or give it more "
            "time with --budget."
        ) from None


@record(slots=False)
class _Message:
    """The options of ``topograph cypher propagate`` that describe a message."""

    destination: str | None = None
    properties: Sequence[str] = ()
    subscribers: Sequence[str] = ()
    user: str = ""


def _listed() -> list[dict[str, Any]]:
    """What can be asked by name, and of which systems."""
    from topograph import cypher as statements
    from topograph.store.statements import offering, statement

    found = []
    for name in statements.names("questions"):
        about = statement(name)
        found.append({"what": about.what, "ask": about.ask, "systems": list(offering(name))})
    return found


def _checked(
    database: Database, name: str, given: dict[str, Any], message: _Message
) -> dict[str, Any]:
    """The parameters of a statement for people, after everything is looked up; those of
    ``propagate`` that a message gives are added.
    """
    from topograph.store.statements import ALL_ORIGINS, MANY_SERVERS, checked, current_of

    if (
        name == "propagate"
        and {"network", "from"} <= given.keys()
        and not {"closed", "undecided"} <= given.keys()
    ):
        if message.destination is None:
            raise UsageError("Say where the message goes: --destination topic:NAME.")
        snapshot = current_of(database, str(given["network"])).snapshot
        stand_in: dict[str, Any] = {
            "snapshot": snapshot,
            "closed": [],
            "undecided": [],
            "confined": [],
            "subscribers": None,
        }
        checked(database, name, stand_in | given)
        return given | _guards_of(snapshot, given, message)
    current = checked(database, name, given)
    if current is not None and name in ALL_ORIGINS and current.servers > MANY_SERVERS:
        say(f"{name} walks from each of {current.servers:,} servers: this takes minutes.", err=True)
    return given


def _guards_of(snapshot: str, given: Mapping[str, Any], message: _Message) -> dict[str, Any]:
    """The parameters of ``propagate`` that follow from the message."""
    from topograph.message import parse_properties
    from topograph.network import open_network

    network = open_network(f"neo4j:{snapshot}", str(given["network"]), "memory")
    assert message.destination is not None
    found = network.message_guards(
        str(given["from"]),
        message.destination,
        parse_properties(message.properties),
        subscribers=message.subscribers,
        user=message.user,
    )
    if found.refused:
        raise UsageError(f"{given['from']} does not take the message: {found.refused}")
    return {
        "snapshot": snapshot,
        "closed": list(found.closed),
        "undecided": list(found.undecided),
        "confined": list(found.confined),
        "subscribers": None if found.subscribers is None else list(found.subscribers),
    }


def _parameters(texts: Sequence[str]) -> dict[str, Any]:
    """Every ``--param``. Raises UsageError as ``_parameter``, and for a name with two values."""
    found: dict[str, Any] = {}
    for name, value in map(_parameter, texts):
        if name in found and json.dumps(found[name]) != json.dumps(value):
            raise UsageError(f"--param gives {name} two values. Give one.")
        found[name] = value
    return found


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(
            f"--param takes name=value, not {text!r} (for example --param network=orders)."
        )
    from topograph.cli.parameter_values import read_value

    return name.strip(), read_value(name.strip(), value)


@click.group()
def snapshots() -> None:
    """List, publish or delete the snapshots that the Neo4j database holds.

    \b
    Examples:
      # which snapshots are published, and for which networks they are current
      topograph snapshots list
      # what `topograph import` wrote to ./topograph.snapshot
      topograph snapshots publish
    """


@snapshots.command("list")
@_FORMAT
def list_snapshots(form: str) -> None:
    """List the snapshots, newest first, and the networks for which each is current.

    The state dead means that the process that was publishing the snapshot was killed; the next
    publish or delete removes what is left of it.

    \b
    Example:
      # for a script
      topograph snapshots list --format json
    """
    from topograph.store.database import connect
    from topograph.store.publication import held_snapshots

    with connect() as database:
        _write_table(
            ["id", "state", "networks", "current", "name", "time"], held_snapshots(database), form
        )


@snapshots.command()
@click.argument(
    "snapshot",
    metavar="[PATH]",
    type=LocalPath(readable=False),
    default=DEFAULT_SNAPSHOT,
    envvar=SNAPSHOT_VARIABLE,
    shell_complete=completing("snapshots"),
)
def publish(snapshot: str) -> None:
    """Publish a snapshot that `topograph import` wrote, or a folder of configuration. If it is
    already published, it becomes current again.

    \b
    Example:
      # the snapshot that `topograph import` wrote
      topograph snapshots publish topograph.snapshot
    """
    from topograph.opening.folders import open_folder
    from topograph.opening.models import is_configuration
    from topograph.store.database import connect
    from topograph.store.parquet import open_snapshot
    from topograph.store.publication import publish_snapshot
    from topograph.systems import assemble

    kept: Snapshot = (
        open_folder(snapshot) if is_configuration(snapshot) else open_snapshot(snapshot)
    )
    with connect() as database:
        done = publish_snapshot(database, kept, assemble, _progress)
        for finding in done.findings:
            say(f"Warning: {finding.message}", err=True)
        verb = "is there already and now" if done.reused else "is published and"
        say(f"neo4j:{done.snapshot} {verb} current for {', '.join(done.networks)}.")


@snapshots.command()
@click.argument("snapshot", metavar="ID")
def delete(snapshot: str) -> None:
    """Delete a snapshot from the database. Networks for which it was current have none then.

    \b
    Example:
      # by the id that `topograph snapshots list` shows
      topograph snapshots delete 1e6b6c29385daccd945d356da24a8972
    """
    from topograph.store.database import connect
    from topograph.store.publication import delete_snapshot

    name = snapshot.removeprefix("neo4j:")
    with connect() as database:
        networks = delete_snapshot(database, name)
    left = f" Without a current snapshot now: {', '.join(networks)}." if networks else ""
    say(f"neo4j:{name} is deleted.{left}")


def _write_table(columns: list[str], found: list[dict[str, Any]], form: str) -> None:
    if form == "json":
        click.echo(json.dumps(found, indent=2, default=_plain))
        return
    cells = [columns, *([_cell(row[column]) for column in columns] for row in found)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
    for row in cells:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    say(f"{len(found)} row{'' if len(found) == 1 else 's'}", err=True)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return clean(", ".join(value))
    return clean(json.dumps(value, default=_plain, ensure_ascii=False))


def _plain(value: Any) -> str:
    return f"({len(value)} bytes)" if isinstance(value, bytes) else str(value)


def _progress(line: str) -> None:
    say(line, err=True)
