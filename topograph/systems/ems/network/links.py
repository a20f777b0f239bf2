"""EMS servers and links from facts (ems.md 1.1-1.3, R1-R9, A9, A10, A17, A18).

A *route* is an entry in one server's routes.conf; a *link* is the connection between two servers
that one route or two (active-active) configure. A link is undirected for forwarding (R1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from topograph.assumptions import Assumption
from topograph.facts import Fact
from topograph.facts.ems import (
    EmsDestination,
    EmsDurable,
    EmsObservedRoute,
    EmsRoute,
    EmsServer,
    RouteFault,
    RouteSelector,
)
from topograph.facts.ems_observed import EmsListing
from topograph.findings import Finding, Source
from topograph.records import record
from topograph.side_inputs import SideInputs, yaml_text
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.bearing import Concerned, Effect, effects, effects_on_servers
from topograph.systems.ems.ambiguities import A9, A16
from topograph.systems.ems.network.configured import Configured, EmsMember
from topograph.systems.ems.network.listed_routes import lists_in_part, taken_as_running
from topograph.systems.ems.network.observations import Misplaced, misplaced
from topograph.systems.ems.network.route_users import assumed_users

_PAIR_KINDS = ("route", "destination", "bridge", "durable", "grant")
"""The kinds that must be equal in both members of a fault-tolerant pair (ems.md 3.1)."""


@record(slots=False)
class EmsLink:
    """A link between ``ends[0] < ends[1]``. ``routes`` maps the server(s) that configure it to
    their route entry. ``positions`` are the assumptions that it rests on (A9, R7). ``suspended``
    maps a server that was told to send nothing over it to the place that says so (R53).
    ``effect`` is what findings do to it: it does not come up, or may not."""

    ends: tuple[str, str]
    zone: str
    zone_type: str
    routes: Mapping[str, EmsRoute]
    positions: tuple[Assumption, ...] = ()
    suspended: Mapping[str, Source] = field(default_factory=dict)
    effect: Effect | None = None

    @property
    def role(self) -> str:
        """``active-active``, or the name of the one server that configures the link (R3, R4)."""
        return "active-active" if len(self.routes) == 2 else next(iter(self.routes))

    @property
    def source(self) -> Source:
        """The route entry of the lexically first server that configures the link."""
        return self.routes[min(self.routes)].source

    def other(self, server: str) -> str:
        """The end that is not ``server``."""
        return self.ends[1] if server == self.ends[0] else self.ends[0]


@dataclass
class EmsConfiguration:
    """Servers by name, links, the servers that are only named (``unloaded``: name to the route,
    routed queue or durable that names it), findings, the texts that other servers printed than
    the ones they are taken for (``elsewhere``, by file), and what findings do to servers as a
    whole (``on_servers``)."""

    servers: dict[str, Configured]
    links: list[EmsLink]
    unloaded: dict[str, Fact]
    findings: list[Finding] = field(default_factory=list)
    elsewhere: Mapping[str, Misplaced] = field(default_factory=dict)
    on_servers: Mapping[str, Effect] = field(default_factory=dict)


def configuration_of(facts: Sequence[Fact], side_inputs: SideInputs) -> EmsConfiguration:
    """Servers and links of one network. Linear in the facts."""
    # Rules are loaded by what makes findings: a question about links alone needs none.
    from topograph.rules.ems_findings import R2
    from topograph.systems.ems.network.bearing import concerned

    findings: list[Finding] = []
    readings = Readings.of(side_inputs, "ems")
    servers = _servers(facts, findings)
    sides: dict[tuple[str, str], dict[str, EmsRoute]] = defaultdict(dict)
    for name in sorted(servers):
        for fact in servers[name].of(EmsRoute):
            if fact.name == name:
                findings.append(
                    R2.at(
                        fact.source, f"{name} has a route to itself; it is left out.", server=name
                    )
                )
                continue
            sides[min(name, fact.name), max(name, fact.name)].setdefault(name, fact)
    unloaded: dict[str, EmsRoute] = {}
    for pair in sorted(sides):
        for route in sides[pair].values():
            if route.name not in servers and route.name not in unloaded:
                unloaded[route.name] = route
    findings.extend(_unloaded_findings(unloaded))
    types = _zone_types(sides, readings, findings)
    elsewhere = _elsewhere(servers)
    suspended = _suspended(servers, side_inputs, sides.keys(), elsewhere, findings)
    links = [
        _link(pair, routes, types, servers, suspended, readings, findings)
        for pair, routes in sorted(sides.items())
    ]
    parts = lists_in_part(servers, elsewhere)
    if parts:
        links = [
            replace(one, positions=(*one.positions, *taken_as_running(one.ends, parts, suspended)))
            for one in links
        ]
    acting = concerned(servers, side_inputs, findings)
    on_links = _effects(links, servers, acting)
    links = [
        replace(link, effect=on_links[link.ends]) if link.ends in on_links else link
        for link in links
    ]
    named = {**_named_without_route(servers), **unloaded}
    return EmsConfiguration(servers, links, named, findings, elsewhere, effects_on_servers(acting))


def _effects(
    links: Sequence[EmsLink], servers: Mapping[str, Configured], acting: Sequence[Concerned]
) -> Mapping[tuple[str, str], Effect]:
    """What findings do to links. One that stops the route of one side leaves the link open where
    the other side may have a route too that no loaded file shows. Linear.
    """
    as_shown = effects({link.ends: link.routes.keys() for link in links}, acting)
    unshown = {
        link.ends: [
            end for end in link.ends if end not in link.routes and _routes_lost(servers, end)
        ]
        for link in links
        if link.ends in as_shown and as_shown[link.ends].stops
    }
    others = effects(
        {
            link.ends: [*link.routes, *unshown[link.ends]]
            for link in links
            if unshown.get(link.ends)
        },
        acting,
    )
    found = dict(as_shown)
    for ends, lost in unshown.items():
        if lost and ends not in others:
            effect = as_shown[ends]
            because = f"{effect.because}, unless {lost[0]} has its own route"
            found[ends] = replace(effect, stops=False, because=because)
    return found


def _routes_lost(servers: Mapping[str, Configured], name: str) -> bool:
    """Whether a server may have routes that no loaded file shows."""
    return name not in servers or "routes" in servers[name].member.server.missing


def _named_without_route(servers: Mapping[str, Configured]) -> dict[str, Fact]:
    """The servers that are not loaded and that no route names, by the first entry that does: one
    owns a routed queue (R100), or a durable was made for it. A route that its own file has may
    join it with any server (R4). Linear in the facts.
    """
    found: dict[str, Fact] = {}
    for name in sorted(servers):
        for queue in servers[name].of(EmsDestination):
            if queue.type == "queue" and queue.owner and queue.owner not in servers:
                found.setdefault(queue.owner, queue)
        for durable in servers[name].of(EmsDurable):
            if durable.route and durable.name not in servers:
                found.setdefault(durable.name, durable)
    return found


def _elsewhere(servers: Mapping[str, Configured]) -> Mapping[str, Misplaced]:
    facts = [
        fact
        for configured in servers.values()
        for member in configured.members
        for fact in member.facts
    ]
    listings = [fact for fact in facts if isinstance(fact, EmsListing)]
    return misplaced(
        listings, lambda: (fact for fact in facts if isinstance(fact, EmsServer | EmsRoute))
    )


def _servers(facts: Sequence[Fact], findings: list[Finding]) -> dict[str, Configured]:
    by_bundle: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_bundle[fact.bundle].append(fact)
    members: dict[str, list[EmsMember]] = defaultdict(list)
    for bundle in sorted(by_bundle):
        for fact in by_bundle[bundle]:
            if isinstance(fact, EmsServer):
                members[fact.server].append(EmsMember(fact, tuple(by_bundle[bundle])))
    return {name: _configured(name, found, findings) for name, found in members.items()}


def _configured(name: str, found: list[EmsMember], findings: list[Finding]) -> Configured:
    from topograph.rules.ems_findings import DUPLICATE_SERVER_NAME, TL_15

    if len(found) == 1:
        return Configured(name, found[0])
    files = ", ".join(str(member.server.source.file) for member in found)
    if len(found) == 2 and all(member.server.ft_active for member in found):
        differences = list(_pair_differences(name, *found))
        findings.extend(finding for _, finding in differences)
        return Configured(
            name,
            found[0],
            standby=found[1],
            differs=tuple(dict.fromkeys(kind for kind, _ in differences)),
        )
    findings.append(
        TL_15.at(
            found[1].server.source,
            f"{len(found)} configurations call themselves {name} ({files}) and are not a "
            "fault-tolerant pair (two, both with ft_active). The "
            f"first is used, and answers about {name} are incomplete. Import the folder "
            "of the right one alone, or choose it in topograph.yaml: "
            f"servers: {{{yaml_text(name)}: {yaml_text(found[0].server.source.file)}}}",
            kind=DUPLICATE_SERVER_NAME,
            server=name,
        )
    )
    conflict = f"{len(found)} configurations have this name: {files}"
    return Configured(name, found[0], conflict=conflict, rivals=tuple(found[1:]))


def _pair_differences(
    name: str, first: EmsMember, second: EmsMember
) -> Iterable[tuple[str, Finding]]:
    """TL-15: every difference between the members of a pair, with both lines (ems.md 3.1, R7),
    after the kind of fact it is in.
    """
    from topograph.rules.ems_findings import FT_PAIR_MISMATCH, TL_15

    for kind in _PAIR_KINDS:
        left, right = _comparable(first, kind), _comparable(second, kind)
        for key in sorted(left.keys() ^ right.keys()):
            fact = left.get(key) or right[key]
            other = second if key in left else first
            yield (
                kind,
                TL_15.at(
                    fact.source,
                    f"the two members of the fault-tolerant pair {name} differ: {kind} "
                    f"{fact.label or key[0]!r} at {fact.source} "
                    f"has no equal entry in the configuration of {other.server.source.file}.",
                    kind=FT_PAIR_MISMATCH,
                    server=name,
                ),
            )


def _comparable(member: EmsMember, kind: str) -> dict[tuple[str, str], Fact]:
    """The facts of one kind by their content without place."""
    from topograph.facts.rows import encode, without_places

    rows = ((encode(fact), fact) for fact in member.facts if fact.kind == kind)
    return {(row["name"], without_places(row["payload"])): fact for row, fact in rows}


def _unloaded_findings(unloaded: Mapping[str, EmsRoute]) -> Iterable[Finding]:
    from topograph.rules.ems_findings import ROUTE_TO_UNLOADED_SERVER, TL_16

    for name, route in sorted(unloaded.items()):
        yield TL_16.at(
            route.source,
            f"{route.server} has a route to {name}, whose configuration is not among the "
            "imported files; "
            f"what lies behind {name} cannot be determined.",
            kind=ROUTE_TO_UNLOADED_SERVER,
            server=route.server,
        )


def _zone_types(
    sides: Mapping[tuple[str, str], Mapping[str, EmsRoute]],
    readings: Readings,
    findings: list[Finding],
) -> dict[tuple[str, tuple[str, str]], tuple[str, str]]:
    """(zone, link ends) to (type, note): one type per connected part of a zone (R8, A10)."""
    from topograph.rules.ems_findings import A10, TL_13, ZONE_TYPE

    zone_of = {pair: _zone_side(routes, readings) for pair, routes in sides.items()}
    parts: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    root: dict[tuple[str, str], tuple[str, str]] = {}

    def find(node: tuple[str, str]) -> tuple[str, str]:
        path = []
        while root.setdefault(node, node) != node:
            path.append(node)
            node = root[node]
        for passed in path:
            root[passed] = node
        return node

    for pair, route in zone_of.items():
        root[find((route.zone_name, pair[0]))] = find((route.zone_name, pair[1]))
    for pair, route in zone_of.items():
        parts[find((route.zone_name, pair[0]))].append(pair)
    result: dict[tuple[str, tuple[str, str]], tuple[str, str]] = {}
    by_zone: dict[str, set[str]] = defaultdict(set)
    for part, pairs in sorted(parts.items()):
        zone = part[0]
        stated = sorted(
            ((route.server, route.name, route) for pair in pairs for route in sides[pair].values()),
            key=lambda e: e[:2],
        )
        named = [entry[2] for entry in stated if entry[2].zone_name == zone]
        own = [route for route in named if not route.faults] or named
        first = own[0]
        note = ""
        for other in own[1:]:
            if other.zone_type != first.zone_type:
                note = (
                    f"zone {zone} is {first.zone_type} at {first.source} and "
                    f"{other.zone_type} at {other.source}"
                )
                findings.append(
                    TL_13.at(
                        other.source,
                        f"{note}; all routes of a zone must have one type. "
                        f"{first.zone_type} is used and results are unreliable.",
                        kind=ZONE_TYPE,
                        server=other.server,
                    )
                )
                break
        by_zone[zone].add(first.zone_type)
        for pair in pairs:
            result[zone, pair] = (first.zone_type, note)
    for zone, kinds in sorted(by_zone.items()):
        if len(kinds) > 1:
            place = next(route.source for route in zone_of.values() if route.zone_name == zone)
            findings.append(
                A10.at(
                    place,
                    f"the zone name {zone} is used with both types by parts of the "
                    "estate that never meet; each part is judged alone.",
                )
            )
    return result


def _suspended(
    servers: Mapping[str, Configured],
    side_inputs: SideInputs,
    links: Collection[tuple[str, str]],
    elsewhere: Collection[str],
    findings: list[Finding],
) -> dict[tuple[str, str], Source]:
    """The routes that were suspended, by the server that sends nothing and the one that nothing
    goes to, with the place that says so: a row of what a server showed (not in a text that is
    ``elsewhere``), or an entry of topograph.yaml (R53)."""
    from topograph.rules.ems_findings import R53, SUSPENDED_ROUTE_UNKNOWN

    shown = [
        (fact.server, fact.name, fact.source)
        for name in sorted(servers)
        for member in servers[name].members
        for fact in member.facts
        if isinstance(fact, EmsObservedRoute)
        and fact.suspended
        and fact.source.file not in elsewhere
    ]
    found: dict[tuple[str, str], Source] = {}
    for server, other, source in [
        *shown,
        *((one.server, one.route, one.source) for one in side_inputs.suspended),
    ]:
        if (min(server, other), max(server, other)) in links:
            found.setdefault((server, other), source)
        else:
            text = (
                f"{server} is declared to have suspended its route to {other}, but no loaded "
                "file has a route between the two: this has no effect."
            )
            findings.append(R53.at(source, text, kind=SUSPENDED_ROUTE_UNKNOWN, server=server))
    return found


def _zone_side(routes: Mapping[str, EmsRoute], readings: Readings) -> EmsRoute:
    """The route whose zone counts: the lexically first side where both configure the link, or
    the last (A9), of those that are understood.
    """
    if len(routes) == 1:
        return next(iter(routes.values()))
    understood = sorted(server for server in routes if not routes[server].faults)
    names = understood or sorted(routes)
    return routes[names[-1 if readings.takes(A9, "last") else 0]]


def _link(
    pair: tuple[str, str],
    routes: Mapping[str, EmsRoute],
    types: Mapping[tuple[str, tuple[str, str]], tuple[str, str]],
    servers: Mapping[str, Configured],
    suspended: Mapping[tuple[str, str], Source],
    readings: Readings,
    findings: list[Finding],
) -> EmsLink:
    from topograph.rules.ems_findings import TL_13, ZONE_CONFLICT

    side = _zone_side(routes, readings)
    zone_type, note = types[side.zone_name, pair]
    if len(routes) == 2:
        first, second = (routes[name] for name in sorted(routes))
        if first.zone_name != second.zone_name:
            note = (
                f"{first.server} puts the link in zone {first.zone_name}, {second.server} in "
                f"zone {second.zone_name}"
            )
            findings.append(
                TL_13.at(
                    second.source,
                    f"{note} (at {first.source}); the zone of {side.server} is used and "
                    "results are unreliable.",
                    kind=ZONE_CONFLICT,
                    server=second.server,
                )
            )
    otherwise = "the other zone or type would give other paths"
    positions = [Assumption("A9", "L", note, otherwise)] if note else []
    if len({route.zone_name for route in routes.values()}) > 1:
        texts = dict.fromkeys(A9.choices, otherwise) | {readings.chosen(A9): note}
        positions = [readings.said(A9, texts)]
    used = {server: _last_lines(route, readings) for server, route in routes.items()}
    positions += [
        readings.said(A16)
        for server in used
        if len(used[server].selectors) < len(routes[server].selectors)
    ]
    positions += [
        _not_understood(route, fault, side, zone_type)
        for route in routes.values()
        for fault in route.faults
    ]
    positions += assumed_users(servers, routes.values())
    if all(servers[route.server].alone(route) for route in routes.values()):
        positions += [_of_one_member(servers[route.server], route) for route in routes.values()]
    silent = {
        server: suspended[server, other]
        for server, other in (pair, pair[::-1])
        if (server, other) in suspended
    }
    if len(used) == 1:
        (name, route) = next(iter(used.items()))
        other = pair[1] if name == pair[0] else pair[0]
        if other in servers and "routes" in servers[other].member.server.missing:
            used = {name: _with_unseen_selectors(route, servers[other].member.server)}
    return EmsLink(pair, side.zone_name, zone_type, used, tuple(dict.fromkeys(positions)), silent)


def _with_unseen_selectors(route: EmsRoute, other: EmsServer) -> EmsRoute:
    """The route with the selectors that its other end may have on one of its own (R5, R60), in a
    routes.conf that was not found: they may stop what they do not select.
    """
    why = f"routes.conf of {other.server} was not found, and may have selectors"
    lines = tuple(
        RouteSelector(direction, ">", "", other.source, why, "?")
        for direction in ("incoming", "outgoing")
    )
    return replace(route, selectors=(*route.selectors, *lines))


def _last_lines(route: EmsRoute, readings: Readings) -> EmsRoute:
    """The route with the selector lines that apply: all, or the last for each topic and
    direction (A16). Lines that are not understood stay.
    """
    if readings.takes(A16, "all"):
        return route
    last = {
        (line.topic, line.direction): number
        for number, line in enumerate(route.selectors)
        if not line.fault
    }
    kept = tuple(
        line
        for number, line in enumerate(route.selectors)
        if line.fault or last[line.topic, line.direction] == number
    )
    return replace(route, selectors=kept)


def _not_understood(
    route: EmsRoute, fault: RouteFault, side: EmsRoute, zone_type: str
) -> Assumption:
    text = (
        f"in the route of {route.server} to {route.name}, {fault.why} ({fault.source}); "
        f"it is taken to be in the {zone_type} zone {side.zone_name}"
    )
    return Assumption("A9", "L", text, "another name, zone or type would give other paths")


def _of_one_member(configured: Configured, route: EmsRoute) -> Assumption:
    """What a link rests on that only the first member of a fault-tolerant pair configures (R7)."""
    assert configured.standby is not None
    text = (
        f"the first member of the fault-tolerant pair {configured.name} is active: only "
        f"it has the route to {route.name} ({route.source}), "
        f"{configured.standby.server.source.file} has not"
    )
    return Assumption("R7", "M", text, "while the other member is active, the route is not there")
