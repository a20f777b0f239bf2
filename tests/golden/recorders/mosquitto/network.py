"""The brokers of an estate on 127.0.0.1, for as long as a ``with`` block lasts."""

from __future__ import annotations

import getpass
import os
import re
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from golden.recorders.mosquitto.estate import Connection, Estate, Ports, port_of
from golden.recorders.mosquitto.packages import Runtime
from golden.recorders.processes import end, free_ports, wait_until
from golden.recorders.recording import Unsettled

_STARTED, _LINKED = 20.0, 8.0
"""Seconds: until a broker must have started, and its bridges must be connected."""
_LOGGED = """user {user}
log_dest stderr
log_timestamp false
log_type error
log_type warning
log_type notice
log_type information
log_type subscribe
"""


class Network:
    """Started brokers: their ports, and what their logs tell of the bridges."""

    def __init__(self, estate: Estate, folder: Path) -> None:
        self._estate, self._folder = estate, folder
        self._host = socket.gethostname()
        wanted = [port_of(one.number) for one in estate.brokers]
        wanted += [port_of(one.number, mounted=True) for one in estate.brokers if one.mount]
        self.ports: Ports = dict(zip(wanted, free_ports(len(wanted)), strict=True))

    def start(self, runtime: Runtime, stack: ExitStack) -> None:
        """Start the brokers one after the other; whoever owns ``stack`` ends them."""
        environment = {**os.environ, "LD_LIBRARY_PATH": runtime.libraries}
        files = self._estate.files(self.ports)
        for one in self._estate.brokers:
            place = self._folder / one.name
            for name, text in files[one.name].items():
                file = place / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            main = place / "mosquitto.conf"
            main.write_text(
                _LOGGED.format(user=getpass.getuser()) + files[one.name]["mosquitto.conf"],
                encoding="utf-8",
            )
            log = self._log(one.number)
            with log.open("wb") as out:
                process = subprocess.Popen(
                    [runtime.program, "-c", "mosquitto.conf"],
                    stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=place, env=environment,
                )  # fmt: skip
            stack.callback(end, process)
            number = one.number
            wait_until(lambda n=number: self._said(n, r"mosquitto version \S+ running") > 0,
                       process, log, _STARTED)  # fmt: skip
            if "take-over" in self._estate.features:
                self._wait([each for each in self._estate.of(one.number) if each.remote < number])

    def wait_for_bridges(self) -> None:
        """Raises Unsettled where a bridge does not do what the estate says of it."""
        self._wait(self._estate.connections)

    def steady(self) -> bool:
        """Whether no bridge that is up or taken has gone, or connected again."""
        bridges = [one for one in self._estate.connections if one.state != "refused"]
        once = Counter((one.remote, one.client(self._host)) for one in bridges)
        return all(
            self._connected(one) == once[one.remote, one.client(self._host)]
            and (once[one.remote, one.client(self._host)] > 1 or not self._gone(one))
            for one in bridges
        )

    def _gone(self, one: Connection) -> bool:
        client = re.escape(one.client(self._host))
        return self._said(one.remote, rf"Client {client} (disc|closed|has|been).*") > 0

    def _wait(self, connections: list[Connection]) -> None:
        until = time.monotonic() + _LINKED
        while missing := [one.label for one in connections if not self._is_there(one)]:
            if time.monotonic() > until:
                raise Unsettled(f"bridges: {missing}")
            time.sleep(0.05)

    def _is_there(self, one: Connection) -> bool:
        if one.state == "refused":
            return self._said(one.owner, "Connection Refused.*") > 0
        client = re.escape(one.client(self._host))
        mount = self._estate.brokers[one.remote].mount if one.mounted else ""
        asked = [f"{mount}{each.remote}{each.pattern}" for each in one.topics if each.incoming]
        return self._connected(one) > 0 and all(
            self._said(one.remote, rf"{client} \d {re.escape(each)}") for each in asked
        )

    def _connected(self, one: Connection) -> int:
        client = re.escape(one.client(self._host))
        return self._said(one.remote, rf"New (bridge|client) connected from \S+ as {client} .*")

    def _said(self, number: int, line: str) -> int:
        """How often a line is in the log of a broker."""
        text = self._log(number).read_text(encoding="utf-8", errors="replace")
        return len(re.findall(f"^{line}$", text, re.MULTILINE))

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"


@contextmanager
def started(runtime: Runtime, estate: Estate) -> Iterator[Network]:
    """The brokers of an estate; they are ended, and their files are removed, with the block.
    Raises RuntimeError with the end of a log where one does not start."""
    with tempfile.TemporaryDirectory(prefix="mosquitto-") as folder, ExitStack() as stack:
        network = Network(estate, Path(folder))
        network.start(runtime, stack)
        yield network


def until(done: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so; False where it is not after some seconds."""
    last = time.monotonic() + seconds
    while not done():
        if time.monotonic() > last:
            return False
        time.sleep(0.01)
    return True
