"""Whether two states of a network say the same: equal facts are equal answers, whatever else is
unknown.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from topograph.audit.findings_brought import said
from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.findings import Severity, Source
from topograph.questions.model import Model, Part
from topograph.systems import systems_in
from topograph.systems.contract.system import Change

Content = tuple[str, ...]
"""A fact without the places that it and its parts stand at."""

_UNORDERED = frozenset({"attributes", "parameters", "places", "properties"})
"""Parts of facts whose entries count by name: no answer depends on their order, unless a name
stands twice."""


def facts_of(part: Part) -> Iterator[Fact]:
    """All facts of a part, by system, bundle, file and line."""
    for system in systems_in(part.graph):
        yield from part.facts_of(system).facts()


def content(fact: Fact) -> Content:
    """What a fact says, wherever it stands."""
    row = encode(fact)
    return row["kind"], row["server"], row["name"], without_places(row["payload"])


def same_input(model: Model, after: Model) -> bool:
    """Whether two states were read from the same files, all of which could be read."""
    unread = model.unreadable or after.unreadable
    return model.snapshot == after.snapshot and model.network == after.network and not unread


def same(
    model: Model, after: Model, pairs: Sequence[tuple[Part, Part]], changes: Sequence[Change]
) -> bool:
    """Whether two states, whose parts differ by ``changes``, are the same configuration, but for
    comments, places, the names of
    folders, and an order that decides nothing. Not where a file could not be read that is not the
    same in both. Linear in the facts.
    """
    if len(pairs) != len(model.parts) or len(pairs) != len(after.parts):
        return False
    if any(systems_in(part.graph) != systems_in(other.graph) for part, other in pairs):
        return False
    said = [
        _without_sources(
            dataclasses.replace(
                one.side_inputs, contradictions=(), choices=(), waivers=(), owners=()
            )
        )
        for one in (model, after)
    ]
    if said[0] != said[1]:
        return False
    if _unread(model) != _unread(after):
        return False
    if any(_counted(one.removed) != _counted(one.added) for one in changes):
        return False
    if any(_as_told(part) != _as_told(other) for part, other in pairs):
        return False
    # What a reader guessed, or left out, stands in findings only.
    return _warned(model) == _warned(after)


def _without_sources(value: Any) -> Any:
    """A record and its parts without the places that they stand at."""
    if isinstance(value, Source):
        return None
    if dataclasses.is_dataclass(value):
        return [_without_sources(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, list | tuple):
        return [_without_sources(one) for one in value]
    return value


def _unread(model: Model) -> list[str]:
    """The files that were recognised and could not be read, by what they hold."""
    digests = model.records.origin.digests
    files = [one.path for one in model.records.files if one.status == "not-read"]
    return sorted(digests.get(path, path) for path in {*files, *model.unreadable})


def _warned(model: Model) -> set[tuple[str, ...]]:
    """What is wrong or risky in a state, wherever it stands."""
    return {said(one) for one in model.records.findings if one.severity is not Severity.INFO}


def _counted(facts: Sequence[Fact]) -> Counter[Content]:
    return Counter(map(_normal, facts))


def _as_told(part: Part) -> tuple[Counter[Content], dict[str, list[list[Content]]]]:
    """What the facts of a part say: how often each, and in order what is said more than once, for
    there the order may decide: several facts of one name, several descriptions of one server."""
    counts: Counter[Content] = Counter()
    bundles: dict[str, dict[str, list[Content]]] = {}
    named: dict[Content, list[Content]] = {}
    for fact in facts_of(part):
        said = _normal(fact)
        counts[said] += 1
        bundles.setdefault(fact.server, {}).setdefault(fact.bundle, []).append(said)
        named.setdefault(said[:-1], []).append(said)
    in_order = {server: [*own.values()] for server, own in bundles.items() if len(own) > 1}
    in_order |= {"\0".join(name): [own] for name, own in named.items() if len(set(own)) > 1}
    return counts, in_order


def _normal(fact: Fact) -> Content:
    """The content of a fact, with the entries in order whose order says nothing."""
    *head, payload = content(fact)
    value = json.loads(payload)
    return (fact.system, *head, json.dumps(_ordered(value), sort_keys=True))


def _ordered(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _ordered(item, name) for name, item in value.items()}
    if not isinstance(value, list):
        return value
    items = [_ordered(item) for item in value]
    if key not in _UNORDERED:
        return items
    names = [json.dumps(_name(item)) for item in items]
    return sorted(items, key=lambda item: json.dumps(_name(item))) if _distinct(names) else items


def _distinct(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)


def _name(item: Any) -> Any:
    """What an entry is called: its first part, or the whole of it."""
    if isinstance(item, dict):
        return item.get("name", item)
    return item[0] if isinstance(item, list) and item else item
