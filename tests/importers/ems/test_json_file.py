import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsRoute,
    EmsServer,
    EmsUser,
    ParameterPlace,
    RouteSelector,
)
from topograph.findings import Source
from topograph.importers.ems import parse_text
from topograph.importers.positions.json_text import Node, parse
from topograph.importers.positions.places import Places

FILE = "tibemsd.json"

WHOLE = """{ "model_version":"1.0",
  "tibemsd":{"server":"EMS-A","routing":true,"authorization":false,"password":"hush",
    "ssl":{"ssl_identity":"a.pem"},"primary_listens":[{"url":"tcp://7222"}]},
  "topics":[{"name":">"},
    {"name":"orders.>","global":true,"maxbytes":"100MB","secure":false,"jndinames":["o"]}],
  "queues":[{"name":"q2@EMS-B"}],
  "routes":[{"name":"EMS-B","url":"tcp://b:7222","zone_name":"Z1","zone_type":"1hop",
      "selectors":[{"direction":"incoming","topic":"T","selector":"a='x'"}]},
    {"name":"C","url":"tcp://c:1","outgoing_topic":[{"name":"U","selector":"b=1"}]}],
  "bridges":[{"source":{"type":"topic","name":"a"},"targets":[{"type":"queue","name":"b","selector":"x=1"},{"type":"topic","name":"c"}]}],
  "durables":[{"topic":"t","name":"d","clientid":"c","selector":""}, {"topic":"t","name":"P","route":true}],
  "acls":[{"type":"admin","group":"g","all":true},{"type":"topic","name":"t","user":"u","publish":true,"subscribe":false}],
  "users":[{"name":"u","password":"hush"}],"groups":[{"name":"g","members":[{"name":"u"}]}],
  "factories":[],"stores":[],"channels":[],"transports":[],"tibrvcm":[] }
"""  # noqa: E501


def findings(text: str, *, strict: bool = False) -> list[tuple[str, str, int, int, str]]:
    return [
        (str(f.severity), f.kind, f.source.line, f.source.column, f.excerpt)
        for f in parse_text(FILE, text, strict).findings
        if f.kind != "route-without-tls"
    ]


def at(line: int, column: int) -> dict[str, Any]:
    return {"bundle": FILE, "server": "EMS-A", "source": Source(FILE, line, column)}


def test_a_json_configuration_gives_the_facts_that_files_would_with_real_places() -> None:
    incoming = RouteSelector("incoming", "T", "a='x'", Source(FILE, 8, 20))
    outgoing = RouteSelector("outgoing", "U", "b=1", Source(FILE, 9, 53))
    stated: dict[str, Any] = {
        "zone_name": "Z1",
        "zone_type": "1hop",
        "zone_stated": ("name", "type"),
    }
    bridge: dict[str, Any] = {"source_type": "topic", "source_name": "a"}
    assert parse_text(FILE, WHOLE, strict=True).facts == (
        EmsServer(
            **at(2, 23),
            routing=True,
            authorization=False,
            listen=("tcp://7222",),
            parameters=(
                ("server", "EMS-A"),
                ("routing", "true"),
                ("authorization", "false"),
                ("password", "(set)"),
                ("ssl.ssl_identity", "a.pem"),
            ),
            places=(
                ParameterPlace("routing", Source(FILE, 2, 41)),
                ParameterPlace("authorization", Source(FILE, 2, 62)),
                ParameterPlace("listen", Source(FILE, 3, 62)),
            ),
        ),
        EmsDestination(**at(4, 13), type="topic", name=">"),
        EmsDestination(
            **at(5, 5),
            type="topic",
            name="orders.>",
            properties=(("global", "true"), ("maxbytes", "100MB")),
            jndi=("o",),
        ),
        EmsDestination(**at(6, 13), type="queue", name="q2", owner="EMS-B"),
        EmsRoute(**at(7, 13), name="EMS-B", url=("tcp://b:7222",), selectors=(incoming,), **stated),
        EmsRoute(**at(9, 5), name="C", url=("tcp://c:1",), selectors=(outgoing,)),
        EmsBridge(**at(10, 63), **bridge, target_type="queue", target_name="b", selector="x=1"),
        EmsBridge(**at(10, 108), **bridge, target_type="topic", target_name="c"),
        EmsDurable(**at(11, 15), topic="t", name="d", client_id="c"),
        EmsDurable(**at(11, 70), topic="t", name="P", route=True),
        EmsGrant(
            **at(12, 11),
            type="admin",
            name="",
            principal_type="group",
            principal="g",
            permissions=("all",),
        ),
        EmsGrant(
            **at(12, 51),
            type="topic",
            name="t",
            principal_type="user",
            principal="u",
            permissions=("publish",),
        ),
        EmsUser(**at(13, 12), name="u", password_set=True),
        EmsGroup(**at(13, 54), name="g", members=("u",)),
    )
    assert findings(WHOLE, strict=True) == []


