"""The loading rules C-2 to C-9 and the defaults of section 1."""

from __future__ import annotations

import json

import pytest

from topograph.findings import Severity
from topograph.importers.amq_interconnect import parse_text


def load(*sections):
    return parse_text(
        "json", json.dumps([["router", {"id": "R", "mode": "interior"}], *sections]), "r.json"
    )


def found(read):
    return [(finding.kind, finding.rule, finding.severity) for finding in read.findings]


@pytest.mark.parametrize(
    ("text", "value"),
    [("Yes", "true"), ("ON", "true"), ("off", "false"), (0, "false"), (2, "true"), ([], "false")],
)
def test_booleans_are_words_in_any_case_or_python_truth(text, value):
    assert load(["listener", {"http": text}]).entities[1].get("http") == value


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("waypoint", "maybe"),
        ("priority", "high"),
        ("priority", "1.5"),
        ("distribution", "roundrobin"),
        ("distribution", 4),
        ("distribution", "-1"),
    ],
)
def test_a_value_that_does_not_fit_its_type_is_refused(attribute, value):
    read = load(["address", {"prefix": "q", attribute: value}])
    assert found(read) == [("invalid-value", "C-2", Severity.ERROR)]
    assert not read.starts


@pytest.mark.parametrize("value", ["7", 7, 7.9, " 7 ", True])
def test_integers_are_text_or_numbers(value):
    cost = load(["connector", {"role": "inter-router", "cost": value}]).entities[1].get("cost")
    assert cost == ("1" if value is True else "7")


@pytest.mark.parametrize("id_", ["has space", "tab\there", "bell\x07", "x" * 128])
def test_an_id_with_white_space_or_too_long_is_refused(id_):
    read = parse_text("json", json.dumps([["router", {"id": id_}]]))
    assert [finding.kind for finding in read.loaded.refusals] == ["invalid-router-id"]


def test_an_id_of_127_characters_is_accepted():
    assert parse_text("json", json.dumps([["router", {"id": "x" * 127}]])).starts


def test_an_id_that_is_filled_in_at_start_is_kept_and_said():
    read = parse_text("conf", "router {\n id: ${HOSTNAME}\n}\n")
    assert (read.server, read.starts, [finding.kind for finding in read.findings]) == (
        "${HOSTNAME}",
        True,
        ["router-id-template"],
    )


def test_a_router_without_an_id_is_named_after_its_file():
    assert parse_text("conf", "router {\n}\n", "a/b.conf").server == "router at a/b.conf"


def test_names_are_unique_over_all_types_but_generated_names_may_repeat():
    same = [["connector", {"role": "route-container"}], ["connector", {"role": "route-container"}]]
    assert load(*same).starts
    read = load(["connector", {"name": "n"}], ["address", {"name": "n", "prefix": "q"}])
    assert [finding.kind for finding in read.loaded.refusals] == ["duplicate-name"]


def test_generated_names_count_the_sections_of_a_type_dropped_ones_included():
    read = load(
        ["address", {"prefix": "a", "priority": 12}],
        ["address", {"name": "x", "prefix": "b"}],
        ["address", {"prefix": "c"}],
    )
    assert [entity.name for entity in read.entities if entity.type == "address"] == [
        "x",
        "address/2",
    ]


@pytest.mark.parametrize(
    ("attributes", "logged"),
    [
        ({"prefix": "q", "ingressPhase": 1}, False),
        ({"prefix": "q", "egressPhase": 1}, False),
        ({"prefix": "q", "waypoint": True, "enableFallback": True}, False),
        ({"prefix": "q", "ingressPhase": 0, "egressPhase": 1, "enableFallback": True}, False),
        ({"prefix": "./"}, False),
        ({"pattern": "/"}, False),
        ({"prefix": "q", "priority": 10}, False),
        ({"prefix": "q", "pattern": "q"}, True),
        ({}, True),
    ],
)
def test_an_address_that_the_router_drops_is_an_error_and_no_fact(attributes, logged):
    read = load(["address", attributes])
    assert [entity.type for entity in read.entities if entity.type != "startup"] == ["router"]
    assert read.starts
    assert found(read) == [("address-dropped", "C-6" if logged else "C-5", Severity.ERROR)]
    assert ("without a word" in read.findings[0].message) is not logged


