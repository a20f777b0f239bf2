"""Findings in pictures: counted by rule in the head, at servers and links by badges, and none is
left out without a word."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from drawn.networks import estate_of, route
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from page_markup import Markup

import topograph
from topograph.findings import Finding, Severity, Source, distinct
from topograph.viz.page import page_of
from topograph.viz.scene import found
from topograph.viz.scene.checked import by_rule, counted, line
from topograph.viz.scene.picture import draw
from topograph.viz.svg.document import svg

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def text_of(page: str) -> str:
    return " ".join(" ".join(Markup(page).texts).split())


FINDINGS = st.lists(
    st.builds(
        Finding,
        kind=st.just("made"),
        severity=st.sampled_from(list(Severity)),
        message=st.sampled_from(["one", "two"]),
        source=st.builds(Source, st.sampled_from(["A/x", "B/x"]), st.integers(1, 9)),
        rule=st.sampled_from(["TL-03", "TL-20", ""]),
        server=st.sampled_from(["A", "B"]),
    ),
    max_size=40,
)


@given(FINDINGS)
def test_every_finding_is_counted_once_under_its_rule(findings):
    rules = by_rule(findings, ["ems"])
    assert sum(one.total for one in rules) == len(distinct(findings))
    ranks = [(-one.severity.rank, -one.total) for one in rules]
    assert ranks == sorted(ranks)
    assert all(0 < len(one.first) <= one.total for one in rules)
    for severity in (Severity.ERROR, Severity.WARNING):
        number = sum(one.severity is severity for one in distinct(findings))
        assert (f"{number} {severity}" in counted(rules)) is bool(number)


@given(FINDINGS, st.integers(0, 5))
@settings(max_examples=draws(24))
def test_what_a_picture_does_not_list_it_counts_where_it_belongs(findings, most):
    estate = estate_of("AB", [route("A", "B")])
    whole, none = found.drawn_findings(findings, [(s.name, s) for s in estate.servers], [])
    assert none == ()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found, "MOST", most)
        listed, more = found.drawn_findings(findings, [(s.name, s) for s in estate.servers], [])
    assert listed == whole[:most]
    for server in "AB":
        for severity, field in ((Severity.ERROR, "errors"), (Severity.WARNING, "warnings")):
            left = sum(one.server == server and one.severity is severity for one in whole[most:])
            assert sum(getattr(one, field) for one in more if one.server == server) == left


def test_a_picture_says_how_many_findings_there_are_and_whether_the_network_is_legal():
    network = topograph.read(EXAMPLES / "retail")
    scene = network.scene()
    check = network.check()
    assert sum(one.total for one in scene.checked) == len(check.findings) > 0
    assert scene.legality == "Legal: no server would hold a name over more than one route."
    words = line(scene.checked)
    page = page_of(scene)
    assert words in text_of(page)
    assert scene.legality in text_of(page)
    assert 'href="#check-list"' in page
    drawing = svg(scene)
    assert scene.legality.split(":")[0] in drawing
    for one in (one for one in scene.checked if one.severity is not Severity.INFO):
        assert f"{one.total:,} × {one.label}" in drawing


def test_only_a_network_with_a_rule_for_it_is_called_legal():
    assert topograph.read(EXAMPLES / "routers").scene().legality == ""
    assert topograph.read(EXAMPLES / "mhop-star" / "with-b-d").scene().legality == ""
    partly = topograph.read(EXAMPLES / "estate").scene().legality
    assert partly.startswith("No server was found")


def test_without_findings_the_picture_says_so_and_without_a_check_nothing():
    estate = estate_of("AB", [route("A", "B")])
    words = "No errors or warnings in the files."
    assert words not in text_of(page_of(draw(estate)))
    assert words in text_of(page_of(draw(dataclasses.replace(estate, findings=()))))
