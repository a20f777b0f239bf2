"""What a destination does with a message that arrives, up to its mediation (S-01 to S-05, S-10
to S-15, S-21 to S-27).
"""

from __future__ import annotations

from dataclasses import replace

from topograph.message import Address
from topograph.outcomes import Confidence, Outcome
from topograph.systems.sibus.ambiguities import A1, A4, A11
from topograph.systems.sibus.buses.carried import ANY, By, SibusPhase
from topograph.systems.sibus.buses.configuration import (
    ALIAS,
    QUEUE,
    TOPIC_SPACE,
    BusDestination,
)
from topograph.systems.sibus.buses.estate import Here
from topograph.systems.sibus.buses.lookup import Found, Target, inherited, target_of
from topograph.systems.sibus.buses.paths import shown, shown_address
from topograph.systems.sibus.buses.terms import ASSURED, rank
from topograph.systems.sibus.routing import exceptions, handling, links, mediation, positions
from topograph.tracing.trace import NOWHERE, Kind
from topograph.words.did_you_mean import did_you_mean


def arrive(here: Here) -> None:
    """S-01: what the address leads to, then reliability and send flags."""
    carried = here.carried
    if here.in_graph and here.state.object == ANY and not carried.target_bus:
        for name in here.estate.leaving(here.bus.server):
            here.go(f"for {name}", "S-21", here.bus.source, to=name)
        some = f"any destination of {here.bus.name}"
        here.end(
            Outcome.DELIVERED, f"{some} may be meant", "S-21", here.bus.source, destination=some
        )
        return
    target = target_of(here.bus, Address(carried.target_bus, here.state.object))
    found = target.found
    if not found.leads_on:
        _lost(here, found)
        return
    if _stamped(here):
        return
    if found.route is not None and not target.chain:
        if carried.by is By.SENDER and found.closed:
            here.reject(17, f"{here.state.object} does not allow sending", "S-03", found.source)
        else:
            rule = "S-20, S-26" if found.defined else "S-20"
            links.cross(
                here,
                found.route,
                here.state.object,
                carried.target_bus or found.route.bus,
                rule=rule,
            )
        return
    own = target.chain[0] if target.chain else found.destination
    if own is None:
        own = temporary(here.state.object)
        here.assume(positions.S27)
    if own.doubt or (found.destination is not None and found.destination.doubt):
        doubtful = own if own.doubt or found.destination is None else found.destination
        here.unsure(f"{doubtful.name}@{here.bus.name}: {doubtful.doubt}", doubtful.source)
        return
    if carried.by is By.EXCEPTION and (own.path or own.reply or own.mediation):
        here.assume(positions.S45)
    if _of_other_kind(here, own, target) or _refused(here, own, target):
        return
    if not here.in_graph and _reliability(here, own, target):
        return
    reply(here, own)


def _stamped(here: Here) -> bool:
    """S-11: elements of the reverse path without a bus name get that of the bus where the
    message arrives.
    """
    carried, bus = here.carried, here.bus.name
    if not carried.unstamped:
        return False
    assert carried.reverse is not None
    path = here.estate.paths.of(Address(one.bus or bus, one.destination) for one in carried.reverse)
    here.go(f"elements of the reverse path without a bus name get {bus}", "S-11", reverse=path)
    return True


def temporary(name: str) -> BusDestination:
    """A destination that a program made: nothing is configured of it (S-27)."""
    return BusDestination(name=name, type=QUEUE, source=NOWHERE)


def own_destination(here: Here) -> tuple[BusDestination, Target]:
    """The destination that a message is at, and what handles its messages."""
    target = target_of(here.bus, Address(here.carried.target_bus, here.state.object))
    own = target.chain[0] if target.chain else target.found.destination
    return own or temporary(here.state.object), target


def _lost(here: Here, found: Found) -> None:
    """The address leads nowhere: an error for a sender, the link's exception destination for
    what came over one (S-47).
    """
    if found.unsure:
        here.unsure(found.unsure, found.source, found.rule)
    elif here.carried.by is By.LINK:
        text = f"{found.text.rstrip('.')}: to the exception destination of the link"
        exceptions.of_link(here, found.code or 15, text, "S-47")
    else:
        names = (
            here.bus.destinations if here.bus.is_own(here.carried.target_bus) else here.bus.routes
        )
        meant = did_you_mean(
            here.carried.target_bus if names is here.bus.routes else here.state.object, names
        )
        here.reject(
            found.code,
            f"{found.text}{meant if found.rule == 'S-21' else ''}",
            found.rule,
            found.source,
        )


def _of_other_kind(here: Here, own: BusDestination, target: Target) -> bool:
    """S-28: whether a sender that asks for a queue gets a topic space, or one that asks for a topic
    something else; aliases have the kind of their target.
    """
    handler = target.found.destination
    if here.carried.by is not By.SENDER or not here.carried.asked or handler is None:
        return False
    name = own.name if own is handler else f"{own.name}, an alias of {handler.name},"
    code, text = (
        (11, f"{name} is a topic space, but the sender asks for a queue")
        if handler.type == TOPIC_SPACE
        else (2, f"{name} is not a topic space, but the sender asks for a topic")
    )
    here.reject(code, text, inherited("S-28", target), own.source)
    return True


