"""What administration commands do to the configuration of EMS servers (ems.md 3.7), and what a server refuses (R5, R8, R9, R24, R83).

``edit`` is pure: one command and the facts as they are give the facts that go and come, or the reason why the server refuses. ``judge`` says whether
the servers accept a route that a command would bring (2.3, 6.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from topograph.did_you_mean import did_you_mean
from topograph.facts.command import Command
from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsObservedRoute,
    EmsRoute,
    EmsServer,
    RouteSelector,
)
from topograph.facts.ems_commands import EmsCommand
from topograph.facts.ems_names import TEMPORARY, destination_name_fault, is_wildcard, server_name_fault
from topograph.facts.fact import Fact
from topograph.findings import Finding, Severity
from topograph.forwarding.budget import Budget
from topograph.forwarding.graph import Closed, ForwardingGraph
from topograph.forwarding.rows import RowWalks
from topograph.systems.changing import Doubled, Edit, Probes, Refusal
from topograph.systems.cycles import DoubledName
from topograph.systems.ems.doubt import Doubt
from topograph.systems.ems.guards import suspensions
from topograph.systems.ems.legality import cyclic_parts, duplicates
from topograph.systems.ems.new_route import NewLink, doubled_names, judge_on
from topograph.systems.ems.probes import probes as probes_of
from topograph.systems.ems.urls import endpoints
from topograph.systems.protocol import Change, FactSource

F = TypeVar("F", bound=Fact)


def servers_at(facts: FactSource, url: str) -> frozenset[str]:
    """The servers that a URL leads to: those that listen there, and those that routes reach by it (3.7)."""
    wanted = {(end.host, end.port) for end in endpoints(url)}
    found = set()
    for fact in facts.facts(("server", "route")):
        urls = fact.listen if isinstance(fact, EmsServer) else fact.url if isinstance(fact, EmsRoute) else ()
        name = fact.server if isinstance(fact, EmsServer) else fact.label
        if any((end.host, end.port) in wanted for text in urls for end in endpoints(text)):
            found.add(name)
    return frozenset(found)


def without_link(facts: FactSource, one: str, other: str) -> Change:
    """See ``Changes.without_link``: the routes of both sides (R3)."""
    found = [fact for here, there in ((one, other), (other, one)) for fact in facts.facts(("route",), here, (there,))]
    return Change(tuple(found))


@dataclass(frozen=True)
class _Configuration:
    """The facts of one server in one of its main files (a member of a fault-tolerant pair has one of its own)."""

    server: EmsServer
    facts: FactSource

    def all(self, kind: str, cls: type[F]) -> list[F]:
        """The facts of one kind, in order."""
        found = self.facts.facts((kind,), self.server.server)
        return [fact for fact in found if isinstance(fact, cls) and fact.bundle == self.server.bundle]

    def own(self, fact: F) -> F:
        """A fact of a command as one of this configuration."""
        return replace(fact, bundle=self.server.bundle, server=self.server.server)


class _Refused(Exception):
    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@dataclass
class _Editing:
    """What one command does to one configuration."""

    at: _Configuration
    command: EmsCommand
    removed: list[Fact]
    added: list[Fact]
    notes: list[Finding]

    def swap(self, before: Fact, after: Fact) -> None:
        """Put a fact in the place of another."""
        self.removed.append(before)
        self.added.append(after)

    def note(self, kind: str, message: str, rule: str) -> None:
        """Say what else the command does."""
        source = self.command.source
        self.notes.append(Finding(kind, Severity.WARNING, message, source, rule, "", self.at.server.server))


def edit(facts: FactSource, server: str, command: Command) -> Edit:
    """What a command does to the facts of ``server``; in a fault-tolerant pair to those of both members, which share their files (R7). Linear in the
    facts of the server."""
    assert isinstance(command, EmsCommand)
    if command.fault:
        return Edit(refused=Refusal("3.7", command.fault, server))
    mains = [fact for fact in facts.facts(("server",), server) if isinstance(fact, EmsServer)]
    if not mains:
        message = f"the configuration of {server} is not loaded: nobody can say what the command would do"
        return Edit(refused=Refusal("3.7", message, server, undetermined=True))
    change, notes = Change(), list[Finding]()
    for main in mains:
        editing = _Editing(_Configuration(main, facts), command, [], [], [])
        try:
            _EDITS.get(command.object, _nothing)(editing)
        except _Refused as refused:
            return Edit(refused=Refusal(refused.rule, str(refused), server))
        change = Change((*change.removed, *editing.removed), (*change.added, *editing.added))
        notes = notes or editing.notes
    return Edit(change, notes=tuple(dict.fromkeys(notes)))


def _nothing(_editing: _Editing) -> None:
    """The command changes nothing that decides about messages."""


def passing(graph: ForwardingGraph) -> ForwardingGraph:
    """See ``Changes.passing``: what goes to the other end of a suspended route waits (R53, 6.3)."""
    waiting = suspensions(graph).keys()
    if not waiting:
        return graph
    passes = np.ones(graph.node_count, np.bool_)
    passes[[number for number, point in enumerate(graph.points) if not waiting.isdisjoint(point.guards)]] = False
    kept = passes[graph.ends]
    return replace(graph, starts=np.concatenate(([0], np.cumsum(kept)))[graph.starts], ends=graph.ends[kept])


def probes(before: ForwardingGraph, after: ForwardingGraph, change: Change, budget: Budget) -> Probes:
    """See ``probes.probes``."""
    return probes_of(before, after, change, budget)


MOST_DUPLICATES = 1_000
"""Names held twice that a refusal lists."""


def judge(graph: ForwardingGraph, server: str, command: Command, budget: Budget) -> Refusal | None:
    """Whether the servers accept a route that a command creates, all routes of ``graph`` up (2.3, 6.4, R30). Other commands bring no path.

    On a legal network linear in the links; on one that is illegal already what the route adds to the names that are held twice. A route that touches
    servers whose links are not all known is undetermined."""
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
                "R24", _printed(verdict.message), server, at, verdict.detected, Doubled(verdict.graph, tuple(found))
            )
    else:
        assert verdict.graph is not None
        added = _added_duplicates(graph, verdict.graph, budget)
        if added:
            at = tuple(sorted({verdict.graph.servers[one.server].name for one in added}))
            first = verdict.graph.servers[added[0].owner].name
            detected = "endpoint" if set(at) & set(ends) else "downstream"
            return Refusal(
                "R24",
                _printed(f"Implicit route to '{first}' already exists"),
                server,
                at,
                detected,
                Doubled(verdict.graph, tuple(added)),
            )
    return _not_certain(graph, walks, link)


def _printed(text: str) -> str:
    """What the administration tool prints, as its words (R24)."""
    return f'"Error: {text}"'


_RULE_OF = {"zone-type": "R8", "same-server": "1.2", "route-exists": "1.2"}


def _promoted(graph: ForwardingGraph, link: NewLink) -> Refusal | None:
    """A route whose other side is configured joins that side's link (R5); the two should say the same of its zone (A9)."""
    u, v = graph.server_number[link.u], graph.server_number[link.v]
    point = next(one for one in graph.points if one.kind == "arrival" and {one.previous, one.server} == {u, v})
    if (point.zone, point.zone_type) == (link.zone, link.zone_type):
        return None
    message = (
        f"{link.v} has the link in the {point.zone_type} zone {point.zone} ({point.source}), this command puts it in the {link.zone_type} zone "
        f"{link.zone}: which of them counts is not documented"
    )
    return Refusal("A9", message, link.u, undetermined=True)


