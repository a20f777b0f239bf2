"""``summary``: the first screen of what a path holds."""

from __future__ import annotations

import shlex
from dataclasses import replace

import click
from click.core import ParameterSource

from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.questions.records.configuration import SUMMARY


@question_command(SUMMARY)
def summary(asking: Asking, path: str | None) -> None:
    """Ask ``summary``, of PATH if it is given; the commands that it names ask the same."""
    context = click.get_current_context()
    given = context.get_parameter_source("snapshot") is ParameterSource.COMMANDLINE
    if path is not None and given:
        raise click.UsageError("Name PATH or -s PATH, not both.")
    if path is not None:
        asking = replace(asking, snapshot=path)
    answer = asking.open().summary()
    where = ["-s", asking.snapshot] if given or path is not None else []
    where += ["--network", asking.network] if asking.network else []
    asking.tell(replace(answer, where=shlex.join(where)))
