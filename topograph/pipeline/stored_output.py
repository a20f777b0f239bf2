"""Writing a snapshot into storage behind Hadoop's file systems: as ``pipeline.output`` writes one
to a disk, without locks and, in object stores, without renames.

Every run has a folder of its own with a name that no other has; the manifest, which names the run
and each of its files, is written last and takes the place of the one before in one step: who reads
it finds the old snapshot or the new one. Whether somebody still copies an old run cannot be seen
here. So the run that was replaced stays until the next import, and others until they are a day old.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from topograph.credentials import without_user_info
from topograph.errors import BackendError, InputError
from topograph.local_paths import scheme_of
from topograph.pipeline import hadoop
from topograph.pipeline.output import digests_text, manifest_of, manifest_text, new_run
from topograph.records import record
from topograph.store.listing import reason_of
from topograph.store.names import DATA, DIGESTS, MANIFEST, is_run
from topograph.store.parquet import FORMAT, Manifest, NetworkEntry, TableFile, parse_manifest

_RENAMED = frozenset({"abfs", "abfss", "adl", "hdfs", "swebhdfs", "viewfs", "webhdfs"})
"""Schemes of file systems, which show a file while it is written, and rename it in one step. Object
stores show it when it is complete, and copy it for another name."""

_ABANDONED = timedelta(days=1)
"""The age from which a run that no manifest names is one of an import that died."""


@record(slots=False)
class StoredRun:
    """One import's folder in a snapshot in storage; ``replaces`` is the run that the manifest
    names until this one is committed."""

    root: str
    name: str
    replaces: str = ""

    @property
    def path(self) -> str:
        return f"{self.root}/{DATA}/{self.name}"

    def discard(self) -> None:
        """Remove the run, unless it is the snapshot already."""
        if stored_manifest(self.root).get("run") != self.name:
            hadoop.files().remove(self.path)

    @property
    def place(self) -> str:
        """The URL of the snapshot."""
        return self.root

    def commit(
        self,
        snapshot_id: str,
        options: Mapping[str, Any],
        networks: Sequence[NetworkEntry],
        files: Sequence[TableFile],
        digests: Mapping[str, Mapping[str, str]],
    ) -> Manifest:
        """Make the run the snapshot and return its manifest; see ``output.commit``."""
        store = hadoop.files()
        try:
            self._remove_unnamed({file.path for file in files})
            store.write(b"".join(digests_text(digests)), f"{self.path}/{DIGESTS}")
            manifest = manifest_of(self.name, snapshot_id, options, networks, files)
            text, place = manifest_text(manifest), f"{self.root}/{MANIFEST}"
            if scheme_of(self.root) in _RENAMED:
                draft = f"{self.path}/{MANIFEST}"
                store.write(text, draft)
                store.rename(draft, place)
            else:
                store.write(text, place)
        except OSError as error:
            raise _unwritable(self.root, error) from error
        return parse_manifest(manifest)

    def _remove_unnamed(self, named: set[str]) -> None:
        """Remove the files of attempts that failed."""
        store, start = hadoop.files(), len(self.root) + 1
        for entry in store.files_below(self.path):
            if entry.place[start:] not in named and entry.place.endswith(".parquet"):
                store.remove(entry.place)

    def leave(self, kind: object, *_: object) -> None:
        """As the end of a ``with`` block: remove what dead imports left and what nobody reads any
        more, or, if the import failed, the run."""
        with contextlib.suppress(OSError, BackendError):  # the next import does
            if kind is None:
                sweep_stored(self.root, {self.name, self.replaces})
            else:
                self.discard()


def begin_stored_run(root: str) -> StoredRun:
    """A new run in the snapshot at the URL ``root``.

    Raises InputError where ``root`` is neither a snapshot nor empty, or cannot be read.
    """
    store = hadoop.files()
    try:
        names = {_name(entry.place) for entry in store.entries(root)}
    except FileNotFoundError:
        return _begun(StoredRun(root, new_run()))
    except OSError as error:
        raise _unwritable(root, error) from error
    replaced = stored_manifest(root)
    shown = without_user_info(root, urls_only=True)
    if MANIFEST in names and replaced.get("format") != FORMAT:
        raise InputError(
            f"{shown}/{MANIFEST} belongs to something else; name a new folder for the snapshot."
        )
    runs = {_name(entry.place) for entry in _runs(root)} if DATA in names else set()
    foreign = sorted(names - {MANIFEST, DATA}) + sorted(run for run in runs if not is_run(run))
    if foreign:
        raise InputError(
            f"{shown} is not a snapshot: it holds other files ({foreign[0]}). Nothing was written. "
            "Name a new folder with -o."
        )
    return _begun(StoredRun(root, new_run(), str(replaced.get("run", ""))))


def _begun(run: StoredRun) -> StoredRun:
    """The run, with a first file: storage that cannot be written says so before the work."""
    try:
        hadoop.files().write(b"".join(digests_text({})), f"{run.path}/{DIGESTS}")
    except OSError as error:
        raise _unwritable(run.root, error) from error
    return run


def sweep_stored(root: str, kept: set[str]) -> list[str]:
    """Remove every run of the snapshot at ``root`` but those that are kept and those of the last
    day, which may still be written; return their names."""
    until = f"{datetime.now(UTC) - _ABANDONED:%Y%m%dT%H%M%S}"
    removed = []
    for entry in _runs(root):
        name = _name(entry.place)
        if is_run(name) and name not in kept and name < until:
            hadoop.files().remove(entry.place)
            removed.append(name)
    return removed


def _runs(root: str) -> list[hadoop.Entry]:
    try:
        return hadoop.files().entries(f"{root}/{DATA}")
    except FileNotFoundError:
        return []


def stored_manifest(root: str) -> dict[str, Any]:
    """The manifest of the snapshot at a URL; empty if there is none. Raises InputError where
    storage cannot be read."""
    try:
        text = hadoop.files().read(f"{root}/{MANIFEST}", _MOST)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _unwritable(root, error) from error
    try:
        found = json.loads(text)
    except ValueError:
        return {"run": ""}
    return found if isinstance(found, dict) else {"run": ""}


_MOST = 2**30
"""Bytes that a manifest has at most."""


def _unwritable(root: str, error: OSError) -> InputError:
    shown = without_user_info(root, urls_only=True)
    return InputError(f"The snapshot {shown} cannot be written: {reason_of(error)}.")


def _name(place: str) -> str:
    return place.rstrip("/").rpartition("/")[2]
