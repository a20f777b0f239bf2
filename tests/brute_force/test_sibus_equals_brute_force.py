"""Messages through random small buses end as a second reading of the rules says, visit the same
destinations and keep the same reverse path.
"""

from __future__ import annotations

from typing import Any

import pytest
from brute_force.sibus import RELIABILITY, Message
from conformance.sibus_files import facts_of
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.message import Address
from topograph.message import Message as Sent
from topograph.side_inputs import SideInputs
from topograph.systems.sibus.buses.carried import Carried, SibusPhase
from topograph.systems.sibus.buses.configuration import buses_of
from topograph.systems.sibus.buses.estate import BusEstate
from topograph.systems.sibus.routing.rules import stepping
from topograph.tracing.exploration import explore
from topograph.tracing.states import State
from topograph.tracing.trace import Kind, Trace

pytestmark = pytest.mark.slow

NAMES = ("A", "C", "D", "E")
BUSES = ("B", "B2")

element = st.fixed_dictionaries(
    {
        "bus": st.sampled_from([None, "B", "B2", "Far"]),
        "destination": st.sampled_from([*NAMES, "GONE"]),
    }
)
own_element = st.fixed_dictionaries(
    {"bus": st.sampled_from([None, "B", "B2"]), "destination": st.sampled_from(NAMES)}
)


@st.composite
def destinations(draw: st.DrawFn, bus: str, name: str) -> dict[str, Any]:
    type_ = draw(st.sampled_from(["Queue"] * 5 + ["TopicSpace", "WebService", "Port", "Alias"]))
    made: dict[str, Any] = {"type": type_, "identifier": name}
    if draw(st.booleans()):
        made["defaultForwardRoutingPath"] = draw(st.lists(element, min_size=1, max_size=3))
    if draw(st.booleans()):
        made["replyDestination"] = draw(own_element)
    if type_ == "Alias":
        made |= {
            "aliasBus": bus,
            "targetBus": draw(st.sampled_from([bus, bus, *BUSES])),
            "targetIdentifier": draw(st.sampled_from([*NAMES, "GONE"])),
        }
    else:
        if draw(st.booleans()):
            made["exceptionDestination"] = draw(st.sampled_from([*NAMES, "", "GONE"]))
        if draw(st.integers(0, 4)) == 0:
            made["exceptionDiscardReliability"] = draw(st.sampled_from(RELIABILITY))
    if draw(st.integers(0, 7)) == 0:
        made["sendAllowed"] = False
    return made


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    buses = []
    for bus, other in zip(BUSES, BUSES[::-1], strict=True):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
        links = [{"name": other, "route": "direct_sib_link"}] if draw(st.integers(0, 3)) else []
        links += [{"name": "Far", "route": "direct_sib_link"}] if draw(st.booleans()) else []
        buses.append(
            {
                "name": bus,
                "messagingEngines": [f"m-{bus}"],
                "destinations": [draw(destinations(bus, name)) for name in sorted(names)],
                "foreignBuses": links,
                "mediations": [],
            }
        )
    ask = {
        "mode": draw(st.sampled_from(["doc", "engine"])),
        "bus": "B",
        "destination": draw(st.sampled_from(NAMES)),
        "message": {
            "forwardRoutingPath": draw(st.lists(element, max_size=4)),
            "reverseRoutingPath": draw(st.lists(own_element, max_size=2)),
            "reliability": draw(st.sampled_from(RELIABILITY)),
        },
    }
    return {"edition": "was", "buses": buses}, ask


def followed(
    given_: dict[str, Any], ask: dict[str, Any]
) -> tuple[str, list[str], list[tuple[str, str]] | None]:
    """The ending, the destinations visited before anything went wrong, and the reverse path at
    the end.
    """
    estate = BusEstate(buses_of(facts_of(given_)), SideInputs())
    own = stepping(estate)
    sent = ask["message"]
    path, back = (
        tuple(Address(one["bus"] or "", one["destination"]) for one in sent[key])
        for key in ("forwardRoutingPath", "reverseRoutingPath")
    )
    message = Sent.to(
        f"queue:{ask['destination']}",
        forward_path=path,
        reverse_path=back,
        reliability=sent["reliability"],
        mode=ask["mode"],
    )
    trace = explore({"sibus": own}, "sibus", own.enter(ask["bus"], message), message)
    (end,) = [
        branch
        for branch in trace.branches
        if branch.ending is not None and branch.id not in readings(trace)
    ]
    visited: list[str] = []
    steps = trace.steps_to(end.last)
    for step in steps:
        carried = (
            Carried.of(State(step.at, step.object, step.state), estate.paths)
            if step.state
            else Carried()
        )
        if (
            carried.phase is SibusPhase.ARRIVED
            and step.rule != "S-11"  # of the same arrival
            and "S-47" not in step.rule.split(", ")  # turned away from where a link leads
            and not carried.target_bus
            and carried.by != "exception"
            and step.at in estate.buses
        ):
            visited.append(f"{step.object}@{step.at}")
    last = (
        Carried.of(State(steps[-1].at, steps[-1].object, steps[-1].state), estate.paths)
        if steps[-1].state
        else None
    )
    ending = str(end.ending).partition("(")[0] if "LOOP" in str(end.ending) else str(end.ending)
    return (
        ending,
        visited,
        [(one.bus, one.destination) for one in last.reverse or ()] if last else None,
    )


def readings(trace: Trace) -> set[int]:
    found: set[int] = set()
    for branch in trace.branches:
        if branch.kind is Kind.READING or branch.of in found:
            found.add(branch.id)
    return found


@settings(max_examples=draws(200), deadline=None)
@given(cases())
def test_messages_end_as_the_second_reading_says(
    case: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    given_, ask = case
    second = Message(given_["buses"], ask)
    expected = second.end()
    ending, visited, back = followed(given_, ask)
    assert ending == expected
    if not ending.startswith(("REJECTED", "LOOP")):
        assert visited == second.visited
    if ending.startswith(("DELIVERED", "EXCEPTIONED")):
        assert back == second.back
