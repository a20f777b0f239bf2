"""Rules of service integration buses, by their numbers: what the vectors of the specification do
not ask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sibus_forms import document

from topograph.facts.sibus import SibusBus as BusFact
from topograph.facts.sibus import SibusDestination
from topograph.facts.sibus import SibusLink as LinkFact
from topograph.findings import Source
from topograph.message import parse_path
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.questions.answers import TraceAnswer
from topograph.questions.text import text
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.registry import system
from topograph.systems.sibus.buses.configuration import buses_of
from topograph.systems.stepping.rows import destinations

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
    return {rule for step in answer.steps for rule in step.rule.split(", ")}


def test_s02_a_reliability_above_the_highest_is_an_error_for_a_sender(bus):
    on = bus("Queue A -maxReliability RELIABLE_PERSISTENT -reliability RELIABLE_PERSISTENT")
    assert send(on, "A", reliability="ASSURED_PERSISTENT").outcomes == ("REJECTED(33)",)
    assert send(on, "A", reliability="RELIABLE_PERSISTENT").outcomes == ("DELIVERED(A@B)",)
    assert send(on, "A").outcomes == ("DELIVERED(A@B)",)


def test_s02_an_alias_without_a_reliability_gives_messages_that_of_its_target(bus):
    queue = "Queue A -reliability EXPRESS_NONPERSISTENT -maxReliability ASSURED_PERSISTENT"
    answer = send(bus(queue, "Alias X -aliasBus B -targetBus B -targetName A"), "X")
    texts = [step.text for step in answer.steps]
    assert "the message gets the reliability of X, EXPRESS_NONPERSISTENT" in texts


def test_s02_a_destination_that_producers_may_not_override_replaces_the_reliability(bus):
    line = "Queue A -reliability EXPRESS_NONPERSISTENT -maxReliability EXPRESS_NONPERSISTENT"
    answer = send(
        bus(f"{line} -overrideOfQOSByProducerAllowed false"), "A", reliability="ASSURED_PERSISTENT"
    )
    assert answer.outcomes == ("DELIVERED(A@B)",)
    assert "S-02" in rules(answer)


def test_s19_a_reliability_that_the_next_element_does_not_take_ends_in_its_exception_destination(
    bus,
):
    on = bus(
        "Queue A", ("Queue C -reliability EXPRESS_NONPERSISTENT -maxReliability "
            "EXPRESS_NONPERSISTENT -exceptionDestination BAD"), "Queue BAD"
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
    on = bus(
        "Queue A -exceptionDestination BAD",
        "Queue BAD",
        "Alias AL -aliasBus B -targetBus B -targetName A",
    )
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
    answer = send(
        bus("Queue A"), "A", forward_path="B:NOPE", reliability="BEST_EFFORT_NONPERSISTENT"
    )
    assert answer.outcomes == ("DISCARDED(reliability)",)


def test_s45_the_exception_destination_applies_its_own_default_path(bus):
    on = bus(
        "Queue A -exceptionDestination BAD",
        "Queue BAD -defaultForwardRoutingPath [[B ARCHIVE]]",
        "Queue ARCHIVE",
    )
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
        bus(*(f"Queue {name}" for name in names)),
        "Q0",
        forward_path=",".join(f"B:{name}" for name in names[1:]),
    )
    assert answer.outcomes == ("DELIVERED(Q59@B)",)


def test_s16_an_engine_counts_walks(bus):
    on = bus("Queue A -defaultForwardRoutingPath [[B C] [B A]]", "Queue C")
    for mode in ("doc", "engine"):
        assert send(on, "A", mode=mode).outcomes == (f"EXCEPTIONED({system_exception('B')}, 43)",)


def test_s30_a_described_mediation_does_what_topograph_yaml_says(tmp_path):
    text = script("B", "Queue A", "Queue C", "Queue D", "mediate A M")
    entry = (
        "mediations:\n- bus: B\n  mediation: M\n  forward_path: [C, D]\n  "
        "reverse_path_before: [LOG]\n"
    )
    answer = send(
        network(tmp_path, {"b.py": text, "topograph.yaml": entry}), "A", reverse_path="B:R"
    )
    assert answer.outcomes == ("DELIVERED(D@B)",)
    (step,) = [one for one in answer.steps if one.rule == "S-32"]
    assert str(step.source) == "topograph.yaml:2:3"
    assert "the reverse path is now LOG, R" in step.text


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("delete", "DISCARDED(mediation)"),
        ("exception", f"EXCEPTIONED({system_exception('B')}, 101)"),
    ],
)
def test_s31_a_described_mediation_may_delete_or_reject(tmp_path, result, outcome):
    entry = f"mediations:\n- destination: A\n  result: {result}\n"
    on = network(tmp_path, {"b.py": script("B", "Queue A", "mediate A M"), "topograph.yaml": entry})
    assert send(on, "A").outcomes == (outcome,)


def test_s33_an_opaque_mediation_leaves_open_what_lies_behind_the_links(tmp_path):
    on = network(
        tmp_path,
        {
            "b.py": script("B", "Queue A", "mediate A M", links=["B2"]),
            "b2.py": script("B2", "Queue F", links=["B"]),
        },
    )
    answer = send(on, "A")
    assert answer.outcome == "ONE_OF"
    assert [one.server for one in answer.undetermined] == ["B2"]


def test_what_destinations_of_a_neighbour_forward_to_is_reached(tmp_path):
    """A sender on B may name any destination of B2, and with that what its default path leads
    to.
    """
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


def test_s45_is_assumed_only_where_an_exception_destination_has_something_to_apply(bus):
    on = bus(
        "Queue A -defaultForwardRoutingPath [[B C]] -exceptionDestination BAD",
        "Queue C",
        "Queue BAD",
    )
    for path in ("", "B:NOPE"):
        answer = send(on, "A", **({"forward_path": path} if path else {}))
        assert not [one for one in answer.assumptions if one.rule == "S-45"]


def test_s09_a_cycle_is_told_once_with_where_it_is_cut(bus):
    on = bus(
        "Queue A -defaultForwardRoutingPath [[B C]]", "Queue C -defaultForwardRoutingPath [[B A]]"
    )
    answer = send(on, "A")
    said = text(answer)
    assert "these 4 steps come 9 more times" in said
    assert "this would be redirect 21" in said
    # Another reading of the documents is told where it first makes a difference, not each time
    # around.
    assert [one.ending for one in answer.branches if one.kind == "reading"] == [
        "DELIVERED(C@B)",
        "DELIVERED(A@B)",
    ]
    assert [one.message for one in answer.warnings if "comes back" in one.message] == [
        "the message comes back to C at B",
        "the message comes back to A at B",
    ]


def test_s20_a_message_crosses_the_link_with_the_rest_of_its_path(tmp_path):
    on = network(
        tmp_path,
        {
            "b.py": script("B", "Queue A", links=["B2"]),
            "b2.py": script("B2", "Queue F", "Queue G", links=["B"]),
        },
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
        tmp_path,
        {
            "b.py": script("B", "Queue A", links=["B2"]),
            "b2.py": script("B2", "Queue F", links=["B"]),
        },
    )
    answer = send(on, "A", forward_path="B2:GONE")
    assert answer.outcomes == (f"EXCEPTIONED({system_exception('B2')}, 15)",)
    assert "S-47" in rules(answer)


def test_s47_the_exception_destination_of_a_link_that_no_file_shows_is_not_known(tmp_path):
    """The foreign bus is there, its link is made by a script that is not loaded."""
    other = script("B2", "Queue F", links=["B"])
    without = "".join(
        line for line in other.splitlines(keepends=True) if "createSIBLink" not in line
    )
    on = network(tmp_path, {"b.py": script("B", "Queue A", links=["B2"]), "b2.py": without})
    answer = send(on, "A", forward_path="B2:GONE")
    assert answer.outcomes == ("UNDETERMINED",)
    (step,) = [one for one in answer.steps if "no loaded file shows the link" in one.text]
    assert (step.rule, step.source.file) == ("S-47", "b2.py")
    # What a temporary destination would get is dropped, whatever the link says (S-40).
    temporary = send(on, "A", forward_path="B2:_QGONE")
    assert "UNDETERMINED" not in temporary.outcomes
    assert send(on, "A", forward_path="B2:F").outcomes == ("DELIVERED(F@B2)",)


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


def test_s17_an_engine_that_bypasses_a_reply_destination_says_so_only_where_a_reply_is_asked_for(
    bus,
):
    on = bus("Queue A", "Queue C -replyDestination R -replyDestinationBus B", "Queue D", "Queue R")
    options = {"forward_path": "B:C,B:D", "mode": "engine"}
    silent = send(on, "A", **options)
    assert {"A-1", "S-17"} & {one.rule for one in silent.assumptions} == {"S-17"}
    asked = send(on, "A", reverse_path="B:R", **options)
    assert {"A-1", "S-17"} <= {one.rule for one in asked.assumptions}
    assert "S-16" in rules(asked)


@pytest.mark.parametrize(
    ("bad", "reliability", "rule"),
    [
        ("", "ASSURED_PERSISTENT", "S-42"),
        ("-maxReliability RELIABLE_PERSISTENT", "RELIABLE_PERSISTENT", "S-42"),
        ("-maxReliability RELIABLE_PERSISTENT", "ASSURED_PERSISTENT", "S-43"),
    ],
)
def test_s43_an_exception_destination_that_does_not_take_the_reliability_is_passed_over(
    bus, bad, reliability, rule
):
    on = bus("Queue A -exceptionDestination BAD", f"Queue BAD {bad}")
    answer = send(on, "A", forward_path="B:NOPE", reliability=reliability)
    name = "BAD@B" if rule == "S-42" else system_exception("B")
    assert answer.outcomes == (f"EXCEPTIONED({name}, 37)",)
    assert rule in rules(answer)


@pytest.mark.parametrize(
    ("reliability", "outcome"),
    [
        ("EXPRESS_NONPERSISTENT", "DISCARDED"),
        ("RELIABLE_NONPERSISTENT", "DISCARDED"),
        ("RELIABLE_PERSISTENT", "EXCEPTIONED"),
    ],
)
def test_s40_messages_up_to_the_threshold_are_dropped(bus, reliability, outcome):
    on = bus("Queue A -exceptionDiscardReliability RELIABLE_NONPERSISTENT")
    assert send(on, "A", forward_path="B:NOPE", reliability=reliability).outcome == outcome


def test_s41_without_an_exception_destination_the_one_of_the_link_is_tried_for_what_came_over_one(
    tmp_path,
):
    on = network(
        tmp_path,
        {
            "b.py": script("B", "Queue A", links=["B2"]),
            "b2.py": script("B2", "Queue F -exceptionDestination ''", links=["B"]),
        },
    )
    answer = send(on, "A", forward_path="B2:F,B2:GONE")
    assert answer.outcomes == (f"EXCEPTIONED({system_exception('B2')}, 37)",)
    assert "S-41" in rules(answer)


def test_s24_aliases_in_a_row_lead_to_the_last_target_and_in_a_circle_nowhere(bus):
    alias = "Alias {} -aliasBus B -targetBus B -targetName {}".format
    on = bus("Queue Q", alias("A", "B1"), alias("B1", "Q"), alias("X", "Y"), alias("Y", "X"))
    assert send(on, "A").outcomes == ("DELIVERED(Q@B)",)
    assert send(on, "X").outcomes == ("REJECTED(lookup)",)
    assert send(on, "Q", forward_path="B:X").outcomes == (
        f"EXCEPTIONED({system_exception('B')}, 37)",
    )


def test_a_long_path_is_told_by_its_first_elements_and_the_number_of_the_others(bus):
    path = ",".join(f"B:C{number}" for number in range(11))
    answer = send(
        bus("Queue A", *(f"Queue C{number}" for number in range(11))), "A", forward_path=path
    )
    told = next(step.text for step in answer.steps if step.rule == "S-07")
    assert told.endswith("then C1, C2, C3, C4, C5, C6, C7, C8, and 2 more")


CELL = "cells/c/buses/B"
TWO_ENGINES = """<sibresources:SIBus name="B"><busMembers cluster="C"><target engineName="C.000-B"/><target engineName="C.001-B"/></busMembers>
<foreignBus xmi:id="f2" name="B2"><virtualLink xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L2">
<topicSpaceMapping><topicSpaceMapEntry localTopicSpace="T" remoteTopicSpace="T2"/></topicSpaceMapping></virtualLink></foreignBus>
<foreignBus name="B3" nextHop="f2"/><foreignBus name="B4" nextHop="B5"/><foreignBus name="B5" nextHop="B4"/>
<foreignBus name="SHUT" sendAllowed="false"><virtualLink xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L3"/></foreignBus>
</sibresources:SIBus>"""  # noqa: E501


def cell(
    folder: Path, destinations: str, closed: str = "", mediations: str = "", **others: str
) -> Network:
    """Bus B with the engines C.000-B and C.001-B and links to B2 and SHUT, as documents of a
    cell; at the engines named in ``closed`` the queue point of Q takes no messages."""
    engines = "".join(
        f'<sibresources:SIBMessagingEngine name="{name}" busName="B">'
        f'<localizationPoints identifier="Q@{name}"{shut}/></sibresources:SIBMessagingEngine>'
        for name in ("C.000-B", "C.001-B")
        for shut in [' sendAllowed="false"' if name in closed.split() else ""]
    )
    files = {
        f"{CELL}/sib-bus.xml": document(TWO_ENGINES),
        f"{CELL}/sib-destinations.xml": document(destinations),
        f"{CELL}/sib-mediations.xml": document(mediations),
        "cells/c/clusters/C/sib-engines.xml": document(engines),
    }
    return network(folder, files | others)


QUEUE = (
    '<sibresources:SIBQueue identifier="Q"><localizationPointRefs '
    'cluster="C"/></sibresources:SIBQueue>'
)


def points(answer: TraceAnswer) -> list[str]:
    """The engines whose queue point is one of those chosen from."""
    return sorted(
        one.condition.rpartition(" ")[2] for one in answer.branches if one.kind == "one_of"
    )


def test_s03_queue_points_that_take_no_messages_are_left_out_and_where_all_do_the_sender_is_refused(
    tmp_path,
):
    assert points(send(cell(tmp_path / "0", QUEUE), "Q")) == ["C.000-B", "C.001-B"]
    one = send(cell(tmp_path / "1", QUEUE, closed="C.000-B"), "Q")
    assert "C.001-B" in one.steps[-1].text
    assert points(one) == []
    both = cell(tmp_path / "2", QUEUE, closed="C.000-B C.001-B")
    assert send(both, "Q").outcomes == ("REJECTED(24)",)


def test_s19_a_path_to_a_queue_without_an_open_queue_point_ends_in_its_exception_destination(
    tmp_path,
):
    start = '<sibresources:SIBQueue identifier="A"/><sibresources:SIBQueue identifier="BAD"/>'
    queue = QUEUE.replace('"Q"', '"Q" exceptionDestination="BAD"')
    on = cell(tmp_path, start + queue, closed="C.000-B C.001-B")
    assert send(on, "A", forward_path="B:Q").outcomes == ("EXCEPTIONED(BAD@B, 26)",)


def test_s24_an_alias_that_names_no_target_leads_nowhere(tmp_path):
    on = cell(tmp_path, '<sibresources:SIBDestinationAlias identifier="AL" bus="B"/>')
    assert send(on, "AL").outcomes == ("REJECTED(28)",)


def test_s25_only_the_queue_points_that_an_alias_selects_are_chosen_from(tmp_path):
    alias = (
        '<sibresources:SIBDestinationAlias identifier="AL" bus="B" targetBus="B" '
        'targetIdentifier="Q" allTargetQueuePointsSelected="false" '
        'targetQueuePointIdentifiers="{}"/>'
    )
    one = cell(tmp_path / "1", QUEUE + alias.format("Q@C.001-B"))
    answer = send(one, "AL")
    assert (answer.outcomes, points(answer)) == (("DELIVERED(Q@B)",), [])
    assert "C.001-B" in answer.steps[-1].text
    assert points(send(one, "Q")) == ["C.000-B", "C.001-B"]
    assert send(cell(tmp_path / "2", QUEUE + alias.format("Q@C.007-B")), "AL").outcomes == (
        "REJECTED(26)",
    )
    shut = cell(tmp_path / "3", QUEUE + alias.format("Q@C.001-B"), closed="C.001-B")
    assert send(shut, "AL").outcomes == ("REJECTED(24)",)


def test_s03_a_foreign_destination_or_bus_that_allows_no_sending_refuses_senders(tmp_path):
    foreign = '<sibresources:SIBDestinationForeign identifier="F" bus="B2" sendAllowed="false"/>'
    on = cell(tmp_path, QUEUE + foreign)
    assert send(on, "F@B2").outcomes == ("REJECTED(17)",)
    assert send(on, "G@B2").outcomes == ("EXTERNAL(B2)",)
    assert send(on, "G@SHUT").outcomes == ("REJECTED(17)",)


def test_s61_publications_cross_a_link_under_the_name_that_the_topic_space_is_mapped_to(tmp_path):
    spaces = (
        '<sibresources:SIBTopicSpace identifier="T"/><sibresources:SIBTopicSpace identifier="OWN"/>'
    )
    other = document('<sibresources:SIBTopicSpace identifier="T2"/>')
    back = document(
        '<sibresources:SIBus name="B2"><foreignBus name="B"><virtualLink '
        'xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L2">'
        '<topicSpaceMapping><topicSpaceMapEntry localTopicSpace="T2" '
        'remoteTopicSpace="T"/></topicSpaceMapping></virtualLink></foreignBus>'
        "</sibresources:SIBus>"
    )
    files = {"cells/c/buses/B2/sib-destinations.xml": other, "cells/c/buses/B2/sib-bus.xml": back}
    on = cell(tmp_path, spaces, **files)
    answer = send(on, "T", topic="a")
    assert [one.ending for one in answer.branches if one.kind == "copy"] == ["PUBLISHED(T/a@B)"]
    later = [one for one in answer.branches if one.kind == "later"]
    assert [(one.condition, one.ending) for one in later] == [
        ("somebody on B2 subscribes", "PUBLISHED(T2/a@B2)")
    ]
    assert "S-61" in rules(answer)
    assert "S-61" in {one.rule for one in answer.assumptions}
    # What came over a link as a publication is not published back (fingerprints).
    assert [step.to for step in answer.steps if step.at == "B2"] == [""]
    assert not [one for one in send(on, "OWN").branches if one.kind == "later"]


def test_s62_a_foreign_bus_behind_a_next_hop_is_reached_over_its_link(tmp_path):
    on = cell(tmp_path, QUEUE)
    answer = send(on, "Z@B3")
    assert answer.outcomes == ("EXTERNAL(B2)",)
    assert "the next hop towards B3" in answer.steps[0].text
    assert answer.steps[0].to == "B2"


def test_s62_next_hops_that_lead_back_end_in_no_link(tmp_path):
    on = cell(tmp_path, QUEUE)
    answer = send(on, "Z@B4")
    assert {"S-62"} <= rules(answer)
    assert answer.outcomes == ("REJECTED(41)",)
    # As an element of a path it breaks the path off (S-08).
    broken = send(on, "Q", forward_path="B4:Z")
    assert "S-08" in rules(broken)
    assert all(one.startswith("EXCEPTIONED") and one.endswith(", 37)") for one in broken.outcomes)


MEDIATED = (
    '<sibresources:SIBQueue identifier="Q"><destinationMediationRef '
    'mediationName="M"/></sibresources:SIBQueue>'
)
MEDIATION = '<sibresources:SIBMediation mediationName="M" handlerListName="H" {}/>'
DELETES = "mediations: [{bus: B, destination: Q, mediation: M, result: delete}]"


def test_s30_a_mediation_gets_what_its_selector_takes(tmp_path):
    mediation = MEDIATION.format("selector=\"size = 'big'\"")
    on = cell(tmp_path, MEDIATED, mediations=mediation, **{"topograph.yaml": DELETES})
    assert send(on, "Q", properties={"size": "big"}).outcomes == ("DISCARDED(mediation)",)
    assert send(on, "Q", properties={"size": "small"}).outcomes == ("DELIVERED(Q@B)",)
    assert send(on, "Q").outcomes == ("DELIVERED(Q@B)",)


@pytest.mark.parametrize(
    "more", ["discriminator='//orders'", "selector='size = 1' selectorDomain='XPATH'"]
)
def test_s30_what_else_selects_the_messages_of_a_mediation_leaves_open_what_it_does(tmp_path, more):
    on = cell(tmp_path, MEDIATED, mediations=MEDIATION.format(more), **{"topograph.yaml": DELETES})
    answer = send(on, "Q", topic="orders")
    assert answer.outcomes != ("DISCARDED(mediation)",)
    assert "UNDETERMINED" in [one.ending for one in answer.branches]


def test_s30_of_a_mediation_that_no_file_defines_it_is_open_which_messages_it_takes(tmp_path):
    """Its selector would stand in sib-mediations.xml, which is not loaded; what it does with those
    that it takes topograph.yaml says."""
    answer = send(cell(tmp_path, MEDIATED, **{"topograph.yaml": DELETES}), "Q")
    assert answer.outcomes != ("DISCARDED(mediation)",)
    assert "UNDETERMINED" in [one.ending for one in answer.branches]
    assert any("no loaded file defines mediation M" in one.text for one in answer.steps)
    whole = cell(
        tmp_path / "whole", MEDIATED, mediations=MEDIATION.format(""), **{"topograph.yaml": DELETES}
    )
    assert send(whole, "Q").outcomes == ("DISCARDED(mediation)",)


def test_every_answer_says_that_authority_depth_and_deletion_are_not_evaluated(tmp_path):
    (said,) = (one.message for one in send(cell(tmp_path, QUEUE), "Q").warnings)
    assert said == "authority, full queue points and deleted destinations are not evaluated"


def test_s07_what_no_file_shows_may_lead_to_a_bus_that_senders_may_not_send_to(tmp_path):
    """The default path of a destination leads over a link that senders are refused at (S-03)."""
    bus = (
        '<sibresources:SIBus name="B"><busMembers cluster="C"><target engineName="C.000-B"/>'
        '</busMembers><foreignBus name="SHUT" sendAllowed="false"><virtualLink '
        'xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L3"/></foreignBus>'
        "</sibresources:SIBus>"
    )
    files = {f"{CELL}/sib-bus.xml": document(bus)}
    hidden = network(tmp_path / "hidden", files).reach("B")
    assert hidden.unreachable == ()
    (shut,) = hidden.servers
    assert (shut.server, shut.certain) == ("SHUT", False)
    assert shut.steps[-1].guards == ("B: the loaded files do not list all its destinations",)
    files |= {f"{CELL}/sib-destinations.xml": document(QUEUE)}
    assert network(tmp_path / "shown", files).reach("B").unreachable == ("SHUT",)


def test_s18_authority_is_not_mentioned_where_security_is_off(tmp_path):
    text = TWO_ENGINES.replace('name="B">', 'name="B" secure="false">', 1)
    on = network(
        tmp_path,
        {f"{CELL}/sib-bus.xml": document(text), f"{CELL}/sib-destinations.xml": document(QUEUE)},
    )
    assert "authority" not in send(on, "Q").warnings[0].message


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
    assert [step.object for step in reply.steps if step.rule in ("S-50", "S-07", "S-06")] == [
        "C",
        "RA",
        "R",
    ]
    (reply,) = send(on, "A", reply=True).replies
    assert reply.outcome == ""


@pytest.mark.slow
def test_a_path_of_ten_thousand_elements_is_followed_to_its_end(bus):
    on = bus("Queue A", "Queue C", "Queue D -replyDestination R -replyDestinationBus B", "Queue R")
    path = ",".join(["B:C", "B:D"] * 5_000)
    answer = send(on.within(None), "A", forward_path=path, reverse_path="B:R")
    assert answer.exact
    assert answer.outcomes == ("DELIVERED(D@B)",)
    assert len(answer.steps) == 15_001
    assert max(len(step.state) for step in answer.steps) < 2_000


def test_s63_a_link_to_websphere_mq_hands_the_message_to_its_queue_manager(tmp_path):
    link = (
        "AdminTask.createSIBForeignBus('[-bus B -name QM1 -routingType Direct -type MQ]')\n"
        "AdminTask.createSIBMQLink('[-bus B -messagingEngine nB.sB-B -name L "
        "-foreignBusName QM1 -queueManagerName B -hostName h]')\n"
    )
    queue_manager = "DEFINE QLOCAL('PAY')\nDEFINE CHANNEL('B.TO.QM1') CHLTYPE(RCVR)\n"
    on = network(tmp_path, {"b.py": script("B", "Queue A") + link, "QM1.mqsc": queue_manager})
    answer = send(on, "PAY@QM1")
    assert answer.outcomes == ("DELIVERED(PAY@QM1)",)
    assert "S-63" in {one.rule for one in answer.assumptions}


def test_of_two_links_to_one_foreign_bus_the_first_by_name_counts_wherever_they_stand():
    def link(name: str) -> LinkFact:
        return LinkFact(
            bundle="b",
            server="B",
            source=Source(f"{name}.py", 1, 1),
            name=name,
            foreign_bus="Far",
            type="sib",
        )

    bus = BusFact(bundle="b", server="B", source=Source("b.py", 1, 1), name="B")
    for facts in ([bus, link("L1"), link("L2")], [bus, link("L2"), link("L1")]):
        assert buses_of(facts)["B"].routes["Far"].link == "L1"
    later = replace(link("L1"), source=Source("z.py", 9, 1))
    assert buses_of([bus, link("L2"), later])["B"].routes["Far"].link == "L1"


def test_s62_next_hops_that_lead_in_a_circle_are_a_loop_of_links(tmp_path):
    via = "createSIBForeignBus -name Far -routingType Indirect -nextHopBus {}"
    files = {
        "B.py": script("B", "Queue A", via.format("B2"), links=["B2"]),
        "B2.py": script("B2", via.format("B"), links=["B"]),
    }
    answer = network(tmp_path, files).trace("B", "X@Far")
    assert answer.outcome == "LOOP"
    assert answer.steps[-1].rule == "S-62"


def test_a_refused_destination_is_undetermined_and_named(bus):
    answer = send(bus("Queue Q -reliability SURE", "Queue R"), "Q")
    assert (answer.outcome, answer.steps[-1].source.line) == ("UNDETERMINED", 3)
    assert "createSIBDestination is refused: -reliability is a rel" in answer.steps[-1].text
    assert send(bus("Queue Q -reliability SURE", "Queue R"), "R").outcome == "DELIVERED"


def test_that_a_bus_is_there_which_no_file_makes_is_assumed(tmp_path):
    made = "AdminTask.createSIBDestination('[-bus B -name Q -type Queue -cluster C]')\n"
    alone = network(tmp_path / "1", {"q.py": made}).trace("B", "queue:Q")
    assert [one.text for one in alone.assumptions if one.rule == "A4.2"] == [
        "B is there: no loaded file makes it, and q.py:1:1 changes it"
    ]
    bus = "AdminTask.createSIBus('[-bus B]')\nAdminTask.addSIBusMember('[-bus B -cluster C]')\n"
    beside = network(tmp_path / "2", {"b.py": bus, "q.py": made}).trace("B", "queue:Q")
    assert [one.rule for one in beside.assumptions if one.rule == "A4.2"] == []


def test_that_a_bus_without_a_member_has_one_is_assumed(tmp_path):
    text = (
        "AdminTask.createSIBus('[-bus B]')\n"
        "AdminTask.createSIBDestination('[-bus B -name T -type TopicSpace]')\n"
    )
    answer = network(tmp_path, {"b.py": text}).trace("B", "queue:T")
    (found,) = [one for one in answer.assumptions if one.rule == "A1.1"]
    assert found.text == "B has a member, although no loaded file adds one (b.py:1:1)"


_KINDS = {
    "q.py": (
        "AdminTask.createSIBus('[-bus B]')\nAdminTask.addSIBusMember('[-bus B -cluster C]')\n"
        "AdminTask.createSIBDestination('[-bus B -name Q -type Queue -cluster C]')\n"
        "AdminTask.createSIBDestination('[-bus B -name T -type TopicSpace]')\n"
        "AdminTask.createSIBDestination('[-bus B -name A -type Alias -aliasBus B"
        " -targetBus B -targetName T]')\n"
    )
}


@pytest.mark.parametrize(
    ("destination", "topic", "outcome"),
    [
        ("queue:T", "", "REJECTED(11)"),
        ("queue:A", "", "REJECTED(11)"),
        ("queue:Q", "", "DELIVERED(Q@B)"),
        ("topic:Q", "t", "REJECTED(2)"),
        ("topic:T", "t", "PUBLISHED(T/t@B)"),
        ("topic:A", "t", "PUBLISHED(T/t@B)"),
        ("queue:T", "t", "PUBLISHED(T/t@B)"),
        ("T@B", "", "PUBLISHED(T@B)"),
    ],
)
def test_a_sender_gets_no_destination_of_another_kind_than_it_asks_for(
    tmp_path, destination, topic, outcome
):
    """S-28."""
    assert network(tmp_path, _KINDS).trace("B", destination, topic=topic).outcomes == (outcome,)


def test_a_message_with_a_path_is_not_asked_which_kind_it_wants(tmp_path):
    """S-28: with a path the product does not compare it; S-15 says what becomes of it."""
    path = parse_path("Q")
    answer = network(tmp_path, _KINDS).trace("B", "queue:T", forward_path=path, mode="engine")
    assert "REJECTED(37)" in answer.outcomes


def test_a_reliability_of_a_cell_that_is_none_leaves_its_destination_open(tmp_path):
    queue = '<sibresources:SIBQueue identifier="Q" reliability="{}"/>'
    for number, (reliability, outcome) in enumerate(
        {"SURE": "UNDETERMINED", "ASSURED_PERSISTENT": "DELIVERED"}.items()
    ):
        path = "cells/c/buses/B/sib-destinations.xml"
        files = {path: document(queue.format(reliability))}
        assert network(tmp_path / str(number), files).trace("B", "queue:Q").outcome == outcome


def test_a_reply_destination_is_not_where_messages_lead(tmp_path):
    lines = ("Queue A -replyDestination C -replyDestinationBus B", "Queue C")
    (tmp_path / "b.py").write_text(script("B", *lines))
    snapshot = read_snapshot(tmp_path)
    (path,) = network_of(snapshot, tmp_path.name).show("routing-paths").rows
    assert (path["direction"], path["destination"]) == ("reverse", "A")
    shown = {one.name: one.leads_to for one in destinations(snapshot.facts(tmp_path.name))}
    assert (shown["A"], shown["C"]) == ((), ())


def test_of_two_definitions_the_one_that_is_understood_counts(tmp_path):
    (tmp_path / "b.py").write_text(script("B", "Queue A"))
    read = read_snapshot(tmp_path).facts(tmp_path.name)
    facts = [fact for fact in read if not isinstance(fact, SibusDestination)]
    (queue,) = (one for one in read if isinstance(one, SibusDestination) and one.name == "A")
    doubtful = replace(queue, destination_type="")
    for both in ([doubtful, queue], [queue, doubtful]):
        own = system("sibus").stepping(FactList([*facts, *both]), SideInputs())
        (row,) = (one for one in own.show("destinations") if one["name"] == "A")
        assert row["type"] == "Queue"


@pytest.mark.parametrize("shown", [True, False])
def test_that_a_queue_point_of_a_cell_takes_messages_stands_in_the_file_of_its_engine(
    tmp_path: Path, shown: bool
) -> None:
    """S-03."""
    space = (
        'xmlns:sibresources="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi"'
    )
    files = {
        "buses/B/sib-bus.xml": f'<sibresources:SIBus {space} name="B"><busMembers cluster="C">'
        '<target engineName="C.000-B"/></busMembers></sibresources:SIBus>',
        "buses/B/sib-destinations.xml": f'<sibresources:SIBQueue {space} identifier="Q">'
        '<localizationPointRefs cluster="C"/></sibresources:SIBQueue>',
    }
    if shown:
        files["clusters/C/sib-engines.xml"] = (
            f'<sibresources:SIBMessagingEngine {space} name="C.000-B" busName="B">'
            '<localizationPoints identifier="Q@C.000-B"/></sibresources:SIBMessagingEngine>'
        )
    found = network(tmp_path, {f"cells/c/{path}": content for path, content in files.items()})
    answer = found.trace("B", "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@B)",)
    assert ("S-03" in {one.rule for one in answer.assumptions}) is not shown
