"""The page's evaluation of selectors beside Python's: vectors, recordings, and random selectors
and messages, thousands in one node process.
"""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path

import pytest
from draws import draws
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from portable.node import run
from selectors_drawn import sums_of

from topograph.errors import InvalidSelector
from topograph.message import type_name
from topograph.portable import selector_trees
from topograph.portable.selector_trees import (
    SelectorEntries,
    header_defaults,
    selector_entry,
    selector_table,
)
from topograph.selectors import parse

TESTS = Path(__file__).parents[1]

JUDGE = """
const selectors = new Map(Object.entries(given.selectors));
return given.cases.map(([text, typed]) => {
  const properties = propertiesOf(typed);
  const selector = selectors.get(text);
  return selector.fault === undefined
    ? [selectorTruth(selector.tree, properties), judgeSelector(selector, properties, given.defaults)]
    : ["INVALID", selector.fault];
});
"""  # noqa: E501


def typed(properties):
    """As a page has them: a long is text, and a double that JSON cannot hold too."""
    found = {}
    for name, value in properties.items():
        kind = type_name(value)
        if kind == "long" or (kind == "double" and not math.isfinite(value)):
            word = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
            found[name] = {"type": kind, "value": word.get(str(value), str(value))}
        else:
            found[name] = {"type": kind, "value": value}
    return found


def in_the_page(cases, replace=()):
    asked = [[text, typed(properties)] for text, properties in cases]
    data = {
        "selectors": selector_table(text for text, _ in cases),
        "cases": asked,
        "defaults": header_defaults(),
    }
    return run(["selectors"], JUDGE, data, replace)


def in_python(text, properties):
    try:
        selector = parse(text)
    except InvalidSelector as error:
        return ["INVALID", error.in_one_line]
    judged = selector.judge(properties)
    said = {
        "truth": str(judged.truth),
        "undecided": list(judged.undecided),
        "defaults": list(judged.defaults),
    }
    return [str(selector.evaluate(properties)), said]


def wrong(cases, replace=()):
    """The cases in which the page says something else than Python."""
    answers = zip(cases, in_the_page(cases, replace), strict=True)
    return [(case, got) for case, got in answers if got != in_python(*case)]


def recorded():
    cases = json.loads(
        (TESTS / "golden" / "selectors" / "selectors.json").read_text(encoding="utf-8")
    )
    for case in cases:
        properties = {}
        for name, entry in case["properties"].items():
            value = entry["value"]
            properties[name] = (
                float(value)
                if entry["type"] in ("double", "float") and value is not None
                else value
            )
        yield case["selector"], properties, case["result"]


def vectors():
    for file in sorted((TESTS / "vectors").glob("ems*vectors.json")):
        for vector in json.loads(file.read_text(encoding="utf-8")):
            ask = vector.get("ask", {})
            if ask.get("op") in ("selector", "selector_valid"):
                yield vector, ask["selector"], ask.get("properties", {})


def test_every_recorded_selector_evaluates_as_recorded(capsys):
    cases = list(recorded())
    got = [answer[0] for answer in in_the_page([case[:2] for case in cases])]
    assert got == [result for _, _, result in cases]
    with capsys.disabled():
        print(f"\n{len(cases)} recorded selectors agree in the page")


def test_every_selector_vector_evaluates_as_its_vector_says():
    cases = list(vectors())
    assert len(cases) >= 10
    got = in_the_page([(text, properties) for _, text, properties in cases])
    for (vector, _, _), answer in zip(cases, got, strict=True):
        expected = vector["expect"]
        if vector["ask"]["op"] == "selector_valid":
            assert (answer[0] != "INVALID") == expected["valid"], vector
        else:
            assert answer[0] == expected["result"], vector


