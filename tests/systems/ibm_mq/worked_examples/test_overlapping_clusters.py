"""Two clusters that overlap in a gateway, as the documentation builds them: "Creating two
overlapping clusters with a gateway queue manager" (q017440_), the ways of isolating messages that
begin there (q017400_, q017410_, q017390_), and "Configuring message paths between clusters"
(q017650_).

DESK asks, SHOP at STORE answers. The gateway is a repository of neither cluster.
"""

from __future__ import annotations

from typing import Any

import pytest
from systems.ibm_mq.worked_examples.clustered import errors, hops, link, member, over

from topograph.network import Network

SHARED = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"

GATE = (
    "DEFINE NAMELIST(BOTH) NAMES(NORTH, SOUTH)",
    "DEFINE QALIAS(ORDERS) TARGET(SHOP) CLUSNL(BOTH) DEFBIND(NOTFIXED)",
    "DEFINE QREMOTE(DESK) RNAME(' ') RQMNAME(DESK) CLUSNL(BOTH)",
    "DEFINE QREMOTE(STORE) RNAME(' ') RQMNAME(STORE) CLUSNL(BOTH)",
)


def overlapping(estate: Any, *at_gate: str, gate: tuple[str, ...] = GATE, **more: str) -> Network:
    """The two clusters; ``more`` is what queue managers have besides."""
    texts = {
        "GATE": member("GATE", {"NORTH": "N1", "SOUTH": "S1"}, *gate, *at_gate),
        "N1": member("N1", {"NORTH": "itself DESK"}),
        "DESK": member("DESK", {"NORTH": "itself N1"}, "DEFINE QLOCAL(ANSWERS)"),
        "S1": member("S1", {"SOUTH": "itself STORE"}),
        "STORE": member("STORE", {"SOUTH": "itself S1"}, "DEFINE QLOCAL(SHOP) CLUSTER(SOUTH)"),
    }
    for name, text in more.items():
        texts[name] = f"{texts.get(name, '')}\n{text}"
    found: Network = estate(**texts)
    return found


def test_a_request_crosses_the_gateway_by_the_alias_and_the_reply_comes_back(estate: Any) -> None:
    network = overlapping(estate)
    answer = network.trace("DESK", "queue:ORDERS", reply=True, reply_to="ANSWERS")
    assert (answer.outcomes, answer.exact) == (("DELIVERED(SHOP@STORE)",), True)
    assert (hops(answer), over(answer)) == (["GATE", "STORE"], [SHARED, SHARED])
    (reply,) = answer.replies
    assert (reply.server, reply.outcomes) == ("STORE", ("DELIVERED(ANSWERS@DESK)",))
    assert errors(network) == set()


def test_nothing_of_the_other_cluster_is_known_but_what_the_gateway_advertises(
    estate: Any,
) -> None:
    network = overlapping(estate)
    assert network.trace("DESK", "queue:SHOP").outcomes == ("REJECTED(2085)",)
    assert network.trace("DESK", "SHOP@STORE").outcomes == ("DELIVERED(SHOP@STORE)",)
    assert network.trace("DESK", "SHOP@S1").outcomes == ("REJECTED(2087)",)
    without = overlapping(estate, gate=GATE[:2])
    assert without.trace("DESK", "SHOP@STORE").outcomes == ("REJECTED(2087)",)
    (reply,) = without.trace("DESK", "queue:ORDERS", reply=True, reply_to="ANSWERS").replies
    assert reply.outcomes == ("REJECTED(2087)",)


def test_bound_on_open_a_request_ends_at_the_gateway(estate: Any) -> None:
    """DEFBIND(NOTFIXED) of the alias is what lets the message go on (q039230_)."""
    fixed = (GATE[0], GATE[1].replace("NOTFIXED", "OPEN"), *GATE[2:])
    answer = overlapping(estate, gate=fixed).trace("DESK", "queue:ORDERS")
    assert answer.outcomes == ("DLQ(DEAD, GATE, 2082)",)


def test_a_queue_with_clchname_takes_the_messages_of_one_channel_apart(estate: Any) -> None:
    """q017400_: the queue of the gateway for the channel to STORE; all others share one."""
    own = "DEFINE QLOCAL(XMIT.STORE) USAGE(XMITQ) CLCHNAME(SOUTH.STORE)"
    network = overlapping(estate, own)
    asked = network.trace("DESK", "queue:ORDERS", reply=True, reply_to="ANSWERS")
    assert over(asked) == [SHARED, "XMIT.STORE"]
    (reply,) = asked.replies
    assert [step.object for step in reply.steps if step.to] == [SHARED, SHARED]
    assert reply.outcomes == ("DELIVERED(ANSWERS@DESK)",)


@pytest.mark.parametrize(
    ("defclxq", "queue"),
    [("CHANNEL", "SYSTEM.CLUSTER.TRANSMIT.SOUTH.STORE"), ("SCTQ", SHARED)],
)
def test_defclxq_gives_each_channel_its_queue_or_all_one(
    estate: Any, defclxq: str, queue: str
) -> None:
    network = overlapping(estate, f"ALTER QMGR DEFCLXQ({defclxq})")
    assert over(network.trace("DESK", "queue:ORDERS")) == [SHARED, queue]