def _added_duplicates(before: ForwardingGraph, after: ForwardingGraph, budget: Budget) -> list[DoubledName]:
    """The names held twice with a route, over more neighbours than without it."""

    def held(graph: ForwardingGraph) -> dict[tuple[str, str], tuple[frozenset[str], DoubledName]]:
        names = [server.name for server in graph.servers]
        found = duplicates(graph, RowWalks(graph), Closed(), budget, MOST_DUPLICATES).names
        return {(names[one.server], names[one.owner]): (frozenset(names[via] for via in one.via), one) for one in found}

    known = held(before)
    return [one for key, (via, one) in sorted(held(after).items()) if key not in known or via - known[key][0]]


def _not_certain(graph: ForwardingGraph, walks: RowWalks, link: NewLink) -> Refusal | None:
    """That servers with routes which no file shows lie behind an end of a new link: with them it may bring a second path."""
    doubt = Doubt(graph, walks, Closed())
    ends = [graph.server_number[name] for name in (link.u, link.v) if name in graph.server_number]
    unknown = next((name for name in (link.u, link.v) if name not in graph.server_number), "")
    if unknown:
        message = f"the configuration of {unknown} is not loaded: its routes may bring a second path"
        return Refusal("R20", message, link.u, undetermined=True)
    if doubt.open_ended and (doubt.gaps or any(doubt.touches(end) for end in ends)):
        why, place = doubt.may_lead_on()
        return Refusal(
            "R20", f"{why} ({place}): with the new route they may bring a second path", link.u, undetermined=True
        )
    return None


