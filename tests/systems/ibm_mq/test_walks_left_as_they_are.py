"""Where a change is found to leave walks as they are, the graph of the network after it says so."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from drawn.queue_manager_trees import a_tree

import topograph
from topograph.audit.differences import compared
from topograph.audit.links import links_changed, servers_changed
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import ForwardingGraph
from topograph.importers.ibm_mq.commands import read_script
from topograph.network import Network
from topograph.systems import assemble
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.ibm_mq import changes
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.paths import hop_rows
from topograph.systems.stepping.same_walks import leaves_walks_as_they_are
from topograph.tracing.assumptions import network_assumptions

SCRIPTS = [
    "DEFINE QREMOTE(NEW) RNAME(APP) RQMNAME(Q{0})",
    "DEFINE QREMOTE(NEW) RNAME(FAR) RQMNAME(Q{0})",
    "DEFINE QREMOTE(NEW) RNAME(APP) RQMNAME(ELSEWHERE)",
    "DEFINE QALIAS(NEW) TARGET(FAR)",
    "DEFINE QLOCAL(NEW)",
    "DELETE QALIAS(NEAR)",
    "DEFINE QLOCAL(Q{0})",
    "DEFINE QREMOTE(Q{0}) RNAME(' ') RQMNAME(Q{1}) XMITQ(Q{2})",
    "DEFINE QREMOTE(Q{0}) RNAME(' ') RQMNAME(' ')",
    "DEFINE QALIAS(Q{0}) TARGET(APP)",
    "ALTER QLOCAL(Q{0}) PUT(DISABLED)",
    "ALTER QLOCAL(APP) PUT(DISABLED)",
    "ALTER QREMOTE(FAR) RQMNAME(Q{0})",
    "DELETE QREMOTE(FAR)",
    "ALTER QLOCAL(APP) STREAMQ(FAR)",
]


def change_of(before: SteppingEstate, script: str, at: str) -> Change:
    change = Change()
    for one in read_script(script.encode(), "change.mqsc").commands:
        edit = changes.edit(ChangedFacts(before.sources["ibm_mq"], change), at, one)
        change = after_both(change, edit.change)
    return change


def rows(graph: ForwardingGraph) -> Sequence[Sequence[int]]:
    return [row.tolist() for row in hop_rows(graph, MemoryEngine(graph), Budget(None))]


def network_of(folder: Path, number: int) -> Network:
    """A tree; in one of three all have one channel up and down, and nothing is chosen."""
    network = a_tree(folder, number, 8)
    if number % 3:
        for file in folder.iterdir():
            lines = [one for one in file.read_text().splitlines() if ".ALSO." not in one]
            file.write_text("\n".join([*lines, ""]))
        network = topograph.read(folder)
    return network.within(None)


@pytest.mark.parametrize("number", range(12))
def test_the_graph_after_says_the_same_where_walks_are_left(number: int, tmp_path: Path) -> None:
    part = network_of(tmp_path / "tree", number)._model.parts[0]
    before, graph = part.estate, part.graph
    assert isinstance(before, SteppingEstate)
    chance, found = random.Random(number), []
    for script in SCRIPTS:
        text = script.format(*(chance.randrange(8) for _ in range(3)))
        change = change_of(before, text, f"Q{chance.randrange(8)}")
        after = before.apply(change)
        walked = graph, MemoryEngine(graph)
        found.append(leaves_walks_as_they_are(walked, before, after, Budget(None)))
        if found[-1] and change != Change():
            other = assemble(before.apply(change).compile().tables)
            assert rows(other) == rows(graph), text
            assert not compared(graph, other, Budget(None)).reach.gained_count
            assert links_changed(graph, other, graph, other) == links_changed(
                graph, graph, graph, graph
            )
            assert servers_changed(graph, other) == servers_changed(graph, graph)
            assert network_assumptions([other]) == network_assumptions([graph])
    if number % 3:
        assert any(found)
    assert not all(found)
