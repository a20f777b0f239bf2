"""Credentials in every form that people write them in, and an estate of each system with all of
them: a form per line, in every place where text of any kind may be written.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

KEY = "-----BEGIN RSA PRIVATE KEY-----{0}MIIEpAIBAAKCAQEA1{0}-----END RSA PRIVATE KEY-----"
FORMS = (
    "-p {0}", "--password {0}", "--password={0}", "-password {0}", "password={0}", "PASSWORD={0}",
    "token={0}", "-Dtoken={0}", "-Dtoken {0}", "-Dpassword={0}", "curl -u user:{0} http://h",
    "curl --user user:{0} h", "https://user:{0}@h/p", "amqps://user:{0}@h:5671", KEY, KEY[:60],
    "Authorization: Basic {0}dXNlcg==", "Bearer {0}abc", "pwd: {0}x", "secret: {0}", "apikey={0}",
    "api_key={0}", "AWS_SECRET_ACCESS_KEY={0}", "sshpass -p {0} ssh h", "PGPASSWORD={0} psql",
    "mysql -p{0} -u root", "tool -user u -password {0}", "https://h/x?token={0}&b=1",
    "https://h/x?a=1&sig={0}", "jdbc:db2://h:1/db:user=u;password={0};",
    "keytool -storepass {0} -keypass {0}", "openssl -passin pass:{0}", "ldap://u:{0}@h",
)  # fmt: skip
"""Credentials as people write them into any text."""

NAMES = (
    "user:{0}@host", "amqps://user:{0}@host", "https://user:{0}@host:5671", "password={0}",
    "orders.token={0}.x", "pass:{0}", "$man${0}", "https://h/x?token={0}",
)  # fmt: skip
"""Credentials that people write in place of a name. None has a blank, a quote or a comma in it."""
FORMS += NAMES

PLANTED = re.compile(r"tiger(\d+)q")
"""The secret of a form, with the number of the form."""


def planted_form(number: int) -> str:
    """The form of this number (counted round) with its secret."""
    at = number % len(FORMS)
    return FORMS[at].format(f"tiger{at}q")


@dataclass(frozen=True, slots=True)
class FormsEstate:
    """An estate and a change with every form; two servers and a destination to ask about."""

    files: dict[str, str]
    servers: tuple[str, str]
    destination: str
    change: str

    def write(self, root: Path, name: str = "estate") -> Path:
        """The estate's folder ``name`` below ``root``; ``change``,
        ``policies.yaml`` and ``clients.csv`` lie next to it."""
        for file, content in self.files.items():
            path = root / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        (root / "change").write_text(self.change, encoding="utf-8")
        (root / "policies.yaml").write_text(_policies(*self.servers), encoding="utf-8")
        (root / "clients.csv").write_text(
            "server,destination,client_id\n"
            + each(f"{self.servers[0]},{self.destination},cNO FORM"),
            encoding="utf-8",
        )
        return root / name


def each(*templates: str) -> str:
    """Each template once per form: ``FORM`` is the form, ``NO`` its number. The lines of one form
    follow each other."""
    return "".join(
        template.replace("FORM", planted_form(number)).replace("NO", str(number)) + "\n"
        for number in range(len(FORMS))
        for template in templates
    )


def each_name(*templates: str) -> str:
    """Each template once per form of a name, as ``each`` makes them of all forms."""
    return "".join(
        template.replace("FORM", planted_form(number)).replace("NO", str(number)) + "\n"
        for number in range(len(FORMS) - len(NAMES), len(FORMS))
        for template in templates
    )


def estates() -> dict[str, FormsEstate]:
    """The estates by the name of their system."""
    return {
        "ems": _ems(),
        "amq_interconnect": _amq_interconnect(),
        "ibm_mq": _ibm_mq(),
        "mqe": _mqe(),
        "sibus": _sibus(),
        "rabbitmq": _rabbitmq(),
    }


def _notes(server: str, destination: str) -> dict[str, str]:
    """Files that every estate has: notes, a script, and a topograph.yaml with faults."""
    return {
        "README.md": each("# notes NO", "FORM", f"{server}: FORM"),
        "scripts/run.sh": "#!/bin/sh\n" + each("# FORM", "tool NO FORM", 'X="FORM"'),
        "topograph.yaml": "hosts:\n"
        + each('  "hostNO FORM": "no server FORM"')
        + "clients:\n"
        + each(
            f"  - {{server: {server}, destination: {json.dumps(destination)}, role: receiver, "
            'client_id: "cNO FORM"}'
        )
        + "waivers:\n"
        + each('  - {rule: R1, reason: "FORM"}')
        + "versions:\n"
        + each('  "SNO": "FORM"')
        + "paths:\n"
        + each('  "/opt/NO FORM": "elsewhere/NO"'),
    }


def _policies(one: str, two: str) -> str:
    """Policies of which some fail, and some are waived."""
    return "policies:\n" + each(
        '  - id: "pNO FORM"',
        '    because: "FORM"',
        f"    never_reaches: {{from: {one}, to: {two}}}",
        '  - id: "wNO FORM"',
        f"    reaches: {{from: {two}, to: {one}}}",
        "    waivers:",
        '      - {reason: "FORM", owner: "FORM", expires: 2099-01-01}',
    )


def _ems() -> FormsEstate:
    listing = " users = users.conf\ngroups = groups.conf\nacl_list = acl.conf\ntopics = "
    listing += "topics.conf\nqueues = queues.conf\nroutes = routes.conf\nbridges = bridges.conf\n"
    listing += "durables = durables.conf\nfactories = factories.conf\nstores = stores.conf\n"
    main = "server = {0}\nrouting = enabled\nauthorization = enabled\nlisten = tcp://{0}:7222\n"
    route = "[{0}]\n url = tcp://{0}:7222\n zone_name = Z\n zone_type = mhop\n"
    return FormsEstate(
        {
            **_notes("ALPHA", "topic:orders"),
            "a/tibemsd.conf": main.format("ALPHA")
            + listing
            + each(
                "# FORM",
                "# topograph: waive TL-NO FORM",
                "unknown_NO = FORM",
                "jre_option = FORM",
                "listen = FORM",
                "FORM",
                "logfile = FORM",
            ),
            "a/users.conf": each('uNO:pw:"FORM"', "uNO FORM") + each_name("FORM:pw:", "FORM"),
            "a/groups.conf": each('gNO:"FORM"', "  FORM") + each_name("FORM:x", "  FORM"),
            "a/acl.conf": each("TOPIC=orders USER=uNO PERM=FORM", "FORM")
            + each_name("TOPIC=FORM USER=FORM PERM=publish", "QUEUE=FORM GROUP=FORM PERM=send"),
            "a/topics.conf": "orders global\n"
            + each("tNO FORM", "tNO global,FORM")
            + each_name("FORM global", "FORM", "orders.FORM.> store=FORM"),
            "a/queues.conf": each("qNO FORM") + each_name("FORM", "FORM@BETA global"),
            "a/routes.conf": route.format("BETA")
            + each(" strange_NO = FORM", " FORM")
            + each_name("[FORM]", " url = tcp://hNO:7222", " zone_name = FORM"),
            "a/bridges.conf": "[topic:orders]\n"
            + each(" queue=qNO FORM", " FORM")
            + each_name(" queue=FORM", "[topic:FORM]", " topic=FORM"),
            "a/durables.conf": each("orders dNO clientid=c,FORM", "orders eNO FORM")
            + each_name("FORM FORM clientid=FORM", "orders FORM route"),
            "a/factories.conf": "[F]\n type = generic\n"
            + each(" description = FORM", " FORM")
            + each_name("[FORM]", " type = FORM", " url = tcp://h:7222"),
            "a/stores.conf": each("[sNO]", " type=file", " file=FORM", " FORM")
            + each_name("[FORM]", " type=FORM"),
            **{
                f"named/{number}.conf": main.format(planted_form(number))
                for number in range(len(FORMS) - len(NAMES), len(FORMS))
            },
            "b/tibemsd.conf": main.format("BETA") + "routes = routes.conf\ntopics = topics.conf\n",
            "b/topics.conf": "orders global\n",
            "b/routes.conf": route.format("ALPHA"),
            "b/show.txt": "BETA> show routes\n" + each("FORM", "  BETA FORM"),
        },
        ("ALPHA", "BETA"),
        "topic:orders",
        "delete route BETA\n"
        + each(
            "# FORM",
            "FORM",
            "frobnicate NO FORM",
            "create topic nNO FORM",
            "setprop topic orders FORM",
            "set server FORM",
            "connect FORM",
        )
        + each_name(
            "create queue FORM",
            "delete topic FORM",
            "create bridge source=queue:FORM target=topic:FORM",
            "create route FORM url=tcp://hNO:7222 zone_name=FORM",
            "create route rNO url=tcp://h FORM",
            "create user xNO FORM",
        ),
    )


def _amq_interconnect() -> FormsEstate:
    router = "router {{\n  mode: interior\n  id: {0}\n}}\nlistener {{\n  host: {1}\n  port: 5672\n"
    router += "  role: inter-router\n}}\n"
    return FormsEstate(
        {
            **_notes("ONE", "address:orders"),
            "one.conf": router.format("ONE", "one")
            + "connector {\n  name: c\n  host: two\n  port: 5672\n  role: inter-router\n}\n"
            + "address {\n  prefix: orders\n  distribution: balanced\n}\n"
            + each(
                "# FORM",
                "# topograph: waive R-NO FORM",
                "listener {",
                "  name: oNO",
                "  host: one",
                "  port: 7NO",
                "  openProperties: {",
                '    "a": "FORM",',
                '    "b": "FORM"',
                "  }",
                "}",
            ),
            "two.conf": router.format("TWO", "two"),
            "names.conf": router.format("NAMES", "names")
            + each_name(
                "connector {",
                "  name: FORM",
                "  host: hNO",
                "  role: route-container",
                "}",
                "address {",
                "  name: FORM",
                "  prefix: FORM",
                "}",
                "linkRoute {",
                "  name: FORM",
                "  pattern: FORM",
                "  connection: FORM",
                "  direction: in",
                "}",
                "autoLink {",
                "  address: FORM",
                "  containerId: FORM",
                "  direction: out",
                "}",
                "listener {",
                "  name: FORM",
                "  host: namesNO",
                "  port: 56NO",
                "  role: FORM",
                "}",
                "sslProfile {",
                "  name: FORM",
                "}",
            ),
            **{
                f"named/{number}.conf": router.format(planted_form(number), f"r{number}")
                for number in range(len(FORMS) - len(NAMES), len(FORMS))
            },
            "faulty.conf": router.format("FAULTY", "faulty")
            + each(
                "listener {",
                "  name: lNO",
                "  host: one",
                "  port: 6NO",
                "  strange: FORM",
                "  failoverUrls: FORM",
                "  cost: FORM",
                '  openProperties: {"a": "FORM", "b": {"c": "FORM"}}',
                "}",
                "address {",
                "  prefix: aNO",
                "  distribution: FORM",
                "}",
                "unknownNO {",
                "  x: FORM",
                "}",
            ),
            "three.conf": router.format("THREE", "three") + each("FORM"),
            "four.conf": router.format("FOUR", "four") + each("  metadata: FORM"),
            "dump.txt": "$ qdmanage -b amqp://one query --type connector\n" + each("FORM"),
        },
        ("ONE", "TWO"),
        "address:orders",
        "qdmanage -r ONE delete --type connector --name c\n"
        + each(
            "# FORM",
            "FORM",
            "qdmanage -r ONE create --type address name=nNO prefix=nNO 'FORM'",
            "qdmanage -r ONE create --type connector name=kNO host=h 'x=FORM'",
            "qdmanage -r ONE create --type listener name=mNO 'port=FORM'",
            "qdmanage -r ONE FORM",
            "frobnicate NO FORM",
        )
        + each_name(
            "qdmanage -r ONE delete --type connector --name 'FORM'",
            "qdmanage -r ONE create --type address name='FORM' prefix='FORM'",
        ),
    )


def _ibm_mq() -> FormsEstate:
    return FormsEstate(
        {
            **_notes("QM1", "queue:ORDERS"),
            "QM1.mqsc": "* Queue manager name: QM1\nDEFINE QLOCAL(QM2) USAGE(XMITQ)\n"
            "DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(QM2)\n"
            "DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME('qm2(1414)') XMITQ(QM2)\n"
            + each(
                "* FORM",
                "* topograph: waive MQ-NO FORM",
                "DEFINE QLOCAL(LNO) DESCR('FORM') CUSTOM('FORM') NONSENSE('FORM')",
                "DEFINE QLOCAL(UNO) USAGE('FORM')",
                "DEFINE SERVICE(SNO) STARTCMD('/bin/x') STARTARG('FORM') STDOUT('FORM')",
                "DEFINE CHANNEL(CNO) CHLTYPE(SDR) CONNAME('FORM') XMITQ(QM2) SCYDATA('FORM')",
                "DEFINE PROCESS(PNO) APPLICID('FORM') ENVRDATA('FORM') USERDATA('FORM')",
                "DEFINE TOPIC(TNO) TOPICSTR('t/NO') DESCR('FORM')",
                "DEFINE QLOCAL(VNO) FORM",
                "FORM",
            )
            + each_name(
                "DEFINE QLOCAL('FORM') CLUSTER('FORM')",
                "DEFINE QREMOTE('R.FORM') RNAME('FORM') RQMNAME('FORM') XMITQ('FORM')",
                "DEFINE QALIAS('A.FORM') TARGET('FORM')",
                "DEFINE CHANNEL('FORM') CHLTYPE(SDR) CONNAME('h(1414)') XMITQ('FORM')",
                "DEFINE CHANNEL('C.FORM') CHLTYPE(CLUSRCVR) CONNAME('h(1414)') CLUSTER('FORM')",
                "DEFINE NAMELIST('FORM') NAMES('FORM')",
                "DEFINE TOPIC('FORM') TOPICSTR('FORM')",
                "DEFINE SUB('FORM') TOPICSTR('FORM/#') DEST('FORM') DESTQMGR('FORM')",
                "SET AUTHREC PROFILE('FORM') OBJTYPE(QUEUE) PRINCIPAL('FORM') AUTHADD(PUT)",
            ),
            **{
                f"named/{number}.mqsc": f"* Queue manager name: {planted_form(number)}\n"
                "DEFINE QLOCAL(ORDERS)\n"
                for number in range(len(FORMS) - len(NAMES), len(FORMS))
            },
            "QM2.mqsc": "* Queue manager name: QM2\nDEFINE QLOCAL(ORDERS)\n"
            "DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)\n",
            "qm.ini": each("Unknown:", "  KeyNO=FORM", "  FORM"),
            "shown.txt": "Starting MQSC for queue manager QM3.\n"
            "AMQ8409I: Display Queue details.\n   QUEUE(Q)   TYPE(QLOCAL)\n"
            + each("   DESCR(FORM)", "FORM"),
            "run.sh": "runmqsc QM4 <<EOF\n"
            + each("DEFINE QLOCAL(QNO) DESCR('FORM')")
            + "EOF\n"
            + each("tool FORM"),
        },
        ("QM1", "QM2"),
        "queue:ORDERS",
        "* Queue manager name: QM1\nDELETE QREMOTE(ORDERS)\n"
        + each(
            "* FORM",
            "DEFINE QLOCAL(NNO) DESCR('FORM')",
            "DEFINE QLOCAL(MNO) FORM",
            "DEFINE QLOCAL(KNO) USAGE('FORM')",
            "ALTER QMGR DESCR('FORM') NONSENSE('FORM')",
            "FORM",
            "FROBNICATE NO FORM",
        )
        + each_name(
            "DELETE QLOCAL('FORM')",
            "DEFINE QREMOTE('N.FORM') RNAME('FORM') RQMNAME('FORM')",
        ),
    )


def _mqe() -> FormsEstate:
    return FormsEstate(
        {
            **_notes("GATE", "queue:Q@DEVICE"),
            "gate.yaml": "kind: mqe\nqueueManager: GATE\ncodebase: java\nlisteners:\n"
            "- {name: L, port: 8081}\nconnections:\n"
            "- {name: DEVICE, type: direct, address: device, port: 8081}\n"
            + each(
                '- {name: DNO, type: direct, address: hNO, adapter: "FORM", channel: "FORM"}',
                '- {name: ENO, type: "FORM", address: "FORM", strange: "FORM"}',
            )
            + "queues:\n- {type: local, name: Q}\n"
            + each(
                '- {type: local, name: QNO, description: "FORM", path: "FORM", rule: "FORM"}',
                '- {type: "FORM", name: RNO, timer: "FORM"}',
                "# FORM",
                "# topograph: waive MQE-NO FORM",
            )
            + each_name(
                '- {type: local, name: "FORM"}',
                '- {type: remote, name: "FORM", queueManager: "FORM"}',
                '- {type: home, name: "FORM", owner: "FORM"}',
            )
            + each('unknownNO: "FORM"'),
            **{
                f"named/{number}.yaml": f'kind: mqe\nqueueManager: "{planted_form(number)}"\n'
                "queues:\n- {type: local, name: Q}\n"
                for number in range(len(FORMS) - len(NAMES), len(FORMS))
            },
            "device.yaml": "kind: mqe\nqueueManager: DEVICE\ndescription: |\n"
            + each("  FORM")
            + "listeners:\n- {name: L, port: 8081}\nqueues:\n- {type: local, name: Q}\n",
        },
        ("GATE", "DEVICE"),
        "queue:Q@DEVICE",
        "kind: mqe\nqueueManager: GATE\n" + each("FORM", 'unknownNO: "FORM"'),
    )


def _sibus() -> FormsEstate:
    create = (
        "AdminTask.createSIBDestination('[-bus BUS -name {} -type Queue -node n -server s {}]')"
    )
    return FormsEstate(
        {
            **_notes("BUS", "queue:Q"),
            "bus.jy": "# Run by wsadmin.\nAdminTask.createSIBus('[-bus BUS]')\n"
            "AdminTask.addSIBusMember('[-bus BUS -node n -server s]')\n"
            + create.format("Q", "")
            + "\nAdminTask.createSIBForeignBus('[-bus BUS -name FAR -routingType Direct -type "
            "SIBus]')\n"
            + each(
                "# FORM",
                "# topograph: waive SB-NO FORM",
                create.format("ANO", '-description "FORM"'),
                create.format("BNO", '-strange "FORM"'),
                create.format("CNO", "FORM"),
                "x = 'FORM'",
                "frobnicate('FORM')",
                "AdminTask.createSIBNews('[-bus BUS \"FORM\"]')",
                "AdminTask.createSIBMQLink('[-bus BUS -name lNO -foreignBusName FAR -hostName "
                '"FORM"]\')',
            )
            + each_name(
                create.format("FORM", ""),
                "AdminTask.createSIBForeignBus('[-bus BUS -name FORM -routingType Direct -type "
                "SIBus]')",
                "AdminTask.createSIBDestination('[-bus BUS -name a.FORM -type Alias -aliasBus BUS "
                "-targetBus FORM -targetName FORM]')",
                "AdminTask.createSIBMQLink('[-bus BUS -name FORM -foreignBusName FORM "
                "-queueManagerName FORM]')",
                "AdminTask.createSIBus('[-bus FORM]')",
            ),
            "far.jacl": "$AdminTask createSIBus {-bus FAR}\n"
            "$AdminTask createSIBForeignBus {-bus FAR -name BUS -routingType Direct -type SIBus}\n"
            + each(
                "$AdminTask createSIBDestination {-bus FAR -name ANO -type Queue -description "
                '"FORM"}',
                "# FORM",
                "puts {FORM}",
                "FORM",
            ),
            "cell/cells/c/buses/MU/sib-destinations.xml": '<xmi:XMI xmlns:xmi="http://www.omg.org'
            '/XMI" xmlns:sibresources="http://www.ibm.com/websphere/appserver/schemas/6.0/'
            'sibresources.xmi">\n'
            + each(
                '<sibresources:SIBQueue identifier="QNO" description="FORM" strange="FORM"/>',
                "<!-- FORM -->",
            ).replace("&", "&amp;")
            + "</xmi:XMI>\n",
        },
        ("BUS", "FAR"),
        "queue:Q",
        "AdminTask.deleteSIBDestination('[-bus BUS -name Q]')\n"
        + each(
            "# FORM",
            create.format("NNO", '-description "FORM"'),
            create.format("MNO", '-strange "FORM"'),
            create.format("KNO", "FORM"),
            "AdminTask.frobnicate('[-bus BUS \"FORM\"]')",
            "x = 'FORM'",
            "frobnicate('FORM')",
        )
        + each_name(
            create.format("N.FORM", ""),
            "AdminTask.deleteSIBDestination('[-bus BUS -name FORM]')",
        ),
    )


def _rabbitmq_nodes() -> dict[str, str]:
    """Files of the nodes of the first cluster."""
    uri = "amqp://user:{}@far:5672"
    shovels = "".join(
        f'  {{s{number}, [{{source, [{{uris, ["{uri.format(f"tiger{number}q")}"]}}, '
        f'{{queue, <<"OUT">>}}]}}, {{destination, [{{uris, ["amqp://"]}}, '
        f'{{{what}, "{text}"}}]}}]}},\n'
        for number in range(len(FORMS))
        for what, text in (
            ("publish_fields", "x"),
            ("strange", planted_form(number).replace("\n", " ").replace('"', "")),
        )
    )
    return {
        "rabbitmq.conf": "cluster_name = north\ndefault_user = u\nlisteners.tcp.1 = 5672\n"
        + each(
            "default_pass = FORM",
            "load_definitions = /etc/FORM",
            "default_queue_type = FORM",
            "max_message_size = FORM",
            "auth_ldap.dn_lookup_bind.password = FORM",
            "log.file = FORM",
            "log.NO.FORM = x",
            "management.NO = x # FORM",
            "listeners.NO = FORM",
            "ssl_options.password = FORM",
            "unknownNO = FORM",
            "FORM",
        ),
        "advanced.config": '%% FORM\n[{rabbit, [{default_pass, <<"tiger1q">>}]},\n'
        f" {{rabbitmq_shovel, [{{shovels, [\n{shovels}  {{last, []}}]}}]}}].\n",
        "broken/advanced.config": "[{rabbit, [\n" + each("{default_pass, FORM},"),
        "rabbitmq-env.conf": "NODENAME=rabbit@north\n" + each("RABBITMQ_NO=FORM"),
    }


def _rabbitmq() -> FormsEstate:
    """Definitions of two clusters. Names of objects have the forms of names alone."""
    forms = [(number, planted_form(number)) for number in range(len(FORMS))]
    names = forms[len(FORMS) - len(NAMES) :]
    own = {"vhost": "/", "durable": True, "auto_delete": False}
    north = {
        "rabbit_version": "3.13.7",
        "users": [{"name": f"u{n}", "password_hash": text, "tags": text} for n, text in forms],
        "vhosts": [{"name": "/", "description": text} for _, text in forms],
        "permissions": [
            {"user": text, "vhost": "/", "configure": text, "write": text, "read": text}
            for _, text in names
        ],
        "parameters": [
            {
                "component": "shovel",
                "vhost": "/",
                "name": f"s{n}",
                "value": {
                    "src-uri": f"amqp://user:tiger{n}q@south",
                    "src-queue": "q",
                    "dest-uri": ["amqp://", f"amqp://user:tiger{n}q@b"],
                    "dest-queue": "q2",
                    "ack-mode": "on-confirm",
                    "note": text,
                },
            }
            for n, text in forms
        ],
        "policies": [
            {**own, "name": f"p{n}", "pattern": "^q", "definition": {"note": text, "max-length": n}}
            for n, text in forms
        ],
        "queues": [
            {**own, "name": "q", "arguments": {}},
            *({**own, "name": text, "arguments": {"x-note": text}} for _, text in names),
        ],
        "exchanges": [
            {**own, "name": "orders", "type": "topic", "arguments": {}},
            *({**own, "name": f"e{n}", "type": "topic", "arguments": {"note": text}}
              for n, text in forms),
        ],
        "bindings": [
            {"vhost": "/", "source": "orders", "destination": "q", "destination_type": "queue",
             "routing_key": text, "arguments": {}}
            for _, text in names
        ],
    }  # fmt: skip
    south = {
        "rabbit_version": "3.13.7",
        "vhosts": [{"name": "/"}],
        "queues": [{**own, "name": "q", "arguments": {}}],
        "exchanges": [],
        "bindings": [],
    }
    return FormsEstate(
        {
            "north.json": json.dumps(north, indent=1) + "\n",
            "south.json": json.dumps(south, indent=1) + "\n",
            **_notes("north", "exchange:orders"),
            **_rabbitmq_nodes(),
        },
        ("north", "south"),
        "exchange:orders",
        "#!/bin/sh\n"
        + each(
            "# FORM",
            "X='FORM'",
            "rabbitmqctl add_user uNO 'FORM'",
            "rabbitmqctl change_password uNO 'FORM'",
            'rabbitmqctl set_policy pNO \'^q\' \'{"max-length": NO, "note": "FORM"}\'',
            "rabbitmqctl add_vhost vNO --description 'FORM'",
            "rabbitmqctl set_parameter shovel sNO "
            '\'{"src-uri": "amqp://user:tigerNOq@south", "src-queue": "q", '
            '"dest-uri": "amqp://", "dest-queue": "q2", "note": "FORM"}\'',
            "rabbitmqadmin -u admin -p 'FORM' declare queue name=qNO",
            "rabbitmqadmin --password='FORM' declare user name=aNO password='FORM' tags=",
            "rabbitmqadmin users declare --name bNO --password 'FORM'",
            "rabbitmqadmin shovels declare_amqp091 --name tNO --source-uri "
            "'amqp://user:tigerNOq@h' --destination-uri 'amqp://' --source-queue q "
            "--destination-queue q2",
            'curl -u \'admin:tigerNOq\' -X PUT -d \'{"password": "tigerNOq", "tags": ""}\' '
            "http://admin:tigerNOq@north:15672/api/users/cNO",
            "curl -H 'Authorization: Basic tigerNOq' -XPUT -d '{\"type\": \"FORM\"}' "
            "http://north:15672/api/exchanges/%2F/xNO",
            "frobnicate 'FORM' rabbitmqctl 'FORM'",
            "rabbitmqctl frobnicate 'FORM'",
        )
        + each_name(
            "rabbitmqctl -p 'FORM' clear_policy 'FORM'",
            "rabbitmqadmin declare queue name='FORM'",
            "rabbitmqadmin -H 'FORM' -P 15672 delete queue name='FORM'",
        ),
    )
