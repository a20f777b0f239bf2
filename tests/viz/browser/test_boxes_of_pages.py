"""Servers of pages as boxes with their names in them, as the page says that it drew them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from drawn.networks import example
from drawn.shapes import SHAPES

from topograph.viz.view import View

pytestmark = [pytest.mark.slow, pytest.mark.browser]

Box = dict[str, float]


def within(inner: Box, outer: Box) -> bool:
    return (
        outer["left"] <= inner["left"]
        and inner["right"] <= outer["right"]
        and outer["top"] <= inner["top"]
        and inner["bottom"] <= outer["bottom"]
    )


def overlap(one: Box, other: Box) -> bool:
    return (
        one["left"] < other["right"]
        and other["left"] < one["right"]
        and one["top"] < other["bottom"]
        and other["top"] < one["bottom"]
    )


def names_in_boxes(drawn: dict[str, Any]) -> set[str]:
    bodies = {server["name"]: server["body"] for server in drawn["servers"]}
    return {one["server"] for one in drawn["names"] if within(one["box"], bodies[one["server"]])}


@pytest.mark.parametrize("name", ["estate", "queue_managers", "routers"])
def test_names_are_inside_boxes_and_no_boxes_touch(open_page: Any, name: str) -> None:
    opened = open_page(View(example(name).scene()).generate_html(), width=1440, height=900)

    drawn = opened.page.evaluate("window.topograph.geometry()")

    assert names_in_boxes(drawn) == {server["name"] for server in drawn["servers"]}
    bodies = [server["body"] for server in drawn["servers"]]
    assert not any(overlap(one, other) for one, other in itertools.combinations(bodies, 2))


def test_from_afar_and_where_there_is_no_room_servers_are_shapes(open_page: Any) -> None:
    opened = open_page(View(example("estate").scene()).generate_html(), width=1440, height=900)
    for _ in range(3):
        opened.page.locator("#zoom-out").click()
        opened.settle()
    assert names_in_boxes(opened.page.evaluate("window.topograph.geometry()")) == set()
    opened.page.locator("#fit").click()
    opened.settle()
    assert names_in_boxes(opened.page.evaluate("window.topograph.geometry()"))

    mesh = open_page(View(SHAPES["mesh60"].network.scene()).generate_html())
    assert names_in_boxes(mesh.page.evaluate("window.topograph.geometry()")) == set()


def test_a_press_on_a_box_selects_its_server(open_page: Any) -> None:
    opened = open_page(View(example("estate").scene()).generate_html(), width=1440, height=900)
    drawn = opened.page.evaluate("window.topograph.geometry()")
    (body,) = (one["body"] for one in drawn["servers"] if one["name"] == "SINGAPORE")
    corner = opened.page.locator("#canvas").bounding_box()

    # On the last letters of the name.
    opened.page.mouse.click(
        corner["x"] + body["right"] - 12, corner["y"] + (body["top"] + body["bottom"]) / 2
    )
    opened.settle()

    assert opened.shown()["selected"] == "SINGAPORE"
