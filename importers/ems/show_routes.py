"""The text of the administration tool's ``show routes``: what a running server reported (ems.md
3.7).

Beside the columns that the manual names, a table may have one that says whether the route is
suspended (R53): a flag under ``Suspended``, ``Susp`` or ``S``, or a word under ``State`` or
``Status``.
"""

from __future__ import annotations

import re

from topograph.digits import is_digits
from topograph.facts.ems import EmsObservedRoute
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.lexical import Line
from topograph.records import record

_FLAG = frozenset({"suspended", "susp", "s"})
_STATE = frozenset({"state", "status"})
_SUSPENDED = frozenset({"suspended", "susp"})
_FLAGS = {
    **dict.fromkeys(("y", "yes", "true", "s", "+", "*", *_SUSPENDED), True),
    **dict.fromkeys(("n", "no", "false", "-"), False),
}

_FIRST = ("route", "t", "connid", "url")
_ZONES = (("zonename", "zonetype"), ("zone", "t"))
"""The titles over a zone's name and type: as servers print them, and as the manual does
(GUID-6F0131C5).
"""

_ZONE_TYPES = {"m": "mhop", "mhop": "mhop", "1": "1hop", "1hop": "1hop"}
_WORD = re.compile(r"[^ \t\f\v\u00a0]+")


@record
class Columns:
    """The columns of a table, by their titles in lower case; ``extra`` is the place of the one
    beside those of the manual, -1 without one.
    """

    titles: tuple[str, ...]
    extra: int

    @classmethod
    def of(cls, line: str) -> Columns | None:
        """The columns that a line has the titles of; None for another line."""
        titles = tuple(line.lower().split())
        if titles[:1] != ("route",):
            return None
        if titles[1:2] == ("name",):
            titles = (titles[0], *titles[2:])
        known = tuple(title for title in titles if title not in _FLAG | _STATE)
        if known[:4] != _FIRST or known[4:] not in _ZONES or len(titles) > len(known) + 1:
            return None
        extra = next((place for place, title in enumerate(titles) if title in _FLAG | _STATE), -1)
        return cls(titles, extra)

    def split(self, fields: list[str]) -> tuple[list[str], bool] | None:
        """The fields of a row without the extra one, and whether the route is suspended; None if
        the row does not fit. A URL may be several words: what stands behind it is counted from
        the end."""
        if self.extra < 0:
            return fields, False
        behind = self.extra > self.titles.index("url")
        place = self.extra - len(self.titles) + len(fields) if behind else self.extra
        if not 0 < place < len(fields):
            return None
        word = fields[place].lower()
        flags = _FLAGS if self.titles[self.extra] in _FLAG else {word: word in _SUSPENDED}
        return ([*fields[:place], *fields[place + 1 :]], flags[word]) if word in flags else None


def read_row(reading: EmsFileReading, line: Line, columns: Columns) -> bool:
    """Keep the route of a row; whether the row fits the columns. Linear."""
    words = list(_WORD.finditer(line.text))
    split = columns.split([word.group() for word in words])
    if split is None:
        return False
    fields, suspended = split
    shaped = (
        len(fields) >= 5 and fields[1].upper() in ("A", "P") and fields[-1].lower() in _ZONE_TYPES
    )
    if not shaped or not (fields[2] == "-" or is_digits(fields[2])):
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
            suspended=suspended,
        )
    )
    return True
