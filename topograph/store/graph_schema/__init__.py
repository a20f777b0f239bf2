"""What a published network looks like in Neo4j: every label (``labels``) and type of relationship
(``relationships``) with its properties and what they mean, in one place.

The constraints and indexes of the database (``schema_statements``) and the page of labels in the
documentation are made of this; tests compare what is published with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from topograph.store.graph_schema.labels import LABELS, OBJECT_LABELS
from topograph.store.graph_schema.relationships import RELATIONS, RELATIONSHIPS
from topograph.store.graph_schema.terms import KEY, OBJECT, Label, Property, Relationship
from topograph.store.snapshot import SCHEMA_VERSION

__all__ = (
    "DATABASE_SCHEMA",
    "KEY",
    "LABELS",
    "OBJECT",
    "OBJECT_LABELS",
    "RELATIONS",
    "RELATIONSHIPS",
    "Label",
    "Property",
    "Relationship",
    "schema_statements",
)

GRAPH_VERSION = 2
"""Of the shape of the graph: raised when a statement asks for what an earlier one did not write."""

DATABASE_SCHEMA = 100 * SCHEMA_VERSION + GRAPH_VERSION
"""``Snapshot.schema``: what another one wrote is refused, never answered from."""


def schema_statements() -> Iterator[str]:
    """The statements that make the constraints and indexes; each may be run again at any time."""
    for one in LABELS:
        if one.object:
            continue
        word = one.name.lower()
        for last, properties in ((one.unique[-1], one.unique), (_last(one.more), one.more)):
            if properties:
                yield _constraint(f"{word}_{last}", f"(n:{one.name})", "n", properties)
    yield _constraint("object_key", f"(n:{OBJECT})", "n", ("publish", KEY))
    for relationship in RELATIONSHIPS:
        if relationship.unique:
            word = {"SETS": "place"}.get(relationship.name, relationship.name.lower())
            pattern = f"()-[r:{relationship.name}]-()"
            yield _constraint(f"{word}_key", pattern, "r", relationship.unique)
    for one in LABELS:
        if one.indexed:
            listed = ", ".join(f"n.{name}" for name in one.indexed)
            word = f"{one.name.lower()}_{one.indexed[-1]}"
            yield f"CREATE INDEX {word} IF NOT EXISTS FOR (n:{one.name}) ON ({listed})"


def _last(names: tuple[str, ...]) -> str:
    return names[-1] if names else ""


def _constraint(name: str, pattern: str, variable: str, properties: tuple[str, ...]) -> str:
    listed = ", ".join(f"{variable}.{each}" for each in properties)
    listed = f"({listed})" if len(properties) > 1 else listed
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR {pattern} REQUIRE {listed} IS UNIQUE"
