"""Of the messages to each other queue manager that DEFXMITQ takes, an audit follows those that
a change may concern: it says what it says where all are followed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from drawn.queue_manager_trees import a_tree

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.systems.ibm_mq.routing import default_names
from topograph.systems.stepping import changes, same_walks
from topograph.systems.stepping.told_apart import ToldApart

SCRIPTS = [
    "DEFINE QREMOTE(NEW) RNAME(APP) RQMNAME(Q{0})",
    "DEFINE QALIAS(NEW) TARGET(FAR)",
    "DEFINE QLOCAL(NEW)",
    "DEFINE QLOCAL(Q{0})",
    "DEFINE QREMOTE(Q{0}) RNAME(' ') RQMNAME(Q{1}) XMITQ(Q{2})",
    "DEFINE QREMOTE(Q{0}) RNAME(' ') RQMNAME(' ')",
    "DEFINE QALIAS(Q{0}) TARGET(APP)",
    "ALTER QLOCAL(Q{0}) PUT(DISABLED)",
    "ALTER QLOCAL(Q{0}) GET(DISABLED)",
    "ALTER QLOCAL(DEAD) PUT(DISABLED)",
    "ALTER QLOCAL(APP) PUT(DISABLED)",
    "ALTER QREMOTE(FAR) RQMNAME(Q{0})",
    "DELETE QREMOTE(FAR)",
    "DELETE QREMOTE(Q{0})",
    "ALTER QMGR DEFXMITQ(Q{0})",
    "DEFINE QLOCAL(NEW) CLUSTER(C)",
    "ALTER QLOCAL(APP) STREAMQ(FAR)",
]


def estate(folder: Path, number: int) -> Network:
    """A tree in which some queue managers have a dead-letter queue, and some remote queues have
    the name of a queue manager; in two of three trees no queue is read by two channels."""
    a_tree(folder, number, 7)
    chance = random.Random(number)
    for file in sorted(folder.iterdir()):
        lines = []
        if number % 3:
            kept = [one for one in file.read_text().splitlines() if ".ALSO." not in one]
            file.write_text("\n".join([*kept, ""]))
        if chance.random() < 0.6:
            lines += ["DEFINE QLOCAL(DEAD)", "ALTER QMGR DEADQ(DEAD)"]
        if chance.random() < 0.2:
            lines.append(f"DEFINE QREMOTE(Q{chance.randrange(7)}) RNAME(APP) RQMNAME(Q1)")
        file.write_text(file.read_text() + "\n".join([*lines, ""]))
    return topograph.read(folder).within(None)


@pytest.mark.parametrize("number", range(10))
def test_an_audit_says_the_same_where_all_names_are_followed(number: int, tmp_path: Path) -> None:
    network = estate(tmp_path / "tree", number)
    chance = random.Random(number)
    narrowed = left_out = 0
    meet = ToldApart.meet

    def met(self: ToldApart, *given: Any) -> bool:
        nonlocal left_out
        found = meet(self, *given)
        left_out += self.leave_out is not None
        return found

    for script in chance.sample(SCRIPTS, 7):
        text = script.format(*(chance.randrange(7) for _ in range(3)))
        at = f"Q{chance.randrange(7)}"
        told: list[object] = []
        concerned = default_names.concerned

        def noted(*given: object) -> object:
            told.append(concerned(*given))  # type: ignore[arg-type]  # noqa: B023
            return told[-1]  # noqa: B023

        try:
            with (
                patch.object(default_names, "concerned", noted),
                patch.object(ToldApart, "meet", met),
            ):
                found = network.audit(text, at=at)
        except TopographError:
            continue
        narrowed += any(one is not None for one in told)
        with (
            patch.object(changes, "touched_servers", lambda *_: None),
            patch.object(same_walks, "touched_servers", lambda *_: None),
        ):
            assert network.audit(text, at=at) == found, (at, text)
    assert narrowed
    assert left_out or not number % 3


def test_most_names_are_left_out(tmp_path: Path) -> None:
    network = estate(tmp_path / "tree", 2)
    told = []
    concerned = default_names.concerned
    with patch.object(
        default_names, "concerned", lambda *given: told.append(concerned(*given)) or told[-1]
    ):
        network.audit("DEFINE QREMOTE(NEW) RNAME(APP) RQMNAME(Q1)", at="Q6")
    assert told
    assert all(one is not None and len(one) < 7 for one in told)
