"""Networks of Skupper drawn at random, in each form in which people have them: who reaches whom
at what cost, and which listener reaches which connectors, as networkx says of sites and links."""

from __future__ import annotations

from pathlib import Path

import pytest
from drawn.skupper import FORMS, DrawnNetwork, drawn
from draws import share

import topograph

EACH = 20


def names_of(network: topograph.Network) -> set[str]:
    return set(network.server_names())


def assert_right(network: topograph.Network, right: DrawnNetwork, form: str) -> None:
    assert names_of(network) == set(right.sites)
    for site in right.sites:
        answer = network.reach(site)
        assert answer.undetermined == (), (site, answer.undetermined)
        assert {one.server: one.cost for one in answer.servers} == right.costs(site), site
    suffix = ":8080" if form == "version 1" else ""
    listeners = right.listeners | (right.connectors if form == "version 1" else set())
    for site, key in sorted(listeners):
        answer = network.propagate(site, f"address:{key}{suffix}")
        # a balanced address goes to the nearest connectors, so that one is told if there is any
        served = right.served(site, key)
        costs = {**right.costs(site), site: 0}
        found = {one.server for one in answer.deliveries if one.subscriber != "assumed"}
        assert bool(found) == bool(served), (site, key)
        assert found <= served
        if found:
            assert min(costs[one] for one in found) == min(costs[one] for one in served)


@pytest.mark.parametrize("number", share(range(EACH), 2))
@pytest.mark.parametrize("form", FORMS)
def test_a_drawn_network_is_right_in_every_form(form: str, number: int, tmp_path: Path) -> None:
    right = drawn(number)
    FORMS[form](right, tmp_path)
    network = topograph.read(tmp_path)
    assert_right(network, right, form)
    for finding in network.check().findings:
        assert "tiger" not in str(finding)
        assert "lion" not in str(finding)