# --- routes ------------------------------------------------------------------------------------------------------------


def _route(editing: _Editing) -> None:
    command, at = editing.command, editing.at
    given = command.fact
    assert isinstance(given, EmsRoute)
    here = at.server.server
    known = next((route for route in at.all("route", EmsRoute) if route.name == given.name), None)
    if command.verb == "create":
        if known is not None:
            raise _Refused("1.2", f"{here} has a route {given.name} already ({known.source})")
        if fault := server_name_fault(given.name):
            raise _Refused("1.1", f"a route is named after its remote server, and {fault}")
        if given.name == here:
            raise _Refused("1.2", f"a route leads to another server, and {here} is this one")
        if not given.url:
            raise _Refused("1.2", "a route needs a url")
        editing.added.append(at.own(given))
        return
    if known is None:
        near = did_you_mean(given.name, [route.name for route in at.all("route", EmsRoute)])
        raise _Refused(
            "3.7", f"{here} configures no route {given.name}{_passive(editing, given.name)}{near and f'.{near}'}"
        )
    if command.verb == "delete":
        editing.removed.append(known)
        editing.note(
            "route-deleted",
            f"the internal subscribers for {given.name} go with the route: messages that {here} stores for it are at risk",
            "3.7",
        )
    elif command.verb in ("suspend", "resume"):
        _suspend(editing, known)
    else:
        _immutable(given, known)
        after = _BY_VERB[command.verb](editing, given, known)
        if after.selectors != known.selectors:
            message = "the changed selectors decide about messages that arrive from now on; pending ones keep the old decision until a restart"
            editing.note("pending-messages", message, "R68")
        editing.swap(known, after)


def _passive(editing: _Editing, name: str) -> str:
    """That the other server configures the route, where it does."""
    here = editing.at.server.server
    others = editing.at.facts.facts(("route",), name)
    configured = next((one for one in others if isinstance(one, EmsRoute) and one.name == here), None)
    return f"; {name} configures it ({configured.source})" if configured else ""


def _suspend(editing: _Editing, known: EmsRoute) -> None:
    """R53: messages from here over the route wait until it is resumed. That is no configuration but a state of the server, as ``show routes`` tells it."""
    wanted = editing.command.verb == "suspend"
    if wanted:
        message = f"messages for {known.name} wait at {known.server} until the route is resumed; those that come from {known.name} pass"
        editing.note("waiting", message, "R53")
    seen = [one for one in editing.at.all("observed_route", EmsObservedRoute) if one.name == known.name]
    for row in seen:
        if row.suspended is not wanted:
            editing.swap(row, replace(row, suspended=wanted, source=editing.command.source))
    if wanted and not seen:
        editing.added.append(
            EmsObservedRoute(
                bundle=known.bundle,
                server=known.server,
                source=editing.command.source,
                name=known.name,
                active=True,
                connected=True,
                url=",".join(known.url),
                zone_name=known.zone_name,
                zone_type=known.zone_type,
                suspended=True,
            )
        )


def _immutable(given: EmsRoute, known: EmsRoute) -> None:
    """R9: name, zone and type of a route stay as they were created."""
    for stated, key in (("name", "zone_name"), ("type", "zone_type")):
        if stated in given.zone_stated and getattr(given, key) != getattr(known, key):
            message = f"{key} cannot be changed after a route is created; it is {getattr(known, key)} ({known.source})"
            raise _Refused("R9", message)


def _joined(first: Iterable[RouteSelector], second: Iterable[RouteSelector]) -> tuple[RouteSelector, ...]:
    """Selectors with others set: one for the same topic and direction replaces the earlier (R70)."""
    later = {(one.direction, one.topic): one for one in second}
    kept = [one for one in first if (one.direction, one.topic) not in later]
    return (*kept, *later.values())


def _added(_editing: _Editing, given: EmsRoute, known: EmsRoute) -> EmsRoute:
    return replace(
        known,
        url=given.url or known.url,
        topic_prefetch=given.topic_prefetch or known.topic_prefetch,
        selectors=_joined(known.selectors, given.selectors),
        properties=tuple({**dict(known.properties), **dict(given.properties)}.items()),
    )


