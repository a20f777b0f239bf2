"""What a script leaves behind at its end: listeners that it stopped, and records of channel
authentication that it took away again (M-11, ML-14).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

A = """* Queue manager name: A
DEFINE QLOCAL(B) USAGE(XMITQ)
DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('b.ex(1414)') XMITQ(B)
DEFINE QREMOTE(R) RNAME(Q) RQMNAME(B) XMITQ(B)
"""
B = """* Queue manager name: B
DEFINE QLOCAL(Q)
DEFINE CHANNEL(A.B) CHLTYPE(RCVR)
DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)
"""
BLOCK = "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
OF_A = "SET CHLAUTH('A.*') TYPE(QMGRMAP) QMNAME(A) USERSRC(NOACCESS)\n"


def ends(tmp_path: Path, more: str) -> tuple[str, ...]:
    (tmp_path / "A.mqsc").write_text(A, encoding="utf-8")
    (tmp_path / "B.mqsc").write_text(B + more, encoding="utf-8")
    network = topograph.read(tmp_path).within(None)
    return tuple(network.trace("A", "queue:R").outcomes)


@pytest.mark.parametrize(
    "more",
    [
        "",
        "STOP LISTENER(L)\nSTART LISTENER(L)\n",
        "STOP LISTENER(OTHER)\n",
        f"{BLOCK}SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)\n",
        f"{BLOCK}SET CHLAUTH('*') TYPE(ADDRESSMAP) ACTION(REMOVEALL)\n",
        f"{OF_A}SET CHLAUTH('A.*') TYPE(QMGRMAP) QMNAME(A) USERSRC(CHANNEL) ACTION(REPLACE)\n",
    ],
)
def test_what_is_open_at_the_end_lets_messages_in(more: str, tmp_path: Path) -> None:
    assert ends(tmp_path, more) == ("DELIVERED(Q@B)",)


@pytest.mark.parametrize(
    "more",
    [
        "STOP LISTENER(L)\n",
        BLOCK,
        OF_A,
        f"{OF_A}SET CHLAUTH('A.*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)\n",
        f"{OF_A}SET CHLAUTH('B.*') TYPE(QMGRMAP) QMNAME(A) ACTION(REMOVE)\n",
        f"{BLOCK}SET CHLAUTH('*') TYPE(QMGRMAP) ACTION(REMOVEALL)\n",
    ],
)
def test_what_is_not_does_not(more: str, tmp_path: Path) -> None:
    assert "DELIVERED(Q@B)" not in ends(tmp_path, more)
