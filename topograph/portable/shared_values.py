"""JSON values of which many are alike, each written once: answers about one network repeat their
steps, places and texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.portable.arrays import Texts

LIST = -1
"""What an entry of a list begins with; that of an object begins with the number of its keys in
``shapes``.
"""


class SharedValues:
    """A table of values: ``entries[number]`` is one. A reference is the number of an entry, or of a
    text, less than zero: ``-1`` is the first text.

    An entry is a number, a truth value or null as it is; a list as ``[LIST, reference, ...]``; an
    object as ``[shape, reference, ...]``, with its values in the order of ``shapes[shape]``.
    """

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.entries: list[Any] = []
        self.shapes: dict[tuple[str, ...], int] = {}
        self.counted = 0
        """Values that were put in, those that were there already included."""
        self._known: dict[Any, int] = {}

    def put(self, value: Any) -> int:
        """The reference of a value of plain JSON types. Linear in it."""
        self.counted += 1
        if isinstance(value, str):
            return -1 - self.texts(value)
        if isinstance(value, Mapping):
            shape = self.shapes.setdefault(tuple(value), len(self.shapes))
            return self._entry((shape, *[self.put(one) for one in value.values()]))
        if isinstance(value, (list, tuple)):
            return self._entry((LIST, *[self.put(one) for one in value]))
        return self._entry(value)

    def _entry(self, entry: Any) -> int:
        key = type(entry), entry  # for Python True is 1
        if key not in self._known:
            self._known[key] = len(self.entries)
            self.entries.append(list(entry) if isinstance(entry, tuple) else entry)
        return self._known[key]

    def to_json(self) -> dict[str, Any]:
        """The table."""
        return {"shapes": [list(shape) for shape in self.shapes], "entries": self.entries}
