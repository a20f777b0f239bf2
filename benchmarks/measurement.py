"""What the parts of the table share: rows, times, comparing answers, and the estate they measure
on.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from estates import Estate, company, write
from peers import Peer

TOPOGRAPH = str(Path(sys.executable).with_name("topograph"))
SHARD = 3
MESSAGE = {"shard": SHARD, "amount": 500}

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. ``met`` is None where there is no goal."""

    work: str
    peer: str
    ours: str
    ratio: str = ""
    goal: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        mark = {None: "", True: "met", False: "MISSED"}[self.met]
        return f"| {self.work} | {self.peer} | {self.ours} | {self.ratio} | {self.goal} | {mark} |"


class Different(Exception):
    """Two answers that must be equal are not."""


def same(what: str, ours: object, peer: object) -> None:
    if ours != peer:
        raise Different(f"{what}: our answer differs from the peer's")


def timed(work: Callable[[], T], times: int = 7) -> tuple[float, T]:
    """The median seconds of some runs after one that is not counted, and the result."""
    result = work()
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def timed_in_turn(
    peer: Callable[[], S], ours: Callable[[], T], times: int
) -> tuple[tuple[float, S], tuple[float, T]]:
    """The same of two works that take turns: what else the machine does slows both."""
    results = peer(), ours()
    seconds: tuple[list[float], list[float]] = [], []
    for _ in range(times):
        for work, taken in zip((peer, ours), seconds, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return (statistics.median(seconds[0]), results[0]), (statistics.median(seconds[1]), results[1])


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.2f} ms" if seconds < 1 else f"{seconds:,.1f} s"


@dataclass
class Bench:
    """What the parts measure on; each thing is made when it is first needed."""

    folder: Path
    hubs: int
    spokes: int
    sample: int
    environment: dict[str, str] = field(default_factory=dict)

    @cached_property
    def estate(self) -> Estate:
        return company(self.hubs)

    @cached_property
    def start(self) -> str:
        """The server questions start from: one beside the root of the tree, from where a guarded
        walk gets far.
        """
        return self.estate.servers[1]

    @cached_property
    def files(self) -> Path:
        folder = self.folder / "company"
        write(self.estate, folder)
        return folder

    @cached_property
    def snapshot(self) -> Path:
        """The imported estate."""
        place = self.folder / "company.snapshot"
        if not place.exists():
            self.topograph("import", str(self.files), "-o", str(place), "--neo4j", "none")
        return place

    @cached_property
    def tenth(self) -> Estate:
        """A tenth of the estate: 1,000 servers of 10,000."""
        return company(max(1, self.hubs // 10))

    @cached_property
    def tenth_files(self) -> Path:
        folder = self.folder / "tenth"
        write(self.tenth, folder)
        return folder

    @cached_property
    def tenth_snapshot(self) -> Path:
        """The imported tenth."""
        place = self.folder / "tenth.snapshot"
        self.topograph("import", str(self.tenth_files), "-o", str(place), "--neo4j", "none")
        return place

    @cached_property
    def network(self) -> Any:
        import topograph

        return topograph.open(self.snapshot, engine="memory")

    @cached_property
    def graph(self) -> Any:
        from topograph.store.parquet import open_snapshot
        from topograph.systems import assemble

        kept = open_snapshot(str(self.snapshot))
        return assemble(kept.graph_tables(kept.networks[0])[0])

    @cached_property
    def peer(self) -> Peer:
        return Peer(self.estate)

    @cached_property
    def guarded_peer(self) -> Peer:
        return Peer(self.estate, SHARD)

    @cached_property
    def database(self) -> dict[str, str]:
        """The managed server, started for this run: uri, user, password_file."""
        self.topograph("db", "start")
        return json.loads(self.topograph("db", "status", "--format", "json"))

    def topograph(self, *words: str) -> str:
        done = subprocess.run(
            [TOPOGRAPH, *words], env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(
                f"topograph {' '.join(words)} ended with {done.returncode}:\n{done.stderr}"
            )
        return done.stdout

    @property
    def size(self) -> str:
        return f"{len(self.estate.servers):,} servers"

    def close(self) -> None:
        """Stop what was started."""
        if "database" in self.__dict__:
            self.topograph("db", "stop")
