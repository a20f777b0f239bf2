"""Messages to queues: home and routed queues, one hop to the home and one from it, and what is
between (R92, R100-R107, A23, A26-A29).
"""

from __future__ import annotations

import pytest

from topograph.errors import UnknownServer, UsageError
from topograph.findings import Source
from topograph.forwarding.rows import RowWalks
from topograph.message import Message
from topograph.opening.folders import read_snapshot
from topograph.questions.text import text
from topograph.side_inputs import Client, SideInputs
from topograph.systems import assemble
from topograph.systems.contract.system import Failure, Sending
from topograph.systems.ems.topics.trace import follow
from topograph.systems.fact_sources import FactList
from topograph.tracing.outcomes import Folding


def routes(*peers: str) -> str:
    return "".join(f"[{peer}]\n  url = tcp://{peer.lower()}:7222\n" for peer in peers)


def folders(**changed):
    """P and S with routed queues of R, which is between them."""
    found = {
        "P": {"routes.conf": routes("R"), "queues.conf": "Q@R\n"},
        "R": {"routes.conf": routes("P", "S"), "queues.conf": "Q global\n"},
        "S": {"routes.conf": routes("R"), "queues.conf": "Q@R\n"},
    }
    return {name: {**found.get(name, {}), **files} for name, files in {**found, **changed}.items()}


def secured(server: str, queue: str, *grants: str, **files: str) -> dict[str, str]:
    kinds = {"routes": "routes.conf", "queues": "queues.conf", "acl_list": "acl.conf"}
    main = f"server = {server}\nrouting = on\nauthorization = on\n"
    lines = "".join(f"{kind} = {name}\n" for kind, name in kinds.items())
    return {
        "tibemsd.conf": main + lines,
        "queues.conf": f"{queue}\n",
        "acl.conf": "".join(f"{g}\n" for g in grants),
        **files,
    }


def taken(answer):
    return [(one.server, one.path, one.choice) for one in answer.deliveries]


def said(answer):
    return [(one.rule, one.confidence) for one in answer.assumptions]


def test_a_message_goes_one_hop_to_the_home_and_one_from_it(estate):
    network = estate(folders())
    answer = network.trace("P", "queue:Q", subscribers=["S:queue:Q"])
    assert [(step.at, step.to, step.rule) for step in answer.steps] == [
        ("P", "R", "R103"),
        ("R", "S", "R102"),
        ("S", "", "R102"),
    ]
    assert answer.outcomes == ("DELIVERED(queue:Q)",)
    assert taken(network.propagate("P", "queue:Q", subscribers=["P:queue:Q"])) == [
        ("P", ("P", "R", "P"), "always")
    ]


@pytest.mark.parametrize(
    ("server", "queue", "outcome"),
    [
        ("P", "Q@R", "DELIVERED(queue:Q)"),
        ("R", "Q@R", "DELIVERED(queue:Q)"),
        ("P", "Q@S", "REFUSED(no queue Q@S)"),
        ("R", "Q@P", "REFUSED(no queue Q@P)"),
        ("P", "other@R", "REFUSED(no queue other@R)"),
    ],
)
def test_a_queue_may_be_named_with_its_owner(estate, server, queue, outcome):
    assert estate(folders()).trace(server, f"queue:{queue}").outcomes == (outcome,)


def test_without_a_consumer_it_is_stored_at_its_home_with_the_line_of_the_queue(estate):
    (delivery,) = estate(folders()).propagate("P", "queue:Q").deliveries
    assert (delivery.server, delivery.path, delivery.subscriber) == ("R", ("P", "R"), "configured")
    assert str(delivery.source) == "R/queues.conf:1:1"


def test_exactly_one_of_several_consumers_gets_it(estate):
    network = estate(folders())
    consumers = ["P:queue:Q", "S:queue:Q", "R:queue:Q"]
    answer = network.propagate("P", "queue:Q", subscribers=consumers)
    assert taken(answer) == [
        ("R", ("P", "R"), "one_of"),
        ("P", ("P", "R", "P"), "one_of"),
        ("S", ("P", "R", "S"), "one_of"),
    ]
    assert network.trace("P", "queue:Q", subscribers=consumers).outcome == "ONE_OF"


