"""That sections read with one pattern are what the same lines are one by one."""

from __future__ import annotations

import json
import random
import re

import pytest

from topograph.importers.amq_interconnect import conf, json_form
from topograph.importers.amq_interconnect.conf import read_conf
from topograph.importers.amq_interconnect.json_form import read_json
from topograph.importers.amq_interconnect.sections import ConfDocument
from topograph.importers.positions.places import Placing

NEVER = re.compile(r"(?!)")
LINES = [
    "router {", "address {", "listener {", "  sasl-password: tiger", "  id: A", "  prefix: a.b",
    "  pattern: a/*#/c d", "  host:", "  cost : 3", "\tcost:\t-1 ", "  zome: tiger", "}", "  }",
    "# a comment", "  name: x # said", "  metadata: a, apiKey: tiger", "  url: amqp://u:p@h:1",
    "", " \t", "  openProperties: {", '    "a": 1', "    a: b", "  }", "log { module: X }",
    "}\r", "  value: \"q\"", "  value: \\",
    "  caf\u00e9: \u00e9", "  a: {", "nothing", "  port: amqp}", "\x0c",
]  # fmt: skip
VALUES = ["a.b", "x y", 'q"', "\u00e9", "\\", 3, -1, True, None, 2.5, {"a": {"b": 1}}, ["x"], "#"]
KEYS = ["id", "prefix", "saslPassword", "sasl-password", "zome", "caf\u00e9", "host", "cost", "id"]


def said(document: ConfDocument) -> object:
    sections = [
        (
            one.type,
            one.written,
            one.source,
            [(e.name, e.value, e.source, e.text) for e in one.entries],
        )
        for one in document.sections
    ]
    return sections, document.faults, document.suspicious, document.cut


@pytest.mark.parametrize("number", range(300))
def test_lines(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(number)
    lines = []
    for _ in range(chance.randrange(12)):
        body = [chance.choice(LINES[3:11]) for _ in range(chance.randrange(4))]
        lines += [chance.choice(LINES[:3]), *body, "}"]
    for _ in range(chance.choice((0, 1, 2, 4))):
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(LINES))
    text = "\n".join(lines) + chance.choice(("", "\n", "\r\n"))
    text = text.replace("\n", "\r\n") if chance.random() < 0.2 else text
    placing = chance.choice((Placing("f"), Placing("f", 7, 2), Placing("f", whole=(3, 4))))
    found = said(read_conf(text, placing))
    monkeypatch.setattr(conf, "_PLAIN_SECTION", NEVER)
    assert found == said(read_conf(text, placing))


@pytest.mark.parametrize("number", range(300))
def test_json(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(number)
    sections = [
        [
            chance.choice(["router", "address", "qd-x", "caf\u00e9"]),
            {chance.choice(KEYS): chance.choice(VALUES) for _ in range(chance.randrange(4))},
        ]
        for _ in range(chance.randrange(6))
    ]
    text = json.dumps(
        sections, indent=chance.choice((None, 1, 4)), ensure_ascii=chance.random() < 0.5
    )
    for _ in range(chance.choice((0, 0, 1, 2))):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice([*'",[]{}\n', "\n#x\n", "1", ""]) + text[at + 1 :]
    found = said(read_json(text, Placing("f", 3, 2)))
    server = json_form.router_section(text)
    monkeypatch.setattr(json_form, "_PLAIN_SECTION", NEVER)
    assert found == said(read_json(text, Placing("f", 3, 2)))
    ids = [
        [e.value for e in one.entries if e.name == "id"]
        for document in (read_json(text, Placing("f")), read_json(server, Placing("f")))
        for one in document.sections
        if one.type == "router"
    ]
    assert not ids or [one[-1:] for one in ids].count(ids[0][-1:]) >= 2
