"""``reach``, ``hops`` and ``paths``: which servers a message from one server can get to, how
far, by which way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topograph.assumptions import Assumption
from topograph.errors import UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Bools, ForwardingGraph
from topograph.forwarding.path_tree import PathTree
from topograph.forwarding.reached import LEFT_OPEN, NOT_DECIDED, PathList, Reached
from topograph.forwarding.simple import Path
from topograph.inexact import Inexact, budget_ended, links_open, not_loaded
from topograph.questions.answers import (
    Caution,
    HopsAnswer,
    HopsMatrixAnswer,
    PathFound,
    PathsAnswer,
    ReachAnswer,
    ReachedServer,
    Stopped,
    Undetermined,
)
from topograph.questions.cautions import (
    cut_off,
    doubled,
    incomplete_servers,
    long_replies,
    observed_stops,
    open_links,
)
from topograph.questions.doubts import decided_if, with_assumed, would_need
from topograph.questions.model import Model, Part, Place, answered, cut, ended, within_budget
from topograph.questions.no_link import no_link
from topograph.questions.reached_servers import certain_tree, reached_servers
from topograph.questions.steps import PathBook, stopped
from topograph.questions.why_not import why_not_from
from topograph.systems.contract.system import Holding
from topograph.systems.registry import not_connected
from topograph.tracing.assembly import is_certain, is_later, not_decided
from topograph.tracing.assumptions import assumptions_at, assumptions_of, network_assumptions

MATRIX_LIMIT = 2_000
"""Servers up to which ``hops --matrix`` is one answer; beyond, ``hop_rows`` gives it row by row."""

UNKNOWN = "unknown"
"""What stands in the hop matrix where the budget ended before it was known whether a server is
reached, or by how many hops.
"""

Hops = int | str | None

AT_RUN_TIME = (
    "whether a message gets there is decided at run time; `topograph paths` shows the paths"
)
"""Why there is no certain number of hops to a server that is reached by choice only."""


@within_budget
def reach(
    model: Model, budget: Budget, from_: str, to: str | None = None, reply: bool = False
) -> ReachAnswer:
    """Which servers a message published at ``from_`` can reach by routes and zones, topics and
    selectors left aside.

    With ``to`` the answer is about that one server. ``reply``: paths run from the other server back
    to ``from_``, as a reply to a temporary topic of ``from_`` does (R91). A server of another
    system is undetermined: nothing configured leads there. Raises UnknownServer. Linear in what is
    visited, on a legal network.
    """
    start = model.locate(from_)
    end = None if to is None else model.locate(to)
    part, graph = start.part, start.part.graph
    found = _reached(part, start.number, budget)
    others = () if len(model.parts) == 1 else model.places() if end is None else (end,)
    foreign = [place for place in others if place.part is not part]
    numbers = () if foreign and end is not None else None if end is None else (end.number,)
    unreachable, open_ = _asked(part, found, numbers)
    asked = start.number, *unreachable
    servers: Sequence[ReachedServer]
    tree = None if numbers is not None or reply else certain_tree(part, found)
    if tree is not None:
        servers = reached_servers(part, tree)
        common = _common(model, part, found, tree, budget, asked, open_)
    else:
        paths = (
            dict(found.paths.items())
            if numbers is None
            else {n: found.paths[n] for n in numbers if n in found.paths}
        )
        if reply:
            paths = {n: _way_back(part, found, n, budget) for n in paths}
        book = PathBook(part, reply=reply)
        book.look_up(paths.values())
        servers = tuple(
            _at(book.reached(path), part, n, path, found) for n, path in sorted(paths.items())
        )
        common = _common(model, part, found, paths.values(), budget, asked, open_, reply=reply)
    undetermined = _undetermined(part, open_, found)
    if found.beyond is not None and end is None and not undetermined:
        common |= {
            "exact": False,
            "inexact_because": (*common["inexact_because"], not_loaded(found.beyond[:1])),
            "warnings": (*common["warnings"], Caution("not-loaded", *found.beyond)),
        }
    stops = _reach_stops(part, found, end, unreachable, open_, reply=reply)
    return ReachAnswer(
        **common,
        from_=start.name,
        system=start.system,
        to=end.name if end else None,
        to_system=end.system if end else "",
        servers=servers,
        unreachable=tuple(sorted(graph.servers[n].name for n in unreachable)),
        undetermined=(
            *undetermined,
            *(_foreign(start, place, alone=end is not None) for place in foreign),
        ),
        stopped=stops,
        reply=reply,
        why_not=None if reply else why_not_from(start, found, stopped=bool(stops)),
    )


def _asked(
    part: Part, found: Reached, numbers: Sequence[int] | None
) -> tuple[list[int], dict[int, tuple[str, Source]]]:
    """Of the servers of these numbers (None: all), in order, those that are certainly not reached,
    and those that are left open, with the reason."""
    if numbers is None:
        others = set(range(len(part.graph.servers))).difference(found.paths, found.undetermined)
        return sorted(others - {found.start}), dict(sorted(found.undetermined.items()))
    unreachable = [
        n
        for n in numbers
        if n != found.start and n not in found.paths and n not in found.undetermined
    ]
    return unreachable, {n: found.undetermined[n] for n in numbers if n in found.undetermined}


def _reach_stops(
    part: Part,
    found: Reached,
    end: Place | None,
    unreachable: Collection[int],
    left_open: Collection[int],
    *,
    reply: bool,
) -> tuple[Stopped, ...]:
    """Where messages end that do not get to the server asked about, or, where none is, to any
    of those that are not reached: also where an assumption decides that. Nothing where the budget
    cut the walk, or for replies, which end elsewhere. Linear in the links."""
    if end is not None and (unreachable or _stopped_under_assumption(part, found, end)):
        return _stops(part, found, end.number)
    if reply or not found.exact:
        return ()
    decided = [n for n in left_open if n in found.decided and not found.decided[n].reached]
    ends = frozenset((*unreachable, *decided))
    return _shown_stops(part, found, ends) if ends else ()


def _stops_before(part: Part, found: Reached, end: Place, *, unknown: bool) -> tuple[Stopped, ...]:
    """Where messages end that do not get to one server, which is not reached or of which that is
    ``unknown``, as ``reach`` says it."""
    unreachable, left_open = ((), (end.number,)) if unknown else ((end.number,), ())
    return _reach_stops(part, found, end, unreachable, left_open, reply=False)


def _stopped_under_assumption(part: Part, found: Reached, end: Place) -> bool:
    """Whether a server is not reached under an assumption about the object at which messages end:
    what stops them there is said as where nothing is assumed.
    """
    decided = found.decided.get(end.number) if end.part is part else None
    return part.form == "stepping" and decided is not None and not decided.reached


def _stops(part: Part, found: Reached, end: int) -> tuple[Stopped, ...]:
    """Why a message does not get to a server: the links at which it ends, each with the path
    that leads there; without one, that no link leads on.
    """
    graph = part.graph
    return _shown_stops(part, found, (end,)) or (
        stopped(PathBook(part), graph, no_link(graph, found, end), (found.start,)),
    )


def _shown_stops(part: Part, found: Reached, ends: Collection[int]) -> tuple[Stopped, ...]:
    """The links at which messages towards ``ends`` stop, each with the path that leads there."""
    book, graph = PathBook(part), part.graph
    stops = part.paths.stops(graph, part.engine, found, ends)
    return tuple(
        stopped(book, graph, stop, found.paths.get(stop.at, (found.start,))) for stop in stops
    )


def _way_back(part: Part, found: Reached, number: int, budget: Budget) -> Path:
    """The path of a reply from a server: its own path turned, or, where messages wait on that and
    the network has several, the first one from there. Raises NotApplicable as ``turned`` does."""
    path = part.paths.turned(part.graph, found.paths[number])
    if not (found.doubled and is_later(part.graph, path)):
        return path
    return _reached(part, number, budget).paths.get(found.start, path)


def _at(entry: ReachedServer, part: Part, number: int, path: Path, found: Reached) -> ReachedServer:
    """The entry under the server's name: with ``reply`` the path ends at the server asked from."""
    server = part.graph.servers[number]
    later = is_later(part.graph, path)
    certain = number not in found.uncertain and not later
    if certain and entry.server == server.name:
        return entry
    return dataclasses.replace(
        entry, server=server.name, system=server.system, certain=certain, later=later
    )


