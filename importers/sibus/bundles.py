"""Reading a bundle: one file, or a server.xml of Liberty with the files it includes."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.files import FileReport
from topograph.findings import Severity
from topograph.importers import lexical
from topograph.importers.positions import xml_text
from topograph.importers.reading import Bundle, BundleFile, Options, Reading
from topograph.importers.sibus.admin_tasks import follow
from topograph.importers.sibus.cell import read_cell
from topograph.importers.sibus.cell_places import folder_behind
from topograph.importers.sibus.file_reading import SibusFileReading
from topograph.importers.sibus.languages import MAX_SCRIPT, read_calls
from topograph.importers.sibus.liberty import LibertyFile, read_liberty
from topograph.importers.sibus.output import read_output
from topograph.importers.sibus.recognition import recognise
from topograph.importers.sibus.roles import (
    SIB_CELL,
    SIB_CELL_PART,
    SIB_LIBERTY,
    SIB_OUTPUT,
    SIB_SCRIPT,
)
from topograph.rules.unnumbered import BUS_BY_FOLDER, ENCODING, SCRIPT_TOO_LARGE


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """All facts and findings of one bundle, and a report on each file. Never raises; linear."""
    del options
    main = next((file for file in bundle.files if file.part == "main"), None)
    if main is None or main.path not in contents:
        return Reading(
            files=tuple(
                _not_read(file, bundle, "its main file was not given to the reader")
                for file in bundle.files
            )
        )
    data = contents[main.path]
    found = recognise(main.path, data)
    reading = SibusFileReading(bundle.id, bundle.server, main.path)
    role = found.role if found is not None else None
    if role is SIB_LIBERTY:
        return _liberty(bundle, contents, main)
    if role in (SIB_CELL, SIB_CELL_PART):
        if (
            folder_behind(main.path, "buses") == ""
            and found is not None
            and _by_folder(found.path, bundle.server, data)
        ):
            message = (
                "This document does not say of which bus it is: by the name of its folder "
                f"it is of {bundle.server}."
            )
            reading.report(Severity.WARNING, BUS_BY_FOLDER, message, reading.source())
        read_cell(reading, xml_text.parse(data))
    else:
        decoded = lexical.decode(data)
        if decoded is None or role not in (SIB_SCRIPT, SIB_OUTPUT):
            return Reading(files=(_not_read(main, bundle, "this is not a file of a bus any more"),))
        if decoded.guessed:
            message = (
                "This file is not UTF-8 from here on; it is read as "
                f"{decoded.encoding.upper()}, so names may be wrong."
            )
            reading.report(
                Severity.WARNING, ENCODING, message, reading.source(decoded.line, decoded.column)
            )
        if role is SIB_OUTPUT:
            read_output(reading, decoded.text)
        else:
            _script(reading, decoded.text)
    name = str(role) if role is not None else ""
    report = reading.file_report(name)
    return Reading(tuple(reading.facts), tuple(reading.findings), (report,))


def _by_folder(path: str, server: str, data: bytes) -> bool:
    """Whether nothing but the folder's name says which bus a document is of."""
    said = recognise(path.rpartition("/")[2], data)
    return server != "" and said is not None and said.server != server


def _script(reading: SibusFileReading, text: str) -> None:
    if len(text) > MAX_SCRIPT:
        reading.partly = True
        message = f"This script is larger than {MAX_SCRIPT // 2**20} MB and is not read."
        reading.report(Severity.ERROR, SCRIPT_TOO_LARGE, message, reading.source())
        return
    follow(reading, read_calls(text))


def _liberty(bundle: Bundle, contents: Mapping[str, bytes], main: BundleFile) -> Reading:
    files = [main, *(file for file in bundle.files if file is not main and file.path in contents)]
    parts = [
        LibertyFile(
            SibusFileReading(bundle.id, bundle.server, file.path),
            xml_text.parse(contents[file.path]),
        )
        for file in files
    ]
    read_liberty(parts, bundle.missing, bundle.server)
    reports = [part.reading.file_report(str(SIB_LIBERTY)) for part in parts]
    reports += [
        _not_read(file, bundle, "was not given to the reader")
        for file in bundle.files
        if file not in files
    ]
    facts = tuple(fact for part in parts for fact in part.reading.facts)
    return Reading(
        facts, tuple(finding for part in parts for finding in part.reading.findings), tuple(reports)
    )


def _not_read(file: BundleFile, bundle: Bundle, note: str) -> FileReport:
    return FileReport(file.path, "not-read", file.part, bundle.system, bundle.server, note=note)
