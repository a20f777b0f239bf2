"""Docker as tests use it: whether a daemon answers, and a Neo4j in a container.

Everything started here is on loopback only and is removed here: what testcontainers would do that
with (its own container, Ryuk) needs an image that not every machine can fetch, and the daemon's
socket inside a container.
"""

from __future__ import annotations

import gc
import os
import secrets
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docker
from docker.errors import APIError, DockerException, NotFound

from topograph.store.neo4j_jars import version
from topograph.store.processes import identity, is_running
from topograph.store.where import DatabaseAddress

if TYPE_CHECKING:
    from testcontainers.community.neo4j import Neo4jContainer

ROOT = Path(__file__).resolve().parents[1]

OFFICIAL = "neo4j:5.26-community"
LOCAL = f"topograph-neo4j:{version()}"
"""What ``tests/docker/build neo4j`` makes."""

DEBIAN = "debian:12-slim"
LOCAL_DEBIAN = "topograph-base:12"
"""What ``tests/docker/build base`` makes."""

OWNER = "topograph.tests.owner"
"""The label that says which process of which machine has to remove a container: its id and
``processes.identity``.
"""

Say = Callable[[str], None]


class NoContainers(Exception):
    """Containers cannot be had; the text says what is missing."""


@contextmanager
def daemon() -> Iterator[docker.DockerClient]:
    """A client of the Docker daemon that the environment names. Raises NoContainers if none
    answers.
    """
    client, problem = None, ""
    with warnings.catch_warnings():
        # A client that finds no daemon leaves its socket to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            client = docker.from_env(timeout=600)
            client.ping()
        except (DockerException, OSError) as error:
            problem = _brief(error)
        if problem:
            client = None
            gc.collect()
    if client is None:
        raise NoContainers(f"No Docker daemon answers at {where()} ({problem}).")
    try:
        yield client
    finally:
        client.close()


def missing_for_builds() -> str:
    """What keeps ``tests/docker/build`` from working here, empty if nothing does."""
    try:
        with daemon() as client:
            if shutil.which("docker") is None:
                return (
                    f"A Docker daemon answers at {where()}, and there is no docker command "
                    "on the PATH."
                )
            if os.environ.get("BASE") or any(
                _present(client, image) for image in (DEBIAN, LOCAL_DEBIAN)
            ):
                return ""
            if shutil.which("debootstrap") and os.geteuid() == 0:
                return ""
            try:
                client.images.pull(DEBIAN)
            except (DockerException, OSError) as error:
                return (
                    f"{DEBIAN} cannot be fetched ({_brief(error)}), and it takes root and "
                    "debootstrap to make a base image."
                )
    except NoContainers as error:
        return str(error)
    return ""


def built(word: str) -> str:
    """Build ``topograph`` or ``neo4j`` as the working tree has it (steps that have not changed
    are the daemon's to skip); the image's name.
    """
    done = subprocess.run(
        [str(ROOT / "tests" / "docker" / "build"), word],
        env={**os.environ, "DOCKER_HOST": where()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()[-1]


@contextmanager
def neo4j_container(wanted: str = "", say: Say = print) -> Iterator[DatabaseAddress]:
    """A Neo4j in a container of its own, removed at the end.

    ``wanted`` is the image to use; without it the official one or the one of ``tests/docker/build
    neo4j``, whichever the daemon has, else the official one is fetched. Raises NoContainers if
    there is no daemon, no image, or the container does not come up.
    """
    with daemon() as client:
        for name in sweep(client):
            say(f"Removed container {name}: the tests that started it are gone.")
        image = _image(client, wanted)
    container = _prepared(image)
    with _started(container, image):
        say(f"Tests use Neo4j in a container ({image}).")
        yield DatabaseAddress(
            container.get_connection_url(), container.username, container.password
        )


def sweep(client: docker.DockerClient) -> list[str]:
    """Remove the containers of tests of this machine that were killed before they could do so;
    their names.
    """
    swept = []
    for container in client.containers.list(
        all=True, filters={"label": OWNER}, ignore_removed=True
    ):
        pid, _, known = container.labels[OWNER].partition(" ")
        machine = known.partition(":")[0]
        if machine == identity(os.getpid()).partition(":")[0] and not is_running(int(pid), known):
            try:
                container.remove(force=True, v=True)
            except NotFound:
                continue  # another session swept it first
            swept.append(str(container.name))
    return swept


def labels(pid: int | None = None) -> dict[str, str]:
    """The label of what the process ``pid`` (else this one) starts and has to remove."""
    pid = pid or os.getpid()
    return {OWNER: f"{pid} {identity(pid)}"}


def _image(client: docker.DockerClient, wanted: str) -> str:
    candidates = (wanted,) if wanted else (OFFICIAL, LOCAL)
    for image in candidates:
        if _present(client, image):
            return image
    try:
        client.images.pull(candidates[0])
    except (DockerException, OSError) as error:
        how = "" if wanted else f"; tests/docker/build neo4j makes {LOCAL}"
        raise NoContainers(
            f"A Docker daemon answers, and {candidates[0]} cannot be fetched "
            f"({_brief(error)}){how}."
        ) from None
    return candidates[0]


def where() -> str:
    """The address of the daemon, for the docker command too: that one would look at its contexts
    as well.
    """
    return os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"


def _present(client: docker.DockerClient, image: str) -> bool:
    try:
        client.images.get(image)
    except NotFound:
        return False
    return True


def _prepared(image: str) -> Neo4jContainer:
    from testcontainers.community.neo4j import Neo4jContainer
    from testcontainers.core.config import ConnectionMode, testcontainers_config

    testcontainers_config.ryuk_disabled = True
    if (
        testcontainers_config.connection_mode_override is None
        and testcontainers_config.tc_host_override is None
    ):
        # Published on loopback, so there it is. Else testcontainers guesses: the bridge's address
        # where a /.dockerenv lies about.
        testcontainers_config.connection_mode_override = ConnectionMode.docker_host
        testcontainers_config.tc_host_override = "127.0.0.1"
    testcontainers_config.max_tries = 300  # of a second each: what the managed server gets too
    container = Neo4jContainer(image, username="neo4j", password=secrets.token_hex(16))
    container.with_kwargs(labels=labels())
    container.with_env("NEO4J_server_memory_heap_max__size", "1g")
    container.with_env("NEO4J_server_memory_pagecache_size", "512m")
    # A port of the daemon's choice, on loopback: a tuple without a port is how the client says it.
    container.ports = {str(container.port): ("127.0.0.1",)}
    return container


@contextmanager
def _started(container: Neo4jContainer, image: str) -> Iterator[None]:
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        container.start()
    except (
        DockerException,
        OSError,
        RuntimeError,
        StopIteration,
        DriverError,
        Neo4jError,
    ) as error:
        last = _last_line(container)
        container.stop()
        raise NoContainers(
            f"A Docker daemon answers, and {image} does not come up ({_brief(error)}{last})."
        ) from error
    except BaseException:
        container.stop()
        raise
    try:
        yield
    finally:
        container.stop()


def _last_line(container: Neo4jContainer) -> str:
    try:
        lines = [
            line
            for part in container.get_logs()
            for line in part.decode(errors="replace").splitlines()
        ]
    except (DockerException, RuntimeError, OSError):
        return ""  # it was not even created
    return f"; it said: {lines[-1]}" if lines else ""


def _brief(error: Exception) -> str:
    said: Any = error.explanation if isinstance(error, APIError) and error.explanation else error
    return " ".join(str(said).split())[:300]
