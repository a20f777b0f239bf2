"""Answers say why: where there is no way, which links matter, and what keeps an answer from
being exact.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from every_question import questions
from systems import listed_estate, undecided_routers

import topograph
from topograph.forwarding.reached import Reached
from topograph.network import Network
from topograph.questions.no_link import no_link
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("question", ["reach", "hops", "paths"])
@pytest.mark.parametrize(
    ("example", "start", "end", "stops"),
    [
        # B and C are in the zone of A, and nothing leads on to G from there
        ("two-1hop-zones/legal", "A", "G", [("F", "G", "zone", "R13")]),
        ("queue_managers", "HUB", "ARCHIVE", [("HUB", "ARCHIVE", "no-route", "M-11")]),
        ("mqe_devices", "crane8", "depot", [("crane8", "depot", "no-route", "E-20")]),
    ],
)
def test_every_question_about_a_way_that_is_not_there_gives_the_links_that_matter(
    question, example, start, end, stops
):
    answer = getattr(topograph.read(EXAMPLES / example), question)(start, end)
    assert [(one.at, one.to, one.reason, one.rule) for one in answer.stopped] == stops
    written = text(answer)
    for one in answer.stopped:
        assert f"{one.reason}  {one.rule}  {one.source}  {one.guard}" in written


def test_no_link_is_claimed_only_where_none_leads_on():
    network = topograph.read(EXAMPLES / "mqe_devices")
    (none,) = network.reach("crane8", "harbour").stopped
    assert none.guard == "no connection leads on to harbour from crane8"
    (several,) = topograph.read(EXAMPLES / "queue_managers").reach("HUB", "ARCHIVE").stopped
    assert (
        several.guard
        == "no channel leads on to ARCHIVE from HUB or the 4 queue managers that it reaches"
    )


def test_links_that_nothing_is_sent_over_are_not_denied():
    graph = topograph.read(EXAMPLES / "queue_managers")._model.parts[0].graph
    start, end = graph.server_number["STORE1"], graph.server_number["EAST"]
    said = no_link(graph, Reached(start, {}), end).guard
    assert said == (
        "channels lead from STORE1 to EAST, but nothing that is configured sends a "
        "message all the way"
    )


@pytest.mark.parametrize(
    ("asked", "stop"),
    [
        (("MIRROR",), "VAULT → HQ  zone  R13  hq-1/routes.conf:37:1"),
        (("HQ",), "VAULT → MIRROR  zone  R13  vault/routes.conf:3:1"),
        (("HQ", "MIRROR"), "VAULT → MIRROR  zone  R13  vault/routes.conf:3:1"),
    ],
)
def test_reach_says_where_a_shown_path_ends_also_where_other_routes_are_possible(asked, stop):
    answer = topograph.read(EXAMPLES / "estate").reach(*asked)
    assert answer.undetermined
    written = text(answer)
    why = "it came over 1hop zone BACKUP, which takes it one hop only"
    assert f"\nNot forwarded\n  {stop}  {why}\n" in written


def test_reach_of_all_names_each_link_that_keeps_a_server_from_being_reached():
    answer = topograph.read(EXAMPLES / "two-1hop-zones/legal").reach("A")
    assert set(answer.unreachable) == {"C", "G"}
    assert [(one.at, one.to, one.reason) for one in answer.stopped] == [
        ("B", "C", "zone"),
        ("F", "G", "zone"),
    ]


def test_replies_are_not_said_to_end_where_messages_do():
    assert not topograph.read(EXAMPLES / "two-1hop-zones/legal").reach("A", reply=True).stopped


def test_a_trace_says_where_each_outcome_is():
    network = topograph.read(EXAMPLES / "routers")
    assert text(network.trace("LON", "address:orders")).startswith(
        "A message to address:orders sent at LON is stored in a container at FRA and is delivered "
        "at ROM."
    )


def test_a_step_says_by_which_value_its_selector_stops_the_message():
    steps = topograph.read(EXAMPLES / "estate").trace("HQ", "topic:orders").steps
    (step,) = (one for one in steps if "CANADA" in one.text)
    assert (step.condition, step.value) == ("selector", "UNKNOWN")
    assert all((one.condition, one.value) == ("", "") for one in steps if one.to)


def test_what_hops_cannot_decide_stands_below_as_in_reach():
    network = topograph.read(EXAMPLES / "estate")
    for answer in (
        network.reach("HQ", "MIRROR"),
        network.hops("HQ", "MIRROR"),
        network.paths("HQ", "MIRROR"),
    ):
        assert "\n  MIRROR  TOKYO may have routes" in text(answer), answer.question


def test_a_server_reached_under_an_assumption_is_listed_with_the_path():
    network = topograph.read(EXAMPLES / "estate")
    shown = "\n  TOKYO  CANADA → HQ → SINGAPORE → TOKYO  TOKYO: its configuration is not loaded"
    for answer in (
        network.reach("CANADA"),
        network.reach("CANADA", "TOKYO"),
        network.hops("CANADA", "TOKYO"),
        network.paths("CANADA", "TOKYO"),
    ):
        assert shown in text(answer), answer.question
    assert "\n  MIRROR  TOKYO may have routes" in text(network.reach("CANADA"))


def test_what_a_failing_server_stored_is_told_apart_from_what_others_store_for_it():
    said = text(topograph.read(EXAMPLES / "estate").impact(["server:LONDON"]))
    sections = {part.splitlines()[0]: part for part in said.split("\n\n")}
    kept = sections["In the store of a server that fails, until it is back"]
    meanwhile = sections["Stored meanwhile"]
    assert (kept.count("\n  LONDON for "), kept.count("\n  HQ for ")) == (3, 0)
    assert (meanwhile.count("\n  LONDON for "), meanwhile.count("\n  HQ for ")) == (0, 2)
    assert "  Messages to 2 destinations are stored" in kept


def test_of_a_route_that_fails_everything_is_stored_meanwhile():
    said = text(topograph.read(EXAMPLES / "estate").impact(["route:HQ-LONDON"]))
    assert "\nStored meanwhile\n" in said
    assert "In the store of" not in said


def causes(answer: object) -> list[tuple[str, str]]:
    return [(one.cause, one.message) for one in answer.inexact_because]  # type: ignore[attr-defined]


@pytest.fixture
def routers(tmp_path: Path) -> Network:
    undecided_routers.write(tmp_path)
    return topograph.read(tmp_path)


def test_connectors_that_lead_nowhere_known_are_counted(tmp_path):
    (tmp_path / "a.conf").write_text(
        "router {\n  mode: interior\n  id: A\n}\nconnector {\n  host: gone\n  port: 1\n  "
        "role: inter-router\n}\n"
    )
    network = topograph.read(tmp_path)
    answer = network.cycles()
    assert causes(answer) == [("unresolved-link", "where 1 connector leads is not known")]
    assert "\nNot certain: where 1 connector leads is not known (below).\n" in text(answer)


def test_whatever_is_not_exact_names_its_cause_and_nothing_else_does(tmp_path, routers):
    listed_estate.write(tmp_path / "listed")
    asked = 0
    for network in (
        routers,
        topograph.read(tmp_path / "listed"),
        topograph.read(EXAMPLES / "estate"),
    ):
        for name, ask in questions(network):
            answer = ask(network)
            assert answer.exact is not bool(answer.inexact_because), name
            asked += not answer.exact
    assert asked > 3
