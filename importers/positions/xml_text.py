"""XML as elements that know their places. Entities are never expanded and nothing outside the text
is fetched; hostile files end in a fault.

What stands before a fault is kept: of a file that is cut off, all elements that began before the
cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from topograph.records import record

_LONGEST_TEXT = 64_000
"""Characters of the text of an element, about; what is more is left out."""
_BOM = b"\xef\xbb\xbf"
_PLAIN_NAME = re.compile(r'[ \t]([^ \t\r\n="\'/]++)="[^"\r\n]*+"')
_PLAIN_TAG = re.compile(r'[^ \t\r\n="\'/]++(?:[ \t]++[^ \t\r\n="\'/]++="[^"\r\n]*+")*+[ \t]*+/?')
"""A start tag on one line, as programs write it."""
_TAG = re.compile(rb"([^\"'>]*+(?:\"[^\"]*+\"[^\"'>]*+|'[^']*+'[^\"'>]*+)*+)>")
"""A start tag behind its ``<``: ``>`` may stand in values."""


@record
class XmlLimits:
    """How much of a text is read: bytes, levels of nesting, elements."""

    size: int = 64 * 2**20
    depth: int = 64
    elements: int = 1_000_000


_LIMITS = XmlLimits()


@record
class XmlFault:
    """What ended the reading. ``limit`` names the field of ``XmlLimits`` that the text is beyond,
    or is ``entities`` where it defines or uses some; else the text is not XML, and ``reason``
    says why not. ``line`` and ``column`` are 0 where there is no place."""

    limit: str = ""
    reason: str = ""
    line: int = 0
    column: int = 0


@dataclass(slots=True, eq=False)
class Element:
    """An element: its local name, namespace and attributes (by local name; an attribute with a
    namespace of its own as ``{namespace}name``), and where its start tag begins. ``text`` is the
    character data directly inside, ``complete`` is False for an element whose end was not
    reached."""

    name: str
    namespace: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    complete: bool = False
    _tag: bytes = b""
    _places: dict[str, tuple[int, int]] | None = None

    def place(self, attribute: str = "") -> tuple[int, int]:
        """Line and column, both from 1, of an attribute's name; of the element for none, for one
        that it does not have, and in texts that are not UTF-8. The first call is linear in the
        start tag."""
        if self._places is None:
            names = _names(self._tag, self.line, self.column) if self._tag else []
            same = len(names) == len(self.attributes)
            self._places = dict(zip(self.attributes, names, strict=True)) if same else {}
        return self._places.get(attribute, (self.line, self.column))

    def named(self, name: str) -> Iterator[Element]:
        """The children of a local name, in order."""
        return (child for child in self.children if child.name == name)


@dataclass(slots=True)
class XmlDocument:
    """A parsed text: its root, None if not even one element began, and what ended the reading,
    None if nothing did.
    """

    root: Element | None = None
    fault: XmlFault | None = None


def parse(data: bytes, limits: XmlLimits = _LIMITS, levels: int = 0) -> XmlDocument:
    """The elements of a text, or those of the uppermost ``levels`` only. Never raises; linear."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    data = data.removeprefix(_BOM)
    builder = _Builder(data, limits, levels or limits.depth)
    if len(data) > limits.size:
        return XmlDocument(None, XmlFault("size"))
    parser: Any = DefusedXMLParser(
        target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True
    )
    builder.parser = parser.parser
    fault: XmlFault | None = None
    try:
        parser.feed(data)
        parser.close()
    except _Beyond as beyond:
        fault = XmlFault(beyond.limit, "", *builder.place())
    except DefusedXmlException:
        fault = XmlFault("entities", "", *builder.place())
    except ParseError as error:
        line, column = error.position
        reason = str(error).rpartition(":")[0] or "not well-formed"
        fault = XmlFault(
            "entities" if "undefined entity" in reason else "", reason[:200], line, column + 1
        )
    except (ValueError, LookupError, UnicodeError) as error:
        fault = XmlFault("", f"its encoding cannot be read ({type(error).__name__})")
    builder.stop()
    return XmlDocument(builder.root, fault)


