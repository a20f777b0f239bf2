"""What is said of servers whose files are missing, paired or named twice (ems.md 3.1, A17, A18)."""

from __future__ import annotations

import pytest

import topograph
from topograph.questions.text import text

TOPICS = "> global\n"


def route(*peers: str, zone: str = "M", kind: str = "mhop") -> str:
    return "".join(
        f"[{peer}]\n url = tcp://{peer.lower()}:7222\n zone_name = {zone}\n zone_type = {kind}\n"
        for peer in peers
    )


def server(*peers: str, zone: str = "M", kind: str = "mhop") -> dict[str, str]:
    return {"routes.conf": route(*peers, zone=zone, kind=kind), "topics.conf": TOPICS}


def undetermined(answer):
    return {entry.server: entry.because for entry in answer.undetermined}


def kinds(network, severity="error"):
    return {row["kind"] for row in network.check().findings if row["severity"] == severity}


def test_a_server_that_is_not_loaded_is_undetermined_and_so_is_what_lies_behind_it(estate):
    network = estate({"A": server("X"), "B": server("X"), "C": server("D"), "D": server()})
    answer = network.reach("A")
    assert answer.servers == ()
    assert answer.unreachable == ()
    assert undetermined(answer) == {
        "X": "X: its configuration is not loaded",
        "B": "X: its configuration is not loaded",
        "C": "X may have routes that the loaded files do not show",
        "D": "X may have routes that the loaded files do not show",
    }
    assert undetermined(answer).keys() == {"B", "C", "D", "X"}
    assert {str(entry.source) for entry in answer.undetermined} == {"A/routes.conf:1:1"}
    assert network.hops("A", "B").reachable == "unknown"
    assert network.hops("A", "X").reachable == "unknown"
    assert "route-to-unloaded-server" in kinds(network, "warning")


def test_no_path_is_known_is_not_there_is_no_path(estate):
    network = estate({"A": server("X"), "B": server()})
    answer = network.paths("A", "B")
    assert answer.paths == ()
    assert undetermined(answer) == {"B": "X may have routes that the loaded files do not show"}


def lone(topics: str, queues: str = "") -> dict[str, str]:
    main = "server = A\nrouting = enabled\nroutes = gone.conf\ntopics = topics.conf\n"
    files = {"tibemsd.conf": f"{main}queues = queues.conf\n", "topics.conf": topics}
    return {**files, "queues.conf": queues}


BEYOND = "A may have links to servers whose files are not loaded"


def test_answers_about_a_lone_server_whose_routes_are_missing_are_not_exact(estate):
    network = estate({"A": lone(TOPICS)})
    for answer in (
        network.reach("A"),
        network.reach("A", reply=True),
        network.propagate("A", "topic:orders"),
        network.trace("A", "topic:orders"),
    ):
        assert (answer.exact, BEYOND in [one.message for one in answer.warnings]) == (
            False,
            True,
        ), answer.question
        assert [(one.cause, one.message) for one in answer.inexact_because] == [
            ("not-loaded", BEYOND)
        ], answer.question
        assert f"Not certain: {BEYOND} (below)." in text(answer)
    assert not network.cycles().exact
    assert undetermined(network.interests()).keys() == {"A"}
    assert network.hops_matrix().undetermined == ("A",)
    assert network.propagate("A", "topic:orders", subscribers=["A:topic:orders"]).exact


def test_a_server_beyond_which_nothing_is_named_leaves_answers_inexact_only_where_messages_get_to_it(  # noqa: E501
    estate,
):
    main = "server = B\nrouting = enabled\nroutes = gone.conf\ntopics = topics.conf\n"
    network = estate(
        {"A": server("B"), "B": {"tibemsd.conf": main, "topics.conf": "orders global\nlocal\n"}}
    )
    assert (network.reach("A").exact, network.reach("A", "B").exact) == (False, True)
    assert not network.propagate("A", "topic:orders").exact
    assert network.propagate("A", "topic:local").exact
    assert network.reach("A").undetermined == ()


