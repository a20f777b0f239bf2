"""Output of wsadmin: lists of configuration ids, and what is shown of a destination."""

from __future__ import annotations

import pytest
from sibus_forms import facts, reading

from topograph.facts.sibus import ForeignBus, Incomplete, SibusBus, SibusDestination, SibusMember

LIST = """wsadmin>AdminTask.listSIBDestinations('[-bus B]')
'Q1(cells/c/buses/B|sib-destinations.xml#SIBQueue_1)
"My T(cells/c/buses/B|sib-destinations.xml#SIBTopicSpace_1)"'
B2(cells/c/buses/B|sib-bus.xml#SIBForeignBus_1)
"""


def test_a_list_gives_names_types_bus_and_cell_alone() -> None:
    found = facts("x.txt", LIST, SibusDestination)
    assert [
        (fact.server, fact.name, fact.destination_type, fact.listed_only, fact.source.line)
        for fact in found
    ] == [
        ("B", "Q1", "Queue", True, 2),
        ("B", "My T", "TopicSpace", True, 3),
    ]
    assert [(fact.name, fact.route) for fact in facts("x.txt", LIST, ForeignBus)] == [("B2", "")]
    assert [(fact.cell, fact.complete) for fact in facts("x.txt", LIST, SibusBus)] == [
        ("c", ("destinations",))
    ]


def test_only_a_list_of_all_types_is_complete() -> None:
    for text in (LIST.partition("\n")[2], LIST.replace("[-bus B]", "[-bus B -type Queue]")):
        assert [fact.complete for fact in facts("x.txt", text, SibusBus)] == [()]


SHOWN = {
    "table": (
        "{defaultPriority=0, identifier=Q1, exceptionDestination=BAD, maxFailedDeliveries=3, "
        "sendAllowed=false}\n"
    ),
    "brackets": (
        "[defaultPriority 0]\n[identifier Q1]\n[exceptionDestination "
        "BAD]\n[maxFailedDeliveries 3]\n[sendAllowed false]\n"
    ),
    "braces": (
        "{defaultPriority 0}\n{identifier Q1}\n{exceptionDestination "
        "BAD}\n{maxFailedDeliveries 3}\n{sendAllowed false}\n"
    ),
    "one line": (
        "[[defaultPriority 0] [identifier Q1] [exceptionDestination BAD] "
        "[maxFailedDeliveries 3] [sendAllowed false]]\n"
    ),
}


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_all_forms_of_show_say_the_same(text: str) -> None:
    session = f"wsadmin>print AdminTask.showSIBDestination('[-bus B -name Q1]')\n{text}"
    (found,) = facts("x.txt", session, SibusDestination)
    assert (found.server, found.name, found.exception_destination, found.listed_only) == (
        "B",
        "Q1",
        "BAD",
        False,
    )
    assert [(each.name, each.value) for each in found.attributes] == [
        ("defaultPriority", "0"), ("maxFailedDeliveries", "3"), ("sendAllowed", "false"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "type_"),
    [
        ("[targetIdentifier Q2]", "Alias"),
        ("[type Queue]\n[targetIdentifier Q2]", "Queue"),
    ],
)
def test_what_has_a_target_and_no_type_is_an_alias(shown: str, type_: str) -> None:
    command = "wsadmin>print AdminTask.showSIBDestination('[-bus B -name A]')\n"
    (found,) = facts("x.txt", f"{command}[identifier A]\n{shown}\n", SibusDestination)
    assert found.destination_type == type_


def test_a_list_and_a_show_are_one_destination() -> None:
    session = (
        f"{LIST}wsadmin>print AdminTask.showSIBDestination('[-bus B -name Q1]')\n{SHOWN['table']}"
    )
    found = {fact.name: fact for fact in facts("x.txt", session, SibusDestination)}
    assert (found["Q1"].destination_type, found["Q1"].exception_destination) == ("Queue", "BAD")
    assert list(found) == ["Q1", "My T"]


def test_paths_members_and_no_exception_destination_are_read() -> None:
    text = """[defaultForwardRoutingPath [[[bus B] [destination X]] [[bus B] [destination Y]]]]
[exceptionDestination []]
[identifier Q7]
[localizationPointRefs [[[node n] [server s]]]]
[replyDestination [[bus B] [destination R]]]
"""
    (found,) = facts("x.txt", text, SibusDestination, server="B")
    assert [(each.bus, each.destination) for each in found.forward_path] == [("B", "X"), ("B", "Y")]
    assert (found.exception_destination, found.members, found.reply.destination) == (
        "",
        (SibusMember("", "n", "s"),),
        "R",
    )


def test_a_path_of_ids_makes_the_destination_incomplete() -> None:
    text = (
        "[identifier Q]\n[exceptionDestination x]\n[defaultForwardRoutingPath "
        "[(cells/c/buses/B|sib-x.xml#SIBQualified_1)]]\n"
    )
    assert [
        (fact.server, fact.object) for fact in facts("x.txt", text, Incomplete, server="B")
    ] == [("B", "Q")]


def test_output_of_no_known_bus_is_a_finding() -> None:
    found = reading("x.txt", SHOWN["brackets"])
    assert (found.facts, [finding.kind for finding in found.findings], found.files[0].status) == (
        (),
        ["no-bus"],
        "partly-read",
    )


def test_other_lines_are_counted() -> None:
    found = reading("x.txt", LIST + "WASX7209I: Connected\n\n")
    assert (found.files[0].read, found.files[0].ignored) == (3, 1)