@pytest.mark.parametrize(
    ("server", "changed", "outcome", "rule"),
    [
        (
            "X",
            {"X": {"routes.conf": routes("P"), "queues.conf": "Q@R\n"}},
            "STUCK(X, no direct route to the home R)",
            "R103",
        ),
        ("P", {"P": {"queues.conf": "other\n"}}, "REFUSED(no queue Q)", "R45"),
        ("P", {"R": {"queues.conf": "other\n"}}, "STUCK(P, R has no queue Q)", "R105"),
        ("P", {"R": {"queues.conf": ">\n"}}, "UNDETERMINED", "A28"),
        ("P", {"R": {"queues.conf": "Q@S\n"}}, "UNDETERMINED", "A29"),
        ("P", {"P": {"queues.conf": "Q.*@R\nQ@R\nQ@S\n"}}, "UNDETERMINED", "which entry counts"),
        ("P", {"P": {"queues.conf": "*@R\n"}}, "UNDETERMINED", "wildcard routed queue"),
        ("P", {"P": {"queues.conf": "Q@NOWHERE\n"}}, "UNDETERMINED", "not among the loaded files"),
        (
            "P",
            {"P": {"routes.conf": routes("R", "V"), "queues.conf": "Q@V\n"}},
            "UNDETERMINED",
            "not loaded",
        ),
        ("P", {"P": {"queues.conf": ">\n"}}, "DELIVERED(queue:Q)", "R101"),
        ("R", {"R": {"queues.conf": "Q@R global\n"}}, "DELIVERED(queue:Q)", "R101"),
    ],
)
def test_what_becomes_of_a_message_that_is_not_just_sent_home(
    estate, server, changed, outcome, rule
):
    answer = estate(folders(**changed)).trace(server, "queue:Q")
    assert answer.outcomes == (outcome,)
    told = [step.rule for step in answer.steps] + [step.text for step in answer.steps]
    assert any(rule in text for text in told)
    if outcome == "UNDETERMINED":
        assert answer.undetermined


@pytest.mark.parametrize("disabled", ["P", "R"])
def test_a_route_that_is_down_holds_it_and_sends_it_on_later(estate, disabled):
    main = f"server = {disabled}\nrouting = off\nroutes = routes.conf\nqueues = queues.conf\n"
    network = estate(folders(**{disabled: {"tibemsd.conf": main}}))
    answer = network.trace("P", "queue:Q")
    assert answer.outcomes == ("HELD(queue:Q, P, route to home down)",)
    assert [(one.choice, one.server) for one in network.propagate("P", "queue:Q").deliveries] == [
        ("later", "R")
    ]
    assert any("sender sees no error" in warning.message for warning in answer.warnings)


@pytest.mark.parametrize(("limit", "weak"), [("maxmsgs=5,", [("A26", "L")]), ("", [])])
def test_a_routed_queue_that_rejects_beyond_a_limit_is_a_weak_answer_while_its_home_is_out_of_reach(
    estate, limit, weak
):
    main = "server = R\nrouting = off\nroutes = routes.conf\nqueues = queues.conf\n"
    routed = {"queues.conf": f"Q@R {limit}overflowPolicy=rejectIncoming\n"}
    answer = estate(folders(P=routed, R={"tibemsd.conf": main})).trace("P", "queue:Q")
    assert (answer.outcome, said(answer)) == ("HELD", weak)


def test_an_exclusive_home_is_named(estate):
    (_, last) = (
        estate(folders(R={"queues.conf": "Q global,exclusive\n"})).trace("P", "queue:Q").steps
    )
    assert last.text == "stored in the exclusive queue:Q at its home R"


@pytest.mark.parametrize(
    ("failed", "outcome"),
    [
        (Failure(servers=frozenset({"R"})), "HELD(queue:Q, P, home down)"),
        (Failure(links=frozenset({frozenset("PR")})), "HELD(queue:Q, P, route to home down)"),
        (Failure(links=frozenset({frozenset("RS")})), "DELIVERED(queue:Q)"),
        (Failure(servers=frozenset({"P"})), "REFUSED(P is down)"),
    ],
)
def test_a_failure_holds_messages_where_they_are_sent_and_leaves_consumers_of_other_servers_alone(
    estate, tmp_path, failed, outcome
):
    estate(folders())
    told = Folding(followed(tmp_path, failed, Client("S", "queue:Q")))
    now = [str(one.ending) for one in told.arrivals() if one.branch.id not in told.deferred]
    assert [*now, *map(str, told.others())] == [outcome]


