"""Doubt only where a legal network could be otherwise: what servers that are not loaded could
add (decisions/020).
"""

from __future__ import annotations

import numpy as np
import pytest

from topograph.cli.main import exit_code
from topograph.facts.plain import to_plain
from topograph.questions.answers import NeededRoute
from topograph.questions.text import text
from topograph.systems.ems.network.unseen import Candidate

TOPICS = "> global\n"
LEAVES = [f"LEAF{number}" for number in range(1, 7)]


def route(peer: str, zone: str, kind: str, more: str = "") -> str:
    return (
        f"[{peer}]\n url = tcp://{peer.lower()}:7222\n zone_name = {zone}\n zone_type = "
        f"{kind}\n{more}"
    )


def server(routes: str = "") -> dict[str, str]:
    return {"routes.conf": routes, "topics.conf": TOPICS}


@pytest.fixture
def star(estate):
    """Leaves in a 1hop zone around HUB, whose neighbour AWAY in another zone is not loaded, and
    ISLE that nothing is joined with.
    """
    hub = "".join(route(leaf, "Z", "1hop") for leaf in LEAVES) + route("AWAY", "M", "mhop")
    return estate({"HUB": server(hub), "ISLE": server(), **{leaf: server() for leaf in LEAVES}})


def decided(answer):
    """By server the rule that decides it and how, or None."""
    return {
        e.server: e.decided_if and (e.decided_if.rule, e.decided_if.reached)
        for e in answer.undetermined
    }


@pytest.mark.parametrize("question", ["reach", "hops", "paths"])
def test_what_only_an_illegal_network_could_reach_has_the_link_at_which_messages_end(
    star, question
):
    answer = getattr(star, question)("LEAF1", "LEAF2")
    ends = [(one.at, one.to, one.rule, str(one.source)) for one in answer.stopped]
    assert ends == [("HUB", "LEAF2", "R13", "HUB/routes.conf:5:1")]
    assert not getattr(star, question)("LEAF1", "ISLE").stopped


def test_only_what_a_legal_network_could_reach_stays_open(star):
    answer = star.reach("LEAF1")
    assert [entry.server for entry in answer.servers] == ["HUB"]
    others = dict.fromkeys(LEAVES[1:], ("R20", False))
    assert decided(answer) == {"AWAY": ("R6", True), "ISLE": None, **others}
    assert [one.rule for one in answer.assumptions] == ["R20", "R6"]
    title = text(answer).splitlines()[0]
    assert title == (
        "LEAF1 reaches 1 of 8 other servers, and also AWAY if assumption R6 holds, as far as the "
        "loaded files show; 1 cannot be decided; 5 are left open, and not reached if assumption "
        "R20 holds."
    )
    assert "Not reached, if assumption R20 holds" in text(answer)


@pytest.mark.parametrize(
    ("to", "verdict", "rules"),
    [
        ("LEAF2", "As far as the loaded files show, LEAF1 does not reach LEAF2.", ["R20"]),
        ("AWAY", "As far as the loaded files show, LEAF1 reaches AWAY.", ["R6"]),
        (
            "ISLE",
            "As far as the loaded files show, LEAF1 does not reach ISLE; routes of AWAY that they "
            "do not show could change that.",
            [],
        ),
    ],
)
def test_the_verdict_comes_first(star, to, verdict, rules):
    for answer in (star.reach("LEAF1", to), star.hops("LEAF1", to)):
        assert text(answer).splitlines()[0] == verdict
        assert [one.rule for one in answer.assumptions] == rules
        assert len(answer.undetermined) == 1


def test_the_verdict_on_paths_and_replies_names_whose_routes_could_change_it(star):
    change = "; routes of AWAY that they do not show could change that.\n"
    paths = text(star.paths("LEAF1", "ISLE"))
    none = "there is no permitted path from LEAF1 to ISLE"
    assert paths.startswith(f"As far as the loaded files show, {none}{change}")
    reply = text(star.reach("LEAF1", "ISLE", reply=True))
    said = "a reply of ISLE does not reach LEAF1"
    assert reply.startswith(f"As far as the loaded files show, {said}{change}")


