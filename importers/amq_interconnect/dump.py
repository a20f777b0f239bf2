"""Management dumps: the output of ``qdmanage query`` (amq_interconnect.md 3.4), and how it differs
from the file form (D-2).

A dump is a JSON list of entities. One text may hold several, of one router (a query a type) or of
several, and the command lines that made them. Each entity is decoded on its own, so that it has its
place, and so that of a text that is cut off all whole entities are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.credentials import without_arguments, without_user_info
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.facts.shown import EVERY, Extent
from topograph.findings import Finding, Severity, Source
from topograph.importers.amq_interconnect.names import kept
from topograph.importers.amq_interconnect.said_by import (
    LOOKED_AT,
    NOT_NAMED,
    Spoken,
    name_routers,
    place_of,
)
from topograph.importers.amq_interconnect.schema import (
    TYPES,
    SchemaAttribute,
    checked_value,
    plain_text,
    short_name,
)
from topograph.importers.positions.json_text import Cursor, NotJson, TooDeep
from topograph.importers.positions.places import Places, Placing
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.amq_interconnect_findings import (
    D_1,
    DUMPED_TWICE,
    EMPTY_DUMP,
    INVALID_JSON_D_1,
    INVALID_VALUE_D_1,
    NESTED_TOO_DEEPLY,
    NOT_A_DUMP,
    NOT_AN_ENTITY,
    ROUTER_NOT_NAMED,
    UNKNOWN_ENTITY,
)
from topograph.words.articles import with_article

_CONFIGURED = frozenset({"address", "linkRoute", "autoLink"})
_RUN_TIME = frozenset(
    {
        "router.node",
        "router.address",
        "router.link",
        "connection",
        "router.connection.linkRoute",
        "vhostStats",
        "vhostUserStats",
        "logStats",
        "router.core",
        "routerMetrics",
        "router.stats",
        "router.data.generic",
        "router.identity",
        "tcpConnection",
        "httpRequestInfo",
    }
)
"""Types that exist at run time only (1.7), short."""

_UNMENDED = 100
"""After so many places that are no JSON a dump is given up: each costs a look at the rest."""

_SPACE = re.compile(r"[\s,\ufeff]*")
_NEXT = re.compile(r'\{\s*"')
_OF_EVERY_QUERY = frozenset({"router", "connection", "router.address", "router.link"})
"""Types of which every router has entities while a tool asks it: those of the tool itself (D-7)."""

_DECIDING = {"address": "distribution", "listener": "role", "connector": "role"}
"""The attribute without which nothing can be said of an entity; each has a default in files."""

_COMMAND = re.compile(
    r"\b(?P<command>(?:qd|sk)manage)\b|\s(?:-r|--router)[ "
    r"=]+(?P<router>\S+)|\s(?:-b|--bus)[ =]+(?P<bus>\S+)|\s--type[ =]+(?P<type>\S+)"
    r"|\s(?P<query>query)(?=\s)|(?P<piped>\|)|(?<=\s)(?P<word>[a-zA-Z]\w*)(?=\s)|\n"
)
"""What a line with a management command is made of, as far as it matters; the command and its
options apart, so that it stays linear.
"""
_VALUE = re.compile(r"^[ \t\ufeff]*+([\[{])", re.MULTILINE)


@dataclass
class DumpPart(Spoken):
    """One list of a text: its entities as (offset, row). ``start`` is where it begins, ``query``
    the type that its command asks for: None where no command of a query is there, empty where it
    asks for all. ``single`` says that it is one entity on its own."""

    rows: list[tuple[int, Mapping[str, object]]] = field(default_factory=list)
    start: int = 0
    query: str | None = None
    single: bool = False
    asked_for: frozenset[str] = frozenset()
    """The attributes that the command of the query names; empty where it names none: all."""

    def shown(self) -> tuple[tuple[str, ...], Extent]:
        """The types that it shows, and how much of them. A query of one type lists that type, one
        of all lists at least what every router has (D-1, D-7): a list without that was made of
        several or filtered, and shows the types that it has."""
        types = {_type(row) for _, row in self.rows}
        if self.single:
            return tuple(sorted(types)), "none"
        if self.asked_for:
            return tuple(sorted(types)), "condition"
        if self.query is not None:
            return ((short_name(self.query),) if self.query else (EVERY,)), "whole"
        return ((EVERY,) if types >= _OF_EVERY_QUERY else tuple(sorted(types))), "whole"


@record(slots=False)
class Dumped:
    """What a text of dumps gave: entities in order, findings, the routers it is of, the number of
    things not understood, and how much it shows of each router.
    """

    entities: tuple[Entity, ...]
    findings: tuple[Finding, ...]
    routers: tuple[str, ...]
    unsupported: int = 0
    gap: Source | None = None
    """The first place at which something of a dump is lost, so that its router may have more
    than the entities say.
    """
    shown: tuple[Shown, ...] = ()


def parse_dump(text: str, file: str = "") -> tuple[tuple[Entity, ...], tuple[Finding, ...]]:
    """The entities of a dump in the spelling of files (D-2), and findings: ``read_dump`` for a
    text on its own.
    """
    dumped = read_dump(text, Placing(file))
    return dumped.entities, dumped.findings


def read_dump(text: str, placing: Placing, router: str = "") -> Dumped:
    """The entities of all dumps of a text. ``router`` is whose dump it is where the text does not
    say. Never raises; linear in the text.

    A missing ``distribution`` of an address is ``unavailable``; ``fallback`` of an address is
    ``enableFallback``; priority -1 is unset; old attribute names that stand beside the new ones are
    left out. The type of run-time entities (``router.node``) is kept whole.
    """
    reader = _Reader(text, Places(text, placing))
    reader.read()
    reader.name_routers(router)
    entities: list[Entity] = []
    types: dict[str, int] = {}
    for part in reader.parts:
        for offset, row in reader.telling(part):
            entity = _entity(
                row, part.router, reader.places.source(offset), placing.file, reader.findings
            )
            entities.append(entity)
            if entity.type not in TYPES and entity.type not in _RUN_TIME:
                types.setdefault(entity.type, len(entities) - 1)
    for type_, place in types.items():
        shown = without_arguments(without_user_info(type_))
        message = f"Entities of type {shown} are kept, and no answer uses them"
        reader.note(UNKNOWN_ENTITY, Severity.INFO, message, entities[place].source)
    routers = tuple(dict.fromkeys(part.router for part in reader.parts if part.router))
    return Dumped(
        _unrepeated(entities, reader),
        tuple(reader.findings),
        routers,
        reader.unsupported,
        reader.gap,
        tuple(reader.shown(placing.file)),
    )


def routers_named(text: str) -> tuple[str, ...]:
    """The ids of the routers whose dumps a text holds, in order; empty if it does not say.
    Linear.
    """
    reader = _Reader(text, Places(text, Placing("")))
    reader.read()
    reader.name_routers("")
    return tuple(dict.fromkeys(part.router for part in reader.parts if part.router))


class _Reader:
    def __init__(self, text: str, places: Places) -> None:
        self.text = text
        self.places = places
        self.parts: list[DumpPart] = []
        self.findings: list[Finding] = []
        self.unsupported = 0
        self.unmended = 0
        self.gap: Source | None = None

    def lost(self, kind: FindingKind, severity: Severity, message: str, source: Source) -> None:
        """Note that an entity, or more, is not among those of the dump."""
        self.gap = self.gap or source
        self.note(kind, severity, message, source)

    def note(self, kind: FindingKind, severity: Severity, message: str, source: Source) -> None:
        self.findings.append(kind.at(source, message, rule=D_1, severity=severity))

    def read(self) -> None:
        at, before = 0, 0
        for start in self.values():
            if start < at:
                continue
            part = self.commanded(before, start)
            part.start, part.single = start, self.text[start] == "{"
            self.parts.append(part)
            at = before = (
                self.list_from(start + 1, part)
                if self.text[start] == "["
                else self.object_at(start, part)
            )
        if not self.parts:
            self.note(
                NOT_A_DUMP,
                Severity.ERROR,
                "A dump is a JSON list of entities",
                self.places.source(0),
            )
        elif not any(part.rows for part in self.parts) and not self.findings:
            message = "The dump holds no entity: the query found none, or its output is lost"
            self.note(EMPTY_DUMP, Severity.WARNING, message, self.places.source(0))

    def values(self) -> Iterator[int]:
        """Where a list or object may begin: at the start of a line."""
        for found in _VALUE.finditer(self.text):
            yield found.start(1)

    def commanded(self, start: int, end: int) -> DumpPart:
        """The list after the last qdmanage command line between two offsets; without one, it
        goes with the list before.
        """
        before = self.parts[-1] if self.parts else DumpPart()
        router, place, inside = before.router, before.place, False
        queried, type_ = False, ""
        words: set[str] = set()
        for found in _COMMAND.finditer(self.text, start, end):
            if found["command"]:
                line = (
                    self.text.rfind("\n", max(start, found.start() - LOOKED_AT), found.start()) + 1
                )
                router, place, inside = (
                    "",
                    place_of(self.text[line or start : found.start()], ""),
                    True,
                )
                queried, type_, words = False, "", set()
            elif inside and found["word"]:
                words.add(found["word"])
            elif inside and (found["query"] or found["piped"]):
                queried = found["query"] is not None  # what is piped is filtered
            elif inside and found["type"]:
                type_ = found["type"].strip("'\"")
            elif inside and found["router"]:
                router = found["router"].strip("'\"")
            elif inside and found["bus"]:
                place = f"{place} {found['bus']}"
            elif found.group() == "\n":
                inside = False
        known = TYPES.get(short_name(type_))
        attributes = (known.attributes if known is not None else None) or {}
        asked_for = frozenset(words & attributes.keys()) if queried else frozenset()
        query = type_ if queried else None
        return DumpPart(router, bool(router), place, query=query, asked_for=asked_for)

    def telling(self, part: DumpPart) -> Iterator[tuple[int, Mapping[str, object]]]:
        """The entities of a list, without those that lack what decides about them because the query
        did not ask for it: no default counts there (D-1)."""
        left_out: dict[str, int] = {}
        for offset, row in part.rows:
            deciding = _DECIDING.get(_type(row)) if part.asked_for else None
            if deciding is None or deciding in part.asked_for:
                yield offset, row
            else:
                left_out.setdefault(_type(row), offset)
        for type_, offset in left_out.items():
            message = f"The query of {type_} does not ask for {_DECIDING[type_]}: it is not used"
            self.note(UNKNOWN_ENTITY, Severity.INFO, message, self.places.source(offset))

    def shown(self, bundle: str) -> Iterator[Shown]:
        """How much each list shows of its router; of a text that lost something a part."""
        for part in self.parts:
            classes, extent = part.shown()
            if part.router and classes:
                yield Shown(
                    bundle=bundle,
                    server=part.router,
                    source=self.places.source(part.start),
                    classes=classes,
                    extent=extent if self.gap is None else "condition",
                    said="a list that is not whole" if self.gap else "one entity",
                )

    def list_from(self, at: int, part: DumpPart) -> int:
        """Read the items of a list; the offset after it."""
        number = 0
        cursor = Cursor(self.text, at)
        while True:
            start = cursor.skip(_SPACE)
            if cursor.take("]"):
                return cursor.at
            number += 1
            if start >= len(self.text):
                self.cut_off(start, part)
                return start
            try:
                value = cursor.decode()
            except TooDeep as fault:
                self.left_out(fault)
                continue
            except NotJson:
                cursor.at = self.mended(start, part)
                if cursor.at == len(self.text):
                    return cursor.at
                continue
            self.keep(value, start, part, f"Item {number}")

    def object_at(self, start: int, part: DumpPart) -> int:
        """One entity on its own, as ``qdmanage read`` prints it."""
        cursor = Cursor(self.text, start)
        try:
            value = cursor.decode()
        except TooDeep as fault:
            self.left_out(fault)
            return cursor.at
        except NotJson:
            return self.mended(start, part)
        self.keep(value, start, part, "This")
        return cursor.at

    def keep(self, value: object, start: int, part: DumpPart, what: str) -> None:
        if isinstance(value, dict) and _type(value):
            part.rows.append((start, value))
        else:
            self.unsupported += 1
            message = (
                f"{what} is not an entity: it has no type"
                if isinstance(value, dict)
                else f"{what} is not an entity"
            )
            self.lost(NOT_AN_ENTITY, Severity.WARNING, message, self.places.source(start))

    def left_out(self, fault: TooDeep) -> None:
        self.unsupported += 1
        message = f"An entity is {fault.message}: it is left out"
        self.lost(NESTED_TOO_DEEPLY, Severity.ERROR, message, self.places.source(fault.offset))

    def mended(self, start: int, part: DumpPart) -> int:
        """The offset of the next entity behind a place that is no JSON; the end where there is
        none.
        """
        self.unmended += 1
        self.unsupported += 1
        behind = _NEXT.search(self.text, start + 1) if self.unmended < _UNMENDED else None
        while behind is not None:
            try:
                value = Cursor(self.text, behind.start()).decode()
            except NotJson:
                value = None
            if isinstance(value, dict) and _type(value):
                message = (
                    "This is not valid JSON: one entity or more is not read; those after it are"
                )
                self.lost(INVALID_JSON_D_1, Severity.ERROR, message, self.places.source(start))
                return behind.start()
            self.unmended += 1
            behind = _NEXT.search(self.text, behind.end()) if self.unmended < _UNMENDED else None
        self.cut_off(start, part)
        return len(self.text)

    def cut_off(self, at: int, part: DumpPart) -> None:
        count = len(part.rows)
        what = f"only its first {count} entities are read" if count else "no entity of it is read"
        message = f"The dump is not valid JSON from here on, or cut off: {what}"
        self.lost(
            INVALID_JSON_D_1, Severity.ERROR, message, self.places.source(min(at, len(self.text)))
        )

    def name_routers(self, given: str) -> None:
        """Each list is of the router that its entities name, or its command line; what is of an
        unknown one is not read.
        """
        for part in self.parts:
            part.router = _own_id(row for _, row in part.rows) or part.router
        unknown = [
            part
            for part in name_routers(self.parts, given)
            if isinstance(part, DumpPart) and part.rows
        ]
        if unknown and any(part.router for part in self.parts):
            self.unsupported += sum(len(part.rows) for part in unknown)
            self.note(
                ROUTER_NOT_NAMED,
                Severity.WARNING,
                NOT_NAMED,
                self.places.source(unknown[0].rows[0][0]),
            )
            for part in unknown:
                part.rows.clear()


def _own_id(rows: Iterator[Mapping[str, object]]) -> str:
    """The router's id: that of its ``router`` entity, else of the row in its router table that
    is itself.
    """
    found = ""
    for row in rows:
        if _type(row) == "router" and isinstance(row.get("id"), str):
            return plain_text("id", row["id"])
        if _type(row) == "router.node" and row.get("nextHop") == "(self)":
            found = plain_text("id", row.get("id") or "")
    return found


def _unrepeated(entities: Sequence[Entity], reader: _Reader) -> tuple[Entity, ...]:
    """Each entity once: where a text holds one twice, the later counts."""
    last: dict[tuple[str, str, str], int] = {}
    repeated: dict[str, Entity] = {}
    for place, entity in enumerate(entities):
        key = (entity.server, entity.type, entity.get("identity") or f"#{place}")
        if key in last:
            repeated.setdefault(entity.server, entity)
        last[key] = place
    for server, entity in repeated.items():
        message = (
            f"{server or 'The router'} is dumped more than once here: of each entity the "
            "last counts"
        )
        reader.note(DUMPED_TWICE, Severity.INFO, message, entity.source)
    kept = set(last.values())
    return tuple(entity for place, entity in enumerate(entities) if place in kept)


def _type(row: Mapping[str, object]) -> str:
    type_ = row.get("type")
    return short_name(type_) if isinstance(type_, str) else ""


def _entity(
    row: Mapping[str, object], server: str, source: Source, bundle: str, findings: list[Finding]
) -> Entity:
    type_ = _type(row)
    known = TYPES.get(type_)
    stated = {
        name: kept(name, value)
        for name, value in row.items()
        if value is not None and name != "type"
    }
    if known is not None and type_ in _CONFIGURED:
        stated = {name: value for name, value in stated.items() if name not in known.deprecated}
    if type_ == "address" and "fallback" in stated:
        stated["enableFallback"] = stated.pop("fallback")
    if known is not None and known.attributes is not None:
        stated = _valid(stated, type_, known.attributes, source, findings)
    if type_ == "address":
        stated.setdefault("distribution", "unavailable")
        if stated.get("priority") == "-1":
            del stated["priority"]
    return run_time_entity(type_, stated, server, source, bundle)


def _valid(
    stated: Mapping[str, object],
    type_: str,
    attributes: Mapping[str, SchemaAttribute],
    source: Source,
    findings: list[Finding],
) -> dict[str, object]:
    """The values as text, without those that a router cannot have: a dump may be edited by hand."""
    valid: dict[str, object] = {}
    for name, value in stated.items():
        try:
            valid[name] = checked_value(attributes[name], value) if name in attributes else value
        except ValueError as error:
            message = (
                f"{name} of {with_article(type_)} in this dump: {plain_text(name, value)!r} "
                f"{error}; it is left out"
            )
            findings.append(INVALID_VALUE_D_1.at(source, message, rule=D_1))
    return valid


def run_time_entity(
    type_: str,
    values: Mapping[str, object],
    server: str,
    source: Source,
    bundle: str,
    name: str = "",
) -> Entity:
    """An entity of a dump; its name is its ``name`` or ``identity`` unless given."""
    attributes = tuple((key, plain_text(key, value)) for key, value in values.items())
    name = name or plain_text("name", values.get("name") or values.get("identity") or "")
    return Entity(
        bundle=bundle,
        server=server,
        source=source,
        type=type_,
        name=name,
        attributes=attributes,
        stated=tuple(values),
        origin="dump",
    )