SERVER = '{"tibemsd":{"server":"A"},'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SERVER + '"zzz":1}', [("warning", "unknown-directive", 1, 33, "zzz")]),
        (
            SERVER + '"routes":[{"name":"B","url":"tcp://b:1","x":1}]}',
            [("warning", "unknown-directive", 1, 71, "routes[0].x")],
        ),
        (SERVER + '"routes":{}}', [("error", "not-an-array", 1, 36, "routes")]),
        (SERVER + '"routes":[1]}', [("error", "not-an-object", 1, 37, "routes[0]")]),
        (SERVER + '"topics":[{"global":true}]}', [("error", "missing-key", 1, 37, "topics[0]")]),
        (SERVER + '"users":[],"users":[]}', [("warning", "duplicate-key", 1, 38, "users")]),
        ('{"tibemsd":{"server":"A.B"}}', [("error", "server-name", 1, 22, "tibemsd.server")]),
        ('{"tibemsd":{"routing":true}}', [("error", "no-server-name", 0, 0, "")]),
        ('{"tibemsd":{"server":"A"}', [("error", "json-syntax", 1, 26, "")]),
        ('{"tibemsd":{"server":"A"}} x', [("error", "json-syntax", 1, 28, "")]),
    ],
)
def test_a_doubtful_json_configuration_is_a_finding_with_its_path(
    text: str, expected: list[tuple[str, str, int, int, str]]
) -> None:
    assert findings(text) == expected


def test_a_route_whose_selector_has_an_unknown_shape_is_kept_and_the_selector_is_not_understood() -> (  # noqa: E501
    None
):
    text = SERVER + (
        '"routes":[{"name":"B","url":"tcp://b:1","filters":[{"selector":"a=1"}]},'
        '{"name":"C","url":"tcp://c:1"}]}'
    )
    facts = parse_text(FILE, text, strict=False).facts
    assert isinstance(facts[0], EmsServer)
    assert (facts[0].missing, [fact.label for fact in facts[1:]]) == ((), ["B", "C"])
    assert isinstance(facts[1], EmsRoute)
    assert [(each.direction, each.topic, bool(each.fault)) for each in facts[1].selectors] == [
        ("incoming", ">", True),
        ("outgoing", ">", True),
    ]
    ((severity, kind, *_),) = findings(text)
    assert (severity, kind) == ("error", "unknown-selector")


def test_typographic_quotes_in_a_selector_are_repaired_or_refused() -> None:
    text = SERVER + (
        '"routes":[{"name":"B","url":"tcp://b:1","incoming_topic":{"topic":"T",'
        '"selector":"a=\u2019x\u2019"}}]}'
    )
    assert [(entry[0], entry[1]) for entry in findings(text)] == [("warning", "non-ascii-quote")]
    routes = [
        fact for fact in parse_text(FILE, text, strict=False).facts if isinstance(fact, EmsRoute)
    ]
    assert [route.selectors[0].selector for route in routes] == ["a='x'"]
    assert [(entry[0], entry[1]) for entry in findings(text, strict=True)] == [
        ("error", "non-ascii-quote")
    ]
    (route,) = [
        fact for fact in parse_text(FILE, text, strict=True).facts if isinstance(fact, EmsRoute)
    ]
    assert [(each.topic, each.unread, bool(each.fault)) for each in route.selectors] == [
        ("T", "a=\u2019x\u2019", True)
    ]


