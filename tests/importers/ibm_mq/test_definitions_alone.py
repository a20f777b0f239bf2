"""A line that defines a queue and says nothing but its name is read at once, as the same line with
a word that changes nothing is read word by word."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from topograph.importers.ibm_mq import read
from topograph.importers.reading import Bundle, BundleFile, Options, Reading

ALONE = re.compile(r"(?m)^(DEF(?:INE)? Q\w+\('[^']*'\))$")
LINES = (
    "",
    "* a comment",
    "DEFINE QLOCAL('A')",
    "DEF QL('B.1')",
    "DEFINE QALIAS('A')",
    "DEFINE QREMOTE('C')",
    "DEFINE QLOCAL('__x__')",
    "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE')",
    "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') PUT(DISABLED)",
    "DEFINE QLOCAL('A') REPLACE",
    "DEFINE QALIAS('B.1') TARGET('A')",
    "DEFINE QREMOTE('D') RNAME('A') RQMNAME('Q') +",
    "   XMITQ('A')",
    "DELETE QLOCAL('A')",
    "ALTER QLOCAL('A') GET(DISABLED)",
    "DEFINE QLOCAL('E') LIKE('A')",
    "DISPLAY QLOCAL(*)",
    "AMQ8409I: Display Queue details.",
    "   QUEUE(A)   TYPE(QLOCAL)",
    "AMQ8150E: IBM MQ object already exists.",
    "AMQ8405I: Syntax error detected at or near end of command segment below:-",
    "AMQ8426I: Valid MQSC commands are:",
    "<<<<<<< HEAD",
    ">>>>>>> other",
    "{{ if .x }}",
    "{{ end }}",
    "no command",
)


def _read(text: str) -> Reading:
    bundle = Bundle("a.mqsc", "ibm_mq", "QM", (BundleFile("main", "a.mqsc"),))
    return read(bundle, {"a.mqsc": text.encode()}, Options())


@given(st.lists(st.sampled_from(LINES), max_size=12))
@example(["AMQ8426I: Valid MQSC commands are:", "DEFINE QLOCAL('A')", "    ALTER"])
@example(["DEFINE QREMOTE('D') RNAME('A') RQMNAME('Q') +", "DEFINE QLOCAL('A')"])
def test_a_definition_alone_is_read_as_one_of_which_each_word_is_looked_at(
    lines: list[str],
) -> None:
    text = "\n".join(["* Queue manager name: QM", "DEFINE QLOCAL('FIRST')", *lines, ""])
    found, slow = _read(text), _read(ALONE.sub(r"\1 NOREPLACE", text))
    assert found.facts == slow.facts
    assert found.findings == slow.findings
    assert [replace(one, note="") for one in found.files] == [
        replace(one, note="") for one in slow.files
    ]
