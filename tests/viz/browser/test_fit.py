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
        "star30",
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
    assert max(across, down) >= 0.9, (across, down)
    if shape.connected and 8 <= shape.servers <= 30 and not shape.chain:
        assert across * down >= 0.6, (across, down)
    assert found["under"] == 0


@pytest.mark.parametrize("name", ["mixed", "ring12", "parts4"])
@pytest.mark.parametrize("height", [700, 900])
def test_a_page_begins_with_what_fit_shows(open_page, name, height):
    opened = open_page(
        View(SHAPES[name].network.scene()).generate_html(), width=1440, height=height
    )
    opened.settle()
    first = opened.page.evaluate("window.topograph.camera()")
    opened.page.locator("#fit").click()
    opened.settle()
    assert opened.page.evaluate("window.topograph.camera()") == pytest.approx(first, abs=1e-6)
