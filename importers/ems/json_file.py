"""tibemsd.json: the whole configuration in one file (ems.md 3.6).

The keys inside routes and bridges are not documented; the reader takes the spellings of ems.md 3.6
(A19) and reports everything else with its JSON path. Sources are real lines and columns; excerpts
are JSON paths, so that no value shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topograph.facts.ems_urls import SECONDARY, split_urls
from topograph.findings import Severity
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.json_entries import READERS, JsonReading
from topograph.importers.ems.main_file import MainFile, check_server_name, take_parameter
from topograph.importers.ems.parameters import KNOWN, SUB_FILES
from topograph.importers.ems.routes import report_routes_without_tls
from topograph.importers.positions.json_text import Node, parse, strings
from topograph.importers.positions.places import Places
from topograph.rules.ems_findings import (
    DUPLICATE_KEY,
    JSON_SYNTAX,
    NOT_AN_ARRAY,
    NOT_AN_OBJECT,
    SECTION_3_6,
)

_EMS = re.compile(r'"tibemsd"\s*:\s*\{')
_KINDS = {kind: kind for kind in SUB_FILES if kind != "acl_list"} | {"acls": "acl_list"}


def looks_like_ems(text: str) -> bool:
    """Whether this JSON text has the member that only a tibemsd.json has."""
    return _EMS.search(text) is not None


def read_json(reading: EmsFileReading, text: str) -> MainFile:
    """The server and all entries of a tibemsd.json; facts, findings and counts go to
    ``reading``. Of a text that is cut off or otherwise wrong, what stands before the error is
    read, and ``MainFile.incomplete`` names the kinds that may lack entries. Never raises;
    linear."""
    document = parse(text)
    places = Places(text)
    main = MainFile()
    json_reading = JsonReading(reading, places)
    root = document.root
    if root is None or not isinstance(root.value, dict):
        _stopped(
            reading, places, document.error or "the value is not an object", document.error_offset
        )
        main.incomplete.extend(SUB_FILES)
        return main
    server = root.members.get("tibemsd")
    if server is not None:
        _read_server(json_reading, main, server)
    reading.name_server(reading.server or main.server)
    check_server_name(reading, main)
    for key, offset in document.duplicates:
        json_reading.warning(
            DUPLICATE_KEY,
            f"the key {key} is given twice in one object; the last counts",
            key,
            offset,
        )
    for key, node in root.members.items():
        if key in ("tibemsd", "model_version"):
            continue
        if key not in _KINDS:
            json_reading.unknown(key, node.offset)
            continue
        _read_kind(json_reading, main, key, node)
    report_routes_without_tls(reading)
    if document.error:
        _stopped(reading, places, document.error, document.error_offset)
        main.incomplete.extend(
            kind
            for key, kind in _KINDS.items()
            if key not in root.members or not root.members[key].complete
        )
    return main


def _stopped(reading: EmsFileReading, places: Places, why: str, offset: int) -> None:
    reading.lost()
    message = f"the JSON cannot be read from here on ({why}); what comes before it is kept"
    reading.report(
        Severity.ERROR,
        JSON_SYNTAX,
        message,
        reading.source(*places.line_and_column(offset)),
        rule=SECTION_3_6,
    )


def _read_kind(json_reading: JsonReading, main: MainFile, key: str, node: Node) -> None:
    reading = json_reading.reading
    before = reading.incomplete
    reading.incomplete = False
    if not isinstance(node.value, list):
        json_reading.lost(NOT_AN_ARRAY, f"{key} is not an array", key, node.offset)
    for place, item in enumerate(node.items):
        path = f"{key}[{place}]"
        if not item.complete:
            reading.lost()
        elif not isinstance(item.value, dict):
            json_reading.lost(NOT_AN_OBJECT, f"{path} is not an object", path, item.offset)
        else:
            READERS[key](json_reading, path, item)
    if reading.incomplete:
        main.incomplete.append(_KINDS[key])
    reading.incomplete = reading.incomplete or before


def _read_server(json_reading: JsonReading, main: MainFile, node: Node) -> None:
    """The members of ``tibemsd``: parameters as in tibemsd.conf, nested objects by dotted names."""
    reading = json_reading.reading
    if not isinstance(node.value, dict):
        json_reading.lost(NOT_AN_OBJECT, "tibemsd is not an object", "tibemsd", node.offset)
        return
    for name, child in node.members.items():
        key = name.lower()
        if key in ("listen", "listens", "primary_listens", SECONDARY):
            before = len(main.listen)
            for url, offset in _urls(child):
                take_parameter(
                    reading, main, "listen", url, *json_reading.place(f"tibemsd.{name}", offset)
                )
            if key == SECONDARY and main.listen[before:]:
                main.parameters[SECONDARY] = ",".join(main.listen[before:])
            continue
        nested = isinstance(child.value, dict) or any(
            isinstance(item.value, (dict, list)) for item in child.items
        )
        pairs = strings(Node({key: child}, child.offset)) if nested else [(key, child)]
        for full, scalar in pairs:
            _read_parameter(json_reading, main, full, scalar)


def _read_parameter(json_reading: JsonReading, main: MainFile, key: str, node: Node) -> None:
    reading = json_reading.reading
    value = node.text
    if isinstance(node.value, list):
        value = ",".join(item.text or "" for item in node.items)
    if not value:
        main.ignored.append(key)
        reading.ignored += 1
        return
    if key in KNOWN:
        reading.read += 1
    else:
        reading.ignored += 1
    line, column = json_reading.place(f"tibemsd.{key}", node.offset)
    if key in SUB_FILES:  # a JSON configuration has no sub-files
        main.parameters[key] = value
    else:
        take_parameter(reading, main, key, value, line, column)


def _urls(node: Node) -> Iterator[tuple[str, int]]:
    """The URLs of a listen member: a string, or an array of strings or of objects with ``url``."""
    for item in node.items or [node]:
        scalar = item.members.get("url", item)
        for url in split_urls(scalar.text or ""):
            yield url, scalar.offset
