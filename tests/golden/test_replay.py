"""The replay of recorded cases of forms that the project's own cases do not show: everything is
compared or counted as left out.
"""

from __future__ import annotations

from golden.made_steps import attach, send


def test_messages_in_two_containers_at_once_are_followed(replay):
    fields = replay(
        send("q", 4, broker_deposits={"K": {"q": 2}, "L": {"q": 2}}),
        attach("b B q"),
        (
            {"op": "received_total"},
            {"received_total": {"b": {"count": 4, "ids": ["?", "?", "?", "?"]}}},
        ),
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
        (
            {"op": "broker_log"},
            {"attaches": {"K": [], "L": [{"link": "?", "address": "?", "peer_container": "?"}]}},
        ),
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
    fields = replay(
        ({"op": "config", "types": []}, {"config": {"A": {"router.config.binding": [binding]}}})
    )
    assert not fields.different
    assert fields.compared >= 4
    assert sum(fields.left_out.values()) == 1


def test_a_connector_is_connected_while_somebody_listens_at_its_port(replay):
    def status(text):
        row = {"name": "connector/127.0.0.1:20001", "connectionStatus": text}
        return {"op": "config", "types": ["connector"]}, {"config": {"B": {"connector": [row]}}}

    fields = replay(status("SUCCESS"), ({"op": "kill", "routers": ["A"]}, {}), status("FAILED"))
    assert not [text for text in fields.different if "connectionStatus" in text]


def test_fields_and_forms_that_are_not_known_are_counted_as_left_out(replay):
    fields = replay(
        (
            {"op": "probe", "router": "A", "addresses": ["x"]},
            {"probe": {"x": {"refused": {"condition": "c"}}}},
        ),
        send("q", 1, broker_deposits={"K": {"q": 1}}, took={"seconds": 1}),
        ({"op": "received_total"}, {}),
    )
    assert not fields.different
    assert fields.left_out == {"probes that gave no row": 1, "send has an unknown field took": 1}
    assert fields.not_replayed == {"step 3 (received_total): no result received_total": 1}


def test_a_log_line_about_something_else_than_the_file_is_left_out(replay):
    lines = ["ROUTER (warning) something that only happens at run time"]
    fields = replay(({"op": "log_grep"}, {"log": {"A": lines}, "started": {"A": True}}))
    assert not fields.different
    assert fields.left_out == {"log lines of a kind that no finding stands for": 1}


def test_what_is_recorded_otherwise_is_said(replay):
    fields = replay(send("q", 1, credit=False, broker_deposits={"K": {"q": 1}}))
    assert fields.different == ["step 1 (send).credit: recorded False, predicted True"]
