"""The head of a picture: how an answer stands, and what it rests on, each thing once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every_question import questions
from hypothesis import given
from hypothesis import strategies as st
from portable.node import run

import topograph
from topograph.questions.answers import HopsAnswer, PathsAnswer, PropagateAnswer, ReachAnswer
from topograph.viz.scene.basis import KINDS, grouped, headline
from topograph.viz.scene.records import Mark, Scene
from topograph.viz.scene.standing import Standing, of_marks

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SCRIPTS = ROOT / "viz" / "page" / "script"


def audited(name: str, change: Path | str, at: str | None = None) -> Scene:
    network = topograph.read(EXAMPLES / name)
    return network.view(network.audit(change, at=at)).scene


def standings(cases: list[dict[str, Any]]) -> list[str]:
    """How the page says that answers stand: each a question, whether it is exact, and marks."""
    return run(
        ["standing"],
        """return given.map(({question, exact, marks}) => standingOf({question, exact,
            servers: new Map(marks.map((mark, index) => [String(index), {mark}]))}));""",
        cases,
        folder=SCRIPTS,
    )


def lines(facts: list[list[list[str]]]) -> list[Any]:
    return run(
        ["basis"],
        """return given.map((facts) => [headline(facts),
            grouped(facts).map(({kind, words, texts}) => [kind, words, texts])]);""",
        facts,
        folder=SCRIPTS,
    )


def test_the_sign_of_a_verdict_is_that_of_the_answer():
    network = topograph.read(EXAMPLES / "estate")
    assert network.scene(network.hops("LONDON", "MEXICO")).standing == Standing.GOOD
    assert network.scene(network.hops("PARIS", "MIRROR")).standing == Standing.UNSURE
    apart = topograph.read(EXAMPLES / "two-1hop-zones" / "legal")
    assert apart.scene(apart.hops("A", "G")).standing == Standing.BAD
    assert network.scene().standing == Standing.NONE

    legal = topograph.read(EXAMPLES / "mhop-star" / "legal")
    illegal = topograph.read(EXAMPLES / "mhop-star" / "with-b-d")
    assert legal.scene(legal.cycles()).standing == Standing.GOOD
    assert illegal.scene(illegal.cycles()).standing == illegal.scene().standing == Standing.BAD

    assert audited("orders", "create topic orders.archive\n", "HUB").standing == Standing.GOOD
    assert (
        audited("two-1hop-zones/legal", EXAMPLES / "changes/route-g-a.txt", "G").standing
        == Standing.BAD
    )
    assert audited("estate", EXAMPLES / "changes/canada.txt", "HQ").standing == Standing.WARNING
    assert network.scene(network.impact(["server:LONDON"])).standing == Standing.BAD


def test_a_message_that_may_get_to_a_server_has_no_sign_of_success():
    open_ = {Mark.DELIVERED, Mark.UNDETERMINED}
    assert of_marks("propagate", open_, exact=True) == Standing.UNSURE
    assert of_marks("trace", {Mark.WOULD_DELIVER}, exact=True) == Standing.UNSURE
    assert of_marks("trace", {Mark.DELIVERED, Mark.REJECTED}, exact=True) == Standing.WARNING
    assert of_marks("propagate", {Mark.TRANSIT}, exact=False) == Standing.NONE


@pytest.mark.slow
def test_the_page_gives_every_answer_of_the_examples_the_same_sign_and_line():
    scenes = []
    for name in ("estate", "routers", "mixed", "two-1hop-zones/with-g-a"):
        network = topograph.read(EXAMPLES / name)
        answers = [ask(network) for _, ask in questions(network)]
        scenes += [
            network.view(one).scene
            for one in answers
            if isinstance(one, (ReachAnswer, HopsAnswer, PathsAnswer, PropagateAnswer))
        ]
    said = standings(
        [
            {
                "question": scene.question,
                "exact": scene.exact,
                "marks": [mark for server in scene.servers for mark in server.marks],
            }
            for scene in scenes
        ]
    )
    assert said == [scene.standing for scene in scenes]
    assert {*said} >= {"good", "bad", "unsure"}


@pytest.mark.slow
def test_the_page_counts_and_groups_facts_as_python_does():
    alike = [
        ["assumption", f"T-13 host{n} is R{n}, as topograph.yaml:{n}:3 says"] for n in range(1200)
    ]
    cases: list[list[list[str]]] = [
        [],
        [["note", "One note."]],
        [["assumption", "R6 one"]],
        [["note", "long " * 40]],
        alike,
        [*alike[:2], ["assumption", "R20 legal"], ["warning", "not evaluated"], ["hasOwn", "x"]],
        [["inexact", "Not certain: a."], ["open", "b"], ["open", "c"], ["warning", "A12 d"]],
        [["inexact", "Not certain: a."], ["inexact", "Not certain: b."]],
        [["assumption", "T-13 a b"], ["assumption", "T-13 c d e f g h"]],
    ]
    own = []
    for facts in cases:
        pairs = [(kind, text) for kind, text in facts]
        own.append(
            [headline(pairs), [[one.kind, one.words, list(one.texts)] for one in grouped(pairs)]]
        )
    assert json.loads(json.dumps(own)) == lines(cases)
    assert own[4][0] == "Rests on 1,200 assumptions (T-13)"
    assert [len(texts) for _, _, texts in own[4][1]] == [1200]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*KINDS]),
            st.lists(st.sampled_from(["T-13", "R6", "a", "b", "is", "c"]), min_size=1).map(
                " ".join
            ),
        )
    )
)
def test_no_fact_is_lost_by_grouping(facts):
    found = grouped(facts)
    assert sorted(text for one in found for text in one.texts) == sorted(text for _, text in facts)
    assert bool(headline(facts)) is bool(facts)


@pytest.mark.parametrize(
    ("name", "change", "at"),
    [
        ("routers", "london.sh", None),
        ("estate", "canada.txt", "HQ"),
        ("orders", "canada-misspelt.txt", "HUB"),
        ("retail", "orchard-meadow.txt", "ORCHARD"),
    ],
)
def test_an_audit_says_each_thing_once(name, change, at):
    scene = audited(name, EXAMPLES / "changes" / change, at)
    said = [
        *scene.told,
        *(text for _, text in scene.facts),
        *(note for command in scene.commands for note in command.notes),
    ]
    assert said
    for number, one in enumerate(said):
        assert not any(one in other for other in [*said[:number], *said[number + 1 :]]), one
