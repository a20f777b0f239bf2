"""What running servers showed beside what their files configure: topics, queues, durables, bridges, and the interest that routes hold.

A difference is a warning: the files are not those the server runs with, or somebody changed it since. What a server showed is true of one moment; of a
list that may be cut off nothing is said to be absent. ``definitions.against_observed`` does the same for routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable
from topograph.facts.ems_observed import (
    EmsListing,
    EmsObservedBridges,
    EmsObservedDestination,
    EmsObservedSubscription,
)
from topograph.findings import Finding, Severity
from topograph.systems.ems.guards import ServerSettings
from topograph.systems.ems.links import Configuration, Configured
from topograph.systems.ems.topics import overlap, properties_in_effect

_COMPARED = ("global", "secure")
"""The properties that decide whether messages cross a route (R42, R49)."""


def drift(estate: Configuration, known: Mapping[str, ServerSettings]) -> Iterator[Finding]:
    """All differences, by server. Linear in what was shown times the patterns of its server."""
    linked = {(one, other) for link in estate.links for one, other in (link.ends, link.ends[::-1])}
    for name in sorted(estate.servers):
        configured = estate.servers[name]
        whole = {fact.name for fact in configured.of("listing") if isinstance(fact, EmsListing) and not fact.cut}
        if not configured.of("listing"):
            continue
        for kind in ("topic", "queue"):
            yield from _destinations(configured, kind, f"{kind}s" in whole)
        yield from _durables(configured, "durables" in whole)
        yield from _bridges(configured, "bridges" in whole)
        yield from _subscriptions(configured)
        yield from _interest(configured, known, linked)


def _destinations(configured: Configured, kind: str, whole: bool) -> Iterator[Finding]:
    """Topics or queues: those on one side alone, and those with other properties in force."""
    if f"{kind}s" in configured.member.server.missing:
        return
    entries = [f for f in configured.of("destination") if isinstance(f, EmsDestination) and f.type == kind]
    seen = {
        f.name: f
        for f in configured.of("observed_destination")
        if isinstance(f, EmsObservedDestination) and f.type == kind and not f.name.startswith("$")
    }
    names = {entry.name for entry in entries}
    for name, shown in seen.items():
        if not shown.dynamic and name not in names:
            yield _finding(
                f"{kind}-not-configured",
                f"the server shows the {kind} {name}, which {kind}s.conf does not define.",
                shown,
                "R45",
            )
            continue
        effective = properties_in_effect(entries, name)
        for each in _COMPARED:
            if (each in shown.properties) != bool(effective.get(each)):
                says, files = ("", "not ") if each in shown.properties else ("not ", "")
                text = f"the server shows the {kind} {name} as {says}{each}; by {kind}s.conf it is {files}{each}."
                yield _finding(f"{kind}-properties-differ", text, shown, "R42" if each == "global" else "R49")
    for entry in entries if whole else ():
        if entry.name not in seen and not entry.name.startswith("$"):
            text = f"the {kind} {entry.label} is configured and the server does not show it."
            yield _finding(f"{kind}-not-observed", text, entry, "R45")


def _durables(configured: Configured, whole: bool) -> Iterator[Finding]:
    """Durables that files define: those on one side alone."""
    if "durables" in configured.member.server.missing:
        return
    defined = {(f.topic, f.name): f for f in configured.of("durable") if isinstance(f, EmsDurable)}
    rows = [
        f
        for f in configured.of("observed_subscription")
        if isinstance(f, EmsObservedSubscription) and f.listing == "durables"
    ]
    seen = {(f.name, f.route or f.durable): f for f in rows}
    for key, shown in seen.items():
        if not shown.dynamic and key not in defined:
            text = f"the server shows the durable {key[1]} on {key[0]}, which durables.conf does not define."
            yield _finding("durable-not-configured", text, shown, "A13")
    for key, fact in defined.items():
        if whole and key not in seen:
            text = f"the durable {key[1]} on {key[0]} is configured and the server does not show it."
            yield _finding("durable-not-observed", text, fact, "A13")


def _bridges(configured: Configured, whole: bool) -> Iterator[Finding]:
    """Bridges by their source: how many queues and topics it is bridged to."""
    if "bridges" in configured.member.server.missing:
        return
    defined: dict[tuple[str, str], Counter[str]] = {}
    places: dict[tuple[str, str], Fact] = {}
    for fact in configured.of("bridge"):
        if isinstance(fact, EmsBridge):
            source = fact.source_type, fact.source_name
            defined.setdefault(source, Counter())[fact.target_type] += 1
            places.setdefault(source, fact)
    seen = {(f.type, f.name): f for f in configured.of("observed_bridges") if isinstance(f, EmsObservedBridges)}
    for (type_, name), shown in seen.items():
        targets = defined.get((type_, name), Counter())
        if (targets["queue"], targets["topic"]) != (shown.queues, shown.topics):
            text = (
                f"the server shows the {type_} {name} as bridged to {_counted(shown.queues, shown.topics)}; "
                f"bridges.conf bridges it to {_counted(targets['queue'], targets['topic'])}."
            )
            yield _finding("bridge-differs", text, shown, "R110")
    for source, fact in places.items():
        if whole and source not in seen:
            text = f"the bridges of the {source[0]} {source[1]} are configured and the server does not show them."
            yield _finding("bridge-not-observed", text, fact, "R110")


def _counted(queues: int, topics: int) -> str:
    return f"{queues} queue{'' if queues == 1 else 's'} and {topics} topic{'' if topics == 1 else 's'}"


def _subscriptions(configured: Configured) -> Iterator[Finding]:
    """Topics that somebody subscribes to and no entry allows (R45), each once."""
    if "topics" in configured.member.server.missing:
        return
    entries = [f.name for f in configured.of("destination") if isinstance(f, EmsDestination) and f.type == "topic"]
    told = set()
    for fact in configured.of("observed_subscription"):
        if not isinstance(fact, EmsObservedSubscription) or not fact.client or fact.type != "topic":
            continue
        if fact.name not in told and not any(overlap(entry, fact.name) for entry in entries):
            told.add(fact.name)
            text = f"somebody subscribes to {fact.name} there, which no entry of topics.conf allows."
            yield _finding("subscription-topic-undefined", text, fact, "R45")


def _interest(
    configured: Configured, known: Mapping[str, ServerSettings], linked: set[tuple[str, str]]
) -> Iterator[Finding]:
    """Durables that the server holds for a neighbour (R40), where the files have no route to it or do not make the topic global at both ends (R42)."""
    for fact in configured.of("observed_subscription"):
        if not isinstance(fact, EmsObservedSubscription) or not fact.route:
            continue
        if (configured.name, fact.route) not in linked:
            if "routes" not in configured.member.server.missing:
                text = f"the server holds a durable on {fact.name} for {fact.route}, to which the files show no route."
                yield _finding("interest-without-route", text, fact, "R40")
            continue
        for end in (configured.name, fact.route):
            settings = known.get(end)
            if settings is None or settings.topics_missing:
                continue
            if not any(overlap(topic, fact.name) for topic in settings.global_topics):
                text = f"the server holds a durable on {fact.name} for {fact.route}; by the files of {end} that topic is not global there."
                yield _finding("interest-not-global", text, fact, "R42")


def _finding(kind: str, message: str, fact: Fact, rule: str) -> Finding:
    return Finding(kind, Severity.WARNING, f"{fact.server}: {message}", fact.source, rule, server=fact.server)
