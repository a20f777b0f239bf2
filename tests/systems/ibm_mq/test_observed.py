"""What output of running queue managers adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from systems.ibm_mq.defined import LINK, RECEIVER, rules

import topograph

SHOWN = """     1 : DISPLAY QMGR ALL
AMQ8408I: Display Queue Manager details.
   QMNAME(SEEN)                            DEADQ(DEAD.LETTERS)
     2 : DISPLAY CHANNEL(*) ALL
AMQ8414I: Display Channel details.
   CHANNEL(SYSTEM.DEF.SERVER)              CHLTYPE(SVR)
   CONNAME( )                              XMITQ( )
"""


def test_output_that_shows_no_queue_says_nothing_of_the_queues(tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text(SHOWN)
    network = topograph.read(tmp_path)
    for destination in ("queue:ORDERS", "ORDERS@ELSEWHERE"):
        answer = network.trace("SEEN", destination)
        assert answer.outcome == "UNDETERMINED"
        assert answer.outcomes == ("UNDETERMINED",)
        assert "no loaded file shows the queues of SEEN" in answer.steps[-1].text
    # What others begin as is never started, and a dead-letter queue may be there.
    assert [(row["rule"], row["kind"]) for row in network.show("findings").to_dict()["rows"]] == []


def test_output_says_that_a_queue_is_not_there_where_it_shows_all_queues(tmp_path: Path) -> None:
    queue = (
        "     3 : DISPLAY {what} ALL\nAMQ8409I: Display Queue details.\n   "
        "QUEUE(DEAD.LETTERS)                     TYPE(QLOCAL)\n3 MQSC commands read.\n"
    )
    outcomes = {}
    for what in ("QUEUE(*)", "QLOCAL(*)", "QUEUE(DEAD*)", "QUEUE(*) WHERE(CURDEPTH GT 0)"):
        (tmp_path / "seen.txt").write_text(SHOWN + queue.format(what=what))
        network = topograph.read(tmp_path)
        there = network.trace("SEEN", "queue:DEAD.LETTERS")
        assert there.outcomes == ("DELIVERED(DEAD.LETTERS@SEEN)",)
        outcomes[what] = network.trace("SEEN", "queue:ORDERS").outcomes
    assert outcomes == {
        "QUEUE(*)": ("REJECTED(2085)",),
        "QLOCAL(*)": ("UNDETERMINED",),
        "QUEUE(DEAD*)": ("UNDETERMINED",),
        "QUEUE(*) WHERE(CURDEPTH GT 0)": ("UNDETERMINED",),
    }


def test_channels_are_shown_with_the_states_in_which_they_were_observed(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(STOPPED)\nOne MQSC command read.\n"
    )
    network = estate(A=LINK, B=f"DEFINE QLOCAL(X)\n{RECEIVER}")
    assert {(row["server"], row["observed"]) for row in network.show("channels").rows} == {
        ("A", "STOPPED"),
        ("B", ""),
    }
    (finding,) = (one for one in network.check().findings if one["rule"] == "M-11")
    assert "stopped when it was observed: messages for it wait on XQ" in str(finding["message"])
    assert (finding["severity"], finding["source"]["file"]) == ("warning", "status.txt")


def test_a_stopped_channel_is_cited_where_a_queue_manager_is_not_reached(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(STOPPED)\nOne MQSC command read.\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}",
    )
    answers = (
        network.reach("A"),
        network.reach("A", "B"),
        network.paths("A", "B"),
        network.hops("A", "B"),
    )
    for answer in answers:
        assert [(one.rule, str(one.source)) for one in answer.warnings] == [
            ("M-11", "status.txt:3")
        ]
    assert network.reach("B", "A").warnings[0].rule == "M-11"


QUEUE_SHOWN = """Starting MQSC for queue manager A.
     1 : DISPLAY QUEUE(*) ALL
AMQ8409I: Display Queue details.
   QUEUE(Q)                                TYPE(QLOCAL)
   CURDEPTH({depth})                             MAXDEPTH(5)
   PUT(ENABLED)                            CRDATE(2024-01-02)
One MQSC command read.
"""
QUEUE_STATUS = """Starting MQSC for queue manager A.
     1 : DISPLAY QSTATUS(*)
AMQ8450I: Display queue status details.
   QUEUE(Q)                                TYPE(QUEUE)
   CURDEPTH({depth})
One MQSC command read.
"""


@pytest.mark.parametrize(
    "output", [QUEUE_SHOWN, QUEUE_STATUS], ids=["DISPLAY QUEUE", "DISPLAY QSTATUS"]
)
@pytest.mark.parametrize(("depth", "outcome"), [(5, "REJECTED(2053)"), (4, "DELIVERED(Q@A)")])
def test_a_queue_is_full_as_it_was_observed(
    estate: Any, tmp_path: Path, output: str, depth: int, outcome: str
) -> None:
    (tmp_path / "observed.txt").write_text(output.format(depth=depth))
    more = {"A": "DEFINE QLOCAL(Q) MAXDEPTH(5)"} if output == QUEUE_STATUS else {}
    answer = estate(**more).trace("A", "queue:Q")
    assert answer.outcomes == (outcome,)
    assert ["observed.txt" in one.text for one in answer.assumptions if one.rule == "M-06"] == [
        True
    ] * (depth == 5)


def test_definitions_in_two_files_are_reported_where_they_differ_in_what_decides_about_routing(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "Z.txt").write_text(QUEUE_SHOWN.format(depth=0))
    network = estate(A="DEFINE QLOCAL(Q) MAXDEPTH(5)")
    assert [one for one in network.check().findings if one["rule"] == "C-9"] == []
    assert "C-9" not in rules(network.trace("A", "queue:Q"))
    network = estate(A="DEFINE QLOCAL(Q) MAXDEPTH(5) PUT(DISABLED)")
    (finding,) = (one for one in network.check().findings if one["rule"] == "C-9")
    assert (finding["severity"], finding["source"]["file"]) == ("error", "Z.txt")
    assert "defined in A.mqsc:3:1, too" in str(finding["message"])
    assert "C-9" in rules(network.trace("A", "queue:Q"))


def test_a_channel_that_was_seen_trying_is_supposed_to_get_its_connection(
    estate: Any, tmp_path: Path
) -> None:
    (tmp_path / "status.txt").write_text(
        "Starting MQSC for queue manager A.\n     1 : DISPLAY CHSTATUS(*)\nAMQ8417I: "
        "Display Channel Status details.\n"
        "   CHANNEL(C)                              CHLTYPE(SDR)\n   "
        "STATUS(RETRYING)\nOne MQSC command read.\n"
    )
    network = estate(
        A=f"{LINK}\nDEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
        B=f"DEFINE QLOCAL(X)\n{RECEIVER}",
    )
    answer = network.trace("A", "queue:R")
    assert answer.outcomes == ("DELIVERED(X@B)",)
    (supposed,) = (one for one in answer.assumptions if one.rule == "M-11")
    assert "was retrying when it was observed (status.txt:3)" in supposed.text
    assert [one["kind"] for one in network.check().findings if one["rule"] == "M-11"] == [
        "channel-not-running"
    ]
