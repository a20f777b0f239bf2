"""The replay of recorded cases of forms that the project's own cases do not show: everything is compared or counted as left out."""

from __future__ import annotations

import json

import pytest
from golden.amq_interconnect_case import Case

A = """
router {
    mode: interior
    id: A
}
listener {
    host: 127.0.0.1
    port: 20001
    role: inter-router
}
connector {
    name: k
    host: 127.0.0.1
    port: 20010
    role: route-container
}
connector {
    name: l
    host: 127.0.0.1
    port: 20011
    role: route-container
}
address {
    prefix: q
    waypoint: yes
}
autoLink {
    address: q
    direction: out
    connection: k
}
autoLink {
    address: q
    direction: in
    connection: k
}
autoLink {
    address: q
    direction: out
    connection: l
}
autoLink {
    address: q
    direction: in
    connection: l
}
linkRoute {
    prefix: lq
    direction: in
    connection: k
}
linkRoute {
    prefix: lq
    direction: out
    connection: k
}
linkRoute {
    prefix: lq
    direction: out
    connection: l
}
exchange {
    name: ex
    address: topic
}
binding {
    exchangeName: ex
    bindingKey: a
    nextHopAddress: next
}
sslProfile {
    name: tls
    certFile: /cert.pem
}
"""

B = """
router {
    mode: interior
    id: B
}
connector {
    host: 127.0.0.1
    port: 20001
    role: inter-router
}
address {
    prefix: q
    waypoint: yes
}
"""


@pytest.fixture
def replay(tmp_path):
    """Replay steps, given as (inputs, results), in a network of two routers with two containers behind A."""

    def made(*steps, configs=(("A", A), ("B", B))):
        (tmp_path / "configs").mkdir()
        for name, text in configs:
            (tmp_path / "configs" / f"{name}.conf").write_text(text, encoding="utf-8")
        scenario = {
            "case": "made",
            "routers": {name: {"config": f"configs/{name}.conf", "mode": "interior"} for name, _ in configs},
            "brokers": [
                {"name": "K", "container": "K", "port": 20010},
                {"name": "L", "container": "L", "port": 20011},
            ],
            "steps": [{"step": n, **inputs} for n, (inputs, _) in enumerate(steps, 1)],
        }
        observed = {
            "case": "made",
            "router_version": "qpid-dispatch 1.19.0",
            "steps": [{"step": n, "op": inputs["op"], **results} for n, (inputs, results) in enumerate(steps, 1)],
        }
        (tmp_path / "scenario.json").write_text(json.dumps(scenario), encoding="utf-8")
        (tmp_path / "observed.json").write_text(json.dumps(observed), encoding="utf-8")
        return Case(tmp_path).replay()

    return made


def send(address, count, router="B", label="sent", **results):
    inputs = {"op": "send", "label": label, "router": router, "address": address, "count": count}
    return inputs, {"credit": True, "outcomes": {"accepted": count}, "received": {}, "zero": [], **results}


def attach(*receivers):
    named = [dict(zip(("id", "router", "address"), text.split(), strict=True)) for text in receivers]
    return {"op": "attach", "receivers": named}, {"receivers": {one["id"]: "attached" for one in named}}


def test_messages_in_two_containers_at_once_are_followed(replay):
    fields = replay(
        send("q", 4, broker_deposits={"K": {"q": 2}, "L": {"q": 2}}),
        attach("b B q"),
        ({"op": "received_total"}, {"received_total": {"b": {"count": 4, "ids": ["?", "?", "?", "?"]}}}),
    )
    assert not fields.different
    assert fields.left_out == {"which of several receivers got which message": 1}


def test_containers_that_share_receivers_give_what_the_totals_tell_of(replay):
    fields = replay(
        send("q", 3, broker_deposits={"K": {"q": 2}, "L": {"q": 1}}),
        attach("b B q", "c B q"),
        ({"op": "received_total"}, {"received_total": {"b": {"count": 2}, "c": {"count": 1}}}),
    )
    assert not fields.different


def test_a_link_that_rotation_decided_is_left_out_of_the_log_of_a_container(replay):
    fields = replay(
        attach("r B lq.1"),
        ({"op": "broker_log"}, {"attaches": {"K": [], "L": [{"link": "?", "address": "?", "peer_container": "?"}]}}),
    )
    assert not fields.different
    assert fields.left_out == {"links that rotation opened to one of several containers": 1}


def test_receivers_lose_their_link_with_the_last_container_it_may_lead_to(replay):
    fields = replay(
        attach("r B lq.1"),
        ({"op": "stop_broker", "brokers": ["K", "L"]}, {}),
        send("q", 1, credit=False, outcomes={"not_sent": 1}, zero=["r"], broker_deposits={}),
    )
    assert not fields.different


def test_an_exchange_stands_in_the_address_tables(replay):
    row = {
        "key": "M0topic",
        "class": "mobile",
        "distribution": "balanced",
        "priority": -1,
        "local": 0,
        "remote": 1,
        "containers": 0,
        "remoteHostRouters": ["A"],
    }
    fields = replay(({"op": "addresses"}, {"addresses": {"B": [row]}}))
    assert not [text for text in fields.different if "M0topic" in text]


def test_configuration_of_types_that_no_case_shows_is_compared_as_far_as_the_file_says(replay):
    binding = {
        "name": "binding/0",
        "type": "org.apache.qpid.dispatch.router.config.binding",
        "exchangeName": "ex",
        "bindingKey": "a",
        "nextHopAddress": "next",
        "matchedCount": 3,
        "somethingElse": 1,
    }
    fields = replay(({"op": "config", "types": []}, {"config": {"A": {"router.config.binding": [binding]}}}))
    assert not fields.different
    assert fields.compared >= 4
    assert sum(fields.left_out.values()) == 1


def test_a_connector_is_connected_while_somebody_listens_at_its_port(replay):
    def status(text):
        row = {"name": "connector/127.0.0.1:20001", "connectionStatus": text}
        return {"op": "config", "types": ["connector"]}, {"config": {"B": {"connector": [row]}}}

    fields = replay(status("SUCCESS"), ({"op": "kill", "routers": ["A"]}, {}), status("FAILED"))
    assert not [text for text in fields.different if "connectionStatus" in text]


def test_steps_fields_and_forms_that_are_not_known_are_counted_as_left_out(replay):
    fields = replay(
        ({"op": "restart", "routers": ["A"]}, {"restarted": {"A": True}}),
        ({"op": "probe", "router": "A", "addresses": ["x"]}, {"probe": {"x": {"refused": {"condition": "c"}}}}),
        ({"op": "addresses"}, {"addresses": {"nobody": [{"key": "M0x"}]}}),
        send("q", 1, broker_deposits={"K": {"q": 1}}, took={"seconds": 1}),
        ({"op": "received_total"}, {}),
    )
    assert not fields.different
    assert sum(fields.left_out.values()) == 5


def test_a_log_line_about_something_else_than_the_file_is_left_out(replay):
    lines = ["ROUTER (warning) something that only happens at run time"]
    fields = replay(({"op": "log_grep"}, {"log": {"A": lines}, "started": {"A": True}}))
    assert not fields.different
    assert fields.left_out == {"log lines of a kind that no finding stands for": 1}


def test_what_is_recorded_otherwise_is_said(replay):
    fields = replay(send("q", 1, credit=False, broker_deposits={"K": {"q": 1}}))
    assert fields.different == ["step 1 (send).credit: recorded False, predicted True"]
