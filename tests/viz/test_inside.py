"""What a picture of a trace shows inside the servers: every step once, in order, never more certain
than the trace, and the objects that a message was built to pass.
"""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import DRAWN, drawn
from hostile import HEBREW, LONG, MARKUP, TURNED

import topograph
from topograph.errors import TopographError
from topograph.findings import Source
from topograph.questions.answers import TraceAnswer, TraceBranch, TraceReply, TraceStep
from topograph.viz import formats
from topograph.viz.page.embedding import embedded
from topograph.viz.scene.elements import edges_of, nodes_of
from topograph.viz.scene.inside import columns, forks
from topograph.viz.scene.records import (
    Mark,
    PassedDrawn,
    PathDrawn,
    Scene,
    StationDrawn,
    StepDrawn,
)
from topograph.viz.svg.lanes import Lanes
from topograph.words.visible import readable

EXAMPLES = Path(__file__).parents[2] / "examples"

ASKED: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("queue_managers", ("STORE1", "queue:ORDERS"), {}),
    ("queue_managers", ("EAST", "ANSWERS@STORE1"), {}),
    ("sibus_orders", ("Orders", "queue:ORDERS.IN"), {"reply": True}),
    ("mqe_devices", ("harbour", "JOBS@crane7"), {}),
    ("mixed", ("SCANNER1", "ORDERS@HQ"), {}),
    ("routers", ("LON", "address:orders"), {}),
    ("routers", ("SHOP", "address:archive.2026"), {}),
    ("retail", ("HQ", "topic:prices.fruit", {"region": "south"}), {}),
    ("retail", ("LAKESIDE", "queue:restock", {"quantity": 4}), {}),
    ("estate", ("HQ", "topic:orders", {"country": "Spain"}), {}),
)


def way(answer: TraceAnswer | TraceReply, last: int) -> list[TraceStep]:
    found: list[TraceStep] = []
    while last >= 0:
        found.insert(0, answer.steps[last])
        last = found[0].after
    return found


def readings(answer: TraceAnswer | TraceReply) -> set[int]:
    """Branches of other readings, with all that follow in them."""
    found: set[int] = set()
    for branch in answer.branches:
        if branch.kind == "reading" or branch.of in found:
            found.add(branch.id)
    return found


def ends(answer: TraceAnswer | TraceReply) -> list[TraceBranch]:
    left_out = readings(answer)
    return [one for one in answer.branches if one.ending and one.id not in left_out]


def passed(path: PathDrawn) -> list[tuple[object, ...]]:
    """All that a path passes, thing by thing, with the server and how the object is called."""
    return [
        (bare(column.server), place.station.kind, place.station.name, *told(place.station, number))
        for column in columns(path)
        for place in column.places
        for number in range(len(place.station.passed))
    ]


def bare(server: str) -> str:
    """A server's name without its system, which stands before names that several have."""
    return server.rpartition(":")[2]


def told(station: StationDrawn, number: int) -> tuple[object, ...]:
    one = station.passed[number]
    return one.text, one.rule, one.confidence, one.source


def as_passed(step: TraceStep) -> tuple[object, ...]:
    name = step.name or step.object
    return step.at, step.kind, name, step.text, step.rule, str(step.confidence), step.source


def unsure(answer: TraceAnswer | TraceReply, number: int) -> set[str]:
    """What a branch and those that it comes out of depend on."""
    found = set()
    while number >= 0:
        found.add(answer.branches[number].kind)
        number = answer.branches[number].of
    return found & {"one_of", "later", "opaque", "reading"}


