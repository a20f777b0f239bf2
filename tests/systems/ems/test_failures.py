"""What failures of EMS servers, routes, pair members and clients do: the failure table with its
reasons, bounds and lines (F1-F9, R7, R120-R122).
"""

from __future__ import annotations

import pytest

from topograph.errors import UsageError
from topograph.findings import Source
from topograph.systems.contract.failures import StorageBound


def route(peer: str) -> str:
    return f"[{peer}]\n  url = tcp://{peer.lower()}:7222\n"


def client(server: str, topic: str, durable: str = "") -> str:
    return (
        f"  - {{server: {server}, destination: 'topic:{topic}', role: "
        f"subscriber{f', durable: {durable}' if durable else ''}}}\n"
    )


CHAIN = {
    "A": {"routes.conf": route("M"), "topics.conf": "T1 global\n"},
    "M": {
        "routes.conf": route("A") + route("B"),
        "topics.conf": "T1 global,maxbytes=1MB,maxmsgs=7200,overflowPolicy=discardOld\nT2 global\n",
    },
    "B": {"topics.conf": "T1 global\nT2 global\n"},
}
"""A-M configured at both ends, M-B at M only."""


def test_the_forwarder_stores_up_to_its_own_limit_and_the_hours_until_then_are_said(estate):
    network = estate(CHAIN, {"topograph.yaml": f"clients:\n{client('B', 'T1')}{client('B', 'T2')}"})
    answer = network.impact(["server:B"], rate="2,1KB")
    assert answer.lost == ()
    assert answer.gaps == ()
    first, second = answer.retained
    assert (first.at, first.neighbour, first.destination) == ("M", "B", "topic:T1")
    assert (first.rule, first.confidence, first.duplicates) == ("F5", "M", True)
    assert first.reason == "the route is configured at M only"
    assert str(first.source) == "M/routes.conf:3:1"
    assert (first.max_bytes, first.max_messages, first.when_full) == (
        1024 * 1024,
        7200,
        "the oldest messages stored for it are dropped",
    )
    assert str(first.limit_source) == "M/topics.conf:1:1"
    assert first.hours == pytest.approx(1024 / 3600)
    assert (first.subscribers, first.pairs, first.assumed) == (("B",), 2, "publishers")
    assert (second.destination, second.pairs, second.hours) == ("topic:T2", 1, None)
    assert (second.max_bytes, second.max_messages) == (None, None)
    assert second.when_full.startswith("there is no limit")
    assert [one["outcome"] for one in answer.held] == ["HELD(M, neighbour B out of reach)"] * 2


@pytest.mark.parametrize(
    ("topics", "limits", "when_full", "line"),
    [
        ("T1 global,maxmsgs=5\n", (None, 5), ("the newest messages are not stored for it, "
            "without an error"), 1),
        ("> maxmsgs=7\nT1 global\n", (None, 7), ("the newest messages are not stored for it, "
            "without an error"), 1),
        ("> maxmsgs=7,overflowPolicy=rejectIncoming\nT1 global,maxbytes=1KB\n", (1024, 7),
            "publishers get an error", 2),
        ("> maxmsgs=0\nT1 global\n", (None, None), ("there is no limit: storage grows until the "
            "server's own store is full"), 1),
    ],
)  # fmt: skip
def test_the_limit_is_that_of_the_topic_at_the_forwarder_by_inheritance_too(
    estate, topics, limits, when_full, line
):
    folders = {**CHAIN, "M": {**CHAIN["M"], "topics.conf": topics}}
    (row,) = (
        estate(folders, {"topograph.yaml": f"clients:\n{client('B', 'T1')}"})
        .impact(["server:B"])
        .retained
    )
    assert ((row.max_bytes, row.max_messages), row.when_full) == (limits, when_full)
    assert str(row.limit_source) == f"M/topics.conf:{line}:1"


@pytest.mark.parametrize("permissions", ["subscribe,durable", "subscribe", "all"])
def test_a_pattern_of_secure_topics_waits_for_a_neighbour_that_may_have_it(estate, permissions):
    main = (
        "server = M\nrouting = on\nauthorization = on\nroutes = routes.conf\ntopics = "
        "topics.conf\nacl_list = acl.conf\n"
    )
    folders = {
        "M": {
            "tibemsd.conf": main,
            "routes.conf": route("B"),
            "topics.conf": "s.> global,secure\n",
            "acl.conf": f"TOPIC=s.> USER=B PERM={permissions}\n",
        },
        "B": {"topics.conf": "s.> global\n"},
    }
    answer = estate(folders, {"topograph.yaml": f"clients:\n{client('B', 's.>')}"}).impact(
        ["server:B"]
    )
    kept = [(one.at, one.neighbour, one.destination) for one in answer.retained]
    assert kept == ([] if permissions == "subscribe" else [("M", "B", "topic:s.>")])


