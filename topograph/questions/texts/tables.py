"""The text of ``check`` (findings) and ``show`` (what is loaded)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from topograph.questions.answers import CheckAnswer, ShowAnswer
from topograph.questions.texts.layout import Cell, Mark, Page, Row, count

FINDINGS_SHOWN = 25
"""Findings listed of one rule and severity before the rest is counted."""

_MARKS = {"error": Mark.BAD, "warning": Mark.UNSURE, "info": Mark.FAINT}
_HEADINGS = {"error": "Errors", "warning": "Warnings", "info": "For information"}


def check(answer: CheckAnswer, page: Page) -> None:
    """The findings by severity, each with rule, place and excerpt."""
    by_severity = Counter(str(entry["severity"]) for entry in answer.findings)
    if not answer.findings:
        page.title("No findings.", Mark.GOOD)
        return
    parts = [
        count(by_severity["error"], "error"),
        count(by_severity["warning"], "warning"),
        f"{by_severity['info']:,} for information",
    ]
    page.title(
        f"{count(len(answer.findings), 'finding')}: {', '.join(parts)}.",
        Mark.BAD if by_severity["error"] else Mark.UNSURE if by_severity["warning"] else Mark.TITLE,
    )
    for severity in ("error", "warning", "info"):
        entries = [entry for entry in answer.findings if entry["severity"] == severity]
        if entries:
            page.section(_HEADINGS[severity], _MARKS[severity])
            _findings(page, entries)


def _findings(page: Page, entries: Sequence[Mapping[str, object]]) -> None:
    """A line for each finding, with its place and excerpt below; grouped by nothing, in the answer's order."""
    seen: Counter[str] = Counter()
    for entry in entries:
        label = str(entry.get("rule") or entry.get("kind") or "")
        seen[label] += 1
        if seen[label] > FINDINGS_SHOWN:
            continue
        page.line(Cell(label, Mark.TITLE), f"  {entry['message']}", indent=2)
        where = [_text(entry.get("source")), f"server {entry['server']}" if entry.get("server") else ""]
        excerpt = str(entry.get("excerpt") or "").strip()
        said = page.style.separator.join(part for part in where if part)
        page.line(Cell(said, Mark.FAINT), f"   > {excerpt}" if excerpt else "", indent=6)
    for label, number in seen.items():
        if number > FINDINGS_SHOWN:
            said = f"{page.style.ellipsis} and {number - FINDINGS_SHOWN:,} more of {label} (use --format json)"
            page.line(Cell(said, Mark.FAINT), indent=2)


def show(answer: ShowAnswer, page: Page) -> None:
    """The rows as a table; columns without any value are left out."""
    if not answer.rows:
        page.title(f"{answer.what.capitalize()}: none loaded.")
        return
    page.title(f"{answer.what.capitalize()}: {len(answer.rows):,}.")
    page.blank()
    head: Row = [Cell(column.replace("_", " "), Mark.TITLE) for column in answer.columns]
    rows = [[_text(row.get(column)) for column in answer.columns] for row in answer.rows]
    used = [number for number in range(len(answer.columns)) if any(row[number] for row in rows)]
    numbers = [
        position
        for position, number in enumerate(used)
        if all(_is_number(row.get(answer.columns[number])) for row in answer.rows)
    ]
    page.table([[head[number] for number in used], *([row[number] for number in used] for row in rows)], right=numbers)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _text(value: object) -> str:
    """A value of a row for people: a place as ``file:line:column``, a list with commas, nothing as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if "file" in value and "line" in value:
            parts = [str(value["file"]), *(str(value[key]) for key in ("line", "column") if value.get(key))]
            return ":".join(parts)
        return ", ".join(f"{key}={_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_text(item) for item in value)
    return str(value)
