"""``audit``: judge change scripts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from topograph.cli.options import ANSWERED, OPENED, Asking
from topograph.cli.question_commands import question_command
from topograph.cli.question_files import read_bytes
from topograph.cli.terminal import say
from topograph.cli.written_files import write_file
from topograph.files import names_file
from topograph.questions.records.changes import AUDIT
from topograph.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topograph.audit import GivenScript
    from topograph.network import Network
    from topograph.questions.answers import AuditAnswer


@question_command(AUDIT)
def audit(
    asking: Asking,
    change: tuple[str, ...],
    before: str | None,
    after: str | None,
    down: tuple[str, ...],
    policy: tuple[str, ...],
    accept_undetermined: bool,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
    save: str | None,
    replay: str | None,
) -> None:
    """Ask ``audit`` of scripts, in the order given, and write what other tools take."""
    from topograph.network import compare

    if replay and policy:
        raise click.UsageError(
            "--policy goes with --change, or with --before and --after; not with --replay."
        )
    if replay and not change and not save:
        _replay(
            asking,
            replay,
            before,
            after,
            down,
            lambda answer: _tell(asking, answer, accept_undetermined, sarif, junit, markdown),
        )
        return
    if bool(before) != bool(after) and not change and not replay:
        one, other = ("--before", "--after") if before else ("--after", "--before")
        raise click.UsageError(
            f"{one} needs {other}: name the state before and the state after. To judge a "
            "script, use --change [SERVER=]FILE."
        )
    if (
        replay
        or bool(change) == bool(before or after)
        or bool(before) != bool(after)
        or (save and not change)
    ):
        raise click.UsageError(
            "Say what is to be judged: --change [SERVER=]FILE (with --save FILE to keep "
            "it), --replay FILE, or --before PATH and --after PATH."
        )
    if before and after:
        was, now = (
            replace(asking, snapshot=one, engine="memory").open() for one in (before, after)
        )
        if ANSWERED in (meta := click.get_current_context().meta):
            meta[OPENED] = was  # what an answer is drawn on
        _tell(asking, compare(was, now, policy), accept_undetermined, sarif, junit, markdown)
        return
    network = asking.open()
    given = given_scripts(change)
    answer = network.audit(given, down=down, policy=policy)
    if save:
        _save(network, given, down, answer, save)
    _tell(asking, answer, accept_undetermined, sarif, junit, markdown)


def given_scripts(change: Sequence[str]) -> list[GivenScript]:
    """The scripts of ``--change [SERVER=]FILE``. Raises InputError for a file that cannot be
    read.
    """
    from topograph.audit import GivenScript, named

    given = []
    for text in change:
        server, equals, path = text.partition("=")
        if not equals or names_file(text):
            server, path = "", text
        given.append(GivenScript(read_bytes(path), named(Path(path)), server or None))
    return given


def _save(
    network: Network,
    given: Sequence[GivenScript],
    down: Sequence[str],
    answer: AuditAnswer,
    file: str,
) -> None:
    """Keep the change, and say what of it is not kept."""
    saved = network.saved_change(given, down=down, judged=answer)
    write_file(file, saved.written())
    for script in saved.scripts:
        if script.hidden:
            lines = ", ".join(map(str, script.hidden))
            say(
                (
                    f"{script.name}: secrets in line {lines} are not saved, and without them "
                    f"{file} cannot be replayed."
                ),
                err=True,
            )
    if answer.redaction:
        say(
            (
                f"The snapshot is redacted, {file} is not: it has hosts, users and client "
                "ids as the scripts have them."
            ),
            err=True,
        )


def _replay(
    asking: Asking,
    file: str,
    before: str | None,
    after: str | None,
    down: Sequence[str],
    tell: Callable[[AuditAnswer], None],
) -> None:
    """Judge a saved change again, or compare it with what is there."""
    from topograph.audit.saved import read_change

    saved = read_change(read_bytes(file), file)
    saved.given()
    if before and not after:
        raise click.UsageError(
            "--before with --replay is the state before the change; say that after it "
            "too: --after PATH. Without both, -s is judged."
        )
    later = replace(asking, snapshot=after, engine="memory").open() if after else None
    network = (replace(asking, snapshot=before, engine="memory") if before else asking).open()
    tell(network.replay(saved, later, list(down) or None))


def _tell(
    asking: Asking,
    answer: AuditAnswer,
    accept_undetermined: bool,
    sarif: str | None,
    junit: str | None,
    markdown: str | None,
) -> None:
    if sarif:
        write_file(sarif, _sarif(answer))
    if junit or markdown:
        from topograph.audit import reports

        if junit:
            write_file(junit, reports.junit(answer))
        if markdown:
            write_file(markdown, reports.markdown(answer))
    asking.tell(
        answer,
        violation=False if accept_undetermined and answer.verdict == "undetermined" else None,
        sarif=lambda: _sarif(answer),
    )


def _sarif(answer: AuditAnswer) -> str:
    from topograph.audit import reports

    return reports.sarif(answer, __version__)
