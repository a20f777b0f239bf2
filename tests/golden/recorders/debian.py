"""Debian packages of pinned versions, unpacked into a recorder's folder: nothing is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


def unpacked(cache: Path, program: str, packages: Sequence[str]) -> Path:
    """The folder of a program below ``cache``, fetched and unpacked there first if it is not.
    Raises RuntimeError where packages cannot be had: this needs apt-get and dpkg of Debian 12."""
    there = cache / program
    if not there.is_dir():
        partial = cache / f"{program}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _run(["apt-get", "download", *packages], partial, program)
        for package in sorted(partial.glob("*.deb")):
            _run(["dpkg", "-x", str(package), str(partial)], partial, program)
            package.unlink()
        partial.rename(there)
    return there


def _run(command: list[str], folder: Path, program: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RuntimeError(f"{program} is fetched with {command[0]}: {error}") from None
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:2])} failed: {done.stderr[-1000:]}")
