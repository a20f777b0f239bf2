"""Fixtures shared by all tests: a real Neo4j, wherever one can be had."""

from __future__ import annotations

import gc
import logging
import os
import re
import secrets
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from shared_classes import share

from topograph import extensions
from topograph.store.database import Database, connect
from topograph.store.homes import Home, home
from topograph.store.where import DatabaseAddress

# A busy machine is no reason to fail: times are measured in benchmarks, never by tests.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

share()

TOY = Path(__file__).parents[1] / "examples" / "toy_system"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has what it runs in the background ignore Ctrl-C, and children inherit that; tests
    # send it to theirs.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark every test that uses Spark, a database or a browser as such, so that ``./dev test
    --fast`` leaves out all of them.
    """
    for name in ("spark", "neo4j", "browser"):
        if name in getattr(item, "fixturenames", ()):
            item.add_marker(name)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Write down the files of the tests that a run leaves out, for one that runs just these: it
    has then a third of all files to collect, in each of its processes. What is written stays, for
    tests start runs of their own.
    """
    root = items[0].config.rootpath
    there = root / ".pytest_cache" / "files_of_others"
    if there.parent.is_dir() and not there.exists():
        files = sorted({item.path.relative_to(root).as_posix() for item in items})
        own = there.with_name(f"{there.name}.{os.getpid()}")
        own.write_text("".join(f"{file}\n" for file in files), "utf-8")
        own.replace(there)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while tests are collected, and leave what was collected out of every
    later search: it is in use to the end, and looking through 13,000 tests again and again takes
    a fifth of all time.
    """
    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "mkdir", _refused)
            return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


def _refused(path: str, *options: Any, made: Callable[..., None] = os.mkdir, **more: Any) -> None:
    """``os.mkdir`` while tests are collected. A module of tests that writes an estate when it is
    imported does so in every process of a run, whichever of its tests that process has.
    """
    if Path(path).name != "__pycache__":
        raise AssertionError(f"{path} is made while tests are collected: make it in a fixture")
    made(path, *options, **more)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give all files with tests of Neo4j to one process: each process that has some starts a server
    of its own, which compiles its queries anew and takes a core for a minute to do so.
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneDatabase(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "neo4j" if _asks_a_database(file) else file

    return OneDatabase(config, log)


_OF_A_DATABASE = re.compile(
    r'\b(?:neo4j_environment|database: Database|mark\.neo4j|neo4j: DatabaseAddress|"neo4j")'
)


@cache
def _asks_a_database(file: str) -> bool:
    """Whether a file of tests names a fixture of Neo4j, or its mark."""
    place = Path(__file__).parents[1] / file
    return place.is_file() and _OF_A_DATABASE.search(place.read_text("utf-8")) is not None


@pytest.fixture(scope="session")
def neo4j(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[DatabaseAddress]:
    """The address of a real Neo4j: ``TOPOGRAPH_NEO4J_URI``, else a container where Docker and an
    image can be had, else a managed server in a folder of this session (its jars are fetched once
    into the user's cache). Never skips.

    ``TOPOGRAPH_TEST_NEO4J_IMAGE`` names the container's image, and then nothing else will do: what
    is missing is an error.
    """
    given = _configured()
    if given is not None:
        yield given
        return
    from containers import NoContainers, neo4j_container

    say = _aloud(pytestconfig)
    wanted = os.environ.get("TOPOGRAPH_TEST_NEO4J_IMAGE", "")
    with ExitStack() as stack:
        try:
            address = stack.enter_context(neo4j_container(wanted, say))
        except NoContainers as missing:
            if wanted:
                raise
            say(f"{missing} Tests use a managed local Neo4j.")
            address = stack.enter_context(_managed(tmp_path_factory.mktemp("topograph-home"), say))
        yield address


@contextmanager
def _managed(folder: Path, say: Callable[[str], None]) -> Iterator[DatabaseAddress]:
    """A managed local server with its data in ``folder``."""
    from topograph.store import neo4j_server

    where = Home(folder, home().cache)
    # A port of its own: 7687 belongs to whoever runs a server for other purposes.
    running = neo4j_server.start(where, port=neo4j_server.free_port(), heap="1g", progress=say)
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
    """The folder with the files of the toy system (docs/extending.md), after what a notebook
    does to add the system.
    """
    yield from _added("relay", TOY, monkeypatch)


def _added(system: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = dict(extensions.packages())
    monkeypatch.syspath_prepend(str(folder))
    extensions.register(system, system)
    yield folder / "estate"
    extensions.use(before)
    for name in [name for name in sys.modules if name.partition(".")[0] == system]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def no_driver_notifications(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What the server has to say of a statement (deprecated, unbounded, a product of all with
    all) fails the test that ran it.
    """
    yield
    said = [
        record.getMessage()
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.name == "neo4j.notifications" and record.levelno >= logging.INFO
    ]
    assert not said


@pytest.fixture(autouse=True)
def environment_as_before() -> Iterator[None]:
    """A test that leaves a variable of the environment changed fails: every process that a later
    test starts would get it.
    """
    before = dict(os.environ)
    yield
    own = {"PYTEST_CURRENT_TEST"}
    assert {one for one in os.environ.items() ^ before.items() if one[0] not in own} == set()


@pytest.fixture(autouse=True)
def _own_snapshot_variables(environment_as_before: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on which snapshot the person who runs it works with, on the key that
    person redacts with, or on what was read before; those of the cache turn it on.
    """
    monkeypatch.delenv("TOPOGRAPH_SNAPSHOT", raising=False)
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", "the key of all tests")
    monkeypatch.setenv("TOPOGRAPH_CACHE_MB", "0")


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


def _aloud(config: pytest.Config) -> Callable[[str], None]:
    """What says a line to the person who waits, past pytest's capture, which keeps what passing
    tests print.
    """
    capture = config.pluginmanager.getplugin("capturemanager")

    def say(line: str) -> None:
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            print(line, file=sys.stderr, flush=True)

    return say
