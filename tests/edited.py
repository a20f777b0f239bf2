"""Entries of tables (``answer_tables``) with one small edit each, always the same ones, as people
slip: a line dropped, doubled or moved, a word left out, doubled or in another's place, a mark too
few or too many, a file that ends early.
"""

from __future__ import annotations

import difflib
import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from answer_tables import Case, cases, entry

_PARTS = re.compile(r"[A-Za-z0-9_.]+|[^\w\s]")

_ODD = ("0", "1", "2", "-1", "x", "*", '""', "true", "no", "A", "Q", "99999", "#", "\t", "\n")
"""What is put in the place of a word."""

Answer = Callable[[Case], tuple[str, ...]]


def edited(case: Case, number: int) -> list[Case]:
    """The entry with an edit in one of its files, ``number`` times at most."""
    found: list[Case] = []
    for at, (name, text) in enumerate(case.files if case.may_be_edited else ()):
        for new in _edits(text, max(1, round(number / len(case.files)))):
            files = (*case.files[:at], (name, new), *case.files[at + 1 :])
            found.append(replace(case, files=files))
    return found[:number]


def digests(case: Case, number: int, answer: Answer) -> tuple[str, ...]:
    """A short digest of the answer to each edited entry."""
    if not case.may_be_edited:
        return ("none",)
    return tuple(
        hashlib.sha256(repr(answer(one)).encode("utf-8", "backslashreplace")).hexdigest()[:4]
        for one in edited(case, number)
    )


def differing(case: Case, number: int, answer: Answer) -> list[str]:
    """The edits that have another answer than the table says, each with the answer of now."""
    found = digests(case, number, answer)
    assert len(found) == len(case.digests)
    return [
        "\n".join([*_difference(case, one), *answer(one)])
        for one, now, then in zip(edited(case, number), found, case.digests, strict=False)
        if now != then
    ]


def write(table: Path, number: int, answer: Answer) -> None:
    """Writes the answers of now."""
    written = [entry(case, answer(case), digests(case, number, answer)) for case in cases(table)]
    table.write_text("".join(written), encoding="utf-8")


def _difference(case: Case, one: Case) -> Iterator[str]:
    for (name, before), (_, after) in zip(case.files, one.files, strict=True):
        lines = before.split("\n"), after.split("\n")
        yield from difflib.unified_diff(*lines, name, name, lineterm="", n=0)


def _edits(text: str, number: int) -> Iterator[str]:
    at = random.Random(text)
    lines = text.split("\n")
    parts = [match.span() for match in _PARTS.finditer(text)]
    for _ in range(number if parts else 0):
        way, line, to = at.randrange(12), at.randrange(len(lines)), at.randrange(len(lines) + 1)
        (begin, end), (other, after) = at.choice(parts), at.choice(parts)
        part = text[begin:end]
        new = list(lines)
        if way == 0:
            del new[line]
        elif way == 1:
            new.insert(to, new[line])
        elif way == 2:
            new.insert(to, new.pop(line))
        elif way == 3:
            new = [text[:begin]]
        else:
            slips = {
                4: "",
                5: part.swapcase(),
                6: f"{part} {part}",
                7: part[:-1],
                8: at.choice(_ODD),
            }
            new = [text[:begin] + slips.get(way, text[other:after]) + text[end:]]
        yield "\n".join(new)
