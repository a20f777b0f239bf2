"""What each command of ``AdminTask`` says of a bus, and what of its options cannot be
(sibus.md A4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    BusMember,
    Incomplete,
    Mediation,
    MessagingEngine,
    SibusBus,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.facts.wsadmin_commands import EXTERNAL, Verb, WsadminCommand, restated
from topograph.findings import Finding, Source
from topograph.importers.sibus import admin_facts as said
from topograph.importers.sibus.admin_words import CallOptions
from topograph.records import record
from topograph.rules.unnumbered import DEFAULTS_NOT_EVALUATED, MEMBER_NOT_KNOWN


class NotUnderstood(Exception):
    """Why a command is not understood."""


def fault_of(name: str, bus: str, found: CallOptions, source: Source) -> str:
    """Why wsadmin takes no command of this name with these options; empty where it may take it."""
    reader = READERS.get(name)
    if reader is None:
        return ""
    try:
        reader(GivenOptions(bus, found, source))
    except NotUnderstood as why:
        return str(why)
    return ""


@record
class GivenOptions:
    """The options of a call, all literal but for places."""

    bus: str
    found: CallOptions
    source: Source

    def name(self, *options_: str) -> str:
        """The name of what the command is about."""
        found = next((text for one in options_ if (text := self.found.text(one))), "")
        if not found:
            raise NotUnderstood(f"-{options_[0]} is missing")
        return found

    def member(self) -> SibusMember:
        """The member that the options name; not all of it may be known."""
        member = said.member_of(self.found)
        if bool(member.cluster) + bool(member.node or member.server) + bool(member.mq_server) > 1:
            raise NotUnderstood("-cluster, -node with -server, and -wmqServer exclude each other")
        if bool(member.node) != bool(member.server):
            raise NotUnderstood(f"-{'server' if member.node else 'node'} is missing")
        return member

    def says(
        self, verb: Verb, *facts: Fact, stated: frozenset[str] = frozenset(), unknown: str = ""
    ) -> WsadminCommand:
        """The command that says these facts."""
        return WsadminCommand(
            text="", source=self.source, verb=verb, facts=facts, stated=stated, unknown=unknown
        )


_Reader = Callable[[GivenOptions], WsadminCommand]


def _bus(verb: Verb) -> _Reader:
    return lambda given: given.says(verb, said.bus_said("", given.bus, given.found, given.source))


def _member(verb: Verb) -> _Reader:
    def read(given: GivenOptions) -> WsadminCommand:
        member = given.member()
        if member == SibusMember():
            raise NotUnderstood("-cluster, or -node with -server, is missing")
        if said.is_unknown(member):
            reason = "which member of the bus this is, is not known: the script computes it"
            sections = said.incomplete_sections(
                "removeSIBusMember" if verb == "delete" else "addSIBusMember"
            )
            doubt = Incomplete(
                bundle="", server=given.bus, source=given.source, reason=reason, sections=sections
            )
            return given.says("create", doubt, unknown=reason)
        return given.says(
            verb, BusMember(bundle="", server=given.bus, source=given.source, member=member)
        )

    return read


def _engine(verb: Verb) -> _Reader:
    def read(given: GivenOptions) -> WsadminCommand:
        member, name = given.member(), given.found.text("engine")
        if said.is_unknown(member) or (member == SibusMember() and not name):
            reason = "of which member of the bus the engine is, is not known"
            sections = said.incomplete_sections("createSIBEngine")
            doubt = Incomplete(
                bundle="", server=given.bus, source=given.source, reason=reason, sections=sections
            )
            return given.says("create", doubt, unknown=reason)
        fact = MessagingEngine(
            bundle="",
            server=given.bus,
            source=given.source,
            name=name,
            cluster=member.cluster,
            node=member.node,
            server_name=member.server,
            derived=verb == "create",
        )
        return given.says(verb, fact)

    return read


def _create_destination(given: GivenOptions) -> WsadminCommand:
    facts: list[Fact] = []
    for name in _names(given):
        one = _understood(given, name)
        kind = one.fact.destination_type
        if not kind:
            text = given.found.text("type")
            raise NotUnderstood(
                f"a destination has no type {text!r}" if text else "-type is missing"
            )
        if kind == "Alias" and not given.found.text("targetName"):
            raise NotUnderstood("-targetName is missing: an alias stands for another destination")
        if kind == "Foreign" and not given.found.text("foreignBus"):
            raise NotUnderstood("-foreignBus is missing: a foreign destination is on a foreign bus")
        fresh = SibusDestination(
            bundle="", server=given.bus, source=given.source, destination_type=kind, name=name
        )
        facts.append(restated(fresh, one.fact, one.stated))
    return replace(given.says("create", *facts), notes=_place_notes(given))


def _modify_destination(given: GivenOptions) -> WsadminCommand:
    one = _understood(given, given.name("name"))
    return replace(given.says("modify", one.fact, stated=one.stated), notes=_place_notes(given))


def _delete_destination(given: GivenOptions) -> WsadminCommand:
    return given.says("delete", *(_understood(given, name).fact for name in _names(given)))


def _names(given: GivenOptions) -> list[str]:
    names = [name for name in said.names_of(given.found) if name]
    if not names:
        raise NotUnderstood("-name is missing")
    if len(set(names)) < len(names):
        raise NotUnderstood("-nameList names a destination twice")
    return names


def _understood(given: GivenOptions, name: str) -> said.StatedFact[SibusDestination]:
    given.member()
    one = said.destination_said("", given.bus, name, given.found, given.source)
    if one.doubt:
        raise NotUnderstood(
            "a forward routing path is a list of rows, each with a bus and a destination"
        )
    return one


def _place_notes(given: GivenOptions) -> tuple[Finding, ...]:
    if not said.is_unknown(said.member_of(given.found)):
        return ()
    message = "on which member of the bus it is, is not known: the script computes it"
    return (MEMBER_NOT_KNOWN.at(given.source, message),)


def _mediation(verb: Verb) -> _Reader:
    def read(given: GivenOptions) -> WsadminCommand:
        given.name("mediationName", "name")
        return given.says(verb, said.mediation_said("", given.bus, given.found, given.source))

    return read


def _mediate(given: GivenOptions) -> WsadminCommand:
    given.name("destinationName")
    external = given.found.text("externallyMediated").lower() == "true"
    if not external:
        given.name("mediationName")
    made = said.mediated_said("", given.bus, given.found, given.source)
    given.member()
    return given.says("create", made if made.name else replace(made, name=EXTERNAL))


def _unmediate(given: GivenOptions) -> WsadminCommand:
    gone = Mediation(
        bundle="",
        server=given.bus,
        source=given.source,
        name="",
        destination=given.name("destinationName"),
    )
    return given.says("delete", gone)


def _foreign_bus(verb: Verb) -> _Reader:
    def read(given: GivenOptions) -> WsadminCommand:
        given.name("name")
        one = said.foreign_bus_said("", given.bus, given.found, given.source)
        fact = one.fact
        if verb == "create" and not fact.route:
            raise NotUnderstood("-routingType is Direct, with -type SIBus or MQ, or Indirect")
        if one.doubt and verb == "modify":
            raise NotUnderstood("-routingType is Direct or Indirect")
        if verb == "create" and fact.route == "indirect" and not fact.next_hop:
            raise NotUnderstood("-nextHopBus is missing: the route is indirect")
        fact = fact if verb != "create" or fact.route == "indirect" else replace(fact, next_hop="")
        command = given.says(verb, fact, stated=one.stated)
        if "destinationDefaults" not in given.found.values:
            return command
        message = (
            "what -destinationDefaults says of destinations on the foreign bus is not evaluated"
        )
        note = DEFAULTS_NOT_EVALUATED.at(given.source, message)
        return replace(command, notes=(note,))

    return read


def _link(verb: Verb, kind: str) -> _Reader:
    def read(given: GivenOptions) -> WsadminCommand:
        given.name("name")
        if verb == "create":
            given.name("messagingEngine")
            given.name("foreignBusName")
        one = said.link_said("", given.bus, given.found, given.source, kind)
        return given.says(verb, one.fact, stated=one.stated)

    return read


def _delete_link(kind: str) -> _Reader:
    return lambda given: given.says(
        "delete",
        SibusLink(
            bundle="", server=given.bus, source=given.source, name=given.name("name"), type=kind
        ),
    )


READERS: Mapping[str, _Reader] = {
    "createSIBus": _bus("create"),
    "modifySIBus": _bus("modify"),
    "deleteSIBus": lambda given: given.says(
        "delete", SibusBus(bundle="", server=given.bus, source=given.source, name=given.bus)
    ),
    "addSIBusMember": _member("create"),
    "removeSIBusMember": _member("delete"),
    "createSIBEngine": _engine("create"),
    "deleteSIBEngine": _engine("delete"),
    "createSIBDestination": _create_destination,
    "createSIBDestinations": _create_destination,
    "modifySIBDestination": _modify_destination,
    "deleteSIBDestination": _delete_destination,
    "deleteSIBDestinations": _delete_destination,
    "createSIBMediation": _mediation("create"),
    "modifySIBMediation": _mediation("modify"),
    "deleteSIBMediation": _mediation("delete"),
    "mediateSIBDestination": _mediate,
    "unmediateSIBDestination": _unmediate,
    "createSIBForeignBus": _foreign_bus("create"),
    "modifySIBForeignBus": _foreign_bus("modify"),
    "deleteSIBForeignBus": _foreign_bus("delete"),
    "createSIBLink": _link("create", "sib"),
    "createSIBMQLink": _link("create", "mq"),
    "modifySIBLink": _link("modify", "sib"),
    "modifySIBMQLink": _link("modify", "mq"),
    "deleteSIBLink": _delete_link("sib"),
    "deleteSIBMQLink": _delete_link("mq"),
}
"""What each command says."""
