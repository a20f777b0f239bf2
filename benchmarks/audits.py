"""Changes judged before they go in: the verdict on a new route, all pairs before and after, and
whole audits.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from as_commands import ROUNDS
from estates import Estate, Link, company, write
from measurement import TOPOGRAPH, Bench, Row, milliseconds, same
from new_routes import all_interests
from peers import Peer
from processes import MIB, clocked, measure

import topograph
from topograph.audit.differences import compared
from topograph.engines.memory import MemoryEngine
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph, GraphTables
from topograph.forwarding.rows import RowWalks
from topograph.network import Network
from topograph.systems import assemble
from topograph.systems.ems.changes.new_route import NewLink, judge_on
from topograph.systems.ems.network.walks import walks_from
from topograph.systems.ems.topics.reach import differing_rows, hop_rows

T = TypeVar("T")

FEW_HUBS = 10
"""Of the estate of which every pair is compared with the peer's."""

SOURCES = 10
"""Of the large estate, compared with the peer's."""

OWNERS = 40
"""Names of which it is worked out who holds them over which path; the time for all is theirs
times as many.
"""

VERDICTS = 20
"""Verdicts of which the time of one is the average."""

MOST_MEMORY = 2048 * MIB


def audits(bench: Bench) -> Iterator[Row]:
    """The verdict, the difference of all pairs, and audits as they are asked for, of the whole
    estate and of a tenth of it.

    The estates are read from their files, without Spark. Times of this part are of the
    processor, on which other processes have less influence."""
    networks = {
        len(estate.servers): (estate, topograph.read(files).within(None))
        for estate, files in ((bench.tenth, bench.tenth_files), (bench.estate, bench.files))
    }
    estate, network = networks[len(bench.estate.servers)]
    yield from verdicts(bench, _graph(network))
    _every_pair(bench)
    yield from difference(bench, estate, _graph(network))
    for estate, network in networks.values():
        yield from whole(estate, network)
    yield from as_command(bench)


