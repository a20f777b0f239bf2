"""What systems whose messages go step by step add to a published network
(``forwarding.descriptions.DatabaseRows``), the same for all of them.

Points, guards and walks are those of one graph that they share; destinations are what each system
shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.fact import Servers
from topograph.findings import Source
from topograph.forwarding.descriptions import (
    BridgeShown,
    DestinationShown,
    GuardWords,
    NamesOfServer,
    PointWords,
    plain_words,
)
from topograph.forwarding.graph import ForwardingGraph
from topograph.message import Message
from topograph.side_inputs import Client, SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.registry import system

STATEMENTS: Mapping[str, str] = {
    "servers": "`show servers` in memory",
    "routes": "`show routes` in memory",
    "destinations": "`show destinations` in memory",
    "message-reach": "`reach` in memory",
    "guards": "the guards of the points in memory",
    "findings": "`check` in memory",
}
"""See ``DatabaseRows``."""

_TYPES = {"topicspace": "topic"}
"""Types of destinations that the database calls otherwise."""


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """The destinations of the system that the facts are of as ``show`` lists them, each once,
    with where its queue or routing path leads.
    """
    known = list(facts)
    if not known:
        return
    load = system(known[0].system).stepping
    assert load is not None  # only such systems use this
    own = load(FactList(known), SideInputs())
    leads: dict[tuple[object, object], tuple[str, ...]] = {}
    for row in own.show("queues") or ():
        if row["leads_to"]:
            leads.setdefault((row["server"], row["name"]), (str(row["leads_to"]),))
    for row in own.show("routing-paths") or ():
        path = row["path"]
        if row["direction"] == "forward" and isinstance(path, Sequence):
            leads.setdefault((row["server"], row["destination"]), tuple(map(str, path)))
    seen: set[tuple[str, str, str]] = set()
    for row in own.show("destinations") or ():
        kind = str(row["type"]).lower()
        key = str(row["server"]), _TYPES.get(kind, kind), str(row["name"])
        if key not in seen:
            seen.add(key)
            leads_to = leads.get((row["server"], row["name"]), ())
            yield DestinationShown(
                *key, _source(row["source"]), leads_to=leads_to, details=str(row.get("details", ""))
            )


def _source(value: object) -> Source:
    assert isinstance(value, Mapping)  # rows of ``show`` have sources as JSON
    return Source(value["file"], value["line"] or 0, value["column"] or 0)


def bridges(facts: Iterable[Fact]) -> Sequence[BridgeShown]:  # noqa: ARG001
    """None: messages go on by steps, not by bridges between destinations."""
    return ()


def route_urls(facts: Iterable[Fact]) -> Mapping[tuple[str, str], str]:  # noqa: ARG001
    """None."""
    return {}


def point_words(graph: ForwardingGraph) -> Iterator[PointWords]:
    """See ``forwarding.descriptions.plain_words``."""
    return plain_words(graph)


def doubts(graph: ForwardingGraph) -> Iterator[str]:
    """Servers that may lead anywhere say why in ``incomplete``."""
    return ("" for _ in graph.servers)


def cut_off(graph: ForwardingGraph) -> Collection[int]:  # noqa: ARG001
    """None."""
    return ()


def guard_words(graph: ForwardingGraph, facts: Sequence[Fact]) -> Iterator[GuardWords]:  # noqa: ARG001
    """Nothing beside the text of a guard."""
    return (GuardWords() for _ in graph.guards)


def names_by_server(graph: ForwardingGraph) -> Sequence[NamesOfServer]:  # noqa: ARG001
    """None."""
    return ()


def message_guards(
    graph: ForwardingGraph,  # noqa: ARG001
    facts: Callable[[Sequence[str], Servers], Sequence[Fact]],  # noqa: ARG001
    start: str,  # noqa: ARG001
    message: Message,  # noqa: ARG001
    clients: Sequence[Client],  # noqa: ARG001
) -> None:
    """None: ``trace`` follows a message."""
    return