def test_what_fills_first_says_the_hours():
    bound = StorageBound(3600, 7200, "", Source(""))
    assert bound.hours(1, 1) == pytest.approx(1.0)
    assert bound.hours(2, 0.5) == pytest.approx(1.0)
    assert bound.hours(0, 0) is None


def test_a_transit_server_that_fails_stops_all_behind_it_at_the_server_before_it(estate):
    network = estate(CHAIN, {"topograph.yaml": f"clients:\n{client('B', 'T1')}"})
    answer = network.impact(["server:M"])
    assert [(one.from_, one.to) for one in answer.lost] == [("A", "B"), ("B", "A")]
    assert answer.lost[0].outcome == "HELD(F3: A stores for M until it is back)"
    assert answer.lost[1].outcome.startswith("GAP(F4: B removes its internal subscriber for M")
    stored = {(one.at, one.neighbour): one for one in answer.retained}
    assert stored["A", "M"].subscribers == ("B",)
    back = stored["M", "B"]
    assert (back.rule, back.duplicates, back.pairs) == ("F5", True, 0)
    assert "messages that M had stored arrive if they are still in its store" in back.reason


def test_a_route_that_only_the_receiver_configures_leaves_a_gap(estate):
    folders = {
        **CHAIN,
        "M": {**CHAIN["M"], "routes.conf": route("A")},
        "B": {**CHAIN["B"], "routes.conf": route("M")},
    }
    network = estate(folders, {"topograph.yaml": f"clients:\n{client('B', 'T1')}"})
    (gap,) = network.impact(["route:B-M"]).gaps
    assert (gap.at, gap.neighbour, gap.rule, gap.reason) == (
        "M",
        "B",
        "F6",
        "the route is configured at B only",
    )
    (gap,) = network.impact(["server:B"]).gaps
    assert (gap.at, gap.neighbour, gap.rule, gap.confidence) == ("M", "B", "F4", "H")


def test_a_static_durable_for_a_route_stores_whatever_side_configures_the_route(estate):
    folders = {
        "M": {"topics.conf": "T1 global\n", "durables.conf": "T1 B route\n"},
        "B": {"routes.conf": route("M"), "topics.conf": "T1 global\n"},
    }
    (kept,) = [
        one
        for one in estate(folders).impact(["server:B"]).retained
        if one.destination and one.at == "M"
    ]
    assert (kept.at, kept.neighbour, kept.rule, kept.duplicates) == ("M", "B", "F8", False)
    assert kept.reason.startswith("M has a static durable for B")


def test_without_a_known_subscriber_somebody_is_supposed_everywhere(estate):
    answer = estate(CHAIN).impact(["route:A-M"])
    assert {
        (one.at, one.neighbour, one.destination, one.pairs, one.assumed) for one in answer.retained
    } == {
        ("A", "M", "", 2, "publishers and subscribers"),
        ("M", "A", "", 2, "publishers and subscribers"),
    }
    assert {one.rule for one in answer.retained} == {"F7"}


def test_the_chain_of_internal_subscribers_goes_with_a_client_that_is_not_durable(estate):
    network = estate(CHAIN, {"topograph.yaml": f"clients:\n{client('B', 'T1')}{client('M', 'T1')}"})
    (gap,) = network.impact(["client:B:topic:T1"]).gaps
    assert (gap.rule, gap.at, gap.neighbour, gap.pairs) == ("F1", "B", "", 3)
    assert gap.removed == (("M", "B"),)  # A keeps its own for M, which has a subscriber too
    with pytest.raises(UsageError, match="There is no client:B:topic:T9 in network"):
        network.impact(["client:B:topic:T9"])


@pytest.mark.parametrize(
    ("beside", "removed"),
    [
        ({}, (("A", "M"), ("M", "B"))),
        ({"B": {"bridges.conf": "[topic:T1]\n queue=Q\n", "queues.conf": "Q\n"}}, ()),
        ({"M": {"durables.conf": "T1 B route\n"}}, ()),
        ({"M": {"durables.conf": "T1 A route\n"}}, (("M", "B"),)),
        ({"M": {"durables.conf": "T2 B route\n"}}, (("A", "M"), ("M", "B"))),
    ],
)
def test_bridges_and_static_durables_keep_their_part_of_the_chain_and_do_not_exit(
    estate, beside, removed
):
    folders = {name: {**files, **beside.get(name, {})} for name, files in CHAIN.items()}
    network = estate(folders, {"topograph.yaml": f"clients:\n{client('B', 'T1')}"})
    answer = network.impact(["client:B:topic:T1"])
    (gap,) = answer.gaps
    assert (gap.rule, gap.removed, answer.retained) == ("F1", removed, ())


