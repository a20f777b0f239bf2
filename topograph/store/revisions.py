"""Revisions of a git repository as places of configuration: ``origin/main:examples/orders``."""

from __future__ import annotations

import os
import re

from topograph.errors import InputError, UsageError
from topograph.records import record
from topograph.store.archives import ArchiveLimits
from topograph.store.git_listing import Listed, list_tree
from topograph.store.git_objects import GitObjects, ObjectHeader

PREFIX = "git:"
"""What makes a text a revision, whatever files there are."""


@record
class Revision:
    """A revision as git resolves it, and a folder in it; empty: the whole commit."""

    name: str
    folder: str

    def __str__(self) -> str:
        return f"{self.name}:{self.folder}"


@record
class Checked:
    """A folder of a commit that was read: the commit by its full name, and what it holds."""

    revision: Revision
    commit: str
    listed: Listed
    content: bytes = b""
    """The commit as git keeps it."""

    @property
    def called(self) -> str:
        """The revision as asked for, and the commit that it was."""
        return f"{self.revision} (commit {self.commit})"


def revision_in(text: str) -> Revision | None:
    """The revision that a text names; None for a path. ``git:REV:FOLDER`` and ``git:REV`` always
    do, ``REV:FOLDER`` where no such path exists.

    Raises UsageError where ``REV:FOLDER`` is both, and for what can be neither.

    >>> revision_in("origin/main:conf")
    Revision(name='origin/main', folder='conf')
    >>> revision_in("git:v1.2")
    Revision(name='v1.2', folder='')
    >>> revision_in("conf") is None
    True
    """
    if text.startswith(PREFIX):
        return _split(text.removeprefix(PREFIX), text)
    if ":" not in text:
        return None
    if os.path.lexists(text):
        if not text.startswith(("/", "./", "../")) and _resolves(text):
            raise UsageError(
                f"{text!r} is a path and a revision. Write ./{text} for the path, or "
                f"{PREFIX}{text} for the revision."
            )
        return None
    if text.startswith(("/", "./", "../", ":")):
        return None
    return _split(text, text)


def _split(text: str, given: str) -> Revision:
    name, _, folder = text.partition(":")
    if name.startswith("-"):
        raise UsageError(
            f"{given!r} does not name a revision: it begins with a dash, as an option does."
        )
    if not name:
        raise UsageError(f"{given!r} names no revision. Write REV:FOLDER, as in HEAD~1:conf.")
    if folder.startswith(("/", "./", "../")):
        raise UsageError(
            f"{given!r}: name the folder from the top of the repository, as in {name}:conf."
        )
    return Revision(name, folder.rstrip("/"))


def _resolves(text: str) -> bool:
    name = text.partition(":")[0]
    if not name or name.startswith("-"):
        return False
    try:
        with GitObjects() as objects:
            return objects.header(f"{name}^{{commit}}") is not None
    except (InputError, UsageError):
        return False


def read_revision(revision: Revision, limits: ArchiveLimits) -> Checked:
    """The files of a folder in a commit of the repository of the current folder. Nothing is written
    and nothing of the repository is run.

    Raises UsageError for an unknown or ambiguous revision or folder, InputError where there is no
    repository or git or an object is missing or damaged, TooMuch beyond the bounds of ``limits``.
    Linear in the entries below the folder and the bytes of its files.
    """
    with GitObjects() as objects:
        return read_from(objects, revision, limits)


def read_from(objects: GitObjects, revision: Revision, limits: ArchiveLimits) -> Checked:
    """``read_revision`` of a repository whose objects are being read already."""
    commit = commit_named(objects, revision)
    content = objects.content(commit)
    tree = re.match(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n", content)
    if tree is None or len(tree[1]) != len(commit.name):
        raise InputError(
            f"The commit {commit.name} of the repository is damaged: it names no "
            "tree. Try: git fsck"
        )
    return Checked(
        revision,
        commit.name,
        list_tree(objects, tree[1].decode(), revision.folder, limits, str(revision)),
        content,
    )


_SUFFIX = re.compile(r"[~^]|@\{")
_HEXADECIMAL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FORMS = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""What a short name may stand for (gitrevisions), beside a file of the repository such as HEAD."""


def commit_named(objects: GitObjects, revision: Revision) -> ObjectHeader:
    """The commit of a revision, whose folder is not looked at. Raises UsageError for an unknown or
    ambiguous name, InputError where a shallow clone does not hold it.
    """
    found = objects.header(f"{revision.name}^{{commit}}")
    base = _SUFFIX.split(revision.name, maxsplit=1)[0]
    if found is None:
        known = bool(base) and objects.header(f"{base}^{{commit}}") is not None
        if known and base != revision.name and objects.shallow():
            raise InputError(
                f"{revision.name!r} is not in this repository, which is a shallow clone: "
                f"it holds the last commits of {base!r} only. Fetch the others "
                "with git fetch --unshallow (in GitHub Actions fetch-depth: 0, in GitLab "
                "GIT_DEPTH: 0)."
            )
        if not known and base and objects.header(base) is not None:
            raise UsageError(f"{revision.name!r} names no commit.")
        raise UsageError(
            f"There is no commit {revision.name!r} in this repository, or no single one, "
            f"and no path {str(revision)!r}. Is it fetched? git log --all lists "
            "the commits."
        )
    meant = {
        form.format(base): one.name
        for form in _FORMS
        if base
        and base not in ("HEAD", "@")
        and (one := objects.header(f"{form.format(base)}^{{commit}}")) is not None
    }
    if _HEXADECIMAL.fullmatch(base) and meant:
        meant[f"the commit {base}"] = base
    if len(set(meant.values())) > 1:
        first, second, *_ = sorted(meant)
        raise UsageError(
            f"{base!r} is ambiguous: {first} is commit {meant[first]}, {second} is "
            f"commit {meant[second]}. Write the one that you mean in full."
        )
    return found
