"""Scripts of wsadmin, read and never run (sibus.md A4.2)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sibus_forms import facts, reading

import topograph
from topograph.facts import Fact
from topograph.facts.sibus import (
    BusMember,
    ChangedBus,
    ForeignBus,
    Incomplete,
    Mediation,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.importers.sibus.jacl import read_jacl
from topograph.importers.sibus.jython import read_jython

QUEUE = "AdminTask.createSIBDestination('[-bus B -name %s -type Queue]')\n"


def names(text: str, path: str = "x.py") -> list[str]:
    return [fact.name for fact in facts(path, text, SibusDestination)]


def doubts(text: str, path: str = "x.py") -> list[tuple[str, str]]:
    return [(fact.server, fact.object) for fact in facts(path, text, Incomplete)]


def test_a_call_gives_a_destination_at_its_line_and_column() -> None:
    text = """#Create
print AdminTask.createSIBDestination(["-bus","My Bus","-name","IN","-type","QUEUE","-cluster","C1",
  "-defaultForwardRoutingPath",[["B","CHECK"],["B","WORK"]],"-exceptionDestination","BAD", "-sendAllowed", "FALSE"])
"""  # noqa: E501
    (found,) = facts("x.py", text, SibusDestination)
    assert (
        found.server,
        found.name,
        found.destination_type,
        found.source.line,
        found.source.column,
    ) == (
        "My Bus",
        "IN",
        "Queue",
        2,
        7,
    )
    assert [(each.bus, each.destination) for each in found.forward_path] == [
        ("B", "CHECK"),
        ("B", "WORK"),
    ]
    assert (found.exception_destination, found.members) == ("BAD", (SibusMember("C1"),))
    assert [(each.name, each.value) for each in found.attributes] == [("sendAllowed", "false")]


@pytest.mark.parametrize(
    "text",
    [
        (
            'bus = "B"\nn = "Q" + str(1)\nAdminTask.createSIBDestination("[-bus %s -name %s '
            '-type Queue]" % (bus, n))'
        ),
        (
            "options = ['-bus', 'B']\noptions.append('-name')\noptions += ['Q1', '-type', "
            "'Queue']\nAdminTask.createSIBDestination(options)"
        ),
        (
            "for n in 'Q1'.split(','):\n  AdminTask.createSIBDestination('-bus B ' \\\n    "
            "'-name ' + n + ' -type Queue')"
        ),
        (
            "if __name__ == '__main__':\n\tAdminTask.createSIBDestination(['-bus B', '-name "
            "Q1', '-type Queue'])"
        ),
        (
            "try:\n  AdminTask.createSIBDestination('[-bus B -name Q1 -type Queue "
            "-description -reliability ASSURED_PERSISTENT]')\nexcept:\n  pass"
        ),
        "AdminTask.createSIBDestinations('[-bus B -nameList [Q1] -type Queue]')",
        (
            "# AdminTask.deleteSIBDestination('[-bus B -name Q1]')\n'''AdminTask.x'''; "
            "AdminTask.createSIBDestination('[-bus B -name Q1 -type Queue]')"
        ),
    ],
)
def test_literals_assignments_and_loops_over_literals_are_followed(text: str) -> None:
    assert (names(text), doubts(text)) == (["Q1"], [])


@pytest.mark.parametrize(
    "text",
    [
        (
            "set b B\nforeach q {Q1 Q2} {\n  $AdminTask createSIBDestination [list -bus $b "
            "-name $q -type QUEUE]\n}"
        ),
        (
            'foreach {q t} {Q1 Queue Q2 Port} { set d [$AdminTask createSIBDestination "-bus '
            'B -name ${q} -type $t"] }'
        ),
        (
            "set l [list Q1]\nlappend l Q2\nforeach q $l {$AdminTask createSIBDestination "
            '\\\n "-bus B -name $q -type Queue"}'
        ),
        (
            "catch {$AdminTask createSIBDestination {-bus B -name Q1 -type Queue}} "
            "r\n$AdminTask createSIBDestination {-bus B -name Q2 -type Queue}"
        ),
    ],
)
def test_jacl_is_followed_too(text: str) -> None:
    assert (names(text, "x.jacl"), doubts(text, "x.jacl")) == (["Q1", "Q2"], [])


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("if x:\n  AdminTask.createSIBDestination('[-bus B -name Q -type Queue]')", "Q"),
        ("while x:\n  AdminTask.deleteSIBDestination('[-bus B -name Q]')", "Q"),
        ("def f():\n  AdminTask.createSIBDestination('[-bus B -name Q -type Queue]')", "Q"),
        (
            (
                "for q in sys.argv:\n  AdminTask.createSIBDestination('[-bus B -name ' + q + "
                "' -type Queue]')"
            ),
            "",
        ),
        ("AdminTask.createSIBDestination('[-bus B -name ' + q + ' -type Queue]')", ""),
        (
            (
                "AdminTask.createSIBDestination('[-bus B -name Q -type Queue "
                "-exceptionDestination ' + e + ']')"
            ),
            "Q",
        ),
        (
            (
                "AdminTask.createSIBDestination('[-bus B -name Q -type Queue ' + more + ' "
                "-sendAllowed false]')"
            ),
            "Q",
        ),
        (
            (
                "for q in ['A', 'Q']:\n  if q == x: continue\n  "
                "AdminTask.createSIBDestination('[-bus B -name ' + q + ' -type Queue]')"
            ),
            "",
        ),
        ("if x: y = 1; AdminTask.createSIBDestination('[-bus B -name Q -type Queue]')", "Q"),
        (
            (
                "n = 'A'\ndef f():\n  global n\n  n = "
                "'C'\nf()\nAdminTask.createSIBDestination('[-bus B -name ' + n + ' -type "
                "Queue]')"
            ),
            "",
        ),
        (
            (
                "n = 'A'\nn2 = n = x\nAdminTask.createSIBDestination('[-bus B -name ' + n + "
                "' -type Queue]')"
            ),
            "",
        ),
        ("n = ['Q']\nAdminTask.createSIBDestination('[-bus B -name %s -type Queue]' % n)", ""),
        (
            (
                "n = 'A'\nexecfile('x.py')\nAdminTask.createSIBDestination('[-bus B -name ' "
                "+ n + ' -type Queue]')"
            ),
            "",
        ),
        (
            (
                "def f(): global n; n = 'C'\nn = "
                "'A'\nf()\nAdminTask.createSIBDestination('[-bus B -name ' + n + ' -type "
                "Queue]')"
            ),
            "",
        ),
        ("AdminTask.createSIBMagic('[-bus B]')" + "\n" + QUEUE % "Z", ""),
        ("AdminTask.modifySIBDestination('[-bus B -name Q -sendAllowed false]')", "Q"),
        ("AdminTask.deleteSIBDestination('[-bus B -name Q]')", "Q"),
    ],
)
def test_what_cannot_be_followed_makes_the_bus_incomplete(text: str, object_: str) -> None:
    assert doubts(text) == [("B", object_)]


@pytest.mark.parametrize(
    ("names_", "rows", "leaves", "expected"),
    [
        ("q", "A C", "", ["A", "C"]),
        ("{q t}", "A x C y", "", ["A", "C"]),
        ("q", "{}", "", []),
        ("{}", "A C", "", None),
        ("{q t}", "A x C", "", None),
        ("q", "A C", "break", None),
        ("q", "A C", "continue", None),
        ("q", "A C", "return", None),
        ("q", "$unknown", "", None),
    ],
)
def test_a_loop_of_jacl_is_followed_where_its_rounds_are_known(
    names_: str, rows: str, leaves: str, expected: list[str] | None
) -> None:
    values = rows if rows.startswith(("{", "$")) else f"{{{rows}}}"
    text = (
        f"foreach {names_} {values} {{\n $AdminTask createSIBDestination "
        f'"-bus B -name $q -type Queue"\n {leaves}\n}}\n$AdminConfig save\n'
    )
    known = not doubts(text, "x.jacl")
    assert (names(text, "x.jacl") if known else None) == expected


@pytest.mark.parametrize("verb", ["create", "modify", "delete"])
def test_a_command_about_an_engine_leaves_open_its_engines_only(verb: str) -> None:
    text = f"AdminTask.{verb}SIBEngine('[-bus B -server ' + unknown() + ']')\n" + QUEUE % "Z"
    (doubt,) = [one for one in reading("x.py", text).facts if isinstance(one, Incomplete)]
    assert doubt.sections == ("engines",)


@pytest.mark.parametrize(
    "change", ["p = o\np.append('-x')", "change(o)", "o = f(o)", "o[5] = 'C'", "o.sort()"]
)
def test_a_list_that_something_else_may_have_changed_is_not_known(change: str) -> None:
    text = (
        "o = ['-bus', 'B', '-type', 'Queue', '-name', "
        f"'Q']\n{change}\nAdminTask.createSIBDestination(o)\n"
    )
    found = reading("x.py", text)
    (fact,) = found.facts
    assert isinstance(fact, Incomplete)
    assert (fact.server, [one.kind for one in found.findings]) == ("", ["incomplete-bus"])


@pytest.mark.parametrize(
    ("path", "more", "complete"),
    [
        ("x.py", "import sys, java.lang.System as s\nfrom java.util import List\n", True),
        ("x.py", "from buslib import *\n", False),
        ("x.py", "import sys, buslib\n", False),
        ("x.py", "execfile('queues.py')\n", False),
        ("x.jacl", "source queues.jacl\n", False),
        ("x.jacl", "", True),
    ],
)
def test_a_script_that_takes_in_others_may_make_more_than_it_says(
    path: str, more: str, complete: bool
) -> None:
    call = (
        "$AdminTask createSIBus {-bus B}\n"
        if path.endswith("jacl")
        else "AdminTask.createSIBus('[-bus B]')\n"
    )
    assert [bool(fact.complete) for fact in facts(path, more + call, SibusBus)] == [complete]


def test_a_call_of_an_unknown_bus_makes_every_bus_of_the_script_incomplete() -> None:
    text = (
        QUEUE % "A" + "AdminTask.createSIBDestination('[-bus ' + bus + ' -name Q -type Queue]')\n"
    )
    assert doubts(text) == [("B", "")]


def test_a_script_of_no_known_bus_is_an_error_free_finding_and_partly_read() -> None:
    found = reading(
        "x.py", "AdminTask.createSIBDestination('[-bus ' + bus + ' -name Q -type Queue]')\n"
    )
    (fact,) = found.facts
    assert isinstance(fact, Incomplete)
    assert (fact.server, [one.kind for one in found.findings], found.files[0].status) == (
        "",
        ["incomplete-bus"],
        "partly-read",
    )


def test_what_changes_a_bus_by_other_means_makes_it_incomplete() -> None:
    text = (
        "q = "
        + QUEUE % "A"
        + "AdminConfig.modify(q, [['sendAllowed', 'false']])\nAdminConfig.save()\n"
    )
    assert doubts(text) == [("B", "")]


def test_what_says_nothing_of_routes_is_ignored_and_counted() -> None:
    text = QUEUE % "A" + (
        "AdminTask.createSIBJMSQueue(s, '[-name "
        "x]')\nAdminTask.listSIBDestinations('-bus B')\nAdminConfig.save()\n"
    )
    found = reading("x.py", text)
    assert ((found.files[0].read, found.files[0].ignored), found.findings) == ((1, 3), ())


def test_only_a_script_that_makes_the_bus_has_all_of_it() -> None:
    assert [fact.complete for fact in facts("x.py", QUEUE % "A", SibusBus)] == [()]
    (made,) = facts(
        "x.py", "AdminTask.createSIBus('[-bus B -secure FALSE]')\n" + QUEUE % "A", SibusBus
    )
    assert len(made.complete) == 4


def test_later_commands_change_what_earlier_ones_made() -> None:
    text = (
        QUEUE % "A"
        + QUEUE % "C"
        + (
            "AdminTask.modifySIBDestination('[-bus B -name A -replyDestination R "
            '-exceptionDestination ""]\')\n'
        )
        + "AdminTask.deleteSIBDestination('[-bus B -name C]')\n"
    )
    (found,) = facts("x.py", text, SibusDestination)
    assert (found.name, found.reply.destination, found.exception_destination) == ("A", "R", "")
    assert doubts(text) == []


def test_members_make_engines_of_the_usual_names() -> None:
    text = (
        "AdminTask.addSIBusMember('[-bus B -node n -server s -fileStore]')\n"
        "AdminTask.addSIBusMember('[-bus B -cluster "
        "C]')\nAdminTask.createSIBEngine('[-bus B -cluster C]')\n"
    )
    assert [fact.member for fact in facts("x.py", text, BusMember)] == [
        SibusMember(node="n", server="s"),
        SibusMember("C"),
    ]
    engines = facts("x.py", text, MessagingEngine)
    assert [(fact.name, fact.derived) for fact in engines] == [
        ("n.s-B", True),
        ("C.000-B", True),
        ("C.001-B", True),
    ]


def test_an_alias_a_foreign_destination_and_mediations() -> None:
    text = """AdminTask.createSIBDestination('[-bus B -name AL -type Alias -aliasBus B -targetBus B2 -targetName T -queuePoints [[T@m1]]]')