def test_a_client_of_a_pattern_at_the_same_server_keeps_the_chain(estate):
    folders = {name: {**files, "topics.conf": "> global\n"} for name, files in CHAIN.items()}
    network = estate(
        folders, {"topograph.yaml": f"clients:\n{client('B', 'T1')}{client('B', '>')}"}
    )
    (gap,) = network.impact(["client:B:topic:T1"]).gaps
    assert gap.removed == ()


def test_a_bridge_is_not_a_client_that_exits(estate):
    folders = {
        **CHAIN,
        "B": {**CHAIN["B"], "bridges.conf": "[topic:T1]\n queue=Q\n", "queues.conf": "Q\n"},
    }
    with pytest.raises(UsageError, match="client"):
        estate(folders).impact(["client:B:topic:T1"])


def test_a_durable_client_that_exits_leaves_the_chain_and_its_server_stores(estate):
    network = estate(CHAIN, {"topograph.yaml": f"clients:\n{client('B', 'T1', 'd1')}"})
    answer = network.impact(["client:B:topic:T1"])
    (kept,) = answer.retained
    assert (kept.rule, kept.at, answer.gaps) == ("F2", "B", ())
    assert [one["outcome"] for one in answer.held] == ["HELD(B, client away)"]


def pair_member(routes: str) -> dict[str, str]:
    main = (
        "server = P\nrouting = enabled\nft_active = tcp://partner:7222\nroutes = "
        "routes.conf\ntopics = topics.conf\n"
    )
    return {"tibemsd.conf": main, "routes.conf": routes, "topics.conf": "T1 global\n"}


def test_the_partner_of_a_member_that_fails_goes_on(estate):
    folders = {
        "P-1": pair_member(route("X")),
        "P-2": pair_member(route("X")),
        "X": {"topics.conf": "T1 global\n"},
    }
    network = estate(folders)
    answer = network.impact(["member:P:1"])
    assert (answer.lost, answer.gaps, answer.retained) == ((), (), ())
    assert answer.taken_over == (
        {"edge": "P", "before": "P-1/tibemsd.conf", "after": "P-2/tibemsd.conf"},
    )
    both = network.impact(["member:P:1", "member:P:2"])
    assert [(one.at, one.neighbour) for one in both.gaps] == [("X", "P")]
    assert both.taken_over == ()


def test_a_route_that_only_one_member_of_a_pair_has_goes_with_it(estate):
    folders = {
        "P-1": pair_member(route("X") + route("Y")),
        "P-2": pair_member(route("Y")),
        "X": {"topics.conf": "T1 global\n"},
        "Y": {"topics.conf": "T1 global\n"},
    }
    network = estate(folders)
    answer = network.impact(["member:P:1"])
    assert {(one.from_, one.to) for one in answer.lost} == {
        ("P", "X"),
        ("X", "P"),
        ("X", "Y"),
        ("Y", "X"),
    }
    assert {one.outcome for one in answer.lost} == {
        "NOT_FORWARDED(route-down: the other member of the pair has no such route)"
    }
    assert {(one.at, one.neighbour, one.rule, one.pairs) for one in answer.gaps} == {
        ("P", "X", "R7", 2),
        ("X", "P", "R7", 2),
    }
    assert not answer.exact
    rows = {row.failed: row.lost for row in network.impact(sweep=True).failures}
    assert (rows["member:P:1"], rows["member:P:2"]) == (4, 0)


def test_a_server_whose_files_are_not_loaded_leaves_the_answer_inexact(estate):
    answer = estate({"A": {"routes.conf": route("GONE") + route("B")}, "B": {}}).impact(
        ["server:B"]
    )
    assert not answer.exact
    assert any("GONE" in warning.message for warning in answer.warnings)


@pytest.mark.parametrize("rate", ["fast", "1,2,3", "-1"])
def test_a_rate_that_does_not_read_as_one_is_refused(estate, rate):
    with pytest.raises(UsageError, match="is not a rate"):
        estate(CHAIN).impact(["server:B"], rate=rate)


