"""Brokers with virtual hosts, exchanges, queues, shovels and federation, and questions about them,
drawn from a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from drawn.estates import DrawnEstate, Question, asked_besides

EXCHANGES = ("x", "y", "z")
QUEUES = ("q", "r", "s", "t")
KEYS = ("k", "a.b", "a.c", "b", "")
PATTERNS = ("#", "a.*", "*.b", "k", "#.c", "")
TYPES = ("direct", "topic", "topic", "fanout", "headers")
Entry = dict[str, Any]


class DrawnBrokers(DrawnEstate):
    system = "rabbitmq"
    shown = ("servers", "destinations", "queues", "connections", "routes", "bridges")
    vhosts: tuple[str, ...] = ("/",)

    def __init__(self, number: int) -> None:
        super().__init__(number)
        loaded = self.servers[:-1] if self._often(0.15) else self.servers
        for server in loaded:
            self.files[f"{server}.json"] = self._definitions()
        if self._often(0.2):
            self.files["topograph.yaml"] = f"hosts: {{mq7: {self._one(self.servers)}}}\n"

    def _messages(self) -> Iterator[Question]:
        for _ in range(14):
            name = self._one((*EXCHANGES, "amq.topic", "gone"))
            said: dict[str, Any] = {"routing_key": self._one(KEYS)}
            if self._often(0.15):
                del said["routing_key"]
            if self._often(0.2):
                said["expiration"] = self._one(("", "0", "500"))
            if self._often(0.2):
                said["user"] = self._one(("app", "nobody"))
            headers = {"h": self._one((1, "1", True))} if self._often(0.4) else {}
            to = f"exchange:{self._in_vhost(name)}"
            if self._often(0.2):
                said.pop("routing_key", None)
                to = f"queue:{self._in_vhost(self._one(QUEUES))}"
            question = "propagate" if self._often(0.4) else "trace"
            yield question, (self._one(self.servers), to, headers), said

    def _in_vhost(self, name: str) -> str:
        vhost = self._one(self.vhosts)
        return name if vhost == "/" else f"{vhost}/{name}"

    def _definitions(self) -> str:
        lists: dict[str, list[Entry]] = {
            "vhosts": [{"name": vhost} for vhost in self.vhosts],
            "users": [{"name": "app", "password_hash": "x", "tags": ""}],
            "permissions": [],
            "exchanges": [],
            "queues": [],
            "bindings": [],
            "policies": [],
            "parameters": [],
        }
        for vhost in self.vhosts:
            self._vhost(vhost, lists)
        version = self._one(("3.10.8", "3.10.8", "3.13.7", "4.1.0", ""))
        head = {"rabbitmq_version": version} if version else {}
        body = [json.dumps(head)[1:-1]] if head else []
        for name, entries in lists.items():
            body.append(f'"{name}": [\n' + ",\n".join(map(json.dumps, entries)) + "]")
        return "{" + ",\n".join(body) + "}\n"

    def _vhost(self, vhost: str, lists: dict[str, list[Entry]]) -> None:
        at = {"vhost": vhost}
        if self._often(0.6):
            write = self._one((".*", "^x$", "", "^(x|y)"))
            rights = {"user": "app", "configure": "", "write": write, "read": ".*"}
            lists["permissions"].append({**at, **rights})
        types = {name: self._one(TYPES) for name in EXCHANGES if self._often(0.8)}
        if self._often(0.2) and "z" in types:
            types["z"] = self._one(("x-consistent-hash", "x-random", "x-odd"))
        for name, type_ in types.items():
            arguments = {}
            if self._often(0.3):
                arguments["alternate-exchange"] = self._one((*EXCHANGES, "gone"))
            internal = self._often(0.1)
            lists["exchanges"].append(
                {"name": name, **at, "type": type_, "internal": internal, "arguments": arguments}
            )
        queues = [name for name in QUEUES if self._often(0.8)]
        lists["queues"] += [{"name": name, **at, "arguments": self._queue()} for name in queues]
        for _ in range(self._at.randint(2, 8)):
            if types:
                lists["bindings"].append({**at, **self._binding(types, queues)})
        lists["policies"] += [
            {"name": f"p{number}", **at, **self._policy_of()}
            for number in range(self._at.randint(0, 3))
        ]
        for number in range(self._at.randint(0, 2)):
            lists["parameters"].append({"name": f"s{number}", **at, **self._shovel()})
        for up in self.servers[: self._at.randint(0, 2)]:
            value: Entry = {"uri": f"amqp://u:p@{up.lower()}"}
            if self._often(0.6):
                value["max-hops"] = self._one((1, 2, 3))
            lists["parameters"].append(
                {"name": f"u{up}", **at, "component": "federation-upstream", "value": value}
            )

    def _queue(self) -> Entry:
        found: Entry = {}
        for share, name, values in (
            (0.4, "x-dead-letter-exchange", (*EXCHANGES, "", "gone")),
            (0.2, "x-dead-letter-routing-key", KEYS),
            (0.3, "x-message-ttl", (0, 50, 9000)),
            (0.15, "x-max-length", (0, 5)),
            (0.15, "x-overflow", ("reject-publish", "drop-head", "reject-publish-dlx")),
            (0.3, "x-queue-type", ("quorum", "stream", "classic")),
        ):
            if self._often(share):
                found[name] = self._one(values)
        return found

    def _binding(self, types: dict[str, str], queues: list[str]) -> Entry:
        source = self._one(sorted(types))
        found: Entry = {"source": source, "destination_type": "queue", "arguments": {}}
        found["destination"] = self._one(queues or ["gone"])
        if self._often(0.25):
            found |= {"destination_type": "exchange", "destination": self._one(sorted(types))}
        keys = {"topic": PATTERNS, "x-consistent-hash": ("1", "2")}.get(types[source], KEYS)
        found["routing_key"] = self._one(keys)
        if types[source] == "headers":
            found["arguments"] = {
                "h": self._one((1, "1", True)),
                "x-match": self._one(("all", "any")),
            }
        return found

    def _policy_of(self) -> Entry:
        definition: Entry = {}
        for name, values in (
            ("alternate-exchange", EXCHANGES),
            ("dead-letter-exchange", EXCHANGES),
            ("message-ttl", (40, 9000)),
            ("federation-upstream-set", ("all", "all", "gone")),
        ):
            if self._often(0.35):
                definition[name] = self._one(values)
        return {
            "pattern": self._one(("^x", "^q|r$", ".*", "^(y|s)", "gone", "x(?=a)|z")),
            "apply-to": self._one(("all", "exchanges", "queues")),
            "priority": self._one((0, 1, 2)),
            "definition": definition,
        }

    def _shovel(self) -> Entry:
        value: Entry = {
            "src-uri": "amqp://",
            "dest-uri": f"amqp://{self._one((*self.servers, 'mq7')).lower()}/{self._vhost_path()}",
        }
        if self._often(0.7):
            value["src-queue"] = self._one(QUEUES)
        else:
            value |= {"src-exchange": self._one(EXCHANGES), "src-exchange-key": self._one(PATTERNS)}
        if self._often(0.6):
            value["dest-queue"] = self._one(QUEUES)
        else:
            value["dest-exchange"] = self._one(EXCHANGES)
            if self._often(0.5):
                value["dest-exchange-key"] = self._one(KEYS)
        return {"component": "shovel", "value": value}

    def _vhost_path(self) -> str:
        return self._one(self.vhosts).replace("/", "%2f")


class DrawnBrokersBesideEachOther(DrawnBrokers):
    """Brokers with two virtual hosts, which have the same few names."""

    vhosts = ("/", "v")

    def _messages(self) -> Iterator[Question]:
        yield from super()._messages()
        yield from asked_besides(self._at, self.servers)
