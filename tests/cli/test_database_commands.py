"""``topograph db``, ``cypher`` and ``snapshots`` as a person uses them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from topograph.cli.main import exit_code
from topograph.store.database import Database
from topograph.store.publishing import publish_snapshot
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble
from topograph.workspace import read_snapshot

ORDERS = Path(__file__).parents[2] / "examples" / "orders"


def run(*arguments: str) -> Result:
    from topograph.cli.group import topograph

    return CliRunner().invoke(topograph, arguments)


@pytest.fixture
def snapshot_id(neo4j_environment: DatabaseAddress, database: Database, tmp_path: Path, network_name: str) -> str:
    shutil.copytree(ORDERS, tmp_path / network_name)
    return publish_snapshot(database, read_snapshot(tmp_path / network_name), assemble).snapshot


@pytest.mark.neo4j
def test_a_statement_of_topograph_is_run_by_its_name(snapshot_id: str, network_name: str) -> None:
    done = run("cypher", "reach", "--param", f"network={network_name}", "--param", "from=HUB")
    assert (done.exit_code, done.stdout) == (0, "server  hops\nCanada  1\nMexico  1\nUSA     1\n")


@pytest.mark.neo4j
def test_any_query_is_run_and_its_rows_written_as_json(snapshot_id: str, network_name: str) -> None:
    query = "MATCH (s:Server {network: $network}) WHERE s.n < $below RETURN s.name AS name, s.loaded AS loaded ORDER BY name"
    done = run("cypher", query, "--param", f"network={network_name}", "--param", "below=2", "--format", "json")
    assert json.loads(done.stdout) == [{"name": "Canada", "loaded": True}, {"name": "HUB", "loaded": True}]


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cypher", "CREATE (n)"], "Error: Neo4j does not run this statement: Writing in read access mode not allowed"),
        (["cypher", "MATCH (n RETURN n"], "Error: Neo4j does not run this statement: Invalid input"),
        (["cypher", "reach"], "Error: Neo4j does not run this statement: Expected parameter(s): network, from"),
        (["cypher", "nothing"], "Error: There is no statement 'nothing'"),
        (["cypher", "reach", "--param", "network"], "Error: --param takes name=value, not 'network'"),
    ],
)
def test_a_statement_that_cannot_be_run_is_said_in_one_line_and_ends_with_2(
    neo4j_environment: DatabaseAddress, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert exit_code(arguments) == 2
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.neo4j
def test_snapshots_are_listed_and_deleted(
    snapshot_id: str, network_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = {row["id"]: row for row in json.loads(run("snapshots", "list", "--format", "json").stdout)}
    assert listed[snapshot_id]["state"] == "published"
    assert listed[snapshot_id]["networks"] == listed[snapshot_id]["current"] == [network_name]
    done = run("snapshots", "delete", f"neo4j:{snapshot_id}")
    assert done.stdout == f"neo4j:{snapshot_id} is deleted. Without a current snapshot now: {network_name}.\n"
    assert exit_code(["snapshots", "delete", snapshot_id]) == 4
    assert f"does not hold the snapshot {snapshot_id}" in capsys.readouterr().err


def test_the_statements_that_people_can_ask_for_are_listed() -> None:
    listed = {row["ask"] for row in json.loads(run("cypher", "--format", "json").stdout)}
    assert "topograph cypher reach --param network=NAME --param from=SERVER" in listed
    assert not any("write" in ask for ask in listed)


def test_without_a_database_the_error_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TOPOGRAPH_NEO4J_URI", raising=False)
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    for arguments in (["snapshots", "list"], ["cypher", "RETURN 1"]):
        assert exit_code(arguments) == 4
        assert capsys.readouterr() == (
            "",
            "Error: No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph db start`.\n",
        )


def test_a_stopped_local_server_is_said_to_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    assert run("db", "status").stdout == "The local Neo4j 5.26.30 does not run.\n"
    assert json.loads(run("db", "status", "--format", "json").stdout)["state"] == "stopped"
    assert run("db", "stop").stdout == "The local Neo4j does not run.\n"
