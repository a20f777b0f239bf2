"""What is gathered while one file is read, whatever its system: facts, findings and counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from topograph.facts import Fact
from topograph.findings import Finding, Source
from topograph.rules import FindingKind
from topograph.rules.unnumbered import MORE_FINDINGS

MAX_FINDINGS = 1000
"""Findings of one kind that are kept of one file; of a file that is something else altogether
the rest are only counted.
"""


@dataclass(slots=True)
class FileDraft:
    """The state of reading one file: what a system's own reading of files begins with."""

    bundle: str
    server: str
    file: str
    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    read: int = 0
    ignored: int = 0
    unsupported: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """Findings by kind, listed or not."""

    def source(self, line: int = 0, column: int = 0) -> Source:
        """A place in this file."""
        return Source(self.file, line, column)

    def keep(self, fact: Fact) -> None:
        """Keep a fact and count its entry as read."""
        self.facts.append(fact)
        self.read += 1

    def lists(self, kind: FindingKind) -> bool:
        """Count a finding of a kind; whether it is among those that are listed."""
        self.counts[kind.kind] += 1
        return self.counts[kind.kind] <= MAX_FINDINGS

    def close(self) -> None:
        """Say how many findings were only counted. To be called when the file is read."""
        for kind, count in self.counts.items():
            if count > MAX_FINDINGS:
                message = (
                    f"{count - MAX_FINDINGS} more findings of the kind {kind} in this file "
                    "are not listed"
                )
                self.findings.append(MORE_FINDINGS.at(self.source(), message, server=self.server))
