"""``propagate`` of the engine of pages answers as the command does: every field, on the examples and on random estates with everything in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from portable.comparing import Counts, compare, models_of
from portable.node_engine import NodeEngine, node_engine

from topograph.message import type_name
from topograph.workspace import read_snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def asked(start: str, topic: str, properties: dict[str, Any] | None = None, user: str = "") -> dict[str, Any]:
    """The question as a page asks it: exact numbers as text."""
    typed = {
        name: {"type": type_name(value), "value": str(value) if type_name(value) == "long" else value}
        for name, value in (properties or {}).items()
    }
    return {"question": "propagate", "from": start, "destination": f"topic:{topic}", "properties": typed, "user": user}


def topics_of(model: Any) -> list[str]:
    """Every topic that the files name, and one that they do not."""
    found = {"unheard.of"}
    for part in model.parts:
        for fact in part.facts_of(part.graph.system).facts(("destination", "durable", "bridge")):
            if getattr(fact, "type", "topic") == "topic" and (getattr(fact, "topic", "") or getattr(fact, "name", "")):
                name = getattr(fact, "topic", "") or getattr(fact, "name", "")
                found.add(name.replace("*", "x").replace(">", "y.z"))
    return sorted(found)


PROPERTIES: list[dict[str, Any]] = [
    {},
    {"country": "Canada", "qty": 7},
    {"country": "Spain", "qty": 2**53 + 1, "vip": True},
    {"qty": 7.5, "JMSPriority": 9, "note": None},
]


@pytest.mark.parametrize("example", ["estate", "orders", "retail", "mhop-star/legal", "two-1hop-zones/legal"])
def test_every_topic_of_a_legal_estate_is_answered_as_the_command_answers(example: str, engine: NodeEngine) -> None:
    counts = Counts()
    for model in models_of(read_snapshot(EXAMPLES / example)):
        questions = [
            asked(start, topic, properties, user)
            for start in model.server_names()
            for topic in topics_of(model)
            for properties in PROPERTIES
            for user in ("", "ada")
        ]
        assert compare(engine, model, questions, counts) == []
    print(f"\n{example}: {counts} {dict(counts.why)}")
    assert counts.answered == counts.asked
