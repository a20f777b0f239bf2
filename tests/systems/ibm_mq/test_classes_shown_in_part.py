"""Of a class of objects that output shows in part, every rule that asks for it leaves open what it
says for certain of the whole.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import topograph
import topograph.systems.ibm_mq as system

QUEUE = "QUEUE({0}) TYPE(QLOCAL) USAGE(NORMAL) PUT(ENABLED) MAXDEPTH(5000) CLUSTER({1}) CLUSNL({2})"
XMITQ = "QUEUE({0}) TYPE(QLOCAL) USAGE(XMITQ) PUT(ENABLED) MAXDEPTH(5000) CLUSTER( ) CLUSNL( )"
SENDER = "CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME(b(1414)) SSLCIPH( ) NPMSPEED(FAST)"
MEMBER = (
    "CHANNEL(K.{0}) CHLTYPE(CLUSRCVR) CLUSTER(K) CLUSNL( ) CONNAME({0}(1414)) SSLCIPH( ) "
    "NETPRTY(0) CLWLRANK(0) CLWLPRTY(0) CLWLWGHT(50) USEDLQ(YES) NPMSPEED(FAST) MRRTY(10)"
)
ALIAS = "QUEUE(AL) TYPE(QALIAS) TARGET(T) TARGTYPE(TOPIC) PUT(ENABLED) CLUSTER( ) CLUSNL( )"
TOPIC = "TOPIC(T) TYPE(LOCAL) TOPICSTR(t) CLUSTER( ) PUB(ENABLED) SUB(ENABLED)"
QMGR = "QMNAME({0}) DEADQ( ) DEFXMITQ( ) REPOS( ) CHLAUTH(DISABLED) DEFCLXQ(SCTQ) CLWLUSEQ(LOCAL)"

CLASSES = {
    "QMGR": "AMQ8408I: Display Queue Manager details.",
    "QUEUE": "AMQ8409I: Display Queue details.",
    "CHANNEL": "AMQ8414I: Display Channel details.",
    "NAMELIST": "AMQ8550I: Display namelist details.",
    "TOPIC": "AMQ8633I: Display topic details.",
    "SUB": "AMQ8096I: IBM MQ subscription inquired.",
}
"""What runmqsc says above each object."""

Objects = Mapping[str, Sequence[str]]


def output(name: str, objects: Objects, without: str = "") -> str:
    """What runmqsc shows of a queue manager, but for one class of its objects."""
    lines = [f"Starting MQSC for queue manager {name}."]
    asked = [one for one in CLASSES if one != without]
    for number, noun in enumerate(asked, 1):
        command = "DISPLAY QMGR ALL" if noun == "QMGR" else f"DISPLAY {noun}(*) ALL"
        lines.append(f"     {number} : {command}")
        shown = [QMGR.format(name)] if noun == "QMGR" else [*objects.get(noun, ())]
        shown += [QUEUE.format("X", " ", " ")] if noun == "QUEUE" else []
        for one in shown:
            lines.append(CLASSES[noun])
            lines += [f"   {pair}" for pair in one.replace(") ", ")\n").split("\n")]
        if not shown:
            lines.append("AMQ8147E: IBM MQ object * not found.")
    return "\n".join([*lines, f"{len(asked)} MQSC commands read.", ""])


HERE: Mapping[str, tuple[dict[str, Objects], str, str, str]] = {
    "queues": ({"A": {}}, "A", "QUEUE", "queue:GONE"),
    "attributes": ({"A": {}}, "A", "QMGR", "X@FAR"),
    "sending channels": ({"A": {"QUEUE": [XMITQ.format("B")]}}, "A", "CHANNEL", "X@B"),
    "receiving channels": (
        {"A": {"QUEUE": [XMITQ.format("B")], "CHANNEL": [SENDER]}, "B": {}},
        "B",
        "CHANNEL",
        "X@B",
    ),
    "topics": ({"A": {"QUEUE": [ALIAS]}}, "A", "TOPIC", "queue:AL"),
    "topics of a tree": ({"A": {"TOPIC": [TOPIC]}}, "A", "TOPIC", "topic:u"),
    "subscriptions": ({"A": {"TOPIC": [TOPIC]}}, "A", "SUB", "topic:t"),
    "queues of members": (
        {name: {"CHANNEL": [MEMBER.format(name)]} for name in "AB"},
        "B",
        "QUEUE",
        "queue:GONE",
    ),
    "members": ({"A": {}}, "A", "CHANNEL", "queue:GONE"),
    "namelists": (
        {
            "A": {"CHANNEL": [MEMBER.format("A")]},
            "B": {
                "CHANNEL": [MEMBER.format("B")],
                "QUEUE": [QUEUE.format("CQ", " ", "NL")],
            },
        },
        "B",
        "NAMELIST",
        "queue:CQ",
    ),
}
"""By what is asked for: queue managers, the one of which a class is not shown, that class, and
where a message is sent at A."""

ASKED = {
    "('QMGR',)": {"attributes"},
    "NOUNS": {"queues"},
    "SENDING": {"sending channels"},
    "RECEIVING": {"receiving channels"},
    "types": {"receiving channels"},
    "('TOPIC',)": {"topics", "topics of a tree"},
    "('SUB',)": {"subscriptions"},
    "('NAMELIST',)": {"namelists"},
    "('CLUSRCVR',)": {"members"},
    "('CLUSSDR',)": set(),  # what is not shown adds no assumption about repositories
    "ADVERTISED": {"queues of members"},
    "classes": set(HERE),
}
"""The classes that rules ask for, as the code names them, with what shows each."""


def test_every_class_that_a_rule_asks_for_is_shown_in_part_here() -> None:
    root = Path(system.__file__).parent
    asked = {
        ast.unparse(node.args[1])
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("missing", "absent")
        and len(node.args) == 4
    }
    assert asked <= ASKED.keys()
    assert set().union(*ASKED.values()) == HERE.keys()


@pytest.mark.parametrize("what", HERE)
def test_what_is_asked_of_a_class_that_is_shown_in_part_is_left_open(
    what: str, tmp_path: Path
) -> None:
    managers, partly, noun, to = HERE[what]
    answers = {}
    for view, without in (("whole", ""), ("part", noun)):
        (tmp_path / view).mkdir()
        for name, objects in managers.items():
            text = output(name, objects, without if name == partly else "")
            (tmp_path / view / f"{name}.txt").write_text(text)
        answers[view] = topograph.read(tmp_path / view).trace("A", to)
    judged = {
        view: {one.judgement for one in answer.branches if one.ending}
        for view, answer in answers.items()
    }
    assert "unknown" not in judged["whole"]
    assert "unknown" in judged["part"]