AdminTask.createSIBDestination('[-bus B -name F -type Foreign -foreignBus B2]')
AdminTask.createSIBMediation('[-bus B -mediationName M -handlerListName H]')
AdminTask.mediateSIBDestination('[-bus B -destinationName AL -mediationName M -node n -server s]')
AdminTask.mediateSIBDestination('[-bus B -destinationName F -mediationName M]')
AdminTask.unmediateSIBDestination('[-bus B -destinationName F]')
"""  # noqa: E501
    alias, foreign = facts("x.py", text, SibusDestination)
    assert (alias.target.bus, alias.target.destination, alias.alias_bus, alias.queue_points) == (
        "B2",
        "T",
        "B",
        ("T@m1",),
    )
    assert (foreign.destination_type, foreign.foreign_bus) == ("Foreign", "B2")
    assert [(fact.name, fact.destination) for fact in facts("x.py", text, Mediation)] == [
        ("M", ""),
        ("M", "AL"),
    ]


def test_foreign_buses_and_links() -> None:
    text = """AdminTask.createSIBForeignBus('[-bus B -name B2 -routingType Direct -type SIBus]')
AdminTask.createSIBForeignBus('[-bus B -name B3 -routingType Indirect -nextHopBus B2]')
AdminTask.createSIBForeignBus('[-bus B -name MQ -routingType Direct -type MQ]')
AdminTask.createSIBLink('[-bus B -messagingEngine m1 -name l -foreignBusName B2 -remoteMessagingEngineName m2]')
AdminTask.createSIBMQLink('[-bus B -messagingEngine m1 -name q -foreignBusName MQ -queueManagerName V -senderChannelName S.R
 -hostName h -port 1414 -receiverChannelName R.S -exceptionDestination EX]'.replace("x", "y"))