@pytest.mark.parametrize("failed", ["server:HOME", "route:FAR-HOME"])
def test_a_routed_queue_waits_at_the_sender_while_home_or_route_is_down(estate, failed):
    folders = {
        "FAR": {
            "routes.conf": route("HOME"),
            "queues.conf": "Q@HOME\nR@HOME maxmsgs=10,overflowPolicy=rejectIncoming\n",
        },
        "HOME": {"queues.conf": "Q global\nR global\n"},
    }
    answer = estate(folders).impact([failed])
    queues = {
        one.destination: one for one in answer.retained if one.rule == "R105" and one.at == "FAR"
    }
    assert {(one.at, one.neighbour, one.confidence) for one in queues.values()} == {
        ("FAR", "HOME", "H"),
        ("FAR", "HOME", "L"),
    }
    assert str(queues["queue:Q@HOME"].source) == "FAR/queues.conf:1:1"
    assert "A26" in queues["queue:R@HOME"].reason
    assert queues["queue:Q@HOME"].when_full.startswith("there is no limit")


SHOP = {
    "FAR": {"routes.conf": route("HOME"), "queues.conf": "Q@HOME\n"},
    "HOME": {"queues.conf": "Q global,maxmsgs=7200,overflowPolicy=rejectIncoming\n"},
    "NEAR": {"routes.conf": route("HOME"), "queues.conf": "Q@HOME\n"},
}
"""FAR and NEAR use a queue of HOME."""


def user(server: str, role: str) -> str:
    return f"  - {{server: {server}, destination: 'queue:Q', role: {role}}}\n"


def queue_rows(answer):
    return {
        (one.at, one.neighbour): one
        for one in answer.retained
        if one.destination.startswith("queue:")
    }


def test_consumers_behind_a_route_that_fails_leave_their_messages_in_the_home_queue(estate):
    clients = user("FAR", "sender") + user("NEAR", "consumer") + user("HOME", "consumer")
    network = estate(SHOP, {"topograph.yaml": f"clients:\n{clients}"})
    rows = queue_rows(network.impact(["route:HOME-NEAR"], rate="2"))
    home = rows["HOME", "NEAR"]
    assert (home.destination, home.rule, home.pairs, home.assumed) == ("queue:Q", "R105", 1, "")
    assert (home.publishers, home.subscribers) == (("FAR",), ("NEAR",))
    assert "consumers at HOME go on" in home.reason
    assert (home.max_messages, home.hours, home.when_full) == (7200, 1.0, "senders get an error")
    assert str(home.limit_source) == "HOME/queues.conf:1:1"
    assert rows["NEAR", "HOME"].pairs == 0  # nobody sends there
    far = queue_rows(network.impact(["server:HOME"], rate="2"))["FAR", "HOME"]
    assert (far.subscribers, far.pairs, far.hours) == (("HOME", "NEAR"), 2, None)


def test_a_queue_held_by_a_suspended_route_has_no_limit_that_is_documented(estate):
    folders = {**SHOP, "FAR": {**SHOP["FAR"], "queues.conf": "Q@HOME maxmsgs=10\n"}}
    rows = queue_rows(estate(folders).impact(["suspended:FAR:HOME"], rate="1"))
    (one,) = rows.values()
    assert (one.at, one.rule, one.confidence, one.max_messages) == ("FAR", "R53", "L", None)
    assert "is not documented" in one.reason


def test_what_does_not_get_to_its_home_anyway_is_not_said_to_wait_for_it(estate):
    no_home = {**SHOP, "HOME": {"queues.conf": "other\n"}}
    assert queue_rows(estate(no_home).impact(["server:HOME"])) == {}


def test_a_home_queue_that_only_a_pattern_allows_is_not_counted_on(estate):
    rows = queue_rows(estate({**SHOP, "HOME": {"queues.conf": ">\n"}}).impact(["server:HOME"]))
    assert {(one.pairs, one.confidence) for one in rows.values()} == {(0, "L")}
    assert all("(A28)" in one.reason for one in rows.values())


def test_a_missing_grant_is_not_a_failure_of_the_route(estate):
    main = (
        "server = HOME\nrouting = enabled\nauthorization = enabled\nqueues = "
        "queues.conf\nacl_list = acl.conf\n"
    )
    home = {
        "tibemsd.conf": main,
        "queues.conf": "Q global,secure\n",
        "acl.conf": "QUEUE=Q USER=NEAR PERM=send\n",
    }
    rows = queue_rows(estate({**SHOP, "HOME": home}).impact(["server:HOME"]))
    assert set(rows) == {("NEAR", "HOME")}


