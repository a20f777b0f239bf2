"""Pictures for other tools: read back by parsers that are not ours, whatever the names."""

from __future__ import annotations

import html
import itertools
import re
import shutil
import subprocess
import warnings
from dataclasses import replace

import networkx
import pydot
import pytest
import yaml
from drawn.networks import company, estate_of, example, route

from topograph.findings import Source
from topograph.forwarding.reached import LinkShown
from topograph.viz.formats import FORMATS, SUFFIXES, dot, graphml, mermaid
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Mark
from topograph.words.visible import clean

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    'a "quoted" name',
    "back\\slash",
    "ends in \\",
    "two\nlines",
    "]bracket[ {curly} |pipe|",
    "<b>bold</b> &amp; &lt;",
    "# comment // /* */ -- ;",
    "node",
    "subgraph",
    "end",
    "`tick` $x$ %%{init}%%",
    "\x1b[31m\x00 \u202e \ufffe",
    "\udcff",
    "Zürich 東京",
    "s0",
    "server 3",
    "",
)


def hostile_scene():
    """Every hostile name as a server, and as the zone of the link to the next."""
    pairs = [(a, b) if a < b else (b, a) for a, b in itertools.pairwise(HOSTILE)]
    links = [
        route(a, b, zone=f"zone {zone}", kind="1hop")
        for (a, b), zone in zip(pairs, HOSTILE, strict=False)
    ]
    return draw(estate_of(HOSTILE, links))


def answered():
    network = example("estate")
    return network.scene(network.propagate("HQ", "topic:orders", {"country": "Spain"}))


@pytest.mark.parametrize("form", list(FORMATS))
def test_equal_scenes_give_equal_text(form):
    assert FORMATS[form](answered()) == FORMATS[form](answered())


def test_every_suffix_names_a_format():
    assert set(SUFFIXES.values()) == set(FORMATS)


def parsed(text):
    with warnings.catch_warnings():
        # pydot calls pyparsing by its former names.
        warnings.simplefilter("ignore", DeprecationWarning)
        (graph,) = pydot.graph_from_dot_data(text)
    return graph


def nodes_of(graph):
    found = [node for part in (graph, *graph.get_subgraphs()) for node in part.get_nodes()]
    return [node for node in found if node.get_name() not in ("node", "edge", "graph")]


def shown(text):
    """What Graphviz shows of a quoted label: backslashes and HTML entities are read."""
    assert text[0] == text[-1] == '"'
    return html.unescape(re.sub(r"\\(.)", r"\1", text[1:-1]))


def test_dot_has_every_server_and_link_and_zones_as_clusters():
    graph = parsed(dot(answered()))
    assert sorted(shown(node.get("label")) for node in nodes_of(graph)) == sorted(
        example("estate").server_names()
    )
    assert len(graph.get_edges()) == 15
    clusters = {
        shown(part.get_attributes()["label"]): [
            shown(node.get("label")) for node in part.get_nodes()
        ]
        for part in graph.get_subgraphs()
    }
    assert clusters == {
        "BACKUP (1hop)": ["MIRROR", "VAULT"],
        "EUROPE (1hop)": ["FRANKFURT", "LONDON", "MADRID", "PARIS"],
        "REGIONS (mhop)": ["CANADA", "HQ", "MEXICO", "SINGAPORE", "TOKYO", "USA"],
        "STORES (mhop)": ["USA-EAST"],
    }


def test_dot_tells_steps_blocks_and_styles_apart():
    edges = {
        (edge.get_source(), edge.get_destination()): edge.get_attributes()
        for edge in parsed(dot(answered())).get_edges()
    }
    step = edges['"LONDON"', '"MADRID"']
    assert (shown(step["label"]), step["dir"], step["style"], shown(step["mark"])) == (
        "2",
        "forward",
        "bold",
        "path",
    )
    block = edges['"HQ"', '"CANADA"']
    assert (shown(block["label"]), block["arrowhead"], block["style"]) == (
        "the route selector does not let it pass",
        "tee",
        "dashed",
    )
    plain = parsed(dot(example("estate").scene())).get_edges()
    styles = {
        (e.get_source(), e.get_destination()): (e.get("dir"), shown(e.get("color"))) for e in plain
    }
    assert styles['"HQ"', '"USA"'] == ("none", "#6a6f76:#6a6f76")
    assert styles['"CANADA"', '"HQ"'] == ("back", "#6a6f76")
    assert styles['"HQ"', '"LONDON"'] == ("forward", "#6a6f76")


