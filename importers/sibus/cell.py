"""The documents of a cell's configuration: ``sib-bus.xml``, ``sib-destinations.xml``,
``sib-mediations.xml``, ``sib-engines.xml`` (sibus.md A4.1).

What an element is, its own name says; the name of the file does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from topograph.facts.sibus import (
    DESTINATION_TYPES,
    BusMember,
    ForeignBus,
    Mediation,
    MessagingEngine,
    PathElement,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
    TopicSpaceMapping,
)
from topograph.findings import Severity, Source
from topograph.importers.positions.xml_text import Element, XmlDocument
from topograph.importers.sibus import attributes
from topograph.importers.sibus.cell_places import folder_behind
from topograph.importers.sibus.file_reading import SibusFileReading
from topograph.rules.sibus_findings import A_9, PATH_ELEMENT_BY_GUESS
from topograph.words.articles import with_article

NAMESPACE = "sibresources"
"""A word in the namespace of all these documents, of whatever version."""

XMI = "http://www.omg.org/XMI"

_TYPES = {
    "SIBQueue": "Queue",
    "SIBTopicSpace": "TopicSpace",
    "SIBPort": "Port",
    "SIBWebService": "WebService",
    "SIBDestinationAlias": "Alias",
    "SIBDestinationForeign": "Foreign",
}


def destination_type_of(name: str) -> str:
    """The type of destination that an element, a configuration id or a word of wsadmin means; empty
    if it is none.

    >>> (destination_type_of("SIBQueue"), destination_type_of("TOPICSPACE"),
    ...  destination_type_of("SIBForeignBus"))
    ('Queue', 'TopicSpace', '')
    """
    return _TYPES.get(name) or next(
        (kind for kind in DESTINATION_TYPES if kind.lower() == name.lower()), ""
    )


NOT_ABOUT_ROUTES = frozenset(
    {
        "SIBAuthSpace", "SIBService", "SIBMQServer", "SIBMQServerBusMember", "SIBAudit",
        "SIBBootstrapPolicy", "SIBWMQServerEndpoint",
        "SIBWMQServerSvrconnChannel",
    }
)  # fmt: skip
"""Elements that say nothing of where messages go: who may do what, and how servers are reached."""

_OWN_FIELDS = frozenset(
    {
        "identifier", "uuid", "exceptionDestination", "bus", "aliasBus", "targetBus",
        "targetIdentifier", "targetName",
        "targetQueuePointIdentifiers", "allTargetQueuePointsSelected", "name", "description",
        "busName", "busUuid", "targetUuid", "nextHop",
    }
)  # fmt: skip

_LINK_NAMES = {
    "qmName": "queueManagerName",
    "connameList": "connameList",
    "remoteMessagingEngine": "remoteMessagingEngineName",
}
"""Attributes of links that wsadmin calls otherwise."""


def read_cell(reading: SibusFileReading, document: XmlDocument) -> None:
    """Everything a document says of buses. Linear."""
    root = document.root
    elements = [] if root is None else root.children if root.name == "XMI" else [root]
    ids = {
        each.attributes.get(f"{{{XMI}}}id", ""): each.attributes.get("name", "")
        for element in elements
        for each in element.named("foreignBus")
        if f"{{{XMI}}}id" in each.attributes
    }
    cell = folder_behind(reading.file, "cells")
    complete: set[str] = set()
    for element in elements:
        if element.name in _TYPES:
            complete.add(_destination(reading, element))
        elif element.name == "SIBus":
            _bus(reading, element, ids, cell)
        elif element.name == "SIBMediation":
            complete.add(_mediation(reading, element))
        elif element.name == "SIBMessagingEngine":
            _engine(reading, element)
        elif element.name in NOT_ABOUT_ROUTES:
            reading.ignored += 1
        else:
            reading.incomplete(
                reading.server,
                f"An element {element.name[:60]!r} is not understood",
                reading.at(element),
            )
    if reading.server and reading.server not in reading.buses:
        reading.bus(reading.server, reading.source())
    for server, bus in list(reading.buses.items()):
        own = (
            tuple(sorted(complete & {"destinations", "mediations"}))
            if server == reading.server
            else ()
        )
        own = () if document.fault else own
        reading.buses[server] = SibusBus(
            bundle=bus.bundle,
            server=server,
            source=bus.source,
            name=bus.name,
            uuid=bus.uuid,
            cell=cell,
            complete=bus.complete + own,
            attributes=bus.attributes,
        )
    reading.fault(document.fault, reading.server)


def _pairs(reading: SibusFileReading, element: Element) -> Iterator[tuple[str, str, Source]]:
    """The attributes of an element with their places, but for those of XMI itself."""
    for name, value in element.attributes.items():
        if not name.startswith("{"):
            yield name, value, reading.at(element, name)


def _others(reading: SibusFileReading, element: Element) -> Iterator[tuple[str, str, Source]]:
    return (pair for pair in _pairs(reading, element) if pair[0] not in _OWN_FIELDS)


def _bus(reading: SibusFileReading, element: Element, ids: Mapping[str, str], cell: str) -> None:
    name = element.attributes.get("name") or reading.server
    reading.server = reading.server or name
    own = attributes.stated(_others(reading, element), attributes.TRUTH)
    reading.state_bus(
        SibusBus(
            bundle=reading.bundle,
            server=name,
            source=reading.at(element),
            name=name,
            uuid=element.attributes.get("uuid", ""),
            cell=cell,
            complete=("foreign_buses",) if element.complete else (),
            attributes=own,
        )
    )
    reading.read += 1
    for child in element.children:
        if child.name == "foreignBus":
            _foreign_bus(reading, child, name, ids)
        elif child.name == "busMembers":
            _member(reading, child, name)
        else:
            reading.ignored += 1


def _member(reading: SibusFileReading, element: Element, bus: str) -> None:
    member = _member_of(element)
    if member == SibusMember():
        reading.incomplete(
            bus, "A member of the bus is not understood", reading.at(element), ["engines"]
        )
        return
    reading.keep(
        BusMember(bundle=reading.bundle, server=bus, source=reading.at(element), member=member)
    )
    for target in element.named("target"):
        engine = target.attributes.get("engineName", "")
        if engine:
            reading.keep(
                MessagingEngine(
                    bundle=reading.bundle,
                    server=bus,
                    source=reading.at(target, "engineName"),
                    name=engine,
                    uuid=target.attributes.get("engineUuid", ""),
                    cluster=member.cluster,
                    node=member.node,
                    server_name=member.server,
                    listed_only=True,
                )
            )


def _member_of(element: Element) -> SibusMember:
    known = element.attributes
    return SibusMember(
        known.get("cluster", ""),
        known.get("node", ""),
        known.get("server", ""),
        known.get("mqServer", ""),
    )


def _foreign_bus(
    reading: SibusFileReading, element: Element, bus: str, ids: Mapping[str, str]
) -> None:
    name = element.attributes.get("name", "")
    source = reading.at(element)
    if not name:
        reading.incomplete(bus, "A foreign bus has no name", source, ["foreign_buses"])
        return
    link = next(element.named("virtualLink"), None)
    next_hop = _reference(element, "nextHop", ids)
    route, link_uuid, exception = "", "", None
    mappings: list[TopicSpaceMapping] = []
    pairs = list(_others(reading, element))
    if link is not None:
        kind = link.attributes.get(f"{{{XMI}}}type", "").rpartition(":")[2]
        route = {"SIBVirtualMQLink": "mq", "SIBVirtualGatewayLink": "direct"}.get(kind, "")
        link_uuid = link.attributes.get("uuid", "")
        reference = next(link.named("linkRef"), None)
        if reference is not None:
            exception = reference.attributes.get("exceptionDestination")
            pairs += [pair for pair in _others(reading, reference) if pair[0] in attributes.LINK]
        mappings = list(_topic_spaces(reading, link))
    elif next_hop:
        route = "indirect"
    if not route:
        reading.incomplete(
            bus,
            f"How the foreign bus {name} is reached is not understood",
            source,
            ["foreign_buses"],
            name,
        )
    reading.keep(
        ForeignBus(
            bundle=reading.bundle,
            server=bus,
            source=source,
            name=name,
            uuid=element.attributes.get("uuid", ""),
            route=route,
            next_hop=next_hop,
            link_uuid=link_uuid,
            exception_destination=exception,
            topic_spaces=tuple(mappings),
            attributes=attributes.stated(pairs, attributes.TRUTH | attributes.LINK),
        )
    )


def _reference(element: Element, name: str, ids: Mapping[str, str]) -> str:
    """The name of what a reference of XMI names: an attribute with an id, or a child with one in
    ``href``; the text itself if it is no id.
    """
    text = element.attributes.get(name, "")
    for child in element.named(name):
        text = (
            child.attributes.get("href", "")
            or child.attributes.get(f"{{{XMI}}}idref", "")
            or child.text
        )
    text = text.strip().rpartition("#")[2]
    return ids.get(text, text)


def _topic_spaces(reading: SibusFileReading, link: Element) -> Iterator[TopicSpaceMapping]:
    for mapping in link.children:
        for entry in (mapping, *mapping.children):
            local, remote = (
                entry.attributes.get("localTopicSpace"),
                entry.attributes.get("remoteTopicSpace"),
            )
            if local and remote:
                yield TopicSpaceMapping(local, remote, reading.at(entry))


def _destination(reading: SibusFileReading, element: Element) -> str:
    name, bus = element.attributes.get("identifier", ""), reading.server
    source = reading.at(element)
    if not name or not bus:
        reading.incomplete(
            bus,
            f"{with_article(element.name, begins=True)} has no identifier",
            source,
            ["destinations"],
        )
        return ""
    kind, known = _TYPES[element.name], element.attributes
    alias = kind == "Alias"
    path = [
        _qualified(reading, child, name) for child in element.named("defaultForwardRoutingPath")
    ]
    replies = [
        _qualified(reading, child, name)
        for child in element.named("replyDestination")
        if _own_names(child)
    ]
    members = [_member_of(child) for child in element.named("localizationPointRefs")]
    points = _texts(element, "targetQueuePointIdentifiers")
    scoped = alias and known.get("allTargetQueuePointsSelected", "true").lower() == "false"
    for child in element.children:
        if child.name == "destinationMediationRef":
            _attached(reading, child, name)
        elif child.name not in (
            "defaultForwardRoutingPath", "replyDestination", "localizationPointRefs",
            "targetQueuePointIdentifiers",
        ):  # fmt: skip
            reading.ignored += 1
    target = known.get("targetIdentifier") or known.get("targetName") or ""
    reading.keep(
        SibusDestination(
            bundle=reading.bundle,
            server=bus,
            source=source,
            destination_type=kind,
            name=name,
            uuid=known.get("uuid", ""),
            attributes=attributes.stated(_others(reading, element), attributes.DESTINATION),
            forward_path=tuple(each for each in path if each is not None),
            reply=replies[0] if replies else None,
            exception_destination=known.get("exceptionDestination"),
            exception_source=reading.at(element, "exceptionDestination")
            if "exceptionDestination" in known
            else None,
            members=tuple(member for member in members if member != SibusMember()),
            target=PathElement(
                known.get("targetBus", ""), target, reading.at(element, "targetIdentifier")
            )
            if alias and target
            else None,
            alias_bus=(known.get("aliasBus") or known.get("bus", "")) if alias else "",
            queue_points=tuple(points) if scoped else None,
            foreign_bus=(known.get("foreignBus") or known.get("bus", ""))
            if kind == "Foreign"
            else "",
        )
    )
    return "destinations"


def _texts(element: Element, name: str) -> list[str]:
    """The values of a list: an attribute with blanks between them, or a child for each."""
    return element.attributes.get(name, "").split() + [
        child.text.strip() for child in element.named(name)
    ]


def _own_names(element: Element) -> list[str]:
    return [name for name in element.attributes if not name.startswith("{")]


def _qualified(reading: SibusFileReading, element: Element, of: str) -> PathElement | None:
    """A qualified destination name (A-9): ``bus`` and ``destination``, or two attributes of
    which one is the bus by its name.
    """
    names = _own_names(element)
    buses = [name for name in names if "bus" in name.lower()]
    others = [name for name in names if name not in buses]
    destination = (
        "destination" if "destination" in others else others[0] if len(others) == 1 else ""
    )
    if not destination or len(buses) > 1:
        reason = f"An element {element.name!r} of {of} is not understood"
        reading.incomplete(reading.server, reason, reading.at(element), ["destinations"], of)
        return None
    if names not in (["bus", "destination"], ["destination", "bus"], ["destination"]):
        message = (
            f"{destination} of this {element.name} is read as the "
            f"destination{' and ' + buses[0] + ' as the bus' if buses else ''}."
        )
        reading.report(Severity.WARNING, PATH_ELEMENT_BY_GUESS, message, reading.at(element), A_9)
    bus = element.attributes[buses[0]] if buses else ""
    return PathElement(bus, element.attributes[destination], reading.at(element))


def _attached(reading: SibusFileReading, element: Element, destination: str) -> None:
    known = element.attributes
    name = known.get("mediationName") or known.get("mediation") or known.get("name") or ""
    uuid = known.get("mediationUuid") or known.get("uuid") or ""
    reading.keep(
        Mediation(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.at(element),
            name=name,
            uuid=uuid,
            destination=destination,
            enabled=_truth(known.get("enabled")),
        )
    )


def _truth(value: str | None) -> bool | None:
    return {"true": True, "false": False}.get(value.lower()) if value is not None else None


def _mediation(reading: SibusFileReading, element: Element) -> str:
    known = element.attributes
    name = known.get("mediationName") or known.get("name") or ""
    if not name or not reading.server:
        reading.incomplete(
            reading.server, "A mediation has no name", reading.at(element), ["mediations"]
        )
        return ""
    pairs = [pair for pair in _others(reading, element) if pair[0] != "mediationName"]
    reading.keep(
        Mediation(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.at(element),
            name=name,
            uuid=known.get("uuid", ""),
            attributes=attributes.stated(pairs, MEDIATION),
        )
    )
    return "mediations"


MEDIATION = frozenset(
    {"handlerListName", "selector", "discriminator", "selectorDomain", "globalTransaction"}
)
"""What a mediation may state of itself."""


def _engine(reading: SibusFileReading, element: Element) -> None:
    known = element.attributes
    name, bus = known.get("name", ""), known.get("busName", "") or reading.server
    source = reading.at(element)
    if not name or not bus:
        reading.incomplete(
            bus, "A messaging engine has no name, or says no bus", source, ["engines"]
        )
        return
    reading.server = reading.server or bus
    reading.bus(bus, source)
    points: list[str] = []
    closed: list[str] = []
    for child in element.children:
        if child.name == "localizationPoints":
            point = child.attributes.get("identifier", "").rpartition("@")[0]
            points.append(point)
            if child.attributes.get("sendAllowed", "true").lower() == "false":
                closed.append(point)
        elif child.name in ("gatewayLink", "mqLink"):
            _link(reading, child, bus, name)
        else:
            reading.ignored += 1
    pairs = [pair for pair in _others(reading, element) if pair[0] not in ("busName", "busUuid")]
    reading.keep(
        MessagingEngine(
            bundle=reading.bundle,
            server=bus,
            source=source,
            name=name,
            uuid=known.get("uuid", ""),
            cluster=folder_behind(reading.file, "clusters"),
            node=folder_behind(reading.file, "nodes"),
            server_name=folder_behind(reading.file, "servers"),
            queue_points=tuple(sorted({point for point in points if point})),
            closed_points=tuple(sorted({point for point in closed if point})),
            attributes=attributes.stated(
                pairs, attributes.TRUTH | {"initialState", "messageStoreType"} | attributes.NUMBERS
            ),
        )
    )


def _link(reading: SibusFileReading, element: Element, bus: str, engine: str) -> None:
    known = element.attributes
    parts: Iterable[Element] = (
        element,
        *element.named("senderChannel"),
        *element.named("receiverChannel"),
    )
    pairs = [
        (_LINK_NAMES.get(name, name), value, source)
        for part in parts
        for name, value, source in _others(reading, part)
    ]
    remote = known.get("remoteMessagingEngineName") or known.get("remoteMessagingEngine") or ""
    reading.keep(
        SibusLink(
            bundle=reading.bundle,
            server=bus,
            source=reading.at(element),
            name=known.get("name", ""),
            type="mq" if element.name == "mqLink" else "sib",
            engine=engine,
            remote_engine=remote,
            uuid=known.get("uuid", ""),
            target_uuid=known.get("targetUuid", ""),
            exception_destination=known.get("exceptionDestination"),
            attributes=attributes.stated(
                (pair for pair in pairs if pair[0] != "remoteMessagingEngineName"),
                attributes.LINK | attributes.TRUTH,
            ),
        )
    )
