"""Temporary folders that a killed process does not leave behind for ever: the next one that
makes such a folder removes them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_LEASE = ".lease"
"""The file in each folder that its process holds a lock on, which ends with the process, however
it ends.
"""


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
    a lease is left alone.
    """
    removed = []
    for folder in sorted(Path(tempfile.gettempdir()).glob(f"{prefix}*")):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            lease = os.open(folder / _LEASE, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # not one of ours, or just being made or removed
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
        except OSError:
            continue  # its process is alive
        finally:
            os.close(lease)
    return removed


def _made(prefix: str) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        lease = os.open(folder / _LEASE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with contextlib.suppress(OSError):  # a file system without locks: nothing is swept there
            fcntl.flock(lease, fcntl.LOCK_EX)
        if os.fstat(lease).st_nlink:
            return folder, lease
        os.close(lease)  # swept between open and lock
