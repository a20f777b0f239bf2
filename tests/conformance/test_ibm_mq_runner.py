"""What the runner of the IBM MQ vectors takes: every key of the form, and none that it would
leave out of the answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conformance.comparison import UnknownOp
from conformance.ibm_mq_cases import fits, run, write

LOCAL = {"name": "L", "objects": [{"type": "QLOCAL", "name": "A"}]}
PUT = {"op": "put", "at": "L", "objectName": "A"}
DELIVERED = {"result": {"outcome": "DELIVERED", "queue": "A", "queueManager": "L"}}


def _vector(manager: dict[str, Any], ask: dict[str, Any], **given: Any) -> dict[str, Any]:
    return {
        "given": {"queueManagers": [manager], **given},
        "ask": ask,
        "expect": DELIVERED,
        "rules": ["NR1"],
    }


def test_attributes_channels_the_other_names_and_the_message_may_be_left_out() -> None:
    assert run(_vector(LOCAL, PUT)) == DELIVERED


@pytest.mark.parametrize(
    ("manager", "ask", "given"),
    [
        ({**LOCAL, "queues": []}, PUT, {}),
        ({**LOCAL, "channels": [{"name": "C", "chltype": "RCVR", "speed": 1}]}, PUT, {}),
        ({"name": "L", "objects": [{"type": "QLOCAL", "name": "A", "depth": 1}]}, PUT, {}),
        (LOCAL, {**PUT, "queueManager": "L"}, {}),
        (LOCAL, {**PUT, "message": {"persistence": True}}, {}),
        (LOCAL, {**PUT, "op": "get"}, {}),
        (LOCAL, PUT, {"buses": []}),
    ],
    ids=["queue manager", "channel", "object", "question", "message", "op", "given"],
)
def test_a_key_that_the_form_does_not_have_is_refused(
    manager: dict[str, Any], ask: dict[str, Any], given: dict[str, Any]
) -> None:
    with pytest.raises(UnknownOp):
        run(_vector(manager, ask, **given))


def test_a_key_of_what_is_expected_that_no_rule_of_ibm_mq_knows_is_refused() -> None:
    with pytest.raises(UnknownOp):
        run({**_vector(LOCAL, PUT), "expect": {"bypassed": []}})


def test_values_keep_their_case_and_what_is_null_is_left_out(tmp_path: Path) -> None:
    attributes = {"NAMES": ["b.c", "D"], "DESCR": None}
    write(
        {
            "queueManagers": [
                {
                    "name": "L",
                    "objects": [{"type": "NAMELIST", "name": "n", "attributes": attributes}],
                }
            ]
        },
        tmp_path,
    )
    assert "DEFINE NAMELIST('n') NAMES('b.c',D)\n" in (tmp_path / "0" / "objects.mqsc").read_text(
        "utf-8"
    )


def test_a_step_of_the_workload_algorithm_may_be_named_in_any_words() -> None:
    said = [
        {"queueManager": "M", "queue": "Q", "step": "rank"},
        {"queueManager": "N", "queue": "Q", "step": "priority"},
    ]
    assert fits(
        [{"queueManager": "M", "step": "CLWLRANK"}, {"queueManager": "N", "step": "CLWLPRTY"}],
        said,
        "eliminated",
    )
    assert fits([{"queueManager": "M"}], said, "eliminated")
    assert not fits([{"queueManager": "M", "step": "local instance"}], said, "eliminated")


def test_a_copy_that_is_not_put_may_be_named_or_not() -> None:
    said = [{"outcome": "DISCARDED", "reason": "2085"}]
    assert fits([], said, "copies")
    assert fits([{"outcome": "DISCARDED"}], said, "copies")
    assert not fits([], [{"outcome": "DELIVERED"}], "copies")
