"""The overview of a large network: every server in the discs of its zones, every link counted
once, no disc over another.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from drawn.networks import company, estate_of, route
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.findings import Severity, Source
from topograph.viz.layout.disc_places import GAP, Disc, place_discs
from topograph.viz.overview import CrossingDrawn, DiscDrawn, Overview, homes_of, overview
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import (
    BlockDrawn,
    FindingDrawn,
    FindingsCounted,
    Mark,
    PathDrawn,
    Scene,
    ServerDrawn,
    StepDrawn,
)
from topograph.viz.svg.document import EACH_SERVER, element, svg
from topograph.viz.svg.overview import OverviewDrawing

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
NAMES = tuple("ABCDEFGHIJKL")
LINKS = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from(["", "", "X", "Y", "Z"])
).filter(lambda link: link[0] < link[1])


def scene_of(links: list[tuple[str, str, str]], names: tuple[str, ...] = NAMES) -> Scene:
    return draw(
        estate_of(
            names, [route(a, b, zone=zone, kind="mhop" if zone else "") for a, b, zone in links]
        )
    )


def marked(scene: Scene, marks: dict[str, Mark], question: str = "reach") -> Scene:
    servers = tuple(
        replace(server, mark=marks.get(server.name, Mark.NONE)) for server in scene.servers
    )
    return replace(scene, servers=servers, question=question)


def disc(seen: Overview, name: str):
    (found,) = [one for one in seen.discs if one.name == name]
    return found


def parts_of_zones(links: list[tuple[str, str, str]]) -> Counter[tuple[str, tuple[str, ...]]]:
    """The connected parts of each zone, by merging sets of servers until nothing merges."""
    found: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for zone in {zone for _, _, zone in links if zone}:
        parts = [{a, b} for a, b, own in links if own == zone]
        while True:
            touching = next(((p, q) for p, q in itertools.combinations(parts, 2) if p & q), None)
            if touching is None:
                break
            parts = [part for part in parts if part not in touching] + [touching[0] | touching[1]]
        found.update((zone, tuple(sorted(part))) for part in parts)
    return found


@settings(max_examples=draws(75), deadline=None)
@given(st.lists(LINKS, max_size=24))
def test_each_server_is_in_exactly_the_discs_of_its_zones_and_all_links_are_counted_once(
    links,
) -> None:
    scene = scene_of(links)
    seen = overview(scene)
    zones = Counter((one.name, one.servers) for one in seen.discs if one.zone >= 0)
    assert zones == parts_of_zones(links)
    zoned = {end for a, b, zone in links if zone for end in (a, b)}
    groups = [one.servers for one in seen.discs if one.zone < 0]
    assert sorted(itertools.chain(*groups)) == sorted(set(NAMES) - zoned)
    assert sum(one.links for one in seen.discs) + sum(one.links for one in seen.bundles) == len(
        links
    )
    for one in seen.discs:
        if one.zone >= 0:
            inside = [
                link for link in links if link[2] == one.name and set(link[:2]) <= set(one.servers)
            ]
            assert one.links >= len(inside)


@settings(max_examples=draws(75), deadline=None)
@given(st.lists(LINKS, max_size=24))
def test_what_is_in_two_discs_or_linked_across_is_joined_by_bundles(links) -> None:
    scene = scene_of(links)
    seen = overview(scene)
    assert [one.ends for one in seen.bundles] == sorted({one.ends for one in seen.bundles})
    for one in seen.bundles:
        first, second = (seen.discs[end] for end in one.ends)
        assert one.ends[0] < one.ends[1]
        assert set(one.servers) <= set(first.servers) & set(second.servers)
        across = [
            {a, b}
            for a, b, zone in links
            if not zone and ({a, b} & set(first.servers)) and ({a, b} & set(second.servers))
        ]
        assert one.links <= len(across)
        assert one.servers or one.links
    # The discs hang together as the servers do; those without links are one group.
    hang = components([(a, b) for a, b, _ in links], NAMES)
    alone = sum(len(one) == 1 for one in hang)
    assert len(components([one.ends for one in seen.bundles], range(len(seen.discs)))) == len(
        hang
    ) - max(0, alone - 1)


def components(pairs, names) -> list[set]:
    found = [{name} for name in names]
    for pair in pairs:
        joined = [part for part in found if part & set(pair)]
        found = [part for part in found if part not in joined] + [set().union(*joined)]
    return found


@settings(max_examples=draws(75), deadline=None)
@given(
    st.lists(
        st.builds(
            Disc,
            st.floats(-3000, 3000).map(round).map(float),
            st.floats(-3000, 3000).map(round).map(float),
            st.sampled_from([134.0, 212.0, 520.0]),
        ),
        max_size=30,
    )
)
def test_no_two_discs_overlap_wherever_they_want_to_be(wanted) -> None:
    placed = place_discs(wanted)
    assert [one.radius for one in placed] == [one.radius for one in wanted]
    for first, second in itertools.combinations(placed, 2):
        assert (
            math.dist((first.x, first.y), (second.x, second.y))
            >= first.radius + second.radius + GAP - 1e-6
        )
    assert all(one.x == round(one.x) and one.y == round(one.y) for one in placed)


@pytest.mark.parametrize("apart", [1.0, 30.0, 200.0])
def test_discs_that_want_to_be_near_to_each_other_are_moved_apart_in_their_order(apart) -> None:
    wanted = [Disc(x * apart, y * apart, 100.0) for y in range(10) for x in range(10)]
    placed = place_discs(wanted)
    wide = max(one.x for one in placed) - min(one.x for one in placed)
    high = max(one.y for one in placed) - min(one.y for one in placed)
    assert 1.5 <= wide * high / (100 * math.pi * 100**2) <= 4.0
    assert 1.2 <= wide / high <= 1.8
    for first, second in itertools.combinations(range(100), 2):
        if first % 10 == 0 and second % 10 == 9:
            assert placed[first].x < placed[second].x
        if first // 10 == 0 and second // 10 == 9:
            assert placed[first].y < placed[second].y


def test_a_disc_without_room_stands_beside_the_larger_one() -> None:
    larger, smaller = place_discs([Disc(0.0, 0.0, 300.0), Disc(0.0, 0.0, 100.0)])
    assert larger == Disc(0.0, 0.0, 300.0)
    assert 430.0 <= math.dist((0.0, 0.0), (smaller.x, smaller.y)) <= 470.0


@pytest.fixture(scope="module")
def meshes() -> Scene:
    """The company that speed is stated for, with forty hubs: 400 servers in 41 zones."""
    names, links = company(40)
    kinds = {"WAN": "mhop"}
    return draw(
        estate_of(
            names, [route(a, b, zone=zone, kind=kinds.get(zone, "1hop")) for (a, b), zone in links]
        ),
        readable=None,
    )


def test_the_backbone_shares_one_server_with_each_mesh(meshes) -> None:
    seen = overview(meshes)
    wan = disc(seen, "WAN")
    assert (wan.type, len(wan.servers), wan.links, len(seen.discs)) == ("mhop", 40, 39, 41)
    assert disc(seen, "C7").links == 45
    assert {one.servers for one in seen.bundles} == {(name,) for name in wan.servers}
    assert all(seen.discs.index(wan) in one.ends and not one.links for one in seen.bundles)
    assert wan.radius > disc(seen, "C7").radius
    for first, second in itertools.combinations(seen.discs, 2):
        assert math.dist((first.x, first.y), (second.x, second.y)) > first.radius + second.radius


def test_the_home_of_a_server_is_the_zone_in_which_it_has_most_links(meshes) -> None:
    homes = homes_of(meshes)
    assert meshes.zones[homes["HUB0003"]].name == "C3"
    assert set(homes) == {server.name for server in meshes.servers}


def test_a_disc_says_how_many_of_its_servers_are_reached(meshes) -> None:
    mesh = next(zone for zone in meshes.zones if zone.name == "C5").servers
    marks = dict.fromkeys(mesh, Mark.REACHED) | {
        mesh[0]: Mark.ASKED,
        mesh[8]: Mark.UNDETERMINED,
        mesh[9]: Mark.UNREACHABLE,
    }
    seen = overview(marked(meshes, marks))
    assert disc(seen, "C5").result == "reached 8/10; 1 undetermined"
    assert sum(many for _, many in disc(seen, "C5").shares) == 10
    assert disc(seen, "C6").result == "reached 0/10"


def test_another_answer_counts_what_it_says_and_nothing_else(meshes) -> None:
    mesh = next(zone for zone in meshes.zones if zone.name == "C5")
    marks = {
        mesh.servers[0]: Mark.ASKED,
        mesh.servers[1]: Mark.DELIVERED,
        mesh.servers[2]: Mark.TRANSIT,
    }
    block = BlockDrawn(
        mesh.servers[0],
        mesh.servers[3],
        mesh.links[2],
        "rejected",
        "a = 1",
        "FALSE",
        Source("f", 1),
    )
    scene = replace(marked(meshes, marks, "propagate"), blocks=(block,))
    seen = overview(scene)
    assert disc(seen, "C5").result == "asked from here; delivered at 1; passed 1; blocked 1 time"
    assert disc(seen, "C6").result == ""
    assert [one.blocked for one in seen.discs if one.blocked] == [1]


def test_a_path_passes_discs_with_the_numbers_of_its_steps() -> None:
    scene = scene_of(
        [("A", "B", "X"), ("B", "C", "Y"), ("C", "D", "Y"), ("D", "E", ""), ("E", "F", "")]
    )
    ways = ("A-B", "B-C", "C-D", "D-E", "E-F")
    steps = tuple(
        StepDrawn(number, link[0], link[2], link, "", "R1", "H", (), Source("f", 1))
        for number, link in enumerate(ways, 1)
    )
    path = PathDrawn("to F", tuple("ABCDEF"), steps)
    seen = overview(replace(scene, paths=(path, replace(path, shown=False))))
    (crossing,) = seen.crossings
    passed = [(seen.discs[number].name, first, last) for number, first, last in crossing.discs]
    assert passed == [("X", 1, 1), ("Y", 2, 4), ("around E", 4, 5)]
    (joint, link) = seen.bundles
    assert (joint.servers, joint.links, link.servers, link.links) == (("B",), 0, (), 1)


def test_a_disc_has_its_worst_finding_and_the_servers_whose_files_are_missing(meshes) -> None:
    worst = {"HUB0003": Severity.WARNING, "S00031": Severity.ERROR, "S00041": Severity.INFO}
    servers = tuple(
        replace(one, loaded=one.name not in ("S00051", "S00052")) for one in meshes.servers
    )
    seen = overview(replace(meshes, servers=servers), worst)
    assert [disc(seen, name).worst for name in ("C3", "C4", "C5", "WAN")] == [
        Severity.ERROR,
        Severity.INFO,
        None,
        Severity.WARNING,
    ]
    assert [disc(seen, name).unloaded for name in ("C3", "C5")] == [0, 2]


def test_findings_about_links_count_for_the_zones_of_the_links(meshes) -> None:
    def found(severity: Severity, server: str = "", link: str = "") -> FindingDrawn:
        return FindingDrawn("R20", severity, "text", Source("f", 1), server, link)

    link = next(one.id for one in meshes.links if one.zone == "C6")
    findings = (
        found(Severity.ERROR, link=link),
        found(Severity.ERROR, link="not in the picture"),
        found(Severity.WARNING, server="HUB0003"),
        found(Severity.INFO, server="HUB0003"),
    )
    seen = overview(replace(meshes, findings=findings))
    assert [disc(seen, name).worst for name in ("C3", "WAN", "C6", "C7")] == [
        Severity.WARNING,
        Severity.WARNING,
        Severity.ERROR,
        None,
    ]


def test_discs_count_all_findings_also_those_that_are_not_listed(meshes) -> None:
    def found(severity: Severity, server: str = "", link: str = "") -> FindingDrawn:
        return FindingDrawn("R20", severity, "text", Source("f", 1), server, link)

    link = next(one.id for one in meshes.links if one.zone == "C6")
    scene = replace(
        meshes,
        findings=(
            found(Severity.ERROR, link=link),
            found(Severity.WARNING, server="HUB0003"),
            found(Severity.INFO, server="HUB0003"),
        ),
        more_findings=(
            FindingsCounted("S00031", "", 0, 4),
            FindingsCounted("", link, 2, 0),
            FindingsCounted("S00071", "", 1, 1200),
        ),
    )
    seen = overview(scene)
    counts = {
        name: (disc(seen, name).errors, disc(seen, name).warnings)
        for name in ("C3", "WAN", "C6", "C7", "C8")
    }
    assert counts == {"C3": (0, 5), "WAN": (0, 1), "C6": (3, 0), "C7": (1, 1200), "C8": (0, 0)}
    assert disc(seen, "C7").worst is Severity.ERROR
    drawn = svg(scene)
    assert "findings: 1 error, 1,200 warnings" in drawn
    assert re.search(r'class="found c-bad"[^>]*>1,201</text>', drawn)


def test_a_chain_without_zones_is_cut_into_connected_groups_of_about_equal_size() -> None:
    names = tuple(f"R{number:03}" for number in range(400))
    seen = overview(scene_of([(a, b, "") for a, b in itertools.pairwise(names)], names))
    sizes = [len(one.servers) for one in seen.discs]
    assert sum(sizes) == 400
    assert 10 <= len(sizes) <= 30
    assert max(sizes) <= 60
    for one in seen.discs:
        inside = [(a, b) for a, b in itertools.pairwise(names) if {a, b} <= set(one.servers)]
        assert len(components(inside, one.servers)) == 1


def test_servers_around_one_are_one_group_and_those_without_links_another() -> None:
    names = ("HUB", *(f"L{number}" for number in range(30)), "alone 1", "alone 2")
    seen = overview(scene_of([("HUB", f"L{number}", "") for number in range(30)], names))
    assert [(one.name, len(one.servers), one.links) for one in seen.discs] == [
        ("around HUB", 31, 30),
        ("without links", 2, 0),
    ]


def test_servers_that_hang_on_servers_of_a_zone_alone_are_a_group_beside_it() -> None:
    links = [
        ("A", "B", "X"),
        *(("A", name, "") for name in ("E", "F")),
        ("B", "G", ""),
        ("C", "D", "Y"),
        ("D", "H", ""),
    ]
    seen = overview(scene_of(links, tuple("ABCDEFGH")))
    assert [(one.name, one.servers, one.links) for one in seen.discs] == [
        ("X", ("A", "B"), 1),
        ("Y", ("C", "D"), 1),
        ("next to X", ("E", "F", "G"), 0),
        ("H", ("H",), 0),
    ]
    assert [(one.ends, one.links) for one in seen.bundles] == [((0, 2), 3), ((1, 3), 1)]


def test_a_drawing_of_a_large_network_has_a_disc_a_zone_and_no_server(meshes) -> None:
    drawn = marked(meshes, {"HUB0001": Mark.REACHED})
    part = ET.fromstring(element(drawn, "picture", {"HUB0003": Severity.ERROR}))
    titles = [one.text or "" for one in part.iter("title")]
    assert len(meshes.servers) > EACH_SERVER
    assert "zone C3 (1hop)\n10 servers, 45 links\nworst finding: error\nreached 0/10" in titles
    assert sum(title.startswith("zone ") for title in titles) == 41
    # WAN spans the others: its links are drawn between them, not as spokes from its own disc.
    assert not any("\nin both: " in title for title in titles)
    assert titles.count("links of zone WAN, which spans others") == 1
    assert not any(title.startswith("S0") for title in titles)
    lines = [one.text or "" for one in ET.fromstring(svg(drawn)).iter(f"{SVG}text")]
    assert "; 10 servers" in lines[lines.index("Zones") + 1]
    assert "and 1 more" in lines


def test_every_server_of_a_large_network_is_drawn_where_that_is_wanted(meshes) -> None:
    titles = [one.text or "" for one in ET.fromstring(svg(meshes, whole=True)).iter(f"{SVG}title")]
    assert sum(title.startswith(("S0", "HUB")) and "\n" in title for title in titles) >= 400


def test_no_name_of_a_zone_or_server_becomes_markup_in_an_overview() -> None:
    evil = '</text><script>alert(1)</script>\x1b"'
    names = tuple(f"{number:03}{evil}" for number in range(EACH_SERVER + 1))
    scene = scene_of([(names[0], name, evil) for name in names[1:]], names)
    root = ET.fromstring(svg(scene))
    assert not [one for one in root.iter() if one.tag.endswith(("script", "image", "a"))]
    assert any(evil[:30] in (one.text or "") for one in root.iter(f"{SVG}title"))


def test_equal_scenes_have_equal_overviews(meshes) -> None:
    assert svg(meshes) == svg(
        replace(meshes, servers=tuple(ServerDrawn(**fields(one)) for one in meshes.servers))
    )


def fields(server: ServerDrawn) -> dict[str, object]:
    return {name: getattr(server, name) for name in ServerDrawn.__slots__}


@pytest.mark.parametrize("aside", [0.0, 40.0, -40.0])
def test_a_path_goes_around_a_disc_that_it_does_not_pass(aside: float) -> None:
    def at(name: str, x: float, y: float) -> DiscDrawn:
        return DiscDrawn(name, "1hop", -1, ("S",), 1, x=x, y=y, radius=60.0)

    discs = (at("A", 0, 0), at("BETWEEN", 300, aside), at("C", 600, 0))
    seen = Overview(discs, (), (CrossingDrawn("to C", ((0, 1, 2), (2, 3, 4))),), {})
    drawing = OverviewDrawing(scene_of([("A", "B", "X")]), seen)
    curve = drawing.between(0, 2)
    assert min(math.dist(curve.at(t / 100), (300, aside)) for t in range(101)) >= 65
    assert f'class="way" d="{curve.data}"' in "".join(drawing.body())
    assert drawing.between(0, 1).data == f"M0 0L300 {aside:.0f}"


def test_a_zone_that_spans_others_is_drawn_as_links_between_them(meshes) -> None:
    seen = overview(meshes)
    (wan,) = (number for number, zone in enumerate(meshes.zones) if zone.name == "WAN")
    (spine,) = seen.spines
    assert spine.disc == wan
    at = {disc.name: number for number, disc in enumerate(seen.discs)}
    hubs = [link.ends for link in meshes.links if link.zone == "WAN"]
    degree = Counter(end for ends in hubs for end in ends)
    # A hub has nine links in its mesh: with as many in WAN, the larger zone, it is at home there.
    home = {hub: at["WAN" if many >= 9 else f"C{int(hub[3:])}"] for hub, many in degree.items()}
    assert spine.pairs == tuple(sorted({tuple(sorted(home[end] for end in ends)) for ends in hubs}))
    named = {disc.name: disc.hub for disc in seen.discs if disc.zone != wan}
    assert named == {name: f"HUB{int(name[1:]):04d}" for name in named}
