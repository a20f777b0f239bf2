"""Files that a question takes: a message, observed names, clients. Whatever is wrong with one is
one InputError (exit code 3).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, NoReturn, cast

from topograph.cli.terminal import say
from topograph.digits import double
from topograph.errors import InputError
from topograph.findings import Severity
from topograph.message import ALWAYS, OPTIONS, Address, MessageOptions, Properties, Value
from topograph.records import record
from topograph.side_inputs import Client

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes; observed names of 10,000 servers take less."""


@record
class MessageFile:
    """A ``--message`` file; what it does not say is empty."""

    destination: str = ""
    properties: Properties = field(default_factory=dict)
    user: str = ""
    options: MessageOptions = field(default_factory=MessageOptions)


def read_message(path: str) -> MessageFile:
    """Read a message by ``message.schema.json``. Raises InputError with the place of the first
    mistake.
    """
    from importlib import resources

    import jsonschema

    found = _read_json(path)
    schema = json.loads(
        resources.files("topograph.cli").joinpath("message.schema.json").read_text("utf-8")
    )
    errors = jsonschema.Draft202012Validator(schema).iter_errors(found)
    worst = jsonschema.exceptions.best_match(errors)
    if worst is not None:
        where = ".".join(str(part) for part in worst.absolute_path) or "the message"
        raise InputError(
            f"{path}: {where}: {_short(worst.message)} (see topograph/cli/message.schema.json)."
        )
    properties = {
        name: _value(path, name, entry) for name, entry in found.get("properties", {}).items()
    }
    return MessageFile(
        found.get("destination", ""), properties, found.get("user", ""), _options(found)
    )


def _options(found: dict[str, Any]) -> MessageOptions:
    """What the file says of ``MessageOptions``, with paths and the word ``always`` as a question
    has them.
    """
    said = {name: value for name, value in found.items() if name in (*OPTIONS, "further")}
    for name in ("forward_path", "reverse_path"):
        if name in said:
            said[name] = tuple(
                Address(one.get("bus") or "", one["destination"]) for one in said[name]
            )
    if said.get("rollbacks") == "always":
        said["rollbacks"] = ALWAYS
    return cast("MessageOptions", said)


def _value(path: str, name: str, entry: Any) -> Value | None:
    """A property as JSON writes it, or with its type stated. A long is 64 bits wide, as in a
    selector.
    """
    stated = entry["type"] if isinstance(entry, dict) else ""
    value: Value | None = entry["value"] if isinstance(entry, dict) else entry
    if value is None or isinstance(value, bool | str):
        return value
    if stated == "double":
        real = double(str(value))
        if real is None:
            raise InputError(f"{path}: properties.{name}: the value does not fit a double.")
        return real
    if stated == "long":
        value = int(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(
            f"{path}: properties.{name}: {value} does not fit a 64-bit integer; write "
            f"{value}.0 for a double."
        )
    return value


def read_observed(path: str) -> dict[str, list[tuple[str, str]]]:
    """Read observed names: server to (name, neighbour it came from; empty if not said). Raises
    InputError.
    """
    found = _read_json(path)
    if not isinstance(found, dict):
        _not_observed(path, "the file", "an object with a list for each server")
    observed: dict[str, list[tuple[str, str]]] = {}
    for server, entries in found.items():
        if not isinstance(entries, list):
            _not_observed(path, server, 'a list of names, such as ["$TMP$.A.>"]')
        observed[server] = [
            _observed_name(path, f"{server}[{at}]", entry) for at, entry in enumerate(entries)
        ]
    return observed


def _observed_name(path: str, where: str, entry: object) -> tuple[str, str]:
    if isinstance(entry, str) and entry:
        return entry, ""
    if isinstance(entry, dict) and set(entry) <= {"name", "via"}:
        name, via = entry.get("name"), entry.get("via", "")
        if isinstance(name, str) and name and isinstance(via, str):
            return name, via
    return _not_observed(path, where, 'a name, or {"name": ..., "via": ...}')


def _not_observed(path: str, where: str, wanted: str) -> NoReturn:
    raise InputError(f"{path}: {where}: expected {wanted}.")


def read_clients(path: str) -> Sequence[Client]:
    """Read a clients CSV (``topograph.importers.side_inputs.parse_clients_csv``); its warnings go
    to stderr.

    Raises InputError with every row that does not fit: a client left out would change the answer.
    """
    from topograph.importers.side_inputs import parse_clients_csv

    clients, findings = parse_clients_csv(path, read_bytes(path))
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise InputError(*(f"{finding.source}: {finding.message}" for finding in errors))
    for finding in findings:
        say(f"{finding.source}: {finding.message}", err=True)
    return clients


def _read_json(path: str) -> Any:
    try:
        return json.loads(
            read_bytes(path).decode("utf-8-sig"),
            object_pairs_hook=_no_key_twice,
            parse_constant=_no_constant,
            parse_float=_double,
        )
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start}).") from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}."
        ) from error
    except RecursionError as error:
        raise InputError(f"{path} is nested too deeply.") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}.") from error


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {_short(repr(key))} occurs twice in one object")
        found[key] = value
    return found


def _double(digits: str) -> float:
    value = double(digits)
    if value is None:
        raise ValueError(f"{_short(digits, 40)} does not fit a double")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def read_bytes(path: str) -> bytes:
    """The bytes of a file. Raises InputError if it cannot be read or is larger than
    LARGEST_FILE.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{path} cannot be read: {why}.") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{path} is larger than {LARGEST_FILE // 1024 // 1024} MB.")
    return data


def _short(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
