"""``cycles``: does any server have more than one path to another? And ``interests``: which names
does each server hold?
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal

import numpy as np

from topograph.assumptions import Assumption
from topograph.errors import NotApplicable
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import Closed, ForwardingGraph, Server
from topograph.forwarding.points import Ints
from topograph.forwarding.simple import Path
from topograph.forwarding.walker import Walker
from topograph.inexact import Cause, Inexact, not_loaded
from topograph.questions.answers import (
    Caution,
    CyclesAnswer,
    Duplicate,
    InterestDifference,
    InterestEntry,
    InterestListed,
    InterestNotListed,
    InterestsAnswer,
    NamesListed,
    RedundantPaths,
    Ring,
    Undetermined,
)
from topograph.questions.cautions import cut_off, incomplete_servers, inexact_where, not_shown
from topograph.questions.circles import not_judged, with_circles
from topograph.questions.model import Model, Part, cut, ended, within_budget
from topograph.questions.records.interests import INTERESTS
from topograph.questions.rings import in_order, judged_rings, refusable, wanted_rings
from topograph.systems.contract.cycles import CyclicPart, DoubledName, Duplicates
from topograph.systems.contract.names import HeldName, HeldOnce, ListedInterest, Observing, Unknowns
from topograph.systems.contract.system import System
from topograph.tracing.assumptions import assumptions_of, network_assumptions

DUPLICATES_LIMIT = 20_000
"""Entries of ``duplicates`` before the list is cut: an illegal network can hold a number
quadratic in its servers.
"""


@within_budget
def legal_routes(model: Model, budget: Budget, strict: bool = False) -> CyclesAnswer:
    """``cycles`` without the messages that come back: whether the routes are legal, by the graph
    alone."""
    return _legal(model, budget, strict=strict)


@within_budget
def cycles(model: Model, budget: Budget, strict: bool = False) -> CyclesAnswer:
    """``legal_routes``, and which messages come back to where they were, for the systems that tell
    that: these need their facts."""
    circling = [part for part in model.parts if part.system.capabilities.judges_circles]
    answer = _legal(model, budget, strict=strict, apart=circling)
    return with_circles(answer, model, circling, budget) if circling else answer


def _legal(
    model: Model, budget: Budget, *, strict: bool, apart: Sequence[Part] = ()
) -> CyclesAnswer:
    """Every server that would hold a name over two or more neighbours (R23), for all parts of the
    network whose system has a rule against that; and the redundant paths of those where they are
    wanted, with the copies they bring (M-4).

    All configured links count, down or not (R30). ``strict`` refuses every cycle that is not wholly
    inside one 1hop zone (A2). Nothing is said of the parts ``apart``. Linear in the links on a
    legal network.
    """
    found: list[Duplicate] = []
    redundant: list[RedundantPaths] = []
    warnings: list[Caution] = list(model.warnings)
    legal: bool | None = True
    exact = whole = True
    because: list[Inexact] = []
    engines: list[str] = []
    looked_at: list[ForwardingGraph] = []
    rings: list[Ring] = []
    for part in model.parts:
        graph, system = part.graph, part.system
        if system.capabilities.redundancy is not None:
            looked_at.append(graph)
            wanted = system.capabilities.redundancy()
            joined = wanted.redundant(graph)
            redundant += [RedundantPaths(*entry, system.name) for entry in joined]
            rings += wanted_rings(graph, joined)
            undecided = wanted.undecided(graph)
            whole &= not undecided
            because += inexact_where([graph], undecided)
            warnings += [*_copies(model), *not_shown(undecided)]
            continue
        if system.capabilities.cycles is None:
            warnings += () if part in apart else (not_judged(system.title),)
            continue
        looked_at.append(graph)
        rule = system.capabilities.cycles()
        engine, said = part.walking_all()
        engines.append(engine.name)
        warnings += said
        try:
            parts = rule.cyclic_parts(graph, engine)
        except BudgetSpent:
            legal = legal and None
            continue
        verdicts = {entry.legal for entry in parts}
        listed = Duplicates([], True)
        if not verdicts <= {True}:
            legal = False if False in verdicts else legal and None
            listed = rule.duplicates(graph, engine, Closed(), budget, DUPLICATES_LIMIT)
            exact &= listed.complete
            found += duplicates_of(system, graph, listed.found)
        elif parts:
            legal = legal and not strict
            warnings += [_multi_zone(graph, entry) for entry in parts]
        rings += judged_rings(graph, parts, listed, strict=strict)
    if legal is None and (found or strict):
        legal = False
    warnings += _ends_early(budget, legal, None if exact else len(found))
    open_ended = _not_shown(model)
    because += ended(budget)
    if not exact and not budget.spent:
        because.append(
            Inexact(Cause.LIMIT, f"the list of duplicates ends at {len(found):,} entries")
        )
    because += [not_loaded([one.text.partition(";")[0]]) for one in open_ended]
    return CyclesAnswer(
        **model.common(engine=engines[0] if engines else "memory"),
        exact=exact and whole and not open_ended and legal is not None,
        inexact_because=tuple(because),
        assumptions=(*(() if legal else (_ALL_UP,)), *open_ended, *network_assumptions(looked_at)),
        warnings=tuple(warnings),
        legal="unknown" if legal is None else legal,
        duplicates=tuple(found),
        redundant=tuple(redundant),
        strict=strict,
        judged=any(part.system.capabilities.cycles is not None for part in model.parts),
        rings=in_order(rings),
    )


def _ends_early(budget: Budget, legal: bool | None, listed: int | None) -> list[Caution]:
    """What is left out of the verdict or of the list of duplicates, which ends after ``listed``
    entries, or is complete.
    """
    said = []
    if listed is not None and legal is False:
        text = (
            f"the list of duplicates ends at {listed} entries; the network is illegal all the same"
        )
        said.append(Caution("R23", text))
    left = (
        "not every part of the network was looked at"
        if legal is None
        else "not all duplicates are listed"
    )
    return [*said, *cut(budget, left)]


COPIES_LISTED = 10
"""Multicast addresses that are named before the rest is counted: an estate may hold hundreds."""


def _copies(model: Model) -> list[Caution]:
    """Where redundant paths bring receivers more than one copy (M-4), as the import noticed."""
    found = [finding for finding in model.records.findings if finding.kind == "multicast-copies"]
    listed = [
        Caution(finding.rule, finding.message, finding.source) for finding in found[:COPIES_LISTED]
    ]
    if more := found[COPIES_LISTED:]:
        text = f"the same holds for {len(more)} more address entries; `topograph check` lists them"
        listed.append(Caution(more[0].rule, text, more[0].source))
    return listed


_ALL_UP = Assumption(
    "R30",
    "L",
    "all configured routes are judged as up",
    "a route that stays down brings no second path",
)


def _not_shown(model: Model) -> tuple[Assumption, ...]:
    """The verdict is about the routes that the loaded files show (A17)."""
    names = [
        server.name
        for part in model.parts
        if part.system.capabilities.cycles is not None
        for server in part.graph.servers
        if server.open_ended
    ]
    if not names:
        return ()
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    text = f"{shown} may have routes that the loaded files do not show; they are taken as absent"
    return (Assumption("A17", "L", text, "such a route could bring a second path"),)


def duplicates_of(
    system: System, graph: ForwardingGraph, entries: Sequence[DoubledName]
) -> Iterator[Duplicate]:
    """The entries as an answer has them. Linear in the steps of their paths."""
    assert system.capabilities.names is not None
    servers, name_of = (
        [server.name for server in graph.servers],
        cache(system.capabilities.names().name_of),
    )
    at = graph.servers_of_points
    for entry in entries:
        paths = [tuple([at[point] for point in path]) for path in entry.paths]
        yield Duplicate(
            servers[entry.server],
            name_of(servers[entry.owner]),
            tuple(sorted(servers[via] for via in entry.via)),
            tuple(tuple([servers[number] for number in path]) for path in paths),
            tuple(sorted("-".join(sorted((servers[a], servers[b]))) for a, b in refusable(paths))),
            system.name,
        )


def _multi_zone(graph: ForwardingGraph, part: CyclicPart) -> Caution:
    place = next(point.source for point in graph.points if point.link in part.links)
    names = ", ".join(graph.servers[number].name for number in part.servers[:8])
    return Caution(
        "multi-zone-cycle",
        (
            f"the routes between {names} form a cycle over several zones; the "
            "temporary-topic rule accepts it (A2)"
        ),
        place,
    )


@within_budget
def interests(
    model: Model,
    budget: Budget,
    server: str | None = None,
    observed: Mapping[str, Sequence[tuple[str, str]]] | Literal["listed"] | None = None,
) -> InterestsAnswer:
    """The names each server (or one) holds, with the neighbour each was learned from (R21-R23).

    ``observed`` maps servers to (name, via) pairs seen on a running server (via empty if not
    known); the answer then lists what is missing from and what is unexpected in the observation.
    ``"listed"`` stands for what servers listed in the imported output of their tools: the answer
    then also holds the interest in topics that they listed. What the budget leaves out is
    undetermined: servers without a list of names, and servers that may hold more names than are
    listed. Raises UnknownServer. One walk a server on a legal network.
    """
    part = model.offered(INTERESTS, server)
    assert part.system.capabilities.names is not None
    graph = part.graph
    numbers = range(len(graph.servers)) if server is None else [model.locate(server).number]
    closed = part.system.capabilities.names().links_down(graph)
    engine, said = (part.engine, ()) if server is not None else part.walking_all()
    walker = engine if server is not None else engine.ahead(numbers, closed) or engine
    held = _names_held(part, walker, numbers, closed, budget)
    listed = ListedInterest()
    if isinstance(observed, str):
        names_asked = [
            graph.servers[number].name for number in numbers if graph.servers[number].loaded
        ]
        listed, left = _listed(part, engine, names_asked, budget)
        said = (*said, *left)
        observed = listed.names
    seen = _comparable(
        model, held.rows, None if server is None else model.locate(server).name, observed or {}
    )
    missing, unexpected = _compared(held.rows, held.possible, seen)
    unexpected = tuple(one for one in unexpected if one.server not in held.partial)
    named = sum(name not in held.partial for name in held.rows)
    return InterestsAnswer(
        **model.common(part, engine.name),
        exact=not budget.spent,
        inexact_because=ended(budget, doubled=held.doubled),
        assumptions=network_assumptions([graph])
        if server is None
        else assumptions_of(graph, held.paths),
        warnings=(
            *model.warnings,
            *said,
            *incomplete_servers(graph, numbers),
            *cut_off(part, numbers),
            *cut(budget, f"all names are listed of {named:,} of {len(numbers):,} servers"),
            *((_DOUBLED,) if held.doubled else ()),
        ),
        servers=held.rows,
        undetermined=tuple(held.undetermined),
        missing=missing,
        unexpected=unexpected,
        compared=tuple(sorted(seen)),
        listed=tuple(
            InterestListed(o.server, o.topic, o.kind, o.for_, o.state, o.because, o.source)
            for o in listed.seen
        ),
        not_listed=tuple(
            InterestNotListed(o.server, o.topic, o.for_, o.because, o.source, o.listing)
            for o in listed.missed
        ),
        not_observed=tuple(Undetermined(*one, graph.system) for one in listed.open),
        system=part.system.name,
    )


_DOUBLED = Caution(
    "R23",
    (
        "a name arrives over more than one route: the network is illegal; `topograph cycles` "
        "lists the routes"
    ),
)


@dataclass(slots=True)
class _Held:
    """The names that servers hold, by server. ``possible`` are (name, via) that a server holds if
    one that is not loaded takes part; ``partial`` the servers of which the budget left names out;
    ``doubled`` says that a name arrives over more than one route; ``paths`` are those of the names
    where one server alone is asked about.
    """

    rows: dict[str, Sequence[InterestEntry]] = field(default_factory=dict)
    possible: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    undetermined: list[Undetermined] = field(default_factory=list)
    partial: set[str] = field(default_factory=set)
    doubled: bool = False
    paths: set[Path] = field(default_factory=set)


def _names_held(
    part: Part, walker: Walker, numbers: Sequence[int], closed: Closed, budget: Budget
) -> _Held:
    """What each of the servers holds, as far as the budget goes. One walk a server on a legal
    network.
    """
    assert part.system.capabilities.names is not None
    graph, names = part.graph, part.system.capabilities.names()
    listing = _Listing(graph, names.name_of)
    doubt = names.unknowns(graph, walker, closed)
    found = _Held()

    def leave_open(server: Server, text: str, source: Source) -> None:
        found.undetermined.append(Undetermined(server.name, text, source, graph.system))

    for number in numbers:
        server = graph.servers[number]
        if not server.loaded:
            leave_open(server, *doubt.not_loaded(number))
            continue
        try:
            budget.check()
            held = names.names_held(graph, walker, number, closed, budget)
            open_ended = doubt.unreached(number, doubt.open_ended[0]) if doubt.open_ended else None
        except BudgetSpent:
            text = f"{budget.ended}, before the names it holds were looked for"
            leave_open(server, text, server.source)
            continue
        if len(numbers) == 1:
            found.paths = {entry.path for entry in held.found}
        if isinstance(held.found, HeldOnce) and doubt.paths_certain:
            found.rows[server.name] = listing.listed(held.found)
        else:
            open_ended = _by_path(listing, held.found, doubt, found, server.name) or open_ended
        if held.undecided:
            found.partial.add(server.name)
            leave_open(server, f"more names are possible: {budget.ended}", server.source)
        elif open_ended is not None:
            leave_open(server, f"more names are possible: {open_ended[0]}", open_ended[1])
    return found


def _by_path(
    listing: _Listing, held: Sequence[HeldName], doubt: Unknowns, found: _Held, server: str
) -> tuple[str, Source] | None:
    """Note the names whose paths are certain, and those that are only possible; why the first of
    these is not certain. Linear in the paths, sorting aside."""
    entries, open_ended = [], None
    for entry in held:
        shown = listing.entry(entry)
        because = doubt.leaves_open(entry.path)
        if because is not None:
            found.possible.setdefault(server, set()).add((shown.name, shown.via))
            open_ended = open_ended or because
        else:
            entries.append(shown)
    found.doubled |= len({entry.owner for entry in held}) < len(held)
    found.rows[server] = tuple(sorted(entries, key=lambda entry: (entry.name, entry.via)))
    return open_ended


class _Listing:
    """Names as entries of an answer; those of all servers are put in order once."""

    def __init__(self, graph: ForwardingGraph, name_of: Callable[[str], str]) -> None:
        self._servers = [server.name for server in graph.servers]
        self._names = [name_of(name) for name in self._servers]

    def entry(self, held: HeldName) -> InterestEntry:
        """One name as an entry."""
        return InterestEntry(self._names[held.owner], self._servers[held.via], held.hops)

    @cached_property
    def _ordered(self) -> Ints:
        return np.array(sorted(range(len(self._names)), key=self._names.__getitem__), np.int32)

    def listed(self, held: HeldOnce) -> NamesListed:
        """The names of one server, by name. Linear in the servers."""
        place = np.full(len(self._names), -1, np.int32)
        place[held.owners] = np.arange(len(held), dtype=np.int32)
        own = place[self._ordered]
        own = own[own >= 0]
        columns = (held.owners[own], held.vias[own], held.hops[own])
        return NamesListed((self._names, self._servers), columns)


def _listed(
    part: Part, engine: Walker, servers: Sequence[str], budget: Budget
) -> tuple[ListedInterest, Sequence[Caution]]:
    """What servers listed; what to know where that cannot be said. Raises NotApplicable where
    the system knows no lists.
    """
    if not isinstance(part.estate, Observing):
        raise NotApplicable(f"{part.system.title} has no lists of interest that could be compared.")
    try:
        return part.estate.listed_interest(part.graph, engine, servers, budget), ()
    except BudgetSpent:
        return ListedInterest(), (
            Caution("budget", f"{budget.ended}, before what servers listed was compared"),
        )


def _comparable(
    model: Model,
    rows: Mapping[str, Sequence[InterestEntry]],
    server: str | None,
    observed: Mapping[str, Sequence[tuple[str, str]]],
) -> dict[str, Sequence[tuple[str, str]]]:
    """The observations to compare: of the server asked about, or of all whose names are known.
    Raises UnknownServer for one that is not part of the network. What a server holds whose files
    are not loaded is undetermined, so nothing is missing or unexpected there."""
    for name in observed:
        model.locate(name)
    return {
        name: seen for name, seen in observed.items() if name in rows and server in (None, name)
    }


def _compared(
    rows: Mapping[str, Sequence[InterestEntry]],
    possible: Mapping[str, Collection[tuple[str, str]]],
    observed: Mapping[str, Sequence[tuple[str, str]]],
) -> tuple[tuple[InterestDifference, ...], tuple[InterestDifference, ...]]:
    """(held by the rules and not observed, observed and not held by the rules), for the observed
    servers only. ``possible`` are (name, via) that a server holds if one that is not loaded
    takes part: neither missing nor unexpected."""
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
            known = (
                (name, via) in explained if via else any(name == other for other, _ in explained)
            )
            if not known:
                unexpected.append(InterestDifference(server, name, via))
    return tuple(missing), tuple(unexpected)
