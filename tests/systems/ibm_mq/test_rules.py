"""Rules of IBM MQ that no vector covers, each on queue managers written as MQSC."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.message import Message
from topograph.network import Network
from topograph.questions.answers import TraceAnswer
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq import SYSTEM
from topograph.systems.ibm_mq.clusters import Clusters
from topograph.systems.ibm_mq.objects import Network as Objects
from topograph.tracing.exploration import explore


@pytest.fixture
def estate(tmp_path: Path) -> Any:
    """Queue managers by name, each its MQSC."""

    def write(config: str = "", **managers: str) -> Network:
        for name, text in managers.items():
            (tmp_path / f"{name}.mqsc").write_text(
                f"* Queue manager name: {name}\nALTER QMGR DESCR('x')\n{text}\n"
            )
        if config:
            (tmp_path / "topograph.yaml").write_text(config)
        return topograph.read(tmp_path)

    return write


def rules(answer: TraceAnswer) -> set[str]:
    found = {rule for step in answer.steps for rule in step.rule.split(", ")}
    return found | {one.rule for one in answer.assumptions}


LINK = "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) CONNAME('b(1414)')"
"""A transmission queue at A with a channel to B."""
RECEIVER = "DEFINE CHANNEL(C) CHLTYPE(RCVR)"


def test_a_model_queue_makes_a_dynamic_queue_for_an_application_and_takes_nothing_from_a_channel(
    estate: Any,
) -> None:
    network = estate(
        A=f"DEFINE QMODEL(M)\n{LINK}\nDEFINE QREMOTE(R) RNAME(M) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QMODEL(M)\n{RECEIVER}",
    )
    assert network.trace("A", "queue:M").outcomes == ("DELIVERED(dynamic queue of M@A)",)
    answer = network.trace("A", "queue:R", persistent=True)
    assert answer.outcome == "HELD"
    assert {"M-12", "M-13"} <= rules(answer)


@pytest.mark.parametrize(
    ("objects", "code"),
    [
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QALIAS(B) TARGET(X)", 2091),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QLOCAL(B)", 2092),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B) XMITQ(T)\nDEFINE QALIAS(T) TARGET(X)", 2091),
        ("ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)", 2197),
        (
            (
                "ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE "
                "QALIAS(T) TARGET(X)"
            ),
            2198,
        ),
        ("ALTER QMGR DEFXMITQ(T)\nDEFINE QREMOTE(Q) RNAME(X) RQMNAME(B)\nDEFINE QLOCAL(T)", 2199),
        (
            (
                "ALTER QMGR DEFXMITQ(SYSTEM.CLUSTER.TRANSMIT.QUEUE)\nDEFINE QREMOTE(Q) "
                "RNAME(X) RQMNAME(B)"
            ),
            2199,
        ),
        ("DEFINE QREMOTE(Q) RNAME(X) RQMNAME(' ')", 2087),
        ("DEFINE QLOCAL(Q) PUT(DISABLED)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X)\nDEFINE QLOCAL(X) PUT(DISABLED)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X) PUT(DISABLED)\nDEFINE QLOCAL(X)", 2051),
        ("DEFINE QALIAS(Q) TARGET(X)\nDEFINE QMODEL(X)", 2001),
        ("DEFINE QALIAS(Q) TARGET(T) TARGTYPE(TOPIC)", 2082),
        ("DEFINE QLOCAL(Q) STREAMQ(NONE) STRMQOS(MUSTDUP)", 2085),
    ],
)
def test_a_put_that_cannot_be_resolved_is_refused_with_the_code_of_the_product(
    estate: Any, objects: str, code: int
) -> None:
    assert estate(A=objects).trace("A", "queue:Q").outcomes == (f"REJECTED({code})",)


@pytest.mark.parametrize(
    ("objects", "code"),
    [
        ("DEFINE QLOCAL(B)", 2092),
        ("DEFINE QALIAS(B) TARGET(X)", 2087),
        ("DEFINE QMODEL(B)", 2087),
        ("ALTER QMGR DESCR('y')", 2087),
        ("DEFINE QREMOTE(B) RQMNAME(' ') RNAME(' ')", 2087),
    ],
)
def test_a_name_that_stands_for_no_queue_manager_is_refused(
    estate: Any, objects: str, code: int
) -> None:
    network = estate(A=objects)
    assert network.trace("A", "X@B").outcomes == (f"REJECTED({code})",)
    assert network.trace("A", "queue:X", queue_manager="B").outcomes == (f"REJECTED({code})",)


def test_that_defxmitq_and_deadq_are_blank_is_assumed_unless_a_dump_says_so(estate: Any) -> None:
    network = estate(A="DEFINE QLOCAL(X)", B="ALTER QMGR DEFXMITQ(' ')\nDEFINE QLOCAL(X)")
    assert "C-11" in rules(network.trace("A", "X@ELSEWHERE"))
    assert "C-11" not in rules(network.trace("B", "X@ELSEWHERE"))


def test_an_unknown_queue_manager_leaves_through_defxmitq_and_the_hub_knows_it(estate: Any) -> None:
    hub = (
        "DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(TO.B) CHLTYPE(SDR) XMITQ(B) "
        "CONNAME('b')\nDEFINE CHANNEL(TO.HUB) CHLTYPE(RCVR)"
    )
    spoke = (
        "ALTER QMGR DEFXMITQ(HUB)\nDEFINE QLOCAL(HUB) USAGE(XMITQ)\nDEFINE CHANNEL(TO.HUB) "
        "CHLTYPE(SDR) XMITQ(HUB) CONNAME('h')"
    )
    network = estate(A=spoke, HUB=hub, B="DEFINE QLOCAL(X)\nDEFINE CHANNEL(TO.B) CHLTYPE(RCVR)")
    answer = network.trace("A", "X@B")
    assert answer.outcomes == ("DELIVERED(X@B)",)
    assert {"NR13", "NR10"} <= rules(answer)
    assert [(one.server, one.hops) for one in network.reach("A").servers] == [("B", 2), ("HUB", 1)]


def test_reply_to_fields_are_replaced_when_an_alias_of_the_reply_to_queue_is_named(
    estate: Any,
) -> None:
    network = estate(
        A="DEFINE QLOCAL(X)\nDEFINE QREMOTE(R) RNAME(ANSWERS) RQMNAME(FAR) XMITQ(NONE)"
    )
    text = network.trace("A", "queue:X", reply_to="R").steps[0].text
    assert "replies go to ANSWERS@FAR" in text
    assert (
        "replies go to R@FAR"
        in network.trace("A", "queue:X", reply_to="R", reply_to_queue_manager="FAR").steps[0].text
    )
    assert "replies go to X@A" in network.trace("A", "queue:X", reply_to="X").steps[0].text


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


def test_a_channel_without_other_end_in_the_queue_manager_it_is_meant_for_holds_and_the_lint_rule_names_both(  # noqa: E501
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


def test_a_message_put_by_name_on_a_transmission_queue_is_delivered_with_a_warning(
    estate: Any,
) -> None:
    answer = estate(A=LINK).trace("A", "queue:XQ")
    assert answer.outcomes == ("DELIVERED(XQ@A)",)
    assert "C-13" in rules(answer)


DEAD = f"{LINK}\nDEFINE QREMOTE(R) RNAME(NONE) RQMNAME(B) XMITQ(XQ)"


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


def test_usedlq_no_and_npmspeed_normal_stop_the_channel(estate: Any) -> None:
    usedlq = (
        "DEFINE CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO) NPMSPEED(NORMAL)\nALTER QMGR "
        "DEADQ(D)\nDEFINE QLOCAL(D)"
    )
    assert estate(A=DEAD, B=usedlq).trace("A", "queue:R").outcomes == (
        "HELD(XQ, A, channel stopped)",
    )


def cluster(name: str, more: str = "", channel: str = "", *, repository: bool = False) -> str:
    """A member of the cluster C."""
    text = (
        f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('{name}(1414)') "
        f"{channel}\n{more}"
    )
    return f"ALTER QMGR REPOS(C)\n{text}" if repository else text


@pytest.mark.parametrize(
    ("first", "second", "channel", "left", "step"),
    [
        ("CLWLRANK(1)", "", "", "M", "rank"),
        ("CLWLPRTY(1)", "", "", "M", "priority"),
        ("", "PUT(DISABLED)", "", "M", "put disabled"),
        ("", "", "CLWLRANK(1)", "M", "rank"),
        ("", "", "CLWLPRTY(1)", "M", "priority"),
        ("CLWLPRTY(9)", "CLWLRANK(1)", "", "N", "rank"),
    ],
)
def test_the_workload_algorithm_eliminates_in_its_order(
    estate: Any, first: str, second: str, channel: str, left: str, step: str
) -> None:
    network = estate(
        L=cluster("L"),
        M=cluster("M", f"DEFINE QLOCAL(Q) CLUSTER(C) {first}", channel),
        N=cluster("N", f"DEFINE QLOCAL(Q) CLUSTER(C) {second}"),
    )
    answer = network.trace("L", "queue:Q")
    assert answer.outcomes == (f"DELIVERED(Q@{left})",)
    assert "C-15" in rules(answer)
    gone = "N" if left == "M" else "M"
    assert any(f"Q@{gone}: {step}" in branch.eliminated for branch in answer.branches)


@pytest.mark.parametrize(
    ("of_m", "of_n", "left"),
    [
        ("RUNNING", "INACTIVE", {"M", "N"}),
        ("RUNNING", "", {"M", "N"}),
        ("INACTIVE", "BINDING", {"M"}),
        ("STARTING", "INITIALIZING", {"M", "N"}),
        ("STARTING", "RETRYING", {"M"}),
        ("RETRYING", "STOPPED", {"M"}),
        ("RETRYING", "PAUSED", {"M"}),
        ("STOPPING", "STOPPED", {"M", "N"}),
    ],
)
def test_of_the_instances_of_a_cluster_queue_those_with_the_best_channel_state_are_left(
    estate: Any, tmp_path: Path, of_m: str, of_n: str, left: set[str]
) -> None:
    """M-22: running or inactive, then starting, then retrying, then stopped; a channel that was
    not seen counts as running.
    """
    blocks = [
        (
            f"AMQ8417I: Display Channel Status details.\n   CHANNEL(TO.{name})   "
            f"CHLTYPE(CLUSSDR)\n   STATUS({state})\n"
        )
        for name, state in (("M", of_m), ("N", of_n))
        if state
    ]
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager L.\n     1 : DISPLAY "
        f"CHSTATUS(*)\n{''.join(blocks)}One MQSC command read.\n"
    )
    queue = "DEFINE QLOCAL(Q) CLUSTER(C)"
    answer = estate(L=cluster("L"), M=cluster("M", queue), N=cluster("N", queue)).trace(
        "L", "queue:Q"
    )
    members = {
        step.text.split(": ")[1].removeprefix("Q at ")
        for step in answer.steps
        if "Q is a cluster queue" in step.text
    }
    assert members == left
    eliminated = {branch.eliminated for branch in answer.branches} - {""}
    assert eliminated == ({"Q@N: channel state"} if left == {"M"} else set())


@pytest.mark.parametrize(
    ("manager", "queue", "left"),
    [
        ("", "", {"L"}),
        ("CLWLUSEQ(ANY)", "", {"L", "M"}),
        ("CLWLUSEQ(ANY)", "CLWLUSEQ(LOCAL)", {"L"}),
        ("CLWLUSEQ(LOCAL)", "CLWLUSEQ(ANY)", {"L", "M"}),
        ("CLWLUSEQ(ANY)", "CLWLUSEQ(QMGR)", {"L", "M"}),
        ("CLWLUSEQ(LOCAL)", "CLWLUSEQ(QMGR)", {"L"}),
        ("", "CLWLRANK(0) PUT(DISABLED)", {"M"}),
    ],
)
def test_the_queue_says_whether_its_local_instance_is_preferred_and_leaves_it_to_the_queue_manager_by_default(  # noqa: E501
    estate: Any, manager: str, queue: str, left: set[str]
) -> None:
    """M-22, M-23: the local instance is preferred among those that rank and PUT leave."""
    here = f"ALTER QMGR {manager or 'DESCR(x)'}\nDEFINE QLOCAL(Q) CLUSTER(C) {queue}"
    network = estate(L=cluster("L", here), M=cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)"))
    assert set(network.trace("L", "queue:Q").outcomes) == {f"DELIVERED(Q@{name})" for name in left}


def test_a_local_instance_of_lower_rank_is_not_preferred(estate: Any) -> None:
    """M-22: rank is looked at before the local instance is, priority after it."""
    rank = estate(
        L=cluster("L", "DEFINE QLOCAL(Q) CLUSTER(C)\nDEFINE QLOCAL(P) CLUSTER(C)"),
        M=cluster(
            "M", "DEFINE QLOCAL(Q) CLUSTER(C) CLWLRANK(1)\nDEFINE QLOCAL(P) CLUSTER(C) CLWLPRTY(9)"
        ),
    )
    assert rank.trace("L", "queue:Q").outcomes == ("DELIVERED(Q@M)",)
    assert rank.trace("L", "queue:P").outcomes == ("DELIVERED(P@L)",)


def test_of_several_channels_to_one_member_the_one_of_the_highest_network_priority_is_taken(
    estate: Any,
) -> None:
    second = "DEFINE CHANNEL(B.TO.M) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('m2(1414)') NETPRTY({})\n"
    for priority, taken in ((1, "TO.M"), (3, "B.TO.M")):
        network = estate(
            L=cluster("L"),
            M=cluster("M", second.format(priority) + "DEFINE QLOCAL(Q) CLUSTER(C)", "NETPRTY(2)"),
        )
        answer = network.trace("L", "queue:Q")
        assert answer.outcomes == ("DELIVERED(Q@M)",)
        assert [step.text for step in answer.steps if step.to] == [
            f"over cluster channel {taken} to M"
        ]


def test_the_repository_shows_the_instances_at_members_that_are_not_loaded(
    estate: Any, tmp_path: Path
) -> None:
    """M-21, C-6: what it shows of a loaded queue manager is that queue manager's own files' to
    say, and other queues are no instances.
    """
    shown = "".join(
        (
            f"AMQ8409I: Display Queue details.\n   QUEUE({queue})   TYPE(QCLUSTER)\n   "
            f"CLUSQMGR({manager})   CLUSTER(C)\n"
        )
        for queue, manager in (("Q", "FAR"), ("Q", "M"), ("P", "FARTHER"))
    )
    (tmp_path / "clusters.txt").write_text(
        f"Starting MQSC for queue manager L.\n     1 : DISPLAY QCLUSTER(*) ALL\n{shown}"
        "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(FAR)   "
        "CHANNEL(TO.FAR)\n   CLUSTER(C) CONNAME(far(1414))\n"
        "One MQSC command read.\n"
    )
    network = estate(L=cluster("L"), M=cluster("M"))
    answer = network.trace("L", "queue:Q")
    assert [(step.to, step.text) for step in answer.steps if step.to] == [
        ("FAR", "over channel TO.FAR to FAR")
    ]
    assert "C-6" in rules(answer)
    assert [step.to for step in network.trace("L", "queue:P").steps if step.to] == ["FARTHER"]
    assert network.trace("L", "queue:NONE").outcomes == ("REJECTED(2085)",)


def test_a_cluster_offers_the_queues_that_name_it_each_set_of_members_once(estate: Any) -> None:
    """M-20, M-28: neither queues of no or of another cluster nor aliases of queue managers."""
    objects = (
        "DEFINE QLOCAL(Q) CLUSTER(C)\nDEFINE QLOCAL(OWN)\nDEFINE QLOCAL(D) "
        "CLUSTER(D)\nDEFINE QREMOTE(FAR) RNAME(' ') RQMNAME(X) CLUSTER(C)"
    )
    more = (
        "DEFINE QALIAS(P) TARGET(OWN) CLUSTER(C)\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(X) "
        "XMITQ(XQ) CLUSTER(C)"
    )
    network = estate(
        L=cluster("L"), M=cluster("M", objects), N=cluster("N", f"{objects}\n{more}"), O=objects
    )
    source = network._model.parts[0].facts_of("ibm_mq")
    clusters = Clusters(Objects(source, SideInputs()))
    assert clusters.offered("C") == ["R", "Q"]
    assert clusters.offered("D") == []
    assert clusters.aliases("L") == ["FAR"]
    assert clusters.aliases("O") == []


def test_members_of_two_clusters_share_only_the_queues_of_the_cluster_that_both_are_in(
    estate: Any,
) -> None:
    """M-20, M-21: a queue that names a cluster of which its own queue manager is no member is
    not advertised there either.
    """
    other = "DEFINE CHANNEL(D.{0}) CHLTYPE(CLUSRCVR) CLUSTER(D) CONNAME('{0}(1415)')\n"
    network = estate(
        L=cluster("L"),
        M=cluster(
            "M", other.format("M") + "DEFINE QLOCAL(Q) CLUSTER(D)\nDEFINE QLOCAL(P) CLUSTER(C)"
        ),
        N=cluster("N", "DEFINE QLOCAL(Q) CLUSTER(D)"),
        O=other.format("O"),
    )
    assert network.trace("L", "queue:Q").outcomes == ("REJECTED(2085)",)
    assert network.trace("L", "queue:P").outcomes == ("DELIVERED(P@M)",)
    assert network.trace("O", "queue:Q").outcomes == ("DELIVERED(Q@M)",)
    assert network.trace("O", "queue:P").outcomes == ("REJECTED(2085)",)


def test_where_every_instance_is_put_disabled_the_cluster_refuses(estate: Any) -> None:
    network = estate(L=cluster("L"), M=cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C) PUT(DISABLED)"))
    assert network.trace("L", "queue:Q").outcomes == ("REJECTED(2268)",)


def test_naming_the_local_queue_manager_keeps_a_clustered_queue_local(estate: Any) -> None:
    queue = "DEFINE QLOCAL(Q) CLUSTER(C) CLWLUSEQ(ANY)"
    network = estate(L=cluster("L", queue), M=cluster("M", queue))
    assert network.trace("L", "queue:Q").outcome == "ONE_OF"
    answer = network.trace("L", "Q@L")
    assert answer.outcomes == ("DELIVERED(Q@L)",)
    assert "NR3" in rules(answer)


def test_a_gateway_advertises_another_network_by_queue_and_by_alias_of_a_queue_manager(
    estate: Any,
) -> None:
    gateway = (
        "DEFINE QREMOTE(Q) RNAME(X) RQMNAME(B) XMITQ(XQ) CLUSTER(C)\nDEFINE QREMOTE(B) "
        "RNAME(' ') RQMNAME(B) XMITQ(XQ) CLUSTER(C)\n"
    ) + LINK
    network = estate(L=cluster("L"), A=cluster("A", gateway), B=f"DEFINE QLOCAL(X)\n{RECEIVER}")
    for destination in ("queue:Q", "X@B"):
        answer = network.trace("L", destination)
        assert answer.outcomes == ("DELIVERED(X@B)",)
        assert [step.to for step in answer.steps if step.to] == ["A", "B"]
    assert [(one.server, one.hops) for one in network.reach("L").servers] == [("A", 1), ("B", 2)]


@pytest.mark.parametrize(
    ("objects", "queue"),
    [
        ("ALTER QMGR DEFCLXQ(CHANNEL)", "SYSTEM.CLUSTER.TRANSMIT.TO.M"),
        ("DEFINE QLOCAL(MINE) USAGE(XMITQ) CLCHNAME('TO.*')", "MINE"),
        ("ALTER QMGR DESCR('y')", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
    ],
)
def test_which_transmission_queue_a_cluster_channel_reads(
    estate: Any, objects: str, queue: str
) -> None:
    network = estate(L=cluster("L", objects), M=cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)"))
    assert queue in [step.object for step in network.trace("L", "queue:Q").steps]


@pytest.mark.parametrize(
    ("first", "second", "queue"),
    [
        ("TO.*", "TO.M", "SECOND"),
        ("TO.M", "TO.M*", "FIRST"),
        ("*", "T*", "SECOND"),
        ("TO.N", "X*", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
        ("*X*M", "T*M.M", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
        ("T*O*M", "X*", "FIRST"),
        ("TO.M*M", "M*", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"),
    ],
)
def test_of_several_generic_names_the_most_exact_one_that_takes_the_channel_counts(
    estate: Any, first: str, second: str, queue: str
) -> None:
    here = (
        f"DEFINE QLOCAL(FIRST) USAGE(XMITQ) CLCHNAME('{first}')\nDEFINE QLOCAL(SECOND) "
        f"USAGE(XMITQ) CLCHNAME('{second}')"
    )
    network = estate(L=cluster("L", here), M=cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)"))
    objects = {step.object for step in network.trace("L", "queue:Q").steps}
    assert objects & {"FIRST", "SECOND", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"} == {queue}


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
        ("queue:R", "NR6", "M"),
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
    assert answer.outcomes == ("DELIVERED(X@B)",)
    assert ("C1" not in rules(answer)) is sure


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


def test_the_host_and_port_of_an_entry_and_the_address_of_a_cluster_receiver_say_which_partner_is_meant(  # noqa: E501
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
def test_an_answer_rests_on_the_name_of_a_channel_whose_address_is_known_to_be_another_one(
    estate: Any, host: str, doubted: str
) -> None:
    """C1: the partner has the channel's name; topograph.yaml, or else a listener, may say that
    the address is not its own.
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
    assert answer.outcomes == ("DELIVERED(X@B)",)
    doubts = [one.alternative for one in answer.assumptions if one.rule == "C1"]
    assert [doubted in one for one in doubts] == ([True] if doubted else [])


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


