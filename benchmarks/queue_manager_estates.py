"""A network of IBM MQ queue managers to measure on, written as MQSC; the same numbers give the same
files.

A tree: every queue manager has a transmission queue and a pair of channels for each neighbour.
Messages to a queue manager further away leave by ``DEFXMITQ`` towards the root, and on the way down
by a queue-manager alias that each queue manager has for everyone below it. Beside those, every
queue manager has as many objects as are asked for: local queues, aliases, and remote queues whose
target is far away.

::

    python benchmarks/queue_manager_estates.py 1000 50 /tmp/queue-managers
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

CHILDREN = 10
ALIASES = 5
REMOTE = 5


@dataclass(frozen=True, slots=True)
class QueueManagerEstate:
    """Queue managers by number, the root first; ``parents`` has -1 for the root. ``remote`` are
    (queue manager, queue, target queue manager).
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    queues: int
    remote: tuple[tuple[int, str, int], ...]

    def next_hop(self, here: int, target: int) -> int:
        """The neighbour on the way to another queue manager: down where it is below, else up.
        O(depth).
        """
        child = target
        while child > 0:
            if self.parents[child] == here:
                return child
            child = self.parents[child]
        return self.parents[here]

    def hops(self, here: int, target: int) -> int:
        """Channels between two queue managers."""
        found = 0
        while here != target:
            here, found = self.next_hop(here, target), found + 1
        return found


def queue_manager_estate(number: int, queues: int, seed: int = 1) -> QueueManagerEstate:
    """A tree of queue managers, each with ``queues`` queues beside those of its channels."""
    chance = random.Random(seed)
    names = tuple(f"QM{i:04d}" for i in range(number))
    parents = (-1, *((i - 1) // CHILDREN for i in range(1, number)))
    others = range(number)
    remote = tuple(
        (here, f"FAR.{place}", target)
        for here in others
        for place in range(REMOTE)
        if (target := chance.choice(others)) != here
    )
    return QueueManagerEstate(names, parents, queues, remote)


def write_queue_managers(estate: QueueManagerEstate, folder: Path) -> None:
    """One file of MQSC a queue manager."""
    folder.mkdir(parents=True)
    below: dict[int, list[int]] = {}
    for descendant in range(len(estate.names)):
        child = descendant
        while (parent := estate.parents[child]) >= 0:
            below.setdefault(parent, []).append(descendant)
            child = parent
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(estate.parents):
        children.setdefault(parent, []).append(number)
    remote: dict[int, list[tuple[str, int]]] = {}
    for here, queue, target in estate.remote:
        remote.setdefault(here, []).append((queue, target))
    for here, name in enumerate(estate.names):
        parent = estate.parents[here]
        lines = [f"* Queue manager name: {name}"]
        if parent >= 0:
            lines.append(f"ALTER QMGR DEFXMITQ('{estate.names[parent]}')")
        lines.append(f"DEFINE LISTENER('L1') TRPTYPE(TCP) PORT({20000 + here}) CONTROL(QMGR)")
        for other in (*([parent] if parent >= 0 else ()), *children.get(here, ())):
            far = estate.names[other]
            lines += [
                f"DEFINE QLOCAL('{far}') USAGE(XMITQ)",
                (
                    f"DEFINE CHANNEL('{name}.{far}') CHLTYPE(SDR) XMITQ('{far}') "
                    f"CONNAME('host{other}({20000 + other})')"
                ),
                f"DEFINE CHANNEL('{far}.{name}') CHLTYPE(RCVR)",
            ]
        for descendant in below.get(here, ()):
            hop = estate.next_hop(here, descendant)
            if hop != descendant:
                far = estate.names[descendant]
                lines.append(
                    f"DEFINE QREMOTE('{far}') RNAME(' ') RQMNAME('{far}') "
                    f"XMITQ('{estate.names[hop]}')"
                )
        for queue, target in remote.get(here, ()):
            hop = estate.names[estate.next_hop(here, target)]
            lines.append(
                f"DEFINE QREMOTE('{queue}') RNAME('APP.0') "
                f"RQMNAME('{estate.names[target]}') XMITQ('{hop}')"
            )
        lines += [f"DEFINE QALIAS('ALIAS.{i}') TARGET('APP.{i}')" for i in range(ALIASES)]
        lines += [f"DEFINE QLOCAL('APP.{i}')" for i in range(estate.queues - ALIASES - REMOTE)]
        (folder / f"{name}.mqsc").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("number", type=int, help="queue managers")
    parser.add_argument("queues", type=int, help="queues of each")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    write_queue_managers(queue_manager_estate(given.number, given.queues), given.folder)
