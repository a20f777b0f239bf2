"""What the administrative commands of a script make of buses (sibus.md A4.2): facts, in the
state after the last command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace

from topograph.facts import Fact
from topograph.facts.sibus import (
    BusMember,
    ChangedBus,
    ForeignBus,
    Mediation,
    MessagingEngine,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.facts.wsadmin_commands import restated
from topograph.findings import Severity, Source
from topograph.importers.sibus.admin_facts import (
    OF_ONE_DESTINATION,
    StatedFact,
    bus_said,
    destination_said,
    engine_name,
    foreign_bus_said,
    incomplete_sections,
    is_unknown,
    link_said,
    mediated_said,
    mediation_said,
    member_of,
    names_of,
)
from topograph.importers.sibus.admin_words import HOLE, CallOptions, has_hole, options, words_of
from topograph.importers.sibus.file_reading import SibusFileReading
from topograph.importers.sibus.refusals import Key, KnownBus, refusal
from topograph.importers.sibus.script import Call, CallScript
from topograph.rules.unnumbered import COMMAND_REFUSED, INCOMPLETE_BUS, MEMBER_NOT_KNOWN, SCRIPT_CUT

HARMLESS = ("list", "show", "is", "get", "help", "export")
"""How the names of commands begin that change nothing."""

_NOT_ABOUT_ROUTES = (
    "SIBJMS",
    "SIBWMQServer",
    "SIBAudit",
    "SIBPermittedChain",
    "SIBBootstrapMember",
    "SIBNominated",
)
"""Words in the names of commands that say nothing of where a bus sends messages."""

PLACES = ("cluster", "node", "server", "description", "wmqServer")
"""Options whose value may be unknown without a doubt about where messages go."""


@dataclass(slots=True)
class _State:
    """What the commands so far have made."""

    reading: SibusFileReading
    facts: dict[str, dict[Key, Fact]] = field(default_factory=dict)
    """By bus."""
    engines: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many engines each cluster of a bus has."""
    made: set[str] = field(default_factory=set)
    """The buses that the script makes."""
    changed: dict[str, Source] = field(default_factory=dict)
    """Where the script first does something to each bus that it has not made by then."""
    unclear: list[tuple[str, Source]] = field(default_factory=list)
    """Commands that are about a bus that is not known: they may be about any."""

    def of(self, bus: str) -> dict[Key, Fact]:
        """The facts of a bus."""
        return self.facts.setdefault(bus, {})

    def known(self, bus: str) -> KnownBus:
        """What a bus has by now, and of which sections that is all."""
        unsure = self.reading.unsure
        complete = [
            one
            for one in self.reading.buses[bus].complete
            if not self.unclear and (bus, one) not in unsure
        ]
        return KnownBus(bus, self.of(bus), complete)


def follow(reading: SibusFileReading, script: CallScript) -> None:
    """The facts that the calls of a script come to. Linear in the calls."""
    state = _State(reading)
    for call in script.calls:
        _follow(state, call)
    if script.cut:
        reason = f"The script is not followed to its end: {script.cut}"
        reading.report(Severity.ERROR, SCRIPT_CUT, f"{reason}.", reading.source())
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
        reading.report(Severity.WARNING, INCOMPLETE_BUS, message, source)
    for facts in state.facts.values():
        for fact in facts.values():
            reading.keep(fact)
    for bus, source in state.changed.items():
        if bus in reading.buses and bus not in state.made:
            reading.facts.append(ChangedBus(bundle=reading.bundle, server=bus, source=source))


