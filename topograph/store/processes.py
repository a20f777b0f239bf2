"""Processes by identity: a process id together with what tells it from a later process with the
same id; and locks between processes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


def identity(pid: int) -> str:
    """When the process ``pid`` started, as text that differs for any other process that ever had
    this id; empty if there is no such process (one that ended and was not yet collected by its
    parent counts as none)."""
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return ""
        # Counted from boot: the time of day of a start changes whenever the clock is set.
        after_boot = process.create_time() - psutil.boot_time()
    except psutil.Error:
        return ""
    return f"{_boot()}:{round(after_boot * 100)}"


def is_running(pid: int, known: str) -> bool:
    """True if the process that had ``identity(pid) == known`` still runs."""
    return bool(known) and identity(pid) == known


def _boot() -> str:
    """Start times count from boot, and process ids begin again then. psutil knows only when that
    was, by a clock that may be set.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` exclusively; waits for another holder, in this process too.
    The lock ends with the process, however it ends.
    """
    from filelock import FileLock

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path, mode=0o600):
        yield
