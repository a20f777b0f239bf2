"""What administration commands do to the configuration of EMS servers (ems.md 3.7), and what a
server refuses (R5, R8, R9, R24, R83).

``edit`` is pure: one command and the facts as they are give the facts that go and come, or the
reason why the server refuses. ``judge`` says whether the servers accept a route that a command
would bring (2.3, 6.4).
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from topograph.facts.command import Command
from topograph.facts.ems import EmsRoute, EmsServer
from topograph.facts.ems_commands import EmsCommand
from topograph.facts.ems_urls import endpoints
from topograph.facts.fact import Fact
from topograph.facts.rows import encode, without_places
from topograph.findings import Finding
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.rules.ems_findings import SECTION_1_3, SECTION_3_7, SERVER_STOPS
from topograph.side_inputs import yaml_text
from topograph.systems.contract.changes import Doubled, Edit, Known, Probes, Refusal, Refused
from topograph.systems.contract.cycles import DoubledName, Duplicates
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.ems.changes.editing import BundleFacts, EmsEditing
from topograph.systems.ems.changes.entry_edits import EDITS as ENTRY_EDITS
from topograph.systems.ems.changes.new_route import (
    NewLink,
    doubled_names,
    judge_on,
    printed_name,
    type_of_zone,
)
from topograph.systems.ems.changes.probes import probes as probes_of
from topograph.systems.ems.changes.route_edits import edit_route
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.network.doubt import Doubt
from topograph.systems.ems.network.legality import cyclic_parts, duplicates
from topograph.systems.fact_sources import of_class

F = TypeVar("F", bound=Fact)


def servers_at(facts: FactSource, url: str) -> frozenset[str]:
    """The servers that a URL leads to: those that listen there, and those that routes reach by
    it (3.7).
    """
    wanted = {(end.host, end.port) for end in endpoints(url)}
    found = set()
    named = (
        *((main.server, main.listen) for main in of_class(facts, EmsServer)),
        *((route.name, route.url) for route in of_class(facts, EmsRoute)),
    )
    for name, urls in named:
        if any((end.host, end.port) in wanted for text in urls for end in endpoints(text)):
            found.add(name)
    return frozenset(found)


def without_link(facts: FactSource, one: str, other: str) -> Change:
    """See ``Changes.without_link``: the routes of both sides (R3)."""
    found = [
        fact
        for here, there in ((one, other), (other, one))
        for fact in of_class(facts, EmsRoute, here, (there,))
    ]
    return Change(tuple(found))


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the facts of ``server``; in a fault-tolerant pair to those of both
    members, which share their files (R7). Linear in the facts of the server."""
    assert isinstance(command, EmsCommand)
    if command.fault:
        return Edit(refused=Refusal("3.7", command.fault, server))
    mains = of_class(facts, EmsServer, server)
    if not mains:
        message = (
            f"the configuration of {server} is not loaded: nobody can say what the command would "
            f"do; {_if_new(server)}"
        )
        return Edit(refused=Refusal("3.7", message, server, undetermined=True))
    change, notes, doubts = Change(), list[Finding](), [command.doubtful]
    for main in mains:
        editing = EmsEditing(server, command, at=BundleFacts(main, facts))
        try:
            _EDITS.get(command.object, _nothing)(editing)
        except Refused as refused:
            return Edit(refused=refused.by(server))
        removed, added = _differing(editing.removed, editing.added)
        change = Change((*change.removed, *removed), (*change.added, *added))
        notes = notes or editing.notes
        doubts += editing.doubts
    doubt = None
    if why := next(filter(None, doubts), ""):
        message = f"{why}: whether the server takes the command is not known"
        doubt = Refusal("3.7", message, server, undetermined=True)
    return Edit(change, doubt, tuple(dict.fromkeys(notes)))


def _if_new(server: str) -> str:
    """What to do about a server that is not loaded because it is not set up yet."""
    entry = f"new: {{{yaml_text(server)}: {{routing: enabled}}}}"
    return (
        f"if it is a new server, declare it in topograph.yaml ({entry}) or put its folder next to "
        "the others"
    )


