"""All pictures of a snapshot have the same places: whatever is asked, wherever it is kept, and
beside a change.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from drawn.networks import ROOT, company, estate_of, example, nearest, route

import topograph
from topograph.store.layouts import layout_text
from topograph.viz.layout.blocks import GAP
from topograph.viz.layout.newcomers import settle
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import Scene


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
    assert [text for kind, text in scene.facts if "other places" in text]


def warnings(scene: Scene) -> list[str]:
    return [text for kind, text in scene.facts if kind == "warning"]


def test_a_saved_layout_is_where_the_servers_stand_in_every_picture(tmp_path: Path) -> None:
    network = example("estate")
    saved = {name: (3 * y + 1000, 2 * x) for name, (x, y) in spots(network.scene()).items()}
    file = tmp_path / "places.json"
    file.write_text(layout_text(saved))
    given = network.with_layout(file)
    assert spots(given.scene()) == saved
    assert spots(given.scene(given.reach("CANADA", "MADRID"))) == saved
    assert spots(given.within(60).scene()) == saved
    assert warnings(given.scene()) == warnings(network.scene())
    assert spots(network.scene()) != saved


def test_a_layout_of_before_is_the_start_of_a_changed_estate(tmp_path: Path) -> None:
    network = example("estate")
    before = spots(network.scene())
    gone, new = sorted(before)[2], sorted(before)[5]
    saved = {name: spot for name, spot in before.items() if name != new}
    saved |= {"BERLIN": (0.0, 0.0), "OLD": (5.0, 5.0)}
    file = tmp_path / "places.json"
    file.write_text(layout_text(saved))
    scene = network.with_layout(file).scene()
    after = spots(scene)
    assert {name: after[name] for name in before if name != new} == {
        n: s for n, s in before.items() if n != new
    }
    assert gone in after
    beside = [a if b == new else b for a, b in (link.ends for link in scene.links) if new in (a, b)]
    assert min(math.dist(after[new], after[other]) for other in beside) < 3 * GAP
    assert nearest(after) >= 90
    assert [
        text
        for text in warnings(scene)
        if "has places of servers that this network does not have" in text
    ] == [
        (
            f"The layout {file} has places of servers that this network does not have, which "
            "are ignored: BERLIN and OLD."
        )
    ]


def test_a_report_starts_from_a_layout_and_says_what_it_ignores(tmp_path: Path) -> None:
    network = example("estate")
    saved = {name: (3 * y + 1000, 2 * x) for name, (x, y) in spots(network.scene()).items()}
    file = tmp_path / "places.json"
    file.write_text(layout_text({**saved, "BERLIN": (0.0, 0.0)}))
    report = network.with_layout(file).report()
    assert spots(report.topology.scene) == saved
    (warning,) = (one for one in report.report.provenance.warnings if one.rule == "layout")
    assert warning.message.endswith(
        "has places of a server that this network does not have, which are ignored: BERLIN."
    )
    assert warning.message in report.generate_html()


def test_a_redacted_report_does_not_name_what_a_layout_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", "a key of sixteen characters")
    file = tmp_path / "places.json"
    file.write_text(layout_text({"secret.example": (0.0, 0.0), "HQ": (5.0, 5.0)}))
    network = topograph.read(ROOT / "examples/estate", redact=True).with_layout(file)
    (said,) = (text for text in warnings(network.scene()) if "layout" in text)
    assert said == (
        "The layout places.json has places of a server that this network does not have, "
        "which are ignored."
    )
    page = network.report().generate_html()
    assert said in page
    assert "secret.example" not in page
    assert str(tmp_path) not in page


def test_a_layout_of_a_few_servers_moves_the_others_with_them_and_out_of_their_way(
    tmp_path: Path,
) -> None:
    network = example("estate")
    before = spots(network.scene())
    one, other = sorted(before)[:2]
    saved = {
        one: (before[one][0] + 5000, before[one][1]),
        other: (before[other][0] + 5000, before[other][1]),
    }
    file = tmp_path / "places.json"
    file.write_text(layout_text(saved))
    after = spots(network.with_layout(file).scene())
    assert after == {name: (x + 5000, y) for name, (x, y) in before.items()}


def test_what_stands_where_a_server_was_put_makes_room() -> None:
    spots = {"A": (0.0, 0.0), "B": (100.0, 0.0), "C": (500.0, 0.0)}
    after = settle(spots, {"A": (500.0, 0.0), "B": (600.0, 0.0)})
    assert (after["A"], after["B"], after["C"]) == ((500, 0), (600, 0), (1000, 0))
    after = settle(spots, {"A": (0.0, 0.0), "B": (500.0, 0.0)})
    assert after["B"] == (500, 0)
    assert math.dist(after["C"], after["B"]) >= 90


def test_a_layout_moves_nobody_beside_a_change(tmp_path: Path) -> None:
    network = example("estate")
    saved = {name: (y, x) for name, (x, y) in spots(network.scene()).items()}
    file = tmp_path / "places.json"
    file.write_text(layout_text(saved))
    given = network.with_layout(file)
    drawn = spots(given.scene(given.audit(ROOT / "examples/changes/canada.txt", at="HQ")))
    assert {name: drawn[name] for name in saved} == saved
