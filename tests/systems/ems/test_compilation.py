"""The graph of a compiled network, which its checks assemble and its import writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from topograph.forwarding.points import Point, PointColumns
from topograph.opening.folders import read_snapshot
from topograph.side_inputs import SideInputs
from topograph.store.tables import to_arrow
from topograph.systems import CompiledNetwork, assemble, compile_network
from topograph.systems.ems.compilation import tables_of
from topograph.systems.ems.network.links import configuration_of


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


EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    "example", ["estate", "mixed", "orders", "retail", "services", "mhop-star", "two-1hop-zones"]
)
def test_points_are_an_origin_a_server_and_two_arrivals_a_link(example: str) -> None:
    """Built here one by one, as ems.md 6.1 says it."""
    snapshot = read_snapshot(EXAMPLES / example)
    (network,) = snapshot.networks
    estate = configuration_of(snapshot.facts(network, system="ems"), SideInputs())
    tables = tables_of(estate)
    names = [server.name for server in tables.servers]
    expected = [
        Point(f"{one.name}|origin", "origin", n, rule="R13", source=one.source)
        for n, one in enumerate(tables.servers)
    ]
    for place, link in enumerate(estate.links):
        for start, end in (link.ends, link.ends[::-1]):
            route = link.routes.get(start) or link.routes[min(link.routes)]
            expected.append(
                Point(
                    key=f"{end}|{start}",
                    kind="arrival",
                    server=names.index(end),
                    previous=names.index(start),
                    link=place,
                    zone=link.zone,
                    zone_type=link.zone_type,
                    guards=tables.points[len(expected)].guards,
                    rule="R13",
                    configured_by=link.role,
                    source=route.source,
                )
            )
    assert list(tables.points) == expected
    made, told = (
        to_arrow("points", points, network="n", system="ems")
        for points in (tables.points, PointColumns.of(expected))
    )
    assert made == told
