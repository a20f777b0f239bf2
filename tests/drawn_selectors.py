"""A table of what selectors mean: texts drawn from a number, some with a slip, and a digest for
each: of its error, or of its truth for some messages and of all that is derived from it.

``python -m drawn_selectors NUMBER`` in ``tests`` prints the selectors of a line with
their answers, ``python -m drawn_selectors`` writes the answers of now.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from digest_tables import write

from topograph.errors import InvalidSelector
from topograph.message import Properties
from topograph.portable.selector_trees import selector_entry
from topograph.selectors import parse
from topograph.selectors.witnesses import witnesses

TABLE = Path(__file__).parent / "selectors" / "drawn_selectors.txt"
LINES = 40
IN_A_LINE = 15

_NAMES = (
    "a",
    "b",
    "c",
    "JMSType",
    "JMSPriority",
    "JMSTimestamp",
    "JMSDeliveryMode",
    "JMSMessageID",
)
_NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "7.",
    ".5",
    "0x1F",
    "017",
    "5L",
    "1E2",
    "2.5f",
    "3d",
    "9223372036854775807",
)
_MORE_NUMBERS = ("9223372036854775808", "08", "1_000", "0b11", "1e999", "-9223372036854775808")
_TEXTS = ("'x'", "''", "'50%'", "'it''s'", "'é'", "'PERSISTENT'", "'x_y'", "'NON_PERSISTENT'")
_PATTERNS = (
    "'x%'",
    "'%y'",
    "'_'",
    "'5!%' ESCAPE '!'",
    "'a\\_%' ESCAPE '\\'",
    "'%%'",
)
_SLIPS = (
    "",
    "(",
    ")",
    ",",
    "'",
    '"',
    "=",
    "==",
    "NOT",
    "and",
    "is",
    "%",
    "#",
    "\t",
    "é",
    "x",
    "1",
    ".",
)
_VALUES = (
    True,
    False,
    0,
    1,
    -1,
    2,
    31,
    0.5,
    2.5,
    100.0,
    float("nan"),
    "x",
    "",
    "50%",
    "x_y",
    "PERSISTENT",
)


def answers(number: int) -> Iterator[tuple[str, str]]:
    """The selectors of a line, and all that is said of each."""
    at = random.Random(f"selectors {number}")
    for _ in range(IN_A_LINE):
        text = _condition(at, 3)
        if at.random() < 0.2:
            place, end = at.randrange(len(text)), at.randrange(4)
            text = text[:place] + at.choice(_SLIPS) + text[place + end :]
        if at.random() < 0.2:
            text = at.choice((text.lower(), text.replace(" ", "\n"), f" {text} "))
        yield text, _said(text, [_message(at) for _ in range(6)])


def _said(text: str, messages: list[Properties]) -> str:
    try:
        selector = parse(text)
    except InvalidSelector as error:
        return f"{error}"
    lines = [f"{sorted(selector.identifiers)} {selector.header_fields} {selector.constant()}"]
    lines += [f"{selector_entry(text)}"]
    lines += [
        f"{message}: {selector.judge(message)} {selector.evaluate(message)}" for message in messages
    ]
    lines += map(str, islice(witnesses([selector], 40), 40))
    return "\n".join(lines)


def _message(at: random.Random) -> Properties:
    return {name: at.choice(_VALUES) for name in at.sample(_NAMES[:6], at.randint(0, 4))}


def _condition(at: random.Random, depth: int) -> str:
    if depth and at.random() < 0.6:
        way = at.randrange(4)
        if way == 0:
            return f"NOT {_condition(at, depth - 1)}"
        left, right = _condition(at, depth - 1), _condition(at, depth - 1)
        joined = f"{left} {at.choice(('AND', 'OR'))} {right}"
        return f"({joined})" if way == 1 else joined
    name, no = at.choice(_NAMES), at.choice(("", "NOT "))
    texts = ", ".join(at.sample(_TEXTS, at.randint(1, 3)))
    return at.choice(
        (
            f"{_sum(at, 2)} {at.choice(('=', '<>', '<', '<=', '>', '>='))} {_sum(at, 2)}",
            f"{_sum(at, 1)} {no}BETWEEN {_sum(at, 1)} AND {_sum(at, 1)}",
            f"{name} {at.choice(('=', '<>'))} {at.choice(_TEXTS)}",
            f"{name} {no}IN ({texts})",
            f"{name} {no}LIKE {at.choice(_PATTERNS)}",
            f"{name} IS {no}NULL",
            at.choice(("TRUE", "FALSE", "a", "b", "1 = 1", "'x' = 'x'", "a = TRUE")),
        )
    )


def _sum(at: random.Random, depth: int) -> str:
    if depth and at.random() < 0.5:
        way = at.randrange(3)
        if way == 0:
            return f"{at.choice('-+')}{_sum(at, depth - 1)}"
        joined = f"{_sum(at, depth - 1)} {at.choice('+-*/')} {_sum(at, depth - 1)}"
        return f"({joined})" if way == 1 else joined
    return at.choice(
        (
            at.choice(_NAMES[:5]),
            at.choice(_NUMBERS),
            at.choice(_NUMBERS if at.random() < 0.95 else _MORE_NUMBERS),
        )
    )


if __name__ == "__main__":
    if sys.argv[1:]:
        for text, said in answers(int(sys.argv[1])):
            print(f"> {text}\n{said}")
    else:
        write(TABLE, ((number, [said for _, said in answers(number)]) for number in range(LINES)))
