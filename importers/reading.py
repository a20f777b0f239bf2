"""The shapes importers take and give.

An import goes: every file is *recognised* by its content; main files and the sub-files they name
are *planned* into bundles (one bundle is what one server's configuration is read from); each bundle
is *read* into facts and findings. The three steps are pure, so that one process and a Spark cluster
do exactly the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import ClassVar, Protocol

from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding, Source
from topograph.importers.lexical import Decoded
from topograph.records import record
from topograph.rules.unnumbered import NOT_TEXT, NOT_UTF_8
from topograph.side_inputs import Choice, NewServer


class Use(StrEnum):
    """What an import does with a file."""

    MAIN = "main"
    """Founds a bundle: what one server is read from."""
    OBSERVED = "observed"
    """The same, of what a server said while it ran: one that does not name its server is of the
    server that its place says, if any.
    """
    SUB_FILE = "sub-file"
    """Belongs to a server only if a main file names it."""
    OUTPUT = "output"
    """Output of a tool, read together with the files of the server that its prompt, name or
    folder says.
    """
    SIDE_INPUTS = "side-inputs"
    """topograph.yaml."""
    OTHER = "other"
    """Not recognised."""
    BINARY = "binary"
    """Not text."""


@record
class Role:
    """What a file is, recognised by its content (never by its name alone). Each importer has its
    own; those of this class are for everyone.

    ``name`` stands in ``show files``. ``part`` is the part of a bundle as which an OUTPUT is
    read, ``text`` what it is called. ``guessed`` marks a look that files of many kinds may have:
    any importer that knows better goes first. ``included`` marks MAIN files that are parts of
    another one where that names them, and no servers of their own then. MAIN files that ``joins``
    one thing are read together, as one bundle, if any of them is ``joining``: only together they
    say what a server is. OUTPUT files of one folder that are ``beside`` each other are of one
    server: what any of them says of it counts for all. Where it is not known which server that is,
    they are read with each that it may be, as the part whose name ends in ``?``."""

    name: str
    use: Use
    system: str = ""
    part: str = ""
    text: str = ""
    guessed: bool = False
    included: bool = False
    joins: str = ""
    joining: bool = False
    beside: str = ""

    MAIN: ClassVar[Role]
    """A main file of a system from outside this package (docs/extending.md)."""
    SUB_FILE: ClassVar[Role]
    """A file of such a system that belongs to a server only if a main file names it."""
    SIDE_INPUTS: ClassVar[Role]
    OTHER: ClassVar[Role]
    BINARY: ClassVar[Role]

    def __str__(self) -> str:
        return self.name


Role.MAIN = Role("main", Use.MAIN)
Role.SUB_FILE = Role("sub-file", Use.SUB_FILE)
Role.SIDE_INPUTS = Role("side-inputs", Use.SIDE_INPUTS)
Role.OTHER = Role("other", Use.OTHER)
Role.BINARY = Role("binary", Use.BINARY)


@record
class Reference:
    """A sub-file that a main file names: ``kind`` is the parameter (``routes``, ``topics``, ...),
    ``name`` as written.

    ``unstated`` marks the usual name of a kind that the main file does not name: it is used if
    it lies beside the main file, and is not missing if it does not. ``matters`` is False where
    no answer depends on what the file says. ``member`` says that ``name`` is that of a member of a
    data set, which is called so with any ending where it is a file."""

    kind: str
    name: str
    source: Source
    unstated: bool = False
    matters: bool = True
    member: bool = False


@record
class Written:
    """When a tool wrote what a file holds (``2026-03-01 10:20:30``, so that later is greater), on
    which host, and by which command; empty where the file does not say."""

    at: str
    host: str = ""
    command: str = ""


@record
class Recognised:
    """One file after recognition. ``server`` is the name a main file gives itself, empty if
    none. ``note`` says in words what the file is where it is recognised but not read
    (``"recognised as `show config` output"``). ``system`` is the system from outside that
    recognised it; for topograph's own the role says it. ``unnamed`` marks a main file that does
    not name its server: ``server`` is then what the importer made of its path, ``also`` what else
    may be made of it, and ``servers`` of topograph.yaml may say another. ``speaks_of`` are servers
    that the file names as others. ``named_by`` says in words what gives ``server``, where the file
    does. ``listens`` are the addresses (HOST:PORT in small letters) at which the server of a main
    file listens, ``at`` the one that output was fetched from. ``written`` is of output of a tool
    that says when it was written. ``change`` marks a main file without a server's name that holds
    a change to servers, by its own name. ``digest`` is equal for files of equal bytes."""

    path: str
    role: Role
    server: str = ""
    references: tuple[Reference, ...] = ()
    note: str = ""
    system: str = ""
    unnamed: bool = False
    also: tuple[str, ...] = ()
    speaks_of: frozenset[str] = frozenset()
    named_by: str = field(default="", compare=False)
    listens: tuple[str, ...] = field(default=(), compare=False)
    at: str = field(default="", compare=False)
    written: Written | None = field(default=None, compare=False)
    change: bool = field(default=False, compare=False)
    digest: bytes = field(default=b"", compare=False)


@record
class BundleFile:
    """A file of a bundle: ``part`` is ``main``, the sub-file kind (``routes``, ``topics``, ...)
    or the part of its role. ``is_output`` marks output of a tool, which no main file names."""

    part: str
    path: str
    is_output: bool = field(default=False, compare=False)


@record
class Bundle:
    """What one server's (or one pair member's) configuration is read from. ``id`` is the path of
    the main file; ``missing`` the references that no imported file answers; ``guessed`` says that
    the name of the server was made of the path of the main file. A server that is ``new`` has no
    files: its importer reads the entry of topograph.yaml."""

    id: str
    system: str
    server: str
    files: tuple[BundleFile, ...]
    missing: tuple[Reference, ...] = ()
    guessed: bool = False
    new: NewServer | None = None


@record
class Copy:
    """A file that is not read because another one counts, and how that is known: equal
    ``bytes``, its ``name`` (of a sub-file ``part``), or its ``date``."""

    path: str
    of: str
    by: str
    server: str = ""

    @property
    def why(self) -> str:
        """The reason in words, for ``show files``."""
        if self.by == "bytes":
            return f"the same bytes as {self.of}, which is read"
        if self.by == "part":
            return f"a copy of {self.of} by its name, which is read"
        if self.by == "date":
            return f"an older dump than {self.of}, which is read"
        return f"a copy of {self.of} by its name, with other content; {self.of} is read"


@record
class Plan:
    """The bundles of an import, what was noticed while resolving sub-files, the files no bundle
    uses, what was chosen where the files leave it open, and which files are copies of others.
    """

    bundles: tuple[Bundle, ...]
    findings: tuple[Finding, ...] = ()
    files: tuple[FileReport, ...] = ()
    choices: tuple[Choice, ...] = ()
    copies: tuple[Copy, ...] = ()


@record
class Reading:
    """What one bundle (or one file) gave. An importer never raises on any bytes: what it cannot
    read is a finding.
    """

    facts: tuple[Fact, ...] = ()
    findings: tuple[Finding, ...] = ()
    files: tuple[FileReport, ...] = ()


@record
class Options:
    """How to read: ``strict`` makes the quote hazards of ems.md 3.1 errors, else they are
    normalised with a warning.
    """

    strict: bool = False
    extra: Mapping[str, str] = field(default_factory=dict)


class Importer(Protocol):
    """What the importer of a system offers; a module is one. Both functions are pure and never
    raise on any bytes.

    Topograph's own importers also have ``KNOWN_FORMATS`` (see ``known_formats``) and, in their
    module ``holds``, what redaction needs. One that reads bundles of ``new`` servers says in
    ``NEW_SERVERS_OF`` what these are of."""

    def recognise(self, path: str, data: bytes, /) -> Recognised | None:
        """What a file is to this system by its content, None if nothing. Linear in the file."""
        ...

    def read(self, bundle: Bundle, contents: Mapping[str, bytes], options: Options, /) -> Reading:
        """The facts, findings and file reports of one bundle; ``contents`` has the bytes of its
        files by path.
        """
        ...


def read_each(
    bundle: Bundle, contents: Mapping[str, bytes], read: Callable[[str, bytes], Reading]
) -> Reading:
    """The readings of the files of a bundle, each read by itself, in one."""
    found = [read(file.path, contents[file.path]) for file in bundle.files if file.path in contents]
    return Reading(
        tuple(fact for one in found for fact in one.facts),
        tuple(finding for one in found for finding in one.findings),
        tuple(report for one in found for report in one.files),
    )


def not_text(path: str, system: str, server: str) -> Reading:
    """What is read of a file that is not text: nothing."""
    message = "This file is not text: nothing of it is read"
    finding = NOT_TEXT.at(Source(path), message, server=server)
    report = FileReport(path, "not-read", system=system, server=server, note="not text")
    return Reading((), (finding,), (report,))


def not_utf8(path: str, decoded: Decoded, server: str) -> Finding:
    """The finding about a file whose encoding was guessed."""
    message = (
        f"The file is not UTF-8 text: it is read as {decoded.encoding}, and characters "
        "from here on may be wrong"
    )
    place = Source(path, decoded.line, decoded.column)
    return NOT_UTF_8.at(place, message, server=server)
