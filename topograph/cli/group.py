"""The ``topograph`` command: its commands by group, each loaded only when it is asked for.

A question loads neither Spark nor pandas nor the database driver: every command stands here by the name of its module,
and its module is imported when it runs. A new command is one more ``Entry``.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from topograph import __version__
from topograph.cli.main import OutputClosed


@dataclass(frozen=True, slots=True)
class Entry:
    """A command: its name, where it is (``module:attribute``), the group it is listed in, and its line there."""

    name: str
    location: str
    group: str
    line: str


COMMANDS: tuple[Entry, ...] = (
    Entry("import", "topograph.cli.importing:import_command", "Import", "Read configuration files into a snapshot."),
    Entry("reach", "topograph.cli.asking:reach", "Ask", "Which servers does a server reach, and over which path?"),
    Entry("hops", "topograph.cli.asking:hops", "Ask", "How many hops is it from one server to another?"),
    Entry("paths", "topograph.cli.asking:paths", "Ask", "Which paths lead from one server to another?"),
    Entry("cycles", "topograph.cli.asking:cycles", "Ask", "Does any server have more than one path to another?"),
    Entry("interests", "topograph.cli.asking:interests", "Ask", "Which names does each server hold, and from whom?"),
    Entry("propagate", "topograph.cli.propagating:propagate", "Ask", "Who gets a message, who does not, and why?"),
    Entry("check", "topograph.cli.asking:check", "Ask", "What is wrong or risky in the configuration?"),
    Entry("show", "topograph.cli.showing:show", "Show", "List what a snapshot holds."),
    Entry("db", "topograph.cli.database:db", "Database", "Start, stop or look at the local Neo4j server."),
    Entry("cypher", "topograph.cli.database:cypher", "Database", "Run a Cypher statement, read-only."),
    Entry("snapshots", "topograph.cli.database:snapshots", "Database", "List, publish or delete snapshots."),
)


class LazyGroup(click.Group):
    """A group whose commands are imported when one is run or its help is shown; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = next((entry for entry in COMMANDS if entry.name == cmd_name), None)
        if entry is None:
            return None
        module, attribute = entry.location.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest names for one that is unknown."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=2)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """As click does; help and version are written here."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError as error:
            raise OutputClosed from error

    def invoke(self, ctx: click.Context) -> Any:
        """As click does."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise OutputClosed from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and options that begin with ``incomplete``, without loading any command."""
        found = [CompletionItem(entry.name, help=entry.line) for entry in COMMANDS if entry.name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands by group, in the order of a first use."""
        width = max(len(entry.name) for entry in COMMANDS)
        for group in dict.fromkeys(entry.group for entry in COMMANDS):
            rows = [(entry.name.ljust(width), entry.line) for entry in COMMANDS if entry.group == group]
            with formatter.section(group):
                formatter.write_dl(rows)


@click.group(
    cls=LazyGroup,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered, 1 the answer is a violation, 2 usage, 3 unreadable input, 4 database or Spark, "
    "5 internal error, 130 interrupted.",
)
@click.version_option(__version__, prog_name="topograph", message="%(prog)s %(version)s")
@click.pass_context
def topograph(ctx: click.Context) -> None:
    """Ask what messaging configurations will do: offline, and before a change.

    \b
    Example:
      topograph import ./estate -o estate.snapshot
      topograph reach A B -s estate.snapshot
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
