"""What containers get and give: waypoints, phases, autolinks (W), fallback (F), exchanges (X-1)."""

from __future__ import annotations

import json

import pytest
from systems.amq_interconnect.networks_of_messages import (
    deposited,
    got,
    line,
    net,
    outcomes,
    paths,
    possible,
    sent,
)

import topograph
from topograph.systems.amq_interconnect.messages.model import Broker
from topograph.systems.amq_interconnect.messages.outcomes import deliver_stored
from topograph.systems.amq_interconnect.messages.simulation import SENT_ON

WAYPOINT = (("address", {"prefix": "q", "waypoint": True}),)
FALLBACK = (("address", {"prefix": "q", "enableFallback": True}),)


def auto(direction, address="q", connection="b", **more):
    return (
        "autoLink",
        {"address": address, "direction": direction, "connection": connection, **more},
    )


def broker(name="K", *connections, **more):
    return (Broker(name, name, **more), connections or (("B", "b"),))


BOTH = (auto("out"), auto("in"))


def through_b(receivers=(), *, entries=WAYPOINT, links=BOTH, brokers=None):
    return net(
        {"A": (), "B": links, "C": ()},
        line("ABC"),
        receivers,
        everywhere=entries,
        brokers=[broker()] if brokers is None else brokers,
    )


def test_a_waypoint_stores_and_gives_on_what_it_stored():
    result = sent(through_b(["c C q"]), "A", "q", 2)
    assert (deposited(result), paths(result)) == ({"K": {"q": 2}}, {"c": {"B>C": 2}})
    alone = sent(through_b(), "A", "q", 2)
    assert (deposited(alone), got(alone), alone.courses[0].stored) == (
        {"K": {"q": 2}},
        {},
        (("K", "q", 2),),
    )


def test_a_receiver_of_a_waypoint_gets_nothing_that_was_not_in_the_container():
    only_out = sent(through_b(["c C q"], links=[auto("out")]), "A", "q")
    assert (deposited(only_out), got(only_out)) == ({"K": {"q": 1}}, {})
    only_in = sent(through_b(["c C q"], links=[auto("in")]), "A", "q")
    assert (only_in.credit, got(only_in)) == (False, {})


def test_a_router_with_a_shard_of_its_own_uses_it():
    brokers = [broker("K", ("A", "b")), broker("L", ("C", "b"))]
    links = [auto("out"), auto("in")]
    network = net(
        {"A": links, "B": (), "C": links}, line("ABC"), everywhere=WAYPOINT, brokers=brokers
    )
    assert deposited(sent(network, "A", "q", 4)) == {"K": {"q": 4}}
    assert deposited(sent(network, "C", "q", 4)) == {"L": {"q": 4}}
    both = {tuple(course.deposited) for course in sent(network, "B", "q", 4).courses}
    assert both == {("K",), ("L",)}


def test_two_shards_of_one_router_take_turns():
    links = [auto(way, connection=name) for name in ("k", "l") for way in ("out", "in")]
    brokers = [broker("K", ("A", "k")), broker("L", ("A", "l"))]
    network = net(
        {"A": links, "B": ()}, line("AB"), ["b B q"], everywhere=WAYPOINT, brokers=brokers
    )
    result = sent(network, "B", "q", 4)
    assert (deposited(result), got(result)) == ({"K": {"q": 2}, "L": {"q": 2}}, {"b": 4})


def test_a_chain_of_phases_passes_two_containers():
    entry = (("address", {"prefix": "q", "ingressPhase": 0, "egressPhase": 2}),)
    links = {
        "A": (),
        "B": (auto("out", phase=0), auto("in", phase=1)),
        "C": (auto("out", phase=1), auto("in", phase=2)),
    }
    brokers = [broker("K", ("B", "b")), broker("L", ("C", "b"))]
    network = net(links, line("ABC"), ["a A q"], everywhere=entry, brokers=brokers)
    result = sent(network, "A", "q", 2)
    assert (deposited(result), paths(result)) == (
        {"K": {"q": 2}, "L": {"q": 2}},
        {"a": {"C>B>A": 2}},
    )


