"""Finding the sub-files that main files name (ems.md 3.1), inside the imported root and nowhere
else.

Relative to the main file; an absolute or missing name by the prefix map of topograph.yaml, then by
the longest suffix of the path that an imported file has, then by base name if that is unique or one
file of that name lies beside the main file (as where the files of each server were copied into a
folder of its own); at last the same without regard to case. Only the first way is silent. A file
that fits what another main file says better is that one's, and never stands in for one that is
missing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache

from topograph.findings import Finding, Severity
from topograph.importers import lexical
from topograph.importers.reading import Recognised, Reference, Use
from topograph.records import record
from topograph.rules import FindingKind
from topograph.rules.ems_findings import (
    SUBFILE_NOT_FOUND,
    SUBFILE_RESOLVED_BY_CASE,
    SUBFILE_RESOLVED_BY_NAME,
    SUBFILE_RESOLVED_BY_PATH_MAP,
    SUBFILE_RESOLVED_BY_SUFFIX,
    TL_20,
)
from topograph.side_inputs import PathEntry

_GUESSED = frozenset({Use.SUB_FILE, Use.OTHER})
"""What a file may be that is found by suffix or name: never another server's main file."""

IN_PLACE = 1_000_000
"""The fit of a file that lies where the main file says, or where a prefix map puts it."""

_APART = 2
"""Sub-files of one folder, found or missed in the same way, that a finding names one by one;
more are named together.
"""

_SHOWN = 5
"""Candidates that a finding lists."""

_DRIVE = re.compile(r"[A-Za-z]:")

Parts = tuple[str, ...]


@record
class Resolution:
    """The file a reference means, empty if none. ``kind`` is that of the finding to report,
    None where the file lies in its place; ``how`` says how the file was found, or where it was
    looked for."""

    reference: Reference
    path: str
    kind: FindingKind | None = None
    severity: Severity = Severity.INFO
    how: str = ""
    reason: str = ""
    """Why this file, without its name: the same for all that were found in the same way."""
    likely: bool = False
    """Whether no other file can be meant, or this one lies under the whole path that is written."""
    fit: int = 0
    """How well the file fits what is written: ``IN_PLACE``, else the parts of its path that agree,
    from the end."""

    @property
    def folder(self) -> str:
        """The folder that the main file names, without what may be a secret."""
        return lexical.excerpt(self.reference.name.replace("\\", "/").rpartition("/")[0])

    @property
    def shown(self) -> str:
        """The reference as the main file writes it, without what may be a secret."""
        return f"{self.reference.kind} = {lexical.excerpt(self.reference.name)}"


