"""The JSON form (amq_interconnect.md 3.2)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from topograph.importers.amq_interconnect import parse_text

TEXT = """\
[
  # the hub
  ["router", {"mode": "interior", "id": "Q1"}],
  ["listener", {"host": "0.0.0.0", "port": 55672,
                "role": "inter-router"}],
  ["router.config.address", {"prefix": "closest", "distribution": 1}],
  ["org.apache.qpid.dispatch.connector", {"name": "b", "saslPassword": "tiger", "cost": null}],
  ["link-route", {"prefix": "orders/", "direction": "in", "connection": "b"}]
]
"""


def test_a_list_of_sections_is_read_with_places_and_long_names():
    read = parse_text("json", TEXT, "r.json")
    assert [(entity.type, entity.name, str(entity.source)) for entity in read.entities] == [
        ("router", "Q1", "r.json:3:3"),
        ("listener", "listener/0.0.0.0:55672", "r.json:4:3"),
        ("address", "address/0", "r.json:6:3"),
        ("connector", "b", "r.json:7:3"),
        ("linkRoute", "linkRoute/0", "r.json:8:3"),
    ]
    assert read.starts
    assert read.entities[1].get("port") == "55672"
    assert read.entities[2].get("distribution") == "closest"
    assert read.entities[3].get("saslPassword") == "(set)"
    assert read.entities[3].get("cost") == "1"
    assert read.entities[4].get("prefix") == "orders"


def test_an_attribute_that_does_not_exist_is_named_with_its_own_place():
    read = parse_text(
        "json",
        '[["router", {"id": "R"}],\n ["address", {"prefix": "q",\n   "bias": "closest"}]]',
        "r.json",
    )
    assert [(finding.rule, finding.kind, str(finding.source)) for finding in read.findings] == [
        ("C-2", "unknown-attribute", "r.json:3:4")
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[["router", {"id": "R"}],]', "r.json:1:26"),
        ('[["router", {"id": "R",}]]', "r.json:1:24"),
        ("", "r.json:1:1"),
    ],
)
def test_text_that_is_not_strict_json_is_refused_where_the_parser_stops(text, place):
    read = parse_text("json", text, "r.json")
    assert not read.starts
    assert {finding.kind for finding in read.loaded.refusals} == {"invalid-json"}
    assert read.loaded.refusals[0].source.file == "r.json"
    assert abs(read.loaded.refusals[0].source.column - int(place.rsplit(":", 1)[1])) <= 1


def test_a_file_that_is_cut_off_keeps_the_sections_before_the_cut():
    read = parse_text("json", TEXT[: TEXT.index('"role"')], "r.json")
    assert [(entity.type, entity.get("id") or entity.get("port")) for entity in read.entities] == [
        ("router", "Q1"),
        ("startup", ""),
    ]
    assert read.entities[-1].get("starts") == "incomplete"


@pytest.mark.parametrize("end", range(1, len(TEXT.rstrip())))
def test_wherever_a_file_is_cut_off_it_is_not_refused(end):
    """Every beginning of a configuration is one of a file that could go on: only the whole of it
    says what the router does not have."""
    read = parse_text("json", TEXT[:end], "r.json")
    if TEXT[:end].strip() and "[" in TEXT[:end]:
        assert [finding.kind for finding in read.findings if finding.severity == "error"] == [
            "cut-off"
        ], TEXT[:end]
        assert read.loaded.refusals == ()
    whole = {repr(entity) for entity in parse_text("json", TEXT, "r.json").entities}
    shown = [entity for entity in read.entities if entity.type not in ("router", "startup")]
    assert {repr(replace(entity, server="Q1")) for entity in shown} <= whole


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"router": {}},
        ["router"],
        [["router"]],
        [[1, {}]],
        [["router", []]],
        [["router", {}, 1]],
        7,
        None,
    ],
)
def test_json_of_another_shape_is_refused(value):
    read = parse_text("json", json.dumps(value))
    assert [finding.kind for finding in read.loaded.refusals] == ["not-a-section"]


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '[["router", {"id": ' + "[" * 100_000, "[" + "9" * 10_000 + "]"]
)
def test_json_that_no_parser_takes_is_refused_without_an_error(text):
    assert not parse_text("json", text).starts


def test_half_a_surrogate_pair_is_replaced_wherever_it_is_shown():
    text = (
        '[["router",{"id":"A\\ud800"}],["address",{"prefix":"q\\ud800/"}],["x\\ud800",'
        '{"y\\ud800":"z\\ud800"}]]'
    )
    read = parse_text("json", text, "A.json")
    repr((read.entities, read.findings)).encode("utf-8")
    assert "\\ud800" not in repr((read.entities, read.findings))