def test_an_external_address_is_the_one_at_the_container_both_ways():
    network = through_b(
        ["c C q"], links=[auto("out", externalAddress="EXT"), auto("in", externalAddress="EXT")]
    )
    result = sent(network, "A", "q")
    assert (deposited(result), got(result)) == ({"K": {"EXT": 1}}, {"c": 1})


def test_different_external_addresses_do_not_meet():
    network = through_b(
        ["c C q"], links=[auto("out", externalAddress="IN"), auto("in", externalAddress="OUT")]
    )
    assert got(sent(network, "A", "q")) == {}


def test_an_autolink_serves_its_address_only():
    assert not sent(through_b(), "A", "q.other").credit


def test_without_a_waypoint_entry_an_out_autolink_competes_and_an_in_autolink_has_no_receivers():
    network = through_b(["b B q"], entries=())
    result = sent(network, "B", "q", 4)
    assert (deposited(result), got(result)) == ({"K": {"q": 2}}, {"b": 2})
    assert result.courses[0].stored == (("K", "q", 2),)


def test_an_in_autolink_of_phase_zero_is_a_plain_source():
    network = through_b(
        ["c C q"], entries=(), links=[auto("in", phase=0)], brokers=[broker(stored={"q": 2})]
    )
    assert got(deliver_stored(network)) == {"c": 2}


@pytest.mark.parametrize("default", ["closest", "multicast", "unavailable"])
def test_an_address_that_an_autolink_created_is_balanced(default):
    network = net(
        {"A": (auto("out", connection="b"),)},
        (),
        brokers=[broker("K", ("A", "b"))],
        default=default,
    )
    result = sent(network, "A", "q", 2)
    assert deposited(result) == {"K": {"q": 2}}
    assert {
        decision.rule
        for one in result.courses[0].messages[0].deliveries
        for decision in one.decisions
    } == {"M-5"}


def test_an_autolink_by_container_id_attaches_on_each_connection_to_it():
    entry = ("autoLink", {"address": "q", "direction": "out", "containerId": "K"})
    network = net({"A": (entry,)}, (), brokers=[broker("K", ("A", "one"), ("A", ""))])
    assert deposited(sent(network, "A", "q", 4)) == {"K": {"q": 4}}


def test_while_a_container_is_down_or_refuses_a_sender_has_no_credit():
    assert not sent(through_b(brokers=[broker(up=False)]), "A", "q").credit
    assert not sent(through_b(brokers=[broker(refuse=frozenset({"q"}))]), "A", "q").credit
    one_of_two = net(
        {"A": [auto("out", connection="k"), auto("out", connection="l")]},
        (),
        everywhere=WAYPOINT,
        brokers=[broker("K", ("A", "k"), up=False), broker("L", ("A", "l"))],
    )
    assert deposited(sent(one_of_two, "A", "q", 2)) == {"L": {"q": 2}}


def test_what_is_stored_in_several_containers_reaches_all_receivers():
    brokers = [broker("K", ("A", "b"), stored={"q": 3}), broker("L", ("B", "b"), stored={"q": 2})]
    network = net(
        {"A": (auto("in"),), "B": (auto("in"),)},
        line("AB"),
        ["a A q", "b B q"],
        everywhere=WAYPOINT,
        brokers=brokers,
    )
    result = deliver_stored(network)
    assert paths(result) == {"a": {"A": 3}, "b": {"B": 2}}


def test_a_message_that_is_released_goes_back_into_the_container():
    network = through_b(["c C q release"], brokers=[broker(stored={"q": 1})])
    assert deliver_stored(network).courses[0].stored == (("K", "q", 1),)


FALL = (auto("out", fallback=True), auto("in", fallback=True))


