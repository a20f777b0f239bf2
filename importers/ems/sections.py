"""Files made of sections: a heading ``[name]`` and the lines that follow it (routes, bridges,
factories, stores, ...).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from topograph.importers import lexical
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.properties import hazard
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    CUT_OFF,
    EMPTY_NAME,
    SECTION_3_2,
    TRAILING_COMMENT,
    UNCLOSED_HEADING,
)

_SPACE = lexical.BLANK + "\u00a0"
_PLAIN = re.compile(r"[ \t]*+\[([^\s\[\]]++)\][ \t]*+")
"""A heading with a name of one word and nothing around it: nearly all of large files."""


@dataclass(slots=True)
class EmsSection:
    """A section: ``name`` as in its heading (blanks around it dropped), at ``column`` of
    ``line``. ``usable`` is False if the heading has an error; ``last`` is set for the last
    section of a file."""

    name: str
    line: Line
    column: int
    lines: list[Line] = field(default_factory=list)
    usable: bool = True
    last: bool = False


def sections(reading: EmsFileReading, text: str) -> Iterator[EmsSection]:
    """The sections of a file in order; lines before the first heading are findings."""
    current: EmsSection | None = None
    skipping = False
    for line in reading.entries(text):
        if not line.text.lstrip(_SPACE).startswith("["):
            if current is not None:
                current.lines.append(line)
            elif not skipping:
                reading.unknown(line, 1, "a line before the first [section]")
            continue
        if current is not None:
            yield current
        current = _heading(reading, line)
        skipping = current is None
    if current is not None:
        current.last = True
        yield current


def _heading(reading: EmsFileReading, line: Line) -> EmsSection | None:
    """The section that a heading opens; one that is not closed is an error, and the section is
    not usable. None where nothing follows it, or no name stands in it: its lines then belong to
    no section and are not reported one by one."""
    text = line.text
    begin = text.index("[")
    if text.isascii() and (plain := _PLAIN.fullmatch(text)):
        return EmsSection(plain[1], line, begin + 1)
    end = text.find("]", begin)
    if end < 0:
        reading.lost()
        kind = CUT_OFF if line.last else UNCLOSED_HEADING
        reading.error(
            kind, "the heading of a section is not closed by ]", line, begin + 1, SECTION_3_2
        )
        name = hazard(text[begin + 1 :].strip(_SPACE), begin + 1)[0]
        return EmsSection(name, line, begin + 1, usable=False) if name and not line.last else None
    inner = text[begin + 1 : end]
    name_at = begin + 1 + len(inner) - len(inner.lstrip(_SPACE))
    name, problems = hazard(inner.strip(_SPACE), name_at)
    problems = (*hazard(text[:begin], 0)[1], *problems)
    rest = text[end + 1 :].strip(_SPACE)
    rest_at = len(text) - len(text[end + 1 :].lstrip(_SPACE)) + 1
    if rest.startswith("#"):
        message = "a comment after an entry is not known to be accepted by the server"
        problems = (
            *problems,
            Problem(TRAILING_COMMENT, message, rest_at, repaired=True, quiet=True),
        )
    elif rest:
        reading.unknown(line, rest_at, "text after the heading of a section")
    usable = reading.accepts(line, problems)
    if not name:
        reading.error(EMPTY_NAME, "a section has no name", line, begin + 1, SECTION_3_2)
        usable = False
    return EmsSection(name, line, begin + 1, usable=usable)