def _refused(here: Here, own: BusDestination, target: Target) -> bool:
    """S-03: whether a sender may not send here. On a path the flag is not looked at, or the
    message is moved away (A-11).
    """
    if not handling.is_closed(here, own, target):
        return False
    text = f"{own.name} does not allow sending"
    if here.carried.by is By.SENDER and not here.in_graph:
        here.reject(17, text, inherited("S-03", target), own.source)
        return True
    if here.carried.by is By.LINK:
        text = f"{text}: what comes over a link goes to its exception destination"
        here.go(text, inherited("S-47", target), own.source, phase=SibusPhase.EXCEPTION, reason=17)
        return True
    if here.carried.by is By.PATH and (not here.in_graph or here.is_settled(A11)):
        here.rests_on(A11)
        if here.takes(A11, "refused"):
            here.go(
                f"{text}: to its exception destination",
                "S-19",
                own.source,
                phase=SibusPhase.EXCEPTION,
                reason=1,
            )
            return True
    return False


def _reliability(here: Here, own: BusDestination, target: Target) -> bool:
    """S-02: the reliability that the message gets, and whether it is too high."""
    handler = target.found.destination or own
    default = own.reliability or handler.reliability
    highest = own.highest or handler.highest
    override = own.override if own.override is not None else handler.override
    now = here.carried.reliability
    rule = inherited("S-02", target)
    if (not now or override is False) and default and now != default:
        if now or default != ASSURED:
            replaced = f"{own.name} replaces the reliability {now} by its own, {default}"
            text = replaced if now else f"the message gets the reliability of {own.name}, {default}"
            here.go(text, rule, own.source, reliability=default)
            return True
        # The default of nearly every destination is not worth a step.
        now = default
        here.carried = replace(here.carried, reliability=default)
    if highest and now and rank(now) > rank(highest):
        text = f"the reliability {now} is higher than {own.name} allows ({highest})"
        if here.carried.by is By.SENDER:
            here.reject(33, text, rule, own.source)
        else:
            text = f"{text}: to its exception destination"
            here.go(text, f"{rule}, S-19", own.source, phase=SibusPhase.EXCEPTION, reason=1)
        return True
    return False


def reply(here: Here, own: BusDestination) -> None:
    """S-10: the reply destination goes to the front of a reverse path that is not empty."""
    carried = here.carried
    if own.reply is None or carried.by is By.ALIAS:
        default(here, own)
        return
    address = Address(own.reply.bus or here.bus.name, own.reply.destination)
    name = shown_address(address, here.bus.name)
    if carried.reverse is None:
        if here.in_graph:
            default(here, own)
            return
        text = f"no reply is asked for: the reply destination {name} is not added"
        here.go(text, "S-10", own.source, phase=SibusPhase.REPLIED)
        return
    if (
        carried.mode == "doc"
        and carried.by is By.PATH
        and carried.forward is not None
        and not own.mediation
    ):
        here.rests_on(A1, taken="doc")
    path = here.estate.paths.before(address, carried.reverse)
    text = f"reply destination {name} is added: the reverse path is {shown(path, here.bus.name)}"
    rule = "S-10" if own.reply.bus else "S-10, S-11"
    if carried.by is By.LINK:
        rule += ", S-13"
    here.go(text, rule, own.source, phase=SibusPhase.REPLIED, reverse=path)


def default(here: Here, own: BusDestination) -> None:
    """S-04, S-05: an empty path becomes the default path of the destination."""
    carried, bus = here.carried, here.bus.name
    if carried.by is By.ALIAS:
        mediation.mediate(here, own)
        return
    if carried.forward is not None:
        if own.path and not here.in_graph:
            whose, rule = (
                ("the path", "S-05") if carried.defaulted else ("the message's own path", "S-04")
            )
            text = (
                f"{whose} wins over the default path of {own.name}: {shown(carried.forward, bus)}"
            )
            here.go(text, rule, own.source, phase=SibusPhase.DEFAULTED)
        else:
            mediation.mediate(here, own)
        return
    rule = "S-05, S-22" if own.type == ALIAS else "S-05"
    if not own.path:
        if carried.by is By.SENDER and own.type != ALIAS and not here.in_graph:
            text = f"{own.name} has no default forward routing path: the path stays empty"
            here.go(text, "S-05", own.source, phase=SibusPhase.DEFAULTED)
        else:
            mediation.mediate(here, own)
        return
    chained = carried.on_path and carried.by in (By.PATH, By.LINK)
    position, stated = here.estate.readings.said(A4), here.estate.readings.is_stated(A4)
    if chained and stated:
        here.assume(position)
        if here.takes(A4, "stay"):
            mediation.mediate(here, own)
            return
    path = here.estate.paths.of(own.path)
    whose = (
        "own default forward routing path" if own.type == ALIAS else "default forward routing path"
    )
    here.go(
        f"the {whose} of {own.name} applies: {shown(path, bus)}",
        rule,
        own.source,
        phase=SibusPhase.DEFAULTED,
        forward=path,
        filled=True,
        defaulted=True,
        path_bus=bus,
        how={"confidence": Confidence.M if chained else Confidence.H},
    )
    if chained and not here.in_graph and not stated:
        text = f"the default path of {own.name} does not apply to a message that a path brings"
        here.go(
            text,
            "A-4",
            own.source,
            phase=SibusPhase.DEFAULTED,
            how={"kind": Kind.READING, "position": position},
        )
