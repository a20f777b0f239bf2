"""What is nested too deeply is left out with a finding; everything beside it is read."""

from __future__ import annotations

import pytest

from topograph.importers.amq_interconnect import parse_dump, parse_text

DEPTHS = pytest.mark.parametrize("depth", [65, 330, 500, 900])
BRACKETS = pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["lists", "objects"]
)


@DEPTHS
@BRACKETS
def test_a_deep_attribute_of_the_json_form_is_left_out_and_the_rest_is_read(
    depth, opening, closing
):
    deep = opening * depth + "1" + closing * depth
    text = f'[["router", {{"metadata": {deep}, "id": "A"}}],\n ["address", {{"prefix": "a"}}]]'
    read = parse_text("json", text, "r.json")
    assert [entity.type for entity in read.entities if entity.stated] == ["router", "address"]
    assert read.entities[0].get("id") == "A"
    assert [(finding.kind, str(finding.source)) for finding in read.findings] == [
        ("nested-too-deeply", "r.json:1:26")
    ]
    assert read.starts


@DEPTHS
def test_a_deep_map_of_a_conf_is_left_out_and_the_rest_is_read(depth):
    deep = "[" * depth + "1" + "]" * depth
    text = (
        f'router {{\n id: A\n}}\nlistener {{\n port: 5672\n openProperties: {{\n "a": '
        f"{deep}\n }}\n}}\n"
    )
    read = parse_text("conf", text, "r.conf")
    assert [
        (entity.type, entity.get("openProperties")) for entity in read.entities if entity.stated
    ] == [
        ("router", ""),
        ("listener", ""),
    ]
    assert [(finding.kind, str(finding.source)) for finding in read.findings] == [
        ("nested-too-deeply", "r.conf:6:2")
    ]


@DEPTHS
@BRACKETS
def test_a_deep_entity_of_a_dump_is_left_out_and_those_beside_it_are_read(depth, opening, closing):
    deep = opening * depth + "1" + closing * depth
    router = '{"type": "org.apache.qpid.dispatch.router", "id": "A"}'
    text = f'[{{"type": "org.apache.qpid.dispatch.log", "a": {deep}}},\n{router}]'
    entities, findings = parse_dump(text, "d.json")
    assert [(entity.type, entity.server) for entity in entities] == [("router", "A")]
    assert [(finding.kind, str(finding.source)) for finding in findings] == [
        ("nested-too-deeply", "d.json:1:2")
    ]
