"""Publications, subscriptions and streamed copies."""

from __future__ import annotations

from typing import Any

import pytest
from systems.ibm_mq.defined import rules


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
        ({"A": "ALTER QMGR PARENT(B)\n", "B": SUBSCRIBES}, "A has PARENT(B)"),
        ({"A": "", "B": f"ALTER QMGR PARENT(A)\n{SUBSCRIBES}"}, "B has PARENT(A)"),
        (
            {"A": "", "H": "ALTER QMGR PARENT(A)", "B": f"ALTER QMGR PARENT(H)\n{SUBSCRIBES}"},
            "B has PARENT(H)",
        ),
    ],
    ids=["child", "parent", "grandparent"],
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
    assert {one.server: one.certain for one in network.reach("A").servers}["B"] is False
    elsewhere = network.trace("A", "topic:weather")
    assert elsewhere.outcomes == ("PUBLISHED(weather)",)


@pytest.mark.parametrize("host", ["A", "B"])
def test_a_cluster_carries_publications_to_members_that_subscribe(estate: Any, host: str) -> None:
    """M-33, wherever the topic is defined."""
    texts = {"A": MEMBER.format("A"), "B": MEMBER.format("B") + SUBSCRIBES, "D": MEMBER.format("D")}
    texts[host] += f"\n{CLUSTERED}"
    network = estate(**texts)
    answer = network.trace("A", "topic:prices/oil")
    assert set(answer.outcomes) == {"PUBLISHED(prices/oil)", "DELIVERED(MINE@B)"}
    assert (answer.undetermined, "M-33" in rules(answer)) == ((), True)
    assert [step.to for step in answer.steps if step.to] == ["B"]
    assert network.trace("A", "topic:weather").outcomes == ("PUBLISHED(weather)",)


@pytest.mark.parametrize(
    ("at_a", "at_b", "subscription", "gets"),
    [
        ("", "", "TOPICSTR('prices/#')", True),
        ("", "", "TOPICSTR('prices/oil')", True),
        ("", "", "TOPICSTR('prices/+')", True),
        ("", "", "TOPICSTR('#')", None),
        ("", "", "TOPICSTR('prices/#') SUBSCOPE(QMGR)", False),
        ("DEFINE TOPIC(L) TOPICSTR('prices/oil')", "", "TOPICSTR('prices/#')", True),
        ("DEFINE TOPIC(L) TOPICSTR('prices/oil') PUBSCOPE(QMGR)", "", "TOPICSTR('#')", False),
        ("DEFINE TOPIC(L) TOPICSTR('prices')", "", "TOPICSTR('prices/#')", None),
        ("", "DEFINE TOPIC(L) TOPICSTR('prices')", "TOPICSTR('prices/#')", None),
        ("", "DEFINE TOPIC(L) TOPICSTR('prices/oil') SUBSCOPE(QMGR)", "TOPICSTR('#')", False),
        ("ALTER QMGR PSCLUS(DISABLED)", "", "TOPICSTR('prices/#')", None),
        ("", "ALTER QMGR PSCLUS(DISABLED)", "TOPICSTR('prices/#')", None),
    ],
)
def test_scopes_and_topic_objects_say_who_gets_a_publication_of_the_cluster(
    estate: Any, at_a: str, at_b: str, subscription: str, gets: bool | None
) -> None:
    """M-33; None is left open."""
    network = estate(
        A=MEMBER.format("A") + at_a,
        B=MEMBER.format("B")
        + f"{at_b}\nDEFINE QLOCAL(MINE)\nDEFINE SUB(S) DEST(MINE) {subscription}",
        T=MEMBER.format("T") + CLUSTERED,
    )
    answer = network.trace("A", "topic:prices/oil")
    assert ("DELIVERED(MINE@B)" in answer.outcomes) is (gets is True)
    assert [one.server for one in answer.undetermined] == (["B"] if gets is None else [])
    # A publication of B itself always gets there.
    assert "DELIVERED(MINE@B)" in network.trace("B", "topic:prices/oil").outcomes


