"""What came of the messages of an estate: published, waited for, and counted at every broker."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import paho.mqtt.client as mqtt
from golden.recorders.mosquitto.estate import PASSWORD, READER, Estate, Message, port_of
from golden.recorders.mosquitto.network import Network, started, until
from golden.recorders.mosquitto.packages import Runtime
from golden.recorders.recording import Unsettled

_QUIET, _BOUND = 0.3, 6.0
"""Seconds: without a copy, after which no further one comes; until that must be so."""
MANY = 60
"""Copies at one broker that no message has which does not go round for ever."""
_CONNECTED = 10.0

Copies = Counter[tuple[int, str]]
"""How many copies came to a broker with a topic."""


@dataclass
class Got:
    """What came of one message."""

    copies: Copies = field(default_factory=Counter)
    endless: bool = False


class Clients:
    """A reader at every broker, and those who publish."""

    def __init__(self, estate: Estate, network: Network, stack: ExitStack) -> None:
        self._estate, self._network, self._stack = estate, network, stack
        self._lock = threading.Lock()
        self._copies: dict[str, Copies] = {}
        self._changed = time.monotonic()
        self._publishers: dict[tuple[int, str], mqtt.Client] = {}
        for one in estate.brokers:
            self._read(one.number)

    def publish(self, message: Message, sent: str) -> None:
        """Publish a message, and wait until its broker has it. Raises Unsettled."""
        client = self._publisher(message.broker, message.user)
        payload = f"{sent}|{'.' * message.size}"
        with self._lock:
            self._copies[sent] = Counter()
        info = client.publish(message.topic, payload, qos=1)
        info.wait_for_publish(_CONNECTED)
        if not info.is_published():
            raise Unsettled(f"{message.id} is not taken")
        self._changed = time.monotonic()

    def settled(self, sent: Sequence[str]) -> bool:
        """Wait until no copy comes any more; False where one of the messages goes round."""
        last = time.monotonic() + _BOUND
        while time.monotonic() - self._changed < _QUIET:
            if time.monotonic() > last or any(self._round(one) for one in sent):
                return False
            time.sleep(0.01)
        return not any(self._round(one) for one in sent)

    def copies(self, sent: str) -> Copies:
        """What came of a message until now."""
        with self._lock:
            return self._copies[sent].copy()

    def _round(self, sent: str) -> bool:
        at: Counter[int] = Counter()
        for (broker, _), number in self.copies(sent).items():
            at[broker] += number
        return max(at.values(), default=0) > MANY

    def _client(self, broker: int, user: str) -> mqtt.Client:
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, f"{user or 'anyone'}-{broker}")
        if user:
            client.username_pw_set(user, PASSWORD)
        client.connect("127.0.0.1", self._network.ports[port_of(broker)])
        self._stack.callback(client.loop_stop)
        self._stack.callback(client.disconnect)
        return client

    def _publisher(self, broker: int, user: str) -> mqtt.Client:
        if (broker, user) not in self._publishers:
            client = self._publishers[broker, user] = self._client(broker, user)
            client.loop_start()
            if not until(client.is_connected, _CONNECTED):
                raise Unsettled(f"{user} is not connected")
        return self._publishers[broker, user]

    def _read(self, broker: int) -> None:
        client = self._client(broker, READER)
        ready = threading.Event()

        def take(_client: object, _data: object, message: mqtt.MQTTMessage) -> None:
            sent = message.payload.partition(b"|")[0].decode(errors="replace")
            with self._lock:
                if sent in self._copies:
                    self._copies[sent][broker, message.topic] += 1
                    self._changed = time.monotonic()

        client.on_message = take
        client.on_connect = lambda *_: client.subscribe([("#", 0), ("$local/#", 0)])
        client.on_subscribe = lambda *_: ready.set()
        client.loop_start()
        if not ready.wait(_CONNECTED):
            raise Unsettled(f"no reader at {broker}")


def measured(runtime: Runtime, estate: Estate) -> dict[str, Got]:
    """What came of each message, by its id: what came of it twice. Raises Unsettled where that
    differs, or a bridge does not stay."""
    found: dict[str, Got] = {}
    todo = list(estate.messages)
    while todo:
        with started(runtime, estate) as network, ExitStack() as stack:
            clients = Clients(estate, network, stack)
            network.wait_for_bridges()
            time.sleep(0.1)  # until a bridge that asks for nothing knows that it is connected
            measure = _one_by_one if estate.cyclic else _together
            todo = measure(clients, network, todo, found)
    return found


def _steady(network: Network, message: Message) -> None:
    if not network.steady():
        raise Unsettled(f"a bridge has connected again before or after {message.id}")


def _one_by_one(
    clients: Clients, network: Network, todo: list[Message], found: dict[str, Got]
) -> list[Message]:
    """Publish messages one after the other, each twice, until one goes round for ever; what is
    left then. Such a one ends with its brokers."""
    for number, message in enumerate(todo):
        sent = [f"{message.id}#{turn}" for turn in (1, 2)]
        for each in sent:
            clients.publish(message, each)
            if not clients.settled([each]):
                found[message.id] = Got(clients.copies(each), endless=True)
                return todo[number + 1 :]
        _steady(network, message)
        found[message.id] = Got(_agreed(clients, message, sent))
    return []


def _together(
    clients: Clients, network: Network, todo: list[Message], found: dict[str, Got]
) -> list[Message]:
    """Publish all messages, and all of them once more."""
    turns = [[f"{one.id}#{turn}" for one in todo] for turn in (1, 2)]
    for sent in turns:
        for message, each in zip(todo, sent, strict=True):
            clients.publish(message, each)
        if not clients.settled(sent):
            raise Unsettled("messages go round where none should")
        _steady(network, todo[-1])
    for message, *sent in zip(todo, *turns, strict=True):
        found[message.id] = Got(_agreed(clients, message, sent))
    return []


def _agreed(clients: Clients, message: Message, sent: Sequence[str]) -> Copies:
    first, second = (clients.copies(one) for one in sent)
    if first != second:
        raise Unsettled(f"{message.id}: {first} and {second}")
    return first
