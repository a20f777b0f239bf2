"""The JSON form (amq_interconnect.md 3.2): a list of ``[section, {attribute: value}]``, lines that begin with ``#`` dropped.

Whether the file is accepted is what a strict JSON parser says. The sections are walked by hand, so that each keeps its place and a
file that is cut off still shows the sections before the cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from topograph.importers.amq_interconnect.places import Places, Placing
from topograph.importers.amq_interconnect.schema import camel_case, short_name
from topograph.importers.amq_interconnect.sections import Document, Entry, Fault, Section

_SPACE = re.compile(r"[ \t\r\n]*")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_DECODER = json.JSONDecoder()


def read_json(text: str, placing: Placing) -> Document:
    """Read a JSON configuration. Never raises; linear in the text."""
    text = "\n".join("" if line.lstrip().startswith("#") else line for line in text.split("\n"))
    places = Places(text, placing)
    faults = list(_syntax_faults(text, places))
    sections: list[Section] = []
    try:
        for section in _sections(text, places):
            sections.append(section)
    except _Stop as stop:
        if not faults:
            faults.append(Fault("not-a-section", stop.message, places.source(stop.position)))
        if stop.section is not None:
            sections.append(stop.section)
    return Document(tuple(sections), tuple(faults))


def _syntax_faults(text: str, places: Places) -> Iterator[Fault]:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        yield Fault(
            "invalid-json", f"The file is not valid JSON: {error.msg}", places.source(min(error.pos, len(text)))
        )
    except (ValueError, RecursionError):
        yield Fault(
            "invalid-json",
            "The file is not JSON that a router reads: nested too deeply, or a number too long",
            places.placing.at(0, 0),
        )


class _Stop(Exception):
    """The walk cannot go on; ``section`` is what was read of the section at that place."""

    def __init__(self, message: str, position: int, section: Section | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.section = section


def _skip(text: str, position: int, pattern: re.Pattern[str] = _SPACE) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


def _expect(text: str, position: int, character: str, what: str) -> int:
    position = _skip(text, position)
    if text[position : position + 1] != character:
        raise _Stop(what, position)
    return position + 1


def _decode(text: str, position: int) -> tuple[object, int]:
    position = _skip(text, position)
    try:
        return _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        raise _Stop("not JSON", position) from None


_FORM = "A configuration is a list of [section, {attribute: value}]"


def _sections(text: str, places: Places) -> Iterator[Section]:
    position = _expect(text, 0, "[", _FORM)
    while (position := _skip(text, position, _BETWEEN)) < len(text) and text[position] != "]":
        start = position
        position = _expect(text, position, "[", _FORM)
        name, position = _decode(text, position)
        if not isinstance(name, str):
            raise _Stop(_FORM, start)
        section = Section(short_name(camel_case(name)), name, places.source(start))
        try:
            position = _expect(text, position, ",", _FORM)
            position = _members(text, position, section, places)
            position = _expect(text, position, "]", _FORM)
        except _Stop as stop:
            raise _Stop(stop.message, stop.position, section) from None
        yield section


def _members(text: str, position: int, section: Section, places: Places) -> int:
    """Read ``{"name": value, ...}`` into the section; the position after it."""
    position = _expect(text, position, "{", _FORM)
    while True:
        position = _skip(text, position, _BETWEEN)
        if text[position : position + 1] == "}":
            return position + 1
        start = position
        name, position = _decode(text, position)
        if not isinstance(name, str):
            raise _Stop(_FORM, start)
        position = _expect(text, position, ":", "not JSON")
        value, position = _decode(text, position)
        if value is not None:
            shown = value if isinstance(value, (str, int, float)) else "…"
            section.entries.append(Entry.read(camel_case(name), value, places.source(start), f"{name}: {shown}"))
