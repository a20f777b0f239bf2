"""``reach``, ``hops`` and ``paths``: which servers a message from one server can get to, how far, by which way."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from topograph.errors import UsageError
from topograph.forwarding.graph import ForwardingGraph
from topograph.forwarding.reached import Reached
from topograph.forwarding.simple import Budget, Path
from topograph.questions.answers import (
    Caution,
    HopsAnswer,
    HopsMatrixAnswer,
    PathsAnswer,
    ReachAnswer,
    Undetermined,
)
from topograph.questions.model import Model, Part
from topograph.questions.steps import (
    PathBook,
    assumptions,
    doubled,
    incomplete_servers,
    stopped,
)
from topograph.systems import answering

MATRIX_LIMIT = 2_000
"""Servers up to which ``hops --matrix`` is one answer; beyond, ``hop_rows`` gives it row by row."""


def reach(model: Model, from_: str, to: str | None = None, *, reply: bool = False) -> ReachAnswer:
    """Which servers a message published at ``from_`` can reach by routes and zones, topics and selectors left aside.

    With ``to`` the answer is about that one server. ``reply``: paths run from the other server back to ``from_``, as a reply to a
    temporary topic of ``from_`` does (R91). Raises UnknownServer. Linear in what is visited, on a legal network.
    """
    part = model.part_of(from_)
    foreign = to is not None and model.pair(from_, to) is None
    graph = part.graph
    system = answering(part.system)
    start = graph.server_number[from_]
    found: Reached = system.reach_from(graph, part.engine, start, Budget())
    wanted = None if to is None or foreign else graph.server_number[to]
    numbers = range(len(graph.servers)) if to is None else [wanted] if wanted is not None else []
    paths = {n: found.paths[n] for n in numbers if n in found.paths}
    if reply:
        paths = {n: system.turned(graph, path) for n, path in paths.items()}
    book = PathBook(graph)
    unreachable = [
        graph.servers[n].name for n in numbers if n != start and n not in found.paths and n not in found.undetermined
    ]
    if foreign and to is not None:
        unreachable.append(to)
    return ReachAnswer(
        **_common(model, part, found, paths.values()),
        from_=from_,
        to=to,
        servers=tuple(_by_name(book.reached(path), graph, n) for n, path in sorted(paths.items())),
        unreachable=tuple(sorted(unreachable)),
        undetermined=_undetermined(graph, {n: found.undetermined[n] for n in numbers if n in found.undetermined}),
        stopped=tuple(stopped(graph, stop) for stop in system.stops(graph, part.engine, found))
        if to in unreachable and not foreign
        else (),
        reply=reply,
    )


def _by_name(entry: Any, graph: ForwardingGraph, number: int) -> Any:
    """The entry under the server's name: with ``reply`` the path ends at the server asked from."""
    name = graph.servers[number].name
    if entry.server == name:
        return entry
    return dataclasses.replace(entry, server=name)


def _common(model: Model, part: Part, found: Reached, paths: Any) -> dict[str, Any]:
    paths = list(paths)
    graph = part.graph
    on_paths = {found.start, *graph.point_server[list(set().union(*paths))].tolist()}
    cautions = (*model.warnings, *incomplete_servers(graph, on_paths), *(doubled(graph) if found.doubled else ()))
    return {
        **model.common(part),
        "exact": found.exact,
        "assumptions": assumptions(graph, paths),
        "warnings": cautions,
    }


def _undetermined(graph: ForwardingGraph, entries: dict[int, tuple[str, Any]]) -> tuple[Undetermined, ...]:
    return tuple(
        Undetermined(graph.servers[n].name, because, source) for n, (because, source) in sorted(entries.items())
    )


def hops(model: Model, from_: str, to: str) -> HopsAnswer:
    """How many routes a message from ``from_`` to ``to`` traverses, and how many inside each zone (R15). Raises UnknownServer."""
    part = model.part_of(from_)
    base: dict[str, Any] = {"from_": from_, "to": to}
    if model.pair(from_, to) is None:
        return HopsAnswer(**model.common(part), **base, reachable=False, route_hops=None, zone_hops=())  # type: ignore[arg-type]
    graph = part.graph
    start, end = graph.server_number[from_], graph.server_number[to]
    found: Reached = answering(part.system).reach_from(graph, part.engine, start, Budget())
    path: Path | None = (start,) if start == end else found.paths.get(end)
    common = _common(model, part, found, [path] if path else [])
    if path is None:
        unknown = end in found.undetermined
        if unknown:
            because, source = found.undetermined[end]
            common["warnings"] = (*common["warnings"], Caution("undetermined", because, source))
        return HopsAnswer(**common, **base, reachable="unknown" if unknown else False, route_hops=None, zone_hops=())
    book = PathBook(graph)
    return HopsAnswer(
        **common,
        **base,
        reachable=True,
        route_hops=len(path) - 1,
        zone_hops=book.zone_hops(path),
        cost=book.cost(path),
    )


