"""Drawn estates of every system: the questions about reach agree with each other, and every answer
is whole JSON.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from drawn.all_systems import DRAWN, drawn

import topograph
from topograph.cli.output import json_document
from topograph.errors import TopographError
from topograph.network import Network
from topograph.portable import engine_data

pytestmark = pytest.mark.slow

ESTATES = [
    pytest.param(system, way, number, id=f"{system} {way} {number}")
    for system, ways in DRAWN.items()
    for way in ways
    for number in range(8)
]


def _read(folder: Path, files: dict[str, str]) -> Network:
    for name, content in files.items():
        path = folder / "estate" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder / "estate").within(None)


@pytest.mark.parametrize(("system", "way", "number"), ESTATES)
def test_reach_hops_the_matrix_and_paths_agree(
    system: str, way: str, number: int, tmp_path: Path
) -> None:
    network = _read(tmp_path, drawn(system, way, number).files)
    matrix = network.hops_matrix()
    # two servers of one name, of two systems, are asked for as SYSTEM:name
    names = [name for name in network.server_names() if name in matrix.servers]
    reached = {name: {one.server: one for one in network.reach(name).servers} for name in names}
    for start, end in product(names, names):
        if start == end:
            continue
        row = reached[start].get(end)
        hops = network.hops(start, end)
        known = row is not None and (row.certain or row.later)
        assert (hops.reachable is True) == known, (start, end)
        counted = matrix.hops[matrix.servers.index(start)][matrix.servers.index(end)]
        later = end in matrix.later.get(start, ())
        if known:
            assert row is not None
            assert row.hops == hops.route_hops == counted == len(row.path) - 1
            assert row.later == hops.later == later, (start, end)
            told = row.certain, row.later
            found = network.paths(start, end, 100).paths
            shortest = next(one for one in found if (one.certain, one.later) == told)
            assert (shortest.servers[0], shortest.servers[-1]) == (start, end)
            assert shortest.route_hops == row.hops
        else:
            assert (hops.later, later) == (False, False)
            assert counted is None or (counted, hops.reachable) == ("unknown", "unknown")


@pytest.mark.parametrize(("system", "way", "number"), ESTATES)
def test_every_answer_is_whole_json(system: str, way: str, number: int, tmp_path: Path) -> None:
    estate = drawn(system, way, number)
    network = _read(tmp_path, estate.files)
    assert json.loads(json.dumps(engine_data(network._model)))
    for method, words, options in estate.questions():
        try:
            answer = getattr(network, method)(*words, **options)
        except TopographError:
            continue  # a question that this estate does not have
        if method != "message_guards":
            told = json.loads("".join(json_document(answer)))
            assert told == json.loads(json.dumps(answer.to_dict()))
