"""Named sets of servers: what the files state of them is what picture, page and drawing name. The
right answer is what each estate was drawn from.
"""

from __future__ import annotations

import json
import random
import re
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from drawn.networks import estate_of, route

import topograph
from topograph.viz.layout.zone_colours import COLOURS, PATTERNS, zone_colours
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.picture import draw as draw_scene
from topograph.viz.scene.records import LinkStyle, Scene
from topograph.viz.svg.document import svg

Groups = dict[tuple[str, str], tuple[str, ...]]
"""The members of each group by its kind and name."""

ESTATES = range(24)


def members(scene: Scene) -> Groups:
    found: dict[tuple[str, str], set[str]] = {}
    for zone in scene.zones:
        found.setdefault((zone.kind, zone.name), set()).update(zone.servers)
    return {key: tuple(sorted(names)) for key, names in sorted(found.items())}


def in_page(network: topograph.Network) -> Groups:
    """What the data of the page says."""
    view = network.view()
    data = embedded(view.nodes, view.edges, network.scene())
    texts = data["texts"]
    found: dict[tuple[str, str], set[str]] = {}
    for row in data["zones"]:
        key = (texts[row[6]], texts[row[0]])
        found.setdefault(key, set()).update(texts[name] for name in row[2])
    return {key: tuple(sorted(names)) for key, names in sorted(found.items())}


def named_in_drawing(scene: Scene) -> set[str]:
    return set(re.findall(r'<text class="name zone\d"[^>]*>([^<]*)</text>', svg(scene)))


def shows_exactly(network: topograph.Network, expected: Groups) -> None:
    scene = network.scene()
    assert members(scene) == expected
    assert in_page(network) == expected
    kinds = {kind for kind, _ in expected}
    assert scene.group_noun == (kinds.pop() if len(kinds) == 1 else "group" if kinds else "")
    for kind, name in expected:
        assert any(text.startswith(name) for text in named_in_drawing(scene)), (kind, name)
    links = [one for zone in scene.zones for one in zone.links]
    assert len(links) == len(set(links))


def queue_managers(folder: Path, draw: random.Random) -> Groups:
    """Queue managers, each a member of no, one or several clusters."""
    clusters = [f"CLUS{number}" for number in range(draw.randint(1, 4))]
    expected: dict[tuple[str, str], set[str]] = {}
    names = [f"QM{number}" for number in range(draw.randint(2, 9))]
    full = {cluster: draw.choice(names) for cluster in clusters}
    for name in names:
        own = {one for one in clusters if full[one] == name or draw.random() < 0.4}
        lines = [f"* Queue manager name: {name}", "DEFINE LISTENER('L') TRPTYPE(TCP) PORT(1414)"]
        for cluster in sorted(own):
            expected.setdefault(("cluster", cluster), set()).add(name)
            lines.append(
                f"DEFINE CHANNEL('{cluster}.{name}') CHLTYPE(CLUSRCVR) TRPTYPE(TCP) "
                f"CONNAME('{name.lower()}.example(1414)') CLUSTER('{cluster}')"
            )
            if full[cluster] != name:
                other = full[cluster]
                lines.append(
                    f"DEFINE CHANNEL('{cluster}.{other}') CHLTYPE(CLUSSDR) TRPTYPE(TCP) "
                    f"CONNAME('{other.lower()}.example(1414)') CLUSTER('{cluster}')"
                )
        (folder / f"{name}.mqsc").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {key: tuple(sorted(own)) for key, own in sorted(expected.items())}


@pytest.mark.parametrize("number", ESTATES)
def test_each_cluster_is_an_area_with_its_name(tmp_path: Path, number: int) -> None:
    expected = queue_managers(tmp_path, random.Random(number))
    network = topograph.read(tmp_path)
    shows_exactly(network, expected)
    names = {name for _, name in expected}
    words = f"{len(names)} {'cluster' if len(names) == 1 else 'clusters'}."
    assert network.scene().verdict.endswith(words)


