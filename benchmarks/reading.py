"""How fast one large file is read, and in how much memory: megabytes a second and bytes of
memory a byte of the file.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from measurement import Bench, Row

SIZE = 16 * 2**20
"""Bytes of the files; a quarter of the largest that is read."""
GOAL_SPEED = 10.0
GOAL_MEMORY = 10.0


def parameters() -> Iterator[str]:
    """A tibemsd.conf with the few hundred names that a server knows, again and again, comments
    and blank lines between.
    """
    yield "server = A\n"
    number = 0
    while True:
        number += 1
        yield f"# section {number} of the parameters\n\n"
        yield f"listen                    = tcp://host{number % 97}.example.com:7222\n"
        yield f"max_msg_memory            = {number}MB\n"
        yield "server_heartbeat_server   = 15\n"
        yield f"logfile                   = /opt/tibco/data/log/server{number}.log\n"
        yield "log_trace                 = DEFAULT,+CONNECT,-WARNING\n"
        yield "flow_control              = enabled\n"
        yield f"module_path               = /opt/tibco/ems/10.2/bin/modules/{number}\n"


def topics() -> Iterator[str]:
    """A topics.conf of different names, nearly all with properties."""
    number = 0
    while True:
        number += 1
        yield (
            f"com.example.region{number % 50}.orders.update.v{number}  "
            "global,secure,maxbytes=10MB,expiration=3600\n"
        )
        yield (
            f"com.example.region{number % 50}.orders.status.v{number}  global, prefetch=64, "
            "store=$sys.failsafe\n"
        )
        yield f"com.example.internal.audit.{number}\n"


KINDS: dict[str, Callable[[], Iterator[str]]] = {"tibemsd.conf": parameters, "topics.conf": topics}


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
            f"recognise and read a {name} of {SIZE >> 20} MB",
            "",
            f"{speed:.1f} MB/s, {memory:.1f} bytes of memory a byte",
            "",
            f"≥ {GOAL_SPEED:.0f} MB/s, ≤ {GOAL_MEMORY:.0f}",
            speed >= GOAL_SPEED and memory <= GOAL_MEMORY,
        )


def measure(name: str, size: int) -> dict[str, float]:
    """Megabytes a second of processor time, seconds of recognition and of reading, and how far
    the process grows beyond what it holds with the file's bytes, per byte of the file."""
    import gc
    import time

    from topograph.cli.main import COLLECT_AFTER
    from topograph.importers.plan import read_bundle, recognise
    from topograph.importers.reading import Bundle, BundleFile, Options

    recognise(
        name, b"server = A\nlisten = tcp://a:1\n"
    )  # what is imported on first use is not the file's
    lines, length = [], 0
    for line in KINDS[name]():
        lines.append(line)
        length += len(line)
        if length >= size:
            break
    data = "".join(lines).encode()
    del lines
    gc.set_threshold(*COLLECT_AFTER)
    Path("/proc/self/clear_refs").write_text(
        "5", encoding="ascii"
    )  # the largest size so far is that of now
    before = _memory("VmRSS")
    started = time.process_time()
    recognised = recognise(name, data)
    between = time.process_time()
    contents = {name: data}
    part = "main" if name == "tibemsd.conf" else "topics"
    files = (
        (BundleFile("main", "main"), BundleFile(part, name))
        if part != "main"
        else (BundleFile("main", name),)
    )
    if part != "main":
        contents["main"] = b"server = A\n"
    result = read_bundle(Bundle(files[0].path, "ems", "A", files), contents, Options())
    ended = time.process_time()
    peak = _memory("VmHWM")
    return {
        "megabytes_a_second": len(data) / 2**20 / (ended - started),
        "recognition": between - started,
        "reading": ended - between,
        "memory": (peak - before) / len(data),
        "facts": len(result.facts),
        "recognised": recognised.role.system == "ems",
    }


def _memory(what: str) -> int:
    """Bytes of memory of this process, as Linux counts them."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{what}:"))


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