@pytest.mark.parametrize(
    ("topics", "exact"),
    [("orders\n", True), ("orders\n> global\n", False), ("ord.> global\n>\n", True)],
)
def test_a_topic_that_is_not_global_stays_at_a_server_without_a_link(estate, topics, exact):
    assert estate({"A": lone(topics)}).propagate("A", "topic:orders").exact is exact


def test_a_global_queue_makes_no_topic_of_its_name_global(estate):
    network = estate({"A": lone("orders\n", queues="orders global\n")})
    assert network.propagate("A", "topic:orders").exact


def test_no_unseen_route_takes_a_message_to_a_server_without_a_link_whose_topic_is_not_global(
    estate,
):
    network = estate(
        {"A": lone("orders global\n"), "B": server(), "C": {"topics.conf": "orders\n"}}
    )
    answer = network.propagate("A", "topic:orders")
    assert undetermined(answer) == {"B": "A may have routes that the loaded files do not show"}
    assert undetermined(network.propagate("C", "topic:orders")) == {}


def test_interest_behind_a_server_that_is_not_loaded_is_unknown(estate):
    network = estate({"A": server("B"), "B": server("X"), "C": server()})
    answer = network.propagate("A", "topic:t", subscribers=["A:topic:t"])
    assert [(stop.at, stop.to, stop.reason, stop.value) for stop in answer.stopped] == [
        ("A", "B", "no-interest", "UNKNOWN")
    ]
    assert undetermined(answer).keys() == {"X"}


def test_a_hub_that_is_not_loaded_may_join_servers_that_name_it_nowhere(estate):
    """The hub of a star may configure all its routes: then one spoke that names it shows that it
    is there, and nothing shows whom it joins (R4).
    """
    without = estate({"A": server(), "B": server(), "C": server("HUB")})
    answer = without.reach("A")
    assert answer.unreachable == ()
    assert undetermined(answer).keys() == {"B", "C", "HUB"}
    assert without.hops("A", "B").reachable == "unknown"
    assert without.paths("A", "B").undetermined[0].server == "B"
    told = without.propagate("A", "topic:orders", subscribers=["B:topic:orders"])
    assert undetermined(told).keys() == {"B", "HUB"}


def test_where_all_files_are_loaded_not_reached_is_certain(estate):
    servers = {"A": server("B"), "B": server(), "C": server("X"), "D": server(), "X": server()}
    network = estate(servers)
    answer = network.reach("A")
    assert [entry.server for entry in answer.servers] == ["B"]
    assert answer.unreachable == ("C", "D", "X")
    assert undetermined(answer) == {}


def test_what_a_server_in_touch_with_neither_would_need_are_two_routes(estate):
    network = estate({"A": server("B"), "B": server(), "C": server("X"), "D": server()})
    (entry,) = network.reach("A", "D").undetermined
    assert entry.because == "X may have routes that the loaded files do not show"
    assert [one.server for one in entry.would_need] == ["X"]
    assert [route.towards for route in entry.would_need[0].routes] == ["A", "D"]


def test_a_path_over_loaded_servers_is_certain_whatever_else_is_not_loaded(estate):
    network = estate({"A": server("B", "X"), "B": server()})
    assert [(entry.server, entry.path) for entry in network.reach("A").servers] == [
        ("B", ("A", "B"))
    ]


def test_a_server_whose_routes_were_not_found_may_lead_anywhere(estate):
    main = "server = B\nrouting = enabled\nroutes = gone.conf\ntopics = topics.conf\n"
    network = estate(
        {"A": server("B"), "B": {"tibemsd.conf": main, "topics.conf": TOPICS}, "C": server()}
    )
    answer = network.reach("A")
    assert [entry.server for entry in answer.servers] == ["B"]
    assert undetermined(answer) == {"C": "B may have routes that the loaded files do not show"}
    assert [warning.message for warning in answer.warnings] == [
        "B: named sub-files were not found: routes"
    ]
    assert "subfile-not-found" in kinds(network)


