"""The answers that list: ``check`` and ``show``. See ``answers``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from topograph.questions.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer(Answer):
    """``check``: findings of the lint rules (outcomes.md section 4), worst first, then by file and line."""

    question: ClassVar[str] = "check"
    rows_field: ClassVar[str] = "findings"

    findings: tuple[dict[str, object], ...]
    """Worst first, then by file and line: kind, severity, rule, message, server, excerpt, source."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are of each severity."""

    @property
    def violation(self) -> bool:
        return any(entry["severity"] in ("warning", "error") for entry in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer(Answer):
    """``show WHAT``: rows of what is loaded; ``columns`` in reading order."""

    question: ClassVar[str] = "show"
    rows_field: ClassVar[str] = "rows"

    what: str
    """What is listed."""
    columns: tuple[str, ...]
    """The keys of a row in reading order."""
    rows: tuple[dict[str, object], ...]
    """One an entry."""
