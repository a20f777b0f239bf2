"""Observed state of EMS servers: who gets a message where servers listed their subscribers, and where they differ from their files."""

from __future__ import annotations

import pytest

TOPICS = "orders.> global\n"
HUB_ROUTES = "[EAST]\n  url = tcp://east:7222\n[WEST]\n  url = tcp://west:7222\n"
SUBSCRIPTIONS = "  Id  T  Topic       Name   SS  Cons  Msgs  Size\n"
ORDERS_NEW = "   7  T  orders.new         --     1     0  0.0 Kb\n"
WITH_SELECTOR = "   8  D  orders.old  d2     +-     1     0  0.0 Kb\n"


def listed(*rows: str, command: str = "subscriptions", end: str = "Command: exit\n") -> str:
    return f"Command: show {command}\n{SUBSCRIPTIONS}{''.join(rows)}{end}"


def estate_with(estate, hub: str = "", east: str = "", west: str = "", topics: str = TOPICS, **files: str):
    folders = {
        "HUB": {"topics.conf": topics, "routes.conf": HUB_ROUTES, **files},
        "EAST": {"topics.conf": TOPICS},
        "WEST": {"topics.conf": TOPICS},
    }
    shown = {f"{name}/show.txt": text for name, text in (("HUB", hub), ("EAST", east), ("WEST", west)) if text}
    return estate(folders, root=shown)


def delivered(answer):
    return [(one.server, one.subscriber) for one in answer.deliveries]


def test_without_lists_every_server_counts_as_having_a_subscriber(estate):
    answer = estate_with(estate).propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("HUB", "assumed"), ("EAST", "assumed"), ("WEST", "assumed")]


def test_a_server_that_listed_its_subscribers_has_those_and_no_others(estate):
    network = estate_with(estate, hub=listed(), east=listed(ORDERS_NEW), west=listed())
    answer = network.propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("EAST", "observed")]
    assert [(one.at, one.to, str(one.reason)) for one in answer.stopped] == [("HUB", "WEST", "no-interest")]
    assert [one.text for one in answer.assumptions if one.rule == "R40"] == [
        "the subscribers of EAST, HUB, WEST are those that the servers listed at one moment (EAST/show.txt:2:1)"
    ]
    assert network.propagate("HUB", "topic:orders.other").deliveries == ()


def test_where_some_servers_listed_theirs_the_others_are_assumed_to_have_one(estate):
    answer = estate_with(estate, east=listed(ORDERS_NEW)).propagate("HUB", "topic:orders.new")
    assert delivered(answer) == [("HUB", "assumed"), ("EAST", "observed"), ("WEST", "assumed")]
    assert [one.text for one in answer.assumptions if one.rule == "R40"] == [
        "every server that did not list its subscribers counts as having one",
        "the subscribers of EAST are those that the server listed at one moment (EAST/show.txt:2:1)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        listed(ORDERS_NEW, end=""),
        listed(ORDERS_NEW, command="subscriptions topic=orders.new"),
        "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  ana  T  orders.new    ---\nCommand: exit\n",
    ],
    ids=["cut off", "filtered", "no durables"],
)
def test_a_list_that_may_be_incomplete_decides_nothing_about_other_topics(estate, text):
    network = estate_with(estate, hub=listed(), east=text, west=listed())
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("EAST", "observed")]
    answer = network.propagate("HUB", "topic:orders.other")
    assert delivered(answer) == []
    assert [one.server for one in answer.undetermined] == ["EAST"]
    assert "may be incomplete" in answer.undetermined[0].because


def test_consumers_and_durables_together_are_all_subscribers(estate):
    text = (
        "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  ana  T  orders.new    ---\n"
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  orders.a  d  N  <offline>  0  0.0 Kb\nCommand: exit\n"
    )
    network = estate_with(estate, hub=listed(), east=text, west=listed())
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("EAST", "observed")]
    assert network.propagate("HUB", "topic:orders.other").undetermined == ()


def test_a_selector_that_is_not_shown_leaves_the_delivery_open_and_the_interest_certain(estate):
    network = estate_with(estate, hub=listed(), east=listed(WITH_SELECTOR), west=listed())
    answer = network.propagate("HUB", "topic:orders.old")
    assert answer.deliveries == ()
    assert answer.received == ("EAST",)
    assert [(one.server, one.because) for one in answer.undetermined] == [
        ("EAST", "the subscriber that was listed has a selector, which is not shown")
    ]


