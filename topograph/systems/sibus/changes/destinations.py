"""Commands about destinations and mediations (sibus.md A1.2, A1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topograph.facts.sibus import (
    Incomplete,
    Mediation,
    MessagingEngine,
    SibusDestination,
)
from topograph.facts.sibus_faults import SYSTEM_EXCEPTION, value_fault
from topograph.facts.wsadmin_commands import EXTERNAL, restated
from topograph.rules.sibus_findings import HELD_MESSAGES, S_48
from topograph.systems.contract.changes import Refused
from topograph.systems.sibus.buses.terms import TEMPORARY
from topograph.systems.sibus.changes.editing import WsadminEditing, check_foreign, check_member


def change_destination(editing: WsadminEditing, said: SibusDestination) -> None:
    """Create, change or delete a destination. Raises Refused."""
    name = said.name
    known = [one for one in editing.all(SibusDestination) if one.name == name]
    if editing.command.verb != "delete":
        if wrong := value_fault(said.attributes):
            raise Refused("A1.3", wrong)
        for member in said.members:
            check_member(editing, member)
    if editing.command.verb == "create":
        _create_destination(editing, said, known)
        return
    if not known and _is_system(editing, name):
        if editing.command.verb == "delete":
            editing.doubts.append(
                (
                    "A1.2",
                    (
                        f"{name} is a destination of the system: the rules do not say "
                        "whether it can be deleted"
                    ),
                )
            )
            return
        own = SibusDestination(
            bundle="",
            server="",
            source=said.source,
            destination_type="Queue",
            name=name,
            exception_destination="",
        )
        editing.added.append(editing.own(restated(own, said, editing.command.stated)))
        return
    if not known:
        names = [one.name for one in editing.all(SibusDestination)]
        editing.missing(f"destination {name}", "destinations", name, names)
        return
    if editing.command.verb == "modify":
        for one in known:
            editing.swap(one, restated(one, said, editing.command.stated))
        return
    _delete_destination(editing, name, known)


def _is_system(editing: WsadminEditing, name: str) -> bool:
    return name in {f"{SYSTEM_EXCEPTION}.{one.name}" for one in editing.all(MessagingEngine)}


def _create_destination(
    editing: WsadminEditing, said: SibusDestination, known: Sequence[SibusDestination]
) -> None:
    name = said.name
    if known:
        raise Refused(
            "A1.3", f"{editing.server} has a destination {name} already ({known[0].source})"
        )
    if _is_system(editing, name):
        raise Refused(
            "A1.3", f"{editing.server} has the system exception destination {name} already"
        )
    if name.startswith(TEMPORARY) and not name.startswith(SYSTEM_EXCEPTION):
        editing.doubts.append(
            (
                "S-27",
                f"names that begin with {name[:2]} are those of temporary and system destinations",
            )
        )
    if why := editing.unsure("destinations"):
        editing.doubts.append(
            ("A1.3", f"whether there is a destination {name} already is not known: {why}")
        )
    if said.destination_type == "Foreign":
        check_foreign(editing, said.foreign_bus)
    editing.added.append(editing.own(said))


def _delete_destination(
    editing: WsadminEditing, name: str, known: Sequence[SibusDestination]
) -> None:
    editing.removed += known
    editing.removed += [one for one in editing.all(Mediation) if one.destination == name]
    editing.removed += [one for one in editing.all(Incomplete) if one.object == name]
    for engine in editing.all(MessagingEngine):
        kept = tuple(one for one in engine.queue_points if one != name)
        closed = tuple(one for one in engine.closed_points if one != name)
        editing.swap(engine, replace(engine, queue_points=kept, closed_points=closed))
    if any(one.destination_type in ("Queue", "Port", "") for one in known):
        message = (
            f"messages that {name} holds go to a system exception destination, or are "
            "dropped if the bus is set to that"
        )
        editing.note(HELD_MESSAGES, message, S_48)


def change_mediation(editing: WsadminEditing, said: Mediation) -> None:
    """Create, change or delete a mediation, attach it or take it away (S-30). Raises Refused."""
    if said.destination:
        _attached(editing, said)
        return
    known = [one for one in editing.all(Mediation) if one.name == said.name and not one.destination]
    names = [one.name for one in editing.all(Mediation) if not one.destination]
    verb = editing.command.verb
    if verb == "create":
        if known:
            raise Refused(
                "A1.1", f"{editing.server} has a mediation {said.name} already ({known[0].source})"
            )
        if why := editing.unsure("mediations"):
            editing.doubts.append(
                ("A1.1", f"whether there is a mediation {said.name} already is not known: {why}")
            )
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
    used = [
        one
        for one in editing.all(Mediation)
        if one.destination and (one.name == said.name or one.uuid in uuids)
    ]
    if used:
        names = sorted({one.destination for one in used})
        editing.doubts.append(
            (
                "S-30",
                (
                    f"{said.name} mediates {', '.join(names)}: the rules do not say whether "
                    "it can be deleted then"
                ),
            )
        )


def _attached(editing: WsadminEditing, said: Mediation) -> None:
    """``mediateSIBDestination`` and ``unmediateSIBDestination``."""
    known = [one for one in editing.all(Mediation) if one.destination == said.destination]
    if editing.command.verb == "delete":
        if not known:
            editing.missing(f"mediation at {said.destination}", "mediations", "", ())
        editing.removed += known
        return
    names = [one.name for one in editing.all(SibusDestination)]
    if said.destination not in names:
        editing.missing(f"destination {said.destination}", "destinations", said.destination, names)
    defined = [one.name for one in editing.all(Mediation) if not one.destination]
    if said.name != EXTERNAL and said.name not in defined:
        editing.missing(f"mediation {said.name}", "mediations", said.name, defined)
    if known:
        shown = known[0].name or known[0].uuid
        message = (
            f"{said.destination} has the mediation {shown} ({known[0].source}): whether "
            "another one takes its place is not in the rules"
        )
        editing.doubts.append(("S-30", message))
    editing.removed += known
    editing.added.append(editing.own(said))
