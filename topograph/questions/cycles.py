"""``cycles``: does any server have more than one path to another? And ``interests``: which names does each server hold?"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence

from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.simple import Budget, Path
from topograph.questions.answers import (
    Assumption,
    Caution,
    CyclesAnswer,
    Duplicate,
    InterestDifference,
    InterestEntry,
    InterestsAnswer,
    RedundantPaths,
    Undetermined,
)
from topograph.questions.model import Model, Part
from topograph.questions.records import INTERESTS
from topograph.questions.steps import PathBook, cut_off, incomplete_servers, not_shown
from topograph.systems.protocol import CyclicPart, DoubledName

DUPLICATES_LIMIT = 20_000
"""Entries of ``duplicates`` before the list is cut: an illegal network can hold a number quadratic in its servers."""


def cycles(model: Model, *, strict: bool = False) -> CyclesAnswer:
    """Every server that would hold a name over two or more neighbours (R23), for all parts of the network whose system has a rule against
    that; and the redundant paths of those where they are wanted, with the copies they bring (M-4).

    All configured links count, down or not (R30). ``strict`` refuses every cycle that is not wholly inside one 1hop zone (A2). Linear in the
    links on a legal network.
    """
    found: list[Duplicate] = []
    redundant: list[RedundantPaths] = []
    warnings: list[Caution] = list(model.warnings)
    legal = exact = whole = True
    engines: list[str] = []
    for part in model.parts:
        graph, system = part.graph, part.system
        if system.redundancy is not None:
            wanted = system.redundancy()
            redundant += [RedundantPaths(*entry, system.name) for entry in wanted.redundant(graph)]
            undecided = wanted.undecided(graph)
            whole &= not undecided
            warnings += [*_copies(model), *not_shown(undecided)]
            continue
        if system.cycles is None:
            warnings.append(_not_judged(system.name))
            continue
        rule = system.cycles()
        engine, said = part.walking_all()
        engines.append(engine.name)
        warnings += said
        parts = rule.cyclic_parts(graph, engine)
        legal &= all(entry.legal for entry in parts)
        if not all(entry.legal for entry in parts):
            listed = rule.duplicates(graph, engine, Closed(), Budget(), DUPLICATES_LIMIT)
            exact &= listed.complete
            found += [_duplicate(part, entry) for entry in listed.names]
        elif parts:
            legal &= not strict
            warnings += [_multi_zone(graph, entry) for entry in parts]
    if not exact:
        warnings.append(
            Caution("R23", f"the list of duplicates ends at {len(found)} entries; the network is illegal all the same")
        )
    open_ended = _not_shown(model)
    return CyclesAnswer(
        **model.common(engine=engines[0] if engines else ""),
        exact=exact and whole and not open_ended,
        assumptions=(*(() if legal else (_ALL_UP,)), *open_ended),
        warnings=tuple(warnings),
        legal=legal,
        duplicates=tuple(found),
        redundant=tuple(redundant),
        strict=strict,
        judged=any(part.system.cycles is not None for part in model.parts),
    )


COPIES_LISTED = 10
"""Multicast addresses that are named before the rest is counted: an estate may hold hundreds."""


def _copies(model: Model) -> list[Caution]:
    """Where redundant paths bring receivers more than one copy (M-4), as the import noticed."""
    found = [finding for finding in model.records.findings if finding.kind == "multicast-copies"]
    listed = [Caution(finding.rule, finding.message, finding.source) for finding in found[:COPIES_LISTED]]
    if more := found[COPIES_LISTED:]:
        text = f"the same holds for {len(more)} more address entries; `topograph check` lists them"
        listed.append(Caution(more[0].rule, text, more[0].source))
    return listed


def _not_judged(system: str) -> Caution:
    return Caution("not-judged", f"nothing is said about {system}: it has no rule against more than one path")


_ALL_UP = Assumption(
    "R30", "L", "all configured routes are judged as up", "a route that stays down brings no second path"
)


def _not_shown(model: Model) -> tuple[Assumption, ...]:
    """The verdict is about the routes that the loaded files show (A17)."""
    names = [
        server.name
        for part in model.parts
        if part.system.cycles is not None
        for server in part.graph.servers
        if server.open_ended
    ]
    if not names:
        return ()
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    text = f"{shown} may have routes that the loaded files do not show; they are taken as absent"
    return (Assumption("A17", "L", text, "such a route could bring a second path"),)


def _duplicate(part: Part, entry: DoubledName) -> Duplicate:
    assert part.system.names is not None
    names = part.graph.servers
    return Duplicate(
        names[entry.server].name,
        part.system.names().name_of(names[entry.owner].name),
        tuple(sorted(names[via].name for via in entry.via)),
        tuple(PathBook(part).servers(path) for path in entry.paths),
        _refusable(part, entry.paths),
        part.system.name,
    )


def _refusable(part: Part, paths: Sequence[Path]) -> tuple[str, ...]:
    """The links (``A-B``) not common to all paths: without any one of them one of the paths is gone."""
    sets = []
    for path in paths:
        names = PathBook(part).servers(path)
        sets.append({"-".join(sorted(pair)) for pair in itertools.pairwise(names)})
    common = set.intersection(*sets)
    return tuple(sorted(set.union(*sets) - common))


def _multi_zone(graph: ForwardingGraph, part: CyclicPart) -> Caution:
    place = next(point.source for point in graph.points if point.link in part.links)
    names = ", ".join(graph.servers[number].name for number in part.servers[:8])
    return Caution(
        "multi-zone-cycle",
        f"the routes between {names} form a cycle over several zones; the temporary-topic rule accepts it (A2)",
        place,
    )


def interests(
    model: Model, server: str | None = None, observed: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> InterestsAnswer:
    """The names each server (or one) holds, with the neighbour each was learned from (R21-R23).

    ``observed`` maps servers to (name, via) pairs seen on a running server (via empty if not known); the answer then lists what is missing
    from and what is unexpected in the observation. Raises UnknownServer. One walk a server on a legal network.
    """
    part = model.offered(INTERESTS, server)
    assert part.system.names is not None
    graph, names = part.graph, part.system.names()
    numbers = range(len(graph.servers)) if server is None else [model.locate(server).number]
    budget, closed = Budget(), names.links_down(graph)
    engine, said = (part.engine, ()) if server is not None else part.walking_all()
    walker = engine if server is not None else engine.ahead(numbers, closed) or engine
    doubt = names.unknowns(graph, walker, closed)
    rows: dict[str, tuple[InterestEntry, ...]] = {}
    possible: dict[str, set[tuple[str, str]]] = {}
    undetermined: list[Undetermined] = []
    exact, doubled = True, False
    for number in numbers:
        name = graph.servers[number].name
        if not graph.servers[number].loaded:
            undetermined.append(Undetermined(name, *doubt.not_loaded(number), graph.system))
            continue
        held = names.names_held(graph, walker, number, closed, budget)
        exact &= not held.undecided
        entries = []
        for entry in held.names:
            shown = InterestEntry(
                names.name_of(graph.servers[entry.owner].name), graph.servers[entry.via].name, entry.hops
            )
            if doubt.open_ended and doubt.passes(entry.path) is not None:
                possible.setdefault(name, set()).add((shown.name, shown.via))
            else:
                entries.append(shown)
        doubled |= len({entry.owner for entry in held.names}) < len(held.names)
        rows[name] = tuple(sorted(entries, key=lambda entry: (entry.name, entry.via)))
        open_ended = doubt.unreached(number, doubt.open_ended[0]) if doubt.open_ended else None
        if open_ended is not None:
            text = f"more names are possible: {open_ended[0]}"
            undetermined.append(Undetermined(name, text, open_ended[1], graph.system))
    seen = _comparable(model, rows, None if server is None else model.locate(server).name, observed or {})
    missing, unexpected = _compared(rows, possible, seen)
    warnings = [*model.warnings, *said, *incomplete_servers(graph, numbers), *cut_off(part, numbers)]
    if doubled:
        warnings.append(
            Caution(
                "R23",
                "a name arrives over more than one route: the network is illegal; `topograph cycles` lists the routes",
            )
        )
    return InterestsAnswer(
        **model.common(part, engine.name),
        exact=exact,
        warnings=tuple(warnings),
        servers=rows,
        undetermined=tuple(undetermined),
        missing=missing,
        unexpected=unexpected,
        compared=tuple(sorted(seen)),
        system=part.system.name,
    )


def _comparable(
    model: Model,
    rows: Mapping[str, Sequence[InterestEntry]],
    server: str | None,
    observed: Mapping[str, Sequence[tuple[str, str]]],
) -> dict[str, Sequence[tuple[str, str]]]:
    """The observations to compare: of the server asked about, or of all whose names are known. Raises UnknownServer for one that is not
    part of the network. What a server holds whose files are not loaded is undetermined, so nothing is missing or unexpected there."""
    for name in observed:
        model.locate(name)
    return {name: seen for name, seen in observed.items() if name in rows and server in (None, name)}


def _compared(
    rows: Mapping[str, Sequence[InterestEntry]],
    possible: Mapping[str, Collection[tuple[str, str]]],
    observed: Mapping[str, Sequence[tuple[str, str]]],
) -> tuple[tuple[InterestDifference, ...], tuple[InterestDifference, ...]]:
    """(held by the rules and not observed, observed and not held by the rules), for the observed servers only. ``possible`` are (name, via) that
    a server holds if one that is not loaded takes part: neither missing nor unexpected."""
    missing, unexpected = [], []
    for server, seen in sorted(observed.items()):
        expected = {(entry.name, entry.via) for entry in rows.get(server, ())}
        explained = expected.union(possible.get(server, ()))
        pairs = {(name, via) for name, via in seen}
        names = {name for name, via in seen if not via}
        for name, via in sorted(expected):
            if (name, via) not in pairs and name not in names:
                missing.append(InterestDifference(server, name, via))
        for name, via in sorted(pairs):
            known = (name, via) in explained if via else any(name == other for other, _ in explained)
            if not known:
                unexpected.append(InterestDifference(server, name, via))
    return tuple(missing), tuple(unexpected)
