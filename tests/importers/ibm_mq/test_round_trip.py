"""Random objects in random legal layout are read back exactly; and any bytes give a reading."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ibm_mq_texts import facts

from topograph.facts.ibm_mq import Queue
from topograph.facts.rows import decode, encode
from topograph.importers.ibm_mq import read, recognise
from topograph.importers.reading import Bundle, BundleFile, Options

pytestmark = pytest.mark.slow

PATIENCE = 10.0
"""Seconds of processor time for 240 kB: a linear reader takes a twentieth of it."""

NAME = st.text(alphabet="ABCxyz019._/%", min_size=1, max_size=12).filter(
    lambda name: name.count("%") < 2 and name.count("_") < 3
)
VALUE = (
    st.text(alphabet="abc XYZ()',;+-*/\"#=.&!9\u00e9", min_size=1, max_size=20)
    .map(str.strip)
    .filter(bool)
)
WORD = st.text(alphabet="abcXYZ019.", min_size=1, max_size=8)
NAMES = {
    "QLOCAL": ("DESCR", "INITQ", "TRIGDATA"),
    "QALIAS": ("DESCR", "TARGET", "CLUSTER"),
    "QREMOTE": ("RNAME", "RQMNAME", "XMITQ"),
}
SHORT = {"QLOCAL": "ql", "QALIAS": "Qa", "QREMOTE": "QR"}

OBJECTS = st.lists(
    st.sampled_from(sorted(NAMES)).flatmap(
        lambda noun: st.tuples(st.just(noun), NAME,
            st.dictionaries(st.sampled_from(NAMES[noun]), st.tuples(st.booleans(), VALUE, WORD)))
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda each: each[1],
)  # fmt: skip


@given(OBJECTS, st.integers(0, 2**32))
def test_objects_written_are_objects_read(
    objects: list[tuple[str, str, dict[str, tuple[bool, str, str]]]], seed: int
) -> None:
    chance = random.Random(seed)
    lines: list[str] = ["* Queue manager name: QM1"]
    expected = []
    for noun, name, attributes in objects:
        words = [
            f"{chance.choice(['DEFINE', 'def'])}{chance.choice([' ', '  '])}{chance.choice([noun, SHORT[noun]])}{blank(chance)}({quoted(name)})"  # noqa: E501
        ]
        held = {}
        for key, (is_quoted, value, word) in attributes.items():
            held[key] = value if is_quoted else word.upper()
            shown = quoted(value) if is_quoted else word
            words.append(
                f"{chance.choice([key, key.lower()])}{blank(chance)}({blank(chance)}{shown}{blank(chance)})"  # noqa: E501
            )
        words.append(chance.choice(["REPLACE", "NOREPLACE", ""]))
        expected.append((noun, name, held))
        lines += layout(words, chance)
    text = "\n".join(lines)
    found = facts(text, Queue)
    assert [
        (queue.noun, queue.name, {one.name: one.value for one in queue.attributes})
        for queue in found
    ] == expected
    for queue in found:
        for one in queue.attributes:
            assert one.name in text.split("\n")[one.line - 1].upper()


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def blank(chance: random.Random) -> str:
    return chance.choice(["", "", " ", "  "])


def layout(words: list[str], chance: random.Random) -> list[str]:
    """The words of a command over lines, as people and dmpmqcfg write them."""
    found = []
    line = ""
    for number, word in enumerate(words):
        line += f"{chance.choice([' ', '  ', ' , '])}{word}" if line.strip() else word
        if number < len(words) - 1 and chance.random() < 0.4:
            found.append(f"{line} +{blank(chance)}")
            found += chance.choice(
                [[], [""], ["* a comment +"], ["*  ALTDATE(2022-07-22) +", "  "]]
            )
            line = "   "
    found.append(line + chance.choice(["", " ", ";"]))
    return found


@given(
    st.binary(max_size=300)
    | st.text(alphabet="DEFINQLOCA()'\"+-*;,\n {}$<>=:#AMQ8409I1", max_size=200).map(str.encode)
)
def test_any_bytes_give_a_reading(data: bytes) -> None:
    for text in (
        data,
        b"DEFINE QLOCAL(A)\n" + data,
        b"AMQ8409I: x\n   QUEUE(A) " + data,
        b"runmqsc A <<E\nDEFINE QLOCAL(A)\n" + data,
    ):
        recognise("a", text)
        for fact in read(
            Bundle("a", "ibm_mq", "A", (BundleFile("main", "a"),)), {"a": text}, Options()
        ).facts:
            assert decode(encode(fact)) == fact


@pytest.mark.parametrize(
    "body",
    [
        "DEFINE QLOCAL(A) ; ", "' # ", "' -- ", "X('''' +\n", "X('''\n", "(((( ", "))))\n+", "A,",
        "; ;", "$x ${y} ", "AMQ8409I: x\n   A(",
        " : \n", "<<E\n", "echo 'a' 'b' ", "+\n",
    ],
)  # fmt: skip
def test_reading_takes_linear_time(body: str) -> None:
    begun = time.process_time()
    for before in (
        "DEFINE QLOCAL(A)\n",
        "DEFINE QLOCAL(A) ",
        "DEFINE QLOCAL(A) DESCR(",
        "runmqsc A <<X\nDEFINE QLOCAL(A)\n",
    ):
        data = (before + body * (60_000 // len(body))).encode()
        recognise("a", data)
        read(Bundle("a", "ibm_mq", "A", (BundleFile("main", "a"),)), {"a": data}, Options())
    assert time.process_time() - begun < PATIENCE
