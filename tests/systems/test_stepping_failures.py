"""What failures do where messages go step by step: endings before and after, of the messages
that may meet what fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from by_traces import by_traces
from crane.networks import networks
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

import topograph
from topograph import extensions
from topograph.cli.main import exit_code
from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.budget import Budget
from topograph.message import Message
from topograph.network import Network
from topograph.systems.contract.system import Failure
from topograph.tracing.comparison import compare
from topograph.tracing.exploration import explore


@pytest.fixture(scope="module", autouse=True)
def known() -> Iterator[None]:
    before = dict(extensions.packages())
    extensions.register("crane", "crane")
    extensions.register("barge", "barge")
    yield
    extensions.use(before)


def written(folder: Path, *lines: str) -> Network:
    """The network of lines ``SERVER/OBJECT KIND ARGUMENTS``."""
    folder.mkdir(exist_ok=True)
    for server in {line.partition("/")[0] for line in lines}:
        own = [line.partition("/")[2] for line in lines if line.startswith(f"{server}/")]
        (folder / f"{server}.crane").write_text("\n".join([f"crane {server}", *own, ""]))
    (folder / "quay.barge").write_text("barge quay\n")
    return topograph.read(folder)


def test_messages_through_a_server_that_fails_wait_and_others_do_not_change(tmp_path: Path) -> None:
    network = written(tmp_path / "n", "a/x copy b/x", "a/y copy c/y", "b/x copy c/y", "c/y deliver")
    answer = network.impact(["server:b"])
    assert [(one.server, one.destination, one.before, one.after) for one in answer.changed] == [
        ("a", "x", ("DELIVERED(c/y) at c",), ("HELD(x, a) at a",))
    ]
    assert answer.lost == ()  # another message from a still gets to c
    assert [(one["from"], one["destination"], one["outcome"]) for one in answer.held] == [
        ("a", "x", "HELD(x, a) at a")
    ]


def test_a_pair_is_lost_if_no_message_gets_there_any_more(tmp_path: Path) -> None:
    network = written(tmp_path / "n", "a/x copy b/x", "b/x copy c/y", "c/y deliver")
    answer = network.impact(["server:b"])
    assert [(one.from_, one.to, one.outcome) for one in answer.lost] == [("a", "c", "HELD")]


def test_a_link_that_fails_holds_what_would_go_over_it(tmp_path: Path) -> None:
    network = written(tmp_path / "n", "a/x copy b/x", "a/y deliver", "b/x deliver")
    answer = network.impact(["route:a-b"])
    assert [(one.server, one.destination, one.after) for one in answer.changed] == [
        ("a", "x", ("HELD(x, a) at a",))
    ]


def test_a_component_that_fails_changes_what_its_system_says(tmp_path: Path) -> None:
    network = written(tmp_path / "n", "a/x hoist main b/x else c/x", "b/x deliver", "c/x deliver")
    answer = network.impact(["hoist:main"])
    assert [(one.before, one.after) for one in answer.changed] == [
        (("DELIVERED(b/x) at b",), ("DELIVERED(c/x) at c",))
    ]
    assert [(one.from_, one.to) for one in answer.lost] == [("a", "b")]
    assert answer.changed == network.impact(["hoist:a:main"]).changed


def test_components_of_one_name_are_asked_for_by_their_server(tmp_path: Path) -> None:
    network = written(
        tmp_path / "n", "a/x hoist main b/x else b/y", "b/x deliver", "b/y hoist main b/x else a/x"
    )
    with pytest.raises(UsageError, match="Write hoist:a:main or hoist:b:main"):
        network.impact(["hoist:main"])
    with pytest.raises(
        UsageError, match=r"no hoist:mian in network n\. Did you mean hoist:[ab]:main"
    ):
        network.impact(["hoist:mian"])
    with pytest.raises(
        UsageError,
        match=r"Use server:NAME, route:A-B, broker:NAME or hoist:NAME \(such as hoist:a:main\)",
    ):
        network.impact(["crank:main"])
    assert {row.failed for row in network.impact(sweep=True).failures} >= {
        "hoist:a:main",
        "hoist:b:main",
    }


def test_a_sweep_names_the_worst_failure_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = written(
        tmp_path / "n", "a/x copy b/x", "b/x copy c/y", "b/y copy c/y", "c/y deliver", "d/x deliver"
    )
    swept = network.impact(sweep=True)
    rows = {row.failed: (row.lost, row.changed) for row in swept.failures}
    assert rows["server:c"] == (0, 3)  # of the living, nobody loses anybody
    assert rows["server:b"] == (1, 1)
    assert rows["server:d"] == rows["server:a"] == (0, 0)
    own = {row.failed: row.own for row in swept.failures}
    assert (own["server:c"], own["server:b"], own["server:a"], own["server:d"]) == (2, 1, 1, 0)
    assert [row.failed for row in swept.failures] == [
        "server:c",
        "server:b",
        "server:a",
        "server:d",
        "server:quay",
    ]
    assert exit_code(["impact", "-s", str(tmp_path / "n"), "--fail", "server:c"]) == 0
    out = capsys.readouterr().out
    assert "DELIVERED(c/y) at c" in out
    assert "becomes HELD(x, b) at b" in out


def test_whatever_the_budget_leaves_out_is_not_called_lost(tmp_path: Path) -> None:
    """Wherever the budget ends: what is told is true of the whole answer, and what was not
    looked at is named.
    """
    network = written(
        tmp_path / "n",
        "a/x copy b/x",
        "a/y copy c/y",
        "b/x copy c/y",
        "c/y deliver",
        "d/x copy b/x",
    )
    (part,) = network._model.parts
    failure = Failure(frozenset(["b"]), system="crane")
    failures = part.estate.failures(part.graph, part.engine)
    assert failures is not None
    whole = failures.effect(failure, Budget())
    assert [(one.start, one.end) for one in whole.lost] == [("d", "c")]
    steps = range(1, 40)
    for most in steps:
        made = part.estate.failures(part.graph, part.engine)
        assert made is not None
        cut = made.effect(failure, Budget(steps=most))
        assert set(cut.lost) <= set(whole.lost)
        assert set(cut.outcomes) <= set(whole.outcomes)
        assert cut.not_compared or (cut.lost, cut.outcomes) == (whole.lost, whole.outcomes)


@settings(max_examples=draws(36), deadline=None)
@given(
    lines=networks(), failing=st.sampled_from(["server:a", "server:b", "server:quay", "route:a-b"])
)
def test_exactly_the_messages_that_end_otherwise_are_told(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], failing: str
) -> None:
    """Against a comparison of every message, whether or not the graph says that it may meet what
    fails.
    """
    network = written(tmp_path_factory.mktemp("random") / "n", *lines)
    try:
        answer = network.within(None).impact([failing])
    except UsageError:  # no link between a and b
        return
    (part,) = network._model.parts
    estate = part.estate
    kind, _, name = failing.partition(":")
    system = "barge" if name == "quay" else "crane"
    failure = (
        Failure(links=frozenset([frozenset("ab")]))
        if kind == "route"
        else Failure(frozenset([name]), system=system)
    )
    after = estate.failed_by(failure)
    wanted = set()
    for own, stepping in estate.systems.items():
        for state in stepping.entries():
            if state.server in failure.servers:
                continue
            was, now = (
                explore(
                    one.systems, own, state, Message.to(f"queue:{state.object}"), seams=one.seams
                )
                for one in (estate, after)
            )
            if compare(was, now):
                wanted.add((own, state.server, state.object))
    assert {(one.system, one.server, one.destination) for one in answer.changed} == wanted


def test_who_subscribes_says_nothing_of_systems_that_go_step_by_step(tmp_path: Path) -> None:
    network = written(tmp_path / "n", "a/x copy b/x", "b/x deliver")
    with pytest.raises(NotApplicable, match="does not depend on who subscribes"):
        network.impact(["server:b"], subscribers=["b:queue:x"])


@settings(max_examples=draws(36), deadline=None)
@given(lines=networks())
def test_a_sweep_counts_what_each_failure_does(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    """Against the traces of the messages that each failure concerns: a sweep works out once what
    many messages share.
    """
    folder = tmp_path_factory.mktemp("swept") / "n"
    network = written(folder, *lines).within(None)
    for row in network.impact(sweep=True).failures:
        answer = network.impact([row.failed])
        with by_traces():
            assert topograph.read(folder).within(None).impact([row.failed]) == answer, row.failed
        assert (row.lost, row.changed) == (len(answer.lost), len(answer.changed)), row.failed
