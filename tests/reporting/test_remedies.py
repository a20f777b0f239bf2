"""What to do about findings: said for the kinds that there are, with the names of each finding."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import topograph
from topograph import extensions
from topograph.findings import Source
from topograph.reporting import collect
from topograph.reporting.remedies import USUAL, remedy
from topograph.reporting.report import FindingShown
from topograph.rules import FindingKind, Remedy, Rule
from topograph.rules.unnumbered import KINDS
from topograph.systems.rule_texts import all_rules

ROOT = Path(__file__).parents[2]


def shown(kind: str, severity: str = "error", server: str = "HQ") -> FindingShown:
    return FindingShown(severity, "R1", kind, "wrong", server, (), Source("hq/routes.conf", 3), "")


def kinds() -> list[FindingKind]:
    numbered = (rule for own in all_rules().values() for rule in own.values())
    return [*(kind for rule in numbered for kind in rule.kinds), *KINDS]


def test_every_kind_is_one_that_is_found():
    """The record of a kind is used, or that of a rule whose only kind it is."""
    sources = "".join(
        path.read_text("utf-8")
        for folder in ("topograph", "importers")
        for path in (ROOT / folder).rglob("*.py")
        if path.parent != ROOT / "topograph" / "rules"
    )
    used = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", sources))
    modules = ("unnumbered", *(f"{system}_findings" for system in extensions.OWN))
    named = [
        (name, one)
        for module in modules
        for name, one in vars(import_module(f"topograph.rules.{module}")).items()
    ]
    found = {name for name, one in named if isinstance(one, FindingKind) and name in used}
    only = {
        one.kinds[0]
        for name, one in named
        if isinstance(one, Rule) and len(one.kinds) == 1 and name in used
    }
    assert len(found) > 150
    assert {
        name
        for name, one in named
        if isinstance(one, FindingKind) and name not in found and one not in only
    } == set()


def test_what_to_do_is_a_sentence_that_begins_with_a_verb():
    for one in (*(kind.remedy for kind in kinds() if kind.remedy), *USUAL.values()):
        assert re.fullmatch(r"[A-Z][a-z]+ .*\.", one.do), one
        assert one.means.endswith("."), one


def test_a_remedy_names_what_the_finding_is_about():
    assert (
        remedy(shown("routing-disabled"), "server").do
        == "Set routing to enabled at HQ, or remove the route."
    )
    assert remedy(shown("routing-disabled", server=""), "router").do.startswith(
        "Set routing to enabled at this router"
    )


def test_a_kind_without_a_remedy_says_where_and_what_the_rule_says():
    assert remedy(shown("never-heard-of"), "server", "The rule.") == Remedy(
        "Correct this entry in hq/routes.conf, or remove it.", "The rule."
    )
    assert (
        remedy(shown("never-heard-of"), "server").means
        == "What is configured there cannot work as written."
    )


def test_things_to_do_first_say_what_to_do_and_what_happens_otherwise():
    report = collect(topograph.read(ROOT / "examples" / "estate")._model)
    first = report.first[0]
    assert (first.rule, first.name) == ("TL-03", "Global on one side only")
    assert first.do == "Make the topic global at MADRID too, or at neither end."
    assert first.consequence == "Messages on it do not cross the route to MADRID."
    assert len({(one.do, one.consequence) for one in report.first}) == len(report.first)


def test_the_counts_of_the_first_screen_say_in_how_many_files_findings_are():
    header = collect(topograph.read(ROOT / "examples" / "estate")._model).header
    assert (
        header.files,
        header.files_with_findings,
        header.files_in_part,
        header.files_missing,
    ) == (35, 4, 0, 0)
    page = topograph.read(ROOT / "examples" / "estate").report().generate_html()
    assert "<dt>warnings in 4 files</dt>" in page
