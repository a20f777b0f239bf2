"""The inputs of ``read_answers`` with a few small changes each, always the same ones, which use the
forms that a format has: other ends of lines, lines continued or joined, quotes, brackets or marks
of comments put around a word or taken off, a whole pair of key and value gone or twice or empty,
another indentation, a number one more or less, one character too few or too many, another name of
the file, and words and lines of other texts, which stand in ``pieces.txt`` beside a table.

``twisted_answers.txt`` beside it holds a line for each input: a digest of it, and digests of what
is read from it with changes. ``python -m read_answers`` in ``tests`` writes what is read now here
too; a test that fails shows each difference.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from answer_tables import Case, cases
from read_answers import FOLDER, TABLES, answer

NUMBER = 100
"""How often each input is changed."""

WIDTH = 3
"""Characters of a digest."""

_WORD = re.compile(r"[\w.$]+|[^\w\s]")
_NUMBER = re.compile(r"\d+")
_LINE_END = re.compile(r"\n")
_BLANK = re.compile(r"[ \t]+")
_PAIR = re.compile(
    r"""-?[\w.:-]+\s*(?:[=:]\s*|\(\s*|[ ])("[^"\n]*"|'[^'\n]*'|[^\s,()\[\]{}<>]+)\)?,?"""
)

_MARKS = "'\"\\,;:=()[]{}<>$#*!|&%+-/@~`. \t\n\r"
_AROUND = ("''", '""', "()", "[]", "{}", "<>", "  ", "``", "%%", "**", ("${", "}"), ("<!--", "-->"))
_COMMENTS = ("#", "*", "!", "//", "--", "rem ", ";", "'")
_CONTINUED = ("\n", "\\\n", "+\n", "-\n", "\r\n", "\n\n", "\n    ", " \\\n  ", "\\\r\n")

_Twist = Callable[[random.Random, str, Sequence[str]], str]


def twists(text: str, number: int, pieces: Sequence[str]) -> Iterator[str]:
    """The text with one to three changes, ``number`` times; not once if there is no word in it."""
    at = random.Random(f"twists {text}")
    for _ in range(number if _WORD.search(text) else 0):
        new = text
        for _ in range(at.choice((1, 1, 1, 2, 2, 3))):
            new = at.choice(_TWISTS)(at, new, pieces)
        yield new


def _one(at: random.Random, pattern: re.Pattern[str], text: str) -> tuple[int, int]:
    """Where one of the matches stands; where none is, anywhere."""
    found = [match.span() for match in pattern.finditer(text)]
    if found:
        return at.choice(found)
    place = at.randrange(len(text) + 1)
    return place, place


