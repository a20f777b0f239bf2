"""Which servers listen where, as far as their configurations say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from topograph.facts.ems import EmsServer
from topograph.facts.ems_urls import LOOPBACK, endpoints

Address = tuple[str, int | None]
"""Host in lower case, and port."""


def listening(mains: Iterable[EmsServer]) -> dict[Address, set[str]]:
    """The servers that listen at each address which means the same machine everywhere. Linear in
    the servers.
    """
    found: dict[Address, set[str]] = defaultdict(set)
    for fact in mains:
        for url in fact.listen:
            for end in endpoints(url):
                if (end.host or "") not in LOOPBACK:
                    found[(end.host or "").lower(), end.port].add(fact.server)
    return found
