"""Objects of a git repository by ``git cat-file --batch``, and nothing else of git: what they hold
is parsed here.

The repository is hostile until proven otherwise. No command of git that is started here looks at an
index or a working tree, writes anything, runs hooks, filters or text conversions, or fetches what a
partial clone left out; replacements and grafts are not applied. Each object is checked against its
name.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO

from topograph.digits import based, digits
from topograph.errors import InputError, UsageError
from topograph.process.programs import run, start
from topograph.records import record
from topograph.search_paths import absolute_places
from topograph.words.visible import clean

_KEPT = frozenset(
    {
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
    }
)
"""Variables that say where the repository is (git sets them for its hooks) and which
repositories their owner trusts (``safe.directory``).
"""

_SET = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    # no transport at all, whatever the repository's protocol.*.allow says: for git before 2.39.4,
    # which fetches all the same
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}

_OPTIONS = (
    "--no-pager",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=" + os.devnull,
    "-c",
    # a cache in the repository that may lie about the parents of a commit
    "core.commitGraph=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
)

_CHECK = "cat-file --batch-check"
_HEADER = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (commit|tree|blob|tag) ([0-9]{1,19})\n")
_LONGEST_LINE = 1_000_000
_AT_ONCE = 500
"""Objects that are asked for before the first answer is read: their names fit into a pipe, so
that neither side waits for the other.
"""


class MissingObject(InputError):
    """An object that the repository names is not in it: a shallow or partial clone, or a damaged
    one.
    """


@record
class ObjectHeader:
    """What an object is: its name in hexadecimal, its type, its size in bytes."""

    name: str
    type: str
    size: int


@record
class TreeEntry:
    """A line of a tree: the mode that git wrote, the name as bytes, the object."""

    mode: int
    name: bytes
    object: str

    @property
    def is_tree(self) -> bool:
        return self.mode == _TREE

    @property
    def is_link(self) -> bool:
        return self.mode == _LINK

    @property
    def is_submodule(self) -> bool:
        return self.mode == _SUBMODULE

    @property
    def is_file(self) -> bool:
        """A regular file; 0100664 stands in repositories of git's first weeks."""
        return self.mode in (0o100644, 0o100755, 0o100664)


_TREE, _LINK, _SUBMODULE = 0o040000, 0o120000, 0o160000


def tree_entries(data: bytes, digest_bytes: int) -> tuple[TreeEntry, ...]:
    """The entries of a tree object in their order; ``digest_bytes`` is 20 (SHA-1) or 32 (SHA-256).
    Linear.

    What a name is worth is left to the reader: it may be empty, ``..`` or ``.git``, hold a slash or
    be there twice. Raises ValueError where the bytes are no tree.
    """
    entries = []
    at = 0
    while at < len(data):
        space = data.find(b" ", at, at + 8)
        end = data.find(b"\0", space + 1) if space > at else -1
        if end < 0 or end + 1 + digest_bytes > len(data):
            raise ValueError(f"no entry of a tree at byte {at:,}")
        mode = data[at:space]
        if not re.fullmatch(rb"[0-7]{1,7}", mode):
            raise ValueError(f"no mode at byte {at:,}")
        entries.append(
            TreeEntry(
                based(mode.decode(), 8) or 0,
                data[space + 1 : end],
                data[end + 1 : end + 1 + digest_bytes].hex(),
            )
        )
        at = end + 1 + digest_bytes
    return tuple(entries)


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """The environment that git is started in: the caller's without what could change what git
    reads or runs.
    """
    kept = {
        name: value for name, value in given.items() if not name.startswith("GIT_") or name in _KEPT
    }
    return kept | _SET


def git_program() -> str:
    """The path of git. Raises InputError where there is none on the PATH; one in a relative
    folder of the PATH does not count.
    """
    found = shutil.which("git", path=absolute_places(os.environ.get("PATH", os.defpath)))
    if found is None:
        raise InputError(
            "git is not installed, and a revision cannot be read without it. Install "
            "git, or name a folder."
        )
    return found