@dataclass
class Files:
    """The imported files, indexed for looking up. A look-up takes a few binary searches, however
    many servers there are.
    """

    exact: dict[Parts, str]
    guessed: tuple[Parts, ...]
    """The files that may be found by suffix or name."""

    links: dict[Parts, Parts]
    groups: dict[tuple[bool, Parts], list[Parts]] = field(default_factory=dict)
    """The files that share an end, in order, once asked for."""

    @classmethod
    def of(cls, recognised: Iterable[Recognised], aliases: Sequence[tuple[str, str]] = ()) -> Files:
        """Index the files of an import. ``aliases`` are links inside the root: (link, place)."""
        exact = {_split(file.path): file for file in recognised}
        return cls(
            {parts: file.path for parts, file in exact.items()},
            tuple(
                parts
                for parts, file in exact.items()
                if file.role.use in _GUESSED or file.role.included
            ),
            {_split(link): _split(place) for link, place in aliases},
        )

    @cached_property
    def folded(self) -> dict[Parts, list[Parts]]:
        """All files by their path without regard to case."""
        found: dict[Parts, list[Parts]] = {}
        for parts in sorted(self.exact):
            found.setdefault(_fold(parts), []).append(parts)
        return found

    @cached_property
    def backwards(self) -> list[tuple[Parts, Parts]]:
        """(path from its end, path) in order."""
        return sorted((parts[::-1], parts) for parts in self.guessed)

    @cached_property
    def backwards_folded(self) -> list[tuple[Parts, Parts]]:
        """The same without regard to case."""
        return sorted((_fold(parts[::-1]), parts) for parts in self.guessed)

    def at(self, parts: Parts | None) -> str:
        """The file at a path, through links; empty if there is none (or the path leads out of
        the root: None).
        """
        if parts is None or not self.links:
            return "" if parts is None else self.exact.get(parts, "")
        for _ in range(len(self.links) + 1):
            if parts is None or parts in self.exact:
                break
            parts = self._through_a_link(parts)
        return self.exact.get(parts, "") if parts is not None else ""

    def _through_a_link(self, parts: Parts) -> Parts | None:
        for length in range(len(parts), 0, -1):
            place = self.links.get(parts[:length])
            if place is not None:
                return place + parts[length:]
        return None

    def at_any_case(self, parts: Parts | None) -> list[Parts]:
        """The files at a path without regard to case."""
        return self.folded.get(_fold(parts), []) if parts is not None else []

    def matching(self, pattern: Parts) -> list[Parts]:
        """The files of a folder whose names fit a pattern of a shell (``*.txt``), in order.
        Linear in the files.
        """
        return sorted(
            parts
            for parts in self.exact
            if parts[:-1] == pattern[:-1] and fnmatchcase(parts[-1], pattern[-1])
        )

    def ending(self, wanted: Parts, *, fold: bool) -> tuple[int, list[Parts]]:
        """The files with the longest common end with ``wanted``, in order, and its length in
        parts; 0 if not even the base name agrees.
        """
        ordered = self.backwards_folded if fold else self.backwards
        goal = (_fold(wanted) if fold else wanted)[::-1]
        at = bisect_left(ordered, (goal, ()))
        length = max(
            (_common_start(ends, goal) for ends, _ in ordered[max(0, at - 1) : at + 1]), default=0
        )
        key = (fold, goal[:length])
        if length and key not in self.groups:
            first, last = (
                bisect_left(ordered, (key[1], ())),
                bisect_left(ordered, (_after(key[1]), ())),
            )
            self.groups[key] = sorted(parts for _, parts in ordered[first:last])
        return length, self.groups[key] if length else []


def folder_of(main: str) -> Parts:
    """The folder of a main file."""
    return _split(main)[:-1]


def findings_of(resolutions: Iterable[Resolution], server: str) -> list[Finding]:
    """What there is to say of how the sub-files of one main file were found (TL-20): one finding
    a kind, at the first of them, and one for those that are missing and that no answer depends
    on. Those that were all found in one folder that is likely to be meant are one finding for
    information."""
    by_kind: dict[tuple[FindingKind, bool], list[Resolution]] = {}
    for resolution in _moved_together(list(resolutions)):
        if resolution.kind:
            matters = resolution.kind != SUBFILE_NOT_FOUND or resolution.reference.matters
            by_kind.setdefault((resolution.kind, matters), []).append(resolution)
    found: list[Finding] = []
    for (kind, matters), alike in by_kind.items():
        first = min(alike, key=lambda each: each.reference.source)
        excerpt = first.shown if not first.reference.unstated else ""
        message = _missing(alike, server, matters) if kind == SUBFILE_NOT_FOUND else _found(alike)
        severity = first.severity if matters else Severity.INFO
        found.append(
            kind.at(
                first.reference.source,
                message,
                rule=TL_20,
                severity=severity,
                server=server,
                excerpt=excerpt,
            )
        )
    return found