def _foreign(start: Place, place: Place, *, alone: bool = True) -> Undetermined:
    """Of a server asked about alone its own place is cited; what is not configured has none."""
    source = place.server.source if alone else Source("")
    return Undetermined(place.name, not_connected(start.system, place.system), source, place.system)


def _reached(part: Part, start: int, budget: Budget) -> Reached:
    """What the system says of the servers reached; all of them undetermined where the budget
    ends before anything is known, and those of other systems that nothing configured leads to."""
    servers = part.graph.servers
    try:
        found = part.paths.reach_from(part.graph, part.engine, start, budget)
    except BudgetSpent:
        others = frozenset(range(len(servers))) - {start}
        because = f"{budget.ended}, before a path was found or excluded"
        undetermined = {number: (because, servers[number].source) for number in others}
        return Reached(start, {}, undetermined, exact=False, cut=others)
    here = servers[start].system
    if len(part.joined) > len(part.joined[here]):
        apart = {
            number
            for number, one in enumerate(servers)
            if one.system not in part.joined[here]
            and number not in found.paths
            and (number not in found.undetermined or number in found.decided)
        }
        for number in sorted(apart):
            found.undetermined[number] = not_connected(here, servers[number].system), Source("")
        # No assumption about one system says that another one is not joined with it.
        kept = found.decided.keys() - apart
        found.decided = {number: found.decided[number] for number in sorted(kept)}
    return found


