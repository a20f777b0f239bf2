"""Publishing into a real Neo4j: what is published answers, whole and alone, whatever dies or
runs beside it.
"""

from __future__ import annotations

import dataclasses
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from topograph import cypher
from topograph.engines.neo4j import Neo4jEngine
from topograph.errors import DatabaseUnavailable, SnapshotNotPublished, UsageError
from topograph.forwarding.graph import EXPLICIT_FORWARDS_LIMIT, Closed, ForwardingGraph, GraphTables
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database, DatabaseSnapshot, connect, find_snapshot
from topograph.store.kept_tables import PART_BYTES, pack, unpack
from topograph.store.publication import (
    Publish,
    Published,
    PublishLost,
    abandon_publish,
    begin_publish,
    delete_snapshot,
    finish_publish,
    held_snapshots,
    network_rows,
    publish_snapshot,
    publishing,
    sweep,
    write_rows,
)
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.store.statements import statement
from topograph.store.tables import to_arrow
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

pytestmark = pytest.mark.neo4j

ORDERS = Path(__file__).parents[2] / "examples" / "orders"
ROUTERS = Path(__file__).parents[2] / "examples" / "routers"


@pytest.fixture
def orders(tmp_path: Path, network_name: str) -> MemorySnapshot:
    """The order example as a snapshot of a network that no other test has."""
    folder = tmp_path / network_name
    shutil.copytree(ORDERS, folder)
    return read_snapshot(folder)


def renamed(snapshot: MemorySnapshot, id_: str, *networks: str) -> MemorySnapshot:
    """The data of a snapshot of one network under another id, as several networks."""
    (data,) = snapshot.data.values()
    return MemorySnapshot(id_, f"test {id_}", dict.fromkeys(networks, data))


def graph_of(snapshot: MemorySnapshot) -> ForwardingGraph:
    return assemble(snapshot.graph_tables(snapshot.networks[0])[0])


def current(database: Database, network: str) -> list[tuple[str, str]]:
    """(snapshot id, state) of every CURRENT of a network."""
    _, found = database.query(
        "MATCH (:Network {name: $network})-[:CURRENT]->(s) RETURN s.id AS id, s.state AS state",
        {"network": network},
    )
    return [(row["id"], row["state"]) for row in found]


def counts(database: Database, publish: str) -> dict[str, int]:
    """How many nodes and relationships carry a publishing run's id, by label and type."""
    nodes = (
        "MATCH (n) WHERE n.publish = $publish UNWIND labels(n) AS kind RETURN kind, count(*) "
        "AS count"
    )
    relationships = (
        "MATCH ()-[r]->() WHERE r.publish = $publish RETURN type(r) AS kind, count(*) AS count"
    )
    return {
        row["kind"]: row["count"]
        for query in (nodes, relationships)
        for row in database.query(query, {"publish": publish})[1]
    }


def write_all(database: Database, run: Publish, snapshot: MemorySnapshot) -> None:
    for network in snapshot.networks:
        graphs = [assemble(tables) for tables in snapshot.graph_tables(network)]
        for kind, rows in network_rows(snapshot, network, graphs):
            write_rows(database, run, kind, rows)


def test_publishing_says_one_line_a_network(
    database: Database, orders: MemorySnapshot, network_name: str
) -> None:
    (network,) = orders.networks
    said: list[str] = []
    two = renamed(orders, f"told-{network_name}", network, f"{network}-too")
    publish_snapshot(database, two, assemble, said.append)
    counted = ", ".join(f"{len(rows):,} {kind}" for kind, rows in main_rows(orders).items())
    assert said == [f"{network}: {counted}", f"{network}-too: {counted}"]


def main_rows(snapshot: MemorySnapshot) -> dict[str, list[object]]:
    graph = graph_of(snapshot)
    return {
        "servers": list(graph.servers),
        "points": list(graph.points),
        "forwards": list(graph.forwards()),
    }


