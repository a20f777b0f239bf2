"""Lint rules of EMS that need several servers (outcomes.md 4.4, TL-01 to TL-19; those of one
file's syntax are the importer's): all modules of ``systems.ems.lint``, and what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topograph.errors import InvalidSelector
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsRoute
from topograph.findings import Finding, Source
from topograph.forwarding.graph import ForwardingGraph
from topograph.outcomes import Truth
from topograph.rules import FindingKind
from topograph.rules.ems_findings import (
    ENTRY_SELECTOR_CONSTANT,
    ENTRY_SELECTOR_INVALID,
    GRANT_MISSING,
    PREFETCH_NONE,
    ROUTED_QUEUE_EXCLUSIVE,
    ROUTING_DISABLED,
    SELECTOR_CONSTANT,
    SELECTOR_INVALID,
    STORE_CONFLICT,
    TL_08,
    TL_10,
    TL_11,
    TL_16,
    TL_18,
    TL_19,
    TLS_HOST_NOT_VERIFIED,
)
from topograph.selectors import parse as parse_selector
from topograph.systems.contract.lint import lints
from topograph.systems.ems.checked import Checked, CheckedGraph, listed, topic_source
from topograph.systems.ems.checks.definitions import definitions
from topograph.systems.ems.checks.routed_queues import routed_queues
from topograph.systems.ems.destinations.guards import ServerSettings, grants_needed
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import (
    contained,
    is_wildcard,
    properties_in_effect,
    store_conflicts,
)
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsConfiguration, EmsLink

LINT = "topograph.systems.ems.lint"
"""The lint rules that stand whole in one module each."""


def lint_network(estate: EmsConfiguration, graph: ForwardingGraph) -> list[Finding]:
    """The findings of the network as a whole, by rule. Linear in facts and links, but for TL-01
    (see ``legality``).
    """
    checked = CheckedGraph(estate, graph)
    return [*_found(checked, walks=True), *definitions(estate, checked.known, graph)]


def lint_servers(estate: EmsConfiguration) -> list[Finding]:
    """The findings of queues, of each link and of each server. Linear in facts and links."""
    checked = Checked(estate)
    found = [*routed_queues(estate), *_found(checked, walks=False)]
    for link in estate.links:
        found.extend(_routing_disabled(link, estate))
        found.extend(_missing_grants(link, checked.known))
    for configured in checked.servers:
        found.extend(_selectors(configured))
        found.extend(_stores(configured))
        found.extend(_inherited_by_queues(configured))
        found.extend(_hosts_not_verified(configured))
    return found


def _found(checked: Checked, *, walks: bool) -> Iterator[Finding]:
    """The findings of the modules in ``systems.ems.lint``."""
    for one in lints(LINT):
        if one.walks is walks:
            yield from one.find(checked)


def _routing_disabled(link: EmsLink, estate: EmsConfiguration) -> Iterator[Finding]:
    """TL-16 (A18): ``routing`` disabled at an end; the link counts for cycles and carries
    nothing (R6, R30).
    """
    for end in link.ends:
        configured = estate.servers.get(end)
        if configured is None or configured.routing_open:
            continue
        if configured.member.server.routing is False:
            yield TL_16.at(
                configured.member.server.place("routing"),
                f"routing is disabled at {end}, so its route to {link.other(end)} is down.",
                kind=ROUTING_DISABLED,
                server=end,
            )


def _missing_grants(link: EmsLink, known: Mapping[str, ServerSettings]) -> Iterator[Finding]:
    """TL-10: a secure global topic without the grant the neighbour needs (R49)."""
    for start, end in (link.ends, link.ends[::-1]):
        if start not in known or end not in known:
            continue
        secure = {*known[start].secure_topics, *known[end].secure_topics}
        for topic in sorted(secure):
            if not all(known[side].global_set.overlaps(topic) for side in (start, end)):
                continue
            for at, user, permissions in grants_needed(topic, known[start], known[end]):
                side = known[at]
                if side.grants_missing:
                    continue
                given = {
                    p
                    for grant in side.grants_for(user)
                    if contained(topic, grant.name)
                    for p in grant.permissions
                }
                lacking = [p for p in permissions if p not in given and "all" not in given]
                if lacking:
                    yield TL_10.at(
                        topic_source(side, topic),
                        f"{topic} is secure at {at}: for messages from {start} to {end} "
                        "its acl.conf needs the line "
                        f"TOPIC={topic} USER={user} PERM={','.join(lacking)}",
                        kind=GRANT_MISSING,
                        server=at,
                    )


def _hosts_not_verified(configured: Configured) -> Iterator[Finding]:
    """TL-19: routes with TLS whose host verification is off; one finding a server, at the first
    such route.
    """
    routes = configured.of(EmsRoute)
    found = [
        route
        for route in routes
        if any(_turns_verification_off(*pair) for pair in route.properties)
    ]
    if found:
        yield TL_19.at(
            found[0].source,
            f"host verification is turned off for {len(found)} of {len(routes)} routes "
            f"of {configured.name}: "
            f"{listed(route.name for route in found)}.",
            kind=TLS_HOST_NOT_VERIFIED,
            server=configured.name,
        )


def _turns_verification_off(key: str, value: str) -> bool:
    return key.endswith("verify_host") and value.lower() in (
        "disabled",
        "disable",
        "false",
        "no",
        "off",
    )


def _selectors(configured: Configured) -> Iterator[Finding]:
    """TL-08: a selector that is invalid or constant, of a route, a bridge or a durable. Of a line
    that is not understood the error names the line already."""
    of_routes = SELECTOR_INVALID, SELECTOR_CONSTANT
    of_entries = ENTRY_SELECTOR_INVALID, ENTRY_SELECTOR_CONSTANT
    for route in configured.of(EmsRoute):
        for line in route.selectors:
            if not line.fault:
                what = f"on {line.topic} of the route {route.name}"
                yield from _selector(configured, line.selector, line.source, what, of_routes)
    for bridge in configured.of(EmsBridge):
        if bridge.selector and not bridge.fault:
            what = f"of the bridge {bridge.label}"
            yield from _selector(configured, bridge.selector, bridge.source, what, of_entries)
    for durable in configured.of(EmsDurable):
        if durable.selector and not durable.fault:
            what = f"of the durable {durable.name} on {durable.topic}"
            yield from _selector(configured, durable.selector, durable.source, what, of_entries)


def _selector(
    configured: Configured,
    selector: str,
    source: Source,
    what: str,
    kinds: tuple[FindingKind, FindingKind],
) -> Iterator[Finding]:
    """What is wrong with one selector: ``kinds`` are those for an invalid and a constant one."""
    invalid, constant = kinds
    try:
        always = parse_selector(selector).constant()
    except InvalidSelector as error:
        text = f"the selector {what} is not valid: {error.in_one_line}"
        yield TL_08.at(source, text, server=configured.name, excerpt=selector, kind=invalid)
        return
    if always is not None:
        says = "always" if always is Truth.TRUE else "never"
        text = f"the selector {what} is {says} true: {selector}"
        yield TL_08.at(source, text, server=configured.name, excerpt=selector, kind=constant)


def _stores(configured: Configured) -> Iterator[Finding]:
    """TL-18: overlapping patterns with different stores (R84)."""
    for kind in ("topic", "queue"):
        entries = [f for f in configured.of(EmsDestination) if f.type == kind]
        for first, second in store_conflicts(entries):
            yield TL_18.at(
                second.source,
                f"{second.name} and {first.name} ({first.source}) overlap and name "
                "different stores; the server refuses the second.",
                kind=STORE_CONFLICT,
                server=configured.name,
            )


def _inherited_by_queues(configured: Configured) -> Iterator[Finding]:
    """TL-18, TL-11: what patterns of queues.conf and an entry together make illegal (R83); of
    one line alone the importer says it.
    """
    entries = [f for f in configured.of(EmsDestination) if f.type == "queue"]
    own = [f for f in entries if f.owner in ("", configured.name)]
    patterns = [f for f in own if is_wildcard(f.name)]
    limited = any("prefetch" in dict(f.properties) for f in own)
    exclusive = any("exclusive" in dict(f.properties) for f in patterns)
    named: dict[str, list[EmsDestination]] = {}
    for pattern in patterns:
        named.setdefault(pattern.name, []).append(pattern)
    asked = PatternSet(named)
    homes = {id(entry) for entry in own}
    for entry in entries if patterns and (limited or exclusive) else ():
        stated = dict(entry.properties)
        above = (f for name in asked.containing(entry.name) for f in named[name] if f != entry)
        effect = properties_in_effect([*above, entry], entry.name)
        alone = stated.get("prefetch", "").lower() == "none" and "global" in stated
        home = id(entry) in homes
        if (
            home
            and str(effect.get("prefetch", "")).lower() == "none"
            and effect.get("global")
            and not alone
        ):
            text = (
                "prefetch=none is not allowed for global queues, and by the patterns that "
                f"match it {entry.name} is one."
            )
            yield TL_18.at(entry.source, text, kind=PREFETCH_NONE, server=configured.name)
        if not home and effect.get("exclusive") and "exclusive" not in stated:
            text = (
                f"the routed queue {entry.label} is exclusive by a pattern that matches it, "
                "which only its home queue can be."
            )
            yield TL_11.at(entry.source, text, kind=ROUTED_QUEUE_EXCLUSIVE, server=configured.name)
