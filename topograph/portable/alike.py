"""Destinations that differ in nothing but their name: one answer for all of a class, with the
name replaced in it (``systems.contract.portable``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from topograph.questions.model import Part
from topograph.systems.contract.portable import Classifying, DestinationClasses

Key = tuple[int, ...]
"""A class: the numbers of the patterns that match its names."""


class Classes:
    """The classes of one part, and an example of each."""

    def __init__(self, told: DestinationClasses) -> None:
        self.told = told
        self._plain = re.compile(told.plain, re.ASCII)
        self._apart = frozenset(told.apart)
        self._beginning: dict[tuple[str, ...], list[int]] = {}
        for at, pattern in enumerate(told.patterns):
            self._beginning.setdefault(_beginning(pattern), []).append(at)
        self.examples: dict[Key, str] = {}
        for name in told.examples:
            key = self.key(name)
            if key is not None:
                self.examples.setdefault(key, name)

    @classmethod
    def of(cls, part: Part) -> Classes | None:
        """Those of a part; None where its system tells none. Loads the facts of the part."""
        told = (
            part.estate.classes(part.graph, part.engine)
            if isinstance(part.estate, Classifying)
            else None
        )
        return None if told is None else cls(told)

    def key(self, name: str) -> Key | None:
        """The class of a name; None where it has none. Linear in the patterns that
        begin like it up to their first wildcard."""
        if not self._plain.fullmatch(name) or name in self._apart:
            return None
        tokens = re.split(f"[{re.escape(self.told.separators)}]", name)
        near = (self._beginning.get(tuple(tokens[:n]), ()) for n in range(len(tokens) + 1))
        matched = tuple(
            sorted(at for each in near for at in each if _matches(self.told.patterns[at], tokens))
        )
        return None if any(number in matched for number in self.told.unlike) else matched

    def another(self, name: str) -> str:
        """Another name of the class of an example: longer, and where the class allows that with
        more tokens.
        """
        longer = f"{name}-b"
        deeper = f"{longer}{self.told.separators[-1]}c"
        return next(one for one in (deeper, longer, name) if self.key(one) == self.key(name))

    def to_json(self) -> dict[str, Any]:
        """What ``worked_out.js`` finds the class of a name by."""
        told = self.told
        return {
            "type": told.type,
            "plain": told.plain,
            "separators": told.separators,
            "apart": list(told.apart),
            "patterns": [list(tokens) for tokens in told.patterns],
            "unlike": list(told.unlike),
            "examples": [[list(key), name] for key, name in self.examples.items()],
        }


def _beginning(pattern: Sequence[str]) -> tuple[str, ...]:
    """The tokens of a pattern before its first wildcard.

    >>> _beginning(("a", "b", "*", "c")), _beginning(("a", "#")), _beginning(("a",))
    (('a', 'b'), ('a',), ('a',))
    """
    fixed = pattern[:-1] if pattern and pattern[-1] == "#" else pattern
    return tuple(takewhile("*".__ne__, fixed))


def _matches(pattern: Sequence[str], tokens: Sequence[str]) -> bool:
    """
    >>> _matches(("a", "*"), ("a", "b")), _matches(("a", "#"), ("a",)), _matches(("a",), ("a", "b"))
    (True, True, False)
    """
    open_ended = bool(pattern) and pattern[-1] == "#"
    fixed = pattern[:-1] if open_ended else pattern
    if len(tokens) < len(fixed) or (len(tokens) > len(fixed) and not open_ended):
        return False
    return all(one in ("*", token) for one, token in zip(fixed, tokens, strict=False))


def replaced(value: Any, old: str, new: str) -> Any:
    """A value of plain JSON types with one name for another in all its texts."""
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, Mapping):
        return {key: replaced(one, old, new) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [replaced(one, old, new) for one in value]
    return value


def stands_whole(value: Any, name: str, token: str) -> bool:
    """Whether a token of a name stands nowhere but in that name, so that the name can be
    replaced.
    """
    return all(text.count(token) == text.count(name) * name.count(token) for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
