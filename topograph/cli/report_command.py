"""The ``report`` command: one HTML file about a network, for somebody who has nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topograph.cli.choices import LocalPath
from topograph.cli.options import (
    Asking,
    completing,
    ended,
    layout_option,
    output_option,
    where_options,
)
from topograph.cli.question_files import read_bytes
from topograph.cli.sections import Sectioned
from topograph.cli.terminal import say
from topograph.cli.written_files import STDOUT, check_format, write_file
from topograph.files import names_file
from topograph.forwarding.budget import DEFAULT_ANSWERS

if TYPE_CHECKING:
    from topograph.network import Network
    from topograph.questions.answers import AuditAnswer


@click.command(cls=Sectioned)
@output_option("FILE.html", "the report")
@click.option(
    "--change",
    metavar="[SERVER=]FILE",
    type=LocalPath(readable=False),
    multiple=True,
    help=(
        "Judge a change script, as audit does; the report then begins with its effects. Repeatable."
    ),
)
@click.option(
    "--before",
    metavar="PATH",
    type=LocalPath(readable=False),
    help="With --after: report on this state, and on what differs in the later one.",
    shell_complete=completing("snapshots"),
)
@click.option(
    "--after",
    metavar="PATH",
    type=LocalPath(readable=False),
    help="The later state.",
    shell_complete=completing("snapshots"),
)
@click.option(
    "--down",
    metavar="route:A-B",
    multiple=True,
    help="With --change: a route that is down. Repeatable.",
)
@click.option(
    "--policy",
    metavar="FILE",
    type=LocalPath(readable=False),
    multiple=True,
    help="A YAML file of policies that must hold after the change. Repeatable.",
)
@click.option(
    "--with",
    "answers",
    metavar="ANSWER.json",
    type=LocalPath(readable=False),
    multiple=True,
    help="Add the answer of another command, written with --format json, as a section. Repeatable.",
)
@layout_option
@click.option(
    "--answer-budget",
    metavar="ANSWERS",
    type=click.IntRange(min=0),
    default=DEFAULT_ANSWERS,
    show_default=True,
    help="How many answers to compute in advance and store in the file. Only messages to AMQ "
    "addresses and queues need them: the page cannot compute these itself. A long answer uses "
    "up as much as several short ones. More answers make the file larger; the page says how many "
    "of the destinations they cover.",
)
@where_options
def report(
    output: str,
    change: tuple[str, ...],
    before: str | None,
    after: str | None,
    down: tuple[str, ...],
    policy: tuple[str, ...],
    answers: tuple[str, ...],
    layout: str | None,
    answer_budget: int,
    **where: Any,
) -> None:
    """Write one HTML file about a network: the verdict, what to do first, findings, picture, hops,
    inventory, and the source files.

    The file is self-contained and works offline. With JavaScript disabled it shows everything
    except answers to your own questions. The same snapshot always produces the same file. To keep
    hosts, users and client ids out of it, import with --redact.

    Exit code 0 if the report was written, whatever it says; for an exit code that tells of
    violations, use check, cycles or audit.

    \b
    Examples, to paste in a checkout of topograph:
      # use this folder (default: ./topograph.snapshot, which import writes)
      export TOPOGRAPH_SNAPSHOT=examples/estate
      # one file for a colleague
      topograph report -o estate.html
      # with a change and its verdict
      topograph report --change HQ=examples/changes/canada.txt -o change.html
    """
    from topograph.reporting.answers import read_answer

    if (change and (before or after)) or bool(before) != bool(after):
        raise click.UsageError(
            "Say what changes: --change [SERVER=]FILE, or --before PATH and --after PATH."
        )
    if down and not change:
        raise click.UsageError("--down goes with --change.")
    if policy and not change and not before:
        raise click.UsageError("--policy goes with --change, or with --before and --after.")
    check_format(output, "html")
    given = [(Path(file).name, read_answer(read_bytes(file), file)) for file in answers]
    asking = Asking(form="", **where)
    network = (replace(asking, snapshot=before, engine="memory") if before else asking).open()
    if layout is not None:
        network = network.with_layout(layout)
    audit = _judged(network, asking, change, after, down, policy)
    options = [
        *(word for one in change for word in ("--change", _named(one))),
        *(word for one in down for word in ("--down", one)),
        *(("--after", Path(after).name) if after else ()),
        *(word for one in policy for word in ("--policy", Path(one).name)),
        *(word for one in answers for word in ("--with", Path(one).name)),
        *(("--layout", Path(layout).name) if layout is not None else ()),
        *(("--answer-budget", str(answer_budget)) if answer_budget != DEFAULT_ANSWERS else ()),
    ]
    page = network.report(audit, given, options, answer_budget)
    write_file(output, page.generate_html())
    if output != STDOUT:
        say(f"{output}: {page.report.verdict.sentence}", err=True)
    context = click.get_current_context()
    context.exit(ended(context, 0))


def _judged(
    network: Network,
    asking: Asking,
    change: tuple[str, ...],
    after: str | None,
    down: tuple[str, ...],
    policy: tuple[str, ...],
) -> AuditAnswer | None:
    """What changes, where a change or a later state is given."""
    if after:
        from topograph.network import compare

        return compare(network, replace(asking, snapshot=after, engine="memory").open(), policy)
    if not change:
        return None
    from topograph.cli.audit_command import given_scripts

    return network.audit(given_scripts(change), down=down, policy=policy)


def _named(change: str) -> str:
    """``SERVER=FILE`` without the folders of the file."""
    server, equals, file = change.partition("=")
    if not equals or names_file(change):
        return Path(change).name
    return f"{server}={Path(file).name}"
