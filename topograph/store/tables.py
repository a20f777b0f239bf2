"""The tables of a snapshot: their Arrow schemas, and rows to Arrow and back without loss.

``TABLES`` names them. Every table has a ``network`` column; the graph tables also have ``system``
and ``n``, the running number by which points, servers and guards refer to each other (within one
network and system, from 0). Texts that repeat are dictionary encoded, in memory and in Parquet.

A question about a network reads servers, points and guards; what only other tables need (facts,
``pyarrow.compute``, which takes as long to load as all of topograph) is loaded where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from topograph.facts.names import FactNames
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import STEPPING, Forward, Guard, Link, Server
from topograph.forwarding.lazy_rows import ForwardRows
from topograph.forwarding.points import Ints, Labels, PlainForwards, PointColumns
from topograph.outcomes import Confidence
from topograph.store.columns import LABEL, column, integers, labels, lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.files import FileReport
    from topograph.store.snapshot import NetworkData

_TEXT = pa.string()
_LABEL = LABEL
_NUMBER = pa.int32()
_NUMBERS = pa.list_(pa.int32())
_FLAG = pa.bool_()


@dataclass(frozen=True, slots=True)
class Interest:
    """A name that a server holds because a rule implies it (R22): ``server`` learned ``name``
    from ``via``, over ``hops`` routes.
    """

    server: str
    name: str
    via: str
    hops: int


_NO_COST = -1
"""The cost of a link in a system that has no costs."""

_Column = tuple[str, pa.DataType, Callable[[Any], Any]]

_SOURCE: tuple[_Column, ...] = (
    ("file", _LABEL, attrgetter("source.file")),
    ("line", _NUMBER, attrgetter("source.line")),
    ("column", _NUMBER, attrgetter("source.column")),
)


def _own(type_: pa.DataType, *names: str) -> tuple[_Column, ...]:
    """Columns that are attributes of the row under the same name."""
    return tuple((name, type_, attrgetter(name)) for name in names)


_KEYS: dict[str, tuple[str, ...]] = {
    "facts": ("network",),
    "servers": ("network", "system", "n"),
    "points": ("network", "system", "n"),
    "guards": ("network", "system", "n"),
    "links": ("network", "system", "n"),
    "forwards": ("network", "system", "n"),
    "interests": ("network", "system"),
    "findings": ("network",),
    "sources": ("network",),
}
"""The leading columns that say where a row belongs; they are not part of the row object."""

_COLUMNS: dict[str, tuple[_Column, ...]] = {
    "facts": (
        *((name, _LABEL, itemgetter(name)) for name in ("system", "kind", "bundle", "server")),
        ("name", _TEXT, itemgetter("name")),
        ("file", _LABEL, itemgetter("file")),
        ("line", _NUMBER, itemgetter("line")),
        ("column", _NUMBER, itemgetter("column")),
        ("payload", _TEXT, itemgetter("payload")),
    ),
    "servers": (
        *_own(_TEXT, "name"),
        ("runs", _LABEL, attrgetter("system")),
        *_own(_FLAG, "loaded", "open_ended"),
        *_own(_TEXT, "incomplete"),
        *_SOURCE,
    ),
    "points": (
        *_own(_TEXT, "key"),
        *_own(_LABEL, "kind"),
        *_own(_NUMBER, "server", "previous", "target", "link"),
        *_own(_LABEL, "zone", "zone_type"),
        *_own(_NUMBER, "cost"),
        *_own(_NUMBERS, "guards"),
        *_own(_LABEL, "rule"),
        ("confidence", _LABEL, attrgetter("confidence.value")),
        *_own(_LABEL, "configured_by"),
        *_SOURCE,
        *_own(_LABEL, "state"),
    ),
    "guards": (
        *_own(_TEXT, "id"),
        *_own(_LABEL, "kind"),
        *_own(_TEXT, "text", "payload"),
        *_SOURCE,
    ),
    "links": (
        *_own(_NUMBER, "a", "b"),
        *_own(_LABEL, "zone", "zone_type"),
        ("cost", _NUMBER, lambda link: _NO_COST if link.cost is None else link.cost),
        *_own(_LABEL, "role", "configured_by", "rule"),
        ("confidence", _LABEL, attrgetter("confidence.value")),
        *_own(_NUMBERS, "guards"),
        *_SOURCE,
        *_own(_FLAG, "carries", "one_way"),
        *_own(_TEXT, "name"),
    ),
    "forwards": (
        *_own(_TEXT, "key"),
        *_own(_NUMBER, "start", "end"),
        *_own(_NUMBERS, "guards"),
        *_own(_LABEL, "rule"),
        ("confidence", _LABEL, attrgetter("confidence.value")),
        *_own(_FLAG, "hop"),
        *_own(_NUMBER, "cost"),
        *_own(_LABEL, "branch", "steps"),
        *_SOURCE,
    ),
    "interests": (*_own(_LABEL, "server", "name", "via"), *_own(_NUMBER, "hops")),
    "findings": (
        *_own(_LABEL, "kind"),
        ("severity", _LABEL, attrgetter("severity.value")),
        *_own(_LABEL, "rule"),
        *_own(_TEXT, "message", "excerpt"),
        *_own(_LABEL, "server"),
        *_SOURCE,
    ),
    "sources": (
        *_own(_TEXT, "path"),
        *_own(_LABEL, "status", "role", "system", "server"),
        *_own(_NUMBER, "read", "ignored", "unsupported"),
        *_own(_TEXT, "note"),
    ),
}

TABLES: tuple[str, ...] = tuple(_COLUMNS)
"""The names of all tables of a snapshot."""

SORTED_BY: dict[str, tuple[str, ...]] = {
    "facts": ("bundle", "file", "line", "column", "system", "kind", "name", "payload"),
    "servers": ("n",),
    "points": ("n",),
    "guards": ("n",),
    "links": ("n",),
    "forwards": ("n",),
    "interests": ("server", "name", "via", "hops"),
    "findings": (
        "file",
        "line",
        "column",
        "kind",
        "severity",
        "rule",
        "server",
        "message",
        "excerpt",
    ),
    "sources": (
        "path",
        "status",
        "role",
        "system",
        "server",
        "read",
        "ignored",
        "unsupported",
        "note",
    ),
}
"""The order of a table's rows within one network (and system): total, so that equal rows make
equal tables.
"""


@cache
def schema(name: str) -> pa.Schema:
    """The Arrow schema of a table. Raises KeyError for an unknown name."""
    types = {"network": _LABEL, "system": _LABEL, "n": _NUMBER}
    keys = [pa.field(key, types[key], nullable=False) for key in _KEYS[name]]
    return pa.schema(
        keys + [pa.field(column, type_, nullable=False) for column, type_, _ in _COLUMNS[name]]
    )


def empty(name: str) -> pa.Table:
    """The table without rows. (``Schema.empty_table`` would import pandas.)"""
    fields = schema(name)
    return pa.Table.from_arrays([column((), field.type) for field in fields], schema=fields)


def to_arrow(
    name: str,
    rows: Iterable[Any] | PlainForwards,
    *,
    network: str,
    system: str = "",
    first: int = 0,
) -> pa.Table:
    """The rows of a table as Arrow, in the order given.

    Takes Fact, Server, Point, Guard, Link, Forward, Interest, Finding or FileReport, according to
    ``name``, of points and forwards also their columns; ``system`` counts for the graph tables and
    interests only, ``first`` is the number of the first row. Linear in the rows.
    """
    fields = schema(name)
    if isinstance(rows, PointColumns):
        columns = _point_arrays(rows)
    elif isinstance(rows, PlainForwards):
        columns = _forward_arrays(rows)
    else:
        items = _encoded(rows) if name == "facts" else list(rows)
        columns = {
            name_: column([get(item) for item in items], type_)
            for name_, type_, get in _COLUMNS[name]
        }
    count = len(next(iter(columns.values())))
    for key in _KEYS[name]:
        columns[key] = (
            integers(np.arange(first, first + count, dtype=np.int32))
            if key == "n"
            else labels(np.zeros(count, np.int32), [network if key == "network" else system])
        )
    return pa.table([columns[field.name] for field in fields], schema=fields)


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of one table of one network; of one system and one kind too where those are set."""

    name: str
    rows: pa.Table
    system: str = ""
    kind: str = ""


