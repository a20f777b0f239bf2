"""Routing keys and the patterns of topic exchanges (RQ-5).

Keys and patterns are words with dots between; a key without a character has no word. ``*`` is
exactly one word, ``#`` none or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

ONE, MANY = "*", "#"


def words_of(key: str) -> list[str]:
    """The words of a key or pattern.

    >>> words_of("a..b"), words_of("")
    (['a', '', 'b'], [])
    """
    return key.split(".") if key else []


def topic_matches(pattern: str, key: str) -> bool:
    """Whether a pattern matches a key. O(words of the pattern times those of the key).

    >>> topic_matches("audit.#", "audit"), topic_matches("*.eu.*", "order.eu")
    (True, False)
    """
    parts = words_of(key)
    reached = {0}
    for word in words_of(pattern):
        if not reached:
            return False
        if word == MANY:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and word in (ONE, parts[at])}
    return len(parts) in reached


def has_wildcards(pattern: str) -> bool:
    """Whether a pattern matches other keys than itself."""
    return any(word in (ONE, MANY) for word in words_of(pattern))


def matches_all(pattern: str) -> bool:
    """Whether a pattern matches every key."""
    words = words_of(pattern)
    return bool(words) and all(word == MANY for word in words)


@dataclass(slots=True)
class _Node(Generic[T]):
    children: dict[str, _Node[T]] = field(default_factory=dict)
    values: list[T] = field(default_factory=list)


class Trie(Generic[T]):
    """Values by pattern, so that those whose patterns match a key are found without a look at the
    others."""

    def __init__(self, values: Iterable[tuple[str, T]] = ()) -> None:
        self._root: _Node[T] = _Node()
        for pattern, value in values:
            self.add(pattern, value)

    def add(self, pattern: str, value: T) -> None:
        """Put a value under a pattern. O(words)."""
        node = self._root
        for word in words_of(pattern):
            node = node.children.setdefault(word, _Node())
        node.values.append(value)

    def matching(self, key: str) -> Iterator[T]:
        """The values whose patterns match a key, each once for each time it was added. Linear in
        the nodes on the ways that match, times the words of the key."""
        parts = words_of(key)
        waiting = [(self._root, 0)]
        seen = {(id(self._root), 0)}
        while waiting:
            node, at = waiting.pop()
            onward: list[tuple[_Node[T], int]] = []
            if at == len(parts):
                yield from node.values
            else:
                onward = [
                    (child, at + 1)
                    for word in {parts[at], ONE}
                    if (child := node.children.get(word)) is not None and word != MANY
                ]
            many = node.children.get(MANY)
            if many is not None:
                onward += [(many, there) for there in range(at, len(parts) + 1)]
            for one in onward:
                mark = (id(one[0]), one[1])
                if mark not in seen:
                    seen.add(mark)
                    waiting.append(one)
