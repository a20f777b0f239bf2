"""The records of questions, and what is derived from them."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from topograph import outcomes
from topograph.cli.group import COMMANDS, topograph
from topograph.network import Network
from topograph.questions import answers, records
from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


@each_question
def test_the_method_of_a_network_takes_what_the_record_says(question: Question) -> None:
    takes = list(inspect.signature(getattr(Network, question.name)).parameters.values())[1:]
    taken = [
        parameter for parameter in takes if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    said = [parameter for parameter in question.parameters if parameter.only != "command"]
    assert [parameter.name for parameter in taken] == [parameter.name for parameter in said]
    for parameter, record in zip(taken, said, strict=True):
        assert (parameter.default is inspect.Parameter.empty) == record.required, record.name
        if not record.required:
            assert parameter.default == record.default, record.name


@each_question
def test_the_command_takes_what_the_record_says(question: Question) -> None:
    command = topograph.get_command(None, question.name)
    assert command is not None
    common = {
        "snapshot",
        "network",
        "engine",
        "form",
        "show_cypher",
        "budget",
        "include",
        "exclude",
    }
    taken = [parameter for parameter in command.params if parameter.name not in common]
    said = [parameter for parameter in question.parameters if parameter.only != "python"]
    assert [parameter.name for parameter in taken] == [parameter.name for parameter in said]
    assert [parameter.opts for parameter in taken] == [
        [record.option or record.name] for record in said
    ]


@each_question
def test_the_answer_is_one_of_the_types_the_record_names(question: Question) -> None:
    returned = inspect.signature(getattr(Network, question.name)).return_annotation
    assert returned == question.answers[0]
    for name in question.answers:
        answer = getattr(answers, name)
        assert answer.question == question.name
        assert answer.rows_field in {field.name for field in dataclasses.fields(answer)}


@each_question
def test_outcomes_and_conditions_are_words_that_are_defined(question: Question) -> None:
    assert set(question.outcomes) <= set(outcomes.Outcome)
    assert set(question.conditions) <= set(outcomes.NotForwarded)


def test_every_question_is_listed_with_its_title() -> None:
    listed = {entry.name: entry.line for entry in COMMANDS}
    assert {question.name: listed.get(question.name) for question in QUESTIONS} == {
        question.name: question.title for question in QUESTIONS
    }


GROUPS = sorted(path.stem for path in Path(records.__file__).parent.glob("[!_]*.py"))


def test_the_records_import_nothing_of_ours_but_each_other() -> None:
    program = (
        "import sys, topograph.questions.records; print(sorted(n for n in sys.modules if "
        "n.startswith('topograph')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(
        [
            "topograph",
            "topograph.questions",
            "topograph.questions.question",
            "topograph.questions.records",
            *(f"topograph.questions.records.{group}" for group in GROUPS),
            "topograph.search_paths",  # of any import of topograph
            "topograph.version",
        ]
    )
