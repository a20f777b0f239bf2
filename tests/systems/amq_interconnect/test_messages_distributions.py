"""Who gets a message between routers: treatments (A-9 to A-11), credit (M-1, M-2), distributions
(M-3 to M-7), failures (T-9).
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from systems.amq_interconnect.networks_of_messages import (
    got,
    line,
    net,
    outcomes,
    paths,
    possible,
    ring,
    sent,
    sequence,
)

from topograph.systems.amq_interconnect.messages.destinations import AddressState

CLOSEST = (("address", {"prefix": "q", "distribution": "closest"}),)
BALANCED = (("address", {"prefix": "q", "distribution": "balanced"}),)
MULTICAST = (("address", {"prefix": "q", "distribution": "multicast"}),)
UNAVAILABLE = (("address", {"prefix": "q", "distribution": "unavailable"}),)


def test_closest_takes_turns_among_local_receivers_in_the_order_in_which_they_attached():
    network = net("AB", line("AB"), ["b A q", "a A q", "far B q"], everywhere=CLOSEST)
    assert sequence(sent(network, "A", "q", 5)) == "b a b a b"


def test_closest_takes_turns_among_routers_of_the_same_least_cost_and_leaves_the_others():
    network = net(
        "ABCD",
        [("A", "B", 2), ("A", "C", 2), ("A", "D", 3)],
        ["b B q", "c C q", "d D q"],
        everywhere=CLOSEST,
    )
    assert got(sent(network, "A", "q", 4)) == {"b": 2, "c": 2}
    assert possible(sent(network, "A", "q", 3)) == [{"b": 1, "c": 2}, {"b": 2, "c": 1}]


def test_three_equal_routers_have_had_two_turns_each_after_six_messages():
    network = net(
        "ABCD",
        [("A", other, 1) for other in "BCD"],
        ["b B q", "c C q", "d D q"],
        everywhere=CLOSEST,
    )
    assert got(sent(network, "A", "q", 6)) == {"b": 2, "c": 2, "d": 2}


def test_an_even_share_of_a_router_is_shared_evenly_by_its_own_receivers():
    network = net(
        "ABC", [("A", "B", 1), ("A", "C", 1)], ["b1 B q", "b2 B q", "c C q"], everywhere=CLOSEST
    )
    assert got(sent(network, "A", "q", 8)) == {"b1": 2, "b2": 2, "c": 4}


def test_closest_goes_by_cost_and_not_by_hops():
    network = net(
        "ABCD",
        [("A", "B", 5), ("A", "C", 1), ("C", "D", 1)],
        ["near B q", "cheap D q"],
        everywhere=CLOSEST,
    )
    assert paths(sent(network, "A", "q")) == {"cheap": {"A>C>D": 1}}


@pytest.mark.parametrize(
    ("version", "copies"),
    [("1.12", 1), ("1.13", 2), ("1.19.0", 2), ("2.4.0", 2), ("3.1.0", 1), ("3.4", 1)],
)
def test_a_triangle_gives_two_copies_in_the_versions_that_do_not_check_origins(version, copies):
    network = net(
        "ABC", ring("ABC"), ["a A q", "b B q", "c C q"], everywhere=MULTICAST, version=version
    )
    assert got(sent(network, "A", "q")) == {"a": 1, "b": copies, "c": copies}


def test_a_ring_in_which_all_destinations_share_the_tree_gives_one_copy():
    network = net("ABCDE", ring("ABCDE"), ["b B q", "c C q"], everywhere=MULTICAST)
    assert paths(sent(network, "A", "q")) == {"b": {"A>B": 1}, "c": {"A>B>C": 1}}


def test_a_copy_that_has_passed_more_than_radius_and_one_routers_is_discarded():
    # each router of a ring of six has the radius 3: the copy that goes the long way round ends
    # after five routers
    network = net(
        "ABCDEF", ring("ABCDEF"), [f"{r.lower()} {r} q" for r in "ABCDEF"], everywhere=MULTICAST
    )
    assert paths(sent(network, "A", "q")) == {
        "a": {"A": 1},
        "b": {"A>B": 1},
        "c": {"A>B>C": 1, "A>F>E>D>C": 1},
        "d": {"A>B>C>D": 1, "A>F>E>D": 1},
        "e": {"A>F>E": 1, "A>B>C>D>E": 1},
        "f": {"A>F": 1},
    }


def test_presettled_multicast_gives_the_same_copies():
    network = net("ABC", ring("ABC"), ["b B q", "c C q"], everywhere=MULTICAST)
    result = sent(network, "A", "q", 2, presettled=True)
    assert (got(result), outcomes(result)) == ({"b": 4, "c": 4}, {"presettled": 2})


def test_balanced_stays_with_local_receivers_in_turn_while_they_settle():
    network = net("AB", line("AB"), ["a1 A q", "a2 A q", "b B q"])
    assert sequence(sent(network, "A", "q", 4)) == "a1 a2 a1 a2"


def test_balanced_without_local_receivers_always_takes_the_same_cheapest_router():
    network = net("ABC", [("A", "B", 1), ("A", "C", 2)], ["c C q", "b B q"])
    assert got(sent(network, "A", "q", 9)) == {"b": 9}


def test_one_of_several_equal_routers_gets_everything():
    network = net("ABCD", [("A", other, 1) for other in "BCD"], ["b B q", "c C q", "d D q"])
    assert possible(sent(network, "A", "q", 5)) == [{"b": 5}, {"c": 5}, {"d": 5}]


def test_local_backlog_spills_to_a_router_once_it_exceeds_the_cost():
    network = net("AB", line("AB", 3), ["loc A q hold", "rem B q hold"])
    assert sequence(sent(network, "A", "q", 8, burst=True)) == "loc loc loc loc rem loc rem loc"


def test_receivers_behind_one_next_hop_share_its_backlog():
    network = net("ABC", line("ABC"), ["a A q hold", "b B q hold", "c C q hold"])
    # towards B the value is 1 + outstanding, towards C 2 + the same outstanding: C is never the
    # smaller one for A
    assert sequence(sent(network, "A", "q", 6, burst=True)) == "a a b a b a"


def test_a_router_on_the_way_has_its_own_receivers_settle_first():
    network = net("ABC", line("ABC"), ["b B q hold", "c C q hold"])
    # A always hands to B; B keeps one, and a second when the way on costs as much
    assert sequence(sent(network, "A", "q", 4, burst=True)) == "b b c b"


def test_a_held_message_keeps_a_sender_waiting_that_sends_one_by_one():
    network = net("A", (), ["a A q hold"])
    assert outcomes(sent(network, "A", "q", 3)) == {"unsettled": 1, "not_sent": 2}
    assert outcomes(sent(network, "A", "q", 3, presettled=True)) == {"presettled": 3}


def test_balanced_does_not_send_back_to_where_the_origin_does_not_come_by():
    # B hands a message of A to C or itself, never to A, which hosts the address too
    network = net({"A": MULTICAST, "B": BALANCED, "C": BALANCED}, line("ABC"), ["a A q", "c C q"])
    assert paths(sent(network, "A", "q")) == {"a": {"A": 1}, "c": {"A>B>C": 1}}


def test_the_head_of_a_balanced_list_moves_to_its_end_whoever_was_chosen():
    network = net("A", (), ["h A q hold", "x A q", "y A q"])
    assert sequence(sent(network, "A", "q", 7, burst=True)) == "h x y x x y x"


@pytest.mark.parametrize(
    ("settle", "outcome"),
    [
        ("accept accept", "accepted"),
        ("accept release", "accepted"),
        ("accept reject", "rejected"),
        ("release reject", "rejected"),
        ("release modify", "modified"),
        ("release release", "released"),
        ("accept hold", "unsettled"),
        ("reject hold", "unsettled"),
    ],
)
def test_the_outcome_of_a_multicast(settle, outcome):
    first, second = settle.split()
    network = net("AB", line("AB"), [f"x A q {first}", f"y B q {second}"], everywhere=MULTICAST)
    assert outcomes(sent(network, "A", "q", burst=True)) == {outcome: 1}


@pytest.mark.parametrize("treatment", [CLOSEST, BALANCED])
@pytest.mark.parametrize(
    ("settle", "outcome"), [("reject", "rejected"), ("release", "released"), ("hold", "unsettled")]
)
def test_the_outcome_of_anycast_is_the_receivers(treatment, settle, outcome):
    network = net("AB", line("AB"), [f"x B q {settle}"], everywhere=treatment)
    result = sent(network, "A", "q")
    assert (outcomes(result), got(result)) == ({outcome: 1}, {"x": 1})


def test_without_destination_a_sender_has_no_credit_and_an_anonymous_one_has_messages_released():
    network = net("AB", line("AB"))
    named, anonymous = sent(network, "A", "q", 2), sent(network, "A", "q", 2, anonymous=True)
    assert (named.credit, outcomes(named)) == (False, {"not_sent": 2})
    assert (anonymous.credit, outcomes(anonymous)) == (True, {"released": 2})
    assert outcomes(sent(network, "A", "q", 2, anonymous=True, presettled=True)) == {
        "presettled": 2
    }


def test_unavailable_in_all_places_refuses_everybody_and_rejects_anonymous_messages():
    network = net("AB", line("AB"), ["a A q", "b B q"], default="unavailable")
    result = sent(network, "A", "q")
    assert (result.refusal.condition, result.refusal.description) == (
        "amqp:not-found",
        "Node not found",
    )
    assert outcomes(sent(network, "B", "q", anonymous=True)) == {"rejected": 1}
    assert set(AddressState.of(network, "q").refused) == {"a", "b"}


def test_a_default_of_unavailable_gives_way_to_an_announcement_and_an_entry_does_not():
    default = net("AB", line("AB"), ["b B q", "a A q"], default={"A": "unavailable"})
    assert got(sent(default, "A", "q", 2)) == {"a": 2}
    entry = net({"A": UNAVAILABLE, "B": ()}, line("AB"), ["b B q"])
    assert sent(entry, "A", "q").refusal.rule == "M-6"


def test_a_router_with_an_entry_of_unavailable_lets_nothing_through():
    network = net({"A": (), "B": UNAVAILABLE, "C": ()}, line("ABC"), ["c C q"])
    result = sent(network, "A", "q")
    assert (result.credit, outcomes(result), got(result)) == (True, {"released": 1}, {})


def treatment(network, router, phase="0"):
    return [one.value for one in AddressState.of(network, "q").treatments(router, phase)]


def test_a_router_without_entry_takes_the_first_announcement_as_its_treatment():
    default = {"A": "balanced", "B": "multicast", "C": "closest"}
    first_b = net("ABC", line("ABC"), ["b B q", "c C q"], default=default)
    first_c = net("ABC", line("ABC"), ["c C q", "b B q"], default=default)
    assert [treatment(first_b, router) for router in "ABC"] == [["multicast"]] * 3
    assert [treatment(first_c, router) for router in "ABC"] == [["closest"]] * 3
    unknown = net("ABC", line("ABC"), ["c C q", "b B q"], default=default, ordered=False)
    assert treatment(unknown, "A") == ["closest", "multicast"]


def test_an_own_entry_wins_over_every_announcement_and_is_the_hint_of_its_host():
    network = net({"A": CLOSEST, "B": MULTICAST, "C": ()}, line("ABC"), ["b B q"])
    assert [treatment(network, router) for router in "ABC"] == [
        ["closest"],
        ["multicast"],
        ["multicast"],
    ]


def test_a_receiver_of_its_own_that_was_first_keeps_the_own_default():
    network = net("AB", line("AB"), ["a A q", "b B q"], default={"A": "closest", "B": "multicast"})
    assert treatment(network, "A") == ["closest"]


def test_multicast_at_the_ingress_and_balanced_behind_it_gives_one_copy_a_next_hop():
    network = net(
        {"A": MULTICAST, "B": BALANCED, "C": BALANCED},
        line("ABC"),
        ["a A q", "b1 B q", "b2 B q", "c C q"],
    )
    assert got(sent(network, "A", "q", 2)) == {"a": 2, "b1": 1, "b2": 1}


def test_closest_behind_a_multicast_may_send_back_to_the_ingress():
    # B has no receiver, and A is nearer to it than C (M-3 looks at costs only)
    network = net(
        {"A": MULTICAST, "B": CLOSEST, "C": CLOSEST},
        [("A", "B", 1), ("B", "C", 2)],
        ["a A q", "c C q"],
    )
    assert paths(sent(network, "A", "q")) == {"a": {"A": 1, "A>B>A": 1}}


def test_a_dead_router_takes_its_receivers_and_ways_with_it():
    network = net("ABCD", [*ring("ABCD")], ["c C q", "b B q"])
    assert paths(sent(network.without_routers(["B"]), "A", "q")) == {"c": {"A>D>C": 1}}
    assert not sent(network.without_routers(["B", "D"]), "A", "q").credit


def test_the_edge_of_a_dead_interior_router_goes_on_over_its_standby():
    network = net("ABE", line("AB"), ["e E q"], edges={"E": "A"})
    standing_by = replace(network, standby={"E": ("B",)})
    assert got(sent(standing_by.without_routers(["A"]), "B", "q")) == {"e": 1}
    assert not sent(network.without_routers(["A"]), "B", "q").credit
