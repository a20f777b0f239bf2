"""The line of the change behind each message that ends otherwise."""

from __future__ import annotations

from pathlib import Path

import topograph
from topograph.questions.answers import AuditAnswer


def compared(folder: Path, before: dict[str, str], after: dict[str, str]) -> AuditAnswer:
    states = []
    for side, files in (("before", before), ("after", after)):
        (folder / side).mkdir()
        for name, text in files.items():
            (folder / side / name).write_text(text)
        states.append(topograph.read(folder / side).within(None))
    return topograph.compare(*states)


def causes(answer: AuditAnswer) -> dict[str, str]:
    return {f"{one.destination} at {one.server}": str(one.cause) for one in answer.outcomes}


ALIAS = "DEFINE QALIAS(AL) TARGET(X)\n"
QUEUES = "* Queue manager name: A\nDEFINE QLOCAL(Y)\nDEFINE QLOCAL(X)\n"


def test_what_is_taken_away_is_cited_where_it_was(tmp_path: Path) -> None:
    """The alias is refused at its own line, which does not change."""
    answer = compared(
        tmp_path,
        {"a.mqsc": QUEUES + ALIAS},
        {"a.mqsc": QUEUES.replace("DEFINE QLOCAL(X)\n", "") + ALIAS},
    )
    assert causes(answer) == {"X at A": "a.mqsc:3:1", "AL at A": "a.mqsc:3:1"}


def test_what_comes_is_cited_where_it_is(tmp_path: Path) -> None:
    answer = compared(
        tmp_path,
        {"a.mqsc": QUEUES + ALIAS},
        {"a.mqsc": QUEUES + ALIAS.replace("(X)", "(Y)")},
    )
    assert causes(answer) == {"AL at A": "a.mqsc:4"}


def test_queue_managers_that_others_name_are_asked_for(tmp_path: Path) -> None:
    """A of the C codebase looks for a queue first, of the Java codebase for a connection (E-07)."""
    other = (
        "kind: mqe\nqueueManager: B\ncodebase: java\nqueues: []\n"
        "connections:\n  - {name: Z, type: direct, address: h, port: 1}\n"
    )
    own = "kind: mqe\nqueueManager: A\ncodebase: java\nconnections: []\nqueues: []\n"
    before = {"A.yaml": own, "B.yaml": other}
    after = before | {"A.yaml": own.replace("java", "c")}
    answer = compared(tmp_path, before, after)
    assert {"any queue of Z at A", "any queue of B at A"} <= {*causes(answer)}


def test_destinations_that_a_bus_does_not_have_are_asked_for(tmp_path: Path) -> None:
    bus, foreign = (
        f"AdminTask.createSIBus('[-bus {name}]')\n"
        f"AdminTask.addSIBusMember('[-bus {name} -node n -server s{name}]')\n"
        for name in "BA"
    )
    foreign += "AdminTask.createSIBForeignBus('[-bus A -name B -routingType Direct -type SIBus]')\n"
    # The exception destination of the link decides (S-47).
    bus += (
        "AdminTask.createSIBForeignBus('[-bus B -name A -routingType Direct -type SIBus]')\n"
        "AdminTask.createSIBLink('[-bus B -messagingEngine n.sB-B -name L -foreignBusName A "
        "-remoteMessagingEngineName n.sA-A]')\n"
    )
    more = f"{bus}AdminTask.addSIBusMember('[-bus B -node n -server u]')\n"
    answer = compared(tmp_path, {"A.py": foreign, "B.py": bus}, {"A.py": foreign, "B.py": more})
    assert "a destination that B does not have at A" in causes(answer)
