"""From facts to routers with their listeners and connectors.

A router's *configuration* is its file where one is loaded, else what its dump says is configured;
*observed* is its dump, if any. Of one router several dumps may be loaded (one query a type, qdstat
beside qdmanage): each type of entity is taken from the one that says most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from topograph.digits import digits, integer
from topograph.facts.amq_interconnect import Entity, Shown
from topograph.findings import Finding, Severity, Source
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.rules.amq_interconnect_findings import (
    C_2,
    D_1,
    DUPLICATE_ROUTER_ID,
    PLAIN_MAP,
    S_2,
    SEVERAL_DUMPS,
    SHARED_ID_TEMPLATE,
    SKUPPER_REFUSES,
    T_10,
)
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.network.security import Security, security_of
from topograph.systems.amq_interconnect.network.unshown import connections_shown, unshown
from topograph.systems.amq_interconnect.network.versions import is_skupper, reads_plain_groups
from topograph.systems.coverage import Coverages

_SHOWN = 6
"""Files that a message lists by name."""

_SERVICES = {"amqp": "5672", "amqps": "5671"}

CONFIGURED_TYPES = frozenset(
    {
        "router",
        "listener",
        "connector",
        "address",
        "linkRoute",
        "listenerAddress",
        "managedRouter",
        "network",
        "proxyProfile",
        "autoLink",
        "exchange",
        "binding",
        "sslProfile",
        "policy",
        "vhost",
        "tcpListener",
        "tcpConnector",
        "httpListener",
        "httpConnector",
        "log",
        "site",
    }
)
"""Types of entities in a dump that come from configuration (section 1); all others exist at run
time only (1.7).
"""


@record
class RouterEndpoint:
    """A listener or connector. ``router`` is the router's name in the network; ``port`` is a
    number as text where it could be resolved.
    """

    router: str
    name: str
    host: str
    port: str
    role: str
    cost: int
    cost_stated: bool
    source: Source
    security: Security | None = field(default=None, compare=False, repr=False)
    """What it asks of the other end; None where the loaded files do not show it."""

    @property
    def address(self) -> str:
        """``host:port``, ``*`` for all hosts."""
        host = self.host or "*"
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"


@record
class Router:
    """One router. ``name`` is its id, told apart by the file where several files have the same
    id. ``configuration`` are its configured entities, from its file or else (``from_dump``) from
    its dump; ``observed`` are all entities of its dump, empty without one. ``stopped`` says why
    the router does not start, ``doubtful`` what else makes answers about it incomplete; both
    empty for a sound one."""

    name: str
    id: str
    mode: str
    bundle: str
    source: Source
    listeners: tuple[RouterEndpoint, ...]
    connectors: tuple[RouterEndpoint, ...]
    stopped: str = ""
    doubtful: str = ""
    configuration: tuple[Entity, ...] = field(default=(), repr=False, compare=False)
    observed: tuple[Entity, ...] = field(default=(), repr=False, compare=False)
    from_dump: bool = False
    gaps: bool = False
    """Whether it may have listeners and connectors that were lost with an unreadable part of its
    dump, or behind the end of its configuration, or that no output shows.
    """
    unseen: str = ""
    """Why it may have receivers, address entries and links of containers that are not shown:
    a part of its configuration or of its dump is lost, or no output shows them. Empty where that
    is not so."""

    @property
    def linked(self) -> bool:
        """Whether it can have neighbours: it starts, and as interior or edge."""
        return not self.stopped and self.mode in ("interior", "edge")

    @property
    def id_template(self) -> bool:
        """Whether the id is filled in when the router starts (3.3): several routers of one
        template have different ids.
        """
        return "${" in self.id


def routers_of(
    facts: Iterable[Entity], side_inputs: SideInputs, shown: Iterable[Shown] = ()
) -> tuple[tuple[Router, ...], tuple[Finding, ...]]:
    """The routers of a network by name, and findings about ids that several files share (T-10) and
    about routers dumped more than once. ``shown`` says how much the dumps show: a type that none
    of a router's shows whole counts as not shown, never as absent.

    A dump belongs to the one file that has its router's id. Where several files have it, the dump
    cannot be told to be of one of them, and is left aside. Linear in the facts.
    """
    bundles: dict[str, list[Entity]] = {}
    dumps: dict[str, dict[str, list[Entity]]] = {}
    for fact in facts:
        if fact.origin == "dump":
            dumps.setdefault(fact.server, {}).setdefault(fact.bundle, []).append(fact)
        else:
            bundles.setdefault(fact.bundle, []).append(fact)
    findings: list[Finding] = []
    observed = {
        id_: _observed(id_, of_router, findings) for id_, of_router in sorted(dumps.items())
    }
    versions = dict(side_inputs.versions)
    routers = []
    for bundle, entities in sorted(bundles.items()):
        router, refused = _router(bundle, entities, versions)
        routers.append(router)
        findings += refused
    ids = Counter(router.id for router in routers)
    routers = [
        _seen(router, observed[router.id])
        if ids[router.id] == 1 and router.id in observed
        else router
        for router in routers
    ]
    statements: dict[str, list[Shown]] = {}
    for one in shown:
        statements.setdefault(one.server, []).append(one)
    for id_, seen in observed.items():
        if id_ not in ids:
            own = tuple(statements.get(id_, ()))
            version = versions.get(id_, versions.get("*", ""))
            coverages = Coverages(id_, own, False, seen[0].source, "D-1")
            routers.append(_dumped(id_, seen, coverages, version))
    named, shared = _told_apart(routers)
    return named, (*findings, *shared)


def _observed(
    id_: str, bundles: dict[str, list[Entity]], findings: list[Finding]
) -> tuple[Entity, ...]:
    """The entities of a router's dumps: of every type those of the dump that says most of it,
    the last by path of equal ones.
    """
    by_type: dict[str, list[tuple[int, str, list[Entity]]]] = {}
    for bundle, entities in bundles.items():
        own: dict[str, list[Entity]] = {}
        for entity in entities:
            own.setdefault(entity.type, []).append(entity)
        for type_, found in own.items():
            width = max(len(entity.attributes) for entity in found)
            by_type.setdefault(type_, []).append((width, bundle, found))
    queries = [
        (bundle, found[0])
        for _, bundle, found in by_type.get("router", ())
        if found[0].get("identity")
    ]
    queries.sort(key=lambda one: one[0])
    for _, section in queries[:-1]:
        message = (
            f"{id_} is dumped more than once: of each type of entity the fullest dump is "
            "used, the last by path of equal ones"
        )
        findings.append(D_1.at(section.source, message, kind=SEVERAL_DUMPS, server=id_))
    chosen = [max(candidates, key=lambda one: one[:2])[2] for candidates in by_type.values()]
    return tuple(entity for entities in chosen for entity in entities)


def _seen(router: Router, entities: tuple[Entity, ...]) -> Router:
    """A router with what its dumps show of it."""
    return replace(
        router, observed=entities, unseen="; ".join(filter(None, (router.unseen, *_lost(entities))))
    )


def _lost(entities: Iterable[Entity], starts: str = "incomplete") -> list[str]:
    """Why not all of a file or dump is shown, for each of which that is so; why not all of its
    receivers are (``unseen``)."""
    return [
        one.get("because")
        for one in entities
        if one.type == "startup" and one.get("starts") == starts
    ]


def _dumped(id_: str, entities: tuple[Entity, ...], coverages: Coverages, version: str) -> Router:
    """A router of which only dumps are loaded: they are its configuration too, as far as they show
    it.
    """
    section = next((entity for entity in entities if entity.type == "router"), None)
    mode = section.get("mode") if section else ""
    gaps = _lost(entities)
    if not gaps and mode != "standalone" and not connections_shown(coverages, mode, entities):
        gaps = [CONNECTIONS_NOT_SHOWN]
    version = (section.get("version") if section else "") or version
    parts = unshown(coverages, version)
    doubts = [] if mode else ["its dump does not say its mode: taken from its connections"]
    return Router(
        name=id_,
        id=id_,
        mode=mode or _likely_mode(entities, lost=bool(gaps)),
        bundle=entities[0].bundle,
        source=section.source if section else entities[0].source,
        listeners=tuple(endpoint_of(entity) for entity in entities if entity.type == "listener"),
        connectors=tuple(endpoint_of(entity) for entity in entities if entity.type == "connector"),
        doubtful="; ".join([*gaps, *doubts, *parts]),
        configuration=tuple(entity for entity in entities if entity.type in CONFIGURED_TYPES),
        observed=entities,
        from_dump=True,
        gaps=bool(gaps),
        unseen="; ".join([*_lost(entities), *parts]),
    )


CONNECTIONS_NOT_SHOWN = "no loaded output shows its connections"
"""Why a router known from its output alone may have any neighbours."""


def _likely_mode(entities: Sequence[Entity], *, lost: bool) -> str:
    """Only interior routers know other routers (3.4), have inter-router connections and accept
    edge routers; an edge has an outgoing connection of role edge. Where connections may be
    ``lost`` it may be any: an interior router, which keeps open what it joins."""
    known = any(entity.type == "router.node" for entity in entities)
    ends = [entity for entity in entities if entity.type in ("connection", "listener", "connector")]
    edges = {
        entity.get("dir") or _DIRECTIONS.get(entity.type, "")
        for entity in ends
        if entity.get("role") == "edge"
    }
    if known or "in" in edges or any(entity.get("role") == "inter-router" for entity in ends):
        return "interior"
    return "edge" if "out" in edges else "interior" if lost else "standalone"


_DIRECTIONS = {"listener": "in", "connector": "out"}
"""Who opens the connections of an entity; those that are open say it themselves."""


def _router(
    bundle: str, entities: list[Entity], versions: dict[str, str]
) -> tuple[Router, list[Finding]]:
    """The router of one file, and what its version refuses of it."""
    section = next((entity for entity in entities if entity.type == "router"), None)
    id_ = entities[0].server
    findings, stopped, doubtful = _startup(entities, versions.get(id_, versions.get("*", "")))
    assumed = any(
        one.type == "startup" and one.get("starts") in ("assumed", "made") for one in entities
    )
    lost = _lost(entities)
    mode = section.get("mode", "standalone") if section else "standalone"
    if lost and (section is None or "mode" not in section.stated):
        mode = _likely_mode(entities, lost=True)
    router = Router(
        name=id_,
        id=id_,
        mode=mode,
        bundle=bundle,
        source=section.source if section else entities[0].source,
        listeners=_ends(entities, "listener", assumed=assumed),
        connectors=_ends(entities, "connector", assumed=assumed),
        stopped=stopped,
        doubtful=doubtful,
        configuration=tuple(entities),
        gaps=bool(lost),
        unseen="; ".join([*lost, *_lost(entities, "unseen")]),
    )
    return router, findings


def _ends(entities: list[Entity], type_: str, *, assumed: bool) -> tuple[RouterEndpoint, ...]:
    """The listeners or connectors. What an operator adds to those of a resource is not shown, nor
    are credentials that a controller issues (``made``)."""
    found = (endpoint_of(entity) for entity in entities if entity.type == type_)
    return tuple(replace(one, security=None) if assumed else one for one in found)


def undefined_profiles(router: Router) -> frozenset[str]:
    """The sslProfiles that listeners and connectors of a router name and its file does not define.
    Nothing of a router known from its dump alone: it runs. Linear in its entities."""
    if router.from_dump or any(
        one.type == "startup" and one.get("starts") in ("assumed", "incomplete")
        for one in router.configuration
    ):
        return frozenset()
    defined = {entity.name for entity in router.configuration if entity.type == "sslProfile"}
    ends = (*router.listeners, *router.connectors)
    named = {one.security.profile for one in ends if one.security is not None}
    return frozenset(named - defined - {""})


_GONE = {"linkRoute": (), "exchange": (), "binding": (), "autoLink": ("phase", "fallback")}
"""Types that Skupper does not have, or the attributes of them that it does not (S-2)."""


def _startup(entities: list[Entity], version: str) -> tuple[list[Finding], str, str]:
    """(what the version of the router refuses, why it does not start, what is doubtful). Syntax of
    routers before 1.0 counts as read by such a router (section 5, position 16) unless
    topograph.yaml gives the router a version from 1.0 on, that of routers up to 1.12 likewise,
    what only Skupper reads as read by Skupper unless that is a version before 2.0. Where a
    resource stands for routers, ``assumed`` says what was assumed."""
    stopped, doubtful = [], []
    refused: list[Finding] = []
    id_ = entities[0].server
    found = [entity for entity in entities if entity.type == "startup"]
    skupper = is_skupper(version) or (
        not version and any(startup.get("starts") == "from-2.0" for startup in found)
    )

    def refuse(rule: Rule, kind: FindingKind, because: str, source: Source) -> None:
        message = f"{id_} does not start: {because}"
        refused.append(rule.at(source, message, kind=kind, severity=Severity.ERROR, server=id_))
        stopped.append(f"it does not start (C-2): {because} at {source} ({rule.number})")

    for startup in found:
        because, starts = startup.get("because"), startup.get("starts")
        if starts == "made":
            continue
        if starts in ("assumed", "incomplete", "unseen"):
            doubtful.append(because)
        elif starts == "before-1.0" and (not version or version.startswith("0")):
            doubtful.append(f"read as a configuration of a router before 1.0: {because}")
        elif starts == "until-1.12":
            if skupper or not reads_plain_groups(version):
                refuse(C_2, PLAIN_MAP, because, startup.source)
            elif not version:
                message = (
                    f"{because}. The version of {id_} is not known: it is read as a router up to "
                    "1.12"
                )
                refused.append(C_2.at(startup.source, message, kind=PLAIN_MAP, server=id_))
                doubtful.append(f"read as a configuration of a router up to 1.12: {because}")
        elif starts == "until-1.19":
            if skupper:
                refuse(S_2, SKUPPER_REFUSES, _lacks(because), startup.source)
        elif starts != "from-2.0" or (version and not is_skupper(version)):
            stopped.append(f"it does not start (C-2): {because}")
    for because, source in _skupper_refusals(entities) if skupper else ():
        refuse(S_2, SKUPPER_REFUSES, because, source)
    return refused, next(iter(stopped), ""), "; ".join(doubtful)


def _lacks(what: str) -> str:
    return f"it is a Skupper Router, which has no {what} like that"


def _skupper_refusals(entities: Sequence[Entity]) -> Iterator[tuple[str, Source]]:
    """What Skupper Router does not start with, though qpid-dispatch does (S-2), and where: types
    and attributes that it does not have, the first of each, a cost below 1, and sslProfiles that
    are not defined. Linear in the entities."""
    seen: set[str] = set()
    for entity in entities:
        if _is_gone(entity) and entity.type not in seen:
            seen.add(entity.type)
            yield _lacks(entity.type), entity.source
    defined = {entity.name for entity in entities if entity.type == "sslProfile"}
    for entity in entities:
        if entity.type not in ("listener", "connector"):
            continue
        if _cost(entity.get("cost", "1")) < 1:
            cost = entity.get("cost")
            yield (
                f"Skupper Router takes no cost {cost} of {entity.type} {entity.name}",
                entity.source,
            )
        if (profile := entity.get("sslProfile").strip()) and profile not in defined:
            of = f"{entity.type} {entity.name}"
            yield f"Skupper Router does not find the sslProfile {profile} of {of}", entity.source


def _is_gone(entity: Entity) -> bool:
    return entity.type in _GONE and (
        not _GONE[entity.type] or bool({*_GONE[entity.type]} & {*entity.stated})
    )


def endpoint_of(entity: Entity) -> RouterEndpoint:
    """The listener or connector that an entity is. ``router`` is the id of its router."""
    port = entity.get("port", "amqp").strip()
    port = _SERVICES.get(port, port)
    return RouterEndpoint(
        router=entity.server,
        name=entity.name,
        host=entity.get("host").strip().strip("[]").lower(),
        port=port if (number := digits(port)) is None else str(number),
        role=entity.get("role", "normal"),
        cost=_cost(entity.get("cost", "1")),
        cost_stated="cost" in entity.stated,
        source=entity.source,
        security=security_of(entity),
    )


def _cost(text: str) -> int:
    """A cost of a file is a number by C-2; one of a dump should be, and counts as the default if
    it is not.
    """
    return integer(text, 1, 9)


def _told_apart(routers: list[Router]) -> tuple[tuple[Router, ...], tuple[Finding, ...]]:
    """The routers by names of their own, and a finding for each id that several files have, at
    the first of them.
    """
    sharing: dict[str, list[Router]] = {}
    for router in routers:
        sharing.setdefault(router.id, []).append(router)
    named: list[Router] = []
    for id_, found in sharing.items():
        if len(found) == 1:
            named += found
            continue
        for router in found:
            others = ", ".join(other.bundle for other in found if other is not router)
            doubt = (
                f"other files have its id {id_} too ({others}): in one network they would "
                "not be distinguished (T-10)"
            )
            if router.id_template:
                doubt = f"its id {id_} is filled in at start"
            doubtful = "; ".join(text for text in (router.doubtful, doubt) if text)
            named.append(_renamed(router, f"{id_} ({router.bundle})", doubtful))
    findings = tuple(_shared_id(found) for found in sharing.values() if len(found) > 1)
    return tuple(sorted(named, key=lambda router: router.name)), findings


def _shared_id(routers: Sequence[Router]) -> Finding:
    """T-10: one id in several files."""
    first, bundles = routers[0], [router.bundle for router in routers]
    shown = ", ".join(bundles[:_SHOWN]) + (
        f" and {len(bundles) - _SHOWN} more" if len(bundles) > _SHOWN else ""
    )
    if first.id_template:
        text = (
            f"The router id {first.id} is in {len(bundles)} files ({shown}): it is "
            "filled in at start"
        )
        return T_10.at(first.source, text, kind=SHARED_ID_TEMPLATE, server=first.id)
    message = (
        f"The router id {first.id} is in {len(bundles)} files ({shown}): routers "
        "with one id do not become neighbours, and the other "
        "routers see one router that keeps changing"
    )
    return T_10.at(first.source, message, kind=DUPLICATE_ROUTER_ID, server=first.id)


def _renamed(router: Router, name: str, doubtful: str) -> Router:
    return replace(
        router,
        name=name,
        doubtful=doubtful,
        listeners=tuple(replace(endpoint, router=name) for endpoint in router.listeners),
        connectors=tuple(replace(endpoint, router=name) for endpoint in router.connectors),
    )
