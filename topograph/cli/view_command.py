"""The ``view`` command: a network, or the answer of a question, as a picture in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from topograph.cli.choices import KnownChoice
from topograph.cli.options import ANSWERED, OPENED, Asking, completing, ended, where_options
from topograph.cli.terminal import say
from topograph.cli.written_files import STDOUT, write_file
from topograph.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from topograph.network import Network
    from topograph.questions.answers import Answer

QUESTIONS = ("reach", "hops", "paths", "cycles", "propagate", "trace", "impact", "audit")
"""The questions whose answers have a picture."""


def _completed(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    if not context.params.get(parameter.name or ""):
        return [CompletionItem(name) for name in QUESTIONS if name.startswith(incomplete)]
    return completing("servers")(context, parameter, incomplete)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument(
    "question",
    metavar="[QUESTION ...]",
    nargs=-1,
    type=click.UNPROCESSED,
    shell_complete=_completed,
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(allow_dash=True),
    help="Where the picture goes; - is standard output.",
)
@click.option(
    "--format",
    "form",
    type=KnownChoice(["html", "svg", "dot", "graphml", "mermaid"]),
    help="html is a page to look at, offline; svg is a drawing for mail, wikis and print; "
    "the others are for other tools.  [default: what FILE's name ends in, else html]",
)
@click.option(
    "--around",
    metavar="SERVER",
    multiple=True,
    help="Show what is near this server only. Repeatable.",
    shell_complete=completing("servers"),
)
@click.option(
    "--depth",
    metavar="LINKS",
    type=click.IntRange(min=0),
    help=(
        "How many links away from the servers named: with --around, else from those that the "
        "question names."
    ),
)
@click.option(
    "--layout",
    metavar="FILE",
    type=click.Path(),
    help=(
        "Start from the places in FILE, which Save places in a page wrote. Servers that are "
        "not in it stand beside their neighbours."
    ),
)
@click.option(
    "--all-servers",
    is_flag=True,
    help="Draw each server in an svg of more than 300, which is else the overview of their zones.",
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

    QUESTION is reach, hops, paths, cycles, propagate, trace, impact or audit with its arguments and
    options, as on a command line of its own; without one the whole network is drawn. All pictures
    of a snapshot have the same places. A page of more than 1,000 servers begins with the overview
    of its zones, which open; of more than 5,000 it shows the part that the question is about. audit
    is drawn on the network before the change: the servers stand where they stand in its own
    picture.

    Exit code 0 if the picture was written, whatever it shows; with reach --expect also 1.

    \b
    Examples, on examples/estate (add -s examples/estate, or import it):
      # the whole network, as a page to look at
      topograph view -o estate.html
      # which way does a message go?
      topograph view reach CANADA MADRID -o way.html
      # who gets an order from Spain, and where does it end?
      topograph view -o orders.html propagate HQ --destination topic:orders --set country=Spain
      # what does a failure do?
      topograph view -o failure.html impact --fail server:LONDON
      # what would a change do?
      topograph view audit --change HQ=examples/changes/canada.txt -o change.html
      # what is near LONDON, for a Markdown page
      topograph view --around LONDON --depth 2 -o london.mmd
    """
    from topograph.viz.formats import FORMATS, SUFFIXES
    from topograph.viz.svg import svg

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
        from topograph.viz.view import View

        text = View(scene).generate_html()
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
            f"{name!r} is no question that has a picture; those are "
            f"{', '.join(QUESTIONS)}.{did_you_mean(name, QUESTIONS)}"
        )
    from topograph.cli.group import topograph

    command = topograph.get_command(context, name)
    assert command is not None
    heard: list[tuple[Answer, bool | None]] = []
    context.meta[ANSWERED] = lambda answer, violation: heard.append((answer, violation))
    told = [
        part for key, value in where.items() if value is not None for part in (f"--{key}", value)
    ]
    with command.make_context(name, [*told, *arguments], parent=context) as asked:
        command.invoke(asked)
    ((answer, violation),) = heard
    return context.meta[OPENED], answer, not violation