def test_a_published_snapshot_is_read_back_whole(
    database: Database, orders: MemorySnapshot
) -> None:
    (network,) = orders.networks
    done = publish_snapshot(database, orders, assemble)
    kept = DatabaseSnapshot(database, orders.id)
    assert (kept.id, kept.name, list(kept.networks)) == (orders.id, f"neo4j:{orders.id}", [network])
    assert done == Published(orders.id, done.publish, (network,), reused=False)
    assert current(database, network) == [(orders.id, "published")]
    place = {fact: (fact.bundle, fact.source) for fact in orders.facts(network)}
    assert list(kept.facts(network)) == sorted(orders.facts(network), key=place.__getitem__)
    routes = [fact for fact in kept.facts(network) if fact.kind == "route" and fact.server == "HUB"]
    assert list(kept.facts(network, kinds=["route"], server="HUB")) == routes
    assert routes
    assert sorted(kept.findings(network), key=str) == sorted(orders.findings(network), key=str)
    assert sorted(kept.files(network), key=str) == sorted(orders.files(network), key=str)
    assert kept.side_inputs(network) == orders.side_inputs(network)
    for own, given in zip(kept.graph_tables(network), orders.graph_tables(network), strict=True):
        assert (own.system, list(own.servers)) == (given.system, list(given.servers))
        assert (list(own.points), list(own.guards)) == (list(given.points), list(given.guards))


def test_the_database_holds_the_shape_that_the_design_draws(
    database: Database, orders: MemorySnapshot
) -> None:
    (network,) = orders.networks
    publish = publish_snapshot(database, orders, assemble).publish
    _, routes = database.query(cypher.load("routes"), {"network": network})
    assert [(row["server"], row["to"], row["zone"], row["configured_by"]) for row in routes] == [
        ("Canada", "HUB", "SALES", "HUB"),
        ("HUB", "Canada", "SALES", "HUB"),
        ("HUB", "Mexico", "SALES", "HUB"),
        ("HUB", "USA", "SALES", "active-active"),
        ("Mexico", "HUB", "SALES", "HUB"),
        ("USA", "HUB", "SALES", "active-active"),
    ]
    _, reached = database.query(cypher.load("reach"), {"network": network, "from": "USA"})
    assert [(row["server"], row["hops"], row["reached"]) for row in reached] == [
        ("HUB", 1, True),
        ("Canada", 2, True),
        ("Mexico", 2, True),
    ]
    _, zones = database.query(
        (
            "MATCH (s:Server {network: $network})-[:IN_ZONE]->(z:Zone) RETURN z.name AS "
            "zone, z.type AS type, count(s) AS servers"
        ),
        {"network": network},
    )
    assert zones == [{"zone": "SALES", "type": "mhop", "servers": 4}]
    graph = graph_of(orders)
    found = counts(database, publish)
    assert {
        kind: found[kind]
        for kind in ("Server", "Point", "Guard", "FORWARDS", "ROUTE", "Snapshot", "Finding")
    } == {
        "Server": 4,
        "Finding": len(orders.findings(network)),
        "Point": len(graph.points),
        "Guard": len(graph.guards),
        "FORWARDS": graph.forward_count,
        "ROUTE": 6,
        "Snapshot": 1,
    }


def test_what_a_person_clicks_on_says_it_in_words(
    database: Database, orders: MemorySnapshot
) -> None:
    (network,) = orders.networks
    publish_snapshot(database, orders, assemble)

    def row(query: str) -> dict[str, object]:
        (found,) = database.query(query, {"network": network})[1]
        return found

    topics = (
        "topic is global at HUB (invoices.>, orders); topic is global at Canada (invoices.>, "
        "orders)"
    )
    condition = f"{topics}; where topic is orders: country = 'Canada'"
    assert row(
        "MATCH (p:Point {network: $network, name: 'Canada|HUB'}) RETURN p.condition AS "
        "a, p.not_onward AS b"
    ) == {
        "a": condition,
        "b": "not back to HUB (R16)",
    }
    assert row(
        "MATCH (:Server {network: $network, name: 'HUB'})-[r:ROUTE]->({name: 'Canada'}) "
        "RETURN r.condition AS a"
    ) == {"a": condition}
    where = (
        "s.name AS server, p.direction AS direction, p.neighbour AS neighbour, p.file AS "
        "file, p.line AS line, g.topic AS topic"
    )
    selector = "{kind: 'selector', selector: \"country = 'Canada'\", network: $network}"
    assert row(f"MATCH (s:Server)-[p:SETS]->(g:Guard {selector}) RETURN {where}") == {
        "server": "HUB",
        "direction": "outgoing",
        "neighbour": "Canada",
        "file": "hub/routes.conf",
        "line": 7,
        "topic": "orders",
    }
    assert row(
        "MATCH (:Server {network: $network, name: 'HUB'})-[:DEFINES]->(d:Topic {name: "
        "'orders'}) RETURN d.global AS g, d.secure AS s"
    ) == {"g": True, "s": False}
    finding = orders.findings(network)[0]
    about = (
        "MATCH (f:Finding {network: $network})-[:ABOUT]->(s:Server) RETURN DISTINCT "
        "f.message AS message, s.name AS server"
    )
    assert {"message": finding.message, "server": finding.server} in database.query(
        about, {"network": network}
    )[1]


