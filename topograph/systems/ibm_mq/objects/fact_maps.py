"""The facts of one kind of a network, read by server and by name when they are asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Generic, TypeVar

from topograph.facts.ibm_mq import Channel, Described
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import FactSource
from topograph.systems.ibm_mq.ambiguities import C9, C10

AnyFact = TypeVar("AnyFact", bound=Described)

MANY = 24
"""Questions for one server or one name after which all facts of a kind are read together."""


class Facts(Generic[AnyFact]):
    """The facts of one kind of a network, by server and by label."""

    def __init__(self, source: FactSource, cls: type[AnyFact], readings: Readings) -> None:
        self.source, self.cls = source, cls
        self._without_unknown = readings.takes(C10, "refused")
        self._by_server: dict[str, tuple[AnyFact, ...]] = {}
        self._by_label: dict[str, tuple[AnyFact, ...]] = {}
        self._asked = 0
        self._complete = False
        self._refused: dict[str, dict[str, AnyFact]] = {}
        self._last = readings.takes(C9, "last")
        self._others: dict[tuple[str, str], list[AnyFact]] = {}

    def others(self, fact: AnyFact) -> Sequence[AnyFact]:
        """The definitions of the same object, of a kind of which one name is one object, that
        are not used and say something else (C-9).
        """
        self.of(fact.server)
        return self._others.get((fact.server, fact.label), ())

    def refused(self, server: str) -> Sequence[AnyFact]:
        """What definitions were to make that the queue manager refuses, by file and line."""
        self.of(server)
        return tuple(self._refused.get(server, {}).values())

    def refused_named(self, wanted: Iterable[str]) -> list[AnyFact]:
        """The same of all servers, with one of some labels."""
        among = tuple(wanted)
        self.named(among)
        return [
            fact
            for server in sorted(self._refused)
            for fact in self._refused[server].values()
            if fact.label in among
        ]

    def all_refused(self) -> Iterator[AnyFact]:
        """The same of all servers, by server."""
        self._read_all()
        for server in sorted(self._refused):
            yield from self._refused[server].values()

    def of(self, server: str) -> Sequence[AnyFact]:
        """The facts of one server, by bundle, file and line."""
        if server not in self._by_server and not self._has_read_all():
            self._by_server[server] = tuple(
                self._usable(self.source.facts((self.cls.kind,), server))
            )
        return self._by_server.get(server, ())

    def named(self, wanted: Iterable[str]) -> list[AnyFact]:
        """The facts of all servers with one of some labels."""
        among = tuple(wanted)
        unread = [label for label in among if label not in self._by_label]
        if unread and not self._has_read_all():
            by_label: dict[str, list[AnyFact]] = {label: [] for label in unread}
            for fact in self._usable(self.source.facts((self.cls.kind,), names=unread)):
                by_label[fact.label].append(fact)
            self._by_label |= {label: tuple(facts) for label, facts in by_label.items()}
        return [fact for label in among for fact in self._by_label.get(label, ())]

    def all(self) -> Iterator[AnyFact]:
        """All facts of the kind, server by server."""
        self._read_all()
        for server in sorted(self._by_server):
            yield from self._by_server[server]

    def _has_read_all(self) -> bool:
        if not self._complete:
            self._asked += 1
            if self._asked > MANY:
                self._read_all()
        return self._complete

    def _read_all(self) -> None:
        if self._complete:
            return
        by_server: dict[str, list[AnyFact]] = {}
        by_label: dict[str, list[AnyFact]] = {}
        for fact in self._usable(self.source.facts((self.cls.kind,))):
            by_server.setdefault(fact.server, []).append(fact)
            by_label.setdefault(fact.label, []).append(fact)
        self._by_server = {name: tuple(facts) for name, facts in by_server.items()}
        self._by_label = {name: tuple(facts) for name, facts in by_label.items()}
        self._complete = True

    def _usable(self, facts: Iterable[object]) -> Iterator[AnyFact]:
        """What is there: not deleted, and not refused by the queue manager (C-10)."""
        there: list[AnyFact] = []
        for fact in facts:
            if not isinstance(fact, self.cls):
                continue
            if fact.verb == "REFUSED":
                self._refused.setdefault(fact.server, {})[f"{fact.label} {fact.source}"] = fact
            elif fact.verb != "DELETE" and not (self._without_unknown and fact.unknown):
                there.append(fact)
        return self._once(there)

    def _once(self, facts: Sequence[AnyFact]) -> Iterator[AnyFact]:
        """Each object once: equal copies of a definition are one, and of channels, whose names
        are unique, the first file counts where several differ, or the last (C-9).
        """
        found: dict[tuple[str, str], list[AnyFact]] = {}
        for fact in facts:
            found.setdefault((fact.server, fact.label), []).append(fact)
        if len(found) == len(facts):
            return iter(facts)
        kept: set[int] = set()
        for key, alike in found.items():
            distinct = alike
            if len(alike) > 1:
                first: dict[Hashable, AnyFact] = {}
                for one in alike:
                    first.setdefault(_content(one), one)
                distinct = [*first.values()]
            if self.cls is Channel and len(distinct) > 1:
                defined = [one for one in distinct if one.verb != "ALTER"] or distinct
                used = defined[-1 if self._last else 0]
                self._others[key] = [one for one in distinct if one is not used]
                distinct = [used]
            kept.update(map(id, distinct))
        return (fact for fact in facts if id(fact) in kept)


_PLACES = ("bundle", "source", "attributes")
_SILENT = frozenset({"ALTDATE", "ALTTIME", "DESCR"})
"""Attributes that decide nothing."""


def _content(fact: Described) -> Hashable:
    """What a definition says, wherever it stands."""
    said = {one.name: one.value.rstrip(" ") for one in fact.attributes if one.name not in _SILENT}
    own = (getattr(fact, one.name) for one in fields(fact) if one.name not in _PLACES)
    return (*own, *sorted(said.items()))
