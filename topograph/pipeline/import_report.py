"""What an import says of itself when it has ended."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from topograph.findings import Severity
from topograph.records import record


@record
class NetworkReport:
    """What an import made of one network: counts, and the findings by severity."""

    name: str
    root: str
    systems: tuple[str, ...]
    servers: int
    links: int
    points: int
    forwards: int
    facts: int
    files: dict[str, int]
    """How many files by status (``read``, ``unclaimed``, ``skipped``, ...)."""
    findings: dict[str, int]
    """How many findings by severity: error, warning, info."""
    unreadable: tuple[str, ...] = ()
    """Main files of which nothing could be read: the answers say nothing of their servers."""


@record
class ImportReport:
    """The outcome of an import. ``neo4j`` is the URI it was published to, empty if it was not;
    ``seconds`` per stage, in order; ``redaction`` the fingerprint of the key it was redacted
    with, empty if it was not."""

    snapshot: str
    path: str
    networks: tuple[NetworkReport, ...]
    neo4j: str = ""
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    redaction: str = ""

    def findings(self, least: Severity) -> int:
        """The number of findings of a severity or worse."""
        return sum(
            count
            for network in self.networks
            for severity, count in network.findings.items()
            if Severity(severity).rank >= least.rank
        )

    def to_dict(self) -> dict[str, Any]:
        from topograph.facts.plain import to_plain

        plain: dict[str, Any] = to_plain(self)
        return plain
