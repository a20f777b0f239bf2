"""What questions get: paths, hop counts, the way back, redundant parts; recorded networks and
the samples.
"""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest

from topograph.engines.memory import MemoryEngine
from topograph.facts.rows import decode, encode
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed
from topograph.importers.amq_interconnect import parse_text
from topograph.side_inputs import SideInputs
from topograph.systems import compile_network
from topograph.systems.amq_interconnect.routes.reach import hop_rows, reach_from, redundant, turned
from topograph.systems.amq_interconnect.routes.trees import compute_routes

TESTS = Path(__file__).parents[2]
GOLDEN = TESTS / "golden" / "amq_interconnect"
CASES = sorted(
    file.parent.name
    for file in GOLDEN.glob("*/observed.json")
    if '"op": "routes"' in file.read_text()
)
SAMPLES = (
    Path(os.environ.get("TOPOGRAPH_SAMPLES_DIR") or TESTS.parents[1] / "shared" / "samples")
    / "amq_interconnect"
)

needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="the sample configurations are not here"
)


@pytest.mark.parametrize("case", [case for case in CASES if not case.startswith("p16")])
def test_files_give_the_recorded_next_hops_and_costs(network_of, case):
    net = network_of(GOLDEN / case / "configs")
    observed = json.loads((GOLDEN / case / "observed.json").read_text())
    tables = next(step["routes"] for step in observed["steps"] if step["op"] == "routes")
    for at, rows in tables.items():
        recorded = {
            row["id"]: (row["cost"], row["nextHop"] or row["id"]) for row in rows if row["id"] != at
        }
        edges = net.reached(at) - tables.keys()
        assert {
            to: (net.cost(at, to), net.path(at, to)[1]) for to in net.reached(at) - edges
        } == recorded
        assert net.undetermined(at) == {}


def test_parallel_links_of_the_recorded_network_are_reported(network_of):
    net = network_of(GOLDEN / "p16_parallel_links_unstable" / "configs")
    (finding,) = [finding for finding in net.findings if finding.rule == "T-11"]
    assert finding.kind == "parallel-links"
    assert finding.message.startswith("2 parallel links between A and B with cost 2 to 6")


def test_hop_rows_count_the_steps_of_every_path(network_of):
    net = network_of(GOLDEN / "p02_ring5_costs" / "configs")
    rows = [row.tolist() for row in hop_rows(net.graph, MemoryEngine(net.graph), Budget())]
    assert rows == [
        [0, 4, 3, 2, 1],
        [4, 0, 1, 2, 3],
        [3, 1, 0, 1, 2],
        [2, 2, 1, 0, 1],
        [1, 3, 2, 1, 0],
    ]


def test_the_way_back_follows_the_other_routers_own_next_hops(network_of):
    net = network_of(GOLDEN / "p17_square_multicast_copies" / "configs")
    path = net.reached_from("A").paths[net.graph.server_number["C"]]
    names = [net.names[net.graph.points[point].server] for point in turned(net.graph, path)]
    assert (net.path("A", "C"), tuple(names)) == (("A", "B", "C"), net.path("C", "A"))


def test_redundant_parts_hold_every_link_used_by_a_route_or_not(network_of):
    ring = network_of(GOLDEN / "p02_ring5_costs" / "configs")
    line = network_of(GOLDEN / "p01_line3_distributions" / "configs")
    assert redundant(ring.graph) == (
        (("R1", "R2", "R3", "R4", "R5"), ("R1-R2", "R1-R5", "R2-R3", "R3-R4", "R4-R5")),
    )
    assert redundant(line.graph) == ()


def test_a_server_that_is_closed_breaks_the_paths_over_it(network_of):
    net = network_of(GOLDEN / "p02_ring5_costs" / "configs")
    closed = Closed(servers=frozenset({net.graph.server_number["R4"]}))
    found = reach_from(net.graph, MemoryEngine(net.graph), 0, Budget(), closed)
    assert {net.names[number] for number in found.paths} == {"R5"}


def test_points_come_first_by_server_and_forwards_once_per_ordered_pair(network_of):
    net = network_of(GOLDEN / "p04_edge_router" / "configs")
    assert [point.key for point in net.graph.points[:3]] == ["A=>A", "B=>B", "E=>E"]
    forwards = list(net.graph.forwards())
    assert sorted(forward.key for forward in forwards) == [
        "A=>B>B=>B",
        "A=>E>E=>E",
        "B=>A>A=>A",
        "B=>E>A=>E",
        "E=>A>A=>A",
        "E=>B>A=>B",
    ]
    assert net.graph.forward_count == len(forwards)


def test_the_tables_do_not_depend_on_the_order_of_facts_and_survive_rows():
    texts = {
        file.name: file.read_text()
        for file in (GOLDEN / "p09_router_failure_reroute" / "configs").iterdir()
    }
    facts = [
        entity
        for name in sorted(texts)
        for entity in parse_text("conf", texts[name], name).entities
    ]
    by_bundle = sorted(facts, key=lambda fact: fact.bundle, reverse=True)
    again = [decode(encode(fact)) for fact in by_bundle]
    assert compile_network(again, SideInputs()) == compile_network(facts, SideInputs())


VECTORS = json.loads((TESTS / "vectors" / "amq_interconnect_vectors.json").read_text())


def of(*ops):
    return [
        pytest.param(v["given"], v["ask"], v["expect"], id=v["id"])
        for v in VECTORS
        if v["ask"]["op"] in ops
    ]


