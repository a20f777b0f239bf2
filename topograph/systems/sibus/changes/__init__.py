"""What commands of wsadmin do to the facts of a bus (sibus.md A1, A4.2). The contract:
``topograph.systems.contract.changes.Changes``.

A script goes to a cell, and each command names its bus. What the rules leave open, and what
depends on configuration that is not loaded, makes a command undetermined; it is applied all the
same, so that the answer shows what it does if the product takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from topograph.facts.command import Command
from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    WAS,
    BusMember,
    ForeignBus,
    Incomplete,
    Mediation,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusLink,
)
from topograph.facts.wsadmin_commands import ANY_BUS, WsadminCommand
from topograph.systems.contract.changes import Edit, Refusal, Refused
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.fact_sources import of_class
from topograph.systems.sibus.buses.configuration import several_of_one_name
from topograph.systems.sibus.changes.destinations import change_destination, change_mediation
from topograph.systems.sibus.changes.editing import COMMANDS, WsadminEditing
from topograph.systems.sibus.changes.links import change_foreign_bus, change_link
from topograph.systems.sibus.changes.members import change_bus, change_engine, change_member
from topograph.words.did_you_mean import did_you_mean


def servers_at(facts: FactSource, place: str) -> frozenset[str]:  # noqa: ARG001
    """See ``Changes.servers_at``: no line of a script says where wsadmin connects to."""
    return frozenset()


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the facts of its bus. Linear in the facts of the bus."""
    assert isinstance(command, WsadminCommand)
    notes = tuple(replace(note, server=note.server or server) for note in command.notes)
    if command.fault:
        return Edit(refused=Refusal(COMMANDS, command.fault, _named(command)), notes=notes)
    if command.verb == "none":
        if command.unknown:
            return Edit(
                refused=Refusal(COMMANDS, command.unknown, _named(command), undetermined=True),
                notes=notes,
            )
        return Edit(notes=notes)
    if command.scope == ANY_BUS:
        return _of_any_bus(facts, command)
    bus = command.scope
    known = list(facts.facts((), bus))
    of = [fact for fact in known if isinstance(fact, SibusBus)]
    if of and all(one.edition != WAS for one in of):
        message = (
            f"{bus} is a bus of Liberty, which takes no commands of wsadmin: it is "
            "configured in server.xml"
        )
        return Edit(refused=Refusal("A4.3", message, bus), notes=notes)
    several = several_of_one_name(bus, of)
    if several:
        message = f"{several}: the script does not say which of them it changes"
        return Edit(refused=Refusal(COMMANDS, message, bus, undetermined=True), notes=notes)
    creates = command.verb == "create" and isinstance(command.facts[0], SibusBus)
    if not of and not creates:
        buses = {fact.server for fact in of_class(facts, SibusBus)}
        message = (
            f"the configuration of the bus {bus} is not loaded: nobody can say what the "
            f"command would do.{did_you_mean(bus, buses)}"
        )
        return Edit(refused=Refusal(COMMANDS, message, bus, undetermined=True), notes=notes)
    editing = WsadminEditing(bus, command, facts=known)
    try:
        for fact in command.facts:
            _EDITS[type(fact)](editing, fact)
    except Refused as refused:
        return Edit(refused=refused.by(bus), notes=notes)
    doubts = [*editing.doubts, *([(COMMANDS, command.unknown)] if command.unknown else [])]
    refused_as = None
    if doubts:
        rule, message = doubts[0][0], "; ".join(dict.fromkeys(text for _, text in doubts))
        refused_as = Refusal(rule, message, bus, undetermined=True)
    return Edit(editing.change, refused_as, (*notes, *editing.notes))


F = TypeVar("F", bound=Fact)


def _named(command: WsadminCommand) -> str:
    return "" if command.scope == ANY_BUS else command.scope


def _of_any_bus(facts: FactSource, command: WsadminCommand) -> Edit:
    """A command of which nobody can say what bus it is about: each may look otherwise."""
    buses = {fact.server: fact for fact in of_class(facts, SibusBus) if fact.edition == WAS}
    added = [
        replace(said, bundle=bus.bundle, server=bus.server)
        for said in command.facts
        for bus in buses.values()
    ]
    return Edit(Change((), tuple(added)), Refusal(COMMANDS, command.unknown, "", undetermined=True))


def _doubtful(editing: WsadminEditing, said: Fact) -> None:
    """A call of which something is not known."""
    editing.added.append(editing.own(said))


def _about(
    cls: type[F], change: Callable[[WsadminEditing, F], None]
) -> tuple[type[Fact], Callable[[WsadminEditing, Fact], None]]:
    """An entry of ``_EDITS``: what is looked up by its class is given to what takes that class."""
    return cls, cast("Callable[[WsadminEditing, Fact], None]", change)


_EDITS: Mapping[type[Fact], Callable[[WsadminEditing, Fact], None]] = dict(
    [
        _about(SibusBus, change_bus),
        _about(BusMember, change_member),
        _about(MessagingEngine, change_engine),
        _about(SibusDestination, change_destination),
        _about(Mediation, change_mediation),
        _about(ForeignBus, change_foreign_bus),
        _about(SibusLink, change_link),
        _about(Incomplete, _doubtful),
    ]
)
"""What a command does, by what it is about."""
