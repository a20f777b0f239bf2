"""Change scripts in MQSC (ibm_mq.md C4): what each command says, for which queue manager, and
what MQ would not read.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from topograph.facts.mqsc_commands import MqscCommand
from topograph.importers.ems.commands import read_script as read_ems_script
from topograph.importers.ibm_mq.commands import read_script, recognises


def commands(text: str) -> list[MqscCommand]:
    found = []
    for command in read_script(text.encode(), "change.mqsc").commands:
        assert isinstance(command, MqscCommand)
        found.append(command)
    return found


def one(text: str) -> MqscCommand:
    (command,) = commands(text + "\n")
    return command


def values(command: MqscCommand) -> dict[str, str]:
    return {one.name: one.value for one in command.attributes}


def test_a_definition_over_several_lines_has_the_line_of_each_attribute() -> None:
    command = one(
        "* new\nDEF QR(orders) rname('Orders') +\n  RQMNAME(QM2) +\n* between\n  "
        "XMITQ(TO.QM2) REPLACE"
    )
    assert (command.verb, command.noun, command.name) == ("DEFINE", "QREMOTE", "ORDERS")
    assert [(each.name, each.value, each.line) for each in command.attributes] == [
        ("RNAME", "Orders", 2),
        ("RQMNAME", "QM2", 3),
        ("XMITQ", "TO.QM2", 5),
    ]
    assert command.option("REPLACE") == ""
    assert command.option("LIKE") is None
    assert (command.source.line, command.source.column, command.fault, command.doubt) == (
        2,
        1,
        "",
        "",
    )
    assert command.text == "DEF QR(orders) rname('Orders') RQMNAME(QM2) XMITQ(TO.QM2) REPLACE"


def test_synonyms_flags_and_lists_are_as_a_definition_has_them() -> None:
    alias = one("ALTER QA(A) TARGQ(B)")
    assert values(alias) == {"TARGET": "B"}
    assert values(one("ALTER QLOCAL(X) NOTRIGGER SHARE")) == {"NOTRIGGER": "", "SHARE": ""}
    assert values(one("DEFINE NAMELIST(N) NAMES(A, B,C)")) == {"NAMES": "A,B,C"}


def test_several_commands_of_one_line_are_several() -> None:
    first, second = commands("DELETE QLOCAL(A) PURGE; DELETE QALIAS(B)\n")
    assert (first.noun, first.name, first.option("PURGE")) == ("QLOCAL", "A", "")
    assert (second.noun, second.name, second.text) == ("QALIAS", "B", "DELETE QALIAS(B)")


def test_commands_that_only_show_something_are_none() -> None:
    assert commands("DISPLAY QLOCAL(*)\nDIS CHSTATUS(C) ALL\nPING QMGR\nEND\n") == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("DEFIEN QLOCAL(X)", "this line is not a command of MQSC. Did you mean DEFINE?"),
        ("DEFINE QLOCL(X)", "there is no such command of MQSC"),
        ("DEFINE QMGR DEADQ(X)", "DEFINE does not go with QMGR"),
        ("DELETE QSTATUS(X)", "DELETE does not go with QSTATUS"),
        ("DEFINE QLOCAL", "DEFINE QLOCAL needs a name in parentheses"),
        ("DEFINE QLOCAL('')", "DEFINE QLOCAL needs a name in parentheses"),
        (f"DEFINE QLOCAL({'A' * 49})", f"the name {'A' * 49!r} has 49 characters, 48 are allowed"),
        (f"DEFINE CHANNEL({'A' * 21}) CHLTYPE(RCVR)", (f"the name {'A' * 21!r} has 21 "
            "characters, 20 are allowed")),
        ("DEFINE QLOCAL(A-B)", "the name 'A-B' contains '-'"),
        ("DEFINE QLOCAL(X) MAXDEPHT(5)", ("a QLOCAL has no attribute MAXDEPHT in any version. "
            "Did you mean MAXDEPTH?")),
        ("DEFINE QREMOTE(X) USAGE(XMITQ)", "a QREMOTE has no attribute USAGE in any version"),
        ("ALTER CHANNEL(C) CHLTYPE(RCVR) XMITQ(X)", ("an RCVR channel has no attribute XMITQ in "
            "any version")),
        ("ALTER CHANNEL(C) XMITQ(X)", "ALTER CHANNEL(C) does not say its CHLTYPE"),
        (f"DEFINE CHANNEL(C) CHLTYPE({'Z' * 21})", f"there is no CHLTYPE({'Z' * 20})"),
        ("DEFINE CHANNEL(C) CHLTYPE(SENDR)", "there is no CHLTYPE(SENDR). Did you mean SDR?"),
        ("ALTER QLOCAL(X) USAGE(XMIT)", "USAGE takes NORMAL or XMITQ"),
        ("ALTER QMGR CLWLUSEQ(QMGR)", "CLWLUSEQ takes ANY or LOCAL"),
        ("ALTER QLOCAL(X) CLWLRANK(10)", "CLWLRANK takes 0 to 9"),
        ("ALTER QLOCAL(X) CLWLRANK()", "CLWLRANK takes 0 to 9"),
        ("ALTER QREMOTE(X) XMITQ", "XMITQ has no value"),
        ("ALTER QREMOTE(X) XMITQ(A) XMITQ(B)", "XMITQ occurs twice in one command"),
        ("ALTER QLOCAL(X) TRIGGER NOTRIGGER", "TRIGGER and NOTRIGGER are in one command"),
        ("DEFINE QLOCAL(X) REPLACE NOREPLACE", "REPLACE and NOREPLACE are in one command"),
        ("DEFINE QLOCAL(X) LIKE", "LIKE needs the name of an object in parentheses"),
        ("DELETE QLOCAL(X) MAXDEPTH(5)", "DELETE QLOCAL takes no MAXDEPTH"),
        ("DEFINE QLOCAL(X) DESCR('a", "a quote is not closed"),
        ("DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(h(1414)) XMITQ(X)", ("a value has parentheses "
            "and is not in quotes")),
        ("DEFINE QLOCAL(X) # new", "a comment of another language follows the command"),
        ("DEFINE QLOCAL(X) ) PUT(DISABLED)", "there is a character where an attribute is expected"),
        ("DEFINE QLOCAL(X) +", "it ends in a continuation mark, and nothing follows"),
    ],
)  # fmt: skip
def test_what_mq_does_not_read(line: str, fault: str) -> None:
    found = commands(f"ALTER QMGR DEADQ(D)\n* two\n{line}\n")
    assert [command.fault for command in found[:1]] == [""]
    assert (found[1].fault, found[1].source.line) == (fault, 3)


@pytest.mark.parametrize(
    ("value", "reads"), [("0", True), ("9", True), ("-1", False), ("1.5", False), ("٣", False)]
)
def test_ranks_are_whole_numbers_from_0_to_9(value: str, reads: bool) -> None:
    assert (one(f"ALTER QLOCAL(X) CLWLRANK({value})").fault == "") is reads


def test_a_command_that_runs_into_the_next_is_refused_and_the_next_is_read() -> None:
    first, second = commands("DEFINE QLOCAL(A) +\nDEFINE QLOCAL(B)\n")
    assert (first.name, first.fault) == (
        "A",
        "it ends in a continuation mark, and the next line begins another command",
    )
    assert (second.name, second.fault) == ("B", "")


def test_here_documents_say_the_queue_manager() -> None:
    script = (
        '#!/bin/sh\nQM=HUB\nrunmqsc $QM <<EOF\nSTOP CHANNEL(C)\nEOF\necho "START CHANNEL(C)" '
        "| runmqsc EAST\n"
    )
    assert [(one.connected, one.verb, one.source.line) for one in commands(script)] == [
        ("HUB", "STOP", 4),
        ("EAST", "START", 6),
    ]


def test_a_header_says_the_queue_manager_and_other_comments_do_not() -> None:
    assert one("* Queue manager name: HUB\nDELETE QLOCAL(X)").connected == "HUB"
    assert one("DELETE QLOCAL(X)").connected == ""


def test_a_file_that_a_script_runs_and_does_not_hold_leaves_a_doubt() -> None:
    (command,) = commands("runmqsc HUB < other.mqsc\n")
    assert (command.verb, command.name, command.connected) == ("RUN", "other.mqsc", "HUB")
    assert command.doubt == "it runs other.mqsc, which is not in this script"
    written = "echo 'DELETE QLOCAL(X)' > x.mqsc\nrunmqsc HUB < x.mqsc\n"
    assert [(one.verb, one.connected) for one in commands(written)] == [("DELETE", "HUB")]
    assert [one.name for one in commands("cat a.mqsc | runmqsc HUB\n")] == ["a.mqsc"]


def test_text_of_a_template_leaves_a_doubt() -> None:
    for line in (
        "DEFINE QLOCAL({{ name }})",
        "ALTER QREMOTE(X) RQMNAME($QM)",
        '{{ include "queues" . }}',
    ):
        command = one(line)
        assert (command.fault, command.doubt.startswith("it holds text of a template")) == (
            "",
            True,
        ), line
    assert one("ALTER QLOCAL(X) DESCR('for $USER')").doubt == ""
    guarded = commands("{% if prod %}\nDELETE QLOCAL(X)\n{% endif %}\nDELETE QLOCAL(Y)\n")
    assert [command.doubt for command in guarded] == [
        "it is in a part of a template that may be left out",
        "",
    ]


def test_a_config_map_holds_a_script() -> None:
    text = (
        "kind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a.mqsc: |\n    DEFINE QLOCAL(X)\n   "
        " DELETE QLOCAL(Y)\n"
    )
    assert [(one.verb, one.name, one.source.line) for one in commands(text)] == [
        ("DEFINE", "X", 6),
        ("DELETE", "Y", 7),
    ]


def test_in_a_transcript_output_is_no_command_and_a_refusal_is_told() -> None:
    text = (
        "Starting MQSC for queue manager HUB.\n     1 : DEFINE QLOCAL(X)\nAMQ8006I: IBM "
        "MQ queue created.\n"
        "     2 : DELETE QLOCAL(Y)\nAMQ8147E: IBM MQ object Y not found.\n2 MQSC "
        "commands read.\nsome more output\n"
    )
    first, second = commands(text)
    assert (first.connected, first.fault) == ("HUB", "")
    assert second.fault == "the output below it says that the queue manager refused it (AMQ8147E)"


def test_a_channel_that_nothing_starts_is_told() -> None:
    define = "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('h(1414)')\n"
    found = read_script(define.encode(), "c").findings
    assert [(one.kind, one.source.line) for one in found] == [("not-started", 1)]
    assert "START CHANNEL(C)" in found[0].message
    assert read_script(f"{define}START CHANNEL(C)\n".encode(), "c").findings == ()
    assert read_script(f"{define}START CHANNEL(D)\n".encode(), "c").findings == found
    assert read_script(b"DEFINE CHANNEL(C) CHLTYPE(RCVR)\n", "c").findings == ()
    assert [
        one.kind for one in read_script(b"DEFINE LISTENER(L) TRPTYPE(TCP)\n", "c").findings
    ] == ["not-started"]
    assert read_script(b"DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)\n", "c").findings == ()


def test_passwords_are_dropped() -> None:
    command = one(
        "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('h(1)') USERID(u) PASSWORD(tiger)"
    )
    assert values(command)["PASSWORD"] == "(set)"
    assert "tiger" not in repr(command)
    for line in (
        "ALTER QMGR SSLKEYR('/k') KEYRPWD('tiger')",
        "DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) LDAPPWD('tiger')",
    ):
        assert "tiger" not in repr(one(line))
    assert "tiger" not in repr(one("PASSWORD tiger"))


WORD = re.compile(rb"[^\s()]+")
SECRETS = (
    b"tcp://u:tiger@h:1",
    b"pw=tiger",
    b"$man$tiger",
    b"pass:tiger",
    b"tcp://a:1,tcp://u:x/tiger@b",
)
"""What a script may hold in place of any word."""


@pytest.mark.parametrize("secret", SECRETS)
def test_no_word_that_may_be_a_secret_is_shown_of_a_line_that_is_not_understood(
    secret: bytes,
) -> None:
    script = (
        b"DEFIEN QLOCAL(X) DESCR(Y)\nDEFINE QLOCL(X) A(B)\nDEFINE QLOCAL(X) FOO(Y)\nALTER "
        b"QMGR BAR(Y) DEADQ(X)\n"
    )
    for word in WORD.finditer(script):
        if word.group() in (b"QLOCAL", b"X"):
            continue  # names of objects are shown
        planted = script[: word.start()] + secret + script[word.end() :]
        shown = repr([(one.text, one.fault, one.doubt) for one in commands(planted.decode())])
        assert "tiger" not in shown, planted


def test_a_script_is_recognised_by_its_commands() -> None:
    assert recognises(b"* stop it\nSTOP CHANNEL(C)\n")
    assert recognises(b"ALTER QMGR DEFXMITQ(X)\n")
    assert recognises(b"runmqsc HUB < other.mqsc\n")
    assert recognises(b"#!/bin/sh\nrunmqsc HUB <<EOF\nDEFINE QLOCAL(X)\nEOF\n")
    for other in (b"", b"\x00\xff", b"create queue orders\ncommit\n",
        b"AdminTask.createSIBJMSQueue()\n", b"qdmanage delete --name x\n",
                  b"set server routing=enabled\n", b"delete queue X\n", (b"Please define the "
                      b"queue (X) again.\n")):  # fmt: skip
        assert not recognises(other), other


def test_scripts_of_other_systems_are_not_taken() -> None:
    for path in sorted((Path(__file__).parents[3] / "examples" / "changes").glob("*.txt")):
        data = path.read_bytes()
        if read_ems_script(data, "c").commands and all(
            not one.fault for one in read_ems_script(data, "c").commands
        ):
            assert not recognises(data), path


def test_bytes_that_are_no_text_are_no_script() -> None:
    script = read_script(b"\x00\x01\x02\xff" * 10, "c")
    assert (script.commands, [one.kind for one in script.findings]) == ((), ["not-a-script"])


def test_of_a_text_that_is_no_script_at_all_only_some_lines_are_steps() -> None:
    script = read_script(b"lorem ipsum dolor\n" * 500, "c")
    assert len(script.commands) == 50
    assert [one.message for one in script.findings] == ["450 more lines are not commands of MQSC"]


@pytest.mark.parametrize(
    ("text", "connected"),
    [
        (
            (
                '{"a": &a [{"type": "runCommand", "parameters": {"command": "DELETE QLOCAL(Y)"}},'
                " *a]}"
            ),
            "",
        ),
        (
            (
                "kind: ConfigMap\nmetadata:\n  name: c\ndata: &d\n  a.mqsc: |\n"
                "    DELETE QLOCAL(Y)\n  more: *d\n"
            ),
            "c",
        ),
    ],
    ids=["REST", "resource"],
)
def test_what_holds_itself_is_read_to_an_end(text: str, connected: str) -> None:
    script = read_script(text.encode(), "c")
    said = {(command.text, command.connected) for command in script.commands}
    assert (said, script.findings) == ({("DELETE QLOCAL(Y)", connected)}, ())
