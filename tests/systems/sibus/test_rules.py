"""Rules of service integration buses, by their numbers: what the vectors of the specification do not ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from topograph.message import parse_path
from topograph.network import Network
from topograph.questions.answers import TraceAnswer

from .buses import network, script, system_exception

Send = Callable[..., TraceAnswer]


@pytest.fixture
def bus(tmp_path: Path) -> Callable[..., Network]:
    """The network of one bus B."""
    return lambda *lines, **more: network(tmp_path, {"b.py": script("B", *lines, **more)})


def send(on: Network, name: str, at: str = "B", **options: Any) -> TraceAnswer:
    """A message to a destination; paths as on the command line."""
    for path in ("forward_path", "reverse_path"):
        if path in options:
            options[path] = parse_path(options[path])
    return on.trace(at, name if "@" in name else f"queue:{name}", **options)


def rules(answer: TraceAnswer) -> set[str]:
    return {step.rule for step in answer.steps}


def test_s02_a_reliability_above_the_highest_is_an_error_for_a_sender(bus):
    on = bus("Queue A -maxReliability RELIABLE_PERSISTENT -reliability RELIABLE_PERSISTENT")
    assert send(on, "A", reliability="ASSURED_PERSISTENT").outcomes == ("REJECTED(33)",)
    assert send(on, "A", reliability="RELIABLE_PERSISTENT").outcomes == ("DELIVERED(A@B)",)
    assert send(on, "A").outcomes == ("DELIVERED(A@B)",)


def test_s02_a_destination_that_producers_may_not_override_replaces_the_reliability(bus):
    line = "Queue A -reliability EXPRESS_NONPERSISTENT -maxReliability EXPRESS_NONPERSISTENT"
    answer = send(bus(f"{line} -overrideOfQOSByProducerAllowed false"), "A", reliability="ASSURED_PERSISTENT")
    assert answer.outcomes == ("DELIVERED(A@B)",)
    assert "S-02" in rules(answer)


def test_s19_a_reliability_that_the_next_element_does_not_take_ends_in_its_exception_destination(bus):
    on = bus(
        "Queue A", "Queue C -reliability EXPRESS_NONPERSISTENT -maxReliability EXPRESS_NONPERSISTENT -exceptionDestination BAD", "Queue BAD"
    )  # fmt: skip
    answer = send(on, "A", forward_path="B:C", reliability="ASSURED_PERSISTENT")
    assert answer.outcomes == ("EXCEPTIONED(BAD@B, 1)",)


def test_a11_a_destination_that_allows_no_sending_takes_what_a_path_brings(bus):
    answer = send(bus("Queue A", "Queue C -sendAllowed false"), "A", forward_path="B:C")
    assert answer.outcomes == ("DELIVERED(C@B)",)
    assert "A-11" in {one.rule for one in answer.assumptions}


def test_s21_an_unknown_destination_is_an_error_for_the_sender_and_a_near_name_is_offered(bus):
    answer = send(bus("Queue ORDERS"), "ORDERZ")
    assert answer.outcomes == ("REJECTED(15)",)
    assert "Did you mean ORDERS?" in answer.steps[-1].text


def test_s21_a_foreign_bus_that_is_not_defined_is_error_38(bus):
    assert send(bus("Queue A"), "Q@Nowhere").outcomes == ("REJECTED(38)",)


def test_s23_exception_settings_of_an_alias_are_those_of_its_target(bus):
    on = bus("Queue A -exceptionDestination BAD", "Queue BAD", "Alias AL -aliasBus B -targetBus B -targetName A")
    assert send(on, "AL", forward_path="B:NOPE").outcomes == ("EXCEPTIONED(BAD@B, 37)",)


def test_s24_an_alias_of_a_service_destination_is_error_29_and_one_without_target_28(bus):
    on = bus(
        "WebService W",
        "Alias S -aliasBus B -targetBus B -targetName W",
        "Alias G -aliasBus B -targetBus B -targetName GONE",
    )
    assert send(on, "S").outcomes == ("REJECTED(29)",)
    assert send(on, "G").outcomes == ("REJECTED(28)",)


def test_what_a_computed_argument_may_have_made_is_undetermined(tmp_path):
    text = (
        script("B", "Queue A")
        + "AdminTask.createSIBDestination(['-bus', 'B', '-name', makeName(), '-type', 'Queue'])\n"
    )
    on = network(tmp_path, {"b.py": text})
    assert send(on, "OTHER").outcome == "UNDETERMINED"
    assert send(on, "A").outcomes == ("DELIVERED(A@B)",)


def test_s27_a_temporary_destination_is_taken_to_exist(bus):
    answer = send(bus("Queue A"), "A", forward_path="B:_QABC0")
    assert answer.outcomes == ("DELIVERED(_QABC0@B)",)
    assert "S-27" in {one.rule for one in answer.assumptions}


def test_s40_best_effort_messages_are_dropped_where_nothing_else_is_configured(bus):
    answer = send(bus("Queue A"), "A", forward_path="B:NOPE", reliability="BEST_EFFORT_NONPERSISTENT")
    assert answer.outcomes == ("DISCARDED(reliability)",)


def test_s45_the_exception_destination_applies_its_own_default_path(bus):
    on = bus("Queue A -exceptionDestination BAD", "Queue BAD -defaultForwardRoutingPath [[B ARCHIVE]]", "Queue ARCHIVE")
    answer = send(on, "A", forward_path="B:NOPE")
    assert answer.outcomes == ("DELIVERED(ARCHIVE@B)",)
    assert {"S-08", "S-42", "S-44", "S-05"} <= rules(answer)
    assert "S-45" in {one.rule for one in answer.assumptions}


def test_s45_exception_destinations_that_lead_back_are_a_loop(bus):
    on = bus(
        "Queue A -defaultForwardRoutingPath [[B NOPE]] -exceptionDestination BAD",
        "Queue BAD -defaultForwardRoutingPath [[B NOPE]] -exceptionDestination A",
    )
    answer = send(on, "A")
    assert answer.outcome == "LOOP"
    assert "S-45" in rules(answer)


def test_s45_a_queue_that_is_its_own_exception_destination_is_a_loop(bus):
    assert send(bus("Queue A -exceptionDestination A"), "A", rollbacks=-1).outcome == "LOOP"


def test_s46_a_consumer_that_gives_back_less_often_than_the_limit_gets_the_message(bus):
    on = bus("Queue A -maxFailedDeliveries 3 -exceptionDestination BAD", "Queue BAD")
    assert send(on, "A", rollbacks=2).outcomes == ("DELIVERED(A@B)",)
    assert send(on, "A", rollbacks=3).outcomes == ("EXCEPTIONED(BAD@B, 35)",)


def test_s49_a_message_that_the_system_exception_destination_cannot_handle_stays(bus):
    on = bus("Queue A")
    name = system_exception("B").removesuffix("@B")
    assert send(on, name, rollbacks=-1).outcomes == ("BLOCKED(retry)",)


def test_s09_a_long_path_is_not_cut(bus):
    names = [f"Q{number}" for number in range(60)]
    answer = send(
        bus(*(f"Queue {name}" for name in names)), "Q0", forward_path=",".join(f"B:{name}" for name in names[1:])
    )
    assert answer.outcomes == ("DELIVERED(Q59@B)",)


def test_s16_an_engine_counts_walks(bus):
    on = bus("Queue A -defaultForwardRoutingPath [[B C] [B A]]", "Queue C")
    for mode in ("doc", "engine"):
        assert send(on, "A", mode=mode).outcomes == (f"EXCEPTIONED({system_exception('B')}, 43)",)


def test_s30_a_described_mediation_does_what_topograph_yaml_says(tmp_path):
    text = script("B", "Queue A", "Queue C", "Queue D", "mediate A M")
    entry = "mediations:\n- bus: B\n  mediation: M\n  forward_path: [C, D]\n  reverse_path_before: [LOG]\n"
    answer = send(network(tmp_path, {"b.py": text, "topograph.yaml": entry}), "A", reverse_path="B:R")
    assert answer.outcomes == ("DELIVERED(D@B)",)
    (step,) = [one for one in answer.steps if one.rule == "S-32"]
    assert str(step.source) == "topograph.yaml:2:3"
    assert "the reverse path is now LOG, R" in step.text


@pytest.mark.parametrize(
    ("result", "outcome"),
    [("delete", "DISCARDED(mediation)"), ("exception", f"EXCEPTIONED({system_exception('B')}, 101)")],
)
def test_s31_a_described_mediation_may_delete_or_reject(tmp_path, result, outcome):
    entry = f"mediations:\n- destination: A\n  result: {result}\n"
    on = network(tmp_path, {"b.py": script("B", "Queue A", "mediate A M"), "topograph.yaml": entry})
    assert send(on, "A").outcomes == (outcome,)


def test_s33_an_opaque_mediation_leaves_open_what_lies_behind_the_links(tmp_path):
    on = network(
        tmp_path,
        {"b.py": script("B", "Queue A", "mediate A M", links=["B2"]), "b2.py": script("B2", "Queue F", links=["B"])},
    )
    answer = send(on, "A")
    assert answer.outcome == "ONE_OF"
    assert [one.server for one in answer.undetermined] == ["B2"]


def test_what_destinations_of_a_neighbour_forward_to_is_reached(tmp_path):
    """A sender on B may name any destination of B2, and with that what its default path leads to."""
    on = network(
        tmp_path,
        {
            "b.py": script("B", "Queue A", links=["B2"]),
            "b2.py": script("B2", "Queue F -defaultForwardRoutingPath [[B3 Z]]", links=["B", "B3"]),
            "b3.py": script("B3", "Queue Z", links=["B2"]),
        },
    )
    assert [(one.server, one.hops) for one in on.reach("B").servers] == [("B2", 1), ("B3", 2)]
    assert [one.server for one in on.reach("B3").servers] == ["B2"]


def test_s20_a_message_crosses_the_link_with_the_rest_of_its_path(tmp_path):
    on = network(
        tmp_path,
        {"b.py": script("B", "Queue A", links=["B2"]), "b2.py": script("B2", "Queue F", "Queue G", links=["B"])},
    )
    answer = send(on, "A", forward_path="B2:F,:G")
    assert answer.outcomes == ("DELIVERED(G@B2)",)
    assert "A-8" in {one.rule for one in answer.assumptions}
    assert send(on, "F@B2").outcomes == ("DELIVERED(F@B2)",)


def test_s20_a_bus_that_is_not_loaded_is_external(bus):
    answer = send(bus("Queue A", links=["B2"]), "A", forward_path="B2:F")
    assert answer.outcomes == ("EXTERNAL(B2)",)


def test_s47_a_missing_target_behind_a_link_goes_to_the_exception_destination_of_the_link(tmp_path):
    on = network(
        tmp_path, {"b.py": script("B", "Queue A", links=["B2"]), "b2.py": script("B2", "Queue F", links=["B"])}
    )
    answer = send(on, "A", forward_path="B2:GONE")
    assert answer.outcomes == (f"EXCEPTIONED({system_exception('B2')}, 15)",)
    assert "S-47" in rules(answer)


def test_s60_a_topic_space_publishes(bus):
    assert send(bus("TopicSpace T"), "T", topic="a/b").outcomes == ("PUBLISHED(T/a/b@B)",)


def test_s25_one_of_several_queue_points_is_chosen(tmp_path):
    lines = [
        "AdminTask.createSIBus('[-bus B]')",
        "AdminTask.addSIBusMember('[-bus B -cluster C]')",
        "AdminTask.createSIBEngine('[-bus B -cluster C]')",
        "AdminTask.createSIBDestination('[-bus B -name A -type Queue -cluster C]')",
    ]
    answer = send(network(tmp_path, {"b.py": "".join(f"{line}\n" for line in lines)}), "A")
    assert answer.outcomes == ("DELIVERED(A@B)",)
    assert sorted(one.condition for one in answer.branches if one.kind == "one_of") == [
        "the queue point at C.000-B",
        "the queue point at C.001-B",
    ]


def test_s50_the_reply_follows_the_reverse_path(bus):
    on = bus(
        "Queue A -defaultForwardRoutingPath [[B C]] -replyDestination RA -replyDestinationBus B",
        "Queue C",
        "Queue RA",
        "Queue R",
    )
    answer = send(on, "A", reverse_path="B:R", reply=True)
    (reply,) = answer.replies
    assert (reply.destination, reply.outcomes) == ("C@B", ("DELIVERED(R@B)",))
    assert [step.object for step in reply.steps if step.rule in ("S-50", "S-07", "S-06")] == ["C", "RA", "R"]
    (reply,) = send(on, "A", reply=True).replies
    assert reply.outcome == ""


def test_a_path_of_ten_thousand_elements_is_followed_within_the_budget(bus):
    on = bus("Queue A", "Queue C", "Queue D -replyDestination R -replyDestinationBus B", "Queue R")
    path = ",".join(["B:C", "B:D"] * 5_000)
    answer = send(on, "A", forward_path=path, reverse_path="B:R")
    assert answer.exact
    assert answer.outcomes == ("DELIVERED(D@B)",)
    assert len(answer.steps) == 15_001
    assert max(len(step.state) for step in answer.steps) < 2_000


def test_s63_a_link_to_websphere_mq_hands_the_message_to_its_queue_manager(tmp_path):
    link = (
        "AdminTask.createSIBForeignBus('[-bus B -name QM1 -routingType Direct -type MQ]')\n"
        "AdminTask.createSIBMQLink('[-bus B -messagingEngine nB.sB-B -name L -foreignBusName QM1 -queueManagerName B -hostName h]')\n"
    )
    queue_manager = "DEFINE QLOCAL('PAY')\nDEFINE CHANNEL('B.TO.QM1') CHLTYPE(RCVR)\n"
    on = network(tmp_path, {"b.py": script("B", "Queue A") + link, "QM1.mqsc": queue_manager})
    answer = send(on, "PAY@QM1")
    assert answer.outcomes == ("DELIVERED(PAY@QM1)",)
    assert "S-63" in {one.rule for one in answer.assumptions}
