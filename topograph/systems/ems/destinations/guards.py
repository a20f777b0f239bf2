"""The guards of EMS links: predicates on the topic and the properties that decide whether a message
may cross (ems.md 6.3).

Each direction of a link has its own guards. Guards with the same content are one guard, whatever
server they stand at, so that a question evaluates each distinct predicate once. The kinds, in the
order in which they stand on a point:

=============
==========================================================================================
==========
kind           true when                                                                                   rule
=============
==========================================================================================
==========
``link``       never: ``routing`` is disabled at an end, or a finding says that the link does not come up  R6, A18
``open``       not known: a finding says that the link may not come up (``forwarding.graph.OPEN``)         R6
``global``     the topic is ``global`` at one end; the first such guard is the sending end's               R42, R44
``grant``      the topic is not secure there, or the neighbour has the permissions                         R49
``selector``   the topic does not match the selector's topic, or the selector is TRUE                      R60-R70
``position``   always: carries an assumption that the link rests on                                        A9, R6, R53
=============
==========================================================================================
==========
"""  # noqa: E501

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from topograph.assumptions import Assumption
from topograph.errors import InvalidSelector
from topograph.facts.ems import (
    EmsDestination,
    EmsGrant,
    EmsGroup,
    EmsRoute,
    EmsServer,
    RouteSelector,
)
from topograph.findings import Source
from topograph.forwarding.graph import OPEN, POSITION, POSITIONS, WAITS, Guard
from topograph.message import Properties
from topograph.outcomes import NotForwarded, Truth
from topograph.records import record
from topograph.selectors import parse as parse_selector
from topograph.systems.contract.bearing import Effect
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.texts import TEXTS
from topograph.systems.ems.destinations.texts import text as said
from topograph.systems.ems.destinations.topics import is_temporary, matches
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsLink

REASONS: Mapping[str, NotForwarded] = {
    "link": NotForwarded.ROUTE_DOWN,
    OPEN: NotForwarded.ROUTE_DOWN,
    "global": NotForwarded.NOT_GLOBAL,
    "grant": NotForwarded.ACL,
    "selector": NotForwarded.SELECTOR,
}
"""The condition of NOT_FORWARDED that a failing guard of each kind stands for."""

INTEREST_KINDS = frozenset({"link", OPEN, "global", "grant"})
"""Guards that also stop the propagation of interest; route selectors do not (ems.md 6.3,
position).
"""

SEND_PERMISSIONS = ("durable", "subscribe")
"""What the sending server grants the receiving one on a secure topic (R49)."""

RECEIVE_PERMISSIONS = ("publish",)
"""What the receiving server grants the sending one on a secure topic (R49)."""


_NOWHERE = Source("")


class GuardBook:
    """Collects the distinct guards of a network and numbers them from 0 in order of first use."""

    def __init__(self) -> None:
        self.guards: list[Guard] = []
        self._numbers: dict[str, int] = {}
        self.global_of: dict[str, int] = {}
        """The guard of each server's global topics that was asked for."""

    def number(
        self, kind: str, key: str, text: str, payload: Mapping[str, object], source: Source
    ) -> int:
        """The number of the guard with this kind and key; added if it is new. ``source`` is its
        place; a guard that stands at several has none of its own (``evidence`` finds the one
        that a link uses)."""
        identity = f"{kind}:{key}"
        number = self._numbers.get(identity)
        if number is None:
            number = self._numbers[identity] = len(self.guards)
            body = json.dumps(payload, sort_keys=True, ensure_ascii=False)
            self.guards.append(Guard(identity, kind, text, body, source))
        elif self.guards[number].source not in (source, _NOWHERE):
            self.guards[number] = replace(self.guards[number], source=_NOWHERE)
        return number