@pytest.mark.parametrize(("first", "second"), [("prefix", "dup"), ("pattern", "#/*/#")])
def test_of_two_entries_with_equal_tokens_the_first_wins(first, second):
    other = {"dup": "dup/#", "#/*/#": "*.#"}[second]
    read = load(
        ["address", {first: second}], ["address", {"pattern": other, "distribution": "multicast"}]
    )
    assert [entity.name for entity in read.entities if entity.type == "address"] == ["address/0"]
    assert [finding.kind for finding in read.findings if finding.rule == "C-6"] == [
        "address-dropped"
    ]


def test_an_entry_that_was_dropped_shadows_nothing():
    read = load(["address", {"prefix": "q", "priority": 12}], ["address", {"prefix": "q"}])
    assert [entity.name for entity in read.entities if entity.type == "address"] == ["address/1"]


@pytest.mark.parametrize(
    ("attributes", "phases", "waypoint"),
    [
        ({}, ("0", "0"), "false"),
        ({"waypoint": "yes"}, ("0", "1"), "true"),
        ({"ingressPhase": 0, "egressPhase": 1}, ("0", "1"), "true"),
        ({"waypoint": "yes", "ingressPhase": 1, "egressPhase": 2}, ("1", "2"), "false"),
    ],
)
def test_explicit_phases_win_over_waypoint(attributes, phases, waypoint):
    entity = load(["address", {"prefix": "q", **attributes}]).entities[1]
    assert (entity.get("ingressPhase"), entity.get("egressPhase")) == phases
    assert entity.get("waypoint") == waypoint


@pytest.mark.parametrize(
    ("attributes", "phase"),
    [
        ({"direction": "in"}, "1"),
        ({"direction": "out"}, "0"),
        ({"direction": "in", "fallback": "yes"}, "0"),
        ({"direction": "in", "phase": 0}, "0"),
    ],
)
def test_the_phase_of_an_autolink_follows_its_direction(attributes, phase):
    broker = ["connector", {"name": "b", "role": "route-container"}]
    read = load(broker, ["autoLink", {"address": "q", "connection": "b", **attributes}])
    assert (read.entities[2].get("phase"), read.findings) == (phase, ())


@pytest.mark.parametrize(
    ("connection", "never"),
    [
        ("b", False),
        ("l", False),
        ("plain", True),
        ("nowhere", True),
        ("connector/127.0.0.1:amqp", True),
        (None, True),
    ],
)
@pytest.mark.parametrize("link", ["linkRoute", "autoLink"])
def test_a_link_without_a_route_container_connection_never_becomes_active(link, connection, never):
    read = load(
        ["connector", {"name": "b", "role": "route-container"}],
        ["listener", {"name": "l", "role": "route-container"}],
        ["connector", {"name": "plain"}],
        ["connector", {"role": "route-container"}],
        [
            link,
            {
                "address" if link == "autoLink" else "prefix": "q",
                "direction": "out",
                "connection": connection,
            },
        ],
    )
    assert [entry.never_active for entry in read.loaded.entries if entry.type == link] == [never]
    # The network says it, of what a script makes too (C-7).
    assert not read.findings


def test_a_cost_where_costs_do_not_count_is_said():
    read = load(
        ["connector", {"role": "edge", "cost": 3}],
        ["connector", {"role": "inter-router", "cost": 0}],
    )
    assert found(read) == [
        ("cost-without-effect", "T-3", Severity.INFO),
        ("cost-below-one", "C-4", Severity.WARNING),
    ]
    assert read.starts


def test_the_spelling_of_the_guide_is_read_and_flagged():
    read = load(["linkRoute", {"prefix": "q", "direction": "in", "containerID": "broker"}])
    assert read.entities[1].get("containerId") == "broker"
    assert [(finding.kind, finding.rule) for finding in read.findings] == [("old-attribute", "C-2")]
    assert not read.starts
    assert read.entities[-1].get("starts") == "before-1.0"


def test_old_sections_are_read_as_what_they_became():
    text = """\
container {
    containerName: C
}
router {
    mode: interior
    routerId: A
}
connector {
    name: hub
    addr: hub.example
    role: on-demand
}
fixedAddress {
    prefix: /orders
    phase: 0
    fanout: single
    bias: spread
}
fixedAddress {
    prefix: /orders
    phase: 1
    fanout: single
}
fixedAddress {
    prefix: news
}
linkRoutePattern {
    prefix: q
    connector: hub
}
"""
    read = parse_text("conf", text, "old.conf")
    addresses = [
        (e.get("prefix"), e.get("distribution")) for e in read.entities if e.type == "address"
    ]
    routes = [
        (e.get("prefix"), e.get("direction"), e.get("connection"))
        for e in read.entities
        if e.type == "linkRoute"
    ]
    (connector,) = [entity for entity in read.entities if entity.type == "connector"]
    assert read.server == "A"
    assert addresses == [("orders", "balanced"), ("news", "multicast")]
    assert routes == [("q", "in", "hub"), ("q", "out", "hub")]
    assert (connector.get("host"), connector.get("role")) == ("hub.example", "on-demand")
    assert not read.starts
    assert read.loaded.starts_if_old
    assert all("1.x refuses this file" in finding.message for finding in read.loaded.refusals)


