"""How every command grows with the estate: seconds of the processor and memory at each size, and
the exponent between sizes, taken against what a command reads and writes (the bytes of the files
and of the answer).

Commands are run as a user runs them, with their default budget, on a snapshot (EMS) or on a folder
that was read before (the others). An answer that the budget cut is marked.
"""

from __future__ import annotations

import math
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from estates import MESH_SIZE, company, write
from measurement import TOPOGRAPH, Bench, Row
from processes import MIB, high_water
from queue_manager_estates import queue_manager_estate, write_queue_managers
from router_estates import router_estate, write_routers

LINEAR = 1.2
"""The exponent that no command should exceed."""
SECONDS, MEMORY, AT = 2.0, 500 * MIB, 1_000
"""Seconds of the processor and bytes that no command should take at so many servers."""
START = 0.3
"""Seconds that the start of a command takes, about: the rest is what grows."""
NOISE = 0.25
"""Seconds above those of the start from which on an exponent says something."""
LONGEST = 300
"""Seconds after which a command is ended."""
QUEUES = 50


@dataclass(frozen=True, slots=True)
class Taken:
    """What one run took: seconds of the processor, the bytes that it had at most, the bytes that it
    wrote, and whether its budget cut the answer (None: it was ended)."""

    seconds: float
    peak: int
    written: int
    cut: bool | None


@dataclass(frozen=True, slots=True)
class Sized:
    """An estate of one size: where it is, the bytes of its files, and the words of each command
    by its title."""

    servers: int
    place: Path
    bytes: int
    commands: Mapping[str, Sequence[str]]


def growth(bench: Bench) -> Iterator[Row]:
    """A row a command and size. ``--hubs`` limits the sizes: ten servers each."""
    for title, estates in KINDS.items():
        sizes = [one for one in estates[0] if one <= max(10, 10 * bench.hubs)]
        before: dict[str, tuple[int, float]] = {}
        for size in sizes:
            made = estates[1](bench, size)
            for name, words in made.commands.items():
                taken = run([*words, "-s", str(made.place)], bench.environment)
                yield _row(f"{title}, {name}, {made.servers:,}", made, taken, before, name)


def _row(
    work: str, made: Sized, taken: Taken, before: dict[str, tuple[int, float]], name: str
) -> Row:
    """The line of one run. ``before`` has the bytes and seconds of the size before."""
    size, above = made.bytes + taken.written, taken.seconds - START
    exponent = ""
    met = True
    if name in before and above > NOISE:
        smaller, seconds = before[name]
        grown = math.log(above / max(seconds, NOISE)) / math.log(size / smaller)
        exponent = f"n^{grown:.1f}"
        met = grown <= LINEAR
    before[name] = (size, above)
    cut = {None: f", ended after {LONGEST} s", True: ", cut by the budget", False: ""}[taken.cut]
    met = met and taken.cut is False
    if made.servers <= AT:
        met = met and taken.seconds <= SECONDS and taken.peak <= MEMORY
    ours = f"{taken.seconds:.2f} s, {taken.peak / MIB:,.0f} MB{cut}"
    return Row(work, f"{size / 1e6:,.1f} MB", ours, exponent, f"≤ n^{LINEAR}", met)


