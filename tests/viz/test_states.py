"""The states of a network in pictures that can be compared: drawn estates after drawn changes, with
everything that should be equal or marked worked out from the pictures of each state alone.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn
from drawn.changes import changed
from drawn.networks import estate_of, example, route

import topograph
from topograph.audit.links import compared_links
from topograph.errors import UsageError
from topograph.forwarding.reached import LinkShown
from topograph.viz.page.embedding import embedded
from topograph.viz.page.embedding_states import embedded_states
from topograph.viz.scene.records import LinkDrawn, Mark, Scene
from topograph.viz.scene.states import NetworkState, StatesDrawn, link_ids, states_drawn

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


def rows_of(written: Mapping[str, Any]) -> list[list[Any]]:
    """What ``compact.table`` was given."""
    columns = []
    for column in written["columns"]:
        if isinstance(column, list):
            columns.append(column)
        elif "all" in column:
            columns.append([column["all"]] * written["rows"])
        else:
            columns.append(summed(column["steps"]))
    return [list(row) for row in zip(*columns, strict=True)]


def summed(steps: Sequence[int]) -> list[int]:
    found: list[int] = []
    for step in steps:
        found.append(step + (found[-1] if found else 0))
    return found


def the_page_has_each_place_once(found: StatesDrawn) -> None:
    """Each state, put together again, is what a page of it alone would have."""
    data: Any = embedded_states(found)
    places = rows_of(data["places"])
    assert sorted(data["texts"][name] for name, _, _ in places) == sorted(found.places)
    servers, links = rows_of(data["servers"]), rows_of(data["links"])
    for state, written in zip(found.states, data["states"], strict=True):
        assert (written["label"], written["date"]) == (state.label, state.date)
        scene = state.scene
        single: Any = embedded(
            [{"id": one.name} for one in scene.servers],
            [{"id": one.id} for one in scene.links],
            scene,
        )
        own = []
        for number in summed(written["servers"]):
            place, *row = servers[number]
            name, x, y = places[place]
            row = [name, *row]
            own.append([*row[:10], x, y, *row[10:]])
        resolved = resolve(own, data["texts"], SERVER_TEXTS)
        assert resolved == resolve(rows_of(single["servers"]), single["texts"], SERVER_TEXTS)
        written_links = [links[number] for number in summed(written["links"])]
        assert resolve(written_links, data["texts"], LINK_TEXTS) == resolve(
            rows_of(single["links"]) if scene.links else [], single["texts"], LINK_TEXTS
        )
        assert written["about"] == single["about"]
        marks = written["changes"] and [
            {data["texts"][name]: data["texts"][mark] for name, mark, _ in of}
            for of in written["changes"]
        ]
        assert marks == (
            state.moved
            and [
                {name: mark.value for name, (mark, _) in of.items()}
                for of in (state.moved.servers, state.moved.links)
            ]
        )
        assert len(written["zones"]) == len(single["zones"])


SERVER_TEXTS = (0, 1, 3, 4, 5, 8, 9, 12, 13, 16)
LINK_TEXTS = (0, 1, 2, 3, 4, 5, 6, 8, 13, 14, 15, 16, 17, 18)


def resolve(
    rows: Sequence[Sequence[Any]], texts: Sequence[str], numbers: Sequence[int]
) -> list[list[Any]]:
    """Rows with the texts at some places of each in place of their numbers."""

    def text(value: Any) -> Any:
        return [texts[one] for one in value] if isinstance(value, list) else texts[value]

    def own(at: int, value: Any) -> Any:
        if at in numbers:
            return text(value)
        if isinstance(value, list):
            return [[texts[kind], many, text(names)] for kind, many, names in value]
        return value

    return [[own(at, value) for at, value in enumerate(row)] for row in rows]


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
