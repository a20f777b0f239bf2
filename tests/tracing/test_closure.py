"""One graph of all stepping systems: what both engines walk, out of the same step functions that
traces come from.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from barge import rules as barge
from crane import rules as crane
from crane.networks import OBJECTS, QUAY, SEAMS, networks, rules
from hypothesis import given

import topograph
from topograph import extensions
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import STEPPING, ForwardingGraph, Server
from topograph.message import Message
from topograph.network import Network, network_of
from topograph.opening.folders import read_snapshot
from topograph.outcomes import Truth
from topograph.pipeline.snapshot_writer import keep
from topograph.store.database import Database
from topograph.store.parquet import ParquetSnapshot, open_snapshot
from topograph.store.publication import publish_snapshot
from topograph.systems import assemble
from topograph.systems.stepping.paths import reach_from
from topograph.tracing import closure, told_steps
from topograph.tracing.closure import close
from topograph.tracing.exploration import explore
from topograph.tracing.states import State, Stepping, Transition, Verdict, Way
from topograph.tracing.trace import NOWHERE

FILES = {
    "a.crane": (
        "crane a\nin copy sort b/in\nsort only colour=red c/in\ntold if size=1 b/in else c/in\n"
    ),
    "b.crane": "crane b\nin one_of K out d/in\nout deliver\nsplit mediate M c/in d/in\n",
    "c.crane": "crane c\nin redirect 2 again\nagain copy in stay\nstay hand barge quay/x\n",
    "d.crane": "crane d\nin one_of L e/in e/x\n",
    "e.crane": "crane e\nin deliver\nx deliver\nback copy ghost/in\n",
    "quay.barge": "barge quay\n",
}


@pytest.fixture(scope="module", autouse=True)
def known() -> Iterator[None]:
    """What a notebook does to add the two systems."""
    before = dict(extensions.packages())
    extensions.register("crane", "crane")
    extensions.register("barge", "barge")
    yield
    extensions.use(before)


@pytest.fixture
def cranes(tmp_path: Path) -> Path:
    """A folder with files of two systems that step."""
    folder = tmp_path / "cranes"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def answers(network: Network) -> dict[str, Any]:
    """Everything a walk decides, and traces, without the name of the engine."""
    names = network.server_names()
    made = {f"reach {name}": network.reach(name).to_dict() for name in names}
    made |= {f"paths {a} {b}": network.paths(a, b).to_dict() for a in names for b in names}
    made |= {f"hops {a} {b}": network.hops(a, b).to_dict() for a in names for b in names}
    made["matrix"] = network.hops_matrix().to_dict()
    made["check"] = network.check().to_dict()
    for what in ("servers", "routes", "findings"):
        made[f"show {what}"] = network.show(what).to_dict()
    for colour in ("red", "blue"):
        made[f"trace {colour}"] = network.trace("a", "queue:in", {"colour": colour}).to_dict()
        made[f"propagate {colour}"] = network.propagate(
            "a", "queue:in", {"colour": colour}
        ).to_dict()
    for answer in made.values():
        answer.pop("engine", None)
        answer.pop("snapshot", None)
    return made


def test_all_stepping_systems_of_a_network_share_one_graph_whose_servers_have_their_own_system(
    cranes: Path,
) -> None:
    (tables,) = read_snapshot(cranes).graph_tables("cranes")
    assert tables.system == STEPPING
    assert [(server.name, server.system) for server in tables.servers] == [
        *((name, "crane") for name in "abcde"),
        ("ghost", "crane"),
        ("quay", "barge"),
    ]
    assert [point.kind for point in tables.points[:7]] == ["origin"] * 7


def test_a_server_behind_a_choice_is_reached_and_not_for_certain(cranes: Path) -> None:
    network = topograph.read(cranes)
    assert [(entry.server, entry.hops, entry.certain) for entry in network.reach("a").servers] == [
        ("b", 1, True),
        ("c", 1, True),
        ("d", 2, False),
        ("e", 3, False),
        ("quay", 2, True),
    ]
    assert (network.hops("a", "d").reachable, network.hops("a", "c").reachable) == ("unknown", True)
    matrix = network.hops_matrix()
    row = dict(zip(matrix.servers, matrix.hops[0], strict=True))
    assert (row["d"], row["quay"]) == (None, 2)


def test_steps_inside_a_server_are_kept_with_the_forward_that_leaves_it(cranes: Path) -> None:
    (tables,) = read_snapshot(cranes).graph_tables("cranes")
    inside = {
        (tables.points[forward.start].key, tables.points[forward.end].server): json.loads(
            forward.steps
        )
        for forward in tables.forwards
        if forward.steps
    }
    assert [step["text"] for step in inside["a|entry|in#7", 2]] == ["copy sort b/in"]
    (step,) = topograph.read(cranes).reach("a", "c").servers[0].steps
    assert (step.rule, str(step.source), step.guards) == (
        "CR-only",
        "a.crane:3:1",
        ("colour = red",),
    )


def test_guards_of_else_and_of_choices_stand_on_the_forwards(cranes: Path) -> None:
    (tables,) = read_snapshot(cranes).graph_tables("cranes")
    assert {guard.text for guard in tables.guards} == {
        "colour = red",
        "size = 1",
        "not (size = 1)",
        "chosen at run time: K",
        "chosen at run time: L",
        "decided by code that no file shows: M",
    }


def test_a_guard_that_stands_at_several_places_has_no_line_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "several"
    folder.mkdir()
    (folder / "a.crane").write_text(
        "crane a\nin copy sort\nsort only colour=red b/in\nlone only size=1 b/in\n"
    )
    (folder / "b.crane").write_text("crane b\nin only colour=red c/in\n")
    (folder / "c.crane").write_text("crane c\nin deliver\n")
    (tables,) = read_snapshot(folder).graph_tables("several")
    files = {guard.text: guard.source.file for guard in tables.guards}
    assert files == {"colour = red": "", "size = 1": "a.crane"}


def test_there_are_at_most_ten_points_an_object(cranes: Path) -> None:
    (tables,) = read_snapshot(cranes).graph_tables("cranes")
    objects = (
        sum(len(text.splitlines()) - 1 for name, text in FILES.items() if name.endswith("crane"))
        + 1
    )
    assert len(tables.points) <= 10 * objects


def test_a_trace_and_a_propagate_name_the_system_of_each_server(cranes: Path) -> None:
    network = topograph.read(cranes)
    steps = network.trace("c", "queue:stay").steps
    assert [(step.system, step.at) for step in steps] == [("crane", "c"), ("barge", "quay")]
    (delivery,) = network.propagate("c", "queue:stay").deliveries
    assert (delivery.server, delivery.system, delivery.choice) == ("quay", "barge", "always")
    assert [one.choice for one in network.propagate("b", "queue:in").deliveries] == ["one_of"] * 3


def test_systems_that_no_link_joins_leave_each_other_undetermined(cranes: Path) -> None:
    (cranes / "c.crane").write_text("crane c\nin deliver\n")
    (cranes / "e.crane").write_text("crane e\nin deliver\nx deliver\n")
    (entry,) = topograph.read(cranes).reach("a").undetermined
    assert (entry.server, entry.because) == (
        "quay",
        "no connection between Crane and Barge is configured in the loaded files",
    )


def test_a_snapshot_that_was_written_answers_alike(cranes: Path, tmp_path: Path) -> None:
    snapshot = read_snapshot(cranes)
    keep(snapshot, tmp_path / "kept")
    kept = open_snapshot(tmp_path / "kept")
    assert list(kept.graph_tables("cranes")[0].forwards) == list(
        snapshot.graph_tables("cranes")[0].forwards
    )
    assert answers(network_of(kept, "cranes")) == answers(network_of(snapshot, "cranes"))


@pytest.mark.neo4j
def test_both_engines_answer_alike(cranes: Path, database: Database) -> None:
    from topograph.engines.neo4j import Neo4jEngine
    from topograph.store.database import DatabaseSnapshot

    snapshot = read_snapshot(cranes)
    publish_snapshot(database, snapshot, assemble)
    expected = answers(network_of(snapshot, "cranes"))
    walked = network_of(
        snapshot, "cranes", lambda graph: Neo4jEngine(database, snapshot.id, "cranes", graph)
    )
    assert walked.engine_name == "neo4j"
    assert answers(walked) == expected
    held = DatabaseSnapshot(database, snapshot.id)
    out_of_it = network_of(
        held, "cranes", lambda graph: Neo4jEngine(database, snapshot.id, "cranes", graph)
    )
    assert answers(out_of_it) == expected


@pytest.mark.neo4j
def test_servers_of_two_systems_that_share_a_name_stay_apart_on_both_engines(
    cranes: Path, database: Database
) -> None:
    from topograph.engines.neo4j import Neo4jEngine

    (cranes / "e.barge").write_text("barge e\n")
    snapshot = read_snapshot(cranes)
    publish_snapshot(database, snapshot, assemble)
    walked = network_of(
        snapshot, "cranes", lambda graph: Neo4jEngine(database, snapshot.id, "cranes", graph)
    )
    names = walked.server_names()
    assert {"crane:e", "barge:e"} <= set(names)
    for name in names:
        here = network_of(snapshot, "cranes").reach(name).to_dict()
        assert walked.reach(name).to_dict() | {"engine": "memory"} == here
    statement = (
        "MATCH (s:Server {name: 'e', network: 'cranes'}) RETURN DISTINCT s.system AS system "
        "ORDER BY system"
    )
    _, found = database.query(statement, {})
    assert [row["system"] for row in found] == ["barge", "crane"]


@pytest.mark.parametrize(
    "few_steps", [0, closure.FEW_STEPS], ids=["from what comes next", "step by step"]
)
@given(lines=networks())
def test_reach_equals_the_servers_of_the_traces_of_all_messages(
    few_steps: int, lines: list[str]
) -> None:
    """A message with p and one without stand for all that the guards of these networks tell
    apart.
    """
    systems = {"crane": crane.stepping(rules(*lines)), "barge": barge.stepping({"quay": QUAY})}
    with patch.object(closure, "FEW_STEPS", few_steps):
        graph: ForwardingGraph = assemble(close(systems, SEAMS).tables)
    start = graph.server_number["a"]
    reached = reach_from(graph, MemoryEngine(graph), start, Budget())
    names = {graph.servers[number].name for number in reached.paths}
    certain = {graph.servers[number].name for number in set(reached.paths) - reached.uncertain}
    seen: set[str] = set()
    sure: set[str] = set()
    for name in (name for name in OBJECTS if name.startswith("a/")):
        for properties in ({}, {"p": "1"}, {"p": "2"}, {"q": "1"}):
            state = State("a", name.partition("/")[2])
            trace = explore(
                systems, "crane", state, Message.to("queue:in", dict(properties)), seams=SEAMS
            )
            seen |= {step.to for step in trace.steps if step.to} | {
                entry.server for entry in trace.open
            }
            sure |= set(trace.visited)
    assert seen - {"a"} <= names
    assert sure - {"a"} <= certain


def test_a_graph_that_grows_too_big_is_cut_with_a_finding_and_the_server_may_lead_anywhere() -> (
    None
):
    lines = [f"a/o{n} copy b/o{n}" for n in range(20)] + [f"b/o{n} deliver" for n in range(20)]
    closed = close({"crane": crane.stepping(rules(*lines))}, points=30)
    assert [finding.kind for finding in closed.findings] == ["ways-cut"]
    assert [server.open_ended for server in closed.tables.servers] == [True, False]


@pytest.mark.parametrize(
    "last",
    ["b/in", "s0 b/in", "s0"],
    ids=["a chain that leaves", "a circle that leaves", "a circle"],
)
def test_a_long_chain_inside_one_server_is_followed_once_not_once_from_each_member(
    last: str,
) -> None:
    length = 3000
    lines = [f"a/s{n} copy s{n + 1}" for n in range(length)] + [
        f"a/s{length} copy {last}",
        "b/in deliver",
    ]
    own = crane.stepping(rules(*lines))
    stepped = 0

    def counted(state: State) -> Transition:
        nonlocal stepped
        stepped += 1
        return own.step(state)

    closed = close({"crane": replace(own, step=counted)})
    assert not closed.findings
    assert stepped < 3 * length
    leaving = [
        one for one in closed.tables.forwards if closed.tables.points[one.start].kind == "entry"
    ]
    assert len(leaving) == (0 if last == "s0" else length + 1)
    if leaving:
        told = max((json.loads(one.steps) for one in leaving if one.steps), key=len)
        assert len(told) == told_steps.STEPS_TOLD + 1
        # From s0 to the last one; the step that leaves is the forward itself.
        assert told[-1]["text"] == f"and {length - told_steps.STEPS_TOLD:,} more"


def test_states_without_end_inside_one_server_are_cut_and_those_before_are_kept() -> None:
    """As behind code that makes the path of a message longer in every round."""
    own = crane.stepping(rules("a/s0 copy b/in", "b/in deliver"))
    stepped = 0

    def growing(state: State) -> Transition:
        nonlocal stepped
        stepped += 1
        if state.server != "a":
            return own.step(state)
        (out,) = own.step(State("a", "s0")).ways
        number = int(state.object[1:])
        onward = [State("a", f"s{number + more}") for more in (2, 3)]
        return Transition((*(replace(out, to=one) for one in onward), out))

    closed = close({"crane": replace(own, step=growing)})
    assert [(one.kind, one.server) for one in closed.findings] == [("ways-cut", "a")]
    assert {(one.a, one.b) for one in closed.tables.links} == {(0, 1)}
    assert stepped < 3 * closure.SETTLED


def test_what_reads_alike_of_the_forwards_among_many_servers_is_held_once() -> None:
    """Where each server sends to each other there are as many forwards as pairs of them; what
    says how has the number of the servers.
    """
    names = [f"s{number}" for number in range(30)]

    def step(state: State) -> Transition:
        if state.object == "begin":
            source = replace(NOWHERE, file="rules", line=1)
            inside = (State(state.server, name) for name in names if name != state.server)
            return Transition(
                tuple(Way(to, f"it is for {to.object}", source=source) for to in inside)
            )
        return Transition(
            () if state.object == "end" else (Way(State(state.object, "end"), "sent"),)
        )

    everywhere = Stepping(
        servers=[Server(name, "crane", True, NOWHERE) for name in names],
        entries=lambda: [State(name, begin) for name in names for begin in ("begin", "end")],
        enter=lambda server, _: State(server, "begin"),
        step=step,
        evaluate=lambda *_: Verdict(Truth.TRUE),
    )
    tables = close({"crane": everywhere}).tables
    forwards = list(tables.forwards)
    assert len(tables.points) == 4 * len(names)
    assert len(forwards) == 2 * len(names) * (len(names) - 1)
    assert {id(one.steps) for one in forwards} == {id(one.steps) for one in tables.forwards}
    assert len({id(one.steps) for one in forwards}) == len(names)


def test_a_state_that_is_reached_under_ever_more_sets_of_guards_ends_the_search_after_the_same_work_each_time() -> (  # noqa: E501
    None
):
    lines = [f"a/s{n} if p{n}=1 s{n + 1} else s{n + 1}" for n in range(100)] + [
        "a/s100 copy b/in",
        "b/in deliver",
    ]
    first, second = (
        close({"crane": crane.stepping(rules(*lines))}, work=200_000) for _ in range(2)
    )
    assert first == second
    assert [(finding.kind, finding.server) for finding in first.findings] == [
        ("ways-cut", "a"),
        ("ways-cut", "b"),
    ]
    assert [server.open_ended for server in first.tables.servers] == [True, True]


def test_a_message_is_followed_without_points_and_forwards(
    cranes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are what a snapshot of a thousand servers has most of."""
    keep(read_snapshot(cranes), tmp_path / "kept")
    read: list[str] = []
    table = ParquetSnapshot.table

    def noted(self: ParquetSnapshot, name: str, network: str, **options: Any) -> Any:
        read.append(name)
        return table(self, name, network, **options)

    monkeypatch.setattr(ParquetSnapshot, "table", noted)
    network = topograph.open(tmp_path / "kept", engine="memory")
    assert network.trace("a", "queue:in").steps
    assert not {"points", "forwards", "links"} & set(read)
    assert network.reach("a").servers
    assert {"points", "forwards"} < set(read)


