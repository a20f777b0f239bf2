"""The trace of a message to an address: evidence of its own for every ending, and the courses that are possible together."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.access import model_of
from topograph.message import Message
from topograph.questions.propagate import followed
from topograph.systems.amq_interconnect.estate import RouterEstate
from topograph.systems.amq_interconnect.messages.outcomes import send
from topograph.systems.amq_interconnect.messages.records import Sending
from topograph.systems.amq_interconnect.messages.trace import receivers_of
from topograph.tracing.outcomes import possible_outcomes
from topograph.tracing.trace import Kind
from topograph.workspace import read_snapshot

ROOT = Path(__file__).resolve().parents[3]
RECORDED = sorted((ROOT / "tests" / "golden" / "amq_interconnect").glob("*/configs"))
NETWORKS = [ROOT / "examples" / "routers", *RECORDED]


@pytest.fixture(scope="module")
def routers() -> topograph.Network:
    return topograph.read(ROOT / "examples" / "routers")


def last_steps(answer):
    return {(step.outcome, step.rule, str(step.source)) for step in answer.steps if step.outcome and not step.to}


def test_a_delivery_cites_the_client_of_the_side_inputs(routers):
    answer = routers.trace("LON", "address:alerts")
    cited = {str(step.source).partition(":")[0] for step in answer.steps if step.outcome.startswith("DELIVERED")}
    assert cited == {"topograph.yaml"}


def test_a_message_that_is_stored_cites_the_autolink(routers):
    answer = routers.trace("LON", "address:orders")
    stored = [entry for entry in last_steps(answer) if entry[0].startswith("DEPOSITED")]
    assert [(rule, source.partition(":")[0]) for _, rule, source in stored] == [("W-2", "frankfurt.conf")]


def test_a_delivery_to_a_receiver_of_the_question_says_that_it_was_given(routers):
    answer = routers.trace("LON", "address:news", subscribers=["FRA:news"])
    assert ("DELIVERED(receiver at FRA)", "M-1", "--subscriber") in last_steps(answer)


@pytest.mark.parametrize(
    ("address", "anonymous", "ending"),
    [("retired", False, "REFUSED(amqp:not-found)"), ("retired", True, "REJECTED")],
)
def test_a_message_that_nobody_gets_ends_in_what_its_sender_sees(routers, address, anonymous, ending):
    answer = routers.trace("LON", f"address:{address}", anonymous=anonymous)
    assert answer.outcomes == (ending,)
    assert [step.outcome for step in answer.steps] == [ending]
    assert answer.steps[0].rule


def test_courses_of_which_one_is_taken_share_one_choice_key(routers):
    answer = routers.trace("LON", "address:prices", subscribers=["PAR:prices", "MAD:prices", "FRA:prices"])
    courses = [answer.branches[number] for number in answer.alternatives]
    assert {(branch.kind, branch.choice) for branch in courses} <= {("one_of", "course")}


def test_where_no_receiver_is_known_each_is_a_branch_that_is_taken_later(routers):
    answer = routers.trace("LON", "address:news")
    later = [branch for branch in answer.branches if branch.kind == "later"]
    assert later
    assert all(branch.condition.startswith("if a receiver attached at ") for branch in later)


@pytest.mark.parametrize("folder", NETWORKS, ids=lambda path: path.parent.name)
def test_folding_a_trace_gives_what_every_course_of_the_simulation_gives(folder):
    snapshot = read_snapshot(folder)
    model = model_of(snapshot, snapshot.networks[0])
    (part,) = model.parts
    assert isinstance(part.estate, RouterEstate)
    running = [place for place in model.places() if place.server.loaded and not place.server.incomplete]
    named = {str(row["name"]) for row in part.estate.show("destinations") or ()}
    addresses = ["other", *sorted(name for name in named if not {"#", "*"} & set(name))[:6]]
    compared = 0
    for start in running[:3]:
        for address in addresses:
            for given in ([], [f"{place.name}:{address}" for place in running]):
                compared += _compare(model, part, start, address, given)
    assert compared > 5


def _compare(model, part, start, address, given):
    """Whether the endings of a trace, assignment by assignment, are those of the courses that the simulation runs."""
    message = Message.to(f"address:{address}")
    trace = followed(model, start, message, given, (), assume=False)
    network = part.estate.network(part.graph, part.engine)
    clients = [client for client in model.side_inputs.clients if client.destination == f"address:{address}"]
    extra = [topograph.side_inputs.Client(text.partition(":")[0], f"address:{address}") for text in given]
    known = {place.name for place in model.places() if place.server.loaded and not place.server.incomplete}
    receivers = receivers_of([client for client in (*clients, *extra) if client.server in known])
    result = send(network.with_receivers(receivers), Sending(start.name, address))
    expected = set()
    for course in result.courses:
        ends = {f"DELIVERED({name})" for name in course.received}
        ends |= {f"DEPOSITED({name}, {there})" for name, own in course.deposited.items() for there in own}
        expected.add(frozenset(ends))
    found, complete = possible_outcomes(trace)
    assert complete
    taken = {frozenset(end for end in ends if end.startswith(("DELIVERED", "DEPOSITED"))) for ends in found}
    assert taken == expected, (start.name, address, given)
    assert all(len(ends) == 1 for ends in found - taken)  # nobody has it: one ending says what the sender sees
    assert {branch.kind for branch in trace.branches} <= {Kind.ROOT, Kind.COPY, Kind.ONE_OF}
    return 1
