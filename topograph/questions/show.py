"""``show WHAT``: what is loaded, as rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from topograph.did_you_mean import did_you_mean
from topograph.errors import UsageError
from topograph.facts import Fact
from topograph.facts.amq_interconnect import Entity
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsGrant, EmsGroup, EmsRoute, EmsUser
from topograph.questions.answers import ShowAnswer
from topograph.questions.cycles import interests
from topograph.questions.model import Model
from topograph.systems import answering

Row = dict[str, object]


def show(model: Model, what: str) -> ShowAnswer:
    """The rows of one kind of thing. Raises UsageError for an unknown ``what``."""
    if what not in _ROWS:
        raise UsageError(f"There is no {what!r} to show. Known: {', '.join(sorted(_ROWS))}.{did_you_mean(what, _ROWS)}")
    columns, rows = _ROWS[what]
    found = tuple(rows(model))
    return ShowAnswer(
        **model.common(),  # type: ignore[arg-type]
        warnings=model.warnings,
        what=what,
        columns=columns,
        rows=found,
    )


def _place(fact: Fact) -> dict[str, object]:
    return fact.source.to_dict()


def _servers(model: Model) -> Iterable[Row]:
    for part in model.parts:
        neighbours: dict[str, set[str]] = {}
        for link in answering(part.system).links(part.graph):
            for here, there in (link.ends, link.ends[::-1]):
                neighbours.setdefault(here, set()).add(there)
        for server in part.graph.servers:
            yield {
                "server": server.name,
                "system": server.system,
                "loaded": server.loaded,
                "neighbours": len(neighbours.get(server.name, ())),
                "incomplete": server.incomplete,
                "source": server.source.to_dict(),
            }


def _routes(model: Model) -> Iterable[Row]:
    for part in model.parts:
        for link in answering(part.system).links(part.graph):
            yield {
                "from": link.ends[0],
                "to": link.ends[1],
                "zone": link.zone,
                "zone_type": link.zone_type,
                "configured_by": link.configured_by,
                "cost": link.cost,
                "source": link.source.to_dict(),
            }


def _zones(model: Model) -> Iterable[Row]:
    zones: dict[tuple[str, str], tuple[set[int], set[str]]] = {}
    for part in model.parts:
        for point in part.graph.points:
            if point.kind == "arrival":
                links, servers = zones.setdefault((point.zone, point.zone_type), (set(), set()))
                links.add(point.link)
                servers.add(part.graph.servers[point.server].name)
    for (zone, kind), (links, servers) in sorted(zones.items()):
        yield {"zone": zone, "type": kind, "routes": len(links), "servers": sorted(servers)}


def _destinations(model: Model) -> Iterable[Row]:
    facts = list(model.source.facts(("destination", "bridge", "durable", "entity"), ""))
    said_before = _said_by_a_better_source(facts)
    for fact in facts:
        if isinstance(fact, Entity) and said_before(fact):
            continue
        row: Row | None = None
        if isinstance(fact, EmsDestination):
            name = f"{fact.name}@{fact.owner}" if fact.owner else fact.name
            row = {"type": fact.type, "name": name, "details": _pairs(fact.properties)}
        elif isinstance(fact, EmsBridge):
            row = {
                "type": "bridge",
                "name": f"{fact.source_type}:{fact.source_name}",
                "details": f"to {fact.target_type}:{fact.target_name}"
                + (f" where {fact.selector}" if fact.selector else ""),
            }
        elif isinstance(fact, EmsDurable):
            row = {
                "type": "durable",
                "name": fact.name,
                "details": f"on {fact.topic}" + (" for a route" if fact.route else ""),
            }
        elif isinstance(fact, Entity) and fact.type in ("address", "linkRoute", "autoLink", "exchange", "binding"):
            name = fact.get("prefix") or fact.get("pattern") or fact.get("address") or fact.name
            row = {
                "type": fact.type,
                "name": name,
                "details": _pairs(pair for pair in fact.attributes if pair[0] in fact.stated),
            }
        if row is not None:
            yield {"server": fact.server, **row, "source": _place(fact)}


def _said_by_a_better_source(facts: Iterable[Fact]) -> Callable[[Entity], bool]:
    """Whether an entity is shown already: by the router's file, or, where a table lists it, by a management query."""
    files = {fact.server for fact in facts if isinstance(fact, Entity) and fact.origin == "file"}
    queried = {(fact.server, fact.type) for fact in facts if isinstance(fact, Entity) and fact.get("identity")}

    def said(fact: Entity) -> bool:
        if fact.origin == "file":
            return False
        return fact.server in files or (not fact.get("identity") and (fact.server, fact.type) in queried)

    return said


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(key if value == "true" else f"{key}={value}" for key, value in pairs)


