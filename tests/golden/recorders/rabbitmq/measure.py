"""What came of the messages of an estate: published, waited for, and counted in every queue."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import amqp
from golden.recorders.rabbitmq.broker import LINKS, Brokers, path
from golden.recorders.rabbitmq.dead_letters import label
from golden.recorders.rabbitmq.estate import (
    PASSWORD,
    PUBLISHER,
    SHORT,
    Definitions,
    Estate,
    Message,
    Round,
)
from golden.recorders.recording import Unsettled

_QUIET = {"plain": 0.06, "timed": SHORT / 1000 + 0.2, "linked": 0.3, "ring": 0.1}
"""Seconds without a change of any count, after which a round of a kind has ended."""
_BOUND, _RING, _LINKS, _TOLD = 5.0, 0.4, 10.0, 20.0
"""Seconds: until a round must have ended, how long a ring turns, until links must be up, and until
the broker must have told which policy holds."""
_TURNS = {"ring": 5, "timed": 25}
"""By kind of round what a message that goes round for ever has: copies in one queue or entries of
a shovel's header; deaths in queues."""

_MARK = "mark"
"""Stands for the id of the message after which a stream has no others."""

Counts = dict[str, int]


@dataclass
class Got:
    """What came of one message."""

    publisher: str = ""
    queues: Counter[str] = field(default_factory=Counter)
    acts: Counter[tuple[str, str]] = field(default_factory=Counter)
    turns: int = 0
    endless: bool = False

    def same(self, other: Got) -> bool:
        """Whether it is the same twice."""
        if self.endless and other.endless:
            return self.publisher == other.publisher
        mine = (self.publisher, self.queues, self.acts, self.endless)
        return mine == (other.publisher, other.queues, other.acts, other.endless)