"""  # noqa: E501
    script = text.replace("\n -hostName", " -hostName").replace('.replace("x", "y")', "")
    foreign = facts("x.py", script, ForeignBus)
    assert [(fact.name, fact.route, fact.next_hop, fact.engine) for fact in foreign] == [
        ("B2", "direct", "", "m1"),
        ("B3", "indirect", "B2", ""),
        ("MQ", "mq", "", "m1"),
    ]
    links = facts("x.py", script, SibusLink)
    assert [
        (fact.type, fact.engine, fact.foreign_bus, fact.remote_engine, fact.exception_destination)
        for fact in links
    ] == [
        ("sib", "m1", "B2", "m2", None),
        ("mq", "m1", "MQ", "", "EX"),
    ]
    assert {each.name for each in links[1].attributes} == {
        "queueManagerName", "senderChannelName", "receiverChannelName", "hostName", "port",
    }  # fmt: skip


def test_secrets_are_not_kept() -> None:
    text = (
        "AdminTask.createSIBus('[-bus B -interEngineAuthAlias tiger -password tiger]')\n"
        + QUEUE % "A"
    )
    assert "tiger" not in repr(reading("x.py", text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_jacl, "[" * 50_000),
        (read_jacl, "$AdminTask x [" * 10_000),
        (read_jacl, '"{' * 40_000),
        (read_jacl, "set a [list $a $a]\n" * 5_000),
        (read_jython, "(" * 80_000),
        (read_jython, "AdminTask.x(a," * 6_000),
        (read_jython, "a=[a,a]\n" * 10_000),
        (read_jython, "a=a+a+'x'\n" * 9_000),
        (read_jython, "".join(" " * depth + "if a:\n" for depth in range(400))),
        (read_jython, "for i in range(9999):\n for j in range(9999):\n  AdminTask.x('a' + i)"),
        (read_jython, '"""' * 30_001),
    ],
)
def test_no_script_holds_the_reader_up(read, text: str) -> None:
    begun = time.process_time()
    read(text)
    assert time.process_time() - begun < 6


