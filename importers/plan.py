"""From files to bundles: what each file is, which files one server is read from, and reading them.

``recognise`` file by file, ``plan`` over all of an import, ``read_bundle`` bundle by bundle: pure,
so that one process and a cluster do the same. An importer must not raise; if one does, the import
goes on and says so.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Any

from topograph import extensions
from topograph.credentials import may_hold_secret, name_without_secret, without_credentials
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers import known_formats, lexical, side_inputs
from topograph.importers.beside import Beside
from topograph.importers.choices import (
    changes,
    copies_of,
    copies_of_parts,
    copy_not_read,
    names_in_doubt,
)
from topograph.importers.copies import beside_originals, once, system_of
from topograph.importers.first_look import may_be_of
from topograph.importers.hidden_names import findings_of_names
from topograph.importers.ownership import Owner, Servers
from topograph.importers.reading import (
    Bundle,
    BundleFile,
    Copy,
    Importer,
    Options,
    Plan,
    Reading,
    Recognised,
    Reference,
    Role,
    Use,
)
from topograph.importers.secrets import all_without_secrets
from topograph.importers.subfiles import (
    Claim,
    Files,
    Resolution,
    claims,
    each_file,
    findings_of,
    folder_of,
    resolve,
    without_others,
)
from topograph.importers.waivers import waivers_in
from topograph.rules.ems_findings import (
    SECTION_3_1,
    SERVER_FILE_NOT_FOUND,
    SUBFILE_BY_USUAL_NAME,
    TL_15,
    TL_20,
    UNCLAIMED_FILE,
    UNREADABLE_FILE,
)
from topograph.rules.unnumbered import (
    IMPORTER_FAILED,
    OWNER_ASSUMED,
    SIDE_INPUTS_INVALID,
    SIDE_INPUTS_NOT_USED,
)
from topograph.side_inputs import Choice, ServerEntry, SideInputs

FOUNDING = frozenset({Use.MAIN, Use.OBSERVED})
"""The uses of files without which there is no server."""
_READ = frozenset({Use.MAIN, Use.OBSERVED, Use.SUB_FILE, Use.OUTPUT})
_BELONGING = frozenset({Use.SUB_FILE, Use.OUTPUT, Use.OBSERVED})
"""Files that look as if they belonged to a server, wherever it is."""

MAX_SIZE = 64 * 2**20
"""Bytes of the largest file that is read: reading one takes a multiple of its size in memory."""
_HEAD = 65_536
_DOCUMENTATION = (".md", ".markdown", ".rst", ".adoc", ".asciidoc")
_TEXT_FOR_PEOPLE = "documentation, not read: what it shows is an example"
_TOO_LARGE = "larger than 64 MB, which is the most that is read"

IMPORTER_FAILED_AT = "could not be recognised"
"""What the note of a file begins with at which an importer failed."""

_UNCLAIMED = "no main file names it"


def recognise(path: str, data: bytes) -> Recognised:
    """What a file is, by its content; a text beyond ``MAX_SIZE`` is not looked into. Never
    raises; linear.
    """
    found = _by_content(path, data)
    values: tuple[Any, ...] = (*_but_digest(found), blake2b(data, digest_size=16).digest())
    return Recognised(*values)


_but_digest = attrgetter(*(one.name for one in fields(Recognised)[:-1]))
"""The fields of a file, in their order, but for the last."""


def _by_content(path: str, data: bytes) -> Recognised:
    if len(data) > MAX_SIZE and b"\0" not in data[:_HEAD]:
        return Recognised(path, Role.OTHER, note=_TOO_LARGE)
    found: Recognised | None = side_inputs.recognise(path, data)
    if found is not None:
        return found
    if path.lower().endswith(_DOCUMENTATION):
        return Recognised(path, Role.OTHER, note=_TEXT_FOR_PEOPLE)
    noted = ""
    guessed: Recognised | None = None
    for system in _systems(data):
        found, note = _recognised(system, _importer(system), path, data)
        if found is not None and found.role.use in _READ:
            if not found.role.guessed:
                return found
            guessed = guessed or found
        noted = noted or note
    if guessed is not None:
        return guessed
    role = Role.BINARY if lexical.decode(data) is None else Role.OTHER
    if not noted:
        name = known_formats.name_of(data)
        noted = (
            f"recognised as {name}, not read"
            if name
            else "binary, not read"
            if role is Role.BINARY
            else ""
        )
    return Recognised(path, role, note=noted)


def _systems(data: bytes) -> Iterator[str]:
    """The systems whose importers have to be asked about a file, topograph's own first: what they
    recognise needs no search for installed packages."""
    yield from _own_again(data) if len(data) <= _SMALL else _own(data)
    yield from extensions.packages()


def _own(data: bytes) -> tuple[str, ...]:
    return tuple(system for system in extensions.OWN if may_be_of(system, data))


_own_again = lru_cache(maxsize=1024)(_own)
"""The same, remembered: many small files of a network have one of a few contents."""

_SMALL = 2048
"""Bytes of a file of which that is remembered."""


def _importer(system: str) -> Importer:
    """The importer of a system, imported on first use. Raises UnknownSystem where no package
    answers for it.
    """
    found: Importer = extensions.module(system, "importer")
    return found


def _recognised(
    system: str, importer: Importer, path: str, data: bytes
) -> tuple[Recognised | None, str]:
    """What a system says a file is, and the note that stays if nobody claims it."""
    try:
        found = importer.recognise(path, data)
    except (
        Exception
    ) as error:  # reported by the note: one file must not end the import of all others
        return (
            None,
            f"{IMPORTER_FAILED_AT}: the {system} importer failed with {type(error).__name__}",
        )
    if found is None:
        return None, ""
    found = _without_secrets(found)
    return found if found.role.system else replace(found, system=system), found.note


def _without_secrets(file: Recognised) -> Recognised:
    """A file whose servers are called as facts call them (``without_secrets``)."""
    names = (file.server, *file.also, *file.speaks_of)
    if not may_hold_secret("\n".join((*names, file.named_by))):
        return file
    return replace(
        file,
        server=name_without_secret(file.server),
        also=tuple(map(name_without_secret, file.also)),
        speaks_of=frozenset(map(name_without_secret, file.speaks_of)),
        named_by=without_credentials(file.named_by),
    )


def plan(
    recognised: Sequence[Recognised],
    side_inputs: SideInputs,
    aliases: Sequence[tuple[str, str]] = (),
) -> Plan:
    """The bundles of an import (ems.md 3.1): one for each main file, with the sub-files it names,
    which bundles may share.

    ``aliases`` are the links of the listing: (link, place). Everything is in the order of paths,
    whatever the order given. Linear in the files and references, apart from sorting.
    """
    files = _named(sorted(recognised, key=lambda file: file.path), side_inputs)
    index = Files.of(files, aliases)
    findings: list[Finding] = []
    mute = {file.path for file in files if file.role.use is Use.OBSERVED and not file.server}
    mains = [file for file in files if file.role.use in FOUNDING and file.path not in mute]
    passed_over = _passed_over(mains, index, side_inputs, findings)
    copied = copies_of(mains, passed_over, side_inputs)
    passed_over |= {one.path: one.why for one in copied}
    passed_over |= changes(mains, side_inputs)
    mains = [file for file in mains if file.path not in passed_over]
    resolved = {file.path: _resolved(file, index, side_inputs) for file in mains}
    best = claims((main, one) for main, found in resolved.items() for one in found)
    bundles = _without_included(
        mains, [_bundle(file, index, resolved[file.path], best, findings) for file in mains]
    )
    bundles, copies = once(bundles, {file.path: file.digest for file in files})
    bundles = _joined(bundles, {file.path: file.role for file in files})
    further = [Copy(path, of, "bytes") for path, of in copies.items()]
    further += copies_of_parts(files, bundles)
    passed_over |= {one.path: one.why for one in further}
    parts = {file.path for bundle in bundles for file in bundle.files}
    bundles += _by_place(
        [file for file in files if file.path in mute - parts], bundles, side_inputs, findings
    )
    bundles.sort(key=lambda bundle: bundle.id)
    outputs = [file for file in files if file.role.use is Use.OUTPUT]
    listens = {file.path: file.listens for file in mains if file.listens}
    apart = [file for file in outputs if not file.role.beside]
    bundles = _with_outputs(bundles, apart, side_inputs, findings, listens)
    beside = [file for file in outputs if file.role.beside]
    bundles = _with_files_beside(bundles, beside, index, side_inputs, findings)
    bundles = sorted(
        [*bundles, *_new_servers(bundles, side_inputs, findings)], key=lambda bundle: bundle.id
    )
    claimed = {file.path for bundle in bundles for file in bundle.files}
    left = [
        replace(file, role=Role.OTHER, note=passed_over[file.path])
        if file.path in passed_over
        else file
        for file in files
        if file.path not in claimed
    ]
    reported = (Use.OUTPUT, Use.OBSERVED, Use.SIDE_INPUTS)
    copied = [one for one in copied if one.path not in claimed]
    findings += map(copy_not_read, copied)
    told = {one.path for one in copied}
    findings += [
        _unclaimed(file) for file in left if file.role.use not in reported and file.path not in told
    ]
    findings += [
        _side_inputs_not_used(file)
        for file in left
        if file.role.use is Use.SIDE_INPUTS and file.path not in side_inputs.files
    ]
    reports = tuple(_report(file, side_inputs) for file in left)
    return Plan(
        tuple(bundles),
        tuple(sorted(findings, key=lambda finding: (finding.source, finding.kind))),
        reports,
        (
            *(Choice("copy", one.server, Source(one.path), one.of) for one in copied),
            *names_in_doubt(files, bundles, side_inputs),
        ),
        tuple(sorted((*copied, *further), key=lambda one: one.path)),
    )


def _joined(bundles: Sequence[Bundle], roles: Mapping[str, Role]) -> list[Bundle]:
    """The bundles, those that are read together in one, under the first of them. Linear in the
    files."""
    joining = {
        roles[bundle.id].joins
        for bundle in bundles
        if bundle.id in roles and roles[bundle.id].joining
    }
    first: dict[str, Bundle] = {}
    kept: list[Bundle] = []
    parts: dict[str, list[BundleFile]] = {}
    for bundle in sorted(bundles, key=lambda one: one.id):
        what = roles[bundle.id].joins if bundle.id in roles else ""
        if what not in joining:
            kept.append(bundle)
            continue
        own = first.setdefault(what, bundle)
        part = "main" if own is bundle else what
        parts.setdefault(what, []).extend(replace(file, part=part) for file in bundle.files)
    kept += [replace(bundle, server="", files=tuple(parts[what])) for what, bundle in first.items()]
    return sorted(kept, key=lambda bundle: bundle.id)


def _named(files: list[Recognised], side_inputs: SideInputs) -> list[Recognised]:
    """The files, those that do not name their server with the name that ``servers`` of
    topograph.yaml gives them, else with the one that may be made of their path and that other
    files use. Linear in the files and the names they use.
    """
    given = {path: entry.server for entry in side_inputs.servers for path in entry.files}
    spoken = _Spoken(files)
    copies = beside_originals(file.path for file in files if file.role.use in FOUNDING)
    named = []
    for file in files:
        if file.unnamed and file.path in given:
            named.append(replace(file, server=given[file.path], unnamed=False))
        elif file.unnamed and file.also:
            named.append(replace(file, server=spoken.best_of((file.server, *file.also))))
        else:
            named.append(file)
    found = {file.path: file for file in named}
    return [
        replace(file, server=of.server, also=of.also)
        if file.unnamed
        and (of := found.get(copies.get(file.path, ""))) is not None
        and of.unnamed
        and system_of(of) == system_of(file)
        else file
        for file in named
    ]


class _Spoken:
    """The servers that files are of or speak of."""

    def __init__(self, files: Iterable[Recognised]) -> None:
        self._own = {file.server for file in files if not file.unnamed and file.server}
        self._named = self._own.union(*(file.speaks_of for file in files))
        self._folded: dict[str, list[str]] = {}
        for name in sorted(self._named - self._own):
            self._folded.setdefault(name.casefold(), []).append(name)

    def best_of(self, names: Sequence[str]) -> str:
        """The first of the names that is used, also in another case where nothing is of that name;
        the first of all where none is used."""
        for name in names:
            if name in self._named:
                return name
        owned = {name.casefold() for name in self._own}
        for name in names:
            spelled = self._folded.get(name.casefold(), ())
            if len(spelled) == 1 and name.casefold() not in owned:
                return spelled[0]
        return names[0]


def _without_included(mains: Sequence[Recognised], bundles: Sequence[Bundle]) -> list[Bundle]:
    """The bundles without those of main files that another bundle has as a part; of two that
    name each other both stay.
    """
    parts = {
        bundle.id: {file.path for file in bundle.files if file.part != "main"} for bundle in bundles
    }
    named: dict[str, list[str]] = {}
    for bundle in bundles:
        for path in parts[bundle.id]:
            named.setdefault(path, []).append(bundle.id)
    mays = {file.path for file in mains if file.role.included}
    return [
        bundle
        for bundle in bundles
        if bundle.id not in mays
        or not any(by not in parts[bundle.id] | {bundle.id} for by in named.get(bundle.id, ()))
    ]


def _passed_over(
    mains: Sequence[Recognised], index: Files, side_inputs: SideInputs, findings: list[Finding]
) -> dict[str, str]:
    """The main files that ``servers`` of topograph.yaml does not choose for their server, with
    the sub-files they name, and why.
    """
    by_name: dict[str, list[Recognised]] = {}
    for file in mains:
        if file.role.use is Use.MAIN:
            by_name.setdefault(file.server, []).append(file)
    found: dict[str, str] = {}
    for entry in side_inputs.servers:
        own = {file.path: file for file in by_name.get(entry.server, ())}
        wrong = [path for path in entry.files if path not in own]
        if wrong:
            findings.append(_not_a_main_file(entry, wrong, sorted(own)))
        systems = {system_of(own[path]) for path in entry.files if path in own}
        for path, file in own.items():
            if path not in entry.files and system_of(file) in systems:
                why = (
                    f"{entry.source} says that {entry.server} is read from "
                    f"{' and '.join(entry.files)}"
                )
                parts = _bundle(file, index, _resolved(file, index, side_inputs), {}, []).files
                for part in parts:
                    found.setdefault(part.path, why)
    return found


def _not_a_main_file(entry: ServerEntry, wrong: Sequence[str], own: Sequence[str]) -> Finding:
    known = f"those are {', '.join(own)}" if own else "no file gives itself that name"
    message = f"{', '.join(wrong)} is not a main file of {entry.server}: {known}."
    return SERVER_FILE_NOT_FOUND.at(entry.source, message, rule=TL_15, server=entry.server)


def _by_place(
    files: Sequence[Recognised],
    bundles: Sequence[Bundle],
    side_inputs: SideInputs,
    findings: list[Finding],
) -> list[Bundle]:
    """A bundle for each of the files that say what ran, but not where: of the server that its
    name or folder says, see ``Servers``.
    """
    return [
        Bundle(
            file.path,
            owner.bundle.system,
            owner.bundle.server,
            (BundleFile("main", file.path),),
        )
        for file, owner in _owned(files, bundles, side_inputs, findings, {})
    ]


def _with_outputs(
    bundles: Sequence[Bundle],
    files: Sequence[Recognised],
    side_inputs: SideInputs,
    findings: list[Finding],
    listens: Mapping[str, Sequence[str]],
) -> list[Bundle]:
    """The bundles with the output of tools that is of their servers, see ``Servers``."""
    outputs: dict[str, list[BundleFile]] = {}
    for file, owner in _owned(files, bundles, side_inputs, findings, listens):
        part = BundleFile(file.role.part, file.path, is_output=True)
        outputs.setdefault(owner.bundle.id, []).append(part)
    return [
        replace(bundle, files=(*bundle.files, *outputs.get(bundle.id, ()))) for bundle in bundles
    ]


def _with_files_beside(
    bundles: Sequence[Bundle],
    files: Sequence[Recognised],
    index: Files,
    side_inputs: SideInputs,
    findings: list[Finding],
) -> list[Bundle]:
    """The bundles with the files that say how their servers run, see ``Beside``. One of which it is
    not known whose it is goes to each that it may be, as such."""
    parts: dict[str, list[BundleFile]] = {}
    for what in sorted({(system_of(file), file.role.beside) for file in files}):
        own = [bundle for bundle in bundles if bundle.system == what[0]]
        group = [file for file in files if (system_of(file), file.role.beside) == what]
        beside = Beside(group, Servers(own, side_inputs), index, side_inputs.paths)
        for file in group:
            owner = beside.owner(file)
            if isinstance(owner, Owner):
                findings += _assumed(file, owner)
                part = BundleFile(file.role.part, file.path, is_output=True)
                parts.setdefault(owner.bundle.id, []).append(part)
                continue
            findings.append(_unclaimed(file, owner.why))
            part = BundleFile(f"{file.role.part}?", file.path, is_output=True)
            for bundle in owner.may_be:
                parts.setdefault(bundle.id, []).append(part)
    return [replace(bundle, files=(*bundle.files, *parts.get(bundle.id, ()))) for bundle in bundles]


def _new_servers(
    bundles: Sequence[Bundle], side_inputs: SideInputs, findings: list[Finding]
) -> Iterator[Bundle]:
    """The bundles of the servers that ``new`` of topograph.yaml declares, of the system here that
    has such; a finding for each that cannot be made. Linear in the bundles and entries.
    """
    if not side_inputs.new:
        return
    titles = {name: getattr(_importer(name), "NEW_SERVERS_OF", "") for name in extensions.OWN}
    systems = [name for name in extensions.OWN if titles[name]]
    here = [name for name in systems if any(bundle.system == name for bundle in bundles)]
    loaded = {bundle.server: bundle for bundle in bundles if bundle.system in here}
    for entry in side_inputs.new:
        if not here:
            works = ", ".join(titles[name] for name in systems)
            message = (
                f"new: {entry.server} is left out: servers can be declared of {works} only, and no "
                "file here is. Put the files of the new server next to the others."
            )
            findings.append(SIDE_INPUTS_INVALID.at(entry.source, message, server=entry.server))
        elif entry.server in loaded:
            message = (
                f"new: {entry.server} is configured in {loaded[entry.server].id} already, which "
                "counts. Remove this entry."
            )
            findings.append(SIDE_INPUTS_NOT_USED.at(entry.source, message, server=entry.server))
        else:
            made = f"{entry.source.file}#{entry.server}"
            yield Bundle(made, here[0], entry.server, (), new=entry)


def _owned(
    files: Sequence[Recognised],
    bundles: Sequence[Bundle],
    side_inputs: SideInputs,
    findings: list[Finding],
    listens: Mapping[str, Sequence[str]],
) -> Iterator[tuple[Recognised, Owner]]:
    """Each file whose server is known, with that server, by system. A finding for every other
    file, and for what is assumed about a server.
    """
    for system in sorted({system_of(file) for file in files}):
        own = [bundle for bundle in bundles if bundle.system == system]
        servers = Servers(own, side_inputs, listens)
        for file in files:
            if system_of(file) != system:
                continue
            owner = servers.owner(file)
            if isinstance(owner, str):
                findings.append(_unclaimed(file, owner))
            else:
                findings += _assumed(file, owner)
                yield file, owner


def read_bundle(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """The facts, findings and file reports of a bundle. ``contents`` has the bytes of its files by
    path; one that could not be read or is larger than ``MAX_SIZE`` is missing. Never raises: an
    importer that fails is the error ``importer-failed``, and nothing of the bundle is read.
    """
    absent = [
        file
        for file in bundle.files
        if file.path not in contents or len(contents[file.path]) > MAX_SIZE
    ]
    lost = Reading(
        findings=tuple(_unreadable(file, bundle) for file in absent),
        files=tuple(_not_read(file, bundle, "could not be read") for file in absent),
    )
    if any(file.part == "main" for file in absent):
        rest = tuple(
            _not_read(file, bundle, "its main file could not be read")
            for file in bundle.files
            if file not in absent
        )
        return replace(lost, files=lost.files + rest)
    if absent:
        gone = tuple(
            Reference(file.part, file.path, Source(bundle.id))
            for file in absent
            if not file.is_output
        )
        present = tuple(file for file in bundle.files if file not in absent)
        bundle = replace(bundle, files=present, missing=bundle.missing + gone)
    try:
        reading = _importer(bundle.system).read(bundle, contents, options)
    except (
        Exception
    ) as error:  # reported as a finding: one server must not end the import of all others
        reading = failed(bundle, error)
    facts = all_without_secrets(reading.facts)
    return Reading(
        facts,
        (
            *lost.findings,
            *reading.findings,
            *waivers_in(contents),
            *findings_of_names(reading.facts, facts),
        ),
        lost.files + reading.files,
    )


def _resolved(main: Recognised, index: Files, side_inputs: SideInputs) -> list[Resolution]:
    """What the references of a main file mean, those that it states."""
    return [
        resolve(reference, main.path, index, side_inputs.paths)
        for stated in main.references
        if not stated.unstated
        for reference in each_file(stated, main.path, index)
    ]


def _references(main: Recognised, index: Files) -> list[Reference]:
    """The references of a main file, each to one file."""
    return [one for stated in main.references for one in each_file(stated, main.path, index)]


def _bundle(
    main: Recognised,
    index: Files,
    resolved: Sequence[Resolution],
    best: Mapping[str, Claim],
    findings: list[Finding],
) -> Bundle:
    """The bundle of a main file; ``best`` are the main files that files fit best."""
    files = [BundleFile("main", main.path)]
    missing: list[Reference] = []
    resolutions = [without_others(one, main.path, best) for one in resolved]
    stated = iter(resolutions)
    folder = folder_of(main.path)
    for reference in _references(main, index):
        if reference.unstated:
            if path := index.at((*folder, reference.name)):
                files.append(BundleFile(reference.kind, path))
                findings.append(_by_usual_name(reference, main, path))
        elif path := next(stated).path:
            files.append(BundleFile(reference.kind, path))
        else:
            missing.append(reference)
    findings += findings_of(resolutions, main.server)
    return Bundle(
        main.path, system_of(main), main.server, tuple(files), tuple(missing), guessed=main.unnamed
    )


def _by_usual_name(reference: Reference, main: Recognised, path: str) -> Finding:
    """Severity info: this is what the server does, and worth knowing where the file was not
    meant.
    """
    message = (
        f"{main.path} does not say where its {reference.kind} are; {path}, the usual name "
        "next to it, is read."
    )
    return SUBFILE_BY_USUAL_NAME.at(reference.source, message, rule=TL_20, server=main.server)


def _unclaimed(file: Recognised, why: str = "") -> Finding:
    """A file that no bundle uses: a warning if it looks as if it belonged to a server."""
    belongs = file.role.use in _BELONGING
    what = file.note or "not recognised"
    if file.role.use is Use.OUTPUT:
        message = f"This is {file.role.text or 'output of a tool'} and is not used: {why}."
    elif file.role.use is Use.OBSERVED:
        message = f"This is output of a running server, and is not used: {why}."
    elif belongs:
        message = f"This file is not used ({what}): {_UNCLAIMED}."
    else:
        message = f"This file is not used: {what}."
    severity = Severity.WARNING if belongs or file.note == _TOO_LARGE else Severity.INFO
    return SECTION_3_1.at(Source(file.path), message, kind=UNCLAIMED_FILE, severity=severity)


def _assumed(file: Recognised, owner: Owner) -> list[Finding]:
    """That neither a file nor its name says whose output it is: answers about that server rest
    on a guess.
    """
    if not owner.assumed:
        return []
    message = (
        f"This does not say which server it is of: {owner.assumed}. If that is wrong, put "
        "the server's name into the file name."
    )
    return [OWNER_ASSUMED.at(Source(file.path), message, server=owner.bundle.server)]


def _side_inputs_not_used(file: Recognised) -> Finding:
    message = (
        "This file is not used: side inputs are read from topograph.yaml at the root of the "
        "import, or from --config."
    )
    return SIDE_INPUTS_NOT_USED.at(Source(file.path), message)


def _report(file: Recognised, side_inputs: SideInputs) -> FileReport:
    """The row of ``show files`` for a file that no bundle uses."""
    system = system_of(file)
    if file.role.use is Use.SIDE_INPUTS:
        used = file.path in side_inputs.files
        sections = (
            side_inputs.hosts,
            side_inputs.paths,
            side_inputs.servers,
            side_inputs.clients,
            side_inputs.versions,
            side_inputs.machines,
            side_inputs.mediations,
            side_inputs.suspended,
            side_inputs.overrides,
        )
        count = sum(map(len, sections)) if used else 0
        return FileReport(file.path, "read" if used else "unclaimed", str(file.role), read=count)
    if file.role.use is Use.OBSERVED:
        return FileReport(
            file.path,
            "unclaimed",
            str(file.role),
            system,
            note="does not say which server it is of",
        )
    if file.role.use in _BELONGING:
        return FileReport(
            file.path,
            "unclaimed",
            str(file.role),
            system,
            file.server,
            note=file.note or _UNCLAIMED,
        )
    status = "not-read" if file.note or file.role.use is Use.BINARY else "unclaimed"
    return FileReport(file.path, status, str(file.role), system, file.server, note=file.note)


def _not_read(file: BundleFile, bundle: Bundle, note: str) -> FileReport:
    return FileReport(file.path, "not-read", file.part, bundle.system, bundle.server, note=note)


def _unreadable(file: BundleFile, bundle: Bundle) -> Finding:
    message = (
        f"This file ({file.part} of {bundle.server or bundle.id}) could not be read: answers "
        "about that server are incomplete."
    )
    return UNREADABLE_FILE.at(Source(file.path), message, rule=TL_20, server=bundle.server)


def failed(bundle: Bundle, error: Exception) -> Reading:
    """What to say of an importer that raised: the type and the place in our code, never its
    message, which may quote a secret.
    """
    whose = "topograph" if bundle.system in extensions.OWN else "the package that adds this system"
    message = (
        f"The {bundle.system} importer failed with {type(error).__name__} "
        f"({_place(error)}): nothing of "
        f"{bundle.server or 'this server'} is read. This is a mistake in {whose}; please report it."
    )
    finding = IMPORTER_FAILED.at(Source(bundle.id), message, server=bundle.server)
    return Reading(
        findings=(finding,),
        files=tuple(
            _not_read(file, bundle, f"importer failed: {type(error).__name__}")
            for file in bundle.files
        ),
    )


def _place(error: Exception) -> str:
    frames: Iterator[traceback.FrameSummary] = reversed(traceback.extract_tb(error.__traceback__))
    frame = next(frames, None)
    return f"{PurePosixPath(frame.filename).name}:{frame.lineno}" if frame else "no place"
