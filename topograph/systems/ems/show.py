"""The rows of ``show WHAT`` of EMS servers: destinations, queues, bridges, durables,
subscribers, selectors, access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from topograph.facts import Fact
from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsRoute,
    EmsUser,
)
from topograph.facts.ems_observed import EmsObservedSubscription
from topograph.systems.contract.system import FactSource, Row
from topograph.systems.ems.destinations.topics import is_wildcard
from topograph.systems.fact_sources import of_class


def rows(source: FactSource, what: str) -> Iterator[Row] | None:
    """The rows of one kind of thing, in the order of files; None for a kind that EMS servers do
    not have. Linear in the facts of that kind.
    """
    made = _ROWS.get(what)
    return _labelled(source, made(source)) if made else None


def _labelled(source: FactSource, made: Iterator[tuple[Fact, Row]]) -> Iterator[Row]:
    """The rows; those of a server that several main files configure say of which one each is."""
    mains = source.names(("server",)).count
    for fact, row in made:
        doubled = {"configuration": fact.bundle} if mains.get(fact.server, 0) > 1 else {}
        yield {"server": fact.server, **row, **doubled}


def _destinations(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    for fact in source.facts(("destination", "bridge", "durable")):
        if isinstance(fact, EmsDestination):
            name = f"{fact.name}@{fact.owner}" if fact.owner else fact.name
            routed = fact.type == "queue" and fact.owner not in ("", fact.server)
            row: Row = {
                "type": fact.type,
                "name": name,
                "details": _pairs(fact.properties),
                "leads_to": [name] if routed else [],
            }
        elif isinstance(fact, EmsBridge):
            where = f" where {fact.selector}" if fact.selector else ""
            details = f"to {fact.target_type}:{fact.target_name}{where}"
            row = {
                "type": "bridge",
                "name": f"{fact.source_type}:{fact.source_name}",
                "details": details,
                "leads_to": [f"{fact.target_type}:{fact.target_name}"],
            }
        elif isinstance(fact, EmsDurable):
            row = {
                "type": "durable",
                "name": fact.name,
                "details": f"on {fact.topic}{' for a route' * fact.route}",
                "leads_to": [],
            }
        else:
            continue
        yield fact, {**row, "source": fact.source.to_dict()}


def _queues(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    """Home queues, queues routed to their home (R100), and patterns that let clients create
    queues (R45), with the bridges from each.
    """
    facts = source.facts(("destination", "bridge"))
    bridged: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        if isinstance(fact, EmsBridge) and fact.source_type == "queue":
            target = f"bridge to {fact.target_type}:{fact.target_name}"
            bridged.setdefault((fact.bundle, fact.source_name), []).append(target)
    for fact in facts:
        if isinstance(fact, EmsDestination) and fact.type == "queue":
            routed = fact.owner not in ("", fact.server)
            row: Row = {
                "type": "routed queue"
                if routed
                else "pattern"
                if is_wildcard(fact.name)
                else "queue",
                "name": fact.name,
                "leads_to": ", ".join(
                    [
                        *([f"{fact.name}@{fact.owner}"] if routed else []),
                        *bridged.get((fact.bundle, fact.name), ()),
                    ]
                ),
                "details": _pairs(fact.properties),
            }
            yield fact, {**row, "source": fact.source.to_dict()}


def _bridges(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    for fact in of_class(source, EmsBridge):
        yield (
            fact,
            {
                "from": f"{fact.source_type}:{fact.source_name}",
                "to": f"{fact.target_type}:{fact.target_name}",
                "selector": fact.selector or fact.unread,
                "source": fact.source.to_dict(),
            },
        )


def _durables(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    """The durables of files, and those that a server listed; a durable can be among both."""
    for fact, row in _subscribers(source):
        if isinstance(fact, EmsDurable) or (
            isinstance(fact, EmsObservedSubscription) and fact.durable
        ):
            yield fact, row


def _subscribers(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    """Durables, bridges from topics, and what servers listed. ``known`` is ``configured`` or
    ``observed``.
    """
    for fact in source.facts(("durable", "bridge", "observed_subscription")):
        if isinstance(fact, EmsDurable):
            row: Row = {
                "type": "durable of another server" if fact.route else "durable",
                "name": fact.name,
                "destination": f"topic:{fact.topic}",
                "client_id": fact.client_id,
                "selector": fact.selector or fact.unread,
                "known": "configured",
            }
        elif isinstance(fact, EmsBridge) and fact.source_type == "topic":
            row = {
                "type": "bridge",
                "name": f"{fact.target_type}:{fact.target_name}",
                "destination": f"topic:{fact.source_name}",
                "selector": fact.selector or fact.unread,
                "known": "configured",
            }
        elif isinstance(fact, EmsObservedSubscription):
            kind = (
                "durable" if fact.durable else "consumer" if fact.type == "queue" else "subscriber"
            )
            row = {
                "type": kind if fact.client else f"{kind} of {fact.route or 'the server itself'}",
                "name": fact.durable,
                "destination": f"{fact.type}:{fact.name}",
                "client_id": fact.client_id,
                "user": fact.user,
                "selector": "has one that is not shown" if fact.selector == "yes" else "",
                "known": "observed",
            }
        else:
            continue
        yield fact, {**row, "source": fact.source.to_dict()}


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(key if value == "true" else f"{key}={value}" for key, value in pairs)


def _selectors(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    for fact in source.facts(("route", "durable", "bridge")):
        if isinstance(fact, EmsRoute):
            for line in fact.selectors:
                yield (
                    fact,
                    {
                        "on": f"route {fact.name}",
                        "direction": line.direction,
                        "topic": line.topic,
                        "selector": line.selector or line.unread,
                        "source": line.source.to_dict(),
                    },
                )
        elif isinstance(fact, (EmsDurable, EmsBridge)) and (fact.selector or fact.fault):
            if isinstance(fact, EmsDurable):
                on, topic = f"durable {fact.name}", fact.topic
            else:
                on, topic = f"bridge to {fact.target_type}:{fact.target_name}", fact.source_name
            yield (
                fact,
                {
                    "on": on,
                    "direction": "",
                    "topic": topic,
                    "selector": fact.selector or fact.unread,
                    "source": fact.source.to_dict(),
                },
            )


def _access(source: FactSource) -> Iterator[tuple[Fact, Row]]:
    for fact in source.facts(("grant", "user", "group")):
        if isinstance(fact, EmsGrant):
            what = f"{fact.type}:{fact.name}" if fact.name else fact.type
            who, permissions = (
                f"{fact.principal_type} {fact.principal}",
                ", ".join(fact.permissions),
            )
        elif isinstance(fact, EmsUser):
            what, who = "user", fact.name
            permissions = "has a password" if fact.password_set else "no password"
        elif isinstance(fact, EmsGroup):
            what, who, permissions = "group", fact.name, ", ".join(fact.members)
        else:
            continue
        yield (
            fact,
            {"what": what, "who": who, "permissions": permissions, "source": fact.source.to_dict()},
        )


_ROWS: Mapping[str, Callable[[FactSource], Iterator[tuple[Fact, Row]]]] = {
    "destinations": _destinations,
    "queues": _queues,
    "bridges": _bridges,
    "durables": _durables,
    "subscribers": _subscribers,
    "selectors": _selectors,
    "access": _access,
}
