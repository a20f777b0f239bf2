"""``topograph survey`` as data, by the kind of record that describes questions: its help, its tool
and the schema of its answer are made of it.

It is not one of ``QUESTIONS``: a question is about a network, a survey about the files of a folder
before there is one.
"""

from __future__ import annotations

from topograph.questions.question import Example, Parameter, ParameterKind, Question

SURVEY = Question(
    name="survey",
    title="List what a folder holds: servers, copies, estates, and what is left out.",
    description="List what a folder holds: which servers, which file speaks for which of them and "
    "why.\n\n"
    "Names copies and which of them is read, folders that are separate estates (DEV and "
    "PROD), servers that are only named, and what is left out. A question on the folder reads the "
    "same files. Nothing is written. docs/folders.md explains the parts.",
    parameters=(
        Parameter(
            "path",
            ParameterKind.ASKED,
            "The folder, file or archive to look at.",
            metavar="PATH",
            required=True,
        ),
    ),
    answers=("topograph.surveying.records:Survey",),
    key=("server", "system"),
    python='topograph.survey("examples/estate")',
    examples=(
        Example("survey examples/estate", "what is in this folder?"),
        Example("survey examples/estate --exclude '*.bak'", "without what an editor left behind"),
    ),
    engines=(),
)
