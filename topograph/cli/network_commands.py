"""The commands of questions about the network that do more than ask: ``reach``, ``hops``,
``cycles``, ``interests``, ``check``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from topograph.cli.options import Asking, ended
from topograph.cli.output import write_hop_rows
from topograph.cli.question_commands import question_command
from topograph.cli.terminal import say
from topograph.errors import InputError, SnapshotNotFound
from topograph.questions.doubts import not_reached_if_assumed
from topograph.questions.records.configuration import CHECK
from topograph.questions.records.interests import INTERESTS, LISTED
from topograph.questions.records.routes import CYCLES, HOPS, REACH

if TYPE_CHECKING:
    from topograph.questions.answers import ReachAnswer


@question_command(REACH)
def reach(asking: Asking, from_: str, to: str | None, reply: bool, expect: str | None) -> None:
    """Ask ``reach``, and hold the answer against what is expected."""
    if expect and to is None:
        raise click.UsageError(
            "--expect is about one server: name it as TO (topograph reach FROM TO "
            "--expect reachable)."
        )
    answer = asking.open().reach(from_, to, reply=reply)
    unexpected = expect is not None and _unexpected(answer, expect)
    if unexpected:
        say(f"Not as expected: {to} was expected to be {expect} from {from_}.", err=True)
    asking.tell(answer, violation=unexpected)


def _unexpected(answer: ReachAnswer, expect: str) -> bool:
    """True unless the answer, which is about one server, says what is expected of it, under the
    assumptions that it lists.
    """
    if expect == "reachable":
        return not (answer.servers and all(server.certain for server in answer.servers))
    return not (answer.unreachable or not_reached_if_assumed(answer.undetermined))


@question_command(HOPS)
def hops(asking: Asking, from_: str | None, to: str | None, matrix: bool) -> None:
    """Ask ``hops`` of two servers, or of all with ``matrix``."""
    if matrix and from_ is None:
        network = asking.open()
        if asking.form == "jsonl":  # row by row: of any size
            write_hop_rows(network.hops_head(), network.hop_rows(), network.rows_cut)
            asking.write_cypher()
            context = click.get_current_context()
            context.exit(ended(context, 0))
        else:
            asking.tell(network.hops_matrix())
    elif from_ is not None and to is not None and not matrix:
        asking.tell(asking.open().hops(from_, to))
    else:
        raise click.UsageError(
            "Name two servers (topograph hops FROM TO), or ask for all of them with --matrix alone."
        )


@question_command(CYCLES)
def cycles(asking: Asking, strict: bool, pairs: bool) -> None:
    """Ask ``cycles``."""
    asking.tell(asking.open().cycles(strict=strict), full=pairs)


@question_command(INTERESTS)
def interests(asking: Asking, server: str | None, observed: str | None) -> None:
    """Ask ``interests``, with the observed names of a file or what servers listed."""
    from topograph.cli.question_files import read_observed

    if observed is None or observed == LISTED:
        asking.tell(asking.open().interests(server, observed=None if observed is None else LISTED))
        return
    try:
        held = read_observed(observed)
    except InputError as error:
        if server is not None or Path(observed).exists():
            raise
        raise InputError(
            f"{error} To ask about a server, write its name before --observed."
        ) from None
    asking.tell(asking.open().interests(server, observed=held))


@question_command(CHECK)
def check(
    asking: Asking, server: str | None, rule: str | None, severity: str | None, every: bool
) -> None:
    """Ask ``check``; of one server or rule every finding is written. A rule is explained where
    there is no snapshot too, unless one is named."""
    try:
        network = asking.open()
    except SnapshotNotFound:
        named = click.get_current_context().get_parameter_source("snapshot")
        if not rule or server or named is not ParameterSource.DEFAULT:
            raise
        from topograph.questions.check import explained

        asking.tell(explained(rule))
        return
    answer = network.check(server=server or "", rule=rule or "", severity=severity or "")
    asking.tell(answer, full=every or bool(server or rule))
