"""How a vector's ``expect`` is compared with what topograph says: only the keys present, some
lists as sets (ems_vectors.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

Vector = Mapping[str, Any]
Run = Callable[[Vector], dict[str, Any]]


class UnknownOp(Exception):
    """A vector asks for something no rule of its system knows."""


class UnknownKey(UnknownOp):
    """A vector has a key that the runner would not look at."""


def known(part: Mapping[str, Any], keys: Collection[str], where: str) -> None:
    """Raises UnknownKey for a key of ``part`` that is none of ``keys``: what nobody looks at
    must not pass for done.
    """
    unknown = sorted(set(part) - set(keys))
    if unknown:
        raise UnknownKey(
            f"unknown key {', '.join(unknown)} in {where}; there are {', '.join(sorted(keys))}"
        )


SUBSETS = frozenset(
    {"lint", "warnings", "notes", "alternatives", "eliminated", "branches", "bypassed"}
)
"""Lists of an expectation that are a minimum, in any order (vectors_ibm.md)."""

SETS = frozenset({"options", "copies", "discovered"})
"""Lists of an expectation whose order is free."""


def fits(want: Any, said: Any, key: str = "") -> bool:
    """Whether an expectation of vectors_ibm.md holds: of a mapping the keys that it has; hops a
    part in order; SUBSETS and SETS; a code or reason that is a list means any of them; a cycle
    may begin anywhere; all other lists in order. A step has several rules where it rests on
    several."""
    if isinstance(want, Mapping):
        return isinstance(said, Mapping) and all(
            name in said and fits(one, said[name], name) for name, one in want.items()
        )
    if key == "rule" and isinstance(want, str):
        return want in str(said).split(", ")
    if not isinstance(want, list):
        return bool(want == said or (key == "reason" and str(want) == str(said)))
    if not isinstance(said, (list, tuple)):
        return any(fits(one, said, key) for one in want)
    if key == "notVisited":
        return not set(want) & set(said)
    if key == "hops":
        rest = iter(said)
        return all(any(fits(one, other) for other in rest) for one in want)
    if key in SUBSETS or key in SETS:
        enough = key in SUBSETS or len(want) == len(said)
        return enough and all(any(fits(one, other) for other in said) for one in want)
    if key == "cycle":
        turns = [[*said[place:], *said[:place]] for place in range(len(said))]
        return any(list(want) == turn for turn in turns)
    return len(want) == len(said) and all(
        fits(one, other) for one, other in zip(want, said, strict=True)
    )


def differences(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[str]:
    """What differs, one line a key; empty where the vector holds."""
    found = []
    for key, value in expected.items():
        if key not in actual:
            found.append(f"{key}: expected {value!r}, the runner gives no such key")
        elif comparable(value, ordered=key in ORDERED) != comparable(
            actual[key], ordered=key in ORDERED
        ):
            found.append(f"{key}: expected {value!r}, got {actual[key]!r}")
    return found


ORDERED = frozenset({"path", "sequence", "leg1", "leg2", "order", "tokens", "autoLinkStatus"})
"""Lists whose order is part of the answer; all other lists are sets."""


def comparable(value: Any, *, ordered: bool = False) -> Any:
    """``value`` with lists as sets, but lists inside a mapping under ``paths`` or a key of
    ORDERED as sequences.
    """
    if isinstance(value, Mapping):
        return frozenset(
            (key, comparable(item, ordered=ordered or key in (*ORDERED, "paths", "zone_hops")))
            for key, item in value.items()
        )
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [comparable(item, ordered=ordered) for item in value]
        return tuple(items) if ordered else frozenset(items)
    return value
