"""Routers of AMQ Interconnect, what running ones showed, questions about them and commands for
them, drawn from a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from drawn.estates import DrawnEstate, Question, asked_besides

Section = tuple[str, dict[str, Any]]

ADDRESSES = ("orders", "orders/eu", "orders/eu/x", "news", "q", "a.b")
PATTERNS = ("orders/#", "*/eu", "orders/*", "#", "*/x/#", "a.*", "q", "orders/eu")
DISTRIBUTIONS = ("closest", "balanced", "multicast", "unavailable")
LONG = "org.apache.qpid.dispatch."
OF_THE_TOOL: tuple[dict[str, Any], ...] = (
    {"type": "connection", "identity": "t1", "role": "normal", "dir": "in"}
    | {"container": "11111111-2222-3333-4444-555555555555"},
    {"type": "router.address", "identity": "t2", "key": "L$management"},
    {"type": "router.link", "identity": "t3", "linkType": "endpoint", "linkDir": "in"},
)
"""What the tool leaves in a query of all types (D-7)."""


class DrawnRouters(DrawnEstate):
    system = "amq_interconnect"
    addresses: tuple[str, ...] = ADDRESSES
    patterns: tuple[str, ...] = PATTERNS
    shown = ("servers", "destinations", "bridges", "routes", "links", "subscribers", "zones")

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._modes = dict.fromkeys(self.servers, "interior")
        for server in self.servers[1:]:
            if self._often(0.25):
                self._modes[server] = self._one(("edge", "edge", "edge", "standalone"))
        self._links = self._linked()
        self._everywhere = [self._address() for _ in range(self._at.randint(0, 2))]
        for place, server in enumerate(self.servers):
            sections = self._sections(server)
            if place and place == len(self.servers) - 1 and self._often(0.15):
                continue
            told = self._often(0.4)
            if told and place and self._often(0.25):
                pass  # Of this one only what it told is loaded.
            elif self._often(0.65):
                self.files[f"{server}.conf"] = "".join(map(_conf, sections))
            else:
                self.files[f"{server}.json"] = json.dumps(sections)
            if told:
                rows = self._seen(server, sections)
                self.files[f"seen/{server}.json"] = json.dumps(rows)
        self._side_inputs()

    def commands(self) -> list[tuple[str, str]]:
        own = [one for one in self.servers if {f"{one}.conf", f"{one}.json"} & set(self.files)]
        return [(self._one(own), self._command()) for _ in range(12)]

    def _messages(self) -> Iterator[Question]:
        yield "services", (), {}
        for _ in range(16):
            server, name = self._one(self.servers), self._one((*self.addresses, "gone"))
            said: dict[str, Any] = {}
            if self._often(0.2):
                said["anonymous"] = True
            if self._often(0.4):
                said["count"] = self._one((2, 5, 9))
            if self._often(0.3):
                to = f"address:{self._one(self.addresses)}"
                said["subscribers"] = tuple(
                    f"{self._one(self.servers)}:{to}" for _ in range(self._at.randint(1, 3))
                )
            if self._often(0.3):
                said.setdefault("properties", {"subject": self._one(("eu.x", "x"))})
            yield self._one(("trace", "trace", "propagate")), (server, f"address:{name}"), said

    def _changes(self) -> Iterator[Question]:
        for _ in range(2):
            script = [self._command() for _ in range(self._at.randint(1, 3))]
            said = {"policy": self._policy(f"address:{self._one(self.addresses)}")}
            asked = ("\n".join([*script, ""]), self._one(self.servers))
            yield "audit", asked, said if self._often(0.4) else {}
        if self._links:
            ends = self._one(self._links)[:2]
            yield "impact", ([f"route:{'-'.join(ends)}"],), {}

    def _linked(self) -> list[tuple[str, str, int]]:
        """From whom to whom a connector leads, and its cost."""
        found = []
        for place, server in enumerate(self.servers[1:], 1):
            for other in self.servers[:place]:
                near = other == self.servers[place - 1]
                if self._modes[other] != "interior" and self._often(0.8):
                    continue
                if self._often(0.75 if near else 0.35):
                    found.append((server, other, self._one((1, 1, 1, 2, 5))))
        return found

    def _sections(self, server: str) -> list[Section]:
        mode = self._modes[server]
        router: dict[str, Any] = {"id": server, "mode": mode}
        if self._often(0.2):
            router["defaultDistribution"] = self._one(DISTRIBUTIONS)
        sections: list[Section] = [("router", router)]
        host = server.lower()
        for role, port in (("inter-router", 5001), ("edge", 5002), ("normal", "amqp")):
            if (role == "normal" and self._often(0.6)) or (
                mode == "interior" and self._often(0.85)
            ):
                listener = {"host": self._one((host, "0.0.0.0")), "port": port, "role": role}
                if role == "inter-router" and self._often(0.3):
                    listener["cost"] = self._one((1, 2, 5))
                sections.append(("listener", listener))
        for start, end, cost in self._links:
            if start == server:
                role = "edge" if mode == "edge" else "inter-router"
                port = 5002 if role == "edge" else 5001
                to = self._one((end.lower(),) * 6 + ("elsewhere",))
                link = {"host": to, "port": port, "role": role, "cost": cost}
                sections.append(("connector", link | self._named(f"to-{end}")))
        if self._often(0.6):
            role = self._one(("route-container", "route-container", "normal"))
            broker = {"host": self._one(("broker", "127.0.0.1")), "port": 5672, "role": role}
            sections.append(("connector", broker | {"name": "broker"}))
        sections += [one for one in self._everywhere if self._often(0.85)]
        sections += [self._section() for _ in range(self._at.randint(0, 4))]
        return sections

    def _named(self, name: str) -> dict[str, Any]:
        return {"name": name} if self._often(0.5) else {}

    def _address(self) -> Section:
        text: dict[str, Any] = (
            {"pattern": self._one(self.patterns)}
            if self._often(0.4)
            else {"prefix": self._one(self.addresses)}
        )
        if self._often(0.7):
            text["distribution"] = self._one(DISTRIBUTIONS[:3] * 2 + DISTRIBUTIONS)
        words: tuple[tuple[float, str, tuple[Any, ...]], ...] = (
            (0.25, "waypoint", ("yes",)),
            (0.2, "ingressPhase", (0, 1, 2)),
            (0.15, "priority", (0, 3, 9)),
            (0.15, "enableFallback", ("yes",)),
            (0.3, "name", tuple(f"n{number}" for number in range(9))),
        )
        for share, name, values in words:
            if self._often(share):
                text[name] = self._one(values)
        if "waypoint" in text and self._often(0.95):
            text.pop("ingressPhase", None)
        elif "ingressPhase" in text and self._often(0.95):
            text["egressPhase"] = self._one((0, 1, 2))
        return "address", text

    def _section(self) -> Section:
        name = self._one(self.addresses)
        to = self._one(
            ({"connection": "broker"},) * 4 + ({"containerId": "c"}, {"connection": "gone"})
        )
        direction = {"direction": self._one(("in", "out"))}
        match self._one(("address", "linkRoute", "autoLink", "autoLink", "tcp", "other")):
            case "linkRoute":
                more: dict[str, Any] = {}
                text = self._one(({"prefix": name}, {"pattern": self._one(self.patterns)}))
                more |= {"addExternalPrefix": "x/"} if self._often(0.2) else {}
                more |= {"delExternalPrefix": "orders/"} if self._often(0.2) else {}
                return "linkRoute", text | direction | to | more | self._named(
                    f"lr{self._at.randint(1, 5)}"
                )
            case "autoLink":
                more = {"phase": self._one((0, 1, 2))} if self._often(0.3) else {}
                more |= {"externalAddress": "ext"} if self._often(0.2) else {}
                more |= {"fallback": "yes"} if self._often(0.2) else {}
                return "autoLink", {"address": name} | direction | to | more | self._named(
                    f"al{self._at.randint(1, 5)}"
                )
            case "tcp":
                kind = self._one(("tcpListener", "tcpConnector", "httpListener", "httpConnector"))
                return kind, {"port": self._one((9, 10)), "host": "h", "address": name}
            case "other":
                return self._one(
                    (
                        ("exchange", self._exchange()),
                        ("exchange", self._exchange()),
                        ("binding", self._binding()),
                        ("binding", self._binding()),
                        ("sslProfile", {"name": "tls"}),
                        ("log", {"module": "DEFAULT"}),
                        ("policy", {"enableVhostPolicy": "yes"}),
                        ("vhost", {"hostname": "v"}),
                    )
                )
        return self._address()

    def _exchange(self) -> dict[str, Any]:
        own = {"name": self._one(("ex", "ex2")), "address": self._one(self.addresses)}
        own |= {"matchMethod": self._one(("amqp", "mqtt"))} if self._often(0.6) else {}
        if self._often(0.4):
            own["alternateAddress"] = self._one(self.addresses)
            own |= {"alternatePhase": self._one("01")} if self._often(0.4) else {}
        return own | ({"phase": self._one("01")} if self._often(0.2) else {})

    def _binding(self) -> dict[str, Any]:
        own = {"exchangeName": self._one(("ex", "ex", "ex2", "gone"))}
        own |= {"bindingKey": self._one(("eu.*", "#", "x", "*"))} if self._often(0.8) else {}
        own["nextHopAddress"] = self._one(self.addresses)
        return own | ({"nextHopPhase": self._one("01")} if self._often(0.2) else {})

    def _seen(self, server: str, sections: list[Section]) -> list[dict[str, Any]]:
        """What a router that runs told: its own attributes, what it has, its neighbours."""
        mode = self._modes[server]
        version = self._one(("1.19.0", "1.8.0", "3.2.0"))
        rows: list[dict[str, Any]] = [
            {"type": "router", "identity": "1", "id": server, "mode": mode, "version": version}
        ]
        other = [one for one in self.servers if one != server]
        linked = {one for pair in self._links for one in pair[:2] if server in pair[:2]}
        shown = sorted(one for one in other if (one in linked) == self._often(0.85))
        if self._often(0.7):
            rows.append({"type": "router.node", "id": server, "nextHop": "(self)"})
            rows[-1]["linkState"] = shown
            for number, one in enumerate(shown):
                cost = self._one((1, 1, 2, 5))
                rows.append({"type": "router.node", "id": one, "routerLink": number, "cost": cost})
                rows[-1]["linkState"] = [server]
                if self._often(0.2):
                    rows[-1] |= {"nextHop": self._one(other), "routerLink": None}
        long = {"address": "router.config.", "linkRoute": "router.config."}
        long["autoLink"] = "router.config."
        for number, (type_, own) in enumerate(sections):
            if type_ not in (*long, "listener", "connector") or self._often(0.25):
                continue
            row: dict[str, Any] = {"type": long.get(type_, "") + type_, "identity": f"i{number}"}
            name = own.get("name", f"{type_}/{own.get('host', number)}:{own.get('port', '')}")
            row |= {**own, "name": name}
            if type_ == "connector":
                row["connectionStatus"] = self._one(("SUCCESS", "SUCCESS", "FAILED", "CONNECTING"))
                row["connectionMsg"] = self._one(("", "refused"))
            if type_ in ("autoLink", "linkRoute"):
                row["operStatus"] = self._one(("active", "active", "inactive", "failed"))
                row["lastError"] = "no address" if self._often(0.5) else None
            rows.append(row)
        for one in shown:
            if self._often(0.6):
                rows.append({"type": "connection", "identity": f"c{one}", "container": one})
                rows[-1] |= {"host": f"{one.lower()}:5001", "role": "inter-router", "dir": "out"}
        for _ in range(self._at.randint(0, 2)):
            address = f"M{self._one('0 ').strip()}{self._one(self.addresses)}"
            rows.append(
                {"type": "router.link", "identity": f"l{len(rows)}", "linkType": "endpoint"}
            )
            rows[-1] |= {"linkDir": self._one(("in", "out")), "owningAddr": address}
        rows += OF_THE_TOOL
        return [row | {"type": LONG + row["type"]} for row in rows]

    def _command(self) -> str:
        verb = self._one(("create", "create", "create", "delete", "delete", "update"))
        if verb == "create":
            type_, own = self._one((self._section, self._address, self._new_end))()
            values = " ".join(f"{name}={value}" for name, value in own.items())
            return f"qdmanage create --type {type_} {values}"
        type_ = self._one(("address", "linkRoute", "autoLink", "connector", "listener"))
        name = self._one(
            ("n1", "n2", "lr1", "lr2", "al1", "al2", "broker", "to-A", "to-B", f"{type_}/0", "gone")
        )
        asked = self._one((f"--type {type_} --name {name}", f"--name {name}"))
        if self._often(0.1):
            asked = f"--type {type_} --identity {self._one(('7', f'{type_}/b:5001'))}"
        more = f" {self._one(('cost=3', 'distribution=multicast'))}" if verb == "update" else ""
        return f"qdmanage {verb} {asked}{more}"

    def _new_end(self) -> Section:
        type_, other = self._one(("listener", "connector")), self._one(self.servers).lower()
        role = self._one(("inter-router", "inter-router", "edge", "normal", "route-container"))
        own = {"host": other, "port": self._one((5001, 5002, 5003)), "role": role}
        return type_, own | ({"cost": self._one((1, 7))} if self._often(0.4) else {})

    def _side_inputs(self) -> None:
        lines = []
        clients = [self._client() for _ in range(self._at.randint(0, 5))]
        if clients:
            lines += ["clients:", *clients]
        if self._often(0.7):
            lines += ["hosts:", *(f"  {one.lower()}: {one}" for one in self.servers)]
            if self._often(0.3):
                lines.append(f"  'elsewhere:5001': {self._one(self.servers)}")
        if self._often(0.3):
            lines += ["machines:", f"  one: [{', '.join(self._some(self.servers, 2))}]"]
        if self._often(0.4):
            version = self._one(("1.19.0", "1.8.0", "3.2.0", "2.0.0"))
            lines += ["versions:", f"  {self._one(('*', 'A', 'B'))!r}: {version}"]
        if lines:
            self.files["topograph.yaml"] = "\n".join(lines) + "\n"

    def _client(self) -> str:
        said = (
            f"server: {self._one(self.servers)}, destination: 'address:{self._one(self.addresses)}'"
        )
        said += f", role: {self._one(('receiver', 'receiver', 'receiver', 'sender'))}"
        if self._often(0.5):
            said += f", client_id: r{self._at.randint(1, 4)}"
        return f"  - {{{said}}}"


class DrawnRoutersBesideEachOther(DrawnRouters):
    """Routers whose addresses, patterns, routes, exchanges and containers have the same few names,
    and whose numbers are at their limits.
    """

    addresses = ("q", "q/a", "q/a/b", "a", "Q", "q.a")
    patterns = ("q", "q/#", "q/*", "#", "*", "a/#", "*/a", "q/*/b", "q/+", "q.*")
    _pool = ("q", "a", "A", "broker", "c", "to-A", "ex")

    def _named(self, name: str) -> dict[str, Any]:
        return {"name": self._one((name, *self._pool))} if self._often(0.5) else {}

    def _sections(self, server: str) -> list[Section]:
        """Mostly such that the router starts: a name stands once in a type, and phases by two."""
        taken: set[tuple[str, Any]] = set()
        sections = super()._sections(server)
        for type_, own in sections:
            if (type_, own.get("name")) in taken and self._often(0.98):
                del own["name"]
            elif "name" in own:
                taken.add((type_, own["name"]))
            phases = [one for one in ("ingressPhase", "egressPhase") if one in own]
            refused = len(phases) == 1 or own.get("waypoint") == "yes"
            if type_ == "address" and refused and self._often(0.97):
                for one in phases:
                    del own[one]
        return sections

    def _messages(self) -> Iterator[Question]:
        yield from super()._messages()
        yield from asked_besides(self._at, self.servers)
        for count in (1, 2, 3):
            server, name = self._one(self.servers), self._one(self.addresses)
            yield "trace", (server, f"address:{name}"), {"count": count}

    def _address(self) -> Section:
        text = super()._address()[1]
        for share, name, values in (
            (0.3, "name", self._pool),
            (0.2, "ingressPhase", (0, 1, 8, 9)),
            (0.2, "egressPhase", (0, 1, 8, 9)),
            (0.2, "waypoint", ("yes", "no")),
            (0.2, "enableFallback", ("yes", "no")),
            (0.2, "priority", (0, 4, 9)),
        ):
            if self._often(share):
                text[name] = self._one(values)
        return "address", text

    def _section(self) -> Section:
        type_, text = super()._section()
        if type_ in ("linkRoute", "autoLink"):
            to = self._one(("connection", "connection", "containerId"))
            if self._often(0.5):
                text.pop("connection", None)
                text.pop("containerId", None)
                text[to] = self._one((*self._pool, "broker", "broker"))
            if self._often(0.2):
                other = "connection" if to == "containerId" else "containerId"
                text.setdefault(other, self._one(self._pool))
        if type_ == "autoLink":
            text |= {"phase": self._one((0, 1, 8, 9))} if self._often(0.3) else {}
            text |= {"externalAddress": self._one(self.addresses)} if self._often(0.3) else {}
            text |= {"fallback": self._one(("yes", "no"))} if self._often(0.2) else {}
        if type_ == "linkRoute" and self._often(0.3):
            text["distribution"] = self._one(("linkBalanced", "balanced", "closest", "multicast"))
        if type_ in ("tcpListener", "tcpConnector", "httpListener", "httpConnector"):
            text |= {"siteId": "s"} if self._often(0.2) else {}
            text |= {"name": self._one(self._pool)} if self._often(0.5) else {}
        return type_, text

    def _exchange(self) -> dict[str, Any]:
        return super()._exchange() | {"name": self._one(("ex", "ex", "q", "a"))}

    def _binding(self) -> dict[str, Any]:
        own = super()._binding() | {"exchangeName": self._one(("ex", "ex", "q", "a"))}
        if self._often(0.3):
            own["bindingKey"] = self._one(("#", "*", "q.#", "*.a", "eu.x", ""))
        return own | ({"name": self._one(self._pool)} if self._often(0.4) else {})

    def _new_end(self) -> Section:
        type_, own = super()._new_end()
        own |= {"cost": self._one((0, 1, 2))} if self._often(0.4) else {}
        own |= {"port": self._one(("amqp", 5671, 5672))} if self._often(0.2) else {}
        return type_, own | self._named("to-B")

    def _command(self) -> str:
        if self._often(0.5):
            return super()._command()
        verb = self._one(("delete", "update"))
        type_ = self._one(
            ("address", "linkRoute", "autoLink", "connector", "listener", "exchange", "binding")
        )
        asked = self._one(("", f" --type {type_}", f" --type {type_}"))
        more = self._one(("", " cost=1", " name=q", " priority=9")) if verb == "update" else ""
        return f"qdmanage {verb}{asked} --name {self._one(self._pool)}{more}"


def _conf(section: Section) -> str:
    type_, own = section
    shown = "".join(f"    {name}: {value}\n" for name, value in own.items())
    return f"{type_} {{\n{shown}}}\n"
