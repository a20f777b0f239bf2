"""Answers about messages say what they rest on where the files leave open who is attached where,
over which links, and who came first; `tests/brute_force/router_policies.py` draws such networks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from systems.amq_interconnect.bearings import section
from systems.amq_interconnect.configured import router

import topograph
from topograph.network import Network
from topograph.questions.answers import PropagateAnswer

MAY_OPEN = {"requireEncryption": "yes"}
"""A listener with it may or may not open for a connector without sslProfile (T-14)."""


def read(folder: Path, texts: Mapping[str, str], *receivers: str) -> Network:
    """``receivers`` are ``id router address``."""
    for name, text in texts.items():
        (folder / f"{name}.conf").write_text(text)
    clients = [
        f"  - {{server: {server}, destination: 'address:{address}', role: receiver, "
        f"client_id: {name}}}\n"
        for name, server, address in (one.split() for one in receivers)
    ]
    (folder / "topograph.yaml").write_text("".join(["clients:\n", *clients]))
    return topograph.read(folder).within(None)


def listener(host: str, port: int, role: str, **own: str) -> str:
    return section("listener", host=host, port=port, role=role, **own)


def rules(answer: PropagateAnswer) -> list[str]:
    return [one.rule for one in answer.assumptions]


def test_another_link_that_may_open_beside_one_leaves_its_cost_open(tmp_path: Path) -> None:
    texts = {
        "a": router("A", "listener a:1 inter-router")
        + listener("a", 2, "inter-router", **MAY_OPEN),
        "b": router("B", "connector a:1 inter-router 2", "connector a:2 inter-router 5"),
    }
    answer = read(tmp_path, texts).hops("B", "A")
    assert answer.cost == 2
    (assumed,) = answer.assumptions
    assert (assumed.rule, assumed.text) == (
        "T-11",
        "2 parallel links between A and B with cost 2 to 5: which one counts changes, if all of "
        "them open",
    )


def test_a_receiver_whose_edge_may_be_elsewhere_leaves_the_choice_open(tmp_path: Path) -> None:
    texts = {
        "a": router("A", "listener a:1 inter-router", "listener a:2 edge"),
        "b": router("B", "connector a:1 inter-router", "listener b:2 edge"),
        "x": router("X", "connector b:2 edge", "connector a:2 edge", mode="edge"),
    }
    network = read(tmp_path, texts, "near A q", "far X q")
    answer = network.propagate("A", "address:q")
    assert [one.receiver for one in answer.deliveries] == ["near"]
    assert rules(answer) == ["E-1"]


def test_an_edge_that_may_open_at_the_sender_s_router_may_take_its_turn(tmp_path: Path) -> None:
    texts = {
        "a": router("A") + listener("a", 2, "edge", **MAY_OPEN),
        "x": router("X", "connector a:2 edge", mode="edge"),
    }
    answer = read(tmp_path, texts, "near A q", "far X q").propagate("A", "address:q")
    assert [one.receiver for one in answer.deliveries] == ["near"]
    assert [(one.rule, one.text) for one in answer.assumptions] == [
        ("M-5", "the receivers of q at X are not reached")
    ]


def test_a_message_that_a_router_on_its_way_drops_may_go_another_way(tmp_path: Path) -> None:
    gone = section("address", prefix="q", distribution="unavailable")
    texts = {
        "a": router("A", "listener a:1 inter-router")
        + listener("a", 2, "inter-router", **MAY_OPEN),
        "b": router("B", "connector a:1 inter-router", "listener b:1 inter-router") + gone,
        "c": router("C", "connector b:1 inter-router", "connector a:2 inter-router"),
    }
    answer = read(tmp_path, texts, "r C q").propagate("A", "address:q")
    assert answer.deliveries == ()
    assert answer.sender is not None
    assert answer.sender.outcome == "released"
    assert "T-4" in rules(answer)


def test_who_attaches_to_an_address_that_others_announce_came_after_them(tmp_path: Path) -> None:
    """M-6, in whichever order the receivers stand in topograph.yaml."""
    texts = {
        "a": router("A", "listener a:1 inter-router"),
        "b": router("B", "connector a:1 inter-router").replace(
            "  id: B\n", "  id: B\n  defaultDistribution: unavailable\n"
        ),
    }
    assert "unavailable" in texts["b"]
    for order in (("late B q", "first A q"), ("first A q", "late B q")):
        network = read(tmp_path, texts, *order)
        answer = network.propagate("B", "address:q")
        assert [one.receiver for one in answer.deliveries] == ["late"]
        assert [(one.rule, one.text) for one in answer.assumptions] == [
            ("M-6", "late at B: attached after another router had announced q")
        ]
        network = read(tmp_path, texts, "late B q")
        assert [one.subscriber for one in network.propagate("A", "address:q").deliveries] == []


def test_a_router_that_may_be_reached_may_have_announced_another_treatment(tmp_path: Path) -> None:
    copies = section("address", prefix="q", distribution="multicast")
    texts = {
        "a": router("A") + listener("a", 2, "inter-router", **MAY_OPEN),
        "b": router("B", "connector a:2 inter-router") + copies,
    }
    answer = read(tmp_path, texts, "near A q", "also A q", "far B q").propagate("A", "address:q")
    assert "A-10" in rules(answer)
    texts["b"] = texts["b"].replace("multicast", "balanced")
    answer = read(tmp_path, texts, "near A q", "also A q", "far B q").propagate("A", "address:q")
    assert "A-10" not in rules(answer)


def test_treatments_are_those_that_somebody_announced_first(tmp_path: Path) -> None:
    """A-10: what attached after another had announced the address is treated as that one says."""
    copies = section("address", prefix="q", distribution="multicast")
    texts = {
        "a": router("A", "listener a:1 inter-router") + copies,
        "b": router("B", "connector a:1 inter-router").replace(
            "  id: B\n", "  id: B\n  defaultDistribution: unavailable\n"
        ),
    }
    answer = read(tmp_path, texts, "first A q", "late B q").propagate("B", "address:q")
    assert {(one.receiver, one.choice) for one in answer.deliveries} == {
        ("first", "always"),
        ("late", "always"),
    }


def test_a_copy_that_comes_back_keeps_the_order_of_its_path(tmp_path: Path) -> None:
    """A-11: B sends a copy to A, which may hand it back to the nearest receiver, that at B."""
    nearest = section("address", prefix="q", distribution="closest")
    copies = section("address", prefix="q", distribution="multicast")
    texts = {
        "a": router("A", "listener a:1 inter-router") + nearest,
        "b": router("B", "connector a:1 inter-router 2") + copies,
        "c": router("C", "connector a:1 inter-router 5") + copies,
    }
    answer = read(tmp_path, texts, "near B q", "far C q").propagate("B", "address:q")
    (delivery,) = answer.deliveries
    assert set(delivery.paths) == {("B",), ("B", "A", "B")}


def test_a_copy_for_a_router_that_may_be_reached_may_come_back(tmp_path: Path) -> None:
    """A-11: B, which may be linked or not, hands a copy to the nearest receiver."""
    copies = section("address", prefix="q", distribution="multicast")
    texts = {
        "a": router("A") + listener("a", 2, "inter-router", **MAY_OPEN) + copies,
        "b": router("B", "connector a:2 inter-router", "listener b:1 inter-router"),
        "c": router("C", "connector b:1 inter-router 3")
        + section("address", prefix="q", distribution="closest"),
    }
    network = read(tmp_path, texts, "near A q", "far C q")
    assert rules(network.propagate("A", "address:q")) == ["A-11"]
    texts["c"] = texts["c"].replace("closest", "multicast")
    network = read(tmp_path, texts, "near A q", "far C q")
    assert rules(network.propagate("A", "address:q")) == []


def test_a_further_copy_may_come_over_a_link_that_may_open(tmp_path: Path) -> None:
    """M-4: the copy for A goes on to D if A's way there is over B, which may be linked with D."""
    copies = section("address", prefix="q", distribution="multicast")
    texts = {
        "a": router("A", "listener a:1 inter-router") + copies,
        "b": router("B", "connector a:1 inter-router")
        + listener("b", 2, "inter-router", **MAY_OPEN),
        "c": router("C", "connector a:1 inter-router", "listener c:1 inter-router") + copies,
        "d": router("D", "connector b:2 inter-router", "connector c:1 inter-router") + copies,
    }
    answer = read(tmp_path, texts, "near A q", "far D q").propagate("C", "address:q")
    assert [(one.receiver, one.copies) for one in answer.deliveries] == [("near", 1), ("far", 1)]
    assert rules(answer) == ["T-4"]
