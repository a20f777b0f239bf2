"""Findings about a network of routers, with all the routers that each is about, and the words
they use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from topograph.findings import Finding, Severity, Source
from topograph.rules import FindingKind, Rule
from topograph.systems.amq_interconnect.messages.addresses import AddressEntry

SHOWN = 6
"""Routers that a message lists by name."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """A finding with all routers it is about; ``finding.server`` is the first of them."""

    finding: Finding
    routers: tuple[str, ...]


def noticed(
    rule: Rule,
    kind: FindingKind,
    message: str,
    source: Source,
    *routers: str,
    severity: Severity | None = None,
) -> Noticed:
    """A finding about routers, of a kind of its rule; it stands with the first of them."""
    found = rule.at(source, message, kind=kind, severity=severity, server=routers[0])
    return Noticed(found, routers)


def entry_text(entry: AddressEntry) -> str:
    """An address entry in words."""
    return f"The address entry {entry.text}"


def names_of(names: Sequence[str]) -> str:
    """Names in order, the first ``SHOWN`` of them.

    >>> names_of(["B", "A"])
    'A, B'
    """
    shown = sorted(names)
    return ", ".join(shown[:SHOWN]) + (
        f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    )
