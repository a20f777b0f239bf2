"""Walks in Neo4j, and publishing to it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import neo4j
from estates import star, write
from measurement import MESSAGE, Bench, Row, milliseconds, same, timed_in_turn

import topograph
from topograph.forwarding.graph import Closed
from topograph.store.parquet import open_snapshot
from topograph.systems import assemble
from topograph.systems.ems.destinations.guard_index import judge

T = TypeVar("T")


class Driver:
    """A plain session on the managed server: the peer of what the store does."""

    def __init__(self, database: dict[str, str]) -> None:
        password = Path(database["password_file"]).read_text().strip()
        self._driver = neo4j.GraphDatabase.driver(
            database["uri"], auth=(database["user"], password)
        )

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.close()

    def one(self, statement: str, **parameters: Any) -> dict[str, Any]:
        """The only row of a read."""
        with self._driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
            return session.run(statement, parameters).single(strict=True).data()

    def rows(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a read."""
        with self._driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
            return [
                dict(record) for record in session.run(statement, parameters)
            ]  # data() looks into every item

    def write(self, statement: str, **parameters: Any) -> None:
        with self._driver.session() as session:
            session.run(statement, parameters).consume()


def cypher(bench: Bench) -> Iterator[Row]:
    """One source in Neo4j, warm: the engine's guarded walk beside the unguarded pattern."""
    with Driver(bench.database) as driver:
        bench.topograph("snapshots", "publish", str(bench.snapshot))
        os.environ.update(
            {
                key: value
                for key, value in bench.environment.items()
                if key.startswith(("TOPOGRAPH", "XDG"))
            }
        )
        network = topograph.open(bench.snapshot, engine="neo4j")
        part = network._model.parts[0]
        start = part.graph.server_number[bench.start]
        closed = Closed(guards=judge(part.graph, "orders", MESSAGE).failing)
        key = driver.one(
            "MATCH (p:Point {name: $name}) RETURN p.key AS key, p.publish AS publish",
            name=part.graph.points[start].key,
        )
        # The same columns as the engine's statement returns: (hops, points), a row a hop count.
        unguarded = (
            "MATCH p = (:Point {publish: $publish, key: $key}) "
            "((:Point)-[:FORWARDS]->(:Point))+ (b) "
            "WITH b, min(length(p)) AS hops RETURN hops, collect(b.n) AS points"
        )
        (peer, found), (ours, walked) = timed_in_turn(
            lambda: driver.rows(unguarded, **key), lambda: part.engine.walk([start], closed), 20
        )
        same(
            "unguarded walk in Cypher",
            sum(len(row["points"]) for row in found),
            len(bench.estate.servers) - 1,
        )
        in_memory = bench.network._model.parts[0].engine.walk([start], closed)
        same("guarded walk in Cypher, points", walked.points.tolist(), in_memory.points.tolist())
        same("guarded walk in Cypher, hops", walked.hops.tolist(), in_memory.hops.tolist())
        yield Row(
            f"guarded one-source hops in Neo4j, {bench.size}",
            f"unguarded, in Cypher {milliseconds(peer)}",
            milliseconds(ours),
            f"{ours / peer:.1f}x the time",
            "≤ 1.3x",
            ours / peer <= 1.3,
        )


def publish(bench: Bench) -> Iterator[Row]:
    """A star into Neo4j: the command, Spark's start included, beside one client that creates the
    same relationships batch by batch.
    """
    folder, place = bench.folder / "star", bench.folder / "star.snapshot"
    write(star(bench.spokes), folder)
    bench.topograph("import", str(folder), "-o", str(place), "--neo4j", "none")
    forwards = bench.spokes * (bench.spokes + 1)
    with Driver(bench.database) as driver:
        began = time.perf_counter()
        bench.topograph("snapshots", "publish", str(place))
        ours = time.perf_counter() - began
        began = time.perf_counter()
        _plain_loop(driver, place)
        peer = time.perf_counter() - began
        count = "MATCH (:{0} {{{1}}})-[f:{2}]->() RETURN count(f) AS forwards"
        published = driver.one(count.format("Point", "server: 'HUB'", "FORWARDS"))["forwards"]
        same("published forwards of the hub", published, bench.spokes**2)
        same(
            "forwards of the plain loop",
            driver.one(count.format("Plain", "", "TO"))["forwards"],
            forwards,
        )
    yield Row(
        f"publish {forwards:,} relationships through Spark, its start included",
        f"one driver, UNWIND of 10,000 {milliseconds(peer)} ({forwards / peer:,.0f}/s)",
        f"{milliseconds(ours)} ({forwards / ours:,.0f}/s)",
        f"{peer / ours:.2f}x",
        "≥ 0.8x",
        peer / ours >= 0.8,
    )


def _plain_loop(driver: Driver, snapshot: Path) -> None:
    """The same points and forwards, with the same properties, by one client and with nothing
    that makes a repetition harmless.
    """
    kept = open_snapshot(str(snapshot))
    graph = assemble(kept.graph_tables(kept.networks[0])[0])
    driver.write("CREATE CONSTRAINT plain IF NOT EXISTS FOR (p:Plain) REQUIRE p.n IS UNIQUE")
    for batch in batched(enumerate(graph.points), 10_000):
        driver.write(
            (
                "UNWIND $rows AS row CREATE (:Plain {n: row.n, name: row.key, server: "
                "row.server, zone: row.zone})"
            ),
            rows=[
                {"n": n, "key": p.key, "server": graph.servers[p.server].name, "zone": p.zone}
                for n, p in batch
            ],
        )
    for batch in batched(graph.forwards(), 10_000):
        driver.write(
            "UNWIND $rows AS row MATCH (a:Plain {n: row.start}) MATCH (b:Plain {n: row.end}) "
            "CREATE (a)-[:TO {key: row.key, guards: row.guards, hop: row.hop, cost: "
            "row.cost, branch: row.branch, rule: row.rule, "
            "file: row.file, line: row.line}]->(b)",
            rows=[
                {
                    "start": f.start,
                    "end": f.end,
                    "key": f.key,
                    "guards": list(f.guards),
                    "hop": f.hop,
                    "cost": f.cost,
                    "branch": f.branch,
                    "rule": f.rule,
                    "file": f.source.file,
                    "line": f.source.line,
                }
                for f in batch
            ],
        )


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most ``size`` values, in order."""
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch
