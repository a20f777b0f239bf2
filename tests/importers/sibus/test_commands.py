"""Change scripts of wsadmin (sibus.md A4.2): what each call says. They are read, never run."""

from __future__ import annotations

import time

import pytest

from topograph.facts.command import Script
from topograph.facts.sibus import (
    BusMember,
    Incomplete,
    Mediation,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.facts.wsadmin_commands import ANY_BUS, WsadminCommand
from topograph.findings import Severity
from topograph.importers.ems.commands import read_script as read_ems
from topograph.importers.sibus import admin_words
from topograph.importers.sibus.commands import read_script, recognises

QUEUE = "AdminTask.createSIBDestination('[-bus B -name %s -type Queue -cluster C1]')\n"
SAVE = "AdminConfig.save()\n"


def script(text: str) -> Script:
    return read_script(text.encode(), "change.py")


def commands(text: str) -> list[WsadminCommand]:
    found = []
    for command in script(text).commands:
        assert isinstance(command, WsadminCommand)
        found.append(command)
    return found


def one(text: str) -> WsadminCommand:
    (command,) = commands(text)
    return command


def kinds(text: str) -> list[str]:
    return [finding.kind for finding in script(text).findings]


@pytest.mark.parametrize(
    "text",
    [
        QUEUE % "A",
        "print AdminTask.createSIBDestination(['-bus', 'B'])\n",
        "catch {$AdminTask createSIBDestination {-bus B}} r\n",
        "\n\nif x:\n\tAdminConfig.save()\r\n",
        "$AdminConfig save",
    ],
)
def test_a_script_is_recognised_in_both_languages(text: str) -> None:
    assert recognises(text.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"create route D url=tcp://d:7222\n",
        b"* AdminTask.createSIBus(\nDEFINE QLOCAL(A) DESCR('AdminTask.createSIBus(x)')\n",
        b"# AdminTask.createSIBus('[-bus B]')\ncreate queue a\n",
        b"The AdminTask object; AdminTask alone\n",
        b"\0AdminTask.createSIBus('[-bus B]')\n",
    ],
)
def test_other_texts_are_not(data: bytes) -> None:
    assert not recognises(data)


def test_a_script_of_another_product_has_no_commands_here() -> None:
    assert script("create queue a\ncommit\n") == Script((), ())
    assert all(
        command.fault or command.doubtful
        for command in read_ems((QUEUE % "A").encode(), "x").commands
    )


def test_a_command_is_about_its_bus_and_has_the_place_of_its_call() -> None:
    command = one(
        (
            "#\n  \nx = AdminTask.createSIBDestination(['-bus', 'My Bus', '-name', 'A', "
            "'-type', 'queue'])\n"
        )
        + SAVE
    )
    assert (command.scope, command.verb, command.fault, command.unknown) == (
        "My Bus",
        "create",
        "",
        "",
    )
    assert (command.source.file, command.source.line, command.source.column) == ("change.py", 3, 5)
    assert command.text == 'AdminTask.createSIBDestination -bus "My Bus" -name A -type queue'


def test_a_new_destination_is_as_an_imported_script_has_it() -> None:
    (fact,) = one(
        "AdminTask.createSIBDestination('[-bus B -name A -type Queue -node n -server s "
        "-replyDestination R -replyDestinationBus B2 "
        '-defaultForwardRoutingPath [[B C] [B2 "D E"]] -exceptionDestination "" '
        "-sendAllowed FALSE]')\n"
    ).facts
    assert isinstance(fact, SibusDestination)
    assert [(each.bus, each.destination) for each in fact.forward_path] == [
        ("B", "C"),
        ("B2", "D E"),
    ]
    assert fact.reply is not None
    assert (fact.reply.bus, fact.reply.destination, fact.exception_destination) == ("B2", "R", "")
    assert (fact.members, [(each.name, each.value) for each in fact.attributes]) == (
        (SibusMember(node="n", server="s"),),
        [("sendAllowed", "false")],
    )


