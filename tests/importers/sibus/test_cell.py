"""Documents of a cell's configuration (sibus.md A4.1)."""

from __future__ import annotations

import pytest
from sibus_forms import NAMESPACES, document, facts, reading

from topograph.facts.sibus import (
    BusMember,
    ForeignBus,
    Incomplete,
    Mediation,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.findings import Source

DESTINATIONS = "config/cells/c1/buses/B/sib-destinations.xml"
ENGINES = "config/cells/c1/nodes/n1/servers/s1/sib-engines.xml"


def queue(attributes: str = "", children: str = "", name: str = "Q") -> str:
    return document(
        f'<sibresources:SIBQueue xmi:id="x" identifier="{name}" '
        f"{attributes}>{children}</sibresources:SIBQueue>"
    )


def test_the_folder_says_which_bus_and_cell_destinations_are_of() -> None:
    (bus,) = facts(DESTINATIONS, queue(), SibusBus)
    assert (bus.server, bus.name, bus.cell, bus.edition, bus.complete) == (
        "B",
        "B",
        "c1",
        "was",
        ("destinations",),
    )


def test_a_file_in_any_other_folder_is_of_the_bus_of_that_name_and_says_so() -> None:
    found = reading("export/B/sib-destinations.xml", queue())
    assert {fact.server for fact in found.facts} == {"B"}
    assert [finding.kind for finding in found.findings] == ["bus-by-folder"]


def test_what_is_not_stated_is_not_made_up() -> None:
    (found,) = facts(DESTINATIONS, queue(), SibusDestination)
    assert (found.exception_destination, found.attributes, found.forward_path, found.reply) == (
        None,
        (),
        (),
        None,
    )


def test_an_empty_exception_destination_is_none_and_no_default() -> None:
    (found,) = facts(DESTINATIONS, queue('exceptionDestination=""'), SibusDestination)
    assert found.exception_destination == ""


def test_attributes_path_and_reply_know_their_places() -> None:
    text = document(
        '<sibresources:SIBQueue identifier="Q"\n     sendAllowed="FALSE">',
        '  <defaultForwardRoutingPath bus="B" destination="X"/>',
        '  <defaultForwardRoutingPath destination="Y"/>',
        '  <replyDestination bus="B" destination="R"/></sibresources:SIBQueue>',
    )
    (found,) = facts(DESTINATIONS, text, SibusDestination)
    (attribute,) = found.attributes
    assert (attribute.name, attribute.value, attribute.source) == (
        "sendAllowed",
        "false",
        Source(DESTINATIONS, 4, 6),
    )
    assert [(each.bus, each.destination, each.line) for each in found.forward_path] == [
        ("B", "X", 5),
        ("", "Y", 6),
    ]
    assert (found.reply.destination, found.reply.line) == ("R", 7)


def test_path_elements_of_another_spelling_are_guessed_with_a_warning() -> None:
    """A-9."""
    found = reading(
        DESTINATIONS, queue(children='<defaultForwardRoutingPath busName="B2" identifier="X"/>')
    )
    (destination,) = (fact for fact in found.facts if isinstance(fact, SibusDestination))
    assert [(each.bus, each.destination) for each in destination.forward_path] == [("B2", "X")]
    assert [(finding.kind, finding.rule) for finding in found.findings] == [
        ("path-element-by-guess", "A-9")
    ]


def test_a_path_element_that_is_not_understood_makes_the_destination_incomplete() -> None:
    (found,) = facts(
        DESTINATIONS, queue(children='<defaultForwardRoutingPath a="B" b="X"/>'), Incomplete
    )
    assert (found.object, found.sections) == ("Q", ("destinations",))


def test_an_element_that_is_not_understood_makes_the_bus_incomplete() -> None:
    (found,) = facts(DESTINATIONS, document("<sibresources:SIBNews/>"), Incomplete)
    assert (found.server, found.object) == ("B", "")


def test_half_a_file_gives_what_is_before_the_cut_and_an_incomplete_bus() -> None:
    text = document(
        '<sibresources:SIBQueue identifier="A"/>', '<sibresources:SIBQueue identifier="C"/>'
    )
    cut = text[: text.index('identifier="C')]
    found = reading(DESTINATIONS, cut)
    assert [fact.name for fact in found.facts if isinstance(fact, SibusDestination)] == ["A"]
    assert [fact.complete for fact in found.facts if isinstance(fact, SibusBus)] == [()]
    assert any(isinstance(fact, Incomplete) for fact in found.facts)
    assert [finding.kind for finding in found.findings] == ["xml-not-read", "incomplete-bus"]
    assert found.files[0].status == "partly-read"


def test_an_alias_has_its_target_and_the_queue_points_it_selects() -> None:
    text = document(
        (
            '<sibresources:SIBDestinationAlias identifier="AL" bus="B" targetBus="B2" '
            'targetIdentifier="T"'
        ),
        (
            'allTargetQueuePointsSelected="false"><targetQueuePointIdentifiers>T@m1</'
            "targetQueuePointIdentifiers>"
        ),
        "</sibresources:SIBDestinationAlias>",
    )
    (found,) = facts(DESTINATIONS, text, SibusDestination)
    assert (
        found.destination_type,
        found.alias_bus,
        found.target.bus,
        found.target.destination,
    ) == (
        "Alias",
        "B",
        "B2",
        "T",
    )
    assert found.queue_points == ("T@m1",)


def test_a_foreign_destination_names_its_bus() -> None:
    (found,) = facts(
        DESTINATIONS,
        document('<sibresources:SIBDestinationForeign identifier="F" bus="B2"/>'),
        SibusDestination,
    )
    assert (found.destination_type, found.foreign_bus) == ("Foreign", "B2")


def test_a_mediation_is_attached_by_name_or_by_its_uuid() -> None:
    children = '<destinationMediationRef mediationUuid="77" enabled="false"/>'
    (found,) = facts(DESTINATIONS, queue(children=children), Mediation)
    assert (found.name, found.uuid, found.destination, found.enabled) == ("", "77", "Q", False)
    text = document('<sibresources:SIBMediation mediationName="M" uuid="77" handlerListName="H"/>')
    (made,) = facts("cells/c/buses/B/sib-mediations.xml", text, Mediation)
    assert (made.name, made.uuid, made.destination) == ("M", "77", "")


def test_members_foreign_buses_and_next_hops_are_read_of_a_bus() -> None:
    text = f"""<sibresources:SIBus {NAMESPACES} name="B" uuid="1" secure="true">
<busMembers node="n1" server="s1"><target engineName="n1.s1-B" engineUuid="9"/></busMembers>
<busMembers cluster="c"/>
<foreignBus xmi:id="f1" name="B2"><virtualLink xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L1">
<linkRef exceptionDestination="EX"/><topicSpaceMapping><topicSpaceMapEntry localTopicSpace="a" remoteTopicSpace="b"/></topicSpaceMapping>
</virtualLink></foreignBus>
<foreignBus name="B3" nextHop="f1"/>
<foreignBus name="MQ"><virtualLink xmi:type="sibresources:SIBVirtualMQLink" uuid="L2"/></foreignBus>
</sibresources:SIBus>"""  # noqa: E501
    found = reading("cells/c/buses/B/sib-bus.xml", text).facts
    assert [fact.member for fact in found if isinstance(fact, BusMember)] == [
        SibusMember(node="n1", server="s1"),
        SibusMember("c"),
    ]
    assert [
        (fact.name, fact.uuid, fact.node) for fact in found if isinstance(fact, MessagingEngine)
    ] == [("n1.s1-B", "9", "n1")]
    foreign = [fact for fact in found if isinstance(fact, ForeignBus)]
    assert [
        (each.name, each.route, each.next_hop, each.link_uuid, each.exception_destination)
        for each in foreign
    ] == [
        ("B2", "direct", "", "L1", "EX"),
        ("B3", "indirect", "B2", "", None),
        ("MQ", "mq", "", "L2", None),
    ]
    assert [(each.local, each.remote) for each in foreign[0].topic_spaces] == [("a", "b")]


ENGINE = document(
    '<sibresources:SIBMessagingEngine name="n1.s1-B" busName="B" uuid="9">',
    (
        '<localizationPoints identifier="Q@n1.s1-B"/><localizationPoints '
        'identifier="a@b@n1.s1-B" sendAllowed="false"/>'
    ),
    (
        '<mqLink name="ml" targetUuid="L2" qmName="VQM"><senderChannel '
        'senderChannelName="S.R" hostName="h" port="1414"/>'
    ),
    '<receiverChannel receiverChannelName="R.S"/></mqLink>',
    '<gatewayLink name="g" targetUuid="L1" remoteMessagingEngineName="m2" authAlias="tiger"/>',
    "</sibresources:SIBMessagingEngine>",
)


def test_an_engine_has_its_member_from_the_folders_and_its_queue_points() -> None:
    (engine,) = facts(ENGINES, ENGINE, MessagingEngine)
    assert (engine.server, engine.node, engine.server_name, engine.queue_points) == (
        "B",
        "n1",
        "s1",
        ("Q", "a@b"),
    )


def test_a_queue_point_that_takes_no_messages_is_kept_with_its_engine() -> None:
    (engine,) = facts(ENGINES, ENGINE, MessagingEngine)
    assert engine.closed_points == ("a@b",)
    assert facts(ENGINES, ENGINE, Incomplete) == []


MEDIATIONS = "config/cells/c1/buses/B/sib-mediations.xml"


@pytest.mark.parametrize(
    ("path", "element", "section"),
    [
        (ENGINES, '<sibresources:SIBMessagingEngine xmi:id="x" busName="B"/>', "engines"),
        (ENGINES, '<sibresources:SIBMessagingEngine name="" busName="B"/>', "engines"),
        (MEDIATIONS, '<sibresources:SIBMediation xmi:id="x" selector="a"/>', "mediations"),
        (MEDIATIONS, '<sibresources:SIBMediation mediationName=""/>', "mediations"),
    ],
)
def test_what_has_no_name_leaves_its_kind_open(path: str, element: str, section: str) -> None:
    bus, doubt = reading(path, document(element)).facts
    assert isinstance(bus, SibusBus)
    assert isinstance(doubt, Incomplete)
    assert (bus.server, doubt.server, doubt.sections) == ("B", "B", (section,))


def test_links_have_the_names_of_wsadmin_and_no_secret() -> None:
    links = facts(ENGINES, ENGINE, SibusLink)
    assert [
        (link.type, link.name, link.engine, link.target_uuid, link.remote_engine) for link in links
    ] == [
        ("mq", "ml", "n1.s1-B", "L2", ""),
        ("sib", "g", "n1.s1-B", "L1", "m2"),
    ]
    assert {attribute.name: attribute.value for attribute in links[0].attributes} == {
        "hostName": "h", "port": "1414", "queueManagerName": "VQM", "receiverChannelName": "R.S",
        "senderChannelName": "S.R",
    }  # fmt: skip
    assert "tiger" not in repr(reading(ENGINES, ENGINE))


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_other_encodings_are_read(encoding: str) -> None:
    text = queue(name="Ü").replace("UTF-8", encoding)
    (found,) = facts(DESTINATIONS, text.encode(encoding), SibusDestination)
    assert found.name == "Ü"