def test_dot_carries_every_name():
    scene = hostile_scene()
    graph = parsed(dot(scene))
    assert sorted(shown(node.get("label")) for node in nodes_of(graph)) == sorted(
        map(clean, HOSTILE)
    )
    names = {node.get_name(): shown(node.get("label")) for node in nodes_of(graph)}
    assert len(names) == len(HOSTILE)
    linked = {
        frozenset((names[edge.get_source()], names[edge.get_destination()]))
        for edge in graph.get_edges()
    }
    assert linked == {frozenset(map(clean, link.ends)) for link in scene.links}


def test_graphviz_takes_the_dot_file(tmp_path):
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed; pydot has parsed the same text above")
    drawn = subprocess.run(
        [program, "-Tsvg"],
        input=dot(hostile_scene()),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert "<svg" in drawn.stdout


def test_graphml_comes_back_with_its_types():
    scene = answered()
    graph = networkx.parse_graphml(graphml(scene), force_multigraph=True)
    assert graph.graph["verdict"] == scene.verdict
    assert graph.graph["exact"] is True
    for server in scene.servers:
        node = graph.nodes[server.name]
        assert (node["label"], node["x"], node["y"]) == (server.name, server.x, -server.y)
        assert (type(node["x"]), type(node["loaded"]), type(node["line"])) == (float, bool, int)
        assert (node["loaded"], node["line"], node["mark"]) == (
            server.loaded,
            server.source.line,
            server.mark,
        )
    edges = {key: (a, b, data) for a, b, key, data in graph.edges(keys=True, data=True)}
    assert edges.keys() == {link.id for link in scene.links}
    assert edges["LONDON-MADRID"][:2] == ("LONDON", "MADRID")
    assert (edges["LONDON-MADRID"][2]["steps"], edges["LONDON-MADRID"][2]["mark"]) == ("2", "path")


def test_graphml_keeps_costs_as_numbers_and_leaves_them_out_where_there_are_none():
    edges = {
        data["label"]: data
        for _, _, data in networkx.parse_graphml(graphml(example("routers").scene())).edges(
            data=True
        )
    }
    assert edges["cost 25"]["cost"] == 25
    assert "cost" not in edges[""]


def test_graphml_keeps_parallel_links():
    links = [LinkShown(("A", "B"), "", "", "A", cost, Source("A.conf", cost)) for cost in (1, 2, 3)]
    graph = networkx.parse_graphml(graphml(draw(estate_of("AB", links))), force_multigraph=True)
    assert sorted(data["cost"] for _, _, data in graph.edges(data=True)) == [1, 2, 3]


def test_graphml_carries_every_name():
    scene = hostile_scene()
    graph = networkx.parse_graphml(graphml(scene), force_multigraph=True)
    expected = sorted(clean(name).replace("\ufffe", "\ufffd") for name in HOSTILE)
    assert sorted(data["label"] for _, data in graph.nodes(data=True)) == expected
    assert len(graph.edges) == len(scene.links)


def test_graphml_of_a_large_network_is_the_whole_of_it():
    names, links = company(3)
    scene = draw(
        estate_of(names, [route(*sorted(ends), zone) for ends, zone in links]), readable=None
    )
    graph = networkx.parse_graphml(graphml(scene))
    assert (len(graph), graph.number_of_edges()) == (30, len(links))


TEXT = r'"(?:[\w .,:/()+=*@%-]|#\d+;)*"'
NODE = rf"s\d+(?:\(\[{TEXT}\]\)|\[\[{TEXT}\]\]|\{{{TEXT}\}}|\{{\{{{TEXT}\}}\}}|\[{TEXT}\])"
LINE = re.compile(
    "|".join(
        (
            rf"  (?:  )?{NODE}",
            rf"  subgraph z\d+\[{TEXT}\]",
            "  end",
            rf"  s\d+ (?:==>|--x|<-->|-->|-\.->|---)(?:\|{TEXT}\|)? s\d+",
            r"  classDef \w+ [\w:#,. -]+",
            r"  class s\d+(?:,s\d+)* \w+",
            r"  linkStyle \d+(?:,\d+)* stroke:#[0-9a-f]{6}",
            r"  %% \d+ links: the renderer's maxEdges has to allow them",
        )
    )
)


def body(text):
    """The lines of a flowchart, the title taken off; every line is of a form that Mermaid's
    grammar has.
    """
    opening, front, rest = text.split("---\n", 2) if text.startswith("---\n") else ("", "", "")
    assert opening == ""
    assert set(yaml.safe_load(front)) == {"title"}
    head, *lines = rest.splitlines()
    assert head == "flowchart LR"
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    opened = 0
    for line in lines:
        opened += line.startswith("  subgraph ") - (line == "  end")
        assert opened in (0, 1)
    assert opened == 0
    return lines


def labels(lines):
    """The text of each server by its id."""
    found = {}
    for line in lines:
        match = re.match(rf"\s+(s\d+)[^ ].*?({TEXT})", line)
        if match:
            found[match[1]] = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), match[2][1:-1])
    return found


