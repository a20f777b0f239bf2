"""Which files are router configurations, dumps or tool output: by content, never by name."""

from __future__ import annotations

import re
from functools import lru_cache

from topograph.importers.amq_interconnect import about
from topograph.importers.amq_interconnect.roles import (
    AMQ_CONF,
    AMQ_DUMP,
    AMQ_JSON,
    AMQ_MANIFEST,
    AMQ_QDSTAT,
    AMQ_SITE_ROUTER,
    AMQ_SKUPPER,
)
from topograph.importers.amq_interconnect.schema import TYPES, camel_case, short_name
from topograph.importers.reading import Recognised, Role

_HEAD = 65_536
"""Recognition looks at the first 64 KB only."""

_SECTION = re.compile(r"^[ \t]*([\w-]+)[ \t]*\{", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_JSON_START = re.compile(r'\[\s*(?:\[\s*"([\w.-]+)"\s*,\s*\{|\])')
_JSON_NAMES = re.compile(r'\[\s*"([\w.-]+)"\s*,\s*\{')
_DUMP_TYPE = re.compile(r'"type"\s*:\s*"(?:org\.apache\.qpid\.dispatch|io\.skupper\.router)\.')
_COMMAND = r"^[^\n]{0,120}?[$#>] ?(?:[^\n]{0,200}?[\s/])?(?:qd|sk)"
_ENTITIES = re.compile(r"\[\s*+\{")
_ENTITY = re.compile(r"\{[^{}]*" + _DUMP_TYPE.pattern)
_QDMANAGE = re.compile(_COMMAND + r"manage\b", re.MULTILINE)
_QDSTAT = re.compile(
    _COMMAND + r"stat(?=[ \t]*\r?$|[ \t]+-)"
    r"|^(?:Router Statistics|Routers in the Network|Router Addresses|Router Links"
    r"|Router is Standalone - No Router List|No (?:AutoLinks|Link Routes) found"
    r"|Policy Configuration)\r?$"
    r"|^(?:AutoLinks|Link Routes|Connections)\r?\n[ \t]*\"?(?:addr|address|prefix|id|Id)\"?"
    r"(?:,|[ \t]{2,})\"?(?:dir|host)\b",
    re.MULTILINE,
)
_RESOURCE = re.compile(
    r"""^[ \t"{,-]*["']?kind["']?:[ \t]*["']?(?:ConfigMap|Interconnect|List|Template|\w+List|Deployment|StatefulSet|DaemonSet)\b""",  # noqa: E501
    re.M,
)
_ROUTER_IN_RESOURCE = re.compile(
    r"""["']?(?:qdrouterd|skrouterd)\.(?:conf|json)["']?[ \t]*:|\bQDROUTERD_CONF\b|interconnectedcloud[\w.]{0,100}/v1"""  # noqa: E501
)
_OF_SKUPPER = re.compile(
    r"""["']?apiVersion["']?:[ \t]*["']?skupper\.io/v2\w+"""
    r"""|["']?name["']?:[ \t]*["']?skupper-(?:site|services|network-status)["']?"""
    r"""[ \t]*(?:[,}\r\n]|$)"""
    r"""|["']?skupper\.io/type["']?:[ \t]*["']?(?:connection-token|token-claim)["']?"""
    r"""[ \t]*(?:[,}\r\n]|$)"""
    r"""|["']?skupper\.io/proxy["']?:""",
    re.MULTILINE,
)
_MAP_OF_SKUPPER = re.compile(
    r"""["']?name["']?:[ \t]*["']?skupper-(?:internal|router(?:-2)?)["']?[ \t]*(?:[,}\r\n]|$)""",
    re.MULTILINE,
)
_DEFINITION = re.compile(r"""["']?kind["']?:[ \t]*["']?CustomResourceDefinition""")
_STATUS = re.compile(r'"siteStatus"\s*:\s*\[')
_READ_IN_FULL = 8 * 2**20
"""A manifest may name its routers late: so many characters of it are searched."""

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
"""Section names of which one must stand in the file: ``log`` or ``policy`` alone could be
anybody's.
"""


@lru_cache(maxsize=1)
def recognised_text(path: str, text: str) -> Recognised | None:
    """What the text is, without the router id; None if it is nothing of this system. What is
    written about routers, and templates, are none: their note says so. Linear in the first 64 KB,
    of manifests in the first 8 MB; the last one is kept, since who reads a file asks again.
    """
    found = _form_of(path, text)
    if found is None:
        return None
    if about.is_document(path):
        return Recognised(path, Role.OTHER, note=f"recognised as {about.DOCUMENT}")
    head = text[:_HEAD]
    if found.role in (AMQ_MANIFEST, AMQ_SKUPPER, AMQ_SITE_ROUTER) and about.is_chart(path, head):
        return Recognised(path, Role.OTHER, note=f"recognised as {about.TEMPLATE}")
    if found.role not in (AMQ_CONF, AMQ_JSON):
        return found
    if found.role == AMQ_CONF and (about.has_fences(head) or about.is_prose(head)):
        return Recognised(path, Role.OTHER, note=f"recognised as {about.DOCUMENT}")
    if about.is_template(path, head):
        return Recognised(path, Role.OTHER, note=f"recognised as {about.TEMPLATE}")
    return found


def _form_of(path: str, text: str) -> Recognised | None:
    head = text[:_HEAD].removeprefix("\ufeff")
    body = _COMMENT.sub("", head).lstrip()
    if body.startswith("[") and (found := _json_role(path, body)):
        return found
    if body.startswith("{") and _ENTITY.match(body):
        return Recognised(path, AMQ_DUMP)
    if _DUMP_TYPE.search(head) and _QDMANAGE.search(head):
        return Recognised(path, AMQ_DUMP)
    whole = text[:_READ_IN_FULL]
    if has_resources(whole) or ("siteStatus" in whole and is_network_status(whole)):
        return Recognised(path, AMQ_SKUPPER)
    if "kind" in whole and _RESOURCE.search(whole) and _ROUTER_IN_RESOURCE.search(whole):
        return Recognised(path, AMQ_SITE_ROUTER if has_router_map(whole) else AMQ_MANIFEST)
    sections = _SECTION.findall(body) if "{" in body else ()
    names = {short_name(camel_case(name)) for name in sections}
    if names & _TELLING and not body.startswith(("{", "[")):
        return Recognised(path, AMQ_CONF)
    return Recognised(path, AMQ_QDSTAT) if _QDSTAT.search(head) else None


def has_resources(text: str) -> bool:
    """Whether a text seems to hold resources of Skupper. Linear."""
    return (
        "skupper" in text
        and _OF_SKUPPER.search(text) is not None
        and ("kind:" in text or '"kind"' in text)
        and _DEFINITION.search(text) is None
    )


def has_router_map(text: str) -> bool:
    """Whether a text seems to hold the configuration of a site's router. Linear."""
    return "skupper-" in text and _MAP_OF_SKUPPER.search(text) is not None


def is_network_status(text: str) -> bool:
    """Whether a text is the JSON of a network's status, without its ConfigMap."""
    return text.lstrip()[:1] == "{" and '"kind"' not in text and _STATUS.search(text) is not None


def configuration_form(text: str) -> str:
    """``conf`` or ``json`` if the text is a router configuration, else empty. Linear in the
    first 64 KB.
    """
    found = recognised_text("", text)
    if found is None:
        return ""
    return {AMQ_CONF: "conf", AMQ_JSON: "json"}.get(found.role, "")


def _json_role(path: str, body: str) -> Recognised | None:
    if _JSON_START.match(body):
        names = {short_name(camel_case(name)) for name in _JSON_NAMES.findall(body)}
        return Recognised(path, AMQ_JSON) if names & _TELLING & TYPES.keys() else None
    if _ENTITIES.match(body) and _DUMP_TYPE.search(body):
        return Recognised(path, AMQ_DUMP)
    return None
