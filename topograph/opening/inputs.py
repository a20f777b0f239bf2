"""What both ways of an import say about their inputs: the side inputs in force, and what to tell a
user whose folder holds nothing.

Used by ``topograph.network`` (one process) and ``topograph.pipeline`` (Spark); may import the
importers.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from topograph import extensions
from topograph.errors import InputError
from topograph.facts.plain import fields_of
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers.reading import Recognised
from topograph.importers.side_inputs import parse
from topograph.opening.patterns import selected
from topograph.opening.selection import Selection
from topograph.rules.ems_findings import TL_20, UNREADABLE_FILE
from topograph.rules.unnumbered import (
    ARCHIVE_LIMIT,
    ARCHIVE_MEMBER_REFUSED,
    ARCHIVE_UNREADABLE,
    FILE_TOO_LARGE,
)
from topograph.side_inputs import SideInputs
from topograph.store.listing import IGNORE_FILE, Listing, read_bytes
from topograph.systems.overrides import checked
from topograph.systems.registry import system

SIDE_INPUTS_FILE = "topograph.yaml"
"""At the root of an imported folder this file is read unless another is named."""


Record = TypeVar("Record")


def cited_under(record: Record, folder: str) -> Record:
    """A fact, finding or side input whose places are cited with a folder before their path.
    Linear in the record.
    """
    cited: Record = _cited(record, folder)
    return cited


def _cited(value: Any, folder: str) -> Any:
    if isinstance(value, Source):
        if not value.file:
            return value
        return replace(value, file=folder if value.file == "." else f"{folder}/{value.file}")
    if isinstance(value, tuple):
        items = [_cited(item, folder) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    kind: Any = type(value)
    names = fields_of(kind)
    if names is None:
        return value
    changed = {
        name: new
        for name in names
        if (new := _cited(old := getattr(value, name), folder)) is not old
    }
    return replace(value, **changed) if changed else value


def unreadable_mains(reports: Iterable[FileReport]) -> tuple[str, ...]:
    """The main files of which nothing could be read, by path."""
    return tuple(
        sorted(each.path for each in reports if each.role == "main" and each.status == "not-read")
    )


def side_inputs_for(
    config: str | os.PathLike[str] | None,
    contents: Mapping[str, bytes],
    findings: list[Finding],
    told: Callable[[str], str] = str,
) -> SideInputs:
    """topograph.yaml: the one named, else the one at the root of the folder. Raises InputError
    if the one named cannot be read or has errors (``told`` gives their messages as they may be
    shown); those of the one at the root are findings."""
    if config is None:
        if SIDE_INPUTS_FILE not in contents:
            return SideInputs()
        side_inputs, noticed = _read(SIDE_INPUTS_FILE, contents[SIDE_INPUTS_FILE])
        findings.extend(noticed)
        return side_inputs
    try:
        data = Path(config).read_bytes()
    except OSError as error:
        raise InputError(f"{config} cannot be read: {error.strerror}.") from error
    side_inputs, noticed = _read(Path(config).name, data)
    errors = [finding for finding in noticed if finding.severity is Severity.ERROR]
    if errors:
        raise InputError(
            "; ".join(f"{finding.source}: {told(finding.message)}" for finding in errors)
        )
    findings.extend(noticed)
    return side_inputs


def _read(path: str, data: bytes) -> tuple[SideInputs, list[Finding]]:
    """The side inputs of a file, and what is wrong with them: in the file itself, and with what
    its overrides name.
    """
    side_inputs, noticed = parse(path, data)
    side_inputs, faults = checked(side_inputs)
    return side_inputs, sorted((*noticed, *faults), key=lambda finding: finding.source)


def chosen_files(
    listing: Listing,
    given: Selection,
    config: str | os.PathLike[str] | None,
    read: Callable[[str], bytes | None] | None = None,
) -> Listing:
    """The listing without the files that patterns leave out: those given, and those of
    ``.topographignore`` and of topograph.yaml. ``read`` gives the content of a listed file, in
    place of the file itself. What is wrong with topograph.yaml is reported where it is read. Raises
    as ``selected``."""
    listed = {file.path: file for file in listing.files}

    def content(name: str) -> bytes | None:
        try:
            return read_bytes(listed[name]) if read is None else read(name)
        except OSError:  # read again with all others, which says so
            return None

    data = None
    if config is not None:
        with contextlib.suppress(OSError):
            data = Path(config).read_bytes()
    elif SIDE_INPUTS_FILE in listed:
        data = content(SIDE_INPUTS_FILE)
    name = SIDE_INPUTS_FILE if config is None else Path(config).name
    stated = parse(name, data)[0] if data is not None and b"clude" in data else SideInputs()
    return selected(listing, given, stated, content)


GONE = UNREADABLE_FILE.kind
"""What becomes of a file that was listed and cannot be read: the kind of the finding, and the
note of ``show files``.
"""


def gone_since(path: str, reason: str) -> Finding:
    """The finding for a file that was listed and cannot be read any more."""
    message = f"{path} was listed and cannot be read any more: {reason}."
    return TL_20.at(Source(path), message, kind=UNREADABLE_FILE)


def gone_report(path: str) -> FileReport:
    """The row of ``show files`` for such a file."""
    return FileReport(path, "not-read", note=GONE)


# those of topograph's own systems, in an order that reads well
_MAIN_FILES = (
    "tibemsd.conf, tibemsd.json, qdrouterd.conf, MQSC or server.xml files, wsadmin "
    "scripts, cell documents, YAML of queue managers, or dumps of servers; "
    "docs/inputs.md lists all"
)


def not_read(findings: Iterable[Finding]) -> list[Finding]:
    """The findings about files, archives and members that could not be read, or not to their
    end."""
    return [finding for finding in findings if finding.kind in _NOT_READ]


_NOT_READ = frozenset(
    kind.kind
    for kind in (
        ARCHIVE_LIMIT,
        ARCHIVE_MEMBER_REFUSED,
        ARCHIVE_UNREADABLE,
        FILE_TOO_LARGE,
        UNREADABLE_FILE,
    )
)
_NOT_READ_TOLD = 3


def nothing_recognised(
    path: str,
    recognised: Sequence[Recognised],
    unread: Sequence[Finding] = (),
    told: Callable[[str], str] = str,
    left_out: Sequence[tuple[str, str]] = (),
) -> str:
    """What to tell a user in whose folder no server or router was found: what is there instead, and
    what could not be read (``not_read``; ``told`` says how a text is shown), or was left out by
    patterns (path and reason). A folder whose files cannot be read does not hold none."""
    named = [(file, why) for file, why in left_out if file != IGNORE_FILE]
    if named:
        file, why = named[0]
        rest = nothing_recognised(path, recognised, unread, told)
        reason = f"patterns, such as {told(file)}: {told(why)}"
        return f"{rest} {len(left_out)} files are left out by {reason}."
    further = [system(name) for name in extensions.packages()]
    mains = "; ".join(
        [_MAIN_FILES, *(f"{one.main_files} ({one.title})" for one in further if one.main_files)]
    )
    lost = [f"{told(one.source.file)}: {told(one.message)}" for one in unread[:_NOT_READ_TOLD]]
    more = (
        f" {len(unread) - len(lost):,} more could not be read." if len(unread) > len(lost) else ""
    )
    also = f" Not read: {' '.join(lost)}{more}" if lost else ""
    if not recognised and lost:
        return f"Nothing in {path} could be read. {' '.join(lost)}{more}"
    if not recognised:
        return f"{path} holds no files. Name a folder with {mains}."
    notes = sorted({file.note for file in recognised} - {""})
    seen = f" What is there: {'; '.join(notes[:4])}." if notes else ""
    count = f"{len(recognised)} file{'s' if len(recognised) > 1 else ''}"
    none = f"{count}, and none is the main file of a server or router ({mains})"
    return f"{path} holds {none}.{seen}{also}"