def test_a_modification_says_only_what_it_states() -> None:
    command = one(
        "AdminTask.modifySIBDestination('[-bus B -name A -exceptionDestination E "
        "-replyDestinationBus B2]')\n"
    )
    assert (command.verb, command.stated) == (
        "modify",
        {"exception_destination", "exception_source", "reply.bus"},
    )


def test_loops_over_literals_give_a_command_for_each_round() -> None:
    jython = (
        "for n in ['A', 'C']:\n  "
        + "AdminTask.deleteSIBDestination('[-bus B -name ' + n + ']')\n"
        + SAVE
    )
    jacl = (
        "foreach n {A C} {\n  $AdminTask deleteSIBDestination [list -bus B -name "
        "$n]\n}\n$AdminConfig save\n"
    )
    for text in (jython, jacl):
        found = commands(text)
        assert [command.text for command in found] == [
            f"AdminTask.deleteSIBDestination -bus B -name {name}" for name in "AC"
        ]
        assert [(command.source.line, command.source.column) for command in found] == [(2, 3)] * 2


def test_a_list_of_names_is_one_command() -> None:
    command = one(
        "AdminTask.createSIBDestinations('[-bus B -nameList [A C] -type Port -cluster C1]')\n"
    )
    assert [fact.label for fact in command.facts] == ["A", "C"]


def test_mediations_are_attached_and_taken_away() -> None:
    (fact,) = one("AdminTask.unmediateSIBDestination('[-bus B -destinationName A]')\n").facts
    assert (isinstance(fact, Mediation), fact.label) == (True, "->A")


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ("createSIBDestination('[-bus B -type Queue]')", "-name is missing"),
        ("createSIBDestination('[-name A -type Queue]')", "-bus is missing"),
        ("createSIBDestination('[-bus B -name A]')", "-type is missing"),
        (
            "createSIBDestination('[-bus B -name A -typ Queue]')",
            "-typ is not an option that is known. Did you mean type?",
        ),
        ("createSIBDestination('[-bus B -name A -type Que]')", "a destination has no type 'Que'"),
        ("createSIBDestination('[-bus B -name A -type Alias]')", "-targetName is missing"),
        ("createSIBDestination('[-bus B -name A -type Foreign]')", "-foreignBus is missing"),
        (
            "createSIBDestination('[-bus B -name A -type Queue -cluster C -node n -server s]')",
            "exclude each other",
        ),
        ("createSIBDestination('[-bus B -name A -type Queue -node n]')", "-server is missing"),
        (
            "createSIBDestination('[-bus B -name A B -type Queue]')",
            "one of its words belongs to no option",
        ),
        (
            "modifySIBDestination('[-bus B -name A -defaultForwardRoutingPath [[B C D]]]')",
            "a list of rows",
        ),
        ("createSIBDestinations('[-bus B -nameList [A A] -type Queue]')", "twice"),
        ("mediateSIBDestination('[-bus B -destinationName A]')", "-mediationName is missing"),
        ("createSIBForeignBus('[-bus B -name F -routingType Over]')", "-routingType is Direct"),
        ("createSIBForeignBus('[-bus B -name F -routingType Indirect]')", "-nextHopBus is missing"),
        ("createSIBLink('[-bus B -name L -foreignBusName F]')", "-messagingEngine is missing"),
        ("addSIBusMember('[-bus B]')", "-cluster, or -node with -server, is missing"),
        (
            "createSIBDestinaton('[-bus B -name A]')",
            "is not a command that is known. Did you mean createSIBDestination",
        ),
        (
            "createSBIDestination('[-bus B -name A]')",
            "is not a command that is known. Did you mean createSIBDestination",
        ),
        ("createSIBMagic('[-bus B]')", "AdminTask.createSIBMagic is not a command that is known"),
    ],
)
def test_a_command_that_cannot_be_meant_has_a_fault(call: str, fault: str) -> None:
    command = one(f"AdminTask.{call}\n")
    assert fault in command.fault
    assert (command.verb, command.facts, command.source.line) == ("none", (), 1)


