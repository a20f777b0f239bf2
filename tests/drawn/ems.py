"""EMS estates, questions about them and changes of them, drawn from a number: always the same ones.

The estates are small and use much at once: zones of both types, routed and bridged queues,
selectors, permissions, limits, durables, observed tables, side inputs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from drawn.estates import asked_besides

TOPICS = ("orders.eu", "orders.us", "orders.eu.big", "news", "T")
PATTERNS = (*TOPICS, "orders.*", "orders.>", ">", "orders.*.big", "*")
QUEUES = ("Q", "R", "IN", "jobs.a", "jobs.b")
SELECTORS = (
    "country = 'Canada'",
    "country <> 'Canada'",
    "qty > 5",
    "qty BETWEEN 2 AND 7 AND country IS NOT NULL",
    "country IN ('Canada', 'Mexico') OR qty IS NULL",
    "country LIKE 'Can%' AND NOT (qty = 3)",
    "JMSPriority >= 4",
    "qty + 1 < 2 * 4",
    "TRUE",
)
PROPERTIES: tuple[dict[str, Any], ...] = (
    {},
    {"country": "Canada"},
    {"country": "Mexico", "qty": 7},
    {"qty": 3, "country": "Canada"},
    {"qty": 9, "JMSPriority": 2},
    {"country": None, "JMSDeliveryMode": "PERSISTENT"},
    {"country": "Canada", "qty": 5.5, "JMSDeliveryMode": "NON_PERSISTENT"},
)
USERS = ("ann", "bob", "A", "B", "C")
PROPERTY_WORDS = (
    *("global", "secure", "maxmsgs=100", "maxbytes=1MB", "prefetch=5"),
    *("overflowPolicy=rejectIncoming", "overflowPolicy=discardOld", "exclusive", "expiration=5"),
    *("store=$sys.nonfailsafe", "store=$sys.failsafe", "flowControl=10KB", "maxRedelivery=3"),
    *("prefetch=none", "sender_name", "trace=body", "import=RV", "export=RV", "channel=c"),
)
PERMISSIONS = ("publish", "subscribe", "durable", "send", "receive", "browse", "all", "view")
OVERRIDES = (
    *("A9: last", "A16: last", "A23: needed", "A27: stays", "A28: created", "A28: not_created"),
    *("A29: at_sender", "A29: at_owner"),
)


class Drawn:
    """An estate: ``files`` by path, ``servers`` by name."""

    topics: tuple[str, ...] = TOPICS
    patterns: tuple[str, ...] = PATTERNS
    queues: tuple[str, ...] = QUEUES
    queue_patterns: tuple[str, ...] = ("jobs.*", ">")
    users: tuple[str, ...] = USERS
    groups: tuple[str, ...] = ("staff",)
    group_file = "staff: people\n  ann\n  C\n"
    property_words: tuple[str, ...] = PROPERTY_WORDS
    permissions: tuple[str, ...] = PERMISSIONS
    properties = PROPERTIES
    rates: tuple[str, ...] = ("50,100KB", "1,1KB", "10,5MB")
    named_users = 0.2
    authorized = 0.35
    most_grants = 5
    with_words = 0.4

    def __init__(self, number: int) -> None:
        self._at = random.Random(f"estate {number}")
        self.servers = list("ABCD"[: self._at.choice((2, 3, 3, 3, 4, 4))])
        self.links = self._links()
        self._everywhere = self._some(self.patterns, 3) or [">"]
        self._homes = {queue: self._one(self.servers) for queue in self.queues}
        self.files: dict[str, str] = {}
        for server in self.servers:
            if server == self.servers[-1] and self._often(0.1):
                continue
            self._server(server)
        self._side_inputs()

    def questions(self) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
        """Methods of a network with what they are given."""
        yield "check", (), {}
        yield "interests", (), {"observed": "listed"} if self._often(0.3) else {}
        yield "cycles", (), {"strict": self._often(0.5)}
        yield "hops_matrix", (), {}
        first, last = self.servers[0], self.servers[-1]
        yield "paths", (first, last), {}
        for _ in range(2):
            yield "reach", (self._one(self.servers),), {"reply": self._often(0.4)}
        yield "impact", (), {"sweep": True} | self._rate()
        fails = [f"server:{self._one(self.servers)}"]
        if self._often(0.7):
            fails = [f"route:{'-'.join(self._one(self.links)[0])}"]
            fails += [f"server:{last}"] if self._often(0.3) else []
        yield "impact", (fails,), self._rate() | self._subscribers()
        for what in ("destinations", "routes", "bridges", "durables", "access"):
            yield "show", (what,), {}
        for type_, names in (("topic", self.topics), ("queue", self.queues)):
            for _ in range(5):
                server, name = self._one(self.servers), self._one(names)
                said: dict[str, Any] = {}
                if self._often(self.named_users):
                    said["user"] = self._one(self.users)
                asked = (server, f"{type_}:{name}", self._one(self.properties))
                yield "trace", asked, said | self._subscribers()
                if type_ == "topic" and self._often(0.3):
                    yield "message_guards", asked, said | self._subscribers()
                if self._often(0.6):
                    yield "propagate", asked, said | {"assume": self._often(0.5)}
        yield "audit", (self._script(), self._one(self.servers)), self._audited()

    def _one(self, of: Any) -> Any:
        return self._at.choice(of)

    def _often(self, share: float) -> bool:
        return self._at.random() < share

    def _some(self, of: Any, most: int) -> list[Any]:
        return self._at.sample(list(of), self._at.randint(0, min(most, len(of))))

    def _group(self) -> str:
        return self.groups[0] if len(self.groups) == 1 else self._one(self.groups)

    def _links(self) -> list[tuple[tuple[str, str], tuple[str, ...], str, str]]:
        """The ends, at which of them a link is configured, its zone and the zone's type."""
        types = {zone: self._one(("mhop", "mhop", "1hop")) for zone in ("M", "N")}
        pairs = [(a, b) for at, a in enumerate(self.servers) for b in self.servers[at + 1 :]]
        chain = list(zip(self.servers, self.servers[1:], strict=False))
        more = [pair for pair in pairs if pair not in chain and self._often(0.3)]
        found = []
        for ends in [*chain, *more]:
            zone = self._one(tuple(types))
            where = self._one((ends[:1], ends[1:], ends, ends))
            found.append((ends, where, zone, types[zone]))
        return found

    def _server(self, server: str) -> None:
        files = {
            "topics": self._topics(),
            "queues": self._queues(server),
            "routes": self._routes(server),
        }
        if self._often(0.5):
            files["bridges"] = self._bridges()
        if self._often(0.4):
            files["durables"] = self._durables()
        lines = [f"server = {server}", f"routing = {'enabled' if self._often(0.95) else 'off'}"]
        if self._often(self.authorized):
            lines.append("authorization = enabled")
            files["acl_list"] = self._permissions()
            files["groups"] = self.group_file
            if self._often(0.5):
                files["users"] = "ann::\nbob::\nB::\n"
        lines += [f"{name} = {name}.conf" for name in files]
        lines += ["store = datastore"] if self._often(0.2) else []
        self.files |= {f"{server}/{name}.conf": text for name, text in files.items()}
        self.files[f"{server}/tibemsd.conf"] = "\n".join(lines) + "\n"
        if self._often(0.35):
            self.files[f"{server}/show.txt"] = self._shown(server)

    def _topics(self) -> str:
        lines = []
        for name in self.patterns:
            if name in self._everywhere and self._often(0.85):
                lines.append(f"{name} {','.join(['global', *self._words()])}")
            elif self._often(0.2):
                lines.append(f"{name} {','.join(self._words())}")
        return "".join(f"{line.strip()}\n" for line in self._at.sample(lines, len(lines)))

    def _queues(self, server: str) -> str:
        lines = []
        for name, home in self._homes.items():
            words = self._words()
            if home == server or self._often(0.1):
                words += ["global"] if self._often(0.85) else []
                lines.append(f"{name} {','.join(words)}")
            elif self._often(0.5):
                named = home if self._often(0.9) else self._one((*self.servers, "Z"))
                lines.append(f"{name}@{named} {','.join(words)}")
        if self._often(0.2):
            lines.append(f"{self._one(self.queue_patterns)} {','.join(self._words())}")
        return "".join(f"{line.strip()}\n" for line in lines)

    def _words(self) -> list[str]:
        return self._some(self.property_words, 2) if self._often(self.with_words) else []

    def _routes(self, server: str) -> str:
        lines = []
        for ends, where, zone, type_ in self.links:
            if server not in where:
                continue
            other = ends[1] if ends[0] == server else ends[0]
            lines += [f"[{other}]", f"  url = tcp://{other.lower()}:7222"]
            said = "N" if self._often(0.05) else zone
            lines += [f"  zone_name = {said}", f"  zone_type = {type_}"]
            for _ in range(self._one((0, 0, 1, 2, 3))):
                way = self._one(("outgoing", "incoming"))
                lines.append(
                    f'  {way}_topic={self._one(self.patterns)} selector="{self._one(SELECTORS)}"'
                )
        return "\n".join(lines) + "\n"

    def _bridges(self) -> str:
        lines = []
        for _ in range(self._at.randint(1, 2)):
            kind = self._one(("topic", "queue"))
            lines.append(f"[{kind}:{self._one(self.patterns if kind == 'topic' else self.queues)}]")
            for _ in range(self._at.randint(1, 2)):
                target = self._one(("topic", "queue"))
                name = self._one(self.topics if target == "topic" else self.queues)
                selector = f' selector="{self._one(SELECTORS)}"' if self._often(0.4) else ""
                lines.append(f"  {target}={name}{selector}")
        return "\n".join(lines) + "\n"

    def _durables(self) -> str:
        lines = []
        for number in range(self._at.randint(1, 3)):
            words = self._some(("nolocal", "clientid=c1", 'selector="qty > 5"', "shared"), 2)
            name = self._one((f"d{number}", f"d{number}", f"{self._one(self.servers)} route"))
            lines.append(" ".join([self._one(self.patterns), name, *words]))
        return "\n".join(lines) + "\n"

    def _permissions(self) -> str:
        lines = []
        for _ in range(self._at.randint(1, self.most_grants)):
            kind = self._one(("TOPIC", "QUEUE"))
            name = self._one(
                self.patterns if kind == "TOPIC" else (*self.queues, *self.queue_patterns[::-1])
            )
            who = f"USER={self._one(self.users)}" if self._often(0.7) else f"GROUP={self._group()}"
            lines.append(f"{kind}={name} {who} PERM={','.join(self._some(self.permissions, 3))}")
        return "\n".join(lines) + "\n"

    def _shown(self, server: str) -> str:
        tables = {
            "topics": ("  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size", self._shown_topic),
            "queues": ("  Queue Name  SNFGXIBCT  Pre  Rcvrs  Msgs  Size", self._shown_queue),
            "durables": ("  Topic Name  Durable  Shared  User  Msgs  Size", self._shown_durable),
            "routes": ("Route T ConnID Suspended URL ZoneName ZoneType", self._shown_route),
            "bridges": ("  Source Name  Queue Targets  Topic Targets", self._shown_bridge),
            "subscriptions": (
                "  Id  T  Topic  Name  SS  Cons  Msgs  Size",
                self._shown_subscription,
            ),
            "consumers": ("  Id  Conn  User  T  Topic  Name  SAS", self._shown_consumer),
        }
        lines = []
        for name in self._at.sample(list(tables), self._at.randint(2, 5)):
            title, row = tables[name]
            lines += [
                f"{server}> show {name}",
                title,
                *(row() for _ in range(self._at.randint(0, 3))),
            ]
        return "\n".join([*lines, f"{server}> exit"]) + "\n"

    def _slipped(self, row: str) -> str:
        """A row, now and then without one of its words or with another."""
        words = row.split(" ")
        if self._often(0.15):
            words[self._at.randrange(len(words))] = self._one(("", "", "x", "-", "7", "*"))
        return " ".join(words)

    def _shown_topic(self) -> str:
        flags = self._one(("---+------", "---*------", "----------", "+--+------", "---"))
        numbers = f"{self._at.randint(0, 2)} {self._at.randint(0, 1)} 3 1 Kb"
        return self._slipped(f"{self._one('* ')} {self._one(self.patterns)} {flags} {numbers}")

    def _shown_queue(self) -> str:
        name = self._one(
            (*self.queues, f"{self._one(self.queues)}@{self._one(self.servers)}", "jobs.*")
        )
        flags = self._one(("---+-----", "---------", "+--+X----", "---"))
        numbers = f"{self._one(('5', '5*', '-'))} {self._at.randint(0, 2)} 0 0.0 Kb"
        return self._slipped(f"{self._one('* ')} {name} {flags} {numbers}")

    def _shown_durable(self) -> str:
        topic, other = self._one(self.patterns), self._one(self.servers)
        route = f"{topic} $sys.route.{other}:{topic} N {other}"
        own = f"{topic} {self._one(('d0', 'd1', 'd2'))} {self._one('NY')} <offline>"
        return self._slipped(
            f"{self._one('* ')} {self._one((route, own))} {self._one('07')} 0.0 Kb"
        )

    def _shown_route(self) -> str:
        other = self._one((*self.servers, "Z"))
        number = f"{self._one(('A', 'P', ''))} {self._one(('12', '-1'))}".strip()
        url = f"tcp://{self._one((other.lower(), 'elsewhere'))}:722{self._one('22223')}"
        zone = f"{self._one('MMN')} {self._one(('m', 'm', '1', 'mhop', '1hop'))}"
        suspended = self._one(("no", "no", "yes", "maybe"))
        return self._slipped(f"{other} {number} {suspended} {url} {zone}")

    def _shown_bridge(self) -> str:
        kind = self._one("TQ")
        name = self._one(self.patterns if kind == "T" else self.queues)
        return self._slipped(f"{kind} {name} {self._one('012')} {self._one('012')}")

    def _shown_subscription(self) -> str:
        name = self._one(("", "d1 ", "d2 "))
        flags = self._one(("--", "+-", "-+"))
        return self._slipped(
            f" 7 {self._one('TD')} {self._one(self.patterns)} {name}{flags} 1 0 0.0 Kb"
        )

    def _shown_consumer(self) -> str:
        user = self._one((*self.users, *self.servers))
        name = self._one(("", "d1 "))
        flags = self._one(("+--", "---", "-+-"))
        return self._slipped(
            f" 1 2 {user} {self._one('TD')} {self._one(self.patterns)} {name}{flags}"
        )

    def _side_inputs(self) -> None:
        lines = []
        clients = []
        for _ in range(self._at.randint(0, 4)):
            topic = self._often(0.6)
            role = self._one(
                ("subscriber", "publisher") if topic else ("consumer", "sender", "receiver")
            )
            name = self._one(self.patterns if topic else self.queues)
            said = f"server: {self._one(self.servers)}, role: {role}"
            said += f", destination: '{'topic' if topic else 'queue'}:{name}'"
            if role == "subscriber" and self._often(0.4):
                said += f", durable: d{self._at.randint(1, 2)}"
            if role in ("subscriber", "consumer") and self._often(0.4):
                said += f', selector: "{self._one(SELECTORS)}"'
            if self._often(0.3):
                said += f", user: {self._one(self.users)}"
            clients.append(f"  - {{{said}}}")
        if clients:
            lines += ["clients:", *clients]
        if self._often(0.15):
            (left, right), *_ = self._one(self.links)
            lines += ["suspended:", f"  - {{server: {left}, route: {right}}}"]
        if self._often(0.2):
            lines += ["overrides:", f"  ems: {{{self._one(OVERRIDES)}}}"]
        if self._often(0.1):
            lines += ["versions:", f"  '*': {self._one(('8.3', '10.2'))}"]
        if lines:
            self.files["topograph.yaml"] = "\n".join(lines) + "\n"

    def _rate(self) -> dict[str, Any]:
        return {"rate": self._one(self.rates)} if self._often(0.4) else {}

    def _subscribers(self) -> dict[str, Any]:
        if not self._often(0.3):
            return {}
        kind = self._one(("topic", "queue"))
        name = self._one(self.topics if kind == "topic" else self.queues)
        return {"subscribers": (f"{self._one(self.servers)}:{kind}:{name}",)}

    def commands(self) -> list[tuple[str, str]]:
        """Commands with the server that each is given to."""
        own = [name for name in self.servers if f"{name}/tibemsd.conf" in self.files]
        return [(self._one(own), self._one(self._ways())) for _ in range(10)]

    def _script(self) -> str:
        return "\n".join(self._at.sample(self._ways(), self._one((1, 1, 2, 3)))) + "\n"

    def _ways(self) -> tuple[str, ...]:
        kind, topic = self._one(("topic", "queue")), self._one(self.patterns)
        queue, other = self._one(self.queues), self._one(self.servers)
        selector, group = self._one(SELECTORS), self._group()
        return (
            f"create topic {topic} global",
            f"create queue {queue}@{other}",
            f"create queue {queue} global,maxmsgs=5",
            f"delete {kind} {topic if kind == 'topic' else queue}",
            f"addprop topic {topic} global",
            f"removeprop topic {topic} global",
            f"setprop queue {queue} exclusive,secure",
            f"create route {other} url=tcp://{other.lower()}:7222 zone_name=M zone_type=mhop",
            f"delete route {other}",
            f"suspend route {other}",
            f"resume route {other}",
            f'setprop route {other} outgoing_topic={topic} selector="{selector}"',
            f'addprop route {other} incoming_topic={topic} selector="{selector}"',
            f"removeprop route {other} {self._one(('outgoing', 'incoming'))}_topic={topic}",
            f"removeprop route {other} outgoing_topic",
            f"removeprop route {other} {self._one(('zone_name', 'topic_prefetch'))}",
            f"setprop route {other} zone_name=N",
            f"setprop route {other} url=tcp://z:1,topic_prefetch=5",
            f"setprop topic {topic} {self._one(self.property_words)}",
            f"addprop queue {queue} {self._one(self.property_words)}",
            f"removeprop queue {queue} {self._one(('global', 'secure', 'maxmsgs', 'store'))}",
            f"delete queue {queue}@{other}",
            f"delete bridge source=queue:{queue} target=topic:{topic}",
            f"create bridge source=queue:{queue} target=queue:{self._one(self.queues)}",
            f"grant queue {queue} user={self._one(self.users)} send,receive",
            f"revoke queue {queue} group={group} send",
            f"add member {group} {self._one(self.users)}",
            f"remove member {group} {self._one(self.users)}",
            f"delete user {self._one(self.users)}",
            f"delete group {group}",
            f"set server {self._one(('routing=disabled', 'max_msg_memory=5', 'server=X'))}",
            f'create bridge source=topic:{topic} target=queue:{queue} selector="{selector}"',
            f"delete bridge source=topic:{topic} target=queue:{queue}",
            f'create durable {topic} d1 selector="{selector}"',
            "delete durable d1",
            f"grant topic {topic} user={other} subscribe,publish",
            f"revoke topic {topic} user={other} all",
            f"set server authorization={self._one(('enabled', 'disabled'))}",
            f"purge {kind} {topic if kind == 'topic' else queue}",
        )

    def _audited(self) -> dict[str, Any]:
        if not self._often(0.4):
            return {}
        first, last = self.servers[0], self.servers[-1]
        topic = f"topic:{self._one(self.topics)}"
        policies = (
            f"reaches: {{from: {first}, to: {last}}}",
            f"never_reaches: {{from: {last}, to: '*'}}",
            f"delivers: {{from: {first}, destination: '{topic}', to: {last}}}",
            f"never_delivers: {{from: {first}, destination: 'topic:news', to: '{last}'}}",
            "max_hops: {hops: 1}",
            "legal: true",
            "no_loss: true",
        )
        lines = ["policies:"]
        for number, one in enumerate(self._at.sample(policies, 2)):
            lines += [f"  - id: p{number}", f"    {one}"]
        return {"policy": "\n".join(lines) + "\n"}


