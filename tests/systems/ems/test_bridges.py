"""Bridges: copies of messages, not of copies at their own server; topic to queue and back, in
waves, with loops and duplicates (R110-R114).
"""

from __future__ import annotations

import pytest

from topograph.portable import engine_data
from topograph.questions.text import text
from topograph.side_inputs import Client


def routes(*peers: str) -> str:
    return "".join(f"[{peer}]\n  url = tcp://{peer.lower()}:7222\n" for peer in peers)


TOPICS = "T global\nU global\nV global\n"


def pair(a: str, b: str = "", **files: dict[str, str]) -> dict[str, dict[str, str]]:
    """A and B with a route, three global topics and the queues Q and R, each at home at A; ``a``
    and ``b`` are their bridges.
    """
    return {
        "A": {
            "routes.conf": routes("B"),
            "topics.conf": TOPICS,
            "queues.conf": "Q global\nR global\n",
            "bridges.conf": a,
        }
        | files.get("A", {}),
        "B": {
            "routes.conf": routes("A"),
            "topics.conf": TOPICS,
            "queues.conf": "Q@A\nR@A\n",
            "bridges.conf": b,
        }
        | files.get("B", {}),
    }


def copies(answer):
    return [(one.server, one.destination, one.path, one.copies) for one in answer.deliveries]


def test_a_topic_is_bridged_to_a_queue_and_the_queue_not_on_from_there(estate):
    network = estate(pair("[topic:T]\n queue=Q\n[queue:Q]\n topic=U\n"))
    answer = network.propagate("A", "topic:T", subscribers=["B:topic:U"])
    assert copies(answer) == [("A", "queue:Q", ("A",), 1)]


def test_a_server_that_only_a_copy_gets_to_is_among_those_that_receive(estate):
    network = estate(pair("[topic:T]\n topic=U\n"))
    assert network.propagate("A", "topic:T", subscribers=["B:topic:U"]).received == ("B",)
    assert network.propagate("A", "topic:T", subscribers=["A:topic:U"]).received == ()


def test_what_is_sent_to_the_queue_itself_is_bridged_to_the_topic_and_routed(estate):
    network = estate(pair("[topic:T]\n queue=Q\n[queue:Q]\n topic=U\n"))
    answer = network.propagate("B", "queue:Q", subscribers=["B:topic:U"])
    assert copies(answer) == [("A", "queue:Q", ("B", "A"), 1), ("B", "topic:U", ("B", "A", "B"), 1)]
    assert [step.rule for step in network.trace("B", "queue:Q").steps][:3] == [
        "R103",
        "R110",
        "R111",
    ]
    assert "A12" in [one.rule for one in answer.assumptions]


def test_the_selector_of_a_bridge_of_a_queue_decides_whether_there_is_a_copy(estate):
    network = estate(pair('[queue:Q]\n topic=U selector="a = 1"\n'))
    assert [
        one[1]
        for one in copies(network.propagate("A", "queue:Q", {"a": 1}, subscribers=["B:topic:U"]))
    ] == [
        "queue:Q",
        "topic:U",
    ]
    none = network.propagate("A", "queue:Q", {"a": 2}, subscribers=["B:topic:U"])
    assert [one[1] for one in copies(none)] == ["queue:Q"]
    assert [(one.reason, one.value, one.guard) for one in none.stopped] == [
        ("selector", "FALSE", "the selector of the bridge to topic:U: a = 1")
    ]


def test_a_copy_on_a_routed_queue_goes_to_its_home_and_to_the_consumer_there(estate):
    network = estate(pair("", "[topic:T]\n queue=Q\n"))
    assert copies(network.propagate("B", "topic:T", assume=False)) == [
        ("A", "queue:Q", ("B", "A"), 1)
    ]
    answer = network.propagate("B", "topic:T", clients=[Client("B", "queue:Q")], assume=False)
    assert copies(answer) == [("B", "queue:Q", ("B", "A", "B"), 1)]


def test_a_copy_on_a_queue_that_is_bridged_at_its_home_makes_a_copy_there(estate):
    network = estate(pair("[queue:Q]\n queue=R\n", "[topic:T]\n queue=Q\n"))
    assert {one[1] for one in copies(network.propagate("B", "topic:T", assume=False))} == {
        "queue:Q",
        "queue:R",
    }


def test_two_bridges_to_one_queue_are_two_copies_and_a_duplicate(estate):
    answer = estate(pair("[topic:T]\n queue=Q\n[topic:*]\n queue=Q\n")).trace("A", "topic:T")
    assert answer.outcomes == ("DELIVERED(topic:T)", "DELIVERED(queue:Q)", "DUPLICATE(A, 2)")


def test_a_bridge_and_a_route_bring_one_subscriber_two_copies(estate):
    network = estate(pair("[topic:T]\n topic=U\n", "[topic:T]\n topic=U\n"))
    (delivery,) = network.propagate("A", "topic:T", subscribers=["B:topic:U"]).deliveries
    assert (delivery.copies, delivery.paths) == (2, (("A", "B"), ("A", "B")))
    answer = network.trace("A", "topic:T", subscribers=["B:topic:U"])
    assert "DUPLICATE(B, 2)" in answer.outcomes
    (said,) = (warning for warning in answer.warnings if warning.rule == "R114")
    assert said.message.startswith("a declared subscriber to topic:U at B gets 2 copies")


