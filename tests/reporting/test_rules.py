"""Every rule that is cited has a name and a plain sentence, and the files made of the documents
are those of today.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest

import topograph
from topograph import extensions
from topograph.findings import Finding, Severity, Source
from topograph.rules import FindingKind, Rule
from topograph.rules.ems_findings import GRANT_MISSING, TL_10, TL_12, TL_18
from topograph.systems import system as record_of
from topograph.systems.rule_texts import (
    NO_TEXT,
    RuleText,
    all_rules,
    finding_kind,
    rule_text,
    systems_of,
    text_of,
)

ROOT = Path(__file__).parents[2]
MAKER = ROOT / "docs" / "make_rules_page.py"
SPECS = ROOT / "docs" / "specs"
RULE = r"[A-Z]{1,2}-?[0-9]{1,3}[a-z]?"
SPECIFIED = re.compile(rf"^(?:\s*[*-] \*\*|\| )({RULE})(?:[ *]| \|)", re.MULTILINE)
VECTOR = re.compile(r"(?:SV|MV|EV|RV|[CHJPQSTBZ])[0-9]|F0")
"""Test vectors and sources are numbered like rules."""


def maker():
    spec = importlib.util.spec_from_file_location("make_rules_page", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_kept_texts_are_those_of_the_documents():
    for path, content in maker().made().items():
        assert path.read_text("utf-8") == content, f"run {MAKER.name}"


@pytest.mark.parametrize("system", extensions.OWN)
def test_a_number_stands_for_one_rule_of_a_system(system):
    numbers = [rule.number for rule in record_of(system).rules()]
    assert numbers
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("system", ["ems", "amq_interconnect", "sibus", "mqe", "ibm_mq"])
def test_every_rule_of_a_specification_has_a_text(system):
    found = set(SPECIFIED.findall((SPECS / f"{system}.md").read_text("utf-8")))
    specified = {rule for rule in found if not VECTOR.match(rule)}
    assert len(specified) > 30
    assert specified - set(all_rules([system])[system]) == set()


def test_every_check_has_a_text():
    checks = set(
        re.findall(
            r"^\| ([TESM]L-[0-9]{2}) \|", (SPECS / "outcomes.md").read_text("utf-8"), re.MULTILINE
        )
    )
    assert len(checks) > 50
    assert {check for check in checks if rule_text(check) == NO_TEXT} == set()


@pytest.mark.parametrize("system", ["ems", "sibus", "mqe", "ibm_mq"])
def test_every_position_of_a_system_has_a_text(system):
    positions = [one.position for one in record_of(system).ambiguities()]
    assert positions
    assert [one for one in positions if not rule_text(one, [system]).name] == []


def test_texts_are_short_and_plain():
    for system, rules in all_rules().items():
        names = [text.name for text in rules.values()]
        assert len(names) == len(set(names)), system
        for rule, text in ((number, text_of(one)) for number, one in rules.items()):
            assert len(text.name) <= 60, (system, rule)
            assert len(text.sentence) <= 200, (system, rule)
            assert text.sentence.endswith("."), (system, rule)
            assert not text.name.endswith("."), (system, rule)


STATED = re.compile(r"^\| ([TESM]L-[0-9]{2}) \| .* \| .*? \| (.*?) \|$", re.MULTILINE)
"""A lint rule in the tables of outcomes.md, and its severities."""

MILDER = {
    "home-server-not-loaded": "the file of the home server is not loaded",
    "queue-receive-grant-missing": "the guides contradict each other (A23)",
    "routed-queue-owner-unknown": "the file of the owner is not loaded",
    "routed-queue-home-dynamic": "whether the queue is created is not documented",
    "subfile-by-usual-name": "the file lies where such files do",
    "subfile-resolved-by-path-map": "topograph.yaml says which file is meant",
}
"""Kinds of findings that are milder than the table says of their rule, and why."""


def test_the_severities_of_lint_rules_are_those_of_the_specification():
    stated = {
        number: set(re.findall("error|warning|info", severities))
        for number, severities in STATED.findall((SPECS / "outcomes.md").read_text("utf-8"))
    }
    assert len(stated) > 50
    differing = {
        kind.kind
        for own in all_rules().values()
        for rule in own.values()
        for kind in rule.kinds
        if str(kind.severity) not in stated.get(rule.number, {str(kind.severity)})
    }
    assert differing == MILDER.keys()


def test_a_rule_is_that_of_its_system():
    assert rule_text("T-3", ["amq_interconnect"]).name == "Cost of a link"
    assert rule_text("A-1", ["sibus"]) != rule_text("A-1", ["amq_interconnect"]) != NO_TEXT
    assert rule_text("A-1") == NO_TEXT
    assert systems_of("A-1") == ["amq_interconnect", "sibus"]
    assert rule_text("R42", ["mqe"]) == NO_TEXT


def test_a_check_is_found_without_its_system():
    assert (
        rule_text("TL-20")
        == rule_text("TL-20", ["mqe"])
        == RuleText(
            "File missing or found elsewhere",
            (
                "A file that a configuration names is missing, or another file with the same "
                "ending was read in its place."
            ),
        )
    )


SOURCES = [
    path
    for folder in ("topograph", "importers")
    for path in (ROOT / folder).rglob("*.py")
    if "rules" not in path.relative_to(ROOT).parts
]
"""The sources of topograph but for those of the records."""

FROM_ROWS = "topograph/store/records.py"
"""Reads findings that were made before."""


def test_findings_are_made_by_records_only():
    by_hand = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "Finding"
        and str(path.relative_to(ROOT)) != FROM_ROWS
    ]
    assert by_hand == []


def records_in(node: ast.expr, known: Mapping[str, FindingKind | Rule]) -> set[str]:
    """The records that an argument names, in a choice of several too."""
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return {one.id for one in parts if isinstance(one, ast.Name) and one.id in known}


def records_of(path: Path, tree: ast.Module) -> dict[str, FindingKind | Rule]:
    """The records that a module imports, anywhere in it, and those that it has itself."""
    imported = {
        alias.asname or alias.name: getattr(import_module(node.module), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("topograph.rules")
        for alias in node.names
        if node.module != "topograph.rules"
    }
    if path.parent.name == "lint":
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        imported |= vars(import_module(name.removesuffix(".__init__")))
    return {name: one for name, one in imported.items() if isinstance(one, (FindingKind, Rule))}


def pairs() -> Iterator[tuple[str, FindingKind, Rule]]:
    """Every kind of findings that a call names beside a rule, and where."""
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        known = records_of(path, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                named = [*node.args, *(word.value for word in node.keywords)]
                if isinstance(node.func, ast.Attribute):
                    named.append(node.func.value)
                found = [known[one] for part in named for one in records_in(part, known)]
                for kind in found:
                    for rule in found:
                        if isinstance(kind, FindingKind) and isinstance(rule, Rule):
                            yield f"{path.relative_to(ROOT)}:{node.lineno}", kind, rule


def test_a_kind_that_is_named_with_a_rule_is_one_of_its_kinds():
    found = list(pairs())
    assert len(found) > 150
    assert [(where, kind.kind) for where, kind, rule in found if kind not in rule.kinds] == []


def test_every_record_of_a_kind_is_one_of_a_rule_or_rests_on_none():
    unnumbered = import_module("topograph.rules.unnumbered")
    for system in extensions.OWN:
        module = import_module(f"topograph.rules.{system}_findings")
        of_rules = {kind for rule in record_of(system).rules() for kind in rule.kinds}
        own = [one for one in vars(module).values() if isinstance(one, FindingKind)]
        assert own
        assert [one.kind for one in own if one not in of_rules] == []
    assert len(unnumbered.KINDS) == len({one.kind for one in unnumbered.KINDS}) > 60


def test_a_rule_makes_no_finding_of_a_kind_that_it_does_not_have():
    place = Source("f", 1)
    with pytest.raises(ValueError, match="TL-12 has no finding of kind 'grant-missing'"):
        TL_12.at(place, "wrong", kind=GRANT_MISSING)
    with pytest.raises(ValueError, match="kinds: store-conflict, prefetch-none"):
        TL_18.at(place, "wrong")
    assert TL_12.at(place, "wrong", server="HQ") == Finding(
        "home-queue-not-global", Severity.WARNING, "wrong", place, "TL-12", server="HQ"
    )


def test_a_kind_makes_findings_without_a_rule_and_by_one():
    place = Source("f", 1)
    assert GRANT_MISSING.at(place, "wrong", severity=Severity.INFO, excerpt="x") == Finding(
        "grant-missing", Severity.INFO, "wrong", place, "", "x"
    )
    assert GRANT_MISSING.at(place, "wrong", rule=TL_10).rule == "TL-10"
    with pytest.raises(ValueError, match="TL-12 has no finding of kind 'grant-missing'"):
        GRANT_MISSING.at(place, "wrong", rule=TL_12)


@pytest.mark.parametrize(
    "example",
    [
        "estate",
        "retail",
        "orders",
        "routers",
        "queue_managers",
        "mqe_devices",
        "sibus_orders",
        "mixed",
    ],
)
def test_every_finding_of_an_example_has_a_record(example):
    model = topograph.read(ROOT / "examples" / example)._model
    systems = sorted({place.system for place in model.places()})
    for one in model.records.findings:
        assert finding_kind(one.kind, one.rule, systems) is not None, one


def test_only_lint_rules_are_cited_for_systems_that_have_no_such_rule() -> None:
    own = all_rules(extensions.OWN)
    numbers = {number for rules in own.values() for number in rules}
    for number in {*numbers, "HUB0001", "topic", "A-1b", "XL-1"}:
        holders = [rules[number] for rules in own.values() if number in rules]
        for name, rules in own.items():
            if number in rules:
                wanted = text_of(rules[number])
            elif len(holders) == 1 and holders[0].check:
                wanted = text_of(holders[0])
            else:
                wanted = NO_TEXT
            assert rule_text(number, [name]) == wanted