def hop_rows(model: Model) -> Iterator[tuple[str, list[int | None]]]:
    """``hops --matrix`` row by row: (server, hops to every server in name order, None where not certainly reached). Memory of one row."""
    names = model.server_names()
    place = {name: number for number, name in enumerate(names)}
    for part in model.parts:
        columns = np.array([place[server.name] for server in part.graph.servers], np.int64)
        rows = answering(part.system).hop_rows(part.graph, part.engine, Budget())
        for server, row in zip(part.graph.servers, rows, strict=True):
            whole = np.full(len(names), -1, row.dtype)
            whole[columns] = row
            hops = whole.tolist()
            yield server.name, [None if hop < 0 else hop for hop in hops] if (whole < 0).any() else hops


def hops_matrix(model: Model) -> HopsMatrixAnswer:
    """Hops between all ordered pairs. Raises UsageError above MATRIX_LIMIT servers (``hop_rows`` has no limit)."""
    names = model.server_names()
    if len(names) > MATRIX_LIMIT:
        raise UsageError(
            f"{len(names)} servers make a matrix of {len(names) ** 2:,} entries; ask for it row by row with --format jsonl "
            "(in Python: Network.hop_rows())."
        )
    rows = dict(hop_rows(model))
    return dataclasses.replace(hops_head(model), hops=tuple(tuple(rows[name]) for name in names))


def hops_head(model: Model) -> HopsMatrixAnswer:
    """``hops_matrix`` without its rows: what is said of the whole matrix where ``hop_rows`` gives it row by row."""
    common = model.common()
    # The matrix is one breadth-first search a server over the compressed rows; no other engine walks it.
    common["engine"] = "memory"
    return HopsMatrixAnswer(
        **common,  # type: ignore[arg-type]
        warnings=model.warnings,
        servers=model.server_names(),
        hops=(),
        undetermined=tuple(sorted(s.name for part in model.parts for s in part.graph.servers if s.open_ended)),
    )


def paths(model: Model, from_: str, to: str, maximum: int = 10) -> PathsAnswer:
    """The permitted paths from ``from_`` to ``to``, shortest first; more than one only on an illegal network (R20, A1).

    Raises UnknownServer; UsageError for a maximum below 1.
    """
    if maximum < 1:
        raise UsageError("--max takes a number of paths from 1 up.")
    part = model.part_of(from_)
    base: dict[str, Any] = {"from_": from_, "to": to}
    if model.pair(from_, to) is None or from_ == to:
        return PathsAnswer(**model.common(part), **base, paths=(), truncated=False)  # type: ignore[arg-type]
    graph = part.graph
    start, end = graph.server_number[from_], graph.server_number[to]
    system = answering(part.system)
    found = system.all_paths(graph, part.engine, start, end, maximum, Budget())
    open_ended = system.reach_from(graph, part.engine, start, Budget()).undetermined
    on_paths = {graph.points[point].server for path in found.paths for point in path}
    unloaded = tuple(
        Caution(
            "TL-16",
            f"{graph.servers[n].name}: {graph.servers[n].incomplete}; paths over it are not certain",
            graph.servers[n].source,
        )
        for n in sorted(on_paths)
        if not graph.servers[n].loaded
    )
    return PathsAnswer(
        **model.common(part),  # type: ignore[arg-type]
        **base,
        exact=found.exact,
        assumptions=assumptions(graph, found.paths),
        warnings=(
            *model.warnings,
            *incomplete_servers(graph, on_paths),
            *unloaded,
            *(doubled(graph) if len(found.paths) > 1 else ()),
        ),
        paths=tuple(map(PathBook(graph).found, found.paths)),
        truncated=found.truncated,
        undetermined=_undetermined(graph, {end: open_ended[end]} if end in open_ended else {}),
    )
