"""Recorded dumps give what the routers had, and so do parts of them."""

from __future__ import annotations

import json
import shutil

import pytest
from systems.amq_interconnect.dumped import GOLDEN, RECORDED, Dump, findings, kinds, links

import topograph
from topograph.importers.amq_interconnect import parse_dump
from topograph.importers.amq_interconnect.dump import read_dump
from topograph.importers.positions.places import Placing
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.network.observed import observed_of
from topograph.systems.amq_interconnect.network.routers import routers_of


def recorded_routes(case):
    for file in case.glob("*.json"):
        for row in json.loads(file.read_text()):
            if row["type"].endswith("router.node") and "cost" in row:
                yield file.stem, row["id"], row["cost"], row.get("nextHop") or row["id"]


@pytest.mark.parametrize("with_files", [False, True], ids=["dumps alone", "dumps and files"])
@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.parent.name[:3])
def test_recorded_dumps_give_the_routes_that_the_routers_had(case, with_files, tmp_path):
    if case.parent.name.startswith("p16"):
        pytest.skip("its router tables contradict T-5 (README of the golden cases)")
    shutil.copytree(case, tmp_path / "dump")
    if with_files:
        shutil.copytree(case.parent / "configs", tmp_path / "configs")
    network = topograph.read(tmp_path)
    for here, there, cost, next_hop in recorded_routes(case):
        (path,) = network.paths(here, there).paths
        assert (path.cost, path.servers[1]) == (cost, next_hop)
    differences = {"differs", "not-running", "not-configured", "link-not-up", "link-not-configured",
        "route-differs", "router-not-running",
                   "router-not-loaded", "connector-not-connected", "neighbours-disagree",
                   "autolink-not-active"}  # fmt: skip
    assert not differences & set(kinds(network))


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case.parent.name[:3])
def test_tables_of_qdstat_alone_give_the_next_hops_and_say_where_a_cost_is_assumed(case, tmp_path):
    for file in case.glob("*.txt"):
        shutil.copy(file, tmp_path)
    network = topograph.read(tmp_path)
    if case.parent.name.startswith("p16"):
        assert findings(network, "parallel-links")
        return
    for here, there, _, next_hop in recorded_routes(case):
        answer = network.paths(here, there)
        assert answer.paths[0].servers[1] == next_hop
        assert any(
            "is in none of the dumps" in assumption.text for assumption in answer.assumptions
        )


