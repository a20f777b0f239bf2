"""Patterns of AMQP addresses: how a router stores a prefix or pattern, and which of many an
address matches (rules A-1 to A-7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")

_KEPT = 1 << 14
"""Addresses of which the plain form and the tokens are kept: every message is compared with all."""
_SEPARATORS = "./"
_SPLIT = re.compile("[./]")
_SCHEME = re.compile(r"amqps?:(?://[^/]*)?", re.IGNORECASE)


def trimmed(text: str) -> str:
    """A configured prefix or pattern without leading and trailing separators (A-4).

    >>> trimmed("/lead/x/"), trimmed("lr."), trimmed("./")
    ('lead/x', 'lr', '')
    """
    return text.strip(_SEPARATORS)


def stored_tokens(text: str, *, is_prefix: bool) -> tuple[str, ...]:
    """The tokens of the stored pattern (A-1 to A-5); empty if nothing is left, which is invalid
    (A-4).

    A prefix is the pattern ``prefix/#`` (A-3). In every run of wildcards the ``*`` come first and
    the ``#`` become one (A-5).

    >>> stored_tokens("#.*.#.*.#.#.*", is_prefix=False), stored_tokens("orders/", is_prefix=True)
    (('*', '*', '*', '#'), ('orders', '#'))
    """
    text = trimmed(text)
    if not text:
        return ()
    tokens = _SPLIT.split(text) + (["#"] if is_prefix else [])
    if "*" not in text and "#" not in text:
        return tuple(tokens)
    stored: list[str] = []
    position = 0
    while position < len(tokens):
        end = position
        while end < len(tokens) and tokens[end] in ("*", "#"):
            end += 1
        run = tokens[position:end]
        stored += ["*"] * run.count("*") + ["#"] * ("#" in run)
        if end < len(tokens):
            stored.append(tokens[end])
            end += 1
        position = end
    return tuple(stored)


class PatternTree(Generic[T]):
    """Stored patterns with a value each, and which of them an address matches, best first (A-7).

    A tree over tokens. A pattern equal to one that is there already is not added: the first wins
    (C-6).
    """

    __slots__ = ("_children", "_value")

    def __init__(self) -> None:
        self._children: dict[str, PatternTree[T]] = {}
        self._value: list[T] = []

    def add(self, tokens: Sequence[str], value: T) -> bool:
        """Store ``value`` under the tokens of a stored pattern; False if they are taken. Linear
        in the tokens.
        """
        node = self
        for token in tokens:
            node = node._children.setdefault(token, PatternTree())
        if node._value:
            return False
        node._value.append(value)
        return True

    def matches(self, tokens: Sequence[str]) -> Iterator[T]:
        """The values of all patterns that match an address, best first: literal before ``*`` before
        ``#`` at the earliest token where they differ; inside a ``#`` the shortest consumption
        first, and a pattern that ends in it last (A-7).

        Each value once. Exponential in the ``#`` of one pattern at worst, linear in practice.

        >>> tree = PatternTree[str]()
        >>> for pattern in ("a/x/z", "a/*", "#/z"):
        ...     _ = tree.add(pattern.split("/"), pattern)
        >>> list(tree.matches(("a", "w", "z"))), list(tree.matches(("a", "x")))
        (['#/z'], ['a/*'])
        """
        seen: set[int] = set()
        for node in self._walk(tuple(tokens), 0):
            if id(node) not in seen:
                seen.add(id(node))
                yield node._value[0]

    def _walk(self, tokens: tuple[str, ...], at: int) -> Iterator[PatternTree[T]]:
        """The nodes with a value that match what is left of the tokens, best first."""
        if at == len(tokens) and self._value:
            yield self
        if at < len(tokens):
            for token in dict.fromkeys((tokens[at], "*")):
                # a token of the address that looks like a wildcard is an ordinary one
                child = self._children.get(token)
                if child is not None and (token == "*" or token != "#"):  # noqa: S105
                    yield from child._walk(tokens, at + 1)
        rest = self._children.get("#")
        if rest is not None:
            for after in range(at, len(tokens) + 1):
                yield from rest._continued(tokens, after)
            if rest._value:
                yield rest

    def _continued(self, tokens: tuple[str, ...], at: int) -> Iterator[PatternTree[T]]:
        """What matches after a ``#`` that has consumed the tokens before ``at``, by patterns
        that go on after it.
        """
        if at < len(tokens):
            for token in dict.fromkeys((tokens[at], "*")):
                child = self._children.get(token)
                if child is not None and token != "#":  # noqa: S105
                    yield from child._walk(tokens, at + 1)


@lru_cache(_KEPT)
def address_tokens(address: str) -> tuple[str, ...]:
    """The tokens of a message's or a link's address (A-6): without scheme and host, leading
    separators and one trailing one; an empty token in the middle counts.

    >>> address_tokens("amqp://host/x.y/"), address_tokens("/a//b")
    (('x', 'y'), ('a', '', 'b'))
    """
    text = plain_address(address)
    return tuple(_SPLIT.split(text)) if text else ()


@lru_cache(_KEPT)
def plain_address(address: str) -> str:
    """The address as routers route it: without scheme and host, leading separators and one trailing
    one (A-6).

    >>> (plain_address("amqp:/my_address/2"), plain_address("amqp://h/my_address/3"),
    ...  plain_address("/x."))
    ('my_address/2', 'my_address/3', 'x')
    """
    match = _SCHEME.match(address)
    text = (address[match.end() :] if match else address).lstrip(_SEPARATORS)
    return text[:-1] if text.endswith(("/", ".")) else text


def overlap(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether some address matches both stored patterns (A-14). Exponential in their wildcards at
    worst, which are few.

    >>> overlap(("a", "*"), ("#", "z")), overlap(("a", "*"), ("b", "#"))
    (True, False)
    """
    if _apart(first, second):
        return False
    return any(
        _accepts(first, one) and _accepts(second, other) for one, other in _together(first, second)
    )


