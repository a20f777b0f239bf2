"""Files of SIBus, IBM MQ and MQ Everyplace, others beside them, and archives."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from redaction.planting.words import Planted


def sibus(p: Planted) -> Iterator[tuple[str, str]]:
    """The same bus as documents of a cell, as scripts and as output, and a server of Liberty."""
    xmi = (
        'xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:sibresources="http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi"'
    )
    yield (
        "cell/cells/c/buses/LAMBDA/sib-destinations.xml",
        f"""<xmi:XMI {xmi}>
<sibresources:SIBQueue identifier="Q" description="{p.text()}" password="{p.secret()}" {p.key()}="{p.text()}">
<defaultForwardRoutingPath bus="LAMBDA" destination="Q2"/></sibresources:SIBQueue>
<sibresources:SIBQueue identifier="Q2"/>
</xmi:XMI>
""",  # noqa: E501
    )
    yield (
        "cell/cells/c/buses/LAMBDA/sib-bus.xml",
        f"""<sibresources:SIBus {xmi} name="LAMBDA" interEngineAuthAlias="{p.secret()}" description="{p.text()}">
<foreignBus name="MU"><virtualLink xmi:type="sibresources:SIBVirtualMQLink" uuid="1" outboundUserid="{p.user()}">
<linkRef authAlias="{p.secret()}" password="{p.secret()}"/></virtualLink></foreignBus></sibresources:SIBus>
""",  # noqa: E501
    )
    yield (
        "cell/cells/c/nodes/n/servers/s/sib-engines.xml",
        f"""<xmi:XMI {xmi}><sibresources:SIBMessagingEngine name="n.s-LAMBDA" busName="LAMBDA">
<dataStore authAlias="{p.secret()}"/><mqLink name="l" targetUuid="1" qmName="V"><senderChannel senderChannelName="S.R"
 hostName="{p.host()}" port="1414" connameList="{p.host()}(1414)"/></mqLink></sibresources:SIBMessagingEngine></xmi:XMI>
""",  # noqa: E501
    )
    yield (
        "scripts/bus.py",
        f"""AdminTask.createSIBus('[-bus NU -interEngineAuthAlias {p.secret()} -description {p.text()}]')
AdminTask.addSIBusMember('[-bus NU -node n -server s]')
AdminTask.createSIBDestination('[-bus NU -name Q -type Queue -password {p.secret()} -{p.key()} {p.text()}]')
AdminTask.createSIBForeignBus('[-bus NU -name XI -routingType Direct -type MQ -inboundUserid {p.user()} -outboundUserid {p.user()}]')
AdminTask.createSIBMQLink('[-bus NU -messagingEngine n.s-NU -name l -foreignBusName XI -queueManagerName V -hostName {p.host()}]')
secret = '{p.secret()}'
AdminTask.createSIBNews('[-bus NU -password ' + secret + ' -pw {p.secret()}]')
""",  # noqa: E501
    )
    yield (
        "scripts/bus.jacl",
        f"$AdminTask createSIBDestination {{-bus OMICRON -name Q -type Queue -password "
        f"{p.secret()} -description {p.text()}}}\n"
        f"$AdminTask createSIBLink {{-bus OMICRON -name l -foreignBusName NU "
        f"-bootstrapEndpoints {p.host()}:7276:BootstrapBasicMessaging}}\n",
    )
    yield (
        "scripts/session.txt",
        f"wsadmin>$AdminTask showSIBDestination {{-bus LAMBDA -name Q}}\n{{identifier=Q, "
        "exceptionDestination=BAD, maxFailedDeliveries=5, "
        f"description={p.text()}, password={p.secret()}}}\n",
    )
    yield (
        "servers/pi/server.xml",
        f"""<server><variable name="pw" value="{p.secret()}"/><messagingEngine>
<queue id="Q" password="${{pw}}" trustPassword="{p.secret()}" {p.key()}="{p.text()}"/></messagingEngine>
<jmsConnectionFactory><properties.wasJms userName="{p.text()}" password="{p.secret()}"/></jmsConnectionFactory></server>
""",  # noqa: E501
    )


def ibm_mq(p: Planted) -> Iterator[tuple[str, str]]:
    host, user = p.host(), p.user()
    yield (
        f"mq/{host}/{user}/QMALPHA.mqsc",
        f"""* Queue manager name: QMALPHA
ALTER QMGR DEADQ(QMDLQ) KEYRPWD('{p.secret()}') SSLCRYP('GSK_PKCS11=/x;t;{p.secret()};') DESCR('{p.text()}') SSLKEYR('/{p.text()}')
DEFINE QLOCAL(QMDLQ) DESCR('password={p.secret()}') CUSTOM('{p.text()}') PASSWRD('{p.secret()}') NONSENSE('{p.text()}')
DEFINE QLOCAL(QMBETA) USAGE(XMITQ)
DEFINE QREMOTE(QMR) RNAME(QMX) RQMNAME(QMBETA)
DEFINE CHANNEL(QMA.QMB) CHLTYPE(SDR) CONNAME('{host}(1414),{p.host()} (1415)') XMITQ(QMBETA) USERID('{user}') PASSWORD('{p.secret()}') +
  LOCLADDR('{p.host()}') MCAUSER('{p.user()}') SSLPEER('CN={p.text()}') SCYEXIT('/{p.text()}') SCYDATA('{p.text()}')
