"""Where a router that balances sends what its preferred destinations have no room for (M-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.records import record
from topograph.systems.amq_interconnect.messages.addresses import Distribution
from topograph.systems.amq_interconnect.messages.destinations import (
    AddressState,
    DestinationKind,
    LocalDestination,
)


@record
class Preference:
    """How router ``at`` prefers the destinations of an address: ``first`` are the routers that
    promptly settled traffic goes to, itself alone where it has ``own`` destinations; ``others``
    those that get some too once the backlog at the first exceeds a number of deliveries."""

    at: str
    own: bool
    first: tuple[str, ...]
    others: Mapping[int, tuple[str, ...]]


def deciding(state: AddressState, router: str) -> str:
    """The router whose costs decide for senders at ``router``: an edge router has no costs of its
    own, and leaves it to the interior router of its uplink (E-3). Empty for an edge without one."""
    return state.network.interior(router)


def preference(state: AddressState, at: str, phase: str, sender: str = "") -> Preference:
    """How an interior router prefers the destinations of an address in a phase. What comes from an
    edge router ``sender`` is not sent back to it. Linear in the hosts of the address."""
    own = any(_is_other(one, sender) for one in state.local(at, phase))
    routes = state.network.routes
    remote = sorted((routes.cost(at, host), host) for host in state.remote(at, phase))
    least = remote[0][0] if remote and not own else 0
    others: dict[int, tuple[str, ...]] = {}
    for cost, host in remote:
        if own or cost > least:
            others[cost - least] = (*others.get(cost - least, ()), host)
    first = (at,) if own else tuple(host for cost, host in remote if cost == least)
    return Preference(at, own, first, others)


def spilled_on(state: AddressState, path: Sequence[str]) -> Mapping[str, tuple[str, int]]:
    """By router, edges included, what gets messages as well that are sent at the first router of a
    path: the router of the path that decides so, and from what backlog on. One on the way sends on
    only to those for which it lies on the way (T-7). Linear in the path times the hosts."""
    entry = state.entry(path[0])
    phase = str(entry.ingress_phase) if entry else "0"
    origin = deciding(state, path[0])
    found: dict[str, tuple[str, int]] = {}
    for router in dict.fromkeys((origin, *path[1:])):
        if router and state.network.routers[router].mode == "interior":
            for name, more in spilled(state, router, phase, path[0], origin).items():
                found.setdefault(name, (router, more))
    return found


def spilled(
    state: AddressState, at: str, phase: str, sender: str, origin: str
) -> Mapping[str, int]:
    """By router, edges included, from what backlog on it gets messages as well that ``at`` decides
    about; nothing where that does not balance them."""
    if Distribution.BALANCED not in state.treatments(at, phase):
        return {}
    preferred = preference(state, at, phase, sender)
    found: dict[str, int] = {}
    for more, hosts in preferred.others.items():
        for host in hosts:
            if at != origin and not state.network.routes.is_valid_origin(origin, at, host):
                continue
            for router in _takers(state, host, phase):
                found.setdefault(router, more)
    return found


def _takers(state: AddressState, host: str, phase: str) -> list[str]:
    """The routers at which what a host of the address gets is taken: itself, and its edges."""
    local = state.local(host, phase)
    edges = [one.id for one in local if one.kind is DestinationKind.EDGE]
    return [host, *edges] if len(edges) < len(local) else edges


def _is_other(one: LocalDestination, sender: str) -> bool:
    """Whether a destination is another than the edge router that a message comes from (E-3)."""
    return one.kind is not DestinationKind.EDGE or one.id != sender
