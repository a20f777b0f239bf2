"""The ``show`` command: what a snapshot holds, as tables."""

from __future__ import annotations

import click

from topograph.cli.options import Asking, question_options

WHAT = ("servers", "routes", "zones", "destinations", "interests", "selectors", "access", "findings", "files")


@click.command()
@click.argument("what", metavar="WHAT", type=click.Choice(WHAT))
@question_options
def show(asking: Asking, what: str) -> None:
    """List what a snapshot holds, each entry with its file and line.

    \b
    WHAT is one of
      servers       servers and routers, and whether their files are loaded
      routes        routes and inter-router links
      zones         zones and their servers
      destinations  topics, queues and addresses
      interests     names that servers hold
      selectors     route selectors
      access        permissions
      findings      what readers noticed in the files
      files         what became of each file

    \b
    Examples:
      topograph show servers
      topograph show findings --format json
    """
    asking.tell(asking.open().show(what))