@pytest.mark.parametrize(
    ("text", "scope", "about", "why"),
    [
        (
            "AdminTask.deleteSIBDestination('[-bus B -name ' + sys.argv[0] + ']')",
            "B",
            "",
            "the value of -name is not known",
        ),
        (
            "AdminTask.modifySIBDestination('[-bus B -name A -exceptionDestination %s]' % e)",
            "B",
            "A",
            "-exceptionDestination",
        ),
        (
            "AdminTask.deleteSIBDestination('[-bus ' + b + ' -name A]')",
            ANY_BUS,
            "A",
            "the value of -bus is not known",
        ),
        (
            "AdminTask.deleteSIBDestination(options)",
            ANY_BUS,
            "",
            "are not known: the script computes them",
        ),
        ("AdminTask.deleteSIBDestination()", ANY_BUS, "", "are not known"),
        (
            "AdminTask.modifySIBDestination(['-bus', 'B', '-name', 'A', more])",
            "B",
            "A",
            "not all options",
        ),
        (
            "if x:\n  AdminTask.deleteSIBDestination('[-bus B -name A]')",
            "B",
            "A",
            "under a condition",
        ),
        (
            "def f():\n  AdminTask.deleteSIBDestination('[-bus B -name A]')",
            "B",
            "A",
            "in a function",
        ),
        (
            (
                "q = AdminConfig.getid('/SIBQueue:A/')\nAdminConfig.modify(q, "
                "[['sendAllowed', 'false']])"
            ),
            ANY_BUS,
            "",
            "AdminConfig.modify",
        ),
    ],
)
def test_what_the_script_computes_is_never_guessed(
    text: str, scope: str, about: str, why: str
) -> None:
    command = one(text + "\n")
    (doubt,) = command.facts
    assert isinstance(doubt, Incomplete)
    assert (command.scope, doubt.object, command.fault) == (scope, about, "")
    assert why in command.unknown


def test_an_option_that_is_not_known_leaves_the_command_in_doubt() -> None:
    command = one("AdminTask.modifySIBDestination('[-bus B -name A -sendAlowed false]')\n")
    assert (
        "whether AdminTask.modifySIBDestination has an option -sendAlowed is not known"
        in command.unknown
    )
    assert "Did you mean sendAllowed" in command.unknown


def test_a_member_that_the_script_computes_is_noted() -> None:
    command = one(
        "AdminTask.createSIBDestination('[-bus B -name A -type Queue -cluster ' + c + ']')\n"
    )
    (fact,) = command.facts
    assert isinstance(fact, SibusDestination)
    assert (fact.members, [note.kind for note in command.notes], command.unknown) == (
        (),
        ["member-not-known"],
        "",
    )
    (doubt,) = one("AdminTask.addSIBusMember('[-bus B -cluster ' + c + ']')\n").facts
    assert isinstance(doubt, Incomplete)
    (member,) = one("AdminTask.addSIBusMember('[-bus B -cluster C]')\n").facts
    assert isinstance(member, BusMember)


@pytest.mark.parametrize(
    "call", ["listSIBDestinations('-bus B')", "showSIBDestination('[-bus B -name A]')", "help()"]
)
def test_what_only_looks_is_no_command(call: str) -> None:
    assert commands(f"AdminTask.{call}\n") == []


