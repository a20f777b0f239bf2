"""Fixtures shared by all tests: a real Neo4j, wherever one can be had."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from topograph import extensions
from topograph.store.database import Database, connect
from topograph.store.homes import Home, home
from topograph.store.where import DatabaseAddress

IMAGE = "neo4j:5.26-community"

TOY = Path(__file__).parents[1] / "examples" / "toy_system"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has what it runs in the background ignore Ctrl-C, and children inherit that; tests send it to theirs.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatabaseAddress]:
    """The address of a real Neo4j: ``TOPOGRAPH_NEO4J_URI``, else a container where Docker and the image can be had, else a managed
    server in a folder of this session (its jars are fetched once into the user's cache). Never skips."""
    given = _configured()
    if given is not None:
        yield given
        return
    container = _container()
    if container is not None:
        with container:
            yield DatabaseAddress(container.get_connection_url(), "neo4j", container.password)
        return
    from topograph.store import neo4j_server

    where = Home(tmp_path_factory.mktemp("topograph-home"), home().cache)
    # A port of its own: 7687 belongs to whoever runs a server for other purposes.
    running = neo4j_server.start(where, port=neo4j_server.free_port(), heap="1g", progress=_say)
    try:
        assert running.server is not None
        yield DatabaseAddress(running.server.uri, neo4j_server.USER, neo4j_server.password(where))
    finally:
        neo4j_server.stop(where)


@pytest.fixture
def neo4j_environment(neo4j: DatabaseAddress, monkeypatch: pytest.MonkeyPatch) -> DatabaseAddress:
    """The test Neo4j as the environment names it, for what looks there."""
    monkeypatch.setenv("TOPOGRAPH_NEO4J_URI", neo4j.uri)
    monkeypatch.setenv("TOPOGRAPH_NEO4J_USER", neo4j.user)
    monkeypatch.setenv("TOPOGRAPH_NEO4J_PASSWORD", neo4j.password)
    monkeypatch.setenv("TOPOGRAPH_NEO4J_DATABASE", neo4j.database)
    return neo4j


@pytest.fixture
def database(neo4j: DatabaseAddress) -> Iterator[Database]:
    """An open connection to the test Neo4j."""
    with connect(neo4j) as opened:
        yield opened


@pytest.fixture
def network_name() -> str:
    """A name that no other test uses: tests share the database."""
    return f"network-{secrets.token_hex(6)}"


@pytest.fixture
def relay(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder with the files of the toy system (docs/extending.md), after what a notebook does to add the system."""
    before = dict(extensions.packages())
    monkeypatch.syspath_prepend(str(TOY))
    extensions.register("relay", "relay")
    yield TOY / "estate"
    extensions.use(before)
    for name in [name for name in sys.modules if name.partition(".")[0] == "relay"]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def no_driver_notifications(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What the server has to say of a statement (deprecated, unbounded, a product of all with all) fails the test that ran it."""
    yield
    said = [
        record.getMessage()
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.name == "neo4j.notifications" and record.levelno >= logging.INFO
    ]
    assert not said


@pytest.fixture(autouse=True)
def _own_snapshot_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on which snapshot the person who runs it works with."""
    monkeypatch.delenv("TOPOGRAPH_SNAPSHOT", raising=False)


def _configured() -> DatabaseAddress | None:
    uri = os.environ.get("TOPOGRAPH_NEO4J_URI")
    if not uri:
        return None
    return DatabaseAddress(
        uri,
        os.environ.get("TOPOGRAPH_NEO4J_USER") or "neo4j",
        os.environ.get("TOPOGRAPH_NEO4J_PASSWORD", ""),
        os.environ.get("TOPOGRAPH_NEO4J_DATABASE", ""),
    )


def _container():  # type: ignore[no-untyped-def]
    """A container that has not started yet, None where there is no Docker daemon or the image cannot be had."""
    import docker
    from docker.errors import DockerException

    client = None
    with warnings.catch_warnings():
        # The client that finds no daemon leaves its socket to the garbage collector.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            client = docker.from_env()
            client.ping()
        except DockerException as error:
            _say(f"No Docker daemon ({type(error).__name__}): tests use a managed local Neo4j.")
            client = None
        gc.collect()
    if client is None:
        return None
    try:
        if not client.images.list(IMAGE):
            client.images.pull(IMAGE)
    except DockerException as error:
        _say(f"{IMAGE} cannot be had ({type(error).__name__}): tests use a managed local Neo4j.")
        return None
    finally:
        client.close()
    from testcontainers.neo4j import Neo4jContainer

    return Neo4jContainer(IMAGE)


def _say(line: str) -> None:
    print(line, file=sys.__stderr__, flush=True)
