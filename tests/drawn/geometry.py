"""Where the signs, numbers and names of pictures are: worked out from the curves that a page says
that it drew, apart from the page's own reckoning."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from drawn.networks import distance
from topograph.viz.svg.looks import LINK_SIGNS

APART = 14.0
"""What a sign keeps from what is not its own, in pixels."""
NEARLY = 0.85
"""Of the distance of the best place that of any sign is at least this part."""
FAR = 320.0
"""In the units of a scene: what is farther away is not looked at."""
SLACK = 2.0
"""Pixels by which curves that are told as straight pieces are off."""

Box = dict[str, float]
Spot = dict[str, float]


def still(browser: Any, width: int, height: int, scheme: str) -> Any:
    """A context of a browser for pages in one window and colour scheme, offline, in which nothing
    moves by itself."""
    return browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        offline=True,
        reduced_motion="reduce",
    )


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
        nearest: list[Spot] = (
            min(lines, key=lambda line: distance(spot, line)) if spot else lines[0]
        )
        return nearest

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