def test_permissions_and_other_objects_change_nothing_that_is_evaluated() -> None:
    found = commands(
        "AdminTask.addUserToDestinationRole('[-type Queue -bus B -destination A -role "
        "Sender -user ann]')\n"
        "AdminTask.createSIBJMSQueue(s, '[-name q -jndiName "
        "q]')\nAdminTask.createJAASAuthEntry('[-alias a]')\n"
    )
    assert [
        (command.verb, command.fault, [note.rule for note in command.notes]) for command in found
    ] == [
        ("none", "", ["S-18"]),
        ("none", "", []),
        ("none", "", []),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QUEUE % "A" + SAVE, []),
        (QUEUE % "A", ["not-saved"]),
        (QUEUE % "A" + SAVE + QUEUE % "C", ["not-saved"]),
        (SAVE + QUEUE % "A", ["not-saved"]),
        (QUEUE % "A" + "if AdminConfig.hasChanges():\n  AdminConfig.save()\n", []),
        (QUEUE % "A" + "if (AdminConfig.hasChanges() == 1): AdminConfig.save()\n", []),
        (
            QUEUE % "A" + "if AdminConfig.hasChanges() == 0:\n  AdminConfig.save()\n",
            ["saving-not-known"],
        ),
        (QUEUE % "A" + "if x:\n  AdminConfig.save()\n", ["saving-not-known"]),
        (QUEUE % "A" + "if x:\n  AdminConfig.save()\n" + QUEUE % "C", ["not-saved"]),
        ("try:\n  " + QUEUE % "A" + "  AdminConfig.save()\nexcept:\n  AdminConfig.reset()\n", []),
        ("try:\n  " + QUEUE % "A" + "except:\n  AdminConfig.save()\n", ["not-saved"]),
        ("AdminTask.addUserToBusConnectorRole('[-bus B -user a]')\n", []),
        (QUEUE % "A" + "AdminConfig.reset()\n", []),
        ("def save():\n  AdminConfig.save()\n" + QUEUE % "A" + "save()\n", ["saving-not-known"]),
        ("def undo():\n  AdminConfig.reset()\n" + QUEUE % "A" + SAVE, ["discarding-not-known"]),
        (
            (
                "proc save {} { $AdminConfig save }\n$AdminTask deleteSIBDestination {-bus B "
                "-name A}\nsave\n"
            ),
            ["saving-not-known"],
        ),
        (
            (
                "$AdminTask deleteSIBDestination {-bus B -name A}\nif {[$AdminConfig "
                "hasChanges]} { $AdminConfig save }\n"
            ),
            [],
        ),
        (
            "$AdminTask deleteSIBDestination {-bus B -name A}\nif {$x} { $AdminConfig save }\n",
            ["saving-not-known"],
        ),
        ("$AdminTask deleteSIBDestination {-bus B -name A}\n", ["not-saved"]),
    ],
)
def test_what_is_not_saved_does_not_last(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_the_warning_counts_what_comes_after_the_last_save() -> None:
    (finding,) = script(QUEUE % "A" + SAVE + QUEUE % "C" + QUEUE % "D").findings
    assert (finding.severity, finding.source.line) == (Severity.WARNING, 3)
    assert finding.message == (
        "no AdminConfig.save() follows: what these 2 commands change does not last; it "
        "is judged as if it were saved"
    )


def test_reset_discards_what_is_not_saved() -> None:
    found = commands(
        QUEUE % "A" + SAVE + QUEUE % "C" + "AdminConfig.reset()\n" + QUEUE % "D" + SAVE
    )
    assert [(command.verb, [note.kind for note in command.notes]) for command in found] == [
        ("create", []),
        ("none", ["discarded"]),
        ("create", []),
    ]
    assert "AdminConfig.reset() (change.py:4:1) discards" in found[1].notes[0].message


def test_a_reset_that_may_not_be_reached_leaves_commands_in_doubt() -> None:
    (command,) = commands(QUEUE % "A" + "if x:\n  AdminConfig.reset()\n" + SAVE)
    assert (command.verb, command.unknown) == (
        "create",
        "whether AdminConfig.reset() (change.py:3:3) discards it is not known",
    )


def test_a_script_that_takes_in_others_is_not_known_to_its_end() -> None:
    text = "execfile('more.py')\n" + QUEUE % "A" + SAVE
    assert kinds(text) == ["runs-other-files"]
    assert kinds(text.replace(SAVE, "")) == ["saving-not-known", "runs-other-files"]
    assert commands(text)[-1].unknown == "the script takes in other files, which may change more"
    assert commands(text)[-1].scope == ANY_BUS


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "for a in range(9999):\n for b in range(9999):\n  for c in range(9999):\n   "
            + QUEUE % "A",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "foreach a {1 2 3 4 5 6 7 8 9} {" * 12
            + "$AdminTask deleteSIBDestination {-bus B -name A}"
            + "}" * 12,
            marks=pytest.mark.slow,
        ),
        "AdminTask.createSIBDestination('[-bus B -name A -defaultForwardRoutingPath "
        + "[" * 100_000
        + "]')\n",
        "$AdminTask createSIBDestination {-bus B -name A -x " + "{" * 50_000 + "}\n",
        "\n".join(" " * depth + "if x:" for depth in range(500)) + "\n" + " " * 500 + QUEUE % "A",
        "a = ['x']\n" + "a = a + a\n" * 60 + "AdminTask.createSIBDestination(a)\n",
        "AdminTask." * 100_000,
        "AdminTask.createSIBDestination(" * 20_000,
    ],
)
def test_hostile_scripts_end_soon_and_say_so(text: str) -> None:
    begun = time.process_time()
    found = script(text)
    assert time.process_time() - begun < 20
    assert all(
        command.unknown or command.fault or not found.findings for command in found.commands[-1:]
    )
    recognises(text.encode())


