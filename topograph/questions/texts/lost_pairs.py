"""Ordered pairs of servers that are lost, in the words of a first line."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.questions.texts.layout import listed

GROUPS = 3
"""Groups of pairs that a first line names: of more it gives the number of pairs alone."""

NAMES = 4
"""Servers that a group names before the rest is counted."""

MOST_IN_WORDS = 100_000
"""Pairs above which a first line gives their number alone, without a look at which they are."""

CHARACTERS = 120
"""Characters up to which a first line names pairs."""


def pairs_in_words(pairs: Sequence[tuple[str, str]]) -> str:
    """Which pairs these are and in which direction: servers that lose the same others together,
    and two groups that lose each other as one. "" where they are too many for a first line. Linear
    in the pairs, sorting aside.

    >>> pairs_in_words([("A", "B"), ("A", "C"), ("B", "A")])
    'A to B and C; B to A'
    >>> pairs_in_words([("A", "B"), ("A", "C"), ("B", "A"), ("C", "A")])
    'A to B and C, both ways'
    """
    ends: dict[str, list[str]] = {}
    for start, end in pairs:
        ends.setdefault(start, []).append(end)
    alike: dict[frozenset[str], list[str]] = {}
    for start, own in ends.items():
        alike.setdefault(frozenset(own), []).append(start)
    groups = {frozenset(starts): to for to, starts in alike.items()}
    said = []
    for starts, to in groups.items():
        if groups.get(to) != starts:
            said.append(f"{_names(starts)} to {_names(to)}")
        elif min(starts) < min(to):
            said.append(f"{_names(starts)} to {_names(to)}, both ways")
    words = "; ".join(said)
    return words if len(said) <= GROUPS and len(words) <= CHARACTERS else ""


def _names(servers: frozenset[str]) -> str:
    return listed(sorted(servers), NAMES)
