"""What becomes of a message in the first line: each fate in the words of its judgement."""

from __future__ import annotations

import random
import re
from itertools import product
from pathlib import Path

import pytest

import topograph
from topograph.outcomes import Outcome
from topograph.questions.texts.fates import ENDS, Fate, clauses, in_words

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
            (
                "is delivered at EAST or is put on a dead-letter queue (WEST) at WEST (decided at "
                "run time)"
            ),
        ),
        ((ended("Q"),), "is put on a dead-letter queue (Q) at Q: it is so"),
        (
            (delivered("A"), ended("Q")),
            "is delivered at A and is put on a dead-letter queue (Q) at Q: it is so",
        ),
        (
            (ended("Q"), delivered("A", LATER)),
            "is put on a dead-letter queue (Q) at Q: it is so; is to be delivered at A later",
        ),
        (
            (delivered("A", CODE), ended("Q", CODE)),
            (
                "may be delivered at A or be put on a dead-letter queue (Q) at Q (code that no "
                "file shows decides)"
            ),
        ),
        (
            (ended("A", because="x"), ended("B", because="y")),
            ("is put on a dead-letter queue (A) at A and is put on a dead-letter queue (B) at B"),
        ),
    ],
)
def test_each_judgement_has_its_words(fates, said):
    assert "; ".join(clauses(fates)) == said


def test_alternatives_of_which_some_are_not_told_are_only_possible():
    fates = [delivered("EAST", ONE_OF), delivered("WEST", ONE_OF)]
    assert clauses(fates, exhaustive=False) == [
        "may be delivered at EAST or WEST (decided at run time)"
    ]


def test_ends_are_told_in_words_in_the_order_of_the_fates():
    assert clauses([delivered("A"), Fate("HELD", "B")]) == ["is delivered at A and is held at B"]
    assert clauses([Fate("HELD", "B"), delivered("A")]) == ["is held at B and is delivered at A"]
    assert clauses([Fate("LOOP", "B", *ONE_OF), delivered("A", ONE_OF)], exhaustive=False) == [
        "may be delivered at A or circulate for ever at B (decided at run time)"
    ]


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_words_and_none_is_a_code(outcome):
    for form in ("", "may", "would", "is to"):
        said = in_words(f"{outcome}(X, 1)", form)
        assert said.endswith(" (X, 1)")
        assert outcome not in said
        assert said.startswith(form)
    assert len({in_words(one) for one in Outcome}) == len(Outcome)


def test_the_page_has_the_same_words():
    said = (Path(topograph.__file__).parent.parent / "viz/page/asking/fates.js").read_text()
    table = said[said.index("const ENDS = {") :].partition("};")[0]
    assert dict(re.findall(r'(\w+): "([^"]+)"', table)) == dict(ENDS)


@pytest.mark.parametrize("number", range(40))
def test_no_place_is_told_with_more_certainty_than_it_has(number):
    at = random.Random(number)
    judged = at.sample([*product("ABCDEFGH", (YES, IF, ONE_OF, LATER, CODE))], at.randint(1, 4))
    fates = {place: delivered(place, one) for place, one in judged}
    for clause in clauses(fates.values()):
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
            for one in clauses(fates.values())
        )
        for place in fates
    )
