"""What every single failure of a server or a route does: one pass over the network beside one
recomputation for each failure.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np
from estates import company, write
from measurement import Bench, Row, milliseconds, same, timed
from numpy.typing import NDArray

import topograph
from topograph.forwarding.all_pairs import hop_row
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.network import Network
from topograph.systems.contract.system import Estate, Failure

HUBS = 100
"""Of the estate of 1,000 servers for which the goal is stated."""

FEW_HUBS = 10
"""Of the estate on which the peer works out every failure."""

SAMPLE = 30
"""Failures of the large estate that the peer works out; its time for all of them is theirs times
as many.
"""

TOPICS = 200
"""Subscribed topics in the second measurement, each with a subscriber at every fiftieth server."""


def failures(bench: Bench) -> Iterator[Row]:
    """The sweep by tree, with the network loaded and nothing kept from an earlier question.

    The peer is topograph's own fastest way to all pairs, walked once more without what failed: for
    every failure of the smaller estate, and for a sample of the large one, of the worst, the least
    and others at random. Every count that is compared with it is also compared with what the
    failure does when it is asked about alone.
    """
    hubs = min(HUBS, bench.hubs)
    for number, sample in ((min(FEW_HUBS, hubs), 0), (hubs, SAMPLE)):
        folder = bench.folder / f"failing-{number}-{sample}"
        write(company(number), folder)
        for title, clients in (
            ("nobody known to subscribe", ""),
            (f"{TOPICS} topics with subscribers", _clients(number)),
        ):
            (folder / "topograph.yaml").write_text(clients)
            yield swept(topograph.read(folder), title, sample)


def swept(network: Network, title: str, sample: int = 6) -> Row:
    """The sweep of one network; the peer works out ``sample`` failures, 0: all."""
    part = next(part for part in network._model.parts if part.system.name == "ems")
    graph, estate = part.graph, part.estate
    walker = RowWalks(graph)
    ours, found = timed(lambda: estate.failures(graph, walker).sweep(Budget(None)), 3)
    if found.not_counted:
        raise AssertionError(f"{len(found.not_counted)} failures were not counted")
    before = _pairs(graph, Closed())
    rows = list(found.counted)
    chosen = (
        rows
        if not sample
        else [rows[0], rows[-1], *random.Random(1).sample(rows[1:-1], min(sample, len(rows)) - 2)]
    )
    began = time.perf_counter()
    peer = {row.failed: _lost(graph, before, *_closed(graph, estate, row.failed)) for row in chosen}
    seconds = (time.perf_counter() - began) / len(chosen) * len(rows)
    same(f"sweep, {title}", {row.failed: row.lost for row in chosen}, peer)
    judged = estate.failures(graph, walker)
    for row in chosen:
        effect = judged.effect(_failure(row.failed), Budget(None))
        counts = (
            len(effect.lost),
            *(
                sum(one.pairs for one in effect.interrupted if one.kept is kept)
                for kept in (False, True)
            ),
            sum(one.pairs for one in effect.interrupted if one.duplicates),
            sum(one.destination.startswith("queue:") for one in effect.interrupted),
        )
        same(
            f"{row.failed}, {title}",
            (row.lost, row.gaps, row.retained, row.duplicates, row.queues),
            counts,
        )
    how = f"all pairs recomputed for each, {seconds:,.0f} s" + (
        f" by {len(chosen)} of them" if sample else ""
    )
    large = bool(sample)
    return Row(
        (
            f"every single failure of {len(graph.servers):,} servers and "
            f"{len(graph.links):,} routes: {title}"
        ),
        how,
        milliseconds(ours),
        f"{seconds / ours:,.0f}x",
        "≥ 100x" if large else "",
        seconds / ours >= 100 if large else None,
    )


def _clients(hubs: int) -> str:
    servers = company(hubs).servers
    lines = ["clients:"]
    for number in range(TOPICS):
        lines += [
            f"  - {{server: {server}, destination: 'topic:part.{number}', role: subscriber}}"
            for server in servers[number % 50 :: 50]
        ]
    lines += [
        f"  - {{server: {server}, destination: 'topic:orders', role: subscriber}}"
        for server in servers[::50]
    ]
    return "\n".join(lines) + "\n"


def _failure(label: str) -> Failure:
    kind, _, name = label.partition(":")
    if kind == "server":
        return Failure(servers=frozenset([name]))
    return Failure(links=frozenset([frozenset(name.split("-"))]))


def _closed(graph: ForwardingGraph, estate: Estate, label: str) -> tuple[Closed, str]:
    closed = estate.without(_failure(label), graph)
    assert isinstance(closed, Closed)
    return closed, label


def _pairs(graph: ForwardingGraph, closed: Closed) -> NDArray[np.bool_]:
    row = hop_row(graph, closed)
    found = np.zeros((len(graph.servers), len(graph.servers)), np.bool_)
    for server in range(len(graph.servers)):
        hops = row(server)
        assert hops is not None
        found[server] = hops > 0
    return found


def _lost(graph: ForwardingGraph, before: NDArray[np.bool_], closed: Closed, label: str) -> int:
    """The ordered pairs of living servers that lose each other."""
    gone = before & ~_pairs(graph, closed)
    failed = [graph.server_number[name] for name in _failure(label).servers]
    gone[failed] = False
    gone[:, failed] = False
    return int(gone.sum())
