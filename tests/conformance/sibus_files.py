"""The buses of a vector's ``given``: as the documents of a cell, or a server.xml of Liberty, and
the facts that the importer makes of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import quoteattr

from conformance.comparison import UnknownKey, known
from sibus_forms import document, reading

from topograph.facts import sibus as facts
from topograph.facts.fact import Fact

OWN_FIELDS = frozenset(
    {
        "type", "identifier", "id", "defaultForwardRoutingPath", "replyDestination",
        "replyDestinationBus", "exceptionDestination",
        "aliasBus", "targetBus", "targetIdentifier", "targetDestination", "mediation",
        "queuePoints", "foreignBus", "foreign",
        "targetQueuePointIdentifiers", "localizationPoints", "wmqServer", "bus",
    }
)  # fmt: skip
"""Keys of a destination that are no plain attributes."""

ATTRIBUTES = frozenset(
    {
        "exceptionDiscardReliability", "maxFailedDeliveries", "blockedRetryTimeout", "reliability",
        "maxReliability",
        "overrideOfQOSByProducerAllowed", "sendAllowed", "receiveAllowed", "receiveExclusive",
        "maintainStrictMessageOrder", "defaultPriority",
        "persistRedeliveryCount", "allTargetQueuePointsSelected", "description", "wmqQueueName",
        "useRFH2",
    }
)  # fmt: skip
"""Attributes of a destination under their own names (sibus.md A1.3)."""

LIBERTY = frozenset(
    {
        "type", "id", "identifier", "forceReliability", "exceptionDestination",
        "failedDeliveryPolicy", "redeliveryInterval",
        "maxRedeliveryCount", "sendAllowed", "receiveAllowed", "maintainStrictOrder",
        "maxMessageDepth", "maxQueueDepth", "targetDestination",
    }
)  # fmt: skip
"""Attributes of a destination in server.xml (A4.3)."""

BUS = {"name", "messagingEngines", "destinations", "foreignBuses", "mediations", "version"}
FOREIGN_BUS = {
    "name", "route", "messagingEngine", "nextHop", "next_hop", "exceptionDestination",
    "topicSpaceMappings", "sendAllowed",
}  # fmt: skip
MEDIATION = {"name", "destination", "enabled", "selector", "discriminator"}

_ROUTES = {
    "direct_sib_link": "direct",
    "sib_link": "direct",
    "direct": "direct",
    "mq_link": "mq",
    "direct_mq_link": "mq",
    "mq": "mq",
    "indirect": "",
}


ELEMENTS = {
    "queue": "SIBQueue",
    "topicspace": "SIBTopicSpace",
    "port": "SIBPort",
    "webservice": "SIBWebService",
    "alias": "SIBDestinationAlias",
    "foreign": "SIBDestinationForeign",
}
"""By type of destination."""


def facts_of(given: Mapping[str, Any]) -> list[Fact]:
    """The facts of all buses of a vector, as the importer reads them. Raises UnknownKey."""
    known(given, {"system", "edition", "buses"}, "given")
    for bus in given["buses"]:
        _checked(bus, given.get("edition") == "liberty")
    if given.get("edition") == "liberty":
        return [
            fact for bus in given["buses"] for fact in reading("server.xml", server_xml(bus)).facts
        ]
    found: list[Fact] = []
    for bus in given["buses"]:
        for path, text in cell_documents(bus).items():
            found += [_with_version(fact, bus) for fact in reading(path, text).facts]
    return found


def _checked(bus: Mapping[str, Any], liberty: bool) -> None:
    """Raises UnknownKey for what no file would hold."""
    known(bus, BUS, f"bus {bus['name']}")
    for one in bus["destinations"]:
        where = f"destination {one.get('identifier', one.get('id'))}"
        known(one, LIBERTY if liberty else OWN_FIELDS | ATTRIBUTES, where)
    for one in bus.get("foreignBuses", []):
        known(one, FOREIGN_BUS, f"foreign bus {one['name']}")
        if one.get("route", "") not in ("", *_ROUTES):
            raise UnknownKey(f"unknown route {one['route']!r} of foreign bus {one['name']}")
    for one in bus.get("mediations", []):
        known(one, MEDIATION, f"mediation {one['name']}")


def _with_version(fact: Fact, bus: Mapping[str, Any]) -> Fact:
    """No document of a cell says which version of the product reads it."""
    return (
        replace(fact, version=bus.get("version", "")) if isinstance(fact, facts.SibusBus) else fact
    )


def server_xml(bus: Mapping[str, Any]) -> str:
    """A Liberty server with the destinations of a bus."""
    elements = []
    for entry in bus["destinations"]:
        texts = {
            key: str(value).lower() if isinstance(value, bool) else str(value)
            for key, value in entry.items()
        }
        kind = texts.pop("type")
        texts["id"] = texts.pop("identifier", texts.get("id", ""))
        elements.append(
            f"<{kind} {' '.join(f'{key}={quoteattr(text)}' for key, text in texts.items())}/>"
        )
    return (
        f'<server>\n  <messagingEngine id="defaultME">\n    {"".join(elements)}\n  '
        "</messagingEngine>\n</server>\n"
    )


def cell_documents(bus: Mapping[str, Any]) -> dict[str, str]:
    """The documents of a cell that configure a bus, by path."""
    folder = f"cells/c/buses/{bus['name']}"
    documents = {f"{folder}/sib-bus.xml": document(_bus(bus))}
    if bus["destinations"]:
        documents[f"{folder}/sib-destinations.xml"] = document(
            *(_destination(one, bus) for one in bus["destinations"])
        )
    names: dict[str, Mapping[str, Any]] = {
        one["mediation"]: {} for one in bus["destinations"] if one.get("mediation")
    }
    names |= {one["name"]: one for one in bus.get("mediations", [])}
    if names:
        mediations = (
            _element(
                "SIBMediation",
                {
                    "mediationName": name,
                    "handlerListName": "H",
                    "selector": one.get("selector"),
                    "discriminator": one.get("discriminator"),
                },
            )
            for name, one in names.items()
        )
        documents[f"{folder}/sib-mediations.xml"] = document(*mediations)
    if engines := list(_engines(bus)):
        documents["cells/c/nodes/n/servers/s/sib-engines.xml"] = document(*engines)
    return documents


def _element(
    name: str, attributes: Mapping[str, object], *children: str, prefix: str = "sibresources:"
) -> str:
    """An element; what is None is left out."""
    texts = {
        key: str(one).lower() if isinstance(one, bool) else str(one)
        for key, one in attributes.items()
        if one is not None
    }
    start = " ".join(
        [f"{prefix}{name}", *(f"{key}={quoteattr(text)}" for key, text in texts.items())]
    )
    return f"<{start}>{''.join(children)}</{prefix}{name}>"


def _child(name: str, attributes: Mapping[str, object], *children: str) -> str:
    return _element(name, attributes, *children, prefix="")


def _bus(bus: Mapping[str, Any]) -> str:
    return _element(
        "SIBus", {"name": bus["name"]}, *(_foreign_bus(one) for one in bus.get("foreignBuses", []))
    )


def _foreign_bus(entry: Mapping[str, Any]) -> str:
    route, next_hop = entry.get("route", ""), entry.get("nextHop") or entry.get("next_hop")
    kind = _ROUTES.get(route, "")
    allowed = entry.get("sendAllowed")
    if not kind:
        return _child(
            "foreignBus", {"name": entry["name"], "nextHop": next_hop, "sendAllowed": allowed}
        )
    link = {"direct": "SIBVirtualGatewayLink", "mq": "SIBVirtualMQLink"}[kind]
    reference = _child("linkRef", {"exceptionDestination": entry.get("exceptionDestination")})
    mapped = [
        _child(
            "topicSpaceMapEntry",
            {"localTopicSpace": one["local"], "remoteTopicSpace": one["remote"]},
        )
        for one in entry.get("topicSpaceMappings", [])
    ]
    children = [reference, _child("topicSpaceMapping", {}, *mapped)] if mapped else [reference]
    virtual = _child(
        "virtualLink",
        {"xmi:type": f"sibresources:{link}", "uuid": f"to {entry['name']}"},
        *children,
    )
    return _child("foreignBus", {"name": entry["name"], "sendAllowed": allowed}, virtual)


def _engines(bus: Mapping[str, Any]) -> Iterator[str]:
    """The engines, each with its queue points and links."""
    points: dict[str, list[str]] = {name: [] for name in bus.get("messagingEngines", [])}
    for entry in bus["destinations"]:
        if entry["type"].lower() != "alias":
            for point in entry.get("localizationPoints", entry.get("queuePoints", [])):
                points.setdefault(point.rpartition("@")[2], []).append(entry["identifier"])
    for name, queues in points.items():
        children = [
            _child("localizationPoints", {"identifier": f"{queue}@{name}"}) for queue in queues
        ]
        for entry in bus.get("foreignBuses", []):
            kind = _ROUTES.get(entry.get("route", ""))
            if kind and entry.get("messagingEngine") == name:
                link = {"name": f"link to {entry['name']}", "targetUuid": f"to {entry['name']}"}
                children.append(_child("mqLink" if kind == "mq" else "gatewayLink", link))
        yield _element("SIBMessagingEngine", {"name": name, "busName": bus["name"]}, *children)


def _destination(entry: Mapping[str, Any], bus: Mapping[str, Any]) -> str:
    attributes = {
        key: value for key, value in entry.items() if key not in OWN_FIELDS and key != "bus"
    }
    attributes |= {
        "identifier": entry["identifier"],
        "exceptionDestination": entry.get("exceptionDestination"),
    }
    children = [
        _child("defaultForwardRoutingPath", _named(one))
        for one in entry.get("defaultForwardRoutingPath", [])
    ]
    if reply := entry.get("replyDestination"):
        stated = (
            {"destination": reply, "bus": entry.get("replyDestinationBus")}
            if isinstance(reply, str)
            else reply
        )
        children.append(_child("replyDestination", _named(stated)))
    if entry.get("wmqServer"):
        children.append(_child("localizationPointRefs", {"mqServer": entry["wmqServer"]}))
    kind = entry["type"].lower()
    if kind == "alias":
        target = entry.get("targetIdentifier", entry.get("targetDestination"))
        attributes |= {
            "bus": entry.get("aliasBus"),
            "targetBus": entry.get("targetBus"),
            "targetIdentifier": target,
        }
        if selected := entry.get("targetQueuePointIdentifiers", entry.get("queuePoints", ())):
            attributes["allTargetQueuePointsSelected"] = False
            children += [
                f"<targetQueuePointIdentifiers>{point}</targetQueuePointIdentifiers>"
                for point in selected
            ]
    elif kind == "foreign":
        attributes["bus"] = entry.get("foreignBus", entry.get("bus"))
    mediations = [
        one for one in bus.get("mediations", []) if one.get("destination") == entry["identifier"]
    ]
    if entry.get("mediation") and not mediations:
        mediations = [{"name": entry["mediation"]}]
    for one in mediations:
        children.append(
            _child(
                "destinationMediationRef",
                {"mediationName": one["name"], "enabled": one.get("enabled", True)},
            )
        )
    return _element(ELEMENTS[kind], attributes, *children)


def _named(element: Mapping[str, Any]) -> dict[str, Any]:
    return {"bus": element.get("bus") or None, "destination": element["destination"]}
