"""``propagate`` of the engine of pages answers as the command does: every field, on the examples
and on random estates with everything in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from portable.comparing import Counts, compare, models_of
from portable.node_engine import NodeEngine, node_engine

from topograph.message import type_name
from topograph.opening.folders import read_snapshot
from topograph.portable import engine_data

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with node_engine(tmp_path_factory.mktemp("engine")) as started:
        yield started


def asked(
    start: str, topic: str, properties: dict[str, Any] | None = None, user: str = ""
) -> dict[str, Any]:
    """The question as a page asks it: exact numbers as text."""
    typed = {
        name: {
            "type": type_name(value),
            "value": str(value) if type_name(value) == "long" else value,
        }
        for name, value in (properties or {}).items()
    }
    return {
        "question": "propagate",
        "from": start,
        "destination": f"topic:{topic}",
        "properties": typed,
        "user": user,
    }


def topics_of(model: Any) -> list[str]:
    """Every topic that the files name, and one that they do not."""
    found = {"unheard.of"}
    for part in model.parts:
        for fact in part.facts_of(part.graph.system).facts(("destination", "durable", "bridge")):
            if getattr(fact, "type", "topic") == "topic" and (
                getattr(fact, "topic", "") or getattr(fact, "name", "")
            ):
                name = getattr(fact, "topic", "") or getattr(fact, "name", "")
                found.add(name.replace("*", "x").replace(">", "y.z"))
    return sorted(found)


PROPERTIES: list[dict[str, Any]] = [
    {},
    {"country": "Canada", "qty": 7},
    {"country": "Spain", "qty": 2**53 + 1, "vip": True},
    {"qty": 7.5, "JMSPriority": 9, "note": None},
]


@pytest.mark.parametrize(
    "example", ["estate", "orders", "retail", "mhop-star/legal", "two-1hop-zones/legal"]
)
def test_every_topic_of_a_legal_estate_is_answered_as_the_command_answers(
    example: str, engine: NodeEngine
) -> None:
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


def declined(engine: NodeEngine, **changed: Any) -> str:
    """Why a changed question about the orders is not answered."""
    question = {**asked("HUB", "orders", {"qty": 7}), **changed}
    (told,) = engine.ask([question])
    assert not told["answered"], told["answer"]
    assert told["command"].startswith("topograph propagate HUB --destination ")
    return str(told["why"])


def test_what_the_command_refuses_is_not_answered(engine: NodeEngine) -> None:
    (model,) = models_of(read_snapshot(EXAMPLES / "orders"))
    engine.load(engine_data(model))
    assert "is a wildcard" in declined(engine, destination="topic:orders.>")
    assert "not decided in this page" in declined(engine, destination="queue:orders")
    assert "belong to one client" in declined(engine, destination="topic:$TMP$.HUB.1")
    assert "No message can be published" in declined(engine, destination="topic:orders..eu")
    assert "No message can be published" in declined(engine, destination=f"topic:{'x' * 128}")
    assert "does not fit" in declined(
        engine, properties={"qty": {"type": "long", "value": str(2**63)}}
    )
    assert "no value of type long" in declined(
        engine, properties={"qty": {"type": "long", "value": "seven"}}
    )
    assert "no value of type constructor" in declined(
        engine, properties={"qty": {"type": "constructor", "value": 7}}
    )
    assert "from 0 to 9" in declined(
        engine, properties={"JMSPriority": {"type": "long", "value": 12}}
    )
    assert "subscribers" in declined(engine, subscribers=["HUB:topic:orders"])


def test_a_redacted_page_takes_users_by_their_tokens(engine: NodeEngine) -> None:
    (model,) = models_of(read_snapshot(EXAMPLES / "orders"))
    data = engine_data(model)
    data["about"]["redaction"] = "0123456789ab"
    engine.load(data)
    assert (
        declined(engine, user="ada")
        == "This page is redacted: the user ada is known in it by a token only."
    )
    (told,) = engine.ask([asked("HUB", "orders", {}, "user-0123456789ab")])
    assert told["answered"]
