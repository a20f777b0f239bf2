"""What the failure of a shovel or of a federation link does (``impact``), against definitions
without it: the same messages arrive nowhere any more, and they wait where they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drawn.rabbitmq import DrawnBrokers

import topograph
from topograph.facts.fact import Fact
from topograph.forwarding.budget import Budget
from topograph.importers.rabbitmq import read
from topograph.importers.reading import Bundle, BundleFile, Options
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import Failure
from topograph.systems.fact_sources import FactList
from topograph.systems.registry import system
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.messages import explored

Files = dict[str, dict[str, Any]]


def estate_of(files: Files) -> SteppingEstate:
    facts: list[Fact] = []
    for path, definitions in files.items():
        bundle = Bundle(path, "rabbitmq", path[:-5], (BundleFile("main", path),))
        facts += read(bundle, {path: json.dumps(definitions).encode()}, Options()).facts
    return SteppingEstate.load(["rabbitmq"], lambda _: FactList(facts), SideInputs())


def endings(estate: SteppingEstate, message: Any) -> set[str] | None:
    """Where a message ends, without what waits; None where not all was followed."""
    budget = Budget(3_000)
    trace = explored(estate, message, budget)
    if budget.spent or not trace.exact:
        return None
    return {f"{one.ending} at {one.ending.text('server')}" for one in trace.endings()
            if one.ending is not None and "already-seen" not in str(one.ending)}  # fmt: skip


def shovels(files: Files) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, definitions in files.items():
        for one in definitions["parameters"]:
            if one["component"] == "shovel":
                yield path, one


def without(files: Files, path: str, entry: dict[str, Any]) -> Files:
    """The definitions without a shovel: its queue is declared, as it is where it failed."""
    own = files[path]
    left = [one for one in own["parameters"] if one is not entry]
    return {**files, path: {**own, "parameters": left}}


def alone(files: Files, path: str, entry: dict[str, Any]) -> bool:
    """Whether no other shovel of the file takes from the queue, and both of its queues are there
    without it."""
    name, to = (entry["value"].get(one) for one in ("src-queue", "dest-queue"))
    listed = [[one["name"] for one in own["queues"]] for own in files.values()]
    if to is not None and not all(to in names for names in listed):
        return False
    others = [one["value"].get("src-queue") for _, one in shovels(files) if one is not entry]
    declared = [one["name"] for one in files[path]["queues"]]
    return name in declared and name not in others


@pytest.mark.parametrize("part", range(3))
def test_a_failed_shovel_keeps_messages_where_definitions_without_it_do(part: int) -> None:
    compared = 0
    for number in range(part, 90, 3):
        drawn = DrawnBrokers(number)
        files = {path: json.loads(text) for path, text in drawn.files.items()
                 if path.endswith(".json")}  # fmt: skip
        estate = estate_of(files)
        for path, entry in shovels(files):
            if not alone(files, path, entry):
                continue
            known = estate.systems["rabbitmq"].components()
            named = "shovel", entry["name"], path[:-5]
            (real,) = [one for one in known if (one.kind, one.name, one.server) == named]
            failed = estate.failed_by(Failure(components=frozenset([real])))
            removed = estate_of(without(files, path, entry))
            queue = entry["value"]["src-queue"]
            for message in _messages(estate, path[:-5], queue):
                told, by_hand = endings(failed, message), endings(removed, message)
                if told is None or by_hand is None:
                    continue
                waits = f"HELD(queue:{queue}, {path[:-5]})"
                kept = f"DELIVERED(queue:{queue}) at {path[:-5]}"
                as_kept = {kept if one.startswith(waits) else one for one in told}
                assert as_kept == by_hand, (number, entry["name"], message)
                compared += any(one.startswith(waits) for one in told)
    assert compared > 3


def _messages(estate: SteppingEstate, server: str, queue: str) -> Iterator[Any]:
    own = estate.systems["rabbitmq"]
    assert own.sent is not None
    found = [("rabbitmq", state) for state in own.sent() if state.server == server]
    yield from (one for one in found if one[1].object == f"queue:{queue}")
    yield from [one for one in found if one[1].object != f"queue:{queue}"][:6]


def test_what_fails_can_be_named() -> None:
    kinds = system("rabbitmq").capabilities.link_failures
    assert kinds == {"shovel", "federation"}


def test_a_failed_upstream_keeps_messages_at_its_upstream(tmp_path: Path) -> None:
    definitions = {
        "north": {
            "exchanges": [{"name": "x", "vhost": "/", "type": "topic", "arguments": {}}],
        },
        "south": {
            "exchanges": [{"name": "x", "vhost": "/", "type": "topic", "arguments": {}}],
            "queues": [{"name": "q", "vhost": "/", "arguments": {}}],
            "bindings": [{"source": "x", "vhost": "/", "destination": "q",
                          "destination_type": "queue", "routing_key": "a.#", "arguments": {}}],
            "policies": [{"name": "f", "vhost": "/", "pattern": "^x$", "apply-to": "exchanges",
                          "definition": {"federation-upstream": "up"}}],
            "parameters": [{"component": "federation-upstream", "vhost": "/", "name": "up",
                            "value": {"uri": "amqp://north"}}],
        },
    }  # fmt: skip
    for name, stated in definitions.items():
        text = json.dumps({"rabbitmq_version": "4.1.0", "vhosts": [{"name": "/"}], **stated})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    network = topograph.read(tmp_path)
    answer = network.impact("federation:up")
    assert [(one.from_, one.to) for one in answer.lost] == [("north", "south")]
    assert {one.after for one in answer.changed} == {("HELD(exchange:x, north) at north",)}
    assert all(one.destination.startswith("exchange:x with the key a") for one in answer.changed)
    sweep = network.impact(sweep=True)
    assert {one.failed: one.lost for one in sweep.failures}["federation:up"] == 1
    assert answer.exact
    assert sweep.exact
