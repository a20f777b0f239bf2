"""Members of a fault-tolerant pair that have different names (TL-22, R7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, endpoints
from topograph.rules.ems_links import FT_NAMES_DIFFER, TL_22
from topograph.systems.contract.bearing import Concerned
from topograph.systems.ems.network.configured import Configured


def members_with_two_names(servers: Mapping[str, Configured]) -> Iterator[Concerned]:
    """The servers that are the standby of one with another name, or are each other's (R7), by name;
    a pair has one finding. Linear in the servers."""
    owners: dict[tuple[str, int], list[str]] = {}
    for name in sorted(servers):
        for place in _places(servers[name].member.server.listen):
            owners.setdefault(place, []).append(name)
    named = {
        name: sorted(
            {
                other
                for place in _places([servers[name].member.server.ft_active])
                for other in owners.get(place, ())
            }
        )
        for name in servers
    }
    for name in sorted(servers):
        others = [] if name in named[name] else named[name]
        for other in others:
            mutual = name in named[other]
            if mutual and other < name:
                continue  # said of the other one
            here, there = servers[name].member.server, servers[other].member.server
            text = (
                f"ft_active of {name} ({here.place('ft_active')}) is where {other} listens "
                f"({there.place('listen')}), so the two are one fault-tolerant pair, of which one "
                f"is active at a time; the server names of its members, {name} ({here.source}) "
                f"and {other} ({there.source}), are not equal."
            )
            finding = TL_22.at(here.place("ft_active"), text, server=name)
            yield Concerned(FT_NAMES_DIFFER, finding, name)
            if mutual:
                yield Concerned(FT_NAMES_DIFFER, finding, other)


def _places(urls: Iterable[str]) -> set[tuple[str, int]]:
    """Hosts and ports that mean the same machine everywhere."""
    return {
        ((end.host or "").lower(), end.port or DEFAULT_PORT)
        for url in urls
        for end in endpoints(url)
        if (end.host or "").lower() not in LOOPBACK
    }