def run(words: Sequence[str], environment: dict[str, str]) -> Taken:
    """Run a command once and look at what it took. Raises CalledProcessError if it fails."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [TOPOGRAPH, *words], env=environment, stdout=output, stderr=subprocess.DEVNULL
        )
        ended, peak = False, 0
        while True:
            peak = max(peak, high_water(process.pid))
            number, status, used = os.wait4(process.pid, os.WNOHANG)
            if number:
                break
            if not ended and time.perf_counter() - start > LONGEST:
                process.kill()
                ended = True
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        if not ended and process.returncode not in (0, 1):
            raise subprocess.CalledProcessError(process.returncode, words)
        written = output.tell()
        output.seek(0)
        # Line by line: an answer may have gigabytes.
        cut = None if ended else any(b"(--budget)" in line for line in output)
    return Taken(used.ru_utime + used.ru_stime, peak, written, cut)


def _bytes(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


def _common(a: str, b: str, destination: str, folder: Path) -> dict[str, Sequence[str]]:
    """The questions that every system answers, between two servers."""
    json_ = ["--format", "json"]
    page = ["-o", str(folder / "page.html")]
    return {
        "reach A": ["reach", a, *json_],
        "reach A B": ["reach", a, b, *json_],
        "hops A B": ["hops", a, b, *json_],
        "hops --matrix": ["hops", "--matrix", "--format", "jsonl"],
        "paths A B": ["paths", a, b, *json_],
        "propagate": ["propagate", a, "--destination", destination, *json_],
        "trace": ["trace", a, "--destination", destination, *json_],
        "impact --fail": ["impact", "--fail", f"server:{b}", *json_],
        "impact --sweep": ["impact", "--sweep", *json_],
        "check": ["check", *json_],
        "show servers": ["show", "servers", *json_],
        "show routes": ["show", "routes", *json_],
        "view": ["view", *page],
        "report": ["report", *page],
    }


def _ems(bench: Bench, size: int) -> Sized:
    estate = company(size // MESH_SIZE)
    folder = bench.folder / f"growth-ems-{size}"
    write(estate, folder / "files")
    bench.topograph(
        *("import", str(folder / "files"), "-o", str(folder / "snapshot"), "--neo4j", "none")
    )
    hub, spoke = estate.servers[0], estate.servers[-1]
    link = next(one for one in estate.links if hub in (one.a, one.b) and one.selector)
    new = f"create route {spoke} url=tcp://{spoke.lower()}.example.net:7222 zone_name=WAN "
    scripts = {
        "audit of a new route": (estate.servers[1], f"{new}zone_type=mhop\n"),
        "audit of a deleted route": (link.a, f"delete route {link.b}\n"),
        "audit of a changed selector": (
            link.a,
            f'setprop route {link.b} outgoing_topic=orders selector="shard <> 4"\n',
        ),
    }
    commands = _common(hub, spoke, "topic:orders", folder)
    commands["propagate"] = [*commands["propagate"], "--set", "shard=3", "--set", "amount=500"]
    commands |= {
        "cycles": ["cycles", "--format", "json"],
        "interests A": ["interests", hub, "--format", "json"],
        "interests": ["interests", "--format", "jsonl"],
        "impact --fail a hub": ["impact", "--fail", f"server:{hub}", "--format", "json"],
    }
    for number, (title, (server, script)) in enumerate(scripts.items()):
        file = folder / f"change-{number}.txt"
        file.write_text(script)
        commands[title] = ["audit", "--change", f"{server}={file}", "--format", "json"]
    return Sized(size, folder / "snapshot", _bytes(folder / "files"), commands)


def _queue_managers(bench: Bench, size: int) -> Sized:
    estate = queue_manager_estate(size, QUEUES)
    folder = bench.folder / f"growth-queue-managers-{size}"
    write_queue_managers(estate, folder / "files")
    here, queue, _ = max(estate.remote, key=lambda one: estate.hops(one[0], one[2]))
    root, last = estate.names[1], estate.names[-1]
    commands = {
        "the first answer": ["reach", root, "--format", "json"],
        **_common(estate.names[here], last, f"queue:{queue}", folder),
        "impact --fail a hub": ["impact", "--fail", f"server:{root}", "--format", "json"],
    }
    change = folder / "change.mqsc"
    change.write_text(f"DEFINE QREMOTE(NEW.ONE) RNAME(APP.0) RQMNAME({last})\n")
    commands["audit of a QREMOTE"] = [
        *("audit", "--change", f"{estate.names[here]}={change}", "--format", "json")
    ]
    return Sized(size, folder / "files", _bytes(folder / "files"), commands)


def _routers(bench: Bench, size: int) -> Sized:
    estate = router_estate(size, 1_000)
    folder = bench.folder / f"growth-routers-{size}"
    write_routers(estate, folder / "files")
    a, b = estate.interior[1], estate.interior[-1]
    commands = {
        "the first answer": ["reach", a, "--format", "json"],
        **_common(a, b, f"address:{estate.addresses[1]}", folder),
    }
    return Sized(size, folder / "files", _bytes(folder / "files"), commands)


KINDS: Mapping[str, tuple[Sequence[int], Callable[[Bench, int], Sized]]] = {
    "EMS": ((10, 100, 1_000, 10_000), _ems),
    "queue managers": ((10, 100, 300, 1_000), _queue_managers),
    "routers with 1,000 addresses": ((10, 32, 128), _routers),
}