def test_forwards_of_a_snapshot_are_those_that_were_kept(cranes: Path, tmp_path: Path) -> None:
    snapshot = read_snapshot(cranes)
    keep(snapshot, tmp_path / "kept")
    (name,) = snapshot.networks
    (before,), (after,) = (
        snapshot.graph_tables(name),
        open_snapshot(tmp_path / "kept").graph_tables(name),
    )
    assert after.forwards == before.forwards
    assert after.forwards[-1] == before.forwards[-1]
    assert after.forwards[1:3] == before.forwards[1:3]
    graph = assemble(after)
    assert list(graph.forwards()) == list(assemble(before).forwards())
    assert replace(graph, system="crane").points == graph.points


def test_a_trace_of_a_snapshot_loads_only_what_it_uses(tmp_path: Path) -> None:
    """Each module that a command loads costs it time: a record takes as long to make as a
    hundred facts to read.
    """
    for name, far in (("A", "B"), ("B", "A")):
        (tmp_path / f"{name}.mqsc").write_text(
            f"* Queue manager name: {name}\nDEFINE QLOCAL({far}) USAGE(XMITQ)\nDEFINE "
            f"QREMOTE(R) RNAME(Q) RQMNAME({far})\n"
            f"DEFINE CHANNEL({name}.{far}) CHLTYPE(SDR) XMITQ({far}) "
            f"CONNAME('h')\nDEFINE CHANNEL({far}.{name}) CHLTYPE(RCVR)\n"
        )
    keep(read_snapshot(tmp_path), tmp_path / "kept")
    program = (
        "import sys; from topograph.cli.main import exit_code; code = exit_code(sys.argv[2:])\n"
        "print(code, sorted(set(sys.argv[1].split()) & set(sys.modules)), file=sys.stderr)"
    )
    libraries = "hashlib networkx neo4j pandas pyarrow.compute pydantic tempfile yaml"
    ours = (
        "importers selectors store.archives store.listing systems.contract.cycles systems.ems "
        "systems.contract.failures systems.contract.names systems.sibus tracing.closure workspace"
    )
    other_questions = (
        "audit_answers cycles impact impact_answers listing_answers name_answers propagate_answers"
    )
    others = {"trace": "path_answers propagate reach", "reach": "propagate trace_answers"}
    for question, more in (("trace", ["--destination", "queue:R"]), ("reach", [])):
        unused = [f"topograph.{name}" for name in ours.split()]
        unused += [
            f"topograph.questions.{name}"
            for name in f"{other_questions} {others[question]}".split()
        ]
        asked = [question, "A", "-s", str(tmp_path / "kept"), "--engine", "memory", *more]
        command = [sys.executable, "-c", program, " ".join([libraries, *unused]), *asked]
        assert (
            subprocess.run(command, capture_output=True, text=True, check=True).stderr == "0 []\n"
        )
