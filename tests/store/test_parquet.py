"""Snapshots in Parquet: what is read back, what is refused, and what survives whatever happens
to an import.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import topograph.store.snapshot
from topograph.errors import InputError, SnapshotIncomplete, SnapshotNotFound, UnknownNetwork
from topograph.facts import Fact
from topograph.facts.ems import EmsRoute, EmsServer
from topograph.facts.names import FactNames
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import GraphTables, Guard, Server
from topograph.forwarding.points import Point
from topograph.pipeline.output import Run, begin_run, commit, sweep, write_table
from topograph.side_inputs import Client, HostEntry, SideInputs
from topograph.store.digests import BLOCK, digest
from topograph.store.identity import NetworkInputs, snapshot_id
from topograph.store.layouts import layout_text, read_layout
from topograph.store.parquet import NetworkEntry, open_snapshot, read_manifest
from topograph.store.records import Interest, fact_names, facts_chosen
from topograph.store.tables import ArrowTable, to_arrow

NETWORK = "net wörk/1=%"
SERVERS = [
    Server("A", "ems", True, Source("a.conf")),
    Server("B", "ems", False, Source("a.conf", 3)),
]
POINTS = [
    Point("A", "origin", 0),
    Point(
        "A>B", "arrival", 1, previous=0, link=0, zone="Z", guards=(0,), source=Source("a.conf", 3)
    ),
]
GUARDS = [Guard("g", "link", "the link is up", "{}", Source("a.conf", 3))]
FINDINGS = [Finding("x", Severity.WARNING, "m", Source("a.conf", 3))]
REPORTS = [FileReport("a.conf", "read", "main", "ems", "A", 3)]
INTERESTS = [Interest("B", "$TMP$.A.>", "A", 1)]
SIDE = SideInputs(
    hosts=(HostEntry("h", "A", Source("topograph.yaml", 2, 3)),),
    clients=(Client("A", "topic:orders", selector="x = 1"),),
    versions=(("*", "10.2"),),
)  # fmt: skip


def server(name: str) -> EmsServer:
    return EmsServer(bundle=f"{name}/main.conf", server=name, source=Source(f"{name}/main.conf", 1))


def route(name: str, to: str, line: int) -> EmsRoute:
    return EmsRoute(
        bundle=f"{name}/main.conf", server=name, source=Source("routes.conf", line), name=to
    )


STRICT = {"strict": False}
FACTS: list[Fact] = [
    server("A"),
    route("A", "B", 3),
    route("A", "C", 9),
    server("B"),
    route("B", "A", 3),
]


def write(
    root: Path,
    snapshot: str = "id-1",
    facts: list[Fact] = FACTS,
    options: Mapping[str, str | bool] = STRICT,
) -> Run:
    """A snapshot of one network, as an import writes it."""
    run = begin_run(root)
    files = [
        write_table(
            run.path,
            "facts",
            NETWORK,
            [to_arrow("facts", [fact for fact in facts if fact.kind == kind], network=NETWORK)],
            system="ems",
            kind=kind,
        )
        for kind in ("route", "server")
    ]
    for name, rows in (
        ("servers", SERVERS),
        ("points", POINTS),
        ("guards", GUARDS),
        ("interests", INTERESTS),
    ):
        files.append(
            write_table(
                run.path,
                name,
                NETWORK,
                [to_arrow(name, rows, network=NETWORK, system="ems")],
                system="ems",
            )
        )
    for name, records in (("findings", FINDINGS), ("sources", REPORTS)):
        files.append(
            write_table(run.path, name, NETWORK, [to_arrow(name, records, network=NETWORK)])
        )
    entry = NetworkEntry(NETWORK, "/in", 1, ("ems",), 2, 1, 2, 1, True, True, SIDE)
    commit(run, snapshot, options, [entry], files)
    return run


def test_a_snapshot_gives_back_what_was_written(tmp_path: Path) -> None:
    write(tmp_path / "s")
    snapshot = open_snapshot(tmp_path / "s")
    assert (snapshot.id, snapshot.name, list(snapshot.networks)) == (
        "id-1",
        str(tmp_path / "s"),
        [NETWORK],
    )
    assert snapshot.graph_tables(NETWORK) == [
        GraphTables("ems", SERVERS, snapshot.graph_tables(NETWORK)[0].points, GUARDS)
    ]
    assert list(snapshot.graph_tables(NETWORK)[0].points) == POINTS
    assert snapshot.facts(NETWORK) == sorted(FACTS, key=lambda fact: (fact.bundle, fact.source))
    assert snapshot.findings(NETWORK) == FINDINGS
    assert snapshot.files(NETWORK) == REPORTS
    assert snapshot.side_inputs(NETWORK) == SIDE
    assert snapshot.interests(NETWORK, "ems") == INTERESTS


def test_facts_are_chosen_by_kind_and_by_server(tmp_path: Path) -> None:
    write(tmp_path)
    snapshot = open_snapshot(tmp_path)
    assert snapshot.facts(NETWORK, kinds=("server",)) == [server("A"), server("B")]
    assert snapshot.facts(NETWORK, kinds=("route",), server="A") == [
        route("A", "B", 3),
        route("A", "C", 9),
    ]
    assert snapshot.facts(NETWORK, server="B") == [server("B"), route("B", "A", 3)]
    assert snapshot.facts(NETWORK, kinds=("bridge",)) == []
    assert snapshot.facts(NETWORK, server="Z") == []
    some = snapshot.facts(NETWORK, kinds=("route",), server=frozenset({"B", "Z"}))
    assert some == snapshot.facts(NETWORK, kinds=("route",), server="B")
    assert snapshot.facts(NETWORK, server=frozenset({"A", "B"})) == snapshot.facts(NETWORK)


def test_a_server_is_found_among_many_row_groups(tmp_path: Path) -> None:
    names = [f"S{number:05d}" for number in range(BLOCK + 10)]
    write(tmp_path, facts=[server(name) for name in names])
    snapshot = open_snapshot(tmp_path)
    assert [fact.server for fact in snapshot.facts(NETWORK, server=names[-1])] == [names[-1]]
    assert len(snapshot.facts(NETWORK)) == len(names)


def test_each_row_group_of_facts_is_read_once_for_one_server_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"S{number:05d}" for number in range(BLOCK + 10)]
    write(tmp_path, facts=[server(name) for name in names])
    read: list[int] = []
    row_group = pq.ParquetFile.read_row_group

    def counted(file: pq.ParquetFile, number: int, *args: object, **options: object) -> pa.Table:
        read.append(number)
        return row_group(file, number, *args, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", counted)
    snapshot = open_snapshot(tmp_path)
    for name in (names[3], names[-1], names[0], names[4]):
        assert [fact.server for fact in snapshot.facts(NETWORK, server=name)] == [name]
        assert [fact.server for fact in snapshot.facts(NETWORK, names={name})] == [name]
    assert sorted(read) == [0, 1]


def test_facts_are_chosen_by_name_and_streamed_in_one_order(tmp_path: Path) -> None:
    write(tmp_path)
    snapshot = open_snapshot(tmp_path)
    assert snapshot.facts(NETWORK, names={"B", "C"}) == [
        route("A", "B", 3),
        route("A", "C", 9),
        server("B"),
    ]
    assert snapshot.facts(NETWORK, server="B", names={"A"}) == [route("B", "A", 3)]
    assert snapshot.facts(NETWORK, names=()) == []
    assert list(snapshot.fact_stream(NETWORK)) == snapshot.facts(NETWORK)
    assert list(snapshot.fact_stream(NETWORK, kinds=("route",))) == snapshot.facts(
        NETWORK, kinds=("route",)
    )


@pytest.mark.parametrize("room", [0, 3, 100])
def test_facts_that_are_kept_are_those_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(topograph.store.snapshot, "FACTS_KEPT", room)
    write(tmp_path)
    read: list[dict[str, object]] = [
        {"server": "A"},
        {"kinds": ("route",), "names": {"B"}},
        {"server": frozenset({"B", "Z"}), "names": {"A", "B"}},
        {"names": ()},
        {"kinds": ("route",)},
        {},
    ]
    fresh = [open_snapshot(tmp_path).facts(NETWORK, **one) for one in read]
    snapshot = open_snapshot(tmp_path)
    for _ in range(2):
        assert snapshot.facts(NETWORK) == fresh[-1]
        assert [snapshot.facts(NETWORK, **one) for one in read] == fresh


def test_the_names_of_facts_are_known_with_their_bundles(tmp_path: Path) -> None:
    write(tmp_path)
    found = open_snapshot(tmp_path).fact_names(NETWORK, kinds=("route",))
    assert found == FactNames(
        {"A": 1, "B": 1, "C": 1}, frozenset({("A/main.conf", "A"), ("B/main.conf", "B")})
    )
    assert open_snapshot(tmp_path).fact_names(NETWORK, kinds=("bridge",)) == FactNames(
        {}, frozenset()
    )
    assert open_snapshot(tmp_path).fact_names(NETWORK) == FactNames.of(FACTS)


def test_facts_of_other_names_are_not_decoded() -> None:
    table = to_arrow("facts", FACTS, network=NETWORK)
    rows = table.select(["name", "payload"]).to_pylist()
    spoilt = [row["payload"] if row["name"] == "C" else "no JSON" for row in rows]
    table = table.set_column(table.schema.get_field_index("payload"), "payload", pa.array(spoilt))
    assert facts_chosen(ArrowTable(table), names={"C"}) == [route("A", "C", 9)]
    assert fact_names([ArrowTable(table)]) == FactNames.of(FACTS)
    with pytest.raises(json.JSONDecodeError):
        facts_chosen(ArrowTable(table), names={"B"})


def test_an_unknown_network_is_refused_with_those_there_are(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(UnknownNetwork, match=NETWORK):
        open_snapshot(tmp_path).findings("other")


def test_a_place_without_a_snapshot_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    for place in ("absent", "file", "folder"):
        with pytest.raises(SnapshotNotFound, match=place):
            open_snapshot(tmp_path / place)


def test_a_snapshot_whose_import_did_not_end_is_refused(tmp_path: Path) -> None:
    begin_run(tmp_path)
    with pytest.raises(SnapshotIncomplete, match="still running or was stopped"):
        open_snapshot(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"format": "other"}', "not the manifest"),
        ('{"format": "topograph-snapshot", "schema": 99, "tool": "7.0"}', "schema 99"),
        (
            '{"format": "topograph-snapshot", "schema": 2, "tool": "0.1.0"}',
            "schema 2 .* reads schema 3. Import the files again",
        ),
        ('{"format": "topograph-snapshot", "schema": 3}', "damaged"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_an_input_error(
    tmp_path: Path, text: str, message: str
) -> None:
    write(tmp_path)
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=message):
        open_snapshot(tmp_path)


def test_a_manifest_cannot_name_files_outside_the_snapshot(tmp_path: Path) -> None:
    write(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["tables"]["findings"]["files"][0]["path"] = "data/../../elsewhere.parquet"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="outside the snapshot"):
        open_snapshot(tmp_path)


def test_a_damaged_table_is_an_input_error(tmp_path: Path) -> None:
    write(tmp_path)
    for file in tmp_path.rglob("*.parquet"):
        file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(InputError, match="damaged"):
        open_snapshot(tmp_path).findings(NETWORK)


def test_lost_data_is_an_incomplete_snapshot(tmp_path: Path) -> None:
    write(tmp_path)
    shutil.rmtree(tmp_path / "data")
    with pytest.raises(SnapshotIncomplete, match="gone"):
        open_snapshot(tmp_path)


def test_a_new_import_replaces_the_snapshot_and_the_old_run_goes(tmp_path: Path) -> None:
    old = write(tmp_path, "old")
    old.lease.release()
    new = write(tmp_path, "new", FACTS[:1])
    assert sweep(tmp_path) == [old.name]
    assert open_snapshot(tmp_path).id == "new"
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == [
        new.name,
        f"{new.name}.lease",
    ]


def test_a_snapshot_that_is_being_read_stays_until_its_reader_ends(tmp_path: Path) -> None:
    write(tmp_path, "old").lease.release()
    reader = open_snapshot(tmp_path)
    write(tmp_path, "new", FACTS[:1])
    assert sweep(tmp_path) == []
    assert len(reader.facts(NETWORK)) == len(FACTS)
    del reader
    assert len(sweep(tmp_path)) == 1
    assert len(open_snapshot(tmp_path).facts(NETWORK)) == 1


def test_a_dead_run_is_swept_and_a_live_one_is_not(tmp_path: Path) -> None:
    write(tmp_path, "kept")
    code = (
        "import sys, time; from pathlib import Path; from topograph.pipeline.output import "
        "begin_run\n"
    )
    code += "run = begin_run(Path(sys.argv[1])); print(run.name, flush=True); time.sleep(600)"
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    name = other.stdout.readline().strip()
    try:
        assert sweep(tmp_path) == []
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    assert sweep(tmp_path) == [name]
    assert open_snapshot(tmp_path).id == "kept"


def test_nothing_is_swept_where_the_manifest_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path, "kept").lease.release()
    text = (tmp_path / "manifest.json").read_text()
    (tmp_path / "manifest.json").write_text("{")
    assert sweep(tmp_path) == []
    (tmp_path / "manifest.json").write_text(text)
    assert open_snapshot(tmp_path).id == "kept"


def test_a_run_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    write(tmp_path / "s", "kept")
    begin_run(tmp_path / "s").discard()
    assert open_snapshot(tmp_path / "s").id == "kept"
    begin_run(tmp_path / "new" / "deep").discard()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s"]
    (tmp_path / "mine").mkdir()
    begin_run(tmp_path / "mine").discard()
    assert list((tmp_path / "mine").iterdir()) == []


@pytest.mark.parametrize("name", ["notes.txt", "data/results.csv"])
def test_a_folder_with_other_files_is_not_written_into(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        begin_run(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_the_manifest_of_another_program_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "web app"}')
    with pytest.raises(InputError, match="belongs to something else"):
        begin_run(tmp_path)


def test_equal_rows_have_equal_digests_whatever_the_chunks() -> None:
    rows = [Interest(f"S{n % 7}", f"$TMP$.X{n}.>", "é", n) for n in range(BLOCK + 3)]
    whole = to_arrow("interests", rows, network="n", system="ems")
    pieces = pa.concat_tables(
        [
            to_arrow("interests", rows[at : at + 1000], network="n", system="ems")
            for at in range(0, len(rows), 1000)
        ]
    )
    assert digest(whole) == digest(pieces)
    assert digest(whole) != digest(whole.slice(1))
    rows[5] = Interest("S5", "$TMP$.X5.>", "é", 6)
    assert digest(whole) != digest(to_arrow("interests", rows, network="n", system="ems"))


def test_the_digest_of_a_table_does_not_depend_on_how_it_was_written(tmp_path: Path) -> None:
    rows = [Guard(f"g{n}", "link", "text") for n in range(2 * BLOCK + 1)]
    table = to_arrow("guards", rows, network="n", system="ems")
    (tmp_path / "a").mkdir()
    one = write_table(tmp_path / "a", "guards", "n", [table], system="ems")
    other = write_table(
        tmp_path / "a",
        "guards",
        "n",
        [table.slice(at, 999) for at in range(0, len(rows), 999)],
        system="ems",
    )
    assert (one.rows, one.digest) == (other.rows, other.digest) == (len(rows), digest(table))
    assert (
        pq.read_metadata(
            tmp_path.parent / tmp_path.name / Path(one.path).relative_to(tmp_path.name)
        ).num_row_groups
        == 3
    )


def test_the_id_follows_from_the_inputs_and_options_alone() -> None:
    inputs = NetworkInputs({"a": "1", "b": "2"}, {".x": "hidden-file"}, SIDE)
    first = snapshot_id({"n": inputs}, {"strict": False})
    assert first == snapshot_id(
        {"n": NetworkInputs({"b": "2", "a": "1"}, {".x": "hidden-file"}, SIDE)}, {"strict": False}
    )
    assert len(first) == 32
    others = [
        snapshot_id({"m": inputs}, {"strict": False}),
        snapshot_id({"n": inputs}, {"strict": True}),
        snapshot_id(
            {"n": NetworkInputs({"a": "1", "b": "3"}, {".x": "hidden-file"}, SIDE)},
            {"strict": False},
        ),
        snapshot_id(
            {"n": NetworkInputs({"a": "1", "c": "2"}, {".x": "hidden-file"}, SIDE)},
            {"strict": False},
        ),
        snapshot_id({"n": NetworkInputs({"a": "1", "b": "2"}, {}, SIDE)}, {"strict": False}),
        snapshot_id(
            {"n": NetworkInputs({"a": "1", "b": "2"}, {".x": "hidden-file"})}, {"strict": False}
        ),
    ]
    assert len({first, *others}) == 7


def test_reading_a_snapshot_loads_neither_spark_nor_pandas_nor_the_driver(tmp_path: Path) -> None:
    write(tmp_path)
    code = (
        "import sys; from topograph.store.parquet import open_snapshot; s = "
        "open_snapshot(sys.argv[1]); n = s.networks[0]\n"
        "s.graph_tables(n); s.facts(n); s.findings(n); s.files(n)\n"
        "print([name for name in ('pyspark', 'pandas', 'neo4j') if name in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"


def test_writing_and_digesting_tables_does_not_load_pandas(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from topograph.pipeline.output import write_table\n"
        "from topograph.store.records import Interest\n"
        "from topograph.store.tables import in_order, to_arrow\n"
        "rows = to_arrow('interests', [Interest('A', 'q', 'B', 1)], network='n', system='ems')\n"
        "write_table(Path(sys.argv[1]), 'interests', 'n', [in_order('interests', rows)])\n"
        "print('pandas' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "False"


def test_a_digest_is_of_the_values_however_the_columns_lie() -> None:
    """Worked out with Arrow's own functions, for flags and numbers too that begin within a byte."""
    texts, flags, numbers = ["", "a", "äö"] * 9, [True, False, False] * 9, list(range(-13, 14))
    lists = [[], [1], [2, 3]] * 9
    whole = pa.table(
        {
            "t": pa.array(texts),
            "f": pa.array(flags),
            "n": pa.array(numbers, pa.int32()),
            "l": pa.array(lists, pa.list_(pa.int32())),
        }
    )
    for start in (0, 1, 5, 8, 27):
        total = hashlib.sha256(b"t\0f\0n\0l")
        if rows := 27 - start:
            for name, lengths, content in (
                ("t", [len(text.encode()) for text in texts[start:]], "".join(texts[start:])),
                ("f", [], flags[start:]),
                ("n", [], numbers[start:]),
                ("l", [len(one) for one in lists[start:]], [*chain.from_iterable(lists[start:])]),
            ):
                total.update(f"{name}\0{rows}\0".encode())
                total.update(np.array(lengths, "<i4").tobytes())
                total.update(
                    content.encode()
                    if isinstance(content, str)
                    else np.array(content, "<i8").tobytes()
                )
        assert digest(whole.slice(start)) == total.hexdigest()


def test_the_manifest_counts_the_rows_of_every_table(tmp_path: Path) -> None:
    write(tmp_path)
    tables = read_manifest(tmp_path).tables
    assert {name: entry.rows for name, entry in tables.items()} == {
        "facts": 5,
        "servers": 2,
        "points": 2,
        "guards": 1,
        "links": 0,
        "forwards": 0,
        "interests": 1,
        "findings": 1,
        "sources": 1,
    }


def test_an_import_into_a_snapshot_begins_with_its_places(tmp_path: Path) -> None:
    write(tmp_path)
    kept = open_snapshot(tmp_path).layout_path(NETWORK)
    kept.write_text(layout_text({"A": (1, 2)}))
    write(tmp_path, "id-2")
    later = open_snapshot(tmp_path).layout_path(NETWORK)
    assert later != kept
    assert read_layout(later) == {"A": (1, 2)}


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "{",
        '{"format": "topograph-snapshot"}',
        (
            '{"format": "topograph-snapshot", "run": "../x", "networks": [{"name": "n"}], '
            '"options": {}}'
        ),
    ],
)
def test_a_snapshot_without_a_readable_manifest_gives_no_places(
    tmp_path: Path, manifest: str
) -> None:
    write(tmp_path)
    open_snapshot(tmp_path).layout_path(NETWORK).write_text(layout_text({"A": (1, 2)}))
    (tmp_path / "manifest.json").write_text(manifest)
    write(tmp_path, "id-2")
    assert not open_snapshot(tmp_path).layout_path(NETWORK).exists()


def test_places_do_not_pass_from_a_snapshot_with_names_to_a_redacted_one(tmp_path: Path) -> None:
    """A server that is only named by others may be called after its host."""
    write(tmp_path)
    open_snapshot(tmp_path).layout_path(NETWORK).write_text(layout_text({"secret.example": (1, 2)}))
    write(tmp_path, "id-2", options={"strict": False, "redact": "f00d"})
    assert not open_snapshot(tmp_path).layout_path(NETWORK).exists()
    open_snapshot(tmp_path).layout_path(NETWORK).write_text(layout_text({"A": (1, 2)}))
    write(tmp_path, "id-3", options={"strict": False, "redact": "f00d"})
    assert read_layout(open_snapshot(tmp_path).layout_path(NETWORK)) == {"A": (1, 2)}
