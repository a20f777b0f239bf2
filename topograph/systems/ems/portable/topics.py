"""What a page may decide of messages to EMS topics without EMS: guards as expressions, subscribers,
entries, sentences (``systems.contract.portable_messages``).

Everything is taken from what ``messages``, ``publication`` and ``subscribers`` work on; a page puts
it together as they do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsGrant, EmsGroup, EmsRoute, EmsServer
from topograph.facts.ems_names import MAX_ELEMENT, MAX_ELEMENTS, MAX_NAME, TEMPORARY
from topograph.findings import Source
from topograph.forwarding.graph import POSITIONS, ForwardingGraph, Guard
from topograph.outcomes import NotForwarded, Outcome
from topograph.side_inputs import Client, SideInputs
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.portable_messages import (
    Expression,
    PortableCopy,
    PortableEntry,
    PortableGuard,
    PortableMessages,
    PortableSelector,
    PortableServer,
    PortableSubscriber,
)
from topograph.systems.ems.destinations.guards import INTEREST_KINDS, REASONS
from topograph.systems.ems.destinations.subscribers import (
    Facts,
    Subscriber,
    any_declared,
    bridges_not_shown,
    durables_not_shown,
    in_use,
    known_subscribers,
)
from topograph.systems.ems.destinations.suspensions import suspensions
from topograph.systems.ems.destinations.texts import TEXTS
from topograph.systems.ems.destinations.topics import is_wildcard
from topograph.systems.ems.network.observations import at_one_moment, observations
from topograph.systems.ems.portable import queues as portable_queues
from topograph.systems.ems.queues.steps import ARRIVES_BRIDGED, QueueSteps
from topograph.systems.ems.topics import conditions
from topograph.systems.ems.topics.positions import (
    ASSUMED,
    ASSUMED_BESIDE,
    ASSUMED_ELSEWHERE,
    nobody_else,
)
from topograph.systems.ems.topics.publication import READINGS, RULES
from topograph.systems.ems.topics.trace import MOST_COPIES
from topograph.tracing.trace import Ending

_TRUE: Expression = ["true"]
_KINDS = ("server", "destination", "grant", "group", "route")


def messages(facts: Facts, side_inputs: SideInputs, graph: ForwardingGraph) -> PortableMessages:
    """See ``PortableMessages``. Reads the facts of the network once. Linear in them, in the
    guards and in the points.
    """
    return _Reading(facts, side_inputs, graph).all()


@dataclass
class _Reading:
    facts: Facts
    side_inputs: SideInputs
    graph: ForwardingGraph
    _selectors: dict[tuple[str, str], int] = field(default_factory=dict)

    def all(self) -> PortableMessages:
        graph, facts = self.graph, self.facts
        loaded = {server.name: server.loaded for server in graph.servers}
        clients = self.side_inputs.clients
        seen = observations(facts, loaded)
        wanting = known_subscribers(facts, loaded, clients, seen, lambda _: True)
        waits = suspensions(graph)
        alone = any_declared(clients)
        kept = self._kept(wanting, clients)
        guards = tuple(
            self._guard(guard, waits.get(number)) for number, guard in enumerate(graph.guards)
        )
        subscribers = tuple(self._subscriber(one, kept) for one in wanting)
        steps = QueueSteps(facts, graph, clients, None, self._readings)
        onward = portable_queues.onward(steps, graph, subscribers, self._selector)
        return PortableMessages(
            types=("topic",),
            declined=(
                (TEMPORARY, "Temporary destinations belong to one client, which no file shows"),
            ),
            guards=guards,
            selectors=tuple(PortableSelector(*one) for one in self._selectors),
            places=tuple(self._places()),
            servers=tuple(self._server(server.name) for server in graph.servers),
            subscribers=subscribers,
            somewhere=()
            if alone
            else tuple(
                n
                for n, server in enumerate(graph.servers)
                if server.loaded and not _listed(server.name, seen)
            ),
            beside=tuple((graph.server_number[name], *why) for name, why in seen.cut.items()),
            unseen_takers=_doubts(durables_not_shown(facts, graph)),
            unseen_copies=_doubts(bridges_not_shown(facts, graph)),
            seen=(*at_one_moment(seen), *nobody_else(clients, seen, graph)),
            texts={
                **TEXTS,
                "held_ending": str(
                    Ending(Outcome.HELD, {"server": "{server}", "reason": "route suspended"})
                ),
                "loop_ending": str(Ending(Outcome.LOOP, {"state": "{destination} at {server}"})),
            },
            rules={
                "nobody": str(NotForwarded.NO_INTEREST),
                "selector_reason": str(NotForwarded.SELECTOR),
                "no_entry_reason": str(NotForwarded.NOT_GLOBAL),
                "no_permission_reason": str(NotForwarded.ACL),
                "own_selector": "R47",
                "copies": "R110",
                "copy_not_followed": "A12",
                "copies_too_many": "R110",
                "copies_received": "R114",
                "not_followed": "A13",
                "in_part": "R46",
                "default": "R69",
                "held": "R53",
                "no_entry": "R45",
                "no_permission": "R49",
                **{str(reason): rule for reason, rule in RULES.items()},
            },
            positions={
                "assumed": ASSUMED_ELSEWHERE if seen.whole or seen.cut else ASSUMED,
                "assumed_beside": ASSUMED_ELSEWHERE if seen.whole or seen.cut else ASSUMED_BESIDE,
                "arrives_copied": ARRIVES_BRIDGED,
            },
            readings=READINGS,
            onward=onward,
            limits={"name": MAX_NAME, "element": MAX_ELEMENT, "elements": MAX_ELEMENTS},
            most_copies=MOST_COPIES,
        )

    @property
    def _readings(self) -> Readings:
        return Readings.of(self.side_inputs, "ems")

    def _selector(self, text: str, fault: str = "") -> int:
        return self._selectors.setdefault((text, fault), len(self._selectors))

    def _guard(self, guard: Guard, waits: Source | None) -> PortableGuard:
        payload = json.loads(guard.payload) if guard.payload else {}
        reason = str(REASONS[guard.kind]) if guard.kind in REASONS else ""
        grants = guard.kind == "grant"
        at = self.graph.server_number.get(payload["at"], -1) if grants else -1
        return PortableGuard(
            self._asks(guard, payload),
            reason,
            interest=guard.kind in INTEREST_KINDS,
            selector=guard.kind == "selector",
            replaced=bool(payload.get("replaced")),
            at_end=guard.kind == "global",
            patterns=_patterns(guard, payload),
            at=at,
            lines=tuple(self._grant_lines(payload["at"], payload["user"])) if grants else (),
            waits=waits,
            source=guard.source,
            met=conditions.met(guard, payload)
            if "unknown" not in payload or guard.kind == "global"
            else "",
            lacking=conditions.lacking(guard, payload) if "unknown" not in payload else "",
            secure=tuple(conditions.secure(guard, payload)),
        )

    def _asks(self, guard: Guard, payload: Mapping[str, Any]) -> Expression:
        """What ``guards.evaluate`` says of messages to topics that are not temporary."""
        if guard.kind in POSITIONS:
            return _TRUE
        if guard.kind == "link":
            return ["false"]
        if "unknown" in payload:
            return [
                "if",
                ["matches", *payload.get("patterns", ())],
                _TRUE,
                ["unknown", payload["unknown"]],
            ]
        if guard.kind == "global":
            return ["matches", *payload["patterns"]]
        if guard.kind == "grant":
            return ["if", ["matches", *payload["secure"]], _granted(payload), _TRUE]
        number = self._selector(payload["selector"], payload.get("fault", ""))
        return ["if", ["matches", payload["topic"]], ["selector", number], _TRUE]

    def _grant_lines(self, at: str, user: str) -> Iterator[tuple[str, Source]]:
        own = self._own(at)
        groups = {fact.name for fact in own if isinstance(fact, EmsGroup) and user in fact.members}
        principals = {("user", user), *(("group", group) for group in groups)}
        for fact in own:
            if (
                isinstance(fact, EmsGrant)
                and fact.type == "topic"
                and (fact.principal_type, fact.principal) in principals
            ):
                yield fact.name, fact.source

    def _places(self) -> Iterator[tuple[int, int, Source]]:
        """The line of each selector at each link, as ``evidence`` finds it."""
        graph = self.graph
        asking = {number for number, guard in enumerate(graph.guards) if guard.kind == "selector"}
        if not asking:
            return
        payloads = {number: json.loads(graph.guards[number].payload) for number in asking}
        names = [*(server.name for server in graph.servers), ""]
        columns, (set_of, sets) = graph.columns, graph.guard_sets
        guarded = np.array([not asking.isdisjoint(own) for own in sets], np.bool_)
        for number in np.flatnonzero(guarded[set_of]).tolist():
            start, end = names[columns.previous[number]], names[columns.server[number]]
            for guard in asking.intersection(sets[set_of[number]]):
                said = payloads[guard]["topic"], payloads[guard]["selector"]
                found = self._lines.get((start, end, "outgoing", *said)) or self._lines.get(
                    (end, start, "incoming", *said)
                )
                own = graph.guards[guard].source
                yield number, guard, found or (own if own.file else graph.points[number].source)

    @cached_property
    def _lines(self) -> Mapping[tuple[str, ...], Source]:
        """The lines of selectors by server, the other end, direction, topic and selector."""
        found: dict[tuple[str, ...], Source] = {}
        for server, own in self._used.items():
            for route in own:
                if isinstance(route, EmsRoute):
                    for line in route.selectors:
                        key = (
                            server,
                            route.name,
                            line.direction,
                            line.topic,
                            line.unread or line.selector,
                        )
                        found.setdefault(key, line.source)
        return found

    @cached_property
    def _used(self) -> Mapping[str, Sequence[Fact]]:
        """The facts of the configurations in use, by server."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts(_KINDS, ""):
            found.setdefault(fact.server, []).append(fact)
        return {server: in_use(facts) for server, facts in found.items()}

    def _own(self, server: str) -> Sequence[Fact]:
        return self._used.get(server, ())

    def _server(self, name: str) -> PortableServer:
        own = self._own(name)
        main = next((fact for fact in own if isinstance(fact, EmsServer)), None)
        topics = [fact for fact in own if isinstance(fact, EmsDestination) and fact.type == "topic"]
        if main is None:
            return PortableServer()
        entries = tuple(
            PortableEntry(one.name, ("secure", "true") in one.properties, one.source)
            for one in topics
        )
        fallback = Source(topics[0].source.file) if topics else main.place("topics")
        complete = "topics" not in main.missing
        asked = (
            main.authorization
            and any(one.secure for one in entries)
            and not {"acl_list", "groups"} & set(main.missing)
        )
        publishes = ["any", *_publishers(own)] if asked else None
        alone = tuple(one.name for one in topics if ("global", "true") in one.properties)
        linked = not complete or self.graph.server_number[name] in self._linked
        return PortableServer(
            entries, main.source, fallback, complete, publishes, None if linked else alone
        )

    @cached_property
    def _linked(self) -> frozenset[int]:
        return frozenset(end for link in self.graph.links for end in (link.a, link.b))

    def _kept(
        self, wanting: Sequence[Subscriber], clients: Sequence[Client]
    ) -> frozenset[tuple[str, str]]:
        """The queues, by server, that keep what a bridge puts on them."""
        queues = QueueSteps(self.facts, self.graph, clients, None, self._readings)
        found = set()
        queues.expect({(one.server, one.queue) for one in wanting if one.queue})
        for one in wanting:
            if one.bridge is None or not one.queue:
                continue
            owner = one.bridge.target_name.partition("@")[2]
            if owner in ("", one.server) and queues.just_stores(one.server, one.queue):
                found.add((one.server, one.bridge.target_name))
        return frozenset(found)

    def _subscriber(self, one: Subscriber, kept: frozenset[tuple[str, str]]) -> PortableSubscriber:
        copy = None
        if one.bridge is not None:
            target, type_ = one.bridge.target_name, one.bridge.target_type
            if is_wildcard(target):
                copy = PortableCopy(type_, target)
            elif (one.server, target) in kept and type_ == "queue":
                copy = PortableCopy(type_, target.partition("@")[0], kept=True)
            else:
                copy = PortableCopy(type_, target, followed=True)
        return PortableSubscriber(
            self.graph.server_number[one.server],
            one.topic,
            one.known,
            self._selector(one.selector, one.fault),
            one.selector,
            one.reliable,
            one.delivers,
            one.note,
            one.source,
            one.unsure,
            one.called,
            copy,
        )


