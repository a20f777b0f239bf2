"""The .conf form (amq_interconnect.md 3.1)."""

from __future__ import annotations

from textwrap import dedent

import pytest

from topograph.findings import Source
from topograph.importers.amq_interconnect import parse_text


def configuration(text: str):
    return parse_text("conf", dedent(text), "r.conf")


def only(text: str, type_: str):
    (entity,) = [entity for entity in configuration(text).entities if entity.type == type_]
    return entity


def refusals(text: str) -> list[tuple[str, str]]:
    return [(finding.kind, str(finding.source)) for finding in configuration(text).loaded.refusals]


ROUTER = "router {\n    id: R\n}\n"


def test_a_section_gives_an_entity_with_its_place_and_the_defaults():
    entity = only(
        ROUTER + "connector {\n  name: c\n  port:5672   # broker\n  role: route-container\n}\n",
        "connector",
    )
    assert (entity.server, entity.name, entity.source) == ("R", "c", Source("r.conf", 4, 1))
    assert entity.stated == ("name", "port", "role")
    assert (entity.get("host"), entity.get("port"), entity.get("cost")) == (
        "127.0.0.1",
        "5672",
        "1",
    )


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("prefix: p#q", "prefix", "p"),
        ("pattern: a/#/z   # text", "pattern", "a/#/z"),
        ("pattern: one two", "pattern", "one"),
        ("pattern: #.#.n", "pattern", "#.#.n"),
        ("prefix: with space", "prefix", "with space"),
        ("prefix:tight", "prefix", "tight"),
        ("\t  prefix \t:  wide  ", "prefix", "wide"),
        ("prefix: a:b", "prefix", "a:b"),
        (r"prefix: a\u002db", "prefix", "a-b"),
    ],
)
def test_a_value_is_the_rest_of_its_line_without_a_comment(line, name, value):
    assert only(f"{ROUTER}address {{\n{line}\n}}\n", "address").get(name) == value


def test_dashed_and_camel_case_names_are_equal():
    text = "auto-link {\n address: q\n direction: out\n external-address: x\n connection: b\n}\n"
    assert only(ROUTER + text, "autoLink").get("externalAddress") == "x"


def test_open_properties_hold_json_with_nested_maps():
    text = """\
        router {
            id: R
        }
        connector {
            name: c
            openProperties: {
                "site": "east",
                # a comment
                "nested": {
                    "a": 1,
                },
                "token": "hidden"
            }
        }
        """
    assert (
        only(text, "connector").get("openProperties")
        == '{"site":"(set)","nested":{"a":1},"token":"(set)"}'
    )
    assert configuration(text).starts


def test_other_maps_are_read_like_sections():
    text = (
        ROUTER
        + "vhost {\n hostname: a.#\n settings: {\n  users: *\n  inner: {\n   x: 1\n  }\n }\n}\n"
    )
    entity = only(text, "vhost")
    assert entity.get("hostname") == "a.#"
    assert entity.get("settings") == '{"users":"*","inner":{"x":"1"}}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("router { mode: standalone }\n", [("section-on-one-line", "r.conf:1:1")]),
        (ROUTER + "}\n", [("extra-brace", "r.conf:4:1")]),
        ("router {\n id: R\nlistener {\n}\n", [("missing-brace", "r.conf:3:1")]),
        (ROUTER + "prefix: q\n", [("outside-section", "r.conf:4:1")]),
        (ROUTER + "address {\n  prefix q\n}\n", [("unreadable-line", "r.conf:5:3")]),
        (ROUTER + "address {\n  prefix:\n}\n", [("unreadable-line", "r.conf:5:3")]),
        (ROUTER + 'address {\n  prefix: "q"\n}\n', [("unreadable-value", "r.conf:5:3")]),
        (ROUTER + "address {\n  prefix: a\\d\n}\n", [("unreadable-value", "r.conf:5:3")]),
        (
            ROUTER + 'connector {\n  openProperties: {\n    "n": {"a": 1}\n  }\n}\n',
            [("map-on-one-line", "r.conf:6:5")],
        ),
        (
            ROUTER + "connector {\n  openProperties: {\n    a\n  }\n}\n",
            [("invalid-json", "r.conf:5:3")],
        ),
    ],
)
def test_what_the_reader_of_the_router_refuses_is_named_with_its_place(text, expected):
    assert refusals(text) == expected


@pytest.mark.parametrize(
    ("text", "place", "kept"),
    [
        (ROUTER + "address {\n    prefix: q\n", "r.conf:5:1", ["router", "startup"]),
        (ROUTER + "connector {\n  openProperties: {\n", "r.conf:5:1", ["router", "startup"]),
        (
            ROUTER + "address {\n  prefix: q\n}\nlistener {\n  role: inter-rou",
            "r.conf:8:1",
            ["router", "address", "startup"],
        ),
        ("router {\n id: R\n mode: inter", "r.conf:3:1", ["router", "startup"]),
    ],
)
def test_of_a_text_that_ends_within_a_section_what_stands_behind_is_not_shown(text, place, kept):
    """Whether a router is given this text, and refuses it, or a longer one nobody can tell."""
    read = configuration(text)
    assert [(one.kind, str(one.source)) for one in read.findings] == [("cut-off", place)]
    assert [entity.type for entity in read.entities] == kept
    assert (read.entities[0].server, read.entities[-1].get("starts")) == ("R", "incomplete")
    assert read.loaded.refusals == ()


def test_a_refused_file_still_yields_what_could_be_read_and_says_that_the_router_does_not_start():
    read = configuration("router { mode: interior id: R1 }\nlistener {\n  port: 6000\n}\n")
    assert [(entity.type, entity.server) for entity in read.entities] == [
        ("router", "R1"),
        ("listener", "R1"),
        ("startup", "R1"),
    ]
    assert read.entities[0].get("mode") == "interior"
    assert read.entities[1].get("port") == "6000"
    assert read.entities[2].get("starts") == "no"
    assert not read.starts


def test_the_last_of_two_equal_attributes_counts_and_that_is_said():
    read = configuration(ROUTER + "listener {\n port: 1\n port: 2\n}\n")
    assert read.entities[1].get("port") == "2"
    assert [(finding.kind, str(finding.source)) for finding in read.findings] == [
        ("repeated-attribute", "r.conf:6:2")
    ]
    assert read.starts


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_line_ends(line_end):
    text = ROUTER.replace("\n", line_end)
    assert [entity.name for entity in parse_text("conf", text).entities] == ["R"]


def test_a_byte_order_mark_is_left_out():
    assert parse_text("conf", "\ufeff" + ROUTER).server == "R"


def test_a_value_that_a_hash_cuts_short_is_reported_and_a_comment_after_a_blank_is_not():
    text = (
        "router {\n    id: R\n}\naddress {\n    prefix: p#q\n    distribution: closest  # as "
        "in the plan\n}\n"
    )
    read = parse_text("conf", text)
    assert [(one.kind, one.source.line) for one in read.findings] == [("cut-by-comment", 5)]
    assert next(one for one in read.entities if one.type == "address").get("prefix") == "p"
