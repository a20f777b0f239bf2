"""The words of the YAML form (mqe.md B4): its keys, and the names that JMX operations and
administration messages use for the same things.
"""

from __future__ import annotations

from collections.abc import Mapping

QUEUE_MANAGER = frozenset(
    {
        "kind", "queueManager", "codebase", "running", "discovery", "bridgeEnabled", "aliases",
        "listeners", "connections", "queues",
        "xmitqListeners", "description",
    }
)  # fmt: skip

SAME: Mapping[str, str] = {
    "alias": "aliases",
    "connectionName": "name",
    "destinationQMgrName": "qmgr",
    "forwardToQMgrName": "forwardTo",
    "getFromQMgrName": "homeServer",
    "listenerName": "name",
    "listenerPort": "port",
    "qqmnl": "qmgrs",
    "queueName": "name",
    "Queue_Mode": "mode",
    "Queue_QMgrNameList": "qmgrs",
    "Queue_QTimerInterval": "timer",
    "viaQMName": "via",
}
"""Other names of keys of entries."""

LISTENER = frozenset({"name", "adapter", "address", "port"})
CONNECTION = frozenset(
    {"name", "type", "target", "via", "address", "port", "adapter", "channel", "description"}
)
QUEUE = frozenset(
    {"type", "name", "qmgr", "mode", "aliases", "qmgrs", "forwardTo", "homeServer", "timer"}
)
XMITQ_LISTENER = frozenset(
    {"mqQueueManager", "xmitq", "name", "bridgeName", "proxyName", "clientConnectionName"}
)

NOT_ROUTING = frozenset(
    {
        "messageStore", "path", "maxDepth", "maxSize", "maxMessageSize", "description",
        "bridgeName", "proxyName", "clientConnectionName",
        "cryptor", "authenticator", "compressor", "targetRegistry", "attributeRule", "rule",
        "Queue_Cryptor", "Queue_Authenticator",
        "Queue_Compressor", "Queue_TargetRegistry", "Queue_AttrRule",
    }
)  # fmt: skip
"""Keys of queues that are known and do not decide where messages go: their values are not kept."""

QUEUE_TYPES: Mapping[str, str] = {
    "local": "local",
    "admin": "admin",
    "remote": "remote",
    "saf": "saf",
    "storeandforward": "saf",
    "home": "home",
    "homeserver": "home",
    "bridge": "bridge",
    "mqbridge": "bridge",
}
"""Types of queues in lower case without ``-`` and ``_``."""

MODES: Mapping[str, str] = {
    "sync": "sync",
    "synchronous": "sync",
    "queuesynchronous": "sync",
    "async": "async",
    "asynchronous": "async",
    "queueasynchronous": "async",
}

CONNECTION_TYPES: Mapping[str, str] = {
    "direct": "direct",
    "alias": "alias",
    "via": "via",
    "indirect": "via",
    "mq": "mq",
}

TRUTHS: Mapping[str, bool] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}

FORBIDDEN = frozenset("{}[]#():;,'\"=")
"""Characters that no queue name may have (mqe.md B1)."""
