"""Management dumps: places, several in one text, and what of a broken one can still be read
(amq_interconnect.md 3.4, D-1, D-2).
"""

from __future__ import annotations

import json

import pytest

from topograph.findings import Severity, Source
from topograph.importers.amq_interconnect import parse_dump, read
from topograph.importers.amq_interconnect.dump import read_dump
from topograph.importers.positions.places import Placing
from topograph.importers.reading import Bundle, BundleFile, Options

LONG = "org.apache.qpid.dispatch."
ROUTER = f'{{"type": "{LONG}router", "identity": "1", "id": "A", "mode": "interior"}}'
LISTENER = (
    f'{{"type": "{LONG}listener", "identity": "l", "name": "l", "host": "h", "port": "5672"}}'
)

OTHER = LISTENER.replace('"l"', '"m"')


def routers(text):
    entities, _ = parse_dump(text, "d.json")
    return [(entity.server, entity.type) for entity in entities]


def kinds(text):
    return [(finding.kind, str(finding.source)) for finding in parse_dump(text, "d.json")[1]]


def test_each_entity_has_the_place_of_its_opening_brace_and_is_of_a_dump():
    entities, findings = parse_dump(f"[\n  {ROUTER},\n  {LISTENER}\n]\n", "d.json")
    assert findings == ()
    assert [(e.server, e.type, e.name, e.source, e.origin) for e in entities] == [
        ("A", "router", "1", Source("d.json", 2, 3), "dump"),
        ("A", "listener", "l", Source("d.json", 3, 3), "dump"),
    ]


def test_lists_of_a_run_time_entity_are_compact_json():
    text = (
        f'[{ROUTER}, {{"type": "{LONG}router.node", "id": "A", "linkState": ["B", "C"], '
        f'"nextHop": null}}]'
    )
    node = parse_dump(text)[0][1]
    assert (node.get("linkState"), node.get("nextHop", "absent")) == ('["B","C"]', "absent")


def test_of_a_dump_that_is_cut_off_anywhere_all_whole_entities_are_read_and_the_cut_is_named():
    whole = f"[\n {ROUTER},\n {LISTENER}\n]"
    for end in range(1, len(whole)):
        entities, findings = parse_dump(whole[:end], "d.json")
        whole_ones = [
            name
            for name, text in (("router", ROUTER), ("listener", LISTENER))
            if text in whole[:end]
        ]
        assert [entity.type for entity in entities] == whole_ones
        assert [(finding.kind, finding.severity) for finding in findings] == [
            ("invalid-json", Severity.ERROR)
        ]
        assert (f"first {len(entities)} entities" in findings[0].message) is bool(entities)


def test_what_follows_a_place_that_is_no_json_is_read():
    text = f"[\n {ROUTER},\n {{broken: 1}},\n {LISTENER}\n]"
    assert routers(text) == [("A", "router"), ("A", "listener")]
    assert kinds(text) == [("invalid-json", "d.json:3:2")]


def test_queries_for_one_type_each_are_of_the_router_that_one_of_them_names():
    text = (
        f"$ qdmanage query --type listener\n[{LISTENER}]\n$ qdmanage query --type "
        f"router\n[\n{ROUTER}\n]\n"
    )
    assert routers(text) == [("A", "listener"), ("A", "router")]


def test_a_command_line_names_the_router_of_a_list_that_does_not():
    text = (
        f"$ qdmanage query -r B --type listener\n[{LISTENER}]\n$ qdmanage query --router=C "
        f"--type listener\n[{LISTENER}]\n"
    )
    assert routers(text) == [("B", "listener"), ("C", "listener")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                f"$ qdmanage query --type listener\n[{LISTENER}]\n$ qdmanage query -r "
                f"B\n[{LISTENER}]\n"
            ),
            ["B"],
        ),
        (f"$ qdmanage query -r B\n[{LISTENER}]\n$ qdmanage query\n[{LISTENER}]\n", ["B"]),
        (
            (
                f"$ qdmanage query\n[{LISTENER}]\n$ qdmanage query -r B\n[{LISTENER}]\n$ "
                f"qdmanage query\n[{ROUTER}]\n"
            ),
            ["A", "B", "A"],
        ),
        (
            (
                f"$ qdmanage -b a query\n[{ROUTER}]\n$ qdmanage -b b query\n[{LISTENER}]\n$ "
                f"qdmanage -b a query\n[{LISTENER}]\n"
            ),
            ["A", "A"],
        ),
        (
            (
                f"$ oc exec a -- qdmanage query\n[{ROUTER}]\n$ oc exec b -- qdmanage "
                f"query\n[{LISTENER}]\n"
            ),
            ["A"],
        ),
        (f"$ qdmanage query -r B\n[{LISTENER}]\n[{OTHER}]\n", ["B", "B"]),
    ],
)
def test_a_list_that_names_no_router_is_of_the_one_that_the_tool_is_connected_to(text, expected):
    found = read_dump(text, Placing("f"))
    lists = text.count("[{") + text.count("[\n{")
    assert [entity.server for entity in found.entities] == expected
    assert [one.kind for one in found.findings if one.kind == "router-not-named"] == [
        "router-not-named"
    ] * (lists - len(expected))


