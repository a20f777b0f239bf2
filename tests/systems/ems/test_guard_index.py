"""What the guards of a graph say of a message, asked for together, is what each says alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from brute_force.ems_estate import TOPICS, Estate, estates, properties
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.systems.ems.destinations.guard_index import (
    MESSAGES_KEPT,
    GuardIndex,
    GuardReader,
    index_of,
    judge,
)
from topograph.systems.ems.destinations.guards import evaluate


@settings(
    max_examples=draws(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    estates(),
    st.lists(
        st.tuples(st.sampled_from([*TOPICS, "$TMP$.A.1"]), properties), min_size=1, max_size=12
    ),
)
def test_guards_asked_together_say_what_each_says_alone(
    tmp_path_factory: pytest.TempPathFactory,
    estate: Estate,
    messages: list[tuple[str, dict[str, object]]],
) -> None:
    folder = tmp_path_factory.mktemp("estate")
    estate.write(Path(folder))
    graph = topograph.read(folder)._model.parts[0].graph
    reader = GuardReader()
    for topic, values in [*messages, *messages]:
        found = judge(graph, topic, values)
        alone = {
            number: evaluate(guard, topic, values) for number, guard in enumerate(graph.guards)
        }
        assert dict(found.of) == alone
        assert found.failing == {number for number, verdict in alone.items() if not verdict.passes}
        assert found.unknown == {number for number in found.failing if not alone[number].known}
        assert [reader.passes(guard, topic, values) for guard in graph.guards] == [
            verdict.passes for verdict in alone.values()
        ]
    assert len(index_of(graph)._messages) <= MESSAGES_KEPT


def test_equal_values_of_other_types_are_other_messages() -> None:
    from topograph.forwarding.graph import Guard

    payload = '{"replaced": false, "selector": "flag = TRUE", "topic": "news"}'
    index = GuardIndex([Guard("selector:x", "selector", "", payload)])
    said = [index.judge("news", {"flag": value}).failing for value in (True, 1, 1.0, True)]
    assert said == [frozenset(), frozenset({0}), frozenset({0}), frozenset()]
