"""The file vectors: ops start, parse and load, through real text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from topograph.importers.amq_interconnect import parse_dump, parse_text

VECTORS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "amq_interconnect_vectors.json").read_text()
)
LISTS = ("address", "connector", "autoLink", "linkRoute")


def of(*ops: str):
    chosen = [vector for vector in VECTORS if vector["ask"]["op"] in ops]
    assert chosen
    return [pytest.param(vector, id=vector["id"]) for vector in chosen]


def typed(value: str, like: object) -> object:
    """The text of an attribute as the type a vector writes it in; unset is None."""
    if isinstance(like, bool):
        return {"true": True, "false": False}[value]
    if isinstance(like, int):
        return int(value)
    return value or None


def text_of(given) -> str:
    return given["text"] if "text" in given else json.dumps(given["file"])


@pytest.mark.parametrize("vector", of("start"))
def test_start(vector):
    given = vector["given"]
    assert parse_text(given["form"], text_of(given)).starts == vector["expect"]["started"]


@pytest.mark.parametrize("vector", of("parse"))
def test_parse(vector):
    given, expect = vector["given"], dict(vector["expect"])
    if given["form"] == "dump":
        entities, _ = parse_dump(json.dumps(given["entities"]))
    else:
        read = parse_text(given["form"], text_of(given))
        entities = read.entities
        assert [list(pair) for pair in read.loaded.deprecated] == expect.pop("deprecated", [])
    for type_, rows in expect.items():
        found = [entity for entity in entities if entity.type == type_]
        got = [
            {
                name: entity.name if name == "name" else typed(entity.get(name), like)
                for name, like in row.items()
            }
            for entity, row in zip(found, rows, strict=True)
        ]
        assert got == rows


@pytest.mark.parametrize("vector", of("load"))
def test_load(vector):
    given, expect = vector["given"], vector["expect"]
    sections = [
        ["router", given["router"]],
        *([type_, entity] for type_ in LISTS for entity in given.get(type_, [])),
    ]
    entries = [
        entry
        for entry in parse_text("json", json.dumps(sections)).loaded.entries
        if entry.type == vector["ask"]["entity"]
    ]
    assert {
        "kept": [entry.index for entry in entries if not entry.dropped],
        "dropped": [entry.index for entry in entries if entry.dropped],
        "logged": [entry.index for entry in entries if entry.logged],
        "inactiveForEver": [entry.index for entry in entries if entry.never_active],
    } == {
        "inactiveForEver": [],
        **{name: value for name, value in expect.items() if name != "distribution"},
    }
