"""Queue managers of IBM MQ, questions about them and commands for them, drawn from a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drawn.estates import DrawnEstate, Question, asked_besides

QUEUES = ("X", "Y", "Z", "DLQ", "T")
SYSTEM = "SYSTEM.CLUSTER.TRANSMIT.QUEUE"
TOPICS = ("t", "t/a", "t/b/c", "news", "t/+", "t/#", "#", "+/a", "t*", "?")
SELECTORS = ("qty > 5", "country = ''CA''", "JMSDeliveryMode = ''NON_PERSISTENT''", "qty IN (1")
OVERRIDES = (
    *("C-2: resolved_again", "C-3: looked_up_elsewhere", "C-9: last", "C-10: refused"),
    *("C-11: not_known", "C-13: dead_letter", "C-14: external", "M-18: not_streamed_on"),
)
LIKE = ("SYSTEM.DEFAULT.LOCAL.QUEUE", "SYSTEM.DEF.RECEIVER", "SYSTEM.NONE", "GONE", "X")
_ABLE = ("ENABLED", "DISABLED")
PROPERTIES: tuple[dict[str, Any], ...] = ({}, {"qty": 7}, {"country": "CA"}, {"qty": 1})


class DrawnManagers(DrawnEstate):
    system = "ibm_mq"
    queues: tuple[str, ...] = QUEUES
    topics: tuple[str, ...] = TOPICS
    like: tuple[str, ...] = LIKE
    shown = ("servers", "destinations", "queues", "channels", "routes", "subscribers", "durables")

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._channels: dict[str, list[str]] = {server: [] for server in self.servers}
        for start in self.servers:
            for end in (*self.servers, "FAR"):
                if start != end and self._often(0.75 if end != "FAR" else 0.3):
                    self._link(start, end)
        for server in self.servers:
            if server == self.servers[-1] and self._often(0.1):
                continue
            lines = [f"* Queue manager name: {server}", "ALTER QMGR DESCR('x')"]
            for _ in range(self._at.randint(0, 2)):
                lines.append(f"ALTER QMGR {self._of_manager()}")
            own = [
                _taken(self._queue(name, server))
                for name in (*self.queues, *self.servers, "FAR", "R", "AL")
                if name != server and self._often(0.85)
            ]
            own += self._channels[server]
            own += [self._other() for _ in range(self._at.randint(0, 4))]
            own += self._cluster(server)
            lines += self._at.sample(own, len(own)) if self._often(0.3) else own
            lines += [self._late(server) for _ in range(self._at.randint(0, 2))]
            self.files[f"{server}.mqsc"] = "\n".join(lines) + "\n"
            if self._often(0.35):
                self.files[f"{server}.txt"] = self._seen(server)
            if self._often(0.1):
                self.files[f"{server}2.mqsc"] = "\n".join(
                    [*lines[:2], _taken(self._queue(self._one(self.queues), server)), ""]
                )
        self._side_inputs()

    def commands(self) -> list[tuple[str, str]]:
        own = [server for server in self.servers if f"{server}.mqsc" in self.files]
        return [(server, self._command(server)) for server in (self._one(own) for _ in range(12))]

    def _messages(self) -> Iterator[Question]:
        for _ in range(12):
            server = self._one(self.servers)
            said: dict[str, Any] = {}
            if self._often(0.4):
                said["persistent"] = self._often(0.5)
            to = self._destination()
            if to.startswith("queue:") and self._often(0.35):
                said["queue_manager"] = self._one((*self.servers, "FAR", "GONE", "", "R"))
            if self._often(0.15):
                come = [f"{one}.{server}" for one in self.servers if one != server]
                said["arrives_over"] = self._one((*come, *come, f"K.TO.{server}", "GONE"))
                said["header"] = f"{self._one(self.queues)}@{server}"
            question = "trace"
            if self._often(0.2):
                said |= {"reply": True, "reply_to": self._one((*self.queues, "R", "AL"))}
                if self._often(0.6):
                    said["reply_to_queue_manager"] = self._one((*self.servers, "R"))
            elif self._often(0.2):
                question = "propagate"
            yield question, (server, to, self._one(PROPERTIES)), said

    def _changes(self) -> Iterator[Question]:
        own = [server for server in self.servers if f"{server}.mqsc" in self.files]
        for _ in range(2):
            server = self._one(own)
            script = [self._command(server) for _ in range(self._at.randint(1, 3))]
            said = {"policy": self._policy(f"queue:{self._one(self.queues)}")}
            asked = ("\n".join([*script, ""]), server)
            yield "audit", asked, said if self._often(0.4) else {}

    def _destination(self) -> str:
        kind = self._one(("queue", "queue", "queue", "at", "topic"))
        if kind == "topic":
            return f"topic:{self._one(self.topics[:4])}"
        name = self._one((*self.queues, *self.servers, "R", "AL", "GONE"))
        return f"queue:{name}" if kind == "queue" else f"{name}@{self._one((*self.servers, 'FAR'))}"

    def _link(self, start: str, end: str) -> None:
        name = f"{start}.{end}"
        sender = self._one(("SDR", "SDR", "SVR", "RQSTR"))
        receiver = "RQSTR" if sender == "SVR" and self._often(0.4) else "RCVR"
        receiver = "SVR" if sender == "RQSTR" else receiver
        host = self._one((f"{end.lower()}(1414)",) * 4 + (f"{end.lower()}(1515)", "h, b(1)"))
        both = self._if(0.1, "SSLCIPH(TLS_AES_128)", "SSLCIPH(TLS_AES_256)", "MAXMSGL(100)")
        said = f" CONNAME('{host}')" if sender != "SVR" or self._often(0.7) else ""
        said += f" XMITQ({self._one(('T', end, end, end, 'T', 'X'))})" if sender != "RQSTR" else ""
        said += self._if(0.2, "NPMSPEED(NORMAL)", "SSLPEER('CN=*')", "MAXMSGL(50)", "STATCHL(OFF)")
        self._channels[start].append(f"DEFINE CHANNEL({name}) CHLTYPE({sender}){said}{both}")
        if end in self._channels and self._often(0.85):
            both = both if self._often(0.7) else self._if(0.5, "SSLCIPH(TLS_AES_256)")
            more = self._if(0.3, "USEDLQ(NO)", "NPMSPEED(NORMAL)", "SSLPEER('CN=x')", "PUTAUT(CTX)")
            more += f" XMITQ({self._one(('T', start))})" if receiver == "SVR" else ""
            more += f" CONNAME('{start.lower()}')" if receiver == "RQSTR" else ""
            self._channels[end].append(f"DEFINE CHANNEL({name}) CHLTYPE({receiver}){both}{more}")

    def _of_manager(self) -> str:
        return self._one(
            (
                *(
                    f"DEADQ({name})"
                    for name in ("DLQ", "DLQ", "DLQ", "DLQ", "X", "GONE", "AL", "T")
                ),
                *(f"DEFXMITQ({name})" for name in ("T", "T", "X", "GONE", "B", SYSTEM)),
                *("REPOS(K)", "REPOS(K2)", "REPOSNL(NL)", "CLWLUSEQ(ANY)", "DEFCLXQ(CHANNEL)"),
                *("PARENT(B)", "MAXMSGL(200)", "DEADQ(' ')", "DEFXMITQ(' ')", "PSMODE(DISABLED)"),
            )
        )

    def _queue(self, name: str, server: str) -> str:
        kind = self._one(("QLOCAL",) * 5 + ("QALIAS", "QALIAS", "QREMOTE", "QREMOTE", "QMODEL"))
        if name == "T" or (name in (*self.servers, "FAR") and self._often(0.7)):
            return f"DEFINE QLOCAL({name}) USAGE(XMITQ){self._of_queue(0.2)}"
        if name == "R" or name in self.servers:
            kind = "QREMOTE"
        if name == "AL":
            kind = "QALIAS"
        words = ""
        if kind == "QALIAS":
            words = f" TARGET({self._one((*self.queues, *self.queues, 'R', 'TOP', 'TOP', 'GONE'))})"
            words += self._if(0.5 if "TOP" in words else 0.1, "TARGTYPE(TOPIC)", "TARGTYPE(QUEUE)")
        elif kind == "QREMOTE":
            words = f" RNAME({self._one(self.queues)})" if self._often(0.8) else " RNAME('')"
            if self._often(0.95):
                words += f" RQMNAME({self._one((*self.servers, *self.servers, 'FAR', 'R'))})"
            words += self._if(0.5, "XMITQ(T)", "XMITQ(T)", "XMITQ(X)", f"XMITQ({server})")
        words += self._of_queue(0.3, kind)
        return f"DEFINE {kind}({name}){words}"

    def _of_queue(self, share: float, kind: str = "QLOCAL") -> str:
        any_kind = ("PUT(DISABLED)", "DEFPSIST(YES)", "DEFPSIST(NO)", "DESCR('d')")
        clustered: tuple[str, ...] = (
            "CLUSTER(K)",
            "CLUSTER(K)",
            "CLUSTER(K2)",
            "CLUSNL(NL)",
            "DEFBIND(NOTFIXED)",
        )
        clustered += ("DEFBIND(GROUP)", "CLWLRANK(1)", "CLWLPRTY(2)", "CLUSTER(K) CLWLRANK(2)")
        local = (
            *("MAXDEPTH(0)", "MAXDEPTH(5)", "MAXMSGL(100)", "GET(DISABLED)", "STREAMQ(X)"),
            *("STREAMQ(Y)", "STREAMQ(Z) STRMQOS(MUSTDUP)", "STREAMQ(GONE)", "CLWLUSEQ(ANY)"),
            *("CLWLUSEQ(LOCAL)", "CLWLUSEQ(QMGR)", "CLCHNAME('A.*')", "TRIGGER INITQ(X)"),
            *("TRIGGER TRIGTYPE(FIRST) INITQ(Y) TRIGDATA(A.B)", "MAXDEBTH(5)", "LIKE(X)"),
            *("USAGE(XMITQ)", "NOREPLACE", "REPLACE", "CLCHNAME('*')"),
        )
        words = any_kind + (clustered if kind != "QMODEL" else ())
        words += local * 2 if kind == "QLOCAL" else ()
        found = [self._one(words) for _ in range(2) if self._often(share)]
        return "".join(f" {one}" for one in found)

    def _other(self) -> str:
        topic, name = self._one(self.topics), self._one(("TOP", "TOP2"))
        to = self._one(self.queues)
        return self._one(
            (
                f"DEFINE TOPIC({name}) TOPICSTR('{topic}')"
                + self._if(0.5, "PUB(DISABLED)", "SUB(DISABLED)", "WILDCARD(BLOCK)", "CLUSTER(K)"),
                f"DEFINE SUB(S1) TOPICSTR('{topic}') DEST({to})" + self._of_subscription(),
                f"DEFINE SUB(S2) TOPICSTR('{topic}') DEST({to})" + self._of_subscription(),
                f"DEFINE SUB(S3) TOPICOBJ({name}) DEST({to})" + self._of_subscription(),
                f"DEFINE SUB(S4) TOPICOBJ({name}) TOPICSTR('b/c') DEST({to})",
                f"DEFINE SUB(S5) TOPICSTR('{topic}') DESTCLAS(MANAGED)",
                f"DEFINE LISTENER(L) TRPTYPE(TCP) PORT({self._one((1414, 1515))})",
                f"DEFINE NAMELIST(NL) NAMES({self._one(('K', 'K, K2', 'K2', 'OTHER'))})",
                "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)",
                f"SET CHLAUTH('{self._one('ABC')}.*') TYPE(QMGRMAP) QMNAME({self._one('ABC')}) "
                + self._one(("USERSRC(NOACCESS)", "USERSRC(MAP) MCAUSER('m')", "USERSRC(CHANNEL)")),
                "DEFINE CHANNEL(CLI) CHLTYPE(SVRCONN)",
                "DEFINE CHANNEL(CC) CHLTYPE(CLNTCONN) CONNAME('a')",
                f"SET AUTHREC PROFILE({to}) OBJTYPE(QUEUE) PRINCIPAL('ann') AUTHADD(PUT)",
                f"DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) {self._one(('PUT(DISABLED)', ''))}",
            )
        )

    def _of_subscription(self) -> str:
        return self._if(0.2, *(f"SELECTOR('{one}')" for one in SELECTORS)) + self._if(
            0.25,
            *("DESTQMGR(B)", "DESTQMGR(FAR)", "WSCHEMA(CHAR)", "SUBUSER(joe)", "PSPROP(NONE)"),
        )

    def _cluster(self, server: str) -> list[str]:
        lines = []
        for cluster in ("K", "K2"):
            if self._often(0.45):
                more = self._if(0.3, "CLWLRANK(1)", "CLWLPRTY(1)", "NETPRTY(2)", "CLWLWGHT(9)")
                lines.append(
                    f"DEFINE CHANNEL({cluster}.TO.{server}) CHLTYPE(CLUSRCVR) CLUSTER({cluster}) "
                    f"CONNAME('{server.lower()}'){more}"
                )
            if self._often(0.3):
                other = self._one((*self.servers, "FAR"))
                lines.append(
                    f"DEFINE CHANNEL({cluster}.TO.{other}) CHLTYPE(CLUSSDR) CLUSTER({cluster}) "
                    f"CONNAME('{other.lower()}')"
                )
        return lines

    def _late(self, server: str) -> str:
        return self._one(
            (
                f"ALTER QLOCAL({self._one(self.queues)}) "
                + self._one(("PUT(DISABLED)", "MAXDEPTH(1)", "STREAMQ(X)", "GET(DISABLED)")),
                f"DELETE QLOCAL({self._one(self.queues)})",
                _taken(f"DEFINE QLOCAL({self._one(self.queues)}) REPLACE{self._of_queue(0.5)}"),
                f"ALTER CHANNEL({server}.B) CHLTYPE(SDR) XMITQ(X)",
                f"STOP CHANNEL({server}.B)",
                "RESUME QMGR CLUSTER(K)",
            )
        )

    def _seen(self, server: str) -> str:
        lines = [f"Starting MQSC for queue manager {server}."]
        other = self._one((*self.servers, "FAR"))
        state = self._one(("RUNNING", "STOPPED", "RETRYING", "INACTIVE", "STARTING", "BINDING"))
        parts = (
            (
                "DISPLAY CHSTATUS(*)",
                "AMQ8417I: Display Channel Status details.",
                f"CHANNEL({server}.{other})   CHLTYPE(SDR)",
                f"STATUS({state})",
            ),
            (
                "DISPLAY QSTATUS(*)",
                "AMQ8450I: Display queue status details.",
                f"QUEUE({self._one(self.queues)})   TYPE(QUEUE)",
                f"CURDEPTH({self._one((0, 4, 5, 9))}) OPPROCS(1) IPPROCS({self._one('01')})",
            ),
            (
                "DISPLAY CLUSQMGR(*) ALL",
                "AMQ8441I: Display Cluster Queue Manager details.",
                f"CLUSQMGR({other})   CHANNEL(K.TO.{other})",
                f"CLUSTER({self._one(('K', 'K2'))}) CONNAME({other.lower()}(1414)) "
                f"STATUS({state}) SUSPEND({self._one(('YES', 'NO'))})",
            ),
            (
                "DISPLAY QCLUSTER(*) ALL",
                "AMQ8409I: Display Queue details.",
                f"QUEUE({self._one(self.queues)})   TYPE(QCLUSTER)",
                f"CLUSQMGR({other})   CLUSTER(K) PUT({self._one(_ABLE)})",
            ),
            (
                "DISPLAY QUEUE(*) ALL",
                "AMQ8409I: Display Queue details.",
                f"QUEUE({self._one(self.queues)})   TYPE(QLOCAL)",
                f"CURDEPTH({self._one((0, 5))}) MAXDEPTH(5) PUT({self._one(_ABLE)})",
            ),
            (
                "DISPLAY QMGR ALL",
                "AMQ8408I: Display Queue Manager details.",
                f"QMNAME({server})   DEADQ({self._one(('DLQ', ' ', 'X'))})",
                f"DEFXMITQ({self._one(('T', ' '))})",
            ),
            (
                "DISPLAY LSSTATUS(*)",
                "AMQ8631I: Display listener status details.",
                "LISTENER(L)   STATUS(" + self._one(("RUNNING", "STOPPED")) + ")",
                "PORT(1414)",
            ),
        )
        for number, (command, title, *rows) in enumerate(self._at.sample(parts, 2), 1):
            lines += [f"     {number} : {command}", title, *(f"   {row}" for row in rows)]
        return "\n".join([*lines, "One MQSC command read.", ""])

    def _side_inputs(self) -> None:
        lines = []
        if self._often(0.3):
            lines += ["hosts:", f"  'b:1414': {self._one(self.servers)}", "  far: A"]
        if self._often(0.4):
            lines += ["overrides:", f"  ibm_mq: {{{self._one(OVERRIDES)}}}"]
        if self._often(0.3):
            kind, name = self._one((("topic", "t/a"), ("topic", "t/#"), ("queue", "X")))
            role = self._one(("subscriber", "publisher"))
            said = f"server: {self._one(self.servers)}, role: {role}"
            lines += ["clients:", f"  - {{{said}, destination: '{kind}:{name}'}}"]
        if lines:
            self.files["topograph.yaml"] = "\n".join(lines) + "\n"

    def _command(self, server: str) -> str:
        name, other = self._one((*self.queues, "R", "AL")), self._one(self.servers)
        made = self._one(("N", *self.queues))
        channel = self._one((f"{server}.{other}", f"{other}.{server}", f"K.TO.{server}", "GONE"))
        type_ = self._one(("SDR", "RCVR", "SVR", "RQSTR", "CLUSRCVR"))
        force = self._if(0.5, "FORCE")
        return self._one(
            (
                self._queue(made, server),
                self._queue(made, server) + " REPLACE",
                self._queue(made, server) + f" LIKE({name})",
                f"DEFINE QLOCAL({made}) LIKE({self._one(self.like)}) REPLACE",
                f"DEFINE CHANNEL(N.N) CHLTYPE(RCVR) LIKE({self._one((channel, *self.like))})",
                self._queue(made, server).replace("DEFINE", "ALTER") + force,
                f"ALTER QLOCAL({name}){self._of_queue(0.9)}{force}",
                f"ALTER QALIAS(AL) TARGET({name}){force}",
                f"ALTER QREMOTE(R) {self._one((f'RQMNAME({other})', 'XMITQ(T)', 'RNAME(Y)'))}",
                f"DELETE QLOCAL({name}){self._if(0.4, 'PURGE')}",
                f"DELETE {self._one(('QREMOTE(R)', 'QALIAS(AL)', 'QMODEL(X)', 'TOPIC(TOP)'))}",
                f"ALTER QMGR {self._of_manager()}{force}",
                f"DEFINE CHANNEL({channel}) CHLTYPE({type_}) CONNAME('b') XMITQ(T)"
                + self._if(0.3, "REPLACE", "CLUSTER(K)", "LIKE(A.B)"),
                f"ALTER CHANNEL({channel}) CHLTYPE({type_})"
                + self._if(1, "XMITQ(T)", "USEDLQ(NO)", "DESCR('d')", "CONNAME('c')"),
                f"DELETE CHANNEL({channel})",
                f"STOP CHANNEL({channel})" + self._if(0.4, "STATUS(INACTIVE)", f"QMNAME({other})"),
                f"START CHANNEL({channel})",
                f"{self._one(('SUSPEND', 'RESUME'))} QMGR CLUSTER({self._one(('K', 'K2'))})",
                f"REFRESH CLUSTER({self._one(('K', '*'))})",
                f"RESET CLUSTER(K) ACTION(FORCEREMOVE) QMNAME({other})",
                self._other(),
                self._other() + " REPLACE",
                self._other().replace("DEFINE", "ALTER"),
                f"DELETE {self._one(('SUB(S1)', 'SUB(S3)', 'NAMELIST(NL)', 'LISTENER(L)'))}",
                f"{self._one(('STOP', 'START'))} LISTENER(L)",
                f"CLEAR QLOCAL({name})",
            )
        )


class DrawnManagersBesideEachOther(DrawnManagers):
    """Queue managers where queues, topics, channels, namelists, subscriptions and clusters have the
    same few names, and where numbers are at their limits.
    """

    queues = ("X", "B", "DLQ", "x", "T")
    topics = ("X", "X/B", "X/B/c", "B", "X/+", "X/#", "#", "+/B", "+", "X/")
    like: tuple[str, ...] = (*LIKE, "B", "K", "SYSTEM.DEFAULT.TOPIC", "SYSTEM.DEFAULT.ALIAS.QUEUE")
    _pool = ("X", "B", "K", "T", "NL", "A.B", "TOP", "AL")

    def _messages(self) -> Iterator[Question]:
        yield from super()._messages()
        yield from asked_besides(self._at, self.servers)
        yield "impact", (), {"sweep": True, "rate": self._one(("1,1", "2,100", "0,0"))}
        for _ in range(4):
            server, to = self._one(self.servers), self._one(self.queues)
            said = {"queue_manager": self._one((*self.servers, "X", "K"))}
            if self._often(0.4):
                said |= {"user": self._one(("ann", "joe", "m", "B"))}
            yield "trace", (server, f"queue:{to}", self._one(PROPERTIES)), said

    def _of_manager(self) -> str:
        if self._often(0.5):
            return super()._of_manager()
        return self._one(
            (
                *("MAXMSGL(0)", "MAXMSGL(1)", "MAXMSGL(100)", "DEADQ(X)", "DEADQ(B)", "DEADQ(K)"),
                *("DEFXMITQ(B)", "DEFXMITQ(T)", "DEFXMITQ(DLQ)", "REPOS(B)", "REPOSNL(B)"),
                *(
                    "PARENT(X)",
                    "PSMODE(COMPAT)",
                    "PSMODE(ENABLED)",
                    "CLWLUSEQ(LOCAL)",
                    "CHAD(ENABLED)",
                ),
                *("CLWLMRUC(1)", "CLWLMRUC(0)", "DEFCLXQ(SCTQ)", "CHLAUTH(DISABLED)", "STATQ(ON)"),
            )
        )

    def _of_queue(self, share: float, kind: str = "QLOCAL") -> str:
        more = self._if(
            share,
            *("MAXDEPTH(1)", "MAXDEPTH(2)", "MAXMSGL(0)", "MAXMSGL(1)", "CLWLRANK(0)"),
            *("CLWLPRTY(0)", "CLWLPRTY(9)", "BOTHRESH(0)", "BOTHRESH(1) BOQNAME(X)"),
            *("BOQNAME(B)", "BOTHRESH(2) BOQNAME(GONE)", "DEFBIND(OPEN)", "CLUSNL(B)"),
            *("CLUSTER(B)", "PUT(ENABLED)", "GET(ENABLED)", "CUSTOM('x')"),
        )
        if kind != "QLOCAL" and not more.startswith((" CLW", " DEFB", " CLUS", " PUT")):
            more = ""
        return super()._of_queue(share, kind) + more

    def _other(self) -> str:
        if self._often(0.45):
            return super()._other()
        topic, name, to = (self._one(of) for of in (self.topics, self._pool, self.queues))
        like = self._if(0.3, f"LIKE({self._one(self._pool)})")
        more = [
            self._if(0.5, f"TOPICSTR('{topic}')"),
            self._if(0.4, f"TOPICOBJ({self._one(self._pool)})"),
            self._if(0.7, f"DEST({to})", f"DEST({to})", "DESTCLAS(MANAGED)"),
            self._of_subscription(),
        ]
        states: tuple[str, ...] = (
            "PUB(DISABLED)",
            "SUB(DISABLED)",
            "PUB(ASPARENT)",
            "PUB(ENABLED)",
            "SUB(ENABLED)",
        )
        states += ("WILDCARD(PASSTHRU)", "WILDCARD(BLOCK)", "CLUSTER(B)", "CLROUTE(TOPICHOST)")
        return self._one(
            (
                f"DEFINE TOPIC({name}) TOPICSTR('{topic}'){self._if(0.6, *states)}{like}",
                f"DEFINE TOPIC({name}){self._if(0.6, *states)}{like}",
                f"DEFINE SUB({name}){''.join(more)}{like}",
                f"DEFINE SUB({name}){''.join(more)}",
                f"DEFINE NAMELIST({name}) NAMES({self._one(('K', 'B, K', 'B', ' '))}){like}",
                f"DEFINE QALIAS({name}) TARGET({self._one(self._pool)})"
                + self._if(0.5, "TARGTYPE(TOPIC)", "TARGTYPE(QUEUE)"),
                f"DEFINE LISTENER({name}) TRPTYPE({self._one(('TCP', 'LU62'))})"
                + self._if(0.6, "PORT(1414)", "PORT(0)", "PORT(1515)", "CONTROL(QMGR)"),
                f"DEFINE CHANNEL({name}) CHLTYPE({self._one(('SVRCONN', 'RCVR', 'CLNTCONN'))})"
                + self._if(0.5, "CONNAME('a')", "TRPTYPE(TCP)", "MCAUSER(' ')"),
                f"DEFINE PROCESS({name})",
                f"DEFINE SERVICE({name})",
            )
        )

    def _command(self, server: str) -> str:
        if self._often(0.5):
            return super()._command(server)
        name, other = self._one(self._pool), self._one(self.servers)
        kind = self._one(
            ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "TOPIC", "SUB", "NAMELIST", "LISTENER")
        )
        channel = self._one((f"{server}.{other}", f"{other}.{server}", *self._pool))
        return self._one(
            (
                f"DELETE {kind}({name}){self._if(0.3, 'PURGE', 'NOPURGE', 'IGNSTATE(YES)')}",
                f"ALTER {kind}({name}) DESCR('d'){self._if(0.3, 'FORCE')}",
                f"DEFINE {kind}({name}) LIKE({self._one((*self.like, *self._pool))})"
                + self._if(0.4, "REPLACE", "NOREPLACE"),
                f"DEFINE {kind}({name}){self._if(0.4, 'REPLACE', 'NOREPLACE')}",
                self._other() + self._if(0.3, "REPLACE", "NOREPLACE"),
                self._other().replace("DEFINE", "ALTER"),
                f"DELETE CHANNEL({channel})"
                + self._if(0.4, "CHLTABLE(CLNTTAB)", "CHLTABLE(QMGRTAB)", "IGNSTATE(YES)"),
                f"STOP CHANNEL({channel}) MODE({self._one(('QUIESCE', 'FORCE'))})"
                + self._if(0.4, "STATUS(STOPPED)", "CONNAME('b')"),
                f"START {self._one(('CHANNEL', 'LISTENER'))}({name})",
                f"{self._one(('SUSPEND', 'RESUME'))} QMGR CLUSNL({self._one(('NL', 'B'))})",
                f"RESET CLUSTER(B) ACTION(FORCEREMOVE) QMNAME({other})"
                + self._if(0.5, "QUEUES(YES)", "QUEUES(NO)"),
                f"{self._one(('ALTER', 'DEFINE'))} QLOCAL({self._one(self.queues)})"
                + self._of_queue(0.9)
                + self._if(0.3, "FORCE", "REPLACE"),
                f"MOVE QLOCAL({name}) TOQLOCAL({self._one(self.queues)})",
                f"RESET CHANNEL({channel})",
            )
        )


def _taken(definition: str) -> str:
    """A definition without what a queue manager refuses it for: attributes that stand twice, a
    transmission queue in a cluster, and CLCHNAME of another queue.
    """
    verb, name, *words = definition.split(" ")
    found = {word.partition("(")[0]: word for word in words}
    if "CLUSNL" in found or "USAGE" in found:
        found.pop("CLUSTER", None)
    if "USAGE" in found:
        found.pop("CLUSNL", None)
    else:
        found.pop("CLCHNAME", None)
    found.pop("NOREPLACE" if "REPLACE" in found else "", None)
    return " ".join([verb, name, *found.values()])
