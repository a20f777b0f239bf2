"""Pages of estates that files of anybody's hand could bring, as a reader sees them in a real
browser.
"""

from __future__ import annotations

import dataclasses
import itertools
import re

import pytest
from hostile import ESTATES, HEBREW, LONG, MARKUP, TURNED

import topograph
from topograph.viz.scene.picture import draw
from topograph.viz.view import View

TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]")

# Where each character of the text of an element is, from left to right and by line.
PLACES = """(selector) => {
    const found = [], walk = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        for (let at = 0; at < walk.currentNode.length; at += 1) {
            const range = document.createRange();
            range.setStart(walk.currentNode, at);
            range.setEnd(walk.currentNode, at + 1);
            const box = range.getBoundingClientRect();
            if (box.width) found.push({character: walk.currentNode.data[at], x: box.left, y: Math.round(box.top), bottom: Math.round(box.bottom)});
        }
    }
    return found;
}"""  # noqa: E501


def page(name: str) -> str:
    return View(draw(ESTATES[name])).generate_html()


def lines(opened, selector: str) -> int:
    levels = sorted(
        (one["y"] + one["bottom"]) / 2 for one in opened.page.evaluate(PLACES, selector)
    )
    return 1 + sum(after - before > 8 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("name", sorted(ESTATES))
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["wide", "phone"])
def test_a_page_is_drawn_and_everything_has_its_place(
    open_page, name: str, size: tuple[int, int]
) -> None:
    opened = open_page(page(name), width=size[0], height=size[1])
    shown = opened.shown()
    assert set(shown["servers"]) == {server.name for server in ESTATES[name].servers}
    assert not TURNING.search(opened.page.locator("body").inner_text())
    assert not any(TURNING.search(text["text"]) for text in shown["texts"])
    assert opened.page.locator("img").count() == 0
    assert opened.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    drawn = shown["texts"]
    named = [text for text in drawn if text["kind"] == "server"]
    assert len(named) == len(shown["servers"]) or size[0] < 500 or name == "ten parts"
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            assert (
                one["right"] <= other["left"]
                or other["right"] <= one["left"]
                or one["bottom"] <= other["top"]
                or other["bottom"] <= one["top"]
            ), (one, other)


def test_what_turns_text_is_shown_as_its_code(open_page) -> None:
    opened = open_page(page("turned"))
    assert "a\\u202egnp.exe" in {text["text"] for text in opened.shown()["texts"]}
    (entry,) = opened.page.locator("#server-list button", has_text="gnp").all()
    assert entry.inner_text() == "a\\u202egnp.exe"
    entry.click()
    assert opened.shown()["selected"] == TURNED
    assert opened.page.locator("#selected h2").inner_text() == "a\\u202egnp.exe"


def test_a_name_from_right_to_left_moves_no_number_beside_it(open_page) -> None:
    scene = draw(ESTATES["from the right"])
    scene = dataclasses.replace(scene, verdict=f"to {HEBREW}, 3 hops, 12 links")
    opened = open_page(View(scene).generate_html())
    places = opened.page.evaluate(PLACES, "#verdict")
    at = {
        character: [one["x"] for one in places if one["character"] == character]
        for character in "3,1"
    }
    name = [one["x"] for one in places if one["character"] in HEBREW]
    assert max(name) < min(at[","]) < min(at["3"]) < min(at["1"])


def test_a_headline_of_long_names_has_three_lines_and_gives_them_whole(open_page) -> None:
    scene = draw(ESTATES["long"])
    asked = f"Does {LONG[0]} reach {LONG[1]}?"
    scene = dataclasses.replace(
        scene, title=asked, verdict=f"{LONG[0]} reaches {LONG[1]} over 1 hop.", question="hops"
    )
    opened = open_page(View(scene).generate_html())
    assert lines(opened, "h1") + lines(opened, "#verdict") <= 3
    cuts = opened.page.locator("#verdict button.cut")
    assert cuts.count() == 2
    assert LONG[0][-1] in cuts.first.inner_text()
    cuts.first.click()
    assert cuts.first.inner_text() == LONG[0]
    cuts.first.click()
    assert len(cuts.first.inner_text()) == 30
    for text in opened.shown()["texts"]:
        assert len(text["text"]) <= 50
    opened.page.locator("#server-list button").first.click()
    assert opened.page.locator("#selected h2").inner_text() == LONG[0]


