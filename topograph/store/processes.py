"""Processes by identity: a process id together with what tells it from a later process with the same id."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path


def identity(pid: int) -> str:
    """When the process ``pid`` started, as text that differs for any other process that ever had this id; empty if there is no
    such process (one that ended and was not yet collected by its parent counts as none)."""
    if Path("/proc/self/stat").exists():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        # The command name stands in parentheses and may hold spaces; state is the 1st and start time the 20th field after it.
        fields = stat.rpartition(")")[2].split()
        return "" if fields[0] in ("Z", "X") else f"{_boot()}:{fields[19]}"
    found = subprocess.run(  # noqa: S603
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return "" if not found or found.startswith("Z") else found.partition(" ")[2].strip()


def is_running(pid: int, known: str) -> bool:
    """True if the process that had ``identity(pid) == known`` still runs."""
    return bool(known) and identity(pid) == known


def _boot() -> str:
    """Start times count from boot, and process ids begin anew then."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` exclusively; waits for another holder. The lock ends with the process, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
