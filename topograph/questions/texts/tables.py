"""The text of ``check`` (findings) and ``show`` (what is loaded)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.questions.texts.layout import Cell, Mark, Page, Row, count

if TYPE_CHECKING:
    from topograph.questions.answers import CheckAnswer, ShowAnswer

FINDINGS_SHOWN = 25
"""Findings listed of one rule and severity before the rest is counted."""

LONG_COLUMN = 60
"""Characters from which a column is moved behind the others, where its width pushes nothing away."""

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
    """Each message once, in the answer's order, with the places it is about below it."""
    groups: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for entry in entries:
        label = str(entry.get("rule") or entry.get("kind") or "")
        groups.setdefault((label, str(entry["message"])), []).append(entry)
    shown: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for (label, message), alike in groups.items():
        room = max(0, FINDINGS_SHOWN - shown[label])
        shown[label] += len(alike)
        left[label] += max(0, len(alike) - room)
        if room:
            page.line(Cell(label, Mark.TITLE), f"  {message}", indent=2)
            page.table([_place_row(entry) for entry in alike[:room]], indent=6)
    for label, number in left.items():
        if number:
            said = f"{page.style.ellipsis} and {number:,} more of {label} (use --format json)"
            page.line(Cell(said, Mark.FAINT), indent=2)


def _place_row(entry: Mapping[str, object]) -> Row:
    excerpt = str(entry.get("excerpt") or "").strip()
    return (
        Cell(_text(entry.get("source")), Mark.FAINT),
        f"server {entry['server']}" if entry.get("server") else "",
        f"> {excerpt}" if excerpt else "",
    )


def show(answer: ShowAnswer, page: Page) -> None:
    """The rows as a table; columns without any value are left out, columns of long texts come last."""
    rows = tuple(answer.rows)
    what = answer.what.replace("-", " ").capitalize() + (f" of {answer.server}" if answer.server else "")
    if not rows:
        page.title(f"{what}: none loaded.")
        return
    counted = len({row["path"] for row in rows}) if answer.what == "files" else len(rows)  # servers share files
    page.title(f"{what}: {counted:,}.")
    page.blank()
    texts = {column: [_text(row.get(column)) for row in rows] for column in answer.columns}
    widths = {column: max(map(len, entries)) for column, entries in texts.items()}
    columns = sorted((c for c in answer.columns if widths[c]), key=lambda column: widths[column] > LONG_COLUMN)
    right = [at for at, c in enumerate(columns) if all(_is_number(row.get(c)) for row in rows)]
    head: Row = [Cell(column.replace("_", " "), Mark.TITLE) for column in columns]
    body: list[Row] = [[texts[column][number] for column in columns] for number in range(len(rows))]
    page.table([head, *body], right=right)


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
