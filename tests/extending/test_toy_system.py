"""The toy system of docs/extending.md answers like a system of topograph's own: in one process
and on both engines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.errors import NotApplicable
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.questions.check import explained
from topograph.reporting import collect
from topograph.store.database import Database
from topograph.store.publication import publish_snapshot
from topograph.systems import assemble


def answers(network: Network) -> dict[str, Any]:
    """Everything a walk decides, without the name of the engine that walked."""
    names = network.server_names()
    made = {f"reach {name}": network.reach(name).to_dict() for name in names}
    made |= {f"paths {a} {b}": network.paths(a, b).to_dict() for a in names for b in names}
    made |= {f"hops {a} {b}": network.hops(a, b).to_dict() for a in names for b in names}
    made["matrix"] = network.hops_matrix().to_dict()
    made["check"] = network.check().to_dict()
    for answer in made.values():
        del answer["engine"]
    return made


def test_reach_follows_forward_lines_one_way_and_names_rule_and_line(relay: Path) -> None:
    answer = topograph.read(relay).reach("harbour")
    assert [(entry.server, entry.path) for entry in answer.servers] == [
        ("lighthouse", ("harbour", "mole", "lighthouse")),
        ("mole", ("harbour", "mole")),
        ("pier", ("harbour", "pier")),
    ]
    (step,) = answer.servers[2].steps
    assert (step.rule, str(step.source), step.guards) == (
        "RL-2",
        "harbour.relay:4:1",
        ("kind = fish",),
    )


def test_what_lies_behind_a_relay_without_a_file_is_undetermined(relay: Path) -> None:
    answer = topograph.read(relay).reach("lighthouse")
    assert answer.servers == answer.unreachable == ()
    assert [entry.server for entry in answer.undetermined] == ["harbour", "mole", "pier"]


def test_all_ways_are_found_shortest_first_and_none_passes_a_relay_twice(relay: Path) -> None:
    answer = topograph.read(relay).paths("harbour", "pier")
    assert [path.servers for path in answer.paths] == [
        ("harbour", "pier"),
        ("harbour", "mole", "pier"),
    ]
    assert not answer.truncated
    assert topograph.read(relay).paths("harbour", "pier", maximum=1).truncated


def test_there_is_no_way_back_along_a_one_way_link(relay: Path) -> None:
    with pytest.raises(NotApplicable, match="RL-3"):
        topograph.read(relay).reach("harbour", reply=True)


def test_a_peer_without_a_file_is_a_finding_at_its_line(relay: Path) -> None:
    (finding,) = topograph.read(relay).check().findings
    assert (finding["kind"], finding["source"]) == (
        "unknown-peer",
        {"file": "mole.relay", "line": 3, "column": 1},
    )


def test_a_line_that_is_not_understood_is_a_finding_and_the_rest_is_read(
    relay: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.relay").write_text("relay a\nforward b\nbackward c\n")
    network = topograph.read(tmp_path)
    assert ("not-understood", "backward c") in {
        (f["kind"], f["excerpt"]) for f in network.check().findings
    }
    assert [row["status"] for row in network.show("files").rows] == ["partly-read"]
    assert network.reach("a").servers[0].server == "b"


def test_relays_stand_beside_servers_of_other_systems(relay: Path, tmp_path: Path) -> None:
    (tmp_path / "a.relay").write_text("relay a\n")
    (tmp_path / "tibemsd.conf").write_text("server = EMS\nrouting = enabled\n")
    network = topograph.read(tmp_path)
    assert {(row["server"], row["system"]) for row in network.show("servers").rows} == {
        ("EMS", "ems"),
        ("a", "relay"),
    }
    assert [(entry.server, entry.system) for entry in network.reach("a", "EMS").undetermined] == [
        ("EMS", "ems")
    ]


def test_what_its_facts_declare_is_enough_to_redact_it(relay: Path) -> None:
    plain, redacted = topograph.read(relay), topograph.read(relay, redact=True)
    assert redacted.server_names() == plain.server_names()
    assert [entry.path for entry in redacted.reach("pier").servers] == [
        e.path for e in plain.reach("pier").servers
    ]


def test_links_of_networkx_keep_their_direction(relay: Path) -> None:
    graph = topograph.read(relay).to_networkx()
    assert graph.has_edge("mole", "pier")
    assert not graph.has_edge("pier", "mole")


@pytest.mark.neo4j
def test_both_engines_answer_alike(relay: Path, database: Database) -> None:
    from topograph.engines.neo4j import Neo4jEngine

    snapshot = read_snapshot(relay)
    publish_snapshot(database, snapshot, assemble)
    walked = network_of(
        snapshot, "estate", lambda graph: Neo4jEngine(database, snapshot.id, "estate", graph)
    )
    assert walked.engine_name == "neo4j"
    assert answers(walked) == answers(topograph.read(relay))


def test_a_system_without_a_rule_against_two_paths_is_not_judged(relay: Path) -> None:
    answer = topograph.read(relay).cycles()
    assert (answer.legal, answer.duplicates, answer.redundant) == (True, (), ())
    assert [caution.message for caution in answer.warnings] == [
        "Relay is not judged: none of its rules forbids more than one path"
    ]


def test_a_question_that_the_system_does_not_answer_is_refused(relay: Path) -> None:
    with pytest.raises(
        NotApplicable, match="interests is a question about TIBCO EMS; harbour runs Relay"
    ):
        topograph.read(relay).interests("harbour")
    with pytest.raises(
        NotApplicable, match=r"interests is a question about TIBCO EMS; network .* holds Relay"
    ):
        topograph.read(relay).interests()


def test_a_rule_of_the_system_is_explained_with_and_without_a_network_of_it(relay: Path) -> None:
    answer = topograph.read(relay).check(rule="RL-2")
    assert (answer.rule, answer.name) == ("RL-2", "Only if it matches")
    assert answer.sentence == "A line with when passes only messages that match it."
    assert explained("one way").rule == "RL-3"
    assert explained("relay:RL-1").name == "To every peer (Relay)"
    (found,) = topograph.read(relay).check(rule="unknown-peer").findings
    assert found["rule"] == "RL-1"


def test_what_to_do_about_a_finding_is_what_the_record_of_the_system_says(relay: Path) -> None:
    (first,) = collect(topograph.read(relay)._model).first
    assert first.do == "Load the file of the peer."
