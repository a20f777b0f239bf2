"""The jars of the managed Neo4j server and of Neo4j Browser: fetched once from the Maven repository this machine is set up for, and verified.

``neo4j_jars.json`` pins every jar by coordinates and SHA-256. Maven fetches where there is one, else the Ivy that PySpark ships;
both get the whole pinned list, so that neither resolves anything by itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape, quoteattr

from topograph.errors import DatabaseUnavailable
from topograph.store.processes import locked

_FETCH_SECONDS = 1800
_MAVEN_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

Progress = Callable[[str], None]
"""Takes one line for the person who waits."""


@dataclass(frozen=True, slots=True)
class Jar:
    """One pinned jar."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str

    @property
    def file(self) -> str:
        return f"{self.artifact}-{self.version}{'-' + self.classifier if self.classifier else ''}.jar"


@cache
def pinned(what: str = "jars") -> tuple[Jar, ...]:
    """Every jar of the server (``jars``) or of Neo4j Browser (``browser``), by coordinates."""
    listed = json.loads(files("topograph.store").joinpath("neo4j_jars.json").read_text(encoding="utf-8"))[what]
    jars = []
    for coordinates, sha256 in listed.items():
        group, artifact, revision, *classifier = coordinates.split(":")
        jars.append(Jar(group, artifact, revision, "".join(classifier), sha256))
    return tuple(jars)


def version() -> str:
    """The version of Neo4j that is pinned."""
    return next(jar.version for jar in pinned() if (jar.group, jar.artifact) == ("org.neo4j", "neo4j"))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is fetched as one folder: its name there, what people call it, and its jars."""

    folder: str
    title: str
    size: str
    jars: tuple[Jar, ...]


def jars_folder(cache_folder: Path, java: str, progress: Progress) -> Path:
    """The folder with the verified jars of the server, fetched if it is not there yet.

    The folder appears under its name only when it is complete and verified, so a fetch that dies leaves nothing that counts. Raises
    DatabaseUnavailable, saying what each way of fetching said last.
    """
    title = f"Neo4j {version()}"
    return _folder(cache_folder, _Wanted(f"neo4j-{version()}", title, "125 MB", pinned()), java, progress)


def browser_folder(cache_folder: Path, java: str, progress: Progress) -> Path:
    """The folder with the verified jar of Neo4j Browser, as ``jars_folder``."""
    (jar,) = pinned("browser")
    wanted = _Wanted(f"neo4j-browser-{jar.version}", f"Neo4j Browser {jar.version}", "15 MB", (jar,))
    return _folder(cache_folder, wanted, java, progress)


def _folder(cache_folder: Path, wanted: _Wanted, java: str, progress: Progress) -> Path:
    folder = cache_folder / wanted.folder
    if folder.is_dir():
        return folder
    with locked(cache_folder / f"{wanted.folder}.lock"):
        if folder.is_dir():  # another process fetched it while this one waited
            return folder
        for left in cache_folder.glob(f"{wanted.folder}.partial-*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=f"{wanted.folder}.partial-", dir=cache_folder) as partial:
            _fetch(Path(partial), wanted, java, progress)
            (Path(partial) / "jars").rename(folder)
    return folder


def _fetch(work: Path, wanted: _Wanted, java: str, progress: Progress) -> None:
    ways: list[tuple[str, Callable[[Path, Path], Sequence[str]]]] = []
    if maven := shutil.which("mvn"):
        ways.append(("Maven", lambda work, target: _maven(maven, wanted.jars, work, target)))
    if ivy := _ivy_jar():
        ways.append(("Ivy", lambda work, target: _ivy(java, ivy, wanted.jars, work, target)))
    if not ways:
        raise DatabaseUnavailable(
            f"{wanted.title} cannot be fetched: there is neither Maven (mvn) on the PATH nor PySpark with its Ivy."
        )
    said = []
    count = f"{len(wanted.jars)} file{'' if len(wanted.jars) == 1 else 's'}"
    for name, command in ways:
        progress(f"Fetching {wanted.title} with {name}, once: {count}, about {wanted.size} ...")
        target = work / "jars"
        shutil.rmtree(target, ignore_errors=True)
        problem = _run(command(work, target), work) or _mismatch(wanted.jars, target)
        if not problem:
            return
        said.append(f"{name}: {problem}")
    raise DatabaseUnavailable(f"{wanted.title} could not be fetched. {' '.join(said)}")


def _run(command: Sequence[str], work: Path) -> str:
    """Run a fetch; what it said last, if it failed."""
    try:
        done = subprocess.run(  # noqa: S603
            command, cwd=work, capture_output=True, text=True, errors="replace", timeout=_FETCH_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"not done after {_FETCH_SECONDS // 60} minutes."
    except OSError as error:
        return f"{error.strerror}."
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    telling = [line for line in lines if "ERROR" in line or "Exception" in line or "unresolved" in line.lower()]
    return " ".join((telling or lines or [f"exit code {done.returncode}"])[0].split())[:300]


def _mismatch(jars: Sequence[Jar], folder: Path) -> str:
    """What is wrong with the fetched files, empty if every one is there and has its pinned checksum. Reads about 125 MB."""
    wanted = {jar.file: jar.sha256 for jar in jars}
    present = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if missing := sorted(wanted.keys() - present):
        return f"{len(missing)} of {len(wanted)} files are missing, {missing[0]} first."
    if extra := sorted(present - wanted.keys()):
        return f"{extra[0]} is not one of the pinned files."
    for name, sha256 in wanted.items():
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                return f"{name} does not have the pinned checksum."
    return ""


def _maven(maven: str, jars: Sequence[Jar], work: Path, target: Path) -> Sequence[str]:
    """Every jar as a direct dependency without its own: Maven then resolves nothing, and uses the user's settings and mirrors."""
    dependencies = "".join(
        f"<dependency><groupId>{jar.group}</groupId><artifactId>{jar.artifact}</artifactId><version>{jar.version}</version>"
        + (f"<classifier>{jar.classifier}</classifier>" if jar.classifier else "")
        + "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>\n"
        for jar in jars
    )
    (work / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>topograph</groupId><artifactId>neo4j-jars</artifactId><version>1</version>"
        f"<dependencies>\n{dependencies}</dependencies></project>\n",
        encoding="utf-8",
    )
    return [maven, "--batch-mode", "--quiet", _MAVEN_GOAL, f"-DoutputDirectory={target}"]


