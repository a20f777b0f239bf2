"""Where an attach goes: link routes (L-1 to L-13), also over edge routers (E-6)."""

from __future__ import annotations

import pytest
from systems.amq_interconnect.networks_of_messages import deposited, got, line, net, outcomes, sent

from topograph.systems.amq_interconnect.messages.attachment import attach, known_link_routes
from topograph.systems.amq_interconnect.messages.model import Broker


def lr(direction, prefix="lq", connection="b", **more):
    where = {} if "pattern" in more else {"prefix": prefix}
    return ("linkRoute", {**where, "direction": direction, "connection": connection, **more})


def both(**more):
    return (lr("in", **more), lr("out", **more))


def broker(name, *connections, **more):
    return (Broker(name, name, **more), connections)


def at_c(links=None, edges=None, **more):
    """A, B, C in line, the container behind C."""
    return net(
        {"A": (), "B": (), "C": both() if links is None else links},
        line("ABC"),
        brokers=[broker("K", ("C", "b"), **more)],
    )


def ends(network, router, role="sender", address="lq.1"):
    found = attach(network, router, role, address)
    return (
        sorted({target.broker for target in found.targets}),
        ">".join(found.path),
        found.refusal and found.refusal.condition,
    )


def test_an_attach_goes_the_shortest_path_to_the_one_host():
    assert ends(at_c(), "A") == (["K"], "A>B>C", None)
    assert ends(at_c(), "A", "receiver") == (["K"], "A>B>C", None)


def test_a_direction_that_is_missing_is_message_routed():
    network = at_c([lr("in")])
    assert ends(network, "A", "receiver") == ([], "", None)
    assert not attach(network, "A", "receiver", "lq.1").link_routed


def test_with_the_container_down_only_routers_with_the_entry_refuse():
    network = at_c(up=False)
    assert ends(network, "C") == ([], "", "qd:no-route-to-dest")
    assert ends(network, "A") == ([], "", None)
    assert not sent(network, "A", "lq.1").credit


def test_a_link_route_wins_over_an_address_entry_and_the_best_pattern_wins():
    links = (
        *both(),
        *both(prefix="lq.special", connection="other"),
        ("address", {"prefix": "lq", "waypoint": True}),
    )
    brokers = [broker("K", ("C", "b")), broker("L", ("C", "other"))]
    network = net({"A": (), "B": (), "C": links}, line("ABC"), brokers=brokers)
    assert ends(network, "A", address="lq.1")[0] == ["K"]
    assert ends(network, "A", address="lq.special.1")[0] == ["L"]


def test_own_connections_come_first_and_several_hosts_take_turns_whatever_the_cost():
    brokers = [broker("K", ("A", "b")), broker("L", ("D", "b"))]
    network = net({"A": both(), "B": (), "C": (), "D": both()}, line("ABCD"), brokers=brokers)
    assert ends(network, "A")[0] == ["K"]
    found = attach(network, "B", "sender", "lq.1")
    assert ({target.broker for target in found.targets}, found.cost_ignored) == ({"K", "L"}, True)
    assert ends(network.without_brokers(["K"]), "A") == (["L"], "A>B>C>D", None)


def test_an_attach_that_passes_a_host_on_every_way_ends_there():
    brokers = [broker("K", ("B", "b")), broker("L", ("C", "b"))]
    network = net({"A": (), "B": both(), "C": both()}, line("ABC"), brokers=brokers)
    assert ends(network, "A") == (["K"], "A>B", None)


@pytest.mark.parametrize(
    ("more", "there"),
    [
        ({"addExternalPrefix": "ext."}, "ext.lq.1"),
        ({"delExternalPrefix": "lq."}, "1"),
        ({"delExternalPrefix": "lq.", "addExternalPrefix": "ext."}, "ext.1"),
        ({"delExternalPrefix": "other."}, "lq.1"),
    ],
)
def test_external_prefixes_are_cut_and_added_at_the_router_that_has_the_entry(more, there):
    network = at_c(both(**more))
    result = sent(network, "A", "lq.1", 2)
    assert (result.link_routed, deposited(result)) == (True, {"K": {there: 2}})


