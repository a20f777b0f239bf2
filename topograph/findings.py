"""Findings: what a reader noticed, and where.

A finding never stops a reader. It names a rule or a kind, says in one line what is wrong and what
that means, and points at file, line and column so that an analyst can open the place.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from topograph.credentials import name_without_secret, without_arguments, without_credentials
from topograph.records import record


class Severity(StrEnum):
    """How bad a finding is (outcomes.md section 4).

    ``error``: the configured thing cannot work as written. ``warning``: it works but loses, holds
    or misroutes some messages, or an answer about it is incomplete. ``info``: worth knowing.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error: for sorting and for thresholds such as
        ``--fail-on``.
        """
        return _RANK[self]


_RANK = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@record(order=True)
class Source:
    """A place in an imported file.

    ``file`` is relative to the imported root, with ``/`` between parts. ``line`` and ``column``
    count from 1; 0 means the whole file (or the whole line). For a file in an archive, ``file`` is
    ``archive.zip!/member``.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return (
            f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        )

    def to_dict(self) -> dict[str, object]:
        """``{file, line, column}``, the form of every source in JSON answers (DESIGN section
        4.2).
        """
        return {"file": self.file, "line": self.line, "column": self.column}


@record
class Finding:
    """One thing a reader, a compiler or a lint rule noticed.

    ``kind`` is a stable kebab-case label (``subfile-not-found``); ``rule`` the rule or lint id it
    rests on (``TL-20``, ``C-2``, ``3.1``), empty where there is none. ``excerpt`` is the text at
    the place. ``server`` is the server, router or member concerned, empty where unknown. Message
    and excerpt hold no credentials, whatever they are made of.
    """

    kind: str
    severity: Severity
    message: str
    source: Source
    rule: str = ""
    excerpt: str = ""
    server: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", without_credentials(self.message))
        object.__setattr__(self, "server", name_without_secret(self.server))
        if self.excerpt:
            object.__setattr__(self, "excerpt", without_arguments(self.excerpt))

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "severity": str(self.severity),
            "rule": self.rule,
            "message": self.message,
            "server": self.server,
            "source": self.source.to_dict(),
            "excerpt": self.excerpt,
        }


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, in the order given: servers that share a file notice the same in it.
    What is counted, listed and kept anywhere.
    """
    return list(dict.fromkeys(findings))


def count_by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    """How many findings there are by severity, the worst first; 0 for those of which there are
    none.
    """
    found = [finding.severity for finding in findings]
    return {
        str(severity): found.count(severity)
        for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
    }
