"""The linear audit of a new link (ems.md 6.4) gives the verdict of enumerating all paths, and
names the pairs that would have two.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from brute_force.ems_estate import Estate, Link, estates, simple_paths
from draws import draws
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from topograph.forwarding.budget import Budget
from topograph.opening.folders import read_snapshot
from topograph.systems.ems.changes.new_route import NewLink, illegal_pairs, judge_new_link

pytestmark = pytest.mark.slow


def doubled_pairs(estate: Estate) -> set[frozenset[str]]:
    """The pairs of servers with more than one permitted path."""
    ends = Counter(
        (path[0], path[-1]) for server in estate.servers for path in simple_paths(estate, server)
    )
    return {frozenset(pair) for pair, count in ends.items() if count > 1}


@settings(
    max_examples=draws(48),
    deadline=None,
    suppress_health_check=[
        HealthCheck.filter_too_much,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(estates(most_servers=7), st.data())
def test_a_new_link_is_refused_exactly_if_a_pair_would_have_two_paths(
    estate: Estate, data: st.DataObject
) -> None:
    legal = []
    for link in estate.links:
        if not doubled_pairs(replace(estate, links=(*legal, link))):
            legal.append(link)
    today = replace(estate, links=tuple(legal))
    linked = {frozenset(link.ends) for link in legal}
    free = [
        (a, b)
        for i, a in enumerate(estate.servers)
        for b in estate.servers[i + 1 :]
        if frozenset((a, b)) not in linked
    ]
    assume(free)
    u, v = data.draw(st.sampled_from(free))
    zone = data.draw(st.sampled_from(sorted(estate.zones)))
    wanted = doubled_pairs(replace(today, links=(*legal, Link((u, v), zone, (u,)))))
    with tempfile.TemporaryDirectory() as folder:
        today.write(Path(folder))
        snapshot = read_snapshot(folder)
    (tables,) = snapshot.graph_tables(snapshot.networks[0])
    verdict = judge_new_link(tables, NewLink(u, v, zone, estate.zones[zone], u))
    assert verdict.verdict == ("reject" if wanted else "accept")
    assert verdict.graph is not None
    names = [server.name for server in verdict.graph.servers]
    pairs = {frozenset((names[a], names[b])) for a, b, _ in illegal_pairs(verdict.graph, Budget())}
    assert pairs == wanted
