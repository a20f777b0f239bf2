"""What the rules, confidences and words mean that occur in a report. ``words.json`` is made of
the glossary (``docs/make_rules_page.py``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

from topograph.reporting.report import Glossary, Term
from topograph.systems import system
from topograph.systems.rule_texts import rule_text


@cache
def _words() -> Mapping[str, str]:
    text = resources.files("topograph.reporting").joinpath("words.json").read_text(encoding="utf-8")
    found: Mapping[str, str] = json.loads(text)
    return found


def glossary_of(
    rules: Iterable[str], confidences: Iterable[str], words: Iterable[str], systems: Sequence[str]
) -> Glossary:
    """The terms that are asked for and known, each once, by name. What a confidence means its
    system says.
    """
    sure = {
        mark: text
        for name in reversed(systems)
        for mark, text in system(name).citing.confidences.items()
    }
    meant = {rule: rule_text(rule, systems) for rule in rules}
    known = _words()
    return Glossary(
        tuple(
            Term(rule, text.sentence, text.name)
            for rule, text in sorted(meant.items())
            if text.name
        ),
        tuple(Term(one, sure[one]) for one in sorted(set(confidences)) if one in sure),
        tuple(Term(word, known[word]) for word in sorted(set(words)) if word in known),
    )
