"""What the rules, confidences and words mean that occur in a report. ``rules.json`` is made of the specifications (``docs/make_rule_sentences.py``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from topograph.reporting.report import Glossary, Term

CONFIDENCES: Mapping[str, str] = {
    "H": "high: the vendor's documentation says so, in one voice",
    "M": "medium: the documentation implies it, or says it in one place",
    "L": "low: the best reading of what the documentation leaves open",
    "A": "observed in the recorded behaviour of the software, or read in its source",
    "B": "documented, not observed",
    "C": "inferred from documentation",
    "I": "assumed",
}
"""How sure a rule is: H, M and L of TIBCO EMS and the IBM systems, A, B, C and I of AMQ Interconnect."""


@cache
def _kept() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("topograph.reporting").joinpath("rules.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, str]] = json.loads(text)
    return found


def sentence_of(rule: str, systems: Sequence[str]) -> str:
    """What a rule says, in one sentence; empty where that is not known. ``systems`` are those whose rules it may be, the likeliest first."""
    rules = _kept()
    for system in (*systems, "all"):
        if rule in (own := rules.get(system, {})):
            return own[rule]
    return ""


def glossary_of(
    rules: Iterable[str], confidences: Iterable[str], words: Iterable[str], systems: Sequence[str]
) -> Glossary:
    """The terms that are asked for and known, each once, by name."""
    meant = {rule: sentence_of(rule, systems) for rule in rules}
    known = _kept()["words"]
    return Glossary(
        tuple(Term(rule, text) for rule, text in sorted(meant.items()) if text),
        tuple(Term(one, CONFIDENCES[one]) for one in sorted(set(confidences)) if one in CONFIDENCES),
        tuple(Term(word, known[word]) for word in sorted(set(words)) if word in known),
    )