def texts_of(given):
    """Configuration files whose links are those of a vector: one listener and one connector a
    link, each link its own port.
    """
    sections = {
        row["id"]: [["router", {"id": row["id"], "mode": row["mode"]}]] for row in given["routers"]
    }
    links = [
        (c["connector"], c["connectorCost"], c["listener"], c["listenerCost"], c["role"])
        for c in given.get("connections", ())
    ] + [(a, cost, b, 1, "inter-router") for a, b, cost in given.get("links", ())]
    for port, (from_, connector_cost, to, listener_cost, role) in enumerate(links, start=20_000):
        common = {"host": "127.0.0.1", "port": port, "role": role}
        sections[from_].append(["connector", {**common, "cost": connector_cost}])
        sections[to].append(["listener", {**common, "cost": listener_cost}])
    return {f"{id_}.json": json.dumps(rows) for id_, rows in sections.items()}


@pytest.mark.parametrize(("given", "ask", "expect"), of("routes"))
def test_routes_vectors(network, given, ask, expect):
    net = network(texts_of(given))
    table = compute_routes(net.links(), ask["at"])
    got = {
        to: {
            "cost": route.cost,
            "nextHop": route.next_hop,
            "validOrigins": list(route.valid_origins),
        }
        for to, route in table.routes.items()
    }
    assert got == expect["table"]
    assert {to: net.cost(ask["at"], to) for to in net.reached(ask["at"])} == {
        to: row["cost"] for to, row in got.items()
    }
    assert table.radius == expect.get("radius", table.radius)
    costs = {f"{a}-{b}": cost for a, b, cost in net.links()}
    assert expect.get("linkCost", costs) == costs


@pytest.mark.parametrize(("given", "ask", "expect"), of("path"))
def test_path_vectors(network, given, ask, expect):
    net = network(texts_of(given))
    path = net.path(ask["from"], ask["to"])
    got = {
        "cost": net.cost(ask["from"], ask["to"]),
        "nextHop": path[1],
        "path": list(path),
        "deterministic": True,
    }
    assert {**got, **expect} == got


@pytest.mark.parametrize(("given", "ask", "expect"), of("validOrigins"))
def test_valid_origins_vectors(network, given, ask, expect):
    routes = compute_routes(network(texts_of(given)).links(), ask["at"]).routes
    assert list(routes[ask["destination"]].valid_origins) == expect["validOrigins"]


@pytest.mark.parametrize(("given", "ask", "expect"), of("lint"))
def test_lint_vectors(network, given, ask, expect):
    net = network(texts_of(given))
    parallel = [finding for finding in net.findings if finding.kind == "parallel-links"]
    assert [
        f"between {' and '.join(row['routers'])} " in finding.message
        for finding, row in zip(parallel, expect["findings"], strict=True)
    ] == [True]
    steps = [forward for forward in net.graph.forwards() if forward.rule == "T-11"]
    assert bool(steps) is expect["unstable"]


EUROPE = "interconnect-eu.amq.svc.cluster.local"
STATES = "interconnect-us.amq.svc.cluster.local"


@needs_samples
def test_seven_routers_without_side_inputs_are_not_joined_by_guessing(network_of):
    net = network_of(SAMPLES / "rhsyseng_amq7")
    assert net.links() == []
    assert net.kinds == ["unmatched-connector"] * 6
    suggested = {
        finding.server: finding.message.rsplit("hosts: ", 1)[1] for finding in net.findings
    }
    assert suggested == {
        **dict.fromkeys(("US", "UK", "DE", "AU"), f'"{EUROPE}:5674": EU'),
        **dict.fromkeys(("CA", "ME"), f'"{STATES}:5674": US'),
    }
    outside = {f"{STATES}:5674", f"{EUROPE}:5674"}
    assert net.undetermined("CA").keys() == {"AU", "DE", "EU", "ME", "UK", "US"} | outside


@needs_samples
def test_seven_routers_with_hosts_make_two_stars(network_of):
    net = network_of(SAMPLES / "rhsyseng_amq7", hosts={EUROPE: "EU", STATES: "US"})
    assert net.findings == ()
    assert net.links() == [
        ("AU", "EU", 1),
        ("CA", "US", 1),
        ("DE", "EU", 1),
        ("EU", "UK", 1),
        ("EU", "US", 1),
        ("ME", "US", 1),
    ]
    assert net.path("CA", "UK") == ("CA", "US", "EU", "UK")
    assert net.cost("CA", "UK") == 3
    assert {name: net.undetermined(name) for name in net.names} == {key: {} for key in net.names}


@needs_samples
def test_three_routers_on_one_machine_in_old_syntax(network_of):
    net = network_of(SAMPLES / "ppatierno_redundancy")
    assert net.links() == [("Router.A", "Router.B", 1), ("Router.A", "Router.C", 1)]
    assert all("1.x refuses this file" in server.incomplete for server in net.graph.servers)


def test_sixty_routers_compile_into_next_hops_that_agree_with_the_tables(network):
    """A ring with chords: every path of the graph is the path of the route table."""
    count = 60
    links = [(n, (n + 1) % count, 1 + n % 3) for n in range(count)] + [
        (n, (n + 17) % count, 4) for n in range(0, count, 5)
    ]
    given = {
        "routers": [{"id": f"r{n}", "mode": "interior"} for n in range(count)],
        "links": [[f"r{a}", f"r{b}", cost] for a, b, cost in links],
    }
    net = network(texts_of(given))
    routes = compute_routes(net.links(), "r0").routes
    found = net.reached_from("r0")
    assert {
        net.names[to]: tuple(net.names[net.graph.points[point].server] for point in path)
        for to, path in found.paths.items()
    } == {to: route.path for to, route in routes.items()}
    for path in found.paths.values():
        assert all(end in net.graph.successors(start) for start, end in pairwise(path))
