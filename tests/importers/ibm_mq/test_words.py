"""The lines and words of commands (ibm_mq.md C4, lexical)."""

import pytest
from ibm_mq_texts import facts, findings, only, read, values

from topograph.facts.ibm_mq import Channel, Namelist, Queue, QueueManager


def test_a_plus_continues_from_the_first_visible_character_of_the_next_line() -> None:
    queue = only("DEFINE QLOCAL(A) +\n   DESCR('one +\n       two')\n", Queue)
    assert values(queue) == {"DESCR": "one two"}


def test_a_minus_continues_from_the_very_start_of_the_next_line() -> None:
    queue = only("DEFINE QLOCAL(A) DESCR('one -\n  two')\n", Queue)
    assert values(queue) == {"DESCR": "one   two"}


def test_blank_lines_and_comments_inside_a_command_do_not_end_it() -> None:
    text = (
        "DEFINE QREMOTE('R') +\n*  ALTDATE(2022-07-22) +\n\n   RNAME('X') +\n* a note\n   "
        "RQMNAME('M')\nDEFINE QLOCAL(A)\n"
    )
    assert [(queue.name, values(queue)) for queue in facts(text, Queue)] == [
        ("R", {"RNAME": "X", "RQMNAME": "M"}),
        ("A", {}),
    ]


def test_every_attribute_names_its_own_line() -> None:
    queue = only(
        "* note\nDEFINE QREMOTE(R) +\n  RNAME(X) +\n* RQMNAME(NO)\n  RQMNAME(M) XMITQ(T)\n", Queue
    )
    assert (queue.source.line, queue.source.column) == (2, 1)
    assert [(one.name, one.line) for one in queue.attributes] == [
        ("RNAME", 3),
        ("RQMNAME", 5),
        ("XMITQ", 5),
    ]


def test_unquoted_values_are_in_capitals_and_quoted_ones_exactly_as_written() -> None:
    text = (
        "alter qmgr repos(clustest) deadq('Dead.q') descr('it''s, \"so\" (1)')\ndef "
        "ql(lower)\ndef ql('lower')\n"
    )
    assert values(only(text, QueueManager)) == {
        "REPOS": "CLUSTEST",
        "DEADQ": "Dead.q",
        "DESCR": 'it\'s, "so" (1)',
    }
    assert [queue.name for queue in facts(text, Queue)] == ["LOWER", "lower"]


def test_commas_equal_blanks_and_blanks_and_tabs_may_stand_around_parentheses() -> None:
    channel = only(
        "DEFINE CHANNEL( X )\tCHLTYPE (SDR) , XMITQ ( 'T' ),CONNAME('192.0.2.1  (1416)') \n",
        Channel,
    )
    assert (channel.name, channel.channel_type) == ("X", "SDR")
    assert values(channel) == {"XMITQ": "T", "CONNAME": "192.0.2.1  (1416)"}


def test_a_semicolon_ends_a_command_and_another_may_follow_it() -> None:
    assert [queue.name for queue in facts("DEFINE QLOCAL(A); DEFINE QLOCAL(B) ;\n", Queue)] == [
        "A",
        "B",
    ]


@pytest.mark.parametrize(
    "written", ["NAMES(A, B, C)", "NAMES(A B C)", "NAMES('A','B', 'C')", "NAMES( A,B\t,C )"]
)
def test_a_list_is_its_items_with_commas_between(written: str) -> None:
    namelist = only(f"DEFINE NAMELIST(N) {written}\n", Namelist)
    assert (values(namelist)["NAMES"], namelist.attributes[0].items) == ("A,B,C", ("A", "B", "C"))


def test_several_addresses_in_quotes_are_one_value() -> None:
    channel = only("DEF CHL(X) CHLTYPE(CLUSRCVR) CONNAME('earth(1414),moon(1414)')\n", Channel)
    assert values(channel) == {"CONNAME": "earth(1414),moon(1414)"}


def test_verbs_nouns_and_attributes_have_short_forms() -> None:
    text = (
        "DEF QA(A) TARGQ(B)\nDEF QR(R)\nDEF QM(M)\nDEF CHL(C) CHLTYPE(SVR)\nDEF NL(N)\nALT "
        "QA(A) PUT(DISABLED)\n"
    )
    assert {queue.noun: values(queue) for queue in facts(text, Queue)} == {
        "QALIAS": {"TARGET": "B", "PUT": "DISABLED"},
        "QREMOTE": {},
        "QMODEL": {},
    }


def test_flags_take_the_place_of_their_opposites() -> None:
    queue = only("DEFINE QLOCAL(A) TRIGGER NOSHARE\nALTER QLOCAL(A) NOTRIGGER\n", Queue)
    assert values(queue) == {"NOSHARE": "", "NOTRIGGER": ""}


