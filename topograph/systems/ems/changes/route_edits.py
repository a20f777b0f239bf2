"""What commands about routes do to routes.conf, and what a server refuses of them (ems.md 1.2,
3.7, R9, R53, R70).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from topograph.facts.ems import EmsObservedRoute, EmsRoute, EmsServer, RouteSelector
from topograph.facts.ems_names import server_name_fault
from topograph.facts.ems_urls import LOOPBACK, endpoints
from topograph.rules.ems_findings import (
    A17,
    NAME_URL_MISMATCH_A17,
    PENDING_MESSAGES,
    PROPERTY_REMOVED,
    R53,
    R68,
    ROUTE_DELETED,
    SECTION_3_7,
    WAITING,
)
from topograph.systems.contract.changes import Refused
from topograph.systems.ems.changes.editing import EmsEditing, check_selector
from topograph.systems.ems.network.listeners import listening
from topograph.systems.fact_sources import of_class
from topograph.words.did_you_mean import did_you_mean

DEFAULT_ZONE = "default_mhop_zone"
"""The zone of routes that state none; it is mhop (1.3)."""


def edit_route(editing: EmsEditing) -> None:
    """What a command about a route changes. Raises Refused."""
    command, at = editing.command, editing.at
    given = editing.given(EmsRoute)
    here = at.server.server
    known = next((route for route in at.all(EmsRoute) if route.name == given.name), None)
    if command.verb == "create":
        if known is not None:
            raise Refused("1.2", f"{here} has a route {given.name} already ({known.source})")
        if fault := server_name_fault(given.name):
            raise Refused("1.1", f"a route is named after its remote server, and {fault}")
        if given.name == here:
            raise Refused("1.2", f"a route leads to another server, and {here} is this one")
        if not given.url:
            raise Refused("1.2", "a route needs a url")
        if (given.zone_name, given.zone_type) == (DEFAULT_ZONE, "1hop"):
            raise Refused("R8", f"{given.zone_name} is the default zone, which is mhop (R8)")
        _check_selectors(given)
        _check_urls(editing, given)
        editing.add("routes", given)
        return
    if known is None:
        near = did_you_mean(given.name, [route.name for route in at.all(EmsRoute)])
        text = (
            f"{here} configures no route "
            f"{given.name}{_passive(editing, given.name)}{near and f'.{near}'}"
        )
        raise editing.absent("routes", text)
    if command.verb == "delete":
        editing.removed.append(known)
        editing.removed += [row for row in _rows(editing, known.name) if row.suspended]
        editing.note(
            ROUTE_DELETED,
            (
                f"the internal subscribers for {given.name} go with the route: messages that "
                f"{here} stores for it are at risk"
            ),
            SECTION_3_7,
        )
    elif command.verb in ("suspend", "resume"):
        _suspend(editing, known)
    else:
        _immutable(given, known)
        _check_selectors(given)
        _check_urls(editing, given)
        after = _BY_VERB[command.verb](editing, given, known)
        if sorted(map(_shown, after.selectors)) != sorted(map(_shown, known.selectors)):
            message = (
                "the changed selectors decide about messages that arrive from now on; "
                "pending ones keep the old decision until a restart"
            )
            editing.note(PENDING_MESSAGES, message, R68)
        editing.swap(known, after)


def _passive(editing: EmsEditing, name: str) -> str:
    """That the other server configures the route, where it does."""
    here = editing.at.server.server
    others = of_class(editing.at.facts, EmsRoute, name)
    configured = next((one for one in others if one.name == here), None)
    return f"; {name} configures it ({configured.source})" if configured else ""


def _suspend(editing: EmsEditing, known: EmsRoute) -> None:
    """R53: messages from here over the route wait until it is resumed. That is no configuration
    but a state of the server, as ``show routes`` tells it.
    """
    wanted = editing.command.verb == "suspend"
    if wanted:
        message = (
            f"messages for {known.name} wait at {known.server} until the route is resumed; "
            f"those that come from {known.name} pass"
        )
        editing.note(WAITING, message, R53)
    seen = _rows(editing, known.name)
    for row in seen:
        if row.suspended is not wanted:
            editing.swap(row, replace(row, suspended=wanted, source=editing.command.source))
    if wanted and not seen:
        editing.added.append(
            EmsObservedRoute(
                bundle=known.bundle,
                server=known.server,
                source=editing.command.source,
                name=known.name,
                active=True,
                connected=True,
                url=",".join(known.url),
                zone_name=known.zone_name,
                zone_type=known.zone_type,
                suspended=True,
            )
        )


def _rows(editing: EmsEditing, name: str) -> list[EmsObservedRoute]:
    """What the server was seen to say of a route."""
    return [one for one in editing.at.all(EmsObservedRoute) if one.name == name]


def _check_selectors(given: EmsRoute) -> None:
    for one in given.selectors:
        check_selector(one.selector)


def _check_urls(editing: EmsEditing, given: EmsRoute) -> None:
    """Say that a URL of a route leads to another server than the one it is named after (A17)."""
    ends = [((end.host or "").lower(), end.port) for url in given.url for end in endpoints(url)]
    ends = [end for end in ends if end[0] not in LOOPBACK]
    own = listening(of_class(editing.at.facts, EmsServer, given.name))
    wrong = [end for end in ends if given.name not in own.get(end, ())]
    if not wrong:
        return
    everywhere = listening(of_class(editing.at.facts, EmsServer))
    for host, port in wrong:
        if there := everywhere.get((host, port)):
            text = (
                f"{host}:{port} is {min(there)}, not {given.name}: a route that is named "
                "after another server does not come up"
            )
            editing.note(NAME_URL_MISMATCH_A17, text, A17)


def _immutable(given: EmsRoute, known: EmsRoute) -> None:
    """R9: name, zone and type of a route stay as they were created."""
    for stated, key in (("name", "zone_name"), ("type", "zone_type")):
        if stated in given.zone_stated and getattr(given, key) != getattr(known, key):
            message = (
                f"{key} cannot be changed after a route is created; it is "
                f"{getattr(known, key)} ({known.source})"
            )
            raise Refused("R9", message)


def _joined(
    first: Iterable[RouteSelector], second: Iterable[RouteSelector]
) -> tuple[RouteSelector, ...]:
    """Selectors with others set: one for the same topic and direction replaces the earlier
    (R70).
    """
    later = {(one.direction, one.topic): one for one in second}
    order = dict.fromkeys((one.direction, one.topic) for one in (*first, *later.values()))
    kept = {key: [one for one in first if (one.direction, one.topic) == key] for key in order}
    return tuple(one for key in order for one in ([later[key]] if key in later else kept[key]))


def _added(_editing: EmsEditing, given: EmsRoute, known: EmsRoute) -> EmsRoute:
    return replace(
        known,
        url=given.url or known.url,
        topic_prefetch=given.topic_prefetch or known.topic_prefetch,
        selectors=_joined(known.selectors, given.selectors),
        properties=tuple({**dict(known.properties), **dict(given.properties)}.items()),
    )


def _set(editing: EmsEditing, given: EmsRoute, known: EmsRoute) -> EmsRoute:
    """``setprop`` removes what it does not restate; each removal is told."""
    restated = {(one.direction, one.topic) for one in given.selectors}
    for gone in known.selectors:
        if (gone.direction, gone.topic) not in restated:
            editing.note(
                PROPERTY_REMOVED,
                f"setprop removes what it does not restate: {_shown(gone)} (set at {gone.source})",
                SECTION_3_7,
            )
    keys = {key for key, _ in given.properties}
    lost = [key for key, _ in known.properties if key not in keys]
    lost += ["topic_prefetch"] if known.topic_prefetch and not given.topic_prefetch else []
    for key in lost:
        editing.note(
            PROPERTY_REMOVED,
            f"setprop removes what it does not restate: {key} (set at {known.source})",
            SECTION_3_7,
        )
    return replace(
        known,
        url=given.url or known.url,
        topic_prefetch=given.topic_prefetch,
        selectors=_joined((), given.selectors),
        properties=given.properties,
    )


def _shown(selector: RouteSelector) -> str:
    return f'{selector.direction}_topic={selector.topic} selector="{selector.selector}"'


def _removed(editing: EmsEditing, given: EmsRoute, known: EmsRoute) -> EmsRoute:  # noqa: ARG001
    stated = editing.command.stated
    if stated & {"url", "zone_name", "zone_type"}:
        raise Refused(
            "R9", f"{min(stated & {'url', 'zone_name', 'zone_type'})} of a route cannot be removed"
        )
    gone = editing.command.unselected
    absent = [one for one in gone if not any(_names(one, each) for each in known.selectors)]
    if absent:
        shown = f"{absent[0].direction}_topic" + (f"={absent[0].topic}" if absent[0].topic else "")
        raise Refused("3.7", f"the route {known.name} has no {shown} ({known.source})")
    return replace(
        known,
        topic_prefetch="" if "topic_prefetch" in stated else known.topic_prefetch,
        selectors=tuple(
            one for one in known.selectors if not any(_names(each, one) for each in gone)
        ),
        properties=tuple(pair for pair in known.properties if pair[0] not in stated),
    )


def _names(gone: RouteSelector, selector: RouteSelector) -> bool:
    return gone.direction == selector.direction and gone.topic in ("", selector.topic)


_BY_VERB: dict[str, Callable[[EmsEditing, EmsRoute, EmsRoute], EmsRoute]] = {
    "addprop": _added,
    "setprop": _set,
    "removeprop": _removed,
}
