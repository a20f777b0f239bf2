"""Programs that a recorder starts on 127.0.0.1 and ends by their process, and where it keeps what
it downloads."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def cache(name: str) -> Path:
    """The folder in which a recorder keeps what it downloads, outside of the project."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "topograph" / f"{name}-recorder"


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 on which nothing listens."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(
    ready: Callable[[], bool], process: subprocess.Popen[bytes], log: Path, seconds: float
) -> None:
    """Raises RuntimeError with the end of its log where a program ends or does not become ready."""
    until = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None or time.monotonic() > until:
            text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            raise RuntimeError(f"The server does not start. The end of its log:\n{text[-3000:]}")
        time.sleep(0.2)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a program, and wait until it is gone."""
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
