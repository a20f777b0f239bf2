"""The trace of a publication: every step with its own evidence, and a step for every server that
gets the message.
"""

from __future__ import annotations

import pytest
from brute_force.ems_estate import estates
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.opening.folders import read_snapshot
from topograph.opening.models import model_of
from topograph.questions.following import followed
from topograph.questions.text import text
from topograph.questions.texts.layout import STEPS_SHOWN
from topograph.tracing.trace import Kind


def line(peer: str, *more: str) -> str:
    return (
        "\n".join(
            [f"[{peer}]", f"  url = tcp://{peer.lower()}:7222", *(f"  {text}" for text in more)]
        )
        + "\n"
    )


CHAIN = {
    "A": {"routes.conf": line("B"), "topics.conf": "orders global\n"},
    "B": {
        "routes.conf": line("C", "outgoing_topic=orders selector=\"kind='x'\""),
        "topics.conf": "orders global\n",
    },
    "C": {"topics.conf": "orders global\n", "durables.conf": "orders keeper\n"},
}


def told(answer):
    return [(step.at, step.rule, step.outcome, str(step.source)) for step in answer.steps]


def test_a_delivery_cites_the_subscriber_and_not_the_link_before_it(estate):
    clients = "clients:\n  - server: B\n    destination: topic:orders\n"
    answer = estate(CHAIN, {"topograph.yaml": clients}).trace("A", "topic:orders")
    assert told(answer)[:2] == [
        ("A", "R13", "FORWARDED(B)", "A/routes.conf:1:1"),
        ("B", "R40", "DELIVERED(topic:orders)", "topograph.yaml:2:5"),
    ]


def test_a_delivery_to_a_subscriber_of_the_question_says_that_it_was_given(estate):
    answer = estate(CHAIN).trace("A", "topic:orders", subscribers=["B:topic:orders"])
    assert ("B", "R40", "DELIVERED(topic:orders)", "--subscriber") in told(answer)


def test_a_delivery_to_a_durable_cites_its_line(estate):
    answer = estate(CHAIN).trace("A", "topic:orders", {"kind": "x"})
    assert ("C", "R40", "DELIVERED(topic:orders)", "C/durables.conf:1:1") in told(answer)


def test_the_sender_s_own_server_delivers_in_a_step_of_its_own(estate):
    answer = estate(CHAIN).trace("A", "topic:orders", subscribers=["A:topic:orders"])
    (step,) = (step for step in answer.steps if step.outcome.startswith("DELIVERED"))
    assert (step.at, step.rule, str(step.source), step.after) == ("A", "R40", "--subscriber", -1)


def test_a_server_that_gets_the_message_and_stops_it_has_the_step_that_leads_there(estate):
    answer = estate(CHAIN).trace("A", "topic:orders", {"kind": "y"}, subscribers=["C:topic:orders"])
    forwarded, stopped = answer.steps
    assert (forwarded.outcome, stopped.outcome) == ("FORWARDED(B)", "NOT_FORWARDED(selector)")
    assert (stopped.after, stopped.at, stopped.rule, str(stopped.source)) == (
        0,
        "B",
        "R65",
        "B/routes.conf:3:3",
    )
    assert stopped.text == "not sent to C: kind='x' is FALSE"
    assert answer.outcomes == ("NOT_FORWARDED(selector)",)


@pytest.mark.parametrize(
    ("topics", "user", "rule", "condition"),
    [("news\n", "", "R45", "not-global"), ("orders global secure\n", "eve", "R49", "acl")],
)
def test_a_publication_that_its_server_refuses_cites_the_rule(
    estate, topics, user, rule, condition
):
    main = (
        "server = A\nrouting = enabled\nauthorization = enabled\ntopics = "
        "topics.conf\nacl_list = acl.conf\n"
    )
    folders = {
        "A": {
            "tibemsd.conf": main,
            "topics.conf": topics,
            "acl.conf": "TOPIC=orders USER=bob PERM=publish\n",
        }
    }
    (step,) = estate(folders).trace("A", "topic:orders", user=user).steps
    assert (step.rule, step.outcome) == (rule, f"NOT_FORWARDED({condition})")


