"""What runs against what is configured: findings, each with the place in the dump and in the file
(rules D-2 to D-7, C-7, T-9).

Entities are compared after the differences of form are taken out (D-2), by what makes them the
same: a listener by host and port, an address by the pattern it stands for, an autolink by address,
direction and container. Generated names do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from topograph.facts.amq_interconnect import Entity
from topograph.facts.amqp_addresses import stored_tokens
from topograph.findings import Finding, Severity, Source
from topograph.rules.amq_interconnect_findings import (
    AUTOLINK_NOT_ACTIVE,
    C_2,
    CONFIGURATION_FROM_DUMP,
    CONNECTOR_NOT_CONNECTED,
    D_2,
    D_3,
    D_6,
    DIFFERS,
    LINK_NOT_CONFIGURED,
    LINK_NOT_UP,
    LINKROUTE_NOT_ACTIVE,
    NOT_CONFIGURED,
    NOT_RUNNING,
    REFUSED_BUT_RUNS,
    ROUTER_NOT_LOADED,
    ROUTER_NOT_RUNNING,
    ROUTER_NOT_TOLD,
    ROUTER_PERHAPS_GONE,
    SECTION_3_3,
    T_4,
    T_9,
    T_11,
    TCP_LISTENER_DOWN,
)
from topograph.systems.amq_interconnect.messages.services import is_down
from topograph.systems.amq_interconnect.network.connections import Connections
from topograph.systems.amq_interconnect.network.observed import Observed, Status
from topograph.systems.amq_interconnect.network.routers import Router
from topograph.systems.amq_interconnect.routes.trees import all_trees

Key = tuple[str, ...]

_COMPARED = (
    "listener",
    "connector",
    "address",
    "linkRoute",
    "autoLink",
    "exchange",
    "binding",
    "sslProfile",
)

_ROUTING = frozenset(
    {
        "mode",
        "role",
        "cost",
        "host",
        "port",
        "distribution",
        "ingressPhase",
        "egressPhase",
        "priority",
        "enableFallback",
        "phase",
        "direction",
        "connection",
        "containerId",
        "externalAddress",
        "addExternalPrefix",
        "delExternalPrefix",
        "fallback",
        "multiTenant",
        "linkCapacity",
        "stripAnnotations",
        "address",
        "alternateAddress",
        "nextHopAddress",
        "bindingKey",
        "matchMethod",
    }
)
"""Attributes of which another value sends messages elsewhere: a difference is a warning, in all
others it is for information.
"""

_RUN_TIME = frozenset(
    {
        "name",
        "identity",
        "operStatus",
        "linkRef",
        "lastError",
        "connectionStatus",
        "connectionMsg",
        "failoverUrls",
        "version",
    }
)
"""Attributes that a router adds while it runs, or makes up."""

_IN_EFFECT_ELSEWHERE = frozenset({"waypoint", "prefix", "pattern"})
"""What phases and patterns already say."""


def compare(routers: Sequence[Router], connections: Connections) -> tuple[Finding, ...]:
    """All differences between the dumps of a network and its files, and what the dumps say is
    not up. Linear but for the routes.
    """
    observed = connections.running.observed
    findings: list[Finding] = []
    for router in routers:
        if router.name in observed:
            findings += _entities(router)
            findings += _states(router, observed[router.name])
    findings += _from_dumps(routers)
    findings += _network(routers, connections)
    findings += _links(routers, connections)
    findings += _routes(routers, connections)
    return tuple(findings)


def _entities(router: Router) -> Iterator[Finding]:
    """Configured against running entities of one router that has both."""
    if router.from_dump:
        return
    section = next((entity for entity in router.observed if entity.type == "router"), None)
    if section is not None and router.stopped:
        message = (
            f"The router runs (its dump is {section.source.file}), although "
            f"{router.stopped}: it runs with another file"
        )
        yield C_2.at(router.source, message, kind=REFUSED_BUT_RUNS, server=router.id)
    if section is not None and section.get("mode") and section.get("mode") != router.mode:
        message = (
            f"The router runs as {section.get('mode')} ({section.source}), and is configured "
            f"as {router.mode}"
        )
        yield D_2.at(router.source, message, kind=DIFFERS, server=router.id)
    complete = _is_complete(router.observed)
    for type_ in _COMPARED:
        configured = [entity for entity in router.configuration if entity.type == type_]
        running = [entity for entity in router.observed if entity.type == type_]
        if running or complete:
            yield from _of_type(type_, configured, running, router)


def _is_complete(entities: Sequence[Entity]) -> bool:
    """Whether a dump is of all types, so that what it does not have is not there: it then has
    the router and its listeners from a query.
    """
    return {"router", "listener"} <= {entity.type for entity in entities if entity.get("identity")}


def _of_type(
    type_: str, configured: list[Entity], running: list[Entity], router: Router
) -> Iterator[Finding]:
    partial = not all(entity.get("identity") for entity in running)
    key = _KEYS_OF_TABLES.get(type_, _KEYS[type_]) if partial else _KEYS[type_]
    left = _by_key(running, key)
    for entity in configured:
        same = left.get(key(entity), [])
        if same:
            yield from _attributes(entity, same.pop(0), router)
        else:
            message = (
                f"{_what(entity)} is configured, and the router runs without it "
                f"({_dump_place(router)})"
            )
            yield D_2.at(entity.source, message, kind=NOT_RUNNING, server=router.id)
    for entity in (one for rest in left.values() for one in rest):
        message = f"{_what(entity)} runs, and is not in the configuration ({router.source})"
        yield D_2.at(entity.source, message, kind=NOT_CONFIGURED, server=router.id)


def _dump_place(router: Router) -> Source:
    return next(
        (one.source for one in router.observed if one.type == "router"), router.observed[0].source
    )


def _by_key(entities: Sequence[Entity], key: Callable[[Entity], Key]) -> dict[Key, list[Entity]]:
    found: dict[Key, list[Entity]] = {}
    for entity in entities:
        found.setdefault(key(entity), []).append(entity)
    return found


def _attributes(configured: Entity, running: Entity, router: Router) -> Iterator[Finding]:
    """Attributes of which both sides have a value, and not the same one."""
    there = dict(running.attributes)
    for name, value in configured.attributes:
        other = there.get(name, value)
        if (
            name in _RUN_TIME
            or name in _IN_EFFECT_ELSEWHERE
            or _plain(name, value) == _plain(name, other)
        ):
            continue
        stated = "" if name in configured.stated else " (by default)"
        message = (
            f"{_what(configured)} runs with {name} {other} ({running.source}), and is "
            f"configured with {value}{stated}"
        )
        severity = Severity.WARNING if name in _ROUTING else Severity.INFO
        yield D_2.at(configured.source, message, kind=DIFFERS, severity=severity, server=router.id)


def _plain(name: str, value: str) -> str:
    if name == "port":
        return {"amqp": "5672", "amqps": "5671"}.get(value, value)
    return value.strip()


def _pattern(entity: Entity) -> Key:
    prefix = entity.get("prefix")
    return stored_tokens(prefix or entity.get("pattern"), is_prefix=bool(prefix))


def _target(entity: Entity) -> str:
    return entity.get("connection") or entity.get("containerId")


def _place(entity: Entity) -> Key:
    return (entity.get("host").strip("[]").lower(), _plain("port", entity.get("port")))


_KEYS: Mapping[str, Callable[[Entity], Key]] = {
    "listener": _place,
    "connector": lambda entity: (entity.name,) if "/" not in entity.name else _place(entity),
    "address": _pattern,
    "linkRoute": lambda entity: (*_pattern(entity), "\0", entity.get("direction"), _target(entity)),
    "autoLink": lambda entity: (
        entity.get("address"),
        entity.get("direction"),
        entity.get("phase"),
        _target(entity),
        entity.get("externalAddress"),
        entity.get("fallback"),
    ),
    "exchange": lambda entity: (entity.name,),
    "binding": lambda entity: (
        entity.get("exchangeName"),
        entity.get("bindingKey"),
        entity.get("nextHopAddress"),
    ),
    "sslProfile": lambda entity: (entity.name,),
}
_KEYS_OF_TABLES: Mapping[str, Callable[[Entity], Key]] = {
    "linkRoute": lambda entity: (
        (entity.get("prefix") or entity.get("pattern")),
        entity.get("direction"),
    ),
    "autoLink": lambda entity: (
        entity.get("address"),
        entity.get("direction"),
        entity.get("phase"),
    ),
}
"""What tables of qdstat show of them."""


def _what(entity: Entity) -> str:
    """An entity in words: its type, and what it is known by."""
    match entity.type:
        case "listener" | "connector":
            at = f"{entity.get('host') or '*'}:{entity.get('port')}"
            named = f"{entity.name}, " if entity.name and not entity.name.endswith(at) else ""
            return f"The {entity.type} {named}{at} (role {entity.get('role', 'normal')})"
        case "address" | "linkRoute":
            by = "prefix" if entity.get("prefix") else "pattern"
            direction = f" {entity.get('direction')}" if entity.type == "linkRoute" else ""
            return f"The {entity.type}{direction} with {by} {entity.get(by)}"
        case "autoLink":
            return f"The autoLink {entity.get('direction')} for {entity.get('address')}"
        case _:
            return f"The {entity.type} {entity.name}"


def _states(router: Router, observed: Observed) -> Iterator[Finding]:
    """Connectors that are not connected, autolinks and link routes that are not active (D-6)."""
    places = (
        {(entity.type, entity.name): entity.source for entity in router.configuration}
        if not router.from_dump
        else {}
    )
    for connected in observed.connected.values():
        if connected.status in ("", "SUCCESS"):
            continue
        why = f": {connected.message}" if connected.message else ""
        at = places.get(("connector", connected.connector))
        where = f"; configured in {at}" if at else ""
        message = (
            f"The connector {connected.connector} is not connected ({connected.status}){where}{why}"
        )
        yield D_6.at(connected.source, message, kind=CONNECTOR_NOT_CONNECTED, server=router.id)
    for status in observed.statuses:
        if status.active or not status.status:
            continue
        yield _not_active(router, status)
    for entity in router.observed:
        if is_down(entity):
            message = (
                f"The {entity.type} {entity.name} for {entity.get('address')} is "
                f"{entity.get('operStatus')}: its port is closed, and its clients are refused"
            )
            yield D_6.at(entity.source, message, kind=TCP_LISTENER_DOWN, server=router.id)


_NOT_ACTIVE = {"autoLink": AUTOLINK_NOT_ACTIVE, "linkRoute": LINKROUTE_NOT_ACTIVE}


def _not_active(router: Router, status: Status) -> Finding:
    why = f": {status.last_error}" if status.last_error else ""
    to = f" ({status.target})" if status.target else ""
    configured = [
        entity.source
        for entity in router.configuration
        if not router.from_dump
        and entity.type == status.type
        and status.address in (entity.get("address"), entity.get("prefix"), entity.get("pattern"))
        and entity.get("direction") == status.direction
        and _target(entity) == (status.target or _target(entity))
    ]
    where = f"; configured in {configured[0]}" if configured else ""
    message = (
        f"The {status.type} {status.direction} for {status.address}{to} is "
        f"{status.status}{where}{why}"
    )
    return D_6.at(status.source, message, kind=_NOT_ACTIVE[status.type], server=router.id)


def _from_dumps(routers: Sequence[Router]) -> Iterator[Finding]:
    dumped = [router for router in routers if router.from_dump]
    if dumped:
        names = ", ".join(router.id for router in dumped[:5]) + (
            f" and {len(dumped) - 5} more" if len(dumped) > 5 else ""
        )
        message = f"Of {names} only dumps are loaded: they are taken for the configuration"
        if not all(_shows_default(router) for router in dumped):
            message += ". No dump has the router's defaultDistribution: it counts as balanced"
        yield D_2.at(dumped[0].source, message, kind=CONFIGURATION_FROM_DUMP, server=dumped[0].id)


def _shows_default(router: Router) -> bool:
    """Whether output shows what addresses without an entry are (``skstat -g``)."""
    return any(one.type == "router" and one.get("defaultDistribution") for one in router.observed)


def _network(routers: Sequence[Router], connections: Connections) -> Iterator[Finding]:
    """Routers that run and are not loaded, and routers with a file that nobody sees running."""
    running = connections.running
    strangers: dict[str, list[tuple[str, Source]]] = {}
    seen: set[str] = set()
    for name, observed in sorted(running.observed.items()):
        seen |= {router.id for router in routers if router.name == name} | observed.known.keys()
        for id_, (_, source) in observed.known.items():
            if id_ not in running.loaded:
                strangers.setdefault(id_, []).append((name, source))
    listed = set()
    for name, id_, source in running.strangers():
        listed.add(id_)
        strangers.setdefault(id_, []).append((name, source))
    by_name = {router.name: router for router in routers}
    for id_, places in sorted(strangers.items()):
        name, source = places[0]
        who = ", ".join(sorted({one for one, _ in places})[:5])
        if id_ in listed:
            message = (
                f"The router {id_} is in the network (known to {who}), and neither file nor "
                "dump of it is loaded"
            )
            yield D_3.at(source, message, kind=ROUTER_NOT_LOADED, server=by_name[name].id)
        else:
            message = (
                f"The router {id_} is still known to {who}, and no loaded router lists it as "
                "a neighbour: it may be gone"
            )
            yield T_9.at(source, message, kind=ROUTER_PERHAPS_GONE, server=by_name[name].id)
    tables = any(entity.type == "router.node" for router in routers for entity in router.observed)
    for router in routers:
        if not tables or router.mode != "interior" or router.stopped or router.id in seen:
            continue
        if _named_at_start(router):
            message = (
                f"The id of {router.id} is made when it starts: which of the running "
                "routers, if any, has this configuration is not known"
            )
            yield SECTION_3_3.at(router.source, message, kind=ROUTER_NOT_TOLD, server=router.id)
        else:
            message = (
                f"{router.id} is configured, and is in none of the router tables that are "
                "loaded: it does not run, or in another network"
            )
            yield D_3.at(router.source, message, kind=ROUTER_NOT_RUNNING, server=router.id)


def _named_at_start(router: Router) -> bool:
    """Whether a file's id is not the one the router has: a template, or the name of a resource
    that stands for routers.
    """
    assumed = any(
        entity.type == "startup" and entity.get("starts") == "assumed"
        for entity in router.configuration
    )
    return assumed or "${" in router.id


def _links(routers: Sequence[Router], connections: Connections) -> Iterator[Finding]:
    """Configured links that are not up, links that are up and not configured, parallel ones that
    only the connections show.
    """
    running = connections.running
    by_name = {router.name: router for router in routers}
    linked = {link.ends for link in connections.links}
    told: set[tuple[str, str]] = set()
    for link in connections.links:
        a, b = link.ends
        said = [
            name
            for name, other in ((a, b), (b, a))
            if name in running.observed and running.lists(name, other) is False
        ]
        if said and link.ends not in told:
            told.add(link.ends)
            what = (
                f"The link between {a} and {b} is configured (connector "
                f"{link.connector.name}, listener {link.listener.source})"
            )
            dumps = ", ".join(str(_own_row(by_name[name])) for name in said)
            message = (
                f"{what}, and is not up: {' and '.join(said)} list{'s' * (len(said) == 1)} "
                f"no such neighbour ({dumps})"
            )
            yield D_3.at(
                link.connector.source,
                message,
                kind=LINK_NOT_UP,
                server=by_name[link.connector.router].id,
            )
    for pair in running.pairs():
        if (pair.a, pair.b) not in linked and not any(
            by_name[name].from_dump for name in (pair.a, pair.b)
        ):
            here, there = (pair.a, pair.b) if running.lists(pair.a, pair.b) else (pair.b, pair.a)
            message = (
                f"{here} lists {there} as its neighbour, and no file configures a link between them"
            )
            yield D_3.at(pair.source, message, kind=LINK_NOT_CONFIGURED, server=by_name[here].id)
    parallel = {link.ends for link in connections.links if link.rule == "T-11"}
    for name, observed in sorted(running.observed.items()):
        for id_, count in sorted(observed.parallel.items()):
            peer = running.by_id.get(id_)
            ends = (min(name, peer.name), max(name, peer.name)) if peer else (name, id_)
            if ends not in parallel:
                parallel.add(ends)
                message = (
                    f"{count} inter-router connections are open between {name} and {id_}: "
                    "only one between two routers is supported"
                )
                row = next(
                    one
                    for one in by_name[name].observed
                    if one.type == "connection" and one.get("container") == id_
                )
                yield T_11.at(row.source, message, server=by_name[name].id)


def _own_row(router: Router) -> Source:
    rows = [one for one in router.observed if one.type == "router.node"]
    own = next((one for one in rows if one.get("id") == router.id), None)
    return own.source if own else router.observed[0].source


def _routes(routers: Sequence[Router], connections: Connections) -> Iterator[Finding]:
    """Next hops and costs that the routers have, and that do not follow from the links: something
    in the network is not what is loaded.

    Not where links are parallel, of which the one in effect changes (T-11), nor where a router is
    not loaded.
    """
    running = connections.running
    ids = {router.name: router.id for router in routers}
    if any(link.rule == "T-11" for link in connections.links) or any(
        True for _ in running.strangers()
    ):
        return
    trees = all_trees((*link.ends, link.cost) for link in connections.links)
    assumed = any(
        position.rule == "D-4" for link in connections.links for position in link.positions
    )
    for router in routers:
        observed, tree = running.observed.get(router.name), trees.get(router.name)
        if observed is None or tree is None:
            continue
        for there, cost in sorted(tree.cost.items()):
            said, hop = observed.costs.get(ids[there]), observed.next_hops.get(ids[there])
            expected = ids[tree.next_hop[there]]
            if (said in (None, cost) or assumed) and hop in (None, expected):
                continue
            what = f"with cost {said}" if said not in (None, cost) else ""
            by = f"by {hop}" if hop not in (None, expected) else ""
            place = next(
                one.source
                for one in router.observed
                if one.type == "router.node" and one.get("id") == ids[there]
            )
            message = (
                f"{router.id} reaches {ids[there]} "
                f"{' '.join(part for part in (by, what) if part)}, "
            )
            message += f"while the links loaded give {expected} as next hop and the cost {cost}"
            yield T_4.at(place, message, server=router.id)
