"""Where the signs, numbers and names of pictures are: worked out from the curves that a page says
that it drew, apart from the page's own reckoning."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import pytest
from drawn.networks import ROOT, distance, example
from drawn.shapes import SHAPES

from topograph.network import Network
from topograph.viz.scene.records import Scene
from topograph.viz.svg.looks import LINK_SIGNS
from topograph.viz.view import View

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ALL = bool(os.environ.get("TOPOGRAPH_ALL_PICTURES"))
APART = 14.0
"""What a sign keeps from what is not its own, in pixels."""
NEARLY = 0.85
"""Of the distance of the best place that of any sign is at least this part."""
FAR = 320.0
"""In the units of a scene: what is farther away is not looked at."""
SLACK = 2.0
"""Pixels by which curves that are told as straight pieces are off."""

WINDOWS = ((1440, 900, "light"), (1024, 600, "dark"), (390, 844, "light"))

Box = dict[str, float]
Spot = dict[str, float]


def change(name: str) -> str:
    return (ROOT / "examples" / "changes" / name).read_text(encoding="utf-8")


def network_of(shape: str) -> Network:
    return SHAPES[shape].network


def answers() -> dict[str, Callable[[], Scene]]:
    """Pictures of all kinds of answers that put signs on links."""

    def of(network: Callable[[], Any], ask: Callable[[Any], Any]) -> Callable[[], Scene]:
        def made() -> Scene:
            asked = network()
            scene: Scene = asked.scene(ask(asked))
            return scene

        return made

    estate, routers, legal, star = (
        partial(example, name)
        for name in ("estate", "routers", "two-1hop-zones/legal", "mhop-star/legal")
    )
    spain, canada = {"country": "Spain"}, {"country": "Canada"}
    found = {
        "propagate": of(estate, lambda n: n.propagate("USA-EAST", "topic:orders", canada)),
        "trace": of(estate, lambda n: n.trace("HQ", "topic:orders", spain)),
        "reach": of(estate, lambda n: n.reach("HQ")),
        "audit-g-a": of(legal, lambda n: n.audit(change("route-g-a.txt"), at="G")),
        "audit-b-d": of(star, lambda n: n.audit(change("route-b-d.txt"), at="B")),
        "audit-delete": of(estate, lambda n: n.audit("delete route LONDON\n", at="HQ")),
        "sweep": of(routers, lambda n: n.impact(sweep=True)),
        "impact-estate": of(estate, lambda n: n.impact(["server:HQ"])),
    }
    found |= {
        "paths": of(routers, lambda n: n.paths("SHOP", "ROM")),
        "impact-routers": of(routers, lambda n: n.impact(["server:FRA"])),
    }
    shapes = {
        "mesh60": "server:EMEA-00",
        "routers128": "server:R000",
        "ring12": "server:ATHENS",
        "star30": "server:HUB",
        "tree60": "server:ATHENS",
    }
    for shape, failed in shapes.items():
        if ALL or shape in ("mesh60", "routers128", "ring12"):
            found[f"impact-{shape}"] = of(
                partial(network_of, shape), partial(Network.impact, fail=[failed])
            )
    return found


ANSWERS = answers()


@cache
def scene_of(name: str) -> Scene:
    return ANSWERS[name]() if name in ANSWERS else SHAPES[name].network.scene()


@pytest.fixture(scope="module", params=WINDOWS, ids=str)
def look(
    request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], dict[str, Any]]]:
    """What a page says that it drew, in a window of one size and colour scheme."""
    width, height, scheme = request.param
    folder = tmp_path_factory.mktemp("pages")
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        offline=True,
        reduced_motion="reduce",
    )
    page = context.new_page()

    def drawn(name: str) -> dict[str, Any]:
        file = folder / f"{name}.html"
        file.write_text(View(scene_of(name)).generate_html(), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        found: dict[str, Any] = page.evaluate("window.topograph.geometry()")
        return found

    yield drawn
    context.close()


def from_box(spot: Spot, box: Box) -> float:
    across = max(box["left"] - spot["x"], 0.0, spot["x"] - box["right"])
    down = max(box["top"] - spot["y"], 0.0, spot["y"] - box["bottom"])
    return float((across * across + down * down) ** 0.5)


def around(spot: Spot, size: float) -> Box:
    return {
        "left": spot["x"] - size,
        "right": spot["x"] + size,
        "top": spot["y"] - size,
        "bottom": spot["y"] + size,
    }


def overlap(one: Box, other: Box, margin: float = 0.5) -> bool:
    return (
        one["left"] + margin < other["right"]
        and other["left"] + margin < one["right"]
        and one["top"] + margin < other["bottom"]
        and other["top"] + margin < one["bottom"]
    )


def along(line: Sequence[Spot], parts: int = 96) -> list[Spot]:
    """Places along a line, but not at its very ends."""
    steps = len(line) - 1
    found = []
    for part in range(6, parts - 5):
        at = part / parts * steps
        number = min(int(at), steps - 1)
        share = at - number
        a, b = line[number], line[number + 1]
        found.append({axis: a[axis] + (b[axis] - a[axis]) * share for axis in ("x", "y")})
    return found


def extent(line: Sequence[Spot]) -> Box:
    xs, ys = [spot["x"] for spot in line], [spot["y"] for spot in line]
    return {"left": min(xs), "right": max(xs), "top": min(ys), "bottom": max(ys)}


class Picture:
    """A picture as its page tells it."""

    def __init__(self, drawn: dict[str, Any]) -> None:
        self.drawn = drawn
        self.lines = [(link["from"], link["to"], link["line"]) for link in drawn["links"]]
        known = {frozenset(line[:2]) for line in self.lines}
        steps = itertools.chain(drawn["ways"], *(path["steps"] for path in drawn["paths"]))
        for step in steps:
            if frozenset((step["from"], step["to"])) not in known:
                self.lines.append((step["from"], step["to"], step["line"]))
        self.attached = [line for one in drawn["attached"] for line in one["lines"]]
        lines = (*(line for *_, line in self.lines), *self.attached)
        self.extents = [(line, extent(line)) for line in lines]
        self.boxes = [server["body"] for server in drawn["servers"]]
        self.boxes += [one["box"] for one in drawn["attached"]]
        self.server = {server["name"]: server["box"] for server in drawn["servers"]}

    def own_line(self, ends: Sequence[str], spot: Spot | None = None) -> list[Spot] | None:
        """The line of a link; of parallel ones that on which a sign is."""
        lines = [line for a, b, line in self.lines if {a, b} == set(ends)]
        if not lines:
            return None
        return min(lines, key=lambda line: distance(spot, line)) if spot else lines[0]

    def clear(self, spot: Spot, own: list[Spot]) -> float:
        """How far a place is from what does not belong to a line."""
        away = FAR * float(self.drawn["scale"])
        for box in self.boxes:
            away = min(away, from_box(spot, box))
        for line, box in self.extents:
            if line is not own and from_box(spot, box) < away:
                away = min(away, distance(spot, line))
        return away

    def best(self, own: list[Spot], size: float, others: Sequence[Box]) -> float:
        """How far the best place of a line is from everything, of those where a sign covers no
        other sign."""
        free = (
            spot
            for spot in along(own)
            if not any(overlap(around(spot, size + 1), other) for other in others)
        )
        return max((self.clear(spot, own) for spot in free), default=0.0)

    def signs(self) -> list[tuple[Sequence[str], dict[str, Any]]]:
        """Signs that are on links, with the ends of these."""
        drawn = self.drawn
        stops = [
            ((block["at"], block["to"]), sign)
            for sign in drawn["signs"]
            if not sign["server"]
            for block in sign["blocks"]
        ]
        return stops + [(sign["ends"], sign) for sign in drawn["linkSigns"] if sign["ends"]]


def faults_of_signs(drawn: dict[str, Any]) -> list[str]:
    """Signs that are not where they belong, or missing where there is room."""
    picture = Picture(drawn)
    every = [*drawn["signs"], *drawn["linkSigns"]]
    found = []
    for ends, sign in picture.signs():
        own = picture.own_line(ends, sign)
        if own is None or distance(sign, own) > SLACK:
            found.append(f"the sign of {ends} is not on its line")
            continue
        others = [around(one, one["size"] + 1) for one in every if one is not sign]
        others += [picture.server[end] for end in ends if end in picture.server]
        clear, best = picture.clear(sign, own), picture.best(own, sign["size"], others)
        if clear < min(NEARLY * best, FAR) - SLACK or clear < APART - SLACK:
            found.append(f"the sign of {ends} keeps {clear:.0f} of {best:.0f} pixels")
    for ends in without_signs(drawn):
        own = picture.own_line(ends)
        size = drawn["signs"][0]["size"] if drawn["signs"] else 9
        others = [around(one, one["size"] + 2) for one in every]
        others += [box for name, box in picture.server.items() if name in ends]
        inside = own is not None and all(
            0 < spot["x"] < drawn["width"] and 0 < spot["y"] < drawn["height"] for spot in own
        )
        if own and inside and picture.best(own, size, others) > APART + 2 * SLACK:
            found.append(f"{ends} has room for a sign and has none")
    return found


def without_signs(drawn: dict[str, Any]) -> list[tuple[str, str]]:
    """Links that are said to be stopped or changed, and have no sign of their own."""
    marks = {mark.value for mark in LINK_SIGNS} - {"refused"}
    signed = {frozenset(sign["ends"]) for sign in drawn["linkSigns"] if sign["ends"]}
    found = [
        (link["from"], link["to"])
        for link in drawn["links"]
        if link["mark"] in marks and frozenset((link["from"], link["to"])) not in signed
    ]
    counted = (sign for sign in drawn["signs"] if sign["server"])
    return found + [
        (block["at"], block["to"])
        for sign in counted
        for block in sign["blocks"]
        if block["at"] != block["to"]
    ]


def faults_of_numbers(drawn: dict[str, Any]) -> list[str]:
    """Step numbers over a server, over each other, or twice."""
    picture = Picture(drawn)
    found = []
    numbers = drawn["numbers"]
    for number in numbers:
        box = around(number, 9)
        over = [name for name, own in picture.server.items() if overlap(box, own)]
        if over:
            found.append(f"number {number['text']} lies over {over}")
    for one, other in itertools.combinations(numbers, 2):
        if overlap(around(one, 9), around(other, 9)):
            found.append(f"numbers {one['text']} and {other['text']} lie over each other")
    return found


def faults_of_names(drawn: dict[str, Any]) -> list[str]:
    """Names over names, signs and numbers."""
    names = drawn["names"]
    # The boxes of names have a margin of 3 pixels beside and 2 above and below.
    found = [
        f"{one['text']} lies over {other['text']}"
        for one, other in itertools.combinations(names, 2)
        if overlap(one["box"], other["box"], 2)
    ]
    for name in names:
        for sign in (*drawn["signs"], *drawn["linkSigns"]):
            if overlap(name["box"], around(sign, sign["size"]), 2):
                found.append(f"{name['text']} lies over a sign")
        for number in drawn["numbers"]:
            if overlap(name["box"], around(number, 9), 2):
                found.append(f"{name['text']} lies over number {number['text']}")
    return found


def headlined(scene: Scene) -> set[str]:
    """The servers that the headline names."""
    text = f"{scene.title}\n{scene.verdict}"
    return {
        server.name
        for server in scene.servers
        if re.search(rf"(?<!\w){re.escape(server.name)}(?!\w)", text)
    }


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_signs_numbers_and_names_are_where_they_belong(
    look: Callable[[str], dict[str, Any]], name: str
) -> None:
    drawn = look(name)

    assert faults_of_signs(drawn) == []
    assert faults_of_numbers(drawn) == []
    assert faults_of_names(drawn) == []
    named = {one["server"] for one in drawn["names"]}
    shown = {server["name"] for server in drawn["servers"]}
    assert headlined(scene_of(name)) & shown <= named


NAMED = {
    "tree60": (54, 45, 25),
    "mesh60": (54, 33, 25),
    "routers128": (60, 60, 40),
    "star30": (28, 25, 15),
    "chain30": (28, 25, 15),
    **(
        {
            "clusters200": (100, 60, 25),
            "company200": (100, 60, 20),
            "hub300": (25, 20, 10),
        }
        if ALL
        else {}
    ),
}
"""How many servers have their names at least, in each window."""


@pytest.mark.parametrize("name", sorted(NAMED))
def test_servers_are_named_where_there_is_room(
    look: Callable[[str], dict[str, Any]], name: str
) -> None:
    drawn = look(name)
    # The list next to the picture takes a part of a wide window.
    number = next(at for at, most in enumerate((800, 500, 0)) if drawn["width"] > most)
    named = {one["server"] for one in drawn["names"]}

    assert faults_of_names(drawn) == []
    # Leaves that are folded into a stack are not shown one by one.
    assert len(named) >= min(NAMED[name][number], 0.9 * len(drawn["servers"]))


def test_faults_are_found() -> None:
    """Each kind of fault, in a picture that has nothing else."""
    line = [{"x": 0.0, "y": 0.0}, {"x": 200.0, "y": 0.0}]
    other = [{"x": 100.0, "y": -50.0}, {"x": 100.0, "y": 50.0}]
    block = {"at": "A", "to": "B", "reason": ""}
    sign = {"x": 100.0, "y": 0.0, "size": 12, "server": "", "blocks": [block]}
    nothing: dict[str, Any] = {
        "width": 400,
        "height": 400,
        "scale": 1,
        "servers": [],
        "attached": [],
        "paths": [],
        "ways": [],
        "links": [
            {"from": "A", "to": "B", "mark": "", "line": line},
            {"from": "C", "to": "D", "mark": "", "line": other},
        ],
        "numbers": [],
        "names": [],
        "signs": [],
        "linkSigns": [],
    }

    assert faults_of_signs(nothing) == []
    (fault,) = faults_of_signs({**nothing, "signs": [sign]})
    assert "keeps 0 of" in fault
    (fault,) = faults_of_signs({**nothing, "signs": [{**sign, "y": 30.0}]})
    assert fault.endswith("is not on its line")
    assert faults_of_signs({**nothing, "signs": [{**sign, "x": 12.0}]}) == []
    inside = [{"x": 10.0, "y": 100.0}, {"x": 210.0, "y": 100.0}]
    links = [{"from": "A", "to": "B", "mark": "goes", "line": inside}]
    assert faults_of_signs({**nothing, "links": links}) == [
        "('A', 'B') has room for a sign and has none"
    ]
    number = {"x": 10.0, "y": 10.0, "text": "1"}
    assert faults_of_numbers({**nothing, "numbers": [number, {**number, "text": "2"}]}) == [
        "numbers 1 and 2 lie over each other"
    ]
    name = {"text": "HQ", "server": "HQ", "box": around({"x": 10.0, "y": 10.0}, 9)}
    assert faults_of_names({**nothing, "names": [name], "numbers": [number]}) == [
        "HQ lies over number 1"
    ]


def test_costs_of_links_on_a_path_are_next_to_its_numbers(
    look: Callable[[str], dict[str, Any]], request: pytest.FixtureRequest
) -> None:
    wide = request.node.callspec.params["look"][0] > 1000
    for name, costs in (
        ("paths", ["cost 10", "cost 4"]),
        ("impact-routers", ["cost 10"] * 3 + ["cost 25"] * 2 + ["cost 4"]),
    ):
        found = look(name)
        shown = [one["text"] for one in found["linkTexts"]]
        if wide:
            assert not [one for one in costs if costs.count(one) > shown.count(one)], (name, shown)
        for text, number in itertools.product(found["linkTexts"], found["numbers"]):
            assert not overlap(text["box"], around(number, 8)), (name, text, number)


def test_badges_on_links_are_off_the_dot_of_the_end_that_configures(
    look: Callable[[str], dict[str, Any]],
) -> None:
    found = look("ring12")
    at = {one["name"]: one for one in found["servers"]}
    badges = [one for one in found["badges"] if one["ends"]]
    for one in badges:
        own = at[one["configuredBy"]]
        (other,) = (at[name] for name in one["ends"] if name != one["configuredBy"])
        assert from_box(one, own["box"]) > from_box(one, other["box"]), one
    assert badges
