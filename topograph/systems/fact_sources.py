"""Where an estate's facts come from: a list of them, or another source with a change applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topograph.facts.fact import Fact
from topograph.systems.protocol import Change, FactSource


def _order(fact: Fact) -> tuple[str, str, int, int]:
    return fact.bundle, fact.source.file, fact.source.line, fact.source.column


def _chosen(facts: Iterable[Fact], kinds: Sequence[str], server: str) -> list[Fact]:
    return [fact for fact in facts if (not kinds or fact.kind in kinds) and (not server or fact.server == server)]


@dataclass(frozen=True)
class FactList:
    """Facts that are in memory (``protocol.FactSource``)."""

    all: Sequence[Fact]

    def facts(self, kinds: Sequence[str] = (), server: str = "") -> Sequence[Fact]:
        """See ``FactSource``. Linear in all facts."""
        return _chosen(self.all, kinds, server)


@dataclass(frozen=True)
class ChangedFacts:
    """The facts of another source after a change: those removed are gone, those added stand behind the others of their bundle."""

    before: FactSource
    change: Change

    def facts(self, kinds: Sequence[str] = (), server: str = "") -> Sequence[Fact]:
        """See ``FactSource``. Linear in the facts of the other source and in the change."""
        gone = set(self.change.removed)
        kept = [fact for fact in self.before.facts(kinds, server) if fact not in gone]
        return sorted([*kept, *_chosen(self.change.added, kinds, server)], key=_order)
