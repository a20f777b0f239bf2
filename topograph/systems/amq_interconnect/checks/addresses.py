"""What is wrong or risky in the configuration of a whole network of routers (amq_interconnect.md
5.2).

What one file shows is found by the importer, what two ends of a connection show in ``links``; here
are addresses, link routes and autolinks across routers, and the shape of the network.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from topograph.facts.amqp_addresses import address_tokens, covers, overlap, stored_tokens
from topograph.findings import Severity
from topograph.rules.amq_interconnect_findings import (
    A_9,
    A_11,
    A_14,
    AUTOLINK_ONE_DIRECTION,
    AUTOLINK_WITHOUT_WAYPOINT,
    AUTOLINK_WRONG_PHASE,
    C_7,
    COORDINATOR_SEVERAL_CONTAINERS,
    ENTRY_NOT_EVERYWHERE,
    F_2,
    F_6,
    FALLBACK_NOT_ENABLED,
    FALLBACK_WITHOUT_AUTOLINK,
    FILLED_IN_AT_START,
    L_1,
    L_4,
    L_6,
    L_9,
    LINK_ROUTE_NOT_EVERYWHERE,
    LINK_ROUTE_ONE_DIRECTION,
    LINK_ROUTE_OVER_ADDRESS,
    LINK_ROUTE_OVER_AUTOLINK,
    LINKROUTE_NEVER_ACTIVE,
    LINKROUTE_NEVER_ACTIVE_L_4,
    REDUNDANT_ENTRY,
    SECTION_3_3,
    TREATMENT_MISMATCH,
    W_3,
    W_9,
    WAYPOINT_WITHOUT_AUTOLINK,
)
from topograph.systems.amq_interconnect.checks.findings import (
    Noticed,
    entry_text,
    link_text,
    names_of,
    noticed,
)
from topograph.systems.amq_interconnect.checks.never_active import never_active
from topograph.systems.amq_interconnect.checks.shape import ShapeRules
from topograph.systems.amq_interconnect.messages.addresses import AddressEntry, truth
from topograph.systems.amq_interconnect.messages.attachment import COORDINATOR
from topograph.systems.amq_interconnect.messages.model import (
    FALLBACK,
    AutoLink,
    LinkRoute,
    MessageNetwork,
    RouterConfigured,
)
from topograph.systems.amq_interconnect.network.routers import Router


def lint(network: MessageNetwork, routers: Sequence[Router], outside: int) -> list[Noticed]:
    """All findings, by kind. ``outside`` is the number of connectors that lead to no loaded
    router. Quadratic in the entries of one router, linear in routers and links otherwise."""
    loaded = {router.name: router for router in routers if router.name in network.routers}
    rules, shape = _Rules(network, loaded, outside), ShapeRules(network, loaded, outside)
    return [
        *rules.redundant_entries(),
        *rules.treated_differently(),
        *rules.waypoints(),
        *rules.autolinks(),
        *never_active(routers),
        *rules.fallbacks(),
        *rules.link_routes(),
        *rules.link_routes_and_addresses(),
        *rules.filled_in(),
        *shape.shape(),
        *shape.multicast_copies(),
        *shape.not_evaluated(),
        *shape.services(),
    ]


class _Rules:
    def __init__(self, network: MessageNetwork, loaded: dict[str, Router], outside: int) -> None:
        self.network = network
        self.loaded = loaded
        self.outside = outside
        self.configured = [network.routers[name] for name in sorted(network.routers)]

    def redundant_entries(self) -> Iterator[Noticed]:
        """A-14: an entry under a wider one that treats its addresses alike changes nothing."""
        known: dict[tuple[object, ...], list[tuple[int, int]]] = {}
        for router in self.configured:
            entries = router.table.entries
            # deployments roll one list out to many routers
            alike = tuple((one.tokens, _treatment(one), one.priority) for one in entries)
            if alike not in known:
                known[alike] = list(_redundant(entries))
            for narrow, wide in ((entries[a], entries[b]) for a, b in known[alike]):
                if is_filled_in(narrow.text) or is_filled_in(wide.text):
                    continue
                message = (
                    f"{entry_text(narrow)} at {router.name} changes nothing: "
                    f"{entry_text(wide)} ({wide.source}) covers it and "
                    f"treats its addresses alike ({wide.distribution.value})"
                )
                yield noticed(A_14, REDUNDANT_ENTRY, message, narrow.source, router.name)

    def treated_differently(self) -> Iterator[Noticed]:
        """A-9 to A-11: one prefix or pattern with different treatments on different routers."""
        by_tokens: dict[tuple[str, ...], dict[str, AddressEntry]] = defaultdict(dict)
        for router in self.configured:
            for entry in router.table.entries:
                if not is_filled_in(entry.text):
                    by_tokens[entry.tokens][router.name] = entry
        for entries in by_tokens.values():
            each: dict[str, list[str]] = defaultdict(list)
            for name, entry in entries.items():
                each[_treatment(entry)].append(name)
            if len(each) > 1:
                first = next(iter(entries.values()))
                parts = "; ".join(
                    f"{treatment} at {names_of(names)}" for treatment, names in sorted(each.items())
                )
                message = (
                    f"{entry_text(first)} is treated differently, and each router applies "
                    f"its own treatment: {parts}"
                )
                yield noticed(A_11, TREATMENT_MISMATCH, message, first.source, *sorted(entries))
                continue
            missing = [
                router.name
                for router in self.configured
                if router.name not in entries
                and router.mode != "standalone"
                and self._elsewhere(entries, router)
            ]
            if missing:
                first = next(iter(entries.values()))
                message = (
                    f"{entry_text(first)} is on {names_of(list(entries))} and not on "
                    f"{names_of(missing)}: a sender there is treated by "
                    f"what its router has or learns instead"
                )
                yield noticed(
                    A_9, ENTRY_NOT_EVERYWHERE, message, first.source, *sorted(entries), *missing
                )

    def _elsewhere(self, entries: Mapping[str, AddressEntry], router: RouterConfigured) -> bool:
        """Whether the router is in one network with one that has the entry."""
        return any(self._joined(router.name, name) for name in entries)

    @cached_property
    def auto_links(self) -> list[tuple[RouterConfigured, AutoLink]]:
        return [(router, one) for router in self.configured for one in router.auto_links]

    def waypoints(self) -> Iterator[Noticed]:
        """W-1, W-3: a waypoint needs an autolink out and one in; the broker may also connect by
        itself (W-12).
        """
        seen: set[tuple[str, ...]] = set()
        for router in self.configured:
            for entry in router.table.entries:
                if not entry.waypoint or entry.tokens in seen or is_filled_in(entry.text):
                    continue
                seen.add(entry.tokens)
                served = [
                    one
                    for _, one in self.auto_links
                    if one.phase != FALLBACK and _may_serve(one, entry)
                ]
                outs = {one.phase for one in served if one.direction == "out"}
                ins = {one.phase for one in served if one.direction == "in"}
                missing = []
                if str(entry.ingress_phase) not in outs:
                    missing.append(f"no autolink takes messages out in phase {entry.ingress_phase}")
                if str(entry.egress_phase) not in ins:
                    missing.append(f"no autolink brings them in in phase {entry.egress_phase}")
                if missing:
                    message = (
                        f"{entry_text(entry)} at {router.name} is a waypoint, and "
                        f"{' and '.join(missing)}: unless the container attaches "
                        "by itself, messages go no further"
                    )
                    yield noticed(
                        W_3, WAYPOINT_WITHOUT_AUTOLINK, message, entry.source, router.name
                    )

    def autolinks(self) -> Iterator[Noticed]:
        """W-3, W-9: an autolink without a waypoint entry, with a phase that none uses, or in one
        direction only.
        """
        directions: dict[str, dict[str, tuple[str, AutoLink]]] = defaultdict(dict)
        for router, one in self.auto_links:
            if one.phase != FALLBACK:
                directions[one.address].setdefault(one.direction, (router.name, one))
            yield from self._without_waypoint(router, one)
        unknown = {
            direction
            for address, found in directions.items()
            if is_filled_in(address)
            for direction in found
        }
        for address, found in sorted(directions.items()):
            if len(found) == 1 and not is_filled_in(address) and not unknown - found.keys():
                ((direction, (name, one)),) = found.items()
                entry = self.network.routers[name].table.entry(address)
                if entry is None or not entry.waypoint:
                    continue
                other = (
                    "in: what the container stores never comes back"
                    if direction == "out"
                    else "out: nothing is stored"
                )
                message = f"The address {address} has autolinks {direction} and none {other}"
                yield noticed(W_3, AUTOLINK_ONE_DIRECTION, message, one.source, name)

    def _without_waypoint(self, router: RouterConfigured, one: AutoLink) -> Iterator[Noticed]:
        entry = router.table.entry(one.address)
        if one.phase == FALLBACK or self._feeds_fallback(router, one) or is_filled_in(one.address):
            return
        if entry is None and any(
            other.waypoint and is_filled_in(other.text) for other in router.table.entries
        ):
            return
        if entry is None or not entry.waypoint:
            if one.direction == "in" and one.phase != "0":
                message = (
                    f"{link_text(one)} at {router.name} brings {one.address} in in "
                    f"phase {one.phase}, and no waypoint entry "
                    "makes receivers take that phase: nobody gets these messages"
                )
                yield noticed(W_9, AUTOLINK_WITHOUT_WAYPOINT, message, one.source, router.name)
            elif one.direction == "out" and self._has_in(one.address):
                message = (
                    f"{link_text(one)} at {router.name} takes {one.address} out, and "
                    "without a waypoint entry the container "
                    "competes with client receivers"
                )
                yield noticed(W_9, AUTOLINK_WITHOUT_WAYPOINT, message, one.source, router.name)
            return
        phases = {str(entry.ingress_phase), str(entry.egress_phase)}
        chained = {
            link.phase
            for _, link in self.auto_links
            if link.address == one.address and link is not one
        }
        if one.phase not in phases | chained:
            message = (
                f"{link_text(one)} at {router.name} has phase {one.phase}; "
                f"{entry_text(entry)} uses {entry.ingress_phase} and "
                f"{entry.egress_phase}"
            )
            yield noticed(W_3, AUTOLINK_WRONG_PHASE, message, one.source, router.name)

    def _has_in(self, address: str) -> bool:
        return any(one.address == address and one.direction == "in" for _, one in self.auto_links)

    def _feeds_fallback(self, router: RouterConfigured, one: AutoLink) -> bool:
        """Whether an autolink in belongs to a fallback: the file says ``fallback`` of it (F-4)."""
        entity = next(
            (
                e
                for e in self.loaded[router.name].configuration
                if e.type == "autoLink" and e.name == one.name
            ),
            None,
        )
        return entity is not None and truth(entity.get("fallback"))

    def fallbacks(self) -> Iterator[Noticed]:
        """F-1, F-2, F-6: a fallback autolink whose address no router enables, and an enabled
        entry that no autolink serves.
        """
        enabled = [
            (router, entry)
            for router in self.configured
            for entry in router.table.entries
            if entry.fallback
        ]
        serving = [(router, one) for router, one in self.auto_links if one.phase == FALLBACK]
        for router, one in serving:
            using = any(
                (entry := other.table.entry(one.address)) and entry.fallback
                for other in self.configured
            )
            unknown = is_filled_in(one.address) or any(
                is_filled_in(entry.text) for _, entry in enabled
            )
            if not using and not unknown:
                message = (
                    f"{link_text(one)} at {router.name} is a fallback for "
                    f"{one.address}, and no router has enableFallback for it: "
                    "nothing comes here"
                )
                yield noticed(F_2, FALLBACK_NOT_ENABLED, message, one.source, router.name)
        for router, entry in enabled:
            if not is_filled_in(entry.text) and not any(
                _may_serve(one, entry) for _, one in serving
            ):
                message = (
                    f"{entry_text(entry)} at {router.name} enables a fallback, and no "
                    "autolink with fallback serves any of its addresses"
                )
                yield noticed(F_6, FALLBACK_WITHOUT_AUTOLINK, message, entry.source, router.name)

    @cached_property
    def by_pattern(self) -> dict[tuple[tuple[str, ...], str], dict[str, list[LinkRoute]]]:
        """Per (stored pattern, direction) and router its link routes."""
        found: dict[tuple[tuple[str, ...], str], dict[str, list[LinkRoute]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for router in self.configured:
            for one in router.link_routes:
                found[one.tokens, one.direction][router.name].append(one)
        return found

    def link_routes(self) -> Iterator[Noticed]:
        """C-7, L-4, L-6, L-9."""
        for (tokens, direction), places in sorted(self.by_pattern.items()):
            first = next(iter(places.values()))[0]
            other = "out" if direction == "in" else "in"
            if (tokens, other) not in self.by_pattern and first.text.strip("./") != COORDINATOR:
                who = "receivers" if direction == "in" else "senders"
                message = (
                    f"The link route {first.text} has direction {direction} only: {who} are "
                    "not link-routed (L-6)"
                )
                yield noticed(L_6, LINK_ROUTE_ONE_DIRECTION, message, first.source, *sorted(places))
            missing = [
                router.name
                for router in self.configured
                if router.name not in places
                and router.mode == "interior"
                and self._together(router.name, places)
            ]
            active = sorted(
                name
                for name, own in places.items()
                if any(self._is_active(name, one) for one in own)
            )
            yield from self._without_connection(places, active)
            if missing and not is_filled_in(first.text):
                message = (
                    f"The link route {first.text} ({direction}) is on "
                    f"{names_of(list(places))} and not on {names_of(missing)}: while its "
                    "container is down those treat the address as message-routed, the "
                    "others refuse the attach"
                )
                yield noticed(
                    L_4,
                    LINK_ROUTE_NOT_EVERYWHERE,
                    message,
                    first.source,
                    *sorted(places),
                    *missing,
                    severity=Severity.INFO if active else Severity.WARNING,
                )
        yield from self._coordinators()

    def _is_active(self, name: str, one: LinkRoute) -> bool:
        return bool(
            self.network.open_connections(name, one.connection, one.container)
            or self.network.bridges_of(name, one)
        )

    def _without_connection(
        self, places: Mapping[str, list[LinkRoute]], active: list[str]
    ) -> Iterator[Noticed]:
        """C-7, L-4: an entry without connection and containerId never becomes active; where the
        pattern is active elsewhere, it makes its router refuse attaches that no container can
        take, as is recommended."""
        for name, own in places.items():
            elsewhere = [other for other in active if other != name and self._joined(name, other)]
            for one in own:
                if one.connection or one.container:
                    continue
                message = (
                    f"{link_text(one)} at {name} never becomes active: it has neither "
                    "connection nor containerId"
                )
                severity, rule, kind = Severity.ERROR, C_7, LINKROUTE_NEVER_ACTIVE
                if elsewhere:
                    severity, rule, kind = Severity.INFO, L_4, LINKROUTE_NEVER_ACTIVE_L_4
                    message += (
                        f"; {one.text} is active at {names_of(elsewhere)}, and {name} "
                        "refuses attaches while it is not"
                    )
                elif self.outside:
                    severity = Severity.WARNING
                    message += (
                        ", and it is not known whether a router that is not loaded has an "
                        "active one"
                    )
                yield noticed(rule, kind, message, one.source, name, severity=severity)

    def _together(self, name: str, places: Mapping[str, object]) -> bool:
        homes = {self.network.interior(place) for place in places}
        return any(home and self.network.routes.reaches(name, home) for home in homes)

    def _joined(self, name: str, other: str) -> bool:
        """Whether two routers, edges too, are in one network."""
        here, there = self.network.interior(name), self.network.interior(other)
        return bool(here and there) and (here == there or self.network.routes.reaches(here, there))

    def _coordinators(self) -> Iterator[Noticed]:
        """L-9: transactions work with one broker only."""
        found = [
            (router, one)
            for router in self.configured
            for one in router.link_routes
            if one.direction == "in"
            and covers(one.tokens, (COORDINATOR,))
            and one.text.strip("./") == COORDINATOR
        ]
        brokers = {
            connection.broker
            for router, one in found
            for connection in self.network.connections
            if connection.router == router.name
            and connection.role == "route-container"
            and (connection.name == one.connection or one.container)
        }
        if len(brokers) > 1:
            message = (
                f"{COORDINATOR} is link-routed to several containers "
                f"({names_of(sorted(brokers))}): transactions work with one only"
            )
            routers = sorted({router.name for router, _ in found})
            yield noticed(
                L_9, COORDINATOR_SEVERAL_CONTAINERS, message, found[0][1].source, *routers
            )

    def link_routes_and_addresses(self) -> Iterator[Noticed]:
        """L-1: where both would apply, the link route wins."""
        entries = {
            entry.tokens
            for router in self.configured
            for entry in router.table.entries
            if not is_filled_in(entry.text)
        }
        served = {
            one.address: stored_tokens(one.address, is_prefix=False)
            for _, one in self.auto_links
            if not is_filled_in(one.address)
        }
        for (tokens, direction), places in sorted(self.by_pattern.items()):
            first = next(iter(places.values()))[0]
            if is_filled_in(first.text):
                continue
            # an entry that is wider than the link route still has addresses of its own, as nested
            # entries have
            covered = {
                other
                for other in entries
                if overlap(other, tokens) and (covers(tokens, other) or not covers(other, tokens))
            }
            taken = {address for address, other in served.items() if overlap(other, tokens)}
            if not covered and not taken:
                continue
            for router in self.configured:
                if not (router.name in places or self._together(router.name, places)):
                    continue
                for entry in router.table.entries:
                    if entry.tokens in covered:
                        message = (
                            f"The link route {first.text} ({direction}) also covers "
                            f"addresses of the address entry {entry.text} at {router.name} "
                            f"({entry.source}): it wins, and the entry does not apply to them"
                        )
                        yield noticed(
                            L_1, LINK_ROUTE_OVER_ADDRESS, message, first.source, router.name
                        )
                for one in router.auto_links:
                    if one.address in taken:
                        message = (
                            f"{one.address} is served by {link_text(one)} of "
                            f"{router.name} ({one.source}) and covered by the link "
                            f"route {first.text} ({direction}): clients are link-routed "
                            "and never use the autolink"
                        )
                        yield noticed(
                            L_1, LINK_ROUTE_OVER_AUTOLINK, message, first.source, router.name
                        )

    def filled_in(self) -> Iterator[Noticed]:
        """3.3: what a router's start fills in, no file shows, so that the rules here leave it
        out.
        """
        for router in self.configured:
            texts = [(one.text, one.source) for one in router.table.entries]
            texts += [(one.text, one.source) for one in router.link_routes]
            texts += [(one.address, one.source) for one in router.auto_links]
            found = [(text, source) for text, source in texts if is_filled_in(text)]
            if found:
                shown = names_of(sorted({text for text, _ in found}))
                message = (
                    f"{router.name}: what {shown} stands for is filled in at start, so that "
                    "it is not checked against other entries"
                )
                yield noticed(SECTION_3_3, FILLED_IN_AT_START, message, found[0][1], router.name)


def is_filled_in(text: str) -> bool:
    """Whether a text holds a part that is filled in before the router starts, such as
    ``${HOSTNAME}`` (3.3).
    """
    return "${" in text


def _may_serve(one: AutoLink, entry: AddressEntry) -> bool:
    """Whether an autolink's address may be one of an entry's; one that is filled in may."""
    return is_filled_in(one.address) or overlap(entry.tokens, address_tokens(one.address))


def _redundant(entries: Sequence[AddressEntry]) -> Iterator[tuple[int, int]]:
    """The places of entries that change nothing, each with the wider entry that makes it so.
    Quadratic in entries with one first token.
    """
    wild = (("*",), ("#",))
    by_first: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, entry in enumerate(entries):
        by_first[entry.tokens[:1]].append(place)
    everywhere = [place for first in wild for place in by_first.get(first, ())]
    for place, narrow in enumerate(entries):
        first = narrow.tokens[:1]
        near = range(len(entries)) if first in wild else sorted([*by_first[first], *everywhere])
        others = [
            other
            for other in near
            if other != place and overlap(entries[other].tokens, narrow.tokens)
        ]
        # with a third entry among its addresses the wider one does not stand in for it
        if len(others) == 1:
            wide = entries[others[0]]
            if covers(wide.tokens, narrow.tokens) and _alike(wide, narrow):
                yield place, others[0]


def _alike(one: AddressEntry, other: AddressEntry) -> bool:
    return _treatment(one) == _treatment(other) and one.priority == other.priority


def _treatment(entry: AddressEntry) -> str:
    phases = f", phases {entry.ingress_phase} and {entry.egress_phase}" if entry.waypoint else ""
    return f"{entry.distribution.value}{phases}{', with fallback' if entry.fallback else ''}"
