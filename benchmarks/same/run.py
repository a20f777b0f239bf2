"""``./dev same BEFORE [AFTER]``: see the package."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from benchmarks.same.comparing import compared, read_expected, report
from benchmarks.same.said import KINDS, PARTS

ROOT = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_name("known.toml")
SAID = Path(__file__).with_name("said.py")
COMPARED_PARTS = ("data", "markup")
SHOWN = 3


def main(words: list[str] | None = None) -> int:
    """Prints what differs; 0 if nothing does, 1 if anything does."""
    parser = argparse.ArgumentParser(
        prog="./dev same",
        description="Compare what two revisions give for many estates.",
    )
    parser.add_argument("before", metavar="BEFORE", help="a git revision")
    parser.add_argument(
        "after", metavar="AFTER", nargs="?", help="a git revision; the work tree if left out"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=PARTS,
        default=list(COMPARED_PARTS),
        help="the parts of pages that are compared (default: %(default)s)",
    )
    parser.add_argument(
        "--only", nargs="+", default=["*"], metavar="PATTERN", help="estates: 'drawn/*' refused"
    )
    parser.add_argument("--drawn", type=int, default=6, metavar="N", help="of each kind")
    parser.add_argument("--show", type=int, default=SHOWN, metavar="N", help="of each kind")
    parser.add_argument("--known", type=Path, default=KNOWN, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep inputs and entries here")
    asked = parser.parse_args(words)
    for revision in (asked.before, asked.after):
        if revision is not None and not _is_known(revision):
            parser.error(f"{revision!r} is not a git revision. See git log for those there are.")
    began = time.monotonic()
    with ExitStack() as stack:
        scratch = asked.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="topograph-same-"))
        )
        scratch.mkdir(parents=True, exist_ok=True)
        if any(scratch.iterdir()):
            parser.error(f"{scratch} is not empty. Name a new folder with --keep.")
        trees = {
            name: ROOT if revision is None else extracted(revision, scratch / name)
            for name, revision in (("before", asked.before), ("after", asked.after))
        }
        inputs = scratch / "inputs"
        only = ["--only", *asked.only, "--drawn", str(asked.drawn)]
        words = ["-m", "benchmarks.same.inputs", str(inputs), *only]
        _run(words, ROOT, scratch / "home", "tests", "benchmarks")
        count = len((inputs / "asked.jsonl").read_text(encoding="utf-8").splitlines())
        if not count:
            parser.error(
                f"no estate is called {' or '.join(asked.only)}. See benchmarks/same/inputs.py."
            )
        with ThreadPoolExecutor(2) as pool:
            before, after = pool.map(
                lambda side: say(
                    trees[side], inputs, scratch / f"said-{side}", asked.kinds, asked.parts
                ),
                ("before", "after"),
            )
        expected = read_expected(asked.known)
        said, is_same = report(
            (compared(before, after, kind, expected) for kind in asked.kinds), asked.show
        )
    print(said)
    verdict = "Nothing differs" if is_same else "Not the same"
    estates = f"{count:,} estate{'' if count == 1 else 's'}"
    print(f"{verdict}: {estates}, {time.monotonic() - began:.0f} s.")
    return 0 if is_same else 1


def _is_known(revision: str) -> bool:
    words = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == 0


def extracted(revision: str, into: Path) -> Path:
    """The tree of a git revision, without its history."""
    into.mkdir()
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(into)], input=packed.stdout, check=True)
    return into


def say(tree: Path, inputs: Path, into: Path, kinds: list[str], parts: list[str]) -> Path:
    """What the packages of ``tree`` say, written to ``into`` by a process of its own."""
    words = [str(SAID), str(tree), str(inputs), str(into)]
    _run([*words, "--kinds", *kinds, "--parts", *parts], tree, into.with_name(f"{into.name}-home"))
    return into


def _run(words: list[str], tree: Path, home: Path, *more: str) -> None:
    """Python with the packages of ``tree``, a cache of its own, and always the same order of
    sets.
    """
    environment = {name: value for name, value in os.environ.items() if "TOPOGRAPH" not in name}
    environment |= {
        "PYTHONPATH": os.pathsep.join(map(str, (tree, *(tree / one for one in more)))),
        "PYTHONHASHSEED": "0",
        "PYTHONSAFEPATH": "1",
        "TOPOGRAPH_HOME": str(home),
        "TOPOGRAPH_REDACT_KEY": "the same for both sides",
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    done = subprocess.run([sys.executable, *words], cwd=tree, env=environment, check=False)
    if done.returncode:
        sys.exit(f"./dev same: {Path(words[0]).name} ended with code {done.returncode} for {tree}.")


if __name__ == "__main__":
    sys.exit(main())
