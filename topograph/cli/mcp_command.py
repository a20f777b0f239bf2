"""``mcp``: the questions as tools of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from topograph.cli.choices import LocalPath, Seconds
from topograph.cli.defaults import DEFAULT_SNAPSHOT, SNAPSHOT_VARIABLE
from topograph.errors import SnapshotNotFound
from topograph.forwarding.budget import DEFAULT_SECONDS
from topograph.process.packages import require

TIMEOUT = 60.0
"""Seconds that a call may take, if nothing else is asked for."""


@click.command("mcp")
@click.option(
    "-s",
    "--snapshot",
    metavar="PATH",
    type=LocalPath(),
    envvar=SNAPSHOT_VARIABLE,
    default=DEFAULT_SNAPSHOT,
    show_default=True,
    show_envvar=True,
    help="The configuration folder, archive or snapshot that all calls are about.",
)
@click.option("--network", metavar="NAME", help="The one network of it that calls are about.")
@click.option(
    "--root",
    "roots",
    metavar="DIR",
    type=LocalPath(file_okay=False, exists=True),
    multiple=True,
    help="A folder that calls may name files in: change scripts, policies, messages. Relative "
    "names are looked up in the first one. Default: PATH, if it is a folder of configuration. "
    "Repeatable.",
)
@click.option(
    "--budget",
    type=Seconds(),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="Seconds that the search of a call may take at most.",
)
@click.option(
    "--timeout",
    type=Seconds(),
    default=TIMEOUT,
    show_default=True,
    help="Seconds that a call may take at most, reading the files included.",
)
def mcp(
    snapshot: str, network: str | None, roots: tuple[str, ...], budget: float, timeout: float
) -> None:
    """Serve the questions as tools of the Model Context Protocol over standard input and output.

    Each question is a tool, and so is survey unless PATH is a snapshot. Calls only read: PATH, and
    the files in the folders of --root that they name. Answers are those of --format json, with a
    short text.

    Needs the extra mcp (docs/install.md).

    \b
    Examples:
      # serve a folder; change scripts and policies may lie in it
      topograph mcp -s examples/estate
      # and scripts of another folder
      topograph mcp -s examples/estate --root examples/changes
    """
    require("mcp")
    from topograph.opening.models import is_configuration
    from topograph.tools.definitions import Limits
    from topograph.tools.roots import Roots
    from topograph.tools.server import Served, serve

    place = Path(snapshot)
    if not place.exists():
        raise SnapshotNotFound(
            f"There is nothing at {snapshot}. Name a folder, an archive or a snapshot on this "
            "machine; git revisions and databases are not served."
        )
    own = [snapshot] if place.is_dir() and is_configuration(snapshot) else []
    folders = tuple(Path(one).resolve() for one in roots or own)
    served = Served(place.resolve(), network, Roots(folders), Limits(budget, timeout))
    serve(served)
