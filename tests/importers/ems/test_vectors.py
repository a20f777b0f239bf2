"""The ``parse`` vectors of ems_vectors.json."""

import json
from pathlib import Path
from typing import Any

import pytest

from topograph.facts.ems import EmsDurable, EmsRoute
from topograph.facts.ems_urls import parse_endpoint
from topograph.importers.ems import ParsedText, parse_text

VECTORS = [
    vector
    for vector in json.loads(
        (Path(__file__).parents[2] / "vectors" / "ems_vectors.json").read_text(encoding="utf-8")
    )
    if vector["ask"]["op"] == "parse"
]


def answer(parsed: ParsedText) -> dict[str, Any]:
    """What a parse gave, in the words of ems_vectors.md."""
    error = parsed.first_error
    routes = [fact for fact in parsed.facts if isinstance(fact, EmsRoute)]
    endpoint = parse_endpoint(routes[0].url[0]) if routes else None
    return {
        "error": error is not None,
        "kind": error.kind if error else None,
        "line": error.source.line if error else None,
        "warnings": sorted(parsed.warnings),
        "fatal_at_start_up": parsed.fatal_at_start_up,
        "values": parsed.values,
        "ignored": list(parsed.ignored),
        "endpoint": {"scheme": endpoint.scheme, "host": endpoint.host, "port": endpoint.port}
        if endpoint
        else None,
        "routes": [
            {
                "name": route.name,
                "url": list(route.url),
                "zone_name": route.zone_name,
                "zone_type": route.zone_type,
            }
            for route in routes
        ],
        "outgoing_topic": [
            [selector.topic, selector.selector]
            for route in routes
            for selector in route.selectors
            if selector.direction == "outgoing"
        ],
        "durables": [
            {"topic": fact.topic, "name": fact.name, "route": fact.route}
            for fact in parsed.facts
            if isinstance(fact, EmsDurable)
        ],
    }


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 14


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_parse_vector_is_answered(vector: dict[str, Any]) -> None:
    ask, expected = vector["ask"], vector["expect"]
    given = answer(parse_text(ask["file"], ask["text"], ask["mode"] == "strict"))
    assert {key: given[key] for key in expected} == expected
