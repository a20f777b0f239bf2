"""topics.conf and queues.conf: one destination a line (ems.md 1.4, 1.5, 3.3)."""

from __future__ import annotations

import re
from functools import lru_cache

from topograph.credentials import SET, is_hidden, name_without_secret
from topograph.facts import Pairs
from topograph.facts.ems import EmsDestination
from topograph.facts.ems_names import destination_name_fault, is_wildcard, wildcard_fault
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.parameters import boolean
from topograph.importers.ems.properties import LineProperty, hazard, scan, without_comment
from topograph.importers.hidden_names import hidden_name
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    DESTINATION_NAME,
    EMPTY_NAME,
    NOT_A_WILDCARD,
    PREFETCH_NONE,
    ROUTED_QUEUE_EXCLUSIVE,
    ROUTED_QUEUE_WILDCARD,
    SECTION_1_4,
    SECTION_3_3,
    TL_11,
    TL_14,
    TL_18,
    UNCLOSED_BRACKET,
)
from topograph.rules.unnumbered import DUPLICATE_PARAMETER

FLAGS = frozenset(
    {"global", "secure", "exclusive", "sender_name", "sender_name_enforced", "failsafe"}
)
_SPELLING = {
    name.lower(): name
    for name in (
        *FLAGS, "maxbytes", "maxmsgs", "overflowPolicy", "prefetch", "flowControl", "store",
            "expiration", "import",
        "export", "trace", "channel", "maxRedelivery", "redeliveryDelay",
    )
}  # fmt: skip
PROPERTIES = frozenset(_SPELLING)
"""The known properties in lower case, the flags among them."""
_VALUED = PROPERTIES - FLAGS - {"flowcontrol", "trace"}

_NAME = re.compile(r"[^ \t\f\v\u00a0]+")
_PLAIN = re.compile(r'[ \t]*+([^\s\["#][^\s"#]*+)[ \t]*+([^"#]*+)')
"""A name and properties without quotes, comments and JNDI names: nearly all lines of large
files.
"""


def read_destinations(reading: EmsFileReading, text: str, kind: str) -> None:
    """The destinations of a topics.conf (``kind`` ``topic``) or queues.conf (``queue``). Linear."""
    for line in reading.entries(text):
        read_line(reading, line, kind)


def read_line(reading: EmsFileReading, line: Line, kind: str) -> None:
    """The destination of one line."""
    if line.text.isascii() and (plain := _PLAIN.fullmatch(line.text)):
        properties = _plain_properties(plain[2])
        if properties is not None:
            keep_destination(reading, kind, plain[1], properties, (), line, plain.start(1) + 1)
            return
    text, comment = without_comment(line.text)
    problems: list[Problem] = list(comment)
    at = len(text) - len(text.lstrip(lexical.BLANK + "\u00a0"))
    problems += hazard(text[:at], 0)[1]
    jndi: tuple[str, ...] = ()
    if text[at] == "[":
        end = text.find("]", at)
        if end < 0:
            reading.lost()
            reading.error(
                UNCLOSED_BRACKET,
                "the list of JNDI names is not closed by ]",
                line,
                at + 1,
                SECTION_3_3,
            )
            return
        names, faults = hazard(text[at + 1 : end], at + 1)
        problems += faults
        jndi = tuple(name for part in names.split(",") if (name := part.strip(lexical.BLANK)))
        at = end + 1 + len(text[end + 1 :]) - len(text[end + 1 :].lstrip(lexical.BLANK + "\u00a0"))
    match = _NAME.match(text, at)
    if match is None:
        reading.lost()
        reading.error(EMPTY_NAME, "a destination has no name", line, at + 1, SECTION_3_3)
        return
    name, faults = hazard(match.group(), match.start())
    problems += faults
    found = scan(text, match.end(), _VALUED, commas=True)
    for prop in found:
        problems += prop.problems
    if not reading.accepts(line, problems):
        reading.lost()
        return
    values: dict[str, str] = {}
    for prop in found:
        _take(reading, values, prop, line)
    keep_destination(reading, kind, name, tuple(values.items()), jndi, line, at + 1)


