"""``audit``: judge change scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from topograph import __version__
from topograph.cli.options import ANSWERED, OPENED, Asking
from topograph.cli.question_commands import question_command
from topograph.cli.question_files import read_bytes
from topograph.cli.written_files import write_file
from topograph.questions import records

if TYPE_CHECKING:
    from topograph.questions.answers import AuditAnswer


@question_command(records.AUDIT)
def audit(
    asking: Asking,
    change: tuple[str, ...],
    before: str | None,
    after: str | None,
    down: tuple[str, ...],
    accept_undetermined: bool,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
) -> None:
    """Ask ``audit`` of scripts, in the order given, and write what other tools take."""
    from topograph.audit import Given, named
    from topograph.network import compare

    if bool(change) == bool(before or after) or bool(before) != bool(after):
        raise click.UsageError("Say what is to be judged: --change [SERVER=]FILE, or --before PATH and --after PATH.")
    if before and after:
        states = [replace(asking, snapshot=one, engine="memory").open() for one in (before, after)]
        if ANSWERED in (meta := click.get_current_context().meta):
            meta[OPENED] = states[0]  # what an answer is drawn on
        _tell(asking, compare(*states), accept_undetermined, sarif, junit, markdown)
        return
    network = asking.open()
    given = []
    for text in change:
        server, equals, path = text.partition("=")
        if not equals or Path(text).is_file():
            server, path = "", text
        given.append(Given(read_bytes(path), named(Path(path)), server or None))
    _tell(asking, network.audit(given, down=down), accept_undetermined, sarif, junit, markdown)


def _tell(
    asking: Asking,
    answer: AuditAnswer,
    accept_undetermined: bool,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
) -> None:
    from topograph.audit import reports

    if sarif:
        write_file(sarif, reports.sarif(answer, __version__))
    if junit:
        write_file(junit, reports.junit(answer))
    if markdown:
        write_file(markdown, reports.markdown(answer))
    asking.tell(answer, violation=False if accept_undetermined and answer.verdict == "undetermined" else None)
