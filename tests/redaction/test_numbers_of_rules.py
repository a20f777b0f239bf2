"""Numbers of rules stay in redacted texts: a person looks them up."""

from __future__ import annotations

from topograph.redaction.vocabulary import vocabulary, words
from topograph.systems.rule_texts import all_rules


def test_no_number_of_a_rule_is_taken_for_a_name() -> None:
    numbers = {number for rules in all_rules().values() for number in rules}
    assert "A4.3" in numbers
    lost = {
        number
        for number in numbers
        for word in words(number)
        if any(map(str.isdigit, word)) and word not in vocabulary()
    }
    assert lost == set()
