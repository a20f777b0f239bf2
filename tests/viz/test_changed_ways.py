"""What a picture of ``audit`` shows inside the servers: the way of a message before and after the
change, as ``trace`` tells it of each state, and what of it the other state does not have.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn
from drawn.changes import changed
from drawn.networks import read_files
from hostile import HEBREW, LONG, MARKUP, TURNED

import topograph
from topograph.errors import TopographError
from topograph.network import Network, compare
from topograph.questions.answers import AuditAnswer, MessageFollowed
from topograph.viz import formats
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.changed_ways import CASES, WAYS
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.inside import columns, forks
from topograph.viz.scene.records import Mark, PathDrawn, Scene
from topograph.words.visible import readable

EXAMPLES = Path(__file__).parents[2] / "examples"
CHANGES = EXAMPLES / "changes"

SYSTEMS = ("ibm_mq", "mqe", "sibus", "amq_interconnect")


def audited(
    system: str, numbers: range, folder: Path
) -> Iterator[tuple[Network, Network, AuditAnswer, Scene]]:
    """Drawn estates, each with a change."""
    for number in numbers:
        files = drawn(system, "one", number).files
        for state in changed(system, files, random.Random(number), 1):
            networks = []
            for name, own in (("before", files), ("after", state)):
                networks.append(read_files(folder / f"{number}" / name, own))
            answer = compare(*networks)
            yield *networks, answer, networks[0].scene(answer)


def passed(path: PathDrawn) -> list[tuple[object, ...]]:
    """All that a path passes, thing by thing; of a server that is not loaded nothing is named."""
    return [
        (
            column.server,
            place.station.kind,
            place.station.kind and place.station.name,
            one.text,
            one.rule,
        )
        for column in columns(path)
        for place in column.places
        for one in place.station.passed
    ]


def cases(scene: Scene) -> dict[str, list[PathDrawn]]:
    found = [path for path in scene.paths if path.state]
    return {title: list(paths) for title, paths in groupby(found, lambda one: one.together)}


def objects(told: MessageFollowed) -> dict[tuple[str, str], set[tuple[str, str]]]:
    """By server and name the kinds of objects that a message passes, with what they do."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for step in told.steps:
        found.setdefault((step.at, step.name or step.object), set()).add((step.kind, step.text))
    return found


def hold(answer: AuditAnswer, scene: Scene) -> int:
    """Every case is a line of ``outcomes`` with paths of both states, whose ends are those of the
    line, and whose marks say what the other state lacks. Returns how many there are."""
    rows = {f"{row.destination} at {row.server}": row for row in answer.outcomes}
    found = cases(scene)
    assert len(found) <= CASES
    assert answer.follow is not None or not found
    for title, paths in found.items():
        row = rows[title]
        both = answer.follow and answer.follow(row)
        assert both
        states = [[one for one in paths if one.state == state] for state in ("before", "after")]
        assert paths == [*states[0], *states[1]]
        assert all(1 <= len(one) <= WAYS for one in states)
        for number, side in enumerate((row.before, row.after)):
            outcomes = {f"{branch.ending} at {branch.server}" for branch in both[number].branches}
            new = [text for text in side if text in outcomes]
            if new and not row.goes_otherwise:
                first = states[number][0].title
                assert any(f": {text.rpartition(' at ')[0]}, " in first for text in new)
        own = [objects(one) for one in both]
        for path in paths:
            here = own[path.state == "after"]
            there = own[path.state == "before"]
            for column in columns(path):
                for place in column.places:
                    station = place.station
                    key = column.server.rpartition(":")[2], station.name
                    doing = {(station.kind, one.text) for one in station.passed}
                    assert doing <= here[key]
                    if station.moved in (Mark.GOES, Mark.COMES):
                        assert station.moved is (Mark.GOES, Mark.COMES)[path.state == "after"]
                        assert not doing & there.get(key, set())
                    elif station.moved is Mark.ALTERED:
                        assert key in there
                        assert not doing <= there[key]
                    else:
                        assert doing <= there[key]
    if found and len(found) < len(answer.outcomes):
        assert any("inside servers before and after" in text for _, text in scene.facts)
    return len(found)


@pytest.mark.parametrize("system", SYSTEMS)
def test_ways_before_and_after_are_those_that_trace_tells_of_each_state(
    system: str, tmp_path: Path
) -> None:
    held = compared = asked = 0
    for *networks, answer, scene in audited(system, range(30), tmp_path):
        held += hold(answer, scene)
        for title, paths in cases(scene).items():
            destination, _, server = title.rpartition(" at ")
            if "any " in destination or " " in destination or "*" in destination:
                continue  # it stands for many names, which nobody can ask for
            for path in paths:
                network = networks[path.state == "after"]
                typed = "@" in destination or ":" in destination
                named = destination if typed else f"queue:{destination}"
                try:
                    told = network.scene(network.trace(server, named))
                except TopographError:
                    continue
                own = passed(path)
                # Of a server that is named alone trace says that nothing is known of it.
                compared += any(passed(one)[: len(own)] == own for one in told.paths)
                asked += 1
    assert held > 10
    # A message that says nothing of its type may enter where one to a queue is refused.
    assert compared > 0.8 * asked > 20, (compared, asked)


