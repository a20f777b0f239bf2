"""``topograph db``, ``cypher`` and ``snapshots`` as a person uses them."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from topograph import cypher
from topograph.cli.main import exit_code
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database
from topograph.store.graph_schema import DATABASE_SCHEMA
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

ORDERS = Path(__file__).parents[2] / "examples" / "orders"


def run(*arguments: str) -> Result:
    from topograph.cli.group import topograph

    return CliRunner().invoke(topograph, arguments)


@pytest.fixture
def snapshot_id(
    neo4j_environment: DatabaseAddress, database: Database, tmp_path: Path, network_name: str
) -> str:
    shutil.copytree(ORDERS, tmp_path / network_name)
    return publish_snapshot(database, read_snapshot(tmp_path / network_name), assemble).snapshot


@pytest.mark.neo4j
def test_a_statement_of_topograph_is_run_by_its_name(snapshot_id: str, network_name: str) -> None:
    done = run("cypher", "reach", "--param", f"network={network_name}", "--param", "from=HUB")
    assert (done.exit_code, done.stdout) == (
        0,
        (
            "server  system  hops  reached\nCanada  ems     1     true\nMexico  ems     1    "
            " true\nUSA     ems     1     true\n"
        ),
    )


@pytest.mark.neo4j
def test_any_query_is_run_and_its_rows_written_as_json(snapshot_id: str, network_name: str) -> None:
    query = (
        "MATCH (s:Server {network: $network}) WHERE s.n < $below RETURN s.name AS name, "
        "s.loaded AS loaded ORDER BY name"
    )
    done = run(
        "cypher",
        query,
        "--param",
        f"network={network_name}",
        "--param",
        "below=2",
        "--format",
        "json",
    )
    assert json.loads(done.stdout) == [
        {"name": "Canada", "loaded": True},
        {"name": "HUB", "loaded": True},
    ]


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["cypher", "CREATE (n)"],
            "Error: Neo4j does not run this statement: Writing in read access mode not allowed",
        ),
        (
            ["cypher", "MATCH (n RETURN n"],
            "Error: Neo4j does not run this statement: Invalid input",
        ),
        (
            ["cypher", "reach"],
            "Error: The statement reach needs --param network=... and --param from=...",
        ),
        (["cypher", "nothing"], "Error: There is no statement 'nothing'"),
        (
            ["cypher", "reech"],
            (
                "Error: There is no statement 'reech'; `topograph cypher` lists those there "
                "are. Did you mean reach?"
            ),
        ),
        (
            ["cypher", "zones", "--param", "network=nowhere"],
            "Error: The database holds no network 'nowhere'",
        ),
        (
            ["cypher", "propagate", "--param", "network=n", "--param", "from=A"],
            "Error: Say where the message goes",
        ),
        (
            ["cypher", "reach", "--user", "ann"],
            "Error: --destination, --set, --subscriber and --user are about",
        ),
        (
            ["cypher", "reach", "--param", "network"],
            "Error: --param takes name=value, not 'network'",
        ),
    ],
)
def test_a_statement_that_cannot_be_run_is_said_in_one_line_and_ends_with_2(
    neo4j_environment: DatabaseAddress,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    assert exit_code(arguments) == 2
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.neo4j
def test_a_server_that_is_not_there_is_an_error_with_the_nearest_name(
    snapshot_id: str, network_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "cypher",
        "hops",
        "--param",
        f"network={network_name}",
        "--param",
        "from=HUB",
        "--param",
        "to=Canda",
    ]
    assert exit_code(words) == 2
    assert capsys.readouterr().err == (
        f"Error: No server is called 'Canda' in network {network_name}. Did you mean Canada?\n"
    )


@pytest.mark.neo4j
def test_a_statement_that_a_system_does_not_offer_says_so(
    neo4j_environment: DatabaseAddress,
    database: Database,
    tmp_path: Path,
    network_name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ORDERS.with_name("routers"), tmp_path / network_name)
    publish_snapshot(database, read_snapshot(tmp_path / network_name), assemble)
    assert exit_code(["cypher", "multi-path-cycles", "--param", f"network={network_name}"]) == 2
    assert capsys.readouterr().err == (
        "Error: The statement multi-path-cycles is not offered for amq_interconnect "
        f"(network {network_name}). It is for ems.\n"
    )
    message = [
        "--param",
        f"network={network_name}",
        "--param",
        "from=LON",
        "--destination",
        "address:alerts",
    ]
    assert exit_code(["cypher", "propagate", *message]) == 2
    assert "not offered for amq_interconnect" in capsys.readouterr().err


@pytest.mark.neo4j
def test_a_server_name_of_two_systems_is_refused_with_the_qualified_names(
    neo4j_environment: DatabaseAddress,
    database: Database,
    tmp_path: Path,
    network_name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    snapshot = read_snapshot(ORDERS)
    (data,) = snapshot.data.values()
    routers = [
        dataclasses.replace(server, system="amq_interconnect") for server in data.tables[0].servers
    ]
    other = dataclasses.replace(
        data.tables[0], system="amq_interconnect", servers=routers, points=[], guards=[]
    )
    tables = [other, *data.tables]
    both = dataclasses.replace(data, tables=tables)
    publish_snapshot(
        database, MemorySnapshot(f"both-{network_name}", "test", {network_name: both}), assemble
    )
    words = ["cypher", "reach", "--param", f"network={network_name}", "--param"]
    assert exit_code([*words, "from=HUB"]) == 2
    assert capsys.readouterr().err == (
        f"Error: HUB is a server of several systems in network {network_name}. Name it "
        "as amq_interconnect:HUB or ems:HUB.\n"
    )
    assert exit_code([*words, "from=ems:HUB", "--format", "json"]) == 0
    assert [row["server"] for row in json.loads(capsys.readouterr().out)] == [
        "Canada",
        "Mexico",
        "USA",
    ]


PROPAGATED = ["--destination", "topic:orders", "--set", "country=Canada"]


@pytest.mark.neo4j
def test_a_message_is_followed_with_the_guards_it_fails(
    snapshot_id: str, network_name: str
) -> None:
    asked = [
        "cypher",
        "propagate",
        "--param",
        f"network={network_name}",
        "--param",
        "from=HUB",
        *PROPAGATED,
    ]
    done = run(*asked, "--format", "json")
    answer = read_snapshot_network(network_name).propagate(
        "HUB", "topic:orders", {"country": "Canada"}
    )
    assert [(row["server"], row["hops"]) for row in json.loads(done.stdout)] == [
        (delivery.server, delivery.hops) for delivery in answer.deliveries
    ]
    some = json.loads(run(*asked, "--subscriber", "Canada:orders", "--format", "json").stdout)
    assert some == [{"server": "Canada", "hops": 1, "received": True}]


@pytest.mark.neo4j
def test_a_printed_statement_says_when_its_snapshot_is_gone(
    snapshot_id: str, network_name: str, database: Database
) -> None:
    asked = [
        "cypher",
        "propagate",
        "--param",
        f"network={network_name}",
        "--param",
        "from=HUB",
        *PROPAGATED,
    ]
    printed = run(*asked, "--print").stdout
    lines = [line for line in printed.splitlines() if line.startswith(":param ")]
    assert f":param snapshot => '{snapshot_id}';" in lines
    assert ":param from => 'HUB';" in lines
    text = printed.removeprefix("\n".join(lines) + "\n")
    values = dict(line.removeprefix(":param ").removesuffix(";").split(" => ") for line in lines)
    _, (found,) = database.query(
        "RETURN {" + ", ".join(f"{k}: {v}" for k, v in values.items()) + "} AS given", {}
    )
    assert database.query(text, found["given"])[1][0] == {
        "server": "Canada",
        "hops": 1,
        "received": True,
    }
    run("snapshots", "delete", snapshot_id)
    gone = (
        f"The snapshot {snapshot_id} is not in this database, or another version of "
        "topograph wrote it: import or publish it again."
    )
    assert database.query(text, found["given"])[1] == [
        {"server": gone, "hops": None, "received": None}
    ]


@pytest.mark.neo4j
def test_data_of_an_earlier_schema_is_refused(
    snapshot_id: str, network_name: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """Versions before 2 wrote no schema."""
    forget = "MATCH (s:Snapshot {id: $id}) REMOVE s.schema"
    database.writing(lambda transaction: transaction.run(forget, {"id": snapshot_id}).consume())
    for words in (
        ["cypher", "servers", "--param", f"network={network_name}"],
        ["reach", "HUB", "-s", f"neo4j:{snapshot_id}"],
    ):
        assert exit_code(words) == 3
        assert (
            f"was published with schema 1; this topograph reads schema {DATABASE_SCHEMA}. "
            "Publish it again (topograph snapshots publish), or import the files again."
            in capsys.readouterr().err
        )


@pytest.mark.neo4j
def test_snapshots_are_listed_and_deleted(
    snapshot_id: str, network_name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = {
        row["id"]: row for row in json.loads(run("snapshots", "list", "--format", "json").stdout)
    }
    assert listed[snapshot_id]["state"] == "published"
    assert listed[snapshot_id]["networks"] == listed[snapshot_id]["current"] == [network_name]
    done = run("snapshots", "delete", f"neo4j:{snapshot_id}")
    assert (
        done.stdout
        == f"neo4j:{snapshot_id} is deleted. Without a current snapshot now: {network_name}.\n"
    )
    assert exit_code(["snapshots", "delete", snapshot_id]) == 4
    assert f"does not hold the snapshot {snapshot_id}" in capsys.readouterr().err


@pytest.mark.neo4j
def test_a_question_shows_the_cypher_that_it_ran_on_stderr(
    snapshot_id: str, network_name: str, database: Database
) -> None:
    asked = run(
        "hops",
        "USA",
        "Canada",
        "-s",
        f"neo4j:{snapshot_id}",
        "--engine",
        "neo4j",
        "--show-cypher",
        "--format",
        "json",
    )
    assert json.loads(asked.stdout)["engine"] == "neo4j"
    first = asked.stderr.split("\n\n")[0]
    assert first.startswith("// run 1 time\n:param start => '")
    lines = [line for line in first.splitlines() if line.startswith(":param ")]
    values = dict(line.removeprefix(":param ").removesuffix(";").split(" => ") for line in lines)
    _, (given,) = database.query(
        "RETURN {" + ", ".join(f"{k}: {v}" for k, v in values.items()) + "} AS given", {}
    )
    text = first[first.index("// walk") :]
    assert {row["hops"] for row in database.query(text, given["given"])[1]} == {1, 2}
    other = run(
        "hops", "USA", "Canada", "-s", f"neo4j:{snapshot_id}", "--engine", "memory", "--show-cypher"
    )
    assert other.stderr == "No Cypher was run: the question was answered in memory.\n"


def read_snapshot_network(name: str) -> Network:
    return network_of(
        dataclasses.replace(
            read_snapshot(ORDERS), data={name: next(iter(read_snapshot(ORDERS).data.values()))}
        ),
        name,
    )


def test_the_schema_that_a_pasted_statement_looks_for_is_the_one_that_is_written() -> None:
    assert f"schema: {DATABASE_SCHEMA}}}" in cypher.load("propagate")


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
            (
                "Error: No Neo4j is configured: set TOPOGRAPH_NEO4J_URI, or run `topograph "
                "db start`.\n"
            ),
        )


def test_a_stopped_local_server_is_said_to_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path))
    assert run("db", "status").stdout == "The local Neo4j 5.26.30 does not run.\n"
    assert json.loads(run("db", "status", "--format", "json").stdout)["state"] == "stopped"
    assert run("db", "stop").stdout == "The local Neo4j does not run.\n"
