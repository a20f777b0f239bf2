"""Replies: temporary topics over any number of routes, temporary queues over one, other
destinations like any message (R90-R93).
"""

from __future__ import annotations

import pytest

from topograph.errors import UnknownServer, UsageError
from topograph.questions.text import text


def routes(*peers: str) -> str:
    return "".join(f"[{peer}]\n  url = tcp://{peer.lower()}:7222\n" for peer in peers)


@pytest.fixture
def chain(estate):
    """A - B - C, with the topic T everywhere and the queue Q at home at B."""
    topics = {"topics.conf": "T global\nanswers global\n"}
    return estate(
        {
            "A": {"routes.conf": routes("B"), **topics, "queues.conf": "Q@B\n"},
            "B": {"routes.conf": routes("C"), **topics, "queues.conf": "Q global\n"},
            "C": {**topics, "queues.conf": "Q@B\n"},
        }
    )


def replies(network, to: str, reply_to: str, *subscribers: str):
    answer = network.trace("A", to, subscribers=subscribers, reply_to=reply_to, reply=True)
    return [
        (one.server, one.outcome, [step.to for step in one.steps if step.to])
        for one in answer.replies
    ]


def test_a_temporary_topic_is_answered_from_every_server_that_knows_its_name(chain):
    found = replies(chain, "topic:T", "topic:$TMP$.A.1", "A:topic:T", "B:topic:T", "C:topic:T")
    assert found == [
        ("A", "DELIVERED", []),
        ("B", "DELIVERED", ["A"]),
        ("C", "DELIVERED", ["B", "A"]),
    ]


def test_a_temporary_queue_is_answered_over_one_route_only(chain):
    found = replies(chain, "topic:T", "queue:$TMP$.A.1", "B:topic:T", "C:topic:T")
    assert found == [("B", "DELIVERED", ["A"]), ("C", "NOT_FORWARDED", [])]


def test_the_reply_to_a_message_on_a_queue_begins_where_it_is_consumed(chain):
    assert replies(chain, "queue:Q", "queue:$TMP$.A.1", "C:queue:Q") == [("C", "NOT_FORWARDED", [])]
    assert replies(chain, "queue:Q", "topic:$TMP$.A.1", "C:queue:Q") == [
        ("C", "DELIVERED", ["B", "A"])
    ]
    assert replies(chain, "queue:Q", "queue:$TMP$.A.1") == [("B", "DELIVERED", ["A"])]


def test_a_reply_to_another_destination_goes_like_any_message_to_the_subscribers_of_the_question(
    chain,
):
    answer = chain.trace(
        "A", "queue:Q", subscribers=["A:topic:answers"], reply_to="topic:answers", reply=True
    )
    (reply,) = answer.replies
    assert [step.to for step in reply.steps if step.to] == ["A"]
    assert "a reply has no properties that a selector asks for" in [
        one.text for one in answer.assumptions
    ]


def test_a_message_that_names_no_destination_for_replies_asks_for_none(chain):
    (reply,) = chain.trace("A", "queue:Q", reply=True).replies
    assert (reply.server, reply.outcome, reply.steps) == ("B", "", ())


def test_replies_of_several_servers_are_told_apart(chain):
    answer = chain.trace("A", "topic:T", reply_to="topic:$TMP$.A.1", reply=True)
    assert "Reply from topic:T at C" in text(answer)


@pytest.mark.parametrize(
    ("reply_to", "error", "says"),
    [
        ("answers", UsageError, "write topic:NAME or queue:NAME"),
        ("address:answers", UsageError, "write topic:NAME or queue:NAME"),
        ("queue:answers.>", UsageError, "R85"),
        ("topic:$TMP$.EAST.1", UnknownServer, "EAST"),
    ],
)
def test_a_destination_that_nothing_can_be_sent_to_is_refused(chain, reply_to, error, says):
    with pytest.raises(error, match=says):
        chain.trace("A", "queue:Q", reply_to=reply_to, reply=True)