def test_members_that_cluster_senders_lead_to_are_missing_only_where_they_are_not_loaded(
    estate: Any,
) -> None:
    sender = "DEFINE CHANNEL(TO.{}) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('m(1414)')".format
    member = cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)")
    assert "C-6" not in rules(estate(L=cluster("L", sender("M")), M=member).trace("L", "queue:Q"))
    assert "C-6" in rules(estate(L=cluster("L", sender("FAR")), M=member).trace("L", "queue:Q"))
    # One of a cluster of which the queue manager is no member is not used (C-8).
    other = sender("FAR").replace("CLUSTER(C)", "CLUSTER(OTHER)")
    assert "C-6" not in rules(estate(L=cluster("L", other), M=member).trace("L", "queue:Q"))


def test_members_of_a_namelist_and_members_that_are_not_loaded(estate: Any) -> None:
    names = "DEFINE NAMELIST(NL) NAMES(C, OTHER)\nDEFINE QLOCAL(Q) CLUSNL(NL)"
    sender = "DEFINE CHANNEL(TO.FAR) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('far(1414)')"
    network = estate(L=cluster("L", sender), M=cluster("M", names))
    answer = network.trace("L", "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@M)",)
    assert "C-6" in rules(answer)
    assert "C-6" in rules(network.trace("L", "queue:ELSEWHERE"))


