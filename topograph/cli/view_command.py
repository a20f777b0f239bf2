"""The ``view`` command: a network, or the answer of a question, as a picture in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from topograph.cli.choices import KnownChoice
from topograph.cli.options import (
    ANSWERED,
    ONE_ANSWER,
    OPENED,
    Asking,
    completing,
    ended,
    layout_option,
    output_option,
    where_options,
)
from topograph.cli.sections import Sectioned
from topograph.cli.terminal import say
from topograph.cli.written_files import STDOUT, check_format, write_file
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from topograph.network import Network
    from topograph.questions.answers import Answer

QUESTIONS = (
    *("reach", "hops", "paths", "cycles", "propagate", "trace", "services", "impact"),
    "audit",
)
"""The questions whose answers have a picture."""


def _completed(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    if not context.params.get(parameter.name or ""):
        return [CompletionItem(name) for name in QUESTIONS if name.startswith(incomplete)]
    return completing("servers")(context, parameter, incomplete)


@click.command(cls=Sectioned, context_settings={"ignore_unknown_options": True})
@click.argument(
    "question",
    metavar="[QUESTION ...]",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=_completed,
)
@output_option("FILE", "the picture")
@click.option(
    "--format",
    "form",
    type=KnownChoice(["html", "svg", "dot", "graphml", "mermaid"]),
    help="html is a page to look at, offline; svg is a drawing for mail, wikis and print; "
    "the others are for other tools.  [default: by the extension of FILE, otherwise html]",
)
@click.option(
    "--around",
    metavar="SERVER",
    multiple=True,
    help="Show only what is near this server. Repeatable.",
    shell_complete=completing("servers"),
)
@click.option(
    "--depth",
    metavar="LINKS",
    type=click.IntRange(min=0),
    help=(
        "How many links around the servers of --around, or around those that the question names. "
        "Default: 1."
    ),
)
@layout_option
@click.option(
    "--all-servers",
    is_flag=True,
    help="Draw every server even in an SVG of more than 300; by default only zones are drawn.",
)
@where_options
def view(
    question: Sequence[str],
    output: str,
    form: str | None,
    around: Sequence[str],
    depth: int | None,
    layout: str | None,
    all_servers: bool,
    **where: Any,
) -> None:
    """Draw the network, or the answer of QUESTION, as a picture in one file.

    QUESTION is reach, hops, paths, cycles, propagate, trace, services, impact or audit with its
    arguments and options, as you would type it after topograph; without one the whole network is
    drawn. All pictures of one snapshot use the same layout. A page of more than 1,000 servers
    begins with an overview of the zones; click a zone to open it. Above 20,000 servers a page shows
    only the part that the question is about. audit is drawn on the network before the change, in
    its layout.

    Exit code 0 if the picture was written, whatever the answer is; only reach and services with
    --expect also end with 1, if the result is not the expected one.

    \b
    Examples, to paste in a checkout of topograph:
      # use this folder (default: ./topograph.snapshot, which import writes)
      export TOPOGRAPH_SNAPSHOT=examples/estate
      # the whole network, as a page to look at
      topograph view -o estate.html
      # which path leads from CANADA to MADRID?
      topograph view reach CANADA MADRID -o path.html
      # who gets an order for Spain?
      topograph view -o orders.html propagate HQ --destination topic:orders --set country=Spain
      # what does the failure of a server do?
      topograph view -o failure.html impact --fail server:LONDON
      # what would a change do?
      topograph view audit --change HQ=examples/changes/canada.txt -o change.html
      # what is near LONDON, for a Markdown page
      topograph view --around LONDON --depth 2 -o london.mmd
    """
    from topograph.viz.formats import FORMATS, SUFFIXES
    from topograph.viz.svg.document import svg

    if form is None:
        check_format(output, "html", f", {', '.join(SUFFIXES)}, or say the format with --format")
    form = form or SUFFIXES.get(Path(output).suffix.lower(), "html")
    if all_servers and form != "svg":
        raise click.UsageError(
            f"--all-servers goes with an svg, not with {form}: a page has the button All "
            "servers, other formats have each server."
        )
    network, answer, expected = _asked(question, where)
    if layout is not None:
        network = network.with_layout(layout)
    scene = network.scene(answer, around=around, depth=depth, whole=form != "html")
    if form == "html":
        text = network.page(scene)
    elif form == "svg":
        text = svg(scene, whole=all_servers)
    else:
        text = FORMATS[form](scene)
    write_file(output, text)
    if output != STDOUT:
        say(f"{output}: {scene.verdict}", err=True)
    context = click.get_current_context()
    context.exit(ended(context, 0 if expected else 1))


def _asked(question: Sequence[str], where: dict[str, Any]) -> tuple[Network, Answer | None, bool]:
    """The network, the answer of the question (None without one), and False if an option of the
    question expected another answer.
    """
    context = click.get_current_context()
    if not question:
        return Asking(form="", **where).open(), None, True
    name, *arguments = question
    if name not in QUESTIONS:
        if name.startswith("-"):
            raise click.UsageError(
                f"No such option: {name}. The options of a question come after its name."
            )
        raise click.UsageError(
            f"{name!r} cannot be drawn. Use one of "
            f"{', '.join(QUESTIONS)}.{did_you_mean(name, QUESTIONS)}"
        )
    from topograph.cli.group import topograph

    command = topograph.get_command(context, name)
    assert command is not None
    heard: list[tuple[Answer, bool | None]] = []
    context.meta[ONE_ANSWER] = True
    context.meta[ANSWERED] = lambda answer, violation: heard.append((answer, violation))
    told = [
        part
        for key, value in where.items()
        for one in (value if isinstance(value, tuple) else (value,))
        if one is not None
        for part in (f"--{key}", one)
    ]
    with command.make_context(name, [*told, *arguments], parent=context) as asked:
        command.invoke(asked)
    ((answer, violation),) = heard
    return context.meta[OPENED], answer, not violation
