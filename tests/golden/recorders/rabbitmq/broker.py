"""One RabbitMQ broker on 127.0.0.1, for as long as a ``with`` block lasts."""

from __future__ import annotations

import base64
import http.client
import json
import os
import subprocess
import tempfile
import threading
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from golden.recorders.processes import end, free_ports, wait_until
from golden.recorders.rabbitmq.packages import Runtime

CLUSTER = "recorded"
_SECONDS = 240
_PLUGINS = (
    "rabbitmq_management", "rabbitmq_federation_management", "rabbitmq_shovel_management",
    "rabbitmq_consistent_hash_exchange",
)  # fmt: skip
_CONFIGURATION = """
listeners.tcp.1 = 127.0.0.1:{amqp}
management.tcp.ip = 127.0.0.1
management.tcp.port = {management}
cluster_name = {cluster}
log.console = false
log.file.level = error
"""
_ALLOCATORS = ("+MBas", "ageffcbf", "+MHas", "ageffcbf", "+MBlmbcs", "512", "+MMmcs", "30")


class Broker:
    """A started broker: its port of AMQP, and its management; ``environment`` is that of its
    process."""

    environment: Mapping[str, str] = {}

    def __init__(self, amqp: int, management: int) -> None:
        self.amqp, self._management = amqp, management
        # A parameter of federation is told to all virtual hosts: none may go while one is loaded.
        self._loading = threading.Lock()

    @property
    def management(self) -> int:
        """The port of the management API."""
        return self._management

    def ask(self, method: str, path: str, body: object = None, *, absent: bool = False) -> Any:
        """A call of the management API. Raises RuntimeError with what it says of a bad one, but
        where what it is about may be ``absent``."""
        connection = http.client.HTTPConnection("127.0.0.1", self._management, timeout=60)
        try:
            connection.request(
                method,
                f"/api/{path}",
                None if body is None else json.dumps(body),
                {
                    "Authorization": f"Basic {base64.b64encode(b'guest:guest').decode()}",
                    "Content-Type": "application/json",
                },
            )
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status == 404 and absent:
            return None
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None

    def load(self, definitions: dict[str, Any]) -> None:
        """Definitions; links last: a shovel would create the queue that it does not find."""
        linked = [one for one in definitions["parameters"] if one["component"] in _LINKS]
        rest = [one for one in definitions["parameters"] if one["component"] not in _LINKS]
        with self._loading:
            self.ask("POST", "definitions", {**definitions, "parameters": rest})
            if linked:
                text = json.dumps({"parameters": linked})
                text = text.replace(ADDRESS, f"127.0.0.1:{self.amqp}")
                self.ask("POST", "definitions", json.loads(text))

    def forget(self, definitions: dict[str, Any]) -> None:
        """Delete the virtual hosts of definitions, as far as they are there, with all that is in
        them. Links first: the broker would go on to look for those of a virtual host that is gone.
        """
        there = {one.get("name") for one in self.ask("GET", "vhosts")}  # one that goes has no name
        vhosts = [one["name"] for one in definitions["vhosts"] if one["name"] in there]
        with self._loading:
            for one in definitions["policies"]:
                if one["vhost"] in vhosts:
                    self.ask("DELETE", path("policies", one["vhost"], one["name"]), absent=True)
            for one in definitions["parameters"]:
                if one["vhost"] in vhosts and one["component"] in _LINKS:
                    self.forget_link(one)
            for vhost in vhosts:
                self.ask("DELETE", path("vhosts", vhost))

    def forget_link(self, parameter: dict[str, Any]) -> None:
        """Delete a parameter of federation or a shovel."""
        names = (parameter[name] for name in ("component", "vhost", "name"))
        self.ask("DELETE", path("parameters", *names), absent=True)

    def links(self, vhosts: list[str]) -> list[str]:
        """The states of the shovels and federation links of virtual hosts."""
        found = []
        for vhost in vhosts:
            found += [one.get("state", "") for one in self.ask("GET", path("shovels", vhost))]
            found += [one["status"] for one in self.ask("GET", path("federation-links", vhost))]
        return found


