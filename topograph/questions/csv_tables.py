"""Answers as CSV (RFC 4180): one table an answer, for spreadsheets and tickets.

The first line names the columns, which are those of the entries in JSON: a place is ``file``,
``line`` and ``column``; a list, or anything nested, is its JSON; what is null is empty. Where an
answer has several lists, ``entry`` says of which a row is. Steps are left out: they are in JSON.

A spreadsheet takes a cell that begins with ``= + - @``, a tab or a line end for a formula. Such
text has ``'`` before it, and so has text that begins with ``'`` itself: without one leading ``'``
the text is as it was. Numbers have none.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin, get_type_hints

from topograph.findings import Source
from topograph.questions.answers import (
    Answer,
    HopsAnswer,
    HopsMatrixAnswer,
    ImpactAnswer,
    InterestsAnswer,
    ServicesAnswer,
    SeveralAnswers,
    ShowAnswer,
    plain,
)
from topograph.questions.frames import HOPS, matrix_rows

Row = Mapping[str, Any]

GUARDED = "=+-@\t\r\n'"
"""First characters of text that has ``'`` before it."""

_PLACE = ("file", "line", "column")
_FINDING = ("kind", "severity", "rule", "message", "server", *_PLACE, "excerpt")

_LISTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "reach": (
        ("servers", "reached"),
        ("unreachable", "unreachable"),
        ("undetermined", "undetermined"),
    ),
    "paths": (("paths", "path"), ("undetermined", "undetermined")),
    "cycles": (
        ("duplicates", "duplicate"),
        ("rings", "ring"),
        ("redundant", "redundant"),
        ("circles", "circle"),
        ("twice", "twice"),
    ),
    "propagate": (
        ("deliveries", "delivered"),
        ("stopped", "stopped"),
        ("ends", "ends"),
        ("undetermined", "undetermined"),
    ),
    "trace": (("steps", "step"), ("branches", "branch"), ("undetermined", "undetermined")),
    "impact": (
        ("lost", "lost"),
        ("gaps", "gap"),
        ("retained", "retained"),
        ("changed", "changed"),
        ("rerouted", "rerouted"),
        ("containers", "container"),
        ("held", "held"),
        ("taken_over", "taken over"),
    ),
    "check": (
        ("findings", "counts"),
        ("known", "known"),
        ("waived", "waived"),
        ("gone", "gone"),
    ),
    "audit": (
        ("steps", "step"),
        ("rejections", "rejection"),
        ("policy", "policy"),
        ("findings", "finding"),
        ("left_open", "left open"),
        ("outcomes", "outcome"),
        ("would_gain", "would gain"),
        ("would_lose", "would lose"),
        ("missing", "missing"),
        ("besides", "besides"),
    ),
}
"""By question the lists of its answer, in the order of their rows, and what ``entry`` calls
them; of the others the list that ``to_frame`` takes."""

_PLAIN: Mapping[str, tuple[str, ...]] = {
    "unreachable": ("server",),
    "findings": _FINDING,
    "known": _FINDING,
    "waived": (*_FINDING, "reason", "until"),
    "held": ("from", "destination", "outcome", "system"),
    "taken_over": ("edge", "before", "after"),
}
"""The columns of lists whose entries are not records."""

_LEFT_OUT = frozenset({"steps", "flows"})


def csv_lines(answer: Answer) -> Iterator[str]:
    """The lines of the table, each with the line end of RFC 4180 but for the last character of it:
    writing a line feed behind each gives the file. Linear in the answer."""
    columns, rows = table(answer)
    yield _line(columns)
    for entry in rows:
        yield _line([entry.get(name) for name in columns])


def table(answer: Answer) -> tuple[Sequence[str], Iterable[Row]]:
    """The columns of an answer's table, and its rows as plain values by column."""
    if isinstance(answer, SeveralAnswers):
        return _several(answer)
    context = _context(answer)
    if isinstance(answer, HopsMatrixAnswer):
        body = [
            {"from": name, **dict(zip(answer.labels, row, strict=True))}
            for name, row in zip(answer.labels, matrix_rows(answer), strict=False)
        ]
        return ("from", *answer.labels), body
    if isinstance(answer, HopsAnswer):
        return HOPS, [{name: plain(value) for name, value in _fields(answer, HOPS)}]
    if isinstance(answer, ShowAnswer):
        return _flat_names(answer.columns), (_flat(row) for row in answer.rows)
    if isinstance(answer, ServicesAnswer):
        return _services(answer)
    if isinstance(answer, InterestsAnswer):
        return _interests(answer)
    lists = _LISTS.get(answer.question, ((answer.rows_field, ""),))
    if isinstance(answer, ImpactAnswer) and answer.failures:
        lists = (("failures", ""),)
    names = [name for field, _ in lists for name in _columns(type(answer), field)]
    several = ("entry",) if len(lists) > 1 else ()
    return tuple(dict.fromkeys((*several, *context, *names))), _rows(answer, lists, context)


