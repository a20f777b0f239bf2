"""The lines of ``show server`` and ``show config``: a name and a value each, of which few decide
something about messages.

The form of ``show config`` is not documented beyond what it is about. A line counts as understood
where its name is a parameter of tibemsd.conf, behind which ``=``, ``:`` or two blanks stand; the
others are counted, and one finding says how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from topograph.digits import digits
from topograph.facts.ems_observed import EmsObservedSetting
from topograph.facts.ems_urls import parse_endpoint, split_urls
from topograph.findings import Severity
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.parameters import TELLING, boolean
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import OUTPUT_NOT_READ, SECTION_3_7

_SEPARATORS = ("=", ":", "\t", "  ")

_SWITCHES = frozenset({"routing", "authorization"})
_URLS = frozenset({"listen", "ft_active"})

COUNTED = frozenset({"topics", "queues", "durables"})
"""What ``show server`` counts and a listing lists, row by row."""

ACTIVE = "active"
"""The state of a server that serves clients."""


def setting(text: str) -> tuple[str, str] | None:
    """Name (lower case, ``_`` for blanks) and value of a line; None if it is none. Linear.

    >>> setting(" Client Connections:   7"), setting("listen    tcp://7222"), setting("some words")
    (('client_connections', '7'), ('listen', 'tcp://7222'), None)
    """
    line = text.strip()
    ends = [place for place in (line.find(separator) for separator in _SEPARATORS) if place > 0]
    if not ends:
        return None
    name, value = line[: min(ends)], line[min(ends) :].lstrip(" \t=:")
    return ("_".join(name.lower().split()), value) if value else None


def server_named(command: str, text: str) -> str:
    """The server that a line of ``show server`` or ``show config`` names; empty if it names
    none.
    """
    found = setting(text) if command in ("server", "state", "config") else None
    return found[1].split()[0] if found is not None and found[0] == "server" else ""


def decides(command: str, text: str) -> bool:
    """Whether a line of the output of a command is one that is kept."""
    found = setting(text) if command in ("server", "state", "config") else None
    return found is not None and found[0] in (_CONFIG if command == "config" else _SERVER)


_SERVER = frozenset({"server", "state"})
_CONFIG = frozenset({"server", *_SWITCHES, *_URLS})


_COLUMNS = re.compile(r"[^ \t\n\r](?:  | ?\t)[ \t]*+[^ \t=:\n\r]")
"""A name and a value behind a gap, neither ``=`` nor ``:`` between."""


def may_be_config(text: str) -> bool:
    """Whether ``is_config`` can hold of the lines of a text. Linear."""
    return _COLUMNS.search(text) is not None


def is_config(lines: Iterable[str]) -> bool:
    """Whether lines are the output of ``show config`` that nothing says to be: names in a
    column, values in another, and at least three of the names (half of them) parameters of
    tibemsd.conf. Linear."""
    names = set()
    for line in lines:
        text = line.strip()
        if "  " not in text and "\t" not in text:
            continue
        ends = min((place for place in (text.find("\t"), text.find("  ")) if place > 0), default=0)
        if text[:ends].isidentifier() and text[ends:].lstrip()[:1] not in ("=", ":"):
            names.add(text[:ends].lower())
    telling = names & (TELLING | {"server"})
    return len(telling) >= 3 and 2 * len(telling) >= len(names)


@dataclass
class ServerOutput:
    """What the lines of ``show server`` and ``show config`` said: the state, how many there are
    of what it counts, and how many lines of ``show config`` were not understood, from which one
    on."""

    state: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    not_understood: int = 0
    first: Line | None = None

    def read(self, reading: EmsFileReading, command: str, line: Line) -> None:
        """Read one line of the output of ``command`` (without ``show``). Linear."""
        found = setting(line.text)
        name, value = found if found is not None else ("", "")
        if command != "config":
            if name == "state":
                self.state = value.lower()
            elif name in COUNTED and (count := digits(value.split()[0], most=9)) is not None:
                self.counts[name] = count
        if decides(command, line.text) and (kept := _kept(name, value)):
            for each in kept:
                self._keep(reading, command, name, each, line)
        elif command == "config" and name not in TELLING:
            self.not_understood += 1
            self.first = self.first or line
            reading.unsupported += 1
        else:
            reading.ignored += 1

    def _keep(
        self, reading: EmsFileReading, command: str, name: str, value: str, line: Line
    ) -> None:
        column = len(line.text) - len(line.text.lstrip()) + 1
        reading.keep(
            EmsObservedSetting(
                bundle=reading.bundle,
                server=reading.server,
                source=reading.source(line.number, column),
                listing=command,
                name=name,
                value=value,
            )
        )

    def close(self, reading: EmsFileReading) -> None:
        """Say how many lines of ``show config`` were not understood."""
        if self.first is not None:
            lines = "1 line" if self.not_understood == 1 else f"{self.not_understood} lines"
            message = (
                f"{lines} of `show config` from here on name no parameter of tibemsd.conf "
                "that is known, and are not read"
            )
            reading.report(
                Severity.INFO,
                OUTPUT_NOT_READ,
                message,
                reading.source(self.first.number),
                rule=SECTION_3_7,
            )


def _kept(name: str, value: str) -> tuple[str, ...]:
    """The values of a setting as they are kept; none where the value is not understood."""
    if name in _SWITCHES:
        state = boolean(value)
        return () if state is None else ("enabled" if state else "disabled",)
    if name in _URLS:
        urls = tuple(split_urls(keys.kept(name, value)))
        return urls if urls and all(parse_endpoint(url) is not None for url in urls) else ()
    return (value.lower(),) if name == "state" else (value.split(maxsplit=1)[0],)
