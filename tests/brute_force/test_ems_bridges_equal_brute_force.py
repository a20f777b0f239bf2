"""Where messages to queues and over bridges end is where a second reading of the rules says, on
random estates with loops written as files.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from brute_force.ems_bridges import Bridged, Reading, TooMany, bridged_estates, starts
from brute_force.ems_estate import properties
from hypothesis import HealthCheck, given, settings

import topograph
from topograph.forwarding.budget import Budget
from topograph.message import Message, Value
from topograph.outcomes import Outcome
from topograph.questions.following import followed
from topograph.side_inputs import Client
from topograph.tracing.outcomes import Folding

pytestmark = pytest.mark.slow


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(bridged_estates(), properties)
def test_every_copy_ends_where_the_second_reading_says(
    estate: Bridged, values: Mapping[str, Value]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        model = topograph.read(folder)._model
    clients = [Client(server, f"topic:{topic}") for server, topic in estate.subscribers]
    clients += [Client(server, f"queue:{queue}") for queue, server in estate.consumers.items()]
    for server, destination in starts(estate):
        try:
            ends = Reading(estate, values).send(server, destination)
        except TooMany:
            continue
        message = Message.to(destination, dict(values))
        trace = followed(model, Budget(), model.locate(server), message, (), clients, assume=False)
        folding = Folding(trace)
        found: Counter[tuple[str, str]] = Counter()
        for one in folding.arrivals():
            found[one.ending.text("server"), one.ending.text("destination")] += one.ending.count(
                "copies"
            )
        others = list(folding.others())
        asked = (server, destination)
        assert found == ends.delivered, asked
        assert {one.text("state") for one in others if one.outcome is Outcome.LOOP} == {
            f"{name} at {at}" for at, name in ends.round
        }, asked
        assert {one.text("at") for one in others if one.outcome is Outcome.STUCK} == {
            at for at, _ in ends.stuck
        }, asked
        assert {one.text("server") for one in others if one.outcome is Outcome.REFUSED} == {
            at for at, _ in ends.refused
        }, asked
        assert trace.exact, asked
        assert not trace.open, asked