def hold(answer: TraceAnswer, scene: Scene) -> int:
    """Every way of the answer is a path whose stations are its steps, each once and in order, and
    no station is more certain than its step. Returns how many steps there are."""
    each = [answer, *answer.replies]
    expected = []
    certain = {}
    for one in each:
        for branch in ends(one):
            steps = way(one, branch.last)
            expected.append([as_passed(step) for step in steps])
            for step in steps:
                certain.setdefault(as_passed(step), []).append(not unsure(one, step.branch))
    drawn_ = [passed(path) for path in scene.paths]
    for found in drawn_:
        # What a container lets out again has been stored before: the way there stands before it.
        assert any(found[-len(steps) :] == steps for steps in expected if steps) or not found
    for steps in expected:
        assert any(found[len(found) - len(steps) :] == steps for found in drawn_)
    for path in scene.paths:
        for column in columns(path):
            for place in column.places:
                for number in range(len(place.station.passed)):
                    key = (
                        bare(column.server),
                        place.station.kind,
                        place.station.name,
                        *told(place.station, number),
                    )
                    assert place.station.mark or any(certain[key])
    shown = {step for steps in drawn_ for step in steps}
    left_out = readings(answer)
    for step in answer.steps:
        assert as_passed(step) in shown or step.branch in left_out or not reaches(answer, step)
    return len(answer.steps)


def reaches(answer: TraceAnswer, step: TraceStep) -> bool:
    """Whether some way that ends goes over a step."""
    return any(step.id in {one.id for one in way(answer, b.last)} for b in ends(answer))


@pytest.mark.parametrize(("name", "words", "how"), ASKED)
def test_every_step_of_an_example_is_a_station_once_with_rule_and_place(
    name: str, words: tuple[Any, ...], how: dict[str, Any]
) -> None:
    network = topograph.read(EXAMPLES / name)
    answer = network.trace(*words, **how)
    assert hold(answer, network.view(answer).scene) > 1


def traces(system: str, number: int, folder: Path) -> Iterator[tuple[TraceAnswer, Scene]]:
    estate = drawn(system, "one", number)
    for name, content in estate.files.items():
        path = folder / str(number) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    network = topograph.read(folder / str(number))
    for method, words, how in estate.questions():
        if method != "trace":
            continue
        try:
            answer = network.trace(*words, **how)
        except TopographError:
            continue
        yield answer, network.view(answer).scene


@pytest.mark.parametrize("system", DRAWN)
def test_every_step_of_drawn_estates_is_a_station_once(system: str, tmp_path: Path) -> None:
    steps = 0
    unnamed = set()
    for number in range(6):
        for answer, scene in traces(system, number, tmp_path):
            steps += hold(answer, scene)
            # That a message goes round for ever is a step of its own, at no object.
            unnamed |= {
                step.text
                for step in answer.steps
                if step.rule and not step.kind and not step.outcome.startswith("LOOP")
            }
    assert steps > 30
    assert not unnamed, "systems say of each step with a rule what has the message"


def kinds(scene: Scene) -> list[tuple[str, str, str]]:
    """Server, kind and name of the stations of the first path."""
    return [
        (column.server, place.station.kind, place.station.name)
        for column in columns(scene.paths[0])
        for place in column.places
    ]


def hops(scene: Scene) -> list[str]:
    return [column.leaves.over for column in columns(scene.paths[0]) if column.leaves is not None]


@pytest.mark.parametrize("number", range(20))
def test_a_chain_of_queue_managers_is_drawn_as_it_was_built(number: int, tmp_path: Path) -> None:
    """Alias queues, then a remote queue, its transmission queue and the channel, over some queue
    managers, and at the end a local queue."""
    at = random.Random(number)
    managers = [f"QM{index}" for index in range(at.choice((2, 3, 4)))]
    expected, over = [], []
    for index, here in enumerate(managers):
        lines: list[str] = []
        entry = f"Q{index}"
        if index:
            channel = f"{managers[index - 1]}.{here}"
            lines.append(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)")
            expected.append((here, "receiver channel", channel))
        if at.random() < 0.6:
            lines.append(f"DEFINE QALIAS({entry}) TARGET({entry}.REAL)")
            expected.append((here, "alias queue", entry))
            entry += ".REAL"
        if index + 1 == len(managers):
            lines.append(f"DEFINE QLOCAL({entry})")
            expected.append((here, "local queue", entry))
        else:
            there = managers[index + 1]
            sent, channel = f"XMIT.{there}", f"{here}.{there}"
            lines += [
                f"DEFINE QREMOTE({entry}) RNAME(Q{index + 1}) RQMNAME({there}) XMITQ({sent})",
                f"DEFINE QLOCAL({sent}) USAGE(XMITQ)",
                f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('{there}.example') XMITQ({sent})",
            ]
            expected += [(here, "remote queue", entry), (here, "transmission queue", sent)]
            over.append(f"channel {channel}")
        (tmp_path / f"{here}.mqsc").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "topograph.yaml").write_text(
        "hosts:\n" + "".join(f"  {one}.example: {one}\n" for one in managers), encoding="utf-8"
    )
    network = topograph.read(tmp_path)
    scene = network.view(network.trace(managers[0], "queue:Q0")).scene
    assert kinds(scene) == expected
    assert hops(scene) == over
    assert scene.paths[0].end is Mark.DELIVERED


