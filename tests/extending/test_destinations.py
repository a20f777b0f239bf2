"""``show destinations`` lists those of a system from outside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import topograph
from topograph.opening.folders import read_snapshot
from topograph.questions.known_destinations import known_destinations
from topograph.side_inputs import SideInputs
from topograph.systems import system
from topograph.systems.fact_sources import FactList
from topograph.systems.stepping.destinations import destinations
from topograph.tracing.states import State, Stepping


def relays(relay: Path) -> Stepping:
    load = system("relay").stepping
    assert load is not None
    return load(FactList(read_snapshot(relay).facts("estate")), SideInputs())


def test_servers_that_take_messages_of_any_name_say_so(relay: Path) -> None:
    network = topograph.read(relay)
    rows = network.show("destinations").rows
    assert [(row["server"], row["type"], row["name"], row["details"]) for row in rows] == [
        ("harbour", "topic", "", "any topic"),
        ("mole", "topic", "", "any topic"),
        ("pier", "topic", "", "any topic"),
    ]
    assert rows[0]["source"] == {"file": "harbour.relay", "line": 2, "column": 1}
    assert known_destinations(network._model) == ()


def test_entries_are_listed_by_address_each_once(relay: Path) -> None:
    entries = [State("pier", "fish"), State("pier", "topic:nets", "1"), State("pier", "topic:nets")]
    own = replace(relays(relay), entries=lambda: entries)
    rows = list(destinations("relay", own) or ())
    assert [(row["type"], row["name"], row["details"]) for row in rows] == [
        ("topic", "fish", ""),
        ("topic", "nets", ""),
    ]


@pytest.mark.parametrize("shown", [[], [{"server": "pier", "type": "topic", "name": "only"}]])
def test_rows_of_a_systems_own_are_all_that_is_listed(
    relay: Path, shown: list[dict[str, object]]
) -> None:
    own = replace(relays(relay), show=lambda what: iter(shown) if what == "destinations" else None)
    assert list(destinations("relay", own) or ()) == shown


def test_a_system_with_a_graph_of_its_own_lists_none_here(relay: Path) -> None:
    assert destinations("ems", relays(relay)) is None
