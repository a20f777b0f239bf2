"""From facts to routers with their listeners and connectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from topograph.facts import Entity
from topograph.findings import Finding, Severity, Source
from topograph.side_inputs import SideInputs

_SERVICES = {"amqp": "5672", "amqps": "5671"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A listener or connector. ``router`` is the router's name in the network; ``port`` is a number as text where it could be resolved."""

    router: str
    name: str
    host: str
    port: str
    role: str
    cost: int
    cost_stated: bool
    source: Source

    @property
    def address(self) -> str:
        """``host:port``, ``*`` for all hosts."""
        host = self.host or "*"
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Router:
    """One configuration file's router. ``name`` is its id, told apart by the file where several files have the same id. ``stopped`` says
    why the router does not start, ``doubtful`` what else makes answers about it incomplete; both empty for a sound one."""

    name: str
    id: str
    mode: str
    bundle: str
    source: Source
    listeners: tuple[Endpoint, ...]
    connectors: tuple[Endpoint, ...]
    stopped: str = ""
    doubtful: str = ""

    @property
    def linked(self) -> bool:
        """Whether it can have neighbours: it starts, and as interior or edge."""
        return not self.stopped and self.mode in ("interior", "edge")


def routers_of(facts: Iterable[Entity], side_inputs: SideInputs) -> tuple[tuple[Router, ...], tuple[Finding, ...]]:
    """The routers of a network by name, and findings about ids that several files share (T-10)."""
    bundles: dict[str, list[Entity]] = {}
    for fact in facts:
        bundles.setdefault(fact.bundle, []).append(fact)
    versions = dict(side_inputs.versions)
    routers = [_router(bundle, entities, versions) for bundle, entities in sorted(bundles.items())]
    return _told_apart(routers)


def _router(bundle: str, entities: list[Entity], versions: dict[str, str]) -> Router:
    section = next((entity for entity in entities if entity.type == "router"), None)
    id_ = entities[0].server
    stopped, doubtful = _startup(entities, versions.get(id_, versions.get("*", "")))
    return Router(
        name=id_,
        id=id_,
        mode=section.get("mode", "standalone") if section else "standalone",
        bundle=bundle,
        source=section.source if section else entities[0].source,
        listeners=tuple(_endpoint(entity) for entity in entities if entity.type == "listener"),
        connectors=tuple(_endpoint(entity) for entity in entities if entity.type == "connector"),
        stopped=stopped,
        doubtful=doubtful,
    )


def _startup(entities: list[Entity], version: str) -> tuple[str, str]:
    """(why the router does not start, what is doubtful). Syntax of routers before 1.0 counts as read by such a router (section 5, position
    16) unless topograph.yaml gives the router a version from 1.0 on."""
    refusal = next((entity for entity in entities if entity.type == "startup"), None)
    if refusal is None:
        return "", ""
    because = refusal.get("because")
    if refusal.get("starts") != "before-1.0" or (version and not version.startswith("0")):
        return f"it does not start (C-2): {because}", ""
    return "", f"read as a configuration of a router before 1.0: {because}"


def _endpoint(entity: Entity) -> Endpoint:
    port = entity.get("port", "amqp").strip()
    port = _SERVICES.get(port, port)
    return Endpoint(
        router=entity.server,
        name=entity.name,
        host=entity.get("host").strip().strip("[]").lower(),
        port=str(int(port)) if port.isascii() and port.isdigit() else port,
        role=entity.get("role", "normal"),
        cost=int(entity.get("cost", "1")),
        cost_stated="cost" in entity.stated,
        source=entity.source,
    )


def _told_apart(routers: list[Router]) -> tuple[tuple[Router, ...], tuple[Finding, ...]]:
    counts = Counter(router.id for router in routers)
    findings: list[Finding] = []
    named: list[Router] = []
    for router in routers:
        if counts[router.id] == 1:
            named.append(router)
            continue
        others = ", ".join(other.bundle for other in routers if other.id == router.id and other is not router)
        name = f"{router.id} ({router.bundle})"
        if "${" in router.id:
            doubt = f"its id {router.id} is filled in at start"
            findings.append(
                _finding("shared-id-template", Severity.INFO, f"The id {router.id} also stands in {others}", router)
            )
        else:
            doubt = f"other files have its id {router.id} too ({others}): in one network they would not be told apart (T-10)"
            message = (
                f"The router id {router.id} also stands in {others}: the two do not become neighbours, and the other "
                "routers see one router that keeps changing"
            )
            findings.append(_finding("duplicate-router-id", Severity.ERROR, message, router))
        named.append(_renamed(router, name, "; ".join(text for text in (router.doubtful, doubt) if text)))
    return tuple(sorted(named, key=lambda router: router.name)), tuple(findings)


def _finding(kind: str, severity: Severity, message: str, router: Router) -> Finding:
    return Finding(kind, severity, message, router.source, "T-10", server=router.id)


def _renamed(router: Router, name: str, doubtful: str) -> Router:
    return replace(
        router,
        name=name,
        doubtful=doubtful,
        listeners=tuple(replace(endpoint, router=name) for endpoint in router.listeners),
        connectors=tuple(replace(endpoint, router=name) for endpoint in router.connectors),
    )