def covers(wide: Sequence[str], narrow: Sequence[str]) -> bool:
    """Whether every address that matches ``narrow`` matches ``wide`` (A-14).

    >>> covers(("*", "#"), ("#", "x")), covers(("a", "*"), ("a", "#"))
    (True, False)
    """
    if _apart(wide, narrow):
        return False
    return all(
        _accepts(wide, one) or not _accepts(narrow, other) for one, other in _together(wide, narrow)
    )


def _apart(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two patterns name different tokens before the first ``#`` of either, so that no
    address matches both.
    """
    for one, other in zip(first, second, strict=False):
        if "#" in (one, other):
            return False
        if one != other and "*" not in (one, other):
            return True
    return False


def _together(
    first: Sequence[str], second: Sequence[str]
) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """The pairs of places that the two patterns can be at after the same tokens. ``None`` stands
    for any token that neither names.
    """
    symbols: list[str | None] = [*{*first, *second} - {"*", "#"}, None]
    start = (_settled(first, {0}), _settled(second, {0}))
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        yield here
        for symbol in symbols:
            after = (_stepped(first, here[0], symbol), _stepped(second, here[1], symbol))
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def _stepped(tokens: Sequence[str], places: frozenset[int], symbol: str | None) -> frozenset[int]:
    after: set[int] = set()
    for place in places:
        if place < len(tokens):
            token = tokens[place]
            if token == "#":  # noqa: S105
                after.add(place)
            elif token in ("*", symbol):
                after.add(place + 1)
    return _settled(tokens, after)


def _settled(tokens: Sequence[str], places: set[int]) -> frozenset[int]:
    """The places, and those behind a ``#``, which may match nothing."""
    found = set(places)
    for place in sorted(places):
        while place < len(tokens) and tokens[place] == "#":
            place += 1  # noqa: PLW2901
            found.add(place)
    return frozenset(found)


def _accepts(tokens: Sequence[str], places: frozenset[int]) -> bool:
    return len(tokens) in places
