"""Where an estate's facts come from: a list of them, or another source with a change applied."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeVar

from topograph.facts.choice import FactChoice, FactsByServer, fact_order
from topograph.facts.fact import Fact, Servers
from topograph.facts.names import FactNames
from topograph.records import record
from topograph.systems.contract.system import Change, FactSource

F = TypeVar("F", bound=Fact)


def of_class(
    source: FactSource, cls: type[F], server: Servers = "", names: Container[str] | None = None
) -> list[F]:
    """The facts of one class, in the order of ``FactSource.facts``, whose cost this has."""
    found = source.facts((cls.kind,), server, names)
    return [fact for fact in found if isinstance(fact, cls)]


@record(slots=False)
class FactList:
    """Facts that are in memory (``contract.system.FactSource``)."""

    all: Sequence[Fact]

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """See ``FactSource``. Linear in the facts of the servers asked for, once all were looked
        through.
        """
        return self._by_server.chosen(FactChoice(kinds, server, names=names))

    @cached_property
    def _by_server(self) -> FactsByServer:
        return FactsByServer(self.all)

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """See ``FactSource``."""
        return iter(self.facts(kinds))

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """See ``FactSource``. Linear in all facts."""
        return FactNames.of(self.facts(kinds))


@record(slots=False)
class FactsOf:
    """The facts of some servers of another source."""

    whole: FactSource
    servers: frozenset[str]

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """See ``FactSource``."""
        wanted = frozenset({server}) if isinstance(server, str) and server else server
        own = self.servers & wanted if isinstance(wanted, frozenset) else self.servers
        return self.whole.facts(kinds, own, names) if own else []

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """See ``FactSource``. Holds the facts in memory."""
        yield from self.facts(kinds)

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """See ``FactSource``. Of all servers."""
        return self.whole.names(kinds)


@record(slots=False)
class FactsReadOnce:
    """The facts of another source, which reads those of all servers once for each choice of kinds:
    for who asks again and again, as each command of a script does, of a network that has more than
    a snapshot keeps decoded (``store.snapshot.FactsKept``)."""

    whole: FactSource
    _read: dict[tuple[str, ...], Sequence[Fact]] = field(default_factory=dict, compare=False)

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """See ``FactSource``. Those of all servers stay in memory."""
        if server or names is not None:
            return self.whole.facts(kinds, server, names)
        key = tuple(kinds)
        if key not in self._read:
            self._read[key] = self.whole.facts(kinds)
        return self._read[key]

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """See ``FactSource``."""
        return self.whole.stream(kinds)

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """See ``FactSource``."""
        return self.whole.names(kinds)


@record(slots=False)
class ChangedFacts:
    """The facts of another source after a change: those removed are gone, those added stand
    behind the others of their bundle.
    """

    before: FactSource
    change: Change

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        """See ``FactSource``. Linear in the facts of the other source and in the change."""
        gone = set(self.change.removed)
        kept = [fact for fact in self.before.facts(kinds, server, names) if fact not in gone]
        return list(
            heapq.merge(
                sorted(kept, key=fact_order), self._added(kinds, server, names), key=self._place
            )
        )

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        """See ``FactSource``. Holds the change in memory, and nothing else."""
        gone = set(self.change.removed)
        kept = (fact for fact in self.before.stream(kinds) if fact not in gone)
        return heapq.merge(kept, self._added(kinds, "", None), key=self._place)

    def _added(
        self, kinds: Sequence[str], server: Servers, names: Container[str] | None
    ) -> Sequence[Fact]:
        return sorted(
            FactChoice(kinds, server, names=names).among(self.change.added), key=self._place
        )

    @cached_property
    def _theirs(self) -> frozenset[str]:
        """The files of the facts that the change takes away or puts others in the place of."""
        return frozenset(fact.source.file for fact in self.change.removed)

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        """By identity, for hashing a fact takes as long as it is large."""
        return {id(fact): number for number, fact in enumerate(self.change.added)}

    def _place(self, fact: Fact) -> tuple[str, int, tuple[str, int, int]]:
        """The order of facts: what another file brings (a script) stands behind all others of
        its bundle, in the order of the change.
        """
        number = self._numbers.get(id(fact))
        if number is None or fact.source.file in self._theirs:
            return fact.bundle, 0, (fact.source.file, fact.source.line, fact.source.column)
        return fact.bundle, 1, ("", number, 0)

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        """See ``FactSource``. Linear in the facts, which it decodes: whether a bundle is left
        empty cannot be seen from the change alone.
        """
        return FactNames.of(self.facts(kinds))
