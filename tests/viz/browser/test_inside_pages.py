"""What the message of a trace passes inside the servers, in the page: boxes that the mouse and the
keyboard open, that follow the chosen path, and that the list of steps leads to.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.viz.scene.inside import columns
from topograph.viz.scene.records import PathDrawn, Scene

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@cache
def view(name: str, *words: str) -> Any:
    network = topograph.read(EXAMPLES / name)
    return network.view(network.trace(*words))


def page(name: str, *words: str) -> str:
    return view(name, *words).generate_html()


def scene(name: str, *words: str) -> Scene:
    return view(name, *words).scene


def stations(path: PathDrawn) -> list[dict[str, Any]]:
    return [
        {
            "server": column.server,
            "kind": place.station.kind,
            "name": place.station.name,
            "mark": place.station.mark,
            "step": place.step.number,
            "passed": [
                {
                    "text": one.text,
                    "rule": one.rule,
                    "confidence": one.confidence,
                    "source": str(one.source),
                }
                for one in place.station.passed
            ],
        }
        for column in columns(path)
        for place in column.places
    ]


def inside(opened) -> dict[str, Any]:
    return opened.page.evaluate("window.topograph.inside()")


ORDERS = ("queue_managers", "STORE1", "queue:ORDERS")


def test_the_page_has_the_stations_of_the_scene_for_every_path(open_page):
    for words in (
        ORDERS,
        ("mqe_devices", "harbour", "JOBS@crane7"),
        ("mixed", "SCANNER1", "ORDERS@HQ"),
    ):
        opened = open_page(page(*words))
        paths = scene(*words).paths
        for number, path in enumerate(paths):
            if len(paths) > 1:
                opened.page.locator("#choose-path").select_option(str(number))
            found = inside(opened)
            assert found["stations"] == stations(path)
            assert found["end"] == path.end
            assert opened.page.locator("#inside .station").count() == len(stations(path))


def test_a_click_on_a_box_shows_its_rule_and_place_and_marks_its_step(open_page):
    opened = open_page(page(*ORDERS))
    opened.page.locator("#inside .station", has_text="ANY.SALES").click()
    details = opened.page.locator("#selected").inner_text()
    assert "queue manager alias ANY.SALES" in details
    assert "NR11, M-08" in details
    assert "HUB.mqsc:30" in details
    assert opened.page.locator("#path-steps li[aria-current]").get_attribute("value") == "2"
    opened.page.locator("#selected .close").click()
    assert inside(opened)["chosen"] == -1
    assert opened.page.locator("#path-steps li[aria-current]").count() == 0


def test_a_line_of_the_steps_leads_to_its_box(open_page):
    opened = open_page(page(*ORDERS))
    opened.page.locator("#path-steps button.guard", has_text="cluster queue").click()
    chosen = opened.page.locator('#inside .station[aria-pressed="true"]')
    assert chosen.inner_text().startswith("cluster queue ORDERS")
    assert chosen.is_visible()


def test_the_keyboard_reaches_a_box_and_the_other_ways(open_page):
    opened = open_page(page(*ORDERS))
    opened.page.locator("#inside .station").first.focus()
    opened.page.keyboard.press("Enter")
    assert "remote queue ORDERS" in opened.page.locator("#selected").inner_text()
    for _ in range(len(stations(scene(*ORDERS).paths[0]))):
        opened.page.keyboard.press("Tab")
        if opened.page.evaluate("document.activeElement.classList.contains('other')"):
            break
    opened.page.keyboard.press("Enter")
    assert opened.shown()["path"] == scene(*ORDERS).paths[1].title
    assert [one["server"] for one in inside(opened)["stations"]][-1] == "WEST"


def test_another_question_has_no_boxes(open_page):
    network = topograph.read(EXAMPLES / "queue_managers")
    opened = open_page(network.view(network.reach("STORE1")).generate_html())
    assert not inside(opened)["open"]
    assert not opened.page.locator("#inside").is_visible()
