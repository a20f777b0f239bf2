"""The ``topograph`` command: its commands by group, each loaded only when it is asked for.

A question loads neither Spark nor pandas nor the database driver: every command stands here by the
name of its module, and its module is imported when it runs. Questions come from their records; any
other new command is one more ``CommandEntry``.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from topograph.cli.stdout import OutputClosed
from topograph.histories.question import BISECT, HISTORY
from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS
from topograph.records import record
from topograph.surveying.question import SURVEY
from topograph.version import __version__


@record
class CommandEntry:
    """A command: its name, where it is (``module:attribute``; empty for a question that is asked
    as its record says), the group it is listed in, and its line there.
    """

    name: str
    location: str
    group: str
    line: str


_MODULES = {
    "reach": "network_commands",
    "hops": "network_commands",
    "cycles": "network_commands",
    "interests": "network_commands",
    "propagate": "message_commands",
    "trace": "message_commands",
    "services": "network_commands",
    "audit": "audit_command",
    "check": "check_command",
    "summary": "summary_command",
}
"""The modules that hold the commands of questions which do more than ask; the others are made of
their records (``question_commands.plain_command``).
"""


def _of_question(question: Question) -> CommandEntry:
    module = _MODULES.get(question.name)
    location = f"topograph.cli.{module}:{question.name}" if module else ""
    group = "Show" if question.name == "show" else "Ask"
    return CommandEntry(question.name, location, group, question.title)


COMMANDS: tuple[CommandEntry, ...] = (
    CommandEntry(
        "survey",
        "topograph.cli.survey_commands:survey",
        "Import",
        SURVEY.title,
    ),
    CommandEntry(
        "init",
        "topograph.cli.survey_commands:init",
        "Import",
        "Write a topograph.yaml with what a survey could guess.",
    ),
    CommandEntry(
        "import",
        "topograph.cli.import_command:import_command",
        "Import",
        "Read configuration files into a snapshot.",
    ),
    *map(_of_question, QUESTIONS),
    CommandEntry(
        "view",
        "topograph.cli.view_command:view",
        "Show",
        "Draw a network, or the answer of a question, as an offline page.",
    ),
    CommandEntry(
        "report",
        "topograph.cli.report_command:report",
        "Show",
        "Write one HTML file that says what is wrong and answers questions, offline.",
    ),
    CommandEntry(
        "history",
        "topograph.cli.history_commands:history",
        "Through time",
        HISTORY.title,
    ),
    CommandEntry(
        "bisect",
        "topograph.cli.history_commands:bisect",
        "Through time",
        BISECT.title,
    ),
    CommandEntry(
        "db",
        "topograph.cli.database:db",
        "Database",
        "Start, stop or look at the local Neo4j server.",
    ),
    CommandEntry(
        "cypher", "topograph.cli.database:cypher", "Database", "Run a Cypher statement, read-only."
    ),
    CommandEntry(
        "snapshots",
        "topograph.cli.database:snapshots",
        "Database",
        "List, publish or delete snapshots.",
    ),
    CommandEntry(
        "schema",
        "topograph.cli.schema_command:schema",
        "For programs",
        "Print the JSON Schema of an answer, a policy file or topograph.yaml.",
    ),
    CommandEntry(
        "mcp",
        "topograph.cli.mcp_command:mcp",
        "For programs",
        "Serve the questions as tools of the Model Context Protocol, read-only.",
    ),
)


def _names_a_path(text: str, commands: Collection[str]) -> bool:
    """Whether the first word of a command line is a path, in place of a command. Raises nothing for
    a text that cannot be one.
    """
    if text in commands or text.startswith("-"):
        return False
    try:
        return os.path.lexists(text)
    except ValueError:  # with a NUL in it
        return False


class LazyGroup(click.Group):
    """A group whose commands are imported when one is run or its help is shown; listing them
    imports none.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = next((entry for entry in COMMANDS if entry.name == cmd_name), None)
        if entry is None:
            return None
        if not entry.location:
            from topograph.cli.question_commands import plain_command

            return plain_command(next(one for one in QUESTIONS if one.name == cmd_name))
        module, attribute = entry.location.split(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest names for one that is unknown."""
        name = args[0]
        if _names_a_path(name, self.list_commands(ctx)):
            return "summary", self.get_command(ctx, "summary"), args
        if name not in self.list_commands(ctx) and not name.startswith("-"):
            from topograph.words.did_you_mean import did_you_mean

            ctx.fail(f"No such command {name!r}.{did_you_mean(name, self.list_commands(ctx))}")
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
        found = [
            CompletionItem(entry.name, help=entry.line)
            for entry in COMMANDS
            if entry.name.startswith(incomplete)
        ]
        if not found and not incomplete.startswith("-"):  # a path in place of a command
            return [CompletionItem(incomplete, type="file")]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The commands by group, in the order of a first use."""
        width = max(len(entry.name) for entry in COMMANDS)
        for group in dict.fromkeys(entry.group for entry in COMMANDS):
            rows = [
                (entry.name.ljust(width), entry.line) for entry in COMMANDS if entry.group == group
            ]
            with formatter.section(group):
                formatter.write_dl(rows)


@click.group(
    cls=LazyGroup,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered, 1 a check failed or could not be decided, 2 wrong usage, 3 "
    "the input cannot be read, 4 the database, Spark or the machine failed, 5 internal error "
    "(bug), 130 interrupted, 143 terminated.",
)
@click.version_option(__version__, prog_name="topograph", message="%(prog)s %(version)s")
@click.pass_context
def topograph(ctx: click.Context) -> None:
    """Ask what messaging configurations will do: offline, and before a change.

    Reads the configuration files, scripts and listings of TIBCO EMS, AMQ Interconnect, IBM MQ,
    WebSphere MQ Everyplace, SIBus and RabbitMQ. No server is contacted.

    \b
    Begin with examples/estate, or with a folder of your own:
      # one question, asked of the folder directly: which servers does CANADA reach?
      topograph reach CANADA -s examples/estate
      # for more questions: read the configuration files into ./topograph.snapshot
      topograph import examples/estate
      # list the servers that were read, and the problems found while reading
      topograph show servers
      topograph show findings
      # ask: who gets this message?
      topograph propagate HQ --destination topic:orders --set country=Spain
      # draw it
      topograph view -o estate.html

    With a path in place of a command, as in `topograph examples/estate`, topograph says what is
    there, what is wrong and what to ask next. Of a folder with copies, notes and several
    environments, topograph survey lists which file speaks for which server.

    Each command has its own help with examples: topograph reach --help. A command that answers
    something about a network is called a question.

    Answers cite rules by number, such as R13 or TL-03: topograph check --rule R13 explains one.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