def _ivy_jar() -> Path | None:
    """Ivy, as PySpark ships it for its own packages."""
    spec = find_spec("pyspark")
    folders = [Path(place) / "jars" for place in (spec.submodule_search_locations or ())] if spec else []
    if spark_home := os.environ.get("SPARK_HOME"):
        folders.append(Path(spark_home) / "jars")
    return next((jar for folder in folders for jar in sorted(folder.glob("ivy-*.jar"))), None)


def _ivy(java: str, ivy: Path, wanted: Sequence[Jar], work: Path, target: Path) -> Sequence[str]:
    """The list as an Ivy module. No poms are read, as all is pinned: half a minute instead of minutes. Checksums are ours to verify."""
    repository_root = repository(os.environ, Path.home() / ".m2" / "settings.xml")
    root = f" root={quoteattr(repository_root)}" if repository_root else ""
    (work / "settings.xml").write_text(
        '<ivysettings><settings defaultResolver="jars"/>'
        f"<caches defaultCacheDir={quoteattr(str(work / 'ivy-cache'))}/>"
        f'<resolvers><ibiblio name="jars" m2compatible="true" usepoms="false" checksums=""'
        f"{root}/></resolvers></ivysettings>",
        encoding="utf-8",
    )
    modules = []
    for (group, artifact, revision), jars in groupby(wanted, lambda jar: (jar.group, jar.artifact, jar.version)):
        artifacts = "".join(
            f'<artifact name="{artifact}" type="jar" ext="jar"'
            + (f" m:classifier={quoteattr(jar.classifier)}" if jar.classifier else "")
            + "/>"
            for jar in jars
        )
        modules.append(
            f'<dependency org="{escape(group)}" name="{artifact}" rev="{revision}" transitive="false">{artifacts}</dependency>\n'
        )
    (work / "ivy.xml").write_text(
        '<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven"><info organisation="topograph" module="neo4j-jars"/>'
        f'<configurations><conf name="default"/></configurations><dependencies>\n{"".join(modules)}</dependencies></ivy-module>',
        encoding="utf-8",
    )
    return [
        java,
        *proxy_properties(os.environ),
        f"-Divy.default.ivy.user.dir={work / 'ivy-user'}",
        "-cp",
        str(ivy),
        "org.apache.ivy.Main",
        "-settings",
        str(work / "settings.xml"),
        "-ivy",
        str(work / "ivy.xml"),
        # Without the classifier the jars of two platforms would have one name.
        "-retrieve",
        f"{target}/[artifact]-[revision](-[classifier]).[ext]",
    ]


def repository(environment: Mapping[str, str], maven_settings: Path) -> str:
    """The repository that replaces Ivy's own default: ``DEFAULT_ARTIFACT_REPOSITORY`` (which Spark honours too), else the mirror of
    ``central`` in the user's Maven settings, else empty."""
    if root := environment.get("DEFAULT_ARTIFACT_REPOSITORY"):
        return root
    try:
        from defusedxml.ElementTree import parse

        settings = parse(maven_settings).getroot()
    except (OSError, SyntaxError, ValueError):
        return ""  # no settings, or none that Maven itself could read
    for mirror in settings.iterfind("{*}mirrors/{*}mirror") if settings is not None else ():
        of = {part.strip() for part in (mirror.findtext("{*}mirrorOf") or "").split(",")}
        url = (mirror.findtext("{*}url") or "").strip()
        if url and of & {"*", "central", "external:*"} and "!central" not in of:
            return url
    return ""


def proxy_properties(environment: Mapping[str, str]) -> list[str]:
    """The proxy of the environment as Java properties; Java does not read it from there.

    >>> proxy_properties({"https_proxy": "http://proxy:3128", "no_proxy": "localhost,.intra"})
    ['-Dhttps.proxyHost=proxy', '-Dhttps.proxyPort=3128', '-Dhttp.nonProxyHosts=localhost|*.intra']
    """
    found = []
    for scheme in ("https", "http"):
        proxy = environment.get(f"{scheme}_proxy") or environment.get(f"{scheme.upper()}_PROXY") or ""
        parts = urlsplit(proxy if "://" in proxy else f"//{proxy}")
        if parts.hostname:
            found += [f"-D{scheme}.proxyHost={parts.hostname}", f"-D{scheme}.proxyPort={parts.port or 80}"]
    none = environment.get("no_proxy") or environment.get("NO_PROXY")
    if found and none:
        hosts: list[str] = [host.strip() for host in none.split(",")]
        found.append("-Dhttp.nonProxyHosts=" + "|".join(f"*{host}" if host.startswith(".") else host for host in hosts))
    return found
