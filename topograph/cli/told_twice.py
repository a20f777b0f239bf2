"""The command line for ``topograph.tools``: answers are written as text and as JSON at once."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from topograph.cli.group import LazyGroup
from topograph.cli.options import ANSWERED, ended
from topograph.cli.output import json_document
from topograph.questions.answers import Answer


class _Twice(LazyGroup):
    def invoke(self, ctx: click.Context) -> Any:
        """As click does; answers go to ``_tell``."""
        ctx.meta[ANSWERED] = _tell
        return super().invoke(ctx)


def _tell(answer: Answer, violation: bool | None) -> None:
    from topograph.questions.text import text
    from topograph.questions.texts.layout import Style

    said = text(answer, Style(colour=False, symbols=True, width=None))
    for line in (json.dumps({"text": said.rstrip("\n")}), *json_document(answer)):
        sys.stdout.write(f"{line}\n")
    context = click.get_current_context()
    found = answer.violation if violation is None else violation
    context.exit(ended(context, 1 if found else 0))


command = _Twice(name="topograph")
