"""``schema``: the JSON Schemas of what topograph reads and writes."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

import click

from topograph.cli.choices import KnownChoice
from topograph.histories.question import BISECT, HISTORY
from topograph.questions.records import QUESTIONS
from topograph.surveying.question import SURVEY

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

ANSWER = "answer"

ANSWERING = {one.name: one for one in (*QUESTIONS, SURVEY, HISTORY, BISECT)}
"""The records of all that has an answer, by name."""

FILES = {
    "topograph.yaml": ("topograph.importers", "side_inputs.schema.json"),
    "policy": ("topograph.audit", "policies.schema.json"),
    "message": ("topograph.cli", "message.schema.json"),
}
"""What people write, and the package and the file that has its schema."""


def _questions(
    context: click.Context,
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(one.name, help=one.title)
        for one in ANSWERING.values()
        if context.params.get("what") == ANSWER and one.name.startswith(incomplete)
    ]


@click.command("schema")
@click.argument("what", metavar="WHAT", type=KnownChoice([*FILES, ANSWER]))
@click.argument(
    "question",
    metavar="[QUESTION]",
    required=False,
    type=KnownChoice(list(ANSWERING)),
    shell_complete=_questions,
)
def schema(what: str, question: str | None) -> None:
    """Print the JSON Schema (Draft 2020-12) of WHAT, for editors and programs.

    \b
    WHAT is one of
      topograph.yaml  the side inputs of a folder (docs/side-inputs.md)
      policy          the file of audit --policy (docs/policies.md)
      message         the file of propagate --message and trace --message
      answer          the JSON of a question or of survey, which QUESTION names

    An answer may have more fields in a later version; its schema allows them.

    \b
    Examples:
      # for an editor that checks the file while it is written
      topograph schema topograph.yaml
      # the fields of an answer, for a program that reads it
      topograph schema answer reach
    """
    if (what == ANSWER) != (question is not None):
        raise click.UsageError(
            "Name the question: topograph schema answer reach."
            if what == ANSWER
            else f"Only an answer has a question: topograph schema {what}."
        )
    click.echo(json.dumps(schema_of(what, question or ""), indent=2))


def schema_of(what: str, question: str = "") -> dict[str, Any]:
    """The schema of ``WHAT``; of an answer that of a question or of survey. Raises KeyError for
    another name.
    """
    if what == ANSWER:
        from topograph.questions.schemas import answer_schema

        return answer_schema(ANSWERING[question])
    package, file = FILES[what]
    found: dict[str, Any] = json.loads(resources.files(package).joinpath(file).read_text("utf-8"))
    return found