def _several(answer: SeveralAnswers) -> tuple[Sequence[str], Iterable[Row]]:
    """The rows of all answers, each with the servers that it is about."""
    tables = [table(one) for one in answer.answers]
    columns = dict.fromkeys(name for about in answer.about for name in about)
    columns |= dict.fromkeys(name for names, _ in tables for name in names)
    rows = (
        {**about, **row}
        for about, (_, body) in zip(answer.about, tables, strict=True)
        for row in body
    )
    return tuple(columns), rows


def _rows(answer: Answer, lists: Sequence[tuple[str, str]], context: Row) -> Iterator[Row]:
    for field, result in lists:
        for entry in getattr(answer, field):
            yield {**context, "entry": result, **_entry(field, plain(entry))}


def _entry(field: str, entry: Any) -> Row:
    """One entry as a row."""
    if isinstance(entry, str):
        return {"server": entry}
    if field == "waived":
        entry = {**entry["finding"], "reason": entry["reason"], "until": entry["until"]}
    return _flat(entry)


def _context(answer: Answer) -> Row:
    """Whom the answer is about, where its entries do not say it."""
    found = {}
    if hasattr(answer, "from_"):
        found["from"] = answer.from_
    if answer.question == "paths":
        found["to"] = getattr(answer, "to")  # noqa: B009
    return found


def _services(answer: ServicesAnswer) -> tuple[Sequence[str], Iterable[Row]]:
    """A row for each listener and connector that belong together, and one for what has none."""
    listener, connector = (
        _of_type(get_type_hints(_record(type(answer), "services"))[name])
        for name in ("listeners", "connectors")
    )
    way = _of_type(get_type_hints(listener)["connectors"])
    names = [f"listener_{name}" for name in _names(listener) if name != "connectors"]
    names += [f"connector_{name}" for name in (*_names(way), *_names(connector))]
    columns = tuple(dict.fromkeys(("destination", *names)))

    def rows() -> Iterator[Row]:
        for service in plain(answer.services):
            base = {"destination": service["destination"]}
            for one in service["listeners"]:
                reached = one.pop("connectors")
                own = {f"listener_{key}": value for key, value in _flat(one).items()}
                for to in reached or [{}]:
                    yield base | own | {f"connector_{k}": v for k, v in _flat(to).items()}
            for one in service["connectors"]:
                if not one["listeners"]:
                    yield base | {f"connector_{key}": value for key, value in _flat(one).items()}

    return columns, rows()


def _interests(answer: InterestsAnswer) -> tuple[Sequence[str], Iterable[Row]]:
    lists = ("undetermined", "missing", "unexpected", "listed", "not_listed", "not_observed")
    names = [name for field in lists for name in _columns(type(answer), field)]
    columns = dict.fromkeys(("entry", "server", *_columns(type(answer), "servers"), *names))

    def rows() -> Iterator[Row]:
        for server, held in answer.servers.items():
            for entry in held:
                yield {"entry": "held", "server": server, **_flat(plain(entry))}
        yield from _rows(answer, [(field, field.replace("_", " ")) for field in lists], {})

    return tuple(columns), rows()


def _columns(answer: type, field: str) -> list[str]:
    """The columns of a list of an answer, the same whether it is empty or not."""
    record = _record(answer, field)
    if field in _PLAIN and (field == "waived" or record in (str, dict)):
        return list(_PLAIN[field])
    return _names(record)


def _record(answer: type, field: str) -> Any:
    return _of_type(get_type_hints(answer)[field])


def _of_type(shape: Any) -> Any:
    """What a list holds: the last type in its brackets; ``dict`` for entries of any form."""
    while not dataclasses.is_dataclass(shape):
        if shape is str or (get_origin(shape) is dict and get_args(shape)[1] in (object, str)):
            return str if shape is str else dict
        shape = next(part for part in reversed(get_args(shape)) if part is not Ellipsis)
    return shape


def _names(record: type) -> list[str]:
    """The columns of a record: its fields, places in three."""
    hints = get_type_hints(record)
    found: list[str] = []
    for field in dataclasses.fields(record):
        name = field.name.rstrip("_")
        if name in _LEFT_OUT:
            continue
        place = hints[field.name] is Source or Source in get_args(hints[field.name])
        found += _place_names(name) if place else [name]
    return found


def _place_names(name: str) -> list[str]:
    return list(_PLACE) if name == "source" else [f"{name}_{part}" for part in _PLACE]


def _flat_names(columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        part for name in columns for part in (_place_names(name) if name == "source" else [name])
    )


def _flat(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with its places taken apart."""
    found: dict[str, Any] = {}
    for name, value in entry.items():
        if name in _LEFT_OUT:
            continue
        if isinstance(value, Mapping) and set(value) == set(_PLACE):
            found.update(zip(_place_names(name), (value[part] for part in _PLACE), strict=True))
        else:
            found[name] = value
    return found


def _fields(answer: Answer, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        yield name, getattr(answer, f"{name}_" if name == "from" else name)


def _line(cells: Iterable[Any]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r").writerow([cell(value) for value in cells])
    return written.getvalue()


def cell(value: Any) -> str:
    """A value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value[:1] and value[0] in GUARDED else value
    return json.dumps(value, ensure_ascii=False)