def test_a_wildcard_subscription_counts_the_message_and_its_copy(estate):
    topics = {"topics.conf": "> global\n"}
    network = estate(pair("[topic:T]\n topic=U\n", A=topics, B=topics))
    answer = network.trace("A", "topic:T", subscribers=["B:topic:>"])
    assert answer.outcomes == ("DELIVERED(topic:T)", "DELIVERED(topic:U)", "DUPLICATE(B, 2)")


def test_two_bridges_that_meet_are_no_loop(estate):
    network = estate(pair("[topic:T]\n topic=U\n", "[topic:U]\n topic=V\n[topic:T]\n topic=V\n"))
    answer = network.trace("A", "topic:T", subscribers=["A:topic:V"])
    assert answer.outcomes == ("DELIVERED(topic:V)", "DUPLICATE(A, 2)")


def test_bridges_over_topics_and_queues_that_feed_each_other_are_a_loop(estate):
    network = estate(pair("[queue:Q]\n topic=U\n", "[topic:U]\n queue=Q\n"))
    answer = network.trace("A", "queue:Q")
    assert "LOOP(topic:U at A)" in answer.outcomes
    assert answer.exact


def test_a_bridge_whose_target_is_stuck_says_so(estate):
    network = estate(
        pair("[topic:T]\n queue=Q\n", A={"queues.conf": "Q@C\n"}, C={})
        | {"C": {"queues.conf": "Q global\n"}}
    )
    answer = network.trace("A", "topic:T")
    assert "STUCK(A, no direct route to the home C)" in answer.outcomes


def test_where_one_of_several_consumers_takes_it_beside_the_copies_the_title_says_so(estate):
    network = estate(pair("[queue:Q]\n topic=U\n"))
    answer = network.trace("A", "queue:Q", subscribers=["A:queue:Q", "B:queue:Q"])
    assert text(answer).startswith(
        "A message to queue:Q sent at A is delivered at A or B (decided at run time)."
    )


@pytest.mark.parametrize(("selectors", "followed"), [(4, True), (5, False)])
def test_a_page_follows_a_copy_with_four_selectors_on_its_way_and_leaves_one_with_more(
    estate, selectors: int, followed: bool
) -> None:
    targets = range(selectors)
    network = estate(
        {
            "A": {
                "topics.conf": "T\n",
                "queues.conf": "Q@B\n",
                "routes.conf": "[B]\n  url = tcp://b:7222\n",
                "bridges.conf": "[topic:T]\n  queue=Q\n",
            },
            "B": {
                "queues.conf": "Q global\n" + "".join(f"P{one}\n" for one in targets),
                "bridges.conf": "[queue:Q]\n"
                + "".join(f'  queue=P{one} selector="a = {one}"\n' for one in targets),
            },
        }
    )
    (messages,) = engine_data(network._model)["messages"]
    assert ([0, "Q"] in [place[:2] for place in messages["onward"]]) is followed


def test_a_topic_subscriber_behind_a_bridge_of_a_queue_is_no_consumer(estate):
    network = estate(pair("[queue:Q]\n topic=U\n"))
    said = text(network.propagate("A", "queue:Q", subscribers=["B:topic:U"]))
    assert "declared subscriber" in said
    assert "declared consumer" not in said


def test_what_is_left_open_at_a_server_that_gets_the_message_names_its_destination(estate):
    network = estate(pair('[topic:T]\n queue=Q selector="JMSTimestamp > 5"\n'))
    answer = network.propagate("A", "topic:T", subscribers=["A:topic:T"])
    assert [(one.server, one.destination) for one in answer.undetermined] == [("A", "queue:Q")]
    assert text(answer).startswith(
        "A message to topic:T published at A is delivered at A; whether it gets to queue:Q at A "
        "cannot be decided."
    )


def test_the_first_line_names_what_selectors_ask_for_and_the_message_lacks(estate):
    network = estate(pair('[topic:T]\n queue=Q selector="region = 1"\n topic=U selector="b > c"\n'))
    answer = network.propagate("A", "topic:T", {"c": 1}, subscribers=["A:topic:T"])
    lacking = sorted(one.lacking for one in answer.stopped if one.reason == "selector")
    assert lacking == [("b",), ("region",)]
    assert text(answer).startswith(
        "A message to topic:T published at A is delivered at A; 2 selectors ask for b and region, "
        "which the message lacks (use --set)."
    )


def test_bridges_that_feed_each_other_end_in_a_loop(estate):
    network = estate(pair("[topic:T]\n topic=U\n", "[topic:U]\n topic=T\n"))
    answer = network.propagate("A", "topic:T", subscribers=["A:topic:T"])
    assert {(one.outcome, one.rule, one.judgement) for one in answer.ends} == {
        ("LOOP", "R114", "yes")
    }
    assert "circulates for ever (" in text(answer).splitlines()[0]
