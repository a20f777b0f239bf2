"""Pages of large networks begin with discs for zones: what they say, and how a reader gets to
the servers and back.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
from functools import cache

import numpy as np
import pytest
from drawn.networks import company, estate_of, estates, route
from draws import share

import topograph
from topograph.network import Network
from topograph.viz.overview import overview
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Scene
from topograph.viz.view import View

HUBS = 101


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Network:
    """1,010 servers: 101 meshes of ten, and a zone of their hubs."""
    folder = tmp_path_factory.mktemp("large") / "company"
    estates().write(estates().company(HUBS), folder)
    return topograph.read(folder)


@pytest.fixture(scope="module")
def estate(network) -> Scene:
    return network.scene()


@pytest.fixture(scope="module")
def estate_page(estate) -> str:
    return View(estate).generate_html()


def seen(opened):
    return opened.page.evaluate("window.topograph.overview()")


def press(opened, *keys: str) -> None:
    for key in keys:
        opened.page.locator("#canvas").press(key)
        opened.settle()


def click_disc(opened, name: str) -> None:
    at = opened.page.evaluate("(name) => window.topograph.disc(name)", name)
    opened.page.mouse.click(at["x"], at["y"])
    opened.settle()


def test_a_large_network_is_drawn_whole_and_begins_with_its_zones(open_page, estate, estate_page):
    assert (len(estate.servers), estate.hidden) == (HUBS * 10, 0)
    opened = open_page(estate_page)
    assert opened.shown()["servers"] == []
    discs = seen(opened)["discs"]
    assert {disc["name"]: disc["servers"] for disc in discs} == {"WAN": HUBS} | {
        f"C{n}": 10 for n in range(HUBS)
    }
    assert (
        opened.page.locator("#hint").inner_text()
        == "102 discs for 1,010 servers: click one to open it"
    )


@pytest.mark.parametrize(
    "ask",
    [
        lambda network: network.reach("S00001"),
        lambda network: network.reach("S00001", "S00993"),
        lambda network: network.propagate("S00001", "topic:orders", {"country": "Canada"}),
        lambda network: network.paths("S00001", "S00993"),
    ],
    ids=["reach", "reach one", "propagate", "paths"],
)
def test_discs_and_paths_over_them_say_what_drawings_say(open_page, network, ask):
    scene = network.scene(ask(network))
    drawn = overview(scene)
    opened = open_page(View(scene).generate_html())
    found = seen(opened)
    assert [(one["name"], one["result"], one["blocked"]) for one in found["discs"]] == [
        (one.name, one.result, one.blocked) for one in drawn.discs
    ]
    shown = [path.title for path in scene.paths if path.shown]
    if shown:
        (way,) = [
            [[drawn.discs[number].name, first, last] for number, first, last in crossing.discs]
            for crossing in drawn.crossings[:1]
        ]
        assert found["ways"] == [way]


def test_a_click_opens_a_zone_in_its_place_and_escape_closes_it(open_page, estate, estate_page):
    opened = open_page(estate_page)
    click_disc(opened, "C7")
    members = next(zone.servers for zone in estate.zones if zone.name == "C7")
    assert opened.shown()["servers"] == list(members)
    assert seen(opened)["open"] == "C7"
    middle = opened.page.evaluate("window.topograph.disc('C7')")
    places = {name: opened.place(name) for name in members}
    far = max(math.dist((middle["x"], middle["y"]), (at["x"], at["y"])) for at in places.values())
    box = opened.page.locator("#canvas").bounding_box()
    assert 100 < far < min(box["width"], box["height"]) / 2
    # They stand to each other as in the whole picture.
    spots = {server.name: (server.x, server.y) for server in estate.servers}
    for a, b in itertools.combinations(members, 2):
        for axis, across in (("x", 0), ("y", 1)):
            if abs(spots[a][across] - spots[b][across]) > 1:
                assert (spots[a][across] < spots[b][across]) == (places[a][axis] < places[b][axis])
    assert opened.page.locator("#selected h2").inner_text() == "Zone C7"
    assert "HUB0007" in opened.page.locator("#selected").inner_text()
    opened.page.mouse.click(places[members[3]]["x"], places[members[3]]["y"])
    opened.settle()
    assert opened.shown()["selected"] == members[3]
    press(opened, "Escape", "Escape")
    assert (seen(opened)["open"], opened.shown()["selected"], opened.shown()["servers"]) == (
        None,
        None,
        [],
    )


def test_zones_open_and_close_without_a_pointer(open_page, estate_page):
    opened = open_page(estate_page)
    press(opened, "ArrowRight")
    first = seen(opened)["chosen"]
    assert first == "WAN"
    press(opened, "ArrowRight")
    second = seen(opened)["chosen"]
    assert second != first
    press(opened, "Enter")
    assert (seen(opened)["open"], len(opened.shown()["servers"])) == (second, 10)
    press(opened, "ArrowRight")
    assert opened.shown()["selected"] in opened.shown()["servers"]
    press(opened, "Escape", "Escape")
    assert (seen(opened)["open"], opened.shown()["selected"]) == (None, None)


def test_all_servers_are_one_button_away_in_their_own_places(open_page, estate, estate_page):
    opened = open_page(estate_page)
    click_disc(opened, "C7")
    button = opened.page.locator("#zones-or-servers")
    assert button.inner_text() == "All servers"
    button.click()
    opened.settle()
    assert len(opened.shown()["servers"]) == len(estate.servers)
    assert button.inner_text() == "Zones"
    spots = {server.name: (server.x, server.y) for server in estate.servers}
    # At once: the camera may still move.
    names = ("HUB0000", "HUB0007", "S00071", "S00999")
    scale, places = opened.page.evaluate(
        "(names) => [window.topograph.shown().scale, names.map(window.topograph.server)]", names
    )
    origin = places[0]
    for name, at in zip(names[1:], places[1:], strict=True):
        for axis, across in (("x", 0), ("y", 1)):
            assert at[axis] - origin[axis] == pytest.approx(
                (spots[name][across] - spots["HUB0000"][across]) * scale, abs=0.5
            )
    button.click()
    opened.settle()
    assert (seen(opened)["open"], opened.shown()["servers"]) == (None, [])


def test_a_server_that_is_looked_for_is_shown_in_its_zone(open_page, estate_page):
    opened = open_page(estate_page)
    search = opened.page.locator("#search")
    search.fill("S00425")
    search.press("Enter")
    opened.settle()
    assert (opened.shown()["selected"], seen(opened)["open"]) == ("S00425", "C42")
    search.fill("C17")
    search.press("Enter")
    opened.settle()
    assert seen(opened)["open"] == "C17"


def test_a_neighbourhood_goes_back_to_the_zones(open_page, estate_page):
    opened = open_page(estate_page)
    click_disc(opened, "C7")
    press(opened, "ArrowRight", "n")
    assert seen(opened) is False
    assert len(opened.shown()["servers"]) >= 10
    press(opened, "Escape")
    assert (seen(opened)["open"], opened.shown()["servers"]) == (None, [])


def test_another_answer_is_counted_by_zone(open_page, estate_page):
    opened = open_page(estate_page)
    click_disc(opened, "C7")
    said = {
        "question": "reach",
        "title": "Which servers does HUB0000 reach?",
        "verdict": "Two.",
        "exact": True,
        "told": [],
        "facts": [],
        "around": [],
        "paths": [],
        "blocks": [],
    }
    opened.page.evaluate(
        """(said) => window.topograph.showAnswer({
            ...said, links: new Map(),
            servers: new Map([["HUB0000", {mark: "asked", note: ""}], ["S00011", {mark: "reached", note: ""}]]),
        })""",  # noqa: E501
        said,
    )
    opened.settle()
    results = {disc["name"]: disc["result"] for disc in seen(opened)["discs"]}
    assert (results["C0"], results["C1"], results["C2"]) == (
        "reached 1/10",
        "reached 1/10",
        "reached 0/10",
    )
    opened.page.evaluate("window.topograph.showAnswer(null)")
    opened.settle()
    assert {disc["result"] for disc in seen(opened)["discs"]} == {""}
    assert seen(opened)["open"] is None


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 600), (1440, 900)])
def test_all_zones_are_in_view_at_first_on_every_screen(
    open_page, estate_page, width, height, theme
):
    opened = open_page(estate_page, width=width, height=height, color_scheme=theme)
    box = opened.page.locator("#canvas").bounding_box()
    for name in ("WAN", *(f"C{n}" for n in range(HUBS))):
        at = opened.page.evaluate("(name) => window.topograph.disc(name)", name)
        assert box["x"] < at["x"] < box["x"] + box["width"]
        assert box["y"] < at["y"] < box["y"] + box["height"]
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


@cache
def small() -> str:
    names, links = company(99)
    return View(
        draw(estate_of(names, [route(a, b, zone=zone) for (a, b), zone in links]))
    ).generate_html()


def test_a_network_that_can_be_read_begins_with_its_servers(open_page):
    opened = open_page(small())
    assert seen(opened) is False
    assert len(opened.shown()["servers"]) == 990
    assert opened.page.locator("#zones-or-servers").is_hidden()
    data = json.loads(opened.page.locator("#data").text_content())
    assert data["overview"] is None


NEVER_COPIED = (
    "let camera = 0; CanvasRenderingContext2D.prototype.getTransform = () => `${(camera += 1)}`;"
)
"""To the page the camera is then always somewhere else: what it would copy it draws."""


def open_first_disc(opened) -> None:
    click_disc(opened, "C7")


def zoom_in(opened) -> None:
    opened.page.locator("#zoom-in").click()
    opened.settle()


def go_dark(opened) -> None:
    opened.page.locator("#theme").click()


def ask_and_go_back(opened) -> None:
    click_disc(opened, "C7")
    opened.page.locator("#canvas").press("Escape")
    opened.settle()


def pixels(opened) -> np.ndarray:
    """What is drawn after several drawings at one position of the camera, on white."""
    at = opened.page.evaluate("window.topograph.disc('WAN')")
    for _ in range(2):
        for x, y in ((at["x"], at["y"]), (2, 2)):
            opened.page.mouse.move(x, y)
            opened.shown()
    packed = opened.page.evaluate(
        """() => {
            const canvas = document.querySelector("#canvas canvas"), { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height).getContext("2d");
            copy.fillStyle = "white";
            copy.fillRect(0, 0, width, height);
            copy.drawImage(canvas, 0, 0);
            let packed = "";
            const bytes = copy.getImageData(0, 0, width, height).data;
            for (let at = 0; at < bytes.length; at += 8192)
                packed += String.fromCharCode(...bytes.subarray(at, at + 8192));
            return btoa(packed);
        }"""
    )
    return np.frombuffer(base64.b64decode(packed), np.uint8).astype(int)


@pytest.mark.parametrize(
    "acts",
    share([[], [go_dark], [zoom_in], [open_first_disc], [ask_and_go_back, go_dark, zoom_in]], 2),
    ids=lambda acts: " ".join(act.__name__ for act in acts) or "first view",
)
def test_what_is_copied_from_drawing_to_drawing_is_what_would_be_drawn(
    open_page, estate_page, acts
):
    shown = []
    for script in ("", NEVER_COPIED):
        opened = open_page(estate_page)
        if script:
            opened.page.add_init_script(script)
            opened.page.reload()
            opened.requests.clear()
            opened.page.wait_for_selector("html[data-drawn]", state="attached")
        pixels(opened)
        for act in acts:
            act(opened)
        shown.append(pixels(opened))
    copied, drawn = shown
    assert len(np.unique(copied)) > 20, "something is drawn"
    assert abs(copied - drawn).max() <= 3