def test_a_server_whose_topics_were_not_found_makes_delivery_undetermined(estate):
    main = "server = B\nrouting = enabled\nroutes = routes.conf\ntopics = gone.conf\n"
    network = estate(
        {"A": server("B"), "B": {"tibemsd.conf": main, "routes.conf": route("C")}, "C": server()}
    )
    answer = network.propagate("A", "topic:t", subscribers=["C:topic:t"])
    assert answer.deliveries == ()
    assert undetermined(answer) == {
        "B": "whether the topic is global at B is not known: its topics.conf was not found",
        "C": "whether the topic is global at B is not known: its topics.conf was not found",
    }
    assert [(stop.at, stop.to, stop.value) for stop in answer.stopped] == [("A", "B", "UNKNOWN")]


def test_a_fault_tolerant_pair_is_one_server_and_its_differences_are_errors(estate):
    def member(number: int, routes: str) -> dict[str, str]:
        main = (
            f"server = P\nrouting = enabled\nft_active = tcp://p{3 - number}:7222\nroutes = "
            "routes.conf\ntopics = topics.conf\n"
        )
        return {"tibemsd.conf": main, "routes.conf": routes, "topics.conf": TOPICS}

    network = estate(
        {"p1": member(1, route("A")), "p2": member(2, route("B")), "A": server(), "B": server()}
    )
    assert network.server_names() == ("A", "B", "P")
    assert [entry.server for entry in network.reach("P").servers] == ["A"]
    mismatches = [row for row in network.check().findings if row["kind"] == "ft-pair-mismatch"]
    assert [(row["rule"], row["source"]["file"]) for row in mismatches] == [
        ("TL-15", "p1/routes.conf"),
        ("TL-15", "p2/routes.conf"),
    ]


def test_a_pair_has_the_bridges_of_one_member(estate):
    def member(number: int) -> dict[str, str]:
        main = (
            f"server = P\nrouting = on\nft_active = tcp://p{3 - number}:7222\ntopics = "
            "topics.conf\nqueues = queues.conf\nbridges = bridges.conf\n"
        )
        return {
            "tibemsd.conf": main,
            "topics.conf": TOPICS,
            "queues.conf": "Q\n",
            "bridges.conf": "[topic:T]\n  queue=Q\n",
        }

    answer = estate({"p1": member(1), "p2": member(2)}).propagate("P", "topic:T")
    stored = [
        str(delivery.source) for delivery in answer.deliveries if delivery.destination == "queue:Q"
    ]
    assert stored == ["p1/bridges.conf:2:3"]


def test_one_name_without_fault_tolerance_is_an_error_and_never_a_merge(estate):
    def twin(peer: str) -> dict[str, str]:
        main = "server = T\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        return {"tibemsd.conf": main, "routes.conf": route(peer), "topics.conf": TOPICS}

    network = estate({"t1": twin("A"), "t2": twin("B"), "A": server(), "B": server()})
    assert "duplicate-server-name" in kinds(network)
    answer = network.reach("T")
    assert [entry.server for entry in answer.servers] == ["A"]
    assert undetermined(answer).keys() == {"B"}


def test_many_main_files_of_one_name_are_one_error_that_says_how_to_choose_and_rows_name_their_file(
    estate,
):
    def copy(peer: str) -> dict[str, str]:
        main = "server = T\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        return {"tibemsd.conf": main, "routes.conf": route(peer), "topics.conf": TOPICS}

    copies = {f"t{number}": copy("A") for number in range(1, 9)}
    network = estate({**copies, "A": server()})
    (error,) = (row for row in network.check().findings if row["kind"] == "duplicate-server-name")
    assert all(f"{folder}/tibemsd.conf" in error["message"] for folder in copies)
    assert "choose it in topograph.yaml: servers: {T: t1/tibemsd.conf}" in error["message"]
    rows = [(row["server"], row.get("configuration")) for row in network.show("destinations").rows]
    assert sorted(rows, key=str) == [
        ("A", None),
        *(("T", f"{folder}/tibemsd.conf") for folder in copies),
    ]


