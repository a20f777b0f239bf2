"""All pictures of a snapshot have the same places: whatever is asked, wherever it is kept, and beside a change."""

from __future__ import annotations

import itertools

from drawn import ROOT, company, estate_of, example, route

from topograph.viz.picture import draw
from topograph.viz.scene import Scene


def spots(scene: Scene) -> dict[str, tuple[float, float]]:
    return {server.name: (server.x, server.y) for server in scene.servers}


def test_every_question_has_the_places_of_the_estate() -> None:
    network = example("estate")
    whole = spots(network.scene())
    answers = [
        network.reach("CANADA", "MADRID"),
        network.reach("CANADA", "MADRID", reply=True),
        network.reach("USA-EAST"),
        network.hops("CANADA", "MADRID"),
        network.paths("MADRID", "CANADA"),
        network.cycles(),
        network.propagate("HQ", "topic:orders", {"country": "Spain"}),
        network.trace("HQ", "topic:orders", {"country": "Spain"}),
    ]
    assert [spots(network.scene(answer)) == whole for answer in answers] == [True] * len(answers)


def test_a_change_moves_nobody() -> None:
    network = example("estate")
    whole = spots(network.scene())
    drawn = spots(network.scene(network.audit(ROOT / "examples/changes/canada.txt", at="HQ")))
    assert {name: drawn[name] for name in whole} == whole


def test_a_picture_of_a_part_has_the_places_of_the_whole() -> None:
    network = example("estate")
    whole = spots(network.scene())
    part = spots(network.scene(around="LONDON", depth=1))
    assert 1 < len(part) < len(whole)
    assert part == {name: whole[name] for name in part}


def test_the_part_of_a_large_network_around_a_hub_has_the_places_of_the_whole() -> None:
    names, links = company(20)
    estate = estate_of(names, [route(a, b, zone, "1hop") for (a, b), zone in links])
    part = spots(draw(estate, around=["HUB0003"], depth=1))
    assert part == {name: estate.spots[name] for name in part}


def test_servers_far_apart_get_places_of_their_own_and_the_picture_says_so() -> None:
    names = [f"S{number:04d}" for number in range(3_000)]
    chain = [route(a, b) for a, b in itertools.pairwise(names)]
    estate = estate_of(names, [*chain, route(names[0], names[-1], "RING")])
    scene = draw(estate, around=[names[0], names[1_500]], depth=1)
    xs, ys = zip(*spots(scene).values(), strict=True)
    assert max(xs) - min(xs) < 2_000
    assert max(ys) - min(ys) < 2_000
    assert [text for kind, text in scene.facts if "places of their own" in text]