def test_a_script_that_is_not_followed_to_its_end_is_incomplete() -> None:
    for rest in ("for i in range(9999):\n for j in range(9999):\n  x = 1\n", "AdminTask.x(" * 8000):
        assert doubts(QUEUE % "A" + rest) == [("B", "")]


def test_a_destination_that_is_made_twice_stays_as_it_was_made_first_and_is_in_doubt() -> None:
    first = (
        "AdminTask.createSIBDestination('[-bus B -name Q -type Queue -exceptionDestination X]')\n"
    )
    again = "AdminTask.createSIBDestination('[-bus B -name Q -type TopicSpace]')\n"
    (found,) = facts("x.py", first + again, SibusDestination)
    assert (found.destination_type, found.source.line) == ("Queue", 1)
    assert doubts(first + again) == [("B", "Q")]
    assert doubts(first + first) == []
    gone = "AdminTask.deleteSIBDestination('[-bus B -name Q]')\n"
    (new,) = facts("x.py", first + gone + again, SibusDestination)
    assert (new.destination_type, doubts(first + gone + again)) == ("TopicSpace", [])


def test_a_destination_on_a_server_that_is_no_member_of_the_bus_is_in_doubt() -> None:
    bus = (
        "AdminTask.createSIBus('[-bus B]')\n"
        "AdminTask.addSIBusMember('[-bus B -node N -server S]')\n"
    )
    made = "AdminTask.createSIBDestination('[-bus B -name Q -type Queue -node N -server %s]')\n"
    assert doubts(bus + made % "OTHER") == [("B", "Q")]
    assert doubts(bus + made % "S") == []
    assert doubts(made % "OTHER") == []  # other files may have the bus with its members


