"""Lint of EMS definitions that hang together: what is named and not defined, bridges that feed
each other; with ``drift`` configured against observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsUser,
)
from topograph.findings import Finding
from topograph.forwarding.graph import ForwardingGraph
from topograph.rules.ems_findings import (
    BRIDGE_QUEUE_UNDEFINED,
    BRIDGE_TOPIC_UNDEFINED,
    DURABLE_TOPIC_UNDEFINED,
    R45,
    R50,
    R83,
)
from topograph.systems.ems.checks.bridge_loops import feeding_bridges
from topograph.systems.ems.checks.drift import drift
from topograph.systems.ems.destinations.guards import ServerSettings
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsConfiguration

_UNDEFINED = {
    ("bridge", "topic"): BRIDGE_TOPIC_UNDEFINED,
    ("bridge", "queue"): BRIDGE_QUEUE_UNDEFINED,
    ("durable", "topic"): DURABLE_TOPIC_UNDEFINED,
}


def undefined(configured: Configured) -> Iterator[Finding]:
    """Bridges and durables on destinations that no entry allows (R45), grants to users and groups
    that nothing defines.

    What a file that was not found could define is not called undefined. Linear in bridges,
    durables, grants and patterns.
    """
    missing = set(configured.member.server.missing)
    entries = configured.of(EmsDestination)
    defined = {
        kind: PatternSet(f.name for f in entries if f.type == kind)
        for kind in ("topic", "queue")
        if f"{kind}s" not in missing
    }
    named: Iterable[EmsBridge | EmsDurable] = chain(
        configured.of(EmsBridge), configured.of(EmsDurable)
    )
    for fact in named:
        for kind, name in _named(fact):
            if kind in defined and not defined[kind].overlaps(name):
                what = "bridge" if isinstance(fact, EmsBridge) else "durable"
                yield R45.at(
                    fact.source,
                    f"no entry of {kind}s.conf of {configured.name} allows the {kind} "
                    f"{name}, which this {what} names.",
                    kind=_UNDEFINED[what, kind],
                    server=configured.name,
                )
    if not missing & {"users", "groups", "acl_list"}:
        yield from _undefined_principals(configured)


def _named(fact: EmsBridge | EmsDurable) -> list[tuple[str, str]]:
    if isinstance(fact, EmsBridge):
        return [
            (fact.source_type, fact.source_name),
            (fact.target_type, fact.target_name.partition("@")[0]),
        ]
    return [("topic", fact.topic)]


def _undefined_principals(configured: Configured) -> Iterator[Finding]:
    users = {fact.name for fact in configured.of(EmsUser)}
    groups = {fact.name for fact in configured.of(EmsGroup)}
    if not users and not groups:
        return
    for fact in configured.of(EmsGrant):
        known = users if fact.principal_type == "user" else groups
        if (
            fact.principal not in known
            and fact.principal != "admin"
            and not fact.principal.startswith("$")
        ):
            yield R50.at(
                fact.source,
                f"{fact.principal_type} {fact.principal} is granted something at "
                f"{configured.name} and is defined nowhere there.",
                server=configured.name,
            )


def twice(configured: Configured) -> Iterator[tuple[EmsDestination, EmsDestination]]:
    """Destinations that stand twice in the files of one server: the first entry and each later
    one. Linear.
    """
    first: dict[tuple[str, str, str], EmsDestination] = {}
    for fact in configured.of(EmsDestination):
        before = first.setdefault((fact.type, fact.name, fact.owner), fact)
        if before is not fact:
            yield before, fact


def defined_twice(configured: Configured) -> str:
    """What an answer about a server says if entries for one topic differ, so that which of them
    counts matters; empty if none do.
    """
    for before, after in twice(configured):
        if before.type == "topic" and set(before.properties) != set(after.properties):
            return (
                f"the topic {before.name} is defined twice with other properties "
                f"({before.source}, {after.source}); which entry "
                "counts is not documented, and the properties of both are taken together"
            )
    return ""


def _defined_twice(configured: Configured) -> Iterator[Finding]:
    for before, after in twice(configured):
        same = set(before.properties) == set(after.properties)
        says = (
            "with the same properties"
            if same
            else "with other properties; which entry counts is not documented"
        )
        yield R83.at(
            after.source,
            f"the {after.type} {after.label} is defined twice at {configured.name}, "
            f"first at {before.source}, {says}.",
            server=configured.name,
        )


def definitions(
    estate: EmsConfiguration, known: Mapping[str, ServerSettings], graph: ForwardingGraph
) -> Sequence[Finding]:
    """All findings of this module, by server."""
    found = list(feeding_bridges(estate, known, graph))
    for name in sorted(estate.servers):
        configured = estate.servers[name]
        found += [*undefined(configured), *_defined_twice(configured)]
    return [*found, *drift(estate, known)]
