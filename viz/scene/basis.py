"""What an answer rests on and what to know about it, as the head of a page counts it and the panel
lists it: one entry for what is said of many things alike.

``page/script/basis.js`` does the same for answers that are put on a page later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from topograph.questions.texts.layout import count
from topograph.records import record

KINDS = {
    "inexact": "not certain",
    "assumption": "assumed",
    "warning": "warning",
    "open": "left open",
    "note": "note",
}
"""What stands before a fact, by its kind; any other kind stands there itself."""

WHOLE = 120
"""Characters up to which a single fact stands in the head itself."""

_RULE = re.compile(r"[A-Z]{1,3}-?[0-9]+[a-z]?(?= )")


@record
class Basis:
    """Facts of one kind and rule that say the same of several things: ``words`` has ``…`` where
    they differ. A fact that is alone is a Basis of one text, which is its words."""

    kind: str
    words: str
    texts: tuple[str, ...]


def rule_of(text: str) -> str:
    """The number of the rule that a fact begins with, or "".

    >>> rule_of("T-13 a is b"), rule_of("Not certain: x")
    ('T-13', '')
    """
    found = _RULE.match(text)
    return found.group() if found else ""


def grouped(facts: Sequence[tuple[str, str]]) -> tuple[Basis, ...]:
    """The facts in the order given, those of one kind and rule together at the first of them.
    Linear in the facts.

    >>> grouped([("assumption", "T-13 a is A, as said"), ("assumption", "T-13 b is B, as said")])
    (Basis(kind='assumption', words='T-13 … is … as said', texts=('T-13 a is A, as said', \
'T-13 b is B, as said')),)
    """
    together: dict[object, tuple[str, list[str]]] = {}
    for number, (kind, text) in enumerate(facts):
        rule = rule_of(text)
        together.setdefault((kind, rule) if rule else number, (kind, []))[1].append(text)
    found = []
    for kind, texts in together.values():
        words = common(texts)
        if words:
            found.append(Basis(kind, words, tuple(texts)))
        else:
            found += [Basis(kind, text, (text,)) for text in texts]
    return tuple(found)


def common(texts: Sequence[str]) -> str:
    """The words that the texts have in common, a ``…`` for what differs: those at the same place
    of texts that are equally long, else those at both ends. "" where these are less than half of
    the shortest, so that they do not stand for it. Linear in the texts.

    >>> common(["a b c d"]), common(["x 1 y z", "x 2 3 y z"]), common(["x 1 y 2", "x 3 y 4"])
    ('a b c d', 'x … y z', 'x … y …')
    >>> common(["x 1", "y 2"])
    ''
    """
    words = [text.split(" ") for text in texts]
    shortest = min(words, key=len)
    first = _alike(words, 0, 1)
    if all(len(one) == len(shortest) for one in words):
        same = [len({*column}) == 1 for column in zip(*words, strict=True)]
    else:
        last = min(_alike(words, -1, -1), len(shortest) - first)
        same = [at < first or at >= len(shortest) - last for at in range(len(shortest))]
        shortest = [*shortest[:first], "…", *shortest[first:]]
        same.insert(first, False)
    if 2 * sum(same) < len(same):
        return ""
    said: list[str] = []
    for word, kept in zip(shortest, same, strict=True):
        if kept or said[-1:] != ["…"]:
            said.append(word if kept else "…")
    return " ".join(said)


def _alike(words: Sequence[Sequence[str]], start: int, step: int) -> int:
    """How many words from ``start`` on are the same in all."""
    shortest = min(map(len, words))
    number = 0
    while number < shortest and len({one[start + step * number] for one in words}) == 1:
        number += 1
    return number


def headline(facts: Sequence[tuple[str, str]]) -> str:
    """What the facts come to, in one line of the head; "" where there are none.

    >>> headline([("note", "One note.")])
    'One note.'
    >>> headline([("assumption", "T-13 a"), ("assumption", "T-13 b"), ("warning", "c")])
    'Rests on 2 assumptions (T-13) · 1 warning'
    """
    if len(facts) == 1 and len(facts[0][1]) <= WHOLE:
        kind, text = facts[0]
        return f"Assumed: {text}" if kind == "assumption" else text
    by_kind: dict[str, list[str]] = {}
    for kind, text in facts:
        by_kind.setdefault(kind if kind in KINDS else "note", []).append(text)
    parts = []
    inexact = by_kind.get("inexact", [])
    if inexact:
        reasons = f"Not certain, for {count(len(inexact), 'reason')}"
        parts.append(inexact[0] if len(inexact) == 1 and len(inexact[0]) <= WHOLE else reasons)
    assumed = by_kind.get("assumption", [])
    if assumed:
        rules = {rule_of(text) for text in assumed}
        rule = (
            f" ({rules.pop()})" if len(rules) == 1 and len(assumed) > 1 and "" not in rules else ""
        )
        parts.append(f"Rests on {count(len(assumed), 'assumption')}{rule}")
    for kind, noun in (("warning", "warning"), ("open", "thing"), ("note", "note")):
        if kind in by_kind:
            left = " left open" if kind == "open" else ""
            parts.append(f"{count(len(by_kind[kind]), noun)}{left}")
    return " · ".join(parts)
