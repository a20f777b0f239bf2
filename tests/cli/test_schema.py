"""``topograph schema``: each schema is valid, and every answer has the form that its schema says,
field by field.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from every_question import questions

from topograph.cli.main import exit_code
from topograph.cli.schema_command import FILES
from topograph.errors import UsageError
from topograph.network import read
from topograph.questions.answers import Answer
from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS
from topograph.questions.schemas import answer_schema
from topograph.surveying.question import SURVEY

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FOLDERS = (
    *("estate", "orders", "mhop-star/legal", "mhop-star/with-b-d", "two-1hop-zones/with-g-a"),
    *("routers", "services", "queue_managers", "mqe_devices", "sibus_orders", "mixed"),
)
CLOSED = {
    question.name: jsonschema.Draft202012Validator(answer_schema(question, closed=True))
    for question in QUESTIONS
}
"""What an answer of this version may hold, and no more."""

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert exit_code(["schema", *words]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    return found


@pytest.mark.parametrize("what", FILES)
def test_the_schema_of_a_file_is_printed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, what)["type"] in ("object", ["object", "null"])


@each_question
def test_the_schema_of_an_answer_is_printed(
    question: Question, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = printed(capsys, "answer", question.name)
    assert set(question.answers) <= set(schema["$defs"])
    for name in question.answers:
        answer = schema["$defs"][name]
        assert answer["properties"]["question"] == {"const": question.name}
        assert {"snapshot", "network", "engine", "exact", "assumptions", "warnings"} <= set(
            answer["required"]
        )


def test_the_schema_of_a_survey_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    survey = printed(capsys, "answer", "survey")["$defs"]["Survey"]
    assert survey["properties"]["question"] == {"const": "survey"}
    assert survey["required"] == [
        *("question", "path", "files", "servers", "environments", "copies", "named_only"),
        *("left_out", "hosts"),
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_survey_fits_its_schema(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["survey", str(EXAMPLES / folder), "--format", "json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    body = json.loads(out)
    validator = jsonschema.Draft202012Validator(answer_schema(SURVEY, closed=True))
    wrong = jsonschema.exceptions.best_match(validator.iter_errors(body))
    assert wrong is None, wrong
    for field, value in (("files", "1"), ("servers", {}), ("question", "reach")):
        assert not validator.is_valid({**body, field: value})
    assert not validator.is_valid({name: body[name] for name in body if name != "hosts"})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("answer", "Name the question: topograph schema answer reach."),
        ("policy reach", "Only an answer has a question: topograph schema policy."),
        ("answer reac", "Did you mean reach or trace?"),
        ("polcy", "Did you mean policy?"),
    ],
)
def test_a_call_that_names_no_schema_says_what_to_type(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["schema", *words.split()]) == 2
    written = capsys.readouterr()
    assert said in written.err
    assert written.out == ""


def test_the_examples_fit_the_schemas_of_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    for what, file in (
        ("topograph.yaml", EXAMPLES / "estate" / "topograph.yaml"),
        ("policy", EXAMPLES / "policies.yaml"),
        ("message", EXAMPLES / "questions" / "order.json"),
    ):
        jsonschema.validate(yaml.safe_load(file.read_text("utf-8")), printed(capsys, what))


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_answer_fits_the_schema_of_its_question(folder: str) -> None:
    network = read(EXAMPLES / folder)
    fitting = 0
    for title, ask in questions(network):
        try:
            answer = ask(network)
        except UsageError:  # the question is not for this system
            continue
        fits(answer, title)
        fitting += 1
    assert fitting > 10


def fits(answer: Answer, title: str) -> None:
    body = json.loads(json.dumps(answer.to_dict()))
    wrong = jsonschema.exceptions.best_match(CLOSED[answer.question].iter_errors(body))
    assert wrong is None, f"{title}: {wrong.json_path}: {wrong.message}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "example",
    [one for question in QUESTIONS for one in question.examples],
    ids=lambda example: example.words[:60],
)
def test_the_examples_of_the_help_fit(
    example: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    monkeypatch.setenv("TOPOGRAPH_SNAPSHOT", str(EXAMPLES / example.estate))
    assert exit_code([*shlex.split(example.words), "--format", "json"]) == example.exit_code
    body: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    wrong = jsonschema.exceptions.best_match(CLOSED[body["question"]].iter_errors(body))
    assert wrong is None, wrong


def test_a_field_that_is_missing_or_of_another_type_does_not_fit() -> None:
    body = read(EXAMPLES / "orders").reach(read(EXAMPLES / "orders").server_names()[0]).to_dict()
    validator = CLOSED["reach"]
    assert validator.is_valid(json.loads(json.dumps(body)))
    for field, value in (("exact", "yes"), ("servers", {}), ("question", "hops")):
        assert not validator.is_valid({**body, field: value})
    assert not validator.is_valid({name: body[name] for name in body if name != "from"})
    assert not validator.is_valid({**body, "more": 1})
    (open_,) = [answer_schema(one) for one in QUESTIONS if one.name == "reach"]
    assert jsonschema.Draft202012Validator(open_).is_valid(
        json.loads(json.dumps({**body, "more": 1}))
    )
