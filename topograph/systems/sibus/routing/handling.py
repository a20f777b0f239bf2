"""What a destination does after its mediation: pass the message on, store it, publish it (S-06
to S-09, S-14 to S-17, S-22, S-25, S-60, S-61).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from topograph.assumptions import Assumption
from topograph.message import ALWAYS, Address
from topograph.outcomes import Confidence, Outcome
from topograph.systems.sibus.ambiguities import A1, A2, A3, A5, A6, A7, A8, A11, S9
from topograph.systems.sibus.buses.carried import By, SibusPhase
from topograph.systems.sibus.buses.configuration import ALIAS, SERVICE, TOPIC_SPACE, BusDestination
from topograph.systems.sibus.buses.estate import Here
from topograph.systems.sibus.buses.lookup import (
    Found,
    Target,
    is_plain,
    lookup,
    refuses_puts,
    target_of,
)
from topograph.systems.sibus.buses.paths import Path, shown
from topograph.systems.sibus.routing import links, positions
from topograph.tracing.states import Way
from topograph.tracing.trace import Ending, Kind


def handle(here: Here, own: BusDestination) -> None:
    """S-06, S-07: what is left of the path decides."""
    target = target_of(here.bus, Address(here.carried.target_bus, here.state.object))
    handler = target.found.destination
    if here.carried.forward is not None:
        if handler is not None and handler.type == TOPIC_SPACE:
            _topic_space_with_path(here, own)
        else:
            pop(here)
    elif own.type == ALIAS:
        _alias(here, own, target)
    elif own.type == SERVICE:
        text = (
            f"service destination {own.name} has nowhere to send the message: to its "
            "exception destination"
        )
        here.go(text, "S-14", own.source, phase=SibusPhase.EXCEPTION, reason=34)
    elif own.type == TOPIC_SPACE:
        _publish(here, own)
    else:
        store(here, own)


def _alias(here: Here, own: BusDestination, target: Target) -> None:
    """S-22: an alias without a path of its own is handled by its target, whose own default path
    is skipped (A-3).
    """
    found, name = target.found, target.address.destination
    rule = "S-22" if len(target.chain) < 2 else "S-22, S-24"
    if found.route is not None:
        also = ", S-26" if found.defined else ""
        links.cross(here, found.route, name, target.address.bus, rule=f"{rule}, S-20{also}")
        return
    handler = found.destination
    changes: dict[str, Any] = {
        "to": name,
        "by": By.ALIAS,
        "points": target.points,
        "target_bus": target.address.bus,
    }
    if here.carried.exception == here.address:
        changes["exception"] = f"{name}@{here.bus.name}"
    skipped = next(
        (one for one in (*target.chain[1:], handler) if one is not None and one.path), None
    )
    position = None if skipped is None else here.rests_on(A3)
    if skipped is not None and here.takes(A3, "apply"):
        _target_path(here, own, skipped, changes, {"confidence": Confidence.M})
        return
    here.go(
        f"alias {own.name} has no path itself: {name} handles the message",
        rule,
        own.source,
        phase=SibusPhase.DEFAULTED,
        how={"confidence": Confidence.H if skipped is None else Confidence.M},
        **changes,
    )
    if skipped is not None and not here.in_graph and not here.estate.readings.is_stated(A3):
        _target_path(here, own, skipped, changes, {"kind": Kind.READING, "position": position})


def _target_path(
    here: Here,
    own: BusDestination,
    handler: BusDestination,
    changes: Mapping[str, Any],
    how: Mapping[str, Any],
) -> None:
    """A-3, the other reading: the default path of the target of an alias applies."""
    path = here.estate.paths.of(handler.path)
    text = (
        f"the default path of {handler.name}, the target of alias {own.name}, applies: "
        f"{shown(path, here.bus.name)}"
    )
    here.go(
        text,
        "A-3",
        handler.source,
        phase=SibusPhase.DEFAULTED,
        forward=path,
        filled=True,
        defaulted=True,
        path_bus=here.bus.name,
        how=how,
        **changes,
    )


def _topic_space_with_path(here: Here, own: BusDestination) -> None:
    """S-15, A-2: elements are left in the path at a topic space."""
    by_engine = here.carried.mode == "engine"
    direct = here.carried.by is By.SENDER
    rest = shown(here.carried.forward, here.bus.name)
    moved = (
        f"elements are left in the path at topic space {own.name} ({rest}): to its exception "
        "destination"
    )
    error = f"elements are left in the path at topic space {own.name} ({rest})"
    reason = 1 if by_engine and not direct else 37
    if not direct:
        here.assume(Assumption(A2.position, A2.confidence, A2.choices["exception"]))
        here.go(moved, "S-15", own.source, phase=SibusPhase.EXCEPTION, reason=reason)
        return
    stated = here.is_settled(A2)
    rejects = here.takes(A2, "rejected") if stated else by_engine
    position = here.rests_on(A2, taken="rejected" if rejects else "exception")
    reading = {"kind": Kind.READING, "position": position}
    if rejects:
        here.reject(37, error, "S-15", own.source)
        if not stated:
            here.go(moved, "S-15", own.source, phase=SibusPhase.EXCEPTION, reason=37, how=reading)
    else:
        here.go(moved, "S-15", own.source, phase=SibusPhase.EXCEPTION, reason=37)
        if not stated:
            here.reject(37, error, "S-15", own.source, reading)


def pop(here: Here) -> None:
    """S-07 to S-09, S-12, S-16: take elements from the path as far as they are passed without a
    stop, and go to the last one taken.
    """
    carried, bus = here.carried, here.bus
    path = carried.forward
    assert path is not None
    current = here.state.object
    passed: list[Address] = []
    limit, each = (
        here.estate.readings.number(S9),
        here.takes(A7, "elements") and carried.mode != "engine",
    )
    while True:
        address = _address_of(here, path.head)
        found = lookup(bus, address)
        if not found.leads_on:
            _breaks_off(here, current, path, found, passed)
            return
        rest = path.rest
        if (
            not carried.walks
            or rest is None
            or not is_plain(bus, address)
            or _is_stop(here, address)
        ):
            break
        if each and carried.redirects + len(passed) >= limit:
            break
        passed.append(address)
        current, path = address.destination, rest
    if carried.mode == "engine" and passed:
        _note_bypassed(here, passed)
    counted = len(passed) + 1 if each else int(carried.filled or carried.mode == "engine")
    redirects = carried.redirects + counted
    if redirects > limit:
        _too_many_redirects(here, redirects, limit, address, found)
        return
    changes: dict[str, Any] = {
        "forward": rest,
        "filled": False,
        "on_path": True,
        "redirects": redirects,
        "reason": 0,
    }
    text, rule = _told(here, address, rest, passed)
    if found.route is not None and found.destination is None:
        rule += ", S-20, S-26" if found.defined else ", S-20"
        links.cross(
            here,
            found.route,
            address.destination,
            address.bus,
            text=text,
            rule=rule,
            path_start="",
            **changes,
        )
        return
    changes["path_start"] = _path_start(here)
    if address.bus:
        rule += ", S-21"
    here.go(
        text,
        rule,
        found.source,
        to=address.destination,
        phase=SibusPhase.ARRIVED,
        by=By.PATH,
        target_bus=address.bus,
        points=None,
        **changes,
    )


def _too_many_redirects(
    here: Here, redirects: int, limit: int, address: Address, found: Found
) -> None:
    """S-09: a redirect over the limit goes to the exception destination."""
    if here.carried.mode != "engine":
        here.rests_on(A7)
    if here.estate.readings.is_stated(S9):
        here.rests_on(
            S9,
            {
                "": f"the limit is {S9.number}",
                str(limit): f"the limit of redirects of one message is {limit}",
            },
        )
    text = (
        f"this would be redirect {redirects}, and {limit} are allowed: to the exception "
        f"destination of {address.destination}"
    )
    here.go(
        text,
        "S-09",
        found.source,
        to=address.destination,
        phase=SibusPhase.EXCEPTION,
        reason=43,
        target_bus=address.bus,
        by=By.PATH,
    )


def _address_of(here: Here, head: Address) -> Address:
    """Where an element of a path is, seen from this bus (S-12, A-8)."""
    carried, bus = here.carried, here.bus
    named = head.bus
    if not named and carried.path_bus not in ("", bus.name):
        here.rests_on(A8)
        if here.takes(A8, "first_bus"):
            named = carried.path_bus
        else:
            here.assume(positions.S12)
    return Address("" if bus.is_own(named) else named, head.destination)


def _is_stop(here: Here, address: Address) -> bool:
    """Whether a message that stands for all others has to stop at a plain destination, since it
    may be refused there (A-11).
    """
    if not here.in_graph or not here.takes(A11, "refused"):
        return False
    target = target_of(here.bus, address)
    own = target.chain[0] if target.chain else target.found.destination
    return own is not None and is_closed(here, own, target)


def is_closed(here: Here, own: BusDestination, target: Target) -> bool:
    """Whether a destination, or what handles its messages, does not allow sending (S-03)."""
    if target.found.route is not None and target.found.closed:
        return True
    if here.bus.liberty and here.carried.by is not By.SENDER:
        return refuses_puts(target)
    handler = target.found.destination
    own_flag = own.send_allowed
    return (own_flag if own_flag is not None or handler is None else handler.send_allowed) is False


def _path_start(here: Here) -> str:
    """The destination of this bus at which the path began that a message follows, where that
    makes a difference (A-5).
    """
    if not here.takes(A5, "path_start"):
        return ""
    begins = here.carried.filled or not here.carried.on_path
    return here.state.object if begins else here.carried.path_start


def _told(
    here: Here, address: Address, rest: Path | None, passed: list[Address]
) -> tuple[str, str]:
    name = address.destination if not address.bus else f"{address.destination}@{address.bus}"
    left = f"; then {shown(rest, here.bus.name)}" if rest else "; the path is then empty"
    if not passed:
        return f"next element of the path: {name}{left}", "S-07"
    return f"{_passes(passed)} to {name}{left}", "S-16"


def _passes(passed: list[Address]) -> str:
    names = ", ".join(one.destination for one in passed[:8])
    more = f" and {len(passed) - 8:,} more" if len(passed) > 8 else ""
    return f"passes {names}{more} without a stop"


def _note_bypassed(here: Here, passed: list[Address]) -> None:
    """S-17, A-1: what bypassed destinations would have done."""
    here.assume(positions.S17)
    if here.carried.reverse is None:
        return
    for address in passed:
        one = target_of(here.bus, address)
        own = one.chain[0] if one.chain else one.found.destination
        if own is not None and own.reply is not None:
            here.rests_on(A1, taken="engine")
            return


def _breaks_off(here: Here, current: str, path: Path, found: Found, passed: list[Address]) -> None:
    """S-08: the next element leads nowhere."""
    if found.unsure:
        here.unsure(found.unsure, found.source, found.rule)
        return
    if passed or here.carried.on_path:
        here.rests_on(A5)
    changes: dict[str, Any] = {}
    if start := _path_start(here):
        current, changes = start, {"target_bus": ""}
    text, rule = found.text, found.rule
    if passed:
        text, rule = f"{_passes(passed)}; {text}", f"S-16, {rule}"
    here.go(
        text, rule, found.source, to=current, phase=SibusPhase.UNRESOLVED, forward=path, **changes
    )


def unresolved(here: Here) -> None:
    """S-08: to the exception destination of the last element that was found."""
    path = here.carried.forward
    assert path is not None
    text = (
        f"{path.head.destination} cannot be found: to the exception destination of "
        f"{here.state.object}"
    )
    here.go(text, "S-08", phase=SibusPhase.EXCEPTION, reason=37)


def _publish(here: Here, own: BusDestination) -> None:
    """S-60, S-61: to the subscriptions, here and on buses whose topic spaces are mapped."""
    topic = here.carried.topic
    name = f"{own.name}/{topic}" if topic else own.name
    here.end(
        Outcome.PUBLISHED,
        f"published in topic space {own.name}"
        + (f" under {topic}" if topic else "")
        + ("; receiving is not allowed there" if own.receive_allowed is False else ""),
        "S-06, S-60",
        own.source,
        destination=f"{name}@{here.bus.name}",
    )
    if here.carried.by is By.LINK and not here.carried.on_path:
        return
    for route in here.bus.routes.values():
        for local, remote in route.topic_spaces:
            if local == own.name and route.kind == "direct":
                here.assume(positions.S61)
                how = {"kind": Kind.LATER, "condition": f"somebody on {route.bus} subscribes"}
                links.cross(here, route, remote, route.bus, rule="S-61", how=how, on_path=False)


def store(here: Here, own: BusDestination) -> None:
    """S-06, S-19, S-25: at one of the queue points."""
    points = _open_points(here, own)
    _rests_on_engines(here, own, points)
    if points is not None and not points:
        carried = here.carried
        sent_here = (
            carried.by in (By.SENDER, By.ALIAS) and carried.sender_waits and not carried.on_path
        )
        if sent_here and own.closed:
            here.reject(
                24,
                f"no queue point of {own.name} that may be used allows sending",
                "S-03",
                own.source,
            )
        elif sent_here:
            here.reject(
                26,
                f"{own.name} has no queue point that may be used",
                _scoped(here, "S-19"),
                own.source,
            )
        else:
            text = f"{own.name} has no queue point that may be used: to its exception destination"
            here.go(text, _scoped(here, "S-19"), own.source, phase=SibusPhase.EXCEPTION, reason=26)
        return
    where = points or ("",)
    for point in where:
        how: dict[str, object] = {}
        if len(where) > 1:
            how = {
                "kind": Kind.ONE_OF,
                "choice": f"queue point of {here.address}",
                "condition": f"the queue point at {point}",
            }
        gives_back = (
            here.carried.rollbacks
            and here.carried.consumer in ("", here.address)
            and own.receive_allowed is not False
        )
        if gives_back and not here.in_graph:
            text = f"stored at {own.name}" + (f" on {point}" if point else "")
            here.go(
                text,
                _scoped(here, "S-06"),
                own.source,
                phase=SibusPhase.STORED,
                point=point,
                consumer=here.address,
                how=how,
            )
        else:
            here.ways.append(kept(here, own, point, how))


def kept(
    here: Here, own: BusDestination, point: str, how: dict[str, object], more: str = ""
) -> Way:
    """The way that ends with the message where its consumers take it."""
    arguments: dict[str, str | int] = {"destination": here.address}
    if point:
        arguments["engine"] = point
    text = f"stored at {own.name}" + (f" on {point}" if point else "")
    if own.mq_server:
        text += f", a queue of WebSphere MQ server {own.mq_server}"
    if own.receive_allowed is False:
        text += "; receiving is not allowed there"
    outcome = Outcome.DELIVERED
    if here.carried.exception == here.address:
        outcome = Outcome.EXCEPTIONED
        arguments |= {"reason": here.carried.reason, "problem": here.carried.problem}
    rule = _scoped(here, "S-06")
    return Way(Ending(outcome, arguments), text + more, rule, source=own.source, **how)  # type: ignore[arg-type]


def _scoped(here: Here, rule: str) -> str:
    """A rule about queue points, with that of aliases which leave some of them (S-25)."""
    return rule if here.carried.points is None else f"{rule}, S-25"


def _points(here: Here, own: BusDestination) -> tuple[str, ...] | None:
    """The queue points that may be used; None where the files do not name any."""
    chosen = here.carried.points
    if chosen is None:
        return own.points
    names = tuple(name.removeprefix(f"{own.name}@") for name in chosen)
    return names if own.points is None else tuple(name for name in own.points if name in names)


def _open_points(here: Here, own: BusDestination) -> tuple[str, ...] | None:
    """Those of them that allow sending (S-03)."""
    points = _points(here, own)
    return points if points is None else tuple(name for name in points if name not in own.closed)


def _rests_on_engines(here: Here, own: BusDestination, points: tuple[str, ...] | None) -> None:
    """S-03: whether a queue point takes messages stands in the file of its messaging engine."""
    hidden = [one for one in points or () if one in here.bus.listed_engines]
    if hidden:
        text = (
            f"the queue points of {own.name} at {', '.join(hidden)} allow sending, though no "
            "loaded file shows them"
        )
        here.assume(Assumption("S-03", "M", text, "a sender gets an error, or it is moved on"))


def stored(here: Here, own: BusDestination) -> None:
    """S-46: a consumer gives the message back."""
    carried = here.carried
    here.assume(positions.S46)
    back, most = carried.rollbacks, max(1, own.limit)
    ignores = not own.exception and here.takes(A6, "limit_ignored")
    if ignores:
        here.rests_on(A6)
    times = (
        f"{most} time{'s' if most > 1 else ''} ({most - 1} redeliver{'ies' if most != 2 else 'y'})"
    )
    if own.limit < 0 or ignores:
        if back == ALWAYS:
            text = (
                "the consumer gives it back each time, and "
                f"{'the limit is ignored' if ignores else 'there is no limit'}"
            )
            tried = own.exception or ignores
            reason, rule = (
                ("retry", "S-46") if tried else ("exception destination none", "S-41, S-46")
            )
            here.end(Outcome.BLOCKED, text, rule, own.source, reason=reason, retry_ms=own.retry_ms)
            return
    elif back == ALWAYS or back >= most:
        left = back if back == ALWAYS else back - most
        text = f"the consumer gives it back {times}: the limit is reached"
        here.go(text, "S-46", own.source, phase=SibusPhase.EXCEPTION, reason=35, rollbacks=left)
        return
    here.ways.append(
        kept(
            here,
            own,
            carried.point,
            {"confidence": Confidence.M},
            f", taken after being given back {back} times",
        )
    )
