"""tibemsd.conf: the server's own parameters and the names of its sub-files (ems.md 1.1, 3.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches

from topograph.credentials import without_user_info
from topograph.facts.ems import WITHOUT_EFFECT, EmsServer, ParameterPlace
from topograph.facts.ems_names import server_name_fault
from topograph.facts.ems_urls import MAX_URL, parse_endpoint, split_urls
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.parameters import KNOWN, READ, SUB_FILES, boolean
from topograph.importers.ems.properties import hazard, without_comment
from topograph.importers.lexical import Line
from topograph.importers.reading import Reference
from topograph.rules.ems_findings import (
    DUPLICATE_PARAMETER,
    INVALID_URL,
    NO_SERVER_NAME,
    NOT_A_BOOLEAN,
    SECTION_1_1,
    SECTION_3_1,
    SECTION_3_5,
    SERVER_NAME,
    URL_TOO_LONG,
)

_SPACE = lexical.BLANK + "\u00a0"
_PLAIN = re.compile(r"[ \t]*+([A-Za-z][\w.]*+)[ \t]*+=[ \t]*+([^\s\"#]++)[ \t]*+")
"""A parameter whose value holds no blank, quote or comment: nearly all lines of large files."""

_DECIDING = frozenset({"routing", "authorization", "ft_active", "listen", *SUB_FILES})
"""The parameters whose places are kept: an answer that rests on one cites its line."""

_NEARLY = 0.8
"""How alike two names are, of 1, that a misspelling may make of each other."""


@dataclass(slots=True)
class MainFile:
    """What a main file says. ``ignored`` are parameters without a value (ems.md 3.1);
    ``incomplete`` the kinds of entries of which some could not be read, or whose sub-file could
    not be told."""

    server: str = ""
    server_line: Line = field(default_factory=lambda: Line(0, ""))
    server_column: int = 0
    routing: bool | None = None
    authorization: bool | None = None
    ft_active: str = ""
    listen: list[str] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    references: dict[str, Reference] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    incomplete: list[str] = field(default_factory=list)
    places: dict[str, Source] = field(default_factory=dict)

    def fact(
        self, reading: EmsFileReading, missing: tuple[str, ...] = (), unread: tuple[str, ...] = ()
    ) -> EmsServer:
        """The server as a fact; its source is the name's place."""
        return EmsServer(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(self.server_line.number, self.server_column),
            routing=self.routing,
            authorization=self.authorization,
            ft_active=self.ft_active,
            listen=tuple(self.listen),
            parameters=tuple(self.parameters.items()),
            missing=missing,
            unread=unread,
            places=tuple(ParameterPlace(*entry) for entry in self.places.items()),
        )


def read_main(reading: EmsFileReading, text: str, only: re.Pattern[str] | None = None) -> MainFile:
    """The parameters of a tibemsd.conf; findings and counts go to ``reading``. Names are
    case-insensitive; a parameter given twice counts with its last value (*position* of ems.md
    3.5), except ``listen``, which repeats. ``only`` is how the lines begin that are wanted, all
    if None. Linear."""
    main = MainFile()
    seen: dict[str, Line] = {}
    for line in reading.entries(text):
        if only is not None and not only.match(line.text):
            continue
        parameter = _parameter(reading, main, line)
        if parameter is None:
            continue
        key, value, column = parameter
        if not value:
            main.ignored.append(key)
            reading.ignored += 1
            continue
        if key != "listen":
            if key in seen:
                message = (
                    f"{without_user_info(key)} is in line {seen[key].number} too; the "
                    "last value counts"
                )
                reading.warning(DUPLICATE_PARAMETER, message, line, rule=SECTION_3_5)
            seen[key] = line
        if key in KNOWN:
            reading.read += 1
        elif near := _meant(key):
            reading.unknown(
                keys.first_word(line),
                column,
                f"a parameter that is not known, and nearly called {near},",
            )
        else:
            reading.ignored += 1
        take_parameter(reading, main, key, value, line, column)
    reading.name_server(reading.server or main.server)
    check_server_name(reading, main)
    return main


