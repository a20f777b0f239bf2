"""Receivers that get nothing are named, with the rule and the line that keep the message from
them.
"""

from __future__ import annotations

import pytest

import topograph

ROUTER = "router {{\n    mode: {mode}\n    id: {id}\n}}\n"
LISTENER = "listener {{\n    host: 127.0.0.1\n    port: {port}\n    role: {role}\n}}\n"
CONNECTOR = (
    "connector {{\n    name: {name}\n    host: 127.0.0.1\n    port: {port}\n    role: {role}\n}}\n"
)


def router(id_, *sections, mode="interior"):
    return ROUTER.format(mode=mode, id=id_) + "".join(sections)


def section(type_, **attributes):
    return (
        f"{type_} {{\n"
        + "".join(f"    {name}: {value}\n" for name, value in attributes.items())
        + "}\n"
    )


TO_K = CONNECTOR.format(name="k", port=5000, role="route-container")
LINE = {
    "A": (LISTENER.format(port=1001, role="inter-router"),),
    "B": (
        CONNECTOR.format(name="a", port=1001, role="inter-router"),
        LISTENER.format(port=1002, role="inter-router"),
    ),
    "C": (CONNECTOR.format(name="b", port=1002, role="inter-router"),),
    "Z": (),
}


@pytest.fixture
def network(tmp_path):
    """The line A-B-C and Z alone, with further sections per router."""

    def made(**more):
        edges = more.pop("edges", {})
        for name, sections in LINE.items():
            (tmp_path / f"{name}.conf").write_text(router(name, *sections, *more.get(name, ())))
        for name, sections in edges.items():
            (tmp_path / f"{name}.conf").write_text(router(name, *sections, mode="edge"))
        return topograph.read(tmp_path)

    return made


def told(network, *subscribers, address="x", from_="A", **how):
    """The warnings of ``propagate`` about those who get nothing, as (rule, text, file and line);
    those of ``trace`` are the same.
    """
    asked = {"subscribers": [f"{server}:address:{address}" for server in subscribers], **how}
    answers = (
        network.propagate(from_, f"address:{address}", **asked),
        network.trace(from_, f"address:{address}", **asked),
    )
    found = [
        [
            (one.rule, one.message, str(one.source))
            for one in answer.warnings
            if "nothing" in one.message
        ]
        for answer in answers
    ]
    assert found[0] == found[1]
    return found[0]


def test_a_receiver_that_the_message_reaches_is_not_among_them(network):
    assert told(network(A=[section("address", prefix="x", distribution="multicast")]), "A") == []


def test_receivers_that_another_one_is_preferred_to(network):
    closest = network(A=[section("address", prefix="x", distribution="closest")])
    text = (
        "receiver at B and receiver at C get nothing: A gives each message to one "
        "destination (closest), and chooses another"
    )
    assert told(closest, "A", "B", "C") == [("M-3", text, "A.conf:10:1")]


def test_of_those_that_take_turns_each_may_get_it(network):
    assert told(network(A=[section("address", prefix="x", distribution="closest")]), "A", "A") == []


def test_the_router_on_the_way_that_chooses_is_named(network):
    network = network(A=[section("address", prefix="x", distribution="multicast")])
    text = (
        "receiver at C gets nothing: B gives each message to one destination (balanced), and "
        "chooses another"
    )
    (found,) = told(network, "B", "C")
    assert found[:2] == ("M-5", text)
    assert found[2].startswith("B.conf:")


def test_a_receiver_that_no_route_leads_to(network):
    text = (
        "receiver at Z gets nothing: no route that the loaded files make certain leads there from A"
    )
    assert told(network(), "B", "Z") == [("T-1", text, "A.conf:1:1")]
    assert told(network(), "Z") == [("T-1", text, "A.conf:1:1")]


def test_a_receiver_on_an_edge_without_an_uplink(network):
    text = "receiver at E gets nothing: the edge router E has no uplink"
    assert told(network(edges={"E": ()}), "E") == [("E-7", text, "E.conf:1:1")]
    text = "receiver at B gets nothing: the edge router E has no uplink"
    assert told(network(edges={"E": ()}), "B", from_="E") == [("E-7", text, "E.conf:1:1")]
    assert told(network(edges={"E": ()}), "E", from_="E") == []


def test_a_receiver_that_its_router_refuses(network):
    network = network(B=[section("address", prefix="x", distribution="unavailable")])
    assert told(network, "A", "B") == [
        ("M-6", "receiver at B gets nothing: its attach is refused (amqp:not-found)", "B.conf:16:1")
    ]