def test_subscriptions_get_copies_where_topic_and_selector_match(estate: Any) -> None:
    here = """DEFINE TOPIC(T) TOPICSTR('prices')
DEFINE QALIAS(P) TARGET(T) TARGTYPE(TOPIC)
DEFINE QLOCAL(ALL)
DEFINE QLOCAL(SOME)
DEFINE SUB(S1) TOPICSTR('prices/#') DEST(ALL)
DEFINE SUB(S2) TOPICOBJ(T) DEST(SOME) SELECTOR('country = ''Canada''')
DEFINE SUB(S3) TOPICSTR('other') DEST(ALL)
DEFINE SUB(S4) TOPICSTR('+') DESTCLAS(MANAGED)"""
    network = estate(A=here)
    with_copy = network.trace("A", "queue:P", {"country": "Canada"})
    assert set(with_copy.outcomes) == {
        "PUBLISHED(prices)",
        "DELIVERED(ALL@A)",
        "DELIVERED(SOME@A)",
        "DELIVERED(managed queue of S4@A)",
    }
    assert (
        "DELIVERED(SOME@A)" not in network.trace("A", "topic:prices", {"country": "Chile"}).outcomes
    )
    assert estate(A=here + "\nALTER TOPIC(T) PUB(DISABLED)").trace("A", "queue:P").outcomes == (
        "REJECTED(2051)",
    )