def followed(tmp_path, failed, *clients):
    """What becomes of a message to Q that is sent at P while something has failed."""
    snapshot = read_snapshot(tmp_path / "estate")
    (tables,) = snapshot.graph_tables("estate")
    graph = assemble(tables)
    sending = Sending("P", Message.to("queue:Q"), clients)
    return follow(
        FactList(snapshot.facts("estate")), SideInputs(), graph, RowWalks(graph), sending, failed
    )


@pytest.mark.parametrize(
    ("home", "later"),
    [
        ({"queues.conf": "> global\n"}, "UNDETERMINED"),
        ({"queues.conf": "Q@S\n"}, "UNDETERMINED"),
        ({"queues.conf": "other\n"}, "STUCK(P, R has no queue Q)"),
        (secured("R", "Q global,secure"), "STUCK(P, R does not grant user P send)"),
    ],
)
def test_whatever_the_home_does_with_it_later_a_message_is_stored_while_the_home_is_down(
    estate, tmp_path, home, later
):
    estate(folders(R=home))
    trace = followed(tmp_path, Failure(servers=frozenset({"R"})))
    endings = [(str(one.kind), str(one.ending)) for one in trace.branches if one.ending is not None]
    assert endings[0] == ("copy", "HELD(queue:Q, P, home down)")
    assert [(kind, ending.startswith(later)) for kind, ending in endings[1:]] == [("later", True)]


@pytest.mark.parametrize(("queues", "left_open"), [("Q@R\n", ["S"]), ("> global\n", [])])
def test_whether_a_queue_that_only_a_pattern_allows_serves_other_servers_is_left_open(
    estate, queues, left_open
):
    network = estate(folders(R={"queues.conf": "> global\n"}, S={"queues.conf": queues}))
    answer = network.propagate("R", "queue:Q", subscribers=["S:queue:Q"])
    stops = [(one.at, one.to, one.rule, one.value) for one in answer.stopped]
    assert stops == [("R", to, "A28", "UNKNOWN") for to in left_open]
    assert [one.server for one in answer.undetermined] == left_open
    assert taken(answer) == [("R", ("R",), "one_of" if left_open else "always")]


def test_it_serves_them_where_the_network_says_that_messages_create_it(estate):
    config = {"topograph.yaml": "overrides: {ems: {A28: created}}\n"}
    answer = estate(folders(R={"queues.conf": "> global\n"}), config).propagate(
        "P", "queue:Q", subscribers=["S:queue:Q"]
    )
    assert [(one.server, one.path) for one in answer.deliveries] == [("S", ("P", "R", "S"))]
    assert [one.rule for one in answer.assumptions] == ["A28"]


@pytest.mark.parametrize(("queues", "weak"), [("Q\n", [("A27", "L")]), ("Q\n> global\n", [])])
def test_a_home_that_is_not_global_is_a_weak_answer(estate, queues, weak):
    assert said(estate(folders(R={"queues.conf": queues})).propagate("P", "queue:Q")) == weak


def test_zones_say_nothing_about_queues(estate):
    one_hop = "[{}]\n  url = tcp://x:1\n  zone_name = Z\n  zone_type = 1hop\n"
    network = estate(
        folders(
            P={"routes.conf": one_hop.format("R")},
            R={"routes.conf": one_hop.format("P") + one_hop.format("S")},
            S={"routes.conf": one_hop.format("R")},
        )
    )
    assert taken(network.propagate("P", "queue:Q", subscribers=["S:queue:Q"])) == [
        ("S", ("P", "R", "S"), "always")
    ]


def test_the_home_of_a_secure_queue_asks_for_send_of_the_server_that_forwards_to_it(estate):
    lacking = estate(folders(R=secured("R", "Q global,secure")))
    assert lacking.trace("P", "queue:Q").outcomes == ("STUCK(P, R does not grant user P send)",)
    (row,) = (
        row
        for row in lacking.check().findings
        if row["kind"] == "queue-grant-missing" and "USER=P" in row["message"]
    )
    assert (row["rule"], row["severity"]) == ("TL-10", "error")
    assert "QUEUE=Q USER=P PERM=send" in row["message"]