def test_a_link_of_a_server_to_itself_can_be_opened(open_page) -> None:
    opened = open_page(page("itself"))
    at, other = opened.place("A"), opened.place("B")
    scale = opened.shown()["scale"]
    assert abs(at["x"] - other["x"]) + abs(at["y"] - other["y"]) > 0
    opened.page.mouse.click(at["x"], at["y"] - 2 * 13 * 1.1 * scale)
    assert opened.shown()["link"].startswith("A-A")
    heading = opened.page.locator("#selected h2").inner_text()
    assert heading.split() == ["A", "and", "A"]


def test_a_picture_of_nothing_says_so(open_page) -> None:
    assert open_page(page("none")).page.locator("#hint").inner_text() == "There is nothing to draw"


def test_ten_parts_are_all_in_the_picture(open_page) -> None:
    opened = open_page(page("ten parts"))
    corner = opened.page.locator("#canvas").bounding_box()
    for server in ESTATES["ten parts"].servers:
        place = opened.place(server.name)
        assert corner["x"] < place["x"] < corner["x"] + corner["width"]
        assert corner["y"] < place["y"] < corner["y"] + corner["height"]


def test_markup_in_a_name_is_text(open_page) -> None:
    opened = open_page(page("markup"))
    opened.page.locator("#server-list button", has_text="<img").click()
    assert opened.shown()["selected"] == MARKUP
    assert opened.page.locator("#selected h2").inner_text() == MARKUP


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> str:
    """The report of routers whose ids are of anybody's hand."""
    folder = tmp_path_factory.mktemp("routers")
    ids = (MARKUP, TURNED, HEBREW, LONG[0])
    for number, id_ in enumerate(ids):
        sections = [f"router {{\n  mode: interior\n  id: {id_}\n}}\n"]
        sections.append(
            f"listener {{\n  host: 0.0.0.0\n  port: {5000 + number}\n  role: inter-router\n}}\n"
        )
        if number:
            sections.append(
                f"connector {{\n  host: 127.0.0.1\n  port: {4999 + number}\n  role: "
                f"inter-router\n}}\n"
            )
        (folder / f"r{number}.conf").write_text("".join(sections), encoding="utf-8")
    network = topograph.read(folder)
    assert set(network.server_names()) == set(ids)
    return network.report().generate_html()


def test_a_report_of_hostile_names_shows_them_as_text(open_page, report: str) -> None:
    opened = open_page(report)
    said = opened.page.locator("body").inner_text()
    assert not TURNING.search(said)
    assert "a\\u202egnp.exe" in said
    assert MARKUP in said
    assert opened.page.locator("img").count() == 0
    assert opened.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert set(opened.shown()["servers"]) == {MARKUP, TURNED, HEBREW, LONG[0]}
    for name in (MARKUP, TURNED, HEBREW, LONG[0]):
        rows = opened.page.locator("#inventory tr[data-server]")
        assert name in {row.get_attribute("data-server") for row in rows.all()}


def test_a_report_without_scripts_isolates_names_from_right_to_left(open_page, report: str) -> None:
    opened = open_page(report, drawn=False, java_script_enabled=False)
    text = opened.page.locator("body").inner_text()
    assert f"\u2068{HEBREW}\u2069" in text
    assert text.count("\u2068") == text.count("\u2069")
    assert not TURNING.search(text)


def test_a_field_of_a_report_shows_what_turns_text_as_its_code_and_asks_of_the_name(
    open_page, report: str
) -> None:
    opened = open_page(report)
    field = opened.page.locator("#ask-from")
    field.fill("a")
    field.fill("a\\u202egnp.exe")
    opened.page.locator("#ask-to").fill(HEBREW)
    opened.page.locator("#ask-now").click()
    opened.settle()
    assert field.input_value() == "a\\u202egnp.exe"
    assert opened.page.locator("#ask-from-error").inner_text() == ""
    assert opened.shown()["marks"][TURNED] == "asked"
