"""Findings about a network of routers, with all the routers that each is about, and the words
they use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from topograph.findings import Finding, Severity, Source
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.systems.amq_interconnect.messages.addresses import AddressEntry
from topograph.systems.amq_interconnect.messages.model import AutoLink, LinkRoute

SHOWN = 6
"""Routers that a message lists by name."""


@record
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


def link_text(one: LinkRoute | AutoLink) -> str:
    """A link route or an autolink in words."""
    if isinstance(one, LinkRoute):
        return text_of_link("linkRoute", one.name, one.direction, one.text)
    return text_of_link("autoLink", one.name, one.direction, one.address)


def text_of_link(type_: str, name: str, direction: str, text: str) -> str:
    """An entry by its name, or by what it is for where the router counts it (``autoLink/0``):
    that number changes with what stands before it.

    >>> text_of_link("autoLink", "autoLink/0", "in", "orders")
    'autoLink in for orders'
    """
    return f"{type_} {direction} for {text}" if _COUNTED.match(name) else f"{type_} {name}"


_COUNTED = re.compile(r"(linkRoute|autoLink)/[0-9]+\Z")


def names_of(names: Sequence[str]) -> str:
    """Names in order, the first ``SHOWN`` of them.

    >>> names_of(["B", "A"])
    'A, B'
    """
    shown = sorted(names)
    return ", ".join(shown[:SHOWN]) + (
        f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    )
