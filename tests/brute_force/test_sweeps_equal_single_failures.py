"""A sweep over queue managers counts what each failure does when it is asked about alone, by
traces of the messages that it concerns.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from brute_force.mqe import managers
from brute_force.test_ibm_mq_equals_brute_force import estate
from by_traces import by_traces
from conformance import ibm_mq_cases, mqe_cases
from draws import draws
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import topograph

pytestmark = pytest.mark.slow

SOME = settings(
    max_examples=draws(25),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def same(folder: str) -> None:
    unlimited, other = (topograph.read(folder).within(None) for _ in range(2))
    for row in unlimited.impact(sweep=True).failures:
        answer = unlimited.impact([row.failed])
        with by_traces():
            assert other.impact([row.failed]) == answer, row.failed
        assert (row.lost, row.changed) == (len(answer.lost), len(answer.changed)), row.failed


@SOME
@given(st.integers(0, 2**32 - 1))
def test_of_ibm_mq(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ibm_mq_cases.write(estate(seed), Path(folder))
        same(folder)


def manager(name: str, **settings: Any) -> dict[str, Any]:
    usual = {"codebase": "java", "running": True, "discovery": True, "bridgeEnabled": True}
    own = {"listeners": [{"name": "L", "port": 8081}], "aliases": {}, "queues": []}
    return {"name": name, "connections": [{"name": "A", "type": "direct"}]} | usual | own | settings


LOOKS_AND_STAYS = [
    manager("A", queues=[{"type": "local", "name": "q", "aliases": []}]),
    manager(
        "B",
        aliases={"X": "A"},
        queues=[
            {"type": "remote", "name": "r", "qmgr": "X", "mode": "sync", "aliases": []},
            {"type": "bridge", "name": "q", "qmgr": "X"},
        ],
    ),
]
"""B asks A whether it has r, and refuses the message: with another reason once A fails."""


DOES_NOT_KNOW = [
    manager("A"),
    manager("B", connections=[{"name": name, "type": "direct"} for name in "AC"]),
    manager(
        "C",
        queues=[{"type": "local", "name": "q", "aliases": []}],
        connections=[
            {"name": "X", "type": "direct"},
            {"name": "C", "type": "alias", "target": "X"},
        ],
    ),
]
"""Whether B gets q at C is not known, and it does not once C fails."""


@SOME
@example(LOOKS_AND_STAYS)
@example(DOES_NOT_KNOW)
@given(managers())
def test_of_mqe(network: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mqe_cases.write({"queueManagers": network}, Path(folder))
        same(folder)
