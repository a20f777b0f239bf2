"""What wsadmin refuses of a command, as far as the script shows what the bus has by then
(sibus.md A1, A4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from topograph.facts.fact import Fact
from topograph.facts.sibus import (
    BusMember,
    ForeignBus,
    Mediation,
    MessagingEngine,
    SibusAttribute,
    SibusDestination,
    SibusLink,
    SibusMember,
)
from topograph.facts.sibus_faults import SYSTEM_EXCEPTION, value_fault
from topograph.findings import Source
from topograph.importers.sibus.admin_commands import fault_of
from topograph.importers.sibus.admin_facts import (
    destination_said,
    foreign_bus_said,
    is_unknown,
    link_said,
    mediated_said,
    mediation_said,
    member_of,
    names_of,
)
from topograph.importers.sibus.admin_words import CallOptions
from topograph.records import record

Key = tuple[type[Fact], str]
"""Kind and name; of an attached mediation the destination, behind a NUL."""


@record
class KnownBus:
    """What a bus has before a command: its facts, and the sections of which the script shows
    all there is.
    """

    bus: str
    facts: Mapping[Key, Fact]
    complete: Collection[str]

    def lacks(self, kind: type[Fact], name: str, section: str) -> bool:
        """Whether the bus certainly has nothing of a kind and name."""
        return section in self.complete and (kind, name) not in self.facts


@dataclass(slots=True)
class CommandRefusal:
    """Why a command is refused; ``harmless`` where the bus is then as the command asks."""

    why: str
    harmless: bool = False


@record
class _Asked:
    """A command and what it is to be done to."""

    known: KnownBus
    name: str
    found: CallOptions
    source: Source

    @property
    def bus(self) -> str:
        return self.known.bus


def refusal(
    known: KnownBus, name: str, found: CallOptions, source: Source
) -> CommandRefusal | None:
    """Why wsadmin refuses a command; None where it takes it, or where that is not known."""
    if why := fault_of(name, known.bus, found, source):
        return CommandRefusal(why)
    check = _CHECKS.get(name)
    return check(_Asked(known, name, found, source)) if check else None


def label_of(member: SibusMember) -> str:
    """A member as people write it."""
    return member.cluster or member.mq_server or f"{member.node}.{member.server}"


def _no_member(asked: _Asked, members: Iterable[SibusMember]) -> CommandRefusal | None:
    for one in members:
        label = label_of(one)
        if not one.mq_server and asked.known.lacks(BusMember, label, "engines"):
            return CommandRefusal(f"{asked.bus} has no member {label}")
    return None


def _no_foreign_bus(asked: _Asked, name: str) -> CommandRefusal | None:
    if name and asked.known.lacks(ForeignBus, name, "foreign_buses"):
        return CommandRefusal(f"{asked.bus} has no foreign bus {name}")
    return None


def _member(asked: _Asked) -> CommandRefusal | None:
    label = label_of(member_of(asked.found))
    known = asked.known.facts.get((BusMember, label))
    if known is None:
        return None
    return CommandRefusal(
        f"{asked.bus} has the member {label} already ({known.source})", harmless=True
    )


def _engine(asked: _Asked) -> CommandRefusal | None:
    member = member_of(asked.found)
    if is_unknown(member):
        return None
    if (refused := _no_member(asked, [member])) is not None:
        return refused
    for one in () if member.cluster else asked.known.facts.values():
        if isinstance(one, MessagingEngine) and (one.node, one.server_name) == (
            member.node,
            member.server,
        ):
            label = label_of(member)
            why = f"the server {label} has a messaging engine of {asked.bus} already"
            return CommandRefusal(why, harmless=True)
    return None


def _wrong_value(attributes: Iterable[SibusAttribute]) -> CommandRefusal | None:
    wrong = value_fault(attributes)
    return CommandRefusal(wrong) if wrong else None


def _create_destination(asked: _Asked) -> CommandRefusal | None:
    for name in names_of(asked.found):
        made = destination_said("", asked.bus, name, asked.found, asked.source).fact
        refused = _wrong_value(made.attributes) or _no_member(asked, made.members)
        if refused is None and made.destination_type == "Foreign":
            refused = _no_foreign_bus(asked, made.foreign_bus)
        if refused is None and _is_system(asked, name):
            refused = CommandRefusal(
                f"{asked.bus} has the system exception destination {name} already"
            )
        if refused is not None:
            return refused
    return None


def _is_system(asked: _Asked, name: str) -> bool:
    engine = name.removeprefix(f"{SYSTEM_EXCEPTION}.")
    return engine != name and (MessagingEngine, engine) in asked.known.facts


def _modify_destination(asked: _Asked) -> CommandRefusal | None:
    name = asked.found.text("name")
    said = destination_said("", asked.bus, name, asked.found, asked.source).fact
    return _wrong_value(said.attributes) or _no_member(asked, said.members)


def _create_mediation(asked: _Asked) -> CommandRefusal | None:
    made = mediation_said("", asked.bus, asked.found, asked.source)
    known = asked.known.facts.get((Mediation, made.name))
    if known is None:
        return None
    return CommandRefusal(f"{asked.bus} has a mediation {made.name} already ({known.source})")


def _mediate(asked: _Asked) -> CommandRefusal | None:
    made = mediated_said("", asked.bus, asked.found, asked.source)
    if asked.known.lacks(SibusDestination, made.destination, "destinations"):
        return CommandRefusal(f"{asked.bus} has no destination {made.destination}")
    if made.name and asked.known.lacks(Mediation, made.name, "mediations"):
        return CommandRefusal(f"{asked.bus} has no mediation {made.name}")
    return None


def _create_foreign_bus(asked: _Asked) -> CommandRefusal | None:
    made = foreign_bus_said("", asked.bus, asked.found, asked.source).fact
    known = asked.known.facts.get((ForeignBus, made.name))
    if known is not None:
        return CommandRefusal(
            f"{asked.bus} has the foreign bus {made.name} already ({known.source})"
        )
    if made.name == asked.bus:
        return CommandRefusal(f"{made.name} is this bus: a foreign bus is another one")
    return _no_foreign_bus(asked, made.next_hop if made.route == "indirect" else "")


def _modify_foreign_bus(asked: _Asked) -> CommandRefusal | None:
    said = foreign_bus_said("", asked.bus, asked.found, asked.source)
    return _no_foreign_bus(asked, said.fact.next_hop if "next_hop" in said.stated else "")


def _create_link(asked: _Asked) -> CommandRefusal | None:
    kind = "mq" if asked.name == "createSIBMQLink" else "sib"
    made = link_said("", asked.bus, asked.found, asked.source, kind).fact
    known = asked.known.facts.get((SibusLink, made.name))
    if known is not None:
        return CommandRefusal(f"{asked.bus} has the link {made.name} already ({known.source})")
    if asked.known.lacks(MessagingEngine, made.engine, "engines"):
        return CommandRefusal(f"{asked.bus} has no messaging engine {made.engine}")
    if (refused := _no_foreign_bus(asked, made.foreign_bus)) is not None:
        return refused
    to = asked.known.facts.get((ForeignBus, made.foreign_bus))
    if isinstance(to, ForeignBus) and to.route not in ("", "mq" if kind == "mq" else "direct"):
        return CommandRefusal(f"{made.foreign_bus} is reached otherwise ({to.source})")
    return None


def _same_link(asked: _Asked) -> CommandRefusal | None:
    known = asked.known.facts.get((SibusLink, asked.found.text("name")))
    if isinstance(known, SibusLink) and (known.type == "mq") != asked.name.endswith("MQLink"):
        return CommandRefusal(f"{known.name} is a link of the other kind ({known.source})")
    return None


_CHECKS: Mapping[str, Callable[[_Asked], CommandRefusal | None]] = {
    "addSIBusMember": _member,
    "createSIBEngine": _engine,
    "createSIBDestination": _create_destination,
    "createSIBDestinations": _create_destination,
    "modifySIBDestination": _modify_destination,
    "createSIBMediation": _create_mediation,
    "mediateSIBDestination": _mediate,
    "createSIBForeignBus": _create_foreign_bus,
    "modifySIBForeignBus": _modify_foreign_bus,
    "createSIBLink": _create_link,
    "createSIBMQLink": _create_link,
    "modifySIBLink": _same_link,
    "modifySIBMQLink": _same_link,
    "deleteSIBLink": _same_link,
    "deleteSIBMQLink": _same_link,
}
"""What is looked at beside the words of a command."""
