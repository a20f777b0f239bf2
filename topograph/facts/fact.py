"""The base of all facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from topograph.findings import Source

Pairs = tuple[tuple[str, str], ...]
"""An ordered mapping of text to text; values of secret parameters are never stored, only ``"(set)"``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Base of all facts. ``system`` and ``kind`` are fixed per class and partition the facts table."""

    system: ClassVar[str] = ""
    kind: ClassVar[str] = ""

    bundle: str
    server: str
    source: Source

    @property
    def label(self) -> str:
        """The fact's own name within its server and kind, for people and for table keys; may be empty."""
        return str(getattr(self, "name", ""))


@dataclass(frozen=True, slots=True)
class FactNames:
    """What is known of facts without reading them: how many there are of each name (``Fact.label``), and their (bundle, server) pairs."""

    count: Mapping[str, int]
    bundles: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> FactNames:
        """Of facts that are in memory. Linear in them."""
        count: dict[str, int] = {}
        bundles = set()
        for fact in facts:
            count[fact.label] = count.get(fact.label, 0) + 1
            bundles.add((fact.bundle, fact.server))
        return cls(count, frozenset(bundles))