def tables_of(data: NetworkData, network: str) -> Iterator[TablePart]:
    """All tables of a network in memory, their rows in the order they have there. Linear.

    Forwards only of a graph whose rules do not give them, and no implied interests, which only a
    database wants."""
    facts: dict[tuple[str, str], list[Fact]] = {}
    for fact in data.facts:
        facts.setdefault((fact.system, fact.kind), []).append(fact)
    for (system, kind), own in sorted(facts.items(), key=itemgetter(0)):
        yield TablePart("facts", to_arrow("facts", own, network=network), system, kind)
    for tables in data.tables:
        for name in (
            "servers",
            "points",
            "guards",
            "links",
            *(["forwards"] if tables.system == STEPPING else []),
        ):
            rows = to_arrow(name, getattr(tables, name), network=network, system=tables.system)
            yield TablePart(name, rows, tables.system)
    for name, records in (("findings", data.findings), ("sources", data.files)):
        yield TablePart(name, to_arrow(name, records, network=network))


def from_arrow(name: str, table: pa.Table) -> Sequence[Any]:
    """The rows of a table that ``to_arrow`` (or a file of a snapshot) holds, in its order;
    points come as ``PointColumns``.
    """
    return _READERS[name](table)


def facts_chosen(
    table: pa.Table, server: Servers = "", names: Collection[str] | None = None
) -> list[Fact]:
    """The facts of a table that are of one server (or of some, or of all if empty) and have one
    of these names (any if None), in its order. Columns of texts should come as dictionaries
    (``read_dictionary``), else they are encoded first. Decodes no other facts; a pass over the
    columns asked about. (``filter`` would import ``pyarrow.compute``, and that pandas.)"""
    from topograph.facts.rows import decode

    chosen = np.ones(len(table), np.bool_)
    if server:
        chosen &= _holds(table.column("server"), (server,) if isinstance(server, str) else server)
    if names is not None:
        chosen &= _holds(table.column("name"), names)
    rows = np.flatnonzero(chosen)
    columns = {
        field.name: _taken(table.column(field.name), rows)
        for field in table.schema
        if field.name != "network"
    }
    return [
        decode(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)
    ]


