"""The managed local Neo4j server: ``topograph db start|stop|status``.

One server a home folder. It listens on the loopback interface only, with a generated password in a
file that only the user can read. What it runs as (process, port) stands in ``server.json``; a
process is told from a later one with the same id by its start time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from topograph.digits import digits
from topograph.errors import DatabaseUnavailable, UsageError
from topograph.process.java import LEAST, find_java
from topograph.process.programs import run
from topograph.records import record
from topograph.store.homes import Home, home
from topograph.store.neo4j_jars import (
    CALENDAR,
    LTS,
    Progress,
    browser_folder,
    jars_folder,
    version,
)
from topograph.store.processes import identity, is_running, locked

DEFAULT_HEAP = "1g"
DEFAULT_PORT = 7687
USER = "neo4j"

_MAIN_CLASSES = {
    LTS: "org.neo4j.server.CommunityEntryPoint",
    CALENDAR: "org.neo4j.server.Neo4jCommunity",
}
_LEAST_JAVA = {LTS: LEAST, CALENDAR: 21}
_DATA = {LTS: "data", CALENDAR: "data-calendar"}
"""Each server has a folder of data for itself: what a newer one opened no older one reads."""

_START_SECONDS = 300.0
_STOP_SECONDS = 60.0

_JVM = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+DisableExplicitGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
"""The options that Neo4j's own launcher sets and this server needs."""

_CONFIGURATION = """\
server.directories.data={root}/{data}
server.directories.logs={root}/logs
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
server.bolt.advertised_address=127.0.0.1:{port}
server.https.enabled=false
server.memory.pagecache.size=512m
db.memory.transaction.max={transaction}
db.tx_log.preallocate=false
db.tx_log.rotation.retention_policy=keep_none
dbms.security.allow_csv_import_from_file_urls=false
internal.dbms.cypher_ip_blocklist=0.0.0.0/0,::/0
dbms.usage_report.enabled=false
"""

_WITHOUT_BROWSER = """\
server.http.enabled=false
"""

_WITH_BROWSER = """\
server.http.enabled=true
server.http.listen_address=127.0.0.1:{http}
server.http.advertised_address=127.0.0.1:{http}
client.allow_telemetry=false
dbms.security.http_static_content_security_policy_header=default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws://127.0.0.1:{port}
"""  # noqa: E501
"""The Browser is a page that the server itself sends; it would offer port 7687 if Bolt did not
advertise its own. The policy keeps the page from asking other hosts for fonts and for scripts
that count its users, which it does in spite of ``client.allow_telemetry``."""


@record
class RunningServer:
    """A server as ``server.json`` describes it. ``identity`` is ``processes.identity(pid)``;
    ``http`` the port of Neo4j Browser, 0 without it; ``data`` the folder of its data.
    """

    pid: int
    identity: str
    port: int
    heap: str
    version: str
    http: int = 0
    data: str = "data"

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def browser(self) -> str:
        """Where Neo4j Browser is, empty without it."""
        return f"http://127.0.0.1:{self.http}/browser/" if self.http else ""


@record
class ServerStatus:
    """``state``: ``running``, ``unresponsive`` (the process is there and does not answer: it
    starts, stops or hangs, or cannot read its data, and ``error`` says so), ``stopped``."""

    state: str
    folder: Path
    server: RunningServer | None = None
    error: str = ""

    @property
    def password_file(self) -> Path:
        return self.folder / "password"

    def to_dict(self) -> dict[str, object]:
        server = self.server
        return {
            "state": self.state,
            "uri": server.uri if server else None,
            "browser": (server.browser or None) if server else None,
            "user": USER,
            "password_file": str(self.password_file),
            "version": server.version if server else version(),
            "pid": server.pid if server else None,
            "heap": server.heap if server else None,
            "logs": str(self.folder / "logs"),
            "error": self.error or None,
        }


def status(where: Home | None = None) -> ServerStatus:
    """What the managed server does now. Changes nothing, waits at most two seconds, loads no
    driver.
    """
    folder = (where or home()).neo4j
    server = _read_state(folder)
    if server is None or not is_running(server.pid, server.identity):
        return ServerStatus("stopped", folder)
    return ServerStatus("running" if _speaks_bolt(server.port) else "unresponsive", folder, server)


def password(where: Home | None = None) -> str:
    """The password of the managed server. Raises DatabaseUnavailable if there is none (the
    server was never started here).
    """
    file = (where or home()).neo4j / "password"
    try:
        return file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise DatabaseUnavailable(
            f"The password of the local Neo4j cannot be read: {file}: {error.strerror}."
        ) from error


