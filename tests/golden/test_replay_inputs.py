"""Every input that the README of the recorded cases allows means what it says there, and no
other is ignored.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from golden.made_steps import attach, send

RECEIVER = {"id": "b", "router": "B", "address": "x"}


def router(name, *to, port=0, more="", id_=""):
    """The configuration of an interior router that listens at a port and connects to others."""
    listener = (
        f"listener {{\n host: 127.0.0.1\n port: {port}\n role: inter-router\n}}\n" if port else ""
    )
    connectors = "".join(
        f"connector {{\n host: 127.0.0.1\n port: {one}\n role: inter-router\n}}\n" for one in to
    )
    return name, f"router {{\n mode: interior\n id: {id_ or name}\n}}\n{listener}{connectors}{more}"


LINE = (router("A", port=1001), router("B", 1001, port=1002), router("C", 1002))


def got(number, *paths):
    return {"count": number, "paths": dict.fromkeys(paths, number)}


def row(key, distribution="balanced", local=0, remote=()):
    found = {
        "key": key,
        "class": "mobile",
        "distribution": distribution,
        "priority": -1,
        "local": local,
    }
    return {**found, "remote": len(remote), "containers": 0, "remoteHostRouters": list(remote)}


def addresses(at, *rows, **inputs):
    return {"op": "addresses", **inputs}, {"addresses": {at: list(rows)}}


def with_inputs(step, **inputs):
    return {**step[0], **inputs}, step[1]


def settling(step, settle):
    (inputs, results) = step
    return {
        **inputs,
        "receivers": [{**one, "settle": settle} for one in inputs["receivers"]],
    }, results


@pytest.mark.parametrize(
    ("step", "named"),
    [
        (({"op": "send", "router": "B", "address": "q", "count": 1, "ttl": 5}, {}), "key 'ttl'"),
        (
            ({"op": "send", "router": "B", "address": "q", "count": 1, "mode": "slow"}, {}),
            "value 'slow' of key 'mode'",
        ),
        (
            ({"op": "send", "router": "B", "address": "q", "count": 1, "presettled": 1}, {}),
            "value 1 of key 'presettled'",
        ),
        (
            ({"op": "send", "router": "B", "address": "q", "count": "1"}, {}),
            "value '1' of key 'count'",
        ),
        (({"op": "send", "router": "B", "address": "q"}, {}), "no key 'count'"),
        (
            ({"op": "send", "router": "Z", "address": "q", "count": 1}, {}),
            "router 'Z' is not among the routers",
        ),
        (
            ({"op": "attach", "receivers": [{**RECEIVER, "credit": 1}]}, {}),
            "key 'credit' of receiver b",
        ),
        (
            ({"op": "attach", "receivers": [{**RECEIVER, "settle": "modify"}]}, {}),
            "value 'modify' of key 'settle'",
        ),
        (
            ({"op": "attach", "receivers": [{"id": "b", "router": "B"}]}, {}),
            "no key 'address' of a receiver",
        ),
        (({"op": "detach", "receivers": ["b"], "error": True}, {}), "key 'error'"),
        (({"op": "kill", "routers": ["A"], "signal": "STOP"}, {}), "key 'signal'"),
        (({"op": "stop_broker", "brokers": ["Z"]}, {}), "broker 'Z' is not among the brokers"),
        (({"op": "start_router", "router": "Z", "config": "other"}, {}), "key 'config'"),
        (({"op": "start_router"}, {}), "no key 'router'"),
        (({"op": "restart", "routers": ["A"]}, {}), "operation restart"),
    ],
)
def test_a_step_with_an_unknown_input_is_not_replayed_and_neither_are_those_after_it(
    replay, step, named
):
    fields = replay(attach("a A q"), step, send("q", 1, received={"a": got(1, "B>A")}))
    assert fields.compared == 1
    assert not fields.different
    first, after = fields.not_replayed
    assert first.startswith(f"step 2 ({step[0]['op']}): ")
    assert named in first
    assert after == f"steps after step 2 ({step[0]['op']})"


@pytest.mark.parametrize(
    ("inputs", "results"),
    [
        ({"op": "routes", "routers": ["A"]}, {"routes": {}}),
        ({"op": "addresses", "only": "M0"}, {"addresses": {}}),
        ({"op": "config", "type": "router"}, {"config": {}}),
        ({"op": "probe", "router": "A", "addresses": ["x"], "role": "sender"}, {"probe": {}}),
        ({"op": "log_grep", "level": "info"}, {"log": {}}),
        ({"op": "broker_log", "brokers": ["K"]}, {"attaches": {}}),
        ({"op": "received_total", "receivers": ["a"]}, {"received_total": {}}),
    ],
)
def test_a_step_that_only_looks_is_passed_over_alone(replay, inputs, results):
    fields = replay((inputs, results), attach("a A x"), send("x", 1, received={"a": got(1, "B>A")}))
    assert not fields.different
    (reason,) = fields.not_replayed
    assert reason.startswith(f"step 1 ({inputs['op']}): ")
    assert fields.compared > 3


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"policy": {}}, "key 'policy'"),
        (
            {"brokers": [{"name": "K", "container": "K", "port": 20010, "slow": True}]},
            "key 'slow' of broker K",
        ),
        ({"routers": {"A": {"config": "configs/A.conf", "env": {}}}}, "key 'env' of router A"),
    ],
)
def test_no_step_of_a_case_with_an_unknown_frame_is_replayed(replay, more, named):
    fields = replay(attach("a A x"), **more)
    assert (fields.compared, fields.not_replayed) == (0, {f"the case has an unknown {named}": 1})


def test_a_result_without_its_step_is_said(replay):
    fields = replay(attach("a A x"), steps=[])
    assert fields.not_replayed == {"step 1 (attach) has no inputs": 1}


def test_a_replay_that_breaks_is_a_difference_and_ends_there(replay):
    fields = replay(
        attach("a A x"), ({"op": "probe", "router": "A", "addresses": ["x"]}, {"probe": []})
    )
    (text,) = fields.different
    assert text.startswith("step 2 (probe) cannot be replayed: AttributeError")


def test_a_case_that_is_not_replayed_whole_is_skipped_with_the_reason(tmp_path, replay):
    replay(({"op": "restart"}, {}))
    script = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
    asked = [
        "-q",
        "-rs",
        "-n0",
        "-p",
        "no:cacheprovider",
        "tests/golden/test_amq_interconnect.py",
        "-k",
        "as_recorded",
    ]
    run = subprocess.run(
        [sys.executable, "-c", script, *asked],
        capture_output=True,
        text=True,
        env={"TOPOGRAPH_GOLDEN_DIR": str(tmp_path), "PATH": "", "HOME": str(tmp_path)},
        check=False,
    )
    assert "not replayed: step 1 (restart): operation restart" in run.stdout, (
        run.stdout + run.stderr
    )
    assert "1 skipped" in run.stdout


@pytest.mark.parametrize(
    ("settle", "outcome"), [("accept", "accepted"), ("reject", "rejected"), ("release", "released")]
)
def test_a_receiver_that_settles(replay, settle, outcome):
    sent = send("x", 2, outcomes={outcome: 2}, received={"b": got(2, "A>B")}, router="A")
    assert not replay(settling(attach("b B x"), settle), sent).different


def test_a_receiver_that_holds_a_message_keeps_the_sender_from_the_next(replay):
    held = settling(attach("b B x"), "hold")
    sent = send(
        "x", 3, outcomes={"unsettled": 1, "not_sent": 2}, received={"b": got(1, "A>B")}, router="A"
    )
    assert not replay(held, sent).different


def test_messages_without_an_outcome_may_have_no_word_in_the_recording(replay):
    held = settling(attach("b B x"), "hold")
    fields = replay(
        held, send("x", 3, outcomes={"not_sent": 2}, received={"b": got(1, "A>B")}, router="A")
    )
    assert not fields.different
    assert fields.left_out == {"the number of messages without an outcome": 1}


def test_a_receiver_that_holds_gets_all_messages_of_a_burst(replay):
    held = settling(attach("b B x"), "hold")
    burst = with_inputs(
        send("x", 5, outcomes={"unsettled": 5}, received={"b": got(5, "A>B")}, router="A"),
        mode="burst",
    )
    assert not replay(held, burst).different


def test_a_burst_spills_over_to_the_next_router_when_its_cost_is_reached(replay):
    held = settling(attach("a A x", "b B x"), "hold")
    results = {"outcomes": {"unsettled": 6}, "received": {"a": got(4, "A"), "b": got(2, "A>B")}}
    fields = replay(held, with_inputs(send("x", 6, router="A", **results), mode="burst"))
    assert fields.compared > 5, str(fields)
    assert not fields.different


def test_a_burst_that_does_not_spill_over_is_a_difference(replay):
    held = settling(attach("a A x", "b B x"), "hold")
    results = {"outcomes": {"unsettled": 6}, "received": {"a": got(6, "A")}, "zero": ["b"]}
    assert replay(held, with_inputs(send("x", 6, router="A", **results), mode="burst")).different


def test_who_gets_messages_while_earlier_ones_are_held_is_left_out_and_the_numbers_are_compared(
    replay,
):
    held = settling(attach("a A x", "b B x"), "hold")
    burst = with_inputs(
        send(
            "x", 1, router="A", outcomes={"unsettled": 1}, received={"a": got(1, "A")}, zero=["b"]
        ),
        mode="burst",
    )
    again = with_inputs(
        send(
            "x", 1, router="A", outcomes={"unsettled": 1}, received={"b": got(1, "A>B")}, zero=["a"]
        ),
        mode="burst",
    )
    fields = replay(held, burst, again)
    assert not fields.different
    assert [*fields.left_out] == [
        "which of several receivers gets messages while earlier ones are not settled"
    ]


def test_the_split_of_a_burst_that_is_settled_meanwhile_is_left_out_and_the_numbers_are_compared(
    replay,
):
    results = {"outcomes": {"accepted": 4}, "received": {"a": got(3, "A"), "b": got(1, "A>B")}}
    burst = with_inputs(send("x", 4, router="A", **results), mode="burst")
    fields = replay(attach("a A x", "b B x"), burst)
    assert not fields.different
    assert fields.left_out.total() == 5


def test_messages_that_a_burst_loses_are_a_difference(replay):
    results = {"outcomes": {"accepted": 4}, "received": {"a": got(2, "A"), "b": got(1, "A>B")}}
    fields = replay(
        attach("a A x", "b B x"), with_inputs(send("x", 4, router="A", **results), mode="burst")
    )
    assert fields.different == ["step 2 (send).copies: recorded 3, predicted 4"]


def test_a_receiver_holds_no_more_than_it_gave_credit_for(replay):
    held = settling(attach("b B x"), "hold")
    results = {"outcomes": {"unsettled": 250, "not_sent": 51}, "received": {"b": got(250, "A>B")}}
    fields = replay(held, with_inputs(send("x", 301, router="A", **results), mode="burst"))
    assert [*fields.left_out] == ["what becomes of messages beyond the 300 that a receiver takes"]


def test_presettled_messages_do_not_wait_for_a_receiver_that_holds(replay):
    held = settling(attach("b B x"), "hold")
    results = {"outcomes": {"presettled": 3}, "received": {"b": got(3, "A>B")}}
    assert not replay(
        held, with_inputs(send("x", 3, router="A", **results), presettled=True)
    ).different


EXCHANGE = """
exchange {
    name: ex
    address: in
    alternateAddress: rest
}
binding {
    exchangeName: ex
    bindingKey: red.*
    nextHopAddress: red
}
binding {
    exchangeName: ex
    bindingKey: blue
    nextHopAddress: blue
}
"""
EXCHANGING = (
    router("A", port=1001),
    router("B", 1001, port=1002, more=EXCHANGE),
    router("C", 1002),
)


def test_a_subject_is_that_of_all_messages_and_paths_begin_at_the_exchange(replay):
    sent = send("in", 2, router="A", received={"r": got(2, "B>A")}, zero=["b"])
    fields = replay(
        attach("r A red", "b C blue"), with_inputs(sent, subject="red.x"), configs=EXCHANGING
    )
    assert not fields.different


def test_subjects_are_taken_in_turn(replay):
    sent = send("in", 5, router="A", received={"r": got(2, "B>A"), "b": got(3, "B>C")})
    subjects = with_inputs(sent, subject=["blue", "red.x"])
    assert not replay(attach("r A red", "b C blue"), subjects, configs=EXCHANGING).different
    other = with_inputs(sent, subject=["red.x", "blue"])
    assert replay(attach("r A red", "b C blue"), other, configs=EXCHANGING).different


def test_the_first_message_has_the_first_subject(replay):
    sent = send("in", 1, router="A", received={"r": got(1, "B>A")}, zero=["b"])
    step = with_inputs(sent, subject=["blue", "red.x"])
    assert replay(attach("r A red", "b C blue"), step, configs=EXCHANGING).different


def test_a_message_without_a_subject_goes_to_the_alternate_address(replay):
    sent = send("in", 1, router="A", received={"rest": got(1, "B>C")}, zero=["r"])
    assert not replay(attach("r A red", "rest C rest"), sent, configs=EXCHANGING).different


def test_an_exchange_is_no_local_link_of_its_address(replay):
    steps = (
        addresses("B", row("M0in"), only=["M0in"]),
        addresses("A", row("M0in", remote=["B"]), only=["M0in"]),
    )
    assert not replay(*steps, configs=EXCHANGING).different
    assert replay(addresses("B", row("M0in", local=1), only=["M0in"]), configs=EXCHANGING).different


def test_only_the_rows_that_were_asked_for_are_compared(replay):
    asked = addresses("A", row("M0x", remote=["B"]), only=["M0x", "M0y"])
    assert not replay(attach("b B x", "c B other"), asked).different


def test_a_row_that_is_missing_among_those_asked_for_is_a_difference(replay):
    asked = addresses("A", row("M0x", remote=["B"]), only=["M0x", "M0o"])
    assert replay(attach("b B x", "c B other"), asked).different


def test_a_router_that_starts_later_was_down_from_the_start(replay):
    fields = replay(
        attach("c C x"),
        send("x", 1, router="A", credit=False, outcomes={"not_sent": 1}, zero=["c"]),
        ({"op": "start_router", "router": "B"}, {}),
        send("x", 1, router="A", received={"c": got(1, "A>B>C")}),
        configs=LINE,
    )
    assert not fields.different


@pytest.mark.parametrize("reattach", [True, False])
def test_the_clients_of_a_router_that_starts_again_are_attached_again_if_the_step_says_so(
    replay, reattach
):
    reached = send("x", 1, router="A", received={"c": got(1, "A>B>C")})
    alone = send("x", 1, router="A", credit=False, outcomes={"not_sent": 1}, zero=["c"])
    fields = replay(
        attach("c C x"),
        ({"op": "kill", "routers": ["C"], "expect_nodes": {"A": 2}}, {}),
        alone,
        ({"op": "start_router", "router": "C", "reattach": reattach}, {}),
        reached if reattach else alone,
        configs=LINE,
    )
    assert not fields.different


def test_autolinks_of_a_router_that_starts_again_attach_again(replay):
    links = [
        {"link": link, "address": "q", "peer_container": "A"}
        for link in ("router->broker", "broker->router")
    ] * 2
    fields = replay(
        ({"op": "kill", "routers": ["A"]}, {}),
        ({"op": "start_router", "routers": ["A"]}, {}),
        ({"op": "broker_log"}, {"attaches": {"K": links}}),
    )
    assert not fields.different


def stale(id_, hop=None):
    return {
        "id": id_,
        "nextHop": hop,
        "cost": 1,
        "linkState": ["A"],
        "validOrigins": [],
        "neighbor": False,
    }


OWN = {
    "id": "A",
    "nextHop": "(self)",
    "cost": None,
    "linkState": [],
    "validOrigins": [],
    "neighbor": False,
}


def test_after_a_death_that_nobody_waits_for_routers_out_of_reach_are_remembered_the_living_too(
    replay,
):
    fields = replay(
        attach("c C x"),
        ({"op": "kill", "routers": ["B"]}, {}),
        ({"op": "routes"}, {"routes": {"A": [OWN, stale("B"), stale("C", "B")]}}),
        addresses("A", row("M0x", remote=["C"])),
        send("x", 2, router="A", outcomes={"released": 2}, zero=["c"]),
        with_inputs(
            send("x", 2, router="A", outcomes={"presettled": 2}, zero=["c"]), presettled=True
        ),
        with_inputs(send("x", 2, router="A", outcomes={"released": 2}, zero=["c"]), anonymous=True),
        send("x", 1, router="C", received={"c": got(1, "C")}),
        configs=LINE,
    )
    assert not fields.different
    assert fields.aside == {"rows of routers out of reach, left over from before (T-9)": 12}


@pytest.mark.parametrize(
    "waiting",
    [
        [({"op": "kill", "routers": ["B"], "expect_nodes": {"A": 1}}, {})],
        [
            ({"op": "kill", "routers": ["B"]}, {}),
            ({"op": "kill", "routers": [], "expect_nodes": {"A": 1}}, {}),
        ],
    ],
)
def test_routers_out_of_reach_are_forgotten_once_somebody_waited(replay, waiting):
    fields = replay(
        attach("c C x"),
        *waiting,
        ({"op": "routes"}, {"routes": {"A": [OWN]}}),
        addresses("A"),
        send("x", 2, router="A", credit=False, outcomes={"not_sent": 2}, zero=["c"]),
        configs=LINE,
    )
    assert not fields.different
    assert not fields.aside


def test_rows_that_are_left_although_somebody_waited_are_a_difference(replay):
    fields = replay(
        ({"op": "kill", "routers": ["B"], "expect_nodes": {"A": 1}}, {}),
        ({"op": "routes"}, {"routes": {"A": [OWN, stale("B")]}}),
        configs=LINE,
    )
    assert [text.partition(":")[0] for text in fields.different] == ["step 2 (routes) A.B"]


def test_waiting_for_rows_that_are_there_anyway_forgets_nothing(replay):
    fields = replay(
        attach("c C x"),
        ({"op": "kill", "routers": ["B"], "expect_nodes": {"A": 3}}, {}),
        send("x", 1, router="A", outcomes={"released": 1}, zero=["c"]),
        configs=LINE,
    )
    assert not fields.different


def test_a_choice_between_a_host_in_reach_and_one_out_of_reach_is_left_out(replay):
    fields = replay(
        attach("a A x", "c C x"),
        ({"op": "kill", "routers": ["B"]}, {}),
        send(
            "x",
            2,
            router="A",
            outcomes={"accepted": 1, "released": 1},
            received={"a": got(1, "A")},
            zero=["c"],
        ),
        configs=LINE,
    )
    assert not fields.different
    assert [*fields.left_out] == [
        "what routers do with routers out of reach that they still remember (T-9)"
    ]


def test_a_route_that_dies_is_no_loss_where_another_leads_on(replay):
    ring = (
        router("A", 1002, port=1001),
        router("B", 1001, port=1003),
        router("C", 1003, port=1002),
    )
    fields = replay(
        attach("c C x"),
        ({"op": "kill", "routers": ["B"]}, {}),
        send("x", 2, router="A", received={"c": got(2, "A>C")}),
        configs=ring,
    )
    assert not fields.different


def test_the_uplink_that_took_over_stays_when_the_first_router_starts_again(replay):
    edge = (
        "E",
        "router {\n mode: edge\n id: E\n}\n"
        + "".join(
            f"connector {{\n host: 127.0.0.1\n port: {port}\n role: edge\n}}\n"
            for port in (1011, 1012)
        ),
    )
    listener = "listener {{\n host: 127.0.0.1\n port: {}\n role: edge\n}}\n"
    two = (
        router("A", port=1001, more=listener.format(1011)),
        router("B", 1001, more=listener.format(1012)),
        edge,
    )
    there = addresses("A", row("M0x", remote=["B"]), only=["M0x"])
    fields = replay(
        attach("e E x"),
        addresses("A", row("M0x", local=1), only=["M0x"]),
        ({"op": "kill", "routers": ["A"]}, {}),
        ({"op": "start_router", "router": "A"}, {}),
        there,
        configs=two,
    )
    assert not fields.different


def test_routers_are_called_by_their_files_and_show_their_ids(replay):
    named = (router("one", port=1001, id_="R1"), router("two", 1001, id_="R2"))
    own = {
        "id": "R1",
        "nextHop": "(self)",
        "cost": None,
        "linkState": ["R2"],
        "validOrigins": [],
        "neighbor": False,
    }
    other = {
        "id": "R2",
        "nextHop": None,
        "cost": 1,
        "linkState": ["R1"],
        "validOrigins": [],
        "neighbor": True,
    }
    section = {
        "name": "R1",
        "type": "org.apache.qpid.dispatch.router",
        "id": "R1",
        "mode": "interior",
        "area": "0",
    }
    section |= {"version": "1.19.0", "workerThreads": 4}
    fields = replay(
        attach("x two x"),
        send("x", 1, router="one", received={"x": got(1, "R1>R2")}),
        ({"op": "routes"}, {"routes": {"one": [own, other]}}),
        addresses("one", row("M0x", remote=["R2"])),
        (
            {"op": "config", "types": ["router"], "routers": ["one"]},
            {"config": {"one": {"router": [section]}}},
        ),
        ({"op": "kill", "routers": ["two"], "expect_nodes": {"one": 1}}, {}),
        send("x", 1, router="one", credit=False, outcomes={"not_sent": 1}, zero=["x"]),
        configs=named,
    )
    assert not fields.different


def test_routers_that_share_an_id_have_to_be_reported_and_what_the_others_see_is_set_aside(replay):
    shared = (
        router("A", port=1001),
        router("X1", 1001, id_="X"),
        router("X2", 1001, id_="X"),
        router("Y", 1001),
    )
    fields = replay(
        attach("one X1 x", "y Y y"),
        ({"op": "routes"}, {"routes": {"A": [OWN]}}),
        send(
            "x",
            2,
            router="A",
            outcomes={"accepted": 1, "released": 1},
            received={"one": got(1, "A>X")},
            zero=["y"],
        ),
        ({"op": "kill", "routers": ["X2"], "expect_nodes": {"A": 3}}, {}),
        send("x", 1, router="A", received={"one": got(1, "A>X")}, zero=["y"]),
        configs=shared,
    )
    assert not fields.different, fields.different
    assert "what routers with one id make the others see (T-10)" in fields.aside


@pytest.mark.parametrize("right", [True, False])
def test_attributes_have_the_types_of_the_schema(replay, right):
    binding = {"name": "binding/0", "nextHopPhase": 0 if right else "0", "bindingKey": "red.*"}
    second = {"name": "binding/1", "nextHopPhase": 0, "bindingKey": "blue"}
    step = {"op": "config", "types": ["binding"]}, {"config": {"B": {"binding": [binding, second]}}}
    assert bool(replay(step, configs=EXCHANGING).different) is not right


def test_a_text_that_looks_like_a_truth_stays_a_text(replay):
    configs = (
        (
            "A",
            (
                "router {\n mode: interior\n id: A\n}\nlistener {\n name: true\n host: on\n "
                "port: 1001\n}\n"
            ),
        ),
    )
    listener = {"name": "true", "host": "on", "port": "1001", "http": False}
    step = {"op": "config", "types": ["listener"]}, {"config": {"A": {"listener": [listener]}}}
    assert not [
        text
        for text in replay(step, configs=configs).different
        if ".host" in text or ".http" in text
    ]


def test_a_type_that_was_asked_for_and_is_not_recorded_is_compared_too(replay):
    step = {"op": "config", "types": ["router"]}, {"config": {"A": {}}}
    assert [text.partition(":")[0] for text in replay(step).different] == [
        "step 1 (config) A router A"
    ]