def test_routers_have_a_route_each_way(
    database: Database, tmp_path: Path, network_name: str
) -> None:
    shutil.copytree(ROUTERS, tmp_path / network_name)
    snapshot = read_snapshot(tmp_path / network_name)
    publish_snapshot(database, snapshot, assemble)
    _, routes = database.query(cypher.load("routes"), {"network": network_name})
    pairs = [(row["server"], row["to"]) for row in routes]
    assert sorted(pairs) == sorted((to, server) for server, to in pairs)
    assert ("FRA", "LON") in pairs


def test_writing_rows_again_changes_nothing(database: Database, orders: MemorySnapshot) -> None:
    """A task of a cluster that is repeated, after all or half of its rows were written, doubles
    nothing.
    """
    with publishing(database, orders.id, orders.networks) as run:
        write_all(database, run, orders)
        once = counts(database, run.publish)
        write_all(database, run, orders)
        assert counts(database, run.publish) == once
        finish_publish(database, run, orders.networks)
    assert counts(database, run.publish) == once


def test_a_snapshot_that_is_held_only_becomes_current_again(
    database: Database, orders: MemorySnapshot, network_name: str
) -> None:
    first = publish_snapshot(database, orders, assemble)
    other = publish_snapshot(
        database, renamed(orders, f"other-{network_name}", network_name), assemble
    )
    assert current(database, network_name) == [(other.snapshot, "published")]
    again = publish_snapshot(database, orders, assemble)
    assert again == Published(orders.id, first.publish, (network_name,), reused=True)
    assert current(database, network_name) == [(orders.id, "published")]


def test_twenty_publishes_at_once_leave_one_current(
    neo4j: DatabaseAddress, orders: MemorySnapshot, network_name: str
) -> None:
    """Each for the same two networks: both end at the same snapshot, and every publish is held."""
    names = [f"{network_name}-a", f"{network_name}-b"]
    snapshots = [renamed(orders, f"{network_name}-{number}", *names) for number in range(20)]
    done: list[Published] = []
    failed: list[BaseException] = []

    def publish(snapshot: MemorySnapshot) -> None:
        try:
            with connect(neo4j) as own:
                done.append(publish_snapshot(own, snapshot, assemble))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=publish, args=(snapshot,)) for snapshot in snapshots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(one.snapshot for one in done) == sorted(snapshot.id for snapshot in snapshots)
    with connect(neo4j) as database:
        assert len(current(database, names[0])) == 1
        assert current(database, names[0]) == current(database, names[1])
        for snapshot in snapshots:
            assert find_snapshot(database, snapshot.id).networks == tuple(names)


