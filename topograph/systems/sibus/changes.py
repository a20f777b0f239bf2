"""What commands of wsadmin do to the facts of a bus (sibus.md A1, A4.2). The contract: ``topograph.systems.changing.Changes``.

A script goes to a cell, and each command names its bus. What the rules leave open, and what depends on configuration that is not loaded, makes a
command undetermined; it is applied all the same, so that the answer shows what it does if the product takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from topograph.did_you_mean import did_you_mean
from topograph.facts import encode, without_places
from topograph.facts.command import Command
from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    SECTIONS,
    WAS,
    Attribute,
    Bus,
    BusMember,
    Destination,
    ForeignBus,
    Incomplete,
    Link,
    Mediation,
    Member,
    MessagingEngine,
)
from topograph.facts.wsadmin_commands import ANY_BUS, EXTERNAL, SECURITY, WsadminCommand, restated
from topograph.findings import Finding, Severity
from topograph.systems.changing import Edit, Refusal
from topograph.systems.protocol import Change, FactSource
from topograph.systems.sibus.buses import several_of_one_name, unsure_sections
from topograph.systems.sibus.terms import SYSTEM_EXCEPTION, TEMPORARY, reliability_of

F = TypeVar("F", bound=Fact)

COMMANDS = "A4.2"
"""The section about wsadmin, which stands for the command itself where no other rule does."""


def servers_at(facts: FactSource, place: str) -> frozenset[str]:  # noqa: ARG001  (one signature for all systems)
    """See ``Changes.servers_at``: no line of a script says where wsadmin connects to."""
    return frozenset()


class _Refused(Exception):
    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@dataclass
class _Editing:
    """What one command does to one bus; ``doubts`` are why nobody can say whether the product takes it, each with its rule."""

    bus: str
    command: WsadminCommand
    facts: Sequence[Fact]
    removed: list[Fact] = field(default_factory=list)
    added: list[Fact] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    doubts: list[tuple[str, str]] = field(default_factory=list)

    def all(self, cls: type[F]) -> list[F]:
        """The facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, cls)]

    def own(self, fact: F) -> F:
        """A fact of a command as one of this bus."""
        main = min(self.all(Bus), key=lambda one: (one.source, one.bundle), default=None)
        return replace(fact, bundle=main.bundle if main else self.command.source.file, server=self.bus)

    def swap(self, before: Fact, after: Fact) -> None:
        """Put a fact in the place of another that says something else."""
        if _content(before) != _content(after):
            self.removed.append(before)
            self.added.append(after)

    def unsure(self, section: str) -> str:
        """Why the files may not have all of a section; empty if they have it."""
        why = unsure_sections(self.facts, self.all(Bus)).get(section)
        return f"{why[0]} ({why[1]})" if why else ""

    def missing(self, what: str, section: str, near: str, known: Sequence[str], *, rule: str = COMMANDS) -> None:
        """Something that a command needs is not there: it is refused, or that is not known where the files may not have all."""
        why = self.unsure(section)
        if not why:
            raise _Refused(rule, f"{self.bus} has no {what}.{did_you_mean(near, known)}")
        self.doubts.append((rule, f"no loaded file has the {what}: {why}.{did_you_mean(near, known)}"))

    def note(self, kind: str, message: str, rule: str) -> None:
        """Say what else the command does."""
        self.notes.append(Finding(kind, Severity.WARNING, message, self.command.source, rule, "", self.bus))


