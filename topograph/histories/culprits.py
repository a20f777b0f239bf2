"""Which entry of the configuration decides between two states: one that holds and one that does
not.

Every entry that differs is put into the state before by itself, and the question is asked again.
An entry that decides alone is a cause, whatever else came with it; where none does, the smallest
set is sought that does together (delta debugging).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from topograph.audit.sameness import Content, content, facts_of
from topograph.errors import TopographError
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.histories.records import Culprit
from topograph.opening.folders import in_order, network_data
from topograph.opening.models import model_of
from topograph.questions.model import Model
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.store.snapshot import MemorySnapshot

MOST_ALONE = 200
"""Entries that are tried one by one."""
MOST_TRIED = 400
"""States that are made to find what decides."""


@record(slots=False)
class Found:
    """The entries that decide; ``because`` says why none is named."""

    culprits: tuple[Culprit, ...]
    each_alone: bool = False
    because: str = ""


@record(slots=False)
class _Unit:
    """An entry as it was and as it is; topograph.yaml where it is neither."""

    was: Fact | None = None
    is_now: Fact | None = None


def culprits_between(before: Model, after: Model, broken: Callable[[Model], bool]) -> Found:
    """The entries that make of ``before``, which is not broken, something that is. The states that
    are made of both are at most MOST_TRIED, each read and judged as a network of that size."""
    trial = _Trial(before, after, broken)
    if not trial.units:
        return _files(before, after, "no entry differs")
    if not trial.breaks(trial.units):
        return _files(before, after, "the entries that differ do not decide it by themselves")
    if len(trial.units) <= MOST_ALONE:
        alone = [one for one in trial.units if trial.breaks([one])]
        if alone:
            return Found(tuple(map(_told, alone)), each_alone=True)
    least = trial.smallest()
    if least is None:
        return _files(before, after, f"more than {MOST_TRIED:,} states would have to be tried")
    return Found(tuple(map(_told, least)), each_alone=len(least) == 1)


class _Trial:
    """States between two, made of the entries of both."""

    def __init__(self, before: Model, after: Model, broken: Callable[[Model], bool]) -> None:
        self.broken = broken
        self.network = before.network
        self.facts = _by_content(before)
        self.side_inputs = before.side_inputs, after.side_inputs
        self.units = [*_units(self.facts, _by_content(after))]
        if _plain(before.side_inputs) != _plain(after.side_inputs):
            self.units.append(_Unit())
        self.tried = 0

    def breaks(self, units: Sequence[_Unit]) -> bool:
        """Whether the state before is broken once these entries are as they are after."""
        self.tried += 1
        facts = {key: [*own] for key, own in self.facts.items()}
        for unit in units:
            if unit.was is not None:
                facts[_key(unit.was)].pop()
            if unit.is_now is not None:
                facts.setdefault(_key(unit.is_now), []).append(unit.is_now)
        side_inputs = self.side_inputs[any(one == _Unit() for one in units)]
        try:
            data = network_data(
                in_order([fact for own in facts.values() for fact in own]), _given(side_inputs)
            )
            snapshot = MemorySnapshot("", self.network, {self.network: data})
            return self.broken(model_of(snapshot, self.network))
        except TopographError:  # no network at all is not the one that is asked about
            return False

    def smallest(self) -> Sequence[_Unit] | None:
        """A set of entries that breaks the state, and does not without any one of them; None where
        too many states would have to be tried."""
        left, parts = [*self.units], 2
        while len(left) > 1:
            size = -(-len(left) // parts)
            chunks = [left[at : at + size] for at in range(0, len(left), size)]
            for chunk in chunks:
                rest = [one for one in left if one not in chunk]
                if self.tried >= MOST_TRIED:
                    return None
                if self.breaks(rest):
                    left, parts = rest, max(2, parts - 1)
                    break
            else:
                if parts >= len(left):
                    break
                parts = min(len(left), 2 * parts)
        return left


def _by_content(model: Model) -> Mapping[Content, list[Fact]]:
    found: dict[Content, list[Fact]] = {}
    for part in model.parts:
        for fact in facts_of(part):
            found.setdefault(_key(fact), []).append(fact)
    return found


def _key(fact: Fact) -> Content:
    return (fact.system, *content(fact))


def _units(
    before: Mapping[Content, list[Fact]], after: Mapping[Content, list[Fact]]
) -> Iterator[_Unit]:
    """The entries that only one of two states has; one of the same kind, server and name in both
    is one that is altered. Linear in the entries.
    """
    gone: dict[Content, list[Fact]] = {}
    for key, own in before.items():
        for fact in own[len(after.get(key, ())) :]:
            gone.setdefault(key[:-1], []).append(fact)
    for key, own in after.items():
        for fact in own[len(before.get(key, ())) :]:
            same = gone.get(key[:-1])
            yield _Unit(same.pop(0) if same else None, fact)
    for own in gone.values():
        for fact in own:
            yield _Unit(fact)


def _given(side_inputs: SideInputs) -> SideInputs:
    """Side inputs as they were given, without what reading found out."""
    return replace(side_inputs, contradictions=())


def _plain(value: Any) -> Any:
    """A record and its parts without the places that they stand at."""
    if isinstance(value, Source):
        return None
    if isinstance(value, SideInputs):
        value = replace(value, contradictions=(), choices=(), waivers=())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = [getattr(value, one.name) for one in dataclasses.fields(value)]
        return type(value).__name__, [_plain(one) for one in own]
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


def _told(unit: _Unit) -> Culprit:
    was, now = unit.was, unit.is_now
    fact = now or was
    if fact is None:
        return Culprit("altered", "file", "", "topograph.yaml", Source("topograph.yaml"))
    if was is None or now is None:
        change = "added" if was is None else "removed"
        return Culprit(change, fact.kind, fact.server, fact.label, fact.source, system=fact.system)
    return Culprit(
        "altered",
        now.kind,
        now.server,
        now.label,
        _place(was, now, now.source) or now.source,
        _place(now, was, was.source) or was.source,
        now.system,
    )


def _place(other: Any, value: Any, here: Source) -> Source | None:
    """Where in a record the first thing stands that the other does not have; None where it has
    all. A part without a place of its own stands where the whole does."""
    if isinstance(value, Source) or _plain(other) == _plain(value):
        return None
    if isinstance(value, list | tuple):
        known = [_plain(one) for one in other] if isinstance(other, list | tuple) else []
        new = next((one for one in value if _plain(one) not in known), None)
        return None if new is None else _place(None, new, here) or here
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return here
    own = getattr(value, "source", here)
    here = own if isinstance(own, Source) and own.file else here
    if type(other) is not type(value):
        return here
    for one in dataclasses.fields(value):
        found = _place(getattr(other, one.name), getattr(value, one.name), here)
        if found is not None and found != here:
            return found
    return here


def _files(before: Model, after: Model, because: str) -> Found:
    """The files that differ, where no entry can be told apart."""
    was, now = before.records.origin.digests, after.records.origin.digests
    names = sorted(name for name in {*was, *now} if was.get(name) != now.get(name))
    return Found(
        tuple(
            Culprit(
                "added" if one not in was else "removed" if one not in now else "altered",
                "file",
                "",
                one,
                Source(one),
            )
            for one in names
        ),
        because=because,
    )
