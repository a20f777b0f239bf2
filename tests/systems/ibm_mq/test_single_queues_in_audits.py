"""What an audit tells of messages to single queues of other queue managers, beside what it tells of
those to any queue.
"""

from __future__ import annotations

from pathlib import Path

import topograph
from topograph.questions.answers import AuditAnswer


def manager(name: str, *lines: str) -> str:
    own = f"DEFINE CHANNEL(K.TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('{name.lower()}')"
    first = (f"* Queue manager name: {name}", "ALTER QMGR DEADQ(DEAD) REPOS(K)")
    return "\n".join((*first, own, "DEFINE QLOCAL(DEAD)", *lines, ""))


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
