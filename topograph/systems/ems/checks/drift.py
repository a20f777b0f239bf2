"""What running servers showed beside what their files configure: topics, queues, durables, bridges,
and the interest that routes hold; ``server_drift`` does the same for routes and settings.

A difference is a warning: the files are not those the server runs with, or somebody changed it
since. What a server showed is true of one moment; of a list that may be cut off, or that another
server printed, nothing is said to be absent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable
from topograph.facts.ems_observed import (
    EmsObservedBridges,
    EmsObservedDestination,
    EmsObservedSubscription,
)
from topograph.findings import Finding
from topograph.rules.ems_findings import (
    A13,
    BRIDGE_DIFFERS,
    BRIDGE_NOT_OBSERVED,
    DURABLE_NOT_CONFIGURED,
    DURABLE_NOT_OBSERVED,
    INTEREST_NOT_GLOBAL,
    INTEREST_WITHOUT_ROUTE,
    OBSERVED_ELSEWHERE,
    QUEUE_NOT_CONFIGURED,
    QUEUE_NOT_OBSERVED,
    QUEUE_OWNER_DIFFERS,
    QUEUE_PROPERTIES_DIFFER,
    R40,
    R42,
    R45,
    R49,
    R100,
    R110,
    SUBSCRIPTION_TOPIC_UNDEFINED,
    TL_16,
    TOPIC_NOT_CONFIGURED,
    TOPIC_NOT_OBSERVED,
    TOPIC_PROPERTIES_DIFFER,
)
from topograph.systems.ems.checks.server_drift import Shown, difference, routes, settings
from topograph.systems.ems.destinations.guards import ServerSettings
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import properties_in_effect
from topograph.systems.ems.network.links import EmsConfiguration
from topograph.systems.ems.network.observations import Misplaced

_COMPARED = ("global", "secure")
"""The properties that decide whether messages cross a route (R42, R49)."""


def drift(estate: EmsConfiguration, known: Mapping[str, ServerSettings]) -> Iterator[Finding]:
    """All differences, by server. Linear in what was shown and in the facts of its server."""
    linked = {(one, other) for link in estate.links for one, other in (link.ends, link.ends[::-1])}
    for text in sorted(
        estate.elsewhere.values(), key=lambda one: (one.listing.server, one.listing.source)
    ):
        yield _read_elsewhere(text)
    for name in sorted(estate.servers):
        shown = Shown.of_server(estate.servers[name], estate.elsewhere)
        if not shown.facts:
            continue
        yield from settings(shown)
        yield from routes(shown, estate)
        for kind in ("topic", "queue"):
            yield from _destinations(shown, kind)
        yield from _durables(shown)
        yield from _bridges(shown)
        yield from _subscriptions(shown)
        yield from _interest(shown, estate, known, linked)


def _read_elsewhere(text: Misplaced) -> Finding:
    listing = text.listing
    message = (
        f"this text is taken for that of {listing.server}, and its prompt shows "
        f"{listing.url}, which is {text.owner} ({text.source}); it is not used. "
        f"If it is of {text.owner}, put that name into the file name instead."
    )
    return TL_16.at(listing.source, message, kind=OBSERVED_ELSEWHERE, server=listing.server)


_NOT_CONFIGURED = {"topic": TOPIC_NOT_CONFIGURED, "queue": QUEUE_NOT_CONFIGURED}
_NOT_OBSERVED = {"topic": TOPIC_NOT_OBSERVED, "queue": QUEUE_NOT_OBSERVED}
_PROPERTIES_DIFFER = {"topic": TOPIC_PROPERTIES_DIFFER, "queue": QUEUE_PROPERTIES_DIFFER}


def _destinations(shown: Shown, kind: str) -> Iterator[Finding]:
    """Topics or queues: those on one side alone, and those with other properties in force."""
    if f"{kind}s" in shown.missing:
        return
    entries = [f for f in shown.configured.of(EmsDestination) if f.type == kind]
    seen = {
        f.name: f
        for f in shown.of(EmsObservedDestination)
        if f.type == kind and not f.name.startswith("$")
    }
    named: dict[str, list[EmsDestination]] = {}
    for entry in entries:
        named.setdefault(entry.name, []).append(entry)
    patterns = PatternSet(named)
    for name, row in seen.items():
        defined = next(iter(named.get(name, ())), None)
        if not row.dynamic and defined is None:
            text = f"the server shows the {kind} {name}, which {kind}s.conf does not define."
            yield difference(R45, _NOT_CONFIGURED[kind], text, row)
            continue
        if row.dynamic and defined is not None:
            text = (
                f"{kind}s.conf defines the {kind} {name} ({defined.source}), and the "
                "server shows it as dynamic (*): "
                "it does not run with that entry."
            )
            yield difference(R45, _NOT_OBSERVED[kind], text, row)
        owner = "" if defined is None or defined.owner == shown.configured.name else defined.owner
        if defined is not None and owner != (
            "" if row.owner == shown.configured.name else row.owner
        ):
            text = (
                f"the server shows the queue {name} as {_owned(row.owner)}; queues.conf "
                f"defines it as {_owned(owner)} ({defined.source})."
            )
            yield difference(R100, QUEUE_OWNER_DIFFERS, text, row)
        effective = properties_in_effect(
            (e for each in patterns.containing(name) for e in named[each]), name
        )
        for each in _COMPARED:
            if (each in row.properties) != bool(effective.get(each)):
                says, files = ("", "not ") if each in row.properties else ("not ", "")
                place = f" ({defined.source})" if defined is not None else ""
                text = (
                    f"the server shows the {kind} {name} as {says}{each}; by {kind}s.conf it "
                    f"is {files}{each}{place}."
                )
                rule = R42 if each == "global" else R49
                yield difference(rule, _PROPERTIES_DIFFER[kind], text, row)
    place = shown.place(f"{kind}s")
    for entry in entries if place else ():
        if entry.name not in seen and not entry.name.startswith("$"):
            text = (
                f"the {kind} {entry.label} is configured and the server does not show it ({place})."
            )
            yield difference(R45, _NOT_OBSERVED[kind], text, entry)


def _owned(owner: str) -> str:
    return f"a routed queue of {owner}" if owner else "its own"


def _durables(shown: Shown) -> Iterator[Finding]:
    """Durables that files define: those on one side alone."""
    if "durables" in shown.missing:
        return
    defined = {(f.topic, f.name): f for f in shown.configured.of(EmsDurable)}
    rows = [f for f in shown.of(EmsObservedSubscription) if f.listing == "durables"]
    seen = {(f.name, f.route or f.durable): f for f in rows}
    for key, row in seen.items():
        if not row.dynamic and key not in defined:
            text = (
                f"the server shows the durable {key[1]} on {key[0]}, which durables.conf "
                "does not define."
            )
            yield difference(A13, DURABLE_NOT_CONFIGURED, text, row)
    place = shown.place("durables")
    for key, fact in defined.items() if place else ():
        if key not in seen:
            text = (
                f"the durable {key[1]} on {key[0]} is configured and the server does not "
                f"show it ({place})."
            )
            yield difference(A13, DURABLE_NOT_OBSERVED, text, fact)


def _bridges(shown: Shown) -> Iterator[Finding]:
    """Bridges by their source: how many queues and topics it is bridged to."""
    if "bridges" in shown.missing:
        return
    defined: dict[tuple[str, str], Counter[str]] = {}
    places: dict[tuple[str, str], Fact] = {}
    for bridge in shown.configured.of(EmsBridge):
        source = bridge.source_type, bridge.source_name
        defined.setdefault(source, Counter())[bridge.target_type] += 1
        places.setdefault(source, bridge)
    seen = {(f.type, f.name): f for f in shown.of(EmsObservedBridges)}
    for (type_, name), row in seen.items():
        targets = defined.get((type_, name), Counter())
        if (targets["queue"], targets["topic"]) != (row.queues, row.topics):
            place = f" ({places[type_, name].source})" if (type_, name) in places else ""
            text = (
                f"the server shows the {type_} {name} as bridged to "
                f"{_counted(row.queues, row.topics)}; "
                f"bridges.conf bridges it to {_counted(targets['queue'], targets['topic'])}{place}."
            )
            yield difference(R110, BRIDGE_DIFFERS, text, row)
    place = shown.place("bridges")
    for source, fact in places.items() if place else ():
        if source not in seen:
            text = (
                f"the bridges of the {source[0]} {source[1]} are configured and the server "
                f"does not show them ({place})."
            )
            yield difference(R110, BRIDGE_NOT_OBSERVED, text, fact)


def _counted(queues: int, topics: int) -> str:
    return (
        f"{queues} queue{'' if queues == 1 else 's'} and {topics} topic{'' if topics == 1 else 's'}"
    )


def _subscriptions(shown: Shown) -> Iterator[Finding]:
    """Topics that somebody subscribes to and no entry allows (R45), each once."""
    if "topics" in shown.missing:
        return
    entries = PatternSet(f.name for f in shown.configured.of(EmsDestination) if f.type == "topic")
    told = set()
    for fact in shown.of(EmsObservedSubscription):
        if not fact.client or fact.type != "topic":
            continue
        if fact.name not in told and not entries.overlaps(fact.name):
            told.add(fact.name)
            text = (
                f"somebody subscribes to {fact.name} there, which no entry of topics.conf allows."
            )
            yield difference(R45, SUBSCRIPTION_TOPIC_UNDEFINED, text, fact)


def _interest(
    shown: Shown,
    estate: EmsConfiguration,
    known: Mapping[str, ServerSettings],
    linked: set[tuple[str, str]],
) -> Iterator[Finding]:
    """Durables that the server holds for a neighbour (R40), where the files have no route to it
    or do not make the topic global at both ends (R42).
    """
    name = shown.configured.name
    for fact in shown.of(EmsObservedSubscription):
        if not fact.route:
            continue
        if (name, fact.route) not in linked:
            other = estate.servers.get(fact.route)
            if "routes" in shown.missing or (
                other is not None and "routes" in other.member.server.missing
            ):
                continue  # the route may stand in a file that was not found (R4)
            there = (
                "to which the files show no route"
                if other is not None
                else "whose files are not imported, and to which no file shows a route"
            )
            text = f"the server holds a durable on {fact.name} for {fact.route}, {there}."
            yield difference(R40, INTEREST_WITHOUT_ROUTE, text, fact)
            continue
        for end in (name, fact.route):
            settings_there = known.get(end)
            if settings_there is None or settings_there.topics_missing:
                continue
            if not settings_there.global_set.overlaps(fact.name):
                text = (
                    f"the server holds a durable on {fact.name} for {fact.route}; by the "
                    f"files of {end} that topic is not global there."
                )
                yield difference(R42, INTEREST_NOT_GLOBAL, text, fact)
