"""Generic names of IBM MQ."""

from __future__ import annotations

from functools import lru_cache


def matches(pattern: str, name: str) -> bool:
    """Whether a generic name (``*`` as its last character) takes a name; CLCHNAME may have ``*``
    anywhere.

    >>> (matches("CLUS1.*", "CLUS1.TO.A"), matches("CLUS1", "CLUS1.TO.A"),
    ...  matches("*.A", "CLUS1.TO.A"))
    (True, False, True)
    """
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    if not name.startswith(first):
        return False
    at = len(first)
    for part in rest[:-1]:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(name) - at >= len(rest[-1]) and name.endswith(rest[-1])


@lru_cache(maxsize=1 << 14)  # queue managers have the same few names many times
def is_default(name: str) -> bool:
    """Whether an object is one that new objects of its type are made like: its own attributes are
    of no queue or channel that is used, and blank ones are no fault.

    >>> [is_default(one) for one in ("SYSTEM.DEFAULT.ALIAS.QUEUE", "SYSTEM.DEF.SENDER", "DEF.Q")]
    [True, True, False]
    """
    return name.startswith(("SYSTEM.DEFAULT.", "SYSTEM.DEF."))
