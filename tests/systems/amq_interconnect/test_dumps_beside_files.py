"""What runs, beside what is configured."""

from __future__ import annotations

from textwrap import dedent

import pytest
from systems.amq_interconnect.dumped import Dump, findings, kinds, linked

FILE = """\
    router {
        mode: interior
        id: A
    }
    listener {
        host: 0.0.0.0
        port: amqp
    }
    connector {
        name: broker
        host: b
        port: 5672
        role: route-container
    }
    address {
        prefix: q/
        distribution: closest
    }
    autoLink {
        address: q.1
        direction: out
        connection: broker
    }
    linkRoute {
        prefix: lr
        direction: in
        connection: broker
    }
    """


def running():
    """The dump of a router that runs exactly FILE."""
    dump = Dump("A").neighbours()
    dump.connector("broker", "B", host="b", port="5672", role="route-container")
    dump.add("router.config.address", identity="1", name="address/0", prefix="q",
        distribution="closest", waypoint=False, ingressPhase=0,
             egressPhase=0, priority=-1, fallback=False)  # fmt: skip
    dump.add("router.config.autoLink", identity="2", name="autoLink/0", address="q.1",
        direction="out", connection="broker", phase=0,
             fallback=False, operStatus="active")  # fmt: skip
    return dump.add("router.config.linkRoute", identity="3", name="linkRoute/0", prefix="lr",
        direction="in", connection="broker",
                    distribution="linkBalanced", operStatus="active")  # fmt: skip


def row(dump, type_):
    return next(row for row in dump.rows if row["type"].endswith("." + type_))


def differing(estate, dump):
    network = estate(dump, files={"a.conf": FILE})
    return findings(network, "differs", "not-running", "not-configured", "connector-not-connected",
        "autolink-not-active", "linkroute-not-active",
                    "refused-but-runs", "router-not-running")  # fmt: skip


def test_a_router_that_runs_its_file_differs_in_nothing(estate):
    assert differing(estate, running()) == []


@pytest.mark.parametrize(
    ("type_", "change", "place", "message"),
    [
        (
            "address",
            {"distribution": None},
            "a.conf:15",
            "runs with distribution unavailable (A.json:",
        ),
        ("address", {"fallback": True}, "a.conf:15", "runs with enableFallback true (A.json:"),
        ("address", {"egressPhase": 1}, "a.conf:15", "is configured with 0 (by default)"),
        ("connector", {"role": "normal"}, "a.conf:9", "runs with role normal"),
        (
            "router",
            {"mode": "standalone"},
            "a.conf:1",
            "The router runs as standalone (A.json:2:2), and is configured as interior",
        ),
    ],
)
def test_an_attribute_that_runs_with_another_value_is_named_with_both_places(
    estate, type_, change, place, message
):
    dump = running()
    row(dump, type_).update(change)
    ((kind, found, text),) = differing(estate, dump)
    assert (kind, found) == ("differs", place)
    assert message in text


@pytest.mark.parametrize(
    ("type_", "name", "value", "severity"),
    [
        ("listener", "stripAnnotations", "in", "warning"),
        ("listener", "linkCapacity", 7, "warning"),
        ("listener", "multiTenant", True, "warning"),
        ("connector", "stripAnnotations", "out", "warning"),
        ("connector", "cost", 5, "warning"),
        ("connector", "idleTimeoutSeconds", 99, "info"),
        ("listener", "maxFrameSize", 4242, "info"),
    ],
)
def test_a_difference_is_a_warning_where_it_sends_messages_elsewhere(
    estate, type_, name, value, severity
):
    dump = running()
    row(dump, type_)[name] = value
    network = estate(dump, files={"a.conf": FILE})
    found = [each for each in network.check().findings if each["kind"] == "differs"]
    assert [(each["rule"], each["severity"]) for each in found] == [("D-2", severity)]
    assert f" with {name} " in found[0]["message"]


