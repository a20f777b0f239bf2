"""Downloading the pinned jars: from a mirror, verified, whole or not at all."""

from __future__ import annotations

import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from topograph.errors import DatabaseUnavailable
from topograph.store import neo4j_jars
from topograph.store.neo4j_jars import Jar, jars_folder

CONTENTS = {
    f"org/example/part{number}/1.0/part{number}-1.0.jar": b"jar %d" % number * 1000
    for number in range(12)
}


@pytest.fixture
def few_jars(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pinned jars are twelve small ones (and the one that gives the version)."""
    jars = [
        Jar("org.example", f"part{number}", "1.0", "", hashlib.sha256(data).hexdigest())
        for number, data in enumerate(CONTENTS.values())
    ]
    monkeypatch.setattr(neo4j_jars, "pinned", lambda what="jars": tuple(jars))
    monkeypatch.setattr(neo4j_jars, "version", lambda: "1.0")


Serve = Callable[[Callable[[str], bytes | None]], list[str]]


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """``mirror(answer)`` serves what ``answer`` gives for a path: bytes, or None for half a file
    and a connection that is cut. Its value is the list of paths asked for."""
    servers = []

    def serve(answer: Callable[[str], bytes | None]) -> list[str]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.removeprefix("/maven/")
                asked.append(path)
                try:
                    data = answer(path)
                except KeyError:
                    self.send_error(404)
                    return
                whole = CONTENTS[path]
                self.send_response(200)
                self.send_header("Content-Length", str(len(whole if data is None else data)))
                self.end_headers()
                self.wfile.write(whole[: len(whole) // 2] if data is None else data)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        monkeypatch.setenv(
            "DEFAULT_ARTIFACT_REPOSITORY", f"http://127.0.0.1:{server.server_port}/maven/"
        )
        return asked

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_every_jar_is_downloaded_once_from_the_mirror(
    few_jars: None, mirror: Serve, tmp_path: Path
) -> None:
    asked = mirror(CONTENTS.__getitem__)
    said: list[str] = []
    folder = jars_folder(tmp_path, said.append)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.rpartition("/")[2]: data for path, data in CONTENTS.items()
    }
    assert sorted(asked) == sorted(CONTENTS)
    assert len(said) == 1
    assert said[0].startswith("Downloading Neo4j 1.0 from http://127.0.0.1:")
    assert jars_folder(tmp_path, said.append) == folder
    assert (len(asked), len(said)) == (12, 1)


def test_two_that_start_at_once_download_once(
    few_jars: None, mirror: Serve, tmp_path: Path
) -> None:
    asked = mirror(CONTENTS.__getitem__)
    folders: list[Path] = []
    threads = [
        threading.Thread(target=lambda: folders.append(jars_folder(tmp_path, lambda _: None)))
        for _ in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(set(folders)), len(asked)) == (1, 12)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda path: b"other", "does not have the pinned checksum."),
        (lambda path: None, "(the repository cannot be reached|does not have the pinned checksum)"),
        (
            lambda path: {}[path],
            "the repository answers 404 for org/example/part0/1.0/part0-1.0.jar.",
        ),
    ],
    ids=["wrong content", "interrupted", "not there"],
)
def test_what_cannot_be_verified_is_refused_and_not_kept(
    few_jars: None,
    mirror: Serve,
    tmp_path: Path,
    answer: Callable[[str], bytes | None],
    reason: str,
) -> None:
    mirror(answer)
    with pytest.raises(
        DatabaseUnavailable, match=rf"^Neo4j 1\.0 could not be downloaded from http://.*{reason}"
    ):
        jars_folder(tmp_path, lambda _: None)
    assert not [path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")]
    mirror(CONTENTS.__getitem__)
    assert len(list(jars_folder(tmp_path, lambda _: None).iterdir())) == 12


def test_without_a_network_the_error_names_the_repository_and_the_setting(
    few_jars: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    monkeypatch.setenv("DEFAULT_ARTIFACT_REPOSITORY", f"http://user:hidden@127.0.0.1:{port}/maven")
    with pytest.raises(DatabaseUnavailable) as refused:
        jars_folder(tmp_path, lambda _: None)
    text = str(refused.value)
    assert (
        f"http://(set)@127.0.0.1:{port}/maven: the repository cannot be reached (ConnectionError)."
    ) in text
    assert "set DEFAULT_ARTIFACT_REPOSITORY" in text
    assert "hidden" not in text
