"""durables.conf: static durable subscriptions and route durables, one a line (ems.md 1.6, 3.4)."""

from __future__ import annotations

import re

from topograph.facts.ems import EmsDurable
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.properties import hazard, scan, without_comment
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    CUT_OFF,
    DUPLICATE_DURABLE,
    MISSING_COMMA,
    MISSING_NAME,
    ROUTE_DURABLE_PROPERTY,
    SECTION_1_6,
    SECTION_3_4,
)

_KEYS = frozenset({"clientid", "selector"})
_FLAGS = frozenset({"nolocal", "route"})
PROPERTIES = _KEYS | _FLAGS
"""The properties of a durable."""
_WORD = re.compile(r"[^ \t\f\v\u00a0]+")

Kept = dict[tuple[str, str], tuple[EmsDurable, int]]
"""The durables so far and their lines, by what makes them one durable (``_identity``)."""


def read_durables(reading: EmsFileReading, text: str) -> None:
    """The durables of a durables.conf. Properties may be separated by blanks or commas (the
    manual prints the ones, the sample the others). Linear."""
    kept: Kept = {}
    for line in reading.entries(text):
        read_line(reading, line, kept)


def read_line(reading: EmsFileReading, line: Line, kept: Kept) -> None:
    """The durable of one line."""
    text, problems = without_comment(line.text)
    words = [match for _, match in zip(range(2), _WORD.finditer(text), strict=False)]
    if len(words) < 2:
        reading.lost()
        message = "a durable is written `topic durable-name`"
        reading.error(
            CUT_OFF if line.last else MISSING_NAME, message, line, words[0].start() + 1, SECTION_3_4
        )
        return
    topic, in_topic = hazard(words[0].group(), words[0].start())
    name, in_name = hazard(words[1].group(), words[1].start())
    gaps = [
        *hazard(text[: words[0].start()], 0)[1],
        *hazard(text[words[0].end() : words[1].start()], words[0].end())[1],
    ]
    found = scan(text, words[1].end(), _KEYS, commas=True)
    in_properties = [
        problem for prop in found for problem in prop.problems if problem.kind != MISSING_COMMA
    ]
    about = f"in the durable {name}: "
    if not reading.accepts(line, [*in_topic, *in_name, *gaps], about):
        reading.lost()
        return
    fault = (
        ""
        if reading.accepts(line, [*problems, *in_properties], about)
        else reading.fault([*problems, *in_properties])
    )
    values: dict[str, str] = {}
    for prop in found:
        key = prop.key.lower()
        known = (key in _KEYS and prop.value is not None) or (key in _FLAGS and prop.value is None)
        if known:
            values[key] = prop.value or ""
        else:
            shown = keys.shown_word(line.text, prop.column - 1, prop.key)
            reading.unknown_property(line, prop.column, shown, (*_KEYS, *_FLAGS))
    unread = keys.excerpt(text[words[1].end() :]) if fault else ""
    keep_durable(
        reading, topic, name, values, line, words[0].start() + 1, kept, unread=(fault, unread)
    )


def keep_durable(
    reading: EmsFileReading,
    topic: str,
    name: str,
    values: dict[str, str],
    line: Line,
    column: int,
    kept: Kept,
    *,
    unread: tuple[str, str] = ("", ""),
) -> None:
    """Keep a durable of either format. With ``route`` it stands for another server and has no
    other property; of conflicting durables the earliest counts (ems.md 3.4). ``values`` may hold
    ``clientid``, ``selector``, ``nolocal`` and ``route``; ``unread`` is why its properties are
    not understood, and their text."""
    others = sorted(values.keys() - {"route"})
    if "route" in values and others:
        message = (
            f"a route durable stands for the server {name} and has no other property; here: "
            f"{', '.join(others)}"
        )
        if not reading.accepts(
            line,
            [Problem(ROUTE_DURABLE_PROPERTY, message, column, repaired=True, rule=SECTION_1_6)],
        ):
            reading.lost()
            return
        values = {"route": ""}
    durable = EmsDurable(
        bundle=reading.bundle,
        server=reading.server,
        source=reading.source(line.number, column),
        topic=topic,
        name=name,
        client_id=values.get("clientid", ""),
        no_local="nolocal" in values,
        selector="" if unread[0] else values.get("selector", ""),
        route="route" in values,
        fault=unread[0],
        unread=unread[1],
    )
    key = _identity(durable)
    if key in kept:
        message = (
            f"the durable {name} is in line {kept[key][1]} too; the earliest specification is kept"
        )
        reading.warning(DUPLICATE_DURABLE, message, line, column, SECTION_3_4)
        reading.ignored += 1
        return
    kept[key] = (durable, line.number)
    reading.keep(durable)
    reading.check_destination(topic, "have durables", line, column)


def _identity(durable: EmsDurable) -> tuple[str, str]:
    """What two durables conflict in: a route durable is one per topic and server, any other one
    per client id and name.
    """
    return (
        f"route {durable.topic}" if durable.route else f"client {durable.client_id}",
        durable.name,
    )