@pytest.mark.parametrize("number", range(20))
def test_a_routing_path_is_drawn_as_it_was_built(number: int, tmp_path: Path) -> None:
    at = random.Random(number)
    names = [f"STEP{index}" for index in range(at.choice((2, 3, 5, 8)))]
    path = " ".join(f"[Yard {name}]" for name in names[1:])
    lines = [
        "AdminTask.createSIBus('[-bus Yard -busSecurity false]')",
        "AdminTask.addSIBusMember('[-bus Yard -node node1 -server server1]')",
    ]
    for index, name in enumerate(names):
        of = "" if index else f" -defaultForwardRoutingPath [{path}]"
        lines.append(
            f"AdminTask.createSIBDestination('[-bus Yard -name {name} -type Queue -node node1 "
            f"-server server1{of}]')"
        )
    (tmp_path / "yard.jy").write_text("\n".join(lines) + "\n", encoding="utf-8")
    network = topograph.read(tmp_path)
    scene = network.view(network.trace("Yard", f"queue:{names[0]}")).scene
    assert kinds(scene) == [("Yard", "queue", name) for name in names]
    assert scene.paths[0].end is Mark.DELIVERED


@pytest.mark.parametrize("number", range(20))
def test_a_chain_of_devices_is_drawn_as_it_was_built(number: int, tmp_path: Path) -> None:
    """A remote queue, the connection, over some queue managers that pass on what they get, and at
    the end a local queue."""
    at = random.Random(number)
    devices = [f"D{index}" for index in range(at.choice((2, 3, 4)))]
    last = devices[-1]
    expected = []
    for index, here in enumerate(devices):
        lines = ["kind: mqe", f"queueManager: {here}", "codebase: java", "listeners:"]
        lines += ["  - {name: public, port: 8081}", "connections:"]
        if here == last:
            lines[-1] = "connections: []"
            lines += ["queues:", "  - {type: local, name: WORK}"]
            expected.append((here, "local queue", "WORK"))
        else:
            there = devices[index + 1]
            lines.append(
                f"  - {{name: {there}, type: direct, address: {there}.example, port: 8081}}"
            )
            if there != last:
                lines.append(f"  - {{name: {last}, type: via, via: {there}}}")
            lines += ["queues:", f"  - {{type: remote, name: WORK, qmgr: {last}, mode: async}}"]
            expected.append((here, "remote queue", f"WORK@{last}"))
            expected.append((here, "connection", last))
        (tmp_path / f"{here}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    network = topograph.read(tmp_path)
    scene = network.view(network.trace("D0", f"WORK@{last}")).scene
    assert kinds(scene) == expected
    assert hops(scene) == ["connection"] * (len(devices) - 1)


def test_alternatives_fork_where_they_part_and_are_not_certain_from_there() -> None:
    network = topograph.read(EXAMPLES / "queue_managers")
    scene = network.view(network.trace("STORE1", "queue:ORDERS")).scene
    (fork,) = forks(scene.paths, 0)
    stations = [place.station for column in columns(scene.paths[0]) for place in column.places]
    assert (stations[fork.at].kind, fork.mark, fork.paths) == ("cluster queue", Mark.ONE_OF, (1,))
    assert [one.mark for one in stations] == [Mark.NONE] * fork.at + [Mark.ONE_OF] * 4
    assert {path.end for path in scene.paths} == {Mark.ONE_OF}


def test_what_waits_and_what_comes_later_have_their_signs() -> None:
    network = topograph.read(EXAMPLES / "mqe_devices")
    now, later = network.view(network.trace("harbour", "JOBS@crane7")).scene.paths
    assert (now.end, later.end) == (Mark.HELD, Mark.LATER)
    marks = [[place.station.mark for place in column.places] for column in columns(later)]
    assert marks == [[Mark.NONE, Mark.LATER], [Mark.LATER]]


@pytest.mark.parametrize(("name", "words", "how"), ASKED)
def test_page_and_drawing_show_the_same_stations(
    name: str, words: tuple[Any, ...], how: dict[str, Any]
) -> None:
    network = topograph.read(EXAMPLES / name)
    scene = network.view(network.trace(*words, **how)).scene
    data: Any = embedded(nodes_of(scene), edges_of(scene), scene)
    texts = data["texts"]
    known = [[texts[one[0]], texts[one[1]]] for one in data["stations"]]
    inside = [step.inside for path in scene.paths for step in path.steps]
    expected = {(one.kind, one.name) for stations in inside for one in stations}
    assert {tuple(one) for one in known} == expected
    drawing = formats.svg(scene)
    assert 'class="drawn-lanes"' in drawing
    of_path = [place.station for column in columns(scene.paths[0]) for place in column.places]
    boxes = drawing.count('<rect class="lane-box')
    assert boxes == len(of_path)
    for station in of_path:
        assert readable(station.kind) in drawing
        # A long name stands in several lines.
        assert readable(station.name)[:18].strip() in drawing


def test_a_picture_of_another_question_has_nothing_inside() -> None:
    network = topograph.read(EXAMPLES / "queue_managers")
    scene = network.view(network.reach("STORE1")).scene
    assert not any(columns(path) for path in scene.paths)
    assert 'class="drawn-lanes"' not in formats.svg(scene)
    assert embedded(nodes_of(scene), edges_of(scene), scene)["stations"] == []


def test_what_a_server_refuses_is_drawn_at_the_one_before_again(tmp_path: Path) -> None:
    """A listener of MQe takes it off a transmission queue and is refused: it stays there."""
    (tmp_path / "QM.mqsc").write_text(
        "DEFINE QREMOTE(JOBS) RNAME(NONE) RQMNAME(edge) XMITQ(OUT)\n"
        "DEFINE QLOCAL(OUT) USAGE(XMITQ)\n",
        encoding="utf-8",
    )
    (tmp_path / "gate.yaml").write_text(
        "kind: mqe\nqueueManager: edge\ncodebase: java\nbridgeEnabled: true\n"
        "listeners: []\nconnections: []\nqueues: []\n"
        "xmitqListeners:\n  - {mqQueueManager: QM, xmitq: OUT}\n",
        encoding="utf-8",
    )
    network = topograph.read(tmp_path)
    scene = network.view(network.trace("QM", "queue:JOBS")).scene
    found = columns(scene.paths[0])
    assert [column.server for column in found] == ["QM", "edge", "QM"]
    assert [column.leaves is not None for column in found] == [True, False, False]
    assert kinds(scene)[-1] == ("QM", "transmission queue", "OUT")
    assert scene.paths[0].end is Mark.HELD
    assert "back" in formats.svg(scene)


@pytest.mark.parametrize(
    "name",
    [MARKUP, TURNED, HEBREW, *LONG, "]]>&amp;<![CDATA[", "\x1b[31m\x00 \ufffe", "\udcff", ""],
)
def test_no_name_of_an_object_becomes_markup(name: str) -> None:
    passed = PassedDrawn(name, name, name, Source(name, 1))
    stations = tuple(
        StationDrawn(kind, name, (passed,), mark, name)
        for kind, mark in ((name, Mark.NONE), ("queue", Mark.LATER))
    )
    steps = [
        StepDrawn(1, "A", "B", "", "", name, "H", (), Source(""), inside=stations, over=name),
        StepDrawn(2, "B", "B", "", "", name, "H", (), Source(""), inside=stations),
    ]
    paths = [
        PathDrawn(name, ("A", "B"), tuple(some), end=Mark.DELIVERED, ending=name)
        for some in (steps, steps[:1], steps[1:])
    ]
    for number in range(len(paths)):
        drawing = Lanes(paths, number, 700.0).markup
        root = ET.fromstring(f"<svg>{drawing}</svg>")
        assert {one.tag for one in root.iter()} <= {"svg", "g", "rect", "path", "circle", "text"}