def test_a_cluster_of_its_own_takes_the_messages_of_one_queue_apart(estate: Any) -> None:
    """q017410_: SHOP moves to cluster LANE, which GATE and STORE alone are in, and the queue for
    that channel is told by its name."""
    lane = (
        "DEFINE CHANNEL(LANE.GATE) CHLTYPE(CLUSRCVR) CLUSTER(LANE) CONNAME('gate(1414)')\n"
        "DEFINE CHANNEL(LANE.STORE) CHLTYPE(CLUSSDR) CLUSTER(LANE) CONNAME('store(1414)')\n"
        "DEFINE QLOCAL(XMIT.LANE) USAGE(XMITQ) CLCHNAME('LANE.*')"
    )
    at_store = (
        "DEFINE NAMELIST(SOUTHLANE) NAMES(SOUTH, LANE)\nALTER QMGR REPOS(' ') REPOSNL(SOUTHLANE)\n"
        "DEFINE CHANNEL(LANE.STORE) CHLTYPE(CLUSRCVR) CLUSTER(LANE) CONNAME('store(1414)')\n"
        "ALTER QLOCAL(SHOP) CLUSTER(LANE)\nDEFINE QLOCAL(OTHER) CLUSTER(SOUTH)"
    )
    network = overlapping(estate, lane, STORE=at_store)
    asked = network.trace("DESK", "queue:ORDERS")
    assert (asked.outcomes, over(asked)) == (("DELIVERED(SHOP@STORE)",), [SHARED, "XMIT.LANE"])
    assert over(network.trace("GATE", "queue:OTHER")) == [SHARED]


def test_a_clustered_remote_queue_takes_messages_apart_over_a_sender(estate: Any) -> None:
    """q017390_: a remote queue of the alias's name with a transmission queue and sender for SHOP
    alone; replies still come back over the cluster."""
    sender, receiver = link("GATE", "STORE")
    sender = sender.replace("QLOCAL(STORE)", "QLOCAL(SHOP.ONLY)").replace(
        "XMITQ(STORE)", "XMITQ(SHOP.ONLY)"
    )
    remote = (
        "DELETE QALIAS(ORDERS)\n"
        "DEFINE QREMOTE(ORDERS) RNAME(SHOP) RQMNAME(STORE) XMITQ(SHOP.ONLY) CLUSTER(NORTH)"
    )
    network = overlapping(estate, sender, remote, STORE=receiver)
    asked = network.trace("DESK", "queue:ORDERS", reply=True, reply_to="ANSWERS")
    assert (asked.outcomes, over(asked)) == (("DELIVERED(SHOP@STORE)",), [SHARED, "SHOP.ONLY"])
    assert asked.replies[0].outcomes == ("DELIVERED(ANSWERS@DESK)",)


# q017650_: a bridge between the clusters EAST and WEST.

BRIDGE = (
    "DEFINE NAMELIST(EASTWEST) NAMES(EAST, WEST)",
    "DEFINE QLOCAL(MIDDLE) CLUSNL(EASTWEST)",
)


def bridged(estate: Any, *at_bridge: str) -> Network:
    found: Network = estate(
        QE=member("QE", {"EAST": "itself BRIDGE"}, "DEFINE QLOCAL(RISE) CLUSTER(EAST)"),
        QW=member("QW", {"WEST": "itself BRIDGE"}, "DEFINE QLOCAL(SET) CLUSTER(WEST)"),
        BRIDGE=member("BRIDGE", {"EAST": "itself QE", "WEST": "itself QW"}, *BRIDGE, *at_bridge)
        + "\nALTER QMGR REPOS(' ') REPOSNL(EASTWEST)",
    )
    return found


@pytest.mark.parametrize(
    ("start", "queue", "outcome"),
    [
        ("QE", "RISE", "DELIVERED(RISE@QE)"),
        ("QE", "MIDDLE", "DELIVERED(MIDDLE@BRIDGE)"),
        ("QW", "MIDDLE", "DELIVERED(MIDDLE@BRIDGE)"),
        ("BRIDGE", "RISE", "DELIVERED(RISE@QE)"),
        ("BRIDGE", "SET", "DELIVERED(SET@QW)"),
        ("QE", "SET", "REJECTED(2085)"),
        ("QW", "RISE", "REJECTED(2085)"),
    ],
)
def test_a_bridge_sees_both_clusters_and_each_cluster_the_bridge_alone(
    estate: Any, start: str, queue: str, outcome: str
) -> None:
    network = bridged(estate)
    assert network.trace(start, f"queue:{queue}").outcomes == (outcome,)
    assert errors(network) == set()


def test_an_alias_at_the_bridge_shows_a_queue_to_the_other_cluster(estate: Any) -> None:
    alias = "DEFINE QALIAS(MYSET) CLUSTER(EAST) TARGET(SET) DEFBIND(NOTFIXED)"
    network = bridged(estate, alias)
    answer = network.trace("QE", "queue:MYSET")
    assert (answer.outcomes, hops(answer)) == (("DELIVERED(SET@QW)",), ["BRIDGE", "QW"])
    assert network.trace("QW", "queue:MYSET").outcomes == ("REJECTED(2085)",)


def test_an_alias_of_a_queue_manager_shows_it_to_the_other_cluster(estate: Any) -> None:
    """The name of QE is advertised in WEST, so that its queues can be named from there."""
    alias = "DEFINE QREMOTE(QE) RNAME(' ') RQMNAME(QE) CLUSTER(WEST)"
    assert bridged(estate).trace("QW", "RISE@QE").outcomes == ("REJECTED(2087)",)
    network = bridged(estate, alias)
    answer = network.trace("QW", "RISE@QE")
    assert (answer.outcomes, hops(answer)) == (("DELIVERED(RISE@QE)",), ["BRIDGE", "QE"])
    assert {one.server for one in network.reach("QW").servers} == {"BRIDGE", "QE"}
