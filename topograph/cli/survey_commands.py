"""``topograph survey`` and ``topograph init``: what a folder holds, and a topograph.yaml of it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from topograph.cli.choices import LocalPath
from topograph.cli.options import file_options
from topograph.cli.terminal import say, say_text
from topograph.errors import UsageError


@click.command()
@click.argument("path", metavar="PATH", type=LocalPath())
@file_options
@click.option("--all", "full", is_flag=True, help="List everything that is otherwise counted.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def survey(
    path: str, include: tuple[str, ...], exclude: tuple[str, ...], full: bool, form: str
) -> None:
    """List what a folder holds: which servers, which file speaks for which of them and why.

    Names copies and which of them is read, folders that hold estates of their own (DEV and PROD),
    servers that are only named, and what is left out. A question on the folder reads the same
    files. Nothing is written. docs/folders.md explains the parts.

    \b
    Examples, to paste in a checkout of topograph:
      # what is in this folder?
      topograph survey examples/estate
      # without what an editor left behind
      topograph survey examples/estate --exclude '*.bak'
    """
    from topograph.surveying.found import survey as surveyed
    from topograph.surveying.texts import text

    found = surveyed(path, include=include, exclude=exclude)
    if form == "json":
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
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
        with place.open("x", encoding="utf-8") as file:
            file.write(written)
    except OSError as error:
        raise UsageError(f"{place} cannot be written: {error.strerror or error}.") from error
    say(f"Wrote {place}. Look at each entry, and remove the # of those that are right.")
