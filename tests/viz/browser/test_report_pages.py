"""Reports in a real browser: with scripts, without, and on paper."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import topograph

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@cache
def page(name: str) -> str:
    return topograph.read(EXAMPLES / name).report().generate_html()


@pytest.mark.parametrize("name", ["estate", "routers", "mixed"])
def test_scripts_put_the_picture_in_the_place_of_the_drawing(open_page, name):
    opened = open_page(page(name))
    assert opened.page.locator("#canvas canvas").is_visible()
    assert not opened.page.locator("#still").is_visible()
    assert opened.shown()["servers"]


def test_a_button_shows_a_server_in_the_picture(open_page):
    opened = open_page(page("estate"))
    opened.page.locator("#inventory tr[data-server='MADRID'] button.show").click()
    assert opened.shown()["selected"] == "MADRID"
    assert opened.page.evaluate("document.activeElement.id") == "canvas"


@pytest.mark.parametrize("width", [1280, 390])
def test_without_scripts_everything_that_matters_is_there(open_page, width):
    opened = open_page(page("estate"), drawn=False, width=width, java_script_enabled=False)
    for visible in (
        "#verdict .sentence",
        "#still svg",
        "#findings table",
        "#inventory table",
        "#matrix table",
        "#provenance",
    ):
        assert opened.page.locator(visible).first.is_visible(), visible
    for hidden in ("button.show", "button.copy", "#workbench", "#ask"):
        assert not opened.page.locator(hidden).first.is_visible(), hidden


def test_on_paper_closed_sections_are_open(open_page):
    opened = open_page(page("estate"), drawn=False, java_script_enabled=False)
    files = opened.page.locator("#provenance table.files")
    assert not files.is_visible()
    opened.page.emulate_media(media="print")
    assert files.is_visible()
    assert not opened.page.locator("nav").is_visible()


def test_on_paper_nothing_is_a_tool(open_page):
    opened = open_page(page("estate"))
    tools = opened.page.locator(
        "button.show, button.copy, button.copy-row, #findings-tools input, #ask input, nav a"
    )
    assert tools.first.is_visible()
    opened.page.emulate_media(media="print")
    assert [tool.inner_text() for tool in tools.all() if tool.is_visible()] == []
    assert opened.page.locator("#matrix td button").first.is_visible()


def test_on_paper_the_question_its_answer_and_the_filter_stay(open_page):
    opened = open_page(page("estate"))
    opened.page.locator("#ask-from").fill("LONDON")
    opened.page.locator("#ask-to").fill("MEXICO")
    opened.page.locator("#ask-now").click()
    opened.page.locator("#findings-text").fill("stock")
    opened.settle()
    filtered = opened.page.locator("#findings-filtered")
    assert not filtered.is_visible()
    opened.page.emulate_media(media="print")
    assert opened.page.locator(".said-title").is_visible()
    assert opened.page.locator(".said-verdict").inner_text().startswith("LONDON reaches MEXICO")
    shown = opened.page.locator("#findings tbody tr:visible").count()
    assert re.fullmatch(rf"{shown} of [0-9]+ findings: filter text 'stock'", filtered.inner_text())
    legend, canvas = (opened.page.locator(one).bounding_box() for one in ("#legend", ".canvas"))
    assert legend["y"] >= canvas["y"] + canvas["height"] - 1
    opened.page.emulate_media(media="screen")
    opened.page.locator("#findings-text").fill("")
    opened.page.emulate_media(media="print")
    assert not filtered.is_visible()


def test_nothing_is_wider_than_a_phone(open_page):
    opened = open_page(page("estate"), width=390, height=844)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_contents_lead_to_each_section(open_page, scripts):
    """Sections below the picture are laid out late; a link goes to its own all the same."""
    opened = open_page(page("estate"), drawn=scripts, java_script_enabled=scripts)
    names = [link.get_attribute("href") for link in opened.page.locator("nav a[href^='#']").all()]
    if not scripts:
        names.remove("#ask")
    assert {"#findings", "#inventory", "#provenance", "#glossary"} <= set(names)
    for name in names:
        opened.page.locator(f"nav a[href='{name}']").click()
        opened.page.wait_for_timeout(100)
        top = opened.page.locator(name).bounding_box()["y"]
        end = opened.page.locator("#said").bounding_box()["y"]
        # Below the contents, unless the page ends there.
        assert 0 <= top <= 60 or end <= 800, name


def test_all_sections_are_laid_out_once_nothing_else_is_to_be_done(open_page):
    opened = open_page(page("estate"))
    opened.page.wait_for_selector("#glossary.laid-out")
    assert opened.page.evaluate(
        "[...document.querySelectorAll('main > section')]"
        ".every((one) => getComputedStyle(one).contentVisibility === 'visible')"
    )
