"""Phones and small windows: details over the picture, facts in a line, and the legend out of the
way.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

import pytest

import topograph
from topograph.viz.scene.basis import grouped, headline
from topograph.viz.scene.records import Scene
from topograph.viz.view import View

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PHONE = {"width": 390, "height": 844, "has_touch": True}
FACTS = tuple(
    (
        "warning",
        (
            f"Number {n}: what has to be known of this answer, in a sentence that is long "
            "enough to be wrapped."
        ),
    )
    for n in range(9)
)


@cache
def orders() -> Scene:
    """Orders for Canada from USA-EAST: deliveries, blocked links, a server that cannot be
    decided.
    """
    network = topograph.read(EXAMPLES / "estate")
    return network.scene(network.propagate("USA-EAST", "topic:orders", {"country": "Canada"}))


@cache
def page() -> str:
    return View(orders()).generate_html()


def tap(opened, at) -> None:
    opened.page.touchscreen.tap(at["x"], at["y"])
    opened.settle()


def focused(opened) -> str:
    return opened.page.evaluate("document.activeElement.closest('[id]').id")


def signs(opened):
    """The stop signs, at their places on the page."""
    return opened.page.evaluate(
        """() => {
            const corner = document.querySelector("#canvas").getBoundingClientRect();
            return window.topograph.geometry().signs.map((sign) => ({...sign, x: sign.x + corner.left, y: sign.y + corner.top}));
        }"""  # noqa: E501
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("server", ["HQ", "CANADA", "TOKYO"])
def test_details_of_a_server_lie_over_the_picture_and_not_over_the_server(open_page, server, theme):
    opened = open_page(page(), color_scheme=theme, **PHONE)
    tap(opened, opened.place(server))
    sheet = opened.page.locator("#selected").bounding_box()
    assert (sheet["x"], sheet["width"], sheet["y"] + sheet["height"]) == (0, 390, 844)
    assert 100 < sheet["height"] <= 0.5 * 844
    canvas = opened.page.locator("#canvas").bounding_box()
    tools = opened.page.locator(".tools").bounding_box()
    at = opened.place(server)
    assert max(canvas["y"], tools["y"] + tools["height"]) < at["y"] < sheet["y"]
    assert 0 < at["x"] < 390
    assert opened.page.locator("#selected h2").inner_text().startswith(server)
    assert opened.page.locator("#canvas").get_attribute("aria-expanded") == "true"
    assert opened.page.locator("#selected").get_attribute("role") == "dialog"
    assert focused(opened) == "selected"


@pytest.mark.parametrize("how", ["Escape", "cross", "handle", "pull"])
def test_details_close_in_every_way_and_the_focus_goes_back(open_page, how):
    opened = open_page(page(), **PHONE)
    tap(opened, opened.place("HQ"))
    if how == "Escape":
        opened.page.keyboard.press("Escape")
    elif how == "cross":
        opened.page.locator("#selected .close").tap()
    elif how == "handle":
        opened.page.locator("#selected .handle").tap()
    else:
        box = opened.page.locator("#selected .handle").bounding_box()
        opened.page.mouse.move(195, box["y"] + 8)
        opened.page.mouse.down()
        opened.page.mouse.move(195, box["y"] + 120, steps=4)
        opened.page.mouse.up()
    opened.settle()
    assert opened.page.locator("#selected").is_hidden()
    assert opened.shown()["selected"] is None
    assert opened.page.locator("#canvas").get_attribute("aria-expanded") == "false"
    assert focused(opened) == "canvas"


def test_a_short_pull_does_not_close_the_details(open_page):
    opened = open_page(page(), **PHONE)
    tap(opened, opened.place("HQ"))
    box = opened.page.locator("#selected .handle").bounding_box()
    opened.page.mouse.move(195, box["y"] + 8)
    opened.page.mouse.down()
    opened.page.mouse.move(195, box["y"] + 30, steps=2)
    assert opened.page.locator("#selected").bounding_box()["y"] == pytest.approx(
        box["y"] + 22, abs=2
    )


def test_the_close_button_is_not_covered_and_stays_when_the_details_are_scrolled(open_page):
    opened = open_page(page(), **PHONE)
    tap(opened, opened.place("HQ"))
    opened.page.locator("#selected").evaluate("(sheet) => sheet.scrollTo(0, 500)")
    seen = opened.page.locator("#selected .close").evaluate(
        """(button) => {
            const {left, right, top, bottom} = button.getBoundingClientRect();
            return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button;
        }"""
    )
    assert seen


@pytest.mark.parametrize(
    "size", [PHONE, {"width": 1024, "height": 600, "has_touch": True}], ids=["phone", "low"]
)
def test_a_tap_on_any_stop_sign_shows_all_its_reasons_whole(open_page, size):
    opened = open_page(page(), **size)
    reasons = {(block.at, block.to): block for block in orders().blocks if block.repeats < 0}
    told = set()
    for index in range(len(signs(opened))):
        sign = signs(opened)[index]
        tap(opened, sign)
        words = opened.page.locator("#selected").inner_text()
        for one in sign["blocks"]:
            block = reasons[one["at"], one["to"]]
            assert block.reason in words
            assert block.guard in words
            assert str(block.source) in words
            told.add((block.at, block.to))
        opened.page.keyboard.press("Escape")
        opened.settle()
        opened.page.locator("#fit").tap()
        opened.settle()
    assert told == set(reasons)


@pytest.mark.parametrize(
    ("width", "height", "open_"),
    [(390, 844, False), (1024, 600, False), (1280, 800, False), (1440, 900, True)],
)
def test_the_legend_is_folded_where_it_would_take_room_from_the_picture(
    open_page, width, height, open_
):
    opened = open_page(page(), width=width, height=height)
    assert opened.page.locator("#legend").evaluate("(legend) => legend.open") is open_
    opened.page.locator("#legend summary").click()
    assert opened.page.locator("#legend-entries .entry").first.is_visible() is not open_


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1024, 600), (1440, 900)])
def test_facts_are_counted_in_a_line_and_the_picture_has_room(open_page, width, height):
    opened = open_page(
        View(dataclasses.replace(orders(), facts=FACTS)).generate_html(), width=width, height=height
    )
    line = opened.page.locator("header .basis")
    assert line.inner_text() == headline(FACTS)
    assert line.evaluate("(line) => line.scrollWidth <= line.clientWidth + 1")
    canvas = opened.page.locator("#canvas").bounding_box()
    # The picture is on the first screen of all but the lowest windows.
    assert canvas["y"] + canvas["height"] <= height or height < 400
    assert canvas["height"] >= (240 if height < 400 else 300)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    line.click()
    facts = opened.page.locator("#basis .fact:visible")
    assert facts.count() == len(grouped(FACTS))
    assert opened.page.locator("#basis").evaluate(
        "(list) => list.getBoundingClientRect().top < window.innerHeight"
    )


def test_at_200_percent_the_picture_has_most_of_the_window(open_page):
    """A window of 1440 by 900 at 200 % is one of 720 by 450."""
    opened = open_page(page(), width=720, height=450)
    canvas = opened.page.locator("#canvas").bounding_box()
    assert canvas["height"] >= 0.6 * 450
    assert canvas["y"] + canvas["height"] <= 450
    small = signs(opened)
    assert small
    assert max(sign["size"] for sign in small) < min(
        sign["size"] for sign in signs(open_page(page(), width=1440, height=900))
    )


def test_beside_a_wide_picture_details_stand_in_the_panel(open_page):
    opened = open_page(page(), width=1024, height=600)
    opened.page.mouse.click(**opened.place("HQ"))
    opened.settle()
    sheet, canvas = (opened.page.locator(one).bounding_box() for one in ("#selected", "#canvas"))
    assert sheet["x"] >= canvas["x"] + canvas["width"]
    assert opened.page.locator("#selected .handle").is_hidden()
    assert opened.page.locator("#selected").get_attribute("role") is None


def test_arrow_keys_in_a_narrow_window_keep_the_focus_in_the_picture(open_page):
    opened = open_page(page(), width=390, height=844)
    canvas = opened.page.locator("#canvas")
    canvas.press("ArrowRight")
    canvas.press("ArrowDown")
    opened.settle()
    assert focused(opened) == "canvas"
    assert opened.page.locator("#selected").is_visible()
    canvas.press("Enter")
    assert opened.page.evaluate(
        "document.querySelector('#selected').contains(document.activeElement)"
    )
    opened.page.keyboard.press("Escape")
    assert focused(opened) == "canvas"
