"""Where everything is in pictures of networks of all shapes, in windows of all sizes, from what the
pages report.

A row of ``PICTURES`` is a network; each is drawn in each of ``WINDOWS``, light and dark. The larger
networks, and all colours of each window, are drawn where TOPOGRAPH_ALL_PICTURES is set.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from drawn.geometry import (
    Box,
    faults_of_names,
    faults_of_numbers,
    faults_of_signs,
    overlap,
    still,
)
from drawn.networks import example
from drawn.shapes import SHAPES
from draws import share

from topograph.digits import digits
from topograph.findings import Severity
from topograph.viz.overview import overview
from topograph.viz.scene.records import Scene
from topograph.viz.view import View

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ALL = bool(os.environ.get("TOPOGRAPH_ALL_PICTURES"))

WIDE, MIDDLE, PHONE = (1440, 900), (1024, 768), (390, 844)
SIZES = (WIDE, MIDDLE, PHONE)
SCHEMES = ("light", "dark")
WINDOWS = [
    (size, scheme)
    for number, size in enumerate(SIZES)
    for scheme in (SCHEMES if ALL else (SCHEMES[number % 2],))
]

PADDING = 46
"""From the middle of a server to the edge of an area around it, in layout units."""

FEWEST = 8
"""Servers from which a picture fills the canvas: of fewer, links would become very long."""


@dataclass(frozen=True)
class Picture:
    """A network in the table: ``connected`` and ``chain`` as for a shape; ``large`` ones are drawn
    only where all are. ``named`` is the share of the servers that have their names in a wide
    window."""

    scene: Callable[[], Scene]
    connected: bool = True
    chain: bool = False
    large: bool = False
    named: float = 0.9


def shape(name: str, **other: Any) -> Picture:
    made = SHAPES[name]

    def scene() -> Scene:  # not before it is drawn: it is written and read
        return made.network.scene()

    return Picture(scene, connected=made.connected, chain=made.chain, **other)


def of(name: str, **other: Any) -> Picture:
    return Picture(lambda: example(name).scene(), **other)


PICTURES: Mapping[str, Picture] = {
    "estate": of("estate"),
    "orders": of("orders"),
    "retail": of("retail"),
    "routers": of("routers"),
    "queue_managers": of("queue_managers", connected=False),
    "sibus_orders": of("sibus_orders", connected=False),
    "mqe_devices": of("mqe_devices", connected=False),
    "mixed": of("mixed", connected=False),
    "two-1hop-zones": of("two-1hop-zones/legal"),
    "mhop-star": of("mhop-star/legal"),
    **{
        name: shape(name)
        for name in (
            "chain13",
            "chain30",
            "ring12",
            "ring24",
            "star13",
            "star30",
            "tree13",
            "tree60",
            "ring-of-rings60",
            "mesh60",
            "parts4",
            "clusters20",
            "hub50",
        )
    },
    "hub300": shape("hub300"),
    "routers128": shape("routers128", named=0.6),
    "company200": shape("company200", large=True, named=0.5),
    "clusters200": shape("clusters200", large=True, named=0.5),
    "company1000": shape("company1000", large=True, named=0.0),
    "company1010": shape("company1010", named=0.0),
    "star3000": shape("star3000", large=True),
    "company3000": shape("company3000", large=True, named=0.0),
    "company10000": shape("company10000", large=True, named=0.0),
}

DRAWN = [name for name, picture in PICTURES.items() if ALL or not picture.large]


@cache
def scene_of(name: str) -> Scene:
    return PICTURES[name].scene()


@cache
def page_of(name: str) -> str:
    return View(scene_of(name)).generate_html()


REPORT = """() => {
    const drawn = window.topograph.geometry();
    const { texts, badges, unbadged } = window.topograph.shown();
    const corner = document.querySelector("#canvas").getBoundingClientRect();
    const tools = [...document.querySelectorAll(".tools > *")]
        .map((tool) => tool.getBoundingClientRect()).filter((tool) => tool.width)
        .map(({ left, right, top, bottom }) => ({
            left: left - corner.left, right: right - corner.left,
            top: top - corner.top, bottom: bottom - corner.top }));
    const found = document.querySelector(".found-line");
    return { ...drawn, texts, badges, unbadged, tools,
        folds: window.topograph.folds().map(({ x, y, text }) =>
            ({ x: x - corner.left, y: y - corner.top, text })),
        overview: window.topograph.overview(),
        found: found && found.textContent,
        discs: window.topograph.overview()
            ? window.topograph.overview().discs.map(({ name }) => window.topograph.disc(name)) : [],
    };
}"""

Drawn = dict[str, Any]


@pytest.fixture(scope="module", params=WINDOWS, ids=str)
def look(
    request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Drawn]]:
    """What a page says that it drew, in a window of one size and colour scheme."""
    (width, height), scheme = request.param
    folder = tmp_path_factory.mktemp("pages")
    context = still(browser, width, height, scheme)
    page = context.new_page()

    def drawn(name: str) -> Drawn:
        file = folder / f"{name}.html"
        file.write_text(page_of(name), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        found: Drawn = page.evaluate(REPORT)
        return {**found, "window": (width, height), "scheme": scheme}

    yield drawn
    context.close()


def extent(drawn: Drawn) -> Box:
    """The box around what is drawn, with its names and the areas around servers."""
    away = PADDING * drawn["scale"]
    boxes = list(drawn["texts"])
    for box in (*(one["box"] for one in drawn["servers"]), *map(as_box, drawn["folds"])):
        x, y = (box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2
        wide = max(away, (box["right"] - box["left"]) / 2)
        high = max(away, (box["bottom"] - box["top"]) / 2)
        boxes.append({"left": x - wide, "right": x + wide, "top": y - high, "bottom": y + high})
    return {
        "left": min(box["left"] for box in boxes),
        "right": max(box["right"] for box in boxes),
        "top": min(box["top"] for box in boxes),
        "bottom": max(box["bottom"] for box in boxes),
    }


def as_box(spot: Mapping[str, float]) -> Box:
    return {"left": spot["x"], "right": spot["x"], "top": spot["y"], "bottom": spot["y"]}


def shown(drawn: Drawn) -> int:
    """Servers and stacks that are drawn."""
    return len(drawn["servers"]) + len(drawn["folds"])


def faults_of_canvas(name: str, drawn: Drawn) -> list[str]:
    """What is out of the canvas or under its buttons, and room that is not used."""
    picture = PICTURES[name]
    box = extent(drawn)
    across = (box["right"] - box["left"]) / drawn["width"]
    down = (box["bottom"] - box["top"]) / drawn["height"]
    found = []
    if box["left"] < -1 or box["right"] > drawn["width"] + 1:
        found.append(f"{box['left']:.0f} to {box['right']:.0f} of {drawn['width']} pixels across")
    if box["top"] < -1 or box["bottom"] > drawn["height"] + 1:
        found.append(f"{box['top']:.0f} to {box['bottom']:.0f} of {drawn['height']} pixels down")
    found += [
        f"{one.get('name') or one.get('text')} lies under a button"
        for one in (*drawn["servers"], *drawn["texts"])
        if any(overlap(one.get("box", one), tool) for tool in drawn["tools"])
    ]
    if drawn["window"] != WIDE or shown(drawn) < FEWEST:
        return found
    if max(across, down) < 0.9:
        found.append(f"takes {across:.2f} by {down:.2f} of the canvas")
    few = picture.connected and shown(drawn) <= 30 and not picture.chain
    if few and across * down < 0.6:
        found.append(f"takes {across * down:.2f} of the area of the canvas")
    return found


def faults_of_naming(name: str, drawn: Drawn) -> list[str]:
    """Servers without names where there is room for them."""
    named = {one["server"] for one in drawn["names"]}
    share = len(named) / max(1, len(drawn["servers"]))
    if drawn["window"] == WIDE and share < PICTURES[name].named:
        return [f"{len(named)} of {len(drawn['servers'])} servers have names"]
    return []


def counted(scene: Scene) -> tuple[int, int]:
    """Errors and warnings at servers and links of a scene, listed or counted."""
    severities = [one.severity for one in scene.findings]
    errors = severities.count(Severity.ERROR) + sum(one.errors for one in scene.more_findings)
    warnings = severities.count(Severity.WARNING) + sum(one.warnings for one in scene.more_findings)
    return errors, warnings


def in_words(text: str | None) -> tuple[int, int]:
    """The errors and warnings that the line below the headline counts."""

    def number(noun: str) -> int:
        found = re.search(rf"([\d,]+) {noun}s?\b", text or "")
        return digits(found.group(1).replace(",", ""), 0) if found else 0

    return number("error"), number("warning")


def faults_of_findings(name: str, drawn: Drawn) -> list[str]:
    """Findings that are in no words, and servers or links with findings that have no badge and
    are not counted as such."""
    scene = scene_of(name)
    found = []
    files = [
        sum(rule.total for rule in scene.checked or () if rule.severity is severity)
        for severity in (Severity.ERROR, Severity.WARNING)
    ]
    if list(in_words(drawn["found"])) != files:
        found.append(f"the line says {drawn['found']!r} of {files} findings")
    if any(at > all_ for at, all_ in zip(counted(scene), files, strict=True)):
        found.append(f"{counted(scene)} findings are in the picture, {files} in the files")
    if drawn["overview"]:
        told = [(one["errors"], one["warnings"]) for one in drawn["overview"]["discs"]]
        if told != [(one.errors, one.warnings) for one in overview(scene).discs]:
            found.append("discs do not count the findings of their servers")
    return found


def faults_of_discs(drawn: Drawn) -> list[str]:
    """Discs of an overview that are out of the canvas or lie over each other's middles."""
    return [
        f"disc {one} is out of the canvas"
        for one, at in zip(drawn["overview"]["discs"], drawn["discs"], strict=True)
        if not (0 <= at["x"] <= drawn["window"][0] and 0 <= at["y"] <= drawn["window"][1])
    ]


