"""What each line of MQSC is, and the words of each command with their lines (ibm_mq.md C4)."""

from __future__ import annotations

import pytest

from topograph.importers.ibm_mq.rows import Assembler, ran_at, rows_of
from topograph.importers.ibm_mq.shell import read_script
from topograph.importers.ibm_mq.words import parse


def pieces(text: str) -> list[tuple[str, int, str]]:
    """Kind, line and text of each piece."""
    return [
        (piece.kind.value, piece.line, piece.command.text if piece.command else piece.text)
        for piece in Assembler().pieces(rows_of(text))
    ]


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        ("AMQ8409I: Display Queue details.", "message", "AMQ8409I: Display Queue details."),
        ("AMQ8409: Display Queue details.", "message", "AMQ8409: Display Queue details."),
        ("AMQ840I: too few digits", "other", "AMQ840I: too few digits"),
        ("AMQ8409I Display", "other", "AMQ8409I Display"),
        ("AMQ8409", "other", "AMQ8409"),
        ("* Command issued:dmpmqcfg -a", "dump", "dmpmqcfg -a"),
        ("DEFINE QLOCAL(A) DESCR 'a -- b'", "command", "DEFINE QLOCAL(A) DESCR 'a -- b'"),
        ("AMQ84091: a digit more", "other", "AMQ84091: a digit more"),
        ("<<<<<<< HEAD", "conflict", "<<<<<<< HEAD"),
        ("=======", "conflict", "======="),
        ("<<<<<<<HEAD", "other", "<<<<<<<HEAD"),
        ("======= x", "other", "======= x"),
        ("# note", "foreign", "# note"),
        ("-- note", "foreign", "-- note"),
        ("REM note", "foreign", "REM note"),
        ("REMARK", "other", "REMARK"),
        ("end", "noise", "end"),
        ("ENDS", "other", "ENDS"),
        ("5724-H72 (C) Copyright", "noise", "5724-H72 (C) Copyright"),
        ("3 MQSC commands read.", "noise", "3 MQSC commands read."),
        ("One MQSC command read.", "noise", "One MQSC command read."),
        ("runmqsc QM1", "context", "QM1"),
        ("Starting MQSC for queue manager QM1.", "context", "QM1"),
        ("* Queue manager name: QM1", "context", "QM1"),
        ("* Objects for queue manager QM1", "context", "QM1"),
        ("* Queue manager: QM1", "context", "QM1"),
        (
            "* Command issued: dmpmqcfg -m QM1 -a",
            "dump",
            "dmpmqcfg -m QM1 -a",
        ),
        ("   1 : DEFINE QLOCAL(A)", "command", "DEFINE QLOCAL(A)"),
        (": DEFINE QLOCAL(A)", "command", "DEFINE QLOCAL(A)"),
        ("DEFINE QLOCAL(A) /* note */", "command", "DEFINE QLOCAL(A)"),
        ("DEFINE QLOCAL(A) DESCR('a -- b')", "command", "DEFINE QLOCAL(A) DESCR('a -- b')"),
        ("DEFINE QLOCAL(A /* B */)", "command", "DEFINE QLOCAL(A /* B */)"),
        ("DEFINE QLOCAL(A#B)", "command", "DEFINE QLOCAL(A#B)"),
    ],
)
def test_a_line_is_told_by_how_it_begins(line: str, kind: str, said: str) -> None:
    assert pieces(f"\n{line}\n") == [(kind, 2, said)]


@pytest.mark.parametrize(
    "line",
    [
        "* note",
        "   2 : * note",
        "   2 :",
        "* the replies for queue manager QM1",
        "* Queue manager: here",
        f"* Queue manager name: {'Q' * 49}",
        "* Queue manager name: A$B",
        "* Queue manager name:",
    ],
)
def test_a_comment_that_names_no_queue_manager_says_nothing(line: str) -> None:
    assert pieces(f"{line}\n") == []


