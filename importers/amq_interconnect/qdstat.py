"""Output of ``qdstat`` and ``skstat`` (amq_interconnect.md 3.5): text tables and ``--csv``, to the entities that a management query has.

A table is a title alone on its line, a header row and the rows: in text form below a line of ``=``, each cell where its column's header
begins; with ``--csv`` every cell in double quotes, an empty one without, separated by commas. Both forms print the title, the time and the
router's id plainly, and of a table without rows only the title. Which columns a table has differs from version to version and with
``--verbose``; each is known by its header.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from topograph.facts import Entity
from topograph.findings import Finding, Severity, Source
from topograph.importers import lexical
from topograph.importers.amq_interconnect.dump import Dumped, run_time_entity
from topograph.importers.amq_interconnect.places import Placing
from topograph.importers.amq_interconnect.secrets import excerpt

Row = Mapping[str, str]
Values = dict[str, object]

_COMMAND = re.compile(r"(?:.*[\s/$#>])?(?:qd|sk)stat((?:\s+-.*)?)\Z")
_ROUTER_OPTION = re.compile(r"\s(?:-r|--router)[ =]+(\S+)")
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? UTC\Z")
_ROUTER_LINE = re.compile(r"Router  ?(\S+)\Z")
_RULE = re.compile(r"[ \t]*={4,}[ \t]*\Z")
_COLUMN = re.compile(r"\S+(?: \S+)*")
_TOPOLOGY = "Last Topology Change:"
_EMPTY = re.compile(
    r"(?:No (?:AutoLinks|Link Routes|Edge Router Connections|Vhosts|Vhost Stats|memory statistics available)\b"
    r"|Router is Standalone - No Router List\Z)"
)
_DEFAULT_LIMIT = 1000
"""Rows that older versions print at most unless told otherwise, without a word."""

_STATISTICS = {
    "Version": "version",
    "Mode": "mode",
    "Router Id": "id",
    "Worker Threads": "workerThreads",
    "Area": "area",
    "Link Routes": "linkRouteCount",
    "Auto Links": "autoLinkCount",
    "Links": "linkCount",
    "Nodes": "nodeCount",
    "Addresses": "addrCount",
    "Connections": "connectionCount",
    "Presettled Count": "presettledDeliveries",
    "Dropped Presettled Count": "droppedPresettledDeliveries",
    "Accepted Count": "acceptedDeliveries",
    "Rejected Count": "rejectedDeliveries",
    "Released Count": "releasedDeliveries",
    "Modified Count": "modifiedDeliveries",
    "Deliveries Delayed > 1sec": "deliveriesDelayed1Sec",
    "Deliveries Delayed > 10sec": "deliveriesDelayed10Sec",
    "Deliveries Stuck > 10sec": "deliveriesStuck",
    "Deliveries to Fallback": "deliveriesRedirectedToFallback",
    "Links Blocked": "linksBlocked",
    "Ingress Count": "deliveriesIngress",
    "Egress Count": "deliveriesEgress",
    "Transit Count": "deliveriesTransit",
    "Deliveries from Route Container": "deliveriesIngressRouteContainer",
    "Deliveries to Route Container": "deliveriesEgressRouteContainer",
    "Uptime": "",
    "VmSize": "",
}
_POLICY = {
    "Maximum Concurrent Connections": "maxConnections",
    "Maximum Message Size": "maxMessageSize",
    "Enable Vhost Policy": "enableVhostPolicy",
    "Enable Vhost Name Patterns": "enableVhostNamePatterns",
    "Policy Directory": "policyDir",
    "Default Vhost": "defaultVhost",
}
_LINK_COLUMNS = {
    "type": "linkType",
    "dir": "linkDir",
    "conn id": "connectionId",
    "id": "identity",
    "peer": "peer",
    "cap": "capacity",
    "pri": "priority",
    "undel": "undeliveredCount",
    "unsett": "unsettledCount",
    "deliv": "deliveryCount",
    "del": "deliveryCount",
    "presett": "presettledCount",
    "psdrop": "droppedPresettledCount",
    "acc": "acceptedCount",
    "rej": "rejectedCount",
    "rel": "releasedCount",
    "mod": "modifiedCount",
    "stuck": "deliveriesStuck",
    "rate": "settleRate",
    "cred": "creditAvailable",
    "admin": "adminStatus",
    "oper": "operStatus",
    "name": "linkName",
    "delay": "",
    "blkd": "",
    "class": "",
    "addr": "",
    "phs": "",
}
_ADDRESS_COLUMNS = {
    "distrib": "distribution",
    "pri": "priority",
    "in-proc": "inProcess",
    "remote": "remoteCount",
    "cntnr": "containerCount",
    "in": "deliveriesIngress",
    "out": "deliveriesEgress",
    "thru": "deliveriesTransit",
    "fallback": "deliveriesRedirectedToFallback",
    "to-proc": "deliveriesToContainer",
    "from-proc": "deliveriesFromContainer",
    "local": "",
    "class": "",
    "addr": "",
    "phs": "",
}
_CONNECTION_COLUMNS = {
    "id": "identity",
    "Id": "identity",
    "host": "host",
    "container": "container",
    "role": "role",
    "proto": "protocol",
    "dir": "dir",
    "tenant": "tenant",
    "security": "",
    "authentication": "",
    "last dlv": "",
    "uptime": "",
    "active": "",
}
_NODE_COLUMNS = {"router-id": "id", "ver": "protocolVersion", "cost": "cost", "next-hop": "", "link": ""}
_NODE_LISTS = {"neighbors": "linkState", "valid-origins": "validOrigins"}
_AUTOLINK_COLUMNS = {
    "addr": "address",
    "dir": "direction",
    "phs": "phase",
    "extAddr": "externalAddress",
    "link": "linkRef",
    "status": "operStatus",
    "lastErr": "lastError",
}
_LINK_ROUTE_COLUMNS = {
    "dir": "direction",
    "distrib": "distribution",
    "status": "operStatus",
    "add-ext-prefix": "addExternalPrefix",
    "del-ext-prefix": "delExternalPrefix",
    "address": "",
    "prefix": "",
}


def _named(row: Row, columns: Mapping[str, str]) -> Values:
    """The cells that have an attribute of their own; ``-`` and blank cells are unset."""
    return {columns[name]: cell for name, cell in row.items() if columns.get(name) and cell not in ("", "-")}


def _key(row: Row) -> str:
    """The internal key of an address from its class, text and phase; link-route patterns are told from prefixes by their wildcards (L-10)."""
    class_, text = row.get("class", ""), row.get("addr", "")
    if class_ == "mobile":
        return f"M{row.get('phs') or '0'}{text}"
    if class_ in ("link-in", "link-out"):
        pattern = any(token in ("*", "#") for token in re.split("[./]", text))
        return {"link-in": "CE", "link-out": "DF"}[class_][pattern] + text
    letter = {"router": "R", "area": "A", "local": "L", "topo": "T", "edge": "H"}.get(class_, "")
    return letter + text if letter else ""


def _link(row: Row) -> Values:
    values = _named(row, _LINK_COLUMNS)
    if key := _key(row):
        values["owningAddr"] = key
    return values


def _address(row: Row) -> Values:
    key = _key(row)
    count = "containerCount" if row.get("class") in ("link-in", "link-out") else "subscriberCount"
    local = {count: row["local"]} if row.get("local") else {}
    return {"key": key or row.get("addr", ""), **_named(row, _ADDRESS_COLUMNS), **local}


def _connection(row: Row) -> Values:
    values = _named(row, _CONNECTION_COLUMNS)
    if "security" in row:
        values["isEncrypted"] = row["security"] != "no-security"
    if "authentication" in row:
        values["isAuthenticated"] = row["authentication"] != "no-auth"
        user = re.match(r"(.*)\((\w[\w.-]*)\)\Z", row["authentication"])
        if user:
            values["user"], values["sasl"] = user[1], user[2]
    if row.get("active") in ("yes", "no"):
        values["active"] = row["active"] == "yes"
    return values


def _node(row: Row) -> Values:
    values = _named(row, _NODE_COLUMNS)
    if row.get("next-hop") not in (None, "", "-"):
        values["nextHop"] = row["next-hop"]
    if row.get("link") not in (None, "", "-", "(self)"):
        values["routerLink"] = row["link"]
    for column, attribute in _NODE_LISTS.items():
        if column in row:
            values[attribute] = [one or other for one, other in re.findall(r"u?'([^']*)'|u?\"([^\"]*)\"", row[column])]
    return values


def _link_route(row: Row) -> Values:
    text = row.get("address") or row.get("prefix") or ""
    pattern = any(token in ("*", "#") for token in re.split("[./]", text))
    return {"pattern" if pattern else "prefix": text, **_named(row, _LINK_ROUTE_COLUMNS)}


def _as_written(row: Row) -> Values:
    return {name: cell for name, cell in row.items() if cell}


@dataclass(frozen=True, slots=True)
class _Table:
    """What a table is: the type of its entities, how a row becomes one, the columns known."""

    type: str
    entity: Callable[[Row], Values]
    columns: frozenset[str] | None = None
    pairs: Mapping[str, str] | None = None
    """Set for tables of attr and value, which are one entity: attribute by what the first column says."""


_TABLES = {
    "Router Statistics": _Table("router", dict, pairs=_STATISTICS),
    "Policy Configuration": _Table("policy", dict, pairs=_POLICY),
    "Routers in the Network": _Table("router.node", _node, frozenset(_NODE_COLUMNS) | frozenset(_NODE_LISTS)),
    "Router Addresses": _Table("router.address", _address, frozenset(_ADDRESS_COLUMNS)),
    "Connections": _Table("connection", _connection, frozenset(_CONNECTION_COLUMNS)),
    "Router Links": _Table("router.link", _link, frozenset(_LINK_COLUMNS)),
    "AutoLinks": _Table("autoLink", lambda row: _named(row, _AUTOLINK_COLUMNS), frozenset(_AUTOLINK_COLUMNS)),
    "Link Routes": _Table("linkRoute", _link_route, frozenset(_LINK_ROUTE_COLUMNS)),
    "Vhosts": _Table("vhost", _as_written),
}
_NOT_READ = re.compile(
    r"(?:Types|Memory Pools|Summary|Memory Summary|Policy Status|Vhost Stats|Vhost User Stats|Vhost Groups|Vhost '.*' UserGroup '.*')\Z"
)
"""Tables that say nothing of where messages go."""


def is_title(line: str) -> bool:
    """Whether a line is the title of a table of qdstat."""
    return line.strip() in _TABLES or _EMPTY.match(line.strip()) is not None


@dataclass
class _Part:
    """The output of one command about one router."""

    router: str = ""
    rows: list[tuple[_Table, str, Values, Source]] = field(default_factory=list)
    all_routers: bool = False


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

    def source(self, number: int, column: int = 1) -> Source:
        return self.placing.at(number + 1, column)

    def note(self, kind: str, severity: Severity, message: str, source: Source, text: str = "") -> None:
        self.findings.append(Finding(kind, severity, message, source, "3.5", excerpt(text) if text else ""))

    # --- lines ---

    def read(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at].strip().removeprefix("\ufeff")
            number = self.at
            self.at += 1
            if not line or line.startswith(_TOPOLOGY) or _EMPTY.match(line):
                continue
            if command := _COMMAND.match(line):
                option = _ROUTER_OPTION.search(" " + command[1])
                self.parts.append(_Part(option[1].strip("'\"") if option else ""))
            elif _TIME.match(line):
                self.after_time()
            elif (other := _ROUTER_LINE.match(line)) and self.parts[-1].all_routers:
                self.parts.append(_Part(other[1], all_routers=True))
            elif line in _TABLES:
                self.table(_TABLES[line], line, number)
            elif _NOT_READ.match(line):
                self.skip(line, number)
            else:
                self.unsupported += 1
                self.unread.append((number, line))

    def after_time(self) -> None:
        """The router's id stands below the time; ``Router  X`` begins the part of each router of ``--all-routers``."""
        line = self.lines[self.at].strip() if self.at < len(self.lines) else ""
        if _ROUTER_LINE.match(line):
            self.parts.append(_Part(all_routers=True))
            return
        if line and not is_title(line):
            part = self.parts[-1]
            if part.rows:
                part = _Part()
                self.parts.append(part)
            part.router = line
            self.at += 1

    # --- tables ---

    def table(self, table: _Table, title: str, number: int) -> None:
        while self.at < len(self.lines) and self.lines[self.at].startswith(_TOPOLOGY):
            self.at += 1
        if self.at >= len(self.lines):
            return
        head = self.lines[self.at]
        if head.startswith('"'):
            columns, rows = self.csv_rows()
        elif self.at + 1 < len(self.lines) and _RULE.match(self.lines[self.at + 1]):
            columns, rows = self.text_rows()
        else:
            return  # without rows only the title is printed
        self.take(table, title, number, columns, rows)

    def text_rows(self) -> tuple[list[str], list[tuple[int, Row]]]:
        """The headers, and (line number, row)."""
        columns = [(found.group(), found.start()) for found in _COLUMN.finditer(self.lines[self.at])]
        ends = [*(begin for _, begin in columns[1:]), None]
        indent = columns[0][1] if columns else 0
        rows: list[tuple[int, Row]] = []
        self.at += 2
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line or not line.startswith(" " * indent) or _RULE.match(line) or (not indent and self.ends(line)):
                break
            cells = {name: line[begin:end].strip() for (name, begin), end in zip(columns, ends, strict=True)}
            rows.append((self.at, cells))
            self.at += 1
        return [name for name, _ in columns], rows

    def ends(self, line: str) -> bool:
        return bool(_COMMAND.match(line) or _TIME.match(line) or is_title(line) or _ROUTER_LINE.match(line))

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
                self.note("unreadable-row", Severity.WARNING, message, self.source(number), line)
                self.unsupported += 1
                continue
            if columns:
                cells += [""] * (len(columns) - len(cells))
                rows.append((number, dict(zip(columns, cells, strict=False))))
            else:
                columns = cells
        return columns, rows

    def take(self, table: _Table, title: str, number: int, columns: list[str], rows: list[tuple[int, Row]]) -> None:
        part = self.parts[-1]
        if table.pairs is not None:
            self.take_pairs(table, number, rows)
            return
        if table.columns is not None and (unknown := [name for name in columns if name not in table.columns]):
            message = f"{title}: the column{'s' if len(unknown) > 1 else ''} {', '.join(unknown)} {'are' if len(unknown) > 1 else 'is'} not read"
            self.note("unknown-column", Severity.INFO, message, self.source(number + 1))
        for place, row in rows:
            indent = len(self.lines[place]) - len(self.lines[place].lstrip())
            part.rows.append((table, title, table.entity(row), self.source(place, indent + 1)))
        if len(rows) == _DEFAULT_LIMIT:
            message = (
                f"{title} has exactly {_DEFAULT_LIMIT} rows, the most that older versions of qdstat print: more may be left out "
                "(--limit 0 prints all)"
            )
            self.note("perhaps-cut", Severity.WARNING, message, self.source(number))

    def take_pairs(self, table: _Table, number: int, rows: list[tuple[int, Row]]) -> None:
        values: Values = {}
        for place, row in rows:
            name, value = row.get("attr", ""), row.get("value", "")
            attribute = (table.pairs or {}).get(name)
            if attribute:
                values[attribute] = value
            elif attribute is None:
                self.note("unknown-row", Severity.INFO, f"The row {name} is not read", self.source(place))
        part = self.parts[-1]
        if table.type == "router" and values.get("id"):
            if part.router and part.router != values["id"]:
                part = _Part(all_routers=part.all_routers)
                self.parts.append(part)
            part.router = str(values["id"])
        part.rows.append((table, "", values, self.source(number)))

    def skip(self, title: str, number: int) -> None:
        """A table that is not read, to the next blank line."""
        self.skipped.setdefault(title.partition(" '")[0], self.source(number))
        while self.at < len(self.lines) and self.lines[self.at] and not _COMMAND.match(self.lines[self.at]):
            self.at += 1

    # --- whose output it is ---

    def name_routers(self, given: str) -> None:
        """A part that names no router is of the one before it."""
        last = given or next((part.router for part in self.parts if part.router), "")
        for part in self.parts:
            part.router = last = part.router or last

    def notes(self) -> None:
        if self.skipped:
            message = f"Tables that say nothing of where messages go are not read: {', '.join(self.skipped)}"
            self.note("table-not-read", Severity.INFO, message, next(iter(self.skipped.values())))
        if self.unread:
            number, line = self.unread[0]
            more = f", nor {len(self.unread) - 1} other lines" if len(self.unread) > 1 else ""
            message = f"This line is no part of the output of qdstat, and is not read{more}"
            self.note("unreadable-line", Severity.WARNING, message, self.source(number), line)


def read_qdstat(text: str, placing: Placing, router: str = "") -> Dumped:
    """The entities of all tables of a text. ``router`` is whose output it is where the text does not say. Never raises; linear."""
    reader = _Reader(text, placing)
    reader.read()
    reader.name_routers(router)
    reader.notes()
    entities: list[Entity] = []
    for part in reader.parts:
        for table, _, values, source in part.rows:
            name = _name(table.type, values)
            entities.append(run_time_entity(table.type, values, part.router, source, placing.file, name))
    routers = tuple(dict.fromkeys(part.router for part in reader.parts if part.router))
    return Dumped(tuple(entities), tuple(reader.findings), routers, reader.unsupported)


def _name(type_: str, values: Values) -> str:
    """The name as a query gives it; autolinks and link routes have none in a table."""
    match type_:
        case "router":
            return str(values.get("id", ""))
        case "router.node":
            return f"router.node/{values.get('id', '')}"
        case "router.address":
            return str(values.get("key", ""))
        case "router.link":
            return str(values.get("linkName", ""))
        case "connection":
            return f"connection/{values.get('host', '')}"
        case _:
            return str(values.get("hostname", ""))
