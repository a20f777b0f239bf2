"""The replay of recorded cases of forms that the project's own cases do not show: everything is
compared or counted as left out.
"""

from __future__ import annotations

from golden.made_steps import A, B, attach, send


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


def test_receivers_that_take_turns_in_one_course_are_compared_one_by_one(replay):
    """Two receivers of one router get every second message each (M-5): nothing else can be."""
    taken = {"b": ["sent-00", "sent-02"], "c": ["sent-01", "sent-03"]}
    rows = {name: {"count": 2, "ids": ids} for name, ids in taken.items()}
    fields = replay(attach("b B z", "c B z"), send("z", 4, received=rows))
    assert not fields.different
    assert not fields.left_out
    other = {
        name: {"count": 2, "ids": ids}
        for name, ids in zip("bc", reversed(taken.values()), strict=True)
    }
    fields = replay(attach("b B z", "c B z"), send("z", 4, received=other))
    assert fields.different


def test_only_phases_0_and_1_show_as_a_waypoint(replay):
    """What a router shows in the column is ``in_phase == 0 && out_phase == 1`` (D-2)."""
    entries = {"both": (0, 2), "way": (0, 1), "plain": (0, 0), "late": (1, 2)}
    text = A.replace("    waypoint: yes\n", "    name: q\n    waypoint: yes\n") + "".join(
        f"address {{\n    name: {name}\n    prefix: {name}\n    ingressPhase: {ingress}\n"
        f"    egressPhase: {egress}\n}}\n"
        for name, (ingress, egress) in entries.items()
    )
    rows = [
        {"name": name, "waypoint": name in ("q", "way"), "prefix": name, "distribution": "balanced"}
        for name in ("q", *entries)
    ]
    step = {"op": "config", "types": []}
    fields = replay(
        (step, {"config": {"A": {"router.config.address": rows}}}),
        configs=(("A", text), ("B", B)),
    )
    assert not [one for one in fields.different if "waypoint" in one]