def _doubts(
    found: Mapping[int, tuple[str, Source]],
) -> tuple[tuple[int, str, Source], ...]:
    return tuple((number, *why) for number, why in found.items())


def _listed(server: str, seen: Any) -> bool:
    return server in seen.whole or server in seen.cut


def _patterns(guard: Guard, payload: Mapping[str, Any]) -> tuple[str, ...]:
    if guard.kind == "global":
        return tuple(payload["patterns"])
    return (payload["topic"],) if guard.kind == "selector" else ()


def _granted(payload: Mapping[str, Any]) -> Expression:
    """What ``guards._evaluate_grant`` asks of a secure topic: one grant of all, or grants of
    each permission.
    """

    def given(permission: str) -> Expression:
        return ["matches", *(grant[0] for grant in payload["grants"] if permission in grant[1:])]

    return [
        "any",
        given("all"),
        ["all", *(given(permission) for permission in payload["permissions"])],
    ]


def _publishers(own: Sequence[Fact]) -> Iterator[Expression]:
    """Who may publish where, grant by grant (``subscribers._may_publish``)."""
    members: dict[str, list[str]] = {}
    for fact in own:
        if isinstance(fact, EmsGroup):
            members.setdefault(fact.name, []).extend(fact.members)
    for fact in own:
        if (
            isinstance(fact, EmsGrant)
            and fact.type == "topic"
            and not {"publish", "all"}.isdisjoint(fact.permissions)
        ):
            users = (
                (fact.principal,)
                if fact.principal_type == "user"
                else members.get(fact.principal, ())
            )
            yield ["all", ["matches", fact.name], ["user", *users]]
