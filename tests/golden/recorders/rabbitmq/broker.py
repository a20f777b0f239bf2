"""RabbitMQ brokers on 127.0.0.1, for as long as a ``with`` block lasts."""

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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from golden.recorders.processes import end, free_ports, wait_until
from golden.recorders.rabbitmq.estate import (
    SECOND,
    Definitions,
    Estate,
    cluster_and_vhost,
)
from golden.recorders.rabbitmq.packages import Runtime

CLUSTER = "recorded"
_SECONDS = 240
_PLUGINS = (
    "rabbitmq_management", "rabbitmq_federation_management", "rabbitmq_shovel_management",
    "rabbitmq_consistent_hash_exchange", "rabbitmq_random_exchange",
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
    """A started broker: its cluster's name, its port of AMQP, and its management; its process has
    ``environment``."""

    environment: Mapping[str, str] = {}

    def __init__(self, cluster: str, amqp: int, management: int) -> None:
        self.cluster, self.amqp, self._management = cluster, amqp, management
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

    def load(self, definitions: Definitions) -> None:
        """Definitions without links."""
        rest = [one for one in definitions["parameters"] if one["component"] not in LINKS]
        with self._loading:
            self.ask("POST", "definitions", {**definitions, "parameters": rest})

    def link(self, definitions: Definitions, ports: dict[str, str]) -> None:
        """The links of definitions, with the addresses in them as they are now."""
        linked = [one for one in definitions["parameters"] if one["component"] in LINKS]
        if not linked:
            return
        text = json.dumps({"parameters": linked})
        for address, now in ports.items():
            text = text.replace(address, now)
        with self._loading:
            self.ask("POST", "definitions", json.loads(text))

    def unlink(self, definitions: Definitions) -> None:
        """Delete the links of definitions, and the policies that ask for some."""
        vhosts = self._there(definitions)
        with self._loading:
            for one in definitions["policies"]:
                if one["vhost"] in vhosts:
                    self.ask("DELETE", path("policies", one["vhost"], one["name"]), absent=True)
            for one in definitions["parameters"]:
                if one["vhost"] in vhosts and one["component"] in LINKS:
                    self.forget_link(one)

    def forget(self, definitions: Definitions) -> None:
        """Delete the virtual hosts of definitions, as far as they are there, with all that is in
        them."""
        with self._loading:
            for vhost in self._there(definitions):
                self.ask("DELETE", path("vhosts", vhost))

    def _there(self, definitions: Definitions) -> list[str]:
        there = {one.get("name") for one in self.ask("GET", "vhosts")}  # one that goes has no name
        return [one["name"] for one in definitions["vhosts"] if one["name"] in there]

    def forget_link(self, parameter: dict[str, Any]) -> None:
        """Delete a parameter of federation or a shovel."""
        names = (parameter[name] for name in ("component", "vhost", "name"))
        self.ask("DELETE", path("parameters", *names), absent=True)

    def links(self, vhost: str) -> list[tuple[str, str]]:
        """The states of the shovels and federation links of a virtual host, and since when."""
        found = []
        for kind in ("shovels", "federation-links"):
            for one in self.ask("GET", path(kind, vhost)):
                state = one.get("state") or one.get("status") or ""
                found.append((state, f"{one.get('name') or one.get('id')} {one.get('timestamp')}"))
        return found


@dataclass(frozen=True)
class Brokers:
    """The brokers of two clusters: those of most estates have the first one only."""

    first: Broker
    second: Broker
    _federated: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def alone(self, estate: Estate) -> Iterator[None]:
        """Lets an estate with federation wait for others: a set of upstreams that comes or goes
        makes all links of a broker begin anew."""
        if not any(one["component"] in LINKS[1:] for one in estate.definitions["parameters"]):
            yield
            return
        with self._federated:
            yield

    def of(self, vhost: str) -> tuple[Broker, str]:
        """The broker of a virtual host, and what it is called there."""
        cluster, name = cluster_and_vhost(vhost)
        return (self.second if cluster else self.first), name

    def load(self, estate: Estate) -> None:
        """The definitions of an estate; links last: a shovel would create the queue that it does
        not find."""
        ports = {ADDRESSES[one.cluster]: f"127.0.0.1:{one.amqp}" for one in self._both()}
        for broker, definitions in self._parts(estate):
            broker.load(definitions)
        for broker, definitions in self._parts(estate):
            broker.link(definitions, ports)

    def forget(self, estate: Estate) -> None:
        """Delete all that an estate brought. Links first: a broker would go on to look for those of
        a virtual host that is gone."""
        for broker, definitions in self._parts(estate):
            broker.unlink(definitions)
        for broker, definitions in self._parts(estate):
            broker.forget(definitions)

    def _both(self) -> tuple[Broker, Broker]:
        return self.first, self.second

    def _parts(self, estate: Estate) -> Iterator[tuple[Broker, Definitions]]:
        yield self.first, estate.first
        if estate.second is not None:
            yield self.second, estate.second


ADDRESSES = {CLUSTER: "127.0.0.1:5672", SECOND: "127.0.0.1:5673"}
"""What stands in definitions where each broker has a port of its own every time."""
LINKS = ("shovel", "federation-upstream", "federation-upstream-set")
"""The components of parameters that make links."""


def path(*names: str) -> str:
    """The path of something in the management API."""
    return "/".join(urllib.parse.quote(one, safe="") for one in names)


@contextmanager
def started(runtime: Runtime) -> Iterator[Brokers]:
    """Two brokers without any definitions; they are ended, and their files are removed, with the
    block. Raises RuntimeError with the end of the log of one that does not start."""
    with ExitStack() as stack:
        first, second = (stack.enter_context(_started(runtime, one)) for one in ADDRESSES)
        yield Brokers(first, second)


@contextmanager
def _started(runtime: Runtime, cluster: str) -> Iterator[Broker]:
    with tempfile.TemporaryDirectory(prefix="rabbitmq-") as folder:
        place = Path(folder)
        amqp, management, distribution, mapper = free_ports(4)
        environment = _environment(runtime, place, distribution, mapper)
        (place / "rabbitmq.conf").write_text(
            _CONFIGURATION.format(amqp=amqp, management=management, cluster=cluster),
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
                    broker = Broker(cluster, amqp, management)
                    broker.environment = environment
                    wait_until(lambda: _answers(broker), process, log, _SECONDS)
                    yield broker
                finally:
                    end(process)
            finally:
                end(names)


def _answers(broker: Broker) -> bool:
    try:
        return broker.ask("GET", "overview")["cluster_name"] == broker.cluster
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
