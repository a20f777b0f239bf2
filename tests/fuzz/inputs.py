"""Inputs of the targets: whole files of their kind, changed at random, and inputs that were once
found (``corpus``).
"""

from __future__ import annotations

import random
import re
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from redaction.planted import planted_estate

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).parent / "corpus"
"""A folder a target. A failing input is written there; kept, it is a test."""

LARGEST_SEED = 20_000
LARGEST = 100_000
"""Bytes of an input; those of the corpora are smaller."""

_LOOK_LIKE = {
    "router.conf": ("*/amq/*.conf", "keyed-router/*.conf"),
    "router.json": ("amq/two.json", "keyed-router/two.json"),
    "dump.json": ("amq/dump.json", "keyed-router/dump.json"),
    "qdstat.txt": ("amq/qdstat.txt",),
    "tibemsd.json": ("*/tibemsd.json",),
}
_SELECTORS = (
    b"country = 'Canada' AND qty > 5",
    (
        b"a BETWEEN -1 AND 2.5e3 OR NOT (b LIKE '%x_' ESCAPE '!') AND c NOT IN ('a', "
        b"'it''s') AND JMSTimestamp IS NOT NULL"
    ),
)
_CLIENTS = (b"server,destination,role,selector\nA,topic:orders,subscriber,\"x = 'a,b'\"\n",)
_MANIFEST = (
    b"apiVersion: interconnectedcloud.github.io/v1alpha1\nkind: "
    b"Interconnect\nmetadata:\n  name: r\nspec:\n  deploymentPlan:\n    size: 2\n"
    b"  addresses:\n  - prefix: a\n    distribution: multicast\n---\napiVersion: "
    b"v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n"
    b"  qdrouterd.conf: |\n    router {\n        id: A\n        mode: interior\n    }\n",
)
_SHOW_ROUTES = (
    (
        b"A> show routes\nRoute       T    ConnID  URL              ZoneName    ZoneType\nB  "
        b"A  166  tcp://b:7222  Z  m\n"
    ),
)
_SHOW = (
    (
        b"tcp://a:1> show topics\n  Topic Name  SNFGEIBCTM  Subs  Durs  Msgs  Size  Msgs  "
        b"Size\n* o.n  ---*------  1  1  0  0.0 Kb  0  0.0 Kb\n"
    ),
    b"Command: show server\n Server:   A (version: 8.6.0)\nCommand: show consumers sort=user\n"
    b"  Id  Conn  User  T  Topic  Name  SAS  Sent\n  1  2  u  T  o.n    +--  0\n\n  Id  "
    b"Conn  User  T  Queue  SAS\n  1  2  u  Q  q  ---\nCommand: exit\n",
    b"A> show subscriptions\nId  T  Topic  Name  SS  Cons\n1  T  o.n    --  1\n2  D  o.x "
    b" d  +-  1\n"
    b"A> show durables\n  Topic Name  Durable  Shared  User  Msgs  Size\n* o.n  "
    b"$sys.route.B:o.n  N  <offline>  0  0.0 Kb\n"
    b"A> show bridges\n  Source Name  Queue Targets  Topic Targets\nT o.n  1  2\nA> show "
    b"stat consumers\n"
    b"User  Conn  T  Destination  Msgs  Size  Msgs  Size\nu  2  T  o.n  0  0.0 Kb  0  "
    b"0.0 Kb\nA> show config\n",
)
_SCRIPT = (
    b"connect tcp://a:7222 admin x\ncreate route D url=tcp://d:1 zone_name=Z "
    b"zone_type=1hop outgoing_topic=a selector=\"x = 'y'\"\n"
    b"setprop route B topic_prefetch=5\naddprop route B incoming_topic=a.> "
    b'selector="b"\nremoveprop route B outgoing_topic, topic_prefetch\n'
    b"delete route B\nsuspend route B\nresume route B\ncreate topic t "
    b"global,maxbytes=1KB\nsetprop queue q@B prefetch=5\nremoveprop topic t global\n"
    b'create bridge source=topic:t target=queue:q selector="a"\ncreate durable t B '
    b"route\ndelete durable d c\ngrant topic t user=u publish,all\n"
    b'revoke topic t user=u all\ncreate group g "x"\naddmember g a,b\nset server '
    b"authorization=on\nautocommit off\ncommit\ndisconnect\n",
)
_MQSC = (
    b"* Queue manager name: QM1\n* Command issued: dmpmqcfg -a\nALTER QMGR DEADQ('D') "
    b"+\n*  QMID(x) +\n   REPOS(C)\nDEFINE QREMOTE('R') +\n"
    b"   RNAME('X') +\n"
    b"   RQMNAME(QM2) XMITQ(QM2) REPLACE\nDEF CHL(TO.B) CHLTYPE(SDR) "
    b"CONNAME('h(1414),i(1414)') XMITQ(QM2)\nDEFINE QL(B) LIKE(A); DELETE QL(B)\n",
)
_MQSC_SCRIPT = (
    b"* change\nDEFINE QLOCAL(Y) LIKE(X) REPLACE TRIGGER\nALTER QREMOTE(R) RQMNAME(C) "
    b"+\n XMITQ('U')\nDELETE QLOCAL(X) PURGE; STOP CHANNEL(C) MODE(FORCE)\n"
    b"ALTER QMGR DEFXMITQ(T) REPOS(' ')\nSTART CHANNEL(C)\nSUSPEND QMGR "
    b"CLUSTER(K)\nREFRESH CLUSTER('*') REPOS(NO)\nCLEAR QL(X)\n"
    b"SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('nobody')\nDEFINE CHANNEL(D) "
    b"CHLTYPE(SVR) XMITQ(T)\nDELETE CHANNEL(C)\nDEFIEN QLOCAL(Z)\n",
    (
        b"#!/bin/sh\nQM=A\nrunmqsc $QM <<EOF\nSTOP LISTENER(L)\nEOF\necho 'DELETE QLOCAL(X)' "
        b"| runmqsc A\nrunmqsc A < more.mqsc\n"
    ),
    (
        b"{% if x %}\nDEFINE QLOCAL({{ q }})\n{% endif %}\nAMQ8150E: exists\n     1 : ALTER "
        b"QALIAS(B) TARGET($T)\n"
    ),
)
_RABBITMQ = (
    b"""#!/bin/sh
for n in a b; do rabbitmqctl -p v set_policy --priority 1 p$n '^q' '{"expires": 1}'; done
rabbitmqctl add_user ann "$PW" || rabbitmqctl change_password ann "$PW"
rabbitmqctl set_parameter shovel s '{"src-uri": "amqp://u:p@h/v", "src-queue": "q"}'
""",
    b"""rabbitmqadmin -H h -u u -p p declare queue name=r arguments='{"x-max-length": 5}'
rabbitmqadmin delete binding source=x destination_type=queue destination=q properties_key='a.#'
rabbitmqadmin -V v shovels declare_amqp091 --name s --source-uri amqp://u:p@h --source-queue q
cat > d.json <<'END'
{"queues": [{"name": "n", "vhost": "/"}], "vhosts": [{"name": "w"}]}
END
rabbitmqctl import_definitions d.json
""",
    b"""API=http://u:p@h:15672/api
curl -sS -u a:b -XPUT -H 'x: y' -d '{"type": "topic"}' $API/exchanges/%2F/y
echo '{"routing_key": "k"}' | curl -X POST "$API/bindings/v/e/x/q/q" -d @-
curl -X DELETE $API/vhosts/v
""",
)
_QDMANAGE = (
    b"#!/bin/sh\nset -e\nB='amqp://u:p@h:5001'\nqdmanage -b \"$B\" create --type=address "
    b"prefix=c/d \\\n  distribution=multicast # c\n"
    b"sudo skmanage -r A delete --type address --name a && qdmanage --router=A delete "
    b"--name l; echo x | tee y\n"
    b"qdmanage create --type autoLink addr=q dir=out phase=0 connection=broker\nqdmanage "
    b"update --type vhost --name v maxConnections=3\n",
    b'qdmanage create --stdin <<\'END\'\n[{"type": "connector", "name": "c", "cost": 3, '
    b'"role": "inter-router", "openProperties": {"a": [1]}},\n'
    b' {"type": "linkRoute", "pattern": "x/*", "direction": "in", "containerId": "k"}]\nEND\n'
    b'echo \'{"prefix": "e"}\' | qdmanage create --type address --stdin\nfor i in a; do '
    b"qdmanage create --type listener port=$i; done\n"
    b'cat <<-E | qdmanage create --type address --stdin\n\t{"pattern": '
    b'"#/z"}\n\tE\nqdmanage delete --type connector --identity connector/h:amqp:broker\n',
)
_JYTHON = (
    b"bus = 'B'\nfor n in ['X', \"Y\"]:\n    AdminTask.createSIBDestination('[-bus %s "
    b"-name %s -type Queue -cluster C]' % (bus, n))\n"
    b"AdminTask.modifySIBDestination(['-bus', bus, '-name', 'Q', "
    b"'-defaultForwardRoutingPath', [[bus, 'X'], [bus, 'AL']], '-replyDestination', "
    b"'Y'])\n"
    b"AdminTask.mediateSIBDestination('[-bus B -destinationName Q -mediationName M "
    b"-cluster C]')\nAdminTask.deleteSIBMediation('[-bus B -mediationName M]')\n"
    b"try:\n  AdminTask.deleteSIBDestination('[-bus B -name AL]')\nexcept:\n  "
    b"AdminConfig.reset()\nif AdminConfig.hasChanges():\n  AdminConfig.save()\n",
    b"AdminTask.createSIBus('[-bus B2 -busSecurity "
    b"true]')\nAdminTask.addSIBusMember('[-bus B2 -node n -server s]')\n"
    b"AdminTask.removeSIBusMember('[-bus B -cluster C]')\n"
    b"AdminTask.createSIBForeignBus('[-bus B -name I -routingType Indirect -nextHopBus "
    b"F]')\nAdminTask.deleteSIBForeignBus('[-bus B -name F]')\n"
    b"AdminTask.createSIBMQLink('[-bus B -name K -messagingEngine C.000-B "
    b"-foreignBusName F -password x]')\nAdminTask.deleteSIBLink('[-bus B -name L]')\n"
    b"AdminTask.createSIBEngine('[-bus B -cluster C]')\nAdminTask.deleteSIBEngine('[-bus "
    b"B -engine C.000-B]')\nAdminTask.deleteSIBus('[-bus B]')\n"
    b"AdminTask.addUserToDestinationRole('[-type Queue -bus B -destination Q -role "
    b"Sender -user u]')\nAdminTask.createSIBDestinaton('[-bus B]')\n",
)
_JACL = (
    b"set bus B\nforeach q {X Y} {\n  $AdminTask createSIBDestination [list -bus $bus "
    b"-name $q -type QUEUE -cluster C]\n}\n"
    b"catch {$AdminTask modifySIBDestination {-bus B -name Q -defaultForwardRoutingPath "
    b"{{B X} {B Y}} -sendAllowed false}} r\n"
    b'$AdminTask deleteSIBDestination "-bus $bus -name AL"\nif {[$AdminConfig '
    b"hasChanges]} { $AdminConfig save }\n$AdminConfig reset\n",
)
_DISPLAY = (
    b"Starting MQSC for queue manager QM1.\n\n     1 : dis ql(a) +\n       : "
    b"all\nAMQ8409I: Display Queue details.\n"
    b"   QUEUE(A)                                TYPE(QLOCAL)\n   DESCR(a (b))           "
    b"                 USAGE(NORMAL)\n   PUT(ENABLED)\n"
    b"AMQ8408I: Display.\n   QMNAME(QM1)                             DEADQ( )\nAMQ8417I: "
    b"x\n   CHANNEL(X)      STATUS(RUNNING)\nAMQ8405I: x\n",
)
_SHELL = (
    b"#!/bin/sh\nQM=QM1\ncrtmqm -u D -p 1414 $QM\nrunmqsc $QM <<EOF\nDEFINE QLOCAL(A) "
    b"+\n  REPLACE\nEOF\necho 'DEFINE QLOCAL('\\''b'\\'')' | runmqsc QM2\n"
    b'printf "DEFINE QL(C)\\nALTER QMGR DEADQ(C)" \\\n "X" > a.in\nrunmqsc QM2 < a.in\n',
)
_MQ_YAML = (
    b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a.mqsc: |\n    "
    b"DEFINE QLOCAL(A)\n  qm.ini: |\n"
    b"    TCP:\n      Port=1\n---\napiVersion: mq.ibm.com/v1beta1\nkind: "
    b"QueueManager\nmetadata: {name: q}\nspec:\n  queueManager:\n"
    b"    mqsc:\n    - configMap: {name: c}\n",
)
_REST = (
    (
        b'{"type": "runCommandJSON", "command": "define", "qualifier": "qlocal", "name": '
        b'"A", "parameters": {"usage": "xmitq"}}'
    ),
    (
        b'{"commandResponse": [{"text": ["AMQ8409I: x", "   QUEUE(A)    TYPE(QALIAS)", "   '
        b'TARGET(B)"]}]}'
    ),
)
_INI = (
    b"Log:\n   LogPath=/var/mqm/log/QM1/\nTCP:\n   Port=1414\n",
    b"QueueManager:\n   Name=QM1\n   Directory=QM1\n",
)
_MQE = (
    b"kind: mqe\nqueueManager: a\ncodebase: java\naliases: {V: b, W: V}\nlisteners: "
    b"[{name: L, port: 8081}]\nconnections:\n- {name: b, type: direct}\n"
    b"- {name: c, type: via, via: b}\nqueues:\n- {type: saf, name: S, qmgrs: [b, c], "
    b"forwardTo: b}\n- {type: remote, name: Q, qmgr: b, mode: async}\n---\n"
    b"kind: mqe\nqueueManager: b\nlisteners: [{port: 1}]\nxmitqListeners: "
    b"[{mqQueueManager: M, xmitq: X}]\nconnections: [{name: a, type: direct}]\nqueues:\n"
    b"- {type: saf, name: S, qmgrs: [c], forwardTo: a}\n- {type: home, name: S, "
    b"homeServer: a, timer: 5}\n- {type: bridge, name: Q, qmgr: M, aliases: [R]}\n",
)
_OWN = {
    "devices.yaml": _MQE,
    "mqsc.mqsc": _MQSC,
    "display.txt": _DISPLAY,
    "mqsc.sh": _SHELL,
    "change.txt": _SCRIPT,
    "change.mqsc": _MQSC_SCRIPT,
    "change.sh": _QDMANAGE,
    "change-rabbitmq.sh": _RABBITMQ,
    "change.py": _JYTHON,
    "change.jacl": _JACL,
    "mqsc.yaml": _MQ_YAML,
    "rest.json": _REST,
    "qm.ini": _INI,
    "selector": _SELECTORS,
    "clients.csv": _CLIENTS,
    "manifest.yaml": _MANIFEST,
    "show-routes.txt": _SHOW_ROUTES,
    "show.txt": _SHOW,
}

