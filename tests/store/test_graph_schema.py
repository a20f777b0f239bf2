"""What is published is what the definition of the graph says, and its pages and constraints are
made of it.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from topograph import cypher
from topograph.files import FileReport
from topograph.importers.side_inputs import parse
from topograph.opening.folders import read_snapshot
from topograph.side_inputs import OwnerEntry
from topograph.store.database import Database
from topograph.store.graph_rows import server_keys
from topograph.store.graph_schema import LABELS, OBJECT, OBJECT_LABELS, RELATIONS, RELATIONSHIPS
from topograph.store.object_rows import ends_of, object_rows
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.systems import assemble

EXAMPLES = Path(__file__).parents[2] / "examples"
SOME = ("retail", "queue_managers", "mqe_devices", "sibus_orders", "routers", "mixed", "orders")
OWNERS = b"""owners:
- {owner: shop team, server: HQ, contact: shop@example.com}
- {owner: ledger team, destination: "queue:sales.*", server: HQ}
- {owner: network, file: "*/routes.conf"}
"""


def test_what_is_written_has_the_labels_and_types_of_the_definition() -> None:
    written = re.findall(r"SET n:(\w+)\)", cypher.load("write_objects"))
    assert tuple(written) == OBJECT_LABELS
    made = re.findall(r"MERGE \(a\)-\[r:(\w+) ", cypher.load("write_relations"))
    assert tuple(made) == RELATIONS
    assert set(RELATIONS) <= {one.name for one in RELATIONSHIPS}


def test_owners_are_read_and_one_that_owns_nothing_is_an_error() -> None:
    text = OWNERS + b"- {owner: nobody}\n"
    found, findings = parse("topograph.yaml", text)
    assert [(one.owner, one.server, one.destination, one.file) for one in found.owners] == [
        ("shop team", "HQ", "", ""),
        ("ledger team", "HQ", "queue:sales.*", ""),
        ("network", "", "", "*/routes.conf"),
    ]
    assert [one.source.line for one in findings] == [5]


def test_owners_own_servers_destinations_or_files() -> None:
    """By patterns, worked out by hand here."""
    snapshot = read_snapshot(EXAMPLES / "retail")
    (network,) = snapshot.networks
    graphs = [assemble(tables) for tables in snapshot.graph_tables(network)]
    side_inputs, _ = parse("topograph.yaml", OWNERS)
    row = {"network": network, "system": "ems", "type": "queue", "server": "HQ", "file": ""}
    rows = [{**row, "name": name, "own": name, "line": 0} for name in ("sales.ledger", "stock")]
    ends = ends_of(network, server_keys(graphs, network=network), rows)
    files = [FileReport("hq/routes.conf", "read", server="HQ"), FileReport("x.conf", "unclaimed")]
    nodes, relations = object_rows([], files, side_inputs, graphs, rows, ends)
    owners = {each["values"]["name"]: each["values"]["contact"] for each in nodes[-3:]}
    assert owners == {"shop team": "shop@example.com", "ledger team": "", "network": ""}
    assert {(each["from"], each["to"]) for each in relations if each["type"] == "OWNS"} == {
        (f"{network}/owner/shop team", f"{network}/ems/server/HQ"),
        (f"{network}/owner/ledger team", f"{network}/ems/queue/HQ/sales.ledger"),
        (f"{network}/owner/network", f"{network}/file/hq/routes.conf"),
    }
    assert OwnerEntry("x").contact == ""


@pytest.fixture
def published(database: Database, network_name: str) -> dict[str, str]:
    """The publishing run of each example, by the name of its network."""
    found = {}
    for example in SOME:
        snapshot = read_snapshot(EXAMPLES / example)
        (data,) = snapshot.data.values()
        name = f"{network_name}-{example}"
        copy = MemorySnapshot(f"{snapshot.id}-{name}", "", {name: data})
        found[name] = publish_snapshot(database, copy, assemble).publish
    return found


def test_every_node_and_relationship_is_as_defined_and_every_example_shows_some(
    database: Database, published: dict[str, str]
) -> None:
    runs = {"runs": list(published.values())}
    nodes = (
        "MATCH (n) WHERE n.publish IN $runs RETURN DISTINCT labels(n) AS labels, keys(n) AS keys"
    )
    known = {one.name: {each.name for each in one.properties} for one in LABELS}
    for row in database.query(nodes, runs)[1]:
        (label,) = [each for each in row["labels"] if each in known]
        assert set(row["keys"]) <= known[label], row
        assert (OBJECT in row["labels"]) == (label in OBJECT_LABELS)
    between = (
        "MATCH (a)-[r]->(b) WHERE a.publish IN $runs RETURN DISTINCT labels(a) AS start, "
        "type(r) AS type, labels(b) AS end, keys(r) AS keys"
    )
    types = {one.name: one for one in RELATIONSHIPS}
    for row in database.query(between, runs)[1]:
        one = types[row["type"]]
        assert set(one.start) & set(row["start"]), row
        assert set(one.end) & set(row["end"]), row
        own = {each.name for each in one.properties} | {"own", "publish"}
        assert set(row["keys"]) <= own, row
    empty = [
        label.name
        for label in LABELS
        if not any(database.query(label.example, {"network": name})[1] for name in published)
    ]
    assert empty == ["Owner"]


def test_a_snapshot_leads_to_its_findings_and_those_to_their_files(
    database: Database, published: dict[str, str]
) -> None:
    query = (
        "MATCH (:Network {name: $network})-[:CURRENT]->(:Snapshot)-[:HAS_FINDING]->(f:Finding) "
        "OPTIONAL MATCH (f)-[:IN_FILE]->(p:File) RETURN f.file AS file, p.path AS path"
    )
    for name in published:
        rows = database.query(query, {"network": name})[1]
        snapshot = read_snapshot(EXAMPLES / name.rpartition("-")[2])
        (network,) = snapshot.networks
        paths = {report.path for report in snapshot.files(network)}
        assert sorted(row["file"] for row in rows) == sorted(
            one.source.file for one in snapshot.findings(network)
        )
        assert all(row["path"] == row["file"] for row in rows if row["file"] in paths)


def test_what_changed_between_two_snapshots(
    database: Database, tmp_path: Path, network_name: str
) -> None:
    folder = tmp_path / network_name
    shutil.copytree(EXAMPLES / "queue_managers", folder)
    (folder / "topograph.yaml").write_bytes(b"owners:\n- {owner: ann, server: HUB}\n")
    before = read_snapshot(folder)
    publish_snapshot(database, before, assemble)
    hub = folder / "HUB.mqsc"
    text = hub.read_text("utf-8")
    changed = text.replace("DEFINE QLOCAL('HUB.DEAD')", "* a line more\nDEFINE QLOCAL('HUB.GONE')")
    changed += (
        "DEFINE CHANNEL(NEW.ONE) CHLTYPE(SVRCONN) TRPTYPE(TCP) SSLCIPH(ANY_TLS12_OR_HIGHER)\n"
    )
    hub.write_text(changed, "utf-8")
    west = folder / "WEST.mqsc"
    west.write_text(re.sub(r"west\.example\(\d+\)", "moved(1)", west.read_text("utf-8")), "utf-8")
    after = read_snapshot(folder)
    publish_snapshot(database, after, assemble)
    rows = database.read("changes", network=network_name, before=before.id, after=after.id)
    told = {(row["change"], row["label"], row["server"], row["name"]) for row in rows}
    assert {
        ("removed", "Destination", "HUB", "HUB.DEAD"),
        ("added", "Destination", "HUB", "HUB.GONE"),
        ("added", "Channel", "HUB", "NEW.ONE"),
        ("changed", "Channel", "WEST", "SALES.WEST"),
    } <= told
    assert {label for _, label, _, _ in told} <= {"Destination", "Channel", "ROUTE", "Assumption"}
    (moved,) = [row for row in rows if (row["name"], row["label"]) == ("SALES.WEST", "Channel")]
    assert moved["what"] == ["connection_name: west.example(1414) -> moved(1)"]
    back = database.read("changes", network=network_name, before=after.id, after=before.id)
    mirrored = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {(mirrored[change], *rest) for change, *rest in told} == {
        (row["change"], row["label"], row["server"], row["name"]) for row in back
    }
    owned = database.read("owners-on-path", network=network_name, **{"from": "HUB", "to": "EAST"})
    assert [(row["server"], row["owners"]) for row in owned] == [("HUB", ["ann"]), ("EAST", [])]
