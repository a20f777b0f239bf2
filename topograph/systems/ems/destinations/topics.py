"""EMS destination names, wildcards and inherited properties (ems.md 2.6, R80-R84).

A pattern is dot-separated; ``*`` stands for exactly one whole element, a final ``>`` for one or
more (alone: for every name).

>>> (matches("foo.>", "foo"), matches("foo.>", "foo.bar.boo"), matches("foo.*.bar", "foo.a.bar"),
...  matches("a*", "ab"))
(False, True, True, False)
>>> contained("foo.*", "foo.>"), contained("foo.>", "foo.*")
(True, False)
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from topograph.digits import digits
from topograph.facts.ems import EmsDestination
from topograph.facts.ems_names import TEMPORARY

FLAGS = frozenset({"global", "secure", "sender_name", "sender_name_enforced", "trace", "exclusive"})
"""Properties without a value; they add up over all matching patterns and cannot be removed
(R83).
"""

_NUMBERS = frozenset(
    {
        "maxbytes",
        "maxmsgs",
        "flowcontrol",
        "expiration",
        "prefetch",
        "maxredelivery",
        "redeliverydelay",
    }
)
FLOW_CONTROL = "256KB"
"""What ``flowControl`` without a value stands for (ems.md 1.4)."""
_UNITS = {"KB": 1024, "MB": 1024**2, "GB": 1024**3}


def is_wildcard(name: str) -> bool:
    """True if the name stands for several names: an element is ``*``, or the last one is ``>``
    (R80, R81).
    """
    parts = name.split(".")
    return "*" in parts or parts[-1] == ">"


def is_temporary(name: str) -> bool:
    """Whether a topic, or a pattern of topics, is temporary (R90)."""
    return name.startswith(TEMPORARY)


def owner_of(name: str) -> str:
    """The server that a temporary topic belongs to (R90).

    >>> owner_of("$TMP$.EMS-A.1.2")
    'EMS-A'
    """
    return name.removeprefix(TEMPORARY).partition(".")[0]


def matches(pattern: str, name: str) -> bool:
    """Does ``pattern`` match the concrete ``name``? (R80) Linear in the number of elements.

    ``>`` alone matches everything; elsewhere than in last place ``>``, and ``*`` inside an element,
    are literal (R81).
    """
    if pattern in (">", name):
        return True
    wanted, given = pattern.split("."), name.split(".")
    if wanted[-1] == ">":
        wanted = wanted[:-1]
        if len(given) <= len(wanted):
            return False
        given = given[: len(wanted)]
    return len(wanted) == len(given) and all(
        w in ("*", g) for w, g in zip(wanted, given, strict=True)
    )


class Covering(Container[str]):
    """The patterns that match one of some concrete ``names`` (R80), to choose facts by.

    >>> [pattern in Covering(["a.b", "c"]) for pattern in ("a.*", "c", "a", "c.>")]
    [True, True, False, False]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    def __contains__(self, pattern: object) -> bool:
        """Constant for a name, linear in the names for a pattern with a wildcard."""
        if pattern in self._names:
            return True
        return (
            isinstance(pattern, str)
            and is_wildcard(pattern)
            and any(matches(pattern, name) for name in self._names)
        )


def contained(sub: str, sup: str) -> bool:
    """Is every name that ``sub`` matches also matched by ``sup``? (R82) Linear in the number of
    elements.
    """
    inner, outer = sub.split("."), sup.split(".")
    for place, element in enumerate(outer):
        if element == ">" and place == len(outer) - 1:
            return len(inner) > place
        if place >= len(inner):
            return False
        inner_is_tail = inner[place] == ">" and place == len(inner) - 1
        if inner_is_tail or (element != "*" and element != inner[place]):
            return False
    return len(inner) == len(outer)


def covered(pattern: str, others: Collection[str]) -> bool:
    """Is every name that ``pattern`` matches also matched by one of ``others`` (not necessarily by
    the same one)? Linear in the elements, times ``others``; unions are tried where the pattern ends
    in ``>``, which is ``*`` and ``*.>`` together.

    >>> covered("x.>", ["x.*"]), covered("x.>", ["x.*", "x.*.>"]), covered("x.a", ["x.*"])
    (False, True, True)
    """
    while True:
        if any(contained(pattern, other) for other in others):
            return True
        elements = pattern.count(".")
        if not pattern.endswith(">") or all(elements > other.count(".") for other in others):
            return False
        prefix = pattern[:-1]
        if not any(contained(f"{prefix}*", other) for other in others):
            return False
        pattern = f"{prefix}*.>"