def test_what_becomes_of_a_copy_for_a_subscription_that_cannot_be_put_is_left_open(
    estate: Any,
) -> None:
    topics = "DEFINE TOPIC(T) TOPICSTR('t')\nDEFINE QLOCAL(FULL) PUT(DISABLED)"
    subscribed = estate(A=f"{topics}\nDEFINE SUB(S) TOPICSTR('t') DEST(FULL)").trace("A", "topic:t")
    assert [one.ending for one in subscribed.branches if one.of == 0] == [
        "PUBLISHED(t)",
        "UNDETERMINED",
    ]
    assert {"M-31", "M-06"} <= rules(subscribed)
    assert "M-18" not in rules(subscribed)
    assert [(one.rule, one.confidence) for one in subscribed.assumptions if "copy" in one.text] == [
        ("M-31", "L")
    ]


def test_a_streamed_copy_that_cannot_be_put_is_dropped(estate: Any) -> None:
    streamed = estate(B="DEFINE QLOCAL(Q) STREAMQ(FULL)\nDEFINE QLOCAL(FULL) PUT(DISABLED)").trace(
        "B", "queue:Q"
    )
    assert streamed.outcomes == ("DELIVERED(Q@B)", "DISCARDED(2051)")
    assert "M-18" in rules(streamed)


