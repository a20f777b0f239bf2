"""Where the signs, numbers and names of pictures are: worked out from the curves that a page says
that it drew, apart from the page's own reckoning."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import pytest
from drawn.geometry import (
    around,
    faults_of_names,
    faults_of_numbers,
    faults_of_signs,
    from_box,
    overlap,
    still,
)
from drawn.networks import ROOT, example
from drawn.shapes import SHAPES

from topograph.network import Network
from topograph.viz.scene.records import Scene
from topograph.viz.view import View

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ALL = bool(os.environ.get("TOPOGRAPH_ALL_PICTURES"))
WINDOWS = ((1440, 900, "light"), (1024, 600, "dark"), (390, 844, "light"))


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
    context = still(browser, width, height, scheme)
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