def _moved_together(resolutions: Sequence[Resolution]) -> Sequence[Resolution]:
    """The resolutions; the guesses among them for information and of one kind, where all
    sub-files that do not lie in their place were found in one folder: that of the main file, or
    the only one with the name that the main file writes. Then files were copied with their
    folder, as imports usually are."""
    guessed = [each for each in resolutions if each.severity is Severity.WARNING]
    if not guessed or len({_folder_of(each.path) for each in guessed}) > 1:
        return resolutions
    beside_main = all(
        _folder_of(each.path) == _folder_of(each.reference.source.file) for each in guessed
    )
    if not (beside_main or all(each.likely and _names_folder(each) for each in guessed)):
        return resolutions
    kind = min(guessed, key=lambda each: each.reference.source).kind
    reasons = {each.reason for each in guessed}
    reason = reasons.pop() if len(reasons) == 1 else "all of them were found there"
    return [
        replace(each, kind=kind, severity=Severity.INFO, reason=reason)
        if each.severity is Severity.WARNING
        else each
        for each in resolutions
    ]


def _names_folder(resolution: Resolution) -> bool:
    """Whether the main file writes the name of the folder that the sub-file was found in."""
    return _fold(_split(resolution.path)[-2:-1]) == _fold(
        _split(resolution.reference.name.replace("\\", "/"))[-2:-1]
    )


def _missing(alike: Sequence[Resolution], server: str, matters: bool) -> str:
    whose = server or "this server"
    if len(alike) == 1:
        (one,) = alike
        text = f"{one.shown} is not among the imported files: {one.how}"
    else:
        listed = ", ".join(
            f"{_kinds(group)} in {group[0].folder} ({group[0].reason})"
            if len(group) > _APART
            else ", ".join(
                f"{each.shown} (line {each.reference.source.line}: {each.how})" for each in group
            )
            for group in _together(alike)
        )
        text = f"{len(alike)} sub-files of {whose} are not among the imported files: {listed}"
    if not matters:
        return f"{text}. No answer depends on {'it' if len(alike) == 1 else 'them'}."
    return (
        f"{text}. Every answer about {whose} is incomplete; import what is missing, or map "
        "its prefix under paths in topograph.yaml."
    )


def _found(alike: Sequence[Resolution]) -> str:
    several = len(alike) > 1
    text = "; ".join(
        f"{len(group)} sub-files do not lie in {group[0].folder}: {_kinds(group)}; those "
        f"in {_folder_of(group[0].path)} are read instead "
        f"({group[0].reason})"
        if len(group) > _APART
        else "; ".join(
            f"{each.shown} (line {each.reference.source.line}) {each.how}"
            if several
            else f"{each.shown} {each.how}"
            for each in group
        )
        for group in _together(alike)
    )
    guessed = any(each.reason for each in alike)
    return f"{text}." + (
        " If that is another file, map the prefix under paths in topograph.yaml." if guessed else ""
    )


def _together(alike: Sequence[Resolution]) -> Iterator[list[Resolution]]:
    """Those of one folder that were found in one folder for one reason, or missed for one, in
    order of the first of each.
    """
    groups: dict[tuple[str, str, str], list[Resolution]] = {}
    for each in alike:
        key = each.folder, _folder_of(each.path), each.reason or each.how
        groups.setdefault(key, []).append(each)
    return iter(groups.values())


def _kinds(group: Sequence[Resolution]) -> str:
    return ", ".join(f"{each.reference.kind} (line {each.reference.source.line})" for each in group)


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "the imported folder"


@record
class Claim:
    """The main file that a file fits best, and how well."""

    main: str
    fit: int


def claims(resolutions: Iterable[tuple[str, Resolution]]) -> dict[str, Claim]:
    """By file the main file that it fits best; ``resolutions`` come with their main files. Linear
    in them."""
    found: dict[str, Claim] = {}
    for main, one in resolutions:
        if one.path and (one.path not in found or one.fit > found[one.path].fit):
            found[one.path] = Claim(main, one.fit)
    return found


def without_others(found: Resolution, main: str, best: Mapping[str, Claim]) -> Resolution:
    """What a reference of ``main`` means, without a file that fits another main file better: that
    one is the other server's, and what is missing here is not known by it."""
    claim = best.get(found.path)
    if claim is None or claim.main == main or claim.fit <= found.fit:
        return found
    folder = _split(claim.main)[:-1]
    if _split(found.path)[: len(folder)] != folder:
        return found  # it lies apart from either: both may use it
    why = f"the only file that could be meant, {found.path}, is that of {claim.main}"
    return Resolution(found.reference, "", SUBFILE_NOT_FOUND, Severity.ERROR, why, why)