ADDRESS = "127.0.0.1:5672"
"""Stands in definitions where a broker has a port of its own each time."""
_LINKS = ("shovel", "federation-upstream", "federation-upstream-set")


def path(*names: str) -> str:
    """The path of something in the management API."""
    return "/".join(urllib.parse.quote(one, safe="") for one in names)


@contextmanager
def started(runtime: Runtime) -> Iterator[Broker]:
    """A broker without any definitions; it is ended, and its files are removed, with the block.
    Raises RuntimeError with the end of its log if it does not start."""
    with tempfile.TemporaryDirectory(prefix="rabbitmq-") as folder:
        place = Path(folder)
        amqp, management, distribution, mapper = free_ports(4)
        environment = _environment(runtime, place, distribution, mapper)
        (place / "rabbitmq.conf").write_text(
            _CONFIGURATION.format(amqp=amqp, management=management, cluster=CLUSTER),
            encoding="utf-8",
        )
        (place / "enabled_plugins").write_text(f"[{','.join(_PLUGINS)}].", encoding="utf-8")
        log = place / "out"
        quiet = {"stdin": subprocess.DEVNULL, "env": environment, "cwd": folder}
        with log.open("wb") as out:
            names = subprocess.Popen(
                [runtime.programs / "epmd", "-address", "127.0.0.1", "-port", str(mapper)],
                stdout=out, stderr=out, **quiet,
            )  # fmt: skip
            try:
                process = subprocess.Popen(
                    _command(runtime, distribution), stdout=out, stderr=out, **quiet
                )
                try:
                    broker = Broker(amqp, management)
                    broker.environment = environment
                    wait_until(lambda: _answers(broker), process, log, _SECONDS)
                    yield broker
                finally:
                    end(process)
            finally:
                end(names)


def _answers(broker: Broker) -> bool:
    try:
        return broker.ask("GET", "overview")["cluster_name"] == CLUSTER
    except (OSError, http.client.HTTPException, RuntimeError):
        return False


def _environment(runtime: Runtime, place: Path, distribution: int, mapper: int) -> dict[str, str]:
    """What RabbitMQ's own script would set, with everything below a folder of ours."""
    (place / ".erlang.cookie").write_text(base64.b16encode(os.urandom(16)).decode(), "utf-8")
    (place / ".erlang.cookie").chmod(0o400)
    rabbitmq = {
        "HOME": runtime.rabbitmq,
        "NODENAME": f"recorded-{distribution}@localhost",
        "DIST_PORT": distribution,
        "MNESIA_BASE": place / "mnesia",
        "LOG_BASE": place / "log",
        "CONFIG_FILE": place / "rabbitmq.conf",
        "ADVANCED_CONFIG_FILE": place / "advanced.config",
        "CONF_ENV_FILE": place / "rabbitmq-env.conf",
        "ENABLED_PLUGINS_FILE": place / "enabled_plugins",
        "PLUGINS_DIR": runtime.rabbitmq / "plugins",
    }
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(place),
        "ROOTDIR": str(runtime.erlang),
        "BINDIR": str(runtime.programs),
        "EMU": "beam",
        "PROGNAME": "erl",
        "ERL_LIBS": str(runtime.rabbitmq / "plugins"),
        "ERL_MAX_ETS_TABLES": "50000",
        "ERL_EPMD_PORT": str(mapper),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_CRASH_DUMP": "/dev/null",
        "SYS_PREFIX": "",
        **{f"RABBITMQ_{name}": str(value) for name, value in rabbitmq.items()},
    }


def _command(runtime: Runtime, distribution: int) -> list[str]:
    port = str(distribution)
    return [
        str(runtime.programs / "erlexec"), "-noinput", "-s", "rabbit", "boot",
        "-boot", "start_sasl", "+W", "w", "+S", "2:2", "+sbwt", "none", *_ALLOCATORS,
        "-kernel", "inet_dist_use_interface", "{127,0,0,1}",
        "-kernel", "inet_dist_listen_min", port, "-kernel", "inet_dist_listen_max", port,
        "-kernel", "prevent_overlapping_partitions", "false",
        "-syslog", "logger", "[]", "-syslog", "syslog_error_logger", "false",
    ]  # fmt: skip
