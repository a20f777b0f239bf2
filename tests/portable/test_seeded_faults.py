"""A fault in the data of a page does not go unnoticed: each turns the comparison with the
commands red.
"""

from __future__ import annotations

import copy
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn
from portable.columns import repacked, unpacked
from portable.comparing import Counts, about_pairs, commanded, compare_data, models_of, replies
from portable.networks import made, write_random_routers
from portable.node_engine import NodeEngine, node_engine
from systems import three_systems, undecided_routers

from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.portable import engine_data
from topograph.questions.model import Model

pytestmark = pytest.mark.slow

NETWORKS = (1, 4, 5, 7, 8, 10, 11, 13, 17, 19, 23, 25)
"""Legal ones: whole, and with files missing."""

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


@dataclass(frozen=True)
class Case:
    """A network, what is asked of it, and what the commands answer."""

    model: Model
    asked: Sequence[Mapping[str, Any]]
    wanted: Sequence[Mapping[str, Any]]


def cases_of(models: Sequence[Model]) -> list[Case]:
    found = []
    for number, model in enumerate(models):
        asked = [
            {**one, "reply": False}
            for one in about_pairs(model.server_names(), random.Random(number), 40)
        ]
        if all(
            part.system.capabilities.portable and part.form != "stepping" for part in model.parts
        ):
            asked += list(replies(asked))
        network = Network(model)
        found.append(Case(model, asked, [commanded(network, one) for one in asked]))
    return found


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    models = list(models_of(read_snapshot(EXAMPLES / "estate")))
    for seed in NETWORKS:
        with tempfile.TemporaryDirectory() as folder:
            made(seed).write(Path(folder))
            models += models_of(read_snapshot(folder))
    return cases_of(models)


def ways_of_one_cost(folder: Path) -> None:
    write_random_routers(folder, 4)


@pytest.fixture(scope="module")
def others() -> list[Case]:
    """Routers, queue managers and buses: the examples, and networks that leave much open."""
    models = [
        model
        for name in ("routers", "queue_managers", "mixed")
        for model in models_of(read_snapshot(EXAMPLES / name))
    ]
    for write in (undecided_routers.write, three_systems.write, ways_of_one_cost):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            models += models_of(read_snapshot(folder))
    for number in range(4):  # clusters whose members share messages out
        with tempfile.TemporaryDirectory() as folder:
            for name, text in drawn("ibm_mq", "one", number).files.items():
                file = Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            models += models_of(read_snapshot(folder))
    return cases_of(models)


Section = dict[str, Any]


def changed(column: str, change: Callable[[list[int]], Sequence[int]]) -> str:
    return repacked(change(unpacked(column)))


def rows_of(walks: Section) -> list[list[int]]:
    sizes, ends = unpacked(walks["rows"]["sizes"]), iter(unpacked(walks["rows"]["ends"]))
    return [[next(ends) for _ in range(size)] for size in sizes]


def put_rows(walks: Section, rows: Sequence[Sequence[int]]) -> None:
    walks["rows"] = {
        "sizes": repacked([len(row) for row in rows]),
        "ends": repacked([end for row in rows for end in row]),
    }


def a_forward_added(walks: Section) -> None:
    """Out of every point at which messages end, to where nothing leads over a way of its own: a
    hop too many is permitted.
    """
    rows = rows_of(walks)
    for point, row in enumerate(rows):
        if not row:
            row.append((point + 1) % len(rows))
    put_rows(walks, rows)


def a_forward_left_out(walks: Section) -> None:
    rows = rows_of(walks)
    for row in rows:
        del row[1:]
    put_rows(walks, rows)


def a_hop_too_few(walks: Section) -> None:
    """From an origin straight to what lies behind its first forward."""
    rows = rows_of(walks)
    for point, row in enumerate(rows):
        if row and point < len(unpacked(walks["servers"]["name"])):
            row[:] = [*rows[row[0]], *row[1:]]
    put_rows(walks, rows)


def a_guard_left_out(walks: Section) -> None:
    sets = walks["guardSets"]
    sizes = unpacked(sets["sizes"])
    guards = iter(unpacked(sets["guards"]))
    kept = [[next(guards) for _ in range(size)][1:] for size in sizes]
    walks["guardSets"] = {
        "sizes": repacked([len(one) for one in kept]),
        "guards": repacked([guard for one in kept for guard in one]),
    }


def a_link_turned_round(walks: Section) -> None:
    points = walks["points"]
    servers = unpacked(points["server"])
    first, second = [point for point, link in enumerate(unpacked(points["link"])) if link >= 0][
        :2
    ] or (0, 0)
    servers[first], servers[second] = servers[second], servers[first]
    points["server"] = repacked(servers)


def what_is_down_is_up(walks: Section) -> None:
    walks["guards"]["shut"] = []


