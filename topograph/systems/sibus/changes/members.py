"""Commands about buses, their members and messaging engines (sibus.md A1.1)."""

from __future__ import annotations

from dataclasses import replace

from topograph.facts.sibus import (
    SECTIONS,
    BusMember,
    Incomplete,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusMember,
)
from topograph.facts.wsadmin_commands import SECURITY, restated
from topograph.findings import Finding
from topograph.rules.sibus_findings import BUS_DELETED, MEMBERS_NOT_LOADED, S_48, SECTION_A1_1
from topograph.systems.contract.changes import Refused
from topograph.systems.sibus.changes.editing import (
    COMMANDS,
    WsadminEditing,
    check_member,
    name_of,
)


def change_bus(editing: WsadminEditing, said: SibusBus) -> None:
    """Create, change or delete the bus itself. Raises Refused."""
    known = editing.all(SibusBus)
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise Refused("A1.1", f"there is a bus {editing.server} already ({known[0].source})")
        editing.added.append(replace(said, bundle=editing.command.source.file, complete=SECTIONS))
    elif verb == "delete":
        editing.removed += editing.facts
        editing.note(
            BUS_DELETED,
            (
                f"the bus {editing.server} is gone with its destinations and what they hold; "
                "what other buses send to it leaves for a bus that no loaded file describes"
            ),
            S_48,
        )
    else:
        of_security = any(one.name in SECURITY for one in said.attributes)
        names = {one.name for one in said.attributes} | (set(SECURITY) if of_security else set())
        stating = [one for one in known if any(each.name in names for each in one.attributes)]
        for one in stating or known[:1]:
            editing.swap(one, restated(one, said, ()))


def _engines_of(editing: WsadminEditing, member: SibusMember) -> list[MessagingEngine]:
    return [one for one in editing.all(MessagingEngine) if _member_of(one) == member]


def _member_of(engine: MessagingEngine) -> SibusMember:
    return SibusMember(engine.cluster, engine.node, engine.server_name)


def change_member(editing: WsadminEditing, said: BusMember) -> None:
    """Add or remove a member, with its engines. Raises Refused."""
    member = said.member
    known = [one for one in editing.all(BusMember) if one.member == member]
    if editing.command.verb == "create":
        if known:
            raise Refused(
                "A1.1",
                f"{editing.server} has the member {name_of(member)} already ({known[0].source})",
            )
        if why := editing.unsure("engines"):
            editing.notes.append(_members_not_known(editing, why))
        editing.added.append(editing.own(said))
        if not member.mq_server:
            _new_engine(editing, member)
        return
    if not known:
        check_member(editing, member)
    editing.removed += [*known, *_engines_of(editing, member)]
    on_it = _without_a_place(editing, member, f"its member {name_of(member)} leaves the bus")
    if on_it:
        names = ", ".join(on_it[:5]) + (f" and {len(on_it) - 5} more" if len(on_it) > 5 else "")
        message = (
            "what becomes of the destinations that are assigned to the member is not known: "
            f"{names}"
        )
        editing.doubts.append((COMMANDS, message))


def _without_a_place(editing: WsadminEditing, member: SibusMember, why: str) -> list[str]:
    """Note that it is not known what becomes of messages to the destinations that are assigned
    to a member without an engine; gives these back, by name."""
    on_it = sorted({one.name for one in editing.all(SibusDestination) if member in one.members})
    editing.added += [
        editing.own(
            Incomplete(
                bundle="",
                server="",
                source=editing.command.source,
                reason=why,
                sections=("destinations",),
                object=name,
            )
        )
        for name in on_it
    ]
    return on_it


def _members_not_known(editing: WsadminEditing, why: str) -> Finding:
    message = f"not all members of {editing.server} may be loaded: {why}"
    return MEMBERS_NOT_LOADED.at(
        editing.command.source, message, rule=SECTION_A1_1, server=editing.server
    )


def _new_engine(editing: WsadminEditing, member: SibusMember) -> None:
    """An engine of a member, by the usual name."""
    names = {one.name for one in editing.all(MessagingEngine)}
    name = f"{member.node}.{member.server}-{editing.server}"
    if member.cluster:
        number = len(_engines_of(editing, member))
        while (name := f"{member.cluster}.{number:03}-{editing.server}") in names:
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


def change_engine(editing: WsadminEditing, said: MessagingEngine) -> None:
    """Create or delete a messaging engine. Raises Refused."""
    member = _member_of(said)
    if editing.command.verb == "create":
        check_member(editing, member)
        if not member.cluster and _engines_of(editing, member):
            raise Refused(
                "A1.1",
                f"the server {name_of(member)} has a messaging engine of {editing.server} already",
            )
        _new_engine(editing, member)
        return
    known = [
        one
        for one in editing.all(MessagingEngine)
        if (not said.name or one.name == said.name)
        and (member == SibusMember() or _member_of(one) == member)
    ]
    names = [one.name for one in editing.all(MessagingEngine)]
    what = said.name or name_of(member)
    if not known:
        editing.missing(f"messaging engine {what}", "engines", what, names, rule="A1.1")
    elif len({one.name for one in known}) > 1:
        raise Refused(
            "A1.1", f"{what} has {len(known)} messaging engines: -engine says which is meant"
        )
    editing.removed += known
    for one in dict.fromkeys(map(_member_of, known)):
        if all(engine in known for engine in _engines_of(editing, one)):
            _without_a_place(
                editing, one, f"the messaging engine of its member {name_of(one)} is deleted"
            )
