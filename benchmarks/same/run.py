"""Are facts, findings, tables, answers and pages of two revisions the same?

AFTER is the work tree unless named. Exit code 1 where anything differs. A refactoring shows with it
that it changed nothing; a change that is meant shows what it changed.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]

Said = Mapping[tuple[str, str], str]
"""By estate and item, the text."""


def differences(before: Said, after: Said) -> list[tuple[str, str, list[str]]]:
    """Estate, item and the lines that differ (as a diff), in the order of BEFORE."""
    found = []
    for key in [*before, *(key for key in after if key not in before)]:
        old, new = before.get(key), after.get(key)
        if old != new:
            lines = difflib.unified_diff(_lines(old), _lines(new), "before", "after", "", "", 0, "")
            found.append((*key, [line for line in lines if not line.startswith("@@")][2:]))
    return found


def _lines(text: str | None) -> list[str]:
    return [] if text is None else [piece for line in text.split("\n") for piece in _short(line)]


def _short(line: str) -> Iterator[str]:
    """A line of JSON a field a line, so that a difference is where it is."""
    with_fields = line[:1] in "{[" and len(line) > 200
    try:
        yield from json.dumps(json.loads(line), indent=1).split("\n") if with_fields else [line]
    except ValueError:
        yield line


def read(path: Path) -> dict[tuple[str, str], str]:
    """What ``said`` wrote."""
    found = {}
    for line in path.read_text("utf-8").splitlines():
        estate, item, text = line.split("\t", 2)
        found[estate, item] = json.loads(text)
    return found


def main() -> int:
    """Compare, print, and give the exit code."""
    parser = argparse.ArgumentParser(prog="./dev same", description=__doc__)
    parser.add_argument("before", metavar="BEFORE", help="a git revision")
    parser.add_argument(
        "after", metavar="AFTER", nargs="?", help="a git revision; default: the work tree"
    )
    parser.add_argument(
        "--only", default="", help="only estates whose name begins so (examples/, drawn/ems)"
    )
    parser.add_argument(
        "--show", type=int, default=10, help="differing items to print (default 10)"
    )
    parser.add_argument("--keep", type=Path, help="keep everything in this folder")
    given = parser.parse_args()
    from benchmarks.same import inputs

    with tempfile.TemporaryDirectory() as temporary:
        work = given.keep or Path(temporary)
        estates = work / "estates"
        names = inputs.write(estates, given.only)
        (work / "names.txt").write_text("\n".join(names), encoding="utf-8")
        running = [
            _start(revision, work, side)
            for side, revision in (("before", given.before), ("after", given.after))
        ]
        if failed := [side for side, process in running if process.wait()]:
            print(f"Running topograph failed: {', '.join(failed)}.", file=sys.stderr)
            return 3
        said = [read(work / f"{side}.txt") for side, _ in running]
    found = differences(*said)
    for estate, item, lines in found[: given.show]:
        print(f"{estate}: {item}")
        print("\n".join(f"    {line[:300]}" for line in lines[:20]))
    kinds = Counter(item.split(" ")[0] for _, item, _ in found)
    compared = f"{len(names):,} estates, {len(said[0]):,} items"
    if not found:
        print(f"No difference: {compared}.")
        return 0
    by_kind = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
    print(f"{len(found):,} items differ ({by_kind}) of {compared}.")
    return 1


def _start(revision: str | None, work: Path, side: str) -> tuple[str, subprocess.Popen[bytes]]:
    tree = ROOT
    if revision is not None:
        tree = work / f"{side}-tree"
        tree.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", revision], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "x", "-C", str(tree)], input=archive.stdout, check=True)
    script = Path(__file__).with_name("said.py")
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
    words = [sys.executable, "-P", str(script), str(work / "estates"), str(work / f"{side}.txt")]
    return side, subprocess.Popen(words, env=environment, cwd=work)


if __name__ == "__main__":
    sys.exit(main())