class _Beyond(Exception):
    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class _Builder:
    """Takes the events of the parser."""

    parser: Any

    def __init__(self, data: bytes, limits: XmlLimits, levels: int) -> None:
        self.root: Element | None = None
        self._data = data
        self._utf8 = _is_utf8(data)
        self._limits = limits
        self._levels = levels
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        """The pieces of the texts of the elements that are open, as far as those are kept."""
        self._lengths: list[int] = []
        self._skipped = 0
        """Open elements below the levels that are kept."""
        self._count = 0

    def place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) + self._skipped >= self._limits.depth:
            raise _Beyond("depth")
        if self._count > self._limits.elements:
            raise _Beyond("elements")
        if self._skipped or len(self._open) >= self._levels:
            self._skipped += 1
            return
        namespace, name = _split(tag)
        element = Element(name, namespace, attributes, *self.place())
        if self._utf8 and attributes:
            element._tag = _start_tag(self._data, self.parser.CurrentByteIndex)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = self.root or element
        self._open.append(element)
        self._texts.append([])
        self._lengths.append(0)

    def end(self, tag: str) -> None:
        del tag
        if self._skipped:
            self._skipped -= 1
            return
        self._close().complete = True

    def _close(self) -> Element:
        """The innermost element, which has its text now."""
        element = self._open.pop()
        element.text = "".join(self._texts.pop())
        self._lengths.pop()
        return element

    def data(self, text: str) -> None:
        if self._open and not self._skipped and self._lengths[-1] < _LONGEST_TEXT:
            self._texts[-1].append(text)
            self._lengths[-1] += len(text)

    def stop(self) -> None:
        """Give the elements that are still open the texts that they have so far."""
        while self._open:
            self._close()

    def close(self) -> None:
        return None


def _split(tag: str) -> tuple[str, str]:
    if tag.startswith("{"):
        namespace, _, name = tag[1:].rpartition("}")
        return namespace, name
    return "", tag


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes count as they stand: UTF-8, stated or not."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
        return False
    head = data[:200]
    if not head.startswith(b"<?xml"):
        return True
    declaration = head.partition(b"?>")[0].lower()
    _, stated, rest = declaration.partition(b"encoding")
    return not stated or rest.strip(b" \t\r\n=\"'").startswith((b"utf-8", b"us-ascii"))


def _start_tag(data: bytes, begin: int) -> bytes:
    """The start tag that begins at an offset, without its ``<``; empty if it does not end."""
    found = _TAG.match(data, begin + 1)
    return found[1] if found else b""


def _names(tag: bytes, line: int, column: int) -> list[tuple[int, int]]:
    """The places of the names of the attributes in a start tag whose ``<`` is at a line and
    column, without namespace declarations.
    """
    text = tag.decode("utf-8", "replace")
    if _PLAIN_TAG.fullmatch(text):
        return [
            (line, column + 1 + match.start(1))
            for match in _PLAIN_NAME.finditer(text)
            if match[1] != "xmlns" and not match[1].startswith("xmlns:")
        ]
    found: list[tuple[int, int]] = []
    at, start, line_at = 0, -column, line
    blank = " \t\r\n"

    def skip_to(end: int) -> None:
        nonlocal at, start, line_at
        part = text[at:end]
        ends = part.replace("\r\n", "\n").replace("\r", "\n").count("\n")
        if ends:
            line_at += ends
            start = at + max(part.rfind("\n"), part.rfind("\r")) + 1
        at = end

    while at < len(text) and text[at] not in blank:
        at += 1
    while True:
        end = at
        while end < len(text) and text[end] in blank:
            end += 1
        skip_to(end)
        equals = text.find("=", at)
        if equals < 0:
            return found
        name = text[at:equals].strip(blank)
        if name != "xmlns" and not name.startswith("xmlns:"):
            found.append((line_at, at - start + 1))
        quote = equals + 1
        while quote < len(text) and text[quote] in blank:
            quote += 1
        close = text.find(text[quote : quote + 1], quote + 1) if quote < len(text) else -1
        if close < 0:
            return found
        skip_to(close + 1)
