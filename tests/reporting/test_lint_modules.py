"""A lint rule is one module in the folder ``lint`` of its system: nothing lists it elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from rule_pages import ROOT, write_example

import topograph
from topograph.findings import Severity
from topograph.questions.check import explained
from topograph.rules import FindingKind, Rule
from topograph.systems import rule_texts, system
from topograph.systems.contract.lint import lint, lints

MODULE = """
from topograph.findings import Severity, Source
from topograph.rules import FindingKind, Rule
from topograph.systems.contract.lint import lint

NEW = Rule(
    "{number}",
    "A rule of this test",
    "Everything is wrong.",
    (FindingKind("of-this-test", Severity.WARNING),),
    check=True,
)


@lint(NEW{walks})
def everything(given):
    yield NEW.at(Source("here", 1), f"of {{type(given).__name__}}")
"""

ESTATES = {
    "ems": ("TL-03", "Checked"),
    "ibm_mq": ("ML-01", "Lookup"),
    "mqe": ("EL-01", "MqeConfiguration"),
    "sibus": ("SL-01", "BusEstate"),
}
"""By system, a lint rule whose page has an estate, and what checks are given."""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Adds a module with a lint rule to the folder of a system."""
    made = []

    def add(name: str, number: str, walks: str = "") -> None:
        package = import_module(f"topograph.systems.{name}.lint")
        folder = tmp_path / "added"
        folder.mkdir()
        (folder / "everything_is_wrong.py").write_text(
            MODULE.format(number=number, walks=walks), encoding="utf-8"
        )
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        made.append(f"{package.__name__}.everything_is_wrong")
        lints.cache_clear()
        rule_texts._rules.cache_clear()

    yield add
    for module in made:
        sys.modules.pop(module, None)
    lints.cache_clear()
    rule_texts._rules.cache_clear()


def read(rule: str, folder: Path) -> topograph.Network:
    """The estate on the page of a rule."""
    write_example(ROOT / "docs" / "rules" / f"{rule}.md", folder / "estate")
    return topograph.read(folder / "estate")


@pytest.mark.parametrize("name", ESTATES)
def test_a_module_is_all_that_a_lint_rule_needs(name, added, tmp_path):
    rule, given = ESTATES[name]
    number = f"{rule[:3]}99"
    added(name, number)
    assert number in {one.number for one in system(name).rules()}
    assert explained(number).sentence == "Everything is wrong."
    (finding,) = read(rule, tmp_path).check(rule=number).findings
    assert finding["message"] == f"of {given}"
    assert finding["kind"] == "of-this-test"
    assert finding["severity"] == "warning"


def test_a_rule_of_ems_that_walks_is_given_the_graph(added, tmp_path):
    added("ems", "TL-99", ", walks=True")
    (finding,) = read("TL-03", tmp_path).check(rule="TL-99").findings
    assert finding["message"] == "of CheckedGraph"


def test_a_rule_of_routers_needs_a_module_too(added):
    added("amq_interconnect", "AL-99")
    found = topograph.read(ROOT / "examples" / "routers").check(rule="AL-99").findings
    assert [finding["message"] for finding in found] == ["of Checked"]


def test_what_is_no_lint_rule_has_no_check():
    kind = FindingKind("of-this-test", Severity.WARNING)
    with pytest.raises(ValueError, match="R999 is not the record of a lint rule"):
        lint(Rule("R999", "A rule", "It says so.", (kind,)))