def _differing(removed: Sequence[Fact], added: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """The facts that go and come without those that come back as they were, wherever they stand
    in their files.
    """
    left = Counter(map(_content, removed)) & Counter(map(_content, added))

    def others(facts: Sequence[Fact]) -> list[Fact]:
        back, kept = Counter(left), []
        for fact in facts:
            content = _content(fact)
            if back[content]:
                back[content] -= 1
            else:
                kept.append(fact)
        return kept

    return others(removed), others(added)


def _content(fact: Fact) -> tuple[str, str, str]:
    row = encode(fact)
    return row["kind"], row["name"], without_places(row["payload"])


def _nothing(_editing: EmsEditing) -> None:
    """The command changes nothing that decides about messages."""


def left_behind(change: Change) -> tuple[Finding, ...]:
    """A zone of another type than the one that a server had: it keeps the type in its store too
    (1.3).
    """
    had = {
        (fact.server, fact.zone_name, fact.zone_type): None
        for fact in change.removed
        if isinstance(fact, EmsRoute)
    }
    found: dict[tuple[str, str], Finding] = {}
    for fact in change.added:
        if not isinstance(fact, EmsRoute):
            continue
        other = "1hop" if fact.zone_type == "mhop" else "mhop"
        if (fact.server, fact.zone_name, other) in had and (
            fact.server,
            fact.zone_name,
            fact.zone_type,
        ) not in had:
            message = (
                f"zone {fact.zone_name} was {other} at {fact.server} and is "
                f"{fact.zone_type} now: a server does not start when routes.conf says "
                "another "
                "type than its store keeps"
            )
            found.setdefault(
                (fact.server, fact.zone_name),
                SECTION_1_3.at(fact.source, message, server=fact.server),
            )
    return tuple(found.values())


def passing(graph: ForwardingGraph) -> ForwardingGraph:
    """See ``Changes.passing``: what goes to the other end of a suspended route waits (R53, 6.3)."""
    waiting = suspensions(graph).keys()
    if not waiting:
        return graph
    passes = np.ones(graph.node_count, np.bool_)
    passes[
        [
            number
            for number, point in enumerate(graph.points)
            if not waiting.isdisjoint(point.guards)
        ]
    ] = False
    kept = passes[graph.ends]
    return replace(
        graph, starts=np.concatenate(([0], np.cumsum(kept)))[graph.starts], ends=graph.ends[kept]
    )


def probes(
    before: ForwardingGraph, after: ForwardingGraph, change: Change, known: Known, budget: Budget
) -> Probes:
    """See ``probes.probes``."""
    return probes_of(before, after, change, known, budget)


MOST_DUPLICATES = 1_000
"""Names held twice that a refusal lists."""


def judge(graph: ForwardingGraph, server: str, command: Command, budget: Budget) -> Refusal | None:
    """Whether the servers accept a route that a command creates, all routes of ``graph`` up (2.3,
    6.4, R30). Other commands bring no path.

    On a legal network linear in the links; on one that is illegal already what the route adds to
    the names that are held twice. A route that touches servers whose links are not all known is
    undetermined."""
    assert isinstance(command, EmsCommand)
    route = command.fact
    if command.object != "route" or command.verb != "create" or not isinstance(route, EmsRoute):
        return None
    link = NewLink(server, route.name, route.zone_name, route.zone_type, server, command.source)
    walks = RowWalks(graph)
    verdict = judge_on(graph, walks, link)
    ends = tuple(sorted((link.u, link.v)))
    if verdict.verdict == "error":
        return Refusal(_RULE_OF.get(verdict.kind, "1.2"), verdict.message, server)
    if verdict.graph is graph:
        return _promoted(graph, link)
    if all(part.legal for part in cyclic_parts(graph)):
        if verdict.verdict == "reject":
            assert verdict.graph is not None
            found = doubled_names(verdict.graph, budget, MOST_DUPLICATES)
            at = tuple(sorted(verdict.conflicts)) or tuple(
                sorted({verdict.graph.servers[one.server].name for one in found})
            )
            return Refusal(
                "R24",
                _printed(verdict.message),
                server,
                at,
                verdict.detected,
                Doubled(verdict.graph, tuple(found)),
            )
    else:
        assert verdict.graph is not None
        added, complete = _added_duplicates(graph, verdict.graph, budget)
        if added:
            at = tuple(sorted({verdict.graph.servers[one.server].name for one in added}))
            owners = {verdict.graph.servers[one.owner].name for one in added}
            first = printed_name(owners, link)
            detected = "endpoint" if set(at) & set(ends) else "downstream"
            return Refusal(
                "R24",
                _printed(f"Implicit route to '{first}' already exists"),
                server,
                at,
                detected,
                Doubled(verdict.graph, tuple(added)),
            )
        if not complete:
            ended = (
                f"{budget.ended} (--budget)"
                if budget.spent
                else f"the list of names ends at {MOST_DUPLICATES:,} entries"
            )
            return Refusal(
                "R24",
                "the network is illegal already, and whether the route brings more names that "
                f"are held twice was not decided: {ended}",
                server,
                undetermined=True,
            )
    return _not_certain(graph, walks, link)


def _printed(text: str) -> str:
    """What the administration tool prints, as its words (R24)."""
    return f'"Error: {text}"'


_RULE_OF = {"zone-type": "R8", "same-server": "1.2", "route-exists": "1.2"}


def _promoted(graph: ForwardingGraph, link: NewLink) -> Refusal | None:
    """A route whose other side is configured joins that side's link (R5); the two should say the
    same of its zone (A9).
    """
    u, v = graph.server_number[link.u], graph.server_number[link.v]
    point = next(
        one
        for one in graph.points
        if one.kind == "arrival" and {one.previous, one.server} == {u, v}
    )
    if (point.zone, point.zone_type) == (link.zone, link.zone_type):
        return None
    kind = type_of_zone(graph, link)
    if kind not in ("", link.zone_type):
        return Refusal("R8", f"zone {link.zone} exists with type {kind} (R8)", link.u)
    message = (
        f"{link.v} has the link in the {point.zone_type} zone {point.zone} "
        f"({point.source}), this command puts it in the {link.zone_type} zone "
        f"{link.zone}: which of them counts is not documented"
    )
    return Refusal("A9", message, link.u, undetermined=True)


def _added_duplicates(
    before: ForwardingGraph, after: ForwardingGraph, budget: Budget
) -> tuple[list[DoubledName], bool]:
    """The names held twice with a route, over more neighbours than without it; and whether these
    are all. Names are listed owner by owner: where the list without the route is cut at its
    limit, nothing is said of the owners from the last one listed on; where the budget ended,
    nothing of any."""

    def held(found: Duplicates, graph: ForwardingGraph) -> dict[tuple[str, str], frozenset[str]]:
        names = [server.name for server in graph.servers]
        return {
            (names[one.server], names[one.owner]): frozenset(names[via] for via in one.via)
            for one in found.found
        }

    was = duplicates(before, RowWalks(before), Closed(), budget, MOST_DUPLICATES)
    if budget.spent:
        return [], False
    now = duplicates(after, RowWalks(after), Closed(), budget, MOST_DUPLICATES)
    known = held(was, before)
    last = len(before.servers) if was.complete else max(one.owner for one in was.found)
    listed = {server.name for server in before.servers[:last]}
    new = [
        (key, one)
        for (key, via), one in zip(held(now, after).items(), now.found, strict=True)
        if (was.complete or key[1] in listed) and via - known.get(key, frozenset())
    ]
    complete = was.complete and now.complete
    return [one for _, one in sorted(new, key=lambda each: each[0])], complete


def _not_certain(graph: ForwardingGraph, walks: RowWalks, link: NewLink) -> Refusal | None:
    """That servers may have routes which no file shows, to both ends of a new link or to what lies
    behind them: with them it may bring a second path. Ends without routing have none.
    """
    doubt = Doubt(graph, walks, Closed())
    ends = [graph.server_number[name] for name in (link.u, link.v) if name in graph.server_number]
    unknown = next((name for name in (link.u, link.v) if name not in graph.server_number), "")
    if unknown:
        message = (
            f"the configuration of {unknown} is not loaded: its routes may bring a second path; "
            f"{_if_new(unknown)}"
        )
        return Refusal("R20", message, link.u, undetermined=True)
    if doubt.unreached(*ends):
        why, place = doubt.may_lead_on()
        return Refusal(
            "R20",
            f"{why} ({place}): with the new route they may bring a second path",
            link.u,
            undetermined=True,
        )
    return None


def _stop(editing: EmsEditing) -> None:
    """``shutdown``: nothing that is configured changes."""
    failure = shlex.quote(f"server:{editing.server}")
    message = f"{editing.server} stops: `impact --fail {failure}` shows what becomes of messages"
    editing.note(SERVER_STOPS, message, SECTION_3_7)


_EDITS = {**ENTRY_EDITS, "route": edit_route, "shutdown": _stop}
"""What a command does, by what it is about."""