def test_fallback_takes_what_finds_no_destination_anywhere_in_the_network():
    network = through_b(entries=FALLBACK, links=FALL)
    result = sent(network, "A", "q", 2)
    assert (result.credit, deposited(result)) == (True, {"K": {"q": 2}})
    assert got(sent(through_b(["c C q"], entries=FALLBACK, links=FALL), "A", "q", 2)) == {"c": 2}


@pytest.mark.parametrize("settle", ["release", "reject"])
def test_a_message_that_a_receiver_gives_back_does_not_fall_back(settle):
    network = through_b([f"c C q {settle}"], entries=FALLBACK, links=FALL)
    assert deposited(sent(network, "A", "q")) == {}


def test_only_routers_that_enable_it_fall_back_and_others_forward_it():
    network = net(
        {"A": FALLBACK, "B": (), "C": FALL}, line("ABC"), brokers=[broker("K", ("C", "b"))]
    )
    assert deposited(sent(network, "A", "q")) == {"K": {"q": 1}}
    assert not sent(network, "B", "q").credit
    assert outcomes(sent(network, "B", "q", anonymous=True)) == {"released": 1}
    assert deposited(sent(network, "A", "q", anonymous=True)) == {"K": {"q": 1}}


def test_fallback_is_balanced_whatever_the_entry_says_and_exact():
    entry = (("address", {"prefix": "q", "distribution": "multicast", "enableFallback": True}),)
    links = [auto("out", connection=name, fallback=True) for name in ("k", "l")]
    brokers = [broker("K", ("B", "k")), broker("L", ("B", "l"))]
    network = net({"A": (), "B": links}, line("AB"), everywhere=entry, brokers=brokers)
    assert deposited(sent(network, "A", "q", 4)) == {"K": {"q": 2}, "L": {"q": 2}}
    assert not sent(network, "A", "q.3").credit


def test_what_fell_back_is_given_to_a_receiver_only_over_an_in_autolink():
    stored = [broker(stored={"q": 3})]
    with_in = through_b(["a A q"], entries=FALLBACK, links=FALL, brokers=stored)
    assert paths(deliver_stored(with_in)) == {"a": {"B>A": 3}}
    without = through_b(["a A q"], entries=FALLBACK, links=FALL[:1], brokers=stored)
    assert got(deliver_stored(without)) == {}


def exchange(method="amqp", alternate="", bindings=()):
    more = {"alternateAddress": alternate} if alternate else {}
    yield ("exchange", {"name": "ex", "address": "in", "matchMethod": method, **more})
    for key, hop in bindings:
        yield (
            "binding",
            {"exchangeName": "ex", "nextHopAddress": hop, **({"bindingKey": key} if key else {})},
        )


def routed(sections, receivers, subject, router="A"):
    network = net({"A": (), "B": tuple(sections), "C": ()}, line("ABC"), receivers)
    return sent(network, router, "in", subjects=() if subject is None else (subject,))


def test_an_exchange_sends_once_to_each_next_hop_with_a_matching_key():
    bindings = [("a.*", "x"), ("#.b", "x"), ("a.b", "y"), ("c", "z"), ("", "all")]
    result = routed(exchange(bindings=bindings), ["x C x", "y A y", "z A z", "all B all"], "a.b")
    assert (got(result), outcomes(result)) == ({"x": 1, "y": 1, "all": 1}, {"accepted": 1})
    assert paths(result)["x"] == {"A>B>C": 1}


def test_what_no_binding_takes_goes_to_the_alternate_address_or_is_dropped():
    bindings = [("a", "x")]
    receivers = ["x C x", "rest C rest"]
    assert got(routed(exchange(alternate="rest", bindings=bindings), receivers, "b")) == {"rest": 1}
    dropped = routed(exchange(bindings=bindings), receivers, "b")
    assert (dropped.credit, got(dropped), outcomes(dropped)) == (True, {}, {"released": 1})


