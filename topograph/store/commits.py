"""Commits of a git repository: what each says of itself, which lead to which, and which folder of
it holds what.

Only objects are read (``git_objects``). A commit that a shallow clone left out ends a line of
parents, and is told.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from topograph.errors import InputError, UsageError
from topograph.local_paths import check_local
from topograph.records import record
from topograph.store.git_objects import GitObjects, ObjectHeader, tree_entries
from topograph.store.origin import committed
from topograph.store.revisions import Revision, commit_named, revision_in
from topograph.words.visible import clean

_LONGEST_SUBJECT = 200


@record
class Commit:
    """A commit: its name, the tree it holds, its parents, when it was committed (ISO 8601 in UTC,
    empty where it does not say), and the first line of its message."""

    name: str
    tree: str
    parents: tuple[str, ...]
    when: str
    subject: str

    @property
    def short(self) -> str:
        """The first ten digits of its name."""
        return self.name[:10]


@record
class Place:
    """A folder of configuration in a repository: ``repository`` is a folder that git finds the
    repository from (None: the current one), ``folder`` is named from its top, ``tip`` is a
    revision."""

    repository: str | None
    folder: str
    tip: str

    def at(self, commit: str) -> Revision:
        """The folder in a commit."""
        return Revision(commit, self.folder)


def place_of(path: str | os.PathLike[str]) -> Place:
    """The folder that a path or a revision (``main:conf``) names; the path need not be there any
    longer. Raises UsageError where it is in no repository, or is both a path and a revision.
    """
    check_local(path)
    revision = revision_in(os.fspath(path))
    if revision is not None:
        return Place(None, revision.folder, revision.name)
    real = Path(path).resolve()
    for top in (real, *real.parents):
        if (top / ".git").exists():
            folder = "" if real == top else real.relative_to(top).as_posix()
            return Place(os.fspath(top), folder, "HEAD")
    if not real.exists():
        raise UsageError(f"There is no path {os.fspath(path)!r}, and no revision of that name.")
    raise UsageError(
        f"{os.fspath(path)} is in no git repository, so that it has no history. "
        "To compare two folders: topograph audit --before PATH --after PATH."
    )


_HEAD = re.compile(
    rb"tree (?P<tree>[0-9a-f]{40}|[0-9a-f]{64})\n"
    rb"(?P<parents>(?:parent (?:[0-9a-f]{40}|[0-9a-f]{64})\n)*+)"
)


def commit_of(name: str, content: bytes) -> Commit:
    """A commit of the content of its object. Raises InputError for what is none. Linear."""
    found = _HEAD.match(content)
    if found is None:
        raise InputError(f"The commit {name} of the repository is damaged. Try: git fsck")
    parents = tuple(line[7:].decode() for line in found["parents"].splitlines())
    message = content.partition(b"\n\n")[2].lstrip(b"\n")
    subject = message[: 4 * _LONGEST_SUBJECT].partition(b"\n")[0].decode("utf-8", "replace")
    return Commit(
        name,
        found["tree"].decode(),
        parents,
        committed(content, {}).when,
        clean(subject.strip())[:_LONGEST_SUBJECT],
    )


@dataclass
class Commits:
    """The commits of one repository, each read once. ``missing`` are the names of parents that are
    not in it.
    """

    objects: GitObjects
    missing: set[str] = field(default_factory=set)
    _known: dict[str, Commit] = field(default_factory=dict)
    _trees: dict[str, Mapping[bytes, tuple[bool, str]]] = field(default_factory=dict)

    def named(self, revision: str) -> Commit:
        """The commit of a revision. Raises as ``store.revisions.commit_named``."""
        name = commit_named(self.objects, Revision(revision, "")).name
        self._load([name])
        return self._known[name]

    def line(self, tip: Commit, until: Commit | None = None) -> Iterator[Commit]:
        """A commit, its first parent, and so on, up to ``until`` (which is the last one) or to one
        without parents. A commit at a time is read."""
        here: Commit | None = tip
        while here is not None:
            yield here
            if until is not None and here.name == until.name:
                return
            self._load(here.parents[:1])
            here = self._known.get(here.parents[0]) if here.parents else None

    def parents(self, commit: Commit) -> list[Commit]:
        """The parents of a commit that are in the repository."""
        self._load(commit.parents)
        return [self._known[name] for name in commit.parents if name in self._known]

    def ancestors(self, tip: Commit, without: Iterable[str] = ()) -> dict[str, Commit]:
        """A commit and all that lead to it, but those of ``without`` and what is reached by these
        alone; by name. Linear in the commits and their parents.
        """
        left_out = set(without)
        found: dict[str, Commit] = {}
        edge = [tip.name]
        while edge:
            self._load(edge)
            following: dict[str, None] = {}
            for name in edge:
                commit = self._known.get(name)
                if commit is None or name in left_out:
                    continue
                found[name] = commit
                following |= dict.fromkeys(commit.parents)
            edge = [name for name in following if name not in found]
        return found

    def content_of(self, commit: Commit, folder: str) -> str:
        """What the folder of a commit holds, by a name that is another one where anything in it
        is: of its tree, or of the whole commit where a link or a file is on the way; empty where
        there is no such folder.
        """
        tree = commit.tree
        for part in filter(None, folder.split("/")):
            found = self._entries(tree).get(part.encode())
            if found is None:
                return ""
            is_tree, name = found
            if not is_tree:
                return f"commit {commit.tree}"
            tree = name
        return tree

    def _entries(self, tree: str) -> Mapping[bytes, tuple[bool, str]]:
        if tree not in self._trees:
            header = self.objects.header(tree)
            if header is None or header.type != "tree":
                raise InputError(f"The tree {tree} of the repository is missing. Try: git fsck")
            entries = tree_entries(self.objects.content(header), len(tree) // 2)
            self._trees[tree] = {one.name: (one.is_tree, one.object) for one in reversed(entries)}
        return self._trees[tree]

    def _load(self, names: Iterable[str]) -> None:
        """Read commits that were not read yet."""
        new = [name for name in dict.fromkeys(names) if name not in self._known]
        there: list[ObjectHeader] = []
        for name, header in zip(new, self.objects.headers(new), strict=True):
            if header is None or header.type != "commit":
                self.missing.add(name)
            else:
                there.append(header)
        for header, content in zip(there, self.objects.contents(there), strict=True):
            self._known[header.name] = commit_of(header.name, content)


def in_order(commits: Mapping[str, Commit]) -> list[Commit]:
    """Commits, each after those of its parents that are among them. Linear."""
    waiting = {name: len({*commit.parents} & commits.keys()) for name, commit in commits.items()}
    children: dict[str, list[str]] = {name: [] for name in commits}
    for name, commit in commits.items():
        for parent in {*commit.parents} & commits.keys():
            children[parent].append(name)
    first = (name for name, left in waiting.items() if not left)
    free = deque(sorted(first, key=lambda name: (commits[name].when, name)))
    found: list[Commit] = []
    while free:
        name = free.popleft()
        found.append(commits[name])
        for child in children[name]:
            waiting[child] -= 1
            if not waiting[child]:
                free.append(child)
    return found