def test_the_main_file_that_topograph_yaml_chooses_is_the_servers_only_one(estate):
    def twin(peer: str) -> dict[str, str]:
        main = "server = T\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        return {"tibemsd.conf": main, "routes.conf": route(peer), "topics.conf": TOPICS}

    choice = {"topograph.yaml": "servers:\n  T: t2/tibemsd.conf\n"}
    network = estate({"t1": twin("A"), "t2": twin("B"), "A": server(), "B": server()}, choice)
    assert kinds(network) == set()
    answer = network.reach("T")
    assert (
        [entry.server for entry in answer.servers],
        answer.unreachable,
        undetermined(answer),
    ) == (["B"], ("A",), {})


def test_a_link_with_routing_disabled_at_one_end_carries_nothing_and_still_closes_a_cycle(estate):
    off = "server = B\nrouting = disabled\nroutes = routes.conf\ntopics = topics.conf\n"
    network = estate(
        {"A": server("B", "C"), "B": {**server("C"), "tibemsd.conf": off}, "C": server()}
    )
    answer = network.reach("A")
    assert [(entry.server, entry.hops) for entry in answer.servers] == [("C", 1)]
    assert answer.unreachable == ("B",)
    assert [(stop.at, stop.reason) for stop in network.reach("A", "B").stopped] == [
        ("A", "route-down"),
        ("C", "route-down"),
    ]
    assert not network.cycles().legal
    assert "routing-disabled" in kinds(network)


@pytest.mark.parametrize(("also", "exact", "rules"), [([], True, []), (["GONE"], False, ["A17"])])
def test_a_network_is_legal_for_certain_only_if_all_its_servers_are_loaded(
    estate, also, exact, rules
):
    answer = estate({"A": server("B", *also), "B": server()}).cycles()
    assert (answer.legal, answer.exact, [one.rule for one in answer.assumptions]) == (
        True,
        exact,
        rules,
    )


def test_routing_that_is_not_stated_is_an_assumption_of_every_answer_over_it(estate):
    quiet = "server = B\nroutes = routes.conf\ntopics = topics.conf\n"
    network = estate({"A": server("B"), "B": {**server(), "tibemsd.conf": quiet}})
    answer = network.reach("A")
    assert [entry.server for entry in answer.servers] == ["B"]
    assert [(assumption.rule, assumption.confidence) for assumption in answer.assumptions] == [
        ("R6", "M")
    ]


def test_answers_about_the_whole_network_list_what_its_routes_rest_on(estate):
    quiet = "server = B\nroutes = routes.conf\ntopics = topics.conf\n"
    network = estate(
        {"A": server("B", zone="Z1"), "B": {**server("A", zone="Z2"), "tibemsd.conf": quiet}}
    )
    for answer in (network.cycles(), network.hops_matrix(), network.interests()):
        assert [assumption.rule for assumption in answer.assumptions] == ["A9", "R6"], (
            answer.question
        )
        assert "A9  " in text(answer)
    assert [assumption.rule for assumption in network.interests("A").assumptions] == ["A9", "R6"]


def test_two_servers_share_topics_in_another_folder_by_absolute_and_relative_names(estate):
    def using(name: str, topics: str) -> dict[str, str]:
        main = f"server = {name}\nrouting = enabled\nroutes = routes.conf\ntopics = {topics}\n"
        return {"tibemsd.conf": main, "routes.conf": route("B") if name == "A" else ""}

    network = estate(
        {
            "A": using("A", "/opt/tibco/shared/topics.conf"),
            "B": using("B", "../shared/topics.conf"),
        },
        {"shared/topics.conf": "orders.> global\n"},
    )
    assert [d.server for d in network.propagate("A", "topic:orders.eu").deliveries] == ["A", "B"]
    assert network.propagate("A", "topic:news").deliveries == ()
    assert "subfile-resolved-by-suffix" in kinds(network, "info")


