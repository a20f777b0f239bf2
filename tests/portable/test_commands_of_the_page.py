"""The command lines that the page offers: a shell and the command read out of them what was
asked.
"""

from __future__ import annotations

import math
import shlex

from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from portable.node import run

from topograph.message import parse_property, type_name

WHERE = ["-s", "my files/it's", "--network", "$HOME"]
LINES = f"return given.map((asked) => commandFor({WHERE}, asked));"


def lines(questions):
    return run(["commands"], LINES, questions)


def typed(value):
    return {"type": type_name(value), "value": str(value) if type_name(value) == "long" else value}


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=12),
    st.sampled_from(["null", "'", "''", "7", "7.0", "TRUE", "a'b", "'x'", ""]),
)
names = st.from_regex(r"[A-Za-z_$][A-Za-z0-9_$.]{0,8}", fullmatch=True)


@settings(max_examples=draws(12), deadline=None)
@given(st.lists(st.dictionaries(names, values, max_size=4), min_size=40, max_size=60))
def test_every_property_comes_back_with_its_type_and_value(messages):
    questions = [
        {
            "question": "propagate",
            "from": "A",
            "destination": "topic:a b",
            "properties": {name: typed(value) for name, value in message.items()},
        }
        for message in messages
    ]
    for message, line in zip(messages, lines(questions), strict=True):
        words = shlex.split(line)
        assert words[:5] == ["topograph", "propagate", "A", "--destination", "topic:a b"]
        assert words[-4:] == WHERE
        rest = words[5:-4]
        assert rest[::2] == ["--set"] * len(message)
        read = dict(map(parse_property, rest[1::2]))
        assert {name: (type_name(value), value) for name, value in read.items()} == {
            name: (type_name(value), value) for name, value in message.items()
        }
        assert all(
            math.copysign(1, read[name]) == math.copysign(1, value)
            for name, value in message.items()
            if value == 0
        )


def test_names_and_users_of_every_kind_stay_one_word():
    hostile = ["-rf", "a b", "$(reboot)", "`x`", "it's", "", "a;b", "é\n"]
    questions = [
        {"question": "reach", "from": one, "to": two}
        for one in hostile
        for two in hostile
        if one and two
    ]
    for question, line in zip(questions, lines(questions), strict=True):
        words = shlex.split(line)
        assert words[:2] == ["topograph", "reach"]
        assert [word for word in words[2:] if word not in (*WHERE, "--")] == [
            question["from"],
            question["to"],
        ]
    [line] = lines(
        [
            {
                "question": "propagate",
                "from": "A",
                "destination": "queue:q",
                "properties": {},
                "user": "a'b",
            }
        ]
    )
    assert shlex.split(line)[5:7] == ["--user", "a'b"]


def test_a_reach_of_all_servers_names_one():
    [line] = lines([{"question": "reach", "from": "A", "to": None}])
    assert shlex.split(line) == ["topograph", "reach", "A", *WHERE]
