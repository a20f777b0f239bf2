"""The facts of a network of routers, read as they are needed.

Nearly all facts of a large network are address entries, because one list of addresses is rolled out
to every router; a question about one message needs those of the few addresses it passes. Their
labels (``Entity.label``) say which they are before any of them is decoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from topograph.facts.amq_interconnect import ADDRESS, Entity, Shown, type_of
from topograph.facts.names import FactNames
from topograph.records import record
from topograph.systems.contract.system import FactSource

KINDS = (Entity.kind,)


@record(slots=False)
class RouterFacts:
    """The entities of a network of routers; each part is read once, when it is first asked for."""

    source: FactSource

    @cached_property
    def all(self) -> Sequence[Entity]:
        """Every entity, by bundle, file and line."""
        return [fact for fact in self.source.facts(KINDS) if isinstance(fact, Entity)]

    def each(self) -> Iterator[Entity]:
        """The same one by one: no more than a block of them is in memory, unless all are."""
        found = self.__dict__.get("all") or self.source.stream(KINDS)
        return (fact for fact in found if isinstance(fact, Entity))

    @cached_property
    def shown(self) -> Sequence[Shown]:
        """How much the loaded output shows of each router (D-1, 3.5)."""
        return [fact for fact in self.source.facts((Shown.kind,)) if isinstance(fact, Shown)]

    def shown_of(self, server: str) -> tuple[Shown, ...]:
        """How much the loaded output shows of one router."""
        found = self.source.facts((Shown.kind,), server)
        return tuple(fact for fact in found if isinstance(fact, Shown))

    @cached_property
    def names(self) -> FactNames:
        """The labels and bundles of all entities."""
        return self.source.names(KINDS)

    @cached_property
    def essential(self) -> Sequence[Entity]:
        """The entities without the address entries of plain bundles: enough for everything but
        those entries. Linear in them.
        """
        return self._parts[0]

    @cached_property
    def plain_bundles(self) -> frozenset[str]:
        """The bundles whose address entries say nothing about their router: it has a section
        there, and no other dump of it is loaded from which the fullest table of addresses would
        be chosen (D-1). The address entries of all others are read with the rest."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[Sequence[Entity], frozenset[str]]:
        found = self.named([label for label in self.names.count if type_of(label) != ADDRESS])
        plain = self._plain(found)
        others = sorted({server for bundle, server in self.names.bundles if bundle not in plain})
        whole = [fact for server in others for fact in self.source.facts(KINDS, server)]
        kept = [fact for fact in found if fact.bundle in plain]
        kept += [fact for fact in whole if isinstance(fact, Entity) and fact.bundle not in plain]
        # the entities of one bundle come from one of the two, in their order
        return sorted(kept, key=lambda fact: fact.bundle), plain

    def _plain(self, found: Sequence[Entity]) -> frozenset[str]:
        servers: dict[str, set[str]] = {}
        for bundle, server in self.names.bundles:
            servers.setdefault(bundle, set()).add(server)
        origins: dict[str, set[str]] = {}
        for fact in found:
            origins.setdefault(fact.bundle, set()).add(fact.origin)
        sections = {fact.bundle for fact in found if fact.type == "router"}
        # a bundle without any entity but address entries may be a dump too
        dumps: dict[str, int] = {}
        for bundle, server in self.names.bundles:
            dumps[server] = dumps.get(server, 0) + (origins.get(bundle) != {"file"})
        return frozenset(
            bundle
            for bundle, own in servers.items()
            if len(own) == 1
            and bundle in sections
            and (
                origins[bundle] == {"file"}
                or (origins[bundle] == {"dump"} and dumps[next(iter(own))] == 1)
            )
        )

    def named(self, labels: Iterable[str]) -> Sequence[Entity]:
        """The entities with one of these labels. Decodes no others."""
        return [
            fact
            for fact in self.source.facts(KINDS, names=frozenset(labels))
            if isinstance(fact, Entity)
        ]