def test_a_zone_named_differently_at_the_two_ends_is_an_error_and_an_assumption(estate):
    network = estate({"A": server("B", zone="Z1"), "B": server("A", zone="Z2")})
    assert "zone-conflict" in kinds(network)
    answer = network.reach("A")
    assert [(z.zone, z.hops) for z in answer.servers[0].zone_hops] == [("Z1", 1)]
    assert [assumption.rule for assumption in answer.assumptions] == ["A9"]


def test_sub_files_that_are_not_named_are_read_under_their_usual_names(estate):
    network = estate(
        {"A": {**server("B"), "tibemsd.conf": "server = A\nrouting = on\n"}, "B": server()}
    )
    assert [entry.server for entry in network.reach("A").servers] == ["B"]
    assert [
        row["message"] for row in network.check().findings if row["kind"] == "subfile-by-usual-name"
    ] == [
        (
            "A/tibemsd.conf does not say where its routes are; A/routes.conf, the usual name "
            "next to it, is read."
        ),
        (
            "A/tibemsd.conf does not say where its topics are; A/topics.conf, the usual name "
            "next to it, is read."
        ),
    ]


OFF = "server = B\nlisten = tcp://7222\nrouting = disabled\ntopics = topics.conf\n"


def beside_an_unloaded_server(estate):
    """A, a neighbour B whose routing is disabled, and a neighbour X that is not loaded and could
    have a route to anywhere but B.
    """
    return estate({"A": server("B", "X"), "B": {"tibemsd.conf": OFF, "topics.conf": TOPICS}})


def test_no_route_leads_to_a_server_whose_routing_is_disabled_whatever_is_not_loaded(estate):
    network = beside_an_unloaded_server(estate)
    answer = network.reach("A")
    assert (answer.unreachable, undetermined(answer).keys()) == (("B",), {"X"})
    assert network.reach("B").unreachable == ("A", "X")
    assert network.hops("A", "B").reachable is False
    assert network.paths("A", "B").undetermined == ()
    assert undetermined(network.propagate("A", "topic:t")).keys() == {"X"}
    assert undetermined(network.interests()).keys() == {"A", "X"}
    matrix = network.hops_matrix()
    assert (matrix.undetermined, matrix.cut_off) == (("X",), ("B",))


def test_nothing_is_said_of_open_links_of_a_server_that_is_not_loaded(estate):
    off = server("AWAY") | {
        "tibemsd.conf": "server = OFF\nrouting = disabled\nroutes = routes.conf\n"
    }
    answer = estate({"A": server("AWAY"), "OFF": off}).hops("AWAY", "OFF")
    assert answer.reachable is False
    assert [(stop.at, stop.to, stop.reason) for stop in answer.stopped] == [
        ("AWAY", "OFF", "route-down")
    ]


def test_what_says_that_routing_is_disabled_cites_the_line_of_the_setting(estate):
    network = beside_an_unloaded_server(estate)
    line = "B/tibemsd.conf:3:11"
    for answer in (
        network.reach("A", "B"),
        network.hops("A", "B"),
        network.paths("A", "B"),
        network.propagate("A", "topic:t"),
    ):
        assert [(s.to, s.reason, str(s.source)) for s in answer.stopped if s.to == "B"] == [
            ("B", "route-down", line)
        ]
    for answer in (
        network.reach("A"),
        network.hops("A", "B"),
        network.interests("B"),
        network.hops_matrix(),
    ):
        assert ("routing is disabled at B", line) in {
            (w.message, str(w.source)) for w in answer.warnings
        }
    assert [
        f"{row['source']['file']}:{row['source']['line']}"
        for row in network.check().findings
        if row["kind"] == "routing-disabled"
    ] == ["B/tibemsd.conf:3"]


