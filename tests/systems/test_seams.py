"""Messages that go from one system to another: over links of a bus to queue managers and back
(S-63), bridges and listeners of MQ Everyplace (E-30, E-31). Of names, too, that two systems
share, and of systems between which nothing is configured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.message import parse_path
from topograph.network import Network
from topograph.questions.answers import TraceAnswer
from topograph.questions.text import text

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "mixed"
Make = Callable[..., Network]


def queue_manager(name: str, *more: str, bus: str = "SHOP", listener: int = 1414) -> str:
    lines = (
        f"* Queue manager name: {name}",
        "DEFINE QLOCAL(PAY)",
        f"DEFINE QLOCAL({bus}) USAGE(XMITQ)",
        f"DEFINE CHANNEL(OUT) CHLTYPE(SDR) XMITQ({bus}) CONNAME('was.example(5558)')",
        "DEFINE CHANNEL(IN) CHLTYPE(RCVR)",
        f"DEFINE LISTENER(L) TRPTYPE(TCP) PORT({listener})",
        *more,
    )
    return "".join(f"{line}\n" for line in lines)


def bus(
    name: str = "Shop",
    *more: str,
    foreign: str = "HQ",
    knows: str = "SHOP",
    sends: str = "IN",
    receives: str = "OUT",
) -> str:
    node = f"-bus {name} -node n -server s"
    lines = (
        f"AdminTask.createSIBus('[-bus {name}]')",
        f"AdminTask.addSIBusMember('[{node}]')",
        f"AdminTask.createSIBDestination('[{node} -name ORDERS -type Queue]')",
        (
            f"AdminTask.createSIBForeignBus('[-bus {name} -name {foreign} -routingType "
            "Direct -type MQ]')"
        ),
        f"AdminTask.createSIBMQLink('[-bus {name} -messagingEngine n.s-{name} -name "
        f"To{foreign} -foreignBusName {foreign} -queueManagerName {knows} "
        f"-senderChannelName {sends} -hostName hq.example -port 1414 "
        f"-receiverChannelName {receives}]')",
        *more,
    )
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def network(**files: str) -> Network:
        for name, content in files.items():
            stem, _, ending = name.rpartition("_")
            (tmp_path / f"{stem}.{ending}").write_text(content)
        return topograph.read(tmp_path)

    return network


def seam(answer: TraceAnswer) -> str:
    """What the step says that crosses."""
    return next(step.text for step in answer.steps if "S-63" in step.rule)


def rests_on(answer: TraceAnswer) -> list[str]:
    return [one.text for one in answer.assumptions if one.rule == "S-63"]


def test_a_message_crosses_three_systems_and_so_does_its_reply() -> None:
    answer = topograph.read(EXAMPLE).trace(
        "SCANNER1", "ORDERS@HQ", reply_to="ANSWERS", home_servers="triggered", reply=True
    )
    assert answer.outcomes == ("DELIVERED(ORDERS.WORK@Shop)",)
    assert [step.to for step in answer.steps if step.to] == ["GATE", "HQ", "Shop"]
    (reply,) = answer.replies
    assert reply.outcomes == ("DELIVERED(ANSWERS@SCANNER1)",)
    assert [step.to for step in reply.steps if step.to] == ["HQ", "GATE", "SCANNER1"]
    assert [step.object for step in reply.steps if step.rule == "S-50"] == ["ORDERS.WORK"]


def test_a_reply_of_a_queue_manager_goes_by_the_alias_of_the_reply_to_queue(make: Make) -> None:
    network = make(
        A_mqsc="* Queue manager name: A\nDEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(A.B) "
        "CHLTYPE(SDR) XMITQ(B) CONNAME(b)\n"
        "DEFINE CHANNEL(B.A) CHLTYPE(RCVR)\nDEFINE QREMOTE(BACK) RNAME(ANSWERS) "
        "RQMNAME(A.VIA)\nDEFINE QLOCAL(ANSWERS)\n"
        "DEFINE QREMOTE(A.VIA) RNAME(' ') RQMNAME(A)\n",
        B_mqsc="* Queue manager name: B\nDEFINE QLOCAL(Q)\nDEFINE QLOCAL(A) "
        "USAGE(XMITQ)\nDEFINE CHANNEL(B.A) CHLTYPE(SDR) XMITQ(A) CONNAME(a)\n"
        "DEFINE QREMOTE(A.VIA) RNAME(' ') RQMNAME(A) XMITQ(A)\nDEFINE CHANNEL(A.B) CHLTYPE(RCVR)\n",
    )
    (reply,) = network.trace("A", "Q@B", reply_to="BACK", reply=True).replies
    assert reply.outcomes == ("DELIVERED(ANSWERS@A)",)
    assert next(step.rule for step in reply.steps).startswith("NR11")
    (none,) = network.trace("A", "Q@B", reply=True).replies
    assert (none.outcome, none.steps) == ("", ())


@pytest.mark.parametrize(
    ("hosts", "how"), [("", "assumed"), ("hosts: {hq.example: HQ, was.example: Shop}", "stated")]
)
def test_a_step_says_whether_its_seam_is_stated_or_assumed(
    make: Make, hosts: str, how: str
) -> None:
    network = make(HQ_mqsc=queue_manager("HQ"), shop_py=bus(), topograph_yaml=hosts or "hosts: {}")
    to_queue_manager = network.trace("Shop", "PAY@HQ")
    assert to_queue_manager.outcomes == ("DELIVERED(PAY@HQ)",)
    to_bus = network.trace("HQ", "ORDERS@SHOP")
    assert to_bus.outcomes == ("DELIVERED(ORDERS@Shop)",)
    for answer in (to_queue_manager, to_bus):
        assert f"({how}" in seam(answer)
        assert any("leads to" in text for text in rests_on(answer)) == (how == "assumed")


def test_a_step_says_what_does_not_cross(make: Make) -> None:
    network = make(HQ_mqsc=queue_manager("HQ"), shop_py=bus())
    answer = network.trace("Shop", "PAY@HQ", forward_path=parse_path("Shop:ORDERS"))
    assert "the forward routing path is not followed there (S-63)" in seam(answer)
    assert "has no forward routing path there" in seam(network.trace("HQ", "ORDERS@SHOP"))


def test_where_the_other_side_is_not_loaded_a_message_leaves(make: Make) -> None:
    assert make(shop_py=bus()).trace("Shop", "PAY@HQ").outcomes == ("EXTERNAL(HQ)",)
    assert make(shop_py="", HQ_mqsc=queue_manager("HQ")).trace("HQ", "ORDERS@SHOP").outcomes == (
        "EXTERNAL(SHOP)",
    )


def test_channels_that_do_not_match_lead_elsewhere(make: Make) -> None:
    network = make(HQ_mqsc=queue_manager("HQ"), shop_py=bus(sends="OTHER", receives="OTHER"))
    assert network.trace("Shop", "PAY@HQ").outcomes == ("HELD(ToHQ, Shop, no partner)",)
    assert network.trace("HQ", "ORDERS@SHOP").outcomes == ("EXTERNAL(SHOP)",)


def test_a_bus_and_a_queue_manager_of_one_name_are_kept_apart(make: Make) -> None:
    network = make(
        HQ_mqsc=queue_manager(
            "HQ", "DEFINE QREMOTE(MINE) RNAME(ORDERS) RQMNAME(HQ.BUS) XMITQ(HQ.BUS)", bus="HQ.BUS"
        ),
        bus_py=bus("HQ", foreign="HQ.MQ", knows="HQ.BUS"),
    )
    assert network.server_names() == ("ibm_mq:HQ", "sibus:HQ")
    there = network.trace("sibus:HQ", "PAY@HQ.MQ")
    assert {(step.at, step.system) for step in there.steps} == {("HQ", "sibus"), ("HQ", "ibm_mq")}
    assert network.trace("ibm_mq:HQ", "queue:MINE").outcomes == ("DELIVERED(ORDERS@HQ)",)
    assert network.trace("ibm_mq:HQ", "queue:PAY").outcomes == ("DELIVERED(PAY@HQ)",)
    assert network.trace("sibus:HQ", "queue:PAY").outcome == "REJECTED"
    assert [(one.server, one.system) for one in network.reach("sibus:HQ").servers] == [
        ("HQ", "ibm_mq")
    ]


def test_one_of_several_ends_of_a_channel_is_found_by_its_listener_else_it_stays_open(
    make: Make,
) -> None:
    apart = make(
        A_mqsc=queue_manager("A", listener=1500),
        B_mqsc=queue_manager("B"),
        shop_py=bus(foreign="MQ"),
    )
    assert [step.to for step in apart.trace("Shop", "PAY@MQ").steps if step.to] == ["B"]
    alike = make(A_mqsc=queue_manager("A"), B_mqsc=queue_manager("B"), shop_py=bus(foreign="MQ"))
    answer = alike.trace("Shop", "PAY@MQ")
    assert answer.outcome == "UNDETERMINED"
    assert "A or B" in answer.steps[0].text
    several = make(
        A_mqsc=queue_manager("A"),
        B_mqsc="",
        shop_py=bus(foreign="MQ"),
        shop2_py=bus("Shop2", foreign="MQ"),
    )
    assert several.trace("A", "ORDERS@SHOP").outcome == "UNDETERMINED"


def test_what_fails_on_either_side_holds_the_message(make: Make) -> None:
    network = make(HQ_mqsc=queue_manager("HQ"), shop_py=bus())
    lost = {
        failure: {(one.from_, one.to) for one in network.impact([failure]).lost}
        for failure in ("listener:L", "channel:OUT")
    }
    assert lost == {"listener:L": {("Shop", "HQ")}, "channel:OUT": {("HQ", "Shop")}}
    queues = {
        one.after
        for failure in ("server:HQ", "server:Shop")
        for one in network.impact([failure]).changed
    }
    assert queues == {
        ("HELD(ToHQ, Shop, no connection) at Shop",),
        ("HELD(SHOP, HQ, no connection) at HQ",),
    }


def test_a_bridge_that_gets_no_connection_fails_the_put_and_keeps_what_is_asynchronous() -> None:
    moved = topograph.read(EXAMPLE).impact(["server:HQ"])
    after = {(one.server, one.destination): " ".join(one.after) for one in moved.changed}
    assert after["GATE", "ORDERS@HQ"].startswith("REJECTED")
    assert after["SCANNER1", "ORDERS@HQ"].startswith("HELD(ORDERS@HQ, SCANNER1")


def test_between_systems_without_a_seam_nothing_is_claimed(make: Make) -> None:
    network = make(
        HQ_mqsc="* Queue manager name: HQ\nDEFINE QLOCAL(PAY)\n", shop_py=bus(foreign="OTHER")
    )
    answer = network.reach("HQ", "Shop")
    assert (answer.servers, answer.unreachable) == ((), ())
    (one,) = answer.undetermined
    assert one.because == "no connection between IBM MQ and SIBus is configured in the loaded files"
    assert network.hops("HQ", "Shop").reachable == "unknown"
    assert network.paths("HQ", "Shop").undetermined


def test_names_that_queue_managers_have_for_other_systems_are_not_servers_of_their_own() -> None:
    assert topograph.read(EXAMPLE).server_names() == ("GATE", "HQ", "SCANNER1", "Shop")


def test_a_transmission_queue_that_a_listener_reads_is_no_finding() -> None:
    kinds = {row["kind"] for row in topograph.read(EXAMPLE).check().findings}
    assert "transmission-queue-without-channel" not in kinds


def test_where_queues_take_messages_nobody_speaks_of_subscribers() -> None:
    network = topograph.read(EXAMPLE)
    answer = network.propagate("HQ", "queue:ORDERS")
    told = text(answer)
    assert told.startswith("A message to queue:ORDERS sent at HQ is delivered at Shop.")
    assert "subscriber" not in told
    assert "published" not in told
    scene = network.scene(answer)
    assert scene.title == "Who gets a message to queue:ORDERS sent at HQ?"
    assert "subscriber" not in str(scene)


def test_what_a_sender_says_to_buses_holds_for_a_message_that_comes_to_one_over_a_link() -> None:
    network = topograph.read(EXAMPLE)
    assert network.trace("SCANNER1", "ORDERS@HQ", rollbacks=-1).outcome == "EXCEPTIONED"
    assert network.trace("SCANNER1", "ORDERS@HQ", rollbacks=1).outcome == "DELIVERED"


def test_a_channel_that_was_observed_to_be_stopped_holds_what_a_link_sends_and_the_answer_says_so(
    make: Make, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager HQ.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(IN)                             CHLTYPE(RCVR)\n   "
        "STATUS(STOPPED)\nOne MQSC command read.\n"
    )
    answer = make(HQ_mqsc=queue_manager("HQ"), shop_jy=bus()).trace("Shop", "PAY@HQ")
    assert answer.outcomes == ("HELD(ToHQ, Shop, channel stopped)",)
    assert [one.text for one in answer.assumptions if one.rule == "M-11"] == [
        "channels are as they were observed (status.txt:3)"
    ]


@pytest.mark.parametrize(
    ("reliability", "outcome"),
    [
        ("EXPRESS_NONPERSISTENT", "DISCARDED(nonpersistent)"),
        ("ASSURED_PERSISTENT", "HELD(ToHQ, Shop, channel stopped)"),
        ("", "UNDETERMINED"),
    ],
)
def test_the_reliability_at_the_bus_says_whether_the_message_is_persistent_behind_the_link(
    make: Make, reliability: str, outcome: str
) -> None:
    answer = make(HQ_mqsc=queue_manager("HQ"), shop_jy=bus()).trace(
        "Shop", "NOPE@HQ", reliability=reliability
    )
    assert answer.outcomes == (outcome,)


HUB = (
    "DEFINE QLOCAL(QM2) USAGE(XMITQ)",
    "DEFINE CHANNEL(HQ.QM2) CHLTYPE(SDR) XMITQ(QM2) CONNAME('q2(1)')",
    "DEFINE CHANNEL(QM2.HQ) CHLTYPE(RCVR)",
)
"""What joins HQ to QM2."""
BEHIND = """* Queue manager name: QM2
DEFINE QLOCAL(X)
DEFINE CHANNEL(HQ.QM2) CHLTYPE(RCVR)
DEFINE QLOCAL(HQ) USAGE(XMITQ)
DEFINE CHANNEL(QM2.HQ) CHLTYPE(SDR) XMITQ(HQ) CONNAME('hq(1414)')
DEFINE QREMOTE(SHOP) RNAME(' ') RQMNAME(SHOP) XMITQ(HQ)
DEFINE QREMOTE(ORD) RNAME(ORDERS) RQMNAME(SHOP) XMITQ(HQ)
"""
INDIRECT = (
    "AdminTask.createSIBForeignBus('[-bus Shop -name QM2 -routingType Indirect -nextHopBus HQ]')"
)
IN_CLUSTER = (
    "ALTER QMGR REPOS(C)",
    "DEFINE CHANNEL(TO.HQ) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('hq(1)')",
    "DEFINE CHANNEL(TO.W) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('w(1)')",
)
W = """* Queue manager name: W
DEFINE QLOCAL(CQ) CLUSTER(C)
DEFINE CHANNEL(TO.W) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('w(1)')
DEFINE CHANNEL(TO.HQ) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('hq(1)')
"""
REMOTE = "DEFINE QREMOTE(O) RNAME(ORDERS) RQMNAME(SHOP)"


@pytest.mark.parametrize(
    ("hq", "at", "destination", "outcome", "hops", "rules"),
    [
        (("DEFINE QALIAS(A) TARGET(PAY)",), "Shop", "A@HQ", "DELIVERED(PAY@HQ)", "HQ",
            "S-63 M-12 NR5 NR1"),
        (HUB, "Shop", "X@QM2", "DELIVERED(X@QM2)", "HQ QM2", "S-63 M-12 NR10"),
        ((*IN_CLUSTER, "ALTER QMGR DEADQ(PAY)"), "Shop", "CQ@HQ", "DLQ(PAY, HQ, 2085)", "HQ",
            "S-63 M-12 NR8 NR9"),
        (("ALTER QMGR DEADQ(PAY)",), "Shop", "NO@HQ", "DLQ(PAY, HQ, 2085)", "HQ", "S-63 M-13 NR9"),
        ((), "Shop", "NO@HQ", "HELD(ToHQ, Shop, channel stopped)", "HQ", "S-63 M-13 M-11"),
        (("DEFINE QMODEL(A)",), "Shop", "A@HQ", "HELD(ToHQ, Shop, channel stopped)", "HQ",
            "S-63 M-12 M-13"),
        ((REMOTE,), "HQ", "queue:O", "DELIVERED(ORDERS@Shop)", "Shop", "NR6 M-04 M-07 S-63 S-06"),
        ((), "HQ", "ORDERS@SHOP", "DELIVERED(ORDERS@Shop)", "Shop", "NR10 S-63 S-06"),
        (HUB, "QM2", "queue:ORD", "DELIVERED(ORDERS@Shop)", "HQ Shop", "NR6 M-12 NR10 S-63"),
        (HUB, "QM2", "ORDERS@SHOP", "DELIVERED(ORDERS@Shop)", "HQ Shop", ("NR11 M-08 M-12 NR10 "
            "S-63")),
        (("DEFINE QREMOTE(O) RNAME(O) RQMNAME(SHOP) XMITQ(NO)",), "HQ", "queue:O", "REJECTED(2196)",
            "", "NR6 M-03 M-14"),
    ],
)  # fmt: skip
def test_messages_between_a_bus_and_queue_managers_follow_the_rules_of_both(
    make: Make, hq: tuple[str, ...], at: str, destination: str, outcome: str, hops: str, rules: str
) -> None:
    network = make(
        HQ_mqsc=queue_manager("HQ", *hq), QM2_mqsc=BEHIND, W_mqsc=W, shop_jy=bus("Shop", INDIRECT)
    )
    answer = network.trace(at, destination, persistent=True)
    assert answer.outcomes == (outcome,)
    assert [step.to for step in answer.steps if step.to] == hops.split()
    assert set(rules.split()) <= {rule for step in answer.steps for rule in step.rule.split(", ")}


def test_a_default_path_to_a_remote_queue_that_leads_back_to_the_bus_goes_round_for_ever(
    make: Make,
) -> None:
    there = bus().replace(
        "-name ORDERS -type Queue", "-name ORDERS -type Queue -defaultForwardRoutingPath [[HQ O]]"
    )
    answer = make(HQ_mqsc=queue_manager("HQ", REMOTE), shop_jy=there).trace("Shop", "queue:ORDERS")
    assert answer.outcome == "LOOP"
    assert {"M-15", "C-7"} <= {rule for step in answer.steps for rule in step.rule.split(", ")} | {
        one.rule for one in answer.assumptions
    }


def test_queue_managers_are_answered_about_beside_a_bus_with_a_link_to_one_that_is_not_loaded(
    make: Make,
) -> None:
    network = make(
        HQ_mqsc=queue_manager("HQ"),
        Shop_py=bus(
            "Shop",
            "AdminTask.createSIBForeignBus('[-bus Shop -name Far -routingType Direct "
            "-type SIBus]')",
            "AdminTask.createSIBLink('[-bus Shop -messagingEngine n.s-Shop -name ToFar "
            "-foreignBusName Far -remoteMessagingEngineName n.s-Far]')",
        ),
    )
    assert network.trace("HQ", "queue:PAY").outcomes == ("DELIVERED(PAY@HQ)",)
    assert network.trace("Shop", "PAY@HQ").outcomes == ("DELIVERED(PAY@HQ)",)
    assert network.trace("Shop", "X@Far").outcomes == ("EXTERNAL(Far)",)
