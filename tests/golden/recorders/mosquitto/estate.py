"""A drawn estate: brokers, the bridges between them, and messages."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

NAMES = ("north", "south", "east", "west", "centre")
READER = "reader"
"""The user who subscribes at each broker, and may read everything."""
PASSWORD = "recorded"
FIRST_PORT = 1883
RETRY = "1"
"""Seconds after which a bridge tries again, where nothing else is said."""
CONTROL = "control"

Ports = Mapping[int, int]
"""The ports that listen instead of those of the recorded configurations."""


@dataclass(frozen=True)
class Topic:
    """A topic of a bridge."""

    pattern: str
    direction: str = "out"
    qos: int = 0
    local: str = ""
    remote: str = ""

    @property
    def line(self) -> str:
        """As mosquitto.conf has it, without what is the default."""
        words = [self.pattern or '""', self.direction, str(self.qos)]
        if self.local or self.remote:
            words += [self.local or '""', self.remote or '""']
        elif not self.qos:
            words = words[:2] if self.direction != "out" else words[:1]
        return f"topic {' '.join(words)}"

    @property
    def incoming(self) -> bool:
        """Whether the bridge subscribes at the other broker."""
        return self.direction in ("in", "both")

    @property
    def outgoing(self) -> bool:
        """Whether the bridge subscribes at its own broker."""
        return self.direction in ("out", "both")


@dataclass
class Connection:
    """A bridge: its broker, and the one to which it connects, at its first or second listener.

    ``state``: ``up``; ``refused``, where the other broker does not let it in; ``taken``, where
    another bridge with the same client id comes later.
    """

    name: str
    owner: int
    remote: int
    topics: list[Topic] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    mounted: bool = False
    state: str = "up"

    @property
    def label(self) -> str:
        """BROKER/NAME."""
        return f"{NAMES[self.owner]}/{self.name}"

    def client(self, host: str) -> str:
        """The client id that it has at the other broker."""
        return self.options.get("remote_clientid", f"{host}.{self.name}")

    def lines(self, ports: Ports) -> list[str]:
        """Its part of the configuration of its broker."""
        port = port_of(self.remote, mounted=self.mounted)
        options = {"restart_timeout": RETRY, **self.options}
        return [
            f"connection {self.name}",
            f"address 127.0.0.1:{ports.get(port, port)}",
            *(f"{name} {value}" for name, value in options.items()),
            *(one.line for one in self.topics),
        ]


@dataclass
class Broker:
    """A broker beside its bridges. ``mount`` is the mount point of its second listener."""

    number: int
    per_listener: bool = False
    include: bool = False
    anonymous: bool = True
    mount: str = ""
    limit: int = 0
    rights: list[str] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What it is called."""
        return NAMES[self.number]

    def files(self, connections: list[Connection], ports: Ports) -> dict[str, str]:
        """Its files, by their paths in its folder."""
        files: dict[str, str] = {}
        security = [f"allow_anonymous {str(self.anonymous).lower()}"]
        if self.rights:
            security.append("acl_file rights.acl")
            files["rights.acl"] = _text(self.rights)
        if self.users:
            security.append("password_file users.passwd")
            files["users.passwd"] = _text([f"{name}:{_hash(name)}" for name in self.users])
        lines = ["per_listener_settings true"] if self.per_listener else []
        if self.limit:
            lines.append(f"message_size_limit {self.limit}")
        for mounted in (False, True) if self.mount else (False,):
            port = port_of(self.number, mounted=mounted)
            lines += ["", f"listener {ports.get(port, port)} 127.0.0.1"]
            lines += [f"mount_point {self.mount}"] if mounted else []
            lines += security if self.per_listener or not mounted else []
        if self.include and connections:
            lines += ["", "include_dir conf.d"]
            for one in connections:
                files[f"conf.d/{one.name}.conf"] = _text(one.lines(ports))
        else:
            for one in connections:
                lines += ["", *one.lines(ports)]
        return {"mosquitto.conf": _text(lines), **files}


@dataclass
class Message:
    """What is published. ``control`` names the bridge whose working it shows, and ``far`` the
    broker at which it has to arrive then."""

    broker: int
    topic: str
    user: str = ""
    size: int = 0
    control: str = ""
    far: int = -1
    id: str = ""


@dataclass
class Estate:
    """Brokers in the order in which they start. In a ``cyclic`` one messages may go round."""

    seed: int
    brokers: list[Broker] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    cyclic: bool = False

    def of(self, number: int) -> list[Connection]:
        """The bridges of a broker, in the order of its configuration."""
        return [one for one in self.connections if one.owner == number]

    def files(self, ports: Ports) -> dict[str, dict[str, str]]:
        """The files of each broker."""
        return {one.name: one.files(self.of(one.number), ports) for one in self.brokers}


class Draft:
    """An estate while it is drawn."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.estate = Estate(seed)

    def chance(self, share: float, feature: str) -> bool:
        """True in a share of the draws; the estate has the feature then."""
        if self.random.random() >= share:
            return False
        self.estate.features.add(feature)
        return True

    def broker(self) -> Broker:
        """One more broker."""
        made = Broker(len(self.estate.brokers))
        made.per_listener = self.chance(0.15, "per-listener")
        made.include = self.chance(0.3, "include-dir")
        self.estate.brokers.append(made)
        return made

    def connect(self, owner: int, remote: int) -> Connection:
        """One more bridge, without topics."""
        number = sum(one.owner == owner for one in self.estate.connections)
        made = Connection(f"{NAMES[owner]}-{NAMES[remote]}{number or ''}", owner, remote)
        self.estate.connections.append(made)
        return made


def port_of(broker: int, *, mounted: bool = False) -> int:
    """The port of a broker's first or second listener in recorded configurations."""
    return FIRST_PORT + 2 * broker + mounted


def _text(lines: list[str]) -> str:
    return "".join(f"{one}\n" for one in lines)


def _hash(name: str) -> str:
    """A line of a password file; the salt is constant, so that a seed draws one text."""
    salt = hashlib.sha256(name.encode()).digest()[:12]
    made = hashlib.pbkdf2_hmac("sha512", PASSWORD.encode(), salt, 101)
    return f"$7$101${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"
