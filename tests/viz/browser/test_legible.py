"""What a reader can tell apart in the pictures of the examples: from the texts that were put on
the canvas, taken down while it was drawn, and from where the page says that it drew the rest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from drawn.geometry import Box, overlap
from drawn.networks import company, distance, estate_of, route
from draws import share

import topograph
from topograph.network import Network
from topograph.viz.scene.picture import draw
from topograph.viz.view import View

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WINDOWS = (
    (1440, 900, "light"),
    (1280, 800, "dark"),
    (1024, 600, "light"),
    (390, 844, "light"),
    (390, 844, "dark"),
)
"""Width, height and scheme: places follow from the size alone, so that not every size is looked at
in both schemes.
"""

# Every text of the picture drawn last, with the box of its ink in pixels of the page.
TAKE_DOWN = """(() => {
    const texts = [];
    window.textsDrawn = texts;
    const pen = CanvasRenderingContext2D.prototype;
    const { fillText, clearRect } = pen;
    pen.clearRect = function (...box) {
        if (this.canvas.closest && this.canvas.closest("#canvas")) texts.length = 0;
        return clearRect.apply(this, box);
    };
    pen.fillText = function (text, x, y, ...rest) {
        if (this.canvas.closest && this.canvas.closest("#canvas")) {
            const ink = this.measureText(text), to = this.getTransform(), ratio = this.canvas.width / this.canvas.clientWidth;
            const corner = (dx, dy) => to.transformPoint(new DOMPoint(x + dx, y + dy));
            const one = corner(-ink.actualBoundingBoxLeft, -ink.actualBoundingBoxAscent);
            const two = corner(ink.actualBoundingBoxRight, ink.actualBoundingBoxDescent);
            texts.push({ text, left: one.x / ratio, top: one.y / ratio, right: two.x / ratio, bottom: two.y / ratio });
        }
        return fillText.call(this, text, x, y, ...rest);
    };
})()"""  # noqa: E501


@cache
def read(name: str) -> Network:
    return topograph.read(EXAMPLES / name)


def company_page(hubs: int) -> Callable[[], str]:
    """The page of a made estate of ten servers a hub."""

    def made() -> str:
        names, links = company(hubs)
        return View(
            draw(estate_of(names, [route(*ends, zone, "1hop") for ends, zone in links]))
        ).generate_html()

    return made


def _pictures() -> Iterator[tuple[str, Callable[[], str]]]:
    """Pages by name, each made when it is asked for."""

    def page(name: str, ask: Callable[[Network], Any] | None) -> Callable[[], str]:
        def made() -> str:
            network = read(name)
            return network.view(*([ask(network)] if ask else [])).generate_html()

        return made

    yield "estate", page("estate", None)
    yield "estate-reach", page("estate", lambda network: network.reach("HQ"))
    yield "estate-paths", page("estate", lambda network: network.paths("LONDON", "MEXICO"))
    yield "estate-hops", page("estate", lambda network: network.hops("LONDON", "MEXICO"))
    canada = {"country": "Canada"}
    yield (
        "estate-blocked",
        page("estate", lambda network: network.propagate("USA-EAST", "topic:orders", canada)),
    )
    yield (
        "estate-audit",
        page("estate", lambda network: network.audit("delete route LONDON\n", at="HQ")),
    )
    yield "orders-estate", page("orders", None)
    yield (
        "orders-canada",
        page(
            "orders",
            lambda network: network.propagate("HUB", "topic:orders", {"country": "Canada"}),
        ),
    )
    yield "two-zones-reach", page("two-1hop-zones/legal", lambda network: network.reach("A"))
    yield "two-zones-paths", page("two-1hop-zones/legal", lambda network: network.paths("A", "G"))
    yield "star-cycles", page("mhop-star/with-b-d", lambda network: network.cycles())
    refused = (EXAMPLES / "changes" / "route-b-d.txt").read_text(encoding="utf-8")
    yield "star-audit", page("mhop-star/legal", lambda network: network.audit(refused, at="B"))
    yield "routers", page("routers", None)
    yield "queue-managers", page("queue_managers", None)
    yield "mixed", page("mixed", None)
    yield "buses", page("sibus_orders", None)
    yield "retail", page("retail", None)
    yield "report", lambda: read("estate").report().generate_html()
    yield "devices", page("mqe_devices", None)
    for hubs in (6, 20):
        yield f"company-{10 * hubs}", company_page(hubs)


PICTURES = dict(_pictures())


@cache
def html_of(name: str) -> str:
    return PICTURES[name]()


@pytest.fixture(
    scope="module",
    params=WINDOWS,
    ids=str,
)
def window(
    request: pytest.FixtureRequest, browser: Any
) -> Iterator[Callable[[str, Path], dict[str, Any]]]:
    """Opens a picture in a window of one size and colour scheme, and tells what is in it."""
    width, height, scheme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        offline=True,
        reduced_motion="reduce",
    )
    context.add_init_script(TAKE_DOWN)
    page = context.new_page()

    def look(name: str, folder: Path) -> dict[str, Any]:
        file = folder / f"{name}.html"
        file.write_text(html_of(name), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        return {
            **page.evaluate("window.topograph.geometry()"),
            "texts": page.evaluate("window.textsDrawn"),
        }

    yield look
    context.close()


def middle(box: Box) -> dict[str, float]:
    return {"x": (box["left"] + box["right"]) / 2, "y": (box["top"] + box["bottom"]) / 2}


def faults(drawn: dict[str, Any]) -> list[str]:
    """What a reader cannot tell apart in a picture."""
    found = []
    # What is drawn again over itself is one text.
    inks = {
        (text["text"], *(round(text[side], 1) for side in ("left", "top", "right", "bottom"))): text
        for text in drawn["texts"]
    }
    texts = [text for text in inks.values() if text["text"].strip()]
    for one, other in itertools.combinations(texts, 2):
        if overlap(one, other):
            found.append(f"{one['text']!r} lies over {other['text']!r}")
    for card in drawn["cards"]:
        said = " ".join(card["lines"])
        wanted = " ".join(filter(None, (card["reason"], card["guard"])))
        if re.sub(r"\s+", " ", said) != re.sub(r"\s+", " ", wanted):
            found.append(f"the reason {wanted!r} is cut to {said!r}")
    # The steps that lead to blocks are read as one path.
    ways = [{"servers": [], "steps": drawn["ways"]}] if drawn["ways"] else []
    for sign in drawn["signs"]:
        stopped = {(block["at"], block["to"]) for block in sign["blocks"]}
        for path in (*drawn["paths"], *ways):
            for step in path["steps"]:
                ends = {(step["from"], step["to"]), (step["to"], step["from"])}
                # A sign at the end of a path stands on what it stops.
                own = ends & stopped or any(
                    at in (*path["servers"], step["to"], step["from"]) for at, _ in stopped
                )
                if not own and distance(sign, step["line"]) < sign["size"] + 2:
                    found.append(
                        f"the stop sign of {sorted(stopped)} touches {step['from']} to {step['to']}"
                    )
    for path in (*drawn["paths"], *ways):
        on_it = {end for step in path["steps"] for end in (step["from"], step["to"])} | set(
            path["servers"]
        )
        for server in drawn["servers"]:
            radius = (server["box"]["bottom"] - server["box"]["top"]) / 2
            if server["name"] in on_it:
                continue
            for step in path["steps"]:
                if distance(middle(server["box"]), step["line"]) < radius:
                    found.append(
                        f"{server['name']} lies on the way from {step['from']} to {step['to']}"
                    )
    for server in drawn["servers"]:
        radius = (server["box"]["bottom"] - server["box"]["top"]) / 2
        for link in drawn["links"]:
            if (
                server["name"] not in (link["from"], link["to"])
                and distance(middle(server["box"]), link["line"]) < radius
            ):
                found.append(
                    f"{server['name']} lies on the link from {link['from']} to {link['to']}"
                )
    steps = [step for path in (*drawn["paths"], *ways) for step in path["steps"]]
    for number in drawn["numbers"]:
        own = [
            step
            for step in steps
            if (step["from"], step["to"], step["number"])
            == (number["from"], number["to"], number["text"])
        ]
        others = [
            step for step in steps if {step["from"], step["to"]} != {number["from"], number["to"]}
        ]
        nearest = min(distance(number, step["line"]) for step in own)
        links = [
            link
            for link in drawn["links"]
            if {link["from"], link["to"]} != {number["from"], number["to"]}
        ]
        if any(distance(number, one["line"]) < nearest - 0.5 for one in (*others, *links)):
            found.append(
                f"number {number['text']} is nearer to another step or link than to "
                f"{number['from']} to {number['to']}"
            )
    return found


@pytest.mark.parametrize("name", share(sorted(PICTURES), 2))
def test_a_reader_can_tell_apart_what_is_drawn(
    window: Callable[..., dict[str, Any]], name: str, tmp_path: Path
) -> None:
    drawn = window(name, tmp_path)

    assert drawn["servers"]
    assert [text for text in drawn["texts"] if text["text"].strip()]
    assert faults(drawn) == []


def test_nearly_each_zone_of_a_large_network_has_its_name_in_a_small_window(
    browser: Any, tmp_path: Path
) -> None:
    context = browser.new_context(
        viewport={"width": 1024, "height": 600}, offline=True, reduced_motion="reduce"
    )
    context.add_init_script(TAKE_DOWN)
    page = context.new_page()
    file = tmp_path / "company.html"
    file.write_text(company_page(300)(), encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
    names = [
        text
        for text in page.evaluate("window.textsDrawn")
        if re.fullmatch(r"C\d+|WAN", text["text"])
    ]
    context.close()

    # A name that would lie over another's is not drawn.
    assert len({text["text"] for text in names}) >= 295
    inks = {text["text"]: text for text in names}
    assert [
        (a, b) for a, b in itertools.combinations(sorted(inks), 2) if overlap(inks[a], inks[b])
    ] == []


def test_faults_are_found() -> None:
    """Each kind of fault, in a picture that has nothing else."""
    line = [{"x": 0.0, "y": 0.0}, {"x": 100.0, "y": 0.0}]
    step = {"from": "A", "to": "B", "number": "1", "line": line}
    other = {
        "from": "B",
        "to": "C",
        "number": "2",
        "line": [{"x": 100.0, "y": 0.0}, {"x": 100.0, "y": 100.0}],
    }
    box = {"left": 40.0, "right": 60.0, "top": -10.0, "bottom": 10.0}
    nothing: dict[str, Any] = {
        "texts": [],
        "cards": [],
        "signs": [],
        "paths": [],
        "links": [],
        "ways": [],
        "servers": [],
        "numbers": [],
    }
    path = {"servers": ["A", "B", "C"], "steps": [step, other]}
    text = {"text": "one", "left": 0.0, "right": 20.0, "top": 0.0, "bottom": 10.0}
    number = {"x": 98.0, "y": 60.0, "text": "1", "from": "A", "to": "B"}
    sign = {"x": 50.0, "y": 5.0, "size": 12, "blocks": [{"at": "X", "to": "Y", "reason": ""}]}
    card = {"reason": "no interest in it", "guard": "", "lines": ["no interest…"]}

    assert faults(nothing) == []
    assert faults({**nothing, "texts": [text, {**text, "text": "two", "left": 10.0}]}) == [
        "'one' lies over 'two'"
    ]
    assert faults({**nothing, "cards": [card]}) == [
        "the reason 'no interest in it' is cut to 'no interest…'"
    ]
    assert faults({**nothing, "paths": [path], "signs": [sign]}) == [
        "the stop sign of [('X', 'Y')] touches A to B"
    ]
    assert faults({**nothing, "ways": [step, other], "signs": [sign]}) == [
        "the stop sign of [('X', 'Y')] touches A to B"
    ]
    assert faults({**nothing, "paths": [path], "servers": [{"name": "Z", "box": box}]}) == [
        "Z lies on the way from A to B"
    ]
    assert faults({**nothing, "links": [{**step}], "servers": [{"name": "Z", "box": box}]}) == [
        "Z lies on the link from A to B"
    ]
    assert faults({**nothing, "paths": [path], "numbers": [number]}) == [
        "number 1 is nearer to another step or link than to A to B"
    ]
    drawn = {**nothing, "paths": [{**path, "steps": [step]}], "links": [other], "numbers": [number]}
    assert faults(drawn) == ["number 1 is nearer to another step or link than to A to B"]
