"""Which address entry applies to an address at a router, and how the router then treats it (A-1
to A-8).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from topograph.digits import digits, integer
from topograph.facts import Pairs
from topograph.facts.amq_interconnect import Entity
from topograph.facts.amqp_addresses import PatternTree, address_tokens, stored_tokens
from topograph.findings import Source
from topograph.records import record


class Distribution(StrEnum):
    """How a router chooses among the destinations of an address (1.3)."""

    CLOSEST = "closest"
    BALANCED = "balanced"
    MULTICAST = "multicast"
    UNAVAILABLE = "unavailable"


@record
class AddressEntry:
    """One ``address`` entity as the router stores it. ``text`` is the prefix or pattern as
    written, ``tokens`` the stored pattern.
    """

    name: str
    text: str
    tokens: tuple[str, ...]
    distribution: Distribution
    ingress_phase: int
    egress_phase: int
    priority: int | None
    fallback: bool
    source: Source = Source("")

    @property
    def waypoint(self) -> bool:
        """Whether messages take more than one leg: what senders send is not yet what receivers
        get (W-1).
        """
        return self.ingress_phase != self.egress_phase


class Addresses(Protocol):
    """What a router is asked about its address entries."""

    @property
    def entries(self) -> Sequence[AddressEntry]:
        """All entries, in the order of the configuration; of equal patterns the first (C-6)."""
        ...

    def rank(self, address: str) -> list[AddressEntry]:
        """All entries that match, best first."""
        ...

    def entry(self, address: str) -> AddressEntry | None:
        """The entry that applies; None if none matches or the address is the router's own (A-8,
        A-12).
        """
        ...


class AddressTable:
    """The address entries of one router, best match first (A-7)."""

    def __init__(self, entries: Iterable[AddressEntry]) -> None:
        self._tree: PatternTree[AddressEntry] = PatternTree()
        self.entries: Sequence[AddressEntry] = tuple(
            entry for entry in entries if self._tree.add(entry.tokens, entry)
        )

    def rank(self, address: str) -> list[AddressEntry]:
        """All entries that match, best first."""
        return list(self._tree.matches(address_tokens(address)))

    def entry(self, address: str) -> AddressEntry | None:
        """The entry that applies; None if none matches or the address is the router's own (A-8,
        A-12).
        """
        if address.startswith(("_local/", "_topo/", "_edge/")):
            return None
        return next(self._tree.matches(address_tokens(address)), None)


def address_entry(entity: Entity) -> AddressEntry:
    """The entry that an ``address`` entity configures (1.3). ``waypoint`` stands for the phases
    0 and 1; explicit phases win over it.
    """
    alike = _entry_of(entity.type, entity.name, entity.attributes)
    return AddressEntry(
        alike.name,
        alike.text,
        alike.tokens,
        alike.distribution,
        alike.ingress_phase,
        alike.egress_phase,
        alike.priority,
        alike.fallback,
        entity.source,
    )


@lru_cache(maxsize=1 << 16)
def _entry_of(type_: str, name: str, attributes: Pairs) -> AddressEntry:
    """The entry of these attributes, wherever it stands: one list of addresses is often rolled
    out to every router.
    """
    entity = Entity(
        bundle="", server="", source=Source(""), type=type_, name=name, attributes=attributes
    )
    text = entity.get("prefix") or entity.get("pattern")
    ingress, egress = entity.get("ingressPhase"), entity.get("egressPhase")
    if not (ingress and egress):
        ingress, egress = "0", "1" if truth(entity.get("waypoint")) else "0"
    priority = entity.get("priority")
    return AddressEntry(
        name=entity.name,
        text=text,
        tokens=stored_tokens(text, is_prefix=bool(entity.get("prefix"))),
        distribution=Distribution(entity.get("distribution") or "balanced"),
        ingress_phase=integer(ingress, 0),
        egress_phase=integer(egress, 0),
        priority=digits(priority),
        fallback=truth(entity.get("enableFallback")),
    )


def truth(text: str) -> bool:
    """The truth of a boolean attribute as facts keep it (C-8)."""
    return text.lower() in ("true", "yes", "on", "1")


def kept_tokens(entity: Entity) -> Sequence[str]:
    """The stored pattern of an ``address`` or ``linkRoute`` entity (A-3 to A-5)."""
    prefix = entity.get("prefix")
    return stored_tokens(prefix or entity.get("pattern"), is_prefix=bool(prefix))
