"""Which links of EMS come up by the urls of pairs and the users of routes, what grants let cross,
where the copies of bridges end there, and what the failure of a member takes away, are as a second
reading of the rules says.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from brute_force.ems_estate import TOPICS, passes, properties, simple_paths
from brute_force.ems_pairs import (
    Paired,
    PairedBridges,
    hops_from,
    paired_bridges,
    paired_estates,
)
from brute_force.ems_told import assert_told_as_read
from draws import draws
from hypothesis import HealthCheck, given, settings

import topograph
from topograph.message import Value

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(50),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@MANY
@given(paired_estates())
def test_links_and_grants_are_as_the_second_reading_says(estate: Paired) -> None:
    up = estate.up({})
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        network = topograph.read(folder).within(None)
        for start in estate.estate.servers:
            answer = network.reach(start)
            assert {one.server: one.hops for one in answer.servers} == hops_from(up, start)
            for topic in TOPICS:
                told = network.propagate(start, f"topic:{topic}")
                wanted = {start} | {
                    path[-1]
                    for path in simple_paths(up, start)
                    if all(passes(up, a, b, topic, {}) for a, b in pairwise(path))
                }
                assert {start, *told.received} == wanted, (start, topic)


@MANY
@given(paired_bridges(), properties)
def test_copies_of_bridges_end_where_the_second_reading_says(
    drawn: PairedBridges, values: Mapping[str, Value]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        drawn.write(Path(folder))
        assert_told_as_read(topograph.read(folder), drawn.up({}), values)


@MANY
@given(paired_estates())
def test_the_failure_of_a_member_takes_the_links_away_that_do_not_name_the_other(
    estate: Paired,
) -> None:
    pairs = [server for server, members in estate.members.items() if members == 2]
    before = estate.up({})
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        network = topograph.read(folder).within(None)
        for server in pairs:
            for member in (1, 2):
                after = estate.up({server: 3 - member})
                lost = {
                    (start, end)
                    for start in estate.estate.servers
                    for end in hops_from(before, start).keys() - hops_from(after, start).keys()
                }
                answer = network.impact([f"member:{server}:{member}"])
                told = {(one.from_, one.to) for one in answer.lost}
                assert told == lost, (server, member)
