"""Tables and messages of a page, written by Python and read by its script: what comes out is
what went in.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from portable.node import run

from topograph.viz.page.compact import folder_of, table, without_names

SCRIPTS = Path(__file__).parents[2] / "viz" / "page" / "script"


def read(body: str, given: object) -> object:
    return run(["compact"], body, given, folder=SCRIPTS)


def test_a_table_of_anything_comes_back():
    chance = random.Random(7)
    values = (
        lambda: chance.randrange(-9, 9),
        lambda: None,
        lambda: "",
        lambda: "a",
        lambda: [1, "b"],
        lambda: 0.5,
    )
    tables = []
    for _ in range(300):
        makers = [
            chance.choices(values, k=chance.choice((1, 1, 3)))
            for _ in range(chance.randrange(1, 6))
        ]
        tables.append(
            [[chance.choice(maker)() for maker in makers] for _ in range(chance.randrange(7))]
        )
    tables += [[[True, 1], [1, True]], [[0, False]], [[1, 1.0], [1.0, 1]], [[2**40], [-(2**40)]]]
    assert read("return given.map(rowsOf);", [table(rows) for rows in tables]) == json.loads(
        json.dumps(tables)
    )


def test_rows_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        table([[1, 2], [1]])


MESSAGES = [
    ("orders is global at HQ and not at ROME", ["ROME", "", "", "HQ"]),
    ("HQ2 links HQ and HQ", ["HQ", "HQ2", "HQ", ""]),
    ("A and B", ["A", "A", "B", "A"]),
    ("nothing of it", ["", "", "", ""]),
    ("a mark \x01 of its own at HQ", ["HQ", "\x01", "\x00", ""]),
    ("\x00HQ", ["HQ", "", "", ""]),
    ("it is at HQ", ["HQ", "\x01", "\x02Q", ""]),
    ("HQ at the \x04 end", ["HQ", "", "", ""]),
    ("Grüße aus 東京", ["東京", "ü", "", ""]),
]


def test_a_message_comes_back_with_its_names_whatever_characters_are_in_it():
    written = [[without_names(message, names), names] for message, names in MESSAGES]
    assert read("return given.map(([text, names]) => withNames(text, names));", written) == [
        one for one, _ in MESSAGES
    ]


def test_messages_that_differ_in_their_names_are_one_text():
    texts = {
        without_names(f"orders is global at A{n} and not at B{n}", (f"B{n}", f"A{n}"))
        for n in range(50)
    }
    assert len(texts) == 1


@pytest.mark.parametrize("file", ["HQ/routes.conf", "routes.conf", "", "a/b/c", "/x"])
def test_both_sides_take_the_same_folder_of_a_path(file):
    assert read("return folderOf(given);", file) == folder_of(file)
