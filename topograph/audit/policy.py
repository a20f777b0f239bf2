"""Policies: what has to hold after a change, read from a YAML file with the place of each
(docs/policies.md).

The file is checked against ``policies.schema.json``. A gate with a mistake in it would let changes
pass that it was written against: nothing of a file with a mistake is used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topograph.errors import InputError, UnknownDestination, UsageError
from topograph.findings import Source
from topograph.importers.checked_yaml import (
    Place,
    Words,
    YamlDocument,
    YamlReading,
    complaints,
    compose,
)
from topograph.importers.positions import yaml_text
from topograph.message import Message, Properties, Value, parse_value
from topograph.rules.unnumbered import POLICIES_INVALID, POLICIES_UNREADABLE

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

RULES = ("reaches", "never_reaches", "delivers", "never_delivers", "max_hops", "legal", "no_loss")
"""What a policy may ask for, one each."""

KNOWN_ONLY = "known-only"

MAX_BYTES = 8 * 2**20
_LIMITS = yaml_text.YamlLimits(MAX_BYTES, depth=20, aliases=0)

_ANY = ("*",)


@dataclass(frozen=True)
class Policy:
    """One policy. ``rule`` is one of RULES; ``from_`` and ``to`` are names of servers or
    patterns of such, of a rule about servers. A rule about messages has a ``message``,
    ``max_hops`` has ``hops``. ``known_only``: only subscribers that are known count."""

    id: str
    rule: str
    source: Source
    because: str = ""
    from_: tuple[str, ...] = _ANY
    to: tuple[str, ...] = _ANY
    message: Message | None = None
    hops: int = 0
    known_only: bool = False


def read_policies(data: bytes, name: str) -> tuple[Policy, ...]:
    """The policies of a file that is cited as ``name``. Raises InputError with each mistake by
    its line; no other error on any bytes. Linear in the file, apart from looking for what a
    misspelt key may have meant."""
    found = YamlReading(name, POLICIES_UNREADABLE, POLICIES_INVALID)
    root = compose(found, data, _LIMITS)
    if root is None:
        if not found.findings:
            found.error(POLICIES_UNREADABLE, "There are no policies in this file.", 1)
        raise _invalid(found)
    document = YamlDocument(found)
    instance = document.plain(root, ())
    for place, message in complaints(_validator(), instance, _WORDS):
        source = document.source(place)
        found.error(POLICIES_INVALID, message, source.line, source.column)
    if found.findings:
        raise _invalid(found)
    policies = tuple(_policies(document, instance))
    if found.findings:
        raise _invalid(found)
    return policies


Policies = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""Policies as a person gives them: the path of a file or its text (a text of several lines), or
several of these.
"""


def policies_of(given: Policies) -> tuple[Policy, ...]:
    """All policies that are given, in order. Raises InputError for a file that cannot be read,
    and what ``read_policies`` raises.
    """
    found: list[Policy] = []
    for one in [given] if isinstance(given, (str, os.PathLike)) else given:
        if isinstance(one, str) and "\n" in one:
            found += read_policies(one.encode(errors="surrogatepass"), "policy")
            continue
        try:
            with Path(one).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InputError(f"{os.fspath(one)} cannot be read: {why}.") from error
        found += read_policies(data, os.fspath(one))
    first: dict[str, Policy] = {}
    twice = [two for two in found if first.setdefault(two.id, two) is not two]
    if twice:
        raise InputError(
            *(
                f"{two.source}: the id {two.id!r} is taken: it stands in {first[two.id].source}."
                for two in twice
            )
        )
    return tuple(found)


def _invalid(found: YamlReading) -> InputError:
    ordered = sorted(found.findings, key=lambda finding: finding.source)
    return InputError(*(f"{finding.source}: {finding.message}" for finding in ordered))


@cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads(files(__package__).joinpath("policies.schema.json").read_bytes())
    )


def _wanted(place: Place, name: str) -> str:
    if place == ("policies",):
        return "At least one policy is needed here."
    if name == "hops":
        return "hops has to be a whole number."
    if {"from", "to"} & {*place}:
        return "A server, a pattern such as BRANCH-*, or a list of these is needed here."
    return f"{name} has no value."


_WORDS = Words("The file", lambda _: "The name of a property is needed here.", _wanted)


def _policies(document: YamlDocument, instance: Any) -> Iterator[Policy]:
    """The policies of a file that fits the schema; what the schema cannot say is added to the
    findings.
    """
    seen: dict[str, Source] = {}
    every = instance.get("subscribers", "all")
    for number, entry in enumerate(instance["policies"]):
        place: Place = ("policies", number)
        source = document.source(place)
        rules = [key for key in entry if key in RULES]
        if len(rules) != 1:
            what = f"{' and '.join(rules)} are {len(rules)}" if rules else "this one has none"
            message = f"A policy has one of {', '.join(RULES)}: {what}."
            document.found.error(POLICIES_INVALID, message, source.line, source.column)
            continue
        first = seen.setdefault(entry["id"], source)
        if first is not source:
            message = f"The id {entry['id']!r} is taken: it stands in line {first.line}."
            document.found.error(POLICIES_INVALID, message, source.line, source.column)
        held = entry[rules[0]]
        body: Mapping[str, Any] = held if isinstance(held, dict) else {}
        yield Policy(
            entry["id"],
            rules[0],
            source,
            entry.get("because", ""),
            _names(body.get("from", _ANY)),
            _names(body.get("to", _ANY)),
            _message(document, (*place, rules[0]), body) if "destination" in body else None,
            int(body.get("hops", 0)),
            entry.get("subscribers", every) == KNOWN_ONLY,
        )


def _names(held: str | Sequence[str]) -> tuple[str, ...]:
    return (held,) if isinstance(held, str) else tuple(held)


def _message(document: YamlDocument, place: Place, body: Mapping[str, Any]) -> Message | None:
    """The message of a policy; None with a finding where there can be no such message."""
    properties = _properties(document, (*place, "properties"), body.get("properties", {}))
    try:
        return Message.to(body["destination"], properties, user=body.get("user", ""))
    except UnknownDestination as error:
        _error(document, (*place, "destination"), str(error))
    except UsageError as error:
        _error(document, (*place, "properties"), str(error))
    return None


def _properties(document: YamlDocument, place: Place, held: Mapping[str, str]) -> Properties:
    """Values as on the command line; a text in quotes is a text."""
    found: dict[str, Value | None] = {}
    for name, text in held.items():
        at = (*place, name)
        try:
            found[name] = text if at in document.quoted else parse_value(text)
        except UsageError as error:
            _error(document, at, str(error))
    return found


def _error(document: YamlDocument, place: Place, message: str) -> None:
    source = document.source(place)
    document.found.error(POLICIES_INVALID, message, source.line, source.column)
