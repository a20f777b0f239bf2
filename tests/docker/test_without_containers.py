"""Where no container can be had, the suite says what is missing in one line and runs on the
managed local Neo4j.
"""

from __future__ import annotations

import json
import os
import socketserver
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import containers
import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_HOST = "Get https://registry.example/v2/: dial tcp: lookup registry.example: no such host"
NO_CGROUPS = "failed to create task: cgroups: cannot find cgroup mount destination"


class Daemon(BaseHTTPRequestHandler):
    """The few requests of a Docker daemon that has images, or none, and can neither fetch nor
    start anything.
    """

    images: frozenset[str] = frozenset()
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].removeprefix("/v1.41")
        if path == "/_ping":
            self.answer(200, "OK")
        elif path == "/version":
            self.answer(200, {"ApiVersion": "1.41", "MinAPIVersion": "1.24", "Version": "20.10.24"})
        elif (
            path.startswith("/images/")
            and path.removeprefix("/images/").removesuffix("/json") in self.images
        ):
            self.answer(200, {"Id": "sha256:1", "RepoTags": sorted(self.images)})
        elif path == "/containers/json":
            self.answer(200, [])
        elif path == "/containers/c1/json":
            self.answer(
                200,
                {
                    "Id": "c1",
                    "Name": "/c1",
                    "Config": {"Tty": False, "Labels": {}},
                    "State": {"Status": "created"},
                },
            )
        elif path == "/containers/c1/logs":
            self.answer(200, "")
        else:
            self.answer(404, {"message": f"No such thing: {path}"})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0].removeprefix("/v1.41")
        if path == "/images/create":
            self.answer(500, {"message": NO_HOST})
        elif path == "/containers/create":
            self.answer(201, {"Id": "c1", "Warnings": []})
        else:
            self.answer(500, {"message": NO_CGROUPS})

    def do_DELETE(self) -> None:
        self.server.removed.append(self.path.partition("?")[0].rpartition("/")[2])
        self.answer(200, {})

    def answer(self, status: int, body: object) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Api-Version", "1.41")
        self.send_header(
            "Content-Type", "text/plain" if isinstance(body, str) else "application/json"
        )
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *args: object) -> None: ...


class Listening(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    removed: list[str]


@contextmanager
def a_daemon(socket: Path, monkeypatch, *images: str):
    """A daemon at ``socket`` that has ``images``; gives the containers it is asked to remove."""
    handler = type("Handler", (Daemon,), {"images": frozenset(images)})
    with Listening(str(socket), handler) as server:
        server.removed = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{socket}")
        try:
            yield server.removed
        finally:
            server.shutdown()
            thread.join()


def missing(wanted: str = "") -> str:
    with pytest.raises(containers.NoContainers) as raised, containers.neo4j_container(wanted):
        pass
    return str(raised.value)


@pytest.fixture
def socket(tmp_path_factory):
    """A path for a socket; those may have 107 characters only."""
    return tmp_path_factory.mktemp("d") / "s"


def test_without_a_daemon_its_address_and_the_reason_are_named(socket, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{socket}")

    assert missing().startswith(f"No Docker daemon answers at unix://{socket} (")
    assert "No such file or directory" in missing()


def test_without_an_image_the_reason_and_the_script_that_makes_one_are_named(socket, monkeypatch):
    with a_daemon(socket, monkeypatch):
        assert missing() == (
            f"A Docker daemon answers, and neo4j:5.26-community cannot be fetched ({NO_HOST}); "
            f"tests/docker/build neo4j makes {containers.LOCAL}."
        )


def test_an_image_that_was_asked_for_is_the_only_one_that_will_do(socket, monkeypatch):
    with a_daemon(socket, monkeypatch, containers.LOCAL):
        assert (
            missing("example/neo4j:1")
            == f"A Docker daemon answers, and example/neo4j:1 cannot be fetched ({NO_HOST})."
        )


def test_a_daemon_that_cannot_start_containers_is_quoted_and_the_container_removed(
    socket, monkeypatch
):
    with a_daemon(socket, monkeypatch, containers.LOCAL) as removed:
        assert (
            missing()
            == f"A Docker daemon answers, and {containers.LOCAL} does not come up ({NO_CGROUPS})."
        )
        assert removed == ["c1"]


def a_test_with_neo4j(**variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("TOPOGRAPH_NEO4J_")
    }
    return subprocess.run(
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
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_suite_then_runs_on_the_managed_neo4j_and_says_so(socket, monkeypatch):
    with a_daemon(socket, monkeypatch, containers.LOCAL):
        done = a_test_with_neo4j()

    assert done.returncode == 0, done.stdout[-3000:]
    assert f"does not come up ({NO_CGROUPS}). Tests use a managed local Neo4j.\n" in done.stderr


@pytest.mark.slow
def test_a_suite_that_was_told_which_image_to_use_fails_without_it(socket, monkeypatch):
    with a_daemon(socket, monkeypatch):
        done = a_test_with_neo4j(TOPOGRAPH_TEST_NEO4J_IMAGE="example/neo4j:1")

    assert done.returncode == 1
    assert (
        f"NoContainers: A Docker daemon answers, and example/neo4j:1 cannot be fetched ({NO_HOST})."
        in done.stdout
    )