def test_the_verdict_on_a_message_for_a_server_apart_names_whose_routes_could_change_it(star):
    lone = star.propagate("ISLE", "topic:orders", subscribers=["LEAF1:orders"])
    assert text(lone).startswith(
        "As far as the loaded files show, a message to topic:orders published at ISLE is "
        "delivered nowhere; routes of AWAY that they do not show could change that.\n"
    )


def test_a_path_is_ruled_out_as_reach_is(star):
    answer = star.paths("LEAF1", "LEAF2")
    assert (
        text(answer).splitlines()[0]
        == "As far as the loaded files show, there is no permitted path from LEAF1 to LEAF2."
    )
    assert ([one.rule for one in answer.assumptions], decided(answer)) == (
        ["R20"],
        {"LEAF2": ("R20", False)},
    )


def test_a_message_is_in_doubt_only_where_a_legal_network_could_bring_it(star):
    answer = star.propagate("LEAF1", "topic:orders")
    assert decided(answer) == {
        "AWAY": None,
        "ISLE": None,
        **dict.fromkeys(LEAVES[1:], ("R20", False)),
    }
    assert "as far as the loaded files show; whether it gets to AWAY and ISLE cannot" in text(
        answer
    )
    assert decided(star.trace("LEAF1", "topic:orders")) == decided(answer)


def test_a_chain_of_servers_that_are_not_loaded_is_thought_of(estate):
    """AWAY in the leaves' own zone: one route more would be illegal, a server behind AWAY that
    leads back into the zone would not.
    """
    network = estate(
        {
            "HUB": server("".join(route(leaf, "Z", "1hop") for leaf in LEAVES)),
            **{leaf: server() for leaf in LEAVES[1:]},
            LEAVES[0]: server(route("AWAY", "Z", "1hop")),
        }
    )
    assert set(decided(network.reach("LEAF1")).items()) == {
        ("AWAY", ("R6", True)),
        *((leaf, None) for leaf in LEAVES[1:]),
    }


def test_a_message_that_the_hubs_selectors_stop_is_certain_and_says_on_what_it_rests(estate):
    def selected(leaf: str) -> str:
        return route(
            leaf, "M", "mhop", f" outgoing_topic = orders selector=\"country = '{leaf}'\"\n"
        )

    hub = "".join(map(selected, LEAVES)) + route("AWAY", "M", "mhop")
    answer = estate({"HUB": server(hub), **{leaf: server() for leaf in LEAVES}}).propagate(
        "HUB", "topic:orders", {"country": "Canada"}
    )
    assert decided(answer) == {"AWAY": None}
    assert {stop.to for stop in answer.stopped if stop.reason == "selector"} == set(LEAVES)
    assert "R20" in [one.rule for one in answer.assumptions]


def test_an_illegal_network_has_no_legal_completion_so_nothing_is_ruled_out(estate):
    network = estate(
        {
            "HUB": server(
                route("LEAF1", "Z", "1hop")
                + route("LEAF2", "Z", "1hop")
                + route("AWAY", "M", "mhop")
            ),
            "LEAF1": server(),
            "LEAF2": server(),
            "P": server(route("Q", "M", "mhop") + route("R", "M", "mhop")),
            "Q": server(route("R", "M", "mhop")),
            "R": server(),
        }
    )
    assert not network.cycles().legal
    assert decided(network.reach("LEAF1"))["LEAF2"] is None


def test_links_of_a_server_with_two_configurations_forbid_nothing(estate):
    def twin(routes: str) -> dict[str, str]:
        return server(routes) | {
            "tibemsd.conf": (
                "server = HUB\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
            )
        }

    links = route("LEAF1", "Z", "1hop") + route("LEAF2", "Z", "1hop") + route("AWAY", "M", "mhop")
    network = estate({"h1": twin(links), "h2": twin(""), "LEAF1": server(), "LEAF2": server()})
    assert decided(network.reach("LEAF1"))["LEAF2"] is None


