"""The states of a network in pictures that can be compared: drawn estates after drawn changes, with
everything that should be equal or marked worked out from the pictures of each state alone.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed
from drawn.networks import ROOT, estate_of, example, route

import topograph
from topograph.audit.links import compared_links
from topograph.errors import UsageError
from topograph.forwarding.reached import LinkShown
from topograph.viz.scene.records import LinkDrawn, Mark, Scene
from topograph.viz.scene.states import NetworkState, StatesDrawn, link_ids, states_drawn
from topograph.viz.svg.pieces import markup
from topograph.viz.svg.states import state_elements

SEQUENCES = [
    (system, way, number)
    for system, ways in DRAWN.items()
    for way in ways
    for number in range(700, 703)
]

CHANGES = (Mark.COMES, Mark.GOES, Mark.ALTERED)


def networks(system: str, way: str, number: int, tmp_path: Path) -> Sequence[topograph.Network]:
    """An estate and what becomes of it in a few changes, the first state again at the end of every
    third sequence."""
    at = random.Random(f"states {system} {way} {number}")
    first = drawn(system, way, number).files
    files = [first, *changed(system, first, at, 3)]
    if number % 3 == 0:
        files.append(first)
    found = []
    for state, texts in enumerate(files):
        folder = tmp_path / f"state{state}"
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        found.append(topograph.read(folder))
    return found


def together(states: Sequence[topograph.Network]) -> StatesDrawn:
    return states_drawn(
        [
            NetworkState(f"revision {number}", f"2024-01-{number:02}", state._model)
            for number, state in enumerate(states, 1)
        ]
    )


def alone(state: topograph.Network) -> Scene:
    return state.scene(whole=True)


def by_itself(link: LinkDrawn) -> tuple[object, ...]:
    """A link wherever it is in its file and in its picture."""
    return (
        *(link.ends, link.zone, link.zone_type, link.style, link.configured_by, link.cost),
        *(link.name, link.role, link.because),
    )


def pairs(scene: Scene) -> Mapping[tuple[str, ...], Counter[tuple[object, ...]]]:
    found: dict[tuple[str, ...], Counter[tuple[object, ...]]] = defaultdict(Counter)
    for link in scene.links:
        found[tuple(sorted(link.ends))][by_itself(link)] += 1
    return found


@pytest.mark.parametrize(("system", "way", "number"), SEQUENCES)
def test_states(system: str, way: str, number: int, tmp_path: Path) -> None:
    states = networks(system, way, number, tmp_path)
    found = together(states)
    scenes = [one.scene for one in found.states]
    singles = [alone(state) for state in states]
    each_has_what_it_has_alone(scenes, singles)
    nothing_moves(found, scenes, singles)
    for at in range(1, len(states)):
        differences_are_marked(found, singles, at)
    the_page_has_each_place_once(found)


def each_has_what_it_has_alone(scenes: Sequence[Scene], singles: Sequence[Scene]) -> None:
    for scene, single in zip(scenes, singles, strict=True):
        assert [one.name for one in scene.servers] == [one.name for one in single.servers]
        assert Counter(map(by_itself, scene.links)) == Counter(map(by_itself, single.links))
        assert len({one.id for one in scene.links}) == len(scene.links)
        assert Counter((one.kind, one.name, one.servers) for one in scene.zones) == Counter(
            (one.kind, one.name, one.servers) for one in single.zones
        )
        assert [(one.kind, one.name) for one in scene.attached] == [
            (one.kind, one.name) for one in single.attached
        ]


def nothing_moves(found: StatesDrawn, scenes: Sequence[Scene], singles: Sequence[Scene]) -> None:
    places: dict[str, set[tuple[float, float]]] = defaultdict(set)
    drums: dict[tuple[str, str], set[tuple[float, float]]] = defaultdict(set)
    colours: dict[tuple[str, str], set[int]] = defaultdict(set)
    for scene in scenes:
        at = {one.name: (one.x, one.y) for one in scene.servers}
        for name, spot in at.items():
            places[name].add(spot)
        for drum in scene.attached:
            x, y = at[drum.servers[0]]
            drums[drum.kind, drum.name].add((round(x + drum.x, 6), round(y + drum.y, 6)))
        for zone in scene.zones:
            colours[zone.kind, zone.name].add(zone.colour)
    for of in (places, drums, colours):
        assert [name for name, own in of.items() if len(own) > 1] == []
    assert {name: {spot} for name, spot in found.places.items()} == places
    assert len({spot for own in places.values() for spot in own}) == len(places)
    last = {one.name: (one.x, one.y) for one in singles[-1].servers}
    assert last == {name: found.places[name] for name in last}
    assert {(one.kind, one.name): one.colour for one in singles[-1].zones} == {
        (one.kind, one.name): one.colour for one in scenes[-1].zones
    }


def differences_are_marked(found: StatesDrawn, singles: Sequence[Scene], at: int) -> None:
    before, after = found.states[at - 1].scene, found.states[at].scene
    moved = found.states[at].moved
    assert moved is not None
    was, now = ({one.name for one in scene.servers} for scene in singles[at - 1 : at + 1])
    assert {name: mark for name, (mark, _) in moved.servers.items()} == {
        **dict.fromkeys(was - now, Mark.GOES),
        **dict.fromkeys(now - was, Mark.COMES),
    }
    for name in now - was:
        drawn_as = next(one for one in after.servers if one.name == name)
        assert drawn_as.mark in {Mark.COMES, Mark.GOES}
        assert f"not there in {found.states[at - 1].label}" in drawn_as.note
    for name in was - now:
        assert next(one for one in before.servers if one.name == name).mark is Mark.GOES
    links_before, links_after = ({one.id: one for one in scene.links} for scene in (before, after))
    marked: dict[Mark, Counter[tuple[str, ...]]] = {mark: Counter() for mark in CHANGES}
    for id_, (mark, note) in moved.links.items():
        one = (links_before if mark is Mark.GOES else links_after)[id_]
        assert note
        assert note in one.note
        assert one.mark
        marked[mark][tuple(sorted(one.ends))] += 1
    old, new = pairs(singles[at - 1]), pairs(singles[at])
    for ends in old.keys() | new.keys():
        gone = (old.get(ends, Counter()) - new.get(ends, Counter())).total()
        come = (new.get(ends, Counter()) - old.get(ends, Counter())).total()
        assert marked[Mark.GOES][ends] == max(0, gone - come), ends
        assert marked[Mark.COMES][ends] == max(0, come - gone), ends
        # One more where other messages pass a link that is otherwise the same.
        others = marked[Mark.ALTERED][ends] - min(gone, come)
        assert others == 0 or (others == 1 and not min(gone, come)), ends
    kept = links_before.keys() & links_after.keys()
    altered = {id_ for id_, (mark, _) in moved.links.items() if mark is Mark.ALTERED}
    for id_ in kept - altered:
        assert by_itself(links_before[id_]) == by_itself(links_after[id_])
    assert links_before.keys() - kept == {
        id_ for id_, (mark, _) in moved.links.items() if mark is Mark.GOES
    }
    assert links_after.keys() - kept == {
        id_ for id_, (mark, _) in moved.links.items() if mark is Mark.COMES
    }


def the_page_has_each_place_once(found: StatesDrawn) -> None:
    """In the drawings of all states a server is at one place, and all are of one width."""
    drawings = state_elements([state.scene for state in found.states], "still")
    places: dict[str, str] = {}
    for state, drawing in zip(found.states, drawings, strict=True):
        fields = set(re.findall(r'viewBox="0 0 (\S+) ', drawing))
        assert fields == set(re.findall(r'viewBox="0 0 (\S+) ', drawings[0]))
        shift = re.search(r'</desc>\n<g transform="(translate\([^)]*\))"', drawing)
        assert shift is not None
        assert shift[1] in drawings[0]
        titled = re.findall(r'<g transform="([^"]*)"[^>]*><title>([^\n<]*)', drawing)
        names = {markup(one.name): one.name for one in state.scene.servers}
        drawn_at = [(place, name) for place, name in titled if name in names]
        assert len(drawn_at) == len(names)
        for place, name in drawn_at:
            assert places.setdefault(name, place) == place


def test_the_sequences_have_every_mark(tmp_path: Path) -> None:
    seen: Counter[Mark] = Counter()
    for system, way, number in SEQUENCES:
        folder = tmp_path / f"{system}{way}{number}"
        for state in together(networks(system, way, number, folder)).states[1:]:
            assert state.moved is not None
            seen.update(mark for mark, _ in state.moved.links.values())
            seen.update(mark for mark, _ in state.moved.servers.values())
    assert all(seen[mark] >= 3 for mark in CHANGES), seen


def test_equal_states_differ_in_nothing() -> None:
    network = example("estate")
    found = together([network, network])
    assert found.states[1].moved is not None
    assert not found.states[1].moved.servers
    assert not found.states[1].moved.links
    single = alone(network)
    assert [one.scene.servers for one in found.states] == [single.servers] * 2
    assert [one.scene.links for one in found.states] == [single.links] * 2
    assert [one.scene.zones for one in found.states] == [single.zones] * 2


def ids_of(states: Sequence[Sequence[LinkShown]]) -> list[dict[str, str]]:
    """By state the id of the link of each zone."""
    # As they are read of each state: records of their own.
    estates = [estate_of("AB", [replace(link) for link in links]) for links in states]
    compared = [compared_links(one.links, other.links, {}, {}) for one, other in pairwise(estates)]
    return [
        {link.zone: own[id(link)] for link in estate.links}
        for estate, own in zip(estates, link_ids(estates, compared), strict=True)
    ]


def test_links_that_are_gone_for_a_while_keep_their_ids() -> None:
    whole = [route("A", "B", zone) for zone in ("ONE", "TWO", "THREE")]
    ids = ids_of([whole, [whole[1]], [], whole])
    assert ids[0] == ids[3]
    assert sorted(ids[0].values()) == ["A-B", "A-B (2)", "A-B (3)"]
    assert ids[1] == {"TWO": ids[0]["TWO"]}


def test_a_link_that_is_altered_keeps_its_id() -> None:
    ids = ids_of([[route("A", "B"), route("A", "B", "TWO")], [route("A", "B", configured_by="B")]])
    assert ids[0]["WAN"] == ids[1]["WAN"] != ids[0]["TWO"]


def test_no_state_is_no_picture() -> None:
    with pytest.raises(UsageError, match="one at least"):
        states_drawn([])


def written(folder: Path, files: Mapping[str, str]) -> topograph.Network:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return topograph.read(folder)


def zones_around_a_hub(sizes: Sequence[int]) -> dict[str, str]:
    """Servers linked to one hub, so many in each zone: the largest choose colours first."""
    routes = {
        f"Z{zone}S{number}": f"  zone_name = Z{zone}\n  zone_type = 1hop\n"
        for zone, size in enumerate(sizes)
        for number in range(size)
    }
    servers = {"HUB": routes, **{name: {"HUB": zone} for name, zone in routes.items()}}
    files = {}
    for name, own in servers.items():
        main = f"server = {name}\nrouting = enabled\nroutes = routes.conf\n"
        files[f"{name}/tibemsd.conf"] = main
        files[f"{name}/routes.conf"] = "".join(
            f"[{other}]\n  url = tcp://{other.lower()}:7222\n{zone}" for other, zone in own.items()
        )
    return files


def test_zones_whose_order_changes_keep_their_colours(tmp_path: Path) -> None:
    sizes = range(1, 9)
    first = written(tmp_path / "first", zones_around_a_hub(sizes))
    then = written(tmp_path / "then", zones_around_a_hub(sizes[::-1]))
    alone_colours = [{one.name: one.colour for one in alone(of).zones} for of in (first, then)]
    assert alone_colours[0] != alone_colours[1]
    found = together([first, then])
    nothing_moves(found, [one.scene for one in found.states], [alone(first), alone(then)])


def test_a_broker_stays_where_it_is_while_the_links_of_its_router_change(tmp_path: Path) -> None:
    folder = ROOT / "examples" / "routers"
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    whole = written(tmp_path / "whole", files)
    part = {name: text for name, text in files.items() if name in {"paris.conf", "madrid.conf"}}
    less = written(tmp_path / "less", part)
    found = together([less, whole])
    nothing_moves(found, [one.scene for one in found.states], [alone(less), alone(whole)])
    assert [len(one.scene.attached) for one in found.states] == [1, 2]