@pytest.mark.parametrize("name", share(DRAWN, 2))
def test_everything_is_where_it_belongs(look: Callable[[str], Drawn], name: str) -> None:
    drawn = look(name)
    faults = faults_of_findings(name, drawn)
    if drawn["overview"]:
        faults += faults_of_discs(drawn)
    else:
        faults += faults_of_canvas(name, drawn)
        faults += faults_of_naming(name, drawn)
        faults += faults_of_signs(drawn)
        faults += faults_of_numbers(drawn)
        faults += faults_of_names(drawn)
    assert faults == []


def test_faults_are_found() -> None:
    """Each kind of fault, in a picture that has nothing else."""
    servers = [
        {"name": name, "box": {"left": x - 9, "right": x + 9, "top": y - 9, "bottom": y + 9}}
        for number, name in enumerate("ABCDEFGHIJKL")
        for x, y in [(80 + 280 * (number % 4), 80 + 220 * (number // 4))]
    ]
    names = [{"server": one["name"], "text": one["name"], "box": one["box"]} for one in servers]
    good: Drawn = {
        "window": WIDE,
        "width": 1000,
        "height": 600,
        "scale": 1.0,
        "servers": servers,
        "names": names,
        "folds": [],
        "texts": [],
        "tools": [],
        "overview": False,
        "found": "50 errors and 24 warnings in the files",
    }

    assert faults_of_canvas("ring12", good) == []
    assert faults_of_naming("ring12", good) == []
    assert faults_of_findings("ring12", good) == []
    (fault,) = faults_of_naming("ring12", {**good, "names": names[1:9]})
    assert fault == "8 of 12 servers have names"
    tool = {"left": 80, "right": 120, "top": 70, "bottom": 90}
    assert faults_of_canvas("ring12", {**good, "tools": [tool]}) == ["A lies under a button"]
    assert len(faults_of_canvas("ring12", {**good, "width": 1200, "height": 900})) == 2
    assert len(faults_of_canvas("ring12", {**good, "width": 800})) == 1
    assert faults_of_canvas("chain13", {**good, "height": 900}) == []
    for found in (None, "5 errors and 24 warnings in the files", "50 errors in the files"):
        assert len(faults_of_findings("ring12", {**good, "found": found})) == 1


@pytest.mark.parametrize("name", ["estate", "ring12", "mesh60", "parts4"])
def test_places_are_the_same_in_every_window(look: Callable[[str], Drawn], name: str) -> None:
    """Only the camera differs: distances are those of the scene, by one scale."""
    drawn = look(name)
    spots = {server.name: (server.x, server.y) for server in scene_of(name).servers}
    middle = {
        one["name"]: (
            (one["body"]["left"] + one["body"]["right"]) / 2,
            (one["body"]["top"] + one["body"]["bottom"]) / 2,
        )
        for one in drawn["servers"]
    }
    for a, b in itertools.pairwise(sorted(spots)):
        for axis in (0, 1):
            wanted = (spots[b][axis] - spots[a][axis]) * drawn["scale"]
            assert middle[b][axis] - middle[a][axis] == pytest.approx(wanted, abs=0.1)
