"""The address tables of routers, of which only the entries of the addresses that are asked about
are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

from topograph.facts.amq_interconnect import ADDRESS, Entity, address_of, type_of
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import (
    AddressEntry,
    AddressTable,
    address_entry,
)
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.amq_interconnect.network.routers import Router

_EMPTY = AddressTable(())

_Place = tuple[str, str]


def _place(entity: Entity) -> _Place:
    return entity.origin, entity.bundle


@record(slots=False)
class AddressTables:
    """The address entries of the routers of a network. The labels of all entries are looked at
    once, in a tree of their patterns; the entries that match an address are decoded when it is
    first asked about, and kept."""

    facts: RouterFacts
    _kept: dict[tuple[str, ...], Mapping[_Place, AddressTable]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def at(self, router: Router) -> TableAt | None:
        """The table of a router; None where its entries are among the entities that were read
        with the router.
        """
        if router.bundle not in self.facts.plain_bundles:
            return None
        return TableAt(self, ("dump" if router.from_dump else "file", router.bundle))

    @cached_property
    def whole(self) -> Mapping[_Place, AddressTable]:
        """Per place all entries: reads every entity of the network."""
        entries: dict[_Place, list[AddressEntry]] = {}
        for entity in self.facts.all:
            if entity.type == ADDRESS:
                entries.setdefault(_place(entity), []).append(address_entry(entity))
        return {place: AddressTable(own) for place, own in entries.items()}

    @cached_property
    def _patterns(self) -> PatternTree[list[str]]:
        """Per stored pattern the labels of its entries."""
        labels: dict[tuple[str, ...], list[str]] = {}
        for label in self.facts.names.count:
            if type_of(label) == ADDRESS:
                key, text = address_of(label)
                labels.setdefault(stored_tokens(text, is_prefix=key == "prefix"), []).append(label)
        tree: PatternTree[list[str]] = PatternTree()
        for tokens, own in labels.items():
            tree.add(tokens, own)
        return tree

    def matching(self, tokens: tuple[str, ...]) -> Mapping[_Place, AddressTable]:
        """Per place the entries that match an address. Linear in them, and in the column of
        labels.
        """
        if tokens not in self._kept:
            labels = [label for own in self._patterns.matches(tokens) for label in own]
            entries: dict[_Place, list[AddressEntry]] = {}
            for entity in self.facts.named(labels) if labels else ():
                entries.setdefault(_place(entity), []).append(address_entry(entity))
            self._kept[tokens] = {place: AddressTable(own) for place, own in entries.items()}
        return self._kept[tokens]


@record(slots=False)
class TableAt:
    """The table of one router (``addresses.Addresses``)."""

    tables: AddressTables
    place: _Place

    @property
    def entries(self) -> Sequence[AddressEntry]:
        """All entries: reads every entity of the network."""
        return self.tables.whole.get(self.place, _EMPTY).entries

    def rank(self, address: str) -> list[AddressEntry]:
        """See ``AddressTable``."""
        return self._matching(address).rank(address)

    def entry(self, address: str) -> AddressEntry | None:
        """See ``AddressTable``."""
        return self._matching(address).entry(address)

    def _matching(self, address: str) -> AddressTable:
        return self.tables.matching(address_tokens(address)).get(self.place, _EMPTY)
