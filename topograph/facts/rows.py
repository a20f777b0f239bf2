"""Facts as flat rows, the schema of the facts table of a snapshot, and back without loss: columns
system, kind, bundle, server, name, file, line, column, payload.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any

from topograph import extensions
from topograph.errors import UnknownSystem
from topograph.facts.fact import Fact
from topograph.facts.plain import fields_from_plain, fields_of
from topograph.findings import Source

_OUTER = frozenset({"bundle", "server", "source"})


def _fields_by_name(value: Any) -> dict[str, Any]:
    """The fields of a record inside of a fact. Raises TypeError for anything else."""
    cls: Any = type(value)
    names = fields_of(cls)
    if names is None:
        raise TypeError(f"a fact cannot hold a {cls.__name__}")
    return {name: getattr(value, name) for name in names}


_compact = json.JSONEncoder(
    check_circular=False,  # records that are never changed hold no cycles
    default=_fields_by_name,
    ensure_ascii=False,
    separators=(",", ":"),
    sort_keys=True,
).encode


def encode(fact: Fact) -> dict[str, Any]:
    """The flat row of a fact: columns system, kind, bundle, server, name, file, line, column,
    payload (compact JSON with sorted keys, so that equal facts have equal rows)."""
    return {
        "system": fact.system,
        "kind": fact.kind,
        "bundle": fact.bundle,
        "server": fact.server,
        "name": fact.label,
        "file": fact.source.file,
        "line": fact.source.line,
        "column": fact.source.column,
        "payload": _payload(fact),
    }


def encoded(facts: Sequence[Fact]) -> dict[str, list[Any]]:
    """The flat rows of some facts as columns. Linear."""
    columns: dict[str, list[Any]] = {
        name: list(map(attrgetter(of), facts)) for name, of in _COLUMNS.items()
    }
    columns["payload"] = list(map(_payload, facts))
    return columns


_COLUMNS = {
    "system": "system",
    "kind": "kind",
    "bundle": "bundle",
    "server": "server",
    "name": "label",
    "file": "source.file",
    "line": "source.line",
    "column": "source.column",
}
"""The columns beside ``payload``, each with what it is of a fact."""


def _payload(fact: Fact) -> str:
    cls: Any = type(fact)
    return _record_writer(cls, _OUTER)(fact)


def _written(value: Any) -> str:
    """A value as ``_compact`` writes it: what facts are made of nearly always is written here, in
    half the time."""
    kind: Any = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is tuple:
        return f"[{','.join(map(_written, value))}]" if value else "[]"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    return _writer(kind)(value)


@cache
def _writer(kind: Any) -> Callable[[Any], str]:
    return _compact if fields_of(kind) is None else _record_writer(kind)


@cache
def _record_writer(cls: Any, left_out: frozenset[str] = frozenset()) -> Callable[[Any], str]:
    """What writes the records of a class as JSON objects, but for the fields left out."""
    names = sorted(name for name in fields_of(cls) or () if name not in left_out)
    form = f"{{{','.join(f'{encode_basestring(name)}:%s' for name in names)}}}"
    if len(names) > 1:
        values = attrgetter(*names)
        return lambda record: form % tuple(map(_written, values(record)))
    return lambda record: form % tuple(_written(getattr(record, name)) for name in names)


def without_places(payload: str) -> str:
    """The payload of a flat row without the places in it: equal for facts that say the same,
    wherever they stand.
    """

    def is_place(key: str) -> bool:
        return key in ("source", "line") or key.endswith("_source")

    def strip(value: object) -> object:
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if not is_place(key)}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return json.dumps(strip(json.loads(payload)), sort_keys=True)


def kinds_of(system: str) -> Mapping[str, type[Fact]]:
    """The kinds of facts of a system, by kind; its module is imported on first use. Raises
    UnknownSystem.
    """
    return _by_kind(extensions.module(system, "facts").FACTS)


@cache
def _by_kind(facts: tuple[type[Fact], ...]) -> Mapping[str, type[Fact]]:
    return {cls.kind: cls for cls in facts}


def decode(row: Mapping[str, Any]) -> Fact:
    """The fact of a row that ``encode`` made. Raises UnknownSystem for a system or a kind of
    fact that no package has.
    """
    cls = _class_of(row["system"], row["kind"])
    source = Source(row["file"], int(row["line"]), int(row["column"]))
    fact: Fact = cls(
        bundle=row["bundle"], server=row["server"], source=source, **_fields(cls, row["payload"])
    )
    return fact


def decoded(columns: Mapping[str, Sequence[Any]]) -> list[Fact]:
    """The facts of rows that are given as columns, by name. Raises as ``decode``."""
    systems, kinds = columns["system"], columns["kind"]
    classes = {pair: _class_of(*pair) for pair in set(zip(systems, kinds, strict=True))}
    rest = (columns[name] for name in ("bundle", "server", "payload"))
    places = map(Source, columns["file"], columns["line"], columns["column"])
    rows = zip(zip(systems, kinds, strict=True), places, *rest, strict=True)
    facts: list[Fact] = []
    # One list of addresses is often rolled out to a hundred routers.
    fields = lru_cache(maxsize=1 << 14)(_fields)
    for pair, source, bundle, server, payload in rows:
        cls = classes[pair]
        facts.append(cls(bundle=bundle, server=server, source=source, **fields(cls, payload)))
    return facts


def _class_of(system: str, kind: str) -> Any:
    cls = kinds_of(system).get(kind)
    if cls is None:
        raise UnknownSystem(
            f"The package that answers for {system} has no facts of the kind {kind!r}; it may be "
            "an older one."
        )
    return cls


def _fields(cls: Any, payload: str) -> dict[str, Any]:
    """The fields of a payload, all immutable."""
    return fields_from_plain(cls, json.loads(payload))
