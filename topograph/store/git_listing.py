"""Listing the files of a folder in a commit: the same files, findings and aliases as
``topograph.store.listing`` gives of a folder on disk.

Nothing is written out: trees are read from the object store and walked here. Submodules and files
that Git LFS keeps elsewhere are findings; links are followed inside the folder only.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Mapping, Sequence

from topograph.errors import InputError, UsageError
from topograph.findings import Severity
from topograph.records import record
from topograph.rules.unnumbered import (
    FILE_NAME_COLLISION,
    GIT_ENTRY_REFUSED,
    GIT_LFS_POINTER,
    GIT_SUBMODULE,
    HIDDEN_FILE,
    SPECIAL_FILE,
)
from topograph.store.archives import ArchiveLimits, is_archive, unpacked
from topograph.store.git_objects import (
    GitObjects,
    MissingObject,
    ObjectHeader,
    TreeEntry,
    missing,
    tree_entries,
)
from topograph.store.listing import IGNORE_FILE, Gathering, InputFile, Listing, TooMuch
from topograph.store.names import DATA, MANIFEST, is_run
from topograph.words.articles import with_article

Path = tuple[bytes, ...]
"""A path in a commit, from its top."""

MOST_LINKS = 40
"""Links that one path may lead over, as on Linux."""
MOST_STEPS = 1_000_000
"""Parts of paths that links of one folder may lead over altogether."""
_LINK_BYTES = 4_096
_PATH_CHARACTERS = 4_096
_LFS = b"version https://git-lfs.github.com/spec/v1\n"


@record
class Listed:
    """The files of a folder in a commit, with their contents by path; ``folder`` is its real
    place, ``name`` that of the folder, or of the file that was asked for; both empty for the
    whole commit."""

    listing: Listing
    contents: Mapping[str, bytes]
    folder: str
    name: str


def list_tree(
    objects: GitObjects, tree: str, folder: str, limits: ArchiveLimits, called: str
) -> Listed:
    """The files of ``folder`` (``/`` between its parts, empty for all) below the tree object
    ``tree``, within ``limits``.

    ``called`` is how messages name it. Raises UsageError where there is no such folder,
    MissingObject, InputError for a damaged tree, TooMuch. Linear in the entries below the folder
    and the bytes of its files.
    """
    walk = _Walk(objects, tree, limits)
    try:
        real, entry = walk.resolve((), folder.encode("utf-8", "surrogateescape"))
    except _Broken as broken:
        raise UsageError(
            f"{called}: there is no {folder!r} in that commit ({broken}). Folders are "
            "named from the top of the repository."
        ) from None
    except _Outside:
        raise UsageError(f"{called}: {folder!r} leads out of the repository.") from None
    if entry.is_submodule:
        raise UsageError(
            f"{called}: {folder!r} is a submodule. Ask inside its own repository, with "
            f"the revision {entry.object}."
        )
    if not entry.is_tree:
        walk.add_file(_text(real[-1]), real, entry)
        walk.load()
        return Listed(walk.listing(), walk.contents, _text(b"/".join(real[:-1])), _text(real[-1]))
    if walk.holds_snapshot(walk.entries(entry.object)):
        raise UsageError(
            f"{called} holds a snapshot. Only configuration is read out of a commit; "
            "check the snapshot out to ask it."
        )
    walk.base = real
    walk.run(entry)
    return Listed(
        walk.listing(), walk.contents, _text(b"/".join(real)), _text(real[-1]) if real else ""
    )


class _Broken(Exception):
    """A link, or a path, that leads nowhere; the text says why."""


class _Outside(Exception):
    """A link that leads out of the repository."""


class _Walk(Gathering):
    """One walk. Folders are entered once by their real place; links are looked at when all that
    is not a link is known.
    """

    def __init__(self, objects: GitObjects, tree: str, limits: ArchiveLimits) -> None:
        super().__init__(limits)
        self.objects, self.tree = objects, tree
        self.base: Path = ()
        self.contents: dict[str, bytes] = {}
        self.places: dict[Path, str] = {}
        self.links: list[tuple[str, Path, TreeEntry]] = []
        self.waiting: list[tuple[str, Path, str]] = []
        self.taken: set[str] = set()
        self.parsed: dict[str, Sequence[TreeEntry]] = {}
        self.trees: dict[str, Mapping[bytes, TreeEntry]] = {}
        self.steps = 0

    def entries(self, tree: str) -> Mapping[bytes, TreeEntry]:
        """The entries of a tree by name, the first of those that share one. Raises TooMuch,
        MissingObject, InputError.
        """
        known = self.trees.get(tree)
        if known is None:
            known = self.trees[tree] = {}
            for entry in self._parsed(tree):
                known.setdefault(entry.name, entry)
        return known

    def _parsed(self, tree: str) -> Sequence[TreeEntry]:
        """The entries of a tree in their order."""
        if tree not in self.parsed:
            self.parsed[tree] = self._read(tree)
        return self.parsed[tree]

    def _read(self, tree: str) -> Sequence[TreeEntry]:
        header = self.header(tree, "tree")
        if header.size > self.limits.file_bytes:
            raise TooMuch(
                "a folder whose list of entries has more than "
                f"{self.limits.file_bytes // 2**20:,} MB"
            )
        try:
            return tree_entries(self.objects.content(header), len(tree) // 2)
        except ValueError as error:
            raise InputError(
                f"The tree {tree} of the repository is damaged: {error}. Try: git fsck"
            ) from error

    def header(self, name: str, type_: str) -> ObjectHeader:
        return self._checked(self.objects.header(name), name, type_)

    def _checked(self, found: ObjectHeader | None, name: str, type_: str) -> ObjectHeader:
        if found is None:
            raise MissingObject(missing(name))
        if found.type != type_:
            raise InputError(
                f"The object {name} of the repository should be {with_article(type_)} and is "
                f"{with_article(found.type)}. Try: git fsck"
            )
        return found

    def resolve(self, start: Path, target: bytes) -> tuple[Path, TreeEntry]:
        """The real place of a path that begins in a folder. Raises _Broken, _Outside, TooMuch."""
        top = TreeEntry(0o040000, b"", self.tree)
        way = [top]
        for part in start:
            way.append(self.entries(way[-1].object)[part])
        parts = deque(target.split(b"/"))
        links = 0
        while parts:
            part = parts.popleft()
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooMuch(f"links that lead over more than {MOST_STEPS:,} folders")
            if part in (b"", b"."):
                continue
            if way[-1].is_submodule:
                raise _Broken("it lies in a submodule")
            if not way[-1].is_tree:
                raise _Broken("Not a directory")
            if part == b"..":
                if len(way) == 1:
                    raise _Outside
                way.pop()
                continue
            found = self.entries(way[-1].object).get(part)
            if found is None:
                raise _Broken("No such file or directory")
            if not found.is_link:
                way.append(found)
                continue
            links += 1
            if links > MOST_LINKS:
                raise _Broken("Too many levels of symbolic links")
            text = self.link_text(found)
            if text.startswith(b"/"):
                raise _Outside
            parts.extendleft(reversed(text.split(b"/")))
        return tuple(entry.name for entry in way[1:]), way[-1]

    def link_text(self, entry: TreeEntry) -> bytes:
        """Where a link leads. Raises _Broken."""
        header = self.header(entry.object, "blob")
        if not 0 < header.size <= _LINK_BYTES:
            raise _Broken("File name too long" if header.size else "it is empty")
        text = self.objects.content(header)
        if b"\0" in text:
            raise _Broken("its text holds a NUL")
        return text

    def run(self, base: TreeEntry) -> None:
        """List what lies below the base, then what its links lead to."""
        self.enter("", self.base, base)
        self.load()
        while self.links:
            waiting, self.links = sorted(self.links, key=lambda link: link[0]), []
            for path, folder, entry in waiting:
                self.follow(path, folder, entry)
            self.load()

    def enter(self, path: str, real: Path, tree: TreeEntry) -> None:
        """List a folder and those below it; without recursion, for a tree may be deeper than the
        stack.
        """
        self.places[real] = path
        waiting = [(path, real, tree)]
        while waiting:
            folder, place, tree = waiting.pop()
            entries = self._parsed(tree.object)
            self.count(entries=len(entries))
            if folder and self.holds_snapshot(self.entries(tree.object)):
                continue
            seen: set[bytes] = set()
            for entry in entries:
                inner = f"{folder}/{_text(entry.name)}" if folder else _text(entry.name)
                if not self._accepted(folder, inner, entry, seen):
                    continue
                here = (*place, entry.name)
                if entry.name.startswith(b".") and inner != IGNORE_FILE:
                    self.note(
                        HIDDEN_FILE,
                        Severity.INFO,
                        inner,
                        "Hidden (its name begins with a dot): not read.",
                    )
                elif entry.is_link:
                    self.links.append((inner, place, entry))
                elif here in self.places:
                    self.alias(inner, self.places[here])
                elif entry.is_tree:
                    self.places[here] = inner
                    waiting.append((inner, here, entry))
                else:
                    self.add_file(inner, here, entry)

    def _accepted(self, folder: str, inner: str, entry: TreeEntry, seen: set[bytes]) -> bool:
        """Whether a name could stand in a folder; a finding where not."""
        name = entry.name
        shown = "".join(one if one.isprintable() else "?" for one in _text(name[:200]))
        if name in (b"", b".", b"..") or b"/" in name:
            message = (
                f"The entry {shown!r} has a name that no file can have, or that leads out of "
                "its folder: refused."
            )
            self.note(GIT_ENTRY_REFUSED, Severity.WARNING, folder, message)
            return False
        if len(inner) > _PATH_CHARACTERS:
            message = (
                f"An entry has a path of more than {_PATH_CHARACTERS:,} characters: "
                f"{shown[:80]!r}... refused."
            )
            self.note(GIT_ENTRY_REFUSED, Severity.WARNING, folder[:_PATH_CHARACTERS], message)
            return False
        if name in seen:
            message = (
                "The commit has two entries of this name in one folder: the second is not read."
            )
            self.note(FILE_NAME_COLLISION, Severity.ERROR, inner, message)
            return False
        seen.add(name)
        return True

    def follow(self, path: str, folder: Path, entry: TreeEntry) -> None:
        """A link: to a place outside the folder never; to a listed place as an alias; to any
        other place in the folder as if it lay here.
        """
        try:
            text = self.link_text(entry)
            if text.startswith(b"/"):
                raise _Outside
            real, found = self.resolve(folder, text)
        except _Broken as broken:
            self.leads_nowhere(path, str(broken))
            return
        except _Outside:
            self.leads_out(path)
            return
        if real[: len(self.base)] != self.base:
            self.leads_out(path)
        elif real in self.places:
            self.alias(path, self.places[real])
        elif found.is_tree:
            self.enter(path, real, found)
        else:
            self.add_file(path, real, found)

    def add_file(self, path: str, real: Path, entry: TreeEntry) -> None:
        """Read a file that is no link, or say why not."""
        if entry.is_submodule:
            message = f"This is a submodule (commit {entry.object}): not read."
            self.note(GIT_SUBMODULE, Severity.WARNING, path, message)
            return
        if not entry.is_file:
            self.note(
                SPECIAL_FILE,
                Severity.WARNING,
                path,
                f"This has mode {entry.mode:o} and is not a regular file: not opened.",
            )
            return
        self.places[real] = path
        if path in self.taken:
            self.collided(path)
            return
        self.taken.add(path)
        self.waiting.append((path, real, entry.object))

    def load(self) -> None:
        """Read the files that were found since the last time; what is too large is a finding.
        Raises TooMuch before anything of it is read.
        """
        waiting, self.waiting = self.waiting, []
        headers = self.objects.headers([name for _, _, name in waiting])
        wanted: dict[str, ObjectHeader] = {}
        places: dict[str, list[tuple[str, Path]]] = {}
        for (path, real, name), header in zip(waiting, headers, strict=True):
            size = self._checked(header, name, "blob").size
            if not self.fits(path, size):
                continue
            if not is_archive(path):
                self.count(size=size)
            wanted[name] = ObjectHeader(name, "blob", size)
            places.setdefault(name, []).append((path, real))
        for name, data in zip(wanted, self.objects.contents(list(wanted.values())), strict=True):
            for path, real in places[name]:
                self.keep(path, real, data)

    def keep(self, path: str, real: Path, data: bytes) -> None:
        """List a file with its content, or what an archive holds."""
        if data.startswith(_LFS):
            message = (
                "Git LFS keeps the content of this file elsewhere; the commit holds a "
                "pointer to it: not read."
            )
            self.note(GIT_LFS_POINTER, Severity.WARNING, path, message)
            return
        if "\\x" in path and not _is_text(real):
            self.not_text(path)
        if not is_archive(path):
            self.add(path, data)
            return
        found = unpacked(path, io.BytesIO(data), self.limits)
        self.findings.extend(found.findings)
        self.count(len(found.members), sum(map(len, found.members.values())))
        for name, content in found.members.items():
            self.add(name, content, member=True)

    def add(self, path: str, data: bytes, *, member: bool = False) -> None:
        self.files[path] = InputFile(path, len(data), "", member)
        self.contents[path] = data

    def holds_snapshot(self, entries: Mapping[bytes, TreeEntry]) -> bool:
        """Whether a folder holds a snapshot, finished or not (``store.names.holds_snapshot``)."""
        manifest, data = entries.get(MANIFEST.encode()), entries.get(DATA.encode())
        if manifest is not None and manifest.is_file:
            header = self.header(manifest.object, "blob")
            if (
                header.size <= self.limits.file_bytes
                and b"topograph-snapshot" in self.objects.content(header)[:200]
            ):
                return True
        if data is None or not data.is_tree:
            return False
        return any(is_run(_text(name).removesuffix(".lease")) for name in self.entries(data.object))


def _text(name: bytes) -> str:
    """A file name as text: bytes that are no UTF-8 are written as ``\\xff``."""
    return name.decode("utf-8", "backslashreplace")


def _is_text(path: Path) -> bool:
    try:
        b"/".join(path).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