def test_with_the_grant_it_goes_through_and_receive_is_only_warned_of(estate):
    network = estate(
        folders(
            R=secured(
                "R", "Q global,secure", "QUEUE=Q USER=P PERM=send", "QUEUE=Q USER=S PERM=receive"
            )
        )
    )
    assert taken(network.propagate("P", "queue:Q")) == [("R", ("P", "R"), "always")]
    assert [
        row
        for row in network.check().findings
        if row["kind"] == "queue-grant-missing" and "USER=P" in row["message"]
    ] == []
    served = network.propagate("P", "queue:Q", subscribers=["S:queue:Q"])
    assert (taken(served), said(served)) == ([("S", ("P", "R", "S"), "always")], [])


def test_a_grant_whose_file_is_not_there_leaves_it_open(estate):
    files = secured("R", "Q global,secure")
    del files["acl.conf"]
    answer = estate(folders(R=files)).trace("P", "queue:Q")
    assert (answer.outcome, [one.server for one in answer.undetermined]) == ("UNDETERMINED", ["P"])


def test_a_server_with_consumers_asks_for_send_of_the_home_and_else_takes_nothing(estate):
    network = estate(folders(S=secured("S", "Q@R secure")))
    answer = network.propagate("P", "queue:Q", subscribers=["S:queue:Q"])
    assert taken(answer) == [("R", ("P", "R"), "always")]
    assert [(one.at, one.to, one.reason, one.rule) for one in answer.stopped] == [
        ("R", "S", "acl", "R107")
    ]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"S": {"queues.conf": ">\n"}}, "no-interest"),
        ({"S": {"routes.conf": ""}, "R": {"routes.conf": routes("P")}}, "no-route"),
    ],
)
def test_a_consumer_that_the_home_does_not_serve_is_named_with_the_reason(estate, changed, reason):
    answer = estate(folders(**changed)).propagate("P", "queue:Q", subscribers=["S:queue:Q"])
    assert taken(answer) == [("R", ("P", "R"), "always")]
    assert [(one.to, one.reason, one.value) for one in answer.stopped] == [("S", reason, "FALSE")]


@pytest.mark.parametrize(
    ("properties", "server", "stops"),
    [
        ({"a": 1}, "S", []),
        ({"a": 2}, "R", [("selector", "FALSE")]),
        ({}, "R", [("selector", "UNKNOWN")]),
    ],
)
def test_the_selector_of_a_consumer_decides_what_it_takes(estate, properties, server, stops):
    clients = [Client("S", "queue:Q", selector="a = 1")]
    answer = estate(folders()).propagate("P", "queue:Q", properties, clients=clients)
    assert [one.server for one in answer.deliveries] == [server]
    assert [(one.reason, one.value) for one in answer.stopped] == stops


def test_a_consumer_without_a_selector_is_there_for_what_another_does_not_take(estate):
    clients = [Client("S", "queue:Q", selector="a = 1"), Client("P", "queue:Q")]
    network = estate(folders())
    assert [
        one.server
        for one in network.propagate("R", "queue:Q", {"a": 2}, clients=clients).deliveries
    ] == ["P"]
    assert {
        one.server
        for one in network.propagate("R", "queue:Q", {"a": 1}, clients=clients).deliveries
    } == {"P", "S"}


def test_a_consumer_without_the_permission_to_receive_gets_nothing(estate):
    network = estate(
        folders(
            R=secured(
                "R", "Q global,secure", "QUEUE=Q USER=joe PERM=receive", **{"routes.conf": ""}
            )
        )
    )
    clients = [Client("R", "queue:Q", user="eve"), Client("R", "queue:Q", user="joe")]
    assert taken(network.propagate("R", "queue:Q", clients=clients[1:])) == [
        ("R", ("R",), "always")
    ]
    answer = network.propagate("R", "queue:Q", clients=clients[:1])
    assert [(one.at, one.to, one.reason, one.rule) for one in answer.stopped] == [
        ("R", "R", "acl", "R107")
    ]
    assert [one.subscriber for one in answer.deliveries] == ["configured"]
    texts = [step.text for step in network.trace("R", "queue:Q", clients=clients[:1]).steps]
    assert [text for text in texts if text.startswith("not taken here: Q is secure at R")]


def test_of_a_queue_that_is_not_secure_nobody_is_asked_for_a_permission(estate):
    answer = estate(folders(P=secured("P", "Q@R"))).trace("P", "queue:Q", user="eve")
    assert (answer.outcome, [step.rule for step in answer.steps][:1]) == ("DELIVERED", ["R103"])