BUS = (
    "AdminTask.createSIBus('[-bus B]')\n"
    "AdminTask.addSIBusMember('[-bus B -node N -server S]')\n"
    "AdminTask.createSIBForeignBus('[-bus B -name FAR -routingType Direct -type SIBus]')\n"
    "AdminTask.createSIBDestination('[-bus B -name A -type Queue -node N -server S]')\n"
)


@pytest.mark.parametrize(
    ("command", "kind", "object_"),
    [
        ("createSIBDestination -name Q -type Queue -reliability SURE", SibusDestination, "Q"),
        (
            "createSIBDestination -name Q -type Queue -maxFailedDeliveries many",
            SibusDestination,
            "Q",
        ),
        (
            "createSIBDestination -name Q -type Queue -cluster C -node N -server S",
            SibusDestination,
            "Q",
        ),
        ("createSIBDestination -name Q -type Alias", SibusDestination, "Q"),
        ("createSIBDestination -name Q -type Foreign -foreignBus GONE", SibusDestination, "Q"),
        (
            "createSIBDestination -name _SYSTEM.Exception.Destination.N.S-B -type Queue",
            SibusDestination,
            "_SYSTEM.Exception.Destination.N.S-B",
        ),
        ("createSIBEngine -cluster C", MessagingEngine, ""),
        ("mediateSIBDestination -destinationName A -mediationName GONE", Mediation, "A"),
        ("createSIBForeignBus -name FAR -routingType Direct -type MQ", ForeignBus, ""),
        ("createSIBForeignBus -name B -routingType Direct -type MQ", ForeignBus, ""),
        ("createSIBForeignBus -name F -routingType Indirect -nextHopBus GONE", ForeignBus, ""),
        ("createSIBLink -name L -messagingEngine GONE -foreignBusName FAR", SibusLink, ""),
        ("createSIBLink -name L -messagingEngine N.S-B -foreignBusName GONE", SibusLink, ""),
        ("createSIBMQLink -name L -messagingEngine N.S-B -foreignBusName FAR", SibusLink, ""),
    ],
)
def test_what_wsadmin_refuses_is_not_read_and_leaves_answers_about_it_open(
    command: str, kind: type, object_: str
) -> None:
    name, _, options = command.partition(" ")
    text = f"{BUS}AdminTask.{name}('[-bus B {options}]')\n"
    assert facts("x.py", text, kind) == facts("x.py", BUS, kind)
    assert doubts(text) == [("B", object_)]
    (said,) = [one.reason for one in facts("x.py", text, Incomplete)]
    assert said.startswith(f"AdminTask.{name} is refused: ")