def test_publishes_of_the_same_snapshot_at_once_keep_one_copy(
    neo4j: DatabaseAddress, orders: MemorySnapshot, network_name: str
) -> None:
    with connect(neo4j) as database:
        runs = [begin_publish(database, orders.id, orders.networks) for _ in range(5)]
        for run in runs:
            write_all(database, run, orders)
        done: list[Published] = []

        def finish(number: int) -> None:
            with connect(neo4j) as own:
                done.append(finish_publish(own, runs[number], orders.networks))

        threads = [threading.Thread(target=finish, args=(number,)) for number in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (kept,) = {one.publish for one in done}
        assert sorted(one.reused for one in done) == [False, True, True, True, True]
        assert current(database, network_name) == [(orders.id, "published")]
        assert {run.publish: counts(database, run.publish).get("Point", 0) for run in runs} == {
            run.publish: len(graph_of(orders).points) if run.publish == kept else 0 for run in runs
        }


KILLED = """
import sys
from pathlib import Path
from topograph.opening.folders import read_snapshot
from topograph.store.database import connect
from topograph.store.publication import network_rows, publishing, write_rows
from topograph.systems import assemble

snapshot = read_snapshot(sys.argv[1])
(network,) = snapshot.networks
graphs = [assemble(tables) for tables in snapshot.graph_tables(network)]
with connect() as database, publishing(database, sys.argv[2], [network]) as run:
    for kind, rows in network_rows(snapshot, network, graphs):
        write_rows(database, run, kind, rows)
        if kind == "forwards":
            break
    print(run.publish, flush=True)
    sys.stdin.read()
"""


def test_a_killed_publish_leaves_the_old_snapshot_answering_and_is_swept_by_the_next(
    neo4j_environment: DatabaseAddress,
    database: Database,
    orders: MemorySnapshot,
    tmp_path: Path,
    network_name: str,
) -> None:
    first = publish_snapshot(database, orders, assemble)
    command = [sys.executable, "-c", KILLED, str(tmp_path / network_name), f"killed-{network_name}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        publish = process.stdout.readline().strip()
        assert counts(database, publish)["FORWARDS"] == graph_of(orders).forward_count

        # While it runs, it is left alone by others' sweeps.
        sweep(database)
        assert counts(database, publish)["FORWARDS"] == graph_of(orders).forward_count

        process.send_signal(signal.SIGKILL)
    assert current(database, network_name) == [(orders.id, "published")]
    engine = Neo4jEngine(database, orders.id, network_name, graph_of(orders))
    assert len(engine.walk([0], Closed())) == 4
    with pytest.raises(SnapshotNotPublished):
        find_snapshot(database, f"killed-{network_name}")
    states = {row["publish"]: row["state"] for row in held_snapshots(database)}
    assert (states[publish], states[first.publish]) == ("dead", "published")

    publish_snapshot(database, renamed(orders, f"next-{network_name}", network_name), assemble)
    # The node itself stays for a while, as a sign to batches that may be under way.
    assert counts(database, publish) == {"Snapshot": 1}
    assert counts(database, first.publish)["FORWARDS"] == graph_of(orders).forward_count


@pytest.mark.parametrize("command", ["publish again", "delete", "delete what is not there"])
def test_a_killed_publish_is_swept_by_whatever_publishes_or_deletes_next(
    neo4j_environment: DatabaseAddress,
    database: Database,
    orders: MemorySnapshot,
    tmp_path: Path,
    network_name: str,
    command: str,
) -> None:
    publish_snapshot(database, orders, assemble)
    arguments = [
        sys.executable,
        "-c",
        KILLED,
        str(tmp_path / network_name),
        f"killed-{network_name}",
    ]
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        publish = process.stdout.readline().strip()
        process.send_signal(signal.SIGKILL)
    if command == "publish again":
        assert publish_snapshot(database, orders, assemble).reused
    elif command == "delete":
        delete_snapshot(database, orders.id)
    else:
        with pytest.raises(SnapshotNotPublished):
            delete_snapshot(database, f"killed-{network_name}")
    assert counts(database, publish) == {"Snapshot": 1}


def test_a_run_that_was_given_up_can_neither_write_nor_finish(
    database: Database, orders: MemorySnapshot
) -> None:
    run = begin_publish(database, orders.id, orders.networks)
    abandon_publish(database, run)
    servers = to_arrow(
        "servers", graph_of(orders).servers, network=orders.networks[0], system="ems"
    ).to_pylist()
    with pytest.raises(PublishLost):
        write_rows(database, run, "servers", servers)
    with pytest.raises(PublishLost):
        finish_publish(database, run, orders.networks)
    assert counts(database, run.publish) == {"Snapshot": 1}


def test_a_publish_that_fails_leaves_nothing(
    database: Database, orders: MemorySnapshot, network_name: str
) -> None:
    class Failed(Exception):
        pass

    runs: list[Publish] = []

    def fail() -> None:
        with publishing(database, orders.id, orders.networks) as run:
            write_all(database, run, orders)
            runs.append(run)
            raise Failed

    with pytest.raises(Failed):
        fail()
    assert counts(database, runs[0].publish) == {"Snapshot": 1}
    assert current(database, network_name) == []


def test_a_deleted_snapshot_is_gone_with_all_its_rows(
    database: Database, orders: MemorySnapshot, network_name: str
) -> None:
    done = publish_snapshot(database, orders, assemble)
    kept = DatabaseSnapshot(database, orders.id)
    engine = Neo4jEngine(database, orders.id, network_name, graph_of(orders))
    assert delete_snapshot(database, orders.id) == (network_name,)
    assert counts(database, done.publish) == {}
    assert current(database, network_name) == []
    for ask in (lambda: engine.walk([0], Closed()), lambda: kept.facts(network_name)):
        with pytest.raises(SnapshotNotPublished):
            ask()
    with pytest.raises(SnapshotNotPublished, match=f"does not hold the snapshot {orders.id}"):
        delete_snapshot(database, orders.id)


def test_a_network_with_too_many_forwards_is_left_out_with_a_finding(
    database: Database, orders: MemorySnapshot, network_name: str
) -> None:
    (tables,) = orders.graph_tables(network_name)
    big = GraphTables(tables.system, [*tables.servers], tables.points, tables.guards)
    (data,) = orders.data.values()
    both = MemorySnapshot(
        f"both-{network_name}",
        "both",
        {
            network_name: data,
            f"{network_name}-big": NetworkData([big], data.facts, data.findings, data.files),
        },
    )

    def counted(given: GraphTables) -> ForwardingGraph:
        graph = assemble(given)
        return (
            dataclasses.replace(graph, forward_count=EXPLICIT_FORWARDS_LIMIT + 1)
            if given is big
            else graph
        )

    done = publish_snapshot(database, both, counted)
    assert done.networks == (network_name,)
    assert [finding.message for finding in done.findings] == [
        f"The network {network_name}-big has 5,000,001 forwards, more than 5,000,000: it "
        "is not published to Neo4j; questions about it "
        "are answered in memory."
    ]
    with pytest.raises(SnapshotNotPublished, match=f"{network_name}-big"):
        Neo4jEngine(database, both.id, f"{network_name}-big", graph_of(orders))


def test_reading_sessions_cannot_write(database: Database) -> None:
    with pytest.raises(UsageError, match="Writing in read access mode not allowed"):
        database.query("CREATE (:Intruder)", {})


def test_a_wrong_statement_is_a_usage_error_with_the_servers_words(database: Database) -> None:
    with pytest.raises(UsageError, match="Invalid input 'MATC'"):
        database.query("MATC (n) RETURN n", {})


@pytest.mark.parametrize(
    "uri", ["bolt://127.0.0.1:1", "http://127.0.0.1:7474", "nonsense", "bolt:"]
)
def test_where_no_database_answers_the_error_names_the_address(uri: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=uri):
        connect(DatabaseAddress(uri, "neo4j", "some password"))


@pytest.mark.parametrize("name", cypher.names())
def test_every_statement_says_what_it_answers_and_reads_as_cypher(
    database: Database, name: str
) -> None:
    database.ensure_schema()
    first, *header = cypher.header(name).splitlines()
    assert first == name  # Neo4j Browser takes the first line for the name of a favourite
    said = dict(line.partition(": ")[::2] for line in header)
    assert said["What"]
    assert said["Needs"].startswith("Neo4j 5.")
    statements: Sequence[str] = cypher.load(name).split(";")
    used = {word.split("}")[0] for statement in statements for word in statement.split("$")[1:]}
    texts = {"from", "to", "server", "name", "network", "snapshot", "topic", "channel"}
    texts |= {"destination", "before", "after"}
    parameters: dict[str, object] = {_identifier(word): [] for word in used}
    parameters |= {
        name: 1 if name == "limit" else "x" for name in parameters.keys() & {*texts, "limit"}
    }
    assert all(parameter in said.get("Parameters", "") for parameter in parameters)
    if name in cypher.names("questions"):
        assert said["Ask"].startswith(f"topograph cypher {name}")
        assert said["Returns"]
        assert {parameter for parameter, _ in statement(name).parameters} == set(parameters)
    database.writing(
        lambda transaction: [
            transaction.run("EXPLAIN " + statement, parameters).consume()
            for statement in statements
            if name != "schema"
        ]
    )


def _identifier(text: str) -> str:
    return next(
        (
            text[:at]
            for at, character in enumerate(text)
            if not (character.isalnum() or character == "_")
        ),
        text,
    )


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(DatabaseUnavailable) as refused:
        connect(DatabaseAddress("bolt://ann:hidden@127.0.0.1:1"))
    assert "hidden" not in str(refused.value)


def test_a_table_is_kept_in_parts_of_at_most_a_megabyte_and_in_partitions(
    orders: MemorySnapshot,
) -> None:
    (network,) = orders.networks
    facts = [
        dataclasses.replace(
            fact, bundle=f"{number}/{fact.bundle}", server=f"{number * 7919 % 100_003}"
        )
        for number in range(12_000)
        for fact in orders.facts(network)[:4]
    ]
    half = len(facts) // 2
    parts = [
        row
        for partition, own in enumerate((facts[half:], facts[:half]))
        for row in pack(
            "facts", to_arrow("facts", own, network=network), network=network, partition=partition
        )
    ]
    assert max(len(row["arrow"]) for row in parts) <= PART_BYTES
    assert sorted(unpack("facts", parts), key=str) == sorted(facts, key=str)
    assert [fact.bundle for fact in unpack("facts", parts)] == sorted(fact.bundle for fact in facts)