@pytest.mark.parametrize("cut", range(1, len(WHOLE) - 1, 7))
def test_of_a_text_cut_off_anywhere_every_fact_before_the_cut_is_kept(cut: int) -> None:
    whole = parse_text(FILE, WHOLE, strict=False).facts
    parsed = parse_text(FILE, WHOLE[:cut], strict=False)
    assert [f.kind for f in parsed.findings if f.kind == "json-syntax"] == ["json-syntax"]
    assert set(parsed.facts[1:]) <= set(whole[1:])
    end = Source(FILE, *Places(WHOLE).line_and_column(cut))
    for fact, following in pairwise(whole[1:]):
        # the two targets of one bridge stand in one element, which must be complete
        if following.source < end and not (
            isinstance(fact, EmsBridge) and isinstance(following, EmsBridge)
        ):
            assert fact in parsed.facts
    every_array_is_complete = '"tibrvcm":[]' in WHOLE[:cut]
    server = parsed.facts[0]
    assert isinstance(server, EmsServer)
    assert (server.missing == ()) is every_array_is_complete


def test_hostile_nesting_and_numbers_are_only_findings() -> None:
    deep = '{"tibemsd":{"server":"A","x":' + "[" * 5000
    long_number = '{"tibemsd":{"server":"A","x":' + "9" * 5000 + "}}"
    assert [entry[1] for entry in findings(deep)] == ["json-syntax"]
    assert findings(long_number) == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def plain(node: Node) -> Any:
    """A node as the standard decoder gives it, numbers as text."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


@given(JSON, st.sampled_from([None, 1]), st.booleans())
def test_the_decoder_agrees_with_the_standard_one(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document = parse(text)
    assert (document.error, document.root is not None) == ("", True)
    assert document.root is not None
    assert plain(document.root) == json.loads(text, parse_int=str, parse_float=str)


def test_half_a_surrogate_pair_is_replaced() -> None:
    document = parse('"\\ud800x"')
    assert document.root is not None
    assert document.root.value == "\ufffdx"


def test_keys_that_the_console_of_ems_10_writes_for_itself_give_no_finding_and_no_property() -> (
    None
):
    text = (
        '{"displayName":"x","emsca":{"a":1},"tibemsd":{"server":"A","routing":true,"emsca":"y"},'
        '"topics":[{"name":"t","global":true,"displayName":"T"}],'
        '"routes":[{"name":"B","url":"ssl://b:1","displayName":"to '
        'B"}],"users":[{"name":"u","emsca":{"b":2}}]}'
    )
    assert findings(text) == []
    (topic,) = (
        fact for fact in parse_text(FILE, text, False).facts if isinstance(fact, EmsDestination)
    )
    assert topic.properties == (("global", "true"),)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('"type":"topic","name":"t","user":"u","publish":true', ("topic", "t", "user", "u")),
        ('"type":"Queue","queue":"q","group":"g","send":true', ("queue", "q", "group", "g")),
        ('"type":"queue","destination":"q","user":"u"', ("queue", "q", "user", "u")),
        ('"type":"admin","user":"u","view-server":true', ("admin", "", "user", "u")),
        ('"type":"topic","name":"t","user":"","publish":true', None),
        ('"type":"topic","name":"t","user":null,"publish":true', None),
        ('"type":"topic","name":"t","publish":true', None),
        ('"type":"topic","user":"u","publish":true', None),
        ('"type":"topic","name":"","group":"g","publish":true', None),
        ('"type":"route","name":"t","user":"u","publish":true', None),
        ('"name":"t","user":"u","publish":true', None),
        ('"type":"admin","group":"","all":true', None),
    ],
)
def test_a_grant_needs_its_type_name_and_principal(
    entry: str, expected: tuple[str, ...] | None
) -> None:
    text = SERVER + '"acls":[{' + entry + "}]}"
    grants = [
        (fact.type, fact.name, fact.principal_type, fact.principal)
        for fact in parse_text(FILE, text, strict=False).facts
        if isinstance(fact, EmsGrant)
    ]
    lost = [("error", "missing-key", 1, 35, "acls[0]")]
    assert (grants, findings(text)) == (([expected], []) if expected else ([], lost))
