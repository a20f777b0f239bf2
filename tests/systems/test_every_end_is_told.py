"""Drawn estates of every system: what ``trace`` says becomes of a message, ``propagate`` says too,
in JSON and in its first line, and neither says it with more certainty than it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from drawn.all_systems import DRAWN, drawn
from draws import share

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.questions.answers import PropagateAnswer, TraceAnswer, TraceBranch
from topograph.questions.text import text

ESTATES_OF_EACH = range(8)
ESTATES = [
    pytest.param(system, way, number, id=f"{system} {way} {number}")
    for system, ways in DRAWN.items()
    for way in ways
    for number in ESTATES_OF_EACH
]
TAKEN = ("DELIVERED", "DEPOSITED")
IN_WORDS = {
    "PUBLISHED": "published",
    "XMIT": "transmission queue",
    "HELD": "held",
    "EXCEPTIONED": "exception destination",
    "DLQ": "dead-letter queue",
    "DISCARDED": "discarded",
    "BLOCKED": "tried again",
    "REJECTED": "rejected",
    "LOOP": "for ever",
    "EXTERNAL": "loaded files",
    "OPAQUE": "code that no file shows",
    "STUCK": "stuck",
    "NO_CREDIT": "no credit",
    "RELEASED": "given back to the sender",
    "REFUSED": "refused",
}
"""How first lines name each end; what the sender sees has its outcome."""


@cache
def asked(system: str, way: str, number: int) -> Sequence[tuple[PropagateAnswer, TraceAnswer]]:
    """The answers of both questions about every message that is drawn for an estate."""
    estate = drawn(system, way, number)
    found = []
    with TemporaryDirectory() as folder:
        network = _read(Path(folder, "estate"), estate.files)
        for method, words, options in estate.questions():
            if method not in ("propagate", "trace"):
                continue
            shared = {name: one for name, one in options.items() if name not in ("reply", "assume")}
            with suppress(TopographError):  # a message that nobody can send
                pair = network.propagate(*words, **shared), network.trace(*words, **shared)
                found.append(pair)
    return found


def _read(folder: Path, files: dict[str, str]) -> Network:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder).within(None)


@pytest.mark.parametrize(("system", "way", "number"), share(ESTATES, 2))
def test_each_ending_of_a_trace_stands_in_propagate(system: str, way: str, number: int) -> None:
    for answer, told in asked(system, way, number):
        for branch in endings(told):
            step = told.steps[branch.last]
            kind = branch.ending.partition("(")[0]
            if kind in TAKEN:
                found = any(
                    one.outcome == kind and one.server == step.at for one in answer.deliveries
                )
            elif kind == "NOT_FORWARDED":
                found = any((one.at, one.rule) == (step.at, step.rule) for one in answer.stopped)
            else:
                found = any(
                    (one.server, one.ending) == (branch.server, branch.ending)
                    for one in answer.ends
                )
            assert found, (answer.message, branch, step)


@pytest.mark.parametrize(("system", "way", "number"), ESTATES)
def test_the_first_line_names_each_kind_of_end(system: str, way: str, number: int) -> None:
    for answer, _ in asked(system, way, number):
        first = text(answer).splitlines()[0]
        for end in answer.ends:
            if end.outcome == "UNDETERMINED":
                assert "cannot be decided" in first or "not known" in first, first
            else:
                assert IN_WORDS[end.outcome] in first or f"sees {end.outcome.lower()}" in first, (
                    first
                )
        if answer.ends and all(one.outcome != "UNDETERMINED" for one in answer.ends):
            assert not first.endswith("is delivered nowhere."), first


@pytest.mark.parametrize(("system", "way", "number"), ESTATES)
def test_a_first_line_says_is_delivered_of_what_is_certain_only(
    system: str, way: str, number: int
) -> None:
    for answer, told in asked(system, way, number):
        certain = {one.server for one in answer.deliveries if one.judgement == "yes"}
        for first in (text(answer).splitlines()[0], text(told).splitlines()[0]):
            for said in re.findall(r"\bis delivered at ([^;.]*)", first):
                if "(decided at run time)" in said:
                    continue
                names = re.split(
                    r", | and (?!\d)", re.split(r" and (?:is|leaves|circulates) ", said)[0]
                )
                names = [one for one in names if not re.fullmatch(r"\d[\d,]* others", one)]
                assert {one.partition(",")[0] for one in names if one} <= certain | {
                    "as far as the loaded files show"
                }, (first, certain)
        for one in answer.deliveries:
            if one.judgement != "yes" and not certain:
                assert "is delivered at" not in first or "(decided at run time)" in first


@pytest.mark.parametrize(("system", "way", "number"), ESTATES)
def test_what_is_judged_certain_holds_in_each_course_of_events(
    system: str, way: str, number: int
) -> None:
    for answer, told in asked(system, way, number):
        courses = [*islice(worlds(told), 500)]
        if len(courses) == 500:
            continue
        for one in answer.deliveries:
            held = [(one.outcome, one.server) in world for world in courses]
            if one.judgement == "yes":
                assert all(held), (one, told.branches)
                assert one.subscriber != "assumed", one
            elif one.judgement == "if":
                assert one.subscriber == "assumed"
            elif one.judgement == "one_of":
                assert answer.alternatives or "one_of" in one.conditions
                assert not all(held) or one.subscriber == "assumed" or len(answer.deliveries) > 1
        for end in answer.ends:
            if end.judgement == "yes" and not end.goes_on:
                assert all((end.ending, end.server) in world for world in courses), (end, courses)


def endings(told: TraceAnswer) -> Iterator[TraceBranch]:
    """The branches that end, without other readings and copies that a server had before."""
    left_out: set[int] = set()
    for branch in told.branches:
        if branch.kind == "reading" or branch.of in left_out:
            left_out.add(branch.id)
        elif branch.ending and "already-seen" not in branch.ending and branch.last >= 0:
            yield branch


def worlds(told: TraceAnswer) -> Iterator[set[tuple[str, str]]]:
    """What becomes of the message now, in each course of events: every pick of every choice, and
    of code that no file shows. By trying all of them."""
    picks: dict[str, dict[int, None]] = {}
    pick_of: dict[int, tuple[str, int]] = {}
    siblings: dict[tuple[int, str], int] = {}
    for branch in told.branches:
        if branch.kind == "one_of" or (branch.kind == "opaque" and branch.choice):
            number = siblings.get((branch.of, branch.choice), 0)
            siblings[branch.of, branch.choice] = number + 1
            pick_of[branch.id] = branch.choice, number
        elif branch.kind == "opaque":
            pick_of[branch.id] = f"code {branch.id}", 1
            picks[f"code {branch.id}"] = {0: None, 1: None}
    for choice, number in pick_of.values():
        picks.setdefault(choice, {})[number] = None
    for chosen in product(*(list(each) for each in picks.values())):
        world = dict(zip(picks, chosen, strict=True))
        taken: set[int] = set()
        found: set[tuple[str, str]] = set()
        for branch in told.branches:
            if branch.of >= 0 and branch.of not in taken:
                continue
            if branch.kind in ("reading", "later"):
                continue
            if branch.id in pick_of and world[pick_of[branch.id][0]] != pick_of[branch.id][1]:
                continue
            taken.add(branch.id)
            if branch.ending and branch.last >= 0:
                at = branch.server or told.steps[branch.last].at
                found |= {(branch.ending, at), (branch.ending.partition("(")[0], at)}
        yield found


def test_the_estates_have_every_way_to_end() -> None:
    """What the properties are about occurs in them."""
    kinds: set[str] = set()
    judged: set[str] = set()
    for system, ways in DRAWN.items():
        for way in ways:
            for number in ESTATES_OF_EACH:
                for answer, _ in asked(system, way, number):
                    kinds |= {one.outcome for one in answer.ends}
                    judged |= {one.judgement for one in (*answer.deliveries, *answer.ends)}
    assert kinds >= {"HELD", "REJECTED", "EXCEPTIONED", "DISCARDED", "BLOCKED", "STUCK", "LOOP"}
    assert kinds >= {"PUBLISHED", "EXTERNAL", "UNDETERMINED", "RELEASED", "REFUSED", "NO_CREDIT"}
    assert judged >= {"yes", "if", "one_of", "later", "unknown"}