MEMBER = "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('{0}(1)')\n"
CLUSTERED = "DEFINE TOPIC(T) TOPICSTR('prices') CLUSTER(C)\n"
SUBSCRIBES = "DEFINE QLOCAL(MINE)\nDEFINE SUB(S) TOPICSTR('prices/#') DEST(MINE)"


@pytest.mark.parametrize(
    ("managers", "why"),
    [
        (
            {"A": MEMBER + CLUSTERED, "B": MEMBER + SUBSCRIBES},
            "topic object T of A is clustered in C",
        ),
        (
            {"A": MEMBER, "B": MEMBER + CLUSTERED + SUBSCRIBES},
            "topic object T of B is clustered in C",
        ),
        ({"A": "ALTER QMGR PARENT(B)\n", "B": SUBSCRIBES}, "A has PARENT(B)"),
        ({"A": "", "B": f"ALTER QMGR PARENT(A)\n{SUBSCRIBES}"}, "B has PARENT(A)"),
        (
            {"A": "", "H": "ALTER QMGR PARENT(A)", "B": f"ALTER QMGR PARENT(H)\n{SUBSCRIBES}"},
            "B has PARENT(H)",
        ),
    ],
    ids=["clustered here", "clustered there", "child", "parent", "grandparent"],
)
def test_a_subscription_of_another_queue_manager_is_neither_certain_nor_left_out(
    estate: Any, managers: dict[str, str], why: str
) -> None:
    entry = "\nDEFINE TOPIC(HERE) TOPICSTR('prices/oil')"
    texts = {
        name: text.format(name) + (entry if name == "A" else "") for name, text in managers.items()
    }
    network = estate(**texts)
    answer = network.trace("A", "topic:prices/oil")
    assert [one.ending for one in answer.branches if one.of == 0] == [
        "PUBLISHED(prices/oil)",
        "UNDETERMINED",
    ]
    assert [one.server for one in answer.undetermined] == ["B"]
    assert [one.confidence for one in answer.assumptions if one.rule == "M-30"] == ["L"]
    assert why in "".join(step.text for step in answer.steps)
    assert {one.server: one.certain for one in network.reach("A").servers}["B"] is (
        "CLUSRCVR" in managers["A"]
    )
    elsewhere = network.trace("A", "topic:weather")
    assert elsewhere.outcomes == ("PUBLISHED(weather)",)


def test_a_publication_that_no_cluster_or_hierarchy_carries_stays_with_its_queue_manager(
    estate: Any,
) -> None:
    network = estate(A=CLUSTERED, B=SUBSCRIBES)
    answer = network.trace("A", "topic:prices")
    assert answer.outcomes == ("PUBLISHED(prices)",)
    assert "M-30" not in {one.rule for one in answer.assumptions}


