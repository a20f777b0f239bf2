"""bridges.conf: a section a source, a line a target (ems.md 1.6, 3.4)."""

from __future__ import annotations

from dataclasses import replace

from topograph.facts.ems import EmsBridge, RouteFault
from topograph.facts.ems_names import destination_name_fault, is_wildcard, wildcard_fault
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.properties import scan, without_comment
from topograph.importers.ems.sections import sections
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import (
    BRIDGE_SECTIONS,
    BRIDGE_SELECTOR,
    BRIDGE_SOURCE_3_4,
    BRIDGE_TARGET_WILDCARD,
    DESTINATION_NAME,
    DUPLICATE_BRIDGE,
    NOT_A_WILDCARD,
    SECTION_1_4,
    SECTION_1_6,
    SECTION_3_4,
    TL_14,
    TL_17,
    TL_26,
)
from topograph.rules.unnumbered import EMPTY_SECTION

TYPES = ("topic", "queue")
_KEYS = frozenset({*TYPES, "selector"})

Taken = dict[tuple[str, str, str, str], int]
"""The line of every bridge so far, by source type and name, target type and name."""


def read_bridges(reading: EmsFileReading, text: str) -> None:
    """The bridges of a bridges.conf, one fact a target. The same source may have several
    sections. Linear.
    """
    taken: Taken = {}
    headings: dict[tuple[str, str], list[Line]] = {}
    for section in sections(reading, text):
        source_type, colon, source = section.name.partition(":")
        source_type, source = source_type.strip(lexical.BLANK).lower(), source.strip(lexical.BLANK)
        if section.usable and (not colon or source_type not in TYPES or not source):
            message = "the source of a bridge is written [topic:NAME] or [queue:NAME]"
            reading.error(BRIDGE_SOURCE_3_4, message, section.line, section.column, SECTION_3_4)
            section.usable = False
        if not section.usable:
            reading.lost()
            continue
        check_source(reading, source, section.line, section.column)
        headings.setdefault((source_type, source), []).append(section.line)
        for line in section.lines:
            _read_target(reading, (source_type, source), line, taken)
        if not section.lines:
            reading.warning(
                EMPTY_SECTION,
                f"the bridge from {section.name} has no target",
                section.line,
                section.column,
            )

    _sections_of_one_source(reading, headings)


def _sections_of_one_source(
    reading: EmsFileReading, headings: dict[tuple[str, str], list[Line]]
) -> None:
    """Note the sources that have several sections (TL-26), on their bridges too. Linear."""
    several = {source: lines for source, lines in headings.items() if len(lines) > 1}
    for source, (first, second, *_) in several.items():
        message = (
            f"the bridges of {':'.join(source)} are in several sections, the first in line "
            f"{first.number}: after one of them is deleted by a command, the server does not start "
            "with the file that it writes"
        )
        place = reading.source(second.number, 1)
        reading.report(Severity.INFO, BRIDGE_SECTIONS, message, place, rule=TL_26, text=second.text)
    for place_of, fact in enumerate(reading.facts if several else ()):
        if isinstance(fact, EmsBridge):
            count = len(several.get((fact.source_type, fact.source_name), ())) or 1
            reading.facts[place_of] = replace(fact, sections=count)


def check_source(reading: EmsFileReading, source: str, line: Line, column: int) -> None:
    """Report what is wrong with the source of a bridge of either format."""
    reading.check_destination(source, "be bridged", line, column)


def _read_target(
    reading: EmsFileReading, source: tuple[str, str], line: Line, taken: Taken
) -> None:
    text, problems = without_comment(line.text)
    found = scan(text, 0, _KEYS)
    named = [prop.key.lower() for prop in found]
    target = named[0], found[0].value or ""
    if named[0] not in TYPES or not target[1] or reading.fault(found[0].problems):
        reading.accepts(line, [*problems, *found[0].problems])
        reading.lost()
        reading.unknown(
            line,
            found[0].column,
            'a line that is not `topic=NAME` or `queue=NAME` with an optional selector="..."',
        )
        return
    every = [*problems, *(problem for prop in found for problem in prop.problems)]
    about = f"in the bridge from {':'.join(source)} to {':'.join(target)}: "
    fault = "" if reading.accepts(line, every, about) else reading.fault(every)
    if not fault and not (
        named[1:] in ([], ["selector"]) and all(prop.value is not None for prop in found)
    ):
        fault = "it is not selector=TEXT"
        reading.error(BRIDGE_SELECTOR, f"{about}{fault}", line, found[1].column, SECTION_3_4)
    selector = (found[1].value or "") if len(found) > 1 else ""
    if fault:
        selector = keys.excerpt(line.text[found[1].column - 1 :]) if len(found) > 1 else ""
    keep_bridge(reading, source, target, (selector, fault), line, found[0].column, taken)


def keep_bridge(
    reading: EmsFileReading,
    source: tuple[str, str],
    target: tuple[str, str],
    selector: tuple[str, str],
    line: Line,
    column: int,
    taken: Taken,
) -> None:
    """Keep a bridge of either format and check its target; ``selector`` is its text, and why it
    is not understood. The same source and target twice keep the server from starting (TL-17);
    the first is kept."""
    key = (*source, *target)
    if key in taken:
        why = (
            f"the bridge from {':'.join(source)} to {':'.join(target)} is in line {taken[key]} too"
        )
        message = f"{why}: the server does not start (unable to add bridge, already exists)"
        reading.error(DUPLICATE_BRIDGE, message, line, column, TL_17)
        reading.fatal = True
        _stands_again(reading, key, RouteFault(why, reading.source(line.number, column)))
        return
    taken[key] = line.number
    reading.keep(
        EmsBridge(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, column),
            source_type=source[0],
            source_name=source[1],
            target_type=target[0],
            target_name=target[1],
            selector="" if selector[1] else selector[0],
            fault=selector[1],
            unread=selector[0] if selector[1] else "",
        )
    )
    name = target[1]
    if is_wildcard(name):
        reading.error(
            BRIDGE_TARGET_WILDCARD,
            f"the target {name} of a bridge is a wildcard",
            line,
            column,
            SECTION_1_6,
        )
    elif fault := wildcard_fault(name):
        reading.warning(NOT_A_WILDCARD, fault, line, column, TL_14)
    if fault := destination_name_fault(name.partition("@")[0]):
        reading.error(DESTINATION_NAME, fault, line, column, SECTION_1_4)
    reading.check_temporary(name, "be bridged", line, column)


def _stands_again(
    reading: EmsFileReading, key: tuple[str, str, str, str], again: RouteFault
) -> None:
    """Note on the bridge that is kept that it stands once more. Linear in the facts, for what is
    an error."""
    for place, fact in enumerate(reading.facts):
        if isinstance(fact, EmsBridge) and key == (
            fact.source_type,
            fact.source_name,
            fact.target_type,
            fact.target_name,
        ):
            reading.facts[place] = replace(fact, again=(*fact.again, again))
            return
