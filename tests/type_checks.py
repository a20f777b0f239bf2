"""mypy on files of a test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def mypy(folder: Path, *checked: Path, found_in: Path | None = None) -> tuple[int, str]:
    """The exit code of ``mypy --strict`` and what it says, with modules of ``found_in`` found. It
    begins with what the last check of the project kept, copied into ``folder``, and so need not
    read the whole of topograph anew; what it has not kept or what has changed it reads.
    """
    cache, kept = folder / "cache", ROOT / ".mypy_cache"
    if kept.is_dir():
        shutil.copytree(kept, cache)
    words = ["--strict", "--cache-dir", str(cache), *map(str, checked)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(found_in or "")},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr
