"""Random messages on random networks with permissions, bridges, durables, lists and suspended
routes: the page answers as ``propagate`` does, and faults in what it has of them do not go
unnoticed."""

from __future__ import annotations

import copy
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from portable.columns import repacked, unpacked
from portable.comparing import Counts, commanded, compare_data, counted, models_of
from portable.furnished import about_messages, furnished
from portable.networks import MANY
from portable.node_engine import NodeEngine, node_engine

from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.portable import engine_data
from topograph.questions.model import Model


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def models(seed: int) -> Iterator[Model]:
    with tempfile.TemporaryDirectory() as folder:
        furnished(seed).write(Path(folder))
        yield from models_of(read_snapshot(folder))


def asked_of(engine: NodeEngine, networks: range, questions: int) -> dict[str, Counts]:
    return counted(
        engine,
        ((seed, furnished(seed).name, models(seed)) for seed in networks),
        about_messages,
        questions,
    )


def check(counts: dict[str, Counts]) -> None:
    assert counts["legal-whole"].declined.total() == 0
    together = sum(counts.values(), Counts())
    assert together.answered.total() > 0.8 * together.asked.total()
    assert all(
        why.startswith(("More than one path leads from ", "A copy of the message goes to "))
        for why in together.why
    )


@pytest.mark.slow
def test_the_page_follows_messages_on_sixteen_networks_as_propagate_does(
    engine: NodeEngine,
) -> None:
    check(asked_of(engine, range(16), 25))


@pytest.mark.slow
def test_fifty_messages_on_each_of_many_networks(engine: NodeEngine) -> None:
    counts = asked_of(engine, range(1000, 1000 + MANY), 50)
    check(counts)
    assert sum(counts.values(), Counts()).asked.total() >= 49 * MANY


Section = dict[str, Any]


def a_guard_that_always_passes(section: Section) -> None:
    for guard in section["guards"]:
        if guard.get("selector"):
            guard["asks"] = ["true"]


def an_end_that_always_passes(section: Section) -> None:
    for guard in section["guards"]:
        if guard.get("atEnd"):
            guard["asks"] = ["true"]


def permissions_that_nobody_lacks(section: Section) -> None:
    for guard in section["guards"]:
        if guard.get("reason") == "acl":
            guard["asks"] = ["true"]


def false_for_what_is_not_known(section: Section) -> None:
    for guard in section["guards"]:
        if guard["asks"][0] == "if" and guard["asks"][3][0] == "unknown":
            guard["asks"][3] = ["false"]


def interest_that_nothing_stops(section: Section) -> None:
    for guard in section["guards"]:
        guard.pop("interest", None)


def an_escape_that_is_lost(section: Section) -> None:
    """``\\_`` means any character."""
    for selector in section["selectors"]:
        tree = selector.get("tree", [])
        if tree and tree[0] == "like":
            tree[3] = [None if one == "_" else one for one in tree[3]]


def exact_numbers_that_are_doubles(section: Section) -> None:
    def turned(tree: Any) -> Any:
        if not isinstance(tree, list):
            return tree
        return ["double", float(tree[1])] if tree[:1] == ["long"] else [turned(one) for one in tree]

    for selector in section["selectors"]:
        if "tree" in selector:
            selector["tree"] = turned(selector["tree"])


def a_subscriber_that_is_forgotten(section: Section) -> None:
    section["subscribers"] = [one for one in section["subscribers"] if one["copy"]]


def copies_that_are_forgotten(section: Section) -> None:
    for one in section["subscribers"]:
        one["copy"] = None


def subscriptions_that_are_all_reliable(section: Section) -> None:
    for one in section["subscribers"]:
        one["reliable"] = True


def nobody_who_is_assumed(section: Section) -> None:
    section["somewhere"] = repacked([])


def lists_that_are_never_cut_off(section: Section) -> None:
    section["beside"] = []


def routes_that_are_resumed(section: Section) -> None:
    for guard in section["guards"]:
        guard.pop("waits", None)


def entries_that_nobody_needs(section: Section) -> None:
    for server in section["servers"]:
        server[4] = 0


def a_server_that_asks_nobody(section: Section) -> None:
    for server in section["servers"]:
        server[5] = None


def one_line_further(section: Section) -> None:
    places = section["places"]
    places["line"] = repacked([line + 1 for line in unpacked(places["line"])])


def defaults_that_senders_do_not_have(section: Section) -> None:
    section["defaults"]["JMSPriority"] = ["long", "9"]


def readings_that_nobody_has(section: Section) -> None:
    section["readings"] = []


DATA_FAULTS = (
    a_guard_that_always_passes,
    an_end_that_always_passes,
    permissions_that_nobody_lacks,
    false_for_what_is_not_known,
    interest_that_nothing_stops,
    an_escape_that_is_lost,
    exact_numbers_that_are_doubles,
    a_subscriber_that_is_forgotten,
    copies_that_are_forgotten,
    subscriptions_that_are_all_reliable,
    nobody_who_is_assumed,
    lists_that_are_never_cut_off,
    routes_that_are_resumed,
    entries_that_nobody_needs,
    a_server_that_asks_nobody,
    one_line_further,
    defaults_that_senders_do_not_have,
    readings_that_nobody_has,
)

Case = tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Data, questions, and what the commands answer."""
    found = []
    for seed in range(100, 130):
        for model in models(seed):
            network = Network(model)
            asked = about_messages(model.server_names(), random.Random(seed), 25)
            found.append((engine_data(model), asked, [commanded(network, one) for one in asked]))
    return found


def red(engine: NodeEngine, cases: list[Case], fault: Callable[[Section], None] | None) -> bool:
    """Whether an answer differs."""
    for data, asked, wanted in cases:
        faulty = copy.deepcopy(data)
        for section in faulty["messages"]:
            if fault is not None and section is not None:
                fault(section)
        if compare_data(engine, faulty, asked, wanted.__getitem__, Counts()):
            return True
    return False


@pytest.mark.slow
def test_without_a_fault_nothing_differs(engine: NodeEngine, cases: list[Case]) -> None:
    assert not red(engine, cases, None)


@pytest.mark.slow
@pytest.mark.parametrize("fault", DATA_FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_what_is_said_of_messages_is_seen(
    engine: NodeEngine, cases: list[Case], fault: Any
) -> None:
    assert red(engine, cases, fault)