def _interests(model: Model) -> Iterable[Row]:
    answer = interests(model)
    for server, names in answer.servers.items():
        for entry in names:
            yield {"server": server, "name": entry.name, "via": entry.via, "hops": entry.hops}


def _selectors(model: Model) -> Iterable[Row]:
    for fact in model.source.facts(("route", "durable", "bridge"), ""):
        if isinstance(fact, EmsRoute):
            for line in fact.selectors:
                yield {
                    "server": fact.server,
                    "on": f"route {fact.name}",
                    "direction": line.direction,
                    "topic": line.topic,
                    "selector": line.selector,
                    "source": line.source.to_dict(),
                }
        elif isinstance(fact, (EmsDurable, EmsBridge)) and fact.selector:
            topic = fact.topic if isinstance(fact, EmsDurable) else fact.source_name
            on = (
                f"durable {fact.name}"
                if isinstance(fact, EmsDurable)
                else f"bridge to {fact.target_type}:{fact.target_name}"
            )
            yield {
                "server": fact.server,
                "on": on,
                "direction": "",
                "topic": topic,
                "selector": fact.selector,
                "source": _place(fact),
            }


def _access(model: Model) -> Iterable[Row]:
    for fact in model.source.facts(("grant", "user", "group"), ""):
        if isinstance(fact, EmsGrant):
            yield {
                "server": fact.server,
                "what": f"{fact.type}:{fact.name}" if fact.name else fact.type,
                "who": f"{fact.principal_type} {fact.principal}",
                "permissions": ", ".join(fact.permissions),
                "source": _place(fact),
            }
        elif isinstance(fact, EmsUser):
            yield {
                "server": fact.server,
                "what": "user",
                "who": fact.name,
                "permissions": "has a password" if fact.password_set else "no password",
                "source": _place(fact),
            }
        elif isinstance(fact, EmsGroup):
            yield {
                "server": fact.server,
                "what": "group",
                "who": fact.name,
                "permissions": ", ".join(fact.members),
                "source": _place(fact),
            }


def _findings(model: Model) -> Iterable[Row]:
    from topograph.questions.check import check

    yield from check(model).findings


def _files(model: Model) -> Iterable[Row]:
    for report in sorted(model.source.files, key=lambda report: (report.path, report.server)):
        yield json.loads(json.dumps({name: getattr(report, name) for name in report.__slots__}))


_ROWS: Mapping[str, tuple[tuple[str, ...], Callable[[Model], Iterable[Row]]]] = {
    "servers": (("server", "system", "loaded", "neighbours", "incomplete", "source"), _servers),
    "routes": (("from", "to", "zone", "zone_type", "configured_by", "cost", "source"), _routes),
    "zones": (("zone", "type", "routes", "servers"), _zones),
    "destinations": (("server", "type", "name", "details", "source"), _destinations),
    "interests": (("server", "name", "via", "hops"), _interests),
    "selectors": (("server", "on", "direction", "topic", "selector", "source"), _selectors),
    "access": (("server", "what", "who", "permissions", "source"), _access),
    "findings": (("severity", "rule", "kind", "message", "server", "source"), _findings),
    "files": (("path", "status", "system", "server", "role", "read", "ignored", "unsupported", "note"), _files),
}
"""What can be shown: columns in reading order, and the rows."""
