"""Queue managers of MQ Everyplace, some with IBM MQ behind a bridge, and questions about them,
drawn from a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drawn.estates import DrawnEstate, Question, asked_besides

QUEUES = ("Q", "P", "S", "T")
OVERRIDES = (
    *("B-1: never", "B-2: first", "B-4: not_applied", "B-5: fails", "B-6: as_it_is"),
    *("B-9: needed",),
)
MQ = "MQ"


class DrawnDevices(DrawnEstate):
    system = "mqe"
    queues: tuple[str, ...] = QUEUES
    more_names: tuple[str, ...] = ("v", "w", MQ, "GONE")
    aliases: tuple[str, ...] = ("QA",)
    shown = ("servers", "destinations", "queues", "connections", "routes", "bridges")

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._known: list[str] = []
        self._names = (*self.servers * 3, *self.more_names)
        for server in self.servers:
            if server == self.servers[-1] and self._often(0.15):
                continue
            self.files[f"{server}.yaml"] = self._manager(server)
        if self._often(0.4):
            self.files["MQ.mqsc"] = self._ibm_mq()
        self._side_inputs()

    def _messages(self) -> Iterator[Question]:
        for _ in range(14):
            server, name = (
                self._one(self.servers),
                self._one((*self.queues, *self.queues, *self.aliases, "GONE")),
            )
            said: dict[str, Any] = {}
            if self._often(0.3):
                said["home_servers"] = self._one(("triggered", "not_triggered"))
            if self._often(0.15):
                said |= {"reply": True, "reply_to": self._one(self.queues)}
                said["reply_to_queue_manager"] = self._one(self._names)
            to = f"{name}@{self._one(self._names)}" if self._often(0.85) else f"queue:{name}"
            if self._often(0.65) and self._known:
                to = self._one(self._known)
            question = "propagate" if "reply" not in said and self._often(0.3) else "trace"
            yield question, (server, to), said
        if "MQ.mqsc" in self.files:
            for name in ("Q", "R", "X"):
                yield "trace", (f"ibm_mq:{MQ}", f"queue:{name}"), {}
                to = self._one(self.servers)
                yield "trace", (f"ibm_mq:{MQ}", f"queue:{name}"), {"queue_manager": to}

    def _manager(self, server: str) -> str:
        lines = ["kind: mqe", f"queueManager: {server}"]
        if self._often(0.85):
            lines.append(f"codebase: {self._one(('java', 'java', 'c'))}")
        if self._often(0.85):
            lines.append(
                self._one(("listeners: [{name: L, port: 8081}]",) * 3 + ("listeners: []",))
            )
        lines += [
            f"{name}: {self._one(('true', 'false'))}"
            for name in ("running", "discovery", "bridgeEnabled")
            if self._often(0.2)
        ]
        if self._often(0.6):
            aliases = {self._one(("v", "v", "w", server, *self.servers)) for _ in range(3)}
            named = ", ".join(f"{name}: {self._one(self._names)}" for name in sorted(aliases))
            lines.append(f"aliases: {{{named}}}")
        connections = [
            self._connection(name)
            for name in dict.fromkeys((*self._names, MQ))
            if name != server and self._often(0.75)
        ]
        queues = [self._queue(server) for _ in range(self._at.randint(2, 7))]
        for section, entries in (("connections", connections), ("queues", queues)):
            if entries or self._often(0.5):
                lines += [f"{section}: []"] if not entries else [f"{section}:"]
                lines += [f"  - {{{one}}}" for one in entries]
        if self._often(0.3):
            lines += ["xmitqListeners:", f"  - {{mqQueueManager: {MQ}, xmitq: {self._one('AXY')}}}"]
        return "\n".join(lines) + "\n"

    def _connection(self, name: str) -> str:
        match self._one(("direct",) * 5 + ("via", "via", "alias", "mq")):
            case "via":
                self._known.append(f"{self._one(self.queues)}@{name}")
                return f"name: {name}, type: via, via: {self._one(self._names)}"
            case "alias":
                return f"name: {name}, type: alias, target: {self._one(self._names)}"
            case kind:
                return f"name: {name}, type: {kind}{self._one(('', ', address: h, port: 8081'))}"

    def _queue(self, server: str) -> str:
        name = self._one(self.queues)
        aliases = f", aliases: [{self._one(('QA', *self.queues))}]" if self._often(0.2) else ""
        match self._one(("local", "local", "remote", "remote", "saf", "saf", "home", "bridge")):
            case "remote":
                mode = self._one((", mode: sync", ", mode: async", ""))
                to = self._one(self._names)
                self._known.append(f"{name}@{to}")
                return f"type: remote, name: {name}, qmgr: {to}{mode}{aliases}"
            case "saf":
                to = ", ".join(sorted({self._one((*self._names, server)) for _ in range(2)}))
                self._known.append(f"{self._one(self.queues)}@{to.partition(',')[0]}")
                pushed = f", forwardTo: {self._one(self._names)}" if self._often(0.5) else ""
                return f"type: saf, name: {name}, qmgrs: [{to}]{pushed}"
            case "home":
                timer = self._one((", timer: 0", ", timer: 5", ""))
                return f"type: home, name: {name}, homeServer: {self._one(self._names)}{timer}"
            case "bridge":
                self._known.append(f"{name}@{MQ}")
                return f"type: bridge, name: {name}, qmgr: {self._one((MQ, MQ, 'v'))}{aliases}"
        self._known.append(f"{name}@{server}")
        return f"type: {self._one(('local', 'local', 'admin'))}, name: {name}{aliases}"

    def _ibm_mq(self) -> str:
        to = self._one(self.servers)
        lines = [
            f"* Queue manager name: {MQ}",
            "ALTER QMGR DESCR('x') DEADQ(DLQ)",
            f"DEFINE QLOCAL(Q) {self._one(('', 'PUT(DISABLED)'))}",
            "DEFINE QLOCAL(DLQ)",
            f"DEFINE QLOCAL(A) USAGE(XMITQ){self._if(0.2, 'GET(DISABLED)')}",
            f"DEFINE QREMOTE(R) RNAME({self._one(self.queues)}) RQMNAME({to}) XMITQ(A)",
            f"DEFINE QREMOTE({to if to != 'A' else 'B'}) RQMNAME({to}) RNAME(' ') XMITQ(A)",
            "DEFINE QLOCAL(X) USAGE(XMITQ)",
        ]
        return "\n".join([*lines[:2], *(one for one in lines[2:] if self._often(0.8)), ""])

    def _side_inputs(self) -> None:
        lines = []
        if self._often(0.4):
            lines += ["overrides:", f"  mqe: {{{self._one(OVERRIDES)}}}"]
        if self._often(0.2):
            lines += ["hosts:", f"  'h:8081': {self._one(self.servers)}"]
        if lines:
            self.files["topograph.yaml"] = "\n".join(lines) + "\n"


class DrawnDevicesBesideEachOther(DrawnDevices):
    """Devices whose queues, aliases, listeners and queue managers have the same few names."""

    queues = ("Q", "A", "B", "q")
    more_names = ("v", "Q", MQ, "a")
    aliases = ("QA", "A", "B", "v")

    def _messages(self) -> Iterator[Question]:
        yield from super()._messages()
        yield from asked_besides(self._at, self.servers)
        for _ in range(6):
            name, to = self._one(self.queues), self._one(self._names)
            yield "trace", (self._one(self.servers), f"{name}@{to}"), {}

    def _connection(self, name: str) -> str:
        own = super()._connection(name)
        if self._often(0.3):
            return f"name: {name}, type: via, via: {self._one(self.servers)}"
        if ", port:" in own:
            return own.replace("8081", self._one(("8081", "8081", "8082")))
        return own + self._one(("", "", ", address: h", ", port: 8081, address: k"))

    def _queue(self, server: str) -> str:
        if self._often(0.2):
            self._known.append(f"{self._one(self.queues)}@{server}")
            name, home = self._one(self.queues), self._one(self.servers)
            return f"type: home, name: {name}, homeServer: {home}"
        own = super()._queue(server)
        if self._often(0.3):
            to, pushed = self._one(self.servers), self._one(self.servers)
            own = f"type: saf, name: {self._one(self.queues)}, qmgrs: [{to}], forwardTo: {pushed}"
        if "aliases" not in own and "name: " in own and self._often(0.1):
            own += f", aliases: [{self._one(self.aliases)}, {self._one(self.queues)}]"
        if own.startswith("type: local") or own.startswith("type: remote"):
            for share, word in (
                (0.1, "maxDepth: 0"),
                (0.1, "maxDepth: 1"),
                (0.1, "maxMessageSize: 0"),
                (0.1, "description: d"),
            ):
                own += f", {word}" if self._often(share) else ""
        return own