@pytest.mark.parametrize("name", ["addExternalPrefix", "delExternalPrefix"])
def test_a_link_route_that_runs_with_another_prefix_is_a_warning(estate, name):
    dump = running()
    row(dump, "linkRoute")[name] = "x."
    network = estate(
        dump, files={"a.conf": FILE.replace("prefix: lr", f"prefix: lr\n        {name}: y.")}
    )
    found = [each for each in network.check().findings if each["kind"] == "differs"]
    assert [(each["severity"], f"runs with {name} x." in each["message"]) for each in found] == [
        ("warning", True)
    ]


TWO_BROKERS = (
    FILE
    + """\
    connector {
        name: other
        host: c
        port: 5672
        role: route-container
    }
    linkRoute {
        prefix: lr
        direction: out
        connection: broker
    }
    linkRoute {
        prefix: lr
        direction: in
        connection: other
    }
    linkRoute {
        pattern: x/*
        direction: in
        connection: other
    }
    """
)


@pytest.mark.parametrize(
    ("link_route", "place"),
    [
        ({"prefix": "lr", "direction": "in", "connection": "broker"}, "a.conf:24:1"),
        ({"prefix": "lr", "direction": "out", "connection": "broker"}, "a.conf:35:1"),
        ({"prefix": "lr", "direction": "in", "connection": "other"}, "a.conf:40:1"),
        ({"pattern": "x/*", "direction": "in", "connection": "other"}, "a.conf:45:1"),
    ],
)
def test_of_several_link_routes_the_one_that_is_not_active_is_named(estate, link_route, place):
    dump = running()
    dump.rows.remove(row(dump, "linkRoute"))
    dump.add(
        "router.config.linkRoute",
        identity="9",
        name="n",
        distribution="linkBalanced",
        operStatus="inactive",
        **link_route,
    )
    network = estate(dump, files={"a.conf": TWO_BROKERS})
    ((_, _, message),) = findings(network, "linkroute-not-active")
    assert message.endswith(f"is inactive; configured in {place}")
    (found,) = [each for each in network.check().findings if each["kind"] == "linkroute-not-active"]
    assert (found["rule"], found["severity"]) == ("D-6", "warning")
    missing = {
        (source, text.partition(" is configured")[0])
        for _, source, text in findings(network, "not-running")
        if "linkRoute" in text
    }
    others = {
        ("a.conf:24", "The linkRoute in with prefix lr"),
        ("a.conf:35", "The linkRoute out with prefix lr"),
        ("a.conf:40", "The linkRoute in with prefix lr"),
        ("a.conf:45", "The linkRoute in with pattern x/*"),
    }
    assert missing == {other for other in others if f"{other[0]}:1" != place}


def test_bindings_are_told_apart_by_exchange_key_and_next_hop(estate):
    exchanges = "".join(
        f"exchange {{\n name: {name}\n address: {name}\n}}\n" for name in ("e", "f")
    )
    bound = "binding {\n name: b\n exchangeName: e\n bindingKey: k\n nextHopAddress: n\n}\n"
    for number, change in enumerate(
        ({}, {"exchangeName": "f"}, {"bindingKey": "l"}, {"nextHopAddress": "m"})
    ):
        dump = running()
        for name in ("e", "f"):
            dump.add("router.config.exchange", identity=f"x{name}", name=name, address=name)
        dump.add(
            "router.config.binding",
            identity="b",
            name="b",
            **{"exchangeName": "e", "bindingKey": "k", "nextHopAddress": "n", **change},
        )
        found = findings(
            estate(dump, files={"a.conf": dedent(FILE) + exchanges + bound}),
            "not-running",
            "not-configured",
        )
        assert {kind for kind, _, _ in found} == (
            set() if not number else {"not-running", "not-configured"}
        )


def test_of_many_dumps_five_are_named_and_the_rest_counted(estate):
    for count, text in ((5, "A, B, C, D, E only"), (6, "A, B, C, D, E and 1 more only")):
        network = estate(*(Dump(name).neighbours() for name in "ABCDEF"[:count]))
        ((_, _, message),) = findings(network, "configuration-from-dump")
        assert message.startswith(f"Of {text} dumps are loaded")


