"""Which files are router configurations, dumps or tool output: by content, never by name."""

from __future__ import annotations

import re

from topograph.importers.amq_interconnect.schema import TYPES, camel_case, short_name
from topograph.importers.reading import Recognised, Role

_HEAD = 65_536
"""Recognition looks at the first 64 KB only."""

_SECTION = re.compile(r"^[ \t]*([\w-]+)[ \t]*\{", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_JSON_START = re.compile(r'\[\s*(?:\[\s*"([\w.-]+)"\s*,\s*\{|\])')
_JSON_NAMES = re.compile(r'\[\s*"([\w.-]+)"\s*,\s*\{')
_DUMP_TYPE = re.compile(r'"type"\s*:\s*"(?:org\.apache\.qpid\.dispatch|io\.skupper\.router)\.')
_QDSTAT = re.compile(
    r"^(?:\$ (?:qdstat|skstat)\b|Router Statistics$|Routers in the Network$|Router Addresses$|Router Links$"
    r"|Router is Standalone - No Router List$)",
    re.MULTILINE,
)
_CONFIG_MAP = re.compile(r"^kind:[ \t]*(ConfigMap|Interconnect)\b", re.MULTILINE)
_IN_CONFIG_MAP = re.compile(r"^[ \t]+(?:qdrouterd|skrouterd)\.(?:conf|json):", re.MULTILINE)

_TELLING = frozenset(
    {
        "router",
        "listener",
        "connector",
        "linkRoute",
        "autoLink",
        "sslProfile",
        "fixedAddress",
        "linkRoutePattern",
        "tcpListener",
    }
)
"""Section names of which one must stand in the file: ``log`` or ``policy`` alone could be anybody's."""


def recognised_text(path: str, text: str) -> Recognised | None:
    """What the text is, without the router id; None if it is nothing of this system. Linear in the first 64 KB."""
    head = text[:_HEAD].removeprefix("\ufeff")
    body = _COMMENT.sub("", head).lstrip()
    if body.startswith("["):
        return _json_role(path, body)
    if _QDSTAT.search(head):
        return Recognised(path, Role.AMQ_QDSTAT, note="recognised as output of qdstat, not read")
    if (kind := _CONFIG_MAP.search(head)) and (kind[1] == "Interconnect" or _IN_CONFIG_MAP.search(head)):
        note = f"recognised as a Kubernetes {kind[1]} that holds a router configuration, not read: import the configuration itself"
        return Recognised(path, Role.OTHER, note=note)
    names = {short_name(camel_case(name)) for name in _SECTION.findall(body)}
    if names & _TELLING and not body.startswith("{"):
        return Recognised(path, Role.AMQ_CONF)
    return None


def _json_role(path: str, body: str) -> Recognised | None:
    if _JSON_START.match(body):
        names = {short_name(camel_case(name)) for name in _JSON_NAMES.findall(body)}
        return Recognised(path, Role.AMQ_JSON) if names & _TELLING & TYPES.keys() else None
    if re.match(r"\[\s*\{", body) and _DUMP_TYPE.search(body):
        return Recognised(path, Role.AMQ_DUMP, note="recognised as output of qdmanage query, not read")
    return None