@pytest.mark.parametrize("name", ["saslPassword", "sasl-password"])
@pytest.mark.parametrize("form", ["conf", "json"])
def test_secrets_stay_in_the_file(name, form):
    secret = "tiger-in-the-tank"
    sections = [
        ["connector", {name: secret, "failoverUrls": f"amqp://u:{secret}@h:1"}],
        ["sslProfile", {"password": secret}],
    ]
    if form == "json":
        text = json.dumps(
            [*sections, ["vhost", {"password": secret}], ["connector", {"saslPasword": secret}]]
        )
    else:
        text = "".join(
            f"{type_} {{\n" + "".join(f"  {key}: {value}\n" for key, value in body.items()) + "}\n"
            for type_, body in sections
        )
        text += (
            f"connector {{\n  saslPasword: {secret}\n  saslPassword {secret}\n  "
            f'sasl-password: "{secret}"\n'
        )
    assert secret not in repr(parse_text(form, text))


SKUPPER = [
    (
        "skupper-section",
        [
            "proxyProfile",
            {"name": "p", "host": "proxy", "port": "3128", "username": "u", "password": "x"},
        ],
    ),
    ("skupper-section", ["listenerAddress", {"address": "a", "value": 1, "listener": "l"}]),
    ("skupper-section", ["network", {"networkId": "net-A"}]),
    ("skupper-section", ["managedRouter", {"vanId": "van"}]),
    ("skupper-section", ["site", {"provider": "p", "platform": "q", "version": "2.1"}]),
    (
        "skupper-attribute",
        ["connector", {"host": "h", "role": "inter-router", "proxyProfile": "p"}],
    ),
    ("skupper-attribute", ["sslProfile", {"name": "s", "ordinal": 3}]),
    ("skupper-attribute", ["sslProfile", {"name": "s", "oldestValidOrdinal": 2}]),
    (
        "skupper-attribute",
        ["autoLink", {"direction": "in", "connection": "n", "externalAddress": "_xtopo/net-A"}],
    ),
    ("skupper-role", ["listener", {"name": "n", "role": "inter-network"}]),
]


@pytest.mark.parametrize(
    ("kind", "section"), SKUPPER, ids=lambda value: value[0] if isinstance(value, list) else ""
)
def test_what_only_skupper_router_reads_is_read_and_said(kind, section):
    read = (
        load(["connector", {"name": "n", "role": "inter-network"}], section)
        if section[0] == "autoLink"
        else load(section)
    )
    own = [
        finding for finding in read.findings if finding.kind == kind and finding.source.line == 1
    ]
    assert {(finding.rule, finding.severity) for finding in own} == {("1.8", Severity.INFO)}
    assert (read.starts, read.loaded.refusals) == (False, ())
    assert section[0] in [entity.type for entity in read.entities]
    (startup,) = [entity for entity in read.entities if entity.type == "startup"]
    assert startup.get("starts") == "from-2.0"


def test_an_autolink_without_address_is_refused_where_nothing_else_is_skuppers():
    read = load(
        ["connector", {"name": "n", "role": "route-container"}],
        ["autoLink", {"direction": "in", "connection": "n"}],
    )
    assert [(finding.kind, finding.rule) for finding in read.loaded.refusals] == [
        ("missing-attribute", "C-2")
    ]


def test_the_hold_off_of_unreachable_routers_is_an_attribute_of_skuppers_router_section():
    read = parse_text("json", json.dumps([["router", {"id": "R", "unreachableHoldoffSeconds": 5}]]))
    assert [finding.kind for finding in read.findings] == ["skupper-attribute"]
    assert read.entities[0].get("unreachableHoldoffSeconds") == "5"


def test_an_autolink_over_a_connection_to_another_network_can_be_active():
    read = load(
        ["connector", {"name": "n", "role": "inter-network"}],
        ["autoLink", {"address": "a", "direction": "in", "connection": "n"}],
    )
    assert not any(entry.never_active for entry in read.loaded.entries)


def test_the_password_of_a_proxy_is_not_kept():
    assert "tiger" not in repr(load(["proxyProfile", {"name": "p", "password": "tiger"}]))
