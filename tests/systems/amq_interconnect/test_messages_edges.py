"""Messages from and to edge routers (E-1 to E-7)."""

from __future__ import annotations

import pytest
from systems.amq_interconnect.networks_of_messages import (
    deposited,
    got,
    line,
    net,
    paths,
    sent,
    sequence,
)

from topograph.systems.amq_interconnect.messages.model import Broker

MULTICAST = (("address", {"prefix": "q", "distribution": "multicast"}),)
CLOSEST = (("address", {"prefix": "q", "distribution": "closest"}),)
EDGES = {"E": "A", "F": "A", "G": "B"}


def edged(receivers, *, everywhere=(), edges=EDGES, **more):
    return net("ABEFG", line("AB"), receivers, everywhere=everywhere, edges=edges, **more)


def test_multicast_from_an_edge_reaches_everybody_once():
    receivers = [f"{name.lower()} {name} q" for name in "ABEFG"]
    result = sent(edged(receivers, everywhere=MULTICAST), "E", "q")
    assert got(result) == dict.fromkeys("abefg", 1)
    assert paths(result)["g"] == {"E>A>B>G": 1}


def test_an_edge_is_one_destination_however_many_receivers_it_has():
    network = edged(["e1 E q", "e2 E q", "a A q"], everywhere=CLOSEST)
    assert got(sent(network, "B", "q", 8)) == {"e1": 2, "e2": 2, "a": 4}


def test_no_message_goes_back_over_the_uplink_it_came_by():
    assert got(sent(edged(["e E q"]), "E", "q", 3)) == {"e": 3}
    assert sequence(sent(edged(["e E q", "a A q"], everywhere=CLOSEST), "E", "q", 4)) == "e a e a"


@pytest.mark.parametrize("treatment", [CLOSEST, ()])
def test_on_an_edge_own_receivers_and_the_uplink_take_turns(treatment):
    assert got(sent(edged(["e E q", "b B q"], everywhere=treatment), "E", "q", 6)) == {
        "e": 3,
        "b": 3,
    }


def test_from_edge_to_edge_over_two_interior_routers():
    assert paths(sent(edged(["g G q"]), "E", "q", 2)) == {"g": {"E>A>B>G": 2}}


def test_without_its_uplink_an_edge_has_only_its_own():
    network = edged(["e E q", "b B q"]).without_links([frozenset("EA")])
    assert got(sent(network, "E", "q", 2)) == {"e": 2}
    assert not sent(edged(["b B q"]).without_links([frozenset("EA")]), "E", "q").credit
    assert got(sent(network, "A", "q", 2)) == {"b": 2}


def test_a_waypoint_and_a_fallback_on_an_edge_serve_the_network():
    links = tuple(
        ("autoLink", {"address": "q", "direction": way, "connection": "b"}) for way in ("out", "in")
    )
    network = net(
        {"A": (), "B": (), "E": links},
        line("AB"),
        ["b B q"],
        everywhere=(("address", {"prefix": "q", "waypoint": True}),),
        edges={"E": "A"},
        brokers=[(Broker("K"), [("E", "b")])],
    )
    result = sent(network, "B", "q", 2)
    assert (deposited(result), paths(result)) == ({"K": {"q": 2}}, {"b": {"E>A>B": 2}})
    falls = (
        ("autoLink", {"address": "q", "direction": "out", "connection": "b", "fallback": True}),
    )
    enabled = (("address", {"prefix": "q", "enableFallback": True}),)
    network = net(
        {"A": (), "B": enabled, "E": falls},
        line("AB"),
        edges={"E": "A"},
        brokers=[(Broker("K"), [("E", "b")])],
    )
    assert deposited(sent(network, "B", "q")) == {"K": {"q": 1}}
    assert not sent(network, "A", "q").credit


def test_anonymous_senders_on_an_edge_reach_the_network():
    assert got(sent(edged(["b B q"]), "E", "q", 2, anonymous=True)) == {"b": 2}


def test_backlog_on_an_edge_counts_the_uplink_as_one_destination():
    assert sequence(sent(edged(["e E q hold", "b B q hold"]), "E", "q", 4, burst=True)) == "e b e b"


def test_an_edge_whose_interior_router_refuses_the_address_is_no_destination():
    network = edged(["e E q"], default={"A": "unavailable"})
    assert not sent(network, "B", "q").credit
    with_other = edged(["b B q", "e E q"], default={"A": "unavailable"})
    assert got(sent(with_other, "A", "q", 2)) == {"e": 2}