def test_names_are_in_doubt_wherever_reach_is(estate):
    network = estate({"A": server("X"), "B": server("X"), "C": server("D"), "D": server()})
    answer = network.interests()
    assert {name: [entry.name for entry in held] for name, held in answer.servers.items()} == {
        "A": [],
        "B": [],
        "C": ["$TMP$.D.>"],
        "D": ["$TMP$.C.>"],
    }
    assert undetermined(answer).keys() == {"A", "B", "C", "D", "X"}
    observed = network.interests("A", observed={"A": [("$TMP$.X.>", "X"), ("$TMP$.B.>", "X")]})
    assert (observed.missing, observed.unexpected) == ((), ())


def test_a_pair_whose_members_have_different_routes_leaves_reach_and_names_open(estate):
    def member(number: int, routes: str) -> dict[str, str]:
        main = (
            f"server = P\nrouting = enabled\nft_active = tcp://p{3 - number}:7222\nroutes = "
            "routes.conf\ntopics = topics.conf\n"
        )
        return {"tibemsd.conf": main, "routes.conf": routes, "topics.conf": TOPICS}

    network = estate(
        {"p1": member(1, route("A")), "p2": member(2, route("B")), "A": server(), "B": server()}
    )
    for answer in (network.reach("P"), network.interests()):
        assert "B" in undetermined(answer)
        (warning,) = answer.warnings
        assert "the members of its fault-tolerant pair differ in routes" in warning.message
    assert [assumption.rule for assumption in network.reach("P").assumptions] == ["R7"]


CARELESS = """[CANADA]
 url = tcp://canada:7222
 outgoing_topic = orders selector="country = "Canada""
[MEXICO]
 url = tcp://mexico:7222
"""


def test_a_selector_that_is_not_understood_leaves_its_route_undecided_and_no_other(estate):
    network = estate(
        {
            "HUB": {"routes.conf": CARELESS, "topics.conf": TOPICS},
            "CANADA": server(),
            "MEXICO": server(),
        }
    )
    answer = network.propagate("HUB", "topic:orders", {"country": "Canada"})
    assert [delivery.server for delivery in answer.deliveries] == ["HUB", "MEXICO"]
    (entry,) = answer.undetermined
    assert (entry.server, str(entry.source)) == ("CANADA", "HUB/routes.conf:3:2")
    assert (
        "the selector is not understood: something other than a blank follows the "
        'closing quote: "country = "Canada""'
    ) in entry.because
    assert answer.warnings == ()
    assert [entry.server for entry in network.propagate("HUB", "topic:news").deliveries] == [
        "HUB",
        "CANADA",
        "MEXICO",
    ]
    assert [entry.server for entry in network.reach("HUB").servers] == ["CANADA", "MEXICO"]
    errors = [row for row in network.check().findings if row["severity"] == "error"]
    assert [
        (row["source"]["line"], "in the route to CANADA" in row["message"]) for row in errors
    ] == [(3, True)]


def test_a_bridge_or_durable_whose_selector_is_not_understood_is_undecided(estate):
    durables = 'orders billing selector="amount > "ten""\n'
    network = estate({"A": {"topics.conf": TOPICS, "durables.conf": durables}})
    answer = network.propagate("A", "topic:orders", assume=False)
    assert (answer.deliveries, undetermined(answer).keys()) == ((), {"A"})
    assert [
        row["message"].startswith("in the durable billing: ")
        for row in network.check().findings
        if row["severity"] == "error"
    ] == [True]


def test_a_route_whose_zone_type_is_not_understood_is_an_assumption(estate):
    network = estate({"A": server("B", kind="2hop"), "B": server()})
    answer = network.reach("A")
    assert [entry.server for entry in answer.servers] == ["B"]
    (assumption,) = answer.assumptions
    assert (
        assumption.rule,
        "zone_type is neither 1hop nor mhop (A/routes.conf:4:14)" in assumption.text,
    ) == (
        "A9",
        True,
    )