def _left_out(found: Reached) -> str:
    """What the budget left out of a walk, in words."""
    parts = []
    if found.cut:
        parts.append(
            f"whether {len(found.cut):,} of {len(found.cut) + len(found.paths):,} "
            "servers are reached is undetermined"
        )
    if found.longer:
        parts.append(f"the paths to {len(found.longer):,} servers may not be the shortest")
    return "; ".join(parts) or "more than one path may lead to a server"


def _common(
    model: Model,
    part: Part,
    found: Reached,
    paths: Collection[Path] | PathTree,
    budget: Budget,
    asked: Iterable[int] = (),
    left_open: Iterable[int] = (),
    *,
    reply: bool = False,
) -> dict[str, Any]:
    """The fields of an answer that rests on ``paths``; of the servers ``asked`` about it says
    which are cut off, and of those ``left_open`` what would decide them."""
    asked, left_open = tuple(asked), tuple(left_open)
    graph = part.graph
    if isinstance(paths, PathTree):
        passed = paths.points if paths else paths.points[:0]
        far = bool((paths.hops > 1).any())
    else:
        passed = np.fromiter(set().union(*paths), np.int32)
        far = any(len(path) > 2 for path in paths)
    on_paths = chain((found.start,), graph.point_server[passed].tolist())
    cautions = (
        *model.warnings,
        *incomplete_servers(graph, on_paths),
        *cut_off(part, asked),
        *(
            observed_stops(model, part, chain(found.paths, asked))
            if {*asked} - {found.start}
            else ()
        ),
        *(doubled(part.system) if found.doubled else ()),
        *(long_replies(part.system) if reply and far else ()),
    )
    cautions += cut(budget, _left_out(found)) if not found.exact else ()
    if found.passed_over and not (reply or isinstance(paths, PathTree)):
        ends = graph.point_server[[path[-1] for path in paths]].tolist()
        shorter = (found.passed_over[end] for end in ends if end in found.passed_over)
        passed = np.fromiter(set(passed.tolist()).union(*shorter), np.int32)
    return {
        **model.common(part),
        "exact": found.exact,
        "inexact_because": () if found.exact else ended(budget, doubled=found.doubled),
        "assumptions": with_assumed(
            assumptions_at(graph, passed),
            (*_deciding(found, left_open), *_closed_by(found, (*asked, *left_open))),
        ),
        "warnings": cautions,
    }


def _deciding(found: Reached, servers: Iterable[int]) -> list[Assumption]:
    """The assumptions that decide these servers, which are left open without them."""
    return [found.decided[number].assumption for number in servers if number in found.decided]


def _closed_by(found: Reached, servers: Iterable[int]) -> tuple[Assumption, ...]:
    """What it rests on that some of these servers are not reached (``Reached.closed_by``)."""
    closed = any(
        number != found.start
        and number not in found.paths
        and (number not in found.undetermined or number in found.decided)
        for number in servers
    )
    return found.closed_by if closed else ()


