"""``./dev mutants N``: of N random changes of the rules, how many the quick tests notice.

First the quick tests run once, and what each line is run by is recorded. Then one change after the
other is made in a copy of the project, and the tests that run its line run until one fails. A
change in a line that runs only while its module is loaded is shown to the tests that run anything
of that module, and then to the nearest others: other modules may take what it makes. One that no
test runs is not noticed. A line that a test runs only in a process of its own is not recorded, so
the figure is rather too low than too high.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from coverage import CoverageData

from benchmarks.mutants.sites import Change, modules, operators, places

ROOT = Path(__file__).resolve().parents[2]
OF = [
    "topograph/forwarding",
    "topograph/tracing",
    "topograph/selectors",
    "topograph/systems",
    "topograph/audit",
    "importers",
]
QUICK = "not (slow or spark or neo4j or browser)"
"""The tests of ``./dev test --fast``."""

_NOT_COPIED = [".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info"]

PATIENCE = 4
"""Times as long as recorded, and a minute, that tests of a change may take: longer is noticed."""

OTHERS = 180
"""Seconds of tests that do not run a module and are shown a change of what it makes while it is
loaded.
"""

MEMORY = 4 << 30
"""Bytes that the tests of a change may allocate: an endless list is noticed by it."""


@dataclass(frozen=True)
class Mutant:
    """A file, relative to the project, with one change."""

    file: str
    change: Change
    source: str

    def shown(self, root: Path) -> str:
        """The file and line, the operator, and the line before and after."""
        before = (root / self.file).read_text(encoding="utf-8").splitlines()
        after = self.source.splitlines()
        at = next(
            (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
            self.change.line - 1,
        )
        name = self.change.operator.removeprefix("core/")
        return f"{self.file}:{at + 1}: {name}\n  - {before[at].strip()}\n  + {after[at].strip()}"


class Recorded:
    """What was recorded: which tests run which lines, and how long each test takes."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        for part in folder.glob("seconds-*.jsonl"):
            self.seconds.update(json.loads(line) for line in part.read_text().splitlines())
        self._root = Path((folder / "root").read_text())
        self._data = CoverageData(str(folder / "lines"))
        self._data.read()

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests for a change, those of a quick file first; for one in a line that runs only
        while its module is loaded, the nearest others behind them."""
        by_line = self._data.contexts_by_lineno(str(self._root / mutant.file))
        found = set(by_line.get(mutant.change.line, ())) & self.seconds.keys()
        others: list[str] = []
        if not found and "" in by_line.get(mutant.change.line, [""]):
            found = {test for tests in by_line.values() for test in tests} & self.seconds.keys()
            others = self._nearest(Path(mutant.file), found)
        took: dict[str, float] = defaultdict(float)
        for test in found:
            took[_file(test)] += self.seconds[test]
        return sorted(found, key=lambda test: (took[_file(test)], test)) + others

    def _nearest(self, module: Path, but: Collection[str]) -> list[str]:
        """Other tests, as many as take OTHERS seconds: those whose path has most in common with
        that of a module.
        """
        own = set(module.parts)
        others = sorted(
            self.seconds.keys() - but,
            key=lambda test: (-len(own & set(Path(_file(test)).parts)), test),
        )
        ends = itertools.accumulate(self.seconds[test] for test in others)
        return [test for test, end in zip(others, ends, strict=True) if end <= OTHERS]


def main(words: list[str] | None = None) -> int:
    """Prints what survived and the figure; 0, or 1 where the figure is below ``--at-least``."""
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=None, help="the same N changes again")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--at-least", type=float, default=90.0, metavar="PERCENT")
    parser.add_argument("--of", nargs="+", default=OF, metavar="FOLDER", help="what to change")
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="of the quick tests")
    parser.add_argument("--lines", type=Path, help="keep what is recorded in this folder")
    asked = parser.parse_args(words)
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)

    chosen = choose(ROOT, asked.of, asked.number, random.Random(seed))
    with tempfile.TemporaryDirectory(prefix="topograph-mutants-") as scratch:
        recorded = asked.lines or Path(scratch) / "recorded"
        if not (recorded / "root").exists():
            of = sorted({*OF, *asked.of})
            record(_copied(Path(scratch) / "recording"), of, recorded, asked.tests, asked.jobs)
        lines = Recorded(recorded)
        survived = []
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.jobs):
            copies.put(_copied(Path(scratch) / f"copy-{number}"))
        with ThreadPoolExecutor(asked.jobs) as pool:

            def ends(mutant: Mutant) -> tuple[Mutant, str, float]:
                began, copy = time.monotonic(), copies.get()
                try:
                    return mutant, noticed(mutant, copy, lines), time.monotonic() - began
                finally:
                    copies.put(copy)

            for number, (mutant, how, seconds) in enumerate(pool.map(ends, chosen), 1):
                if not how:
                    survived.append(mutant)
                what = how or f"NOT NOTICED\n{mutant.shown(ROOT)}"
                print(f"{number}/{len(chosen)} {seconds:.0f} s {what}", flush=True)
    share = 100 * (len(chosen) - len(survived)) / len(chosen)
    print(f"\nNot noticed, of {len(chosen)} changes with seed {seed}:\n")
    print("\n".join(mutant.shown(ROOT) for mutant in survived) or "none")
    print(f"\n{len(chosen) - len(survived)} of {len(chosen)} noticed: {share:.1f} %")
    return 0 if share >= asked.at_least else 1


def choose(root: Path, of: list[str], number: int, at: random.Random) -> list[Mutant]:
    """Places drawn evenly from all there are, and one change of each that is still Python."""
    known = operators()
    sources = {
        str(path.relative_to(root)): path.read_text(encoding="utf-8")
        for path in modules([root / folder for folder in of])
    }
    all_places = [
        (file, place) for file, source in sources.items() for place in places(source, known)
    ]
    at.shuffle(all_places)
    chosen: list[Mutant] = []
    for file, place in all_places:
        if len(chosen) == number:
            break
        for change in at.sample(place, len(place)):
            changed = change.made(sources[file])
            if changed is not None and changed != sources[file]:
                chosen.append(Mutant(file, change, changed))
                break
    return chosen


def record(root: Path, of: list[str], folder: Path, tests: list[str], jobs: int) -> None:
    """Runs the quick tests of the project at ``root`` and keeps in ``folder`` what they run ``of``
    its folders. Tests
    that fail there are told of, and not used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    environment = _environment(root) | {
        "TOPOGRAPH_RECORDED": str(folder),
        "TOPOGRAPH_RECORDED_OF": os.pathsep.join(str(root / one) for one in of),
    }
    plugin = ["-p", "benchmarks.mutants.recorder"]
    done = subprocess.run(
        [*_pytest(), *plugin, "-n", str(jobs), "-m", QUICK, "--tb=line", *tests],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stdout[-2000:], flush=True)
    if done.returncode not in {0, 1}:
        sys.exit("the quick tests did not run")
    data = CoverageData(str(folder / "lines"))
    for part in sorted(folder.glob("lines.*")):
        one = CoverageData(str(part))
        one.read()
        data.update(one)
        part.unlink()
    data.write()
    (folder / "root").write_text(str(root))