def test_one_estate_of_files_dumps_and_tables_is_three_routers(tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    for name in (
        "configs/R1.conf",
        "configs/R2.conf",
        "dump/R2.json",
        "dump/R3.json",
        "dump/R4.qdstat.txt",
        "dump/R5.json",
    ):
        shutil.copy(case / name, tmp_path)
    network = topograph.read(tmp_path)
    assert sorted(network.server_names()) == ["R1", "R2", "R3", "R4", "R5"]
    assert network.paths("R1", "R2").paths[0].servers == ("R1", "R5", "R4", "R3", "R2")
    assert "duplicate-router-id" not in kinds(network)


def observed(case, router):
    return observed_in((GOLDEN / case / "dump" / f"{router}.json").read_text())


def observed_in(text):
    entities, _ = parse_dump(text, "d")
    ((found,), _) = routers_of(entities, SideInputs())
    return observed_of(found)


@pytest.mark.parametrize(
    ("status", "message", "container"),
    [
        ("SUCCESS", "[C7] Connection opened: dir=out host=h:55672 container_id=B", "C"),
        ("SUCCESS", "Connection opened: dir=out host=h:55672 container_id=B", "B"),
        ("SUCCESS", "", "A"),
        ("FAILED", "[C7] Connection to h:55672 failed: amqp:connection:framing-error", ""),
        ("CONNECTING", "", ""),
        ("", "", "A"),
    ],
)
def test_a_connector_leads_to_what_its_own_message_says_and_only_where_it_is_connected(
    status, message, container
):
    dump = Dump("R").connector("c", "A", status=status, message=message)
    dump.add("connection", identity="7", host="x:1", container="C", role="normal", dir="in")
    assert observed_in(json.dumps(dump.rows)).connected["c"].container == container


def test_receivers_are_the_endpoint_links_with_their_connections():
    seen = observed("p04_edge_router", "A")
    roles = {(one.address, one.phase, one.role, one.container, one.count) for one in seen.receivers}
    assert ("closest/z", "0", "edge", "E", 1) in roles
    assert {one.role for one in seen.receivers} <= {"edge", "normal"}
    assert not any("$management" in one.address or "temp." in one.address for one in seen.receivers)


@pytest.mark.parametrize("linked", [False, True])
def test_a_tcp_connector_is_one_destination_whether_its_link_is_shown_or_not(estate, linked):
    dump = Dump("A").add(
        "tcpConnector", identity="t", name="t", host="10.0.0.7", port="8080", address="web"
    )
    if linked:
        dump.add("connection", identity="7", container="TcpAdaptor", role="normal", dir="in")
        dump.add(
            "router.link", linkType="endpoint", linkDir="out", owningAddr="Mweb", connectionId="7"
        )
    (delivery,) = estate(dump).propagate("A", "address:web").deliveries
    assert delivery.receiver == (
        "TcpAdaptor at A" if linked else "tcpConnector to 10.0.0.7:8080 at A"
    )


def test_the_uplink_of_an_edge_router_is_no_receiver():
    seen = observed("p04_edge_router", "E")
    assert {(one.address, one.role) for one in seen.receivers} == {
        ("svc.e", "normal"), ("multicast/z", "normal"), ("both", "normal"), ("closest/z", "normal"),
    }  # fmt: skip
    assert (seen.active_uplink, seen.version) == ("A", "1.19.0")


def test_autolinks_are_receivers_of_the_container_and_have_a_state():
    seen = observed("p05_waypoint_autolinks", "B")
    assert [(one.address, one.phase, one.role, one.container) for one in seen.receivers] == [
        ("queue.one", "0", "route-container", "broker-one")
    ]
    assert [
        (one.address, one.direction, one.phase, one.target, one.active) for one in seen.statuses
    ] == [
        ("queue.one", "out", "0", "my_broker", True),
        ("queue.one", "in", "1", "my_broker", True),
    ]
    assert seen.connected["my_broker"].container == "broker-one"


def test_hosting_routers_are_those_that_the_address_table_names():
    assert observed("p05_waypoint_autolinks", "A").hosting[("queue.one", "0")] == ("B",)


def part_of_qdstat(case, router, command):
    """One table of a router's qdstat output, with the command line above it."""
    text = (case / "dump" / f"{router}.qdstat.txt").read_text()
    start = text.index(f"$ qdstat {command}")
    return text[start : text.find("$ ", start + 1)]


@pytest.mark.parametrize(
    "commands", [["-c"], ["-a"], ["-l"], ["-n"], ["-g"], ["-c", "-l"], ["-n", "-a"]], ids=" ".join
)
def test_a_file_and_any_tables_of_its_neighbour_are_read_without_a_fault(commands, tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    shutil.copy(case / "configs" / "R1.conf", tmp_path)
    (tmp_path / "R2.qdstat.txt").write_text(
        "".join(part_of_qdstat(case, "R2", command) for command in commands)
    )
    network = topograph.read(tmp_path)
    assert not findings(network, "internal-error")
    assert {"R1", "R2"} <= set(network.server_names())


def test_a_connection_table_alone_makes_its_router_a_neighbour(tmp_path):
    case = GOLDEN / "p02_ring5_costs"
    shutil.copy(case / "configs" / "R1.conf", tmp_path)
    (tmp_path / "R2.qdstat.txt").write_text(part_of_qdstat(case, "R2", "-c"))
    network = topograph.read(tmp_path)
    assert [server.server for server in network.reach("R1").servers] == ["R2"]
    assert network.trace("R1", "address:orders").outcome


@pytest.mark.parametrize(
    ("dump", "mode"),
    [
        (Dump("B").listener(), "interior"),
        (Dump("B").listener(role="edge"), "interior"),
        (Dump("B").connector("up", "", role="edge"), "edge"),
        (Dump("B").connector("c", "", role="route-container"), "standalone"),
    ],
)
def test_listeners_and_connectors_say_the_mode_of_a_router_too(dump, mode):
    dumped = read_dump(json.dumps(dump.rows), Placing("d"))
    ((found,), _) = routers_of(
        [entity for entity in dumped.entities if entity.type != "router"],
        SideInputs(),
        dumped.shown,
    )
    assert found.mode == mode


def test_a_neighbour_whose_file_gives_it_no_place_runs_with_another_configuration(estate):
    file = "router {\n  mode: standalone\n  id: B\n}\n"
    network = estate(Dump("A").neighbours("B"), files={"B.conf": file})
    assert not findings(network, "internal-error")
    (said,) = findings(network, "runs-otherwise")
    assert (
        "B, as it is loaded, has the mode standalone: it runs with another configuration" in said[2]
    )
    assert [one.server for one in network.reach("A").undetermined] == ["B"]
    assert links(network) == []


ROUTER_TABLES = """\
[root@gate ~]# qdstat -n -v{option}
Routers in the Network
  router-id  next-hop  link  cost  neighbors          valid-origins
  ==================================================================
"""


def test_tables_of_routers_one_after_the_other_make_a_network_whose_findings_have_places(tmp_path):
    rows = {
        "": (
            "WEST       (self)    -           ['MID']            []",
            "MID        -         0     1     ['WEST', 'EAST']   []",
        ),
        " -r MID": (
            "WEST       -         0     1     ['MID']            []",
            "MID        (self)    -           ['WEST', 'EAST']   []",
            "EAST       -         1     1     ['MID']            []",
        ),
        " -r EAST": (
            "MID        -         0     1     ['WEST', 'EAST']   []",
            "EAST       (self)    -           ['MID']            []",
        ),
    }
    tables = (
        ROUTER_TABLES.format(option=option) + "".join(f"  {line}\n" for line in lines)
        for option, lines in rows.items()
    )
    (tmp_path / "routers.txt").write_text("".join(tables))
    network = topograph.read(tmp_path)
    assert links(network) == [("EAST", "MID", 1), ("MID", "WEST", 1)]
    assert [(kind, place) for kind, place, _ in findings(network, "single-point-of-failure")] == [
        ("single-point-of-failure", "routers.txt:11")
    ]
    assert all(row["source"]["line"] for row in network.check().findings)
