"""``server.xml`` of Liberty (sibus.md A4.3)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sibus_forms import facts, reading

from topograph.facts.sibus import Incomplete, MessagingEngine, SibusBus, SibusDestination
from topograph.importers.sibus import recognise

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = (
    Path(os.environ.get("TOPOGRAPH_SAMPLES_DIR") or ROOT.parent / "shared" / "samples") / "liberty"
)


def server(inside: str, outside: str = "") -> str:
    feature = "<featureManager><feature>wasJmsServer-1.0</feature></featureManager>"
    return (
        f"<server>{feature}{outside}\n<messagingEngine "
        f'id="defaultME">{inside}</messagingEngine></server>'
    )


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("wlp/usr/servers/app1/server.xml", "app1"),
        ("app2/src/main/liberty/config/server.xml", "app2"),
        ("app3/server.xml", "app3"),
        ("server.xml", "defaultBus"),
    ],
)
def test_the_folder_names_the_server_and_the_bus_is_the_default_one(path: str, name: str) -> None:
    (bus,) = facts(path, server('<queue id="Q"/>'), SibusBus)
    assert (bus.server, bus.name, bus.edition) == (name, "defaultBus", "liberty")
    assert set(bus.complete) == {"destinations", "foreign_buses", "engines", "mediations"}


def test_attributes_stay_as_they_are_called_and_written() -> None:
    text = server(
        '<queue id="Q" failedDeliveryPolicy="KEEP_TRYING" maxRedeliveryCount="-1" '
        'exceptionDestination="Q" maxQueueDepth="7"/>'
    )
    (found,) = facts("server.xml", text, SibusDestination)
    assert {attribute.name: attribute.value for attribute in found.attributes} == {
        "failedDeliveryPolicy": "KEEP_TRYING", "maxRedeliveryCount": "-1", "maxQueueDepth": "7",
    }  # fmt: skip
    assert (found.destination_type, found.exception_destination) == ("Queue", "Q")
    assert found.attributes[0].source.column > found.source.column


def test_names_of_attributes_count_in_any_case_and_blanks_of_values_stay() -> None:
    text = server(
        '<queue id="Q" sendallowed="FALSE" MAXREDELIVERYCOUNT=" 2" exceptiondestination="X"/>'
    )
    (found,) = facts("server.xml", text, SibusDestination)
    assert {attribute.name: attribute.value for attribute in found.attributes} == {
        "sendAllowed": "false", "maxRedeliveryCount": " 2",
    }  # fmt: skip
    assert found.exception_destination == "X"


def test_an_alias_has_its_target() -> None:
    (found,) = facts(
        "server.xml", server('<alias id="A/1" targetDestination="Q"/>'), SibusDestination
    )
    assert (found.name, found.target.bus, found.target.destination) == ("A/1", "", "Q")


def test_a_queue_without_an_id_is_a_finding_and_no_queue() -> None:
    found = reading("server.xml", server('<queue id=""/>'))
    assert [finding.kind for finding in found.findings] == ["no-id"]
    assert not [fact for fact in found.facts if isinstance(fact, SibusDestination)]


def test_variables_are_filled_in_where_the_files_say_them() -> None:
    text = server(
        '<queue id="${q}.X"/>',
        '<variable name="q" value="${p}Q"/><variable name="p" defaultValue="P."/>',
    )
    assert [fact.name for fact in facts("server.xml", text, SibusDestination)] == ["P.Q.X"]


def test_a_variable_that_is_not_known_makes_the_destination_incomplete() -> None:
    text = server('<alias id="A" targetDestination="${env.T}"/><queue id="${env.Q}"/>')
    assert [(fact.object, fact.sections) for fact in facts("server.xml", text, Incomplete)] == [
        ("A", ("destinations",)),
        ("", ("destinations",)),
    ]


def test_variables_that_name_each_other_end() -> None:
    text = server(
        '<queue id="${a}"/>',
        '<variable name="a" value="${b}${b}"/><variable name="b" value="${a}${a}"/>',
    )
    assert len(facts("server.xml", text, Incomplete)) == 1


def test_an_included_file_is_read_with_the_server() -> None:
    text = server('<queue id="Q"/>', '<include location="${server.config.dir}/more.xml"/>')
    more = '<server>\n<messagingEngine>\n<queue id="MORE"/></messagingEngine></server>'
    found = reading("servers/a/server.xml", text, **{"more.xml": more})
    made = {fact.name: fact for fact in found.facts if isinstance(fact, SibusDestination)}
    assert {
        name: (fact.server, fact.source.file, fact.source.line) for name, fact in made.items()
    } == {
        "Q": ("a", "servers/a/server.xml", 2),
        "MORE": ("a", "more.xml", 3),
    }
    assert [fact for fact in found.facts if isinstance(fact, Incomplete)] == []
    assert [report.path for report in found.files] == ["servers/a/server.xml", "more.xml"]


def test_an_included_file_that_is_missing_makes_the_server_incomplete() -> None:
    text = server('<queue id="Q"/>', '<include location="more.xml"/>')
    assert [fact.server for fact in facts("server.xml", text, Incomplete)] == ["defaultBus"]
    assert [fact.complete for fact in facts("server.xml", text, SibusBus)] == [()]


def test_a_file_names_what_it_includes() -> None:
    found = recognise("server.xml", server("", '<include location="a/b.xml"/>').encode())
    assert found is not None
    assert [(reference.kind, reference.name) for reference in found.references] == [
        ("include", "a/b.xml")
    ]


def test_two_elements_of_one_id_are_one_destination() -> None:
    text = server('<queue id="Q" sendAllowed="false"/><queue id="Q" maxRedeliveryCount="3"/>')
    (found,) = facts("server.xml", text, SibusDestination)
    assert [attribute.name for attribute in found.attributes] == [
        "maxRedeliveryCount",
        "sendAllowed",
    ]


def test_no_feature_for_messaging_is_a_warning() -> None:
    found = reading(
        "server.xml", "<server><messagingEngine><queue id='Q'/></messagingEngine></server>"
    )
    assert [finding.kind for finding in found.findings] == ["no-messaging-feature"]


def test_a_server_without_a_messaging_engine_is_none_of_ours() -> None:
    assert recognise("server.xml", b"<server><include location='x'/></server>") is None


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples here")
def test_samples_are_read_whole() -> None:
    for path in SAMPLES.rglob("*.xml"):
        found = reading(path.name, path.read_bytes())
        assert [finding.message for finding in found.findings] == []
        assert [type(fact) for fact in found.facts] == [
            SibusBus,
            MessagingEngine,
            SibusDestination,
            SibusDestination,
        ]