EXAMPLE = (
    ("queue_managers", "store2-orders.mqsc", "STORE2"),
    ("sibus_orders", "orders-without-pricing.jy", None),
    ("routers", "london.sh", None),
)


def example(name: str, script: str, at: str | None) -> tuple[AuditAnswer, Scene]:
    network = topograph.read(EXAMPLES / name)
    answer = network.audit(CHANGES / script, at=at)
    return answer, network.scene(answer)


def test_the_worst_case_is_shown_first_and_what_differs_is_marked() -> None:
    answer, scene = example(*EXAMPLE[0])
    assert hold(answer, scene) == len(answer.outcomes)
    before, after, other = cases(scene)["ORDERS at STORE2"]
    assert [path.shown for path in scene.paths] == [True, True] + [False] * (len(scene.paths) - 2)
    assert [path.end for path in (before, after)] == [Mark.ASIDE, Mark.ONE_OF]
    marks = {
        (place.station.kind, place.station.name): place.station.moved
        for path in (before, after)
        for column in columns(path)
        for place in column.places
    }
    assert marks["queue", "ORDER"] is Mark.GOES
    assert marks["cluster queue", "ORDERS"] is Mark.COMES
    assert marks["remote queue", "ORDERS"] is Mark.ALTERED
    assert marks["transmission queue", "HUB"] is Mark.NONE
    # The way to WEST leaves that to EAST; the way before is none of its forks.
    number = scene.paths.index(after)
    assert [fork.paths for fork in forks(scene.paths, number)] == [(scene.paths.index(other),)]
    assert not forks(scene.paths, scene.paths.index(before))


@pytest.mark.parametrize(("name", "script", "at"), EXAMPLE)
def test_page_and_drawing_tell_the_same(name: str, script: str, at: str | None) -> None:
    _, scene = example(name, script, at)
    data: Any = embedded(nodes_of(scene), edges_of(scene), scene)
    texts = data["texts"]
    embedded_moves = [texts[row[6]] if len(row) > 6 else "" for row in data["stations"]]
    drawn_moves = {
        (one.kind, one.name, one.moved)
        for path in scene.paths
        for step in path.steps
        for one in step.inside
    }
    assert {
        (texts[row[0]], texts[row[1]], Mark(moved))
        for row, moved in zip(data["stations"], embedded_moves, strict=True)
    } == drawn_moves
    assert [texts[row[8]] if len(row) > 8 else "" for row in data["paths"]] == [
        path.state for path in scene.paths
    ]
    drawing = formats.svg(scene)
    shown = [path for path in scene.paths if path.shown]
    assert [path.state for path in shown] == ["before", "after"]
    assert drawing.count('class="drawn-lanes"') == 2
    moved = [
        place.station.moved
        for path in shown
        for column in columns(path)
        for place in column.places
        if place.station.moved
    ]
    assert drawing.count('<rect class="lane-moved') == len(moved) > 0
    for path in shown:
        for column in columns(path):
            for place in column.places:
                assert readable(place.station.name)[:18].strip() in drawing


def test_an_audit_without_messages_that_end_otherwise_has_nothing_inside() -> None:
    network = topograph.read(EXAMPLES / "estate")
    answer = network.audit(CHANGES / "canada.txt", at="HQ")
    assert not cases(network.scene(answer))


def test_how_messages_are_followed_is_in_no_written_form() -> None:
    answer, _ = example(*EXAMPLE[0])
    assert answer.follow is not None
    assert "follow" not in answer.to_dict()
    assert answer == replace(answer, follow=None)


@pytest.mark.parametrize(
    "name",
    [MARKUP, TURNED, HEBREW, *LONG, "]]>&amp;<![CDATA[", "\x1b[31m\x00 \ufffe", "\udcff", ""],
)
def test_no_name_of_a_followed_message_becomes_markup(name: str) -> None:
    _, scene = example(*EXAMPLE[0])
    paths = tuple(
        replace(
            path,
            together=name,
            title=name,
            steps=tuple(
                replace(
                    step, inside=tuple(replace(one, name=name, kind=name) for one in step.inside)
                )
                for step in path.steps
            ),
        )
        for path in scene.paths
    )
    root = ET.fromstring(formats.svg(replace(scene, paths=paths)))
    assert not {one.tag.rpartition("}")[2] for one in root.iter()} & {"script", "img", "a"}


@pytest.mark.parametrize(("name", "script", "at"), EXAMPLE)
def test_a_drawing_tells_the_way_after_from_the_way_before(
    name: str, script: str, at: str | None
) -> None:
    _, scene = example(name, script, at)
    drawing = formats.svg(scene)
    before, after = [path for path in scene.paths if path.shown]
    hops = [step for step in after.steps if step.from_ != step.to]
    assert drawing.count('class="second-lanes"') == 1
    legend = drawing.partition("way after the change and its steps")[0]
    assert "way before the change and its steps" in legend
    lines = drawing.count('<path class="way second" d="M')
    assert lines == len(hops) + 1  # one is in the legend
    own = {(one.number, one.link, one.from_, one.to) for one in before.steps}
    apart = [one for one in hops if (one.number, one.link, one.from_, one.to) not in own]
    assert drawing.count('<rect class="step second"') == len(apart) + 1
