"""A change script of wsadmin, applied, equals importing the buses as a second reading of the
commands would have edited their files.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from brute_force import wsadmin
from conformance.sibus_files import cell_documents
from draws import draws
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sibus_forms import reading

from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.importers.sibus.commands import read_script, recognises
from topograph.side_inputs import SideInputs
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts, FactList
from topograph.systems.sibus.buses.configuration import Bus, buses_of
from topograph.systems.sibus.changes import edit
from topograph.systems.stepping.estate import SteppingEstate

pytestmark = pytest.mark.slow

NAMES = ("A", "C.IN", "IN BOX")
MEDIATIONS = ("M", "N")
FOREIGN = ("Far", "MQ", "Next")
PLACES: tuple[dict[str, str], ...] = (
    {"cluster": "C1"},
    {"cluster": "C2"},
    {"node": "n", "server": "s"},
)
FORMS: tuple[Callable[[list[wsadmin.Command]], str], ...] = (
    wsadmin.as_lists,
    wsadmin.as_text,
    wsadmin.as_jacl,
    wsadmin.as_loops,
)

names = st.sampled_from(NAMES)
truth = st.sampled_from(["true", "false"])
path = st.lists(st.tuples(st.sampled_from(["B", "Far"]), names).map(list), min_size=1, max_size=3)


def maybe(option: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An option that is stated or not."""
    return st.one_of(st.just({}), st.just({}), values.map(lambda value: {option: value}))