def test_dumps_of_several_routers_stay_apart():
    other = ROUTER.replace('"A"', '"B"')
    assert routers(f"[{ROUTER}, {LISTENER}]\n[{other}, {LISTENER}]\n") == [
        ("A", "router"),
        ("A", "listener"),
        ("B", "router"),
        ("B", "listener"),
    ]


def test_one_entity_alone_is_what_a_read_prints():
    assert routers(ROUTER) == [("A", "router")]


def test_the_row_of_the_router_itself_names_the_router_where_nothing_else_does():
    text = (
        f'[{{"type": "{LONG}router.node", "id": "B"}}, {{"type": "{LONG}router.node", "id": '
        f'"C", "nextHop": "(self)"}}]'
    )
    assert routers(text) == [("C", "router.node"), ("C", "router.node")]


def test_of_an_entity_that_a_text_holds_twice_the_later_counts_and_that_is_said():
    later = LISTENER.replace('"5672"', '"5673"')
    entities, findings = parse_dump(f"[{ROUTER}, {LISTENER}]\n[{later}]\n")
    assert [entity.get("port") for entity in entities if entity.type == "listener"] == ["5673"]
    assert [finding.kind for finding in findings] == ["dumped-twice"]


def test_an_unknown_type_is_kept_and_named_once():
    odd = f'{{"type": "{LONG}oddity", "x": 1}}'
    assert routers(f"[{ROUTER}, {odd}, {odd}]")[1:] == [("A", "oddity"), ("A", "oddity")]
    assert [kind for kind, _ in kinds(f"[{ROUTER}, {odd}, {odd}]")] == ["unknown-entity"]


def test_items_that_are_no_entities_are_named_with_their_place():
    assert kinds(f'[{ROUTER},\n 7,\n {{"id": "x"}},\n {{"type": 3}}]') == [
        ("not-an-entity", "d.json:2:2"),
        ("not-an-entity", "d.json:3:2"),
        ("not-an-entity", "d.json:4:2"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"), [("", "not-a-dump"), ("7", "not-a-dump"), ("[]", "empty-dump")]
)
def test_a_text_without_an_entity_is_said_to_be_none(text, kind):
    assert [one for one, _ in kinds(text)] == [kind]


def test_secrets_and_half_characters_do_not_leave_the_reader():
    row = {
        "type": LONG + "connector",
        "saslPassword": "tiger",
        "failoverUrls": "amqp://u:p@h:1",
        "name": "\ud800x",
    }
    text = json.dumps([row])
    (entity,), _ = parse_dump(text)
    assert (entity.get("saslPassword"), entity.get("failoverUrls")) == ("(set)", "amqp://h:1")
    entity.name.encode()


def test_a_dump_that_names_no_router_is_of_the_one_its_bundle_is_of():
    bundle = Bundle(
        "A.listeners.json", "amq_interconnect", "A", (BundleFile("main", "A.listeners.json"),)
    )
    reading = read(bundle, {"A.listeners.json": f"[{LISTENER}]".encode()}, Options())
    told = [(fact.server, fact.bundle, fact.label) for fact in reading.facts]
    assert [one[:2] for one in told] == [("A", "A.listeners.json")] * 2
    assert told[1][2] == "listener"  # how much is shown: the listeners alone
    assert [(file.status, file.server, file.read) for file in reading.files] == [("read", "A", 1)]


def test_ten_thousand_broken_entities_take_no_longer_than_their_number():
    text = "[" + '{"a: 1},' * 10_000 + ROUTER
    entities, findings = parse_dump(text)
    assert (len(entities), {finding.kind for finding in findings}) == (0, {"invalid-json"})
