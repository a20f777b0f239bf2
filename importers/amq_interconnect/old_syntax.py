"""Configurations of routers before 1.0, read leniently (section 5, position 16; all of
confidence I).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topograph.importers.amq_interconnect.notes import ReadNotes
from topograph.importers.amq_interconnect.schema import OLD_TYPES
from topograph.importers.amq_interconnect.sections import ConfEntry, ConfSection
from topograph.rules.amq_interconnect_findings import OLD_SECTION

_MEANING = {
    "container": "its attributes belong to the router section",
    "fixedAddress": "read as address",
    "linkRoutePattern": "read as linkRoute",
    "waypoint": "kept, without effect on answers",
}


def modern(sections: Iterable[ConfSection], notes: ReadNotes) -> Iterator[ConfSection]:
    """The sections as 1.x writes them; every old section is noted and kept, followed by the
    sections it stands for.
    """
    for section in sections:
        yield section
        if section.type not in OLD_TYPES:
            continue
        message = f"The section {section.written} is gone from 1.0 on ({_MEANING[section.type]})"
        notes.refuse_from_1_0(OLD_SECTION, message, section.source, section.written)
        if section.type == "fixedAddress":
            yield from _addresses(section)
        elif section.type == "linkRoutePattern":
            yield from _link_routes(section)


def _stated(section: ConfSection) -> dict[str, ConfEntry]:
    return {entry.name: entry for entry in section.entries}


def _addresses(section: ConfSection) -> Iterator[ConfSection]:
    """fanout multiple is multicast; fanout single is closest or, with bias spread, balanced.
    Later phases add no entry of their own.
    """
    stated = _stated(section)
    prefix, phase = stated.get("prefix"), stated.get("phase")
    if prefix is None or (phase is not None and str(phase.value) != "0"):
        return
    fanout, bias = stated.get("fanout"), stated.get("bias")
    distribution = "multicast"
    if fanout is not None and fanout.value == "single":
        distribution = "balanced" if bias is not None and bias.value == "spread" else "closest"
    said_by = fanout or prefix
    entries = [prefix, said_by._replace(name="distribution", value=distribution)]
    yield ConfSection("address", section.written, section.source, entries)


def _link_routes(section: ConfSection) -> Iterator[ConfSection]:
    stated = _stated(section)
    prefix, direction, connector = stated.get("prefix"), stated.get("dir"), stated.get("connector")
    if prefix is None:
        return
    said_by = direction or prefix
    directions = (
        [str(direction.value)]
        if direction is not None and direction.value in ("in", "out")
        else ["in", "out"]
    )
    for one in directions:
        entries = [prefix, said_by._replace(name="direction", value=one)]
        if connector is not None:
            entries.append(connector._replace(name="connection"))
        yield ConfSection("linkRoute", section.written, section.source, entries)