@dataclass
class GitObjects:
    """The objects of the repository of a folder (by default the current one). Closed by
    ``close``, or as a context.
    """

    folder: str | None = None
    _running: dict[str, _Process] = field(default_factory=dict)

    def __enter__(self) -> GitObjects:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git processes."""
        for process in self._running.values():
            process.close()
        self._running.clear()

    def header(self, name: str) -> ObjectHeader | None:
        """What an object is, by its name or any expression that git resolves to one; None where
        there is none, or more than one.

        Raises InputError where there is no repository, or git fails."""
        return next(self.headers([name]))

    def headers(self, names: Sequence[str]) -> Iterator[ObjectHeader | None]:
        """``header`` of many objects, in their order."""
        process = self._process(_CHECK)
        for at in range(0, len(names), _AT_ONCE):
            some = names[at : at + _AT_ONCE]
            process.ask(some)
            yield from (process.answer() for _ in some)

    def shallow(self) -> bool:
        """Whether the repository holds the last commits only."""
        asked = [git_program(), *_OPTIONS, "rev-parse", "--is-shallow-repository"]
        done = run(asked, self._place, environment(os.environ), capture_output=True)
        return bool(done.stdout.strip() == b"true")

    def content(self, header: ObjectHeader) -> bytes:
        """The content of an object. Raises MissingObject, InputError where it is not what its
        name says.
        """
        return next(self.contents([header]))

    def contents(self, headers: Sequence[ObjectHeader]) -> Iterator[bytes]:
        """``content`` of many objects, in their order."""
        process = self._process("cat-file --batch")
        for at in range(0, len(headers), _AT_ONCE):
            some = headers[at : at + _AT_ONCE]
            process.ask([header.name for header in some])
            yield from (_checked(header, process) for header in some)

    @property
    def _place(self) -> str:
        # git looks for its repository from where it is started: the one program that runs there
        return self.folder or os.curdir

    def _process(self, what: str) -> _Process:
        if what not in self._running:
            self._running[what] = _Process(what.split(), self._place)
        return self._running[what]


def _checked(header: ObjectHeader, process: _Process) -> bytes:
    """The content that git writes next, if it is what was asked for."""
    found = process.answer()
    if found is None:
        raise MissingObject(missing(header.name))
    data = process.taken(found.size)
    maker = (
        hashlib.sha1 if len(header.name) == 40 else hashlib.sha256
    )  # the names of the repository's own objects
    if maker(b"%s %d\0" % (found.type.encode(), found.size) + data).hexdigest() != header.name:
        raise InputError(f"The object {header.name} of the repository is damaged. Try: git fsck")
    return data


def missing(name: str) -> str:
    """What is said of an object that is not there."""
    return (
        f"The object {name} is not in this repository: it is a partial clone, or "
        "damaged. topograph fetches nothing; get what is missing with git fetch "
        "(or git checkout of the folder), and ask again."
    )


class _Process:
    """One ``git cat-file`` that is asked line by line."""

    def __init__(self, command: list[str], folder: str) -> None:
        program = git_program()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self.process = start(
                [program, *_OPTIONS, *command],
                folder,
                environment(os.environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
            )
        except OSError as error:
            self.errors.close()
            raise InputError(f"git cannot be started: {error.strerror}.") from error

    @property
    def stdout(self) -> IO[bytes]:
        assert self.process.stdout is not None
        return self.process.stdout

    def ask(self, names: Sequence[str]) -> None:
        """Ask for some objects, few enough that all their names fit into a pipe."""
        for name in names:
            if re.search("[\0\n\r]", name):
                raise UsageError(
                    f"{name!r} does not name a revision: it holds a line break or a NUL."
                )
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(
                b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in names)
            )
            self.process.stdin.flush()
        except OSError:
            raise self.failure() from None

    def answer(self) -> ObjectHeader | None:
        """The next answer."""
        line = self.stdout.readline(_LONGEST_LINE)
        found = _HEADER.fullmatch(line)
        if found is not None:
            return ObjectHeader(
                found[1].decode(), found[2].decode(), digits(found[3].decode(), 0, 19)
            )
        if line.endswith((b" missing\n", b" ambiguous\n")):
            return None
        raise self.failure()

    def taken(self, size: int) -> bytes:
        """The content that follows a header. Raises InputError where git ends before it."""
        data = self.stdout.read(size + 1)
        if len(data) <= size:
            raise self.failure()
        return data[:size]

    def failure(self) -> InputError:
        """Why git ended."""
        self.end()
        self.errors.seek(0)
        said = self.errors.read(2_000).decode("utf-8", "replace")
        first = next(
            (line for line in said.splitlines() if line.startswith("fatal:")),
            said.partition("\n")[0],
        )
        first = clean(first.removeprefix("fatal:").strip())
        if "not a git repository" in first:
            return InputError(
                "This folder is not in a git repository, so that no revision can be "
                "read. Run topograph inside the repository, or name a folder."
            )
        promised = re.search(
            "could not fetch ([0-9a-f]{40,64}) from promisor|lazy fetching disabled", first
        )
        if promised is not None:
            return MissingObject(missing(promised[1] or "asked for"))
        if "dubious ownership" in first:
            return InputError(
                "git does not read this repository, because it belongs to another user: "
                f"{first}. If you trust it: git config --global --add "
                "safe.directory FOLDER"
            )
        return InputError(
            f"git cannot read the repository: {first or 'it ended without a message'}."
        )

    def close(self) -> None:
        """End the process, and forget what it said."""
        self.end()
        self.errors.close()

    def end(self) -> None:
        """End the process; one that still writes is killed."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what was written and not taken is lost, as it should be
                    continue
        self.process.wait()
