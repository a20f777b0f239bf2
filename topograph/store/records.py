"""The tables of a snapshot as columns of numpy and Python values: which they are, rows to columns,
and columns back to rows.

``TABLES`` names them. Every table has a ``network`` column; the graph tables also have ``system``
and ``n``, the running number by which points, servers and guards refer to each other (within one
network and system, from 0). ``Table`` is what rows are read from, wherever the columns are kept: in
the cache of readings (``store.entries``), or in Arrow (``store.tables``) for snapshots, Spark and a
database. Nothing here needs pyarrow: a question on a folder does without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from itertools import chain
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from topograph.facts.names import FactNames
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.graph import STEPPING, Forward, Guard, Link
from topograph.forwarding.lazy_rows import Described, DescribedForwards, ForwardRows
from topograph.forwarding.points import Ints, Labels, LatePoints, PlainForwards, PointColumns
from topograph.forwarding.servers import ServerColumns
from topograph.outcomes import Confidence
from topograph.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topograph.facts import Fact
    from topograph.facts.fact import Servers
    from topograph.files import FileReport
    from topograph.forwarding.texts import Texts
    from topograph.store.snapshot import NetworkData


class Kind(Enum):
    """What a column holds; no column has nulls."""

    TEXT = "text"
    LABEL = "label"
    """Texts that repeat: each is kept once."""
    NUMBER = "number"
    """32-bit integers."""
    NUMBERS = "numbers"
    """Lists of 32-bit integers."""
    FLAG = "flag"


class Lists:
    """A column of lists of numbers in compressed rows: row i holds ``values[starts[i]:starts[i +
    1]]``."""

    __slots__ = ("starts", "values")

    def __init__(self, starts: NDArray[Any], values: Ints) -> None:
        self.starts = starts
        self.values = values

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Lists:
        """The column of some lists. Linear."""
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=starts[1:])
        return cls(starts, np.fromiter(chain.from_iterable(rows), np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1


Column = Sequence[str] | Labels | Ints | Lists | Sequence[bool]
"""The values of one column: texts, labels, numbers, lists of numbers, or flags."""


class Table(Protocol):
    """Rows of one table, read column by column. Each function is linear in the rows."""

    def __len__(self) -> int: ...

    def listed(self, name: str) -> list[Any]:
        """A column as Python values."""
        ...

    def texts(self, name: str) -> Texts:
        """A column of texts, each decoded when it is asked for."""
        ...

    def labels(self, name: str) -> Labels:
        """A column of texts or labels as codes and values."""
        ...

    def flags(self, name: str) -> NDArray[np.bool_]:
        """A column of flags."""
        ...

    def numbers(self, name: str) -> Ints:
        """A column of numbers."""
        ...

    def lists(self, name: str) -> Lists:
        """A column of lists of numbers."""
        ...

    def chosen(self, name: str, rows: NDArray[np.int64]) -> list[Any]:
        """Some values of a column of texts, labels or numbers, in the order of ``rows``."""
        ...


@record
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

_Described = tuple[str, Kind, Callable[[Any], Any]]
"""A column: its name, what it holds, and how it is taken from a row."""

_SOURCE: tuple[_Described, ...] = (
    ("file", Kind.LABEL, attrgetter("source.file")),
    ("line", Kind.NUMBER, attrgetter("source.line")),
    ("column", Kind.NUMBER, attrgetter("source.column")),
)


def _own(kind: Kind, *names: str) -> tuple[_Described, ...]:
    """Columns that are attributes of the row under the same name."""
    return tuple((name, kind, attrgetter(name)) for name in names)


KEYS: dict[str, tuple[str, ...]] = {
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

COLUMNS: dict[str, tuple[_Described, ...]] = {
    "facts": (
        *((name, Kind.LABEL, itemgetter(name)) for name in ("system", "kind", "bundle", "server")),
        ("name", Kind.TEXT, itemgetter("name")),
        ("file", Kind.LABEL, itemgetter("file")),
        ("line", Kind.NUMBER, itemgetter("line")),
        ("column", Kind.NUMBER, itemgetter("column")),
        ("payload", Kind.TEXT, itemgetter("payload")),
    ),
    "servers": (
        *_own(Kind.TEXT, "name"),
        ("runs", Kind.LABEL, attrgetter("system")),
        *_own(Kind.FLAG, "loaded", "open_ended"),
        *_own(Kind.TEXT, "incomplete"),
        *_SOURCE,
    ),
    "points": (
        *_own(Kind.TEXT, "key"),
        *_own(Kind.LABEL, "kind"),
        *_own(Kind.NUMBER, "server", "previous", "target", "link"),
        *_own(Kind.LABEL, "zone", "zone_type"),
        *_own(Kind.NUMBER, "cost"),
        *_own(Kind.NUMBERS, "guards"),
        *_own(Kind.LABEL, "rule"),
        ("confidence", Kind.LABEL, attrgetter("confidence.value")),
        *_own(Kind.LABEL, "configured_by"),
        *_SOURCE,
        *_own(Kind.LABEL, "state"),
    ),
    "guards": (
        *_own(Kind.TEXT, "id"),
        *_own(Kind.LABEL, "kind"),
        *_own(Kind.TEXT, "text", "payload"),
        *_SOURCE,
    ),
    "links": (
        *_own(Kind.NUMBER, "a", "b"),
        *_own(Kind.LABEL, "zone", "zone_type"),
        ("cost", Kind.NUMBER, lambda link: _NO_COST if link.cost is None else link.cost),
        *_own(Kind.LABEL, "role", "configured_by", "rule"),
        ("confidence", Kind.LABEL, attrgetter("confidence.value")),
        *_own(Kind.NUMBERS, "guards"),
        *_SOURCE,
        *_own(Kind.FLAG, "carries", "one_way"),
        *_own(Kind.TEXT, "name"),
    ),
    "forwards": (
        *_own(Kind.TEXT, "key"),
        *_own(Kind.NUMBER, "start", "end"),
        *_own(Kind.NUMBERS, "guards"),
        *_own(Kind.LABEL, "rule"),
        ("confidence", Kind.LABEL, attrgetter("confidence.value")),
        *_own(Kind.FLAG, "hop"),
        *_own(Kind.NUMBER, "cost"),
        *_own(Kind.LABEL, "branch", "steps"),
        *_SOURCE,
    ),
    "interests": (*_own(Kind.LABEL, "server", "name", "via"), *_own(Kind.NUMBER, "hops")),
    "findings": (
        *_own(Kind.LABEL, "kind"),
        ("severity", Kind.LABEL, attrgetter("severity.value")),
        *_own(Kind.LABEL, "rule"),
        *_own(Kind.TEXT, "message", "excerpt"),
        *_own(Kind.LABEL, "server"),
        *_SOURCE,
    ),
    "sources": (
        *_own(Kind.TEXT, "path"),
        *_own(Kind.LABEL, "status", "role", "system", "server"),
        *_own(Kind.NUMBER, "read", "ignored", "unsupported"),
        *_own(Kind.TEXT, "note"),
    ),
}

TABLES: tuple[str, ...] = tuple(COLUMNS)
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


def columns_of(name: str, rows: Iterable[Any] | PlainForwards) -> dict[str, tuple[Kind, Column]]:
    """The rows of a table as columns, in the order given; without those of ``KEYS``.

    Takes Fact, Server, Point, Guard, Link, Forward, Interest, Finding or FileReport, according to
    ``name``, of points and forwards also their columns. Linear in the rows."""
    kinds = {column: kind for column, kind, _ in COLUMNS[name]}
    made: Mapping[str, Column]
    if isinstance(rows, PointColumns):
        made = _point_columns(rows)
    elif isinstance(rows, PlainForwards):
        made = _forward_columns(rows)
    elif isinstance(rows, DescribedForwards):
        made = _described_columns(rows)
    else:
        made = {
            column: _column(kinds[column], values) for column, values in _listed(name, rows).items()
        }
    return {column: (kind, made[column]) for column, kind in kinds.items()}


def _column(kind: Kind, values: list[Any]) -> Column:
    if kind is Kind.LABEL:
        return Labels.of(values, len(values))
    if kind is Kind.NUMBER:
        return np.fromiter(values, np.int32, len(values))
    if kind is Kind.NUMBERS:
        return Lists.of(values)
    return values


@record
class TablePart:
    """Rows of one table of one network; of one system and one kind too where those are set."""

    name: str
    rows: Iterable[Any] | PlainForwards
    system: str = ""
    kind: str = ""


def parts_of(data: NetworkData) -> Iterator[TablePart]:
    """All tables of a network in memory, their rows in the order they have there. Linear.

    Forwards only of a graph whose rules do not give them, and no implied interests, which only a
    database wants."""
    facts: dict[tuple[str, str], list[Fact]] = {}
    for fact in data.facts:
        facts.setdefault((fact.system, fact.kind), []).append(fact)
    for (system, kind), own in sorted(facts.items(), key=itemgetter(0)):
        yield TablePart("facts", own, system, kind)
    for tables in data.tables:
        for name in (
            "servers",
            "points",
            "guards",
            "links",
            *(["forwards"] if tables.system == STEPPING else []),
        ):
            yield TablePart(name, getattr(tables, name), tables.system)
    yield TablePart("findings", data.findings)
    yield TablePart("sources", data.files)


def rows_of(name: str, table: Table) -> Sequence[Any]:
    """The rows of a table, in its order; points come as ``PointColumns``."""
    return _READERS[name](table)


def facts_chosen(
    table: Table, server: Servers = "", names: Container[str] | None = None
) -> list[Fact]:
    """The facts of a table that are of one server (or of some, or of all if empty) and have one
    of these names (any if None), in its order. Columns of texts should come as dictionaries
    (``read_dictionary``), else they are encoded first. Decodes no other facts; a pass over the
    columns asked about. (``filter`` would import ``pyarrow.compute``, and that pandas.)"""
    from topograph.facts.rows import decode

    if server:
        rows = _holding(table.labels("server"), (server,) if isinstance(server, str) else server)
    elif isinstance(names, Collection):
        rows, names = _holding(table.labels("name"), names), None
    else:
        rows = np.arange(len(table))
    if names is not None and len(rows):
        rows = _having(table.labels("name"), rows, names)
    columns = {column: table.chosen(column, rows) for column, _, _ in COLUMNS["facts"]}
    return [
        decode(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)
    ]


def _holding(labels: Labels, among: Collection[str]) -> NDArray[np.int64]:
    """The rows of a column that hold one of some texts."""
    if len(among) == 1:
        (text,) = among
        code = labels.values.index(text) if text in labels.values else -1
        return np.flatnonzero(np.equal(labels.codes, code))
    wanted = np.fromiter((value in among for value in labels.values), np.bool_, len(labels.values))
    return np.flatnonzero(wanted[labels.codes])


def _having(labels: Labels, rows: NDArray[np.int64], among: Container[str]) -> NDArray[np.int64]:
    """Those of some rows whose text is one of ``among``, which is asked about each text once."""
    codes, values = labels.codes[rows], labels.values
    wanted = np.zeros(len(values), np.bool_)
    for code in np.flatnonzero(np.bincount(codes)).tolist():  # np.unique loads numpy.ma
        wanted[code] = values[code] in among
    return rows[wanted[codes]]


def fact_names(tables: Iterable[Table]) -> FactNames:
    """The names and bundles of the facts of some tables, of which only the columns ``name``,
    ``bundle`` and ``server`` are looked at.
    """
    count: Counter[str] = Counter()
    bundles: set[tuple[str, str]] = set()
    for table in tables:
        own = _names_of(table)
        count.update(own.count)
        bundles |= own.bundles
    return FactNames(dict(count), frozenset(bundles))


def _names_of(table: Table) -> FactNames:
    labels, bundles, servers = (table.labels(name) for name in ("name", "bundle", "server"))
    counts = np.bincount(labels.codes, minlength=len(labels.values)).tolist()
    width = max(1, len(servers.values))
    pairs = np.unique(bundles.codes.astype(np.int64) * width + servers.codes).tolist()
    return FactNames(
        {value: count for value, count in zip(labels.values, counts, strict=True) if count},
        frozenset((bundles.values[pair // width], servers.values[pair % width]) for pair in pairs),
    )


def _listed(name: str, rows: Iterable[Any]) -> Mapping[str, list[Any]]:
    """The rows of a table as columns of Python values."""
    items = list(rows)
    if name == "facts":
        from topograph.facts.rows import encoded

        return encoded(items)
    return {column: list(map(get, items)) for column, _, get in COLUMNS[name]}


def _sources(table: Table) -> Iterable[Source]:
    return map(Source, table.listed("file"), table.listed("line"), table.listed("column"))


def _points(table: Table) -> LatePoints:
    guards = cache(partial(table.lists, "guards"))
    read: dict[Kind, Callable[[str], Any]] = {
        Kind.TEXT: table.texts,
        Kind.LABEL: table.labels,
        Kind.NUMBER: table.numbers,
    }
    late: dict[str, Callable[[], Any]] = {
        name: partial(read[kind], name)
        for name, kind, _ in COLUMNS["points"]
        if kind is not Kind.NUMBERS
    }
    late["guard_starts"] = lambda: guards().starts
    late["guard_values"] = lambda: guards().values
    return LatePoints.reading(late)


def _point_columns(points: PointColumns) -> dict[str, Column]:
    """The columns of points, without a Point being built."""
    guards = Lists(points.guard_starts, points.guard_values)
    return {
        name: guards if kind is Kind.NUMBERS else getattr(points, name)
        for name, kind, _ in COLUMNS["points"]
    }


def _forward_columns(forwards: PlainForwards) -> dict[str, Column]:
    """The columns of forwards without a Forward being built: each is described
    by the point that it enters (``ForwardingGraph.forwards``).
    """
    points, ends = forwards.points, forwards.end
    count = len(forwards)

    def entered(known: Labels) -> Labels:
        used, codes = np.unique(known.codes[ends], return_inverse=True)
        return Labels(codes.astype(np.int32), tuple(known.values[code] for code in used.tolist()))

    same = np.zeros(count, np.int32)
    return {
        **_between_points(points, forwards.start, ends),
        "rule": entered(points.rule),
        "confidence": entered(points.confidence),
        "hop": [True] * count,
        "cost": points.cost[ends],
        "branch": Labels(same, ("copy",)),
        "steps": Labels(same, ("",)),
        "file": entered(points.file),
        "line": points.line[ends],
        "column": points.column[ends],
    }


def _between_points(points: PointColumns, start: Ints, end: Ints) -> dict[str, Column]:
    """The columns of forwards that follow from the points at their ends."""
    keys = points.key
    sizes = np.diff(points.guard_starts)[end]
    starts = np.zeros(len(end) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    places = np.arange(starts[-1]) + np.repeat(points.guard_starts[end] - starts[:-1], sizes)
    return {
        "key": [
            f"{keys[one]}>{keys[other]}"
            for one, other in zip(start.tolist(), end.tolist(), strict=True)
        ],
        "start": start,
        "end": end,
        "guards": Lists(starts, points.guard_values[places]),
    }


def _described_columns(forwards: DescribedForwards) -> dict[str, Column]:
    """The columns of forwards without a Forward being built, out of their descriptions."""
    described, rows = forwards.described, [*zip(*forwards.descriptions, strict=True)]
    rules, sure, sources, costs, branches, steps = rows or [()] * len(Described._fields)
    count = len(rules)

    def labels(texts: Iterable[str]) -> Labels:
        """In the order in which the forwards have them."""
        known = Labels.of(texts, count)
        codes = known.codes[described]
        used = list(dict.fromkeys(codes.tolist()))
        place = np.zeros(len(known.values), np.int32)
        place[used] = np.arange(len(used), dtype=np.int32)
        return Labels(place[codes], tuple(map(known.values.__getitem__, used)))

    def numbers(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int32, count)[described]

    return {
        **_between_points(forwards.points, forwards.start, forwards.end),
        "rule": labels(rules),
        "confidence": labels(one.value for one in sure),
        "hop": [True] * len(forwards),
        "cost": numbers(costs),
        "branch": labels(branches),
        "steps": labels(steps),
        "file": labels(one.file for one in sources),
        "line": numbers(one.line for one in sources),
        "column": numbers(one.column for one in sources),
    }


def _facts(table: Table) -> list[Fact]:
    from topograph.facts.rows import decoded

    names = [column for column, _, _ in COLUMNS["facts"] if column != "name"]
    return decoded({name: table.listed(name) for name in names})


def _servers(table: Table) -> ServerColumns:
    def places() -> tuple[Labels, Ints, Ints]:
        return table.labels("file"), table.numbers("line"), table.numbers("column")

    flags = table.flags("loaded"), table.flags("open_ended")
    incomplete = partial(table.texts, "incomplete")
    return ServerColumns(table.texts("name"), table.labels("runs"), flags, incomplete, places)


def _guards(table: Table) -> list[Guard]:
    columns = (table.listed(name) for name in ("id", "kind", "text", "payload"))
    return list(map(Guard, *columns, _sources(table)))


def _links(table: Table) -> list[Link]:
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
    columns = (table.listed(name) for name in names)
    rows = zip(
        *columns,
        _sources(table),
        *(table.listed(one) for one in ("carries", "one_way", "name")),
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


def _forwards(table: Table) -> ForwardRows:
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
        columns.extend(() if columns else (table.listed(name) for name in names))
        key, start, end, guards, rule, confidence, file, line, column, *rest = (
            values[row] for values in columns
        )
        source = Source(file, line, column)
        return Forward(key, start, end, tuple(guards), rule, Confidence(confidence), source, *rest)

    return ForwardRows(table.numbers("start"), table.numbers("end"), forward)


def _interests(table: Table) -> list[Interest]:
    return list(map(Interest, *(table.listed(name) for name in ("server", "name", "via", "hops"))))


def _findings(table: Table) -> list[Finding]:
    return [
        Finding(kind, Severity(severity), message, source, rule, excerpt, server)
        for source, kind, severity, message, rule, excerpt, server in zip(
            _sources(table),
            *(
                table.listed(name)
                for name in ("kind", "severity", "message", "rule", "excerpt", "server")
            ),
            strict=True,
        )
    ]


def _reports(table: Table) -> list[FileReport]:
    from topograph.files import FileReport

    names = ("path", "status", "role", "system", "server", "read", "ignored", "unsupported", "note")
    return list(map(FileReport, *(table.listed(name) for name in names)))


_READERS: dict[str, Callable[[Table], Sequence[Any]]] = {
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
