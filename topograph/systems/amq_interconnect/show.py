"""The rows of ``show destinations`` of routers: address entries, link routes, autolinks,
exchanges and bindings, and the addresses of TCP and HTTP bridges (S-3), which ``show bridges``
lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from topograph.facts.amq_interconnect import Entity, type_of
from topograph.records import record
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.contract.system import Row

SHOWN = (
    *("address", "linkRoute", "autoLink", "exchange", "binding"),
    *("tcpListener", "tcpConnector", "listenerAddress", "httpListener", "httpConnector"),
)


_LISTENS = ("tcpListener", "httpListener")
_CONNECTS = ("tcpConnector", "httpConnector")


def rows(facts: RouterFacts, what: str) -> Iterable[Row] | None:
    """The rows of one kind of thing, in the order of files; None for a kind that routers do not
    have. Linear in the entities.
    """
    if what == "bridges":
        return _bridges(facts)
    return Destinations(facts) if what == "destinations" else None


def _bridges(facts: RouterFacts) -> Iterator[Row]:
    """TCP and HTTP bridges (S-3): a listener takes connections for an address, a connector makes
    those for one.
    """
    stated = StatedElsewhere.of(facts)
    for entity in facts.each():
        if entity.type in (*_LISTENS, *_CONNECTS) and not stated.holds(entity):
            address = f"address:{entity.get('address')}"
            outside = ":".join(filter(None, (entity.get("host"), entity.get("port"))))
            listens = entity.type in _LISTENS
            yield {
                "server": entity.server,
                "type": entity.type,
                "from": outside if listens else address,
                "to": address if listens else outside,
                "source": entity.source.to_dict(),
            }


@record(slots=False)
class Destinations:
    """Rows that are made one by one, each time they are gone through; their number is known
    without them.
    """

    facts: RouterFacts

    def __len__(self) -> int:
        names = self.facts.names.count
        return (
            sum(number for label, number in names.items() if type_of(label) in SHOWN)
            - self._stated_elsewhere.count
        )

    def __contains__(self, row: object) -> bool:
        return any(row == each for each in self)

    def __iter__(self) -> Iterator[Row]:
        stated = self._stated_elsewhere
        for entity in self.facts.each():
            if entity.type in SHOWN and not stated.holds(entity):
                yield {
                    "server": entity.server,
                    "type": entity.type,
                    "name": entity.get("prefix")
                    or entity.get("pattern")
                    or entity.get("address")
                    or entity.name,
                    "details": _pairs(
                        pair for pair in entity.attributes if pair[0] in entity.stated
                    ),
                    "leads_to": [entity.get("address")] if entity.type in _LISTENS else [],
                    "source": entity.source.to_dict(),
                }

    @cached_property
    def _stated_elsewhere(self) -> StatedElsewhere:
        return StatedElsewhere.of(self.facts)


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(key if value == "true" else f"{key}={value}" for key, value in pairs)


@record(slots=False)
class StatedElsewhere:
    """Which entities a better source states too: the router's file, or, where a table lists it,
    a management query. ``count`` is the number of them that would be shown."""

    files: frozenset[str] = frozenset()
    queried: frozenset[tuple[str, str]] = frozenset()
    count: int = 0

    @classmethod
    def of(cls, facts: RouterFacts) -> StatedElsewhere:
        """Goes through all entities where there are any dumps: only what is in those can stand
        elsewhere too.
        """
        files = frozenset(entity.server for entity in facts.essential if entity.origin == "file")
        if all(entity.origin == "file" for entity in facts.essential):
            return cls(files)
        queried = set()
        dumped: dict[tuple[str, str, bool], int] = {}
        for entity in facts.each():
            if entity.origin == "file":
                continue
            if entity.get("identity"):
                queried.add((entity.server, entity.type))
            if entity.type in SHOWN:
                key = (entity.server, entity.type, bool(entity.get("identity")))
                dumped[key] = dumped.get(key, 0) + 1
        found = cls(files, frozenset(queried))
        return cls(
            files,
            found.queried,
            sum(number for key, number in dumped.items() if found._holds(*key)),
        )

    def holds(self, entity: Entity) -> bool:
        """Whether an entity stands elsewhere too."""
        return entity.origin != "file" and self._holds(
            entity.server, entity.type, bool(entity.get("identity"))
        )

    def _holds(self, server: str, type_: str, has_identity: bool) -> bool:
        return server in self.files or (not has_identity and (server, type_) in self.queried)
