"""Commands about foreign buses and links (sibus.md S-62)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.facts.sibus import (
    ForeignBus,
    MessagingEngine,
    SibusLink,
)
from topograph.facts.wsadmin_commands import restated
from topograph.systems.contract.changes import Refused
from topograph.systems.sibus.changes.editing import COMMANDS, WsadminEditing, check_foreign


def change_foreign_bus(editing: WsadminEditing, said: ForeignBus) -> None:
    """Create, change or delete a foreign bus (S-62). Raises Refused."""
    known = [one for one in editing.all(ForeignBus) if one.name == said.name]
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise Refused(
                "A1.1",
                f"{editing.server} has the foreign bus {said.name} already ({known[0].source})",
            )
        if said.name == editing.server:
            raise Refused("A1.1", f"{said.name} is this bus: a foreign bus is another one")
        if why := editing.unsure("foreign_buses"):
            editing.doubts.append(
                ("A1.1", f"whether there is a foreign bus {said.name} already is not known: {why}")
            )
        if said.route == "indirect":
            check_foreign(editing, said.next_hop)
        editing.added.append(editing.own(said))
        return
    if not known:
        names = [one.name for one in editing.all(ForeignBus)]
        editing.missing(f"foreign bus {said.name}", "foreign_buses", said.name, names)
    if verb == "modify":
        if "next_hop" in editing.command.stated and said.next_hop:
            check_foreign(editing, said.next_hop)
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
        return
    editing.removed += known
    links = [one.name for one in editing.all(SibusLink) if one.foreign_bus == said.name]
    if links:
        message = (
            f"the link {', '.join(links)} leads to {said.name}: the rules do not say whether "
            "the foreign bus can be deleted then"
        )
        editing.doubts.append(("S-62", message))


def change_link(editing: WsadminEditing, said: SibusLink) -> None:
    """Create, change or delete a link. Raises Refused."""
    known = [one for one in editing.all(SibusLink) if one.name == said.name]
    verb = editing.command.verb
    if verb == "create":
        _create_link(editing, said, known)
        return
    if not known:
        names = [one.name for one in editing.all(SibusLink)]
        editing.missing(f"link {said.name}", "foreign_buses", said.name, names)
    if any(one.type != said.type for one in known):
        wanted = "createSIBLink" if known[0].type == "sib" else "createSIBMQLink"
        raise Refused(
            COMMANDS,
            (
                f"{said.name} is a link as {wanted} makes it ({known[0].source}): another "
                "command changes those"
            ),
        )
    if verb == "modify":
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
    else:
        editing.removed += known


def _create_link(editing: WsadminEditing, said: SibusLink, known: Sequence[SibusLink]) -> None:
    if known:
        raise Refused(
            "A1.1", f"{editing.server} has the link {said.name} already ({known[0].source})"
        )
    engines = [one.name for one in editing.all(MessagingEngine)]
    if said.engine not in engines:
        editing.missing(
            f"messaging engine {said.engine}", "engines", said.engine, engines, rule="A1.1"
        )
    check_foreign(editing, said.foreign_bus)
    of = [one for one in editing.all(ForeignBus) if one.name == said.foreign_bus]
    fits = "mq" if said.type == "mq" else "direct"
    if any(one.route not in ("", fits) for one in of):
        message = (
            f"{said.foreign_bus} is reached otherwise ({of[0].source}): {_ROUTES[of[0].route]}"
        )
        raise Refused("S-62", message)
    others = [one.name for one in editing.all(SibusLink) if one.foreign_bus == said.foreign_bus]
    if others:
        message = (
            f"the link {others[0]} leads to {said.foreign_bus} already: the rules do not say "
            "over which of them messages go"
        )
        editing.doubts.append(("S-62", message))
    for one in of:
        editing.swap(one, replace(one, engine=said.engine))
    editing.added.append(editing.own(said))


_ROUTES = {
    "direct": "over a link to another bus",
    "mq": "over a link to WebSphere MQ",
    "indirect": "over another foreign bus",
}
