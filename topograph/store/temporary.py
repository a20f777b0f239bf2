"""Temporary folders that a killed process does not leave behind for ever: the next one that
makes such a folder removes them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_LEASE = ".lease"
"""The file in each folder that its process holds a lock on, which ends with the process, however
it ends.
"""

_JUST_MADE = 3_600.0
"""Seconds for which an empty folder may be one whose process has not made its lease yet."""


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """A new folder of this process, removed at the end of the block; folders of that prefix
    whose process is gone are removed now.
    """
    sweep(prefix)
    folder, lease = _made(prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lease)


def sweep(prefix: str) -> list[Path]:
    """Remove this user's folders of that prefix whose process is gone; returns them. One without
    a lease is left alone, unless it is empty and old: its process was killed before it made one.
    """
    removed = []
    for folder in sorted(Path(tempfile.gettempdir()).glob(f"{prefix}*")):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lease = os.open(folder / _LEASE, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            _remove_empty(folder)
            continue
        except OSError:
            continue  # not one of ours
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
        except OSError:
            continue  # its process is alive
        finally:
            os.close(lease)
    return removed


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):  # it holds something, or is just being made or removed
        if time.time() - folder.stat().st_mtime > _JUST_MADE:
            folder.rmdir()


def _made(prefix: str) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        lease = os.open(folder / _LEASE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with contextlib.suppress(OSError):  # a file system without locks: nothing is swept there
            fcntl.flock(lease, fcntl.LOCK_EX)
        if os.fstat(lease).st_nlink:
            return folder, lease
        os.close(lease)  # swept between open and lock
