"""``./dev kills --count N``: commands that get SIGKILL, SIGTERM or SIGINT at random moments.
Nothing that they write may be half-written or left behind, and the next command answers as before.

Most are questions on a folder, with and without a reading in the cache, pictures, reports, audits
that write files, and histories of a repository; ``--imports`` and ``--publishes`` of them are
imports on Spark and publishes to a database (``TOPOGRAPH_NEO4J_URI``, else none).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
TOPOGRAPH = Path(sys.executable).with_name("topograph")
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
ENDED_BY = {signal.SIGTERM: {143, -15}, signal.SIGINT: {130, -2}, signal.SIGKILL: {-9}}
"""The exit codes of a command that a signal ended: its own, or that of a process that dies of it,
which a shell tells alike."""
PATIENCE = 300.0

ESTATE = "examples/estate"
QUESTIONS = (
    f"reach CANADA -s {ESTATE}",
    f"check -s {ESTATE}",
    f"show servers -s {ESTATE} --format json",
    f"cycles -s {ESTATE} --format json",
    "impact --sweep -s examples/queue_managers",
    "trace HUB --destination queue:ORDERS -s examples/queue_managers",
    f"view -s {ESTATE} -o OUT/v.html",
    f"view -s {ESTATE} -o OUT/v.svg",
    f"report -s {ESTATE} -o OUT/r.html",
    f"audit -s {ESTATE} --change HQ=examples/changes/canada.txt --sarif OUT/a.sarif "
    "--junit OUT/a.xml --markdown OUT/a.md --save OUT/a.json",
    f"check -s {ESTATE} --write-baseline OUT/baseline.json",
    "history REPOSITORY/conf -o OUT/h.html --most 4",
)


@dataclass
class Tally:
    """What was done and seen."""

    kills: Counter[str] = field(default_factory=Counter)
    """By kind of command and signal."""
    ended: Counter[str] = field(default_factory=Counter)
    """By signal and exit code."""
    tracebacks: int = 0
    at_start: int = 0
    """Of Python itself, by Ctrl-C before it has loaded anything of topograph."""
    faults: list[str] = field(default_factory=list)


@dataclass
class Ran:
    """What a command that nobody disturbed gave: its exit code, what it wrote, and how long it
    took."""

    code: int
    out: str
    files: Mapping[str, bytes]
    seconds: float


class Kills:
    """A folder in which commands run and are killed."""

    def __init__(self, folder: Path, seed: int, names: Sequence[str] | None = None) -> None:
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # What a shell runs in its background ignores Ctrl-C, and passes that on.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.signals = [one for one in SIGNALS if not names or one.name in names]
        self.at = random.Random(seed)
        self.tally = Tally()
        self.folder = folder
        for name in ("tmp", "out", "home", "repository"):
            (folder / name).mkdir()
        shutil.copytree(ROOT / "examples", folder / "examples", symlinks=True)
        self._history()
        self.environment = {
            **os.environ,
            "TOPOGRAPH_HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "PYTHONHASHSEED": "0",
        }
        self.usual: dict[str, Ran] = {}

    def _history(self) -> None:
        place = self.folder / "repository"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        environment = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

        def git(*words: str) -> None:
            own = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
            subprocess.run(own, cwd=place, env=environment, check=True, capture_output=True)

        git("init", "-q", "-b", "main")
        shutil.copytree(ROOT / ESTATE, place / "conf")
        for number in range(4):
            with next((place / "conf").rglob("topics.conf")).open("a") as file:
                file.write(f"t.{number}\n")
            git("add", "-A")
            git("commit", "-q", "-m", f"state {number}")

    def words(self, line: str) -> list[str]:
        """The command of a line, with its places."""
        return [
            str(TOPOGRAPH),
            *line.replace("OUT/", f"{self.folder}/out/")
            .replace("REPOSITORY/", f"{self.folder}/repository/")
            .split(),
        ]

    def start(self, line: str) -> subprocess.Popen[str]:
        """The command as a group of processes."""
        return subprocess.Popen(
            self.words(line),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def whole(self, line: str) -> Ran:
        """Run a command to its end."""
        began = time.monotonic()
        process = self.start(line)
        out, err = process.communicate(timeout=PATIENCE)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{line}: {process.returncode} {err}")
        return Ran(process.returncode, out, self.files(), time.monotonic() - began)

    def files(self) -> dict[str, bytes]:
        """What stands in the folder of outputs."""
        place = self.folder / "out"
        return {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in sorted(place.rglob("*"))
            if path.is_file()
        }

    def kill(self, line: str) -> None:
        """Run a command, send it a signal at a moment of its usual time, and look at what is left;
        then run it to its end, and look again."""
        usual = self.usual[line]
        if self.at.random() < 0.5:
            shutil.rmtree(self.folder / "home" / "cache" / "readings", ignore_errors=True)
        number = self.at.choice(self.signals)
        process = self.start(line)
        time.sleep(self.at.random() * usual.seconds * 1.05)
        self._send(process, number)
        try:
            _, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.tally.faults.append(f"{line}: does not end after {number.name}")
            return
        kind = line.partition(" ")[0]
        self.tally.kills[f"{kind} {number.name}"] += 1
        if sum(self.tally.kills.values()) % 50 == 0:
            print(self.said(), flush=True)
        self._look_at(line, number, process, err)
        again = self.whole(line)
        if (again.code, again.out, again.files) != (usual.code, usual.out, usual.files):
            self.tally.faults.append(f"{line}: another answer after {number.name}")
        self._nothing_left(line, number)

    def _send(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        """As a terminal does (Ctrl-C), as a supervisor does (SIGTERM), as nobody hopes for."""
        with contextlib.suppress(ProcessLookupError):
            if number is signal.SIGINT:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)

    def _look_at(
        self, line: str, number: signal.Signals, process: subprocess.Popen[str], err: str
    ) -> None:
        usual, code = self.usual[line], process.returncode
        self.tally.ended[f"{number.name} {code}"] += 1
        if number is signal.SIGINT and "KeyboardInterrupt" in err and "/topograph/" not in err:
            self.tally.at_start += 1
            code = -number
        else:
            self.tally.tracebacks += "Traceback" in err
        if code not in ENDED_BY[number] | {usual.code}:
            self.tally.faults.append(f"{line}: {code} after {number.name}: {err[-300:]}")
        ended = _group_ends(process.pid)
        if not ended:
            self.tally.faults.append(f"{line}: processes are left after {number.name}")
        for name, data in self.files().items():
            if not name.endswith(".part") and data != usual.files.get(name):
                self.tally.faults.append(f"{line}: {name} is not whole after {number.name}")
        if number is not signal.SIGKILL:
            self._nothing_left(line, number)

    def _nothing_left(self, line: str, number: signal.Signals) -> None:
        """No part of a file, and nothing of ours in the folder for temporary files."""
        left = [*(self.folder / "tmp").glob("topograph*"), *self.folder.rglob("*.part")]
        if left:
            self.tally.faults.append(f"{line}: {left} is left after {number.name}")
            for path in left:
                shutil.rmtree(path, ignore_errors=True)
                path.unlink(missing_ok=True)

    def imported(self) -> None:
        """Kill an import over a snapshot: the snapshot answers as before, or as the new one does;
        the next import is whole."""
        line = f"import {ESTATE} -o OUT/s --neo4j none -q"
        number = self.at.choice(self.signals)
        estate = self.folder / ESTATE
        file = next(estate.rglob("queues.conf"))
        before = self._asked("s")
        file.write_text(file.read_text() + f"q.{self.at.randrange(10**9)}\n")
        process = self.start(line)
        time.sleep(self.at.random() * self.usual["import"].seconds)
        self._send(process, number)
        _, err = process.communicate(timeout=PATIENCE)
        self.tally.kills[f"import {number.name}"] += 1
        code = process.returncode
        self.tally.ended[f"{number.name} {code}"] += 1
        self.tally.tracebacks += "Traceback" in err
        if code not in ENDED_BY[number] | {0}:
            self.tally.faults.append(f"{line}: {code} after {number.name}: {err[-300:]}")
        if not _group_ends(process.pid):
            self.tally.faults.append(f"{line}: processes are left after {number.name}")
        if number is not signal.SIGKILL:
            self._nothing_left(line, number)
        after = self._asked("s")
        again = self.whole(line)
        if after not in (before, self._asked("s")) or again.code:
            self.tally.faults.append(f"{line}: the snapshot is neither old nor new")
        runs = list((self.folder / "out" / "s" / "data").iterdir())
        if len([one for one in runs if one.is_dir()]) != 1:
            self.tally.faults.append(f"{line}: {len(runs)} runs are left after {number.name}")
        self._nothing_left(line, number)

    def _asked(self, snapshot: str) -> str:
        place = self.folder / "out" / snapshot
        told = self.whole(f"show queues -s {place} --format json")
        rows = json.loads(told.out)["rows"]
        return json.dumps(rows)

    def published(self) -> None:
        """Kill a publish: the next one is whole, and the database answers as before."""
        place = self.folder / "out" / "s"
        line, number = f"snapshots publish {place}", self.at.choice(self.signals)
        process = self.start(line)
        time.sleep(self.at.random() * self.usual["publish"].seconds)
        self._send(process, number)
        _, err = process.communicate(timeout=PATIENCE)
        self.tally.kills[f"publish {number.name}"] += 1
        code = process.returncode
        self.tally.ended[f"{number.name} {code}"] += 1
        self.tally.tracebacks += "Traceback" in err
        if code not in ENDED_BY[number] | {0}:
            self.tally.faults.append(f"{line}: {code} after {number.name}: {err[-300:]}")
        self.whole(line)
        question = f"reach CANADA -s {place} --format json"
        memory = json.loads(self.whole(f"{question} --engine memory").out)
        stored = json.loads(self.whole(f"{question} --engine neo4j").out)
        if memory["servers"] != stored["servers"]:
            self.tally.faults.append(f"{line}: the database answers otherwise")
        counted = self.whole("cypher snapshots --format json").out
        if json.loads(counted) != self.usual["publish"].files:
            self.tally.faults.append(f"{line}: {counted} after {number.name}")

    def said(self) -> str:
        """The counts and the faults."""
        tally = self.tally
        lines = [f"{sum(tally.kills.values())} commands were killed"]
        lines += [f"  {n:5}  {name}" for name, n in sorted(tally.kills.items())]
        lines += ["exit codes:", *(f"  {n:5}  {name}" for name, n in sorted(tally.ended.items()))]
        lines += [
            f"tracebacks: {tally.tracebacks}, and {tally.at_start} of Python's start",
            f"faults: {len(tally.faults)}",
        ]
        return "\n".join([*lines, *(f"  {one}" for one in tally.faults)])


def _group_ends(number: int) -> bool:
    """Whether the group of a command has no process any more, or soon."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def main(words: Sequence[str] | None = None) -> int:
    """Kill so many commands; 1 where anything was wrong."""
    parser = argparse.ArgumentParser(prog="./dev kills", description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--imports", type=int, default=0, help="how many of them are imports")
    parser.add_argument("--publishes", type=int, default=0, help="how many are publishes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signal", choices=[one.name for one in SIGNALS], action="append")
    asked = parser.parse_args(words)
    with TemporaryDirectory(prefix="kills-") as folder:
        kills = Kills(Path(folder), asked.seed, asked.signal)
        for line in QUESTIONS:
            kills.whole(line)
        kills.usual = {line: kills.whole(line) for line in QUESTIONS}
        for line in QUESTIONS:  # with all files
            kills.usual[line] = Ran(**{**kills.usual[line].__dict__, "files": kills.files()})
        told = 0
        for _ in range(asked.count - asked.imports - asked.publishes):
            kills.kill(kills.at.choice(QUESTIONS))
            if kills.tally.faults[told:]:
                print(*kills.tally.faults[told:], sep="\n", flush=True)
                told = len(kills.tally.faults)
        if asked.imports or asked.publishes:
            whole = kills.whole(f"import {ESTATE} -o OUT/s --neo4j none -q")
            kills.usual["import"] = whole
        for _ in range(asked.imports):
            kills.imported()
        if asked.publishes:
            place = kills.folder / "out" / "s"
            ran = kills.whole(f"snapshots publish {place}")
            rows = json.loads(kills.whole("cypher snapshots --format json").out)
            kills.usual["publish"] = Ran(ran.code, ran.out, rows, ran.seconds)
        for _ in range(asked.publishes):
            kills.published()
        print(kills.said())
    return 1 if kills.tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
