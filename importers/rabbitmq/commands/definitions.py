"""Definitions that a script holds itself and imports: each entry is a command (rabbitmq.md 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from topograph.findings import Source
from topograph.importers.positions.places import Places
from topograph.importers.rabbitmq.commands.calls import Fields, Given, NotKnown, NotMeant, made
from topograph.importers.rabbitmq.commands.management import renamed
from topograph.importers.rabbitmq.walking import Broken, Entry, entries
from topograph.importers.shell import Line

_ORDER = (
    "users", "vhosts", "permissions", "topic_permissions", "parameters", "global_parameters",
    "policies", "queues", "exchanges", "bindings",
)  # fmt: skip
"""The lists in the order in which a broker imports them."""
_SPARED = frozenset({"queues", "exchanges", "vhosts"})
"""The lists whose entries leave alone what is there."""


def imported(given: Given, lines: Sequence[Line], vhost: str | None = None) -> Iterator[Fields]:
    """What an import of definitions does. Raises NotMeant, NotKnown. Linear."""
    text = "\n".join(line.text for line in lines)
    if not text.strip():
        raise NotKnown("it imports what the script does not hold")
    places = Places(text)
    found: dict[str, list[Entry]] = {}
    for one in entries(text):
        if isinstance(one, Broken):
            if part := given.unknown(text):
                raise NotKnown(f"it imports a text with {part}, which only a run replaces")
            raise NotMeant(f"what it imports is not JSON: {one.why}")
        if one.listed:
            found.setdefault(one.section, []).append(one)
    for section in _ORDER:
        for one in found.get(section, ()):
            line, column = places.line_and_column(one.offset)
            begins = lines[min(line, len(lines)) - 1]
            source = Source(given.source.file, begins.number, begins.column + column)
            yield {**_fields(section, one.value, source, vhost), "source": source}


def _fields(section: str, value: object, source: Source, vhost: str | None) -> Fields:
    if section == "global_parameters":
        named = isinstance(value, dict) and value.get("name") == "cluster_name"
        return renamed(str(value.get("value", ""))) if named and isinstance(value, dict) else _NO
    try:
        fact = made(section, value, source, "/" if vhost is None else vhost)  # type: ignore[arg-type]
    except NotMeant as why:
        raise NotMeant(f"an entry of {section} is not understood: {why}") from None
    if fact is None or (section in ("queues", "exchanges") and _is_reserved(fact)):
        return _NO
    if vhost is not None and hasattr(fact, "vhost"):
        fact = replace(fact, vhost=vhost)  # type: ignore[call-arg]
    verb = "declare" if section in ("queues", "exchanges", "bindings") else "set"
    if section == "vhosts":
        verb = "add"
    return {"verb": verb, "fact": fact, "spares": section in _SPARED}


_NO: Fields = {"verb": "none"}


def _is_reserved(fact: object) -> bool:
    return str(getattr(fact, "name", "")).startswith("amq.")
