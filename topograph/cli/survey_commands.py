"""``topograph survey`` and ``topograph init``: what a folder holds, and a topograph.yaml of it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from topograph.cli.choices import LocalPath
from topograph.cli.options import ANSWERED, file_options
from topograph.cli.terminal import say, say_text
from topograph.errors import UsageError
from topograph.questions.question import Question
from topograph.surveying.question import SURVEY


def _help(question: Question) -> str:
    """The help text of a command about files, with its examples."""
    lines = ["\b", "Examples, to paste in a checkout of topograph:"]
    for example in question.examples:
        lines += [f"  # {example.asks}", f"  topograph {example.words}"]
    return "\n\n".join([question.description, "\n".join(lines)])


@click.command(help=_help(SURVEY))
@click.argument("path", metavar="PATH", type=LocalPath())
@file_options
@click.option("--all", "full", is_flag=True, help="List everything that is otherwise counted.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def survey(
    path: str, include: tuple[str, ...], exclude: tuple[str, ...], full: bool, form: str
) -> None:
    """As its record says."""
    from topograph.surveying.found import survey as surveyed
    from topograph.surveying.texts import text

    found = surveyed(path, include=include, exclude=exclude)
    meta = click.get_current_context().meta
    if ANSWERED in meta:
        meta[ANSWERED](found, None)
    elif form == "json":
        click.echo(json.dumps(found.to_dict(), indent=2))
    else:
        say_text(text(found, full=full).removesuffix("\n"))


@click.command()
@click.argument("path", metavar="PATH", type=LocalPath())
@file_options
@click.option(
    "--stdout",
    "printed",
    is_flag=True,
    help="Write the file to standard output instead, also where there is one already.",
)
def init(path: str, include: tuple[str, ...], exclude: tuple[str, ...], printed: bool) -> None:
    """Write PATH/topograph.yaml with what can be guessed: names, hosts, copies and estates.

    Each entry has its evidence, and what is only a guess is a comment. Nothing else is changed, and
    a file that is there is not overwritten.

    \b
    Examples, to paste in a checkout of topograph:
      # look at what would be written
      topograph init examples/queue_managers --stdout
    """
    from topograph.cli.written_files import write_new_file
    from topograph.surveying.draft import draft
    from topograph.surveying.found import survey as surveyed

    place = Path(path) / "topograph.yaml"
    if not printed:
        if not Path(path).is_dir():
            raise UsageError(f"{path} is not a folder. Unpack it first, or use --stdout.")
        if place.exists() or place.is_symlink():
            raise UsageError(
                f"{place} is there already, and is not overwritten. Compare it with what would be "
                "written: --stdout."
            )
    written = draft(surveyed(path, include=include, exclude=exclude))
    if printed:
        say_text(written.removesuffix("\n"))
        return
    try:
        write_new_file(place, written)
    except FileExistsError:
        raise UsageError(f"{place} is there already, and is not overwritten.") from None
    say(f"Wrote {place}. Look at each entry, and remove the # of those that are right.")