def test_mermaid_has_every_server_link_and_zone():
    text = mermaid(answered())
    lines = body(text)
    names = {
        name if name != "TOKYO" else "TOKYO (not loaded)"
        for name in example("estate").server_names()
    }
    assert set(labels(lines).values()) == names
    assert sum(bool(re.match(r"  s\d+ ", line)) for line in lines) == 15
    assert [line for line in lines if "subgraph" in line] == [
        '  subgraph z0["BACKUP (1hop)"]',
        '  subgraph z1["EUROPE (1hop)"]',
        '  subgraph z2["REGIONS (mhop)"]',
        '  subgraph z3["STORES (mhop)"]',
    ]
    ids = {name: number for number, name in labels(lines).items()}
    assert f'  {ids["LONDON"]} ==>|"2"| {ids["MADRID"]}' in lines
    assert f'  {ids["HQ"]} --x|"the route selector does not let it pass"| {ids["CANADA"]}' in lines


def test_mermaid_carries_every_name():
    lines = body(mermaid(hostile_scene()))
    assert sorted(labels(lines).values()) == sorted(map(clean, HOSTILE))


def test_mermaid_says_that_a_renderer_stops_at_many_links():
    names, links = company(12)
    text = mermaid(draw(estate_of(names, [route(*sorted(ends), zone) for ends, zone in links])))
    assert f"  %% {len(links)} links: the renderer's maxEdges has to allow them" in body(text)


def test_no_format_holds_a_name_unescaped():
    scene = hostile_scene()
    for form in FORMATS.values():
        text = form(scene)
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "<img" not in graphml(scene)
    assert "<img" not in mermaid(scene)


def test_dot_draws_brokers_and_edge_routers_as_what_they_are():
    scene = example("routers").scene()
    graph = parsed(dot(scene))
    nodes = {shown(node.get("label")): node for node in graph.get_nodes() if node.get("label")}
    assert nodes["SHOP"].get("shape") == "house"
    assert shown(nodes["SHOP"].get("kind")) == "edge router"
    assert nodes["FRA"].get("shape") == "hexagon"
    broker = nodes["store.mesh.example.net:5672"]
    assert (broker.get("shape"), shown(broker.get("kind"))) == ("cylinder", "broker or container")
    edges = {(edge.get_source(), edge.get_destination()) for edge in graph.get_edges()}
    assert (nodes["FRA"].get_name(), broker.get_name()) in edges


def test_graphml_has_brokers_with_their_kind():
    scene = example("routers").scene()
    graph = networkx.parse_graphml(graphml(scene), force_multigraph=True)
    found = {data["label"]: (name, data["kind"]) for name, data in graph.nodes(data=True)}
    assert found["SHOP"][1] == "edge router"
    name, kind = found["store.mesh.example.net:5672"]
    assert kind == "broker or container"
    assert list(graph.neighbors(name)) == ["FRA"]


def test_mermaid_draws_brokers_and_edge_routers_as_what_they_are():
    text = mermaid(example("routers").scene())
    assert '[/"SHOP (edge router)"\\]' in text
    assert '{{"FRA"}}' in text
    fra = re.search(r'(s\d+)\{\{"FRA"\}\}', text)[1]
    broker = re.search(r'(a\d+)\[\("store.mesh.example.net:5672', text)[1]
    assert f"  {fra} -.- {broker}\n" in text


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize("form", list(FORMATS))
def test_every_format_draws_every_mark(form, mark):
    """Of servers and of links."""
    scene = answered()
    servers = tuple(replace(server, mark=mark) for server in scene.servers)
    links = tuple(replace(link, mark=mark) for link in scene.links)
    assert FORMATS[form](replace(scene, servers=servers, links=links))


def test_a_failure_is_drawn_in_every_format():
    network = example("routers")
    scene = network.scene(network.impact(["server:PAR"]))
    assert Mark.DOWN in {server.mark for server in scene.servers}
    for form in FORMATS.values():
        assert "PAR" in form(scene)
