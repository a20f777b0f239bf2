"""What a page holds thousands of, in few bytes: tables as columns, and messages without the names
that their rows have anyway.

``script/compact.js`` reads both. Packed or not, columns take a third of what rows take: of most,
all values are the same, or each is a little more than the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

Column = list[object] | dict[str, object]
"""All values; or ``{"all": VALUE}`` where they are the same, ``{"steps": NUMBERS}`` where each
number is the sum of those up to it.
"""


def table(rows: Sequence[Sequence[object]]) -> dict[str, object]:
    """Rows of equal length as columns of JSON values. Raises ValueError where lengths differ.
    Linear.

    >>> table([["a", 7, 1], ["b", 7, 3]])
    {'rows': 2, 'columns': [['a', 'b'], {'all': 7}, {'steps': [1, 2]}]}
    """
    return {"rows": len(rows), "columns": [_column(column) for column in zip(*rows, strict=True)]}


def _column(values: Sequence[object]) -> Column:
    first = values[0]
    if all(type(one) is type(first) and one == first for one in values):
        return {"all": first}
    numbers = [one for one in values if type(one) is int]
    return {"steps": steps(numbers)} if len(numbers) == len(values) else list(values)


def steps(numbers: Sequence[int]) -> list[int]:
    """How much each number is more than the one before, the first of them than 0.

    >>> steps([5, 6, 9])
    [5, 1, 3]
    """
    return [one - before for before, one in zip((0, *numbers), numbers, strict=False)]


_MARKS = "\x01\x02\x03\x04"
_AS_IT_IS = "\x00"
_OWN_MARKS = frozenset(_AS_IT_IS + _MARKS)


def without_names(message: str, names: Sequence[str]) -> str:
    """A message with marks in place of at most four names, the longest first; messages that differ
    in them are then one text. What has such characters of its own stays as it is, behind another
    mark.

    >>> without_names("orders is global at HQ and not at ROME", ("ROME", "HQ"))
    'orders is global at \\x02 and not at \\x01'
    """
    if not _OWN_MARKS.isdisjoint(message):
        return _AS_IT_IS + message
    marked = [
        (name, mark)
        for name, mark in zip(names, _MARKS, strict=False)
        if name and _OWN_MARKS.isdisjoint(name)
    ]
    for name, mark in sorted(marked, key=lambda one: -len(one[0])):
        message = message.replace(name, mark)
    return message


def folder_of(file: str) -> str:
    """The first folder of a path, which is often called as its server is; empty for a file in
    none.
    """
    folder, slash, _ = file.partition("/")
    return folder if slash else ""
