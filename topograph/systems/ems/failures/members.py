"""The members of fault-tolerant pairs: what a server is once one of them fails (R7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from topograph.digits import digits
from topograph.facts import Fact
from topograph.facts.ems import EmsRoute, EmsServer
from topograph.inexact import Doubt
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.ems.network.member_urls import Leads, Member, leads, members_of
from topograph.systems.fact_sources import of_class
from topograph.tracing.states import Component

MEMBER = "member"
"""The kind of component that a member is. Its name is ``1`` or ``2``, in the order in which the
files are used; of one file that shows both, the one that it is of, or whose URLs it calls primary,
is the first.
"""

Pairs = Mapping[str, tuple[Member, Member]]


def pairs_of(source: FactSource) -> Pairs:
    """The fault-tolerant pairs by server, the member in use first. Linear in the servers."""
    mains: dict[str, list[EmsServer]] = defaultdict(list)
    for fact in of_class(source, EmsServer):
        mains[fact.server].append(fact)
    found = ((name, members_of(mains[name])) for name in sorted(mains))
    return {name: (pair[0], pair[1]) for name, pair in found if len(pair) == 2}


def members(pairs: Pairs, system: str) -> Mapping[str, Sequence[Component]]:
    """The members by ``member:NUMBER``."""
    found: dict[str, list[Component]] = defaultdict(list)
    for server, pair in pairs.items():
        for number, member in enumerate(pair, 1):
            found[f"{MEMBER}:{number}"].append(
                Component(MEMBER, str(number), server, system, member.source)
            )
    return found


def whole(failed: Collection[Component]) -> frozenset[str]:
    """The servers of which both members fail."""
    gone = [one.server for one in failed if one.kind == MEMBER]
    return frozenset(server for server in gone if gone.count(server) == 2)


def swapped_by(failed: Collection[Component]) -> Mapping[str, int]:
    """By server of which one member fails, and the other takes over, which one fails: 0 or 1."""
    both = whole(failed)
    return {
        one.server: digits(one.name, 1) - 1
        for one in sorted(failed, key=lambda each: (each.server, each.name))
        if one.kind == MEMBER and one.server not in both
    }


def without_members(source: FactSource, pairs: Pairs, failed: Collection[Component]) -> Change:
    """The change that leaves the other member of each pair: its files alone, and of the routes of
    other servers those whose URLs do not lead to the failed member alone. What fails whole stays
    as it is. Linear in the routes, and in the facts of the pairs.
    """
    removed: list[Fact] = []
    swapped = swapped_by(failed)
    for server, number in swapped.items():
        bundle = pairs[server][number].bundle
        if bundle:
            removed += [fact for fact in source.facts((), server) if fact.bundle == bundle]
    if swapped:
        removed += [
            route
            for route in of_class(source, EmsRoute)
            if route.name in swapped
            and leads(route, pairs[route.name], swapped[route.name]) is Leads.TO_NOBODY
        ]
    return Change(removed=tuple(removed))


def not_known(source: FactSource, pairs: Pairs, failed: Collection[Component]) -> Sequence[Doubt]:
    """What the loaded files leave open of pairs of which one member fails: the configuration of
    the one that takes over, and whether routes of other servers lead to it. Linear in the routes.
    """
    swapped = swapped_by(failed)
    gone = {pairs[server][number].bundle for server, number in swapped.items()} - {""}
    found = [
        Doubt(
            f"{server}: the configuration of the member that takes over is not loaded; it is taken "
            "to be the same (R7)",
            pairs[server][1 - number].source,
        )
        for server, number in swapped.items()
        if not pairs[server][1 - number].loaded
    ]
    routes = [*of_class(source, EmsRoute)] if swapped else []
    back = {(route.server, route.name) for route in routes if route.bundle not in gone}
    for route in routes:
        if (
            route.name in swapped
            and (route.name, route.server) not in back
            and leads(route, pairs[route.name], swapped[route.name]) is Leads.UNKNOWN
        ):
            text = (
                f"{route.server}: whether its route leads to the member of {route.name} that takes "
                f"over is not known: neither member is known to listen at {','.join(route.url)}"
            )
            found.append(Doubt(text, route.source, "R7"))
    return found
