"""Trees of queue managers, of a number."""

from __future__ import annotations

import random
from pathlib import Path

import topograph
from topograph.network import Network


def a_tree(folder: Path, number: int, size: int = 9) -> Network:
    """Queue managers in a tree: up by DEFXMITQ, down by aliases, with remote queues, of which
    some channels have two ends that run and some queues are read by two channels."""
    folder.mkdir()
    chance = random.Random(number)
    parents = [-1, *(chance.randrange(at) for at in range(1, size))]
    lines: list[list[str]] = [[f"* Queue manager name: Q{at}"] for at in range(size)]
    for at in range(size):
        lines[at] += [
            f"DEFINE LISTENER(L{at}) TRPTYPE(TCP) PORT({1400 + at}) CONTROL(QMGR)",
            "DEFINE QLOCAL(APP)",
            f"DEFINE QREMOTE(FAR) RNAME(APP) RQMNAME(Q{chance.randrange(size)})",
            "DEFINE QALIAS(NEAR) TARGET(FAR)",
        ]
    for at, parent in enumerate(parents):
        if parent < 0:
            continue
        if chance.random() < 0.8:
            lines[at].append(f"ALTER QMGR DEFXMITQ(Q{parent})")
        for here, there in ((at, parent), (parent, at)):
            names = ["TO"] if chance.random() < 0.8 else ["TO", "ALSO"]
            lines[here].append(f"DEFINE QLOCAL(Q{there}) USAGE(XMITQ)")
            for name in names:
                channel = f"Q{here}.{name}.Q{there}"
                lines[here].append(
                    f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) XMITQ(Q{there}) "
                    f"CONNAME('h({1400 + there})')"
                )
                lines[there].append(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)")
        below = parent
        while (above := parents[below]) >= 0:
            lines[above].append(f"DEFINE QREMOTE(Q{at}) RNAME(' ') RQMNAME(Q{at}) XMITQ(Q{below})")
            below = above
    for at, own in enumerate(lines):
        (folder / f"q{at}.mqsc").write_text("\n".join([*own, ""]))
    return topograph.read(folder)
