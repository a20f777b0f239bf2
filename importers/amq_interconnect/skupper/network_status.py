"""What a running network says of itself: the ConfigMap skupper-network-status, whose value
``NetworkStatus`` is JSON, or that JSON alone [skupperproject/skupper internal/network/types.go and
network.go; branch v1 pkg/network/types.go].

Each router is read as its own management query would show it: its connections, connectors,
listeners, TCP listeners and TCP connectors. That it has no others, and no autolinks, link routes
and receivers of AMQP clients, follows from what the controller gives it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from topograph.facts.amq_interconnect import Entity, Shown
from topograph.findings import Finding, Source
from topograph.importers.amq_interconnect.dump import run_time_entity
from topograph.importers.amq_interconnect.names import kept
from topograph.importers.positions.json_text import Cursor, NotJson
from topograph.records import record
from topograph.rules.amq_interconnect_findings import SECTION_3_6, STATUS_UNREADABLE

_NUMBER = re.compile(r"\A\d+/")
_VERSION = re.compile(r"\A[2-9]\.\d+(?:\.\d+)?\Z")
_SHOWN = (
    "router",
    "listener",
    "connector",
    "connection",
    "address",
    "autoLink",
    "linkRoute",
    "exchange",
    "tcpListener",
    "tcpConnector",
    "router.link",
)
_A_ROUTER_OF_SKUPPER = "2.0.0"
"""The version where the status names none that is one of the router: that of the first router of
Skupper, which all have at least."""


@record
class StatusRouter:
    """One router of the status. ``id`` is its own id, ``site`` the uid of its site."""

    id: str
    site: str
    site_name: str
    namespace: str
    alone: bool
    """Whether it is the only one of its site."""
    value: Mapping[str, object] = field(repr=False, default_factory=dict)


@dataclass
class Status:
    """What one status says: its routers in order, the findings, the place."""

    source: Source
    routers: list[StatusRouter] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read_status(text: str, source: Source) -> Status:
    """The routers of a status. Never raises; linear."""
    status = Status(source)
    cursor = Cursor(text)
    try:
        cursor.skip()
        value = cursor.decode()
    except NotJson as fault:
        message = f"The status of the network is not valid JSON: {fault.message}; it is not read"
        status.findings.append(SECTION_3_6.at(source, message, kind=STATUS_UNREADABLE))
        return status
    sites = _maps(value, "siteStatus")
    if not sites:
        message = "The status of the network names no site: it is not read"
        status.findings.append(SECTION_3_6.at(source, message, kind=STATUS_UNREADABLE))
    for site in sites:
        about = site.get("site")
        about = about if isinstance(about, dict) else {}
        routers = [one for one in _maps(site, "routerStatus") if _id(one)]
        for router in routers:
            status.routers.append(
                StatusRouter(
                    _id(router),
                    _text(about, "identity"),
                    _text(about, "name"),
                    _text(about, "namespace") or _text(about, "nameSpace"),
                    len(routers) == 1,
                    router,
                )
            )
    return status


def _id(router: Mapping[str, object]) -> str:
    about = router.get("router")
    return _NUMBER.sub("", _text(about, "name")) if isinstance(about, dict) else ""


def _maps(value: object, name: str) -> list[Mapping[str, object]]:
    found = value.get(name) if isinstance(value, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(value: Mapping[str, object], name: str) -> str:
    found = value.get(name)
    return str(found) if isinstance(found, (str, int)) and not isinstance(found, bool) else ""


def site_names(status: Status) -> Counter[str]:
    """How many sites have each name."""
    return Counter(name for _, name in {(one.site, one.site_name) for one in status.routers})


def entities_of(status: Status, names: Mapping[str, str], bundle: str) -> Iterator[Entity | Shown]:
    """The entities of each router, under the name that it goes by: ``names``, by id. Linear in
    the status."""
    maker = _Maker(status, names, bundle)
    for router in status.routers:
        yield from maker.router(router)
    for router in status.routers:
        yield from maker.joined(router)
    for router in status.routers:
        yield Shown(
            bundle=bundle,
            server=maker.names[router.id],
            source=status.source,
            classes=_SHOWN,
            extent="whole",
            said="the status of the network",
        )


class _Maker:
    def __init__(self, status: Status, names: Mapping[str, str], bundle: str) -> None:
        self.status = status
        self.names = names
        self.bundle = bundle
        self.at_access = {
            _text(access, "identity"): router.id
            for router in status.routers
            for access in _maps(router.value, "routerAccess")
        }
        self.edges = {
            router.id: _text(about, "mode") == "edge"
            for router in status.routers
            if isinstance(about := router.value.get("router"), dict)
        }
        for router in status.routers:  # Skupper 1 shows a mode with the links alone
            for link in _maps(router.value, "links"):
                if _text(link, "mode") == "edge" and _text(link, "direction") == "outgoing":
                    self.edges[router.id] = True

    def entity(self, router: str, type_: str, name: str, values: Mapping[str, object]) -> Entity:
        stated = {key: kept(key, value) for key, value in values.items() if value not in ("", None)}
        return run_time_entity(
            type_, stated, self.names[router], self.status.source, self.bundle, name
        )

    def router(self, router: StatusRouter) -> Iterator[Entity]:
        """The router itself, its site where that has several, its TCP listeners and connectors."""
        name, about = self.names[router.id], router.value.get("router")
        about = about if isinstance(about, dict) else {}
        found = (_text(about, key) for key in ("buildVersion", "imageVersion"))
        version = next((one for one in found if _VERSION.match(one)), _A_ROUTER_OF_SKUPPER)
        mode = "edge" if self.edges.get(router.id) else "interior"
        values = {"id": name, "mode": mode, "version": version}
        yield self.entity(router.id, "router", name, values)
        if not router.alone and router.site_name:
            site = {"name": router.site_name, "namespace": router.namespace}
            yield self.entity(router.id, "site", router.site_name, site)
        for type_, list_ in (("tcpListener", "listeners"), ("tcpConnector", "connectors")):
            for number, one in enumerate(_maps(router.value, list_)):
                host, port, address = (
                    _text(one, key) for key in ("destHost", "destPort", "address")
                )
                if address:
                    own = _text(one, "name") or f"{address}@{host or number}"
                    values = {"name": own, "host": host, "port": port, "address": address}
                    yield self.entity(router.id, type_, own, values)

    def joined(self, router: StatusRouter) -> Iterator[Entity]:
        """Its links: a connector here, and a connection at both ends of one that is up. A link of
        Skupper 2 names the access of the other router (``peer``), one of Skupper 1 that router."""
        for access in _maps(router.value, "routerAccess"):
            for role, port in (("inter-router", "55671"), ("edge", "45671")):
                identity = _text(access, "identity")
                values = {
                    "name": f"{identity}-{role}",
                    "host": identity,
                    "port": port,
                    "role": role,
                }
                yield self.entity(router.id, "listener", f"{identity}-{role}", values)
        for link in _maps(router.value, "links"):
            if _text(link, "direction") == "incoming":
                continue
            peer = self.at_access.get(_text(link, "peer"), "")
            if not _text(link, "peer") and _text(link, "name") in self.names:
                peer = _text(link, "name")
            up = _text(link, "status").lower() in ("", "up") and (peer or not link.get("status"))
            edge = self.edges.get(router.id) or "edge" in (_text(link, "role"), _text(link, "mode"))
            role = "edge" if edge else "inter-router"
            there = self.names.get(peer, _text(link, "name")) if up else ""
            own = _text(link, "name") or f"link to {there}"
            values = {
                "name": own,
                "host": _text(link, "peer") or there,
                "port": "45671" if edge else "55671",
                "role": role,
                "cost": _text(link, "linkCost") or "1",
                "connectionStatus": "SUCCESS" if up else "CONNECTING",
                "connectionMsg": f"container_id={there}" if up else "",
            }
            yield self.entity(router.id, "connector", own, values)
            if not up:
                continue
            pairs = [(router.id, "out", there)]
            pairs += [(peer, "in", self.names[router.id])] if peer else []
            for at, direction, other in pairs:
                values = {"role": role, "dir": direction, "container": other, "opened": "true"}
                yield self.entity(at, "connection", f"connection to {other}", values)
