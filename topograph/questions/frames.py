"""An answer's list as a pandas DataFrame, and an answer as a small HTML table: what a notebook
shows.

A frame has a row an entry of the list and always the same columns, however many entries there are;
nested values (a path, steps, a source) stay plain lists and dicts, as in the JSON form.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from topograph.process.packages import installed
from topograph.questions.answers import (
    Answer,
    CheckAnswer,
    HopsAnswer,
    HopsMatrixAnswer,
    InterestsAnswer,
    PathsAnswer,
    ShowAnswer,
)

if TYPE_CHECKING:
    import pandas

_FINDING = ("severity", "rule", "kind", "message", "server", "source", "excerpt")

HOPS = ("from", "to", "reachable", "route_hops", "zone_hops", "cost", "later")

_TABLE_ROWS = 40
"""Rows that a notebook shows; the frame has them all."""

_NOT_SHOWN = frozenset({"steps", "decisions", "excerpt"})
"""Columns of a frame that are too long for a table."""


def to_frame(answer: Answer) -> pandas.DataFrame:
    """The list of an answer, one row an entry. Linear in the answer.

    A hop matrix has a row and a column a server, by name, with hops such as "2 later" where
    messages wait on every way; ``hops`` is one row; interests have a row a name that a server
    holds. The columns are the fields of an entry (``from_`` is ``from``), also where the list is
    empty.
    """
    with installed():
        import pandas
    if isinstance(answer, HopsMatrixAnswer):
        rows = matrix_rows(answer)
        names = pandas.Index(answer.servers[: len(rows)], name="from")
        words = any(isinstance(hop, str) for row in rows for hop in row)
        kind = "object" if words else "Int64"
        return pandas.DataFrame(
            rows, index=names, columns=pandas.Index(answer.servers, name="to"), dtype=kind
        )
    columns, entries = _table(answer)
    return pandas.DataFrame(entries, columns=list(columns))


def to_html(answer: Answer) -> str:
    """The answer as HTML for a notebook: its sentence, its list (the first rows of a long one),
    warnings and assumptions. All escaped.
    """
    from topograph.questions.text import sentence

    parts = [f"<p><b>{escape(sentence(answer) or answer.question)}</b></p>"]
    if isinstance(answer, HopsMatrixAnswer):
        columns: Sequence[str] = ("", *answer.servers[:_TABLE_ROWS])
        rows: list[list[Any]] = [
            [name, *row[:_TABLE_ROWS]]
            for name, row in zip(answer.servers, matrix_rows(answer), strict=False)
        ]
    else:
        names, entries = _table(answer)
        columns = [
            name
            for name in names
            if name not in _NOT_SHOWN and any(_cell(e.get(name)) for e in entries)
        ]
        ways = (
            {"path", "paths", "servers"} if isinstance(answer, PathsAnswer) else {"path", "paths"}
        )
        rows = [[_cell(entry.get(name), name in ways) for name in columns] for entry in entries]
    if rows:
        parts.append(_html_table(columns, rows[:_TABLE_ROWS]))
    if len(rows) > _TABLE_ROWS:
        parts.append(f"<p>{len(rows) - _TABLE_ROWS:,} more; to_frame() has them all.</p>")
    said = [f"{note.rule}: {note.message}" for note in answer.warnings]
    said += [f"assumed ({note.rule}): {note.text}" for note in answer.assumptions]
    if said:
        parts.append("<ul>" + "".join(f"<li>{escape(note)}</li>" for note in said) + "</ul>")
    engine = f"snapshot {answer.snapshot} · network {answer.network} · engine {answer.engine}"
    parts.append(f"<p><small>{escape(engine)}</small></p>")
    return "".join(parts)


def matrix_rows(answer: HopsMatrixAnswer) -> list[list[int | str | None]]:
    """The rows of a hop matrix; what messages get to later is no plain number."""
    rows = [list(row) for row in answer.hops]
    column = {name: number for number, name in enumerate(answer.labels)}
    for server, others in answer.later.items():
        row = rows[column[server]]
        for other in others:
            row[column[other]] = f"{row[column[other]]} later"
    return rows


def _table(answer: Answer) -> tuple[Sequence[str], list[dict[str, Any]]]:
    """Column names and one dict an entry."""
    plain = answer.to_dict()
    if isinstance(answer, HopsAnswer):
        return HOPS, [{name: plain[name] for name in HOPS}]
    entries = plain[answer.rows_field]
    if isinstance(answer, InterestsAnswer):
        return ("server", *_fields(answer)), [
            {"server": server, **entry} for server, held in entries.items() for entry in held
        ]
    if isinstance(answer, ShowAnswer):
        return answer.columns, entries
    return (_FINDING if isinstance(answer, CheckAnswer) else _fields(answer)), entries


def _fields(answer: Answer) -> tuple[str, ...]:
    """The JSON names of the fields of an entry, by the type of the answer's list."""
    shape = get_type_hints(type(answer))[answer.rows_field]
    while not dataclasses.is_dataclass(shape):
        shape = next(part for part in reversed(get_args(shape)) if part is not Ellipsis)
    return tuple(field.name.rstrip("_") for field in dataclasses.fields(shape))


def _html_table(columns: Sequence[str], rows: list[list[Any]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any, way: bool = False) -> str:
    """A value as one line of text; ``way``: the names in it follow each other."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        if set(value) == {"file", "line", "column"}:
            return ":".join(
                str(part) for part in (value["file"], value["line"], value["column"]) if part
            )
        return " ".join(_cell(part) for part in value.values())
    if isinstance(value, (list, tuple)):
        of_names = way and all(isinstance(part, str) for part in value)
        return (" → " if of_names else ", ").join(_cell(part, way) for part in value)
    return str(value)
