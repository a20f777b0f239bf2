"""Random scripts for RabbitMQ leave what edited definitions say, and audits of both are equal."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest
import rabbitmq_scripts
from rabbitmq_changes import KINDS, applied, content, written

import topograph


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
    script = tmp_path / "change.sh"
    script.write_text("".join(f"{one}\n" for one in taken), encoding="utf-8")
    own = network.audit(script).to_dict()
    other = topograph.compare(network, edited).to_dict()
    for name in ANSWERED:
        assert _placeless(own[name]) == _placeless(other[name]), (seed, name, taken)


def _placeless(value: Any) -> Any:
    if isinstance(value, dict):
        hidden = ("source", "cause", "file", "line")
        return {key: _placeless(one) for key, one in value.items() if key not in hidden}
    return [_placeless(one) for one in value] if isinstance(value, list) else value
