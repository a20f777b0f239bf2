"""What every question command takes, and how it is asked: snapshot, network, engine, format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from topograph.cli.choices import KnownChoice, LocalPath, Seconds
from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.cli.sections import COMMON, SectionedOption
from topograph.cli.terminal import say, say_text
from topograph.forwarding.budget import DEFAULT_SECONDS
from topograph.process.garbage import lasting
from topograph.records import record

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from topograph.network import Network
    from topograph.opening.models import EngineChoice
    from topograph.questions.answers import Answer

OPENED = "topograph.network"
"""Where a click context has the network that a question opened, for the command that runs the
question.
"""

_ALL_OPENED = "topograph.all-opened"
"""Where a click context has every network that it opened: each is opened once."""

UNREAD = "topograph.unread"
"""Where a click context says whether a main file of a network that the command opened could not
be read.
"""

ANSWERED = "topograph.answered"
"""Where a click context has what is to become of an answer: a function of the answer and of
``violation`` (see ``Asking.tell``).
"""

ONE_ANSWER = "topograph.one-answer"
"""Where a click context says that the command needs a single answer, as a picture does."""

SARIF = "sarif"
"""The format of an answer for code scanning, which some questions have."""

UNREADABLE = 3
"""The exit code for input that cannot be read."""

_INCLUDED = "Read only the files that match, patterns as in .gitignore. Repeatable."
_EXCLUDED = (
    "Leave out the files that match, patterns as in .gitignore: '*.bak', old/. Repeatable; adds to "
    ".topographignore and to exclude in topograph.yaml."
)

F = TypeVar("F", bound=Callable[..., Any])


@record
class Asking:
    """Where a question goes and how its answer is written."""

    snapshot: str
    network: str | None
    engine: EngineChoice
    form: str
    show_cypher: bool = False
    budget: float = DEFAULT_SECONDS
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def open(self) -> Network:
        """The network asked about. Raises the errors of ``topograph.errors``."""
        from topograph.network import open_network
        from topograph.opening.selection import Selection

        context = click.get_current_context()
        opened: dict[Asking, Network] = context.meta.setdefault(_ALL_OPENED, {})
        if self in opened:
            return opened[self]
        with lasting():
            network = open_network(
                self.snapshot,
                self.network,
                self.engine,
                Selection(self.include, self.exclude),
            ).within(self.budget)
        opened[self] = network
        context.meta[OPENED] = network
        context.meta[UNREAD] = bool(context.meta.get(UNREAD) or network.unreadable_files)
        for file in network.unreadable_files:
            say(
                f"Error: {file}: this main file cannot be read (topograph show findings).", err=True
            )
        for advice in network.advice:
            say(f"Note: {advice}", err=True)
        return network

    def tell(
        self,
        answer: Answer,
        violation: bool | None = None,
        *,
        full: bool = False,
        sarif: Callable[[], str] | None = None,
    ) -> None:
        """Write the answer and end with its exit code: 1 if it is a violation (``violation``
        overrides the answer's own). ``full``: the text lists what it otherwise counts. ``sarif``
        gives the answer as SARIF, for ``--format sarif``.

        Under a command that has put a function under ``ANSWERED`` the answer goes to that
        function instead."""
        context = click.get_current_context()
        if ANSWERED in context.meta:
            context.meta[ANSWERED](answer, violation)
            return
        from topograph.cli.output import write_answer
        from topograph.cli.written_files import STDOUT, write_file

        if self.form == SARIF and sarif is not None:
            write_file(STDOUT, sarif())
        else:
            write_answer(answer, self.form, full=full)
        self.write_cypher()
        found = answer.violation if violation is None else violation
        context.exit(ended(context, 1 if found else 0))

    def write_cypher(self) -> None:
        """Write the Cypher that the question ran to stderr, if that is asked for."""
        if self.show_cypher:
            ran = click.get_current_context().meta[OPENED].cypher_ran()
            say_text(
                "\n\n".join(ran) or "No Cypher was run: the question was answered in memory.",
                err=True,
            )


def ended(context: click.Context, code: int) -> int:
    """The exit code of a command that would end with ``code``: that of unreadable input if a
    main file of the configuration that was read for it could not be read, as an import of it
    would end."""
    return UNREADABLE if context.meta.get(UNREAD) else code


def completing(
    function: str,
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completion by a function of ``topograph.cli.completion``, which is imported at the first
    TAB.
    """

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from topograph.cli import completion

        found: list[CompletionItem] = getattr(completion, function)(context, parameter, incomplete)
        return found

    return complete


def file_options(command: F) -> F:
    """Add the options that choose files: ``include``, ``exclude``."""
    return click.option("--include", metavar="PATTERN", multiple=True, help=_INCLUDED)(
        click.option("--exclude", metavar="PATTERN", multiple=True, help=_EXCLUDED)(command)
    )


def where_options(command: F) -> F:
    """Add the options that say what is asked about and who walks: ``snapshot``, ``network``,
    ``engine``.
    """
    for option in reversed(_WHERE):
        command = option(command)
    return command


def question_options(command: F) -> F:
    """Add the options of every question command, and pass them as one ``asking`` argument."""
    from functools import update_wrapper

    def ask(
        *args: Any,
        snapshot: str,
        network: str | None,
        engine: EngineChoice,
        form: str,
        show_cypher: bool,
        budget: float,
        include: tuple[str, ...],
        exclude: tuple[str, ...],
        **options: Any,
    ) -> Any:
        return command(
            Asking(snapshot, network, engine, form, show_cypher, budget, include, exclude),
            *args,
            **options,
        )

    wrapped: Any = update_wrapper(ask, command)
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]