def _follow(state: _State, call: Call) -> None:
    reading = state.reading
    source = reading.source(call.line, call.column)
    if call.object == "AdminConfig":
        _configured(state, call, source)
        return
    if not is_about_routes(call.name) or call.name.startswith(HARMLESS):
        reading.ignored += 1
        return
    found = options(call.arguments[-1]) if call.arguments else CallOptions()
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
        refused = refusal(state.known(bus), call.name, found, source)
        if bus not in state.made and call.name != "createSIBus":
            state.changed.setdefault(bus, source)
        if refused is None:
            action(state, bus, found, source)
            return
        reason = f"AdminTask.{call.name} is refused: {refused.why}"
        if refused.harmless:
            reading.report(Severity.WARNING, COMMAND_REFUSED, f"{reason}.", source, server=bus)
            return
    if known:
        name = found.text("name") or found.text("destinationName")
        names = names_of(found)
        if call.name == "createSIBDestinations" and len(names) == 1:
            (name,) = names
        named = call.name in (*OF_ONE_DESTINATION, "createSIBDestinations") and name
        reading.incomplete(
            bus,
            reason,
            source,
            incomplete_sections(call.name),
            name if named and HOLE not in name else "",
        )
    else:
        state.unclear.append((reason, source))


def _is_clear(found: CallOptions) -> bool:
    return not found.unclear and not any(
        has_hole(value) for name, value in found.values.items() if name not in PLACES
    )


def is_about_routes(name: str) -> bool:
    """Whether a command of this name may say where a bus sends messages."""
    return "SIB" in name and not any(word in name for word in _NOT_ABOUT_ROUTES)


def changes_a_bus(call: Call) -> bool:
    """Whether a call of ``AdminConfig`` changes the configuration of a bus."""
    if call.name not in (
        "create",
        "modify",
        "remove",
        "createUsingTemplate",
        "deleteDocument",
        "unsetAttributes",
        "resetAttributes",
    ):
        return False
    about = " ".join([*words_of(list(call.arguments)), call.about])
    return "SIB" in about and "SIBJMS" not in about and "SIBContextInfo" not in about


def _configured(state: _State, call: Call, source: Source) -> None:
    """``AdminConfig`` may change everything: what touches a bus is not followed."""
    if changes_a_bus(call):
        reason = (
            f"AdminConfig.{call.name} changes the configuration of a bus, which is not followed"
        )
        state.unclear.append((reason, source))
    else:
        state.reading.ignored += 1


