"""What a drawing takes of the canvas, and that nothing lies under the buttons over it."""

from __future__ import annotations

import pytest
from drawn.shapes import SHAPES

from topograph.viz.view import View

WINDOW = {"width": 1440, "height": 900}

# From the middle of a server to the edge of an area around it, in layout units.
PADDING = 46

DRAWING = """() => {
    const { servers, width, height } = window.topograph.geometry();
    const { texts, scale } = window.topograph.shown();
    const corner = document.querySelector("#canvas").getBoundingClientRect();
    const tools = [...document.querySelectorAll(".tools > *")]
        .map((tool) => tool.getBoundingClientRect()).filter((tool) => tool.width);
    const boxes = servers.map(({ box }) => box);
    const under = [...boxes, ...texts].filter((box) => tools.some((tool) =>
        box.left < tool.right - corner.left && box.right > tool.left - corner.left
        && box.top < tool.bottom - corner.top && box.bottom > tool.top - corner.top)).length;
    const around = (padding) => {
        const all = [...texts, ...boxes.map((box) => {
            const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
            const wide = Math.max(padding * scale, (box.right - box.left) / 2);
            const high = Math.max(padding * scale, (box.bottom - box.top) / 2);
            return { left: x - wide, right: x + wide, top: y - high, bottom: y + high };
        })];
        return [Math.min(...all.map((box) => box.left)), Math.max(...all.map((box) => box.right)),
                Math.min(...all.map((box) => box.top)), Math.max(...all.map((box) => box.bottom))];
    };
    return { under, width, height, around: around(PADDING) };
}""".replace("PADDING", str(PADDING))


@pytest.mark.parametrize(
    "name",
    [
        "ring12",
        "ring24",
        "star13",
        "tree13",
        "chain13",
        "chain30",
        "tree60",
        "ring-of-rings60",
        "mesh60",
        "clusters20",
        "parts4",
    ],
)
def test_a_drawing_fills_the_canvas_and_nothing_lies_under_the_buttons(open_page, name):
    shape = SHAPES[name]
    opened = open_page(View(shape.network.scene()).generate_html(), **WINDOW)
    found = opened.page.evaluate(DRAWING)
    left, right, top, bottom = found["around"]
    across, down = (right - left) / found["width"], (bottom - top) / found["height"]
    assert left >= 0
    assert top >= 0
    assert right <= found["width"]
    assert bottom <= found["height"]
    # Of several parts the largest is at the upper left, under the buttons.
    assert max(across, down) >= (0.9 if shape.connected else 0.85), (across, down)
    if shape.connected and 8 <= shape.servers <= 30 and not shape.chain:
        # A circle takes no more than the height by the width of this canvas, 0.63.
        least = 0.57 if name.startswith("ring") else 0.6
        assert across * down >= least, (across, down)
    assert found["under"] == 0