_common = partial(click.option, cls=SectionedOption, section=COMMON)

_INCLUDE = _common(
    "--include",
    metavar="PATTERN",
    multiple=True,
    help=_INCLUDED,
)
_EXCLUDE = _common(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help=_EXCLUDED,
)

_WHERE = (
    _common(
        "-s",
        "--snapshot",
        metavar="PATH|neo4j:ID",
        type=LocalPath(readable=False),
        envvar=SNAPSHOT_VARIABLE,
        default=DEFAULT_SNAPSHOT,
        show_default=True,
        show_envvar=True,
        help=(
            "What to ask about: a configuration folder, archive or git folder (REV:FOLDER), "
            "which are read directly; or a snapshot that topograph import wrote."
        ),
        shell_complete=completing("snapshots"),
    ),
    _common(
        "--network",
        metavar="NAME",
        help="Which network to ask about. Required if the snapshot holds several.",
        shell_complete=completing("networks"),
    ),
    _common(
        "--engine",
        type=KnownChoice(["auto", "memory", "neo4j"]),
        default="auto",
        show_default=True,
        help=(
            "Where the search runs; the answers are the same. auto: Neo4j if it is running and "
            "holds the snapshot, otherwise memory."
        ),
    ),
    _INCLUDE,
    _EXCLUDE,
)
_OPTIONS = (
    *_WHERE,
    _common(
        "--budget",
        type=Seconds(),
        default=DEFAULT_SECONDS,
        show_default=True,
        help=("Seconds the search may take. If time runs out, the answer is marked as incomplete."),
    ),
    _common(
        "--show-cypher",
        is_flag=True,
        help="Write the Cypher that was run to stderr, ready to paste into Neo4j Browser.",
    ),
    _common(
        "--format",
        "form",
        type=KnownChoice(["text", "json", "jsonl", "csv", SARIF]),
        default="text",
        show_default=True,
        help=(
            "jsonl, for large answers: a line with the single values, then a line per list entry. "
            "csv: the answer's table. sarif: for code scanning, of check and audit."
        ),
    ),
)


def output_option(metavar: str, what: str) -> Callable[[F], F]:
    """The required option that says where ``what`` is written."""
    return click.option(
        "-o",
        "--output",
        metavar=metavar,
        required=True,
        type=LocalPath(allow_dash=True),
        help=f"Where {what} goes; - is standard output.",
    )


layout_option = click.option(
    "--layout",
    metavar="FILE",
    type=LocalPath(),
    help=(
        'Start from the server positions in FILE, written by the "Save places" button of a '
        "page. Servers that are not in it are placed next to their neighbours."
    ),
)