@pytest.mark.parametrize(
    ("acl", "user", "takes"),
    [
        ("TOPIC=orders USER=bob PERM=publish\n", "bob", True),
        ("TOPIC=orders.* USER=bob PERM=publish\n", "bob", False),
        ("TOPIC=> USER=bob PERM=all\n", "bob", True),
        ("TOPIC=orders USER=bob PERM=subscribe\n", "bob", False),
        ("QUEUE=orders USER=bob PERM=publish\n", "bob", False),
        ("TOPIC=orders GROUP=traders PERM=publish\n", "ann", True),
        ("TOPIC=orders GROUP=traders PERM=publish\n", "bob", False),
        ("TOPIC=orders USER=traders PERM=publish\n", "ann", False),
    ],
)
def test_who_may_publish_to_a_secure_topic(estate, acl, user, takes):
    main = (
        "server = A\nauthorization = enabled\ntopics = topics.conf\nacl_list = "
        "acl.conf\ngroups = groups.conf\n"
    )
    files = {
        "tibemsd.conf": main,
        "topics.conf": "orders secure\n",
        "acl.conf": acl,
        "groups.conf": "traders:\n  ann\n",
    }
    assert bool(estate({"A": files}).propagate("A", "topic:orders", user=user).deliveries) is takes


def test_the_conditions_of_stops_name_their_rules(estate):
    folders = {
        "A": {"routes.conf": line("B") + line("C") + line("D"), "topics.conf": "t global\n"},
        "B": {"topics.conf": "t\n"},
        "C": {
            "tibemsd.conf": "server = C\nrouting = disabled\ntopics = topics.conf\n",
            "topics.conf": "t global\n",
        },
        "D": {"topics.conf": "t global\n"},
    }
    answer = estate(folders).propagate("A", "topic:t", subscribers=["B:t", "C:t"])
    assert {(stop.to, str(stop.reason), stop.rule) for stop in answer.stopped} == {
        ("B", "not-global", "R42"),
        ("C", "route-down", "R6"),
        ("D", "no-interest", "R41"),
    }


@settings(
    max_examples=draws(24),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(estate=estates(), some=st.booleans())
def test_a_trace_is_a_tree_of_steps_that_tells_what_propagate_answers(
    estate, some, tmp_path_factory
):
    root = tmp_path_factory.mktemp("estate")
    estate.write(root)
    snapshot = read_snapshot(root)
    model = model_of(snapshot, snapshot.networks[0])
    for place in model.places()[:4]:
        message = Message.to("topic:T", {"a": 1})
        subscribers = [f"{other.name}:T" for other in model.places()[::2]] if some else []
        trace = followed(model, Budget(), place, message, subscribers, ())
        for number, step in enumerate(trace.steps):
            assert step.id == number
            assert step.after < number
            assert (
                step.after < 0
                or (trace.steps[step.after].to or trace.steps[step.after].at) == step.at
            )
            assert step.rule
        for number, branch in enumerate(trace.branches):
            assert (branch.id, branch.of < number, branch.kind is Kind.ROOT) == (
                number,
                True,
                number == 0,
            )
        reached = {step.to for step in trace.steps if step.to}
        assert reached - {place.name} == set(trace.visited) - {place.name}
        answer = topograph.read(root).propagate(
            place.name, "topic:T", {"a": 1}, subscribers=subscribers
        )
        ended = {
            branch.ending.text("server")
            for branch in trace.endings()
            if str(branch.ending).startswith("DELIVERED")
        }
        assert ended == {delivery.server for delivery in answer.deliveries}


def test_a_trace_that_is_shortened_shows_where_the_message_stops(estate):
    spokes = [f"S{number:02}" for number in range(50)]
    hub = "".join(
        line(spoke, "outgoing_topic=orders selector=\"kind='x'\"" if spoke > "S46" else "")
        for spoke in spokes
    )
    folders = {spoke: {"topics.conf": "orders global\n"} for spoke in spokes}
    answer = estate(
        {**folders, "HUB": {"routes.conf": hub, "topics.conf": "orders global\n"}}
    ).trace("HUB", "topic:orders")
    shown = text(answer)
    assert len(answer.steps) > STEPS_SHOWN
    assert [f"not sent to {spoke}" in shown for spoke in spokes[47:]] == [True, True, True]
    assert f"and {len(answer.steps) - STEPS_SHOWN} more" in shown
