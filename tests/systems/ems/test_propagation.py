"""What a publication does: guards, subscribers, what stops it (R40-R70)."""

from __future__ import annotations

import pytest

from topograph.errors import NotApplicable, UnknownDestination, UnknownServer, UsageError
from topograph.systems.ems.topics.evidence import ONE_BY_ONE


def line(peer: str, *selectors: str) -> str:
    return (
        "\n".join(
            [
                f"[{peer}]",
                f"  url = tcp://{peer.lower()}:7222",
                *(f"  {text}" for text in selectors),
            ]
        )
        + "\n"
    )


def delivered(answer):
    return [(delivery.server, delivery.hops, delivery.subscriber) for delivery in answer.deliveries]


def stopped(answer):
    return {(stop.at, stop.to): (str(stop.reason), str(stop.value)) for stop in answer.stopped}


HUB = {
    "HUB": {
        "routes.conf": line("CANADA", "outgoing_topic=orders selector=\"country='Canada'\"")
        + line("MEXICO", "outgoing_topic=orders selector=\"country='Mexico'\""),
        "topics.conf": "orders global\nlocal\n",
    },
    "CANADA": {"topics.conf": "orders global\n"},
    "MEXICO": {"topics.conf": "orders global\n"},
}


def test_a_route_selector_decides_who_gets_an_order_and_is_named_with_its_line(estate):
    answer = estate(HUB).propagate("HUB", "topic:orders", {"country": "Canada"})
    assert delivered(answer) == [("HUB", 0, "assumed"), ("CANADA", 1, "assumed")]
    (stop,) = answer.stopped
    assert (stop.at, stop.to, stop.reason, stop.value) == ("HUB", "MEXICO", "selector", "FALSE")
    assert stop.guard == "country='Mexico'"
    assert str(stop.source) == "HUB/routes.conf:6:3"


def test_a_missing_property_is_unknown_and_unknown_does_not_pass(estate):
    answer = estate(HUB).propagate("HUB", "topic:orders")
    assert delivered(answer) == [("HUB", 0, "assumed")]
    assert stopped(answer) == {
        ("HUB", "CANADA"): ("selector", "UNKNOWN"),
        ("HUB", "MEXICO"): ("selector", "UNKNOWN"),
    }


def test_a_topic_that_is_not_global_stays_where_it_is_published(estate):
    answer = estate(HUB).propagate("HUB", "topic:local")
    assert delivered(answer) == [("HUB", 0, "assumed")]
    assert {stop.guard for stop in answer.stopped} == {
        "local is not global at HUB nor at CANADA (CANADA/topics.conf)",
        "local is not global at HUB nor at MEXICO (MEXICO/topics.conf)",
    }


def test_a_topic_that_no_entry_allows_cannot_be_published(estate):
    answer = estate(HUB).propagate("HUB", "topic:news")
    assert answer.deliveries == ()
    assert [stop.guard for stop in answer.stopped] == [
        "no entry of HUB's topics.conf allows a topic news"
    ]


def test_without_a_subscriber_behind_it_a_neighbour_gets_nothing(estate):
    answer = estate(HUB).propagate(
        "HUB", "topic:orders", {"country": "Canada"}, subscribers=["MEXICO:topic:orders"]
    )
    assert answer.deliveries == ()
    assert answer.received == ()
    assert stopped(answer) == {
        ("HUB", "CANADA"): ("no-interest", "FALSE"),
        ("HUB", "MEXICO"): ("selector", "FALSE"),
    }
    assert [one.text for one in answer.assumptions] == [
        "CANADA, HUB, MEXICO have no subscribers but those that are known"
    ]


