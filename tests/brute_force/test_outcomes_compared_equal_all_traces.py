"""What two configurations do differently to messages that go step by step equals what tracing
every message in both says.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from brute_force.mqe import managers
from brute_force.test_ibm_mq_equals_brute_force import estate
from brute_force.test_sibus_equals_brute_force import cases
from by_traces import by_traces
from conformance import ibm_mq_cases, mqe_cases
from conformance.sibus_files import facts_of
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.forwarding.budget import Budget
from topograph.message import DestinationName, Message
from topograph.network import Network
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq.routing.positions import NO_QUEUE, OPEN, MqPosition, position
from topograph.systems.stepping.changes import outcomes_compared
from topograph.systems.stepping.estate import SteppingEstate
from topograph.tracing.comparison import compare, ways_compared
from topograph.tracing.exploration import explore
from topograph.tracing.states import State, Stepping

pytestmark = pytest.mark.slow

SOME = settings(
    max_examples=draws(36),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

Write = Callable[[Any, Path], object]


def changed(given_: dict[str, Any], random: Random, *keys: str) -> dict[str, Any]:
    """A configuration without one or two entries of lists under some keys, wherever they stand,
    or with an entry twice as it was elsewhere.
    """
    found = deepcopy(given_)
    lists: list[list[Any]] = []

    def search(value: Any) -> None:
        if isinstance(value, dict):
            lists.extend(value[key] for key in keys if value.get(key))
            for one in value.values():
                search(one)
        elif isinstance(value, list):
            for one in value:
                search(one)

    search(found)
    for _ in range(random.choice((1, 1, 2))):
        chosen = random.choice(lists) if lists else []
        if chosen:
            chosen.pop(random.randrange(len(chosen)))
    return found


def estate_of(network: Network) -> SteppingEstate:
    (part,) = network._model.parts
    assert isinstance(part.estate, SteppingEstate)
    return part.estate


def all_states(own: Stepping) -> Iterator[State]:
    """Where messages of senders begin, however many these are."""
    if own.begins is None:
        yield from own.entries()
        return
    begins = own.begins()
    for pairs in begins.pairs:
        yield from pairs.states([one.name for one in own.servers])
    yield from begins.each


def all_that_differ(before: SteppingEstate, after: SteppingEstate) -> set[tuple[str, str]]:
    """The messages, by server and address, that end otherwise: every one is traced twice."""
    servers = [
        {(name, s.name) for name, own in e.systems.items() for s in own.servers}
        for e in (before, after)
    ]
    begins: list[dict[tuple[str, str, str], State]] = [{}, {}]
    for side, one in zip(begins, (before, after), strict=True):
        for name, own in one.systems.items():
            for state in all_states(own):
                side.setdefault(
                    (name, state.server, own.address(state)),
                    State(state.server, state.object, state.data),
                )
    return {
        key[1:]
        for key in {**begins[0], **begins[1]}
        if key[:2] in servers[0] & servers[1]
        and differs(
            (before, after),
            key[0],
            [side.get(key) or other[key] for side, other in (begins, begins[::-1])],
        )
    }


def differs(sides: tuple[SteppingEstate, ...], system: str, begins: list[State]) -> bool:
    """Whether a message ends otherwise, or goes another way, by its two traces."""
    traces = [
        explore(
            e.systems,
            system,
            state,
            Message(DestinationName("queue", state.object)),
            seams=e.seams,
            budget=Budget(None),
        )
        for e, state in zip(sides, begins, strict=True)
    ]
    way = ways_compared(traces[0], traces[1], (sides[0].systems, sides[1].systems))
    return bool(compare(*traces, as_told=True) or way)


def of_facts(given_: dict[str, Any]) -> SteppingEstate:
    return SteppingEstate({"sibus": FactList(facts_of(given_))}, SideInputs())


def same(given_: Any, then: Any, write: Write) -> int:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        write(given_, Path(one))
        write(then, Path(other))
        before, after = (topograph.read(folder).within(None) for folder in (one, other))
        answer = topograph.compare(before, after)
        expected = all_that_differ(estate_of(before), estate_of(after))
        with by_traces():
            alone = topograph.compare(before, after)
    assert answer.outcomes == alone.outcomes
    told = {(row.server, row.destination) for row in answer.outcomes}
    assert told >= expected
    assert_singles_told(before, after, told, told - expected)
    assert answer.exact
    return len(expected)


def assert_singles_told(
    was: Network, now: Network, told: set[tuple[str, str]], more: set[tuple[str, str]]
) -> None:
    """Of messages from each queue manager to each queue of another one, those that end otherwise
    are told, unless one to any queue is, and no others."""
    sides = estate_of(was), estate_of(now)
    if "ibm_mq" not in sides[0].systems:
        assert not more
        return
    servers = sorted(
        {s.name for s in sides[0].systems["ibm_mq"].servers if s.loaded}
        & {s.name for s in sides[1].systems["ibm_mq"].servers if s.loaded}
    )
    names = {
        one.object
        for side in sides
        for one in side.systems["ibm_mq"].entries()
        if position(one).queue_manager == one.server
    }
    for server in servers:
        for other in servers:
            for name in sorted(names | {NO_QUEUE}) if server != other else ():
                begin = MqPosition(server, OPEN, name, other).state()
                address = sides[1].systems["ibm_mq"].address(begin)
                if differs(sides, "ibm_mq", [begin, begin]):
                    any_of = server, f"any queue of {other}"
                    nothing = server, f"a queue that {other} does not have"
                    assert {(server, address), any_of, nothing} & told, (server, address)
                else:
                    assert (server, address) not in told


@SOME
@given(st.integers(0, 2**32 - 1))
def test_of_ibm_mq(seed: int) -> None:
    before = estate(seed)
    same(before, changed(before, Random(seed), "objects", "channels"), ibm_mq_cases.write)


@SOME
@given(managers(), st.integers(0, 2**32 - 1))
def test_of_mqe(network: list[dict[str, Any]], seed: int) -> None:
    before = {"queueManagers": network}
    same(before, changed(before, Random(seed), "queues", "connections"), mqe_cases.write)


@SOME
@given(cases(), st.integers(0, 2**32 - 1))
def test_of_sibus(case: tuple[dict[str, Any], dict[str, Any]], seed: int) -> None:
    before = case[0]
    estates = (
        of_facts(before),
        of_facts(changed(before, Random(seed), "destinations", "foreignBuses")),
    )
    found = outcomes_compared(*estates, Change(), Budget(None))
    with by_traces():
        assert outcomes_compared(*estates, Change(), Budget(None)).moved == found.moved
    assert {(row.server, row.destination) for row in found.moved} == all_that_differ(*estates)
    assert not found.not_compared
    assert not found.left_out


def test_changes_that_decide_something_are_among_the_random_ones() -> None:
    found = []
    for seed in range(12):
        before = estate(seed)
        found.append(
            same(before, changed(before, Random(seed), "objects", "channels"), ibm_mq_cases.write)
        )
    assert sum(map(bool, found)) >= 6