def test_a_receiver_whose_link_a_link_route_takes(network):
    network = network(B=[TO_K, section("linkRoute", prefix="x", direction="out", connection="k")])
    text = (
        "receiver at B gets nothing: a link route leads its link to 127.0.0.1:5000, so that "
        "it gets what is stored there"
    )
    assert told(network, "B") == [("L-1", text, "B.conf:22:1")]


def test_a_receiver_beside_a_sender_whose_link_a_link_route_takes(network):
    network = network(A=[TO_K, section("linkRoute", prefix="x", direction="in", connection="k")])
    text = (
        "a link route leads the sender's link to 127.0.0.1:5000: its messages are not routed "
        "by their address"
    )
    assert told(network, "B") == [("L-1", f"receiver at B gets nothing: {text}", "A.conf:16:1")]


def test_a_receiver_that_its_sender_is_refused_to_send_to(network):
    network = network(A=[section("address", prefix="x", distribution="unavailable")])
    text = "receiver at B gets nothing: the sender is refused (amqp:not-found)"
    assert told(network, "B") == [("M-6", text, "A.conf:10:1")]
    text = "receiver at B gets nothing: x is unavailable at A"
    assert told(network, "B", anonymous=True) == [("M-6", text, "A.conf:10:1")]


def test_a_receiver_of_another_phase(network):
    waypoint = [section("address", prefix="x", waypoint="yes")]
    text = (
        "receiver at B gets nothing: it receives phase 1, the message is sent in phase 0, "
        "and no autolink brings phase 1 in"
    )
    assert told(network(A=waypoint, B=waypoint), "B") == [("W-1", text, "B.conf:16:1")]


def test_a_receiver_that_waits_for_what_autolinks_bring(network):
    waypoint = section("address", prefix="x", waypoint="yes")
    links = [
        section("autoLink", address="x", direction="in", connection=name) for name in ("k", "gone")
    ]
    text = "what the autolinks at A bring in phase 1 does not get there"
    found = told(network(A=[waypoint, TO_K, *links], B=[waypoint]), "B")
    assert found == [
        (
            "W-1",
            (
                "receiver at B gets nothing: it receives phase 1, the message is sent in "
                f"phase 0, and {text}"
            ),
            "B.conf:16:1",
        )
    ]


def test_where_nobody_is_known_the_routers_that_would_get_nothing_are_named_together(network):
    found = told(network(edges={"E": (), "F": ()}))
    texts = [text for _, text, _ in found]
    assert texts == [
        "a receiver at E would get nothing: the edge router E has no uplink",
        "a receiver at F would get nothing: the edge router F has no uplink",
        (
            "a receiver at Z would get nothing: no route that the loaded files make certain "
            "leads there from A"
        ),
    ]


def sees(network, from_="A", address="x", **how):
    sender = network.propagate(from_, f"address:{address}", **how).sender
    step = network.trace(from_, f"address:{address}", **how).steps[0]
    assert (sender.rule, sender.description, sender.source) == (step.rule, step.text, step.source)
    return sender.outcome, sender.rule, sender.description, str(sender.source)


def test_a_message_of_an_anonymous_sender_that_only_a_link_route_would_take(network):
    network = network(A=[TO_K, section("linkRoute", prefix="x", direction="in", connection="k")])
    text = "link routes (x) take no messages of anonymous senders, and nobody else receives x"
    assert sees(network, anonymous=True) == ("released", "M-2", text, "A.conf:16:1")


def test_a_message_of_an_anonymous_sender_that_nobody_receives(network):
    text = "nobody is known to receive x where A reaches"
    assert sees(network(), anonymous=True) == ("released", "M-2", text, "A.conf:1:1")


def test_a_message_of_an_anonymous_sender_to_an_unavailable_address(network):
    network = network(A=[section("address", prefix="x", distribution="unavailable")])
    assert sees(network, anonymous=True) == (
        "rejected",
        "M-2",
        "x is unavailable at A",
        "A.conf:10:1",
    )


def test_a_message_that_no_binding_of_an_exchange_takes(network):
    exchange = (
        section("exchange", name="ex", address="x"),
        section("binding", exchangeName="ex", bindingKey="red", nextHopAddress="y"),
    )
    text = "no binding of the exchange ex and no alternate address leads to anybody"
    found = sees(network(B=exchange), properties={"subject": "blue"})
    assert found == ("released", "X-1", text, "B.conf:16:1")
