"""The whole answer to each of many commands, with the facts that go and come
(``command_answers.txt``).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.command_answers import Case, answer, cases


@pytest.mark.parametrize(
    "case", cases(Path(__file__).with_name("command_answers.txt")), ids=lambda case: case.id
)
def test_a_command_has_this_answer_and_no_other(case: Case) -> None:
    assert answer(case, "amq_interconnect") == case.expected
