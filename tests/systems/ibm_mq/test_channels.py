"""Channels: their other ends, their partners and what they cannot put."""

from __future__ import annotations

import json
from typing import Any

import pytest
from systems.ibm_mq.defined import DEAD, LINK, RECEIVER, cluster, rules

from topograph.errors import UsageError
from topograph.side_inputs import SideInputs
from topograph.systems.ibm_mq import SYSTEM


@pytest.mark.parametrize(
    ("sender", "receiver", "end"),
    [
        ("CHLTYPE(SVR) XMITQ(XQ)", "CHLTYPE(RQSTR) CONNAME('a')", "DELIVERED(X@B)"),
        ("CHLTYPE(SVR) XMITQ(XQ) CONNAME('b')", "CHLTYPE(RCVR)", "DELIVERED(X@B)"),
        ("CHLTYPE(SDR) XMITQ(XQ) CONNAME('b')", "CHLTYPE(RQSTR) CONNAME('a')", "DELIVERED(X@B)"),
        ("CHLTYPE(SVR) XMITQ(XQ)", "CHLTYPE(RCVR)", "HELD(XQ, A, no connection)"),
        ("CHLTYPE(SDR) XMITQ(XQ) CONNAME('b')", "CHLTYPE(SVRCONN)", "HELD(XQ, A, no partner)"),
        (
            "CHLTYPE(SDR) XMITQ(XQ) CONNAME('b')",
            "CHLTYPE(SDR) CONNAME('a') XMITQ(XQ)",
            "HELD(XQ, A, no partner)",
        ),
    ],
)
def test_channels_pair_by_name_and_complementary_type(
    estate: Any, sender: str, receiver: str, end: str
) -> None:
    here = (
        f"DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) {sender}\nDEFINE QREMOTE(R) "
        "RNAME(X) RQMNAME(B) XMITQ(XQ)"
    )
    network = estate(A=here, B=f"DEFINE QLOCAL(X)\nDEFINE CHANNEL(C) {receiver}")
    assert network.trace("A", "queue:R").outcomes == (end,)


def test_a_channel_without_its_other_end_holds_and_the_lint_rule_names_both(
    estate: Any,
) -> None:
    here = "DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b')"
    network = estate(A=here, B="DEFINE QLOCAL(X)\nDEFINE CHANNEL(T0.B) CHLTYPE(RCVR)")
    answer = network.trace("A", "X@B")
    assert answer.outcomes == ("HELD(B, A, no partner)",)
    assert "C-14" in rules(answer)
    (found,) = (one for one in network.check().findings if one["rule"] == "ML-04")
    assert found["severity"] == "error"
    assert "TO.B" in str(found["message"])
    assert "T0.B" in str(found["message"])


def test_of_two_queue_managers_with_the_other_end_the_address_decides_else_nothing_is_claimed(
    estate: Any,
) -> None:
    ends = {"B": f"DEFINE QLOCAL(X)\n{RECEIVER}", "D": f"DEFINE QLOCAL(X)\n{RECEIVER}"}
    here = f"{LINK}\nDEFINE QREMOTE(OTHER) RQMNAME(ELSEWHERE) XMITQ(XQ) RNAME(X)"
    answer = estate(A=here, **ends).trace("A", "queue:OTHER")
    assert answer.outcomes == ("UNDETERMINED",)
    assert {one.server for one in answer.undetermined} >= {"B", "D"}
    answer = estate(A=here, **ends, config="hosts:\n  b: D\n").trace("A", "queue:OTHER")
    assert [step.to for step in answer.steps if step.to] == ["D"]


def test_get_disabled_on_a_transmission_queue_holds(estate: Any) -> None:
    here = (
        LINK.replace("USAGE(XMITQ)", "USAGE(XMITQ) GET(DISABLED)")
        + "\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)"
    )
    answer = estate(A=here, B=f"DEFINE QLOCAL(X)\n{RECEIVER}").trace("A", "queue:R")
    assert answer.outcomes == ("HELD(XQ, A, no channel)",)
    assert "C-13" in rules(answer)


@pytest.mark.parametrize(
    ("manager", "outcome"),
    [
        (f"ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n{LINK}", "DLQ(DEAD, A, 271)"),
        (LINK, "HELD(XQ, A, channel stopped)"),
        (LINK.replace("USAGE(XMITQ)", "USAGE(XMITQ) GET(DISABLED)"), "DELIVERED(XQ@A)"),
        ("DEFINE QLOCAL(XQ) USAGE(XMITQ)", "DELIVERED(XQ@A)"),
    ],
    ids=["dead-letter queue", "none", "not read", "no channel"],
)
def test_a_channel_finds_no_header_on_what_is_put_by_name_on_a_transmission_queue(
    estate: Any, manager: str, outcome: str
) -> None:
    """C-13: it puts it on the dead-letter queue; where no channel reads it, it stays."""
    answer = estate(A=manager).trace("A", "queue:XQ")
    assert answer.outcomes == (outcome,)
    assert "C-13" in rules(answer)