def start(
    where: Home | None = None,
    *,
    port: int | None = None,
    heap: str | None = None,
    browser: bool = False,
    calendar: bool = False,
    progress: Progress = lambda _: None,
) -> ServerStatus:
    """Start the managed server and wait until it answers; does nothing if it runs. Two starts at
    once start one server.

    ``port`` as wished, else the one used last, 7687 or any free one. ``heap`` as ``512m`` or
    ``2g``, else ``TOPOGRAPH_NEO4J_HEAP``, else 1 GB. ``calendar``: the server with a
    calendar version, with data of its own, instead of the one with long-term support. Raises
    NoJava, or DatabaseUnavailable (nothing fetched, it does not come up: with the log's own words).
    """
    where = where or home()
    heap = _heap(heap or os.environ.get("TOPOGRAPH_NEO4J_HEAP") or DEFAULT_HEAP)
    folder = where.neo4j
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        with locked(folder / "lock"):
            what = CALENDAR if calendar else LTS
            return _start_locked(where, port, heap, browser, what, progress)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The local Neo4j cannot be started in {folder}: {error}."
        ) from error


def stop(where: Home | None = None) -> bool:
    """Stop the managed server cleanly and wait until it is gone; False if it did not run."""
    folder = (where or home()).neo4j
    if not folder.is_dir():
        return False
    with locked(folder / "lock"):
        server = _read_state(folder)
        ran = server is not None and is_running(server.pid, server.identity)
        if server is not None and ran:
            _end(server)
        (folder / "server.json").unlink(missing_ok=True)
    return ran


def _start_locked(
    where: Home, port: int | None, heap: str, browser: bool, what: str, progress: Progress
) -> ServerStatus:
    folder = where.neo4j
    now = status(where)
    if now.state == "unresponsive" and now.server is not None:
        # Started by a process that was killed while it waited: the lock is ours, so nobody else
        # waits for it.
        progress(f"Waiting for the local Neo4j (process {now.server.pid}) ...")
        _wait_until_up(folder, now.server)
        now = status(where)
    if now.state == "running":
        if browser and not (now.server and now.server.http):
            raise UsageError(
                "The local Neo4j runs without Neo4j Browser. Run `topograph db stop`, "
                "then `topograph db start --browser`."
            )
        if now.server and (now.server.data == _DATA[CALENDAR]) != (what == CALENDAR):
            raise UsageError(
                f"The local Neo4j that runs is {now.server.version}. Run `topograph db stop` first."
            )
        return now
    named = "Neo4j" if what == LTS else f"Neo4j {version(what)}"
    java = find_java(named, least=_LEAST_JAVA[what])
    jars = [jars_folder(_made(where.cache), progress, what)]
    if browser:
        jars.append(browser_folder(where.cache, progress))
    _set_password(folder, _DATA[what])
    progress(f"Starting Neo4j {version(what)} ...")
    last = _read_state(folder)
    wanted = [port] if port else [last.port if last else DEFAULT_PORT, DEFAULT_PORT, 0]
    problem = ""
    for candidate in wanted:
        chosen = free_port(candidate)
        if not chosen:
            problem = f"Port {candidate} of 127.0.0.1 is in use."
            continue
        server = _launch(
            folder,
            jars,
            java,
            chosen,
            heap,
            (free_port(last.http if last else 0) or free_port()) if browser else 0,
            what,
        )
        problem = _wait_until_up(folder, server)
        if not problem:
            return ServerStatus("running", folder, server)
        if (
            "already in use" not in problem
        ):  # somebody else may have taken the port since it was looked at
            break
    raise DatabaseUnavailable(f"The local Neo4j does not start. {problem}")


def _launch(
    folder: Path, jars: Sequence[Path], java: str, port: int, heap: str, http: int, what: str
) -> RunningServer:
    conf = _made(folder / "conf")
    text = _CONFIGURATION.format(
        root=folder, data=_DATA[what], port=port, transaction=_half(heap)
    ) + (_WITH_BROWSER if http else _WITHOUT_BROWSER).format(http=http, port=port)
    (conf / "neo4j.conf").write_text(text, encoding="utf-8")
    _made(folder / "logs")
    command = [
        java,
        f"-Xmx{heap}",
        *_JVM,
        "-cp",
        ":".join(f"{each}/*" for each in jars),
        _MAIN_CLASSES[what],
        f"--home-dir={folder}",
        f"--config-dir={conf}",
    ]
    # A shell in between, so that the server is nobody's child: it outlives this process and leaves
    # it nothing to collect.
    launched = run(
        [
            "/bin/sh",
            "-c",
            'log=$1; shift; "$@" >"$log" 2>&1 </dev/null & echo $!',
            "sh",
            str(folder / "logs" / "console.log"),
            *command,
        ],
        folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        start_new_session=True,
    )
    pid = digits(launched.stdout.strip(), 0)
    server = RunningServer(pid, identity(pid), port, heap, version(what), http, _DATA[what])
    _write_state(folder, server)
    return server


