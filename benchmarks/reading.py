"""How fast one large file is read by each reader, and in how much memory: megabytes a second of
processor time and bytes of memory a byte of the file; beside it what it takes to decode the file
and split it into lines.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from measurement import Bench, Row
from reader_files import KINDS

SIZE = 16 * 2**20
"""Bytes of the files; a quarter of the largest that is read."""
GOAL_SPEED = 10.0
GOAL_MEMORY = 10.0


def reading(bench: Bench) -> Iterator[Row]:
    """Recognition and reading of one file of each kind, each in a process of its own."""
    for name in KINDS:
        done = subprocess.run(
            [sys.executable, __file__, name, str(SIZE)],
            env=bench.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        measured = json.loads(done.stdout)
        speed, memory = measured["megabytes_a_second"], measured["memory"]
        yield Row(
            f"recognise and read a {name} of {SIZE >> 20} MB, {measured['facts']:,} facts",
            f"{measured['lines']:.0f} MB/s",
            f"{speed:.1f} MB/s, {memory:.1f} bytes of memory a byte",
            f"{measured['lines'] / speed:.0f}x lines alone",
            f"≥ {GOAL_SPEED:.0f} MB/s, ≤ {GOAL_MEMORY:.0f}",
            speed >= GOAL_SPEED and memory <= GOAL_MEMORY,
        )


def measure(name: str, size: int) -> dict[str, float]:
    """Megabytes a second of processor time, seconds of recognition and of reading, and how far
    the process grows beyond what it holds with the file's bytes, per byte of the file."""
    import time

    from topograph.importers.plan import read_bundle, recognise
    from topograph.importers.reading import Bundle, BundleFile, Options
    from topograph.process.garbage import for_one_command

    kind = KINDS[name]
    data = kind.text(size).encode()
    small = kind.text(1).encode()
    files = (BundleFile("main", name),)
    contents = {}
    if kind.part != "main":
        files = (BundleFile("main", "main"), BundleFile(kind.part, name))
        contents["main"] = b"server = A\n"
    bundle = Bundle(files[0].path, kind.system, "A", files)
    # What is imported on first use is not the file's.
    recognise(name, small)
    read_bundle(bundle, {**contents, name: small}, Options())
    for_one_command()
    started = time.process_time()
    data.decode().split("\n")
    split = time.process_time() - started
    Path("/proc/self/clear_refs").write_text(
        "5", encoding="ascii"
    )  # the largest size so far is that of now
    before = _memory("VmRSS")
    started = time.process_time()
    recognised = recognise(name, data)
    between = time.process_time()
    result = read_bundle(bundle, {**contents, name: data}, Options())
    ended = time.process_time()
    peak = _memory("VmHWM")
    return {
        "megabytes_a_second": len(data) / 2**20 / (ended - started),
        "lines": len(data) / 2**20 / split,
        "recognition": between - started,
        "reading": ended - between,
        "memory": (peak - before) / len(data),
        "facts": len(result.facts),
        "recognised": recognised.role.system == kind.system,
    }


def _memory(what: str) -> int:
    """Bytes of memory of this process, as Linux counts them."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{what}:"))


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
