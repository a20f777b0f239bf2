"""Links of a page go around servers as those of a drawing do, and follow servers that are
dragged.
"""

from __future__ import annotations

from typing import Any

import pytest
from drawn.networks import company, distance, estate_of, example, route

from topograph.viz.layout.bends import CLEAR
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Scene
from topograph.viz.svg.links import lines_of
from topograph.viz.svg.network import NetworkDrawing
from topograph.viz.view import View

pytestmark = [pytest.mark.slow, pytest.mark.browser]

Spot = dict[str, float]


def made(hubs: int) -> Scene:
    names, links = company(hubs)
    return draw(estate_of(names, [route(a, b, zone, "1hop") for (a, b), zone in links]))


@pytest.mark.parametrize("name", ["estate", "routers", "mixed", "company"])
def test_the_page_bends_links_as_the_drawing_does(open_page: Any, name: str) -> None:
    scene = made(20) if name == "company" else example(name).scene()
    opened = open_page(View(scene).generate_html())
    drawing = NetworkDrawing(scene)
    # Where the page has a place of the scene, from two servers far apart.
    left, right = (
        min(scene.servers, key=lambda one: one.x),
        max(scene.servers, key=lambda one: one.x),
    )
    start, scale = opened.middle(left.name), opened.shown()["scale"]
    assert opened.middle(right.name)["x"] - start["x"] == pytest.approx(
        (right.x - left.x) * scale, abs=0.01
    )
    bent = 0
    for link, _ in lines_of(scene.links):
        if link.ends[0] == link.ends[1] or link.parallels > 1:
            continue
        # A drawing with boxes moves its servers apart.
        x, y = (part / drawing.scale for part in drawing.curves[link.id].at(0.5))
        found = opened.along(*link.ends, 0.5)
        assert found["x"] == pytest.approx(start["x"] + (x - left.x) * scale, abs=0.01), link.id
        assert found["y"] == pytest.approx(start["y"] + (y - left.y) * scale, abs=0.01), link.id
        bent += len(drawing.curves[link.id].pieces) > 1
    assert bent or name != "company"


def test_a_link_makes_way_for_a_server_that_is_dragged_onto_it(open_page: Any) -> None:
    scene = draw(estate_of(["A", "B", "C"], [route("A", "B"), route("B", "C")]))
    opened = open_page(View(scene).generate_html())
    middle, there = opened.along("A", "B", 0.5), opened.place("C")
    mouse = opened.page.mouse
    mouse.move(there["x"], there["y"])
    mouse.down()
    mouse.move(middle["x"], middle["y"], steps=60)
    mouse.up()
    opened.settle()
    drawn = opened.page.evaluate("window.topograph.geometry()")
    (line,) = (link["line"] for link in drawn["links"] if {link["from"], link["to"]} == {"A", "B"})
    (box,) = (server["box"] for server in drawn["servers"] if server["name"] == "C")
    spot = {"x": (box["left"] + box["right"]) / 2, "y": (box["top"] + box["bottom"]) / 2}
    scale = opened.shown()["scale"]
    assert distance(spot, line) >= 0.9 * CLEAR * scale
    # It is straight again when the server is gone.
    mouse.move(middle["x"], middle["y"])
    mouse.down()
    mouse.move(there["x"], there["y"], steps=60)
    mouse.up()
    opened.settle()
    drawn = opened.page.evaluate("window.topograph.geometry()")
    (line,) = (link["line"] for link in drawn["links"] if {link["from"], link["to"]} == {"A", "B"})
    assert len(line) == 2
