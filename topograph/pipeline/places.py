"""What an import reads and writes, wherever it lies: on disks that workers and the driver see under
the same path, or in storage behind Hadoop's file systems (``pipeline.hadoop``).

A place is a path or a URL that ``local_paths.is_storage`` knows.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from topograph.errors import InputError
from topograph.local_paths import is_storage
from topograph.pipeline import hadoop
from topograph.pipeline.output import Run, begin_run, write_table
from topograph.pipeline.stored_output import StoredRun, begin_stored_run
from topograph.store.archives import DEFAULT, Unpacked, unpacked
from topograph.store.listing import InputFile, read_bytes
from topograph.store.parquet import Manifest, ParquetSnapshot, TableFile, run_path

if TYPE_CHECKING:
    from topograph.facts.fact import Servers


def begin_task(properties: hadoop.Properties) -> None:
    """Have this worker reach storage with these properties; what the task before remembered of it
    is forgotten."""
    hadoop.use(properties)
    _modified.cache_clear()


def content(file: InputFile) -> bytes:
    """The content of a listed file; as ``store.listing.read_bytes``."""
    if not is_storage(file.absolute):
        return read_bytes(file)
    if not file.member:
        return hadoop.files().read(file.absolute, DEFAULT.file_bytes, file.size)
    archive = file.path.partition("!/")[0]
    members = _unpacked(archive, file.absolute, _modified(file.absolute)).members
    if file.path not in members:
        raise OSError(errno.ENOENT, "it is no longer in its archive", file.path)
    return members[file.path]


@lru_cache(maxsize=64)
def _modified(place: str) -> tuple[int, int]:
    """What changes when an archive does: asked once in a task."""
    status = hadoop.files().status(place)
    return status.modified, status.size


@lru_cache(maxsize=1)
def _unpacked(path: str, place: str, stamp: tuple[int, int]) -> Unpacked:
    data = hadoop.files().read(place, DEFAULT.archive_bytes, stamp[1])
    return unpacked(path, io.BytesIO(data), DEFAULT)


def write_part(
    root: str,
    run: str,
    table: str,
    network: str,
    rows: Iterable[pa.Table],
    *,
    system: str = "",
    kind: str = "",
) -> TableFile:
    """Write all rows of one table of one network (system, kind) into a run of the snapshot at
    ``root``; as ``output.write_table``. Raises StorageUnreachable."""
    if not is_storage(root):
        place = run_path(Path(root), run)
        return write_table(place, table, network, rows, system=system, kind=kind)
    with tempfile.TemporaryDirectory(prefix="topograph-part-") as folder:
        place = run_path(Path(folder), run)
        made = write_table(place, table, network, rows, system=system, kind=kind)
        try:
            hadoop.files().send(Path(folder) / made.path, f"{root}/{made.path}")
        except OSError as error:
            raise hadoop.StorageUnreachable(
                f"{root}/{made.path} cannot be written: {error.strerror}"
            ) from error
    return made


def copy_part(place: str, onto: str) -> None:
    """Give a file of a snapshot another name, in another run of this snapshot or another: the same
    file where the file system can do that, else a copy. Raises OSError."""
    if is_storage(onto):
        if is_storage(place):
            hadoop.files().copy(place, onto)
        else:
            hadoop.files().send(Path(place), onto)
        return
    target = Path(onto)
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_storage(place):
        hadoop.files().fetch(place, target)
        return
    try:
        target.hardlink_to(place)
    except OSError:  # another file system, or one without such names
        shutil.copyfile(place, target)


def begin_run_at(place: str) -> Run | StoredRun:
    """A new run in the snapshot at a place; see ``output.begin_run``."""
    return begin_stored_run(place) if is_storage(place) else begin_run(Path(place))


def opened(place: str, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
    """A Parquet file at a place; ``dictionaries`` are columns that should come as such."""
    if not is_storage(place):
        return pq.ParquetFile(place, pre_buffer=False, read_dictionary=list(dictionaries))
    descriptor, local = tempfile.mkstemp(prefix="topograph-part-")
    os.close(descriptor)
    try:
        hadoop.files().fetch(place, Path(local))
        # It stays readable while it is open.
        return pq.ParquetFile(local, pre_buffer=False, read_dictionary=list(dictionaries))
    finally:
        Path(local).unlink()


def snapshot_at(root: str, name: str, manifest: Manifest) -> ParquetSnapshot:
    """A snapshot of which there is a manifest, whether it is finished or not."""
    if is_storage(root):
        return _StoredSnapshot(root, name, manifest)
    return ParquetSnapshot(name, Path(root), manifest)


class _StoredSnapshot(ParquetSnapshot):
    """A snapshot in storage: each file is fetched as a whole when it is read."""

    def __init__(self, place: str, name: str, manifest: Manifest) -> None:
        super().__init__(name, Path(os.devnull), manifest)
        self._place = place

    @property
    def place(self) -> str:
        return self._place

    def _open(self, file: TableFile, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
        try:
            return opened(f"{self._place}/{file.path}", dictionaries)
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{file.path} of {self.name} cannot be read: {error}") from error

    def _groups(self, file: TableFile, server: Servers) -> Iterator[pa.Table]:  # noqa: ARG002
        yield self._read(file, dictionaries=("name", "payload"))
