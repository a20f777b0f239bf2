"""Where every program is started that topograph starts: in a folder that is named, never by
default in the working directory, which may be an estate of unknown origin; with an environment in
which neither it nor what it starts searches that directory.

Needs nothing but the standard library (``./dev`` asks for Java before anything is installed).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from topograph.search_paths import safe

Program: TypeAlias = subprocess.Popen[Any]
"""A program that was started."""

NOWHERE = "/"
"""The folder of a program that needs no files: Java warns of ``.hotspotrc`` where it starts, and
what a program leaves behind when it fails must not land in an estate."""

_FOLDERS = (
    "JAVA_HOME",
    "SPARK_HOME",
    "SPARK_CONF_DIR",
    "HADOOP_HOME",
    "HADOOP_CONF_DIR",
    "YARN_CONF_DIR",
)
"""Variables that name a folder: a relative one is meant from where topograph was started."""


def environment(
    given: Mapping[str, str], changes: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment of a program that is started: ``given`` with ``changes``, relative folders
    written in full, and search paths without relative places."""
    wanted = {**given, **(changes or {})}
    absolute = {name: os.path.abspath(wanted[name]) for name in _FOLDERS if wanted.get(name)}  # noqa: PTH100
    return {**wanted, **absolute, **safe(wanted)}


def run(
    words: Sequence[str], folder: str | Path, given: Mapping[str, str] = os.environ, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """``subprocess.run`` of a program in ``folder``; ``given`` is its environment. Raises what that
    raises; the exit code is for the caller to look at unless ``check=True``."""
    kept = {"check": False, **options}
    return subprocess.run(words, cwd=folder, env=environment(given), **kept)  # noqa: S603, PLW1510


def start(
    words: Sequence[str], folder: str | Path, given: Mapping[str, str] = os.environ, **options: Any
) -> Program:
    """``subprocess.Popen`` of a program in ``folder``; ``given`` is its environment. Raises
    OSError."""
    return subprocess.Popen(words, cwd=folder, env=environment(given), **options)  # noqa: S603
