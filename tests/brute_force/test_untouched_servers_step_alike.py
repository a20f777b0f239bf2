"""After a change of queues, every state at a queue manager that the change is not found to touch
steps as before; and what is told of messages equals what their traces alone say, with nothing
shared between before and after.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from brute_force.mqsc_changes import QUEUES, Said, attributes_of
from brute_force.test_ibm_mq_equals_brute_force import estate
from brute_force.test_mq_clusters_equal_brute_force import Drawn
from brute_force.test_outcomes_compared_equal_all_traces import all_states, estate_of
from by_traces import by_traces
from conformance import ibm_mq_cases
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.importers.ibm_mq.commands import read_script
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.ibm_mq import changes
from topograph.systems.stepping import changes as stepping_changes
from topograph.systems.stepping.changes import outcomes_compared
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.out_of_reach import out_of_reach
from topograph.systems.stepping.sharing import touched_servers
from topograph.tracing.states import State, Stepping

pytestmark = pytest.mark.slow

ESTATES = draws(50)

TYPES = ("QLOCAL", "QLOCAL", "QALIAS", "QREMOTE")


def command(random: Random, own: dict[str, Any]) -> Said:
    """A random command about a queue, often one that is there; seldom about something else."""
    held = {one["name"]: one["type"] for one in own["objects"] if one["type"] in QUEUES}
    names = (*held, *held, "NEW", "X", "QB", "QC")
    name = random.choice(names)
    kind = held.get(name, random.choice(TYPES))
    drawn = random.random()
    if drawn < 0.05:
        return Said("ALTER", "QMGR", "", attributes={"DEFXMITQ": name})
    if drawn < 0.25:
        return Said("DELETE", kind, name)
    words = ["REPLACE"] if random.random() < 0.7 else []
    if random.random() < 0.1:
        words.append(f"LIKE('{random.choice(names)}')")
    attributes = attributes_of(random, kind)
    if random.random() < 0.6:
        attributes = {
            key: value for key, value in attributes.items() if key not in ("CLUSTER", "CLUSNL")
        }
    verb = "ALTER" if name in held and random.random() < 0.4 else "DEFINE"
    return Said(verb, kind, name, "", attributes, () if verb == "ALTER" else tuple(words))


def change_of(random: Random, given_: dict[str, Any], before: SteppingEstate) -> Change:
    """What a few random commands at one or two queue managers change."""
    change = Change()
    source = before.sources["ibm_mq"]
    for _ in range(random.choice((1, 1, 2))):
        own = random.choice(given_["queueManagers"])
        text = "\n".join(str(command(random, own)) for _ in range(random.choice((1, 1, 2, 3))))
        for one in read_script(text.encode(), "change.mqsc").commands:
            edit = changes.edit(ChangedFacts(source, change), own["name"], one)
            change = after_both(change, edit.change)
    return change


def reached(sides: tuple[Stepping, Stepping]) -> Iterator[State]:
    """The states at loaded servers that messages get to in either configuration, over ways of
    both."""
    loaded = {one.name for own in sides for one in own.servers if one.loaded}
    waiting = [state for own in sides for state in all_states(own)]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        if state.server not in loaded:
            continue
        yield state
        for own in sides:
            for way in own.step(state).ways:
                if isinstance(way.to, State) and way.to not in seen:
                    seen.add(way.to)
                    waiting.append(way.to)


def servers_from(own: Stepping, begin: State) -> set[str]:
    """The servers that a message gets to which begins in a state, its own included."""
    loaded = {one.name for one in own.servers if one.loaded}
    waiting, seen = [begin], {begin}
    while waiting:
        state = waiting.pop()
        for way in own.step(state).ways if state.server in loaded else ():
            if isinstance(way.to, State) and way.to not in seen:
                seen.add(way.to)
                waiting.append(way.to)
    return {one.server for one in seen}


def assert_shared_rightly(seed: int) -> tuple[bool, bool]:
    """Whether servers were found that a change does not touch, and messages that do not get to
    one which it does."""
    random = Random(seed)
    given_ = estate(seed) if random.random() < 0.5 else Drawn(seed).made()
    with tempfile.TemporaryDirectory() as folder:
        ibm_mq_cases.write(given_, Path(folder))
        network = topograph.read(folder).within(None)
        before, graph = estate_of(network), network._model.parts[0].graph
        walked, away = (graph, MemoryEngine(graph)), False
        change = change_of(random, given_, before)
        after = before.apply(change)
        touched = touched_servers(before, after)
        if touched is not None:
            mine, theirs = before.systems["ibm_mq"], after.systems["ibm_mq"]
            for state in reached((mine, theirs)):
                if state.server not in touched["ibm_mq"]:
                    assert mine.step(state) == theirs.step(state), state
            apart = out_of_reach(walked, before, touched)
            for state in all_states(mine):
                if apart is not None and apart.is_apart(("ibm_mq", state)):
                    away = True
                    assert servers_from(mine, state).isdisjoint(touched["ibm_mq"]), state
        found = outcomes_compared(before, before.apply(change), change, Budget(None), walked)
        with (
            by_traces(),
            patch.object(stepping_changes, "sharing_steps", lambda before, _: before),
            patch.object(stepping_changes, "touched_servers", lambda *_: None),
        ):
            alone = outcomes_compared(before, before.apply(change), change, Budget(None))
    assert found == alone
    untouched = touched is not None and len(touched["ibm_mq"]) < len(given_["queueManagers"])
    return untouched, away


@settings(max_examples=ESTATES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_of_drawn_changes_of_queues(seed: int) -> None:
    assert_shared_rightly(seed)


def test_servers_that_changes_do_not_touch_are_among_the_random_ones() -> None:
    found = [assert_shared_rightly(seed) for seed in range(20)]
    assert sum(untouched for untouched, _ in found) >= 6
    assert sum(away for _, away in found) >= 6
