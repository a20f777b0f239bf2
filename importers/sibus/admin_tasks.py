"""What the administrative commands of a script make of buses (sibus.md A4.2): facts, in the state after the last command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from topograph.facts import Fact
from topograph.facts.sibus import (
    DESTINATION_TYPES,
    SECTIONS,
    Attribute,
    Bus,
    BusMember,
    Destination,
    ForeignBus,
    Link,
    Mediation,
    Member,
    MessagingEngine,
    PathElement,
    TopicSpaceMapping,
)
from topograph.findings import Severity, Source
from topograph.importers.sibus import attributes
from topograph.importers.sibus.admin_words import HOLE, Options, Value, has_hole, options, rows, words_of
from topograph.importers.sibus.file_reading import FileReading
from topograph.importers.sibus.script import Call, Script

_HARMLESS = ("list", "show", "is", "get", "help", "export")
"""How the names of commands begin that change nothing."""

_NOT_ABOUT_ROUTES = ("SIBJMS", "SIBWMQServer", "SIBAudit", "SIBPermittedChain", "SIBBootstrapMember", "SIBNominated")
"""Words in the names of commands that say nothing of where a bus sends messages."""

_DESTINATION_OPTIONS = frozenset(
    {
        "bus", "name", "nameList", "type", "cluster", "node", "server", "wmqServer", "aliasBus", "targetBus", "targetName", "foreignBus",
        "defaultForwardRoutingPath", "replyDestination", "replyDestinationBus", "exceptionDestination", "queuePoints", "mediationPoints",
    }
)  # fmt: skip
"""Options that have a field of their own."""

_PLACES = ("cluster", "node", "server", "description", "wmqServer")
"""Options whose value may be unknown without a doubt about where messages go."""

_CANONICAL = {name.lower(): name for name in DESTINATION_TYPES}

Key = tuple[type[Fact], str]
"""Kind and name; of an attached mediation the destination, behind a NUL."""


@dataclass(slots=True)
class _State:
    """What the commands so far have made."""

    reading: FileReading
    facts: dict[str, dict[Key, Fact]] = field(default_factory=dict)
    """By bus."""
    engines: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many engines each cluster of a bus has."""
    unclear: list[tuple[str, Source]] = field(default_factory=list)
    """Commands that are about a bus that is not known: they may be about any."""

    def of(self, bus: str) -> dict[Key, Fact]:
        """The facts of a bus."""
        return self.facts.setdefault(bus, {})


def follow(reading: FileReading, script: Script) -> None:
    """The facts that the calls of a script come to. Linear in the calls."""
    state = _State(reading)
    for call in script.calls:
        _follow(state, call)
    if script.cut:
        reason = f"The script is not followed to its end: {script.cut}"
        reading.report(Severity.ERROR, "script-cut", f"{reason}.", reading.source())
        state.unclear.append((reason, reading.source()))
    if script.takes_in:
        for server, made in list(reading.buses.items()):
            reading.buses[server] = replace(made, complete=())
    if state.unclear:
        reason, source = state.unclear[0]
        for bus in list(reading.buses) or [""]:
            reading.incomplete(bus, reason, source)
    for reason, source in state.unclear[1:]:
        message = f"{reason}: answers about the buses of this script are incomplete."
        reading.report(Severity.WARNING, "incomplete-bus", message, source)
    for facts in state.facts.values():
        for fact in facts.values():
            reading.keep(fact)


def _follow(state: _State, call: Call) -> None:
    reading = state.reading
    source = reading.source(call.line, call.column)
    if call.object == "AdminConfig":
        _configured(state, call, source)
        return
    if (
        "SIB" not in call.name
        or call.name.startswith(_HARMLESS)
        or any(word in call.name for word in _NOT_ABOUT_ROUTES)
    ):
        reading.ignored += 1
        return
    found = options(call.arguments[-1]) if call.arguments else Options()
    bus = found.text("bus")
    known = bool(bus) and HOLE not in bus
    if known:
        reading.bus(bus, source)
    action = _ACTIONS.get(call.name)
    reason = ""
    if action is None:
        reason = f"AdminTask.{call.name} is not understood"
    elif not call.certain:
        reason = f"Whether and how AdminTask.{call.name} is called is not known: {call.why}"
    elif not known:
        reason = f"Of which bus this AdminTask.{call.name} speaks is not known"
    elif not _is_clear(found):
        reason = f"The options of this AdminTask.{call.name} are not all known"
    if action is not None and not reason:
        action(state, bus, found, source)
        return
    if known:
        name = found.text("name") or found.text("destinationName")
        named = call.name in _OF_ONE_DESTINATION and name and HOLE not in name
        reading.incomplete(bus, reason, source, _SECTIONS.get(call.name, SECTIONS), name if named else "")
    else:
        state.unclear.append((reason, source))


