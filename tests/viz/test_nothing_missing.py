"""What the files configure stands in the picture: unresolved and standby links, costs, many
parallel links, links that leave a picture of a part.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import networkx as nx
import pytest
from drawn.networks import estate_of, example, route
from hypothesis import given
from hypothesis import strategies as st
from page_markup import rows_of

import topograph
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.reached import LinkShown
from topograph.viz.formats import FORMATS
from topograph.viz.layout.free_sides import free_side
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import HOST, LinkStyle, Mark
from topograph.viz.svg.document import svg
from topograph.viz.svg.links import LETTER, texts_beside
from topograph.viz.view import View

SVG = "{http://www.w3.org/2000/svg}"


def section(name: str, **attributes: object) -> str:
    lines = [f"    {key}: {value}" for key, value in attributes.items()]
    return "\n".join([f"{name} {{", *lines, "}", ""])


def router(
    folder: Path, name: str, port: int, *connectors: dict[str, object], mode: str = "interior"
) -> None:
    parts = [section("router", mode=mode, id=name)]
    if mode == "interior":
        parts += [
            section("listener", host="0.0.0.0", port=port + n, role=r)
            for n, r in enumerate(["inter-router", "edge"])
        ]
    parts += [section("connector", **one) for one in connectors]
    (folder / f"{name}.conf").write_text("".join(parts))


def texts(drawing: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(drawing).iter(f"{SVG}text")]


def parallel(number: int, cost: int | None = None, ends: tuple[str, str] = ("A", "B")) -> LinkShown:
    return LinkShown(ends, "", "", "A", cost, Source("a.conf", number + 1))


@pytest.fixture
def three(tmp_path: Path) -> topograph.Network:
    """A with a connector to a host of which no file says what it is, and an edge with two
    uplinks.
    """
    router(tmp_path, "A", 5000, {"host": "elsewhere.example", "port": 5000, "role": "inter-router"})
    router(
        tmp_path, "B", 6000, {"host": "127.0.0.1", "port": 5000, "role": "inter-router", "cost": 3}
    )
    uplinks = [{"host": "127.0.0.1", "port": port, "role": "edge"} for port in (5001, 6001)]
    router(tmp_path, "E", 7000, *uplinks, mode="edge")
    return topograph.read(tmp_path)


def test_a_connector_whose_host_is_not_resolved_is_a_broken_link_to_its_host(three):
    scene = three.scene()
    (link,) = [one for one in scene.links if one.style is LinkStyle.UNRESOLVED]
    host = "elsewhere.example:5000"
    assert set(link.ends) == {"A", host}
    assert (link.configured_by, link.cost, str(link.source)) == ("A", None, "A.conf:15:1")
    assert link.because == "no loaded router listens on that port"
    drawn = {server.name: server for server in scene.servers}
    assert (drawn[host].shape, drawn[host].kind) == (HOST, "host that no loaded file explains")
    assert drawn["A"].shape != HOST
    assert scene.verdict.endswith("2 links (1 more unresolved, 1 more on standby).")
    assert host in texts(svg(scene))
    title = next(
        t
        for one in ET.fromstring(svg(scene)).iter(f"{SVG}title")
        if host in (t := one.text or "") and "A -" in t
    )
    assert link.because in title


def test_the_uplink_that_waits_is_drawn_beside_the_one_that_works(three):
    styles = {link.id: link.style for link in three.scene().links if "E" in link.ends}
    assert sorted(styles.values()) == [LinkStyle.STANDBY, LinkStyle.UPLINK]


def test_every_format_has_the_broken_link(three):
    scene = three.scene()
    for name, write in FORMATS.items():
        assert "elsewhere.example" in write(scene), name


def test_an_answer_does_not_walk_over_an_unresolved_link(three):
    scene = three.scene(three.paths("B", "A"))
    walked = {step.link for path in scene.paths for step in path.steps}
    assert walked
    assert all(link.style is LinkStyle.PLAIN for link in scene.links if link.id in walked)


def test_of_parallel_links_those_that_carry_messages_come_first():
    broken = dataclasses.replace(parallel(0, 1), because="it is not known what passes it")
    waiting = dataclasses.replace(parallel(1, 0), standby=True)
    scene = draw(estate_of("AB", [broken, waiting, parallel(2, 7)]))
    assert [link.style for link in scene.links] == [
        LinkStyle.PLAIN,
        LinkStyle.STANDBY,
        LinkStyle.UNRESOLVED,
    ]
    assert [link.cost for link in scene.links] == [7, None, None]


def test_costs_stand_at_links_where_they_say_something():
    alike = draw(estate_of("ABC", [parallel(0, 1), parallel(1, 1, ("B", "C"))]))
    assert not [text for text in texts(svg(alike)) if "cost" in text]
    differing = draw(estate_of("ABC", [parallel(0, 1), parallel(1, 5, ("B", "C"))]))
    assert [text for text in texts(svg(differing)) if "cost" in text] == ["cost 1", "cost 5"]


def test_fifty_parallel_links_are_one_line_with_their_number():
    scene = draw(estate_of("AB", [parallel(number, 1 + number) for number in range(50)]))
    assert len(scene.links) == 50
    root = ET.fromstring(svg(scene))
    assert (
        len(
            [
                one
                for one in root.iter(f"{SVG}g")
                if (one.get("class") or "").startswith("link c-line")
            ]
        )
        == 2
    )
    assert "×50, cost 1 to 50" in texts(svg(scene))
    few = draw(estate_of("AB", [parallel(number, 1) for number in range(3)]))
    assert not [text for text in texts(svg(few)) if "×" in text]


def test_of_many_parallel_links_the_line_looks_like_the_one_of_which_the_answer_says_something():
    scene = draw(estate_of("AB", [parallel(number) for number in range(9)]))
    links = tuple(
        dataclasses.replace(link, mark=Mark.GOES) if number == 6 else link
        for number, link in enumerate(scene.links)
    )
    assert "c-bad" in svg(dataclasses.replace(scene, links=links))


@given(
    st.integers(5, 12).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=2 * n),
            st.integers(0, n - 1),
        )
    )
)
def test_links_that_leave_a_picture_are_counted_with_what_lies_behind(made):
    number, pairs, centre = made
    names = [f"S{one:02}" for one in range(number)]
    links = [route(names[a], names[b]) for a, b in pairs if a != b]
    scene = draw(estate_of(names, links), around=(names[centre],), depth=1)
    graph = nx.Graph([link.ends for link in links])
    graph.add_nodes_from(names)
    shown = {server.name for server in scene.servers}
    assert shown == {names[centre], *graph.neighbors(names[centre])}
    rest = graph.subgraph(set(names) - shown)
    for server in scene.servers:
        near = set(graph.neighbors(server.name)) - shown
        behind = (
            set().union(*(nx.node_connected_component(rest, name) for name in near))
            if near
            else set()
        )
        assert (server.hidden, server.behind) == (len(near), len(behind))
        said = f"+{len(near)} → {len(behind)}" if len(behind) > len(near) else f"+{len(near)}"
        assert not near or said in texts(svg(scene))
    rows = rows_of(embedded(View(scene).nodes, View(scene).edges, scene)["servers"])
    assert [tuple(row[14:16]) for row in rows] == [
        (one.hidden, one.behind) for one in scene.servers
    ]


def test_a_link_of_a_server_to_itself_is_a_loop():
    scene = draw(estate_of("AB", [route("A", "A"), route("A", "B")]))
    drawing = svg(scene)
    ET.fromstring(drawing)
    assert "nan" not in drawing
    assert " 0 1 1 .1 0" in drawing


def test_the_widest_side_of_a_server_is_where_no_link_is():
    assert free_side((0, 0), []) == 0
    assert round(free_side((0, 0), [(1, 0)]), 3) == 3.142
    assert round(free_side((0, 0), [(1, 0), (0, 1), (-1, 0)]), 3) == round(
        -3.14159 / 2 + 2 * 3.14159, 3
    )


@given(st.integers(2, 7), st.integers(0, 10**6))
def test_texts_at_links_cover_no_server_and_no_other_text_where_there_is_room(size, seed):
    """On a circle wide enough there is room beside every link of a ring."""
    names = [f"S{one}" for one in range(size)]
    ends = [(names[a], names[(a + 1) % size]) for a in range(size if size > 2 else 1)]
    links = [
        parallel(number, 2 + (seed >> number) % 9, (min(e), max(e)))
        for number, e in enumerate(ends)
    ]
    scene = draw(estate_of(names, links))
    places = {server.name: (server.x, server.y) for server in scene.servers}
    from topograph.viz.layout.bends import Bends
    from topograph.viz.svg.links import curve_of

    bends = Bends(places)
    said = [(curve_of(link, bends), f"cost {link.cost}") for link in scene.links]
    servers = [(x - 14, y - 14, x + 14, y + 14) for x, y in places.values()]
    boxes = list(servers)
    for (x, y), text in texts_beside(said, servers):
        wide = LETTER * len(text) / 2
        box = (x - wide, y - 10, x + wide, y + 2)
        for other in boxes:
            assert (
                box[2] <= other[0] or box[0] >= other[2] or box[3] <= other[1] or box[1] >= other[3]
            )
        boxes.append(box)


def finding(
    server: str, file: str, line: int, severity: Severity = Severity.WARNING, rule: str = "X-1"
) -> Finding:
    return Finding(
        "kind", severity, f"about {file}:{line}", Source(file, line), rule, server=server
    )


def drawn(findings: list[Finding], links: list[LinkShown]) -> list[tuple[str, str]]:
    estate = dataclasses.replace(estate_of("AB", links), findings=findings)
    return [(one.server, one.link) for one in draw(estate).findings]


def test_a_finding_is_at_the_link_whose_line_it_cites_else_at_its_server():
    link = LinkShown(("A", "B"), "", "", "A", None, Source("A/routes.conf", 7, 3))
    assert drawn([finding("A", "A/routes.conf", 7)], [link]) == [("", "A-B")]
    assert drawn([finding("A", "A/routes.conf", 8)], [link]) == [("A", "")]
    assert drawn([finding("", "A/routes.conf", 7)], [link]) == [("", "A-B")]
    other = LinkShown(("A", "B"), "", "", "B", None, Source("A/routes.conf", 7))
    assert drawn([finding("B", "A/routes.conf", 7)], [link, other]) == [("B", "")], (
        "a line of two links is neither's"
    )
    far = LinkShown(("A", "A"), "", "", "A", None, Source("A/routes.conf", 7))
    assert drawn([finding("B", "A/routes.conf", 7)], [far]) == [("B", "")], (
        "the server is no end of the link"
    )


def test_a_finding_of_an_unknown_server_is_at_the_server_of_its_file_if_there_is_but_one():
    assert drawn([finding("C", "A/tibemsd.conf", 4)], []) == [("A", "")]
    assert drawn([finding("C", "elsewhere.conf", 4)], []) == []
    assert drawn([finding("", "", 0)], []) == []


def test_findings_are_worst_first_and_each_once():
    made = [
        finding("A", "A/x", 1, Severity.INFO),
        finding("B", "B/x", 1),
        finding("A", "A/x", 9, Severity.ERROR),
    ]
    scene = draw(dataclasses.replace(estate_of("AB", []), findings=[*made, *made]))
    assert [one.severity for one in scene.findings] == [
        Severity.ERROR,
        Severity.WARNING,
        Severity.INFO,
    ]
    assert scene.worst == {"A": Severity.ERROR, "B": Severity.WARNING}


def test_the_picture_of_a_network_has_the_findings_of_check(three):
    scene = three.scene()
    rows = three.check().findings
    assert {(str(one.severity), one.rule, one.message) for one in scene.findings} <= {
        (row["severity"], row["rule"], row["message"]) for row in rows
    }
    (unmatched,) = [
        one for one in scene.findings if one.rule == "T-13" and "elsewhere" in one.message
    ]
    assert unmatched.link == "A-elsewhere.example:5000"


def test_a_drawing_has_a_badge_with_the_number_of_errors_and_warnings():
    made = [finding("A", "A/x", line) for line in range(12)] + [
        finding("B", "B/x", 1, Severity.ERROR)
    ]
    made.append(finding("B", "B/x", 2, Severity.INFO))
    drawing = svg(draw(dataclasses.replace(estate_of("AB", []), findings=made)))
    badges = [
        one
        for one in ET.fromstring(drawing).iter(f"{SVG}g")
        if (one.get("class") or "").startswith("badge")
    ]
    said = sorted((one.get("class"), "".join(one.itertext())) for one in badges)
    assert said == [
        ("badge c-bad", "1"),
        ("badge c-bad", "3"),
        ("badge c-doubt", "12"),
        ("badge c-doubt", "3"),
    ]
    assert "error: X-1 about B/x:1 (B/x:1)" in drawing
    assert "about B/x:2" not in drawing


def test_edge_routers_have_a_shape_of_their_own(three):
    kinds = {
        server.name: (server.kind, server.shape)
        for server in three.scene().servers
        if server.loaded
    }
    assert kinds == {
        "A": ("router", "hexagon"),
        "B": ("router", "hexagon"),
        "E": ("edge router", "house"),
    }
    drawing = svg(three.scene())
    assert "edge router" in texts(drawing)


def test_a_container_stands_beside_the_first_server_that_connects_to_it():
    scene = example("routers").scene()
    assert [(one.name, one.kind, one.servers, str(one.source)) for one in scene.attached] == [
        ("archive.mesh.example.net:5672", "broker or container", ("PAR",), "paris.conf:55:1"),
        ("store.mesh.example.net:5672", "broker or container", ("FRA",), "frankfurt.conf:58:1"),
    ]
    servers = {server.name: (server.x, server.y) for server in scene.servers}
    spots = []
    for one in scene.attached:
        x, y = servers[one.servers[0]]
        spots.append((x + one.x, y + one.y))
        assert round(math.hypot(one.x, one.y)) == 62
    for here, there in itertools.combinations([*servers.values(), *spots], 2):
        assert math.dist(here, there) >= 44
    drawing = texts(svg(scene))
    assert "broker or container" in drawing
    assert any(text.startswith("store.mesh") for text in drawing)
    assert len(scene.servers) == 6, "a container is no server"


def test_a_picture_of_a_part_has_the_containers_of_its_servers():
    scene = example("routers").scene(around="SHOP", depth=1)
    assert [one.servers for one in scene.attached] == [("PAR",)]