@pytest.mark.parametrize("number", ESTATES)
def test_no_two_zones_look_alike(number: int) -> None:
    draw = random.Random(number)
    servers = [f"S{one}" for one in range(60)]
    zones = [
        (f"Z{draw.randint(0, 10**6)}-{one}", set(draw.sample(servers, draw.randint(1, 12))))
        for one in range(draw.randint(2, 40))
    ]
    found = zone_colours(zones, [], {})
    assert len(set(found.values())) == len(zones)
    looks = {name: (of % COLOURS, of % PATTERNS) for name, of in found.items()}
    assert len(set(looks.values())) == len(zones)
    # The largest differ in pattern alone: those that are larger than all others.
    ordered = sorted((len(own) for _, own in zones), reverse=True)
    least = ordered[PATTERNS] if len(ordered) > PATTERNS else 0
    largest = [name for name, own in zones if len(own) > least]
    assert len({found[name] % PATTERNS for name in largest}) == len(largest)
    # Up to so many colours, no two that share a server have the same.
    if len(zones) <= COLOURS:
        for (one, own), (other, others) in combinations(zones, 2):
            if own & others:
                assert found[one] % COLOURS != found[other] % COLOURS
    assert found == zone_colours(zones[::-1], [], {})


SIB = "http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi"
XMI = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmi:version="2.0" '
    'xmlns:xmi="http://www.omg.org/XMI" xmlns:sibresources="{space}">{inside}</xmi:XMI>\n'
)


def buses(folder: Path, draw: random.Random) -> tuple[Groups, dict[str, dict[str, set[str]]]]:
    """Buses of one to three cells with queues and members, and what each bus holds."""
    expected: dict[tuple[str, str], tuple[str, ...]] = {}
    inside: dict[str, dict[str, set[str]]] = {}
    number = 0
    for cell in [f"cell{one}" for one in range(draw.randint(1, 3))]:
        names = []
        for _ in range(draw.randint(1, 4)):
            number += 1
            bus = f"Bus{number}"
            names.append(bus)
            members = {f"C{one}" for one in range(draw.randint(1, 3))}
            queues = {f"Q.{one}" for one in range(draw.randint(1, 12))}
            inside[bus] = {
                "bus member": members,
                "messaging engine": {f"{one}.000-{bus}" for one in members},
                "queue": queues,
            }
            at = folder / "cells" / cell / "buses" / bus
            at.mkdir(parents=True)
            own = "".join(
                f'<busMembers cluster="{one}"><target engineName="{one}.000-{bus}"/></busMembers>'
                for one in sorted(members)
            )
            text = f'<sibresources:SIBus name="{bus}">{own}</sibresources:SIBus>'
            (at / "sib-bus.xml").write_text(XMI.format(space=SIB, inside=text), "utf-8")
            text = "".join(f'<sibresources:SIBQueue identifier="{one}"/>' for one in sorted(queues))
            (at / "sib-destinations.xml").write_text(XMI.format(space=SIB, inside=text), "utf-8")
        expected["cell", cell] = tuple(sorted(names))
    return expected, inside


@pytest.mark.parametrize("number", ESTATES)
def test_each_cell_is_an_area_and_each_bus_lists_what_it_holds(tmp_path: Path, number: int) -> None:
    expected, inside = buses(tmp_path, random.Random(number))
    network = topograph.read(tmp_path)
    shows_exactly(network, expected)
    for server in network.scene().servers:
        held = {kind: (count, names) for kind, count, names in server.holds}
        assert {kind: count for kind, (count, _) in held.items()} == {
            kind: len(names) for kind, names in inside[server.name].items()
        }
        for kind, (_, names) in held.items():
            assert list(names) == sorted(inside[server.name][kind])[: len(names)]
            assert len(names) == min(8, len(inside[server.name][kind]))


def devices(folder: Path, draw: random.Random) -> tuple[Groups, set[tuple[str, str]]]:
    """Gateways with devices; every connection of the files, by its ends."""
    gateways = [f"gate{number}" for number in range(draw.randint(1, 4))]
    expected: dict[tuple[str, str], set[str]] = {}
    connections: set[tuple[str, str]] = set()
    documents: list[dict[str, object]] = [
        {"kind": "mqe", "queueManager": name, "listeners": [{"name": "public", "port": 8081}]}
        for name in gateways
    ]
    for number in range(draw.randint(1, 8)):
        device = f"device{number}"
        own = draw.sample(gateways, draw.randint(1, min(2, len(gateways))))
        documents.append(
            {
                "kind": "mqe",
                "queueManager": device,
                "listeners": [],
                "connections": [
                    {"name": one, "type": "direct", "address": f"{one}.example", "port": 8081}
                    for one in own
                ],
                "queues": [{"type": "local", "name": "JOBS"}]
                + [
                    {"type": "remote", "name": "ORDERS", "qmgr": one, "mode": "async"}
                    for one in own
                    if draw.random() < 0.5
                ],
            }
        )
        for gateway in own:
            expected.setdefault(("gateway", gateway), {gateway}).add(device)
            connections.add((device, gateway))
    (folder / "devices.yaml").write_text(yaml.safe_dump_all(documents), "utf-8")
    return {key: tuple(sorted(own)) for key, own in sorted(expected.items())}, connections


