"""IBM MQ, MQ Everyplace and service integration buses in one network: what lists and texts call
their servers, links and rows.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from systems import three_systems

import topograph
from topograph.forwarding.graph import GraphTables
from topograph.opening.folders import read_snapshot
from topograph.questions.text import text
from topograph.store.tables import from_arrow, to_arrow
from topograph.systems.registry import server_noun


@pytest.fixture
def root(tmp_path: Path) -> Path:
    three_systems.write(tmp_path)
    return tmp_path


def test_each_row_of_show_names_the_system_of_its_server(root: Path) -> None:
    network = topograph.read(root)
    systems = {row["server"]: row["system"] for row in network.show("servers").rows}
    for what in ("queues", "destinations", "channels", "connections", "routing-paths"):
        answer = network.show(what)
        assert {row["system"] for row in answer.rows} <= {"ibm_mq", "mqe", "sibus"}
        assert all(row["system"] == systems[row["server"]] for row in answer.rows)
        assert answer.columns[0] == "system"


def test_show_routes_names_each_link_and_says_its_kind(root: Path) -> None:
    rows = topograph.read(root).show("routes").rows
    assert ("QM1", "QM2", "QM1.QM2", "channel") in {
        (r["from"], r["to"], r["name"], r["role"]) for r in rows
    }
    assert ("Yard", "QM1", "to QM1", "MQ link") in {
        (r["from"], r["to"], r["name"], r["role"]) for r in rows
    }


def test_links_keep_name_and_role_in_tables(root: Path) -> None:
    (data,) = read_snapshot(root).data.values()
    tables: GraphTables = next(iter(data.tables))
    kept = from_arrow("links", to_arrow("links", tables.links, network="n", system=tables.system))
    assert list(kept) == list(tables.links)
    assert {"QM1.QM2", "TO.QM2"} <= {link.name for link in kept}


def test_answers_about_one_system_count_in_its_own_words(tmp_path: Path) -> None:
    three_systems.write(tmp_path, "sibus")
    network = topograph.read(tmp_path)
    assert text(network.reach("Office")).startswith("Office reaches 1 of 1 other bus.")
    assert text(network.hops_matrix()).startswith("Hops between 2 buses.")


def test_servers_of_several_systems_have_a_word_in_common_or_none() -> None:
    assert server_noun(["ibm_mq", "mqe"]) == "queue manager"
    assert server_noun(["ibm_mq", "sibus"]) == "server"
    assert server_noun([]) == "server"
