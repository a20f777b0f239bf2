"""Failures that are counted together, and endings that are kept with a reading, say what each
failure alone says, stepped anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from drawn.ibm_mq import DrawnManagers
from drawn.queue_manager_trees import a_tree

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.errors import TopographError
from topograph.forwarding.budget import Budget
from topograph.network import Network
from topograph.store.readings import WorkedOut
from topograph.systems.contract.failures import FailureEffect
from topograph.systems.contract.system import Failure
from topograph.systems.ibm_mq.routing import outages
from topograph.systems.stepping import all_failures
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.failures import SteppingFailures
from topograph.systems.stepping.keeping import Keeping
from topograph.tracing.kept_endings import KeptEndings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "64")


def drawn(folder: Path, number: int) -> Network | None:
    for name, content in DrawnManagers(number).files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    try:
        return topograph.read(folder)
    except TopographError:
        return None


def estates(folder: Path, number: int) -> Iterator[Network]:
    yield a_tree(folder / "tree", number)
    network = drawn(folder / "drawn", number)
    if network is not None:
        yield network


def failures_of(network: Network, keeping: Keeping | None = None) -> SteppingFailures:
    (part,) = network._model.parts
    assert isinstance(part.estate, SteppingEstate)
    return SteppingFailures(part.estate, part.graph, MemoryEngine(part.graph), keeping)


def each(failures: SteppingFailures) -> list[Failure]:
    return [failure for failure, _ in failures._single().values()]


@pytest.mark.parametrize("number", range(12))
def test_what_is_counted_together_is_what_each_failure_does(number: int, tmp_path: Path) -> None:
    for network in estates(tmp_path, number):
        together, alone = failures_of(network), failures_of(network)
        single = each(together)
        counted = together._counted_together(single, Budget(None))
        for failure, known in zip(single, counted, strict=True):
            if known is not None:
                assert known == alone._counted(failure, Budget(None)), failure


def test_failures_in_a_tree_are_counted_together(tmp_path: Path) -> None:
    failures = failures_of(a_tree(tmp_path / "tree", 3))
    counted = failures._counted_together(each(failures), Budget(None))
    assert sum(one is not None for one in counted) > len(counted) // 2


def test_failures_are_counted_by_turns(tmp_path: Path) -> None:
    network = a_tree(tmp_path / "tree", 5)
    failures = failures_of(network)
    single = each(failures)
    counted = failures._counted_together(single, Budget(None))
    with patch.object(all_failures, "TOGETHER", 4):
        assert failures_of(network)._counted_together(single, Budget(None)) == counted


@pytest.mark.parametrize("number", range(12))
def test_what_waits_alike_is_stepped_once(number: int, tmp_path: Path) -> None:
    """Each state that a failure concerns, stepped by itself, waits as the first of its kind."""
    for network in estates(tmp_path, number):
        together, apart = failures_of(network), failures_of(network)
        single = each(together)
        counted = together._counted_together(single, Budget(None))
        with patch.object(outages, "_waiting_alike", lambda *_: None):
            (part,) = network._model.parts
            part.__dict__.pop("estate")
            apart = failures_of(network)
            assert apart._counted_together(single, Budget(None)) == counted


def effects(failures: SteppingFailures) -> list[tuple[FailureEffect, list[object]]]:
    """What each single failure does, and those of a pair of servers that are linked."""
    single = each(failures)
    names = [one.name for one in failures.graph.servers]
    single += [
        Failure(links=frozenset([frozenset((names[link.a], names[link.b]))]))
        for link in [*failures.graph.links][:4]
    ]
    found = [failures.effect(one, Budget(None)) for one in single]
    return [(one, [*one.lost]) for one in found]


@pytest.mark.parametrize("number", range(10))
def test_endings_that_were_kept_say_what_endings_say(number: int, tmp_path: Path) -> None:
    for name, network in enumerate(estates(tmp_path, number)):
        keeping = WorkedOut(f"key-{name}", "network")
        first = failures_of(network, keeping)
        sweep, told = first.sweep(Budget(None)), effects(first)
        again = failures_of(network, keeping)
        assert again.sweep(Budget(None)) == sweep
        assert effects(again) == told
        kept = keeping.find("endings") is not None
        assert isinstance(again._messages.known, KeptEndings) is kept
        without = failures_of(network)
        assert effects(without) == told
        if name == 0:
            assert kept


def test_a_folder_that_is_asked_again_is_followed_once(tmp_path: Path) -> None:
    a_tree(tmp_path / "tree", 4)
    answers = []
    for _ in range(3):
        network = topograph.open(tmp_path / "tree").within(None)
        answers.append((network.impact(["server:Q1"]), network.impact(sweep=True)))
    assert answers[0] == answers[1] == answers[2]
    kept = list((tmp_path / "home").rglob("*.reading"))
    assert len(kept) == 2  # the reading, and how its messages end


def test_without_a_cache_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "0")
    keeping = WorkedOut("key", "network")
    failures = failures_of(a_tree(tmp_path / "tree", 1), keeping)
    assert failures.sweep(Budget(None)).counted
    assert keeping.find("endings") is None