@dataclass
class ServerSettings:
    """What one server contributes to guards, worked out once: its global and secure patterns,
    its grants by user.
    """

    name: str
    loaded: bool
    routing: bool | None
    authorization: bool
    global_topics: tuple[str, ...] = ()
    secure_topics: tuple[str, ...] = ()
    topics_missing: bool = False
    grants_missing: bool = False
    grants: dict[str, list[EmsGrant]] = field(default_factory=dict)
    groups_of: dict[str, set[str]] = field(default_factory=dict)
    topic_sources: dict[str, Source] = field(default_factory=dict)
    source: Source = field(default_factory=lambda: Source(""))
    routing_source: Source = field(default_factory=lambda: Source(""))
    topics_unread: bool = False
    routing_said: str = ""
    """What stands for ``routing`` where that is not understood."""
    routing_open: str = ""
    """Why it is not known whether routing is enabled; else empty."""

    @cached_property
    def global_set(self) -> PatternSet:
        """The global topics, to ask many questions about."""
        return PatternSet(self.global_topics)

    @cached_property
    def global_names(self) -> frozenset[str]:
        """The global topics as they are written."""
        return frozenset(self.global_topics)

    @property
    def down(self) -> bool:
        """Whether routing is disabled, so that none of its links is up (R6)."""
        return self.loaded and self.routing is False and not self.routing_open

    def grants_for(self, user: str) -> list[EmsGrant]:
        """The grants that hold for a user, its groups' included."""
        found = list(self.grants.get(f"user:{user}", ()))
        for group in sorted(self.groups_of.get(user, ())):
            found.extend(self.grants.get(f"group:{group}", ()))
        return found


def settings(configured: Configured) -> ServerSettings:
    """The settings of a loaded server. Linear in its facts."""
    server: EmsServer = configured.member.server
    topics = [fact for fact in configured.of(EmsDestination) if fact.type == "topic"]
    result = ServerSettings(
        configured.name,
        True,
        server.routing,
        bool(server.authorization),
        tuple(sorted({t.name for t in topics if ("global", "true") in t.properties})),
        tuple(sorted({t.name for t in topics if ("secure", "true") in t.properties})),
        "topics" in server.missing,
        bool({"acl_list", "groups"} & set(server.missing)),
        topics_unread="topics" in server.unread,
        topic_sources={topic.name: topic.source for topic in reversed(topics)},
        source=server.source,
        routing_source=server.place("routing"),
        routing_said=dict(server.parameters).get("routing", ""),
        routing_open=configured.routing_open,
    )
    for grant in configured.of(EmsGrant):
        if grant.type == "topic":
            result.grants.setdefault(f"{grant.principal_type}:{grant.principal}", []).append(grant)
    for group in configured.of(EmsGroup):
        for member in group.members:
            result.groups_of.setdefault(member, set()).add(group.name)
    return result


def link_guards(
    book: GuardBook, link: EmsLink, start: ServerSettings, end: ServerSettings
) -> tuple[int, ...]:
    """The guards of a link for messages from ``start`` to ``end``, by number."""
    numbers = [
        *_link_guards(book, link, start, end),
        _global_guard(book, start),
        _global_guard(book, end),
    ]
    numbers += _grant_guards(book, start, end.name, SEND_PERMISSIONS)
    numbers += _grant_guards(book, end, start.name, RECEIVE_PERMISSIONS)
    for side, direction in ((start, "outgoing"), (end, "incoming")):
        route = link.routes.get(side.name)
        if route is not None and route.selectors:
            numbers += _selector_guards(book, route, direction)
    return tuple(numbers)


def _link_guards(
    book: GuardBook, link: EmsLink, start: ServerSettings, end: ServerSettings
) -> Iterable[int]:
    ends = (start, end) if start.name < end.name else (end, start)
    for side in ends:
        if side.down:
            yield routing_guard(book, side)
        if side.routing_open:
            yield book.number(
                OPEN,
                side.routing_open,
                f"{side.routing_open} (TL-15)",
                {"unknown": side.routing_open},
                side.routing_source,
            )
    if link.effect is not None:
        yield _effect_guard(book, link.effect)
    for side in ends:
        if side.loaded and side.routing is None and not side.routing_open:
            what = (
                f"states routing as {side.routing_said!r}, which is not understood"
                if side.routing_said
                else "does not state routing"
            )
            position = Assumption(
                "R6",
                "M",
                f"{side.name} {what}; it is taken as enabled because routes name {side.name}",
                f"if routing is disabled at {side.name}, none of its routes is up",
            )
            yield _position(book, position, side.source)
    for position in link.positions:
        yield _position(book, position, link.source)
    if start.name in link.suspended:
        yield _suspended_guard(book, start.name, end.name, link.suspended[start.name])


def routing_guard(book: GuardBook, side: ServerSettings) -> int:
    """The guard of every link of a server whose routing is disabled; its place is the line that
    says so (R6, A18).
    """
    text = f"routing is disabled at {side.name}"
    return book.number("link", side.name, text, {"server": side.name}, side.routing_source)


def _effect_guard(book: GuardBook, effect: Effect) -> int:
    """The guard of a link that a finding says something of: it lets nothing pass, or it is not
    known whether it does. It cites the rule and the line of the finding.
    """
    text = f"{effect.because} ({effect.rule})"
    payload = {} if effect.stops else {"unknown": text}
    return book.number("link" if effect.stops else OPEN, text, text, payload, effect.source)