def test_mqtt_keys_have_their_own_wildcards():
    bindings = [("a/+", "plus"), ("a/#", "hash"), ("a/*", "star")]
    receivers = ["plus A plus", "hash A hash", "star A star"]
    assert got(routed(exchange("mqtt", bindings=bindings), receivers, "a/b")) == {
        "plus": 1,
        "hash": 1,
    }
    assert got(routed(exchange("mqtt", bindings=bindings), receivers, "a/*")) == {
        "plus": 1,
        "hash": 1,
        "star": 1,
    }


def test_a_subject_that_nobody_knows_leaves_both_ways_open():
    assert possible(routed(exchange(bindings=[("a", "x")]), ["x C x"], None)) == [{}, {"x": 1}]


def test_a_message_without_a_subject_is_compared_with_no_key():
    bindings = [("", "all"), ("#", "any"), ("a", "x")]
    receivers = ["all A all", "any A any", "x C x", "rest B rest"]
    assert got(routed(exchange(alternate="rest", bindings=bindings), receivers, "")) == {"rest": 1}


def test_messages_of_one_sender_take_the_ways_of_their_own_subjects():
    sections = exchange(bindings=[("a", "x"), ("b", "y")])
    network = net({"A": (), "B": tuple(sections), "C": ()}, line("ABC"), ["x C x", "y A y"])
    assert got(sent(network, "A", "in", 5, subjects=("a", "a", "b"))) == {"x": 4, "y": 1}


def test_receivers_of_the_exchanges_own_address_get_messages_beside_it():
    result = routed(exchange(bindings=[("a", "x")]), ["own B in", "x C x"], "a")
    assert got(result) == {"own": 1, "x": 1}


def test_an_exchange_that_leads_to_itself_ends_and_the_answer_says_so():
    result = routed(exchange(bindings=[("", "in")]), ["own B in"], "a")
    assert got(result)["own"] >= 1
    assert (result.complete, [one.text for one in result.cut]) == (
        False,
        ["exchange ex gets back what it sent on"],
    )


def test_an_exchange_whose_binding_and_alternate_address_are_its_own_ends_at_once():
    result = routed(exchange(alternate="in", bindings=[("", "in")]), [], "a")
    assert (got(result), result.complete, len(result.cut)) == ({}, False, 1)


def test_an_answer_about_a_message_that_goes_round_is_not_exact(tmp_path):
    router = ["router", {"id": "A", "mode": "interior"}]
    (tmp_path / "a.json").write_text(
        json.dumps([router, *map(list, exchange(bindings=[("", "in")]))])
    )
    answer = topograph.read(tmp_path).propagate("A", "address:in", {"subject": "a"})
    assert not answer.exact
    assert "A: exchange ex gets back what it sent on" in str(
        [one.message for one in answer.warnings]
    )


def test_exchanges_that_multiply_copies_among_each_other_are_cut():
    each = [
        ("exchange", {"name": f"x{n}", "address": "in" if n == 0 else f"a{n}"}) for n in range(16)
    ]
    onward = [(n, m) for n in range(16) for m in range(n + 1, 16)]
    bound = [("binding", {"exchangeName": f"x{n}", "nextHopAddress": f"a{m}"}) for n, m in onward]
    last = ("binding", {"exchangeName": "x15", "nextHopAddress": "end"})
    result = routed([*each, *bound, last], ["end C end"], "a")
    assert 0 < got(result)["end"] <= SENT_ON
    assert (result.complete, {one.rule for one in result.cut}) == (False, {"X-1"})


def test_a_message_that_a_container_gives_back_again_and_again_is_cut():
    links = [auto("out", phase=0), auto("in", phase=0)]
    result = sent(through_b(links=links, entries=()), "A", "q")
    assert (result.complete, [one.rule for one in result.cut]) == (False, ["W-3"])


