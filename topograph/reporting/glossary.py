"""What the rules, confidences and words mean that occur in a report. ``words.json`` is made of the glossary (``docs/make_rule_sentences.py``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from topograph.reporting.report import Glossary, Term
from topograph.rules import rule_text

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
def _words() -> Mapping[str, str]:
    text = resources.files("topograph.reporting").joinpath("words.json").read_text(encoding="utf-8")
    found: Mapping[str, str] = json.loads(text)
    return found


def glossary_of(
    rules: Iterable[str], confidences: Iterable[str], words: Iterable[str], systems: Sequence[str]
) -> Glossary:
    """The terms that are asked for and known, each once, by name."""
    meant = {rule: rule_text(rule, systems) for rule in rules}
    known = _words()
    return Glossary(
        tuple(Term(rule, text.sentence, text.name) for rule, text in sorted(meant.items()) if text.name),
        tuple(Term(one, CONFIDENCES[one]) for one in sorted(set(confidences)) if one in CONFIDENCES),
        tuple(Term(word, known[word]) for word in sorted(set(words)) if word in known),
    )