def test_a_parent_that_is_not_loaded_leaves_open_who_else_subscribes(estate: Any) -> None:
    answer = estate(A="ALTER QMGR PARENT(FAR)").trace("A", "topic:prices")
    assert "M-30" in rules(answer)


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


def test_every_answer_says_once_that_authority_is_not_evaluated(estate: Any) -> None:
    answer = estate(A="DEFINE QLOCAL(X)").trace("A", "queue:X")
    assert [one.message for one in answer.warnings].count("authority not evaluated") == 1


def test_an_object_of_a_template_leaves_open_where_it_leads(estate: Any) -> None:
    network = estate(
        A="DEFINE QREMOTE(R) RNAME(X) RQMNAME('{{ far }}') XMITQ(XQ)\n" + LINK,
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}",
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == ("UNDETERMINED",)


@pytest.mark.parametrize("quality", ["BESTEF", "MUSTDUP"])
@pytest.mark.parametrize("names", [1, 2, 3000])
def test_chains_and_circles_of_any_length_end(estate: Any, names: int, quality: str) -> None:
    circle = [
        f"DEFINE QLOCAL(Q{n}) STREAMQ(Q{(n + 1) % names}) STRMQOS({quality})" for n in range(names)
    ]
    network = estate(A="\n".join(circle))
    answer = network.trace("A", "queue:Q0")
    assert any(outcome.startswith("LOOP") for outcome in answer.outcomes)
    assert "ways-cut" not in {row["kind"] for row in network.show("findings").to_dict()["rows"]}
    # The product supports no chain of streaming queues.
    assert [one.confidence for one in answer.assumptions if one.rule == "M-18"] == ["L"]


def test_a_chain_of_streaming_queues_that_must_take_a_copy_refuses_where_the_last_one_does(
    estate: Any,
) -> None:
    last = 3000
    chain = [f"DEFINE QLOCAL(Q{n}) STREAMQ(Q{n + 1}) STRMQOS(MUSTDUP)" for n in range(last)]
    network = estate(A="\n".join([*chain, f"DEFINE QLOCAL(Q{last}) PUT(DISABLED)"]))
    answer = network.trace("A", "queue:Q0")
    assert answer.outcomes == ("REJECTED(2051)",)
    assert f"Q{last} has PUT(DISABLED)" in answer.steps[-1].text
    assert network.trace("A", f"queue:Q{last - 1}").outcomes == ("REJECTED(2051)",)


def test_a_trace_reads_the_facts_of_the_queue_managers_that_it_passes() -> None:
    from topograph.facts.ibm_mq import Attribute, Queue, QueueManager
    from topograph.findings import Source

    facts: list[Fact] = []
    for number in range(1000):
        name = f"QM{number:03}"
        place = Source(f"{name}.mqsc", 1)
        facts.append(QueueManager(bundle=name, server=name, source=place, name=name))
        attributes = (Attribute("USAGE", "NORMAL"),)
        facts += [
            Queue(
                bundle=name,
                server=name,
                source=place,
                name=f"Q{queue}.{name}",
                noun="QLOCAL",
                attributes=attributes,
            )
            for queue in range(50)
        ]
    read: list[int] = []

    class Counted(FactList):
        def facts(
            self, kinds: Sequence[str] = (), server: Any = "", names: Any = None
        ) -> Sequence[Fact]:
            found = super().facts(kinds, server, names)
            if "queue" in kinds:
                read.append(len(found))
            return found

    assert SYSTEM.stepping is not None
    own = SYSTEM.stepping(Counted(facts), SideInputs())
    message = Message.to("queue:Q7.QM500")
    trace = explore({"ibm_mq": own}, "ibm_mq", own.enter("QM500", message), message)
    assert [str(branch.ending) for branch in trace.endings()] == ["DELIVERED(Q7.QM500@QM500)"]
    assert sum(read) < 200


def test_a_name_picked_from_all_others_is_like_one_that_was_given(estate: Any) -> None:
    """What DEFXMITQ takes and a queue manager on the way knows: else each queue manager behind
    it would make all points on that way anew.
    """

    def link(here: str, far: str) -> str:
        return (
            f"DEFINE QLOCAL({far}) USAGE(XMITQ)\nDEFINE CHANNEL({here}.{far}) "
            f"CHLTYPE(SDR) XMITQ({far}) CONNAME('h')\n"
            f"DEFINE CHANNEL({far}.{here}) CHLTYPE(RCVR)\n"
        )

    leaves = {
        f"L{number}": link(f"L{number}", "MID") + "ALTER QMGR DEFXMITQ(MID)" for number in range(3)
    }
    middle = (
        link("MID", "TOP")
        + "".join(link("MID", leaf) for leaf in leaves)
        + "ALTER QMGR DEFXMITQ(TOP)"
    )
    network = estate(
        MID=middle, TOP=link("TOP", "MID") + link("TOP", "FAR"), FAR=link("FAR", "TOP"), **leaves
    )
    states = [
        json.loads(point.state) for point in network._model.parts[0].graph.points if point.state
    ]
    excluding = [state["queue_manager"] for state in states if state.get("excluded")]
    assert excluding
    assert set(excluding) == {"*other"}
    assert {one.server for one in network.reach("L0").servers} == {"MID", "TOP", "FAR", "L1", "L2"}