def test_a_durable_is_a_configured_subscriber_and_its_own_selector_narrows_delivery(estate):
    folders = {
        **HUB,
        "CANADA": {**HUB["CANADA"], "durables.conf": 'orders billing selector="amount > 10"\n'},
    }
    network = estate(folders)
    cheap = network.propagate(
        "HUB", "topic:orders", {"country": "Canada", "amount": 5}, assume=False
    )
    assert cheap.received == ("CANADA",)
    assert cheap.deliveries == ()
    dear = network.propagate(
        "HUB", "topic:orders", {"country": "Canada", "amount": 50}, assume=False
    )
    assert delivered(dear) == [("CANADA", 1, "configured")]


def test_a_wildcard_subscription_that_is_no_subset_of_a_global_topic_is_never_called_delivered(
    estate,
):
    answer = estate(HUB).propagate(
        "HUB", "topic:orders", {"country": "Canada"}, subscribers=["CANADA:topic:>"]
    )
    assert answer.deliveries == ()
    assert [(entry.server, "R46" in entry.because) for entry in answer.undetermined] == [
        ("CANADA", True)
    ]


@pytest.mark.parametrize(
    ("through", "wanted", "rests_on"),
    [
        ("t.* global", ["t.>"], [("the subscription t.> at B is routed through M, "
            "although it is not a subset of a "
            "global topic there")]),
        ("t.x global", ["t.>", "t.*"], [("the subscription t.> at B is routed through M, "
            "although it is not a subset of a "
            "global topic there")]),
        ("t.> global", ["t.>"], []),
        ("t.* global", ["t.>", "t.x"], []),
        ("t.* global", ["t.>", "t.*"], []),
    ],
)  # fmt: skip
def test_a_wildcard_subscription_is_assumed_to_pass_a_server_that_makes_a_part_of_it_global(
    estate, through, wanted, rests_on
):
    folders = {
        "A": {"routes.conf": line("M"), "topics.conf": "t.> global\n"},
        "M": {"routes.conf": line("B"), "topics.conf": f"{through}\n"},
        "B": {"topics.conf": "t.> global\n"},
    }
    answer = estate(folders).propagate(
        "A", "topic:t.x", subscribers=[f"B:topic:{one}" for one in wanted]
    )
    assert [one.server for one in answer.deliveries] == ["B"] * len(answer.deliveries) != []
    assert [one.text for one in answer.assumptions if one.rule == "R46"] == rests_on


def bridged(bridges: str, **canada: str) -> dict[str, dict[str, str]]:
    files = {
        "topics.conf": "orders global\nbills global\nlocal\n",
        "queues.conf": ">\n",
        "bridges.conf": bridges,
    }
    topics = {"topics.conf": "orders global\nbills global\n"}
    return {"HUB": {**HUB["HUB"], **topics}, "CANADA": {**files, **canada}, "MEXICO": topics}


def copies(answer):
    return [(one.server, one.destination, one.path) for one in answer.deliveries]


def test_a_bridge_draws_messages_and_its_queue_gets_them(estate):
    network = estate(bridged("[topic:orders]\n  queue=billing\n"))
    answer = network.propagate("HUB", "topic:orders", {"country": "Canada"}, assume=False)
    assert answer.received == ("CANADA",)
    assert copies(answer) == [("CANADA", "queue:billing", ("HUB", "CANADA"))]
    (delivery,) = answer.deliveries
    assert (delivery.outcome, str(delivery.source)) == ("DELIVERED", "CANADA/bridges.conf:2:3")
    assert [(one.rule, one.confidence) for one in answer.assumptions] == [("A12", "M")]
    assert answer.warnings == ()


def test_the_selector_of_a_bridge_decides_whether_there_is_a_copy(estate):
    network = estate(bridged('[topic:orders]\n  queue=billing selector="amount > 10"\n'))
    cheap = network.propagate(
        "HUB", "topic:orders", {"country": "Canada", "amount": 5}, assume=False
    )
    assert (copies(cheap), stopped(cheap)["CANADA", "CANADA"]) == ([], ("selector", "FALSE"))
    assert "the selector of the bridge to queue:billing: amount > 10" in [
        stop.guard for stop in cheap.stopped
    ]
    dear = network.propagate(
        "HUB", "topic:orders", {"country": "Canada", "amount": 50}, assume=False
    )
    assert copies(dear) == [("CANADA", "queue:billing", ("HUB", "CANADA"))]


