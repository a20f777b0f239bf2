"""What an audit tells of messages to single queues of other queue managers, beside what it tells of
those to any queue.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.questions.answers import AuditAnswer
from topograph.systems.ibm_mq.routing import any_queue
from topograph.systems.stepping import begins


def manager(name: str, *lines: str) -> str:
    own = f"DEFINE CHANNEL(K.TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('{name.lower()}')"
    first = (f"* Queue manager name: {name}", "ALTER QMGR DEADQ(DEAD) REPOS(K)")
    return "\n".join((*first, own, "DEFINE QLOCAL(DEAD)", *lines, ""))


ANY = "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(' ')"
"""An alias that clears the name of the queue manager: the cluster chooses one."""


def compared(folder: Path, before: dict[str, str], after: dict[str, str]) -> AuditAnswer:
    states = []
    for side, files in (("before", before), ("after", after)):
        (folder / side).mkdir()
        for name, text in files.items():
            (folder / side / f"{name}.mqsc").write_text(text)
        states.append(topograph.read(folder / side).within(None))
    return topograph.compare(*states)


def rows(answer: AuditAnswer) -> dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]:
    return {(one.server, one.destination): (one.before, one.after) for one in answer.outcomes}


def test_a_queue_removed_at_a_member_is_told_for_every_other_member(tmp_path: Path) -> None:
    others = {"B": manager("B"), "C": manager("C")}
    before = others | {"A": manager("A", "DEFINE QLOCAL(X)", "DEFINE QLOCAL(Y)")}
    found = rows(compared(tmp_path, before, others | {"A": manager("A", "DEFINE QLOCAL(Y)")}))
    lost = ("DELIVERED(X@A) at A",), ("DLQ(DEAD, A, 2085) at A",)
    assert found == {
        ("A", "X"): (("DELIVERED(X@A) at A",), ("REJECTED(2085) at A",)),
        ("B", "X@A"): lost,
        ("C", "X@A"): lost,
    }


def test_another_dead_letter_queue_is_told_for_queues_that_are_not_there(tmp_path: Path) -> None:
    before = {"A": manager("A"), "B": manager("B")}
    moved = before["A"].replace("DEADQ(DEAD)", "DEADQ(Y)") + "DEFINE QLOCAL(Y)\n"
    before["A"] += "DEFINE QLOCAL(Y)\n"
    assert rows(compared(tmp_path, before, before | {"A": moved})) == {
        ("B", "a queue that A does not have"): (
            ("DLQ(DEAD, A, 2085) at A",),
            ("DLQ(Y, A, 2085) at A",),
        )
    }


def test_any_queue_stands_for_those_alone_that_end_alike(tmp_path: Path) -> None:
    """B stops sending to A: what was on its way to A's dead-letter queue is held as well."""
    closed = "DEFINE QLOCAL(CLOSED) PUT(DISABLED)"
    before = {
        "A": manager("A", "DEFINE QLOCAL(X)", closed, "DEFINE CHANNEL(B.A) CHLTYPE(RCVR)"),
        "B": manager(
            "B",
            "DEFINE QLOCAL(A) USAGE(XMITQ)",
            "DEFINE CHANNEL(B.A) CHLTYPE(SDR) CONNAME('a') XMITQ(A)",
        ),
    }
    after = before | {"B": f"{before['B']}STOP CHANNEL(B.A)\n"}
    held = ("HELD(A, B, channel stopped) at B",)
    found = rows(compared(tmp_path, before, after))
    assert found["B", "any queue of A"] == (("DELIVERED(any queue of A) at A",), held)
    assert found["B", "CLOSED@A"] == (("DLQ(DEAD, A, 2051) at A",), held)
    assert ("B", "X@A") not in found


def test_each_queue_that_a_cluster_offers_is_told_where_it_is_looked_up(tmp_path: Path) -> None:
    """B leaves the cluster: what comes to it for X at any queue manager (NR11) no longer goes on to
    A, whatever becomes of Y, which A has as well."""
    offered = "DEFINE QLOCAL(X) CLUSTER(K)\nDEFINE QREMOTE(Y) RNAME(Z) RQMNAME(B) CLUSTER(K)"
    link = "DEFINE QLOCAL(B) USAGE(XMITQ)\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME(b) XMITQ(B)"
    over = "DEFINE QREMOTE(ANY) RNAME(' ') RQMNAME(ANY) XMITQ(B)"
    b = manager("B", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)", ANY)
    before = {"A": manager("A", offered, link, over), "B": b}
    after = before | {"B": b.replace("CHLTYPE(CLUSRCVR) CLUSTER(K)", "CHLTYPE(RCVR)")}
    found = rows(compared(tmp_path, before, after))
    assert found["A", "X@ANY"] == (("DELIVERED(X@A) at A",), ("DLQ(DEAD, B, 2085) at B",))


def test_why_a_queue_manager_cannot_be_named_is_told(tmp_path: Path) -> None:
    """NR14: a queue of its name that is not a transmission queue goes."""
    before = {"A": manager("A", "DEFINE QLOCAL(B)"), "B": manager("B").replace("(K)", "(K2)")}
    found = rows(compared(tmp_path, before, before | {"A": manager("A")}))
    assert found["A", "any queue of B"] == (
        ("REJECTED(2092) at A",),
        ("REJECTED(2087) at A",),
    )


ELSEWHERE = "messages to queues that other members of a cluster have"
AT_MEMBERS = "messages to queues of a cluster at members that do not have them"
SUBSCRIBED = "publications on topics that only other queue managers subscribe to"
BY_DEFAULT = "messages to queues of other queue managers that DEFXMITQ takes"


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ("DEFINE QLOCAL(Y) CLUSTER(K)", [(ELSEWHERE, 1), (AT_MEMBERS, 2)]),
        ("DEFINE SUB(S) TOPICSTR('news') DEST(X)", [(SUBSCRIBED, 1)]),
        ("ALTER QMGR DEFXMITQ(X)", [(BY_DEFAULT, 2)]),
        ("DEFINE QLOCAL(Y)", []),
    ],
)
def test_what_is_too_many_is_left_open_by_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, left_out: list[tuple[str, int]]
) -> None:
    """Of three queue managers one is changed, and what begins there is followed all the same."""
    monkeypatch.setattr(begins, "MOST_OF_A_KIND", 1)
    monkeypatch.setattr(any_queue, "MOST_OFFERED", 0)
    before = {name: manager(name, ANY) for name in "ABC"}
    before["A"] += f"DEFINE QLOCAL(X)\n{line}\n"
    answer = compared(tmp_path, before, before | {"B": manager("B", "DEFINE QLOCAL(Z)", ANY)})
    told = [
        f"{count:,} {kind} were not followed before and after: they are too many"
        for kind, count in left_out
    ]
    assert [one.because for one in answer.left_open] == told
    assert {one.polarity for one in answer.left_open} <= {"not_looked_at"}
    assert (answer.exact, answer.verdict) == ((False, "undetermined") if told else (True, "accept"))
    assert ("B", "Z") in rows(answer)
