"""Equal leaves of a page are one stack, which a reader opens and folds again."""

from __future__ import annotations

import pytest
from drawn.networks import estate_of, route

from topograph.viz.scene.picture import draw
from topograph.viz.view import View

LEAVES = 60


@pytest.fixture(scope="module")
def page() -> str:
    names = [f"L{number:02}" for number in range(LEAVES)]
    links = [route(name, "HUB", configured_by=name) for name in names]
    return View(draw(estate_of(["HUB", *names], links))).generate_html()


def press(opened, *keys: str) -> None:
    for key in keys:
        opened.page.locator("#canvas").press(key)
        opened.settle()


def folds(opened) -> list[str]:
    return [fold["text"] for fold in opened.page.evaluate("window.topograph.folds()")]


def test_a_click_opens_a_stack_and_escape_folds_it_again(open_page, page) -> None:
    opened = open_page(page)
    assert opened.shown()["servers"] == ["HUB"]
    (fold,) = opened.page.evaluate("window.topograph.folds()")
    assert fold["text"] == f"{LEAVES} servers"
    assert f"{LEAVES} servers" in [text["text"] for text in opened.shown()["texts"]]
    opened.page.mouse.click(fold["x"], fold["y"])
    opened.settle()
    assert len(opened.shown()["servers"]) == LEAVES + 1
    assert folds(opened) == []
    press(opened, "Escape")
    assert opened.shown()["servers"] == ["HUB"]


def test_a_stack_is_opened_with_the_keyboard(open_page, page) -> None:
    opened = open_page(page)
    (fold,) = opened.page.evaluate("window.topograph.folds()")
    hub = opened.place("HUB")
    towards = "ArrowRight" if abs(fold["x"] - hub["x"]) > abs(fold["y"] - hub["y"]) else "ArrowDown"
    back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[towards]
    ahead = fold["x"] > hub["x"] or (towards == "ArrowDown" and fold["y"] > hub["y"])
    press(opened, towards, towards if ahead else back)
    said = opened.page.locator("#said").inner_text()
    assert said == f"{LEAVES} servers at HUB; Enter shows each of them"
    press(opened, "Enter")
    assert len(opened.shown()["servers"]) == LEAVES + 1


def test_a_server_that_is_found_is_taken_out_of_its_stack(open_page, page) -> None:
    opened = open_page(page)
    opened.page.locator("#search").fill("L07")
    opened.page.locator("#search").press("Enter")
    opened.settle()
    shown = opened.shown()
    assert shown["selected"] == "L07"
    assert "L07" in shown["servers"]
