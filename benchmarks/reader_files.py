"""Files with very many entries, one kind for each reader: what their speed is measured on.

Each is a generator of pieces without an end; a file is as many of them as its size asks for, and
what closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """A kind of file. ``part`` is what it is to its server, ``main`` for a file of its own;
    ``opening`` and ``closing`` are what stands before and behind its pieces, ``between`` what
    divides them."""

    name: str
    system: str
    pieces: Callable[[], Iterator[str]]
    part: str = "main"
    opening: str = ""
    between: str = ""
    closing: str = ""

    def text(self, size: int) -> str:
        """A file of about ``size`` characters."""
        found, length = [], 0
        for piece in self.pieces():
            found.append(piece)
            length += len(piece)
            if length >= size:
                break
        return f"{self.opening}{self.between.join(found)}{self.closing}"


def parameters() -> Iterator[str]:
    """A tibemsd.conf with the few hundred names that a server knows, again and again, comments
    and blank lines between.
    """
    number = 0
    while True:
        number += 1
        yield f"# section {number} of the parameters\n\n"
        yield f"listen                    = tcp://host{number % 97}.example.com:7222\n"
        yield f"max_msg_memory            = {number}MB\n"
        yield "server_heartbeat_server   = 15\n"
        yield f"logfile                   = /opt/tibco/data/log/server{number}.log\n"
        yield "log_trace                 = DEFAULT,+CONNECT,-WARNING\n"
        yield "flow_control              = enabled\n"
        yield f"module_path               = /opt/tibco/ems/10.2/bin/modules/{number}\n"


def topics() -> Iterator[str]:
    """A topics.conf of different names, nearly all with properties."""
    number = 0
    while True:
        number += 1
        yield (
            f"com.example.region{number % 50}.orders.update.v{number}  "
            "global,secure,maxbytes=10MB,expiration=3600\n"
        )
        yield (
            f"com.example.region{number % 50}.orders.status.v{number}  global, prefetch=64, "
            "store=$sys.failsafe\n"
        )
        yield f"com.example.internal.audit.{number}\n"


def routes() -> Iterator[str]:
    """A routes.conf of different servers, each with a zone and two selectors."""
    number = 0
    while True:
        number += 1
        yield (
            f"[SERVER{number}]\n  url = tcp://host{number}.example.com:7222\n"
            f"  zone_name = region{number % 40}\n  zone_type = mhop\n"
            f'  outgoing_topic="orders.{number % 50}.>" selector="shard = {number % 10}"\n'
            f'  incoming_topic="prices.{number % 50}.*" selector="amount > {number % 1000}"\n\n'
        )


def bridges() -> Iterator[str]:
    """A bridges.conf of different sources, each with two targets."""
    number = 0
    while True:
        number += 1
        yield (
            f"[topic:orders.region{number % 50}.v{number}]\n  queue=orders.copy.{number}\n"
            f'  topic=orders.audit.{number % 100} selector="amount > {number % 1000}"\n\n'
        )


def addresses() -> Iterator[str]:
    """Sections of a qdrouterd.conf: addresses, and an autolink for each fifth."""
    number = 0
    kinds = ("multicast", "closest", "balanced")
    while True:
        number += 1
        yield (
            f"address {{\n    prefix: area{number % 20}.topic{number}\n"
            f"    distribution: {kinds[number % 3]}\n}}\n\n"
        )
        if number % 5 == 0:
            yield (
                f"autoLink {{\n    address: area{number % 20}.topic{number}\n    direction: in\n"
                "    connection: broker\n}\n\n"
            )


def addresses_as_json() -> Iterator[str]:
    """The same in skrouterd.json, as Skupper writes it."""
    number = 0
    kinds = ("multicast", "closest", "balanced")
    while True:
        number += 1
        yield (
            '    [\n        "address",\n        {\n'
            f'            "prefix": "area{number % 20}.topic{number}",\n'
            f'            "distribution": "{kinds[number % 3]}"\n        }}\n    ]'
        )


def definitions() -> Iterator[str]:
    """MQSC of one queue manager: local, remote and alias queues, as people write it."""
    number = 0
    while True:
        number += 1
        yield (
            f"DEFINE QLOCAL('APP.{number}.IN') DESCR('input of application {number}') "
            "MAXDEPTH(50000) DEFPSIST(YES) REPLACE\n"
        )
        yield (
            f"DEFINE QREMOTE('APP.{number}.OUT') RNAME('APP.{number}.IN') "
            f"RQMNAME('QM{number % 50}') +\n       XMITQ('QM{number % 50}') REPLACE\n"
        )
        yield f"DEFINE QALIAS('APP.{number}') TARGET('APP.{number}.IN') REPLACE\n"


def dumped_definitions() -> Iterator[str]:
    """The same kinds of queues as dmpmqcfg writes them: an attribute a line."""
    number = 0
    while True:
        number += 1
        yield (
            f"DEFINE QLOCAL('APP.{number}.IN') +\n   DESCR(' ') +\n   DEFPRTY(0) +\n"
            "   DEFPSIST(NO) +\n   MAXDEPTH(5000) +\n   PUT(ENABLED) +\n   GET(ENABLED) +\n"
            f"   CRDATE(2024-03-01) +\n   CRTIME(10.00.{number % 60:02d}) +\n   REPLACE\n"
        )


def destinations() -> Iterator[str]:
    """A sib-destinations.xml as the administration writes it."""
    number = 0
    while True:
        number += 1
        yield (
            f'  <sibresources:SIBQueue xmi:id="SIBQueue_{number}" identifier="app.queue.{number}" '
            f'uuid="{number:032X}" description="" maxReliability="ASSURED_PERSISTENT" '
            'defaultPriority="0" receiveExclusive="false">\n'
            f'    <localizationPointRefs xmi:id="SIBLocalizationPointRef_{number}" '
            f'cluster="cluster{number % 7}"/>\n  </sibresources:SIBQueue>\n'
        )


def queues_of_mqe() -> Iterator[str]:
    """The queues of a document of ``kind: mqe``."""
    number = 0
    while True:
        number += 1
        yield f"  - name: APP.QUEUE.{number}\n    type: local\n"
        yield (
            f"  - name: APP.FAR.{number}\n    type: remote\n    qmgr: HUB{number % 20}\n"
            "    mode: asynchronous\n"
        )


_XMI = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmi:version="2.0" '
    'xmlns:xmi="http://www.omg.org/XMI" xmlns:sibresources="http://www.ibm.com/websphere/'
    'appserver/schemas/6.0/sibresources.xmi">\n'
)

KINDS = {
    file.name: file
    for file in (
        ReaderFile("tibemsd.conf", "ems", parameters, opening="server = A\n"),
        ReaderFile("topics.conf", "ems", topics, "topics"),
        ReaderFile("routes.conf", "ems", routes, "routes"),
        ReaderFile("bridges.conf", "ems", bridges, "bridges"),
        ReaderFile(
            "qdrouterd.conf",
            "amq_interconnect",
            addresses,
            opening="router {\n    mode: interior\n    id: A\n}\n\nconnector {\n"
            "    name: broker\n    host: broker\n    role: route-container\n}\n\n",
        ),
        ReaderFile(
            "skrouterd.json",
            "amq_interconnect",
            addresses_as_json,
            opening='[\n    [\n        "router",\n        {\n            "id": "A",\n'
            '            "mode": "interior"\n        }\n    ],\n',
            between=",\n",
            closing="\n]\n",
        ),
        ReaderFile("qm.mqsc", "ibm_mq", definitions, opening="* Queue manager name: A\n"),
        ReaderFile(
            "dumped.mqsc", "ibm_mq", dumped_definitions, opening="* Queue manager name: A\n"
        ),
        ReaderFile(
            "cells/C/buses/B/sib-destinations.xml",
            "sibus",
            destinations,
            opening=_XMI,
            closing="</xmi:XMI>\n",
        ),
        ReaderFile(
            "mqe.yaml",
            "mqe",
            queues_of_mqe,
            opening="kind: mqe\nqueueManager: A\nqueues:\n",
        ),
    )
}
"""Every kind by its name."""
