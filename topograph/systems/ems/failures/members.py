"""The members of fault-tolerant pairs: what a server is once one of them fails (R7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.ems import EmsServer
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.fact_sources import of_class
from topograph.tracing.states import Component

MEMBER = "member"
"""The kind of component that a member is. Its name is ``1`` or ``2``, in the order in which the
files are used.
"""


def pairs_of(source: FactSource) -> Mapping[str, tuple[EmsServer, EmsServer]]:
    """The fault-tolerant pairs by server: the main file in use, then the other. Linear in the
    servers.
    """
    mains: dict[str, list[EmsServer]] = defaultdict(list)
    for fact in of_class(source, EmsServer):
        mains[fact.server].append(fact)
    ordered = {name: sorted(found, key=lambda fact: fact.bundle) for name, found in mains.items()}
    return {
        name: (found[0], found[1])
        for name, found in sorted(ordered.items())
        if len(found) == 2 and all(fact.ft_active for fact in found)
    }


def members(
    pairs: Mapping[str, tuple[EmsServer, EmsServer]], system: str
) -> Mapping[str, Sequence[Component]]:
    """The members by ``member:NUMBER``."""
    found: dict[str, list[Component]] = defaultdict(list)
    for server, mains in pairs.items():
        for number, main in enumerate(mains, 1):
            found[f"{MEMBER}:{number}"].append(
                Component(MEMBER, str(number), server, system, main.source)
            )
    return found


def whole(failed: Collection[Component]) -> frozenset[str]:
    """The servers of which both members fail."""
    gone = [one.server for one in failed if one.kind == MEMBER]
    return frozenset(server for server in gone if gone.count(server) == 2)


def without_members(
    source: FactSource,
    pairs: Mapping[str, tuple[EmsServer, EmsServer]],
    failed: Collection[Component],
) -> Change:
    """The change that leaves the other member of each pair. What fails whole stays as it is."""
    both = whole(failed)
    removed: list[Fact] = []
    for one in sorted(failed, key=lambda each: (each.server, each.name)):
        if one.kind == MEMBER and one.server not in both:
            bundle = pairs[one.server][int(one.name) - 1].bundle
            removed += [fact for fact in source.facts((), one.server) if fact.bundle == bundle]
    return Change(removed=tuple(removed))
