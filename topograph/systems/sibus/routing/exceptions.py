"""Exception destinations: whether a message is dropped, kept or moved, and where to (S-40 to
S-49).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from topograph.facts.sibus_faults import SYSTEM_EXCEPTION
from topograph.findings import Source
from topograph.message import Address
from topograph.outcomes import Outcome
from topograph.records import record
from topograph.systems.sibus.ambiguities import A6
from topograph.systems.sibus.buses.carried import By, Carried, SibusPhase
from topograph.systems.sibus.buses.configuration import TOPIC_SPACE, Bus
from topograph.systems.sibus.buses.estate import Here
from topograph.systems.sibus.buses.lookup import Target, refuses_puts, target_of
from topograph.systems.sibus.buses.terms import (
    BEST_EFFORT,
    REASONS,
    SYSTEM_DEFAULT,
    TEMPORARY,
    rank,
)
from topograph.systems.sibus.routing import positions
from topograph.tracing.trace import NOWHERE, Ending, Kind


@record
class MovedFrom:
    """What a message is moved away from: the destination or link whose settings count."""

    name: str
    exception: str
    discard: str
    source: Source
    temporary: bool = False
    is_system: bool = False
    retry_ms: int = 5000
    of_alias: bool = False

    def rule(self, rule: str) -> str:
        """A rule, with that by which an alias has the settings of its target (S-23)."""
        return f"{rule}, S-23" if self.of_alias else rule


def leave(here: Here) -> None:
    """S-40 to S-43: a message that its destination cannot handle."""
    target = target_of(here.bus, Address(here.carried.target_bus, here.state.object))
    handler = target.found.destination
    own = target.chain[0] if target.chain else handler
    name = here.state.object
    if own is None or handler is None:
        temporary = name.startswith(TEMPORARY)
        _move(here, MovedFrom(name, SYSTEM_DEFAULT, BEST_EFFORT, NOWHERE, temporary))
        return
    source = handler.exception_source or handler.source
    is_system = handler.implied and handler.name.startswith(SYSTEM_EXCEPTION)
    # Exception settings of an alias are those of its target (S-23).
    of_alias = bool(target.chain)
    _move(
        here,
        MovedFrom(
            name,
            handler.exception,
            handler.discard,
            source,
            False,
            is_system,
            handler.retry_ms,
            of_alias,
        ),
    )


def of_link(here: Here, reason: int, text: str, rule: str) -> None:
    """S-47: what comes in over a link and cannot be handled goes to the exception destination of
    the link.
    """
    route = here.bus.routes.get(here.carried.from_bus)
    source = NOWHERE if route is None else route.source
    here.go(text, rule, source, phase=SibusPhase.EXCEPTION, reason=reason, problem="link")


def _link(here: Here) -> MovedFrom | None:
    """What a message is moved away from that came over a link; None, with a way that says so,
    where no loaded file shows the link.
    """
    route = here.bus.routes.get(here.carried.from_bus)
    if route is None or not route.exception_shown:
        name, bus = here.carried.from_bus, here.bus
        why = f"no loaded file shows the link of {bus.name} with {name}: its exception destination"
        here.unsure(f"{why} is not known", bus.source if route is None else route.source, "S-47")
        return None
    return MovedFrom(f"the link from {route.bus}", route.exception, BEST_EFFORT, route.source)


def _move(here: Here, origin: MovedFrom) -> None:
    carried = here.carried
    from_link = carried.problem == "link"
    if from_link:
        if here.state.object.startswith(TEMPORARY):
            origin = replace(origin, temporary=True)
        else:
            link = _link(here)
            if link is None:
                return
            origin = link
    reliability = carried.reliability
    if origin.temporary:
        text = f"{here.state.object} is temporary: the message is dropped"
        here.end(Outcome.DISCARDED, text, "S-40", origin.source, reason="temporary")
    elif reliability and rank(reliability) <= rank(origin.discard):
        text = (
            f"the reliability {reliability} is not above the discard threshold "
            f"{origin.discard} of {origin.name}"
        )
        here.end(Outcome.DISCARDED, text, origin.rule("S-40"), origin.source, reason="reliability")
    elif origin.is_system and carried.reason != 35 and carried.sender_waits:
        _none(here, origin, from_link)
    elif origin.is_system:
        text = f"{origin.name} has no exception destination itself"
        here.end(
            Outcome.BLOCKED, text, "S-49", origin.source, reason="retry", retry_ms=origin.retry_ms
        )
    elif not origin.exception:
        _none(here, origin, from_link)
    else:
        _to_exception(here, origin, from_link)


def _none(here: Here, origin: MovedFrom, from_link: bool) -> None:
    """S-41: no exception destination."""
    carried = here.carried
    if carried.reason == 35:
        here.rests_on(A6)
        text = (
            f"{origin.name} has no exception destination: the message is tried again every "
            f"{origin.retry_ms:,} ms"
        )
        reason = "exception destination none"
        here.end(
            Outcome.BLOCKED,
            text,
            origin.rule("S-41"),
            origin.source,
            reason=reason,
            retry_ms=origin.retry_ms,
        )
    elif carried.sender_waits:
        text = f"{origin.name} has no exception destination ({_why(carried)})"
        # Liberty tells of what cannot be entered as it is, of what cannot be found by 23 (A4.3).
        code = 1 if here.bus.liberty and carried.reason == 1 else 23
        here.reject(code, text, origin.rule("S-41"), origin.source)
    elif (
        carried.from_bus
        and carried.by is not By.EXCEPTION
        and not from_link
        and not carried.exception
    ):
        text = f"{origin.name} has no exception destination: that of the link is tried"
        here.go(text, "S-41", origin.source, phase=SibusPhase.EXCEPTION, problem="link")
    else:
        text = f"{origin.name} has no exception destination: the message stays and is tried again"
        here.end(Outcome.BLOCKED, text, "S-41", origin.source, reason="exception destination none")


def _why(carried: Carried) -> str:
    return f"{carried.reason}: {REASONS.get(carried.reason, 'see the codes of the product')}"


def _to_exception(here: Here, origin: MovedFrom, from_link: bool) -> None:
    """S-42, S-43: the configured exception destination, or that of the messaging engine."""
    carried, bus = here.carried, here.bus
    why = f"reason {_why(carried)}"
    problem = origin.name if from_link else here.address
    moved: dict[str, Any] = {
        "phase": SibusPhase.MOVED,
        "by": By.EXCEPTION,
        "problem": problem,
        "target_bus": "",
        "filled": False,
        "defaulted": False,
        "on_path": False,
        "points": None,
        "sender_waits": False,
    }
    if origin.exception != SYSTEM_DEFAULT:
        target = target_of(bus, Address("", origin.exception))
        if target.found.unsure:
            here.unsure(target.found.unsure, target.found.source, "S-43")
            return
        fault = _unfit(here, target)
        if not fault:
            text = f"to {origin.exception}, the exception destination of {origin.name} ({why})"
            address = f"{origin.exception}@{bus.name}"
            here.go(
                text,
                origin.rule("S-42"),
                origin.source,
                to=origin.exception,
                exception=address,
                how={"passing": _moved_to(address, carried, problem)},
                **moved,
            )
            return
        rule, first = (
            "S-42, S-43",
            f"the exception destination {origin.exception} {fault} (CWSIP0291): ",
        )
    else:
        rule, first = "S-42", ""
    engines = _engines(bus, carried)
    for engine in engines:
        name = bus.system_exception(engine)
        how: dict[str, object] = {}
        if len(engines) > 1:
            here.assume(positions.SEVERAL_ENGINES)
            how = {
                "kind": Kind.ONE_OF,
                "choice": f"engine of {bus.name}",
                "condition": f"{engine} does the work",
            }
        text = f"{first}to {name}, the system exception destination ({why})"
        here.go(
            text,
            origin.rule(rule),
            origin.source,
            to=name,
            exception=f"{name}@{bus.name}",
            how=how,
            **moved,
        )


def _unfit(here: Here, target: Target) -> str:
    """Why a configured exception destination cannot have the message (S-43); empty where it can. An
    alias has the reliability that it states (S-23). Liberty takes topic spaces too, and looks
    whether puts are allowed (A4.3).
    """
    handler, liberty = target.found.destination, here.bus.liberty
    if handler is None:
        return "does not exist"
    if not handler.is_queue and not (liberty and handler.type == TOPIC_SPACE):
        return "is not a queue"
    highest = (target.chain[0].highest if target.chain else "") or handler.highest
    if highest and rank(here.carried.reliability or BEST_EFFORT) > rank(highest):
        return "does not take this reliability"
    return "does not allow sending" if liberty and refuses_puts(target) else ""


def _moved_to(address: str, carried: Carried, problem: str) -> Ending:
    """What becomes of a message that is moved to an exception destination, which may send it on
    (S-45)."""
    return Ending(
        Outcome.EXCEPTIONED,
        {"destination": address, "reason": carried.reason, "problem": problem},
    )


def _engines(bus: Bus, carried: Carried) -> tuple[str, ...]:
    """The messaging engines that may do the work."""
    known = carried.point or carried.engine
    if known:
        return (known,)
    return ("",) if bus.liberty or not bus.engines else bus.engines


def moved(here: Here) -> None:
    """S-44: the path is cleared, the reverse path kept."""
    text = f"the forward path is cleared; the problem destination is {here.carried.problem}"
    here.go(text, "S-44", phase=SibusPhase.ARRIVED, forward=None)