def overlap(first: str, second: str) -> bool:
    """Is there a name that both patterns match? Linear in the number of elements."""
    left, right = first.split("."), second.split(".")
    for place in range(max(len(left), len(right))):
        left_tail = place == len(left) - 1 and left[place] == ">"
        right_tail = place == len(right) - 1 and right[place] == ">"
        if left_tail:
            return place < len(right)
        if right_tail:
            return place < len(left)
        if place >= len(left) or place >= len(right):
            return False
        if "*" not in (left[place], right[place]) and left[place] != right[place]:
            return False
    return True


def size(text: str) -> int | None:
    """Bytes (or a count) of a size value such as ``100``, ``10MB``; None if it does not read as
    one.
    """
    unit = text[-2:].upper()
    written, factor = (text[:-2], _UNITS[unit]) if unit in _UNITS else (text, 1)
    number = digits(written.strip())
    return None if number is None else number * factor


def properties_in_effect(entries: Iterable[EmsDestination], name: str) -> dict[str, Any]:
    """The properties that hold for the concrete destination ``name`` on one server (R83, R84).

    ``entries`` are the lines of one topics.conf (or queues.conf). Flags add up; a value on the
    destination's own line overrides; among inherited numbers the smallest wins, and 0 sets none;
    overflowPolicy follows its own precedence (ems.md 1.4); prefetch 0 inherits. ``$TMP$.`` names
    inherit only from patterns that themselves begin with ``$TMP$.``. Sizes are numbers of bytes,
    flags True.
    """
    own: dict[str, str] = {}
    inherited: list[Mapping[str, str]] = []
    temporary = name.startswith("$TMP$.")
    for entry in entries:
        if entry.name == name:
            own.update(entry.properties)
        elif matches(entry.name, name) and (not temporary or entry.name.startswith("$TMP$.")):
            inherited.append(dict(entry.properties))
    keys = {key for properties in (own, *inherited) for key in properties}
    result: dict[str, Any] = {}
    for key in sorted(keys):
        value = _in_effect(key, own.get(key), [p[key] for p in inherited if key in p])
        if value is not None:
            result[key] = value
    return result


def _in_effect(key: str, own: str | None, inherited: Sequence[str]) -> Any:
    folded = key.lower()
    if folded in FLAGS:
        return True
    if folded == "overflowpolicy":
        if own not in (None, "", "default"):
            return own
        return next((p for p in ("rejectIncoming", "discardOld") if p in inherited), "default")
    if folded == "flowcontrol":
        own = FLOW_CONTROL if own == "true" else own
        inherited = [FLOW_CONTROL if value == "true" else value for value in inherited]
    if folded == "prefetch":  # 0 inherits
        own, inherited = None if own == "0" else own, [value for value in inherited if value != "0"]
    if own is None and folded in _NUMBERS:
        return _smallest(inherited)
    value = own if own is not None else inherited[0]
    return True if value == "true" else _number(folded, value)


def _smallest(inherited: Sequence[str]) -> Any:
    """The smallest of inherited numbers; 0 sets no limit. A value that is no number counts only
    where there is none; None if there is nothing.
    """
    read = {value: size(value) for value in inherited}
    numbers = [number for number in read.values() if number is not None]
    limits = [number for number in numbers if number > 0]
    return min(limits or numbers, default=next(iter(inherited), None))


def _number(key: str, value: str) -> Any:
    number = size(value) if key in _NUMBERS else None
    return value if number is None else number


def store_conflicts(
    entries: Sequence[EmsDestination],
) -> list[tuple[EmsDestination, EmsDestination]]:
    """Pairs of entries whose patterns overlap and whose stores differ (R84: creation of the
    second fails). Quadratic in the entries that state a store (few)."""
    stated = [(entry, dict(entry.properties).get("store")) for entry in entries]
    having = [(entry, store) for entry, store in stated if store]
    return [
        (first, second)
        for place, (first, store) in enumerate(having)
        for second, other in having[place + 1 :]
        if store != other and overlap(first.name, second.name)
    ]
