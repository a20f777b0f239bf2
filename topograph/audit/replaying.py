"""A change compared with what is there once it went in: what of it is missing, and what came in
besides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from topograph.audit.comparing import change_between, compare, parts_compared, unread
from topograph.audit.judging import GivenScript, applied
from topograph.audit.verdict import of_replay
from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.questions.answers import EntryMoved
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.model import Model
from topograph.systems.contract.system import Change

Key = tuple[str, str, str, str, str]


def compare_with(
    model: Model, scripts: Sequence[GivenScript], after: Model, down: str | Sequence[str] = ()
) -> AuditAnswer:
    """What is different in ``after`` from what ``scripts`` were to make of ``model``: entries of
    the configuration that are missing or came besides, and what that means for reach, hops and
    deliveries. Commands that are refused count as not given.

    The verdict is ``reject`` where anything is different, ``undetermined`` where a file could not
    be read or the search ended first. Where an entry stands is no difference, nor is the order of
    its properties. Raises as ``audit`` and ``compare``."""
    meant, left_out = applied(model, scripts, down)
    expected = meant.after()
    answer = compare(expected, after)
    missing: list[EntryMoved] = []
    besides: list[EntryMoved] = []
    for one in meant.distinct():
        for part, other in parts_compared(replace(model, parts=[one.part]), after):
            real = change_between(part, other)
            left, more = _difference(one.change, real)
            missing += left
            besides += more
    judged = {id(one.part) for one in meant.distinct()}
    for part, other in parts_compared(model, after):
        if id(part) not in judged:
            besides += _difference(Change(), change_between(part, other))[1]
    told = replace(
        answer,
        replayed=True,
        missing=tuple(sorted(missing, key=_order)),
        besides=tuple(sorted(besides, key=_order)),
        left_open=(*left_out, *unread(after)),
    )
    return of_replay(told)


def _difference(meant: Change, real: Change) -> tuple[list[EntryMoved], list[EntryMoved]]:
    missing: list[EntryMoved] = []
    besides: list[EntryMoved] = []
    for name, wanted, found in (
        ("removed", meant.removed, real.removed),
        ("added", meant.added, real.added),
    ):
        missing += _without(name, wanted, found)
        besides += _without(name, found, wanted)
    return missing, besides


def _without(change: str, facts: Sequence[Fact], others: Sequence[Fact]) -> Iterator[EntryMoved]:
    """The facts that the others do not have, each as often as it is there more."""
    left = Counter(map(_key, others))
    for fact in facts:
        key = _key(fact)
        if left[key]:
            left[key] -= 1
        else:
            yield EntryMoved(change, fact.kind, fact.server, fact.label, fact.source, fact.system)


def _key(fact: Fact) -> Key:
    """A fact without the places that it and its parts stand at and without the order of its
    properties.
    """
    row = encode(fact)
    payload = json.dumps(_ordered(json.loads(without_places(row["payload"]))), sort_keys=True)
    return row["system"], row["kind"], row["server"], row["name"], payload


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    if all(
        isinstance(item, list) and len(item) == 2 and all(isinstance(one, str) for one in item)
        for item in value
    ):
        return sorted(value)
    return [_ordered(item) for item in value]


def _order(entry: EntryMoved) -> tuple[str, str, str, str]:
    return entry.server, entry.kind, entry.name, entry.change
