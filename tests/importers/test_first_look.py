"""That no importer would claim, or say anything of, a file that ``first_look`` keeps from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from topograph import extensions
from topograph.importers import first_look
from topograph.importers.first_look import may_be_of

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples", "tests/estates", "tests/golden", "tests/fuzz/corpus", "tests/importers")
NOT_CONFIGURATION = (".py", ".pyc", ".svg", ".html", ".png")
SIZE = 100_000


def files() -> Iterator[tuple[str, bytes]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in NOT_CONFIGURATION:
                yield str(path.relative_to(ROOT)), path.read_bytes()[:SIZE]


def parts(data: bytes, number: int) -> Iterator[bytes]:
    """The whole, and pieces of it: what is left may be told by one mark alone."""
    yield data
    lines = data.splitlines(keepends=True)
    chance = random.Random(number)
    for _ in range(3):
        begin = chance.randrange(len(lines) + 1)
        yield b"".join(lines[begin : begin + chance.choice((1, 2, 5, 20))])


@pytest.mark.parametrize("system", [one for one in extensions.OWN if one != "ems"])
def test_what_is_kept_from_an_importer_is_nothing_to_it(system: str) -> None:
    importer = extensions.module(system, "importer")
    kept_away = asked = 0
    for number, (path, data) in enumerate(files()):
        for part in parts(data, number):
            if may_be_of(system, part):
                asked += 1
            else:
                kept_away += 1
                assert importer.recognise(path, part) is None, (path, part[:300])
    assert kept_away > asked / 10 > 0


@pytest.mark.parametrize(
    "data", [b"caf\xe9", "k\u00f6nig".encode(), b"\xff\xfe<\0", b"\xef\xbb\xbf<a/>"]
)
def test_a_file_that_is_not_ascii_is_shown_to_all(data: bytes) -> None:
    assert all(may_be_of(system, data) for system in extensions.OWN)


def test_a_system_from_outside_is_always_asked() -> None:
    assert may_be_of("another", b"")


def test_a_stanza_is_told_by_what_stands_behind_its_colon() -> None:
    ends = [b"", b"\n", b"\r\n", b" ", b"\t\n", b" \r", b"x", b":", b"\x0b\n"]
    for before in (b"", b"a=b\n", b"tcp://a", b" "):
        for name in (b"Queue", b"Qu eue", b"q1", b""):
            for end in ends:
                data = before + name + b":" + end
                assert first_look._has_stanza(data) == bool(first_look._STANZA.search(data)), data
