"""Small inputs that were searched for: each takes a comparison, a condition, an index or a loop of
the importers another way than the inputs of ``read_answers`` with all their changes, be it at a
limit, with several rare forms at once, or with parts missing. Some were written by hand, for single
conditions.

A line of ``importers/SYSTEM/searched.jsonl`` holds the kind of the input (``read_answers``), its
files, and digests of what is read from it as it is and with some changes (``twisted``).
``python -m searched`` in ``tests`` writes the digests of now; a test that fails shows each
difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from answer_tables import Case
from read_answers import FOLDER, answer
from twisted import WIDTH, short_digest, twisted

TABLES = sorted(FOLDER.glob("*/searched.jsonl"))

NUMBER = 30
"""How often each input is changed."""

Entry = tuple[Case, str]
"""An input, and the digests behind each other."""


def entries(path: Path) -> list[Entry]:
    """What a table holds."""
    found: list[Entry] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, files, digests = json.loads(line)
        texts = tuple((name, text) for name, text in files)
        found.append((Case(len(found) + 1, path.parent.name, kind, texts, ()), digests))
    return found


def all_of(case: Case) -> Iterator[Case]:
    """The input as it is, and changed."""
    yield case
    yield from twisted(case, NUMBER)


def digests(case: Case) -> str:
    """Of what is read now."""
    return "".join(short_digest(answer(one)) for one in all_of(case))


def differing(case: Case, expected: str) -> list[str]:
    """The inputs of an entry of which something else is read than the table says, each with that
    of now.
    """
    inputs = list(all_of(case))
    assert len(expected) == WIDTH * len(inputs)
    return [
        "\n".join([*(f"[{name}]\n{text}" for name, text in one.files), "--", *found])
        for place, one in enumerate(inputs)
        if short_digest(found := answer(one)) != expected[WIDTH * place :][:WIDTH]
    ]


def line(case: Case, found: str) -> str:
    """An entry as the table holds it."""
    return json.dumps([case.kind, case.files, found], ensure_ascii=True) + "\n"


if __name__ == "__main__":
    for table in TABLES:
        lines = [line(case, digests(case)) for case, _ in entries(table)]
        table.write_text("".join(lines), encoding="utf-8")