def test_a_copy_on_a_topic_goes_on_from_its_server_like_any_message_and_is_not_bridged_there_again(
    estate,
):
    network = estate(
        bridged(
            "[topic:orders]\n topic=bills\n[topic:bills]\n "
            "queue=ledger\n[queue:ledger]\n topic=local\n"
        )
    )
    answer = network.propagate(
        "HUB",
        "topic:orders",
        {"country": "Canada"},
        subscribers=["CANADA:orders", "MEXICO:bills", "CANADA:local"],
    )
    assert copies(answer) == [
        ("CANADA", "topic:orders", ("HUB", "CANADA")),
        ("MEXICO", "topic:bills", ("HUB", "CANADA", "HUB", "MEXICO")),
    ]
    told = network.trace("HUB", "topic:orders", {"country": "Canada"}, subscribers=["MEXICO:bills"])
    assert [(step.at, step.rule) for step in told.steps if step.rule == "R110"] == [
        ("CANADA", "R110")
    ]


def test_a_copy_that_stops_says_of_which_topic_it_is(estate):
    answer = estate(bridged("[topic:orders]\n topic=local\n")).propagate(
        "HUB", "topic:orders", {"country": "Canada"}
    )
    assert [
        (s.at, s.to, s.destination, str(s.source)) for s in answer.stopped if s.destination
    ] == [("CANADA", "HUB", "topic:local", "CANADA/topics.conf:3:1")]
    assert ("CANADA", "topic:local", ("HUB", "CANADA")) in copies(answer)


def test_bridges_that_feed_each_other_are_followed_once(estate):
    folders = bridged("[topic:orders]\n topic=bills\n")
    folders["MEXICO"] = {**folders["MEXICO"], "bridges.conf": "[topic:bills]\n topic=orders\n"}
    folders["HUB"] = {**folders["HUB"], "routes.conf": line("CANADA") + line("MEXICO")}
    answer = estate(folders).trace("HUB", "topic:orders")
    assert "LOOP(topic:bills at CANADA)" in answer.outcomes


def test_what_a_bridge_puts_on_a_queue_of_another_server_goes_to_its_home(estate):
    folders = bridged("[topic:orders]\n queue=billing@HUB\n")
    folders["HUB"] = {**folders["HUB"], "queues.conf": "billing global\n"}
    answer = estate(folders).propagate("HUB", "topic:orders", {"country": "Canada"}, assume=False)
    assert copies(answer) == [("HUB", "queue:billing", ("HUB", "CANADA", "HUB"))]


def test_two_selector_lines_for_one_topic_carry_both_readings(estate):
    folders = {
        "A": {
            "routes.conf": line(
                "B", 'outgoing_topic=T selector="a=1"', 'outgoing_topic=T selector="b=2"'
            ),
            "topics.conf": "T global\n",
        },
        "B": {"topics.conf": "T global\n"},
    }
    answer = estate(folders).propagate("A", "topic:T", {"b": 2}, subscribers=["B:topic:T"])
    assert answer.deliveries == ()
    assert [assumption.rule for assumption in answer.assumptions] == ["R40", "A16", "A6"]
    assert "B would get it too" in answer.assumptions[1].alternative


