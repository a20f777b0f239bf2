"""What an audit says of a change script of wsadmin is what the files say that a second reading of
the commands edits: findings, and who reaches whom.
"""

from __future__ import annotations

import copy
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from brute_force import wsadmin
from brute_force.test_wsadmin_scripts_equal_edited_folders import BASE, cases
from draws import draws
from hypothesis import HealthCheck, example, given, settings

import topograph
from topograph.network import Network

MANY = settings(max_examples=draws(75), deadline=None, suppress_health_check=[HealthCheck.too_slow])

PLACE = re.compile(r"\(?\b[\w-]+\.py(:\d+)+\)?")
"""A place of a finding within its message: the edited file has other lines."""

FAR = (
    "AdminTask.createSIBus('[-bus Far]')\n"
    "AdminTask.addSIBusMember('[-bus Far -node n -server s]')\n"
    "AdminTask.createSIBDestination('[-bus Far -name A -type Queue -node n -server s]')\n"
    "AdminTask.createSIBForeignBus('[-bus Far -name B -routingType Direct -type SIBus]')\n"
    "AdminTask.createSIBLink('[-bus Far -name ToB -messagingEngine n.s-Far -foreignBusName B]')\n"
)
"""Another bus, which the change does not touch."""


TO_FAR: wsadmin.Command = (
    "createSIBLink",
    {"bus": "B", "name": "L1", "messagingEngine": "C1.000-B", "foreignBusName": "Far"},
)


def estate(folder: str, bus: wsadmin.BusText) -> Network:
    (Path(folder) / "orders.py").write_text(wsadmin.as_text(wsadmin.commands_of(bus)), "utf-8")
    (Path(folder) / "far.py").write_text(FAR, "utf-8")
    return topograph.read(folder)


def found_in(network: Network) -> set[tuple[str, str, str]]:
    """What is wrong, wherever it stands; that a script does not save is about the script."""
    return {
        (row["kind"], row["server"], PLACE.sub("", row["message"]))
        for row in network.check().findings
        if row["severity"] in ("error", "warning") and row["kind"] != "not-saved"
    }


def reach(network: Network) -> dict[tuple[str, str], str]:
    """Per pair whether the second is reached: of each, as far as it is told at all."""
    said: dict[tuple[str, str], str] = {}
    for start in ("B", "Far"):
        answer = network.reach(start)
        said |= {(start, one.server): "yes" if one.certain else "open" for one in answer.servers}
        said |= {(start, one.server): "open" for one in answer.undetermined}
        said |= {(start, name): "no" for name in answer.unreachable}
    return said


SECOND_ENGINE: list[wsadmin.Command] = [
    (
        "createSIBDestination",
        {
            "bus": "B",
            "name": "C.IN",
            "type": "TopicSpace",
            "cluster": "C1",
            "defaultForwardRoutingPath": [["B", "A"]],
        },
    ),
    ("addSIBusMember", {"bus": "B", "cluster": "C2"}),
]
"""After these a message may end at two engines, which files list in another order."""


def done(commands: list[wsadmin.Command]) -> Any:
    """A case of commands that are all carried out."""
    bus = wsadmin.new_bus("B")
    for one in BASE:
        assert wsadmin.do(bus, one) == "done"
    edited = copy.deepcopy(bus)
    assert [wsadmin.do(edited, one) for one in commands] == ["done"] * len(commands)
    return bus, commands, ["done"] * len(commands), edited


@pytest.mark.slow
@MANY
@example(done(SECOND_ENGINE))
@given(cases())
def test_an_audit_finds_what_the_edited_folder_has(
    case: tuple[wsadmin.BusText, list[wsadmin.Command], list[str], wsadmin.BusText],
) -> None:
    bus, given_, expected, edited = case
    text = wsadmin.as_text(given_) + "AdminConfig.save()\n"
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        before, after = estate(first, bus), estate(second, edited)
        answer = before.audit(text)
        refused = [step.result == "refused" for step in answer.steps]
        assert refused == [one == "refused" for one in expected]
        new = found_in(after) - found_in(before)
        brought = {(one.kind, one.server, PLACE.sub("", one.message)) for one in answer.findings}
        assert brought == new
        was, now = reach(before), reach(after)
        pairs = was.keys() & now.keys()
        assert {*answer.reach.gained} & pairs == {
            pair for pair in pairs if (was[pair], now[pair]) == ("no", "yes")
        }
        assert {*answer.reach.lost} & pairs == {
            pair for pair in pairs if (was[pair], now[pair]) == ("yes", "no")
        }


def test_what_is_sent_to_a_bus_that_is_deleted_is_as_in_the_folder_without_it(
    tmp_path: Path,
) -> None:
    """S-20, S-62: it leaves for a bus that no loaded file describes (outcomes.md: EXTERNAL)."""
    bus = wsadmin.new_bus("B")
    for one in [*BASE, TO_FAR]:
        assert wsadmin.do(bus, one) == "done"
    for folder in ("before", "after"):
        (tmp_path / folder).mkdir()
        estate(str(tmp_path / folder), bus)
    (tmp_path / "after" / "far.py").unlink()
    before, after = topograph.read(tmp_path / "before"), topograph.read(tmp_path / "after")
    answer = before.audit("AdminTask.deleteSIBus('[-bus Far]')\nAdminConfig.save()\n")
    assert answer.verdict == "undetermined"
    moved = {one.destination: one for one in answer.outcomes if one.server == "B"}
    assert moved["A@Far"].before == ("DELIVERED(A@Far) at Far",)
    assert moved["A@Far"].after == ("EXTERNAL(Far) at Far",)
    assert after.trace("B", "A@Far").outcomes == ("EXTERNAL(Far)",)
    assert ("B", "Far") not in {*answer.reach.lost, *answer.reach.gained}
    assert reach(before)["B", "Far"] == "yes"
    assert {one.server: one.certain for one in after.reach("B").servers} == {"Far": True}
