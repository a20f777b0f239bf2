"""Messages that show what a changed entry does: a destination, a bridge, a durable, a
permission, or what lies between a routed queue and its home.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsObservedRoute,
    EmsRoute,
    EmsServer,
)
from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.forwarding.budget import Budget, BudgetSpent
from topograph.forwarding.graph import ForwardingGraph
from topograph.records import record
from topograph.systems.contract.changes import Known, Probe
from topograph.systems.contract.system import Change
from topograph.systems.ems.changes.causes import Causes, DecidedBy
from topograph.systems.ems.changes.message_conditions import Conditions, kinds
from topograph.systems.ems.destinations.example_names import names_of
from topograph.systems.ems.destinations.topics import is_wildcard, overlap
from topograph.systems.fact_sources import of_class

MOST_SENT = 300
"""Messages that are sent for changed entries."""


@dataclass
class EntryMessages:
    """Messages to follow; ``complete`` is False where some were left out."""

    found: list[Probe] = field(default_factory=list)
    complete: bool = True


@record
class _Place:
    """Names of destinations that a change concerns, where messages to them are sent, and the
    line that says so.
    """

    server: str
    type: str
    pattern: str
    source: Source


def at_entries(
    change: Change,
    known: Known,
    graphs: Sequence[ForwardingGraph],
    conditions: Conditions,
    beyond: tuple[Mapping[str, Source], Callable[[], Sequence[str]], Causes],
    budget: Budget,
) -> EntryMessages:
    """For each entry that changes the messages that what stands in the network can tell apart,
    sent at the server that has it; for queues also at the servers that route them there; and
    what bridges bring to these destinations, or to the topics of ``beyond``, which links let
    pass otherwise (with the line that says so, with the patterns that links tell topics apart by,
    and with what decides about messages on their way). Linear in the facts of these servers, times
    names and kinds of messages; at most MOST_SENT."""
    sent = EntryMessages()
    made: set[tuple[str, str, str]] = set()
    places = dict.fromkeys((*_of_entries(change), *_of_queues(change, known, graphs)))
    ends = [(place.type, place.pattern, place.source) for place in places]
    ends += [("topic", topic, source) for topic, source in beyond[0].items()]
    for kind, pattern, source in dict.fromkeys(ends):
        for one in conditions.leading_to(kind, pattern):
            places.setdefault(_Place(one.server, one.source_type, one.source_name, source))
    try:
        for place in places:
            own = _patterns_at(known, place)
            guarded = beyond[1]() if place.type == "topic" and is_wildcard(place.pattern) else ()
            wide = [one for one in guarded if overlap(one, place.pattern)]
            names, all_ = names_of(
                [place.pattern], own, [*conditions.patterns(place.type, place.pattern), *wide]
            )
            sent.complete &= all_
            for name in names:
                budget.check()
                tried = kinds(conditions.concerning(place.type, name), conditions.said)
                sent.complete &= tried.complete
                for properties, _ in tried.found:
                    mark = place.server, f"{place.type}:{name}", repr(sorted(properties.items()))
                    if mark in made:
                        continue
                    made.add(mark)
                    if len(made) > MOST_SENT:
                        sent.complete = False
                        return sent
                    sent.found.append(
                        Probe(
                            f"{place.type}:{name}",
                            properties,
                            place.source,
                            place.server,
                            decided_by=DecidedBy(beyond[2], properties),
                        )
                    )
    except BudgetSpent:
        sent.complete = False
    return sent


def _of_entries(change: Change) -> Iterator[_Place]:
    """What the changed entries themselves are about."""
    for fact in (*change.added, *change.removed):
        if isinstance(fact, EmsBridge):
            yield _Place(fact.server, fact.source_type, fact.source_name, fact.source)
        elif isinstance(fact, EmsDurable) and fact.topic:
            yield _Place(fact.server, "topic", fact.topic, fact.source)
        elif isinstance(fact, EmsDestination) or (
            isinstance(fact, EmsGrant) and fact.type in ("topic", "queue")
        ):
            yield _Place(fact.server, fact.type, fact.name, fact.source)


def _of_queues(change: Change, known: Known, graphs: Sequence[ForwardingGraph]) -> Iterator[_Place]:
    """The routed queues between whose two ends something changes (R103, R105, R107), to be sent
    to from both ends.
    """
    for fact in (*change.added, *change.removed):
        here = fact.server
        if isinstance(fact, (EmsRoute, EmsObservedRoute)):
            ends, pattern = [fact.name], ">"
        elif isinstance(fact, (EmsServer, EmsGroup)):
            ends, pattern = _neighbours(graphs, here), ">"
        elif (isinstance(fact, EmsDestination) and fact.type == "queue") or (
            isinstance(fact, EmsGrant) and fact.type == "queue"
        ):
            ends, pattern = _neighbours(graphs, here), fact.name
        else:
            continue
        for there in ends:
            for name in sorted(_routed_between(known, here, there, pattern)):
                yield _Place(here, "queue", name, fact.source)
                yield _Place(there, "queue", name, fact.source)


def _neighbours(graphs: Iterable[ForwardingGraph], server: str) -> list[str]:
    found = set()
    for graph in graphs:
        number = graph.server_number.get(server, -1)
        for link in graph.links if number >= 0 else ():
            if number in (link.a, link.b):
                found.add(graph.servers[link.b if link.a == number else link.a].name)
    return sorted(found)


def _routed_between(known: Known, here: str, there: str, pattern: str) -> set[str]:
    """The queues of which one server is the home and the other has a routed queue."""
    ends = frozenset((here, there))
    return {
        fact.name
        for facts in (known.before, known.after)
        for fact in of_class(facts, EmsDestination, ends)
        if fact.type == "queue"
        and fact.owner in ends - {fact.server}
        and not is_wildcard(fact.name)
        and overlap(fact.name, pattern)
    }


def _patterns_at(known: Known, place: _Place) -> list[str]:
    """What the entries of a server tell apart among the names of a pattern."""
    if not is_wildcard(place.pattern):
        return []
    found = {
        name
        for facts in (known.before, known.after)
        for fact in facts.facts(("destination", "bridge", "durable", "grant"), place.server)
        for name in _named(fact, place.type)
    }
    return sorted(name for name in found if overlap(name, place.pattern))


def _named(fact: Fact, type_: str) -> Collection[str]:
    if isinstance(fact, (EmsDestination, EmsGrant)):
        return (fact.name,) if fact.type == type_ else ()
    if isinstance(fact, EmsBridge):
        return (fact.source_name,) if fact.source_type == type_ else ()
    return (fact.topic,) if isinstance(fact, EmsDurable) and type_ == "topic" else ()
