"""py2neo on the same data."""

from __future__ import annotations

import gc
import shutil
import warnings
from pathlib import Path

import pytest

from topograph.network import read_snapshot
from topograph.store.database import Database
from topograph.store.publishing import publish_snapshot
from topograph.store.where import DatabaseAddress
from topograph.systems import assemble

py2neo = pytest.importorskip("py2neo", reason="py2neo is an optional extra", exc_type=ImportError)

ORDERS = Path(__file__).parents[2] / "examples" / "orders"


@pytest.mark.neo4j
def test_a_py2neo_graph_sees_what_is_published(
    neo4j: DatabaseAddress, database: Database, tmp_path: Path, network_name: str
) -> None:
    shutil.copytree(ORDERS, tmp_path / network_name)
    publish_snapshot(database, read_snapshot(tmp_path / network_name), assemble)
    with warnings.catch_warnings():
        # py2neo itself uses what newer Pythons deprecate.
        warnings.simplefilter("ignore", DeprecationWarning)
        from topograph.interop.py2neo import graph

        own = graph(neo4j)
        found = own.run(
            "MATCH (s:Server {network: $network})-[:ROUTE]->(:Server {name: 'HUB'}) RETURN s.name AS name ORDER BY name",
            network=network_name,
        )
        assert found.data() == [{"name": "Canada"}, {"name": "Mexico"}, {"name": "USA"}]
        # Nor does it close what it opens.
        own.service.connector.close()
        warnings.simplefilter("ignore", ResourceWarning)
        del own, found
        gc.collect()
