"""Which files say something of buses: by their content, never by their name."""

from __future__ import annotations

from topograph.importers import lexical
from topograph.importers.positions.xml_text import Element, XmlLimits, parse
from topograph.importers.reading import Recognised, Role, Use
from topograph.importers.sibus.admin_tasks import COMMANDS
from topograph.importers.sibus.cell import NAMESPACE, NOT_ABOUT_ROUTES
from topograph.importers.sibus.cell_places import bus_of, liberty_server_of
from topograph.importers.sibus.liberty import BUS, includes
from topograph.importers.sibus.output import DOCUMENTS, PROMPT, SHOWN, bus_said
from topograph.importers.sibus.roles import (
    SIB_CELL,
    SIB_CELL_PART,
    SIB_LIBERTY,
    SIB_OUTPUT,
    SIB_SCRIPT,
    SYSTEM,
)

_CALLS = ("AdminTask.", "$AdminTask ")
_NOT_READ = Role("sib-archive", Use.OTHER, SYSTEM)
_ARCHIVE = (
    "recognised as a configuration archive of WebSphere (.car), not read; import the "
    "configuration's own files (`config/cells`)"
)

_NOT_ABOUT_ROUTES = Role("sib-other", Use.OTHER, SYSTEM)
_NO_ROUTES = (
    "recognised as a document of a WebSphere cell that says nothing of where messages go, not read"
)

_XML_LIMITS = XmlLimits(elements=50_000)
"""What a document is, its first elements say."""


def recognise(path: str, data: bytes) -> Recognised | None:
    """What a file is to buses, None if nothing. Never raises; linear."""
    if data.startswith(b"PK\x03\x04"):
        return Recognised(path, _NOT_READ, note=_ARCHIVE) if path.lower().endswith(".car") else None
    if _looks_like_xml(data):
        return _xml(path, data)
    if (
        b"AdminTask" not in data
        and not any(mark.encode() in data for mark in DOCUMENTS)
        and b"dentifier" not in data
    ):
        return None
    decoded = lexical.decode(data)
    if decoded is None:
        return None
    text = decoded.text
    if any(mark in text for mark in DOCUMENTS) or _is_session(text) or _is_shown(text):
        return Recognised(path, SIB_OUTPUT, bus_said(text))
    if is_script(text):
        return Recognised(path, SIB_SCRIPT)
    return None


def is_script(text: str) -> bool:
    """Whether a text calls a command that changes a bus: in the language of a script, not within
    a sentence.
    """
    for call in _CALLS:
        at = text.find(call)
        while at >= 0:
            begin = at + len(call)
            end = begin
            while end < len(text) and end - begin < 60 and text[end].isalnum():
                end += 1
            called = call.startswith("$") or text[end : end + 10].lstrip(" \t").startswith("(")
            if called and text[begin:end] in COMMANDS:
                return True
            at = text.find(call, end)
    return False


def _is_session(text: str) -> bool:
    """A session of wsadmin in which destinations are listed or shown."""
    return (
        PROMPT in text and ("SIBDestination" in text or "SIBQueue" in text) and not is_script(text)
    )


def _is_shown(text: str) -> bool:
    """Lines of attributes without the command that shows them."""
    head = text[:65_536].lstrip("\ufeff \t\r\n'")
    return (
        head.startswith(("[", "{"))
        and sum(1 for name in SHOWN if name in head) >= 3
        and '"' not in head[:20]
    )


def _looks_like_xml(data: bytes) -> bool:
    head = data[:512].removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"<") or data.startswith(
        (b"\xff\xfe<\0", b"\xfe\xff\0<", b"<\0", b"\0<")
    )


def _xml(path: str, data: bytes) -> Recognised | None:
    wide = b"\0" in data[:100]
    if not wide and NAMESPACE.encode() not in data and b"messagingEngine" not in data:
        return None
    found = parse(data, _XML_LIMITS, levels=2)
    root = found.root
    if root is None:
        return None
    cut = found.fault is not None and found.fault.limit == "elements"
    if root.name == "server" and (cut or any(root.named("messagingEngine"))):
        server = liberty_server_of(path) or BUS
        return Recognised(path, SIB_LIBERTY, server, includes(path, root))
    elements = root.children if root.name == "XMI" else [root]
    if not any(NAMESPACE in each.namespace for each in elements):
        return None
    if all(each.name in NOT_ABOUT_ROUTES for each in elements):
        return Recognised(path, _NOT_ABOUT_ROUTES, note=_NO_ROUTES)
    server = _bus(path, elements)
    return Recognised(path, SIB_CELL if server else SIB_CELL_PART, server)


def _bus(path: str, elements: list[Element]) -> str:
    """The bus that a document says it is of, else the one whose folder it is in."""
    for element in elements:
        if element.name == "SIBus" and element.attributes.get("name"):
            return element.attributes["name"]
        if element.name == "SIBMessagingEngine" and element.attributes.get("busName"):
            return element.attributes["busName"]
    return bus_of(path)