@pytest.mark.parametrize(
    ("at_a", "at_t", "at_u", "outcome"),
    [
        ("", "PUB(DISABLED)", None, "rejected"),
        ("", "PUB(DISABLED)", "PUB(ENABLED)", "gets"),
        ("", "PUB(DISABLED)", "PUB(DISABLED)", "rejected"),
        ("DEFINE TOPIC(R) TOPICSTR('prices/oil') PUB(ENABLED)", "PUB(DISABLED)", None, "open"),
        ("", "PUBSCOPE(QMGR)", None, "stays"),
        ("", "PUBSCOPE(QMGR)", "PUBSCOPE(QMGR)", "stays"),
        ("", "PUBSCOPE(QMGR)", "PUBSCOPE(ALL)", "open"),
        ("", "PUBSCOPE(ASPARENT)", "PUBSCOPE(ALL)", "gets"),
        ("", "SUBSCOPE(QMGR)", "SUBSCOPE(ALL)", "open"),
        ("DEFINE TOPIC(R) TOPICSTR('prices/oil') PUBSCOPE(ALL)", "PUBSCOPE(QMGR)", None, "gets"),
        ("", "WILDCARD(BLOCK)", None, "gets"),
        ("", "WILDCARD(BLOCK) CLROUTE(TOPICHOST)", "CLROUTE(DIRECT)", "open"),
    ],
)
def test_a_queue_manager_goes_by_the_topic_objects_of_its_clusters(
    estate: Any, at_a: str, at_t: str, at_u: str | None, outcome: str
) -> None:
    """M-30, M-33: where it has none of its own; definitions that differ leave it open. U is the
    second host."""
    texts = {
        "A": MEMBER.format("A") + at_a,
        "B": MEMBER.format("B") + SUBSCRIBES,
        "T": MEMBER.format("T") + f"{CLUSTERED.strip()} {at_t}",
    }
    if at_u is not None:
        texts["U"] = MEMBER.format("U") + f"{CLUSTERED.strip()} {at_u}"
    answer = estate(**texts).trace("A", "topic:prices/oil")
    if outcome == "rejected":
        assert answer.outcomes == ("REJECTED(2051)",)
        return
    assert ("DELIVERED(MINE@B)" in answer.outcomes) is (outcome == "gets")
    assert [one.server for one in answer.undetermined] == (["B"] if outcome == "open" else [])


def test_a_topic_host_that_keeps_publications_of_the_topic_may_pass_none_on(estate: Any) -> None:
    """M-33: at the publisher's queue manager its own topic object lets them go, at the host the
    cluster topic's PUBSCOPE(QMGR) says otherwise."""
    network = estate(
        A=MEMBER.format("A") + "DEFINE TOPIC(R) TOPICSTR('prices/oil') PUBSCOPE(ALL)",
        B=MEMBER.format("B") + SUBSCRIBES,
        T=MEMBER.format("T") + f"{HOSTED.strip()} PUBSCOPE(QMGR)",
    )
    answer = network.trace("A", "topic:prices/oil")
    assert "DELIVERED(MINE@B)" not in answer.outcomes
    assert [one.server for one in answer.undetermined] == ["B"]


HOSTED = CLUSTERED.replace("CLUSTER(C)", "CLUSTER(C) CLROUTE(TOPICHOST)")


def test_a_topic_host_passes_publications_on(estate: Any) -> None:
    """M-33: from A to B and D by way of H, once each, and not back to A; from H directly."""
    subscribed = SUBSCRIBES.replace("MINE", "MINE")
    texts = {name: MEMBER.format(name) + subscribed for name in "ABD"}
    network = estate(**texts, H=MEMBER.format("H") + HOSTED)
    answer = network.trace("A", "topic:prices/oil")
    assert sorted(answer.outcomes) == [
        "DELIVERED(MINE@A)",
        "DELIVERED(MINE@B)",
        "DELIVERED(MINE@D)",
        "PUBLISHED(prices/oil)",
    ]
    assert [step.to for step in answer.steps if step.to] == ["H", "B", "D"]
    own = network.trace("H", "topic:prices/oil")
    assert [step.to for step in own.steps if step.to] == ["A", "B", "D"]


def test_one_of_several_topic_hosts_is_chosen(estate: Any) -> None:
    network = estate(
        A=MEMBER.format("A"),
        B=MEMBER.format("B") + SUBSCRIBES,
        G=MEMBER.format("G") + HOSTED,
        H=MEMBER.format("H") + HOSTED,
    )
    answer = network.trace("A", "topic:prices/oil")
    assert set(answer.outcomes) == {"PUBLISHED(prices/oil)", "DELIVERED(MINE@B)"}
    assert {one.choice for one in answer.branches if one.choice} == {
        "host of topic prices/oil at A"
    }


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