POSITIONS = [
    ("-9223372036854775808 / -1 = -9223372036854775808", {}),
    ("9223372036854775807 + 1 < 0", {}),
    ("-n = n", {"n": -(2**63)}),
    ("n = 9007199254740992.0", {"n": 2**53 + 1}),
    ("n = 9007199254740992", {"n": 2**53 + 1}),
    ("n > 1.5 AND -n < 1.5", {"n": 10**400}),
    ("-7 / 2 = -3 AND 7 / -2. = -3.5", {}),
    ("1 / 0 = 1", {}),
    ("1 / -0. < 0", {}),
    ("0. / 0 <> 0. / 0", {}),
    ("p LIKE '_'", {"p": "\U0001f600"}),
    ("p LIKE '__'", {"p": "\U0001f600"}),
    ("p LIKE '\\_%' ESCAPE '\\'", {"p": "_foo"}),
    ("p LIKE '\\_%' ESCAPE '\\'", {"p": "xfoo"}),
    ("p LIKE 'a_b'", {"p": "a\nb"}),
    ("s NOT IN ('2')", {"s": 2}),
    ("s BETWEEN 1 AND 3", {"s": "2"}),
    ("x NOT BETWEEN 1 AND 3", {}),
    ("vip = (a = 2)", {"vip": True, "a": 1}),
    ("constructor IS NULL AND __proto__ IS NULL", {}),
    ("__proto__ = 'x'", {"__proto__": "x"}),
    ("JMSPriority = 4 AND JMSDeliveryMode = 'PERSISTENT'", {}),
    ("JMSTimestamp IS NULL", {"JMSTimestamp": None}),
    ("NOT (x = 1 AND JMSTimestamp > 0)", {}),
    ("JMSTimestamp + 1 BETWEEN 0 AND 9", {}),
    ("JMSMessageID = 'a' OR JMSXDeliveryCount > 0", {}),
    ("NOT (JMSMessageID LIKE 'ID:%') AND JMSMessageID IN ('x')", {}),
    ("a = ", {}),
    ("", {}),
]


def test_the_positions_on_values_are_the_same_in_the_page():
    assert wrong(POSITIONS) == []


@pytest.mark.parametrize(
    "fault",
    [
        ('return truth === "UNKNOWN" ? null', 'return truth === "UNKNOWN" ? true'),
        ('includes("UNKNOWN") ? "UNKNOWN" : "FALSE"', 'includes("UNKNOWN") ? "TRUE" : "FALSE"'),
        ('if (part === "UNKNOWN") whole = "UNKNOWN";', ""),
        (
            'if (left === null || right === null) return "UNKNOWN"',
            'if (left === null || right === null) return "TRUE"',
        ),
        ("return BigInt(tree[1])", "return Number(tree[1])"),
        ("BigInt.asIntN(64, exact)", "exact"),
        ("BigInt.asIntN(64, -operand)", "-operand"),
        ("[left, right] = [Number(left), Number(right)]", "void 0"),
        ("Array.from(whole)", 'whole.split("")'),
        ("wanted === null ||", 'wanted === null || wanted === "_" ||'),
        ('return value === null ? "UNKNOWN"', 'return value === null ? "FALSE"'),
    ],
    ids=lambda fault: fault[0][:24],
)
def test_a_fault_in_the_evaluation_does_not_go_unnoticed(fault):
    cases = [*POSITIONS, ("u = TRUE OR (x = 1) = TRUE", {}), ("u", {}), ("x = 1 OR FALSE", {})]
    assert wrong(cases, [fault])