def each_file(reference: Reference, main: str, files: Files) -> list[Reference]:
    """What a reference of a main file stands for: each file of a pattern, the only file that a
    member of a data set may be, else itself."""
    if not (reference.member or "*" in reference.name or "?" in reference.name):
        return [reference]
    folder = _split(main)[:-1]
    if reference.member:
        held = [
            parts
            for name in sorted({reference.name, reference.name.lower()})
            for parts in files.matching((*folder, f"{name}.*"))
        ]
        alone = len(held) == 1 and not files.at((*folder, reference.name))
        return [replace(reference, name=held[0][-1])] if alone else [reference]
    place = _inside(folder + _split(reference.name))
    found = files.matching(place) if place else []
    names = ("/".join((*_split(reference.name)[:-1], parts[-1])) for parts in found)
    return [replace(reference, name=name) for name in names] or [reference]


def resolve(
    reference: Reference, main: str, files: Files, prefixes: Sequence[PathEntry]
) -> Resolution:
    """The file that ``reference`` of the main file at ``main`` means. Never leaves the imported
    root.
    """
    written = reference.name.strip().replace("\\", "/")
    absolute = written.startswith("/") or _DRIVE.match(written) is not None
    folder = folder_of(main)
    place = None if absolute else _inside(folder + _split(written))
    if path := files.at(place):
        return Resolution(reference, path, fit=IN_PLACE)
    tail = tuple(part for part in _split(written) if part not in ("..", "."))
    if not tail:
        return _not_found(reference, place, ())
    mapped = _mapped(written, prefixes)
    if mapped is not None and (path := files.at(mapped[1])):
        how = f"is read from {path}, by the prefix {mapped[0].prefix} in {mapped[0].source}"
        kind = SUBFILE_RESOLVED_BY_PATH_MAP
        return Resolution(reference, path, kind, Severity.INFO, how, fit=IN_PLACE)
    found = _by_ending(reference, tail, folder, files, fold=False)
    if found is not None and found.path:
        return found
    near = files.at_any_case(place) or (files.at_any_case(mapped[1]) if mapped else [])
    if len(near) == 1:
        how = "the same name in other case"
        return _guessed(SUBFILE_RESOLVED_BY_CASE, how, near[0], reference, IN_PLACE, likely=True)
    in_any_case = _by_ending(reference, tail, folder, files, fold=True)
    if in_any_case is not None and in_any_case.path:
        return in_any_case
    return found or in_any_case or _not_found(reference, place, (), mapped)


def _by_ending(
    reference: Reference, tail: Parts, folder: Parts, files: Files, *, fold: bool
) -> Resolution | None:
    """By the longest suffix, else by a base name that is unique or lies beside the main file;
    None if no file has even the base name.
    """
    length, found = files.ending(tail, fold=fold)
    case = ", without regard to case" if fold else ""
    name = SUBFILE_RESOLVED_BY_CASE if fold else SUBFILE_RESOLVED_BY_NAME
    ending = SUBFILE_RESOLVED_BY_CASE if fold else SUBFILE_RESOLVED_BY_SUFFIX
    if length == 0:
        return None
    if length == 1:
        if len(found) == 1:
            how = f"the only file of that name{case}"
            return _guessed(name, how, found[0], reference, length, likely=True)
        own = [parts for parts in found if parts[:-1] == folder]
        if len(own) == 1:
            how = f"of {len(found)} files of that name{case} the one next to the main file"
            return _guessed(name, how, own[0], reference, length)
        return _not_found(reference, None, found)
    suffix = "/".join(tail[-length:])
    how = f"the only file that ends in {suffix}{case}"
    likely = len(found) == 1 or length == len(tail)
    if len(found) > 1:
        near = _nearest(found, folder)
        if len(near) != 1:
            return _not_found(reference, None, found)
        how = f"the nearest to the main file of {len(found)} files that end in {suffix}{case}"
        found = list(near)
    return _guessed(ending, how, found[0], reference, length, likely=likely)