def _set(editing: _Editing, given: EmsRoute, known: EmsRoute) -> EmsRoute:
    """``setprop`` removes what it does not restate; each removal is told."""
    restated = {(one.direction, one.topic) for one in given.selectors}
    for gone in known.selectors:
        if (gone.direction, gone.topic) not in restated:
            editing.note(
                "property-removed", f"setprop removes what it does not restate: {_shown(gone)} ({gone.source})", "3.7"
            )
    keys = {key for key, _ in given.properties}
    lost = [key for key, _ in known.properties if key not in keys]
    lost += ["topic_prefetch"] if known.topic_prefetch and not given.topic_prefetch else []
    for key in lost:
        editing.note("property-removed", f"setprop removes what it does not restate: {key} ({known.source})", "3.7")
    return replace(
        known,
        url=given.url or known.url,
        topic_prefetch=given.topic_prefetch,
        selectors=_joined((), given.selectors),
        properties=given.properties,
    )


def _shown(selector: RouteSelector) -> str:
    return f'{selector.direction}_topic={selector.topic} selector="{selector.selector}"'


def _removed(editing: _Editing, given: EmsRoute, known: EmsRoute) -> EmsRoute:  # noqa: ARG001  (one signature for all verbs)
    stated = editing.command.stated
    if stated & {"url", "zone_name", "zone_type"}:
        raise _Refused("R9", f"{min(stated & {'url', 'zone_name', 'zone_type'})} of a route cannot be removed")
    gone = editing.command.unselected
    absent = [one for one in gone if not any(_names(one, each) for each in known.selectors)]
    if absent:
        shown = f"{absent[0].direction}_topic" + (f"={absent[0].topic}" if absent[0].topic else "")
        raise _Refused("3.7", f"the route {known.name} has no {shown} ({known.source})")
    return replace(
        known,
        topic_prefetch="" if "topic_prefetch" in stated else known.topic_prefetch,
        selectors=tuple(one for one in known.selectors if not any(_names(each, one) for each in gone)),
        properties=tuple(pair for pair in known.properties if pair[0] not in stated),
    )


def _names(gone: RouteSelector, selector: RouteSelector) -> bool:
    return gone.direction == selector.direction and gone.topic in ("", selector.topic)


_BY_VERB: dict[str, Callable[[_Editing, EmsRoute, EmsRoute], EmsRoute]] = {
    "addprop": _added,
    "setprop": _set,
    "removeprop": _removed,
}


# --- destinations ------------------------------------------------------------------------------------------------------


def _destination(editing: _Editing) -> None:
    command, at = editing.command, editing.at
    given = command.fact
    assert isinstance(given, EmsDestination)
    of = at.all("destination", EmsDestination)
    own = [one for one in of if (one.type, one.name, one.owner) == (given.type, given.name, given.owner)]
    what = f"{given.type} {given.name}{f'@{given.owner}' if given.owner else ''}"
    if command.verb == "create":
        if own:
            raise _Refused("1.4", f"{at.server.server} has a {what} already ({own[0].source})")
        if fault := destination_name_fault(given.name):
            raise _Refused("1.4", fault)
        if given.name.startswith(TEMPORARY):
            raise _Refused("R93", f"{given.name} is temporary and cannot be configured")
        editing.added.append(at.own(given))
        return
    if not own:
        raise _Refused("3.7", f"{at.server.server} configures no {what}")
    if command.verb == "delete":
        editing.removed += own
        return
    for known in own:
        before, stated = dict(known.properties), dict(given.properties)
        if command.verb == "addprop":
            after = before | stated
        elif command.verb == "setprop":
            after = stated
            for key in before.keys() - stated.keys():
                message = f"setprop removes what it does not restate: {key} of {what} ({known.source})"
                editing.note("property-removed", message, "3.7")
        else:
            after = {key: value for key, value in before.items() if key.lower() not in command.stated}
        editing.swap(known, replace(known, properties=tuple(after.items())))


# --- bridges, durables, permissions, the server itself -------------------------------------------------------------------