def _is_clear(found: Options) -> bool:
    return not found.unclear and not any(has_hole(value) for name, value in found.values.items() if name not in _PLACES)


def _configured(state: _State, call: Call, source: Source) -> None:
    """``AdminConfig`` may change everything: what touches a bus is not followed."""
    if call.name in (
        "create",
        "modify",
        "remove",
        "createUsingTemplate",
        "deleteDocument",
        "unsetAttributes",
        "resetAttributes",
    ):
        about = " ".join([*words_of(list(call.arguments)), call.about])
        if "SIB" in about and "SIBJMS" not in about and "SIBContextInfo" not in about:
            state.unclear.append(
                (f"AdminConfig.{call.name} changes the configuration of a bus, which is not followed", source)
            )
            return
    state.reading.ignored += 1


def _create_bus(state: _State, bus: str, found: Options, source: Source) -> None:
    reading = state.reading
    own = attributes.stated(_stated(found, {"bus", "uuid"}, source), attributes.TRUTH)
    made = Bus(
        bundle=reading.bundle,
        server=bus,
        source=source,
        name=bus,
        uuid=found.text("uuid"),
        complete=SECTIONS,
        attributes=own,
    )
    reading.state_bus(made)
    reading.read += 1


def _delete_bus(state: _State, bus: str, found: Options, source: Source) -> None:
    del found
    if "destinations" in state.reading.buses[bus].complete:
        state.facts.pop(bus, None)
        del state.reading.buses[bus]
    else:
        state.reading.incomplete(bus, "The script deletes the bus", source)


def _add_member(state: _State, bus: str, found: Options, source: Source) -> None:
    member = _member(found)
    if member == Member() or _unknown(member):
        state.reading.incomplete(bus, "Which member is added to the bus is not known", source, ["engines"])
        return
    reading = state.reading
    made = BusMember(bundle=reading.bundle, server=bus, source=source, member=member)
    state.of(bus)[BusMember, made.label] = made
    if not member.mq_server:
        _derive_engine(state, bus, member, source)


def _derive_engine(state: _State, bus: str, member: Member, source: Source) -> None:
    number = state.engines[bus, member.cluster]
    state.engines[bus, member.cluster] += 1
    name = f"{member.cluster}.{number:03}-{bus}" if member.cluster else f"{member.node}.{member.server}-{bus}"
    state.of(bus)[MessagingEngine, name] = MessagingEngine(
        bundle=state.reading.bundle,
        server=bus,
        source=source,
        name=name,
        cluster=member.cluster,
        node=member.node,
        server_name=member.server,
        derived=True,
    )


def _create_engine(state: _State, bus: str, found: Options, source: Source) -> None:
    member = _member(found)
    if member == Member() or _unknown(member):
        state.reading.incomplete(bus, "Of which member an engine is made is not known", source, ["engines"])
    else:
        _derive_engine(state, bus, member, source)


def _member(found: Options) -> Member:
    return Member(found.text("cluster"), found.text("node"), found.text("server"), found.text("wmqServer"))


def _unknown(member: Member) -> bool:
    return any(HOLE in text for text in (member.cluster, member.node, member.server, member.mq_server))


def _create_destination(state: _State, bus: str, found: Options, source: Source) -> None:
    listed = found.values.get("nameList")
    names = list(words_of(listed)) if isinstance(listed, list) else listed.split() if listed else [found.text("name")]
    for name in names:
        kind = _CANONICAL.get(found.text("type").lower(), "")
        if not name or not kind:
            reason = (
                f"The type {found.text('type')!r} of a destination is not understood"
                if name
                else "A destination has no name"
            )
            state.reading.incomplete(bus, reason, source, ["destinations"], name)
        fresh = Destination(bundle=state.reading.bundle, server=bus, source=source, destination_type=kind, name=name)
        if name:
            state.of(bus)[Destination, name] = _with(state, fresh, found, source)


def _modify_destination(state: _State, bus: str, found: Options, source: Source) -> None:
    name = found.text("name")
    known = state.of(bus).get((Destination, name))
    if isinstance(known, Destination):
        state.of(bus)[Destination, name] = _with(state, known, found, source)
    else:
        reason = f"The script changes {name}, which it does not make itself"
        state.reading.incomplete(bus, reason, source, ["destinations"], name)


def _delete_destination(state: _State, bus: str, found: Options, source: Source) -> None:
    listed = found.values.get("nameList")
    for name in words_of(listed) if listed else [found.text("name")]:
        if state.of(bus).pop((Destination, name), None) is None:
            state.reading.incomplete(bus, f"The script deletes {name}", source, ["destinations"], name)
        state.of(bus).pop((Mediation, f"\0{name}"), None)


