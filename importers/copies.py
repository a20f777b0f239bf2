"""Files that are there twice: equal bytes under two names are one file, and of two that differ the
one counts that has the name which the product reads, or that was written last.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from topograph.importers.reading import Bundle, Copy, Recognised, Use

_LAST = (
    r"bak|bck|bkp|backup|back|orig|original|old|save|saved|sav|prev|previous|copy|new|tmp|dist|"
    r"rpmnew|rpmsave|rpmorig|dpkg-old|dpkg-new|dpkg-dist|ucf-old|ucf-new|ucf-dist|swp|swo"
)
_DATE = r"\d{8}(?:[T_.-]?\d{4,6})?|\d{4}-\d\d-\d\d(?:[T_.-]?\d\d[.:-]?\d\d(?:[.:-]?\d\d)?)?"
_BEHIND = re.compile(
    rf"(?:[._-](?:(?:{_LAST})\d{{0,3}}|{_DATE})|\.\d{{1,3}}|~|\.~\d{{1,4}}~|#)\Z", re.I
)
"""What editors, package managers and people write behind the name of a file that they keep."""
_BEFORE_ENDING = re.compile(
    rf"(?:[._-](?:bak|bck|bkp|orig|old|save|saved|prev|previous|copy|{_DATE})"
    r"| \(\d{1,3}\)| - copy(?: \(\d{1,3}\))?| copy(?: \d{1,3})?)\Z",
    re.I,
)
"""The same before the ending, as in ``hub_old.conf``, ``hub (1).conf`` and ``hub - Copy.conf``."""
_BEFORE = re.compile(r"(?:copy (?:\(\d{1,3}\) )?of |backup of |old[_-]|bak[_-]|\.?#|_old_)", re.I)
_LONGEST = 255
"""Characters of a name that are looked at: what file systems allow."""
_MOST_MARKS = 4


def originals(name: str) -> Iterator[str]:
    """The names of files that a file may be a copy of by its own name, the most alike first.
    Linear.

    >>> [*originals("Copy of hub_old.conf.bak")]
    ['Copy of hub_old.conf', 'Copy of hub.conf', 'hub.conf']
    >>> [[*originals(name)] for name in ("hub.conf.20260301", "hub (1).conf", "a.conf")]
    [['hub.conf'], ['hub.conf'], []]
    """
    for _ in range(_MOST_MARKS):
        found = _without_mark(name) if len(name) <= _LONGEST else ""
        if not found:
            return
        yield found
        name = found


def _without_mark(name: str) -> str:
    """The name without one mark of a copy; empty where it has none."""
    if (shorter := _BEHIND.sub("", name)) != name:
        return shorter
    stem, dot, ending = name.rpartition(".")
    if dot and (shorter := _BEFORE_ENDING.sub("", stem)) != stem:
        return f"{shorter}.{ending}" if shorter else ""
    before = _BEFORE.match(name)
    return name[before.end() :] if before else ""


def beside_originals(paths: Iterable[str]) -> dict[str, str]:
    """The files that are copies by their names, each with the file in the same folder that it is
    a copy of. Linear in the names."""
    every = {*paths}
    found: dict[str, str] = {}
    alike = cache(lambda name: (*originals(name),))  # servers have files of the same names
    for path in every:
        folder, slash, name = path.rpartition("/")
        last = ""
        for original in alike(name):
            place = f"{folder}{slash}{original}"
            last = place if place in every else last
        if last:
            found[path] = last
    return found


def named_alike(files: Sequence[Recognised]) -> list[Copy]:
    """The main files that are copies by their names of other main files of the same server and of
    other content, by path; one of the same content is left to ``once``. Linear in the files."""
    by_path = {file.path: file for file in files}
    copies = []
    for path, of in sorted(beside_originals(by_path).items()):
        copy, original = by_path[path], by_path[of]
        both = {copy.role.use, original.role.use} == {Use.MAIN}
        differ = not copy.digest or copy.digest != original.digest
        of_one = system_of(copy) == system_of(original) and _same_server(copy, original)
        if both and differ and of_one:
            copies.append(Copy(path, of, "name", original.server))
    return copies


def system_of(file: Recognised) -> str:
    """The system that recognised a file."""
    return file.system or file.role.system


def _same_server(copy: Recognised, original: Recognised) -> bool:
    """Whether two files are of one server; of one whose name was made of its path the name of the
    copy says nothing."""
    if copy.server == original.server:
        return True
    return (copy.unnamed or copy.path in copy.server) and (
        original.unnamed or original.path in original.server
    )


def older(files: Sequence[Recognised]) -> list[Copy]:
    """The dumps of a server that a newer one of the same command takes the place of, by path: both
    say when they were written, and lie in one folder or were written on one host. Linear."""
    groups: dict[Hashable, list[Recognised]] = {}
    for file in files:
        if file.role.use is Use.MAIN and file.written is not None and not file.unnamed:
            where = file.written.host or file.path.rpartition("/")[0]
            key = system_of(file), file.server, file.written.command, bool(file.written.host), where
            groups.setdefault(key, []).append(file)
    copies: list[Copy] = []
    for group in groups.values():
        newest = max(group, key=lambda one: (_written_at(one), one.path))
        for file in group:
            if _written_at(file) < _written_at(newest) and file.digest != newest.digest:
                copies.append(Copy(file.path, newest.path, "date", newest.server))
    return sorted(copies, key=lambda one: one.path)


def _written_at(file: Recognised) -> str:
    return file.written.at if file.written is not None else ""


def once(
    bundles: Sequence[Bundle], digests: Mapping[str, bytes]
) -> tuple[list[Bundle], dict[str, str]]:
    """The bundles without copies of others, and the files that only copies were read from, each
    with the one that stands for it.

    A copy lies in the same folder, is of the same server, and file by file of equal bytes: then
    each fact of it is one of the other, whichever is read. In another folder equal files may be of
    another machine: the second member of a pair, or a router that was given the same id. Of equal
    ones the shortest name stays, which is the one without ``.bak``, ``.orig`` or ``Copy of``.
    Linear in the files.
    """
    kept: dict[Hashable, Bundle] = {}
    copies: dict[str, str] = {}
    for bundle in sorted(bundles, key=lambda one: (len(one.id), one.id)):
        key = _said(bundle, digests)
        original = kept.setdefault(bundle.id if key is None else key, bundle)
        if original is not bundle:
            for file, of in zip(bundle.files, original.files, strict=True):
                if file.path != of.path:
                    copies.setdefault(file.path, of.path)
    found = sorted(kept.values(), key=lambda one: one.id)
    used = {file.path for bundle in found for file in bundle.files}
    return found, {path: of for path, of in copies.items() if path not in used}


def _said(bundle: Bundle, digests: Mapping[str, bytes]) -> Hashable:
    """What a bundle says, whatever its files are called; None where that is not known."""
    contents = [(file.part, digests.get(file.path, b"")) for file in bundle.files]
    if not all(digest for _, digest in contents):
        return None
    folder, _, name = bundle.files[0].path.rpartition("/")
    if "${" in bundle.server:  # filled in when it starts: such files may be of several servers
        folder += f"/{name.partition('.')[0]}"
    missing = tuple((one.kind, one.name) for one in bundle.missing)
    return bundle.system, bundle.server, folder, tuple(contents), missing
