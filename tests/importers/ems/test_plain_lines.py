"""Plain lines are read by one pattern; they mean what the scanner makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.importers import lexical
from topograph.importers.ems import destinations, main_file, properties
from topograph.importers.ems.destinations import PROPERTIES
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.lexical import Line

WORDS = st.lists(
    st.sampled_from(
        [
            *("global", "maxbytes", "selector", "x", "=", ",", " ", "\t", "1", '"', "#", "\u00a0"),
            *(" maxmsgs = 5 ", ",maxbytes=1KB"),
        ]
    ),
    max_size=12,
)


@given(WORDS)
def test_properties_between_commas(words: list[str]) -> None:
    text = "name " + "".join(words)
    scanned = properties._Scanner(text, 4, PROPERTIES, True).properties()
    assert properties.scan(text, 4, PROPERTIES, commas=True) == scanned


def test_plain_properties_between_commas_are_not_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "orders global,maxmsgs=5"
    scanned = list(properties._Scanner(text, 7, PROPERTIES, True).properties())
    monkeypatch.delattr(properties._Scanner, "properties")
    found = properties.scan(text, 7, PROPERTIES, commas=True)
    assert found == scanned
    assert [(one.column, one.value_column) for one in found] == [(8, 0), (15, 23)]


@given(
    st.lists(
        st.sampled_from(
            [
                *("url=", "a", "selector", "SELECTOR=", "=", " ", " k=v ", "\t", '"', '"x y"'),
                *("#", ",", "\x0c", "\u00a0", "\u201c"),
            ]
        ),
        max_size=10,
    )
)
def test_properties_between_blanks(words: list[str]) -> None:
    text = "name " + "".join(words)
    known = {"url", "selector", "k"}
    scanned = properties._Scanner(text, 4, known, False).properties()
    assert properties.scan(text, 4, known) == scanned


def test_plain_properties_between_blanks_are_not_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(properties._Scanner, "properties")
    first, second = properties.scan('  topic=a selector="x = 1"', 0, {"topic", "selector"})
    assert (first.value, second.value, second.quoted) == ("a", "x = 1", True)


@given(
    st.lists(
        st.sampled_from(["server", "listen", ".", "=", " ", "\t", "a-b", '"', "#", "\u201c", ","]),
        max_size=8,
    )
)
def test_parameters(words: list[str]) -> None:
    line = Line(1, "".join(words))
    found, scanned = (EmsFileReading("b", "", "f") for _ in range(2))
    fast = main_file._parameter(found, main_file.MainFile(), line)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(main_file, "_PLAIN", lexical.re.compile("(?!)"))
        slow = main_file._parameter(scanned, main_file.MainFile(), line)
    assert (fast, found) == (slow, scanned)


@given(
    st.lists(
        st.sampled_from(
            ["a.b", "[j]", "global", "prefetch=none", "x", "=", ",", " ", "1", '"', "#", "\u00a0"]
        ),
        max_size=9,
    )
)
def test_destinations(words: list[str]) -> None:
    lines = [Line(number, "".join(words)) for number in (1, 2)]
    found, scanned = (EmsFileReading("b", "", "f") for _ in range(2))
    if not lines[0].text.strip():
        return
    for line in lines:
        destinations.read_line(found, line, "queue")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(destinations, "_PLAIN", lexical.re.compile("(?!)"))
        for line in lines:
            destinations.read_line(scanned, line, "queue")
    assert found == scanned


@given(
    st.lists(st.sampled_from(["a", "bcd", "\n", "\r", "\r\n", "\x0c"]), max_size=12),
    st.integers(1, 5),
)
def test_lines_are_the_same_however_much_is_split_at_a_time(parts: list[str], piece: int) -> None:
    text = "".join(parts)
    *ended, rest = lexical.LINE_END.split(text)
    expected = [Line(number, line) for number, line in enumerate(ended, 1)]
    expected += [Line(len(ended) + 1, rest, last=True)] if rest else []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lexical, "_PIECE", piece)
        assert list(lexical.lines(text)) == expected


@given(st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "\x0c", "\u2028"]), max_size=8))
def test_lines_with_and_without_carriage_returns(parts: list[str]) -> None:
    text = "".join(parts)
    assert [line.text for line in lexical.lines(text.replace("\r", ""))] == [
        line.text for line in lexical.lines(text.replace("\r", "").replace("\n", "\r\n"))
    ]
    assert [line.last for line in lexical.lines("a\nb")] == [False, True]