WORDS = (
    b"\n", b"\r", b"\r\n", b" ", b"\t", b"\0", b"\xff", b"\xc2\xa0", b"\xe2\x80\x9c",
        b"\xed\xa0\x80", b'"', b"'", b"=", b":", b"//", b"://", b"@",
    b",", b";", b"#", b"[", b"]", b"{", b"}", b"(", b")", b"*", b">", b".", b"$TMP$.", b"\\",
        b"&a ", b"*a", b"<<: ", b"- ", b"---\n", b"null", b"1e999",
    b"AdminTask.", b"$AdminTask ", b"-bus ", b"-name ", b"AdminConfig.save()\n", b"+\n", b"-\n",
        b"DEFINE QLOCAL(", b"''", b"LIKE(", b"EOF",
    b"-9223372036854775809", b"tcp://h:99999", b"password", b"selector", b"global", b"routes",
        b"type", b"name", b"{{ x }}", b"${X}", b"\\ud800",
)  # fmt: skip
"""What stands in files of some kind, or must not."""


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    """Sound files of a kind: those of the examples, and those with a value at every place
    (``redaction.planted``).
    """
    patterns = _LOOK_LIKE.get(name, (f"*/{name}", name))
    with tempfile.TemporaryDirectory() as folder:
        planted_estate(Path(folder))
        found = [
            path.read_bytes()
            for path in sorted(Path(folder).rglob("*"))
            if any(map(path.match, patterns))
        ]
    found += [
        path.read_bytes()
        for pattern in (f"*/{name}", name)
        for path in sorted((ROOT / "examples").rglob(pattern))
    ]
    return (b"", *_OWN.get(name, ()), *dict.fromkeys(data[:LARGEST_SEED] for data in found))


