"""A zone has one colour: by its name, on every page, in page and drawing, and not that of a
neighbour.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from drawn.networks import ROOT, company, estate_of, example, route

from topograph.viz.layout.zone_colours import COLOURS, PATTERNS, zone_colours
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Scene
from topograph.viz.svg.document import svg


def colours(scene: Scene) -> dict[str, int]:
    return {zone.name: zone.colour for zone in scene.zones}


def test_every_page_of_a_snapshot_has_the_colours_of_the_estate():
    network = example("estate")
    whole = colours(network.scene())
    scenes = [
        network.scene(network.reach("CANADA", "MADRID")),
        network.scene(around="LONDON", depth=1),
        network.scene(network.audit(ROOT / "examples/changes/canada.txt", at="HQ")),
    ]
    for scene in scenes:
        assert colours(scene).items() & whole.items() == {
            (n, c) for n, c in whole.items() if n in colours(scene)
        }
        assert len(colours(scene)) > 1


@pytest.mark.parametrize("name", ["estate", "orders", "mhop-star/legal", "two-1hop-zones/with-g-a"])
def test_zones_that_share_a_server_have_other_colours(name: str):
    scene = example(name).scene()
    for one, other in combinations(scene.zones, 2):
        if one.name != other.name and set(one.servers) & set(other.servers):
            assert one.colour % COLOURS != other.colour % COLOURS


def test_a_zone_that_touches_a_hundred_differs_from_all_of_them():
    names, links = company(100)
    scene = draw(estate_of(names, [route(a, b, zone) for (a, b), zone in links]))
    (wan,) = (zone for zone in scene.zones if zone.name == "WAN")
    others = {zone.colour % COLOURS for zone in scene.zones if zone is not wan}
    assert wan.colour % COLOURS not in others
    assert len(others) == COLOURS - 1


def test_another_zone_elsewhere_changes_no_colour():
    names = [f"S{number:02d}" for number in range(20)]
    links = [route(a, b, f"Z{number // 2}") for number, (a, b) in enumerate(pairwise(names))]
    before = colours(draw(estate_of(names, links)))
    after = colours(draw(estate_of([*names, "X", "Y"], [*links, route("X", "Y", "Z-NEW")])))
    assert before.items() <= after.items()


def test_a_name_decides_where_nothing_is_beside_it():
    alone = [zone_colours([(name, {name})], [], {})[name] for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    assert len({number % COLOURS for number in alone}) == COLOURS
    assert len({number % PATTERNS for number in alone}) == PATTERNS
    assert zone_colours([("A", {"1"}), ("B", {"2"})], [], {})["B"] == alone[1]


def test_page_and_drawing_have_the_same_colours():
    network = example("estate")
    scene = network.scene()
    view = network.view()
    data = embedded(view.nodes, view.edges, scene)
    in_page = [row[5] % COLOURS for row in data["zones"]]
    in_drawing = [int(number) for number in re.findall(r'<g class="zone zone(\d)">', svg(scene))]
    assert in_page == in_drawing == [zone.colour % COLOURS for zone in scene.zones]
    assert len(set(in_page)) > 1
