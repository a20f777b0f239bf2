"""``--format csv``: a table of an answer for spreadsheets, which says what the JSON says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from every_question import questions
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.cli.main import exit_code
from topograph.questions.answers import Answer, ShowAnswer, plain
from topograph.questions.csv_tables import GUARDED, cell, csv_lines, table

EXAMPLES = Path(__file__).parents[2] / "examples"
ESTATES = ("estate", "routers", "services", "mixed", "queue_managers", "sibus_orders")


def text_of(answer: Answer) -> str:
    return "".join(f"{line}\n" for line in csv_lines(answer))


def read(text: str) -> tuple[list[str], list[dict[str, str]]]:
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert all(len(row) == len(header) for row in rows)
    return header, [dict(zip(header, row, strict=True)) for row in rows]


def asked() -> Iterator[Any]:
    for estate in ESTATES:
        network = topograph.read(EXAMPLES / estate)
        for label, ask in questions(network):
            yield pytest.param(network, ask, id=f"{estate} {label}")
        yield pytest.param(network, lambda n: n.check(), id=f"{estate} check")


@pytest.mark.parametrize(("network", "ask"), list(asked()))
def test_rows_and_columns_are_what_the_answer_says(network: Any, ask: Any) -> None:
    answer = ask(network)
    columns, entries = table(answer)
    header, rows = read(text_of(answer))
    assert [column.removeprefix("'") for column in header] == list(columns)
    assert len(set(columns)) == len(columns)
    entries = list(entries)
    assert len(rows) == len(entries)
    for row, entry in zip(rows, entries, strict=True):
        assert isinstance(answer, ShowAnswer) or set(entry) <= {*columns, "entry"}
        for name, written in zip(columns, row.values(), strict=True):
            value = entry.get(name)
            if isinstance(value, str):
                assert (written[1:] if written[:1] == "'" else written) == value
            elif value is None:
                assert written == ""
            else:
                assert json.loads(written) == value


@pytest.mark.parametrize(
    ("words", "lists"),
    [
        ("reach HQ", ("servers", "unreachable", "undetermined")),
        ("paths HQ CANADA", ("paths",)),
        ("check", ("findings", "waived", "known", "gone")),
        ("show servers", ("rows",)),
        ("impact --sweep", ("failures",)),
        ("propagate HQ --destination topic:orders", ("deliveries", "stopped", "ends",
                                                     "undetermined")),
        ("trace HQ --destination topic:orders", ("steps", "branches", "undetermined")),
    ],
)  # fmt: skip
def test_every_entry_of_the_json_is_a_row(
    words: str, lists: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["-s", str(EXAMPLES / "estate")]
    codes = {exit_code([*words.split(), *where, "--format", "json"])}
    answer = json.loads(capsys.readouterr().out)
    codes.add(exit_code([*words.split(), *where, "--format", "csv"]))
    out = capsys.readouterr().out
    _, rows = read(out)
    assert len(codes) == 1
    assert len(rows) == sum(len(answer[one]) for one in lists)
    held = (entry for one in lists for entry in answer[one])
    for row, entry in zip(rows, held, strict=True):
        for name, value in ({"server": entry} if isinstance(entry, str) else entry).items():
            if isinstance(value, str) and name in row:
                assert row[name].removeprefix("'") == value


def test_lines_end_and_cells_are_quoted_as_in_rfc_4180(estate: topograph.Network) -> None:
    text = text_of(estate.check())
    assert text.count("\r\n") == len(text.splitlines())
    assert read(text)[1][0]["message"] == estate.check().findings[0]["message"]


@pytest.fixture(scope="module")
def estate() -> topograph.Network:
    return topograph.read(EXAMPLES / "estate")


def test_the_columns_do_not_depend_on_what_is_found(estate: topograph.Network) -> None:
    for one, other in (
        (estate.check(), estate.check(server="HQ", severity="error")),
        (estate.reach("HQ"), estate.reach("MIRROR")),
        (estate.cycles(), topograph.read(EXAMPLES / "mhop-star" / "with-b-d").cycles()),
    ):
        assert table(one)[0] == table(other)[0]


@given(st.text())
def test_no_text_is_a_formula_and_each_can_be_read_back(text: str) -> None:
    written = cell(text)
    assert not written or written[0] not in "=+-@\t\r\n"
    assert (written[1:] if written[:1] == "'" else written) == text
    assert (written != text) == (text[:1] != "" and text[0] in GUARDED)


@pytest.mark.parametrize("value", [-1, 3, 1.5, True, False])
def test_numbers_stay_numbers(value: Any) -> None:
    assert json.loads(cell(plain(value))) == value
