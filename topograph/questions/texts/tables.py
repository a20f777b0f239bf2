"""The text of ``check`` (findings) and ``show`` (what is loaded)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, short

if TYPE_CHECKING:
    from topograph.questions.answers import CheckAnswer, CheckGroup, ShowAnswer

FINDINGS_SHOWN = 25
"""Servers listed of one rule and severity before the rest is counted."""

MESSAGE_SHOWN = 240
"""Characters of the message of a group of findings."""

LONG_COLUMN = 60
"""Characters from which a column is moved behind the others, where its width pushes nothing
away.
"""

_MARKS = {"error": Tone.BAD, "warning": Tone.UNSURE, "info": Tone.FAINT}
_HEADINGS = {"error": "Errors", "warning": "Warnings", "info": "For information"}


def check(answer: CheckAnswer, page: Page) -> None:
    """The rules by harm, each with its servers: the first message, its place, and how many more
    there are. With ``page.full`` every finding.
    """
    counts = Counter(str(entry["severity"]) for entry in answer.findings)
    where = f" at {answer.server}" if answer.server else ""
    asked = f" of {answer.rule}" if answer.rule else ""
    if not answer.findings:
        least = f" ({answer.severity} or worse)" if answer.severity else ""
        none = f"No findings{asked}{where}{least}."
        if answer.name:
            page.title(f"{answer.rule}  {answer.name}: {answer.sentence}")
            if answer.snapshot:
                page.line(Cell(none, Tone.GOOD))
        else:
            page.title(none, Tone.GOOD)
        return
    numbers = [
        (counts["error"], count(counts["error"], "error")),
        (counts["warning"], count(counts["warning"], "warning")),
    ]
    parts = [*(text for number, text in numbers), f"{counts['info']:,} for information"]
    servers = {str(entry["server"]) for entry in answer.findings} - {""}
    over = "" if answer.server else f" at {count(len(servers), 'server')}" if servers else ""
    page.title(
        f"{count(len(answer.findings), 'finding')}{asked}{where}{over}: {', '.join(parts)}.",
        Tone.BAD if counts["error"] else Tone.UNSURE if counts["warning"] else Tone.TITLE,
    )
    _explained(answer, page)
    rules: dict[tuple[str, str], list[CheckGroup]] = {}
    for group in answer.groups:
        rules.setdefault((group.severity, group.rule), []).append(group)
    entries: dict[tuple[str, str], list[Mapping[str, object]]] = {}
    for entry in answer.findings:
        label = str(entry.get("rule") or entry.get("kind") or "")
        entries.setdefault((str(entry["severity"]), label), []).append(entry)
    for severity, heading in _HEADINGS.items():
        own = [groups for (at, _), groups in rules.items() if at == severity]
        if own:
            page.section(heading, _MARKS[severity])
        for groups in own:
            _rule(page, groups, entries[severity, groups[0].rule], with_name=not answer.rule)


def _explained(answer: CheckAnswer, page: Page) -> None:
    if answer.name:
        page.blank()
        page.line(
            Cell(f"{answer.rule}  {answer.name}", Tone.TITLE), f": {answer.sentence}", indent=2
        )


def _rule(
    page: Page,
    groups: Sequence[CheckGroup],
    entries: Sequence[Mapping[str, object]],
    *,
    with_name: bool,
) -> None:
    """One rule: its name and number, then a row a server, or every finding."""
    first = groups[0]
    total = sum(group.count for group in groups)
    if with_name:
        name = f"  {first.name}" if first.name else ""
        page.line(Cell(f"{first.rule}{name}", Tone.TITLE), f": {count(total, 'finding')}", indent=2)
    if page.full:
        _findings(page, entries)
        return
    alike: dict[str, list[CheckGroup]] = {}
    for group in groups[:FINDINGS_SHOWN]:
        alike.setdefault(group.message, []).append(group)
    for message, own in alike.items():
        page.line(short(message, page.style, MESSAGE_SHOWN), indent=6)
        page.table([_group_row(group) for group in own], indent=10)
    left = len(groups) - FINDINGS_SHOWN
    if left > 0:
        said = (
            f"{page.style.ellipsis} and at {count(left, 'other server')} (use --rule {first.rule})"
        )
        page.line(Cell(said, Tone.FAINT), indent=6)


def _group_row(group: CheckGroup) -> Row:
    more = f"and {group.count - 1:,} more like it (use --all)" if group.count > 1 else ""
    return (
        Cell(str(group.source), Tone.FAINT),
        f"server {group.server}" if group.server else "",
        more,
    )


def _findings(page: Page, entries: Sequence[Mapping[str, object]]) -> None:
    """Each message once, in the answer's order, with the places it is about below it."""
    alike: dict[str, list[Mapping[str, object]]] = {}
    for entry in entries:
        alike.setdefault(str(entry["message"]), []).append(entry)
    for message, own in alike.items():
        page.line(message, indent=6)
        page.table([_place_row(entry) for entry in own], indent=10)


def _place_row(entry: Mapping[str, object]) -> Row:
    excerpt = str(entry.get("excerpt") or "").strip()
    return (
        Cell(_text(entry.get("source")), Tone.FAINT),
        f"server {entry['server']}" if entry.get("server") else "",
        f"> {excerpt}" if excerpt else "",
    )


def show(answer: ShowAnswer, page: Page) -> None:
    """The rows as a table; columns without any value are left out, columns of long texts come
    last.
    """
    rows = tuple(answer.rows)
    what = answer.what.replace("-", " ").capitalize() + (
        f" of {answer.server}" if answer.server else ""
    )
    if not rows:
        page.title(f"{what}: none loaded.")
        return
    counted = (
        len({row["path"] for row in rows}) if answer.what == "files" else len(rows)
    )  # servers share files
    page.title(f"{what}: {counted:,}.")
    page.blank()
    texts = {column: [_text(row.get(column)) for row in rows] for column in answer.columns}
    widths = {column: max(map(len, entries)) for column, entries in texts.items()}
    columns = sorted(
        (c for c in answer.columns if widths[c]), key=lambda column: widths[column] > LONG_COLUMN
    )
    right = [at for at, c in enumerate(columns) if all(_is_number(row.get(c)) for row in rows)]
    head: Row = [Cell(column.replace("_", " "), Tone.TITLE) for column in columns]
    body: list[Row] = [[texts[column][number] for column in columns] for number in range(len(rows))]
    page.table([head, *body], right=right)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _text(value: object) -> str:
    """A value of a row for people: a place as ``file:line:column``, a list with commas, nothing
    as nothing.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if "file" in value and "line" in value:
            parts = [
                str(value["file"]),
                *(str(value[key]) for key in ("line", "column") if value.get(key)),
            ]
            return ":".join(parts)
        return ", ".join(f"{key}={_text(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_text(item) for item in value)
    return str(value)
