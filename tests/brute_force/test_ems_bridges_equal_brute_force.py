"""Where messages to queues and over bridges end is where a second reading of the rules says, on
random estates with loops written as files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from brute_force.ems_bridges import Bridged, bridged_estates
from brute_force.ems_estate import properties
from brute_force.ems_told import assert_told_as_read
from draws import draws
from hypothesis import HealthCheck, given, settings

import topograph
from topograph.message import Value

pytestmark = pytest.mark.slow


@settings(
    max_examples=draws(75),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(bridged_estates(), properties)
def test_every_copy_ends_where_the_second_reading_says(
    estate: Bridged, values: Mapping[str, Value]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        assert_told_as_read(topograph.read(folder), estate, values)
