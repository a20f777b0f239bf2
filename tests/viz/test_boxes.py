"""Servers of drawings as boxes with their names in them: where there is room for all of them, and
only there. The boxes and lines are read from the drawing."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest
from drawn.networks import estate_of, example, route
from drawn.shapes import SHAPES

from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Scene
from topograph.viz.svg.boxes import LONGEST, MOST, SEEN, boxed
from topograph.viz.svg.document import svg
from topograph.viz.svg.network import NetworkDrawing

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = ("estate", "orders", "queue_managers", "routers", "mqe_devices", "mhop-star/legal")

Box = tuple[float, float, float, float]


def boxes_in(scene: Scene) -> dict[str, Box]:
    """The boxes of servers in a drawing by the name that is in each, in its own units."""
    found = {}
    for group in ET.fromstring(svg(scene)).iter(f"{SVG}g"):
        label = group.find(f"{SVG}text")
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform", ""))
        if label is None or place is None or "boxed" not in label.get("class", "").split():
            continue
        (outline,) = (one for one in group.findall(f"{SVG}g/{SVG}rect") if not one.get("class"))
        x, y = map(float, place.groups())
        left, top = float(outline.get("x", "")) + x, float(outline.get("y", "")) + y
        right = left + float(outline.get("width", ""))
        found[label.text or ""] = left, top, right, top + float(outline.get("height", ""))
    return found


def inside(at: tuple[float, float], box: Box) -> bool:
    return box[0] < at[0] < box[2] and box[1] < at[1] < box[3]


@pytest.mark.parametrize("name", EXAMPLES)
def test_boxes_touch_neither_each_other_nor_lines_of_others(name: str) -> None:
    scene = example(name).scene()

    boxes = boxes_in(scene)

    assert set(boxes) == {server.name for server in scene.servers}
    for one, other in itertools.combinations(boxes.values(), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    drawing = NetworkDrawing(scene)
    for link in drawing.scene.links:
        if link.ends[0] == link.ends[1]:
            continue
        curve = drawing.curves[link.id]
        spots = [curve.at(part / 200) for part in range(201)]
        for server, box in boxes.items():
            if server not in link.ends:
                assert not any(inside(at, box) for at in spots)
        seen = sum(not any(inside(at, boxes[end]) for end in link.ends) for at in spots)
        assert seen / 201 * curve.length >= SEEN - curve.length / 100


def test_a_network_without_room_has_shapes() -> None:
    scene = SHAPES["mesh60"].network.scene()

    assert boxed(scene) == (scene, 1.0, {})
    assert boxes_in(scene) == {}


def chain(names: list[str]) -> Scene:
    pairs = itertools.pairwise(names)
    return draw(estate_of(names, [route(a, b, zone="Z", kind="mhop") for a, b in pairs]))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["A", "B"], True),
        (["A", "M" * int(LONGEST / 12)], True),
        (["A", "M" * int(LONGEST / 12 + 1)], False),
        ([f"S{number:02}" for number in range(MOST)], True),
        ([f"S{number:02}" for number in range(MOST + 1)], False),
        (["A", "東京", "x\u202ey"], True),
        (["", "A"], True),
    ],
    ids=str,
)
def test_all_servers_are_boxes_or_none_is(names: list[str], expected: bool) -> None:
    _, scale, boxes = boxed(chain(names))

    assert set(boxes) == (set(names) if expected else set())
    assert expected or scale == 1
