"""A question about a message reads the address entries it needs, and answers as if all were
read.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.engines.memory import MemoryEngine
from topograph.facts.names import FactNames
from topograph.forwarding.budget import Budget
from topograph.importers.amq_interconnect import parse_text
from topograph.message import Message, parse_destination
from topograph.side_inputs import SideInputs
from topograph.systems.amq_interconnect.estate import RouterEstate
from topograph.systems.amq_interconnect.messages.configuration import message_network
from topograph.systems.amq_interconnect.messages.model import Receiver
from topograph.systems.amq_interconnect.messages.trace import MessageQuestion, follow
from topograph.systems.amq_interconnect.network.facts import RouterFacts
from topograph.systems.amq_interconnect.routes.tables import graph_of
from topograph.systems.contract.system import Sending
from topograph.systems.fact_sources import FactList

pytestmark = pytest.mark.slow


@dataclass
class CountedFacts:
    """Facts that are counted, by type, each time they are given out."""

    source: FactList
    given: Counter = field(default_factory=Counter)

    def facts(self, kinds=(), server="", names=None):
        found = self.source.facts(kinds, server, names)
        self.given.update(fact.type for fact in found)
        return found

    def stream(self, kinds=()):
        for fact in self.source.stream(kinds):
            self.given[fact.type] += 1
            yield fact

    def names(self, kinds=()) -> FactNames:
        return self.source.names(kinds)


def entities(name, *sections, mode="interior", **router):
    text = json.dumps([["router", {"id": name, "mode": mode, **router}], *sections])
    return list(parse_text("json", text, f"{name}.json").entities)


def linked(port, to):
    return [
        "connector",
        {"name": f"to-{to}", "host": "127.0.0.1", "port": port, "role": "inter-router"},
    ]


def listening(port, role="inter-router"):
    return ["listener", {"host": "127.0.0.1", "port": port, "role": role}]


def test_one_address_of_many_is_read_at_every_router_and_no_other():
    listed = [
        ["address", {"prefix": f"area.topic{n}", "distribution": "multicast"}] for n in range(300)
    ]
    wide = ["address", {"pattern": "area/#", "distribution": "closest"}]
    facts = []
    for number in range(20):
        links = [linked(20_000 + number - 1, f"R{number - 1:02}")] if number else []
        facts += entities(f"R{number:02}", listening(20_000 + number), *links, *listed, wide)
    source = CountedFacts(FactList(facts))
    estate = RouterEstate(RouterFacts(source), SideInputs())
    graph = RouterEstate(RouterFacts(FactList(facts)), SideInputs()).compile().tables
    graph = graph_of(graph)
    walker = MemoryEngine(graph)
    for _ in range(2):  # the second question about an address reads nothing
        estate.follow(
            graph, walker, Sending("R00", Message(parse_destination("address:area/topic7/x")))
        )
        assert source.given == {"router": 20, "listener": 20, "connector": 19, "address": 2 * 20}
    estate.follow(graph, walker, Sending("R00", Message(parse_destination("address:other"))))
    assert source.given["address"] == 2 * 20


def test_the_addresses_that_an_exchange_and_a_container_lead_to_are_read_too():
    facts = entities(
        "A",
        [
            "connector",
            {"name": "broker", "host": "broker", "port": 5672, "role": "route-container"},
        ],
        ["exchange", {"name": "x", "address": "in"}],
        ["binding", {"exchangeName": "x", "nextHopAddress": "queue"}],
        ["autoLink", {"address": "queue", "direction": "out", "connection": "broker"}],
        [
            "autoLink",
            {
                "address": "later",
                "externalAddress": "queue",
                "direction": "in",
                "connection": "broker",
            },
        ],
        *(
            ["address", {"prefix": name, "distribution": "closest"}]
            for name in ("in", "queue", "later", "none")
        ),
    )
    source = CountedFacts(FactList(facts))
    estate = RouterEstate(RouterFacts(source), SideInputs())
    graph = graph_of(RouterEstate(RouterFacts(FactList(facts)), SideInputs()).compile().tables)
    estate.follow(
        graph, MemoryEngine(graph), Sending("A", Message(parse_destination("address:in")))
    )
    assert source.given["address"] == 3


WORDS = ("a", "b", "c")
TEXTS = st.lists(st.sampled_from((*WORDS, "*", "#")), min_size=1, max_size=3).map("/".join)
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("/".join)
DISTRIBUTIONS = ("closest", "balanced", "multicast", "unavailable")


@st.composite
def sections(draw):
    """Address entries, exchanges, autolinks and link routes of one router, with equal, nested
    and overlapping patterns.
    """
    found = []
    for _ in range(draw(st.integers(0, 6))):
        entry = {draw(st.sampled_from(("prefix", "pattern"))): draw(TEXTS)}
        if draw(st.booleans()):
            entry["waypoint"] = True
        else:
            entry["distribution"] = draw(st.sampled_from(DISTRIBUTIONS))
        if draw(st.booleans()):
            entry["enableFallback"] = True
        found.append(["address", entry])
    for number in range(draw(st.integers(0, 1))):
        other = {"alternateAddress": draw(NAMES)} if draw(st.booleans()) else {}
        found.append(["exchange", {"name": f"x{number}", "address": draw(NAMES), **other}])
        found.append(
            [
                "binding",
                {"exchangeName": f"x{number}", "bindingKey": "k", "nextHopAddress": draw(NAMES)},
            ]
        )
    for number in range(draw(st.integers(0, 2))):
        link = {
            "name": f"l{number}",
            "address": draw(NAMES),
            "direction": draw(st.sampled_from(("in", "out"))),
        }
        if draw(st.booleans()):
            link["externalAddress"] = draw(NAMES)
        found.append(["autoLink", {**link, "connection": "broker"}])
    for number in range(draw(st.integers(0, 1))):
        route = {"name": f"r{number}", draw(st.sampled_from(("prefix", "pattern"))): draw(TEXTS)}
        found.append(
            [
                "linkRoute",
                {
                    **route,
                    "direction": draw(st.sampled_from(("in", "out"))),
                    "connection": "broker",
                },
            ]
        )
    broker = [
        "connector",
        {"name": "broker", "host": "broker", "port": 5672, "role": "route-container"},
    ]
    return [broker, *draw(st.permutations(found))]


@st.composite
def estates(draw):
    """Two interior routers and an edge: of each a file, dumps, both, or dumps of which one holds
    nothing but address entries.
    """
    fixed = {
        "A": [listening(20_001), listening(20_002, "edge")],
        "B": [linked(20_001, "A")],
        "E": [["connector", {"name": "up", "host": "127.0.0.1", "port": 20_002, "role": "edge"}]],
    }
    facts = []
    for name, own in fixed.items():
        default = draw(st.sampled_from(("", "closest", "unavailable")))
        more = {"defaultDistribution": default} if default else {}
        mode = "edge" if name == "E" else "interior"

        def read(of, own=own, mode=mode, more=more):
            return entities(of, *own, *draw(sections()), mode=mode, **more)

        known = draw(st.sampled_from(("file", "file", "dump", "both", "dumps")))
        if known in ("file", "both"):
            facts += read(name)
        for number in range({"dump": 1, "both": 1, "dumps": 2}.get(known, 0)):
            dumped = [
                replace(fact, origin="dump", bundle=f"dumps/{name}{number}") for fact in read(name)
            ]
            if number:
                dumped = [fact for fact in dumped if fact.type == "address"]
            facts += dumped
    return sorted(facts, key=lambda fact: (fact.bundle, fact.source.line, fact.source.column))


@settings(max_examples=draws(100), deadline=None)
@given(
    estates(),
    st.sampled_from("ABE"),
    NAMES,
    st.lists(st.tuples(st.sampled_from("ABE"), NAMES), max_size=3),
)
def test_chosen_facts_answer_as_all_facts_do(facts, start, address, receiving):
    side_inputs = SideInputs(versions=(("*", "1.19.0"),))
    graph = graph_of(RouterEstate(RouterFacts(FactList(facts)), side_inputs).compile().tables)
    estate = RouterEstate(RouterFacts(FactList(facts)), side_inputs)
    chosen = estate.network(graph, MemoryEngine(graph))
    whole = replace(message_network(graph, facts, side_inputs), supplied=chosen.supplied)
    receivers = tuple(Receiver(f"r{number}", *one) for number, one in enumerate(receiving))
    for subject in (None, "k"):
        question = MessageQuestion(start, address, receivers, subject=subject)
        assert follow(chosen, question, Budget()) == follow(whole, question, Budget())
    assert [one.table.entries for one in chosen.routers.values()] == [
        one.table.entries for one in whole.routers.values()
    ]