def _holds(column: pa.ChunkedArray, among: Collection[str]) -> NDArray[np.bool_]:
    """For each row of a column whether it holds one of some texts."""
    labels = _labels(column)
    return np.fromiter((value in among for value in labels.values), np.bool_, len(labels.values))[
        labels.codes
    ]


def fact_names(table: pa.Table) -> FactNames:
    """The names and bundles of facts; of the table only the columns ``name``, ``bundle`` and
    ``server`` are looked at.
    """
    labels, bundles, servers = (
        _labels(table.column(name)) for name in ("name", "bundle", "server")
    )
    counts = np.bincount(labels.codes, minlength=len(labels.values)).tolist()
    width = max(1, len(servers.values))
    pairs = np.unique(bundles.codes.astype(np.int64) * width + servers.codes).tolist()
    return FactNames(
        {value: count for value, count in zip(labels.values, counts, strict=True) if count},
        frozenset((bundles.values[pair // width], servers.values[pair % width]) for pair in pairs),
    )


def _taken(column: pa.ChunkedArray, rows: NDArray[np.int64]) -> list[Any]:
    """Some values of a column as Python values. (``take`` would import ``pyarrow.compute``,
    which takes longer than a question.)
    """
    if not pa.types.is_dictionary(column.type) and not pa.types.is_string(column.type):
        values: list[Any] = _ints_of(column)[rows].tolist()
        return values
    array = _encoded_texts(column)
    codes = _numbers(array.indices)[rows].tolist()
    texts = {code: array.dictionary[code].as_py() for code in set(codes)}
    return [texts[code] for code in codes]


def in_order(name: str, table: pa.Table) -> pa.Table:
    """The table in its own order (``SORTED_BY``). Texts are compared by code point."""
    import pyarrow.compute as pc

    plain = {column: _plain(table.column(column)) for column in SORTED_BY[name]}
    order = pc.sort_indices(pa.table(plain), [(column, "ascending") for column in plain])
    return table.take(order)


def _encoded(facts: Iterable[Fact]) -> list[dict[str, Any]]:
    from topograph.facts.rows import encode

    return [encode(fact) for fact in facts]


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(_TEXT) if pa.types.is_dictionary(column.type) else column


def _list(table: pa.Table, column: str) -> list[Any]:
    """A column as Python values; texts of a dictionary column are shared objects."""
    values = table.column(column)
    if pa.types.is_dictionary(values.type):
        labels = _labels(values)
        return list(map(labels.values.__getitem__, labels.codes.tolist()))
    listed: list[Any] = values.to_pylist()
    return listed


def _sources(table: pa.Table) -> Iterable[Source]:
    return map(Source, _list(table, "file"), _list(table, "line"), _list(table, "column"))


def _labels(values: pa.ChunkedArray) -> Labels:
    """A dictionary (or text) column as codes and values."""
    array = _encoded_texts(values)
    return Labels(_numbers(array.indices), tuple(array.dictionary.to_pylist()))


def _encoded_texts(values: pa.ChunkedArray) -> pa.DictionaryArray:
    """A dictionary (or text) column as one array with one dictionary."""
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    if not values.num_chunks:
        return column((), _LABEL)
    if values.num_chunks == 1:
        return values.chunk(0)
    array = values.unify_dictionaries().combine_chunks()
    return array.chunk(0) if isinstance(array, pa.ChunkedArray) else array


def _ints(table: pa.Table, column: str) -> Ints:
    return _ints_of(table.column(column))


def _ints_of(column: pa.ChunkedArray) -> Ints:
    chunks = [_numbers(chunk) for chunk in column.chunks]
    return chunks[0] if len(chunks) == 1 else np.concatenate([np.zeros(0, np.int32), *chunks])


def _numbers(array: pa.Array) -> Ints:
    """The values of an int32 array without nulls, not copied. (``to_numpy`` would import pandas,
    which takes longer than a question.)
    """
    buffer = array.buffers()[1]
    if buffer is None:
        return np.zeros(0, np.int32)
    return np.frombuffer(buffer, np.int32)[array.offset : array.offset + len(array)]


class _Texts(Sequence[str]):
    """A text column read one row at a time."""

    def __init__(self, values: pa.ChunkedArray) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        found = self._values[index]
        return found.to_pylist() if isinstance(index, slice) else found.as_py()


def _points(table: pa.Table) -> PointColumns:
    chunks = table.column("guards").chunks
    guards = pa.concat_arrays(chunks) if chunks else column((), _NUMBERS)
    guard_starts = _numbers(guards.offsets).astype(np.int64)
    return PointColumns(
        key=_Texts(table.column("key")),
        kind=_labels(table.column("kind")),
        server=_ints(table, "server"),
        previous=_ints(table, "previous"),
        target=_ints(table, "target"),
        link=_ints(table, "link"),
        zone=_labels(table.column("zone")),
        zone_type=_labels(table.column("zone_type")),
        cost=_ints(table, "cost"),
        guard_starts=guard_starts,
        guard_values=_numbers(guards.values),
        rule=_labels(table.column("rule")),
        confidence=_labels(table.column("confidence")),
        configured_by=_labels(table.column("configured_by")),
        file=_labels(table.column("file")),
        line=_ints(table, "line"),
        column=_ints(table, "column"),
        state=_labels(table.column("state")),
    )


def _point_arrays(points: PointColumns) -> dict[str, pa.Array]:
    """The columns of points as Arrow arrays, without a Point being built."""

    def array(name: str, type_: pa.DataType) -> pa.Array:
        values = getattr(points, name)
        if isinstance(values, Labels):
            return labels(values.codes, values.values)
        return column(list(values), type_) if type_ == _TEXT else integers(values)

    guards = lists(points.guard_starts.astype(np.int32), points.guard_values)
    return {
        name: guards if name == "guards" else array(name, type_)
        for name, type_, _ in _COLUMNS["points"]
    }


def _forward_arrays(forwards: PlainForwards) -> dict[str, pa.Array]:
    """The columns of forwards as Arrow arrays, without a Forward being built: each is described
    by the point that it enters (``ForwardingGraph.forwards``).
    """
    points, ends = forwards.points, forwards.end
    count = len(forwards)

    def entered(known: Labels) -> pa.Array:
        used, codes = np.unique(known.codes[ends], return_inverse=True)
        return labels(codes.astype(np.int32), [known.values[code] for code in used.tolist()])

    keys = points.key
    texts = [
        f"{keys[start]}>{keys[end]}"
        for start, end in zip(forwards.start.tolist(), ends.tolist(), strict=True)
    ]
    sizes = np.diff(points.guard_starts)[ends]
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    places = np.arange(starts[-1]) + np.repeat(points.guard_starts[ends] - starts[:-1], sizes)
    same = np.zeros(count, np.int32)
    return {
        "key": column(texts, _TEXT),
        "start": integers(forwards.start),
        "end": integers(ends),
        "guards": lists(starts.astype(np.int32), points.guard_values[places]),
        "rule": entered(points.rule),
        "confidence": entered(points.confidence),
        "hop": column([True] * count, _FLAG),
        "cost": integers(points.cost[ends]),
        "branch": labels(same, ["copy"]),
        "steps": labels(same, [""]),
        "file": entered(points.file),
        "line": integers(points.line[ends]),
        "column": integers(points.column[ends]),
    }


def _facts(table: pa.Table) -> list[Fact]:
    from topograph.facts.rows import decoded

    names = [field.name for field in table.schema if field.name not in ("network", "name")]
    return decoded({name: _list(table, name) for name in names})


def _servers(table: pa.Table) -> list[Server]:
    systems = _list(table, "runs")
    columns = (_list(table, name) for name in ("name", "loaded", "incomplete", "open_ended"))
    return [
        Server(name, system, loaded, source, incomplete, open_ended)
        for system, source, name, loaded, incomplete, open_ended in zip(
            systems, _sources(table), *columns, strict=True
        )
    ]


def _guards(table: pa.Table) -> list[Guard]:
    columns = (_list(table, name) for name in ("id", "kind", "text", "payload"))
    return list(map(Guard, *columns, _sources(table)))


def _links(table: pa.Table) -> list[Link]:
    names = (
        "a",
        "b",
        "zone",
        "zone_type",
        "cost",
        "role",
        "configured_by",
        "rule",
        "confidence",
        "guards",
    )
    columns = (_list(table, name) for name in names)
    rows = zip(
        *columns,
        _sources(table),
        *(_list(table, one) for one in ("carries", "one_way", "name")),
        strict=True,
    )
    return [
        Link(
            a,
            b,
            zone,
            kind,
            None if cost == _NO_COST else cost,
            role,
            by,
            rule,
            Confidence(sure),
            tuple(guards),
            *rest,
        )
        for a, b, zone, kind, cost, role, by, rule, sure, guards, *rest in rows
    ]


def _forwards(table: pa.Table) -> ForwardRows:
    names = (
        "key",
        "start",
        "end",
        "guards",
        "rule",
        "confidence",
        "file",
        "line",
        "column",
        "hop",
        "cost",
        "branch",
        "steps",
    )
    columns: list[list[Any]] = []

    def forward(row: int) -> Forward:
        columns.extend(() if columns else (_list(table, name) for name in names))
        key, start, end, guards, rule, confidence, file, line, column, *rest = (
            values[row] for values in columns
        )
        source = Source(file, line, column)
        return Forward(key, start, end, tuple(guards), rule, Confidence(confidence), source, *rest)

    return ForwardRows(_ints(table, "start"), _ints(table, "end"), forward)


def _interests(table: pa.Table) -> list[Interest]:
    return list(map(Interest, *(_list(table, name) for name in ("server", "name", "via", "hops"))))


def _findings(table: pa.Table) -> list[Finding]:
    return [
        Finding(kind, Severity(severity), message, source, rule, excerpt, server)
        for source, kind, severity, message, rule, excerpt, server in zip(
            _sources(table),
            *(
                _list(table, name)
                for name in ("kind", "severity", "message", "rule", "excerpt", "server")
            ),
            strict=True,
        )
    ]


def _reports(table: pa.Table) -> list[FileReport]:
    from topograph.files import FileReport

    names = ("path", "status", "role", "system", "server", "read", "ignored", "unsupported", "note")
    return list(map(FileReport, *(_list(table, name) for name in names)))


_READERS: dict[str, Callable[[pa.Table], Sequence[Any]]] = {
    "facts": _facts,
    "servers": _servers,
    "points": _points,
    "guards": _guards,
    "links": _links,
    "forwards": _forwards,
    "interests": _interests,
    "findings": _findings,
    "sources": _reports,
}
