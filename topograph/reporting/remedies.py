"""What to do about a finding, and what it means where it was found: what the record of its kind
says (``topograph.rules``), or what holds for all of its severity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.reporting.report import FindingShown
from topograph.rules import Remedy
from topograph.systems.rule_texts import finding_kind

USUAL: Mapping[str, Remedy] = {
    "error": Remedy(
        "Correct this entry in {file}, or remove it.",
        "What is configured there cannot work as written.",
    ),
    "warning": Remedy(
        "Check this entry in {file}, and correct it if it is not meant so.",
        (
            "It works, but messages may be lost, held or sent elsewhere, or answers about it "
            "are incomplete."
        ),
    ),
    "info": Remedy("Nothing needs to be done.", "Nothing fails because of it."),
}
"""What holds for a finding whose kind says no more, by severity (outcomes.md section 4)."""


def remedy(
    finding: FindingShown, noun: str, sentence: str = "", systems: Sequence[str] = ()
) -> Remedy:
    """What to do about one finding, with its names filled in; ``noun`` is what servers are
    called there, ``sentence`` what the rule says: what a finding means whose kind says no more.
    ``systems`` are those of the network. Linear in their rules."""
    usual = USUAL[finding.severity]
    record = finding_kind(finding.kind, finding.rule, systems)
    found = (record.remedy if record else None) or Remedy(usual.do, sentence or usual.means)
    server = finding.server or f"this {noun}"
    return Remedy(
        *(text.replace("{server}", server).replace("{file}", finding.source.file) for text in found)
    )