@pytest.mark.parametrize(
    ("there", "persistent", "end"),
    [
        ("ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(D)", None, "DLQ(D, B, 2085)"),
        (
            "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)",
            None,
            "DLQ(SYSTEM.DEAD.LETTER.QUEUE, B, 2085)",
        ),
        (
            "ALTER QMGR DEADQ(D)\nDEFINE QLOCAL(D) PUT(DISABLED)",
            True,
            "HELD(XQ, A, channel stopped)",
        ),
        ("ALTER QMGR DEADQ(D)", False, "DISCARDED(nonpersistent)"),
        (
            "ALTER QMGR DEADQ(D)\nDEFINE QREMOTE(D) RNAME(X) RQMNAME(A)",
            True,
            "HELD(XQ, A, channel stopped)",
        ),
        ("ALTER QMGR DESCR('y')", None, "UNDETERMINED"),
    ],
)
def test_what_a_channel_cannot_put(
    estate: Any, there: str, persistent: bool | None, end: str
) -> None:
    answer = estate(A=DEAD, B=f"{RECEIVER}\n{there}").trace("A", "queue:R", persistent=persistent)
    assert answer.outcomes == (end,)


@pytest.mark.parametrize(
    ("mode", "end"),
    [
        ("PERSISTENT", "HELD(XQ, A, channel stopped)"),
        ("NON_PERSISTENT", "DISCARDED(nonpersistent)"),
    ],
)
def test_the_delivery_mode_says_whether_a_message_is_persistent(
    estate: Any, mode: str, end: str
) -> None:
    network = estate(A=DEAD, B=f"{RECEIVER}\nALTER QMGR DEADQ(D)")
    assert network.trace("A", "queue:R", {"JMSDeliveryMode": mode}).outcomes == (end,)
    with pytest.raises(UsageError, match="contradicts JMSDeliveryMode"):
        network.trace("A", "queue:R", {"JMSDeliveryMode": mode}, persistent=mode != "PERSISTENT")


@pytest.mark.parametrize("persistent", [True, False])
def test_a_selector_sees_whether_a_message_is_persistent(estate: Any, persistent: bool) -> None:
    here = """DEFINE TOPIC(T) TOPICSTR('prices')
DEFINE QLOCAL(SOME)
DEFINE SUB(S) TOPICOBJ(T) DEST(SOME) SELECTOR('JMSDeliveryMode = ''NON_PERSISTENT''')"""
    outcomes = estate(A=here).trace("A", "topic:prices", persistent=persistent).outcomes
    assert ("DELIVERED(SOME@A)" in outcomes) is not persistent


def test_usedlq_no_and_npmspeed_normal_stop_the_channel(estate: Any) -> None:
    usedlq = (
        "DEFINE CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO) NPMSPEED(NORMAL)\nALTER QMGR "
        "DEADQ(D)\nDEFINE QLOCAL(D)"
    )
    assert estate(A=DEAD, B=usedlq).trace("A", "queue:R").outcomes == (
        "HELD(XQ, A, channel stopped)",
    )


def test_a_step_is_as_sure_as_the_row_that_it_follows(estate: Any) -> None:
    here = (
        f"{LINK}\nDEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) "
        "XMITQ(XQ)\nDEFINE QREMOTE(Z) RQMNAME(B)"
    )
    network = estate(A=f"{here}\nALTER QMGR DEFXMITQ(XQ)", B=f"DEFINE QLOCAL(X)\n{RECEIVER}")
    for destination, rule, confidence in (
        ("X@B", "NR10", "H"),
        ("X@Z", "NR11", "H"),
        ("X@ELSEWHERE", "NR13", "H"),
        ("queue:R", "NR6", "H"),
    ):
        (step,) = (
            one for one in network.trace("A", destination).steps if one.rule.startswith(rule)
        )
        assert (rule, step.confidence) == (rule, confidence)


def test_a_channel_waits_while_the_listener_that_it_calls_is_down(estate: Any) -> None:
    there = (
        f"DEFINE QLOCAL(X)\n{RECEIVER}\nDEFINE LISTENER(L1) TRPTYPE(TCP) PORT(1414)\nDEFINE "
        "LISTENER(L2) TRPTYPE(TCP) PORT(1500)"
    )
    network = estate(A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)", B=there)
    assert network.impact(["listener:L2"]).changed == ()
    assert network.impact(["listener:L1"]).changed != ()
    assert network.impact(["channel:A:C"]).changed != ()


