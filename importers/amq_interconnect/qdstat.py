"""Output of ``qdstat`` and ``skstat`` (amq_interconnect.md 3.5): text tables and ``--csv``, to the
entities that a management query has.

A table is a title alone on its line, a header row and the rows: in text form below a line of ``=``,
each cell where its column's header begins; with ``--csv`` every cell in double quotes, an empty one
without, separated by commas. Both forms print the title, the time and the router's id plainly, and
of a table without rows only the title. Which columns a table has differs from version to version
and with ``--verbose``; each is known by its header.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from topograph.credentials import without_user_info
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.amq_interconnect.dump import Dumped, run_time_entity
from topograph.importers.amq_interconnect.qdstat_tables import (
    COUNTED,
    NOT_READ,
    TABLES,
    QdstatTable,
    Row,
    Values,
    entity_name,
)
from topograph.importers.amq_interconnect.said_by import NOT_NAMED, Spoken, name_routers, place_of
from topograph.importers.amq_interconnect.secrets import excerpt
from topograph.importers.positions.places import Placing
from topograph.rules import FindingKind
from topograph.rules.amq_interconnect_findings import (
    PERHAPS_CUT,
    ROUTER_NOT_NAMED,
    SECTION_3_5,
    TABLE_NOT_READ,
    UNKNOWN_COLUMN,
    UNKNOWN_ROW,
    UNREADABLE_LINE_3_5,
    UNREADABLE_ROW,
)

_COMMAND = re.compile(r"((?:.*[\s/$#>])?)(?:qd|sk)stat((?:\s++-.*)?)\Z", re.DOTALL)
_ROUTER_OPTION = re.compile(r"\s(?:-r|--router)[ =]+(\S+)")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00)? UTC\Z")
_ROUTER_LINE = re.compile(r"Router  ?(\S+)\Z")
_RULE = re.compile(r"[ \t]*={4,}[ \t]*\Z")
_COLUMN = re.compile(r"\S+(?: \S+)*")
_TOPOLOGY = "Last Topology Change:"
_EMPTY = re.compile(
    r"(?:No (?:AutoLinks|Link Routes|Edge Router Connections|Vhosts|Vhost Stats|memory "
    r"statistics available)\b"
    r"|Router is Standalone - No Router List\Z)"
)
_OF_EMPTY = {
    "No AutoLinks": "autoLink",
    "No Link Routes": "linkRoute",
    "No Vhosts": "vhost",
    "Router is Standalone": "router.node",
}
"""The type of which there is no entity, by how a line that says so begins."""
_SELF = "(self)"
"""The next hop of a router in its own table."""
_OF_LINKS = frozenset({"router.node", "connection"})
"""The tables that show what a router is connected to."""

_DEFAULT_LIMIT = 1000
"""Rows that older versions print at most unless told otherwise, without a word."""


def is_title(line: str) -> bool:
    """Whether a line is the title of a table of qdstat."""
    return line.strip() in TABLES or _EMPTY.match(line.strip()) is not None


def _router_line(line: str) -> re.Match[str] | None:
    """``Router  X``, with which the part of a router begins; ``Router Links`` is a title."""
    return None if is_title(line) else _ROUTER_LINE.match(line)


@dataclass
class _Part(Spoken):
    """The output of one command about one router."""

    rows: list[tuple[QdstatTable, str, Values, Source]] = field(default_factory=list)
    all_routers: bool = False
    tables: list[tuple[str, Source, bool]] = field(default_factory=list)
    """Of each table the type of its entities, its place, and whether all rows are there."""


class _Reader:
    def __init__(self, text: str, placing: Placing) -> None:
        self.placing = placing
        self.lines = [line.text.rstrip() for line in lexical.lines(text)]
        self.at = 0
        self.parts = [_Part()]
        self.findings: list[Finding] = []
        self.unsupported = 0
        self.skipped: dict[str, Source] = {}
        self.unread: list[tuple[int, str]] = []
        self.gap: Source | None = None

    def source(self, number: int, column: int = 1) -> Source:
        return self.placing.at(number + 1, column)

    def note(
        self, kind: FindingKind, severity: Severity, message: str, source: Source, text: str = ""
    ) -> None:
        self.findings.append(
            kind.at(
                source,
                message,
                rule=SECTION_3_5,
                severity=severity,
                excerpt=excerpt(text) if text else "",
            )
        )

    def read(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at].strip().removeprefix("\ufeff")
            number = self.at
            self.at += 1
            if not line or line.startswith(_TOPOLOGY):
                continue
            if _EMPTY.match(line):
                self.empty(line, number)
                continue
            if command := _COMMAND.match(line):
                option = _ROUTER_OPTION.search(" " + command[2])
                place = place_of(command[1], command[2])
                self.parts.append(
                    _Part(option[1].strip("'\"") if option else "", option is not None, place)
                )
            elif _TIME.match(line):
                self.after_time()
            elif (other := _router_line(line)) and self.parts[-1].all_routers:
                self.parts.append(_Part(other[1], asked=True, all_routers=True))
            elif line in TABLES:
                self.table(TABLES[line], line, number)
            elif NOT_READ.match(line):
                self.skip(line, number)
            else:
                self.unsupported += 1
                self.unread.append((number, line))

    def empty(self, line: str, number: int) -> None:
        """A line that says that there is no entity of a type."""
        for begins, type_ in _OF_EMPTY.items():
            if line.startswith(begins):
                self.parts[-1].tables.append((type_, self.source(number), True))

    def after_time(self) -> None:
        """The router's id stands below the time; ``Router  X`` begins the part of each router of
        ``--all-routers``.
        """
        line = self.lines[self.at].strip() if self.at < len(self.lines) else ""
        if _router_line(line):
            self.parts.append(_Part(asked=True, all_routers=True))
            return
        if line and not is_title(line):
            part = self.parts[-1]
            if part.rows:
                part = _Part(place=part.place)
                self.parts.append(part)
            part.router = line
            self.at += 1

    def table(self, table: QdstatTable, title: str, number: int) -> None:
        while self.at < len(self.lines) and self.lines[self.at].startswith(_TOPOLOGY):
            self.at += 1
        head = self.lines[self.at] if self.at < len(self.lines) else ""
        if head.startswith('"'):
            columns, rows = self.csv_rows()
        elif self.at + 1 < len(self.lines) and _RULE.match(self.lines[self.at + 1]):
            columns, rows = self.text_rows()
        else:  # without rows only the title is printed
            self.parts[-1].tables.append((table.type, self.source(number), True))
            return
        self.take(table, title, number, columns, rows)

    def text_rows(self) -> tuple[list[str], list[tuple[int, Row]]]:
        """The headers, and (line number, row)."""
        columns = [
            (found.group(), found.start()) for found in _COLUMN.finditer(self.lines[self.at])
        ]
        ends = [*(begin for _, begin in columns[1:]), None][: len(columns)]
        indent = columns[0][1] if columns else 0
        rows: list[tuple[int, Row]] = []
        self.at += 2
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if (
                not line
                or not line.startswith(" " * indent)
                or _RULE.match(line)
                or (not indent and self.ends(line))
            ):
                break
            cells = {
                name: line[begin:end].strip()
                for (name, begin), end in zip(columns, ends, strict=True)
            }
            rows.append((self.at, cells))
            self.at += 1
        return [name for name, _ in columns], rows

    def ends(self, line: str) -> bool:
        return bool(
            _COMMAND.match(line) or _TIME.match(line) or is_title(line) or _router_line(line)
        )

    def csv_rows(self) -> tuple[list[str], list[tuple[int, Row]]]:
        """The headers, and (line number, row)."""
        columns: list[str] = []
        rows: list[tuple[int, Row]] = []
        while self.at < len(self.lines) and self.lines[self.at].startswith(('"', ",")):
            line, number = self.lines[self.at], self.at
            self.at += 1
            try:
                cells = [cell.strip() for cell in next(csv.reader([line], strict=True))]
            except csv.Error:
                message = "This row is not read: its quotes do not pair up"
                self.note(UNREADABLE_ROW, Severity.WARNING, message, self.source(number), line)
                self.gap = self.gap or self.source(number)
                self.unsupported += 1
                continue
            if columns:
                cells += [""] * (len(columns) - len(cells))
                rows.append((number, dict(zip(columns, cells, strict=False))))
            else:
                columns = cells
        return columns, rows

    def take(
        self,
        table: QdstatTable,
        title: str,
        number: int,
        columns: list[str],
        rows: list[tuple[int, Row]],
    ) -> None:
        if table.pairs is not None:
            self.take_pairs(table, number, rows)
            return
        if table.columns is not None and (
            unknown := [name for name in columns if name not in table.columns]
        ):
            listed, many = ", ".join(map(without_user_info, unknown)), len(unknown) > 1
            message = (
                f"{title}: the column{'s' if many else ''} {listed} "
                f"{'are' if many else 'is'} not read"
            )
            self.note(UNKNOWN_COLUMN, Severity.INFO, message, self.source(number + 1))
        taken = [(place, table.entity(row)) for place, row in rows]
        # the one row of the router table that is about the router itself
        own = [
            values["id"]
            for _, values in taken
            if table.type == "router.node" and values.get("nextHop") == _SELF
        ]
        part = self.part_of(str(own[0])) if len(own) == 1 and own[0] else self.parts[-1]
        for place, values in taken:
            indent = len(self.lines[place]) - len(self.lines[place].lstrip())
            part.rows.append((table, title, values, self.source(place, indent + 1)))
        whole = len(rows) != _DEFAULT_LIMIT
        edges_alone = table.type == "connection" and "role" not in columns
        part.tables.append((table.type, self.source(number), whole and not edges_alone))
        if not whole:
            message = (
                f"{title} has exactly {_DEFAULT_LIMIT} rows, the most that older "
                "versions of qdstat print: more may be left out "
                "(--limit 0 prints all)"
            )
            self.note(PERHAPS_CUT, Severity.WARNING, message, self.source(number))
            if table.type in _OF_LINKS:
                self.gap = self.gap or self.source(number)

    def take_pairs(self, table: QdstatTable, number: int, rows: list[tuple[int, Row]]) -> None:
        values: Values = {}
        for place, row in rows:
            name, value = row.get("attr", ""), row.get("value", "")
            attribute = (table.pairs or {}).get(name)
            if attribute:
                values[attribute] = value
            elif attribute is None and not name.endswith(COUNTED):
                self.note(
                    UNKNOWN_ROW, Severity.INFO, f"The row {name} is not read", self.source(place)
                )
        part = (
            self.part_of(str(values["id"]))
            if table.type == "router" and values.get("id")
            else self.parts[-1]
        )
        part.rows.append((table, "", values, self.source(number)))
        part.tables.append((table.type, self.source(number), True))

    def part_of(self, router: str) -> _Part:
        """The part that a table which names its router itself belongs to: the one that is being
        read, unless that is another router's.
        """
        part = self.parts[-1]
        if part.router and part.router != router:
            part = _Part(asked=part.asked, place=part.place, all_routers=part.all_routers)
            self.parts.append(part)
        part.router = router
        return part

    def skip(self, title: str, number: int) -> None:
        """A table that is not read, to the next blank line."""
        self.skipped.setdefault(title.partition(" '")[0], self.source(number))
        while (
            self.at < len(self.lines)
            and self.lines[self.at]
            and not _COMMAND.match(self.lines[self.at])
        ):
            self.at += 1

    def name_routers(self, given: str) -> None:
        """Give each part its router; what is of an unknown one is not read."""
        unknown = [
            part
            for part in name_routers(self.parts, given)
            if isinstance(part, _Part) and part.rows
        ]
        if unknown and any(part.router for part in self.parts):
            number = sum(len(part.rows) for part in unknown)
            self.unsupported += number
            self.note(ROUTER_NOT_NAMED, Severity.WARNING, NOT_NAMED, unknown[0].rows[0][3])
            for part in unknown:
                part.rows.clear()
                part.tables.clear()

    def shown(self, bundle: str) -> Iterator[Shown]:
        """How much each table shows of its router; of a text that lost something a part."""
        for part in self.parts:
            for type_, source, whole in part.tables if part.router else ():
                yield Shown(
                    bundle=bundle,
                    server=part.router,
                    source=source,
                    classes=(type_,),
                    extent="whole" if whole and self.gap is None else "condition",
                    said="a table that is not whole",
                )

    def notes(self) -> None:
        if self.skipped:
            message = (
                "Tables that say nothing of where messages go are not read: "
                f"{', '.join(self.skipped)}"
            )
            self.note(TABLE_NOT_READ, Severity.INFO, message, next(iter(self.skipped.values())))
        if self.unread:
            number, line = self.unread[0]
            more = f", nor {len(self.unread) - 1} other lines" if len(self.unread) > 1 else ""
            message = f"This line is not part of the output of qdstat, and is not read{more}"
            self.note(UNREADABLE_LINE_3_5, Severity.WARNING, message, self.source(number), line)


def read_qdstat(text: str, placing: Placing, router: str = "") -> Dumped:
    """The entities of all tables of a text. ``router`` is whose output it is where the text does
    not say. Never raises; linear.
    """
    reader = _Reader(text, placing)
    reader.read()
    reader.name_routers(router)
    reader.notes()
    entities: list[Entity] = []
    for part in reader.parts:
        for table, _, values, source in part.rows:
            name = entity_name(table.type, values)
            entities.append(
                run_time_entity(table.type, values, part.router, source, placing.file, name)
            )
    routers = tuple(dict.fromkeys(part.router for part in reader.parts if part.router))
    return Dumped(
        tuple(entities),
        tuple(reader.findings),
        routers,
        reader.unsupported,
        reader.gap,
        tuple(reader.shown(placing.file)),
    )
