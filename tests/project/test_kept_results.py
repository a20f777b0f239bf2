"""What is kept of the values that tests make: that a change of any of them is noticed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import kept_results
import pytest

from topograph.findings import Finding, Severity, Source
from topograph.questions.listing_answers import CheckAnswer

FOUND = Finding("kind", Severity.INFO, "message", Source("a.conf", 2), "TL-1", server="A")


@dataclass(frozen=True)
class Named:
    names: frozenset[str]
    of: object


def made(*values: object) -> dict[str, set[str]]:
    return {"Finding": {kept_results.written(value) for value in values}}


def kept(found: dict[str, set[str]], without: str = "") -> str:
    return f"{kept_results.together(kept_results.digests(found))}{without}"


def test_the_values_that_are_kept_pass() -> None:
    kept_results.compare(kept(made(FOUND)), made(FOUND))


@pytest.mark.parametrize(
    "changed",
    [
        replace(FOUND, message="messages"),
        replace(FOUND, source=Source("a.conf", 3)),
        replace(FOUND, severity=Severity.WARNING),
    ],
)
def test_a_value_with_another_field_fails(changed: Finding) -> None:
    with pytest.raises(pytest.fail.Exception, match="other values"):
        kept_results.compare(kept(made(FOUND)), made(changed))


def test_one_value_more_or_less_fails() -> None:
    other = replace(FOUND, server="B")
    for before, after in ((made(FOUND, other), made(FOUND)), (made(FOUND), made(FOUND, other))):
        with pytest.raises(pytest.fail.Exception, match="Finding"):
            kept_results.compare(kept(before), after)


def test_a_class_that_is_left_out_is_not_compared() -> None:
    beside = {"Named": {"x"}}
    expected = kept(made(FOUND), " without Named")

    kept_results.compare(expected, made(FOUND) | beside)
    with pytest.raises(pytest.fail.Exception):
        kept_results.compare(kept(made(FOUND)), made(FOUND) | beside)


def test_a_value_is_written_with_all_its_parts_and_sets_in_order() -> None:
    value = Named(frozenset("cab"), [{"k": (Severity.INFO, None, 1.5)}, object()])

    assert kept_results.written(value) == (
        "Named(names={'a', 'b', 'c'}, of=({'k': (Severity.INFO, None, 1.5)}, object))"
    )


def test_a_field_of_an_answer_that_says_what_was_asked_is_left_out() -> None:
    fields = kept_results.written(CheckAnswer.__new__(CheckAnswer))

    assert "findings=" in fields
    assert "snapshot=" not in fields