@lru_cache(maxsize=4096)  # a large file has the same properties many times, and facts share them
def _plain_properties(text: str) -> Pairs | None:
    """The properties of a line if nothing is to be said about them, else None."""
    values: dict[str, str] = {}
    for prop in scan(text, 0, _VALUED, commas=True):
        key = _SPELLING.get(prop.key.lower())
        if prop.problems or key is None or key in values or _odd_flag(key, prop.value):
            return None
        set_property(values, key, prop.value)
    return tuple(values.items())


def _odd_flag(key: str, value: str | None) -> bool:
    return key in FLAGS and value is not None and boolean(value) is None


def _take(reading: EmsFileReading, values: dict[str, str], prop: LineProperty, line: Line) -> None:
    shown = key = _SPELLING.get(prop.key.lower(), prop.key)
    if prop.key.lower() not in PROPERTIES:
        shown = keys.shown_word(line.text, prop.column - 1, prop.key)
        reading.unknown_property(line, prop.column, shown, _SPELLING.values())
        if shown == SET:
            return
    elif _odd_flag(key, prop.value):
        reading.unknown(line, prop.column, f"the value of {key}")
    if key in values:
        reading.warning(
            DUPLICATE_PARAMETER,
            f"{shown} is given twice; the last value counts",
            line,
            prop.column,
        )
    set_property(values, key, prop.value)


def set_property(values: dict[str, str], key: str, value: str | None) -> None:
    """Set a property of a destination: a flag is ``"true"`` or absent, a secret is only said to
    be set.
    """
    key = _SPELLING.get(key.lower(), key)
    if value is None:
        values[key] = "true"
    elif key in FLAGS and (state := boolean(value)) is not None:
        values.pop(key, None)
        if state:
            values[key] = "true"
    else:
        values[key] = keys.kept(key, value)


def owned_queue(name: str) -> tuple[str, str]:
    """The name of a queue and the server after its ``@``, without what may be a credential before
    that.

    >>> owned_queue("orders@B"), owned_queue("user:tiger@B")
    (('orders', 'B'), ('hidden-f0d4', 'B'))
    """
    before, _, after = name_without_secret(name).partition("@")
    name, _, owner = name.partition("@")
    if name_without_secret(name) == name != before:
        return before, after  # only with the server it has the form of a credential
    return name_without_secret(name), name_without_secret(owner)


def keep_destination(
    reading: EmsFileReading,
    kind: str,
    name: str,
    properties: Pairs,
    jndi: tuple[str, ...],
    line: Line,
    column: int,
) -> None:
    """Keep a destination of either format and report what is wrong with it alone. The server
    after ``@`` of a queue is its owner; where that is this very server the suffix has no effect
    (ems.md 1.5), which is for the reader of the fact."""
    written, owner = name, ""
    if kind == "queue" and "@" in name:
        name, owner = owned_queue(name)
        if is_hidden(name) and f"{name}@{owner}" != written:
            source = reading.source(line.number, column)
            reading.findings.append(hidden_name(f"{name}@{owner}", source, reading.server))
    reading.keep(
        EmsDestination(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, column),
            type=kind,
            name=name,
            owner=owner,
            properties=properties,
            jndi=jndi,
        )
    )
    if fault := destination_name_fault(name):
        reading.error(DESTINATION_NAME, fault, line, column, SECTION_1_4)
    if fault := wildcard_fault(name):
        reading.warning(NOT_A_WILDCARD, fault, line, column, TL_14)
    values = dict(properties)
    if owner and owner != reading.server:
        if is_wildcard(name):
            message = f"the routed queue {name}@{owner} is a wildcard, which is not supported"
            reading.error(ROUTED_QUEUE_WILDCARD, message, line, column, TL_11)
        if "exclusive" in values:
            message = (
                f"the routed queue {name}@{owner} is exclusive, which only its home queue can be"
            )
            reading.error(ROUTED_QUEUE_EXCLUSIVE, message, line, column, TL_11)
    if values.get("prefetch", "").lower() == "none" and (kind == "topic" or "global" in values):
        message = (
            f"prefetch=none is not allowed for {'topics' if kind == 'topic' else 'global queues'}"
        )
        reading.error(PREFETCH_NONE, message, line, column, TL_18)
