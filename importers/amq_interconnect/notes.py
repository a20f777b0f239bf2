"""What is noticed while one configuration is loaded, and whether a router starts with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.findings import Finding, Severity, Source
from topograph.rules import FindingKind, Rule
from topograph.rules.amq_interconnect_findings import C_2, SECTION_1_8


@dataclass
class ReadNotes:
    """Findings in the order of discovery. ``refused`` are those for which no router starts (C-2,
    C-3), ``old`` those for which a 1.x router does not start but one before 1.0 may (section 5,
    positions 16 and 20), ``skupper`` those for which only Skupper Router starts (1.8)."""

    findings: list[Finding] = field(default_factory=list)
    refused: list[Finding] = field(default_factory=list)
    old: list[Finding] = field(default_factory=list)
    skupper: list[Finding] = field(default_factory=list)
    until_1_12: list[Finding] = field(default_factory=list)
    """Those for which a router from 1.13 on does not start, and an older one does."""

    def refuse(
        self, kind: FindingKind, rule: Rule, message: str, source: Source, excerpt: str = ""
    ) -> None:
        """The router does not start."""
        finding = kind.at(
            source,
            f"{message}; the router refuses the file and does not start",
            rule=rule,
            severity=Severity.ERROR,
            excerpt=excerpt,
        )
        self.findings.append(finding)
        self.refused.append(finding)

    def refuse_from_1_0(
        self, kind: FindingKind, message: str, source: Source, excerpt: str = ""
    ) -> None:
        """A router of version 1.0 or later does not start; the entry is read all the same."""
        finding = kind.at(
            source,
            f"{message}; 1.x refuses this file",
            rule=C_2,
            severity=Severity.ERROR,
            excerpt=excerpt,
        )
        self.findings.append(finding)
        self.old.append(finding)

    def refuse_from_1_13(
        self, kind: FindingKind, message: str, source: Source, excerpt: str = ""
    ) -> None:
        """A router of version 1.13 or later does not start; an older one reads it."""
        text = f"{message}: routers up to 1.12 read it, later ones refuse the file"
        finding = kind.at(source, text, rule=C_2, severity=Severity.INFO, excerpt=excerpt)
        self.findings.append(finding)
        self.until_1_12.append(finding)

    def only_skupper(
        self, kind: FindingKind, message: str, source: Source, excerpt: str = ""
    ) -> None:
        """Skupper Router reads it; AMQ Interconnect and qpid-dispatch do not start."""
        text = (
            f"{message}; read as a configuration of Skupper Router, AMQ Interconnect refuses "
            "the file"
        )
        finding = kind.at(source, text, rule=SECTION_1_8, severity=Severity.INFO, excerpt=excerpt)
        self.findings.append(finding)
        self.skupper.append(finding)

    def error(
        self, kind: FindingKind, rule: Rule, message: str, source: Source, excerpt: str = ""
    ) -> None:
        self.findings.append(
            kind.at(source, message, rule=rule, severity=Severity.ERROR, excerpt=excerpt)
        )

    def warn(
        self, kind: FindingKind, rule: Rule, message: str, source: Source, excerpt: str = ""
    ) -> None:
        self.findings.append(
            kind.at(source, message, rule=rule, severity=Severity.WARNING, excerpt=excerpt)
        )

    def inform(
        self, kind: FindingKind, rule: Rule, message: str, source: Source, excerpt: str = ""
    ) -> None:
        self.findings.append(
            kind.at(source, message, rule=rule, severity=Severity.INFO, excerpt=excerpt)
        )
