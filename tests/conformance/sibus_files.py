"""The buses of a vector's ``given``, as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from sibus_forms import reading

from topograph.facts import sibus as facts
from topograph.facts.fact import Fact
from topograph.findings import Source

OWN_FIELDS = frozenset(
    {
        "type", "identifier", "id", "defaultForwardRoutingPath", "replyDestination", "exceptionDestination", "aliasBus",
        "targetBus", "targetIdentifier", "targetDestination", "mediation", "queuePoints", "foreignBus", "foreign",
        "targetQueuePointIdentifiers", "localizationPoints",
    }
)  # fmt: skip
"""Keys of a destination that are no plain attributes."""

_ROUTES = {
    "direct_sib_link": "direct",
    "sib_link": "direct",
    "direct": "direct",
    "mq_link": "mq",
    "direct_mq_link": "mq",
    "mq": "mq",
}


def facts_of(given: Mapping[str, Any]) -> list[Fact]:
    """The facts of all buses of a vector; of Liberty as the importer reads them from a server.xml."""
    if given.get("edition") == "liberty":
        return [fact for bus in given["buses"] for fact in reading("server.xml", server_xml(bus)).facts]
    return [fact for bus in given["buses"] for fact in _bus(bus, given.get("edition", "was"))]


def server_xml(bus: Mapping[str, Any]) -> str:
    """A Liberty server with the destinations of a bus."""
    elements = []
    for entry in bus["destinations"]:
        texts = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in entry.items()}
        kind = texts.pop("type")
        texts["id"] = texts.pop("identifier", texts.get("id", ""))
        elements.append(f"<{kind} {' '.join(f'{key}={quoteattr(text)}' for key, text in texts.items())}/>")
    return f'<server>\n  <messagingEngine id="defaultME">\n    {"".join(elements)}\n  </messagingEngine>\n</server>\n'


def _bus(bus: Mapping[str, Any], edition: str) -> Iterator[Fact]:
    name = bus["name"]
    lines = iter(range(1, 1_000_000))

    def source() -> Source:
        return Source(f"{name}/sib-destinations.xml", next(lines), 1)

    common = {"bundle": name, "server": name}
    yield facts.Bus(
        **common, source=source(), name=name, edition=edition, complete=facts.SECTIONS, version=bus.get("version", "")
    )
    for engine in bus.get("messagingEngines", []):
        yield facts.MessagingEngine(**common, source=source(), name=engine)
    for entry in bus.get("mediations", []):
        yield facts.Mediation(
            **common,
            source=source(),
            name=entry["name"],
            destination=entry.get("destination", ""),
            enabled=entry.get("enabled", True),
        )
    attached = {entry.get("destination") for entry in bus.get("mediations", [])}
    for entry in bus.get("foreignBuses", []):
        route = entry.get("route", "")
        next_hop = entry.get("nextHop") or entry.get("next_hop") or ""
        kind = _ROUTES.get(route, "indirect" if next_hop or route.startswith("indirect") else "")
        yield facts.ForeignBus(
            **common,
            source=source(),
            name=entry["name"],
            route=kind,
            next_hop=next_hop,
            engine=entry.get("messagingEngine", ""),
        )
        if "exceptionDestination" in entry:
            yield facts.Link(
                **common, source=source(), name=f"link to {entry['name']}", type="sib" if kind == "direct" else "mq",
                foreign_bus=entry["name"], exception_destination=entry["exceptionDestination"],
            )  # fmt: skip
    for entry in bus["destinations"]:
        at = source()
        own = entry["identifier"]
        if entry.get("mediation") and own not in attached:
            yield facts.Mediation(**common, source=at, name=entry["mediation"], destination=own, enabled=True)
        yield facts.Destination(
            **common,
            source=at,
            destination_type=entry["type"],
            name=own,
            attributes=tuple(
                facts.Attribute(key, str(value).lower() if isinstance(value, bool) else str(value), at)
                for key, value in entry.items()
                if key not in OWN_FIELDS
            ),
            forward_path=tuple(_element(one, at) for one in entry.get("defaultForwardRoutingPath", [])),
            reply=_element(entry["replyDestination"], at) if entry.get("replyDestination") else None,
            exception_destination=entry.get("exceptionDestination"),
            target=_target(entry, at),
            alias_bus=entry.get("aliasBus", ""),
            foreign_bus=entry.get("foreignBus", entry.get("bus", "")) or "",
            localizations=tuple(
                one.rpartition("@")[2] for one in entry.get("localizationPoints", entry.get("queuePoints", []))
            )
            if entry["type"].lower() != "alias"
            else (),
            queue_points=tuple(entry.get("targetQueuePointIdentifiers", entry.get("queuePoints", ()))) or None
            if entry["type"].lower() == "alias"
            else None,
        )


def _element(one: Mapping[str, Any], source: Source) -> facts.PathElement:
    return facts.PathElement(one.get("bus") or "", one["destination"], source)


def _target(entry: Mapping[str, Any], source: Source) -> facts.PathElement | None:
    if "targetIdentifier" in entry:
        return facts.PathElement(entry.get("targetBus") or "", entry["targetIdentifier"], source)
    if "targetDestination" in entry:
        return facts.PathElement("", entry["targetDestination"], source)
    return None
