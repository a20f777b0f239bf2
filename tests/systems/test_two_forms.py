"""A system with a graph for messages to topics and steps for those to queues: each question
takes the form that its destination has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from crane import rules as crane

import topograph
from topograph import extensions
from topograph.errors import NotApplicable
from topograph.forwarding.graph import STEPPING, ForwardingGraph, GraphTables
from topograph.network import Network
from topograph.opening.folders import read_snapshot
from topograph.outcomes import Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import ClosedForm, Compiled, FactSource, Sending
from topograph.systems.stepping import paths as stepping_paths
from topograph.tracing import assembly, closure
from topograph.tracing.trace import Ending, Kind, Trace, TraceBuilder


class Signals:
    """The closed form of cranes: the graph of their steps, over which a signal to a topic goes
    to every neighbour.
    """

    def __init__(self, source: FactSource, side_inputs: SideInputs) -> None:
        self.stepping = crane.load(source, side_inputs)

    def compile(self) -> Compiled:
        return Compiled(replace(closure.close({"crane": self.stepping}).tables, system="crane"))

    def follow(self, graph: ForwardingGraph, walker: Any, sending: Sending) -> Trace:
        builder = TraceBuilder("crane")
        branch = builder.branch(-1, Kind.ROOT)
        builder.step(branch, sending.start, f"a signal in the graph of {graph.system}")
        builder.end(branch, Ending(Outcome.DELIVERED, {"server": sending.start, "copies": 1}))
        return Trace(
            start=sending.start,
            system="crane",
            steps=builder.steps,
            branches=builder.branches,
            visited=(sending.start,),
        )

    def failures(self, *_: Any) -> None:
        return None

    def show(self, what: str) -> None:
        return None


def assemble(tables: GraphTables) -> ForwardingGraph:
    return replace(assembly.assemble(tables), system="crane")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Network]:
    """Two cranes, b behind a; c is not loaded."""
    before = dict(extensions.packages())
    both = {"topic": "closed", "queue": "stepping"}
    closed = ClosedForm(Signals, assemble, lambda: stepping_paths)
    monkeypatch.setattr(crane, "SYSTEM", replace(crane.SYSTEM, closed=closed, destinations=both))
    extensions.register("crane", "crane")
    (tmp_path / "a.crane").write_text("crane a\nin copy b/in\n")
    (tmp_path / "b.crane").write_text("crane b\nin deliver\nout copy c/in\n")
    yield topograph.read(tmp_path)
    extensions.use(before)


def test_a_message_is_followed_in_the_form_that_its_type_of_destination_has(
    network: Network,
) -> None:
    (signal,) = network.trace("a", "topic:in").steps
    assert signal.text == "a signal in the graph of crane"
    assert [(step.at, step.to) for step in network.trace("a", "queue:in").steps] == [
        ("a", "b"),
        ("b", ""),
    ]
    assert [
        (one.server, one.outcome) for one in network.propagate("crane:a", "queue:in").deliveries
    ] == [("b", "DELIVERED")]
    with pytest.raises(
        NotApplicable,
        match=r"address:in at a, which runs crane, is not covered yet\. Did you mean topic:in",
    ):
        network.trace("a", "address:in")


def test_a_server_of_two_forms_is_listed_once(network: Network, tmp_path: Path) -> None:
    assert [tables.system for tables in read_snapshot(tmp_path).graph_tables(network.name)] == [
        "crane",
        STEPPING,
    ]
    assert network.server_names() == ("a", "b", "c")
    assert [row["server"] for row in network.show("servers").rows] == ["a", "b", "c"]
    matrix = network.hops_matrix()
    assert (matrix.servers, matrix.hops[0]) == (("a", "b", "c"), (0, 1, None))
    assert [entry.server for entry in network.reach("a").servers] == ["b"]
    assert not [row for row in network.check().findings if row["kind"] == "ambiguous-server-name"]