def joined(*parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(*parts).map(
        lambda found: {key: value for part in found for key, value in part.items()}
    )


stated = joined(
    maybe("defaultForwardRoutingPath", path),
    maybe("replyDestination", st.one_of(names, st.just(""))),
    maybe("replyDestinationBus", st.sampled_from(["B", "Far"])),
    maybe("exceptionDestination", st.sampled_from(["A", "", "$DEFAULT_EXCEPTION_DESTINATION"])),
    maybe("sendAllowed", truth),
    maybe("maxFailedDeliveries", st.sampled_from(["0", "7"])),
    maybe(
        "exceptionDiscardReliability",
        st.sampled_from(["RELIABLE_PERSISTENT", "EXPRESS_NONPERSISTENT"]),
    ),
)
alias = joined(
    st.just({"type": "Alias"}), maybe("aliasBus", st.sampled_from(["B", "Far"])),
        maybe("targetBus", st.just("B")),
    names.map(lambda name: {"targetName": name}), stated,
)  # fmt: skip
queue = joined(
    st.sampled_from(["Queue", "Port", "TopicSpace"]).map(lambda kind: {"type": kind}),
    st.sampled_from(PLACES),
    stated,
)
service = joined(st.just({"type": "WebService"}), stated)
foreign = st.sampled_from(FOREIGN).map(lambda name: {"type": "Foreign", "foreignBus": name})
new = st.one_of(queue, queue, alias, service, foreign)
changed = st.one_of(
    stated,
    joined(stated, st.sampled_from(PLACES)),
    joined(stated, maybe("targetBus", st.just("Far")), maybe("targetName", names)),
)
routing = st.sampled_from(
    [
        {"routingType": "Direct", "type": "SIBus"},
        {"routingType": "Direct", "type": "MQ"},
        {"routingType": "Indirect", "type": "SIBus", "nextHopBus": "Far"},
        {"routingType": "Indirect", "type": "SIBus", "nextHopBus": "Next"},
    ]
)
linked = joined(maybe("exceptionDestination", names), maybe("preferLocal", truth))


def command(
    name: str, *parts: st.SearchStrategy[dict[str, Any]]
) -> st.SearchStrategy[wsadmin.Command]:
    return joined(st.just({"bus": "B"}), *parts).map(lambda options: (name, options))


def named(option: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return values.map(lambda value: {option: value})


name, medial = named("name", names), named("mediationName", st.sampled_from(MEDIATIONS))
far, link = named("name", st.sampled_from(FOREIGN)), named("name", st.sampled_from(["L1", "L2"]))
several = named(
    "nameList", st.lists(st.sampled_from(["A", "C.IN"]), min_size=1, max_size=3, unique=True)
)
ends = joined(
    named("messagingEngine", st.sampled_from(["C1.000-B", "C1.001-B", "n.s-B", "C2.000-B"])),
    named("foreignBusName", st.sampled_from(FOREIGN)),
)
OF_DESTINATIONS = (
    *[command("createSIBDestination", name, new)] * 4,
    command("createSIBDestinations", several, queue),
    *[command("modifySIBDestination", name, changed)] * 4,
    *[command("deleteSIBDestination", name)] * 2,
    command("createSIBMediation", medial, maybe("selector", st.just("x = 1"))),
    command("modifySIBMediation", medial, maybe("selector", st.just("x = 2"))),
    *[command("mediateSIBDestination", named("destinationName", names), medial)] * 2,
    command("unmediateSIBDestination", named("destinationName", names)),
)
COMMANDS = (
    *OF_DESTINATIONS,
    command("deleteSIBMediation", medial),
    *[command("createSIBForeignBus", far, routing, maybe("sendAllowed", truth))] * 2,
    command("modifySIBForeignBus", far, maybe("sendAllowed", truth)),
    command("deleteSIBForeignBus", far),
    *[command("createSIBLink", link, ends, linked)] * 2,
    command("createSIBMQLink", link, ends, linked, maybe("queueManagerName", st.just("QM"))),
    command("modifySIBLink", link, linked),
    command("modifySIBMQLink", link, linked),
    command("deleteSIBLink", link),
    command("deleteSIBMQLink", link),
    command("addSIBusMember", st.sampled_from(PLACES)),
    command("createSIBEngine", st.sampled_from(PLACES)),
    command("modifySIBus", maybe("secure", truth), maybe("busSecurity", truth)),
)
BASE: tuple[wsadmin.Command, ...] = (
    ("addSIBusMember", {"bus": "B", **PLACES[0]}),
    ("createSIBForeignBus", {"bus": "B", "name": "Far", "routingType": "Direct", "type": "SIBus"}),
    ("createSIBForeignBus", {"bus": "B", "name": "MQ", "routingType": "Direct", "type": "MQ"}),
    ("createSIBMediation", {"bus": "B", "mediationName": "M"}),
    ("createSIBDestination", {"bus": "B", "name": "A", "type": "Queue", **PLACES[0]}),
    (
        "createSIBDestination",
        {"bus": "B", "name": "IN BOX", "type": "Alias", "targetBus": "B", "targetName": "A"},
    ),
)
"""What there is in the beginning, so that random commands find something to change."""


def directed(draw: st.DrawFn, bus: wsadmin.BusText, one: wsadmin.Command) -> wsadmin.Command:
    """The command for objects that there are, where it is not to make one."""
    name, options = one
    about = name.removeprefix("create").removeprefix("modify").removeprefix("delete")
    tables = {
        "SIBDestination": "destinations",
        "SIBForeignBus": "foreign",
        "SIBLink": "links",
        "SIBMQLink": "links",
    }
    known = {
        "name": [] if name.startswith("create") else list(bus[tables.get(about, "foreign")]),
        "mediationName": [] if name.startswith("create") else list(bus["mediations"]),
        "destinationName": list(bus["mediated" if name.startswith("un") else "destinations"]),
        "foreignBusName": list(bus["foreign"]),
        "messagingEngine": wsadmin.engines(bus),
    }
    chosen = {
        option: draw(st.sampled_from(found))
        for option, found in known.items()
        if option in options and found
    }
    return name, options | chosen


@st.composite
def cases(
    draw: st.DrawFn,
) -> tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText]:
    """A bus, a script, what becomes of each command, and the bus after it."""
    bus = wsadmin.new_bus("B")
    for one in BASE:
        wsadmin.do(bus, one)
    made: list[wsadmin.Command] = []
    results: list[str] = []
    state = bus
    for half in (draw(st.integers(0, 8)), draw(st.integers(1, 10))):
        bus, made, results = copy.deepcopy(state), [], []
        for _ in range(half):
            one = draw(st.one_of(*COMMANDS))
            made.append(directed(draw, state, one) if draw(st.integers(0, 3)) else one)
            results.append(wsadmin.do(state, made[-1]))
    return bus, made, results, state


def case_of(
    commands: list[wsadmin.Command],
) -> tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText]:
    """The bus of the beginning, some commands, what becomes of each, and the bus after them."""
    bus = wsadmin.new_bus("B")
    for one in BASE:
        wsadmin.do(bus, one)
    state = copy.deepcopy(bus)
    return bus, commands, [wsadmin.do(state, one) for one in commands], state


MADE_AGAIN: list[wsadmin.Command] = [
    (
        "createSIBLink",
        {"bus": "B", "name": "L1", "messagingEngine": "C1.000-B", "foreignBusName": "Far"},
    ),
    ("deleteSIBForeignBus", {"bus": "B", "name": "Far"}),
    (
        "createSIBForeignBus",
        {"bus": "B", "name": "Far", "routingType": "Direct", "type": "MQ"},
    ),
]
"""A foreign bus that has a link is made again as one of another kind."""


