"""No first line says more than the JSON of its answer: of all cases and examples, asked alike.

``headlines`` reads a line back into what a stranger takes from it; ``test_media`` does the same
with estates that are drawn. A line of a form that it does not know fails, so that a new form is
read here before it is printed; ``docs/decisions/030-headlines.md`` shows ten lines a question.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asked_answers import questions

import topograph
from certainty.headlines import QUESTIONS, wrong
from topograph.errors import TopographError
from topograph.questions.text import text

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def estates() -> list[Any]:
    """All but the cases about sizes and hostile inputs (``rel``), whose answers take long."""
    found = sorted([*(ROOT / "tests" / "cases").glob("*/*/"), *(ROOT / "examples").glob("*/")])
    return [
        pytest.param(folder, id=folder.relative_to(ROOT).as_posix())
        for folder in found
        if folder.is_dir() and folder.parent.name != "rel" and folder.name != "__pycache__"
    ]


@pytest.mark.parametrize("folder", estates())
def test_no_first_line_says_more_than_json(folder: Path) -> None:
    inside = folder / "estate"
    try:
        network = topograph.read(inside if inside.is_dir() else folder).within(None)
    except TopographError:
        return
    told = []
    for method, words, options in questions(network):
        try:
            answer = getattr(network, method)(*words, **options)
        except TopographError:
            continue
        if answer.question in QUESTIONS:
            told += wrong(answer.to_dict(), text(answer).partition("\n")[0])
    assert told == []


FALSE_LINES = [
    ("reach", "HQ reaches 1 of 6 other servers."),
    ("reach", "HQ reaches every server."),
    ("hops", "HQ does not reach LONDON."),
    ("hops", "From HQ to LONDON: 2 hops."),
    ("hops", "Whether HQ reaches LONDON cannot be decided."),
    ("paths", "2 paths from HQ to LONDON."),
    ("paths", "There is no permitted path from HQ to LONDON."),
    ("paths", "1 path from HQ to LONDON, not for certain."),
    ("cycles", "Illegal: HQ would hold 1 temporary-topic name over more than one route."),
    ("check", "No findings."),
    ("propagate", "A message to topic:orders published at HQ is delivered nowhere."),
    ("propagate", "A message to topic:orders published at HQ is delivered at HQ."),
    ("propagate", "Whether a message to topic:orders published at HQ is delivered anywhere "
     "cannot be decided."),
    ("trace", "A message to topic:orders sent at HQ is delivered at NOWHERE."),
    ("impact", "If server:HQ fails, every other pair of servers still reaches each other."),
    ("impact", "If server:HQ fails, 1 ordered pairs of servers no longer reach each other."),
]  # fmt: skip
"""Lines that are not so of the example estate."""


@pytest.mark.parametrize(("question", "line"), FALSE_LINES)
def test_a_line_that_is_not_so_is_found(question: str, line: str) -> None:
    network = topograph.read(ROOT / "examples" / "estate").within(None)
    words: dict[str, tuple[Any, ...]] = {
        "reach": ("HQ",),
        "hops": ("HQ", "LONDON"),
        "paths": ("HQ", "LONDON"),
        "propagate": ("HQ", "topic:orders", {"country": "Spain"}),
        "trace": ("HQ", "topic:orders", {"country": "Spain"}),
        "impact": (["server:HQ"],),
    }
    answer = getattr(network, question)(*words.get(question, ()))
    as_json = answer.to_dict()
    assert wrong(as_json, text(answer).partition("\n")[0]) == []
    assert wrong(as_json, line)