def test_what_a_running_router_adds_or_makes_up_is_no_difference(estate):
    dump = running()
    row(dump, "connector").update(connectionMsg="up", failoverUrls="amqp://b:5672, amqp://c:5672")
    row(dump, "autoLink").update(linkRef="9", lastError="")
    row(dump, "listener").update(name="another", identity="z")
    assert differing(estate, dump) == []


def test_a_whole_dump_without_entities_of_a_type_says_that_none_runs(estate):
    dump = running()
    dump.rows.remove(row(dump, "autoLink"))
    assert [(kind, place) for kind, place, _ in differing(estate, dump)] == [
        ("not-running", "a.conf:19")
    ]


def test_a_dump_of_a_router_and_its_listeners_alone_is_a_whole_one(estate):
    dump = running()
    dump.rows = [dump.rows[0], row(dump, "listener")]
    assert {(kind, place) for kind, place, _ in differing(estate, dump)} == {
        ("not-running", f"a.conf:{line}") for line in (9, 15, 19, 24)
    }


def test_the_names_of_ports_are_their_numbers(estate):
    dump = running()
    row(dump, "listener").update(port="5671", name="l2")
    file = FILE.replace("port: amqp", "port: amqps")
    network = estate(dump, files={"a.conf": file})
    assert findings(network, "differs", "not-running", "not-configured") == []


def test_what_runs_and_is_not_configured_and_the_reverse(estate):
    dump = running()
    row(dump, "autoLink")["address"] = "q.2"
    running_only, configured_only = differing(estate, dump)
    assert running_only[0] == "not-configured"
    assert running_only[1].startswith("A.json:")
    assert (
        running_only[2]
        == "The autoLink out for q.2 runs, and is not in the configuration (a.conf:1:1)"
    )
    assert configured_only == (
        "not-running",
        "a.conf:19",
        "The autoLink out for q.1 is configured, and the router runs without it (A.json:2:2)",
    )


def test_links_of_a_broker_that_are_not_active_say_why_and_where_they_are_configured(estate):
    dump = running()
    row(dump, "autoLink").update(operStatus="failed", lastError="Node not found")
    row(dump, "linkRoute").update(operStatus="inactive")
    row(dump, "connector").update(connectionStatus="CONNECTING")
    assert [(kind, message) for kind, _, message in differing(estate, dump)] == [
        (
            "connector-not-connected",
            "The connector broker is not connected (CONNECTING); configured in a.conf:9:1",
        ),
        (
            "autolink-not-active",
            (
                "The autoLink out for q.1 (broker) is failed; configured in a.conf:19:1: "
                "Node not found"
            ),
        ),
        (
            "linkroute-not-active",
            "The linkRoute in for lr (broker) is inactive; configured in a.conf:24:1",
        ),
    ]


def test_a_query_for_one_type_says_nothing_of_what_it_does_not_show(estate):
    dump = running()
    dump.rows = [dump.rows[0], row(dump, "address")]
    assert differing(estate, dump) == []


def test_a_router_that_runs_although_its_file_is_refused_runs_another_one(estate):
    network = estate(running(), files={"a.conf": FILE + "nonsense {\n}\n"})
    assert [(kind, place) for kind, place, _ in findings(network, "refused-but-runs")] == [
        ("refused-but-runs", "a.conf:1")
    ]


def test_a_file_whose_id_is_made_at_start_is_not_said_not_to_run(estate):
    network = estate(Dump("A-0").neighbours(), files={"a.conf": linked("${HOSTNAME}")})
    assert [place for _, place, _ in findings(network, "router-not-told")] == ["a.conf:1"]
    assert not findings(network, "router-not-running")


def test_a_dump_is_of_no_file_where_several_have_its_id(estate):
    network = estate(
        Dump("A").neighbours("B"), files={"a.conf": linked("A"), "b.conf": linked("A", up=True)}
    )
    assert kinds(network) == ["duplicate-router-id", "neighbour-of-same-id"]