class DrawnBesideEachOther(Drawn):
    """An estate where topics, queues, users, groups, durables and servers have the same few names,
    and where numbers are at their limits.
    """

    topics = ("Q", "a", "a.b", "A.b", "a.b.c", "B")
    patterns = (*topics, "a.*", "a.>", ">", "*", "*.b", "a.*.c", "a.b.>")
    queues = ("Q", "a", "a.b", "B", "a.b.c")
    queue_patterns = ("a.*", ">", "*", "a.>")
    users = ("ann", "A", "B", "staff", "C", "admin")
    groups = ("staff", "ann", "B", "all")
    group_file = "staff: people\n  ann\n  C\nann:\n  B\n  Q\nB: none\nall:\n  ann\n  A\n"
    property_words = (
        *("global", "secure", "global", "secure", "maxmsgs=0", "maxmsgs=1", "maxmsgs=2"),
        *("maxbytes=0", "maxbytes=1", "maxbytes=1024", "maxbytes=1KB", "prefetch=0", "prefetch=1"),
        *("overflowPolicy=default", "overflowPolicy=rejectIncoming", "overflowPolicy=discardOld"),
        *("exclusive", "expiration=0", "expiration=1", "store=$sys.meta", "store=$sys.failsafe"),
        *("maxRedelivery=0", "maxRedelivery=1", "maxRedelivery=2", "maxRedelivery=255"),
        *("prefetch=none", "flowControl=0", "flowControl=1", "sender_name_enforced", "channel=a"),
        *("redeliveryDelay=15", "redeliveryDelay=1", "nolocal", "import=RV", "export=RV"),
    )
    permissions = (*PERMISSIONS, "all", "all", "purge", "use_durable")
    properties = (
        *PROPERTIES,
        *({"qty": 2, "country": "Mexico"}, {"qty": 5}, {"qty": 6, "country": "canada"}),
        *(
            {"qty": 1, "JMSPriority": 4},
            {"qty": 8, "JMSDeliveryMode": "NON_PERSISTENT"},
            {"qty": "5"},
        ),
        {"country": True, "JMSPriority": 3},
    )
    rates = ("1,1KB", "1,1", "0,0", "1,0", "0,1", "2,1024", "1000000,1GB")
    named_users = 0.5
    authorized = 0.8
    most_grants = 9
    with_words = 0.7

    def questions(self) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
        yield from super().questions()
        yield from asked_besides(self._at, self.servers)
        yield "interests", (self._one(self.servers),), {}
        for kind, names in (("topic", self.topics), ("queue", self.queues)):
            for user in ("", self._one(self.users), self._one(self.users)):
                yield "show", ("access", f"{kind}:{self._one(names)}"), {"user": user}
        down = [f"route:{'-'.join(self._one(self.links)[0])}"]
        yield "audit", (self._script(), self._one(self.servers)), {"down": down} | self._audited()
