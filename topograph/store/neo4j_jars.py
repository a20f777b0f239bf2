"""The jars of the managed Neo4j server and of Neo4j Browser: downloaded once from Maven Central or
its mirror, and verified.

``neo4j_jars.json`` pins every jar by coordinates and SHA-256.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from pathlib import Path

from topograph.errors import DatabaseUnavailable
from topograph.process.internal_errors import without_secrets
from topograph.records import record
from topograph.store.processes import locked

MAVEN_CENTRAL = "https://repo1.maven.org/maven2"

_AT_A_TIME = 8
_SECONDS = 60
"""A repository that says nothing for so long is given up."""

Progress = Callable[[str], None]
"""Takes one line for the person who waits."""


@record
class Jar:
    """One pinned jar."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str

    @property
    def file(self) -> str:
        return (
            f"{self.artifact}-{self.version}{'-' + self.classifier if self.classifier else ''}.jar"
        )

    @property
    def path(self) -> str:
        """Where it lies in a Maven repository."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.file}"


@cache
def pinned(what: str = "jars") -> tuple[Jar, ...]:
    """Every jar of the server (``jars``), of the one with a calendar version (``calendar``) or of
    Neo4j Browser (``browser``), by coordinates."""
    listed = json.loads(
        files("topograph.store").joinpath("neo4j_jars.json").read_text(encoding="utf-8")
    )[what]
    jars = []
    for coordinates, sha256 in listed.items():
        group, artifact, revision, *classifier = coordinates.split(":")
        jars.append(Jar(group, artifact, revision, "".join(classifier), sha256))
    return tuple(jars)


LTS, CALENDAR = "jars", "calendar"
"""The servers that are pinned: with long-term support, and with a calendar version."""


def version(server: str = LTS) -> str:
    """The version of Neo4j that is pinned."""
    return next(
        jar.version for jar in pinned(server) if (jar.group, jar.artifact) == ("org.neo4j", "neo4j")
    )


@record
class _Wanted:
    """What is fetched as one folder: its name there, what people call it, and its jars."""

    folder: str
    title: str
    size: str
    jars: tuple[Jar, ...]


def jars_folder(cache_folder: Path, progress: Progress, server: str = LTS) -> Path:
    """The folder with the verified jars of a server, downloaded if it is not there yet.

    The folder appears under its name only when it is complete and verified, so a download that dies
    leaves nothing that counts. Raises DatabaseUnavailable, saying which file could not be had and
    why.
    """
    if server == LTS:
        own, size, jars = version(), "125 MB", pinned()
    else:
        own, size, jars = version(server), "155 MB", pinned(server)
    return _folder(cache_folder, _Wanted(f"neo4j-{own}", f"Neo4j {own}", size, jars), progress)


def browser_folder(cache_folder: Path, progress: Progress) -> Path:
    """The folder with the verified jar of Neo4j Browser, as ``jars_folder``."""
    (jar,) = pinned("browser")
    wanted = _Wanted(
        f"neo4j-browser-{jar.version}", f"Neo4j Browser {jar.version}", "15 MB", (jar,)
    )
    return _folder(cache_folder, wanted, progress)


def _folder(cache_folder: Path, wanted: _Wanted, progress: Progress) -> Path:
    folder = cache_folder / wanted.folder
    if folder.is_dir():
        return folder
    with locked(cache_folder / f"{wanted.folder}.lock"):
        if folder.is_dir():  # another process downloaded it while this one waited
            return folder
        for left in cache_folder.glob(f"{wanted.folder}.partial-*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(
            prefix=f"{wanted.folder}.partial-", dir=cache_folder
        ) as partial:
            target = Path(partial) / "jars"
            _download(target, wanted, progress)
            target.rename(folder)
    return folder


def _download(target: Path, wanted: _Wanted, progress: Progress) -> None:
    """Every jar of the list into the folder ``target``, several at a time; the first that cannot
    be had ends it.
    """
    settings = Path.home() / ".m2" / "settings.xml"
    source = repository(os.environ, settings) or MAVEN_CENTRAL
    shown = without_secrets(source)
    count = f"{len(wanted.jars)} file{'' if len(wanted.jars) == 1 else 's'}"
    progress(f"Downloading {wanted.title} from {shown} (once): {count}, about {wanted.size} ...")
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        waiting = [pool.submit(_fetch, jar, source, target) for jar in wanted.jars]
        try:
            for each in waiting:
                each.result()
        except BaseException as error:
            pool.shutdown(cancel_futures=True)
            if isinstance(error, _NotFetched):
                raise DatabaseUnavailable(
                    f"{wanted.title} could not be downloaded from {shown}: {error} "
                    "To use another repository, set DEFAULT_ARTIFACT_REPOSITORY to a "
                    "mirror of Maven Central."
                ) from error
            raise


class _NotFetched(Exception):
    """Why a file could not be had, in a sentence."""


def _fetch(jar: Jar, source: str, target: Path) -> None:
    """Download one jar and verify it. Raises _NotFetched."""
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")  # our progress is the only one
    try:
        pooch.retrieve(
            f"{source.rstrip('/')}/{jar.path}",
            known_hash=f"sha256:{jar.sha256}",
            fname=jar.file,
            path=target,
            downloader=_save,
        )
    except requests.HTTPError as error:
        status = error.response.status_code if error.response is not None else "with an error"
        raise _NotFetched(f"the repository answers {status} for {jar.path}.") from error
    except requests.RequestException as error:
        raise _NotFetched(f"the repository cannot be reached ({type(error).__name__}).") from error
    except ValueError as error:  # pooch's word for a checksum that differs
        raise _NotFetched(f"{jar.file} does not have the pinned checksum.") from error
    except OSError as error:
        raise _NotFetched(f"{jar.file} cannot be written ({error.strerror or error}).") from error


def _save(url: str, file: str, _: object) -> None:
    """pooch's own downloader leaves its connection open where the answer is an error."""
    import requests

    with (
        requests.get(url, stream=True, timeout=_SECONDS) as response,
        Path(file).open("wb") as into,
    ):
        response.raise_for_status()
        for part in response.iter_content(1 << 20):
            into.write(part)


def repository(environment: Mapping[str, str], maven_settings: Path) -> str:
    """The repository that replaces Maven Central: ``DEFAULT_ARTIFACT_REPOSITORY`` (which Spark
    honours too), else the mirror of ``central`` in the user's Maven settings, else empty."""
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
