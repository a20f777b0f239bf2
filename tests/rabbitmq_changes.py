"""Scripts for RabbitMQ applied to definitions, and what facts say wherever they stand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import topograph
from topograph.audit.changing_parts import ChangingPart, read_script
from topograph.facts import Fact
from topograph.facts.rabbitmq import FACTS
from topograph.facts.rows import encode, without_places
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.rabbitmq import changes

KINDS = tuple(one.kind for one in FACTS)


def content(facts: Iterable[Fact], *, types: bool = True) -> Counter[str]:
    """What facts say, wherever they stand; without ``types`` but for the type of queues of a
    virtual host, which exports of 3.10 leave out."""
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
        if row["kind"] == "vhost" and not types:
            payload.pop("default_queue_type")
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