LOCAL = """\
connector {{
    name: store
    host: {host}
    port: 5672
    role: route-container
}}
address {{
    prefix: q
    waypoint: yes
}}
autoLink {{
    address: q
    connection: store
    direction: out
}}
"""


def with_local_stores(folder, at_b, host="127.0.0.1"):
    """Two routers, each with a container at a host of its own machine; B listens at ``at_b``,
    and A connects to it.
    """
    end = "    host: {}\n    port: 7001\n    role: inter-router\n}}\n"
    for name, joined in {"A": "connector {\n", "B": "listener {\n"}.items():
        head = f"router {{\n    id: {name}\n    mode: interior\n}}\n{joined}" + end.format(at_b)
        (folder / f"{name}.conf").write_text(head + LOCAL.format(host=host))
    return topograph.read(folder)


def stored_in(answer):
    return {entry.receiver for entry in answer.deliveries if entry.outcome == "DEPOSITED"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_a_container_at_a_loopback_host_is_another_one_on_each_machine(tmp_path, host):
    network = with_local_stores(tmp_path, "b.example", host)
    answer = network.propagate("A", "address:q")
    assert stored_in(answer) == {f"{host}:5672 at A"}
    text = f"{host}:5672 is taken for a separate container on the machine of each of A, B"
    assumed = [
        (one.rule, one.text, one.alternative) for one in answer.assumptions if one.rule == "T-13"
    ]
    assert assumed == [("T-13", text, "if these routers run on one machine, it is one container")]
    assert [
        finding["server"]
        for finding in network.check().findings
        if finding["kind"] == "container-on-each-machine"
    ] == ["A"]
    swept = {row.failed for row in network.impact(sweep=True).failures}
    assert {f"broker:{host}:5672 at A", f"broker:{host}:5672 at B"} <= swept


@pytest.mark.parametrize(
    ("machines", "stored"),
    [("{rack: [A, B]}", "127.0.0.1:5672"), ("{one: [A], two: [B]}", "127.0.0.1:5672 at A")],
)
def test_topograph_yaml_says_whether_routers_share_the_containers_of_a_machine(
    tmp_path, machines, stored
):
    (tmp_path / "topograph.yaml").write_text(f"machines: {machines}\n")
    network = with_local_stores(tmp_path, "b.example")
    answer = network.propagate("A", "address:q")
    assert stored_in(answer) == {stored}
    assert not any("separate container" in one.text for one in answer.assumptions)
    assert "container-on-each-machine" not in {
        finding["kind"] for finding in network.check().findings
    }


def test_routers_that_loopback_connectors_join_share_the_containers_of_their_machine(tmp_path):
    network = with_local_stores(tmp_path, "127.0.0.1")
    answer = network.propagate("A", "address:q")
    assert stored_in(answer) == {"127.0.0.1:5672"}
    assert not any("separate container" in one.text for one in answer.assumptions)
    assert "container-on-each-machine" not in {
        finding["kind"] for finding in network.check().findings
    }


def test_copies_that_containers_multiply_end_the_course_and_the_answer_is_not_exact(tmp_path):
    sections = [
        (
            "router {\n    id: A\n    mode: interior\n}\naddress {\n    prefix: q\n    "
            "distribution: multicast\n}\n"
        )
    ]
    for number in range(10):
        sections.append(
            f"connector {{\n    name: c{number}\n    host: c{number}\n    role: "
            f"route-container\n}}\n"
        )
        for way in ("out", "in\n    phase: 0"):
            sections.append(
                f"autoLink {{\n    address: q\n    connection: c{number}\n    direction: "
                f"{way}\n}}\n"
            )
    (tmp_path / "a.conf").write_text("".join(sections))
    answer = topograph.read(tmp_path).propagate("A", "address:q")
    assert not answer.exact
    text = (
        "containers give out more than 5,010 copies: they multiply: there may be more copies "
        "than are listed here"
    )
    assert ("W-3", text) in [(one.rule, one.message) for one in answer.warnings]
