"""docs/glossary.md has an entry for every word that answers and the graph use."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

from topograph.forwarding import graph
from topograph.outcomes import NotForwarded, Outcome, Truth

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text("utf-8")
ENTRIES = re.findall(r"\*\*([^*]+)\*\*", PAGE)
RECORDS = [
    name
    for name, record in inspect.getmembers(graph, inspect.isclass)
    if dataclasses.is_dataclass(record)
    and record.__module__ == graph.__name__
    and not name.startswith("_")
]


@pytest.mark.parametrize(
    "word",
    [*RECORDS, *Outcome, *NotForwarded, *Truth, "Link", "Zone", "Hop", "Interest", "Arrival"],
)
def test_a_word_of_the_graph_or_of_an_answer_has_an_entry(word: str) -> None:
    assert ENTRIES.count(str(word)) == 1


def test_every_row_has_a_cell_for_every_column() -> None:
    widths: list[set[int]] = [set()]
    for line in PAGE.splitlines():
        if line.startswith("|"):
            widths[-1].add(line.count("|"))
        elif widths[-1]:
            widths.append(set())
    assert [width for width in widths if len(width) > 1] == []


def test_an_outcome_that_the_specification_lists_is_no_other_than_one_of_ours() -> None:
    rows = PAGE.partition("## How a message ends")[2].partition("Why a link")[0]
    assert set(re.findall(r"^\| \*\*(\w+)\*\*", rows, re.MULTILINE)) == {
        str(outcome) for outcome in Outcome
    }
