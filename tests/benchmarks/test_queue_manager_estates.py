"""The networks of queue managers to measure on: a tree in which every queue manager gets
messages to every other one.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import topograph

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def estates() -> ModuleType:
    path = ROOT / "benchmarks" / "queue_manager_estates.py"
    spec = importlib.util.spec_from_file_location("benchmark_queue_manager_estates", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_same_numbers_give_the_same_tree(estates):
    estate = estates.queue_manager_estate(30, 12)
    assert estate == estates.queue_manager_estate(30, 12)
    assert estate.parents[:12] == (-1, *[0] * 10, 1)
    assert (estate.hops(0, 0), estate.hops(11, 1), estate.hops(11, 21)) == (0, 1, 4)


def test_every_remote_queue_leads_to_its_target_and_all_reach_all(estates, tmp_path):
    estate = estates.queue_manager_estate(15, 12)
    estates.write_queue_managers(estate, tmp_path / "n")
    network = topograph.read(tmp_path / "n")
    for here, queue, target in estate.remote:
        answer = network.trace(estate.names[here], f"queue:{queue}")
        assert answer.outcomes == (f"DELIVERED(APP.0@{estate.names[target]})",)
        assert sum(bool(step.to) for step in answer.steps) == estate.hops(here, target)
    for here, name in enumerate(estate.names):
        answer = network.reach(name)
        wanted = {
            other: estate.hops(here, there)
            for there, other in enumerate(estate.names)
            if there != here
        }
        assert {one.server: one.hops for one in answer.servers} == wanted
