"""Whether the URLs of a route lead to the server that it is named after (TL-16, A17, R6).

A server tries the URLs of a route one after the other. Each end of one that certainly leads
elsewhere has a fault; the route concerns the link only if all of its ends have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from topograph.facts.ems import EmsRoute
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, SECURE_SCHEMES, Endpoint, endpoints
from topograph.rules import FindingKind
from topograph.rules.ems_findings import (
    MISSING_URL,
    NAME_URL_MISMATCH,
    ROUTE_PORT_NOT_LISTENED_ON,
    ROUTE_PROTOCOL_NOT_LISTENED_ON,
    SECTION_1_2,
    TL_16,
)
from topograph.systems.contract.bearing import Concerned
from topograph.systems.ems.network.listeners import listening

if TYPE_CHECKING:
    from topograph.side_inputs import SideInputs
    from topograph.systems.ems.network.configured import Configured


def routes_elsewhere(
    servers: Mapping[str, Configured], side_inputs: SideInputs
) -> Iterator[tuple[Concerned, bool]]:
    """The findings of TL-16 about the URLs of routes, by kind and server, each with whether no end
    of the route is without a fault. Linear in routes and listeners."""
    addresses = _Addresses(servers, side_inputs)
    found = [
        (route, addresses.faults(route))
        for name in sorted(servers)
        for route in servers[name].of(EmsRoute)
        if route.name != name
    ]
    for kind in (NAME_URL_MISMATCH, ROUTE_PORT_NOT_LISTENED_ON, ROUTE_PROTOCOL_NOT_LISTENED_ON):
        for route, faults in found:
            own = [end for end, of_end in faults if of_end is kind]
            if own:
                text = addresses.text(route, kind, own)
                finding = TL_16.at(route.source, text, kind=kind, server=route.server)
                everywhere = all(of_end is not None for _, of_end in faults)
                yield Concerned(kind, finding, route.server, route.name), everywhere


def routes_without_url(servers: Mapping[str, Configured]) -> Iterator[Concerned]:
    """The routes that have no URL to connect to (1.2), by server; the importer has the findings.
    Linear in the routes."""
    for name in sorted(servers):
        for route in servers[name].of(EmsRoute):
            if not route.url and route.name != name:
                text = f"the route {route.name} of {name} has no url, so that {name} cannot connect"
                finding = SECTION_1_2.at(route.source, text, kind=MISSING_URL, server=name)
                yield Concerned(MISSING_URL, finding, name, route.name)


@dataclass
class _Addresses:
    """Where the servers of a network listen, and which hosts topograph.yaml maps."""

    servers: Mapping[str, Configured]
    side_inputs: SideInputs

    def faults(self, route: EmsRoute) -> list[tuple[Endpoint, FindingKind | None]]:
        """The ends of the URLs of a route, each with why it does not lead to the server that the
        route is named after; None where nothing says so."""
        return [(end, self._fault(route, end)) for url in route.url for end in endpoints(url)]

    def _fault(self, route: EmsRoute, end: Endpoint) -> FindingKind | None:
        if self._elsewhere(route, end):
            return NAME_URL_MISMATCH
        if self._mapped.keys() & {(end.host or "").lower(), _written(end)}:
            return None  # topograph.yaml says which server this is: nothing is wrong with the port
        there = self._listens.get(route.name, frozenset())
        schemes = {secure for port, secure in there if port == (end.port or DEFAULT_PORT)}
        if there and not schemes:
            return ROUTE_PORT_NOT_LISTENED_ON
        if schemes and (end.scheme in SECURE_SCHEMES) not in schemes:
            return ROUTE_PROTOCOL_NOT_LISTENED_ON
        return None

    def _elsewhere(self, route: EmsRoute, end: Endpoint) -> str:
        """The server, other than the one that the route is named after, that an end leads to;
        empty where none is known: where one listens, or whose host topograph.yaml says it is, or
        the server itself, which listens at that port of its own machine."""
        host = (end.host or "").lower()
        said = self._mapped.get(_written(end), self._mapped.get(host, ""))
        if said and said != route.name:
            return said
        owners = self._listening.get((host, end.port), set())
        if owners and route.name not in owners:
            return min(owners)
        if not said and host in LOOPBACK and self._own_port(route.server, end):
            return route.server
        return ""

    def _own_port(self, server: str, end: Endpoint) -> bool:
        """Whether a server listens at this port of its own machine, whatever that is called."""
        return any(
            (own.host or "").lower() in LOOPBACK
            and (own.port or DEFAULT_PORT) == (end.port or DEFAULT_PORT)
            for url in self.servers[server].member.server.listen
            for own in endpoints(url)
        )

    def text(self, route: EmsRoute, kind: FindingKind, ends: list[Endpoint]) -> str:
        """What is wrong with ends of a route, in words."""
        if kind is NAME_URL_MISMATCH:
            wrong = self._elsewhere(route, ends[0])
            what = f"{wrong} itself" if wrong == route.server else wrong
            return (
                f"the route {route.name} of {route.server} points at {_shown(ends[0])}, which is "
                f"{what}, not {route.name}."
            )
        file = self.servers[route.name].member.server.source.file
        ports = sorted({port for port, _ in self._listens[route.name]})
        if kind is ROUTE_PORT_NOT_LISTENED_ON:
            wrong = ", ".join(
                str(port) for port in sorted({one.port or DEFAULT_PORT for one in ends})
            )
            return (
                f"the route {route.name} of {route.server} leads to port {wrong}; {route.name} "
                f"listens on {', '.join(map(str, ports))} ({file})."
            )
        end = ends[0]
        with_, without = (
            ("with TLS", "without") if end.scheme in SECURE_SCHEMES else ("without TLS", "with it")
        )
        return (
            f"the route {route.name} of {route.server} connects to {_shown(end)} {with_} "
            f"({end.scheme}); at port {end.port or DEFAULT_PORT} {route.name} listens only "
            f"{without} ({file})."
        )

    @cached_property
    def _listening(self) -> Mapping[tuple[str, int | None], set[str]]:
        return listening(
            member.server for configured in self.servers.values() for member in configured.members
        )

    @cached_property
    def _mapped(self) -> Mapping[str, str]:
        return {entry.host.lower(): entry.server for entry in self.side_inputs.hosts}

    @cached_property
    def _listens(self) -> Mapping[str, frozenset[tuple[int, bool]]]:
        return {name: _listens(configured) for name, configured in self.servers.items()}


def _shown(end: Endpoint) -> str:
    """An end as people write it."""
    return f"{end.host or 'localhost'}:{end.port or DEFAULT_PORT}"


def _written(end: Endpoint) -> str:
    """An end as ``hosts`` of topograph.yaml names one."""
    return f"{end.host}:{end.port}".lower()


def _listens(configured: Configured) -> frozenset[tuple[int, bool]]:
    """The ports of a server, of both members of a pair, each with whether it takes TLS there;
    none if it does not say where it listens.
    """
    members = configured.members
    listen = [url for one in members for url in one.server.listen]
    others = [one.server.ft_active for one in members]
    return frozenset(
        (end.port or DEFAULT_PORT, end.scheme in SECURE_SCHEMES)
        for url in (*listen, *others)
        for end in endpoints(url)
        if listen
    )