def test_a_name_may_have_48_characters() -> None:
    assert pieces(f"* Queue manager name: {'Q' * 48}\n") == [("context", 1, "Q" * 48)]


def test_attributes_stand_below_a_message_until_a_blank_line() -> None:
    text = "AMQ8409I: Display.\n   QUEUE(A)   TYPE(QLOCAL)\n   MAXDEPTH(5)\n\n   GET(ENABLED)\n"
    assert [(kind, line) for kind, line, _ in pieces(text)] == [
        ("message", 1),
        ("shown", 2),
        ("shown", 3),
        ("other", 5),
    ]


def test_what_a_message_of_a_refusal_repeats_is_no_command() -> None:
    text = "AMQ8405I: Syntax error.\nDEFINE QLOCAL(A) X(\n   (\nDEFINE QLOCAL(B)\n"
    assert [(kind, line) for kind, line, _ in pieces(text)] == [
        ("message", 1),
        ("noise", 2),
        ("other", 3),
        ("command", 4),
    ]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("runmqsc QM1", "QM1"),
        ("runmqsc.exe QM1", "QM1"),
        ("RUNMQSC 'QM1'", "QM1"),
        ("runmqsc -e -w 30 -m QM2 QM1", "QM1"),
        ("runmqsc -v QM1<a", "QM1"),
        ("runmqsc <a QM1", ""),
        ("runmqsc; echo QM1", ""),
        ("runmqsc 2>&1", ""),
        ("runmqscript QM1", ""),
        ("strmqm QM1", ""),
        (f"runmqsc {'Q' * 61}", "Q" * 60),
    ],
)
def test_runmqsc_names_its_queue_manager_behind_its_options(words: str, name: str) -> None:
    assert ran_at(words) == name


Told = tuple[str, str, str, int, int]


@pytest.mark.parametrize(
    ("text", "told", "words", "faults"),
    [
        ("  DEF QL(a) MAXDEPTH(5)\n", ("DEFINE", "QLOCAL", "A", 1, 3), [("MAXDEPTH", "5", 1)], []),
        (
            "\nALTER +\n QMGR +\n  DEADQ('D') FORCE\n",
            ("ALTER", "QMGR", "", 2, 1),
            [("DEADQ", "D", 4), ("FORCE", None, 4)],
            [],
        ),
        (
            "DEFINE REPLACE QLOCAL(A) TARGQ(b)\n",
            ("DEFINE", "QLOCAL", "A", 1, 1),
            [("REPLACE", None, 1), ("TARGET", "B", 1)],
            [],
        ),
        (
            "DEFINE NL(N) NAMES('a',b, 'c') +\n DESCR('it''s')\n",
            ("DEFINE", "NAMELIST", "N", 1, 1),
            [("NAMES", "a,B,c", 1), ("DESCR", "it's", 2)],
            [],
        ),
        (
            "DEFINE QLOCAL(A) +\n DESCR(x(y)) +\n ) ) USAGE(XMITQ)\n",
            ("DEFINE", "QLOCAL", "A", 1, 1),
            [("DESCR", "X(Y)", 2), ("USAGE", "XMITQ", 3)],
            [("value-not-quoted", 2), ("stray-text", 3)],
        ),
        (
            'DEFINE QLOCAL(A) +\n DESCR("x") +\n PUT(\n',
            ("DEFINE", "QLOCAL", "A", 1, 1),
            [("DESCR", "x", 2), ("PUT", "", 3)],
            [("foreign-quotes", 2), ("parenthesis-not-closed", 3)],
        ),
        (
            "DEFINE QLOCAL(A) +\n DESCR('x) +\n PUT(DISABLED)\n",
            ("DEFINE", "QLOCAL", "A", 1, 1),
            [("DESCR", "x", 2), ("PUT", "DISABLED", 3)],
            [("quote-not-closed", 2)],
        ),
    ],
)
def test_a_command_is_its_words_with_the_line_of_each(
    text: str,
    told: Told,
    words: list[tuple[str, str | None, int]],
    faults: list[tuple[str, int]],
) -> None:
    ((command),) = [piece.command for piece in Assembler().pieces(rows_of(text))]
    assert command is not None
    found = parse(command)
    assert (found.verb, found.noun, found.name, found.line, found.column) == told
    assert [(word.name, word.value, word.line) for word in found.words] == words
    assert [(fault.kind.kind, fault.line) for fault in found.faults] == faults


