"""Where connectors lead whose host no file names (T-13), and edges with uplinks to networks that
are not joined (E-1), on drawn networks."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from systems.amq_interconnect.configured import router

import topograph
from topograph.systems.amq_interconnect.network.connectors import same_host

SERVICE = "skupper-router"


def read(folder: Path, texts: dict[str, str], hosts: str = "") -> topograph.network.Network:
    for name, text in texts.items():
        (folder / f"{name}.conf").write_text(text)
    if hosts:
        (folder / "topograph.yaml").write_text(f"hosts:\n{hosts}")
    return topograph.read(folder)


@pytest.mark.parametrize("number", range(25))
def test_services_of_one_name_in_several_namespaces_are_never_taken_for_one(
    tmp_path: Path, number: int
):
    """Each site listens and may connect to another site's service: which router a service is no
    file says, unless all connectors name one host."""
    draw = random.Random(number)
    sites = [f"SITE{one}" for one in range(draw.randint(3, 6))]
    endings = ["", ".svc", ".svc.cluster.local"]
    asked: dict[str, str] = {}
    texts = {}
    for site in sites:
        ends = ["listener 0.0.0.0:55671 inter-router"]
        if draw.random() < 0.7:
            other = draw.choice([one for one in sites if one != site])
            asked[site] = f"{SERVICE}.{other.lower()}{draw.choice(endings)}"
            ends.append(f"connector {asked[site]}:55671 inter-router")
        texts[site] = router(site, *ends)
    network = read(tmp_path, texts)
    one = all(same_host(a, b) for a, b in itertools.combinations(asked.values(), 2))
    only = [site for site in sites if site not in asked]
    certain = one and len(only) == 1
    for site in sites:
        answer = network.reach(site)
        if not asked:
            assert (answer.servers, answer.undetermined) == ((), ())
        elif not certain:
            assert answer.servers == ()
            assert {one.server for one in answer.undetermined} >= {*sites} - {site}
        else:
            assert {one.rule for one in answer.assumptions} >= {"T-13"}
            told = "no other loaded router listens" in str(answer.to_dict())
            assert not told or len(asked) == 1


@pytest.mark.parametrize("number", range(25))
def test_a_connector_to_another_host_takes_no_link_away(tmp_path: Path, number: int):
    draw = random.Random(number)
    spokes = [f"S{one}" for one in range(draw.randint(2, 5))]
    host = draw.choice(["hub.example.net", "central", "10.1.1.1"])
    texts = {one: router(one, f"connector {host}:55671 inter-router") for one in spokes}
    network = read(tmp_path, {"hub": router("HUB", "listener 0.0.0.0:55671 inter-router"), **texts})
    other = draw.choice(["x.example.net", "hub.example.org", "10.1.1.2"])
    command = (
        f"qdmanage create --type=connector --name=more host={other} port=55671 role=inter-router"
    )
    answer = network.audit(command, at=draw.choice(spokes))
    assert (answer.reach.lost, answer.reach.gained, answer.reach.undetermined) == ((), (), ())


@pytest.mark.parametrize("number", range(30))
def test_edges_with_uplinks_to_several_networks_may_reach_each(tmp_path: Path, number: int):
    """Interior routers in networks of their own, edges with uplinks to some of them: an edge
    reaches the network of the uplink that is taken, and may reach those of the others."""
    draw = random.Random(number)
    groups = [
        [f"N{group}{place}" for place in range(draw.randint(1, 2))]
        for group in range(draw.randint(2, 3))
    ]
    texts = {}
    for group in groups:
        for place, name in enumerate(group):
            ends = [f"listener {name}:1 inter-router", f"listener {name}:2 edge"]
            ends += [f"connector {group[0]}:1 inter-router"] if place else []
            texts[name] = router(name, *ends)
    network_of = {name: number for number, group in enumerate(groups) for name in group}
    homes = {}
    for edge in ("E1", "E2"):
        homes[edge] = draw.sample(sorted(network_of), draw.randint(1, len(network_of)))
        texts[edge] = router(
            edge, *(f"connector {home}:2 edge" for home in homes[edge]), mode="edge"
        )
    network = read(tmp_path, texts)
    taken = {**{name: {number} for name, number in network_of.items()}}
    taken |= {edge: {network_of[own[0]]} for edge, own in homes.items()}
    possible = taken | {edge: {network_of[one] for one in own} for edge, own in homes.items()}
    for start in texts:
        answer = network.reach(start)
        others = {one for one in texts if one != start}
        reached = {one for one in others if taken[one] & taken[start]}
        assert {one.server for one in answer.servers} == reached
        assert {one.server for one in answer.undetermined} == {
            one for one in others - reached if possible[one] & possible[start]
        }


def test_a_receiver_behind_the_other_uplink_leaves_the_sender_undetermined(tmp_path: Path):
    texts = {
        "n1": router("N1", "listener n1:2 edge"),
        "n2": router("N2", "listener n2:2 edge"),
        "e": router("E", "connector n1:2 edge", "connector n2:2 edge", mode="edge"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.conf").write_text(text)
    (tmp_path / "topograph.yaml").write_text(
        "clients:\n  - {server: N2, destination: 'address:db', role: receiver}\n"
    )
    answer = topograph.read(tmp_path).propagate("E", "address:db")
    assert answer.deliveries == ()
    assert not answer.exact
    assert "E-1" in {one.rule for one in answer.assumptions}
    assert [one.server for one in answer.undetermined] == ["N2"]


def test_a_nearer_receiver_over_a_link_that_may_open_is_an_assumption_of_the_choice(tmp_path: Path):
    """B is reached for certain; C may be nearer, or not reached at all."""
    far = router("B", "connector a:1 inter-router 5")
    perhaps = router("C", "connector a:2 inter-router")
    a = router("A", "listener a:1 inter-router", "listener a:2 inter-router")
    a = a.removesuffix("}\n") + "  requireEncryption: yes\n}\n"
    for name, text in {"a": a, "b": far, "c": perhaps}.items():
        (tmp_path / f"{name}.conf").write_text(text)
    (tmp_path / "topograph.yaml").write_text(
        "clients:\n"
        "  - {server: B, destination: 'address:x', role: receiver, client_id: b}\n"
        "  - {server: C, destination: 'address:x', role: receiver, client_id: c}\n"
    )
    answer = topograph.read(tmp_path).propagate("A", "address:x")
    assert [one.receiver for one in answer.deliveries] == ["b"]
    assert "the receivers of x at C are not reached" in {one.text for one in answer.assumptions}
