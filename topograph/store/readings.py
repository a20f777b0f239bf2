"""Readings of configuration, kept in the user's cache so that the next question on the same files
need not read them again.

One file an entry, found by a key over everything the reading follows from
(``opening.folders.reading_key``). A file begins with the SHA-256 of its rest: the tables of the
snapshot and what a manifest says of it (``store.entries``); or what questions worked out of a
network of it (``WorkedOut``). A file is written under a temporary
name, synchronised and renamed, and read whole when it is opened: processes that write, read and
remove the same entry at the same moment do not disturb each other. What is damaged counts as
absent.

Nothing here fails a question: a cache that cannot be used is an entry that is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from topograph import extensions
from topograph.digits import digits
from topograph.errors import UsageError
from topograph.facts.choice import FactChoice, fact_order
from topograph.facts.plain import from_plain, to_plain
from topograph.forwarding.graph import GraphTables
from topograph.forwarding.points import Labels
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.store.entries import Key, PackedTable, pack, unpack
from topograph.store.homes import home
from topograph.store.origin import Origin
from topograph.store.records import (
    Column,
    Kind,
    columns_of,
    fact_names,
    facts_chosen,
    parts_of,
    rows_of,
)
from topograph.store.snapshot import (
    SCHEMA_VERSION,
    ChosenFacts,
    FactsKept,
    MemorySnapshot,
    read_tables,
)
from topograph.store.whole_files import PART, part_of, remove_abandoned
from topograph.version import __version__

if TYPE_CHECKING:
    from topograph.facts import Fact
    from topograph.facts.names import FactNames
    from topograph.files import FileReport
    from topograph.findings import Finding

SIZE_VARIABLE = "TOPOGRAPH_CACHE_MB"
"""The environment variable with the most megabytes that readings take together; 0 keeps none."""

DEFAULT_MEGABYTES = 512

_FOLDER = "readings"
_SUFFIX = ".reading"

_DIGEST_BYTES = hashlib.sha256().digest_size


class KeptReading(ChosenFacts):
    """A snapshot out of the cache: the ``Snapshot`` protocol over tables that are decoded when
    they are asked for.
    """

    def __init__(self, key: str, name: str, data: memoryview) -> None:
        about, self._tables = unpack(data)
        self.key = key
        self.id: str = about["id"]
        self.name = name
        self.redaction = ""
        self.unreadable = tuple(about["unreadable"])
        self.origin_of_all = Origin()
        self._side_inputs: dict[str, Any] = about["networks"]
        self._kept = FactsKept()

    @property
    def networks(self) -> Sequence[str]:
        return list(self._side_inputs)

    def graph_tables(self, network: str) -> Sequence[GraphTables]:
        systems = sorted(
            system for table, own, system, _ in self._tables if (table, own) == ("servers", network)
        )
        return [
            read_tables(system, partial(self._rows, network=network, system=system))
            for system in systems
        ]

    def chosen(self, network: str, choice: FactChoice) -> Sequence[Fact]:
        found: list[Fact] = []
        for table in self._facts(network, choice):
            if not choice.server and choice.names is None:
                found.extend(self._kept.whole(id(table), partial(rows_of, "facts", table)))
            elif (kept := self._kept.chosen(id(table), choice)) is not None:
                found.extend(kept)
            else:
                found.extend(facts_chosen(table, choice.server, choice.names))
        # Stable, and within one kind the rows are in this order already.
        found.sort(key=fact_order)
        return found

    def fact_names(self, network: str, *, kinds: Sequence[str] = (), system: str = "") -> FactNames:
        return fact_names(self._facts(network, FactChoice(kinds, system=system)))

    def findings(self, network: str) -> Sequence[Finding]:
        return self._rows("findings", network)

    def files(self, network: str) -> Sequence[FileReport]:
        return self._rows("sources", network)

    def side_inputs(self, network: str) -> SideInputs:
        found: SideInputs = from_plain(SideInputs, self._side_inputs[network])
        return found

    def origin(self, network: str) -> Origin:  # noqa: ARG002
        return self.origin_of_all

    def _facts(self, network: str, choice: FactChoice) -> Iterator[PackedTable]:
        for (name, own, system, kind), table in self._tables.items():
            if (name, own) == ("facts", network) and choice.has_kind(kind, system):
                yield table

    def _rows(self, name: str, network: str, system: str = "") -> Sequence[Any]:
        table = self._tables.get((name, network, system, ""))
        return () if table is None else rows_of(name, table)


def find(key: str, name: str) -> KeptReading | None:
    """The reading that is kept under ``key``, called ``name``; None where there is none. Linear in
    its bytes.

    One that is damaged is removed. One that is found counts as used now."""
    data = _found(key)
    return None if data is None else KeptReading(key, name, data)


@record
class WorkedOut:
    """Where what questions work out of one network of the reading that has a key is kept: beside
    it, and until it is what was used longest ago."""

    key: str
    network: str

    def find(self, what: str) -> Mapping[str, PackedTable] | None:
        """The tables that were kept under a name; None where there are none. Linear in their
        bytes."""
        data = _found(self._key(what))
        if data is None:
            return None
        return {name: table for (name, _, _, _), table in unpack(data)[1].items()}

    def keep(self, what: str, tables: Mapping[str, Mapping[str, Column]]) -> None:
        """Keep tables of texts, labels and numbers under a name, if that is possible. Linear in
        their values."""
        parts = (
            (
                (name, self.network, "", ""),
                {one: (_kind(values), values) for one, values in own.items()},
            )
            for name, own in tables.items()
        )
        _write(self._key(what), pack({}, parts))

    def _key(self, what: str) -> str:
        text = "\0".join((self.key, what, self.network))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _kind(values: Column) -> Kind:
    if isinstance(values, Labels):
        return Kind.LABEL
    return Kind.NUMBER if isinstance(values, np.ndarray) else Kind.TEXT


def _found(key: str) -> memoryview | None:
    """The bytes that are kept under a key; see ``find``."""
    folder = _folder()
    if folder is None or not _is_ours(folder):
        return None
    path = folder / f"{key}{_SUFFIX}"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(memoryview(data)[_DIGEST_BYTES:]).digest() != data[:_DIGEST_BYTES]:
        _remove(path)
        return None
    with contextlib.suppress(
        OSError
    ):  # of a folder that can only be read, the order of use stays as it is
        os.utime(path)
    return memoryview(data)[_DIGEST_BYTES:]


def keep(key: str, snapshot: MemorySnapshot) -> bool:
    """Keep a reading under ``key`` and remove those used longest ago, so that all of them stay
    within the bound; whether it is kept.

    Its facts, findings and file reports have to be in the order of a snapshot. It is not kept
    where the cache is off, cannot be written or is smaller than the reading. Linear in the rows."""
    return bool(_most_bytes()) and _folder() is not None and _write(key, _packed(snapshot))


def _write(key: str, data: bytes) -> bool:
    """Keep bytes under a key; see ``keep``."""
    folder, most = _folder(), _most_bytes()
    if folder is None or not most:
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if len(data) + _DIGEST_BYTES > most or not _is_ours(folder):
            return False
        place = folder / f"{key}{_SUFFIX}"
        with part_of(place, hashlib.sha256(data).digest(), data, mode=0o600, lasting=True) as part:
            part.rename(place)
        _sweep(folder, most)
    except OSError:  # no room, no permission: the next question reads the files again
        return False
    return True


def tool() -> list[object]:
    """What of this program a reading follows from: version, schema, Python, its own modules by
    size and time (a checkout changes without its version), and the installed packages by name
    and version. Some milliseconds."""
    return [__version__, SCHEMA_VERSION, list(sys.version_info), _modules(), _installed()]


def may_be_kept() -> bool:
    """Whether readings may be kept in this process: not where systems from outside are known,
    whose rules may change without a sign.
    """
    return not extensions.known_from_outside() and bool(_most_bytes()) and _folder() is not None


def _folder() -> Path | None:
    """Where readings are kept; None for a user without any home folder."""
    try:
        return home().cache / _FOLDER
    except UsageError:
        return None


def _is_ours(folder: Path) -> bool:
    """Whether a folder belongs to this user alone; one of ours that others may enter is closed
    to them.
    """
    try:
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            return False
        if status.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return True


def _most_bytes() -> int:
    """The bound in bytes. Raises UsageError for a value that is not a number of megabytes."""
    text = os.environ.get(SIZE_VARIABLE) or str(DEFAULT_MEGABYTES)
    megabytes = digits(text)
    if megabytes is None:
        raise UsageError(
            f"Invalid {SIZE_VARIABLE} {text!r}. Use a number of megabytes, as in 512; 0 "
            "turns the cache off."
        )
    return megabytes * 2**20


def _packed(snapshot: MemorySnapshot) -> bytes:
    """A reading as bytes (``store.entries``)."""
    about = {
        "id": snapshot.id,
        "unreadable": snapshot.unreadable,
        "networks": {
            network: to_plain(data.side_inputs) for network, data in snapshot.data.items()
        },
    }
    parts: Iterator[tuple[Key, dict[str, Any]]] = (
        ((part.name, network, part.system, part.kind), columns_of(part.name, part.rows))
        for network, data in snapshot.data.items()
        for part in parts_of(data)
    )
    return pack(about, parts)


def _sweep(folder: Path, most: int) -> None:
    """Remove what was used longest ago until the rest is within ``most`` bytes, and what
    processes that died left half-written.
    """
    entries: list[tuple[float, int, Path]] = []
    with os.scandir(folder) as found:
        for entry in found:
            with contextlib.suppress(OSError):  # another process removed it
                status = entry.stat(follow_symlinks=False)
                if entry.name.endswith(_SUFFIX):
                    entries.append((status.st_mtime, status.st_size, Path(entry.path)))
                elif entry.name.endswith(PART):
                    remove_abandoned(Path(entry.path))
    left = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if left <= most:
            return
        _remove(path)
        left -= size


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _modules() -> str:
    """A digest over name, size and time of every module of topograph."""
    seen: list[tuple[str, int, int]] = []
    waiting = [os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]  # noqa: PTH100, PTH120
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    seen.append((entry.path, status.st_size, status.st_mtime_ns))
                elif entry.is_dir() and entry.name != "__pycache__":
                    waiting.append(entry.path)
    return hashlib.sha256(repr(sorted(seen)).encode("utf-8", "surrogatepass")).hexdigest()


def _installed() -> list[str]:
    """The installed distributions as their folders name them: with their versions."""
    places = (place for place in sys.path if os.path.isdir(place))  # noqa: PTH112
    names = chain.from_iterable(map(os.listdir, places))
    return sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))