@pytest.mark.parametrize(
    ("listeners", "sure"),
    [
        ("", True),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)", True),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500)", False),
        ("DEFINE LISTENER(L) TRPTYPE(LU62) PORT(1500)", True),
        (
            (
                "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500)\nDEFINE LISTENER(M) TRPTYPE(TCP) "
                "PORT(1414)"
            ),
            True,
        ),
    ],
)
def test_an_address_without_a_listener_there_is_no_certain_partner(
    estate: Any, listeners: str, sure: bool
) -> None:
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}\n{listeners}",
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == (("DELIVERED(X@B)",) if sure else ("UNDETERMINED",))
    assert ("ML-04" in {one["rule"] for one in network.check().findings}) is not sure


@pytest.mark.parametrize("ports", [(1414, 1500), (1500, 1414)])
def test_of_two_partners_the_one_that_listens_on_the_port_is_meant(
    estate: Any, ports: tuple[int, int]
) -> None:
    ends = {
        name: f"DEFINE QLOCAL(X)\n{RECEIVER}\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT({port})"
        for name, port in zip("BD", ports, strict=True)
    }
    answer = estate(A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(Z) XMITQ(XQ)", **ends).trace(
        "A", "queue:R"
    )
    assert [step.to for step in answer.steps if step.to] == ["BD"[ports.index(1414)]]


def test_hosts_entries_and_addresses_of_cluster_receivers_say_which_partner_is_meant(
    estate: Any,
) -> None:
    here = f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(Z) XMITQ(XQ)"
    ends = dict.fromkeys("BD", f"DEFINE QLOCAL(X)\n{RECEIVER}")
    by_port = estate(A=here, **ends, config="hosts:\n  'b:1414': D\n").trace("A", "queue:R")
    assert [step.to for step in by_port.steps if step.to] == ["D"]
    ends["B"] += "\nDEFINE CHANNEL(TO.B) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('b(1414)')"
    by_cluster = estate(A=here, **ends, config="hosts:\n  z: Z\n").trace("A", "queue:R")
    assert [step.to for step in by_cluster.steps if step.to] == ["B"]


@pytest.mark.parametrize(
    ("host", "doubted"),
    [
        ("b", ""),
        ("'b:1414'", ""),
        ("elsewhere", "no port"),
        ("", "no port"),
        ("Z", "its CONNAME is that of Z"),
    ],
)
def test_a_channel_whose_address_is_known_to_be_another_one_leaves_the_answer_open(
    estate: Any, host: str, doubted: str
) -> None:
    """C1, ML-04: the partner has the channel's name; topograph.yaml, or else a listener, may say
    that the address is not its own.
    """
    config = {"": "", "Z": "hosts:\n  b: Z\n", "elsewhere": "hosts:\n  c: Z\n"}.get(
        host, f"hosts:\n  {host}: B\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT(1515)",
        Z="DEFINE QLOCAL(X)",
        config=config,
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == (("UNDETERMINED",) if doubted else ("DELIVERED(X@B)",))
    assert any(doubted in step.text for step in answer.steps)
    assert [one.certain for one in network.reach("A", "B").servers] == [not doubted]


def test_messages_begin_with_the_names_of_queue_managers_that_transmission_queues_and_aliases_say(
    estate: Any,
) -> None:
    """A queue of USAGE(NORMAL) is none of them, whatever its name (NR14), nor is one that only
    remote queues name.
    """
    objects = "\n".join(
        [
            "DEFINE QLOCAL(B) USAGE(NORMAL)",
            "DEFINE QLOCAL(D) USAGE(XMITQ)",
            (
                "DEFINE QLOCAL(FAR) USAGE(XMITQ)\nDEFINE CHANNEL(TO.FAR) CHLTYPE(SDR) "
                "XMITQ(FAR) CONNAME('f')"
            ),
            "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) CONNAME('b')",
            "DEFINE QLOCAL(UNREAD) USAGE(XMITQ)",
            "DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
            "DEFINE QREMOTE(YOUR) RNAME(' ') RQMNAME(B) XMITQ(XQ)",
            "DEFINE QREMOTE(A) RNAME(' ') RQMNAME(A)",
        ]
    )
    network = estate(A=objects, B=RECEIVER, D="DEFINE QLOCAL(X)")
    part = network._model.parts[0]
    stepping = SYSTEM.stepping
    assert stepping is not None
    begins = [
        json.loads(one.data)
        for one in stepping(part.facts_of("ibm_mq"), SideInputs()).entries()
        if one.server == "A"
    ]
    assert [one["queue_manager"] for one in begins if one["name"] == "*"] == ["D", "FAR", "YOUR"]


def test_topograph_yaml_names_the_queue_manager_at_the_end_of_a_channel_that_no_queue_names(
    estate: Any,
) -> None:
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B="DEFINE CHANNEL(D) CHLTYPE(RCVR) CONNAME('z')",
        config="hosts:\n  b: Z\n  z: Y\n",
    )
    assert network.server_names() == ("A", "B", "Z")


