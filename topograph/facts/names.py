"""The names of facts, without the facts: a question about a snapshot loads no module of facts to
know them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from topograph.records import record

if TYPE_CHECKING:
    from topograph.facts.fact import Fact


@record
class FactNames:
    """What is known of facts without reading them: how many there are of each name
    (``Fact.label``), and their (bundle, server) pairs.
    """

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
