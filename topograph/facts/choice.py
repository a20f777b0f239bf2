"""Which facts of a network are asked for, and which of some in memory those are."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from functools import cached_property

from topograph.facts.fact import Fact, Servers
from topograph.records import record


def fact_order(fact: Fact) -> tuple[str, str, int, int]:
    """What the facts of a network are sorted by."""
    return fact.bundle, fact.source.file, fact.source.line, fact.source.column


@record
class FactChoice:
    """The facts of some kinds, of one server (or some), of one system, with one of the ``names``
    (``Fact.label``), which may be given by what they have in common. What is empty does not count;
    without ``names`` (None) all have one.
    """

    kinds: Sequence[str] = ()
    server: Servers = ""
    system: str = ""
    names: Container[str] | None = None

    @property
    def servers(self) -> Collection[str]:
        """The servers asked for, one or some."""
        return (self.server,) if isinstance(self.server, str) else self.server

    def has_kind(self, kind: str, system: str) -> bool:
        """Whether facts of a kind of a system are asked for."""
        return (not self.kinds or kind in self.kinds) and (not self.system or system == self.system)

    def among(self, facts: Iterable[Fact]) -> list[Fact]:
        """Those of ``facts`` that are asked for, in their order. Linear."""
        kinds, server, system, names = self.kinds, self.server, self.system, self.names
        servers = self.servers
        return [
            fact
            for fact in facts
            if (not kinds or fact.kind in kinds)
            and (not server or fact.server in servers)
            and (not system or fact.system == system)
            and (names is None or fact.label in names)
        ]


@record(slots=False)
class FactsByServer:
    """Facts in memory, with the places of those of each server."""

    facts: Sequence[Fact]

    def chosen(self, choice: FactChoice) -> list[Fact]:
        """Those that are asked for, in the order in which they stand. Linear in the facts of the
        servers asked for, once all were looked through.
        """
        if not choice.server:
            return choice.among(self.facts)
        places = sorted(place for name in choice.servers for place in self._places.get(name, ()))
        return choice.among(self.facts[place] for place in places)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, fact in enumerate(self.facts):
            found.setdefault(fact.server, []).append(place)
        return found