NAMES = ["a", "b", "été", "JMSPriority", "JMSTimestamp", "JMSMessageID", "JMSType"]
names = st.sampled_from(NAMES)
strings = st.sampled_from(
    ["'x'", "''", "'50%'", "'it''s'", "'é'", "'\U0001f600'", "'a_b'", "'PERSISTENT'"]
)
numbers = st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "7.",
        ".5",
        "0x10",
        "1E2",
        "1E308",
        "9223372036854775807",
        "9007199254740993",
        "-9223372036854775808",
    ]
)
maybe_not = st.sampled_from(["", "NOT "])
sums = sums_of(names | numbers)
likes = st.builds(
    "{} {}LIKE '{}'{}".format,
    names,
    maybe_not,
    st.text("ab%_é\U0001f600", max_size=5),
    st.sampled_from(["", " ESCAPE '!'"]),
)
escaped = st.builds(
    "{} {}LIKE '{}' ESCAPE '!'".format,
    names,
    maybe_not,
    st.sampled_from(["!_%", "a!_b", "!%%", "!!_", "_!%"]),
)
predicates = st.one_of(
    names,
    st.sampled_from(["TRUE", "FALSE"]),
    st.builds("{} {} {}".format, sums, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), sums),
    st.builds("{} {} {}".format, names, st.sampled_from(["=", "<>", "<"]), strings | names),
    st.builds("{} {}BETWEEN {} AND {}".format, sums, maybe_not, sums, sums),
    st.builds("{} {}IN ({}, {})".format, names, maybe_not, strings, strings),
    likes,
    escaped,
    st.builds("{} IS {}NULL".format, names, maybe_not),
)
conditions = st.recursive(
    predicates,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["AND", "OR", "=", "<>"]), inner)
        | inner.map("NOT ({})".format)
    ),
    max_leaves=6,
)
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-3, 17),
    st.floats(),
    st.sampled_from([0.5, 7.0, -0.0, 2.0**53, 100.0]),
    st.text("ab%_é\U0001f600x!", max_size=5),
    st.sampled_from(["x", "", "50%", "it's", "é", "PERSISTENT", "a_b"]),
)
messages = st.dictionaries(names, values, max_size=5)


def random_cases(count):
    """Cases that hypothesis draws: they are evaluated together, because starting node takes
    longer than thousands of them.
    """
    found = []

    @settings(
        max_examples=count,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(conditions, messages)
    def gather(text, message):
        found.append((text, message))

    gather()
    return found


@pytest.mark.parametrize("count", [200, pytest.param(draws(1_500), marks=pytest.mark.slow)])
def test_random_selectors_say_the_same_of_random_messages(count, capsys):
    cases = random_cases(count)
    assert wrong(cases) == []
    truths = [in_python(*case)[0] for case in cases]
    counts = {truth: truths.count(truth) for truth in ("TRUE", "FALSE", "UNKNOWN", "INVALID")}
    assert all(counts[truth] > count / 40 for truth in ("TRUE", "FALSE", "UNKNOWN")), counts
    with capsys.disabled():
        print(f"\n{len(cases)} random selectors and messages agree: {counts}")


def test_an_expression_as_deep_as_the_parser_takes_is_evaluated():
    deep = "a = 1"
    for _ in range(95):
        deep = f"NOT ({deep})"
    assert sys.getrecursionlimit() >= 1_000
    assert wrong([(deep, {"a": 1}), (deep, {})]) == []


def test_selectors_that_differ_in_numbers_have_the_entries_that_each_has_alone():
    chance = random.Random(11)
    forms = [
        "a > {} AND b BETWEEN {} AND {}",
        "-{} < a",
        "a{} = {}",
        "a = {}L OR a = {}.5 OR a = 0x{} OR a = 0{}",
        "a = '{}' AND b = {}",
        "$a{} + {} * {} - {} >= {}e1",
        "a > {} AND",
        "a.{} = 1",
        "€{} = {}",
        "NOT (long = {} OR JMSPriority > {})",
        "JMS{} = {}",
    ]
    numbers = [0, 1, 7, 8, 17, 89, 10**17, 10**18 - 1, 10**18, 2**63 - 1, 2**63, 10**30]
    texts = [
        form.format(*chance.choices(numbers, k=form.count("{}")))
        for form in forms
        for _ in range(60)
    ]
    chance.shuffle(texts)
    entries = SelectorEntries()
    assert [entries.of(text) for text in texts] == [selector_entry(text) for text in texts]
    assert {"fault", "tree"} == {
        "fault" if "fault" in selector_entry(text) else "tree" for text in texts
    }


def test_selectors_that_differ_in_numbers_are_parsed_once(monkeypatch):
    parsed = []
    monkeypatch.setattr(selector_trees, "parse", lambda text: parsed.append(text) or parse(text))
    table = selector_table(
        f"shard <> {number % 10} AND amount < {number}" for number in range(1, 300)
    )
    assert (len(table), len(parsed)) == (299, 1)
