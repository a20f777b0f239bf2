"""``topograph history`` and ``topograph bisect``: an estate through its commits."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from topograph.cli.choices import LocalPath, Seconds
from topograph.cli.live_line import LiveLine
from topograph.cli.options import file_options
from topograph.cli.terminal import say_text
from topograph.cli.written_files import STDOUT, check_format, write_file
from topograph.histories.question import BISECT, HISTORY
from topograph.questions.question import Question

F = TypeVar("F", bound=Callable[..., Any])


def _help(question: Question) -> str:
    """The help text of a command, with its examples."""
    lines = ["\b", "Examples:"]
    for example in question.examples:
        lines += [f"  # {example.asks}", f"  topograph {example.words}"]
    return "\n\n".join([question.description, "\n".join(lines)])


def _common(command: F) -> F:
    """The options that both have."""
    for option in (
        click.option(
            "--format",
            "form",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="How the answer is written.",
        ),
        click.option(
            "--budget",
            type=Seconds(),
            default=10.0,
            show_default=True,
            metavar="SECONDS",
            help="The time for each comparison or judgement; an answer says what was cut.",
        ),
        file_options,
    ):
        command = option(command)
    return command


@click.command(help=_help(HISTORY))
@click.argument("path", metavar="PATH", default=".", type=LocalPath(readable=False))
@click.option("--since", metavar="REV", help="The first state; one that the others lead back to.")
@click.option("--until", metavar="REV", help="The last state; else the commit checked out.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Tell of the last N commits that change the folder.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=LocalPath(readable=False),
    help="Draw the states as one page, too.",
)
@click.option("--all", "full", is_flag=True, help="Write all that is known of every commit.")
@_common
def history(
    path: str,
    since: str | None,
    until: str | None,
    most: int,
    output: str | None,
    full: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    budget: float,
    form: str,
) -> None:
    """As its record says."""
    if output is not None:
        check_format(output, "html")
    from topograph.histories.following import history as told
    from topograph.histories.texts import history_text
    from topograph.opening.selection import Selection

    with LiveLine(sys.stderr) as line:
        line.begin("Reading the commits")
        found = told(
            path,
            since=since,
            until=until,
            most=most,
            chosen=Selection(include, exclude),
            seconds=budget,
            draw=output is not None,
            progress=line.begin,
        )
    if output is not None:
        write_file(output, found.page)
    if output == STDOUT:
        return
    if form == "json":
        click.echo(json.dumps(found.to_dict(), indent=2))
    else:
        say_text(history_text(found, full=full).removesuffix("\n"))


@click.command(help=_help(BISECT))
@click.argument("path", metavar="PATH", default=".", type=LocalPath(readable=False))
@click.option(
    "--good", multiple=True, required=True, metavar="REV", help="A commit at which it holds."
)
@click.option(
    "--bad",
    default="HEAD",
    show_default=True,
    metavar="REV",
    help="A commit at which it does not hold.",
)
@click.option(
    "--expect",
    multiple=True,
    metavar="TEXT",
    help="What has to hold: 'A reaches B', 'A does not reach B', 'A delivers topic:T to B', "
    "'legal', or a rule of docs/policies.md. Repeatable.",
)
@click.option(
    "--policy",
    multiple=True,
    metavar="FILE",
    type=LocalPath(readable=False),
    help="A YAML file of policies that have to hold. Repeatable.",
)
@_common
def bisect(
    path: str,
    good: tuple[str, ...],
    bad: str,
    expect: tuple[str, ...],
    policy: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    budget: float,
    form: str,
) -> None:
    """As its record says."""
    from topograph.histories.bisecting import bisect as searched
    from topograph.histories.texts import bisection_text
    from topograph.opening.selection import Selection

    with LiveLine(sys.stderr) as line:
        line.begin("Judging commits")
        found = searched(
            path,
            good=good,
            bad=bad,
            expect=expect,
            policies=policy,
            chosen=Selection(include, exclude),
            seconds=budget,
        )
    if form == "json":
        click.echo(json.dumps(found.to_dict(), indent=2))
    else:
        say_text(bisection_text(found).removesuffix("\n"))
    click.get_current_context().exit(1 if found.violation else 0)
