"""Which rules of a vector an answer rests on: each is named in the trace, or is the reason why one
was not applied (vectors_ibm.md, ``rules``).

That a rule can be such a reason is said by the specification: the one speaks of the other in its
row. Of the rows of name resolution the first that fits decides, so that each is the reason why
those below it are not applied.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

SPECIFICATIONS = [
    Path(__file__).parents[2] / "docs" / "specs" / f"{system}.md"
    for system in ("sibus", "mqe", "ibm_mq")
]
"""Of the systems whose vectors name rules so; messages go from each to the other."""

RULE = r"(?:[A-Z]{1,2}-|NR|B)\d{1,3}"
ROW = re.compile(rf"\| ({RULE}) \|(.*)")
SEVERAL = re.compile(rf"\b({RULE})(?: to |\.\.)({RULE})\b")
FIRST_FITS = "NR"
"""How the rows of the table begin of which the first that fits decides."""


def hold(wanted: Iterable[str], told: Collection[str]) -> None:
    """Raises AssertionError where an answer does not rest on a rule of its vector."""
    missing = without_reason(wanted, told)
    assert not missing, (
        f"rules that are not in the trace, nor why one there is not applied: {missing}; "
        f"there are {sorted(told)}"
    )


def without_reason(wanted: Iterable[str], told: Collection[str]) -> list[str]:
    """The rules of a vector that are neither told nor the reason why one is not applied."""
    beside = _beside()
    return [
        rule for rule in wanted if rule not in told and not beside.get(rule, frozenset()) & {*told}
    ]


@cache
def _beside() -> Mapping[str, frozenset[str]]:
    """For each rule the ones of which it speaks, and those that speak of it."""
    rows = [
        (found[1], found[2])
        for file in SPECIFICATIONS
        for line in file.read_text("utf-8").splitlines()
        if (found := ROW.match(line))
    ]
    table = {rule for rule, _ in rows if rule.startswith(FIRST_FITS)}
    beside: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for rule, text in rows:
        cited = {*_cited(text)} | (table if rule in table else set())
        beside[rule] |= cited - {rule}
        for other in cited - {rule}:
            beside[other] |= {rule}
    return beside


def _cited(text: str) -> Iterator[str]:
    yield from re.findall(rf"\b{RULE}\b", text)
    for first, last in SEVERAL.findall(text):
        start, stop = (int(re.sub(r"\D", "", rule)) for rule in (first, last))
        width = len(re.sub(r"\D", "", first))
        begin = re.sub(r"\d", "", first)
        yield from (f"{begin}{number:0{width}}" for number in range(start, stop + 1))
