"""What to do about findings: said for the kinds that there are, with the names of each finding."""

from __future__ import annotations

import re
from pathlib import Path

import topograph
from topograph.findings import Source
from topograph.reporting import collect
from topograph.reporting.remedies import USUAL, remedy
from topograph.reporting.report import FindingShown
from topograph.rules import FindingKind, Remedy
from topograph.rules.unnumbered import KINDS
from topograph.systems.rule_texts import all_rules

ROOT = Path(__file__).parents[2]


def shown(kind: str, severity: str = "error", server: str = "HQ") -> FindingShown:
    return FindingShown(severity, "R1", kind, "wrong", server, (), Source("hq/routes.conf", 3), "")


def kinds() -> list[FindingKind]:
    numbered = (rule for own in all_rules().values() for rule in own.values())
    return [*(kind for rule in numbered for kind in rule.kinds), *KINDS]


def test_every_kind_is_one_that_is_found():
    sources = "".join(
        path.read_text("utf-8")
        for folder in ("topograph", "importers")
        for path in (ROOT / folder).rglob("*.py")
        if path.parent.name != "rules"
    )
    made = [
        re.sub(r"\{[^}]*\}", "[a-z-]*", text)
        for text in re.findall(r'f"((?:[a-z-]|\{[^{}"\n]+\})+)"', sources)
        if re.search("[a-z]{4}", re.sub(r"\{[^}]*\}", "", text)) and "-" in text
    ]
    # a rule makes findings of its first kind unless a check names another
    used = set(re.findall(r"\b(?:SECTION_)?(\w+)(?=\.at\(|,|\))", sources))
    usual = {
        rule.kinds[0].kind
        for own in all_rules().values()
        for rule in own.values()
        if rule.kinds and re.sub("[^A-Z0-9]", "_", rule.number) in used
    }
    unfound = {kind.kind for kind in kinds() if f'"{kind.kind}"' not in sources} - usual
    assert {kind for kind in unfound if not any(re.fullmatch(one, kind) for one in made)} == set()


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