def _content(fact: Fact) -> tuple[str, ...]:
    row = encode(fact)
    return row["kind"], row["bundle"], row["server"], row["name"], without_places(row["payload"])


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the facts of its bus. Linear in the facts of the bus."""
    assert isinstance(command, WsadminCommand)
    notes = tuple(replace(note, server=note.server or server) for note in command.notes)
    if command.fault:
        return Edit(refused=Refusal(COMMANDS, command.fault, _named(command)), notes=notes)
    if command.verb == "none":
        if command.unknown:
            return Edit(refused=Refusal(COMMANDS, command.unknown, _named(command), undetermined=True), notes=notes)
        return Edit(notes=notes)
    if command.scope == ANY_BUS:
        return _of_any_bus(facts, command)
    bus = command.scope
    known = list(facts.facts((), bus))
    of = [fact for fact in known if isinstance(fact, Bus)]
    if of and all(one.edition != WAS for one in of):
        message = f"{bus} is a bus of Liberty, which takes no commands of wsadmin: it is configured in server.xml"
        return Edit(refused=Refusal("A4.3", message, bus), notes=notes)
    several = several_of_one_name(bus, of)
    if several:
        message = f"{several}: the script does not say which of them it changes"
        return Edit(refused=Refusal(COMMANDS, message, bus, undetermined=True), notes=notes)
    creates = command.verb == "create" and isinstance(command.facts[0], Bus)
    if not of and not creates:
        buses = {fact.server for fact in facts.facts(("bus",))}
        message = f"the configuration of the bus {bus} is not loaded: nobody can say what the command would do.{did_you_mean(bus, buses)}"
        return Edit(refused=Refusal(COMMANDS, message, bus, undetermined=True), notes=notes)
    editing = _Editing(bus, command, known)
    try:
        for fact in command.facts:
            _EDITS[type(fact)](editing, fact)
    except _Refused as refused:
        return Edit(refused=Refusal(refused.rule, str(refused), bus), notes=notes)
    doubts = [*editing.doubts, *([(COMMANDS, command.unknown)] if command.unknown else [])]
    refused_as = None
    if doubts:
        rule, message = doubts[0][0], "; ".join(dict.fromkeys(text for _, text in doubts))
        refused_as = Refusal(rule, message, bus, undetermined=True)
    change = Change(tuple(editing.removed), tuple(editing.added))
    return Edit(change, refused_as, (*notes, *editing.notes))


def _named(command: WsadminCommand) -> str:
    return "" if command.scope == ANY_BUS else command.scope


def _of_any_bus(facts: FactSource, command: WsadminCommand) -> Edit:
    """A command of which nobody can say what bus it is about: each may look otherwise."""
    buses = {fact.server: fact for fact in facts.facts(("bus",)) if isinstance(fact, Bus) and fact.edition == WAS}
    added = [replace(said, bundle=bus.bundle, server=bus.server) for said in command.facts for bus in buses.values()]
    return Edit(Change((), tuple(added)), Refusal(COMMANDS, command.unknown, "", undetermined=True))


def _doubtful(editing: _Editing, said: Fact) -> None:
    """A call of which something is not known."""
    editing.added.append(editing.own(said))


# --- buses, members, engines -------------------------------------------------------------------------------------------


def _bus(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, Bus)
    known = editing.all(Bus)
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise _Refused("A1.1", f"there is a bus {editing.bus} already ({known[0].source})")
        editing.added.append(replace(said, bundle=editing.command.source.file, complete=SECTIONS))
    elif verb == "delete":
        editing.removed += editing.facts
        editing.note(
            "bus-deleted",
            f"the bus {editing.bus} is gone with its destinations and what they hold; other buses that lead to it lead nowhere",
            "S-48",
        )
    else:
        of_security = any(one.name in SECURITY for one in said.attributes)
        names = {one.name for one in said.attributes} | (set(SECURITY) if of_security else set())
        stating = [one for one in known if any(each.name in names for each in one.attributes)]
        for one in stating or known[:1]:
            editing.swap(one, restated(one, said, ()))


def _name_of(member: Member) -> str:
    return member.cluster or member.mq_server or f"{member.node}.{member.server}"


def _check_member(editing: _Editing, member: Member) -> None:
    """Whether the bus has a member."""
    if member.mq_server or member in {one.member for one in editing.all(BusMember)}:
        return
    if any(member in one.members for one in editing.all(Destination)):
        return
    names = [_name_of(one.member) for one in editing.all(BusMember)]
    section = "foreign_buses" if names and not editing.unsure("foreign_buses") else "engines"
    editing.missing(f"member {_name_of(member)}", section, _name_of(member), names, rule="A1.1")


def _engines_of(editing: _Editing, member: Member) -> list[MessagingEngine]:
    return [one for one in editing.all(MessagingEngine) if _member_of(one) == member]


def _member_of(engine: MessagingEngine) -> Member:
    return Member(engine.cluster, engine.node, engine.server_name)


def _member(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, BusMember)
    member = said.member
    known = [one for one in editing.all(BusMember) if one.member == member]
    if editing.command.verb == "create":
        if known:
            raise _Refused("A1.1", f"{editing.bus} has the member {_name_of(member)} already ({known[0].source})")
        if why := editing.unsure("engines"):
            editing.notes.append(_members_not_known(editing, why))
        editing.added.append(editing.own(said))
        if not member.mq_server:
            _new_engine(editing, member)
        return
    if not known:
        _check_member(editing, member)
    editing.removed += [*known, *_engines_of(editing, member)]
    on_it = sorted({one.name for one in editing.all(Destination) if member in one.members})
    if on_it:
        names = ", ".join(on_it[:5]) + (f" and {len(on_it) - 5} more" if len(on_it) > 5 else "")
        message = f"what becomes of the destinations that are assigned to the member is not known: {names}"
        editing.doubts.append((COMMANDS, message))
        editing.added += [
            editing.own(
                Incomplete(
                    bundle="",
                    server="",
                    source=editing.command.source,
                    reason=f"its member {_name_of(member)} leaves the bus",
                    sections=("destinations",),
                    object=name,
                )
            )
            for name in on_it
        ]


def _members_not_known(editing: _Editing, why: str) -> Finding:
    message = f"not all members of {editing.bus} may be loaded: {why}"
    return Finding("members-not-loaded", Severity.INFO, message, editing.command.source, "A1.1", "", editing.bus)


def _new_engine(editing: _Editing, member: Member) -> None:
    """An engine of a member, by the usual name."""
    names = {one.name for one in editing.all(MessagingEngine)}
    name = f"{member.node}.{member.server}-{editing.bus}"
    if member.cluster:
        number = len(_engines_of(editing, member))
        while (name := f"{member.cluster}.{number:03}-{editing.bus}") in names:
            number += 1
    elif name in names:
        return
    source = editing.command.source
    engine = MessagingEngine(
        bundle="",
        server="",
        source=source,
        name=name,
        cluster=member.cluster,
        node=member.node,
        server_name=member.server,
        derived=True,
    )
    editing.added.append(editing.own(engine))


def _engine(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, MessagingEngine)
    member = _member_of(said)
    if editing.command.verb == "create":
        _check_member(editing, member)
        if not member.cluster and _engines_of(editing, member):
            raise _Refused("A1.1", f"the server {_name_of(member)} has a messaging engine of {editing.bus} already")
        _new_engine(editing, member)
        return
    known = [
        one
        for one in editing.all(MessagingEngine)
        if (not said.name or one.name == said.name) and (member == Member() or _member_of(one) == member)
    ]
    names = [one.name for one in editing.all(MessagingEngine)]
    what = said.name or _name_of(member)
    if not known:
        editing.missing(f"messaging engine {what}", "engines", what, names, rule="A1.1")
    elif len({one.name for one in known}) > 1:
        raise _Refused("A1.1", f"{what} has {len(known)} messaging engines: -engine says which is meant")
    editing.removed += known


# --- destinations and mediations -----------------------------------------------------------------------------------------


def _destination(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, Destination)
    name = said.name
    known = [one for one in editing.all(Destination) if one.name == name]
    if editing.command.verb != "delete":
        _check_values(said.attributes)
        for member in said.members:
            _check_member(editing, member)
    if editing.command.verb == "create":
        _create_destination(editing, said, known)
        return
    if not known and _is_system(editing, name):
        if editing.command.verb == "delete":
            editing.doubts.append(
                ("A1.2", f"{name} is a destination of the system: the rules do not say whether it can be deleted")
            )
            return
        own = Destination(
            bundle="", server="", source=said.source, destination_type="Queue", name=name, exception_destination=""
        )
        editing.added.append(editing.own(restated(own, said, editing.command.stated)))
        return
    if not known:
        names = [one.name for one in editing.all(Destination)]
        editing.missing(f"destination {name}", "destinations", name, names)
        return
    if editing.command.verb == "modify":
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
        return
    _delete_destination(editing, name, known)


def _is_system(editing: _Editing, name: str) -> bool:
    return name in {f"{SYSTEM_EXCEPTION}.{one.name}" for one in editing.all(MessagingEngine)}


def _create_destination(editing: _Editing, said: Destination, known: Sequence[Destination]) -> None:
    name = said.name
    if known:
        raise _Refused("A1.3", f"{editing.bus} has a destination {name} already ({known[0].source})")
    if _is_system(editing, name):
        raise _Refused("A1.3", f"{editing.bus} has the system exception destination {name} already")
    if name.startswith(TEMPORARY) and not name.startswith(SYSTEM_EXCEPTION):
        editing.doubts.append(
            ("S-27", f"names that begin with {name[:2]} are those of temporary and system destinations")
        )
    if why := editing.unsure("destinations"):
        editing.doubts.append(("A1.3", f"whether there is a destination {name} already is not known: {why}"))
    if said.destination_type == "Foreign":
        _check_foreign(editing, said.foreign_bus)
    editing.added.append(editing.own(said))


def _check_foreign(editing: _Editing, name: str) -> None:
    """Whether the bus knows a foreign bus."""
    names = [one.name for one in editing.all(ForeignBus)]
    if name not in names:
        editing.missing(f"foreign bus {name}", "foreign_buses", name, names, rule="S-21")


def _delete_destination(editing: _Editing, name: str, known: Sequence[Destination]) -> None:
    editing.removed += known
    editing.removed += [one for one in editing.all(Mediation) if one.destination == name]
    editing.removed += [one for one in editing.all(Incomplete) if one.object == name]
    for engine in editing.all(MessagingEngine):
        kept = tuple(one for one in engine.queue_points if one != name)
        closed = tuple(one for one in engine.closed_points if one != name)
        editing.swap(engine, replace(engine, queue_points=kept, closed_points=closed))
    if any(one.destination_type in ("Queue", "Port", "") for one in known):
        message = (
            f"messages that {name} holds go to a system exception destination, or are dropped if the bus is set to that"
        )
        editing.note("held-messages", message, "S-48")


_TRUTH = ("overrideOfQOSByProducerAllowed", "sendAllowed", "receiveAllowed")
_RELIABILITY = ("reliability", "maxReliability", "exceptionDiscardReliability")
_INHERITED = ("none", "inherit")
"""What an alias states of what it takes from its target (S-23)."""


def _check_values(attributes: Sequence[Attribute]) -> None:
    """Refuse what cannot be the value of an attribute (A1.3)."""
    for one in attributes:
        value = one.value.strip().lower()
        if one.name in _TRUTH and value not in ("true", "false", *_INHERITED):
            raise _Refused("A1.3", f"-{one.name} is true or false, not {one.value!r}")
        if one.name in _RELIABILITY and value not in _INHERITED and not reliability_of(value):
            raise _Refused("A1.3", f"-{one.name} is a reliability such as ASSURED_PERSISTENT, not {one.value!r}")
        if one.name == "maxFailedDeliveries" and not (value.isascii() and value.isdigit() and int(value[:12]) < 2**31):
            raise _Refused("A1.3", f"-maxFailedDeliveries is a number from 0 to {2**31 - 1}, not {one.value!r}")


def _mediation(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, Mediation)
    if said.destination:
        _attached(editing, said)
        return
    known = [one for one in editing.all(Mediation) if one.name == said.name and not one.destination]
    names = [one.name for one in editing.all(Mediation) if not one.destination]
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise _Refused("A1.1", f"{editing.bus} has a mediation {said.name} already ({known[0].source})")
        if why := editing.unsure("mediations"):
            editing.doubts.append(("A1.1", f"whether there is a mediation {said.name} already is not known: {why}"))
        editing.added.append(editing.own(said))
        return
    if not known:
        editing.missing(f"mediation {said.name}", "mediations", said.name, names)
    if verb == "modify":
        for one in known:
            editing.swap(one, restated(one, said, ()))
        return
    editing.removed += known
    uuids = {one.uuid for one in known if one.uuid}
    used = [one for one in editing.all(Mediation) if one.destination and (one.name == said.name or one.uuid in uuids)]
    if used:
        names = sorted({one.destination for one in used})
        editing.doubts.append(
            ("S-30", f"{said.name} mediates {', '.join(names)}: the rules do not say whether it can be deleted then")
        )


def _attached(editing: _Editing, said: Mediation) -> None:
    """``mediateSIBDestination`` and ``unmediateSIBDestination``."""
    known = [one for one in editing.all(Mediation) if one.destination == said.destination]
    if editing.command.verb == "delete":
        if not known:
            editing.missing(f"mediation at {said.destination}", "mediations", "", ())
        editing.removed += known
        return
    names = [one.name for one in editing.all(Destination)]
    if said.destination not in names:
        editing.missing(f"destination {said.destination}", "destinations", said.destination, names)
    defined = [one.name for one in editing.all(Mediation) if not one.destination]
    if said.name != EXTERNAL and said.name not in defined:
        editing.missing(f"mediation {said.name}", "mediations", said.name, defined)
    if known:
        shown = known[0].name or known[0].uuid
        message = f"{said.destination} has the mediation {shown} ({known[0].source}): whether another one takes its place is not in the rules"
        editing.doubts.append(("S-30", message))
    editing.removed += known
    editing.added.append(editing.own(said))


# --- foreign buses and links ---------------------------------------------------------------------------------------------


def _foreign_bus(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, ForeignBus)
    known = [one for one in editing.all(ForeignBus) if one.name == said.name]
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise _Refused("A1.1", f"{editing.bus} has the foreign bus {said.name} already ({known[0].source})")
        if said.name == editing.bus:
            raise _Refused("A1.1", f"{said.name} is this bus: a foreign bus is another one")
        if why := editing.unsure("foreign_buses"):
            editing.doubts.append(("A1.1", f"whether there is a foreign bus {said.name} already is not known: {why}"))
        if said.route == "indirect":
            _check_foreign(editing, said.next_hop)
        editing.added.append(editing.own(said))
        return
    if not known:
        names = [one.name for one in editing.all(ForeignBus)]
        editing.missing(f"foreign bus {said.name}", "foreign_buses", said.name, names)
    if verb == "modify":
        if "next_hop" in editing.command.stated and said.next_hop:
            _check_foreign(editing, said.next_hop)
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
        return
    editing.removed += known
    links = [one.name for one in editing.all(Link) if one.foreign_bus == said.name]
    if links:
        message = f"the link {', '.join(links)} leads to {said.name}: the rules do not say whether the foreign bus can be deleted then"
        editing.doubts.append(("S-62", message))


def _link(editing: _Editing, said: Fact) -> None:
    assert isinstance(said, Link)
    known = [one for one in editing.all(Link) if one.name == said.name]
    verb = editing.command.verb
    if verb == "create":
        _create_link(editing, said, known)
        return
    if not known:
        names = [one.name for one in editing.all(Link)]
        editing.missing(f"link {said.name}", "foreign_buses", said.name, names)
    if any(one.type != said.type for one in known):
        wanted = "createSIBLink" if known[0].type == "sib" else "createSIBMQLink"
        raise _Refused(
            COMMANDS, f"{said.name} is a link as {wanted} makes it ({known[0].source}): another command changes those"
        )
    if verb == "modify":
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
    else:
        editing.removed += known


def _create_link(editing: _Editing, said: Link, known: Sequence[Link]) -> None:
    if known:
        raise _Refused("A1.1", f"{editing.bus} has the link {said.name} already ({known[0].source})")
    engines = [one.name for one in editing.all(MessagingEngine)]
    if said.engine not in engines:
        editing.missing(f"messaging engine {said.engine}", "engines", said.engine, engines, rule="A1.1")
    _check_foreign(editing, said.foreign_bus)
    of = [one for one in editing.all(ForeignBus) if one.name == said.foreign_bus]
    fits = "mq" if said.type == "mq" else "direct"
    if any(one.route not in ("", fits) for one in of):
        message = f"{said.foreign_bus} is reached otherwise ({of[0].source}): {_ROUTES[of[0].route]}"
        raise _Refused("S-62", message)
    others = [one.name for one in editing.all(Link) if one.foreign_bus == said.foreign_bus]
    if others:
        message = f"the link {others[0]} leads to {said.foreign_bus} already: the rules do not say over which of them messages go"
        editing.doubts.append(("S-62", message))
    for one in of:
        editing.swap(one, replace(one, engine=said.engine))
    editing.added.append(editing.own(said))


_ROUTES = {
    "direct": "over a link to another bus",
    "mq": "over a link to WebSphere MQ",
    "indirect": "over another foreign bus",
}

_EDITS: Mapping[type[Fact], Callable[[_Editing, Fact], None]] = {
    Bus: _bus,
    BusMember: _member,
    MessagingEngine: _engine,
    Destination: _destination,
    Mediation: _mediation,
    ForeignBus: _foreign_bus,
    Link: _link,
    Incomplete: _doubtful,
}
"""What a command does, by what it is about."""