@pytest.mark.parametrize("queues", [">", "Q", ">\nOTHER secure"])
def test_what_all_of_a_queues_conf_does_not_call_secure_is_not_secure(estate, queues):
    answer = estate(folders(P=secured("P", queues))).trace("P", "queue:Q", user="eve")
    assert answer.undetermined == ()
    assert answer.outcomes == ("DELIVERED(queue:Q)",)


def test_a_sender_needs_the_permission_of_its_own_server(estate):
    network = estate(folders(P=secured("P", "Q@R secure", "QUEUE=Q USER=joe PERM=send")))
    assert network.trace("P", "queue:Q", user="joe").outcome == "DELIVERED"
    assert network.trace("P", "queue:Q").outcome == "DELIVERED"
    assert network.trace("P", "queue:Q", user="eve").outcomes == ("REFUSED(acl)",)


@pytest.mark.parametrize(
    ("server", "outcome", "path"),
    [("A", "DELIVERED", ("A",)), ("B", "DELIVERED", ("B", "A")), ("C", "NOT_FORWARDED", ())],
)
def test_a_temporary_queue_is_reached_over_one_hop(estate, server, outcome, path):
    network = estate(
        {"A": {"routes.conf": routes("B")}, "B": {"routes.conf": routes("C")}, "C": {}}
    )
    assert network.trace(server, "queue:$TMP$.A.1.1").outcome == outcome
    assert [one.path for one in network.propagate(server, "queue:$TMP$.A.1.1").deliveries] == (
        [path] if path else []
    )


@pytest.mark.parametrize(
    ("queue", "error", "says"),
    [
        ("Q.*", UsageError, "R85"),
        ("Q..a", UsageError, "empty element"),
        ("$TMP$.EAST.1", UnknownServer, "EAST"),
        ("$TMP$.", UsageError, "empty element"),
    ],
)
def test_a_name_that_cannot_be_a_queue_is_refused(estate, queue, error, says):
    with pytest.raises(error, match=says):
        estate(folders()).propagate("P", f"queue:{queue}")


def test_the_text_says_where_it_is_decided_at_run_time_and_each_course_who_takes_it(estate):
    network = estate(folders())
    answer = network.trace("P", "queue:Q", subscribers=["P:queue:Q", "S:queue:Q"])
    assert [answer.branches[number].condition for number in answer.alternatives] == [
        "a consumer at P takes it",
        "a consumer at S takes it",
    ]


CONSUMERS = "Command: show consumers\n  Id  Conn  User  T  Queue  SAS  Sent\n"
END = "Command: exit\n"


def listed(*rows: str, end: str = END) -> str:
    return CONSUMERS + "".join(f"  {n}  3  {row}  0\n" for n, row in enumerate(rows, 7)) + end


def observed(estate, changed=(), **shown: str):
    return estate(
        folders(**dict(changed)), root={f"{name}/show.txt": text for name, text in shown.items()}
    )


def test_consumers_that_servers_listed_take_the_message(estate):
    network = observed(
        estate,
        R=listed("P  Q  Q  ---", "S  Q  Q  ---"),
        S=listed("ana  Q  Q  ---"),
        P=listed("bo  Q  other  ---"),
    )
    answer = network.propagate("P", "queue:Q")
    assert [(one.server, one.path, one.subscriber, one.choice) for one in answer.deliveries] == [
        ("S", ("P", "R", "S"), "observed", "always")
    ]
    assert str(answer.deliveries[0].source) == "S/show.txt:3:3"
    assert [(one.confidence, one.text) for one in answer.assumptions if one.rule == "R104"] == [
        ("M", "the consumers of queue:Q at P, R, S are those listed at one moment (P/show.txt:2:1)")
    ]
    assert [step.text for step in network.trace("P", "queue:Q").steps][
        -1
    ] == "taken by a consumer of the routed queue that the server listed: a client of user ana"


@pytest.mark.parametrize("home", ["R", "S"])
def test_the_consumer_that_takes_it_is_named_with_its_line(estate, home):
    client = Client(home, "queue:Q", client_id="billing", source=Source("topograph.yaml", 2, 5))
    network = estate(folders())
    (delivery,) = network.propagate("P", "queue:Q", clients=[client]).deliveries
    assert [(one.name, one.subscriber, str(one.source)) for one in delivery.delivered_to] == [
        ("client billing", "declared", "topograph.yaml:2:5")
    ]
    assert "declared consumer  client billing  topograph.yaml:2:5" in text(
        network.propagate("P", "queue:Q", clients=[client])
    )
    assert (
        network.trace("P", "queue:Q", clients=[client]).steps[-1].text.endswith(": client billing")
    )


