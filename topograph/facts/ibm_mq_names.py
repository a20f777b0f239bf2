"""Names and kinds of the objects of a queue manager: what MQSC, facts and rules agree on
(ibm_mq.md C1).
"""

from __future__ import annotations

QUEUES = frozenset({"QLOCAL", "QALIAS", "QREMOTE", "QMODEL"})
"""The nouns of queue objects. All of them share one name space."""

CHANNEL_TYPES = frozenset(
    {"SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "SVRCONN", "CLNTCONN", "AMQP", "MQTT"}
)

OPPOSITES = {
    "TRIGGER": "NOTRIGGER", "NOTRIGGER": "TRIGGER", "SHARE": "NOSHARE", "NOSHARE": "SHARE",
    "HARDENBO": "NOHARDENBO",
    "NOHARDENBO": "HARDENBO",
}  # fmt: skip
"""Flags that take each other's place."""

DEFAULT_OBJECTS = {
    "QLOCAL": "SYSTEM.DEFAULT.LOCAL.QUEUE", "QALIAS": "SYSTEM.DEFAULT.ALIAS.QUEUE",
    "QREMOTE": "SYSTEM.DEFAULT.REMOTE.QUEUE",
    "QMODEL": "SYSTEM.DEFAULT.MODEL.QUEUE", "NAMELIST": "SYSTEM.DEFAULT.NAMELIST",
    "PROCESS": "SYSTEM.DEFAULT.PROCESS",
    "TOPIC": "SYSTEM.DEFAULT.TOPIC", "SUB": "SYSTEM.DEFAULT.SUB",
    "LISTENER": "SYSTEM.DEFAULT.LISTENER.TCP", "SDR": "SYSTEM.DEF.SENDER",
    "SVR": "SYSTEM.DEF.SERVER", "RCVR": "SYSTEM.DEF.RECEIVER", "RQSTR": "SYSTEM.DEF.REQUESTER",
    "CLUSSDR": "SYSTEM.DEF.CLUSSDR",
    "CLUSRCVR": "SYSTEM.DEF.CLUSRCVR", "SVRCONN": "SYSTEM.DEF.SVRCONN",
    "CLNTCONN": "SYSTEM.DEF.CLNTCONN", "AMQP": "SYSTEM.DEF.AMQP",
}  # fmt: skip
"""The object that a new one starts from, by noun or channel type."""

CLUSTER_TRANSMIT_QUEUE = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
MQTT_TRANSMIT_QUEUE = "SYSTEM.MQTT.TRANSMIT.QUEUE"
"""The transmission queue that the telemetry service reads (M-19)."""
OF_THE_PRODUCT = "SYSTEM."
"""How the names of objects begin that every queue manager has, whether or not a file shows them
(C-11).
"""

LONGEST = {"CHANNEL": 20, "SUB": 10240}
"""Characters that names may have; 48 where nothing else is said."""
_LONGEST_OF_OTHERS = 48
_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/%")


def longest_name(noun: str) -> int:
    """How many characters the name of an object may have."""
    return LONGEST.get(noun, _LONGEST_OF_OTHERS)


def object_name_fault(noun: str, name: str) -> str:
    """Why an object cannot have a name, or an empty string if it can. Subscriptions may have any
    characters.

    >>> object_name_fault("QLOCAL", "A.b_1/%"), object_name_fault("QLOCAL", "A-B")
    ('', "the name 'A-B' contains '-'")
    """
    if len(name) > longest_name(noun):
        return (
            f"the name {name[:60]!r} has {len(name)} characters, {longest_name(noun)} are allowed"
        )
    if noun == "SUB" or _CHARACTERS.issuperset(name):
        return ""
    wrong = next(character for character in name if character not in _CHARACTERS)
    return f"the name {name!r} contains {wrong!r}"


def name_space(noun: str, channel_type: str) -> str:
    """The name space of an object: all queues share one, and client channels have one of their
    own (C-12).
    """
    if noun in QUEUES:
        return "QUEUE"
    return "CLNTCONN" if noun == "CHANNEL" and channel_type == "CLNTCONN" else noun
