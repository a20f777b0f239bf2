"""What a vector expects is compared as vectors_ibm.md has it, and a key that nobody looks at
fails.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from conformance import mqe_cases, sibus_cases
from conformance.comparison import UnknownKey, UnknownOp, fits
from conformance.reasons import without_reason
from conformance.test_vectors import FOLDER


@pytest.mark.parametrize(
    ("key", "want", "said", "holds"),
    [
        ("result", {"outcome": "HELD"}, {"outcome": "HELD", "at": "a"}, True),
        ("result", {"outcome": "HELD", "at": "b"}, {"outcome": "HELD", "at": "a"}, False),
        ("result", {"code": [37, 1]}, {"code": 1}, True),
        ("result", {"code": [37, 1]}, {"code": 15}, False),
        (
            "result",
            {"options": [{"at": "b"}, {"at": "a"}]},
            {"options": [{"at": "a", "x": 1}, {"at": "b"}]},
            True,
        ),
        ("result", {"options": [{"at": "a"}]}, {"options": [{"at": "a"}, {"at": "b"}]}, False),
        ("result", {"branches": [{"at": "a"}]}, {"branches": [{"at": "a"}, {"at": "b"}]}, True),
        ("result", {"cycle": ["b", "c", "a"]}, {"cycle": ["a", "b", "c"]}, True),
        ("result", {"cycle": ["b", "a", "c"]}, {"cycle": ["a", "b", "c"]}, False),
        ("visited", ["a", "b"], ["a", "b"], True),
        ("visited", ["b", "a"], ["a", "b"], False),
        ("notVisited", ["c"], ["a", "b"], True),
        ("notVisited", ["b"], ["a", "b"], False),
        ("hops", [{"at": "a"}, {"at": "c"}], [{"at": "a"}, {"at": "b"}, {"at": "c"}], True),
        ("hops", [{"at": "c"}, {"at": "a"}], [{"at": "a"}, {"at": "b"}, {"at": "c"}], False),
        ("lint", ["EL-01"], ["EL-01", "EL-02"], True),
        ("lint", ["EL-03"], ["EL-01", "EL-02"], False),
        ("discovered", [], [{"at": "a"}], False),
        (
            "final",
            {"path": [{"bus": "B"}, {"bus": None}]},
            {"path": [{"bus": None}, {"bus": "B"}]},
            False,
        ),
    ],
)
def test_an_expectation_holds_or_not(key: str, want: Any, said: Any, holds: bool) -> None:
    assert fits(want, said, key) is holds


def _first(system: str) -> dict[str, Any]:
    vectors: list[dict[str, Any]] = json.loads(
        (FOLDER / f"{system}_vectors.json").read_text("utf-8")
    )
    return copy.deepcopy(vectors[0])


CASES: dict[str, Any] = {"mqe": mqe_cases, "sibus": sibus_cases}
PLACES = {
    "mqe": [
        ("ask",),
        ("given",),
        ("given", "queueManagers", 0),
        ("given", "queueManagers", 0, "queues", 0),
        ("expect",),
    ],
    "sibus": [
        ("ask",),
        ("ask", "message"),
        ("given",),
        ("given", "buses", 0),
        ("given", "buses", 0, "destinations", 0),
        ("expect",),
    ],
}


@pytest.mark.parametrize(
    ("system", "place"), [(system, place) for system, places in PLACES.items() for place in places]
)
def test_an_unknown_key_fails(system: str, place: tuple[Any, ...]) -> None:
    vector = _first(system)
    at: Any = vector
    for key in place:
        at = at[key]
    at["somethingElse"] = ["x"]
    with pytest.raises(UnknownKey):
        CASES[system].run(vector)


@pytest.mark.parametrize("system", CASES)
def test_an_unknown_op_fails(system: str) -> None:
    vector = _first(system)
    vector["ask"]["op"] = "guess"
    with pytest.raises(UnknownOp):
        CASES[system].run(vector)


@pytest.mark.parametrize("system", CASES)
def test_a_rule_that_no_step_rests_on_fails(system: str) -> None:
    vector = _first(system)
    vector["rules"] = [f"{'E' if system == 'mqe' else 'S'}-40"]
    with pytest.raises(AssertionError, match="rules that are not in the trace"):
        CASES[system].run(vector)


@pytest.mark.parametrize(
    ("rule", "told", "left"),
    [
        ("S-13", ["S-13"], []),
        ("S-13", ["S-10"], []),  # S-13 says when S-10 is skipped
        ("S-10", ["S-13"], []),
        ("NR4", ["NR7"], []),  # the first row that fits decides
        ("S-42", ["S-43"], ["S-42"]),
        ("S-13", ["S-40"], ["S-13"]),
        ("X-1", ["S-10"], ["X-1"]),
    ],
)
def test_a_rule_is_the_reason_why_another_is_not_applied(
    rule: str, told: list[str], left: list[str]
) -> None:
    assert without_reason([rule], told) == left


def test_what_follows_an_exception_may_be_told_in_fewer_words() -> None:
    """Also inside a branch of a result, where the vector says less than the answer."""
    vector = next(
        copy.deepcopy(one)
        for file in sorted(FOLDER.glob("sibus*vectors.json"))
        for one in json.loads(file.read_text("utf-8"))
        if "continuation" in one["expect"]
    )
    follows = {"outcome": vector["expect"].pop("continuation")["outcome"]}
    vector["expect"]["result"]["continuation"] = follows
    assert sibus_cases.run(vector) == vector["expect"]
    vector["expect"]["result"]["continuation"] = {"outcome": "LOOP"}
    assert sibus_cases.run(vector) != vector["expect"]
