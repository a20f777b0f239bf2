"""Policies: what has to hold after a change, read from a YAML file with the place of each
(docs/policies.md).

The file is checked against ``policies.schema.json``. A gate with a mistake in it would let changes
pass that it was written against: nothing of a file with a mistake is used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from topograph.errors import InputError, UnknownDestination, UsageError
from topograph.findings import Severity, Source
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
from topograph.records import record
from topograph.rules.unnumbered import POLICIES_INVALID, POLICIES_UNREADABLE

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

RULES = (
    "reaches",
    "never_reaches",
    "delivers",
    "never_delivers",
    "ends_in",
    "never_ends_in",
    "passes",
    "avoids",
    "max_hops",
    "survives_any_single",
    "legal",
    "no_loss",
    "no_duplicates",
    "no_new_findings",
)
"""What a policy may ask for, one each."""

OF_THE_CHANGE = frozenset({"no_loss", "no_duplicates", "no_new_findings"})
"""Rules about what a change does: they mean nothing of one state alone."""

KNOWN_ONLY = "known-only"

MAX_BYTES = 8 * 2**20
_LIMITS = yaml_text.YamlLimits(MAX_BYTES, depth=20, aliases=0)


@record(slots=False)
class Group:
    """A set of servers: those with a link in a zone, of a system, in a cluster, with names like a
    pattern; those of which all that is said holds."""

    zone: str = ""
    system: str = ""
    cluster: str = ""
    pattern: str = ""

    def __str__(self) -> str:
        said = ((name, getattr(self, name)) for name in ("zone", "system", "cluster", "pattern"))
        return f"{{{', '.join(f'{name}: {value}' for name, value in said if value)}}}"


ServerSet = tuple[str | Group, ...]
"""Names, patterns and groups, together."""

_ANY: ServerSet = ("*",)


@record(slots=False)
class Exclusion:
    """Ordered pairs that a policy leaves out: from one set of servers to another; ``either`` where
    a server of ``from_`` may stand at either end."""

    from_: ServerSet = _ANY
    to: ServerSet = _ANY
    either: bool = False


@record(slots=False)
class Waiver:
    """Leave for a policy to fail until a day, that included: why, and who answers for it. ``for_``
    are the pairs that it is about; None: everything."""

    reason: str
    owner: str
    expires: date
    for_: Exclusion | None = None

    def __str__(self) -> str:
        return f"{self.reason} ({self.owner}, until {self.expires.isoformat()})"


@record(slots=False)
class Policy:
    """One policy. ``rule`` is one of RULES; ``from_`` and ``to`` are names of servers or
    patterns of such, of a rule about servers, but for the pairs of ``except_``. A rule about
    messages has a ``message``, ``max_hops`` has ``hops``, ``ends_in`` has ``outcomes``, ``passes``
    and ``avoids`` have ``through``, ``survives_any_single`` says of what (``single``), and
    ``no_new_findings`` from which severity on (``least``). ``known_only``: only subscribers that
    are known count. With ``severity`` ``warn`` it never changes the verdict; ``not_worse``: what
    failed before in the same way does not count."""

    id: str
    rule: str
    source: Source
    because: str = ""
    from_: ServerSet = _ANY
    to: ServerSet = _ANY
    message: Message | None = None
    hops: int = 0
    known_only: bool = False
    severity: Literal["block", "warn"] = "block"
    waivers: tuple[Waiver, ...] = ()
    not_worse: bool = False
    except_: tuple[Exclusion, ...] = ()
    outcomes: tuple[str, ...] = ()
    through: ServerSet = ()
    single: Literal["", "server", "link"] = ""
    least: Severity = Severity.WARNING


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
                f"{two.source}: the id {two.id!r} is already used in {first[two.id].source}."
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
    if name == "expires":
        return "expires has to be a day, as in 2027-03-31."
    if name == "outcomes" or "outcomes" in place:
        return "An outcome such as DELIVERED or DLQ, or a list of these, is needed here."
    if "except" in place:
        return "A server, a set of servers, from and to, or a list of these is needed here."
    if name == "hops":
        return "hops has to be a whole number."
    if {"from", "to", "through"} & {*place}:
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
            message = f"The id {entry['id']!r} is already used in line {first.line}."
            document.found.error(POLICIES_INVALID, message, source.line, source.column)
        policy = _policy(document, place, entry, rules[0], every)
        if policy is not None:
            yield policy


def _policy(
    document: YamlDocument, place: Place, entry: Mapping[str, Any], rule: str, every: str
) -> Policy | None:
    """One policy; None with a finding where its parts do not go together."""
    held = entry[rule]
    body: Mapping[str, Any] = held if isinstance(held, dict) else {}
    not_worse = str(entry.get("not_worse", "")).lower() == "true"
    if not_worse and rule in OF_THE_CHANGE:
        _error(document, (*place, "not_worse"), f"{rule} is about the change already.")
        return None
    found = Policy(
        entry["id"],
        rule,
        document.source(place),
        entry.get("because", ""),
        _servers(body.get("from", _ANY)),
        _servers(body.get("to", _ANY)),
        _message(document, (*place, rule), body) if "destination" in body else None,
        int(body.get("hops", 0)),
        entry.get("subscribers", every) == KNOWN_ONLY,
        entry.get("severity", "block"),
        tuple(_waivers(document, place, entry)),
        not_worse,
        tuple(_exclusions(body.get("except", ()))),
        _names(body.get("outcomes", ())),
        _servers(body.get("through", ())),
    )
    if rule == "survives_any_single":
        return replace(found, single=body["of"] if body else held)
    if rule == "no_new_findings":
        return replace(found, least=Severity(body.get("severity", "warning")))
    return found


def _waivers(document: YamlDocument, place: Place, entry: Mapping[str, Any]) -> Iterator[Waiver]:
    for number, one in enumerate(_entries(entry.get("waivers", ()))):
        at = (*place, "waivers", number, "expires")
        try:
            day = date.fromisoformat(one["expires"])
        except ValueError:
            _error(document, at, f"There is no day {one['expires']!r}. Write it as 2027-03-31.")
            continue
        pairs = {"from", "to"} & one.keys()
        yield Waiver(one["reason"], one["owner"], day, _pairs(one) if pairs else None)


def _exclusions(held: Any) -> Iterator[Exclusion]:
    """What ``except`` leaves out: servers, at either end, or pairs."""
    for one in _entries(held):
        if isinstance(one, dict) and {"from", "to"} & one.keys():
            yield _pairs(one)
        else:
            yield Exclusion(_servers(one), either=True)


def _pairs(held: Mapping[str, Any]) -> Exclusion:
    return Exclusion(_servers(held.get("from", _ANY)), _servers(held.get("to", _ANY)))


def _entries(held: Any) -> Sequence[Any]:
    return held if isinstance(held, list | tuple) else [held]


def _servers(held: Any) -> ServerSet:
    return tuple(Group(**one) if isinstance(one, dict) else one for one in _entries(held))


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
