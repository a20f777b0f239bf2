"""Sections are passed over at once where sentences are looked for: the same as line by line."""

from __future__ import annotations

from draws import draws
from hypothesis import example, given, settings
from hypothesis import strategies as st

from topograph.importers.amq_interconnect import about

LINES = (
    "router {",
    "}",
    " id: A",
    "# some words in a comment {",
    "#}",
    "these are three words",
    "\tlistener {",
    " }",
    "foo bar {",
    "{",
    "x {}",
    "x { a: b }",
    "}}",
    "\r",
    "",
    "name {\r",
    "one two three four",
    "} and some words behind",
)

OPENING = frozenset({"router", "listener", "x", "name"})
"""The first words of lines that open a section."""


@settings(max_examples=draws(167), deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=14).map("\n".join))
@example("router {\n#}\nthese are three words\nthese are three words\n} and some words behind")
def test_sections_passed_over_hide_no_sentence_and_show_none(text: str) -> None:
    assert about.is_prose(text) == by_line(text)


def by_line(text: str) -> bool:
    sentences, depth, first = 0, 0, True
    for line in map(str.strip, text.split("\n")):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if depth or words[0] in OPENING:
            depth = max(0, depth + line.count("{") - line.count("}"))
            first = False
        elif sum(word.isalpha() and word.isascii() for word in words) >= 3:
            sentences += 1
            if first:
                return True
    return sentences > 1
