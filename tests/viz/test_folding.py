"""Equal leaves of a picture are drawn as one, and nothing that differs is hidden by it."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from drawn.networks import estate_of, route

from topograph.findings import Severity, Source
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.folding import FEWEST, folded, folding_of
from topograph.viz.scene.picture import draw
from topograph.viz.scene.records import BlockDrawn, FindingDrawn, Mark, PathDrawn, Scene
from topograph.viz.svg.document import svg

ESTATES = range(24)


def star(leaves: int) -> Scene:
    """A hub with leaves."""
    names = [f"L{number:03}" for number in range(leaves)]
    links = [route(name, "HUB", configured_by=name) for name in names]
    return draw(estate_of(["HUB", *names], links), readable=None)


def with_marks(scene: Scene, marks: dict[str, Mark]) -> Scene:
    servers = (replace(one, mark=marks.get(one.name, one.mark)) for one in scene.servers)
    return replace(scene, servers=tuple(servers))


def test_few_leaves_are_drawn_each() -> None:
    scene = star(FEWEST - 1)
    assert folding_of(scene).folds == ()
    assert folded(scene, folding_of(scene)) is scene


def test_many_equal_leaves_are_one_with_their_number() -> None:
    scene = star(300)
    (fold,) = folding_of(scene).folds
    assert (fold.hub, len(fold.servers), fold.label, fold.noticed) == (
        "HUB",
        300,
        "300 servers",
        "",
    )
    drawn = folded(scene, folding_of(scene))
    assert [(one.name, one.stack) for one in drawn.servers] == [("300 servers", 300), ("HUB", 0)]
    assert [link.ends for link in drawn.links] == [("300 servers", "HUB")]
    assert ">300 servers<" in svg(scene)
    assert "L007" not in re.findall(r">([^<>]*)</text>", svg(scene))
    assert "L007" in re.findall(r">([^<>]*)</text>", svg(scene, whole=True))


@pytest.mark.parametrize("number", ESTATES)
def test_each_server_is_drawn_alone_or_counted_once_and_what_differs_is_not_folded(
    number: int,
) -> None:
    chance = random.Random(number)
    scene = star(chance.randint(60, 200))
    names = [server.name for server in scene.servers if server.name != "HUB"]
    kinds = (Mark.REACHED, Mark.UNREACHABLE, Mark.UNDETERMINED)
    marks = {name: chance.choice(kinds[: chance.randint(1, 3)]) for name in names}
    found = chance.sample(names, chance.randint(0, 30))
    on_path = chance.sample(names, chance.randint(0, 3))
    blocked = chance.sample(names, chance.randint(0, 3))
    asked = chance.choice(names)
    marks[asked] = Mark.ASKED
    place = Source("a.conf", 1)
    scene = replace(
        with_marks(scene, marks),
        findings=tuple(
            FindingDrawn("X-1", Severity.ERROR, "wrong", place, server=name) for name in found
        ),
        paths=(PathDrawn("a path", tuple(on_path), ()),),
        blocks=tuple(
            BlockDrawn("HUB", name, "", "why", "", "FALSE", Source("")) for name in blocked
        ),
    )
    folding = folding_of(scene)
    inside = [name for fold in folding.folds for name in fold.servers]
    assert len(inside) == len(set(inside))
    assert not {asked, "HUB", *on_path, *blocked} & set(inside)
    alone = {*on_path, *blocked, asked}
    alike: dict[tuple[Mark, bool], set[str]] = {}
    for name in names:
        if name not in alone:
            alike.setdefault((marks[name], name in found), set()).add(name)
    expected = sorted(sorted(own) for own in alike.values() if len(own) >= FEWEST)
    assert sorted(list(fold.servers) for fold in folding.folds) == expected
    for fold in folding.folds:
        assert fold.label == f"{len(fold.servers)} servers"
        errors = sum(name in found for name in fold.servers)
        assert fold.noticed == (
            f"{errors} {'error' if errors == 1 else 'errors'}" if errors else ""
        )
    drawn = folded(scene, folding)
    assert sum(server.stack or 1 for server in drawn.servers) == len(scene.servers)
    assert len(drawn.findings) == len(scene.findings)
    known = {server.name for server in drawn.servers}
    assert all(set(link.ends) <= known for link in drawn.links)
    assert all(known.issuperset(zone.servers) for zone in drawn.zones)
    spots = [(server.x, server.y) for server in drawn.servers]
    assert len(spots) == len(set(spots))


def test_a_page_has_the_folds_and_all_servers() -> None:
    scene = star(300)
    data = embedded(nodes_of(scene), edges_of(scene), scene)
    ((hub, own, label, _, _, _),) = data["folds"]
    texts = data["texts"]
    assert texts[label] == "300 servers"
    assert scene.servers[hub].name == "HUB"
    assert [scene.servers[number].name for number in own] == sorted(
        server.name for server in scene.servers if server.name != "HUB"
    )


def test_a_star_of_thousands_begins_with_its_fold_and_not_with_a_disc() -> None:
    scene = star(3_000)
    data = embedded(nodes_of(scene), edges_of(scene), scene)
    assert len(data["folds"]) == 1
    assert data["overview"] is None


def test_what_a_user_changed_is_not_folded() -> None:
    scene = star(60)
    nodes = [
        {**node, "color": "gold"} if node["id"] == "L007" else node for node in nodes_of(scene)
    ]
    assert embedded(nodes, edges_of(scene), scene)["folds"] == []
