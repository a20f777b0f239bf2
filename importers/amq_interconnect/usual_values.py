"""The values in effect of a section about which there is nothing to say: every attribute is in the
schema, nothing is missing or is Skupper Router's alone, every value is valid (C-8).

Of the sections of a large file nearly all are of this kind, and most state the same attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from topograph.facts.amqp_addresses import trimmed
from topograph.importers.amq_interconnect.schema import (
    TYPES,
    EntityType,
    ValueType,
    checked_value,
    plain_text,
)
from topograph.importers.amq_interconnect.sections import ConfEntry

_TRIMMED = ("address", "linkRoute")
_PATTERNS = ("prefix", "pattern")
_KEPT = 4096


def usual_values(entity: EntityType, stated: Mapping[str, ConfEntry]) -> dict[str, str] | None:
    """The values in effect by attribute in the order of the schema, defaults included; None if
    there is something to say about one of them. Linear in the attributes."""
    defaults = _defaults(entity.name, tuple(stated))
    if defaults is None:
        return None
    values = defaults.copy()
    for name, entry in stated.items():
        value = entry.value
        if type(value) is not str:
            return None
        found = plain_text(name, value) if name in _PATTERNS else _checked(entity.name, name, value)
        if found is None:
            return None
        values[name] = found
    trim(entity.name, values)
    return values


def trim(type_: str, values: dict[str, str]) -> None:
    """Take the separators around the addresses of a section away (A-4)."""
    if type_ in _TRIMMED:
        for name in _PATTERNS:
            if name in values:
                values[name] = trimmed(values[name])


@lru_cache(_KEPT)
def _defaults(type_: str, stated: tuple[str, ...]) -> dict[str, str] | None:
    """The default values of a type, with a place for each attribute that is stated; None if there
    is something to say about one that is, or is not. Not to be changed."""
    entity = TYPES[type_]
    attributes = entity.attributes
    if attributes is None or not attributes.keys() >= set(stated):
        return None
    values: dict[str, str] = {}
    for name, attribute in attributes.items():
        if name in stated:
            if attribute.skupper and not attribute.required:
                return None
            values[name] = ""
        elif attribute.default is not None:
            values[name] = attribute.default
        elif attribute.required:
            return None
    return values


@lru_cache(_KEPT)
def _checked(type_: str, name: str, value: str) -> str | None:
    """The value in effect of a text; None if there is something to say about it."""
    attribute = (TYPES[type_].attributes or {})[name]
    if attribute.kind is ValueType.TEXT:
        return plain_text(name, value)
    if name == "role" and value == "on-demand":
        return None
    try:
        return checked_value(attribute, value)
    except ValueError:
        return None
