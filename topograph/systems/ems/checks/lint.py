"""Lint rules of EMS that need several servers (outcomes.md 4.4, TL-01 to TL-19; those of one
file's syntax are the importer's).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.errors import InvalidSelector
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsRoute
from topograph.findings import Finding, Severity, Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.outcomes import Truth
from topograph.rules.ems_findings import (
    GLOBAL_AT_ONE_END,
    GLOBAL_IN_PART_AT_ONE_END,
    GRANT_MISSING,
    PREFETCH_NONE,
    ROUTED_QUEUE_EXCLUSIVE,
    ROUTING_DISABLED,
    SELECTOR_CONSTANT,
    SELECTOR_INVALID,
    SELECTOR_TOPIC_NOT_GLOBAL,
    SELECTOR_TOPIC_UNKNOWN,
    STORE_CONFLICT,
    TL_01,
    TL_02,
    TL_03,
    TL_04,
    TL_05,
    TL_06,
    TL_08,
    TL_09,
    TL_10,
    TL_11,
    TL_16,
    TL_18,
    TL_19,
    TLS_HOST_NOT_VERIFIED,
)
from topograph.selectors import parse as parse_selector
from topograph.systems.ems.checks.definitions import definitions
from topograph.systems.ems.checks.routed_queues import routed_queues
from topograph.systems.ems.destinations.guards import ServerSettings, grants_needed, settings
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import (
    contained,
    is_temporary,
    is_wildcard,
    properties_in_effect,
    store_conflicts,
)
from topograph.systems.ems.network.legality import cyclic_parts, duplicates
from topograph.systems.ems.network.links import Configured, EmsConfiguration, EmsLink
from topograph.systems.ems.network.names import name_of
from topograph.systems.ems.network.walks import servers_on

DUPLICATES_LISTED = 50
"""TL-01 findings written per network; an illegal network can hold a quadratic number. ``cycles``
lists them all.
"""


def lint_network(estate: EmsConfiguration, graph: ForwardingGraph) -> list[Finding]:
    """The findings of the network as a whole, by rule. Linear in facts and links, but for TL-01
    (see ``legality``).
    """
    return [*_paths(graph), *definitions(estate, _settings(estate), graph)]


def lint_servers(estate: EmsConfiguration) -> list[Finding]:
    """The findings of queues, of each link and of each server, by rule. Linear in facts and
    links.
    """
    known = _settings(estate)
    found = list(routed_queues(estate))
    for link in estate.links:
        found.extend(_global_at_one_end(link, known))
        found.extend(_routing_disabled(link, estate))
        found.extend(_missing_grants(link, known))
        found.extend(_to_durables(link, estate))
    forwarding = {end for link in estate.links for end in link.ends}
    for name, configured in sorted(estate.servers.items()):
        found.extend(_selectors(configured, known[name]))
        found.extend(_wildcards_not_routed(configured, known[name]))
        found.extend(_stores(configured))
        found.extend(_inherited_by_queues(configured))
        found.extend(_hosts_not_verified(configured))
        if name in forwarding:
            found.extend(_without_limit(configured))
    return found


def _settings(estate: EmsConfiguration) -> dict[str, ServerSettings]:
    return {name: settings(configured) for name, configured in estate.servers.items()}


def _paths(graph: ForwardingGraph) -> Iterator[Finding]:
    """TL-01 duplicate paths, TL-02 cycles over several zones that are accepted (A2)."""
    parts = cyclic_parts(graph)
    illegal = [part for part in parts if not part.legal]
    if illegal:
        walker = RowWalks(graph)
        for doubled in duplicates(graph, walker, Closed(), Budget(20_000), DUPLICATES_LISTED).found:
            owner, server = graph.servers[doubled.owner].name, graph.servers[doubled.server].name
            ways = " and ".join(" → ".join(servers_on(graph, path)) for path in doubled.paths)
            yield TL_01.at(
                graph.points[doubled.paths[0][-1]].source,
                f"{server} would hold {name_of(owner)} over {len(doubled.via)} routes: {ways}. "
                f"The server refuses one of them (Implicit route to '{owner}' already exists).",
                server=server,
            )
    for part in parts:
        if part.legal and not illegal:
            names = ", ".join(graph.servers[number].name for number in part.servers[:8])
            place = next(point.source for point in graph.points if point.link in part.links)
            yield TL_02.at(
                place,
                f"the routes between {names} form a cycle over several zones. The "
                "temporary-topic rule accepts it; "
                "the vendor's knowledge base calls every such cycle illegal. `topograph "
                "cycles --strict` refuses it.",
            )


def _global_at_one_end(link: EmsLink, known: dict[str, ServerSettings]) -> Iterator[Finding]:
    """TL-03: topics global at one end that meet no global topic of the other, or not with all
    their names (R42); one finding of each kind a link and direction."""
    if not all(end in known and not known[end].topics_missing for end in link.ends):
        return
    for here, there in (link.ends, link.ends[::-1]):
        others = known[there].global_set
        own = sorted(known[here].global_names - known[there].global_names)
        lone: list[str] = []
        met: list[str] = []
        for pattern in own:
            (met if others.overlaps(pattern) else lone).append(pattern)
        if lone:
            yield TL_03.at(
                _topic_source(known[here], lone[0]),
                f"{_listed(lone)} {'is' if len(lone) == 1 else 'are'} global at {here} "
                f"and not at {there}: "
                "not carried by the route between them.",
                kind=GLOBAL_AT_ONE_END,
                server=there,
            )
        partly = [pattern for pattern in met if not others.covers(pattern)]
        if partly:
            meets = others.overlapping(partly[0])
            yield TL_03.at(
                _topic_source(known[here], partly[0]),
                f"{_listed(partly)} {'is' if len(partly) == 1 else 'are'} global at "
                f"{here} and only in part at {there} "
                f"({_listed(meets)} of {partly[0]}): the route between them does not "
                "carry the other topics.",
                kind=GLOBAL_IN_PART_AT_ONE_END,
                server=there,
            )


def _topic_source(side: ServerSettings, pattern: str) -> Source:
    return side.topic_sources.get(pattern, side.source)


def _routing_disabled(link: EmsLink, estate: EmsConfiguration) -> Iterator[Finding]:
    """TL-16 (A18): ``routing`` disabled at an end; the link counts for cycles and carries
    nothing (R6, R30).
    """
    for end in link.ends:
        configured = estate.servers.get(end)
        if configured and configured.member.server.routing is False:
            yield TL_16.at(
                configured.member.server.place("routing"),
                f"routing is disabled at {end}, so its route to {link.other(end)} is down.",
                kind=ROUTING_DISABLED,
                server=end,
            )


def _missing_grants(link: EmsLink, known: dict[str, ServerSettings]) -> Iterator[Finding]:
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
                        _topic_source(side, topic),
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
            f"{_listed(route.name for route in found)}.",
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


def _listed(names: Iterable[str], most: int = 5) -> str:
    """Names for a message, the rest as a number."""
    found = list(names)
    return ", ".join(found[:most]) + (f" and {len(found) - most} more" if len(found) > most else "")


def _to_durables(link: EmsLink, estate: EmsConfiguration) -> Iterator[Finding]:
    """TL-05: an active-passive route at a server with durables, which a failure of the other end
    can leave with a gap or duplicates.
    """
    if link.role == "active-active":
        return
    for end in link.ends:
        configured = estate.servers.get(end)
        durable = next(iter(configured.of(EmsDurable)), None) if configured else None
        if durable is not None:
            other = link.other(end)
            known = other in estate.servers
            sides = (
                f"is configured on {link.role} only"
                if known
                else f"is configured on {link.role}; whether on {other} too is not known, because "
                f"the configuration of {other} is not loaded"
            )
            yield TL_05.at(
                link.source,
                f"{end} holds the durable {durable.name} ({durable.source}) and its "
                f"route to {other} {sides}. If the route breaks, messages may be lost or arrive "
                "twice; only an active-active route, configured on both servers, avoids both.",
                severity=Severity.WARNING if known else Severity.INFO,
                server=end,
            )


def _selectors(configured: Configured, side: ServerSettings) -> Iterator[Finding]:
    """TL-06 selector on a topic that is not global or that no configured topic matches; TL-08
    selector invalid or constant.
    """
    names = PatternSet(f.name for f in configured.of(EmsDestination) if f.type == "topic")
    for route in configured.of(EmsRoute):
        for line in route.selectors:
            if line.fault:
                continue  # the error names the route and the line already
            try:
                constant = parse_selector(line.selector).constant()
            except InvalidSelector as error:
                yield TL_08.at(
                    line.source,
                    f"the selector on {line.topic} of the route {route.name} is not valid: "
                    f"{error.in_one_line}",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_INVALID,
                )
                constant = None
            if constant is not None:
                says = "always" if constant is Truth.TRUE else "never"
                yield TL_08.at(
                    line.source,
                    f"the selector on {line.topic} of the route {route.name} is {says} "
                    f"true: {line.selector}",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_CONSTANT,
                )
            if side.topics_missing:
                continue
            if not names.overlaps(line.topic):
                yield TL_06.at(
                    line.source,
                    f"no topic of {configured.name} matches {line.topic}, which the "
                    f"route {route.name} sets a selector on.",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_TOPIC_UNKNOWN,
                )
            elif not side.global_set.overlaps(line.topic):
                yield TL_06.at(
                    line.source,
                    f"{line.topic} is not global at {configured.name}, so the selector "
                    f"of the route {route.name} decides nothing.",
                    server=configured.name,
                    excerpt=line.selector,
                    kind=SELECTOR_TOPIC_NOT_GLOBAL,
                )


def _wildcards_not_routed(configured: Configured, side: ServerSettings) -> Iterator[Finding]:
    """TL-09: a wildcard durable or bridge source that is no subset of a global topic, though it
    meets one (R46).
    """
    if side.topics_missing:
        return
    bridges = (one for one in configured.of(EmsBridge) if one.source_type == "topic")
    named = [
        *((durable, durable.topic) for durable in configured.of(EmsDurable)),
        *((bridge, bridge.source_name) for bridge in bridges),
    ]
    for fact, topic in named:
        if (
            is_wildcard(topic)
            and side.global_set.overlaps(topic)
            and not side.global_set.contains(topic)
        ):
            yield TL_09.at(
                fact.source,
                f"{topic} meets global topics of {configured.name} but is no subset of "
                "one; routing of it is not reliable.",
                server=configured.name,
            )


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


def _without_limit(configured: Configured) -> Iterator[Finding]:
    """TL-04: a global topic without maxbytes or maxmsgs on a server that forwards it (F9)."""
    topics = [f for f in configured.of(EmsDestination) if f.type == "topic"]
    limited = [
        t.name
        for t in topics
        if any(key.lower() in ("maxbytes", "maxmsgs") for key, _ in t.properties)
    ]
    # Of temporary topics nothing but their own patterns is inherited (R84).
    inherited = {
        kind: PatternSet(name for name in limited if is_temporary(name) or not kind)
        for kind in (False, True)
    }
    for topic in topics:
        if ("global", "true") in topic.properties and not inherited[
            is_temporary(topic.name)
        ].contains(topic.name):
            yield TL_04.at(
                topic.source,
                f"{topic.name} is global at {configured.name} and has neither maxbytes "
                "nor maxmsgs: what is stored for a neighbour that is "
                "down is bounded by the server only.",
                server=configured.name,
            )
