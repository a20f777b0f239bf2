"""The ``show`` command: what a snapshot holds, as tables."""

from __future__ import annotations

from topograph.cli.options import Asking
from topograph.cli.question_commands import question_command
from topograph.questions.records import SHOW


@question_command(SHOW)
def show(
    asking: Asking, what: str, destination: str | None, user: str | None, server: str | None
) -> None:
    """Ask ``show``."""
    asking.tell(asking.open().show(what, destination or "", user=user or "", server=server or ""))
