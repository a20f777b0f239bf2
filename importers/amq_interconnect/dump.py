"""Management dumps: the output of ``qdmanage query`` (amq_interconnect.md 3.4), and how it differs from the file form (D-2)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from topograph.facts import Entity
from topograph.findings import Finding, Severity, Source
from topograph.importers.amq_interconnect.schema import TYPES, plain_text, short_name

_CONFIGURED = frozenset({"address", "linkRoute", "autoLink"})


def parse_dump(text: str, file: str = "") -> tuple[tuple[Entity, ...], tuple[Finding, ...]]:
    """The entities of a dump in the spelling of files (D-2), and findings. Never raises; linear in the text.

    A missing ``distribution`` of an address is ``unavailable``; ``fallback`` of an address is ``enableFallback``; priority -1 is unset;
    old attribute names that stand beside the new ones are left out. The type of run-time entities (``router.node``) is kept whole.
    """
    source = Source(file)
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return (), (Finding("invalid-json", Severity.ERROR, "The dump is not valid JSON", source, "D-1"),)
    if not isinstance(rows, list):
        return (), (Finding("not-a-dump", Severity.ERROR, "A dump is a JSON list of entities", source, "D-1"),)
    entities: list[Entity] = []
    findings: list[Finding] = []
    server = next(
        (str(row["id"]) for row in rows if isinstance(row, dict) and _type(row) == "router" and "id" in row), ""
    )
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or not _type(row):
            findings.append(Finding("not-an-entity", Severity.WARNING, f"Item {number} is no entity", source, "D-1"))
            continue
        entities.append(_entity(row, server, source))
    return tuple(entities), tuple(findings)


def _type(row: Mapping[str, object]) -> str:
    return short_name(str(row.get("type") or ""))


def _entity(row: Mapping[str, object], server: str, source: Source) -> Entity:
    type_ = _type(row)
    known = TYPES.get(type_)
    stated = {name: value for name, value in row.items() if value is not None and name != "type"}
    if known is not None and type_ in _CONFIGURED:
        stated = {name: value for name, value in stated.items() if name not in known.deprecated}
    if type_ == "address":
        stated.setdefault("distribution", "unavailable")
        if "fallback" in stated:
            stated["enableFallback"] = stated.pop("fallback")
        if stated.get("priority") == -1:
            del stated["priority"]
    attributes = tuple((name, plain_text(name, value)) for name, value in stated.items())
    name = str(row.get("name") or row.get("identity") or "")
    return Entity(
        bundle=source.file,
        server=server,
        source=source,
        type=type_,
        name=name,
        attributes=attributes,
        stated=tuple(stated),
    )
