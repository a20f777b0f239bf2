"""What a folder holds, by the plan of its import: one reading of the files."""

from __future__ import annotations

import os
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from topograph.files import FileReport
from topograph.findings import Source
from topograph.importers.choices import alike
from topograph.importers.reading import Bundle, BundleFile, Recognised, Use
from topograph.local_paths import check_local
from topograph.opening.folders import PlannedFolder, plan_folder
from topograph.opening.models import model_of
from topograph.opening.selection import Selection
from topograph.surveying.hosts import guessed_hosts
from topograph.surveying.records import (
    Evidence,
    LeftOutFile,
    NamedServer,
    Survey,
    SurveyedCopy,
    SurveyedEnvironment,
    SurveyedFile,
    SurveyedServer,
)

_ORDER = list(Evidence)
_OLD = re.compile(
    r"(?:old|bak|backups?|archived?|archiv|previous|prev|save[ds]?|orig|\d{4}(?:-?\d\d){0,2})\Z",
    re.IGNORECASE,
)
"""Names of folders that people keep earlier states in."""


_Rows = Sequence[Mapping[str, object]]


def survey(
    path: str | os.PathLike[str], *, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> Survey:
    """What a folder, file or archive of configuration holds: which servers, by which files and why,
    copies, environments, servers that are only named, and what is left out.

    It is worked out by the plan of the import, so that a question on the folder reads the same.
    ``include`` and ``exclude`` as for ``topograph.read``. Raises InputError where nothing can be
    read, UsageError for a pattern that is none and for more files than a question reads. Linear in
    the files.
    """
    check_local(path)
    folder = plan_folder(path, Selection(tuple(include), tuple(exclude)))
    reports, rows, findings = _of_snapshot(folder)
    servers = _servers(folder, reports)
    environments = tuple(_environments(folder))
    return Survey(
        os.fspath(path),
        len(folder.listing.files) + len(folder.listing.skipped),
        servers,
        environments,
        tuple(SurveyedCopy(one.path, one.of, one.by, one.server) for one in folder.plan.copies),
        tuple(_named_only(folder, rows, servers)),
        tuple(_left_out(folder)),
        guessed_hosts(findings, servers),
    )


def _of_snapshot(
    folder: PlannedFolder,
) -> tuple[Mapping[str, FileReport], _Rows, _Rows]:
    """The reports of files by path, and the rows of ``show servers`` and of ``show findings``."""
    if folder.snapshot is None:
        return {}, (), ()
    from topograph.questions.show import show

    model = model_of(folder.snapshot, folder.snapshot.networks[0])
    rows: _Rows = show(model, "servers").rows
    files = show(model, "files").rows
    reports = {
        str(row["path"]): FileReport(
            str(row["path"]), str(row["status"]), str(row["role"]), server=str(row["server"])
        )
        for row in files
    }
    return reports, rows, show(model, "findings").rows


def _servers(
    folder: PlannedFolder, reports: Mapping[str, FileReport]
) -> tuple[SurveyedServer, ...]:
    """The servers that bundles describe, with the files of each."""
    recognised = {file.path: file for file in folder.recognised}
    chosen = {path for entry in folder.side_inputs.servers for path in entry.files}
    found: dict[tuple[str, str], dict[str, SurveyedFile]] = {}
    guessed: dict[tuple[str, str], bool] = {}
    for bundle in folder.plan.bundles:
        if bundle.new is not None:
            continue
        said = reports[bundle.id].server if bundle.id in reports else ""
        names = said.split(", ") if said else [bundle.server or f"server at {bundle.id}"]
        for name in names:
            key = name, bundle.system
            files = found.setdefault(key, {})
            for part in bundle.files:
                one = _file(part, bundle, name, recognised, chosen)
                files.setdefault(part.path, one)
            stated = not files[bundle.id].evidence.is_guess
            guessed[key] = guessed.get(key, True) and not stated
    nearly = {one.server: one.file for one in folder.side_inputs.choices if one.kind == "name"}
    return tuple(
        SurveyedServer(
            name,
            system,
            guessed[name, system],
            tuple(sorted(files.values(), key=lambda one: (_ORDER.index(one.evidence), one.file))),
            nearly.get(name, ""),
        )
        for (name, system), files in sorted(found.items())
    )


def _file(
    part: BundleFile,
    bundle: Bundle,
    name: str,
    recognised: Mapping[str, Recognised],
    chosen: Iterable[str],
) -> SurveyedFile:
    """A file of a bundle, and what says that it is of the server."""
    file = recognised[part.path]
    role = str(file.role) if part.part == "main" else part.part
    if part.path in chosen:
        evidence, because = Evidence.SIDE_INPUTS, "servers in topograph.yaml names it"
    elif part.is_output or (part.part == "main" and file.role.use is Use.OBSERVED):
        evidence, because = _of_output(file, name)
    elif part.part == "main":
        evidence, because = _of_main(file, bundle, name)
    else:
        evidence, because = Evidence.REFERENCED, f"{bundle.id} names it"
    return SurveyedFile(part.path, role, evidence, because)


def _of_main(file: Recognised, bundle: Bundle, name: str) -> tuple[Evidence, str]:
    if not bundle.guessed and f"server at {bundle.id}" != name and file.path not in name:
        first = file.server.casefold() == name.casefold()
        return Evidence.STATED, (file.named_by if first else "") or "the file names it"
    stem = PurePosixPath(file.path).name
    if name.casefold() in stem.casefold() or file.path in name:
        return Evidence.FILE_NAME, "the name of the file; nothing in it names the server"
    return Evidence.FOLDER, "the name of the folder; nothing in the file names the server"


def _of_output(file: Recognised, name: str) -> tuple[Evidence, str]:
    if file.server and file.server.casefold() == name.casefold():
        return Evidence.PROMPT, "its output names the server"
    if file.server or file.at:
        return Evidence.PROMPT, f"its prompt shows {file.at or file.server}, which is the server"
    if name.casefold() in PurePosixPath(file.path).name.casefold():
        return Evidence.FILE_NAME, "the name of the file"
    return Evidence.FOLDER, "the only server near its folder"


def _environments(folder: PlannedFolder) -> Iterator[SurveyedEnvironment]:
    """The folders that describe servers differently; what asks about one that holds another is
    what leaves the other out."""
    if folder.snapshot is None:
        return
    name = folder.snapshot.networks[0]
    found = folder.snapshot.side_inputs(name).contradictions
    servers: dict[str, set[str]] = {}
    for one in found:
        for place in one.folders:
            servers.setdefault(place, set()).add(one.server)
    for place in sorted(servers):
        inner = [other for other in sorted(servers) if other != place and _holds(place, other)]
        outer, _, inside = place.partition("!")
        ask = f"-s {shlex.quote(posixpath.normpath(posixpath.join(folder.path, outer)))}"
        if inside.strip("/"):
            ask += f" --include {shlex.quote(inside.strip('/') + '/')}"
        for other in inner:
            below = other if place == "." else other[len(place) + 1 :]
            ask += f" --exclude {shlex.quote(f'/{below}/')}"
        yield SurveyedEnvironment(place, tuple(sorted(servers[place])), ask)


def is_old(folder: str) -> bool:
    """Whether the name of a folder says that it holds an earlier state.

    >>> [is_old(name) for name in ("conf/old", "2025", "PROD", "backup")]
    [True, True, False, True]
    """
    return _OLD.match(PurePosixPath(folder).name) is not None


def _holds(folder: str, other: str) -> bool:
    return folder == "." or other.startswith(f"{folder}/")


def _named_only(
    folder: PlannedFolder,
    rows: Sequence[Mapping[str, object]],
    servers: Sequence[SurveyedServer],
) -> Iterator[NamedServer]:
    """The servers of which no configuration is loaded."""
    unused = sorted({*(report.path for report in folder.plan.files), *folder.listing.skipped})
    guessed = {(one.system, alike(one.server)): one.server for one in servers if one.guessed}
    for row in rows:
        if row.get("loaded"):
            continue
        name, system = str(row["server"]), str(row["system"])
        word = alike(name)
        fitting = [
            path for path in unused if len(word) > 1 and word in alike(PurePosixPath(path).name)
        ]
        meant = guessed.get((system, word), "")
        yield NamedServer(name, system, _place(row.get("source")), tuple(fitting[:5]), meant)


def _place(source: object) -> str:
    """The place in a row, as FILE:LINE:COLUMN."""
    if isinstance(source, Mapping):
        return str(Source(source["file"], source["line"], source["column"]))
    return str(source or "")


def _left_out(folder: PlannedFolder) -> Iterator[LeftOutFile]:
    """The files that are not read, by path."""
    copies = {one.path for one in folder.plan.copies}
    why = {report.path: report.note for report in folder.listing.reports}
    for report in folder.plan.files:
        if report.status != "read" and report.path not in copies:
            why[report.path] = report.note or "not recognised"
    for path, because in sorted(why.items()):
        yield LeftOutFile(path, because)