def test_a_script_with_too_many_steps_is_cut_with_a_finding() -> None:
    text = "for a in range(9999):\n for b in range(9999):\n  x = 1\n" + QUEUE % "A" + SAVE
    found = script(text)
    assert "script-cut" in [
        finding.kind for finding in found.findings if finding.severity is Severity.ERROR
    ]
    assert isinstance(found.commands[-1], WsadminCommand)
    assert found.commands[-1].unknown


def test_binary_and_huge_files_are_findings() -> None:
    assert [finding.kind for finding in read_script(b"\0\1\2", "x").findings] == ["not-a-script"]
    assert kinds("# " + "x" * (4 * 2**20)) == ["script-too-large"]


SECRET = "tiger4711x"


@pytest.mark.parametrize(
    "text",
    [
        (
            "AdminTask.createSIBMQLink('[-bus B -name L -messagingEngine e -foreignBusName "
            f"F -password {SECRET}]')"
        ),
        (
            "AdminTask.createSIBMQLink(['-bus', 'B', '-name', 'L', '-messagingEngine', 'e', "
            f"'-foreignBusName', 'F', '-authPwd', '{SECRET}'])"
        ),
        f"AdminTask.createJAASAuthEntry('[-alias a -user u -password {SECRET}]')",
        f"AdminTask.createAuthDataEntry('[-alias a -user u -password {SECRET}]')",
        f"AdminTask.createSIBus('[-bus B -foo {SECRET}]')",
        f"AdminTask.createSIBDestinaton('[-bus B -password {SECRET}]')",
        f"AdminTask.modifySIBDestination('[-bus B -name A -userPassword {SECRET} stray]')",
        (
            f"pw = '{SECRET}'\nAdminTask.createSIBLink('[-bus B -name L -messagingEngine e "
            "-foreignBusName F -secretKey ' + pw + ']')"
        ),
        f"AdminConfig.create('SIBus', c, [['name', 'B'], ['password', '{SECRET}']])",
        (
            f"$AdminTask createSIBMQLink {{-bus B -name L -messagingEngine e -foreignBusName "
            f"F -connameList mq://u:{SECRET}@h}}"
        ),
        (
            "AdminTask.addUserToDestinationRole('[-bus B -type Queue -destination A -role "
            f"Sender -token {SECRET}]')"
        ),
    ],
)
def test_secrets_are_dropped(text: str) -> None:
    found = script(text + "\n")
    assert found.commands
    assert SECRET not in repr(found)


def test_links_are_read_with_their_type() -> None:
    (fact,) = one("AdminTask.deleteSIBMQLink('[-bus B -name L]')\n").facts
    assert isinstance(fact, SibusLink)
    assert fact.type == "mq"


def test_words_nested_too_deep_are_a_hole_and_those_behind_them_are_read() -> None:
    text = "[x [a {b c}] {d}] e"
    for level in range(admin_words.MAX_DEPTH + 1):
        text = f"[{text} {level}]"
    found = admin_words.split(f"{text} last")
    assert found[1:] == ["last"]
    for level in reversed(range(1, admin_words.MAX_DEPTH + 1)):
        found = found[0]
        assert found[1:] == [str(level)]
    assert found[0] == admin_words.HOLE