def verdicts(bench: Bench, graph: ForwardingGraph) -> Iterator[Row]:
    """One new route that closes a cycle, and one to a new server. The peers are topograph's own
    ways to all interests in the network with the route: a row of hops a server, and a walk with
    its paths a server, as names held twice are looked for."""
    walks = RowWalks(graph)
    last = bench.hubs - 1
    for title, link in {
        "closes a cycle": NewLink("S00001", f"S{last:04d}1", "WAN", "mhop"),
        "a new server": NewLink("HUB0000", "NEW", "WAN", "mhop"),
    }.items():
        verdict = judge_on(graph, walks, link)
        ours, _ = _clocked(
            lambda link=link: [judge_on(graph, walks, link) for _ in range(VERDICTS)]
        )
        ours /= VERDICTS
        widened = verdict.graph
        peer, legal = _clocked(lambda widened=widened: all_interests(widened))
        same(f"audit, a new route that {title}", verdict.verdict, "accept" if legal else "reject")
        owners = range(0, len(widened.servers), max(1, len(widened.servers) // OWNERS))
        engine = MemoryEngine(widened)
        paths, _ = _clocked(
            lambda widened=widened, owners=owners, engine=engine: [
                walks_from(widened, engine, owner, Closed(), Budget(None)) for owner in owners
            ]
        )
        paths *= len(widened.servers) / len(owners)
        size = f"{len(graph.servers):,} servers"
        yield Row(
            f"verdict on a new route, {size}: {title}, {verdict.verdict}ed",
            f"all interests recomputed {milliseconds(peer)}",
            milliseconds(ours),
            f"{peer / ours:,.0f}x",
            "≥ 500x",
            peer / ours >= 500,
        )
        yield Row(
            "the same compared with the paths of all names",
            f"{milliseconds(paths)} ({len(owners)} names, scaled)",
            milliseconds(ours),
            f"{paths / ours:,.0f}x",
        )


def difference(bench: Bench, estate: Estate, graph: ForwardingGraph) -> Iterator[Row]:
    """All ordered pairs before and after a route of a hub is gone, which separates the network,
    and after a route inside a mesh is. The graph after is new each time, as an audit has it."""
    for title, link in (
        ("a hub's route", _hub_link(estate)),
        ("a route of a mesh", _mesh_link(estate)),
    ):
        seconds, found = [], None
        for _ in range(3):
            after = _without(graph, link)
            taken, found = _clocked(lambda after=after: compared(graph, after, Budget(None)))
            seconds.append(taken)
        ours = sorted(seconds)[1]
        rows, _ = _clocked(lambda after=after: [_rows(one) for one in (graph, after)])
        _as_the_peer(estate, link, graph, after, found.reach.lost_count)
        yield Row(
            (
                f"all pairs before and after {title} is deleted, {bench.size}: "
                f"{found.reach.lost_count:,} lost"
            ),
            f"all rows of both, counted {milliseconds(rows)}",
            milliseconds(ours),
            f"{rows / ours:.1f}x",
            "≤ 2 s",
            ours <= 2,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    yield Row(
        "the same, peak memory of the process so far",
        "",
        f"{peak / MIB:,.0f} MB",
        "",
        "≤ 2,048 MB",
        peak <= MOST_MEMORY,
    )


def whole(estate: Estate, network: Network) -> Iterator[Row]:
    """Audits as users ask for them, of a network that is read, and without a limit of time."""
    for title, (server, script) in _scripts(estate).items():
        began = time.perf_counter()
        ours, answer = _clocked(
            lambda server=server, script=script: network.audit(script, at=server)
        )
        by_clock = time.perf_counter() - began
        yield Row(
            f"audit of {title}, {len(estate.servers):,} servers: {answer.verdict}, "
            f"{answer.reach.lost_count:,} pairs lost, "
            f"{len(answer.would_lose) + len(answer.would_gain):,} deliveries differ",
            "",
            f"{milliseconds(ours)} of the processor, {milliseconds(by_clock)} by the clock",
        )


def as_command(bench: Bench) -> Iterator[Row]:
    """``topograph audit`` as a process, on a snapshot of the tenth."""
    peer = [sys.executable, "-c", "import click, pyarrow"]
    scripts = _scripts(bench.tenth)
    for title in ("a hub's route deleted", "a selector changed"):
        server, script = scripts[title]
        file = bench.folder / f"{title.replace(' ', '-')}.txt"
        file.write_text(script)
        command = [
            TOPOGRAPH,
            "audit",
            "--change",
            f"{server}={file}",
            "-s",
            str(bench.tenth_snapshot),
        ]
        clocked(command, bench.environment)
        runs = [
            [clocked(words, bench.environment) for words in (peer, command)] for _ in range(ROUNDS)
        ]
        (bare, ours), (bare_used, used) = (
            [min(run[n][which] for run in runs) for n in (0, 1)] for which in (0, 1)
        )
        peak = measure(command, bench.environment, every=0.01).own_peak
        yield Row(
            f"topograph audit as a command, {title}, {len(bench.tenth.servers):,} servers",
            f"python -c 'import click, pyarrow' {milliseconds(bare)}",
            f"{milliseconds(ours)}, {milliseconds(used)} of the processor, {peak / MIB:,.0f} MB",
            f"{ours / bare:.1f}x the time, {used / bare_used:.1f}x the processor's",
        )


def _graph(network: Network) -> ForwardingGraph:
    return next(part.graph for part in network._model.parts if part.system.name == "ems")


def _clocked(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds of the processor that some work takes once, and its result."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def _hub_link(estate: Estate) -> Link:
    """The first route of the first hub to another hub."""
    return next(
        link
        for link in estate.links
        if link.zone == "WAN" and estate.servers[0] in (link.a, link.b)
    )


def _mesh_link(estate: Estate) -> Link:
    return next(
        link
        for link in estate.links
        if link.zone != "WAN" and estate.servers[0] in (link.a, link.b)
    )


def _scripts(estate: Estate) -> dict[str, tuple[str, str]]:
    """(server, commands) of changes."""
    hub = _hub_link(estate)
    chosen = [link for link in estate.links if link.zone == "WAN" and link.selector][3]
    near, far = estate.servers[1], estate.servers[-1]
    route = (
        f"create route {far} url=tcp://{far.lower()}.example.net:7222 zone_name=WAN "
        "zone_type=mhop\n"
    )
    return {
        "a new route": (near, route),
        "a hub's route deleted": (hub.a, f"delete route {hub.b}\n"),
        "a selector changed": (
            chosen.a,
            f'setprop route {chosen.b} outgoing_topic=orders selector="shard <> 3"\n',
        ),
    }


def _without(graph: ForwardingGraph, link: Link) -> ForwardingGraph:
    """The graph without a link, assembled anew."""
    keys = {f"{link.a}|{link.b}", f"{link.b}|{link.a}"}
    gone = next(point.link for point in graph.points if point.key in keys)
    points = [point for point in graph.points if point.link != gone]
    links = [one for number, one in enumerate(graph.links) if number != gone]
    return assemble(GraphTables(graph.system, graph.servers, points, graph.guards, links))


def _rows(graph: ForwardingGraph) -> int:
    return sum(int((row > 0).sum()) for row in hop_rows(graph, RowWalks(graph), Budget(None)))


def _apart(estate: Estate, link: Link) -> tuple[Peer, Peer]:
    return Peer(estate), Peer(
        replace(estate, links=tuple(one for one in estate.links if one is not link))
    )


def _lost_from(peers: tuple[Peer, Peer], server: str) -> set[str]:
    was, now = (peer.servers(peer.descendants(server)) - {server} for peer in peers)
    return was - now


def _as_the_peer(
    estate: Estate, link: Link, before: ForwardingGraph, after: ForwardingGraph, lost: int
) -> None:
    """Some rows that differ beside those of networkx, and the number of all lost pairs: both
    ways between the two sides of the link, or from and to one member of a mesh."""
    peers = _apart(estate, link)
    rows = {start: row for start, row, _ in differing_rows(before, after, Budget(None))}
    names = sorted(estate.servers)
    for server in estate.servers[:: max(1, len(estate.servers) // SOURCES)]:
        row = rows.get(names.index(server))
        ours = set() if row is None else {names[end] for end in row.ends[row.lost].tolist()}
        same(f"pairs lost from {server}", ours, _lost_from(peers, server))
    counted = sum(len(row.lost) for row in rows.values())
    same("pairs lost", lost, counted)


def _every_pair(bench: Bench) -> None:
    """Every pair of a small estate after every route is deleted on its own, beside networkx."""
    estate = company(min(FEW_HUBS, bench.hubs))
    folder = bench.folder / "every-pair"
    write(estate, folder)
    graph = _graph(topograph.read(folder))
    tree = [link for link in estate.links if link.zone == "WAN"]
    for link in [*tree, _mesh_link(estate)]:
        found = compared(graph, _without(graph, link), Budget(None)).reach
        peers = _apart(estate, link)
        lost = {(server, end) for server in estate.servers for end in _lost_from(peers, server)}
        same(
            f"pairs lost with {link.a}-{link.b}",
            (set(found.lost), found.lost_count),
            (lost, len(lost)),
        )
        same(f"pairs gained with {link.a}-{link.b}", found.gained_count, 0)
