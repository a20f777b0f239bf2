"""The SVG drawing: well-formed whatever the names, complete, and with nothing in it that loads
or runs.
"""

from __future__ import annotations

import dataclasses
import math
import re
from itertools import pairwise, product
from xml.etree import ElementTree as ET

import pytest
from drawn.networks import estate_of, example, route
from drawn.shapes import SHAPES
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.systems.contract.groups import ServerGroup
from topograph.viz.layout.outlines import convex_hull, outline
from topograph.viz.scene.groups import drawn_groups
from topograph.viz.scene.judged import MARK_WORDS, PART_WORDS
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Mark, Scene, ZoneDrawn
from topograph.viz.svg.document import LINES, svg
from topograph.viz.svg.looks import COLOUR_OF, LETTERS, LINK_SIGNS, SIGNS
from topograph.words.visible import clean

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "style", "rect", "g", "path", "circle", "polygon", "text"}
ELEMENTS |= {"defs", "pattern"}
OWN_FILL = re.compile(r"url\(#fill-\d+\)")
"""What the areas of zones refer to: a pattern in the same drawing."""


def parsed(scene: Scene) -> ET.Element:
    return ET.fromstring(svg(scene))


def texts(scene: Scene) -> list[str]:
    return [one.text or "" for one in parsed(scene).iter(f"{SVG}text")]


def hostile(names: list[str]) -> Scene:
    pairs = [tuple(sorted(pair)) for pair in pairwise(names)]
    return draw(
        estate_of(names, [route(a, b, zone=f"zone {a}", kind="1hop") for a, b in pairs if a != b])
    )


@pytest.mark.parametrize(
    "name",
    [
        "</text><script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "]]>&amp;<![CDATA[",
        "\x1b[31m\x00 \u202e \ufffe \uffff",
        "\udcff",
        "url(https://example.net/x)",
        "Zürich 東京",
        "",
    ],
)
def test_no_name_becomes_markup(name: str) -> None:
    root = parsed(hostile(sorted([name, "A", "B"])))
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= ELEMENTS
    attributes = {key for one in root.iter() for key in one.attrib}
    assert not {
        key for key in attributes if key.lower().startswith("on") or "href" in key or key == "src"
    }
    values = {value for one in root.iter() for value in one.attrib.values() if "url(" in value}
    assert all(OWN_FILL.fullmatch(value) for value in values)


@settings(max_examples=draws(36), deadline=None)
@given(st.lists(st.text(max_size=12), min_size=2, max_size=5, unique=True))
def test_any_names_give_a_well_formed_drawing(names: list[str]) -> None:
    parsed(hostile(sorted(names)))


def test_the_style_loads_nothing() -> None:
    (style,) = parsed(example("estate").scene()).iter(f"{SVG}style")
    assert not re.search(r"url\(|@import|expression", style.text or "")


def test_every_server_and_zone_is_named_and_every_link_drawn() -> None:
    scene = example("estate").scene()
    found = texts(scene)
    assert {server.name for server in scene.servers} <= set(found)
    assert {f"{zone.name} ({zone.type})" for zone in scene.zones} <= set(found)
    titles = [one.text or "" for one in parsed(scene).iter(f"{SVG}title")]
    for link in scene.links:
        assert any(title.startswith(" - ".join(link.ends)) for title in titles)


def test_a_name_that_is_too_long_is_cut_in_the_middle_and_whole_in_its_title() -> None:
    name = "A" * 20 + "B" * 60 + "Z" * 20
    root = parsed(draw(estate_of([name, "x"], [])))
    shown = [
        one.text or "" for one in root.iter(f"{SVG}text") if (one.text or "").startswith("AAA")
    ]
    assert len(shown) == 1
    assert re.fullmatch("A+…Z+", shown[0])
    assert any((one.text or "").startswith(name) for one in root.iter(f"{SVG}title"))


def test_steps_and_reasons_stand_below_under_the_numbers_of_the_drawing() -> None:
    network = example("estate")
    scene = network.scene(network.propagate("HQ", "topic:orders", {"country": "Spain"}))
    found = texts(scene)
    assert scene.title in " ".join(found)
    causes = [block for block in scene.blocks if block.repeats < 0]
    assert len(causes) < len(scene.blocks) < LINES
    for number, block in enumerate(causes, 1):
        where = block.at if block.at == block.to else f"{block.at} to {block.to}"
        line = next(one for one in found if one.startswith(f"{number}  {where}: "))
        assert block.reason.split()[0] in line
        assert {str(number), f"{number}?"} & set(found)
    shown = [path for path in scene.paths if path.shown][:3]
    assert shown
    for path in shown:
        assert path.title in found
        for step in path.steps:
            assert any(one.startswith(f"{step.number}  {step.from_}") for one in found)


