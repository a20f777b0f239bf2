"""Host and port of EMS URLs (ems.md 3.1), as far as links need them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from topograph.facts.ems import EmsServer

_URL = re.compile(
    r"\s*(?P<scheme>[A-Za-z]+)://(?:(?P<alone>\d+)|(?P<host>\[[^\]]*\]|[^:/"
    r"\s]*)(?::(?P<port>\d+)?)?)\s*\Z"
)

LOOPBACK = frozenset({"", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"})  # noqa: S104
"""Hosts that mean another machine on each machine."""

DEFAULT_PORT = 7222
"""The port of a URL that names none."""


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


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a URL leads: ``host`` is None for ``tcp://7222`` (the default host), ``port`` None
    where none is written.
    """

    scheme: str
    host: str | None
    port: int | None


@lru_cache(maxsize=1 << 14)  # all neighbours of a server name the same URL, and several rules ask
def endpoints(url: str) -> tuple[Endpoint, ...]:
    """The end points of a URL or of a comma-separated list of them; none of what does not read
    as a URL.

    >>> [(end.host, end.port) for end in endpoints("tcp://a:7222,tcp://7223,ssl://[::1],tcp://b")]
    [('a', 7222), (None, 7223), ('::1', None), ('b', None)]
    """
    ends = []
    for part in url.split(","):
        found = _URL.match(part)
        if found is None:
            continue
        host, port = (found["host"] or "").strip("[]") or None, found["alone"] or found["port"]
        if host or port:
            ends.append(Endpoint(found["scheme"].lower(), host, int(port) if port else None))
    return tuple(ends)
