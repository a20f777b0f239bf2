"""A bus written in each form is read back as the same facts, but for the places."""

from __future__ import annotations

from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from sibus_forms import (
    Stated,
    as_jacl,
    as_jython_lists,
    as_jython_text,
    as_liberty,
    as_xml,
    placeless,
    reading,
)

from topograph.facts.rows import decode, encode
from topograph.facts.sibus import ChangedBus, SibusBus, SibusDestination

NAMES = st.from_regex(r"[A-Za-z0-9_.%/][A-Za-z0-9_.%/ :-]{0,8}[A-Za-z0-9_]", fullmatch=True)
BUS = "My Bus"
ATTRIBUTES = {
    "reliability": ("BEST_EFFORT_NONPERSISTENT", "ASSURED_PERSISTENT"),
    "exceptionDiscardReliability": ("RELIABLE_PERSISTENT", "EXPRESS_NONPERSISTENT"),
    "maxFailedDeliveries": ("0", "5", "2147483647"),
    "defaultPriority": ("-1", "9"),
    "sendAllowed": ("true", "false"),
    "overrideOfQOSByProducerAllowed": ("true", "false"),
}
ELEMENTS = st.tuples(st.just("") | NAMES, NAMES)


@st.composite
def stated(
    draw: st.DrawFn, types: tuple[str, ...] = ("Queue", "TopicSpace", "Port", "WebService", "Alias")
) -> Stated:
    kind = draw(st.sampled_from(types))
    names = draw(st.sets(st.sampled_from(sorted(ATTRIBUTES))))
    path = draw(st.lists(ELEMENTS, max_size=3)) if kind != "Alias" else []
    return Stated(
        kind,
        draw(NAMES),
        tuple((name, draw(st.sampled_from(ATTRIBUTES[name]))) for name in sorted(names)),
        tuple(("B" if len(path) == 1 and not bus else bus, name) for bus, name in path),
        draw(st.none() | ELEMENTS),
        draw(st.none() | st.sampled_from(["", "$DEFAULT_EXCEPTION_DESTINATION", "A.BAD"])),
        draw(ELEMENTS) if kind == "Alias" else ("", ""),
        draw(st.just("") | NAMES) if kind != "Alias" else "",
        draw(st.just("") | NAMES),
    )


BUSES = st.lists(stated(), min_size=1, max_size=5, unique_by=lambda each: each.name)


@settings(max_examples=draws(36), deadline=None)
@given(BUSES)
def test_documents_and_scripts_that_say_the_same_give_the_same_facts(bus: list[Stated]) -> None:
    written = {
        f"cells/c/buses/{BUS}/sib-destinations.xml": as_xml(bus),
        "lists.py": as_jython_lists(BUS, bus),
        "text.py": as_jython_text(BUS, bus),
        "x.jacl": as_jacl(BUS, bus),
    }
    read = {path: reading(path, text) for path, text in written.items()}
    found = {
        path: {placeless(fact) for fact in each.facts if not isinstance(fact, ChangedBus)}
        for path, each in read.items()
    }
    assert [finding for each in read.values() for finding in each.findings] == []
    for each in read.values():
        assert [decode(encode(fact)) for fact in each.facts] == list(each.facts)
    first, *others = found.values()
    assert all(other == first for other in others)
    made = {fact.name: fact for fact in first if isinstance(fact, SibusDestination)}
    assert made.keys() == {each.name for each in bus}
    for each in bus:
        destination = made[each.name]
        assert (
            tuple((element.bus, element.destination) for element in destination.forward_path)
            == each.path
        )
        assert destination.exception_destination == each.exception
        assert (
            tuple((attribute.name, attribute.value) for attribute in destination.attributes)
            == each.attributes
        )
        assert (
            destination.reply and (destination.reply.bus, destination.reply.destination)
        ) == each.reply
        assert [member.cluster for member in destination.members] == [each.cluster][
            : bool(each.cluster)
        ]


LIBERTY = st.lists(
    stated(("Queue", "TopicSpace", "Alias")), max_size=5, unique_by=lambda each: each.name
)


@settings(max_examples=draws(36), deadline=None)
@given(LIBERTY)
def test_liberty_says_names_types_targets_and_exception_destinations(bus: list[Stated]) -> None:
    found = reading("servers/app/server.xml", as_liberty(bus))
    assert found.findings == ()
    made = {fact.name: fact for fact in found.facts if isinstance(fact, SibusDestination)}
    said = {
        each.name: (each.type, each.exception, each.target[1] if each.type == "Alias" else None)
        for each in bus
    }
    assert {
        name: (
            fact.destination_type,
            fact.exception_destination,
            fact.target and fact.target.destination,
        )
        for name, fact in made.items()
    } == said
    assert [
        (fact.server, fact.name, fact.edition) for fact in found.facts if isinstance(fact, SibusBus)
    ] == [("app", "defaultBus", "liberty")]
