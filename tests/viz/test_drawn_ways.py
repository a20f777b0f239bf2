"""Whatever the network: what is drawn begins at the sender and ends at what stops the message, and
verdict and marks say the same.

The rules of EMS zones are read a second time by ``brute_force.ems_estate``: the way to a block is
one of the paths that it enumerates.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from brute_force.ems_estate import TOPICS, Estate, estates, passes, properties, simple_paths
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.findings import Source
from topograph.network import Network
from topograph.questions.answers import (
    Answer,
    HopsAnswer,
    PathsAnswer,
    PropagateAnswer,
    ReachAnswer,
)
from topograph.viz.scene.records import BlockDrawn, Mark, Scene, StepDrawn
from topograph.viz.scene.stops import causes_first, causes_of, steps_to_blocks

pytestmark = pytest.mark.slow

SEVERAL = settings(max_examples=draws(36), deadline=None, suppress_health_check=list(HealthCheck))

GETS = (Mark.DELIVERED, Mark.STORED, Mark.WOULD_DELIVER)


@contextmanager
def read(estate: Estate, missing: Collection[str] = ()) -> Iterator[Network]:
    """The network of an estate, of some servers without their files."""
    with tempfile.TemporaryDirectory() as folder:
        estate.write(Path(folder))
        for server in missing:
            shutil.rmtree(Path(folder, server))
        yield topograph.read(folder)


def whole(steps: Collection[StepDrawn], start: str, end: str) -> bool:
    """Whether numbered steps lead from one server to another without a gap."""
    order = list(steps)
    if not order:
        return start == end
    joined = all(one.to == other.from_ for one, other in pairwise(order))
    numbered = [step.number for step in order] == list(range(1, len(order) + 1))
    return joined and numbered and (order[0].from_, order[-1].to) == (start, end)


def hold(scene: Scene, start: str) -> None:
    """What holds of every picture of a message or a path."""
    drawn = {link.id for link in scene.links}
    for path in scene.paths:
        assert whole(path.steps, start, path.servers[-1]), path
        assert path.servers[0] == start
        assert all(step.link in drawn for step in path.steps)
    for number, block in enumerate(scene.blocks):
        assert whole(block.way, start, block.at), block
        assert block.repeats < number
        if block.repeats >= 0:
            assert scene.blocks[block.repeats].repeats < 0, "what is repeated is a cause"
    causes = causes_of(scene.blocks)
    assert [block for block, _ in causes] == list(scene.blocks[: len(causes)]), "causes come first"
    assert len(causes) + sum(len(repeated) for _, repeated in causes) == len(scene.blocks)
    # Each sign stands at the end of a way that is drawn.
    shown = [path for path in scene.paths if path.shown]
    steps = {
        *steps_to_blocks(scene.blocks, shown),
        *(step for path in shown for step in path.steps),
    }
    assert all(
        block.at == start or any(step.to == block.at for step in steps) for block, _ in causes
    )


def agree(scene: Scene, answer: Answer) -> None:
    """Verdict, marks and signs of one answer say the same."""
    marks = {server.name: server.mark for server in scene.servers}
    left_open = "cannot be decided" in scene.verdict or "could change that" in scene.verdict
    unsure = [block for block in scene.blocks if not block.certain]
    if isinstance(answer, PropagateAnswer):
        gets = {name for name, mark in marks.items() if mark in GETS}
        assert gets == {delivery.server for delivery in answer.deliveries} - {answer.from_}
        if "delivered nowhere" in scene.verdict:
            assert not gets
            if not left_open:
                assert not unsure
                assert Mark.UNDETERMINED not in marks.values()
        if left_open:
            assert unsure or Mark.UNDETERMINED in marks.values()
        return
    to = next(value for value in (getattr(answer, "to", None), "") if value is not None)
    if not to:
        return
    said = marks[to]
    if scene.verdict.startswith("As far as the loaded files show") and not left_open:
        assert said is Mark.UNDETERMINED
        assert any("as far as the loaded files show" in block.reason for block in unsure)
    elif left_open:
        assert said is Mark.UNDETERMINED
        assert not any(block.certain for block in scene.blocks)
    elif "does not reach" in scene.verdict or "no permitted path" in scene.verdict:
        assert said is Mark.UNREACHABLE
        assert not unsure
    elif to != getattr(answer, "from_", ""):
        assert said is Mark.TARGET
        assert not scene.blocks
        assert [path for path in scene.paths if path.shown]


@SEVERAL
@given(estates(), st.data())
def test_ways_of_paths_begin_at_the_sender_and_end_at_what_stops_them(
    estate: Estate, data: st.DataObject
) -> None:
    missing = data.draw(st.sets(st.sampled_from(estate.servers), max_size=1))
    with read(estate, missing) as network:
        names = network.server_names()
        start, end = data.draw(st.tuples(st.sampled_from(names), st.sampled_from(names)))
        paths = [(start,), *simple_paths(estate, start)]
        for answer in (
            network.reach(start, end),
            network.hops(start, end),
            network.paths(start, end),
        ):
            assert isinstance(answer, (ReachAnswer, HopsAnswer, PathsAnswer))
            scene = network.scene(answer)
            if start != end:
                hold(scene, start)
                agree(scene, answer)
            for block in scene.blocks:
                assert (start, *(step.to for step in block.way)) in paths, block
            for stop in answer.stopped:
                # No longer path is permitted over this link, and the one drawn there is as short as
                # any.
                assert (*stop.path, stop.to) not in paths
                assert len(stop.path) == min(len(path) for path in paths if path[-1] == stop.at)
        everywhere = network.reach(start)
        hold(network.scene(everywhere), start)
        for entry in everywhere.undetermined:
            assert not entry.path or entry.path in paths


@SEVERAL
@given(estates(), st.sampled_from(TOPICS), properties, st.data())
def test_a_message_is_drawn_to_every_place_where_it_ends(
    estate: Estate, topic: str, values: Mapping[str, object], data: st.DataObject
) -> None:
    missing = data.draw(st.sets(st.sampled_from(estate.servers), max_size=1))
    subscribers = data.draw(st.sets(st.sampled_from(estate.servers)))
    with read(estate, missing) as network:
        names = network.server_names()
        start = data.draw(st.sampled_from(names))
        answer = network.propagate(
            start,
            f"topic:{topic}",
            dict(values),
            subscribers=[f"{name}:topic:{topic}" for name in sorted(subscribers) if name in names],
        )
        scene = network.scene(answer)
        hold(scene, start)
        agree(scene, answer)
        if missing:
            return
        for block in scene.blocks:
            ends = (start, *(step.to for step in block.way))
            assert all(
                passes(estate, one, other, topic, values) for one, other in pairwise(ends)
            ), block


def block(
    at: str, to: str, reason: str, *, guard: str = "", value: str = "FALSE", way: str = ""
) -> BlockDrawn:
    servers = [*way, at] if way else []
    steps = tuple(
        StepDrawn(number, one, other, f"{one}-{other}", "", "", "", (), Source(""))
        for number, (one, other) in enumerate(pairwise(servers), 1)
    )
    link = "" if at == to else f"{at}-{to}"
    return BlockDrawn(at, to, link, reason, guard, value, Source(""), way=steps)


ZONES = {f"{one}-{other}": "Z" for one in "SABCT" for other in "SABCT"} | {"S-Y": "Y"}


def repeats(*blocks: BlockDrawn) -> list[tuple[str, str, int]]:
    return [
        (one.at, one.to, one.repeats) for one in causes_first(blocks, ZONES, frozenset({"zone"}))
    ]


def test_in_a_mesh_the_servers_that_do_not_pass_it_on_repeat_the_one_that_did_not_send_it() -> None:
    found = repeats(
        block("A", "T", "zone", way="S"),
        block("B", "T", "zone", way="S"),
        block("S", "T", "selector", guard="x = 1"),
    )
    assert found == [("S", "T", -1), ("A", "T", 0), ("B", "T", 0)]


def test_blocks_alike_but_for_the_server_beyond_are_one_in_each_zone() -> None:
    same = [
        block("S", name, "no interest", guard=f"no subscriber at {name} or behind it")
        for name in "ABCY"
    ]
    assert repeats(*same) == [("S", "A", -1), ("S", "Y", -1), ("S", "B", 0), ("S", "C", 0)]


def test_different_selectors_are_different_causes_whatever_they_compare_with() -> None:
    found = [
        BlockDrawn(
            "S", name, f"S-{name}", "selector", f"country = '{name}'", "FALSE", Source(""), True
        )
        for name in "AB"
    ]
    assert repeats(*found) == [("S", "A", -1), ("S", "B", -1)]


def test_what_is_left_open_on_the_way_to_a_server_without_files_is_counted_there() -> None:
    found = repeats(
        block("S", "A", "not certain: no interest", value="UNKNOWN"),
        block("B", "B", "cannot be decided", value="UNKNOWN", way="SA"),
        block("S", "T", "no interest"),
    )
    assert found == [("S", "T", -1), ("B", "B", -1), ("S", "A", 1)]