def _bridge(editing: _Editing) -> None:
    given = editing.command.fact
    assert isinstance(given, EmsBridge)
    own = [one for one in editing.at.all("bridge", EmsBridge) if one.label == given.label]
    if editing.command.verb == "delete":
        if not own:
            raise _Refused("3.7", f"{editing.at.server.server} configures no bridge {given.label}")
        editing.removed += own
        return
    if own:
        raise _Refused("1.6", f"{editing.at.server.server} has the bridge {given.label} already ({own[0].source})")
    if is_wildcard(given.target_name):
        raise _Refused("1.6", f"the target {given.target_name} of a bridge is a wildcard")
    for name in (given.source_name, given.target_name):
        if name.startswith(TEMPORARY):
            raise _Refused("R93", f"{name} is temporary and cannot be bridged")
        if fault := destination_name_fault(name.partition("@")[0]):
            raise _Refused("1.4", fault)
    editing.added.append(editing.at.own(given))


def _durable(editing: _Editing) -> None:
    given = editing.command.fact
    assert isinstance(given, EmsDurable)
    known = editing.at.all("durable", EmsDurable)
    if editing.command.verb == "delete":
        own = [
            one for one in known if one.name == given.name and (not given.client_id or one.client_id == given.client_id)
        ]
        if not own:
            raise _Refused("3.7", f"{editing.at.server.server} configures no durable {given.name}")
        editing.removed += own
        return
    same = [one for one in known if _durable_identity(one) == _durable_identity(given)]
    if same:
        raise _Refused("3.4", f"{editing.at.server.server} has the durable {given.name} already ({same[0].source})")
    if given.topic.startswith(TEMPORARY):
        raise _Refused("R93", f"{given.topic} is temporary and cannot have durables")
    if fault := destination_name_fault(given.topic):
        raise _Refused("1.4", fault)
    editing.added.append(editing.at.own(given))


def _durable_identity(one: EmsDurable) -> tuple[str, str]:
    """What two durables conflict in: a route durable is one per topic and server, any other one per client id and name (3.4)."""
    return (f"route {one.topic}" if one.route else f"client {one.client_id}", one.name)


def _grant(editing: _Editing) -> None:
    given = editing.command.fact
    assert isinstance(given, EmsGrant)

    def concerned(one: EmsGrant) -> bool:
        return (one.type, one.name, one.principal_type, one.principal) == (
            given.type,
            given.name,
            given.principal_type,
            given.principal,
        )

    own = [one for one in editing.at.all("grant", EmsGrant) if concerned(one)]
    if editing.command.verb == "grant":
        held = {permission for one in own for permission in one.permissions}
        if not held >= set(given.permissions):
            editing.added.append(editing.at.own(given))
        return
    if not own:
        who = f"{given.principal_type} {given.principal}"
        raise _Refused("3.7", f"{editing.at.server.server} grants {who} nothing on {given.type} {given.name}")
    for one in own:
        kept = tuple(p for p in one.permissions if p not in given.permissions and "all" not in given.permissions)
        if kept == one.permissions:
            continue
        editing.removed.append(one)
        if kept:
            editing.added.append(replace(one, permissions=kept))


def _group(editing: _Editing) -> None:
    command = editing.command
    given = command.fact
    assert isinstance(given, EmsGroup)
    known = next((one for one in editing.at.all("group", EmsGroup) if one.name == given.name), None)
    if command.verb == "create":
        if known is not None:
            raise _Refused("1.6", f"{editing.at.server.server} has the group {given.name} already ({known.source})")
        editing.added.append(editing.at.own(given))
        return
    if known is None:
        raise _Refused("3.7", f"{editing.at.server.server} has no group {given.name}")
    if command.verb == "delete":
        editing.removed.append(known)
    elif command.verb == "addprop":
        editing.swap(known, replace(known, members=tuple(dict.fromkeys((*known.members, *given.members)))))
    else:
        kept = tuple(one for one in known.members if one not in given.members)
        editing.swap(known, replace(known, members=kept))


def _server(editing: _Editing) -> None:
    given, known = editing.command.fact, editing.at.server
    assert isinstance(given, EmsServer)
    stated = {place.parameter for place in given.places}
    after = replace(
        known,
        routing=known.routing if given.routing is None else given.routing,
        authorization=known.authorization if given.authorization is None else given.authorization,
        places=(*(place for place in known.places if place.parameter not in stated), *given.places),
    )
    editing.swap(known, after)


_EDITS: dict[str, Callable[[_Editing], None]] = {
    "route": _route,
    "destination": _destination,
    "bridge": _bridge,
    "durable": _durable,
    "grant": _grant,
    "group": _group,
    "server": _server,
}
"""What a command does, by what it is about."""
