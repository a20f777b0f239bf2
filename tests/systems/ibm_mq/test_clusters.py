"""Clusters: which instance of a queue is taken, and which members share one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from systems.ibm_mq.defined import LINK, RECEIVER, cluster, rules

import topograph
from topograph.side_inputs import SideInputs
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork as Objects


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
        ("STOPPING", "STARTING", {"M", "N"}),
        ("STOPPING", "RETRYING", {"M", "N"}),
        ("RUNNING", "STOPPING", {"M"}),
    ],
)
def test_of_the_instances_of_a_cluster_queue_those_with_the_best_channel_state_are_left(
    estate: Any, tmp_path: Path, of_m: str, of_n: str, left: set[str]
) -> None:
    """M-22: running or inactive, then starting, then retrying, then stopped; a channel that was
    not seen counts as running. One that is stopping is among those that start or those that are
    stopped (C-18).
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
def test_the_queue_or_by_default_its_queue_manager_says_whether_a_local_instance_is_preferred(
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


@pytest.mark.parametrize("alone", [True, False])
def test_where_network_priority_and_priority_contradict_each_other_neither_is_certain(
    estate: Any, alone: bool
) -> None:
    """C-17: the better network of M has the worse CLWLPRTY, that of N is between them."""
    second = "DEFINE CHANNEL(B.TO.M) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('m2(1414)') NETPRTY(9)\n"
    queue = "DEFINE QLOCAL(Q) CLUSTER(C)"
    members = {"M": cluster("M", second + queue, "CLWLPRTY(9)")}
    if not alone:
        members["N"] = cluster("N", queue, "CLWLPRTY(5)")
    answer = estate(L=cluster("L"), **members).trace("L", "queue:Q")
    assert {step.text for step in answer.steps if step.to} == {
        f"over cluster channel {channel} to {channel[-1]}"
        for channel in (("TO.M", "B.TO.M") if alone else ("TO.M", "TO.N"))
    }
    assert set(answer.outcomes) == {f"DELIVERED(Q@{name})" for name in members}
    assert [one.rule for one in answer.assumptions].count("C-17") == 1


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


def test_a_cluster_offers_the_queues_that_name_it(estate: Any) -> None:
    """M-20, M-28: neither queues of no or of another cluster nor aliases of queue managers."""
    objects = (
        "DEFINE QLOCAL(Q) CLUSTER(C) DESCR('one')\nDEFINE QLOCAL(Q2) CLUSTER(C) DESCR('two')\n"
        "DEFINE QLOCAL(Q3) CLUSTER(C) PUT(DISABLED)\nDEFINE QLOCAL(OWN)\nDEFINE QLOCAL(D) "
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
    assert clusters.offered("C") == ["P", "Q", "Q2", "Q3", "R"]
    assert clusters.offered("D") == []
    assert sorted(clusters.offered_alike("C")) == ["P", "Q2", "Q3", "R"]
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
    ("transmits", "outcome"),
    [("PUT(DISABLED)", "REJECTED(2051)"), ("PUT(ENABLED)", "DELIVERED(Q@M)")],
)
def test_nothing_is_put_on_a_transmission_queue_of_a_cluster_that_takes_nothing(
    estate: Any, transmits: str, outcome: str
) -> None:
    mine = f"DEFINE QLOCAL(MINE) USAGE(XMITQ) CLCHNAME('TO.*') {transmits}"
    network = estate(L=cluster("L", mine), M=cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)"))
    assert network.trace("L", "queue:Q").outcomes == (outcome,)


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


def test_a_queue_manager_is_reached_over_remote_and_cluster_queues_of_another_one(
    tmp_path: Path,
) -> None:
    """A put on a queue of any member goes on from HUB: ``reach`` says so, as ``trace`` does (NR11).
    One that names HUB itself stays there (NR8)."""
    example = Path(__file__).resolve().parents[3] / "examples" / "queue_managers"
    for file in example.iterdir():
        text = file.read_text().replace("RNAME('ORDER')", "RNAME('ORDERS')")
        (tmp_path / file.name).write_text(text)
    network = topograph.read(tmp_path)
    assert network.trace("STORE2", "queue:ORDERS").outcome == "ONE_OF"
    assert network.trace("STORE2", "ORDERS@HUB").outcomes == ("DLQ(HUB.DEAD, HUB, 2085)",)
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


def test_a_member_of_the_cluster_that_is_not_loaded_may_lead_anywhere(estate: Any) -> None:
    """L has a channel to HUB, whose files are missing: what HUB has joined is not known."""
    to_hub = "DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('hub(1414)')"
    to_store = (
        "DEFINE QLOCAL(HUB) USAGE(XMITQ)\n"
        "DEFINE CHANNEL(STORE.HUB) CHLTYPE(SDR) XMITQ(HUB) CONNAME('hub(1414)')"
    )
    network = estate(L=cluster("L", to_hub), M=cluster("M"), STORE=to_store)
    answer = network.reach("L")
    assert ([entry.server for entry in answer.servers], answer.unreachable) == (["M"], ())
    assert {entry.server: entry.because for entry in answer.undetermined} == dict.fromkeys(
        ("HUB", "STORE"),
        "L: the queue manager at the end of TO.HUB (hub(1414)) is not loaded: where it sends "
        "messages is not known",
    )


def test_a_cluster_whose_members_are_all_loaded_leaves_nothing_open(estate: Any) -> None:
    to_hub = "DEFINE CHANNEL(TO.HUB) CHLTYPE(CLUSSDR) CLUSTER(C) CONNAME('hub(1414)')"
    network = estate(L=cluster("L", to_hub), HUB=cluster("HUB"), STORE="")
    answer = network.reach("L")
    assert (answer.unreachable, answer.undetermined) == (("STORE",), ())


ANY = "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')"


def test_an_alias_without_a_queue_manager_clears_the_name(estate: Any) -> None:
    """NR11: the cluster chooses, and prefers what is here, as for a sender that names nobody."""
    queue = "DEFINE QLOCAL(Q) CLUSTER(C)"
    network = estate(L=cluster("L", ANY), M=cluster("M", f"{queue}\n{ANY}"), N=cluster("N", queue))
    assert set(network.trace("L", "Q@ANY").outcomes) == {"DELIVERED(Q@M)", "DELIVERED(Q@N)"}
    assert network.trace("M", "Q@ANY").outcomes == ("DELIVERED(Q@M)",)
    assert network.trace("L", "NONE@ANY").outcomes == ("REJECTED(2085)",)


def test_a_queue_of_the_cluster_is_not_looked_for_where_the_local_queue_manager_is_named(
    estate: Any,
) -> None:
    """NR8, NR9; C-16 says otherwise where topograph.yaml does."""
    files = {"L": cluster("L"), "M": cluster("M", "DEFINE QLOCAL(Q) CLUSTER(C)")}
    answer = estate(**files).trace("L", "Q@L")
    assert answer.outcomes == ("REJECTED(2085)",)
    assert "the cluster has one at M" in answer.steps[-1].text
    assert "C-16" in rules(answer)
    stated = "overrides:\n  ibm_mq: {C-16: cluster}\n"
    other = estate(stated, **files).trace("L", "Q@L")
    assert other.outcomes == ("DELIVERED(Q@M)",)


@pytest.mark.parametrize(
    ("bind", "outcome"),
    [
        ("OPEN", "DLQ(DEAD, M, 2082)"),
        ("NOTFIXED", "DELIVERED(Q@N)"),
        ("GROUP", "DELIVERED(Q@N)"),
    ],
)
def test_an_alias_leads_on_from_its_queue_manager_unless_it_is_bound_on_open(
    estate: Any, bind: str, outcome: str
) -> None:
    """M-24, M-05: bound on open the header names M, where the target is not."""
    alias = f"DEFINE QALIAS(A) TARGET(Q) CLUSTER(C) DEFBIND({bind})"
    network = estate(
        L=cluster("L"),
        M=cluster("M", f"ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n{alias}"),
        N=cluster("N", "DEFINE QLOCAL(Q) CLUSTER(C)"),
    )
    answer = network.trace("L", "queue:A")
    assert answer.outcomes == (outcome,)
    header = "header A@M" if bind == "OPEN" else "header A, which names no queue manager"
    assert any(header in step.text for step in answer.steps)
    assert "C-16" not in rules(answer)
    # An application at the alias's own queue manager names nobody: the target is found.
    assert network.trace("M", "queue:A").outcomes == ("DELIVERED(Q@N)",)


def test_the_way_back_through_two_gateways_of_one_alias_may_be_a_circle(estate: Any) -> None:
    """DEFINE QREMOTE, usage notes: an alias of a cluster queue manager's own name leads to it, and
    where two advertise such an alias to each other, round as well."""
    alias = "DEFINE QREMOTE(ASK) CLUSTER(C) RQMNAME(ASK)"
    one = estate(ASK=cluster("ASK", "DEFINE QLOCAL(Q)"), G=cluster("G", alias))
    assert one.trace("G", "Q@ASK").outcomes == ("DELIVERED(Q@ASK)",)
    two = estate(
        ASK=cluster("ASK", "DEFINE QLOCAL(Q)"), G=cluster("G", alias), H=cluster("H", alias)
    )
    assert {one.split("(")[0] for one in two.trace("G", "Q@ASK").outcomes} == {"DELIVERED", "LOOP"}


def test_a_definition_of_its_own_target_is_an_error_where_no_cluster_knows_that(
    estate: Any,
) -> None:
    network = estate(A="DEFINE QREMOTE(B) RQMNAME(B)", B="DEFINE QLOCAL(Q)")
    assert network.trace("A", "Q@B").outcomes == ("REJECTED(2091)",)
