"""A message is followed step by step: every kind of way, loops, budgets, handovers; and its
possible outcomes equal brute force.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Sequence
from dataclasses import asdict, replace

import pytest
from barge import rules as barge
from barge.facts import Barge
from crane import rules as crane
from crane.networks import QUAY, SEAMS, networks, rules
from hypothesis import assume, given
from hypothesis import strategies as st

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import UNDECIDED, Guard, Server
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.systems.stepping.estate import with_takers
from topograph.tracing.choices import Choices, every_course
from topograph.tracing.closure import close
from topograph.tracing.exploration import explore, holds
from topograph.tracing.outcomes import Folding, possible_outcomes
from topograph.tracing.states import (
    Handover,
    State,
    Stepping,
    Transition,
    Verdict,
    Way,
    limit,
)
from topograph.tracing.trace import Ending, Kind, Trace


def follow(lines: Sequence[str], **properties: str) -> Trace:
    """The trace of a message put on ``a/in``."""
    systems = {"crane": crane.stepping(rules(*lines)), "barge": barge.stepping({"quay": QUAY})}
    return explore(
        systems, "crane", State("a", "in"), Message.to("queue:in", properties), seams=SEAMS
    )


def endings(trace: Trace) -> list[str]:
    return [str(branch.ending) for branch in trace.endings()]


VERDICTS = {
    "true": Verdict(Truth.TRUE),
    "false": Verdict(Truth.FALSE),
    "unknown of the message": Verdict(Truth.UNKNOWN),
    "not known": Verdict(Truth.UNKNOWN, known=False, note="why"),
}


def way_out(kind: Kind, guard: str = "") -> Way:
    made = Guard(guard, "made", guard) if guard else None
    return Way(State("a"), "", kind=kind, guard=made)


@pytest.mark.parametrize(
    ("way", "earlier", "expected"),
    [
        (way_out(Kind.COPY), [], "true"),
        (way_out(Kind.COPY, "false"), [], "false"),
        (way_out(Kind.COPY, "unknown of the message"), [], "unknown of the message"),
        (way_out(Kind.COPY, "not known"), [], "not known"),
        (way_out(Kind.COPY), [way_out(Kind.COPY, "true"), way_out(Kind.ELSE)], "true"),
        (way_out(Kind.ELSE), [], "true"),
        (way_out(Kind.ELSE), [way_out(Kind.COPY)], "true"),
        (way_out(Kind.ELSE), [way_out(Kind.ELSE)], "false"),
        (way_out(Kind.ELSE), [way_out(Kind.ELSE, "false")], "true"),
        (way_out(Kind.ELSE), [way_out(Kind.ELSE, "true")], "false"),
        (way_out(Kind.ELSE), [way_out(Kind.COPY, "true")], "false"),
        (way_out(Kind.ELSE), [way_out(Kind.COPY, "unknown of the message")], "true"),
        (way_out(Kind.ELSE), [way_out(Kind.COPY, "not known")], "not known"),
        (way_out(Kind.ELSE), [way_out(Kind.COPY, w) for w in ("not known", "true")], "false"),
        (way_out(Kind.ELSE, "not known"), [way_out(Kind.COPY, "false")], "not known"),
        (way_out(Kind.ELSE, "not known"), [way_out(Kind.COPY, "true")], "false"),
        (way_out(Kind.ELSE, "false"), [way_out(Kind.COPY, "not known")], "false"),
        (way_out(Kind.ELSE, "true"), [way_out(Kind.COPY, "false")], "true"),
    ],
)
def test_a_way_is_open_where_its_guard_holds_and_an_else_where_none_before_it_does(
    way: Way, earlier: list[Way], expected: str
) -> None:
    assert holds(way, earlier, lambda guard: VERDICTS[guard.text]) == VERDICTS[expected]


def test_every_copy_is_followed_with_the_evidence_of_each_step() -> None:
    trace = follow(["a/in copy b/in out", "a/out deliver", "b/in deliver"])
    assert [(step.at, step.to, step.rule, str(step.source)) for step in trace.steps] == [
        ("a", "b", "CR-copy", "a.crane:1:1"),
        ("a", "", "CR-copy", "a.crane:1:1"),
        ("b", "", "CR-deliver", "b.crane:3:1"),
        ("a", "", "CR-deliver", "a.crane:2:1"),
    ]
    assert sorted(endings(trace)) == ["DELIVERED(a/out)", "DELIVERED(b/in)"]
    assert trace.visited == ("a", "b")
    assert trace.exact


def test_else_is_taken_where_the_guard_does_not_hold_and_a_property_that_is_missing_does_not_hold() -> (  # noqa: E501
    None
):
    lines = ["a/in if colour=red warm else cold", "a/warm deliver", "a/cold deliver"]
    assert endings(follow(lines, colour="red")) == ["DELIVERED(a/warm)"]
    assert endings(follow(lines, colour="blue")) == ["DELIVERED(a/cold)"]
    assert endings(follow(lines)) == ["DELIVERED(a/cold)"]


def test_a_way_whose_guard_fails_is_a_stop_that_names_the_guard() -> None:
    trace = follow(["a/in only colour=red b/in", "b/in deliver"], colour="blue")
    ((ending, step),) = Folding(trace).stops()
    assert (ending.text("to"), ending.text("guard"), ending.text("value")) == (
        "b",
        "colour = red",
        "FALSE",
    )
    assert str(step.source) == "a.crane:1:1"


def test_what_a_missing_file_decides_is_open_with_all_that_lies_behind_it() -> None:
    trace = follow(["a/in missing b/in", "b/in copy c/in", "c/in deliver", "d/in deliver"])
    assert [(entry.server, entry.because) for entry in trace.open] == [
        ("b", "the file that decides it is not loaded"),
        ("c", "the file that decides it is not loaded"),
    ]
    assert trace.visited == ("a",)


def test_a_server_without_a_file_leaves_every_other_server_open() -> None:
    trace = follow(["a/in copy b/in", "c/in deliver"])
    assert [entry.server for entry in trace.open] == ["quay", "c"]
    assert endings(trace) == ["UNDETERMINED"]


def test_one_key_means_one_pick_wherever_it_comes_again() -> None:
    trace = follow(
        [
            "a/in copy b/in c/in",
            "b/in one_of K x y",
            "c/in one_of K x y",
            *(f"{s}/{o} deliver" for s in "bc" for o in "xy"),
        ]
    )
    assert possible_outcomes(trace) == (
        {
            frozenset({"DELIVERED(b/x)", "DELIVERED(c/x)"}),
            frozenset({"DELIVERED(b/y)", "DELIVERED(c/y)"}),
        },
        True,
    )
    assert {
        folded.kind
        for one in Folding(trace).arrivals()
        if (folded := Folding(trace).depends_on(one.branch.id))
    } == {Kind.ONE_OF}


def test_a_way_is_one_of_several_where_it_is_not_known_whether_another_is_open() -> None:
    def step(state: State) -> Transition:
        def way(server: str, guard: Guard | None) -> Way:
            end = Ending(Outcome.DELIVERED, {"server": server, "destination": "d"})
            return Way(end, "taken", kind=Kind.ONE_OF, choice="K", guard=guard)

        return Transition((way("b", None), way("c", unclear)))

    unclear = Guard("g", UNDECIDED, "no file shows it", "", Source(""))
    servers = [Server(name, "crane", True, Source("")) for name in "abc"]
    own = Stepping(servers, tuple, lambda *_: State("a"), step, crane.evaluate)
    trace = explore({"crane": own}, "crane", State("a"), Message.to("queue:d"))
    assert [(str(branch.ending), branch.kind) for branch in trace.branches if branch.ending] == [
        ("DELIVERED(d)", Kind.ONE_OF),
        ("UNDETERMINED", Kind.ONE_OF),
    ]


def test_a_server_behind_a_choice_is_not_certainly_visited() -> None:
    trace = follow(["a/in one_of K b/in c/in", "b/in deliver", "c/in deliver"])
    assert trace.visited == ("a",)


def test_code_that_no_file_shows_takes_a_way_or_not_and_with_a_key_one_of_several() -> None:
    maybe = follow(["a/in maybe out", "a/out deliver"])
    assert possible_outcomes(maybe)[0] == {frozenset(), frozenset({"DELIVERED(a/out)"})}
    mediated = follow(["a/in mediate M x y", "a/x deliver", "a/y deliver"])
    assert possible_outcomes(mediated)[0] == {
        frozenset({"DELIVERED(a/x)"}),
        frozenset({"DELIVERED(a/y)"}),
    }


def test_another_reading_is_told_and_is_no_outcome_and_neither_is_what_happens_later() -> None:
    trace = follow(["a/in reading b/in", "b/in copy out", "b/out deliver"])
    assert (endings(trace), possible_outcomes(trace)[0]) == (
        ["DELIVERED(a/in)"],
        {frozenset({"DELIVERED(a/in)"})},
    )
    assert [one.rule for one in trace.assumptions] == ["CR-reading"]
    held = follow(["a/in later restart b/in", "b/in deliver"])
    assert possible_outcomes(held)[0] == {frozenset({"HELD(in, a)"})}
    assert [(b.kind, b.condition) for b in held.branches if b.kind is Kind.LATER] == [
        (Kind.LATER, "restart")
    ]


def test_a_limit_of_redirects_ends_with_the_outcome_of_the_product() -> None:
    trace = follow(["a/in redirect 3 in"])
    assert endings(trace) == ["DLQ(in, a, too many redirects)"]
    assert [step.state for step in trace.steps] == ["", "1", "2", "3"]


def test_a_static_loop_ends_its_branch_and_a_limited_one_goes_on_with_a_note() -> None:
    assert endings(follow(["a/in copy b/in", "b/in copy a/in"])) == ["LOOP(in at a)"]

    def step(state: State) -> Transition:
        count = int(state.data or "0")
        if count == 4:
            return Transition((Way(Ending(Outcome.DLQ, {"queue": "dead"}), "four times"),))
        again = Way(State("a", "in", str(count + 1)), "again")
        other = Assumption("CR-other", "L", "the manual", "the other one")
        return Transition(
            (again, Way(Ending(Outcome.STUCK), "or not", kind=Kind.READING, position=other))
        )

    servers = [Server("a", "crane", True, Source("a"))]

    def system(times: int) -> Stepping:
        return Stepping(
            servers,
            list,
            lambda *_: State("a"),
            step,
            crane.evaluate,
            lambda state: state.object,
            limit(times),
        )

    message = Message.to("queue:in")
    trace = explore({"crane": system(100)}, "crane", State("a", "in"), message)
    assert endings(trace) == ["DLQ(dead, a)"]
    assert [branch.kind for branch in trace.branches] == [Kind.ROOT, Kind.COPY, Kind.READING]
    assert [note.text for note in trace.notes] == ["the message comes back to in at a"]
    assert endings(explore({"crane": system(2)}, "crane", State("a", "in"), message)) == [
        "LOOP(in at a)"
    ]


def test_a_message_is_handed_over_by_the_seam_between_two_systems() -> None:
    trace = follow(["a/in hand barge quay/anything"])
    assert [(step.system, step.at, step.to, step.object) for step in trace.steps] == [
        ("crane", "a", "quay", "in"),
        ("barge", "quay", "", "hold"),
    ]
    assert endings(trace) == ["DELIVERED(quay/hold)"]
    assert "the object it was on is lost" in trace.steps[0].text
    assert not trace.assumptions
    assert [one.rule for one in follow(["a/in perhaps barge quay/x"]).assumptions] == ["CR-perhaps"]


def test_a_message_at_a_server_that_may_lead_anywhere_is_not_followed_exactly_though_no_other_server_is_known() -> (  # noqa: E501
    None
):
    servers = [Server("a", "crane", True, Source("a"), "a file is missing", open_ended=True)]
    end = Transition((Way(Ending(Outcome.DELIVERED), "here"),))
    alone = Stepping(
        servers, list, lambda *_: State("a"), lambda _: end, crane.evaluate, lambda _: "", limit(1)
    )
    trace = explore({"crane": alone}, "crane", State("a", "in"), Message.to("queue:in"))
    assert (trace.exact, trace.open) == (False, ())
    assert [note.text for note in trace.notes] == [
        "a: a file is missing: where it sends messages is not known"
    ]


@pytest.mark.parametrize("waits", [True, False])
def test_who_handed_a_message_over_decides_what_follows_if_it_is_rejected(waits: bool) -> None:
    kept = Assumption("CR-keep", "L", "it stays on the hook", "it falls")
    stays = Way(
        Ending(Outcome.HELD, {"queue": "hook", "reason": "rejected"}),
        "stays on the hook",
        "CR-keep",
        position=kept,
    )
    over = Handover("barge", State("quay", "hold"), refused=None if waits else stays)

    def system(name: str, way: Way) -> Stepping:
        return Stepping(
            [Server(name, name, True, Source(name))],
            list,
            lambda *_: State(name),
            lambda _: Transition((way,)),
            crane.evaluate,
        )

    systems = {
        "crane": system("a", Way(over, "over")),
        "barge": system("quay", Way(Ending(Outcome.REJECTED, {"reason": "full"}), "full")),
    }
    trace = explore(systems, "crane", State("a", "in"), Message.to("queue:in"))
    if waits:
        assert (endings(trace), [step.text for step in trace.steps]) == (
            ["REJECTED(full)"],
            ["over", "full"],
        )
    else:
        assert endings(trace) == ["HELD(hook, a, rejected)"]
        assert [(one.system, one.at, one.object, one.rule) for one in trace.steps[-1:]] == [
            ("crane", "a", "in", "CR-keep")
        ]
        assert trace.assumptions == (kept,)


def test_what_leaves_the_loaded_systems_is_external() -> None:
    assert endings(follow(["a/in hand ferry far/x"])) == ["EXTERNAL(far)"]


def test_what_a_server_without_a_file_means_is_what_the_system_says() -> None:
    own = replace(crane.stepping(rules("a/in copy b/in")), beyond=Outcome.EXTERNAL)
    trace = explore({"crane": own}, "crane", State("a", "in"), Message.to("queue:in"))
    assert endings(trace) == ["EXTERNAL(b)"]


def test_what_one_system_holds_another_takes_over() -> None:
    def takes(system: str, state: State, held: Ending) -> Sequence[Way]:
        over = Handover("barge", State("quay", held.text("queue")), source=QUAY.source)
        return (
            [Way(over, "read from the queue", "BA-3")]
            if (system, state.server) == ("crane", "a")
            else ()
        )

    loaded = {
        "crane": crane.stepping(rules("a/in later dawn b/in", "b/in later dusk a/in")),
        "barge": replace(barge.stepping({"quay": QUAY}), takes=takes),
    }
    systems = {name: with_takers(name, own, loaded) for name, own in loaded.items()}
    trace = explore(systems, "crane", State("a", "in"), Message.to("queue:in"), seams=SEAMS)
    assert sorted(endings(trace)) == ["DELIVERED(quay/hold)", "HELD(in, b)", "LOOP(in at a)"]
    closed = close(systems, SEAMS).tables
    assert "quay" in {
        closed.servers[closed.points[forward.end].server].name for forward in closed.forwards
    }


def test_a_loop_over_two_systems_is_found() -> None:
    back = Barge(bundle="q", server="quay", source=Source("quay.barge", 1, 1), back="a/in")
    systems = {
        "crane": crane.stepping(rules("a/in hand barge quay/x")),
        "barge": barge.stepping({"quay": back}),
    }
    trace = explore(systems, "crane", State("a", "in"), Message.to("queue:in"), seams=SEAMS)
    assert endings(trace) == ["LOOP(in at a)"]


def test_a_search_that_its_budget_ends_says_so_and_leaves_the_rest_open() -> None:
    lines = [f"s{n}/in copy s{n + 1}/in" for n in range(50)]
    systems = {"crane": crane.stepping(rules(*lines, "s50/in deliver"))}
    trace = explore(systems, "crane", State("s0", "in"), Message.to("queue:in"), budget=Budget(10))
    assert not trace.exact
    assert len(trace.open) == 40
    assert "the search ended after 10 steps" in trace.open[0].because
    times = itertools.count()
    slow = explore(
        systems,
        "crane",
        State("s0", "in"),
        Message.to("queue:in"),
        budget=Budget(seconds=5, clock=lambda: float(next(times))),
    )
    assert not slow.exact
    assert "the search ended after 5 s" in slow.open[0].because


def test_each_distinct_guard_is_evaluated_once() -> None:
    asked: list[str] = []

    def evaluate(guard: Guard, message: Message) -> Verdict:
        asked.append(guard.id)
        return Verdict(Truth.TRUE)

    own = crane.stepping(
        rules("a/in only x=1 b/in", "b/in only x=1 c/in", "c/in if x=1 d else e", "c/d deliver")
    )
    own = Stepping(own.servers, own.entries, own.enter, own.step, evaluate)
    explore({"crane": own}, "crane", State("a", "in"), Message.to("queue:in"))
    assert asked == ["x=1"]


@pytest.mark.slow
def test_a_chain_of_5000_servers_is_traced_folded_written_and_hashed() -> None:
    count = 5_000
    lines = [
        line
        for n in range(count)
        for line in (f"s{n}/in copy keep s{n + 1}/in", f"s{n}/keep deliver")
    ]
    systems = {"crane": crane.stepping(rules(*lines, f"s{count}/in deliver"))}
    trace = explore(systems, "crane", State("s0", "in"), Message.to("queue:in"))
    assert trace.exact
    assert len(trace.visited) == count + 1
    assert possible_outcomes(trace)[0] == {frozenset(endings(trace))}
    assert len(list(Folding(trace).arrivals())) == count + 1
    text = json.dumps(
        [[asdict(step) for step in trace.steps], [str(branch.ending) for branch in trace.branches]]
    )
    assert len(hashlib.sha256(text.encode()).hexdigest()) == 64
    assert hash(trace) == hash(explore(systems, "crane", State("s0", "in"), Message.to("queue:in")))


def brute_force(
    lines: Sequence[str], properties: dict[str, str]
) -> tuple[set[frozenset[str]], bool]:
    """The endings of every assignment of picks, worked out from the lines alone."""
    table = {line.split()[0]: (line.split()[1], line.split()[2:]) for line in lines}

    def holds(test: str) -> bool:
        name, _, value = test.partition("=")
        return properties.get(name) == value

    def run(choices: Choices) -> frozenset[str]:
        ends: set[str] = set()

        def go(place: str, stamps: int, seen: tuple[tuple[str, int], ...]) -> None:
            server, _, name = place.partition("/")
            if (place, stamps) in seen:
                ends.add(f"LOOP({name} at {server})")
                return
            seen = (*seen, (place, stamps))
            does, words = table[place]
            if does == "deliver":
                ends.add(f"DELIVERED({place})")
            elif does == "hand":
                ends.add("DELIVERED(quay/hold)")
            elif does == "missing":
                ends.add("UNDETERMINED")
            elif does == "only":
                if holds(words[0]):
                    go(words[1], stamps, seen)
                else:
                    ends.add("NOT_FORWARDED(selector)")
            elif does == "if":
                go(words[1] if holds(words[0]) else words[3], stamps, seen)
            elif does == "redirect":
                if stamps + 1 > int(words[0]):
                    ends.add(f"DLQ({name}, {server}, too many redirects)")
                else:
                    go(words[1], stamps + 1, seen)
            elif does == "copy":
                for number, target in enumerate(words):
                    go(target, stamps, (*seen, (f"copy {number}", -1)))
            elif does == "maybe":
                if choices.pick(seen, 2):
                    go(words[0], stamps, seen)
            else:
                go(words[1 + choices.pick(words[0], len(words) - 1)], stamps, seen)

        go("a/in", 0, ())
        return frozenset(ends)

    found, complete = every_course(run)
    return set(found), complete


@given(networks(), st.dictionaries(st.sampled_from(["p", "q"]), st.sampled_from(["1", "2"])))
def test_possible_outcomes_equal_brute_force_over_all_picks(
    lines: list[str], properties: dict[str, str]
) -> None:
    expected, complete = brute_force(lines, properties)
    assume(complete)
    trace = follow(lines, **properties)
    assert trace.exact
    assert possible_outcomes(trace) == (expected, True)


@pytest.mark.parametrize("server", ["a", "b"])
def test_states_can_be_hashed(server: str) -> None:
    assert len({State(server), State(server), State(server, "x")}) == 2
