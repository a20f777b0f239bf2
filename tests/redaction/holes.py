"""Files with holes wherever people can write a command, an address or a sentence, and the forms in
which such a text holds a secret.
"""

from __future__ import annotations

FORMS = (
    "-p tiger",
    "-pt1ger",
    "--password tiger",
    "--password=tiger",
    "-password tiger",
    "u:tiger@h",
    "u:tiger@h:1414",
    "https://u:tiger@h/x",
    "-Dtoken=tiger",
    "-Dpassword tiger",
    "curl -u u:tiger h",
    "curl --user=u:tiger h",
    "Authorization: Bearer tiger",
    "token=tiger",
    "a;pwd=tiger;b=c",
)
"""The ways in which commands, addresses and headers hold a secret."""

HOLE = "HOLE"

FILES = {
    "QM.mqsc": """DEFINE SERVICE(S) STARTCMD('HOLE') STARTARG('HOLE') STOPCMD('HOLE') STOPARG('HOLE')
DEFINE PROCESS(P) APPLICID('HOLE') ENVRDATA('HOLE') USERDATA('HOLE') DESCR('HOLE')
DEFINE QLOCAL(Q) DESCR('HOLE') CUSTOM('HOLE')
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('HOLE') XMITQ(Q) SCYEXIT('HOLE') DESCR('HOLE') LOCLADDR('HOLE')
DEFINE LISTENER(L) TRPTYPE(TCP) IPADDR('HOLE')
DEFINE AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL('HOLE')
""",  # noqa: E501
    "qm-ini.yaml": """kind: ConfigMap
metadata:
  name: settings
data:
  a.mqsc: |
    DEFINE QLOCAL(Q) DESCR('HOLE')
  qm.ini: |-
    QueueManager:
       Name=QM
    Channels:
       Adapter=HOLE
    Security:
       Module=HOLE
""",
    "router.conf": """router {
    id: A
    mode: interior
    metadata: HOLE
}
sslProfile {
    name: s
    certFile: HOLE
    privateKeyFile: HOLE
}
connector {
    name: c
    host: HOLE
    port: 5672
    failoverUrls: HOLE
}
""",
    "devices.yaml": """kind: mqe
queueManager: depot
description: HOLE
listeners:
  - {name: L, adapter: "HOLE", address: "HOLE", port: 8081}
connections:
  - {name: HQ, type: direct, adapter: "HOLE", address: "HOLE", port: 8080, description: "HOLE"}
queues:
  - {type: local, name: ORDERS, description: "HOLE"}
""",
    "ems/tibemsd.conf": """server = EMS
routing = enabled
listen = HOLE
jre_option = HOLE
jre_options = HOLE
ft_active = HOLE
description = HOLE
logfile = HOLE
routes = routes.conf
""",
    "ems/routes.conf": "[B]\n url = HOLE\n zone_name = Z\n zone_type = mhop\n",
    "ems/factories.conf": "[F]\n type = queue\n url = HOLE\n ssl_identity = HOLE\n",
    "bus.jy": """AdminTask.createSIBus('[-bus B -description "HOLE"]')
AdminTask.createSIBDestination('[-bus B -type Queue -name Q -description "HOLE"]')
""",
}
"""For every system a file of each kind with what people may write a command or an address into."""


def with_secret(file: str, form: str) -> dict[str, str]:
    """A file with a form in its holes, and the files that its system reads beside it."""
    return {
        name: text.replace(HOLE, form if name == file else "x")
        for name, text in FILES.items()
        if name == file or (name.startswith("ems/") and file.startswith("ems/"))
    }
