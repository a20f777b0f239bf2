"""Time and memory of a command, with every process it starts."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Measured:
    """``seconds`` by the clock; ``peak`` bytes: the largest sum, at one moment, over the command
    and all its descendants, shared pages counted once (Pss); ``own_peak`` the most that the
    command alone had resident at any time."""

    seconds: float
    peak: int
    own_peak: int
    output: str


def measure(
    command: Sequence[str], environment: dict[str, str] | None = None, every: float = 0.05
) -> Measured:
    """Run a command to its end and watch it. Raises CalledProcessError if it fails. Linux only
    (/proc).
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=errors, text=True
        )
        peak = own = 0
        while process.poll() is None:
            own = max(own, high_water(process.pid))
            peak = max(peak, sum(map(_proportional, _family(process.pid))))
            time.sleep(every)
        seconds = time.perf_counter() - start
        output.seek(0)
        errors.seek(0)
        written = output.read()
        if process.returncode not in (0, 1):
            raise subprocess.CalledProcessError(process.returncode, command, written, errors.read())
    return Measured(seconds, peak, own, written)


def clocked(
    command: Sequence[str], environment: dict[str, str] | None = None
) -> tuple[float, float]:
    """Run a command that writes to nowhere: the seconds by the clock, and those of the processor
    (its own and the kernel's for it). Nothing watches it, so that nothing slows it. A verdict that
    does not accept is none of its failures (exit code 1). Raises CalledProcessError if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise subprocess.CalledProcessError(process.returncode, command)
    return seconds, used.ru_utime + used.ru_stime


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def _proportional(pid: int) -> int:
    return _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") << 10


def high_water(pid: int) -> int:
    """The most bytes that a process had resident so far; 0 where it has ended."""
    return _kilobytes(Path(f"/proc/{pid}/status"), "VmHWM:") << 10


def _kilobytes(file: Path, field: str) -> int:
    with contextlib.suppress(OSError):
        for line in file.read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1])
    return 0