def test_a_secure_topic_needs_the_grants_of_both_servers(estate):
    def secure(peer: str, grants: str) -> dict[str, str]:
        me = {"A": "B", "B": "A"}[peer]
        main = (
            f"server = {me}\nrouting = enabled\nauthorization = enabled\n"
            "routes = routes.conf\ntopics = topics.conf\nacl_list = acl.conf\n"
        )
        return {
            "tibemsd.conf": main,
            "routes.conf": line(peer),
            "topics.conf": "T global,secure\n",
            "acl.conf": grants,
        }

    needs = "TOPIC=T USER=B PERM=subscribe,durable\n"
    with_grants = estate(
        {"A": secure("B", needs), "B": secure("A", "TOPIC=T USER=A PERM=publish\n")}
    )
    assert delivered(with_grants.propagate("A", "topic:T")) == [
        ("A", 0, "assumed"),
        ("B", 1, "assumed"),
    ]
    back = with_grants.propagate("B", "topic:T")
    assert stopped(back) == {("B", "A"): ("acl", "FALSE")}
    missing = [row for row in with_grants.check().findings if row["kind"] == "grant-missing"]
    assert sorted(row["message"].rsplit(" line ", 1)[1] for row in missing) == [
        "TOPIC=T USER=A PERM=durable,subscribe",
        "TOPIC=T USER=B PERM=publish",
    ]


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (("HUBB", "topic:orders"), UnknownServer, "Did you mean HUB?"),
        (("HUB", "orders"), UnknownDestination, "topic:NAME"),
        (("HUB", "topic:orders.>"), UsageError, "R85"),
        (("HUB", "address:q"), NotApplicable, "Did you mean topic:q or queue:q?"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_to_do(estate, call, error, says):
    with pytest.raises(error, match=says.replace("?", r"\?")):
        estate(HUB).propagate(*call)


@pytest.mark.parametrize(
    ("subscription", "said"),
    [
        (
            "topic:order",
            (
                "no entry of EAST's topics.conf allows topic:order, so that nobody can "
                "subscribe to it there. Did you mean orders?"
            ),
        ),
        (
            "topic:news.>",
            (
                "no entry of EAST's topics.conf allows topic:news.>, so that nobody can "
                "subscribe to it there."
            ),
        ),
        ("topic:orders", ""),
        ("topic:>", ""),
        ("queue:order", ""),
    ],
)
def test_a_subscriber_to_a_topic_that_its_server_does_not_allow_is_warned_of(
    estate, subscription, said
):
    network = estate(
        {
            "EAST": {"routes.conf": line("HUB"), "topics.conf": "orders global\n"},
            "HUB": {"topics.conf": "> global\n"},
        }
    )
    warned = [
        one.message
        for one in network.propagate(
            "HUB", "topic:orders", subscribers=[f"EAST:{subscription}"]
        ).warnings
    ]
    assert warned == ([said] if said else [])


def by_header(selector: str, **files: str) -> dict[str, dict[str, str]]:
    return {
        "A": {
            "routes.conf": line("B", f'outgoing_topic=t selector="{selector}"'),
            "topics.conf": "t global\n",
        },
        "B": {"topics.conf": "t global\n", **files},
    }


@pytest.mark.parametrize(
    "selector", ["JMSTimestamp > 0", "JMSMessageID IS NULL", "x = 1 OR NOT (JMSTimestamp = 5)"]
)
def test_a_selector_on_a_header_field_that_nobody_knows_is_undecided_and_not_a_stop(
    estate, selector
):
    answer = estate(by_header(selector)).propagate("A", "topic:t")
    assert answer.stopped == ()
    assert [
        (one.server, one.because.startswith(f"the selector {selector} depends on JMS"))
        for one in answer.undetermined
    ] == [("B", True)]
    assert str(answer.undetermined[0].source) == "A/routes.conf:3:3"


def test_what_stops_the_message_whatever_the_header_field_is_named(estate):
    answer = estate(by_header("x = 1 AND JMSTimestamp > 0")).propagate("A", "topic:t", {"x": 2})
    assert stopped(answer) == {("A", "B"): ("selector", "FALSE")}
    assert answer.undetermined == ()


def test_priority_and_delivery_mode_have_their_defaults_and_the_answer_says_so(estate):
    network = estate(by_header("JMSPriority >= 4 AND JMSDeliveryMode = 'PERSISTENT'"))
    answer = network.propagate("A", "topic:t", subscribers=["B:topic:t"])
    assert delivered(answer) == [("B", 1, "declared")]
    nobody_else = "A, B have no subscribers but those that are known"
    assert [(one.rule, one.text) for one in answer.assumptions] == [
        ("R40", nobody_else),
        ("R69", "the message has JMSDeliveryMode PERSISTENT, the default of senders"),
        ("R69", "the message has JMSPriority 4, the default of senders"),
    ]
    low = {"JMSPriority": 3, "JMSDeliveryMode": "PERSISTENT"}
    answer = network.propagate("A", "topic:t", low, subscribers=["B:topic:t"])
    assert stopped(answer) == {("A", "B"): ("selector", "FALSE")}
    assert [one.text for one in answer.assumptions] == [nobody_else]


def test_a_subscribers_own_selector_on_such_a_field_leaves_the_delivery_open(estate):
    durables = 't billing selector="JMSTimestamp > 0"\n'
    network = estate(by_header("x = 1", **{"durables.conf": durables}))
    answer = network.propagate("A", "topic:t", {"x": 1}, assume=False)
    assert (delivered(answer), answer.stopped, answer.received) == ([], (), ("B",))
    assert [(one.server, str(one.source)) for one in answer.undetermined] == [
        ("B", "B/durables.conf:1:1")
    ]
    answer = network.propagate("A", "topic:t", {"x": 1}, subscribers=["B:topic:t"])
    assert (delivered(answer), answer.undetermined) == ([("B", 1, "declared")], ())


@pytest.mark.parametrize("name", ["a..b", ".a", "a.", "x" * 128, ".".join("a" * 65)])
def test_a_name_that_cannot_be_a_topic_is_refused(estate, name):
    with pytest.raises(UsageError, match=r"No message can be published to topic:"):
        estate(HUB).propagate("HUB", f"topic:{name}")


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("JMSPriority", 12),
        ("JMSPriority", None),
        ("JMSPriority", True),
        ("JMSDeliveryMode", 2),
        ("JMSTimestamp", "now"),
    ],
)
def test_a_header_field_with_a_value_that_it_cannot_have_is_refused(estate, header, value):
    with pytest.raises(UsageError, match=f"{header} is "):
        estate(HUB).propagate("HUB", "topic:orders", {header: value})