@pytest.mark.parametrize(("to", "fails"), [("LEAF2", 0), ("AWAY", 1), ("ISLE", 1)])
def test_unreachable_is_as_expected_unless_a_legal_network_could_lead_there(
    star, tmp_path, to, fails
):
    assert star.server_names()
    where = ["-s", str(tmp_path / "estate")]
    assert exit_code(["reach", "LEAF1", to, "--expect", "unreachable", *where]) == fails
    assert exit_code(["reach", "LEAF1", to, "--expect", "reachable", *where]) == 1


def test_what_a_server_that_is_not_loaded_would_need_is_named(star):
    """AWAY is in touch with LEAF1, and nothing keeps ISLE apart from it."""
    (entry,) = star.reach("LEAF1", "ISLE").undetermined
    assert to_plain(entry)["would_need"] == [
        {
            "server": "AWAY",
            "routes": [{"towards": "ISLE", "zones": [], "except_zones": []}],
            "legal": True,
        }
    ]
    for answer in (star.reach("LEAF1", "ISLE"), star.hops("LEAF1", "ISLE")):
        assert (
            "  For ISLE to be reached, AWAY would need a route to ISLE or to a server that reaches "
            "ISLE. The network could then still be legal.\n" in text(answer)
        )


def test_where_only_an_illegal_network_leads_there_it_is_said_of_the_routes(star):
    """Servers of which the same is true share a sentence."""
    answer = star.reach("LEAF1")
    needed = {entry.server: entry.would_need for entry in answer.undetermined}
    assert needed.pop("AWAY") == ()
    assert {one.legal for one in needed.pop("ISLE")} == {True}
    assert [one.legal for each in needed.values() for one in each] == [False] * 5
    assert (
        "  For one of these to be reached, AWAY would need a route to it or to a server that "
        "reaches it. The network would then not be legal.\n" in text(answer)
    )


def test_the_zones_in_which_a_route_is_legal_are_named(estate):
    """AWAY and LEAF2 are in 1hop zone Z of HUB: a route between the two is legal in Z only, where
    HUB does not pass on what either sends.
    """
    network = estate(
        {
            "HUB": server(route("LEAF2", "Z", "1hop") + route("AWAY", "Z", "1hop")),
            "LEAF2": server(),
            "OTHER": server(route("AWAY", "Y", "mhop")),
        }
    )
    (entry,) = network.reach("OTHER", "LEAF2").undetermined
    (one,) = entry.would_need
    assert (one.server, one.legal) == ("AWAY", True)
    assert one.routes == (NeededRoute("LEAF2", zones=("Z",)),)


def test_two_routes_are_named_of_a_server_that_is_in_touch_with_neither_end(estate):
    network = estate(
        {
            "HERE": server(route("NEAR", "Y", "1hop")),
            "OTHER": server(route("FAR", "Z", "1hop")),
            "THERE": server(),
        }
    )
    assert (
        "  For THERE to be reached, FAR would need a route to HERE or to a server that reaches "
        "HERE and one to THERE or to a server that reaches THERE, not both in one 1hop zone; or "
        "NEAR would need a route to THERE or to a server that reaches THERE, in a zone other than "
        "Y. The network could then still be legal.\n"
    ) in text(network.reach("HERE", "THERE"))


def test_a_message_would_need_the_routes_that_reach_names(star):
    reached = {entry.server: entry.would_need for entry in star.reach("LEAF1").undetermined}
    answers = [star.propagate("LEAF1", "topic:orders"), star.trace("LEAF1", "topic:orders")]
    for answer in answers:
        assert {entry.server: entry.would_need for entry in answer.undetermined} == reached
        assert "  For ISLE to be reached, AWAY would need a route to ISLE " in text(answer)


def test_a_message_may_get_over_another_route_to_a_server_that_is_not_loaded(estate):
    """AWAY is in the 1hop zone of LEAF1: a route between the two would be legal."""
    hub = route("LEAF1", "Z", "1hop") + route("AWAY", "Z", "1hop")
    answer = estate({"HUB": server(hub), "LEAF1": server()}).propagate("LEAF1", "topic:orders")
    (entry,) = answer.undetermined
    assert (entry.server, entry.decided_if) == ("AWAY", None)
    assert [one.routes for one in entry.would_need] == [(NeededRoute("LEAF1", zones=("Z",)),)]
    assert "; whether it gets to AWAY cannot be decided." in text(answer)