def _wait_until_up(folder: Path, server: RunningServer) -> str:
    """Wait until the server lets its user in; what went wrong, if it does not."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if not is_running(server.pid, server.identity):
            return _last_words(folder)
        if _speaks_bolt(server.port) and (not server.http or not free_port(server.http)):
            return ""
        time.sleep(0.05)
    return f"It did not answer within {_START_SECONDS:.0f} s; see {folder / 'logs'}."


def _end(server: RunningServer) -> None:
    for kind, seconds in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, 10.0)):
        try:
            os.kill(server.pid, kind)
        except ProcessLookupError:
            return
        except PermissionError as error:
            raise DatabaseUnavailable(
                f"The local Neo4j (process {server.pid}) belongs to another user."
            ) from error
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not is_running(server.pid, server.identity):
                return
            time.sleep(0.05)
    raise DatabaseUnavailable(f"The local Neo4j (process {server.pid}) does not stop.")


def _set_password(folder: Path, data: str) -> None:
    """Make a password for a new database in the folder ``data``. Neo4j reads it, salted and
    hashed, when it first starts; after that it keeps its own.
    """
    file = folder / "password"
    exists = (folder / data / "databases" / "system").is_dir()
    if not file.exists():
        if exists:
            raise DatabaseUnavailable(
                f"{file} is gone, and the database of {folder} cannot be opened without it."
            )
        _write_private(file, secrets.token_urlsafe(24) + "\n")
    if not exists:
        salt = secrets.token_bytes(32)
        digest = hashlib.sha256(salt + file.read_bytes().strip()).digest()
        for _ in range(1023):
            digest = hashlib.sha256(digest).digest()
        initial = _made(folder / data / "dbms") / "auth.ini"
        initial.unlink(missing_ok=True)
        _write_private(initial, f"{USER}:SHA-256,{digest.hex()},{salt.hex()},1024:\n")


def _write_private(file: Path, text: str) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(text)


def _read_state(folder: Path) -> RunningServer | None:
    try:
        return RunningServer(**json.loads((folder / "server.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None  # never started here, or cut off while it was written: then no server is known


def _write_state(folder: Path, server: RunningServer) -> None:
    new = folder / "server.json.new"
    new.write_text(json.dumps(asdict(server)), encoding="utf-8")
    new.replace(folder / "server.json")


def _speaks_bolt(port: int) -> bool:
    """True if a Bolt server answers at the port: the handshake with four versions that it may
    choose from.
    """
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(bytes.fromhex("6060b017 00080805 00000404 00000104 00000003"))
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def free_port(port: int = 0) -> int:
    """``port`` if it can be listened on (any free one for 0), else 0."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
        return int(probe.getsockname()[1])


def _last_words(folder: Path) -> str:
    """Why the server ended, in the words of its own logs."""
    lines: list[str] = []
    for name in ("console.log", "neo4j.log"):
        try:
            lines += (
                (folder / "logs" / name).read_text(encoding="utf-8", errors="replace").splitlines()
            )
        except OSError:
            continue  # it ended before it wrote any
    telling = [
        line.strip()
        for line in lines
        if re.search(r"already in use|ERROR|Caused by|Error|Invalid", line)
    ]
    said = next(
        (line for line in telling if "already in use" in line), telling[-1] if telling else ""
    )
    return f"{said[:300] or 'It ended at once'} (logs: {folder / 'logs'})."


def _heap(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d*[mMgG]", text):
        raise UsageError(f"{text!r} is not a heap size. Write it as 512m or 2g.")
    return text.lower()


def _half(heap: str) -> str:
    """Half of a heap: what the lists and rows of one transaction may use. Neo4j
    does not count texts: one that outgrows the heap ends the server, which is safer than going on.

    >>> _half("512m"), _half("1g")
    ('256m', '512m')
    """
    megabytes = digits(heap[:-1], 1024) * (1024 if heap.endswith("g") else 1)
    return f"{max(1, megabytes // 2)}m"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
