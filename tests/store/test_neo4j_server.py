"""The managed local Neo4j: fetched and verified once, one server a home, loopback only, and
clear words when it cannot be had.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from browsers import chromium
from engines.corpus import published
from engines.test_questions_in_cypher import compare

from topograph import cypher
from topograph.cli.main import exit_code
from topograph.errors import DatabaseUnavailable, NoJava, UsageError
from topograph.opening.folders import read_snapshot
from topograph.process.java import find_java
from topograph.store import neo4j_server
from topograph.store.database import connect
from topograph.store.homes import Home, home
from topograph.store.neo4j_jars import CALENDAR, pinned, repository, version
from topograph.store.neo4j_server import ServerStatus
from topograph.store.publication import publish_snapshot
from topograph.store.snapshot import MemorySnapshot
from topograph.store.statements import as_pasted
from topograph.store.where import DatabaseAddress, database_at
from topograph.systems import assemble

STAR = Path(__file__).parents[2] / "examples" / "mhop-star" / "with-b-d"


def script(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def own_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data", home().cache)


def test_without_java_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(
        NoJava, match=r"^There is no Java\. Neo4j needs Java 17 or newer .*openjdk-17"
    ):
        find_java("Neo4j", {"PATH": str(tmp_path)})


def test_java_that_is_too_old_is_refused_with_its_version(tmp_path: Path) -> None:
    script(tmp_path / "bin", "java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2")
    with pytest.raises(NoJava, match=r"bin/java is Java 11\. Neo4j needs Java 17"):
        find_java("Neo4j", {"PATH": str(tmp_path), "JAVA_HOME": str(tmp_path)})


def test_every_jar_is_pinned_once_with_a_checksum() -> None:
    jars = pinned()
    assert (version(), len(jars), len({jar.file for jar in jars})) == ("5.26.30", 213, 213)
    assert all(len(jar.sha256) == 64 for jar in jars)


def test_every_jar_of_the_calendar_version_is_pinned_once_with_a_checksum() -> None:
    jars = pinned(CALENDAR)
    assert (version(CALENDAR), len(jars), len({jar.file for jar in jars})) == (
        "2026.08.1",
        225,
        225,
    )
    assert all(len(jar.sha256) == 64 for jar in jars)


def java_for_calendar_versions() -> str:
    """The home of a Java of version 21 or newer; empty if there is none."""
    for place in (os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*"))):
        try:
            if place and find_java("Neo4j", {"JAVA_HOME": place}, least=21):
                return place
        except NoJava:
            continue
    return ""


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("TOPOGRAPH_TEST_CALENDAR"),
    reason="takes a minute, and 155 MB once: set TOPOGRAPH_TEST_CALENDAR=1",
)
def test_a_server_with_a_calendar_version_has_data_of_its_own_and_runs_every_statement(
    own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = java_for_calendar_versions()
    if not java:
        pytest.skip("no Java 21 or newer in JAVA_HOME or /usr/lib/jvm")
    monkeypatch.setenv("JAVA_HOME", java)
    running = neo4j_server.start(own_home, port=neo4j_server.free_port(), calendar=True)
    try:
        assert running.server is not None
        assert running.server.version == version(CALENDAR)
        assert (own_home.neo4j / "data-calendar" / "databases").is_dir()
        assert not (own_home.neo4j / "data").exists()
        with pytest.raises(
            UsageError, match=r"runs is 2026\.08\.1\. Run `topograph db stop` first"
        ):
            neo4j_server.start(own_home)
        address = DatabaseAddress(
            running.server.uri, neo4j_server.USER, neo4j_server.password(own_home)
        )
        with connect(address) as database:
            for example in ("retail", "mixed", "routers", "services"):
                snapshot = read_snapshot(STAR.parents[1] / example)
                network = published(database, snapshot, f"calendar-{example}")
                compare(network, database, objects=True)
    finally:
        neo4j_server.stop(own_home)


def test_the_repository_is_that_of_the_environment_or_the_mirror_of_the_maven_settings(
    tmp_path: Path,
) -> None:
    settings = tmp_path / "settings.xml"
    settings.write_text(
        '<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0"><mirrors>'
        "<mirror><mirrorOf>other</mirrorOf><url>https://other.intra/</url></mirror>"
        "<mirror><mirrorOf>*,!other</mirrorOf><url> https://mirror.intra/maven "
        "</url></mirror></mirrors></settings>"
    )
    assert repository({}, settings) == "https://mirror.intra/maven"
    assert (
        repository({"DEFAULT_ARTIFACT_REPOSITORY": "https://repo.intra/"}, settings)
        == "https://repo.intra/"
    )
    assert repository({}, tmp_path / "none.xml") == ""
    settings.write_text("<settings><mirrors>")
    assert repository({}, settings) == ""


def test_a_process_that_only_has_the_same_number_is_not_taken_for_the_server(
    own_home: Home,
) -> None:
    own_home.neo4j.mkdir(parents=True)
    state = {
        "pid": os.getpid(),
        "identity": "another start",
        "port": 7687,
        "heap": "1g",
        "version": "5.26.30",
    }
    (own_home.neo4j / "server.json").write_text(json.dumps(state))
    assert neo4j_server.status(own_home) == ServerStatus("stopped", own_home.neo4j)
    assert neo4j_server.stop(own_home) is False


def test_a_heap_size_that_is_none_is_refused(own_home: Home) -> None:
    with pytest.raises(UsageError, match="'lots' is not a heap size"):
        neo4j_server.start(own_home, heap="lots")


def test_the_environment_names_the_database_before_the_managed_server(own_home: Home) -> None:
    environment = {"TOPOGRAPH_HOME": str(own_home.data)}
    assert database_at(environment) is None
    assert database_at(
        {**environment, "TOPOGRAPH_NEO4J_URI": "bolt://h", "TOPOGRAPH_NEO4J_USER": "u"}
    ) == DatabaseAddress("bolt://h", "u")


@pytest.mark.neo4j
def test_a_port_that_is_taken_is_said_to_be(own_home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            DatabaseUnavailable,
            match=f"^The local Neo4j does not start. Port {port} of 127.0.0.1 is in use.$",
        ):
            neo4j_server.start(own_home, port=port)


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.alone
def test_the_life_of_a_managed_server(own_home: Home) -> None:
    """Two starts at once give one server; it listens on loopback with a private password;
    killed, it is known to be stopped.
    """
    port = neo4j_server.free_port()
    started: list[ServerStatus] = []
    threads = [
        threading.Thread(
            target=lambda: started.append(neo4j_server.start(own_home, port=port, heap="512m"))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    try:
        first, second = started
        assert first == second == neo4j_server.status(own_home)
        assert first.server is not None
        assert (first.state, first.server.uri) == ("running", f"bolt://127.0.0.1:{port}")
        assert stat.S_IMODE(first.password_file.stat().st_mode) == 0o600
        assert _listening(first.server.pid) == {("127.0.0.1", port)}

        password = neo4j_server.password(own_home)
        with connect(DatabaseAddress(first.server.uri, "neo4j", password)) as database:
            assert database.query("RETURN 1 AS one", {}) == (["one"], [{"one": 1}])
        with pytest.raises(DatabaseUnavailable, match="refuses the user 'neo4j'"):
            connect(DatabaseAddress(first.server.uri, "neo4j", "not the password"))

        os.kill(first.server.pid, signal.SIGKILL)
        _until(lambda: neo4j_server.status(own_home).state == "stopped")
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            connect(DatabaseAddress(first.server.uri, "neo4j", password))

        again = neo4j_server.start(own_home, heap="512m")
        assert again.server is not None
        assert (again.state, again.server.port, again.server.pid != first.server.pid) == (
            "running",
            port,
            True,
        )
        with connect(DatabaseAddress(again.server.uri, "neo4j", password)) as database:
            assert database.query("RETURN 1 AS one", {}) == (["one"], [{"one": 1}])
    finally:
        assert neo4j_server.stop(own_home) is True
    assert neo4j_server.status(own_home) == ServerStatus("stopped", own_home.neo4j)
    assert neo4j_server.stop(own_home) is False


@pytest.fixture(scope="module")
def with_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerStatus]:
    """A managed server that sends Neo4j Browser."""
    own = Home(tmp_path_factory.mktemp("browser-home"), home().cache)
    try:
        yield neo4j_server.start(own, port=neo4j_server.free_port(), heap="512m", browser=True)
    finally:
        neo4j_server.stop(own)


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_browser_is_served_on_loopback_and_asks_no_other_host(
    with_browser: ServerStatus,
) -> None:
    server = with_browser.server
    assert server is not None
    assert _listening(server.pid) == {("127.0.0.1", server.port), ("127.0.0.1", server.http)}
    with urlopen(server.browser, timeout=60) as page:
        assert (page.status, b"Neo4j Browser" in page.read()) == (200, True)
        policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert policy.endswith(f"connect-src 'self' ws://127.0.0.1:{server.port}")
    with urlopen(f"http://127.0.0.1:{server.http}/", timeout=60) as discovery:
        assert f"127.0.0.1:{server.port}" in json.load(discovery)["bolt_direct"]


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.alone
def test_a_statement_is_pasted_into_the_browser_and_shows_its_rows(
    with_browser: ServerStatus, network_name: str
) -> None:
    """A real Chromium logs in with the printed password and runs what ``topograph cypher
    multi-path-cycles --print`` writes.
    """
    server = with_browser.server
    assert server is not None
    password = with_browser.password_file.read_text().strip()
    snapshot = read_snapshot(STAR)
    (data,) = snapshot.data.values()
    with connect(DatabaseAddress(server.uri, "neo4j", password)) as database:
        publish_snapshot(
            database, MemorySnapshot(snapshot.id, "test", {network_name: data}), assemble
        )
    pasted = as_pasted(cypher.text("multi-path-cycles"), {"network": network_name})
    with chromium() as opened:
        page = opened.new_page(viewport={"width": 1400, "height": 1000})
        answered: list[str] = []
        page.on("response", lambda response: answered.append(response.url))
        page.goto(server.browser)
        page.get_by_test_id("username").fill("neo4j")
        page.get_by_test_id("password").fill(password)
        page.get_by_test_id("connect").click()
        page.get_by_text("You are connected as user").first.wait_for(timeout=60_000)
        page.locator(".monaco-editor").first.click()
        page.keyboard.insert_text(pasted)
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(
            5_000
        )  # the page shows nothing that tells the end of several statements from their beginning
        page.locator(".monaco-editor").first.click()
        page.keyboard.insert_text(cypher.text("multi-path-cycles"))
        page.keyboard.press("Control+Enter")
        rows = page.get_by_text('"doubled"', exact=True)
        rows.nth(7).wait_for(state="attached", timeout=60_000)
        assert rows.count() == 8
    assert [
        url
        for url in answered
        if "//127.0.0.1:" not in url and not url.startswith(("data:", "blob:"))
    ] == []


def _until(condition, seconds: float = 10.0) -> None:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _listening(pid: int) -> set[tuple[str, int]]:
    """Every address that the process listens on, from the kernel's tables."""
    links = [
        str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()
    ]
    own = {
        link.removeprefix("socket:[").removesuffix("]")
        for link in links
        if link.startswith("socket:")
    }
    found = set()
    for name, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        table = Path(f"/proc/{pid}/net/{name}")
        for line in table.read_text().splitlines()[1:] if table.exists() else []:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in own:
                address, port = fields[1].split(":")
                words = [
                    bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)
                ]
                text = socket.inet_ntop(family, b"".join(words)).removeprefix("::ffff:")
                found.add((text, int(port, 16)))
    return found


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_server_that_cannot_read_its_data_is_not_said_to_run(
    own_home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOPOGRAPH_HOME", str(own_home.data))
    neo4j_server.start(own_home, port=neo4j_server.free_port(), heap="512m")
    neo4j_server.stop(own_home)
    for file in (own_home.neo4j / "data" / "databases" / "neo4j").glob("neostore*"):
        file.write_bytes(b"damaged")
    neo4j_server.start(own_home, heap="512m")
    try:
        assert exit_code(["db", "status", "--format", "json"]) == 0
        about = json.loads(capsys.readouterr().out)
        assert about["state"] == "unresponsive"
        assert about["error"]
        assert exit_code(["db", "status"]) == 0
        assert "has a process that does not answer" in capsys.readouterr().out
    finally:
        neo4j_server.stop(own_home)
