"""The estates to measure on have the shape that the figures are stated for."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def estates() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "benchmark_estates", ROOT / "benchmarks" / "estates.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("hubs", "servers", "links"), [(1, 10, 45), (100, 1_000, 4_599), (1_000, 10_000, 45_999)]
)
def test_a_company_has_a_tree_of_hubs_and_a_full_mesh_around_each(estates, hubs, servers, links):
    company = estates.company(hubs)
    wan = networkx.Graph([(link.a, link.b) for link in company.links if link.zone == "WAN"])
    wan.add_node("HUB0000")
    mesh_sizes = Counter(link.zone for link in company.links if link.zone_type == "1hop")

    assert (len(set(company.servers)), len(company.links)) == (servers, links)
    assert len({frozenset((link.a, link.b)) for link in company.links}) == links
    assert networkx.is_tree(wan)
    assert wan.number_of_nodes() == hubs
    assert set(mesh_sizes.values()) == {45}
    assert len(mesh_sizes) == hubs


def test_every_second_link_has_one_of_five_thousand_selectors(estates):
    links = estates.company(1_000).links

    assert sum(bool(link.selector) for link in links) == len(links) // 2 + 1
    assert sum(bool(link.selector) for link in links if link.zone == "WAN") == 500
    assert len({link.selector for link in links} - {""}) == 5_000


def test_the_same_seed_gives_the_same_estate_and_another_seed_another(estates):
    assert estates.company(20, seed=3) == estates.company(20, seed=3)
    assert estates.company(20, seed=3) != estates.company(20, seed=4)


def test_a_star_has_one_hub_that_every_link_ends_at(estates):
    star = estates.star(2_000)

    assert len(star.servers) == 2_001
    assert len(star.links) == 2_000
    assert all("HUB" in (link.a, link.b) for link in star.links)


def test_the_files_say_what_the_estate_is(estates, tmp_path):
    company = estates.company(30)
    estates.write(company, tmp_path)
    routes = {}
    for path in tmp_path.glob("*/routes.conf"):
        for section in path.read_text().split("\n\n"):
            if section:
                name = re.match(r"\[(\w+)\]", section)[1]
                properties = dict(
                    re.findall(r'(zone_name|zone_type|selector)="?([^"\n]+)"?', section)
                )
                routes[path.parent.name, name] = properties

    assert {path.name for path in tmp_path.iterdir()} == set(company.servers)
    assert len(list(tmp_path.rglob("*.conf"))) == 4 * 300
    assert routes == {
        (link.a, link.b): {"zone_name": link.zone, "zone_type": link.zone_type}
        | ({"selector": link.selector} if link.selector else {})
        for link in company.links
    }
    assert len({path.read_text() for path in tmp_path.glob("*/topics.conf")}) == 200


def test_a_message_passes_a_selector_unless_it_is_of_the_shard_named(estates):
    link = estates.Link("A", "B", "WAN", "mhop", estates.selector(13))

    assert not link.passes("A", 3)
    assert link.passes("A", 4)
    assert link.passes("B", 3)
