"""The Java that runs the managed Neo4j server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from topograph.errors import DatabaseUnavailable

LEAST = 17
"""The least major version of Java that Neo4j 5.26 runs on."""


def find_java(environment: Mapping[str, str] = os.environ) -> str:
    """The ``java`` of ``JAVA_HOME``, else of the PATH, if it is new enough. Raises DatabaseUnavailable with what to do."""
    places = [str(Path(place) / "bin" / "java") for place in [environment.get("JAVA_HOME")] if place]
    found = next((place for place in places if os.access(place, os.X_OK)), None) or shutil.which(
        "java", path=environment.get("PATH", os.defpath)
    )
    needed = f"Neo4j needs Java {LEAST} or newer (Debian, Ubuntu: apt-get install openjdk-{LEAST}-jre-headless)"
    if found is None:
        raise DatabaseUnavailable(f"There is no Java. {needed}.")
    try:
        said = subprocess.run(  # noqa: S603
            [found, "-version"], capture_output=True, text=True, timeout=60, check=False
        ).stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DatabaseUnavailable(f"{found} does not run: {error}. {needed}.") from error
    major = major_version(said)
    if major is None:
        raise DatabaseUnavailable(f"{found} does not say its version. {needed}.")
    if major < LEAST:
        raise DatabaseUnavailable(f"{found} is Java {major}. {needed}, or set JAVA_HOME.")
    return found


def major_version(said: str) -> int | None:
    """The major version in the output of ``java -version``, None if there is none.

    >>> major_version('openjdk version "17.0.15" 2025-04-15'), major_version('java version "1.8.0_401"')
    (17, 8)
    """
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else None
