"""What a failure does to messages that go step by step is worked out for many of them together; a
trace of each message alone says the same, of every server and link, loaded or only named, and every
component."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from by_traces import by_traces
from drawn.all_systems import DRAWN, drawn

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.network import Network
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.failures import SteppingFailures

STEPPING = [system for system in DRAWN if system not in ("ems", "amq_interconnect")]


def failing(network: Network) -> Iterator[tuple[SteppingFailures, Failure]]:
    """Everything of a network that may fail alone."""
    for part in network._model.parts:
        failures = part.estate.failures(part.graph, MemoryEngine(part.graph), ())
        assert isinstance(failures, SteppingFailures)
        names = [one.name for one in part.graph.servers]
        for server in part.graph.servers:
            yield failures, Failure(frozenset([server.name]), system=server.system)
        for link in part.graph.links:
            yield failures, Failure(links=frozenset([frozenset((names[link.a], names[link.b]))]))
        for components in failures.components.values():
            for one in components:
                yield failures, Failure(components=frozenset([one]), system=one.system)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("way", ["one", "two"])
@pytest.mark.parametrize("system", STEPPING)
def test_what_a_failure_does(tmp_path: Path, system: str, way: str, number: int) -> None:
    for name, text in drawn(system, way, 700 + number).files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    together, alone = (topograph.read(tmp_path) for _ in range(2))
    for (failures, failure), (others, _) in zip(failing(together), failing(alone), strict=True):
        found = failures.effect(failure, Budget(None))
        with by_traces():
            assert others.effect(failure, Budget(None)) == found, failure


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("way", ["one", "two"])
@pytest.mark.parametrize("system", STEPPING)
def test_what_failures_are_counted_to_do_together(
    tmp_path: Path, system: str, way: str, number: int
) -> None:
    for name, text in drawn(system, way, 800 + number).files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    together, alone = (topograph.read(tmp_path) for _ in range(2))
    for part, other in zip(together._model.parts, alone._model.parts, strict=True):
        failures, others = (
            one.estate.failures(one.graph, MemoryEngine(one.graph), ()) for one in (part, other)
        )
        assert isinstance(failures, SteppingFailures)
        assert isinstance(others, SteppingFailures)
        single = [failure for failure, _ in failures._single().values()]
        counted = failures._counted_together(single, Budget(None))
        for failure, known in zip(single, counted, strict=True):
            if known is not None:
                with by_traces():
                    effect = others.effect(failure, Budget(None))
                assert known == (len(effect.lost), len(effect.outcomes)), failure