CANADIAN = "outgoing_topic=orders selector=\"country='Canada'\""


def test_a_selector_that_several_routes_set_is_cited_where_the_message_meets_it(estate):
    peers = ("CANADA", "MEXICO", "USA")
    folders = {peer: {"topics.conf": "orders global\n"} for peer in peers}
    folders["HUB"] = {
        "routes.conf": "".join(line(peer, CANADIAN) for peer in peers),
        "topics.conf": "orders global\n",
    }
    network = estate(folders)
    answer = network.propagate("HUB", "topic:orders", {"country": "Peru"})
    lines = {
        "CANADA": "HUB/routes.conf:3:3",
        "MEXICO": "HUB/routes.conf:6:3",
        "USA": "HUB/routes.conf:9:3",
    }
    assert {stop.to: str(stop.source) for stop in answer.stopped} == lines
    told = network.trace("HUB", "topic:orders", {"country": "Peru"})
    assert [str(step.source) for step in told.steps if step.rule == "R65"] == list(lines.values())
    (guard,) = (guard for guard in network._model.parts[0].graph.guards if guard.kind == "selector")
    assert guard.source.file == ""


def test_the_lines_of_many_stops_are_read_together_and_only_those(estate):
    blocked, free = [f"P{number:02}" for number in range(ONE_BY_ONE + 8)], ["Q1", "Q2"]
    folders = {name: {"topics.conf": "orders global\n"} for name in (*blocked, *free)}
    routes = "".join(line(peer, CANADIAN) for peer in blocked) + "".join(map(line, free))
    network = estate({**folders, "HUB": {"routes.conf": routes, "topics.conf": "orders global\n"}})
    part = network._model.parts[0]
    asked = []

    class Watched:
        def facts(self, kinds=(), server="", names=None):
            asked.append((kinds, server))
            return source.facts(kinds, server, names)

    source = part.facts_of("ems")
    part.facts_of = lambda _: Watched()
    answer = network.propagate("HUB", "topic:orders", {"country": "Peru"})
    lines = {peer: f"HUB/routes.conf:{3 * number + 3}:3" for number, peer in enumerate(blocked)}
    assert {stop.to: str(stop.source) for stop in answer.stopped} == lines
    assert [server for kinds, server in asked if "route" in kinds] == [frozenset(["HUB", *blocked])]


