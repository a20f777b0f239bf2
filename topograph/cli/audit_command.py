"""``audit``: judge change scripts."""

from __future__ import annotations

from pathlib import Path

import click

from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.cli.question_files import read_bytes
from topograph.questions import records


@question_command(records.AUDIT)
def audit(asking: Asking, change: tuple[str, ...], down: tuple[str, ...], accept_undetermined: bool) -> None:
    """Ask ``audit`` of scripts, in the order given."""
    from topograph.audit import Given, named

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
    accepted = answer.verdict == "accept" or (accept_undetermined and answer.verdict == "undetermined")
    asking.tell(answer, violation=not accepted)
