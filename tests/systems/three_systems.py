"""A network of three systems whose messages go step by step, with seams: devices of MQ
Everyplace, queue managers of IBM MQ in a cluster, and two buses, one with a link to a queue
manager."""

from __future__ import annotations

from pathlib import Path

from sibus_forms import NAMESPACES, document

MANAGERS = ("QM1", "QM2", "QM3")

_ALL = """DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CONNAME('{name}.example(1414)') CLUSTER(PORT)
DEFINE CHANNEL(TO.{full}) CHLTYPE(CLUSSDR) CONNAME('{full}.example(1414)') CLUSTER(PORT)
"""

_FIRST = """ALTER QMGR REPOS(PORT) DEADQ(DEAD)
DEFINE QLOCAL(DEAD)
DEFINE QLOCAL(ORDERS)
DEFINE QLOCAL(HARBOUR.XMITQ) USAGE(XMITQ)
DEFINE QREMOTE(JOBS) RNAME(JOBS) RQMNAME('harbour') XMITQ(HARBOUR.XMITQ)
DEFINE QLOCAL(TO.QM2) USAGE(XMITQ)
DEFINE QREMOTE(STOCK) RNAME(STOCK) RQMNAME(QM2) XMITQ(TO.QM2)
DEFINE CHANNEL(QM1.QM2) CHLTYPE(SDR) CONNAME('QM2.example(1414)') XMITQ(TO.QM2)
DEFINE QREMOTE(NOWHERE) RNAME(X) RQMNAME(QM9) XMITQ(NO.READER)
DEFINE QLOCAL(NO.READER) USAGE(XMITQ)
DEFINE QLOCAL(CLOSED) PUT(DISABLED)
"""

_SECOND = """ALTER QMGR REPOS(PORT)
DEFINE QLOCAL(STOCK)
DEFINE CHANNEL(QM1.QM2) CHLTYPE(RCVR)
"""

_DEVICES = """kind: mqe
queueManager: harbour
codebase: java
bridgeEnabled: true
listeners:
  - {name: public, port: 8081}
connections: []
queues:
  - {type: local, name: JOBS}
  - {type: bridge, name: ORDERS, qmgr: QM1}
  - {type: saf, name: TO.CRANES, qmgrs: [crane], forwardTo: null}
xmitqListeners:
  - {mqQueueManager: QM1, xmitq: HARBOUR.XMITQ}
---
kind: mqe
queueManager: crane
codebase: java
listeners: []
connections:
  - {name: harbour, type: direct, address: harbour.example, port: 8081}
  - {name: QM1, type: via, via: harbour}
queues:
  - {type: local, name: JOBS}
  - {type: home, name: TO.CRANES, homeServer: harbour, timer: 0}
  - {type: remote, name: ORDERS, qmgr: QM1, mode: async}
"""


def write(root: Path, *systems: str) -> None:
    """The configuration of these systems (all three without any) under ``root``."""
    if not systems or "ibm_mq" in systems:
        for name in MANAGERS:
            own = {"QM1": _FIRST, "QM2": _SECOND}.get(name, "")
            full = "QM2" if name == "QM1" else "QM1"
            clustered = (
                "" if name == "QM1" else "DEFINE QLOCAL(CRANES) CLUSTER(PORT) DEFBIND(NOTFIXED)\n"
            )
            (root / f"{name}.mqsc").write_text(
                own + _ALL.format(name=name, full=full) + clustered, encoding="utf-8"
            )
    if not systems or "mqe" in systems:
        (root / "devices.yaml").write_text(_DEVICES, encoding="utf-8")
    if not systems or "sibus" in systems:
        _bus(root, "Yard", "Office", mq="QM1")
        _bus(root, "Office", "Yard")


def _bus(root: Path, name: str, other: str, mq: str = "") -> None:
    folder = root / "cells" / "c" / "buses" / name
    folder.mkdir(parents=True)
    foreign = [
        (
            f'<foreignBus name="{other}"><virtualLink '
            f'xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L{other}"/></foreignBus>'
        )
    ]
    links = [
        (
            f'<gatewayLink name="to {other}" targetUuid="L{other}" '
            f'remoteMessagingEngineName="e.{other}"/>'
        )
    ]
    if mq:
        foreign.append(
            f'<foreignBus name="{mq}"><virtualLink '
            'xmi:type="sibresources:SIBVirtualMQLink" uuid="LQ"/></foreignBus>'
        )
        links.append(f'<mqLink name="to {mq}" targetUuid="LQ" qmName="{name}"/>')
    bus = (
        f'<sibresources:SIBus {NAMESPACES} name="{name}" '
        f'uuid="{name}">{"".join(foreign)}</sibresources:SIBus>'
    )
    engine = f'<sibresources:SIBMessagingEngine name="e.{name}" busName="{name}" uuid="E{name}">'
    path = f'<defaultForwardRoutingPath bus="{other}" destination="in"/>'
    destinations = [
        '<sibresources:SIBQueue identifier="in" xmi:id="a"/>',
        f'<sibresources:SIBQueue identifier="on" xmi:id="b">{path}</sibresources:SIBQueue>',
    ]
    if mq:
        path = f'<defaultForwardRoutingPath bus="{mq}" destination="ORDERS"/>'
        destinations.append(
            f'<sibresources:SIBQueue identifier="orders" xmi:id="c">{path}</sibresources:SIBQueue>'
        )
    (folder / "sib-bus.xml").write_text(f'<?xml version="1.0"?>\n{bus}', encoding="utf-8")
    (folder / "sib-engines.xml").write_text(
        document(engine, *links, "</sibresources:SIBMessagingEngine>"), encoding="utf-8"
    )
    (folder / "sib-destinations.xml").write_text(document(*destinations), encoding="utf-8")
