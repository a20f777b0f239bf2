"""One way through a record: every text in it is treated as what its field is declared to hold."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from topograph.findings import Source
from topograph.importers.declarations import fields_of, setting
from topograph.importers.holds import Holds, by_its_name

Record = TypeVar("Record")
Treat = Callable[[Holds, str], str]
"""Gives a text that holds something its treatment: what stands in its place."""

_FLAG = re.compile(
    r"|true|false|yes|no|on|off|enabled?|disabled?|none|null|default|\(set\)", re.IGNORECASE
)
_NUMBER = re.compile(
    r"[+-]?[0-9]+(?:\.[0-9]+)?\s*(?:[KMG]B?|B|msec|ms|sec|s|min|hours?|days?)?", re.IGNORECASE
)


def treated(record: Record, treat: Treat) -> Record:
    """The record with every text treated. Linear. Raises UsageError for a kind that nobody
    declares.
    """
    changed: dict[str, Any] = {}
    kind: Any = type(record)
    declared = fields_of(kind)
    for field in dataclasses.fields(kind):
        value = getattr(record, field.name)
        after = _value(record, declared.get(field.name, Holds.OPAQUE), value, treat)
        if after is not value:
            changed[field.name] = after
    return dataclasses.replace(record, **changed) if changed else record  # type: ignore[type-var]


def _value(record: Any, holds: Holds, value: Any, treat: Treat) -> Any:
    if isinstance(value, Source):
        return dataclasses.replace(value, file=treat(Holds.PATH, value.file))
    if isinstance(value, str) and type(value) is str:
        return _text(record, holds, value, treat)
    if holds is Holds.NESTED and dataclasses.is_dataclass(value):
        return treated(value, treat)
    if not isinstance(value, tuple):
        return value
    if holds is Holds.SETTINGS:
        return tuple(_setting(record, key, text, treat) for key, text in value)
    if holds is Holds.NESTED:
        return tuple(treated(item, treat) for item in value)
    return tuple(_value(record, holds, item, treat) for item in value)


def _text(record: Any, holds: Holds, text: str, treat: Treat) -> str:
    if holds is Holds.PRINCIPAL:
        holds = Holds.USER if getattr(record, "principal_type", "user") == "user" else Holds.PUBLIC
    if holds is Holds.ITS_NAME:
        holds = setting(record, "name") or Holds.NAME
    if holds is Holds.ITS_SETTING:
        return _setting(record, record.name, text, treat)[1]
    if holds is Holds.MAP:
        return _map(record, text, treat)
    return treat(holds, text)


def _setting(record: Any, key: str, text: str, treat: Treat) -> tuple[str, str]:
    declared = setting(record, key)
    if declared is not None:
        return key, _text(record, declared, text, treat)
    return treat(Holds.NAME, key), _undeclared(key, text, treat)


def _undeclared(key: str, text: str, treat: Treat) -> str:
    """A setting that nobody declared: numbers and flags stay, the rest is hidden as what its key
    suggests.
    """
    holds = by_its_name(key)
    if _FLAG.fullmatch(text) or (holds is Holds.OPAQUE and _NUMBER.fullmatch(text)):
        return text
    return treat(Holds.URLS if "://" in text else holds, text)


def _map(record: Any, text: str, treat: Treat) -> str:
    """A JSON text with the same done to every member; what is no JSON object or array is hidden."""
    try:
        value = json.loads(text) if text else text
    except (ValueError, RecursionError):
        return treat(Holds.OPAQUE, text)
    if not isinstance(value, (dict, list)):
        return _undeclared("", text, treat)
    return json.dumps(_member(record, "", value, treat), separators=(",", ":"), ensure_ascii=False)


def _member(record: Any, key: str, value: Any, treat: Treat) -> Any:
    if isinstance(value, dict):
        return {
            (name if setting(record, name) else treat(Holds.NAME, name)): _member(
                record, name, item, treat
            )
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_member(record, key, item, treat) for item in value]
    return _setting(record, key, value, treat)[1] if isinstance(value, str) else value
