"""From files to a snapshot in memory, in one process and without Spark: what ``topograph.read``,
tests and audits share.

``read_snapshot`` reads a folder, ``open_folder`` only one whose content was not read before;
``network_data`` compiles facts that are there already.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from topograph.errors import InputError, UsageError
from topograph.facts.choice import fact_order
from topograph.findings import Finding, distinct
from topograph.local_paths import check_local
from topograph.opening.selection import EVERYTHING, Selection
from topograph.process.garbage import collector_paused
from topograph.records import record
from topograph.rules.unnumbered import IMPORTER_FAILED, INTERNAL_ERROR
from topograph.store.archives import DEFAULT, ArchiveLimits
from topograph.store.listing import (
    Listing,
    TooMuch,
    list_inputs,
    network_name,
    read_bytes,
    reason_of,
)
from topograph.store.origin import Origin, changed, committed
from topograph.store.snapshot import MemorySnapshot, NetworkData
from topograph.systems import compile_network, systems_in

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.files import FileReport
    from topograph.importers.reading import Bundle, Plan, Reading, Recognised
    from topograph.redaction.key import Key
    from topograph.side_inputs import SideInputs
    from topograph.store.git_objects import GitObjects
    from topograph.store.readings import KeptReading
    from topograph.store.revisions import Checked, Revision


def network_data(
    facts: Sequence[Fact],
    side_inputs: SideInputs,
    findings: Sequence[Finding] = (),
    files: Sequence[FileReport] = (),
) -> NetworkData:
    """Facts and side inputs, compiled: all that one network of a snapshot holds. Linear in the
    facts, and what compiling takes.

    A system whose rules fail has no servers, with a finding. Raises TopographError if no system
    is left."""
    from topograph.store.reports import keep_reports

    compiled = compile_network(facts, side_inputs)
    keep_reports(compiled.errors, anything_left=any(tables.servers for tables in compiled.tables))
    return NetworkData(
        compiled.tables,
        facts,
        distinct([*findings, *compiled.findings]),
        files,
        replace(side_inputs, contradictions=compiled.contradictions),
    )


def read_snapshot(
    path: str | os.PathLike[str],
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    redact: bool = False,
    chosen: Selection = EVERYTHING,
) -> MemorySnapshot:
    """The snapshot that ``read`` asks: the same facts, tables and findings as an import through
    Spark writes.

    Raises InputError where nothing can be read or no server or router is recognised, UsageError
    for an unusable redaction key and for a URL in place of a path."""
    check_local(path, config)
    gathered = _gather(path, chosen=chosen, config=config)
    return _read(gathered, config, strict=strict, key=_redaction_key() if redact else None)


MOST_ENTRIES = 20_000
"""Files and folders of a folder that a question reads itself; more of them are imported first
(docs/decisions/013-answers-without-an-import.md).
"""

MOST_BYTES = 64 * 2**20
"""Bytes of all files of such a folder, unpacked."""


def _asked() -> ArchiveLimits:
    """What a question reads of a folder at most."""
    return replace(DEFAULT, entries=MOST_ENTRIES, total_bytes=MOST_BYTES)


def open_folder(
    path: str | os.PathLike[str], chosen: Selection = EVERYTHING
) -> MemorySnapshot | KeptReading:
    """The snapshot of a folder, file or archive of configuration, out of the cache where the same
    content was read before; of the files those that ``chosen`` and the patterns in the folder
    leave.

    The id is the one that ``topograph import`` gives. Raises UsageError where there is no main file
    of a server or router or more than MOST_ENTRIES files and folders or MOST_BYTES bytes,
    InputError where nothing can be read. Linear in the bytes of the files.
    """
    try:
        return _kept_or_read(_gather(path, _asked(), chosen))
    except TooMuch as much:
        raise UsageError(
            f"{path} holds {much}, which is more than a question reads. Import it once, "
            "and ask the snapshot: "
            f"topograph import {path} -o SNAPSHOT"
        ) from None
    except _NothingRecognised as error:
        raise UsageError(f"{error} It is not a snapshot either.") from None


def open_revision(
    revision: Revision, chosen: Selection = EVERYTHING
) -> MemorySnapshot | KeptReading:
    """The snapshot of a folder in a commit, read as ``open_folder`` reads one on disk, but that
    places are cited from the top of the repository: ``FOLDER/file:line``. Its name says which
    commit it is.

    Raises as ``open_folder`` and ``store.revisions.read_revision``."""
    from topograph.store.revisions import read_revision

    with _beyond_a_revision(revision):
        return _kept_or_read(_of_commit(read_revision(revision, _asked()), chosen))


def read_commit(
    objects: GitObjects,
    revision: Revision,
    chosen: Selection,
    readings: Readings,
    replaced: Mapping[str, bytes] = MappingProxyType({}),
) -> MemorySnapshot:
    """The snapshot that ``open_revision`` gives, of one of many commits: what ``readings`` holds is
    not read again, and the cache on disk is left alone. ``replaced`` are the contents of files that
    are read in place of those of the commit, by their path from the top of the repository. Raises
    as ``open_revision``."""
    from topograph.store.revisions import read_from

    with _beyond_a_revision(revision):
        checked = read_from(objects, revision, _asked())
        if replaced:
            at = f"{checked.listed.folder}/" if checked.listed.folder else ""
            own = {path.removeprefix(at): data for path, data in replaced.items()}
            contents = {**checked.listed.contents, **own}
            checked = replace(checked, listed=replace(checked.listed, contents=contents))
        return _read(_of_commit(checked, chosen), readings=readings)


@contextmanager
def _beyond_a_revision(revision: Revision) -> Iterator[None]:
    """What a folder in a commit cannot be, said as wrong usage."""
    try:
        yield
    except TooMuch as much:
        raise UsageError(
            f"{revision} holds {much}, which is more than a question reads. Check it out "
            "(git worktree add), import the folder once, and ask the snapshot."
        ) from None
    except _NothingRecognised as error:
        raise UsageError(str(error)) from None


def _of_commit(checked: Checked, chosen: Selection) -> _Gathered:
    """The files of a folder in a commit that are to be read."""
    from topograph.opening.inputs import chosen_files

    listed = checked.listed
    listing = chosen_files(listed.listing, chosen, None, listed.contents.get)
    kept = {file.path for file in listing.files}
    contents = {path: data for path, data in listed.contents.items() if path in kept}
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
    name = listed.name or network_name(_repository())
    at = f"{listed.folder}/" if listed.folder else ""
    when = committed(checked.content, {f"{at}{path}": digest for path, digest in digests.items()})
    return _Gathered(checked.called, name, listing, contents, digests, {}, when, listed.folder)


def _repository() -> Path:
    """The folder that the current one's repository is checked out to; the current one where that
    cannot be seen.
    """
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


@record(slots=False)
class PlannedFolder:
    """The files of a folder, what each is, and what the import would read of them; ``snapshot`` is
    None where no server or router is recognised."""

    path: str
    listing: Listing
    recognised: Sequence[Recognised]
    side_inputs: SideInputs
    plan: Plan
    findings: Sequence[Finding]
    snapshot: MemorySnapshot | KeptReading | None


def plan_folder(path: str | os.PathLike[str], chosen: Selection = EVERYTHING) -> PlannedFolder:
    """What the import makes of a folder, and its snapshot: one reading of the files. Raises as
    ``open_folder``, but for a folder without servers."""
    try:
        gathered = _gather(path, _asked(), chosen)
    except TooMuch as much:
        raise UsageError(
            f"{path} holds {much}, which is more than a survey reads. Survey one of its folders, "
            "or leave out what is not configuration (--exclude)."
        ) from None
    made = _planned(gathered)
    snapshot = _kept_or_read(gathered, made) if made.plan.bundles else None
    return PlannedFolder(
        gathered.path,
        gathered.listing,
        made.recognised,
        made.side_inputs,
        made.plan,
        made.findings,
        snapshot,
    )


def _kept_or_read(gathered: _Gathered, made: _Made | None = None) -> MemorySnapshot | KeptReading:
    """The snapshot of what was gathered, out of the cache or into it. Raises _NothingRecognised."""
    from topograph.store import readings

    key = _key(gathered) if readings.may_be_kept() else ""
    kept = readings.find(key, gathered.path) if key else None
    if kept is not None:
        kept.origin_of_all = gathered.origin
        return kept
    snapshot = _read(gathered, made=made)
    # Reading may have come across a system from outside; and a fault of ours may be one of the
    # moment, such as too little memory.
    faultless = not any(
        finding.kind in _FAULTS for data in snapshot.data.values() for finding in data.findings
    )
    if key and faultless and readings.may_be_kept() and readings.keep(key, snapshot):
        snapshot.key = key
    return snapshot


_FAULTS = (INTERNAL_ERROR.kind, IMPORTER_FAILED.kind)
"""Kinds of findings about a fault of topograph."""


class _NothingRecognised(InputError):
    """All files can be read, and no server or router is configured in any."""


@record(slots=False)
class _Gathered:
    """The inputs of one network: the files of a folder with their contents, before anything is
    read out of them.
    """

    path: str
    name: str
    listing: Listing
    contents: Mapping[str, bytes]
    digests: Mapping[str, str]
    """SHA-256 by path."""
    gone: Mapping[str, str]
    """Path to reason, of files that were listed and cannot be read any more."""
    origin: Origin
    """When the files are from."""
    under: str = ""
    """The folder that places are cited with before their path; empty for none."""


def _gather(
    path: str | os.PathLike[str],
    limits: ArchiveLimits = DEFAULT,
    chosen: Selection = EVERYTHING,
    config: str | os.PathLike[str] | None = None,
) -> _Gathered:
    """List and load the files of a folder that are to be read. Linear in their bytes, which are
    all in memory then."""
    from topograph.opening.inputs import chosen_files

    root = Path(path)
    listing = chosen_files(list_inputs(root, limits=limits), chosen, config)
    contents: dict[str, bytes] = {}
    gone: dict[str, str] = {}
    for file in listing.files:
        try:
            contents[file.path] = read_bytes(file)
        except OSError as error:
            gone[file.path] = reason_of(error)
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
    when = changed((file.absolute for file in listing.files), digests)
    return _Gathered(os.fspath(path), network_name(root), listing, contents, digests, gone, when)


def _key(gathered: _Gathered) -> str:
    """A key over everything that a reading follows from: every file's path and content
    (topograph.yaml at the root is one of them), what listing them found, the name of the
    network, and this program; not where the files lie or when they changed."""
    from topograph.facts.plain import to_plain
    from topograph.store.readings import tool

    text = {
        "tool": tool(),
        "name": gathered.name,
        "files": gathered.digests,
        "gone": gathered.gone,
        "findings": to_plain(gathered.listing.findings),
        "aliases": gathered.listing.aliases,
        "under": gathered.under,
        "left_out": gathered.listing.left_out,
    }
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()


@record(slots=False)
class _Made:
    """What the files of a folder are, and the plan of reading them."""

    recognised: Sequence[Recognised]
    side_inputs: SideInputs
    plan: Plan
    findings: Sequence[Finding]
    """What is wrong with topograph.yaml."""


@dataclass
class Readings:
    """What files are and what bundles hold, by content: of many states of one folder each file is
    looked into once. Recognising and reading are pure, so that nothing else decides.
    """

    _recognised: dict[tuple[str, str], Recognised] = field(default_factory=dict)
    _read: dict[object, Reading] = field(default_factory=dict)

    def recognised(self, path: str, data: bytes, digest: str) -> Recognised:
        """``importers.plan.recognise``, once for each path and content."""
        from topograph.importers.plan import recognise

        key = path, digest
        if key not in self._recognised:
            self._recognised[key] = recognise(path, data)
        return self._recognised[key]

    def read(self, bundle: Bundle, gathered: _Gathered, *, strict: bool) -> Reading:
        """The reading of a bundle, its places cited from where the folder lies: once for each plan
        and content."""
        key = (
            bundle,
            tuple((gathered.digests.get(one.path, ""), one.is_output) for one in bundle.files),
            gathered.under,
            strict,
        )
        if key not in self._read:
            self._read[key] = _bundle_read(bundle, gathered, strict=strict)
        return self._read[key]


def _bundle_read(bundle: Bundle, gathered: _Gathered, *, strict: bool) -> Reading:
    from topograph.importers.plan import read_bundle
    from topograph.importers.reading import Options
    from topograph.opening.inputs import cited_under

    contents, under = gathered.contents, gathered.under
    own = {file.path: contents[file.path] for file in bundle.files if file.path in contents}
    reading = read_bundle(bundle, own, Options(strict=strict))
    if not under:
        return reading
    return replace(
        reading,
        facts=tuple(cited_under(fact, under) for fact in reading.facts),
        findings=tuple(cited_under(finding, under) for finding in reading.findings),
        files=tuple(replace(one, path=f"{under}/{one.path}") for one in reading.files),
    )


def _planned(
    gathered: _Gathered,
    config: str | os.PathLike[str] | None = None,
    key: Key | None = None,
    readings: Readings | None = None,
) -> _Made:
    """Recognise what was gathered, and plan."""
    from topograph.importers.plan import plan, recognise
    from topograph.opening.inputs import side_inputs_for

    findings: list[Finding] = []
    side_inputs = side_inputs_for(config, gathered.contents, findings, _told(key))
    recognised = [
        recognise(file, data)
        if readings is None
        else readings.recognised(file, data, gathered.digests[file])
        for file, data in gathered.contents.items()
    ]
    planned = plan(recognised, side_inputs, gathered.listing.aliases)
    side_inputs = replace(side_inputs, choices=planned.choices)
    return _Made(recognised, side_inputs, planned, findings)


@collector_paused()
def _read(
    gathered: _Gathered,
    config: str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    key: Key | None = None,
    made: _Made | None = None,
    readings: Readings | None = None,
) -> MemorySnapshot:
    """Recognise, plan, read and compile what was gathered; ``made`` is its plan, where there is
    one already, ``readings`` what was read of other states of the folder."""
    from topograph import extensions
    from topograph.opening.inputs import (
        GONE,
        cited_under,
        gone_report,
        gone_since,
        not_read,
        nothing_recognised,
        unreadable_mains,
    )
    from topograph.store.identity import NetworkInputs, snapshot_id

    name, listing, under = gathered.name, gathered.listing, gathered.under
    findings: list[Finding] = [
        *listing.findings,
        *(gone_since(file, why) for file, why in gathered.gone.items()),
    ]
    made = made or _planned(gathered, config, key, readings)
    side_inputs, recognised, planned = made.side_inputs, made.recognised, made.plan
    findings.extend(made.findings)
    if not planned.bundles:
        unread = not_read(findings)
        left_out = gathered.listing.left_out
        what = nothing_recognised(gathered.path, recognised, unread, _told(key), left_out)
        raise InputError(what) if unread else _NothingRecognised(what)
    findings.extend(planned.findings)
    facts: list[Fact] = []
    files: list[FileReport] = [*listing.reports, *map(gone_report, gathered.gone), *planned.files]
    if under:
        findings = [cited_under(finding, under) for finding in findings]
        files = [replace(report, path=f"{under}/{report.path}") for report in files]
    for bundle in planned.bundles:
        reading = (
            _bundle_read(bundle, gathered, strict=strict)
            if readings is None
            else readings.read(bundle, gathered, strict=strict)
        )
        facts.extend(reading.facts)
        findings.extend(reading.findings)
        files.extend(reading.files)
    inputs = NetworkInputs(
        gathered.digests, {**listing.skipped, **dict.fromkeys(gathered.gone, GONE)}, side_inputs
    )
    options: dict[str, object] = {"strict": strict}
    if under:
        options["under"] = under
        side_inputs = cited_under(side_inputs, under)
    if key is not None:
        from topograph.redaction.redactor import redactor_of

        # Before anything is derived from the facts, so that all of it is derived from redacted
        # ones.
        redactor = redactor_of(key, facts, side_inputs, [*inputs.files, *inputs.skipped])
        facts = [redactor.record(fact) for fact in facts]
        findings = [*map(redactor.record, findings), *redactor.findings()]
        files = [redactor.record(report) for report in files]
        name, inputs = redactor.path(name), redactor.inputs(inputs)
        side_inputs = inputs.side_inputs
        options["redact"] = redactor.fingerprint
    data = network_data(in_order(facts), side_inputs, findings, sorted(files, key=_REPORT_ORDER))
    data.findings = sorted(data.findings, key=_finding_order)
    options |= extensions.options(name for tables in data.tables for name in systems_in(tables))
    made_of = snapshot_id({name: inputs}, options)
    fingerprint = key.fingerprint if key is not None else ""
    origin = replace(gathered.origin, digests=inputs.files) if key is not None else gathered.origin
    return MemorySnapshot(
        made_of, gathered.path, {name: data}, fingerprint, unreadable_mains(files), origin
    )


_REPORT_ORDER = attrgetter(
    "path", "status", "role", "system", "server", "read", "ignored", "unsupported", "note"
)


def _finding_order(finding: Finding) -> tuple[object, ...]:
    place = finding.source.file, finding.source.line, finding.source.column
    return (
        *place,
        finding.kind,
        finding.severity,
        finding.rule,
        finding.server,
        finding.message,
        finding.excerpt,
    )


def in_order(facts: Sequence[Fact]) -> list[Fact]:
    """Facts in the order of a snapshot (``store.records.SORTED_BY``). The last columns are worked
    out only where all others are equal.
    """
    from topograph.facts.rows import encode

    def place(fact: Fact) -> tuple[object, ...]:
        return *fact_order(fact), fact.system, fact.kind

    def rest(fact: Fact) -> tuple[str, str]:
        row = encode(fact)
        return row["name"], row["payload"]

    ordered: list[Fact] = []
    for _, group in groupby(sorted(facts, key=place), key=place):
        own = list(group)
        ordered += sorted(own, key=rest) if len(own) > 1 else own
    return ordered


def _redaction_key() -> Key:
    from topograph.redaction.key import key_in_effect

    return key_in_effect()


def _told(key: Key | None) -> Callable[[str], str]:
    """How a message about a file that is not among those read is shown."""
    if key is None:
        return str
    from topograph.redaction.redactor import of_no_network

    return of_no_network(key).message
