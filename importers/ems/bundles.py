"""Reading a bundle: the main file first, since it names the server, then the sub-files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding, Severity
from topograph.importers import lexical
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.json_file import read_json
from topograph.importers.ems.kinds import READERS
from topograph.importers.ems.main_file import (
    MainFile,
    check_server_name,
    read_main,
    take_parameter,
)
from topograph.importers.ems.parameters import SUB_FILES
from topograph.importers.lexical import Line
from topograph.importers.reading import Bundle, BundleFile, Options, Reading
from topograph.importers.templates import has_placeholder, placeholder_in
from topograph.rules.ems_findings import (
    BINARY_FILE,
    ENCODING,
    SECTION_3_1,
    TEMPLATE,
    TL_20,
    UNREADABLE_FILE,
)
from topograph.rules.unnumbered import UNSUPPORTED_FILE
from topograph.side_inputs import NewServer


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """All facts and findings of one server's (or pair member's) files, and a report on each file.
    Never raises; linear.

    ``EmsServer.missing`` holds the kinds of sub-files that no imported file answers, and those of
    which an entry or the whole file could not be read (``unread``): of these kinds there may be
    more than the facts say.
    """
    if bundle.new is not None:
        return _new(bundle.id, bundle.new)
    missing = [reference.kind for reference in bundle.missing]
    unread: list[str] = []
    facts: list[Fact] = []
    findings: list[Finding] = []
    reports: list[FileReport] = []
    server = bundle.server
    main: MainFile | None = None
    main_reading: EmsFileReading | None = None
    for file in sorted(bundle.files, key=lambda file: file.part != "main"):
        reading = EmsFileReading(
            bundle.id, server, file.path, strict=options.strict, show_text=file.part != "users"
        )
        text = _text(reading, file, contents)
        if text is None:
            unread.append(file.part)
            reports.append(
                FileReport(file.path, "not-read", file.part, "ems", server, note=_why(reading))
            )
        else:
            _check_template(reading, text, file.part)
            if file.part != "main":
                READERS[file.part](reading, text) if file.part in READERS else _no_reader(
                    reading, file
                )
            elif text.lstrip("\ufeff \t\r\n").startswith("{"):
                main = read_json(reading, text)
            else:
                main = read_main(reading, text)
            if file.part == "main":
                main_reading, server = reading, reading.server
            reading.close()
            if reading.incomplete and file.part != "main":
                unread.append(file.part)
            reports.append(reading.file_report(file.part))
        facts.extend(reading.facts)
        findings.extend(reading.findings)
    if main is not None and main_reading is not None:
        unread.extend(main.incomplete)
        kinds = _sub_files([*missing, *unread])
        facts.insert(
            0,
            main.fact(
                main_reading,
                kinds,
                tuple(kind for kind in _sub_files(unread) if kind not in missing),
            ),
        )
    return Reading(tuple(facts), tuple(findings), tuple(reports))


def _new(bundle: str, entry: NewServer) -> Reading:
    """A server that is not set up yet (``new`` of topograph.yaml): its main file would say what
    the entry says, and name no sub-files."""
    reading = EmsFileReading(bundle, entry.server, entry.source.file)
    at = Line(entry.source.line, entry.server)
    main = MainFile(server=entry.server, server_line=at, server_column=entry.source.column)
    for setting in entry.settings:
        place = setting.source
        for value in setting.values:
            line = Line(place.line, f"{setting.name}: {value}")
            take_parameter(reading, main, setting.name, value, line, place.column)
    check_server_name(reading, main)
    return Reading((main.fact(reading),), tuple(reading.findings))


def _sub_files(kinds: Iterable[str]) -> tuple[str, ...]:
    """Those of the kinds that are sub-files, each once."""
    return tuple(dict.fromkeys(kind for kind in kinds if kind in SUB_FILES))


def _text(reading: EmsFileReading, file: BundleFile, contents: Mapping[str, bytes]) -> str | None:
    """The text of a file, or None, with a finding, if there is none."""
    data = contents.get(file.path)
    if data is None:
        message = "the content of this file was not given to the reader"
        reading.report(
            Severity.ERROR, UNREADABLE_FILE, message, reading.source(0), rule=SECTION_3_1
        )
        return None
    decoded = lexical.decode(data)
    if decoded is None:
        message = "this file is binary, not text"
        reading.report(Severity.ERROR, BINARY_FILE, message, reading.source(0), rule=SECTION_3_1)
        return None
    if decoded.guessed:
        message = (
            f"this file is not UTF-8 from here on; it is read as {decoded.encoding.upper()}, "
            "so names may be wrong"
        )
        reading.report(
            Severity.WARNING,
            ENCODING,
            message,
            reading.source(decoded.line, decoded.column),
            rule=SECTION_3_1,
        )
    return decoded.text


def _check_template(reading: EmsFileReading, text: str, part: str) -> None:
    """A file with placeholders is read, but nobody knows what it comes to."""
    if part == "main" or not has_placeholder(text):
        return
    for line in lexical.lines(text):
        if lexical.is_blank(line.text) or lexical.is_comment(line.text):
            continue
        if column := placeholder_in(line.text):
            message = (
                "there is a placeholder here: this is a template, and what it says is not "
                "known until it is filled in; import the file that is made from it"
            )
            reading.lost()
            reading.warning(TEMPLATE, message, line, column, TL_20)
            return


def _why(reading: EmsFileReading) -> str:
    return reading.findings[-1].message if reading.findings else ""


def _no_reader(reading: EmsFileReading, file: BundleFile) -> None:
    message = f"nothing reads files of the kind {file.part!r}"
    reading.lost()
    reading.report(Severity.WARNING, UNSUPPORTED_FILE, message, reading.source(0))
