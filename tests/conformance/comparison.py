"""How a vector's ``expect`` is compared with what topograph says: only the keys present, some lists as sets (ems_vectors.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Vector = Mapping[str, Any]
Run = Callable[[Vector], dict[str, Any]]


class UnknownOp(Exception):
    """A vector asks for something no rule of its system knows."""


def differences(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[str]:
    """What differs, one line a key; empty where the vector holds."""
    found = []
    for key, value in expected.items():
        if key not in actual:
            found.append(f"{key}: expected {value!r}, the runner gives no such key")
        elif comparable(value, ordered=key in ORDERED) != comparable(actual[key], ordered=key in ORDERED):
            found.append(f"{key}: expected {value!r}, got {actual[key]!r}")
    return found


ORDERED = frozenset({"path", "sequence", "leg1", "leg2", "order", "tokens", "autoLinkStatus"})
"""Lists whose order is part of the answer; all other lists are sets."""


def comparable(value: Any, *, ordered: bool = False) -> Any:
    """``value`` with lists as sets, but lists inside a mapping under ``paths`` or a key of ORDERED as sequences."""
    if isinstance(value, Mapping):
        return frozenset(
            (key, comparable(item, ordered=ordered or key in (*ORDERED, "paths", "zone_hops")))
            for key, item in value.items()
        )
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [comparable(item, ordered=ordered) for item in value]
        return tuple(items) if ordered else frozenset(items)
    return value