BRIDGED = {
    "A": {"routes.conf": route("M"), "topics.conf": "T global\nU global\n"},
    "M": {
        "routes.conf": route("A") + route("B"),
        "topics.conf": "T global\nU global\n",
        "queues.conf": "Q global\n",
    },
    "B": {
        "topics.conf": "T global\nU global\n",
        "queues.conf": "Q@M\nIN\n",
        "bridges.conf": "[topic:T]\n  topic=U\n  queue=IN\n",
    },
}
"""B, which only M has a route to, copies T to U and to a queue of its own."""

USERS = "  - {server: A, destination: 'topic:T', role: publisher}\n" + client("A", "U")


def test_the_copies_of_a_bridge_behind_what_fails_share_the_fate_of_the_messages(estate):
    answer = estate(BRIDGED, {"topograph.yaml": f"clients:\n{USERS}"}).impact(["server:B"])
    (one,) = [each for each in answer.retained if each.destination == "topic:T"]
    assert (one.at, one.rule, one.duplicates, one.publishers) == ("M", "F5", True, ("A",))
    assert [
        (copy.server, copy.destination, copy.taken_at, str(copy.source)) for copy in one.copies
    ] == [
        ("B", "queue:IN", ("B",), "B/bridges.conf:3:3"),
        ("B", "topic:U", ("A",), "B/bridges.conf:2:3"),
    ]


def test_a_bridge_publishes_what_comes_to_it_from_a_declared_publisher(estate):
    answer = estate(BRIDGED, {"topograph.yaml": f"clients:\n{USERS}"}).impact(["route:A-M"])
    rows = {(one.at, one.destination): one for one in answer.retained}
    assert rows["M", "topic:U"].publishers == (
        "B",
    )  # the copy of what M still sends is stored before A
    assert [copy.destination for copy in rows["A", "topic:T"].copies] == ["queue:IN", "topic:U"]


def test_a_bridge_sends_to_a_routed_queue_where_senders_are_declared(estate):
    folders = {**BRIDGED, "B": {**BRIDGED["B"], "bridges.conf": "[topic:T]\n  queue=Q\n"}}
    clients = USERS + "  - {server: M, destination: 'queue:Q', role: sender}\n"
    answer = estate(folders, {"topograph.yaml": f"clients:\n{clients}"}).impact(["route:B-M"])
    (one,) = [each for each in answer.retained if each.destination == "queue:Q@M"]
    assert (one.at, one.publishers, one.pairs) == ("B", ("B",), 2)


def test_a_copy_of_a_queue_at_its_home_waits_with_the_message(estate):
    folders = {**BRIDGED, "M": {**BRIDGED["M"], "bridges.conf": "[queue:Q]\n  topic=U\n"}}
    answer = estate(folders, {"topograph.yaml": f"clients:\n{USERS}"}).impact(["server:M"])
    (one,) = [each for each in answer.retained if each.destination == "queue:Q@M"]
    assert [(copy.server, copy.destination, copy.taken_at) for copy in one.copies] == [
        ("M", "topic:U", ("A",))
    ]


def test_a_subscriber_of_the_question_counts_like_one_of_topograph_yaml(estate):
    network = estate(CHAIN)
    answer = network.impact(["server:B"], subscribers=["B:topic:T1"])
    declared = {(one.at, one.destination, one.pairs, one.assumed) for one in answer.retained}
    assert declared == {("M", "topic:T1", 2, "publishers")}
    bare = network.impact(["server:B"], subscribers=["B:T1"])
    assert (bare.retained, bare.snapshot) == (answer.retained, answer.snapshot)
    (row,) = [
        one
        for one in network.impact(sweep=True, subscribers=["B:T1"]).failures
        if one.failed == "server:B"
    ]
    assert (row.retained, row.duplicates) == (2, 2)


def test_a_subscriber_of_the_question_may_be_the_client_that_fails(estate):
    (gap,) = estate(CHAIN).impact(["client:B:topic:T1"], subscribers=["B:topic:T1"]).gaps
    assert (gap.rule, gap.source.file) == ("F1", "--subscriber")


def test_a_consumer_of_the_question_takes_from_a_queue(estate):
    rows = queue_rows(estate(SHOP).impact(["server:HOME"], subscribers=["NEAR:queue:Q"]))
    assert {one.subscribers for one in rows.values()} == {("NEAR",)}
    assert {one.assumed for one in rows.values()} == {"publishers"}


