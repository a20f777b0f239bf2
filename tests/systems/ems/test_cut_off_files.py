"""Files that break off: what was lost is said, and no answer is certain of what it may have said
(ems.md 3.1).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import topograph
from topograph import Network

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

TOPICS = "> global\n"


def certain(network: Network) -> dict[tuple[str, str], bool]:
    """Whether a server is reached from another, of all pairs of which an answer is certain."""
    found: dict[tuple[str, str], bool] = {}
    for server in network.server_names():
        answer = network.reach(server)
        found |= {(server, entry.server): True for entry in answer.servers if entry.certain}
        found |= {(server, name): False for name in answer.unreachable}
    return found


def findings(network: Network, file: str) -> set[tuple[str, str]]:
    return {
        (row["kind"], row["severity"])
        for row in network.check().findings
        if row["source"]["file"] == file
    }


def cuts(data: bytes) -> Iterator[tuple[int, bool]]:
    """Places to cut at, and whether what is left ends as a whole file does: each line's begin,
    its middle, and before its end.
    """
    begin = 0
    for line in data.splitlines(keepends=True):
        yield begin, True
        if len(line) > 4:
            yield begin + len(line) // 2, False
            yield begin + len(line) - 1, False
        begin += len(line)


@pytest.mark.parametrize("example", ["orders", "two-1hop-zones/legal"])
def test_no_answer_over_a_file_that_is_cut_off_contradicts_that_over_the_whole_file(
    example: str, tmp_path: Path
) -> None:
    """A cut between two entries cannot be told from a shorter file; one within a line can, and
    is at least said.
    """
    folder = tmp_path / "estate"
    shutil.copytree(EXAMPLES / example, folder)
    whole = topograph.read(folder)
    answers = certain(whole)
    lost_some = 0
    for file in sorted(folder.rglob("routes.conf")):
        data, name = file.read_bytes(), file.relative_to(folder).as_posix()
        before = findings(whole, name)
        for at, as_whole in cuts(data):
            file.write_bytes(data[:at])
            cut = topograph.read(folder)
            said = findings(cut, name) - before
            if not as_whole:
                assert said, data[:at]
            if ("cut-off", "error") in said:
                lost_some += 1
                now = certain(cut)
                assert {
                    pair for pair, reached in now.items() if answers[pair] is not reached
                } == set(), data[:at]
        file.write_bytes(data)
    assert lost_some


def test_a_server_whose_routes_break_off_may_join_any_two_others(estate) -> None:
    """Neither has a route of its own: both may be the passive ends of routes that were lost
    (R4).
    """
    network = estate(
        {
            "H": {"routes.conf": "[A]\nurl=tcp://a:1\nzone_na", "topics.conf": TOPICS},
            "A": {"topics.conf": TOPICS},
            "B": {"topics.conf": TOPICS},
        }
    )
    because = "H may have routes that the loaded files do not show"
    answer = network.reach("A")
    assert (answer.servers, answer.unreachable) == ((), ())
    assert [(entry.server, entry.because) for entry in answer.undetermined] == [
        ("B", because),
        ("H", because),
    ]
    propagated = network.propagate("A", "topic:t", subscribers=["B:topic:t"])
    assert [entry.server for entry in propagated.undetermined] == ["B"]


def test_a_route_behind_a_heading_that_is_not_closed_is_an_assumption(estate) -> None:
    network = estate(
        {
            "H": {"routes.conf": "[A\nurl=tcp://a:1\n[B]\nurl=tcp://b:1\n", "topics.conf": TOPICS},
            "A": {},
            "B": {},
            "C": {},
        }
    )
    answer = network.reach("H")
    assert [entry.server for entry in answer.servers] == ["A", "B"]
    assert any(
        "the name of the route is not understood" in assumption.text
        for assumption in answer.assumptions
    ), answer
    assert {entry.server for entry in answer.undetermined} == {"C"}
    assert ("unclosed-heading", "error") in findings(network, "H/routes.conf")
