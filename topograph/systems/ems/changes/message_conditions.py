"""What messages to a destination may meet anywhere in an EMS network: selectors of routes, bridges,
durables and clients.

Messages that all of these treat alike are one kind; of each kind one is followed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topograph.errors import InvalidSelector, UnknownDestination
from topograph.facts.ems import EmsBridge, EmsDurable
from topograph.forwarding.graph import Bools, ForwardingGraph, Guard
from topograph.message import DestinationName, Properties, parse_destination
from topograph.records import record
from topograph.selectors.selector import Selector, parse
from topograph.selectors.witnesses import witnesses
from topograph.side_inputs import Client
from topograph.systems.contract.changes import Known
from topograph.systems.ems.destinations.guard_index import index_of
from topograph.systems.ems.destinations.selectors_said import PASSES, SelectorsSaid
from topograph.systems.ems.destinations.topics import matches, overlap

TRIED = 600
"""Messages that are tried for one destination."""

MOST_CONDITIONS = 24
"""Selectors whose constants are tried for one destination."""


@record
class MessageCondition:
    """A selector on the messages to the destinations that a pattern matches; ``type`` is
    ``topic`` or ``queue``.
    """

    type: str
    pattern: str
    selector: Selector

    def concerns(self, type_: str, name: str) -> bool:
        """Whether it is asked about messages to a destination."""
        return self.type == type_ and matches(self.pattern, name)


@dataclass
class Kinds:
    """Messages to one destination, one of each kind; ``complete`` is False where some were not
    tried.
    """

    found: list[tuple[Properties, bytes]]
    complete: bool


class Conditions:
    """All conditions of a network, before and after a change."""

    def __init__(self, graphs: Sequence[ForwardingGraph], known: Known) -> None:
        self.said = index_of(graphs[0]).said
        guards = {one.id: one for graph in graphs for one in graph.guards if one.kind == "selector"}
        self._all: dict[MessageCondition, None] = dict.fromkeys(
            condition for _, guard in sorted(guards.items()) for condition in of_guard(guard)
        )
        self._bridges: dict[tuple[str, str, str, str], None] = {}
        self._of_servers: list[EmsBridge] = []
        self._wanted: dict[tuple[str, str], None] = {}
        for facts in (known.before, known.after):
            for fact in facts.facts(("bridge", "durable")):
                if isinstance(fact, EmsBridge):
                    self._bridges[
                        fact.source_type, fact.source_name, fact.target_type, fact.target_name
                    ] = None
                    self._of_servers.append(fact)
                    self._add(fact.source_type, fact.source_name, fact.selector)
                elif isinstance(fact, EmsDurable):
                    self._wanted["topic", fact.topic] = None
                    self._add("topic", fact.topic, fact.selector)
        for client in known.clients:
            named = _named(client)
            self._wanted[named.type, named.name] = None
            self._add(named.type, named.name, client.selector)

    def _add(self, type_: str, pattern: str, text: str) -> None:
        self._all |= dict.fromkeys(MessageCondition(type_, pattern, one) for one in _parsed(text))

    def concerning(self, type_: str, name: str) -> list[MessageCondition]:
        """The conditions that messages to a destination may meet, also as copies that bridges
        make of them.
        """
        reached = {(type_, name): None}
        waiting = [(type_, name)]
        while waiting:
            kind, one = waiting.pop()
            for source_type, source, target_type, target in self._bridges:
                end = target_type, target.partition("@")[0]
                if source_type == kind and matches(source, one) and end not in reached:
                    reached[end] = None
                    waiting.append(end)
        return [one for one in self._all if any(one.concerns(*end) for end in reached)]

    def leading_to(self, type_: str, pattern: str) -> list[EmsBridge]:
        """The bridges whose copies come to destinations that a pattern matches, over other
        bridges too. What one of them brings there may be all that does: a copy is not bridged
        again where it was made (R111)."""
        found: dict[EmsBridge, None] = {}
        waiting = [(type_, pattern)]
        while waiting:
            kind, wanted = waiting.pop()
            for one in self._of_servers:
                target = one.target_name.partition("@")[0]
                if one.target_type == kind and one not in found and overlap(target, wanted):
                    found[one] = None
                    waiting.append((one.source_type, one.source_name))
        return list(found)

    def patterns(self, type_: str, pattern: str) -> list[str]:
        """The patterns of conditions, subscribers and bridges that overlap one, in order."""
        wanted = {name for kind, name in self._wanted if kind == type_}
        wanted |= {source for kind, source, _, _ in self._bridges if kind == type_}
        found = {one.pattern for one in self._all if one.type == type_} | wanted
        return sorted(one for one in found if overlap(one, pattern))


class Tried:
    """Messages at the constants of selectors, those of ``first`` before those of the other
    ``conditions``, at most TRIED. ``complete`` is False where there are more of either."""

    def __init__(
        self,
        conditions: Sequence[MessageCondition],
        said: SelectorsSaid,
        first: Sequence[MessageCondition] = (),
    ) -> None:
        self._said = said
        self._numbers = said.numbers((one.selector.text, "") for one in conditions)
        tried = list(dict.fromkeys((*first, *conditions)))[:MOST_CONDITIONS]
        messages = list(witnesses((one.selector for one in tried), TRIED + 1))
        self.messages = messages[:TRIED]
        self.complete = len(messages) <= TRIED and len(set(conditions)) <= MOST_CONDITIONS

    def kind(self, properties: Properties) -> bytes:
        """What tells a message apart from others: whether each condition lets it pass, a byte each.
        Linear in the conditions.
        """
        said = self._said.of(self._numbers, properties)
        passes: Bools = said.truths[self._numbers] == PASSES
        return passes.tobytes()


def kinds(conditions: Sequence[MessageCondition], said: SelectorsSaid) -> Kinds:
    """Messages at the constants of selectors, one for each way in which ``conditions`` can
    decide about them. At most TRIED are tried.
    """
    tried = Tried(conditions, said)
    found: dict[bytes, Properties] = {}
    for properties in tried.messages:
        found.setdefault(tried.kind(properties), properties)
    return Kinds([(properties, kind) for kind, properties in found.items()], tried.complete)


def of_guard(guard: Guard) -> Iterator[MessageCondition]:
    """The selector of a link; none where it is not understood."""
    payload = json.loads(guard.payload)
    if not payload.get("fault") and "topic" in payload:
        for selector in _parsed(payload["selector"]):
            yield MessageCondition("topic", payload["topic"], selector)


def _parsed(text: str) -> Iterator[Selector]:
    if text.strip():
        try:
            yield parse(text)
        except InvalidSelector:
            return


def _named(client: Client) -> DestinationName:
    """The destination of a client; a bare name is that of a topic."""
    try:
        return parse_destination(client.destination)
    except UnknownDestination:
        return DestinationName("topic", client.destination)
