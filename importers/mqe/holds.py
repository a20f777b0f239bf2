"""What the fields of MQe facts hold, for redaction (see ``topograph.importers.holds``)."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.facts import Fact
from topograph.facts.mqe import (
    MqeAlias,
    MqeConnection,
    MqeListener,
    MqeQueue,
    MqeQueueManager,
    MqeXmitqListener,
)
from topograph.importers.holds import FACT, Fields, Holds, public

WELL_KNOWN_USERS: frozenset[str] = frozenset()
"""Configurations of MQe name no users."""

WORDS: frozenset[str] = frozenset()
"""No messages of servers are kept."""


_NETWORK: Fields = {"address": Holds.HOSTS, "port": Holds.WORD, "adapter": Holds.OPAQUE}

FIELDS: Mapping[type, Fields] = {
    MqeQueueManager: FACT
    | public("codebase", "running", "discovery", "bridge_enabled", "listens", "unread", "unended"),
    MqeAlias: FACT | {"name": Holds.SERVER, "target": Holds.SERVER},
    MqeListener: FACT | _NETWORK | {"name": Holds.PUBLIC},
    MqeConnection: FACT
    | _NETWORK
    | {"name": Holds.SERVER, "type": Holds.PUBLIC, "via": Holds.SERVER, "channel": Holds.OPAQUE},
    MqeQueue: FACT
    | public("name", "type", "mode", "aliases", "timer")
    | dict.fromkeys(("qmgr", "qmgrs", "forward_to", "home_server"), Holds.SERVER),
    MqeXmitqListener: FACT | {"mq_queue_manager": Holds.SERVER, "xmitq": Holds.PUBLIC},
}
"""Every kind of fact, with every field."""


def setting(fact: Fact, key: str) -> Holds | None:  # noqa: ARG001
    """What the value of a setting holds; no fact has settings of free keys."""
    return None
