"""What a router that is not loaded could change: with links that no loaded file shows it may join
any two routers, offer a cheaper way, and have receivers.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from systems.amq_interconnect.configured import router

import topograph

TAKEN = "no link route at FAR, of which nothing is loaded, takes jobs"
HERE = router("HERE", "connector far:1 inter-router")
BROKER = "connector {\n name: broker\n host: broker\n port: 5672\n role: route-container\n}\n"
ROUTERS = Path(__file__).resolve().parents[3] / "examples" / "routers"


@pytest.fixture
def without_paris(tmp_path):
    folder = tmp_path / "routers"
    shutil.copytree(ROUTERS, folder)
    (folder / "paris.conf").unlink()
    return topograph.read(folder)


@pytest.fixture(scope="module")
def whole():
    return topograph.read(ROUTERS)


def told(answer, rule):
    return [one.text for one in answer.assumptions if one.rule == rule]


CHEAPEST = "no way over PAR, of which nothing is loaded, costs less than those shown"


def test_the_cheapest_way_is_an_assumption_where_a_router_is_not_loaded(whole, without_paris):
    assert whole.hops("LON", "MAD").path == ("LON", "PAR", "MAD")
    assert told(whole.hops("LON", "MAD"), "T-4") == []
    for answer in (
        without_paris.hops("LON", "MAD"),
        without_paris.paths("LON", "MAD"),
        without_paris.reach("LON", "MAD"),
        without_paris.hops_matrix(),
    ):
        assert told(answer, "T-4") == [CHEAPEST]


def test_nothing_over_another_router_is_cheaper_than_one_link_of_cost_1(network):
    net = network(
        {
            "a": router("A", "connector b:1 inter-router", "connector gone:1 inter-router"),
            "b": router("B", "listener b:1 inter-router", "connector c:1 inter-router"),
            "c": router("C", "listener c:1 inter-router"),
        }
    )
    rests = {
        point.key: [net.graph.guards[number].id for number in point.guards]
        for point in net.graph.points
    }
    cheapest = (
        "position:T-4:no way over gone:1, of which nothing is loaded, costs less than those shown"
    )
    assert cheapest not in rests["A=>B"]
    assert cheapest in rests["A=>C"]


def test_a_message_to_one_receiver_may_go_to_one_at_a_router_that_is_not_loaded(
    whole, without_paris
):
    for ask in ("propagate", "trace"):
        complete = getattr(whole, ask)("LON", "address:prices")
        assert told(complete, "M-3") == told(complete, "T-4") == []
        answer = getattr(without_paris, ask)("LON", "address:prices")
        assert told(answer, "M-3") == ["nobody at PAR, of which nothing is loaded, receives prices"]
        assert told(answer, "T-4") == [CHEAPEST]


def test_a_copy_for_each_receiver_and_one_at_the_own_router_go_to_nobody_else(without_paris):
    assert told(without_paris.propagate("LON", "address:alerts"), "M-3") == []
    own = without_paris.propagate("ROM", "address:prices")
    assert [(one.server, told(own, "M-3")) for one in own.deliveries] == [("ROM", [])]


def test_a_router_that_is_not_loaded_may_join_two_that_connect_to_it_nowhere(network):
    """The router in the middle may have all connectors: one that connects to it shows that it is
    there, and nothing shows whom it joins."""
    outer = {
        "a": router("A", "listener a:1 inter-router"),
        "b": router("B", "listener b:1 inter-router"),
        "c": router("C", "connector mid:1 inter-router"),
    }
    middle = router(
        "MID",
        "listener mid:1 inter-router",
        "connector a:1 inter-router",
        "connector b:1 inter-router",
    )
    assert network({**outer, "mid": middle}).path("A", "B") == ("A", "MID", "B")
    net = network(outer)
    assert net.reached("A") == set()
    assert net.undetermined("A").keys() == {"B", "C", "mid:1"}


@pytest.mark.parametrize("direction", ["in", "out"])
def test_a_router_that_is_not_loaded_may_have_a_link_route_for_senders_or_receivers(
    estate, direction
):
    hosts = (
        "hosts: {far: FAR}\nclients: [{server: HERE, destination: 'address:jobs', role: receiver}]"
    )
    link_route = f"linkRoute {{\n prefix: jobs\n direction: {direction}\n connection: broker\n}}\n"
    far = router("FAR", "listener far:1 inter-router")
    part = {"here.conf": HERE, "topograph.yaml": hosts}
    for ask in ("propagate", "trace"):
        answer = getattr(estate(files=part), ask)("HERE", "address:jobs")
        assert told(answer, "L-1") == [TAKEN]
    assert [one.receiver for one in estate(files=part).propagate("HERE", "address:jobs").deliveries]
    routed = estate(files={**part, "far.conf": far + BROKER + link_route})
    answer = routed.propagate("HERE", "address:jobs")
    assert told(answer, "L-1") == []
    assert "HERE" not in [one.server for one in answer.deliveries]


ADDED = "qdmanage create --type connector host=far port=1 role=edge"


def test_what_a_router_that_is_not_loaded_says_to_a_new_connector_is_not_known(estate):
    """It may listen there in another role, which a change to the whole estate is rejected for."""
    part = {"here.conf": router("HERE"), "topograph.yaml": "hosts: {far: FAR}"}
    assert estate(files=part).audit(ADDED, "HERE").verdict == "undetermined"
    (left_open,) = estate(files=part).audit(ADDED, "HERE").left_open
    assert "leads to far:1, and topograph.yaml names FAR" in left_open.because
    whole = {**part, "far.conf": router("FAR", "listener far:1 inter-router")}
    answer = estate(files=whole).audit(ADDED, "HERE")
    assert answer.verdict == "reject"
    assert [one.kind for one in answer.findings if one.effect == "rejects"] == ["role-mismatch"]
