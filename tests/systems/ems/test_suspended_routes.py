"""Routes that are suspended: what goes out over them waits, to topics and to queues, and goes on
when they are resumed (R53, R68).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import topograph
from topograph.questions.text import sentence, text
from topograph.reporting.matrix import matrix_of

SHOWN = (
    "A> show routes\nRoute T ConnID Suspended URL ZoneName ZoneType\n{route} A 12 {flag} "
    "tcp://b:7222 default_mhop_zone m\nA> \n"
)


def route(peer: str) -> str:
    return f"[{peer}]\n  url = tcp://{peer.lower()}:7222\n"


CHAIN = {
    "A": {"routes.conf": route("B"), "topics.conf": "T global\n", "queues.conf": "Q@B\n"},
    "B": {
        "routes.conf": route("A") + route("C"),
        "topics.conf": "T global,maxmsgs=3600\n",
        "queues.conf": "Q global,maxmsgs=7200\nIN\n",
    },
    "C": {"routes.conf": route("B"), "topics.conf": "T global\n", "queues.conf": "Q@B\n"},
}


def suspended(*routes: tuple[str, str]) -> dict[str, str]:
    entries = [f"  - {{server: {server}, route: {other}}}\n" for server, other in routes]
    return {"topograph.yaml": "suspended:\n" + "".join(entries)}


def shown(route: str = "B", flag: str = "yes") -> dict[str, dict[str, str]]:
    return {**CHAIN, "A": {**CHAIN["A"], "show-routes.txt": SHOWN.format(route=route, flag=flag)}}


def test_a_message_to_a_topic_waits_before_a_suspended_route_and_goes_on_later(estate):
    answer = estate(shown()).trace("A", "topic:T", {}, subscribers=["C:T", "A:T"])
    assert answer.outcomes == ("DELIVERED(topic:T)", "HELD(A, route suspended)")
    held = next(step for step in answer.steps if step.outcome.startswith("HELD"))
    assert (held.rule, str(held.source)) == ("R53", "A/show-routes.txt:3:1")
    assert [one.condition for one in answer.branches if one.kind == "later"] == [
        "the route to B is resumed at A"
    ]
    assert ("R53", "A/show-routes.txt:3:1") in [
        (one.rule, str(one.source)) for one in answer.warnings
    ]


def test_a_delivery_behind_a_suspended_route_comes_later_and_is_not_received_now(estate):
    answer = estate(shown()).propagate("A", "topic:T", {}, subscribers=["C:T", "A:T"])
    assert {one.server: one.choice for one in answer.deliveries} == {"A": "always", "C": "later"}
    assert answer.received == ()
    assert {one.rule for one in answer.assumptions} >= {"R53"}


def test_a_message_waits_before_a_suspended_route_behind_a_circle_of_routes(estate):
    peers = {"A": "BC", "B": "AC", "C": "ABD", "D": "C"}
    folders = {
        name: {"routes.conf": "".join(map(route, others)), "topics.conf": "T global\n"}
        for name, others in peers.items()
    }
    network = estate(folders, suspended(("C", "D")))
    answer = network.propagate("A", "topic:T", {}, subscribers=["B:T", "D:T"])
    assert [(one.server, one.choice) for one in answer.deliveries] == [
        ("B", "always"),
        ("D", "later"),
    ]


def test_a_suspended_route_stops_what_goes_out_only(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    assert network.propagate("A", "topic:T", {}, subscribers=["B:T"]).received == ("B",)
    assert network.propagate("C", "topic:T", {}, subscribers=["A:T"]).received == ("A", "B")
    assert network.trace("A", "topic:T", {}, subscribers=["C:T"]).outcomes == (
        "HELD(B, route suspended)",
    )


def test_a_table_that_says_no_suspends_nothing(estate):
    answer = estate(shown(flag="no")).propagate("A", "topic:T", {}, subscribers=["C:T"])
    assert [one.choice for one in answer.deliveries] == ["always"]


CUT_OFF = {
    **CHAIN,
    "A": {**CHAIN["A"], "show-routes.txt": SHOWN.partition("{")[0]},
}


def taken_as_running(answer) -> list[str]:
    return [one.text for one in answer.assumptions if one.rule == "R53"]


def test_a_route_that_a_cut_list_does_not_show_is_taken_as_one_that_runs(estate):
    """The rest of the list may say that it is suspended."""
    network = estate(CUT_OFF)
    text = (
        "the route of A to B is not suspended: the list of routes at A/show-routes.txt:2:1 does "
        "not show it (the text ends with it)"
    )
    assert taken_as_running(network.trace("A", "topic:T", {}, subscribers=["B:T"])) == [text]
    assert taken_as_running(network.trace("A", "queue:Q", {})) == [text]
    assert taken_as_running(network.reach("A")) == [text]


def test_what_is_stuck_behind_a_route_that_a_cut_list_does_not_show_may_wait_before_it(estate):
    network = estate({**CUT_OFF, "B": {**CHAIN["B"], "queues.conf": "IN\n"}})
    stuck = network.trace("A", "queue:Q", {})
    assert stuck.outcomes == ("STUCK(A, B has no queue Q)",)
    assert len(taken_as_running(stuck)) == 1


def test_of_a_route_that_a_list_shows_nothing_is_assumed(estate):
    network = estate(shown(flag="no"))
    assert taken_as_running(network.trace("A", "topic:T", {}, subscribers=["B:T"])) == []


def test_reach_rests_on_a_suspended_route_and_says_where_messages_wait(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    (told,) = network.reach("A", "C").assumptions
    assert (told.rule, told.text) == (
        "R53",
        (
            "the route from B to C is suspended (topograph.yaml:2:5): what goes to C waits "
            "at B until the route is resumed"
        ),
    )
    assert network.reach("C", "A").assumptions == ()


def test_reach_says_later_of_what_waits_before_a_suspended_route(estate):
    """As ``trace`` and ``propagate`` do; only what goes out waits, so that a reply from behind it
    does not."""
    network = estate(CHAIN, suspended(("B", "C")))
    answer = network.reach("A")
    assert [(one.server, one.certain, one.later) for one in answer.servers] == [
        ("B", True, False),
        ("C", False, True),
    ]
    assert (answer.unreachable, answer.undetermined) == ((), ())
    assert [one.later for one in network.reach("C").servers] == [False, False]
    assert [one.later for one in network.reach("A", reply=True).servers] == [False, False]
    assert [one.later for one in network.reach("C", reply=True).servers] == [True, True]
    delivered = network.propagate("A", "topic:T", {}, subscribers=["B:T", "C:T"]).deliveries
    assert {one.server: one.choice == "later" for one in delivered} == {
        one.server: one.later for one in answer.servers
    }


@pytest.mark.parametrize(
    ("waiting", "later"), [([("B", "C")], []), ([("B", "C"), ("D", "C")], ["C"])]
)
def test_what_another_path_leads_to_does_not_wait(waiting, later, estate):
    """A network that is not legal: C is reached over B and over D as well."""
    peers = {"A": "BD", "B": "AC", "C": "BD", "D": "AC"}
    folders = {name: {"routes.conf": "".join(map(route, others))} for name, others in peers.items()}
    answer = estate(folders, suspended(*waiting)).reach("A")
    assert [one.server for one in answer.servers if one.later] == later


RING = {
    name: {"routes.conf": "".join(map(route, others))}
    for name, others in {"A": "BD", "B": "AC", "C": "BE", "D": "AE", "E": "CD"}.items()
}
"""A network that is not legal: C is two hops from A over B, and three over D and E."""


def test_hops_and_paths_say_later_of_what_waits_before_a_suspended_route(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    answer, back = network.hops("A", "C"), network.hops("C", "A")
    assert (answer.reachable, answer.later, answer.route_hops) == (True, True, 2)
    assert (back.reachable, back.later, back.route_hops) == (True, False, 2)
    assert [str(one) for one in answer.undecided()] != []
    (path,) = network.paths("A", "C").paths
    assert (path.servers, path.certain, path.later) == (("A", "B", "C"), False, True)
    (path,) = network.paths("C", "A").paths
    assert (path.certain, path.later) == (True, False)
    said = "later: messages wait on the way, for some messages: any topic that is global"
    assert sentence(answer).startswith(f"A reaches C in 2 hops {said}")
    assert sentence(network.paths("A", "C")).startswith(f"1 path from A to C, {said}")
    assert sentence(network.reach("A", "C")) == sentence(answer)


def test_the_matrix_has_the_hops_of_what_waits_in_brackets(estate):
    matrix = estate(CHAIN, suspended(("B", "C"))).hops_matrix()
    assert matrix.hops == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
    assert matrix.later == {"A": ("C",), "B": ("C",)}
    lines = [line.split() for line in text(matrix).splitlines()]
    assert ["1", "A", "0", "1", "(2)"] in lines
    assert ["3", "C", "2", "1", "0"] in lines
    assert "in brackets later: messages wait on the way" in text(matrix)
    assert matrix.to_frame().loc["A"].tolist() == [0, 1, "2 later"]
    assert "in brackets" not in text(replace(matrix, later={}))


@pytest.mark.parametrize(
    ("waiting", "hops", "later"),
    [
        ([], 2, False),
        ([("B", "C")], 3, False),
        ([("E", "C")], 2, False),
        ([("B", "C"), ("E", "C")], 2, True),
    ],
)
def test_a_longer_path_counts_before_a_shorter_one_on_which_messages_wait(
    waiting, hops, later, estate
):
    network = estate(RING, suspended(*waiting) if waiting else None)
    (entry,) = network.reach("A", "C").servers
    answer, matrix = network.hops("A", "C"), network.hops_matrix()
    assert (entry.hops, entry.later) == (answer.route_hops, answer.later) == (hops, later)
    assert (matrix.hops[0][2], "C" in matrix.later.get("A", ())) == (hops, later)
    paths = {one.servers: one.later for one in network.paths("A", "C").paths}
    assert paths == {
        ("A", "B", "C"): ("B", "C") in waiting,
        ("A", "D", "E", "C"): ("E", "C") in waiting,
    }


def test_a_longer_path_is_told_with_the_suspended_route_that_a_shorter_one_waits_at(estate):
    network = estate(RING, suspended(("B", "C")))
    assert [one.rule for one in network.hops("A", "C").assumptions] == ["R53"]
    assert network.hops("A", "E").assumptions == ()


@pytest.mark.parametrize(
    ("waiting", "later"), [([("C", "B")], False), ([("C", "B"), ("C", "E")], True)]
)
def test_a_reply_waits_where_every_path_back_does(waiting, later, estate):
    (entry,) = estate(RING, suspended(*waiting)).reach("A", "C", reply=True).servers
    assert entry.later is later
    assert entry.certain is not later


def test_a_change_that_leaves_only_the_longer_path_at_once_makes_it_longer(estate, tmp_path):
    before = estate(RING)
    waiting = suspended(("B", "C"))["topograph.yaml"]
    (tmp_path / "estate" / "topograph.yaml").write_text(waiting, encoding="utf-8")
    after = topograph.read(tmp_path / "estate")
    moved = topograph.compare(before, after).hops.longer
    assert ("A", "C", 2, 3) in [(one.from_, one.to, one.before, one.after) for one in moved]


def test_the_matrix_of_a_report_counts_what_waits_apart(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    matrix = matrix_of(network._model, ())
    assert (matrix.reached, matrix.later, matrix.pairs) == (4, 2, 6)
    cell = matrix.cells[0][2]
    assert (cell.least, cell.reached, cell.later) == (2, 1, 1)
    page = network.report().generate_html()
    assert ">(2)</td>" in page
    assert "In brackets: later, messages wait on the way." in page


def test_names_are_exchanged_over_a_suspended_route(estate):
    network = estate(CHAIN, suspended(("B", "C"), ("A", "B")))
    assert network.interests().to_dict()["servers"] == estate_of_interests(CHAIN, network)


def estate_of_interests(folders, network):
    """What every server of a chain holds: each other one's names, by the neighbour on the way to
    it.
    """
    names = list(folders)
    return {
        here: [
            {
                "name": f"$TMP$.{there}.>",
                "via": names[at + (1 if to > at else -1)],
                "hops": abs(to - at),
            }
            for to, there in enumerate(names)
            if there != here
        ]
        for at, here in enumerate(names)
    }


def test_a_message_to_a_routed_queue_waits_before_a_suspended_route(estate):
    network = estate(shown())
    answer = network.trace("A", "queue:Q")
    assert answer.outcomes == ("HELD(queue:Q, A, route suspended)",)
    assert (answer.steps[0].rule, str(answer.steps[0].source)) == ("R53", "A/show-routes.txt:3:1")
    later = [branch for branch in answer.branches if branch.kind == "later"]
    assert [branch.condition for branch in later] == ["the route to B is resumed at A"]


def test_consumers_behind_a_suspended_route_take_nothing_from_the_home(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    answer = network.trace("A", "queue:Q", subscribers=["C:queue:Q"])
    assert answer.outcomes == ("DELIVERED(queue:Q)",)  # it stays in the home queue
    stop = next(step for step in answer.steps if step.outcome.startswith("NOT_FORWARDED"))
    assert (stop.at, stop.rule, stop.text) == (
        "B",
        "R53",
        "not sent to C: the route to C is suspended",
    )


def test_a_reply_to_a_temporary_queue_waits_too(estate):
    network = estate(CHAIN, suspended(("B", "C")))
    assert network.trace("B", "queue:$TMP$.C.1").outcomes == (
        "HELD(queue:$TMP$.C.1, B, route suspended)",
    )
    assert network.trace("C", "queue:$TMP$.B.1").outcome == "DELIVERED"


def test_the_copy_of_a_bridge_behind_a_suspended_route_comes_later(estate):
    bridged = {**CHAIN, "B": {**CHAIN["B"], "bridges.conf": "[topic:T]\n  queue=IN\n"}}
    answer = estate(bridged, suspended(("A", "B"))).propagate(
        "A", "topic:T", {}, subscribers=["A:T"]
    )
    assert {(one.server, one.destination): one.choice for one in answer.deliveries} == {
        ("A", "topic:T"): "always",
        ("B", "queue:IN"): "later",
    }


def test_suspending_a_route_is_asked_about_like_a_failure(estate):
    network = estate(
        CHAIN, {"topograph.yaml": "clients:\n  - {server: C, destination: 'topic:T'}\n"}
    )
    answer = network.impact(["suspended:B:C"], rate="1")
    assert [(one.from_, one.to) for one in answer.lost] == [("A", "C"), ("B", "C")]
    assert {one.outcome for one in answer.lost} == {
        "HELD(R53: B stores for C until the route is resumed)"
    }
    (kept,) = [one for one in answer.retained if one.destination == "topic:T"]
    assert (kept.at, kept.neighbour, kept.rule, kept.duplicates, kept.pairs) == (
        "B",
        "C",
        "R53",
        False,
        2,
    )
    assert (kept.hours, str(kept.limit_source)) == (1.0, "B/topics.conf:1:1")
    assert "(R68)" in kept.reason
    assert {
        "from": "B",
        "destination": "topic:T",
        "outcome": "HELD(B, route suspended)",
        "system": "ems",
    } in answer.held
    assert answer.gaps == ()


def test_what_fails_behind_a_suspended_route_decides_what_is_stored(estate):
    network = estate({**CHAIN, "B": {**CHAIN["B"], "routes.conf": route("A")}})
    (gap,) = network.impact(["suspended:B:C", "server:C"]).gaps
    assert (gap.at, gap.neighbour, gap.rule) == ("B", "C", "F4")


@pytest.mark.parametrize(("server", "other"), [("Z", "C"), ("A", "C")])
def test_a_suspended_route_that_is_not_there_is_a_finding(estate, server, other):
    found = estate(CHAIN, suspended((server, other))).check().findings
    (one,) = [each for each in found if each["kind"] == "suspended-route-unknown"]
    assert (one["rule"], one["source"]["file"], one["source"]["line"]) == (
        "R53",
        "topograph.yaml",
        2,
    )
    assert f"{server} is declared to have suspended its route to {other}" in one["message"]


def test_a_route_that_a_server_shows_as_suspended_is_a_finding(estate):
    (one,) = [
        each for each in estate(shown()).check().findings if each["kind"] == "route-suspended"
    ]
    assert (one["rule"], one["source"]["file"], one["source"]["line"]) == (
        "R53",
        "A/show-routes.txt",
        3,
    )
