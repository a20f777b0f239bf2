"""Buses of SIBus, questions about them and commands for them, drawn from a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

from sibus_forms import Stated, as_liberty, as_xml

from drawn.estates import DrawnEstate, Question, asked_besides
from topograph.message import Address

NAMES = ("Q", "R", "E", "T", "W", "P", "AL", "AL2")
FAR = ("Far", "Via", "Host")
DEFAULT = "$DEFAULT_EXCEPTION_DESTINATION"
RELIABILITIES = (
    *("BEST_EFFORT_NONPERSISTENT", "EXPRESS_NONPERSISTENT", "RELIABLE_NONPERSISTENT"),
    *("RELIABLE_PERSISTENT", "ASSURED_PERSISTENT"),
)
OVERRIDES = (
    *("A-1: engine", "A-2: rejected", "A-3: apply", "A-4: stay", "A-5: path_start"),
    *("A-6: limit_ignored", "A-7: elements", "A-8: first_bus", "A-11: refused"),
    "S-09: 2",
)
ATTRIBUTES = (
    *(("sendAllowed", "false"), ("receiveAllowed", "false"), ("maxFailedDeliveries", "2")),
    *(("overrideOfQOSByProducerAllowed", "false"), ("maxFailedDeliveries", "0")),
    *(("reliability", one) for one in RELIABILITIES[1:3]),
    *(("maxReliability", one) for one in RELIABILITIES[2:4]),
    *(("exceptionDiscardReliability", one) for one in RELIABILITIES),
    *(("receiveExclusive", "true"), ("blockedRetryTimeout", "100")),
)
OF_LIBERTY = (
    *(("maxRedeliveryCount", "2"), ("redeliveryInterval", "0"), ("sendAllowed", "false")),
    *(("failedDeliveryPolicy", one) for one in ("KEEP_TRYING", "DISCARD", "SEND")),
    *(("forceReliability", "ReliablePersistent"), ("receiveAllowed", "false")),
    *(("redeliveryInterval", "50"), ("forceReliability", "BestEffortNonPersistent")),
)


class DrawnBuses(DrawnEstate):
    system = "sibus"
    names: tuple[str, ...] = NAMES
    far: tuple[str, ...] = FAR
    forms: tuple[str, ...] = ("script", "script", "script", "script", "cell", "liberty")
    attributes: tuple[tuple[str, str], ...] = ATTRIBUTES
    of_liberty: tuple[tuple[str, str], ...] = OF_LIBERTY
    shown = ("servers", "destinations", "queues", "routing-paths", "routes", "links", "bridges")

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.servers = self.servers[:3]
        self._buses = (*self.servers, *self.servers, *self.far)
        for server in self.servers:
            form = self._one(self.forms)
            if server == self.servers[-1] and self._often(0.1):
                continue
            if form == "script":
                self.files[f"{server}.py"] = self._script(server)
            elif form == "cell":
                self._cell(server)
            else:
                self.files[f"servers/{server}/server.xml"] = as_liberty(self._liberty())
        if self._often(0.4):
            self.files["Host.mqsc"] = self._ibm_mq()
        self._side_inputs()

    def commands(self) -> list[tuple[str, str]]:
        own = [server for server in self.servers if f"{server}.py" in self.files]
        return [(server, self._command(server)) for server in own for _ in range(6)]

    def _messages(self) -> Iterator[Question]:
        for _ in range(16):
            server, name = self._one(self.servers), self._one((*self.names * 3, "GONE"))
            said: dict[str, Any] = {}
            for share, option, values in (
                (0.3, "forward_path", ((), self._addresses())),
                (0.25, "reverse_path", (self._addresses(),)),
                (0.3, "reliability", RELIABILITIES),
                (0.2, "mode", ("doc", "engine")),
                (0.35, "rollbacks", (-1, 1, 2, 3, 4, 5, 6)),
                (0.1, "topic", ("t", "t/a")),
                (0.1, "via_engine", (f"n.s-{server}", f"C.000-{server}")),
            ):
                if self._often(share):
                    said[option] = self._one(values)
            question = "propagate" if self._often(0.2) else "trace"
            if question == "trace" and self._often(0.2):
                said["reply"] = True
            to = f"queue:{name}" if self._often(0.8) else f"{name}@{self._one(self._buses)}"
            properties = {"x": 1} if self._often(0.3) else {}
            yield question, (server, to, properties), said
        if "Host.mqsc" in self.files:
            for name in ("Q", "R", "T"):
                yield "trace", ("Host", f"queue:{name}"), {"persistent": self._often(0.5)}

    def _changes(self) -> Iterator[Question]:
        own = [server for server in self.servers if f"{server}.py" in self.files]
        for server in own[:2]:
            script = [self._command(server) for _ in range(self._at.randint(1, 3))]
            said = {"policy": self._policy(f"queue:{self._one(self.names)}")}
            yield "audit", ("\n".join([*script, ""]), None), said if self._often(0.4) else {}

    def _addresses(self) -> tuple[Address, ...]:
        return tuple(
            Address(self._one(("", *self._buses)), self._one((*self.names, "GONE")))
            for _ in range(self._at.randint(1, 3))
        )

    def _script(self, bus: str) -> str:
        lines = [
            f"createSIBus('[-bus {bus}{self._if(0.3, '-secure false', '-busSecurity true')}]')"
        ]
        lines.append(f"addSIBusMember('[-bus {bus} -node n -server s]')")
        if self._often(0.5):
            lines.append(f"addSIBusMember('[-bus {bus} -cluster C]')")
            if self._often(0.6):
                lines.append(f"createSIBEngine('[-bus {bus} -cluster C]')")
        made = len(lines)
        lines += [self._destination(bus, name) for name in self.names if self._often(0.93)]
        for name in ("M", "N"):
            if self._often(0.4):
                more = self._if(0.4, "-selector x=1", "-selector y=1", "-handlerListName H")
                lines.append(f"createSIBMediation('[-bus {bus} -mediationName {name}{more}]')")
                to = self._one(self.names[:4])
                options = f"-bus {bus} -destinationName {to} -mediationName {name}"
                lines.append(f"mediateSIBDestination('[{options}]')")
        lines[made:made] = self._foreign(bus)
        lines += [self._of_bus(bus) for _ in range(self._at.randint(0, 2))]
        return "".join(f"AdminTask.{line}\n" for line in lines)

    def _foreign(self, bus: str) -> list[str]:
        lines, hops = [], []
        engine = f"-messagingEngine {self._one(('n.s', 'n.s', 'C.000'))}-{bus}"
        for other in (*self.servers, *self.far):
            if other == bus or self._often(0.35):
                continue
            made = f"createSIBForeignBus('[-bus {bus} -name {other}"
            send = self._if(0.15, "-sendAllowed false")
            link = f"-bus {bus} -name To{other} {engine} -foreignBusName {other}"
            if other == "Via" or (other != "Host" and self._often(0.15)):
                hop = self._one((*self.servers, "Far"))
                lines.append(f"{made} -routingType Direct -type SIBus{send}]')")
                routed = f"-bus {bus} -name {other} -routingType Indirect -nextHopBus {hop}"
                hops.append(f"modifySIBForeignBus('[{routed}]')")
                continue
            kind = "MQ" if other == "Host" else "SIBus"
            lines.append(f"{made} -routingType Direct -type {kind}{send}]')")
            more = self._if(0.3, "-exceptionDestination E", "-exceptionDestination ''")
            if self._often(0.15):
                continue
            if kind == "MQ":
                more += self._if(0.7, "-senderChannelName IN", "-senderChannelName OUT")
                more += self._if(0.8, "-hostName hq -port 1414", "-hostName hq", "-hostName x")
                more += self._if(0.6, "-receiverChannelName OUT", "-receiverChannelName NONE")
                lines.append(f"createSIBMQLink('[{link} -queueManagerName QM{more}]')")
            else:
                far = f"-remoteMessagingEngineName {self._one(('n.s', 'C.000'))}-{other}"
                lines.append(f"createSIBLink('[{link} {far}{more}]')")
        return lines + hops

    def _destination(self, bus: str, name: str) -> str:
        kind = {"T": "TopicSpace", "W": "WebService", "P": "Port"}.get(name, "Queue")
        kind = "Alias" if name.startswith("AL") else kind
        place = self._one(("-node n -server s", "-node n -server s", "-cluster C"))
        words = f"-bus {bus} -name {name} -type {kind}"
        if kind == "Alias":
            to = self._one((*self.names, "GONE"))
            words += (
                f" -targetName {to}{self._if(0.8, *(f'-targetBus {one}' for one in self._buses))}"
            )
            words += self._if(0.2, *(f"-aliasBus {one}" for one in self._buses))
        elif kind != "WebService":
            words += f" {place}"
        return f"createSIBDestination('[{words}{self._options()}]')"

    def _options(self) -> str:
        words = ""
        if self._often(0.3):
            path = " ".join(
                f"[{self._one(self._buses)} {self._one((*self.names, 'GONE'))}]"
                for _ in range(self._at.randint(1, 3))
            )
            words += f" -defaultForwardRoutingPath [{path}]"
        if self._often(0.25):
            words += f" -replyDestination {self._one(self.names)}"
            words += self._if(0.5, *(f"-replyDestinationBus {one}" for one in self._buses))
        if self._often(0.35):
            named = self._one(("E", "E", "R", "Q", "''", "GONE", "AL", DEFAULT))
            words += f" -exceptionDestination {named}"
        for name, value in self._some(self.attributes, 2) if self._often(0.5) else ():
            if f"-{name} " not in words:
                words += f" -{name} {value}"
        return words

    def _stated(self, attributes: tuple[tuple[str, str], ...]) -> Iterator[Stated]:
        for name in self.names:
            if self._often(0.08):
                continue
            kind = {"T": "TopicSpace", "W": "WebService", "P": "Port"}.get(name, "Queue")
            kind = "Alias" if name.startswith("AL") else kind
            path = tuple(
                (self._one(("", *self._buses)), self._one((*self.names, "GONE")))
                for _ in range(self._one((0, 0, 1, 2)))
            )
            yield Stated(
                kind,
                name,
                tuple(dict(self._some(attributes, 2)).items()),
                path,
                (self._one(("", *self._buses)), self._one(self.names))
                if self._often(0.3)
                else None,
                self._one(("E", "", DEFAULT, "GONE")) if self._often(0.4) else None,
                (self._one(("", *self._buses)), self._one((*self.names, "GONE"))),
                "C" if kind in ("Queue", "Port", "TopicSpace") else "",
                self._one(("M", "N")) if self._often(0.2) else "",
            )

    def _liberty(self) -> list[Stated]:
        return [
            Stated(one.type, one.name, one.attributes, (), None, one.exception, one.target)
            for one in self._stated(self.of_liberty)
            if one.type in ("Queue", "TopicSpace", "Alias")
        ]

    def _cell(self, bus: str) -> None:
        cell = "cells/c"
        engines = [f"C.00{number}-{bus}" for number in range(self._at.randint(1, 2))]
        foreign = "".join(
            f"<foreignBus xmi:id={quoteattr(other)} name={quoteattr(other)}"
            f"{self._if(0.2, _said('sendAllowed', 'false'))}>"
            f'<virtualLink xmi:type="sibresources:SIBVirtualGatewayLink" uuid="L{other}">'
            f"{self._mapping()}</virtualLink></foreignBus>"
            for other in (*self.servers, "Far")
            if other != bus and self._often(0.6)
        )
        foreign += f'<foreignBus name="Via" nextHop="{self._one((*self.servers, "Far"))}"/>'
        targets = "".join(f'<target engineName="{one}"/>' for one in engines)
        secure = self._if(0.5, 'secure="false"', 'secure="true"')
        self.files[f"{cell}/buses/{bus}/sib-bus.xml"] = _document(
            f'<sibresources:SIBus name="{bus}"{secure}><busMembers cluster="C">{targets}'
            f"</busMembers>{foreign}</sibresources:SIBus>"
        )
        self.files[f"{cell}/buses/{bus}/sib-destinations.xml"] = as_xml(
            list(self._stated(self.attributes))
        )
        if self._often(0.6):
            self.files[f"{cell}/buses/{bus}/sib-mediations.xml"] = _document(
                "".join(
                    f'<sibresources:SIBMediation mediationName="{name}" handlerListName="H"'
                    f"{self._if(0.5, _said('selector', 'x = 1'))}/>"
                    for name in ("M", "N")
                )
            )
        if self._often(0.6):
            self.files[f"{cell}/clusters/C/sib-engines.xml"] = _document(
                "".join(self._engine(one, bus) for one in engines)
            )

    def _mapping(self) -> str:
        if self._often(0.6):
            return ""
        local, remote = self._one("TQ"), self._one(("T", "T2"))
        entry = f'localTopicSpace="{local}" remoteTopicSpace="{remote}"'
        return f"<topicSpaceMapping><topicSpaceMapEntry {entry}/></topicSpaceMapping>"

    def _engine(self, engine: str, bus: str) -> str:
        points = "".join(
            f'<localizationPoints identifier="{name}@{engine}"'
            f"{self._if(0.3, _said('sendAllowed', 'false'), _said('highMessageThreshold', '0'))}/>"
            for name in ("Q", "R", "E", "T")
            if self._often(0.8)
        )
        links = "".join(
            f'<gatewayLink name="To{other}" targetUuid="L{other}"'
            f"{self._if(0.3, _said('exceptionDestination', 'E'))}/>"
            for other in (*self.servers, "Far")
            if other != bus and self._often(0.5)
        )
        opened = f'<sibresources:SIBMessagingEngine name="{engine}" busName="{bus}"'
        return f"{opened}>{points}{links}</sibresources:SIBMessagingEngine>"

    def _of_bus(self, bus: str) -> str:
        name = self._one(self.names)
        return self._one(
            (
                f"modifySIBDestination('[-bus {bus} -name {name}{self._options()}]')",
                f"deleteSIBDestination('[-bus {bus} -name {name}]')",
                f"modifySIBus('[-bus {bus} -busSecurity {self._one(('true', 'false'))}]')",
            )
        )

    def _command(self, bus: str) -> str:
        name, other = self._one((*self.names, "N1")), self._one((*self.servers, *self.far, "Fra"))
        medial = self._one(("M", "N", "O"))
        place = self._one(("-cluster C", "-cluster D", "-node n -server s", "-node n -server t"))
        engine = self._one((f"n.s-{bus}", f"C.000-{bus}", f"C.001-{bus}", "D.000"))
        link = f"-bus {bus} -name {self._one((f'To{other}', 'L'))}"
        routed = self._one(("Direct -type SIBus", "Direct -type MQ", "Indirect -nextHopBus Far"))
        command = self._one(
            (
                *(self._destination(bus, name), self._destination(bus, "N1")),
                f"createSIBDestination('[-bus {bus} -name F -type Foreign -foreignBus {other}]')",
                f"createSIBDestinations('[-bus {bus} -nameList [N1 {name}] -type Queue {place}]')",
                *(self._of_bus(bus) for _ in range(4)),
                f"modifySIBDestination('[-bus {bus} -name {name} {place}]')",
                f"modifySIBDestination('[-bus {bus} -name AL -targetBus {other} -targetName Q]')",
                f"createSIBMediation('[-bus {bus} -mediationName {medial}]')",
                f"modifySIBMediation('[-bus {bus} -mediationName {medial} -selector z=1]')",
                f"deleteSIBMediation('[-bus {bus} -mediationName {medial}]')",
                f"mediateSIBDestination('[-bus {bus} -destinationName {name} "
                f"-mediationName {medial}]')",
                f"unmediateSIBDestination('[-bus {bus} -destinationName {name}]')",
                f"addSIBusMember('[-bus {bus} {place}]')",
                f"removeSIBusMember('[-bus {bus} {place}]')",
                f"createSIBEngine('[-bus {bus} {place}]')",
                f"deleteSIBEngine('[-bus {bus} -engine {engine}]')",
                f"deleteSIBEngine('[-bus {bus} {place}]')",
                f"createSIBForeignBus('[-bus {bus} -name {other} -routingType {routed}]')",
                f"modifySIBForeignBus('[-bus {bus} -name {other} -sendAllowed false]')",
                f"modifySIBForeignBus('[-bus {bus} -name {other} -nextHopBus Far]')",
                f"deleteSIBForeignBus('[-bus {bus} -name {other}]')",
                f"createSIBLink('[{link} -messagingEngine {engine} -foreignBusName {other}]')",
                f"createSIBMQLink('[{link} -messagingEngine {engine} -foreignBusName {other} "
                "-queueManagerName QM]')",
                f"modifySIBLink('[{link} -exceptionDestination E]')",
                f"modifySIBMQLink('[{link} -queueManagerName QN]')",
                f"deleteSIBLink('[{link}]')",
                f"deleteSIBMQLink('[{link}]')",
                f"deleteSIBus('[-bus {bus}]')",
            )
        )
        return f"AdminTask.{command}"

    def _ibm_mq(self) -> str:
        """The queue manager that a bus links to, and what it sends back."""
        lines = [
            "DEFINE QLOCAL(DLQ)",
            f"DEFINE QLOCAL(Q){self._if(0.2, 'PUT(DISABLED)', 'MAXDEPTH(0)')}",
            f"DEFINE QREMOTE(R) RNAME({self._one(self.names)}) "
            f"RQMNAME({self._one(('QM', 'A', 'X'))})",
            "DEFINE QLOCAL(QM) USAGE(XMITQ)",
            "DEFINE CHANNEL(IN) CHLTYPE(RCVR)",
            "DEFINE CHANNEL(OUT) CHLTYPE(SDR) XMITQ(QM) "
            + self._one(("CONNAME(was)", "CONNAME('b(5558)')")),
            f"DEFINE LISTENER(L) TRPTYPE(TCP) PORT({self._one((1414, 1414, 1515))})",
            f"DEFINE QALIAS(T) TARGET({self._one('QR')})",
        ]
        named = ["* Queue manager name: Host", "ALTER QMGR DESCR('x') DEADQ(DLQ)"]
        return "\n".join([*named, *(one for one in lines if self._often(0.85)), ""])

    def _side_inputs(self) -> None:
        lines = []
        if self._often(0.5):
            lines.append("mediations:")
            for _ in range(self._at.randint(1, 2)):
                said = [self._one((f"destination: {self._one(self.names[:4])}", "mediation: M"))]
                said += [f"bus: {self._one(self.servers)}"] if self._often(0.5) else []
                said += [f"result: {self._one(('pass', 'delete', 'exception'))}"]
                for path in ("forward_path", "forward_path_before", "reverse_path_before"):
                    if self._often(0.3):
                        elements = ", ".join(
                            self._one((name, f'"{self._one(self._buses)}:{name}"'))
                            for name in self._some(self.names, 2)
                        )
                        said.append(f"{path}: [{elements}]")
                lines.append(f"  - {{{', '.join(said)}}}")
        if self._often(0.4):
            lines += ["overrides:", f"  sibus: {{{self._one(OVERRIDES)}}}"]
        if self._often(0.4):
            lines += ["hosts:", "  hq: Host", f"  was: {self._one(self.servers)}"]
        if self._often(0.2):
            lines += ["clients:", "  - {server: A, destination: 'topic:t', durable: d}"]
        if lines:
            self.files["topograph.yaml"] = "\n".join(lines) + "\n"


class DrawnBusesBesideEachOther(DrawnBuses):
    """Buses where destinations, mediations, links and other buses have the same few names, and
    where numbers are at their limits.
    """

    names = ("Q", "B", "E", "T", "W", "P", "AL", "AL2", "q")
    far = ("Far", "Via", "Host", "Q")
    forms = ("script", "cell", "liberty")
    attributes = (
        *ATTRIBUTES,
        *(("maxFailedDeliveries", one) for one in ("0", "1", "5", "-1")),
        *(("blockedRetryTimeout", one) for one in ("0", "1", "-1")),
        *(("sendAllowed", "true"), ("receiveAllowed", "true"), ("receiveExclusive", "false")),
        *(("useRFH2", "true"), ("keepCount", "true"), ("topicAccessCheckRequired", "false")),
    )
    of_liberty = (
        *OF_LIBERTY,
        *(("maxRedeliveryCount", one) for one in ("-1", "0", "1", "5")),
        *(("redeliveryInterval", one) for one in ("1", "5000")),
        *(("maxQueueDepth", one) for one in ("0", "1")),
        *(("sendAllowed", "true"), ("receiveAllowed", "true"), ("maintainStrictOrder", "true")),
    )

    def _messages(self) -> Iterator[Question]:
        yield from super()._messages()
        yield from asked_besides(self._at, self.servers)
        for rollbacks in (1, 2, 4, 5, 5):
            server, name = self._one(self.servers), self._one(self.names)
            yield "trace", (server, f"queue:{name}"), {"rollbacks": rollbacks}

    def _foreign(self, bus: str) -> list[str]:
        return super()._foreign(bus) if self._often(0.8) else []

    def _of_bus(self, bus: str) -> str:
        if self._often(0.5):
            return super()._of_bus(bus)
        name, other = self._one(self.names), self._one((*self.servers, *self.far))
        return self._one(
            (
                f"createSIBMediation('[-bus {bus} -mediationName {name}]')",
                f"mediateSIBDestination('[-bus {bus} -destinationName {name} "
                f"-mediationName {self._one(('M', 'N', 'Q', 'B'))}]')",
                f"unmediateSIBDestination('[-bus {bus} -destinationName {name}]')",
                f"createSIBDestination('[-bus {bus} -name {name} -type Foreign "
                f"-foreignBus {other}{self._options()}]')",
                f"modifySIBForeignBus('[-bus {bus} -name {other} -sendAllowed "
                f"{self._one(('true', 'false'))}]')",
                f"deleteSIBForeignBus('[-bus {bus} -name {other}]')",
                f"deleteSIBLink('[-bus {bus} -name To{other}]')",
                f"deleteSIBMQLink('[-bus {bus} -name To{other}]')",
                f"modifySIBLink('[-bus {bus} -name To{other} -exceptionDestination "
                f"{self._one((*self.names, DEFAULT))}]')",
                f"removeSIBusMember('[-bus {bus} -cluster C]')",
                f"deleteSIBEngine('[-bus {bus} -cluster C]')",
            )
        )

    def _command(self, bus: str) -> str:
        return super()._command(bus) if self._often(0.7) else f"AdminTask.{self._of_bus(bus)}"


def _said(name: str, value: str) -> str:
    return f'{name}="{value}"'


def _document(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmi:version="2.0" '
        'xmlns:xmi="http://www.omg.org/XMI" xmlns:sibresources='
        f'"http://www.ibm.com/websphere/appserver/schemas/6.0/sibresources.xmi">\n{body}\n'
        "</xmi:XMI>\n"
    )