def _with(state: _State, known: Destination, found: Options, source: Source) -> Destination:
    """A destination with what the options state."""
    reading, values = state.reading, found.values
    kept = {attribute.name: attribute for attribute in known.attributes}
    kept |= {
        each.name: each
        for each in attributes.stated(_stated(found, _DESTINATION_OPTIONS, source), attributes.DESTINATION)
    }
    changed = replace(known, attributes=tuple(kept[name] for name in sorted(kept)))
    if "defaultForwardRoutingPath" in values:
        path = _path(values["defaultForwardRoutingPath"], source)
        if path is None:
            reason = f"The forward routing path of {known.name} is not understood"
            reading.incomplete(known.server, reason, source, ["destinations"], known.name)
        changed = replace(changed, forward_path=path or ())
    if "replyDestination" in values:
        reply = found.text("replyDestination")
        element = PathElement(found.text("replyDestinationBus"), reply, source) if reply else None
        changed = replace(changed, reply=element)
    if "exceptionDestination" in values:
        changed = replace(changed, exception_destination=found.text("exceptionDestination"), exception_source=source)
    member = _member(found)
    if _unknown(member):
        message = f"On which member of the bus {known.name} is, is not known: the script computes it."
        reading.report(Severity.INFO, "member-not-known", message, source, server=known.server)
    elif member != Member():
        changed = replace(changed, members=(member,))
    if known.destination_type == "Alias":
        target = known.target or PathElement("", "", source)
        target = PathElement(
            found.text("targetBus") or target.bus, found.text("targetName") or target.destination, source
        )
        changed = replace(
            changed, target=target if target.destination else None, alias_bus=found.text("aliasBus") or known.alias_bus
        )
        if values.get("queuePoints"):
            points = tuple(words_of(values["queuePoints"]))
            changed = replace(changed, queue_points=points)
    elif known.destination_type == "Foreign":
        changed = replace(changed, foreign_bus=found.text("foreignBus") or known.foreign_bus)
    return changed


def _path(value: Value, source: Source) -> tuple[PathElement, ...] | None:
    table = rows(value)
    if table is None or not all(1 <= len(row) <= 2 for row in table if row):
        return None
    return tuple(PathElement(row[0] if len(row) == 2 else "", row[-1], source) for row in table if row)


def _stated(found: Options, without: Iterable[str], source: Source) -> list[tuple[str, str, Source]]:
    """The options that become attributes; one without a value states nothing."""
    without = frozenset(without) | {"description"}
    return [(name, found.text(name), source) for name in found.values if name not in without and found.text(name)]


def _create_mediation(state: _State, bus: str, found: Options, source: Source) -> None:
    name = found.text("mediationName") or found.text("name")
    pairs = _stated(found, {"bus", "mediationName", "name"}, source)
    state.of(bus)[Mediation, name] = Mediation(
        bundle=state.reading.bundle,
        server=bus,
        source=source,
        name=name,
        attributes=attributes.stated(
            pairs, {"handlerListName", "selector", "discriminator", "selectorDomain", "globalTransaction"}
        ),
    )


def _mediate(state: _State, bus: str, found: Options, source: Source) -> None:
    destination = found.text("destinationName")
    made = Mediation(
        bundle=state.reading.bundle,
        server=bus,
        source=source,
        name=found.text("mediationName"),
        destination=destination,
    )
    state.of(bus)[Mediation, f"\0{destination}"] = made


def _unmediate(state: _State, bus: str, found: Options, source: Source) -> None:
    destination = found.text("destinationName")
    if state.of(bus).pop((Mediation, f"\0{destination}"), None) is None:
        reason = f"The script takes the mediation away from {destination}"
        state.reading.incomplete(bus, reason, source, ["mediations"], destination)


def _create_foreign_bus(state: _State, bus: str, found: Options, source: Source) -> None:
    name = found.text("name")
    routing, kind = found.text("routingType").lower(), found.text("type").lower()
    route = "indirect" if routing == "indirect" else "mq" if kind == "mq" else "direct" if routing == "direct" else ""
    table = rows(found.values.get("topicSpaceMappings", [])) or []
    mappings = tuple(TopicSpaceMapping(row[0], row[1], source) for row in table if len(row) == 2)
    if not name or not route:
        state.reading.incomplete(
            bus, f"How the foreign bus {name} is reached is not understood", source, ["foreign_buses"], name
        )
    known = {"bus", "name", "routingType", "type", "nextHopBus", "topicSpaceMappings", "destinationDefaults"}
    state.of(bus)[ForeignBus, name] = ForeignBus(
        bundle=state.reading.bundle,
        server=bus,
        source=source,
        name=name,
        route=route,
        next_hop=found.text("nextHopBus") if route == "indirect" else "",
        topic_spaces=mappings,
        attributes=attributes.stated(_stated(found, known, source), attributes.TRUTH | attributes.LINK),
    )