def _undetermined(
    part: Part, entries: Mapping[int, tuple[str, Source]], found: Reached
) -> tuple[Undetermined, ...]:
    """The entries of servers that are left open, each with the path up to the server whose files
    leave it open.
    """
    servers, book = part.graph.servers, PathBook(part)
    listed = []
    for number, (because, source) in sorted(entries.items()):
        path = found.towards.get(number, ())
        server = servers[number]
        steps = book.steps(path) if path else ()
        decided = decided_if(found.decided.get(number))
        needed = would_need(part.graph, found.needed(number), found.start, number)
        told = server.system, book.servers(path), steps, decided, needed
        listed.append(Undetermined(server.name, because, source, *told))
    return tuple(listed)


@within_budget
def hops(model: Model, budget: Budget, from_: str, to: str) -> HopsAnswer:
    """How many routes a message from ``from_`` to ``to`` traverses, and how many inside each
    zone (R15); ``later`` as in ``reach``. Raises UnknownServer.
    """
    start, end = model.locate(from_), model.locate(to)
    part = start.part
    base: dict[str, Any] = {
        "from_": start.name,
        "system": start.system,
        "to": end.name,
        "to_system": end.system,
    }
    if end.part is not part:
        why = Caution("undetermined", not_connected(start.system, end.system), end.server.source)
        common: dict[str, Any] = {**model.common(part), "warnings": (*model.warnings, why)}
        return HopsAnswer(
            **common,
            **base,
            reachable="unknown",
            route_hops=None,
            zone_hops=(),
            undetermined=(_foreign(start, end),),
        )
    found = _reached(part, start.number, budget)
    path: Path | None = (start.number,) if start == end else found.paths.get(end.number)
    later = path is not None and is_later(part.graph, path)
    if end.number in found.uncertain and not later:
        unsure = _why_uncertain(part, found.paths[end.number])
        path, found.undetermined[end.number] = None, (unsure, start.server.source)
    others = () if path else (start.number, end.number)
    left_open = {end.number} & found.undetermined.keys() if path is None else ()
    common = _common(model, part, found, [path] if path else [], budget, others, left_open)
    if end.number in found.longer:
        base |= {"reachable": True, "later": later}
        return HopsAnswer(**common, **base, route_hops=None, zone_hops=())
    if path is None:
        unknown = end.number in found.undetermined
        if unknown:
            because, source = found.undetermined[end.number]
            common["warnings"] = (*common["warnings"], Caution("undetermined", because, source))
        return HopsAnswer(
            **common,
            **base,
            reachable="unknown" if unknown else False,
            route_hops=None,
            zone_hops=(),
            stopped=_stops_before(part, found, end, unknown=unknown),
            undetermined=_undetermined(part, {end.number: found.undetermined[end.number]}, found)
            if unknown
            else (),
        )
    book = PathBook(part)
    return HopsAnswer(
        **common,
        **base,
        reachable=True,
        route_hops=len(path) - 1,
        zone_hops=book.zone_hops(path),
        cost=book.cost(path),
        path=book.servers(path),
        steps=book.steps(path),
        later=later,
    )


def _why_uncertain(part: Part, path: Path) -> str:
    """Why it is not certain that messages take a path: the first condition on it that the loaded
    files do not decide, or that it is chosen at run time. Linear in the guards."""
    open_ = not_decided(part.graph)
    guards = (guard for point in path for guard in sorted(part.graph.points[point].guards))
    return next((open_[guard] for guard in guards if guard in open_), AT_RUN_TIME)


class HopRow(list[Hops]):
    """The hops from one server to every server of ``server_names``, and to which of them messages
    get ``later``, by name; ``cut`` where the budget ended before the row.
    """

    later: tuple[str, ...] = ()
    cut: bool = False


class HopText(NamedTuple):
    """A row of the hop matrix as text: the server, its row as JSON, which is ``undecided`` where it
    has entries that are unknown; ``later`` and ``cut`` as in ``HopRow``."""

    server: str
    hops: str
    undecided: bool
    later: tuple[str, ...]
    cut: bool = False


def hop_rows(model: Model) -> Iterator[tuple[str, HopRow]]:
    """``hops --matrix`` row by row: (server, hops to every server of ``server_names``; None
    where not certainly reached, ``UNKNOWN`` where the budget ended before that was known, or a
    finding leaves open whether a link on the way comes up).
    Memory of one row."""
    with model.budget() as budget:
        for server, row, later in _hop_rows(model, budget):
            told = HopRow(_told_hops(row))
            told.later = later
            told.cut = bool((row == NOT_DECIDED).any())
            yield server, told