def _create_bus(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    reading = state.reading
    if bus in state.made:
        reason = f"AdminTask.createSIBus is refused: there is a bus {bus} already"
        message = f"{reason} ({reading.buses[bus].source})."
        reading.report(Severity.WARNING, COMMAND_REFUSED, message, source, server=bus)
        return
    if state.of(bus):
        reason = f"The script makes the bus {bus} after commands that need it, which are refused"
        reading.incomplete(bus, reason, source)
    state.made.add(bus)
    reading.state_bus(bus_said(reading.bundle, bus, found, source))
    reading.read += 1


def _modify_bus(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    known = state.reading.buses[bus]
    state.reading.buses[bus] = restated(known, bus_said("", bus, found, source), ())
    state.reading.read += 1


def _delete_bus(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    del found
    if "destinations" in state.reading.buses[bus].complete:
        state.facts.pop(bus, None)
        state.made.discard(bus)
        del state.reading.buses[bus]
    else:
        state.reading.incomplete(bus, "The script deletes the bus", source)


def _add_member(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    member = member_of(found)
    if member == SibusMember() or is_unknown(member):
        state.reading.incomplete(
            bus, "Which member is added to the bus is not known", source, ["engines"]
        )
        return
    reading = state.reading
    made = BusMember(bundle=reading.bundle, server=bus, source=source, member=member)
    state.of(bus)[BusMember, made.label] = made
    if not member.mq_server:
        _derive_engine(state, bus, member, source)


def _derive_engine(state: _State, bus: str, member: SibusMember, source: Source) -> None:
    number = state.engines[bus, member.cluster]
    state.engines[bus, member.cluster] += 1
    name = engine_name(bus, member, number)
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


def _create_engine(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    member = member_of(found)
    if member == SibusMember() or is_unknown(member):
        state.reading.incomplete(
            bus, "Of which member an engine is made is not known", source, ["engines"]
        )
    else:
        _derive_engine(state, bus, member, source)


def _create_destination(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    for name in names_of(found):
        said = destination_said(state.reading.bundle, bus, name, found, source)
        kind = said.fact.destination_type
        if not name or not kind:
            reason = (
                f"The type {found.text('type')!r} of a destination is not understood"
                if name
                else "A destination has no name"
            )
            state.reading.incomplete(bus, reason, source, ["destinations"], name)
        fresh = SibusDestination(
            bundle=state.reading.bundle, server=bus, source=source, destination_type=kind, name=name
        )
        known = state.of(bus).get((SibusDestination, name))
        if known is not None:
            _exists(state, bus, known, restated(fresh, said.fact, said.stated))
        elif name:
            state.of(bus)[SibusDestination, name] = _with(state, fresh, said, found)


def _exists(state: _State, bus: str, known: Fact, again: SibusDestination) -> None:
    """A name that a bus has already is refused: what was made first stays (A1.3)."""
    if _without_places(again) != _without_places(known):
        reason = (
            f"The script makes {again.name} a second time, which is refused: it is as "
            f"{known.source} makes it"
        )
        state.reading.incomplete(bus, reason, again.source, ["destinations"], again.name)


def _without_places(value: object) -> object:
    """A record as a tuple without the places that it names. Linear."""
    if isinstance(value, tuple):
        return tuple(_without_places(one) for one in value)
    if isinstance(value, Source):
        return None
    if is_dataclass(value):
        return tuple(_without_places(getattr(value, one.name)) for one in fields(value))
    return value


def _modify_destination(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    name = found.text("name")
    known = state.of(bus).get((SibusDestination, name))
    if isinstance(known, SibusDestination):
        said = destination_said(state.reading.bundle, bus, name, found, source)
        state.of(bus)[SibusDestination, name] = _with(state, known, said, found)
    else:
        reason = f"The script changes {name}, which it does not make itself"
        state.reading.incomplete(bus, reason, source, ["destinations"], name)


def _delete_destination(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    for name in names_of(found):
        if state.of(bus).pop((SibusDestination, name), None) is None:
            state.reading.incomplete(
                bus, f"The script deletes {name}", source, ["destinations"], name
            )
        state.of(bus).pop((Mediation, f"\0{name}"), None)


def _with(
    state: _State, known: SibusDestination, said: StatedFact[SibusDestination], found: CallOptions
) -> SibusDestination:
    """A destination with what the options state."""
    reading = state.reading
    if said.doubt:
        reading.incomplete(known.server, said.doubt, said.fact.source, ["destinations"], known.name)
    if is_unknown(member_of(found)):
        message = (
            f"On which member of the bus {known.name} is, is not known: the script computes it."
        )
        reading.report(
            Severity.INFO, MEMBER_NOT_KNOWN, message, said.fact.source, server=known.server
        )
    return restated(known, said.fact, said.stated)


def _create_mediation(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    made = mediation_said(state.reading.bundle, bus, found, source)
    state.of(bus)[Mediation, made.name] = made


def _modify_mediation(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    said = mediation_said(state.reading.bundle, bus, found, source)
    known = state.of(bus).get((Mediation, said.name))
    if isinstance(known, Mediation):
        state.of(bus)[Mediation, said.name] = restated(known, said, ())
    else:
        reason = f"The script changes the mediation {said.name}, which it does not make itself"
        state.reading.incomplete(bus, reason, source, ["mediations"], said.name)


def _mediate(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    made = mediated_said(state.reading.bundle, bus, found, source)
    state.of(bus)[Mediation, f"\0{made.destination}"] = made


def _unmediate(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    destination = found.text("destinationName")
    if state.of(bus).pop((Mediation, f"\0{destination}"), None) is None:
        reason = f"The script takes the mediation away from {destination}"
        state.reading.incomplete(bus, reason, source, ["mediations"], destination)


def _create_foreign_bus(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    said = foreign_bus_said(state.reading.bundle, bus, found, source)
    if not said.fact.name or not said.fact.route:
        doubt = said.doubt or f"How the foreign bus {said.fact.name} is reached is not understood"
        state.reading.incomplete(bus, doubt, source, ["foreign_buses"], said.fact.name)
    hop = said.fact.next_hop if said.fact.route == "indirect" else ""
    state.of(bus)[ForeignBus, said.fact.name] = replace(said.fact, next_hop=hop)


def _modify_foreign_bus(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    said = foreign_bus_said(state.reading.bundle, bus, found, source)
    name = said.fact.name
    known = state.of(bus).get((ForeignBus, name))
    if not isinstance(known, ForeignBus) or said.doubt:
        reason = (
            said.doubt
            or f"The script changes the foreign bus {name}, which it does not make itself"
        )
        state.reading.incomplete(bus, reason, source, ["foreign_buses"], name)
        return
    state.of(bus)[ForeignBus, name] = restated(known, said.fact, said.stated)


def _create_link(kind: str) -> Callable[[_State, str, CallOptions, Source], None]:
    def create(state: _State, bus: str, found: CallOptions, source: Source) -> None:
        made = link_said(state.reading.bundle, bus, found, source, kind).fact
        state.of(bus)[SibusLink, made.name] = made
        to = state.of(bus).get((ForeignBus, made.foreign_bus))
        if isinstance(to, ForeignBus) and made.engine:
            state.of(bus)[ForeignBus, made.foreign_bus] = replace(to, engine=made.engine)

    return create


def _modify_link(state: _State, bus: str, found: CallOptions, source: Source) -> None:
    name = found.text("name")
    known = state.of(bus).get((SibusLink, name))
    if not isinstance(known, SibusLink):
        reason = f"The script changes the link {name}, which it does not make itself"
        state.reading.incomplete(bus, reason, source, ["foreign_buses"], name)
        return
    said = link_said(state.reading.bundle, bus, found, source, known.type)
    state.of(bus)[SibusLink, name] = restated(known, said.fact, said.stated)


def _delete(kind: type[Fact], section: str) -> Callable[[_State, str, CallOptions, Source], None]:
    def delete(state: _State, bus: str, found: CallOptions, source: Source) -> None:
        name = found.text("name") or found.text("mediationName")
        if state.of(bus).pop((kind, name), None) is None:
            state.reading.incomplete(bus, f"The script deletes {name}", source, [section], name)

    return delete


_ACTIONS: Mapping[str, Callable[[_State, str, CallOptions, Source], None]] = {
    "createSIBus": _create_bus,
    "modifySIBus": _modify_bus,
    "deleteSIBus": _delete_bus,
    "addSIBusMember": _add_member,
    "createSIBEngine": _create_engine,
    "createSIBDestination": _create_destination,
    "createSIBDestinations": _create_destination,
    "modifySIBDestination": _modify_destination,
    "deleteSIBDestination": _delete_destination,
    "deleteSIBDestinations": _delete_destination,
    "createSIBMediation": _create_mediation,
    "modifySIBMediation": _modify_mediation,
    "deleteSIBMediation": _delete(Mediation, "mediations"),
    "mediateSIBDestination": _mediate,
    "unmediateSIBDestination": _unmediate,
    "createSIBForeignBus": _create_foreign_bus,
    "modifySIBForeignBus": _modify_foreign_bus,
    "deleteSIBForeignBus": _delete(ForeignBus, "foreign_buses"),
    "createSIBLink": _create_link("sib"),
    "createSIBMQLink": _create_link("mq"),
    "modifySIBLink": _modify_link,
    "modifySIBMQLink": _modify_link,
    "deleteSIBLink": _delete(SibusLink, "foreign_buses"),
    "deleteSIBMQLink": _delete(SibusLink, "foreign_buses"),
}

COMMANDS = frozenset(_ACTIONS)
"""The commands of ``AdminTask`` that are followed."""
