"""Random scripts for RabbitMQ leave what edited definitions say, and audits of both are equal."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rabbitmq_scripts

import topograph
from topograph.audit.changing_parts import ChangingPart, read_script
from topograph.facts import Fact
from topograph.facts.rabbitmq import FACTS
from topograph.facts.rows import encode, without_places
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.rabbitmq import changes

KINDS = tuple(one.kind for one in FACTS)


def content(facts: Iterable[Fact]) -> Counter[str]:
    """What facts say, wherever they stand."""
    found: Counter[str] = Counter()
    for fact in facts:
        row = encode(fact)
        payload = json.loads(without_places(row["payload"]))
        if row["kind"] == "queue":
            payload["type"] = payload["type"] or "classic"
            payload["arguments"] = [
                one for one in payload["arguments"] if one != ["x-queue-type", '"classic"']
            ]
        if row["kind"] == "broker":
            payload.pop("version")
        found[json.dumps([row["kind"], row["server"], payload], sort_keys=True)] += 1
    return found


def written(definitions: dict[str, Any], folder: Path) -> topograph.Network:
    folder.mkdir()
    (folder / "recorded.json").write_text(json.dumps(definitions, indent=1), encoding="utf-8")
    return topograph.read(folder)


def applied(
    network: topograph.Network, script: str, server: str = "recorded"
) -> tuple[FactSource, list[tuple[str, str]]]:
    """The facts after a script, and what became of each command: taken, refused or undetermined."""
    changing = ChangingPart(network._model.parts[0])
    results = []
    for command in read_script("rabbitmq", script.encode(), "change.sh").commands:
        edit = changes.edit(changing.facts("rabbitmq"), server, command)
        if edit.refused is None:
            if edit.change != Change():
                changing.apply(edit.change)
            results.append((command.text, "taken"))
        else:
            why = "undetermined" if edit.refused.undetermined else "refused"
            results.append((command.text, f"{why}: {edit.refused.message}"))
    return changing.facts("rabbitmq"), results


@pytest.mark.parametrize("part", range(4))
def test_a_script_leaves_what_edited_definitions_say(part: int, tmp_path: Path) -> None:
    for seed in range(part, 60, 4):
        random = Random(seed)
        before = rabbitmq_scripts.definitions(random)
        after = copy.deepcopy(before)
        drawn = [rabbitmq_scripts.command(random, after) for _ in range(random.randint(1, 25))]
        network = written(before, tmp_path / f"before-{seed}")
        edited = written(after, tmp_path / f"after-{seed}")
        script = "".join(f"{one.lines}\n" for one in drawn)
        facts, results = applied(network, script)
        assert content(facts.facts(KINDS)) == content(
            edited._model.parts[0].facts_of("rabbitmq").facts(KINDS)
        ), (seed, script, results)
        refused = sum(result != "taken" for _, result in results)
        assert refused == sum(not one.taken for one in drawn), (seed, script, results)


ANSWERED = ("reach", "hops", "links", "outcomes", "servers", "deliveries")


@pytest.mark.parametrize("seed", range(100, 108))
def test_the_audit_of_a_script_is_that_of_the_edited_definitions(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    before = rabbitmq_scripts.definitions(random)
    after = copy.deepcopy(before)
    drawn = [rabbitmq_scripts.command(random, after) for _ in range(8)]
    network, edited = written(before, tmp_path / "before"), written(after, tmp_path / "after")
    taken = [one.lines for one in drawn if one.taken]
    if after == before or not taken:
        return
    own = network.audit("\n".join(taken).encode(), at="recorded").to_dict()
    other = topograph.compare(network, edited).to_dict()
    for name in ANSWERED:
        assert _placeless(own[name]) == _placeless(other[name]), (seed, name, taken)


def _placeless(value: Any) -> Any:
    if isinstance(value, dict):
        hidden = ("source", "cause", "file", "line")
        return {key: _placeless(one) for key, one in value.items() if key not in hidden}
    return [_placeless(one) for one in value] if isinstance(value, list) else value
