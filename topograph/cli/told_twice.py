"""The command line for ``topograph.tools``: answers are written as text and as JSON at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from topograph.cli.group import LazyGroup
from topograph.cli.options import ANSWERED, ended
from topograph.cli.output import json_document
from topograph.questions.answers import Answer
from topograph.surveying.records import Survey


class _Twice(LazyGroup):
    def invoke(self, ctx: click.Context) -> Any:
        """As click does; answers go to ``_tell``."""
        ctx.meta[ANSWERED] = _tell
        return super().invoke(ctx)


def _tell(answer: Answer | Survey, violation: bool | None) -> None:
    said, document = _of_survey(answer) if isinstance(answer, Survey) else _of_question(answer)
    for line in (json.dumps({"text": said.rstrip("\n")}), *document):
        sys.stdout.write(f"{line}\n")
    context = click.get_current_context()
    found = answer.violation if violation is None else violation
    context.exit(ended(context, 1 if found else 0))


def _of_question(answer: Answer) -> tuple[str, Iterable[str]]:
    """The text of an answer and the lines of its JSON."""
    from topograph.questions.text import text
    from topograph.questions.texts.layout import Style

    return text(answer, Style(colour=False, symbols=True, width=None)), json_document(answer)


def _of_survey(found: Survey) -> tuple[str, Iterable[str]]:
    """As ``_of_question``."""
    from topograph.surveying.texts import text

    return text(found), [json.dumps(found.to_dict())]


command = _Twice(name="topograph")