def _meant(key: str) -> str:
    """The parameter that decides answers and is called nearly like an unknown one; empty if
    there is none.
    """
    if keys.is_known(key):
        return ""
    # Few names are compared, however many unknown ones a hostile file has.
    like = sorted(name for name in READ if name[0] == key[0] and abs(len(name) - len(key)) <= 2)
    return next(iter(get_close_matches(key, like, 1, _NEARLY)), "")


def _parameter(reading: EmsFileReading, main: MainFile, line: Line) -> tuple[str, str, int] | None:
    """Name (lower case), value and the value's column of a line ``name = value``; None, with a
    finding, if it is none.
    """
    if line.text.isascii() and (plain := _PLAIN.fullmatch(line.text)):
        return plain[1].lower(), plain[2], plain.start(2) + 1
    text, problems = without_comment(line.text)
    begin = len(text) - len(text.lstrip(_SPACE))
    equals = text.find("=", begin)
    if equals < 0:
        reading.unknown(keys.first_word(line), begin + 1, "a line that is not `name = value`")
        return None
    key_end = len(text[:equals].rstrip(_SPACE))
    key, in_key = hazard(text[begin:key_end], begin)
    value_at = equals + 1 + len(text[equals + 1 :]) - len(text[equals + 1 :].lstrip(_SPACE))
    value = text[value_at:].rstrip(_SPACE)
    around = [*hazard(text[:begin], 0)[1], *hazard(text[key_end:equals], key_end)[1]]
    if value:
        around += hazard(text[equals + 1 : value_at], equals + 1)[1]
    key = key.lower()
    in_value: tuple[Problem, ...] = ()
    if lexical.is_quoted(value):
        value, value_at = value[1:-1], value_at + 1
    elif not lexical.is_secret(key):
        value, in_value = hazard(value, value_at, '"')
    if not key or any(blank in key for blank in lexical.BLANK):
        reading.unknown(keys.first_word(line), begin + 1, "a line that is not `name = value`")
        return None
    if not reading.accepts(line, [*in_key, *around, *in_value, *problems]):
        reading.lost()
        if key in SUB_FILES:
            main.incomplete.append(key)
        return None
    return key, value, value_at + 1


def take_parameter(
    reading: EmsFileReading, main: MainFile, key: str, value: str, line: Line, column: int
) -> None:
    """Take a parameter that has a value, from either format."""
    if key == "listen":
        urls = split_urls(keys.kept(key, value))
        main.listen.extend(urls)
        main.places.setdefault(key, reading.source(line.number, column))
        _check_urls(reading, urls, line, column)
        return
    main.parameters[key] = keys.kept(key, value)
    if key in _DECIDING:
        main.places[key] = reading.source(line.number, column)
    if key == "server":
        main.server, main.server_line, main.server_column = value, line, column
    elif key in ("routing", "authorization"):
        state = boolean(value)
        if state is None:
            reading.error(
                NOT_A_BOOLEAN,
                f"{key} is neither enabled nor disabled: {keys.excerpt(value)!r}",
                line,
                column,
                SECTION_3_1,
            )
        setattr(main, key, state)
    elif key == "ft_active":
        main.ft_active = keys.kept(key, value)
        _check_urls(reading, split_urls(main.ft_active), line, column)
    elif key in SUB_FILES:
        main.references[key] = Reference(
            key, value, reading.source(line.number, column), matters=key not in WITHOUT_EFFECT
        )


def _check_urls(
    reading: EmsFileReading, urls: list[str] | tuple[str, ...], line: Line, column: int
) -> None:
    for url in urls:
        if len(url) > MAX_URL:
            reading.warning(
                URL_TOO_LONG, f"a URL may have {MAX_URL} characters", line, column, SECTION_3_1
            )
        if parse_endpoint(url) is None:
            reading.warning(
                INVALID_URL, f"not a connection URL: {keys.excerpt(url)}", line, column, SECTION_3_1
            )


def check_server_name(reading: EmsFileReading, main: MainFile) -> None:
    """Report a server without a name, or with one that no server can have (ems.md 1.1)."""
    if not main.server:
        if not reading.server:
            message = (
                "no `server` parameter: the server has no name in this file, and its "
                "routes are unknown"
            )
            reading.error(NO_SERVER_NAME, message, Line(0, ""), 0, SECTION_1_1)
        return
    if fault := server_name_fault(main.server):
        reading.error(SERVER_NAME, fault, main.server_line, main.server_column, SECTION_1_1)
