"""Which servers listen where, as far as their configurations say, and which at one address
(TL-23).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from topograph.facts.ems import EmsServer
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, endpoints
from topograph.rules.ems_links import LISTEN_SHARED, TL_23
from topograph.systems.contract.bearing import Concerned
from topograph.systems.ems.network.configured import Configured

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


def shared_listens(servers: Mapping[str, Configured]) -> Iterator[Concerned]:
    """The servers that listen where another one does, by address; one finding for an address.
    Linear in the servers."""
    owners: dict[tuple[str, int], set[str]] = {}
    mains = (member.server for one in servers.values() for member in one.members)
    for (host, port), names in listening(mains).items():
        owners.setdefault((host, port or DEFAULT_PORT), set()).update(names)
    for (host, port), names in sorted(owners.items()):
        first, *others = sorted(names)
        if not others:
            continue
        told = ", ".join(
            f"{name} ({servers[name].member.server.place('listen')})" for name in (first, *others)
        )
        text = (
            f"{told} all listen at {host}:{port}, and are not a fault-tolerant pair: only one of "
            "them can run there, or the file of another machine says so."
        )
        place = servers[others[0]].member.server.place("listen")
        finding = TL_23.at(place, text, server=others[0])
        for name in (first, *others):
            yield Concerned(LISTEN_SHARED, finding, name)
