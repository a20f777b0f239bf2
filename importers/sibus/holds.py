"""What the fields of SIBus facts hold, for redaction (see ``topograph.importers.holds``)."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts import Fact
from topograph.facts.sibus import (
    Attribute,
    Bus,
    BusMember,
    Destination,
    ForeignBus,
    Incomplete,
    Link,
    Mediation,
    Member,
    MessagingEngine,
    PathElement,
    TopicSpaceMapping,
)
from topograph.importers.holds import FACT, Fields, Holds

WELL_KNOWN_USERS: frozenset[str] = frozenset()
"""The product has no users of its own in these files."""

WORDS: frozenset[str] = frozenset()
"""No messages of servers are kept."""


def _public(*names: str) -> Fields:
    return dict.fromkeys(names, Holds.PUBLIC)


FIELDS: Mapping[type, Fields] = {
    Attribute: _public("name") | {"value": Holds.WORD, "source": Holds.PLACE},
    PathElement: _public("destination") | {"bus": Holds.SERVER, "source": Holds.PLACE},
    Member: _public("cluster", "mq_server") | {"node": Holds.NAME, "server": Holds.NAME},
    TopicSpaceMapping: _public("local", "remote") | {"source": Holds.PLACE},
    Bus: FACT
    | _public("edition", "uuid", "version", "complete")
    | {"name": Holds.SERVER, "cell": Holds.NAME, "attributes": Holds.NESTED},
    BusMember: FACT | {"member": Holds.NESTED},
    MessagingEngine: FACT
    | _public("uuid", "cluster", "queue_points", "derived")
    | {"name": Holds.NAME, "node": Holds.NAME, "server_name": Holds.NAME, "attributes": Holds.NESTED},
    Destination: FACT
    | _public("destination_type", "name", "uuid", "exception_destination", "listed_only", "queue_points")
    | dict.fromkeys(("attributes", "forward_path", "reply", "members", "target"), Holds.NESTED)
    | {
        "exception_source": Holds.PLACE,
        "localizations": Holds.NAME,
        "alias_bus": Holds.SERVER,
        "foreign_bus": Holds.SERVER,
    },
    ForeignBus: FACT
    | _public("uuid", "route")
    | dict.fromkeys(("attributes", "topic_spaces"), Holds.NESTED)
    | {"name": Holds.SERVER, "next_hop": Holds.SERVER, "engine": Holds.NAME},
    Link: FACT
    | _public("type", "uuid", "exception_destination")
    | {
        "name": Holds.NAME,
        "engine": Holds.NAME,
        "remote_engine": Holds.NAME,
        "foreign_bus": Holds.SERVER,
        "attributes": Holds.NESTED,
    },
    Mediation: FACT | _public("name", "destination", "enabled", "uuid") | {"attributes": Holds.NESTED},
    Incomplete: FACT | _public("sections", "object") | {"reason": Holds.MESSAGE},
}
"""Every kind of fact (and of record inside one), with every field."""


def setting(fact: Fact, key: str) -> Holds | None:
    """What the value of a setting holds; None where nobody has said it."""
    del fact, key
    return None