def test_queues_of_one_name_at_many_queue_managers_are_looked_through_once(
    estate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = Clusters.advertised_in
    monkeypatch.setattr(
        Clusters, "advertised_in", lambda self, queue: asked.append(queue.name) or real(self, queue)
    )
    member = "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h')"
    estate(**{f"M{number:02}": member.format(f"M{number:02}") for number in range(40)})
    assert len(asked) < 10 * 40


def test_a_queue_manager_is_reached_over_remote_and_cluster_queues_of_another_one():
    """A put on ``Q@HUB`` goes on from there: ``reach`` says so, as ``trace`` does (M-12)."""
    network = topograph.read(Path(__file__).resolve().parents[3] / "examples" / "queue_managers")
    assert network.trace("STORE2", "ORDERS@HUB").outcome == "ONE_OF"
    reached = {one.server: one.certain for one in network.reach("STORE2").servers}
    assert reached == {"HUB": True, "EAST": False, "WEST": False}


def test_an_instance_of_a_cluster_queue_is_one_point_whoever_chooses_it(estate: Any) -> None:
    """Else a queue of a cluster of 300 members would be 90,000 points."""
    member = (
        "ALTER QMGR CLWLUSEQ(ANY)\nDEFINE QLOCAL(Q) CLUSTER(C)\nDEFINE QLOCAL(OWN)\n"
        "DEFINE CHANNEL(TO.{0}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('h')"
    )
    names = [f"M{number:02}" for number in range(20)]
    network = estate(**{name: member.format(name) for name in names})
    points = network._model.parts[0].graph.points
    arrivals = [
        point
        for point in points
        if point.kind == "arrival" and json.loads(point.state)["name"] == "Q"
    ]
    assert len(arrivals) == len(names)
    assert len(network.trace("M00", "queue:Q").outcomes) == len(names)
    assert {one.certain for one in network.reach("M00").servers} == {True}


def test_messages_that_circulate_through_aliases_and_missing_ends_are_told_and_not_followed_for_ever(  # noqa: E501
    estate: Any,
) -> None:
    circle = "\n".join(
        f"DEFINE QREMOTE(R{n}) RNAME(R{(n + 1) % 50}) RQMNAME(B) XMITQ(XQ)" for n in range(50)
    )
    back = "\n".join(
        f"DEFINE QREMOTE(R{n}) RNAME(R{(n + 1) % 50}) RQMNAME(A) XMITQ(XQ)" for n in range(50)
    )
    there = (
        "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(XQ) CONNAME('a')\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE CHANNEL(D) CHLTYPE(RCVR)\n{circle}\nDEFINE QLOCAL(B2) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(NO.END) CHLTYPE(SDR) XMITQ(B2) CONNAME('b(1)')\nDEFINE "
        "QREMOTE(LOST) RNAME(X) RQMNAME(B) XMITQ(B2)",
        B=f"{there}{RECEIVER}\n{back}",
    )
    assert network.trace("A", "queue:R0").outcome == "LOOP"
    assert network.trace("A", "queue:NOT.THERE").outcome == "REJECTED"
    assert network.trace("A", "queue:LOST").outcome == "HELD"
    found = {one["rule"] for one in network.check().findings}
    assert {"ML-04", "ML-10"} <= found


def test_ten_thousand_objects_in_one_file_are_read_and_asked_about(estate: Any) -> None:
    queues = [f"DEFINE QLOCAL(Q{number})" for number in range(10_000)]
    aliases = [
        "DEFINE QALIAS(A) TARGET(Q9999)",
        "DEFINE QALIAS(X) TARGET(Y)",
        "DEFINE QALIAS(Y) TARGET(X)",
    ]
    network = estate(A="\n".join([*queues, *aliases]))
    assert network.trace("A", "queue:A").outcomes == ("DELIVERED(Q9999@A)",)
    assert network.trace("A", "queue:X").outcomes == ("REJECTED(2001)",)
    assert network.trace("A", "queue:Q10000").outcomes == ("REJECTED(2085)",)
    assert len(network.show("queues").to_dict()["rows"]) == 10_003


SHOWN = """     1 : DISPLAY QMGR ALL
AMQ8408I: Display Queue Manager details.
   QMNAME(SEEN)                            DEADQ(DEAD.LETTERS)
     2 : DISPLAY CHANNEL(*) ALL
AMQ8414I: Display Channel details.
   CHANNEL(SYSTEM.DEF.SERVER)              CHLTYPE(SVR)
   CONNAME( )                              XMITQ( )
"""


def test_output_that_shows_no_queue_says_nothing_of_the_queues(tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text(SHOWN)
    network = topograph.read(tmp_path)
    for destination in ("queue:ORDERS", "ORDERS@ELSEWHERE"):
        answer = network.trace("SEEN", destination)
        assert answer.outcome == "UNDETERMINED"
        assert answer.outcomes == ("UNDETERMINED",)
        assert answer.steps[-1].text.startswith("no loaded file shows the queues of SEEN")
    # What others begin as is never started, and a dead-letter queue may be there.
    assert [(row["rule"], row["kind"]) for row in network.show("findings").to_dict()["rows"]] == []


def test_output_that_shows_a_queue_says_that_another_is_not_there_as_an_assumption(
    tmp_path: Path,
) -> None:
    queue = (
        "     3 : DISPLAY QLOCAL(*) ALL\nAMQ8409I: Display Queue details.\n   "
        "QUEUE(DEAD.LETTERS)                     TYPE(QLOCAL)\n"
    )
    (tmp_path / "seen.txt").write_text(SHOWN + queue)
    network = topograph.read(tmp_path)
    answer = network.trace("SEEN", "queue:ORDERS")
    assert answer.outcomes == ("REJECTED(2085)",)
    assert "SEEN has no queue ORDERS: the output shows all its queues" in {
        one.text for one in answer.assumptions
    }
    assert network.trace("SEEN", "queue:DEAD.LETTERS").outcomes == ("DELIVERED(DEAD.LETTERS@SEEN)",)


def test_what_is_left_open_says_what_is_possible_and_what_would_decide_it(estate: Any) -> None:
    network = estate(A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(NONE) RQMNAME(B) XMITQ(XQ)", B=RECEIVER)
    answer = network.trace("A", "queue:R")
    assert answer.outcome == "UNDETERMINED"
    dropped, stays = (step.text for step in answer.steps[-2:])
    assert dropped.startswith("possible: B has no queue NONE (2085 ")
    assert "NPMSPEED(FAST) drops a nonpersistent message" in dropped
    assert "the channel stops, and the message stays on XQ" in stays
    assert all("use --persistent or --nonpersistent" in text for text in (dropped, stays))


def test_channels_are_shown_with_the_states_in_which_they_were_observed(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(STOPPED)\nOne MQSC command read.\n"
    )
    network = estate(A=LINK, B=f"DEFINE QLOCAL(X)\n{RECEIVER}")
    assert {(row["server"], row["observed"]) for row in network.show("channels").rows} == {
        ("A", "STOPPED"),
        ("B", ""),
    }
    (finding,) = (one for one in network.check().findings if one["rule"] == "M-11")
    assert "stopped when it was observed: messages for it wait on XQ" in str(finding["message"])
    assert (finding["severity"], finding["source"]["file"]) == ("warning", "status.txt")


def test_a_stopped_channel_is_cited_where_a_queue_manager_is_not_reached(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(STOPPED)\nOne MQSC command read.\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}",
    )
    answers = (
        network.reach("A"),
        network.reach("A", "B"),
        network.paths("A", "B"),
        network.hops("A", "B"),
    )
    for answer in answers:
        assert [(one.rule, str(one.source)) for one in answer.warnings] == [
            ("M-11", "status.txt:3")
        ]
    assert network.reach("B", "A").warnings[0].rule == "M-11"


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


QUEUE_SHOWN = """Starting MQSC for queue manager A.
     1 : DISPLAY QUEUE(*) ALL
AMQ8409I: Display Queue details.
   QUEUE(Q)                                TYPE(QLOCAL)
   CURDEPTH({depth})                             MAXDEPTH(5)
   PUT(ENABLED)                            CRDATE(2024-01-02)
One MQSC command read.
"""
QUEUE_STATUS = """Starting MQSC for queue manager A.
     1 : DISPLAY QSTATUS(*)
AMQ8450I: Display queue status details.
   QUEUE(Q)                                TYPE(QUEUE)
   CURDEPTH({depth})
One MQSC command read.
"""


@pytest.mark.parametrize(
    "output", [QUEUE_SHOWN, QUEUE_STATUS], ids=["DISPLAY QUEUE", "DISPLAY QSTATUS"]
)
@pytest.mark.parametrize(("depth", "outcome"), [(5, "REJECTED(2053)"), (4, "DELIVERED(Q@A)")])
def test_a_queue_is_full_as_it_was_observed(
    estate: Any, tmp_path: Path, output: str, depth: int, outcome: str
) -> None:
    (tmp_path / "observed.txt").write_text(output.format(depth=depth))
    more = {"A": "DEFINE QLOCAL(Q) MAXDEPTH(5)"} if output == QUEUE_STATUS else {}
    answer = estate(**more).trace("A", "queue:Q")
    assert answer.outcomes == (outcome,)
    assert ["observed.txt" in one.text for one in answer.assumptions if one.rule == "M-06"] == [
        True
    ] * (depth == 5)


def test_definitions_in_two_files_are_reported_where_they_differ_in_what_decides_about_routing(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "Z.txt").write_text(QUEUE_SHOWN.format(depth=0))
    network = estate(A="DEFINE QLOCAL(Q) MAXDEPTH(5)")
    assert [one for one in network.check().findings if one["rule"] == "C-9"] == []
    assert "C-9" not in rules(network.trace("A", "queue:Q"))
    network = estate(A="DEFINE QLOCAL(Q) MAXDEPTH(5) PUT(DISABLED)")
    (finding,) = (one for one in network.check().findings if one["rule"] == "C-9")
    assert (finding["severity"], finding["source"]["file"]) == ("error", "Z.txt")
    assert "defined in A.mqsc:3:1, too" in str(finding["message"])
    assert "C-9" in rules(network.trace("A", "queue:Q"))


@pytest.mark.parametrize(
    ("subscription", "gets"),
    [
        ("TOPICSTR('#')", False),
        ("TOPICSTR('news/+/goal')", False),
        ("TOPICSTR('news/sport/#')", True),
        ("TOPICSTR('news/sport/+')", True),
        ("TOPICSTR('news/sport/goal')", True),
        ("TOPICSTR('news/*') WSCHEMA(CHAR)", False),
    ],
)
def test_a_topic_object_may_keep_publications_from_wildcards_above_it(
    estate: Any, subscription: str, gets: bool
) -> None:
    text = (
        "DEFINE TOPIC(SPORT) TOPICSTR('news/sport') WILDCARD(BLOCK)\nDEFINE "
        f"QLOCAL(D)\nDEFINE SUB(S) DEST(D) {subscription}"
    )
    answer = estate(A=text).trace("A", "topic:news/sport/goal")
    assert ("DELIVERED(D@A)" in answer.outcomes[0]) is gets
    assert ("keeps it from subscription S" in answer.steps[0].text) is not gets
    passed = estate(A=text.replace("BLOCK", "PASSTHRU")).trace("A", "topic:news/sport/goal")
    assert "DELIVERED(D@A)" in passed.outcomes[0]


def test_a_channel_that_was_seen_trying_is_supposed_to_get_its_connection(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(RETRYING)\nOne MQSC command read.\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}",
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == ("DELIVERED(X@B)",)
    (supposed,) = (one for one in answer.assumptions if one.rule == "M-11")
    assert "was retrying when it was observed (status.txt:3)" in supposed.text
    assert [one["kind"] for one in network.check().findings if one["rule"] == "M-11"] == [
        "channel-not-running"
    ]