def test_of_several_consumers_that_a_server_listed_none_is_named(estate):
    network = observed(estate, R=listed("ana  Q  Q  ---", "bo  Q  Q  ---"))
    (delivery,) = network.propagate("P", "queue:Q").deliveries
    assert (delivery.subscriber, delivery.delivered_to) == ("observed", ())


def test_without_a_listed_consumer_it_is_stored_and_the_list_is_what_that_rests_on(estate):
    answer = observed(estate, R=listed()).propagate("R", "queue:Q")
    assert [(one.server, one.subscriber) for one in answer.deliveries] == [("R", "configured")]
    assert [one.rule for one in answer.assumptions if one.rule == "R104"] == ["R104"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (listed(end=""), "the text ends with it"),
        (listed().replace("consumers", "consumers user=x"), "its command asked for a part"),
    ],
)
def test_a_cut_list_leaves_another_consumer_possible(estate, text, why):
    answer = observed(estate, R=text).propagate("R", "queue:Q")
    assert [(one.confidence, one.text) for one in answer.assumptions if one.rule == "R104"] == [
        (
            "L",
            (
                "queue:Q has no other consumers at R, of whose consumers not all may be "
                f"listed ({why}; R/show.txt:2:1)"
            ),
        )
    ]


def test_a_consumer_whose_selector_is_not_shown_may_take_it(estate):
    network = observed(estate, R=listed("ana  Q  Q  +--"), S=listed("bo  Q  Q  ---"))
    answer = network.propagate("P", "queue:Q")
    assert [(one.server, one.choice) for one in answer.deliveries] == [("S", "one_of")]
    assert [(one.server, one.because, str(one.source)) for one in answer.undetermined] == [
        ("R", "a consumer that R listed has a selector, which is not shown", "R/show.txt:3:3")
    ]


@pytest.mark.parametrize(
    "rows", [("ana  Q  Q  +--", "bo  Q  Q  ---"), ("bo  Q  Q  ---", "ana  Q  Q  +--")]
)
def test_one_listed_consumer_without_a_selector_is_enough(estate, rows):
    answer = observed(estate, R=listed(*rows)).propagate("R", "queue:Q")
    assert [(one.server, one.choice) for one in answer.deliveries] == [("R", "always")]
    assert answer.undetermined == ()


def test_a_consumer_of_a_queue_of_the_same_name_elsewhere_is_no_consumer(estate):
    changed = {"S": {"queues.conf": "Q\n"}}
    answer = observed(estate, changed, S=listed("ana  Q  Q  ---")).propagate("P", "queue:Q")
    assert [(one.server, one.subscriber) for one in answer.deliveries] == [("R", "configured")]
    assert answer.stopped == ()


def test_a_declared_sender_is_no_consumer(estate):
    sender = Client("S", "queue:Q", role="sender")
    answer = estate(folders()).propagate("P", "queue:Q", clients=[sender])
    assert [(one.server, one.subscriber) for one in answer.deliveries] == [("R", "configured")]


def test_declared_and_listed_consumers_stand_beside_each_other(estate):
    network = observed(estate, S=listed("ana  Q  Q  ---"))
    answer = network.propagate("P", "queue:Q", subscribers=["R:queue:Q"])
    assert [(one.server, one.subscriber, one.choice) for one in answer.deliveries] == [
        ("R", "declared", "one_of"),
        ("S", "observed", "one_of"),
    ]


def test_show_queues_says_where_routed_and_bridged_queues_lead(estate):
    home = {
        "queues.conf": "Q global\nQ2@R\ntemp.>\n",
        "bridges.conf": "[queue:Q]\n  topic=T\n  queue=Q2\n",
    }
    network = estate({**folders(), "R": {**folders()["R"], **home}})
    rows = [
        (row["server"], row["type"], row["name"], row["leads_to"])
        for row in network.show("queues").rows
    ]
    assert rows == [
        ("P", "routed queue", "Q", "Q@R"),
        ("R", "queue", "Q", "bridge to topic:T, bridge to queue:Q2"),
        ("R", "queue", "Q2", ""),
        ("R", "pattern", "temp.>", ""),
        ("S", "routed queue", "Q", "Q@R"),
    ]
