"""The runtime of Open Liberty and the compiler of the probe: downloaded once, verified, unpacked.

A JRE is enough: the probe is compiled by Eclipse's compiler, a jar that needs no JDK.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

from topograph.process.java import find_java
from topograph.store.neo4j_jars import MAVEN_CENTRAL, repository

HERE = Path(__file__).parent
_APIS = ("com.ibm.websphere.javaee.jms.2.0_*.jar", "com.ibm.websphere.javaee.servlet.4.0_*.jar")


@dataclass(frozen=True)
class Runtime:
    """What a server is started with: Java, the folder ``wlp``, and the compiled probe."""

    java: str
    wlp: Path
    probe: Path


def prepared(cache: Path) -> Runtime:
    """The runtime below ``cache``, made complete there first if it is not. Raises NoJava, and
    OSError or ValueError where a file cannot be had or does not have its pinned checksum."""
    java = find_java("The recorder")
    cache.mkdir(parents=True, exist_ok=True)
    compiler, archive = _fetched("compiler", cache), _fetched("runtime", cache)
    unpacked = cache / archive.stem
    if not unpacked.is_dir():
        partial = cache / f"{archive.stem}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        with zipfile.ZipFile(archive) as content:
            content.extractall(partial)
        partial.rename(unpacked)
    wlp = unpacked / "wlp"
    return Runtime(java, wlp, _compiled(java, compiler, wlp, cache / "probe"))


def _fetched(what: str, cache: Path) -> Path:
    """A pinned file, from Maven Central or the mirror that replaces it."""
    import pooch

    pinned = json.loads((HERE / "downloads.json").read_text(encoding="utf-8"))[what]
    source = repository(os.environ, Path.home() / ".m2" / "settings.xml") or MAVEN_CENTRAL
    return Path(
        pooch.retrieve(
            f"{source.rstrip('/')}/{pinned['path']}",
            known_hash=f"sha256:{pinned['sha256']}",
            fname=Path(pinned["path"]).name,
            path=cache,
        )
    )


def _compiled(java: str, compiler: Path, wlp: Path, folder: Path) -> Path:
    """The probe as the folder of a web application."""
    apis = [next((wlp / "dev" / "api" / "spec").glob(pattern)) for pattern in _APIS]
    shutil.rmtree(folder, ignore_errors=True)
    classes = folder / "WEB-INF" / "classes"
    subprocess.run(
        [java, "-jar", compiler, "-17", "-classpath", os.pathsep.join(map(str, apis)),
         "-d", classes, HERE / "Probe.java"],
        check=True,
    )  # fmt: skip
    return folder
