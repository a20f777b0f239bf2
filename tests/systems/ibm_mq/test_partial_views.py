"""What a part of the output shows never turns a certain answer into another certain one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from systems.ibm_mq.views import NAMES, SERVERS, Drawn, partial_views, whole_display, whole_dump

import topograph
from topograph.network import Network
from topograph.questions.answers import TraceAnswer

pytestmark = pytest.mark.slow

DESTINATIONS = (*(f"queue:{name}" for name in (*NAMES, "GONE")), "X@A", "X@B", "AL@C", "X@FAR")
UNKNOWN = ("UNDETERMINED", "EXTERNAL")
NOT_LOADED = ("C-6", "C-11", "C-14", "C4")
"""What answers rest on that say that something is not loaded, or not shown."""


def _written(folder: Path, texts: dict[str, str]) -> Network:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return topograph.read(folder)


def _traces(
    network: Network, servers: tuple[str, ...] = SERVERS
) -> dict[tuple[str, str], TraceAnswer]:
    known = {row["server"] for row in network.show("servers").rows}
    return {
        (server, to): network.trace(server, to, persistent=True)
        for server in servers
        if server in known
        for to in DESTINATIONS
    }


def _contradicts(partial: TraceAnswer, whole: TraceAnswer) -> bool:
    """Whether a part claims for certain what the whole does not, or that this is all."""
    if any(one.rule in NOT_LOADED for one in partial.assumptions):
        return False
    certain = {one for one in partial.outcomes if not one.startswith(UNKNOWN)}
    open_ = len(certain) < len(set(partial.outcomes))
    return not certain <= set(whole.outcomes) or (not open_ and certain != set(whole.outcomes))


def _reached(network: Network, start: str) -> tuple[set[str], set[str]]:
    answer = network.reach(start)
    return {one.server for one in answer.servers if one.certain}, set(answer.unreachable)


@pytest.mark.parametrize("number", range(24))
def test_a_part_gives_the_same_answers_or_none(number: int, tmp_path: Path) -> None:
    drawn = Drawn(number)
    at = random.Random(number)
    dumps = {name: whole_dump(one) for name, one in drawn.managers.items()}
    shown = {name: whole_display(one) for name, one in drawn.managers.items()}
    whole = _written(tmp_path / "dumps", dumps)
    expected = _traces(whole)
    reached = {server: _reached(whole, server) for server in SERVERS}
    assert {
        key: one.outcomes for key, one in _traces(_written(tmp_path / "shown", shown)).items()
    } == {key: one.outcomes for key, one in expected.items()}
    assert not {
        key: [step.text for step in one.steps]
        for key, one in expected.items()
        if "UNDETERMINED" in one.outcomes
    }
    server = at.choice(SERVERS)
    views = {**partial_views(drawn.managers[server], at), "no file": ""}
    views = {what: views[what] for what in at.sample(sorted(views), 5)}
    for what, text in views.items():
        texts = {**dumps, server: text} if text else {k: v for k, v in dumps.items() if k != server}
        network = _written(tmp_path / what.replace(" ", "-"), texts)
        traces = _traces(network)
        wrong = {
            key: (one.outcomes, expected[key].outcomes)
            for key, one in traces.items()
            if _contradicts(one, expected[key])
        }
        assert not wrong, (what, server)
        for start in {one for one, _ in traces}:
            there, never = _reached(network, start)
            # To a queue manager that is not loaded messages leave the loaded files.
            rows = network.show("servers").rows
            gone = {str(row["server"]) for row in rows if not row["loaded"]}
            assert there - gone <= reached[start][0], (what, server, start)
            assert not never & reached[start][0], (what, server, start)