@pytest.mark.parametrize("number", ESTATES)
def test_each_gateway_is_an_area_and_every_connection_is_a_line(
    tmp_path: Path, number: int
) -> None:
    expected, connections = devices(tmp_path, random.Random(number))
    network = topograph.read(tmp_path)
    shows_exactly(network, expected)
    links = network.scene().links
    assert {link.ends for link in links} >= connections
    idle = [link for link in links if link.style is LinkStyle.IDLE]
    carrying = {link.ends for link in links if link.style is not LinkStyle.IDLE}
    assert all(link.ends not in carrying and link.because for link in idle)
    words = f"({len(idle)} more idle)"
    assert (words in network.scene().verdict) == bool(idle)


def sites(folder: Path, draw: random.Random) -> Groups:
    """The status of a network of Skupper: sites of one to three routers, in a ring."""
    expected: dict[tuple[str, str], tuple[str, ...]] = {}
    routers: list[str] = []
    status: list[dict[str, object]] = []
    for number in range(draw.randint(2, 6)):
        site = f"site{number}"
        own = [f"{site}-router-{one}" for one in range(draw.randint(1, 3))]
        if len(own) > 1:
            expected["site", site] = tuple(own)
        routers += own
        status.append(
            {
                "site": {"identity": f"uid-{site}", "name": site, "namespace": f"ns-{site}"},
                "routerStatus": [
                    {
                        "router": {"name": f"0/{one}", "mode": "interior"},
                        "links": [],
                        "routerAccess": [],
                        "listeners": [],
                        "connectors": [],
                    }
                    for one in own
                ],
            }
        )
    (folder / "status.json").write_text(json.dumps({"addresses": [], "siteStatus": status}))
    return expected


@pytest.mark.parametrize("number", ESTATES)
def test_each_site_of_several_routers_is_an_area(tmp_path: Path, number: int) -> None:
    expected = sites(tmp_path, random.Random(number))
    shows_exactly(topograph.read(tmp_path), expected)


def edges(folder: Path, draw: random.Random) -> Groups:
    """Interior routers in a chain, each with edge routers that connect to it alone."""
    expected: dict[tuple[str, str], tuple[str, ...]] = {}
    interior = [f"R{number}" for number in range(draw.randint(1, 4))]
    for number, name in enumerate(interior):
        lines = [f"router {{\n mode: interior\n id: {name}\n}}"]
        for role, port in (("inter-router", 55671), ("edge", 45671)):
            lines.append(
                f"listener {{\n host: {name.lower()}.example\n port: {port}\n role: {role}\n}}"
            )
        if number:
            other = interior[number - 1].lower()
            lines.append(
                f"connector {{\n name: up\n host: {other}.example\n port: 55671\n"
                " role: inter-router\n}"
            )
        (folder / f"{name}.conf").write_text("\n".join(lines) + "\n", "utf-8")
        own = [f"{name}E{one}" for one in range(draw.randint(0, 4))]
        for edge in own:
            lines = [
                f"router {{\n mode: edge\n id: {edge}\n}}",
                f"connector {{\n name: up\n host: {name.lower()}.example\n port: 45671\n"
                " role: edge\n}",
            ]
            (folder / f"{edge}.conf").write_text("\n".join(lines) + "\n", "utf-8")
        if len(own) > 1:
            expected["edge group", name] = tuple(sorted([name, *own]))
    return dict(sorted(expected.items()))


@pytest.mark.parametrize("number", ESTATES)
def test_edge_routers_are_an_area_with_their_router(tmp_path: Path, number: int) -> None:
    expected = edges(tmp_path, random.Random(number))
    shows_exactly(topograph.read(tmp_path), expected)


@pytest.mark.parametrize("number", ESTATES)
def test_the_zones_of_ems_stay_areas(number: int) -> None:
    draw = random.Random(number)
    names = [f"S{one}" for one in range(draw.randint(2, 12))]
    links = [
        route(names[place - 1], name, zone=f"Z{draw.randint(0, 3)}")
        for place, name in enumerate(names)
        if place
    ]
    scene = draw_scene(estate_of(names, links))
    expected: dict[tuple[str, str], set[str]] = {}
    for link in links:
        expected.setdefault(("zone", link.zone), set()).update(link.ends)
    assert members(scene) == {key: tuple(sorted(own)) for key, own in sorted(expected.items())}
    named = named_in_drawing(scene)
    assert all(f"{name} (mhop)" in named for _, name in expected)
