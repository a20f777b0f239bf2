"""Imports that publish to Neo4j: what the database holds is what the snapshot holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from topograph.network import open_network
from topograph.store.database import Database, DatabaseSnapshot
from topograph.store.parquet import open_snapshot
from topograph.store.where import DatabaseAddress

pytestmark = [pytest.mark.spark, pytest.mark.neo4j]

MESH = 12
COUNTS = {
    "servers": "MATCH (s:Server {network: $network}) RETURN count(s) AS answer",
    "points": "MATCH (p:Point {network: $network}) RETURN count(p) AS answer",
    "forwards": "MATCH (:Point {network: $network})-[f:FORWARDS]->() RETURN count(f) AS answer",
    "interests": "MATCH (:Server {network: $network})-[h:HOLDS]->() RETURN count(h) AS answer",
    "current": "MATCH (:Network {name: $network})-[:CURRENT]->(s:Snapshot) RETURN s.id AS answer",
}


def write_mesh(root: Path, servers: int = MESH) -> Path:
    """Servers in one 1hop zone, each linked to all, and a leaf on the first one over an mhop
    zone.
    """
    for number in range(servers + 1):
        folder = root / f"s{number}"
        folder.mkdir(parents=True, exist_ok=True)
        main = (
            f"server = S{number}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        )
        (folder / "tibemsd.conf").write_text(main)
        (folder / "topics.conf").write_text(f"orders global\nlocal.{number}\n")
        later = range(number + 1, servers) if number < servers else ()
        sections = [
            f"[S{other}]\nurl = tcp://s{other}:7222\nzone_name = Z\nzone_type = 1hop\n"
            for other in later
        ]
        if number == servers:
            sections = ["[S0]\nurl = tcp://s0:7222\n"]
        (folder / "routes.conf").write_text("\n".join(sections))
    return root


def ask(database: Database, network: str) -> dict[str, Any]:
    found = {name: database.query(text, {"network": network})[1] for name, text in COUNTS.items()}
    return {name: rows[0]["answer"] for name, rows in found.items()}


@pytest.mark.parametrize("by", ["Spark", "one client"])
def test_an_import_is_published_whole_and_becomes_current(
    by: str,
    monkeypatch: pytest.MonkeyPatch,
    importing: Callable[..., Any],
    neo4j_environment: DatabaseAddress,
    database: Database,
    network_name: str,
    tmp_path: Path,
) -> None:
    if by == "Spark":
        monkeypatch.setattr("topograph.pipeline.neo4j_sink.ONE_CLIENT_ROWS", 0)
    root = write_mesh(tmp_path / "net")
    first = importing([root], tmp_path / "s", network=network_name, neo4j="auto")
    assert first.neo4j == neo4j_environment.uri
    kept = open_snapshot(tmp_path / "s")
    held = DatabaseSnapshot(database, first.snapshot)
    assert list(held.networks) == [network_name]
    assert held.facts(network_name) == kept.facts(network_name)
    assert held.findings(network_name) == kept.findings(network_name)
    assert held.files(network_name) == kept.files(network_name)
    assert held.side_inputs(network_name) == kept.side_inputs(network_name)
    assert held.graph_tables(network_name) == kept.graph_tables(network_name)
    servers, links = MESH + 1, MESH * (MESH - 1) // 2 + 1
    forwards = first.networks[0].forwards
    assert ask(database, network_name) == {
        "servers": servers,
        "points": servers + 2 * links,
        "forwards": forwards,
        "interests": servers * (servers - 1),
        "current": first.snapshot,
    }
    assert forwards == len(kept.table("forwards", network_name))

    again = importing([root], tmp_path / "s", network=network_name, neo4j=neo4j_environment.uri)
    assert again.snapshot == first.snapshot
    assert ask(database, network_name)["forwards"] == forwards

    (root / "s0" / "topics.conf").write_text("orders\n")
    changed = importing([root], tmp_path / "s", network=network_name, neo4j="auto")
    assert ask(database, network_name)["current"] == changed.snapshot != first.snapshot
    for server in ("S0", f"S{MESH}"):
        answers = [
            open_network(str(tmp_path / "s"), network_name, engine).reach(server).to_dict()
            for engine in ("memory", "neo4j")
        ]
        assert [answer.pop("engine") for answer in answers] == ["memory", "neo4j"]
        assert answers[0] == answers[1]
