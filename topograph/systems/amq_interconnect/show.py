"""The rows of ``show destinations`` of routers: address entries, link routes, autolinks, exchanges and bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from topograph.facts.amq_interconnect import Entity
from topograph.systems.protocol import FactSource, Row

SHOWN = ("address", "linkRoute", "autoLink", "exchange", "binding")


def rows(source: FactSource, what: str) -> Iterator[Row] | None:
    """The rows of one kind of thing, in the order of files; None for a kind that routers do not have. Linear in the entities."""
    return _destinations(source) if what == "destinations" else None


def _destinations(source: FactSource) -> Iterator[Row]:
    entities = [fact for fact in source.facts(("entity",)) if isinstance(fact, Entity)]
    stated = _stated_elsewhere(entities)
    for entity in entities:
        if entity.type not in SHOWN or stated(entity):
            continue
        yield {
            "server": entity.server,
            "type": entity.type,
            "name": entity.get("prefix") or entity.get("pattern") or entity.get("address") or entity.name,
            "details": _pairs(pair for pair in entity.attributes if pair[0] in entity.stated),
            "source": entity.source.to_dict(),
        }


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(key if value == "true" else f"{key}={value}" for key, value in pairs)


def _stated_elsewhere(entities: Iterable[Entity]) -> Callable[[Entity], bool]:
    """Whether a better source states an entity too: the router's file, or, where a table lists it, a management query."""
    entities = list(entities)
    files = {entity.server for entity in entities if entity.origin == "file"}
    queried = {(entity.server, entity.type) for entity in entities if entity.get("identity")}

    def stated(entity: Entity) -> bool:
        if entity.origin == "file":
            return False
        return entity.server in files or (not entity.get("identity") and (entity.server, entity.type) in queried)

    return stated