def test_several_entries_of_one_pattern_share_their_connections_and_the_first_prefixes():
    links = [
        lr("in", connection="k", addExternalPrefix="one."),
        lr("in", connection="l", addExternalPrefix="two."),
    ]
    network = net({"A": links}, (), brokers=[broker("K", ("A", "k")), broker("L", ("A", "l"))])
    found = attach(network, "A", "sender", "lq.1")
    assert {(target.broker, target.address) for target in found.targets} == {
        ("K", "one.lq.1"),
        ("L", "one.lq.1"),
    }


def test_one_connection_name_with_several_containers_behind_it_is_balanced_and_an_id_picks_one():
    brokers = [broker("K", ("A", "b")), broker("L", ("A", "b"))]
    by_name = net({"A": both()}, (), brokers=brokers)
    assert ends(by_name, "A")[0] == ["K", "L"]
    by_id = net(
        {"A": (("linkRoute", {"prefix": "lq", "direction": "in", "containerId": "L"}),)},
        (),
        brokers=brokers,
    )
    assert ends(by_id, "A")[0] == ["L"]


def test_the_coordinator_is_link_routed_or_refused():
    network = at_c((lr("in", prefix="$coordinator"),))
    assert ends(network, "A", address="$coordinator") == (["K"], "A>B>C", None)
    refused = attach(at_c(()), "A", "sender", "$coordinator").refusal
    assert refused.condition == "amqp:precondition-failed"


def test_anonymous_senders_never_use_link_routes():
    result = sent(at_c(), "A", "lq.1", 2, anonymous=True)
    assert (result.link_routed, outcomes(result), deposited(result)) == (False, {"released": 2}, {})


def test_a_link_routed_receiver_gets_what_a_link_routed_sender_stores():
    network = net(
        {"A": (), "B": (), "C": both()},
        line("ABC"),
        ["a A lq.1", "other A lq.2"],
        brokers=[broker("K", ("C", "b"))],
    )
    assert got(sent(network, "B", "lq.1", 2)) == {"a": 2}


def test_a_container_that_refuses_the_address_refuses_the_attach():
    assert ends(at_c(refuse=frozenset({"lq.1"})), "A") == ([], "", "amqp:not-found")


def test_announced_forms():
    links = [
        lr("in", prefix="plain"),
        lr("out", prefix="plain"),
        lr("in", pattern="a/b/#"),
        lr("in", pattern="a/*/c"),
        lr("out", pattern="exact"),
        lr("out", prefix="shop.*"),
    ]
    keys = set(known_link_routes(at_c(tuple(links)), "A"))
    assert keys == {"Cplain", "Dplain", "Ca/b", "Ea/*/c", "Fexact", "Fshop.*/#"}


def test_a_link_route_of_an_edge_works_from_everywhere():
    network = net(
        {"A": (), "B": (), "E": both()},
        line("AB"),
        edges={"E": "B"},
        brokers=[broker("K", ("E", "b"))],
    )
    assert ends(network, "A") == (["K"], "A>B>E", None)
    assert ends(network, "E") == (["K"], "E", None)
    assert ends(network.without_links([frozenset("BE")]), "A") == ([], "", None)


def test_a_client_on_an_edge_asks_the_interior_unless_the_edge_has_an_active_one():
    brokers = [broker("K", ("A", "b"))]
    asks = net({"A": both(), "E": ()}, (), edges={"E": "A"}, brokers=brokers)
    assert ends(asks, "E") == (["K"], "E>A", None)
    own = net(
        {"A": both(), "E": both()},
        (),
        edges={"E": "A"},
        brokers=[*brokers, broker("L", ("E", "b"))],
    )
    assert ends(own, "E")[0] == ["L"]
    assert ends(own.without_brokers(["L"]), "E")[0] == ["K"]
    assert ends(own.without_brokers(["K", "L"]), "E") == ([], "", "qd:no-route-to-dest")
