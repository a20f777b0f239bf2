"""Many EMS destination names and patterns, asked together: the functions of ``topics`` for a whole
file at once.

>>> patterns = PatternSet(["orders.>", "prices.*.fruit", "recalls"])
>>> (patterns.overlaps("prices.north.*"), patterns.contains("prices.north.*"),
...  patterns.contains("orders.x.*"))
(True, False, True)
>>> patterns.overlapping("*.*.fruit")
['orders.>', 'prices.*.fruit']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property


class PatternSet:
    """Patterns by their elements. A question about a name takes time linear in its elements,
    whatever the number of patterns; one about a pattern with ``*`` or ``>`` the number of
    patterns below that place at most (R80-R82)."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = frozenset(patterns)

    @cached_property
    def _root(self) -> _Node:
        """Where the first elements stand; made for the first question that needs it."""
        root = _Node()
        for pattern in self._patterns:
            node = root
            *parts, last = pattern.split(".")
            for part in parts:
                below = node.below.get(part)
                if below is None:
                    below = node.below[part] = _Node()
                node = below
            if last == ">":
                node.tail = pattern
            else:
                node.below.setdefault(last, _Node()).end = pattern
        return root

    @cached_property
    def _are_names(self) -> bool:
        """Whether there is no wildcard among them, so that each has only itself in common with
        anything.
        """
        return not any("*" in pattern or ">" in pattern for pattern in self._patterns)

    @cached_property
    def _longest(self) -> int:
        return max((pattern.count(".") for pattern in self._patterns), default=-1)

    def overlapping(self, pattern: str) -> list[str]:
        """The patterns that have a name in common with this one, by name."""
        return sorted(_found(self._root, pattern, overlap=True))

    def overlaps(self, pattern: str) -> bool:
        """Whether one of the patterns has a name in common with this one."""
        if pattern in self._patterns:
            return True
        if self._are_names and "*" not in pattern and ">" not in pattern:
            return False
        return next(_found(self._root, pattern, overlap=True), None) is not None

    def containing(self, pattern: str) -> list[str]:
        """The patterns that match every name that this one does, by name; a concrete name is a
        pattern that matches itself.
        """
        return sorted(_found(self._root, pattern, overlap=False))

    def contains(self, pattern: str) -> bool:
        """Whether there is one of them."""
        if pattern in self._patterns:
            return True
        return next(_found(self._root, pattern, overlap=False), None) is not None

    def covers(self, pattern: str) -> bool:
        """Whether every name that this pattern matches is matched by one of the patterns, not
        necessarily by the same one. Unions are tried where the pattern ends in ``>``, which is
        ``*`` and ``*.>`` together.

        >>> (PatternSet(["x.*"]).covers("x.>"), PatternSet(["x.*", "x.*.>"]).covers("x.>"),
        ...  PatternSet(["x.*"]).covers("x.a"))
        (False, True, True)
        """
        while not self.contains(pattern):
            if not pattern.endswith(">") or pattern.count(".") > self._longest:
                return False
            prefix = pattern[:-1]
            if not self.contains(f"{prefix}*"):
                return False
            pattern = f"{prefix}*.>"
        return True


class _Node:
    """A place after some elements: the pattern that ends here, the one that goes on with a last
    ``>``, and those that go on otherwise.
    """

    __slots__ = ("below", "end", "tail")

    def __init__(self) -> None:
        self.end: str | None = None
        self.tail: str | None = None
        self.below: dict[str, _Node] = {}


def _found(root: _Node, pattern: str, *, overlap: bool) -> Iterator[str]:
    """The patterns that match every name that one does; with ``overlap`` those that have a name
    in common with it. A pattern may have more elements than Python lets a function call itself.
    """
    parts = pattern.split(".")
    waiting = [(root, 0)]
    while waiting:
        node, place = waiting.pop()
        if place == len(parts):
            if node.end is not None:
                yield node.end
            continue
        if node.tail is not None:
            yield node.tail
        part = parts[place]
        if part == ">" and place == len(parts) - 1:
            if overlap:
                for other in node.below.values():
                    yield from _all(other)
        else:
            further = node.below.values() if overlap and part == "*" else _either(node, part)
            waiting.extend((other, place + 1) for other in further)


def _either(node: _Node, part: str) -> list[_Node]:
    """What goes on with that element, or with ``*``."""
    below = node.below
    found = [below[part]] if part in below else []
    if part != "*" and "*" in below:
        found.append(below["*"])
    return found


def _all(node: _Node) -> Iterator[str]:
    """Every pattern at a place and below it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield from (pattern for pattern in (node.end, node.tail) if pattern is not None)
        waiting.extend(node.below.values())