@cache
def changed(name: str) -> st.SearchStrategy[bytes]:
    """Files of a kind with up to eight changes: a part cut out, repeated, moved or replaced by
    words of the grammar or by any bytes.
    """
    return st.builds(_apply, st.sampled_from(seeds(name)), st.lists(_CHANGES, max_size=8))


def pumped(name: str, at: random.Random) -> bytes:
    """A sound file of a kind in which one thing (a word, a mark, a line or a few) stands many
    thousand times: as large as a target takes."""
    data = at.choice([one for one in seeds(name) if one])
    parts = at.choice((_WORD, _LINE)).findall(data) or [data]
    place = at.randrange(len(parts))
    end = min(len(parts), place + at.choice((1, 1, 2, 3, 8)))
    many = b"".join(parts[place:end]) if at.random() < 0.7 else at.choice(WORDS)
    times = LARGEST // max(1, len(many))
    return b"".join((*parts[:place], many * times, *parts[end:]))


_WORD, _LINE = re.compile(rb"\w++|\s++|[^\w\s]"), re.compile(rb"[^\n]*+\n?")
_PLACES = st.floats(0, 1)
_CHANGES = st.tuples(
    st.sampled_from(["insert", "cut", "repeat", "replace", "end"]),
    _PLACES,
    st.integers(0, 60),
    st.lists(st.sampled_from(WORDS), max_size=6).map(b"".join) | st.binary(max_size=8),
)


def _apply(data: bytes, changes: list[tuple[str, float, int, bytes]]) -> bytes:
    for kind, place, length, given in changes:
        at = int(place * len(data))
        before, part, behind = data[:at], data[at : at + length], data[at + length :]
        if kind == "insert":
            data = before + given + part + behind
        elif kind == "cut":
            data = before + behind
        elif kind == "repeat":
            data = before + part * (1 + length) + behind
        elif kind == "replace":
            data = before + given + behind
        else:
            data = before
    return data
