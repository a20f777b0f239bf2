"""The Java that runs Spark and the managed Neo4j server. Needs nothing but the standard library:
``./dev`` asks it before anything is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from topograph.digits import digits
from topograph.errors import NoJava
from topograph.process.programs import NOWHERE, run
from topograph.search_paths import absolute_places

LEAST = 17
"""The least major version of Java that Spark 4 and Neo4j 5.26 run on."""


def find_java(
    needed_by: str, environment: Mapping[str, str] = os.environ, least: int = LEAST
) -> str:
    """The ``java`` of ``JAVA_HOME``, else of the PATH: the one that Spark's own scripts start.
    Relative folders of the PATH do not count. ``needed_by`` names the program for the message.

    Raises NoJava, with what to install, if there is none or it is older than ``least``.
    """
    needed = (
        f"{needed_by} needs Java {least} or newer (Debian, Ubuntu: apt-get install "
        f"openjdk-{least}-jre-headless)"
    )
    if place := environment.get("JAVA_HOME"):
        found: str | None = str(Path(place).absolute() / "bin" / "java")
        if not os.access(str(found), os.X_OK):
            raise NoJava(f"JAVA_HOME is {place}, where there is no bin/java. {needed}.")
    else:
        path = absolute_places(environment.get("PATH", os.defpath))
        found = shutil.which("java", path=path or os.defpath)
    if found is None:
        raise NoJava(f"There is no Java. {needed}.")
    try:
        # Which Java runs is the user's choice: JAVA_HOME or PATH.
        output = run(
            [found, "-version"], NOWHERE, environment, capture_output=True, text=True, timeout=60
        ).stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoJava(f"{found} does not run: {error}. {needed}.") from error
    major = major_version(output)
    if major is None:
        raise NoJava(f"{found} does not say its version. {needed}.")
    if major < least:
        raise NoJava(f"{found} is Java {major}. {needed}, or set JAVA_HOME.")
    return found


def major_version(output: str) -> int | None:
    """The major version in the output of ``java -version``, None if there is none.

    >>> major_version('openjdk version "17.0.15" 2025-04-15'), major_version('java version "1.8.0_401"')
    (17, 8)
    """  # noqa: E501
    match = re.search(r'version "(?:1\.)?([0-9]+)', output)
    return digits(match[1]) if match else None


if __name__ == "__main__":
    try:
        find_java("topograph")
    except NoJava as missing:
        sys.exit(str(missing))
