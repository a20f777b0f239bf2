"""The text of ``check`` (findings) and ``show`` (what is loaded)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from topograph.findings import Source
from topograph.questions.texts.layout import Cell, Page, Row, Tone, count, short

if TYPE_CHECKING:
    from topograph.questions.answers import CheckAnswer, CheckGroup, ShowAnswer

FINDINGS_SHOWN = 25
"""Servers listed of one rule and severity before the rest is counted."""

FORMS_SHOWN = 40
"""Findings of one rule and severity that are shown before the rest is counted; of those that are
alike one a server is.
"""

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
        none = f"No {'new ' if answer.baseline else ''}findings{asked}{where}{least}."
        if answer.name:
            page.title(f"{answer.rule}  {answer.name}: {answer.sentence}")
            if answer.snapshot:
                page.line(Cell(none, Tone.GOOD))
        else:
            page.title(none, Tone.GOOD)
        _set_aside(answer, page)
        return
    numbers = [
        (counts["error"], count(counts["error"], "error")),
        (counts["warning"], count(counts["warning"], "warning")),
    ]
    parts = [*(text for number, text in numbers), f"{counts['info']:,} for information"]
    servers = {str(entry["server"]) for entry in answer.findings} - {""}
    noun = "new finding" if answer.baseline else "finding"
    over = "" if answer.server else f" at {count(len(servers), 'server')}" if servers else ""
    page.title(
        f"{count(len(answer.findings), noun)}{asked}{where}{over}: {', '.join(parts)}.",
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
    _set_aside(answer, page)


def _set_aside(answer: CheckAnswer, page: Page) -> None:
    """What does not count: findings that are waived, those of the baseline, and what it has
    besides.
    """
    if answer.waived:
        page.section(f"Waived: {count(len(answer.waived), 'finding')}", Tone.FAINT)
        reasons: dict[tuple[str, Source], list[Mapping[str, object]]] = {}
        for one in answer.waived:
            until = f" (until {one.until})" if one.until else ""
            reasons.setdefault((f"{one.reason}{until}", one.source), []).append(one.finding)
        for (reason, source), found in reasons.items():
            labels = sorted({str(one["rule"] or one["kind"]) for one in found})
            said = f"{', '.join(labels)}: {count(len(found), 'finding')}: {reason}"
            page.line(said, "  ", Cell(str(source), Tone.FAINT), indent=2)
            if page.full:
                _findings(page, found)
    if not answer.baseline:
        return
    page.section(f"In the baseline {answer.baseline}", Tone.FAINT)
    page.line(f"{count(len(answer.known), 'finding')} known, which do not count", indent=2)
    if answer.gone:
        page.line(f"{count(len(answer.gone), 'finding')} gone:", indent=2)
        for gone in answer.gone if page.full else answer.gone[:FINDINGS_SHOWN]:
            at = f"{gone.server}: " if gone.server else ""
            page.line(f"{gone.rule or gone.kind}  {at}{gone.message}  ", gone.file, indent=6)
        page.more(0 if page.full else len(answer.gone) - FINDINGS_SHOWN, indent=6)


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
    shown = {group.server: number for number, group in enumerate(groups[:FINDINGS_SHOWN])}
    forms: dict[tuple[int, str], list[Mapping[str, object]]] = {}
    for entry in entries:
        if (number := shown.get(str(entry["server"]))) is not None:
            forms.setdefault((number, _form(entry)), []).append(entry)
    alike: dict[str, list[Row]] = {}
    for _, own in sorted(forms.items(), key=lambda item: item[0][0])[:FORMS_SHOWN]:
        alike.setdefault(str(own[0]["message"]), []).append(_alike_row(own))
    for message, rows in alike.items():
        page.line(short(message, page.style, MESSAGE_SHOWN), indent=6)
        page.table(rows, indent=10)
    if len(forms) > FORMS_SHOWN:
        unlike = sum(map(len, list(forms.values())[FORMS_SHOWN:]))
        said = f"{page.style.ellipsis} and {count(unlike, 'other finding')} (use --all)"
        page.line(Cell(said, Tone.FAINT), indent=6)
    left = len(groups) - FINDINGS_SHOWN
    if left > 0:
        said = (
            f"{page.style.ellipsis} and at {count(left, 'other server')} (use --rule {first.rule})"
        )
        page.line(Cell(said, Tone.FAINT), indent=6)


def _form(entry: Mapping[str, object]) -> str:
    """What findings that are alike have in common: their kind, and the words of their message that
    are no names, numbers or places.
    """
    words = str(entry["message"]).split()
    return " ".join((str(entry["kind"]), *(word for word in words if _WORD.match(word))))


_WORD = re.compile(r"[a-z]+[.,:;]?\Z")


def _alike_row(own: Sequence[Mapping[str, object]]) -> Row:
    first = own[0]
    more = f"and {len(own) - 1:,} more like it (use --all)" if len(own) > 1 else ""
    return (
        Cell(_text(first["source"]), Tone.FAINT),
        f"server {first['server']}" if first["server"] else "",
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
