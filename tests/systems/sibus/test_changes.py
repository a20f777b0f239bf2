"""What commands of wsadmin do to the facts of buses, and why they are refused (sibus.md A1,
A4.2).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sibus_forms import document, reading

from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    BusMember,
    Incomplete,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusMember,
)
from topograph.importers.sibus.commands import read_script
from topograph.systems.contract.changes import Edit, after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts, FactList
from topograph.systems.sibus.changes import edit, servers_at

MADE = """AdminTask.createSIBus('[-bus B -secure true]')
AdminTask.addSIBusMember('[-bus B -cluster C1]')
AdminTask.addSIBusMember('[-bus B -node n -server s]')
AdminTask.createSIBDestination('[-bus B -name Q -type Queue -cluster C1 -replyDestination R -replyDestinationBus B2 -sendAllowed false]')
AdminTask.createSIBDestination('[-bus B -name T -type TopicSpace -cluster C1]')
AdminTask.createSIBDestination('[-bus B -name AL -type Alias -targetBus B -targetName Q]')
AdminTask.createSIBMediation('[-bus B -mediationName M]')
AdminTask.createSIBMediation('[-bus B -mediationName N]')
AdminTask.mediateSIBDestination('[-bus B -destinationName T -mediationName M]')
AdminTask.createSIBForeignBus('[-bus B -name Far -routingType Direct -type SIBus]')
AdminTask.createSIBForeignBus('[-bus B -name Host -routingType Direct -type MQ]')
AdminTask.createSIBLink('[-bus B -name L -messagingEngine C1.000-B -foreignBusName Far]')
"""  # noqa: E501
"""A bus of which everything is known."""

CELL = document('<sibresources:SIBQueue identifier="Q"/>')
"""A bus of which only the destinations are known."""


def bus(text: str = MADE) -> list[Fact]:
    return list(reading("made.py", text).facts)


def cell(name: str = "c1") -> list[Fact]:
    return list(reading(f"cells/{name}/buses/B/sib-destinations.xml", CELL).facts)


def edits(facts: Sequence[Fact], text: str) -> tuple[list[Edit], list[Fact]]:
    """What becomes of the commands of a script, and the facts after them."""
    source, change, found = FactList(facts), Change(), []
    for command in read_script(text.encode(), "change.py").commands:
        done = edit(ChangedFacts(source, change), "", command)
        assert done.refused is None or done.refused.undetermined or done.change == Change()
        change = after_both(change, done.change)
        found.append(done)
    return found, list(ChangedFacts(source, change).facts())


def one(call: str, facts: Sequence[Fact] | None = None) -> Edit:
    (found,) = edits(bus() if facts is None else facts, f"AdminTask.{call}\n")[0]
    return found


def after(call: str, facts: Sequence[Fact] | None = None) -> list[Fact]:
    return edits(bus() if facts is None else facts, f"AdminTask.{call}\n")[1]


def destination(facts: Sequence[Fact], name: str) -> SibusDestination:
    (found,) = [fact for fact in facts if isinstance(fact, SibusDestination) and fact.name == name]
    return found


@pytest.mark.parametrize(
    ("call", "rule", "message"),
    [
        ("createSIBus('[-bus B]')", "A1.1", "there is a bus B already (made.py:1:1)"),
        ("addSIBusMember('[-bus B -cluster C1]')", "A1.1", ("B has the member C1 already "
            "(made.py:2:1)")),
        ("removeSIBusMember('[-bus B -cluster C2]')", "A1.1", ("B has no member C2. Did you "
            "mean C1?")),
        ("createSIBEngine('[-bus B -cluster C2]')", "A1.1", "B has no member C2."),
        ("createSIBEngine('[-bus B -node n -server s]')", "A1.1", ("the server n.s has a "
            "messaging engine of B "
            "already")),
        ("deleteSIBEngine('[-bus B -engine C1.001-B]')", "A1.1", ("B has no messaging engine "
            "C1.001-B.")),
        ("createSIBDestination('[-bus B -name Q -type Queue -cluster C1]')", "A1.3",
            "B has a destination Q already (made.py:4:1)"),
        ("createSIBDestination('[-bus B -name X -type Queue -cluster C2]')", "A1.1",
            "B has no member C2."),
        ("createSIBDestination('[-bus B -name X -type Queue -node n -server t]')", "A1.1",
            "B has no member n.t."),
        ("createSIBDestination('[-bus B -name X -type Foreign -foreignBus Fra]')", "S-21",
            "B has no foreign bus Fra. Did you mean Far?"),
        (
            ("createSIBDestination('[-bus B -name _SYSTEM.Exception.Destination.C1.000-B "
                "-type Queue -cluster C1]')"),
            "A1.3",
            "B has the system exception destination _SYSTEM.Exception.Destination.C1.000-B already",
        ),
        ("createSIBDestinations('[-bus B -nameList [X Q] -type Queue -cluster C1]')", "A1.3",
            "B has a destination Q already"),
        ("modifySIBDestination('[-bus B -name QQ -sendAllowed true]')", "A4.2",
            "B has no destination QQ. Did you mean Q"),
        ("modifySIBDestination('[-bus B -name Q -sendAllowed maybe]')", "A1.3",
            "-sendAllowed is true or false, not 'maybe'"),
        ("modifySIBDestination('[-bus B -name Q -reliability SURE]')", "A1.3",
            "-reliability is a reliability such as"),
        ("modifySIBDestination('[-bus B -name Q -maxFailedDeliveries -1]')", "A1.3",
            "-maxFailedDeliveries is a number from 0"),
        ("modifySIBDestination('[-bus B -name Q -maxFailedDeliveries 2147483648]')", "A1.3",
            "to 2147483647"),
        ("deleteSIBDestination('[-bus B -name X]')", "A4.2", "B has no destination X"),
        ("createSIBMediation('[-bus B -mediationName M]')", "A1.1", ("B has a mediation M "
            "already (made.py:7:1)")),
        ("modifySIBMediation('[-bus B -mediationName X]')", "A4.2", "B has no mediation X"),
        ("deleteSIBMediation('[-bus B -mediationName X]')", "A4.2", "B has no mediation X"),
        ("mediateSIBDestination('[-bus B -destinationName X -mediationName M]')", "A4.2",
            "B has no destination X"),
        ("mediateSIBDestination('[-bus B -destinationName Q -mediationName X]')", "A4.2",
            "B has no mediation X"),
        ("unmediateSIBDestination('[-bus B -destinationName Q]')", "A4.2",
            "B has no mediation at Q."),
        ("createSIBForeignBus('[-bus B -name Far -routingType Direct -type SIBus]')", "A1.1",
            "B has the foreign bus Far already"),
        ("createSIBForeignBus('[-bus B -name B -routingType Direct -type SIBus]')", "A1.1",
            "B is this bus"),
        ("createSIBForeignBus('[-bus B -name X -routingType Indirect -nextHopBus Y]')", "S-21",
            "B has no foreign bus Y."),
        ("deleteSIBForeignBus('[-bus B -name X]')", "A4.2", "B has no foreign bus X."),
        ("createSIBLink('[-bus B -name L -messagingEngine C1.000-B -foreignBusName Far]')", "A1.1",
            "B has the link L already"),
        ("createSIBLink('[-bus B -name L2 -messagingEngine e -foreignBusName Far]')", "A1.1",
            "B has no messaging engine e."),
        ("createSIBLink('[-bus B -name L2 -messagingEngine C1.000-B -foreignBusName X]')", "S-21",
            "B has no foreign bus X."),
        ("createSIBLink('[-bus B -name L2 -messagingEngine C1.000-B -foreignBusName Host]')",
            "S-62", "over a link to WebSphere MQ"),
        ("createSIBMQLink('[-bus B -name L2 -messagingEngine C1.000-B -foreignBusName Far]')",
            "S-62", "over a link to another bus"),
        ("deleteSIBMQLink('[-bus B -name L]')", "A4.2", "another command changes those"),
        ("deleteSIBLink('[-bus B -name X]')", "A4.2", "B has no link X"),
    ],
)  # fmt: skip
def test_commands_that_are_refused(call: str, rule: str, message: str) -> None:
    found = one(call)
    assert found.refused is not None
    assert (found.refused.rule, found.refused.undetermined, found.refused.server, found.change) == (
        rule,
        False,
        "B",
        Change(),
    )
    assert message in found.refused.message


@pytest.mark.parametrize(
    ("call", "rule", "message"),
    [
        ("createSIBDestination('[-bus B -name _Qx -type Queue -cluster C1]')", "S-27",
            "names that begin with _Q"),
        ("deleteSIBDestination('[-bus B -name _SYSTEM.Exception.Destination.C1.000-B]')", "A1.2",
            "is a destination of the system"),
        ("deleteSIBMediation('[-bus B -mediationName M]')", "S-30", "M mediates T"),
        ("mediateSIBDestination('[-bus B -destinationName T -mediationName N]')", "S-30",
            "T has the mediation M (made.py:9:1)"),
        ("deleteSIBForeignBus('[-bus B -name Far]')", "S-62", "the link L leads to Far"),
        ("createSIBLink('[-bus B -name L2 -messagingEngine C1.000-B -foreignBusName Far]')", "S-62",
            "the link L leads to Far already"),
        ("removeSIBusMember('[-bus B -cluster C1]')", "A4.2", ("destinations that are assigned "
            "to the member is not known: Q, T")),
        ("modifySIBDestination('[-bus B -name Q -sendAlowed true]')", "A4.2",
            "has an option -sendAlowed is not known"),
        ("deleteSIBDestination('[-bus B2 -name Q]')", "A4.2", ("the configuration of the bus B2 "
            "is not loaded")),
        ("deleteSIBDestination('[-bus B -name %s]' % x)", "A4.2", ("the value of -name is not "
            "known")),
    ],
)  # fmt: skip
def test_what_the_rules_or_the_files_leave_open_is_undetermined(
    call: str, rule: str, message: str
) -> None:
    found = one(call)
    assert found.refused is not None
    assert (found.refused.rule, found.refused.undetermined) == (rule, True)
    assert message in found.refused.message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("deleteSIBDestination('[-bus B -name X]')", "no loaded file has the destination X") ,
        ("createSIBDestination('[-bus B -name X -type Queue -cluster C1]')",
            "no loaded file has the member C1"),
        ("createSIBMediation('[-bus B -mediationName M]')", ("whether there is a mediation M "
            "already is not known")),
        ("createSIBForeignBus('[-bus B -name F -routingType Direct -type MQ]')",
            "whether there is a foreign bus F already is not known"),
        ("createSIBLink('[-bus B -name L -messagingEngine e -foreignBusName F]')",
            "no loaded file has the messaging engine e"),
    ],
)  # fmt: skip
def test_what_no_loaded_file_shows_may_still_be_there(call: str, message: str) -> None:
    facts = cell()
    facts.append(
        Incomplete(
            bundle="b", server="B", source=facts[0].source, reason="cut", sections=("destinations",)
        )
    )
    found = one(call, facts)
    assert found.refused is not None
    assert (found.refused.undetermined, message in found.refused.message) == (True, True), (
        found.refused
    )


def test_a_destination_list_that_is_complete_is_believed() -> None:
    found = one("deleteSIBDestination('[-bus B -name X]')", cell())
    assert found.refused is not None
    assert not found.refused.undetermined


def test_a_modification_keeps_what_it_does_not_state() -> None:
    facts = after(
        "modifySIBDestination('[-bus B -name Q -replyDestination S -maxFailedDeliveries 3]')"
    )
    changed = destination(facts, "Q")
    assert changed.reply is not None
    assert (changed.reply.bus, changed.reply.destination) == ("B2", "S")
    assert {each.name: each.value for each in changed.attributes} == {
        "maxFailedDeliveries": "3",
        "sendAllowed": "false",
    }
    assert changed.members == (SibusMember("C1"),)
    alias = destination(after("modifySIBDestination('[-bus B -name AL -targetName T]')"), "AL")
    assert alias.target is not None
    assert (alias.target.bus, alias.target.destination) == ("B", "T")


def test_an_empty_reply_and_an_empty_path_take_them_away() -> None:
    made = (
        MADE
        + "AdminTask.modifySIBDestination('[-bus B -name Q -defaultForwardRoutingPath [[B T]]]')\n"
    )
    facts = after(
        (
            'modifySIBDestination(\'[-bus B -name Q -replyDestination "" '
            "-defaultForwardRoutingPath []]')"
        ),
        bus(made),
    )
    assert (destination(facts, "Q").reply, destination(facts, "Q").forward_path) == (None, ())


def test_only_an_alias_has_a_target() -> None:
    assert one("modifySIBDestination('[-bus B -name Q -targetName T]')") == Edit()


def test_a_modification_that_states_what_is_there_changes_nothing() -> None:
    assert one("modifySIBDestination('[-bus B -name Q -sendAllowed FALSE -cluster C1]')") == Edit()


def test_a_deleted_destination_takes_its_mediation_and_queue_points_along() -> None:
    engine = MessagingEngine(
        bundle="e",
        server="B",
        source=bus()[0].source,
        name="e",
        queue_points=("T", "Q"),
        closed_points=("T",),
    )
    facts = after("deleteSIBDestination('[-bus B -name T]')", [*bus(), engine])
    assert not [fact for fact in facts if fact.label in ("T", "M->T")]
    assert [
        (fact.queue_points, fact.closed_points)
        for fact in facts
        if isinstance(fact, MessagingEngine) and fact.name == "e"
    ] == [(("Q",), ())]


@pytest.mark.parametrize(("name", "kinds"), [("Q", ["held-messages"]), ("T", []), ("AL", [])])
def test_messages_on_a_deleted_queue_are_noted(name: str, kinds: list[str]) -> None:
    assert [
        note.kind for note in one(f"deleteSIBDestination('[-bus B -name {name}]')").notes
    ] == kinds


def test_a_system_exception_destination_can_be_changed() -> None:
    name = "_SYSTEM.Exception.Destination.C1.000-B"
    made = destination(
        after(f"modifySIBDestination('[-bus B -name {name} -maxFailedDeliveries 9]')"), name
    )
    assert (made.destination_type, made.exception_destination) == ("Queue", "")


def test_members_come_and_go_with_their_engines() -> None:
    def engines(facts: Sequence[Fact]) -> list[str]:
        return [fact.name for fact in facts if isinstance(fact, MessagingEngine)]

    assert engines(after("addSIBusMember('[-bus B -cluster C2]')")) == [
        "C1.000-B",
        "n.s-B",
        "C2.000-B",
    ]
    assert engines(after("createSIBEngine('[-bus B -cluster C1]')")) == [
        "C1.000-B",
        "n.s-B",
        "C1.001-B",
    ]
    assert engines(after("deleteSIBEngine('[-bus B -cluster C1]')")) == ["n.s-B"]
    facts = after("removeSIBusMember('[-bus B -node n -server s]')")
    assert engines(facts) == ["C1.000-B"]
    assert [fact.member for fact in facts if isinstance(fact, BusMember)] == [SibusMember("C1")]


def test_which_engine_of_several_is_deleted_has_to_be_said() -> None:
    facts = after("createSIBEngine('[-bus B -cluster C1]')")
    found = one("deleteSIBEngine('[-bus B -cluster C1]')", facts)
    assert found.refused is not None
    assert found.refused.message == "C1 has 2 messaging engines: -engine says which is meant"
    assert one("deleteSIBEngine('[-bus B -engine C1.001-B]')", facts).refused is None


def test_destinations_of_a_member_that_leaves_are_in_doubt() -> None:
    facts = after("removeSIBusMember('[-bus B -cluster C1]')")
    assert sorted(fact.object for fact in facts if isinstance(fact, Incomplete)) == ["Q", "T"]


def test_security_is_said_by_one_attribute_of_three() -> None:
    facts = after("modifySIBus('[-bus B -busSecurity false]')")
    (found,) = [fact for fact in facts if isinstance(fact, SibusBus)]
    assert [(each.name, each.value) for each in found.attributes] == [("busSecurity", "false")]


def test_a_new_bus_has_all_its_sections_and_a_deleted_one_has_nothing() -> None:
    facts = after("createSIBus('[-bus New]')")
    (made,) = [fact for fact in facts if fact.server == "New" and isinstance(fact, SibusBus)]
    assert len(made.complete) == 4
    assert after("deleteSIBus('[-bus B]')") == []
    assert [note.kind for note in one("deleteSIBus('[-bus B]')").notes] == ["bus-deleted"]


def test_a_script_does_not_say_which_of_two_cells_it_changes() -> None:
    found = one("deleteSIBDestination('[-bus B -name Q]')", [*cell("c1"), *cell("c2")])
    assert found.refused is not None
    assert (found.refused.undetermined, found.change) == (True, Change())
    assert "one in each of the cells c1, c2" in found.refused.message


def test_liberty_takes_no_commands() -> None:
    facts = reading(
        "servers/app/server.xml",
        '<server><messagingEngine><queue id="Q"/></messagingEngine></server>',
    ).facts
    found = one("deleteSIBDestination('[-bus app -name Q]')", list(facts))
    assert found.refused is not None
    assert (found.refused.rule, found.refused.undetermined) == ("A4.3", False)


def test_a_command_of_a_bus_that_nobody_knows_leaves_every_bus_in_doubt() -> None:
    other = list(reading("other.py", "AdminTask.createSIBus('[-bus B2]')\n").facts)
    liberty = list(reading("servers/app/server.xml", "<server><messagingEngine/></server>").facts)
    found = one("deleteSIBDestination('[-bus ' + b + ' -name Q]')", [*bus(), *other, *liberty])
    assert found.refused is not None
    assert found.refused.undetermined
    assert sorted(fact.server for fact in found.change.added if isinstance(fact, Incomplete)) == [
        "B",
        "B2",
    ]


def test_a_computed_value_leaves_its_destination_in_doubt() -> None:
    found = one("modifySIBDestination('[-bus B -name Q -exceptionDestination ' + e + ']')")
    (doubt,) = found.change.added
    assert isinstance(doubt, Incomplete)
    assert (doubt.server, doubt.bundle, doubt.object, doubt.source.file) == (
        "B",
        "made.py",
        "Q",
        "change.py",
    )


def test_nothing_of_what_is_discarded_is_done() -> None:
    found, facts = edits(
        bus(), "AdminTask.deleteSIBDestination('[-bus B -name Q]')\nAdminConfig.reset()\n"
    )
    assert [(one.change, [note.kind for note in one.notes]) for one in found] == [
        (Change(), ["discarded"])
    ]
    assert destination(facts, "Q")


def test_facts_of_other_buses_stay() -> None:
    other = list(reading("other.py", MADE.replace("-bus B ", "-bus B2 ")).facts)
    assert list(after("deleteSIBus('[-bus B]')", [*bus(), *other])) == sorted(
        other, key=lambda fact: fact.source
    )


def test_no_line_of_a_script_says_where_it_connects_to() -> None:
    assert servers_at(FactList(bus()), "B") == frozenset()
