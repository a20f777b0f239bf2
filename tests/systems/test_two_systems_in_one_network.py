"""A network of two systems: a server is (system, name), and nothing is claimed about messages
from one system to the other.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from systems import two_systems

import topograph
from topograph.cli.main import exit_code
from topograph.errors import UnknownServer
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
UNCONNECTED = (
    "no connection between TIBCO EMS and AMQ Interconnect is configured in the loaded files"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mixed")
    two_systems.write(root)
    return root


@pytest.fixture(scope="module")
def network(folder: Path) -> topograph.Network:
    return topograph.read(folder)


def test_servers_of_one_name_are_called_by_system_and_name(network):
    assert "LON" not in network.server_names()
    assert {"HQ", "PAR", "ems:LON", "amq_interconnect:LON"} <= set(network.server_names())


def test_an_ambiguous_name_is_refused_with_the_qualified_names(network):
    with pytest.raises(UnknownServer, match="write amq_interconnect:LON or ems:LON"):
        network.reach("HQ", "LON")


def test_both_servers_of_a_name_can_be_asked_about(network):
    answer = network.reach("HQ", "ems:LON")
    assert [(entry.server, entry.system, entry.path) for entry in answer.servers] == [
        ("LON", "ems", ("HQ", "LON"))
    ]
    assert (answer.to, answer.to_system) == ("LON", "ems")
    assert network.reach("amq_interconnect:LON", "PAR").servers[0].system == "amq_interconnect"


def test_a_server_that_is_called_by_a_qualified_name_though_it_need_not_is_found(network):
    assert network.reach("ems:HQ").from_ == "HQ"


def test_a_server_of_another_system_is_undetermined_and_the_reason_says_why(network):
    answer = network.reach("HQ", "PAR")
    assert (answer.servers, answer.unreachable) == ((), ())
    assert [(one.server, one.system, one.because) for one in answer.undetermined] == [
        ("PAR", "amq_interconnect", UNCONNECTED)
    ]


def test_reach_of_all_lists_the_servers_of_the_other_system_as_undetermined(network):
    answer = network.reach("HQ")
    assert [entry.server for entry in answer.servers] == ["LON"]
    assert answer.unreachable == ()
    assert {entry.system for entry in answer.undetermined} == {"amq_interconnect"}
    assert {"LON", "PAR"} <= {entry.server for entry in answer.undetermined}


def test_hops_paths_and_matrix_say_the_same_as_reach(network):
    hops = network.hops("HQ", "PAR")
    assert (hops.reachable, hops.route_hops) == ("unknown", None)
    assert UNCONNECTED in [warning.message for warning in hops.warnings]
    paths = network.paths("HQ", "PAR")
    assert (paths.paths, [entry.server for entry in paths.undetermined]) == ((), ["PAR"])
    matrix = network.hops_matrix()
    place = {pair: at for at, pair in enumerate(zip(matrix.servers, matrix.systems, strict=True))}
    row = matrix.hops[place["HQ", "ems"]]
    assert (row[place["LON", "ems"]], row[place["LON", "amq_interconnect"]]) == (1, None)
    assert [w.rule for w in matrix.warnings] == ["undetermined"]


def test_a_name_that_several_systems_share_is_a_finding_of_the_import(network):
    (finding,) = [
        entry for entry in network.check().findings if entry["kind"] == "ambiguous-server-name"
    ]
    assert "amq_interconnect:LON and ems:LON" in str(finding["message"])


def test_a_subscriber_at_an_ambiguous_server_is_named_by_system_and_name(network):
    answer = network.propagate("HQ", "topic:orders", subscribers=["ems:LON:topic:orders"])
    assert [(entry.server, entry.system, entry.subscriber) for entry in answer.deliveries] == [
        ("LON", "ems", "declared")
    ]


def test_an_expectation_of_a_server_that_is_not_connected_fails_both_ways(folder, tmp_path, capsys):
    keep(read_snapshot(folder), tmp_path / "mixed.snapshot")
    for expected in ("reachable", "unreachable"):
        words = ["reach", "HQ", "PAR", "--expect", expected, "-s", str(tmp_path / "mixed.snapshot")]
        assert exit_code(words) == 1
        assert "cannot be decided" in capsys.readouterr().out


def test_rows_of_several_systems_say_of_which_they_are(network):
    rows = network.show("routes").rows
    assert {(row["from"], row["to"]) for row in rows if row["system"] == "ems"} == {("HQ", "LON")}
    assert network.show("routes").columns[0] == "system"


def test_networkx_keeps_servers_of_one_name_apart(network):
    nodes = network.to_networkx().nodes
    assert {nodes["ems:LON"]["system"], nodes["amq_interconnect:LON"]["system"]} == {
        "ems",
        "amq_interconnect",
    }


def test_cycles_of_routers_alone_have_nothing_to_be_legal_by():
    answer = topograph.read(EXAMPLES / "routers").cycles()
    assert (answer.legal, answer.judged) == (True, False)


def test_a_picture_of_the_network_keeps_servers_of_one_name_apart(network):
    names = {server.name for server in network.scene().servers}
    assert {"ems:LON", "amq_interconnect:LON", "HQ", "PAR"} <= names


def test_a_picture_of_an_answer_shows_the_system_that_the_answer_is_about(network):
    names = {server.name for server in network.scene(network.reach("HQ")).servers}
    assert names == {"HQ", "LON"}
