"""Whether a file can be of a system at all: told by what every file of that system has, before its
importer is imported and asked.

Of the sub-files of one system another cannot claim a single one, and most folders are of one
system: to ask all of them about each file takes longer than to recognise it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_STANZA = re.compile(rb"^[A-Za-z]++:[ \t]*+\r?$", re.MULTILINE)
_BEHIND_STANZA = (b":\n", b":\r", b": ", b":\t")
_ROUTERS = (
    b"{",
    b"skupper",
    b"dmanage",
    b"kmanage",
    b"dstat",
    b"kstat",
    b"routerd",
    b"QDROUTERD_CONF",
    b"interconnectedcloud",
    b"Router",
    b"AutoLinks",
    b"Link Routes",
    b"Policy Configuration",
    b"Connections",
)
_QUEUE_MANAGERS = (b"QueueManager", b"mq.ibm.com/", b'"runCommand', b'"commandResponse"')
_QUEUE_MANAGERS_IN_ANY_CASE = (b"qmgr", b"runmqsc", b"crtmqm", b"csqutil", b"csqyascp")
_MARKS_OF_BROKERS = (b'"exchanges"', b'"queues"', b'"vhosts"', b"rabbit", b"NODENAME")
_SETTINGS_OF_BROKERS = (
    b"listeners.", b"loopback_users", b"definitions", b"cluster_", b"default_", b"management.",
    b"auth_", b"vm_memory", b"disk_free", b"mqtt.", b"stomp.", b"ssl_options", b"channel_max",
    b"consumer_timeout", b"max_message_size", b"_locator", b"shovel.", b"consumer_", b"frame_max",
)  # fmt: skip
_BUSES = (b"AdminTask", b"|sib-", b"dentifier")


def may_be_of(system: str, data: bytes) -> bool:
    """Whether the importer of a system has to be asked about a file; always for a system from
    outside, and for a file that is not ASCII. Linear.

    >>> [may_be_of(system, b"[HUB]\\nurl=tcp://h:7222") for system in ("ems", "ibm_mq", "sibus")]
    [True, False, False]
    """
    has = _HAS.get(system)
    return has is None or not data.isascii() or has(data)


def _routers(data: bytes) -> bool:
    return any(map(data.__contains__, _ROUTERS))


def _queue_managers(data: bytes) -> bool:
    """Commands have a parenthesis or the noun that needs none."""
    if b"(" in data or any(map(data.__contains__, _QUEUE_MANAGERS)):
        return True
    lower = data.lower()
    return any(map(lower.__contains__, _QUEUE_MANAGERS_IN_ANY_CASE)) or _has_stanza(data)


def _has_stanza(data: bytes) -> bool:
    """A search goes over each byte, which takes several times as long as to see that there is
    none."""
    ends = data.endswith(b":") or any(map(data.__contains__, _BEHIND_STANZA))
    return ends and _STANZA.search(data) is not None


def _mqe(data: bytes) -> bool:
    return b"mqe" in data


def _buses(data: bytes) -> bool:
    """An archive, XML of any width of characters, a script or its output."""
    if data.startswith((b"PK", b"\0<", b"<")) or data[:512].lstrip().startswith(b"<"):
        return True
    return any(map(data.__contains__, _BUSES))


def _brokers(data: bytes) -> bool:
    """Definitions, Erlang terms, or a setting that only brokers have."""
    if any(
        one in data for one in (b'"exchanges"', b'"queues"', b'"vhosts"', b"rabbit", b"NODENAME")
    ):
        return True
    return b"=" in data and any(map(data.__contains__, _SETTINGS_OF_BROKERS))


_HAS: Mapping[str, Callable[[bytes], bool]] = {
    "amq_interconnect": _routers,
    "ibm_mq": _queue_managers,
    "mqe": _mqe,
    "sibus": _buses,
    "rabbitmq": _brokers,
}
