"""What the options of a command say about a bus, as facts (sibus.md A4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from topograph.facts import Fact
from topograph.facts.sibus import (
    DESTINATION_TYPES,
    SECTIONS,
    ForeignBus,
    Mediation,
    PathElement,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
    TopicSpaceMapping,
)
from topograph.findings import Source
from topograph.importers.sibus import attributes
from topograph.importers.sibus.admin_words import HOLE, CallOptions, Value, rows, words_of
from topograph.records import record

DESTINATION_OPTIONS = frozenset(
    {
        "bus", "name", "nameList", "type", "cluster", "node", "server", "wmqServer", "aliasBus",
        "targetBus", "targetName", "foreignBus",
        "defaultForwardRoutingPath", "replyDestination", "replyDestinationBus",
        "exceptionDestination", "queuePoints", "mediationPoints",
    }
)  # fmt: skip
"""Options of a destination that have a field of their own."""

FOREIGN_BUS_OPTIONS = frozenset(
    {
        "bus",
        "name",
        "routingType",
        "type",
        "nextHopBus",
        "topicSpaceMappings",
        "destinationDefaults",
    }
)

LINK_OPTIONS = frozenset(
    {
        "bus",
        "name",
        "messagingEngine",
        "foreignBusName",
        "remoteMessagingEngineName",
        "exceptionDestination",
    }
)

MEDIATION_OPTIONS = frozenset({"bus", "mediationName", "name"})

MEDIATION_ATTRIBUTES = frozenset(
    {"handlerListName", "selector", "discriminator", "selectorDomain", "globalTransaction"}
)

BUS_OPTIONS = frozenset({"bus", "uuid"})

_CANONICAL = {name.lower(): name for name in DESTINATION_TYPES}

F = TypeVar("F", bound=Fact)


@record
class StatedFact(Generic[F]):
    """What a command says of an object: a fact, which of its fields the options state
    (``facts.wsadmin_commands.restated``), and what of it is not understood."""

    fact: F
    stated: frozenset[str] = frozenset()
    doubt: str = ""


def names_of(found: CallOptions) -> list[str]:
    """The destinations that a command is about: ``-nameList``, else ``-name``."""
    listed = found.values.get("nameList")
    if isinstance(listed, list):
        return list(words_of(listed))
    return listed.split() if listed else [found.text("name")]


def member_of(found: CallOptions) -> SibusMember:
    """The bus member that the options name."""
    return SibusMember(
        found.text("cluster"), found.text("node"), found.text("server"), found.text("wmqServer")
    )


def is_unknown(member: SibusMember) -> bool:
    """Whether the script computes which member it is."""
    return any(
        HOLE in text for text in (member.cluster, member.node, member.server, member.mq_server)
    )


def pairs(
    found: CallOptions, without: Iterable[str], source: Source
) -> list[tuple[str, str, Source]]:
    """The options that become attributes; one without a value states nothing."""
    without = frozenset(without) | {"description"}
    return [
        (name, found.text(name), source)
        for name in found.values
        if name not in without and found.text(name)
    ]


def bus_said(
    bundle: str, bus: str, found: CallOptions, source: Source, complete: tuple[str, ...] = SECTIONS
) -> SibusBus:
    """A bus."""
    own = attributes.stated(pairs(found, BUS_OPTIONS, source), attributes.TRUTH)
    return SibusBus(
        bundle=bundle,
        server=bus,
        source=source,
        name=bus,
        uuid=found.text("uuid"),
        complete=complete,
        attributes=own,
    )


def destination_said(
    bundle: str, bus: str, name: str, found: CallOptions, source: Source
) -> StatedFact[SibusDestination]:
    """A destination; its type is empty where it is not one that is known."""
    values, stated, doubt = found.values, set[str](), ""
    path: tuple[PathElement, ...] = ()
    if "defaultForwardRoutingPath" in values:
        elements = _path(values["defaultForwardRoutingPath"], source)
        doubt = f"The forward routing path of {name} is not understood" if elements is None else ""
        path = elements or ()
        stated.add("forward_path")
    reply_to, reply_bus = found.text("replyDestination"), found.text("replyDestinationBus")
    reply = PathElement(reply_bus, reply_to, source) if reply_to or reply_bus else None
    stated |= {"reply"} if "replyDestination" in values else set()
    stated |= {"reply.bus"} if reply_bus else set()
    exception = found.text("exceptionDestination") if "exceptionDestination" in values else None
    stated |= {"exception_destination", "exception_source"} if exception is not None else set()
    member = member_of(found)
    members = () if member == SibusMember() or is_unknown(member) else (member,)
    stated |= {"members"} if members else set()
    target_bus, target_name = found.text("targetBus"), found.text("targetName")
    target = PathElement(target_bus, target_name, source) if target_bus or target_name else None
    stated |= {"target.bus"} if target_bus else set()
    stated |= {"target.destination"} if target_name else set()
    stated |= {"alias_bus"} if found.text("aliasBus") else set()
    stated |= {"foreign_bus"} if found.text("foreignBus") else set()
    points = tuple(words_of(values["queuePoints"])) if values.get("queuePoints") else None
    stated |= {"queue_points"} if points is not None else set()
    fact = SibusDestination(
        bundle=bundle,
        server=bus,
        source=source,
        destination_type=_CANONICAL.get(found.text("type").lower(), ""),
        name=name,
        attributes=attributes.stated(
            pairs(found, DESTINATION_OPTIONS, source), attributes.DESTINATION
        ),
        forward_path=path,
        reply=reply if reply_to or "replyDestination" not in values else None,
        exception_destination=exception,
        exception_source=None if exception is None else source,
        members=members,
        target=target,
        alias_bus=found.text("aliasBus"),
        queue_points=points,
        foreign_bus=found.text("foreignBus"),
    )
    return StatedFact(fact, frozenset(stated), doubt)


def _path(value: Value, source: Source) -> tuple[PathElement, ...] | None:
    table = rows(value)
    if table is None or not all(1 <= len(row) <= 2 for row in table if row):
        return None
    return tuple(
        PathElement(row[0] if len(row) == 2 else "", row[-1], source) for row in table if row
    )


def mediation_said(bundle: str, bus: str, found: CallOptions, source: Source) -> Mediation:
    """A mediation of a bus."""
    said = pairs(found, MEDIATION_OPTIONS, source)
    return Mediation(
        bundle=bundle,
        server=bus,
        source=source,
        name=found.text("mediationName") or found.text("name"),
        attributes=attributes.stated(said, MEDIATION_ATTRIBUTES),
    )


def mediated_said(bundle: str, bus: str, found: CallOptions, source: Source) -> Mediation:
    """A mediation at a destination."""
    return Mediation(
        bundle=bundle,
        server=bus,
        source=source,
        name=found.text("mediationName"),
        destination=found.text("destinationName"),
    )


def foreign_bus_said(
    bundle: str, bus: str, found: CallOptions, source: Source
) -> StatedFact[ForeignBus]:
    """A foreign bus; its route is empty where the options do not say how it is reached."""
    routing, kind = found.text("routingType").lower(), found.text("type").lower()
    route = (
        "indirect"
        if routing == "indirect"
        else "mq"
        if kind == "mq"
        else "direct"
        if routing == "direct"
        else ""
    )
    table = rows(found.values.get("topicSpaceMappings", [])) or []
    mappings = tuple(TopicSpaceMapping(row[0], row[1], source) for row in table if len(row) == 2)
    name, hop = found.text("name"), found.text("nextHopBus")
    stated = {"route"} if routing or kind else set[str]()
    stated |= {"next_hop"} if hop or (routing and routing != "indirect") else set()
    stated |= {"topic_spaces"} if "topicSpaceMappings" in found.values else set()
    fact = ForeignBus(
        bundle=bundle,
        server=bus,
        source=source,
        name=name,
        route=route,
        next_hop=hop if route == "indirect" or not routing else "",
        topic_spaces=mappings,
        attributes=attributes.stated(
            pairs(found, FOREIGN_BUS_OPTIONS, source), attributes.TRUTH | attributes.LINK
        ),
    )
    doubt = (
        ""
        if name and (route or not stated & {"route"})
        else f"How the foreign bus {name} is reached is not understood"
    )
    return StatedFact(fact, frozenset(stated), doubt)


def link_said(
    bundle: str, bus: str, found: CallOptions, source: Source, kind: str
) -> StatedFact[SibusLink]:
    """A link of the type ``sib`` or ``mq``."""
    exception = (
        found.text("exceptionDestination") if "exceptionDestination" in found.values else None
    )
    remote = found.text("remoteMessagingEngineName")
    stated = {"exception_destination"} if exception is not None else set[str]()
    stated |= {"remote_engine"} if remote else set()
    fact = SibusLink(
        bundle=bundle,
        server=bus,
        source=source,
        name=found.text("name"),
        type=kind,
        engine=found.text("messagingEngine"),
        foreign_bus=found.text("foreignBusName"),
        remote_engine=remote,
        exception_destination=exception,
        attributes=attributes.stated(
            pairs(found, LINK_OPTIONS, source), attributes.TRUTH | attributes.LINK
        ),
    )
    return StatedFact(fact, frozenset(stated))


def incomplete_sections(name: str) -> tuple[str, ...]:
    """The sections of a bus that a command may change of which not all is known."""
    return _SECTIONS.get(name, SECTIONS)


OF_ONE_DESTINATION = frozenset(
    {
        "createSIBDestination", "modifySIBDestination", "deleteSIBDestination",
        "mediateSIBDestination", "unmediateSIBDestination",
    }
)  # fmt: skip

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_ONE_DESTINATION, ("destinations", "mediations")),
    **dict.fromkeys(("createSIBDestinations", "deleteSIBDestinations"), ("destinations",)),
    **dict.fromkeys(("createSIBMediation", "modifySIBMediation", "deleteSIBMediation"),
        ("mediations",)),
    **dict.fromkeys(
        ("addSIBusMember", "createSIBEngine", "modifySIBEngine", "deleteSIBEngine"), ("engines",)
    ),
    "removeSIBusMember": ("engines", "destinations"),
    **dict.fromkeys(
        ("createSIBForeignBus", "modifySIBForeignBus", "deleteSIBForeignBus", "createSIBLink",
            "createSIBMQLink", "modifySIBLink",
         "modifySIBMQLink", "deleteSIBLink", "deleteSIBMQLink"),
        ("foreign_buses",),
    ),
}  # fmt: skip
"""What a command that cannot be followed may change; all for those that are not known."""


def engine_name(bus: str, member: SibusMember, number: int) -> str:
    """The name that a new engine of a member gets, ``number`` being that of its engine in a
    cluster.
    """
    return (
        f"{member.cluster}.{number:03}-{bus}"
        if member.cluster
        else f"{member.node}.{member.server}-{bus}"
    )


_DESTINATION = DESTINATION_OPTIONS | attributes.DESTINATION | {
    "nonPersistentReliability", "persistentReliability", "useAllTargetQueuePoints",
    "useAllTargetMediationPoints", "useDefaultBlockedRetryTimeout",
}  # fmt: skip
_MEMBER = frozenset({"bus", "cluster", "node", "server", "wmqServer"})
_STORE = frozenset(
    {
        "fileStore", "dataStore", "createDefaultDatasource", "datasourceJndiName", "authAlias",
        "createTables", "restrictLongDBLock", "schemaName",
        "logSize", "logDirectory", "minPermanentStoreSize", "maxPermanentStoreSize",
        "unlimitedPermanentStoreSize", "permanentStoreDirectory",
        "minTemporaryStoreSize", "maxTemporaryStoreSize", "unlimitedTemporaryStoreSize",
        "temporaryStoreDirectory", "initialHeapSize", "maxHeapSize",
        "enableAssistance", "policyName", "failover", "failback", "preferredServersOnly",
        "preferredServerList", "virtualQueueManagerName", "host",
        "port", "channel", "securityAuthAlias", "transportChain", "trustUserIds", "description",
        "initialState", "highMessageThreshold",
        "defaultBlockedRetryTimeout",
    }
)  # fmt: skip
_LINK = LINK_OPTIONS | attributes.LINK | {
    "authAlias", "protocolName", "description", "useDefaultExceptionDestination",
    "receiverChannelType", "defaultBlockedRetryTimeout",
}  # fmt: skip
_BUS = attributes.TRUTH | BUS_OPTIONS | {
    "description", "interEngineAuthAlias", "mediationsAuthAlias", "protocol",
    "highMessageThreshold", "scriptCompatibility", "permittedChains",
    "useServerIdForMediations", "securityGroupCacheTimeout", "securityDomain", "bootstrapPolicy",
}  # fmt: skip

OPTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("createSIBus", "modifySIBus"), _BUS),
    "deleteSIBus": frozenset({"bus"}),
    **dict.fromkeys(("addSIBusMember", "createSIBEngine"), _MEMBER | _STORE),
    "removeSIBusMember": _MEMBER,
    "deleteSIBEngine": _MEMBER | {"engine"},
    **dict.fromkeys(("createSIBDestination", "createSIBDestinations", "modifySIBDestination"),
        _DESTINATION),
    **dict.fromkeys(("deleteSIBDestination", "deleteSIBDestinations"),
        frozenset({"bus", "name", "nameList", "aliasBus", "foreignBus"})),
    **dict.fromkeys(("createSIBMediation", "modifySIBMediation"),
        MEDIATION_OPTIONS | MEDIATION_ATTRIBUTES | {"description"}),
    "deleteSIBMediation": MEDIATION_OPTIONS,
    "mediateSIBDestination": _MEMBER | {"destinationName", "mediationName", "externallyMediated",
    "wmqQueueName", "useRFH2"},
    "unmediateSIBDestination": frozenset({"bus", "destinationName"}),
    **dict.fromkeys(
        ("createSIBForeignBus", "modifySIBForeignBus"),
        FOREIGN_BUS_OPTIONS | {"description", "sendAllowed", "inboundUserid", "outboundUserid"},
    ),
    "deleteSIBForeignBus": frozenset({"bus", "name"}),
    **dict.fromkeys(("createSIBLink", "createSIBMQLink", "modifySIBLink", "modifySIBMQLink"),
        _LINK),
    **dict.fromkeys(("deleteSIBLink", "deleteSIBMQLink"),
        frozenset({"bus", "name", "messagingEngine"})),
}  # fmt: skip
"""The options of each command that are known."""
