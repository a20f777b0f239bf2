"""What messages pass inside the servers before and after a change, in the page of an audit: two
rows, one for each state, that follow the choice, the mouse and the keyboard.
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
def view() -> Any:
    network = topograph.read(EXAMPLES / "queue_managers")
    answer = network.audit(EXAMPLES / "changes" / "store2-orders.mqsc", at="STORE2")
    return network.view(answer)


@cache
def page() -> str:
    return str(view().generate_html())


def stations(path: PathDrawn) -> list[tuple[str, ...]]:
    return [
        (
            path.state,
            column.server,
            place.station.kind,
            place.station.name,
            str(place.station.moved),
        )
        for column in columns(path)
        for place in column.places
    ]


def shown(opened) -> list[tuple[str, ...]]:
    found = opened.page.evaluate("window.topograph.inside()")["stations"]
    return [(one["state"], one["server"], one["kind"], one["name"], one["moved"]) for one in found]


def test_every_case_shows_the_way_before_and_the_way_after(open_page):
    opened = open_page(page())
    scene: Scene = view().scene
    titles = list(dict.fromkeys(path.together for path in scene.paths))
    assert len(titles) > 3
    for title in titles:
        opened.page.locator("#choose-path").select_option(label=title)
        own = [path for path in scene.paths if path.together == title]
        pair = [next(one for one in own if one.state == state) for state in ("before", "after")]
        assert shown(opened) == [*stations(pair[0]), *stations(pair[1])]
        assert opened.page.locator("#inside .panel .state").all_inner_texts() == [
            "Before the change",
            "After the change",
        ]
        assert opened.page.locator("#inside .end").count() == 2


def test_another_way_takes_the_place_of_that_of_its_state(open_page):
    opened = open_page(page())
    before = [one for one in shown(opened) if one[0] == "before"]
    opened.page.locator("#inside .other", has_text="WEST").click()
    now = shown(opened)
    assert [one for one in now if one[0] == "before"] == before
    assert ("after", "WEST", "local queue", "ORDERS", "comes") in now
    assert not [one for one in now if one[1] == "EAST"]
    assert opened.page.locator("#choose-path").input_value() == "0"


def test_a_box_of_either_row_opens_its_details_and_marks_its_own_step(open_page):
    opened = open_page(page())
    opened.page.locator("#inside .panel").nth(1).locator(
        ".station", has_text="ORDERS"
    ).first.click()
    details = opened.page.locator("#selected").inner_text()
    assert "remote queue ORDERS" in details
    assert "acts differently" in details
    lists = opened.page.locator("#path-steps .steps")
    assert lists.nth(0).locator("li[aria-current]").count() == 0
    assert lists.nth(1).locator("li[aria-current]").get_attribute("value") == "1"


def test_a_line_of_the_second_list_leads_to_a_box_of_the_second_row(open_page):
    opened = open_page(page())
    guard = opened.page.locator("#path-steps .steps").nth(1).locator("button.guard").first
    guard.focus()
    opened.page.keyboard.press("Enter")
    pressed = opened.page.locator("#inside .station[aria-pressed=true]")
    assert pressed.count() == 1
    assert pressed.evaluate("(node) => node.closest('.panel').classList.contains('second')")