DEFINE LISTENER(QML) TRPTYPE(TCP) PORT(1414) IPADDR('{p.host()}')
DEFINE SERVICE(QMS) STARTCMD('/{p.text()}') STARTARG('-p {p.text()}')
DEFINE AUTHINFO(QMI) AUTHTYPE(IDPWLDAP) CONNAME('{p.host()}(389)') LDAPUSER('{p.user()}') LDAPPWD('{p.secret()}') BASEDNU('{p.text()}')
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('{p.user()}','{p.user()}')
SET CHLAUTH('QMA.*') TYPE(ADDRESSMAP) ADDRESS('{p.host()}') MCAUSER('{p.user()}')
SET AUTHREC PROFILE(QMDLQ) OBJTYPE(QUEUE) PRINCIPAL('{p.user()}') AUTHADD(PUT)
LDAPPWD('{p.secret()}')
a line {p.text()} that is nothing
DEFINE AUTHINFO(QMJ) AUTHTYPE(IDPWLDAP) LDAPPWD('{p.secret()}
""",  # noqa: E501
    )
    yield (
        "mq/QMBETA.txt",
        f"""Starting MQSC for queue manager QMBETA.
AMQ8408I: Display Queue Manager details.
   QMNAME(QMBETA)                          DEADQ( )
   DESCR({p.text()})
AMQ8414I: Display Channel details.
   CHANNEL(QMA.QMB)                        CHLTYPE(RCVR)
   MCAUSER({p.user()})
AMQ8417I: Display Channel Status details.
   CHANNEL(QMA.QMB)                        CHLTYPE(RCVR)
   CONNAME({p.host()})                     RAPPLTAG({p.text()})
   STATUS(RUNNING)                         SUBSTATE(RECEIVE)
""",
    )
    yield (
        "mq/run.sh",
        f"""PW={p.secret()}
runmqsc QMGAMMA <<EOF
DEFINE AUTHINFO(QMI) AUTHTYPE(IDPWLDAP) LDAPPWD('$PW')
DEFINE CHANNEL(QMC) CHLTYPE(SDR) CONNAME('{p.host()}') PASSWORD({p.secret()})
EOF
""",
    )
    yield (
        "mq/cm.yaml",
        f"""kind: ConfigMap
metadata: {{name: QMDELTA}}
data:
  QMDELTA.mqsc: |
    ALTER QMGR SSLKEYR('/{p.text()}') KEYRPWD('{p.secret()}')
    DEFINE QLOCAL(QMQ)
  qm.ini: |
    SSL:
      KeyRepositoryPassword={p.secret()}
      SSLSetting={p.text()}
""",
    )
    command = f"DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWORD('{p.secret()}')"
    yield "mq/rest.json", json.dumps({"type": "runCommand", "parameters": {"command": command}})


def mqe(p: Planted) -> Iterator[tuple[str, str]]:
    yield (
        "mqe/devices.yaml",
        f"""kind: mqe
queueManager: GATE
codebase: java
listeners:
- {{name: L, adapter: {p.text()}, address: {p.host()}, port: 8081}}
connections:
- {{name: DEVICE, type: direct, address: {p.host()}, port: 8081, adapter: {p.text()}, channel: {p.text()}}}
- {{name: DEPOT, type: direct, address: "{p.host()}", password: {p.secret()}, {p.key()}: {p.text()}}}
queues:
- {{type: local, name: Q, description: {p.text()}, path: /data/{p.text()}, authenticator: {p.text()}}}
- {{type: saf, name: S, qmgrs: [DEVICE]}}
---
kind: mqe
queueManager: DEVICE
description: {p.text()}
connections:
- {{name: GATE, type: direct, address: {p.host()}}}
queues:
- {{type: home, name: S, homeServer: GATE, timer: 0}}
- {{type: local, name: Q}}
""",  # noqa: E501
    )


def others(p: Planted) -> Iterator[tuple[str, str]]:
    yield (
        "topograph.yaml",
        f"""hosts:
  {p.host()}: ALPHA
  "{p.host()}:7222": BETA
  {p.host()}: {{password: {p.secret()}}}
paths:
  /opt/{p.text()}: json
clients:
  - server: ALPHA
    destination: topic:orders
    client_id: {p.client()}
    user: {p.user()}
  - {{server: BETA, destination: nonsense-{p.text()}, user: {p.user()}, password: {p.secret()}}}
{p.text()}: {p.text()}
""",
    )
    yield "notes/notes.txt", f"password {p.secret()} for {p.user()} at {p.host()}\n"
    yield (
        "stray/routes.conf",
        f"[DELTA]\n url = tcp://{p.host()}:7222\n ssl_password = {p.secret()}\n",
    )
    yield (
        "broken/tibemsd.conf",
        (
            f"server = EPSILON\nrouting = enabled\nlisten = tcp://{p.host()}:7222\nusers = "
            "users.conf\n"
        ),
    )
    yield "broken/users.conf", f"\u201c{p.user()}\u201d:{p.secret()}:\n{p.user()}\n"


def archives(p: Planted, root: Path) -> None:
    """Servers in archives, inside folders that are called after hosts and users."""
    for number, kind in enumerate(("zip", "tar.gz")):
        host, user = p.host(), p.user()
        name = f"{host}/{user}/tibemsd.conf"
        content = (
            f"server = Z{number}\nlisten = tcp://{host}:7222\nuser_name = {user}\npassword = "
            f"{p.secret()}\n"
        ).encode()
        refused = f"../{host}/{user}"
        path = root / f"{host}.{kind}"
        if kind == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(name, content)
                archive.writestr(refused, b"x")
            continue
        with tarfile.open(path, "w:gz") as packed:
            for member, data in ((name, content), (refused, b"x")):
                entry = tarfile.TarInfo(member)
                entry.size = len(data)
                packed.addfile(entry, io.BytesIO(data))
