"""A file of nothing but commands is told by its lines; it is what taking them apart says it is."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from topograph.importers.ibm_mq import recognition
from topograph.importers.ibm_mq.recognition import role_of

LINES = (
    "",
    "   ",
    "* a comment",
    "* Queue manager name: QM1",
    "DEFINE QLOCAL('A')",
    "  define ql(A) like(B)",
    "ALTER QMGR DEADQ(DLQ)",
    "DEF CHANNEL(A.B) CHLTYPE(SDR) +",
    "       XMITQ(B) CONNAME('b')",
    "DEFINE QREMOTE(X) RNAME(Y) -",
    "DELETE QL(A) // gone",
    "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') /* all */ +",
    "DEFINE QLOCAL(A) + // more",
    "DISPLAY QLOCAL(*)",
    "AMQ8409I: Display Queue details.",
    "   QUEUE(A)   TYPE(QLOCAL)",
    "AMQ8405I: Syntax error detected at or near end of command segment below:-",
    "DEFINE them as you like (see below)",
    "To define a queue, write DEFINE QLOCAL(A).",
    "1 : DEFINE QLOCAL(B)",
    "<<<<<<< HEAD",
    "END",
    "{{ if .x }}",
)


@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(("\n", "\r\n")))
@example([LINES[12], LINES[4], LINES[2]], "\n")
@example([LINES[7], LINES[6], LINES[4]], "\n")
def test_a_file_is_what_taking_it_apart_says_it_is(lines: list[str], end: str) -> None:
    for text in (end.join(lines), "".join(f"{line}{end}" for line in lines)):
        found = role_of(text)
        with patch.object(recognition, "_PLAIN", re.compile(r"(?!)")):
            assert found == role_of(text)