def _create_link(kind: str) -> Callable[[_State, str, Options, Source], None]:
    def create(state: _State, bus: str, found: Options, source: Source) -> None:
        name = found.text("name")
        known = {
            "bus",
            "name",
            "messagingEngine",
            "foreignBusName",
            "remoteMessagingEngineName",
            "exceptionDestination",
        }
        exception = found.text("exceptionDestination") if "exceptionDestination" in found.values else None
        engine, foreign = found.text("messagingEngine"), found.text("foreignBusName")
        made = Link(
            bundle=state.reading.bundle,
            server=bus,
            source=source,
            name=name,
            type=kind,
            engine=engine,
            foreign_bus=foreign,
            remote_engine=found.text("remoteMessagingEngineName"),
            exception_destination=exception,
            attributes=attributes.stated(_stated(found, known, source), attributes.TRUTH | attributes.LINK),
        )
        state.of(bus)[Link, name] = made
        to = state.of(bus).get((ForeignBus, foreign))
        if isinstance(to, ForeignBus) and engine:
            state.of(bus)[ForeignBus, foreign] = replace(to, engine=engine)

    return create


def _modify_link(state: _State, bus: str, found: Options, source: Source) -> None:
    name = found.text("name")
    known = state.of(bus).get((Link, name))
    if not isinstance(known, Link):
        state.reading.incomplete(
            bus, f"The script changes the link {name}, which it does not make itself", source, ["foreign_buses"], name
        )
        return
    own = {"bus", "name", "messagingEngine", "foreignBusName", "remoteMessagingEngineName", "exceptionDestination"}
    kept: dict[str, Attribute] = {attribute.name: attribute for attribute in known.attributes}
    kept |= {
        each.name: each for each in attributes.stated(_stated(found, own, source), attributes.TRUTH | attributes.LINK)
    }
    if "exceptionDestination" in found.values:
        known = replace(known, exception_destination=found.text("exceptionDestination"))
    remote = found.text("remoteMessagingEngineName") or known.remote_engine
    state.of(bus)[Link, name] = replace(
        known, remote_engine=remote, attributes=tuple(kept[each] for each in sorted(kept))
    )


def _delete(kind: type[Fact], section: str) -> Callable[[_State, str, Options, Source], None]:
    def delete(state: _State, bus: str, found: Options, source: Source) -> None:
        name = found.text("name") or found.text("mediationName")
        if state.of(bus).pop((kind, name), None) is None:
            state.reading.incomplete(bus, f"The script deletes {name}", source, [section], name)

    return delete


_ACTIONS: Mapping[str, Callable[[_State, str, Options, Source], None]] = {
    "createSIBus": _create_bus,
    "deleteSIBus": _delete_bus,
    "addSIBusMember": _add_member,
    "createSIBEngine": _create_engine,
    "createSIBDestination": _create_destination,
    "createSIBDestinations": _create_destination,
    "modifySIBDestination": _modify_destination,
    "deleteSIBDestination": _delete_destination,
    "deleteSIBDestinations": _delete_destination,
    "createSIBMediation": _create_mediation,
    "deleteSIBMediation": _delete(Mediation, "mediations"),
    "mediateSIBDestination": _mediate,
    "unmediateSIBDestination": _unmediate,
    "createSIBForeignBus": _create_foreign_bus,
    "deleteSIBForeignBus": _delete(ForeignBus, "foreign_buses"),
    "createSIBLink": _create_link("sib"),
    "createSIBMQLink": _create_link("mq"),
    "modifySIBLink": _modify_link,
    "modifySIBMQLink": _modify_link,
    "deleteSIBLink": _delete(Link, "foreign_buses"),
    "deleteSIBMQLink": _delete(Link, "foreign_buses"),
}

COMMANDS = frozenset(_ACTIONS)
"""The commands of ``AdminTask`` that are followed."""

_OF_ONE_DESTINATION = frozenset(
    {
        "createSIBDestination", "modifySIBDestination", "deleteSIBDestination", "mediateSIBDestination", "unmediateSIBDestination",
    }
)  # fmt: skip

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_OF_ONE_DESTINATION, ("destinations", "mediations")),
    **dict.fromkeys(("createSIBDestinations", "deleteSIBDestinations"), ("destinations",)),
    **dict.fromkeys(("createSIBMediation", "deleteSIBMediation"), ("mediations",)),
    **dict.fromkeys(("addSIBusMember", "createSIBEngine"), ("engines",)),
    "removeSIBusMember": ("engines", "destinations"),
    **dict.fromkeys(
        ("createSIBForeignBus", "deleteSIBForeignBus", "createSIBLink", "createSIBMQLink", "modifySIBLink", "modifySIBMQLink",
         "deleteSIBLink", "deleteSIBMQLink"),
        ("foreign_buses",),
    ),
}  # fmt: skip
"""What a command that cannot be followed may change; all for those that are not known."""