def test_all_is_inside_the_frame() -> None:
    network = example("estate")
    scene = network.scene(network.propagate("HQ", "topic:orders", {"country": "Spain"}))
    root = parsed(scene)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    (drawing,) = [
        one for one in root.findall(f"{SVG}g") if "scale" not in one.get("transform", "scale")
    ]
    across, down = map(float, re.findall(r"-?[\d.]+", drawing.get("transform", "")))
    for server in scene.servers:
        assert 0 < server.x + across < width
        assert 0 < server.y + down < height
    lines = [one for one in root.findall(f"{SVG}text") if one.get("class") == "small"]
    assert max(float(one.attrib["y"]) for one in lines) < height
    assert max(len(one.text or "") for one in lines) * 7.3 <= width


def test_nothing_is_drawn_of_an_empty_network() -> None:
    assert parsed(draw(estate_of([], []))).tag == f"{SVG}svg"


def test_many_parallel_links_are_one_with_their_number() -> None:
    links = [route("A", "B", zone=f"Z{number}", kind="mhop") for number in range(50)]
    found = texts(draw(estate_of(["A", "B"], links)))
    assert "×50" in found


def test_what_is_not_certain_has_another_sign() -> None:
    network = example("estate")
    scene = network.scene(network.propagate("USA-EAST", "topic:orders", {"country": "Canada"}))
    causes = [block for block in scene.blocks if block.repeats < 0]
    unsure = [number for number, block in enumerate(causes, 1) if not block.certain]
    assert unsure
    assert {f"{number}?" for number in unsure} <= set(texts(scene))
    assert clean(scene.verdict).split()[0] in " ".join(texts(scene))


def test_hulls() -> None:
    assert convex_hull([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)]) == [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert convex_hull([(0, 0), (1, 1), (2, 2)]) == [(0, 0), (2, 2)]
    square = [(0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0)]
    assert outline(square, [], [], 46, along=False).endswith("Z")
    assert outline(square, [], [(500.0, 100.0)], 46, along=False).endswith("Z")
    # What lies inside, or beside it within the padding, belongs to others.
    for other in ((100.0, 100.0), (230.0, 100.0)):
        banded = outline(square, [((0, 0), (200, 0))], [other], 46, along=False)
        assert not banded.endswith("Z")
        assert "L" in banded
    assert not outline(square, [((0, 0), (200, 0))], [], 46, along=True).endswith("Z")


def test_what_a_change_does_has_signs_and_rows() -> None:
    network = example("estate")
    scene = network.scene(network.audit("delete route LONDON", at="HQ"))
    found = texts(scene)
    assert "Commands" in found
    assert any(line.startswith("1  HQ: accepted: delete route LONDON") for line in found)
    for group in scene.groups:
        assert group.title in found
    assert {"link: goes with the change", PART_WORDS} <= set(found)
    signs = [one.get("d") for one in parsed(scene).iter(f"{SVG}path") if one.get("class") == "sign"]
    assert signs.count(LINK_SIGNS[Mark.GOES]) == 2  # on the link, and in the legend


def test_every_mark_of_a_server_has_a_sign_and_words() -> None:
    of_links = {Mark.PATH, Mark.BLOCKED, Mark.ALTERED, Mark.REFUSED, Mark.NONE}
    for mark in set(Mark) - of_links:
        assert mark in SIGNS or mark in LETTERS, mark
        assert mark in MARK_WORDS
    assert set(COLOUR_OF) == set(Mark)


def test_a_badge_on_a_link_is_off_the_dot_of_the_end_that_configures_it() -> None:
    drawing = svg(SHAPES["ring12"].network.scene(whole=True))
    number = r"(-?[\d.]+)"
    dots = re.findall(rf'<circle class="end" cx="{number}" cy="{number}"', drawing)
    sign = rf'<g class="badge c-bad" transform="translate\({number} {number}\)'
    badges = re.findall(sign, drawing)
    *dots, _ = dots  # that of the legend
    assert len(dots) == 12 <= len(badges)
    for badge, dot in product(badges, dots):
        assert math.dist(tuple(map(float, badge)), tuple(map(float, dot))) > 13


def test_a_mesh_of_one_way_links_has_no_arrow_heads_and_the_legend_says_so() -> None:
    network = SHAPES["clusters20"].network
    scene = network.scene(whole=True)
    assert {zone.name: zone.mesh for zone in scene.zones} == {"NORTHERN": True, "SOUTHERN": True}
    words = "cluster channel: all in the cluster are linked, both ways"
    drawing = svg(scene)
    assert words in drawing
    assert 'class="arrow"' not in drawing
    first = scene.links[0]
    fewer = dataclasses.replace(scene, zones=drawn_groups_without(scene, first.id))
    assert words not in svg(fewer)
    assert 'class="arrow"' in svg(fewer)


def drawn_groups_without(scene: Scene, link: str) -> tuple[ZoneDrawn, ...]:
    """The groups of a scene if a link were not there."""
    groups = [ServerGroup(one.name, one.kind, one.servers) for one in scene.zones]
    links = [one for one in scene.links if one.id != link]
    return drawn_groups(links, groups, {one.name for one in scene.servers}, {})
