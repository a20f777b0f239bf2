"""Files whose entries are kept although no question uses them yet: factories, stores, channels,
transports, tibrvcm.
"""

from __future__ import annotations

from topograph.facts import Pairs
from topograph.facts.ems import EmsEntry, EmsFactory
from topograph.facts.ems_urls import split_urls
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading, Problem
from topograph.importers.ems.properties import hazard, without_comment
from topograph.importers.ems.sections import sections
from topograph.importers.lexical import Line
from topograph.rules.unnumbered import DUPLICATE_PARAMETER

_SPACE = lexical.BLANK + "\u00a0"


def read_factories(reading: EmsFileReading, text: str) -> None:
    """The connection factories of a factories.conf. Linear."""
    for section in sections(reading, text):
        values, usable = _values(reading, section.lines)
        if not section.usable or not usable:
            reading.lost()
            continue
        keep_factory(reading, section.name, values, section.line, section.column)


def keep_factory(
    reading: EmsFileReading, name: str, values: dict[str, str], line: Line, column: int
) -> None:
    """Keep a factory of either format: ``type`` and ``url`` have fields of their own."""
    properties = dict(values)
    reading.keep(
        EmsFactory(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, column),
            name=name,
            type=properties.pop("type", ""),
            url=split_urls(properties.pop("url", "")),
            properties=tuple(properties.items()),
        )
    )


def read_entries(reading: EmsFileReading, text: str, kind: str) -> None:
    """The sections of a stores, channels or transports file, one fact a section; repeated
    parameters are kept. Linear.
    """
    for section in sections(reading, text):
        repeated: list[tuple[str, str]] = []
        _, usable = _values(reading, section.lines, repeated)
        if not section.usable or not usable:
            reading.lost()
            continue
        keep_entry(reading, kind, section.name, tuple(repeated), section.line, section.column)


def read_tibrvcm(reading: EmsFileReading, text: str) -> None:
    """The lines ``transport listener subject`` of a tibrvcm file. Linear."""
    for line in reading.entries(text):
        shown, problems = without_comment(line.text)
        words, faults = hazard(shown, 0)
        if not reading.accepts(line, [*problems, *faults]):
            reading.lost()
            continue
        fields = words.split()
        begin = len(words) - len(words.lstrip(lexical.BLANK)) + 1
        if len(fields) != 3:
            reading.incomplete = True
            reading.unknown(line, begin, "a line that is not `transport listener subject`")
            continue
        properties = (("listener", fields[1]), ("subject", fields[2]))
        keep_entry(reading, "tibrvcm", fields[0], properties, line, begin)


def keep_entry(
    reading: EmsFileReading, kind: str, name: str, properties: Pairs, line: Line, column: int
) -> None:
    """Keep an entry of either format."""
    reading.keep(
        EmsEntry(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, column),
            type=kind,
            name=name,
            properties=properties,
        )
    )


def _values(
    reading: EmsFileReading, lines: list[Line], repeated: list[tuple[str, str]] | None = None
) -> tuple[dict[str, str], bool]:
    """The parameters of a section's lines ``key = value`` (keys in lower case, the last value
    counts) and whether all could be read. With ``repeated`` every one is appended there and
    giving one twice is no finding."""
    values: dict[str, str] = {}
    usable = True
    for line in lines:
        text, problems = without_comment(line.text)
        begin = len(text) - len(text.lstrip(_SPACE))
        key_text, equals, value = text[begin:].partition("=")
        key, in_key = hazard(key_text.rstrip(_SPACE), begin)
        key = key.lower()
        if not equals or not key or any(blank in key for blank in lexical.BLANK):
            reading.unknown(keys.first_word(line), begin + 1, "a line that is not `key = value`")
            continue
        value_at = len(text) - len(value) + len(value) - len(value.lstrip(_SPACE))
        value = value.strip(_SPACE)
        in_value: tuple[Problem, ...] = ()
        if lexical.is_quoted(value):
            value = value[1:-1]
        elif not lexical.is_secret(key):
            value, in_value = hazard(value, value_at, '"')
        if not reading.accepts(line, [*problems, *in_key, *in_value]):
            usable = False
            continue
        if not value:
            reading.ignored += 1
            continue
        if repeated is not None:
            repeated.append((key, keys.kept(key, value)))
        elif key in values:
            reading.warning(
                DUPLICATE_PARAMETER,
                f"{keys.excerpt(key)} is given twice; the last value counts",
                line,
                begin + 1,
            )
        values[key] = keys.kept(key, value)
    return values, usable