def test_a_server_where_the_topic_is_not_global_needs_no_route_for_the_message(estate):
    """Of GAP, whose routes.conf is not there, the topics are known: no message to news passes."""
    hub = route("LEAF1", "Z", "1hop") + route("GAP", "M", "mhop") + route("AWAY", "N", "mhop")
    gap = {
        "tibemsd.conf": "server=GAP\nrouting=enabled\nroutes=lost.conf\ntopics=topics.conf\n",
        "topics.conf": "orders global\n",
    }
    network = estate({"HUB": server(hub), "LEAF1": server(), "ISLE": server(), "GAP": gap})

    def needed(topic: str) -> set[str]:
        answer = network.propagate("LEAF1", f"topic:{topic}")
        (entry,) = (one for one in answer.undetermined if one.server == "ISLE")
        return {one.server for one in entry.would_need}

    assert (needed("orders"), needed("news")) == ({"AWAY", "GAP"}, {"AWAY"})


def test_a_copy_of_a_bridge_would_need_routes_from_where_it_is_made(estate):
    network = estate(
        {
            "HUB": server(route("LEAF1", "Z", "1hop") + route("LEAF2", "Z", "1hop"))
            | {"bridges.conf": "[topic:orders]\n topic=copies\n"},
            "LEAF1": server(),
            "LEAF2": server(route("AWAY", "M", "mhop")),
            "ISLE": server(),
        }
    )
    answer = network.propagate("LEAF1", "topic:orders", subscribers=["ISLE:copies"])
    (copy,) = (entry for entry in answer.undetermined if entry.server == "ISLE")
    assert copy.because.startswith("topic:copies: ")
    assert [one.routes for one in copy.would_need] == [(NeededRoute("ISLE"),)]
    (message,) = network.reach("LEAF1", "ISLE").undetermined
    assert [one.routes for one in message.would_need] == [
        (NeededRoute("LEAF1"), NeededRoute("ISLE"))
    ]


def test_of_two_such_servers_each_may_have_one_of_two_routes(estate):
    """Messages may go from A to AWAY, over MID to FAR, and from there to ISLE."""
    mid = route("AWAY", "M", "mhop") + route("FAR", "M", "mhop")
    network = estate({"A": server(), "MID": server(mid), "ISLE": server()})
    (entry,) = network.reach("A", "ISLE").undetermined
    assert {one.server: one.routes for one in entry.would_need} == {
        "AWAY": (NeededRoute("A"),),
        "FAR": (NeededRoute("A"),),
    }
    assert "AWAY or FAR would need a route to A or to a server that reaches A." in text(
        network.reach("A", "ISLE")
    )


def test_what_such_servers_could_add_is_judged_only_where_an_answer_depends_on_it(star):
    from topograph.systems.ems.network import unseen

    star.reach("LEAF1", "HUB")
    star.reach("LEAF1", "AWAY")
    (part,) = star._model.parts
    assert unseen._KEPT not in part.graph.kept
    star.reach("LEAF1", "ISLE")
    assert unseen._KEPT in part.graph.kept


@pytest.mark.parametrize(
    ("first", "then", "goes_on"),
    [
        *(((3, -1), (3, -1), True), ((3, 0), (3, 1), True), ((3, 0), (3, 0), False)),
        *(((3, -1), (3, 0), True), ((3, 0), (3, -1), True)),
        *(((3, -1), (2, -1), False), ((2, -1), (3, -1), False), ((3, 0), (2, 1), False)),
    ],
)
def test_a_message_goes_on_over_another_unseen_route_of_a_server_unless_both_are_of_one_1hop_zone(
    first: tuple[int, int], then: tuple[int, int], goes_on: bool
) -> None:
    """R13; a zone is the number of one of type 1hop, -1 for every other."""
    everywhere = np.ones(4, np.bool_)
    one, other = (Candidate(*ends, everywhere, everywhere) for ends in (first, then))
    assert one.joins(other) is goes_on
