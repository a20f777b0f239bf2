"""The sentences of rules are those of the specifications."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from topograph.reporting.glossary import sentence_of

MAKER = Path(__file__).parents[2] / "docs" / "make_rule_sentences.py"


def test_the_kept_sentences_are_those_of_the_specifications():
    spec = importlib.util.spec_from_file_location("make_rule_sentences", MAKER)
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert maker.RULES.read_text("utf-8") == maker.made()


def test_a_rule_is_that_of_its_system():
    assert sentence_of("T-3", ["amq_interconnect"]).startswith("Effective link cost = max(")
    assert sentence_of("TL-03", ["ems"]) == "Topic global at one end of a route only."
    assert sentence_of("R42", ["mqe"]) == ""
