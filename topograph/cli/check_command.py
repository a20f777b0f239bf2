"""``check``: the findings of a network, and the files that a gate keeps and writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from topograph.cli.network_commands import unread_files
from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.cli.terminal import say
from topograph.cli.written_files import STDOUT, write_file
from topograph.errors import SnapshotNotFound
from topograph.findings import Severity, Source
from topograph.opening.models import is_configuration
from topograph.questions.records.configuration import CHECK
from topograph.version import __version__

if TYPE_CHECKING:
    from topograph.network import Network


@question_command(CHECK)
def check(
    asking: Asking,
    server: str | None,
    rule: str | None,
    severity: str | None,
    every: bool,
    fail_on: str | None,
    baseline: str | None,
    write_baseline: str | None,
    sarif: str | None,
) -> None:
    """Ask ``check``; of one server or rule every finding is written. A rule is explained where
    there is no snapshot too, unless one is named."""
    if write_baseline and (server or rule or severity):
        raise click.UsageError(
            "--write-baseline writes all findings: leave out --server, --rule and --severity."
        )
    if write_baseline == STDOUT:
        raise click.UsageError("--write-baseline needs a file: standard output is taken.")
    try:
        network = asking.open()
    except SnapshotNotFound:
        named = click.get_current_context().get_parameter_source("snapshot")
        if not rule or server or named is not ParameterSource.DEFAULT:
            raise
        from topograph.questions.check import explained

        asking.tell(explained(rule))
        return
    if write_baseline:
        write_file(write_baseline, network.baseline())
        baseline = write_baseline
    answer = network.check(
        server=server or "", rule=rule or "", severity=severity or "", baseline=baseline
    )

    def as_sarif() -> str:
        from topograph.questions.check_sarif import sarif as written

        return written(answer, __version__, _anchor(network), _below(asking.snapshot))

    if sarif:
        write_file(sarif, as_sarif())
    violation = None
    if fail_on is not None:
        least = Severity(fail_on).rank
        violation = any(Severity(str(one["severity"])).rank >= least for one in answer.findings)
        for file in unread_files(network):
            say(f"{file} could not be read: what is wrong in it is not known.", err=True)
            violation = True
    full = every or bool(server or rule)
    asking.tell(answer, violation=violation, full=full, sarif=as_sarif)


def _anchor(network: Network) -> Source:
    """The place of what has none: where the first server is defined."""
    places = (row["source"] for row in network.show("servers").rows)
    files = (str(one["file"]) for one in places if isinstance(one, dict))
    return Source(next((file for file in files if file), ""), 1)


def _below(snapshot: str) -> str:
    """The folder that the paths of an answer are below, as seen from the current one: of a folder
    of configuration below it. Empty where they are relative to something else.
    """
    place = Path(snapshot)
    if not place.is_dir() or not is_configuration(snapshot):
        return ""
    try:
        below = place.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return ""
    return "" if below == "." else below
