"""YAML files of our own (``topograph.yaml``, policies): read with line and column and checked
against a JSON schema.

Names stay as they are written: ``no`` and ``1.10`` are names here, not a boolean and a number.
Values are never repeated in a complaint: a misplaced one may be a secret. No text of such a file is
kept with credentials in it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topograph.findings import Finding, Severity, Source
from topograph.importers.positions import yaml_text
from topograph.importers.secrets import without_secrets_of_own
from topograph.records import record
from topograph.rules import FindingKind

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator
    from yaml.nodes import Node

Place = tuple[str | int, ...]
"""Keys and indexes from the top of the document to a value."""


@dataclass
class YamlReading:
    """The file being read what was noticed in it, and the kinds of findings about a file of
    which nothing is used, and about what does not fit."""

    path: str
    unreadable: FindingKind
    invalid: FindingKind
    findings: list[Finding] = field(default_factory=list)

    def source(self, line: int = 0, column: int = 0) -> Source:
        """A place in the file."""
        return Source(self.path, line, column)

    def note(
        self, kind: FindingKind, severity: Severity, message: str, line: int = 0, column: int = 0
    ) -> None:
        """Add a finding."""
        self.findings.append(kind.at(self.source(line, column), message, severity=severity))

    def error(self, kind: FindingKind, message: str, line: int = 0, column: int = 0) -> None:
        """Add an error."""
        self.note(kind, Severity.ERROR, message, line, column)


def compose(found: YamlReading, data: bytes, limits: yaml_text.YamlLimits) -> Node | None:
    """The YAML nodes of the file, None with a finding if there are none."""
    read = yaml_text.documents(data, limits)
    if read.fault is None:
        return read.roots[0] if read.roots else None
    message = _unreadable(read.fault, len(data), limits)
    found.error(found.unreadable, message, read.fault.line, read.fault.column)
    return None


def _unreadable(fault: yaml_text.YamlFault, size: int, limits: yaml_text.YamlLimits) -> str:
    if fault.limit == "size":
        return f"This file has {size:,} bytes; at most {limits.size:,} are read."
    if fault.limit == "aliases":
        return "Aliases (*name) are not read: nothing of this file is used."
    if fault.limit == "depth":
        return f"Nested more than {limits.depth} deep: nothing of this file is used."
    reason = "but found another document" if fault.limit else fault.reason
    return (
        f"This is not YAML{'' if fault.line else ' text'}: {reason}. Nothing of this file is used."
    )


class YamlDocument:
    """The plain values of a document, with the line and column of each value and of each key.
    ``quoted`` are the places of texts in quotes.
    """

    def __init__(self, found: YamlReading) -> None:
        self.found = found
        self.values: dict[Place, tuple[int, int]] = {}
        self.keys: dict[Place, tuple[int, int]] = {}
        self.quoted: set[Place] = set()

    def plain(self, node: Node, place: Place) -> Any:
        """Mappings, lists and texts as they are written; an empty value is None. Depth is
        bounded by the limits.
        """
        self.values[place] = yaml_text.place(node)
        if yaml_text.is_list(node):
            return [
                self.plain(item, (*place, number))
                for number, item in enumerate(yaml_text.items(node))
            ]
        if yaml_text.is_mapping(node):
            return self.mapping(node, place)
        if yaml_text.is_quoted(node):
            self.quoted.add(place)
        text = yaml_text.scalar(node)
        return without_secrets_of_own(place, text) if isinstance(text, str) else text

    def mapping(self, node: Node, place: Place) -> dict[str, Any]:
        """A mapping by its keys; a key that is not a text, and one that stands twice, is an
        error.
        """
        kind = self.found.invalid
        values: dict[str, Any] = {}
        for key, value in yaml_text.members(node):
            written = yaml_text.written(key)
            name = None if written is None else without_secrets_of_own(place, written)
            line, column = yaml_text.place(key)
            if name is None:
                self.found.error(kind, "A key has to be a plain text.", line, column)
            elif name in values:
                message = (
                    f"{name!r} occurs twice here, first in line "
                    f"{self.keys[(*place, name)][0]}: the first is used."
                )
                self.found.error(kind, message, line, column)
            else:
                self.keys[(*place, name)] = (line, column)
                values[name] = self.plain(value, (*place, name))
        return values

    def source(self, place: Place) -> Source:
        """Where an entry stands: its key, or the value itself in a list."""
        return self.found.source(*self.keys.get(place) or self.values.get(place, (0, 0)))


@record(slots=False)
class Words:
    """How complaints about a kind of file are worded: its name, what a key has to be (by its
    place), and what a value has to be (by its place and name)."""

    file: str
    wanted_key: Callable[[Place], str]
    wanted: Callable[[Place, str], str]


def complaints(validator: Validator, instance: Any, words: Words) -> list[tuple[Place, str]]:
    """Everything that does not fit the schema, each once: place and message. Linear, apart from
    looking for what a misspelt key may have meant.
    """
    found = (
        complaint
        for error in validator.iter_errors(instance)
        for complaint in _of_error(error, tuple(error.absolute_path), words)
    )
    return list(dict.fromkeys(found))


def _of_error(error: ValidationError, place: Place, words: Words) -> Iterator[tuple[Place, str]]:
    """What to say of a schema violation, and of which place. The schema names every key that an
    entry lacks separately.
    """
    name = str(place[-1]) if place else words.file
    instance: Any = error.instance
    schema: Any = error.schema
    wanted: Any = error.validator_value
    if error.validator == "additionalProperties":
        known = list(schema["properties"])
        for key in instance:
            if key not in known:
                close = difflib.get_close_matches(key[:80], known, 1)
                meant = (
                    f"did you mean {close[0]}?" if close else f"known keys are {', '.join(known)}."
                )
                yield (*place, key), f"Unknown key {key[:80]!r}: {meant}"
    elif error.validator == "required":
        missing = [key for key in wanted if key not in instance]
        yield place, f"This entry lacks {' and '.join(missing)}."
    elif "propertyNames" in error.absolute_schema_path:
        at = (str(error.absolute_schema_path[1]), *place[1:])
        yield (*place, str(instance)), words.wanted_key(at)
    elif error.validator == "type" and instance is None:
        yield place, f"{name} has no value."
    elif error.validator == "type":
        yield place, f"{name} has to be {_KINDS.get(str(wanted), 'a text')}, not {_kind(instance)}."
    elif error.validator == "enum":
        yield (
            place,
            f"{name} has to be one of {', '.join(one for one in wanted if isinstance(one, str))}.",
        )
    else:
        yield place, words.wanted(place, name)


_KINDS = {
    "object": "a mapping (key: value)",
    "array": "a list of entries, each beginning with '- '",
}


def _kind(value: Any) -> str:
    return (
        "a mapping"
        if isinstance(value, dict)
        else "a list"
        if isinstance(value, list)
        else "a single value"
    )