def hop_arrays(model: Model) -> Iterator[tuple[str, NDArray[Any], Bools, tuple[str, ...]]]:
    """The same with each row as an array, below zero where a server is not reached, with the
    servers of which that is not decided."""
    with model.budget() as budget:
        for server, row, later in _hop_rows(model, budget):
            yield server, row, _undecided(row), later


def hop_texts(model: Model) -> Iterator[HopText]:
    """The same with each row as JSON: all rows of 10,000 servers have 100 million entries, which
    are written without making an object of each."""
    for server, row, undecided, later in hop_arrays(model):
        open_ = bool(undecided.any())
        left_out = open_ and bool((row == NOT_DECIDED).any())
        yield HopText(server, written_hops(row), open_, later, left_out)


def _hop_rows(model: Model, budget: Budget) -> Iterator[tuple[str, NDArray[Any], tuple[str, ...]]]:
    """Each server with the hops to every other, below zero where they are not known, and those that
    messages get to later."""
    places = model.places()
    column = {(id(place.part), place.number): at for at, place in enumerate(places)}
    for part in model.parts:
        shown = [
            number for number in range(len(part.graph.servers)) if (id(part), number) in column
        ]
        columns = np.array([column[id(part), number] for number in shown], np.int64)
        kept = np.array(shown, np.int64)
        for number, (row, waiting) in enumerate(_rows(part, budget)):
            if (id(part), number) not in column:
                continue
            servers = part.graph.servers
            whole = np.full(len(places), -1, row.dtype)
            whole[columns] = row[kept]
            later: tuple[str, ...] = ()
            if waiting is not None and waiting.any():
                later = tuple(model.label(servers[one]) for one in shown if waiting[one])
            yield model.label(servers[number]), whole, later


def _undecided(row: NDArray[Any]) -> Bools:
    found: Bools = (row == NOT_DECIDED) | (row == LEFT_OPEN)
    return found


def written_hops(row: NDArray[Any]) -> str:
    """A row of hops as a JSON list, as its ``HopRow`` is written. Linear, over arrays.

    >>> written_hops(np.array([0, -1, 12, NOT_DECIDED]))
    '[0, null, 12, "unknown"]'
    """
    if not len(row):
        return "[]"
    words = ['"unknown"', "null"] if int(row.min()) < 0 else []
    numbers = range(int(row.max()) + 1)
    texts = np.array([f"{one}, ".encode() for one in (*words, *numbers)])
    places = row if not words else np.where(row >= 0, row + 2, np.where(_undecided(row), 0, 1))
    return f"[{texts[places].tobytes().translate(None, _PADDING)[:-2].decode()}]"


_PADDING = b"\0"
"""What numpy fills short texts with."""


def _told_hops(row: NDArray[Any]) -> list[Hops]:
    """A row of hops as the answer has it."""
    hops: list[Hops] = row.tolist()
    if (row >= 0).all():
        return hops
    return [
        UNKNOWN if number in (NOT_DECIDED, LEFT_OPEN) else None if number < 0 else number
        for number in row.tolist()
    ]


def _rows(part: Part, budget: Budget) -> Iterator[tuple[NDArray[Any], Bools | None]]:
    """The rows of one part, each with the servers that messages get to later (None where they wait
    nowhere); nothing is decided in those that the budget leaves out."""
    done = 0
    try:
        for told in _walked_rows(part, budget):
            yield told
            done += 1
    except BudgetSpent:
        servers = len(part.graph.servers)
        for number in range(done, servers):
            row = np.full(servers, NOT_DECIDED, np.int16)
            row[number] = 0
            yield row, None


def _walked_rows(part: Part, budget: Budget) -> Iterator[tuple[NDArray[Any], Bools | None]]:
    """The rows of one part. Raises BudgetSpent."""
    asked = part.graph, part.walking_all()[0], budget
    if isinstance(part.paths, Holding) and part.graph.holding:
        yield from part.paths.rows_with_later(*asked)
    else:
        yield from ((row, None) for row in part.paths.hop_rows(*asked))


