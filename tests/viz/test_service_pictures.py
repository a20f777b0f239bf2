"""The picture of ``services``: its signs are those of the JSON, its paths those of the answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.amq_interconnect.test_services import Drawn, read

import topograph
from topograph.judgement import Told
from topograph.viz.scene.records import Mark

EXAMPLES = Path(__file__).parents[2] / "examples"

SIGNS = {
    Told.YES: Mark.DELIVERED,
    Told.ONE_OF: Mark.ONE_OF,
    Told.UNKNOWN: Mark.UNDETERMINED,
}


def test_listeners_are_asked_from_and_connectors_have_the_sign_of_their_judgement() -> None:
    network = topograph.read(EXAMPLES / "services")
    scene = network.scene(network.services())
    marks = {one.name: one.mark for one in scene.servers}
    assert marks == {
        "SHOP": Mark.ASKED,
        "HUB": Mark.TRANSIT,
        "DEPOT": Mark.DELIVERED,
        "YARD": Mark.ONE_OF,
    }
    shop = next(one for one in scene.servers if one.name == "SHOP")
    assert shop.here is Mark.REJECTED
    assert "not served" in shop.note
    assert [one.servers for one in scene.paths] == [
        ("SHOP", "HUB", "DEPOT"),
        ("SHOP", "HUB", "YARD"),
    ]
    assert scene.verdict.startswith("3 services: 1 of 2 listeners is served")


@pytest.mark.parametrize("number", range(20))
def test_no_sign_says_more_than_the_answer(number: int, tmp_path: Path) -> None:
    network = read(tmp_path, Drawn(number).texts)
    answer = network.services()
    scene = network.scene(answer, whole=True)
    told: dict[str, set[Told]] = {}
    for listener in answer.listeners:
        for one in listener.connectors:
            told.setdefault(one.server, set()).add(Told(one.judgement))
    for server in scene.servers:
        mark = server.here if server.mark is Mark.ASKED else server.mark
        own = told.get(server.name, set())
        if mark in SIGNS.values():
            assert next(one for one, sign in SIGNS.items() if sign is mark) in own
        unserved = [one for one in answer.listeners if one.server == server.name]
        if mark is Mark.REJECTED:
            assert "no" in [one.judgement for one in unserved]
        assert (server.mark is Mark.ASKED) == bool(unserved)
    ways = [one.path for each in answer.listeners for one in each.connectors if one.steps]
    assert sorted(one.servers for one in scene.paths) == sorted(ways)
