"""The code that is made of the questions is what the records and functions give."""

from __future__ import annotations

from pathlib import Path

import pytest
from project.test_docs import program

STALE = "regenerate with: ./dev derive"


@pytest.mark.parametrize("made", ["methods", "stub"])
def test_the_code_made_of_questions_is_what_they_give(made: str) -> None:
    maker = program("make_question_code")
    path: Path = getattr(maker, made.upper())
    assert path.read_text("utf-8") == getattr(maker, made)(), STALE