@answered
def hops_matrix(model: Model) -> HopsMatrixAnswer:
    """Hops between all ordered pairs. Raises UsageError above MATRIX_LIMIT servers (``hop_rows``
    has no limit).
    """
    names = model.server_names()
    if len(names) > MATRIX_LIMIT:
        raise UsageError(
            f"{len(names)} servers make a matrix of {len(names) ** 2:,} entries; ask for "
            "it row by row with --format jsonl "
            "(in Python: Network.hop_rows())."
        )
    rows = dict(hop_rows(model))
    unknown = sum(UNKNOWN in row for row in rows.values())
    left_out = sum(row.cut for row in rows.values())
    head = hops_head(model)
    return dataclasses.replace(
        head,
        hops=tuple(tuple(rows[name]) for name in names),
        later={name: rows[name].later for name in names if rows[name].later},
        exact=head.exact and not unknown,
        inexact_because=_rows_inexact(model, left_out) if unknown else (),
        warnings=(*head.warnings, *rows_cut(model, unknown, left_out)),
    )


def _rows_inexact(model: Model, left_out: int) -> tuple[Inexact, ...]:
    """Why entries of a hop matrix are unknown, in so many rows because the budget ended."""
    number = len(_open_links(model))
    links = (links_open(number, "route"),) if number else ()
    if links and not left_out:
        return links
    return (*links, *budget_ended(f"the search ended after {model.seconds:g} s"))


def _open_links(model: Model) -> tuple[Caution, ...]:
    return tuple(one for part in model.parts for one in open_links(part.graph))


def rows_cut(model: Model, unknown: int, left_out: int = 0) -> tuple[Caution, ...]:
    """What is said of a hop matrix with so many rows that have unknown entries, which its links
    that may not come up or, in ``left_out`` of them, the budget left open."""
    links = bool(_open_links(model))
    if not unknown or (links and not left_out):
        return ()
    text = (
        f"the search ended after {model.seconds:g} s (--budget): "
        f"{left_out if links else unknown:,} of "
        f"{len(model.places()):,} rows have entries that are unknown"
    )
    return (Caution("budget", text),)


@answered
def hops_head(model: Model) -> HopsMatrixAnswer:
    """``hops_matrix`` without its rows: what is said of the whole matrix where ``hop_rows``
    gives it row by row.
    """
    common = model.common()
    engines = [part.walking_all() for part in model.parts]
    common["engine"] = next((engine.name for engine, _ in engines), "memory")
    places = model.places()
    alone = {id(part): part.paths.cut_off(part.graph) for part in model.parts}
    return HopsMatrixAnswer(
        **common,
        assumptions=network_assumptions(part.graph for part in model.parts),
        warnings=(
            *model.warnings,
            *(text for _, said in engines for text in said),
            *_between_systems(model),
            *_open_links(model),
            *(caution for part in model.parts for caution in cut_off(part, alone[id(part)])),
        ),
        servers=tuple(place.name for place in places),
        systems=tuple(place.system for place in places),
        hops=(),
        undetermined=tuple(
            model.label(place.server) for place in places if place.server.open_ended
        ),
        cut_off=tuple(
            model.label(place.server) for place in places if place.number in alone[id(place.part)]
        ),
    )


def _between_systems(model: Model) -> Iterator[Caution]:
    """What an empty entry between servers of different systems means."""
    for before, after in zip(model.parts, model.parts[1:], strict=False):
        first, second = (Place(part, 0, part.graph.servers[0]) for part in (before, after))
        if first.system != second.system:
            yield Caution(
                "undetermined", not_connected(first.system, second.system), second.server.source
            )
    for part in model.parts:
        for here, joined in sorted(part.joined.items()):
            for there in sorted(part.joined.keys() - joined):
                yield Caution("undetermined", not_connected(here, there), Source(""))


