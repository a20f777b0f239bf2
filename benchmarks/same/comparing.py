"""What two folders of items (``said``) say differently, kind by kind, and which of it is known
(``known.toml``)."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import zip_longest
from pathlib import Path

LINES = 40
"""Lines of one difference that are shown."""

WIDTH = 300
"""Characters of a line that are shown."""

Key = tuple[str, str]
"""An estate and what is said of it."""


@dataclass(frozen=True)
class Difference:
    """An item whose text is not the same; None where one side does not have it."""

    key: Key
    before: str | None
    after: str | None

    def diff(self) -> list[str]:
        """A unified diff with two lines of context."""
        names = (
            "before" if self.before is not None else "not before",
            "after" if self.after is not None else "not after",
        )
        texts = ((text or "").splitlines() for text in (self.before, self.after))
        return list(difflib.unified_diff(*texts, *names, lineterm="", n=2))

    def lines(self) -> set[str]:
        """The lines that come or go; where a side is missing altogether also that."""
        missing = {"(absent)"} if None in (self.before, self.after) else set()
        found = self.diff()[2:]
        return missing | {line[1:] for line in found if line[:1] in ("+", "-")}


@dataclass(frozen=True)
class Known:
    """Lines that may come or go, and why."""

    reason: str
    lines: re.Pattern[str]
    kinds: Sequence[str] = ()
    items: str = "*"
    estates: str = "*"

    def covers(self, kind: str, key: Key) -> bool:
        """Whether it is about an item."""
        estate, item = key
        of_kind = not self.kinds or kind in self.kinds
        return of_kind and fnmatchcase(estate, self.estates) and fnmatchcase(item, self.items)


@dataclass(frozen=True)
class Expected:
    """What is no difference: texts that are replaced, and known ones."""

    replaced: Sequence[tuple[re.Pattern[str], str]] = ()
    known: Sequence[Known] = ()

    def plain(self, text: str) -> str:
        """A text with what is replaced in it."""
        for pattern, by in self.replaced:
            text = pattern.sub(by, text)
        return text

    def reasons(self, kind: str, difference: Difference) -> set[str]:
        """The reasons for which a difference is known; none if any of its lines is not."""
        about = [one for one in self.known if one.covers(kind, difference.key)]
        reasons = set()
        for line in difference.lines() if about else ():
            reason = next((one.reason for one in about if one.lines.fullmatch(line)), None)
            if reason is None:
                return set()
            reasons.add(reason)
        return reasons


def read_expected(file: Path) -> Expected:
    """What a file like ``known.toml`` says. Raises tomllib.TOMLDecodeError, KeyError."""
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    return Expected(
        [(re.compile(one["pattern"]), one["by"]) for one in given.get("replaced", ())],
        [Known(**{**one, "lines": re.compile(one["lines"])}) for one in given.get("known", ())],
    )


@dataclass(frozen=True)
class Compared:
    """The items of one kind: how many there are on either side, those that differ, and how many
    are known differences, by reason.
    """

    kind: str
    items: int
    differences: Sequence[Difference]
    known: Counter[str]


def compared(before: Path, after: Path, kind: str, expected: Expected) -> Compared:
    """The items of a kind in two folders. Linear in their texts; what both sides say in the same
    order is never held.
    """
    count = 0
    found: list[Difference] = []
    left: tuple[dict[Key, str], dict[Key, str]] = ({}, {})
    for items in zip_longest(*(_items(folder / f"{kind}.jsonl") for folder in (before, after))):
        if None not in items and items[0][0] == items[1][0]:
            count += 1
            found += _difference(items[0][0], items[0][1], items[1][1], expected)
            continue
        for side, item in zip(left, items, strict=True):
            if item is not None:
                side[item[0]] = item[1]
    for key in dict.fromkeys([*left[0], *left[1]]):
        count += 1
        found += _difference(key, left[0].get(key), left[1].get(key), expected)
    unknown: list[Difference] = []
    known: Counter[str] = Counter()
    for difference in found:
        reasons = expected.reasons(kind, difference)
        known.update(reasons)
        unknown += [] if reasons else [difference]
    return Compared(kind, count, unknown, known)


def _difference(
    key: Key, before: str | None, after: str | None, expected: Expected
) -> Iterator[Difference]:
    if before != after:
        sides = [None if text is None else expected.plain(text) for text in (before, after)]
        if sides[0] != sides[1]:
            yield Difference(key, *sides)


def _items(file: Path) -> Iterator[tuple[Key, str]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            estate, item, text = json.loads(line)
            yield (estate, item), text


def report(found: Iterable[Compared], show: int) -> tuple[str, bool]:
    """What is printed, with the first ``show`` differences of each kind, and whether nothing
    differs but what is known.
    """
    lines: list[str] = []
    counts: list[str] = []
    known: Counter[str] = Counter()
    for one in found:
        differing = len(one.differences)
        known.update(one.known)
        counts.append(f"{one.kind}: {one.items:,} compared, {differing:,} differ")
        for difference in one.differences[:show]:
            estate, item = difference.key
            shown = difference.diff()
            lines.append(f"== {one.kind} of {estate}: {item}")
            lines += [line[:WIDTH] for line in shown[:LINES]]
            if len(shown) > LINES:
                lines.append(f"... and {len(shown) - LINES:,} more lines")
            lines.append("")
        if differing > show:
            lines += [f"== {one.kind}: {differing - show:,} more differences", ""]
    reasons = [f"known, in {number:,} items: {reason}" for reason, number in known.most_common()]
    return "\n".join([*lines, *counts, *reasons]), not lines