def test_replace_and_force_are_no_attributes_wherever_they_stand() -> None:
    text = (
        "DEFINE QLOCAL(A) REPLACE MAXDEPTH(5)\nALTER QMGR FORCE CCSID(866)\nDEFINE REPLACE "
        "QLOCAL(B)\n"
    )
    assert [(queue.name, values(queue)) for queue in facts(text, Queue)] == [
        ("A", {"MAXDEPTH": "5"}),
        ("B", {}),
    ]
    assert findings(text) == []


def test_a_line_that_ends_in_a_placeholder_with_plus_signs_is_not_continued() -> None:
    text = (
        "DEFINE QREMOTE(R) RNAME(X) RQMNAME(+QMNAME+)\nDEFINE QLOCAL(A) DESCR('for') "
        "+QMNAME+\nDEFINE QLOCAL(B)\n"
    )
    assert [queue.name for queue in facts(text, Queue)] == ["R", "A", "B"]


@pytest.mark.parametrize(
    ("text", "kind", "line", "value"),
    [
        ("DEFINE QLOCAL(A) DESCR('no end\nDEFINE QLOCAL(B)\n", "quote-not-closed", 1, "no end"),
        ("DEFINE QLOCAL(A) +\n  DESCR('no end) +\n  USAGE(XMITQ)\n", "quote-not-closed", 2,
            "no end"),
        ("DEFINE QLOCAL(A) DESCR(X\n", "parenthesis-not-closed", 1, "X"),
        ('DEFINE QLOCAL(A) DESCR("x y")\n', "foreign-quotes", 1, "x y"),
        ("DEFINE QLOCAL(A) DESCR(a(b))\n", "value-not-quoted", 1, "A(B)"),
        ("DEFINE QLOCAL(A) + /* note */\n  DESCR(X)\n", "foreign-comment", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X)  // note\n", "foreign-comment", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) # note (1)\n", "foreign-comment", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) * note\n", "foreign-comment", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) +\n", "ends-in-the-middle", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) ) PUT(DISABLED)\n", "stray-text", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) DESCR(Y)\n", "attribute-twice", 1, "X"),
        ("DEFINE QLOCAL(A) DESCR(X) +\nDEFINE QLOCAL(B)\n", "runs-into-the-next", 1, "X"),
        (("DEFINE QLOCAL(A) +\n<<<<<<< HEAD\n DESCR(X) +\n=======\n DESCR(Y) +\n>>>>>>> "
            "b\n GET(ENABLED)\n"), "conflict-mark", 2, "X"),
    ],
)  # fmt: skip
def test_what_mq_would_not_read_is_an_error_and_leaves_a_doubt(
    text: str, kind: str, line: int, value: str
) -> None:
    queue = facts(text, Queue)[0]
    assert (kind, line) in findings(text)
    assert values(queue)["DESCR"] == value
    assert queue.doubt


def test_after_an_unclosed_quote_the_next_command_is_read() -> None:
    text = "DEFINE QLOCAL(A) DESCR('no end\nDEFINE QLOCAL(B) DESCR('x')\n"
    assert [(queue.name, queue.doubt != "") for queue in facts(text, Queue)] == [
        ("A", True),
        ("B", False),
    ]


def test_a_queue_manager_whose_script_breaks_off_is_not_read_whole() -> None:
    assert only("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) +\n", QueueManager).unread
    assert read("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) +\n").files[0].status == "partly-read"
    assert only("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", QueueManager).unread == ()


def test_lines_that_are_no_commands_are_counted_and_named() -> None:
    text = "DEFINE QLOCAL(A)\nsome words\n  MAXDEPTH(3)\nDEFINE QLOCAL(B)\nEND\n"
    reading = read(text)
    assert findings(text) == [("line-not-read", 2)]
    assert (reading.files[0].read, reading.files[0].ignored) == (2, 2)


def test_comments_of_other_languages_are_left_out_with_one_finding() -> None:
    text = "# a\nDEFINE QLOCAL(A)\n// b\n-- c\n/* d */\nDEFINE QLOCAL(B)\n"
    assert findings(text) == [("foreign-comment", 1)]
    assert [queue.name for queue in facts(text, Queue)] == ["A", "B"]


@pytest.mark.parametrize(
    "text",
    [
        "DEFINE QLOCAL(A",
        "DEFINE QLOCAL(",
        "DEFINE QLOCAL(A) +",
        "ALTER QMGR '",
        "DEFINE QLOCAL(A) X('",
    ],
)
def test_a_file_that_ends_anywhere_gives_findings(text: str) -> None:
    assert findings(f"DEFINE QLOCAL(FIRST)\n{text}") != []
