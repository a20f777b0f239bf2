"""The routes and settings that running servers showed, beside their routes.conf and
tibemsd.conf.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from topograph.facts import Fact
from topograph.facts.ems import EmsObservedRoute, EmsRoute
from topograph.facts.ems_observed import EmsListing, EmsObservedSetting
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, endpoints
from topograph.findings import Finding
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.rules.ems_findings import (
    R3,
    R4,
    R6,
    R7,
    R49,
    R53,
    ROUTE_NOT_CONFIGURED,
    ROUTE_NOT_CONNECTED,
    ROUTE_NOT_OBSERVED,
    ROUTE_ROLE_DIFFERS,
    ROUTE_SUSPENDED,
    ROUTE_URL_DIFFERS,
    ROUTE_ZONE_DIFFERS,
    SETTING_DIFFERS,
    TL_16,
)
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsConfiguration

_KINDS = frozenset(
    {
        "listing",
        "observed_setting",
        "observed_route",
        "observed_destination",
        "observed_subscription",
        "observed_bridges",
    }
)


F = TypeVar("F", bound=Fact)


@record(slots=False)
class Shown:
    """What one server showed, and its configuration. Of a fault-tolerant pair what either member
    showed: one server (R7).
    """

    configured: Configured
    facts: tuple[Fact, ...]

    @classmethod
    def of_server(cls, configured: Configured, without: Collection[str]) -> Shown:
        """What a server showed, but for the texts in some files. Linear in its facts."""
        facts = (fact for member in configured.members for fact in member.facts)
        return cls(
            configured,
            tuple(
                fact for fact in facts if fact.kind in _KINDS and fact.source.file not in without
            ),
        )

    def of(self, cls: type[F]) -> list[F]:
        """What was shown of one class, in file order."""
        return [fact for fact in self.facts if isinstance(fact, cls)]

    @cached_property
    def whole(self) -> Mapping[str, EmsListing]:
        """The listings that list all there was, by their command without ``show``."""
        return {fact.name: fact for fact in self.of(EmsListing) if not fact.cut}

    def place(self, listing: str) -> str:
        """Where a listing stands that lists all there was; empty if there is none."""
        return str(self.whole[listing].source) if listing in self.whole else ""

    @property
    def missing(self) -> Collection[str]:
        """The kinds of sub-files that were not found, or of which not all could be read."""
        return self.configured.member.server.missing


def difference(rule: Rule, kind: FindingKind, message: str, fact: Fact) -> Finding:
    """The finding on a difference between what a server showed and its files."""
    return rule.at(fact.source, f"{fact.server}: {message}", kind=kind, server=fact.server)


def routes(shown: Shown, estate: EmsConfiguration) -> Iterator[Finding]:
    """What ``show routes`` reported, beside the routes.conf of both ends (R4)."""
    seen = {fact.name: fact for fact in shown.of(EmsObservedRoute)}
    own: dict[str, EmsRoute] = {}
    for member in shown.configured.members:
        for fact in member.of(EmsRoute):
            own.setdefault(fact.name, fact)
    for name in sorted(seen):
        yield from _route(seen[name], own.get(name), shown, estate)
    place = shown.place("routes")
    for name in sorted(own.keys() - seen.keys()) if place else ():
        text = f"the route {name} is configured and the server does not show it ({place})."
        yield difference(R4, ROUTE_NOT_OBSERVED, text, own[name])


def _route(
    seen: EmsObservedRoute, route: EmsRoute | None, shown: Shown, estate: EmsConfiguration
) -> Iterator[Finding]:
    other = estate.servers.get(seen.name)
    back = (
        None
        if other is None
        else next((r for r in _routes_of(other) if r.name == seen.server), None)
    )
    if route is None and seen.active and "routes" not in shown.missing:
        text = f"the server shows an active route {seen.name} that is not configured."
        yield difference(R4, ROUTE_NOT_CONFIGURED, text, seen)
    if (
        route is None
        and not seen.active
        and other is not None
        and back is None
        and "routes" not in other.member.server.missing
    ):
        text = (
            f"the server shows a passive route from {seen.name}, whose routes.conf has no "
            f"route to {seen.server}."
        )
        yield difference(R4, ROUTE_NOT_CONFIGURED, text, seen)
    if route is not None and not seen.active and back is None:
        text = (
            f"the server shows the route {seen.name} as passive, and its routes.conf "
            f"configures it ({route.source})."
        )
        yield difference(R3, ROUTE_ROLE_DIFFERS, text, seen)
    if not seen.connected:
        text = f"the route {seen.name} was not connected when the server was asked."
        yield difference(R4, ROUTE_NOT_CONNECTED, text, seen)
    if seen.suspended:
        text = (
            f"the route {seen.name} was suspended when the server was asked: what goes to "
            f"{seen.name} waits there until it is resumed."
        )
        yield difference(R53, ROUTE_SUSPENDED, text, seen)
    counts = route or back
    if (
        counts is not None
        and not counts.faults
        and (seen.zone_name, seen.zone_type) != (counts.zone_name, counts.zone_type)
    ):
        text = (
            f"the server shows the route {seen.name} in zone {seen.zone_name} ({seen.zone_type}); "
            f"configured is {counts.zone_name} ({counts.zone_type}) at {counts.source}."
        )
        yield difference(R4, ROUTE_ZONE_DIFFERS, text, seen)
    if route is not None and seen.active and (places := _places(seen.url)):
        configured = {place for url in route.url for place in _places(url)}
        if configured and not configured & places:
            text = (
                f"the server shows the route {seen.name} at {seen.url}; configured is "
                f"{','.join(route.url)} at {route.source}."
            )
            yield difference(R4, ROUTE_URL_DIFFERS, text, seen)


def _routes_of(configured: Configured) -> Iterator[EmsRoute]:
    return (
        fact for member in configured.members for fact in member.facts if isinstance(fact, EmsRoute)
    )


def _places(url: str) -> set[tuple[str, int]]:
    """The hosts (empty where it is the machine itself) and ports of a URL."""
    return {
        (
            "" if (end.host or "").lower() in LOOPBACK else (end.host or "").lower(),
            end.port or DEFAULT_PORT,
        )
        for end in endpoints(url)
    }


def settings(shown: Shown) -> Iterator[Finding]:
    """What ``show config`` reported, beside tibemsd.conf: whether messages are routed (R6),
    whether permissions are asked for (R49), where the server listens, and its other member (R7)."""
    rows = shown.of(EmsObservedSetting)
    main = shown.configured.member.server
    stated = {"routing": main.routing, "authorization": main.authorization}
    runs = {"routing": main.routing is not False, "authorization": main.authorization is True}
    for name, rule in (("routing", R6), ("authorization", R49)):
        row = next((row for row in rows if row.name == name), None)
        if row is None or (row.value == "enabled") == runs[name]:
            continue
        says = (
            "does not state it"
            if stated[name] is None
            else f"has it {'enabled' if stated[name] else 'disabled'}"
        )
        taken = (
            f", which is taken as {'enabled' if runs[name] else 'disabled'}"
            if stated[name] is None
            else ""
        )
        text = (
            f"the server shows {name} as {row.value}; tibemsd.conf {says} "
            f"({main.place(name)}){taken}."
        )
        yield difference(rule, SETTING_DIFFERS, text, row)
    yield from _listens(shown, [row for row in rows if row.name == "listen"])
    yield from _partner(shown, [row for row in rows if row.name == "ft_active"])


def _listens(shown: Shown, rows: list[EmsObservedSetting]) -> Iterator[Finding]:
    """Ports on one side alone. A member of a pair may show those of the other."""
    servers = [member.server for member in shown.configured.members]
    configured = {port for server in servers for url in server.listen for port in _ports(url)}
    others = {port for server in servers for port in _ports(server.ft_active)}
    seen = {port for row in rows for port in _ports(row.value)}
    if not configured or not seen:
        return
    for row in rows:
        if not _ports(row.value) & (configured | others):
            text = (
                f"the server shows that it listens at {row.value}; tibemsd.conf has no "
                f"`listen` with that port ({servers[0].source})."
            )
            yield difference(TL_16, SETTING_DIFFERS, text, row)
    gone = sorted(configured - seen) if "config" in shown.whole and len(servers) == 1 else []
    if gone:
        ports = ", ".join(map(str, gone))
        text = (
            f"tibemsd.conf lets the server listen on port {ports} ({servers[0].source}), and "
            "the server does not show that."
        )
        yield difference(TL_16, SETTING_DIFFERS, text, rows[0])


def _partner(shown: Shown, rows: list[EmsObservedSetting]) -> Iterator[Finding]:
    servers = [member.server for member in shown.configured.members]
    stated = [server for server in servers if server.ft_active]
    known = {
        port
        for server in servers
        for url in (server.ft_active, *server.listen)
        for port in _ports(url)
    }
    for row in rows:
        if not stated:
            text = (
                f"the server shows ft_active {row.value}; tibemsd.conf does not state it, so "
                "that it counts as one server without a standby."
            )
            yield difference(R7, SETTING_DIFFERS, text, row)
        elif not _ports(row.value) & known:
            text = (
                f"the server shows ft_active {row.value}; tibemsd.conf has "
                f"{stated[0].ft_active} ({stated[0].source})."
            )
            yield difference(R7, SETTING_DIFFERS, text, row)


def _ports(url: str) -> set[int]:
    return {end.port or DEFAULT_PORT for end in endpoints(url)}
