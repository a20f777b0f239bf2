"""Who was seen to want topics: the subscribers that running servers listed (R40, R41), each list true of one moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.assumptions import Assumption
from topograph.facts import Fact
from topograph.facts.ems_observed import EmsListing, EmsObservedSubscription
from topograph.facts.fact import Servers
from topograph.findings import Source

Facts = Callable[[Sequence[str], Servers], Sequence[Fact]]
"""Facts by (kinds, server); an empty server stands for all."""

_OFFLINE = "`show consumers` does not list durable subscribers that are not attached; `show subscriptions` or `show durables` does"


@dataclass(frozen=True, slots=True)
class Observations:
    """The topic subscriptions of clients that were listed. ``whole`` are the servers that listed all of theirs, ``cut`` those of which some were
    listed and there may be more, with the reason and the place."""

    subscriptions: tuple[EmsObservedSubscription, ...] = ()
    whole: Mapping[str, Source] = field(default_factory=dict)
    cut: Mapping[str, tuple[str, Source]] = field(default_factory=dict)


def observations(facts: Facts, servers: Collection[str]) -> Observations:
    """What the servers of a network listed. A subscription of a user that has a server's name is one that its route made (R50), and no client's.
    Linear in the rows of listings; nothing is read where there are none."""
    listings: dict[str, dict[str, EmsListing]] = {}
    for fact in facts(("listing",), ""):
        if isinstance(fact, EmsListing) and fact.server in servers:
            known = listings.setdefault(fact.server, {})
            if fact.name not in known or known[fact.name].cut:
                known[fact.name] = fact
    if not listings:
        return Observations()
    whole: dict[str, Source] = {}
    cut: dict[str, tuple[str, Source]] = {}
    for server, known in sorted(listings.items()):
        listed = known.get("subscriptions") or known.get("consumers")
        if listed is None:
            continue
        why = _cut(known)
        if why:
            cut[server] = f"the list of {server}'s subscribers may be incomplete ({why})", listed.source
        else:
            whole[server] = listed.source
    rows = (
        fact
        for fact in facts(("observed_subscription",), "")
        if isinstance(fact, EmsObservedSubscription)
        and fact.server in servers
        and fact.type == "topic"
        and fact.client
        and (fact.user == fact.server or fact.user not in servers)
    )
    return Observations(tuple(rows), whole, cut)


def _cut(known: Mapping[str, EmsListing]) -> str:
    """Why the listings of a server may leave subscribers out; empty if they do not."""
    subscriptions, consumers, durables = (known.get(name) for name in ("subscriptions", "consumers", "durables"))
    if subscriptions is not None and not subscriptions.cut:
        return ""
    if consumers is not None and not consumers.cut:
        if durables is not None and not durables.cut:
            return ""
        return durables.cut if durables is not None else _OFFLINE
    return (subscriptions or consumers or known["durables"]).cut


def at_one_moment(seen: Observations) -> list[Assumption]:
    """What an answer rests on that takes listed subscribers for those there are."""
    if not seen.whole and not seen.subscriptions:
        return []
    names = sorted(seen.whole) or sorted({fact.server for fact in seen.subscriptions})
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    first = seen.whole[names[0]] if seen.whole else seen.subscriptions[0].source
    text = f"the subscribers of {shown} are those that the server{'s' if len(names) > 1 else ''} listed at one moment ({first})"
    return [
        Assumption("R40", "M", text, "a client that attaches later gets the message too, one that is gone does not")
    ]
