"""What the bindings of headers exchanges ask of a message (RQ-6)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from topograph.facts import Pairs
from topograph.facts.rabbitmq import value_of
from topograph.message import Value

MATCH = "x-match"
WAYS = ("all", "any", "all-with-x", "any-with-x")


def how(arguments: Pairs) -> str:
    """The ``x-match`` of a binding; ``all`` where none of the four is stated."""
    stated = next((value_of(value) for name, value in arguments if name == MATCH), "all")
    return stated if stated in WAYS else "all"


def asked(arguments: Pairs) -> dict[str, object]:
    """The headers that a binding compares, with the value of each. Those that begin with ``x-``
    count only with ``-with-x``."""
    with_x = how(arguments).endswith("-with-x")
    return {
        name: value_of(value)
        for name, value in arguments
        if name != MATCH and (with_x or not name.startswith("x-"))
    }


def headers_match(arguments: Pairs, headers: Mapping[str, Value | None], *, exact: bool) -> bool:
    """Whether the headers of a message are those that a binding asks for. ``exact``: whole and
    decimal numbers are never equal. Linear in the headers of the binding."""
    found = (
        name in headers and _equal(value, headers[name], exact=exact)
        for name, value in asked(arguments).items()
    )
    return any(found) if how(arguments).startswith("any") else all(found)


def _equal(wanted: object, given: object, *, exact: bool) -> bool:
    """Whether a header has the value of a binding. One without a value asks only that the header
    is there."""
    if wanted is None:
        return True
    if isinstance(wanted, bool) or isinstance(given, bool):
        return wanted is given
    if exact and isinstance(wanted, float) != isinstance(given, float):
        return False
    return wanted == given


def in_words(arguments: Pairs) -> str:
    """What a binding asks, for people.

    >>> in_words((("tier", "1"), ("x-match", '"any"'), ("zone", '"eu"')))
    'any of tier=1, zone="eu"'
    """
    wanted = [
        name if value is None else f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in asked(arguments).items()
    ]
    few = "any" if how(arguments).startswith("any") else "all"
    if not wanted:
        return "nothing" if few == "any" else "anything"
    return f"{few} of {', '.join(wanted)}" if len(wanted) > 1 else wanted[0]
