"""The rules of ``docs/specs/mosquitto.md`` followed copy by copy, without the product: slow, and
independent of it. Reads what the recorder draws, not all that a configuration may hold."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Files = Mapping[str, str]
Copies = Counter[tuple[str, str]]
Rights = list[tuple[str, str]]
"""What is allowed, and for which topics; refusals first."""
MANY = 60
"""Copies at one broker, after which a message counts as endless."""


@dataclass(frozen=True)
class Topic:
    pattern: str
    direction: str
    local: str
    remote: str

    @property
    def outgoing(self) -> bool:
        return self.direction in ("out", "both")

    @property
    def incoming(self) -> bool:
        return self.direction in ("in", "both")


@dataclass
class Listener:
    port: int
    mount: str = ""
    acl: bool = False


@dataclass
class Broker:
    name: str
    listeners: list[Listener] = field(default_factory=list)
    limit: int = 0
    acl: bool = False
    users: dict[str, Rights] = field(default_factory=dict)
    patterns: Rights = field(default_factory=list)


@dataclass
class Bridge:
    owner: Broker
    name: str
    port: int = 0
    options: dict[str, str] = field(default_factory=dict)
    topics: list[Topic] = field(default_factory=list)
    state: str = "up"
    session: dict[str, bool] = field(default_factory=dict)
    """What it is subscribed to at the other broker, and whether that leaves out its own."""

    @property
    def five(self) -> bool:
        return self.options.get("bridge_protocol_version") == "mqttv50"

    @property
    def known(self) -> bool:
        """Whether the other broker does not send back what comes over the bridge (MB-16)."""
        return self.five or self.options.get("try_private") != "false"

    @property
    def clean(self) -> bool:
        return self.options.get("cleansession") == "true"

    @property
    def client(self) -> str:
        return self.options.get("remote_clientid", f"host.{self.name}")

    @property
    def user(self) -> str:
        return self.options.get("remote_username", "")

    @property
    def largest(self) -> int:
        return int(self.options.get("bridge_max_packet_size", 0))


@dataclass(frozen=True)
class _Copy:
    """A message on its way to a broker; a bridge's own broker gets it over no listener."""

    broker: Broker
    topic: str
    client: str
    user: str
    listener: Listener | None


