"""The JSON form (amq_interconnect.md 3.2): a list of ``[section, {attribute: value}]``, lines that
begin with ``#`` dropped.

Whether the file is accepted is what a strict JSON parser says. The sections are walked by hand, so
that each keeps its place and a file that is cut off still shows the sections before the cut.
"""

from __future__ import annotations

import json
import re
from itertools import islice

from topograph.importers.amq_interconnect.names import kept
from topograph.importers.amq_interconnect.schema import sound
from topograph.importers.amq_interconnect.sections import (
    ConfDocument,
    ConfEntry,
    ConfFault,
    ConfSection,
    cut_off,
    kept_text,
    named,
    type_of,
    without_cut,
)
from topograph.importers.positions.json_text import (
    NOT_JSON,
    Cursor,
    NotJson,
    TooDeep,
    ends_in_its_middle,
    refusal,
)
from topograph.importers.positions.places import Places, Placing
from topograph.rules.amq_interconnect_findings import (
    INVALID_JSON,
    NESTED_TOO_DEEPLY_3_1,
    NOT_A_SECTION,
)

_FORM = "A configuration is a list of [section, {attribute: value}]"
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_BLANK = r"[ \t\r\n]*+"
_NAME = r'"([a-zA-Z][\w-]*+)"'
_TEXT = r'"[^"\\\x00-\x1f]*+"'
_PLAIN_MEMBER = re.compile(
    rf"{_NAME}{_BLANK}:{_BLANK}(?:({_TEXT})|(true|false|-?[0-9]{{1,15}}+(?![0-9.eE])))", re.ASCII
)
_PLAIN_SECTION = re.compile(
    rf"\[{_BLANK}{_NAME}{_BLANK},{_BLANK}\{{{_BLANK}"
    rf"((?:{_NAME}{_BLANK}:{_BLANK}(?:{_TEXT}|true|false|-?[0-9]{{1,15}}+(?![0-9.eE])){_BLANK}"
    rf"(?:,{_BLANK}(?=\")|(?=\}})))*+)\}}{_BLANK}\]",
    re.ASCII,
)
"""A section of which nothing is doubtful: its values are texts without escapes, truths and whole
numbers."""


def read_json(text: str, placing: Placing) -> ConfDocument:
    """Read a JSON configuration. Never raises; linear in the text."""
    text = _without_comments(text)
    places = Places(text, placing)
    refused = refusal(text)
    cut = refused is not None and ends_in_its_middle(text, refused)
    faults = [] if refused is None or cut else [_invalid(refused, places)]
    sections: list[ConfSection] = []
    suspicious: list[ConfFault] = []
    try:
        _read_sections(Cursor(text), places, sections, suspicious)
    except NotJson as stop:
        cut = cut and (stop.message == NOT_JSON or stop.offset >= len(text.rstrip()))
        if not faults and not cut:
            faults.append(ConfFault(NOT_A_SECTION, stop.message, places.source(stop.offset)))
    if not cut:
        return ConfDocument(tuple(sections), tuple(faults), tuple(suspicious))
    end = cut_off(places.source(len(text.rstrip())))
    ended = text.rstrip()[-1:] in ('"', ",", "]", "}")
    return ConfDocument(without_cut(sections, ended), tuple(faults), tuple(suspicious), end)


def router_section(text: str) -> str:
    """The first section of a JSON text that says which router it is for, as such a text; all of
    the text where that is not certain. Linear in the text, many times quicker than to read it."""
    try:
        sections = json.loads(_without_comments(text))
    except (ValueError, RecursionError):
        return text
    if not isinstance(sections, list) or not all(map(_is_section, sections)):
        return text
    own = (section for section in sections if type_of(sound(section[0])) == "router")
    return json.dumps(list(islice(own, 1)))


def _is_section(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], dict)
    )


def _without_comments(text: str) -> str:
    if "#" not in text:
        return text
    return "\n".join("" if line.lstrip().startswith("#") else line for line in text.split("\n"))


def _invalid(refused: NotJson, places: Places) -> ConfFault:
    if refused.offset < 0:
        message = f"The file is not JSON that a router reads: {refused.message}"
        return ConfFault(INVALID_JSON, message, places.placing.at(0, 0))
    return ConfFault(
        INVALID_JSON,
        f"The file is not valid JSON: {refused.message}",
        places.source(refused.offset),
    )


def _read_sections(
    at: Cursor, places: Places, sections: list[ConfSection], suspicious: list[ConfFault]
) -> None:
    """Add the sections as they come, so that those before a fault are kept, with what was read
    of the last. Raises NotJson.
    """
    _expect(at, "[", _FORM)
    while (start := at.skip(_BETWEEN)) < len(at.text) and at.next != "]":
        if plain := _PLAIN_SECTION.match(at.text, start):
            sections.append(_plain_section(plain, places))
            at.at = plain.end()
            continue
        _expect(at, "[", _FORM)
        name = _name(at, start)
        section = ConfSection(type_of(name), name, places.source(start))
        sections.append(section)
        _expect(at, ",", _FORM)
        _read_members(at, section, places, suspicious)
        _expect(at, "]", _FORM)


def _plain_section(found: re.Match[str], places: Places) -> ConfSection:
    """A section that ``_PLAIN_SECTION`` found."""
    written = found[1]
    section = ConfSection(type_of(written), written, places.source(found.start()))
    add = section.entries.append
    for member in _PLAIN_MEMBER.finditer(found.string, found.start(2), found.end(2)):
        key, text, word = member.groups()
        name, start = named(key), member.start()
        value: object = text[1:-1] if text is not None else json.loads(word)
        held = kept_text(name, text[1:-1]) if text is not None else kept(name, value)
        add(ConfEntry.at(name, held, value, places.at_offset, start, 0, f"{key}: {value}"))
    return section


def _read_members(
    at: Cursor, section: ConfSection, places: Places, suspicious: list[ConfFault]
) -> None:
    """Read ``{"name": value, ...}`` into the section."""
    _expect(at, "{", _FORM)
    while True:
        start = at.skip(_BETWEEN)
        if at.take("}"):
            return
        name = _name(at, start)
        _expect(at, ":", "not JSON")
        at.skip()
        try:
            value = at.decode()
        except TooDeep as fault:
            message = f"{name} is {fault.message}: it is left out"
            suspicious.append(
                ConfFault(NESTED_TOO_DEEPLY_3_1, message, places.source(fault.offset))
            )
            continue
        if value is not None:
            shown = value if isinstance(value, (str, int, float)) else "…"
            line = sound(f"{name}: {shown}")
            section.entries.append(ConfEntry.read(named(name), value, places.source(start), line))


def _name(at: Cursor, start: int) -> str:
    """The name of a section or attribute; ``start`` is where the fault is if it is none."""
    at.skip()
    name = at.decode()
    if not isinstance(name, str):
        raise NotJson(_FORM, start)
    return sound(name)


def _expect(at: Cursor, character: str, what: str) -> None:
    at.skip()
    if not at.take(character):
        raise NotJson(what, at.at)