def noticed(mutant: Mutant, root: Path, lines: Recorded) -> str:
    """What noticed a change that is made in the copy at ``root`` and taken back; empty: nothing."""
    tests = lines.tests(mutant)
    if not tests:
        return ""
    path = root / mutant.file
    before = path.read_text(encoding="utf-8")
    patience = 60 + PATIENCE * sum(lines.seconds[test] for test in tests)
    try:
        path.write_text(mutant.source, encoding="utf-8")
        return _first_failure(root, tests, patience)
    finally:
        path.write_text(before, encoding="utf-8")


def _first_failure(root: Path, tests: list[str], patience: float) -> str:
    if not tests:
        return ""
    listed = root / "tests-of-a-change"
    listed.write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
    process = subprocess.Popen(
        [*_limited(), *_pytest(), "-x", "--tb=no", "-n0", f"@{listed}"],
        cwd=root,
        env=_environment(root),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"no end after {patience:.0f} s"
    if process.returncode == 0:
        return ""
    if lost := [test for test in tests if f"ERROR: not found: {root / _function(test)}\n" in said]:
        # Its name hangs on where it runs, or on what is changed: that it is not there says nothing.
        return _first_failure(root, [test for test in tests if test not in lost], patience)
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (failed or said.splitlines()[-1:] or ["ended without a word"])[0][:150]


def _function(test: str) -> str:
    """A test without its parameters, as pytest names one that it does not find."""
    return test.partition("[")[0]


def _limited() -> list[str]:
    """What runs the words behind it with no more than MEMORY (``ulimit`` counts in KiB)."""
    return ["sh", "-c", f'ulimit -d {MEMORY >> 10}; exec "$@"', "sh"]


def _pytest() -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


def _environment(root: Path) -> dict[str, str]:
    """Modules come from ``root`` and programs from the project's own environment; ``CI``: random
    tests draw the same examples each time.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    programs = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{kept.get('PATH', '')}"
    return kept | {"PATH": programs, "PYTHONPATH": str(root), "CI": "true"}


def _copied(into: Path) -> Path:
    """The project as it stands, in a folder beside which lies what lies beside the project."""
    into.mkdir(parents=True)
    shared = ROOT.parent / "shared"
    if shared.is_dir():
        (into / "shared").symlink_to(shared)
    root = into / ROOT.name
    shutil.copytree(ROOT, root, symlinks=True, ignore=shutil.ignore_patterns(*_NOT_COPIED))
    return root


def _file(test: str) -> str:
    return test.partition("::")[0]


if __name__ == "__main__":
    sys.exit(main())
