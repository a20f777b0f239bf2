"""The page of each lint rule (docs/rules) is its test: what it says is what the record says, and
its example gives the finding that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from rule_pages import PAGES, findings_shown, write_example

import topograph
from topograph.findings import Source
from topograph.rules import Rule
from topograph.systems.rule_texts import all_rules

CHECKS = {rule.number: rule for own in all_rules().values() for rule in own.values() if rule.check}
WITHOUT_A_PAGE: frozenset[str] = frozenset()
"""Lint rules that have no page yet. This set only becomes smaller."""


def joined(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def as_shown(finding: Mapping[str, object]) -> str:
    """A finding as pages show it."""
    where = finding["source"]
    assert isinstance(where, dict)
    return (
        f"{finding['severity']} {finding['kind']} at {finding['server'] or '-'} "
        f"({Source(**where)})\n  {finding['message']}\n"
    )


def test_every_lint_rule_has_a_page_and_every_page_a_rule() -> None:
    pages = {page.stem for page in PAGES}
    assert pages <= CHECKS.keys()
    assert CHECKS.keys() - pages == WITHOUT_A_PAGE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_example_of_a_page_gives_the_finding_that_it_shows(page: Path, tmp_path: Path) -> None:
    write_example(page, tmp_path)
    findings = topograph.read(tmp_path).check(rule=page.stem).findings
    assert findings
    assert "".join(map(as_shown, findings)) == findings_shown(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_the_record_of_its_rule_says(page: Path) -> None:
    rule: Rule = CHECKS[page.stem]
    text = page.read_text("utf-8")
    said = joined(text)
    assert text.startswith(f"# {rule.number}: {rule.name}\n\n")
    assert said.startswith(joined(f"# {rule.number}: {rule.name} {rule.sentence} ## Why "))
    for kind in rule.kinds:
        if kind.remedy:
            do = kind.remedy.do.replace("{server}", "the server").replace("{file}", "the file")
            assert f"* `{kind.kind}`: {do}" in said
