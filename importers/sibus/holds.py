"""What the fields of SIBus facts hold, for redaction (see ``topograph.importers.holds``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.facts.sibus import (
    BusMember,
    ChangedBus,
    ForeignBus,
    Incomplete,
    Mediation,
    MessagingEngine,
    PathElement,
    SibusAttribute,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
    TopicSpaceMapping,
)
from topograph.importers.holds import FACT, Fields, Holds, public
from topograph.importers.sibus.attributes import LIBERTY_WORDS, NAMES, NUMBERS, TRUTH
from topograph.importers.sibus.attributes import WORDS as WORDS_IN_CAPITALS

WELL_KNOWN_USERS: frozenset[str] = frozenset()
"""The product has no users of its own in these files."""

WORDS: frozenset[str] = frozenset()
"""No messages of servers are kept."""


FIELDS: Mapping[type, Fields] = {
    SibusAttribute: public("name") | {"value": Holds.ITS_SETTING, "source": Holds.PLACE},
    PathElement: public("destination") | {"bus": Holds.SERVER, "source": Holds.PLACE},
    SibusMember: public("cluster", "mq_server") | {"node": Holds.NAME, "server": Holds.NAME},
    TopicSpaceMapping: public("local", "remote") | {"source": Holds.PLACE},
    SibusBus: FACT
    | public("edition", "uuid", "version", "complete")
    | {"name": Holds.SERVER, "cell": Holds.NAME, "attributes": Holds.NESTED},
    BusMember: FACT | {"member": Holds.NESTED},
    MessagingEngine: FACT
    | public("uuid", "cluster", "queue_points", "closed_points", "derived", "listed_only")
    | {
        "name": Holds.NAME,
        "node": Holds.NAME,
        "server_name": Holds.NAME,
        "attributes": Holds.NESTED,
    },
    SibusDestination: FACT
    | public(
        "destination_type", "name", "uuid", "exception_destination", "listed_only", "queue_points"
    )
    | dict.fromkeys(("attributes", "forward_path", "reply", "members", "target"), Holds.NESTED)
    | {
        "exception_source": Holds.PLACE,
        "localizations": Holds.NAME,
        "alias_bus": Holds.SERVER,
        "foreign_bus": Holds.SERVER,
    },
    ForeignBus: FACT
    | public("uuid", "route", "link_uuid", "exception_destination")
    | dict.fromkeys(("attributes", "topic_spaces"), Holds.NESTED)
    | {"name": Holds.SERVER, "next_hop": Holds.SERVER, "engine": Holds.NAME},
    SibusLink: FACT
    | public("type", "uuid", "target_uuid", "exception_destination")
    | {
        "name": Holds.NAME,
        "engine": Holds.NAME,
        "remote_engine": Holds.NAME,
        "foreign_bus": Holds.SERVER,
        "attributes": Holds.NESTED,
    },
    Mediation: FACT
    | public("name", "destination", "enabled", "uuid")
    | {"attributes": Holds.NESTED},
    Incomplete: FACT | public("sections", "object") | {"reason": Holds.MESSAGE},
    ChangedBus: FACT,
}
"""Every kind of fact (and of record inside one), with every field."""


_HELD: Mapping[str, Holds] = {
    **dict.fromkeys(TRUTH | NUMBERS | WORDS_IN_CAPITALS | NAMES | LIBERTY_WORDS, Holds.PUBLIC),
    **dict.fromkeys(("hostName", "connameList", "bootstrapEndpoints"), Holds.HOSTS),
    **dict.fromkeys(("inboundUserid", "outboundUserid"), Holds.USER),
    **dict.fromkeys(("handlerListName", "protocolName"), Holds.NAME),
    **dict.fromkeys(("selector", "discriminator"), Holds.PUBLIC),
}


def setting(fact: Any, key: str) -> Holds | None:  # noqa: ARG001
    """What the value of an attribute holds; None where nobody has said it (numbers stay then,
    other values are hidden).
    """
    return _HELD.get(key)
