"""``audit``: judge change scripts."""

from __future__ import annotations

from pathlib import Path

import click

from topograph import __version__
from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.cli.question_files import read_bytes
from topograph.cli.written_files import write_file
from topograph.questions import records


@question_command(records.AUDIT)
def audit(
    asking: Asking,
    change: tuple[str, ...],
    down: tuple[str, ...],
    accept_undetermined: bool,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
) -> None:
    """Ask ``audit`` of scripts, in the order given, and write what other tools take."""
    from topograph.audit import Given, named, reports

    if not change:
        raise click.UsageError("Say what is to be judged: --change [SERVER=]FILE.")
    network = asking.open()
    given = []
    for text in change:
        server, equals, path = text.partition("=")
        if not equals or Path(text).is_file():
            server, path = "", text
        given.append(Given(read_bytes(path), named(Path(path)), server or None))
    answer = network.audit(given, down=down)
    if sarif:
        write_file(sarif, reports.sarif(answer, __version__))
    if junit:
        write_file(junit, reports.junit(answer))
    if markdown:
        write_file(markdown, reports.markdown(answer))
    accepted = answer.verdict == "accept" or (accept_undetermined and answer.verdict == "undetermined")
    asking.tell(answer, violation=not accepted)
