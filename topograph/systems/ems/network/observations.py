"""Who was seen to want topics and queues: the subscribers and consumers that running servers
listed (R40, R41, R104), each list true of one moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field

from topograph.assumptions import Assumption
from topograph.facts import Fact
from topograph.facts.ems import EmsRoute, EmsServer
from topograph.facts.ems_observed import EmsListing, EmsObservedSubscription
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, endpoints
from topograph.facts.fact import Servers
from topograph.findings import Source
from topograph.records import record

Facts = Callable[[Sequence[str], Servers], Sequence[Fact]]
"""Facts by (kinds, server); an empty server stands for all."""

_OFFLINE = (
    "`show consumers` does not list durable subscribers that are not attached; `show "
    "subscriptions` or `show durables` does"
)


@record
class Misplaced:
    """A text that is taken for that of one server and was printed at another, ``owner``:
    ``source`` is where the files say that ``url`` is its.
    """

    listing: EmsListing
    owner: str
    source: Source


def misplaced(
    listings: Iterable[EmsListing], addresses: Callable[[], Iterable[EmsServer | EmsRoute]]
) -> dict[str, Misplaced]:
    """By file, the texts whose prompt shows a URL at which another server listens, or by which
    routes reach another server, and not the one that the text is taken for. ``addresses`` gives
    main files and routes, and is asked only where a prompt shows a URL that says something.
    Linear."""
    shown = {fact.source.file: (fact, _places(fact.url)) for fact in listings}
    wanted = {place for _, places in shown.values() for place in places}
    if not wanted:
        return {}
    owners: dict[tuple[str, int], dict[str, Source]] = {}
    for fact in addresses():
        urls, name = (
            (fact.listen, fact.server) if isinstance(fact, EmsServer) else (fact.url, fact.name)
        )
        for place in wanted.intersection(one for url in urls for one in _places(url)):
            owners.setdefault(place, {}).setdefault(name, fact.source)
    found = {}
    for file, (listing, places) in shown.items():
        known = {name: source for place in places for name, source in owners.get(place, {}).items()}
        if known and listing.server not in known:
            owner = min(known)
            found[file] = Misplaced(listing, owner, known[owner])
    return found


def _places(url: str) -> set[tuple[str, int]]:
    """The hosts and ports of a URL, without those that mean another machine on each machine."""
    return {
        (end.host.lower(), end.port or DEFAULT_PORT)
        for end in endpoints(url)
        if end.host and end.host.lower() not in LOOPBACK
    }


@record
class Observations:
    """The topic subscriptions of clients that were listed. ``whole`` are the servers that listed
    all of theirs, ``cut`` those of which some were listed and there may be more, with the reason
    and the place. The same of consumers of queues. ``for_routes`` are subscriptions that routes
    made, each with the server at the other end, and ``routes_whole`` the servers that listed all
    of theirs."""

    subscriptions: tuple[EmsObservedSubscription, ...] = ()
    whole: Mapping[str, Source] = field(default_factory=dict)
    cut: Mapping[str, tuple[str, Source]] = field(default_factory=dict)
    consumers: tuple[EmsObservedSubscription, ...] = ()
    consumers_whole: Mapping[str, Source] = field(default_factory=dict)
    consumers_cut: Mapping[str, tuple[str, Source]] = field(default_factory=dict)
    for_routes: tuple[tuple[EmsObservedSubscription, str], ...] = ()
    routes_whole: Mapping[str, Source] = field(default_factory=dict)


def observations(facts: Facts, servers: Collection[str]) -> Observations:
    """What the servers of a network listed. A subscription of a user that has a server's name is
    one that its route made (R50), and no client's. What is ``misplaced`` is left out. Linear in
    the rows of listings; nothing is read where there are none."""
    all_listings = [
        fact
        for fact in facts(("listing",), "")
        if isinstance(fact, EmsListing) and fact.server in servers
    ]
    if not all_listings:
        return Observations()
    elsewhere = misplaced(
        all_listings,
        lambda: (
            fact
            for fact in facts(("server", "route"), "")
            if isinstance(fact, EmsServer | EmsRoute)
        ),
    )
    listings: dict[str, dict[str, EmsListing]] = {}
    for fact in all_listings:
        if fact.source.file not in elsewhere:
            known = listings.setdefault(fact.server, {})
            if fact.name not in known or known[fact.name].cut:
                known[fact.name] = fact
    whole: dict[str, Source] = {}
    cut: dict[str, tuple[str, Source]] = {}
    for server, known in sorted(listings.items()):
        listed = known.get("subscriptions") or known.get("consumers")
        if listed is None:
            continue
        why = _cut(known)
        if why:
            cut[server] = (
                f"the list of {server}'s subscribers may be incomplete ({why})",
                listed.source,
            )
        else:
            whole[server] = listed.source
    listed_rows = [
        fact
        for fact in facts(("observed_subscription",), "")
        if isinstance(fact, EmsObservedSubscription)
        and fact.server in servers
        and fact.source.file not in elsewhere
    ]
    rows = [fact for fact in listed_rows if fact.client and not _made_by(fact, servers)]
    own = {
        server: known["consumers"]
        for server, known in sorted(listings.items())
        if "consumers" in known
    }
    counted = {
        server: known["stat consumers"]
        for server, known in listings.items()
        if "stat consumers" in known
    }
    partly = {server: listing for server, listing in {**counted, **own}.items() if listing.cut}
    return Observations(
        tuple(row for row in rows if row.type == "topic"),
        whole,
        cut,
        tuple(row for row in rows if row.type == "queue"),
        {server: listing.source for server, listing in own.items() if not listing.cut},
        {server: (listing.cut, listing.source) for server, listing in sorted(partly.items())},
        tuple(
            (row, other)
            for row in listed_rows
            if row.type == "topic" and (other := _made_by(row, servers))
        ),
        {
            server: known["durables"].source
            for server, known in sorted(listings.items())
            if all(name in known and not known[name].cut for name in ("durables", "consumers"))
        },
    )


def _made_by(row: EmsObservedSubscription, servers: Collection[str]) -> str:
    """The server whose route made a subscription (R50); empty for one of a client."""
    return row.route or (row.user if row.user in servers and row.user != row.server else "")


def _cut(known: Mapping[str, EmsListing]) -> str:
    """Why the listings of a server may leave subscribers out; empty if they do not."""
    subscriptions, consumers, durables = (
        known.get(name) for name in ("subscriptions", "consumers", "durables")
    )
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
    names = seen.whole or {fact.server for fact in seen.subscriptions}
    first = seen.whole[min(names)] if seen.whole else seen.subscriptions[0].source
    text = (
        f"the subscribers of {at_servers(names)} are those that the "
        f"server{'s' if len(names) > 1 else ''} listed at one moment ({first})"
    )
    return [
        Assumption(
            "R40",
            "M",
            text,
            "a client that attaches later gets the message too, one that is gone does not",
        )
    ]


def at_servers(names: Collection[str]) -> str:
    """The first three of some servers by name, and how many more there are."""
    ordered = sorted(names)
    return ", ".join(ordered[:3]) + (f" and {len(ordered) - 3} more" if len(ordered) > 3 else "")