@within_budget
def paths(model: Model, budget: Budget, from_: str, to: str, maximum: int = 10) -> PathsAnswer:
    """The permitted paths from ``from_`` to ``to``, shortest first; more than one only on an
    illegal network (R20, A1). Raises UnknownServer; UsageError for a maximum below 1.
    """
    if maximum < 1:
        raise UsageError("--max takes a number of paths from 1 up.")
    start, end = model.locate(from_), model.locate(to)
    part, graph = start.part, start.part.graph
    base: dict[str, Any] = {
        "from_": start.name,
        "system": start.system,
        "to": end.name,
        "to_system": end.system,
    }
    if end.part is not part or start == end:
        unknown = () if end.part is part else (_foreign(start, end),)
        return PathsAnswer(
            **model.common(part), **base, paths=(), truncated=False, undetermined=unknown
        )
    reached = _reached(part, start.number, budget)
    try:
        found = part.paths.all_paths(graph, part.engine, start.number, end.number, maximum, budget)
    except BudgetSpent:
        found = PathList([], truncated=True, exact=False)
    if not found.paths and end.number in reached.paths and not found.exact:
        found.paths.append(reached.paths[end.number])
    open_ended = {
        number: why for number, why in reached.undetermined.items() if number not in reached.cut
    }
    if not (found.paths or found.exact or end.number in open_ended):
        open_ended[end.number] = (
            f"{budget.ended}, before a path was found or excluded",
            end.server.source,
        )
    on_paths = {graph.points[point].server for path in found.paths for point in path}
    more = _more_paths(graph, reached) if found.paths else ()
    because = () if found.exact else ended(budget, doubled=reached.doubled)
    return PathsAnswer(
        **model.common(part),
        **base,
        exact=found.exact and not more,
        inexact_because=(*because, *(not_loaded((one.message,)) for one in more)),
        assumptions=with_assumed(
            assumptions_of(graph, found.paths),
            (
                *_deciding(reached, {end.number} & open_ended.keys()),
                *_closed_by(reached, (end.number,)),
            ),
        ),
        warnings=(
            *model.warnings,
            *incomplete_servers(graph, on_paths),
            *_not_loaded(graph, on_paths),
            *open_links(graph, {point for path in found.paths for point in path}),
            *more,
            *cut_off(part, () if found.paths else (start.number, end.number)),
            *(
                ()
                if found.paths
                else observed_stops(model, part, (*reached.paths, start.number, end.number))
            ),
            *(doubled(part.system) if len(found.paths) > 1 else ()),
            *(
                ()
                if found.exact
                else cut(budget, f"{_count(len(found.paths))} found by then; there may be more")
            ),
        ),
        paths=tuple(_found(part, found.paths, left_open=end.number in reached.undetermined)),
        truncated=found.truncated,
        unused=tuple(tuple(graph.servers[number].name for number in path) for path in found.unused),
        unused_count=found.unused_count,
        undetermined=_undetermined(
            part, {end.number: open_ended[end.number]} if end.number in open_ended else {}, reached
        ),
        stopped=()
        if found.paths
        else _stops_before(part, reached, end, unknown=end.number in open_ended),
    )


def _found(part: Part, paths: Iterable[Path], *, left_open: bool) -> Iterator[PathFound]:
    """The entries of paths to a server; of one that is ``left_open`` none is certain, nor is one
    that goes on from a server that is not loaded."""
    book, graph = PathBook(part), part.graph
    for path in paths:
        loaded = all(graph.servers[graph.points[point].server].loaded for point in path[:-1])
        sure = loaded and not left_open
        later = sure and is_later(graph, path)
        yield book.found(path, certain=sure and not later and is_certain(graph, path), later=later)


def _more_paths(graph: ForwardingGraph, reached: Reached) -> tuple[Caution, ...]:
    """Why more paths may lead to a server that is reached: of the first server, by number, that is
    loaded and of which the loaded files do not show all links. Linear in the servers reached."""
    first = min(
        (
            number
            for number in (reached.start, *reached.paths)
            if graph.servers[number].open_ended and graph.servers[number].loaded
        ),
        default=None,
    )
    if first is None:
        return ()
    server = graph.servers[first]
    text = f"{server.name}: {server.incomplete}: more paths may lead over it"
    return (Caution("not-loaded", text, server.source),)


def _not_loaded(graph: ForwardingGraph, servers: Collection[int]) -> Iterator[Caution]:
    """A caution for each server on a path whose files are not loaded."""
    for number in sorted(servers):
        server = graph.servers[number]
        if not server.loaded:
            text = f"{server.name}: {server.incomplete}; paths over it are not certain"
            yield Caution("TL-16", text, server.source)


def _count(paths: int) -> str:
    return f"{paths:,} path{'' if paths == 1 else 's'}"