@pytest.mark.parametrize(
    ("script", "rows"),
    [
        ('echo "DEFINE QLOCAL(\\"A\\")" | runmqsc Q\n', [(1, 'DEFINE QLOCAL("A")')]),
        ('echo "DEFINE QLOCAL(\\$A)" | runmqsc Q\n', [(1, "DEFINE QLOCAL($A)")]),
        ('echo "DEFINE QLOCAL(A\\b)" | runmqsc Q\n', [(1, "DEFINE QLOCAL(A\\b)")]),
        (
            "echo 'DEFINE QLOCAL('\"'\"'a'\"'\"')' | runmqsc Q\n",
            [(1, "DEFINE QLOCAL('a')")],
        ),
        (
            "echo 'DEFINE QLOCAL('\\''a'\\'')' | runmqsc Q\n",
            [(1, "DEFINE QLOCAL('a')")],
        ),
        (  # what bash prints: a backslash is one outside of quotes only
            "echo 'DEFINE QLOCAL('\\\\''a'\\\\'')' | runmqsc Q\n",
            [(1, "DEFINE QLOCAL(\\a\\\\)")],
        ),
        ("echo DEFINE QLOCAL\\(A\\) | runmqsc Q\n", [(1, "DEFINE QLOCAL(A)")]),
        ("echo DEFINE QLOCAL(A)| runmqsc Q\n", [(1, "DEFINE QLOCAL(A)")]),
        (
            "runmqsc Q <<E\nDEFINE QLOCAL(A)\n\nEND\nE\n",
            [(2, "DEFINE QLOCAL(A)"), (3, ""), (4, "END")],
        ),
    ],
)
def test_a_shell_takes_its_own_escapes_away(script: str, rows: list[tuple[int, str]]) -> None:
    (text,) = read_script(script).texts
    assert (text.name, [(row.number, row.text) for row in text.rows]) == ("Q", rows)


@pytest.mark.parametrize(
    ("line", "created"),
    [
        ("crtmqm -u D -d X -p 1420 QM1", [("QM1", ["DEADQ D", "DEFXMITQ X", "PORT 1420"])]),
        ("/opt/mqm/bin/crtmqm -q QM1 > log QM2", [("QM1", [])]),
        ("crtmqm QM1; echo QM2", [("QM1", [])]),
        ("runmqlsr -t tcp -p 1415 -m QM1 &", [("QM1", ["PORT 1415"])]),
        ("runmqlsr -u D -m QM1", [("QM1", [])]),
        ("runmqlsr -t tcp -p 1415", []),
        ("endmqm QM1 # crtmqmx", []),
    ],
)
def test_commands_that_make_a_queue_manager_say_what_they_set(
    line: str, created: list[tuple[str, list[str]]]
) -> None:
    found = read_script(f"\n{line}\n").created
    assert [(one.name, [" ".join(pair) for pair in one.settings]) for one in found] == created
    assert {one.line for one in found} <= {2}


def test_a_command_behind_a_semicolon_has_its_line_and_no_column() -> None:
    ((command),) = [
        piece.command for piece in Assembler().pieces(rows_of(" DEF QL(A); DEF QL(B) ; \n"))
    ]
    assert command is not None
    first = parse(command)
    second = parse(command, first.rest)
    assert (first.name, first.line, first.column) == ("A", 1, 2)
    assert (second.name, second.column, second.rest) == ("B", 0, 0)
