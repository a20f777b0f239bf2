"""py2neo on the same data."""

from __future__ import annotations

import contextlib
import gc
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from topograph import cypher
from topograph.errors import DatabaseUnavailable
from topograph.network import read
from topograph.opening.folders import read_snapshot
from topograph.store.database import Database
from topograph.store.publication import publish_snapshot
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

py2neo = pytest.importorskip("py2neo", reason="py2neo is an optional extra", exc_type=ImportError)

ORDERS = Path(__file__).parents[2] / "examples" / "orders"


@contextlib.contextmanager
def opened(address: DatabaseAddress) -> Iterator[Any]:
    """The graph, without what py2neo says of newer Pythons and leaves open."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from topograph.interop.py2neo import graph

        own = graph(address)
        yield own
        own.service.connector.close()
        warnings.simplefilter("ignore", ResourceWarning)
        del own
        gc.collect()


@pytest.fixture
def published(database: Database, tmp_path: Path, network_name: str) -> Path:
    """The example ``orders`` in the database, as a network of its own."""
    folder = tmp_path / network_name
    shutil.copytree(ORDERS, folder)
    publish_snapshot(database, read_snapshot(folder), assemble)
    return folder


@pytest.mark.neo4j
def test_a_py2neo_graph_sees_what_is_published(neo4j: DatabaseAddress, published: Path) -> None:
    with opened(neo4j) as graph:
        found = graph.run(
            (
                "MATCH (s:Server {network: $network})-[:ROUTE]->(:Server {name: 'HUB'}) "
                "RETURN s.name AS name ORDER BY name"
            ),
            network=published.name,
        )
        assert found.data() == [{"name": "Canada"}, {"name": "Mexico"}, {"name": "USA"}]


@pytest.mark.neo4j
def test_a_question_in_py2neo_has_the_answer_of_the_question_in_topograph(
    neo4j: DatabaseAddress, published: Path
) -> None:
    network = read(published)
    with opened(neo4j) as graph:
        for server in network.server_names():
            rows = graph.run(
                cypher.load("reach"), {"network": published.name, "from": server}
            ).data()
            reached = {entry.server: entry.hops for entry in network.reach(server).servers}
            assert {row["server"]: row["hops"] for row in rows} == reached


@pytest.mark.neo4j
def test_rows_come_as_a_frame(neo4j: DatabaseAddress, published: Path) -> None:
    with opened(neo4j) as graph:
        frame = graph.run(
            cypher.load("reach"), {"network": published.name, "from": "HUB"}
        ).to_data_frame()
    asked = read(published).reach("HUB").to_frame()
    assert frame.sort_values("server")["hops"].tolist() == asked["hops"].tolist()


def test_a_database_that_does_not_answer_is_said_clearly() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from topograph.interop.py2neo import graph

        with pytest.raises(DatabaseUnavailable, match=r"127\.0\.0\.1:1"):
            graph(DatabaseAddress("bolt://127.0.0.1:1", "neo4j", "x"))
