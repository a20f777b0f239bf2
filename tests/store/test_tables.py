"""Rows to Arrow and back."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from topograph.facts.amq_interconnect import Entity
from topograph.facts.ems import EmsRoute, EmsServer, RouteSelector
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import Closed, Forward, ForwardingGraph, Guard, Link, Server
from topograph.forwarding.points import Point, PointColumns
from topograph.outcomes import Confidence
from topograph.store.records import TABLES, Interest
from topograph.store.tables import from_arrow, in_order, schema, to_arrow

PLACE = Source("net/ä b/routes.conf", 7, 3)
POINTS = [
    Point("p/A", "origin", 0),
    Point(
        "p/B/0",
        "arrival",
        1,
        previous=0,
        link=0,
        zone="Z1",
        zone_type="1hop",
        cost=4,
        guards=(2, 0),
        rule="R13",
        confidence=Confidence.M,
        configured_by="both",
        source=PLACE,
    ),
    Point("p/B", "origin", 1),
    Point("t/A/B", "toward", 0, target=1, guards=(2, 0), confidence=Confidence.I),
]
ROWS = {
    "facts": [
        EmsServer(bundle="a/tibemsd.conf", server="A", source=Source("a/tibemsd.conf"),
            routing=True, missing=("topics",)),
        EmsRoute(
            bundle="a/tibemsd.conf",
            server="A",
            source=PLACE,
            name="B",
            url=("tcp://b:7222",),
            selectors=(RouteSelector("incoming", "orders", "country = 'Österreich'", PLACE),),
            properties=(("ssl_identity", "(set)"),),
        ),
        Entity(bundle="r.conf", server="R1", source=Source("r.conf", 1, 1), type="router",
            name="R1", attributes=(("mode", "interior"),)),
    ],
    "servers": [
        Server("A", "ems", True, PLACE, incomplete="topics not found", open_ended=True),
        Server("B", "ems", False, Source("a/routes.conf", 2)),
    ],
    "points": POINTS,
    "guards": [Guard("g0", "global", "orders is global at A", '{"at":"A"}', PLACE),
    Guard("g1", "selector", "x > 1")],
    "links": [
        Link(0, 1, "WAN", "mhop", 4, "uplink", "A", "T-3", Confidence.B, (2, 0), PLACE,
            carries=False),
        Link(1, 2, one_way=True),
    ],
    "forwards": [
        Forward("p/A>p/B/0", 0, 1, (2, 0), "R13", Confidence.M, PLACE, cost=4),
        Forward("x", 1, 0, (), "", Confidence.H, Source(""), hop=False, branch="one_of"),
    ],
    "interests": [Interest("B", "$TMP$.A.>", "A", 1), Interest("C", "$TMP$.A.>", "B", 2)],
    "findings": [
        Finding("subfile-not-found", Severity.ERROR, "no such file", PLACE, "3.1",
            "topics = \u2019x\u2019", "A"),
        Finding("hidden-file", Severity.INFO, "a hidden file", Source(".x")),
    ],
    "sources": [FileReport("a/routes.conf", "read", "routes", "ems", "A", 3, 1, 2, "note"),
    FileReport("b", "skipped")],
}  # fmt: skip


def through_parquet(table: pa.Table) -> pa.Table:
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return pq.read_table(buffer)


@pytest.mark.parametrize("name", TABLES)
def test_rows_come_back_equal(name: str) -> None:
    table = to_arrow(name, ROWS[name], network="net", system="ems")
    assert table.schema == schema(name)
    assert list(from_arrow(name, table)) == ROWS[name]
    assert list(from_arrow(name, through_parquet(table))) == ROWS[name]


@pytest.mark.parametrize("name", TABLES)
def test_an_empty_table_has_the_schema_and_no_rows(name: str) -> None:
    table = to_arrow(name, [], network="net", system="ems")
    assert table.schema == schema(name)
    assert list(from_arrow(name, table)) == []
    assert list(from_arrow(name, through_parquet(table))) == []


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_several_chunks_are_read_whole(name: str) -> None:
    rows = ROWS[name]
    parts = [
        to_arrow(name, [row], network="net", system="ems", first=n) for n, row in enumerate(rows)
    ]
    assert list(from_arrow(name, pa.concat_tables(parts))) == rows
    assert (
        pa.concat_tables(parts).to_pylist()
        == to_arrow(name, rows, network="net", system="ems").to_pylist()
    )


def test_every_row_names_its_network_and_its_number() -> None:
    table = to_arrow("servers", ROWS["servers"], network="net", system="ems", first=5)
    assert table.select(["network", "system", "n", "name"]).to_pylist() == [
        {"network": "net", "system": "ems", "n": 5, "name": "A"},
        {"network": "net", "system": "ems", "n": 6, "name": "B"},
    ]


def test_points_are_read_as_columns_equal_to_the_points() -> None:
    columns = from_arrow("points", to_arrow("points", POINTS, network="net", system="ems"))
    assert isinstance(columns, PointColumns)
    assert columns == POINTS
    assert columns[1:3] == POINTS[1:3]
    assert columns[-1] == POINTS[-1]
    assert columns.server.tolist() == [0, 1, 1, 0]
    assert [columns.zone[row] for row in range(4)] == ["", "Z1", "", ""]
    assert columns != POINTS[:3]
    with pytest.raises(IndexError):
        columns[4]


def test_columns_of_points_go_to_arrow_without_loss() -> None:
    columns = PointColumns.of(POINTS)
    assert PointColumns.of(columns) is columns
    assert to_arrow("points", columns, network="net", system="ems").to_pylist() == (
        to_arrow("points", POINTS, network="net", system="ems").to_pylist()
    )


def test_a_graph_masks_points_alike_from_columns_and_from_objects() -> None:
    servers = [Server("A", "ems", True, PLACE), Server("B", "ems", True, PLACE)]
    starts, ends = np.array([0, 1, 1, 1, 1]), np.array([1], np.int32)
    graphs = [
        ForwardingGraph("ems", servers, points, [], starts, ends, 1)
        for points in (POINTS, PointColumns.of(POINTS))
    ]
    for graph in graphs:
        opened = graph.open_points(Closed(guards=frozenset({0}), points=frozenset({2})))
        assert opened is not None
        assert opened.tolist() == [True, False, False, False]
        assert graph.points_of_server == {0: [0, 3], 1: [1, 2]}
    assert list(graphs[0].forwards()) == list(graphs[1].forwards())


def test_a_table_is_put_in_its_own_order() -> None:
    table = to_arrow("interests", list(reversed(ROWS["interests"])), network="net", system="ems")
    assert from_arrow("interests", in_order("interests", table)) == ROWS["interests"]


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize("points", [POINTS, PointColumns.of(POINTS), []])
def test_forwards_as_columns_are_the_rows_written_out(size: int, points: list[Point]) -> None:
    rows = [[1, 4], [3, 1], [], [1], [3]] if points else []  # the last one is of a connector
    starts = np.cumsum([0, *map(len, rows)])
    ends = np.array([end for row in rows for end in row], np.int32)
    graph = ForwardingGraph("ems", [], points, [], starts, ends, 5)
    written = list(graph.forwards())
    blocks = list(graph.plain_forwards(size))
    first = 0
    for block in blocks:
        expected = written[first : first + len(block)]
        made = to_arrow("forwards", block, network="n", system="ems", first=first)
        anew = to_arrow("forwards", expected, network="n", system="ems", first=first)
        assert made.schema == anew.schema
        assert made.to_pylist() == anew.to_pylist()
        first += len(block)
    assert first == len(written) == (5 if points else 0)
    assert all(len(block) >= size for block in blocks[:-1])


@pytest.mark.parametrize("size", [1, 3, 100])
def test_forwards_without_connectors_are_the_rows_written_out(size: int) -> None:
    rows = [[3, 1], [], [2, 0, 1], [0]]
    starts = np.cumsum([0, *map(len, rows)])
    ends = np.array([end for row in rows for end in row], np.int32)
    graph = ForwardingGraph("ems", [], POINTS, [], starts, ends, 6)
    blocks = list(graph.plain_forwards(size))
    found = [pair for one in blocks for pair in zip(one.start, one.end, strict=True)]
    assert found == [(one.start, one.end) for one in graph.forwards()]
    assert {len(block) for block in blocks[:-1]} <= {size}


def test_points_say_of_steps_into_them_what_their_records_say() -> None:
    rows = np.array([3, 0, 2, 0])
    said = list(PointColumns.of(POINTS).entered(rows))
    assert said == [
        (one.zone, one.rule, one.confidence, one.guards, one.source, one.cost)
        for one in map(POINTS.__getitem__, rows.tolist())
    ]