def _put(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _other_ends(at: random.Random, text: str, _: Sequence[str]) -> str:
    return text.replace("\n", at.choice(("\r\n", "\r\n", "\r", "\n\n", " \n", "\\\n")))


def _other_end(at: random.Random, text: str, _: Sequence[str]) -> str:
    return _put(text, _one(at, _LINE_END, text), at.choice(("", " ", "\r\n", "\r", *_CONTINUED)))


def _line_broken(at: random.Random, text: str, _: Sequence[str]) -> str:
    return _put(text, _one(at, _BLANK, text), at.choice((*_CONTINUED, "", "\t", "  ")))


def _around(at: random.Random, text: str, _: Sequence[str]) -> str:
    begin, end = _one(at, at.choice((_WORD, _PAIR)), text)
    before, after = at.choice(_AROUND)
    return _put(text, (begin, end), f"{before}{text[begin:end]}{after}")


def _bare(at: random.Random, text: str, _: Sequence[str]) -> str:
    """A word without the characters around it, or with others."""
    begin, end = _one(at, _WORD, text)
    before, after = at.choice(("  ", ("", ""), *_AROUND))
    return _put(text, (max(0, begin - 1), end + 1), f"{before}{text[begin:end]}{after}")


def _comment(at: random.Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    line = at.randrange(len(lines))
    lines[line] = at.choice(("", " ")) + at.choice(_COMMENTS) + at.choice(("", " ")) + lines[line]
    return "\n".join(lines)


def _pair(at: random.Random, text: str, _: Sequence[str]) -> str:
    """A key with its value is left out, twice, or in another's place; a value is empty or that
    of another.
    """
    pairs = list(_PAIR.finditer(text))
    if not pairs:
        return text
    one, other = at.choice(pairs), at.choice(pairs)
    value = one.span(1)
    match at.randrange(6):
        case 0:
            return _put(text, one.span(), "")
        case 1:
            return _put(text, one.span(), f"{one[0]} {other[0]}")
        case 2:
            return _put(text, one.span(), other[0])
        case 3:
            return _put(text, value, at.choice(("", '""', "''")))
        case 4:
            return _put(text, value, other[1])
        case _:
            return _put(text, value, one[1] + at.choice(("x", " x", ",x", ".x", "*", ".>", "/")))


def _indented(at: random.Random, text: str, _: Sequence[str]) -> str:
    lines = text.split("\n")
    first = at.randrange(len(lines))
    last = at.choice((first + 1, first + 2, len(lines)))
    way = at.choice((" ", "  ", "    ", "\t", None))
    lines[first:last] = (
        line[1:] if way is None and line[:1].isspace() else f"{way or ''}{line}"
        for line in lines[first:last]
    )
    return "\n".join(lines)


def _numbered(at: random.Random, text: str, pieces: Sequence[str]) -> str:
    begin, end = _one(at, _NUMBER, text)
    if begin == end:
        return _piece(at, text, pieces)
    value = int(text[begin:end]) if end - begin < 30 else 0
    new = at.choice((value + 1, value - 1, value * 10, f"0{value}", f"{value}.5", -value, 0))
    return _put(text, (begin, end), str(new))


def _character(at: random.Random, text: str, _: Sequence[str]) -> str:
    place = at.randrange(len(text) + 1)
    here = text[place : place + 1]
    match at.randrange(4):
        case 0:
            return _put(text, (place, place + 1), "")
        case 1:
            return _put(text, (place, place), here)
        case 2:
            return _put(text, (place, place + 1), at.choice(_MARKS))
        case _:
            return _put(text, (place, place), at.choice(_MARKS))


def _letter(at: random.Random, text: str, _: Sequence[str]) -> str:
    """A word one character longer or shorter, or in other case."""
    begin, end = _one(at, _WORD, text)
    word = text[begin:end]
    ways = (word[1:], word[:-1], f"{word}s", f"x{word}", word.upper(), word.lower(), word.title())
    return _put(text, (begin, end), at.choice((*ways, f"{word}.{word}", f" {word}", f"{word} ")))


def _piece(at: random.Random, text: str, pieces: Sequence[str]) -> str:
    """A piece of another text for a word, before or behind one, or as a line."""
    piece = at.choice(pieces)
    begin, end = _one(at, _WORD, text)
    word = text[begin:end]
    ways = (piece, piece, f"{piece} {word}", f"{word} {piece}", f"{word},{piece}")
    if at.randrange(3):
        return _put(text, (begin, end), at.choice(ways))
    return _line(at, text, pieces)


def _line(at: random.Random, text: str, pieces: Sequence[str]) -> str:
    lines = text.split("\n")
    place = at.randrange(len(lines) + 1)
    near = lines[min(place, len(lines) - 1)]
    indent = near[: len(near) - len(near.lstrip())]
    lines.insert(place, indent + at.choice(pieces))
    return "\n".join(lines)


def _span(at: random.Random, text: str, _: Sequence[str]) -> str:
    """All between two words is left out, twice, or further on."""
    begin, end = sorted((_one(at, _WORD, text)[0], _one(at, _WORD, text)[1]))
    part = text[begin:end]
    match at.randrange(3):
        case 0:
            return _put(text, (begin, end), "")
        case 1:
            return _put(text, (end, end), at.choice(("", " ", "\n")) + part)
        case _:
            rest = _put(text, (begin, end), "")
            place = _one(at, _WORD, rest)[0]
            return _put(rest, (place, place), f"{part} ")


_TWISTS: tuple[_Twist, ...] = (
    _other_ends,
    _other_end,
    _line_broken,
    _around,
    _bare,
    _comment,
    _pair,
    _pair,
    _indented,
    _numbered,
    _character,
    _character,
    _letter,
    _piece,
    _piece,
    _line,
    _span,
)


def twisted(case: Case, number: int) -> list[Case]:
    """The entry with changes in one of its files, ``number`` times."""
    if not case.may_be_edited:
        return []
    pieces = _pieces(case.system)
    each = -(-number // len(case.files))
    found: list[Case] = []
    for place, (name, text) in enumerate(case.files):
        for new in twists(text, each, pieces):
            files = (*case.files[:place], (name, new), *case.files[place + 1 :])
            found.append(replace(case, files=files))
    if case.kind == "estate":
        found[:: len(_NAMES)] = [
            _renamed(one, number) for number, one in enumerate(found[:: len(_NAMES)])
        ]
    return found


def _renamed(case: Case, number: int) -> Case:
    """The entry with another name for one of its files."""
    place = number % len(case.files)
    name, text = case.files[place]
    new = _NAMES[number // len(case.files) % len(_NAMES)](name)
    others = {other for other, _ in case.files} - {name}
    files = (*case.files[:place], (name if new in others else new, text), *case.files[place + 1 :])
    return replace(case, files=files)


_NAMES: tuple[Callable[[str], str], ...] = (
    lambda name: name.rpartition("/")[2],
    lambda name: f"more/{name}",
    lambda name: name.rpartition(".")[0] or name,
    lambda name: f"{name}.txt",
    lambda name: name.swapcase(),
    lambda name: name.replace("/", "/x/"),
    lambda name: f"{name.rpartition('.')[0]}.conf",
    lambda name: f"{name.rpartition('.')[0]}-2.{name.rpartition('.')[2]}",
    lambda name: name.replace("/", "-"),
    lambda name: f"{name.rpartition('/')[0]}/x",
    lambda name: name.removesuffix("s"),
)


@cache
def _pieces(system: str) -> list[str]:
    return (FOLDER / system / "pieces.txt").read_text(encoding="utf-8").splitlines()


def key(case: Case) -> str:
    """What a line of a table begins with: a digest of the entry."""
    return _digest((case.kind, case.files), 12)


def digests(case: Case) -> str:
    """A digest of each answer to the entry with changes, one behind the other."""
    return "".join(short_digest(answer(one)) for one in twisted(case, NUMBER))


def differing(case: Case, expected: str) -> list[str]:
    """The changed entries that have another answer than the table says, each with that of now."""
    changed = twisted(case, NUMBER)
    assert len(expected) == WIDTH * len(changed)
    return [
        "\n".join([*(f"[{name}]\n{text}" for name, text in one.files), "--", *found])
        for place, one in enumerate(changed)
        if short_digest(found := answer(one)) != expected[WIDTH * place :][:WIDTH]
    ]


def table(path: Path) -> dict[str, str]:
    """The digests by key."""
    return dict(line.split(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())


def short_digest(said: tuple[str, ...]) -> str:
    """A digest of an answer."""
    return _digest(said, WIDTH)


def _digest(said: object, width: int) -> str:
    return sha256(repr(said).encode("utf-8", "backslashreplace")).hexdigest()[:width]


def write_tables() -> None:
    """Writes the answers of now."""
    for inputs in TABLES:
        lines = [f"{key(case)} {digests(case)}\n" for case in cases(inputs)]
        inputs.with_name("twisted_answers.txt").write_text("".join(lines), encoding="utf-8")
