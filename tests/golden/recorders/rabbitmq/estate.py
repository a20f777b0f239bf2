"""A drawn estate while it is drawn: definitions of virtual hosts, and messages in rounds.

A virtual host of the second of two clusters has ``second:`` before its name as long as the estate
is drawn and wherever messages and queues name it; ``Estate.first`` and ``Estate.second`` are the
definitions as each cluster has them.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

PUBLISHER = "app"
"""The user who may do everything, and publishes where nothing else is said."""
PASSWORD = "recorded"
CONTROL = "control"
"""In every virtual host a queue that gets the messages which have to arrive."""
WAITING = "waiting"
"""A queue whose messages expire into ``control``: shows that time passes."""
SECOND = "second"
"""The cluster of virtual hosts whose names begin with this and a colon."""
LATER = 1_001
"""The first seed of those that draw more, as two clusters (``drawn``)."""
SHORT, LONG = 60, 600_000
"""Milliseconds of a time to live: one that ends while the rig waits, and one that does not."""
_STEMS = ("orders", "parcels", "claims", "invoices", "ledgers", "tills", "freight", "tariffs",
          "orders.eu")  # fmt: skip

Place = tuple[str, str, str]
"""``exchange`` or ``queue``, the virtual host and the name."""
Headers = dict[str, Any]
Definitions = dict[str, list[dict[str, Any]]]
Arguments = Mapping[str, object]


@dataclass
class Message:
    """What is published. Messages of one ``path`` have one control, which is ``control`` itself."""

    vhost: str
    exchange: str
    key: str
    headers: Headers
    features: tuple[str, ...]
    path: str
    user: str = PUBLISHER
    expiration: str | None = None
    control: bool = False
    choice: bool = False
    size: int = 0
    acts: list[dict[str, Any]] = field(default_factory=list)
    id: str = ""


@dataclass
class Round:
    """Messages that are published one after the other and counted together.

    ``kind``: ``plain``; ``timed`` where times to live end; ``linked`` where federation or shovels
    carry them; ``ring`` where they may go round for ever. ``acts`` by queue: how often each message
    that comes there is rejected or returned; -1: the queue has a consumer.
    """

    kind: str
    messages: list[Message] = field(default_factory=list)
    acts: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Estate:
    """Definitions of one or two clusters, the rounds in their order, and the exchanges and queues
    to which several policies of one priority apply."""

    seed: int
    definitions: Definitions
    rounds: tuple[Round, ...]
    equal: tuple[Place, ...] = ()

    @property
    def first(self) -> Definitions:
        """What the first cluster has."""
        return _of_cluster("", self.definitions)

    @property
    def second(self) -> Definitions | None:
        """What the second one has; None where the estate has only one."""
        found = _of_cluster(SECOND, self.definitions)
        return found if found["vhosts"] else None


def cluster_and_vhost(name: str) -> tuple[str, str]:
    """The cluster of a virtual host, empty for the first one, and what it is called there."""
    before, colon, rest = name.partition(":")
    return (before, rest) if colon else ("", name)


def _of_cluster(cluster: str, definitions: Definitions) -> Definitions:
    """The definitions of one cluster; the users are those of all."""
    found: Definitions = {}
    for kind, rows in definitions.items():
        name = "name" if kind == "vhosts" else "vhost"
        found[kind] = rows if kind == "users" else [
            {**row, name: vhost}
            for row in rows
            for where, vhost in [cluster_and_vhost(row[name])]
            if where == cluster
        ]  # fmt: skip
    return found


class Draft:
    """Collects definitions and rounds; knows which features each exchange and queue has, and what
    can follow what, so that a message is marked with the features that its way may touch."""

    def __init__(self, seed: int, turn: int) -> None:
        self.seed, self.random, self._turn = seed, Random(seed), turn
        self.rounds: list[Round] = []
        self.equal: list[Place] = []
        self.definitions: Definitions = {
            name: []
            for name in ("users", "vhosts", "permissions", "topic_permissions", "parameters",
                         "policies", "queues", "exchanges", "bindings")
        }  # fmt: skip
        self.user(PUBLISHER)
        self._tags: dict[Place, set[str]] = {}
        self._after: dict[Place, list[Place]] = {}
        self._controlled: set[tuple[str, str]] = set()
        self._types: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}

    def turn(self, choices: Sequence[Any]) -> Any:
        """One of the choices after the other, from one estate of a theme to the next."""
        return choices[self._turn % len(choices)]

    def vhost(self, *, second: bool = False, like: str = "") -> str:
        """A virtual host with its control queue, of the first or the second cluster; ``like``: of
        the name that one of the other cluster has."""
        number = len(self.definitions["vhosts"])
        mark = "/" if self.random.random() < 0.15 else ""
        name = f"{('north', 'south', 'east', 'west')[number]}{mark}{self.seed}"
        if like:
            name = cluster_and_vhost(like)[1]
        if second:
            name = f"{SECOND}:{name}"
        self.definitions["vhosts"].append({"name": name})
        self.permit(PUBLISHER, name, ".*", ".*", ".*")
        self._add_queue(name, CONTROL, {})
        return name

    def user(self, name: str) -> None:
        """A user; the salt of the password's hash is constant, so that a seed draws one text."""
        if any(one["name"] == name for one in self.definitions["users"]):
            return
        salt = b"salt"
        digest = hashlib.sha256(salt + PASSWORD.encode()).digest()
        self.definitions["users"].append(
            {
                "name": name,
                "password_hash": base64.b64encode(salt + digest).decode(),
                "hashing_algorithm": "rabbit_password_hashing_sha256",
                "tags": [],
                "limits": {},
            }
        )

    def permit(self, user: str, vhost: str, configure: str, write: str, read: str) -> None:
        """Permissions of a user in a virtual host."""
        self.definitions["permissions"].append(
            {"user": user, "vhost": vhost, "configure": configure, "write": write, "read": read}
        )

    def name(self, vhost: str) -> str:
        """A word and a number, of its own in the virtual host."""
        stem = self.random.choice(_STEMS)
        number = self._numbers[vhost] = self._numbers.get(vhost, 0) + 1
        return f"{stem}{number}"

    def exchange(
        self,
        vhost: str,
        kind: str,
        *tags: str,
        name: str = "",
        internal: bool = False,
        arguments: Arguments | None = None,
    ) -> str:
        """An exchange of a type; ``tags`` are features beside those that its arguments have."""
        name = name or self.name(vhost)
        given = dict(arguments or {})
        self.definitions["exchanges"].append(
            {
                "name": name, "vhost": vhost, "type": kind, "durable": True,
                "auto_delete": False, "internal": internal, "arguments": given,
            }
        )  # fmt: skip
        self._types[vhost, name] = kind
        own = self._tags.setdefault(("exchange", vhost, name), set())
        own |= {*tags, *_TYPE_FEATURES.get(kind, ())}
        if "alternate-exchange" in given:
            own.add("alternate-argument")
            self.leads(vhost, name, str(given["alternate-exchange"]))
        return name

    def predeclared(self, vhost: str, name: str, kind: str) -> str:
        """An exchange that every virtual host has, and definitions do not list."""
        self._types[vhost, name] = kind
        own = self._tags.setdefault(("exchange", vhost, name), set())
        own |= {"predeclared", *_TYPE_FEATURES.get(kind, ())}
        return name

    def queue(
        self, vhost: str, *tags: str, name: str = "", kind: str = "classic", **arguments: object
    ) -> str:
        """A queue; arguments are written with ``_`` for ``-`` and without ``x-``."""
        name = name or self.name(vhost)
        given = {f"x-{key.replace('_', '-')}": value for key, value in arguments.items()}
        if kind != "classic":
            given["x-queue-type"] = kind
            tags = (*tags, kind)
        self._add_queue(vhost, name, given)
        self._tags["queue", vhost, name] |= set(tags)
        if "x-dead-letter-exchange" in given:
            there = str(given["x-dead-letter-exchange"])
            key = given.get("x-dead-letter-routing-key")
            if there:
                self.leads(vhost, name, there, kind="queue")
            elif key is not None:
                self.leads(vhost, name, str(key), kind="queue", to="queue")
        return name

    def arguments(self, vhost: str, queue: str, more: Arguments) -> None:
        """More arguments of a queue."""
        for one in self.definitions["queues"]:
            if (one["vhost"], one["name"]) == (vhost, queue):
                one["arguments"] |= more

    def _add_queue(self, vhost: str, name: str, arguments: Headers) -> None:
        if ("queue", vhost, name) in self._tags:
            raise ValueError(f"two queues {name} of {vhost}: definitions have one of each name")
        self.definitions["queues"].append(
            {
                "name": name, "vhost": vhost, "durable": True, "auto_delete": False,
                "arguments": arguments,
            }
        )  # fmt: skip
        self._tags.setdefault(("queue", vhost, name), set())

    def bind(
        self,
        vhost: str,
        source: str,
        to: str,
        key: str = "",
        arguments: Arguments | None = None,
        kind: str = "queue",
    ) -> None:
        """A binding; one that is there already is not written twice."""
        row = {
            "source": source, "vhost": vhost, "destination": to, "destination_type": kind,
            "routing_key": key, "arguments": dict(arguments or {}),
        }  # fmt: skip
        if row in self.definitions["bindings"]:
            return
        place = ("exchange", vhost, source)
        own = self._tags[place]
        if kind == "exchange":
            own.add("exchange-to-exchange")
        elif (kind, vhost, to) in self._after.get(place, []):
            own.add("duplicate-binding")
        if self._types[vhost, source] == "headers":
            own.add(f"headers-{row['arguments'].get('x-match', 'all')}")
        self.definitions["bindings"].append(row)
        self.leads(vhost, source, to, to=kind)

    def leads(
        self,
        vhost: str,
        name: str,
        to_name: str,
        *,
        kind: str = "exchange",
        to: str = "exchange",
        to_vhost: str = "",
    ) -> None:
        """Messages may go from one exchange or queue to another."""
        self._after.setdefault((kind, vhost, name), []).append((to, to_vhost or vhost, to_name))

    def tag(self, vhost: str, name: str, *tags: str, kind: str = "exchange") -> None:
        """Features of an exchange or queue."""
        self._tags[kind, vhost, name] |= set(tags)

    def bindings(self, vhost: str, exchange: str) -> list[dict[str, Any]]:
        """The bindings of an exchange."""
        return [
            one
            for one in self.definitions["bindings"]
            if (one["vhost"], one["source"]) == (vhost, exchange)
        ]

    def queues(self, vhost: str, tag: str) -> list[str]:
        """The queues of a virtual host that have a feature."""
        return [
            name
            for (kind, where, name), tags in self._tags.items()
            if (kind, where) == ("queue", vhost) and tag in tags
        ]

    def type_of(self, vhost: str, exchange: str) -> str:
        """The type of an exchange."""
        return self._types[vhost, exchange]

    def round(self, kind: str) -> Round:
        """One more round."""
        self.rounds.append(Round(kind))
        return self.rounds[-1]

    def send(
        self,
        where: Round,
        vhost: str,
        exchange: str,
        key: str = "",
        headers: Headers | None = None,
        features: Iterable[str] = (),
        **more: Any,
    ) -> Message:
        """One more message of a round."""
        path = more.pop("path", f"{vhost}/{exchange}")
        message = Message(vhost, exchange, key, headers or {}, tuple(features), path, **more)
        where.messages.append(message)
        return message

    def control(self, vhost: str, exchange: str) -> tuple[str, Headers]:
        """What makes a message to an exchange arrive in ``control``: a key and headers. The
        binding that it needs is made; a type without keys and headers has none."""
        kind = self._types.get((vhost, exchange), "")
        mark = f"control.{exchange}"
        if kind not in ("direct", "topic", "headers"):
            return CONTROL, {}
        if (vhost, exchange) not in self._controlled:
            self._controlled.add((vhost, exchange))
            arguments = {"x-match": "all", "control": mark} if kind == "headers" else {}
            key = "" if kind == "headers" else mark
            self.definitions["bindings"].append(
                {
                    "source": exchange, "vhost": vhost, "destination": CONTROL,
                    "destination_type": "queue", "routing_key": key, "arguments": arguments,
                }
            )  # fmt: skip
        return ("", {"control": mark}) if kind == "headers" else (mark, {})

    def waiting(self, vhost: str) -> str:
        """The queue of the virtual host whose messages expire into its control queue."""
        if ("queue", vhost, WAITING) not in self._tags:
            self.queue(
                vhost, name=WAITING, message_ttl=SHORT, dead_letter_exchange="",
                dead_letter_routing_key=CONTROL,
            )  # fmt: skip
        return WAITING

    def finished(self) -> Estate:
        """The estate: with the controls that no one made, ids, and the features of each message."""
        number = 0
        for each in self.rounds:
            paths = {one.path: one for one in reversed(each.messages)}
            have = {one.path for one in each.messages if one.control}
            for path, one in paths.items():
                if path not in have:
                    self._add_control(each, one)
            for message in each.messages:
                number += 1
                message.id = f"m{number}"
                if not message.control:
                    self._describe(message)
        for message in [one for each in self.rounds for one in each.messages]:
            for act in message.acts:
                act.update({name: _ids(value) for name, value in act.items()})
        return Estate(self.seed, self.definitions, tuple(self.rounds), tuple(self.equal))

    def _add_control(self, where: Round, one: Message) -> None:
        if where.kind == "timed" and one.path.startswith(WAITING):
            key, exchange, headers = self.waiting(one.vhost), "", {}
        else:
            key, headers = self.control(one.vhost, one.exchange)
            exchange = "" if key == CONTROL else one.exchange
        self.send(where, one.vhost, exchange, key, headers, path=one.path, control=True)

    def _describe(self, message: Message) -> None:
        start: Place = ("exchange", message.vhost, message.exchange)
        found = set(message.features)
        if not message.exchange:
            found.add("default")
            start = ("queue", message.vhost, message.key)
        seen, todo = {start}, [start]
        while todo:
            for there in self._after.get(todo.pop(), []):
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        for place in seen:
            found |= self._tags.get(place, set())
        if len({cluster_and_vhost(vhost)[0] for _, vhost, _ in seen}) > 1:
            found.add("two-clusters")
        if any(self._circular(place) for place in seen if place[0] == "exchange"):
            found.add("exchange-circle")
        message.choice = message.choice or not found.isdisjoint(_CHOOSING)
        message.features = tuple(sorted(found))

    def _circular(self, start: Place) -> bool:
        """Whether bindings from exchange to exchange lead back. Linear in the bindings."""
        todo, seen = [start], set()
        while todo:
            _, vhost, name = todo.pop()
            for one in self.bindings(vhost, name):
                there = ("exchange", vhost, one["destination"])
                if one["destination_type"] != "exchange":
                    continue
                if there == start:
                    return True
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        return False


def _ids(value: Any) -> Any:
    """Messages are named by their ids, which they have when all of them are drawn."""
    if isinstance(value, list):
        return [_ids(one) for one in value]
    return value.id if isinstance(value, Message) else value


_CHOOSING = {"consistent-hash", "random-exchange"}
_TYPE_FEATURES = {
    "direct": ("direct",),
    "topic": ("topic",),
    "fanout": ("fanout",),
    "x-consistent-hash": ("consistent-hash",),
    "x-random": ("random-exchange",),
}