def test_stops_cite_the_lines_of_topics_and_permissions(estate):
    main = (
        "server = {}\nrouting = on\nauthorization = on\nroutes = routes.conf\ntopics = "
        "topics.conf\nacl_list = acl.conf\n"
    )
    topics = "# first\n>\norders global\nsecret global,secure\nmine global\n"
    acl = "TOPIC=secret USER=B PERM=subscribe\n"
    network = estate(
        {
            "A": {
                "tibemsd.conf": main.format("A"),
                "routes.conf": line("B"),
                "topics.conf": topics,
                "acl.conf": acl,
            },
            "B": {"topics.conf": ">\norders global\nsecret global\n"},
        }
    )
    for topic, reason, source in (
        ("secret", "acl", "A/acl.conf:1:1"),
        ("mine", "not-global", "B/topics.conf:1:1"),
        ("other", "not-global", "A/topics.conf:2:1"),
    ):
        (stop,) = network.propagate("A", f"topic:{topic}").stopped
        assert (str(stop.reason), str(stop.source)) == (reason, source)


def test_the_answer_does_not_claim_that_no_client_is_known_where_it_lists_one(estate):
    folders = {**HUB, "CANADA": {**HUB["CANADA"], "durables.conf": "orders billing\n"}}
    answer = estate(folders).propagate("HUB", "topic:orders", {"country": "Canada"})
    assert delivered(answer) == [("HUB", 0, "assumed"), ("CANADA", 1, "configured")]
    (assumption,) = answer.assumptions
    assert assumption.text.startswith("of clients only the configured subscribers are known")


def test_a_temporary_topic_is_delivered_at_the_server_it_belongs_to_and_nowhere_else(estate):
    answer = estate(HUB).propagate("MEXICO", "topic:$TMP$.CANADA.7")
    assert [(d.server, d.path) for d in answer.deliveries] == [
        ("CANADA", ("MEXICO", "HUB", "CANADA"))
    ]
    assert [step.guards for step in answer.deliveries[0].steps] == [(), ()]
    assert [assumption.rule for assumption in answer.assumptions] == ["R90"]
    with pytest.raises(UnknownServer, match=r"Did you mean CANADA\?"):
        estate({}).propagate("MEXICO", "topic:$TMP$.CANADAA.7")


def test_a_temporary_topic_of_a_server_that_is_not_loaded_is_undecided(estate):
    answer = estate({"A": {"routes.conf": line("X"), "topics.conf": "t\n"}}).propagate(
        "A", "topic:$TMP$.X.1"
    )
    assert (answer.deliveries, [(u.server, u.because) for u in answer.undetermined]) == (
        (),
        [("X", "X: its configuration is not loaded")],
    )


def test_a_pattern_that_is_secure_asks_nothing_of_temporary_topics(estate):
    main = (
        "server = A\nrouting = on\nauthorization = on\nroutes = routes.conf\ntopics = topics.conf\n"
    )
    network = estate(
        {
            "A": {"tibemsd.conf": main, "routes.conf": line("B"), "topics.conf": "> secure\n"},
            "B": {"topics.conf": ">\n"},
        }
    )
    assert [d.server for d in network.propagate("A", "topic:$TMP$.B.1").deliveries] == ["B"]