def test_a_subscriber_that_nobody_can_be_is_said(estate):
    answer = estate({**CHAIN, "B": {"topics.conf": "T2 global\n"}}).impact(
        ["server:B"], subscribers=["B:topic:T1"]
    )
    assert any("nobody can subscribe to it there" in one.message for one in answer.warnings)
    assert not answer.exact


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("B", "--subscriber takes SERVER:DEST, not 'B'"),
        ("B:address:T1", "TIBCO EMS has no address. Write B:topic:NAME or B:queue:NAME."),
    ],
)
def test_a_subscriber_that_does_not_read_as_one_is_refused(estate, given, told):
    with pytest.raises(UsageError, match=told):
        estate(CHAIN).impact(["server:B"], subscribers=[given])


PAIRED = {
    "P-1": pair_member(route("X")),
    "P-2": pair_member(route("X")),
    "X": {"topics.conf": "T1 global\n"},
}


@pytest.mark.parametrize(
    ("failed", "told"),
    [
        (
            ["member:P:3"],
            "There is no member:P:3 in network estate. Did you mean member:P:2 or member:P:1?",
        ),
        (["member:1"], None),
        (
            ["member:X:1"],
            "There is no member:X:1 in network estate. Did you mean member:P:1 or member:P:2?",
        ),
        (
            ["suspended:X:Z"],
            "There is no suspended:X:Z in network estate. Did you mean suspended:X:P",
        ),
        (["server:Z"], "No server is called 'Z'"),
        (["route:P-Z"], "There is no route P-Z"),
        (["broker:B"], "No server uses any."),
        (
            ["client:X:topic:T1"],
            "no client is known there. Add it with --subscriber X:topic:T1, or in topograph.yaml.",
        ),
        (
            ["disk:P"],
            (
                "'disk:P' names nothing that can fail in network estate. Use server:NAME, "
                "route:A-B, broker:NAME, member:NAME (such as member:P:1)"
            ),
        ),
        (["server:"], "'server:' names nothing that can fail"),
        ([], "Specify --fail at least once"),
    ],
)
def test_what_is_not_there_cannot_fail_and_the_message_says_what_can(estate, failed, told):
    network = estate(PAIRED)
    if told is None:
        assert network.impact(failed).taken_over
        return
    with pytest.raises(UsageError) as error:
        network.impact(failed)
    assert told in str(error.value)


def test_a_failure_and_a_sweep_are_two_questions(estate):
    with pytest.raises(UsageError, match="not both"):
        estate(PAIRED).impact(["server:X"], sweep=True)


def test_what_fails_twice_fails_once(estate):
    assert estate(PAIRED).impact(["server:X", "server:X"]).failed == ("server:X",)


def test_a_name_of_a_member_that_several_pairs_have_is_not_guessed(estate):
    other = {
        key: value.replace("server = P", "server = R")
        for key, value in pair_member(route("X")).items()
    }
    with pytest.raises(
        UsageError, match=r"member:1 is there at several servers\. Write member:P:1 or member:R:1\."
    ):
        estate({**PAIRED, "R-1": other, "R-2": other}).impact(["member:1"])


def test_a_queue_of_a_neighbour_waits_where_the_other_member_has_no_route(estate):
    with_queue = (
        "server = P\nrouting = enabled\nft_active = tcp://partner:7222\nroutes = "
        "routes.conf\nqueues = queues.conf\n"
    )
    folders = {
        "P-1": {"tibemsd.conf": with_queue, "routes.conf": route("X"), "queues.conf": "Q global\n"},
        "P-2": {"tibemsd.conf": with_queue, "routes.conf": "", "queues.conf": "Q global\n"},
        "X": {"queues.conf": "Q@P\n"},
    }
    rows = queue_rows(estate(folders).impact(["member:P:1"]))
    assert (rows["X", "P"].rule, rows["X", "P"].pairs) == ("R105", 2)


def test_consumers_that_a_server_listed_are_those_of_a_queue(estate):
    shown = (
        "Command: show consumers\n  Id  Conn  User  T  Queue  SAS  Sent\n  7  3  joe  Q  Q  "
        "---  0\nCommand: exit\n"
    )
    rows = queue_rows(
        estate({**SHOP, "NEAR": {**SHOP["NEAR"], "shown.txt": shown}}).impact(["server:HOME"])
    )
    assert {one.subscribers for one in rows.values()} == {("NEAR",)}
    assert {one.assumed for one in rows.values()} == {"publishers"}