def test_files_of_which_an_entry_could_not_be_read_are_not_called_not_found(estate):
    network = estate(
        {"A": {"routes.conf": "[B\n url = tcp://b:7222\n", "topics.conf": TOPICS}, "B": server()}
    )
    assert [warning.message for warning in network.reach("A").warnings] == [
        "A: not all entries could be read: routes",
        "A may have links to servers whose files are not loaded",
    ]


def test_a_file_that_several_configurations_read_is_one_file(tmp_path):
    main = "server = {}\nlisten = tcp://7222\ntopics = topics.conf\nroutes = routes.conf\n"
    for file, name in (("a.conf", "A"), ("a-old.conf", "A"), ("b.conf", "B")):
        (tmp_path / file).write_text(main.format(name))
    (tmp_path / "topics.conf").write_text(TOPICS)
    (tmp_path / "routes.conf").write_text(route("C"))
    shown = topograph.read(tmp_path).show("files")
    assert text(shown).startswith("Files: 5.\n")
    assert [(row["path"], row["server"]) for row in shown.rows if row["path"] == "topics.conf"] == [
        ("topics.conf", "A"),
        ("topics.conf", "B"),
    ]


@pytest.mark.parametrize(
    ("kind", "matters"),
    [("stores", False), ("channels", False), ("topics", True), ("acl_list", True)],
)
def test_only_a_file_that_could_change_an_answer_makes_answers_incomplete(estate, kind, matters):
    main = (
        f"server = A\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n{kind} "
        "= gone.conf\n"
    )
    files = {**server("B"), "tibemsd.conf": main}
    network = estate({"A": files, "B": server()})
    assert (
        any("were not found" in warning.message for warning in network.reach("A").warnings)
        is matters
    )
    (finding,) = (row for row in network.check().findings if row["kind"] == "subfile-not-found")
    assert finding["severity"] == ("error" if matters else "info")
    assert ("Every answer about A is incomplete" in finding["message"]) is matters
    assert ("No answer depends on it." in finding["message"]) is not matters


def twins(one: str, other: str) -> dict[str, dict[str, str]]:
    """Two configurations of T with a route to A, and A with one to T."""
    main = "server = T\nrouting = {}\nroutes = routes.conf\ntopics = topics.conf\n"
    rest = {"routes.conf": route("A"), "topics.conf": TOPICS}
    return {
        "t1": {"tibemsd.conf": main.format(one), **rest},
        "t2": {"tibemsd.conf": main.format(other), **rest},
        "A": server("T"),
    }


@pytest.mark.parametrize("states", [("enabled", "disabled"), ("disabled", "enabled")])
def test_a_name_twice_with_routing_stated_differently_leaves_its_routes_open(estate, states):
    network = estate(twins(*states))
    for start, end in (("A", "T"), ("T", "A")):
        answer = network.reach(start)
        assert answer.servers == ()
        (left,) = answer.undetermined
        assert (left.server, left.decided_if) == (end, None)
        assert "t1/tibemsd.conf" in left.because
        assert "t2/tibemsd.conf" in left.because
    assert "routing-disabled" not in kinds(network)


def test_a_name_twice_with_routing_disabled_in_both_is_not_said_to_need_a_route_to_itself(estate):
    network = estate(twins("disabled", "disabled"))
    assert "routing-disabled" in kinds(network)
    for start in ("A", "T"):
        answer = network.reach(start)
        assert answer.servers == ()
        assert all(
            route.towards != one.server
            for left in answer.undetermined
            for one in left.would_need
            for route in one.routes
        )


def test_what_stops_messages_to_a_server_that_is_not_loaded_is_told_where_it_is_certain(estate):
    main = "server = A\nrouting = disabled\nroutes = routes.conf\n"
    network = estate({"A": {"tibemsd.conf": main, "routes.conf": route("B")}})
    (stop,) = network.hops("A", "B").stopped
    assert (stop.reason, stop.rule, str(stop.source)) == ("route-down", "R6", "A/tibemsd.conf:2:11")
