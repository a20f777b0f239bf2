"""Values of Cypher parameters on the command line: JSON as far as the database can keep it, else
text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from topograph.digits import double, integer
from topograph.errors import UsageError

DEEPEST = 100
"""Lists and objects in each other; the database takes more, but no statement of use asks for it."""


def read_value(name: str, text: str) -> Any:
    """The value of parameter ``name``: ``text`` as JSON if it reads as such, else the text itself.

    Raises UsageError for what no parameter can be: integers beyond 64 bits, numbers beyond a
    double, nesting without an end, and text that is not Unicode.
    """

    def whole(digits: str) -> int:
        found = integer(digits, most=19)
        if found is None or not -(2**63) <= found < 2**63:
            _refused(
                name,
                (
                    f"{_short(digits)} does not fit a 64-bit integer. Write it as text: "
                    f"{name}='\"{_short(digits)}\"'."
                ),
            )
        return found

    def real(digits: str) -> float:
        value = double(digits)
        if value is None:
            _refused(name, f"{_short(digits)} does not fit a double.")
        return value

    def constant(word: str) -> NoReturn:
        raise ValueError(f"{word} is not JSON")

    try:
        value = json.loads(text, parse_int=whole, parse_float=real, parse_constant=constant)
    except RecursionError:
        _refused(name, "it is nested too deeply.")
    except ValueError:
        return text
    for part, depth in _parts(value):
        if depth > DEEPEST:
            _refused(name, f"it is nested more than {DEEPEST} deep.")
        if isinstance(part, str):
            check_text(part)
    return value


def check_text(text: str) -> None:
    """Raises UsageError for text that cannot be written as UTF-8: half of a character (a lone
    surrogate), or bytes that are not UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{_short(ascii(text))} is not Unicode text (character {error.start + 1})."
        ) from error


def _parts(value: Any) -> Iterator[tuple[Any, int]]:
    """The value and all that is in it, with how deep it is; without recursion."""
    waiting = [(value, 0)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        if depth > DEEPEST:
            continue
        if isinstance(part, dict):
            waiting += [(one, depth + 1) for pair in part.items() for one in pair]
        elif isinstance(part, list):
            waiting += [(one, depth + 1) for one in part]


def _refused(name: str, why: str) -> NoReturn:
    raise UsageError(f"--param {name}: {why}")


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
