"""Folders in which everything lies that a program could run, or take for its settings, if it looked
for it where it was started: each thing leaves a mark when it runs.
"""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

EVERYTHING = """\
import pkgutil, sys, importlib, topograph
from topograph.pipeline import daemon
daemon.prepare()
for module in pkgutil.walk_packages(topograph.__path__, "topograph."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
import pyspark.daemon, pyspark.sql
print(*sys.modules)
"""
"""Says all modules that a driver or a worker may have imported."""

MODULE = """\
import sys
with open({marker!r}, "a") as marker:
    marker.write({name!r} + " in " + " ".join(sys.orig_argv) + "\\n")
"""

PROGRAM = """\
#!/bin/sh
echo "$0 $*" >> {marker}
exit 1
"""

PROGRAMS = (
    "awk", "basename", "bash", "cat", "dirname", "env", "getconf", "git", "grep", "java", "ls",
    "mvn", "nice", "ps", "python", "python3", "readlink", "sed", "setsid", "sh", "spark-class",
    "spark-submit", "ssh", "tput", "uname", "which",
)  # fmt: skip
"""What topograph, the scripts of Spark and git start by name."""

SETTINGS = {
    "spark-defaults.conf": "spark.master spark://nowhere:1\nspark.python.daemon.module planted\n",
    "spark-env.sh": 'echo "spark-env.sh" >> {marker}\n',
    "log4j.properties": "log4j.rootLogger=ALL, planted\n",
    "log4j2.properties": (
        "appender.p.type=File\nappender.p.name=p\nappender.p.fileName={marker}\n"
        "appender.p.layout.type=PatternLayout\nrootLogger.level=all\nrootLogger.appenderRef.p.ref=p\n"
    ),
    "log4j2.component.properties": "log4j2.configurationFile=planted.xml\n",
    "derby.properties": "derby.stream.error.file={marker}\n",
    "metastore_db/service.properties": "planted\n",
    "hive-site.xml": "<configuration><planted/></configuration>\n",
    "core-site.xml": "<configuration><planted/></configuration>\n",
    "hdfs-site.xml": "<configuration><planted/></configuration>\n",
    "fairscheduler.xml": "<allocations><planted/></allocations>\n",
    "org/apache/spark/deploy/SparkSubmit.class": "planted\n",
    "META-INF/MANIFEST.MF": "Launcher-Agent-Class: planted\n",
    "java.policy": "grant { };\n",
    ".hotspotrc": "-XX:ErrorFile={marker}\n",
    ".hotspot_compiler": "exclude java/lang/String indexOf\n",
    "argfile": "-version\n",
    "JDK_JAVA_OPTIONS": "@argfile\n",
    ".mvn/jvm.config": "-version\n",
    ".mvn/maven.config": "--offline\n",
    "neo4j.conf": "server.bolt.listen_address=0.0.0.0:1\n",
    "pyspark-shell": "planted\n",
    ".env": "PYTHONPATH=.\nTOPOGRAPH_SNAPSHOT=planted\n",
    ".envrc": "export PYTHONPATH=.\n",
    ".gitconfig": "[core]\n\tfsmonitor = ./git\n\tpager = ./git\n",
    ".netrc": "machine planted login planted\n",
    ".pdbrc": "import os; open({marker!r}, 'a').write('.pdbrc')\n",
    "pyvenv.cfg": "home = .\ninclude-system-site-packages = false\n",
    "python._pth": ".\nimport site\n",
    "planted.pth": "import os; open({marker!r}, 'a').write('planted.pth')\n",
    "__editable__.topograph.pth": "import planted\n",
    "pyproject.toml": "[project.entry-points.'topograph.systems']\nplanted = 'planted'\n",
    "setup.cfg": "[options.entry_points]\ntopograph.systems =\n    planted = planted\n",
    "pip.conf": "[global]\nindex-url = http://127.0.0.1:1/\n",
    "planted-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n",
    "planted-1.0.dist-info/entry_points.txt": "[topograph.systems]\nplanted = planted\n",
    "planted.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n",
    "planted.egg-info/entry_points.txt": "[topograph.systems]\nplanted = planted\n",
    "topograph-9.dist-info/METADATA": "Metadata-Version: 2.1\nName: topograph\nVersion: 9\n",
}
"""Files of settings, by the path that some program looks for. Those that a program would find in a
folder ``conf`` or ``bin`` lie there too."""


@cache
def imported(program: str, *, module: bool = False) -> frozenset[str]:
    """The top-level modules that Python has imported at the end of a program."""
    words = ["-m", "this"] if module else ["-c", program]
    script = ["-X", "importtime", *words] if module else words
    done = subprocess.run([sys.executable, *script], capture_output=True, text=True, check=True)
    said = (
        [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]
        if module
        else done.stdout.split()
    )
    return frozenset(name.partition(".")[0] for name in said)


def all_names() -> frozenset[str]:
    """What the processes of topograph import, and what Python itself may."""
    extra = {"topograph", "sitecustomize", "usercustomize"}
    named = imported(EVERYTHING) | sys.stdlib_module_names | extra
    return frozenset(name for name in named if name.isidentifier() and name != "__main__")


def plant_modules(folder: Path, marker: Path, names: frozenset[str]) -> None:
    """Modules of these names, and topograph as a package."""
    for name in names:
        text = MODULE.format(marker=str(marker), name=name)
        if name == "topograph":
            (folder / name).mkdir()
            for part in ("__init__", "__main__"):
                (folder / name / f"{part}.py").write_text(text)
        else:
            (folder / f"{name}.py").write_text(text)


def plant(folder: Path, marker: Path) -> None:
    """Everything: modules, programs, settings."""
    folder.mkdir(parents=True, exist_ok=True)
    plant_modules(folder, marker, all_names() | {"planted", "conftest"})
    for place in (folder, folder / "bin"):
        for name in PROGRAMS:
            program = place / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(PROGRAM.format(marker=marker))
            program.chmod(0o755)
    for place in (folder, folder / "conf"):
        for name, text in SETTINGS.items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                text.replace("{marker!r}", repr(str(marker))).replace("{marker}", str(marker))
            )


_OPENED, _FOLDER = 0x20, 0x40000000


class Watch:
    """Says which files of a folder any process opens meanwhile; Linux only (inotify)."""

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        assert self._events >= 0, os.strerror(ctypes.get_errno())
        self._folders: dict[int, Path] = {}
        for place in (folder, *(each for each in folder.rglob("*") if each.is_dir())):
            number = libc.inotify_add_watch(self._events, os.fsencode(place), _OPENED)
            assert number >= 0, os.strerror(ctypes.get_errno())
            self._folders[number] = place

    def opened(self) -> Iterator[Path]:
        """What was opened since it was last asked; folders are left out."""
        while True:
            try:
                data = os.read(self._events, 1 << 20)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                number, mask, _cookie, length = struct.unpack_from("iIII", data, at)
                name = data[at + 16 : at + 16 + length].rstrip(b"\0").decode()
                at += 16 + length
                if not mask & _FOLDER:
                    yield self._folders[number] / name

    def close(self) -> None:
        os.close(self._events)