def all_is_loaded(walks: Section) -> None:
    """TRUE and FALSE for what is not known."""
    servers = walks["servers"]
    servers["loaded"] = changed(servers["loaded"], lambda column: [1] * len(column))
    servers["openEnded"] = changed(servers["openEnded"], lambda column: [0] * len(column))


def nothing_is_cut_off(walks: Section) -> None:
    walks["cutOff"] = []


def nothing_is_incomplete(walks: Section) -> None:
    servers = walks["servers"]
    servers["incomplete"] = changed(servers["incomplete"], lambda column: [column[0]] * len(column))


def another_zone(walks: Section) -> None:
    walks["points"]["zone"] = changed(walks["points"]["zone"], lambda column: column[::-1])


def a_line_too_far(walks: Section) -> None:
    walks["points"]["line"] = changed(
        walks["points"]["line"], lambda column: [line + 1 for line in column]
    )


def no_zone_holds_anything_back(walks: Section) -> None:
    walks["points"]["halt"] = changed(walks["points"]["halt"], lambda column: [0] * len(column))


def another_order(walks: Section) -> None:
    walks["servers"]["rank"] = changed(walks["servers"]["rank"], lambda column: column[::-1])


def replies_are_asked_everything(walks: Section) -> None:
    walks["guards"]["asksReply"] = walks["guards"]["asks"]


def replies_are_not_warned_of(walks: Section) -> None:
    walks["longReplies"] = None


def nothing_is_chosen_at_run_time(walks: Section) -> None:
    walks["chosen"] = repacked([])


def ways_cost_more(walks: Section) -> None:
    if walks["leastCost"]:
        walks["leastCost"]["cost"] = changed(
            walks["leastCost"]["cost"], lambda costs: [cost + at for at, cost in enumerate(costs)]
        )


def nothing_is_left_open(walks: Section) -> None:
    if walks["leftOpen"]:
        walks["leftOpen"] = {name: repacked([]) for name in walks["leftOpen"]}


def a_step_costs_more(walks: Section) -> None:
    walks["points"]["cost"] = changed(
        walks["points"]["cost"], lambda costs: [cost + 1 for cost in costs]
    )


def all_systems_are_joined(walks: Section) -> None:
    walks["apart"], walks["notJoined"] = [], []


def another_rule(walks: Section) -> None:
    if walks["forwards"]:
        walks["forwards"]["rule"] = changed(walks["forwards"]["rule"], lambda rules: rules[::-1])


def no_position_is_taken(walks: Section) -> None:
    walks["guards"]["position"] = changed(
        walks["guards"]["position"], lambda column: [0] * len(column)
    )


def no_ends(walks: Section) -> None:
    """Links that lead out of the files lead nowhere."""
    walks["servers"]["openEnded"] = changed(
        walks["servers"]["openEnded"], lambda column: [0] * len(column)
    )


OTHER_FAULTS = (
    nothing_is_chosen_at_run_time,
    ways_cost_more,
    nothing_is_left_open,
    a_step_costs_more,
    all_systems_are_joined,
    another_rule,
    no_position_is_taken,
    no_ends,
    a_forward_left_out,
)

FAULTS = (
    a_forward_added,
    a_forward_left_out,
    a_hop_too_few,
    a_guard_left_out,
    a_link_turned_round,
    what_is_down_is_up,
    all_is_loaded,
    nothing_is_cut_off,
    nothing_is_incomplete,
    another_zone,
    a_line_too_far,
    no_zone_holds_anything_back,
    another_order,
    replies_are_asked_everything,
    replies_are_not_warned_of,
)


def differing(engine: NodeEngine, cases: Sequence[Case], fault: Callable[[Section], None]) -> int:
    """The fields that differ in the answers of pages whose data have a fault; on these networks
    what is not answered differs too.
    """
    found, counts = 0, Counts()
    for case in cases:
        data = copy.deepcopy(engine_data(case.model))
        for walks in data["walks"]:
            fault(walks)
        found += len(compare_data(engine, data, case.asked, case.wanted.__getitem__, counts))
    return found + counts.declined.total()


def test_without_a_fault_nothing_differs(engine: NodeEngine, cases: Sequence[Case]) -> None:
    assert differing(engine, cases, lambda walks: None) == 0


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_the_data_is_seen(
    fault: Callable[[Section], None], engine: NodeEngine, cases: Sequence[Case]
) -> None:
    seen = differing(engine, cases, fault)
    assert seen > 0


def test_without_a_fault_nothing_differs_of_other_systems(
    engine: NodeEngine, others: Sequence[Case]
) -> None:
    assert differing(engine, others, lambda walks: None) == 0


@pytest.mark.parametrize("fault", OTHER_FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_the_data_of_other_systems_is_seen(
    fault: Callable[[Section], None], engine: NodeEngine, others: Sequence[Case]
) -> None:
    seen = differing(engine, others, fault)
    assert seen > 0