def test_what_a_route_subscribes_to_is_no_client(estate):
    text = (
        "Command: show consumers\n  Id  Conn  User  T  Topic  Name  SAS\n  1  2  WEST  T  orders.new    ---\n"
        "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n"
        "* orders.new  $sys.route.WEST:orders.new  N  WEST  0  0.0 Kb\nCommand: exit\n"
    )
    network = estate_with(estate, hub=text, east=listed(), west=listed(ORDERS_NEW))
    assert delivered(network.propagate("HUB", "topic:orders.new")) == [("WEST", "observed")]


def test_declared_clients_are_beside_those_that_were_listed(estate):
    network = estate_with(estate, east=listed(ORDERS_NEW))
    answer = network.propagate("HUB", "topic:orders.new", subscribers=["WEST:topic:orders.new"])
    assert delivered(answer) == [("EAST", "observed"), ("WEST", "declared")]


def test_the_guards_for_the_database_leave_out_who_listed_no_subscriber(estate):
    network = estate_with(estate, east=listed(ORDERS_NEW))
    assert network.message_guards("HUB", "topic:orders.new").subscribers is None
    assert network.message_guards("HUB", "topic:orders.other").subscribers == ("HUB", "WEST")


def drift(network) -> set[tuple[str, str]]:
    kinds = (
        "-not-observed",
        "-not-configured",
        "-differ",
        "-differs",
        "-undefined",
        "interest-without-route",
        "interest-not-global",
    )
    return {
        (one["kind"], one["server"])
        for one in network.check().findings
        if one["kind"].endswith(kinds) or one["kind"] in kinds
    }  # fmt: skip


SHOWN_TOPICS = (
    "Command: show topics\n  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size\n"
    "  orders.>  ---+------  0  0  0  0.0 Kb\n* orders.new  ---*------  0  0  0  0.0 Kb\n"
)


def test_what_is_as_configured_is_no_finding(estate):
    assert drift(estate_with(estate, hub=SHOWN_TOPICS + "Command: exit\n")) == set()


@pytest.mark.parametrize(
    ("hub", "topics", "files", "expected"),
    [
        (SHOWN_TOPICS + "Command: exit\n", "orders.>\n", {}, {("topic-properties-differ", "HUB")}),
        (SHOWN_TOPICS + "Command: exit\n", "> global\n", {}, {("topic-not-configured", "HUB"), ("topic-not-observed", "HUB")}),
        (SHOWN_TOPICS, TOPICS + "more\n", {}, set()),
        (SHOWN_TOPICS + "Command: exit\n", TOPICS + "more\n", {}, {("topic-not-observed", "HUB")}),
        (
            "Command: show queues\n  Queue Name  SNFGXIBCT  Pre  Rcvrs  Msgs  Size\n  a  ---------  5*  0  0  0.0 Kb\nCommand: exit\n",
            TOPICS,
            {"queues.conf": "b\n"},
            {("queue-not-configured", "HUB"), ("queue-not-observed", "HUB")},
        ),
        (
            "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  orders.a  d1  N  ana  0  0.0 Kb\nCommand: exit\n",
            TOPICS,
            {"durables.conf": "orders.a d2\n"},
            {("durable-not-configured", "HUB"), ("durable-not-observed", "HUB")},
        ),
        (
            "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n  orders.a  $sys.route.EAST:orders.a  N  u  0  0.0 Kb\nCommand: exit\n",
            TOPICS,
            {"durables.conf": "orders.a EAST route\n"},
            set(),
        ),
        (
            "Command: show bridges\n  Source Name  Queue Targets  Topic Targets\nT orders.a  1  1\nCommand: exit\n",
            TOPICS + "log\n",
            {"bridges.conf": "[topic:orders.a]\n  topic=log\n[topic:orders.b]\n  topic=log\n"},
            {("bridge-differs", "HUB"), ("bridge-not-observed", "HUB")},
        ),
        (
            "Command: show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n* orders.a  $sys.route.NORTH:orders.a  N  u  0  0.0 Kb\n"
            "* log  $sys.route.EAST:log  N  u  0  0.0 Kb\nCommand: exit\n",
            TOPICS,
            {},
            {("interest-without-route", "HUB"), ("interest-not-global", "HUB")},
        ),
        (listed("   7  T  elsewhere   --   1   0  0.0 Kb\n"), TOPICS, {}, {("subscription-topic-undefined", "HUB")}),
    ],
    ids=["global", "other topics", "cut list", "absent topic", "queues", "durables", "route durable", "bridges", "interest", "subscription"],
)  # fmt: skip
def test_drift_between_files_and_what_a_server_showed(estate, hub, topics, files, expected):
    assert drift(estate_with(estate, hub=hub, topics=topics, **files)) == expected
