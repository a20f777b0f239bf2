"""What becomes of a message in the first line: each fate in the words of its judgement."""

from __future__ import annotations

import random
from itertools import product

import pytest

from topograph.questions.texts.fates import DELIVERED, ENDS, Fate, clauses

YES = ("yes", ())
IF = ("if", ("if",))
ONE_OF = ("one_of", ("one_of",))
LATER = ("later", ("later",))
CODE = ("unknown", ())


def delivered(place, judged=YES):
    return Fate("DELIVERED", place, *judged)


def ended(place, judged=YES, because="it is so; and more"):
    return Fate("DLQ", place, *judged, because=because, ending=f"DLQ({place})")


@pytest.mark.parametrize(
    ("fates", "said"),
    [
        ((delivered("A"), delivered("B")), "is delivered at A and B"),
        (
            (delivered("A", IF), delivered("B", IF)),
            "would be delivered at A and B; nobody is known to subscribe",
        ),
        (
            (delivered("HQ"), delivered("X", IF), delivered("Y", IF)),
            (
                "is delivered at HQ; would be delivered at X and Y, where nobody is known to "
                "subscribe"
            ),
        ),
        (
            (delivered("EAST", ONE_OF), delivered("WEST", ONE_OF)),
            "is delivered at EAST or WEST (decided at run time)",
        ),
        ((delivered("EAST", ONE_OF),), "may be delivered at EAST (decided at run time)"),
        (
            (delivered("EAST", ONE_OF), ended("WEST", ONE_OF)),
            "is delivered at EAST or ends in DLQ(WEST) at WEST (decided at run time)",
        ),
        ((ended("Q"),), "ends in DLQ(Q) at Q: it is so"),
        ((delivered("A"), ended("Q")), "is delivered at A and ends in DLQ(Q) at Q: it is so"),
        (
            (ended("Q"), delivered("A", LATER)),
            "ends in DLQ(Q) at Q: it is so; is to be delivered at A later",
        ),
        (
            (delivered("A", CODE), ended("Q", CODE)),
            "may be delivered at A or end in DLQ(Q) at Q (code that no file shows decides)",
        ),
        (
            (ended("A", because="x"), ended("B", because="y")),
            "ends in DLQ(A) at A and in DLQ(B) at B",
        ),
    ],
)
def test_each_judgement_has_its_words(fates, said):
    assert "; ".join(clauses(fates, DELIVERED)) == said


def test_alternatives_of_which_some_are_not_told_are_only_possible():
    fates = [delivered("EAST", ONE_OF), delivered("WEST", ONE_OF)]
    assert clauses(fates, DELIVERED, exhaustive=False) == [
        "may be delivered at EAST or WEST (decided at run time)"
    ]


def test_trace_has_the_same_words_with_the_outcome():
    assert clauses([delivered("A"), Fate("HELD", "B")], ENDS) == [
        "ends in DELIVERED at A and in HELD at B"
    ]
    assert clauses([delivered("A", IF)], ENDS) == [
        "would end in DELIVERED at A; nobody is known to subscribe"
    ]


@pytest.mark.parametrize("number", range(40))
def test_no_place_is_told_with_more_certainty_than_it_has(number):
    at = random.Random(number)
    judged = at.sample([*product("ABCDEFGH", (YES, IF, ONE_OF, LATER, CODE))], at.randint(1, 4))
    fates = {place: delivered(place, one) for place, one in judged}
    for clause in clauses(fates.values(), DELIVERED):
        certain = clause.startswith("is delivered at") and "decided" not in clause
        for place, fate in fates.items():
            words = clause.replace(",", " ").replace(";", " ").split()
            if place in words:
                assert certain == (fate.told == "yes")
                assert clause.startswith("would") == (fate.told == "if")
                assert clause.endswith("later") == (fate.told == "later")
                assert ("run time" in clause) == (fate.told == "one_of")
                assert ("code" in clause) == (fate.told == "unknown")
    assert all(
        any(
            place in one.replace(",", " ").replace(";", " ").split()
            for one in clauses(fates.values(), DELIVERED)
        )
        for place in fates
    )
