"""Which routing keys and headers stand for all others: where two messages match the same bindings,
the same becomes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from topograph.facts import Pairs
from topograph.systems.rabbitmq.topics import MANY, ONE, Trie, has_wildcards, words_of

MOST_TRIED = 20_000
"""Keys, or headers, that are tried at most."""

PAIRS_A_KEY = 10
"""Pairs of patterns of which it is looked at what both match, for each key that is tried at
most."""

MOST_WORDS = 4
"""Words more than those of the longest pattern that ``#`` stands for at most."""

Words = tuple[str, ...]

T = TypeVar("T")


class Tried(NamedTuple, Generic[T]):
    """What stands for all others; ``complete`` is False where that would be more than
    ``MOST_TRIED``."""

    values: Sequence[T]
    complete: bool


def keys_tried(patterns: Iterable[str], keys: Iterable[str], most: int = MOST_TRIED) -> Tried[str]:
    """Routing keys for each set of patterns that one key can match together, for each single key,
    and for none of them. Quadratic in the patterns that overlap, of which as many pairs are looked
    at as ``PAIRS_A_KEY`` times ``most`` keys."""
    own = [tuple(words_of(one)) for one in dict.fromkeys(patterns)]
    found, complete = _together(own, most)
    word = _other_word(own)
    longest = max(map(len, own), default=0)
    single = dict.fromkeys(keys)
    trie = Trie((".".join(one), one) for one in own)
    made: dict[tuple[str | None, frozenset[Words]], str] = {}
    examples = (
        one for pattern in ((MANY,), *found)
        for one in _examples(pattern, word, min(longest, MOST_WORDS) + 1)
    )  # fmt: skip
    for key in (".".join([word] * (longest + 1)), *single, *examples):
        if len(made) > most:
            return Tried(list(made.values()), complete=False)
        made.setdefault((key if key in single else None, frozenset(trie.matching(key))), key)
    return Tried(list(made.values()), complete)


def _together(patterns: Sequence[Words], most: int) -> tuple[list[Words], bool]:
    """Patterns, and what any of them match together, as patterns."""
    found: dict[Words, None] = dict.fromkeys(patterns)
    if len(found) > most:
        return list(found), False
    left = PAIRS_A_KEY * most
    wide = _Beginning(one for one in patterns if has_wildcards(".".join(one)))
    waiting = list(found)
    while waiting:
        one = waiting.pop()
        for other in wide.like(one):
            left -= 1
            if left < 0:
                return list(found), False
            for both in overlap(one, other):
                if both not in found:
                    if len(found) >= most:
                        return list(found), False
                    found[both] = None
                    waiting.append(both)
    return list(found), True


class _Beginning:
    """Patterns by the words with which they begin, before the first wildcard: others that begin
    otherwise match no key together with them."""

    def __init__(self, patterns: Iterable[Words]) -> None:
        self._by_begin: dict[Words, list[Words]] = {}
        self._longer: dict[Words, list[Words]] = {}
        for one in patterns:
            begin = _begin(one)
            self._by_begin.setdefault(begin, []).append(one)
            for length in range(len(begin)):
                self._longer.setdefault(begin[:length], []).append(one)

    def like(self, one: Words) -> Iterator[Words]:
        """Those that may match a key together with one."""
        begin = _begin(one)
        for length in range(len(begin) + 1):
            yield from self._by_begin.get(begin[:length], ())
        if len(begin) < len(one):
            yield from self._longer.get(begin, ())


def _begin(pattern: Words) -> Words:
    length = next((at for at, word in enumerate(pattern) if word in (ONE, MANY)), len(pattern))
    return pattern[:length]


@lru_cache(maxsize=20_000)
def overlap(one: Words, other: Words) -> frozenset[Words]:
    """Patterns that match together what two patterns both match.

    >>> sorted(overlap(("a", "*"), ("#", "b")))
    [('a', 'b')]
    >>> sorted(overlap(("*",), ("a", "b")))
    []
    """
    if not one or not other:
        rest = one or other
        return frozenset({()} if all(word == MANY for word in rest) else ())
    if one[0] == MANY and other[0] == MANY:
        ends = overlap(one[1:], other) | overlap(one, other[1:])
        return frozenset(end if end[:1] == (MANY,) else (MANY, *end) for end in ends)
    if MANY in (one[0], other[0]):
        many, single = (one, other) if one[0] == MANY else (other, one)
        onward = {(single[0], *end) for end in overlap(many, single[1:])}
        return frozenset(overlap(many[1:], single) | onward)
    if ONE not in (one[0], other[0]) and one[0] != other[0]:
        return frozenset()
    word = other[0] if one[0] == ONE else one[0]
    return frozenset((word, *end) for end in overlap(one[1:], other[1:]))


def _other_word(patterns: Sequence[Words]) -> str:
    """A word that no pattern has."""
    known = {word for pattern in patterns for word in pattern}
    number, word = 0, "any"
    while word in known:
        number += 1
        word = f"any{number}"
    return word


def _examples(pattern: Words, word: str, most: int) -> Iterator[str]:
    """Keys that a pattern matches: with each number of words up to ``most`` for its ``#``."""
    for count in range(most + 1) if MANY in pattern else (0,):
        words: list[str] = []
        for one in pattern:
            words += [word] * count if one == MANY else [word if one == ONE else one]
        yield ".".join(words)


def headers_tried(asked: Iterable[Pairs], most: int = MOST_TRIED) -> Tried[Pairs]:
    """Headers for each set of bindings whose headers a message can have together, and none.
    Quadratic in the bindings where these go together, as far as for ``keys_tried``."""
    own = list(dict.fromkeys(asked))
    found: dict[Pairs, None] = {(): None}
    left = PAIRS_A_KEY * most
    for one in own:
        for before in list(found):
            left -= 1
            if left < 0:
                return Tried(list(found), complete=False)
            both = dict(before)
            if all(both.setdefault(name, value) == value for name, value in one):
                if len(found) >= most:
                    return Tried(list(found), complete=False)
                found.setdefault(tuple(sorted(both.items())))
    return Tried(list(found), complete=True)