def test_replies_have_no_conditions_and_those_to_queues_go_one_hop(estate):
    network = estate(HUB)
    answer = network.reach("CANADA", reply=True)
    assert [(entry.server, entry.hops) for entry in answer.servers] == [("HUB", 1), ("MEXICO", 2)]
    assert {step.guards for entry in answer.servers for step in entry.steps} == {()}
    assert [warning.rule for warning in answer.warnings] == ["R92"]
    assert network.reach("CANADA", "HUB", reply=True).warnings == ()


def test_a_topic_that_is_not_global_where_it_is_published_goes_nowhere_whatever_is_not_loaded(
    estate,
):
    network = estate(
        {
            "A": {"routes.conf": line("X"), "topics.conf": "t\n"},
            "C": {"routes.conf": line("X"), "topics.conf": "t global\n"},
        }
    )
    answer = network.propagate("A", "topic:t", subscribers=["C:topic:t"])
    assert (stopped(answer), answer.undetermined) == ({("A", "X"): ("not-global", "FALSE")}, ())


def test_a_server_that_the_files_show_a_way_to_is_not_undecided_because_of_other_servers(estate):
    folders = {**HUB, "CANADA": {"topics.conf": "orders global\n", "routes.conf": line("X")}}
    network = estate(folders)
    answer = network.propagate(
        "HUB", "topic:orders", {"country": "Mexico"}, subscribers=["CANADA:orders", "MEXICO:orders"]
    )
    assert delivered(answer) == [("MEXICO", 1, "declared")]
    assert (stopped(answer), answer.undetermined) == (
        {("HUB", "CANADA"): ("selector", "FALSE")},
        (),
    )


def test_a_wildcard_subscription_is_open_only_where_the_message_can_get_to(estate):
    network = estate(HUB)
    answer = network.propagate(
        "HUB", "topic:orders", {"country": "Canada"}, subscribers=["CANADA:topic:>"]
    )
    assert stopped(answer) == {
        ("HUB", "CANADA"): ("no-interest", "UNKNOWN"),
        ("HUB", "MEXICO"): ("no-interest", "FALSE"),
    } | {("HUB", "MEXICO"): ("selector", "FALSE")}
    assert [entry.server for entry in answer.undetermined] == ["CANADA"]
    answer = network.propagate(
        "HUB", "topic:orders", {"country": "Mexico"}, subscribers=["CANADA:topic:>"]
    )
    assert (stopped(answer)["HUB", "CANADA"], answer.undetermined) == (("selector", "FALSE"), ())


def test_a_zone_that_forbids_the_step_is_the_reason_whatever_else_is_not_known(estate):
    def one_hop(peer: str) -> str:
        return line(peer, "zone_name=Z zone_type=1hop")

    network = estate(
        {
            "A": {"routes.conf": one_hop("B"), "topics.conf": "t global\n"},
            "B": {"routes.conf": one_hop("X"), "topics.conf": "t global\n"},
        }
    )
    answer = network.propagate("A", "topic:t")
    assert stopped(answer) == {("B", "X"): ("zone", "FALSE")}
    (entry,) = answer.undetermined
    assert entry.because == "X may have routes that the loaded files do not show"


def test_of_topics_that_could_be_read_only_in_part_those_that_are_global_are(estate):
    broken = "orders global\nnews global=\n\u201cx global\n"
    network = estate(
        {
            "A": {"routes.conf": line("B"), "topics.conf": "> global\n"},
            "B": {"topics.conf": broken + 'y maxbytes="1\n'},
        }
    )
    assert [d.server for d in network.propagate("A", "topic:orders").deliveries] == ["A", "B"]
    answer = network.propagate("A", "topic:other")
    assert [(u.server, u.because.rpartition(": ")[2]) for u in answer.undetermined] == [
        ("B", "not all of its topics.conf could be read")
    ]
