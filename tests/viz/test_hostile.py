"""Names of anybody's hand in drawings and in what scripts make of text: nothing turns, nothing
is taken for markup, nothing is lost.
"""

from __future__ import annotations

import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hostile import ARABIC, ESTATES, HEBREW, LONG, MARKUP, TURNED
from hypothesis import given
from hypothesis import strategies as st
from portable.node import run

from topograph.viz.scene.picture import draw
from topograph.viz.svg.document import svg
from topograph.words.visible import clean, readable, shortened

SCRIPTS = Path(__file__).parents[2] / "viz" / "page" / "script"
SVG = "{http://www.w3.org/2000/svg}"
START, END = "\u2068", "\u2069"
TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2028\u2029")
ANY = st.text(
    "ab1 ,.:()-_\u05d0\u05d1\u05d2\u0645\u0631\u202e\u2067\u2068\u2069\n\x1b\u00e9\U0001f600",
    max_size=24,
)


def texts(drawing: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(drawing).iter(f"{SVG}text")]


@given(ANY)
def test_readable_text_is_clean_text_with_what_runs_from_right_to_left_apart(text: str) -> None:
    shown = readable(text)
    assert shown.replace(START, "").replace(END, "") == clean(text).replace(START, "").replace(
        END, ""
    )
    inside = False
    for character in shown:
        assert character not in TURNING
        assert unicodedata.category(character) not in ("Cc", "Cs")
        if character in (START, END):
            assert inside is (character == END), "isolates neither nest nor stay open"
            inside = character == START
        elif unicodedata.bidirectional(character) in ("R", "AL"):
            assert inside
        elif character == ",":
            # A comma between two words is the sentence's, whatever they are.
            pass
    assert not inside


def test_numbers_and_punctuation_beside_a_name_stay_outside() -> None:
    assert readable(f"to {HEBREW}, 3 hops") == f"to {START}{HEBREW}{END}, 3 hops"
    assert readable(f"({HEBREW}): 7") == f"({START}{HEBREW}{END}): 7"
    assert readable(f"{HEBREW} {HEBREW} 12") == f"{START}{HEBREW} {HEBREW}{END} 12"
    assert readable(f"{HEBREW}, {HEBREW}") == f"{START}{HEBREW}{END}, {START}{HEBREW}{END}"
    assert readable(f"{HEBREW}-12") == f"{START}{HEBREW}-12{END}"
    assert readable(f"({HEBREW} ({HEBREW}") == f"({START}{HEBREW}{END} ({START}{HEBREW}{END}"
    assert readable("plain \u00e9 12") == "plain \u00e9 12"


@given(ANY, st.integers(3, 30))
def test_a_shortened_text_keeps_both_ends(text: str, most: int) -> None:
    cut = shortened(text, most)
    assert len(cut) == min(len(text), most)
    if len(text) > most:
        before, after = (
            cut.split("\u2026", 1) if cut.count("\u2026") == 1 else (cut[: most // 2], "")
        )
        assert text.startswith(before)
        assert text.endswith(after)
        assert 0 <= len(before) - len(after) <= 1


def test_the_scripts_make_the_same_of_any_text() -> None:
    """The scripts' functions beside Python's, on texts of every kind that either treats."""
    made = []

    @given(st.lists(ANY, min_size=200, max_size=200))
    def collect(found: list[str]) -> None:
        made.append(found)

    collect()
    said = [one for found in made[:10] for one in found] + [
        HEBREW,
        ARABIC,
        TURNED,
        *LONG,
        "\ud800",
        "\x7f\x85",
    ]
    body = "return given.map((row) => [readableText(row), shortened(row, 20)]);"
    found = run(["texts"], body, said, folder=SCRIPTS)
    expected = [[readable(one), readable(shortened(clean(one), 20))] for one in said]
    for one, own, theirs in zip(said, expected, found, strict=True):
        # What is shown is isolated once: a code that looks like text does not count.
        assert theirs == own, ascii(one)


@pytest.mark.parametrize("name", sorted(ESTATES))
def test_a_drawing_is_well_formed_and_turns_nothing(name: str) -> None:
    drawing = svg(draw(ESTATES[name]))
    assert not TURNING & set(drawing)
    assert drawing.count(START) == drawing.count(END)
    assert "nan" not in drawing.lower().replace("nant", "")
    elements = {element.tag.removeprefix(SVG) for element in ET.fromstring(drawing).iter()}
    assert elements <= {
        "svg",
        "g",
        "path",
        "rect",
        "circle",
        "polygon",
        "text",
        "title",
        "desc",
        "style",
        "tspan",
        "defs",
        "pattern",
    }


def test_what_turns_text_is_drawn_as_its_code() -> None:
    assert "a\\u202egnp.exe" in texts(svg(draw(ESTATES["turned"])))


def test_markup_in_a_name_is_text() -> None:
    assert any(MARKUP[:10] in text for text in texts(svg(draw(ESTATES["markup"]))))
    assert "<img" not in svg(draw(ESTATES["markup"]))


def test_long_names_are_cut_in_the_middle_and_whole_in_the_title() -> None:
    drawing = svg(draw(ESTATES["long"]))
    assert [text for text in texts(drawing) if len(text) > 60 and " " not in text] == []
    titles = [one.text or "" for one in ET.fromstring(drawing).iter(f"{SVG}title")]
    for name in LONG:
        assert any(title.startswith(name) for title in titles)
        assert any(text.endswith(name[-1]) and "\u2026" in text for text in texts(drawing))