SUSPENDED = "R53"
"""The rule of a position that a suspended route rests on: messages for the other end wait."""


def _suspended_guard(book: GuardBook, start: str, end: str, source: Source) -> int:
    """A suspended route asks nothing of a message, which waits before it: a position on what was
    said at one moment (R53).
    """
    text = (
        f"the route from {start} to {end} is suspended ({source}): what goes to {end} waits "
        f"at {start} until the route is resumed"
    )
    position = Assumption(SUSPENDED, "M", text, "if it has been resumed since, nothing waits there")
    return _position(book, position, source, WAITS)


def _position(book: GuardBook, position: Assumption, source: Source, kind: str = POSITION) -> int:
    return book.number(
        kind, f"{position.rule}:{position.text}", position.text, asdict(position), source
    )


def _global_guard(book: GuardBook, side: ServerSettings) -> int:
    known = book.global_of.get(side.name)
    if known is None:
        known = book.global_of[side.name] = _new_global_guard(book, side)
    return known


def _new_global_guard(book: GuardBook, side: ServerSettings) -> int:
    if not side.loaded or side.topics_missing:
        why = "its configuration is not loaded"
        if side.loaded:
            why = (
                "not all of its topics.conf could be read"
                if side.topics_unread
                else "its topics.conf was not found"
            )
        text = f"whether the topic is global at {side.name} is not known: {why}"
        payload = {
            "unknown": text,
            "loaded": side.loaded,
            "patterns": list(side.global_topics),
            "at": side.name,
            "why": why,
        }
        return book.number("global", f"?{side.name}", text, payload, side.source)
    patterns = side.global_topics
    text = (
        f"topic is global ({', '.join(patterns[:6])}{', …' if len(patterns) > 6 else ''})"
        if patterns
        else "no topic is global"
    )
    if not patterns:
        return book.number(
            "global", f"none:{side.name}", text, {"patterns": [], "at": side.name}, side.source
        )
    return book.number(
        "global", "|".join(patterns), text, {"patterns": list(patterns)}, side.source
    )


def _grant_guards(
    book: GuardBook, at: ServerSettings, user: str, permissions: Sequence[str]
) -> Iterable[int]:
    """R49: ``at`` asks for permissions of ``user`` only with authorization on and for secure
    topics.
    """
    if not (at.loaded and at.authorization and (at.secure_topics or at.topics_missing)):
        return
    wanted = " and ".join(sorted(permissions, reverse=True))
    text = f"{at.name} grants user {user} {wanted}, or the topic is not secure there"
    payload: dict[str, object] = {"at": at.name, "user": user, "permissions": list(permissions)}
    if at.grants_missing or at.topics_missing:
        payload["unknown"] = f"whether {text} is not known: a file of {at.name} was not found"
    else:
        payload["secure"] = list(at.secure_topics)
        payload["grants"] = sorted(
            [grant.name, *grant.permissions] for grant in at.grants_for(user)
        )
    key = json.dumps(payload, sort_keys=True)
    yield book.number("grant", key, text, payload, at.source)


@record
class SelectorUsed:
    """A selector line of a route as a guard: ``key`` is the guard's. ``replaced``: a later line
    for the same topic would replace it under the administrator's reading (R70, A16)."""

    line: RouteSelector
    replaced: bool

    @property
    def key(self) -> str:
        line = self.line
        mark = (
            f":not understood:{line.fault}:{line.unread}"
            if line.fault
            else ":replaced"
            if self.replaced
            else ""
        )
        return f"{line.topic}:{line.selector}{mark}"


def selectors_used(route: EmsRoute, direction: str) -> list[SelectorUsed]:
    """The selectors that a route sets for one direction; all apply, joined by AND (R60-R63,
    R70).
    """
    lines = [line for line in route.selectors if line.direction == direction]
    last = {line.topic: place for place, line in enumerate(lines) if not line.fault}
    return [
        SelectorUsed(line, not line.fault and last[line.topic] != place)
        for place, line in enumerate(lines)
    ]


def _selector_guards(book: GuardBook, route: EmsRoute, direction: str) -> Iterable[int]:
    for used in selectors_used(route, direction):
        line = used.line
        selector = line.unread if line.fault else line.selector
        payload = {"topic": line.topic, "selector": selector, "replaced": used.replaced}
        if line.fault:
            payload["fault"] = line.fault
        yield book.number("selector", used.key, f"{line.topic}: {selector}", payload, line.source)


