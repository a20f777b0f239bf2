"""The graph of a compiled network, which its checks assemble and its import writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from topograph.forwarding.points import PointColumns
from topograph.opening.folders import read_snapshot
from topograph.side_inputs import SideInputs
from topograph.store.tables import to_arrow
from topograph.systems import CompiledNetwork, assemble, compile_network


@pytest.fixture
def compiled(tmp_path: Path) -> CompiledNetwork:
    for here, there in ("AB", "BC", "CA"):
        (tmp_path / "net" / here).mkdir(parents=True)
        (tmp_path / "net" / here / "tibemsd.conf").write_text(
            f"server = {here}\nrouting = enabled\nroutes = routes.conf\n"
        )
        (tmp_path / "net" / here / "routes.conf").write_text(
            f"[{there}]\nurl = tcp://{there}:7222\nzone_name = Z\nzone_type = 1hop\n"
        )
    facts = read_snapshot(tmp_path / "net").facts("net")
    return compile_network(facts, SideInputs())


def test_the_checks_and_the_import_share_one_graph(compiled: CompiledNetwork) -> None:
    (tables,) = compiled.tables
    graph = compiled.graph(tables)
    assert graph is compiled.graph(tables)
    anew = assemble(tables)
    assert list(graph.forwards()) == list(anew.forwards())
    assert graph.starts.tolist() == anew.starts.tolist()


def test_the_columns_of_the_graph_are_those_of_the_points(compiled: CompiledNetwork) -> None:
    (tables,) = compiled.tables
    columns = compiled.graph(tables).columns
    assert columns == PointColumns.of(list(tables.points))
    assert to_arrow("points", columns, network="n", system="ems") == to_arrow(
        "points", list(tables.points), network="n", system="ems"
    )
