"""The .conf form (amq_interconnect.md 3.1): line based, neither JSON nor free-form.

The router turns each line into JSON and parses the result; this reader follows the same lines, but
notes each line that the JSON parser would refuse and goes on, so that a refused file still shows
what it meant to say.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import islice

from topograph.findings import Source
from topograph.importers.amq_interconnect.names import excerpt
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
from topograph.importers.positions.json_text import MAX_DEPTH, is_too_deep
from topograph.importers.positions.places import Placing
from topograph.rules import FindingKind
from topograph.rules.amq_interconnect_findings import (
    CUT_BY_COMMENT,
    EXTRA_BRACE,
    INVALID_JSON,
    MAP_ON_ONE_LINE,
    MISSING_BRACE,
    NESTED_TOO_DEEPLY_3_1,
    OUTSIDE_SECTION,
    PLAIN_MAP,
    SECTION_ON_ONE_LINE,
    UNREADABLE_LINE,
    UNREADABLE_VALUE,
)

_OPEN = re.compile(r"([\w-]+)[ \t]*\{[ \t]*\Z")
_MAP = re.compile(r"(\$*[\w-]+)[ \t]*:[ \t]*\{[ \t]*\Z")
_ITEM = re.compile(r"([\w-]+)[ \t]*:[ \t]*([^ \t{].*)\Z")
_FIRST_WORD = re.compile(r"[\w-]+[ \t]*:[ \t]*(\S+)")
_ONE_LINE = re.compile(r"([\w-]+)[ \t]*\{(.*)\}\Z")
_PAIR = re.compile(r"(?<![\w-])([\w-]++)[ \t]*+:[ \t]*([^\s}]+)")
_JSON_OPEN = re.compile(r'"[^"]*"[ \t]*:[ \t]*\{[ \t]*\Z')
_SPARE_COMMA = re.compile(r",\s*([]}])")
_PLAIN_ITEM = re.compile(r"(\$*[\w-]+)[ \t]*:[ \t]*([^{}]*)\Z")
_PLAIN_SECTION = re.compile(
    r"^([ \t]*+)([a-zA-Z][\w-]*+)[ \t]*+\{[ \t]*+\n"
    r"((?:[ \t]*+[a-zA-Z][\w-]*+[ \t]*+:[ \t]*+[!$-\[\]-z|~]++[ \t]*+\n)*+)[ \t]*+\}[ \t]*+$",
    re.ASCII | re.MULTILINE,
)
"""A section of which nothing is doubtful: a name, attributes that are one word each, and a brace,
on a line each."""
_PLAIN_ATTRIBUTE = re.compile(
    r"^([ \t]*+)(([a-zA-Z][\w-]*+)[ \t]*+:[ \t]*+([!$-\[\]-z|~]++))[ \t]*+$",
    re.ASCII | re.MULTILINE,
)
_LINE_ENDS = re.compile(r"\r\n?")

_KEEP_HASH = frozenset({"pattern", "bindingKey", "hostname"})
_JSON_MAPS = frozenset({"openProperties", "groups"})


@dataclass
class _JsonBlock:
    """The lines of ``openProperties: {`` or ``groups: {`` so far; ``level`` counts the braces
    the way the router does.
    """

    name: str
    source: Source
    lines: list[str] = field(default_factory=list)
    level: int = 1


@dataclass
class _Reader:
    placing: Placing
    sections: list[ConfSection] = field(default_factory=list)
    faults: list[ConfFault] = field(default_factory=list)
    suspicious: list[ConfFault] = field(default_factory=list)
    section: ConfSection | None = None
    maps: list[tuple[str, dict[str, object], Source]] = field(default_factory=list)
    block: _JsonBlock | None = None
    cut: ConfFault | None = None
    last: int = 0
    before_last: int = 0
    """How many faults the lines before the last have."""

    def fault(self, kind: FindingKind, message: str, source: Source, line: str = "") -> None:
        self.faults.append(ConfFault(kind, message, source, excerpt(line)))

    def line(self, raw: str, number: int) -> None:
        line = raw.strip()
        if not line or line.startswith("#"):
            return
        self.last, self.before_last = number, len(self.faults)
        source = self.placing.at(number, len(raw) - len(raw.lstrip()) + 1)
        if self.block is not None:
            self.json_line(self.block, line, source)
            return
        item = _ITEM.match(line)
        if item and item[1] in _KEEP_HASH:
            word = _FIRST_WORD.match(line)
            self.item(item[1], word[1] if word else item[2], source, line)
            return
        whole_line = line
        line = line.split("#", 1)[0].strip()
        if item and whole_line[len(line) : len(line) + 1] == "#":
            message = (
                f"The value of {item[1]} ends before the #: what follows is a comment to the router"
            )
            self.suspicious.append(ConfFault(CUT_BY_COMMENT, message, source, excerpt(whole_line)))
        if opened := _OPEN.match(line):
            self.open(opened[1], source, line)
        elif opened := _MAP.match(line):
            self.open_map(opened[1], source, line)
        elif item := _ITEM.match(line):
            self.item(item[1], item[2], source, line)
        elif line == "}":
            self.close(source)
        elif whole := _ONE_LINE.match(line):
            self.one_line(whole[1], whole[2], source, line)
        else:
            self.fault(
                UNREADABLE_LINE,
                "This line is neither a section, an attribute nor a closing brace",
                source,
                line,
            )

    @property
    def idle(self) -> bool:
        """Whether nothing is open: what follows is read by itself."""
        return self.section is None and self.block is None and not self.maps

    def lines(self, text: str, number: int) -> int:
        """Read lines of which the first is that ``number``; the number of the last, which the text
        may go on behind."""
        if text.isspace():
            return number + text.count("\n")
        lines = text.split("\n")
        for one, raw in enumerate(lines, start=number):
            self.line(raw, one)
        return number + len(lines) - 1

    def plain_section(self, found: re.Match[str], number: int) -> int:
        """Read a section that ``_PLAIN_SECTION`` found on the line ``number``; the number of its
        last line."""
        indent, name, body = found.groups()
        places = self.placing.at
        section = ConfSection(type_of(name), name, places(number, len(indent) + 1))
        self.sections.append(section)
        add = section.entries.append
        for before, line, key, value in _PLAIN_ATTRIBUTE.findall(body):
            number += 1
            shown = named(key)
            held = kept_text(shown, value)
            add(ConfEntry.at(shown, held, value, places, number, len(before) + 1, line))
        self.last, self.before_last = number + 1, len(self.faults)
        return self.last

    def open(self, name: str, source: Source, line: str) -> None:
        if self.section is not None:
            self.fault(
                MISSING_BRACE,
                f"Section {self.section.written} is not closed before this one",
                source,
                line,
            )
        self.close_maps(source)
        self.section = ConfSection(type_of(name), name, source)
        self.sections.append(self.section)

    def one_line(self, name: str, body: str, source: Source, line: str) -> None:
        self.fault(
            SECTION_ON_ONE_LINE,
            "A section must open, hold each attribute and close on separate lines",
            source,
            line,
        )
        self.open(name, source, line)
        for key, value in _PAIR.findall(body):
            self.item(key, value, source, f"{key}: {value}")
        self.section = None

    def open_map(self, name: str, source: Source, line: str) -> None:
        if self.section is None:
            self.fault(OUTSIDE_SECTION, "An attribute outside a section", source, line)
        elif name in _JSON_MAPS:
            self.block = _JsonBlock(name, source)
        else:
            self.maps.append((name, {}, source))

    def item(self, name: str, value: str, source: Source, line: str) -> None:
        try:
            text = json.loads(f'"{value}"')
        except ValueError:
            text = value.strip('"')
            message = (
                f"The value of {name} holds a quotation mark, a backslash or a tab, which "
                "the router's reader refuses"
            )
            self.fault(UNREADABLE_VALUE, message, source, line)
        self.attribute(name, text, source, line)

    def attribute(self, name: str, value: object, source: Source, line: str) -> None:
        if self.section is None:
            self.fault(OUTSIDE_SECTION, "An attribute outside a section", source, line)
        elif self.maps:
            self.maps[-1][1][name] = value
        else:
            self.section.entries.append(ConfEntry.read(named(name), value, source, line))

    def json_line(self, block: _JsonBlock, line: str, source: Source) -> None:
        if _JSON_OPEN.search(line) or _MAP.match(line):
            block.level += 1
        elif line in ("}", "},"):
            block.level -= 1
        elif line.endswith("}"):
            message = (
                f"A map inside {block.name} must not close on the line on which it opens: "
                f"the router ends {block.name} here"
            )
            self.fault(MAP_ON_ONE_LINE, message, source, line)
        if block.level:
            block.lines.append(line)
            return
        self.block = None
        try:
            value = json.loads(_SPARE_COMMA.sub(r"\1", "{" + "\n".join(block.lines) + "}"))
        except (ValueError, RecursionError):
            plain = _plain_map(block.lines)
            if plain is not None:
                message = f"{block.name} holds names and values without quotes"
                self.fault(PLAIN_MAP, message, block.source, f"{block.name}: {{")
                self.attribute(block.name, plain, block.source, f"{block.name}: {{")
                return
            self.fault(
                INVALID_JSON,
                f"{block.name} holds text that is not JSON",
                block.source,
                f"{block.name}: {{",
            )
            return
        if is_too_deep(value):
            message = f"{block.name} is nested deeper than {MAX_DEPTH}: it is left out"
            self.suspicious.append(ConfFault(NESTED_TOO_DEEPLY_3_1, message, block.source))
            return
        self.attribute(block.name, value, block.source, f"{block.name}: {{")

    def close_maps(self, source: Source) -> None:
        """End the maps that are still open, as a section (or the file) ends before them."""
        if self.block is not None:
            self.fault(MISSING_BRACE, f"The map {self.block.name} is not closed", self.block.source)
            self.block = None
        while self.maps:
            self.fault(MISSING_BRACE, f"The map {self.maps[-1][0]} is not closed", source)
            self.end_map()

    def end_map(self) -> None:
        name, value, source = self.maps.pop()
        self.attribute(name, value, source, f"{name}: {{")

    def close(self, source: Source) -> None:
        if self.maps:
            self.end_map()
        elif self.section is None:
            self.fault(EXTRA_BRACE, "A closing brace without a section to close", source, "}")
        else:
            self.section = None

    def end(self, *, within_a_line: bool) -> None:
        """A text that ends within a section, or within a line that is nothing yet, may be one that
        was cut off."""
        begun = self.faults[self.before_last :] if within_a_line else []
        if begun and all(one.kind in (UNREADABLE_LINE, UNREADABLE_VALUE) for one in begun):
            self.faults = self.faults[: -len(begun)]
            self.cut = cut_off(self.placing.at(self.last, 1))
        open_section = self.section
        self.block = None
        self.maps.clear()
        if open_section is not None:
            self.cut = cut_off(self.placing.at(self.last, 1))


def _plain_map(lines: list[str]) -> dict[str, object] | None:
    """The map of lines as routers up to 1.12 read them: ``name: {``, ``name: value``, ``}``; None
    where a line is none of these. Linear in the lines."""
    open_maps: list[dict[str, object]] = [{}]
    for whole in lines:
        line = whole.split("#", 1)[0].strip()
        if not line:
            continue
        if opened := _MAP.match(line):
            inner: dict[str, object] = {}
            open_maps[-1][opened[1]] = inner
            open_maps.append(inner)
        elif line == "}" and len(open_maps) > 1:
            open_maps.pop()
        elif (item := _PLAIN_ITEM.match(line)) and '"' not in line:
            open_maps[-1][item[1]] = item[2]
        else:
            return None
    return open_maps[0] if len(open_maps) == 1 and open_maps[0] else None


_ROUTER = re.compile(r"(?m)^[ \t]*+[\w.-]*\brouter[ \t]*+\{([^\r\n]*)")
_SECTION_END = re.compile(r"(?m)^[ \t]*+\}")


def router_section(text: str) -> str:
    """The section of a .conf text that says which router it is for; all of the text where that
    takes more than a look at one plain section. Linear in the text, many times quicker than to
    read it."""
    found = list(islice(_ROUTER.finditer(text), 2))
    if len(found) != 1 or found[0][1].split("#", 1)[0].strip():
        return text
    end = _SECTION_END.search(text, found[0].end())
    if end is None or any(name in text for name in _JSON_MAPS):
        return text
    section = text[found[0].start() : end.end()]
    return section if section.count("{") == 1 else text


def read_conf(text: str, placing: Placing) -> ConfDocument:
    """Read a .conf text. Never raises; linear in the text."""
    reader = _Reader(placing)
    if "\r" in text:
        text = _LINE_ENDS.sub("\n", text)
    at, number = 0, 1
    for found in _PLAIN_SECTION.finditer(text):
        number = reader.lines(text[at : found.start()], number)
        if reader.idle:
            number = reader.plain_section(found, number)
            at = found.end()
        else:
            at = found.start()
    number = reader.lines(text[at:], number)
    ended = not text[text.rfind("\n") + 1 :].strip()
    reader.end(within_a_line=not ended and reader.last == number)
    faults, suspicious = tuple(reader.faults), tuple(reader.suspicious)
    if reader.cut is None:
        return ConfDocument(tuple(reader.sections), faults, suspicious)
    within = reader.section is not None
    sections = without_cut(reader.sections, ended) if within else tuple(reader.sections)
    return ConfDocument(sections, faults, suspicious, reader.cut)