@record
class GuardVerdict:
    """What one guard says about one message. ``known`` is False where neither the loaded files
    nor the question decide it; ``truth`` is then UNKNOWN. ``note`` says why, for people.
    ``defaults`` are the header fields that are taken at their default."""

    truth: Truth
    known: bool = True
    note: str = ""
    defaults: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        return self.truth is Truth.TRUE


_TRUE, _FALSE = GuardVerdict(Truth.TRUE), GuardVerdict(Truth.FALSE)


def evaluate(guard: Guard, topic: str, properties: Properties) -> GuardVerdict:
    """Does the guard let a message to ``topic`` with ``properties`` pass?

    Temporary topics (``$TMP$.``) need no ``global`` and meet no selector (R91, A24), but a server
    that routes. Linear in the guard's patterns.
    """
    return evaluate_read(guard, json.loads(guard.payload), topic, properties)


def evaluate_read(
    guard: Guard, payload: Mapping[str, Any], topic: str, properties: Properties
) -> GuardVerdict:
    """The same of a guard whose payload is read already (``guard_index``)."""
    if guard.kind in POSITIONS:
        return _TRUE
    if guard.kind == "link":
        return _FALSE
    if guard.kind in ("global", "selector") and is_temporary(topic):
        if guard.kind == "selector" or payload.get("loaded", True):
            return _TRUE
        server = guard.id.removeprefix("global:?")
        return GuardVerdict(
            Truth.UNKNOWN, known=False, note=f"{server}: its configuration is not loaded"
        )
    if "unknown" in payload:
        if any(matches(pattern, topic) for pattern in payload.get("patterns", ())):
            return _TRUE  # flags add up: what could not be read does not take it away (R83)
        return GuardVerdict(Truth.UNKNOWN, known=False, note=payload["unknown"])
    if guard.kind == "global":
        return _TRUE if any(matches(pattern, topic) for pattern in payload["patterns"]) else _FALSE
    if guard.kind == "grant":
        return _evaluate_grant(payload, topic)
    if not matches(payload["topic"], topic):
        return _TRUE
    return evaluate_selector(payload["selector"], properties, payload.get("fault", ""))


def evaluate_selector(text: str, properties: Properties, fault: str = "") -> GuardVerdict:
    """What a selector says of a message for which a question sets ``properties``; not known
    where it is no valid selector or its line is not understood (``fault`` says why), or hangs on
    a header field that every message has and the question does not set."""
    if fault:
        note = said("selector_fault", fault=fault, selector=f": {text}" if text else "")
        return GuardVerdict(Truth.UNKNOWN, known=False, note=note)
    if not text:
        return _TRUE
    try:
        judged = parse_selector(text).judge(properties)
    except InvalidSelector as error:
        return GuardVerdict(
            Truth.UNKNOWN, known=False, note=said("selector_invalid", fault=error.in_one_line)
        )
    if judged.undecided:
        first = judged.undecided[0]
        names = TEXTS["joined_names"].join(judged.undecided)
        note = said("selector_depends", selector=text, names=names, first=first)
        return GuardVerdict(Truth.UNKNOWN, known=False, note=note, defaults=judged.defaults)
    return GuardVerdict(judged.truth, defaults=judged.defaults)


def _evaluate_grant(payload: Mapping[str, Any], topic: str) -> GuardVerdict:
    secure = [
        pattern for pattern in payload["secure"] if is_temporary(pattern) or not is_temporary(topic)
    ]  # R84
    if not any(matches(pattern, topic) for pattern in secure):
        return _TRUE
    given = {
        permission
        for grant in payload["grants"]
        if matches(grant[0], topic)
        for permission in grant[1:]
    }
    return _TRUE if "all" in given or given >= set(payload["permissions"]) else _FALSE


def grants_needed(
    topic: str, start: ServerSettings, end: ServerSettings
) -> list[tuple[str, str, tuple[str, ...]]]:
    """(server, user, permissions) that have to stand in the ACLs for ``topic`` to go from
    ``start`` to ``end`` (R49), granted or not.
    """
    needed: list[tuple[str, str, tuple[str, ...]]] = []
    for at, user, permissions in (
        (start, end.name, SEND_PERMISSIONS),
        (end, start.name, RECEIVE_PERMISSIONS),
    ):
        if (
            at.loaded
            and at.authorization
            and any(matches(pattern, topic) for pattern in at.secure_topics)
        ):
            needed.append((at.name, user, permissions))
    return needed