class Session:
    """The connections of one estate to its brokers, which have the estate's definitions."""

    def __init__(self, brokers: Brokers, estate: Estate) -> None:
        self._brokers, self._estate = brokers, estate
        self._connections: dict[tuple[str, str], Any] = {}
        self._channels: dict[str, Any] = {}
        self._queues = {
            label(one["vhost"], one["name"]): one for one in estate.definitions["queues"]
        }
        self._streams = [
            name
            for name, one in self._queues.items()
            if one["arguments"].get("x-queue-type") == "stream"
        ]
        self._passes = 0
        self._up: list[tuple[str, str]] = []

    def close(self) -> None:
        """Closes what is open."""
        for one in self._connections.values():
            with contextlib.suppress(OSError, amqp.AMQPError):
                one.close()

    def wait_for_links(self) -> None:
        """Raises Unsettled where federation or shovels do not come up."""
        if not any(one["component"] in LINKS for one in self._estate.definitions["parameters"]):
            return
        vhosts = [one["name"] for one in self._estate.definitions["vhosts"]]
        until = time.monotonic() + _LINKS
        while not (found := self._links(vhosts)) or {state for state, _ in found} != {"running"}:
            if time.monotonic() > until:
                raise Unsettled(f"links: {found}")
            time.sleep(0.05)
        self._up = found
        time.sleep(0.1 if self._estate.second is None else 0.4)  # bindings that links ask for

    def look_at_links(self) -> None:
        """Raises Unsettled where a link has begun anew since they all came up."""
        vhosts = [one["name"] for one in self._estate.definitions["vhosts"]]
        rings = any(one.kind == "ring" for one in self._estate.rounds)
        if self._up and not rings and (found := self._links(vhosts)) != self._up:
            raise Unsettled(f"links were {self._up} and are {found}")

    def _links(self, vhosts: list[str]) -> list[tuple[str, str]]:
        found = []
        for vhost in vhosts:
            broker, name = self._brokers.of(vhost)
            found += broker.links(name)
        return sorted(found)

    def holding(self) -> list[dict[str, str]]:
        """The names of the policy and operator policy that hold for each of what several of one
        priority apply to; empty where there is none. The broker tells it of a queue every five
        seconds only. Raises Unsettled where it does not."""
        found = []
        for kind, vhost, name in self._estate.equal:
            broker, there = self._brokers.of(vhost)
            names: dict[str, str] = {}
            until = time.monotonic() + _TOLD
            while not any(names.values()):
                if time.monotonic() > until:
                    raise Unsettled(f"the policy of {name}")
                said = broker.ask("GET", path(f"{kind}s", there, name))
                names = {key: said.get(key) or "" for key in ("policy", "operator_policy")}
                time.sleep(0.1)
            found.append({"vhost": vhost, "kind": f"{kind}s", "name": name, **names})
        return found

    def declared(self) -> Definitions:
        """The exchanges, queues and bindings that links have declared, as the broker exports
        them."""
        found: Definitions = {"exchanges": [], "queues": [], "bindings": []}
        for vhost in (one["name"] for one in self._estate.definitions["vhosts"]):
            broker, there = self._brokers.of(vhost)
            exported = broker.ask("GET", path("definitions", there))
            for kind, rows in found.items():
                known = [
                    {name: value for name, value in one.items() if name != "vhost"}
                    for one in self._estate.definitions[kind]
                    if one["vhost"] == vhost
                ]
                if kind != "bindings":
                    names = {one["name"] for one in known}
                    rows += [{**one, "vhost": vhost} for one in exported[kind]
                             if one["name"] not in names]  # fmt: skip
                else:
                    rows += [{**one, "vhost": vhost} for one in exported[kind] if one not in known]
        return found

    def measured(self, where: Round) -> dict[str, Got]:
        """What came of each message of a round, by its id. Raises Unsettled."""
        self._passes += 1
        found: dict[str, Got] = defaultdict(Got)
        with self._consumers(where, found):
            for message in where.messages:
                found[message.id].publisher = self._publish(message)
            if where.kind == "ring":
                time.sleep(_RING)
                self._cut()
            settled = self._settle(where, found)
        while self._empty(found) and not settled:
            time.sleep(2 * SHORT / 1000)  # what goes round is in another queue by then
        for got in found.values():
            got.endless = got.turns >= _TURNS.get(where.kind, sys.maxsize)
        if not settled and not any(got.endless for got in found.values()):
            raise Unsettled(f"a {where.kind} round")
        return dict(found)

    def _publish(self, message: Message) -> str:
        try:
            channel = self._connection(message.vhost, message.user).channel()
        except amqp.AMQPError as error:
            return f"refused {error.reply_code}"
        returned: list[object] = []
        channel.events["basic_return"].add(lambda *given: returned.append(given))
        properties: dict[str, Any] = {"message_id": f"{message.id}#{self._passes}"}
        if message.headers:
            properties["application_headers"] = message.headers
        if message.expiration is not None:
            properties["expiration"] = message.expiration
        try:
            channel.basic_publish_confirm(
                amqp.Message("x" * message.size, **properties), message.exchange, message.key,
                mandatory=True, timeout=10,
            )  # fmt: skip
        except amqp.exceptions.MessageNacked:
            return "nacked"
        except amqp.ChannelError as error:
            return f"refused {error.reply_code}"
        channel.close()
        return "returned" if returned else "accepted"

    def _connection(self, vhost: str, user: str) -> Any:
        if (vhost, user) not in self._connections:
            broker, name = self._brokers.of(vhost)
            connection = amqp.Connection(
                f"127.0.0.1:{broker.amqp}", user, PASSWORD, virtual_host=name,
                connect_timeout=10, read_timeout=20,
            )  # fmt: skip
            connection.connect()
            self._connections[vhost, user] = connection
        return self._connections[vhost, user]

    def _channel(self, queue: str) -> Any:
        vhost = self._queues[queue]["vhost"]
        if vhost not in self._channels:
            self._channels[vhost] = self._connection(vhost, PUBLISHER).channel()
        return self._channels[vhost]

    def _name(self, queue: str) -> str:
        return str(self._queues[queue]["name"])

    def _sent_now(self, message: Any) -> str | None:
        """The id of a message of this pass. Streams keep those of earlier ones as well."""
        number, _, sent = message.properties["message_id"].partition("#")
        return number if sent == str(self._passes) else None

    @contextlib.contextmanager
    def _consumers(self, where: Round, found: Mapping[str, Got]) -> Iterator[None]:
        """The queues that have a consumer during a round; what it takes counts as being there."""
        tags = []
        for queue, (do, _) in where.acts.items():
            if do == "consume":

                def take(message: Any, queue: str = queue) -> None:
                    if number := self._sent_now(message):
                        found[number].queues[queue] += 1

                channel = self._channel(queue)
                tags.append((channel, channel.basic_consume(
                    self._name(queue), no_ack=True, callback=take)))  # fmt: skip
        if tags:
            time.sleep(0.15)  # until a federated queue knows of its consumer
        yield
        for channel, tag in tags:
            channel.basic_cancel(tag)

    def _settle(self, where: Round, found: Mapping[str, Got]) -> bool:
        """Wait until nothing changes; meanwhile take and give back as the round says. False where
        something goes on changing."""
        began = changed = time.monotonic()
        last: Counts = {}
        while time.monotonic() - changed < _QUIET[where.kind]:
            acted = [self._act(queue, *act, found) for queue, act in where.acts.items()]
            counts = {queue: self._count(queue) for queue in self._queues}
            if counts != last or any(acted):
                changed, last = time.monotonic(), counts
            if time.monotonic() - began > _BOUND:
                return False
            time.sleep(0.01)
        return True

    def _count(self, queue: str) -> int:
        """How many messages wait in a queue; asking takes in what a consumer of ours gets."""
        declared = self._channel(queue).queue_declare(self._name(queue), passive=True)
        return int(declared.message_count)

    def _act(self, queue: str, do: str, times: int, found: Mapping[str, Got]) -> bool:
        """Reject or return what lies in a queue; what had that often enough is taken out, and
        counts as being there."""
        acted = False
        if do == "consume":
            return acted
        channel = self._channel(queue)
        while message := channel.basic_get(self._name(queue)):
            acted = True
            number = self._sent_now(message)
            if number is None:
                raise Unsettled(f"a message of another round in {queue}")
            got = found[number]
            if got.acts[do, queue] < times:
                got.acts[do, queue] += 1
                channel.basic_reject(message.delivery_tag, requeue=do == "return")
            else:
                channel.basic_ack(message.delivery_tag)
                got.queues[queue] += 1
        return acted

    def _cut(self) -> None:
        """Delete the shovels of the estate."""
        for one in self._estate.definitions["parameters"]:
            if one["component"] == "shovel":
                broker, name = self._brokers.of(one["vhost"])
                broker.forget_link({**one, "vhost": name})

    def _empty(self, found: Mapping[str, Got]) -> bool:
        """Count what lies in all queues, and take it out; whether there was anything. Raises
        Unsettled where the estate holds a message of an earlier round."""
        taken = False
        for queue in self._queues:
            if queue in self._streams:
                self._read_stream(queue, found)
                continue
            channel = self._channel(queue)
            while message := channel.basic_get(self._name(queue), no_ack=True):
                taken = True
                number = self._sent_now(message)
                if number is None:
                    raise Unsettled(f"a message of another round in {queue}")
                got = found[number]
                got.queues[queue] += 1
                headers = message.properties.get("application_headers") or {}
                shovelled = len(headers.get("x-shovelled") or [])
                deaths = sum(one["count"] for one in headers.get("x-death") or [])
                got.turns = max(got.turns, got.queues[queue], shovelled, deaths)
        return taken

    def _read_stream(self, queue: str, found: Mapping[str, Got]) -> None:
        """A stream is read from its first offset to a mark that is published to it now: it does
        not say how many messages it has. Raises Unsettled where the mark does not come."""
        channel = self._connection(self._queues[queue]["vhost"], PUBLISHER).channel()
        mark = f"{_MARK}#{self._passes}"
        channel.basic_publish_confirm(
            amqp.Message("", message_id=mark), "", self._name(queue), timeout=10
        )
        channel.basic_qos(0, 500, False)
        marked = False

        def take(message: Any) -> None:
            nonlocal marked
            channel.basic_ack(message.delivery_tag)
            number = self._sent_now(message)
            if number == _MARK:
                marked = True
            elif number:
                found[number].queues[queue] += 1

        tag = channel.basic_consume(
            self._name(queue), callback=take, arguments={"x-stream-offset": "first"}
        )
        until = time.monotonic() + 10
        while not marked and time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                channel.connection.drain_events(timeout=0.5)
        channel.basic_cancel(tag)
        channel.close()
        if not marked:
            raise Unsettled(f"{queue} is not read to its end")
