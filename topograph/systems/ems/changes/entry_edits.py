"""What commands about everything but routes do to the files of a server, and what it refuses of
them (ems.md 1.4-1.6, 3.4, 3.7).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsServer,
    EmsUser,
)
from topograph.facts.ems_names import TEMPORARY, destination_name_fault, is_wildcard
from topograph.rules.ems_findings import (
    BRIDGE_SOURCE,
    BRIDGE_WRITTEN_TWICE,
    PROPERTY_REMOVED,
    SECTION_1_6,
    SECTION_3_7,
    TL_26,
)
from topograph.systems.contract.changes import Refused
from topograph.systems.ems.changes.editing import EmsEditing, check_selector
from topograph.systems.ems.destinations.topics import contained, store_conflicts
from topograph.words.articles import with_article


def _destination(editing: EmsEditing) -> None:
    command, at = editing.command, editing.at
    if command.every:
        _delete_all(editing)
        return
    given = editing.given(EmsDestination)
    of = at.all(EmsDestination)
    owner = _owner(given, at.server.server)
    own = [
        one
        for one in of
        if (one.type, one.name, _owner(one, at.server.server)) == (given.type, given.name, owner)
    ]
    what, file = _label(given), f"{given.type}s"
    if command.verb == "create":
        if own:
            raise Refused(
                "1.4", f"{at.server.server} has {with_article(what)} already ({own[0].source})"
            )
        if fault := destination_name_fault(given.name):
            raise Refused("1.4", fault)
        if given.name.startswith(TEMPORARY):
            raise Refused("R93", f"{given.name} is temporary and cannot be configured")
        _check_destination(at.own(given), None, of)
        editing.add(file, given)
        return
    if not own:
        raise editing.absent(file, f"{at.server.server} configures no {what}")
    if command.verb == "delete":
        if bridges := _bridges_from(editing, given):
            why = (
                f"it is the source of the bridge {bridges[0].label} ({bridges[0].source}); "
                "delete that first"
            )
            raise Refused("1.6", f"{what} cannot be deleted: {why}")
        editing.removed += own
        return
    for known in own:
        before, stated = dict(known.properties), dict(given.properties)
        if command.verb == "addprop":
            after = before | stated
        elif command.verb == "setprop":
            after = stated
            for key in [key for key in before if key not in stated]:
                message = (
                    f"setprop removes what it does not restate: {key} of {what} "
                    f"(set at {known.source})"
                )
                editing.note(PROPERTY_REMOVED, message, SECTION_3_7)
        else:
            after = {
                key: value for key, value in before.items() if key.lower() not in command.stated
            }
        changed = replace(known, properties=tuple(after.items()))
        _check_destination(changed, known, of)
        editing.swap(known, changed)


def _delete_all(editing: EmsEditing) -> None:
    """``delete all topics PATTERN``: those whose names a pattern covers, all without one. The
    sources of bridges stay.
    """
    command = editing.command
    kind = command.every.removesuffix("s")
    for one in editing.at.all(EmsDestination):
        if one.type != kind or (command.pattern and not contained(one.name, command.pattern)):
            continue
        if bridges := _bridges_from(editing, one):
            editing.note(
                BRIDGE_SOURCE,
                f"{_label(one)} stays: it is the source of the bridge {bridges[0].label}",
                SECTION_1_6,
            )
        else:
            editing.removed.append(one)


def _label(one: EmsDestination) -> str:
    return f"{one.type} {one.name}{f'@{one.owner}' if one.owner else ''}"


def _owner(one: EmsDestination, here: str) -> str:
    """The other server that owns a routed queue; of this server's own queue the suffix has no
    effect (1.5).
    """
    return "" if one.owner == here else one.owner


def _bridges_from(editing: EmsEditing, given: EmsDestination) -> list[EmsBridge]:
    """The bridges whose source a destination is. The server prevents that such a one is deleted."""
    source = given.type, given.name
    return [
        one for one in editing.at.all(EmsBridge) if (one.source_type, one.source_name) == source
    ]


def _check_destination(
    after: EmsDestination, before: EmsDestination | None, present: Sequence[EmsDestination]
) -> None:
    """Raises Refused for what a destination must not be or become; what it is already is not the
    command's doing (1.4, 1.5).
    """
    fault = _fault(after)
    if fault and (before is None or _fault(before) != fault):
        raise Refused("1.4" if after.type == "topic" else "1.5", fault)
    store = dict(after.properties).get("store", "")
    if store and (before is None or dict(before.properties).get("store", "") != store):
        others = [one for one in present if one.type == after.type and one != before]
        for first, second in store_conflicts([*others, after]):
            if second == after:
                raise Refused(
                    "R84",
                    (
                        f"{after.name} and {first.name} ({first.source}) overlap and name "
                        "different stores"
                    ),
                )


def _fault(one: EmsDestination) -> str:
    """What makes a destination illegal by itself; empty if nothing does."""
    values = dict(one.properties)
    routed = one.type == "queue" and _owner(one, one.server)
    if routed and is_wildcard(one.name):
        return f"the routed queue {one.name}@{one.owner} is a wildcard, which is not supported"
    if routed and "exclusive" in values:
        return (
            f"the routed queue {one.name}@{one.owner} is exclusive, which only its home "
            "queue can be"
        )
    if values.get("prefetch", "").lower() == "none" and (one.type == "topic" or "global" in values):
        return (
            "prefetch=none is not allowed for "
            f"{'topics' if one.type == 'topic' else 'global queues'}"
        )
    return ""


def _bridge(editing: EmsEditing) -> None:
    given = editing.given(EmsBridge)
    own = [one for one in editing.at.all(EmsBridge) if one.label == given.label]
    if editing.command.verb == "delete":
        if not own:
            text = f"{editing.at.server.server} configures no bridge {given.label}"
            raise editing.absent("bridges", text)
        editing.removed += own
        _written_twice(editing, own[0])
        return
    if own:
        raise Refused(
            "1.6",
            f"{editing.at.server.server} has the bridge {given.label} already ({own[0].source})",
        )
    if is_wildcard(given.target_name):
        raise Refused("1.6", f"the target {given.target_name} of a bridge is a wildcard")
    for name in (given.source_name, given.target_name):
        if name.startswith(TEMPORARY):
            raise Refused("R93", f"{name} is temporary and cannot be bridged")
        if fault := destination_name_fault(name.partition("@")[0]):
            raise Refused("1.4", fault)
    check_selector(given.selector)
    editing.add("bridges", given)


def _written_twice(editing: EmsEditing, gone: EmsBridge) -> None:
    """What the server writes after a bridge is deleted whose source has several sections: what is
    left of them once for each (KB0088199).
    """
    source = (gone.source_type, gone.source_name)
    left = [
        one
        for one in editing.at.all(EmsBridge)
        if (one.source_type, one.source_name) == source and one.label != gone.label
    ]
    if gone.sections > 1 and left:
        text = (
            f"bridges.conf of {editing.at.server.server} has several sections for "
            f"{':'.join(source)}: the server writes the bridge {left[0].label} more than once, and "
            "does not start again with that file. Write one section for the source instead"
        )
        editing.note(BRIDGE_WRITTEN_TWICE, text, TL_26)


def _durable(editing: EmsEditing) -> None:
    known = editing.at.all(EmsDurable)
    if editing.command.every:
        editing.removed += known
        return
    given = editing.given(EmsDurable)
    if editing.command.verb == "delete":
        own = [
            one
            for one in known
            if one.name == given.name and (not given.client_id or one.client_id == given.client_id)
        ]
        if not own:
            text = f"{editing.at.server.server} configures no durable {given.name}"
            raise editing.absent("durables", text)
        editing.removed += own
        return
    same = [one for one in known if _durable_identity(one) == _durable_identity(given)]
    if same:
        raise Refused(
            "3.4",
            f"{editing.at.server.server} has the durable {given.name} already ({same[0].source})",
        )
    if given.topic.startswith(TEMPORARY):
        raise Refused("R93", f"{given.topic} is temporary and cannot have durables")
    if fault := destination_name_fault(given.topic):
        raise Refused("1.4", fault)
    check_selector(given.selector)
    editing.add("durables", given)


def _durable_identity(one: EmsDurable) -> tuple[str, str]:
    """What two durables conflict in: a route durable is one per topic and server, any other one
    per client id and name (3.4).
    """
    return (f"route {one.topic}" if one.route else f"client {one.client_id}", one.name)


_PERMISSIONS = {
    "topic": ("subscribe", "publish", "durable", "use_durable"),
    "queue": ("receive", "send", "browse"),
}
"""What ``all`` stands for (1.6)."""

_OF_ADMINISTRATORS = frozenset({"view", "create", "delete", "modify", "purge"})
"""Permissions that let nobody send or receive anything."""


def _grant(editing: EmsEditing) -> None:
    given = editing.given(EmsGrant)
    at = editing.at
    on = [one for one in at.all(EmsGrant) if (one.type, one.name) == (given.type, given.name)]
    if given.principal == EVERYBODY and not given.principal_type:
        for one in on:
            _revoke(
                editing,
                one,
                [held for held in one.permissions if _is_meant(held, given.permissions)],
            )
        return
    if (
        not given.principal_type
    ):  # a name by itself is a group's if there is one of that name, else a user's
        groups = {group.name for group in at.all(EmsGroup)}
        given = replace(given, principal_type="group" if given.principal in groups else "user")
    own = [
        one
        for one in on
        if (one.principal_type, one.principal) == (given.principal_type, given.principal)
    ]
    if editing.command.verb == "grant":
        held = {permission for one in own for permission in _one_by_one(one)}
        if not held.issuperset(_one_by_one(given)):
            editing.added.append(at.own(given))
        return
    if not own:
        who = f"{given.principal_type} {given.principal}"
        text = f"{at.server.server} grants {who} nothing on {given.type} {given.name}"
        raise editing.absent("acl_list", text)
    every = "all" in given.permissions
    for one in own:
        _revoke(
            editing,
            one,
            [p for p in _one_by_one(one) if p in given.permissions or (every and _is_of_users(p))],
        )


EVERYBODY = "*"
"""The principal of ``revoke topic NAME *``, which takes permissions from all who have some."""


def _is_meant(permission: str, scope: Sequence[str]) -> bool:
    """Whether ``revoke ... *`` takes a permission: those of users, of administrators (``admin``)
    or ``both``.
    """
    return "both" in scope or _is_of_users(permission) is not ("admin" in scope)


def _is_of_users(permission: str) -> bool:
    return permission not in _OF_ADMINISTRATORS


def _one_by_one(one: EmsGrant) -> tuple[str, ...]:
    """The permissions of a grant, ``all`` as those that it stands for."""
    return tuple(
        dict.fromkeys(
            p
            for held in one.permissions
            for p in (_PERMISSIONS.get(one.type, ()) if held == "all" else (held,))
        )
    )


def _revoke(editing: EmsEditing, one: EmsGrant, taken: Sequence[str]) -> None:
    if not taken:
        return
    kept = tuple(
        p
        for p in (one.permissions if set(taken) <= set(one.permissions) else _one_by_one(one))
        if p not in taken
    )
    editing.removed.append(one)
    if kept:
        editing.added.append(replace(one, permissions=kept))


def _group(editing: EmsEditing) -> None:
    command = editing.command
    if command.every:
        editing.removed += editing.at.all(EmsGroup)
        return
    given = editing.given(EmsGroup)
    known = next((one for one in editing.at.all(EmsGroup) if one.name == given.name), None)
    if command.verb == "create":
        if known is not None:
            raise Refused(
                "1.6",
                f"{editing.at.server.server} has the group {given.name} already ({known.source})",
            )
        editing.add("groups", given)
        return
    if known is None:
        text = f"{editing.at.server.server} has no group {given.name}"
        raise editing.absent("groups", text)
    if command.verb == "delete":
        editing.removed.append(known)
    elif command.verb == "addprop":
        editing.swap(
            known, replace(known, members=tuple(dict.fromkeys((*known.members, *given.members))))
        )
    else:
        kept = tuple(one for one in known.members if one not in given.members)
        editing.swap(known, replace(known, members=kept))


ADMINISTRATOR = "admin"
"""The user that every server has."""


def _user(editing: EmsEditing) -> None:
    """Users decide which servers get in over routes (R50). Where the users of a server are not
    loaded nothing is known of them, before and after.
    """
    command, at = editing.command, editing.at
    known = at.all(EmsUser)
    if command.every:
        editing.removed += [one for one in known if one.name != ADMINISTRATOR]
        return
    if not known and "users" not in dict(at.server.parameters):
        return
    given = editing.given(EmsUser)
    own = [one for one in known if one.name == given.name]
    name = at.server.server
    if command.verb == "create":
        if own:
            raise Refused("1.6", f"{name} has the user {given.name} already ({own[0].source})")
        editing.added.append(at.own(given))
        return
    if given.name == ADMINISTRATOR:
        raise Refused("3.7", f"the user {ADMINISTRATOR} of {name} cannot be deleted")
    if not own and "users" not in at.server.missing:
        raise Refused("3.7", f"{name} has no user {given.name}")
    editing.removed += own


def _server(editing: EmsEditing) -> None:
    given, known = editing.given(EmsServer), editing.at.server
    told = {key: getattr(given, key) for key in ("routing", "authorization")}
    changed = {
        key for key, state in told.items() if state is not None and state != getattr(known, key)
    }
    parameters = dict(known.parameters) | dict(given.parameters)
    if not changed and parameters == dict(known.parameters):
        return
    after = replace(
        known,
        parameters=tuple(parameters.items()),
        routing=known.routing if given.routing is None else given.routing,
        authorization=known.authorization if given.authorization is None else given.authorization,
        places=(
            *(place for place in known.places if place.parameter not in changed),
            *(place for place in given.places if place.parameter in changed),
        ),
    )
    editing.swap(known, after)


EDITS: dict[str, Callable[[EmsEditing], None]] = {
    "destination": _destination,
    "bridge": _bridge,
    "durable": _durable,
    "grant": _grant,
    "group": _group,
    "user": _user,
    "server": _server,
}
"""What a command does, by what it is about."""
