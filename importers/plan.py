"""From files to bundles: what each file is, which files one server is read from, and reading them.

``recognise`` file by file, ``plan`` over all of an import, ``read_bundle`` bundle by bundle: pure, so that one process and a cluster do the
same. An importer must not raise; if one does, the import goes on and says so.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from topograph import extensions
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers import known_formats, lexical, side_inputs
from topograph.importers.ownership import Servers
from topograph.importers.reading import (
    MAIN_ROLES,
    SAYING_ROLES,
    Bundle,
    BundleFile,
    Importer,
    Options,
    Plan,
    Reading,
    Recognised,
    Reference,
    Role,
)
from topograph.importers.subfiles import Files, beside, resolve
from topograph.side_inputs import SideInputs

_GUESSES = frozenset({Role.OTHER, Role.BINARY, Role.EMS_SUB_FILE})
"""What a file of another system may be taken for: lines of words look like a topics.conf."""

_SYSTEM_OF = {
    Role.EMS_MAIN: "ems",
    Role.EMS_JSON: "ems",
    Role.EMS_SUB_FILE: "ems",
    Role.EMS_SHOW_ROUTES: "ems",
    Role.AMQ_CONF: "amq_interconnect",
    Role.AMQ_JSON: "amq_interconnect",
    Role.AMQ_DUMP: "amq_interconnect",
    Role.AMQ_QDSTAT: "amq_interconnect",
    Role.AMQ_MANIFEST: "amq_interconnect",
}

_UNCLAIMED = "no main file names it"


def recognise(path: str, data: bytes) -> Recognised:
    """What a file is, by its content. Never raises; linear."""
    found: Recognised | None = side_inputs.recognise(path, data)
    if found is not None:
        return found
    noted = ""
    guessed: Recognised | None = None
    for system in extensions.OWN:
        found, note = _recognised(system, _importer(system), path, data)
        if found is not None and found.role not in _GUESSES:
            return found
        if found is not None and found.role is Role.EMS_SUB_FILE:
            guessed = guessed or found
        noted = noted or note
    for system in extensions.packages():
        found, note = _recognised(system, _importer(system), path, data)
        if found is not None and found.role in (Role.MAIN, Role.SUB_FILE):
            return replace(found, system=system)
        noted = noted or note
    if guessed is not None:
        return guessed
    role = Role.BINARY if lexical.decode(data) is None else Role.OTHER
    if not noted:
        name = known_formats.name_of(data)
        noted = f"recognised as {name}, not read" if name else "binary, not read" if role is Role.BINARY else ""
    return Recognised(path, role, note=noted)


def _importer(system: str) -> Importer:
    """The importer of a system, imported on first use. Raises UnknownSystem where no package answers for it."""
    found: Importer = extensions.module(system, "importer")
    return found


def _recognised(system: str, importer: Importer, path: str, data: bytes) -> tuple[Recognised | None, str]:
    """What a system says a file is, and the note that stays if nobody claims it."""
    try:
        found = importer.recognise(path, data)
    except Exception as error:  # reported by the note: one file must not end the import of all others
        return None, f"could not be recognised: the {system} importer failed with {type(error).__name__}"
    return found, found.note if found is not None else ""


def _system(file: Recognised) -> str:
    return file.system or _SYSTEM_OF.get(file.role, "")


def plan(recognised: Sequence[Recognised], side_inputs: SideInputs, aliases: Sequence[tuple[str, str]] = ()) -> Plan:
    """The bundles of an import (ems.md 3.1): one for each main file, with the sub-files it names, which bundles may share.

    ``aliases`` are the links of the listing: (link, place). Everything is in the order of paths, whatever the order given. Linear in the
    files and references, apart from sorting.
    """
    files = sorted(recognised, key=lambda file: file.path)
    index = Files.of(files, aliases)
    findings: list[Finding] = []
    mute = {file.path for file in files if file.role in SAYING_ROLES and not file.server}
    mains = [file for file in files if file.role in MAIN_ROLES and file.path not in mute]
    bundles = [_bundle(file, index, side_inputs, findings) for file in mains]
    bundles += _by_place([file for file in files if file.path in mute], bundles, side_inputs, findings)
    bundles.sort(key=lambda bundle: bundle.id)
    shown = [file for file in files if file.role is Role.EMS_SHOW_ROUTES]
    servers = Servers([bundle for bundle in bundles if bundle.system == "ems"], side_inputs)
    outputs: dict[str, list[BundleFile]] = {}
    for file in shown:
        owner = servers.owner(file)
        if isinstance(owner, str):
            findings.append(_unclaimed(file, owner))
        else:
            outputs.setdefault(owner.id, []).append(BundleFile("show-routes", file.path))
    bundles = [replace(bundle, files=(*bundle.files, *outputs.get(bundle.id, ()))) for bundle in bundles]
    claimed = {file.path for bundle in bundles for file in bundle.files}
    left = [file for file in files if file.path not in claimed]
    said = (Role.EMS_SHOW_ROUTES, Role.SIDE_INPUTS, *SAYING_ROLES)
    findings += [_unclaimed(file) for file in left if file.role not in said]
    findings += [
        _side_inputs_not_used(file)
        for file in left
        if file.role is Role.SIDE_INPUTS and file.path not in side_inputs.files
    ]
    reports = tuple(_report(file, side_inputs) for file in left)
    return Plan(tuple(bundles), tuple(sorted(findings, key=lambda finding: (finding.source, finding.kind))), reports)


def _by_place(
    files: Sequence[Recognised], bundles: Sequence[Bundle], side_inputs: SideInputs, findings: list[Finding]
) -> list[Bundle]:
    """A bundle for each of the files that say what ran, but not where: of the server that its name or folder says, see ``Servers``."""
    found: list[Bundle] = []
    for system in sorted({_system(file) for file in files}):
        servers = Servers([bundle for bundle in bundles if bundle.system == system], side_inputs)
        for file in files:
            if _system(file) != system:
                continue
            owner = servers.owner(file)
            if isinstance(owner, str):
                findings.append(_unclaimed(file, owner))
            else:
                found.append(Bundle(file.path, system, owner.server, (BundleFile("main", file.path),)))
    return found


def read_bundle(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """The facts, findings and file reports of a bundle. ``contents`` has the bytes of its files by path; one that is not there could not be
    read, and is then missing. Never raises: an importer that fails is the error ``importer-failed``, and nothing of the bundle is read.
    """
    absent = [file for file in bundle.files if file.path not in contents]
    lost = Reading(
        findings=tuple(_unreadable(file, bundle) for file in absent),
        files=tuple(_not_read(file, bundle, "could not be read") for file in absent),
    )
    if any(file.part == "main" for file in absent):
        rest = tuple(
            _not_read(file, bundle, "its main file could not be read") for file in bundle.files if file not in absent
        )
        return replace(lost, files=lost.files + rest)
    if absent:
        gone = tuple(
            Reference(file.part, file.path, Source(bundle.id)) for file in absent if file.part != "show-routes"
        )
        present = tuple(file for file in bundle.files if file not in absent)
        bundle = replace(bundle, files=present, missing=bundle.missing + gone)
    try:
        reading = _importer(bundle.system).read(bundle, contents, options)
    except Exception as error:  # reported as a finding: one server must not end the import of all others
        reading = _failed(bundle, error)
    return Reading(reading.facts, lost.findings + reading.findings, lost.files + reading.files)


def _bundle(main: Recognised, index: Files, side_inputs: SideInputs, findings: list[Finding]) -> Bundle:
    files = [BundleFile("main", main.path)]
    missing: list[Reference] = []
    for reference in main.references:
        if reference.unstated:
            if path := index.at(beside(main.path, reference.name)):
                files.append(BundleFile(reference.kind, path))
                findings.append(_by_usual_name(reference, main, path))
            continue
        resolution = resolve(reference, main.path, main.server, index, side_inputs.paths)
        if resolution.finding is not None:
            findings.append(resolution.finding)
        if resolution.path:
            files.append(BundleFile(reference.kind, resolution.path))
        else:
            missing.append(reference)
    return Bundle(main.path, _system(main), main.server, tuple(files), tuple(missing))


def _by_usual_name(reference: Reference, main: Recognised, path: str) -> Finding:
    """Severity info: this is what the server does, and worth knowing where the file was not meant."""
    message = f"{main.path} does not say where its {reference.kind} are; {path}, the usual name beside it, is read."
    return Finding("subfile-by-usual-name", Severity.INFO, message, reference.source, "TL-20", server=main.server)


def _unclaimed(file: Recognised, why: str = "") -> Finding:
    """A file that no bundle uses: a warning if it looks as if it belonged to a server."""
    belongs = file.role in (Role.EMS_SUB_FILE, Role.SUB_FILE, Role.EMS_SHOW_ROUTES, *SAYING_ROLES)
    what = file.note or "not recognised"
    if file.role is Role.EMS_SHOW_ROUTES:
        message = f"This is output of show routes and is not used: {why}."
    elif file.role in SAYING_ROLES:
        message = f"This is what a running server said, and is not used: {why}."
    elif belongs:
        message = f"This file is not used ({what}): {_UNCLAIMED}."
    else:
        message = f"This file is not used: {what}."
    severity = Severity.WARNING if belongs else Severity.INFO
    return Finding("unclaimed-file", severity, message, Source(file.path), "3.1")


def _side_inputs_not_used(file: Recognised) -> Finding:
    message = (
        "This file is not used: side inputs are read from topograph.yaml at the root of the import, or from --config."
    )
    return Finding("side-inputs-not-used", Severity.WARNING, message, Source(file.path))


def _report(file: Recognised, side_inputs: SideInputs) -> FileReport:
    """The row of ``show files`` for a file that no bundle uses."""
    system = _system(file)
    if file.role is Role.SIDE_INPUTS:
        used = file.path in side_inputs.files
        sections = (side_inputs.hosts, side_inputs.paths, side_inputs.clients, side_inputs.versions)
        count = sum(map(len, sections)) if used else 0
        return FileReport(file.path, "read" if used else "unclaimed", str(file.role), read=count)
    if file.role in SAYING_ROLES:
        return FileReport(file.path, "unclaimed", str(file.role), system, note="does not say which server it is of")
    if file.role in (Role.EMS_SUB_FILE, Role.SUB_FILE, Role.EMS_SHOW_ROUTES):
        return FileReport(file.path, "unclaimed", str(file.role), system, file.server, note=file.note or _UNCLAIMED)
    status = "not-read" if file.note or file.role is Role.BINARY else "unclaimed"
    return FileReport(file.path, status, str(file.role), system, file.server, note=file.note)


def _not_read(file: BundleFile, bundle: Bundle, note: str) -> FileReport:
    return FileReport(file.path, "not-read", file.part, bundle.system, bundle.server, note=note)


def _unreadable(file: BundleFile, bundle: Bundle) -> Finding:
    message = f"This file ({file.part} of {bundle.server or bundle.id}) could not be read: answers about that server are incomplete."
    return Finding("unreadable-file", Severity.ERROR, message, Source(file.path), "TL-20", server=bundle.server)


def _failed(bundle: Bundle, error: Exception) -> Reading:
    """What to say of an importer that raised: the type and the place in our code, never its message, which may quote a secret."""
    whose = "topograph" if bundle.system in extensions.OWN else "the package that adds this system"
    message = (
        f"The {bundle.system} importer failed with {type(error).__name__} ({_place(error)}): nothing of "
        f"{bundle.server or 'this server'} is read. This is a mistake in {whose}; please report it."
    )
    finding = Finding("importer-failed", Severity.ERROR, message, Source(bundle.id), server=bundle.server)
    return Reading(
        findings=(finding,),
        files=tuple(_not_read(file, bundle, f"importer failed: {type(error).__name__}") for file in bundle.files),
    )


def _place(error: Exception) -> str:
    frames: Iterator[traceback.FrameSummary] = reversed(traceback.extract_tb(error.__traceback__))
    frame = next(frames, None)
    return f"{PurePosixPath(frame.filename).name}:{frame.lineno}" if frame else "no place"
