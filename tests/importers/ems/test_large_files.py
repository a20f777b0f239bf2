"""Large files of many short lines: a bounded multiple of their size in memory, and nothing is
parsed twice.
"""

from __future__ import annotations

import tracemalloc

import pytest

from topograph.importers.ems import main_file, recognise
from topograph.importers.lexical import Line
from topograph.importers.plan import read_bundle
from topograph.importers.reading import Bundle, BundleFile, Options

MEMORY = 10
"""Bytes of memory a byte of the file."""


def topics(count: int) -> bytes:
    lines = (
        f"com.example.r{number % 50}.orders.v{number}  global,secure,maxbytes={number % 90}MB\n"
        for number in range(count)
    )
    return "".join(lines).encode()


def parameters(count: int) -> bytes:
    lines = (
        f"listen = tcp://h{number % 9}:7222\n# {number}\nlogfile = /var/log/{number}\n"
        for number in range(count)
    )
    return b"server = A\n" + "".join(lines).encode() + b"topics = t.conf\n"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["main", "topics"])
def test_memory_is_bounded_by_the_size_of_the_file(part: str) -> None:
    data = topics(16_000) if part == "topics" else parameters(16_000)
    files = {
        "main": (BundleFile("main", "f"),),
        "topics": (BundleFile("main", "m"), BundleFile("topics", "f")),
    }[part]
    contents = {"m": b"server = A\n", "f": data}
    recognise("f", data[:1000])
    tracemalloc.start()
    try:
        recognise("f", data)
        reading = read_bundle(Bundle(files[0].path, "ems", "A", files), contents, Options())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(reading.facts) == (16_001 if part == "topics" else 1)
    assert peak < MEMORY * len(data)


def test_recognition_parses_only_the_parameters_that_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those stand anywhere in the file."""
    parsed: list[str] = []
    parse = main_file._parameter

    def counting(
        reading: main_file.EmsFileReading, main: main_file.MainFile, line: Line
    ) -> tuple[str, str, int] | None:
        parsed.append(line.text)
        return parse(reading, main, line)

    monkeypatch.setattr(main_file, "_parameter", counting)
    found = recognise("f", parameters(60_000) + b"\xc2\xa0 Routes \t= r.conf\n")
    assert found is not None
    assert found.server == "A"
    assert [reference.name for reference in found.references if not reference.unstated] == [
        "t.conf",
        "r.conf",
    ]
    assert parsed == ["server = A", "topics = t.conf", "\u00a0 Routes \t= r.conf"]
