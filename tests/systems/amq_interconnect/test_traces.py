"""The trace of a message to an address: evidence of its own for every ending, and the courses
that are possible together.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from systems.amq_interconnect.networks_of_messages import line as linked
from systems.amq_interconnect.networks_of_messages import net

import topograph
from topograph.errors import UsageError
from topograph.facts.amq_interconnect import Entity
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.message import Message
from topograph.opening.folders import read_snapshot
from topograph.opening.models import model_of
from topograph.questions.following import followed
from topograph.questions.text import text as as_text
from topograph.systems.amq_interconnect.estate import RouterEstate
from topograph.systems.amq_interconnect.messages.addresses import address_entry
from topograph.systems.amq_interconnect.messages.outcomes import send
from topograph.systems.amq_interconnect.messages.records import RouterSending
from topograph.systems.amq_interconnect.messages.trace import (
    MessageQuestion,
    follow,
    receivers_of,
)
from topograph.tracing.outcomes import possible_outcomes
from topograph.tracing.trace import Kind

ROOT = Path(__file__).resolve().parents[3]
RECORDED = sorted((ROOT / "tests" / "golden" / "amq_interconnect").glob("*/configs"))
NETWORKS = [ROOT / "examples" / "routers", *RECORDED]


@pytest.fixture(scope="module")
def routers() -> topograph.Network:
    return topograph.read(ROOT / "examples" / "routers")


def last_steps(answer):
    return {
        (step.outcome, step.rule, str(step.source))
        for step in answer.steps
        if step.outcome and not step.to
    }


def test_a_delivery_cites_the_client_of_the_side_inputs(routers):
    answer = routers.trace("LON", "address:alerts")
    cited = {
        str(step.source).partition(":")[0]
        for step in answer.steps
        if step.outcome.startswith("DELIVERED")
    }
    assert cited == {"topograph.yaml"}


def test_a_message_that_is_stored_cites_the_autolink(routers):
    answer = routers.trace("LON", "address:orders")
    stored = [entry for entry in last_steps(answer) if entry[0].startswith("DEPOSITED")]
    assert [(rule, source.partition(":")[0]) for _, rule, source in stored] == [
        ("W-2", "frankfurt.conf")
    ]


def test_a_delivery_to_a_receiver_of_the_question_says_that_it_was_given(routers):
    answer = routers.trace("LON", "address:news", subscribers=["FRA:news"])
    assert ("DELIVERED(receiver at FRA)", "M-1", "--subscriber") in last_steps(answer)


@pytest.mark.parametrize(
    ("address", "anonymous", "ending"),
    [("retired", False, "REFUSED(amqp:not-found)"), ("retired", True, "REJECTED")],
)
def test_a_message_that_nobody_gets_ends_in_what_its_sender_sees(
    routers, address, anonymous, ending
):
    answer = routers.trace("LON", f"address:{address}", anonymous=anonymous)
    assert answer.outcomes == (ending,)
    assert [step.outcome for step in answer.steps] == [ending]
    assert answer.steps[0].rule


def written(folder: Path, *routers: str) -> topograph.Network:
    """A network of routers, each the sections of its file: lines ``section key=value ...``; the
    first line says the router.
    """
    for text in routers:
        sections = []
        for line in text.strip().splitlines():
            kind, *pairs = line.split()
            body = "".join(f"    {pair.replace('=', ': ', 1)}\n" for pair in pairs)
            sections.append(f"{kind} {{\n{body}}}\n")
        (folder / f"{text.split('id=')[1].split()[0]}.conf").write_text("".join(sections))
    return topograph.read(folder)


BEYOND = "connector host=elsewhere port=7000 role=inter-router"


@pytest.mark.parametrize(
    ("sections", "alone", "rules"),
    [
        (
            "router id=A mode=interior defaultDistribution=unavailable",
            "REFUSED(amqp:not-found)",
            "M-6 and L-2",
        ),
        (
            "router id=A mode=interior\naddress prefix=q distribution=unavailable",
            "REFUSED(amqp:not-found)",
            "L-2",
        ),
        (
            "router id=A mode=interior\nlinkRoute prefix=q direction=in connection=x",
            "REFUSED(qd:no-route-to-dest)",
            "L-2",
        ),
    ],
)
def test_a_refusal_is_certain_only_if_no_router_beyond_the_files_can_end_it(
    tmp_path, sections, alone, rules
):
    (tmp_path / "alone").mkdir()
    (tmp_path / "open").mkdir()
    answer = written(tmp_path / "alone", sections).trace("A", "address:q")
    assert (answer.outcomes, answer.exact) == ((alone,), True)
    answer = written(tmp_path / "open", f"{sections}\n{BEYOND}").trace("A", "address:q")
    assert (answer.outcome, answer.sender.outcome, answer.exact) == (
        "UNDETERMINED",
        "UNDETERMINED",
        False,
    )
    assert f"would let the sender in ({rules})" in answer.sender.description


def test_a_message_rests_on_what_the_links_rest_on_that_it_takes(tmp_path):
    a = (
        "router id=A mode=interior\nconnector host=127.0.0.1 port=7001 "
        "role=inter-router\nconnector host=c port=7002 role=inter-router"
    )
    b = "router id=B mode=interior\nlistener host=0.0.0.0 port=7001 role=inter-router"
    c = "router id=C mode=interior\nlistener host=c port=7002 role=inter-router"
    network = written(tmp_path, a, b, c)
    text = "127.0.0.1:7001 is taken for B: the port on one machine"
    for answer in (
        network.trace("A", "address:q", subscribers=["B:q"]),
        network.propagate("A", "address:q", subscribers=["B:q"]),
    ):
        assert [(one.rule, one.text) for one in answer.assumptions] == [("T-13", text)]
    assert network.trace("A", "address:q", subscribers=["C:q"]).assumptions == ()


def test_answers_about_the_whole_network_rest_on_all_links(tmp_path):
    a = "router id=A mode=interior\nlistener port=7001 role=edge host=a"
    b = (
        "router id=B mode=interior\nlistener port=7001 role=edge host=b\nconnector "
        "host=127.0.0.1 port=7002 role=inter-router"
    )
    c = "router id=C mode=interior\nlistener host=0.0.0.0 port=7002 role=inter-router"
    e = (
        "router id=E mode=edge\nconnector host=a port=7001 role=edge\nconnector host=b "
        "port=7001 role=edge"
    )
    network = written(tmp_path, a, b, c, e)
    for answer in (
        network.cycles(),
        network.hops_matrix(),
        network.impact(["server:A"]),
        network.impact(["route:B-E"]),
        network.impact(sweep=True),
    ):
        assert [one.rule for one in answer.assumptions] == ["E-1", "T-13"], answer.question


def test_a_router_without_link_routes_is_let_in_by_none(tmp_path):
    network = written(
        tmp_path, f"router id=A mode=interior\naddress prefix=q distribution=unavailable\n{BEYOND}"
    )
    (tmp_path / "topograph.yaml").write_text("versions:\n  A: 3.2.0\n")
    answer = topograph.read(tmp_path).trace("A", "address:q")
    assert (answer.outcomes, answer.exact) == (("REFUSED(amqp:not-found)",), True)
    assert network.trace("A", "address:q").outcome == "UNDETERMINED"


@pytest.mark.parametrize(
    ("sections", "alone", "beyond"),
    [
        ("router id=A mode=interior", "released", "UNDETERMINED"),
        ("router id=A mode=interior defaultDistribution=unavailable", "rejected", "UNDETERMINED"),
        (
            "router id=A mode=interior\naddress prefix=q distribution=unavailable",
            "rejected",
            "rejected",
        ),
    ],
)
def test_what_an_anonymous_sender_sees_is_certain_only_if_nobody_beyond_the_files_can_take_it(
    tmp_path, sections, alone, beyond
):
    (tmp_path / "alone").mkdir()
    (tmp_path / "open").mkdir()
    assert (
        written(tmp_path / "alone", sections).trace("A", "address:q", anonymous=True).sender.outcome
        == alone
    )
    answer = written(tmp_path / "open", f"{sections}\n{BEYOND}").trace(
        "A", "address:q", anonymous=True
    )
    assert (answer.sender.outcome, answer.exact) == (beyond, beyond != "UNDETERMINED")


SHARD = (
    "connector name={0} host={0} port=5672 role=route-container\n"
    "autoLink address=q direction=out connection={0}\nautoLink address=q direction=in "
    "connection={0}\n"
)


def sharded(folder: Path, distribution: str) -> topograph.Network:
    """A queue at two brokers of one router."""
    entry = f"address prefix=q waypoint=yes distribution={distribution}"
    return written(
        folder, f"router id=A mode=interior\n{entry}\n{SHARD.format('k')}{SHARD.format('l')}"
    )


def brought_in(texts):
    return [text.split()[-1] for text in texts if "brings it in from" in text]


@pytest.mark.parametrize("distribution", ["balanced", "closest"])
def test_a_message_of_a_sharded_queue_comes_out_of_the_broker_that_it_went_into(
    tmp_path, distribution
):
    network = sharded(tmp_path, distribution)
    answer = network.trace("A", "address:q", subscribers=["A:q"])
    courses = []
    for course in answer.alternatives:
        own = {branch.id for branch in answer.branches if branch.of == course}
        texts = [step.text for step in answer.steps if step.branch in own]
        courses.append(
            (
                [text.split()[2] for text in texts if text.startswith("stored by ")],
                brought_in(texts),
            )
        )
    assert sorted(courses) == [(["k:5672"], ["k:5672"]), (["l:5672"], ["l:5672"])]
    (delivery,) = [
        one
        for one in network.propagate("A", "address:q", subscribers=["A:q"]).deliveries
        if one.subscriber == "declared"
    ]
    assert brought_in([decision.text for decision in delivery.decisions]) == ["k:5672", "l:5672"]


def test_each_copy_of_a_multicast_queue_comes_out_of_its_own_broker(tmp_path):
    network = sharded(tmp_path, "multicast")
    answer = network.trace("A", "address:q", subscribers=["A:q"])
    assert brought_in([step.text for step in answer.steps]) == ["k:5672", "l:5672"]
    assert "DUPLICATE(receiver at A, 2)" in answer.outcomes
    assert answer.warnings == ()  # no path is redundant: each broker has a message of its own
    (delivery,) = [
        one
        for one in network.propagate("A", "address:q", subscribers=["A:q"]).deliveries
        if one.subscriber == "declared"
    ]
    assert (delivery.copies, brought_in([one.text for one in delivery.decisions])) == (
        2,
        ["k:5672", "l:5672"],
    )


def test_a_tcp_connector_is_a_destination_of_its_address(tmp_path):
    network = written(
        tmp_path,
        "router id=A mode=interior\nlistener host=a port=1 role=inter-router\n"
        "tcpListener name=in host=0.0.0.0 port=8000 address=web",
        "router id=B mode=interior\nconnector host=a port=1 role=inter-router\n"
        "tcpConnector name=out host=10.0.0.7 port=8080 address=web",
    )
    (delivery,) = network.propagate("A", "address:web").deliveries
    assert (delivery.receiver, delivery.path, delivery.subscriber, str(delivery.source)) == (
        "tcpConnector to 10.0.0.7:8080 at B",
        ("A", "B"),
        "configured",
        "B.conf:10:1",
    )
    assert [(row["type"], row["name"]) for row in network.show("destinations").rows] == [
        ("tcpListener", "web"),
        ("tcpConnector", "web"),
    ]


@pytest.mark.parametrize(
    ("version", "ends"), [("1.19.0", {"DEPOSITED"}), ("3.3.0", {"DEPOSITED", "DELIVERED"})]
)
def test_what_an_autolink_brings_into_skupper_router_is_in_the_only_phase_there_is(
    tmp_path, version, ends
):
    (tmp_path / "topograph.yaml").write_text(f"versions:\n  A: {version}\n")
    network = written(
        tmp_path,
        "router id=A mode=interior\n"
        + SHARD.format("k").replace(
            "address=q direction=out", "address=s externalAddress=q direction=out"
        ),
    )
    answer = network.trace("A", "address:s", subscribers=["A:q"])
    assert {outcome.partition("(")[0] for outcome in answer.outcomes} == ends


def test_courses_of_which_one_is_taken_share_one_choice_key(routers):
    answer = routers.trace(
        "LON", "address:prices", subscribers=["PAR:prices", "MAD:prices", "FRA:prices"]
    )
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
    running = [
        place for place in model.places() if place.server.loaded and not place.server.incomplete
    ]
    named = {str(row["name"]) for row in part.estate.show("destinations") or ()}
    addresses = ["other", *sorted(name for name in named if not {"#", "*"} & set(name))[:6]]
    compared = 0
    for start in running[:3]:
        for address in addresses:
            for given in ([], [f"{place.name}:{address}" for place in running]):
                compared += _compare(model, part, start, address, given)
    assert compared > 5


def _compare(model, part, start, address, given):
    """Whether the endings of a trace, assignment by assignment, are those of the courses that
    the simulation runs.
    """
    message = Message.to(f"address:{address}")
    trace = followed(model, Budget(), start, message, given, (), assume=False)
    network = part.estate.network(part.graph, part.engine)
    clients = [
        client for client in model.side_inputs.clients if client.destination == f"address:{address}"
    ]
    extra = [
        topograph.side_inputs.Client(text.partition(":")[0], f"address:{address}") for text in given
    ]
    known = {
        place.name
        for place in model.places()
        if place.server.loaded and not place.server.incomplete
    }
    receivers = receivers_of([client for client in (*clients, *extra) if client.server in known])
    result = send(network.with_receivers(receivers), RouterSending(start.name, address))
    expected = set()
    for course in result.courses:
        ends = {f"DELIVERED({name})" for name in course.received}
        ends |= {
            f"DEPOSITED({name}, {there})" for name, own in course.deposited.items() for there in own
        }
        expected.add(frozenset(ends))
    found, complete = possible_outcomes(trace)
    assert complete
    taken = {
        frozenset(end for end in ends if end.startswith(("DELIVERED", "DEPOSITED")))
        for ends in found
    }
    assert taken == expected, (start.name, address, given)
    assert all(
        len(ends) == 1 for ends in found - taken
    )  # nobody has it: one ending says what the sender sees
    assert {branch.kind for branch in trace.branches} <= {Kind.ROOT, Kind.COPY, Kind.ONE_OF}
    return 1


def two_receivers(folder: Path, distribution: str) -> topograph.Network:
    return written(
        folder, f"router id=A mode=interior\naddress prefix=q distribution={distribution}"
    )


RECEIVERS = ["A:address:q", "A:address:q"]


@pytest.mark.parametrize(
    ("distribution", "received"),
    [("closest", {2}), ("balanced", {2}), ("multicast", {4})],
)
def test_of_several_messages_each_receiver_gets_its_share(tmp_path, distribution, received):
    answer = two_receivers(tmp_path, distribution).propagate(
        "A", "address:q", subscribers=RECEIVERS, count=4
    )
    assert answer.message["count"] == 4
    assert {delivery.copies for delivery in answer.deliveries} == received
    assert len(answer.deliveries) == 2
    assert "multicast" not in str(answer.warnings)


def test_an_odd_number_of_messages_leaves_open_who_gets_one_more(tmp_path):
    answer = two_receivers(tmp_path, "closest").propagate(
        "A", "address:q", subscribers=RECEIVERS, count=3
    )
    assert sorted(sorted(one.received.values()) for one in answer.alternatives) == [[1, 2], [1, 2]]


def test_several_messages_are_no_duplicates_of_each_other(tmp_path):
    answer = two_receivers(tmp_path, "multicast").trace(
        "A", "address:q", subscribers=RECEIVERS, count=4
    )
    assert [outcome for outcome in answer.outcomes if outcome.startswith("DUPLICATE")] == []
    assert as_text(answer).startswith("A series of 4 messages to address:q sent at A")


def test_how_many_messages_is_said_within_limits(tmp_path):
    network = two_receivers(tmp_path, "closest")
    for count in (0, 1001):
        with pytest.raises(UsageError, match="--count is a number from 1 to 1,000"):
            network.trace("A", "address:q", count=count)


def test_the_nearest_router_is_named_alone_where_no_other_is_as_near(tmp_path):
    routers = {
        "A": "listener {\n host: 0.0.0.0\n port: 5001\n role: inter-router\n}\n",
        "B": "connector {\n host: a\n port: 5001\n role: inter-router\n cost: 3\n}\n",
    }
    address = "address {\n prefix: jobs\n distribution: closest\n}\n"
    for name, links in routers.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "qdrouterd.conf").write_text(
            f"router {{\n id: {name}\n mode: interior\n}}\n{links}{address}"
        )
    (tmp_path / "topograph.yaml").write_text('hosts:\n  "a:5001": A\n')
    answer = topograph.read(tmp_path).trace("A", "address:jobs", subscribers=["B:address:jobs"])
    assert "closest: B at cost 3" in [step.text for step in answer.steps]


@pytest.mark.parametrize(("stated", "kept"), [("-1", None), ("0", 0), ("4", 4)])
def test_a_priority_below_nought_is_none(stated, kept):
    entity = Entity(
        bundle="a",
        server="A",
        source=Source("a"),
        type="address",
        name="jobs",
        attributes=(("prefix", "jobs"), ("priority", stated)),
    )
    assert address_entry(entity).priority == kept


def test_where_the_budget_ends_each_router_is_told_as_in_the_whole_or_named_as_left_out() -> None:
    network = net("ABCX", linked("ABC"))  # nothing leads to X
    question = MessageQuestion("A", "q", ())
    cut = 0
    for steps in itertools.count():
        try:
            found = follow(network, question, Budget(steps))
        except BudgetSpent:
            continue
        told = [way.if_.removeprefix("if a receiver attached at ") for way in found.assumed]
        told += ["X"] if any("a receiver at X" in note.text for note in found.notes) else []
        assert sorted([*told, *found.left_out]) == ["A", "B", "C", "X"], steps
        cut += bool(told and found.left_out)
        if found.complete:
            break
    assert cut
    assert found.left_out == ()