def _nearest(ordered: Sequence[Parts], folder: Parts) -> Sequence[Parts]:
    """The files that share the longest beginning with a folder; none if not even the first part
    agrees.
    """
    at = bisect_left(ordered, folder)
    shared = max(_common_start(parts, folder) for parts in ordered[max(0, at - 1) : at + 1])
    start = folder[:shared]
    return (
        ordered[bisect_left(ordered, start) : bisect_left(ordered, _after(start))] if shared else ()
    )


def _guessed(
    kind: FindingKind,
    how: str,
    parts: Parts,
    reference: Reference,
    fit: int,
    *,
    likely: bool = False,
) -> Resolution:
    path = "/".join(parts)
    text = f"does not exist; {path} is read instead ({how})"
    return Resolution(reference, path, kind, Severity.WARNING, text, how, likely, fit)


def _not_found(
    reference: Reference,
    place: Parts | None,
    candidates: Sequence[Parts],
    mapped: tuple[PathEntry, Parts] | None = None,
) -> Resolution:
    looked = [f"at {lexical.excerpt('/'.join(place))}"] if place else []
    looked += (
        [f"at {lexical.excerpt('/'.join(mapped[1]))} (prefix {mapped[0].prefix})"] if mapped else []
    )
    if candidates:
        shown = ", ".join("/".join(parts) for parts in candidates[:_SHOWN])
        more = f" and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        why = f"several files may be meant ({shown}{more}), and nothing decides which one"
        return Resolution(
            reference,
            "",
            SUBFILE_NOT_FOUND,
            Severity.ERROR,
            why,
            "several files of each name, and nothing decides which one is meant",
        )
    why = (
        "looked "
        f"{', '.join([*looked, 'for a file with the end of that path and for one of that name'])}"
    )
    return Resolution(reference, "", SUBFILE_NOT_FOUND, Severity.ERROR, why, why)


def _mapped(written: str, prefixes: Sequence[PathEntry]) -> tuple[PathEntry, Parts] | None:
    """The entry with the longest prefix of a written path, part by part, and the place it stands
    for.
    """
    parts = _split(written)
    best: tuple[PathEntry, Parts] | None = None
    longest = -1
    for entry in prefixes:
        prefix = _split(entry.prefix.replace("\\", "/"))
        rooted = entry.prefix.replace("\\", "/").startswith("/") == written.startswith("/")
        fits = parts[: len(prefix)] == prefix or (
            bool(_DRIVE.match(written)) and _fold(parts)[: len(prefix)] == _fold(prefix)
        )
        if rooted and fits and len(prefix) > longest:
            place = _inside(_split(entry.folder) + parts[len(prefix) :])
            if place is not None:
                best, longest = (entry, place), len(prefix)
    return best


@lru_cache(maxsize=1024)  # the references of a main file are looked up one after the other
def _split(path: str) -> Parts:
    parts = path.split("/")
    if "" in parts or "." in parts:
        parts = [part for part in parts if part not in ("", ".")]
    return tuple(parts)


def _inside(parts: Parts) -> Parts | None:
    """A path without ``..``; None if it climbs out of the imported root."""
    kept: list[str] = []
    for part in parts:
        if part != "..":
            kept.append(part)
        elif not kept:
            return None
        else:
            kept.pop()
    return tuple(kept)


def _fold(parts: Parts) -> Parts:
    return tuple(part.casefold() for part in parts)


def _common_start(left: Parts, right: Parts) -> int:
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length


def _after(parts: Parts) -> Parts:
    """The least path that comes after every path that begins with ``parts``."""
    return (*parts[:-1], parts[-1] + "\0")