@pytest.mark.parametrize(
    "options", ["-reliability SURE", "-sendAllowed maybe", "-maxFailedDeliveries -1"]
)
def test_a_change_that_wsadmin_refuses_leaves_what_was_there_in_doubt(options: str) -> None:
    text = f"{BUS}AdminTask.modifySIBDestination('[-bus B -name A {options}]')\n"
    (found,) = facts("x.py", text, SibusDestination)
    assert (found.attributes, doubts(text)) == ((), [("B", "A")])


def test_what_is_there_already_is_not_made_again_and_leaves_nothing_open() -> None:
    again = (
        "AdminTask.createSIBus('[-bus B -secure true]')\n"
        "AdminTask.addSIBusMember('[-bus B -node N -server S]')\n"
        "AdminTask.createSIBEngine('[-bus B -node N -server S]')\n"
    )
    assert facts("x.py", BUS + again, Fact) == facts("x.py", BUS, Fact)
    assert [
        (one.kind, one.source.line)
        for one in reading("x.py", BUS + again).findings
        if one.kind == "command-refused"
    ] == [("command-refused", 5), ("command-refused", 6), ("command-refused", 7)]


def test_a_bus_without_a_member_has_no_destination_on_one() -> None:
    made = "AdminTask.createSIBDestination('[-bus B -name Q -type Queue -cluster C]')\n"
    text = f"AdminTask.createSIBus('[-bus B]')\n{made}"
    assert (facts("x.py", text, SibusDestination), doubts(text)) == ([], [("B", "Q")])


def test_commands_about_a_bus_before_it_is_made_leave_the_bus_open() -> None:
    assert doubts(f"{QUEUE % 'Q'}AdminTask.createSIBus('[-bus B]')\n") == [("B", "")]


def test_a_script_says_where_it_changes_a_bus_that_it_does_not_make() -> None:
    assert [
        (one.server, one.source.line)
        for one in facts("x.py", QUEUE % "Q" + QUEUE % "P", ChangedBus)
    ] == [("B", 1)]
    assert facts("x.py", BUS + QUEUE % "Q", ChangedBus) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "make = AdminTask.createSIBDestination\nmake(ARGS)",
        "getattr(AdminTask, 'createSIBDestination')(ARGS)",
        "getattr(AdminTask, name)(ARGS)",
        "exec('AdminTask.createSIBDestination(ARGS)')",
        "eval('AdminTask.createSIBDestination(' + args + ')')",
        "at = AdminTask\nat.createSIBDestination(ARGS)",
    ],
)
def test_a_command_under_another_name_leaves_the_buses_open(hidden: str, tmp_path: Path) -> None:
    made = "AdminTask.createSIBus(['-bus', 'B'])\n"
    arguments = "['-bus', 'B', '-name', 'Q', '-type', 'Queue', '-node', 'n', '-server', 's']"
    (tmp_path / "b.py").write_text(made + hidden.replace("ARGS", arguments) + "\n")
    answer = topograph.read(tmp_path).trace("B", "queue:Q")
    assert answer.outcomes == ("UNDETERMINED",)
    (tmp_path / "b.py").write_text(made + "import AdminTask\nglobal AdminTask\nprint AdminTask\n")
    answer = topograph.read(tmp_path).trace("B", "queue:Q")
    assert (answer.outcomes, answer.exact) == (("REJECTED(15)",), True)
