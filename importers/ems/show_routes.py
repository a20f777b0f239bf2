"""The text of the administration tool's ``show routes``: what a running server reported (ems.md 3.7)."""

from __future__ import annotations

import re

from topograph.facts.ems import EmsObservedRoute
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.lexical import Line

HEADER = re.compile(
    r"^[ \t]*Route[ \t]+T[ \t]+ConnID[ \t]+URL[ \t]+ZoneName[ \t]+ZoneType[ \t\r]*$", re.IGNORECASE | re.MULTILINE
)
"""The line of column titles, anywhere in a text."""

_PROMPT = re.compile(r"^[ \t]*+([^\s>]++)>[ \t]*+(?:show[ \t]++routes?\b.*+)?[ \t\r]*+$", re.IGNORECASE | re.MULTILINE)
_ZONE_TYPES = {"m": "mhop", "mhop": "mhop", "1": "1hop", "1hop": "1hop"}
_WORD = re.compile(r"[^ \t\f\v\u00a0]+")


def prompt(text: str) -> str:
    """The server that the tool's prompt (``NAME>``) names; empty where there is none or it shows a URL."""
    match = _PROMPT.search(text)
    return match[1] if match and "://" not in match[1] else ""


def read_show_routes(reading: FileReading, text: str) -> None:
    """The rows under each header of the text, up to a blank line or the next prompt. What stands around them (prompts,
    greetings) is counted as ignored; a row that is not understood is a finding. Linear."""
    inside = False
    for line in lexical.lines(text):
        if lexical.is_blank(line.text) or _PROMPT.match(line.text):
            inside = False
        elif HEADER.match(line.text):
            inside = True
        elif inside and not set(line.text) <= {"-", " ", "\t"}:
            _row(reading, line)
        else:
            reading.ignored += 1


def _row(reading: FileReading, line: Line) -> None:
    words = list(_WORD.finditer(line.text))
    fields = [word.group() for word in words]
    shaped = len(fields) >= 5 and fields[1].upper() in ("A", "P") and fields[-1].lower() in _ZONE_TYPES
    if not shaped or not (fields[2] == "-" or fields[2].isdigit()):
        reading.unknown(line, words[0].start() + 1, "a row that does not fit the columns of show routes")
        return
    url = "".join(fields[3:-2])
    reading.keep(
        EmsObservedRoute(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, words[0].start() + 1),
            name=fields[0],
            active=fields[1].upper() == "A",
            connected=fields[2] != "-",
            url=keys.kept("url", url),
            zone_name=fields[-2],
            zone_type=_ZONE_TYPES[fields[-1].lower()],
        )
    )
