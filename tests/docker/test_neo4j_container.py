"""The Neo4j of ``tests/docker/build neo4j``, as the suite's ``neo4j`` fixture runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import containers
import neo4j
import pytest
from neo4j.exceptions import AuthError

from topograph.store.neo4j_jars import version
from topograph.store.where import DatabaseAddress

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.neo4j]


@pytest.fixture(scope="module")
def image() -> str:
    if missing := containers.missing_for_builds():
        pytest.skip(missing)
    return containers.built("neo4j")


@pytest.fixture(scope="module")
def running(image):
    with containers.neo4j_container(image) as address:
        yield address


@pytest.fixture
def mine(running):
    """The running container, as the daemon describes it."""
    with containers.daemon() as client:
        label = f"{containers.OWNER}={containers.labels()[containers.OWNER]}"
        (container,) = client.containers.list(filters={"label": label})
        yield container


def asked(address: DatabaseAddress, statement: str) -> list[object]:
    with neo4j.GraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        return driver.execute_query(statement).records[0].values()


def test_the_image_runs_the_pinned_neo4j(running):
    assert asked(
        running, "CALL dbms.components() YIELD versions, edition RETURN versions[0], edition"
    ) == [
        version(),
        "community",
    ]


def test_a_setting_in_the_environment_is_a_setting_of_the_server(running):
    wanted = "'server.memory.pagecache.size'"

    assert asked(running, f"SHOW SETTINGS {wanted} YIELD value RETURN value") == ["512.00MiB"]


def test_only_the_generated_password_lets_in(running):
    with pytest.raises(AuthError):
        asked(DatabaseAddress(running.uri, running.user, "password"), "RETURN 1")


def test_only_bolt_is_published_and_only_on_loopback(mine):
    published = {port: [at["HostIp"] for at in places or ()] for port, places in mine.ports.items()}

    assert {port: places for port, places in published.items() if places} == {
        "7687/tcp": ["127.0.0.1"]
    }


def test_the_server_is_not_root(mine):
    assert mine.exec_run(["id", "-un"]).output == b"neo4j\n"
    assert (
        mine.exec_run(["sh", "-c", "tr '\\0' '\\n' </proc/1/environ | grep NEO4J_AUTH"]).output
        == b""
    )


def test_the_container_and_its_volumes_are_gone_afterwards(image):
    with containers.daemon() as client:
        before = {volume.name for volume in client.volumes.list()}
        with containers.neo4j_container(image) as address:
            during = {volume.name for volume in client.volumes.list()} - before
            label = f"{containers.OWNER}={containers.labels()[containers.OWNER]}"
            port = address.uri.rpartition(":")[2]
            started = [
                found
                for found in client.containers.list(filters={"label": label})
                if found.ports["7687/tcp"][0]["HostPort"] == port
            ]
        assert len(during) == 2
        assert not during & {volume.name for volume in client.volumes.list()}
        assert [found.id for found in started if found in client.containers.list(all=True)] == []


def test_what_killed_tests_left_is_removed_and_what_running_tests_use_is_not(image):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as tests:
        killed = containers.labels(tests.pid)
        tests.kill()
    with containers.daemon() as client:
        left = client.containers.create(image, labels=killed)
        used = client.containers.create(image, labels=containers.labels())
        try:
            swept = containers.sweep(client)
            names = [found.name for found in client.containers.list(all=True)]
        finally:
            used.remove(v=True)

    assert swept == [left.name]
    assert left.name not in names
    assert used.name in names


def test_the_suite_runs_against_the_image(image):
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("TOPOGRAPH_")
    }
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "tests/store/test_database.py",
            "-k",
            "published_snapshot_is_read",
        ],
        cwd=ROOT,
        env={**environment, "TOPOGRAPH_TEST_NEO4J_IMAGE": image},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3000:]
    assert f"Tests use Neo4j in a container ({image})." in done.stderr
