"""The runner of the EMS vectors leaves nothing aside that a vector says."""

from __future__ import annotations

from typing import Any

import pytest
from conformance.comparison import UnknownOp
from conformance.ems_cases import ASKED, OPS, run
from conformance.ems_files import UnknownKey, without_what_is_down

GIVEN: dict[str, Any] = {"zones": {"M": "mhop"}, "links": [["A", "B", "M"]]}
PUBLISH = {"op": "publish", "server": "A", "topic": "T"}


@pytest.mark.parametrize(
    ("given", "ask"),
    [
        ({"rooms": {}}, PUBLISH),
        ({"down": {"zones": ["M"]}}, PUBLISH),
        ({"subscribers": {"B": [{"topic": "T", "colour": "red"}]}}, PUBLISH),
        ({"servers": {"B": {"listen": ["tcp://7222"]}}}, PUBLISH),
        ({}, {**PUBLISH, "user": "u"}),
        (
            {},
            {"op": "failure", "topic": "T", "event": {"server_down": "B", "link_down": ["A", "B"]}},
        ),
        ({}, {"op": "failure", "topic": "T", "event": {"zone_down": "M"}}),
        (
            {},
            {
                "op": "failure",
                "topic": "T",
                "event": {"client_exit": {"server": "B", "durable": False, "name": "d"}},
            },
        ),
    ],
)
def test_a_key_that_the_runner_does_not_take_is_refused(
    given: dict[str, Any], ask: dict[str, Any]
) -> None:
    with pytest.raises(UnknownKey):
        run({"given": {**GIVEN, **given}, "ask": ask})


def test_an_op_that_nobody_knows_is_refused() -> None:
    assert set(ASKED) == set(OPS)
    with pytest.raises(UnknownOp):
        run({"given": GIVEN, "ask": {"op": "resonate"}})


def test_a_route_that_is_down_is_gone_with_its_selectors_and_its_servers_are_not() -> None:
    given = {
        "links": [["A", "B", "M"], ["B", "C", "M"]],
        "routes": {"B": {"C": {"outgoing_topic": [["T", "x=1"]]}, "A": {}}},
        "down": {"links": [["C", "B"]]},
    }
    up = without_what_is_down(given)
    assert up["links"] == [["A", "B", "M"]]
    assert up["routes"] == {"B": {"A": {}}}
    assert set(up["servers"]) == {"A", "B", "C"}
    assert without_what_is_down({**given, "down": {"servers": ["B"]}})["links"] == []


def test_parameters_of_servers_and_routes_and_lines_of_sub_files_are_written() -> None:
    given = {
        **GIVEN,
        "topics": {"A": ["T global,secure"], "B": ["T global"]},
        "servers": {"A": {"authorization": True, "max_msg_memory": "1GB"}},
        "routes": {"A": {"B": {"topic_prefetch": 10}}},
        "acl": {"A": ["TOPIC=T USER=B PERM=subscribe,durable"]},
        "subscribers": {"B": [{"topic": "T"}]},
    }
    assert run({"given": given, "ask": PUBLISH, "expect": {}})["delivered"] == ["B"]
    assert (
        run({"given": {**given, "acl": {"A": []}}, "ask": PUBLISH, "expect": {}})["delivered"] == []
    )
    closed = {**given, "servers": {"A": {"routing": False}}}
    assert run({"given": closed, "ask": PUBLISH, "expect": {}})["delivered"] == []
