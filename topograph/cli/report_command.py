"""The ``report`` command: one HTML file about a network, for somebody who has nothing else."""

from __future__ import annotations

from typing import Any

import click

from topograph.cli.options import Asking, ended, where_options
from topograph.cli.terminal import say
from topograph.cli.written_files import STDOUT, write_file


@click.command()
@click.option(
    "-o",
    "--output",
    metavar="FILE.html",
    required=True,
    type=click.Path(allow_dash=True),
    help="Where the report goes; - is standard output.",
)
@where_options
def report(output: str, **where: Any) -> None:
    """Write one HTML file about a network: the verdict, what to do first, findings, picture, hops, inventory, and what all of it was read from.

    The file needs nothing beside it: no network, no installation; without scripts it shows everything but the answers to own questions. Equal snapshots
    give equal files. It can be mailed: docs/report.md says what it holds, and docs/redaction.md how to keep hosts, users and client ids out of it.

    Exit code 0 if the report was written, whatever it says; `check` and `cycles` end with 1 for a network with faults.

    \b
    Examples, on examples/estate (add -s examples/estate, or import it):
      # one file for a colleague
      topograph report -o estate.html
    """
    network = Asking(form="", **where).open()
    page = network.report()
    write_file(output, page.generate_html())
    if output != STDOUT:
        say(f"{output}: {page.report.verdict.sentence}", err=True)
    context = click.get_current_context()
    context.exit(ended(context, 0))