class Estate:
    """The brokers and bridges of a recorded estate."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._bridges: list[Bridge] = []
        self._brokers: dict[str, Broker] = {}
        self._ports: dict[int, tuple[Broker, Listener]] = {}
        for name, files in record["files"].items():
            self._read(name, files)
        for one in self._bridges:
            one.state = record["bridges"][f"{one.owner.name}/{one.name}"]
        for one in self._bridges:
            if one.state == "up":
                self._connect(one)

    def copies(self, message: Mapping[str, Any]) -> Copies | None:
        """What comes of a message; None where it goes round for ever."""
        start = self._brokers[message["broker"]]
        number = list(self._brokers).index(start.name)
        client = f"{message['user'] or 'anyone'}-{number}"
        found: Copies = Counter()
        at: Counter[str] = Counter()
        size = message["size"] + len(f"{message['id']}#1|")
        way = deque([_Copy(start, message["topic"], client, message["user"], start.listeners[0])])
        while way:
            one = way.popleft()
            if one.listener:
                one = _Copy(one.broker, one.listener.mount + one.topic, one.client, one.user,
                            one.listener)  # fmt: skip
                if not _allowed(one, "write"):
                    continue
            if one.broker.limit and size > one.broker.limit:
                continue
            if not one.topic.startswith("$") or matches("$local/#", one.topic):
                found[one.broker.name, one.topic] += 1
                at[one.broker.name] += 1
            if at[one.broker.name] > MANY:
                return None
            way.extend(self._onward(one, size))
        return found

    def _onward(self, one: _Copy, size: int) -> Iterator[_Copy]:
        for bridge in self._bridges:
            if bridge.state != "up":
                continue
            if bridge.owner is one.broker:
                yield from self._out(bridge, one, size)
            if self._ports[bridge.port][0] is one.broker:
                yield from self._in(bridge, one)

    def _out(self, bridge: Bridge, one: _Copy, size: int) -> Iterator[_Copy]:
        if one.client == f"local.{bridge.client}":
            return
        asked = {each.local + each.pattern for each in bridge.topics if each.outgoing}
        times = sum(matches(each, one.topic) for each in asked)
        names = [(each.local, each.pattern, each.remote) for each in bridge.topics if each.outgoing]
        topic = renamed(names, one.topic)
        if bridge.largest and size + len(topic) + 2 > bridge.largest:
            return
        broker, listener = self._ports[bridge.port]
        for _ in range(times if bridge.five else min(times, 1)):
            yield _Copy(broker, topic, bridge.client, bridge.user, listener)

    def _in(self, bridge: Bridge, one: _Copy) -> Iterator[_Copy]:
        broker, listener = self._ports[bridge.port]
        times = sum(
            matches(listener.mount + each, one.topic)
            for each, known in bridge.session.items()
            if not (known and one.client == bridge.client)
        )
        if not _allowed(_Copy(broker, one.topic, bridge.client, bridge.user, listener), "read"):
            return
        names = [(each.remote, each.pattern, each.local) for each in bridge.topics if each.incoming]
        topic = renamed(names, one.topic)  # 2.0.11 does not cut off the mount point
        for _ in range(times if bridge.five else min(times, 1)):
            yield _Copy(bridge.owner, topic, f"local.{bridge.client}", "", None)

    def _connect(self, bridge: Bridge) -> None:
        """The session of a bridge, which may have been that of bridges whose client id it has."""
        session: dict[str, bool] = {}
        earlier = [
            one
            for one in self._bridges
            if one.state == "taken" and (one.port, one.client) == (bridge.port, bridge.client)
        ]
        for one in [*earlier, bridge]:
            if one.clean:
                session = {}
            for each in one.topics:
                if each.incoming:
                    session.setdefault(each.remote + each.pattern, one.known)
                elif one.options.get("bridge_attempt_unsubscribe") != "false":
                    session.pop(each.remote + each.pattern, None)
            if one is not bridge and (one.clean or one.five):
                session = {}
        bridge.session = session

    def _read(self, name: str, files: Files) -> None:
        broker = self._brokers[name] = Broker(name)
        bridge = Bridge(broker, "")
        separate = False
        for key, value in _settings("mosquitto.conf", files):
            if key == "listener":
                broker.listeners.append(Listener(int(value.split()[0])))
                self._ports[broker.listeners[-1].port] = (broker, broker.listeners[-1])
            elif key == "per_listener_settings":
                separate = value == "true"
            elif key == "mount_point":
                broker.listeners[-1].mount = value
            elif key == "message_size_limit":
                broker.limit = int(value)
            elif key == "acl_file":
                for each in broker.listeners[-1:] if separate else [broker]:
                    each.acl = True
                _read_rights(broker, files[value])
            elif key == "connection":
                bridge = Bridge(broker, value)
                self._bridges.append(bridge)
            elif key == "address":
                bridge.port = int(value.rpartition(":")[2])
            elif key == "topic":
                bridge.topics.append(_topic(value))
            else:
                bridge.options[key] = value
        if broker.acl:
            for listener in broker.listeners:
                listener.acl = True


def matches(pattern: str, topic: str) -> bool:
    """Whether a subscription matches a topic (MB-7)."""
    if pattern.startswith("$") != topic.startswith("$"):
        return False
    wanted, levels = pattern.split("/"), topic.split("/")
    for number, level in enumerate(wanted):
        if level == "#":
            return True
        if number >= len(levels) or level not in ("+", levels[number]):
            return False
    return len(wanted) == len(levels)


def renamed(names: list[tuple[str, str, str]], topic: str) -> str:
    """The name that a topic has on the other side (MB-9)."""
    for cut, pattern, put in names:
        if (cut or put) and matches(cut + pattern, topic):
            return put + topic[len(cut) :]
    return topic


def _allowed(one: _Copy, right: str) -> bool:
    if one.listener is None or not one.listener.acl:
        return True
    for access, topic in one.broker.users.get(one.user, []):
        if matches(topic, one.topic):
            if access == "deny":
                return False
            if right in access:
                return True
    for access, text in one.broker.patterns:
        if "%u" in text and not one.user:
            continue
        if matches(text.replace("%c", one.client).replace("%u", one.user), one.topic):
            return access != "deny" and right in access
    return False


def _read_rights(broker: Broker, text: str) -> None:
    user = ""
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == "user":
            user = value
        elif key:
            access, _, topic = value.rpartition(" ")
            rights = broker.patterns if key == "pattern" else broker.users.setdefault(user, [])
            rights.insert(0 if access == "deny" else len(rights), (access or "readwrite", topic))


def _settings(name: str, files: Files) -> Iterator[tuple[str, str]]:
    for line in files[name].splitlines():
        key, _, value = line.partition(" ")
        if key == "include_dir":
            for other in sorted(files):
                if other.startswith(f"{value}/"):
                    yield from _settings(other, files)
        elif key:
            yield key, value


def _topic(value: str) -> Topic:
    words = ["" if word == '""' else word for word in value.split()]
    words += ["out", "0", "", ""][len(words) - 1 :]
    return Topic(words[0], words[1], words[3], words[4])
