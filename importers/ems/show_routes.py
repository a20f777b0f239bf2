"""The text of the administration tool's ``show routes``: what a running server reported (ems.md 3.7)."""

from __future__ import annotations

import re

from topograph.facts.ems import EmsObservedRoute
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.lexical import Line

HEADER = re.compile(
    r"^[ \t]*Route[ \t]+T[ \t]+ConnID[ \t]+URL[ \t]+ZoneName[ \t]+ZoneType[ \t\r]*$", re.IGNORECASE | re.MULTILINE
)
"""The line of column titles, anywhere in a text."""

_ZONE_TYPES = {"m": "mhop", "mhop": "mhop", "1": "1hop", "1hop": "1hop"}
_WORD = re.compile(r"[^ \t\f\v\u00a0]+")


def read_row(reading: FileReading, line: Line) -> bool:
    """Keep the route of a row; whether the row fits the columns. Linear."""
    words = list(_WORD.finditer(line.text))
    fields = [word.group() for word in words]
    shaped = len(fields) >= 5 and fields[1].upper() in ("A", "P") and fields[-1].lower() in _ZONE_TYPES
    if not shaped or not (fields[2] == "-" or fields[2].isdigit()):
        return False
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
    return True
