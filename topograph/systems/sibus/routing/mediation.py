"""Mediations: code that the configuration does not show (S-30 to S-33), unless topograph.yaml
says what it does to the paths.
"""

from __future__ import annotations

from topograph.forwarding.graph import Guard
from topograph.message import Address
from topograph.outcomes import Confidence, Outcome
from topograph.side_inputs import MediationEntry
from topograph.systems.sibus.buses.carried import SibusPhase
from topograph.systems.sibus.buses.configuration import BusDestination
from topograph.systems.sibus.buses.estate import SELECTOR, UNSURE, Here
from topograph.systems.sibus.buses.paths import Path, shown
from topograph.systems.sibus.routing import handling, links, positions
from topograph.tracing.trace import Kind

REASON = 101
"""The first of the reasons 101 to 103: a mediation sent the message to the exception
destination.
"""


def mediate(here: Here, own: BusDestination) -> None:
    """S-30: all that a mediation may do; without one the message goes on as it is."""
    if not own.mediation:
        why = here.bus.unsure.get("mediations")
        if why is not None and not here.in_graph:
            here.assume(positions.S30)
        handling.handle(here, own)
    elif own.selects_otherwise:
        what = f"{own.selects_otherwise} is not followed"
        _if_selected(
            here,
            own,
            Guard(f"{UNSURE}/{own.mediation}/{what}", UNSURE, what, source=own.selector_source),
        )
    elif own.selector:
        _if_selected(
            here,
            own,
            Guard(f"{SELECTOR}/{own.selector}", SELECTOR, own.selector, source=own.selector_source),
        )
    elif not own.mediation_shown and here.estate.description(here.bus, own) is not None:
        what = f"no loaded file defines mediation {own.mediation}, and which messages it takes"
        guard = Guard(f"{UNSURE}/{own.mediation}/{what}", UNSURE, what, source=own.mediation_source)
        _if_selected(here, own, guard)
    else:
        selected(here, own)


def _if_selected(here: Here, own: BusDestination, guard: Guard) -> None:
    """S-30: the mediation gets what its selector takes; all else goes on as it is."""
    name, source = own.mediation, own.selector_source
    how = {"guard": guard, "confidence": Confidence.M}
    here.go(
        f"mediation {name} takes the message: {guard.text}",
        "S-30",
        source,
        phase=SibusPhase.SELECTED,
        how=how,
    )
    how = {"kind": Kind.ELSE, "confidence": Confidence.M}
    here.go(
        f"mediation {name} does not take the message",
        "S-30",
        source,
        phase=SibusPhase.MEDIATED,
        how=how,
    )


def selected(here: Here, own: BusDestination) -> None:
    """What the mediation does with a message that it gets."""
    entry = here.estate.description(here.bus, own)
    if entry is not None:
        _described(here, own, entry)
    else:
        _opaque(here, own)


def _opaque(here: Here, own: BusDestination) -> None:
    """S-33: every branch that the rules allow."""
    here.assume(positions.S33)
    name, source = own.mediation, own.mediation_source
    choice = f"mediation {name} at {here.address}"

    def how(what: str) -> dict[str, object]:
        return {
            "kind": Kind.OPAQUE,
            "choice": choice,
            "condition": f"mediation {name} {what}",
            "confidence": Confidence.M,
        }

    here.go(
        f"mediation {name} passes the message",
        "S-30",
        source,
        phase=SibusPhase.MEDIATED,
        how=how("passes"),
    )
    here.end(
        Outcome.DISCARDED,
        f"mediation {name} deletes the message",
        "S-30",
        source,
        how("deletes"),
        reason="mediation",
    )
    if here.carried.forward is not None:
        text = f"mediation {name} empties the path"
        here.go(
            text,
            "S-32, S-33",
            source,
            phase=SibusPhase.MEDIATED,
            forward=None,
            filled=False,
            how=how("empties the path"),
        )
    guard = Guard(
        f"{UNSURE}/{choice}",
        UNSURE,
        f"what path mediation {name} sets is not in the files",
        source=source,
    )
    text = f"mediation {name} sets another path"
    here.go(
        text,
        "S-33",
        source,
        to="",
        phase=SibusPhase.ANYWHERE,
        how={**how("sets another path"), "guard": guard},
    )
    text = f"mediation {name} fails or rejects the message"
    here.go(text, "S-31", source, phase=SibusPhase.EXCEPTION, reason=REASON, how=how("rejects"))


def _described(here: Here, own: BusDestination, entry: MediationEntry) -> None:
    """What topograph.yaml says that the mediation does."""
    name = own.mediation
    if entry.result == "delete":
        here.end(
            Outcome.DISCARDED,
            f"mediation {name} deletes the message",
            "S-30",
            entry.source,
            reason="mediation",
        )
    elif entry.result == "exception":
        text = f"mediation {name} rejects the message"
        here.go(text, "S-31", entry.source, phase=SibusPhase.EXCEPTION, reason=REASON)
    else:
        carried = here.carried
        forward = _changed(
            here, carried.forward, entry.forward_path, entry.forward_path_before, stamped=False
        )
        reverse = _changed(
            here, carried.reverse, entry.reverse_path, entry.reverse_path_before, stamped=True
        )
        text = f"mediation {name} passes the message"
        if forward is not carried.forward:
            text += f"; the path is now {shown(forward, here.bus.name)}"
        if reverse is not carried.reverse:
            text += f"; the reverse path is now {shown(reverse, here.bus.name)}"
        changed = forward is not carried.forward
        rule = "S-32" if changed or reverse is not carried.reverse else "S-30"
        here.go(
            text,
            rule,
            entry.source,
            phase=SibusPhase.MEDIATED,
            forward=forward,
            reverse=reverse,
            filled=carried.filled and not changed,
            defaulted=carried.defaulted and not changed,
            path_bus=here.bus.name if changed else carried.path_bus,
            path_start=here.state.object if changed and carried.path_start else carried.path_start,
        )


def _changed(
    here: Here,
    path: Path | None,
    instead: tuple[tuple[str, str], ...] | None,
    before: tuple[tuple[str, str], ...],
    *,
    stamped: bool,
) -> Path | None:
    """A path as a mediation leaves it; ``stamped`` elements without a bus name get that of this
    bus (S-11).
    """

    def named(elements: tuple[tuple[str, str], ...]) -> list[Address]:
        return [
            Address(bus or (here.bus.name if stamped else ""), destination)
            for bus, destination in elements
        ]

    rest = path if instead is None else here.estate.paths.of(named(instead))
    return here.estate.paths.of(named(before), rest)


def anywhere(here: Here) -> None:
    """A message that code may have sent to any destination of the bus, with any path: every bus
    with a link may get it.
    """
    for route, server in links.onward(here):
        text = f"it may be sent on to {route.bus}"
        state = here.carried.at(server, "", here.estate.paths)
        if here.in_graph:  # what leads here stands before it: code, or that a file is not whole
            here.way(state, text, "S-33", route.source)
            continue
        guard = Guard(f"{UNSURE}/anywhere/{here.bus.server}", UNSURE, text, source=route.source)
        here.way(state, text, "S-33", route.source, kind=Kind.OPAQUE, guard=guard)
    if not here.ways:
        here.end(
            Outcome.UNDETERMINED,
            "where it goes is not known",
            "S-33",
            condition="where it goes is not known",
        )