def test_a_subscription_that_names_its_own_queue_manager_gets_its_copies_there(estate: Any) -> None:
    """M-31, NR2, NR3: with a blank DESTQMGR the workload algorithm chooses the instance of a
    cluster queue.
    """
    topic = (
        "DEFINE TOPIC(T) TOPICSTR('t')\nDEFINE SUB(S) TOPICOBJ(T) DEST(Q) {}\nDEFINE "
        "QLOCAL(Q) CLUSTER(C) CLWLUSEQ(ANY)"
    )
    other = cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)")
    for manager, ends in (
        ("DESTQMGR(L)", {"L"}),
        ("DESTQMGR(' ')", {"L", "M"}),
        ("DESTQMGR(M)", {"M"}),
    ):
        answer = estate(L=cluster("L", topic.format(manager)), M=other).trace("L", "topic:t")
        assert set(answer.outcomes) - {"PUBLISHED(t)"} == {f"DELIVERED(Q@{name})" for name in ends}


def test_a_queue_manager_behind_a_channel_that_may_lead_to_another_one_is_not_reached_for_certain(
    estate: Any,
) -> None:
    other_end = f"DEFINE QLOCAL(X)\n{RECEIVER}"
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(Z) XMITQ(XQ)", B=other_end, D=other_end
    )
    reached = {one.server: one.certain for one in network.reach("A").servers}
    assert (reached["B"], reached["D"]) == (False, False)


def test_messages_come_in_over_a_channel_only_where_there_is_one(estate: Any) -> None:
    network = estate(A="DEFINE QLOCAL(X)")
    with pytest.raises(UsageError, match="no receiving channel"):
        network.trace("A", "queue:X", arrives_over="NONE", header="X@A")
    with pytest.raises(UsageError, match="arrives-over"):
        network.trace("A", "queue:X", header="X@A")


def test_of_two_ways_of_one_length_reach_shows_the_one_without_a_condition(estate: Any) -> None:
    here = (
        "DEFINE TOPIC(A.TOPIC) TOPICSTR('t')\nDEFINE SUB(S) TOPICOBJ(A.TOPIC) DEST(X) "
        "DESTQMGR(B) SELECTOR('k = 1')"
    )
    here += (
        "\nDEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(B) "
        "CONNAME('b(1414)')"
    )
    network = estate(A=here, B="DEFINE QLOCAL(X)\nDEFINE CHANNEL(D) CHLTYPE(RCVR)")
    (reached,) = network.reach("A").servers
    assert [step.guards for step in reached.steps] == [()]


TELEMETRY = (
    "DEFINE QLOCAL(SYSTEM.MQTT.TRANSMIT.QUEUE) USAGE(XMITQ)\n"
    "ALTER QMGR DEFXMITQ(SYSTEM.MQTT.TRANSMIT.QUEUE)\n"
)


@pytest.mark.parametrize(
    ("channel", "confidence"), [("DEFINE CHANNEL(T) CHLTYPE(MQTT) PORT(1883)", "M"), ("", "L")]
)
def test_the_telemetry_service_sends_to_the_client_of_the_name(
    estate: Any, channel: str, confidence: str
) -> None:
    network = estate(A=TELEMETRY + channel, B="DEFINE QLOCAL(X)")
    answer = network.trace("A", "X@meter7")
    assert answer.outcomes == ("EXTERNAL(MQTT client meter7)",)
    assert {one.confidence for one in answer.assumptions if one.rule == "M-19"} == {confidence}
    assert [one.server for one in network.reach("A").servers] == []
    assert not network.check().findings


def test_a_sender_channel_that_reads_the_queue_of_the_telemetry_service_goes_before_it(
    estate: Any,
) -> None:
    sender = "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(SYSTEM.MQTT.TRANSMIT.QUEUE) CONNAME('b(1414)')"
    network = estate(A=TELEMETRY + sender, B=f"{RECEIVER}\nDEFINE QLOCAL(X)")
    assert network.trace("A", "X@B").outcomes == ("DELIVERED(X@B)",)