def placeless(value: Any) -> Any:
    """Buses without places, and without the order in which their engines were made."""
    if isinstance(value, Source):
        return None
    if isinstance(value, dict):
        return {key: placeless(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(map(placeless, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = {one.name: placeless(getattr(value, one.name)) for one in dataclasses.fields(value)}
        if isinstance(value, Bus):
            found |= {"engines": sorted(value.engines), "unsure": sorted(value.unsure)}
        return (type(value).__name__, found)
    return value


def applied(facts: list[Fact], text: str, file: str) -> tuple[list[str], ChangedFacts]:
    """What becomes of each command of a script, and the facts after them."""
    assert recognises(text.encode())
    script = read_script(text.encode(), file)
    assert not script.findings
    source, change, results = FactList(facts), Change(), []
    for one in script.commands:
        assert not one.fault, one
        found = edit(ChangedFacts(source, change), "", one)
        refused = found.refused
        results.append(
            "done" if refused is None else "doubt" if refused.undetermined else "refused"
        )
        assert refused is None or refused.undetermined or found.change == Change()
        change = after_both(change, found.change)
    return results, ChangedFacts(source, change)


@pytest.mark.slow
@settings(max_examples=draws(133), deadline=None)
@given(cases(), st.sampled_from(FORMS), st.sampled_from(FORMS[:3]))
@example(case_of(MADE_AGAIN), FORMS[0], FORMS[0])
def test_a_script_applied_equals_the_edited_folder(
    case: tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText],
    form: Callable[[list[wsadmin.Command]], str],
    folder: Callable[[list[wsadmin.Command]], str],
) -> None:
    bus, given_, expected, edited = case
    before = list(reading("orders.py", folder(wsadmin.commands_of(bus))).facts)
    results, after = applied(before, form(given_), "a-change.py")
    assert results == expected
    wanted = list(reading("orders.py", folder(wsadmin.commands_of(edited))).facts)
    assert placeless(buses_of(after.facts())) == placeless(buses_of(wanted))


@settings(max_examples=draws(24), deadline=None)
@given(cases())
def test_the_graph_after_a_script_is_that_of_the_edited_folder(
    case: tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText],
) -> None:
    bus, given_, _, edited = case
    before = list(reading("orders.py", wsadmin.as_text(wsadmin.commands_of(bus))).facts)
    _, after = applied(before, wsadmin.as_lists(given_), "z-change.py")
    wanted = FactList(
        list(reading("orders.py", wsadmin.as_text(wsadmin.commands_of(edited))).facts)
    )
    found, expected = (
        SteppingEstate({"sibus": source}, SideInputs()).compile().tables
        for source in (after, wanted)
    )
    assert [one.name for one in found.servers] == [one.name for one in expected.servers]
    for rows in ("points", "links"):
        assert sorted(map(repr, placeless(tuple(getattr(found, rows))))) == sorted(
            map(repr, placeless(tuple(getattr(expected, rows))))
        )


def as_cell(bus: wsadmin.BusText) -> dict[str, str]:
    """The documents of a cell that configure a bus; with a destination and a mediation that no
    command touches, so that each document is there.
    """
    destinations: list[dict[str, Any]] = [{"type": "Queue", "identifier": "KEPT"}]
    for name, options in bus["destinations"].items():
        made = {"type": options["type"], "identifier": name}
        for option, value in options.items():
            if option == "defaultForwardRoutingPath":
                made[option] = [{"bus": row[0], "destination": row[1]} for row in value]
            elif option == "replyDestination":
                made[option] = {"bus": options.get("replyDestinationBus"), "destination": value}
            elif option == "targetName":
                made["targetIdentifier"] = value
            elif option not in ("type", "replyDestinationBus"):
                made[option] = value
        destinations.append(made)
    mediations: list[dict[str, Any]] = [
        {"name": name, **options} for name, options in bus["mediations"].items()
    ]
    mediations += [
        {"name": name, **bus["mediations"][name], "destination": destination}
        for destination, name in bus["mediated"].items()
    ]
    foreign_buses = [{"name": name, "route": "direct"} for name in bus["foreign"]]
    return cell_documents(
        {
            "name": "B",
            "messagingEngines": ["m"],
            "destinations": destinations,
            "foreignBuses": foreign_buses,
            "mediations": [{"name": "KEPT"}, *mediations],
        }
    )


def imported(documents: dict[str, str]) -> list[Fact]:
    return [fact for path, text in documents.items() for fact in reading(path, text).facts]


@st.composite
def cell_cases(
    draw: st.DrawFn,
) -> tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText]:
    """The same for what the documents of a cell say of destinations and mediations."""
    bus = wsadmin.new_bus("B")
    for name in FOREIGN:
        bus["foreign"][name] = {"routingType": "Direct", "type": "SIBus"}
    found = []
    for length in (draw(st.integers(0, 8)), draw(st.integers(1, 10))):
        before, made, results = copy.deepcopy(bus), [], []
        for _ in range(length):
            name, options = directed(draw, bus, draw(st.one_of(*OF_DESTINATIONS)))
            one = (
                name,
                {
                    option: value
                    for option, value in options.items()
                    if option not in ("cluster", "node", "server")
                },
            )
            made.append(one)
            results.append(wsadmin.do(bus, one))
        found = [before, made, results]
    return found[0], found[1], found[2], bus


@settings(max_examples=draws(100), deadline=None)
@given(cell_cases(), st.sampled_from(FORMS))
def test_a_script_applied_to_a_cell_equals_its_edited_documents(
    case: tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText],
    form: Callable[[list[wsadmin.Command]], str],
) -> None:
    bus, given_, expected, edited = case
    results, after = applied(imported(as_cell(bus)), form(given_), "a-change.py")
    assert results == expected
    assert placeless(buses_of(after.facts())) == placeless(buses_of(imported(as_cell(edited))))
